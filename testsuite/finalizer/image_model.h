/* SPDX-License-Identifier: MIT */
/* Images in plain C, written from PRM 7.1: what an element means, and what a sampler reads at a coordinate. */
#ifndef TESTSUITE_FINALIZER_IMAGE_MODEL_H
#define TESTSUITE_FINALIZER_IMAGE_MODEL_H

#include "hsa/hsa_ext_image.h"

#include <stdbool.h>
#include <stdint.h>

/* A texel as an instruction sees it; INTEGER is for formats whose components are integers. */
union texel {
    float number[4];
    uint32_t integer[4];
};

struct picture {
    hsa_ext_image_geometry_t geometry;
    hsa_ext_image_format_t format;
    unsigned size[3];     /* width, height, depth; 1 for those that the geometry lacks */
    unsigned layers;      /* 1 if it is no array */
    unsigned coordinates; /* how many an instruction has; the layer is the last */
    size_t row, slice;    /* bytes */
    const uint8_t *data;
};

unsigned picture_bytes(hsa_ext_image_format_t format); /* the size of an element */
bool picture_is_integer(hsa_ext_image_format_t format);
bool picture_is_array(hsa_ext_image_geometry_t geometry);

/* The texel at indices that are within the image. */
union texel picture_load(const struct picture *picture, const int at[3], unsigned layer);

/* Whether the element at indices within the image is what storing STORED there makes of it (7.1.4). */
bool picture_is_stored(const struct picture *picture, const int at[3], unsigned layer, union texel stored);

/* The result of rdimage (7.1.6). */
union texel picture_read(const struct picture *picture, bool normalized, bool linear, unsigned addressing,
                         const float *coordinate);

#endif
