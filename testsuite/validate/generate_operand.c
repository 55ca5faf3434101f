/* SPDX-License-Identifier: MIT */
/* Operands of generated instructions, right ones of every kind and wrong ones (PRM 4.16 to 4.18, 18.7).
 * Input: a completed instruction and the number of an operand. Output: its entry in hsa_operand. Invariant: if an
 * operand is wrong, nothing else in the module is. */
#include "brig/operand_type.h"
#include "testsuite/validate/generate.h"

#include <string.h>

hsa_brig_register_kind_t generate_register_kind(uint32_t type)
{
    const struct lang_type *row = lang_type(type);
    unsigned bits = row ? row->bits : 32;
    return bits == 1    ? HSA_BRIG_REGISTER_KIND_CONTROL
           : bits <= 32 ? HSA_BRIG_REGISTER_KIND_SINGLE
           : bits <= 64 ? HSA_BRIG_REGISTER_KIND_DOUBLE
                        : HSA_BRIG_REGISTER_KIND_QUAD;
}

static bool is_integer(const struct lang_type *type)
{
    return type->count == 1 && (type->class_ == LANG_CLASS_UNSIGNED || type->class_ == LANG_CLASS_SIGNED);
}

static bool is_image(const struct lang_type *type)
{
    return type->class_ == LANG_CLASS_IMAGE || type->class_ == LANG_CLASS_SAMPLER;
}

static bool takes_wavesize(const struct lang_type *type)
{
    return type->bits <= 64 &&
           (type->class_ == LANG_CLASS_UNSIGNED || type->class_ == LANG_CLASS_SIGNED || type->class_ == LANG_CLASS_BIT);
}

/* ---- Parts ----------------------------------------------------------------------------------------- */

static uint32_t put_register(struct brig_builder *b, uint32_t type, unsigned number)
{
    return brig_put_register(b, generate_register_kind(type), (uint16_t)number);
}

/* The type with which a constant for TYPE is stored; there are no constants for images. */
static uint16_t constant_type(const struct lang_type *type)
{
    static const uint16_t bits[] = {
        HSA_BRIG_TYPE_U8, HSA_BRIG_TYPE_U16, HSA_BRIG_TYPE_U32, HSA_BRIG_TYPE_U64, HSA_BRIG_TYPE_U8X16};
    if (is_image(type))
        return HSA_BRIG_TYPE_U32;
    if (type->class_ != LANG_CLASS_BIT)
        return type->code;
    return bits[type->bits <= 8 ? 0 : __builtin_ctz(type->bits) - 3];
}

static uint32_t put_constant(struct brig_builder *b, const struct lang_type *type, unsigned variant)
{
    uint8_t bytes[16] = {0};
    uint16_t stored = constant_type(type);
    for (unsigned i = 0; i < sizeof bytes && type->class_ != LANG_CLASS_SIGNAL; i++)
        bytes[i] = (uint8_t)(type->bits == 1 ? variant & 1 : variant * 37 + i * 11);
    return brig_put_constant(b, stored, bytes, lang_type_size(stored));
}

/* A register, a constant, another constant or WAVESIZE. */
static uint32_t put_source(struct brig_builder *b, const struct lang_type *type, unsigned number, unsigned variant)
{
    switch (is_image(type) ? 0 : variant % (3 + takes_wavesize(type))) {
    case 0: return put_register(b, type->code, number);
    case 3: return brig_put_wavesize(b);
    default: return put_constant(b, type, variant);
    }
}

static uint32_t put_ref(struct brig_builder *b, const struct generate_frame *frame, const char *name)
{
    return brig_put_code_ref(b, generate_symbol(frame, name));
}

static uint32_t put_list(struct brig_builder *b, const struct generate_frame *frame, const char *name, unsigned count)
{
    uint32_t items[4];
    for (unsigned i = 0; i < count && i < 4; i++)
        items[i] = generate_symbol(frame, name);
    return brig_put_code_list(b, items, count);
}

/* ---- Addresses ------------------------------------------------------------------------------------- */

