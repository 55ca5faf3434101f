/* SPDX-License-Identifier: MIT */
/**
 * Reading BRIG modules: what is in them, entry by entry, and finding entries by name.
 *
 * A reader shows a module as HSAIL has it: the statements of the module in their order, kernels and functions with
 * their arguments and body, each statement with its operands in the order of the text:
 *
 *     hsail_reader_t *reader;
 *     hsail_entry_t kernel, entry;
 *     if (hsail_reader_open(context, "k.brig", brig, size, 0, &reader) == HSAIL_STATUS_OK) {
 *         hsail_walk_t kernels = hsail_walk_module(reader);
 *         while (hsail_walk_next(&kernels, &kernel))
 *             if (kernel.kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL) {
 *                 hsail_walk_t inputs = hsail_walk_inputs(reader, kernel.code);
 *                 while (hsail_walk_next(&inputs, &entry))
 *                     printf("%s %s\n", hsail_type_text(entry.u.variable.type), entry.name.data);
 *             }
 *         hsail_reader_destroy(reader);
 *     }
 *
 * examples/callgraph.c is a program that does so. Numbers of enumerations are those of hsail/brig.h; the functions that
 * end in _text and _name give their words. hsail/rewriter.h changes modules.
 *
 * What hsail_reader_open() has accepted can be read: every reference leads to what it should, so the functions here
 * work for every entry and operand that a reader gave out, and refuse other numbers. Strings are followed by a NUL,
 * which their size does not count, and live as long as the reader.
 *
 * Threads: a reader never changes after it was opened, so several threads may use it at once, each with walks of its
 * own. The functions that take no reader may be called from any thread.
 */
#ifndef HSAIL_READER_H
#define HSAIL_READER_H

#include "hsail/brig.h"
#include "hsail/hsail.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A module that was opened for reading. Created by the library, destroyed by the caller. */
typedef struct hsail_reader_s hsail_reader_t;

/** An entry of the section hsa_code: its offset there, as diagnostics and hsail_dump() have it. 0 is none. */
typedef uint32_t hsail_code_t;

/** An operand: its offset in the section hsa_operand. 0 is none. */
typedef uint32_t hsail_operand_ref_t;

/** SIZE bytes, which may be any, and a NUL after them; never NULL. */
typedef struct {
    const char *data;
    size_t size;
} hsail_text_t;

/** The module header (PRM 14.1). */
typedef struct {
    uint32_t major, minor; /**< version of HSAIL */
    hsa_brig_profile_t profile;
    hsa_brig_machine_model_t machine_model;
    hsa_brig_round_t rounding; /**< default of floating-point operations */
} hsail_module_entry_t;

/** A kernel, function, indirect function or signature (PRM 4.3.2 to 4.3.4). */
typedef struct {
    uint32_t output_count, input_count;
} hsail_executable_entry_t;

/** A variable or a formal argument (PRM 4.3.3, 4.3.8). */
typedef struct {
    hsa_brig_segment_t segment;
    hsa_brig_type_t type; /**< of an array, that of its elements */
    int is_array;         /**< not 0: name[dimension] */
    uint64_t dimension;   /**< elements of an array; 0: not said */
    uint32_t align;       /**< in bytes; 0: not said */
    int is_const;         /**< not 0: const */
    int is_agent;         /**< not 0: alloc(agent) */
    int is_initialized;   /**< not 0: hsail_reader_initializer() has a value */
} hsail_variable_entry_t;

/** loc; the name of the entry is that of the file (PRM 13.2). */
typedef struct {
    uint32_t line, column;
} hsail_location_entry_t;

/** extension; the name of the entry is that of the extension (PRM 13.1). */
typedef struct {
    int has_version; /**< not 0: MAJOR and MINOR were said */
    uint32_t major, minor;
} hsail_extension_entry_t;

/** A control directive (PRM 13.5). */
typedef struct {
    hsa_brig_control_directive_t control;
} hsail_control_entry_t;

