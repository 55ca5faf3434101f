/* SPDX-License-Identifier: MIT */
/* The builder's statements that define something: kernels, functions and signatures with their arguments and code
 * blocks, variables, fbarriers, labels, control directives; see hsail/builder.h.
 * Input: statements as calls. Output: their entries, made by the assembler. Invariant: a call whose argument is not
 * possible makes no entry. */
#include "frontend/hsail_builder_p.h"

static const char no_initializer[] = "the initializer is NULL",
                  wrong_flags[] = "a flag is unknown or cannot stand here",
                  wrong_type[] = "the type does not exist or is that of an array",
                  wrong_alignment[] = "the alignment is no power of two up to 256";

static bool set_qualifiers(hsail_builder_t *builder, unsigned flags, unsigned allowed)
{
    asm_qualifiers(&builder->as, nothing, flags & HSAIL_DECLARATION, flags & HSAIL_PROGRAM_LINKAGE);
    return !(flags & ~allowed);
}

/* The keyword of an executable; NULL when KIND is something else. */
static const char *executable_word(hsa_brig_kind_t kind)
{
    return kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL              ? "kernel "
           : kind == HSA_BRIG_KIND_DIRECTIVE_FUNCTION          ? "function "
           : kind == HSA_BRIG_KIND_DIRECTIVE_INDIRECT_FUNCTION ? "indirect function "
           : kind == HSA_BRIG_KIND_DIRECTIVE_SIGNATURE
               ? "signature "
               : NULL;
}

hsail_status_t hsail_builder_begin(hsail_builder_t *builder, hsa_brig_kind_t kind, const char *name, unsigned flags)
{
    const struct mem_hooks *before = NULL;
    const char *word = executable_word(kind);
    bool kernel = kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL, signature = kind == HSA_BRIG_KIND_DIRECTIVE_SIGNATURE;
    const struct hsail_call *call =
        CALL("a kernel, function or signature", hsail_text_definition, .word = word ? word : "? ", .name = name,
             .needs_name = true, .flags = flags, .end = "");
    if (!hsail_builder_enter(builder, IN(IN_MODULE), call, &before))
        return hsail_builder_leave(builder, before);
    if (!name || !word)
        return hsail_builder_refuse(builder, before, name ? "the kind is none of these" : no_name);
    if (!set_qualifiers(builder, flags, signature ? 0 : HSAIL_DECLARATION | HSAIL_PROGRAM_LINKAGE))
        return hsail_builder_refuse(builder, before, wrong_flags);
    builder->is_signature = signature;
    asm_executable(&builder->as, nothing, hsail_builder_text(builder, name), kind);
    builder->place = kernel ? IN_INPUTS : IN_OUTPUTS;
    return hsail_builder_leave(builder, before);
}

/* The code of an alignment in bytes, 0 for the natural one; false when there is none. */
static bool get_shape(const hsail_shape_t *shape, unsigned *align, struct asm_dimension *dimension)
{
    *align = 0;
    *dimension = (struct asm_dimension){ASM_SCALAR, 0};
    if (!shape)
        return true;
    if (shape->align) {
        if (!is_power_of_two(shape->align) || shape->align > ASM_MOST_ALIGNMENT)
            return false;
        *align = HSA_BRIG_ALIGNMENT_1 + (unsigned)__builtin_ctz(shape->align);
    }
    if (shape->is_array)
        *dimension = (struct asm_dimension){shape->dimension ? ASM_ARRAY : ASM_OPEN_ARRAY, shape->dimension};
    return true;
}

static bool is_value_type(hsa_brig_type_t type)
{
    return type && !lang_type_is_array(type) && lang_type(type);
}

static uint8_t formal_segment(hsail_builder_t *builder)
{
    if (!builder || builder->place == FINISHED || !builder->as.executable)
        return HSA_BRIG_SEGMENT_ARG;
    const hsa_brig_base_t *entry = brig_edit(&builder->as.out, HSA_BRIG_SECTION_INDEX_CODE, builder->as.executable);
    return entry->kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL ? HSA_BRIG_SEGMENT_KERNARG : HSA_BRIG_SEGMENT_ARG;
}

