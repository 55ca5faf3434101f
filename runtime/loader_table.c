/* SPDX-License-Identifier: MIT */
/* The table of AMD's loader extension: what is loaded where. (hsa_ven_amd_loader.h)
 *
 * Input: addresses, handles and attributes of any value. Output: what executables hold. Invariant: callbacks run
 * without a lock, over handles that were collected before. */
#include "runtime/loader_table.h"

#include "runtime/executable.h"
#include "runtime/memory.h"

#include "hsa/hsa_ven_amd_loader.h"

bool loader_usable(void)
{
    return true;
}

bool loader_of_agent(const struct agent *agent)
{
    return agent != NULL;
}

/* ---- by address ---- */

struct address_search {
    uint64_t address;
    hsa_executable_t executable;
    const void *host; /* NULL: the host cannot read that byte */
    bool found;
};

/* Where the host can read the byte that lies OFFSET bytes into the loaded code object, or NULL. */
static const void *host_byte(const struct loaded *loaded, uint64_t offset)
{
    const struct code_object *object = loaded->object;
    if (loaded->memory->memory.host_accessible)
        return loaded->memory->base + offset;
    for (size_t i = 0; i < object->segments.count; i++) {
        const struct code_segment *s = &object->segments.items[i];
        if (offset + object->low - s->address < s->file_size)
            return object->image + s->file_offset + (offset + object->low - s->address);
    }
    return NULL;
}

static void look_at_loaded(struct loaded *loaded, void *data)
{
    struct address_search *search = data;
    uint64_t offset = search->address - (uintptr_t)loaded->memory->base;
    if (offset >= loaded->object->span)
        return;
    search->found = true;
    search->host = host_byte(loaded, offset);
    search->executable.handle = loaded->executable->handle;
}

