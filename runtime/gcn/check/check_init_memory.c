/* SPDX-License-Identifier: MIT */
/* The checker of initialisation, for instructions that access memory: undefined bits go to memory and come back.
 * Input: a wave about to execute such an instruction. Output: shadows of registers and memory; findings.
 * Invariant: what is stored to global memory counts as read by others, so undefined bits are reported there and go no
 * farther; group and private memory take them as they are. */
#include "runtime/gcn/check/check_init.h"

#include "support/bytes.h"
#include "support/hash.h"

#include <string.h>
#include <sys/mman.h>

enum { ELEMENT_DWORDS = 16 };

/* ---- bits in memory ---- */

/* Where the shadow of the N bytes at ADDRESS is, which lie in one dword; NULL if nothing is known of them. */
static uint8_t *shadow_place(const struct init_step *s, uint8_t segment, unsigned lane, uint64_t address, unsigned n)
{
    struct init_group *group = s->w->group->check->init;
    const struct fresh_extent *extent;
    switch (segment) {
    case HSAM_ACCESS_GROUP: return address + n <= s->w->lds_size ? group->lds + address : NULL;
    case HSAM_ACCESS_PRIVATE:
        if (address + n > s->w->scratch_size || !group->scratch)
            return NULL;
        return group->scratch + (s->w->scratch - s->w->group->scratch) + (address & ~UINT64_C(3)) * GCN_LANES +
               lane * 4 + address % 4;
    default:
        extent = fresh_find(s->check, group, address);
        if (!extent || !extent->defined || fresh_is_present(extent, address))
            return NULL;
        return extent->defined + (address - extent->base);
    }
}

static uint32_t *origin_slot(const struct init_step *s, uint8_t segment, uint64_t address)
{
    struct init_group *group = s->w->group->check->init;
    uint64_t key = address / 4 * 4 + segment + (segment == HSAM_ACCESS_PRIVATE ? (uint64_t)s->w->index << 40 : 0);
    group->has_origins = true;
    size_t i = hash_u64(0, key) % (sizeof group->origins / sizeof *group->origins);
    if (group->origins[i].address != key) {
        group->origins[i].address = key;
        group->origins[i].origin = 0;
    }
    return &group->origins[i].origin;
}

static unsigned chunk(uint64_t at, uint64_t end)
{
    uint64_t stop = (at & ~UINT64_C(3)) + 4;
    return (unsigned)((stop < end ? stop : end) - at);
}

/* Gets the undefined bits of BYTES bytes at ADDRESS; false if there are none. */
static bool load_bits(const struct init_step *s, uint8_t segment, unsigned lane, uint64_t address, unsigned bytes,
                      uint32_t *bits, uint32_t *origin)
{
    uint8_t undefined[4 * ELEMENT_DWORDS] = {0};
    bool any = false;
    for (uint64_t at = address, end = address + bytes, n; at < end; at += n) {
        n = chunk(at, end);
        const uint8_t *place = shadow_place(s, segment, lane, at, (unsigned)n);
        for (unsigned i = 0; place && i < n; i++)
            any |= (undefined[at - address + i] = (uint8_t)~place[i]) != 0;
    }
    memcpy(bits, undefined, bytes < 4 ? 4 : bytes);
    if (any && !*origin) {
        *origin = *origin_slot(s, segment, address);
        if (!*origin)
            *origin = init_memory_origin(s, segment, address);
    }
    return any;
}

static void store_bits(const struct init_step *s, uint8_t segment, unsigned lane, uint64_t address, unsigned bytes,
                       const uint32_t *bits, uint32_t origin)
{
    const uint8_t *undefined = (const uint8_t *)bits;
    for (uint64_t at = address, end = address + bytes, n; at < end; at += n) {
        n = chunk(at, end);
        uint8_t *place = shadow_place(s, segment, lane, at, (unsigned)n), found = 0;
        for (unsigned i = 0; place && i < n; i++) {
            uint8_t put = bits ? undefined[at - address + i] : 0;
            place[i] = (uint8_t)~put;
            found |= put;
        }
        if (found)
            *origin_slot(s, segment, at) = origin;
    }
}

