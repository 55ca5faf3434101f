/* SPDX-License-Identifier: MIT */
/* One instruction: its modifiers by rule.def, then what no row says (PRM chapters 5-11).
 * Input: an instruction entry of an opened module. Output: diagnostics. Invariant: one finding per instruction and
 * step; operands are looked at only when the modifiers are legal, since their types follow from those. */
#include "brig/meaning_p.h"

#include <stdio.h>

/* The rule of the diagnostic for each dimension. */
static const struct diag_rule *dim_rule(unsigned dim)
{
    switch (dim) {
    case RULE_DIM_TYPE: return DIAG_RULE(INST_TYPE);
    case RULE_DIM_SOURCE: return DIAG_RULE(INST_SOURCE);
    case RULE_DIM_COORD: return DIAG_RULE(INST_COORD);
    case RULE_DIM_VECTOR: return DIAG_RULE(INST_VECTOR);
    case RULE_DIM_SEGMENT: return DIAG_RULE(INST_SEGMENT);
    case RULE_DIM_CONST: return DIAG_RULE(INST_CONST);
    case RULE_DIM_FTZ: return DIAG_RULE(INST_FTZ);
    case RULE_DIM_ROUND: return DIAG_RULE(INST_ROUND);
    case RULE_DIM_PACK: return DIAG_RULE(INST_PACK);
    case RULE_DIM_SAT: return DIAG_RULE(INST_SAT);
    case RULE_DIM_COMPARE: return DIAG_RULE(INST_COMPARE);
    case RULE_DIM_ORDER: return DIAG_RULE(INST_ORDER);
    case RULE_DIM_SCOPE: return DIAG_RULE(INST_SCOPE);
    case RULE_DIM_GEOMETRY: return DIAG_RULE(INST_GEOMETRY);
    case RULE_DIM_QUERY: return DIAG_RULE(INST_QUERY);
    case RULE_DIM_OPERATION: return DIAG_RULE(INST_OPERATION);
    case RULE_DIM_PROFILE:
    case RULE_DIM_MODEL: return DIAG_RULE(INST_PROFILE);
    default: return DIAG_RULE(INST_SHAPE);
    }
}

/* The value that broke the rule, in words. */
static const char *present_value(const struct meaning *v, const struct lang_inst *inst, unsigned dim, char *text,
                                 size_t size)
{
    switch (dim) {
    case RULE_DIM_TYPE:
    case RULE_DIM_SOURCE:
    case RULE_DIM_COORD: return meaning_type_text(inst->value[dim]);
    case RULE_DIM_PROFILE: return v->module.profile == HSA_BRIG_PROFILE_FULL ? "$full" : "$base";
    case RULE_DIM_MODEL: return v->module.model == HSA_BRIG_MACHINE_MODEL_LARGE ? "$large" : "$small";
    case RULE_DIM_SHAPE: return meaning_type_text(inst->value[LANG_DIM_TYPE]);
    default: rule_describe(dim, UINT64_C(1) << (inst->value[dim] & 63), text, size); return text;
    }
}

static void report_modifier(struct meaning *v, uint32_t at, const struct lang_inst *inst,
                            const struct rule_verdict *verdict)
{
    char is[32], allowed[160], hint[80] = "";
    unsigned dim = verdict->dim == RULE_DIM_SHAPE ? (unsigned)RULE_DIM_SOURCE : verdict->dim;
    struct diag_part part = dim < RULE_DIM_PROFILE ? brig_part(BRIG_PART_MODIFIER, dim, 0) : (struct diag_part){0};
    rule_describe(verdict->dim, verdict->allowed, allowed, sizeof allowed);
    if (dim == RULE_DIM_SAT && !inst->value[LANG_DIM_SAT])
        snprintf(hint, sizeof hint, "; write %s_sat_%s, or %s_%c32", inst->op->text,
                 meaning_type_text(inst->value[LANG_DIM_TYPE]), inst->op->text,
                 *meaning_type_text(inst->value[LANG_DIM_TYPE]));
    v->invalid = true;
    v->findings++;
    diag_report(v->diag, dim_rule(verdict->dim), diag_in_code(at, part), inst->op->text,
                present_value(v, inst, verdict->dim, is, sizeof is), (const char *)allowed, (const char *)hint);
}

/* An operand that is a constant integer; false when it is something else. */
static bool constant_value(const struct meaning *v, uint32_t operand, uint64_t *value)
{
    const hsa_brig_operand_constant_bytes_t *constant = OPERAND_AS(v, hsa_brig_operand_constant_bytes_t, operand);
    if (constant->base.kind != HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES)
        return false;
    struct bytes bytes = brig_bytes(v->view, constant->bytes);
    *value = 0;
    memcpy(value, bytes.data, bytes.size < sizeof *value ? bytes.size : sizeof *value);
    return true;
}

