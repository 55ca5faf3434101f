/* SPDX-License-Identifier: MIT */
/* Fuzz target of the reader, for whatever can be opened, and of the rewriter; see fuzz_target.h. */
#include "testsuite/fuzz/fuzz_target.h"

#include "hsail/rewriter.h"

#include <stdlib.h>
#include <string.h>

/* Reads every byte of a text, and the NUL that must follow. */
static void read_text(hsail_text_t text)
{
    FUZZ_CHECK(text.data && !text.data[text.size], "a text without a NUL");
    static volatile char byte;
    for (size_t i = 0; i < text.size; i++)
        byte = text.data[i];
    (void)byte;
}

static void read_operand(const hsail_reader_t *reader, const hsail_operand_info_t *operand, unsigned depth)
{
    hsail_operand_info_t element;
    hsail_entry_t entry;
    read_text(operand->bytes);
    read_text(operand->symbol_name);
    FUZZ_CHECK(!operand->symbol || hsail_reader_entry(reader, operand->symbol, &entry) == HSAIL_STATUS_OK,
               "an operand names no entry");
    for (uint32_t i = 0; i < operand->element_count && i < 1000 && depth; i++) {
        FUZZ_CHECK(hsail_reader_element(reader, operand->operand, i, &element) == HSAIL_STATUS_OK, "no element %u",
                   (unsigned)i);
        read_operand(reader, &element, depth - 1);
    }
}

static void read_entry(struct fuzz_session *session, const hsail_reader_t *reader, const hsail_entry_t *entry)
{
    char mnemonic[HSAIL_MNEMONIC_SIZE];
    hsail_operand_info_t operand;
    hsail_modifier_t modifier;
    read_text(entry->name);
    for (uint32_t i = 0; i < entry->operand_count; i++) {
        FUZZ_CHECK(hsail_reader_operand(reader, entry->code, i, &operand) == HSAIL_STATUS_OK, "no operand %u",
                   (unsigned)i);
        read_operand(reader, &operand, 3);
    }
    FUZZ_CHECK(hsail_reader_operand(reader, entry->code, entry->operand_count, &operand) == HSAIL_STATUS_ARGUMENT,
               "an operand more than there are");
    if (hsail_reader_initializer(reader, entry->code, &operand) == HSAIL_STATUS_OK)
        read_operand(reader, &operand, 3);
    if (!hsail_is_instruction(entry))
        return;
    for (uint32_t i = 0; hsail_reader_modifier(reader, entry->code, i, &modifier) == HSAIL_STATUS_OK; i++)
        FUZZ_CHECK(modifier.name && modifier.text && i < 100, "a modifier without a name");
    hsail_status_t status = hsail_reader_mnemonic(reader, entry->code, mnemonic, sizeof mnemonic);
    if (!fuzz_no_memory(session, status))
        FUZZ_CHECK(status == HSAIL_STATUS_OK && strlen(mnemonic) < sizeof mnemonic, "no mnemonic: %s",
                   hsail_status_text(status));
}

static void read_walk(struct fuzz_session *session, const hsail_reader_t *reader, hsail_walk_t walk)
{
    hsail_entry_t entry;
    while (hsail_walk_next(&walk, &entry))
        read_entry(session, reader, &entry);
}

static void read_module(struct fuzz_session *session, const hsail_reader_t *reader)
{
    hsail_walk_t walk = hsail_walk_module(reader);
    hsail_entry_t entry, other;
    while (hsail_walk_next(&walk, &entry)) {
        read_entry(session, reader, &entry);
        hsail_code_t found = hsail_reader_find(reader, 0, entry.name.data);
        FUZZ_CHECK(!found || hsail_reader_entry(reader, found, &other) == HSAIL_STATUS_OK, "what is found is no entry");
        if (!hsail_is_executable(&entry))
            continue;
        read_walk(session, reader, hsail_walk_outputs(reader, entry.code));
        read_walk(session, reader, hsail_walk_inputs(reader, entry.code));
        read_walk(session, reader, hsail_walk_body(reader, entry.code));
        for (const char *kind = "csdqx"; *kind; kind++)
            hsail_reader_registers(reader, entry.code, *kind);
    }
}

/* Uses numbers that the reader has not given out. */
static void read_anywhere(const hsail_reader_t *reader, uint64_t choice)
{
    hsail_entry_t entry;
    hsail_operand_info_t operand;
    for (unsigned i = 0; i < 64; i++) {
        uint32_t code = (uint32_t)(choice >> i % 40) & (i % 2 ? 0xfff : 0xffffffff);
        if (hsail_reader_entry(reader, code, &entry) == HSAIL_STATUS_OK)
            read_text(entry.name);
        if (hsail_reader_operand(reader, code, i % 5, &operand) == HSAIL_STATUS_OK)
            read_operand(reader, &operand, 2);
        if (hsail_reader_element(reader, code, i % 5, &operand) == HSAIL_STATUS_OK)
            read_operand(reader, &operand, 2);
        hsail_walk_t walk = hsail_walk_body(reader, code);
        while (hsail_walk_next(&walk, &entry))
            read_text(entry.name);
        hsail_reader_registers(reader, code, 's');
    }
}

/* ---- Rewriting -------------------------------------------------------------------------------------- */

/* Drops, keeps, rebuilds and adds statements; the input decides which. */
static hsail_rewrite_t change(void *user, const hsail_statement_t *statement)
{
    uint64_t *turn = user;
    *turn = *turn * UINT64_C(6364136223846793005) + 1442695040888963407u;
    unsigned choice = *turn >> 40 & 31;
    if (choice == 0)
        hsail_builder_comment(statement->builder, "added");
    if (choice == 1 && statement->place == HSAIL_AT_ENTRY)
        return HSAIL_REWRITE_DROP;
    if (choice >= 16 && statement->place == HSAIL_AT_ENTRY)
        return hsail_statement_emit(statement) == HSAIL_STATUS_ARGUMENT ? HSAIL_REWRITE_KEEP : HSAIL_REWRITE_DROP;
    return HSAIL_REWRITE_KEEP;
}

static void rewrite(struct fuzz_session *session, const hsail_reader_t *reader, uint64_t choice)
{
    hsail_module_t *made = NULL;
    hsail_status_t status =
        hsail_rewrite(session->context, "changed", reader, change, &choice, HSAIL_NO_VALIDATION, &made);
    if (!fuzz_no_memory(session, status))
        FUZZ_CHECK((status == HSAIL_STATUS_OK) == (made != NULL), "a module of a rewrite that failed");
    hsail_module_destroy(made);
}

static void body(struct fuzz_session *session, const uint8_t *data, size_t size)
{
    hsail_reader_t *reader = NULL;
    uint64_t choice = fuzz_choice(data, size);
    void *copy = aligned_alloc(16, size / 16 * 16 + 16);
    FUZZ_CHECK(copy, "no memory for the input");
    memcpy(copy, data, size);
    hsail_status_t status = hsail_reader_open(session->context, NULL, copy, size, HSAIL_NO_VALIDATION, &reader);
    if (!fuzz_no_memory(session, status) && status == HSAIL_STATUS_OK) {
        read_module(session, reader);
        read_anywhere(reader, choice);
        rewrite(session, reader, choice);
    }
    hsail_reader_destroy(reader);
    free(copy);
}

void fuzz_reader(const uint8_t *data, size_t size)
{
    fuzz_run(body, data, size);
}
