/* SPDX-License-Identifier: MIT */
/* What the tables say about types, words, opcodes and their modifiers, and a decoded instruction.
 *
 * All of it is constant after the first call; every function is thread safe. */
#ifndef BRIG_LANGUAGE_H
#define BRIG_LANGUAGE_H

#include "brig/module_builder.h"
#include "brig/module.h"

/* ---- Enumerations and their words ------------------------------------------------------------------ */

/* The sets of value.def, LANG_SET_ALIGNMENT, ..., one for each ENUM there; and the types as one more. */
enum lang_set {
    LANG_SET_NONE,
#define ENUM(prefix, name, set) LANG_SET_##set,
#include "brig/tables/value.def"
    LANG_SET_TYPE,
    LANG_SET_MODIFIER, /* names of modifiers that take an argument; the code is an enum lang_dim */
    LANG_SET_VECTOR,   /* v2, v3, v4; the code is the length */
    LANG_SET_COUNT
};

/* How text spells a value; "" when it has no word for it, NULL when there is no such value. */
const char *lang_value_text(enum lang_set set, uint32_t code);

/* The enumerator's name in hsail/brig.h; NULL when there is no such value. */
const char *lang_value_name(enum lang_set set, uint32_t code);

/* A set of values is kept as the bits of a uint64_t; the values of vendors, which start at 128, have the last eight
 * bits. 0 for a value that has no bit. */
static inline uint64_t lang_value_bit(uint32_t code)
{
    uint32_t bit = code < 128 ? code : code - 128 + 56;
    return code < 56 || (code >= 128 && bit < 64) ? UINT64_C(1) << bit : 0;
}

/* The value of bit BIT of such a set. */
static inline uint32_t lang_value_of_bit(unsigned bit)
{
    return bit < 56 ? bit : bit - 56 + 128;
}

/* The bits that FLAGs of the set define; 0 for a set of values. */
uint32_t lang_flags(enum lang_set set);

/* A word that follows an underscore in a mnemonic, or stands in parentheses. */
struct lang_word {
    const char *text;
    uint8_t length;
    bool longer;   /* another word begins with this one and an underscore (pp, pp_sat); try that first */
    uint8_t count; /* meanings: at most one per set; 0 for the beginning of words that is no word itself (wait) */
    struct {
        uint8_t set;
        uint16_t code;
    } meaning[4];
};

/* The word, or NULL. */
const struct lang_word *lang_word(const char *text, size_t length);

/* Whether the word means something in SET, and what. WORD may be NULL. */
static inline bool lang_word_means(const struct lang_word *word, enum lang_set set, uint32_t *code)
{
    for (unsigned i = 0; word && i < word->count; i++)
        if (word->meaning[i].set == set) {
            *code = word->meaning[i].code;
            return true;
        }
    return false;
}

/* The number of a name that pragmas may use without a declaration (pragma.def), from 0 on; -1 for any other name. */
#define LANG_PLACEHOLDERS 3
int lang_placeholder(const void *name, size_t length);
extern const char *const lang_placeholder_names[LANG_PLACEHOLDERS];

/* ---- Types ----------------------------------------------------------------------------------------- */

/* Dense numbers of the types that are no arrays, for sets of types as bits of a uint64_t: LANG_TYPE_U8, ..., one for
 * each row of type.def. */
enum lang_type_index {
#define TYPE(name, code, text, class_, element, count, bits) LANG_TYPE_##name,
#include "brig/tables/type.def"
    LANG_TYPE_COUNT
};

enum lang_type_class {
    LANG_CLASS_NONE,
    LANG_CLASS_UNSIGNED,
    LANG_CLASS_SIGNED,
    LANG_CLASS_FLOAT,
    LANG_CLASS_BIT,
    LANG_CLASS_SAMPLER,
    LANG_CLASS_IMAGE,
    LANG_CLASS_SIGNAL
};

struct lang_type {
    const char *text;
    uint16_t code;
    uint16_t element; /* code of the element type of a packed type, or the type itself */
    uint8_t class_;   /* enum lang_type_class */
    uint8_t count;    /* elements; 1 when not packed */
    uint8_t bits;     /* of a value; 1 for b1 */
    uint8_t index;    /* enum lang_type_index */
    bool array;       /* arrays of it exist */
};

/* The row of a type, of its element type when CODE is an array type; NULL when there is no such type. */
const struct lang_type *lang_type(uint32_t code);

