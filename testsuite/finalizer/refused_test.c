/* SPDX-License-Identifier: MIT */
/* What the finalizer refuses (finalizer/failure.def), message by message: valid modules that it refuses because of a
 * limit or a processor, and for every other message why no valid module gets it. doc/decisions/refusals.md has the
 * reasons. */
#include "hsail/finalize.h"
#include "hsail/hsail.h"
#include "testsuite/tap.h"

#include <stdio.h>
#include <string.h>

#define HEAD "module &m:1:2:$full:$large:$near;\n"
#define KERNEL(directives, body) HEAD "prog kernel &k(kernarg_u64 %p)\n{\n" directives body "\n};\n"
#define IMAGE(format, size)                                                                                      \
    HEAD "extension \"IMAGE\";\nprog alloc(agent) global_roimg &i = roimg(geometry = 2d, width = " size          \
         ", height = " size ", " format ");\nprog kernel &k() {\n};\n"
#define SMALL(body) "module &m:1:2:$full:$small:$near;\n" body

/* Valid modules that are refused. */
static const struct {
    const char *id, *target, *text;
} refused[] = {
    {"extension-unsupported", "gfx900", HEAD "extension \"xyz:max\";\nprog kernel &k() {\n};\n"},
    {"break-unsupported", "gfx1200", KERNEL("enablebreakexceptions 1;\n", "add_f32 $s0, $s0, $s1;")},
    {"variable-size", "gfx900", HEAD "prog global_u8 &v[2199023255552];\nprog kernel &k() {\n};\n"},
    {"group-size", "gfx900", KERNEL("group_u8 %g[65537];\n", "lda_group_u32 $s0, [%g];")},
    {"private-size", "gfx900", HEAD "private_u8 &v[1048577];\nprog kernel &k() {\nlda_private_u32 $s0, [&v];\n};\n"},
    {"local-size", "gfx900", KERNEL("private_u8 %v[67108864];\n", "lda_private_u32 $s0, [%v];")},
    {"frame-size", "gfx900",
     KERNEL("private_u8 %v[200000];\n", "workitemid_u32 $s0, 0; st_private_u8 $s0, [%v][$s0]; barrier;\n"
                                        "ld_private_u8 $s1, [%v][$s0+1]; ld_kernarg_u64 $d0, [%p];\n"
                                        "st_global_u32 $s1, [$d0];")},
    {"initializer-address", "gfx900",
     SMALL("prog global_u32 &v;\nprog global_u32 &p = addr(&v);\nprog kernel &k() {\n};\n")},
    {"image-initializer-target", "gfx1030", IMAGE("channel_type = float, channel_order = r", "4")},
    {"image-initializer-format", "gfx900", IMAGE("channel_type = float, channel_order = rx", "4")},
    {"image-initializer-size", "gfx900", IMAGE("channel_type = float, channel_order = r", "16385")},
    {"instruction-unsupported", "gfx900",
     HEAD "extension \"amd:gcn\";\nprog kernel &k() {\namd_gcn_region_alloc 4;\n};\n"},
    {"instruction-unsupported", "gfx700", KERNEL("enabledetectexceptions 1;\n", "add_f16 $s0, $s0, $s1;")},
    {"small-address", "gfx900", SMALL("prog global_u32 &v;\nprog kernel &k() {\nlda_global_u32 $s0, [&v];\n};\n")},
    {"flat-target", "gfx600", KERNEL("", "ld_u32 $s0, [$d0];")},
    {"image-target", "gfx1030",
     HEAD "extension \"IMAGE\";\nprog kernel &k(kernarg_roimg %i) {\nld_kernarg_roimg $d0, [%i];\n"
          "queryimage_2d_width_u32_roimg $s0, $d0;\n};\n"},
};

/* Bodies of kernels that enable exceptions and are finalized for every generation, although older ones need other
 * instructions for them. */
static const char *const finalized[] = {
    "cvt_s32_f16 $s0, $s1;",           "cvt_sneari_s32_f16 $s0, $s1;",  "cvt_upi_s64_f64 $d0, $d1;",
    "cvt_zeroi_sat_u32_f64 $s0, $d1;", "cmp_slt_b1_f16 $c0, $s0, $s1;", "cmp_sge_b1_f64 $c0, $d0, $d1;"};

