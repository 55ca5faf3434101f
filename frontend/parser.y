/* SPDX-License-Identifier: MIT */
/* Structure of a module (PRM 19.2, chapters 4, 13 and 14): which statements there are and how they nest.
 * Input: tokens. Output: calls of the asm_ functions, in source order. Invariant: rules that a BRIG module can break
 * too (order in a code block, placement, linkage) are not checked here but by the validator, for text and BRIG alike.
 *
 * What is inside an instruction, an initializer, a control directive or a pragma is read by hand: the action of the
 * head token takes the tokens up to the `;`. That works because a rule that has only one way to go on is reduced
 * without a lookahead; asm_take_over() checks it. */
%code top {
/* The skeleton counts errors for whoever asks; nobody does. */
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
}

%code requires {
#include "brig/limit.h"
#include "frontend/asm_p.h"
}

%code {
static int yylex(union asm_value *value, struct span *span, struct assembler *as);
static void yyerror(const struct span *span, struct assembler *as, const char *message);

/* Rules for lists recurse to the left, so the stack grows with the nesting of blocks only: by three for each. */
#define YYINITDEPTH (4 * LIMIT_NESTED_BLOCKS)
#define YYMAXDEPTH (4 * LIMIT_NESTED_BLOCKS)
}

%define api.pure full
%define api.prefix {hsail_parser_}
%define api.value.type {union asm_value}
%define api.location.type {struct span}
%define api.token.prefix {TOKEN_}
%define parse.error custom
%locations
%param {struct assembler *as}
%expect 0

/* The codes are those of enum lex_kind where a token is one of the lexer's. */
%token END 0 "end of input"
%token GLOBAL 301 "&name" LOCAL 302 "%name" LABEL 303 "@label" REGISTER 304 "register" DOLLAR 305 "$word"
%token INTEGER 306 "integer" HALF 307 "f16 number" SINGLE 308 "f32 number" DOUBLE 309 "f64 number"
%token DIGIT_WORD 310 "malformed number" STRING 311 "string"
%token WAVESIZE 400 "WAVESIZE"
%token MNEMONIC "instruction" CONTROL "control directive"
%token <variable> VARIABLE "segment and type"
%token MODULE "module" EXTENSION "extension" PRAGMA "pragma" LOC "loc" PAD "pad"
%token DECL "decl" PROG "prog" ALLOC "alloc" ALIGN "align" CONST "const"
%token KERNEL "kernel" FUNCTION "function" INDIRECT "indirect" SIGNATURE "signature" FBARRIER "fbarrier"
%token OTHER "unknown word"

%type <dimension> dimension
%type <value> optional_integer decl prog alloc align const
%type <span> optional_string symbol formal_name

%initial-action { @$ = (struct span){0, 0}; }

%%

input
    : %empty
    | input module_item
    ;

module_item
    : annotation
    | MODULE GLOBAL ':' INTEGER ':' INTEGER ':' DOLLAR ':' DOLLAR ':' DOLLAR ';'
        { asm_module(as, @$, @GLOBAL, @4, @6, @8, @10, @12); }
    | EXTENSION STRING ';'                          { asm_extension(as, @$, @STRING, NULL, NULL); }
    | EXTENSION STRING ':' INTEGER ':' INTEGER ';'  { asm_extension(as, @$, @STRING, &@4, &@6); }
    | qualified
    | SIGNATURE GLOBAL { asm_executable(as, @1, @GLOBAL, HSA_BRIG_KIND_DIRECTIVE_SIGNATURE); } outputs inputs ';'
        { asm_executable_end(as, @$, false); }
    | qualifiers executable optional_body ';'       { asm_statement_done(as); }
    | MNEMONIC                                      { asm_misplaced(as, @$); }
    | CONTROL                                       { asm_misplaced(as, @$); }
    | LABEL ':'                                     { asm_misplaced(as, @LABEL); }
    | '}' ';'                                       { asm_stray_brace(as, @1); }
    | error ';'                                     { asm_recover(as); yyerrok; }
    ;

