/* SPDX-License-Identifier: MIT */
/* Access to guest memory, whose addresses are host addresses.
 *
 * Every element moves in one host instruction of its size, so that an aligned one is never seen torn by
 * another thread (a relaxed atomic, without its demand for alignment: the machine allows any address).
 * No process has addresses from 2^47 up, and a fault there would not name the address, so they must be refused by
 * mem_is_host() first. All others either work or raise SIGSEGV or SIGBUS with the address. */
#ifndef RUNTIME_GCN_EXEC_MEM_H
#define RUNTIME_GCN_EXEC_MEM_H

#include <stdbool.h>
#include <stdint.h>

/* The new value of the register of a narrow load, made of its old value D and the zero-extended element M. */
typedef uint32_t gcn_convert(uint32_t d, uint32_t m);

#define MEM_LIMIT (UINT64_C(1) << 47)

/* Whether [ADDRESS, ADDRESS + SIZE) can be host memory. */
static inline bool mem_is_host(uint64_t address, uint64_t size)
{
    return address <= MEM_LIMIT - size;
}

/* The guest chooses the address; if it is null, also as an argument of memcpy(), the host's page tables refuse it. */
#define MEM_GUEST __attribute__((no_sanitize("null", "alignment", "nonnull-attribute")))

#ifdef __SANITIZE_THREAD__
#define MEM_GET(bits, p) \
    ((uintptr_t)(p) % (bits / 8) ? *(p) : __atomic_load_n((const uint##bits##_t *)(p), __ATOMIC_RELAXED))
#define MEM_PUT(bits, p, value)                                                     \
    do {                                                                            \
        if ((uintptr_t)(p) % (bits / 8))                                            \
            *(p) = (value);                                                         \
        else                                                                        \
            __atomic_store_n((uint##bits##_t *)(p), (value), __ATOMIC_RELAXED);     \
    } while (0)
#else
#define MEM_GET(bits, p) (*(const volatile mem_u##bits *)(p))
#define MEM_PUT(bits, p, value) (*(volatile mem_u##bits *)(p) = (value))
#endif

#define MEM_ACCESSORS(bits)                                                                             \
    typedef uint##bits##_t __attribute__((aligned(1), may_alias)) mem_u##bits;                         \
    MEM_GUEST static inline uint##bits##_t mem_load##bits(uint64_t address)                            \
    {                                                                                                   \
        const mem_u##bits *p = (const mem_u##bits *)(uintptr_t)address;                                 \
        return MEM_GET(bits, p);                                                                        \
    }                                                                                                   \
    MEM_GUEST static inline void mem_store##bits(uint64_t address, uint##bits##_t value)               \
    {                                                                                                   \
        mem_u##bits *p = (mem_u##bits *)(uintptr_t)address;                                             \
        MEM_PUT(bits, p, value);                                                                        \
    }
MEM_ACCESSORS(8)
MEM_ACCESSORS(16)
MEM_ACCESSORS(32)
MEM_ACCESSORS(64)
#undef MEM_ACCESSORS

#endif
