/* SPDX-License-Identifier: MIT */
/* Mnemonics of control flow, across lanes and about the dispatch (PRM chapters 8 to 11); see execute.h. Input: a
 * mnemonic. Output: text. Invariant: all work-items come to each statement, and what a width promises is true. */
#include "testsuite/finalizer/random/execute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

static bool is_equal(const char *mnemonic)
{
    const char *width = strstr(mnemonic, "_width(");
    return width && strncmp(width, "_width(1)", 9) != 0;
}

/* Puts a number below 2^BITS into $s101; with EQUAL it is the same in all work-items. */
static void put_choice(struct execute *e, bool equal, unsigned bits)
{
    if (equal)
        random_put(&e->out, "mov_b32 $s101, %u;\n", random_below(&e->random, 1u << bits));
    else
        random_put(&e->out, "bitextract_u32 $s101, $s%u, %u, %u;\n", random_below(&e->random, 8),
                   random_below(&e->random, 16), bits);
}

static bool branch(struct execute *e, const char *mnemonic)
{
    unsigned label = e->offset + (unsigned)e->out.used * 16;
    put_choice(e, is_equal(mnemonic), 1);
    random_put(&e->out, "mov_b32 $s0, 1;\n");
    if (*mnemonic == 'b') {
        random_put(&e->out, "br @a%u;\nmov_b32 $s0, 2;\n@a%u:\n", label, label);
    } else if (*mnemonic == 'c') {
        random_put(&e->out, "cvt_b1_u32 $c101, $s101;\n%s $c101, @a%u;\nmov_b32 $s0, 2;\n@a%u:\n", mnemonic, label,
                   label);
    } else {
        bool wide = strstr(mnemonic, "_u64");
        random_put(&e->out, "cvt_u64_u32 $d107, $s101;\n%s %s [@a%u, @b%u];\n@a%u:\nadd_u32 $s0, $s0, 4;\n@b%u:\n",
                   mnemonic, wide ? "$d107" : "$s101", label, label, label, label);
    }
    execute_store(e, "$s0");
    return true;
}

static bool call(struct execute *e, const char *mnemonic)
{
    bool wide = strstr(mnemonic, "_u64");
    if (*mnemonic == 'i')
        return false; /* run.hsail tests it; a random kernel has no handle of a function */
    put_choice(e, is_equal(mnemonic), 1);
    random_put(&e->out, "cvt_u64_u32 $d107, $s101;\n{\narg_u32 %%x;\narg_u32 %%y;\nst_arg_u32 $s1, [%%y];\n");
    if (*mnemonic == 'c')
        random_put(&e->out, "call &twice (%%x)(%%y);\n");
    else
        random_put(&e->out, "%s %s (%%x)(%%y)[&twice, &other];\n", mnemonic, wide ? "$d107" : "$s101");
    random_put(&e->out, "ld_arg_u32 $s0, [%%x];\n}\n");
    execute_store(e, "$s0");
    return true;
}

/* A barrier between a write and the read by another work-item. */
static bool barrier(struct execute *e, const char *mnemonic)
{
    bool wave = *mnemonic == 'w';
    random_put(&e->out,
               "shl_u32 $s105, $s100, 2;\nst_group_align(4)_u32 $s1, [%%group][$s105];\nmemfence_screl_wg;\n"
               "%s;\nmemfence_scacq_wg;\nxor_b32 $s105, $s105, %u;\n"
               "ld_group_align(4)_u32 $s0, [%%group][$s105];\nbarrier;\n",
               mnemonic, 4 * random_below(&e->random, wave ? 64 : RANDOM_GROUP));
    execute_store(e, "$s0");
    return true;
}

/* All steps in the life of an fbarrier; MNEMONIC is one of them. */
static bool fbarrier(struct execute *e, const char *mnemonic)
{
    const char *join = begins(mnemonic, "joinfbar") ? mnemonic : "joinfbar";
    const char *wait = begins(mnemonic, "waitfbar") ? mnemonic : "waitfbar";
    const char *leave = begins(mnemonic, "leavefbar") ? mnemonic : "leavefbar";
    if (begins(mnemonic, "arrivefbar"))
        return false; /* handle_test tests it, with a producer and a consumer */
    random_put(&e->out, "cmp_eq_b1_u32 $c101, $s100, 0;\ncbr_b1 $c101, @i%u;\nbr @j%u;\n@i%u:\ninitfbar %%fb;\n@j%u:\n",
               (unsigned)e->out.used, (unsigned)e->out.used, (unsigned)e->out.used, (unsigned)e->out.used);
    random_put(&e->out,
               "barrier;\nldf_u32 $s106, %%fb;\n%s $s106;\nbarrier;\nshl_u32 $s105, $s100, 2;\n"
               "st_group_align(4)_u32 $s1, [%%group][$s105];\nmemfence_screl_wg;\n%s %%fb;\n"
               "memfence_scacq_wg;\nxor_b32 $s105, $s105, %u;\n"
               "ld_group_align(4)_u32 $s0, [%%group][$s105];\nbarrier;\n%s %%fb;\nbarrier;\n",
               join, wait, 4 * random_below(&e->random, RANDOM_GROUP), leave);
    unsigned label = (unsigned)e->out.used;
    random_put(&e->out, "cbr_b1 $c101, @r%u;\nbr @s%u;\n@r%u:\nreleasefbar %%fb;\n@s%u:\nbarrier;\n", label, label,
               label, label);
    execute_store(e, "$s0");
    return true;
}

