/* SPDX-License-Identifier: MIT */
/**
 * Offline finalization: BRIG modules to an AMDGCN code object, without a GPU and without a runtime.
 *
 *     hsail_finalize_module_t module = {hsail_module_data(m), hsail_module_size(m), "k.hsail"};
 *     void *code;
 *     size_t size;
 *     if (hsail_finalize(&module, 1, "gfx900", "-O2", print_it, NULL, &code, &size) == HSAIL_STATUS_OK)
 *         write_it(code, size);
 *     hsail_finalize_free(code);
 *
 * The functions are in libhsa-ext-finalize64.so.1, the library that the HSA runtime loads for
 * hsa_ext_program_finalize(). hsail/hsail.h makes BRIG of text, and has the statuses and the structure of diagnostics;
 * its library is not needed.
 *
 * Threads: every function may be called by any number of threads at once.
 *
 * The library prints nothing and does not end the process. LLVM runs in a process of its own, which the library starts,
 * uses again for later calls, and ends when it is unloaded; it is no child that the caller could wait for. The
 * environment variable HSAIL_FINALIZER_WORKER chooses that program or, as "0", has LLVM run in the calling process
 * (hsa-environment(7)).
 */
#ifndef HSAIL_FINALIZE_H
#define HSAIL_FINALIZE_H

#include "hsail/hsail.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A module: the bytes of a BRIG file (PRM chapter 18). */
typedef struct hsail_finalize_module_s {
    const void *brig; /**< aligned to 16, as hsail_module_data() is; may hold anything */
    size_t size;      /**< bytes there are */
    const char *name; /**< for diagnostics; NULL for "<module>" */
} hsail_finalize_module_t;

/**
 * Links modules to one program and compiles all its kernels and functions.
 *
 * The same arguments always give the same bytes. A call takes at most a minute plus a second per 8 KiB of BRIG for each
 * of three attempts at the program or, if that is large, at each of up to eight shares of it. The second and third,
 * with less optimization, follow only when LLVM crashed or did not finish.
 *
 * \param[in]  modules       COUNT modules, in any order, none of them twice; not kept, and not changed during the call.
 *                           Machine model and profile of all must agree with those of the first.
 * \param[in]  count         1 or more.
 * \param[in]  target        an instruction set name as the HSA runtime gives it, or a processor, both with or without
 *                           features: "amdgcn-amd-amdhsa--gfx900:xnack-", "gfx906:sramecc+", "AMD:AMDGPU:9:0:0". Code
 *                           for a target that leaves a feature out runs with either setting.
 * \param[in]  options       NULL, or words separated by blanks, of which later ones win: -O0 for no optimization; -O1,
 *                           -O2 and -O3, which are the same and what there is without options; -g for line tables and
 *                           for where registers and private variables are, -gline-tables-only for line tables alone;
 *                           -check-init for registers and private variables whose first values a checker of the agent
 *                           can tell from written ones, -check-align to tell it what `align` of memory instructions
 *                           promises; -shares=N, from 1 to 8, to compile the kernels in that many shares, which
 *                           different processors can do at the same time, and -shares=0 to leave that to the finalizer,
 *                           as without the option; -pieces=N, of at most nine digits, to divide functions of more
 *                           than about N machine instructions, and -pieces=0 for only those that LLVM takes too long
 *                           for; -dump-ir=FILE, -dump-isa=FILE and -dump-code=FILE to write LLVM IR before it is
 *                           optimized, assembly text and the code object to a FILE, whose path, once it is absolute,
 *                           has at most 255 bytes, none of them a blank.
 * \param[in]  callback      gets one diagnostic, an error, in the calling thread when the call fails, and a warning
 * when a function is too long or too irregular to be optimized with debug information, so that the whole program is
 * compiled as at -O0; NULL when nobody wants it. Its name is that of the module that it was found in, or "<program>";
 * its place is one in BRIG, without the entry as text, or none. A module that is not valid has the ids of
 * hsail_list_diagnostics(); the others are stable, too.
 * \param[in]  user          handed to it and not looked at.
 * \param[out] code_object   the code object, an ELF file of version 4 of the ABI, which the caller gives back to
 *                           hsail_finalize_free(); NULL after a failure.
 * \param[out] size          bytes of the code object; 0 after a failure.
 * \return OK; ARGUMENT when MODULES, the bytes of a module, TARGET, CODE_OBJECT or SIZE is NULL, COUNT is 0, bytes of a
 *         module are not aligned, the target is not in hsail_finalize_list_targets() or lacks a named feature, or a
 *         word of the options is none of those above; INVALID when a module is not valid, differs from the first in
 *         machine model or profile, rounds to zero where the first rounds to near, is there twice, or contradicts
 *         another about a symbol or a control directive; FAILED when the modules are valid but cannot be compiled or
 *         linked, or a file that an option names cannot be written; OUT_OF_MEMORY.
 */
HSAIL_CHECKED hsail_status_t hsail_finalize(const hsail_finalize_module_t *modules, size_t count, const char *target,
                                            const char *options, hsail_diagnostic_callback_t callback, void *user,
                                            void **code_object, size_t *size);

/** Releases a code object that hsail_finalize() made; NULL is ignored. */
void hsail_finalize_free(void *code_object);

/** A processor that code can be made for. Later versions of the library may add fields at the end. */
typedef struct hsail_finalize_target_s {
    const char *name;     /**< as hsail_finalize() takes it: "gfx906" */
    const char *features; /**< that its name may be followed by, as in "gfx906:sramecc+:xnack-": "sramecc xnack", parted
                               by blanks in the order of the canonical name, or "" */
    uint32_t wave_sizes;  /**< work-items of the waves that code is made for: powers of two, combined by `|` */
} hsail_finalize_target_t;

/** Receives one target. The strings live as long as the library is loaded, TARGET itself during the callback only. Any
 * result but 0 ends the list. */
typedef int (*hsail_finalize_target_callback_t)(void *user, const hsail_finalize_target_t *target);

/**
 * Lists the processors that hsail_finalize() takes, each once, always in the same order, in the calling thread.
 *
 * \param[in] callback  called once for each; it may call any function of the library.
 * \param[in] user      handed to it and not looked at.
 * \return OK, also when the callback ended the list; ARGUMENT when CALLBACK is NULL.
 */
HSAIL_CHECKED hsail_status_t hsail_finalize_list_targets(hsail_finalize_target_callback_t callback, void *user);

#ifdef __cplusplus
}
#endif

#endif
