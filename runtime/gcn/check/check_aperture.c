/* SPDX-License-Identifier: MIT */
/* The checker of memory, for flat addresses of group and private memory. On the machine they are the same in all
 * work-groups and work-items, so one that comes from somewhere else names one's own memory. While memory is checked,
 * each work-group has group memory, and each wave private memory, at flat addresses of its own.
 *
 * Input: waves that start; what they are about to access. Output: the upper halves of their flat addresses; findings.
 * Invariant: a kernel can tell these addresses from those of the machine, but an access goes to the same memory. */
#include "runtime/gcn/check/check.h"

/* How many upper halves there are of each kind; then they are used again. */
enum { APERTURES = 0x7000 };

static uint32_t group_high(uint64_t group)
{
    return GCN_TAGGED_GROUP + ((uint32_t)(group % APERTURES) << 16);
}

static uint32_t private_high(uint64_t group, uint32_t wave)
{
    return GCN_TAGGED_PRIVATE + ((uint32_t)((group * GCN_GROUP_WAVES_MAX + wave) % APERTURES) << 16);
}

static uint64_t number_of(const struct gcn_wave *w)
{
    return w->group->dispatch->check->first_group + gcn_check_party(w, 0, -1).group;
}

void gcn_check_tag(struct gcn_wave *w)
{
    uint64_t number = number_of(w);
    uint32_t group = group_high(number), private = private_high(number, w->index);
    const uint32_t aperture[] = {0, group, UINT32_MAX, group, 0, private, UINT32_MAX, private};
    w->group_tag = group - GCN_SHARED_BASE_HI;
    w->private_tag = private - GCN_PRIVATE_BASE_HI;
    for (unsigned i = 0; i < 8; i++)
        w->aperture[i] = aperture[i];
}

/* Finds the work-group or wave of this dispatch whose flat addresses have the upper half HIGH; false if that is not
 * certain, or none of them. */
static bool find_owner(const struct gcn_wave *w, uint32_t high, bool group, struct gcn_party *owner)
{
    const struct gcn_dispatch *d = w->group->dispatch;
    uint64_t first = d->check->first_group, total = d->group_total, scale = group ? 1 : GCN_GROUP_WAVES_MAX;
    uint64_t number = (high - (group ? GCN_TAGGED_GROUP : GCN_TAGGED_PRIVATE)) >> 16;
    uint64_t distance = (number + APERTURES - first * scale % APERTURES) % APERTURES;
    if (total > APERTURES / scale || distance / scale >= total)
        return false;
    *owner =
        (struct gcn_party){.group = distance / scale, .item = group ? -1 : (int32_t)(distance % scale * GCN_LANES)};
    return true;
}

void gcn_check_foreign(const struct gcn_wave *w, const struct gcn_access *a, uint64_t pc)
{
    if (!a->foreign)
        return;
    unsigned lane = (unsigned)__builtin_ctzll(a->foreign);
    bool group = a->segment[lane] == HSAM_ACCESS_GROUP;
    struct gcn_finding found = {
        .kind = group ? GCN_FINDING_OTHER_GROUP : GCN_FINDING_OTHER_WAVE,
        .writes = a->writes,
        .atomic = a->atomic,
        .segment = a->segment[lane],
        .bytes = a->bytes,
        .address = a->address[0][lane],
        .by = gcn_check_party(w, pc, (int)lane)};
    found.has_other = find_owner(w, a->foreign_high, group, &found.other);
    gcn_check_add(w->group->dispatch->check, &found, (uint64_t)__builtin_popcountll(a->foreign));
}
