/* SPDX-License-Identifier: MIT */
/**
 * libhsail: HSAIL text and BRIG modules, HSAIL 1:0 to 1:2.
 *
 *     hsail_context_t *context;
 *     hsail_module_t *module;
 *     if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
 *         return;
 *     hsail_context_set_diagnostics(context, print_it, NULL);
 *     if (hsail_assemble(context, "k.hsail", text, size, 0, &module) == HSAIL_STATUS_OK)
 *         write_it(hsail_module_data(module), hsail_module_size(module));
 *     hsail_module_destroy(module);
 *     hsail_context_destroy(context);
 *
 * Threads: a context is used by one thread at a time; any number of contexts may be used at once, and the library has
 * no other state. A module never changes after it was made, so several threads may read it at once.
 *
 * The library prints nothing, never ends the process, reads no environment and depends on no locale. Whatever bytes
 * it is given, it answers with a status.
 *
 * Limits: a text has at most 4,294,967,294 bytes, a section of a module at most 4,294,901,759, an executable at most
 * 65,535 input and as many output arguments, and what entries of a module share stands for at most 256 times the
 * module's size and 16 MiB of text. Within these limits, time and memory are linear; an input that exceeds one gets
 * HSAIL_STATUS_TOO_LARGE or a diagnostic.
 *
 * hsail/brig.h has the structures of BRIG.
 */
#ifndef HSAIL_HSAIL_H
#define HSAIL_HSAIL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HSAIL_API __attribute__((visibility("default")))
#else
#define HSAIL_API
#endif

/** Marks functions whose failure goes unnoticed unless the result is looked at. */
#if defined(__GNUC__)
#define HSAIL_CHECKED __attribute__((warn_unused_result))
#else
#define HSAIL_CHECKED
#endif

/** What a function of this library, or of hsail/finalize.h, returns. */
typedef enum {
    HSAIL_STATUS_OK = 0,
    HSAIL_STATUS_INVALID = 1,       /**< the input was refused; the reasons went to the diagnostics callback */
    HSAIL_STATUS_OUT_OF_MEMORY = 2, /**< the allocator returned NULL, and nothing is leaked; hsail_finalize(): or a
                                         variable is too large for any memory */
    HSAIL_STATUS_ARGUMENT = 3,      /**< a pointer is NULL that must not be, or a value is out of its range */
    HSAIL_STATUS_TOO_LARGE = 4,     /**< text, or a section of the module, would exceed 4 GiB */
    HSAIL_STATUS_SINK = 5,          /**< the caller's sink returned a value other than 0 */
    HSAIL_STATUS_FAILED = 6 /**< no code or file could be made from valid modules; the callback got the reason */
} hsail_status_t;

/** The settings of the caller, and where diagnostics go. Created and destroyed by the caller. */
typedef struct hsail_context_s hsail_context_t;

/** A BRIG module in memory. Created by the library, destroyed by the caller. */
typedef struct hsail_module_s hsail_module_t;

/** Memory for everything that belongs to a context and its modules. All three may be called from any thread that
 * uses the context or destroys one of its modules. */
typedef struct {
    void *(*allocate)(void *user, size_t size);                /**< aligned to 16; NULL when there is none */
    void *(*reallocate)(void *user, void *block, size_t size); /**< as realloc(); BLOCK stays valid after NULL */
    void (*release)(void *user, void *block);                  /**< BLOCK is never NULL */
    void *user;
} hsail_allocator_t;

/** How bad a finding is. */
typedef enum {
    HSAIL_SEVERITY_NOTE = 1,    /**< explains the finding before it */
    HSAIL_SEVERITY_WARNING = 2, /**< accepted; may be switched off or made an error */
    HSAIL_SEVERITY_ERROR = 3    /**< the input is refused */
} hsail_severity_t;

/** One finding. All of it is valid during the callback only; what hsail_builder_error() returns lives longer. */
typedef struct {
    hsail_severity_t severity;
    const char *id;              /**< of the rule, stable; see hsail_list_diagnostics() */
    const char *message;         /**< without place and id */
    const char *prm_section;     /**< section of the PRM 1.2 that has the rule; "" when none */
    const char *name;            /**< of the input, as given */
    size_t line, column;         /**< in text, from 1, columns in bytes; LINE is 0 when the input is BRIG */
    size_t end_line, end_column; /**< of the first byte after the range */
    const char *brig_section;    /**< in BRIG, the section's name; NULL when the input is text */
    uint64_t offset;             /**< in BRIG, from the start of the section */
    const char *entry;           /**< in BRIG, what is there as text, in which the columns count; NULL: damaged. Of a
                                      call of hsail/builder.h, its statement as text */
    const void *internal;        /**< for hsail_diagnostic_print(); may be NULL */
    const char *source;          /**< for what a builder made: the file of the loc before it; NULL when there is none */
    size_t source_line, source_column; /**< of that loc */
} hsail_diagnostic_t;