executable
    : KERNEL GLOBAL { asm_executable(as, @1, @GLOBAL, HSA_BRIG_KIND_DIRECTIVE_KERNEL); }
      inputs
    | FUNCTION GLOBAL { asm_executable(as, @1, @GLOBAL, HSA_BRIG_KIND_DIRECTIVE_FUNCTION); }
      outputs inputs
    | INDIRECT FUNCTION GLOBAL { asm_executable(as, @1, @GLOBAL, HSA_BRIG_KIND_DIRECTIVE_INDIRECT_FUNCTION); }
      outputs inputs
    ;

outputs
    : '(' formals ')'                               { asm_outputs_end(as); }
    ;

inputs
    : '(' formals ')'
    ;

formals
    : %empty
    | formal_list
    ;

formal_list
    : formal
    | formal_list ',' formal
    ;

formal
    : align VARIABLE formal_name dimension
        { /* an error in place of the name is reported next */
            if (asm_length($formal_name) || as->kind == ',' || as->kind == ')' || as->kind == ']')
                asm_formal(as, @$, $align, $VARIABLE, $formal_name, $dimension);
        }
    ;

formal_name
    : %empty                                        { $$ = (struct span){0, 0}; }
    | LOCAL                                         { $$ = @LOCAL; }
    ;

optional_body
    : %empty                                        { asm_executable_end(as, @$, false); }
    | '{' { asm_body(as, @1); } body_items '}'      { asm_executable_end(as, @4, true); }
    ;

body_items
    : %empty
    | body_items body_item
    ;

body_item
    : annotation
    | CONTROL                                       { asm_take_over(as, yychar); asm_control(as, @CONTROL, false); }
    | MNEMONIC                                      { asm_take_over(as, yychar); asm_instruction(as, @MNEMONIC); }
    | LABEL ':'                                     { asm_label(as, @LABEL); }
    | '{' { asm_arg_block(as, @1); } body_items '}' { asm_arg_block_end(as, @4); }
    | qualified
    | error ';'                                     { asm_recover(as); yyerrok; }
    ;

qualified
    : qualifiers variable
    | qualifiers FBARRIER symbol ';'                { asm_fbarrier(as, $symbol); }
    ;

variable
    : alloc align const VARIABLE symbol dimension
        {
            struct span whole = {as->definition, @VARIABLE.end};
            asm_variable(as, whole, $alloc, $align, $const, $VARIABLE, $symbol, $dimension);
        }
      initializer ';'
        { asm_variable_end(as); }
    ;

initializer
    : %empty
    | '='                                           { asm_take_over(as, yychar); asm_initializer(as); }
    ;

symbol
    : GLOBAL                                        { $$ = @1; }
    | LOCAL                                         { $$ = @1; }
    ;

qualifiers
    : decl prog                                     { asm_qualifiers(as, $decl ? @decl : @prog, $decl, $prog); }
    ;

decl
    : %empty                                        { $$ = 0; }
    | DECL                                          { $$ = 1; }
    ;

prog
    : %empty                                        { $$ = 0; }
    | PROG                                          { $$ = 1; }
    ;

alloc
    : %empty                                        { $$ = 0; }
    | ALLOC '(' word ')'                            { $$ = asm_allocation(as, @word); }
    ;

/* `agent` is a word like any other. */
word
    : MNEMONIC
    | OTHER
    ;

align
    : %empty                                        { $$ = 0; }
    | ALIGN '(' INTEGER ')'                         { $$ = asm_alignment(as, @INTEGER); }
    ;

const
    : %empty                                        { $$ = 0; }
    | CONST                                         { $$ = 1; }
    ;

dimension
    : %empty                                        { $$ = (struct asm_dimension){ASM_SCALAR, 0}; }
    | '[' ']'                                       { $$ = (struct asm_dimension){ASM_OPEN_ARRAY, 0}; }
    | '[' INTEGER ']'                               { $$ = asm_dimension(as, @INTEGER); }
    ;

annotation
    : LOC INTEGER optional_integer optional_string ';'
        { asm_location(as, @$, @INTEGER, @optional_integer, $optional_string); }
    | PAD optional_integer ';'                      { asm_pad(as, @$, @optional_integer); }
    | PRAGMA                                        { asm_take_over(as, yychar); asm_pragma(as, @PRAGMA); }
    ;

