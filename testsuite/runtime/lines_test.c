/* SPDX-License-Identifier: MIT */
/* Tests the reader of DWARF line tables with tables that are made here by hand, of versions 2 to 5 and both sizes of
 * offsets, whose rows are known; and with 48,000 damaged tables, with which it must neither read beyond their end nor
 * run without end.
 *
 *     lines_test FILE ADDRESS...    prints `file:line` of each address of a code object, or ??:0 */
#include "runtime/lines.h"
#include "testsuite/tap.h"
#include "testsuite/tools/damage.h"

#include <elf.h>
#include <unistd.h>

enum { DAMAGED = 6000, MOST_SECONDS = 120 };

/* ---- making a table ---- */

struct out {
    uint8_t data[4096];
    size_t size;
};

static void put(struct out *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        out->data[out->size++] = (uint8_t)(value >> 8 * i);
}

static void put_text(struct out *out, const char *text)
{
    memcpy(out->data + out->size, text, strlen(text) + 1);
    out->size += strlen(text) + 1;
}

struct line_kind {
    const char *name;
    unsigned version, offset_size, form; /* FORM is that of file names in version 5 */
};

/* Directories and files: number 1 is a.cl, number 2 is b.cl. */
static void put_files(struct out *out, const struct line_kind *kind)
{
    if (kind->version < 5) {
        put_text(out, "dir");
        put(out, 0, 1);
        put_text(out, "a.cl");
        put(out, 0, 3);
        put_text(out, "b.cl");
        put(out, 0x81, 1); /* a directory in two bytes */
        put(out, 0x00, 1);
        put(out, 0, 2);
        put(out, 0, 1);
        return;
    }
    put(out, 1, 1); /* directories: a path in line */
    put(out, 0x0801, 2);
    put(out, 1, 1);
    put_text(out, "dir");
    put(out, 3, 1); /* files: a path, a directory, a checksum */
    put(out, 1, 1);
    put(out, kind->form, 1);
    put(out, 0x0b02, 2);
    put(out, 0x1e05, 2);
    put(out, 3, 1);
    for (unsigned i = 0; i < 3; i++) {
        if (kind->form == 0x08)
            put_text(out, i == 2 ? "b.cl" : "a.cl");
        else
            put(out, i == 2 ? 6 : 1, kind->offset_size); /* in the strings below */
        put(out, 0, 1);
        put(out, 7, 8);
        put(out, 7, 8);
    }
}

static const char strings[] = "?a.cl\0b.cl";

/* Rows: 0x100 a.cl:10, 0x104 a.cl:13, 0x10c b.cl:3, 0x300 a.cl:70000 up to 0x304; nothing from 0x120 on. */
static void put_program(struct out *out)
{
    put(out, 0, 1), put(out, 9, 1), put(out, 2, 1), put(out, 0x100, 8);
    put(out, 3, 1), put(out, 9, 1), put(out, 1, 1);                 /* line + 9, row */
    put(out, 12 + 4 * 14 + 3 + 3, 1);                               /* address + 4, line + 3, row */
    put(out, 4, 1), put(out, 2, 1), put(out, 2, 1), put(out, 8, 1); /* b.cl, address + 8 */
    put(out, 3, 1), put(out, 0x76, 1), put(out, 1, 1);              /* line - 10, row */
    put(out, 11, 1);                                                /* an unknown operation with two operands */
    put(out, 0x8080, 2), put(out, 0, 1), put(out, 5, 1);
    put(out, 9, 1), put(out, 0x14, 2);              /* address + 20 */
    put(out, 0, 1), put(out, 1, 1), put(out, 1, 1); /* end */
    put(out, 0, 1), put(out, 9, 1), put(out, 2, 1), put(out, 0x300, 8);
    put(out, 3, 1), put(out, 0xefu, 1), put(out, 0xa2, 1), put(out, 4, 1), put(out, 1, 1); /* line + 69999 */
    put(out, 2, 1), put(out, 4, 1);
    put(out, 0, 1), put(out, 1, 1), put(out, 1, 1);
}

/* How many operands the operations have: as the document says, except for number 11, which only this test has. */
static const uint8_t lengths[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 2};

