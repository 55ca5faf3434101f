/* SPDX-License-Identifier: MIT */
/* Names of addresses in loaded code.
 * Input: addresses of any value; code objects, whose symbols may say anything. Output: names and lines.
 * Invariant: nothing is read when code is loaded; only a search for a name takes time. */
#include "runtime/place.h"

#include "runtime/executable.h"
#include "runtime/lines.h"
#include "runtime/variables.h"

#include <stdio.h>
#include <string.h>

struct place_search {
    uint64_t address;
    hsam_place *place;   /* what to fill in, in a search for code */
    hsam_kernel *kernel; /* what to fill in, in a search for a kernel */
    const char *name;    /* of a variable */
    hsam_variable *variable;
    char *names;
    hsam_call *calls;
    hsam_argument *arguments;
    size_t count; /* the room for what is wanted, and then how much was found */
    bool found;
};

/* Turns ADDRESS into *AT, in the file's address space; false when LOADED does not hold the address. */
static bool file_address(const struct loaded *loaded, uint64_t address, uint64_t *at)
{
    uint64_t offset = address - (uintptr_t)loaded->memory->base;
    *at = loaded->object->low + offset;
    return offset < loaded->object->span;
}

/* Finds the dynamic symbol of the function that contains the file's address AT. A function whose size is not known
 * extends to the next one. */
static void find_function(const struct code_object *object, uint64_t at, hsam_place *place)
{
    uint64_t best = 0;
    for (size_t i = 0; i + 1 <= object->symtab.size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, object->symtab.data + i * sizeof symbol, sizeof symbol);
        if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF || symbol.st_value > at ||
            (symbol.st_size && at - symbol.st_value >= symbol.st_size) || symbol.st_name >= object->strtab.size ||
            (*place->function && symbol.st_value < best))
            continue;
        const char *name = (const char *)object->strtab.data + symbol.st_name;
        int length = (int)strnlen(name, object->strtab.size - symbol.st_name);
        snprintf(place->function, sizeof place->function, "%.*s", length, name);
        place->offset = at - symbol.st_value;
        best = symbol.st_value;
    }
}

static void look_for_code(struct loaded *loaded, void *data)
{
    struct place_search *search = data;
    uint64_t at;
    if (search->found || !file_address(loaded, search->address, &at))
        return;
    const struct code_object *object = loaded->object;
    search->found = true;
    find_function(object, at, search->place);
    lines_find(object, at, search->place->file, sizeof search->place->file, &search->place->line);
}

/* Fills in KERNEL from SYMBOL, whose name has LENGTH characters that count. */
static void tell_kernel(const struct code_symbol *symbol, size_t length, hsam_kernel *kernel)
{
    const struct kernel_info *info = &symbol->kernel;
    *kernel = (hsam_kernel){
        .has_registers = info->has_registers,
        .vgprs = info->vgprs,
        .agprs = info->agprs,
        .sgprs = info->sgprs,
        .vgpr_spills = info->vgpr_spills,
        .sgpr_spills = info->sgpr_spills,
        .kernarg_size = info->kernarg_size,
        .kernarg_align = info->kernarg_align,
        .group_size = info->group_size,
        .private_size = info->private_size,
        .required_group = {info->required_group[0], info->required_group[1], info->required_group[2]},
        .max_group = info->max_group,
        .is_opencl = info->is_opencl,
        .limits = {.dimensions = info->limits.dimensions,
                   .grid = {info->limits.grid[0], info->limits.grid[1], info->limits.grid[2]},
                   .flat_grid = info->limits.flat_grid,
                   .dynamic_group = info->limits.dynamic_group,
                   .whole_groups = info->limits.whole_groups}};
    snprintf(kernel->name, sizeof kernel->name, "%.*s", (int)length, symbol->name);
}

/* The kernel whose descriptor is at ADDRESS; NULL: LOADED has none there. */
static const struct code_symbol *kernel_at(const struct loaded *loaded, uint64_t address)
{
    uint64_t at;
    bool inside = file_address(loaded, address, &at);
    for (size_t i = 0; i < loaded->object->symbols.count && inside; i++) {
        const struct code_symbol *symbol = &loaded->object->symbols.items[i];
        if (symbol->kind == HSA_SYMBOL_KIND_KERNEL && symbol->defined && symbol->value == at)
            return symbol;
    }
    return NULL;
}

static void look_for_kernel(struct loaded *loaded, void *data)
{
    struct place_search *search = data;
    const struct code_symbol *symbol = search->found ? NULL : kernel_at(loaded, search->address);
    if (!symbol)
        return;
    size_t length = strlen(symbol->name);
    if (length > 3 && !strcmp(symbol->name + length - 3, ".kd"))
        length -= 3;
    tell_kernel(symbol, length, search->kernel);
    search->found = true;
}

static void look_for_variable(struct loaded *loaded, void *data)
{
    struct place_search *search = data;
    uint64_t at;
    if (search->found || !file_address(loaded, search->address, &at))
        return;
    search->found = variables_find(loaded->object, search->address - at, at, search->name, search->variable);
}

static void look_for_names(struct loaded *loaded, void *data)
{
    struct place_search *search = data;
    uint64_t at;
    if (search->found || !file_address(loaded, search->address, &at))
        return;
    search->found = true;
    search->count = variables_list(loaded->object, at, search->names, search->count);
}

static void look_for_arguments(struct loaded *loaded, void *data)
{
    struct place_search *search = data;
    const struct code_symbol *symbol = search->found ? NULL : kernel_at(loaded, search->address);
    if (!symbol)
        return;
    search->found = true;
    search->count = metadata_arguments(loaded->object, symbol->name, search->arguments, search->count);
}

static void look_for_calls(struct loaded *loaded, void *data)
{
    struct place_search *search = data;
    uint64_t at;
    if (search->found || !file_address(loaded, search->address, &at))
        return;
    search->found = true;
    search->count = calls_find(loaded->object, at, search->calls, search->count);
}

size_t service_code_calls(uint64_t pc, hsam_call *calls, size_t count)
{
    struct place_search search = {.address = pc, .calls = calls, .count = count};
    debugger_visit(look_for_calls, &search);
    return search.found ? search.count : 0;
}

bool place_kernel(uint64_t object, char *name)
{
    hsam_kernel kernel;
    bool found = service_kernel_known(object, &kernel);
    snprintf(name, PLACE_NAME, "%s", found ? kernel.name : "");
    return found;
}

bool service_code_place(uint64_t pc, hsam_place *place)
{
    struct place_search search = {.address = pc, .place = place};
    *place = (hsam_place){0};
    debugger_visit(look_for_code, &search);
    return search.found;
}

bool service_code_variable(uint64_t pc, const char *name, hsam_variable *variable)
{
    struct place_search search = {.address = pc, .name = name, .variable = variable};
    debugger_visit(look_for_variable, &search);
    return search.found;
}

size_t service_code_variables(uint64_t pc, char *names, size_t size)
{
    struct place_search search = {.address = pc, .names = names, .count = size};
    *names = 0;
    debugger_visit(look_for_names, &search);
    return search.found ? search.count : 0;
}

size_t service_kernel_arguments(uint64_t object, hsam_argument *arguments, size_t count)
{
    struct place_search search = {.address = object, .arguments = arguments, .count = count};
    debugger_visit(look_for_arguments, &search);
    return search.found ? search.count : 0;
}

bool service_kernel_known(uint64_t object, hsam_kernel *kernel)
{
    struct place_search search = {.address = object, .kernel = kernel};
    debugger_visit(look_for_kernel, &search);
    return search.found;
}
