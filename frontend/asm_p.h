/* SPDX-License-Identifier: MIT */
/* The assembler's state and the calls between its files; private to frontend/. asm.h is what others use.
 *
 * The parser drives: it calls one asm_ function per statement, in source order, and each appends to the BRIG
 * sections in the order that chapter 18 wants. What is inside an instruction, constant, pragma or control directive
 * is read by the functions of asm_operand.c, asm_constant.c and the like, token by token. */
#ifndef FRONTEND_ASM_P_H
#define FRONTEND_ASM_P_H

#include "brig/module_builder.h"
#include "brig/control.h"
#include "brig/language.h"
#include "brig/item.h"
#include "brig/operand_type.h"
#include "frontend/asm.h"
#include "frontend/lexer.h"
#include "frontend/symbol.h"
#include "brig/diag_rule.h"
#include "support/textbuf.h"
#include "support/vec.h"

#include <assert.h>

#define ASM_MOST_ALIGNMENT (1u << (HSA_BRIG_ALIGNMENT_MAX - HSA_BRIG_ALIGNMENT_1))

/* A range of the text. */
struct span {
    uint32_t begin, end;
};

/* Where a rule begins and ends. Empty parts, which have the place where the part before them ends, are left out. */
#define YYLLOC_DEFAULT(current, rhs, n)                                                          \
    do {                                                                                         \
        int first_ = 1;                                                                          \
        while (first_ < (n) && YYRHSLOC(rhs, first_).begin == YYRHSLOC(rhs, first_).end)         \
            first_++;                                                                            \
        (current) = (n) ? (struct span){YYRHSLOC(rhs, first_).begin, YYRHSLOC(rhs, n).end}       \
                        : (struct span){YYRHSLOC(rhs, 0).end, YYRHSLOC(rhs, 0).end};             \
    } while (0)

enum asm_shape { ASM_SCALAR, ASM_OPEN_ARRAY, ASM_ARRAY };

struct asm_dimension {
    enum asm_shape shape;
    uint64_t count;
};

/* What a `segment_type` word says. */
struct asm_variable_type {
    uint8_t segment;
    uint16_t type;
};

/* Semantic values of the parser. */
union asm_value {
    unsigned value;
    struct span span;
    struct asm_dimension dimension;
    struct asm_variable_type variable;
};

enum asm_dialect { ASM_DIALECT_1_0, ASM_DIALECT_1_2 };

/* Where statements go. */
enum asm_scope { ASM_MODULE_SCOPE, ASM_FUNCTION_SCOPE, ASM_ARG_SCOPE };

/* A reference that has to be led to a definition that comes later. */
struct asm_patch {
    uint32_t next;    /* older patch of the symbol, plus 1 */
    uint32_t operand; /* ADDRESS or CODE_REF to change; 0: a list */
    uint32_t list, index;
};

struct asm_word;

struct assembler {
    struct lexer lexer;
    int kind;              /* of the token last read */
    uint32_t head;         /* where the parser's token began */
    bool at_boundary;      /* between statements: comments become entries */
    uint32_t previous_end; /* of the token before it */
    bool heads;            /* the parser's token began a statement */
    unsigned closing;      /* tokens to be made up that end a body */
    unsigned hints;        /* made so far */
    char hint[160];
    bool out_of_memory;
    struct diag_list *diag;
    struct brig_builder out;

    enum asm_dialect dialect;
    bool large, base; /* machine model, profile */
    bool has_header;
    bool wants_header; /* the text has one, right or wrong */
    bool early_pad;    /* a pad came before the header, which may declare HSAIL 1:0 */
    struct span early; /* the first of these */
    uint32_t file;     /* name in the latest loc, as offset in hsa_data; 0: none yet */