static const char *symbol_of(const struct lang_inst *inst)
{
    const struct lang_type *type = lang_type(inst->value[LANG_DIM_TYPE]);
    if (type && (is_image(type) || type->class_ == LANG_CLASS_SIGNAL))
        return NULL; /* opaque types need a variable of their own type */
    switch (inst->value[LANG_DIM_SEGMENT]) {
    case HSA_BRIG_SEGMENT_GLOBAL: return "&g";
    case HSA_BRIG_SEGMENT_READONLY: return "&ro";
    case HSA_BRIG_SEGMENT_KERNARG: return "%ka";
    case HSA_BRIG_SEGMENT_GROUP: return "&grp";
    case HSA_BRIG_SEGMENT_PRIVATE: return "&priv";
    case HSA_BRIG_SEGMENT_SPILL: return "%sp";
    case HSA_BRIG_SEGMENT_ARG: return inst->op->code == HSA_BRIG_OPCODE_ST ? "%out" : "%in";
    default: return NULL;
    }
}

static hsa_brig_register_kind_t address_kind(const struct generate_frame *frame, const struct lang_inst *inst)
{
    bool large = brig_module_directive(&frame->view)->machine_model == HSA_BRIG_MACHINE_MODEL_LARGE;
    return lang_segment_is_narrow(inst->value[LANG_DIM_SEGMENT], large)
               ? HSA_BRIG_REGISTER_KIND_SINGLE
               : HSA_BRIG_REGISTER_KIND_DOUBLE;
}

static uint32_t put_address(struct brig_builder *b, const struct generate_frame *frame, const struct lang_inst *inst,
                            unsigned variant)
{
    static const int32_t offsets[] = {0, 12, -8, 0x7fffff00};
    const char *name = symbol_of(inst);
    hsa_brig_register_kind_t kind = address_kind(frame, inst);
    unsigned form = variant % (name ? 4 : 2); /* [reg+n], [n], [sym][reg+n], [sym][n] */
    uint64_t offset = (uint64_t)(int64_t)offsets[variant / 4 % 4];
    if (kind == HSA_BRIG_REGISTER_KIND_SINGLE)
        offset = (uint32_t)offset;
    uint32_t symbol = form >= 2 ? generate_symbol(frame, name) : 0;
    return brig_put_address(b, symbol, form % 2 ? 0 : brig_put_register(b, kind, 9), offset);
}

static uint32_t put_wrong_address(struct brig_builder *b, const struct generate_frame *frame,
                                  const struct lang_inst *inst, struct generate_wrong *wrong)
{
    hsa_brig_register_kind_t kind = address_kind(frame, inst);
    unsigned segment = inst->value[LANG_DIM_SEGMENT];
    switch (wrong->way) {
    case 0:
        wrong->what = "register of another size in the address";
        wrong->id = "address-register";
        kind = kind == HSA_BRIG_REGISTER_KIND_SINGLE ? HSA_BRIG_REGISTER_KIND_DOUBLE : HSA_BRIG_REGISTER_KIND_SINGLE;
        return brig_put_address(b, 0, brig_put_register(b, kind, 9), 4);
    case 1:
        wrong->what = "symbol of another segment";
        wrong->id = "address-segment";
        return brig_put_address(b, generate_symbol(frame, segment == HSA_BRIG_SEGMENT_GROUP ? "&g" : "&grp"), 0, 0);
    case 2:
        wrong->what = "register instead of an address";
        wrong->id = "brig-operand-kind";
        return brig_put_register(b, kind, 9);
    case 3:
        wrong->what = "fbarrier in the address";
        wrong->id = "brig-target";
        return brig_put_address(b, generate_symbol(frame, "&fb"), 0, 0);
    default: return 0;
    }
}

/* ---- Right operands -------------------------------------------------------------------------------- */

static unsigned coordinates(const struct lang_inst *inst)
{
    switch (inst->value[LANG_DIM_GEOMETRY]) {
    case HSA_EXT_BRIG_IMAGE_GEOMETRY_1D:
    case HSA_EXT_BRIG_IMAGE_GEOMETRY_1DB: return 0;
    case HSA_EXT_BRIG_IMAGE_GEOMETRY_3D:
    case HSA_EXT_BRIG_IMAGE_GEOMETRY_2DA:
    case HSA_EXT_BRIG_IMAGE_GEOMETRY_2DADEPTH: return 3;
    default: return 2;
    }
}

unsigned generate_elements(const struct lang_inst *inst, unsigned index)
{
    unsigned length = inst->value[LANG_DIM_VECTOR];
    if (!strchr("vwDV", lang_operand_letter(inst, index)))
        return 0;
    if (inst->op->form == LANG_FORM_IMAGE && index + 1 == lang_operand_count(inst))
        return coordinates(inst);
    return length > 1 ? length : 0;
}

