/* SPDX-License-Identifier: MIT */
/* The checker of what HSAIL promises about addresses by `align`, which machine code does not have.
 * Input: a wave at s_nop, with which the finalizer describes the access that follows. Output: findings; the wave goes
 * on. Invariant: a private address at which the machine does something else is left to check_access.c, which sees it at
 * the access itself. */
#include "runtime/gcn/check/check.h"

#include "support/align_promise.h"

static uint64_t address_of(const struct gcn_wave *w, const struct align_promise *p, unsigned lane)
{
    bool wide = p->segment == ALIGN_PROMISE_GLOBAL || p->segment == ALIGN_PROMISE_FLAT;
    return w->v[0][lane] | (wide ? (uint64_t)w->v[1][lane] << 32 : 0);
}

static enum hsam_access_segment segment_of(const struct gcn_wave *w, const struct align_promise *p, uint64_t address)
{
    switch (p->segment) {
    case ALIGN_PROMISE_GLOBAL: return HSAM_ACCESS_GLOBAL;
    case ALIGN_PROMISE_GROUP: return HSAM_ACCESS_GROUP;
    case ALIGN_PROMISE_PRIVATE: return HSAM_ACCESS_PRIVATE;
    case ALIGN_PROMISE_FLAT: break;
    }
    return gcn_aperture_segment(w, (uint32_t)(address >> 32));
}

static bool is_seen_elsewhere(const struct align_promise *p, enum hsam_access_segment segment, uint64_t address)
{
    uint64_t dword = p->bytes_log2 < 2 ? UINT64_C(1) << p->bytes_log2 : 4;
    return segment == HSAM_ACCESS_PRIVATE && address % dword;
}

/* The quick answer for most accesses: whether all lanes keep the promise. Those that are not active do no harm if they
 * keep it, too. */
static bool all_keep(const struct gcn_wave *w, uint32_t align)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < GCN_LANES; i++)
        bits |= w->v[0][i];
    return !(bits & (align - 1));
}

const struct gcn_uop *gcn_check_promise(struct gcn_wave *w, const struct gcn_uop *op)
{
    struct align_promise p;
    struct gcn_finding first = {0};
    uint64_t count = 0;
    if (!w->group || !w->group->check || !align_promise_decode((uint16_t)op->imm, &p))
        return op + 1;
    uint64_t pc, align = UINT64_C(1) << p.align_log2;
    if (all_keep(w, (uint32_t)align))
        return op + 1;
    pc = gcn_unit_pc(w->unit, op);
    for (uint64_t left = gcn_exec(w); left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint64_t address = address_of(w, &p, lane);
        enum hsam_access_segment segment = segment_of(w, &p, address);
        if (address % align == 0 || is_seen_elsewhere(&p, segment, address))
            continue;
        if (!count++)
            first = (struct gcn_finding){
                .kind = GCN_FINDING_PROMISE,
                .writes = p.writes,
                .segment = (uint8_t)segment,
                .bytes = p.elements << p.bytes_log2,
                .address = segment == HSAM_ACCESS_GLOBAL ? address : (uint32_t)address,
                .by = gcn_check_party(w, pc, (int)lane),
                .promised = (uint32_t)align};
    }
    if (count)
        gcn_check_add(w->group->dispatch->check, &first, count);
    return op + 1;
}
