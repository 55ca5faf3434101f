/* SPDX-License-Identifier: MIT */
/* What accesses to memory cost: bytes by segment, cache lines, passes through the banks of group memory.
 * Input: the addresses of one instruction. Output: numbers. Invariant: see count.c. */
#include "runtime/gcn/observe/observe.h"

#include <string.h>

enum {
    LINE_BYTES = 64,
    LINES_MAX = 2 * GCN_LANES * 2, /* an element of up to 64 bytes lies in two lines at most */
    BANKS = 32,                    /* of group memory, each a dword wide */
    BANK_BYTES = 4,
};

/* ---- bytes ---- */

static unsigned segment_of(const struct gcn_wave *w, const struct gcn_access *a, unsigned lane)
{
    const struct gcn_dispatch *d = w->group->dispatch;
    uint64_t kernarg = (uint64_t)(uintptr_t)d->packet.kernarg_address;
    if (a->segment[lane] == HSAM_ACCESS_GLOBAL && a->address[0][lane] - kernarg < d->observe->kernel.kernarg_size)
        return GCN_KERNARG;
    return a->segment[lane];
}

static void count_bytes(struct gcn_count *count, const struct gcn_wave *w, const struct gcn_access *a)
{
    unsigned access = a->atomic ? GCN_ATOMIC : a->writes ? GCN_WRITTEN : GCN_READ;
    for (uint64_t left = a->lanes; left; left &= left - 1)
        count->bytes[segment_of(w, a, (unsigned)__builtin_ctzll(left))][access] += (uint64_t)a->bytes * a->parts;
}

/* ---- cache lines ---- */

struct cache_line {
    uint64_t number, bytes; /* bit N of BYTES: byte N is accessed */
};

struct cache_lines {
    struct cache_line items[LINES_MAX];
    unsigned count;
};

/* Adds the bytes at ADDRESS that lie in its line; returns how many of SIZE these are. Neighbours usually come one after
 * the other, so the line that was added last is looked at first. */
static uint32_t add_line(struct cache_lines *lines, uint64_t address, uint32_t size)
{
    uint64_t number = address / LINE_BYTES;
    unsigned offset = (unsigned)(address % LINE_BYTES), room = LINE_BYTES - offset, i = lines->count;
    uint32_t taken = size < room ? size : room;
    uint64_t bytes = (taken < 64 ? (UINT64_C(1) << taken) - 1 : UINT64_MAX) << offset;
    while (i && lines->items[i - 1].number != number)
        i--;
    if (i)
        lines->items[i - 1].bytes |= bytes;
    else if (lines->count < LINES_MAX)
        lines->items[lines->count++] = (struct cache_line){number, bytes};
    return taken;
}

/* The address in memory of LANE's byte at ADDRESS; that of private memory is interleaved by dwords. */
static uint64_t host_address(const struct gcn_wave *w, const struct gcn_access *a, unsigned lane, uint64_t address)
{
    if (a->segment[lane] != HSAM_ACCESS_PRIVATE)
        return address;
    return (uint64_t)(uintptr_t)w->scratch + (address & ~UINT64_C(3)) * GCN_LANES + lane * UINT64_C(4) + (address & 3);
}

static void add_element(struct cache_lines *lines, const struct gcn_wave *w, const struct gcn_access *a, unsigned lane,
                        uint64_t address)
{
    bool private = a->segment[lane] == HSAM_ACCESS_PRIVATE;
    for (uint32_t left = a->bytes, done; left; left -= done, address += done) {
        uint32_t whole = private ? 4 - (uint32_t)(address & 3) : left;
        done = add_line(lines, host_address(w, a, lane, address), left < whole ? left : whole);
    }
}

static uint64_t count_lines(struct gcn_count *count, const struct gcn_wave *w, const struct gcn_access *a)
{
    struct cache_lines lines;
    lines.count = 0;
    for (uint64_t left = a->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        for (unsigned part = 0; part < a->parts && a->segment[lane] != HSAM_ACCESS_GROUP; part++)
            add_element(&lines, w, a, lane, a->address[part][lane]);
    }
    for (unsigned i = 0; i < lines.count; i++)
        count->touched += (uint64_t)__builtin_popcountll(lines.items[i].bytes);
    count->vector += lines.count > 0;
    count->lines += lines.count;
    return lines.count;
}

/* ---- banks ---- */

struct banks {
    uint32_t dwords[BANKS][2 * BANKS]; /* the dwords that are wanted from each bank */
    unsigned count[BANKS];
    unsigned most;
};

/* Lanes that want the same dword are served at once, unless they change it. */
static void add_dword(struct banks *banks, uint32_t dword, bool atomic)
{
    unsigned bank = dword % BANKS;
    for (unsigned i = 0; i < banks->count[bank] && !atomic; i++)
        if (banks->dwords[bank][i] == dword)
            return;
    if (banks->count[bank] < 2 * BANKS)
        banks->dwords[bank][banks->count[bank]++] = dword;
    if (banks->count[bank] > banks->most)
        banks->most = banks->count[bank];
}

/* How many passes one PART takes for the LANES lanes of A from FIRST on, which can be served at once; 0 if none of them
 * is active. */
static unsigned passes_of(const struct gcn_access *a, unsigned part, unsigned first, unsigned lanes)
{
    struct banks banks;
    memset(banks.count, 0, sizeof banks.count);
    banks.most = 0;
    for (unsigned lane = first; lane < first + lanes; lane++) {
        if (!(a->lanes >> lane & 1) || a->segment[lane] != HSAM_ACCESS_GROUP)
            continue;
        uint64_t at = a->address[part][lane];
        for (uint64_t dword = at / BANK_BYTES; dword <= (at + a->bytes - 1) / BANK_BYTES; dword++)
            add_dword(&banks, (uint32_t)dword, a->atomic);
    }
    return banks.most;
}

static uint64_t count_passes(struct gcn_count *count, const struct gcn_access *a)
{
    unsigned lanes = a->bytes <= 4 ? 32 : a->bytes <= 8 ? 16 : 8;
    uint64_t passes = 0, least = 0;
    for (unsigned part = 0; part < a->parts; part++)
        for (unsigned first = 0; first < GCN_LANES; first += lanes) {
            unsigned taken = passes_of(a, part, first, lanes);
            passes += taken;
            least += taken > 0;
        }
    if (!least)
        return 0;
    count->shared++;
    count->passes += passes;
    count->least += least;
    return passes;
}

uint64_t gcn_count_access(struct gcn_count *count, const struct gcn_wave *w, const struct gcn_access *a,
                          enum gcn_instruction_kind kind)
{
    count_bytes(count, w, a);
    uint64_t lines = kind == GCN_INSTRUCTION_VMEM ? count_lines(count, w, a) : 0;
    uint64_t passes = kind == GCN_INSTRUCTION_SMEM ? 0 : count_passes(count, a);
    return lines + passes;
}
