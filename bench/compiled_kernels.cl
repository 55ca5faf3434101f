// SPDX-License-Identifier: MIT
// Kernels whose hot loops bench/compiled_bench.c runs interpreted and compiled. Work-groups have 256 work-items.
#define ID    (__builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x())
#define LOCAL __builtin_amdgcn_workitem_id_x()

kernel void alu(global float *out, global const float *in, uint n)
{
    float a = in[ID], b = a, c = 0.5f;
    uint x = ID;
    for (uint i = 0; i < n; i++) {
        a = __builtin_fmaf(a, 0.999f, c);
        b = __builtin_fmaf(b, 1.001f, a);
        x = x * 1664525u + 1013904223u;
        x ^= x >> 7;
        c = b - a;
    }
    out[ID] = a + b + (float)x;
}

kernel void mandel(global uint *out, global const float *in, uint n)
{
    float x0 = (float)(ID % 256) * (3.0f / 256) - 2, y0 = (float)(ID / 256 % 256) * (2.0f / 256) - 1, x = 0, y = 0;
    uint i = 0;
    while (i < n && x * x + y * y < 4) {
        float t = x * x - y * y + x0;
        y = 2 * x * y + y0;
        x = t;
        i++;
    }
    out[ID] = i;
}

kernel void nbody(global float *out, global const float4 *in, uint n)
{
    float4 me = in[ID];
    float ax = 0, ay = 0, az = 0;
    for (uint i = 0; i < n; i++) {
        float4 other = in[i];
        float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
        float r = __builtin_amdgcn_rsqf(dx * dx + dy * dy + dz * dz + 0.01f);
        float f = other.w * r * r * r;
        ax = __builtin_fmaf(dx, f, ax);
        ay = __builtin_fmaf(dy, f, ay);
        az = __builtin_fmaf(dz, f, az);
    }
    out[ID] = ax + ay + az;
}

kernel void matmul(global float *out, global const float *in, uint n)
{
    local float a[16][16], b[16][16];
    uint x = LOCAL % 16, y = LOCAL / 16, group = __builtin_amdgcn_workgroup_id_x(), tiles = n / 16;
    uint row = group / tiles % tiles * 16 + y, column = group % tiles * 16 + x;
    float sum = 0;
    for (uint tile = 0; tile < n; tile += 16) {
        a[y][x] = in[row * n + tile + x];
        b[y][x] = in[(tile + y) * n + column];
        __builtin_amdgcn_s_barrier();
        for (uint k = 0; k < 16; k++)
            sum = __builtin_fmaf(a[y][k], b[k][x], sum);
        __builtin_amdgcn_s_barrier();
    }
    out[ID] = sum;
}

kernel void rounds(global uint *out, global const uint *in, uint n) // as in SHA-256
{
    uint a = in[ID], b = a + 1, c = a + 2, d = a + 3, e = a + 4, f = a + 5, g = a + 6, h = a + 7;
    for (uint i = 0; i < n; i++) {
        uint s1 = (e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7), choose = (e & f) ^ (~e & g);
        uint t1 = h + s1 + choose + i * 0x428a2f98u;
        uint s0 = (a >> 2 | a << 30) ^ (a >> 13 | a << 19) ^ (a >> 22 | a << 10), most = (a & b) ^ (a & c) ^ (b & c);
        h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + s0 + most;
    }
    out[ID] = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
}

kernel void diverge(global uint *out, global const uint *in, uint n)
{
    uint x = ID + 1, steps = 0;
    while (x != 1 && steps < n) {
        if (x & 1)
            x = 3 * x + 1;
        else
            x >>= 1;
        steps++;
    }
    out[ID] = steps;
}

kernel void doubles(global double *out, global const float *in, uint n)
{
    double a = in[ID], b = 0.25;
    for (uint i = 0; i < n; i++) {
        a = __builtin_fma(a, 0.999, b);
        b = b * 1.0001 + a;
        a = a - b * 0.5;
    }
    out[ID] = a + b;
}

kernel void vadd(global float *out, global const float *in, uint n)
{
    for (uint i = 0; i < n; i++)
        out[ID + i * 4096] = in[ID + i * 4096] + in[ID + i * 4096 + 1024];
}

