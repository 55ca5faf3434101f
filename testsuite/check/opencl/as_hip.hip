/* SPDX-License-Identifier: MIT */
/* Makes HIP of the corpus in OpenCL C: its words, types and functions as C++ for clang without ROCm's headers.
 * Input: clang's builtins for amdgcn. Output: macros and inline functions. Invariant: none of the functions has line
 * numbers of its own, so that reports name the line that calls them. */
#define INLINE static inline __attribute__((__device__, always_inline, nodebug))
#define device __attribute__((__device__)) /* hip_corpus.sh puts it before functions that are no kernels */
#define kernel extern "C" __attribute__((__global__))
#define global
#define local __attribute__((shared))

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned uint;
typedef unsigned long ulong;
typedef uint uint2 __attribute__((ext_vector_type(2)));
typedef uint uint4 __attribute__((ext_vector_type(4)));

INLINE uint local_id() { return __builtin_amdgcn_workitem_id_x(); }
INLINE uint group_id() { return __builtin_amdgcn_workgroup_id_x(); }
INLINE uint global_id() { return group_id() * __builtin_amdgcn_workgroup_size_x() + local_id(); }
INLINE void order()
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
INLINE uint fetch_add(volatile uint *at, uint by)
{
    return __hip_atomic_fetch_add(at, by, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

#define get_local_id(dimension) local_id()
#define get_group_id(dimension) group_id()
#define get_global_id(dimension) global_id()
#define barrier(flags) order()
#define atomic_add(at, by) fetch_add(at, by)
#define atomic_inc(at) fetch_add(at, 1)