/** Receives findings, sorted by place, each note after what it explains. It is called before the function that found
 * them returns, in the same thread, and must not call functions with the same context. */
typedef void (*hsail_diagnostic_callback_t)(void *user, const hsail_diagnostic_t *diagnostic);

/** Takes SIZE bytes of output; called as often as needed. Any result but 0 ends the output. */
typedef int (*hsail_sink_t)(void *user, const void *data, size_t size);

/**
 * Creates a context.
 *
 * \param[in]  allocator  copied; NULL for malloc() and its like. The functions must not be NULL.
 * \param[out] context    new context, or NULL after a failure.
 * \return OK, OUT_OF_MEMORY or ARGUMENT.
 */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_context_create(const hsail_allocator_t *allocator,
                                                            hsail_context_t **context);

/** Destroys a context; NULL is ignored. Modules made with it stay valid. */
HSAIL_API void hsail_context_destroy(hsail_context_t *context);

/** Sets who gets the diagnostics; NULL, which is the setting at the start, drops them. USER is handed to the callback
 * and not looked at. A CONTEXT of NULL is ignored. */
HSAIL_API void hsail_context_set_diagnostics(hsail_context_t *context, hsail_diagnostic_callback_t callback,
                                             void *user);

/** Limits the errors reported per input, so that a hopeless one ends soon; 0 means no limit. The limit is 100 at the
 * start. A note "stopped" tells that it was reached. A CONTEXT of NULL is ignored. */
HSAIL_API void hsail_context_set_max_errors(hsail_context_t *context, size_t count);

/**
 * Changes which warnings there are.
 *
 * \param[in] setting  "id" switches the warning of that id on, "no-id" off, "error=id" makes it an error; "all",
 *                     "no-all" and "error" do the same for every warning, "error" for those that are on. "lint",
 *                     "no-lint" and "error=lint" stand for those about what is legal and probably not meant, which are
 *                     off at the start. Later settings win. Errors cannot be switched off.
 * \return OK, or ARGUMENT when a pointer is NULL or there is no warning of that id.
 */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_context_set_warning(hsail_context_t *context, const char *setting);

/** Flags of hsail_assemble() and hsail_module_load(), combined by `|`. */
enum {
    HSAIL_NO_VALIDATION = 1, /**< check only that the module can be read and printed, not the rules of HSAIL */
    HSAIL_TERMINATED = 2,    /**< of hsail_assemble() only: a NUL follows the text, and neither it nor the text changes
                                  during the call, so that no copy has to be made */
    HSAIL_LINES = 4          /**< of hsail_assemble() only: the first statement of each line of a code block gets a loc
                                  with that line and NAME as its file, unless code blocks have loc of their own; so
                                  that a debugger shows the text */
};

/**
 * Assembles HSAIL text (PRM chapter 4, 19) and validates the result.
 *
 * Errors of syntax, structure and meaning are reported together, as many as can be told apart. The BRIG written for a
 * module of HSAIL 1:0 is BRIG 1:0, otherwise BRIG 1:2. The same text always gives the same bytes. Time and memory are
 * linear in the size of the text.
 *
 * \param[in]  name    for diagnostics; NULL for "<input>".
 * \param[in]  text    SIZE bytes, with HSAIL_TERMINATED one more that is NUL; not kept. NULL only when SIZE is 0 and
 *                     that flag is not set.
 * \param[in]  flags   0, or any of HSAIL_NO_VALIDATION, HSAIL_TERMINATED and HSAIL_LINES.
 * \param[out] module  new module, or NULL after a failure.
 * \return OK, INVALID, OUT_OF_MEMORY, TOO_LARGE, or ARGUMENT: a pointer or flag is wrong, or the byte after the text.
 */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_assemble(hsail_context_t *context, const char *name, const void *text,
                                                      size_t size, unsigned flags, hsail_module_t **module);

/**
 * Makes a module of the bytes of a BRIG file (PRM chapter 18), which are copied, and validates it.
 *
 * Versions 1:0 to 1:2 of BRIG, sections in any order, sections beyond the three, and entries longer than they have to
 * be are accepted.
 *
 * \param[in] flags  0 or HSAIL_NO_VALIDATION, with which structural errors are errors all the same.
 * \return as hsail_assemble().
 */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_module_load(hsail_context_t *context, const char *name, const void *brig,
                                                         size_t size, unsigned flags, hsail_module_t **module);

/** Validates a module that was made with HSAIL_NO_VALIDATION. Findings have places in BRIG; NAME is that of the input,
 * or NULL. Returns OK, INVALID, OUT_OF_MEMORY, or ARGUMENT when CONTEXT or MODULE is NULL. */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_module_validate(hsail_context_t *context, const char *name,
                                                             const hsail_module_t *module);

