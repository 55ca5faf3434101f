/* SPDX-License-Identifier: MIT */
/* Building a module once more; see hsail/rewriter.h.
 * Input: a reader. Output: calls of a builder, one per statement, and those of the caller's between them. Invariant:
 * statements come in the order in which the module is printed. */
#include "frontend/hsail_rewrite_p.h"

#define MOST_STATEMENTS 256 /* whose operands are kept before their memory is released */

static void next_statement(struct rewrite *rewrite)
{
    if (++rewrite->statements < MOST_STATEMENTS)
        return;
    arena_free(&rewrite->memory);
    rewrite->statements = 0;
}

/* ---- Copies ---------------------------------------------------------------------------------------- */

/* Texts that may hold any bytes cannot be given to the functions of the builder, so they go to the assembler as they
 * are. False when the builder has failed already. */
static bool begin_direct(hsail_builder_t *builder)
{
    return builder->status == HSAIL_STATUS_OK && (builder->place == IN_MODULE || builder->place == IN_BODY);
}

static hsail_status_t put_statement_text(const hsail_statement_t *statement)
{
    hsail_builder_t *builder = statement->builder;
    const hsail_entry_t *entry = &statement->entry;
    const hsail_location_entry_t *location = &entry->u.location;
    hsail_text_t text = entry->name;
    if (!begin_direct(builder))
        return builder->status;
    const struct mem_hooks *before = hsail_enter(builder->context);
    if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_COMMENT)
        asm_put_comment(&builder->as, text.data, text.size, false);
    else if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_LOC)
        asm_put_location(&builder->as, nothing, location->line, location->column, text.data, text.size, true);
    else if (entry->u.extension.has_version)
        asm_put_extension_version(
            &builder->as, nothing, text.data, text.size, entry->u.extension.major, entry->u.extension.minor);
    else
        asm_put_extension(&builder->as, nothing, text.data, text.size);
    hsail_leave(before);
    return HSAIL_STATUS_OK; /* the next call of the builder finds out what went wrong */
}

static unsigned flags_of(const hsail_entry_t *entry)
{
    return (entry->is_definition ? 0 : HSAIL_DECLARATION) | (entry->is_program ? HSAIL_PROGRAM_LINKAGE : 0);
}

static hsail_status_t copy_variable(const hsail_statement_t *statement, struct rewrite *rewrite, bool formal)
{
    const hsail_entry_t *entry = &statement->entry;
    const hsail_variable_entry_t *variable = &entry->u.variable;
    hsail_builder_t *builder = statement->builder;
    const void *brig = brig_code(&statement->reader->view, entry->code);
    const hsa_brig_directive_variable_t *directive = brig;
    hsail_shape_t shape = {variable->align, variable->is_array, variable->dimension};
    const char *name = entry->name.size ? entry->name.data : NULL;
    unsigned flags =
        flags_of(entry) | (variable->is_const ? HSAIL_CONST : 0) | (variable->is_agent ? HSAIL_AGENT_ALLOCATION : 0);
    hsail_operand_info_t value;
    if (formal)
        return hsail_builder_formal(builder, variable->type, name, &shape);
    if (!variable->is_initialized ||
        hsail_reader_initializer(statement->reader, entry->code, &value) != HSAIL_STATUS_OK)
        return hsail_builder_variable(builder, variable->segment, variable->type, name, &shape, flags, NULL, 0);
    bool plain = value.kind == HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES && value.type == directive->type &&
                 variable->is_array && lang_type(variable->type)->class_ <= LANG_CLASS_FLOAT;
    if (plain)
        return hsail_builder_variable(
            builder, variable->segment, variable->type, name, &shape, flags, value.bytes.data, value.bytes.size);
    hsail_operand_t initializer = rewrite_initializer(rewrite, directive);
    return hsail_builder_variable_init(builder, variable->segment, variable->type, name, &shape, flags, &initializer);
}