/** An instruction (PRM 4.16, chapters 5 to 12). */
typedef struct {
    hsa_brig_opcode_t opcode;
    const char *text;        /**< of the opcode, without modifiers: "ld" */
    hsa_brig_type_t type;    /**< of the result; NONE for an instruction without a type */
    const char *prm_section; /**< section of the PRM 1.2 that describes it, or the vendor's extension */
} hsail_instruction_entry_t;

/** pad (PRM 13.3). */
typedef struct {
    uint32_t words; /**< as the text has it */
} hsail_pad_entry_t;

/** A statement of a module, or a formal argument. */
typedef struct {
    hsail_code_t code;
    hsa_brig_kind_t kind;   /**< decides which member of U there is; see hsail_kind_name() */
    hsail_text_t name;      /**< with sigil; of a comment its text with the slashes; empty where there is none */
    int is_definition;      /**< of an executable, variable or fbarrier: 0 for decl; a signature is one */
    int is_program;         /**< not 0: prog */
    uint32_t operand_count; /**< of an instruction, control directive or pragma */
    union {
        hsail_module_entry_t module;           /**< DIRECTIVE_MODULE */
        hsail_executable_entry_t executable;   /**< _KERNEL, _FUNCTION, _INDIRECT_FUNCTION, _SIGNATURE */
        hsail_variable_entry_t variable;       /**< DIRECTIVE_VARIABLE */
        hsail_location_entry_t location;       /**< DIRECTIVE_LOC */
        hsail_extension_entry_t extension;     /**< DIRECTIVE_EXTENSION, _EXTENSION_VERSION */
        hsail_control_entry_t control;         /**< DIRECTIVE_CONTROL */
        hsail_instruction_entry_t instruction; /**< INST_BEGIN <= kind < INST_END */
        hsail_pad_entry_t pad;                 /**< NONE */
    } u; /**< labels, fbarriers, pragmas, comments and the ends of arg blocks have no more than what is above */
} hsail_entry_t;

/** Not 0 when the entry is an instruction. */
static inline int hsail_is_instruction(const hsail_entry_t *entry)
{
    return entry->kind >= HSA_BRIG_KIND_INST_BEGIN && entry->kind < HSA_BRIG_KIND_INST_END;
}

/** Not 0 when the entry is a kernel, function, indirect function or signature. */
static inline int hsail_is_executable(const hsail_entry_t *entry)
{
    return entry->kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL || entry->kind == HSA_BRIG_KIND_DIRECTIVE_FUNCTION ||
           entry->kind == HSA_BRIG_KIND_DIRECTIVE_INDIRECT_FUNCTION || entry->kind == HSA_BRIG_KIND_DIRECTIVE_SIGNATURE;
}

/** An operand, or an element of one (PRM 18.6). What a kind does not have is 0, an empty text or NULL. */
typedef struct {
    hsail_operand_ref_t operand; /**< 0 for an element of a list of names */
    hsa_brig_kind_t kind;        /**< HSA_BRIG_KIND_OPERAND_ */
    char register_kind;          /**< 'c', 's', 'd' or 'q' of a register, and of an address that has one */
    uint32_t register_number;
    hsa_brig_type_t type;     /**< of a constant, as it is stored; of a list the array type, or NONE for {...} */
    hsail_text_t bytes;       /**< of constant bytes, little endian, or of a string */
    hsail_code_t symbol;      /**< what an address, a reference, or an expression with addr() names */
    hsail_text_t symbol_name; /**< its name, with sigil */
    int64_t offset;           /**< of an address or addr(), bytes of align and zero */
    hsa_brig_expression_operation_t operation; /**< of an expression */
    uint32_t element_count;                    /**< of a vector, a list of names, or a list of constants */
    const void *properties; /**< of an image, its hsa_ext_brig_operand_constant_image_t; of a sampler likewise */
} hsail_operand_info_t;

