/* SPDX-License-Identifier: MIT */
/* State of one wave of 64 work-items, as the instruction handlers see it.
 *
 * Vector registers are register-major: one register is a *line*, 64 dwords side by side, so that a handler is
 * a loop over adjacent lanes. A 64-bit operand is two lines (low dwords, then high dwords, 256 bytes apart),
 * wider ones accordingly. The index of a scalar register is its operand code: s[106] is VCC_LO, s[124] M0, s[126]
 * EXEC_LO; a 64-bit scalar is two adjacent dwords. Everything a handler touches is reached by a byte offset
 * from the wave's address (see "operand references" in exec.h). One host thread runs a wave at a time. */
#ifndef RUNTIME_GCN_WAVE_H
#define RUNTIME_GCN_WAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GCN_LANES = 64,
    GCN_LINE = GCN_LANES * 4, /* bytes of one vector register */
    GCN_VGPRS = 256,
    GCN_SGPRS = 128,    /* operand codes 0..127 */
    GCN_CHUNK_MAX = 16, /* lanes that compiled code executes together, at most */
    GCN_WINDOWS = 8,    /* parts of memory that a wave remembers to be usable */
    GCN_TEMPS = 16,     /* lines private to the micro-operations of one instruction */
};

/* Operand codes of the scalar registers with names (GFX9). */
enum {
    GCN_S_FLAT_SCRATCH = 102,
    GCN_S_XNACK_MASK = 104,
    GCN_S_VCC = 106,
    GCN_S_TTMP = 108,
    GCN_S_M0 = 124,
    GCN_S_NULL = 125,
    GCN_S_EXEC = 126,
};

/* Fields of the hardware register MODE, as GFX9 to GFX11 have them. */
enum {
    GCN_MODE_ROUND32 = 0,    /* two bits: 0 nearest even, 1 up, 2 down, 3 toward zero */
    GCN_MODE_ROUND64 = 2,    /* two bits: f64 and f16 */
    GCN_MODE_DENORM32 = 4,   /* two bits: 1 accepts denormal inputs, 2 keeps denormal results */
    GCN_MODE_DENORM64 = 6,   /* two bits: f64 and f16 */
    GCN_MODE_DX10_CLAMP = 8, /* clamp makes NaN zero */
    GCN_MODE_IEEE = 9,
    GCN_MODE_EXCP_EN = 12, /* seven bits */
    GCN_MODE_FP16_OVFL = 23,
    GCN_MODE_GPR_IDX_EN = 27,
    GCN_MODE_VSKIP = 28,
    GCN_MODE_CSP = 29, /* three bits: how many forks are open */
};

/* Why the run of a wave stopped. */
enum gcn_stop {
    GCN_STOP_YIELD,   /* its budget is used up: run it again later */
    GCN_STOP_SLEEP,   /* s_sleep; resumes after it */
    GCN_STOP_BARRIER, /* waits at s_barrier; resumes after it */
    GCN_STOP_END,     /* s_endpgm */
    GCN_STOP_FAULT,   /* see struct gcn_fault */
};

/* GCN_FAULT_NONE, GCN_FAULT_ILLEGAL, ...: one for each row of runtime/gcn/tables/fault.def. */
enum gcn_fault_kind {
#define GCN_FAULT(kind, id, status, text) GCN_FAULT_##kind,
#include "runtime/gcn/tables/fault.def"
#undef GCN_FAULT
};

struct gcn_fault {
    enum gcn_fault_kind kind;
    uint64_t pc;      /* address of the instruction */
    uint64_t address; /* data address, trap number, ...; 0 where unknown */
    char name[40];    /* the mnemonic, or what is said instead of it */
    /* Which work-item it was and what it did; filled in if the wave is part of a work-group. */
    char text[96]; /* the whole instruction */
    bool has_item; /* ITEM is known; otherwise it was the whole wave */
    bool has_address, writes, atomic;
    uint8_t segment; /* enum hsam_access_segment; what ADDRESS is an address of */
    uint32_t bytes;  /* size of the access; 0: not known */
    uint32_t item[3];
    uint64_t group[3];
};

struct gcn_uop;
struct gcn_unit;
struct gcn_group;

