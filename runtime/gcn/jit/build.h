/* SPDX-License-Identifier: MIT */
/* Private parts of the compiler: the templates it copies, what it knows of handlers, and a function being built.
 *
 * Within a block there are two streams. Scalar operations are emitted at once. Vector operations are recorded, with
 * their scalar operands and lane masks captured as values, and emitted later as one *segment*: a loop over chunks of
 * host-vector width that loads the registers it reads, computes everything, and stores the registers it wrote. */
#ifndef RUNTIME_GCN_JIT_BUILD_H
#define RUNTIME_GCN_JIT_BUILD_H

#include "runtime/gcn/jit/jit_compiler.h"
#include "runtime/gcn/jit/llvm_headers.h"

#include <string.h>

enum {
    LINES = GCN_VGPRS + GCN_TEMPS, /* vector registers, then the lines of w->temp */
    RECORDS_MAX = 512,             /* vector operations of a segment */
    TEMPLATE_VALUES_MAX = 1024,
    UNIT_OPS_MAX = 4096,
    LIVE_VCC = GCN_VGPRS / 64, /* of the words that say what is live, the one for VCC */
    LIVE_WORDS,
};

/* Parameters of the vector templates, and of the scalar ones. */
enum template_parameter { PA, PB, PC, PD, IN, R, OUT, IMM, AUX, PARAMETERS };
enum scalar_parameter { SA, SB, SD, SSCC, SRD, SRSCC, SCALAR_PARAMETERS };

struct template
{
    LLVMValueRef function;
    bool read;     /* the function's instructions; what follows is not known before */
    bool usable;   /* one block, without anything that cannot be copied */
    unsigned uses; /* bit per parameter */
    unsigned wide; /* of vector templates: bit per parameter whose lanes have 64 bits */
    unsigned cost; /* of vector templates: operations of the host for a chunk, about */
};

enum effect_kind {
    EFFECT_CALL,         /* nothing is known: the handler is called */
    EFFECT_VECTOR,       /* template on lines */
    EFFECT_COMPARE,      /* ... that writes a mask */
    EFFECT_COMPARE_EXEC, /* ... and EXEC */
    EFFECT_SCALAR,
    EFFECT_SAVEEXEC,
    EFFECT_BRANCH,
    EFFECT_SWAP, /* v_swap_b32 */
    EFFECT_SPLAT32,
    EFFECT_SPLAT64,
    EFFECT_MOD32,
    EFFECT_MOD64,
    EFFECT_READLANE, /* v_readlane, v_readfirstlane */
    EFFECT_WRITELANE,
    EFFECT_DPP,
    EFFECT_RESTORE, /* of EXEC after DPP */
    EFFECT_COPY64,  /* a scalar pair */
    EFFECT_NOTHING,
    EFFECT_WAIT,          /* s_waitcnt of stores */
    EFFECT_LOAD,          /* from global or private memory */
    EFFECT_LDS,           /* load or store of group memory */
    EFFECT_SCALAR_MEMORY, /* handler that touches no vectors */
    EFFECT_MEMORY,        /* handler that reads and writes the lines of its operands */
    EFFECT_STOP,          /* handler that leaves for a while: barriers, sleeps */
    EFFECT_LEAVE,         /* handler after which the interpreter goes on: MODE changes, jumps to addresses, ends */
};

/* Whether control may come to a micro-operation from elsewhere than the one before; LEADER_INSIDE: only from within the
 * loop that has it. */
enum leader { LEADER_NO, LEADER_YES, LEADER_INSIDE };

enum effect_form { FORM_LINES, FORM_SCALAR0, FORM_SCALAR1 };

/* What a handler does. */
struct effect {
    gcn_handler *fn;
    struct template *template;
    struct template *usual;      /* what it does where the mask that is an operand has no lane; or NULL */
    const struct chunk_row *row; /* of EFFECT_LDS, and for masks that have lanes */
    uint16_t id;                 /* enum gcn_op */
    uint8_t kind, form;
    bool back;      /* of a branch */
    bool end;       /* nothing follows */
    bool output;    /* a micro-operation that clamps */
    bool immediate; /* a scalar operation whose second source is op->imm */
    bool below;     /* the template's third source is, for each lane, how many bits below its own the first one has */
};