/* ---- loads ---- */

/* Turns the undefined bits of a narrow element into those of the register that it is loaded into. */
static uint32_t extended(const struct gcn_op_info *info, uint32_t bits, uint32_t old)
{
    unsigned width = 8u * info->bytes;
    if (info->bytes < 4 && info->flags & GCN_F_SEXT && bits >> (width - 1) & 1)
        bits |= UINT32_MAX << width;
    if (!(info->flags & GCN_F_D16))
        return bits;
    return info->flags & GCN_F_HI ? bits << 16 | (old & 0xffff) : (bits & 0xffff) | (old & 0xffff0000);
}

static void load_scalars(const struct init_step *s, const struct gcn_access *a)
{
    uint32_t bits[ELEMENT_DWORDS] = {0}, origin = 0;
    const struct init_span *dst = &s->plan->dst;
    unsigned lane = (unsigned)__builtin_ctzll(a->lanes);
    load_bits(s, a->segment[lane], lane, a->address[0][lane], a->bytes, bits, &origin);
    for (unsigned i = 0; i < dst->count && i < ELEMENT_DWORDS; i++) {
        s->shadow->scalar[dst->first + i] = bits[i];
        s->shadow->scalar_origin[dst->first + i] = bits[i] ? origin : 0;
    }
}

/* Gives the lines that PART of LANE's element is loaded into its undefined bits; returns whether it has any. */
static bool load_part(const struct init_step *s, const struct gcn_access *a, unsigned lane, unsigned part,
                      uint32_t *origin)
{
    const struct gcn_op_info *info = &gcn_op_info[s->plan->inst.op];
    uint32_t bits[ELEMENT_DWORDS] = {0};
    bool any = load_bits(s, a->segment[lane], lane, a->address[part][lane], a->bytes, bits, origin);
    unsigned dwords = a->bytes < 4 ? 1 : a->bytes / 4, first = s->plan->dst.first + part * dwords;
    for (unsigned i = 0; i < dwords && i < s->plan->dst.count; i++) {
        unsigned r = first + i;
        if (!bits[i] && s->shadow->state[r] == SHADOW_WRITTEN)
            continue;
        uint32_t *line = shadow_change(s->shadow, r);
        line[lane] = a->bytes < 4 ? extended(info, bits[i], line[lane]) : bits[i];
        if (bits[i])
            s->shadow->line_origin[r] = *origin;
    }
    return any;
}

/* Where the shadow of LANE's element begins, if the dwords of that lie at equal distances, or of the dword that holds a
 * smaller element; NULL if that needs a closer look. */
static uint8_t *quick_place(const struct init_step *s, const struct gcn_access *a, unsigned part, unsigned lane)
{
    const struct init_group *group = s->w->group->check->init;
    uint64_t address = a->address[part][lane], rest = address % 4;
    bool shared = a->segment[lane] == HSAM_ACCESS_GROUP;
    uint64_t size = shared ? s->w->lds_size : s->w->scratch_size;
    if (address > size || a->bytes > size - address || (a->bytes < 4 && rest + a->bytes > 4))
        return NULL;
    if (shared)
        return group->lds + address - (a->bytes < 4 ? rest : 0);
    if (!group->scratch || (rest && a->bytes >= 4))
        return NULL;
    return group->scratch + (s->w->scratch - s->w->group->scratch) + address / 4 * GCN_LINE + lane * 4;
}

/* Whether all lanes access group or private memory of which all is written; WRITE: notes that they write it. False if
 * that needs a closer look. */
static bool quick_look(const struct init_step *s, const struct gcn_access *a, bool write)
{
    unsigned step = a->segment[__builtin_ctzll(a->lanes)] == HSAM_ACCESS_GROUP ? 4 : GCN_LINE;
    uint32_t element = a->bytes < 4 ? (1u << 8 * a->bytes) - 1 : UINT32_MAX, unwritten = 0;
    for (uint64_t left = a->lanes; left; left &= left - 1)
        for (unsigned part = 0; part < a->parts; part++) {
            unsigned lane = (unsigned)__builtin_ctzll(left);
            uint8_t *place = quick_place(s, a, part, lane);
            if (!place)
                return false;
            uint32_t mask = a->bytes < 4 ? element << a->address[part][lane] % 4 * 8 : element;
            for (unsigned n = 0; n < a->bytes; n += 4, place += step) {
                uint32_t bits = load32(place);
                unwritten |= ~bits & mask;
                if (write)
                    store32(place, bits | mask);
            }
        }
    return write || !unwritten;
}

