/* SPDX-License-Identifier: MIT */
/* Images, samplers, signals and queues as arguments; see run_object.h for their form.
 * Input: one word of the command line. Output: a handle of the runtime, and what the kernel has left in it.
 * Invariant: what an agent cannot make is refused with the runtime's reason. */
#include "tools/run_object.h"

#include "hsail/reader.h"
#include "support/image_gfx9.h"
#include "tools/hsa_util.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_PACKETS = 64, MAX_PACKETS = 1 << 20, ENUM_VALUES = 32 };

static const struct {
    const char *word;
    enum run_object_kind kind;
    hsa_access_permission_t access;
} words[] = {
    {"roimg", RUN_OBJECT_IMAGE, HSA_ACCESS_PERMISSION_RO},
    {"woimg", RUN_OBJECT_IMAGE, HSA_ACCESS_PERMISSION_WO},
    {"rwimg", RUN_OBJECT_IMAGE, HSA_ACCESS_PERMISSION_RW},
    {"samp", RUN_OBJECT_SAMPLER, 0},
    {"sig32", RUN_OBJECT_SIGNAL, 0},
    {"sig64", RUN_OBJECT_SIGNAL, 0},
    {"queue", RUN_OBJECT_QUEUE, 0},
};

/* The types of channels in memory, in the order in which HSA numbers the types of channels. */
static const char *const elements[] = {
    "s8", "s16", "u8", "u16", "b32", "b16", "b16", "b32", "s8", "s16", "s32", "u8", "u16", "u32", "f16", "f32"};

/* How many sizes the brackets of an image have, and whether the last of them counts layers. */
static const struct {
    uint8_t sizes;
    bool layers;
} geometries[] = {{1, false}, {2, false}, {3, false}, {2, true}, {3, true}, {1, false}, {2, false}, {3, true}};

/* Finds the value of SET whose word begins at *TEXT, and sets *TEXT to what follows it and SEPARATOR. The last word of
 * a list may be followed by the end. */
static bool read_word(const char **text, hsail_enum_t set, char separator, uint32_t *value)
{
    size_t length = strcspn(*text, ",:");
    for (uint32_t i = 0; i < ENUM_VALUES; i++) {
        const char *word = hsail_enum_text(set, i);
        if (!word || strlen(word) != length || memcmp(word, *text, length) != 0)
            continue;
        *value = i;
        *text += length;
        if (separator == ',')
            return *(*text)++ == ',';
        *text += **text == ':' && separator == ':';
        return !**text || (*text)[-1] == ':';
    }
    return false;
}

/* Reads "WIDTHxHEIGHTxDEPTH]:", as many sizes as there are, and returns how many; 0 if something else is there. */
static unsigned read_extent(const char **text, uint64_t sizes[3])
{
    char number[16];
    for (unsigned count = 0; count < 3; count++) {
        size_t length = strcspn(*text, "x]");
        if (length >= sizeof number)
            return 0;
        memcpy(number, *text, length);
        number[length] = 0;
        if (!cli_number(number, UINT32_MAX, &sizes[count]) || !sizes[count])
            return 0;
        *text += length;
        if (!strncmp(*text, "]:", 2)) {
            *text += 2;
            return count + 1;
        }
        if (*(*text)++ != 'x')
            return 0;
    }
    return 0;
}