static void check_range(struct meaning *v, uint32_t at, const struct lang_inst *inst, unsigned index, uint64_t most)
{
    uint64_t value;
    struct diag_part before = meaning_part(v, BRIG_PART_OPERAND, index, 0);
    if (constant_value(v, inst->operands.items[index], &value) && value > most)
        MEANING_FAIL(v, OPERAND_RANGE, at, index, inst->op->text, value, most);
    v->part = before;
}

/* Checks the length of a vector of an image instruction, which the geometry decides. */
static void check_length(struct meaning *v, uint32_t at, const struct lang_inst *inst, unsigned index,
                         unsigned expected)
{
    uint32_t operand = inst->operands.items[index], count = 1;
    if (brig_operand(v->view, operand)->kind == HSA_BRIG_KIND_OPERAND_OPERAND_LIST)
        count = brig_list(v->view, OPERAND_AS(v, hsa_brig_operand_operand_list_t, operand)->elements).count;
    struct diag_part before = meaning_part(v, BRIG_PART_OPERAND, index, 0);
    if (count != expected)
        MEANING_FAIL(v, IMAGE_COORDINATES, at, inst->op->text,
                     lang_value_text(LANG_SET_IMAGE_GEOMETRY, inst->value[LANG_DIM_GEOMETRY]), count, expected);
    v->part = before;
}

static void check_coordinates(struct meaning *v, uint32_t at, const struct lang_inst *inst)
{
    uint32_t geometry = inst->value[LANG_DIM_GEOMETRY];
    unsigned index = (unsigned)(strchr(inst->op->operands + 1, 'V') - inst->op->operands);
    unsigned sizes = lang_image_sizes(geometry), coordinates = 1u + (unsigned)__builtin_popcount(sizes);
    check_length(v, at, inst, index, coordinates);
    /* After the coordinates come the gradients, which have none for the layers of an array. */
    while (inst->op->operands[++index] == 'V')
        check_length(v, at, inst, index, coordinates - (sizes & LANG_IMAGE_ARRAY ? 1 : 0));
}

/* Warns of a constant that is stored in an image: the text of the document allows it, its chapter 18 does not. */
static void check_stored(struct meaning *v, uint32_t at, const struct lang_inst *inst)
{
    uint32_t kind = brig_operand(v->view, inst->operands.items[0])->kind;
    struct diag_part before = meaning_part(v, BRIG_PART_OPERAND, 0, 0);
    if (kind != HSA_BRIG_KIND_OPERAND_REGISTER && kind != HSA_BRIG_KIND_OPERAND_OPERAND_LIST)
        MEANING_WARN(v, STORED_CONSTANT, at, inst->op->text);
    v->part = before;
}

/* Warns of a constant index that is too large for the list that is the last operand. */
static void check_index(struct meaning *v, uint32_t at, const struct lang_inst *inst, unsigned index)
{
    uint64_t value;
    uint32_t list = inst->operands.items[inst->operands.count - 1];
    uint32_t count = brig_list(v->view, OPERAND_AS(v, hsa_brig_operand_code_list_t, list)->elements).count;
    struct diag_part before = meaning_part(v, BRIG_PART_OPERAND, index, 0);
    if (constant_value(v, inst->operands.items[index], &value) && value >= count)
        MEANING_WARN(v, LIST_INDEX, at, value, count);
    v->part = before;
}

/* Checks a vector that has to be as long as the first one of the instruction. */
static void check_second_vector(struct meaning *v, uint32_t at, const struct lang_inst *inst, unsigned index)
{
    uint32_t list = OPERAND_AS(v, hsa_brig_operand_operand_list_t, inst->operands.items[index])->elements;
    struct diag_part before = meaning_part(v, BRIG_PART_OPERAND, index, 0);
    if (brig_list(v->view, list).count != inst->value[LANG_DIM_VECTOR])
        MEANING_FAIL(v, INST_VECTOR, at, inst->op->text, "another length", "the length of the destination");
    v->part = before;
}

/* Warns of what HSAIL 1.0 tools let modules of 1:0 do, although the document does not allow it. */
static void check_small_atomic(struct meaning *v, uint32_t at, const struct lang_inst *inst)
{
    if (v->module.model == HSA_BRIG_MACHINE_MODEL_SMALL && lang_type_size(inst->value[LANG_DIM_TYPE]) > 4)
        MEANING_WARN(v, SMALL_ATOMIC, at, inst->op->text);
}

