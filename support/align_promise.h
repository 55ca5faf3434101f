/* SPDX-License-Identifier: MIT */
/* How a finalized kernel tells a checker of memory what alignment HSAIL promises (`align`, PRM 6.1.3), for which
 * machine code has no place. If the finalizer was asked for that, an s_nop stands before each such access. Its 16-bit
 * constant describes the access, and v0, or v[0:1], has the address. Machines look at no more than the four lowest bits
 * of the constant, which say how long to wait. */
#ifndef SUPPORT_ALIGN_PROMISE_H
#define SUPPORT_ALIGN_PROMISE_H

#include <stdbool.h>
#include <stdint.h>

enum align_promise_segment { ALIGN_PROMISE_GLOBAL, ALIGN_PROMISE_GROUP, ALIGN_PROMISE_PRIVATE, ALIGN_PROMISE_FLAT };

struct align_promise {
    enum align_promise_segment segment; /* addresses of group and private memory are in v0 alone */
    unsigned align_log2, bytes_log2;    /* of the address; the size of an element */
    unsigned elements;                  /* 1 to 4 */
    bool writes;
};

enum { ALIGN_PROMISE_MARK = 5 << 13 }; /* no compiler emits s_nop with such a constant */

static inline uint16_t align_promise_encode(struct align_promise p)
{
    return (uint16_t)(ALIGN_PROMISE_MARK | (unsigned)p.writes << 12 | p.align_log2 << 8 | (unsigned)p.segment << 6 |
                      (p.elements - 1) << 4 | p.bytes_log2 << 1);
}

/* Whether the constant of s_nop is such a description; *P becomes what it says. */
static inline bool align_promise_decode(uint16_t constant, struct align_promise *p)
{
    *p = (struct align_promise){
        .segment = (enum align_promise_segment)(constant >> 6 & 3),
        .align_log2 = constant >> 8 & 15,
        .bytes_log2 = constant >> 1 & 7,
        .elements = (constant >> 4 & 3) + 1u,
        .writes = constant >> 12 & 1};
    return (constant & 7 << 13) == ALIGN_PROMISE_MARK;
}

#endif