struct gcn_jit {
    const struct gcn_engine *engine;
    unsigned lanes; /* of a chunk */
    LLVMContextRef context;
    LLVMModuleRef library;     /* has the templates, whose instructions are read when they are needed */
    LLVMPassManagerRef reader; /* of these */
    LLVMTargetMachineRef machine;
    LLVMTargetDataRef layout;
    LLVMTypeRef i1, i8, i16, i32, i64, pointer, chunk, wide, halves, mask, bits, handler;
    /* Shuffles of two chunks to one of 64-bit values, by halves which are then joined, and back. LLVM takes many times
     * as long for shuffles of vectors that the host does not have. */
    LLVMValueRef interleave[2], joined, side[2], low, high;
    struct template *templates;
    size_t template_count;
    struct effect *effects; /* sorted by handler */
    size_t effect_count;
    bool failed; /* out of memory while opening */
};

/* One vector operation of the segment being recorded. */
struct record {
    const struct effect *effect;
    const struct gcn_uop *op;
    LLVMValueRef a, b, in; /* scalar operands; `in` as a mask of all lanes */
    LLVMValueRef aux;      /* of micro-operations */
    LLVMValueRef lds;      /* where group memory is */
    LLVMValueRef written;  /* the lanes that DPP lets the operation write, or NULL */
    int in_record;         /* that gives the mask, or -1 */
    uint32_t pc;
};

struct builder {
    struct gcn_jit *jit;
    const struct gcn_unit *unit;
    gcn_handler *const *handlers;
    const struct effect **effects; /* of each micro-operation */
    uint8_t *leader, *hot;         /* LEADER: enum leader */
    uint32_t *loop_end; /* of a loop that loop.c emits, for its first micro-operation: the one after it; else 0 */
    bool writes_exec;   /* something that is compiled does */
    uint64_t (*live)[LIVE_WORDS]; /* what may be read from here on: bits of vector registers, and a word for VCC */
    uint64_t (*read)[LIVE_WORDS]; /* ... if nothing were written before */
    LLVMModuleRef module;
    LLVMBuilderRef b;
    LLVMValueRef function, wave, ops, result;
    LLVMBasicBlockRef *blocks, exit;
    LLVMBasicBlockRef before; /* the block before the loop over chunks that is being emitted; else NULL */
    unsigned ends;            /* source operand whose register the operation being emitted gives a new value */
    uint32_t at;              /* micro-operation being emitted */
    /* Scalar registers whose values are known, as dwords and as pairs; all are in memory too. */
    LLVMValueRef known32[GCN_SGPRS + 2], known64[GCN_SGPRS + 2], scc;
    bool scc_dirty;
    int pending[GCN_SGPRS + 2]; /* record that will write the mask there, plus 1 */
    bool alone[GCN_SGPRS + 2];  /* scalar registers that are written without the other one of their pair */
    struct record records[RECORDS_MAX];
    unsigned record_count;
    LLVMValueRef exec;          /* of the segment */
    LLVMValueRef written;       /* as in struct record, within an instruction with DPP; see lane.c */
    bool lds_read, lds_written; /* the segment reads or writes group memory */
    bool looked_up[LINES];      /* what the line has comes from group memory, by way of operations of this block */
    struct jit_loop *loop, *loop_state; /* the loop being emitted, or NULL; see loop.c */
    struct parts *parts;                /* of the loop, if it is emitted in two parts; see parts.h */
    LLVMValueRef notes; /* where one part of a loop leaves what the other one needs; NULL: nowhere yet */
    bool aside;         /* what is written to scalar registers is not stored */
    bool ordered;       /* it is worth looking for an order of instructions that needs few registers */
};

/* effect.c */
bool effects_make(struct gcn_jit *jit, const struct gcn_jit_control *control);
const struct effect *effect_of(struct gcn_jit *jit, gcn_handler *fn);

/* clone.c: template_find() gives the template called NAME, or NULL, template_read() reads its instructions and returns
 * whether it is usable, and template_clone() copies them to the builder; IN gives the parameters that are loaded, OUT
 * gets those stored. */
struct template *template_find(struct gcn_jit *jit, const char *name);
bool template_read(struct gcn_jit *jit, struct template *template);
void template_clone(struct builder *f, const struct template *template, LLVMValueRef *in, LLVMValueRef *out);

/* Calls the intrinsic function NAME with up to 4 arguments. */
LLVMValueRef build_intrinsic(struct builder *f, const char *name, LLVMTypeRef result, LLVMValueRef *arguments,
                             unsigned count);

/* ON in LANES, and OFF in the others. Where the host has no registers for masks, it takes each lane's from a sign bit,
 * as which it is handed over if LANES are made of such: LLVM takes its time to find out that this is the same. */
LLVMValueRef build_blend(struct builder *f, LLVMValueRef lanes, LLVMValueRef on, LLVMValueRef off);

LLVMTypeRef template_type(const struct template *template, unsigned parameter);

