// SPDX-License-Identifier: MIT
// The examples in OpenCL C, statement by statement, for bench/code_bench.sh, which counts instructions.
#pragma OPENCL FP_CONTRACT OFF
#define GROUP(d) __builtin_amdgcn_workgroup_id_##d()
#define ITEM(d)  __builtin_amdgcn_workitem_id_##d()
#define ID(d)    (GROUP(d) * __builtin_amdgcn_workgroup_size_##d() + ITEM(d))

static void meet(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

kernel void vector_copy(global const uint *in, global uint *out)
{
    out[ID(x)] = in[ID(x)];
}

kernel void vector_add(global const float *a, global const float *b, global float *out, uint count)
{
    uint i = ID(x);
    if (i < count)
        out[i] = a[i] + b[i];
}

kernel void mandelbrot(global uint *out, uint width, uint height, float x0, float y0, float step, uint limit)
{
    uint px = ID(x), py = ID(y), steps = 0;
    if (px >= width || py >= height)
        return;
    float cx = x0 + (float)px * step, cy = y0 + (float)py * step, x = 0, y = 0;
    while (steps < limit) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4)
            break;
        float xy = x * y;
        x = xx - yy + cx;
        y = xy + xy + cy;
        steps++;
    }
    out[py * width + px] = steps;
}

kernel __attribute__((reqd_work_group_size(256, 1, 1))) void histogram(global const uchar *in, uint count,
                                                                       global uint *bins)
{
    local uint counts[256];
    uint i = ITEM(x);
    counts[i] = 0;
    meet();
    for (ulong at = GROUP(x) * 256 + i; at < count; at += __builtin_amdgcn_grid_size_x())
        __opencl_atomic_fetch_add((local atomic_uint *)&counts[in[at]], 1, memory_order_relaxed,
                                  memory_scope_work_group);
    meet();
    if (counts[i])
        __opencl_atomic_fetch_add((global atomic_uint *)&bins[i], counts[i], memory_order_relaxed,
                                  memory_scope_device);
}

static uint combine(uint left, uint right)
{
    return left + right;
}

kernel __attribute__((reqd_work_group_size(256, 1, 1))) void reduce(global const uint *in, uint count,
                                                                    global uint *out)
{
    local uint node[256];
    uint i = ITEM(x), at = GROUP(x) * 256 + i;
    node[i] = at < count ? in[at] : 0;
    for (uint size = 128; size; size /= 2) {
        meet();
        if (i < size)
            node[i] = combine(node[i], node[i + size]);
    }
    if (i == 0)
        out[GROUP(x)] = node[0];
}

kernel __attribute__((reqd_work_group_size(16, 16, 1))) void transpose(global const uint *in, global uint *out,
                                                                       uint width, uint height)
{
    local uint tile[272];
    uint x = ITEM(x), y = ITEM(y), left = GROUP(x) * 16, top = GROUP(y) * 16;
    if (left + x < width && top + y < height)
        tile[y * 17 + x] = in[(top + y) * width + left + x];
    meet();
    if (top + x < height && left + y < width)
        out[(left + y) * height + top + x] = tile[x * 17 + y];
}
