/* SPDX-License-Identifier: MIT */
/* Statements on values, and the frame of a kernel; see execute.h. Input: rows of syntax.def. Output: text. Invariant:
 * when a statement begins, registers 0 to 7 of each kind hold the input of its work-item. */
#include "testsuite/finalizer/random/execute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool execute_is_of_values(const struct syntax_row *row)
{
    static const char *const others[] = {"mov_{roimg", "mov_sig", "lda", "segmentp",    "ftos",         "stof",
                                         "activelane", "alloca",  "sbr", "cleardetect", "{cleardetect", "debugtrap"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strncmp(row->mnemonics, others[i], strlen(others[i])))
            return false;
    if (!strchr(row->operands, ' '))
        return false;
    for (const char *o = row->operands; *o; o++)
        if ((o == row->operands || o[-1] == ' ') && !strchr("dDsSmn", *o))
            return false;
    return true;
}

void execute_module(struct random_text *out)
{
    random_header(out);
    random_put(out, "align(64) readonly_u32 &ro[16] = u32[](");
    for (unsigned i = 0; i < 16; i++)
        random_put(out, "%s0x%x", i ? "," : "", 0x81726354u * (i + 1));
    random_put(out, ");\nfunction &twice(arg_u32 %%r)(arg_u32 %%x) { ld_arg_u32 $s0, [%%x]; shl_u32 $s0, $s0, 1; "
                    "st_arg_u32 $s0, [%%r]; };\nfunction &other(arg_u32 %%r)(arg_u32 %%x) { ld_arg_u32 $s0, [%%x]; "
                    "not_b32 $s0, $s0; st_arg_u32 $s0, [%%r]; };\n"
                    "function &copy(align(64) arg_u8 %%r[64])(align(64) arg_u8 %%x[64]) {\n");
    for (unsigned i = 0; i < 64; i += 16)
        random_put(out, "ld_arg_align(16)_b128 $q0, [%%x][%u];\nst_arg_align(16)_b128 $q0, [%%r][%u];\n", i, i);
    random_put(out, "};\n");
}

static void put_load(struct execute *e, char kind, unsigned number)
{
    switch (kind) {
    case 's': random_put(&e->out, "ld_global_align(4)_u32 $s%u, [$d100+%u];\n", number, 4 * number); break;
    case 'd': random_put(&e->out, "ld_global_align(8)_u64 $d%u, [$d100+%u];\n", number, 32 + 8 * number); break;
    case 'q': random_put(&e->out, "ld_global_align(16)_b128 $q%u, [$d100+%u];\n", number, 96 + 16 * number); break;
    default:
        random_put(&e->out, "ld_global_u8 $s101, [$d100+%u];\nand_b32 $s101, $s101, 1;\ncvt_b1_u32 $c%u, $s101;\n",
                   160 + number, number);
    }
}

void execute_begin(struct execute *e, const char *name)
{
    e->offset = 0;
    random_put(
        &e->out,
        "prog kernel %s(kernarg_u64 %%in, kernarg_u64 %%out, kernarg_u64 %%slots, kernarg_u64 %%shared)\n{\n"
        "align(64) private_u32 %%private[32];\nalign(64) spill_u32 %%spill[32];\nalign(64) group_u32 %%group[2048];\n"
        "fbarrier %%fb;\n"
        "workitemabsid_u32 $s100, 0;\ncvt_u64_u32 $d102, $s100;\nld_kernarg_u64 $d100, [%%in];\n"
        "ld_kernarg_u64 $d101, [%%out];\nld_kernarg_u64 $d103, [%%slots];\nld_kernarg_u64 $d104, [%%shared];\n"
        "mad_u64 $d100, $d102, %u, $d100;\nmad_u64 $d101, $d102, %u, $d101;\nmad_u64 $d103, $d102, %u, $d103;\n",
        name, RANDOM_IN, RANDOM_OUT, RANDOM_SLOT);
    for (unsigned i = 0; i < 8; i++) {
        put_load(e, 's', i);
        put_load(e, 'd', i);
        if (i < 4) {
            put_load(e, 'q', i);
            put_load(e, 'c', i);
        }
    }
}

void execute_store(struct execute *e, const char *name)
{
    unsigned number = (unsigned)strtoul(name + 2, NULL, 10);
    switch (name[1]) {
    case 's': random_put(&e->out, "st_global_align(4)_u32 $s%u, [$d101+%u];\n", number, e->offset); break;
    case 'd': random_put(&e->out, "st_global_align(8)_u64 $d%u, [$d101+%u];\n", number, e->offset); break;
    case 'q': random_put(&e->out, "st_global_align(16)_b128 $q%u, [$d101+%u];\n", number, e->offset); break;
    default:
        random_put(&e->out, "cvt_u32_b1 $s101, $c%u;\nst_global_align(4)_u32 $s101, [$d101+%u];\n", number, e->offset);
    }
    if (number < 8)
        put_load(e, name[1], number);
    e->offset += 16;
}

bool execute_statement(struct execute *e, const struct syntax_row *row, const char *mnemonic)
{
    char names[64], line[512], *end;
    size_t begin = e->out.used;
    if (!execute_is_of_values(row))
        return execute_other(e, row, mnemonic);
    random_operands(&e->random, mnemonic, row->operands, &e->out);
    snprintf(line, sizeof line, "%s", e->out.text + begin);
    char *destination = strpbrk(line, "$(");
    while (destination && *destination == '(' && destination[1] != '$') /* the parenthesis of a modifier */
        destination = strpbrk(destination + 1, "$(");
    if (!destination)
        return false;
    bool vector = *destination == '(';
    snprintf(names, sizeof names, "%.*s", (int)strcspn(destination + vector, vector ? ")" : ",;"),
             destination + vector);
    for (char *name = strtok_r(names, ", ", &end); name; name = strtok_r(NULL, ", ", &end))
        execute_store(e, name);
    return true;
}
