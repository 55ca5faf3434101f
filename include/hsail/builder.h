/* SPDX-License-Identifier: MIT */
/**
 * Making BRIG modules without text: for compilers that emit HSAIL.
 *
 * A builder takes the statements of a module one by one, in the order of the text, and makes exactly the module that
 * the text would assemble to. Names carry their sigil (&global, %local, @label) and follow the scopes of the text;
 * labels may be used before they are placed, everything else is declared first. An instruction is its mnemonic with
 * all modifiers and its operands in the order of the text:
 *
 *     hsail_builder_module(b, "&m", 1, 0, HSA_BRIG_PROFILE_FULL, HSA_BRIG_MACHINE_MODEL_LARGE,
 *                          HSA_BRIG_ROUND_FLOAT_DEFAULT);
 *     hsail_builder_begin(b, HSA_BRIG_KIND_DIRECTIVE_KERNEL, "&k", HSAIL_PROGRAM_LINKAGE);
 *     hsail_builder_formal(b, HSA_BRIG_TYPE_U64, "%a", NULL);
 *     hsail_builder_body(b);
 *     hsail_operand_t load[] = {hsail_register('d', 0), hsail_address("%a", NULL, 0)};
 *     hsail_builder_instruction(b, "ld_kernarg_align(8)_u64", load, 2);
 *     hsail_builder_instruction(b, "ret", NULL, 0);
 *     hsail_builder_end(b);
 *     status = hsail_builder_finish(b, "k", 0, &module);
 *
 * Registers have the numbers that the caller gives them, or are virtual (hsail_builder_register()). Statements can also
 * go to earlier places of a code block (hsail_builder_move()).
 *
 * The first error is kept: later calls do nothing and return the same status, so that a caller may check
 * hsail_builder_finish() alone, which also hands the diagnostics to the context's callback. hsail_builder_error() tells
 * at once what went wrong. Strings and arrays are copied. A builder is used by one thread at a time; it uses the memory
 * and settings of its context and must be destroyed before the context.
 */
#ifndef HSAIL_BUILDER_H
#define HSAIL_BUILDER_H

#include "hsail/brig.h"
#include "hsail/hsail.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A module that is being built. The caller creates and destroys it. */
typedef struct hsail_builder_s hsail_builder_t;

/** What an operand is. */
typedef enum {
    HSAIL_OPERAND_REGISTER,
    HSAIL_OPERAND_INTEGER,  /**< of the type that its place expects */
    HSAIL_OPERAND_CONSTANT, /**< with a type: a float, or the bytes of a packed value */
    HSAIL_OPERAND_WAVESIZE,
    HSAIL_OPERAND_ADDRESS,
    HSAIL_OPERAND_NAME,  /**< label, function, signature or fbarrier */
    HSAIL_OPERAND_NAMES, /**< arguments of a call, labels of sbr, functions of scall */
    HSAIL_OPERAND_VECTOR,
    HSAIL_OPERAND_ADDRESS_OF, /**< addr(&name + n) as a constant */
    HSAIL_OPERAND_NULLPTR,    /**< nullptr and the like as a constant */
    HSAIL_OPERAND_PACKED,     /**< u64x2(addr(&x), 1): a packed constant by its elements */
    HSAIL_OPERAND_ARRAY,      /**< type[](...); initializers, aggregates, pragma */
    HSAIL_OPERAND_AGGREGATE,  /**< {...}; initializers of arrays of bit types, pragma */
    HSAIL_OPERAND_ALIGN,      /**< align(n); aggregates */
    HSAIL_OPERAND_ZERO,       /**< zero(n); aggregates */
    HSAIL_OPERAND_IMAGE,      /**< image with properties; initializers, pragma */
    HSAIL_OPERAND_SAMPLER,    /**< sampler with properties; initializers, pragma */
    HSAIL_OPERAND_STRING      /**< of a pragma */
} hsail_operand_kind_t;

