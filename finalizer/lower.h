/* SPDX-License-Identifier: MIT */
/* Lowering of a program: from the linked modules to one LLVM module.
 *
 * The state has two parts: struct lower for the whole program, struct fn for the function that is being lowered. The
 * functions that lower instructions (lower.def) take a struct fn, a decoded instruction and the arguments of their row;
 * they return false after fn_fail(). */
#ifndef FINALIZER_LOWER_H
#define FINALIZER_LOWER_H

#include "finalizer/emit.h"
#include "finalizer/program.h"
#include "hsa/amd_hsa_queue.h"
#include "support/arena.h"

struct formal {
    uint16_t type;    /* without the array bit */
    bool is_array;    /* passed by address */
    bool is_variadic; /* it is an array of unknown length */
    uint32_t align;
    uint64_t size;     /* bytes */
    uint32_t variable; /* offset of its directive */
    const char *name;
};

/* A kernel, function or signature; a declaration of it in another module leads to the same one. */
struct callable {
    uint32_t module, offset;
    const hsa_brig_directive_executable_t *directive;
    const char *name;
    const char *symbol; /* in the code object */
    bool is_kernel, is_defined, is_indirect;
    bool address_taken; /* it is an indirect function, or addr() names it */
    bool is_recursive;
    bool is_reachable;    /* a kernel or indirect function leads to it; what is unreachable is not lowered */
    bool calls_unknown;   /* it contains an icall */
    bool allocates;       /* it has an alloca that takes memory at run time */
    bool is_dynamic;      /* kernels: it is not known how much private memory they need */
    uint32_t last_alloca; /* while the body is scanned: offset of the last alloca, or 0 */
    uint32_t call_sites, instructions;
    uint8_t visit;          /* state in a walk over the call graph: 0 new, 1 on the path, 2 done */
    struct formal *formals; /* outputs first */
    uint32_t output_count, input_count;
    LLVMTypeRef type;
    LLVMValueRef value;
    VEC(uint32_t) callees;      /* indices of callables, once per call */
    VEC(uint32_t) callers;      /* the same edges, the other way */
    uint64_t cost;              /* instructions as LLVM sums them up along calls, or LOWER_COST_LIMIT and more */
    VEC(uint32_t) group_uses;   /* indices of variables in group memory, fbarriers included */
    bool uses_shared;           /* it or a callee uses group memory that is not a kernel's own */
    uint32_t group_size;        /* kernels: bytes of static group memory */
    struct control_set control; /* what its control directives say */
    uint32_t share;             /* of the program, to which its body belongs; see lower_shares() */
    bool meets_indirect;        /* it is an indirect function, or may call one, itself or through others */
    uint8_t detects, breaks;    /* exceptions that count in it, as HSAIL numbers them; its callers' count, too */
};

/* LLVM sums up costs along calls in 32 bits and divides by the sum. For costs above this limit its pass that does so is
 * not run. */
#define LOWER_COST_LIMIT ((uint64_t)1 << 30)

#define LOWER_VARIABLE_MAX ((uint64_t)1 << 40) /* bytes of a variable, and of the data of an image */

/* A variable that is not local to one activation: global, readonly, group; and fbarriers. */
struct variable {
    uint32_t module, offset;
    uint32_t owner; /* index + 1 of the callable that declares it, or 0 */
    const char *name;
    const char *symbol;       /* in the code object */
    uint8_t segment, linkage; /* GROUP for fbarriers */
    bool is_fbarrier, is_defined, is_const;
    uint16_t type;
    uint64_t size;
    uint32_t align;
    uint32_t init;    /* operand, or 0 */
    uint32_t address; /* in group memory, or in the block of private variables */
    LLVMValueRef value;
};

/* Whether each work-item has its own copy of the variable; see lower.private_size. */
static inline bool lower_is_private(const struct variable *v)
{
    return !v->is_fbarrier && (v->segment == HSA_BRIG_SEGMENT_PRIVATE || v->segment == HSA_BRIG_SEGMENT_SPILL);
}

/* What a directive declares: a callable or a variable. */
struct entity {
    enum { ENTITY_NONE, ENTITY_CALLABLE, ENTITY_VARIABLE } kind;
    uint32_t index;
};

struct lower_module {
    const struct brig_view *view;
    struct entity *entities; /* by offset / 4 */
    bool round_zero;         /* instructions that name no rounding round to zero */
};

