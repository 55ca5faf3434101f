/* SPDX-License-Identifier: MIT */
/* Reads a code object, the ELF file with the machine code. (LLVM AMDGPU guide, "ELF Code Object")
 *
 * Input: bytes of any content. Output: struct code_object, or a status that says why the bytes are refused.
 * Invariant: every offset, size and index in the result has been checked, and stays as it was, because the image is a
 * private copy. */
#include "runtime/code_object.h"

#include "hsa/amd_hsa_kernel_code.h"
#include "support/elf_note.h"
#include "support/kernel_argument.h"
#include "support/linkage_note.h"

enum {
    ELFOSABI_HSA = 64,
    EM_GCN = 224,
    SECTION_LDS = 0xff00, /* st_shndx of a variable in group memory, which is laid out at dispatch */
    FLAG_MACH = 0xff,
    SEGMENTS_MAX = 64,
    PAGE = 4096,
    KERNARG_ALIGN_MIN = 16
};
#define SPAN_MAX ((uint64_t)16 << 30)
#define BAD      HSA_STATUS_ERROR_INVALID_CODE_OBJECT

static struct bytes whole(const struct code_object *object)
{
    return (struct bytes){object->image, object->size};
}

/* ---- header ---- */

/* The sign by which a target id states a feature: '-' off, '+' on, 0 when it is unsupported or may be either. BITS are
 * the two of the feature in the header's flags from V4 on. */
static char feature(uint32_t bits)
{
    return "\0\0-+"[bits & 3];
}

static hsa_status_t read_header(struct code_object *object, Elf64_Ehdr *header)
{
    CHECK(object->size >= sizeof *header, BAD);
    memcpy(header, object->image, sizeof *header);
    CHECK(!memcmp(header->e_ident, ELFMAG, SELFMAG) && header->e_ident[EI_CLASS] == ELFCLASS64 &&
              header->e_ident[EI_DATA] == ELFDATA2LSB && header->e_ident[EI_OSABI] == ELFOSABI_HSA &&
              header->e_machine == EM_GCN && header->e_type == ET_DYN,
          BAD);
    unsigned abi = header->e_ident[EI_ABIVERSION];
    CHECK(abi >= 1 && abi <= 4, BAD);
    object->version = abi + 2;
    uint32_t flags = header->e_flags;
    struct amdgpu_target target = {.processor = amdgpu_by_mach(flags & FLAG_MACH)};
    CHECK(target.processor, HSA_STATUS_ERROR_INVALID_ISA_NAME);
    target.xnack = object->version == 3 ? (flags & 0x100 ? '+' : '\0') : feature(flags >> 8);
    target.sramecc = object->version == 3 ? (flags & 0x200 ? '+' : '\0') : feature(flags >> 10);
    amdgpu_target_name(&target, object->isa);
    return HSA_STATUS_SUCCESS;
}

/* ---- segments and notes ---- */

static void set_kernel(struct bytes name, const struct kernel_info *info, void *data)
{
    struct code_object *object = data;
    uint32_t hash = code_name_hash((const char *)name.data, name.size);
    for (uint32_t at = hash, number; (number = hash_table_next(&object->numbers, hash, &at));) {
        struct code_symbol *symbol = &object->symbols.items[number - 1];
        if (symbol->kind == HSA_SYMBOL_KIND_KERNEL && strlen(symbol->name) == name.size &&
            !memcmp(symbol->name, name.data, name.size)) {
            struct launch_limits limits = symbol->kernel.limits; /* their note may have come first */
            symbol->kernel = *info;
            symbol->kernel.limits = limits;
            return; /* an object with two symbols of this name cannot be loaded */
        }
    }
}

static bool note_is(const struct elf_note *note, const char *owner, uint32_t type)
{
    return note->type == type && note->owner.size == strlen(owner) + 1 &&
           !memcmp(note->owner.data, owner, note->owner.size);
}

/* Reads all notes of one PT_NOTE segment. There may be several of metadata; what the last says of a kernel counts. */
static void read_notes(struct code_object *object, struct bytes notes)
{
    struct elf_note note;
    for (uint64_t at = 0; elf_next_note(notes, &at, &note);)
        if (note_is(&note, "AMDGPU", NOTE_METADATA))
            metadata_kernels(note.content, set_kernel, object);
        else if (note_is(&note, LINKAGE_NOTE_OWNER, LINKAGE_NOTE_TYPE))
            code_object_read_linkage(object, note.content);
        else if (note_is(&note, LINKAGE_NOTE_OWNER, LAUNCH_NOTE_TYPE))
            code_object_read_limits(object, note.content);
}

