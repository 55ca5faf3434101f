/* SPDX-License-Identifier: MIT */
/* How translated instructions look and how their handlers are written and registered.
 *
 * Machine code is translated once into *units*: dense arrays of micro-operations (`struct gcn_uop`), each with the
 * handler that executes it. Most instructions become one micro-operation; operand forms that are rare (an SGPR
 * among three sources, abs/neg, SDWA, DPP, clamp, ...) are split into micro-operations before and after the
 * principal one, which work on w->temp[]. So a handler never looks at encodings: it sees resolved operands only.
 *
 * A handler executes its micro-operation for the whole wave and returns the next one: op + 1, the target of a
 * branch, or NULL to leave the run loop after gcn_stop() or gcn_fault(). It reads all its sources before it writes
 * (per lane for vector operations: operands overlap only at equal lanes).
 *
 * Operand references (dst, src[]) are byte offsets whose bit 0 tells the base: 0 for the wave, 1 for the constants of
 * the unit. To a handler an SGPR, a literal, an inline constant and an aperture base are all the same. Vector
 * operands are lines: gcn_line(); constants that feed a vector operand are lines too (splat at translation).
 * Scalar operands: gcn_s32(), gcn_s64(), gcn_sptr(). Destinations always lie in the wave.
 *
 * What a handler finds in its micro-operation, by encoding ("-" = unused):
 *
 *   encoding    dst        src[0]          src[1]         src[2]       imm                   aux
 *   SOP1        sdst       ssrc0           -              -            -                     -
 *   SOP2        sdst       ssrc0           ssrc1          -            -                     -
 *   SOPC        -          ssrc0           ssrc1          -            -                     -
 *   SOPK        sdst       sdst as source  -              -            simm16, sign-extended -
 *   SMEM        sdata      sbase (2|4 dw)  soffset (or 0) -            signed offset         GCN_GLC
 *   DS          vdst line  addr line       data0 line     data1 line   offset1 << 8, offset0   GCN_GDS
 *   FLAT GLOBAL vdst line  vaddr line      vdata line     saddr (s64)  signed offset         GCN_GLC, GCN_SADDR,
 *                                                                                            GCN_SEG_GLOBAL
 *   SCRATCH     vdst line  vaddr line      vdata line     saddr (s32)  signed offset         GCN_SADDR,
 *                                                                                            GCN_SEG_SCRATCH
 *   MUBUF       vdata line vaddr line      soffset (s32)  srsrc (4 dw) offset                GCN_GLC, GCN_OFFEN,
 *   MTBUF       as MUBUF                                               dfmt, nfmt too        GCN_IDXEN, GCN_LDS,
 *                                                                                            GCN_TFE
 *   MIMG        vdata line vaddr line      ssamp (4 dw)   srsrc (8 dw) dmask                 GCN_GLC, GCN_UNORM...
 *   VALU        vdst line  src0 line       src1 line      src2 line    CLAMP                 see valu.h
 *
 * SCRATCH with GCN_SADDR has no vector address. Where an instruction of any format gives no SADDR or SOFFSET, the
 * reference is to a constant zero, so that it may be read. The 64-bit scalar operands of 64-bit operations are two
 * adjacent dwords, also if they are constants. Writes to operand codes that drop what is written go to w->sink.
 *
 * Execution mask: gcn_exec(w). Vector handlers distinguish three cases: all ones; zero, for which they write scalar
 * results only and return op + 1; and anything else, for which gcn_mask(w) gives a line of ~0 and 0 to blend with.
 *
 * Memory: guest addresses are host addresses. Before it dereferences an address that comes from the guest, a
 * handler stores `w->at = op`; a SIGSEGV or SIGBUS then becomes GCN_FAULT_MEMORY of that instruction (the handler
 * is left by a non-local jump, so it must hold nothing). LDS and scratch offsets are compared against w->lds_size and
 * w->scratch_size instead. Handlers that store to memory other than LDS or scratch set w->store_fence = 1; that
 * makes the next s_waitcnt vmcnt(0) a full host fence.
 *
 * Names: handlers are mostly made by macros that paste them together. v_add_f32_pp comes from the row v_add_f32 of
 * valu_f32.def (the macros: valu_handlers.h), do_s_add_u32 from the row s_add_u32 of salu.def, flat_load_dword from
 * the row load_dword of memory.def (exec_rows.def): search for the operation's name alone.
 *
 * Registration: a source file has a table of rows { instruction, handler } ended by a row without a handler; the
 * files built once are listed in GCN_PLAIN_TABLES, those built per instruction set of the host (`GCN_SIMD_SYM`
 * names, see host_simd.h) in GCN_SIMD_TABLES. An instruction without a row becomes GCN_FAULT_UNIMPLEMENTED when it is
 * executed. SOPP, and whatever changes the PC or MODE (s_getpc/setpc/swappc/call/rfe, s_getreg/setreg), belongs
 * to exec_control.c and the translator. */
#ifndef RUNTIME_GCN_EXEC_H
#define RUNTIME_GCN_EXEC_H

#include "runtime/gcn/wave.h"

struct gcn_uop;
typedef const struct gcn_uop *gcn_handler(struct gcn_wave *w, const struct gcn_uop *op);

