/* SPDX-License-Identifier: MIT */
/* How long the runtime takes to start, and to load code objects with many kernels, symbols, relocations and notes. This
 * file makes the code objects: one segment with the headers, code, descriptors and variables, and sections for the
 * symbols, their names and the relocations. */
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/bench_hsa.h"
#include "hsa/amd_hsa_kernel_code.h"
#include "hsa/hsa.h"

enum { ROUNDS = 5, MACH_GFX900 = 0x2c, NAME = 16, NOTE = 96, DESCRIPTOR = 64, R_ABS64 = 3, NOTE_METADATA = 32 };

struct shape {
    size_t kernels, variables, relocations, notes; /* notes: of metadata, for one kernel after the other */
};

/* Where things are in the file, which is loaded as it is. */
struct places {
    size_t code, descriptors, data, notes, names, symbols, relocations, sections, end;
};

static struct places lay_out(const struct shape *shape)
{
    struct places at = {.code = 4096};
    size_t symbols = 1 + shape->kernels + shape->variables;
    at.descriptors = at.code + 256;
    at.data = at.descriptors + shape->kernels * DESCRIPTOR;
    at.notes = at.data + (shape->variables + shape->relocations) * 8;
    at.names = at.notes + shape->notes * NOTE;
    at.symbols = at.names + symbols * NAME;
    at.relocations = at.symbols + symbols * sizeof(Elf64_Sym);
    at.sections = at.relocations + shape->relocations * sizeof(Elf64_Rela);
    at.end = at.sections + 4 * sizeof(Elf64_Shdr);
    return at;
}

static void put_headers(char *image, const struct shape *shape, const struct places *at)
{
    size_t symbols = 1 + shape->kernels + shape->variables;
    Elf64_Ehdr header = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT, 64, 2},
        .e_type = ET_DYN,
        .e_machine = 224,
        .e_version = EV_CURRENT,
        .e_phoff = sizeof header,
        .e_shoff = at->sections,
        .e_flags = MACH_GFX900 | 0x200 /* xnack off */,
        .e_ehsize = sizeof header,
        .e_phentsize = sizeof(Elf64_Phdr),
        .e_phnum = 2,
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = 4};
    Elf64_Phdr segments[2] = {
        {.p_type = PT_LOAD, .p_flags = PF_R | PF_W | PF_X, .p_filesz = at->names, .p_memsz = at->names},
        {.p_type = PT_NOTE, .p_offset = at->notes, .p_filesz = shape->notes * NOTE, .p_memsz = shape->notes * NOTE}};
    Elf64_Shdr sections[4] = {
        {0},
        {.sh_type = SHT_DYNSYM, .sh_link = 2, .sh_offset = at->symbols, .sh_size = symbols * sizeof(Elf64_Sym)},
        {.sh_type = SHT_STRTAB, .sh_offset = at->names, .sh_size = symbols * NAME},
        {.sh_type = SHT_RELA,
         .sh_flags = SHF_ALLOC,
         .sh_offset = at->relocations,
         .sh_size = shape->relocations * sizeof(Elf64_Rela)}};
    memcpy(image, &header, sizeof header);
    memcpy(image + sizeof header, segments, sizeof segments);
    memcpy(image + at->sections, sections, sizeof sections);
}

static void put_symbol(char *image, const struct places *at, size_t index, const char *format, size_t number,
                       uint64_t value, uint64_t size)
{
    snprintf(image + at->names + index * NAME, NAME, format, number);
    Elf64_Sym symbol = {.st_name = (uint32_t)(index * NAME),
                        .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
                        .st_shndx = 1,
                        .st_value = value,
                        .st_size = size};
    memcpy(image + at->symbols + index * sizeof symbol, &symbol, sizeof symbol);
}

static char *put_text(char *to, const char *text)
{
    size_t length = strlen(text);
    *to++ = (char)(0xa0 | length);
    memcpy(to, text, length);
    return to + length;
}

/* {"amdhsa.kernels": [{".symbol": NAME, ".sgpr_count": 8}]} */
static void put_note(char *note, const char *name)
{
    Elf64_Nhdr header = {.n_namesz = 7, .n_type = NOTE_METADATA};
    memcpy(note + sizeof header, "AMDGPU", 7);
    char *content = note + sizeof header + 8, *to = content;
    *to++ = (char)0x81;
    to = put_text(to, "amdhsa.kernels");
    *to++ = (char)0x91;
    *to++ = (char)0x82;
    to = put_text(put_text(to, ".symbol"), name);
    to = put_text(to, ".sgpr_count");
    *to = 8;
    header.n_descsz = NOTE - sizeof header - 8;
    memcpy(note, &header, sizeof header);
}