optional_integer
    : %empty                                        { @$ = (struct span){0, 0}; $$ = 0; }
    | INTEGER                                       { $$ = 1; }
    ;

optional_string
    : %empty                                        { $$ = (struct span){0, 0}; }
    | STRING                                        { $$ = @STRING; }
    ;

%%

/* Whether the body was not ended: the token in hand begins what can only stand after a body, or is the end of the text.
 * Reports that, and makes up the missing tokens. */
static bool ends_body(struct assembler *as, int kind)
{
    struct lexer lexer = as->lexer;
    if (!as->in_body || !as->heads || diag_full(as->diag) || as->out_of_memory || (kind != LEX_WORD && kind != LEX_END))
        return false;
    int token = kind == LEX_WORD ? asm_keyword(lexer.token, (size_t)(lexer.cursor - lexer.token)) : TOKEN_MODULE;
    while ((token == TOKEN_DECL || token == TOKEN_PROG) && lex_next(&lexer) == LEX_WORD)
        token = asm_keyword(lexer.token, (size_t)(lexer.cursor - lexer.token));
    if (token != TOKEN_KERNEL && token != TOKEN_FUNCTION && token != TOKEN_INDIRECT && token != TOKEN_SIGNATURE &&
        token != TOKEN_MODULE && token != TOKEN_EXTENSION)
        return false;
    asm_unexpected(as, ASM_WANTED_BODY_END);
    asm_error(as, DIAG_BODY_HERE, as->body);
    asm_push_back(as);
    as->at_boundary = true;
    as->closing = as->arg_depth + 2;
    as->lost = true; /* its real end, if it comes, is a stray brace */
    return true;
}

static int yylex(union asm_value *value, struct span *span, struct assembler *as)
{
    if (as->closing) {
        *span = (struct span){as->previous_end, as->previous_end};
        return --as->closing ? '}' : ';';
    }
    as->heads = as->at_boundary;
    int kind = asm_next(as);
    *span = asm_span(as);
    as->head = span->begin;
    if (ends_body(as, kind))
        return yylex(value, span, as);
    if (kind >= LEX_BAD_STRING)
        return TOKEN_HSAIL_PARSER_error;
    if (kind != LEX_WORD)
        return kind;
    asm_extend_word(as);
    *span = asm_span(as);
    as->word = asm_word(as, *span);
    if (!as->word)
        return TOKEN_END;
    as->wants_header |= as->word->token == TOKEN_MODULE;
    if (as->word->token == TOKEN_VARIABLE)
        value->variable = as->word->variable;
    return as->word->token;
}

/* The code of a token, as wanted.def has it. A character stands in its own name, as in "';'". */
static int token_of(yysymbol_kind_t symbol)
{
    const char *name = yysymbol_name(symbol);
    return symbol == YYSYMBOL_GLOBAL ? LEX_GLOBAL : *name == '\'' ? name[1] : LEX_END;
}

/* "expected a, b or c, found d", with no more than a handful of what would do. */
static int yyreport_syntax_error(const yypcontext_t *context, struct assembler *as)
{
    enum { MOST = 6 };
    yysymbol_kind_t expected[MOST];
    struct textbuf text = {0};
    int count = yypcontext_expected_tokens(context, expected, MOST);
    for (int i = 0; i < count; i++) {
        textbuf_puts(&text, i == 0 ? "" : i == count - 1 ? " or " : ", ");
        textbuf_puts(&text, yysymbol_name(expected[i]));
    }
    for (size_t i = 0; i < text.size; i++) /* as all other messages quote */
        if (text.data[i] == '\'')
            text.data[i] = '`';
    if (as->heads && as->in_body && as->word && as->kind == LEX_WORD && as->word->token == TOKEN_OTHER)
        asm_unknown_statement(as, asm_span(as));
    else if (text.failed)
        asm_no_memory(as);
    else if (count <= 0)
        asm_unexpected(as, ASM_WANTED_STATEMENT);
    else
        asm_unexpected_text(as, text.data, token_of(expected[0]));
    textbuf_free(&text);
    return 0;
}

/* Called for what is no syntax error: the stack is full, for which too many blocks were reported already. */
static void yyerror(const struct span *span, struct assembler *as, const char *message)
{
    (void)span;
    (void)as;
    (void)message;
}
