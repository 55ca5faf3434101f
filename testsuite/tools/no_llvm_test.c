/* SPDX-License-Identifier: MIT */
/* A program that runs a code object must never map LLVM, nor must one that finalizes in a worker. A program that has to
 * compile by itself must; this shows that the test would notice LLVM in the maps of the process. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hsa/hsa.h"
#include "hsa/hsa_ext_finalize.h"
#include "testsuite/tap.h"

static bool maps_llvm(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4352];
    bool found = !maps;
    while (maps && fgets(line, sizeof line, maps))
        found |= strstr(line, "libLLVM") != NULL;
    if (maps)
        fclose(maps);
    return found;
}

/* The bytes of what a tool makes of an example. */
static void *make_file(const char *tool, size_t *size)
{
    char command[8192], path[] = "/tmp/hsail-code.XXXXXX";
    int file = mkstemp(path);
    char *bytes = aligned_alloc(16, 1 << 20);
    if (file < 0 || !bytes)
        return NULL;
    snprintf(command, sizeof command, "'%s/%s' -o '%s' '%s/examples/vector_copy.hsail'", getenv("builddir"), tool, path,
             getenv("srcdir"));
    int status = system(command);
    close(file);
    FILE *code = status ? NULL : fopen(path, "rb");
    *size = code ? fread(bytes, 1, 1 << 20, code) : 0;
    if (code)
        fclose(code);
    unlink(path);
    return *size ? bytes : NULL;
}

static hsa_status_t find_gpu(hsa_agent_t agent, void *found)
{
    hsa_device_type_t type = HSA_DEVICE_TYPE_CPU;
    hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
    if (type != HSA_DEVICE_TYPE_GPU)
        return HSA_STATUS_SUCCESS;
    *(hsa_agent_t *)found = agent;
    return HSA_STATUS_INFO_BREAK;
}

static void load(hsa_agent_t gpu, void *code, size_t size)
{
    hsa_code_object_t code_object;
    hsa_executable_t executable;
    hsa_queue_t *queue;
    ok(hsa_code_object_deserialize(code, size, NULL, &code_object) == HSA_STATUS_SUCCESS &&
           hsa_executable_create(HSA_PROFILE_FULL, HSA_EXECUTABLE_STATE_UNFROZEN, NULL, &executable) ==
               HSA_STATUS_SUCCESS &&
           hsa_executable_load_code_object(executable, gpu, code_object, NULL) == HSA_STATUS_SUCCESS &&
           hsa_executable_freeze(executable, NULL) == HSA_STATUS_SUCCESS,
       "a code object is loaded");
    ok(hsa_queue_create(gpu, 16, HSA_QUEUE_TYPE_SINGLE, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue) ==
           HSA_STATUS_SUCCESS,
       "a queue is created");
    ok(!maps_llvm(), "LLVM is not mapped");
    hsa_queue_destroy(queue);
    hsa_executable_destroy(executable);
    hsa_code_object_destroy(code_object);
}

static hsa_ext_finalizer_1_00_pfn_t finalizer;

static bool finalize(hsa_agent_t gpu, hsa_ext_module_t module)
{
    hsa_isa_t isa;
    hsa_code_object_t code_object;
    hsa_ext_program_t program;
    hsa_ext_control_directives_t none = {0};
    if (hsa_agent_get_info(gpu, HSA_AGENT_INFO_ISA, &isa) != HSA_STATUS_SUCCESS ||
        finalizer.hsa_ext_program_create(HSA_MACHINE_MODEL_LARGE, HSA_PROFILE_FULL,
                                         HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR, NULL, &program) != HSA_STATUS_SUCCESS)
        return false;
    bool done =
        finalizer.hsa_ext_program_add_module(program, module) == HSA_STATUS_SUCCESS &&
        finalizer.hsa_ext_program_finalize(program, isa, 0, none, NULL, HSA_CODE_OBJECT_TYPE_PROGRAM, &code_object) ==
            HSA_STATUS_SUCCESS &&
        hsa_code_object_destroy(code_object) == HSA_STATUS_SUCCESS;
    return finalizer.hsa_ext_program_destroy(program) == HSA_STATUS_SUCCESS && done;
}

int main(void)
{
    size_t size, module_size;
    hsa_agent_t gpu = {0};
    void *code = make_file("hsailfin", &size), *module = make_file("hsailasm", &module_size);
    if (!ok(code && module, "hsailfin makes a code object, and hsailasm a module") ||
        !ok(hsa_init() == HSA_STATUS_SUCCESS, "hsa_init"))
        return tap_done();
    hsa_iterate_agents(find_gpu, &gpu);
    if (ok(gpu.handle != 0, "there is a GPU agent"))
        load(gpu, code, size);
    ok(hsa_system_get_major_extension_table(HSA_EXTENSION_FINALIZER, 1, sizeof finalizer, &finalizer) ==
           HSA_STATUS_SUCCESS,
       "the finalizer is there when asked for");
    ok(finalize(gpu, module), "a worker compiles");
    ok(!maps_llvm(), "LLVM is not mapped");
    setenv("HSAIL_FINALIZER_WORKER", "0", 1);
    ok(finalize(gpu, module), "a process without a worker compiles by itself");
    ok(maps_llvm(), "LLVM is mapped when the process compiles by itself");
    hsa_shut_down();
    free(code);
    free(module);
    return tap_done();
}
