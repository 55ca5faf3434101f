/* SPDX-License-Identifier: MIT */
/* Samplers as GFX9 has them ("Image sampler" of the Vega ISA): the runtime and the finalizer make them, and kernels ask
 * what they are. */
#ifndef SUPPORT_SAMPLER_H
#define SUPPORT_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SAMPLER_WORDS = 4,
    SAMPLER_UNNORMALIZED = 15, /* bit of word 0; the addressing of each coordinate is in its bits 0-2, 3-5, 6-8 */
    SAMPLER_LINEAR = 20,       /* bits of word 2: the filter of what is enlarged and of what is made smaller */
    SAMPLER_LINEAR_SMALLER = 22
};

/* What the hardware calls the addressing modes, in the order in which HSA and HSAIL number them: undefined, clamp to
 * edge, clamp to border, repeat, mirrored repeat. */
enum { SAMPLER_WRAP, SAMPLER_MIRROR, SAMPLER_LAST_TEXEL, SAMPLER_BORDER = 6 };
enum { SAMPLER_MODES = 5, SAMPLER_REPEAT = 3 };
static const uint8_t sampler_clamps[SAMPLER_MODES] = {
    SAMPLER_LAST_TEXEL, SAMPLER_LAST_TEXEL, SAMPLER_BORDER, SAMPLER_WRAP, SAMPLER_MIRROR};

/* MODES are less than SAMPLER_MODES, one per coordinate. */
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
