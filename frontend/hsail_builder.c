/* SPDX-License-Identifier: MIT */
/* The builder of the public interface: the assembler's statements without text; see hsail/builder.h.
 * Input: statements as calls. Output: the module that the text of these statements assembles to. Invariant: `as` is the
 * assembler's own state, and a call is refused where the parser would not make it. */
#include "brig/limit.h"
#include "frontend/hsail_builder_p.h"

hsail_status_t hsail_builder_create(hsail_context_t *context, hsail_builder_t **builder)
{
    if (builder)
        *builder = NULL;
    if (!context || !builder)
        return HSAIL_STATUS_ARGUMENT;
    const struct mem_hooks *before = hsail_enter(context);
    hsail_builder_t *made = mem_zalloc(1, sizeof *made);
    if (made) {
        made->context = context;
        made->list = hsail_diag_start(context);
        made->control_limit = LIMIT_CONTROL_REGISTERS;
        made->register_limit = LIMIT_WEIGHTED_REGISTERS;
        if (asm_begin(&made->as, "", 0, &made->list, &made->result) == BRIG_OK) {
            *builder = made;
        } else {
            asm_release(&made->as);
            mem_free(made);
        }
    }
    hsail_leave(before);
    return *builder ? HSAIL_STATUS_OK : HSAIL_STATUS_OUT_OF_MEMORY;
}

void hsail_builder_destroy(hsail_builder_t *builder)
{
    if (!builder)
        return;
    const struct mem_hooks *before = hsail_enter(builder->context);
    asm_release(&builder->as);
    asm_result_free(&builder->result);
    diag_list_free(&builder->list);
    arena_free(&builder->memory);
    vec_free(&builder->registers);
    vec_free(&builder->nodes);
    mem_free(builder);
    hsail_leave(before);
}

/* ---- One statement --------------------------------------------------------------------------------- */

/* Begins a statement that may stand in the PLACES, a sum of bits; false when it must not be made. */
bool hsail_builder_enter(hsail_builder_t *builder, unsigned places, const struct hsail_call *call,
                         const struct mem_hooks **before)
{
    if (!builder)
        return false;
    *before = hsail_enter(builder->context);
    if (builder->status != HSAIL_STATUS_OK)
        return false;
    builder->call = call;
    if (places >> builder->place & 1)
        return true;
    asm_error(&builder->as, DIAG_BUILDER_ORDER, nothing, call->what);
    builder->status = builder->place == FINISHED ? HSAIL_STATUS_ARGUMENT : HSAIL_STATUS_INVALID;
    return false;
}

/* What is known of a failure that ends a call. */
static void tell_failure(hsail_builder_t *builder)
{
    hsail_builder_place_findings(builder);
    if (builder->status != HSAIL_STATUS_OK)
        hsail_builder_keep_status(builder);
}

static bool is_out_of_memory(const hsail_builder_t *builder)
{
    const struct assembler *as = &builder->as;
    return as->out_of_memory || builder->list.out_of_memory || as->out.status == BRIG_OUT_OF_MEMORY;
}

/* Ends a statement; the first failure stays. Errors that are found after memory has run out are its consequences. */
hsail_status_t hsail_builder_leave(hsail_builder_t *builder, const struct mem_hooks *before)
{
    if (!builder)
        return HSAIL_STATUS_ARGUMENT;
    if (builder->status == HSAIL_STATUS_OK && is_out_of_memory(builder))
        builder->status = HSAIL_STATUS_OUT_OF_MEMORY;
    if (builder->status == HSAIL_STATUS_OK && builder->list.errors)
        builder->status = HSAIL_STATUS_INVALID;
    if (builder->status == HSAIL_STATUS_OK && builder->place != FINISHED)
        builder->status = hsail_status_of(builder->as.out.status);
    if (builder->status != HSAIL_STATUS_OK || builder->findings != builder->list.items.count)
        tell_failure(builder);
    builder->call = NULL;
    hsail_leave(before);
    return builder->status;
}

/* Ends a statement whose argument is not valid: PROBLEM says which, and why. */
hsail_status_t hsail_builder_refuse(hsail_builder_t *builder, const struct mem_hooks *before, const char *problem)
{
    if (!builder->list.errors)
        asm_error(&builder->as, DIAG_BUILDER_ARGUMENT, nothing, builder->call->what, problem);
    builder->status = HSAIL_STATUS_ARGUMENT;
    return hsail_builder_leave(builder, before);
}

