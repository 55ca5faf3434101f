/* SPDX-License-Identifier: MIT */
/* Signatures of kernels as text, and from the metadata of code objects; see run_signature.h.
 * Input: bytes of any content. Output: a signature. Invariant: sizes and offsets are as the metadata says; whether they
 * fit the kernarg segment is checked where arguments are placed. */
#include "tools/run_signature.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "support/alloc.h"
#include "support/elf_note.h"
#include "support/kernel_argument.h"
#include "support/launch_note.h"
#include "support/linkage_note.h"
#include "support/msgpack.h"

enum {
    HARDWARE_GROUP = 1024 /* work-items in the largest group that any processor takes */
};

static void print_formal(const struct run_formal *formal, FILE *to)
{
    fprintf(to, "%s", formal->type);
    if (*formal->name)
        fprintf(to, " %s%s", *formal->name == '%' ? "" : "%", formal->name);
    if (formal->count != 1)
        fprintf(to, "[%" PRIu32 "]", formal->count);
}

static void print_sizes(FILE *to, const char *what, const uint64_t sizes[3])
{
    fprintf(to, "; %s %" PRIu64 ",%" PRIu64 ",%" PRIu64, what, sizes[0], sizes[1], sizes[2]);
}

static void print_limits(const struct run_limits *limits, FILE *to)
{
    if (limits->dimensions)
        fprintf(to, "; %" PRIu32 " dimension%s required", limits->dimensions, limits->dimensions > 1 ? "s" : "");
    if (limits->grid[0])
        print_sizes(to, "grid required", limits->grid);
    if (limits->group[0])
        print_sizes(to, "group required", (uint64_t[]){limits->group[0], limits->group[1], limits->group[2]});
    if (limits->flat_grid)
        fprintf(to, "; at most %" PRIu64 " work-items", limits->flat_grid);
    if (limits->flat_group && limits->flat_group != limits->group[0] * limits->group[1] * limits->group[2])
        fprintf(to, "; at most %" PRIu32 " work-items in a group", limits->flat_group);
    if (limits->whole_groups)
        fprintf(to, "; no partial groups");
    if (limits->dynamic_group)
        fprintf(to, "; at most %" PRIu64 " bytes of dynamic group memory", limits->dynamic_group - 1);
}

void run_signature_print(const struct run_signature *signature, const char *name, FILE *to)
{
    const char *separator = "";
    size_t length = strlen(name);
    if (length > 3 && !strcmp(name + length - 3, ".kd")) /* the symbol of the kernel's descriptor */
        length -= 3;
    fprintf(to, "%.*s(", (int)length, name);
    for (size_t i = 0; i < signature->formals.count; i++) {
        const struct run_formal *formal = &signature->formals.items[i];
        if (formal->kind == RUN_FORMAL_HIDDEN)
            continue;
        fputs(separator, to);
        print_formal(formal, to);
        separator = ", ";
    }
    fputc(')', to);
    print_limits(&signature->limits, to);
}

void run_signature_free(struct run_signature *signature)
{
    for (size_t i = 0; i < signature->formals.count; i++)
        mem_free(signature->formals.items[i].name);
    vec_free(&signature->formals);
    *signature = (struct run_signature){0};
}

/* ---- metadata ---- */

static const struct {
    const char *text;
    enum run_hidden hidden;
} hidden_kinds[] = {
#define HIDDEN(name, text, dimension, value) {text, RUN_HIDDEN_##name},
#include "tools/run_hidden.def"
};

/* Sets the kind of a formal argument from what the metadata says of it. */
static void set_kind(struct run_formal *formal, const struct kernel_argument *argument)
{
    struct bytes kind = argument->kind, rest;
    if (kernel_argument_is_hidden(argument, &rest)) {
        formal->kind = RUN_FORMAL_HIDDEN;
        for (size_t i = 0; i < sizeof hidden_kinds / sizeof *hidden_kinds; i++)
            if (bytes_are_text(rest, hidden_kinds[i].text))
                formal->hidden = hidden_kinds[i].hidden;
    } else if (bytes_are_text(kind, "global_buffer")) {
        formal->kind = RUN_FORMAL_ADDRESS;
    } else if (bytes_are_text(kind, "sampler") || bytes_are_text(kind, "image") || bytes_are_text(kind, "pipe") ||
               bytes_are_text(kind, "queue")) {
        formal->kind = RUN_FORMAL_HANDLE;
    }
}

/* Describes a value of which only the size is known: elements as large as its size and offset allow, at most 8 bytes
 * each. */
static void set_elements(struct run_formal *formal, uint32_t size)
{
    uint32_t bytes = 8;
    while (size % bytes || formal->offset % bytes)
        bytes /= 2;
    formal->bytes = size ? bytes : 1;
    formal->count = size / formal->bytes;
    if (formal->kind == RUN_FORMAL_ADDRESS)
        snprintf(formal->type, sizeof formal->type, "address");
    else if (formal->kind == RUN_FORMAL_HANDLE)
        snprintf(formal->type, sizeof formal->type, "handle");
    else
        snprintf(formal->type, sizeof formal->type, "b%" PRIu32, formal->bytes * 8);
}

