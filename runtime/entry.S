/* SPDX-License-Identifier: MIT */
/* The exported functions of the API: each jumps to what stands in its row of the tables of runtime/api_table.c.
 *
 * Input: any call. Output: the same call, of the row's function. Invariant: no register but the instruction pointer
 * changes, so an entry needs to know nothing of arguments and results. Inside the runtime the entry of hsa_init() is also
 * named entry_hsa_init. */
        .hidden api_core
        .hidden api_amd
        .hidden api_finalizer
        .hidden api_image

        .macro entry name, table, offset
        .globl  \name
        .type   \name, @function
        .globl  entry_\name
        .hidden entry_\name
        .type   entry_\name, @function
        .p2align 4
\name:
entry_\name:
        .cfi_startproc
        endbr64
        jmp     *\table+\offset(%rip)
        .cfi_endproc
        .size   \name, . - \name
        .size   entry_\name, . - entry_\name
        .endm

        .macro row name, table
        .set    offset_\name, offset
        entry   \name, \table, offset_\name
        .set    offset, offset + 8
        .endm

        .macro rows
        .set    offset, 16
        .endm

        .text
        rows
#define HSA_API_CORE(name) row name, api_core
#include "hsa/hsa_api_trace.def"
        rows
#define HSA_API_AMD(name) row name, api_amd
#define HSA_API_AMD_HIDDEN(name) .hidden name; row name, api_amd
#include "hsa/hsa_api_trace.def"
        rows
#define HSA_API_FINALIZER(name) row name, api_finalizer
#include "hsa/hsa_api_trace.def"
        rows
#define HSA_API_IMAGE(name) row name, api_image
#include "hsa/hsa_api_trace.def"
#define HSA_API_OLD(old, name) entry old, api_core, offset_##name
#include "hsa/hsa_api_trace.def"

        .section .note.GNU-stack, "", @progbits