/* The row with a dense number below LANG_TYPE_COUNT. */
const struct lang_type *lang_type_at(unsigned index);

static inline bool lang_type_is_array(uint32_t code)
{
    return code & HSA_BRIG_TYPE_CLASS_ARRAY;
}

static inline bool lang_type_is_packed(uint32_t code)
{
    return code & HSA_BRIG_TYPE_CLASS_PACK_MASK;
}

/* Bytes of one value, or of one element when CODE is an array type; 1 for b1, 0 when there is no such type. */
uint32_t lang_type_size(uint32_t code);

/* ---- Instructions ---------------------------------------------------------------------------------- */

/* The modifiers: LANG_DIM_TYPE, ..., one for each DIM of slot.def. */
enum lang_dim {
#define DIM(name, text, spelling, set, mask) LANG_DIM_##name,
#include "brig/tables/slot.def"
    LANG_DIM_COUNT
};

enum lang_spelling { LANG_SPELLING_WORD, LANG_SPELLING_ARGUMENT, LANG_SPELLING_NUMBER, LANG_SPELLING_VECTOR };

struct lang_dim_info {
    const char *text; /* the word before the parenthesis, for those with an argument; else for messages */
    uint8_t spelling; /* enum lang_spelling */
    uint8_t set;      /* enum lang_set its words belong to */
    uint8_t mask;     /* of its flag, or 0 */
};

const struct lang_dim_info *lang_dim(enum lang_dim dim);

/* How the modifiers of an opcode follow each other: LANG_FORM_MOD, ..., one for each FORM of slot.def. */
enum lang_form {
#define FORM(name, kind, short_kind) LANG_FORM_##name,
#include "brig/tables/slot.def"
    LANG_FORM_COUNT
};

enum lang_presence { LANG_REQUIRED, LANG_OPTIONAL, LANG_FIXED, LANG_SAME };

struct lang_slot {
    uint8_t dim;       /* enum lang_dim */
    uint8_t presence;  /* enum lang_presence */
    uint16_t fallback; /* value when not written, or one of the codes below */
    uint8_t offset;    /* of the field in the entry */
    uint8_t width;     /* of the field; 0: kept elsewhere */
    uint8_t mask;      /* of the modifier's flag in the field, or 0 */
};

/* Fallbacks that depend on more than the form. */
#define LANG_FALLBACK_ROUND_FLOAT 0x100    /* FLOAT_DEFAULT for a float type, else NONE */
#define LANG_FALLBACK_ROUND_CVT 0x101      /* by the two types of a conversion */
#define LANG_FALLBACK_SEGMENT_ALLOCA 0x102 /* PRIVATE in BRIG 1.0, else NONE */

/* The slots of a form, in the order of the text. */
const struct lang_slot *lang_slots(enum lang_form form, unsigned *count);

/* Dense numbers of the opcodes: those of HSAIL, which are their codes, then those of vendors: LANG_OP_ADD, ...,
 * LANG_OP_AMD_GCN_MADU, ..., one for each row of opcode.def. */
enum lang_op_index {
#define OP(name, code, text, form, operands, rules, section) LANG_OP_##name,
#include "brig/tables/opcode.def"
    LANG_OP_COUNT_OF_HSAIL,
    LANG_OP_BEFORE_VENDORS = LANG_OP_COUNT_OF_HSAIL - 1,
#define OP_VENDOR(vendor, name, code, text, form, operands, rules, extension) LANG_OP_##vendor##_##name,
#include "brig/tables/opcode.def"
    LANG_OP_COUNT
};

struct lang_op {
    const char *text;      /* mnemonic */
    const char *operands;  /* a letter per operand, see opcode.def */
    const char *section;   /* PRM section */
    const char *extension; /* that it needs, of a vendor; NULL for those of HSAIL */
    uint16_t index;        /* enum lang_op_index */
    uint16_t code;         /* hsa_brig_opcode_t */
    uint16_t kind;         /* hsa_brig_kind_t that holds every modifier */
    uint16_t short_kind;   /* ... and that suffices when none is written */
    uint8_t form;          /* enum lang_form */
    uint8_t length;        /* of TEXT */
    uint8_t operand_count; /* of OPERANDS, `+` counted as one */
};

/* The row of an opcode; NULL when there is none. */
const struct lang_op *lang_op(uint32_t code);

