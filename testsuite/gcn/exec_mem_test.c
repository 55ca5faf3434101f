/* SPDX-License-Identifier: MIT */
/* Compares loads and stores of FLAT, GLOBAL, SCRATCH, MUBUF and DS with a model that moves single bytes. It tries all
 * combinations of address patterns (adjacent, common, scattered, misaligned and more), EXEC, segments and elements, and
 * then compares every vector register and every byte of the memories. */
#include "runtime/gcn/guest_memory.h"
#include "testsuite/gcn/exec_harness.h"

#include <sys/mman.h>

enum {
    ARENA = 24576,  /* bytes of global memory, which is whole pages */
    GROUP = 2904,   /* bytes of group memory */
    PRIVATE = 1104, /* bytes of private memory per lane */
    VADDR = 10,
    VDATA = 20,
    VDST = 40,
    SADDR = 30,
    SRSRC = 36,
    SOFF = 44,
};

enum convert { ZERO_EXTEND, SIGN_EXTEND, WHOLE };

/* An element of BYTES in memory. HALF: 0 for a whole register, 1 for its low half, 2 for its high half. */
struct element {
    const char *name;
    unsigned id;
    bool store;
    unsigned bytes;
    enum convert convert;
    unsigned half;
};

#define FAMILY(p)                                                                                       \
    {#p "_load_ubyte", GCN_OP_##p##_load_ubyte, false, 1, ZERO_EXTEND, 0},                              \
    {#p "_load_sbyte", GCN_OP_##p##_load_sbyte, false, 1, SIGN_EXTEND, 0},                              \
    {#p "_load_ushort", GCN_OP_##p##_load_ushort, false, 2, ZERO_EXTEND, 0},                            \
    {#p "_load_sshort", GCN_OP_##p##_load_sshort, false, 2, SIGN_EXTEND, 0},                            \
    {#p "_load_ubyte_d16", GCN_OP_##p##_load_ubyte_d16, false, 1, ZERO_EXTEND, 1},                      \
    {#p "_load_ubyte_d16_hi", GCN_OP_##p##_load_ubyte_d16_hi, false, 1, ZERO_EXTEND, 2},                \
    {#p "_load_sbyte_d16", GCN_OP_##p##_load_sbyte_d16, false, 1, SIGN_EXTEND, 1},                      \
    {#p "_load_sbyte_d16_hi", GCN_OP_##p##_load_sbyte_d16_hi, false, 1, SIGN_EXTEND, 2},                \
    {#p "_load_short_d16", GCN_OP_##p##_load_short_d16, false, 2, ZERO_EXTEND, 1},                      \
    {#p "_load_short_d16_hi", GCN_OP_##p##_load_short_d16_hi, false, 2, ZERO_EXTEND, 2},                \
    {#p "_load_dword", GCN_OP_##p##_load_dword, false, 4, WHOLE, 0},                                    \
    {#p "_load_dwordx2", GCN_OP_##p##_load_dwordx2, false, 8, WHOLE, 0},                                \
    {#p "_load_dwordx3", GCN_OP_##p##_load_dwordx3, false, 12, WHOLE, 0},                               \
    {#p "_load_dwordx4", GCN_OP_##p##_load_dwordx4, false, 16, WHOLE, 0},                               \
    {#p "_store_byte", GCN_OP_##p##_store_byte, true, 1, WHOLE, 1},                                     \
    {#p "_store_byte_d16_hi", GCN_OP_##p##_store_byte_d16_hi, true, 1, WHOLE, 2},                       \
    {#p "_store_short", GCN_OP_##p##_store_short, true, 2, WHOLE, 1},                                   \
    {#p "_store_short_d16_hi", GCN_OP_##p##_store_short_d16_hi, true, 2, WHOLE, 2},                     \
    {#p "_store_dword", GCN_OP_##p##_store_dword, true, 4, WHOLE, 0},                                   \
    {#p "_store_dwordx2", GCN_OP_##p##_store_dwordx2, true, 8, WHOLE, 0},                               \
    {#p "_store_dwordx3", GCN_OP_##p##_store_dwordx3, true, 12, WHOLE, 0},                              \
    {#p "_store_dwordx4", GCN_OP_##p##_store_dwordx4, true, 16, WHOLE, 0}
static const struct element flat[] = {FAMILY(flat)};
static const struct element buffer[] = {FAMILY(buffer)};
static const struct element ds[] = {
    {"ds_read_u8", GCN_OP_ds_read_u8, false, 1, ZERO_EXTEND, 0},
    {"ds_read_i8", GCN_OP_ds_read_i8, false, 1, SIGN_EXTEND, 0},
    {"ds_read_u16", GCN_OP_ds_read_u16, false, 2, ZERO_EXTEND, 0},
    {"ds_read_i16", GCN_OP_ds_read_i16, false, 2, SIGN_EXTEND, 0},
    {"ds_read_u8_d16", GCN_OP_ds_read_u8_d16, false, 1, ZERO_EXTEND, 1},
    {"ds_read_u8_d16_hi", GCN_OP_ds_read_u8_d16_hi, false, 1, ZERO_EXTEND, 2},
    {"ds_read_i8_d16", GCN_OP_ds_read_i8_d16, false, 1, SIGN_EXTEND, 1},
    {"ds_read_i8_d16_hi", GCN_OP_ds_read_i8_d16_hi, false, 1, SIGN_EXTEND, 2},
    {"ds_read_u16_d16", GCN_OP_ds_read_u16_d16, false, 2, ZERO_EXTEND, 1},
    {"ds_read_u16_d16_hi", GCN_OP_ds_read_u16_d16_hi, false, 2, ZERO_EXTEND, 2},
    {"ds_read_b32", GCN_OP_ds_read_b32, false, 4, WHOLE, 0},
    {"ds_read_b64", GCN_OP_ds_read_b64, false, 8, WHOLE, 0},
    {"ds_read_b96", GCN_OP_ds_read_b96, false, 12, WHOLE, 0},
    {"ds_read_b128", GCN_OP_ds_read_b128, false, 16, WHOLE, 0},
    {"ds_write_b8", GCN_OP_ds_write_b8, true, 1, WHOLE, 1},
    {"ds_write_b8_d16_hi", GCN_OP_ds_write_b8_d16_hi, true, 1, WHOLE, 2},
    {"ds_write_b16", GCN_OP_ds_write_b16, true, 2, WHOLE, 1},
    {"ds_write_b16_d16_hi", GCN_OP_ds_write_b16_d16_hi, true, 2, WHOLE, 2},
    {"ds_write_b32", GCN_OP_ds_write_b32, true, 4, WHOLE, 0},
    {"ds_write_b64", GCN_OP_ds_write_b64, true, 8, WHOLE, 0},
    {"ds_write_b96", GCN_OP_ds_write_b96, true, 12, WHOLE, 0},
    {"ds_write_b128", GCN_OP_ds_write_b128, true, 16, WHOLE, 0},
};

/* The memories, and copies on which the model works. */
static struct guest_memory *guest; /* in which kernels find global memory; NULL: anywhere */
static uint8_t *arena, arena_copy[ARENA], *group, group_copy[GROUP], *private;
static uint8_t private_copy[PRIVATE * GCN_LANES];
static struct gcn_wave *copy;

/* Finds byte OFFSET of a lane's segment in the copies; NULL if there is no such byte. */
typedef uint8_t *locate(unsigned lane, uint32_t offset);

static uint8_t *in_arena(unsigned lane, uint32_t offset)
{
    (void)lane;
    return offset < ARENA ? arena_copy + offset : NULL;
}

static uint8_t *in_group(unsigned lane, uint32_t offset)
{
    (void)lane;
    return offset < GROUP ? group_copy + offset : NULL;
}

static uint8_t *in_private(unsigned lane, uint32_t offset)
{
    return offset < PRIVATE ? private_copy + offset / 4 * 256 + lane * 4 + offset % 4 : NULL;
}

/* Loads or stores element E for LANE at OFFSET of a segment, on the copies. If some byte of a unit (a dword or a narrow
 * element) does not exist, loading the unit gives zero, and storing it does nothing. */
static void model(const struct element *e, locate *where, unsigned lane, uint32_t offset, unsigned dst, unsigned src)
{
    for (unsigned unit = 0; unit < e->bytes; unit += 4) {
        unsigned bytes = e->bytes < 4 ? e->bytes : 4, line = unit / 4;
        bool exists = true;
        for (unsigned i = 0; i < bytes; i++)
            exists = exists && where(lane, offset + unit + i);
        if (e->store) {
            for (unsigned i = 0; exists && i < bytes; i++)
                *where(lane, offset + unit + i) =
                    (uint8_t)(wave->v[src + line][lane] >> ((e->half == 2 ? 16 : 0) + 8 * i));
            continue;
        }
        uint32_t raw = 0, *d = &copy->v[dst + line][lane];
        for (unsigned i = 0; exists && i < bytes; i++)
            raw |= (uint32_t)*where(lane, offset + unit + i) << (8 * i);
        if (e->convert == SIGN_EXTEND && raw >> (8 * bytes - 1))
            raw |= UINT32_MAX << (8 * bytes);
        if (e->half == 1)
            raw = (*d & 0xFFFF0000) | (raw & 0xFFFF);
        else if (e->half == 2)
            raw = (*d & 0xFFFF) | raw << 16;
        *d = raw;
    }
}

enum { PATTERNS = 21 };

/* Byte offset of LANE's element in pattern P, below LIMIT for most patterns. */
static uint32_t pattern(unsigned p, unsigned lane, unsigned bytes, unsigned limit)
{
    uint32_t room = limit - bytes + 1;
    switch (p) {
    case 0: return lane * bytes;
    case 1: return bytes * 3;
    case 2: return (GCN_LANES - 1 - lane) * bytes;
    case 3: return (uint32_t)(random64() % room) & ~3u;
    case 4: return (uint32_t)(random64() % room);
    case 5: return lane == 40 ? 4 : lane * bytes;
    case 6: return lane * bytes + 1; /* adjacent, but misaligned */
    case 7: return lane * ((bytes + 3) & ~3u) + 4;
    case 8: return lane % 16 * bytes + (3 - lane / 16) * 17 * bytes; /* rows */
    case 9: return (lane == 21 ? 20 : lane) % 16 * bytes + lane / 16 * 17 * bytes;
    case 10: return (3 - lane / 16) * 17 * bytes; /* one element for each row */
    case 11: return (lane == 21 ? 1 : 0) * bytes + lane / 16 * 17 * bytes;
    case 12: return lane % 16 + (3 - lane / 16) * 61; /* rows whose elements overlap */
    case 13: return lane % 16 * 2 + lane / 16 * 61;
    case 14: return lane % 16 * 3 + lane / 16 * 61;
    case 15: return lane % 16 + (lane == 21 ? 1 : 0) + lane / 16 * 61;
    case 16: return lane % 8 * bytes + (7 - lane / 8) * 8 * bytes; /* short rows */
    case 17: return lane % 16 * 4 + (3 - lane / 16) * 61;          /* rows of a sliding window */
    case 18: return lane * 4 + (lane == 21 ? 1 : 0);
    case 19: return lane * bytes + 8; /* adjacent where lanes are active */
    default: return (lane == 21 ? 20 : lane) % 8 * bytes + (lane / 8 ^ 1) * 8 * bytes;
    }
}

static const uint64_t execs[] = {
    UINT64_MAX, 0, 0x00000000FFFFFFFF, 1, UINT64_C(1) << 63, 0xA5A5A5A55A5A5A5A, 0x7FFFFFFFFFFFFFFF};
enum { EXECS = sizeof execs / sizeof execs[0] };

static void fill(uint8_t *p, size_t n)
{
    uint64_t value = random64();
    for (size_t i = 0; i < n; i++, value += value << 3 | 1)
        p[i] = (uint8_t)(value >> 56);
}

static void start(uint64_t exec)
{
    new_wave(exec);
    fill(arena, ARENA);
    fill(group, GROUP);
    fill(private, PRIVATE * GCN_LANES);
    wave->lds = group;
    wave->lds_size = GROUP;
    wave->scratch = private;
    wave->scratch_size = PRIVATE;
    wave->guest = guest;
}

static void snapshot(void)
{
    memcpy(copy, wave, sizeof *wave);
    memcpy(arena_copy, arena, ARENA);
    memcpy(group_copy, group, GROUP);
    memcpy(private_copy, private, sizeof private_copy);
}

/* Whether registers and memories are what the model has made of the copies. */
static bool same(void)
{
    return !memcmp(copy->v, wave->v, sizeof wave->v) && !memcmp(copy->s, wave->s, sizeof wave->s) &&
           !memcmp(arena_copy, arena, ARENA) && !memcmp(group_copy, group, GROUP) &&
           !memcmp(private_copy, private, sizeof private_copy);
}

enum segment { GLOBAL_V, GLOBAL_S, FLAT_HOST, FLAT_GROUP, FLAT_PRIVATE, SCRATCH_V, SCRATCH_S, SEGMENTS };
static const char *const segment_name[] = {
    "GLOBAL", "GLOBAL with saddr", "FLAT", "FLAT to group", "FLAT to private", "SCRATCH", "SCRATCH with saddr",
};

static bool try_flat(const struct element *e, enum segment segment, unsigned p, uint64_t exec, bool alias)
{
    int32_t imm = segment == GLOBAL_V || segment == SCRATCH_S ? -24 : 40;
    uint32_t aux = segment <= GLOBAL_S ? GCN_SEG_GLOBAL : segment >= SCRATCH_V ? GCN_SEG_SCRATCH : 0;
    uint32_t limit = segment == FLAT_GROUP ? GROUP : segment >= FLAT_PRIVATE ? PRIVATE : ARENA;
    locate *where = segment == FLAT_GROUP ? in_group : segment >= FLAT_PRIVATE ? in_private : in_arena;
    uint64_t base = segment == FLAT_GROUP     ? (uint64_t)GCN_SHARED_BASE_HI << 32
                    : segment == FLAT_PRIVATE ? (uint64_t)GCN_PRIVATE_BASE_HI << 32
                    : segment >= SCRATCH_V    ? 0
                                              : (uintptr_t)arena;
    start(exec);
    if (segment == GLOBAL_S || segment == SCRATCH_S)
        aux |= GCN_SADDR;
    uint32_t offset[GCN_LANES];
    for (unsigned i = 0; i < GCN_LANES; i++) {
        offset[i] = pattern(p, i, e->bytes, limit);
        if (segment == SCRATCH_S)
            offset[i] = 48 + p;
        if (!(exec >> i & 1) && p % 2)
            continue; /* the register of an inactive lane stays random */
        uint64_t address = base + offset[i] - (uint64_t)(int64_t)imm;
        wave->v[VADDR][i] = segment == GLOBAL_S ? offset[i] + 100 : (uint32_t)address;
        if (segment != GLOBAL_S && segment < SCRATCH_V)
            wave->v[VADDR + 1][i] = (uint32_t)(address >> 32);
    }
    if (segment == GLOBAL_S)
        gcn_set64(wave, SADDR, base - 100 - (uint64_t)(int64_t)imm);
    if (segment == SCRATCH_S)
        wave->s[SADDR] = offset[0] - (uint32_t)imm;
    unsigned dst = alias && !e->store ? VADDR - e->bytes / 8 : VDST;
    snapshot();
    for (unsigned i = 0; i < GCN_LANES; i++)
        if (exec >> i & 1)
            model(e, where, i, offset[i], dst, VDATA);
    return run(e->id, v(dst), v(VADDR), v(VDATA), aux & GCN_SADDR ? s(SADDR) : ZERO, imm, aux) && same();
}

static void check_flat(const struct element *e)
{
    unsigned wrong = 0;
    for (unsigned segment = 0; segment < SEGMENTS; segment++)
        for (unsigned p = 0; p < PATTERNS; p++)
            for (unsigned x = 0; x < EXECS; x++)
                for (unsigned alias = 0; alias < 2; alias++)
                    if (!try_flat(e, segment, p, execs[x], alias) && !wrong++)
                        printf("# %s: %s, pattern %u, exec %llx, alias %u\n", e->name, segment_name[segment], p,
                               (unsigned long long)execs[x], alias);
    ok(!wrong, "%s as FLAT, GLOBAL and SCRATCH", e->name);
}

/* Accesses adjacent elements, of which only those of N active lanes are in memory: the last ones of it, or the first.
 */
static bool try_edge(const struct element *e, unsigned n, bool last)
{
    uint64_t exec = last ? (UINT64_C(1) << n) - 1 : ~(UINT64_MAX >> n);
    uint64_t base = last ? (uintptr_t)arena + ARENA - n * e->bytes : (uintptr_t)arena - (GCN_LANES - n) * e->bytes;
    start(exec);
    for (unsigned i = 0; i < GCN_LANES; i++) {
        uint64_t address = base + i * e->bytes;
        wave->v[VADDR][i] = (uint32_t)address;
        wave->v[VADDR + 1][i] = (uint32_t)(address >> 32);
    }
    snapshot();
    for (unsigned i = 0; i < GCN_LANES; i++)
        if (exec >> i & 1)
            model(e, in_arena, i, (uint32_t)(base + i * e->bytes - (uintptr_t)arena), VDST, VDATA);
    return run(e->id, v(VDST), v(VADDR), v(VDATA), ZERO, 0, GCN_SEG_GLOBAL) && same();
}

static void check_edges(const struct element *e)
{
    static const unsigned counts[] = {1, 13, 32, 63};
    unsigned wrong = 0;
    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++)
        wrong += !try_edge(e, counts[i], false) + !try_edge(e, counts[i], true);
    ok(!wrong, "%s at the edges of memory", e->name);
}

/* Buffers: kinds of descriptors and flags. */
enum kind { PRIVATE_OFF, PRIVATE_OFFEN, RAW, RAW_SHORT, STRUCTURED, STRUCTURED_BOTH, SWIZZLED, KINDS };
static const char *const kind_name[] = {
    "private", "private, offen", "raw", "raw, short", "structured", "structured, offen", "swizzled",
};
static uint32_t records, stride_of, index_of_lane[GCN_LANES], raw_limit;

/* The byte of a structured buffer in the arena; a swizzled one is interleaved by dwords in groups of 16 records. */
static uint8_t *in_linear(unsigned lane, uint32_t offset)
{
    (void)lane;
    return offset + 16 < raw_limit ? arena_copy + 512 + 16 + offset : NULL; /* 16: the scalar offset */
}

static uint8_t *in_records(unsigned lane, uint32_t offset)
{
    return index_of_lane[lane] < records ? arena_copy + 512 + 16 + index_of_lane[lane] * stride_of + offset : NULL;
}

static uint8_t *in_swizzled(unsigned lane, uint32_t offset)
{
    uint32_t index = index_of_lane[lane];
    if (index >= records || offset >= stride_of)
        return NULL;
    return arena_copy + 512 + 16 + index / 16 * stride_of * 16 + offset / 4 * 64 + index % 16 * 4 + offset % 4;
}

static void descriptor(uint64_t base, uint32_t stride, uint32_t size, bool swizzle, unsigned groups, bool tid)
{
    uint32_t *srd = wave->s + SRSRC;
    srd[0] = (uint32_t)base;
    srd[1] = (uint32_t)(base >> 32 & 0xFFFF) | stride << 16 | (uint32_t)swizzle << 31;
    srd[2] = size;
    srd[3] = 0x24FAC | groups << 21 | (uint32_t)tid << 23;
}

static bool try_buffer(const struct element *e, enum kind kind, unsigned p, uint64_t exec, bool tfe)
{
    start(exec);
    uint32_t aux = 0, offset[GCN_LANES];
    int32_t imm = 12;
    locate *where = in_linear;
    wave->s[SOFF] = 16;
    raw_limit = kind == RAW_SHORT ? 900 : 20000;
    switch (kind) {
    case PRIVATE_OFF:
    case PRIVATE_OFFEN:
        descriptor((uintptr_t)private - 256, 0, sizeof private_copy + 256, true, 3, true);
        wave->s[SOFF] = 256;
        where = in_private;
        break;
    case RAW:
    case RAW_SHORT: descriptor((uintptr_t)arena + 512, 0, raw_limit, false, 0, false); break;
    case STRUCTURED:
    case STRUCTURED_BOTH:
        stride_of = 36;
        records = 50;
        descriptor((uintptr_t)arena + 512, stride_of, records, false, 0, false);
        where = in_records;
        break;
    default:
        stride_of = 40;
        records = 60;
        descriptor((uintptr_t)arena + 512, stride_of, records, true, 1, false);
        where = in_swizzled;
    }
    bool offen = kind != PRIVATE_OFF && kind != STRUCTURED, idxen = kind >= STRUCTURED;
    aux = (offen ? GCN_OFFEN : 0) | (idxen ? GCN_IDXEN : 0) | (tfe ? GCN_TFE : 0);
    for (unsigned i = 0; i < GCN_LANES; i++) {
        index_of_lane[i] = p == 1 ? 7 : p == 2 ? 63 - i : p == 0 ? i : (uint32_t)(random64() % 70);
        offset[i] = kind >= STRUCTURED ? (uint32_t)(random64() % 30)
                                       : pattern(p, i, e->bytes, kind <= PRIVATE_OFFEN ? PRIVATE : 1500);
        if (!offen)
            offset[i] = (uint32_t)imm;
        wave->v[VADDR][i] = idxen ? index_of_lane[i] : offset[i] - (uint32_t)imm;
        wave->v[VADDR + 1][i] = offset[i] - (uint32_t)imm;
    }
    snapshot();
    for (unsigned i = 0; i < GCN_LANES; i++)
        if (exec >> i & 1) {
            model(e, where, i, offset[i], VDATA, VDATA);
            if (tfe && !e->store)
                copy->v[VDATA + (e->bytes + 3) / 4][i] = 0;
        }
    return run(e->id, v(VDATA), v(VADDR), s(SOFF), s(SRSRC), imm, aux) && same();
}

static void check_buffer(const struct element *e)
{
    unsigned wrong = 0;
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (unsigned p = 0; p < PATTERNS; p++)
            for (unsigned x = 0; x < EXECS; x++)
                for (unsigned tfe = 0; tfe < 2; tfe++)
                    if (!try_buffer(e, kind, p, execs[x], tfe) && !wrong++)
                        printf("# %s: %s, pattern %u, exec %llx\n", e->name, kind_name[kind], p,
                               (unsigned long long)execs[x]);
    ok(!wrong, "%s", e->name);
}

static bool try_ds(const struct element *e, unsigned p, uint64_t exec, bool alias, bool outside)
{
    start(exec);
    uint32_t offset[GCN_LANES], imm = p % 2 ? 0 : 20;
    for (unsigned i = 0; i < GCN_LANES; i++) {
        offset[i] = pattern(p, i, e->bytes, GROUP);
        if (outside && i % 5 == 0)
            offset[i] = i % 2 ? GROUP - (uint32_t)(random64() % 16) : (uint32_t)random64();
        wave->v[VADDR][i] = offset[i] - imm;
    }
    unsigned dst = alias && !e->store ? VADDR - e->bytes / 8 : VDST;
    snapshot();
    for (unsigned i = 0; i < GCN_LANES; i++)
        if (exec >> i & 1)
            model(e, in_group, i, offset[i], dst, VDATA);
    return run(e->id, v(dst), v(VADDR), v(VDATA), ZERO, (int32_t)imm, 0) && same();
}

static void check_ds(const struct element *e)
{
    unsigned wrong = 0;
    for (unsigned p = 0; p < PATTERNS; p++)
        for (unsigned x = 0; x < EXECS; x++)
            for (unsigned alias = 0; alias < 2; alias++)
                for (unsigned outside = 0; outside < 2; outside++)
                    if (!try_ds(e, p, execs[x], alias, outside) && !wrong++)
                        printf("# %s: pattern %u, exec %llx, alias %u, outside %u\n", e->name, p,
                               (unsigned long long)execs[x], alias, outside);
    ok(!wrong, "%s", e->name);
}

/* Two elements at two 8-bit offsets must behave like two single ones, except that the destination is only written when
 * both have been read. */
static bool try_ds2(const struct element *e, unsigned p, uint64_t exec, unsigned scale, bool near)
{
    uint32_t first = scale == 1 ? 5 : 1, second = near ? first + 1 : scale == 1 ? 200 : 3, offset[GCN_LANES];
    unsigned dst = p == 5 ? VADDR : p == 4 ? VADDR - 1 : VDST;
    start(exec);
    for (unsigned i = 0; i < GCN_LANES; i++)
        offset[i] = wave->v[VADDR][i] = pattern(p, i, near ? 2 * e->bytes : e->bytes, GROUP - 4);
    snapshot();
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < GCN_LANES; i++)
            if (exec >> i & 1)
                model(e, in_group, i, offset[i] + (k ? second : first) * e->bytes * scale, dst + k * e->bytes / 4,
                      VDATA + k * 4);
    return run(e->id, v(dst), v(VADDR), v(VDATA), v(VDATA + 4), (int32_t)(second << 8 | first), 0) && same();
}

static void check_ds2(const char *name, unsigned id, bool store, unsigned bytes, unsigned scale)
{
    struct element e = {name, id, store, bytes, WHOLE, 0};
    unsigned wrong = 0;
    for (unsigned p = 0; p < PATTERNS; p++)
        for (unsigned x = 0; x < EXECS; x++)
            for (unsigned near = 0; near < 2; near++)
                if (!try_ds2(&e, p, execs[x], scale, near) && !wrong++)
                    printf("# %s: pattern %u, exec %llx, near %u\n", name, p, (unsigned long long)execs[x], near);
    ok(!wrong, "%s", name);
}

/* Executes an access that must stop the wave with a fault of KIND at ADDRESS. */
static void check_fault(const char *what, unsigned id, uint64_t address, uint32_t aux, enum gcn_fault_kind kind)
{
    start(UINT64_C(1) << 5 | UINT64_C(1) << 9);
    for (unsigned i = 0; i < GCN_LANES; i++) {
        uint64_t a = i == 5 ? (uintptr_t)arena : address;
        if (aux & GCN_SEG_SCRATCH)
            a = i == 5 ? 0 : address;
        wave->v[VADDR][i] = (uint32_t)a;
        wave->v[VADDR + 1][i] = (uint32_t)(a >> 32);
    }
    bool on = run(id, v(VDST), v(VADDR), v(VDATA), ZERO, 0, aux);
    uint64_t want = aux & GCN_SEG_SCRATCH ? address | (uint64_t)GCN_PRIVATE_BASE_HI << 32 : address;
    ok(!on && wave->fault.kind == kind && wave->fault.address == want, "%s: fault %d at %llx", what, wave->fault.kind,
       (unsigned long long)wave->fault.address);
}

static void check_faults(void)
{
    uint64_t group_base = (uint64_t)GCN_SHARED_BASE_HI << 32, private_base = (uint64_t)GCN_PRIVATE_BASE_HI << 32;
    check_fault("beyond user addresses", GCN_OP_flat_load_dword, UINT64_C(1) << 47, GCN_SEG_GLOBAL, GCN_FAULT_MEMORY);
    check_fault("across the end of user addresses", GCN_OP_flat_load_dwordx4, (UINT64_C(1) << 47) - 12, 0,
                GCN_FAULT_MEMORY);
    check_fault("all ones", GCN_OP_flat_store_byte, UINT64_MAX, 0, GCN_FAULT_MEMORY);
    check_fault("GLOBAL in the group aperture", GCN_OP_flat_load_dword, group_base, GCN_SEG_GLOBAL, GCN_FAULT_MEMORY);
    check_fault("FLAT beyond group memory", GCN_OP_flat_load_dword, group_base + GROUP, 0, GCN_FAULT_APERTURE);
    check_fault("FLAT across its end", GCN_OP_flat_store_dwordx2, group_base + GROUP - 4, 0, GCN_FAULT_APERTURE);
    check_fault("FLAT beyond private memory", GCN_OP_flat_store_dword, private_base + PRIVATE, 0, GCN_FAULT_APERTURE);
    check_fault("SCRATCH beyond private memory", GCN_OP_flat_load_dword, PRIVATE, GCN_SEG_SCRATCH, GCN_FAULT_APERTURE);
    check_fault("SCRATCH at a negative address", GCN_OP_flat_load_dword, 0xFFFFFFFC, GCN_SEG_SCRATCH,
                GCN_FAULT_APERTURE);
    check_fault("misaligned atomic", GCN_OP_flat_atomic_add, (uintptr_t)arena + 2, 0, GCN_FAULT_ALIGNMENT);
    check_fault("64-bit atomic on half of its alignment", GCN_OP_flat_atomic_add_x2, ((uintptr_t)arena & ~7ull) + 12, 0,
                GCN_FAULT_ALIGNMENT);
}

/* All lanes load elements in rows of LANES lanes, STEP bytes apart, of which the last one of a row is not all in
 * guarded memory. */
static bool faults_in_rows(unsigned id, unsigned lanes, unsigned step, unsigned bytes)
{
    start(UINT64_MAX);
    for (unsigned i = 0; i < GCN_LANES; i++) {
        /* where the last element of its row begins */
        uint64_t end = (uintptr_t)arena + ARENA - (i / lanes == 2 ? bytes - 1 : 1000);
        wave->v[VADDR][i] = (uint32_t)(end - (lanes - 1 - i % lanes) * step);
        wave->v[VADDR + 1][i] = (uint32_t)(end >> 32);
    }
    return !run(id, v(VDST), v(VADDR), v(VDATA), ZERO, 0, GCN_SEG_GLOBAL) && wave->fault.kind == GCN_FAULT_MEMORY;
}

static void check_rows(struct guest_memory *map)
{
    guest = map;
    ok(faults_in_rows(GCN_OP_flat_load_dword, 16, 4, 4) && faults_in_rows(GCN_OP_flat_load_dword, 16, 2, 4) &&
           faults_in_rows(GCN_OP_flat_load_dword, 16, 1, 4) && faults_in_rows(GCN_OP_flat_load_dword, 16, 0, 4) &&
           faults_in_rows(GCN_OP_flat_load_ushort, 16, 2, 2) && faults_in_rows(GCN_OP_flat_load_ushort, 16, 1, 2) &&
           faults_in_rows(GCN_OP_flat_load_ushort, 16, 0, 2) && faults_in_rows(GCN_OP_flat_store_dword, 16, 4, 4) &&
           faults_in_rows(GCN_OP_flat_load_dwordx2, 16, 4, 8) && faults_in_rows(GCN_OP_flat_load_dwordx3, 16, 4, 12) &&
           faults_in_rows(GCN_OP_flat_load_dwordx4, 16, 4, 16) && faults_in_rows(GCN_OP_flat_load_dword, 8, 4, 4) &&
           faults_in_rows(GCN_OP_flat_store_dword, 8, 4, 4),
       "rows that end beyond guarded memory");
    guest = NULL;
}

/* What does not access group memory, with kernels that may touch all memory, or only that of MAP. */
static void check_global(struct guest_memory *map)
{
    guest = map;
    printf("# %s memory\n", map ? "guarded" : "any");
    for (unsigned i = 0; i < sizeof flat / sizeof flat[0]; i++)
        check_flat(&flat[i]);
    for (unsigned i = 0; i < sizeof flat / sizeof flat[0]; i++)
        check_edges(&flat[i]);
}

static void check_engine(struct guest_memory *map)
{
    check_global(map);
    check_global(NULL);
    for (unsigned i = 0; i < sizeof buffer / sizeof buffer[0]; i++)
        check_buffer(&buffer[i]);
    for (unsigned i = 0; i < sizeof ds / sizeof ds[0]; i++)
        check_ds(&ds[i]);
    check_ds2("ds_read2_b32", GCN_OP_ds_read2_b32, false, 4, 1);
    check_ds2("ds_read2_b64", GCN_OP_ds_read2_b64, false, 8, 1);
    check_ds2("ds_read2st64_b32", GCN_OP_ds_read2st64_b32, false, 4, 64);
    check_ds2("ds_read2st64_b64", GCN_OP_ds_read2st64_b64, false, 8, 64);
    check_ds2("ds_write2_b32", GCN_OP_ds_write2_b32, true, 4, 1);
    check_ds2("ds_write2_b64", GCN_OP_ds_write2_b64, true, 8, 1);
    check_ds2("ds_write2st64_b32", GCN_OP_ds_write2st64_b32, true, 4, 64);
    check_ds2("ds_write2st64_b64", GCN_OP_ds_write2st64_b64, true, 8, 64);
    check_faults();
    check_rows(map);
}

int main(void)
{
    enum { PAGE = 4096 };
    uint8_t *mapped = mmap(NULL, ARENA + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    arena = mapped + PAGE;
    if (!ok(mapped != MAP_FAILED && !mprotect(arena, ARENA, PROT_READ | PROT_WRITE), "memory between guard pages"))
        return 1;
    struct guest_memory *map = guest_memory_new();
    if (!ok(map && guest_memory_add(map, arena, ARENA), "a map of that memory"))
        return 1;
    copy = aligned_alloc(64, (sizeof *wave + 63) & ~(size_t)63);
    group = malloc(GROUP);
    private = malloc(sizeof private_copy);
    while (next_engine()) {
        printf("# built for %s\n", engine->name);
        check_engine(map);
    }
    guest_memory_free(map);
    munmap(mapped, ARENA + 2 * PAGE);
    free(group);
    free(private);
    free(copy);
    free(wave);
    return tap_done();
}
