/* SPDX-License-Identifier: MIT */
/* A program: the modules that are linked and finalized together (PRM 4.2, HSA finalizer extension). */
#ifndef FINALIZER_PROGRAM_H
#define FINALIZER_PROGRAM_H

#include "brig/control.h"
#include "brig/module.h"
#include "finalizer/failure.h"
#include "finalizer/target.h"
#include "hsa/hsa_ext_finalize.h"
#include "support/vec.h"

struct program_module {
    hsa_ext_module_t module; /* as the caller passed it */
    struct brig_view view;
};

struct program {
    hsa_machine_model_t machine_model;
    hsa_profile_t profile;
    hsa_default_float_rounding_mode_t rounding;
    VEC(struct program_module) modules;
};

struct finalize_options {
    bool optimize;
    bool lines;      /* write line tables */
    bool variables;  /* and say where registers and private variables are */
    bool unwritten;  /* registers and private variables start as memory that nothing writes, for those who check that */
    bool promises;   /* tell those who check it what alignment memory instructions promise; support/align_promise.h */
    bool quick;      /* leave out passes of the code generator that only make code faster */
    uint32_t shares; /* into how many the program is divided, or 0 for the finalizer's choice */
    uint32_t share;  /* which of them is compiled, counted from 1, or 0 for the whole program */
    uint32_t piece;  /* functions that weigh more are divided into pieces, or 0 for the finalizer's choice */
    uint32_t wave;   /* size of waves, or 0 for the processor's */
    uint32_t code_object; /* version of the code object's format, or 0 for the finalizer's choice */
    char dump_ir[256], dump_isa[256], dump_code[256]; /* files to write, or "" */
};

/* Has TARGET be what the options choose. */
bool options_apply(const struct finalize_options *options, struct target *target, struct failure *failure);

/* Reads a string of options; NULL is none. False if there is an unknown option. */
bool options_parse(const char *text, struct finalize_options *options, struct failure *failure);

struct finalize_result {
    void *image; /* mem_free() releases it */
    size_t size;
    bool is_broken; /* LLVM has failed in such a way that this process should not use it any more */
    struct failure failure;
    struct failure remark; /* what the caller should know about a code object, if there is anything */
};

/* Adds the module of SIZE bytes at MODULE, or says in FAILURE, which must be empty, why it does not. */
hsa_status_t program_add(struct program *program, hsa_ext_module_t module, size_t size, struct failure *failure);
void program_free(struct program *program);

/* Compiles the program for TARGET, in processes of its own if any can be started. Several threads may do so at once. */
hsa_status_t program_finalize(const struct program *program, const struct target *target,
                              const struct control_set *control, const struct finalize_options *options,
                              struct finalize_result *result);

#endif