    struct symbol_table symbols, labels;
    VEC(struct asm_patch) patches;
    struct symbol placeholders[LANG_PLACEHOLDERS]; /* used in pragmas without a declaration */
    VEC(struct span) comments;                     /* inside the current statement, where none can stand */
    size_t errors_before;                          /* the statement began */
    struct asm_result *result;                     /* takes the positions */
    VEC(uint8_t) bytes;                            /* of the constant or string being read */
    uint16_t element_type; /* of the array being read, whose elements so far are in `bytes`; or NONE */
    bool in_aggregate;
    VEC(uint32_t) items;    /* operands of the lists being read, innermost last */
    VEC(struct span) spans; /* names of the list being read */

    /* Words met so far and what they mean. */
    VEC(struct asm_word) words;
    struct hash_table word_numbers; /* indices plus 1 */
    const struct asm_word *word;    /* that of the token in hand, when it is an instruction */

    uint32_t definition; /* where the definition being read begins, qualifiers included */
    bool decl, prog;

    /* The executable being read. */
    uint32_t executable;
    uint16_t formal_count;
    bool in_body;
    struct span body; /* its brace */
    unsigned arg_depth;
    size_t function_scope, arg_scope; /* symbols outside of them */
    bool lost;                        /* statements outside a body were reported already */

    /* The variable being read. */
    uint32_t variable;
    struct asm_dimension dimension;
};

/* asm.c: beginning and end; whoever assembles without text calls the functions below between these two. */
enum brig_status asm_begin(struct assembler *as, const char *text, size_t size, struct diag_list *diag,
                           struct asm_result *result);
void asm_release(struct assembler *as);
void asm_put_comment(struct assembler *as, const char *text, size_t length, bool add_slashes);

/* asm_directive.c: the entries of statements whose parts are known. */
void asm_put_extension(struct assembler *as, struct span whole, const void *name, size_t length);
void asm_put_extension_version(struct assembler *as, struct span whole, const void *name, size_t length, uint32_t major,
                               uint32_t minor);
void asm_put_pad(struct assembler *as, struct span whole, uint32_t words);
void asm_put_location(struct assembler *as, struct span whole, uint32_t line, uint32_t column, const void *file,
                      size_t length, bool has_file);

/* asm.c: tokens, comments, diagnostics. */
int asm_next(struct assembler *as);
bool asm_next_head(struct assembler *as);
void asm_push_back(struct assembler *as);
bool asm_take(struct assembler *as, int kind);
/* What is expected in a place that has something else: ASM_WANTED_INTEGER, ..., one for each row of wanted.def. */
enum asm_wanted {
#define WANTED(name, text, token) ASM_WANTED_##name,
#include "frontend/wanted.def"
};
bool asm_expect(struct assembler *as, int kind, enum asm_wanted what);
void asm_drop(struct assembler *as, uint32_t code);
bool asm_end_statement(struct assembler *as);
void asm_skip_statement(struct assembler *as);
void asm_skip_initializer(struct assembler *as);
void asm_statement_done(struct assembler *as);
static inline struct diag_place asm_place(struct span span)
{
    return diag_in_text(span.begin, span.end);
}

/* Reports an instance of a row of diag.def, error or warning, at a range of the text. */
#define asm_error(as, id, where, ...) \
    diag_report((as)->diag, &diag_rules[id], asm_place(where) __VA_OPT__(, ) __VA_ARGS__)
/* Reports the token in hand where something else is wanted; TOKEN as in wanted.def. */
void asm_unexpected(struct assembler *as, enum asm_wanted wanted);
void asm_unexpected_text(struct assembler *as, const char *wanted, int token);
void asm_no_memory(struct assembler *as);
bool asm_push_item(struct assembler *as, uint32_t item); /* false for 0, which is what was not read */
bool asm_needs_1_2(struct assembler *as, struct span where, const char *feature);
void asm_note_position(struct assembler *as, uint32_t code, uint32_t text);

static inline struct span asm_span(const struct assembler *as)
{
    return (struct span){(uint32_t)(as->lexer.token - as->lexer.text), (uint32_t)(as->lexer.cursor - as->lexer.text)};
}

static inline const char *asm_chars(const struct assembler *as, struct span span)
{
    return as->lexer.text + span.begin;
}

