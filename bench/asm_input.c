/* SPDX-License-Identifier: MIT */
/* The texts that asm_bench assembles; see asm_input.h.
 * Input: how much. Output: new text at each call. Invariant: the same arguments give the same text. */
#include "bench/asm_input.h"

#define HEADER "module &bench:1:0:$full:$large:$near;\n"
#define HEADER_1_2 "module &bench:1:2:$full:$large:$near;\n"

/* ---- Ordinary code --------------------------------------------------------------------------------- */

/* One kernel of 61 lines. Its names differ from those of other kernels. */
static const char kernel[] =
    "prog kernel &kernel_%u(\n"
    "\tkernarg_u64 %%in_%u,\n"
    "\tkernarg_u64 %%out_%u,\n"
    "\tkernarg_u32 %%count)\n"
    "{\n"
    "\tprivate_u32 %%stack[16];\n"
    "\t// the index of this work-item\n"
    "\tworkitemabsid_u32 $s0, 0;\n"
    "\tcvt_u64_u32 $d0, $s0;\n"
    "\tld_kernarg_align(8)_width(all)_u64 $d1, [%%in_%u];\n"
    "\tld_kernarg_align(8)_width(all)_u64 $d2, [%%out_%u];\n"
    "\tld_kernarg_align(4)_width(all)_u32 $s1, [%%count];\n"
    "\tcmp_ge_b1_u32 $c0, $s0, $s1;\n"
    "\tcbr_b1 $c0, @end_%u;\n"
    "\tshl_u64 $d3, $d0, 2;\n"
    "\tadd_u64 $d1, $d1, $d3;\n"
    "\tadd_u64 $d2, $d2, $d3;\n"
    "\tmov_b32 $s2, 0;\n"
    "\tmov_b32 $s3, %u;\n"
    "@loop_%u:\n"
    "\tld_global_align(4)_u32 $s4, [$d1];\n"
    "\tld_global_align(4)_f32 $s5, [$d1+4];\n"
    "\tld_v2_global_align(8)_f32 ($s6, $s7), [$d1+8];\n"
    "\tfma_f32 $s5, $s5, $s6, $s7;\n"
    "\tadd_ftz_f32 $s6, $s5, 0f3f8%05x;\n"
    "\tmul_f32 $s7, $s6, 1.5f;\n"
    "\tmax_f32 $s8, $s7, $s5;\n"
    "\tsqrt_f32 $s8, $s8;\n"
    "\tcvt_zeroi_sat_u32_f32 $s9, $s8;\n"
    "\tand_b32 $s9, $s9, 15;\n"
    "\tshl_u32 $s10, $s9, 2;\n"
    "\tst_private_align(4)_u32 $s4, [%%stack][$s10];\n"
    "\tld_private_align(4)_u32 $s11, [%%stack][$s10];\n"
    "\txor_b32 $s11, $s11, %u;\n"
    "\tbitextract_u32 $s12, $s11, 3, 8;\n"
    "\tpopcount_u32_b32 $s13, $s12;\n"
    "\tmad_u32 $s2, $s13, 3, $s2;\n"
    "\tcmov_b32 $s2, $c0, $s2, $s11;\n"
    "\tatomic_add_global_scar_agent_u32 $s14, [$d2], $s13;\n"
    "\tatomicnoret_max_global_rlx_system_u32 [$d2+8], $s14;\n"
    "\tadd_pp_u8x4 $s15, $s14, $s13;\n"
    "\tcombine_v2_b64_b32 $d8, ($s14, $s15);\n"
    "\tst_global_align(8)_u64 $d8, [$d2+16];\n"
    "\t{\n"
    "\t\targ_u32 %%x;\n"
    "\t\targ_u32 %%y;\n"
    "\t\tst_arg_align(4)_u32 $s13, [%%x];\n"
    "\t\tcall &callee (%%y) (%%x);\n"
    "\t\tld_arg_align(4)_u32 $s13, [%%y];\n"
    "\t}\n"
    "\tmemfence_screl_agent;\n"
    "\tadd_u32 $s3, $s3, 0xffffffff;\n"
    "\tcmp_ne_b1_s32 $c0, $s3, 0;\n"
    "\tcbr_b1 $c0, @loop_%u;\n"
    "\tst_global_align(4)_u32 $s2, [$d2];\n"
    "@end_%u:\n"
    "\tbarrier;\n"
    "\tret;\n"
    "};\n"
    "global_u32 &variable_%u = %u;\n"
    "\n";