/* live.c */
bool live_compute(struct builder *f, unsigned flags);
bool live_writes_exec(const struct effect *effect, const struct gcn_uop *op);

/* scalar.c; scalar_find_alone() comes first of all. */
void scalar_find_alone(struct builder *f);
LLVMValueRef scalar_read32(struct builder *f, uint32_t ref);
LLVMValueRef scalar_read64(struct builder *f, uint32_t ref);
void scalar_write(struct builder *f, uint32_t ref, LLVMValueRef value, unsigned dwords, bool flushing);
void scalar_changed(struct builder *f, uint32_t ref, unsigned dwords);
void scalar_forget(struct builder *f);
void scalar_commit(struct builder *f);
void scalar_operation(struct builder *f, const struct effect *effect, const struct gcn_uop *op);

/* loop_find.c, loop.c: loops whose vector registers stay in those of the host. loop_find_all() comes before anything
 * else; loop_emit() emits the loop that begins at micro-operation FIRST, if there is one, and returns the
 * micro-operation after it, or FIRST. */
void loop_find_all(struct builder *f);
uint32_t loop_emit(struct builder *f, uint32_t first);
void loop_flush(struct builder *f);

/* segment.c */
bool segment_takes(const struct builder *f, const struct effect *effect, const struct gcn_uop *op);
bool segment_record(struct builder *f, const struct effect *effect, const struct gcn_uop *op);
void segment_flush(struct builder *f);

/* lane.c: accesses to single lanes; the begin and the end of an instruction with DPP, which return whether it is
 * executed without its handlers. */
void lane_read(struct builder *f, const struct effect *effect, const struct gcn_uop *op);
void lane_write(struct builder *f, const struct gcn_uop *op);
bool lane_takes_dpp(const struct builder *f, uint32_t index);
bool lane_begin_dpp(struct builder *f, uint32_t index);
bool lane_end_dpp(struct builder *f);

/* import.c: the rows for the host's instruction set. */
const struct chunk_row *chunk_rows_of(const struct gcn_jit *jit);

/* segment_memory.c: how chunks execute operation ID, or NULL. */
const struct chunk_row *memory_row(const struct gcn_jit *jit, unsigned id);

/* import.c: values that are known when the code is placed: the handler of a micro-operation, the array of all handlers,
 * a function for chunks. */
LLVMValueRef import_handler(struct builder *f, uint32_t index);
LLVMValueRef import_handlers(struct builder *f);
LLVMValueRef import_chunk(struct builder *f, const struct chunk_row *row);

/* entry.c: emits the entry of the function, from its first block on. */
void entry_emit(struct builder *f, LLVMBasicBlockRef enter);

/* scalar_memory.c */
unsigned build_scalar_load(const struct effect *effect);
void scalar_memory(struct builder *f, uint32_t index);

/* compile_unit.c */
LLVMValueRef build_unit(struct builder *f);
bool build_op(struct builder *f, uint32_t index);
void build_call(struct builder *f, uint32_t index);
LLVMValueRef build_condition(struct builder *f, unsigned id);
LLVMValueRef build_count_back(struct builder *f, LLVMValueRef budget, uint32_t index, uint32_t target,
                              LLVMBasicBlockRef on);
void build_yield(struct builder *f, uint32_t target);
LLVMValueRef build_op_at(struct builder *f, uint32_t index);
LLVMValueRef build_is_zero(struct builder *f, LLVMIntPredicate predicate, LLVMValueRef x);
void build_wait(struct builder *f, uint32_t index);

/* Small things */

/* How many micro-operations compiled code executes, about, while the interpreter executes one. Budgets are counted in
 * those of the interpreter. */
enum { AS_FAST_AS = 8 };

/* What a round of a loop takes of the budget, whose last micro-operation is LENGTH after its first one. */
static inline uint32_t build_round_cost(uint32_t length)
{
    return length / AS_FAST_AS + 1;
}

#define C64(f, x) LLVMConstInt((f)->jit->i64, (uint64_t)(x), 0)
#define C32(f, x) LLVMConstInt((f)->jit->i32, (uint32_t)(x), 0)

static inline LLVMValueRef build_at(struct builder *f, LLVMValueRef base, uint64_t offset)
{
    LLVMValueRef index = C64(f, offset);
    return !offset ? base : LLVMBuildInBoundsGEP2(f->b, f->jit->i8, base, &index, 1, "");
}

static inline LLVMValueRef build_load(struct builder *f, LLVMTypeRef type, uint64_t offset, unsigned align)
{
    LLVMValueRef value = LLVMBuildLoad2(f->b, type, build_at(f, f->wave, offset), "");
    LLVMSetAlignment(value, align);
    return value;
}