/** A modifier of an instruction (PRM 4.16). */
typedef struct {
    const char *name; /**< what it is: "segment", "align", "rounding" */
    const char *text; /**< its word; "" where the text has none, or for a flag that is not set */
    uint32_t value;   /**< of its enumeration, or the number of equiv and of elements of a vector; 0 or 1 of a flag */
} hsail_modifier_t;

/** A place among entries; made by the functions below and moved by hsail_walk_next(). */
typedef struct {
    const hsail_reader_t *reader;
    hsail_code_t next, end;
    int formals; /**< not 0: entries that are no formal arguments are skipped */
} hsail_walk_t;

/**
 * Opens BRIG for reading: checks it, and finds what is in it. Only strings are copied.
 *
 * \param[in]  context  settings and the diagnostics callback; memory comes from its allocator. It need not outlive the
 *                      reader.
 * \param[in]  name     for diagnostics; NULL for "<input>".
 * \param[in]  brig     SIZE bytes, aligned to 4, the caller's; they must live and not change as long as the reader.
 * \param[in]  flags    0, or HSAIL_NO_VALIDATION: check only that the module can be read, not the rules of HSAIL.
 * \param[out] reader   new reader, the caller's to destroy; NULL after a failure.
 * \return OK, INVALID, OUT_OF_MEMORY, TOO_LARGE, or ARGUMENT: a pointer is NULL, not aligned, or a flag is unknown.
 */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_reader_open(hsail_context_t *context, const char *name, const void *brig,
                                                         size_t size, unsigned flags, hsail_reader_t **reader);

/** The same for a module of the library, which needs no check and must outlive the reader. Returns OK, OUT_OF_MEMORY,
 * or ARGUMENT when a pointer is NULL. */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_reader_open_module(hsail_context_t *context, const hsail_module_t *module,
                                                                hsail_reader_t **reader);

/** Destroys a reader; NULL is ignored. */
HSAIL_API void hsail_reader_destroy(hsail_reader_t *reader);

/** The statements of the module, in their order: the header, extensions, variables, kernels and the like, with
 * annotations between them. A READER of NULL has none. */
HSAIL_API hsail_walk_t hsail_walk_module(const hsail_reader_t *reader);

/** The output arguments of the executable at CODE; none when there is no such executable (PRM 4.3.3). */
HSAIL_API hsail_walk_t hsail_walk_outputs(const hsail_reader_t *reader, hsail_code_t code);

/** The input arguments of the executable at CODE. */
HSAIL_API hsail_walk_t hsail_walk_inputs(const hsail_reader_t *reader, hsail_code_t code);

/** The statements of the body of the executable at CODE, including the ends of arg blocks (PRM 4.3.5, 4.3.6); a
 * declaration has none. */
HSAIL_API hsail_walk_t hsail_walk_body(const hsail_reader_t *reader, hsail_code_t code);

/** Gets the next entry of a walk. Returns 1; or 0, without changing ENTRY, after the last one and when a pointer is
 * NULL. */
HSAIL_API int hsail_walk_next(hsail_walk_t *walk, hsail_entry_t *entry);

/** The entry at CODE, for instance one that an operand names. Returns OK, or ARGUMENT when a pointer is NULL or no
 * entry begins there. */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_reader_entry(const hsail_reader_t *reader, hsail_code_t code,
                                                          hsail_entry_t *entry);

/**
 * Finds what has a name.
 *
 * \param[in] scope  0 for the module, where a definition goes before declarations; or an executable: its arguments,
 *                   labels, variables and fbarriers, of several in arg blocks the first.
 * \param[in] name   with sigil.
 * \return its entry, or 0 when there is none or an argument is not valid. The module's names are found in constant
 *         time, those of an executable in time linear in its size.
 */
HSAIL_API hsail_code_t hsail_reader_find(const hsail_reader_t *reader, hsail_code_t scope, const char *name);

