/* SPDX-License-Identifier: MIT */
/* Provokes every status that the documents name, function by function, by the rows of provoke/provoke_NAME.def.
 * statuses.sh makes the code objects that need an assembler, and compares the rows with provoke/documented.txt.
 *
 *     GOOD(function, call)            succeeds; before hsa_init() and after hsa_shut_down() it is NOT_INITIALIZED
 *     DOWN(function, call)            the second half of that, for functions that never succeed here
 *     BAD(function, STATUS, call)     ends with HSA_STATUS_ERROR_STATUS
 *     EXT(function, STATUS, call)     ends with HSA_EXT_STATUS_ERROR_STATUS
 *     OTHER(function, WORD, status, call)   ends with that status, which the list calls WORD
 *     MEMORY(function, call)          is OUT_OF_RESOURCES when any allocation of the C library fails
 *     NEVER(function, STATUS, reason) cannot be provoked, or not by a row
 *     ASSEMBLED(row)                  a row that needs a code object of statuses.sh, and is left out without it
 *
 * Calls use the variables below. Several arguments of one call are wrong where the documents order the checks: first
 * whether the runtime is up, then handles in the order of the parameters, then all else. */
#include "testsuite/runtime/interpose.h"

#include "testsuite/runtime/provoke/fixture.h"

static unsigned checked, wrong;

static void expect(const char *function, const char *call, int status, int wanted)
{
    checked++;
    if (status == wanted)
        return;
    const char *is = "unknown", *should = "unknown";
    hsa_status_string((hsa_status_t)status, &is);
    hsa_status_string((hsa_status_t)wanted, &should);
    printf("# %s: %s\n#   is %#x %.40s\n#   not %#x %.40s\n", function, call, (unsigned)status, is, (unsigned)wanted,
           should);
    wrong++;
}

static void report(const char *what)
{
    ok(!wrong && checked, "%u calls: %s", checked, what);
    checked = wrong = 0;
}

/* Objects for arguments are made while no allocation fails. */
static long held;

void hold_allocations(bool hold)
{
    if (hold) {
        held = allocations_left;
        allocations_left = -1;
    } else {
        allocations_left = held;
    }
}

#define IGNORE_ROW(...)
#define ASSEMBLED(row) row
#define GOOD(function, call)                 expect(#function, #call, call, HSA_STATUS_ERROR_NOT_INITIALIZED);
#define DOWN                                 GOOD
#define BAD                                  IGNORE_ROW
#define EXT                                  IGNORE_ROW
#define OTHER                                IGNORE_ROW
#define MEMORY                               IGNORE_ROW
#define NEVER                                IGNORE_ROW

static void not_initialized(const char *when)
{
#include "testsuite/runtime/provoke/provoke_core.def"
#include "testsuite/runtime/provoke/provoke_finalizer.def"
#include "testsuite/runtime/provoke/provoke_image.def"
#include "testsuite/runtime/provoke/provoke_memory.def"
#include "testsuite/runtime/provoke/provoke_object.def"
#include "testsuite/runtime/provoke/provoke_vmem.def"
    report(when);
}

#undef GOOD
#undef DOWN
#undef BAD
#undef EXT
#undef OTHER
#define GOOD(function, call)                 expect(#function, #call, call, HSA_STATUS_SUCCESS);
#define DOWN                                 IGNORE_ROW
#define BAD(function, status, call)          expect(#function, #call, call, HSA_STATUS_ERROR_##status);
#define EXT(function, status, call)          expect(#function, #call, (int)call, HSA_EXT_STATUS_ERROR_##status);
#define OTHER(function, word, status, call)  expect(#function, #call, (int)call, status);

#undef ASSEMBLED
#define ASSEMBLED(row)                                                                                       \
    if (program_reader.handle && unresolved.handle) {                                                        \
        row                                                                                                  \
    }

static void statuses(void)
{
#include "testsuite/runtime/provoke/provoke_core.def"
    report("the system, agents, signals and queues");
#include "testsuite/runtime/provoke/provoke_memory.def"
    report("memory, and AMD's extension");
#include "testsuite/runtime/provoke/provoke_image.def"
    report("images and samplers");
#include "testsuite/runtime/provoke/provoke_vmem.def"
    report("virtual memory, and logging");
}

static void object_statuses(void)
{
#include "testsuite/runtime/provoke/provoke_object.def"
    report("code objects and executables");
}

static void finalizer_statuses(void)
{
#include "testsuite/runtime/provoke/provoke_finalizer.def"
    report("the finalizer");
}