/* Checks what is particular to an opcode. */
static void check_particular(struct meaning *v, uint32_t at, const struct lang_inst *inst)
{
    switch (inst->op->code) {
    case HSA_BRIG_OPCODE_UNPACKCVT: check_range(v, at, inst, 2, 3); break;
    case HSA_BRIG_OPCODE_CURRENTWORKGROUPSIZE:
    case HSA_BRIG_OPCODE_GRIDGROUPS:
    case HSA_BRIG_OPCODE_GRIDSIZE:
    case HSA_BRIG_OPCODE_WORKGROUPID:
    case HSA_BRIG_OPCODE_WORKGROUPSIZE:
    case HSA_BRIG_OPCODE_WORKITEMABSID:
    case HSA_BRIG_OPCODE_WORKITEMID: check_range(v, at, inst, 1, 2); break;
    case HSA_BRIG_OPCODE_ATOMIC:
    case HSA_BRIG_OPCODE_ATOMICNORET: check_small_atomic(v, at, inst); break;
    case HSA_BRIG_OPCODE_RDIMAGE:
    case HSA_BRIG_OPCODE_LDIMAGE:
    case HSA_VEN_AMD_BRIG_OPCODE_MIPMAP_RDIMAGELOD:
    case HSA_VEN_AMD_BRIG_OPCODE_MIPMAP_RDIMAGEGRAD:
    case HSA_VEN_AMD_BRIG_OPCODE_MIPMAP_LDIMAGEMIP:
    case HSA_VEN_AMD_BRIG_OPCODE_MIPMAP_STIMAGEMIP: check_coordinates(v, at, inst); break;
    case HSA_BRIG_OPCODE_STIMAGE:
        check_stored(v, at, inst);
        check_coordinates(v, at, inst);
        break;
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_MQSAD4: check_second_vector(v, at, inst, 3); break;
    case HSA_BRIG_OPCODE_SBR:
        v->arg_branches = true;
        check_index(v, at, inst, 0);
        break;
    case HSA_BRIG_OPCODE_SCALL: check_index(v, at, inst, 1); break;
    case HSA_BRIG_OPCODE_CBR:
    case HSA_BRIG_OPCODE_BR: v->arg_branches = true; break;
    case HSA_BRIG_OPCODE_RET:
    case HSA_BRIG_OPCODE_ALLOCA:
        if (v->arg_block)
            MEANING_FAIL(v, ARG_BLOCK_STATEMENT, at, inst->op->text);
        break;
    default: break;
    }
}

static void check_types(struct meaning *v, uint32_t at, const struct lang_inst *inst)
{
    struct diag_part before = meaning_part(v, BRIG_PART_MODIFIER, LANG_DIM_TYPE, 0);
    meaning_type(v, at, inst->value[LANG_DIM_TYPE]);
    v->part.index = LANG_DIM_SOURCE;
    if (inst->value[LANG_DIM_SOURCE])
        meaning_type(v, at, inst->value[LANG_DIM_SOURCE]);
    v->part = before;
    bool image_op = inst->op->code >= HSA_BRIG_OPCODE_RDIMAGE && inst->op->code <= HSA_BRIG_OPCODE_QUERYSAMPLER;
    if (image_op && !v->image)
        MEANING_FAIL(v, EXTENSION_IMAGE, at, inst->op->text);
    if (inst->op->extension && !meaning_has_extension(v, inst->op->extension))
        MEANING_FAIL(v, EXTENSION_VENDOR, at, inst->op->text, inst->op->extension);
}

/* Checks what does not depend on the operands; a mnemonic without a finding is not checked again. */
static bool check_modifiers(struct meaning *v, uint32_t at, struct brig_mnemonic *mnemonic)
{
    if (mnemonic->passed)
        return true;
    size_t before = v->findings;
    check_types(v, at, &mnemonic->inst);
    struct rule_verdict verdict = rule_check(&v->module, &mnemonic->inst);
    if (!verdict.ok)
        report_modifier(v, at, &mnemonic->inst, &verdict);
    else
        meaning_version(v, at, lang_needs_1_2(&mnemonic->inst));
    mnemonic->passed = v->findings == before;
    return verdict.ok;
}

void meaning_inst(struct meaning *v, uint32_t at)
{
    struct brig_mnemonic *mnemonic = brig_mnemonic(&v->mnemonics, v->view, at);
    if (!mnemonic)
        return;
    const struct lang_inst *inst = &mnemonic->inst;
    bool legal = check_modifiers(v, at, mnemonic);
    if (inst->op->code >= HSA_BRIG_OPCODE_CALL && inst->op->code <= HSA_BRIG_OPCODE_ICALL)
        meaning_call(v, at, inst);
    if (!legal)
        return;
    meaning_operands(v, at, mnemonic);
    check_particular(v, at, inst);
}