static uint32_t put_vector(struct brig_builder *b, const struct lang_type *type, unsigned count, bool source,
                           unsigned variant)
{
    uint32_t items[8];
    for (unsigned i = 0; i < count && i < 8; i++)
        items[i] = put_source(b, type, 10 + i, source && variant ? variant + i : 0);
    return brig_put_operand_list(b, items, count);
}

static uint32_t put_small_number(struct brig_builder *b, uint16_t type, uint32_t number)
{
    uint32_t bytes[4] = {number};
    uint16_t stored = constant_type(lang_type(type));
    return brig_put_constant(b, stored, bytes, lang_type_size(stored));
}

uint32_t generate_operand(struct brig_builder *b, const struct generate_frame *frame, const struct lang_inst *inst,
                          unsigned index, unsigned variant)
{
    char letter = lang_operand_letter(inst, index);
    uint16_t code = lang_operand_type(inst, index);
    const struct lang_type *type = lang_type(code);
    unsigned count = generate_elements(inst, index);
    switch (letter) {
    case 'a': return put_address(b, frame, inst, variant);
    case 'n': return put_small_number(b, code, variant % 3);
    case 'l': return put_ref(b, frame, "@l");
    case 'L': return put_list(b, frame, "@l", 2);
    case 'o': return put_list(b, frame, "%o", 1);
    case 'i': return put_list(b, frame, "%i", 1);
    case 'f': return put_ref(b, frame, "&f");
    case 'F': return put_list(b, frame, "&f", 1);
    case 'g': return put_ref(b, frame, "&sig");
    case 'B': return put_ref(b, frame, "&fb");
    case 'b': return variant % 2 ? put_ref(b, frame, "&fb") : put_register(b, code, 1);
    case 'v':
    case 'w':
    case 'D':
    case 'V':
        if (count)
            return put_vector(b, type, count, letter == 'w' || letter == 'V', variant);
        break;
    default: break;
    }
    if (letter == 's' || letter == 'c' || letter == 'V')
        return put_source(b, type, 1 + index, variant);
    return put_register(b, code, 1 + index);
}

/* ---- Wrong operands -------------------------------------------------------------------------------- */

/* A constant that TYPE cannot have. */
static uint32_t put_wrong_constant(struct brig_builder *b, const struct lang_type *type)
{
    static const uint8_t zeros[8] = {0};
    bool four = type->bits == 32 && (is_integer(type) || type->class_ == LANG_CLASS_BIT);
    uint16_t other = four ? HSA_BRIG_TYPE_U64 : HSA_BRIG_TYPE_U32;
    return brig_put_constant(b, other, zeros, lang_type_size(other));
}

static hsa_brig_register_kind_t other_kind(uint32_t type)
{
    return (hsa_brig_register_kind_t)((generate_register_kind(type) + 1) % 4);
}

/* A scalar or an element that is wrong; if it were right, it would be register NUMBER. */
static uint32_t put_wrong_scalar(struct brig_builder *b, const struct lang_type *type, bool source,
                                 struct generate_wrong *wrong)
{
    static const uint8_t two = 2;
    switch (wrong->way) {
    case 0:
        wrong->what = "register of another kind";
        wrong->id = "operand-register";
        return brig_put_register(b, other_kind(type->code), 3);
    case 1:
        wrong->what = source ? "constant of another type" : "constant instead of a register";
        wrong->id = source ? "constant-type" : "brig-operand-kind";
        return source ? put_wrong_constant(b, type) : put_constant(b, type, 1);
    case 2:
        wrong->what = "WAVESIZE";
        wrong->id = source ? "operand-wavesize" : "brig-operand-kind";
        return source && takes_wavesize(type) ? 0 : brig_put_wavesize(b);
    case 3:
        wrong->what = "address instead of a value";
        wrong->id = "brig-operand-kind";
        return brig_put_address(b, 0, 0, 4);
    case 4:
        wrong->what = "2 for a b1";
        wrong->id = "b1-value";
        return source && type->bits == 1 ? brig_put_constant(b, HSA_BRIG_TYPE_U8, &two, 1) : 0;
    default: return 0;
    }
}

