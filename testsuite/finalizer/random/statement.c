/* SPDX-License-Identifier: MIT */
/* Single statements on values; see random.h. Input: the rows of syntax.def, typed from the manual. Output: lines of
 * HSAIL. Invariant: registers 0 to 7 of each kind hold values; statements do not change registers from 100 on, which
 * programs use for themselves. */
#include "testsuite/finalizer/random/random.h"
#include "testsuite/validate/syntax.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 8, ROWS = 256 };

/* ---- Which mnemonic -------------------------------------------------------------------------------- */

/* Whether all operands of a row are values. */
static bool is_of_values(const struct syntax_row *row)
{
    static const char *const others[] = {
        "lda",     "{ncos",      "{nrcp",   "nfma",        "segmentp",     "ftos",  "stof",      "mov_{roimg",
        "mov_sig", "activelane", "cbr",     "ret",         "alloca",       "clock", "debugtrap", "kernarg",
        "nop",     "nullptr",    "packet",  "{cuid",       "{groupstatic", "dim",   "getdetect", "{cleardetect",
        "query",   "imagefence", "barrier", "wavebarrier", "memfence",     "ldf",   "sbr",       "signal"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strncmp(row->mnemonics, others[i], strlen(others[i])))
            return false;
    for (const char *o = row->operands; *o; o++)
        if ((o == row->operands || o[-1] == ' ') && !strchr("dDsSmn", *o))
            return false;
    return *row->operands == 'd' || *row->operands == 'D';
}

const char *random_mnemonic(struct random *r, char *mnemonic, size_t size)
{
    static const struct syntax_row *rows[ROWS];
    static unsigned weights[ROWS], count, total;
    unsigned sum = total;
    for (size_t i = 0; !total && i < syntax_row_count; i++) {
        const struct syntax_row *row = &syntax_rows[i];
        if (!(row->gate >> SYNTAX_FULL_LARGE & 1) || !syntax_has(row, 2) || !is_of_values(row))
            continue;
        unsigned weight = 2;
        for (uint64_t n = syntax_count(row->mnemonics); n > 1; n /= 2)
            weight++;
        rows[count] = row;
        weights[count++] = weight;
        sum += weight;
    }
    total = sum;
    unsigned choice = random_below(r, total), i = 0;
    while (choice >= weights[i])
        choice -= weights[i++];
    syntax_expand(rows[i]->mnemonics, random_next(r) % syntax_count(rows[i]->mnemonics), mnemonic, size);
    return rows[i]->operands;
}

/* ---- Operands -------------------------------------------------------------------------------------- */

struct value_type {
    char kind; /* u s b f */
    unsigned bits, count;
};

static struct value_type type_of(const char *text)
{
    char *rest;
    struct value_type type = {*text, (unsigned)strtoul(text + 1, &rest, 10), 1};
    if (*rest == 'x')
        type.count = (unsigned)strtoul(rest + 1, NULL, 10);
    return type;
}

static char register_kind(struct value_type type)
{
    unsigned bits = type.bits * type.count;
    return bits == 1 ? 'c' : bits <= 32 ? 's' : bits <= 64 ? 'd' : 'q';
}

static unsigned register_number(struct random *r, char kind)
{
    return random_below(r, kind == 'q' || kind == 'c' ? VALUES / 2 : VALUES);
}

static void put_number(struct random *r, struct random_text *out, struct value_type type)
{
    uint64_t bits = random_bits(r, type.bits);
    if (type.kind == 'f')
        random_put(out, "0%c%0*" PRIx64, type.bits == 16 ? 'h' : type.bits == 32 ? 'f' : 'd', (int)type.bits / 4, bits);
    else if (type.kind == 's' && bits >> (type.bits - 1))
        random_put(out, "-%" PRIu64, (~bits + 1) & (type.bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << type.bits) - 1));
    else
        random_put(out, "%" PRIu64, bits);
}

static void put_constant(struct random *r, struct random_text *out, struct value_type type, const char *text)
{
    if (type.bits == 1) {
        random_put(out, "%u", random_below(r, 2));
    } else if (type.count > 1) {
        random_put(out, "%s(", text);
        for (unsigned i = 0; i < type.count; i++) {
            random_put(out, "%s", i ? "," : "");
            put_number(r, out, type);
        }
        random_put(out, ")");
    } else if (type.bits == 128) {
        random_put(out, "u64x2(%" PRIu64 ",%" PRIu64 ")", random_bits(r, 64), random_bits(r, 64));
    } else {
        put_number(r, out, type);
    }
}

