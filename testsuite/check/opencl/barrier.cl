// SPDX-License-Identifier: MIT
// Barriers that not all work-items of a group come to, and barriers in uniform flow. Run like memory.cl.
#define SYNC barrier(CLK_LOCAL_MEM_FENCE)

kernel void wrong_half_of_wave(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    if (i % 2)
        SYNC; // HERE barrier-divergent
    out[get_global_id(0)] = i;
}
kernel void right_all(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    if (n % 2)
        SYNC;
    out[get_global_id(0)] = i;
}
kernel void wrong_one_item(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    if (i == n)
        SYNC; // HERE barrier-divergent
    out[get_global_id(0)] = i;
}
kernel void right_both_ways(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    if (i == n)
        out[get_global_id(0)] = n;
    SYNC;
    if (i != n)
        out[get_global_id(0)] = i;
}
kernel void wrong_all_but_one(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    if (i != n)
        SYNC; // HERE barrier-divergent
    out[get_global_id(0)] = i;
}
kernel void right_by_group(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    if (get_group_id(0) == 1)
        SYNC;
    out[get_global_id(0)] = i;
}
kernel void wrong_early_return(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    if (i >= 100)
        return;
    SYNC; // HERE barrier-divergent
    out[get_global_id(0)] = i;
}
kernel void right_return_of_group(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    if (get_group_id(0) == 0)
        return;
    SYNC;
    out[get_global_id(0)] = i;
}
kernel void wrong_wave_returns(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    if (i >= 64)
        return;
    SYNC; // HERE barrier-missing
    out[get_global_id(0)] = i;
}
kernel void right_return_after(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    SYNC;
    if (i >= 64)
        return;
    out[get_global_id(0)] = i;
}
kernel void wrong_two_barriers(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    if (i < 64)
        SYNC; // HERE barrier-different
    else
        SYNC;
    out[get_global_id(0)] = i;
}
kernel void right_two_barriers(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    if (n < 64)
        SYNC;
    else
        SYNC;
    out[get_global_id(0)] = i;
}
kernel void wrong_two_in_wave(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    if (i % 3)
        SYNC; // HERE barrier-divergent
    else
        SYNC;
    out[get_global_id(0)] = i;
}
kernel void right_two_one_after_the_other(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    SYNC;
    if (i % 3)
        out[get_global_id(0)] = i;
    SYNC;
}
kernel void wrong_loop_by_item(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    for (uint k = 0; k <= i % 2; k++)
        SYNC; // HERE barrier-divergent
    out[get_global_id(0)] = i;
}
kernel void right_loop(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    for (uint k = 0; k <= n; k++)
        SYNC;
    out[get_global_id(0)] = i;
}
kernel void wrong_loop_left(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    for (uint k = 0; k < 4; k++) {
        if (k == 2 && i == n)
            break;
        SYNC; // HERE barrier-divergent
    }
    out[get_global_id(0)] = i;
}
kernel void right_loop_left(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    for (uint k = 0; k < 4; k++) {
        if (k == 2 && get_group_id(0) == 1)
            break;
        SYNC;
    }
    out[get_global_id(0)] = i;
}
kernel void wrong_loop_by_wave(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    for (uint k = 0; k <= i / 64; k++)
        SYNC; // HERE barrier-missing
    out[get_global_id(0)] = i;
}
kernel void right_loop_by_group(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    for (uint k = 0; k <= get_group_id(0); k++)
        SYNC;
    out[get_global_id(0)] = i;
}
kernel void wrong_by_memory(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    if (in[get_global_id(0)] > 150)
        SYNC; // HERE barrier-divergent
    out[get_global_id(0)] = i;
}
kernel void right_by_memory(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    if (in[n] == n)
        SYNC;
    out[get_global_id(0)] = i;
}
void meet(uint i)
{
    if (i > 9)
        SYNC; // HERE barrier-divergent
}
kernel void wrong_in_function(global uint *out, global uint *in, uint n)
{
    meet(get_local_id(0));
    out[get_global_id(0)] = n;
}
kernel void right_in_function(global uint *out, global uint *in, uint n)
{
    meet(in[n + 3]);
    out[get_global_id(0)] = n;
}
kernel void wrong_switch(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    switch (i % 4) {
    case 1:
        out[get_global_id(0)] = n;
        break;
    case 2:
        SYNC; // HERE barrier-divergent
        break;
    default:
        out[get_global_id(0)] = i;
    }
}
kernel void right_switch(global uint *out, global uint *in, uint n)
{
    uint i = get_local_id(0);
    switch (n % 4) {
    case 1:
        out[get_global_id(0)] = n;
        break;
    case 3:
        SYNC;
        break;
    default:
        out[get_global_id(0)] = i;
    }
}