hsail_status_t hsail_builder_formal(hsail_builder_t *builder, hsa_brig_type_t type, const char *name,
                                    const hsail_shape_t *shape)
{
    const struct mem_hooks *before = NULL;
    unsigned align;
    struct asm_dimension dimension;
    uint8_t segment = formal_segment(builder);
    const struct hsail_call *call =
        CALL("a formal argument", hsail_text_definition, .name = name, .shape = shape, .type = type, .segment = segment,
             .is_variable = true, .needs_name = builder && !builder->is_signature, .end = "");
    if (!hsail_builder_enter(builder, IN(IN_OUTPUTS) | IN(IN_INPUTS), call, &before))
        return hsail_builder_leave(builder, before);
    if (!name && !builder->is_signature)
        return hsail_builder_refuse(builder, before, no_name);
    if (!is_value_type(type) || !get_shape(shape, &align, &dimension))
        return hsail_builder_refuse(builder, before, is_value_type(type) ? wrong_alignment : wrong_type);
    asm_formal(&builder->as, nothing, align, (struct asm_variable_type){segment, (uint16_t)type},
               hsail_builder_text(builder, name), dimension);
    return hsail_builder_leave(builder, before);
}

hsail_status_t hsail_builder_inputs(hsail_builder_t *builder)
{
    const struct mem_hooks *before = NULL;
    const struct hsail_call *call = CALL("the end of the outputs", hsail_text_word, .word = ")(", .end = "");
    if (hsail_builder_enter(builder, IN(IN_OUTPUTS), call, &before)) {
        asm_outputs_end(&builder->as);
        builder->place = IN_INPUTS;
    }
    return hsail_builder_leave(builder, before);
}

hsail_status_t hsail_builder_body(hsail_builder_t *builder)
{
    const struct mem_hooks *before = NULL;
    const struct hsail_call *call = CALL("a code block", hsail_text_word, .word = "{", .end = "");
    if (hsail_builder_enter(builder, builder && builder->is_signature ? 0 : IN(IN_INPUTS), call, &before)) {
        asm_body(&builder->as, nothing);
        builder->place = IN_BODY;
        hsail_builder_body_begin(builder);
    }
    return hsail_builder_leave(builder, before);
}

hsail_status_t hsail_builder_end(hsail_builder_t *builder)
{
    const struct mem_hooks *before = NULL;
    bool open_block = builder && builder->as.arg_depth;
    const struct hsail_call *call = CALL("the end of a kernel or function", hsail_text_word, .word = "}", .end = "");
    if (hsail_builder_enter(builder, open_block ? 0 : IN(IN_INPUTS) | IN(IN_BODY), call, &before)) {
        if (builder->place == IN_BODY)
            hsail_builder_body_end(builder);
        asm_executable_end(&builder->as, nothing, builder->place == IN_BODY);
        builder->place = IN_MODULE;
    }
    return hsail_builder_leave(builder, before);
}

hsail_status_t hsail_builder_arg_block(hsail_builder_t *builder)
{
    const struct mem_hooks *before = NULL;
    const struct hsail_call *call = CALL("an arg block", hsail_text_word, .word = "{", .end = "");
    if (hsail_builder_enter(builder, IN(IN_BODY), call, &before))
        asm_arg_block(&builder->as, nothing);
    return hsail_builder_leave(builder, before);
}

hsail_status_t hsail_builder_arg_block_end(hsail_builder_t *builder)
{
    const struct mem_hooks *before = NULL;
    bool open_block = builder && builder->as.arg_depth;
    const struct hsail_call *call = CALL("the end of an arg block", hsail_text_word, .word = "}", .end = "");
    if (hsail_builder_enter(builder, open_block ? IN(IN_BODY) : 0, call, &before))
        asm_arg_block_end(&builder->as, nothing);
    return hsail_builder_leave(builder, before);
}

/* Begins a variable, up to its initializer. Returns what is wrong with an argument, or NULL. */
static const char *begin_variable(hsail_builder_t *builder, hsa_brig_segment_t segment, hsa_brig_type_t type,
                                  const char *name, const hsail_shape_t *shape, unsigned flags)
{
    unsigned align;
    struct asm_dimension dimension;
    const char *segment_text = lang_value_text(LANG_SET_SEGMENT, segment);
    if (!name)
        return no_name;
    if (!is_value_type(type) || !segment_text || !*segment_text)
        return is_value_type(type) ? "there is no such segment" : wrong_type;
    if (!get_shape(shape, &align, &dimension))
        return wrong_alignment;
    if (!set_qualifiers(builder, flags,
                        HSAIL_DECLARATION | HSAIL_PROGRAM_LINKAGE | HSAIL_CONST | HSAIL_AGENT_ALLOCATION))
        return wrong_flags;
    asm_variable(&builder->as, nothing, flags & HSAIL_AGENT_ALLOCATION ? HSA_BRIG_ALLOCATION_AGENT : 0, align,
                 flags & HSAIL_CONST, (struct asm_variable_type){(uint8_t)segment, (uint16_t)type},
                 hsail_builder_text(builder, name), dimension);
    return NULL;
}