struct lower {
    struct emit e;
    struct arena arena;
    const struct program *program;
    const struct control_set *control;
    struct lower_module *modules;
    uint32_t module_count;
    uint32_t share;  /* of the program, counted from 1, which is lowered; 0: all of it */
    uint32_t shares; /* their number */
    VEC(struct callable) callables;
    VEC(struct variable) variables;
    bool is_costly;                       /* the cost of a callable reaches LOWER_COST_LIMIT */
    bool allocates;                       /* a callable takes private memory at run time */
    uint32_t private_size, private_align; /* of the block of module variables that each work-item has */
    uint32_t group_shared;                /* bytes at the start of group memory for variables that no kernel owns */
    struct {
        bool wanted;    /* line tables */
        bool variables; /* registers and private variables, too */
        bool optimizes; /* registers become values */
        LLVMDIBuilderRef builder;
        LLVMMetadataRef file, unit;
        struct debug_source *sources;   /* what debug pragmas say, by module */
        struct source_entity *open[64]; /* types that are being made, one inside the other */
        unsigned depth;                 /* how many there are */
        VEC(LLVMValueRef) kept;         /* symbols that only debug information needs */
    } debug;
    bool unwritten; /* registers and variables start as memory that nothing writes, and not as LLVM likes */
    bool promises;  /* tell what alignment memory instructions promise; support/align_promise.h */
    struct failure failure;
};

/* The function that is being lowered. */
struct fn {
    struct lower *l;
    struct emit *e;
    const struct brig_view *view;
    struct lower_module *m;
    uint32_t self; /* index of its callable */
    LLVMValueRef value;
    LLVMBasicBlockRef entry;      /* holds the allocas, and ends in a branch to the body */
    LLVMBuilderRef allocas;       /* builds at the end of the entry block */
    LLVMValueRef *registers[4];   /* by kind and number */
    LLVMValueRef *locals;         /* private, spill and arg variables: pointers, by offset / 4 */
    LLVMBasicBlockRef *labels;    /* by offset / 4 */
    LLVMValueRef module_privates; /* the block of private variables of modules, if there are any */
    LLVMValueRef pool;            /* what is left of the work-item's memory for alloca, or NULL (lower_alloca.c) */
    LLVMValueRef pool_before;     /* the same as it was when the function was entered, or NULL */
    uint32_t base;                /* offset of the first entry of `locals` and `labels` */
    uint32_t at;                  /* offset of the instruction being lowered */
    uint32_t line;                /* the line of the last loc directive, or 0 */
    LLVMMetadataRef scope;        /* the scope of its lines in debug information, and ... */
    LLVMMetadataRef block;        /* ... the argument block in it, or NULL */
    VEC(LLVMMetadataRef) blocks;  /* argument blocks so far, in debug information */
    bool terminated;              /* the current block has its terminator */
    uint64_t arguments[32];       /* the variables of the source that are its arguments, by number */
    VEC(uint32_t) placed;         /* debug pragmas that place a variable for the whole function */
};

#define VALUE_OF(in, dim) ((in)->value[LANG_DIM_##dim])

/* lower.c */
void lower_open(struct lower *l, const struct program *program);
void lower_close(struct lower *l);
bool lower_program(struct lower *l);
#define lower_fail(l, name, ...) failure_record(&(l)->failure, name __VA_OPT__(, ) __VA_ARGS__)
bool lower_no_memory(struct lower *l);
const char *lower_string(struct lower *l, const struct brig_view *view, uint32_t name);

/* debug.c, debug_local.c: line tables and variables, if they are wanted; called before and after a program and a
 * function, at each loc and argument block, and when the function's entry block is complete */
void debug_open(struct lower *l);
void debug_close(struct lower *l);
void debug_enter(struct fn *f, const struct callable *c);
void debug_loc(struct fn *f, const hsa_brig_directive_loc_t *loc);
void debug_block(struct fn *f, bool begins);
void debug_leave(struct fn *f);
void debug_variables(struct fn *f, const struct callable *c);
void debug_globals(struct lower *l); /* when the program's variables are complete */
void debug_kernarg(struct fn *f, const struct lang_inst *load, LLVMValueRef value); /* at loads of arguments */
void debug_pragma(struct fn *f, uint32_t at);                                       /* at each pragma in a body */

/* lower_symbol.c: callables and variables of all modules, linked; needs no LLVM */
bool lower_symbols(struct lower *l);

/* lower_state.c: the name of a module, or NULL if memory is out; "&module::&name", or "&module#3::&name" if NUMBERED */
const char *lower_module_name(struct lower *l, uint32_t module);
const char *lower_name_in_module(struct lower *l, uint32_t module, const char *name, bool numbered);
bool lower_has_module_linkage(const struct variable *v); /* in global memory, and defined */

/* lower_linkage.c: what the loader is to know of module linkage */
bool lower_notes(struct lower *l);