/* A statement that is no executable and no formal argument. */
static hsail_status_t put_statement(const hsail_statement_t *statement, struct rewrite *rewrite)
{
    const hsail_entry_t *entry = &statement->entry;
    hsail_builder_t *builder = statement->builder;
    const hsail_module_entry_t *module = &entry->u.module;
    if (hsail_is_instruction(entry))
        return hsail_builder_instruction(builder, statement->mnemonic, statement->operands, statement->operand_count);
    switch ((unsigned)entry->kind) {
    case HSA_BRIG_KIND_DIRECTIVE_MODULE:
        return hsail_builder_module(builder, entry->name.data, module->major, module->minor, module->profile,
                                    module->machine_model, module->rounding);
    case HSA_BRIG_KIND_DIRECTIVE_LABEL: return hsail_builder_label(builder, entry->name.data);
    case HSA_BRIG_KIND_DIRECTIVE_FBARRIER: return hsail_builder_fbarrier(builder, entry->name.data, flags_of(entry));
    case HSA_BRIG_KIND_DIRECTIVE_VARIABLE: return copy_variable(statement, rewrite, false);
    case HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_START: return hsail_builder_arg_block(builder);
    case HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_END: return hsail_builder_arg_block_end(builder);
    case HSA_BRIG_KIND_DIRECTIVE_PRAGMA:
        return hsail_builder_pragma(builder, statement->operands, statement->operand_count);
    case HSA_BRIG_KIND_DIRECTIVE_CONTROL:
        return hsail_builder_control(builder, entry->u.control.control, statement->operands, statement->operand_count);
    case HSA_BRIG_KIND_NONE: /* HSAIL 1:0 has no word for it, and it means nothing */
        return brig_module_directive(&statement->reader->view)->hsail_minor
                   ? hsail_builder_pad(builder, entry->u.pad.words)
                   : HSAIL_STATUS_OK;
    default: return put_statement_text(statement);
    }
}

/* The rewrite that a statement is a member of. */
static struct rewrite *rewrite_of(const hsail_statement_t *statement)
{
    return (struct rewrite *)(void *)((char *)(uintptr_t)statement - offsetof(struct rewrite, statement));
}

static bool is_formal(const struct rewrite *rewrite)
{
    const hsail_statement_t *statement = &rewrite->statement;
    const hsa_brig_directive_executable_t *executable =
        hsail_reader_executable(rewrite->reader, statement->executable.code);
    return executable && statement->entry.code < executable->first_code_block_entry &&
           statement->entry.kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE;
}

hsail_status_t hsail_statement_emit(const hsail_statement_t *statement)
{
    if (!statement || statement->place != HSAIL_AT_ENTRY || hsail_is_executable(&statement->entry) ||
        is_formal(rewrite_of(statement)))
        return HSAIL_STATUS_ARGUMENT;
    /* The callback has left the context. */
    const struct mem_hooks *before = hsail_enter(statement->builder->context);
    hsail_status_t status = put_statement(statement, rewrite_of(statement));
    hsail_leave(before);
    return status;
}

/* ---- The walk -------------------------------------------------------------------------------------- */

static bool goes_on(const struct rewrite *rewrite)
{
    return !rewrite->stopped && !rewrite->out_of_memory && rewrite->statement.builder->status == HSAIL_STATUS_OK;
}

/* Asks the caller; false when the statement is not to be copied. */
static bool ask_caller(struct rewrite *rewrite)
{
    if (!rewrite->callback || !goes_on(rewrite))
        return goes_on(rewrite);
    const struct mem_hooks *before = mem_use_hooks(NULL); /* the caller's memory is the caller's */
    hsail_rewrite_t answer = rewrite->callback(rewrite->user, &rewrite->statement);
    mem_use_hooks(before);
    rewrite->stopped = answer == HSAIL_REWRITE_STOP;
    return answer == HSAIL_REWRITE_KEEP && goes_on(rewrite);
}

static void at_place(struct rewrite *rewrite, hsail_rewrite_place_t place)
{
    hsail_statement_t *statement = &rewrite->statement;
    memset(&statement->entry, 0, sizeof statement->entry);
    statement->place = place;
    statement->mnemonic = NULL;
    statement->operands = NULL;
    statement->operand_count = 0;
    ask_caller(rewrite);
}

/* Makes an entry the statement in hand. */
static void enter_statement(struct rewrite *rewrite, const hsail_entry_t *entry)
{
    hsail_statement_t *statement = &rewrite->statement;
    const struct rewrite_mnemonic *mnemonic = NULL;
    next_statement(rewrite);
    statement->place = HSAIL_AT_ENTRY;
    statement->entry = *entry;
    if (hsail_is_instruction(entry))
        mnemonic = rewrite_mnemonic(rewrite, entry->code);
    statement->mnemonic = mnemonic ? mnemonic->text : NULL;
    statement->operands = NULL;
    statement->operand_count = 0;
    if (entry->operand_count && !rewrite->out_of_memory)
        statement->operands = rewrite_operands(rewrite, entry->code, mnemonic, &statement->operand_count);
}

static void copy_formals(struct rewrite *rewrite, hsail_walk_t walk)
{
    hsail_entry_t entry;
    while (goes_on(rewrite) && hsail_walk_next(&walk, &entry)) {
        enter_statement(rewrite, &entry);
        if (ask_caller(rewrite))
            copy_variable(&rewrite->statement, rewrite, true);
    }
}

/* Other producers may put annotations between formals, where the text has no place for them, so they follow the
 * formals. */