static char *make_object(const struct shape *shape, size_t *size)
{
    struct places at = lay_out(shape);
    char *image = calloc(1, at.end);
    if (!image)
        exit(1);
    put_headers(image, shape, &at);
    memcpy(image + at.code, (uint32_t[]){0xbf810000}, 4); /* s_endpgm */
    for (size_t i = 0; i < shape->kernels; i++) {
        amd_kernel_descriptor_t descriptor = {0};
        uint64_t place = at.descriptors + i * DESCRIPTOR;
        descriptor.kernel_code_entry_byte_offset = (int64_t)(at.code - place);
        memcpy(image + place, &descriptor, sizeof descriptor);
        put_symbol(image, &at, 1 + i, "kernel%zu.kd", i, place, DESCRIPTOR);
    }
    for (size_t i = 0; i < shape->variables; i++)
        put_symbol(image, &at, 1 + shape->kernels + i, "v%zu", i, at.data + i * 8, 8);
    for (size_t i = 0; i < shape->notes; i++)
        put_note(image + at.notes + i * NOTE, image + at.names + (1 + i % shape->kernels) * NAME);
    for (size_t i = 0; i < shape->relocations; i++) {
        Elf64_Rela entry = {.r_offset = at.data + (shape->variables + i) * 8,
                            .r_info = ELF64_R_INFO(1 + shape->kernels + i % shape->variables, R_ABS64)};
        memcpy(image + at.relocations + i * sizeof entry, &entry, sizeof entry);
    }
    *size = at.end;
    return image;
}

/* Milliseconds to load and freeze, and then to find every kernel by its name. */
static void load_object(hsa_agent_t gpu, const char *image, size_t size, size_t kernels, double *load, double *find)
{
    hsa_code_object_reader_t reader;
    hsa_executable_t executable;
    double start = bench_clock();
    bench_require(hsa_code_object_reader_create_from_memory(image, size, &reader), "reader");
    bench_require(
        hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable),
        "executable");
    bench_require(hsa_executable_load_agent_code_object(executable, gpu, reader, NULL, NULL), "load");
    bench_require(hsa_executable_freeze(executable, NULL), "freeze");
    double loaded = bench_clock();
    for (size_t i = 0; i < kernels; i++) {
        char name[32];
        hsa_executable_symbol_t symbol;
        snprintf(name, sizeof name, "kernel%zu.kd", i);
        bench_require(hsa_executable_get_symbol_by_name(executable, name, &gpu, &symbol), "symbol");
    }
    double found = bench_clock();
    hsa_executable_destroy(executable);
    hsa_code_object_reader_destroy(reader);
    *load = (loaded - start) * 1e3 < *load ? (loaded - start) * 1e3 : *load;
    *find = (found - loaded) * 1e3 < *find ? (found - loaded) * 1e3 : *find;
}

static void measure_load(hsa_agent_t gpu, const char *name, struct shape shape, double limit)
{
    size_t size;
    char *image = make_object(&shape, &size), text[96];
    double load = 1e9, find = 1e9;
    for (int i = 0; i < ROUNDS; i++)
        load_object(gpu, image, size, shape.kernels, &load, &find);
    snprintf(text, sizeof text, "load %s", name);
    bench_at_most(text, load, "ms", limit);
    snprintf(text, sizeof text, "find %zu kernels by name", shape.kernels);
    if (shape.kernels > 1)
        bench_at_most(text, find, "ms", limit);
    free(image);
}

int main(void)
{
    double start = 1e9;
    hsa_agent_t gpu = {0};
    for (int i = 0; i < 4 * ROUNDS; i++) {
        double before = bench_clock();
        bench_require(hsa_init(), "start");
        double took = (bench_clock() - before) * 1e3;
        start = took < start ? took : start;
        hsa_shut_down();
    }
    bench_at_most("hsa_init()", start, "ms", 2);
    bench_require(hsa_init(), "start");
    bench_require(hsa_iterate_agents(bench_find_gpu, &gpu), "agents");
    measure_load(gpu, "1,000 kernels", (struct shape){1000, 1, 0, 1000}, 5);
    measure_load(gpu, "40,000 variables", (struct shape){1, 40000, 0, 1}, 1000);
    measure_load(gpu, "200,000 relocations", (struct shape){1, 40000, 200000, 1}, 1000);
    measure_load(gpu, "60,000 notes", (struct shape){1000, 1, 0, 60000}, 1000);
    measure_load(gpu, "all of these", (struct shape){1000, 39000, 200000, 60000}, 1000);
    return hsa_shut_down() != HSA_STATUS_SUCCESS;
}
