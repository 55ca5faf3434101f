/* SPDX-License-Identifier: MIT */
/* Images and samplers that initialize variables (PRM 7.1.7, 7.1.8; doc/decisions/images.md).
 * Input: typed constants. Output: resources of GFX9 as constants of the code object, and their addresses, which are the
 * handles. Invariant: any loader can load them, as only addresses are left to it. */
#include "finalizer/lower.h"
#include "support/image_gfx9.h"
#include "support/sampler.h"

_Static_assert((int)HSA_EXT_BRIG_IMAGE_GEOMETRY_1DB == IMAGE_1DB &&
                   (int)HSA_EXT_BRIG_IMAGE_GEOMETRY_2DADEPTH == IMAGE_2DADEPTH &&
                   HSA_EXT_BRIG_IMAGE_CHANNEL_TYPE_FLOAT == 15 && HSA_EXT_BRIG_IMAGE_CHANNEL_ORDER_DEPTH == 18,
               "numbers");

/* Adds a global that nobody outside sees, with INIT as its value. */
static LLVMValueRef add_hidden(struct lower *l, LLVMValueRef init, uint32_t align, bool is_constant)
{
    LLVMValueRef global = LLVMAddGlobalInAddressSpace(l->e.module, LLVMTypeOf(init), "", SPACE_GLOBAL);
    LLVMSetInitializer(global, init);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetGlobalConstant(global, is_constant);
    LLVMSetAlignment(global, align);
    return global;
}

LLVMValueRef lower_sampler_constant(struct lower *l, const hsa_ext_brig_operand_constant_sampler_t *is)
{
    const uint32_t mode = is->addressing;
    uint32_t words[SAMPLER_WORDS];
    LLVMValueRef values[SAMPLER_WORDS];
    if (mode >= SAMPLER_MODES)
        return NULL;
    sampler_make(is->coord == HSA_EXT_BRIG_SAMPLER_COORD_NORMALIZATION_NORMALIZED,
                 is->filter == HSA_EXT_BRIG_SAMPLER_FILTER_LINEAR, (const uint32_t[]){mode, mode, mode}, words);
    for (unsigned i = 0; i < SAMPLER_WORDS; i++)
        values[i] = LLVMConstInt(l->e.i32, words[i], 0);
    LLVMValueRef resource = LLVMConstArray2(l->e.i32, values, SAMPLER_WORDS);
    return LLVMConstPtrToInt(add_hidden(l, resource, sizeof words, true), l->e.i64);
}

static LLVMValueRef bytes_constant(struct lower *l, const void *data, size_t size)
{
    return LLVMConstStringInContext2(l->e.context, data, size, 1);
}

/* The resource of an image whose data is DATA, as a struct with PREFIX bytes before it. The address of a buffer is its
 * first 48 bits. That of another image, a multiple of 256, is stored without its lowest byte: so a whole address is
 * stored one byte further down, and other bits of the second word are added to it. */
static LLVMValueRef image_resource(struct lower *l, const struct image_layout *layout, LLVMValueRef data,
                                   unsigned prefix)
{
    uint32_t words[IMAGE_RESOURCE_WORDS];
    uint8_t bytes[sizeof words];
    static const uint8_t zeros[64] = {0};
    bool is_buffer = layout->geometry == IMAGE_1DB;
    image_describe(layout, 0, words);
    memcpy(bytes, words, sizeof words);
    uint64_t rest = load64(bytes) << (is_buffer ? 0 : 8);
    size_t end = is_buffer ? 8 : 7; /* of what the address and REST fill */
    LLVMValueRef address = LLVMConstPtrToInt(data, l->e.i64);
    LLVMValueRef parts[] = {
        bytes_constant(l, zeros, prefix - (8 - end)), LLVMConstAdd(address, LLVMConstInt(l->e.i64, rest, 0)),
        bytes_constant(l, bytes + end, sizeof bytes - end)};
    return LLVMConstStructInContext(l->e.context, parts, 3, 1);
}

/* Lays out the image that V is initialized with; false after an error. */
static bool lay_out_constant(struct lower *l, const struct variable *v, const hsa_ext_brig_operand_constant_image_t *is,
                             struct image_layout *layout)
{
    *layout = (struct image_layout){
        .geometry = is->geometry,
        .type = is->channel_type,
        .order = is->channel_order,
        .width = brig_u64(is->width),
        .height = brig_u64(is->height),
        .depth = brig_u64(is->depth),
        .layers = brig_u64(is->array)};
    if (!l->e.target->processor->generation->images)
        return lower_fail(l, IMAGE_INITIALIZER_TARGET, v->name, l->e.target->cpu);
    enum image_verdict verdict = image_lay_out(layout);
    bool is_read = is->type == HSA_BRIG_TYPE_ROIMG;
    bool is_large = verdict == IMAGE_FITS && layout->slice * layout->slices > LOWER_VARIABLE_MAX;
    if (verdict == IMAGE_BAD_SIZE || verdict == IMAGE_BAD_PITCH || is_large)
        return lower_fail(l, IMAGE_INITIALIZER_SIZE, v->name);
    if (verdict != IMAGE_FITS || (layout->element.read_only && !is_read))
        return lower_fail(l, IMAGE_INITIALIZER_FORMAT, v->name, l->e.target->cpu);
    return true;
}

LLVMValueRef lower_image_constant(struct lower *l, const struct variable *v,
                                  const hsa_ext_brig_operand_constant_image_t *is)
{
    enum { PREFIX = 32 }; /* its last byte belongs to the address; the resource is aligned, too */
    struct image_layout layout;
    if (!lay_out_constant(l, v, is, &layout))
        return NULL;
    LLVMValueRef zero = LLVMConstNull(LLVMArrayType2(l->e.i8, layout.slice * layout.slices));
    LLVMValueRef data = add_hidden(l, zero, IMAGE_ALIGNMENT, false);
    LLVMValueRef global = add_hidden(l, image_resource(l, &layout, data, PREFIX), PREFIX, true);
    return LLVMConstAdd(LLVMConstPtrToInt(global, l->e.i64), LLVMConstInt(l->e.i64, PREFIX, 0));
}
