/* SPDX-License-Identifier: MIT */
/* Tests the builder of modules, and that instructions can be stored as entries and loaded again. */
#include "brig/item.h"
#include "support/alloc.h"
#include "testsuite/brig/sample.h"
#include "testsuite/tap.h"

#include "brig/diag_rule.h"

static enum brig_status open_counting(const void *module, size_t size, size_t *errors, size_t *warnings)
{
    struct diag_list list = {0};
    struct brig_view view;
    enum brig_status status = brig_open(module, size, &list, &view);
    *errors = list.errors;
    *warnings = list.warnings;
    for (size_t i = 0; i < list.items.count; i++)
        printf("# %s+0x%llx: %s\n", list.items.items[i].place.section,
               (unsigned long long)list.items.items[i].place.begin, list.items.items[i].message);
    diag_list_free(&list);
    return status;
}

static void sample_is_valid(uint32_t minor)
{
    struct sample sample;
    size_t errors, warnings;
    ok(sample_build(&sample, minor), "sample of BRIG 1:%u is built", minor);
    ok(open_counting(sample.module, sample.size, &errors, &warnings) == BRIG_OK, "the sample is opened");
    ok(!errors && !warnings, "the sample is opened without a finding");
    struct sample again;
    sample_build(&again, minor);
    ok(again.size == sample.size && memcmp(again.module, sample.module, sample.size) == 0,
       "the sample has the same bytes each time");
    mem_free(sample.module);
    mem_free(again.module);
}

static void container(void)
{
    struct brig_builder builder;
    uint8_t *module;
    size_t size;
    brig_builder_init(&builder, 0);
    ok(brig_finish(&builder, &module, &size) == BRIG_OK && size % 16 == 0, "an empty module is a multiple of 16");
    const hsa_brig_module_header_t *header = (const void *)module;
    const uint64_t *index = (const void *)(module + 104);
    ok(header->byte_count == size && header->section_count == 3 && header->section_index == 104 && index[0] == 128,
       "header and section index stand in their places");
    bool sizes = true;
    static const uint32_t expected[] = {32, 32, 36};
    for (unsigned i = 0; i < 3; i++)
        sizes &= load32(module + index[i] + offsetof(hsa_brig_section_header_t, header_byte_count)) == expected[i];
    ok(sizes, "section headers have 32, 32 and 36 bytes");
    ok(brig_put_bytes(&builder, "x", 1) == 0 && brig_finish(&builder, &module, &size) != BRIG_OK && !module,
       "a finished builder takes nothing more");
    brig_builder_free(&builder);
    mem_free((void *)header);
}

static void pooling(void)
{
    struct brig_builder builder, *b = &builder;
    brig_builder_init(b, 0);
    uint32_t first = brig_put_bytes(b, "abc", 3), empty = brig_put_bytes(b, NULL, 0);
    ok(first == 32 && empty == 40, "the first string follows the header");
    ok(brig_put_bytes(b, "abc", 3) == first && brig_put_bytes(b, "", 0) == empty, "equal strings share an entry");
    ok(brig_put_bytes(b, "abcd", 4) != first && brig_put_bytes(b, "abc\0", 4) != first,
       "different strings do not share an entry");
    uint32_t one = 1, list = brig_put_list(b, &one, 1);
    ok(brig_put_list(b, &one, 1) != list && brig_put_list(b, NULL, 0) != brig_put_list(b, NULL, 0),
       "lists are never shared");
    ok(brig_put_bytes(b, &one, 4) != list, "bytes do not share a list");
    bool distinct = true, found = true;
    uint32_t offsets[3000];
    for (uint32_t i = 0; i < 3000; i++)
        offsets[i] = brig_put_bytes(b, &(uint32_t){i * 7919}, 4);
    for (uint32_t i = 0; i < 3000; i++) {
        distinct &= i == 0 || offsets[i] > offsets[i - 1];
        found &= brig_put_bytes(b, &(uint32_t){i * 7919}, 4) == offsets[i];
    }
    ok(distinct && found, "the pool grows and finds again");
    brig_builder_free(b);
}

