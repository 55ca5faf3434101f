// SPDX-License-Identifier: MIT
// Accesses just outside of a kernel's memory, and the last ones inside. opencl.sh runs each kernel on a grid of 256 in
// groups of 128, with two buffers of 256 dwords, of which the second holds 0, 1, 2, ..., and n = 7. HERE marks the
// wrong line.
#define N 256

kernel void wrong_store_after(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    out[i + 1] = in[i]; // HERE memory-global
}
kernel void right_store_last(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    out[N - 1 - i] = in[i];
}
kernel void wrong_load_after(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    out[i] = in[i + n]; // HERE memory-global
}
kernel void right_load_wrapped(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    out[i] = in[(i + n) % N];
}
kernel void wrong_load_before(global uint *out, global uint *in, uint n)
{
    int i = get_global_id(0);
    out[i] = in[i - 1]; // HERE memory-global
}
kernel void right_load_clamped(global uint *out, global uint *in, uint n)
{
    int i = get_global_id(0);
    out[i] = in[i > 0 ? i - 1 : 0];
}
kernel void wrong_loop_end(global uint *out, global uint *in, uint n)
{
    uint sum = 0;
    if (get_global_id(0) == n)
        for (uint k = 0; k <= N; k++)
            sum += in[k]; // HERE memory-global
    out[get_global_id(0)] = sum;
}
kernel void right_loop_end(global uint *out, global uint *in, uint n)
{
    uint sum = 0;
    if (get_global_id(0) == n)
        for (uint k = 0; k < N; k++)
            sum += in[k];
    out[get_global_id(0)] = sum;
}
kernel void wrong_byte_after(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    global uchar *bytes = (global uchar *)out;
    bytes[i + 4 * N - (N - 1)] = in[i]; // HERE memory-global
}
kernel void right_byte_last(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    global uchar *bytes = (global uchar *)out;
    bytes[i + 4 * N - N] = in[i];
}
kernel void wrong_half_vector(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    if (i == n)
        *(global uint2 *)(out + N - 1) = (uint2)(i, n); // HERE memory-global
}
kernel void right_vector_last(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    if (i == n)
        *(global uint2 *)(out + N - 2) = (uint2)(i, n);
}
kernel void wrong_atomic_after(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    atomic_add(&out[in[i] % 8 + N - n], i); // HERE memory-global
}
kernel void right_atomic_last(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    atomic_add(&out[in[i] % 7 + N - n], i);
}
void put(global uint *at, uint value)
{
    *at = value; // HERE memory-global
}
kernel void wrong_in_function(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    put(out + 2 * i, in[i]);
}
kernel void right_in_function(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    put(out + (2 * i) % N + 2 * i / N, in[i]);
}
struct pair {
    uint first, second[3];
};
kernel void wrong_member(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    global struct pair *p = (global struct pair *)out;
    if (i <= N / 4)
        p[i].second[2] = in[i]; // HERE memory-global
}
kernel void right_member(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    global struct pair *p = (global struct pair *)out;
    if (i < N / 4)
        p[i].second[2] = in[i];
}
kernel void wrong_unsigned_wrap(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    out[i] = in[(ulong)(i - n)]; // HERE memory-global
}
kernel void right_unsigned_wrap(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    out[i] = in[(uchar)(i - n)];
}
kernel void wrong_rows_for_columns(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0), row = i / 8, column = i % 8;
    out[i] = in[column * 64 + row]; // HERE memory-global
}
kernel void right_rows_and_columns(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0), row = i / 8, column = i % 8;
    out[i] = in[column * 32 + row];
}
kernel void wrong_index_from_memory(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    out[i] = in[in[i] * 2]; // HERE memory-global
}
kernel void right_index_from_memory(global uint *out, global uint *in, uint n)
{
    uint i = get_global_id(0);
    out[i] = in[in[i] / 2];
}
kernel void wrong_local_after(global uint *out, global uint *in, uint n)
{
    local uint t[128];
    uint i = get_local_id(0);
    t[i + 1] = in[i]; // HERE memory-group
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[i];
}
kernel void right_local_last(global uint *out, global uint *in, uint n)
{
    local uint t[129];
    uint i = get_local_id(0);
    t[i + 1] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[i + 1];
}
kernel void wrong_local_load(global uint *out, global uint *in, uint n)
{
    local uint t[128];
    uint i = get_local_id(0);
    t[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[i + n]; // HERE memory-group
}
kernel void right_local_load(global uint *out, global uint *in, uint n)
{
    local uint t[128];
    uint i = get_local_id(0);
    t[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[(i + n) % 128];
}
kernel void wrong_local_before(global uint *out, global uint *in, uint n)
{
    local uint t[128];
    int i = get_local_id(0);
    t[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[i - 1]; // HERE memory-group
}
kernel void right_local_before(global uint *out, global uint *in, uint n)
{
    local uint t[128];
    int i = get_local_id(0);
    t[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = i ? t[i - 1] : 0;
}
kernel void wrong_local_atomic(global uint *out, global uint *in, uint n)
{
    local uint bins[8];
    uint i = get_local_id(0);
    if (i < 8)
        bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[in[i] % 9]); // HERE memory-group
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 8)
        out[i + 8 * get_group_id(0)] = bins[i];
}
kernel void right_local_atomic(global uint *out, global uint *in, uint n)
{
    local uint bins[8];
    uint i = get_local_id(0);
    if (i < 8)
        bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[in[i] % 8]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 8)
        out[i + 8 * get_group_id(0)] = bins[i];
}
kernel void wrong_private_far(global uint *out, global uint *in, uint n)
{
    uint p[8];
    uint i = get_global_id(0);
    p[i % 8] = in[i];
    p[n << 20] = i; // HERE memory-private
    out[i] = p[i % 8];
}
kernel void right_private(global uint *out, global uint *in, uint n)
{
    uint p[8];
    uint i = get_global_id(0);
    p[i % 8] = in[i];
    p[n] = i;
    out[i] = p[i % 8];
}
// Inside the private memory of the work-item, but outside of the array.
kernel void wrong_private_near(global uint *out, global uint *in, uint n)
{
    uint p[8];
    uint i = get_global_id(0);
    p[i % 8] = in[i];
    p[n + 1] = i; // HERE memory-private
    out[i] = p[i % 8];
}
// Inside the group memory of the kernel, but outside of the array.
kernel void wrong_other_array(global uint *out, global uint *in, uint n)
{
    local uint s[128], t[128];
    uint i = get_local_id(0);
    s[i] = in[i];
    t[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[i + n] + t[i]; // HERE memory-group
}
