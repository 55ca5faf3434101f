/* SPDX-License-Identifier: MIT */
/* Image loads, stores, atomics and queries.
 *
 * Input: a T# descriptor, integer coordinates of the active lanes (x, y, slice; with A16 two in a register), texels.
 * Output: components in the order of DMASK, or dwords in that order of texels as they are, or texels in memory. Texels
 * outside the image read as zero and are not written. Only level 0 exists: other levels are outside. */
#include <string.h>

#include "runtime/gcn/exec/exec_image.h"
#include "runtime/gcn/exec/exec_rmw.h"
#include "runtime/gcn/guest_memory.h"
#include "runtime/gcn/inst/inst.h"

#define HANDLER(name) static const struct gcn_uop *name(struct gcn_wave *w, const struct gcn_uop *op)

bool gcn_image_known(const struct gcn_wave *w, const struct gcn_uop *op, struct gcn_image *image)
{
    const uint32_t *t = gcn_sptr(w, op->src[2]);
    unsigned type = t[3] >> 28, last = t[4] & 0x1FFF, first = t[5] & 0x1FFF;
    *image = (struct gcn_image){
        .base = (uint64_t)t[0] << 8 | (uint64_t)(t[1] & 0xFF) << 40,
        .size = {(t[2] & 0x3FFF) + 1, (t[2] >> 14 & 0x3FFF) + 1, 1},
        .pitch = (t[4] >> 13 & 0xFFFF) + 1,
        .selection = t[3] & 07777,
        .type = type,
        .levels = (t[3] >> 16 & 15) + 1,
        .base_level = t[3] >> 12 & 15,
        .format = {t[1] >> 20 & 63, t[1] >> 26 & 15},
    };
    image->bytes = gcn_pixel_bytes(image->format);
    image->array = type == GCN_IMAGE_1D_ARRAY || type == GCN_IMAGE_2D_ARRAY;
    if (type < GCN_IMAGE_1D || type > GCN_IMAGE_2D_ARRAY || t[3] >> 20 & 31 || !image->bytes)
        return false;
    if (type == GCN_IMAGE_1D || type == GCN_IMAGE_1D_ARRAY)
        image->size[1] = 1;
    if (type == GCN_IMAGE_3D)
        image->size[2] = last + 1;
    if (image->array || type == GCN_IMAGE_CUBE) {
        image->size[2] = last >= first ? last - first + 1 : 0;
        image->first = first;
    }
    image->rows = image->size[1];
    image->coordinates = type == GCN_IMAGE_1D ? 1 : type == GCN_IMAGE_2D || type == GCN_IMAGE_1D_ARRAY ? 2 : 3;
    return true;
}

bool gcn_image_of(struct gcn_wave *w, const struct gcn_uop *op, struct gcn_image *image)
{
    if (gcn_image_known(w, op, image))
        return true;
    gcn_raise(w, op, GCN_FAULT_UNIMPLEMENTED, image->base);
    return false;
}

/* Forms of loads and stores: with a level after the coordinates; without conversion, which is DMASK's choice of dwords
 * instead of components; and the latter with texels that are signed. */
enum { MIP = 1, PACKED = 2, SIGNED = 4 };

/* Moves an element of BYTES (1, 2, or whole dwords) by host accesses of its size, at most 8 bytes each. */
static bool element(struct gcn_wave *w, const struct gcn_uop *op, uint64_t address, void *data, unsigned bytes,
                    bool write)
{
    uint64_t value = 0;
    if (!gcn_may_access(w, address, bytes)) {
        gcn_raise(w, op, GCN_FAULT_MEMORY, address);
        return false;
    }
    w->at = op;
    for (unsigned i = 0, step; i < bytes; i += step, address += step) {
        step = bytes - i >= 8 ? 8 : bytes - i >= 4 ? 4 : bytes - i;
        if (write) {
            memcpy(&value, (uint8_t *)data + i, step);
            step == 8   ? mem_store64(address, value)
            : step == 4 ? mem_store32(address, (uint32_t)value)
            : step == 2 ? mem_store16(address, (uint16_t)value)
                        : mem_store8(address, (uint8_t)value);
        } else {
            value = step == 8   ? mem_load64(address)
                    : step == 4 ? mem_load32(address)
                    : step == 2 ? mem_load16(address)
                                : mem_load8(address);
            memcpy((uint8_t *)data + i, &value, step);
        }
    }
    return true;
}

bool gcn_image_read(struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_image *image, const uint32_t at[3],
                    uint32_t component[4])
{
    uint32_t memory[4] = {0};
    uint64_t address;
    memset(component, 0, 4 * sizeof *component);
    if (!gcn_image_locate(image, at, &address))
        return true;
    if (!element(w, op, address, memory, image->bytes, false))
        return false;
    gcn_pixel_decode(image->format, memory, component);
    return true;
}

