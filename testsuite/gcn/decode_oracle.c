/* SPDX-License-Identifier: MIT */
/* Asks LLVM's disassembler; see decode_oracle.h. */
#include "testsuite/gcn/decode_oracle.h"

#include <llvm-c/Core.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <string.h>

static LLVMDisasmContextRef context;

bool oracle_open(const char *cpu, const char **why)
{
    unsigned major = 0, minor, patch;
    LLVMGetVersion(&major, &minor, &patch);
    *why = "the expected text is that of LLVM 19";
    if (major != 19)
        return false;
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
    context = LLVMCreateDisasmCPU("amdgcn-amd-amdhsa", cpu, NULL, 0, NULL, NULL);
    *why = "this LLVM has no AMDGPU disassembler";
    return context != NULL;
}

void oracle_close(void)
{
    LLVMDisasmDispose(context);
    context = NULL;
}

size_t oracle_disassemble(const uint8_t *bytes, size_t size, char *text)
{
    uint8_t copy[8];
    char raw[ORACLE_TEXT];
    if (size > sizeof copy)
        size = sizeof copy;
    memcpy(copy, bytes, size);
    size_t length = LLVMDisasmInstruction(context, copy, size, 0, raw, sizeof raw);
    text[0] = '\0';
    if (!length || strstr(raw, "/*"))
        return 0;
    const char *start = raw + strspn(raw, " \t");
    size_t n = strcspn(start, ";");
    while (n && (start[n - 1] == ' ' || start[n - 1] == '\t'))
        n--;
    memcpy(text, start, n);
    text[n] = '\0';
    return length;
}
