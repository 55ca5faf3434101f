/* SPDX-License-Identifier: MIT */
/* Images and samplers (PRM chapter 7).
 * Input: an instruction on an image handle, which is the address of a GFX9 resource made by the runtime. Output:
 * LLVM's intrinsics for the machine's image instructions; a query reads the resource.
 *
 * Texels have the type float throughout; the machine takes their bits for integers when the image format says so.
 * Invariant: a resource does not change while a kernel runs, so it counts as constant memory. */
#include "finalizer/lower_vector.h"
#include "support/sampler.h"

#include <stdio.h>
#include <string.h>

/* How the machine sees each geometry. */
static const struct shape {
    const char *name;
    uint8_t coordinates;
    bool is_depth, is_buffer;
} shapes[] = {
    [HSA_EXT_BRIG_IMAGE_GEOMETRY_1D] = {"1d", 1, false, false},
    [HSA_EXT_BRIG_IMAGE_GEOMETRY_2D] = {"2d", 2, false, false},
    [HSA_EXT_BRIG_IMAGE_GEOMETRY_3D] = {"3d", 3, false, false},
    [HSA_EXT_BRIG_IMAGE_GEOMETRY_1DA] = {"1darray", 2, false, false},
    [HSA_EXT_BRIG_IMAGE_GEOMETRY_2DA] = {"2darray", 3, false, false},
    [HSA_EXT_BRIG_IMAGE_GEOMETRY_1DB] = {"", 1, false, true},
    [HSA_EXT_BRIG_IMAGE_GEOMETRY_2DDEPTH] = {"2d", 2, true, false},
    [HSA_EXT_BRIG_IMAGE_GEOMETRY_2DADEPTH] = {"2darray", 3, true, false},
};

/* Indices of words of a resource; the runtime adds the last three for kernels to read. */
enum { WORD_SIZES = 2, WORD_LEVELS, WORD_LAYERS, WORD_TYPE = 8, WORD_ORDER = 9, WORD_BUFFER_WIDTH = 10 };

/* Returns the shape of an image instruction, or NULL after an error, such as a processor without image instructions. */
static const struct shape *open_image(struct fn *f, const struct lang_inst *in)
{
    const struct target *target = f->e->target;
    unsigned geometry = VALUE_OF(in, GEOMETRY);
    if (!target->processor->generation->images) {
        fn_fail(f, IMAGE_TARGET, in->op->text, target->cpu);
        return NULL;
    }
    if (geometry >= sizeof shapes / sizeof *shapes) {
        fn_unsupported(f, in);
        return NULL;
    }
    return &shapes[geometry];
}

/* Loads COUNT words, starting with word FIRST, of the resource whose handle is operand INDEX: a vector, or an integer
 * when COUNT is 1. */
static LLVMValueRef words(struct fn *f, const struct lang_inst *in, uint32_t index, unsigned first, unsigned count)
{
    struct emit *e = f->e;
    LLVMValueRef handle = lower_source(f, in, index, HSA_BRIG_TYPE_U64), at = emit_int(e, 64, 4 * first);
    LLVMValueRef place = LLVMBuildIntToPtr(e->b, handle, e->ptr[SPACE_CONSTANT], "");
    LLVMTypeRef type = count == 1 ? e->i32 : LLVMVectorType(e->i32, count);
    LLVMValueRef value = LLVMBuildLoad2(e->b, type, LLVMBuildGEP2(e->b, e->i8, place, &at, 1, ""), "");
    LLVMSetAlignment(value, 4);
    return value;
}

static LLVMTypeRef texel_type(struct fn *f, const struct shape *shape)
{
    return shape->is_depth ? f->e->f32 : LLVMVectorType(f->e->f32, 4);
}

/* LLVM's intrinsics, which are llvm.amdgcn.image.NAME.SHAPE; coordinates of a texel are integers, those of a place to
 * sample floating point numbers. Those of a level take its number after the coordinates, IMAGE_SAMPLE_GRADIENTS takes
 * derivatives before them, and the other two that sample take level 0. */
enum image_access {
    IMAGE_LOAD,
    IMAGE_STORE,
    IMAGE_LOAD_LEVEL,
    IMAGE_STORE_LEVEL,
    IMAGE_SAMPLE,
    IMAGE_SAMPLE_LEVEL,
    IMAGE_SAMPLE_GRADIENTS
};
static const char *const image_names[] = {
    "load", "store", "load.mip", "store.mip", "sample.lz", "sample.l", "sample.d"};

/* The arguments of an image intrinsic, as they are collected. */
struct image_arguments {
    LLVMValueRef items[24];
    unsigned count;
};

static void add_argument(struct image_arguments *to, LLVMValueRef value)
{
    to->items[to->count++] = value;
}