#undef GOOD
#undef BAD
#undef EXT
#undef OTHER
#undef MEMORY
#define GOOD                                 IGNORE_ROW
#define BAD                                  IGNORE_ROW
#define EXT                                  IGNORE_ROW
#define OTHER                                IGNORE_ROW
#define MEMORY FAIL_ALLOCATIONS

static void memory_is_out(void)
{
    enum { ALLOCATIONS = 60 };
    allocations_stay_out = true;
#include "testsuite/runtime/provoke/provoke_core.def"
#include "testsuite/runtime/provoke/provoke_image.def"
#include "testsuite/runtime/provoke/provoke_memory.def"
#include "testsuite/runtime/provoke/provoke_object.def"
#include "testsuite/runtime/provoke/provoke_vmem.def"
    report("each allocation can fail");
}

static void memory_is_out_in_the_finalizer(void)
{
    enum { ALLOCATIONS = 12 }; /* each compiles the program */
#include "testsuite/runtime/provoke/provoke_finalizer.def"
    report("each allocation of the finalizer can fail");
}

/* The first hsa_init() can fail, too, and then the runtime is down. */
static void start_without_memory(void)
{
    bool good = true, failing = true;
    long n = 0;
    for (; failing && n < 1000; n++) {
        allocations_left = n;
        hsa_status_t status = hsa_init();
        failing = allocations_left < 0;
        allocations_left = -1;
        if (status == HSA_STATUS_SUCCESS)
            good &= hsa_shut_down() == HSA_STATUS_SUCCESS;
        else
            good &= status == HSA_STATUS_ERROR_OUT_OF_RESOURCES && hsa_shut_down() == HSA_STATUS_ERROR_NOT_INITIALIZED;
    }
    ok(good && n > 5 && n < 1000, "each of %ld allocations of hsa_init() can fail", n - 1);
}

/* A callback ends an iteration by any status, which the iteration returns. */
static void breaks(void)
{
    hsa_status_t statuses[] = {HSA_STATUS_INFO_BREAK, HSA_STATUS_ERROR, (hsa_status_t)0x7777};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        hsa_status_t stop = statuses[i];
        expect("hsa_iterate_agents", "stop", hsa_iterate_agents(any_agent, &stop), stop);
        expect("hsa_agent_iterate_caches", "stop", hsa_agent_iterate_caches(gpu, any_cache, &stop), stop);
        expect("hsa_agent_iterate_isas", "stop", hsa_agent_iterate_isas(gpu, any_isa, &stop), stop);
        expect("hsa_agent_iterate_regions", "stop", hsa_agent_iterate_regions(gpu, any_region, &stop), stop);
        expect("hsa_amd_agent_iterate_memory_pools", "stop", hsa_amd_agent_iterate_memory_pools(gpu, any_pool, &stop),
               stop);
        expect("hsa_isa_iterate_wavefronts", "stop", hsa_isa_iterate_wavefronts(isa, any_wavefront, &stop), stop);
        expect("hsa_code_object_iterate_symbols", "stop",
               hsa_code_object_iterate_symbols(object, any_code_symbol, &stop), stop);
        expect("hsa_executable_iterate_symbols", "stop", hsa_executable_iterate_symbols(frozen, any_symbol, &stop),
               stop);
        expect("hsa_executable_iterate_agent_symbols", "stop",
               hsa_executable_iterate_agent_symbols(frozen, gpu, any_agent_symbol, &stop), stop);
        expect("hsa_executable_iterate_program_symbols", "stop",
               hsa_executable_iterate_program_symbols(defined, any_symbol, &stop), stop);
        if (program.handle)
            expect("hsa_ext_program_iterate_modules", "stop",
                   hsa_ext_program_iterate_modules(program, any_module, &stop), stop);
    }
    report("callbacks end iterations");
}

int main(void)
{
    setenv("HSA_AGENT_DRIVERS", "", 1);
    setenv("HSA_CU_MASK", "0:0", 1); /* so that a queue's mask can be reduced */
    not_initialized("before hsa_init()");
    if (CAN_INTERPOSE)
        start_without_memory();
    const char *lacks = hsa_init() == HSA_STATUS_SUCCESS ? fixture_make() : "the runtime";
    if (!ok(!lacks, "what the calls need: %s", lacks ? lacks : "all is there"))
        return tap_done();
    statuses();
    object_statuses();
    if (program.handle)
        finalizer_statuses();
    else
        tap_skip("the finalizer", "there is none");
    breaks();
    if (CAN_INTERPOSE)
        memory_is_out();
    else
        tap_skip("each allocation can fail", "the sanitizer has the allocator");
    if (CAN_INTERPOSE && program.handle)
        memory_is_out_in_the_finalizer();
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down");
    not_initialized("after hsa_shut_down()");
    return tap_done();
}
