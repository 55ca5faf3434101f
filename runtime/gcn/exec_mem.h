/* SPDX-License-Identifier: MIT */
/* Access to guest memory, whose addresses are host addresses.
 *
 * Every element moves in one host instruction of its size, so that an aligned one is never seen torn by
 * another thread (a relaxed atomic, without its demand for alignment: the machine allows any address).
 * Addresses that cannot be a user's, the null page and everything from 2^47 up, must be refused with
 * mem_is_host() first; what is left either works or raises SIGSEGV or SIGBUS with the address. */
#ifndef GCN_EXEC_MEM_H
#define GCN_EXEC_MEM_H

#include <stdbool.h>
#include <stdint.h>

#define MEM_LOWEST UINT64_C(0x1000)
#define MEM_LIMIT (UINT64_C(1) << 47)

/* Whether [ADDRESS, ADDRESS + SIZE) can be host memory; SIZE is below MEM_LOWEST. */
static inline bool mem_is_host(uint64_t address, uint64_t size)
{
    return address - MEM_LOWEST <= MEM_LIMIT - MEM_LOWEST - size;
}

#define MEM_ACCESSORS(bits)                                                                             \
    typedef uint##bits##_t __attribute__((aligned(1), may_alias)) mem_u##bits;                         \
    static inline uint##bits##_t mem_load##bits(uint64_t address)                                      \
    {                                                                                                   \
        return *(const volatile mem_u##bits *)(uintptr_t)address;                                      \
    }                                                                                                   \
    static inline void mem_store##bits(uint64_t address, uint##bits##_t value)                         \
    {                                                                                                   \
        *(volatile mem_u##bits *)(uintptr_t)address = value;                                           \
    }
MEM_ACCESSORS(8)
MEM_ACCESSORS(16)
MEM_ACCESSORS(32)
MEM_ACCESSORS(64)
#undef MEM_ACCESSORS

#endif