/* Adds the coordinates of ACCESS, which are the elements of operand INDEX; false: there are too many, or too few. */
static bool add_coordinates(struct fn *f, const struct lang_inst *in, enum image_access access, uint32_t index,
                            struct image_arguments *to)
{
    struct emit *e = f->e;
    struct brig_list coordinates = lower_elements(f, in, index);
    unsigned type = VALUE_OF(in, COORD), expected = shapes[VALUE_OF(in, GEOMETRY)].coordinates;
    if (coordinates.count != expected)
        return fn_fail(f, IMAGE_COORDINATES, (unsigned)coordinates.count, expected);
    for (unsigned i = 0; i < coordinates.count; i++) {
        LLVMValueRef coordinate = lower_value(f, coordinates.items[i], type);
        if (access >= IMAGE_SAMPLE && type != HSA_BRIG_TYPE_F32)
            coordinate = LLVMBuildSIToFP(e->b, coordinate, e->f32, "");
        add_argument(to, coordinate);
    }
    return true;
}

/* Adds the derivatives of the coordinates, but not those of the layer: along x (operand 4), then along y. */
static bool add_gradients(struct fn *f, const struct lang_inst *in, struct image_arguments *to)
{
    const struct shape *shape = &shapes[VALUE_OF(in, GEOMETRY)];
    unsigned expected = shape->coordinates - (strstr(shape->name, "array") ? 1u : 0u);
    for (uint32_t index = 4; index < 6; index++) {
        struct brig_list gradients = lower_elements(f, in, index);
        if (gradients.count != expected)
            return fn_fail(f, IMAGE_COORDINATES, (unsigned)gradients.count, expected);
        for (unsigned i = 0; i < gradients.count; i++)
            add_argument(to, lower_value(f, gradients.items[i], HSA_BRIG_TYPE_F32));
    }
    return true;
}

/* Calls the intrinsic of ACCESS for the image's shape with the arguments in FIRST, the coordinates in operand INDEX,
 * the level or derivatives in the operands after it, and the resource; NULL after an error. */
static LLVMValueRef call_image(struct fn *f, const struct lang_inst *in, enum image_access access, uint32_t index,
                               struct image_arguments *args)
{
    struct emit *e = f->e;
    const struct shape *shape = &shapes[VALUE_OF(in, GEOMETRY)];
    bool samples = access >= IMAGE_SAMPLE;
    LLVMTypeRef overloads[] = {texel_type(f, shape), samples ? e->f32 : e->i32, e->f32};
    LLVMValueRef none = emit_int(e, 32, 0);
    char text[64];
    if ((access == IMAGE_SAMPLE_GRADIENTS && !add_gradients(f, in, args)) ||
        !add_coordinates(f, in, access, index, args))
        return NULL;
    if (access == IMAGE_LOAD_LEVEL || access == IMAGE_STORE_LEVEL)
        add_argument(args, lower_source(f, in, index + 1, HSA_BRIG_TYPE_U32));
    if (access == IMAGE_SAMPLE_LEVEL)
        add_argument(args, lower_source(f, in, index + 1, HSA_BRIG_TYPE_F32));
    add_argument(args, words(f, in, 1, 0, 8));
    if (samples) {
        add_argument(args, words(f, in, 2, 0, SAMPLER_WORDS));
        add_argument(args, emit_int(e, 1, 0));
    }
    add_argument(args, none);
    add_argument(args, none);
    snprintf(text, sizeof text, "llvm.amdgcn.image.%s.%s", image_names[access], shape->name);
    return emit_call(e, text, overloads, access == IMAGE_SAMPLE_GRADIENTS ? 3 : 2, args->items, args->count);
}

/* The mask of the components that are read or written. */
static LLVMValueRef components(struct fn *f, const struct shape *shape)
{
    return emit_int(f->e, 32, shape->is_depth ? 1 : 15);
}

/* Writes a texel to the destination, which is one register for depth. */
static bool put_texel(struct fn *f, const struct lang_inst *in, LLVMValueRef texel)
{
    struct emit *e = f->e;
    struct brig_list to = lower_elements(f, in, 0);
    unsigned type = VALUE_OF(in, TYPE);
    bool is_vector = emit_is_vector(LLVMTypeOf(texel));
    if (to.count != (is_vector ? 4 : 1))
        return fn_fail(f, IMAGE_TEXEL, (unsigned)to.count, is_vector ? 4u : 1u);
    for (uint32_t i = 0; i < to.count; i++) {
        LLVMValueRef value = is_vector ? LLVMBuildExtractElement(e->b, texel, emit_int(e, 32, i), "") : texel;
        if (type == HSA_BRIG_TYPE_F16)
            value = emit_quiet_to_fp(e, value, e->f16);
        else if (type != HSA_BRIG_TYPE_F32)
            value = emit_as_int(e, value);
        lower_store(f, to.items[i], type, value);
    }
    return true;
}

