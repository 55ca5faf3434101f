/* SPDX-License-Identifier: MIT */
/* Sessions of the fuzz targets; see fuzz_target.h.
 * Input: a body and bytes. Output: none. Invariant: blocks of the session's allocator are all released at its end. */
#include "testsuite/fuzz/fuzz_target.h"

#include "support/hash.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const struct fuzz_target fuzz_targets[FUZZ_TARGETS] = {
    {"text", fuzz_text, true},          {"brig", fuzz_brig, false},           {"disassemble", fuzz_disassemble, false},
    {"validate", fuzz_validate, false}, {"roundtrip", fuzz_roundtrip, false}, {"format", fuzz_format, true},
    {"reader", fuzz_reader, false},
};

void fuzz_fail(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    abort();
}

uint64_t fuzz_choice(const uint8_t *data, size_t size)
{
    return hash_bytes(UINT64_C(0x2545f4914f6cdd1d), data, size);
}

/* ---- Memory ---------------------------------------------------------------------------------------- */

struct memory {
    long blocks, calls;
    long countdown; /* how many allocations still succeed; negative: all */
    bool once;      /* only one allocation fails */
    bool failed;
};

static bool refuse(struct memory *memory)
{
    memory->calls++;
    if (memory->countdown < 0 || memory->countdown-- > 0)
        return false;
    memory->countdown = memory->once ? -1 : 0;
    memory->failed = true;
    return true;
}

static void *allocate(void *user, size_t size)
{
    struct memory *memory = user;
    void *block = refuse(memory) ? NULL : malloc(size);
    memory->blocks += block != NULL;
    return block;
}

static void *reallocate(void *user, void *block, size_t size)
{
    struct memory *memory = user;
    if (refuse(memory))
        return NULL;
    memory->blocks += !block;
    return realloc(block, size);
}

static void release(void *user, void *block)
{
    ((struct memory *)user)->blocks--;
    free(block);
}

/* ---- Sessions -------------------------------------------------------------------------------------- */

#define MOST_PRINTED 10 /* diagnostics per run; more of the same would only take time */

static int discard(void *user, const void *data, size_t size)
{
    (void)user;
    (void)data;
    return size == SIZE_MAX;
}

static void take(void *user, const hsail_diagnostic_t *diagnostic)
{
    struct fuzz_session *session = user;
    session->errors += diagnostic->severity == HSAIL_SEVERITY_ERROR;
    session->warnings += diagnostic->severity == HSAIL_SEVERITY_WARNING;
    FUZZ_CHECK(diagnostic->id && *diagnostic->id && diagnostic->message && *diagnostic->message, "no id or message");
    if (session->errors + session->warnings > MOST_PRINTED)
        return;
    for (hsail_print_t style = HSAIL_PRINT_TEXT; style <= HSAIL_PRINT_JSON; style++) {
        hsail_status_t status = hsail_diagnostic_print(diagnostic, style, discard, NULL);
        FUZZ_CHECK(fuzz_no_memory(session, status) || status == HSAIL_STATUS_OK, "printing a diagnostic: %s",
                   hsail_status_text(status));
    }
}

bool fuzz_no_memory(const struct fuzz_session *session, hsail_status_t status)
{
    FUZZ_CHECK(session->failing || status != HSAIL_STATUS_OUT_OF_MEMORY, "out of memory, but there is some");
    return status == HSAIL_STATUS_OUT_OF_MEMORY;
}

static void run(fuzz_body_fn *body, const uint8_t *data, size_t size, struct memory *memory)
{
    const hsail_allocator_t allocator = {allocate, reallocate, release, memory};
    struct fuzz_session session = {.failing = memory->countdown >= 0};
    hsail_status_t status = hsail_context_create(&allocator, &session.context);
    if (!fuzz_no_memory(&session, status)) {
        FUZZ_CHECK(status == HSAIL_STATUS_OK, "no context");
        hsail_context_set_diagnostics(session.context, take, &session);
        body(&session, data, size);
    }
    hsail_context_destroy(session.context);
    FUZZ_CHECK(memory->blocks == 0, "%ld blocks are left%s", memory->blocks,
               memory->failed ? " after an allocation failed" : "");
}

void fuzz_run(fuzz_body_fn *body, const uint8_t *data, size_t size)
{
    uint64_t choice = fuzz_choice(data, size);
    struct memory memory = {.countdown = -1};
    run(body, data, size, &memory);
    if (choice % 4)
        return;
    long calls = memory.calls;
    memory = (struct memory){.countdown = (long)(choice / 8 % (uint64_t)calls), .once = choice & 4};
    run(body, data, size, &memory);
}

int fuzz_keep(void *user, const void *data, size_t size)
{
    struct fuzz_text *text = user;
    char *grown = realloc(text->data, text->size + size + 1);
    FUZZ_CHECK(grown, "no memory for %zu bytes of text", text->size + size);
    memcpy(grown + text->size, data, size);
    text->data = grown;
    text->size += size;
    grown[text->size] = '\0';
    return 0;
}
