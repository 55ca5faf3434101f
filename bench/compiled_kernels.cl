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