static inline void build_store(struct builder *f, LLVMValueRef value, uint64_t offset, unsigned align)
{
    LLVMSetAlignment(LLVMBuildStore(f->b, value, build_at(f, f->wave, offset)), align);
}

static inline LLVMBasicBlockRef build_block(struct builder *f)
{
    return LLVMAppendBasicBlockInContext(f->jit->context, f->function, "");
}

/* Places BLOCK after the one at the builder, since that is how control goes most often. Blocks that are placed nowhere
 * come last in the function. */
static inline void build_follow(struct builder *f, LLVMBasicBlockRef block)
{
    LLVMMoveBasicBlockAfter(block, LLVMGetInsertBlock(f->b));
}

/* Has the builder emit what is the same for all chunks, before the loop over them if there is one. Returns the block to
 * go back to. */
static inline LLVMBasicBlockRef build_before(struct builder *f)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b);
    if (f->before)
        LLVMPositionBuilderBefore(f->b, LLVMGetBasicBlockTerminator(f->before));
    return here;
}

static inline LLVMValueRef build_as(struct builder *f, LLVMValueRef value, LLVMTypeRef type)
{
    if (LLVMIsABitCastInst(value) && LLVMTypeOf(LLVMGetOperand(value, 0)) == type)
        return LLVMGetOperand(value, 0);
    return LLVMTypeOf(value) == type ? value : LLVMBuildBitCast(f->b, value, type, "");
}

/* Number of the scalar register at REF, or -1. */
static inline int ref_scalar(uint32_t ref)
{
    uint32_t first = (uint32_t)offsetof(struct gcn_wave, s);
    return !(ref & GCN_REF_CONST) && ref >= first && ref < first + 4 * GCN_SGPRS ? (int)(ref - first) / 4 : -1;
}

/* The reference to scalar register CODE. */
static inline uint32_t scalar_ref(unsigned code)
{
    return (uint32_t)(offsetof(struct gcn_wave, s) + 4 * (size_t)code);
}

/* The reference to an operand, SA to SD, of a scalar operation. */
static inline uint32_t scalar_operand(const struct effect *effect, const struct gcn_uop *op, unsigned slot)
{
    if (slot != SD)
        return op->src[slot];
    return effect->kind == EFFECT_SAVEEXEC ? scalar_ref(GCN_S_EXEC) : op->dst;
}

/* Number of the line at REF, or -1. */
static inline int ref_line(uint32_t ref)
{
    uint32_t v = (uint32_t)offsetof(struct gcn_wave, v), temp = (uint32_t)offsetof(struct gcn_wave, temp);
    if (ref & GCN_REF_CONST)
        return -1;
    if (ref >= v && ref < v + GCN_VGPRS * GCN_LINE && (ref - v) % GCN_LINE == 0)
        return (int)((ref - v) / GCN_LINE);
    if (ref >= temp && ref < temp + GCN_TEMPS * GCN_LINE && (ref - temp) % GCN_LINE == 0)
        return GCN_VGPRS + (int)((ref - temp) / GCN_LINE);
    return -1;
}

static inline uint64_t line_offset(int line)
{
    return line < GCN_VGPRS ? offsetof(struct gcn_wave, v) + (size_t)GCN_LINE * (size_t)line
                            : offsetof(struct gcn_wave, temp) + (size_t)GCN_LINE * (size_t)(line - GCN_VGPRS);
}

static inline const uint32_t *constant_at(const struct builder *f, uint32_t ref)
{
    return (const uint32_t *)(const void *)(f->unit->constants + (ref & ~(uint32_t)GCN_REF_CONST));
}

/* How many lines an operand of a vector template has. */
static inline unsigned template_lines(const struct template *template, unsigned parameter)
{
    return (template->uses >> parameter & 1) + (template->wide >> parameter & 1);
}

/* Whether an operation that replaces EXEC gives its destination the new value, and not the old one. */
static inline bool writes_both(const struct effect *effect)
{
    return strstr(gcn_op_info[effect->id].name, "wrexec");
}

/* Where a vector operation writes its mask. */
static inline uint32_t mask_destination(const struct effect *effect, const struct gcn_uop *op)
{
    return effect->kind == EFFECT_VECTOR ? op->aux & 0xffff : op->dst;
}

static inline bool writes_mask(const struct effect *effect)
{
    return effect->template &&
           (effect->kind == EFFECT_VECTOR || effect->kind == EFFECT_COMPARE || effect->kind == EFFECT_COMPARE_EXEC) &&
           (effect->template->uses >> OUT & 1);
}

#endif