/* Reads the texel at AT as it is in memory, into as many dwords as it takes; zero outside of the image. One of less
 * than a dword is sign-extended if SIGNED says so. */
static bool read_packed(struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_image *image,
                        const uint32_t at[3], bool is_signed, uint32_t dword[4])
{
    uint64_t address;
    memset(dword, 0, 4 * sizeof *dword);
    if (!gcn_image_locate(image, at, &address))
        return true;
    if (!element(w, op, address, dword, image->bytes, false))
        return false;
    if (is_signed && image->bytes < 4)
        dword[0] = (uint32_t)((int32_t)(dword[0] << (32 - 8 * image->bytes)) >> (32 - 8 * image->bytes));
    return true;
}

void gcn_image_put(struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_image *image, unsigned lane,
                   const uint32_t component[4], unsigned mask)
{
    uint32_t *d = gcn_dst(w, op->dst) + lane;
    unsigned n = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (!(mask >> i & 1))
            continue;
        if (op->aux & GCN_D16)
            ((uint16_t *)(void *)(d + n / 2 * GCN_LANES))[n % 2] =
                (uint16_t)gcn_pixel_to16(image->format, component[i]);
        else
            d[n * GCN_LANES] = component[i];
        n++;
    }
    if (op->aux & (GCN_TFE | GCN_LWE)) /* the fault code, which says that there was none */
        d[(op->aux & GCN_D16 ? (n + 1) / 2 : n) * GCN_LANES] = 0;
}

static unsigned mask_of(const struct gcn_uop *op)
{
    return op->imm & 15 ? (unsigned)op->imm & 15 : 1;
}

/* Coordinate K of LANE as the instruction has them. */
static uint32_t coordinate(const struct gcn_wave *w, const struct gcn_uop *op, unsigned lane, unsigned k)
{
    const uint32_t *v = gcn_line(w, op->src[0]) + lane;
    return op->aux & GCN_A16 ? v[k / 2 * GCN_LANES] >> k % 2 * 16 & 0xFFFF : v[k * GCN_LANES];
}

/* Reads the coordinates of LANE's texel. With MIP a level follows them; all levels but 0 are outside of the image. */
static void texel(const struct gcn_wave *w, const struct gcn_uop *op, const struct gcn_image *image, unsigned lane,
                  bool mip, uint32_t at[3])
{
    at[0] = coordinate(w, op, lane, 0);
    at[1] = image->coordinates > 1 && image->type != GCN_IMAGE_1D_ARRAY ? coordinate(w, op, lane, 1) : 0;
    at[2] = image->type == GCN_IMAGE_1D_ARRAY ? coordinate(w, op, lane, 1)
            : image->coordinates > 2          ? coordinate(w, op, lane, 2)
                                              : 0;
    if (mip && coordinate(w, op, lane, image->coordinates))
        at[0] = UINT32_MAX;
}

static const struct gcn_uop *load(struct gcn_wave *w, const struct gcn_uop *op, unsigned form)
{
    bool mip = form & MIP;
    struct gcn_image image;
    uint64_t left = gcn_exec(w);
    if (left && (!gcn_image_of(w, op, &image) ||
                 !gcn_image_has_registers(w, op, image.coordinates + mip, (unsigned)__builtin_popcount(mask_of(op)))))
        return NULL;
    for (; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint32_t at[3], component[4];
        texel(w, op, &image, lane, mip, at);
        if (!(form & PACKED ? read_packed(w, op, &image, at, form & SIGNED, component)
                            : gcn_image_read(w, op, &image, at, component)))
            return NULL;
        if (!(form & PACKED))
            gcn_pixel_select(image.format, image.selection, component);
        gcn_image_put(w, op, &image, lane, component, mask_of(op));
    }
    return op + 1;
}

static const struct gcn_uop *store(struct gcn_wave *w, const struct gcn_uop *op, unsigned form)
{
    bool mip = form & MIP;
    struct gcn_image image;
    uint64_t left = gcn_exec(w);
    if (left && (!gcn_image_of(w, op, &image) || !gcn_image_has_registers(w, op, image.coordinates + mip, 0)))
        return NULL;
    w->store_fence = 1;
    for (; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left), n = 0;
        const uint32_t *s = gcn_line(w, op->dst) + lane;
        uint32_t at[3], component[4] = {0}, memory[4] = {0};
        uint64_t address;
        texel(w, op, &image, lane, mip, at);
        if (!gcn_image_locate(&image, at, &address))
            continue;
        for (unsigned i = 0; i < 4; i++) {
            if (!(mask_of(op) >> i & 1))
                continue;
            component[i] = op->aux & GCN_D16 ? gcn_pixel_from16(image.format, s[n / 2 * GCN_LANES] >> n % 2 * 16)
                                             : s[n * GCN_LANES];
            n++;
        }
        if (!(form & PACKED)) {
            gcn_pixel_unselect(image.selection, component);
            gcn_pixel_encode(image.format, component, memory);
        }
        if (!element(w, op, address, form & PACKED ? component : memory, image.bytes, true))
            return NULL;
    }
    return op + 1;
}

