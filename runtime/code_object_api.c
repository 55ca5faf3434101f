/* SPDX-License-Identifier: MIT */
/* The API's code object readers, and the code objects that HSA 1.0 has handles for. (HSA 1.2; ROCR documentation 4.2,
 * 4.3)
 *
 * Input: files, memory and handles of any content. Output: struct code_object.
 * Invariant: the handle of a code object is the address of its image, as AMD's finalizer expects. It is used only
 * after it has been found in the list of images. */
#include "runtime/executable.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- readers ---- */

struct object_reader {
    const void *bytes;
    size_t size;
    void *own; /* the content of a file, which the reader owns; NULL when the client owns the bytes */
};

static hsa_status_t reader_make(const void *bytes, size_t size, void *own, hsa_code_object_reader_t *result)
{
    struct object_reader *reader = mem_alloc(sizeof *reader);
    uint64_t handle = reader ? handle_new(HANDLE_READER, reader) : 0;
    if (!handle) {
        mem_free(reader);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    *reader = (struct object_reader){bytes, size, own};
    result->handle = handle;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_code_object_reader_create_from_memory(const void *code_object, size_t size,
                                                               hsa_code_object_reader_t *code_object_reader)
{
    CHECK_UP();
    CHECK_ARGUMENT(code_object && size && code_object_reader);
    return reader_make(code_object, size, NULL, code_object_reader);
}

hsa_status_t reader_from_file(hsa_file_t file, size_t offset, size_t size, hsa_code_object_reader_t *result)
{
    struct stat is;
    CHECK(!fstat(file, &is) && S_ISREG(is.st_mode) && is.st_size > 0, HSA_STATUS_ERROR_INVALID_FILE);
    size = size ? size : (size_t)is.st_size - offset;
    CHECK(range_inside(offset, size, (size_t)is.st_size), HSA_STATUS_ERROR_INVALID_FILE);
    char *content = mem_alloc(size);
    CHECK(content, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    size_t done = 0;
    while (done < size) {
        ssize_t got = pread(file, content + done, size - done, (off_t)(offset + done));
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    hsa_status_t status = HSA_STATUS_ERROR_INVALID_FILE;
    if (done == size)
        status = reader_make(content, size, content, result);
    if (status != HSA_STATUS_SUCCESS)
        mem_free(content);
    return status;
}

HSA_API hsa_status_t hsa_code_object_reader_create_from_file(hsa_file_t file,
                                                             hsa_code_object_reader_t *code_object_reader)
{
    CHECK_UP();
    CHECK_ARGUMENT(code_object_reader);
    return reader_from_file(file, 0, 0, code_object_reader);
}

static void reader_free(void *object)
{
    struct object_reader *reader = object;
    mem_free(reader->own);
    mem_free(reader);
}

HSA_API hsa_status_t hsa_code_object_reader_destroy(hsa_code_object_reader_t handle)
{
    CHECK_UP();
    struct object_reader *reader = handle_get(handle.handle, HANDLE_READER);
    CHECK(reader, HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
    handle_delete(handle.handle);
    reader_free(reader);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t reader_open(hsa_code_object_reader_t handle, struct code_object **result)
{
    const struct object_reader *reader = handle_get(handle.handle, HANDLE_READER);
    CHECK(reader, HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
    return code_object_open(reader->bytes, reader->size, result);
}

/* ---- code objects as handles ---- */

static struct {
    pthread_mutex_t lock;
    VEC(struct code_object *) live;
} objects = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct code_object *object_find(hsa_code_object_t handle)
{
    struct code_object *found = NULL;
    pthread_mutex_lock(&objects.lock);
    for (size_t i = 0; i < objects.live.count && !found; i++)
        if ((uintptr_t)objects.live.items[i]->image == handle.handle)
            found = objects.live.items[i];
    pthread_mutex_unlock(&objects.lock);
    return found;
}

hsa_status_t code_object_copy(hsa_code_object_t handle, struct code_object **result)
{
    const struct code_object *object = object_find(handle);
    CHECK(object, HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    return code_object_open(object->image, object->size, result);
}

HSA_API hsa_status_t hsa_code_object_deserialize(void *serialized_code_object, size_t serialized_code_object_size,
                                                 const char *options, hsa_code_object_t *code_object)
{
    CHECK_UP();
    (void)options;
    CHECK_ARGUMENT(serialized_code_object && serialized_code_object_size && code_object);
    struct code_object *object;
    hsa_status_t status = code_object_open(serialized_code_object, serialized_code_object_size, &object);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    pthread_mutex_lock(&objects.lock);
    bool listed = vec_push(&objects.live, object);
    pthread_mutex_unlock(&objects.lock);
    if (!listed) {
        code_object_close(object);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    code_object->handle = (uintptr_t)object->image;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_code_object_serialize(
    hsa_code_object_t code_object,
    hsa_status_t (*alloc_callback)(size_t size, hsa_callback_data_t data, void **address),
    hsa_callback_data_t callback_data, const char *options, void **serialized_code_object,
    size_t *serialized_code_object_size)
{
    CHECK_UP();
    (void)options;
    const struct code_object *object = object_find(code_object);
    CHECK(object, HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    CHECK_ARGUMENT(alloc_callback && serialized_code_object && serialized_code_object_size);
    void *memory = NULL;
    hsa_status_t status = alloc_callback(object->size, callback_data, &memory);
    CHECK(status == HSA_STATUS_SUCCESS, status);
    CHECK(memory, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    memcpy(memory, object->image, object->size);
    *serialized_code_object = memory;
    *serialized_code_object_size = object->size;
    return HSA_STATUS_SUCCESS;
}

HSA_API hsa_status_t hsa_code_object_destroy(hsa_code_object_t code_object)
{
    CHECK_UP();
    struct code_object *object = NULL;
    pthread_mutex_lock(&objects.lock);
    for (size_t i = 0; i < objects.live.count && !object; i++)
        if ((uintptr_t)objects.live.items[i]->image == code_object.handle) {
            object = objects.live.items[i];
            objects.live.items[i] = objects.live.items[--objects.live.count];
        }
    pthread_mutex_unlock(&objects.lock);
    CHECK(object, HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    code_object_close(object);
    return HSA_STATUS_SUCCESS;
}

void code_objects_shut_down(void)
{
    handle_visit(HANDLE_READER, reader_free);
    for (size_t i = 0; i < objects.live.count; i++)
        code_object_close(objects.live.items[i]);
    vec_free(&objects.live);
}

HSA_API hsa_status_t hsa_code_object_get_info(hsa_code_object_t code_object, hsa_code_object_info_t attribute,
                                              void *value)
{
    CHECK_UP();
    const struct code_object *object = object_find(code_object);
    CHECK(object, HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    CHECK_ARGUMENT(value);
    switch ((int)attribute) {
    case HSA_CODE_OBJECT_INFO_VERSION: {
        char text[64] = {0};
        snprintf(text, sizeof text, "%u", object->version);
        memcpy(value, text, sizeof text);
        return HSA_STATUS_SUCCESS;
    }
    case HSA_CODE_OBJECT_INFO_TYPE:
        PUT(hsa_code_object_type_t, HSA_CODE_OBJECT_TYPE_PROGRAM);
        return HSA_STATUS_SUCCESS;
    case HSA_CODE_OBJECT_INFO_ISA: {
        const struct isa *isa = isa_for_code(NULL, object->isa, strlen(object->isa));
        CHECK(isa, HSA_STATUS_ERROR_INVALID_ISA_NAME);
        PUT(hsa_isa_t, isa->handle);
        return HSA_STATUS_SUCCESS;
    }
    case HSA_CODE_OBJECT_INFO_MACHINE_MODEL:
        PUT(hsa_machine_model_t, HSA_MACHINE_MODEL_LARGE);
        return HSA_STATUS_SUCCESS;
    case HSA_CODE_OBJECT_INFO_PROFILE: /* the format does not say; full is what runs everywhere here */
        PUT(hsa_profile_t, HSA_PROFILE_FULL);
        return HSA_STATUS_SUCCESS;
    case HSA_CODE_OBJECT_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
        PUT(hsa_default_float_rounding_mode_t, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR);
        return HSA_STATUS_SUCCESS;
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

/* ---- their symbols ---- */

/* Gives a symbol its handle on first use. */
static hsa_status_t symbol_handle(struct code_symbol *symbol, hsa_code_symbol_t *result)
{
    pthread_mutex_lock(&objects.lock);
    if (!symbol->handle)
        symbol->handle = handle_new(HANDLE_CODE_SYMBOL, symbol);
    result->handle = symbol->handle;
    pthread_mutex_unlock(&objects.lock);
    return result->handle ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

HSA_API hsa_status_t hsa_code_object_get_symbol_from_name(hsa_code_object_t code_object, const char *module_name,
                                                          const char *symbol_name, hsa_code_symbol_t *symbol)
{
    CHECK_UP();
    struct code_object *object = object_find(code_object);
    CHECK(object, HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    CHECK_ARGUMENT(symbol_name && symbol);
    struct code_symbol *found = code_object_symbol(object, module_name, symbol_name);
    CHECK(found, HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
    return symbol_handle(found, symbol);
}

HSA_API hsa_status_t hsa_code_object_get_symbol(hsa_code_object_t code_object, const char *symbol_name,
                                                hsa_code_symbol_t *symbol)
{
    return hsa_code_object_get_symbol_from_name(code_object, NULL, symbol_name, symbol);
}

HSA_API hsa_status_t hsa_code_symbol_get_info(hsa_code_symbol_t handle, hsa_code_symbol_info_t attribute, void *value)
{
    CHECK_UP();
    const struct code_symbol *symbol = handle_get(handle.handle, HANDLE_CODE_SYMBOL);
    CHECK(symbol, HSA_STATUS_ERROR_INVALID_CODE_SYMBOL);
    CHECK_ARGUMENT(value);
    if (attribute == HSA_CODE_SYMBOL_INFO_KERNEL_WAVEFRONT_SIZE && symbol->kind == HSA_SYMBOL_KIND_KERNEL) {
        PUT(uint32_t, symbol->kernel.wavefront_size);
        return HSA_STATUS_SUCCESS;
    }
    if (attribute == HSA_CODE_SYMBOL_INFO_VARIABLE_ALLOCATION && symbol->kind == HSA_SYMBOL_KIND_VARIABLE) {
        PUT(hsa_variable_allocation_t, HSA_VARIABLE_ALLOCATION_AGENT);
        return HSA_STATUS_SUCCESS;
    }
    /* Both kinds of symbols have the same numbers for the attributes that they share. */
    return code_symbol_attribute(symbol, (int)attribute, value)
               ? HSA_STATUS_SUCCESS
               : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

HSA_API hsa_status_t hsa_code_object_iterate_symbols(
    hsa_code_object_t code_object,
    hsa_status_t (*callback)(hsa_code_object_t code_object, hsa_code_symbol_t symbol, void *data), void *data)
{
    CHECK_UP();
    struct code_object *object = object_find(code_object);
    CHECK(object, HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    CHECK_ARGUMENT(callback);
    for (size_t i = 0; i < object->symbols.count; i++) {
        hsa_code_symbol_t symbol;
        hsa_status_t status = symbol_handle(&object->symbols.items[i], &symbol);
        CHECK(status == HSA_STATUS_SUCCESS, status);
        status = callback(code_object, symbol, data);
        CHECK(status == HSA_STATUS_SUCCESS, status);
    }
    return HSA_STATUS_SUCCESS;
}