static void too_large(void)
{
    struct brig_builder builder, *b = &builder;
    uint8_t *module;
    size_t size;
    brig_builder_init(b, 2);
    ok(brig_put_list(b, NULL, (size_t)1 << 30) == 0 && b->status == BRIG_TOO_LARGE, "a list of 4 GiB is refused");
    uint32_t offset = 1;
    hsa_brig_directive_label_t *label = BRIG_PUT(b, HSA_BRIG_KIND_DIRECTIVE_LABEL, hsa_brig_directive_label_t, &offset);
    label->name = brig_put_bytes(b, "@x", 2);
    brig_edit_list(b, 0, 0, 1);
    ((hsa_brig_directive_label_t *)brig_edit(b, HSA_BRIG_SECTION_INDEX_CODE, 32))->name = 7;
    ok(offset == 0 && brig_put_register(b, HSA_BRIG_REGISTER_KIND_SINGLE, 0) == 0, "calls after an error are ignored");
    ok(brig_finish(b, &module, &size) == BRIG_TOO_LARGE && !module && !size,
       "brig_finish() says why an earlier call failed");
    brig_builder_free(b);
}

/* A legal value of a modifier: the last that text can spell. */
static uint16_t some_value(const struct lang_slot *slot)
{
    const struct lang_dim_info *dim = lang_dim(slot->dim);
    uint16_t value = 0;
    if (dim->mask)
        return 1;
    if (dim->spelling == LANG_SPELLING_NUMBER)
        return 201;
    for (uint32_t code = 0; code < 64; code++) {
        const char *text = lang_value_text(dim->set, code);
        if (text && *text)
            value = (uint16_t)code;
    }
    return value;
}

/* Puts one instruction with SET of its slots written, loads it, and compares. */
static bool survives(struct brig_builder *b, const struct lang_op *op, unsigned set)
{
    struct lang_inst in, out;
    struct brig_view view;
    unsigned count;
    const struct lang_slot *slot = lang_slots(op->form, &count);
    lang_begin(&in, op);
    for (unsigned i = 0; i < count; i++) {
        bool written = slot[i].presence == LANG_REQUIRED || (slot[i].presence == LANG_OPTIONAL && (set >> i & 1));
        if (written && slot[i].width)
            in.value[slot[i].dim] = some_value(&slot[i]);
    }
    lang_complete(&in, b->brig_minor);
    for (unsigned i = 0; i < count; i++)
        if (!slot[i].width)
            in.value[slot[i].dim] = 0;
    uint32_t at = lang_reserve(b, &in);
    lang_store(b, at, &in);
    brig_builder_view(b, &view);
    if (!lang_load(&view, at, &out) || out.kind != in.kind || out.op != op)
        return false;
    bool packed = lang_type_is_packed(in.value[LANG_DIM_TYPE]) && op->form == LANG_FORM_CVT;
    for (unsigned dim = 0; dim < LANG_DIM_COUNT; dim++)
        if (in.value[dim] != out.value[dim] && !(packed && (dim == LANG_DIM_PACK || dim == LANG_DIM_SAT)))
            return false;
    return true;
}

static void instructions(void)
{
    struct brig_builder builder;
    brig_builder_init(&builder, 2);
    for (unsigned index = 0; index < LANG_OP_COUNT; index++) {
        bool good = true;
        for (unsigned set = 0; set < 256; set++)
            good &= survives(&builder, lang_op_at(index), set);
        ok(good, "%s survives storing and loading", lang_op_at(index)->text);
    }
    brig_builder_free(&builder);
}

static uint16_t rounding(uint32_t opcode, uint16_t type, uint16_t source, bool ftz)
{
    struct lang_inst inst;
    lang_begin(&inst, lang_op(opcode));
    inst.value[LANG_DIM_TYPE] = type;
    if (source)
        inst.value[LANG_DIM_SOURCE] = source;
    if (ftz)
        inst.value[LANG_DIM_FTZ] = 1;
    lang_complete(&inst, 2);
    return inst.value[LANG_DIM_ROUND];
}