/** An operand; make it with the functions below. What it points to must live until the call that takes it returns. */
typedef struct hsail_operand_s {
    hsail_operand_kind_t kind;
    char register_kind; /**< 'c', 's', 'd' or 'q'; of an address 0 when it has none */
    uint16_t type;      /**< of a constant; NONE: the type that its place expects */
    uint32_t number;    /**< of the register, or how many names, elements or bytes of a string */
    int64_t integer;    /**< value, offset of an address, operation of a nullptr, bytes of align and zero */
    uint8_t bytes[16];  /**< of a constant, little endian */
    const char *name;   /**< or the string; NULL: none */
    const char *const *names;
    const struct hsail_operand_s *elements;
    const void *properties; /**< of an image or sampler */
} hsail_operand_t;

/** An operand of which only the kind is set. */
static inline hsail_operand_t hsail_operand(hsail_operand_kind_t kind)
{
    hsail_operand_t operand = {kind, 0, 0, 0, 0, {0}, NULL, NULL, NULL, NULL};
    return operand;
}

/** KIND is 'c', 's', 'd' or 'q', NUMBER at most 2047; a code block may use fewer of some (PRM 4.7). For registers
 * without limit see hsail_builder_register(). */
static inline hsail_operand_t hsail_register(char kind, unsigned number)
{
    hsail_operand_t operand = hsail_operand(HSAIL_OPERAND_REGISTER);
    operand.register_kind = kind;
    operand.number = number;
    return operand;
}

/** A number without a type, as in text. Its place decides which type it gets, and whether it is allowed (PRM 4.8). */
static inline hsail_operand_t hsail_integer(int64_t value)
{
    hsail_operand_t operand = hsail_operand(HSAIL_OPERAND_INTEGER);
    operand.integer = value;
    return operand;
}

/** A constant of TYPE, which is neither a bit type nor an array; BYTES has as many bytes as the type. */
HSAIL_API hsail_operand_t hsail_constant(hsa_brig_type_t type, const void *bytes);

/** A constant of type f32; every bit of VALUE is kept, even of a NaN. */
static inline hsail_operand_t hsail_f32(float value)
{
    return hsail_constant(HSA_BRIG_TYPE_F32, &value);
}

/** The same of type f64. */
static inline hsail_operand_t hsail_f64(double value)
{
    return hsail_constant(HSA_BRIG_TYPE_F64, &value);
}

/** WAVESIZE (PRM 2.6.2). */
static inline hsail_operand_t hsail_wavesize(void)
{
    return hsail_operand(HSAIL_OPERAND_WAVESIZE);
}

/** [NAME][REG+OFFSET]; NAME and REG may be NULL. Where addresses have 32 bits, the lower half of OFFSET is used
 * (PRM 4.18). */
static inline hsail_operand_t hsail_address(const char *name, const hsail_operand_t *reg, int64_t offset)
{
    hsail_operand_t operand = hsail_operand(HSAIL_OPERAND_ADDRESS);
    operand.name = name;
    operand.register_kind = reg ? reg->register_kind : 0;
    operand.number = reg ? reg->number : 0;
    operand.integer = offset;
    return operand;
}

/** A label, function, signature or fbarrier with its sigil. */
static inline hsail_operand_t hsail_name(const char *name)
{
    hsail_operand_t operand = hsail_operand(HSAIL_OPERAND_NAME);
    operand.name = name;
    return operand;
}

/** A list of COUNT names: the arguments of a call, which may have none, the labels of sbr or the functions of scall. */
static inline hsail_operand_t hsail_names(const char *const *names, unsigned count)
{
    hsail_operand_t operand = hsail_operand(HSAIL_OPERAND_NAMES);
    operand.names = names;
    operand.number = count;
    return operand;
}

/** An operand with elements; the functions that follow make those of each kind. */
static inline hsail_operand_t hsail_elements(hsail_operand_kind_t kind, const hsail_operand_t *elements, unsigned count)
{
    hsail_operand_t operand = hsail_operand(kind);
    operand.elements = elements;
    operand.number = count;
    return operand;
}

/** Two to four registers or, where the text permits it, constants (PRM 4.17). */
static inline hsail_operand_t hsail_vector(const hsail_operand_t *elements, unsigned count)
{
    return hsail_elements(HSAIL_OPERAND_VECTOR, elements, count);
}