static const char *parse_image(const char *text, struct run_object *object)
{
    uint64_t sizes[3] = {1, 1, 1};
    uint32_t geometry, order, type;
    unsigned count = *text == '[' ? (text++, read_extent(&text, sizes)) : 0;
    struct image_element element;
    if (!count)
        return "an image is written TYPE[WIDTH]:GEOMETRY,ORDER,CHANNEL, with as many sizes as it has, as in [4x3]";
    if (!read_word(&text, HSAIL_ENUM_IMAGE_GEOMETRY, ',', &geometry) ||
        !read_word(&text, HSAIL_ENUM_IMAGE_CHANNEL_ORDER, ',', &order) ||
        !read_word(&text, HSAIL_ENUM_IMAGE_CHANNEL_TYPE, ':', &type))
        return "an image needs a geometry, a channel order and a channel type, as in 2d,rgba,unorm_int8";
    if (count != geometries[geometry].sizes)
        return "an image of this geometry has another number of sizes";
    if (!image_element_of(geometry, type, order, &element))
        return "there are no images of this format";
    bool layers = geometries[geometry].layers;
    object->image = (hsa_ext_image_descriptor_t){
        .geometry = (hsa_ext_image_geometry_t)geometry, .width = sizes[0], .format = {type, order}};
    if (count - layers > 1)
        object->image.height = sizes[1];
    if (count - layers > 2)
        object->image.depth = sizes[2];
    if (layers)
        object->image.array_size = sizes[count - 1];
    if (__builtin_mul_overflow(sizes[0] * element.bytes, sizes[1], &object->size) ||
        __builtin_mul_overflow(object->size, sizes[2], &object->size))
        return "the image is too large";
    object->element = elements[type];
    object->fill = text;
    return NULL;
}

static const char *parse_sampler(const char *text, struct run_object *object)
{
    uint32_t coord, filter, addressing;
    if (*text++ != ':' || !read_word(&text, HSAIL_ENUM_SAMPLER_COORD_NORMALIZATION, ',', &coord) ||
        !read_word(&text, HSAIL_ENUM_SAMPLER_FILTER, ',', &filter) ||
        !read_word(&text, HSAIL_ENUM_SAMPLER_ADDRESSING, 0, &addressing))
        return "a sampler is written samp:COORD,FILTER,ADDRESSING, as in samp:normalized,linear,clamp_to_edge";
    object->sampler = (hsa_ext_sampler_descriptor_t){coord, filter, addressing};
    return NULL;
}

static const char *parse_signal(const char *text, struct run_object *object)
{
    char *end = NULL;
    errno = 0;
    long long value = *text == ':' ? strtoll(text + 1, &end, 0) : 0;
    if (!end || end == text + 1 || *end || errno)
        return "a signal needs a value, as in sig64:1";
    object->value = value;
    return NULL;
}

static const char *parse_queue(const char *text, struct run_object *object)
{
    uint64_t packets = USUAL_PACKETS;
    if (*text &&
        (*text != ':' || !cli_number(text + 1, MAX_PACKETS, &packets) || !packets || (packets & (packets - 1)) != 0))
        return "a queue is written queue or queue:PACKETS, a power of two";
    object->packets = (uint32_t)packets;
    return NULL;
}

bool run_object_parse(const char *text, struct run_object *object, const char **why)
{
    size_t length = strcspn(text, "[:");
    *object = (struct run_object){0};
    *why = NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].word) != length || memcmp(words[i].word, text, length) != 0)
            continue;
        *object = (struct run_object){.kind = words[i].kind, .word = words[i].word, .access = words[i].access};
        switch (words[i].kind) {
        case RUN_OBJECT_IMAGE: *why = parse_image(text + length, object); break;
        case RUN_OBJECT_SAMPLER: *why = parse_sampler(text + length, object); break;
        case RUN_OBJECT_SIGNAL: *why = parse_signal(text + length, object); break;
        case RUN_OBJECT_QUEUE: *why = parse_queue(text + length, object); break;
        case RUN_OBJECT_NONE: break;
        }
        return !*why;
    }
    return false;
}

/* ---- with the runtime ---- */

static hsa_ext_image_region_t whole(const hsa_ext_image_descriptor_t *image)
{
    uint32_t height = image->height ? (uint32_t)image->height : 1, depth = image->depth ? (uint32_t)image->depth : 1;
    if (image->geometry == HSA_EXT_IMAGE_GEOMETRY_1DA)
        height = (uint32_t)image->array_size;
    else if (image->array_size)
        depth = (uint32_t)image->array_size;
    return (hsa_ext_image_region_t){.range = {(uint32_t)image->width, height, depth}};
}

