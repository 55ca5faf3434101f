/* SPDX-License-Identifier: MIT */
/* What the files of the model share: the module, memory, work-items. */
#ifndef TESTSUITE_HSAIL_MODEL_MODEL_PARTS_H
#define TESTSUITE_HSAIL_MODEL_MODEL_PARTS_H

#include "testsuite/hsail-model/alu.h"
#include "testsuite/hsail-model/model.h"

enum {
    MODEL_LANES = 64,         /* WAVESIZE */
    MODEL_MAPS = 16,          /* ranges of memory */
    MODEL_PRIVATE = 32 << 10, /* bytes of private memory of a work-item, for all its activations */
    MODEL_GROUP = 64 << 10,   /* bytes of group memory of a work-group */
    MODEL_GROUP_ITEMS = 1024, /* work-items of a work-group */
    MODEL_DEPTH = 64,         /* the most activations of a work-item */
    MODEL_STEPS = 4000000,    /* the most instructions that a work-group executes */
    MODEL_FBARRIERS = 32,
    MODEL_REGISTERS = 128
};

/* Where other segments than global are among flat addresses (which may be anywhere outside of the mappings), and the
 * null address of such a segment. */
#define MODEL_GROUP_APERTURE   UINT64_C(0x0001000000000000)
#define MODEL_PRIVATE_APERTURE UINT64_C(0x0002000000000000)
#define MODEL_GLOBALS          UINT64_C(0x0004000000000000)
#define MODEL_KERNARG          UINT64_C(0x0008000000000000)
#define MODEL_NULL_SEGMENT     UINT64_C(0xffffffff)

/* Bytes, and a mask of their undefined bits. */
struct model_memory {
    uint64_t base;
    size_t size;
    uint8_t *bytes, *undefined;
};

/* Where a variable is: an offset in its segment; for private, spill and arg, from the base of the frame. */
struct model_place {
    bool placed;
    uint32_t offset, size;
};

/* One activation of a kernel or function. */
struct model_frame {
    struct model_value registers[4][MODEL_REGISTERS]; /* by hsa_brig_register_kind_t */
    uint32_t executable;                              /* offset of its directive */
    uint32_t call;                                    /* the call that made it; 0 for the kernel */
    uint32_t base, top;                               /* begin and end of its bytes in private memory */
};

enum model_state { MODEL_RUNS, MODEL_AT_LANES, MODEL_AT_BARRIER, MODEL_AT_FBARRIER, MODEL_ENDED };

struct model_item {
    enum model_state state;
    uint32_t pc;
    uint32_t id[3], flat;
    struct model_memory private_;
    struct model_frame *frames[MODEL_DEPTH];
    unsigned depth;
    uint64_t member, arrived; /* the fbarriers of which it is a member, and at which it has arrived, as bits */
    unsigned waits_for;
};

struct model {
    const uint8_t *brig, *code, *data, *operands;
    uint32_t code_end;
    enum model_round round; /* the default of the module directive */
    bool large, any_payload;
    struct model_place *places; /* by code offset / 4 */
    uint32_t *frame_sizes;      /* size of an executable's frame, by code offset / 4 */
    struct model_memory maps[MODEL_MAPS];
    unsigned map_count;
    struct model_memory globals, kernarg, group;
    uint32_t globals_size, group_size;
    const struct model_dispatch *dispatch;
    uint32_t group_id[3];
    struct model_item *items;
    unsigned item_count;
    unsigned steps;
    enum model_status status;
    char reason[160];
    uint64_t counts[MODEL_OPCODES];
};

/* ---- module.c: the bytes of the module ------------------------------------------------------------- */

static inline const hsa_brig_base_t *model_code(const struct model *m, uint32_t offset)
{
    return (const hsa_brig_base_t *)(m->code + offset);
}

static inline const hsa_brig_base_t *model_operand(const struct model *m, uint32_t offset)
{
    return (const hsa_brig_base_t *)(m->operands + offset);
}

