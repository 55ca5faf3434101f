/* SPDX-License-Identifier: MIT */
/* Makes whole kernels; see random.h. Input: random numbers. Output: text. Invariant: each kernel reads its work-item's
 * part of the input at $d100, writes its part of the output at $d101, has the numbers of control flow in $s100 to
 * $s111, and stores the registers that hold values at the end. */
#include "testsuite/finalizer/random/random_program.h"

/* Loads or stores all value registers but the control ones, at the address in register BASE. */
static void put_value_registers(struct random_text *out, const char *operation, unsigned base)
{
    for (unsigned i = 0; i < 8; i++)
        random_put(out, "%s_global_align(4)_u32 $s%u, [$d%u+%u];\n", operation, i, base, 4 * i);
    for (unsigned i = 0; i < 8; i++)
        random_put(out, "%s_global_align(8)_u64 $d%u, [$d%u+%u];\n", operation, i, base, 32 + 8 * i);
    for (unsigned i = 0; i < 4; i++)
        random_put(out, "%s_global_align(16)_b128 $q%u, [$d%u+%u];\n", operation, i, base, 96 + 16 * i);
}

static void put_prologue(struct random *r, const char *name, struct random_text *out)
{
    random_put(out,
               "prog kernel %s(kernarg_u64 %%in, kernarg_u64 %%out, kernarg_u64 %%slots, kernarg_u64 %%shared)\n{\n",
               name);
    random_variables(out);
    random_put(out, "workitemabsid_u32 $s100, 0;\ncvt_u64_u32 $d102, $s100;\n"
                    "ld_kernarg_u64 $d100, [%%in];\nld_kernarg_u64 $d101, [%%out];\n"
                    "ld_kernarg_u64 $d103, [%%slots];\nld_kernarg_u64 $d104, [%%shared];\n");
    random_put(out,
               "mad_u64 $d100, $d102, %u, $d100;\nmad_u64 $d101, $d102, %u, $d101;\n"
               "mad_u64 $d103, $d102, %u, $d103;\n",
               RANDOM_IN, RANDOM_OUT, RANDOM_SLOT);
    put_value_registers(out, "ld", 100);
    for (unsigned i = 0; i < 4; i++)
        random_put(out, "mov_b1 $c%u, %u;\n", i, random_below(r, 2));
}

static void put_epilogue(struct random_text *out)
{
    put_value_registers(out, "st", 101);
    for (unsigned i = 0; i < 4; i++)
        random_put(out, "cvt_u32_b1 $s100, $c%u;\nst_global_align(4)_u32 $s100, [$d101+%u];\n", i, 160 + 4 * i);
    random_put(out, "};\n");
}

void random_kernel(struct random *r, enum random_kind kind, unsigned length, const char *name, struct random_text *out)
{
    struct program p = {.random = r, .out = out, .kind = kind, .name = name, .left = (int)length};
    if (kind == RANDOM_CALLS)
        random_functions(&p);
    put_prologue(r, name, out);
    while (p.left > 0)
        random_block(&p, 0);
    put_epilogue(out);
}