// Streams and memory in other orders

kernel void saxpy(global float *out, global const float *in, uint n)
{
    for (uint i = 0; i < n; i++)
        out[ID + i * 4096] = __builtin_fmaf(2.5f, in[ID + i * 4096], out[ID + i * 4096]);
}

kernel void bytes(global uchar *out, global const uchar *in, uint n)
{
    for (uint i = 0; i < n; i++)
        out[ID + i * 4096] = (uchar)(in[ID + i * 4096] + 3 * in[ID + i * 4096 + 1]);
}

kernel void shorts(global short *out, global const short *in, uint n)
{
    for (uint i = 0; i < n; i++)
        out[ID + i * 4096] = (short)(in[ID + i * 4096] * 5 - in[ID + i * 4096 + 64]);
}

kernel void wide(global float4 *out, global const float4 *in, uint n)
{
    for (uint i = 0; i < n; i++)
        out[ID + i * 4096] = in[ID + i * 4096] * 0.5f + in[ID + i * 4096 + 64];
}

kernel void gather(global uint *out, global const uint *in, uint n)
{
    uint x = ID, sum = 0;
    for (uint i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        sum += in[x >> 13];
    }
    out[ID] = sum;
}

kernel void scatter(global uint *out, global const uint *in, uint n)
{
    for (uint i = 0; i < n; i++)
        out[(ID * 29 & 4095) + i * 4096] = in[ID + i * 4096] + i;
}

kernel void stencil(global float *out, global const float *in, uint n)
{
    for (uint i = 1; i <= n; i++) {
        uint at = ID + i * 4096 + 1;
        out[at] = 0.2f * (in[at] + in[at - 1] + in[at + 1] + in[at - 4096] + in[at + 4096]);
    }
}

kernel void matvec(global float *out, global const float4 *in, uint n)
{
    float sum = 0;
    for (uint i = 0; i < n; i++) {
        float4 a = in[ID * 16 + i % 16], x = in[i];
        sum += a.x * x.x + a.y * x.y + a.z * x.z + a.w * x.w;
    }
    out[ID] = sum;
}

kernel void search(global uint *out, global const uchar *in, uint n)
{
    uint found = 0;
    for (uint i = 0; i < n; i++)
        if (in[ID + i] == 'a' && in[ID + i + 1] > 'b')
            found++;
    out[ID] = found;
}

// Group memory

kernel void reduce(global float *out, global const float *in, uint n)
{
    local float part[256];
    float sum = 0;
    for (uint i = 0; i < n; i++) {
        part[LOCAL] = in[ID + i];
        for (uint step = 128; step; step /= 2) {
            __builtin_amdgcn_s_barrier();
            if (LOCAL < step)
                part[LOCAL] += part[LOCAL + step];
        }
        __builtin_amdgcn_s_barrier();
        sum += part[0];
    }
    out[ID] = sum;
}

kernel void scan(global uint *out, global const uint *in, uint n)
{
    local uint part[256];
    uint sum = 0;
    for (uint i = 0; i < n; i++) {
        uint x = in[ID + i] & 255;
        part[LOCAL] = x;
        for (uint step = 1; step < 256; step *= 2) {
            __builtin_amdgcn_s_barrier();
            uint y = LOCAL >= step ? part[LOCAL - step] : 0;
            __builtin_amdgcn_s_barrier();
            part[LOCAL] = x += y;
        }
        sum += x;
        __builtin_amdgcn_s_barrier();
    }
    out[ID] = sum;
}

kernel void bitonic(global uint *out, global const uint *in, uint n)
{
    local uint part[256];
    part[LOCAL] = in[ID];
    for (uint round = 0; round < n; round++)
        for (uint size = 2; size <= 256; size *= 2)
            for (uint step = size / 2; step; step /= 2) {
                __builtin_amdgcn_s_barrier();
                uint other = LOCAL ^ step, a = part[LOCAL], b = part[other];
                bool up = !(LOCAL & size), first = LOCAL < other;
                __builtin_amdgcn_s_barrier();
                part[LOCAL] = (a < b) == (up == first) ? a : b;
            }
    out[ID] = part[LOCAL];
}

