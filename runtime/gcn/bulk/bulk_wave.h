/* SPDX-License-Identifier: MIT */
/* All waves of a box of work-groups, executed at once with linear functions in place of numbers. Shared by the files of
 * this folder.
 *
 * While a box is executed, two things are made of it: moves, which suffice if it only copies and fills, and a stream,
 * a program for each of its waves that has the loads, the stores and what computes from loaded data, but not what
 * computes addresses. */
#ifndef RUNTIME_GCN_BULK_WAVE_H
#define RUNTIME_GCN_BULK_WAVE_H

#include "runtime/gcn/bulk/affine.h"
#include "runtime/gcn/pool.h"

enum {
    BULK_VGPRS = 64,      /* kernels that use more are left to the interpreter */
    BULK_LOADS = 32,      /* loads of one box that may be stored later, ... */
    BULK_MOVES = 64,      /* ... stores of all boxes, ... */
    BULK_READS = 32,      /* ... ranges that were read, ... */
    BULK_BOXES = 32,      /* ... boxes, ... */
    BULK_STREAMS = 16,    /* ... boxes with streams, which together have so many ... */
    BULK_OPS = 1024,      /* ... micro-operations, ... */
    BULK_SLOTS = 256,     /* ... numbers that differ from wave to wave, ... */
    BULK_PATTERNS = 16,   /* ... ways in which lanes differ, ... */
    BULK_RANGES = 256,    /* ... accesses, and ... */
    BULK_KNOWN_CODE = 512 /* ... dwords of code that are decoded once */
};

enum bulk_outcome {
    BULK_ON,    /* go on with the next instruction */
    BULK_END,   /* the waves have ended */
    BULK_SPLIT, /* the box was divided, as its waves differ; its parts are executed from the beginning */
    BULK_LEAVE, /* the box is for the interpreter */
};

/* What a register holds in all work-items of the box. What was LOADED or COMPUTED is in that register when the stream
 * of the box is executed. */
struct bulk_value {
    enum {
        BULK_UNKNOWN, /* it was not written */
        BULK_LOST,    /* it was, but nobody knows what */
        BULK_AFFINE,
        BULK_LOADED,
        BULK_COMPUTED
    } kind;
    uint8_t load, part; /* LOADED: dword PART of that load */
    bool placed;        /* AFFINE: in the stream it is in the register, too */
    struct affine is;   /* AFFINE: from 0 to 2^32 - 1 in each */
};

struct bulk_load {
    struct affine address;
    uint32_t bytes, stored; /* STORED: bit I: byte I was */
};

/* A store of BYTES by each work-item of BOX. */
struct bulk_move {
    struct affine_box box;
    struct affine to, from; /* addresses; FROM only of copies */
    bool fills;             /* it stores PATTERN */
    uint32_t bytes;
    uint8_t pattern[64];
};

struct bulk_range {
    uint64_t at, size;
};

/* What all waves of BOX execute: OPS and SLOTS of struct bulk, and the RANGES that these access. */
struct bulk_stream {
    struct affine_box box;
    unsigned first_op, first_slot, slot_count, first_range;
};

/* An access of a stream: all that it may touch. */
struct bulk_access_range {
    struct bulk_range range;
    bool stores;
};

struct bulk {
    const struct gcn_dispatch *dispatch;
    struct affine_box box; /* the one that is executed */
    uint64_t pc;
    uint64_t steps; /* instructions that may still be executed: beyond that, interpreting is no slower */
    bool scc_known;
    uint32_t scc;
    struct bulk_value s[GCN_SCALAR_COUNT], v[BULK_VGPRS];
    struct bulk_load loads[BULK_LOADS];
    unsigned load_count;

    struct affine_box todo[BULK_BOXES], left[BULK_BOXES];
    unsigned todo_count, left_count;
    struct bulk_move moves[BULK_MOVES];
    unsigned move_count;
    struct bulk_range reads[BULK_READS]; /* what was read while the boxes were executed */
    unsigned read_count;

    bool computes; /* the box does more than move data */
    bool recorded; /* all that it does is in its stream */
    struct bulk_stream streams[BULK_STREAMS];
    unsigned stream_count;
    struct gcn_uop ops[BULK_OPS];
    uint32_t pcs[BULK_OPS]; /* as in struct gcn_unit */
    unsigned op_count;
    unsigned computing, accesses; /* micro-operations of the stream that compute, and instructions that access memory */
    struct affine slots[BULK_SLOTS];
    unsigned slot_count;
    uint64_t patterns[BULK_PATTERNS][AFFINE_COORDINATES - AFFINE_GROUPS]; /* what each id adds */
    uint32_t lines[BULK_PATTERNS][GCN_LANES];                             /* what that is in each lane */
    unsigned pattern_count;
    struct bulk_access_range ranges[BULK_RANGES];
    unsigned range_count;

    bool decoded[BULK_KNOWN_CODE];
    struct gcn_inst code[BULK_KNOWN_CODE];
};

/* Whether EXEC is what the stream computes; from then on it only becomes less. */
static inline bool bulk_is_masked(const struct bulk *b)
{
    return b->s[GCN_EXEC_LO].kind == BULK_COMPUTED;
}

