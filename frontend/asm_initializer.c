/* SPDX-License-Identifier: MIT */
/* The initial value of a variable (PRM 4.10).
 * Input: the tokens after its `=`, or bytes. Output: its operand, and the dimension of an array that had none.
 * Invariant: the token in hand at the end is the `;`, or what the parser finds in its place. */
#include "frontend/asm_constant_p.h"

static void set_initializer(struct assembler *as, uint32_t operand, uint64_t bytes)
{
    hsa_brig_directive_variable_t *entry = brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_CODE, as->variable);
    entry->init = operand;
    if (as->dimension.shape != ASM_OPEN_ARRAY || as->out.status != BRIG_OK)
        return;
    uint64_t count = bytes / lang_type_size(entry->type);
    entry->dim.lo = (uint32_t)count;
    entry->dim.hi = (uint32_t)(count >> 32);
}

/* What follows the `=` of a variable, up to its `;`. */
void asm_initializer(struct assembler *as)
{
    hsa_brig_directive_variable_t *entry = brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_CODE, as->variable);
    uint16_t type = entry->type, written;
    uint64_t size = 0, count = 0;
    uint32_t operand = 0;
    asm_next(as);
    struct span span = asm_span(as);
    struct lexer ahead = as->lexer;
    bool bit_array = lang_type_is_array(type) && is_class(type, LANG_CLASS_BIT);
    bool brackets = as->kind == LEX_WORD && lex_next(&ahead) == '[';
    uint32_t element = lang_type_size(type); /* 0 of b1[], which is no type */
    if (!element || (!lang_type_is_array(type) && (as->kind == '{' || brackets))) {
        asm_bad_type(as, span, "constant", type, "");
    } else if (!lang_type_is_array(type)) {
        operand = asm_immediate(as, type, ASM_INITIALIZER);
    } else if (bit_array && as->kind == '{') {
        operand = asm_aggregate(as, &size);
    } else if (!bit_array && brackets && asm_take_type(as, &written)) {
        if (written == (type & ~HSA_BRIG_TYPE_CLASS_ARRAY)) {
            operand = asm_put_array(as, written, &count);
            size = count * lang_type_size(written);
        } else {
            asm_bad_type(as, span, "constant", type, "");
        }
    } else {
        asm_bad_type(as, span, "constant", type, "");
    }
    span.end = as->previous_end;
    if (operand && as->dimension.shape == ASM_OPEN_ARRAY && (!size || size % element)) {
        asm_error(as, DIAG_INIT_MULTIPLE, span, size, element);
        operand = 0;
    }
    if (!operand) {
        asm_skip_initializer(as);
        return;
    }
    set_initializer(as, operand, size);
    asm_push_back(as); /* the parser wants the `;` */
}

void asm_put_initializer(struct assembler *as, const void *data, size_t size)
{
    hsa_brig_directive_variable_t *entry = brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_CODE, as->variable);
    uint16_t type = entry->type;
    bool array = lang_type_is_array(type), bits = is_class(type, LANG_CLASS_BIT);
    bool opaque = is_class(type, LANG_CLASS_IMAGE) || is_class(type, LANG_CLASS_SAMPLER);
    uint32_t element = lang_type_size(type);
    if (!size || opaque || (bits && array) || !element || size % element || (!array && size != element))
        return asm_bad_type(as, (struct span){0, 0}, "constant", type, "");
    uint32_t operand = brig_put_constant(&as->out, bits ? asm_unsigned_of(element) : type, data, size);
    set_initializer(as, operand, size);
}
