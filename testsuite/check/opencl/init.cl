// SPDX-License-Identifier: MIT
// Values that were never written and decide something, and others that are only copied or masked. Run like memory.cl,
// -O0.
#define SYNC barrier(CLK_LOCAL_MEM_FENCE)

kernel void wrong_variable(global uint *out, global uint *in, uint n)
{
    uint x;
    out[get_global_id(0)] = x; // HERE init-store
}
kernel void right_variable(global uint *out, global uint *in, uint n)
{
    uint x = n;
    out[get_global_id(0)] = x;
}
kernel void wrong_sum(global uint *out, global uint *in, uint n)
{
    uint sum;
    for (uint k = 0; k < n; k++)
        sum += in[k];
    out[get_global_id(0)] = sum; // HERE init-store
}
kernel void right_sum(global uint *out, global uint *in, uint n)
{
    uint sum = 0;
    for (uint k = 0; k < n; k++)
        sum += in[k];
    out[get_global_id(0)] = sum;
}
kernel void wrong_one_path(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0), x;
    if (i != 99)
        x = in[i];
    out[i] = x; // HERE init-store
}
kernel void right_both_paths(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0), x;
    if (i != 99)
        x = in[i];
    else
        x = n;
    out[i] = x;
}
kernel void wrong_branch(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0), x;
    if (i < 7)
        x = n;
    if (x > 3) // HERE init-branch
        out[i] = n;
}
kernel void right_branch(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0), x;
    if (i < 7)
        x = n;
    if (i < 7 && x > 3)
        out[i] = n;
}
kernel void wrong_index(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0), x;
    if (i != 5)
        x = i;
    out[i] = in[x & 15]; // HERE init-address
}
kernel void right_index(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0), x;
    if (i != 5)
        x = i;
    out[i] = in[(x & 0) + i];
}
kernel void wrong_array(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0), p[8];
    for (uint k = 0; k < n; k++)
        p[k] = in[k];
    out[i] = p[i % 8]; // HERE init-store
}
kernel void right_array(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0), p[8];
    for (uint k = 0; k < n; k++)
        p[k] = in[k];
    out[i] = p[i % 7];
}
kernel void wrong_local(global uint *out, global uint *in, uint n)
{
    local uint t[128];
    uint i = get_local_id(0);
    if (i != n)
        t[i] = in[i];
    SYNC;
    out[get_global_id(0)] = t[127 - i]; // HERE init-store
}
kernel void right_local(global uint *out, global uint *in, uint n)
{
    local uint t[128];
    uint i = get_local_id(0);
    t[i] = i != n ? in[i] : 0;
    SYNC;
    out[get_global_id(0)] = t[127 - i];
}
kernel void wrong_local_counter(global uint *out, global uint *in, uint n)
{
    local uint count;
    atomic_inc(&count);
    SYNC;
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = count; // HERE init-store
}
kernel void right_local_counter(global uint *out, global uint *in, uint n)
{
    local uint count;
    if (get_local_id(0) == 0)
        count = 0;
    SYNC;
    atomic_inc(&count);
    SYNC;
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = count;
}
struct two {
    uint first, second;
};
kernel void wrong_member(global uint *out, global uint *in, uint n)
{
    struct two x;
    x.first = n;
    out[get_global_id(0)] = x.first + x.second; // HERE init-store
}
kernel void right_member(global uint *out, global uint *in, uint n)
{
    struct two x, y;
    x.first = n;
    y = x;
    out[get_global_id(0)] = y.first;
}
kernel void wrong_bytes(global uint *out, global uint *in, uint n)
{
    union {
        uchar byte[4];
        uint word;
    } x;
    x.byte[0] = x.byte[1] = x.byte[3] = n;
    out[get_global_id(0)] = x.word; // HERE init-store
}
kernel void right_bytes(global uint *out, global uint *in, uint n)
{
    union {
        uchar byte[4];
        uint word;
    } x;
    x.byte[0] = x.byte[1] = x.byte[3] = n;
    out[get_global_id(0)] = x.word & 0xff00ffff;
}
kernel void wrong_vector(global uint *out, global uint *in, uint n)
{
    uint4 x;
    x.x = n;
    x.z = n;
    out[get_global_id(0)] = x.z + x.w; // HERE init-store
}
kernel void right_vector(global uint *out, global uint *in, uint n)
{
    uint4 x;
    x.x = n;
    x.z = n;
    out[get_global_id(0)] = x.z + x.x;
}
void give(uint i, uint *to)
{
    if (i % 2)
        *to = i;
}
kernel void wrong_from_function(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0), x;
    give(i, &x);
    out[i] = x; // HERE init-store
}
kernel void right_from_function(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0), x;
    give(i | 1, &x);
    out[i] = x;
}
kernel void wrong_loop(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0), k;
    if (i % 2)
        k = 1;
    while (k < n) // HERE init-branch
        k = k * 2 + 1;
    out[i] = n;
}
kernel void right_loop(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0), k = 0;
    if (i % 2)
        k = 1;
    while (k < n)
        k = k * 2 + 1;
    out[i] = n;
}
kernel void wrong_copy(global uint *out, global uint *in, uint n)
{
    local uint t[128];
    uint i = get_local_id(0), x, y;
    y = x;
    t[i] = y;
    SYNC;
    out[get_global_id(0)] = t[127 - i]; // HERE init-store
}
kernel void right_copy(global uint *out, global uint *in, uint n)
{
    local uint t[128];
    uint i = get_local_id(0), x, y;
    y = x;
    t[i] = y;
    t[i] = n;
    SYNC;
    out[get_global_id(0)] = t[127 - i];
}
