/* SPDX-License-Identifier: MIT */
/* The loader: places the segments of a code object in memory, defines its symbols and applies its relocations. (LLVM
 * AMDGPU guide, "Relocation Records"; ROCR documentation 4.3)
 *
 * Input: a struct code_object. Output: struct loaded, and the symbols of the executable with their addresses.
 * Invariant: references are resolved when the executable is frozen, because only then all definitions are known.
 * Nothing is written outside the image. Code that the host cannot reach is relocated in a copy, which is then sent
 * there. */
#include "runtime/executable.h"

#include "runtime/request.h"

#include <stdio.h>
#include <unistd.h>

enum {
    R_NONE = 0,
    R_ABS32_LO = 1,
    R_ABS32_HI = 2,
    R_ABS64 = 3,
    R_REL32 = 4,
    R_REL64 = 5,
    R_ABS32 = 6,
    R_REL32_LO = 10,
    R_REL32_HI = 11,
    R_RELATIVE64 = 13
};
enum { PAGE = 4096 };
#define BAD HSA_STATUS_ERROR_INVALID_CODE_OBJECT

/* ---- placing ---- */

static uint64_t loaded_address(const struct loaded *loaded, uint64_t virtual_address)
{
    return (uintptr_t)loaded->memory->base + (virtual_address - loaded->object->low);
}

