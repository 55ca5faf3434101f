/* SPDX-License-Identifier: MIT */
/* Makes a module that has an entry of every kind, for tests of readers. */
#ifndef TESTSUITE_BRIG_SAMPLE_H
#define TESTSUITE_BRIG_SAMPLE_H

#include "brig/language.h"

/* The places that tests break: offsets in hsa_code unless a comment names another section. */
struct sample {
    uint8_t *module; /* freed by mem_free() */
    size_t size;
    uint32_t header, extension, pad, pragma, loc, declaration, function, formal_out, formal_in, signature;
    uint32_t kernel, kernel_arg;
    uint32_t global, table, image, sampler, module_fbarrier, body, control, label, far_label;
    uint32_t arg_start, arg_out, arg_in, call, arg_end;
    uint32_t branch, sbr, ld, st, add, cvt, fence, atomic, initfbar, alloca, last;
    uint32_t bytes_data; /* in hsa_data; those below in hsa_operand */
    uint32_t reg, bytes, expression, zero, list, packed, vector, address, code_ref, code_list, image_constant;
};

/* Builds the module for BRIG 1:BRIG_MINOR. False when memory is out. */
bool sample_build(struct sample *sample, uint32_t brig_minor);

#endif
