/* SPDX-License-Identifier: MIT */
/* The functions of OpenCL C that the corpus uses, for clang without a library: one-dimensional grids, 32-bit atomics.
 * Input: clang's builtins for amdgcn. Output: inline functions. Invariant: none of them has line numbers of its own, so
 * that reports name the line that calls them. */
#define INLINE static inline __attribute__((always_inline, nodebug, overloadable))

INLINE size_t local_id(void)
{
    return __builtin_amdgcn_workitem_id_x();
}
INLINE size_t local_size(void)
{
    return __builtin_amdgcn_workgroup_size_x();
}
INLINE size_t group_id(void)
{
    return __builtin_amdgcn_workgroup_id_x();
}
INLINE size_t global_id(void)
{
    return group_id() * local_size() + local_id();
}
INLINE size_t global_size(void)
{
    return __builtin_amdgcn_grid_size_x();
}
INLINE void order(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#define ATOMICS(SPACE)                                                                                                 \
    INLINE uint fetch_add(volatile SPACE uint *at, uint by)                                                            \
    {                                                                                                                  \
        return __opencl_atomic_fetch_add((volatile SPACE atomic_uint *)at, by, __ATOMIC_RELAXED,                       \
                                         __OPENCL_MEMORY_SCOPE_DEVICE);                                                \
    }                                                                                                                  \
    INLINE uint fetch_or(volatile SPACE uint *at, uint by)                                                             \
    {                                                                                                                  \
        return __opencl_atomic_fetch_or((volatile SPACE atomic_uint *)at, by, __ATOMIC_RELAXED,                        \
                                        __OPENCL_MEMORY_SCOPE_DEVICE);                                                 \
    }                                                                                                                  \
    INLINE uint fetch_max(volatile SPACE uint *at, uint by)                                                            \
    {                                                                                                                  \
        return __opencl_atomic_fetch_max((volatile SPACE atomic_uint *)at, by, __ATOMIC_RELAXED,                       \
                                         __OPENCL_MEMORY_SCOPE_DEVICE);                                                \
    }
ATOMICS(__global)
ATOMICS(__local)

#define get_local_id(dimension) local_id()
#define get_local_size(dimension) local_size()
#define get_group_id(dimension) group_id()
#define get_global_id(dimension) global_id()
#define get_global_size(dimension) global_size()
#define barrier(flags) order()
#define atomic_add(at, by) fetch_add(at, by)
#define atomic_inc(at) fetch_add(at, 1)
#define atomic_or(at, by) fetch_or(at, by)
#define atomic_max(at, by) fetch_max(at, by)