static void put_unit(struct out *out, const struct line_kind *kind)
{
    struct out files = {.size = 0}, program = {.size = 0};
    put(&files, 1, 1); /* bytes of an instruction */
    if (kind->version >= 4)
        put(&files, 1, 1);
    put(&files, 1, 1);
    put(&files, (uint8_t)-3, 1); /* the least step of lines, how many, and the first special operation */
    put(&files, 14, 1);
    put(&files, sizeof lengths + 1, 1);
    for (size_t i = 0; i < sizeof lengths; i++)
        put(&files, lengths[i], 1);
    put_files(&files, kind);
    put_program(&program);
    unsigned fixed = 2 + (kind->version == 5 ? 2 : 0) + kind->offset_size;
    if (kind->offset_size == 8)
        put(out, UINT32_MAX, 4);
    put(out, fixed + files.size + program.size, kind->offset_size);
    put(out, kind->version, 2);
    if (kind->version == 5)
        put(out, 8, 1), put(out, 0, 1);
    put(out, files.size, kind->offset_size);
    memcpy(out->data + out->size, files.data, files.size);
    out->size += files.size;
    memcpy(out->data + out->size, program.data, program.size);
    out->size += program.size;
}

struct line_image {
    uint8_t data[16384];
    size_t size, line, line_size;
};

static const char section_names[] = "\0.debug_line\0.debug_line_str\0.debug_str\0.shstrtab";

/* The header of a code object with one segment, which follows it, and SECTIONS sections. */
static Elf64_Ehdr header_with(uint16_t sections, uint16_t names)
{
    return (Elf64_Ehdr){
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT, 64, 2},
        .e_type = ET_DYN,
        .e_machine = 224,
        .e_flags = 0x2c /* gfx900 */,
        .e_phoff = sizeof(Elf64_Ehdr),
        .e_phentsize = sizeof(Elf64_Phdr),
        .e_phnum = 1,
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = sections,
        .e_shstrndx = names};
}

static const Elf64_Phdr code_segment = {.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_memsz = 0x1000};

static void make_image(struct line_image *image, const struct line_kind *kind)
{
    struct out line = {.size = 0};
    Elf64_Ehdr header = header_with(5, 4);
    Elf64_Shdr s[5] = {{0}, {.sh_name = 1}, {.sh_name = 13}, {.sh_name = 29}, {.sh_name = 40}};
    put_unit(&line, kind);
    const void *data[] = {"", line.data, strings, strings, section_names};
    const size_t sizes[] = {0, line.size, sizeof strings, sizeof strings, sizeof section_names};
    image->size = sizeof header + sizeof code_segment;
    for (int i = 1; i < 5; i++) {
        s[i].sh_type = SHT_PROGBITS;
        s[i].sh_offset = image->size;
        s[i].sh_size = sizes[i];
        memcpy(image->data + image->size, data[i], sizes[i]);
        image->size += sizes[i];
    }
    header.e_shoff = image->size;
    memcpy(image->data + image->size, s, sizeof s);
    image->size += sizeof s;
    memcpy(image->data, &header, sizeof header);
    memcpy(image->data + sizeof header, &code_segment, sizeof code_segment);
    image->line = s[1].sh_offset;
    image->line_size = s[1].sh_size;
}

/* ---- tests ---- */

/* The code object of an image; NULL: it is refused. */
static struct code_object *open_image(const uint8_t *data, size_t size)
{
    struct code_object *object;
    return code_object_open(data, size, &object) == HSA_STATUS_SUCCESS ? object : NULL;
}

/* The place of ADDRESS as text. */
static const char *place(const struct code_object *object, uint64_t address)
{
    static char text[300];
    char file[256] = "";
    uint32_t line = 0;
    bool found = object && lines_find(object, address, file, sizeof file, &line);
    snprintf(text, sizeof text, "%s:%u", found ? file : "??", line);
    return text;
}

static void known(const struct line_kind *kind, const struct line_image *image)
{
    static const struct {
        uint64_t address;
        const char *place;
    } rows[] = {{0xff, "??:0"},      {0x100, "a.cl:10"},    {0x103, "a.cl:10"},    {0x104, "a.cl:13"},
                {0x10b, "a.cl:13"},  {0x10c, "b.cl:3"},     {0x11f, "b.cl:3"},     {0x120, "??:0"},
                {0x2ff, "??:0"},     {0x300, "a.cl:70000"}, {0x303, "a.cl:70000"}, {0x304, "??:0"},
                {UINT64_MAX, "??:0"}};
    struct code_object *object = open_image(image->data, image->size);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *got = place(object, rows[i].address);
        ok(!strcmp(got, rows[i].place), "%s: 0x%llx is %s", kind->name, (unsigned long long)rows[i].address, got);
    }
    code_object_close(object);
}