static void defaults(void)
{
    struct lang_inst inst;
    lang_begin(&inst, lang_op(HSA_BRIG_OPCODE_ADD));
    inst.value[LANG_DIM_TYPE] = HSA_BRIG_TYPE_F32;
    lang_complete(&inst, 0);
    ok(inst.kind == HSA_BRIG_KIND_INST_BASIC, "an instruction without modifiers gets the short kind of entry");
    lang_begin(&inst, lang_op(HSA_BRIG_OPCODE_ADD));
    inst.value[LANG_DIM_TYPE] = HSA_BRIG_TYPE_F32;
    inst.value[LANG_DIM_FTZ] = 1;
    lang_complete(&inst, 0);
    ok(inst.kind == HSA_BRIG_KIND_INST_MOD, "an instruction with a modifier gets the long kind of entry");
    ok(rounding(HSA_BRIG_OPCODE_ADD, HSA_BRIG_TYPE_F32, 0, true) == HSA_BRIG_ROUND_FLOAT_DEFAULT,
       "add_f32 gets a rounding");
    ok(rounding(HSA_BRIG_OPCODE_ADD, HSA_BRIG_TYPE_U8X4, 0, false) == HSA_BRIG_ROUND_NONE, "add_u8x4 gets no rounding");
    ok(rounding(HSA_BRIG_OPCODE_MAX, HSA_BRIG_TYPE_F32, 0, true) == HSA_BRIG_ROUND_NONE, "max_f32 gets no rounding");
    ok(rounding(HSA_BRIG_OPCODE_CVT, HSA_BRIG_TYPE_F32, HSA_BRIG_TYPE_S32, false) == HSA_BRIG_ROUND_FLOAT_DEFAULT &&
           rounding(HSA_BRIG_OPCODE_CVT, HSA_BRIG_TYPE_F16, HSA_BRIG_TYPE_F32, false) == HSA_BRIG_ROUND_FLOAT_DEFAULT,
       "conversions that lose bits of floats round");
    ok(rounding(HSA_BRIG_OPCODE_CVT, HSA_BRIG_TYPE_F64, HSA_BRIG_TYPE_F32, false) == HSA_BRIG_ROUND_NONE &&
           rounding(HSA_BRIG_OPCODE_CVT, HSA_BRIG_TYPE_U64, HSA_BRIG_TYPE_U32, false) == HSA_BRIG_ROUND_NONE,
       "conversions that lose none do not");
    ok(rounding(HSA_BRIG_OPCODE_CVT, HSA_BRIG_TYPE_S32, HSA_BRIG_TYPE_F32, false) == HSA_BRIG_ROUND_INTEGER_ZERO,
       "float to integer goes to zero");
    lang_begin(&inst, lang_op(HSA_BRIG_OPCODE_ALLOCA));
    lang_complete(&inst, 0);
    uint16_t old = inst.value[LANG_DIM_SEGMENT];
    lang_begin(&inst, lang_op(HSA_BRIG_OPCODE_ALLOCA));
    lang_complete(&inst, 2);
    ok(old == HSA_BRIG_SEGMENT_PRIVATE && inst.value[LANG_DIM_SEGMENT] == HSA_BRIG_SEGMENT_NONE,
       "alloca has a segment in BRIG 1:0 only");
    lang_begin(&inst, lang_op(HSA_BRIG_OPCODE_ATOMIC));
    inst.value[LANG_DIM_OPERATION] = HSA_BRIG_ATOMIC_OPERATION_CAS;
    ok(lang_operand_count(&inst) == 4 && lang_operand_letter(&inst, 1) == 'a' && lang_operand_letter(&inst, 3) == 's' &&
           lang_operand_letter(&inst, 4) == 0,
       "an atomic has the operands of its operation");
}

/* Makes each allocation of building and opening fail once. */
static void out_of_memory(void)
{
    bool clean = true, ended = false;
    long n = 0;
    for (; n < 500 && !ended; n++) {
        struct sample sample;
        mem_fail_after(n);
        bool built = sample_build(&sample, 2);
        struct brig_view view;
        enum brig_status status = built ? brig_open(sample.module, sample.size, NULL, &view) : BRIG_OUT_OF_MEMORY;
        ended = !mem_fail_after(-1);
        clean &= status == (ended ? BRIG_OK : BRIG_OUT_OF_MEMORY);
        mem_free(sample.module);
    }
    ok(clean && ended && n > 10, "each of %ld allocations may fail", n - 1);
}

int main(void)
{
    container();
    pooling();
    too_large();
    sample_is_valid(0);
    sample_is_valid(2);
    instructions();
    defaults();
    out_of_memory();
    return tap_done();
}
