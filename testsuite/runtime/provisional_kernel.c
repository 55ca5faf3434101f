/* SPDX-License-Identifier: MIT */
/* Loads a kernel with the interface of HSA 1.2, for provisional_test.c, which has that of 1.0 provisional.
 * Input: testsuite/tools/vector_add.co. Output: the address that dispatch packets take. */
#include "hsa/hsa.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

uint64_t provisional_kernel(uint64_t agent);

uint64_t provisional_kernel(uint64_t agent)
{
    char path[4096];
    const char *top = getenv("srcdir");
    uint64_t kernel = 0;
    hsa_agent_t on = {agent};
    hsa_code_object_reader_t reader;
    hsa_executable_t executable;
    hsa_executable_symbol_t symbol;
    snprintf(path, sizeof path, "%s/testsuite/tools/vector_add.co", top ? top : ".");
    int file = open(path, O_RDONLY);
    if (hsa_code_object_reader_create_from_file(file, &reader) == HSA_STATUS_SUCCESS &&
        hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable) ==
            HSA_STATUS_SUCCESS &&
        hsa_executable_load_agent_code_object(executable, on, reader, NULL, NULL) == HSA_STATUS_SUCCESS &&
        hsa_executable_freeze(executable, NULL) == HSA_STATUS_SUCCESS &&
        hsa_executable_get_symbol_by_name(executable, "&vector_add", &on, &symbol) == HSA_STATUS_SUCCESS)
        hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel);
    if (file >= 0)
        close(file);
    return kernel;
}