kernel void transpose(global float *out, global const float *in, uint n)
{
    local float tile[16][17];
    uint x = LOCAL % 16, y = LOCAL / 16;
    for (uint i = 0; i < n; i++) {
        tile[y][x] = in[ID + i * 4096];
        __builtin_amdgcn_s_barrier();
        out[ID + i * 4096] = tile[x][y];
        __builtin_amdgcn_s_barrier();
    }
}

kernel void histogram(global uint *out, global const uint *in, uint n)
{
    local uint bins[256];
    bins[LOCAL] = 0;
    __builtin_amdgcn_s_barrier();
    for (uint i = 0; i < n; i++)
        __opencl_atomic_fetch_add((local atomic_uint *)&bins[in[ID + i] >> 8 & 255], 1, memory_order_relaxed,
                                  memory_scope_work_group);
    __builtin_amdgcn_s_barrier();
    out[ID] = bins[LOCAL];
}

kernel void table(global uint *out, global const uint *in, uint n) // as AES or a CRC have it
{
    local uint box[256];
    uint x = ID;
    box[LOCAL] = in[LOCAL] ^ LOCAL;
    __builtin_amdgcn_s_barrier();
    for (uint i = 0; i < n; i++)
        x = box[x & 255] ^ x >> 8 ^ i;
    out[ID] = x;
}

kernel void exchange(global uint *out, global const uint *in, uint n)
{
    uint x = in[ID];
    for (uint i = 0; i < n; i++)
        for (uint step = 1; step < 64; step *= 2)
            x += (uint)__builtin_amdgcn_ds_bpermute((int)((LOCAL ^ step) * 4), (int)x) >> 1;
    out[ID] = x;
}

// A scan in a wave, and a maximum that all of its lanes get, as libraries for HIP have them
#define MOVED(x, control, rows) (uint)__builtin_amdgcn_update_dpp(0, (int)(x), control, rows, 15, false)

kernel void wave_scan(global uint *out, global const uint *in, uint n)
{
    uint x = in[ID], sum = 0;
    for (uint i = 0; i < n; i++) {
        uint y = x + i;
        y += MOVED(y, 0x111, 15); // row_shr:1, 2, 4, 8
        y += MOVED(y, 0x112, 15);
        y += MOVED(y, 0x114, 15);
        y += MOVED(y, 0x118, 15);
        y += MOVED(y, 0x142, 10); // row_bcast:15, :31
        y += MOVED(y, 0x143, 12);
        sum ^= y;
        x = x * 1664525u + 1013904223u;
    }
    out[ID] = sum;
}

kernel void wave_max(global uint *out, global const uint *in, uint n)
{
    uint x = in[ID], sum = 0;
    for (uint i = 0; i < n; i++) {
        uint y = x, z;
        z = MOVED(y, 0xb1, 15), y = z > y ? z : y; // neighbours, pairs, halves and rows
        z = MOVED(y, 0x4e, 15), y = z > y ? z : y;
        z = MOVED(y, 0x141, 15), y = z > y ? z : y;
        z = MOVED(y, 0x140, 15), y = z > y ? z : y;
        z = (uint)__builtin_amdgcn_ds_swizzle((int)y, 0x401f), y = z > y ? z : y;
        z = (uint)__builtin_amdgcn_ds_bpermute((int)((LOCAL ^ 32) * 4), (int)y), y = z > y ? z : y;
        sum ^= y;
        x = x * 1664525u + 1013904223u;
    }
    out[ID] = sum;
}

kernel void compact(global uint *out, global const uint *in, uint n) // keeps the values that are chosen, in their order
{
    local uint part[256];
    uint x = in[ID], sum = 0;
    part[LOCAL] = 0;
    for (uint i = 0; i < n; i++) {
        ulong chosen = __builtin_amdgcn_uicmp(x >> 30, 1, 33); // not equal
        uint place = __builtin_amdgcn_mbcnt_hi((uint)(chosen >> 32), __builtin_amdgcn_mbcnt_lo((uint)chosen, 0));
        if (x >> 30 != 1)
            part[(LOCAL & 192) + place] = x;
        sum += part[LOCAL];
        x = x * 1664525u + 1013904223u;
    }
    out[ID] = sum;
}

