/* SPDX-License-Identifier: MIT */
/* The fuzz targets: each takes any bytes, and ends the process if a promise of the libraries is broken.
 *
 * A target runs in a session, which has a context whose allocator counts blocks. For one input in four it runs again
 * while one allocation fails, or all from one on. Leaks are noticed in either case. */
#ifndef TESTSUITE_FUZZ_FUZZ_TARGET_H
#define TESTSUITE_FUZZ_FUZZ_TARGET_H

#include "hsail/hsail.h"

#include <stdbool.h>

typedef void fuzz_target_fn(const uint8_t *data, size_t size);

/* text.c: assembles text in every way; the verdict is the same, and what is accepted is printed as text of the same
 * module. */
fuzz_target_fn fuzz_text;
/* brig.c: opens, walks and dumps a module. */
fuzz_target_fn fuzz_brig;
/* disassemble.c: prints whatever can be opened, valid or not. */
fuzz_target_fn fuzz_disassemble;
/* check_brig.c: structure and rules; the verdict depends on nothing but the module. */
fuzz_target_fn fuzz_validate;
/* roundtrip.c: a valid module is printed as text that assembles to an equivalent module. */
fuzz_target_fn fuzz_roundtrip;
/* lay_out.c: text that assembles can be formatted and given lines without changing the module otherwise. */
fuzz_target_fn fuzz_format;
/* read_entries.c: a module that can be opened can be read to its last element, and rewritten. */
fuzz_target_fn fuzz_reader;

struct fuzz_target {
    const char *name;
    fuzz_target_fn *run;
    bool text; /* inputs are text, else BRIG */
};

#define FUZZ_TARGETS 7
extern const struct fuzz_target fuzz_targets[FUZZ_TARGETS];

/* ---- For the targets (session.c) ------------------------------------------------------------------- */

struct fuzz_session {
    hsail_context_t *context;
    size_t errors, warnings; /* how many were reported since these were set to 0 */
    bool failing;            /* allocations may fail */
};

typedef void fuzz_body_fn(struct fuzz_session *session, const uint8_t *data, size_t size);

void fuzz_run(fuzz_body_fn *body, const uint8_t *data, size_t size);

/* Ends the process, with the words in the message, unless CONDITION holds. */
#define FUZZ_CHECK(condition, ...) ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, __VA_ARGS__))
__attribute__((noreturn, format(printf, 3, 4))) void fuzz_fail(const char *file, int line, const char *format, ...);

/* Whether STATUS says that memory is out, which it may only do in a session whose allocations fail. */
bool fuzz_no_memory(const struct fuzz_session *session, hsail_status_t status);

/* A number that depends on the input but not on its meaning, for choosing variants. */
uint64_t fuzz_choice(const uint8_t *data, size_t size);

/* A text that a sink collects. Its memory is not that of the session. */
struct fuzz_text {
    char *data;
    size_t size;
};

int fuzz_keep(void *text, const void *data, size_t size); /* an hsail_sink_t */

#endif
