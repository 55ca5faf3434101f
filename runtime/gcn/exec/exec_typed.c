/* SPDX-License-Identifier: MIT */
/* Typed buffer accesses: the FORMAT operations of MUBUF, whose format is in the descriptor, and MTBUF, which have it
 * in the instruction.
 *
 * Input: as in exec_buffer_slow.c. Output: one to four converted components per lane, in registers of their own or, for
 * D16, two in a register; or one component per lane in group memory; or elements in memory. Elements out of range read
 * as zero and are not written. Stores undo the selection of components by the descriptor, as those to images do. */
#include "runtime/gcn/exec/exec_buffer.h"
#include "runtime/gcn/exec/exec_lds.h"
#include "runtime/gcn/exec/exec_pixel.h"
#include "runtime/gcn/inst/inst.h"

/* Forms of an operation. */
enum { D16 = 1, HIGH = 2, FROM_INSTRUCTION = 4 };

struct gcn_pixel_format gcn_buffer_format(const struct gcn_wave *w, const struct gcn_uop *op, bool mtbuf,
                                          uint32_t *selection)
{
    uint32_t word = gcn_sptr(w, op->src[2])[3];
    if (selection)
        *selection = mtbuf ? GCN_SEL_IDENTITY : word & 07777;
    if (mtbuf)
        return (struct gcn_pixel_format){op->aux >> GCN_DFMT_SHIFT & 15, op->aux >> GCN_NFMT_SHIFT & 7};
    return (struct gcn_pixel_format){word >> 15 & 15, word >> 12 & 7};
}

/* The 16-bit half that component K of LANE occupies among D16 data. */
static uint16_t *half_of(uint32_t *data, unsigned lane, unsigned k, unsigned form)
{
    return (uint16_t *)(void *)(data + k / 2 * GCN_LANES + lane) + (k % 2 || form & HIGH);
}

static const struct gcn_uop *typed_load(struct gcn_wave *w, const struct gcn_uop *op, unsigned n, unsigned form)
{
    struct gcn_buffer b = gcn_buffer_of(w, op);
    uint32_t selection, *d = gcn_dst(w, op->dst);
    struct gcn_pixel_format format = gcn_buffer_format(w, op, form & FROM_INSTRUCTION, &selection);
    for (uint64_t left = gcn_exec(w); left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint32_t memory[4] = {0}, component[4] = {0};
        if (!gcn_buffer_read(w, op, &b, lane, gcn_buffer_offset(w, op, lane), memory, gcn_pixel_bytes(format)))
            return NULL;
        if (gcn_pixel_bytes(format)) {
            gcn_pixel_decode(format, memory, component);
            gcn_pixel_select(format, selection, component);
        }
        if (op->aux & GCN_LDS) {
            gcn_lds_write(w, gcn_buffer_lds_address(w, op, lane), component[0], 4);
            continue;
        }
        for (unsigned k = 0; k < n; k++) {
            if (form & D16)
                *half_of(d, lane, k, form) = (uint16_t)gcn_pixel_to16(format, component[k]);
            else
                d[k * GCN_LANES + lane] = component[k];
        }
    }
    if (op->aux & GCN_TFE)
        gcn_buffer_tfe(w, op, form & D16 ? (n + 1) / 2 : n);
    return op + 1;
}

static const struct gcn_uop *typed_store(struct gcn_wave *w, const struct gcn_uop *op, unsigned n, unsigned form)
{
    struct gcn_buffer b = gcn_buffer_of(w, op);
    uint32_t selection, *s = gcn_dst(w, op->dst);
    struct gcn_pixel_format format = gcn_buffer_format(w, op, form & FROM_INSTRUCTION, &selection);
    for (uint64_t left = gcn_exec(w); left && gcn_pixel_bytes(format); left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint32_t memory[4] = {0}, component[4] = {0};
        for (unsigned k = 0; k < n; k++)
            component[k] = form & D16 ? gcn_pixel_from16(format, *half_of(s, lane, k, form)) : s[k * GCN_LANES + lane];
        gcn_pixel_unselect(selection, component);
        gcn_pixel_encode(format, component, memory);
        if (!gcn_buffer_write(w, op, &b, lane, gcn_buffer_offset(w, op, lane), memory, gcn_pixel_bytes(format)))
            return NULL;
    }
    return op + 1;
}

/* Every operation: prefix, components, form. */
#define WIDTHS(X, name, form) X(name##_x, 1, form) X(name##_xy, 2, form) X(name##_xyz, 3, form) X(name##_xyzw, 4, form)
#define LOADS(X)                                                                                        \
    WIDTHS(X, buffer_load_format, 0) WIDTHS(X, buffer_load_format_d16, D16)                             \
    WIDTHS(X, tbuffer_load_format, FROM_INSTRUCTION)                                                    \
    WIDTHS(X, tbuffer_load_format_d16, FROM_INSTRUCTION | D16)                                          \
    X(buffer_load_format_d16_hi_x, 1, D16 | HIGH)
#define STORES(X)                                                                                       \
    WIDTHS(X, buffer_store_format, 0) WIDTHS(X, buffer_store_format_d16, D16)                           \
    WIDTHS(X, tbuffer_store_format, FROM_INSTRUCTION)                                                   \
    WIDTHS(X, tbuffer_store_format_d16, FROM_INSTRUCTION | D16)                                         \
    X(buffer_store_format_d16_hi_x, 1, D16 | HIGH)

#define LOAD(name, n, form)                                                                             \
    static const struct gcn_uop *name(struct gcn_wave *w, const struct gcn_uop *op)                     \
    {                                                                                                   \
        return typed_load(w, op, n, form);                                                              \
    }
#define STORE(name, n, form)                                                                            \
    static const struct gcn_uop *name(struct gcn_wave *w, const struct gcn_uop *op)                     \
    {                                                                                                   \
        return typed_store(w, op, n, form);                                                             \
    }
LOADS(LOAD)
STORES(STORE)

#define ROW(name, ...) {GCN_OP_##name, name},
/* clang-format off */
const struct gcn_handler_row gcn_typed_handlers[] = {
    LOADS(ROW)
    STORES(ROW)
    {0, NULL},
};
/* clang-format on */