struct gcn_uop {
    gcn_handler *fn;
    uint32_t dst;
    uint32_t src[3];
    int32_t imm;
    uint32_t aux;
};

enum { GCN_REF_CONST = 1 }; /* bit 0 of an operand reference */

/* Flags in aux of memory instructions. */
enum {
    GCN_GLC = 1 << 0, /* atomics: return the old value */
    GCN_SADDR = 1 << 1,
    GCN_OFFEN = 1 << 2,
    GCN_IDXEN = 1 << 3,
    GCN_LDS = 1 << 4,
    GCN_TFE = 1 << 5,
    GCN_GDS = 1 << 6,
    GCN_UNORM = 1 << 7,
    GCN_DA = 1 << 8,
    GCN_A16 = 1 << 9,
    GCN_D16 = 1 << 10,
    GCN_LWE = 1 << 11,
    GCN_SEG_GLOBAL = 1 << 12,  /* GLOBAL encoding of an operation of FLAT: no apertures */
    GCN_SEG_SCRATCH = 1 << 13, /* SCRATCH encoding of an operation of FLAT */
    GCN_DFMT_SHIFT = 16,       /* four bits */
    GCN_NFMT_SHIFT = 20,       /* three bits */
};

/* Flat apertures (high halves of 64-bit addresses); the queue's structure must name the same ones. Those with a tag lie
 * above. Machine code may read the upper 16 bits only, so the others are zero. */
enum { GCN_SHARED_BASE_HI = 0x00010000, GCN_PRIVATE_BASE_HI = 0x00020000 };
#define GCN_TAGGED_GROUP UINT32_C(0x10000000)
#define GCN_TAGGED_PRIVATE UINT32_C(0x80000000)

struct gcn_handler_row {
    uint16_t id; /* enum gcn_op of inst.h */
    gcn_handler *fn;
};

/* Handlers of an operation of the vector ALU; NULL where the generic one serves. */
struct gcn_valu_row {
    uint16_t id;     /* enum gcn_op */
    gcn_handler *pp; /* all sources are lines */
    gcn_handler *sp; /* src[0] is a scalar */
    gcn_handler *ps; /* src[1] is a scalar */
};

static inline const uint32_t *gcn_line(const struct gcn_wave *w, uint32_t ref)
{
    return (const uint32_t *)(const void *)(w->base[ref & GCN_REF_CONST] + (ref & ~(uint32_t)GCN_REF_CONST));
}

static inline uint32_t *gcn_dst(struct gcn_wave *w, uint32_t ref)
{
    return (uint32_t *)(void *)((char *)w + ref);
}

/* Scalar operands; gcn_sptr() for those wider than 64 bits. */
static inline const uint32_t *gcn_sptr(const struct gcn_wave *w, uint32_t ref)
{
    return gcn_line(w, ref);
}

static inline uint32_t gcn_s32(const struct gcn_wave *w, uint32_t ref)
{
    return *gcn_line(w, ref);
}

static inline uint64_t gcn_s64(const struct gcn_wave *w, uint32_t ref)
{
    const uint32_t *p = gcn_line(w, ref);
    return p[0] | (uint64_t)p[1] << 32;
}

static inline void gcn_put32(struct gcn_wave *w, uint32_t ref, uint32_t value)
{
    *gcn_dst(w, ref) = value;
}

static inline void gcn_put64(struct gcn_wave *w, uint32_t ref, uint64_t value)
{
    uint32_t *p = gcn_dst(w, ref);
    p[0] = (uint32_t)value;
    p[1] = (uint32_t)(value >> 32);
}

/* Bit of lane i in each half of a mask: lets `bits & gcn_lane_bit[i]` vectorise without variable shifts. */
extern const uint32_t gcn_lane_bit[GCN_LANES];

/* Writes a line of ~0 (bit set) and 0 for the 64 bits of MASK. */
static inline void gcn_expand_mask(uint64_t mask, uint32_t *line)
{
    uint32_t lo = (uint32_t)mask, hi = (uint32_t)(mask >> 32);
    for (int i = 0; i < 32; i++)
        line[i] = -(uint32_t)((lo & gcn_lane_bit[i]) != 0);
    for (int i = 32; i < 64; i++)
        line[i] = -(uint32_t)((hi & gcn_lane_bit[i]) != 0);
}

/* EXEC as a line of ~0 and 0, kept until EXEC changes. */
static inline const uint32_t *gcn_mask(struct gcn_wave *w)
{
    uint64_t exec = gcn_exec(w);
    if (w->mask_of != exec) {
        gcn_expand_mask(exec, w->mask);
        w->mask_of = exec;
    }
    return w->mask;
}

/* Stops the wave for a reason other than a fault; it resumes at RESUME. Returns NULL, for the handler to return. */
static inline const struct gcn_uop *gcn_stop(struct gcn_wave *w, enum gcn_stop why, const struct gcn_uop *resume)
{
    w->stop = why;
    w->at = resume;
    return NULL;
}

/* Records a fault of instruction OP and stops the wave. Returns NULL, for the handler to return. */
const struct gcn_uop *gcn_raise(struct gcn_wave *w, const struct gcn_uop *op, enum gcn_fault_kind kind,
                                uint64_t address);

#endif