static void put_source(struct random *r, struct random_text *out, const char *text)
{
    struct value_type type = type_of(text);
    char kind = register_kind(type);
    if (random_chance(r, r->registers ? r->registers : 72))
        random_put(out, "$%c%u", kind, register_number(r, kind));
    else if (type.kind != 'f' && type.count == 1 && type.bits > 1 && type.bits < 128 && random_chance(r, 3))
        random_put(out, "WAVESIZE");
    else
        put_constant(r, out, type, text);
}

/* Puts a selector of shuffle, or an index of an element, that suits the type. */
static void put_selector(struct random *r, struct random_text *out, const char *mnemonic)
{
    if (!strncmp(mnemonic, "unpackcvt", 9))
        random_put(out, "%u", random_below(r, 4));
    else if (!strncmp(mnemonic, "shuffle", 7))
        random_put(out, "%u", random_below(r, 1u << 24));
    else
        random_put(out, "%u", random_below(r, 3));
}

static void put_one(struct random *r, struct random_text *out, char letter, const char *type, const char *mnemonic)
{
    char shape[16];
    switch (letter) {
    case 'd':
    case 'D':
        random_put(out, "$%c%u", register_kind(type_of(type)), register_number(r, register_kind(type_of(type))));
        break;
    case 'n': put_selector(r, out, mnemonic); break;
    case 'm':
        snprintf(shape, sizeof shape, "u%s", type + 1);
        put_source(r, out, strchr(type, 'x') ? shape : "b1");
        break;
    default: put_source(r, out, type);
    }
}

/* Puts an offset, a width or a shift count, which is mostly within its range. */
static bool put_position(struct random *r, struct random_text *out, const char *mnemonic)
{
    if (strncmp(mnemonic, "bit", 3) != 0 || random_chance(r, 15))
        return false;
    if (!strncmp(mnemonic, "bitalign", 8) || !strncmp(mnemonic, "bitselect", 9) || !strncmp(mnemonic, "bitrev", 6))
        return false;
    random_put(out, "%u", random_below(r, 17));
    return true;
}

/* Puts a vector of registers; those that are destinations differ from each other. */
static void put_vector(struct random *r, struct random_text *out, char letter, const char *type, const char *mnemonic)
{
    unsigned count = strstr(mnemonic, "_v4") ? 4 : strstr(mnemonic, "_v3") ? 3 : 2;
    char kind = register_kind(type_of(type));
    unsigned first = register_number(r, kind), step = 1 + random_below(r, 2) * 2;
    random_put(out, "(");
    for (unsigned i = 0; i < count; i++) {
        random_put(out, "%s", i ? "," : "");
        if (letter == 'D')
            random_put(out, "$%c%u", kind, (first + i * step) % (kind == 'q' ? VALUES / 2 : VALUES));
        else
            put_source(r, out, type);
    }
    random_put(out, ")");
}

void random_operands(struct random *r, const char *mnemonic, const char *operands, struct random_text *out)
{
    char list[64], type[16];
    unsigned position = 0;
    random_put(out, "%s", mnemonic);
    snprintf(list, sizeof list, "%s", operands);
    for (char *operand = strtok(list, " "); operand; operand = strtok(NULL, " "), position++) {
        random_put(out, "%s", position ? ", " : " ");
        if (operand[1] >= '1' && operand[1] <= '9')
            syntax_type(mnemonic, (unsigned)(operand[1] - '0'), type, sizeof type);
        else
            snprintf(type, sizeof type, "%s", operand + 1);
        if (*operand == 'D' || *operand == 'S')
            put_vector(r, out, *operand, type, mnemonic);
        else if (strcmp(operand, "su32") != 0 || !put_position(r, out, mnemonic))
            put_one(r, out, *operand, type, mnemonic);
    }
    random_put(out, ";\n");
}

/* ---- Statements ------------------------------------------------------------------------------------ */

/* Makes some bits of a register known, or its value small. */
static void put_narrow(struct random *r, struct random_text *out)
{
    static const char *const forms[] = {
        "and_b32 $s%u, $s%u, 255;\n",
        "and_b32 $s%u, $s%u, 0xffffff;\n",
        "and_b32 $s%u, $s%u, 0xffff;\n",
        "shr_u32 $s%u, $s%u, 24;\n",
        "shr_s32 $s%u, $s%u, 8;\n",
        "shr_u32 $s%u, $s%u, 8;\n",
        "cvt_u32_u8 $s%u, $s%u;\n",
        "cvt_s32_s8 $s%u, $s%u;\n",
        "cvt_s32_s16 $s%u, $s%u;\n",
        "or_b32 $s%u, $s%u, 0x80000000;\n",
        "or_b32 $s%u, $s%u, 0xffff0000;\n",
        "bitextract_u32 $s%u, $s%u, 3, 9;\n",
        "bitextract_s32 $s%u, $s%u, 8, 8;\n",
        "or_b32 $s%u, $s%u, 1;\n",
        "shl_u32 $s%u, $s%u, 16;\n",
        "cvt_u64_u32 $d%u, $s%u;\n",
        "cvt_s64_s32 $d%u, $s%u;\n",
        "and_b64 $d%u, $d%u, 0xffffffff;\n",
        "or_b64 $d%u, $d%u, 1;\n",
        "shr_s64 $d%u, $d%u, 32;\n",
        "and_b64 $d%u, $d%u, 65535;\n"};
    random_put(out, forms[random_below(r, sizeof forms / sizeof *forms)], random_below(r, VALUES),
               random_below(r, VALUES));
}