static LLVMValueRef get_texel(struct fn *f, const struct lang_inst *in, const struct shape *shape)
{
    struct emit *e = f->e;
    struct brig_list from = lower_elements(f, in, 0);
    unsigned type = VALUE_OF(in, TYPE);
    LLVMValueRef texel = LLVMGetPoison(texel_type(f, shape));
    if (from.count != (shape->is_depth ? 1 : 4)) {
        fn_fail(f, IMAGE_TEXEL, (unsigned)from.count, shape->is_depth ? 1u : 4u);
        return texel;
    }
    for (uint32_t i = 0; i < from.count; i++) {
        LLVMValueRef value = lower_value(f, from.items[i], type);
        if (type == HSA_BRIG_TYPE_F16)
            value = emit_quiet_to_fp(e, value, e->f32);
        value = emit_bits(e, value, e->f32);
        texel = shape->is_depth ? value : LLVMBuildInsertElement(e->b, texel, value, emit_int(e, 32, i), "");
    }
    return texel;
}

static bool read_image(struct fn *f, const struct lang_inst *in, enum image_access access)
{
    const struct shape *shape = open_image(f, in);
    if (!shape || shape->is_buffer)
        return shape && fn_unsupported(f, in);
    struct image_arguments args = {{components(f, shape)}, 1};
    LLVMValueRef texel = call_image(f, in, access, 3, &args);
    return texel && put_texel(f, in, texel);
}

bool lower_rdimage(struct fn *f, const struct lang_inst *in)
{
    return read_image(f, in, IMAGE_SAMPLE);
}

bool lower_rdimage_level(struct fn *f, const struct lang_inst *in)
{
    return read_image(f, in, IMAGE_SAMPLE_LEVEL);
}

bool lower_rdimage_gradients(struct fn *f, const struct lang_inst *in)
{
    return read_image(f, in, IMAGE_SAMPLE_GRADIENTS);
}

/* The index of an element of a buffer. A buffer has only level 0: the elements of others are out of its bounds. */
static LLVMValueRef buffer_index(struct fn *f, const struct lang_inst *in, bool has_level)
{
    struct emit *e = f->e;
    LLVMValueRef at = lower_value(f, lower_elements(f, in, 2).items[0], HSA_BRIG_TYPE_U32);
    if (!has_level)
        return at;
    LLVMValueRef level = lower_source(f, in, 3, HSA_BRIG_TYPE_U32);
    LLVMValueRef first = LLVMBuildICmp(e->b, LLVMIntEQ, level, emit_int(e, 32, 0), "");
    return emit_select(e, first, at, emit_int(e, 32, UINT32_MAX));
}

static bool load_image(struct fn *f, const struct lang_inst *in, enum image_access access)
{
    struct emit *e = f->e;
    const struct shape *shape = open_image(f, in);
    if (!shape)
        return false;
    if (shape->is_buffer) {
        LLVMTypeRef type = texel_type(f, shape);
        LLVMValueRef at = buffer_index(f, in, access == IMAGE_LOAD_LEVEL), none = emit_int(e, 32, 0);
        LLVMValueRef args[] = {words(f, in, 1, 0, 4), at, none, none, none};
        return put_texel(f, in, emit_call(e, "llvm.amdgcn.struct.buffer.load.format", &type, 1, args, 5));
    }
    struct image_arguments args = {{components(f, shape)}, 1};
    LLVMValueRef texel = call_image(f, in, access, 2, &args);
    return texel && put_texel(f, in, texel);
}

bool lower_ldimage(struct fn *f, const struct lang_inst *in)
{
    return load_image(f, in, IMAGE_LOAD);
}

bool lower_ldimage_level(struct fn *f, const struct lang_inst *in)
{
    return load_image(f, in, IMAGE_LOAD_LEVEL);
}

static bool store_image(struct fn *f, const struct lang_inst *in, enum image_access access)
{
    struct emit *e = f->e;
    const struct shape *shape = open_image(f, in);
    if (!shape)
        return false;
    LLVMValueRef texel = get_texel(f, in, shape), none = emit_int(e, 32, 0);
    if (shape->is_buffer) {
        LLVMTypeRef type = texel_type(f, shape);
        LLVMValueRef at = buffer_index(f, in, access == IMAGE_STORE_LEVEL);
        LLVMValueRef args[] = {texel, words(f, in, 1, 0, 4), at, none, none, none};
        emit_call(e, "llvm.amdgcn.struct.buffer.store.format", &type, 1, args, 6);
        return true;
    }
    struct image_arguments args = {{texel, components(f, shape)}, 2};
    return call_image(f, in, access, 2, &args) != NULL;
}