struct gcn_wave {
    /* What an operand reference is relative to: base[0] is the wave itself, base[1] the constants of the unit
     * of translated code being executed. */
    const char *base[2];
    const struct gcn_unit *unit;
    const struct gcn_uop *at; /* where to resume; while running, the last micro-operation that could fault */
    struct gcn_group *group;

    uint32_t scc;      /* 0 or 1; ... */
    uint32_t scc_high; /* ... as a 64-bit operand too: always 0 */
    uint32_t mode;
    uint32_t trapsts;
    int32_t budget;       /* about how many micro-operations are left before it must yield */
    int32_t heated;       /* the budget when the tier was told last what the wave has executed */
    uint32_t store_fence; /* nonzero: there are stores after the last fence; set by every handler that stores */
    uint32_t index;       /* of this wave in its work-group */
    enum gcn_stop stop;
    struct gcn_fault fault;
    uint64_t wake; /* when its s_sleep ends, by gcn_core_clock() */
    /* 0, or the wave waits in exec_gws.c: one more than the generation of the barrier, 1 at a semaphore. */
    uint64_t gws_wait;

    /* The memory that it may touch, or NULL if that is all memory of the process; and some parts of it that
     * this wave, or those before it in its place, have looked up, with the generation of the map at that time. */
    struct guest_memory *guest;
    struct gcn_window {
        uint64_t low, size;
    } guest_windows[GCN_WINDOWS];
    uint32_t guest_generation, guest_misses;
    uint32_t guest_next; /* how many windows were made in this generation; the oldest give way to those beyond */

    /* Derived from MODE by gcn_mode_changed(). */
    uint8_t flush32_in, flush32_out; /* f32 denormals become zero */
    uint8_t flush64_in, flush64_out; /* f64 and f16 denormals */
    uint8_t rounding;                /* nonzero: some rounding field is not nearest even */
    uint8_t plain32, plain64;        /* nonzero: nothing flushes and rounding is nearest even everywhere */

    /* Group segment: LDS_SIZE bytes shared by the waves of the work-group. Aperture offset 0 is lds[0]. */
    uint8_t *lds;
    uint32_t lds_size;
    /* Private segment: the dword at private address A (a multiple of 4) of lane L is at
     * scratch + A * 64 + L * 4; addresses below SCRATCH_SIZE are valid for each lane. */
    uint8_t *scratch;
    uint32_t scratch_size;
    /* Added to the upper halves of the flat addresses of group and private memory: nonzero if a checker wants to tell
     * that of other groups and waves from this wave's. */
    uint32_t group_tag, private_tag;

    uint64_t mask_of;    /* the EXEC that mask[] shows */
    uint64_t saved_exec; /* the true EXEC while a DPP instruction runs with fewer lanes */
    uint32_t s[GCN_SGPRS + 16] __attribute__((aligned(64))); /* with slack for wide operands near the end */
    uint32_t sink[16];                                       /* where writes to codes that drop them go; never read */
    uint32_t special[6];  /* VCCZ, EXECZ and constant masks made readable as scalar pairs */
    uint32_t aperture[8]; /* base and limit of group, then of private memory; for the checker of memory */

    uint32_t mask[GCN_LANES] __attribute__((aligned(64))); /* EXEC as a line: ~0 or 0 per lane */
    uint32_t temp[GCN_TEMPS][GCN_LANES] __attribute__((aligned(64)));
    uint32_t chunk[6][GCN_CHUNK_MAX] __attribute__((aligned(64))); /* data of functions that compiled code calls */
    uint32_t v[GCN_VGPRS][GCN_LANES] __attribute__((aligned(64)));
    uint32_t a[GCN_VGPRS][GCN_LANES] __attribute__((aligned(64))); /* accumulation registers */
};

static inline uint64_t gcn_get64(const struct gcn_wave *w, unsigned code)
{
    return w->s[code] | (uint64_t)w->s[code + 1] << 32;
}

static inline void gcn_set64(struct gcn_wave *w, unsigned code, uint64_t value)
{
    w->s[code] = (uint32_t)value;
    w->s[code + 1] = (uint32_t)(value >> 32);
}

static inline uint64_t gcn_exec(const struct gcn_wave *w)
{
    return gcn_get64(w, GCN_S_EXEC);
}

/* Recomputes what is derived from MODE; call after every change of w->mode. */
void gcn_mode_changed(struct gcn_wave *w);

#endif
