/* SPDX-License-Identifier: MIT */
/* Modules around generated instructions: a module is assembled from text, cut off, and the instruction is added.
 * Input: a completed instruction. Output: a module. Invariant: the executable that the instruction belongs to is the
 * last one of its frame, so nothing follows that would have to move. */
#include "frontend/asm.h"
#include "support/alloc.h"
#include "testsuite/validate/generate.h"

#include <stdio.h>
#include <string.h>

enum place { IN_KERNEL, IN_FUNCTION, IN_ARG_BLOCK, PLACES };

static const char *const bodies[PLACES] = {
    [IN_KERNEL] = "kernel &k(kernarg_u32 %ka) {\nspill_u32 %sp;\n@l:\nnop;\n};\n",
    [IN_FUNCTION] = "function &k(arg_u32 %out)(arg_u32 %in) {\nspill_u32 %sp;\n@l:\nnop;\n};\n",
    [IN_ARG_BLOCK] = "kernel &k() {\n{ arg_u32 %o; arg_u32 %i; call &f (%o) (%i); }\n};\n",
};

static bool make_frame(struct generate_frame *frame, enum syntax_world world, enum place place)
{
    char text[1024];
    bool full = world == SYNTAX_FULL_LARGE || world == SYNTAX_FULL_SMALL;
    bool large = world == SYNTAX_FULL_LARGE || world == SYNTAX_BASE_LARGE;
    snprintf(text, sizeof text,
             "module &m:1:2:%s:%s:$default;\nextension \"IMAGE\";\n"
             "global_u32 &g;\nreadonly_u32 &ro;\ngroup_u32 &grp;\nprivate_u32 &priv;\nfbarrier &fb;\n"
             "signature &sig(arg_u32 %%r)(arg_u32 %%x);\nfunction &f(arg_u32 %%r)(arg_u32 %%x) {\n@other:\n};\n%s",
             full ? "$full" : "$base", large ? "$large" : "$small", bodies[place]);
    struct asm_result result = {0};
    if (asm_text(text, strlen(text), NULL, &result) != BRIG_OK ||
        brig_open(result.module, result.size, NULL, &frame->view) != BRIG_OK)
        return false;
    frame->module = result.module;
    frame->arg_block = place == IN_ARG_BLOCK;
    result.module = NULL;
    asm_result_free(&result);
    for (uint32_t at = brig_first_code(&frame->view); at < brig_end_code(&frame->view);
         at = brig_next_code(&frame->view, at)) {
        const hsa_brig_base_t *entry = brig_code(&frame->view, at);
        if (brig_is_executable(entry))
            frame->executable = at;
        if (brig_is_inst(entry))
            frame->cut = at;
    }
    return true;
}

const struct generate_frame *generate_frame(enum syntax_world world, const struct lang_inst *inst)
{
    static struct generate_frame frames[SYNTAX_WORLDS][PLACES];
    enum place place =
        *inst->op->operands == 'o' ? IN_ARG_BLOCK
        : inst->value[LANG_DIM_SEGMENT] == HSA_BRIG_SEGMENT_ARG
            ? IN_FUNCTION
            : IN_KERNEL;
    struct generate_frame *frame = &frames[world][place];
    return frame->module || make_frame(frame, world, place) ? frame : NULL;
}

uint32_t generate_symbol(const struct generate_frame *frame, const char *name)
{
    uint32_t found = 0;
    for (uint32_t at = brig_first_code(&frame->view); at < frame->cut; at = brig_next_code(&frame->view, at)) {
        const hsa_brig_base_t *entry = brig_code(&frame->view, at);
        bool named = entry->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE || brig_is_executable(entry) ||
                     entry->kind == HSA_BRIG_KIND_DIRECTIVE_FBARRIER || entry->kind == HSA_BRIG_KIND_DIRECTIVE_LABEL;
        if (!named) /* all entries with a name have it in the same place */
            continue;
        struct bytes text = brig_string(&frame->view, ((const hsa_brig_directive_label_t *)(const void *)entry)->name);
        if (text.size == strlen(name) && !memcmp(text.data, name, text.size))
            found = at;
    }
    return found;
}

/* Starts a builder with what the frame has before its cut. */
static bool start(struct brig_builder *b, const struct generate_frame *frame)
{
    if (brig_builder_init(b, 2) != BRIG_OK)
        return false;
    for (unsigned i = 0; i < 3; i++) {
        size_t size = i == HSA_BRIG_SECTION_INDEX_CODE ? frame->cut : frame->view.section[i].size;
        uint8_t *copy = mem_alloc(BRIG_FRONT + size + 512);
        if (!copy)
            return false;
        memcpy(copy + BRIG_FRONT, frame->view.section[i].data, size);
        mem_free(b->section[i].data - BRIG_FRONT);
        b->section[i] = (struct brig_buffer){copy + BRIG_FRONT, size, size + 512};
    }
    return true;
}

static bool put_operands(struct brig_builder *b, const struct generate_frame *frame, struct lang_inst *inst,
                         unsigned variant, struct generate_wrong *wrong)
{
    static uint32_t operands[LANG_MAX_OPERANDS + 1];
    unsigned count = lang_operand_count(inst);
    for (unsigned i = 0; i < count; i++) {
        operands[i] = wrong && wrong->operand == i ? generate_wrong_operand(b, frame, inst, wrong)
                                                   : generate_operand(b, frame, inst, i, variant ? variant + i : 0);
        if (!operands[i])
            return false;
    }
    if (wrong && wrong->operand >= count) {
        bool missing = wrong->operand == count;
        if (wrong->way || (missing && !count))
            return false;
        wrong->what = missing ? "an operand is missing" : "an operand too many";
        wrong->id = "operand-count";
        if (!missing)
            operands[count] = brig_put_register(b, HSA_BRIG_REGISTER_KIND_SINGLE, 1);
        count = missing ? count - 1 : count + 1;
    }
    inst->operands = (struct brig_list){operands, count};
    return true;
}

bool generate_module(const struct generate_frame *frame, struct lang_inst *inst, unsigned variant,
                     struct generate_wrong *wrong, uint8_t **module, size_t *size)
{
    struct brig_builder b;
    bool good = start(&b, frame);
    uint32_t at = lang_reserve(&b, inst);
    good = good && put_operands(&b, frame, inst, variant, wrong);
    if (good) {
        lang_store(&b, at, inst);
        if (frame->arg_block)
            BRIG_PUT(&b, HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_END, hsa_brig_directive_arg_block_t, NULL);
        hsa_brig_directive_executable_t *e = brig_edit(&b, HSA_BRIG_SECTION_INDEX_CODE, frame->executable);
        e->next_module_entry = brig_here(&b, HSA_BRIG_SECTION_INDEX_CODE);
        good = brig_finish(&b, module, size) == BRIG_OK;
    }
    brig_builder_free(&b);
    return good;
}