kernel void counter(global uint *out, global const uint *in, uint n)
{
    uint last = 0;
    for (uint i = 0; i < n; i++)
        last |= __opencl_atomic_fetch_add((global atomic_uint *)out, in[i] & 1, memory_order_relaxed,
                                          memory_scope_device) == 0xffffffffu;
    out[ID + 64] = last;
}

// Arithmetic of other kinds

kernel void long_multiply(global ulong *out, global const ulong *in, uint n)
{
    ulong x = in[ID], y = ID | 1;
    for (uint i = 0; i < n; i++) {
        x = x * y + (x >> 29);
        y ^= x << 3;
    }
    out[ID] = x + y;
}

kernel void high_multiply(global uint *out, global const uint *in, uint n)
{
    uint x = in[ID] | 1, y = ID + 3;
    for (uint i = 0; i < n; i++) {
        x += (uint)((ulong)x * y >> 32) + 77;
        y ^= x * 2654435761u;
    }
    out[ID] = x + y;
}

kernel void divide(global uint *out, global const uint *in, uint n)
{
    uint x = in[ID], sum = 0;
    for (uint i = 1; i <= n; i++) {
        sum += x / (i + ID) + x % (i * 3);
        x += sum;
    }
    out[ID] = sum;
}

kernel void bits(global uint *out, global const uint *in, uint n)
{
    uint x = in[ID], sum = 0;
    for (uint i = 0; i < n; i++) {
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        sum += (uint)__builtin_popcount(x) + (uint)__builtin_clz(x | 1) + (x >> (x & 7) & 255);
    }
    out[ID] = sum;
}

kernel void roots(global float *out, global const float *in, uint n)
{
    float x = in[ID] + 1;
    for (uint i = 0; i < n; i++)
        x = __builtin_amdgcn_sqrtf(x) + 3.0f / (x + 1) + __builtin_amdgcn_rcpf(x + 2);
    out[ID] = x;
}

kernel void waves(global float *out, global const float *in, uint n)
{
    float x = in[ID], sum = 0;
    for (uint i = 0; i < n; i++) {
        sum += __builtin_amdgcn_sinf(x) + __builtin_amdgcn_exp2f(-x) + __builtin_amdgcn_logf(x + 1);
        x += 0.01f;
    }
    out[ID] = sum;
}

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void halves(global half *out, global const half *in, uint n)
{
    half2 x = {in[ID], in[ID + 1]}, y = {(half)0.5f, (half)0.25f};
    for (uint i = 0; i < n; i++) {
        x = x * y + (half2)((half)0.125f);
        y = y - x * (half)0.0625f;
    }
    out[ID] = x.x + y.y;
}

kernel void choose(global uint *out, global const uint *in, uint n) // a machine with a program per work-item
{
    uint x = in[ID], a = ID;
    for (uint i = 0; i < n; i++) {
        switch ((x >> (i & 15)) & 3) {
        case 0: a += x; break;
        case 1: a = a * 3 + 1; break;
        case 2: a ^= a >> 5; break;
        default: a -= i; break;
        }
    }
    out[ID] = a;
}

kernel void nested(global uint *out, global const uint *in, uint n)
{
    uint sum = 0;
    for (uint i = 2; i < n; i++) { // counts primes, each work-item from a start of its own
        uint x = i + (ID & 63), prime = 1;
        for (uint k = 2; k * k <= x; k++)
            if (x - x / 7 * 7 == k % 7 && !(x & k)) {
                prime = 0;
                break;
            }
        sum += prime;
    }
    out[ID] = sum;
}

kernel void spill(global uint *out, global const uint *in, uint n)
{
    uint stack[32], sum = 0;
    for (uint i = 0; i < 32; i++)
        stack[i] = in[ID + i];
    for (uint i = 0; i < n; i++) {
        uint k = (sum + i) & 31;
        stack[k] += sum + i;
        sum += stack[(k * 5 + ID) & 31];
    }
    out[ID] = sum;
}
