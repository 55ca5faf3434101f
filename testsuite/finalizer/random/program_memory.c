/* SPDX-License-Identifier: MIT */
/* Memory, other work-items, functions (PRM chapters 6, 9, 10); see random_program.h. Input: random numbers. Output:
 * text. Invariant: no two work-items write the same place, except by atomic operations whose order does not matter and
 * whose result is not used. */
#include "testsuite/finalizer/random/random_program.h"

#include <string.h>

enum { ARRAY = 16 }; /* words of a variable */

void random_variables(struct random_text *out)
{
    random_put(out, "private_u32 %%private[%u];\nspill_u32 %%spill[%u];\ngroup_u32 %%group[%u];\n", ARRAY, ARRAY,
               RANDOM_GROUP);
}

/* ---- Loads, stores and atomics --------------------------------------------------------------------- */

static void put_array(struct program *p)
{
    struct random *r = p->random;
    const char *segment = random_chance(r, 60) ? "private" : "spill";
    unsigned value = random_below(r, 8);
    bool dynamic = random_chance(r, 60);
    if (dynamic) {
        random_put(p->out, "ld_global_u8 $s102, [$d100+%u];\n", random_below(r, RANDOM_IN));
        random_put(p->out, "and_b32 $s102, $s102, %u;\nshl_u32 $s102, $s102, 2;\n", ARRAY - 1);
    }
    for (unsigned i = 0; i < 2; i++) {
        bool stores = i ? random_chance(r, 20) : random_chance(r, 80);
        random_put(p->out, "%s_%s_%s $s%u, [%%%s]", stores ? "st" : "ld", segment,
                   stores || random_chance(r, 60) ? "align(4)_u32" : "s16", value, segment);
        if (dynamic)
            random_put(p->out, "[$s102];\n");
        else
            random_put(p->out, "[%u];\n", 4 * random_below(r, ARRAY));
        value = random_below(r, 8);
    }
}

static void put_vector(struct program *p)
{
    static const char *const types[] = {"u8", "s8", "u16", "s16", "u32", "f16", "f32", "u64", "f64"};
    struct random *r = p->random;
    unsigned count = 2 + random_below(r, 3), first = random_below(r, 8), type = random_below(r, 9);
    char kind = type >= 7 ? 'd' : 's';
    bool stores = random_chance(r, 40);
    random_put(p->out, "%s_v%u_global_%s (", stores ? "st" : "ld", count, types[type]);
    for (unsigned i = 0; i < count; i++)
        random_put(p->out, "%s$%c%u", i ? ", " : "", kind, (first + i) % 8);
    if (stores)
        random_put(p->out, "), [$d101+%u];\n", 176 + random_below(r, 48));
    else
        random_put(p->out, "), [$d%u+%u];\n", 100 + random_below(r, 2), random_below(r, RANDOM_IN - 32));
}

static const char *type_for(struct random *r, const char *operation, bool wide)
{
    bool bits = strstr("and or xor exch cas ld st", operation);
    bool unsigned_only = !strncmp(operation, "wrap", 4);
    const char *narrow = bits ? "b32" : unsigned_only || random_chance(r, 50) ? "u32" : "s32";
    return !wide ? narrow : *narrow == 'b' ? "b64" : *narrow == 'u' ? "u64" : "s64";
}

/* An atomic operation on the work-item's own slot, whose result may be kept. */
static void put_own_atomic(struct program *p)
{
    static const char *const operations[] = {
        "ld", "and", "or", "xor", "exch", "add", "sub", "max", "min", "wrapinc", "wrapdec", "cas"};
    static const char *const scopes[] = {"wave", "wg", "agent", "system"};
    static const char *const orders[] = {"rlx", "scacq", "screl", "scar"};
    struct random *r = p->random;
    const char *operation = operations[random_below(r, 12)];
    bool wide = random_chance(r, 40), loads = !strcmp(operation, "ld");
    char kind = wide ? 'd' : 's';
    random_put(p->out, "atomic_%s_%s%s_%s_%s $%c%u, [$d103+%u]", operation, random_chance(r, 50) ? "global_" : "",
               orders[random_below(r, loads ? 2 : 4)], scopes[random_below(r, 4)], type_for(r, operation, wide), kind,
               random_below(r, 8), 8 * random_below(r, RANDOM_SLOT / 8));
    for (unsigned i = loads ? 0 : !strcmp(operation, "cas") ? 2 : 1; i; i--)
        random_put(p->out, ", $%c%u", kind, random_below(r, 8));
    random_put(p->out, ";\n");
}

