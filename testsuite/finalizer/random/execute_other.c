/* SPDX-License-Identifier: MIT */
/* Mnemonics with addresses (PRM chapter 6, 5.8, 5.16, 5.17); see execute.h. Input: a mnemonic. Output: text. Invariant:
 * what is read was written before, by the same work-item or before all of them began; what a mnemonic promises about
 * alignment or equal values is true. */
#include "testsuite/finalizer/random/execute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD = 64 }; /* bytes of memory that a statement may use */

static const char *const segments[] = {"_global", "_readonly", "_group", "_private", "_kernarg", "_spill", "_arg"};

/* The segment in the mnemonic of a load, store or atomic, with its underscore; "" for flat. */
static const char *segment_of(const char *mnemonic)
{
    for (size_t i = 0; i < sizeof segments / sizeof *segments; i++)
        if (strstr(mnemonic, segments[i]))
            return segments[i];
    return "";
}

/* The size of an element of the mnemonic's type, and how many elements there are; 0 for a type without values. */
static unsigned shape_of(const char *mnemonic, unsigned *count, char *kind)
{
    char type[16];
    syntax_type(mnemonic, 1, type, sizeof type);
    unsigned bits = strchr("usfb", *type) && strncmp(type, "sig", 3) != 0 ? (unsigned)strtoul(type + 1, NULL, 10) : 0;
    *count = strstr(mnemonic, "_v2") ? 2 : strstr(mnemonic, "_v3") ? 3 : strstr(mnemonic, "_v4") ? 4 : 1;
    *kind = bits <= 32 ? 's' : bits == 64 ? 'd' : 'q';
    return bits / 8;
}

static unsigned alignment_of(const char *mnemonic)
{
    const char *align = strstr(mnemonic, "_align(");
    return align ? (unsigned)strtoul(align + 7, NULL, 10) : 1;
}

static bool needs_equal(const char *mnemonic)
{
    const char *width = strstr(mnemonic, "_width(");
    return width && strncmp(width, "_width(1)", 9) != 0;
}

static void put_names(struct execute *e, char kind, unsigned count)
{
    random_put(&e->out, "%s", count > 1 ? "(" : "");
    for (unsigned i = 0; i < count; i++)
        random_put(&e->out, "%s$%c%u", i ? ", " : "", kind, i);
    random_put(&e->out, "%s", count > 1 ? ")" : "");
}

static void store_all(struct execute *e, char kind, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "$%c%u", kind, i);
        execute_store(e, name);
    }
}

/* Puts the contents for memory into $s110 to $s113; with EQUAL they are the same in all work-items. */
static void put_filling(struct execute *e, bool equal)
{
    if (equal)
        random_put(&e->out, "ld_kernarg_u64 $d106, [%%in];\n");
    random_put(&e->out, "ld_v4_global_align(4)_u32 ($s110, $s111, $s112, $s113), [$d%u+%u];\n", equal ? 106 : 100,
               4 * random_below(&e->random, 8));
}

/* The text between an address and an offset. */
static const char *joint(const char *address)
{
    return *address == '$' ? "+" : "][";
}

/* Fills the FIELD bytes at ADDRESS of SEGMENT. */
static void put_fill(struct execute *e, const char *segment, const char *address)
{
    for (unsigned i = 0; i < FIELD; i += 4)
        random_put(&e->out, "st%s_align(4)_u32 $s%u, [%s%s%u];\n", segment, 110 + i / 4 % 4, address, joint(address),
                   i);
}

/* The address, as it goes into "[%s]", of the work-item's own FIELD bytes of a segment; it is computed into a register.
 */
static const char *put_own(struct execute *e, const char *segment)
{
    if (!strcmp(segment, "_group")) {
        random_put(&e->out, "shl_u32 $s105, $s100, 6;\nlda_group_u32 $s105, [%%group][$s105];\n");
        return "$s105";
    }
    if (!strcmp(segment, "_private")) {
        random_put(&e->out, "lda_private_u32 $s105, [%%private];\n");
        return "$s105";
    }
    return "$d103";
}

/* ---- Loads and stores ------------------------------------------------------------------------------ */

static unsigned offset_for(struct execute *e, const char *mnemonic, unsigned bytes, unsigned room)
{
    unsigned align = alignment_of(mnemonic);
    return random_below(&e->random, (room - bytes) / align + 1) * align;
}

