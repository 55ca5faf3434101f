/* SPDX-License-Identifier: MIT */
/* Provokes every structural diagnostic (R78-R84) by one wrong field of the sample module, and tests what must be
 * tolerated. */
#include "brig/diag_rule.h"
#include "brig/item.h"
#include "support/alloc.h"
#include "testsuite/brig/sample.h"
#include "testsuite/tap.h"

#include <sys/mman.h>

enum { DATA, CODE, OPERAND, MODULE };

struct patch {
    const char *id; /* what must be reported; NULL: nothing */
    const char *name;
    unsigned section; /* MODULE: OFFSET counts from the start of the module */
    size_t entry;     /* offsetof() the entry's offset in struct sample; SIZE_MAX: 0 */
    size_t offset;    /* offset of the field in the entry */
    unsigned width;
    uint64_t value;
};

#define NO_ENTRY SIZE_MAX
#define HEADER(id, member, value)                                                                             \
    {id, "header." #member, MODULE, NO_ENTRY, offsetof(hsa_brig_module_header_t, member),                     \
     sizeof(((hsa_brig_module_header_t *)0)->member), value}
#define AT(id, section, entry, type, member, value)                                                           \
    {id, #entry "." #member, section, offsetof(struct sample, entry), offsetof(type##_t, member),             \
     sizeof(((type##_t *)0)->member), value}
#define LIST(id, name, entry, index, value) {id, name, OPERAND, offsetof(struct sample, entry), 100 + (index), 4, value}

static const struct patch patches[] = {
    {NULL, "nothing", MODULE, NO_ENTRY, 0, 1, 'H'},
    /* 78: container */
    {"brig-magic", "magic", MODULE, NO_ENTRY, 0, 1, 'h'},
    HEADER("brig-version", brig_major, 2),
    HEADER("brig-version", brig_minor, 3),
    HEADER(NULL, brig_minor, 1),
    HEADER("brig-byte-count", byte_count, 64),
    HEADER("brig-byte-count", byte_count, UINT64_MAX - 15),
    HEADER("brig-reserved", reserved, 1),
    HEADER("brig-section-count", section_count, 2),
    HEADER("brig-section-index", section_count, UINT32_MAX),
    HEADER("brig-section-index", section_index, 108),
    HEADER("brig-section-index", section_index, UINT64_MAX - 7),
    HEADER("brig-section-index", section_index, 0),
    {NULL, "hash", MODULE, NO_ENTRY, 30, 1, 9},
    {"brig-section-place", "index of hsa_data", MODULE, NO_ENTRY, 104, 8, 132},
    {"brig-section-place", "index of hsa_data", MODULE, NO_ENTRY, 104, 8, UINT64_MAX - 15},
    {"brig-section-place", "index of hsa_data", MODULE, NO_ENTRY, 104, 8, 0},
    {"brig-section-size", "hsa_data.byte_count", MODULE, NO_ENTRY, 128, 8, UINT64_MAX - 3},
    {"brig-section-size", "hsa_data.byte_count", MODULE, NO_ENTRY, 128, 8, 38},
    {"brig-section-size", "hsa_data.header_byte_count", MODULE, NO_ENTRY, 136, 4, 0xfffffffc},
    {"brig-section-size", "hsa_data.header_byte_count", MODULE, NO_ENTRY, 136, 4, 20},
    {"brig-section-size", "hsa_data.name_length", MODULE, NO_ENTRY, 140, 4, UINT32_MAX},
    {"brig-section-name", "hsa_data.name", MODULE, NO_ENTRY, 144, 1, 'H'},
    {"brig-section-name", "hsa_data.name_length", MODULE, NO_ENTRY, 140, 4, 7},
    {"brig-section-size", "hsa_data.header_byte_count", MODULE, NO_ENTRY, 136, 4, 26},
    /* 79: entries and fields */
    AT("brig-entry-size", CODE, ld, hsa_brig_base, byte_count, 16),
    AT("brig-entry-size", CODE, ld, hsa_brig_base, byte_count, 0),
    AT("brig-entry-size", CODE, ld, hsa_brig_base, byte_count, 21),
    AT("brig-entry-end", OPERAND, code_list, hsa_brig_base, byte_count, 0xfffc),
    AT("brig-entry-end", DATA, bytes_data, hsa_brig_data, byte_count, UINT32_MAX),
    AT("brig-entry-kind", CODE, ld, hsa_brig_base, kind, HSA_BRIG_KIND_OPERAND_REGISTER),
    AT("brig-entry-kind", CODE, ld, hsa_brig_base, kind, HSA_BRIG_KIND_INST_END),
    AT("brig-entry-kind", OPERAND, reg, hsa_brig_base, kind, 0),
    AT("brig-enum", CODE, ld, hsa_brig_inst_mem, segment, 9),
    AT("brig-enum", CODE, header, hsa_brig_directive_module, profile, 2),
    AT("brig-enum", CODE, header, hsa_brig_directive_module, default_float_round, HSA_BRIG_ROUND_NONE),
    AT("brig-enum", CODE, control, hsa_brig_directive_control, control, HSA_BRIG_CONTROL_DIRECTIVE_NONE),
    AT("brig-enum", OPERAND, reg, hsa_brig_operand_register, reg_kind, 4),
    AT("brig-vendor", CODE, ld, hsa_brig_inst_mem, segment, 129),
    AT("brig-vendor", CODE, ld, hsa_brig_inst_mem, base.opcode, 0xffff),
    AT("brig-flags", CODE, ld, hsa_brig_inst_mem, modifier, 4),
    AT("brig-flags", CODE, st, hsa_brig_inst_mem, modifier, HSA_BRIG_MEMORY_MODIFIER_CONST),
    AT("brig-type", CODE, ld, hsa_brig_inst_mem, base.type, 0x20),
    AT("brig-type", CODE, ld, hsa_brig_inst_mem, base.type, HSA_BRIG_TYPE_U32_ARRAY),
    AT("brig-type", CODE, global, hsa_brig_directive_variable, type, 0x100),
    AT("brig-reserved", CODE, ld, hsa_brig_inst_mem, reserved[2], 1),
    AT("brig-reserved", CODE, pad, hsa_brig_directive_variable, init, 1),
    AT("brig-missing", OPERAND, bytes, hsa_brig_operand_constant_bytes, bytes, 0),
    AT("brig-missing", OPERAND, code_ref, hsa_brig_operand_code_ref, ref, 0),
    AT("brig-offset", OPERAND, code_ref, hsa_brig_operand_code_ref, ref, 34),
    AT("brig-offset", OPERAND, code_ref, hsa_brig_operand_code_ref, ref, UINT32_MAX & ~3u),
    AT("brig-offset", OPERAND, code_ref, hsa_brig_operand_code_ref, ref, 4),
    AT("brig-offset", CODE, ld, hsa_brig_inst_mem, base.operands, UINT32_MAX & ~3u),
    AT("brig-offset", CODE, kernel, hsa_brig_directive_executable, name, 28),
    AT("brig-list-size", CODE, ld, hsa_brig_inst_mem, base.operands, 32),
    LIST("brig-element", "an element of a vector", vector, 2, 0),
    LIST("brig-element", "an element of a vector", vector, 2, UINT32_MAX),
    AT("brig-target", CODE, global, hsa_brig_directive_variable, init, 0xfffffff1),    /* the register */
    LIST("brig-target", "an element of a vector", vector, 1, 0xfffffff2),              /* the address */
    AT("brig-target", OPERAND, address, hsa_brig_operand_address, symbol, 0xfffffff3), /* a label */
    AT("brig-target", OPERAND, address, hsa_brig_operand_address, reg, 0xfffffff4),    /* a constant */
    /* 80: references */
    AT("brig-vector", OPERAND, vector, hsa_brig_operand_operand_list, elements, 0),
    /* 81: scopes */
    AT("brig-chain", CODE, kernel, hsa_brig_directive_executable, first_in_arg, 0xfffffff5),
    AT("brig-chain", CODE, kernel, hsa_brig_directive_executable, next_module_entry, 0xfffffff5),
    AT("brig-chain", CODE, kernel, hsa_brig_directive_executable, first_code_block_entry, 0xfffffff5),
    AT("brig-arg-count", CODE, kernel, hsa_brig_directive_executable, in_arg_count, 2),
    AT("brig-arg-count", CODE, function, hsa_brig_directive_executable, out_arg_count, 0),
    AT("brig-kernel-out", CODE, kernel, hsa_brig_directive_executable, out_arg_count, 1),
    AT("brig-body", CODE, kernel, hsa_brig_directive_executable, modifier, 0),
    AT("brig-arg-block", CODE, arg_start, hsa_brig_base, kind, HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_END),
    AT("brig-arg-block", CODE, arg_end, hsa_brig_base, kind, HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_START),
    AT("brig-arg-block", CODE, arg_end, hsa_brig_base, kind, HSA_BRIG_KIND_NONE),
    AT("brig-placement", CODE, far_label, hsa_brig_base, kind, HSA_BRIG_KIND_DIRECTIVE_EXTENSION),
    AT("brig-placement", CODE, extension, hsa_brig_base, kind, HSA_BRIG_KIND_DIRECTIVE_LABEL),
    AT("brig-loc", CODE, loc, hsa_brig_directive_loc, line, 0),
    AT("brig-loc", CODE, loc, hsa_brig_directive_loc, column, 0),
    AT("brig-pragma", CODE, pragma, hsa_brig_directive_pragma, operands, 0),
    /* 82, 84: symbols */
    AT("brig-definition", CODE, kernel_arg, hsa_brig_directive_variable, modifier, 0),
    AT("brig-linkage", CODE, image, hsa_brig_directive_variable, linkage, HSA_BRIG_LINKAGE_ARG),
    AT("brig-linkage", CODE, kernel, hsa_brig_directive_executable, linkage, HSA_BRIG_LINKAGE_NONE),
    AT("brig-linkage", CODE, signature, hsa_brig_directive_executable, linkage, HSA_BRIG_LINKAGE_MODULE),
    AT("brig-linkage", CODE, module_fbarrier, hsa_brig_directive_fbarrier, linkage, HSA_BRIG_LINKAGE_FUNCTION),
    AT("brig-linkage", CODE, kernel_arg, hsa_brig_directive_variable, linkage, HSA_BRIG_LINKAGE_PROGRAM),
    AT("brig-linkage", CODE, arg_in, hsa_brig_directive_variable, linkage, HSA_BRIG_LINKAGE_FUNCTION),
    AT("brig-definition", CODE, arg_in, hsa_brig_directive_variable, modifier, 0),
    AT("brig-definition", CODE, signature, hsa_brig_directive_executable, modifier, 0),
    AT("brig-flags", CODE, module_fbarrier, hsa_brig_directive_fbarrier, modifier,
       HSA_BRIG_VARIABLE_MODIFIER_DEFINITION | HSA_BRIG_VARIABLE_MODIFIER_CONST),
    AT("brig-allocation", CODE, arg_in, hsa_brig_directive_variable, allocation, HSA_BRIG_ALLOCATION_PROGRAM),
    AT("brig-allocation", CODE, global, hsa_brig_directive_variable, allocation, HSA_BRIG_ALLOCATION_NONE),
    AT("brig-variable-type", CODE, arg_in, hsa_brig_directive_variable, type, HSA_BRIG_TYPE_NONE),
    AT("brig-dim", CODE, kernel_arg, hsa_brig_directive_variable, dim.hi, 1),
    AT("brig-dim", CODE, kernel_arg, hsa_brig_directive_variable, type, HSA_BRIG_TYPE_U64_ARRAY),
    AT("brig-segment", CODE, arg_in, hsa_brig_directive_variable, segment, HSA_BRIG_SEGMENT_KERNARG),
    AT("brig-segment", CODE, image, hsa_brig_directive_variable, segment, HSA_BRIG_SEGMENT_SPILL),
    AT("brig-segment", CODE, image, hsa_brig_directive_variable, segment, HSA_BRIG_SEGMENT_ARG),
    AT("brig-segment", CODE, image, hsa_brig_directive_variable, segment, HSA_BRIG_SEGMENT_FLAT),
    AT("brig-init", CODE, kernel_arg, hsa_brig_directive_variable, init, 0xfffffff4),
    AT("brig-formal-segment", CODE, formal_in, hsa_brig_directive_variable, segment, HSA_BRIG_SEGMENT_KERNARG),
    AT("brig-formal-linkage", CODE, formal_in, hsa_brig_directive_variable, linkage, HSA_BRIG_LINKAGE_NONE),
    AT("brig-formal-linkage", CODE, kernel_arg, hsa_brig_directive_variable, linkage, HSA_BRIG_LINKAGE_NONE),
    AT("brig-formal-segment", CODE, kernel_arg, hsa_brig_directive_variable, segment, HSA_BRIG_SEGMENT_ARG),
    AT("brig-segment", CODE, arg_in, hsa_brig_directive_variable, segment, HSA_BRIG_SEGMENT_PRIVATE),
    AT("brig-allocation", CODE, global, hsa_brig_directive_variable, allocation, HSA_BRIG_ALLOCATION_AUTOMATIC),
    AT("brig-allocation", CODE, table, hsa_brig_directive_variable, allocation, HSA_BRIG_ALLOCATION_PROGRAM),
    AT("brig-variable-align", CODE, global, hsa_brig_directive_variable, align, HSA_BRIG_ALIGNMENT_NONE),
    AT("brig-variable-type", CODE, kernel_arg, hsa_brig_directive_variable, type, HSA_BRIG_TYPE_B1),
    AT("brig-dim", CODE, global, hsa_brig_directive_variable, dim.lo, 1),
    AT("brig-dim", CODE, table, hsa_brig_directive_variable, dim.lo, 0),
    AT("brig-init", CODE, global, hsa_brig_directive_variable, modifier, 0),
    AT("aggregate-size", OPERAND, zero, hsa_brig_operand_zero, zero_byte_count, UINT64_MAX - 8),
    AT("brig-init-size", OPERAND, zero, hsa_brig_operand_zero, zero_byte_count, UINT64_MAX - 100),
    AT("brig-init-size", CODE, table, hsa_brig_directive_variable, dim.lo, 31),
    AT("brig-init-size", CODE, table, hsa_brig_directive_variable, dim.hi, 0x80000000),
    AT("brig-name", CODE, kernel, hsa_brig_directive_executable, name, 32),
    /* 83: instructions */
    AT("brig-opcode", CODE, ld, hsa_brig_inst_mem, base.opcode, 139),
    AT("brig-format", CODE, ld, hsa_brig_inst_mem, base.opcode, HSA_BRIG_OPCODE_ADD),
    AT("operand-count", CODE, ld, hsa_brig_inst_mem, base.operands, 0),
    AT("brig-operand-kind", CODE, ld, hsa_brig_inst_mem, base.opcode, HSA_BRIG_OPCODE_ALLOCA),
    AT("brig-modifier", CODE, ld, hsa_brig_inst_mem, width, HSA_BRIG_WIDTH_NONE),
    AT("brig-modifier", CODE, st, hsa_brig_inst_mem, width, HSA_BRIG_WIDTH_1),
    AT("brig-modifier", CODE, ld, hsa_brig_inst_mem, segment, HSA_BRIG_SEGMENT_NONE),
    AT("brig-modifier", CODE, ld, hsa_brig_inst_mem, base.type, HSA_BRIG_TYPE_NONE),
    AT("brig-modifier", CODE, branch, hsa_brig_inst_br, base.type, HSA_BRIG_TYPE_U32),
    AT("brig-modifier", CODE, branch, hsa_brig_inst_br, width, HSA_BRIG_WIDTH_1),
    AT("brig-modifier", CODE, call, hsa_brig_inst_br, width, HSA_BRIG_WIDTH_WAVESIZE),
    AT("brig-modifier", CODE, sbr, hsa_brig_inst_br, width, HSA_BRIG_WIDTH_NONE),
    AT("brig-modifier", CODE, sbr, hsa_brig_inst_br, base.type, HSA_BRIG_TYPE_NONE),
    AT("brig-modifier", CODE, ld, hsa_brig_inst_mem, align, HSA_BRIG_ALIGNMENT_NONE),
    AT("brig-modifier", CODE, alloca, hsa_brig_inst_mem, width, HSA_BRIG_WIDTH_1),
    AT("brig-modifier", CODE, alloca, hsa_brig_inst_mem, equiv_class, 1),
    AT("brig-flags", CODE, alloca, hsa_brig_inst_mem, modifier, HSA_BRIG_MEMORY_MODIFIER_NONTEMPORAL),
    AT("brig-modifier", CODE, fence, hsa_brig_inst_mem_fence, memory_order, HSA_BRIG_MEMORY_ORDER_NONE),
    AT("brig-modifier", CODE, atomic, hsa_brig_inst_atomic, memory_scope, HSA_BRIG_MEMORY_SCOPE_WORKITEM),
    AT("brig-modifier", CODE, alloca, hsa_brig_inst_mem, segment, HSA_BRIG_SEGMENT_GROUP),
    AT(NULL, CODE, alloca, hsa_brig_inst_mem, segment, HSA_BRIG_SEGMENT_FLAT),
    AT(NULL, CODE, alloca, hsa_brig_inst_mem, segment, HSA_BRIG_SEGMENT_PRIVATE),
    AT("brig-round", CODE, add, hsa_brig_inst_mod, round, HSA_BRIG_ROUND_NONE),
    AT("brig-round", CODE, cvt, hsa_brig_inst_cvt, round, HSA_BRIG_ROUND_NONE),
    AT("brig-fence-scopes", CODE, fence, hsa_brig_inst_mem_fence, group_segment_memory_scope,
       HSA_BRIG_MEMORY_SCOPE_SYSTEM),
    AT("brig-operation", CODE, atomic, hsa_brig_inst_atomic, atomic_operation, HSA_BRIG_ATOMIC_OPERATION_WAIT_EQ),
    AT("brig-fbarrier-type", CODE, initfbar, hsa_brig_inst_basic, base.type, HSA_BRIG_TYPE_U32),
    /* 83: constants */
    AT("brig-constant-type", OPERAND, bytes, hsa_brig_operand_constant_bytes, type, HSA_BRIG_TYPE_B32),
    AT("brig-constant-type", OPERAND, expression, hsa_brig_operand_constant_expression, type, HSA_BRIG_TYPE_F64),
    AT("brig-constant-type", OPERAND, list, hsa_brig_operand_constant_operand_list, type, HSA_BRIG_TYPE_B8_ARRAY),
    AT("brig-constant-type", OPERAND, image_constant, hsa_ext_brig_operand_constant_image, type, HSA_BRIG_TYPE_SAMP),
    AT("brig-constant-size", OPERAND, bytes, hsa_brig_operand_constant_bytes, type, HSA_BRIG_TYPE_U64),
    AT("signal-value", OPERAND, bytes, hsa_brig_operand_constant_bytes, type, HSA_BRIG_TYPE_SIG32_ARRAY),
    AT("brig-expression", OPERAND, expression, hsa_brig_operand_constant_expression, expression_operation,
       HSA_BRIG_EXPRESSION_OPERATION_NULLPTR_FLAT),
    AT("brig-expression-operand", OPERAND, code_ref, hsa_brig_operand_code_ref, ref, 0xfffffff3), /* a label */
    AT("brig-constant-list", OPERAND, list, hsa_brig_operand_constant_operand_list, type, HSA_BRIG_TYPE_U64_ARRAY),
    AT("brig-constant-count", OPERAND, packed, hsa_brig_operand_constant_operand_list, type, HSA_BRIG_TYPE_U32X4),
    AT("brig-image-size", OPERAND, image_constant, hsa_ext_brig_operand_constant_image, depth.hi, 1),
    AT("brig-image-size", OPERAND, image_constant, hsa_ext_brig_operand_constant_image, width.lo, 0),
};

static bool covered[DIAG_ID_COUNT];

/* Opens a module and tells whether ID is among the findings; NULL: whether there is none. */
static bool finds(const void *module, size_t size, const char *id)
{
    struct diag_list list = {0};
    struct brig_view view;
    enum brig_status status = brig_open(module, size, &list, &view);
    bool found = !id && list.items.count == 0 && status == BRIG_OK;
    for (size_t i = 0; i < list.items.count; i++) {
        const struct diag *diag = &list.items.items[i];
        found |= id && strcmp(diag->rule->id, id) == 0;
        covered[diag->rule - diag_rules] = true;
    }
    found &= (status == BRIG_OK) == (list.errors == 0);
    for (size_t i = 0; i < list.items.count && !found; i++)
        printf("# %s+0x%llx: %s [%s]\n", list.items.items[i].place.section,
               (unsigned long long)list.items.items[i].place.begin, list.items.items[i].message,
               list.items.items[i].rule->id);
    diag_list_free(&list);
    return found;
}

static uint8_t *section_base(const struct sample *sample, unsigned section)
{
    return sample->module + (section == MODULE ? 0 : load64(sample->module + 104 + section * 8));
}

static void store(uint8_t *at, unsigned width, uint64_t value)
{
    memcpy(at, &value, width);
}

static uint32_t symbolic(const struct sample *sample, uint64_t value)
{
    switch (value) {
    case 0xfffffff1: return sample->reg;
    case 0xfffffff2: return sample->address;
    case 0xfffffff3: return sample->label;
    case 0xfffffff4: return sample->bytes;
    case 0xfffffff5: return sample->header;
    default: return (uint32_t)value;
    }
}

static uint32_t elements_of(const struct sample *sample, uint32_t operand)
{
    return load32(section_base(sample, OPERAND) + operand + offsetof(hsa_brig_operand_operand_list_t, elements));
}

static void try_patch(const struct patch *patch)
{
    struct sample sample;
    sample_build(&sample, 2);
    uint32_t entry = patch->entry == NO_ENTRY ? 0 : *(uint32_t *)((char *)&sample + patch->entry);
    uint8_t *at = section_base(&sample, patch->section) + entry + patch->offset;
    if (patch->offset >= 100 && patch->section == OPERAND) /* LIST() */
        at = section_base(&sample, DATA) + elements_of(&sample, entry) + 4 + (patch->offset - 100) * 4;
    store(at, patch->width, patch->width == 4 ? symbolic(&sample, patch->value) : patch->value);
    ok(finds(sample.module, sample.size, patch->id), "%s %s", patch->id ? patch->id : "tolerated:", patch->name);
    mem_free(sample.module);
}

/* Changes of more than one field. */
#define FIELD32(section, entry, type, member) \
    (*(uint32_t *)(void *)(section_base(&s, section) + s.entry + offsetof(type##_t, member)))
#define EDITED(id, name, ...)                                                     \
    do {                                                                          \
        struct sample s;                                                          \
        sample_build(&s, 2);                                                      \
        __VA_ARGS__;                                                              \
        ok(finds(s.module, s.size, id), "%s %s", id ? (const char *)id : "tolerated:", name); \
        mem_free(s.module);                                                       \
    } while (0)

#define NOTHING ((const char *)NULL)

static void references(void)
{
    EDITED("brig-shadowed", "the declaration where a definition is", {
        uint32_t list = FIELD32(CODE, call, hsa_brig_inst_br, base.operands);
        uint32_t target = load32(section_base(&s, DATA) + list + 4 + 4);
        store32(section_base(&s, OPERAND) + target + 4, s.declaration);
    });
    EDITED("brig-label-scope", "a label of another block",
           uint32_t list = load32(section_base(&s, DATA) + FIELD32(CODE, branch, hsa_brig_inst_br, base.operands) + 4);
           store32(section_base(&s, OPERAND) + list + 4, s.far_label));
    EDITED("brig-code-list", "a label as argument",
           store32(section_base(&s, DATA) + elements_of(&s, s.code_list) + 4, s.label));
    EDITED("brig-list-empty", "a switch without labels",
           uint32_t list = load32(section_base(&s, DATA) + FIELD32(CODE, sbr, hsa_brig_inst_br, base.operands) + 8);
           store32(section_base(&s, OPERAND) + list + offsetof(hsa_brig_operand_code_list_t, elements), 0));
    EDITED("brig-arg-scope", "a formal as argument",
           store32(section_base(&s, DATA) + elements_of(&s, s.code_list) + 4, s.formal_in));
    EDITED("brig-symbol-scope", "a formal of another executable",
           FIELD32(OPERAND, address, hsa_brig_operand_address, symbol) = s.formal_in);
    EDITED("brig-symbol-scope", "an argument outside of its block",
           FIELD32(OPERAND, address, hsa_brig_operand_address, symbol) = s.arg_in);
    EDITED("brig-target", "a register for a control directive", {
        uint32_t list = FIELD32(CODE, control, hsa_brig_directive_control, operands);
        store32(section_base(&s, DATA) + list + 4, s.reg);
    });
    EDITED("brig-target", "an address for a pragma", {
        uint32_t list = FIELD32(CODE, pragma, hsa_brig_directive_pragma, operands);
        store32(section_base(&s, DATA) + list + 4, s.address);
    });
    EDITED("brig-code-list", "an fbarrier instruction on a variable", {
        uint32_t list = FIELD32(CODE, initfbar, hsa_brig_inst_basic, base.operands);
        store32(section_base(&s, OPERAND) + load32(section_base(&s, DATA) + list + 4) + 4, s.global);
    });
    EDITED("brig-code-list", "a call of a kernel", {
        uint32_t list = FIELD32(CODE, call, hsa_brig_inst_br, base.operands);
        store32(section_base(&s, OPERAND) + load32(section_base(&s, DATA) + list + 8) + 4, s.kernel);
    });
    EDITED("brig-code-list", "a branch to a function", {
        uint32_t list = FIELD32(CODE, branch, hsa_brig_inst_br, base.operands);
        store32(section_base(&s, OPERAND) + load32(section_base(&s, DATA) + list + 4) + 4, s.function);
    });
    EDITED("brig-code-list", "a switch to an argument", {
        uint32_t list = FIELD32(CODE, sbr, hsa_brig_inst_br, base.operands);
        store32(section_base(&s, DATA) + elements_of(&s, load32(section_base(&s, DATA) + list + 8)) + 4, s.arg_in);
    });
    EDITED("brig-arg-scope", "an argument of a call is a global variable",
           store32(section_base(&s, DATA) + elements_of(&s, s.code_list) + 4, s.global));
}

static void places_and_names(void)
{
    EDITED("brig-second-module", "an extension made a module", {
        memcpy(section_base(&s, CODE) + s.pad - 24, section_base(&s, CODE) + s.header, 20);
        store32(section_base(&s, CODE) + s.pad - 4, 4);
    });
    EDITED("brig-before-module", "an extension first", {
        memset(section_base(&s, CODE) + s.header, 0, 20);
        *(uint16_t *)(void *)(section_base(&s, CODE) + s.header) = 20;
    });
    EDITED("brig-constant-plain", "a list of bytes", {
        hsa_brig_operand_constant_operand_list_t *packed = (void *)(section_base(&s, OPERAND) + s.packed);
        store32(section_base(&s, DATA) + packed->elements + 4, s.bytes);
    });
    EDITED("brig-name", "a digit first", {
        uint32_t name = FIELD32(CODE, kernel, hsa_brig_directive_executable, name);
        section_base(&s, DATA)[name + 5] = '0';
    });
    EDITED("brig-name", "a label with the name of a kernel",
           FIELD32(CODE, label, hsa_brig_directive_label, name) =
               FIELD32(CODE, kernel, hsa_brig_directive_executable, name));
    EDITED("brig-name", "a local variable with the name of a kernel",
           FIELD32(CODE, arg_in, hsa_brig_directive_variable, name) =
               FIELD32(CODE, kernel, hsa_brig_directive_executable, name));
    EDITED("brig-name", "a fbarrier of the module with a local name",
           FIELD32(CODE, module_fbarrier, hsa_brig_directive_fbarrier, name) =
               FIELD32(CODE, arg_in, hsa_brig_directive_variable, name));
    EDITED("brig-placement", "an instruction at module level", {
        uint8_t *at = section_base(&s, CODE) + s.loc;
        memset(at, 0, 16);
        *(uint16_t *)(void *)at = 16;
        *(uint16_t *)(void *)(at + 2) = HSA_BRIG_KIND_INST_BASIC;
    });
    EDITED("brig-placement", "a label among formal arguments",
           FIELD32(CODE, formal_in, hsa_brig_base, byte_count) = 28u | HSA_BRIG_KIND_DIRECTIVE_LABEL << 16);
    EDITED("brig-placement", "a control directive in an arg block", {
        hsa_brig_base_t *call = (void *)(section_base(&s, CODE) + s.call);
        call->kind = HSA_BRIG_KIND_DIRECTIVE_CONTROL;
        memcpy(call + 1, (hsa_brig_base_t *)(void *)(section_base(&s, CODE) + s.control) + 1, 8);
    });
    EDITED("brig-byte-count", "a size that is no multiple of 16", store64(s.module + 16, s.size - 8));
    EDITED("brig-overlap", "hsa_data is larger", {
        uint8_t *data = section_base(&s, DATA);
        store64(data, load64(data) + 64);
    });
    EDITED("brig-padding", "a byte after three", {
        store32(section_base(&s, DATA) + s.bytes_data, 3);
        section_base(&s, DATA)[s.bytes_data + 7] = 1;
    });
    EDITED(NOTHING, "no operands at all", FIELD32(CODE, last, hsa_brig_inst_basic, base.operands) = 0);
}

/* ---- Every field of every kind of entry ------------------------------------------------------------ */

/* Sets *VALUE to a value that no field of that role can have, and returns the id of the finding; NULL: the field can
 * have any value. */
static const char *wrong_value(const struct brig_field *field, uint64_t *value)
{
    *value = 2; /* no entry has this offset */
    switch ((enum brig_role)field->role) {
    case BRIG_ROLE_ENUM: *value = (UINT64_C(1) << (field->width * 8 - 1)) - 1; return "brig-enum";
    case BRIG_ROLE_FLAGS: *value = 0x80; return "brig-flags";
    case BRIG_ROLE_TYPE: *value = 0x1f; return "brig-type";
    case BRIG_ROLE_ZERO: *value = 1; return "brig-reserved";
    case BRIG_ROLE_STRING:
    case BRIG_ROLE_OPERANDS:
    case BRIG_ROLE_CODES:
    case BRIG_ROLE_OPERAND:
    case BRIG_ROLE_CODE: return "brig-offset";
    case BRIG_ROLE_BASE:
    case BRIG_ROLE_KIND:
    case BRIG_ROLE_OPCODE:
    case BRIG_ROLE_NUMBER: break;
    }
    return NULL;
}

/* Breaks the fields of the entry at AT one by one; false if this went unnoticed for one of them. */
static bool break_fields(const struct sample *s, unsigned section, uint32_t at, const struct brig_struct_info *layout)
{
    uint8_t *entry = section_base(s, section) + at, copy[64];
    bool found = true;
    for (unsigned i = 0; i < layout->field_count; i++) {
        const struct brig_field *field = &layout->fields[i];
        uint64_t value;
        const char *id = wrong_value(field, &value);
        if (field->role == BRIG_ROLE_BASE && field->width > sizeof(hsa_brig_base_t))
            found &= break_fields(s, section, at, brig_inst_base());
        for (unsigned byte = 0; id && byte < field->width; byte += field->role == BRIG_ROLE_ZERO ? 1 : field->width) {
            memcpy(copy, entry, layout->size);
            store(entry + field->offset + byte, field->role == BRIG_ROLE_ZERO ? 1 : field->width, value);
            if (!finds(s->module, s->size, id)) {
                printf("# %s.%s\n", layout->name, field->name);
                found = false;
            }
            memcpy(entry, copy, layout->size);
        }
    }
    return found;
}

static void every_field(void)
{
    struct sample s;
    bool seen[3][64] = {0};
    sample_build(&s, 2);
    for (unsigned section = CODE; section <= OPERAND; section++) {
        uint32_t size = (uint32_t)load64(section_base(&s, section));
        for (uint32_t at = load32(section_base(&s, section) + 8); at < size;) {
            const hsa_brig_base_t *base = (const void *)(section_base(&s, section) + at);
            bool *done = &seen[base->kind >> 12 & 1 ? section - 1 : 2][base->kind & 63];
            if (base->kind && !*done)
                ok(break_fields(&s, section, at, brig_kind(base->kind)->layout), "every field of %s",
                   brig_kind(base->kind)->name);
            *done = true;
            at += base->byte_count;
        }
    }
    mem_free(s.module);
}

/* Sections in other places, more sections and longer headers must be tolerated. */
static void foreign_layout(void)
{
    struct sample s;
    sample_build(&s, 0);
    size_t size = s.size + 512;
    uint8_t *module = mem_zalloc(1, size), *extra = module + 160;
    memcpy(module, s.module, 104);
    store64(module + 16, size);
    store32(module + 92, 4);
    store64(module + 96, 104);
    uint64_t at = 176;
    static const unsigned order[] = {OPERAND, DATA, CODE};
    for (unsigned i = 0; i < 3; i++) {
        const uint8_t *old = section_base(&s, order[i]);
        uint64_t bytes = load64(old);
        memcpy(module + at, old, bytes);
        store64(module + 104 + order[i] * 8, at);
        at = align_up(at + bytes, 16);
    }
    store64(module + 128, 144);
    store64(module + 144, 24);
    store32(module + 152, 24);
    store32(module + 156, 4);
    memcpy(extra, "mine", 4);
    store64(module + 16, at);
    ok(finds(module, at, NOTHING), "tolerated: sections in another order, one more section");
    ok(finds(module, size, "brig-trailing"), "brig-trailing bytes after the module");
    module[168] = 1;
    ok(finds(module, at, "brig-padding"), "brig-padding between sections");
    mem_free(module);
    mem_free(s.module);
}

static void gap(void)
{
    struct sample s;
    sample_build(&s, 2);
    uint8_t *module = mem_zalloc(1, s.size + 64);
    memcpy(module, s.module, s.size);
    store64(module + 16, s.size + 64);
    ok(finds(module, s.size + 64, "brig-gap"), "brig-gap at the end");
    mem_free(module);
    mem_free(s.module);
}

static void inputs(void)
{
    struct sample s;
    sample_build(&s, 2);
    uint8_t *moved = mem_alloc(s.size + 16);
    memcpy(moved + 2, s.module, s.size);
    ok(finds(moved + 2, s.size, "brig-alignment"), "brig-alignment of the input");
    ok(finds(s.module, 0, "brig-truncated") && finds(s.module, 50, "brig-truncated"), "brig-truncated input");
    bool refused = true;
    for (size_t size = 0; size < s.size; size++) {
        struct brig_view view;
        refused &= brig_open(s.module, size, NULL, &view) == BRIG_INVALID;
    }
    ok(refused, "every prefix is refused");
    mem_free(moved);
    mem_free(s.module);
}

/* A section that is too large for 32-bit offsets. Most of its memory is never touched. */
static void huge(void)
{
    size_t size = (size_t)5 << 30;
    uint8_t *module = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (module == MAP_FAILED) {
        tap_skip("brig-section-limit", "no 5 GiB of address space");
        covered[DIAG_BRIG_SECTION_LIMIT] = true;
        return;
    }
    struct sample s;
    sample_build(&s, 2);
    memcpy(module, s.module, s.size);
    store64(module + 16, size);
    uint64_t at = load64(module + 120);
    store64(module + at, size - at);
    ok(finds(module, size, "brig-section-limit"), "brig-section-limit");
    mem_free(s.module);
    munmap(module, size);
}

/* Many pragmas share one long string. */
static void expansion(unsigned count, const char *id)
{
    struct brig_builder builder, *b = &builder;
    static char text[1 << 20];
    memset(text, 'x', sizeof text);
    brig_builder_init(b, 2);
    hsa_brig_directive_module_t *module =
        BRIG_PUT(b, HSA_BRIG_KIND_DIRECTIVE_MODULE, hsa_brig_directive_module_t, NULL);
    module->name = brig_put_bytes(b, "&m", 2);
    module->hsail_major = 1;
    module->default_float_round = HSA_BRIG_ROUND_FLOAT_DEFAULT;
    for (unsigned i = 0; i < count; i++)
        BRIG_PUT(b, HSA_BRIG_KIND_DIRECTIVE_COMMENT, hsa_brig_directive_comment_t, NULL)->name =
            brig_put_bytes(b, text, sizeof text);
    uint8_t *bytes;
    size_t size;
    brig_finish(b, &bytes, &size);
    ok(finds(bytes, size, id), "%s a string of 1 MiB shared %u times", id ? id : "tolerated:", count);
    brig_builder_free(b);
    mem_free(bytes);
}

static void no_module(void)
{
    struct brig_builder builder;
    uint8_t *bytes;
    size_t size;
    brig_builder_init(&builder, 2);
    brig_put_pad(&builder, 4);
    brig_finish(&builder, &bytes, &size);
    ok(finds(bytes, size, "brig-no-module"), "brig-no-module in a module of padding");
    brig_builder_free(&builder);
    mem_free(bytes);
}

/* A kernel of one ld into a vector of COUNT registers. */
static void vector_of(uint32_t count, const char *id)
{
    struct sample s;
    sample_build(&s, 2);
    uint8_t *list = section_base(&s, DATA) + elements_of(&s, s.vector);
    /* The list has room for four elements. If there are fewer, the rest becomes an entry of its own. */
    if (count < 4) {
        store32(list, count * 4);
        store32(list + 4 + count * 4, (4 - count - 1) * 4);
    }
    ok(finds(s.module, s.size, id), "%s a vector of %u", id ? id : "tolerated:", count);
    mem_free(s.module);
}

static void coverage(void)
{
    unsigned missing = 0;
    for (unsigned i = 0; i < DIAG_ID_COUNT; i++)
        if (strncmp(diag_rules[i].id, "brig-", 5) == 0 && !covered[i]) {
            printf("# never reported: %s\n", diag_rules[i].id);
            missing++;
        }
    ok(missing == 0, "every structural diagnostic was provoked");
}

int main(void)
{
    for (size_t i = 0; i < sizeof patches / sizeof *patches; i++)
        try_patch(&patches[i]);
    references();
    places_and_names();
    every_field();
    foreign_layout();
    gap();
    inputs();
    huge();
    no_module();
    vector_of(1, "brig-vector");
    vector_of(2, NOTHING);
    vector_of(3, NOTHING);
    expansion(250, NOTHING);
    expansion(300, "brig-expansion");
    coverage();
    return tap_done();
}