/* An atomic operation on a word that all work-items share. The order does not matter, as each word has one operation.
 */
static void put_shared_atomic(struct program *p)
{
    static const char *const operations[] = {"add_u32", "and_b32", "or_b32",  "xor_b32", "max_u32", "min_s32",
                                             "max_s32", "min_u32", "add_u64", "max_s64", "or_b64"};
    struct random *r = p->random;
    unsigned which = random_below(r, 11);
    char kind = which < 8 ? 's' : 'd';
    char operation[16];
    strcpy(operation, operations[which]);
    char *type = strchr(operation, '_');
    *type++ = '\0';
    random_put(p->out, "atomicnoret_%s_global_rlx_agent_%s [$d104+%u], $%c%u;\n", operation, type,
               which < 8 ? 4 * which : 32 + 8 * (which - 8), kind, random_below(r, 8));
}

/* A flat address of private or group memory. */
static void put_flat(struct program *p)
{
    struct random *r = p->random;
    bool group = random_chance(r, 40) && !p->in_function;
    unsigned value = random_below(r, 8), other = random_below(r, 8);
    random_put(p->out,
               group ? "shl_u32 $s102, $s100, 2;\nlda_group_u32 $s102, [%%group][$s102];\n"
                       "stof_group%s_u64_u32 $d110, $s102;\n"
                     : "lda_private_u32 $s102, [%%private][8];\nstof_private%s_u64_u32 $d110, $s102;\n",
               random_chance(r, 50) ? "_nonull" : "");
    random_put(p->out, "st_align(4)_u32 $s%u, [$d110];\n", value);
    if (random_chance(r, 50))
        random_put(p->out, "atomic_add_rlx_wg_u32 $s%u, [$d110], $s%u;\n", other, value);
    if (random_chance(r, 30))
        random_put(p->out, "segmentp_%s_b1_u64 $c%u, $d110;\n", group ? "group" : "private", random_below(r, 4));
    random_put(p->out, "ftos_%s_u32_u64 $s103, $d110;\nld_%s_align(4)_u32 $s%u, [$s103];\n",
               group ? "group" : "private", group ? "group" : "private", other);
}

void random_memory(struct program *p)
{
    switch (random_below(p->random, p->in_function ? 2 : 6)) {
    case 0: put_array(p); break;
    case 1: put_flat(p); break;
    case 2: put_vector(p); break;
    case 3: put_shared_atomic(p); break;
    default: put_own_atomic(p);
    }
}

/* ---- Other lanes ----------------------------------------------------------------------------------- */

/* Each work-item writes its own word, all wait, each reads the word of another, all wait. */
static void put_exchange(struct program *p)
{
    struct random *r = p->random;
    random_put(p->out, "shl_u32 $s102, $s100, 2;\nst_group_align(4)_u32 $s%u, [%%group][$s102];\n", random_below(r, 8));
    random_put(p->out, "memfence_screl_wg;\nbarrier;\nmemfence_scacq_wg;\n");
    random_put(p->out, "xor_b32 $s102, $s102, %u;\nld_group_align(4)_u32 $s%u, [%%group][$s102];\n",
               4 * random_below(r, RANDOM_GROUP), random_below(r, 8));
    random_put(p->out, "memfence_screl_wg;\nbarrier;\nmemfence_scacq_wg;\n");
}

