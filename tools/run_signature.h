/* SPDX-License-Identifier: MIT */
/* What a kernel wants to be launched with: its formal arguments, and the limits that its directives set.
 *
 * A signature comes from the kernel's BRIG module, which knows types and every control directive, or from the metadata
 * of a code object, which knows sizes and the required work-group. */
#ifndef TOOLS_RUN_SIGNATURE_H
#define TOOLS_RUN_SIGNATURE_H

#include "hsail/hsail.h"
#include "support/bytes.h"
#include "support/cli.h"
#include "support/textbuf.h"
#include "support/vec.h"

#include <stdio.h>

enum run_formal_kind {
    RUN_FORMAL_BITS, /* a value of which only the size is known */
    RUN_FORMAL_INTEGER,
    RUN_FORMAL_FLOAT,
    RUN_FORMAL_ADDRESS, /* takes a buffer, or an address as a number */
    RUN_FORMAL_HANDLE,  /* an image, a sampler or a signal */
    RUN_FORMAL_HIDDEN   /* filled in by whoever launches the kernel; no argument of the command line */
};

struct run_formal {
    char *name; /* "" when it has none */
    char type[16];
    enum run_formal_kind kind;
    uint32_t offset, bytes; /* in the kernarg segment; of one element */
    uint32_t count;         /* elements; each takes an argument of its own */
    uint32_t hidden;        /* enum run_hidden */
};

/* What a hidden argument holds: RUN_HIDDEN_BLOCK_COUNT_X, ..., one for each row of run_hidden.def. RUN_HIDDEN_ZERO is
 * 0, which means "not available" for most of them. */
enum run_hidden {
    RUN_HIDDEN_ZERO,
#define HIDDEN(name, text, dimension, value) RUN_HIDDEN_##name,
#include "tools/run_hidden.def"
};

/* 0 where the kernel says nothing. */
struct run_limits {
    uint32_t dimensions;
    uint64_t grid[3];
    uint32_t group[3];
    uint64_t flat_grid;
    uint32_t flat_group;
    uint64_t dynamic_group; /* bytes of dynamic group memory, plus 1 */
    bool whole_groups;      /* no partial work-groups */
};

struct run_signature {
    bool known;        /* false: neither module nor metadata speaks of the kernel */
    uint64_t position; /* it grows from kernel to kernel of a file */
    VEC(struct run_formal) formals;
    struct run_limits limits;
};

/* What program and executable have to be made for, as the module directive of a validated module says it. */
struct run_module_kind {
    uint8_t profile; /* hsa_brig_profile_t, which has the numbers of hsa_profile_t */
    uint8_t model;   /* hsa_brig_machine_model_t, likewise */
};
struct run_module_kind run_module_kind(const hsail_module_t *module);

/* Sets kind, size and text of an argument whose type has a NAME of HSAIL; false if it is none. */
bool run_signature_hsail_type(struct bytes name, struct run_formal *formal);

/* Reads the signature of the kernel NAME, with its '&', from a validated module. False when the module does not define
 * it, or memory is out. */
bool run_signature_of_module(const hsail_module_t *module, const char *name, struct run_signature *signature);

/* The same from the metadata of a code object; NAME as the code object has it, with or without ".kd". The bytes may
 * hold anything. */
bool run_signature_of_code(struct bytes code, const char *name, struct run_signature *signature);

/* Writes "&name(u64 %a, u32 %count[4])" and the limits to standard output or error. */
void run_signature_print(const struct run_signature *signature, const char *name, FILE *to);

/* Adds the members arguments, required_group and the like to an object of JSON that has members already. */
void run_signature_json(const struct run_signature *signature, struct textbuf *json);

void run_signature_free(struct run_signature *signature);

#endif