/** Operand INDEX, from 0 in the order of the text, of the instruction, control directive or pragma at CODE: of a call
 * the target is 0, the outputs are 1. Returns OK, or ARGUMENT when a pointer is NULL or there is none. */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_reader_operand(const hsail_reader_t *reader, hsail_code_t code,
                                                            uint32_t index, hsail_operand_info_t *operand);

/** Element INDEX, from 0 in the order of BRIG, of an operand that has several: a vector, a list of names or a list of
 * constants. Returns as hsail_reader_operand(). */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_reader_element(const hsail_reader_t *reader, hsail_operand_ref_t list,
                                                            uint32_t index, hsail_operand_info_t *element);

/** The initializer of the variable at CODE: constant bytes, a list, an expression, an image or a sampler (PRM 4.10).
 * Returns OK, or ARGUMENT when a pointer is NULL or there is none. */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_reader_initializer(const hsail_reader_t *reader, hsail_code_t code,
                                                                hsail_operand_info_t *value);

/** Modifier INDEX, from 0 in the order of the text, of those that the instruction at CODE may have, types included.
 * Returns OK, or ARGUMENT when a pointer is NULL or there is none. */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_reader_modifier(const hsail_reader_t *reader, hsail_code_t code,
                                                             uint32_t index, hsail_modifier_t *modifier);

/** A size that every mnemonic with its NUL fits in. */
#define HSAIL_MNEMONIC_SIZE 256

/**
 * The mnemonic of the instruction at CODE with its modifiers, as hsail_disassemble() prints it and
 * hsail_builder_instruction() takes it; modifiers that make no difference are left out.
 *
 * \param[out] buffer  SIZE bytes, the caller's; gets the mnemonic and a NUL.
 * \return OK, OUT_OF_MEMORY, TOO_LARGE when it does not fit, or ARGUMENT when a pointer is NULL or there is no
 *         instruction.
 */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_reader_mnemonic(const hsail_reader_t *reader, hsail_code_t code,
                                                             char *buffer, size_t size);

/** How many registers of KIND ('c', 's', 'd' or 'q') the executable at CODE uses: the greatest number plus 1, so that a
 * register of the returned number is free; 0 for none, and when an argument is not valid. Time is linear in its size
 * (PRM 4.7). */
HSAIL_API uint32_t hsail_reader_registers(const hsail_reader_t *reader, hsail_code_t code, char kind);

/** The enumerations of hsail/brig.h except kinds, opcodes and types: HSAIL_ENUM_ALIGNMENT, ..., one for each ENUM of
 * value.def. */
typedef enum {
    HSAIL_ENUM_NONE,
#define ENUM(prefix, name, set) HSAIL_ENUM_##set,
#include "brig/tables/value.def"
    HSAIL_ENUM_COUNT
} hsail_enum_t;

/** How HSAIL spells a value: "global"; "" where it has no word, NULL when there is no such value. */
HSAIL_API const char *hsail_enum_text(hsail_enum_t set, uint32_t value);

/** What hsail/brig.h calls it: "HSA_BRIG_SEGMENT_GLOBAL"; NULL when there is no such value. */
HSAIL_API const char *hsail_enum_name(hsail_enum_t set, uint32_t value);

/** How HSAIL spells a type, or for an array type that of its elements: "u32"; NULL when there is no such type. */
HSAIL_API const char *hsail_type_text(uint32_t type);

/** Bytes of a value of a type, or of one element; 0 when there is no such type (PRM 4.13). */
HSAIL_API uint32_t hsail_type_size(uint32_t type);

/** How HSAIL spells an opcode: "add"; NULL when there is no such opcode. */
HSAIL_API const char *hsail_opcode_text(uint32_t opcode);

/** What hsail/brig.h calls a kind of entry, without HSA_BRIG_KIND_: "DIRECTIVE_KERNEL"; NULL when there is none. */
HSAIL_API const char *hsail_kind_name(uint32_t kind);

#ifdef __cplusplus
}
#endif

#endif