/* Loads from memory that exists anyway. */
static void put_load(struct execute *e, const char *mnemonic, const char *segment, unsigned bytes)
{
    bool equal = needs_equal(mnemonic);
    if (!strcmp(segment, "_readonly"))
        random_put(&e->out, ", [&ro][%u];\n", offset_for(e, mnemonic, bytes, FIELD));
    else if (!strcmp(segment, "_kernarg"))
        random_put(&e->out, ", [%%in][%u];\n", offset_for(e, mnemonic, bytes, 32));
    else
        random_put(&e->out, ", [$d%u+%u];\n", equal ? 106 : 100, offset_for(e, mnemonic, bytes, RANDOM_IN));
}

static bool load(struct execute *e, const char *mnemonic)
{
    const char *segment = segment_of(mnemonic);
    unsigned count, size;
    char kind;
    size = shape_of(mnemonic, &count, &kind);
    unsigned bytes = size * count;
    bool own = !strcmp(segment, "_group") || !strcmp(segment, "_private");
    bool named = !strcmp(segment, "_spill") || !strcmp(segment, "_arg");
    if (!size || bytes > FIELD || (!strcmp(segment, "_kernarg") && bytes > 32) || alignment_of(mnemonic) > FIELD)
        return false;
    put_filling(e, needs_equal(mnemonic));
    const char *address = own ? put_own(e, segment) : "";
    if (own)
        put_fill(e, segment, address);
    if (!strcmp(segment, "_spill"))
        put_fill(e, segment, "%spill");
    if (!strcmp(segment, "_arg")) {
        random_put(&e->out, "{\nalign(64) arg_u8 %%x[%u];\nalign(64) arg_u8 %%y[%u];\n", FIELD, FIELD);
        put_fill(e, segment, "%x");
        random_put(&e->out, "call &copy (%%y)(%%x);\n");
    }
    random_put(&e->out, "%s ", mnemonic);
    put_names(e, kind, count);
    if (own)
        random_put(&e->out, ", [%s+%u];\n", address, offset_for(e, mnemonic, bytes, FIELD));
    else if (named)
        random_put(&e->out, ", [%%%s][%u];\n", segment[1] == 's' ? "spill" : "y",
                   offset_for(e, mnemonic, bytes, FIELD));
    else
        put_load(e, mnemonic, segment, bytes);
    random_put(&e->out, "%s", !strcmp(segment, "_arg") ? "}\n" : "");
    store_all(e, kind, count);
    return true;
}

/* Loads the FIELD bytes at ADDRESS and keeps them. */
static void keep_field(struct execute *e, const char *segment, const char *address)
{
    for (unsigned i = 0; i < FIELD; i += 16) {
        random_put(&e->out, "ld%s_align(16)_b128 $q50, [%s%s%u];\n", segment, address, joint(address), i);
        random_put(&e->out, "st_global_align(16)_b128 $q50, [$d101+%u];\n", e->offset);
        e->offset += 16;
    }
}

static bool store(struct execute *e, const char *mnemonic)
{
    const char *segment = segment_of(mnemonic);
    unsigned count, size;
    char kind;
    size = shape_of(mnemonic, &count, &kind);
    unsigned bytes = size * count;
    bool arg = !strcmp(segment, "_arg"), spill = !strcmp(segment, "_spill");
    if (!size || bytes > FIELD || alignment_of(mnemonic) > FIELD)
        return false;
    put_filling(e, false);
    const char *address = arg ? "%x" : spill ? "%spill" : put_own(e, segment);
    if (arg)
        random_put(&e->out, "{\nalign(64) arg_u8 %%x[%u];\nalign(64) arg_u8 %%y[%u];\n", FIELD, FIELD);
    put_fill(e, segment, address);
    random_put(&e->out, "%s ", mnemonic);
    put_names(e, kind, count);
    random_put(&e->out, ", [%s%s%u];\n", address, joint(address), offset_for(e, mnemonic, bytes, FIELD));
    if (arg)
        random_put(&e->out, "call &copy (%%y)(%%x);\n");
    keep_field(e, segment, arg ? "%y" : address);
    random_put(&e->out, "%s", arg ? "}\n" : "");
    return true;
}

