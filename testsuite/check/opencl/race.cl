// SPDX-License-Identifier: MIT
// Work-items that access the same bytes, in no defined order and in a defined one. Run like memory.cl.
#define SYNC barrier(CLK_LOCAL_MEM_FENCE)

kernel void wrong_mirror(global uint *out, global uint *in, uint n)
{
    local uint t[128];
    uint i = get_local_id(0);
    t[i] = in[i];
    out[get_global_id(0)] = t[127 - i]; // HERE race-group
}
kernel void right_mirror(global uint *out, global uint *in, uint n)
{
    local uint t[128];
    uint i = get_local_id(0);
    t[i] = in[i];
    SYNC;
    out[get_global_id(0)] = t[127 - i];
}
kernel void wrong_neighbour(global uint *out, global uint *in, uint n)
{
    local uint t[129];
    uint i = get_local_id(0);
    t[i] = in[i];
    if (i == 0)
        t[128] = n;
    out[get_global_id(0)] = t[i + 1]; // HERE race-group
}
kernel void right_neighbour(global uint *out, global uint *in, uint n)
{
    local uint t[129];
    uint i = get_local_id(0);
    t[i] = in[i];
    if (i == 0)
        t[128] = n;
    SYNC;
    out[get_global_id(0)] = t[i + 1];
}
kernel void wrong_reduction(global uint *out, global uint *in, uint n)
{
    local uint t[128];
    uint i = get_local_id(0);
    t[i] = in[i];
    SYNC;
    for (uint k = 1; k < 128; k *= 2)
        if (i % (2 * k) == 0)
            t[i] += t[i + k]; // HERE race-group
    if (i == n)
        out[get_group_id(0)] = t[0];
}
kernel void right_reduction(global uint *out, global uint *in, uint n)
{
    local uint t[128];
    uint i = get_local_id(0);
    t[i] = in[i];
    SYNC;
    for (uint k = 64; k > 0; k /= 2) {
        if (i < k)
            t[i] += t[i + k];
        SYNC;
    }
    if (i == n)
        out[get_group_id(0)] = t[0];
}
kernel void wrong_result(global uint *out, global uint *in, uint n)
{
    local uint sum;
    uint i = get_local_id(0);
    if (i == 0)
        sum = 0;
    SYNC;
    if (i == n)
        sum = in[i];
    out[get_global_id(0)] = sum; // HERE race-group
}
kernel void right_result(global uint *out, global uint *in, uint n)
{
    local uint sum;
    uint i = get_local_id(0);
    if (i == 0)
        sum = 0;
    SYNC;
    if (i == n)
        sum = in[i];
    SYNC;
    out[get_global_id(0)] = sum;
}
kernel void wrong_one_place(global uint *out, global uint *in, uint n)
{
    out[n] = get_global_id(0); // HERE race-global
}
kernel void right_one_place(global uint *out, global uint *in, uint n)
{
    if (get_global_id(0) == 100)
        out[n] = get_global_id(0);
}
kernel void wrong_one_of_group(global uint *out, global uint *in, uint n)
{
    if (get_local_id(0) == n)
        out[n] = get_global_id(0); // HERE race-global
}
kernel void right_one_of_group(global uint *out, global uint *in, uint n)
{
    if (get_local_id(0) == n)
        out[get_group_id(0)] = get_global_id(0);
}
kernel void wrong_other_group(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    out[i] = n;
    barrier(CLK_GLOBAL_MEM_FENCE);
    in[i] = out[i ^ 128]; // HERE race-global
}
kernel void right_own_group(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    out[i] = n;
    barrier(CLK_GLOBAL_MEM_FENCE);
    in[i] = out[i ^ 64];
}
kernel void wrong_histogram(global uint *out, global uint *in, uint n)
{
    local uint bins[8];
    uint i = get_local_id(0);
    if (i < 8)
        bins[i] = 0;
    SYNC;
    bins[in[i] / 3 % 8]++; // HERE race-group
    SYNC;
    if (i < 8)
        out[i + 8 * get_group_id(0)] = bins[i];
}
kernel void right_histogram(global uint *out, global uint *in, uint n)
{
    local uint bins[8];
    uint i = get_local_id(0);
    if (i < 8)
        bins[i] = 0;
    SYNC;
    atomic_inc(&bins[in[i] / 3 % 8]);
    SYNC;
    if (i < 8)
        out[i + 8 * get_group_id(0)] = bins[i];
}
kernel void wrong_global_count(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    out[in[i] % n] += i; // HERE race-global
}
kernel void right_global_count(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    atomic_add(&out[in[i] % n], i);
}
kernel void wrong_buffer_used_again(global uint *out, global uint *in, uint n)
{
    local uint t[128];
    uint i = get_local_id(0), sum = 0;
    for (uint k = 0; k < 2; k++) {
        t[i] = in[i + 128 * k]; // HERE race-group
        SYNC;
        sum += t[127 - i];
    }
    out[get_global_id(0)] = sum;
}
kernel void right_buffer_used_again(global uint *out, global uint *in, uint n)
{
    local uint t[128];
    uint i = get_local_id(0), sum = 0;
    for (uint k = 0; k < 2; k++) {
        t[i] = in[i + 128 * k];
        SYNC;
        sum += t[127 - i];
        SYNC;
    }
    out[get_global_id(0)] = sum;
}
kernel void wrong_one_buffer(global uint *out, global uint *in, uint n)
{
    local uint t[2][128];
    uint i = get_local_id(0), sum = 0;
    for (uint k = 0; k < 4; k++) {
        t[k / 2][i] = in[i + k]; // HERE race-group
        SYNC;
        sum += t[k / 2][127 - i];
    }
    out[get_global_id(0)] = sum;
}
kernel void right_two_buffers(global uint *out, global uint *in, uint n)
{
    local uint t[2][128];
    uint i = get_local_id(0), sum = 0;
    for (uint k = 0; k < 4; k++) {
        t[k % 2][i] = in[i + k];
        SYNC;
        sum += t[k % 2][127 - i];
    }
    out[get_global_id(0)] = sum;
}
kernel void wrong_scan(global uint *out, global uint *in, uint n)
{
    local uint t[128];
    uint i = get_local_id(0);
    t[i] = in[i];
    SYNC;
    for (uint k = 1; k < 128; k *= 2) {
        uint other = i >= k ? t[i - k] : 0;
        t[i] += other; // HERE race-group
        SYNC;
    }
    out[get_global_id(0)] = t[i];
}
kernel void right_scan(global uint *out, global uint *in, uint n)
{
    local uint t[128];
    uint i = get_local_id(0);
    t[i] = in[i];
    SYNC;
    for (uint k = 1; k < 128; k *= 2) {
        uint other = i >= k ? t[i - k] : 0;
        SYNC;
        t[i] += other;
        SYNC;
    }
    out[get_global_id(0)] = t[i];
}
kernel void wrong_tile(global uint *out, global uint *in, uint n)
{
    local uint t[16][8];
    uint i = get_local_id(0);
    t[i % 16][i / 16] = in[i];
    out[get_global_id(0)] = t[i / 8][i % 8]; // HERE race-group
}
kernel void right_tile(global uint *out, global uint *in, uint n)
{
    local uint t[16][8];
    uint i = get_local_id(0);
    t[i % 16][i / 16] = in[i];
    SYNC;
    out[get_global_id(0)] = t[i / 8][i % 8];
}
kernel void wrong_bytes_of_word(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    ((global uchar *)out)[i ^ 128] = n;
    if (i < 64)
        in[i] = out[i]; // HERE race-global
}
kernel void right_bytes_of_word(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    ((global uchar *)out)[i] = n;
    in[i] = ((global uchar *)out)[i];
}
kernel void wrong_atomic_and_store(global uint *out, global uint *in, uint n)
{
    local uint t[1];
    uint i = get_local_id(0);
    if (i == 127)
        t[0] = 0; // HERE race-group
    atomic_add(&t[0], i);
    SYNC;
    if (i == 0)
        out[get_group_id(0)] = t[0];
}
kernel void right_atomic_and_store(global uint *out, global uint *in, uint n)
{
    local uint t[1];
    uint i = get_local_id(0);
    if (i == 127)
        t[0] = 0;
    SYNC;
    atomic_add(&t[0], i);
    SYNC;
    if (i == 0)
        out[get_group_id(0)] = t[0];
}
// The first step adds what was stored before the barrier; all others are made by one wave.
kernel void wrong_reduction_by_one_wave(global uint *out, global uint *in, uint n)
{
    local uint t[128];
    uint i = get_local_id(0);
    t[i] = in[i];
    SYNC;
    for (uint k = 64; k > 0; k /= 2)
        if (i < k)
            t[i] += t[i + k]; // HERE race-group
    if (i == 0)
        out[get_group_id(0)] = t[0];
}
// Waves run in lockstep: the store of all has been executed before any work-item loads.
kernel void right_in_wave(global uint *out, global uint *in, uint n)
{
    local volatile uint t[128];
    uint i = get_local_id(0);
    t[i] = in[i];
    out[get_global_id(0)] = t[i ^ 63];
}