static hsa_status_t place_segments(struct loaded *loaded)
{
    const struct code_object *object = loaded->object;
    hsa_status_t status = memory_obtain(HSAM_MEMORY_CODE, loaded->agent, NULL, object->span, &loaded->memory);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    if (loaded->memory->memory.host_accessible)
        loaded->image = (uint8_t *)loaded->memory->base;
    else
        loaded->image = mem_zalloc(1, object->span);
    CHECK(loaded->image && memory_list(loaded->memory), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    for (size_t i = 0; i < object->segments.count; i++) {
        const struct code_segment *s = &object->segments.items[i];
        memcpy(loaded->image + (s->address - object->low), object->image + s->file_offset, s->file_size);
    }
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t define_symbols(struct loaded *loaded)
{
    for (size_t i = 0; i < loaded->object->symbols.count; i++) {
        const struct code_symbol *symbol = &loaded->object->symbols.items[i];
        if (!symbol->defined)
            continue;
        CHECK(loaded->agent || symbol->kind != HSA_SYMBOL_KIND_KERNEL, HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
        hsa_status_t status = executable_define(
            loaded->executable, (struct executable_symbol){.is = *symbol,
                                                           .agent = loaded->agent,
                                                           .loaded = loaded,
                                                           .address = loaded_address(loaded, symbol->value)});
        CHECK(status == HSA_STATUS_SUCCESS, status);
    }
    return HSA_STATUS_SUCCESS;
}

hsa_status_t loader_load(struct executable *executable, struct agent *agent, struct code_object *object,
                         struct loaded **result)
{
    struct loaded *loaded = mem_zalloc(1, sizeof *loaded);
    if (!loaded) {
        code_object_close(object);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    *loaded = (struct loaded){.executable = executable, .agent = agent, .object = object};
    snprintf(loaded->uri, sizeof loaded->uri, "memory://%ld#offset=0x%llx&size=%zu", (long)getpid(),
             (unsigned long long)(uintptr_t)object->image, object->size);
    size_t symbols = executable->symbols.count;
    hsa_status_t status = place_segments(loaded);
    if (status == HSA_STATUS_SUCCESS)
        status = define_symbols(loaded);
    if (status == HSA_STATUS_SUCCESS) {
        loaded->handle = handle_new(HANDLE_LOADED_CODE_OBJECT, loaded);
        if (!loaded->handle || !vec_push(&executable->loaded, loaded))
            status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    if (status == HSA_STATUS_SUCCESS) {
        *result = loaded;
        return status;
    }
    executable_undefine(executable, symbols);
    loader_unload(loaded);
    return status;
}

/* Forgets the host's copy of memory that it cannot reach. */
static void drop_copy(struct loaded *loaded)
{
    if (loaded->memory && !loaded->memory->memory.host_accessible)
        mem_free(loaded->image);
    loaded->image = NULL;
}

void loader_unload(struct loaded *loaded)
{
    struct agent *agent = loaded->agent;
    hsam_handle_t client;
    struct request request;
    debugger_remove(loaded);
    if (loaded->announced && agent->interface.code_unload && agent_has_client(agent, &client))
        request_finish(&request,
                       agent->interface.code_unload(agent->driver, client, loaded->at_agent, request_start(&request)));
    drop_copy(loaded);
    memory_release(loaded->memory);
    handle_delete(loaded->handle);
    code_object_close(loaded->object);
    mem_free(loaded);
}

/* ---- binding ---- */

/* What NAME means to LOADED: a definition for its agent, else one for the program. */
static const struct executable_symbol *resolve(const struct loaded *loaded, const char *name)
{
    const struct executable_symbol *found = NULL;
    if (loaded->agent)
        found = executable_find_shared(loaded->executable, loaded->agent, name);
    return found ? found : executable_find_shared(loaded->executable, NULL, name);
}

/* The address of dynamic symbol INDEX. */
static hsa_status_t symbol_address(const struct loaded *loaded, uint32_t index, uint64_t *address)
{
    const struct code_object *object = loaded->object;
    Elf64_Sym symbol;
    *address = 0;
    if (index == 0)
        return HSA_STATUS_SUCCESS;
    CHECK(range_inside((uint64_t)index * sizeof symbol, sizeof symbol, object->symtab.size), BAD);
    memcpy(&symbol, object->symtab.data + index * sizeof symbol, sizeof symbol);
    if (symbol.st_shndx == SHN_ABS) {
        *address = symbol.st_value;
        return HSA_STATUS_SUCCESS;
    }
    if (symbol.st_shndx != SHN_UNDEF) {
        CHECK(symbol.st_value >= object->low && symbol.st_value - object->low <= object->span, BAD);
        *address = loaded_address(loaded, symbol.st_value);
        return HSA_STATUS_SUCCESS;
    }
    CHECK(symbol.st_name < object->strtab.size, BAD);
    const struct executable_symbol *found = resolve(loaded, (const char *)object->strtab.data + symbol.st_name);
    CHECK(found || ELF64_ST_BIND(symbol.st_info) == STB_WEAK, HSA_STATUS_ERROR_VARIABLE_UNDEFINED);
    if (found)
        *address = found->address;
    return HSA_STATUS_SUCCESS;
}

/* Only a symbol that a relocation names needs a definition: clang also leaves undefined symbols in the table that
 * nothing refers to, those of group variables for instance. */
bool loader_resolved(const struct loaded *loaded)
{
    for (size_t i = 0; i < loaded->object->relocations.count; i++) {
        struct bytes table = loaded->object->relocations.items[i];
        for (size_t at = 0; at < table.size; at += sizeof(Elf64_Rela)) {
            Elf64_Rela entry;
            uint64_t address;
            memcpy(&entry, table.data + at, sizeof entry);
            uint32_t type = ELF64_R_TYPE(entry.r_info);
            if (type != R_NONE && type != R_RELATIVE64 &&
                symbol_address(loaded, ELF64_R_SYM(entry.r_info), &address) == HSA_STATUS_ERROR_VARIABLE_UNDEFINED)
                return false;
        }
    }
    return true;
}

static hsa_status_t relocate_one(struct loaded *loaded, const Elf64_Rela *entry)
{
    const struct code_object *object = loaded->object;
    uint32_t type = ELF64_R_TYPE(entry->r_info);
    unsigned width = type == R_ABS64 || type == R_REL64 || type == R_RELATIVE64 ? 8 : 4;
    if (type == R_NONE)
        return HSA_STATUS_SUCCESS;
    CHECK(entry->r_offset >= object->low && range_inside(entry->r_offset - object->low, width, object->span), BAD);
    uint64_t symbol = 0, place = loaded_address(loaded, entry->r_offset), addend = (uint64_t)entry->r_addend;
    if (type != R_RELATIVE64) {
        hsa_status_t status = symbol_address(loaded, ELF64_R_SYM(entry->r_info), &symbol);
        CHECK(status == HSA_STATUS_SUCCESS, status);
    }
    uint8_t *at = loaded->image + (entry->r_offset - object->low);
    switch (type) {
    case R_ABS64: store64(at, symbol + addend); return HSA_STATUS_SUCCESS;
    case R_REL64: store64(at, symbol + addend - place); return HSA_STATUS_SUCCESS;
    case R_RELATIVE64: store64(at, loaded_address(loaded, addend)); return HSA_STATUS_SUCCESS;
    case R_ABS32:
        CHECK(symbol + addend <= UINT32_MAX, BAD);
        store32(at, (uint32_t)(symbol + addend));
        return HSA_STATUS_SUCCESS;
    case R_ABS32_LO: store32(at, (uint32_t)(symbol + addend)); return HSA_STATUS_SUCCESS;
    case R_ABS32_HI: store32(at, (uint32_t)((symbol + addend) >> 32)); return HSA_STATUS_SUCCESS;
    case R_REL32:
        CHECK((int64_t)(symbol + addend - place) == (int32_t)(symbol + addend - place), BAD);
        store32(at, (uint32_t)(symbol + addend - place));
        return HSA_STATUS_SUCCESS;
    case R_REL32_LO: store32(at, (uint32_t)(symbol + addend - place)); return HSA_STATUS_SUCCESS;
    case R_REL32_HI: store32(at, (uint32_t)((symbol + addend - place) >> 32)); return HSA_STATUS_SUCCESS;
    default: return BAD;
    }
}

static hsa_status_t relocate(struct loaded *loaded)
{
    for (size_t i = 0; i < loaded->object->relocations.count; i++) {
        struct bytes table = loaded->object->relocations.items[i];
        for (size_t at = 0; at < table.size; at += sizeof(Elf64_Rela)) {
            Elf64_Rela entry;
            memcpy(&entry, table.data + at, sizeof entry);
            hsa_status_t status = relocate_one(loaded, &entry);
            CHECK(status == HSA_STATUS_SUCCESS, status);
        }
    }
    return HSA_STATUS_SUCCESS;
}

static void protect_pages(const struct allocation *memory, uint64_t offset, uint64_t size)
{
    struct agent *provider = memory->provider;
    hsam_handle_t client;
    struct request request;
    if (provider->interface.memory_protect && agent_has_client(provider, &client))
        request_finish(&request, provider->interface.memory_protect(
                                     provider->driver, client, memory->base + offset, size, request_start(&request)));
}

/* Takes write access from every page that no writable segment shares, so that a stray store of a kernel
 * faults. */
static void protect(const struct loaded *loaded)
{
    const struct code_object *object = loaded->object;
    for (size_t i = 0; i < object->segments.count; i++) {
        const struct code_segment *s = &object->segments.items[i];
        if (s->flags & PF_W)
            continue;
        uint64_t from = (s->address - object->low) & ~(uint64_t)(PAGE - 1);
        uint64_t to = align_up(s->address + s->memory_size - object->low, PAGE);
        if (i && object->segments.items[i - 1].flags & PF_W &&
            object->segments.items[i - 1].address + object->segments.items[i - 1].memory_size - object->low > from)
            from += PAGE;
        if (i + 1 < object->segments.count && object->segments.items[i + 1].flags & PF_W &&
            object->segments.items[i + 1].address - object->low < to)
            to -= PAGE;
        if (from < to)
            protect_pages(loaded->memory, from, to - from);
    }
}

/* Writes the code to memory that the host cannot reach, and protects it. After that it does not change any more. */
static hsa_status_t settle(struct loaded *loaded)
{
    hsa_status_t status = HSA_STATUS_SUCCESS;
    if (!loaded->memory->memory.host_accessible)
        status = memory_write(loaded->memory, 0, loaded->image, loaded->object->span);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    drop_copy(loaded);
    protect(loaded);
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t announce_code(struct loaded *loaded)
{
    struct agent *agent = loaded->agent;
    const struct code_object *object = loaded->object;
    if (!agent || !agent->interface.code_load)
        return HSA_STATUS_SUCCESS;
    uint64_t low = UINT64_MAX, high = 0;
    for (size_t i = 0; i < object->segments.count; i++) {
        const struct code_segment *s = &object->segments.items[i];
        if (!(s->flags & PF_X) || !s->file_size) /* zeros that the file does not hold are not code */
            continue;
        low = s->address < low ? s->address : low;
        high = s->address + s->file_size;
    }
    hsam_code code = {.base = loaded->memory->base, .size = object->span, .isa = object->isa, .id = loaded->handle};
    if (low < high) {
        code.text = (const void *)(uintptr_t)loaded_address(loaded, low);
        code.text_size = high - low;
    }
    hsam_handle_t client;
    hsa_status_t status = agent_client(agent, &client);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    struct request request;
    HSAM_Error error = request_finish(
        &request, agent->interface.code_load(agent->driver, client, &code, request_start(&request), &loaded->at_agent));
    loaded->announced = error == HSAM_Done;
    return request_status(error);
}

hsa_status_t loader_finish(struct loaded *loaded)
{
    if (loaded->announced)
        return HSA_STATUS_SUCCESS;
    hsa_status_t status = loaded->image ? relocate(loaded) : HSA_STATUS_SUCCESS;
    if (status == HSA_STATUS_SUCCESS && loaded->image)
        status = settle(loaded);
    if (status == HSA_STATUS_SUCCESS && loaded->agent && loaded->memory->provider != loaded->agent)
        status = memory_tell(loaded->memory, loaded->agent);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    status = announce_code(loaded);
    if (status == HSA_STATUS_SUCCESS && !loaded->entry.l_name)
        debugger_add(loaded);
    return status;
}