#define KERNEL_LINES 61u

void make_mixed(struct textbuf *text, unsigned lines)
{
    textbuf_puts(text, HEADER "function &callee(arg_u32 %y)(arg_u32 %x)\n{\n\tld_arg_u32 $s0, [%x];\n"
                              "\tst_arg_u32 $s0, [%y];\n};\n");
    for (unsigned i = 0; i * KERNEL_LINES < lines; i++)
        textbuf_printf(text, kernel, i, i, i, i, i, i, i, i, i & 0xfffff, i, i, i, i, i);
}

/* Similar code for x86: a function of 30 lines. */
static const char function[] =
    "\t.globl function_%u\n"
    "function_%u:\n"
    "\t# the index of this iteration\n"
    "\tpushq %%rbp\n"
    "\tmovq %%rsp, %%rbp\n"
    "\tsubq $64, %%rsp\n"
    "\tmovl %%edi, %%eax\n"
    "\tcmpl %%esi, %%eax\n"
    "\tjge .Lend_%u\n"
    "\tshlq $2, %%rax\n"
    "\taddq %%rax, %%rdi\n"
    "\tmovl $%u, %%ecx\n"
    ".Lloop_%u:\n"
    "\tmovl (%%rdi), %%edx\n"
    "\tmovss 4(%%rdi), %%xmm0\n"
    "\tmovups 8(%%rdi,%%rax,4), %%xmm1\n"
    "\taddss %%xmm1, %%xmm0\n"
    "\tsqrtss %%xmm0, %%xmm2\n"
    "\tcvttss2si %%xmm2, %%r8d\n"
    "\tandl $15, %%r8d\n"
    "\tmovl %%edx, -64(%%rbp,%%r8,4)\n"
    "\tlock addl %%edx, variable_%u(%%rip)\n"
    "\tcall function_0\n"
    "\tdecl %%ecx\n"
    "\tjne .Lloop_%u\n"
    ".Lend_%u:\n"
    "\tleave\n"
    "\tret\n"
    "variable_%u:\n"
    "\t.long %u\n";
#define FUNCTION_LINES 30u

void make_x86(struct textbuf *text, unsigned lines)
{
    for (unsigned i = 0; i * FUNCTION_LINES < lines; i++)
        textbuf_printf(text, function, i, i, i, i, i, i, i, i, i, i);
}

/* ---- Much of one thing ----------------------------------------------------------------------------- */

/* A number below COUNT for each I, so that names are used in another order than they are defined in. */
static unsigned mixed(unsigned i, unsigned count)
{
    return (unsigned)((i * UINT64_C(7919) + 1) % count);
}

static void labels(struct textbuf *text, unsigned count)
{
    textbuf_puts(text, HEADER "kernel &k()\n{\n");
    for (unsigned i = 0; i < count; i++)
        textbuf_printf(text, "@label_%u:\n\tbr @label_%u;\n", i, mixed(i, count));
    textbuf_puts(text, "};\n");
}

static void globals(struct textbuf *text, unsigned count)
{
    textbuf_puts(text, HEADER);
    for (unsigned i = 0; i < count; i++)
        textbuf_printf(text, "global_u32 &variable_%u = %u;\n", i, i);
}

static void functions(struct textbuf *text, unsigned count)
{
    textbuf_puts(text, HEADER);
    for (unsigned i = 0; i < count; i++)
        textbuf_printf(text, "decl function &f%u()();\n", i);
    for (unsigned i = 0; i < count; i++)
        textbuf_printf(text, "function &f%u()()\n{\n\t{\n\t\tcall &f%u ()();\n\t}\n};\n", i, mixed(i, count));
}

static void targets(struct textbuf *text, unsigned count)
{
    textbuf_puts(text, HEADER "kernel &k()\n{\n\tsbr_u32 $s0 [@label_0");
    for (unsigned i = 1; i < count; i++)
        textbuf_printf(text, ", @label_%u", mixed(i, count));
    textbuf_puts(text, "];\n");
    for (unsigned i = 0; i < count; i++)
        textbuf_printf(text, "@label_%u:\n", i);
    textbuf_puts(text, "};\n");
}