/** {ELEMENTS} with types of their own, for arrays of bit types (PRM 4.8.4). */
static inline hsail_operand_t hsail_aggregate(const hsail_operand_t *elements, unsigned count)
{
    return hsail_elements(HSAIL_OPERAND_AGGREGATE, elements, count);
}

/** TYPE[](ELEMENTS): integers and floats are taken as values of TYPE, other constants have to be of that type. */
static inline hsail_operand_t hsail_array(hsa_brig_type_t type, const hsail_operand_t *elements, unsigned count)
{
    hsail_operand_t operand = hsail_elements(HSAIL_OPERAND_ARRAY, elements, count);
    operand.type = (uint16_t)type;
    return operand;
}

/** TYPE(ELEMENTS), the first being the most significant, as in the text; needed only when there are addresses among the
 * elements. */
static inline hsail_operand_t hsail_packed(hsa_brig_type_t type, const hsail_operand_t *elements, unsigned count)
{
    hsail_operand_t operand = hsail_elements(HSAIL_OPERAND_PACKED, elements, count);
    operand.type = (uint16_t)type;
    return operand;
}

/** addr(NAME + OFFSET) as a constant of TYPE or, when that is NONE, of the type that its place expects (PRM 4.8.1). */
static inline hsail_operand_t hsail_address_of(hsa_brig_type_t type, const char *name, int64_t offset)
{
    hsail_operand_t operand = hsail_operand(HSAIL_OPERAND_ADDRESS_OF);
    operand.type = (uint16_t)type;
    operand.name = name;
    operand.integer = offset;
    return operand;
}

/** The null address that OPERATION, NULLPTR_FLAT or the like, stands for; TYPE is as for hsail_address_of(). */
static inline hsail_operand_t hsail_nullptr(hsa_brig_type_t type, hsa_brig_expression_operation_t operation)
{
    hsail_operand_t operand = hsail_operand(HSAIL_OPERAND_NULLPTR);
    operand.type = (uint16_t)type;
    operand.integer = operation;
    return operand;
}

/** align(BYTES) and zero(BYTES) between the elements of an aggregate (PRM 4.8.4). */
static inline hsail_operand_t hsail_align(uint32_t bytes)
{
    hsail_operand_t operand = hsail_operand(HSAIL_OPERAND_ALIGN);
    operand.integer = bytes;
    return operand;
}

/** See hsail_align(). */
static inline hsail_operand_t hsail_zero(uint64_t bytes)
{
    hsail_operand_t operand = hsail_operand(HSAIL_OPERAND_ZERO);
    operand.integer = (int64_t)bytes;
    return operand;
}

/** An image with PROPERTIES, whose type says which kind of image it is; their base is ignored. */
static inline hsail_operand_t hsail_image(const hsa_ext_brig_operand_constant_image_t *properties)
{
    hsail_operand_t operand = hsail_operand(HSAIL_OPERAND_IMAGE);
    operand.properties = properties;
    return operand;
}

/** A sampler with PROPERTIES, whose base and type are ignored. */
static inline hsail_operand_t hsail_sampler(const hsa_ext_brig_operand_constant_sampler_t *properties)
{
    hsail_operand_t operand = hsail_operand(HSAIL_OPERAND_SAMPLER);
    operand.properties = properties;
    return operand;
}

/** A string of SIZE bytes, which may have any values. */
static inline hsail_operand_t hsail_string(const char *text, unsigned size)
{
    hsail_operand_t operand = hsail_operand(HSAIL_OPERAND_STRING);
    operand.name = text;
    operand.number = size;
    return operand;
}

/** Flags of hsail_builder_begin(), hsail_builder_variable() and hsail_builder_fbarrier(). */
enum {
    HSAIL_DECLARATION = 1,     /**< decl */
    HSAIL_PROGRAM_LINKAGE = 2, /**< prog */
    HSAIL_CONST = 4,           /**< const, of a variable */
    HSAIL_AGENT_ALLOCATION = 8 /**< alloc(agent), of a variable */
};

