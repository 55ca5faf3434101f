/* SPDX-License-Identifier: MIT */
/* The only header of the finalizer that includes LLVM's, and a session in which one module is built and compiled.
 *
 * LLVM may report an error by a return value, by a diagnostic of severity error although it returns success, or by
 * calling its fatal error handler. A session turns all three into a message. After a fatal error, what the session owns
 * cannot be trusted; it is abandoned and not released. */
#ifndef FINALIZER_LLVM_H
#define FINALIZER_LLVM_H

#include "finalizer/failure.h"
#include "finalizer/target.h"
#include "support/bytes.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <setjmp.h>

enum llvm_level { LLVM_LEVEL_NONE, LLVM_LEVEL_DEFAULT };

struct llvm_session {
    LLVMContextRef context;
    LLVMTargetMachineRef machine;
    LLVMTargetDataRef layout;
    LLVMModuleRef module;
    const struct target *target;
    enum llvm_level level;
    unsigned piece; /* functions that weigh more are divided into pieces of about that weight; 0 for the finalizer's
                       choice */
    bool broken;    /* a fatal error happened */
    struct failure failure;
    struct failure remark; /* why the module is not optimized, although that was asked for */
    jmp_buf escape;
};

/* Opens a session for TARGET with an empty module. False with a message on failure. */
bool llvm_open(struct llvm_session *session, const struct target *target, enum llvm_level level);
void llvm_close(struct llvm_session *session);

/* Has the code generator leave out the passes that only make code faster. */
bool llvm_generate_quickly(struct llvm_session *session);

/* Runs BODY(DATA) and catches fatal errors of LLVM. False, with a message, if there was one or BODY returns false. */
bool llvm_protect(struct llvm_session *session, bool (*body)(struct llvm_session *, void *), void *data);

/* Verifies and optimizes the module. */
bool llvm_optimize(struct llvm_session *session);

/* undefined.c: llvm_settle_undefined() makes values 0 that are frozen and undefined, such as those of private memory
 * where nothing was stored: each use of an undefined value may see another one, also of a frozen one, as the code
 * generator gives each use a register that is not set. llvm_thaw(), after all passes that could use that a value is
 * undefined, leaves `freeze` out. */
void llvm_settle_undefined(struct llvm_session *session);
void llvm_thaw(struct llvm_session *session);

/* nan.c: makes constant NaNs keep their payload, and signaling ones quiet. */
void llvm_keep_nans(struct llvm_session *session);

/* bytes.c: keeps LLVM from gathering bytes of several values wrongly. */
void llvm_hide_bytes(struct llvm_session *session);

/* constants.c: makes numbers of constant expressions. */
void llvm_settle_constants(struct llvm_session *session);

/* products.c: spells out products of 64 bits in products of 32. */
void llvm_spell_out_products(struct llvm_session *session);

/* disjoint.c: spells out sums of numbers one of which excludes the bits of the other. */
void llvm_spell_out_disjoint(struct llvm_session *session);

/* ones.c: hides from LLVM that words are all ones, if they are computed in one block and used in another, or are parts
 * of a number of 64 bits. */
bool llvm_hide_ones(struct llvm_session *session);

/* demote.c: has values that go from block to block go through variables. */
void llvm_demote_values(struct llvm_session *session);

/* pieces.c: divides functions that weigh more than MOST, as far as possible. Control flow must be regular, and values
 * that go from block to block must go through variables. False, with a message, on failure. */
bool llvm_divide_functions(struct llvm_session *session, unsigned most);

/* regions.c: divides blocks that weigh more than REGION or, if that is 0, so much that LLVM takes more time for them
 * than for as many instructions in short ones. */
void llvm_part_blocks(struct llvm_session *session, unsigned region);
/* About how many machine instructions a block or a function becomes. */
unsigned llvm_block_weight(LLVMBasicBlockRef block);
unsigned llvm_function_weight(LLVMValueRef function);
/* The longest function of the module, or NULL; *WEIGHT is about how many machine instructions it becomes. */
LLVMValueRef llvm_heaviest(struct llvm_session *session, unsigned *weight);

/* Gives a function the attribute NAME, which has no value. */
void llvm_add_attribute(struct llvm_session *session, LLVMValueRef function, const char *name);

/* Marks functions that weigh more than MOST. False if one of them has loops, switches or irregular flow, or memory is
 * out. */
bool llvm_mark_long(struct llvm_session *session, unsigned most);
/* Has the code generator leave out, in functions that are marked, what takes more than linear time. It comes after all
 * passes, which would leave these functions out as well. */
void llvm_spare_long(struct llvm_session *session);

/* Runs the passes of PIPELINE on a module of the session. False, with a message, on failure. */
bool llvm_run_passes(struct llvm_session *session, LLVMModuleRef module, const char *pipeline);

/* The object file (or the assembly text) of the module; LLVMDisposeMemoryBuffer() releases it. NULL on
 * failure. */
LLVMMemoryBufferRef llvm_emit(struct llvm_session *session, bool assembly);

/* Records the first failure of the session; returns false. */
#define llvm_fail(session, name, ...) failure_record(&(session)->failure, name __VA_OPT__(, ) __VA_ARGS__)

#endif