/* Text for a message. */
static inline struct bytes asm_quote(const struct assembler *as, struct span span)
{
    return (struct bytes){(const uint8_t *)as->lexer.text + span.begin, span.end - span.begin};
}

static inline size_t asm_length(struct span span)
{
    return span.end - span.begin;
}

/* The token in hand is the head of a statement: the parser must not have read further. */
static inline void asm_take_over(struct assembler *as, int lookahead)
{
    (void)as;
    (void)lookahead;
    assert(lookahead == -2); /* YYEMPTY */
}

/* asm_word.c: what a word means. */
struct asm_mnemonic {
    const struct lang_op *op; /* NULL after an error */
    const char *feature;      /* what HSAIL 1:0 does not have, or NULL */
    uint16_t kind, size;      /* of the entry */
    uint16_t segment;
    uint8_t count;                    /* operands */
    uint8_t vector, vector_index;     /* elements that the mnemonic asks for, and of which operand */
    char letter[LANG_MAX_OPERANDS];   /* as in opcode.def */
    uint16_t type[LANG_MAX_OPERANDS]; /* of each operand */
    uint8_t tail[16];                 /* the entry after its base, without operands */
};
struct asm_word {
    const char *text;
    uint32_t length, hash;
    int token; /* of the parser; 0: free slot */
    union {
        struct asm_mnemonic mnemonic;      /* an opcode with its modifiers */
        struct asm_variable_type variable; /* segment_type */
        unsigned control;
    };
};
const struct asm_word *asm_word(struct assembler *as, struct span span);
int asm_keyword(const char *text, size_t length); /* the parser's token, or 0 */
void asm_extend_word(struct assembler *as);
/* Where the modifier DIM stands in a mnemonic; the mnemonic when it is not written. */
struct span asm_modifier_span(struct assembler *as, struct span mnemonic, const struct lang_op *op, unsigned dim);
void asm_unknown_statement(struct assembler *as, struct span span);
bool asm_word_is_instruction(const struct asm_word *word);
/* Whether the word is what it seems: false for a mnemonic with an error in it, which was reported. */
bool asm_word_is_good(const struct asm_word *word);

/* asm_hint.c: what a word may have been meant to be, as the end of a message, good until the next call; "" when nothing
 * is near. */
const char *asm_hint_statement(struct assembler *as, struct span span);
const char *asm_hint_type(struct assembler *as, struct span span);
const char *asm_hint_modifier(struct assembler *as, const struct lang_op *op, struct span span);
const char *asm_hint_form(struct assembler *as, const struct lang_op *op); /* how its modifiers are written */
const char *asm_hint_name(struct assembler *as, const char *name, size_t length);
/* The same for a word that is in hand where TOKEN is wanted: suggests it with the sigil that it lacks. */
const char *asm_hint_sigil(struct assembler *as, struct span span, int token);

/* asm_literal.c: values of tokens. */
bool asm_integer(struct assembler *as, struct span span, uint64_t *value);
bool asm_small_integer(struct assembler *as, struct span span, uint64_t minimum, uint64_t maximum, uint64_t *value);
bool asm_string(struct assembler *as, struct span span);
unsigned asm_alignment(struct assembler *as, struct span span);

/* asm_symbol.c: references. */
void asm_declare(struct assembler *as, struct span name, uint32_t code, uint16_t kind, bool defined);
struct symbol *asm_reference(struct assembler *as, struct span name);
uint32_t asm_put_symbol_ref(struct assembler *as, struct span name);
/* The same of what an operand of LETTER of opcode.def can name; what is of another kind is reported. */
struct symbol *asm_target(struct assembler *as, struct span name, char letter);
uint32_t asm_put_target_ref(struct assembler *as, struct span name, char letter);
uint32_t asm_put_pragma_ref(struct assembler *as, struct span name);
uint32_t asm_put_label_ref(struct assembler *as, struct span name);
uint32_t asm_put_address(struct assembler *as, struct span symbol, uint32_t reg, uint64_t offset);
void asm_patch_list(struct assembler *as, struct symbol *symbol, uint32_t list, uint32_t index);
struct symbol *asm_label_symbol(struct assembler *as, struct span name);
void asm_check_labels(struct assembler *as);
void asm_define_label(struct assembler *as, struct span name, uint32_t code);

