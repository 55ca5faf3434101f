/* SPDX-License-Identifier: MIT */
/* Reads the metadata of a code object, a MessagePack document in one of its notes. (LLVM AMDGPU guide, "Code Object V3
 * Metadata" and later)
 *
 * Input: bytes of any content. Output: what the document says about each kernel.
 * Invariant: a document that is cut off, nested too deeply or of an unexpected shape is not refused; what it does not
 * say remains unknown. */
#include "runtime/code_object.h"
#include "support/elf_note.h"
#include "support/kernel_argument.h"

/* Numbers that are taken as they are. */
static const struct {
    const char *key;
    size_t offset;
} numbers[] = {
    {".kernarg_segment_size", offsetof(struct kernel_info, kernarg_size)},
    {".group_segment_fixed_size", offsetof(struct kernel_info, group_size)},
    {".private_segment_fixed_size", offsetof(struct kernel_info, private_size)},
    {".wavefront_size", offsetof(struct kernel_info, wavefront_size)},
    {".vgpr_count", offsetof(struct kernel_info, vgprs)},
    {".agpr_count", offsetof(struct kernel_info, agprs)},
    {".sgpr_count", offsetof(struct kernel_info, sgprs)},
    {".vgpr_spill_count", offsetof(struct kernel_info, vgpr_spills)},
    {".sgpr_spill_count", offsetof(struct kernel_info, sgpr_spills)},
    {".max_flat_workgroup_size", offsetof(struct kernel_info, max_group)},
};

static void read_number(struct msgpack_item key, struct msgpack_item value, struct kernel_info *info)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && value.kind == MSGPACK_UNSIGNED; i++)
        if (msgpack_is(key, numbers[i].key)) {
            uint32_t number = msgpack_u32(value);
            memcpy((char *)info + numbers[i].offset, &number, sizeof number);
            info->has_registers |= numbers[i].offset == offsetof(struct kernel_info, vgprs);
        }
}

/* Reads the three sizes of .reqd_workgroup_size, whose head is VALUE. */
static void read_group(struct msgpack_cursor *c, struct msgpack_item value, struct kernel_info *info)
{
    uint32_t sizes[3] = {0, 0, 0};
    for (uint64_t i = 0; i < value.number && !c->bad; i++) {
        struct msgpack_item size = msgpack_next(c);
        if (i < 3 && size.kind == MSGPACK_UNSIGNED)
            sizes[i] = msgpack_u32(size);
        msgpack_skip(c, size);
    }
    if (value.number == 3 && sizes[0] && sizes[1] && sizes[2])
        memcpy(info->required_group, sizes, sizeof sizes);
}

/* Whether an argument of the array headed by ARGS has the name of its type. Compilers of OpenCL C give it to all that
 * the program declares, so it tells OpenCL C from HIP: a program of HIP that is linked with ROCm's library of functions
 * for devices, which is written in OpenCL C, has the language of that library in its metadata. C stays where it is. */
static bool has_type_names(const struct msgpack_cursor *c, struct msgpack_item args)
{
    struct msgpack_cursor cursor = *c;
    for (uint64_t i = 0; args.kind == MSGPACK_ARRAY && i < args.number && !cursor.bad; i++) {
        struct msgpack_cursor inside;
        struct msgpack_item arg = msgpack_next(&cursor), name;
        inside = cursor;
        if (msgpack_find(&inside, arg, ".type_name", &name))
            return true;
        msgpack_skip(&cursor, arg);
    }
    return false;
}