hsail_status_t hsail_builder_module(hsail_builder_t *builder, const char *name, uint32_t major, uint32_t minor,
                                    hsa_brig_profile_t profile, hsa_brig_machine_model_t model,
                                    hsa_brig_round_t rounding)
{
    const struct mem_hooks *before = NULL;
    const char *profile_text = lang_value_text(LANG_SET_PROFILE, profile);
    const char *model_text = lang_value_text(LANG_SET_MACHINE_MODEL, model);
    const char *round_text =
        rounding == HSA_BRIG_ROUND_FLOAT_DEFAULT ? "default" : lang_value_text(LANG_SET_ROUND, rounding);
    const struct hsail_call *call = CALL("a module header", hsail_text_module, .name = name, .number = {major, minor},
                                         .texts = {profile_text, model_text, round_text});
    if (!hsail_builder_enter(builder, IN(IN_MODULE), call, &before))
        return hsail_builder_leave(builder, before);
    if (!name)
        return hsail_builder_refuse(builder, before, no_name);
    if (!profile_text || !model_text || !round_text)
        return hsail_builder_refuse(builder, before, "the profile, machine model or rounding does not exist");
    /* The assembler takes the parts of the header from text. */
    struct textbuf text = {0};
    uint32_t at[7] = {0};
    const char *parts[] = {name, NULL, NULL, profile_text, model_text, round_text};
    for (unsigned i = 0; i < 6; i++) {
        at[i] = (uint32_t)text.size;
        if (parts[i])
            textbuf_printf(&text, "%s%s", i ? "$" : "", parts[i]);
        else
            textbuf_printf(&text, "%u", (unsigned)(i == 1 ? major : minor));
        at[i + 1] = (uint32_t)text.size;
    }
    hsail_builder_text(builder, text.failed ? "" : text.data);
    if (text.failed || builder->as.out_of_memory)
        asm_no_memory(&builder->as);
    else
        asm_module(&builder->as, nothing, (struct span){at[0], at[1]}, (struct span){at[1], at[2]},
                   (struct span){at[2], at[3]}, (struct span){at[3], at[4]}, (struct span){at[4], at[5]},
                   (struct span){at[5], at[6]});
    textbuf_free(&text);
    return hsail_builder_leave(builder, before);
}

hsail_status_t hsail_builder_extension(hsail_builder_t *builder, const char *name)
{
    const struct mem_hooks *before = NULL;
    const struct hsail_call *call =
        CALL("an extension", hsail_text_name, .word = "extension \"", .name = name, .end = "\";");
    if (!hsail_builder_enter(builder, IN(IN_MODULE), call, &before))
        return hsail_builder_leave(builder, before);
    if (!name)
        return hsail_builder_refuse(builder, before, no_name);
    asm_put_extension(&builder->as, nothing, name, strlen(name));
    return hsail_builder_leave(builder, before);
}

hsail_status_t hsail_builder_extension_version(hsail_builder_t *builder, const char *name, uint32_t major,
                                               uint32_t minor)
{
    const struct mem_hooks *before = NULL;
    const struct hsail_call *call =
        CALL("an extension", hsail_text_name, .word = "extension \"", .name = name, .end = "\" with a version;");
    if (!hsail_builder_enter(builder, IN(IN_MODULE), call, &before))
        return hsail_builder_leave(builder, before);
    if (!name)
        return hsail_builder_refuse(builder, before, no_name);
    asm_put_extension_version(&builder->as, nothing, name, strlen(name), major, minor);
    return hsail_builder_leave(builder, before);
}

hsail_status_t hsail_builder_comment(hsail_builder_t *builder, const char *text)
{
    const struct mem_hooks *before = NULL;
    const struct hsail_call *call = CALL("a comment", hsail_text_name, .word = "//", .name = text, .end = "");
    if (!hsail_builder_enter(builder, ANYWHERE, call, &before))
        return hsail_builder_leave(builder, before);
    if (!text || strpbrk(text, "\r\n"))
        return hsail_builder_refuse(builder, before, text ? "it has more than one line" : "the text is NULL");
    asm_put_comment(&builder->as, text, strlen(text), true);
    return hsail_builder_leave(builder, before);
}