static bool lanes(struct execute *e, const char *mnemonic)
{
    char type[16];
    if (begins(mnemonic, "activelaneid")) {
        random_put(&e->out, "%s $s0;\n", mnemonic);
        execute_store(e, "$s0");
    } else if (begins(mnemonic, "activelanecount")) {
        random_put(&e->out, "%s $s0, $c1;\n", mnemonic);
        execute_store(e, "$s0");
    } else if (begins(mnemonic, "activelanemask")) {
        random_put(&e->out, "%s ($d0, $d1, $d2, $d3), $c1;\n", mnemonic);
        for (unsigned i = 0; i < 4; i++)
            execute_store(e, (const char *[]){"$d0", "$d1", "$d2", "$d3"}[i]);
    } else {
        syntax_type(mnemonic, 1, type, sizeof type);
        char kind = type[1] == '1' ? type[2] ? 'q' : 'c' : type[1] == '3' ? 's' : 'd', name[16];
        random_put(&e->out, "%s $%c0, $%c1, $s%u, $%c2, $c3;\n", mnemonic, kind, kind, random_below(&e->random, 8),
                   kind);
        snprintf(name, sizeof name, "$%c0", kind);
        execute_store(e, name);
    }
    return true;
}

static bool allocate(struct execute *e, const char *mnemonic)
{
    random_put(&e->out,
               "and_b32 $s101, $s1, 60;\nadd_u32 $s101, $s101, 4;\n%s $s105, $s101;\n"
               "st_private_u32 $s2, [$s105];\nld_private_u32 $s0, [$s105];\n",
               mnemonic);
    execute_store(e, "$s0");
    return true;
}

/* Instructions that only name a destination, or also a dimension. */
static bool query(struct execute *e, const struct syntax_row *row, const char *mnemonic)
{
    char type[16], name[16];
    syntax_type(mnemonic, 1, type, sizeof type);
    char kind = strstr(type, "64") ? 'd' : 's';
    if (begins(mnemonic, "packetcompletionsig") || strcmp(row->operands, "d1") != 0)
        return false;
    random_put(&e->out, "%s $%c0;\n", mnemonic, kind);
    snprintf(name, sizeof name, "$%c0", kind);
    bool address = strstr(mnemonic, "baseptr") || strstr(mnemonic, "nullptr");
    if (!address)
        execute_store(e, name);
    else if (begins(mnemonic, "kernargbaseptr"))
        random_put(&e->out, "ld_kernarg_u64 $d1, [$d0+8];\nsub_u64 $d0, $d1, $d1;\n"), execute_store(e, name);
    else if (begins(mnemonic, "nullptr_private") || begins(mnemonic, "nullptr_group"))
        random_put(&e->out, "stof%s_u64_u32 $d1, $s0;\n", strchr(mnemonic, '_')[1] == 'g' ? "_group" : "_private"),
            execute_store(e, "$d1");
    return true;
}

bool execute_control(struct execute *e, const struct syntax_row *row, const char *mnemonic)
{
    if (begins(mnemonic, "cbr") || begins(mnemonic, "br") || begins(mnemonic, "sbr"))
        return branch(e, mnemonic);
    if (begins(mnemonic, "call") || begins(mnemonic, "scall") || begins(mnemonic, "icall"))
        return call(e, mnemonic);
    if (begins(mnemonic, "barrier") || begins(mnemonic, "wavebarrier"))
        return barrier(e, mnemonic);
    if (strstr(mnemonic, "fbar") || begins(mnemonic, "ldf"))
        return fbarrier(e, mnemonic);
    if (begins(mnemonic, "activelane"))
        return lanes(e, mnemonic);
    if (begins(mnemonic, "alloca"))
        return allocate(e, mnemonic);
    if (begins(mnemonic, "memfence") || begins(mnemonic, "nop")) {
        random_put(&e->out, "%s;\n", mnemonic);
        execute_store(e, "$s0");
        return true;
    }
    if (begins(mnemonic, "cleardetect") || begins(mnemonic, "setdetect") || begins(mnemonic, "debugtrap") ||
        begins(mnemonic, "imagefence") || strstr(mnemonic, "queue") || begins(mnemonic, "signal"))
        return false;
    return query(e, row, mnemonic);
}