/* Loads a value from the input again, so that undefined bits do not spread without end. */
static void put_fresh(struct random *r, struct random_text *out)
{
    unsigned to = random_below(r, VALUES);
    switch (random_below(r, 5)) {
    case 0: random_put(out, "ld_global_u8 $s%u, [$d100+%u];\n", to, random_below(r, RANDOM_IN)); break;
    case 1: random_put(out, "ld_global_s16 $s%u, [$d100+%u];\n", to, random_below(r, RANDOM_IN - 1)); break;
    case 2:
        random_put(out, "ld_global_align(4)_u32 $s%u, [$d100+%u];\n", to, 4 * random_below(r, RANDOM_IN / 4));
        break;
    case 3:
        random_put(out, "ld_global_align(8)_u64 $d%u, [$d100+%u];\n", to, 8 * random_below(r, RANDOM_IN / 8));
        break;
    default:
        random_put(out, "ld_global_align(16)_b128 $q%u, [$d100+%u];\n", to / 2, 16 * random_below(r, RANDOM_IN / 16));
    }
}

/* An integer division by a number that is not 0; operands are sometimes short. */
static void put_division(struct random *r, struct random_text *out, const char *mnemonic)
{
    bool wide = strstr(mnemonic, "64");
    char kind = wide ? 'd' : 's';
    unsigned divisor = random_below(r, VALUES);
    if (random_chance(r, 50))
        random_put(out, "or_b%u $%c%u, $%c%u, %u;\n", wide ? 64 : 32, kind, divisor, kind, random_below(r, VALUES),
                   1u << random_below(r, 8));
    else
        random_put(out, "max_u%u $%c%u, $%c%u, 1;\n", wide ? 64 : 32, kind, divisor, kind, random_below(r, VALUES));
    if (random_chance(r, 25))
        random_put(out, "%s $%c%u, %" PRIu64 ", $%c%u;\n", mnemonic, kind, random_below(r, VALUES),
                   random_bits(r, wide ? 63 : 31), kind, divisor);
    else
        random_put(out, "%s $%c%u, $%c%u, $%c%u;\n", mnemonic, kind, random_below(r, VALUES), kind,
                   random_below(r, VALUES), kind, divisor);
}

/* Operands of 24 bits for mul24 and its like. */
static void put_24(struct random *r, struct random_text *out, const char *mnemonic)
{
    bool is_signed = strstr(mnemonic, "_s32"), adds = *(mnemonic + 1) == 'a';
    unsigned a = random_below(r, VALUES), b = random_below(r, VALUES);
    const char *narrow = is_signed ? "bitextract_s32 $s%u, $s%u, %u, 24;\n" : "bitextract_u32 $s%u, $s%u, %u, 24;\n";
    random_put(out, narrow, a, a, random_below(r, 9));
    random_put(out, narrow, b, b, random_below(r, 9));
    random_put(out, "%s $s%u, $s%u, $s%u", mnemonic, random_below(r, VALUES), a, b);
    if (adds)
        random_put(out, ", $s%u", random_below(r, VALUES));
    random_put(out, ";\n");
}

void random_statement(struct random *r, struct random_text *out)
{
    char mnemonic[96];
    unsigned choice = random_below(r, 100);
    if (choice < 10) {
        put_narrow(r, out);
        return;
    }
    if (choice < 16) {
        put_fresh(r, out);
        return;
    }
    const char *operands = random_mnemonic(r, mnemonic, sizeof mnemonic);
    bool divides = !strncmp(mnemonic, "rem_", 4) || !strncmp(mnemonic, "div_", 4);
    if (divides && strchr("us", mnemonic[4]) && strchr("36", mnemonic[5]))
        put_division(r, out, mnemonic);
    else if (strstr(mnemonic, "24") == mnemonic + 3)
        put_24(r, out, mnemonic);
    else
        random_operands(r, mnemonic, operands, out);
}