hsail_status_t hsail_builder_location(hsail_builder_t *builder, uint32_t line, uint32_t column, const char *file)
{
    const struct mem_hooks *before = NULL;
    const struct hsail_call *call = CALL("a location", hsail_text_location, .name = file, .number = {line, column});
    if (!hsail_builder_enter(builder, ANYWHERE, call, &before))
        return hsail_builder_leave(builder, before);
    if (!line || !column)
        return hsail_builder_refuse(builder, before, "lines and columns count from 1");
    asm_put_location(&builder->as, nothing, line, column, file, file ? strlen(file) : 0, file != NULL);
    builder->line = line;
    builder->column = column;
    return hsail_builder_leave(builder, before);
}

bool hsail_builder_set(hsail_builder_t *builder, const char *head, const hsail_operand_t *operands, unsigned count)
{
    struct textbuf text = {0};
    bool possible = true;
    textbuf_puts(&text, head);
    for (unsigned i = 0; i < count && possible; i++) {
        textbuf_puts(&text, i ? ", " : " ");
        possible = hsail_builder_write(&text, &operands[i]);
    }
    textbuf_puts(&text, ";");
    hsail_builder_text(builder, text.failed ? NULL : text.data);
    if (text.failed)
        asm_no_memory(&builder->as);
    textbuf_free(&text);
    builder->as.lexer.cursor += builder->as.out_of_memory ? 0 : strlen(head);
    return possible;
}

hsail_status_t hsail_builder_pad(hsail_builder_t *builder, uint32_t words)
{
    const struct mem_hooks *before = NULL;
    const struct hsail_call *call = CALL("a pad", hsail_text_word, .word = "pad");
    if (!hsail_builder_enter(builder, ANYWHERE, call, &before))
        return hsail_builder_leave(builder, before);
    if (words > LIMIT_PAD)
        return hsail_builder_refuse(builder, before, "the entry would be too long");
    asm_put_pad(&builder->as, nothing, words);
    return hsail_builder_leave(builder, before);
}

hsail_status_t hsail_builder_pragma(hsail_builder_t *builder, const hsail_operand_t *operands, unsigned count)
{
    const struct mem_hooks *before = NULL;
    const struct hsail_call *call =
        CALL("a pragma", hsail_text_operands, .name = "pragma", .operands = operands, .count = count);
    if (!hsail_builder_enter(builder, ANYWHERE, call, &before))
        return hsail_builder_leave(builder, before);
    if (!operands || !count)
        return hsail_builder_refuse(builder, before, operands ? "it has no operands" : no_operands);
    if (!hsail_builder_set(builder, "", operands, count))
        return hsail_builder_refuse(builder, before, no_text);
    if (!builder->as.out_of_memory)
        asm_pragma(&builder->as, nothing);
    return hsail_builder_leave(builder, before);
}

/* ---- Instructions ---------------------------------------------------------------------------------- */

/* Looks the mnemonic up; the table of known words keeps a copy of the text. */
const struct asm_mnemonic *hsail_builder_mnemonic(hsail_builder_t *builder, const char *text)
{
    struct assembler *as = &builder->as;
    size_t length = strlen(text);
    as->lexer = (struct lexer){text, text, text + length, text};
    const struct asm_word *word = length < UINT32_MAX ? asm_word(as, (struct span){0, (uint32_t)length}) : NULL;
    if (!word)
        return NULL;
    if (word->text == text) {
        char *copy = arena_strndup(&builder->memory, text, length);
        ((struct asm_word *)word)->text = copy ? copy : "";
        if (!copy)
            asm_no_memory(as);
    }
    if (word->length && !asm_word_is_instruction(word)) {
        asm_error(as, DIAG_INSTRUCTION_UNKNOWN, nothing, asm_quote(as, (struct span){0, (uint32_t)length}));
        return NULL;
    }
    return word->mnemonic.op ? &word->mnemonic : NULL;
}