/* The quick answer for most accesses: whether all lanes access memory of which all is written; of global memory, one
 * extent. */
static bool reads_written(const struct init_step *s, const struct gcn_access *a)
{
    if (!a->uniform)
        return false;
    if (a->segment[__builtin_ctzll(a->lanes)] != HSAM_ACCESS_GLOBAL)
        return quick_look(s, a, false);
    const struct fresh_extent *extent = fresh_find(s->check, s->w->group->check->init, a->low);
    return extent && !extent->defined && a->high - extent->base < extent->size;
}

/* The same for stores of data that was written. */
static bool writes_quickly(const struct init_step *s, const struct gcn_access *a)
{
    bool global = a->uniform && a->segment[__builtin_ctzll(a->lanes)] == HSAM_ACCESS_GLOBAL;
    return a->uniform && (global ? reads_written(s, a) : quick_look(s, a, true));
}

static void load(const struct init_step *s, const struct gcn_access *a)
{
    const struct init_span *dst = &s->plan->dst;
    uint32_t origin = 0;
    if (a->scalar) {
        load_scalars(s, a);
        return;
    }
    if (!dst->count)
        return;
    if ((!s->plan->keeps || shadow_is_written(s->shadow, dst)) && reads_written(s, a)) {
        shadow_write(s->shadow, dst, s->exec);
        return;
    }
    uint64_t outside = s->exec & ~a->lanes; /* lanes that read outside of a buffer, and so get zero */
    if (outside && !s->plan->keeps)
        shadow_write(s->shadow, dst, outside);
    for (uint64_t left = a->lanes; left; left &= left - 1)
        for (unsigned part = 0; part < a->parts; part++)
            load_part(s, a, (unsigned)__builtin_ctzll(left), part, &origin);
    for (unsigned r = dst->first; r < dst->first + (unsigned)dst->count; r++)
        if (s->shadow->state[r] == SHADOW_MIXED)
            shadow_settle(s->shadow, r);
}

/* ---- stores ---- */

/* Gets the undefined bits of what LANE stores as PART; returns whether there are any. */
static bool data_bits(const struct init_step *s, const struct gcn_access *a, unsigned lane, unsigned part,
                      uint32_t bits[ELEMENT_DWORDS])
{
    const struct init_span *data = &s->plan->data[part];
    uint64_t flags = gcn_op_info[s->plan->inst.op].flags;
    uint32_t any = 0;
    for (unsigned i = 0; i < ELEMENT_DWORDS; i++)
        bits[i] = 0;
    for (unsigned i = 0; i < data->count && i < (a->bytes + 3) / 4; i++)
        bits[i] = data->scalar ? s->shadow->scalar[data->first + i] : shadow_look(s->shadow, data->first + i)[lane];
    if (a->bytes < 4) {
        bits[0] >>= flags & GCN_F_HI ? 16 : 0;
        bits[0] &= (1u << 8 * a->bytes) - 1;
    }
    for (unsigned i = 0; i < ELEMENT_DWORDS; i++)
        any |= bits[i];
    return any;
}

static bool data_is_written(const struct init_step *s)
{
    return shadow_is_written(s->shadow, &s->plan->data[0]) && shadow_is_written(s->shadow, &s->plan->data[1]);
}

static uint32_t data_origin(const struct init_step *s)
{
    uint32_t origin = init_span_origin(s, &s->plan->data[0]);
    return origin ? origin : init_span_origin(s, &s->plan->data[1]);
}