static void copy_annotations(struct rewrite *rewrite, hsail_code_t code)
{
    const hsa_brig_directive_executable_t *executable = hsail_reader_executable(rewrite->reader, code);
    hsail_walk_t walk = {rewrite->reader, brig_next_code(rewrite->view, code), executable->first_code_block_entry, 0};
    hsail_entry_t entry;
    while (goes_on(rewrite) && hsail_walk_next(&walk, &entry)) {
        if (!brig_is_annotation(brig_code(rewrite->view, entry.code)))
            continue;
        enter_statement(rewrite, &entry);
        if (ask_caller(rewrite))
            put_statement(&rewrite->statement, rewrite);
    }
}

static void copy_body(struct rewrite *rewrite, hsail_code_t code)
{
    hsail_builder_t *builder = rewrite->statement.builder;
    hsail_walk_t walk = hsail_walk_body(rewrite->reader, code);
    hsail_entry_t entry;
    hsail_builder_body(builder);
    at_place(rewrite, HSAIL_AT_BODY);
    copy_annotations(rewrite, code);
    while (goes_on(rewrite) && hsail_walk_next(&walk, &entry)) {
        enter_statement(rewrite, &entry);
        if (ask_caller(rewrite))
            put_statement(&rewrite->statement, rewrite);
    }
    at_place(rewrite, HSAIL_AT_BODY_END);
}

static void copy_executable(struct rewrite *rewrite)
{
    hsail_statement_t *statement = &rewrite->statement;
    hsail_entry_t executable = statement->entry;
    unsigned flags = executable.kind == HSA_BRIG_KIND_DIRECTIVE_SIGNATURE ? 0 : flags_of(&executable);
    hsail_builder_begin(statement->builder, executable.kind, executable.name.data, flags);
    statement->executable = executable;
    if (executable.kind != HSA_BRIG_KIND_DIRECTIVE_KERNEL) {
        copy_formals(rewrite, hsail_walk_outputs(rewrite->reader, executable.code));
        hsail_builder_inputs(statement->builder);
    }
    copy_formals(rewrite, hsail_walk_inputs(rewrite->reader, executable.code));
    at_place(rewrite, HSAIL_AT_INPUTS_END);
    bool body = hsail_reader_has_body(hsail_reader_executable(rewrite->reader, executable.code));
    if (body)
        copy_body(rewrite, executable.code);
    if (goes_on(rewrite))
        hsail_builder_end(statement->builder);
    memset(&statement->executable, 0, sizeof statement->executable);
    if (!body)
        copy_annotations(rewrite, executable.code);
}

static void copy_module(struct rewrite *rewrite)
{
    hsail_walk_t walk = hsail_walk_module(rewrite->reader);
    hsail_entry_t entry;
    while (goes_on(rewrite) && hsail_walk_next(&walk, &entry)) {
        enter_statement(rewrite, &entry);
        if (!ask_caller(rewrite))
            continue;
        if (hsail_is_executable(&entry))
            copy_executable(rewrite);
        else
            put_statement(&rewrite->statement, rewrite);
    }
    at_place(rewrite, HSAIL_AT_MODULE_END);
}

hsail_status_t hsail_rewrite(hsail_context_t *context, const char *name, const hsail_reader_t *reader,
                             hsail_rewrite_callback_t callback, void *user, unsigned flags, hsail_module_t **module)
{
    if (module)
        *module = NULL;
    if (!context || !reader || !module || flags & ~(unsigned)HSAIL_NO_VALIDATION)
        return HSAIL_STATUS_ARGUMENT;
    struct rewrite rewrite = {.reader = reader, .view = &reader->view, .callback = callback, .user = user};
    hsail_builder_t *builder;
    hsail_status_t status = hsail_builder_create(context, &builder);
    if (status != HSAIL_STATUS_OK)
        return status;
    const struct mem_hooks *before = hsail_enter(context);
    rewrite.statement.reader = reader;
    rewrite.statement.builder = builder;
    rewrite.mnemonics = mem_zalloc(REWRITE_MNEMONICS, sizeof *rewrite.mnemonics);
    rewrite.out_of_memory = !rewrite.mnemonics;
    copy_module(&rewrite);
    rewrite.out_of_memory |= builder->as.out_of_memory;
    if (rewrite.out_of_memory)
        status = HSAIL_STATUS_OUT_OF_MEMORY;
    else
        status = rewrite.stopped ? HSAIL_STATUS_SINK : hsail_builder_finish(builder, name, flags, module);
    hsail_builder_destroy(builder);
    mem_free(rewrite.mnemonics);
    arena_free(&rewrite.memory);
    hsail_leave(before);
    return status;
}