hsail_status_t hsail_builder_instruction(hsail_builder_t *builder, const char *mnemonic,
                                         const hsail_operand_t *operands, unsigned count)
{
    const struct mem_hooks *before = NULL;
    uint32_t items[LANG_MAX_OPERANDS] = {0};
    const struct hsail_call *call =
        CALL("an instruction", hsail_text_operands, .name = mnemonic, .operands = operands, .count = count);
    if (!hsail_builder_enter(builder, IN(IN_BODY), call, &before))
        return hsail_builder_leave(builder, before);
    if (!mnemonic || (count && !operands))
        return hsail_builder_refuse(builder, before, mnemonic ? no_operands : "the mnemonic is NULL");
    struct assembler *as = &builder->as;
    const struct asm_mnemonic *found = hsail_builder_mnemonic(builder, mnemonic);
    if (!found && !builder->list.errors && !as->out_of_memory && as->out.status == BRIG_OK)
        asm_error(as, DIAG_INSTRUCTION_UNKNOWN, nothing, ((struct bytes){(const uint8_t *)mnemonic, strlen(mnemonic)}));
    if (!found || (found->feature && !asm_needs_1_2(as, nothing, found->feature)))
        return hsail_builder_leave(builder, before);
    struct asm_mnemonic known = *found;
    if (count != known.count) {
        asm_error(as, DIAG_OPERAND_COUNT, nothing, known.op->text, count, known.count);
        return hsail_builder_leave(builder, before);
    }
    uint32_t offset = asm_begin_instruction(as, &known);
    for (unsigned place = 0; place < count; place++) {
        unsigned index = asm_is_call(&known) && place < 2 ? 1 - place : place;
        items[index] = hsail_builder_operand(builder, &operands[place], &known, index);
        if (!items[index]) {
            if (!builder->list.errors && as->out.status == BRIG_OK && !as->out_of_memory)
                asm_error(as, DIAG_BUILDER_OPERAND, nothing, place, known.op->text);
            return hsail_builder_leave(builder, before);
        }
    }
    asm_end_instruction(as, &known, offset, items);
    return hsail_builder_leave(builder, before);
}

/* ---- The end --------------------------------------------------------------------------------------- */

/* Keeps the first error of the finished module, as the callback will get it. */
static void keep_first(hsail_builder_t *builder, const char *name)
{
    diag_sort(&builder->list);
    for (size_t i = 0; i < builder->list.items.count && !builder->has_error; i++)
        if (builder->list.items.items[i].severity == DIAG_ERROR)
            hsail_builder_keep(builder, &builder->list.items.items[i], name);
    builder->findings = builder->list.items.count;
}

hsail_status_t hsail_builder_finish(hsail_builder_t *builder, const char *name, unsigned flags, hsail_module_t **module)
{
    const struct mem_hooks *before = NULL;
    if (module)
        *module = NULL;
    if (!builder)
        return HSAIL_STATUS_ARGUMENT;
    const struct hsail_call *call = CALL("the end of the module", hsail_text_word, .end = "");
    bool entered = hsail_builder_enter(builder, IN(IN_MODULE), call, &before);
    if (entered && (!module || flags & ~(unsigned)HSAIL_NO_VALIDATION)) {
        asm_error(&builder->as, DIAG_BUILDER_ARGUMENT, nothing, call->what,
                  module ? "a flag is unknown" : "the pointer to the module is NULL");
        builder->status = HSAIL_STATUS_ARGUMENT;
    } else if (entered) {
        struct brig_view view = {0};
        builder->place = FINISHED;
        asm_declare_placeholders(&builder->as);
        hsail_builder_place_findings(builder);
        enum brig_status status = brig_finish(&builder->as.out, &builder->result.module, &builder->result.size);
        struct brig_view built = {0}; /* also of what hsail_check() refuses to open */
        if (status == BRIG_OK)
            status = brig_read(builder->result.module, builder->result.size, NULL, &built);
        if (status == BRIG_OK)
            status = hsail_check(builder->result.module, builder->result.size, flags, &builder->list, &view);
        hsail_places_in_brig(&builder->list, &view);
        hsail_places_origin(&builder->list, &built);
        builder->status = hsail_status_of(status);
        keep_first(builder, name);
        if (status == BRIG_OK) {
            builder->status =
                hsail_module_wrap(builder->context, builder->result.module, builder->result.size, &view, module);
            builder->result.module = NULL;
        }
    }
    hsail_builder_place_findings(builder);
    builder->status = hsail_diag_deliver(builder->context, &builder->list, name, NULL, builder->status);
    if (module)
        hsail_module_unless(builder->status, module);
    if (builder->status != HSAIL_STATUS_OK)
        hsail_builder_keep_status(builder);
    builder->findings = 0;
    builder->call = NULL;
    builder->place = FINISHED;
    hsail_leave(before);
    return builder->status;
}