static void store(const struct init_step *s, const struct gcn_access *a)
{
    uint32_t bits[ELEMENT_DWORDS];
    uint64_t seen = 0;
    bool written = data_is_written(s);
    if (written && writes_quickly(s, a))
        return;
    uint32_t origin = written ? 0 : data_origin(s);
    for (uint64_t left = a->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        for (unsigned part = 0; part < a->parts; part++) {
            bool undefined = !written && data_bits(s, a, lane, part, bits);
            bool global = a->segment[lane] == HSAM_ACCESS_GLOBAL;
            seen |= (uint64_t)(undefined && global) << lane;
            store_bits(s, a->segment[lane], lane, a->address[part][lane], a->bytes, undefined && !global ? bits : NULL,
                       origin);
        }
    }
    if (seen)
        init_report(s, GCN_FINDING_INIT_STORE, seen, origin, a);
}

/* ---- atomic operations ---- */

static bool is_exchange(const struct gcn_op_info *info)
{
    return (strstr(info->name, "swap") && !strstr(info->name, "cmpswap")) || strstr(info->name, "xchg");
}

static void returned(const struct init_step *s, unsigned lane, unsigned first, unsigned dwords, const uint32_t *old,
                     uint32_t origin)
{
    for (unsigned i = 0; i < dwords && first + i < s->plan->dst.count; i++) {
        unsigned r = s->plan->dst.first + first + i;
        if (!old[i] && s->shadow->state[r] == SHADOW_WRITTEN)
            continue;
        shadow_change(s->shadow, r)[lane] = old[i];
        if (old[i])
            s->shadow->line_origin[r] = origin;
        shadow_settle(s->shadow, r);
    }
}

/* Returns whether global memory gets undefined bits. */
static bool change_part(const struct init_step *s, const struct gcn_access *a, unsigned lane, unsigned part,
                        uint32_t *origin)
{
    static const uint32_t all[ELEMENT_DWORDS] = {[0 ... ELEMENT_DWORDS - 1] = UINT32_MAX};
    uint32_t old[ELEMENT_DWORDS] = {0}, bits[ELEMENT_DWORDS], more[ELEMENT_DWORDS];
    bool global = a->segment[lane] == HSAM_ACCESS_GLOBAL, exchange = is_exchange(&gcn_op_info[s->plan->inst.op]);
    bool given = data_bits(s, a, lane, part, bits) || (a->parts == 1 && data_bits(s, a, lane, 1, more));
    if (given && !*origin)
        *origin = data_origin(s);
    bool was = load_bits(s, a->segment[lane], lane, a->address[part][lane], a->bytes, old, origin);
    if (s->plan->dst.count && !s->plan->dst.scalar)
        returned(s, lane, part * (a->bytes / 4), a->bytes / 4, old, *origin);
    bool undefined = given || (was && !exchange);
    store_bits(s, a->segment[lane], lane, a->address[part][lane], a->bytes,
               !undefined || global ? NULL
               : exchange           ? bits
                                    : all,
               *origin);
    return undefined && global;
}

static void change(const struct init_step *s, const struct gcn_access *a)
{
    uint32_t origin = 0;
    uint64_t seen = 0;
    if (data_is_written(s) && reads_written(s, a)) {
        shadow_write(s->shadow, &s->plan->dst, s->exec);
        return;
    }
    for (uint64_t left = a->lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        for (unsigned part = 0; part < a->parts; part++)
            seen |= (uint64_t)change_part(s, a, lane, part, &origin) << lane;
    }
    if (s->plan->dst.scalar)
        shadow_write(s->shadow, &s->plan->dst, 0);
    if (seen)
        init_report(s, GCN_FINDING_INIT_STORE, seen, origin, a);
}

/* ---- the instruction ---- */

static void check_address(const struct init_step *s, const struct gcn_access *access)
{
    uint64_t lanes = 0;
    for (unsigned i = 0; i < 4; i++) {
        const struct init_span *span = &s->plan->src[i];
        if (shadow_is_written(s->shadow, span))
            continue;
        lanes = span->scalar ? s->exec : shadow_lanes(s->shadow, span, s->exec);
        if (lanes) {
            init_report(s, GCN_FINDING_INIT_ADDRESS, lanes, init_span_origin(s, span), access);
            return;
        }
    }
}

