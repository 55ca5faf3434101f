/* SPDX-License-Identifier: MIT */
/* A client of HSA that finalizes a module and prints each step with its status. It is linked with no HSA runtime, so
 * that the test decides which one it gets.
 *
 *     client RUNTIME BRIG */
#include "hsa/hsa.h"
#include "hsa/hsa_ext_finalize.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *runtime;

static void *find(const char *name)
{
    void *function = dlsym(runtime, name);
    if (!function) {
        printf("no %s\n", name);
        exit(1);
    }
    return function;
}

/* Calls a function of the runtime, and prints its status. */
#define CALL(name, ...)                                                                      \
    do {                                                                                     \
        __typeof__(name) *function = (__typeof__(name) *)find(#name);                        \
        hsa_status_t status = function(__VA_ARGS__);                                         \
        printf("%s %s\n", #name, status == HSA_STATUS_SUCCESS ? "succeeds" : "fails");       \
    } while (0)

static void *read_module(const char *path)
{
    enum { SIZE = 1 << 16 };
    FILE *file = fopen(path, "rb");
    void *bytes = aligned_alloc(16, SIZE);
    if (!file || !bytes || !fread(bytes, 1, SIZE, file))
        exit(1);
    fclose(file);
    return bytes;
}

int main(int argc, char **argv)
{
    runtime = argc == 3 ? dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) : NULL;
    if (!runtime) {
        printf("%s\n", argc == 3 ? dlerror() : "two arguments are needed");
        return 1;
    }
    hsa_isa_t isa = {0};
    hsa_ext_program_t program = {0};
    hsa_code_object_t code = {0};
    hsa_ext_control_directives_t none = {0};
    struct {
        void *functions[6];
    } table = {{NULL}};
    void *module = read_module(argv[2]);
    CALL(hsa_init);
    CALL(hsa_isa_from_name, "amdgcn-amd-amdhsa--gfx900:xnack-", &isa);
    CALL(hsa_ext_program_create, HSA_MACHINE_MODEL_LARGE, HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, "",
         &program);
    CALL(hsa_ext_program_add_module, program, module);
    CALL(hsa_ext_program_finalize, program, isa, 0, none, "", HSA_CODE_OBJECT_TYPE_PROGRAM, &code);
    bool is_elf = code.handle && !memcmp((const void *)(uintptr_t)code.handle, ELFMAG, SELFMAG);
    printf("%s\n", is_elf ? "the code object is an ELF file" : "there is no code object");
    CALL(hsa_system_get_major_extension_table, HSA_EXTENSION_FINALIZER, 1, sizeof table, &table);
    printf("%s\n", table.functions[0] && table.functions[5] ? "the table has functions" : "the table is empty");
    if (is_elf)
        CALL(hsa_code_object_destroy, code);
    CALL(hsa_ext_program_destroy, program);
    CALL(hsa_shut_down);
    free(module);
    return 0;
}