/* A value whose type OpenCL C names is an integer, or a number with a fraction, of that size. */
static void set_type(struct run_formal *formal, struct bytes name)
{
    static const struct {
        const char *name;
        uint32_t bytes;
        enum run_formal_kind kind;
    } types[] = {{"char", 1, RUN_FORMAL_INTEGER},   {"uchar", 1, RUN_FORMAL_INTEGER}, {"short", 2, RUN_FORMAL_INTEGER},
                 {"ushort", 2, RUN_FORMAL_INTEGER}, {"int", 4, RUN_FORMAL_INTEGER},   {"uint", 4, RUN_FORMAL_INTEGER},
                 {"long", 8, RUN_FORMAL_INTEGER},   {"ulong", 8, RUN_FORMAL_INTEGER}, {"half", 2, RUN_FORMAL_FLOAT},
                 {"float", 4, RUN_FORMAL_FLOAT},    {"double", 8, RUN_FORMAL_FLOAT}};
    for (size_t i = 0; i < sizeof types / sizeof *types && formal->kind == RUN_FORMAL_BITS; i++)
        if (bytes_are_text(name, types[i].name) && formal->count == 1 && formal->bytes == types[i].bytes) {
            formal->kind = types[i].kind;
            snprintf(formal->type, sizeof formal->type, "%s", types[i].name);
        }
}

static bool add_formal(const struct kernel_argument *argument, struct run_signature *signature)
{
    struct run_formal formal = {.kind = RUN_FORMAL_BITS, .offset = argument->offset};
    uint32_t size = argument->size;
    set_kind(&formal, argument);
    struct run_formal typed = formal;
    if (formal.kind == RUN_FORMAL_BITS && run_signature_hsail_type(argument->type, &typed) && size &&
        size % typed.bytes == 0) {
        formal = typed; /* the finalizer has named the type */
        formal.count = size / formal.bytes;
    } else {
        set_elements(&formal, size);
        set_type(&formal, argument->type);
    }
    formal.name = mem_zalloc(1, argument->name.size + 1);
    if (formal.name)
        memcpy(formal.name, argument->name.data, argument->name.size);
    if (!formal.name || !vec_push(&signature->formals, formal)) {
        mem_free(formal.name);
        return false;
    }
    return true;
}

static bool read_formals(struct msgpack_cursor *c, struct msgpack_item list, struct run_signature *signature)
{
    struct kernel_argument argument;
    for (uint64_t i = 0; i < list.number; i++)
        if (!kernel_argument_next(c, &argument) || !add_formal(&argument, signature))
            return false;
    return true;
}

/* Reads one kernel of the metadata, whose head has been read. Afterwards C may be anywhere. */
static bool read_kernel(struct msgpack_cursor *c, struct msgpack_item kernel, struct run_signature *signature)
{
    struct msgpack_item value;
    struct msgpack_cursor start = *c;
    if (msgpack_find(c, kernel, ".reqd_workgroup_size", &value) && value.kind == MSGPACK_ARRAY && value.number == 3)
        for (unsigned i = 0; i < 3; i++)
            signature->limits.group[i] = msgpack_u32(msgpack_next(c));
    *c = start;
    if (msgpack_find(c, kernel, ".max_flat_workgroup_size", &value) && value.kind == MSGPACK_UNSIGNED &&
        value.number < HARDWARE_GROUP) /* the largest possible value means that nobody has set a limit */
        signature->limits.flat_group = msgpack_u32(value);
    *c = start;
    if (!msgpack_find(c, kernel, ".args", &value))
        return true; /* a kernel without arguments */
    return value.kind == MSGPACK_ARRAY && read_formals(c, value, signature);
}

static bool is_kernel(struct msgpack_cursor c, struct msgpack_item kernel, const char *name)
{
    struct msgpack_item symbol;
    if (!msgpack_find(&c, kernel, ".symbol", &symbol) || symbol.kind != MSGPACK_TEXT)
        return false;
    size_t length = strlen(name), size = symbol.text.size;
    if (length > 3 && !strcmp(name + length - 3, ".kd"))
        length -= 3;
    return size == length + 3 && !memcmp(symbol.text.data, name, length);
}

/* Reads the limits of the kernel NAME from the finalizer's note, if there is one. */
static void read_limits(struct bytes code, const char *name, struct run_limits *limits)
{
    struct bytes note;
    struct launch_limits found;
    const char *symbol;
    size_t length = strlen(name);
    if (length > 3 && !strcmp(name + length - 3, ".kd"))
        length -= 3;
    if (!elf_find_note(code, LINKAGE_NOTE_OWNER, LAUNCH_NOTE_TYPE, &note))
        return;
    for (uint64_t at = 0; launch_note_next(note, &at, &symbol, &found);) {
        if (strlen(symbol) != length || memcmp(symbol, name, length) != 0)
            continue;
        limits->dimensions = found.dimensions <= 3 ? (uint32_t)found.dimensions : 0;
        for (unsigned i = 0; i < 3 && found.grid[0] && found.grid[1] && found.grid[2]; i++)
            limits->grid[i] = found.grid[i];
        limits->flat_grid = found.flat_grid;
        limits->dynamic_group = found.dynamic_group;
        limits->whole_groups = found.whole_groups;
    }
}

bool run_signature_of_code(struct bytes code, const char *name, struct run_signature *signature)
{
    struct bytes note;
    *signature = (struct run_signature){0};
    if (!elf_find_note(code, "AMDGPU", NOTE_METADATA, &note))
        return false;
    struct msgpack_cursor c = {note.data, note.data + note.size, false};
    struct msgpack_item kernels;
    if (!msgpack_find(&c, msgpack_next(&c), "amdhsa.kernels", &kernels) || kernels.kind != MSGPACK_ARRAY)
        return false;
    for (uint64_t i = 0; i < kernels.number && !c.bad; i++) {
        struct msgpack_item kernel = msgpack_next(&c);
        if (is_kernel(c, kernel, name)) {
            signature->position = i;
            signature->known = read_kernel(&c, kernel, signature);
            if (!signature->known)
                run_signature_free(signature);
            else
                read_limits(code, name, &signature->limits);
            return signature->known;
        }
        msgpack_skip(&c, kernel);
    }
    return false;
}
