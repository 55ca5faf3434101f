/* SPDX-License-Identifier: MIT */
/* Tests the table of AMD's processors: looking rows up, and parsing target ids. With the argument "list" it prints the
 * rows instead, and amdgpu.sh compares them with LLVM. */
#include "support/amdgpu.h"
#include "testsuite/tap.h"

#include <string.h>

static const char *canonical(const char *name)
{
    static char text[AMDGPU_NAME_SIZE];
    struct amdgpu_target target;
    if (!amdgpu_target_parse(name, strlen(name), &target))
        return "refused";
    amdgpu_target_name(&target, text);
    return text + strlen("amdgcn-amd-amdhsa--");
}

static void names_are_read(void)
{
    static const char *const cases[][2] = {
        {"amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", "gfx90a:sramecc+:xnack-"},
        {"gfx90a:xnack-:sramecc+", "gfx90a:sramecc+:xnack-"},
        {"AMD:AMDGPU:9:0:10", "gfx90a"},
        {"AMD:AMDGPU:9:0:0", "gfx900"},
        {"AMD:AMDGPU:10:3:6", "gfx1036"},
        {"gfx900", "gfx900"},
        {"gfx9-generic:xnack+", "gfx9-generic:xnack+"},
        {"amdgcn-amd-amdhsa--gfx1100", "gfx1100"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ok(!strcmp(canonical(cases[i][0]), cases[i][1]), "%s is %s", cases[i][0], cases[i][1]);
}

static void other_names_are_refused(void)
{
    static const char *const cases[] = {
        "",
        "gfx",
        "gfx90",
        "gfx9000",
        "GFX900",
        "gfx900:",
        "gfx900:xnack",
        "gfx900:xnack*",
        "gfx900:xnack++",
        "gfx900:xnack+:",
        "gfx900:xnack+:xnack+",
        "gfx900:xnack+:xnack-",
        "gfx900:sramecc+",
        "gfx1030:xnack-",
        "gfx900:xnack+:sramecc-",
        "gfx90a:tgsplit+",
        "amdgcn-amd-amdhsa-gfx900",
        "amdgcn-amd-amdhsa--",
        "amdgcn-amd-amdhsa--amdgcn-amd-amdhsa--gfx900",
        "AMD:AMDGPU:9:0",
        "AMD:AMDGPU:9:0:0:0",
        "AMD:AMDGPU:9:0:1",
        "AMD:AMDGPU:9:0:0000",
        "AMD:AMDGPU:-9:0:0",
        "AMD:AMDGPU:9:0:0:xnack+",
        " gfx900",
        "gfx900 ",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ok(!strcmp(canonical(cases[i]), "refused"), "'%s' is refused", cases[i]);
}

static void only_the_given_bytes_count(void)
{
    struct amdgpu_target target;
    ok(amdgpu_target_parse("gfx900:xnack+", 6, &target) && !target.xnack, "a name ends where its length says");
    ok(!amdgpu_target_parse("gfx900", 5, &target), "a cut name is refused");
    ok(!amdgpu_target_parse("gfx900\0", 7, &target), "a zero byte in a name is refused");
}

static void features_decide_what_runs(void)
{
    static const struct {
        const char *code, *agent;
        bool runs;
    } cases[] = {
        {"gfx900", "gfx900:xnack-", true},
        {"gfx900:xnack-", "gfx900:xnack-", true},
        {"gfx900:xnack+", "gfx900:xnack-", false},
        {"gfx906", "gfx900:xnack-", false},
        {"gfx906:sramecc+", "gfx906:sramecc+:xnack-", true},
        {"gfx906:sramecc-", "gfx906:sramecc+:xnack-", false},
        {"gfx906:sramecc+", "gfx906", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct amdgpu_target code, agent;
        bool read = amdgpu_target_parse(cases[i].code, strlen(cases[i].code), &code) &&
                    amdgpu_target_parse(cases[i].agent, strlen(cases[i].agent), &agent);
        ok(read && amdgpu_target_runs_on(&code, &agent) == cases[i].runs, "code for %s %s on %s", cases[i].code,
           cases[i].runs ? "runs" : "does not run", cases[i].agent);
    }
}

static void rows_are_found(void)
{
    size_t count, found = 0;
    const struct amdgpu_processor *all = amdgpu_processors(&count);
    for (size_t i = 0; i < count; i++)
        found += amdgpu_by_name(all[i].name, strlen(all[i].name)) == &all[i] &&
                 amdgpu_by_mach(all[i].mach) == &all[i] &&
                 (all[i].code_object == 6 || amdgpu_by_version(all[i].major, all[i].minor, all[i].stepping) == &all[i]);
    ok(found == count, "each row is found by its name, number and version");
    ok(!amdgpu_by_mach(0) && !amdgpu_by_mach(0x27) && !amdgpu_by_mach(0x12c), "other machine numbers are not found");
}

static void list(void)
{
    size_t count;
    const struct amdgpu_processor *all = amdgpu_processors(&count);
    for (size_t i = 0; i < count; i++) {
        const struct amdgpu_generation *g = all[i].generation;
        printf("%s %#x %u.%u.%u %d %d %d %d %d %u %u %u %u %u %u %u %u %d\n", all[i].name, all[i].mach, all[i].major,
               all[i].minor, all[i].stepping, all[i].xnack, all[i].sramecc, all[i].code_object, all[i].llvm, g->id,
               g->wave, g->waves, g->simd_waves, g->lds, g->vgprs, g->granule64, g->granule32, g->sgpr_granule,
               g->images);
    }
}

int main(int count, char **argument)
{
    if (count > 1 && !strcmp(argument[1], "list")) {
        list();
        return 0;
    }
    names_are_read();
    other_names_are_refused();
    only_the_given_bytes_count();
    features_decide_what_runs();
    rows_are_found();
    return tap_done();
}
