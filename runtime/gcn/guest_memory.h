/* SPDX-License-Identifier: MIT */
/* The memory that kernels of a guarded agent may touch.
 *
 * A map that counts, for each page, the ranges that it is part of. Waves remember some parts of it that they have
 * looked up, as most accesses are near earlier ones. Without a map a kernel may touch whatever the process may. */
#ifndef RUNTIME_GCN_GUEST_MEMORY_H
#define RUNTIME_GCN_GUEST_MEMORY_H

#include "runtime/gcn/exec/exec.h"
#include "runtime/gcn/exec/exec_mem.h"

struct guest_memory;
enum { GUEST_GENERATION = 0 }; /* where a map has its generation; compiled code compares that with the wave's */

struct guest_memory *guest_memory_new(void); /* NULL if memory has run out */
void guest_memory_free(struct guest_memory *map);

/* Adds the pages of SIZE bytes at ADDRESS, and takes away those of a range added at ADDRESS, if there is one. MAP may
 * be NULL: then nothing is done. Thread-safe. If memory has run out, adding changes nothing and returns false. */
bool guest_memory_add(struct guest_memory *map, const void *address, uint64_t size);
void guest_memory_remove(struct guest_memory *map, const void *address);

/* What W, which must have a map, remembers of it that has all SIZE bytes at ADDRESS; NULL: it may have to look. */
const struct gcn_window *guest_memory_window(const struct gcn_wave *w, uint64_t address, uint64_t size);

/* Whether SIZE bytes at the address of each lane are in WINDOW, which has as many. The sign of a difference tells: no
 * address of host memory is as far from another. */
static inline bool guest_window_has(const struct gcn_window *window, const uint64_t *address, uint64_t size)
{
    uint64_t low = window->low, most = window->size - size, beyond = 0;
    for (unsigned i = 0; i < GCN_LANES; i++)
        beyond |= (address[i] - low) | (most - (address[i] - low));
    return !(beyond >> 63);
}

/* Whether all SIZE bytes at ADDRESS belong to the map of W, which must have one. */
bool guest_memory_holds(struct gcn_wave *w, uint64_t address, uint64_t size);
/* The same for a map, which nothing remembers: for ranges of many pages. */
bool guest_memory_covers(struct guest_memory *map, uint64_t address, uint64_t size);
/* The same for the address of each of the LANES. */
bool guest_memory_holds_lanes(struct gcn_wave *w, const uint64_t *address, uint64_t lanes, uint64_t size);

/* Whether W may access SIZE bytes at ADDRESS, as far as that is known before it does. */
static inline bool gcn_may_access(struct gcn_wave *w, uint64_t address, uint64_t size)
{
    return mem_is_host(address, size) && (!w->guest || guest_memory_holds(w, address, size));
}

/* The same for each of LANES; the addresses must be those of the host's memory. */
static inline bool gcn_lanes_may_access(struct gcn_wave *w, const uint64_t *address, uint64_t lanes, uint64_t size)
{
    return !w->guest || guest_memory_holds_lanes(w, address, lanes, size);
}

#endif