bool lower_stimage(struct fn *f, const struct lang_inst *in)
{
    return store_image(f, in, IMAGE_STORE);
}

bool lower_stimage_level(struct fn *f, const struct lang_inst *in)
{
    return store_image(f, in, IMAGE_STORE_LEVEL);
}

/* After the fence, earlier stores are in memory, and later loads read memory. */
bool lower_imagefence(struct fn *f, const struct lang_inst *in)
{
    (void)in;
    emit_fence(f->e, HSA_BRIG_MEMORY_ORDER_SC_ACQUIRE_RELEASE, HSA_BRIG_MEMORY_SCOPE_AGENT);
    return true;
}

/* WIDTH bits from bit FIRST of a word. */
static LLVMValueRef bit_field(struct fn *f, LLVMValueRef word, unsigned first, unsigned width)
{
    struct emit *e = f->e;
    word = LLVMBuildLShr(e->b, word, emit_int(e, 32, first), "");
    return LLVMBuildAnd(e->b, word, emit_int(e, 32, (UINT64_C(1) << width) - 1), "");
}

bool lower_queryimage(struct fn *f, const struct lang_inst *in)
{
    const struct shape *shape = open_image(f, in);
    LLVMValueRef value = NULL;
    bool one_less = true;
    if (!shape)
        return false;
    switch ((hsa_ext_brig_image_query_t)VALUE_OF(in, QUERY)) {
    case HSA_EXT_BRIG_IMAGE_QUERY_WIDTH:
        one_less = !shape->is_buffer;
        value = one_less ? bit_field(f, words(f, in, 1, WORD_SIZES, 1), 0, 14) : words(f, in, 1, WORD_BUFFER_WIDTH, 1);
        break;
    case HSA_EXT_BRIG_IMAGE_QUERY_HEIGHT: value = bit_field(f, words(f, in, 1, WORD_SIZES, 1), 14, 14); break;
    case HSA_EXT_BRIG_IMAGE_QUERY_DEPTH:
    case HSA_EXT_BRIG_IMAGE_QUERY_ARRAY: value = bit_field(f, words(f, in, 1, WORD_LAYERS, 1), 0, 13); break;
    case HSA_EXT_BRIG_IMAGE_QUERY_CHANNELORDER:
        one_less = false;
        value = words(f, in, 1, WORD_ORDER, 1);
        break;
    case HSA_EXT_BRIG_IMAGE_QUERY_CHANNELTYPE:
        one_less = false;
        value = words(f, in, 1, WORD_TYPE, 1);
        break;
    case HSA_VEN_AMD_BRIG_IMAGE_QUERY_NUMMIPLEVELS: {
        LLVMValueRef levels = words(f, in, 1, WORD_LEVELS, 1);
        value = LLVMBuildSub(f->e->b, bit_field(f, levels, 16, 4), bit_field(f, levels, 12, 4), "");
        break;
    }
    case HSA_EXT_BRIG_IMAGE_QUERY_FIRST_USER_DEFINED: break;
    }
    if (!value)
        return fn_unsupported(f, in);
    if (one_less)
        value = LLVMBuildAdd(f->e->b, value, emit_int(f->e, 32, 1), "");
    return lower_dest(f, in, HSA_BRIG_TYPE_U32, value);
}

/* A sampler with undefined addressing is made like one that clamps to the edge, and the query says so. */
bool lower_querysampler(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    LLVMValueRef first = words(f, in, 1, 0, 1), value = NULL;
    switch ((hsa_ext_brig_sampler_query_t)VALUE_OF(in, SAMPLER)) {
    case HSA_EXT_BRIG_SAMPLER_QUERY_ADDRESSING: {
        LLVMValueRef clamp = bit_field(f, first, 0, 3);
        value = emit_int(e, 32, 0);
        for (unsigned mode = 1; mode < SAMPLER_MODES; mode++)
            value = emit_select(e, LLVMBuildICmp(e->b, LLVMIntEQ, clamp, emit_int(e, 32, sampler_clamps[mode]), ""),
                                emit_int(e, 32, mode), value);
        break;
    }
    case HSA_EXT_BRIG_SAMPLER_QUERY_COORD:
        value = LLVMBuildXor(e->b, bit_field(f, first, SAMPLER_UNNORMALIZED, 1), emit_int(e, 32, 1), "");
        break;
    case HSA_EXT_BRIG_SAMPLER_QUERY_FILTER: value = bit_field(f, words(f, in, 1, 2, 1), SAMPLER_LINEAR, 1); break;
    case HSA_EXT_BRIG_SAMPLER_QUERY_FIRST_USER_DEFINED: break;
    }
    return value ? lower_dest(f, in, HSA_BRIG_TYPE_U32, value) : fn_unsupported(f, in);
}