/* lower_control.c */
bool lower_control_check(struct lower *l);
void lower_control_attributes(struct lower *l, const struct callable *kernel);
/* How many work-items a group may have in dimension DIM where C is executed. */
uint32_t lower_control_most_items(const struct callable *c, unsigned dim);
void lower_attribute(struct lower *l, LLVMValueRef function, const char *key, const char *value);

/* lower_alloca.c: private memory taken at run time; around a function, and as its body is scanned */
void lower_note_alloca(struct lower *l, struct callable *c, const struct lang_inst *in, uint32_t at);
void alloca_open(struct fn *f, const struct callable *c);
void alloca_leave(struct fn *f);

/* lower_graph.c: call graph, layout of group memory */
bool lower_graph(struct lower *l);

/* lower_share.c: divides the kernels of a program into L->shares shares */
void lower_shares(struct lower *l);

/* lower_global.c: global and readonly variables */
bool lower_globals(struct lower *l);
LLVMValueRef lower_addr_constant(struct lower *l, const struct lower_module *m,
                                 const hsa_brig_operand_constant_expression_t *expression);

/* lower_resource.c: the handle of an image or sampler that initializes a variable, as i64; NULL: it is refused */
LLVMValueRef lower_sampler_constant(struct lower *l, const hsa_ext_brig_operand_constant_sampler_t *is);
LLVMValueRef lower_image_constant(struct lower *l, const struct variable *v,
                                  const hsa_ext_brig_operand_constant_image_t *is);

/* lower_function.c */
bool lower_declare(struct lower *l, struct callable *callable);
bool lower_body(struct lower *l, uint32_t index);
struct failure *fn_failure(struct fn *f); /* records failures of an instruction */
#define fn_fail(f, name, ...) failure_record(fn_failure(f), name __VA_OPT__(, ) __VA_ARGS__)
bool fn_unsupported(struct fn *f, const struct lang_inst *in);
LLVMValueRef fn_alloca(struct fn *f, LLVMTypeRef type, uint32_t align);
/* A value of BITS bits from private memory that nothing has written. */
LLVMValueRef fn_unwritten(struct fn *f, unsigned bits);
LLVMBasicBlockRef fn_label(struct fn *f, uint32_t offset);
void fn_enter(struct fn *f, LLVMBasicBlockRef block); /* branches there and goes on in it */
void fn_return(struct fn *f);
struct callable *fn_callable(struct fn *f, uint32_t offset);
struct variable *fn_variable(struct fn *f, uint32_t offset);
/* How many bytes a variable has; for an array, all its elements. */
uint64_t lower_variable_size(const hsa_brig_directive_variable_t *variable);
uint32_t lower_align(unsigned alignment);

/* lower_operand.c: operands of an instruction */
LLVMValueRef lower_value(struct fn *f, uint32_t operand, unsigned type);
void lower_store(struct fn *f, uint32_t operand, unsigned type, LLVMValueRef value);
static inline LLVMValueRef lower_source(struct fn *f, const struct lang_inst *in, uint32_t index, unsigned type)
{
    return lower_value(f, in->operands.items[index], type);
}
static inline bool lower_dest(struct fn *f, const struct lang_inst *in, unsigned type, LLVMValueRef value)
{
    lower_store(f, in->operands.items[0], type, value);
    return true;
}
unsigned lower_operand_kind(struct fn *f, const struct lang_inst *in, uint32_t index);
/* The elements of a vector operand, or the operand alone. */
struct brig_list lower_elements(struct fn *f, const struct lang_inst *in, uint32_t index);
/* The pointer that an address operand gives in SEGMENT; ALIGN, unless NULL, is raised to what is known of it.
 */
LLVMValueRef lower_address(struct fn *f, const struct lang_inst *in, uint32_t index, unsigned segment, uint32_t *align);
enum space lower_space(unsigned segment);
unsigned lower_address_bits(unsigned segment); /* on the machine, whatever the model is */
/* Whether addresses have 32 bits in HSAIL; doc/decisions/small-model.md. */
static inline bool lower_is_small(const struct fn *f)
{
    return f->l->program->machine_model == HSA_MACHINE_MODEL_SMALL;
}
static inline bool lower_has_flat(struct fn *f)
{
    return target_generation(f->e->target) >= AMDGPU_GFX7;
}
LLVMValueRef lower_to_pointer(struct fn *f, LLVMValueRef address, unsigned segment);
LLVMValueRef lower_kernarg_base(struct fn *f);
uint64_t lower_immediate(struct fn *f, const struct lang_inst *in, uint32_t index); /* value of constant bytes */

LLVMValueRef lower_packet_field(struct fn *f, unsigned offset, unsigned bits); /* lower_dispatch.c */