/* Whether the dispatch is to end at once. */
static inline bool bulk_is_stopped(const struct bulk *b)
{
    return __atomic_load_n(&b->dispatch->stop, __ATOMIC_ACQUIRE);
}

/* Executing one instruction. */
enum bulk_outcome bulk_scalar(struct bulk *b, const struct gcn_inst *inst);
enum bulk_outcome bulk_vector(struct bulk *b, const struct gcn_inst *inst);
enum bulk_outcome bulk_scalar_load(struct bulk *b, const struct gcn_inst *inst);
enum bulk_outcome bulk_access(struct bulk *b, const struct gcn_inst *inst);

/* Computes a row of runtime/gcn/tables/bulk.def from SRC and the carry IN; BITS is the width of the result. BULK_LEAVE
 * if there is no row or the result is not linear. */
struct bulk_result {
    struct affine is;
    affine_int carry; /* what was taken off times 2^-BITS */
    bool compared;    /* IS is the constant 0 or 1: how a comparison came out */
    bool carries;     /* the operation has a carry */
};
enum bulk_outcome bulk_compute(struct bulk *b, unsigned op, const struct affine src[3], unsigned in, unsigned bits,
                               struct bulk_result *result);

/* Brings *F, of any size, into the range from 0 to 2^BITS - 1; *CARRY is how often 2^BITS was taken off. */
enum bulk_outcome bulk_wrap(struct bulk *b, struct affine *f, unsigned bits, affine_int *carry);
/* Whether F reaches THRESHOLD, which is the same for the whole box. */
enum bulk_outcome bulk_reaches(struct bulk *b, const struct affine *f, affine_int threshold, bool *reaches);

/* Reads source I of INST, of COUNT registers (1 or 2). */
bool bulk_source(const struct bulk *b, const struct gcn_inst *inst, unsigned i, unsigned count, struct affine *f);
/* Puts F, below 2^(32 * COUNT), into COUNT registers. */
enum bulk_outcome bulk_put(struct bulk *b, struct gcn_operand dst, unsigned count, const struct affine *f);
/* The number in COUNT scalar registers from CODE on, if it is known and the same for the box. */
bool bulk_number(const struct bulk *b, unsigned code, unsigned count, uint64_t *value);
/* Has the lanes of EXEC: 1 all, or all that matter because the others never will again; 0 none; -1 not known. */
int bulk_lanes(const struct bulk *b);

/* Reads SIZE bytes of the kernel's memory; false if it may not. */
bool bulk_read(struct bulk *b, uint64_t address, void *to, uint32_t size);

/* Finds out what the dispatch does: fills in moves, streams and left boxes. */
void bulk_explore(struct bulk *b);

/* Making streams. bulk_stream_begin() begins that of the box; false if there is no place for it. The next four add an
 * instruction that computes, one that accesses memory at ADDRESS, one that loads from where registers tell, and one
 * of masks, which may take lanes from EXEC; BULK_LEAVE if the stream cannot have it.
 * bulk_stream_end() keeps the stream; false if interpreting may be better, or something it might access is not the
 * kernel's. */
bool bulk_stream_begin(struct bulk *b);
enum bulk_outcome bulk_record(struct bulk *b, const struct gcn_inst *inst);
enum bulk_outcome bulk_record_access(struct bulk *b, const struct gcn_inst *inst, const struct affine *address);
enum bulk_outcome bulk_record_gather(struct bulk *b, const struct gcn_inst *inst);
enum bulk_outcome bulk_record_mask(struct bulk *b, const struct gcn_inst *inst);
bool bulk_stream_end(struct bulk *b);

/* The line of a pattern, and the place of a slot, in waves that execute streams: registers that kernels with streams do
 * not use. */
enum { BULK_PATTERN_LINE = BULK_VGPRS, BULK_SLOT_LINE = BULK_PATTERN_LINE + BULK_PATTERNS };
_Static_assert(8 * BULK_SLOTS <= GCN_LINE * (GCN_VGPRS - BULK_SLOT_LINE), "slots are in registers");

/* Handlers of streams: a scalar register gets the number in slot SRC[0]; and the end. */
gcn_handler bulk_put_scalar, bulk_end;

/* What the ids of LANE of WAVE add, with these STEPS; and by how much the least of the lanes is before lane 0. */
uint64_t bulk_at_lane(const struct gcn_wave_ids *wave, unsigned lane, const uint64_t *steps);
uint64_t bulk_lead(const struct gcn_wave_ids *wave, const uint64_t *steps);

/* Executes the streams with WORKER and helpers of POOL. False if they were not executed completely. */
bool bulk_stream_all(struct bulk *b, struct gcn_worker *worker, struct gcn_pool *pool);

/* Whether the kernel may access all of RANGE. */
bool bulk_is_accessible(const struct bulk *b, struct bulk_range range);
/* Whether moves and streams may be done at all; then doing the moves, until the dispatch stops. */
bool bulk_moves_allowed(const struct bulk *b);
void bulk_move_all(const struct bulk *b);
/* Whether MOVE is one of long runs of bytes. */
bool bulk_is_long(const struct bulk_move *move);

#endif