/* asm_constant.c, asm_initializer.c: constants; those without a type are read in asm_plain.c. */
enum asm_use { ASM_OPERAND, ASM_INITIALIZER, ASM_PRAGMA };
uint32_t asm_immediate(struct assembler *as, uint16_t type, enum asm_use use);
uint32_t asm_aggregate(struct assembler *as, uint64_t *size);
uint32_t asm_put_integer(struct assembler *as, uint16_t type, int64_t value);
uint32_t asm_put_value(struct assembler *as, uint16_t type, uint16_t written, const void *bytes);
void asm_put_initializer(struct assembler *as, const void *data, size_t size);
bool asm_is_word(const struct assembler *as, const char *word);

/* asm_image.c: what is in the parentheses of image and sampler constants; the whole constants as text, false when a
 * property has no word. */
uint32_t asm_image(struct assembler *as, uint16_t type);
uint32_t asm_sampler(struct assembler *as);
bool asm_write_image(struct textbuf *text, const hsa_ext_brig_operand_constant_image_t *entry);
bool asm_write_sampler(struct textbuf *text, const hsa_ext_brig_operand_constant_sampler_t *entry);

/* asm_operand.c: operands of instructions. */
uint32_t asm_register(struct assembler *as);
bool asm_is_call(const struct asm_mnemonic *mnemonic);
uint32_t asm_begin_instruction(struct assembler *as, const struct asm_mnemonic *mnemonic);
void asm_end_instruction(struct assembler *as, const struct asm_mnemonic *mnemonic, uint32_t offset,
                         const uint32_t *operands);

/* Called by the parser, one per statement. */
void asm_module(struct assembler *as, struct span whole, struct span name, struct span major, struct span minor,
                struct span profile, struct span model, struct span rounding);
void asm_extension(struct assembler *as, struct span whole, struct span name, const struct span *major,
                   const struct span *minor);
void asm_location(struct assembler *as, struct span whole, struct span line, struct span column, struct span file);
void asm_pad(struct assembler *as, struct span whole, struct span count);
void asm_pragma(struct assembler *as, struct span head);
void asm_control(struct assembler *as, struct span head, bool typed);
void asm_instruction(struct assembler *as, struct span head);
void asm_label(struct assembler *as, struct span name);
void asm_qualifiers(struct assembler *as, struct span first, unsigned decl, unsigned prog);
void asm_executable(struct assembler *as, struct span whole, struct span name, hsa_brig_kind_t kind);
void asm_outputs_end(struct assembler *as);
void asm_formal(struct assembler *as, struct span whole, unsigned align, struct asm_variable_type type,
                struct span name, struct asm_dimension dimension);
void asm_body(struct assembler *as, struct span brace);
void asm_executable_end(struct assembler *as, struct span end, bool has_body);
void asm_arg_block(struct assembler *as, struct span brace);
void asm_arg_block_end(struct assembler *as, struct span brace);
void asm_variable(struct assembler *as, struct span whole, unsigned alloc, unsigned align, unsigned is_const,
                  struct asm_variable_type type, struct span name, struct asm_dimension dimension);
void asm_initializer(struct assembler *as);
void asm_variable_end(struct assembler *as);
void asm_fbarrier(struct assembler *as, struct span name);
unsigned asm_allocation(struct assembler *as, struct span word);
struct asm_dimension asm_dimension(struct assembler *as, struct span count);
void asm_declare_placeholders(struct assembler *as);
void asm_misplaced(struct assembler *as, struct span head);
void asm_stray_brace(struct assembler *as, struct span brace);
void asm_recover(struct assembler *as);

/* parser.y */
int hsail_parser_parse(struct assembler *as);

#endif