static uint32_t put_wrong_vector(struct brig_builder *b, const struct lang_inst *inst, const struct lang_type *type,
                                 char letter, unsigned count, struct generate_wrong *wrong)
{
    uint32_t items[5];
    bool source = letter == 'w' || letter == 'V';
    bool geometry = inst->op->form == LANG_FORM_IMAGE && letter == 'V' && wrong->operand > 0;
    for (unsigned i = 0; i < 5; i++)
        items[i] = put_register(b, type->code, 10 + i);
    if (wrong->way < 2) {
        wrong->what = wrong->way ? "a vector of five" : "a vector of another length";
        wrong->id = wrong->way ? "brig-vector"
                    : geometry ? "image-coordinates"
                    : inst->op->form == LANG_FORM_LD || inst->op->form == LANG_FORM_ST
                        ? NULL
                        : "inst-vector";
        return wrong->id ? brig_put_operand_list(b, items, wrong->way ? 5 : count == 2 ? 3 : 2) : 0;
    }
    if (wrong->way == 2) {
        wrong->what = "a register twice";
        wrong->id = "vector-repeats";
        items[1] = items[0];
        return source ? 0 : brig_put_operand_list(b, items, count);
    }
    wrong->way -= 3;
    items[count - 1] = put_wrong_scalar(b, type, source, wrong);
    wrong->way += 3;
    if (items[count - 1] && wrong->way == 6) /* the elements of a vector are checked as references */
        wrong->id = "brig-target";
    return items[count - 1] ? brig_put_operand_list(b, items, count) : 0;
}

static uint32_t put_wrong_number(struct brig_builder *b, const struct lang_inst *inst, uint16_t type,
                                 struct generate_wrong *wrong)
{
    bool ranged = inst->op->code != HSA_BRIG_OPCODE_SHUFFLE && inst->op->code != HSA_BRIG_OPCODE_CLEARDETECTEXCEPT &&
                  inst->op->code != HSA_BRIG_OPCODE_SETDETECTEXCEPT;
    switch (wrong->way) {
    case 0:
        wrong->what = "register instead of a number";
        wrong->id = "brig-operand-kind";
        return put_register(b, type, 1);
    case 1:
        wrong->what = "WAVESIZE instead of a number";
        wrong->id = "brig-operand-kind";
        return brig_put_wavesize(b);
    case 2:
        wrong->what = "constant of another type";
        wrong->id = "constant-type";
        return put_wrong_constant(b, lang_type(type));
    case 3:
        wrong->what = "too large a number";
        wrong->id = "operand-range";
        return ranged ? put_small_number(b, type, inst->op->code == HSA_BRIG_OPCODE_UNPACKCVT ? 4 : 3) : 0;
    default: return 0;
    }
}

/* A wrong name or list of names. */
static uint32_t put_wrong_name(struct brig_builder *b, const struct generate_frame *frame, char letter,
                               struct generate_wrong *wrong)
{
    bool list = strchr("LoiF", letter) != NULL, label = letter == 'l' || letter == 'L';
    switch (wrong->way) {
    case 0:
        wrong->what = "the name of something else";
        wrong->id = list ? "brig-target" : "brig-code-list"; /* lists never hold kernels */
        return list ? put_list(b, frame, "&k", 1) : put_ref(b, frame, "&k");
    case 1:
        wrong->what = "a register instead of a name";
        wrong->id = letter == 'b' ? "operand-register" : "brig-operand-kind";
        return brig_put_register(b, HSA_BRIG_REGISTER_KIND_DOUBLE, 1);
    case 2:
        wrong->what = label ? "a label of another function" : "too many names";
        wrong->id = label ? "brig-label-scope" : "arg-count";
        if (label)
            return list ? put_list(b, frame, "@other", 1) : put_ref(b, frame, "@other");
        return letter == 'o' || letter == 'i' ? put_list(b, frame, letter == 'o' ? "%o" : "%i", 2) : 0;
    default: return 0;
    }
}

uint32_t generate_wrong_operand(struct brig_builder *b, const struct generate_frame *frame,
                                const struct lang_inst *inst, struct generate_wrong *wrong)
{
    char letter = lang_operand_letter(inst, wrong->operand);
    uint16_t code = lang_operand_type(inst, wrong->operand);
    unsigned count = generate_elements(inst, wrong->operand);
    bool source = letter == 's' || letter == 'c' || letter == 'V';
    wrong->what = wrong->id = NULL;
    switch (letter) {
    case 'a': return put_wrong_address(b, frame, inst, wrong);
    case 'n': return put_wrong_number(b, inst, code, wrong);
    case 'v':
    case 'w': return put_wrong_vector(b, inst, lang_type(code), letter, count, wrong);
    case 'D':
    case 'V':
        if (count)
            return put_wrong_vector(b, inst, lang_type(code), letter, count, wrong);
        break;
    case 'd':
    case 'r':
    case 's':
    case 'c': break;
    default: return put_wrong_name(b, frame, letter, wrong);
    }
    return put_wrong_scalar(b, lang_type(code), source, wrong);
}