static bool make_image(const struct cli_program *program, hsa_agent_t agent, const struct run_memory *memory,
                       struct run_object *object, const void *data)
{
    hsa_ext_image_data_info_t info;
    hsa_ext_image_t image = {0};
    hsa_ext_image_region_t region = whole(&object->image);
    if (!hsa_succeeded(program, hsa_ext_image_data_get_info(agent, &object->image, object->access, &info),
                       "asking for the size of an image"))
        return false;
    object->memory = memory->allocate(memory->context, info.size);
    if (!object->memory) {
        cli_error(program, "not enough memory for an image");
        return false;
    }
    memset(object->memory, 0, info.size);
    if (!hsa_succeeded(program, hsa_ext_image_create(agent, &object->image, object->memory, object->access, &image),
                       "creating an image"))
        return false;
    object->handle = image.handle;
    return hsa_succeeded(program, hsa_ext_image_import(agent, data, 0, 0, image, &region), "filling an image");
}

static bool make_queue(const struct cli_program *program, hsa_agent_t agent, struct run_object *object)
{
    hsa_queue_t *queue = NULL;
    bool made = hsa_succeeded(
        program,
        hsa_queue_create(agent, object->packets, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue),
        "creating a queue");
    object->handle = (uint64_t)(uintptr_t)queue;
    return made;
}

bool run_object_make(const struct cli_program *program, hsa_agent_t agent, const struct run_memory *memory,
                     struct run_object *object, const void *data)
{
    hsa_ext_sampler_t sampler = {0};
    hsa_signal_t signal = {0};
    bool made = true;
    switch (object->kind) {
    case RUN_OBJECT_NONE: break;
    case RUN_OBJECT_IMAGE: return make_image(program, agent, memory, object, data);
    case RUN_OBJECT_QUEUE: return make_queue(program, agent, object);
    case RUN_OBJECT_SAMPLER:
        made = hsa_succeeded(program, hsa_ext_sampler_create(agent, &object->sampler, &sampler), "creating a sampler");
        object->handle = sampler.handle;
        break;
    case RUN_OBJECT_SIGNAL:
        made = hsa_succeeded(program, hsa_signal_create(object->value, 0, NULL, &signal), "creating a signal");
        object->handle = signal.handle;
        break;
    }
    return made;
}

bool run_object_read(const struct cli_program *program, hsa_agent_t agent, struct run_object *object, void *data)
{
    hsa_ext_image_region_t region = whole(&object->image);
    if (object->kind == RUN_OBJECT_SIGNAL)
        object->value = hsa_signal_load_scacquire((hsa_signal_t){object->handle});
    return object->kind != RUN_OBJECT_IMAGE ||
           hsa_succeeded(program, hsa_ext_image_export(agent, (hsa_ext_image_t){object->handle}, data, 0, 0, &region),
                         "reading an image");
}

void run_object_free(hsa_agent_t agent, const struct run_memory *memory, struct run_object *object)
{
    switch (object->handle ? object->kind : RUN_OBJECT_NONE) {
    case RUN_OBJECT_NONE: break;
    case RUN_OBJECT_IMAGE: hsa_ext_image_destroy(agent, (hsa_ext_image_t){object->handle}); break;
    case RUN_OBJECT_SAMPLER: hsa_ext_sampler_destroy(agent, (hsa_ext_sampler_t){object->handle}); break;
    case RUN_OBJECT_SIGNAL: hsa_signal_destroy((hsa_signal_t){object->handle}); break;
    case RUN_OBJECT_QUEUE: hsa_queue_destroy((hsa_queue_t *)(uintptr_t)object->handle); break;
    }
    memory->release(memory->context, object->memory);
    object->handle = 0;
    object->memory = NULL;
}