/* Each operation with its function and form. */
#define ACCESSES(X)                                                                                     \
    X(image_load, load, 0) X(image_load_mip, load, MIP)                                                 \
    X(image_load_pck, load, PACKED) X(image_load_mip_pck, load, PACKED | MIP)                           \
    X(image_load_pck_sgn, load, PACKED | SIGNED)                                                        \
    X(image_load_mip_pck_sgn, load, PACKED | SIGNED | MIP)                                              \
    X(image_store, store, 0) X(image_store_mip, store, MIP)                                             \
    X(image_store_pck, store, PACKED) X(image_store_mip_pck, store, PACKED | MIP)

#define ACCESS(name, function, form)                                                                    \
    HANDLER(name)                                                                                       \
    {                                                                                                   \
        return function(w, op, form);                                                                   \
    }
ACCESSES(ACCESS)

/* Width, height, depth or layers, and number of levels, of the level that the address register names. */
HANDLER(image_get_resinfo)
{
    struct gcn_image image;
    uint64_t left = gcn_exec(w);
    if (left && !gcn_image_of(w, op, &image))
        return NULL;
    for (; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint32_t level = coordinate(w, op, lane, 0), answer[4] = {0, 0, 0, image.levels};
        for (unsigned i = 0; i < 3 && level < image.levels; i++) {
            uint32_t size = image.size[i] >> (i < 2 || image.type == GCN_IMAGE_3D ? level : 0);
            answer[i] = size ? size : 1;
        }
        gcn_image_put(w, op, &image, lane, answer, mask_of(op));
    }
    return op + 1;
}

/* DMASK says how many dwords of data there are; with TWO half of them are what is compared. */
static const struct gcn_uop *atomic(struct gcn_wave *w, const struct gcn_uop *op, atomic_fn *fn32, atomic_fn *fn64,
                                    bool two)
{
    struct gcn_image image;
    uint64_t left = gcn_exec(w);
    unsigned size = 4 * (unsigned)__builtin_popcount(mask_of(op)) / (two ? 2 : 1);
    if (left && (!gcn_image_of(w, op, &image) || !gcn_image_has_registers(w, op, image.coordinates, 0)))
        return NULL;
    if (left && (image.bytes != size || (size != 4 && size != 8)))
        return gcn_raise(w, op, GCN_FAULT_UNIMPLEMENTED, image.base);
    for (; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint32_t at[3], *d = gcn_dst(w, op->dst) + lane;
        uint64_t address, old = 0, data[2] = {d[0], 0};
        if (size == 8)
            data[0] |= (uint64_t)d[GCN_LANES] << 32;
        if (two)
            data[1] = size == 4 ? d[GCN_LANES] : d[2 * GCN_LANES] | (uint64_t)d[3 * GCN_LANES] << 32;
        texel(w, op, &image, lane, false, at);
        if (gcn_image_locate(&image, at, &address)) {
            if (!gcn_may_access(w, address, size))
                return gcn_raise(w, op, GCN_FAULT_MEMORY, address);
            w->at = op;
            w->store_fence = 1;
            old = (size == 4 ? fn32 : fn64)((void *)(uintptr_t)address, data[0], data[1]); /* texels are aligned */
        }
        if (op->aux & GCN_GLC) {
            d[0] = (uint32_t)old;
            if (size == 8)
                d[GCN_LANES] = (uint32_t)(old >> 32);
        }
    }
    return op + 1;
}

#define ATOMIC(name, two)                                                                               \
    HANDLER(image_atomic_##name)                                                                        \
    {                                                                                                   \
        return atomic(w, op, atomic_##name##_32, atomic_##name##_64, two);                              \
    }
#define RMW(name, op, t, builtin, ...) ATOMIC(name, false)
#define RMW_GLOBAL(name, builtin, ...) ATOMIC(name, false)
#include "runtime/gcn/tables/memory.def"
ATOMIC(cmpswap, true)

#define ROW(name, ...) {GCN_OP_##name, name},
#define RMW(name, op, t, builtin, ...) ROW(image_atomic_##name)
#define RMW_GLOBAL(name, builtin, ...) ROW(image_atomic_##name)
/* clang-format off */
const struct gcn_handler_row gcn_image_handlers[] = {
#include "runtime/gcn/tables/memory.def"
    ROW(image_atomic_cmpswap)
    ACCESSES(ROW)
    ROW(image_get_resinfo)
    {0, NULL},
};
/* clang-format on */
