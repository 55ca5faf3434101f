/* SPDX-License-Identifier: MIT */
/* Text with the mnemonics of syntax.def: operands that suit their types, and a module around them (PRM 4.16 to 4.18).
 * Input: a row and a mnemonic. Output: text. Invariant: equal input gives equal text. */
#include "testsuite/validate/syntax.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct out {
    char *text;
    size_t size, used;
    const char *mnemonic;
    enum syntax_world world;
    unsigned variant; /* decides the next choice */
    unsigned reg;     /* number of the next register */
};

__attribute__((format(printf, 2, 3))) static void put(struct out *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(out->text + out->used, out->size - out->used, format, args);
    va_end(args);
    out->used += (size_t)n < out->size - out->used ? (size_t)n : 0;
}

/* Chooses one of COUNT; the first for variant 0. */
static unsigned choose(struct out *out, unsigned count)
{
    unsigned choice = out->variant % count;
    out->variant += out->variant ? 1 : 0;
    return choice;
}

/* ---- Types ----------------------------------------------------------------------------------------- */

static bool is_opaque(const char *word, size_t length)
{
    static const char *const words[] = {"roimg", "woimg", "rwimg", "samp", "sig32", "sig64"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && !memcmp(words[i], word, length))
            return true;
    return false;
}

static bool is_type(const char *word, size_t length)
{
    if (is_opaque(word, length))
        return true;
    bool digits = length > 1 && strchr("usfb", *word);
    for (size_t i = 1; i < length; i++)
        digits &= (word[i] >= '0' && word[i] <= '9') || (word[i] == 'x' && i > 1);
    return digits;
}

void syntax_type(const char *mnemonic, unsigned index, char *type, size_t size)
{
    const char *begin[4] = {0}, *end = mnemonic + strlen(mnemonic), *ends[4];
    unsigned count = 0;
    while (count < 4) {
        const char *cut = end;
        while (cut > mnemonic && cut[-1] != '_')
            cut--;
        if (cut == mnemonic || !is_type(cut, (size_t)(end - cut)))
            break;
        begin[count] = cut;
        ends[count++] = end;
        end = cut - 1;
    }
    *type = '\0';
    if (index && index <= count)
        snprintf(type, size, "%.*s", (int)(ends[count - index] - begin[count - index]), begin[count - index]);
}

/* How many bits a value of TYPE has; also the bits of an element, and how many elements there are. */
static unsigned type_bits(const char *type, unsigned *element, unsigned *count)
{
    char *rest;
    *count = 1;
    *element = is_opaque(type, strlen(type)) ? 64 : (unsigned)strtoul(type + 1, &rest, 10);
    if (*element != 64 || !is_opaque(type, strlen(type)))
        *count = *rest == 'x' ? (unsigned)strtoul(rest + 1, NULL, 10) : 1;
    return *element * *count;
}

static void put_register(struct out *out, const char *type)
{
    unsigned element, count, bits = type_bits(type, &element, &count);
    put(out, "$%c%u", bits == 1 ? 'c' : bits <= 32 ? 's' : bits <= 64 ? 'd' : 'q', out->reg++ % 16);
}

/* ---- Constants ------------------------------------------------------------------------------------- */

static void put_number(struct out *out, char kind, unsigned bits, unsigned choice)
{
    static const char *const floats[2][3] = {{"1.5h", "1.5f", "-2.5"}, {"0Hfc00", "0F7fc00001", "0D0000000000000001"}};
    if (kind == 'f')
        put(out, "%s", floats[choice & 1][bits == 16 ? 0 : bits == 32 ? 1 : 2]);
    else if (kind == 's')
        put(out, "%s", choice & 1 ? "-3" : "5");
    else
        put(out, "%s", choice & 1 ? "0x7f" : "9");
}

static void put_constant(struct out *out, const char *type, unsigned choice)
{
    unsigned element, count, bits = type_bits(type, &element, &count);
    if (is_opaque(type, strlen(type))) {
        put(out, "%s(0)", type);
    } else if (bits == 1) {
        put(out, "%u", choice & 1);
    } else if (*type == 'b' && bits == 128) {
        put(out, "%s", choice & 1 ? "u8x16(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16)" : "u64x2(1,2)");
    } else if (count > 1) {
        put(out, "%s(", type);
        for (unsigned i = 0; i < count; i++) {
            put(out, "%s", i ? "," : "");
            put_number(out, *type, element, choice + i);
        }
        put(out, ")");
    } else {
        put_number(out, *type, bits, choice);
    }
}