/* One element of amdhsa.kernels. */
static void read_kernel(struct msgpack_cursor *c, uint64_t pairs,
                        void (*set)(struct bytes symbol, const struct kernel_info *info, void *data), void *data)
{
    struct kernel_info info = {.kernarg_align = 1, .wavefront_size = 64};
    struct bytes symbol = {NULL, 0};
    bool says_opencl = false, typed = false;
    for (uint64_t i = 0; i < pairs && !c->bad; i++) {
        struct msgpack_item key = msgpack_next(c), value = msgpack_next(c);
        if (msgpack_is(key, ".symbol") && value.kind == MSGPACK_TEXT)
            symbol = value.text;
        else if (msgpack_is(key, ".kernarg_segment_align") && value.kind == MSGPACK_UNSIGNED && value.number <= 4096 &&
                 is_power_of_two(value.number))
            info.kernarg_align = msgpack_u32(value);
        else if (msgpack_is(key, ".uses_dynamic_stack") && value.kind == MSGPACK_BOOLEAN)
            info.dynamic_stack = value.number;
        else if (msgpack_is(key, ".language"))
            says_opencl = msgpack_is(value, "OpenCL C");
        else if (msgpack_is(key, ".args"))
            typed = has_type_names(c, value);
        read_number(key, value, &info);
        msgpack_skip(c, key);
        if (msgpack_is(key, ".reqd_workgroup_size") && value.kind == MSGPACK_ARRAY) {
            read_group(c, value, &info);
            continue;
        }
        msgpack_skip(c, value);
    }
    info.is_opencl = says_opencl && typed;
    if (symbol.data && !c->bad)
        set(symbol, &info, data);
}

void metadata_kernels(struct bytes note, void (*set)(struct bytes symbol, const struct kernel_info *info, void *data),
                      void *data)
{
    struct msgpack_cursor c = {note.data, note.data + note.size, false};
    struct msgpack_item kernels = {0};
    if (!msgpack_find(&c, msgpack_next(&c), "amdhsa.kernels", &kernels) || kernels.kind != MSGPACK_ARRAY)
        return;
    for (uint64_t i = 0; i < kernels.number && !c.bad; i++) {
        struct msgpack_item kernel = msgpack_next(&c);
        if (kernel.kind == MSGPACK_MAP)
            read_kernel(&c, kernel.number, set, data);
        else
            msgpack_skip(&c, kernel);
    }
}

/* Tells of the arguments of KERNEL, whose head has been read: as many as ARGUMENTS has room for. */
static size_t read_arguments(struct msgpack_cursor c, struct msgpack_item kernel, hsam_argument *arguments,
                             size_t count)
{
    struct msgpack_item list;
    struct kernel_argument argument;
    struct bytes rest;
    size_t found = 0;
    if (!msgpack_find(&c, kernel, ".args", &list) || list.kind != MSGPACK_ARRAY)
        return 0;
    for (uint64_t i = 0; i < list.number && found < count && kernel_argument_next(&c, &argument); i++) {
        if (kernel_argument_is_hidden(&argument, &rest))
            continue;
        hsam_argument *to = &arguments[found++];
        *to = (hsam_argument){.offset = argument.offset, .size = argument.size};
        memcpy(to->name, argument.name.data,
               argument.name.size < sizeof to->name ? argument.name.size : sizeof to->name - 1);
        memcpy(to->type, argument.type.data,
               argument.type.size < sizeof to->type ? argument.type.size : sizeof to->type - 1);
    }
    return found;
}

size_t metadata_arguments(const struct code_object *object, const char *symbol, hsam_argument *arguments, size_t count)
{
    struct bytes note = {NULL, 0};
    elf_find_note((struct bytes){object->image, object->size}, "AMDGPU", NOTE_METADATA, &note);
    struct msgpack_cursor c = {note.data, note.data + note.size, false};
    struct msgpack_item kernels = {0}, name;
    if (!note.size || !msgpack_find(&c, msgpack_next(&c), "amdhsa.kernels", &kernels) || kernels.kind != MSGPACK_ARRAY)
        return 0;
    for (uint64_t i = 0; i < kernels.number && !c.bad; i++) {
        struct msgpack_item kernel = msgpack_next(&c);
        struct msgpack_cursor inside = c;
        if (msgpack_find(&inside, kernel, ".symbol", &name) && msgpack_is(name, symbol))
            return read_arguments(c, kernel, arguments, count);
        msgpack_skip(&c, kernel);
    }
    return 0;
}
