/* SPDX-License-Identifier: MIT */
/* Samples of a dispatch; see count_sample.h.
 * Input: waves about to execute an instruction. Output: JSON. Invariant: a wave has at most SAMPLES samples: when they
 * are full, each two become one, which stands for twice as many instructions. */
#include "runtime/gcn/observe/count_sample.h"

#include "support/textbuf.h"

#include <inttypes.h>

enum { SAMPLES = 128, MOST_WAVES = 64 };

struct gcn_wave_sample {
    uint64_t group[3];
    uint32_t wave;
    uint32_t step; /* instructions of a sample */
    uint32_t count;
    uint32_t open;          /* instructions so far of the sample that is being made */
    uint64_t open_lanes;    /* the sum of their active lanes */
    uint8_t lanes[SAMPLES]; /* active lanes of each sample: the mean, rounded */
};

struct gcn_wave_samples {
    size_t count;
    struct gcn_wave_sample waves[MOST_WAVES];
};

struct gcn_access_sample {
    unsigned count;
    int64_t offset[GCN_LANES]; /* from the address of the first active lane */
};

/* The samples of W, which are made if W is new; NULL if W is not one of the first waves. */
static struct gcn_wave_sample *sample_of(struct gcn_observe *o, const struct gcn_wave *w)
{
    struct gcn_wave_observe *wave = &w->group->observe->waves[w->index];
    if (!o->samples)
        o->samples = mem_zalloc(1, sizeof *o->samples);
    if (!o->samples) {
        o->out_of_memory = true;
        return NULL;
    }
    if (!wave->sample && o->samples->count < MOST_WAVES) {
        struct gcn_wave_sample *new = &o->samples->waves[o->samples->count++];
        new->step = 1;
        new->wave = w->index;
        memcpy(new->group, w->group->index, sizeof new->group);
        wave->sample = (uint32_t)o->samples->count;
    }
    return wave->sample ? &o->samples->waves[wave->sample - 1] : NULL;
}

static void halve(struct gcn_wave_sample *sample)
{
    for (unsigned i = 0; i < SAMPLES / 2; i++)
        sample->lanes[i] = (uint8_t)((sample->lanes[2 * i] + sample->lanes[2 * i + 1] + 1) / 2);
    sample->count = SAMPLES / 2;
    sample->step *= 2;
}

void gcn_sample_step(struct gcn_observe *o, const struct gcn_wave *w)
{
    struct gcn_wave_sample *sample = sample_of(o, w);
    if (!sample || sample->step > UINT32_MAX / 4)
        return;
    sample->open_lanes += (uint64_t)__builtin_popcountll(gcn_exec(w));
    if (++sample->open < sample->step)
        return;
    if (sample->count == SAMPLES) {
        halve(sample);
        return; /* the sample that is being made now has only half of its instructions */
    }
    sample->lanes[sample->count++] = (uint8_t)((sample->open_lanes + sample->step / 2) / sample->step);
    sample->open = 0;
    sample->open_lanes = 0;
}

void gcn_sample_access(struct gcn_site *site, const struct gcn_access *access)
{
    if (site->sample || access->scalar || !access->lanes)
        return;
    struct gcn_access_sample *sample = mem_zalloc(1, sizeof *sample);
    if (!sample)
        return; /* only a picture is missing */
    uint64_t first = access->address[0][__builtin_ctzll(access->lanes)];
    for (uint64_t left = access->lanes; left; left &= left - 1)
        sample->offset[sample->count++] = (int64_t)(access->address[0][__builtin_ctzll(left)] - first);
    site->sample = sample;
}

void gcn_sample_waves_json(const struct gcn_observe *o, struct textbuf *json)
{
    for (size_t i = 0; o->samples && i < o->samples->count; i++) {
        const struct gcn_wave_sample *s = &o->samples->waves[i];
        textbuf_printf(json, "%s{\"group\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "],\"wave\":%u,\"step\":%u,\"lanes\":[",
                       i ? "," : ",\"timeline\":[", s->group[0], s->group[1], s->group[2], s->wave, s->step);
        for (unsigned n = 0; n < s->count; n++)
            textbuf_printf(json, "%s%u", n ? "," : "", s->lanes[n]);
        textbuf_puts(json, i + 1 < o->samples->count ? "]}" : "]}]");
    }
}

void gcn_sample_access_json(const struct gcn_site *site, struct textbuf *json)
{
    for (unsigned i = 0; site->sample && i < site->sample->count; i++)
        textbuf_printf(json, "%s%" PRId64, i ? "," : ",\"offsets\":[", site->sample->offset[i]);
    if (site->sample)
        textbuf_puts(json, "]");
}

void gcn_sample_free(struct gcn_observe *o)
{
    mem_free(o->samples);
    for (size_t i = 0; i < o->site_count; i++)
        mem_free(o->sites[i].sample);
}