/* The bytes of an entry of hsa_data. */
const uint8_t *model_data(const struct model *m, uint32_t offset, uint32_t *count);

/* Item INDEX of the list at OFFSET in hsa_data, and how many there are. */
uint32_t model_listed(const struct model *m, uint32_t offset, unsigned index);
unsigned model_list_length(const struct model *m, uint32_t offset);

/* Operand INDEX of an instruction, or 0. */
uint32_t model_inst_operand(const struct model *m, const hsa_brig_inst_base_t *inst, unsigned index);

/* The directive of the kernel called NAME; 0 when there is none. */
uint32_t model_find_kernel(const struct model *m, const char *name);

/* Finds the sections and places all variables; false when there are too many. */
bool model_layout(struct model *m, const void *brig);
/* Writes the initial values of global and readonly variables. */
bool model_initialize(struct model *m);

/* The formal arguments of an executable: its input or output variables, in order. */
uint32_t model_formal(const struct model *m, uint32_t executable, bool output, unsigned index);

/* ---- model_memory.c -------------------------------------------------------------------------------------- */

bool model_memory_new(struct model_memory *memory, uint64_t base, size_t size, uint8_t undefined);
void model_memory_free(struct model_memory *memory);
struct model_value model_read(const struct model_memory *memory, size_t offset, unsigned size);
void model_write(struct model_memory *memory, size_t offset, unsigned size, struct model_value value);

/* The memory in which the SIZE bytes at ADDRESS of SEGMENT are, and where in it; NULL, with a status, if there is none.
 */
struct model_memory *model_locate(struct model *m, struct model_item *item, unsigned segment, uint64_t address,
                                  unsigned size, size_t *offset);

/* The address that an address operand has in its segment; false, with a status, if it is undefined. */
bool model_address(struct model *m, struct model_item *item, unsigned segment, uint32_t operand, uint64_t *address);

/* Convert between flat addresses and those of a segment, null included. */
uint64_t model_to_flat(unsigned segment, uint64_t address);
uint64_t model_to_segment(unsigned segment, uint64_t flat);
bool model_is_in_segment(unsigned segment, uint64_t flat);

/* ---- operand.c ------------------------------------------------------------------------------------- */

static inline struct model_frame *model_top(struct model_item *item)
{
    return item->frames[item->depth - 1];
}

/* The value of a source operand: register, constant or WAVESIZE; INDEX chooses from a list. */
struct model_value model_source(struct model *m, struct model_item *item, uint32_t operand, unsigned index);
unsigned model_vector_length(const struct model *m, uint32_t operand);

/* Writes VALUE of TYPE to a destination operand, or to element INDEX of a list. */
void model_destination(struct model *m, struct model_item *item, uint32_t operand, unsigned index, unsigned type,
                       struct model_value value);

/* The value of a constant expression: an address or null. */
struct model_value model_expression(struct model *m, struct model_item *item, uint32_t operand);

/* ---- execution ------------------------------------------------------------------------------------- */

/* Ends the run. */
bool model_stop(struct model *m, enum model_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Executes the instruction at item->pc and moves on; false when the run stops. */
bool model_step(struct model *m, struct model_item *item);
bool model_step_memory(struct model *m, struct model_item *item, const hsa_brig_inst_base_t *inst);
bool model_step_control(struct model *m, struct model_item *item, const hsa_brig_inst_base_t *inst);
bool model_step_special(struct model *m, struct model_item *item, const hsa_brig_inst_base_t *inst);

/* Executes a cross-lane instruction for the lanes of ACTIVE, which are all at the same instruction. */
bool model_step_lanes(struct model *m, struct model_item **lanes, uint64_t active);

/* Begins an activation of EXECUTABLE. */
bool model_enter(struct model *m, struct model_item *item, uint32_t executable, uint32_t call);

/* Runs all work-items of the group, which are m->items. */
bool model_run_group(struct model *m);

#endif