enum why { INVALID, CALLER, MODULES, SYSTEM, REMARK };
static const char *const reasons[] = {
    [INVALID] = "only a module that is not valid gets it",
    [CALLER] = "it is about what the caller asks for",
    [MODULES] = "the PRM wants an error for modules, symbols or directives that do not fit each other or the agent",
    [SYSTEM] = "memory, LLVM or the process of the compiler fails",
    [REMARK] = "it comes with a code object",
};

static const struct {
    const char *prefix;
    enum why why;
} others[] = {
    {"argument-missing", CALLER},
    {"module-bytes", CALLER},
    {"target-", CALLER},
    {"option-unknown", CALLER},
    {"file-", CALLER},
    {"module-", MODULES},
    {"rounding-unsupported", MODULES},
    {"symbol-declared", MODULES},
    {"symbol-defined", MODULES},
    {"function-undefined", MODULES},
    {"variable-undefined", MODULES},
    {"directive-contradiction", MODULES},
    {"source-unsupported", INVALID},
    {"initializer-unsupported", INVALID},
    {"initializer-size", INVALID},
    {"address-constant", INVALID},
    {"image-coordinates", INVALID},
    {"image-texel", INVALID},
    {"opcode-unknown", INVALID},
    {"operand", INVALID},
    {"symbol-", INVALID},
    {"branch-target", INVALID},
    {"sbr-empty", INVALID},
    {"scall-empty", INVALID},
    {"call-", INVALID},
    {"out-of-memory", SYSTEM},
    {"llvm", SYSTEM},
    {"compiler-", SYSTEM},
    {"worker-", SYSTEM},
    {"link-", SYSTEM},
    {"function-long", REMARK},
    {"function-irregular", REMARK},
    {"retried-", REMARK},
};

static const char *const ids[] = {
#define MESSAGE(name, id, status, text) id,
#include "finalizer/failure.def"
#undef MESSAGE
};

static void keep_id(void *user, const hsail_diagnostic_t *d)
{
    snprintf(user, 256, "%s: %s", d->id, d->message);
}

/* Finalizes TEXT; FOUND tells what became of it. */
static void finalize_text(const char *text, const char *target, char found[256])
{
    hsail_context_t *context = NULL;
    hsail_module_t *module = NULL;
    void *code = NULL;
    size_t size;
    snprintf(found, 256, "is not valid");
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return;
    if (hsail_assemble(context, "test.hsail", text, strlen(text), 0, &module) == HSAIL_STATUS_OK) {
        hsail_finalize_module_t input = {hsail_module_data(module), hsail_module_size(module), NULL};
        snprintf(found, 256, "is finalized");
        (void)!hsail_finalize(&input, 1, target, NULL, keep_id, found, &code, &size);
        hsail_finalize_free(code);
    }
    hsail_module_destroy(module);
    hsail_context_destroy(context);
}

static void check_refused(size_t i)
{
    char found[256];
    size_t length = strlen(refused[i].id);
    finalize_text(refused[i].text, refused[i].target, found);
    ok(!strncmp(found, refused[i].id, length) && found[length] == ':', "%s on %s: %s", refused[i].id, refused[i].target,
       found);
}

static void check_finalized(const char *body)
{
    static const char *const targets[] = {"gfx600", "gfx700", "gfx803", "gfx900", "gfx1010", "gfx1100", "gfx1200"};
    char text[512], found[256] = "is finalized";
    const char *target = "";
    snprintf(text, sizeof text, HEAD "prog kernel &k()\n{\nenabledetectexceptions 31;\n%s\n};\n", body);
    for (size_t i = 0; i < sizeof targets / sizeof *targets && !strcmp(found, "is finalized"); i++)
        finalize_text(text, target = targets[i], found);
    ok(!strcmp(found, "is finalized"), "%s with exceptions, last on %s: %s", body, target, found);
}

static const char *reason_of(const char *id)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (!strcmp(refused[i].id, id))
            return "a valid module gets it, see above";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strncmp(others[i].prefix, id, strlen(others[i].prefix)))
            return reasons[others[i].why];
    return NULL;
}

int main(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        check_refused(i);
    for (size_t i = 0; i < sizeof finalized / sizeof *finalized; i++)
        check_finalized(finalized[i]);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        const char *reason = reason_of(ids[i]);
        ok(reason, "%s: %s", ids[i], reason ? reason : "nobody knows who gets it");
    }
    return tap_done();
}
