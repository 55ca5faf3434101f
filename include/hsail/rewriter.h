/* SPDX-License-Identifier: MIT */
/**
 * Changing BRIG modules: a pass over the statements of a module that makes a new one.
 *
 * hsail_rewrite() reads a module and builds it once more. A callback sees each statement before it is copied, and may
 * leave it out or build others around it or in its place, with the functions of hsail/builder.h:
 *
 *     static hsail_rewrite_t no_barriers(void *user, const hsail_statement_t *statement)
 *     {
 *         return hsail_is_instruction(&statement->entry) &&
 *                        statement->entry.u.instruction.opcode == HSA_BRIG_OPCODE_BARRIER
 *                    ? HSAIL_REWRITE_DROP : HSAIL_REWRITE_KEEP;
 *     }
 *     status = hsail_rewrite(context, "k", reader, no_barriers, NULL, 0, &module);
 *
 * examples/count_stores.c is a pass that instruments kernels. What the callback builds is checked like everything that
 * is built. When every statement is kept, a module that this library made gives the same bytes again; that of another
 * producer gives an equivalent module, the one that its printed text assembles to.
 *
 * Threads: any number of rewrites may run at once, of one reader too, each with a context of its own.
 */
#ifndef HSAIL_REWRITER_H
#define HSAIL_REWRITER_H

#include "hsail/builder.h"
#include "hsail/reader.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What becomes of a statement. */
typedef enum {
    HSAIL_REWRITE_KEEP = 0, /**< copy it */
    HSAIL_REWRITE_DROP = 1, /**< leave it out; an executable with all that is in it */
    HSAIL_REWRITE_STOP = 2  /**< end at once; hsail_rewrite() returns HSAIL_STATUS_SINK */
} hsail_rewrite_t;

/** Where a pass is. */
typedef enum {
    HSAIL_AT_ENTRY,      /**< before a statement or formal argument */
    HSAIL_AT_INPUTS_END, /**< after the last input argument of an executable: more may be built */
    HSAIL_AT_BODY,       /**< at the start of its body */
    HSAIL_AT_BODY_END,   /**< at the end of its body */
    HSAIL_AT_MODULE_END  /**< after the last statement of the module */
} hsail_rewrite_place_t;

/** What the callback gets; all of it is valid during the call only. */
typedef struct {
    hsail_rewrite_place_t place;
    hsail_entry_t entry;             /**< AT_ENTRY, the statement; else all 0, with texts that are NULL */
    hsail_entry_t executable;        /**< what the place is in; its CODE is 0 at module scope */
    const char *mnemonic;            /**< of an instruction, as hsail_reader_mnemonic() has it; else NULL */
    const hsail_operand_t *operands; /**< of an instruction, control directive or pragma, as the builder takes them */
    uint32_t operand_count;
    const hsail_reader_t *reader;
    hsail_builder_t *builder; /**< for what is to be inserted here */
} hsail_statement_t;

/**
 * Decides about a statement, in the thread that called hsail_rewrite(). What it returns counts only AT_ENTRY, except
 * STOP, which counts everywhere. Errors of the builder need not be looked at: hsail_rewrite() returns them. It may use
 * the context as builders do, and must not finish or destroy the builder.
 */
typedef hsail_rewrite_t (*hsail_rewrite_callback_t)(void *user, const hsail_statement_t *statement);

/**
 * Builds a module once more, with changes.
 *
 * \param[in]  context   as for hsail_builder_create().
 * \param[in]  name      of the new module, for diagnostics; NULL for "<input>".
 * \param[in]  reader    what is read.
 * \param[in]  callback  sees every statement; NULL keeps them all.
 * \param[in]  user      handed to CALLBACK, not looked at.
 * \param[in]  flags     0 or HSAIL_NO_VALIDATION.
 * \param[out] module    new module, the caller's to destroy, or NULL after a failure. It does not need the reader.
 * \return as hsail_builder_finish(), or SINK when CALLBACK stopped it.
 */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_rewrite(hsail_context_t *context, const char *name,
                                                     const hsail_reader_t *reader, hsail_rewrite_callback_t callback,
                                                     void *user, unsigned flags, hsail_module_t **module);

/** Builds the statement now, so that others can be built after it; the callback returns DROP then. Works only AT_ENTRY,
 * and not for a formal argument or executable. Returns the status of the builder's function for that statement, or
 * ARGUMENT. */
HSAIL_API hsail_status_t hsail_statement_emit(const hsail_statement_t *statement);

#ifdef __cplusplus
}
#endif

#endif
