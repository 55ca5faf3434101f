/* SPDX-License-Identifier: MIT */
/* Elements of typed buffers and images: from memory to four 32-bit components and back. Pure functions. */
#ifndef RUNTIME_GCN_EXEC_PIXEL_H
#define RUNTIME_GCN_EXEC_PIXEL_H

#include "support/image_gfx9.h"

struct gcn_pixel_format {
    uint8_t data, number; /* code in runtime/gcn/tables/pixel.def, enum gcn_number */
};

/* What a component is taken from: DST_SEL. */
enum { GCN_SEL_ZERO, GCN_SEL_ONE, GCN_SEL_X = 4 };
#define GCN_SEL_IDENTITY 07654 /* three bits each, X lowest */

/* Bytes of an element; 0 if there is no such format. */
unsigned gcn_pixel_bytes(struct gcn_pixel_format format);

/* Whether the components are integers; otherwise they are floats. */
static inline bool gcn_pixel_is_integer(struct gcn_pixel_format format)
{
    return format.number == GCN_NUM_UINT || format.number == GCN_NUM_SINT;
}

/* The components of an element in memory; those that it lacks are taken from 0, 0, 0, 1. */
void gcn_pixel_decode(struct gcn_pixel_format format, const void *memory, uint32_t component[4]);
/* Makes the element of the components: values out of range saturate, and NaN becomes 0 except in float fields. */
void gcn_pixel_encode(struct gcn_pixel_format format, const uint32_t component[4], void *memory);

/* Loads: what DST_SEL makes of the components of memory. Stores: the other way round. */
void gcn_pixel_select(struct gcn_pixel_format format, uint32_t selection, uint32_t component[4]);
void gcn_pixel_unselect(uint32_t selection, uint32_t component[4]);

/* Components as D16 instructions have them: halves, or integers of 16 bits. */
uint32_t gcn_pixel_to16(struct gcn_pixel_format format, uint32_t component);
uint32_t gcn_pixel_from16(struct gcn_pixel_format format, uint32_t half);

#endif
