// SPDX-License-Identifier: MIT
// Kernels that bench/opencl_bench.c runs on the software GPU and on another implementation of OpenCL for processors.
// Work-groups have 256 work-items. The macros stand for what comes with an implementation's library.
#ifdef __AMDGCN__
#define LOCAL  __builtin_amdgcn_workitem_id_x()
#define GROUP  __builtin_amdgcn_workgroup_id_x()
#define ID     (GROUP * 256 + LOCAL)
#define RSQ(x) __builtin_amdgcn_rsqf(x)
#define SYNC()                                             \
    do {                                                   \
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
        __builtin_amdgcn_s_barrier();                      \
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
    } while (0)
#else
#define LOCAL  ((uint)get_local_id(0))
#define GROUP  ((uint)get_group_id(0))
#define ID     ((uint)get_global_id(0))
#define RSQ(x) rsqrt(x)
#define SYNC() barrier(CLK_LOCAL_MEM_FENCE)
#endif
#define KERNEL kernel __attribute__((reqd_work_group_size(256, 1, 1))) void

KERNEL fma_loop(global float *out, global const float *in, uint n)
{
    float a = in[ID], b = a + 1, c = a * 0.5f, d = 0.25f;
    for (uint i = 0; i < n; i++) {
        a = __builtin_fmaf(a, 0.999f, 0.5f);
        b = __builtin_fmaf(b, 0.998f, a);
        c = __builtin_fmaf(c, 0.997f, b);
        d = __builtin_fmaf(d, 0.996f, 0.125f);
    }
    out[ID] = a + b + c + d;
}

KERNEL mandelbrot(global float *out, global const float *in, uint n)
{
    float x0 = (float)(ID % 512) * (3.0f / 512) - 2, y0 = (float)(ID / 512) * (2.0f / 256) - 1, x = 0, y = 0;
    uint i = 0;
    while (i < n && x * x + y * y < 4) {
        float t = x * x - y * y + x0;
        y = 2 * x * y + y0;
        x = t;
        i++;
    }
    out[ID] = (float)i;
}

KERNEL nbody(global float *out, global const float *in, uint n)
{
    global const float4 *body = (global const float4 *)in;
    float4 me = body[ID];
    float ax = 0, ay = 0, az = 0;
    for (uint i = 0; i < n; i++) {
        float4 other = body[i];
        float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
        float r = RSQ(dx * dx + dy * dy + dz * dz + 0.01f);
        float f = other.w * r * r * r;
        ax = __builtin_fmaf(dx, f, ax);
        ay = __builtin_fmaf(dy, f, ay);
        az = __builtin_fmaf(dz, f, az);
    }
    out[ID] = ax + ay + az;
}

KERNEL matmul(global float *out, global const float *in, uint n)
{
    local float a[16][16], b[16][16];
    uint x = LOCAL % 16, y = LOCAL / 16, tiles = n / 16;
    uint row = GROUP / tiles * 16 + y, column = GROUP % tiles * 16 + x;
    float sum = 0;
    for (uint tile = 0; tile < n; tile += 16) {
        a[y][x] = in[row * n + tile + x];
        b[y][x] = in[(tile + y) * n + column];
        SYNC();
        for (uint k = 0; k < 16; k++)
            sum = __builtin_fmaf(a[y][k], b[k][x], sum);
        SYNC();
    }
    out[row * n + column] = sum;
}

KERNEL vector_add(global float *out, global const float *in, uint n)
{
    out[ID] = in[ID] + in[ID + n];
}