static hsa_status_t query_host_address(const void *device_address, const void **host_address)
{
    CHECK_UP();
    CHECK_ARGUMENT(device_address && host_address);
    struct address_search search = {.address = (uintptr_t)device_address};
    debugger_visit(look_at_loaded, &search);
    CHECK_ARGUMENT(search.host);
    *host_address = search.host;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t query_executable(const void *device_address, hsa_executable_t *executable)
{
    CHECK_UP();
    CHECK_ARGUMENT(device_address && executable);
    struct address_search search = {.address = (uintptr_t)device_address};
    debugger_visit(look_at_loaded, &search);
    CHECK_ARGUMENT(search.found);
    *executable = search.executable;
    return HSA_STATUS_SUCCESS;
}

/* ---- segments ---- */

struct listing {
    hsa_ven_amd_loader_segment_descriptor_t *to; /* NULL: count only */
    size_t room, count;
};

static void list_segments(struct loaded *loaded, void *data)
{
    struct listing *listing = data;
    const struct code_object *object = loaded->object;
    for (size_t i = 0; i < object->segments.count; i++, listing->count++) {
        const struct code_segment *s = &object->segments.items[i];
        if (!listing->to || listing->count >= listing->room)
            continue;
        listing->to[listing->count] = (hsa_ven_amd_loader_segment_descriptor_t){
            .agent = loaded->agent ? loaded->agent->handle : (hsa_agent_t){0},
            .executable = {loaded->executable->handle},
            .code_object_storage_type = HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY,
            .code_object_storage_base = object->image,
            .code_object_storage_size = object->size,
            .code_object_storage_offset = s->file_offset,
            .segment_base = loaded->memory->base + (s->address - object->low),
            .segment_size = s->memory_size,
        };
    }
}

static hsa_status_t query_segment_descriptors(hsa_ven_amd_loader_segment_descriptor_t *segment_descriptors,
                                              size_t *num_segment_descriptors)
{
    CHECK_UP();
    CHECK_ARGUMENT(num_segment_descriptors && !segment_descriptors == !*num_segment_descriptors);
    struct listing listing = {segment_descriptors, *num_segment_descriptors, 0};
    debugger_visit(list_segments, &listing);
    CHECK(!segment_descriptors || listing.count == listing.room, HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    *num_segment_descriptors = listing.count;
    return HSA_STATUS_SUCCESS;
}

/* ---- code objects and executables ---- */

static hsa_status_t iterate_loaded(
    hsa_executable_t handle,
    hsa_status_t (*callback)(hsa_executable_t executable, hsa_loaded_code_object_t loaded_code_object, void *data),
    void *data)
{
    CHECK_UP();
    struct executable *executable = handle_get(handle.handle, HANDLE_EXECUTABLE);
    CHECK(executable, HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    CHECK_ARGUMENT(callback);
    hsa_status_t status = HSA_STATUS_SUCCESS;
    for (size_t i = 0; status == HSA_STATUS_SUCCESS; i++) {
        pthread_mutex_lock(&executable->lock);
        uint64_t loaded = i < executable->loaded.count ? executable->loaded.items[i]->handle : 0;
        pthread_mutex_unlock(&executable->lock);
        if (!loaded)
            break;
        status = callback(handle, (hsa_loaded_code_object_t){loaded}, data);
    }
    return status;
}

static hsa_status_t get_info(hsa_loaded_code_object_t handle, hsa_ven_amd_loader_loaded_code_object_info_t attribute,
                             void *value)
{
    CHECK_UP();
    const struct loaded *loaded = handle_get(handle.handle, HANDLE_LOADED_CODE_OBJECT);
    CHECK(loaded, HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    CHECK_ARGUMENT(value);
    const struct code_object *object = loaded->object;
    switch (attribute) {
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_EXECUTABLE:
        PUT(hsa_executable_t, (hsa_executable_t){loaded->executable->handle});
        return HSA_STATUS_SUCCESS;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_KIND:
        PUT(uint32_t, loaded->agent ? HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_AGENT
                                    : HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_PROGRAM);
        return HSA_STATUS_SUCCESS;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_AGENT:
        CHECK_ARGUMENT(loaded->agent);
        PUT(hsa_agent_t, loaded->agent->handle);
        return HSA_STATUS_SUCCESS;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE:
        PUT(uint32_t, HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY);
        return HSA_STATUS_SUCCESS;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE:
        PUT(uint64_t, (uintptr_t)object->image);
        return HSA_STATUS_SUCCESS;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_SIZE:
        PUT(uint64_t, object->size);
        return HSA_STATUS_SUCCESS;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA:
        PUT(int64_t, (int64_t)((uintptr_t)loaded->memory->base - object->low));
        return HSA_STATUS_SUCCESS;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE:
        PUT(uint64_t, (uintptr_t)loaded->memory->base);
        return HSA_STATUS_SUCCESS;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE: PUT(uint64_t, object->span); return HSA_STATUS_SUCCESS;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH:
        PUT(uint32_t, (uint32_t)strlen(loaded->uri));
        return HSA_STATUS_SUCCESS;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI:
        memcpy(value, loaded->uri, strlen(loaded->uri));
        return HSA_STATUS_SUCCESS;
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_FILE: break; /* none is in a file */
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

static struct {
    pthread_mutex_t lock;
    VEC(uint64_t) handles;
    bool full; /* memory ran out */
} collection = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void collect_loaded(void *object)
{
    const struct executable *executable = object;
    if (!vec_push(&collection.handles, executable->handle))
        collection.full = true;
}

static hsa_status_t iterate_executables(hsa_status_t (*callback)(hsa_executable_t executable, void *data), void *data)
{
    CHECK_UP();
    CHECK_ARGUMENT(callback);
    pthread_mutex_lock(&collection.lock);
    collection.full = false;
    handle_visit(HANDLE_EXECUTABLE, collect_loaded);
    __typeof__(collection.handles) handles = collection.handles;
    hsa_status_t status = collection.full ? HSA_STATUS_ERROR_OUT_OF_RESOURCES : HSA_STATUS_SUCCESS;
    memset(&collection.handles, 0, sizeof collection.handles);
    pthread_mutex_unlock(&collection.lock);
    for (size_t i = 0; i < handles.count && status == HSA_STATUS_SUCCESS; i++)
        status = callback((hsa_executable_t){handles.items[i]}, data);
    vec_free(&handles);
    return status;
}

static hsa_status_t create_reader(hsa_file_t file, size_t offset, size_t size,
                                  hsa_code_object_reader_t *code_object_reader)
{
    CHECK_UP();
    CHECK_ARGUMENT(size && code_object_reader);
    return reader_from_file(file, offset, size, code_object_reader);
}

const void *loader_table(void)
{
    static const hsa_ven_amd_loader_1_03_pfn_t table = {
        query_host_address, query_segment_descriptors, query_executable, iterate_loaded, get_info,
        create_reader,      iterate_executables,
    };
    return &table;
}