static hsa_status_t read_segment(struct code_object *object, const Elf64_Phdr *header)
{
    uint64_t end;
    CHECK(header->p_filesz <= header->p_memsz && range_inside(header->p_offset, header->p_filesz, object->size) &&
              !__builtin_add_overflow(header->p_vaddr, header->p_memsz, &end) && end <= SPAN_MAX &&
              object->segments.count < SEGMENTS_MAX,
          BAD);
    if (object->segments.count) {
        const struct code_segment *last = &object->segments.items[object->segments.count - 1];
        CHECK(header->p_vaddr >= last->address + last->memory_size, BAD); /* ascending, so never overlapping */
    }
    struct code_segment segment = {
        header->p_vaddr, header->p_memsz, header->p_offset, header->p_filesz, header->p_flags};
    return vec_push(&object->segments, segment) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

static hsa_status_t read_segments(struct code_object *object, const Elf64_Ehdr *header)
{
    CHECK(header->e_phentsize == sizeof(Elf64_Phdr) &&
              range_inside(header->e_phoff, (uint64_t)header->e_phnum * sizeof(Elf64_Phdr), object->size),
          BAD);
    for (unsigned i = 0; i < header->e_phnum; i++) {
        Elf64_Phdr segment;
        memcpy(&segment, object->image + header->e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_type != PT_LOAD || !segment.p_memsz)
            continue;
        hsa_status_t status = read_segment(object, &segment);
        CHECK(status == HSA_STATUS_SUCCESS, status);
    }
    CHECK(object->segments.count, BAD);
    const struct code_segment *first = object->segments.items, *last = first + object->segments.count - 1;
    object->low = first->address & ~(uint64_t)(PAGE - 1);
    object->span = align_up(last->address + last->memory_size - object->low, PAGE);
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t read_all_notes(struct code_object *object, const Elf64_Ehdr *header)
{
    bool fits = code_object_number(object);
    for (unsigned i = 0; i < header->e_phnum && fits; i++) {
        Elf64_Phdr segment;
        memcpy(&segment, object->image + header->e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_type == PT_NOTE)
            read_notes(object, bytes_slice(whole(object), segment.p_offset, segment.p_filesz));
    }
    hash_table_free(&object->numbers);
    return fits ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

/* Where the file holds the LENGTH bytes that are loaded at ADDRESS; NULL when it does not hold all of them. */
static const uint8_t *file_at(const struct code_object *object, uint64_t address, uint64_t length)
{
    for (size_t i = 0; i < object->segments.count; i++) {
        const struct code_segment *s = &object->segments.items[i];
        if (address >= s->address && range_inside(address - s->address, length, s->file_size))
            return object->image + s->file_offset + (address - s->address);
    }
    return NULL;
}

/* Whether [ADDRESS, ADDRESS + LENGTH) lies in one segment, whose flags become *FLAGS. */
static bool memory_at(const struct code_object *object, uint64_t address, uint64_t length, uint32_t *flags)
{
    for (size_t i = 0; i < object->segments.count; i++) {
        const struct code_segment *s = &object->segments.items[i];
        if (address >= s->address && range_inside(address - s->address, length, s->memory_size)) {
            *flags = s->flags;
            return true;
        }
    }
    return false;
}

/* ---- sections ---- */

static bool read_section(const struct code_object *object, const Elf64_Ehdr *header, unsigned index,
                         Elf64_Shdr *section)
{
    if (index >= header->e_shnum)
        return false;
    memcpy(section, object->image + header->e_shoff + (uint64_t)index * sizeof *section, sizeof *section);
    return section->sh_type == SHT_NOBITS || range_inside(section->sh_offset, section->sh_size, object->size);
}

struct bytes code_object_section(const struct code_object *object, const char *name)
{
    Elf64_Ehdr header;
    Elf64_Shdr section;
    struct bytes names = {NULL, 0};
    size_t size = strlen(name) + 1;
    memcpy(&header, object->image, sizeof header);
    if (read_section(object, &header, header.e_shstrndx, &section))
        names = bytes_slice(whole(object), section.sh_offset, section.sh_size);
    for (unsigned i = 0; i < header.e_shnum && names.size; i++)
        if (read_section(object, &header, i, &section) && section.sh_type != SHT_NOBITS &&
            !(section.sh_flags & SHF_COMPRESSED) && range_inside(section.sh_name, size, names.size) &&
            !memcmp(names.data + section.sh_name, name, size))
            return bytes_slice(whole(object), section.sh_offset, section.sh_size);
    return (struct bytes){NULL, 0};
}

static hsa_status_t read_sections(struct code_object *object, const Elf64_Ehdr *header)
{
    if (!header->e_shnum)
        return BAD;
    CHECK(header->e_shentsize == sizeof(Elf64_Shdr) &&
              range_inside(header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr), object->size),
          BAD);
    for (unsigned i = 0; i < header->e_shnum; i++) {
        Elf64_Shdr section, strings;
        CHECK(read_section(object, header, i, &section), BAD);
        struct bytes content = bytes_slice(whole(object), section.sh_offset, section.sh_size);
        if (section.sh_type == SHT_DYNSYM) {
            CHECK(!object->symtab.data && read_section(object, header, section.sh_link, &strings) &&
                      strings.sh_type == SHT_STRTAB && section.sh_size % sizeof(Elf64_Sym) == 0,
                  BAD);
            object->symtab = content;
            object->strtab = bytes_slice(whole(object), strings.sh_offset, strings.sh_size);
            CHECK(!object->strtab.size || !object->strtab.data[object->strtab.size - 1], BAD);
        } else if (section.sh_type == SHT_RELA && section.sh_flags & SHF_ALLOC) {
            CHECK(section.sh_size % sizeof(Elf64_Rela) == 0, BAD);
            CHECK(vec_push(&object->relocations, content), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
        } else {
            CHECK(section.sh_type != SHT_REL || !(section.sh_flags & SHF_ALLOC), BAD);
        }
    }
    return HSA_STATUS_SUCCESS;
}

/* ---- symbols ---- */

static bool ends_with_kd(const char *name)
{
    size_t length = strlen(name);
    return length > 3 && !strcmp(name + length - 3, ".kd");
}

/* Takes the kernel's sizes from its descriptor, for a kernel that no metadata describes. */
static hsa_status_t read_descriptor(const struct code_object *object, struct code_symbol *symbol)
{
    amd_kernel_descriptor_t descriptor;
    uint32_t flags;
    const uint8_t *at = file_at(object, symbol->value, sizeof descriptor);
    CHECK(at && symbol->value % _Alignof(amd_kernel_descriptor_t) == 0, BAD);
    memcpy(&descriptor, at, sizeof descriptor);
    uint64_t entry = symbol->value + (uint64_t)descriptor.kernel_code_entry_byte_offset;
    CHECK(memory_at(object, entry, 4, &flags) && flags & PF_X && entry % 256 == 0, BAD);
    symbol->kernel = (struct kernel_info){
        .kernarg_size = descriptor.kernarg_size,
        .kernarg_align = 1,
        .group_size = descriptor.group_segment_fixed_size,
        .private_size = descriptor.private_segment_fixed_size,
        .wavefront_size = descriptor.kernel_code_properties & AMD_KERNEL_ENABLE_WAVEFRONT_SIZE32 ? 32 : 64,
        .dynamic_stack = descriptor.kernel_code_properties & AMD_KERNEL_USES_DYNAMIC_STACK,
    };
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t read_symbol(struct code_object *object, const Elf64_Sym *entry)
{
    unsigned type = ELF64_ST_TYPE(entry->st_info), binding = ELF64_ST_BIND(entry->st_info);
    CHECK(entry->st_name < object->strtab.size, BAD);
    struct code_symbol symbol = {
        .name = (const char *)object->strtab.data + entry->st_name,
        .value = entry->st_value,
        .size = entry->st_size,
        .defined = entry->st_shndx != SHN_UNDEF,
        .weak = binding == STB_WEAK,
        .code_object = object};
    if (!*symbol.name || entry->st_shndx == SECTION_LDS || entry->st_shndx == SHN_ABS)
        return HSA_STATUS_SUCCESS;
    if (symbol.defined && (binding == STB_LOCAL || type != STT_OBJECT))
        return HSA_STATUS_SUCCESS;
    if (symbol.defined) {
        uint32_t flags;
        CHECK(memory_at(object, symbol.value, symbol.size, &flags), BAD);
        symbol.constant = !(flags & PF_W);
        symbol.align = symbol.value ? (uint32_t)1 << (__builtin_ctzll(symbol.value) & 15) : 1;
        if (ends_with_kd(symbol.name)) {
            symbol.kind = HSA_SYMBOL_KIND_KERNEL;
            hsa_status_t status = read_descriptor(object, &symbol);
            CHECK(status == HSA_STATUS_SUCCESS, status);
        }
    }
    return vec_push(&object->symbols, symbol) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

static hsa_status_t read_symbols(struct code_object *object)
{
    for (size_t at = sizeof(Elf64_Sym); at < object->symtab.size; at += sizeof(Elf64_Sym)) {
        Elf64_Sym entry;
        memcpy(&entry, object->symtab.data + at, sizeof entry);
        hsa_status_t status = read_symbol(object, &entry);
        CHECK(status == HSA_STATUS_SUCCESS, status);
    }
    return HSA_STATUS_SUCCESS;
}

/* ---- the whole ---- */

static hsa_status_t take_apart(struct code_object *object)
{
    Elf64_Ehdr header;
    hsa_status_t status = read_header(object, &header);
    if (status == HSA_STATUS_SUCCESS)
        status = read_segments(object, &header);
    if (status == HSA_STATUS_SUCCESS)
        status = read_sections(object, &header);
    if (status == HSA_STATUS_SUCCESS)
        status = read_symbols(object);
    if (status == HSA_STATUS_SUCCESS)
        status = read_all_notes(object, &header);
    return status;
}

hsa_status_t code_object_open(const void *bytes, size_t size, struct code_object **result)
{
    struct code_object *object = mem_zalloc(1, sizeof *object);
    CHECK(object, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    object->image = mem_alloc(size);
    object->size = size;
    hsa_status_t status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    if (object->image) {
        memcpy(object->image, bytes, size);
        status = take_apart(object);
    }
    if (status == HSA_STATUS_SUCCESS)
        *result = object;
    else
        code_object_close(object);
    return status;
}

void code_object_close(struct code_object *object)
{
    if (!object)
        return;
    for (size_t i = 0; i < object->symbols.count; i++)
        handle_delete(object->symbols.items[i].handle);
    vec_free(&object->symbols);
    vec_free(&object->segments);
    vec_free(&object->relocations);
    mem_free(object->image);
    mem_free(object);
}

struct code_symbol *code_object_symbol(struct code_object *object, const char *module, const char *name)
{
    for (size_t i = 0; i < object->symbols.count; i++)
        if (code_symbol_is_called(&object->symbols.items[i], module, name))
            return &object->symbols.items[i];
    return NULL;
}

/* Long because it is a list: one case per attribute. */
bool code_symbol_attribute(const struct code_symbol *symbol, int attribute, void *value)
{
    bool kernel = symbol->kind == HSA_SYMBOL_KIND_KERNEL, variable = symbol->kind == HSA_SYMBOL_KIND_VARIABLE;
    struct bytes name = code_symbol_name(symbol);
    const char *module = symbol->module ? symbol->module : "";
    switch (attribute) {
    case HSA_EXECUTABLE_SYMBOL_INFO_TYPE: PUT(hsa_symbol_kind_t, symbol->kind); return true;
    case HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH: PUT(uint32_t, (uint32_t)name.size); return true;
    case HSA_EXECUTABLE_SYMBOL_INFO_NAME: memcpy(value, name.data, name.size); return true;
    case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME_LENGTH: PUT(uint32_t, (uint32_t)strlen(module)); return true;
    case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME: memcpy(value, module, strlen(module)); return true;
    case HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE:
        PUT(hsa_symbol_linkage_t, symbol->module ? HSA_SYMBOL_LINKAGE_MODULE : HSA_SYMBOL_LINKAGE_PROGRAM);
        return true;
    case HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION: PUT(bool, symbol->defined); return true;
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SEGMENT:
        if (variable)
            PUT(hsa_variable_segment_t, symbol->constant ? HSA_VARIABLE_SEGMENT_READONLY : HSA_VARIABLE_SEGMENT_GLOBAL);
        return variable;
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT:
        if (variable)
            PUT(uint32_t, symbol->align);
        return variable;
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE:
        if (variable)
            PUT(uint32_t, (uint32_t)symbol->size);
        return variable;
    case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST:
        if (variable)
            PUT(bool, symbol->constant);
        return variable;
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE:
        if (kernel)
            PUT(uint32_t, symbol->kernel.kernarg_size);
        return kernel;
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT:
        if (kernel)
            PUT(uint32_t,
                symbol->kernel.kernarg_align < KERNARG_ALIGN_MIN ? KERNARG_ALIGN_MIN : symbol->kernel.kernarg_align);
        return kernel;
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE:
        if (kernel)
            PUT(uint32_t, symbol->kernel.group_size);
        return kernel;
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE:
        if (kernel)
            PUT(uint32_t, symbol->kernel.private_size);
        return kernel;
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK:
        if (kernel)
            PUT(bool, symbol->kernel.dynamic_stack);
        return kernel;
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_CALL_CONVENTION:
        if (kernel)
            PUT(uint32_t, 0);
        return kernel;
    }
    return false;
}