void random_lanes(struct program *p)
{
    struct random *r = p->random;
    unsigned to = random_below(r, 8), from = random_below(r, 8);
    switch (random_below(r, 6)) {
    case 0: put_exchange(p); break;
    case 1: random_put(p->out, "activelaneid_u32 $s%u;\n", to); break;
    case 2: random_put(p->out, "activelanecount_u32_b1 $s%u, $c%u;\n", to, from / 2); break;
    case 3:
        random_put(p->out, "activelanemask_v4_b64_b1 ($d%u, $d%u, $d%u, $d%u), $c%u;\n", to, (to + 1) % 8, (to + 2) % 8,
                   (to + 3) % 8, from / 2);
        break;
    default: {
        static const char *const types[] = {"b1", "b32", "b64", "b128"};
        unsigned type = random_below(r, 4), modulo = type == 0 || type == 3 ? 4 : 8;
        char kind = "csdq"[type];
        random_put(p->out, "ld_global_u8 $s102, [$d100+%u];\n", random_below(r, RANDOM_IN));
        random_put(p->out, "activelanepermute_%s $%c%u, $%c%u, $s102, $%c%u, %s;\n", types[type], kind, to % modulo,
                   kind, from % modulo, kind, random_below(r, modulo),
                   random_chance(r, 30)   ? "$c2"
                   : random_chance(r, 20) ? "1"
                                          : "0");
    }
    }
}

/* ---- Functions ------------------------------------------------------------------------------------- */

static void put_function(struct program *p)
{
    struct program body = *p;
    struct random *r = p->random;
    random_put(p->out, "function %s_f%u(arg_u32 %%r)(arg_u32 %%a, arg_u64 %%b)\n{\n", p->name, p->functions);
    random_put(p->out, "private_u32 %%private[%u];\nspill_u32 %%spill[%u];\n", ARRAY, ARRAY);
    random_put(p->out, "ld_arg_u32 $s0, [%%a];\nld_arg_u64 $d0, [%%b];\n");
    for (unsigned i = 1; i < 8; i++)
        random_put(p->out, "%s_b32 $s%u, $s0, %u;\n%s_b64 $d%u, $d0, %u;\n", i & 1 ? "xor" : "or", i,
                   random_below(r, 9999), i & 1 ? "or" : "xor", i, random_below(r, 9999));
    for (unsigned i = 0; i < 4; i++)
        random_put(p->out, "combine_v2_b128_b64 $q%u, ($d%u, $d%u);\ncmp_lt_b1_u32 $c%u, $s%u, $s%u;\n", i, i, 7 - i, i,
                   i, 7 - i);
    body.in_function = true;
    body.divergent = 1;
    body.kind = RANDOM_CALLS;
    body.calls = p->functions ? 11 : 99; /* a function has at most one call, of an earlier function */
    for (unsigned i = 3 + random_below(r, 6); i; i--) {
        char mnemonic[96];
        size_t begin = p->out->used;
        const char *operands = random_mnemonic(r, mnemonic, sizeof mnemonic);
        if (random_chance(r, 20) && body.calls < 12)
            random_call(&body);
        else if (random_chance(r, 20))
            random_memory(&body);
        else
            random_operands(r, mnemonic, operands, p->out);
        random_leave_out(p->out, begin);
    }
    random_put(p->out, "xor_b32 $s0, $s0, $s%u;\nst_arg_u32 $s0, [%%r];\n", random_below(r, 8));
    random_put(p->out, "};\n");
}

void random_functions(struct program *p)
{
    for (unsigned count = 1 + random_below(p->random, 3); count; count--) {
        put_function(p);
        p->functions++;
    }
}

void random_call(struct program *p)
{
    struct random *r = p->random;
    unsigned target = random_below(r, p->functions), other = random_below(r, p->functions);
    random_put(p->out, "{\narg_u32 %%x;\narg_u32 %%y;\narg_u64 %%z;\n");
    random_put(p->out, "st_arg_u32 $s%u, [%%y];\nst_arg_u64 $d%u, [%%z];\n", random_below(r, 8), random_below(r, 8));
    if (random_chance(r, 30))
        random_put(p->out, "and_b32 $s103, $s%u, 1;\nscall_u32 $s103 (%%x)(%%y, %%z)[%s_f%u, %s_f%u];\n",
                   random_below(r, 8), p->name, target, p->name, other);
    else
        random_put(p->out, "call %s_f%u (%%x)(%%y, %%z);\n", p->name, target);
    random_put(p->out, "ld_arg_u32 $s%u, [%%x];\n}\n", random_below(r, 8));
    p->calls++;
}
