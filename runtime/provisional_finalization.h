/* SPDX-License-Identifier: MIT */
/* Finalizations of HSA 1.0 provisional, which are code without a program. (1.0P 3.1) */
#ifndef RUNTIME_PROVISIONAL_FINALIZATION_H
#define RUNTIME_PROVISIONAL_FINALIZATION_H

#include "runtime/provisional_module.h"

/* A kernel of a finalization, and its name in the code object. */
struct kernel_1p {
    struct descriptor_1p is;
    uint32_t of_module; /* it has module linkage */
    char name[256], module_name[256];
};

/* A variable whose address the client gives, again when the finalization is deserialized. */
struct address_1p {
    uint64_t module;
    uint32_t symbol;
    uint8_t of_agent, readonly, reserved[2];
    char name[256];
};

/* The code object was made for AGENT, and has been loaded. */
struct code_1p {
    uint64_t handle;
    hsa_agent_t agent;
    uint32_t profile;
    hsa_executable_t executable;
    hsa_code_object_t code;
    VEC(struct kernel_1p) kernels;
    VEC(struct address_1p) addresses;
};

typedef int (*definition_callback_1p)(uint64_t caller, uint64_t module, uint32_t symbol, uint64_t *definition_module,
                                      void *definition_module_brig, uint32_t *definition_symbol);
typedef int (*address_callback_1p)(uint64_t caller, uint64_t module, uint32_t symbol, uint64_t *address);
typedef int (*alloc_callback_1p)(uint64_t caller, size_t size, void **address);

/* An empty finalization for AGENT, or NULL; frees one with its code; gives it a handle, or frees it and returns an
 * error. */
struct code_1p *code_1p_new(hsa_agent_t agent);
void code_1p_free(struct code_1p *code);
int code_1p_finish(struct code_1p *code, uint64_t *handle);

/* The finalization of that handle and agent, or NULL. */
struct code_1p *code_1p_find(hsa_agent_t agent, uint64_t handle);

#endif
