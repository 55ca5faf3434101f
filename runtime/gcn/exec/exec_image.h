/* SPDX-License-Identifier: MIT */
/* Image descriptors (T#) and the texels they give. Layout: linear, one level; see descriptors of GFX9. */
#ifndef RUNTIME_GCN_EXEC_IMAGE_H
#define RUNTIME_GCN_EXEC_IMAGE_H

#include "runtime/gcn/exec/exec.h"
#include "runtime/gcn/exec/exec_mem.h"
#include "runtime/gcn/exec/exec_pixel.h"

enum gcn_image_type {
    GCN_IMAGE_1D = 8,
    GCN_IMAGE_2D,
    GCN_IMAGE_3D,
    GCN_IMAGE_CUBE,
    GCN_IMAGE_1D_ARRAY,
    GCN_IMAGE_2D_ARRAY
};

struct gcn_image {
    uint64_t base;
    uint32_t size[3]; /* width, height, depth or layers; 1 where there is no such dimension */
    uint32_t first;   /* the layer of the image that is layer 0 of the view */
    uint32_t pitch;   /* texels from row to row */
    uint32_t rows;    /* rows from slice to slice */
    uint32_t selection;
    unsigned type, bytes, levels, base_level;
    unsigned coordinates; /* that an instruction gives, without level */
    bool array;           /* the last of them is a layer */
    struct gcn_pixel_format format;
};

/* Reads the descriptor of OP. False: the image is of a kind that is not supported (tiled, multisampled, without a
 * format). Then the second also raises a fault. */
bool gcn_image_known(const struct gcn_wave *w, const struct gcn_uop *op, struct gcn_image *image);
bool gcn_image_of(struct gcn_wave *w, const struct gcn_uop *op, struct gcn_image *image);

/* Whether N registers exist from the one at REFERENCE on. */
static inline bool gcn_has_registers(uint32_t reference, unsigned n)
{
    uint32_t first = (reference - (uint32_t)offsetof(struct gcn_wave, v)) / GCN_LINE;
    return first < 2 * GCN_VGPRS && n <= GCN_VGPRS - first % GCN_VGPRS; /* the accumulation registers come next */
}

/* Whether OP has registers for its N address components, and for the fault code after its RESULTS (0 if it returns
 * nothing). If not, it is no instruction and faults. */
static inline bool gcn_image_has_registers(struct gcn_wave *w, const struct gcn_uop *op, unsigned n, unsigned results)
{
    if (op->aux & GCN_A16)
        n = (n + 1) / 2;
    if (op->aux & GCN_D16)
        results = (results + 1) / 2;
    bool status = results && op->aux & (GCN_TFE | GCN_LWE);
    if (gcn_has_registers(op->src[0], n) && (!status || gcn_has_registers(op->dst, results + 1)))
        return true;
    gcn_raise(w, op, GCN_FAULT_ILLEGAL, 0);
    return false;
}

/* Address of a texel; false if it lies outside the image. */
static inline bool gcn_image_locate(const struct gcn_image *image, const uint32_t at[3], uint64_t *address)
{
    if (at[0] >= image->size[0] || at[1] >= image->size[1] || at[2] >= image->size[2])
        return false;
    uint64_t row = (uint64_t)(at[2] + image->first) * image->rows + at[1];
    *address = image->base + (row * image->pitch + at[0]) * image->bytes;
    return true;
}

/* The components of a texel as memory has them, without DST_SEL; zero outside of the image. False after a fault. */
bool gcn_image_read(struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_image *image, const uint32_t at[3],
                    uint32_t component[4]);

/* Writes the components that DMASK chooses to consecutive registers of LANE, or to halves of them for D16. */
void gcn_image_put(struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_image *image, unsigned lane,
                   const uint32_t component[4], unsigned mask);

#endif