/* Puts a register, a constant or WAVESIZE, as the type allows. */
static void put_source(struct out *out, const char *type)
{
    unsigned element, count, bits = type_bits(type, &element, &count);
    bool handle = is_opaque(type, strlen(type));
    bool constant = !handle || *type == 's' ? strcmp(type, "samp") != 0 : false;
    bool wavesize = !handle && *type != 'f' && count == 1 && bits <= 64;
    unsigned choice = choose(out, 1 + 2 * constant + wavesize);
    if (!choice)
        put_register(out, type);
    else if (choice < 3)
        put_constant(out, type, choice);
    else
        put(out, "WAVESIZE");
}

/* ---- Addresses ------------------------------------------------------------------------------------- */

bool syntax_in_function(const char *mnemonic)
{
    return strstr(mnemonic, "_arg") != NULL;
}

static const struct {
    const char *word, *symbol;
    bool narrow;
} segments[] = {{"_global", "&g", 0},     {"_readonly", "&ro", 0}, {"_kernarg", "%ka", 0}, {"_group", "&grp", 1},
                {"_private", "&priv", 1}, {"_spill", "%sp", 1},    {"_arg", "%in", 1}};

/* Whether a segment can have variables of images and samplers: group, private and spill cannot (7.1.7, 7.1.8). */
static bool holds_images(const char *symbol)
{
    return strcmp(symbol, "&grp") && strcmp(symbol, "&priv") && strcmp(symbol, "%sp");
}

static void put_address(struct out *out)
{
    char type[16], symbol[32] = "";
    const char *cut = strchr(out->mnemonic, '_');
    bool narrow = out->world == SYNTAX_FULL_SMALL || out->world == SYNTAX_BASE_SMALL;
    syntax_type(out->mnemonic, 1, type, sizeof type);
    bool handle = is_opaque(type, strlen(type)), output = out->mnemonic[0] == 's' && syntax_in_function(out->mnemonic);
    for (size_t i = 0; cut && i < sizeof segments / sizeof *segments; i++)
        if (strstr(cut, segments[i].word)) {
            narrow |= segments[i].narrow;
            if (handle && strncmp(type, "sig", 3) != 0 && !holds_images(segments[i].symbol))
                continue;
            snprintf(symbol, sizeof symbol, "%s%s%s", output ? "%out" : segments[i].symbol, handle ? "_" : "",
                     handle ? type : "");
        }
    if (handle && output) /* a function has only one output */
        *symbol = '\0';
    unsigned choice = choose(out, *symbol ? 7 : 4);
    if (choice >= 4)
        put(out, "[%s]", symbol);
    switch (choice) {
    case 0: put(out, "[$%c%u]", narrow ? 's' : 'd', out->reg++ % 16); break;
    case 1:
    case 5: put(out, "[$%c%u+12]", narrow ? 's' : 'd', out->reg++ % 16); break;
    case 2: put(out, "[$%c%u-8]", narrow ? 's' : 'd', out->reg++ % 16); break;
    case 3: put(out, "[256]"); break;
    case 6: put(out, "[4]"); break;
    default: break;
    }
}

/* ---- Statements ------------------------------------------------------------------------------------ */

/* How many elements the operand of a letter has; 1 if it is no list. */
static unsigned element_count(const struct out *out, char letter)
{
    const char *m = out->mnemonic;
    if (letter == 'C') {
        bool three = strstr(m, "_3d") || strstr(m, "_2da");
        return three ? 3 : strstr(m, "_1db") ? 1 : strstr(m, "_2d") || strstr(m, "_1da") ? 2 : 1;
    }
    bool vector = letter == 'D' || letter == 'S';
    return !vector ? 1 : strstr(m, "_v2") ? 2 : strstr(m, "_v3") ? 3 : strstr(m, "_v4") ? 4 : 1;
}

static void put_typed(struct out *out, char letter, const char *type)
{
    unsigned count = element_count(out, letter);
    char shape[16];
    put(out, "%s", count > 1 ? "(" : "");
    for (unsigned i = 0; i < count; i++) {
        put(out, "%s", i ? "," : "");
        switch (letter) {
        case 'd':
        case 'D':
        case 'r': put_register(out, type); break;
        case 'n': put(out, "%u", choose(out, 3)); break;
        case 'm':
            snprintf(shape, sizeof shape, "u%s", type + 1);
            put_source(out, strchr(type, 'x') ? shape : "b1");
            break;
        default: put_source(out, type); break;
        }
    }
    put(out, "%s", count > 1 ? ")" : "");
}