#define VARIABLE(...) \
    CALL("a variable", hsail_text_definition, .name = name, .shape = shape, .type = type, .segment = segment, \
         .flags = flags, .is_variable = true, .needs_name = true __VA_OPT__(, ) __VA_ARGS__)

hsail_status_t hsail_builder_variable(hsail_builder_t *builder, hsa_brig_segment_t segment, hsa_brig_type_t type,
                                      const char *name, const hsail_shape_t *shape, unsigned flags, const void *data,
                                      size_t size)
{
    const struct mem_hooks *before = NULL;
    const struct hsail_call *call = VARIABLE();
    if (!hsail_builder_enter(builder, ANYWHERE, call, &before))
        return hsail_builder_leave(builder, before);
    const char *problem = begin_variable(builder, segment, type, name, shape, flags);
    if (problem)
        return hsail_builder_refuse(builder, before, problem);
    if (data)
        asm_put_initializer(&builder->as, data, size);
    asm_variable_end(&builder->as);
    return hsail_builder_leave(builder, before);
}

hsail_status_t hsail_builder_variable_init(hsail_builder_t *builder, hsa_brig_segment_t segment, hsa_brig_type_t type,
                                           const char *name, const hsail_shape_t *shape, unsigned flags,
                                           const hsail_operand_t *initializer)
{
    const struct mem_hooks *before = NULL;
    const struct hsail_call *call = VARIABLE(.operands = initializer, .count = 1);
    if (!hsail_builder_enter(builder, ANYWHERE, call, &before))
        return hsail_builder_leave(builder, before);
    const char *problem = initializer ? begin_variable(builder, segment, type, name, shape, flags) : no_initializer;
    if (!problem && !hsail_builder_set(builder, "", initializer, 1))
        problem = "the initializer is not possible";
    if (problem)
        return hsail_builder_refuse(builder, before, problem);
    if (!builder->as.out_of_memory)
        asm_initializer(&builder->as);
    asm_variable_end(&builder->as);
    return hsail_builder_leave(builder, before);
}

hsail_status_t hsail_builder_fbarrier(hsail_builder_t *builder, const char *name, unsigned flags)
{
    const struct mem_hooks *before = NULL;
    const struct hsail_call *call = CALL(
        "an fbarrier", hsail_text_definition, .word = "fbarrier ", .name = name, .needs_name = true, .flags = flags);
    if (!hsail_builder_enter(builder, ANYWHERE, call, &before))
        return hsail_builder_leave(builder, before);
    if (!name || !set_qualifiers(builder, flags, HSAIL_DECLARATION | HSAIL_PROGRAM_LINKAGE))
        return hsail_builder_refuse(builder, before, name ? wrong_flags : no_name);
    asm_fbarrier(&builder->as, hsail_builder_text(builder, name));
    return hsail_builder_leave(builder, before);
}

hsail_status_t hsail_builder_label(hsail_builder_t *builder, const char *name)
{
    const struct mem_hooks *before = NULL;
    const struct hsail_call *call = CALL("a label", hsail_text_name, .name = name, .end = ":");
    if (!hsail_builder_enter(builder, IN(IN_BODY), call, &before))
        return hsail_builder_leave(builder, before);
    if (!name || *name != '@')
        return hsail_builder_refuse(builder, before, name ? "the name does not begin with @" : no_name);
    asm_label(&builder->as, hsail_builder_text(builder, name));
    return hsail_builder_leave(builder, before);
}

hsail_status_t hsail_builder_control(hsail_builder_t *builder, hsa_brig_control_directive_t control,
                                     const hsail_operand_t *operands, unsigned count)
{
    const struct mem_hooks *before = NULL;
    const char *text = lang_value_text(LANG_SET_CONTROL_DIRECTIVE, control);
    const struct hsail_call *call =
        CALL("a control directive", hsail_text_operands, .name = text, .operands = operands, .count = count);
    if (!hsail_builder_enter(builder, IN(IN_BODY), call, &before))
        return hsail_builder_leave(builder, before);
    if (!text || !*text)
        return hsail_builder_refuse(builder, before, "there is no such directive");
    if ((count && !operands) || !hsail_builder_set(builder, text, operands, count))
        return hsail_builder_refuse(builder, before, count && !operands ? no_operands : no_text);
    if (!builder->as.out_of_memory)
        asm_control(&builder->as, (struct span){0, (uint32_t)strlen(text)}, true);
    return hsail_builder_leave(builder, before);
}