static void arg_blocks(struct textbuf *text, unsigned count)
{
    textbuf_puts(text, HEADER "function &f()(arg_u32 %x)\n{\n};\nkernel &k()\n{\n");
    for (unsigned i = 0; i < count; i++)
        textbuf_puts(text, "\t{\n\t\targ_u32 %x;\n\t\tst_arg_u32 0, [%x];\n\t\tcall &f ()(%x);\n\t}\n");
    textbuf_puts(text, "};\n");
}

static void elements(struct textbuf *text, unsigned count)
{
    textbuf_printf(text, HEADER "global_u32 &x[%u] = u32[](0", count);
    for (unsigned i = 1; i < count; i++)
        textbuf_printf(text, ", %u", i);
    textbuf_puts(text, ");\n");
}

static void extensions(struct textbuf *text, unsigned count)
{
    textbuf_puts(text, HEADER);
    for (unsigned i = 0; i < count; i++)
        textbuf_printf(text, "extension \"vendor:%u\";\n", i);
}

static void string(struct textbuf *text, unsigned count)
{
    textbuf_puts(text, HEADER "pragma \"");
    textbuf_fill(text, 'x', count);
    textbuf_puts(text, "\";\n");
}

static void sparse(struct textbuf *text, unsigned count)
{
    textbuf_printf(text, HEADER "global_u8 &x[%u];\n", count);
}

static void sparse_value(struct textbuf *text, unsigned count)
{
    textbuf_printf(text, HEADER_1_2 "global_b8 &x[%u] = {u8(1), zero(%u)};\n", count, count - 1);
}

static void one_line(struct textbuf *text, unsigned count)
{
    textbuf_puts(text, HEADER "kernel &k() { ");
    while (text->size < count && !text->failed)
        textbuf_puts(text, "add_u32 $s0, $s0, 1; ");
    textbuf_puts(text, "};\n");
}

static void errors(struct textbuf *text, unsigned count)
{
    textbuf_puts(text, HEADER "kernel &k()\n{\n");
    while (count--)
        textbuf_puts(text, "\tadd_u32 $d0, $s0, 1;\n");
    textbuf_puts(text, "};\n");
}

static void calls_differ(struct textbuf *text, unsigned count)
{
    textbuf_puts(text, HEADER "function &f()()\n{\n};\nfunction &g()(arg_u32 %x)\n{\n};\nkernel &k()\n{\n"
                              "\t{\n\t\tscall_u32 $s0 ()() [&f");
    while (count--)
        textbuf_puts(text, ", &g");
    textbuf_puts(text, "];\n\t}\n};\n");
}

static void blocks(struct textbuf *text, unsigned count)
{
    textbuf_puts(text, HEADER "kernel &k()\n");
    textbuf_fill(text, '{', count);
    textbuf_fill(text, '}', count);
    textbuf_puts(text, ";\n");
}

static void parentheses(struct textbuf *text, unsigned count)
{
    textbuf_puts(text, HEADER "global_u32 &x = ");
    textbuf_fill(text, '(', count);
    textbuf_fill(text, ')', count);
    textbuf_puts(text, ";\n");
}

const struct asm_case asm_cases[] = {
    {"labels and branches", labels, 1000000, true},
    {"variables", globals, 1000000, true},
    {"functions that call each other", functions, 100000, true},
    {"targets of one sbr", targets, 100000, true},
    {"arg blocks", arg_blocks, 100000, true},
    {"elements of an array", elements, 1000000, true},
    {"extensions", extensions, 100000, true},
    {"bytes of a string", string, 8000000, true},
    {"bytes of a sparse array", sparse, 1073741824, true},
    {"bytes of a sparse initializer", sparse_value, 1073741824, true},
    {"bytes of one line", one_line, 100000000, true},
    {"errors", errors, 1000000, false},
    {"errors in one statement", calls_differ, 50000, false},
    {"nested blocks, refused", blocks, 100000, false},
    {"nested parentheses, refused", parentheses, 100000, false},
    {0},
};