/** The module's bytes: those of a BRIG file, aligned to 16. They live as long as the module. NULL for NULL. */
HSAIL_API const void *hsail_module_data(const hsail_module_t *module);

/** How many bytes there are; 0 for NULL. */
HSAIL_API size_t hsail_module_size(const hsail_module_t *module);

/** Destroys a module; NULL is ignored. Its context need not exist any more. */
HSAIL_API void hsail_module_destroy(hsail_module_t *module);

/** How floating-point constants are printed. */
typedef enum {
    HSAIL_FLOAT_IEEE = 0,   /**< 0f3f800000: the bits */
    HSAIL_FLOAT_C99 = 1,    /**< 0x1p+0f */
    HSAIL_FLOAT_DECIMAL = 2 /**< 1.0f: the fewest digits that read back the same */
} hsail_float_t;

/**
 * Prints a module as HSAIL text that assembles to an equivalent module; to the same bytes when this library made it.
 *
 * \param[in] style  of floating-point constants. Infinities and NaNs always show their bits.
 * \param[in] sink   gets the text in pieces.
 * \return OK, OUT_OF_MEMORY, ARGUMENT or SINK.
 */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_disassemble(hsail_context_t *context, const hsail_module_t *module,
                                                         hsail_float_t style, hsail_sink_t sink, void *user);

/** How statements are laid out. */
typedef enum {
    HSAIL_LAYOUT_TABS = 0,    /**< as hsail_disassemble() does, and the HSAILasm of the HSA Foundation */
    HSAIL_LAYOUT_READABLE = 1 /**< as people write it: indented by four spaces, items set apart by blank lines, short
                                 lists of arguments in one line, arrays in rows, loc with no more than has to be said */
} hsail_layout_t;

/** As hsail_disassemble(), in a layout. The texts differ in white space and loc only, and assemble to the same. */
HSAIL_API hsail_status_t hsail_disassemble_as(hsail_context_t *context, const hsail_module_t *module,
                                              hsail_float_t style, hsail_layout_t layout, hsail_sink_t sink,
                                              void *user);

/**
 * Prints HSAIL text in its canonical layout: a statement per line, indented by four spaces, words and operands
 * separated by one space, with blank lines around what has a body and at most one elsewhere. Every comment stays
 * between the same tokens; one on a line of its own keeps its line, and one at the end of a line stays there, aligned
 * with those of its neighbours. Numbers, names and the order of statements are as they were.
 *
 * The text is assembled first, and nothing is printed when that fails. What is printed assembles to the same bytes, and
 * printed again it does not change. Time is linear in the size of the text.
 *
 * \return as hsail_assemble(), or SINK.
 */
HSAIL_API hsail_status_t hsail_format(hsail_context_t *context, const char *name, const void *text, size_t size,
                                      unsigned flags, hsail_sink_t sink, void *user);

/** Prints every entry of a BRIG file with offsets, field names and values, as far as it can be read: also of a file
 * that hsail_module_load() refuses. Returns OK, INVALID when there is no container, OUT_OF_MEMORY, ARGUMENT or SINK. */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_dump(hsail_context_t *context, const char *name, const void *brig,
                                                  size_t size, hsail_sink_t sink, void *user);

/** Prints the table of instructions, one line each, with these columns separated by tabs: opcode, mnemonic with its
 * modifiers (those in brackets may be left out), a letter per operand, PRM section. Returns OK, OUT_OF_MEMORY, ARGUMENT
 * or SINK. */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_list_instructions(hsail_context_t *context, hsail_sink_t sink, void *user);

/** Prints the table of diagnostics, one line each: id, severity, PRM section and a sentence, separated by tabs. Returns
 * the same as hsail_list_instructions(). */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_list_diagnostics(hsail_context_t *context, hsail_sink_t sink, void *user);

/** How hsail_diagnostic_print() prints. */
typedef enum {
    HSAIL_PRINT_TEXT = 0,   /**< name:line:column: severity: message [id] (PRM section), source line and caret */
    HSAIL_PRINT_COLOUR = 1, /**< the same with escape sequences for a terminal */
    HSAIL_PRINT_JSON = 2    /**< one JSON object in one line */
} hsail_print_t;

/** Prints a diagnostic, also one of hsail_finalize(). To be called only inside the callback, or with what
 * hsail_builder_error() returned. Returns OK, OUT_OF_MEMORY, ARGUMENT or SINK. */
HSAIL_API hsail_status_t hsail_diagnostic_print(const hsail_diagnostic_t *diagnostic, hsail_print_t style,
                                                hsail_sink_t sink, void *user);

/** A sentence for a status; never NULL. */
HSAIL_API const char *hsail_status_text(hsail_status_t status);

/** The library's version, as "1.2.3". */
HSAIL_API const char *hsail_version(void);

#ifdef __cplusplus
}
#endif

#endif