/** What a variable or formal may have besides its type and name. */
typedef struct {
    uint32_t align;     /**< bytes, a power of two up to 256; 0: that of the type */
    int is_array;       /**< not 0: name[dimension] */
    uint64_t dimension; /**< elements of an array; 0: not given (only where the text may have []) */
} hsail_shape_t;

/**
 * Creates a builder.
 *
 * \param[in]  context  gives memory, settings and the diagnostics callback; must outlive the builder.
 * \param[out] builder  new builder, the caller's to destroy; NULL after a failure.
 * \return OK, OUT_OF_MEMORY, or ARGUMENT when a pointer is NULL.
 */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_builder_create(hsail_context_t *context, hsail_builder_t **builder);

/** Destroys a builder, finished or not; NULL is ignored. */
HSAIL_API void hsail_builder_destroy(hsail_builder_t *builder);

/**
 * Why a call failed: the first one that did, or hsail_builder_finish(). This is known as soon as the call has returned.
 *
 * MESSAGE says what is wrong, and counts operands from 0, as they were given. ENTRY is the statement as text, as far as
 * it is known, or NULL. SOURCE, SOURCE_LINE and SOURCE_COLUMN are those of the latest hsail_builder_location(); LINE is
 * 0. An allocation that failed has the id "builder-status".
 *
 * \return NULL while nothing failed, and for NULL. All of it lives until the builder is destroyed and does not change
 *         any more; hsail_diagnostic_print() takes it too. The builder must not be in use by another thread during the
 *         call; after it, what was returned may be read by any.
 */
HSAIL_API const hsail_diagnostic_t *hsail_builder_error(const hsail_builder_t *builder);

/*
 * The statements. What they are given is copied before they return. Each returns
 *
 *   OK             the statement is in the module;
 *   INVALID        it is impossible here, or HSAIL does not have it;
 *   ARGUMENT       a pointer is NULL that must not be, a value is out of its range, or the builder is finished;
 *   OUT_OF_MEMORY  the allocator returned NULL;
 *   TOO_LARGE      a section of the module would exceed 4 GiB;
 *
 * or, without doing anything, what the first call that failed returned; hsail_builder_error() says why it failed.
 * A call fails when its statement cannot be made: it cannot stand in its place, its mnemonic or a modifier does not
 * exist, an operand is of another kind than its place wants, or there are more or fewer of them, or a name is not
 * declared. Flags, kinds and values are those that the text can have in the same place. The other rules of HSAIL, such
 * as the types that an instruction can have, their registers, and what relates several statements, are checked by
 * hsail_builder_finish(), whose diagnostics have the statement as text and the loc before it, too.
 */

/** The module header, which comes before everything except comments (PRM 14.1). MINOR decides between BRIG 1:0 and 1:2.
 * ROUNDING is FLOAT_DEFAULT, FLOAT_ZERO or FLOAT_NEAR_EVEN. */
HSAIL_API hsail_status_t hsail_builder_module(hsail_builder_t *builder, const char *name, uint32_t major,
                                              uint32_t minor, hsa_brig_profile_t profile,
                                              hsa_brig_machine_model_t model, hsa_brig_round_t rounding);

/** extension "NAME"; after the module header (PRM 13.1). */
HSAIL_API hsail_status_t hsail_builder_extension(hsail_builder_t *builder, const char *name);

/** extension "NAME":MAJOR:MINOR; not in HSAIL 1:0 (PRM 13.1) */
HSAIL_API hsail_status_t hsail_builder_extension_version(hsail_builder_t *builder, const char *name, uint32_t major,
                                                         uint32_t minor);

/** A comment of one line, without the slashes; anywhere (PRM 4.3.1). */
HSAIL_API hsail_status_t hsail_builder_comment(hsail_builder_t *builder, const char *text);

/** loc LINE COLUMN "FILE"; lines and columns count from 1; a FILE of NULL is that of the loc before (PRM 13.2). */
HSAIL_API hsail_status_t hsail_builder_location(hsail_builder_t *builder, uint32_t line, uint32_t column,
                                                const char *file);