/* lower_vendor.c: instructions of AMD's extensions; lower_vendor_float.c: those that compute with numbers */
bool lower_vendor(struct fn *f, const struct lang_inst *in);
bool lower_vendor_float(struct fn *f, const struct lang_inst *in);

/* ---- The functions of lower.def ---- */

/* Arithmetic: the operation on integers, and the one on floating point numbers. */
bool lower_arith(struct fn *f, const struct lang_inst *in, enum int_op integer, enum fp_op fp);

/* A native operation: the intrinsic, and what to do for doubles, which some intrinsics do not take. */
enum native { NATIVE_INTRINSIC, NATIVE_RCP, NATIVE_SQRT, NATIVE_RSQRT };
bool lower_native(struct fn *f, const struct lang_inst *in, const char *intrinsic, enum native wide);

/* Where the elements of the result come from: where an operand says, or alternately from one half of each source. */
enum shuffle { SHUFFLE_ANY, SHUFFLE_UNPACKHI, SHUFFLE_UNPACKLO };
bool lower_shuffle(struct fn *f, const struct lang_inst *in, enum shuffle shuffle);
bool lower_align_bits(struct fn *f, const struct lang_inst *in, unsigned scale); /* bits per unit of the amount */
bool lower_sad(struct fn *f, const struct lang_inst *in, bool high); /* HIGH: adds the sum to the upper half */
bool lower_segment_cast(struct fn *f, const struct lang_inst *in, bool to_flat);
bool lower_setdetect(struct fn *f, const struct lang_inst *in, bool set);

/* Whether the instruction has a destination, which receives the old value. */
bool lower_atomic(struct fn *f, const struct lang_inst *in, bool returns);
bool lower_signal(struct fn *f, const struct lang_inst *in, bool returns);

/* The operation (HSA_BRIG_ATOMIC_OPERATION_), and the place of the index in the queue. */
#define LOWER_QUEUE_READ (offsetof(amd_queue_t, read_dispatch_id))
#define LOWER_QUEUE_WRITE (offsetof(amd_queue_t, write_dispatch_id))
bool lower_queue(struct fn *f, const struct lang_inst *in, unsigned operation, uint32_t index);

/* What is added to the counts of an fbarrier, and whether that can open it. The upper half counts the members. */
#define LOWER_FBARRIER_MEMBER ((uint64_t)1 << 32)
bool lower_fbarrier_counts(struct fn *f, const struct lang_inst *in, uint64_t change, bool may_open);

/* A query: the function that answers it takes the dimension, or 0 if the instruction names none. */
typedef LLVMValueRef lower_query_fn(struct fn *f, unsigned dim);
bool lower_query(struct fn *f, const struct lang_inst *in, lower_query_fn *query);
/* The number of a position, x counting fastest and then the other dimensions, in a space of SIZE. */
bool lower_flat(struct fn *f, const struct lang_inst *in, lower_query_fn *position, lower_query_fn *size);
lower_query_fn query_absolute_id, query_clock, query_completion_signal, query_compute_unit, query_current_size,
    query_dimensions, query_grid_groups, query_grid_size, query_group_base, query_group_id, query_group_size,
    query_kernarg_address, query_lane, query_last_compute_unit, query_last_wave, query_local_id, query_packet_id,
    query_static_group_size, query_total_group_size, query_wave;

/* Functions that lower one opcode, or see from the instruction which of several it is. */
typedef bool lower_inst_fn(struct fn *f, const struct lang_inst *in);
lower_inst_fn lower_alloca, lower_barrier, lower_bitextract, lower_bitinsert, lower_bitmask, lower_bitrev,
    lower_bitselect, lower_br, lower_call, lower_cbr, lower_class, lower_cmov, lower_cmp, lower_combine, lower_cvt,
    lower_debugtrap, lower_expand, lower_firstbit, lower_getdetect, lower_icall, lower_imagefence, lower_initfbar,
    lower_lanecount, lower_laneid, lower_lanemask, lower_lanepermute, lower_lastbit, lower_ld, lower_lda, lower_ldf,
    lower_ldimage, lower_ldimage_level, lower_lerp, lower_memfence, lower_mov, lower_nfma, lower_nop, lower_nullptr,
    lower_pack, lower_packcvt, lower_popcount, lower_queryimage, lower_querysampler, lower_rdimage,
    lower_rdimage_gradients, lower_rdimage_level, lower_releasefbar, lower_ret, lower_sbr, lower_scall, lower_segmentp,
    lower_st, lower_stimage, lower_stimage_level, lower_unpack, lower_unpackcvt, lower_waitfbar, lower_wavebarrier;

#endif
