/* SPDX-License-Identifier: MIT */
/* Compares what the programs of this folder compute on the software GPU with what they compute on the host, bit for
 * bit. Argument: the code object that clang has made of them. */
#include "testsuite/finalizer/on_hsa.h"
#include "testsuite/gcn/exact/programs.h"
#include "testsuite/tap.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static uint32_t wanted[PROGRAM_WORDS], got[PROGRAM_WORDS];

static bool load(hsa_executable_t executable, const char *path)
{
    hsa_code_object_reader_t reader;
    int file = path ? open(path, O_RDONLY) : -1;
    bool read = hsa_code_object_reader_create_from_file(file, &reader) == HSA_STATUS_SUCCESS;
    bool loaded =
        read &&
        hsa_executable_load_agent_code_object(executable, on_hsa_agent(), reader, NULL, NULL) == HSA_STATUS_SUCCESS &&
        hsa_executable_freeze(executable, NULL) == HSA_STATUS_SUCCESS;
    if (read)
        hsa_code_object_reader_destroy(reader);
    if (file >= 0)
        close(file);
    return loaded;
}

static bool run_on_gpu(hsa_executable_t executable, const struct program *program)
{
    hsa_executable_symbol_t symbol;
    hsa_agent_t agent = on_hsa_agent();
    char name[64];
    snprintf(name, sizeof name, "%s.kd", program->name);
    memset(got, 0, sizeof got);
    const uint64_t arguments[] = {(uintptr_t)got};
    return hsa_executable_get_symbol_by_name(executable, name, &agent, &symbol) == HSA_STATUS_SUCCESS &&
           on_hsa_run(symbol, program->groups * program->group, (uint16_t)program->group, 0, arguments, 1);
}

/* The first results of SHA-256 and AES are those that the standards print, so that the host is right, too. */
static bool is_standard(const struct program *program)
{
    static const uint32_t sha[] = {
        0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223, 0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};
    static const uint32_t aes[] = {0x69c4e0d8, 0x6a7b0430, 0xd8cdb780, 0x70b4c55a};
    if (!strcmp(program->name, "sha256"))
        return !memcmp(wanted, sha, sizeof sha);
    return strcmp(program->name, "aes128") || !memcmp(wanted, aes, sizeof aes);
}

int main(int argc, char **argv)
{
    if (!ok(on_hsa_start(), "an agent"))
        return 1;
    hsa_executable_t executable = on_hsa_executable();
    ok(load(executable, argc > 1 ? argv[1] : NULL), "the code object is loaded");
    for (const struct program *p = programs; p < programs + program_count; p++) {
        run_on_host(p, wanted);
        bool done = run_on_gpu(executable, p);
        unsigned at = 0;
        while (at < p->words && wanted[at] == got[at])
            at++;
        ok(done && at == p->words && is_standard(p), "%s", p->name);
        if (at < p->words)
            printf("# word %u is %#x, not %#x\n", at, got[at], wanted[at]);
    }
    hsa_executable_destroy(executable);
    on_hsa_stop();
    return tap_done();
}