/** pragma OPERANDS; strings, registers, names and constants (PRM 13.4). */
HSAIL_API hsail_status_t hsail_builder_pragma(hsail_builder_t *builder, const hsail_operand_t *operands,
                                              unsigned count);

/** pad WORDS; an entry of 4 * (WORDS + 1) bytes that means nothing; not in HSAIL 1:0 (PRM 13.3). */
HSAIL_API hsail_status_t hsail_builder_pad(hsail_builder_t *builder, uint32_t words);

/** Begins a kernel, function, indirect function or signature; KIND is its HSA_BRIG_KIND_DIRECTIVE_. FLAGS are
 * HSAIL_DECLARATION and HSAIL_PROGRAM_LINKAGE, 0 for a signature. Formals follow, outputs of all but a kernel first,
 * then hsail_builder_body() unless it is a declaration or signature, and hsail_builder_end() (PRM 4.3.2 to 4.3.4). */
HSAIL_API hsail_status_t hsail_builder_begin(hsail_builder_t *builder, hsa_brig_kind_t kind, const char *name,
                                             unsigned flags);

/** The next formal argument, of the kernarg segment for a kernel, else of arg. NAME may be NULL in a signature, SHAPE
 * anywhere (PRM 4.3.3, 10.1). */
HSAIL_API hsail_status_t hsail_builder_formal(hsail_builder_t *builder, hsa_brig_type_t type, const char *name,
                                              const hsail_shape_t *shape);

/** Ends the outputs of a function or signature; required even when there are none. */
HSAIL_API hsail_status_t hsail_builder_inputs(hsail_builder_t *builder);

/** Begins the code block (PRM 4.3.5). */
HSAIL_API hsail_status_t hsail_builder_body(hsail_builder_t *builder);

/** Ends what hsail_builder_begin() began. Every label used must have been placed. */
HSAIL_API hsail_status_t hsail_builder_end(hsail_builder_t *builder);

/** Begins an arg block: variables of the arg segment, then statements with one call (PRM 4.3.6, 10.2). */
HSAIL_API hsail_status_t hsail_builder_arg_block(hsail_builder_t *builder);

/** Ends the arg block. */
HSAIL_API hsail_status_t hsail_builder_arg_block_end(hsail_builder_t *builder);

/** A variable, at module scope or in a block (PRM 4.3.8). SHAPE may be NULL. DATA is an initializer of SIZE bytes,
 * little endian, or NULL for none. Arrays of bit types, images and samplers are initialized with
 * hsail_builder_variable_init() instead. */
HSAIL_API hsail_status_t hsail_builder_variable(hsail_builder_t *builder, hsa_brig_segment_t segment,
                                                hsa_brig_type_t type, const char *name, const hsail_shape_t *shape,
                                                unsigned flags, const void *data, size_t size);

/** The same with a constant as its initializer, which may be any that the text can have there. */
HSAIL_API hsail_status_t hsail_builder_variable_init(hsail_builder_t *builder, hsa_brig_segment_t segment,
                                                     hsa_brig_type_t type, const char *name, const hsail_shape_t *shape,
                                                     unsigned flags, const hsail_operand_t *initializer);

/** An fbarrier, at module scope or in a code block; FLAGS as for hsail_builder_begin() (PRM 4.3.9). */
HSAIL_API hsail_status_t hsail_builder_fbarrier(hsail_builder_t *builder, const char *name, unsigned flags);

/** Places a label, whose NAME begins with @ (PRM 4.9). */
HSAIL_API hsail_status_t hsail_builder_label(hsail_builder_t *builder, const char *name);

/** A control directive with COUNT integers, or WAVESIZE (PRM 13.5). */
HSAIL_API hsail_status_t hsail_builder_control(hsail_builder_t *builder, hsa_brig_control_directive_t control,
                                               const hsail_operand_t *operands, unsigned count);