/* An atomic operation on the work-item's own words, so that the order of work-items does not matter. */
static bool atomic(struct execute *e, const struct syntax_row *row, const char *mnemonic)
{
    const char *segment = segment_of(mnemonic);
    bool returns = *row->operands == 'd';
    unsigned count, size, sources = (unsigned)(strlen(row->operands) - (returns ? 4 : 1)) / 3;
    char kind;
    size = shape_of(mnemonic, &count, &kind);
    put_filling(e, false);
    const char *address = put_own(e, segment);
    put_fill(e, segment, address);
    random_put(&e->out, "%s ", mnemonic);
    if (returns)
        random_put(&e->out, "$%c0, ", kind);
    random_put(&e->out, "[%s+%u]", address, size * random_below(&e->random, FIELD / size));
    for (unsigned i = 0; i < sources; i++)
        random_put(&e->out, ", $%c%u", kind, 1 + i);
    random_put(&e->out, ";\n");
    if (returns)
        store_all(e, kind, 1);
    keep_field(e, segment, address);
    return true;
}

/* ---- Addresses ------------------------------------------------------------------------------------- */

/* The implementation chooses the address, so the test is what a load from it gets. */
static bool address(struct execute *e, const char *mnemonic)
{
    const char *segment = segment_of(mnemonic);
    const char *symbol =
        !strcmp(segment, "_group")      ? "%group"
        : !strcmp(segment, "_private")  ? "%private"
        : !strcmp(segment, "_kernarg")  ? "%in"
        : !strcmp(segment, "_readonly") ? "&ro"
                                        : "";
    bool narrow = strstr(mnemonic, "_u32");
    if (!*symbol) {
        random_put(&e->out, "%s $d107, [$d100+8];\n", mnemonic);
        random_put(&e->out, "ld_global_u32 $s0, [$d107];\n");
    } else if (narrow) {
        random_put(&e->out, "shl_u32 $s106, $s100, 2;\n%s $s105, [%s][%s];\n", mnemonic, symbol,
                   strcmp(segment, "_group") ? "4" : "$s106");
        random_put(&e->out, "st%s_u32 $s1, [$s105];\nld%s_u32 $s0, [$s105];\n", segment, segment);
    } else {
        random_put(&e->out, "%s $d107, [%s];\nld%s_u32 $s0, [$d107+4];\n", mnemonic, symbol, segment);
    }
    execute_store(e, "$s0");
    return true;
}

/* segmentp, ftos and stof, of an address of their segment and of null. */
static bool convert(struct execute *e, const char *mnemonic)
{
    const char *segment = segment_of(mnemonic);
    bool group = !strcmp(segment, "_group"), global = !strcmp(segment, "_global");
    bool nonull = strstr(mnemonic, "_nonull");
    const char *symbol = group ? "%group" : "%private";
    if (global)
        random_put(&e->out, "mov_b64 $d107, $d101;\n");
    else
        random_put(&e->out, "shl_u32 $s106, $s100, 2;\nlda%s_u32 $s105, [%s][%s];\nst%s_u32 $s1, [$s105];\n", segment,
                   symbol, group ? "$s106" : "8", segment);
    if (!strncmp(mnemonic, "stof", 4)) {
        random_put(&e->out, "%s $d107, $s105;\nld_u32 $s0, [$d107];\n", mnemonic);
        execute_store(e, "$s0");
        return true;
    }
    if (!global)
        random_put(&e->out, "stof%s_u64_u32 $d107, $s105;\n", segment);
    if (!strncmp(mnemonic, "ftos", 4)) {
        random_put(&e->out, "%s $s107, $d107;\nld%s_u32 $s0, [$s107];\n", mnemonic, segment);
        execute_store(e, "$s0");
        return true;
    }
    random_put(&e->out, "%s $c0, $d107;\n", mnemonic);
    execute_store(e, "$c0");
    random_put(&e->out, "%s $c1, $d100;\n", mnemonic);
    execute_store(e, "$c1");
    if (!nonull) {
        random_put(&e->out, "%s $c2, 0;\n", mnemonic);
        execute_store(e, "$c2");
    }
    return true;
}

bool execute_other(struct execute *e, const struct syntax_row *row, const char *mnemonic)
{
    if (!strncmp(mnemonic, "ld", 2) && strchr("_", mnemonic[2]))
        return load(e, mnemonic);
    if (!strncmp(mnemonic, "st_", 3))
        return store(e, mnemonic);
    if (!strncmp(mnemonic, "atomic", 6))
        return atomic(e, row, mnemonic);
    if (!strncmp(mnemonic, "lda", 3))
        return address(e, mnemonic);
    if (!strncmp(mnemonic, "segmentp", 8) || !strncmp(mnemonic, "ftos", 4) || !strncmp(mnemonic, "stof", 4))
        return convert(e, mnemonic);
    return execute_control(e, row, mnemonic);
}