static void damaged(const struct line_kind *kind, const struct line_image *image)
{
    size_t found = 0;
    for (uint64_t seed = 1; seed <= DAMAGED; seed++) {
        struct line_image copy = *image;
        /* In half of them only the table is damaged, so that the file is still a code object. */
        size_t size = seed & 1 ? copy.size : copy.line_size;
        mutate(seed & 1 ? copy.data : copy.data + copy.line, &size, seed);
        if (seed & 1)
            copy.size = size;
        struct code_object *object = open_image(copy.data, copy.size);
        for (uint64_t address = 0x100; address < 0x400; address += 0x80)
            found += *place(object, address) != '?';
        code_object_close(object);
    }
    ok(found > DAMAGED / 4, "%s: %d damaged tables, %zu rows found in them", kind->name, DAMAGED, found);
}

/* Tests as many sections as there can be, and a long list of files whose names are in another section. */
static void many(void)
{
    const size_t entries = 1 << 20, sections = 60000, size = (size_t)16 << 20;
    const size_t table = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr), at = table + sections * sizeof(Elf64_Shdr);
    uint8_t *data = calloc(1, size);
    struct out head = {.size = 0};
    put(&head, size - at - 128 - 4, 4), put(&head, 5, 2), put(&head, 8, 2), put(&head, entries * 4 + 100, 4);
    put(&head, 1, 1), put(&head, 1, 1), put(&head, 1, 1), put(&head, 0xfd, 1), put(&head, 14, 1);
    put(&head, sizeof lengths + 1, 1);
    for (size_t i = 0; i < sizeof lengths; i++)
        put(&head, lengths[i], 1);
    put(&head, 0, 2);                                                 /* no directories */
    put(&head, 1, 1), put(&head, 0x1f01, 2), put(&head, 0x408080, 3); /* files */
    struct out program = {.size = 0};
    put_program(&program);
    Elf64_Ehdr header = header_with((uint16_t)sections, 1);
    header.e_shoff = table;
    memcpy(data, &header, sizeof header);
    memcpy(data + sizeof header, &code_segment, sizeof code_segment);
    Elf64_Shdr names = {.sh_type = SHT_STRTAB, .sh_offset = at, .sh_size = sizeof section_names};
    Elf64_Shdr line = {.sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = at + 128, .sh_size = size - at - 128};
    memcpy(data + at, section_names, sizeof section_names);
    memcpy(data + at + 128, head.data, head.size);
    memcpy(data + at + 128 + 12 + entries * 4 + 100, program.data, program.size);
    memcpy(data + table + sizeof names, &names, sizeof names);
    memcpy(data + table + 2 * sizeof line, &line, sizeof line);
    uint32_t number, found = 0;
    char file[16];
    struct code_object *object = open_image(data, size);
    for (int i = 0; object && i < 20; i++)
        found += lines_find(object, 0x100, file, sizeof file, &number);
    code_object_close(object);
    free(data);
    ok(found == 20, "many sections and files end soon");
}

static int print_places(int argc, char **argv)
{
    static uint8_t data[1 << 22];
    FILE *file = fopen(argv[1], "rb");
    size_t size = file ? fread(data, 1, sizeof data, file) : 0;
    struct code_object *object = open_image(data, size);
    for (int i = 2; i < argc; i++)
        puts(place(object, strtoull(argv[i], NULL, 16)));
    code_object_close(object);
    return file && !fclose(file) ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const struct line_kind kinds[] = {
        {"version 2", 2, 4, 0},
        {"version 3", 3, 4, 0},
        {"version 4", 4, 4, 0},
        {"version 4, 64 bits", 4, 8, 0},
        {"version 5", 5, 4, 0x1f},
        {"version 5, .debug_str", 5, 4, 0x0e},
        {"version 5, 64 bits", 5, 8, 0x1f},
        {"version 5, in line", 5, 4, 0x08},
    };
    if (argc > 2)
        return print_places(argc, argv);
    alarm(MOST_SECONDS);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        static struct line_image image;
        make_image(&image, &kinds[i]);
        known(&kinds[i], &image);
        damaged(&kinds[i], &image);
    }
    many();
    return tap_done();
}