/** An instruction: MNEMONIC with its modifiers as hsail_list_instructions() shows them, OPERANDS in the order of the
 * text (PRM 4.16, chapters 5 to 12): of `call &f (%out) (%in)` they are the name, the names of the outputs, and those
 * of the inputs, while BRIG has the outputs first. Constants are stored as the assembler stores them for their place.
 */
HSAIL_API hsail_status_t hsail_builder_instruction(hsail_builder_t *builder, const char *mnemonic,
                                                   const hsail_operand_t *operands, unsigned count);

/**
 * Makes a new virtual register of KIND 'c', 's', 'd' or 'q' for the code block that is being made. Their number is not
 * limited.
 *
 * It can be used wherever a register can, except in a pragma, and together with registers that have numbers, which stay
 * as they are. At hsail_builder_end() each gets a register of the machine; those whose values are not needed at the
 * same time may share one. When there are too few (PRM 4.7, or hsail_builder_register_limit()), those used the least
 * are kept in variables of the spill segment, c registers in s registers or there. This adds definitions named
 * %_spill_... after the others of the code block, and loads and stores around the instructions that name such a
 * register. Reading a register that was not written gives any value.
 *
 * \return an operand for any number of instructions of the code block. After a failure, which hsail_builder_error()
 *         explains, an operand that no instruction takes.
 */
HSAIL_API hsail_operand_t hsail_builder_register(hsail_builder_t *builder, char kind);

/** Limits the registers of code blocks with virtual registers that end later: c registers, and s, d and q together,
 * where d counts two and q four, at most 128 and 2048 as at the start (PRM 4.7). Fewer may run faster, as some machines
 * keep more work-items in flight then. A code block in which one instruction needs more cannot end. */
HSAIL_API hsail_status_t hsail_builder_register_limit(hsail_builder_t *builder, unsigned control, unsigned weighted);

/** Places in a block: the statements between a label and the next label or the end of the code block. */
typedef enum {
    HSAIL_BLOCK_BEGIN,        /**< after the label; of the first block, after the definitions */
    HSAIL_BLOCK_END,          /**< after its last statement */
    HSAIL_BLOCK_BEFORE_BRANCH /**< the same, but before the br, cbr, sbr and ret that it ends with */
} hsail_place_t;

/** An insertion point: the statement of a code block after which others go. */
typedef struct {
    uint32_t block, statement;
} hsail_position_t;

/** Moves the insertion point: the statements that follow, of whatever kind, go to the PLACE of the block of LABEL, one
 * after the other; NULL is the block before the first label. Labels placed there begin blocks, like any other. It
 * cannot be moved while an arg block is open, nor into one. The module is the same as if all statements had been made
 * in the order that they have in it. But names are still those that earlier calls have declared, and definitions come
 * before other statements (PRM 4.3.5). */
HSAIL_API hsail_status_t hsail_builder_move(hsail_builder_t *builder, hsail_place_t place, const char *label);

/** Gets the insertion point as it is now: after the statement made last. Fails in an arg block. */
HSAIL_API hsail_status_t hsail_builder_position(hsail_builder_t *builder, hsail_position_t *position);

/** Moves the insertion point to where it was: after the same statement, before what was inserted there since. */
HSAIL_API hsail_status_t hsail_builder_move_to(hsail_builder_t *builder, hsail_position_t position);

/**
 * Ends the module, validates it, and hands all diagnostics to the context's callback, including those of statements
 * that failed. The builder can only be destroyed after that.
 *
 * \param[in]  name    for diagnostics; NULL for "<input>".
 * \param[in]  flags   0 or HSAIL_NO_VALIDATION.
 * \param[out] module  new module, the caller's to destroy, or NULL after a failure.
 * \return OK, INVALID, OUT_OF_MEMORY or TOO_LARGE, also of an earlier call; ARGUMENT when a pointer is NULL, a flag
 *         unknown, or the builder finished already.
 */
HSAIL_API HSAIL_CHECKED hsail_status_t hsail_builder_finish(hsail_builder_t *builder, const char *name, unsigned flags,
                                                            hsail_module_t **module);

#ifdef __cplusplus
}
#endif

#endif