static void put_operand(struct out *out, const char *operand)
{
    char type[16];
    switch (*operand) {
    case 'a': put_address(out); return;
    case 'l': put(out, "@l"); return;
    case 'L': put(out, "[@l, @l]"); return;
    case 'F': put(out, "&fb"); return;
    case 'f':
        if (choose(out, 2))
            put_register(out, "u32");
        else
            put(out, "&fb");
        return;
    default: break;
    }
    if (operand[1] >= '1' && operand[1] <= '9')
        syntax_type(out->mnemonic, (unsigned)(operand[1] - '0'), type, sizeof type);
    else
        snprintf(type, sizeof type, "%s", operand + 1);
    put_typed(out, *operand, type);
}

static void put_call(struct out *out)
{
    char type[16];
    put(out, "{ arg_u32 %%o; arg_u32 %%i; %s ", out->mnemonic);
    syntax_type(out->mnemonic, 1, type, sizeof type);
    if (*out->mnemonic == 'c')
        put(out, "&f (%%o) (%%i)");
    else if (*out->mnemonic == 'i') {
        put_register(out, type);
        put(out, " (%%o) (%%i) &sig");
    } else {
        put_source(out, type);
        put(out, " (%%o) (%%i) [&f, &f2]");
    }
    put(out, "; }\n");
}

void syntax_statement(const struct syntax_row *row, const char *mnemonic, enum syntax_world world, unsigned variant,
                      char *text, size_t size)
{
    struct out out = {.text = text, .size = size, .mnemonic = mnemonic, .world = world, .variant = variant, .reg = 1};
    char operands[64];
    bool label_list = false, first = true;
    if (!strcmp(row->operands, "c")) {
        put_call(&out);
        return;
    }
    put(&out, "%s", mnemonic);
    snprintf(operands, sizeof operands, "%s", row->operands);
    for (char *operand = strtok(operands, " "); operand; operand = strtok(NULL, " ")) {
        label_list = *operand == 'L';
        put(&out, "%s", first || label_list ? " " : ", ");
        put_operand(&out, operand);
        first = false;
    }
    put(&out, ";\n");
}

/* Puts a variable of each opaque type that the segment and the model have, with BETWEEN between them. */
static void put_handles(struct out *out, const char *segment, const char *name, const char *between)
{
    size_t first = holds_images(name) ? 0 : 4;
    bool small = out->world == SYNTAX_FULL_SMALL || out->world == SYNTAX_BASE_SMALL;
    const char *const types[] = {"roimg", "woimg", "rwimg", "samp", small ? "sig32" : "sig64"};
    for (size_t i = first; i < sizeof types / sizeof *types; i++)
        put(out, "%s%s_%s %s_%s[8]", i > first ? between : "", segment, types[i], name, types[i]);
}

void syntax_module(enum syntax_world world, unsigned minor, const char *in_kernel, const char *in_function, char *text,
                   size_t size)
{
    struct out out = {.text = text, .size = size, .world = world};
    bool full = world == SYNTAX_FULL_LARGE || world == SYNTAX_FULL_SMALL;
    bool large = world == SYNTAX_FULL_LARGE || world == SYNTAX_BASE_LARGE;
    *text = '\0';
    put(&out, "module &m:1:%u:%s:%s:$default;\nextension \"IMAGE\";\n", minor, full ? "$full" : "$base",
        large ? "$large" : "$small");
    put(&out, "global_u32 &g[64];\nreadonly_u32 &ro[64];\ngroup_u32 &grp[64];\nprivate_u32 &priv[64];\n"
              "fbarrier &fb;\n");
    for (size_t i = 0; i < sizeof segments / sizeof *segments; i++)
        if (*segments[i].symbol == '&') {
            put_handles(&out, segments[i].word + 1, segments[i].symbol, ";\n");
            put(&out, ";\n");
        }
    put(&out, "function &f(arg_u32 %%r)(arg_u32 %%x) {};\nfunction &f2(arg_u32 %%r)(arg_u32 %%x) {};\n"
              "signature &sig(arg_u32 %%r)(arg_u32 %%x);\nkernel &k(kernarg_u64 %%ka[64], ");
    put_handles(&out, "kernarg", "%ka", ", ");
    put(&out, ") {\nspill_u32 %%sp[64];\n");
    put_handles(&out, "spill", "%sp", ";\n");
    put(&out, ";\n%s@l:\n};\nfunction &fn(arg_u32 %%out[64])(arg_u32 %%in[64], ", in_kernel);
    put_handles(&out, "arg", "%in", ", ");
    put(&out, ") {\n%s};\n", in_function);
}
