/* SPDX-License-Identifier: MIT */
/* Samplers in the format of GFX9 ("Image sampler" of the Vega ISA). The runtime and the finalizer make them, and
 * kernels query their properties. */
#ifndef SUPPORT_SAMPLER_H
#define SUPPORT_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SAMPLER_WORDS = 4,
    SAMPLER_UNNORMALIZED = 15, /* a bit of word 0, whose bits 0-2, 3-5 and 6-8 are the addressing of the coordinates */
    SAMPLER_LINEAR = 20,       /* bits of word 2: the filters for enlarging and for reducing */
    SAMPLER_LINEAR_SMALLER = 22
};

/* The hardware's numbers of the addressing modes, in the order in which HSA and HSAIL number them: undefined, clamp to
 * edge, clamp to border, repeat, mirrored repeat. */
enum { SAMPLER_WRAP, SAMPLER_MIRROR, SAMPLER_LAST_TEXEL, SAMPLER_BORDER = 6 };
enum { SAMPLER_MODES = 5, SAMPLER_REPEAT = 3 };
static const uint8_t sampler_clamps[SAMPLER_MODES] = {
    SAMPLER_LAST_TEXEL, SAMPLER_LAST_TEXEL, SAMPLER_BORDER, SAMPLER_WRAP, SAMPLER_MIRROR};

/* MODES holds an addressing mode, less than SAMPLER_MODES, for each coordinate. */
static inline void sampler_make(bool normalized, bool linear, const uint32_t modes[3], uint32_t words[SAMPLER_WORDS])
{
    words[0] = normalized ? 0 : UINT32_C(1) << SAMPLER_UNNORMALIZED;
    for (unsigned i = 0; i < 3; i++)
        words[0] |= (uint32_t)sampler_clamps[modes[i]] << 3 * i;
    words[1] = UINT32_C(4095) << 12; /* the highest level */
    words[2] = linear ? UINT32_C(1) << SAMPLER_LINEAR | UINT32_C(1) << SAMPLER_LINEAR_SMALLER : 0;
    words[3] = 0;
}

#endif
