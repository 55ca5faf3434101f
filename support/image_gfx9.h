/* SPDX-License-Identifier: MIT */
/* Images in the format of GFX9: "Image resource" and "Buffer resource" of the Vega ISA. The runtime makes such
 * resources for its clients, and the finalizer for variables that are initialized with an image.
 *
 * Geometries, channel types and orders have the numbers of HSA and HSAIL, which are the same. */
#ifndef SUPPORT_IMAGE_GFX9_H
#define SUPPORT_IMAGE_GFX9_H

#include <stdbool.h>
#include <stdint.h>

/* NUM_FORMAT: how a field is to be understood. */
enum gcn_number {
    GCN_NUM_UNORM,   /* 0 .. 1 */
    GCN_NUM_SNORM,   /* -1 .. 1 */
    GCN_NUM_USCALED, /* a float with an integral value */
    GCN_NUM_SSCALED,
    GCN_NUM_UINT,
    GCN_NUM_SINT,
    GCN_NUM_FLOAT = 7,
    GCN_NUM_SRGB = 9, /* images: UNORM, the colours by the sRGB curve */
};

enum {
    IMAGE_RESOURCE_WORDS = 12, /* with those that kernels read: type, order, and width of a buffer */
    IMAGE_WORD_TYPE = 8,
    IMAGE_ALIGNMENT = 256, /* of the data, and of rows */
    IMAGE_SIDE_MAX = 16384,
    IMAGE_DEPTH_MAX = 8192
};

enum image_geometry {
    IMAGE_1D,
    IMAGE_2D,
    IMAGE_3D,
    IMAGE_1DA,
    IMAGE_2DA,
    IMAGE_1DB,
    IMAGE_2DDEPTH,
    IMAGE_2DADEPTH,
    IMAGE_GEOMETRIES
};

struct image_element {
    uint8_t data, number; /* DATA_FORMAT, NUM_FORMAT */
    uint16_t selection;   /* DST_SEL */
    uint8_t bytes;
    bool read_only; /* kernels cannot store such elements */
};

/* Fills in *ELEMENT; false if there are no such images. */
bool image_element_of(uint32_t geometry, uint32_t type, uint32_t order, struct image_element *element);

struct image_layout {
    uint32_t geometry, type, order;
    uint64_t width, height, depth, layers; /* 0 where the geometry has none */
    struct image_element element;
    uint64_t rows, slices; /* at least 1 */
    uint64_t row, slice;   /* bytes from the start of one to that of the next */
};

enum image_verdict { IMAGE_FITS, IMAGE_BAD_SHAPE, IMAGE_BAD_FORMAT, IMAGE_BAD_SIZE, IMAGE_BAD_PITCH };

/* Computes the members after LAYERS. ROW and SLICE hold the pitches asked for, or 0. */
enum image_verdict image_lay_out(struct image_layout *layout);

/* The resource of an image whose data is at BASE, a multiple of IMAGE_ALIGNMENT. The upper bits of the second word have
 * other content than the address, which is added to the first two words. */
void image_describe(const struct image_layout *layout, uint64_t base, uint32_t words[IMAGE_RESOURCE_WORDS]);

#endif