/* The row with a dense number below LANG_OP_COUNT. */
const struct lang_op *lang_op_at(unsigned index);

/* The opcode with this mnemonic, or NULL. */
const struct lang_op *lang_op_find(const char *text, size_t length);

enum lang_user { USER_ATOMIC = 1, USER_ATOMICNORET = 2, USER_SIGNAL = 4, USER_SIGNALNORET = 8 };

struct lang_operation {
    uint8_t sources; /* operands for `+` */
    uint8_t users;   /* sum of enum lang_user */
};

/* The row of an atomic or signal operation; NULL when there is none. */
const struct lang_operation *lang_operation(uint32_t code);

/* The user bit of an opcode; 0 when it takes no operation. */
unsigned lang_operation_user(uint32_t opcode);

#define LANG_NOT_WRITTEN 0xffff
#define LANG_MAX_OPERANDS 6 /* of any opcode */

/* A decoded instruction. The value of a modifier is as in BRIG: a type code, an alignment code, a width code,
 * 0 or 1 for a flag, an equivalence class; VECTOR is the length, 0 for no vector. Modifiers that the form does
 * not have are 0. */
struct lang_inst {
    const struct lang_op *op;
    uint16_t kind;                  /* of the entry */
    uint16_t value[LANG_DIM_COUNT]; /* by enum lang_dim */
    struct brig_list operands;      /* offsets in hsa_operand; points into the view, or to the caller's array */
};

/* Starts an instruction of OP: nothing written, no operands. */
void lang_begin(struct lang_inst *inst, const struct lang_op *op);

/* Fills in what was not written, by the rules of BRIG 1:BRIG_MINOR, and chooses the kind of the entry. */
void lang_complete(struct lang_inst *inst, uint32_t brig_minor);

/* Appends a completed instruction's entry to hsa_code and, as last step, its operand list to hsa_data. The
 * entry is to come before the operands, so the caller makes room with lang_reserve(), appends the operands, and
 * calls lang_store() with that offset. */
uint32_t lang_reserve(struct brig_builder *builder, const struct lang_inst *inst);
void lang_store(struct brig_builder *builder, uint32_t offset, const struct lang_inst *inst);

/* Decodes the instruction at OFFSET. False when there is no such opcode or the entry is not of its kind, neither
 * of which brig_open() lets pass. Of an unopened view, the entry and its list must have been checked. */
bool lang_load(const struct brig_view *view, uint32_t offset, struct lang_inst *inst);

/* What the modifier of SLOT is when it is not written; the types of INST are known. */
uint16_t lang_default(const struct lang_inst *inst, const struct lang_slot *slot, uint32_t brig_minor);

/* Whether addresses of a segment have 32 bits, by the machine model of the module (PRM 2.9, Table 2-3). */
bool lang_segment_is_narrow(uint32_t segment, bool large);

/* How many operands the instruction has to have. */
unsigned lang_operand_count(const struct lang_inst *inst);

/* The letter of opcode.def for operand INDEX, `+` resolved to `s`; 0 after the last. */
char lang_operand_letter(const struct lang_inst *inst, unsigned index);

/* Which operand in the text operand INDEX of BRIG is; messages count as text does. In text, a call names its target
 * first.
 */
static inline unsigned lang_operand_place(const struct lang_op *op, unsigned index)
{
    return *op->operands == 'o' && index < 2 ? 1 - index : index;
}

/* The operand whose length is the modifier VECTOR: the first one that may be a vector; op->operand_count when none
 * may be. */
unsigned lang_vector_index(const struct lang_op *op);

/* How many elements operand INDEX of an instruction has; 0 for one that is no vector or not there. At the index above
 * it is the modifier VECTOR, which no field of an entry holds. */
uint16_t lang_vector_length(const struct brig_view *view, struct brig_list operands, unsigned index);

/* What of an instruction's mnemonic HSAIL 1:0 does not have; NULL when it has all of it. */
const char *lang_needs_1_2(const struct lang_inst *inst);

/* The sizes of an image of a geometry besides its width, one bit each; 0 for a geometry that does not exist. */
enum lang_image_size { LANG_IMAGE_HEIGHT = 1, LANG_IMAGE_DEPTH = 2, LANG_IMAGE_ARRAY = 4 };
unsigned lang_image_sizes(uint32_t geometry);

#endif