/* The micro-operation of the instruction itself; that of another checker may come before it. */
static const struct gcn_uop *instruction(const struct init_step *s)
{
    const struct gcn_uop *op = s->op + 1;
    while (op->fn == gcn_check_access)
        op++;
    return op;
}

static void store_image(const struct init_step *s)
{
    if (shadow_is_written(s->shadow, &s->plan->data[0]))
        return;
    uint64_t lanes = shadow_lanes(s->shadow, &s->plan->data[0], s->exec);
    if (lanes)
        init_report(s, GCN_FINDING_INIT_STORE, lanes, data_origin(s), NULL);
}

void init_step_memory(const struct init_step *s)
{
    struct gcn_group_check *check = s->w->group->check;
    struct gcn_access *access = &check->access;
    const struct gcn_uop *op = instruction(s);
    const struct gcn_op_info *info = &gcn_op_info[s->plan->inst.op];
    bool known = s->plan->kind == INIT_MEMORY && gcn_access_of(s->w, op, s->plan->inst.op, access);
    check->accessed = known ? op : NULL;
    if (!s->exec && s->plan->inst.encoding != GCN_SMEM)
        return;
    check_address(s, known ? access : NULL);
    if (!known) {
        if (info->flags & (GCN_F_STORE | GCN_F_ATOMIC))
            store_image(s);
        shadow_write(s->shadow, &s->plan->dst, s->exec);
    } else if (access->atomic) {
        change(s, access);
    } else if (access->writes) {
        store(s, access);
    } else {
        load(s, access);
    }
}

/* ---- groups ---- */

enum { SHADOW_WAVE_SIZE = (sizeof(struct gcn_shadow) + 4095) / 4096 * 4096 + 4096 };

static void *map(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void empty(uint8_t *memory, size_t size)
{
    enum { MUCH = 1 << 18 };
    if (size > MUCH && !madvise(memory, size, MADV_DONTNEED))
        return;
    memset(memory, 0, size);
}

/* Readies the shadow of G's private memory, and marks it as not written. */
static bool start_scratch(struct init_group *group, const struct gcn_group *g)
{
    size_t used = (size_t)g->dispatch->wave_count * g->dispatch->scratch_wave;
    if (group->scratch_size != g->scratch_size) {
        if (group->scratch)
            munmap(group->scratch, group->scratch_size);
        group->scratch = g->scratch_size ? map(g->scratch_size) : NULL;
        group->scratch_size = group->scratch ? g->scratch_size : 0;
        return group->scratch || !g->scratch_size;
    }
    if (used && group->scratch)
        empty(group->scratch, used);
    return true;
}

bool init_group_start(struct gcn_group *g)
{
    struct init_group *group = g->check->init ? g->check->init : mem_zalloc(1, sizeof *group);
    if (!group)
        return false;
    g->check->init = group;
    for (unsigned i = 0; i < GCN_EXTENTS; i++)
        group->known[i] = NULL;
    if (!group->lds && !(group->lds = map(GCN_LDS_MAX)))
        return false;
    memset(group->lds, 0, g->dispatch->lds_size);
    if (group->has_origins)
        memset(group->origins, 0, sizeof group->origins);
    group->has_origins = false;
    for (uint32_t i = 0; i < g->dispatch->wave_count; i++)
        if (!group->waves[i] && !(group->waves[i] = map(SHADOW_WAVE_SIZE)))
            return false;
    return start_scratch(group, g);
}

void init_group_free(struct gcn_group *g)
{
    struct init_group *group = g->check ? g->check->init : NULL;
    if (!group)
        return;
    for (unsigned i = 0; i < GCN_GROUP_WAVES_MAX; i++)
        if (group->waves[i])
            munmap(group->waves[i], SHADOW_WAVE_SIZE);
    if (group->lds)
        munmap(group->lds, GCN_LDS_MAX);
    if (group->scratch)
        munmap(group->scratch, group->scratch_size);
    mem_free(group);
}

void init_wave_start(struct gcn_wave *w, unsigned lines, unsigned scalars)
{
    shadow_start(w->group->check->init->waves[w->index], w->group->shape->ids[w->index].lanes, lines, scalars);
}
