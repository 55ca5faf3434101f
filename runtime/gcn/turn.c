/* SPDX-License-Identifier: MIT */
/* A wave's turn: how long it may run, and whether it only waits for memory that others write.
 * Input: a wave that is ready. Output: why its turn is over. Invariant: the request to stop is looked at
 * after each budget; a wave that comes to the same place again with the same registers makes way at once.
 *
 * A loop that waits for memory does the same over and over until somebody writes there. So the registers are
 * compared between two passes of one place: a loop that computes has changed some of them, be it a counter. Vector
 * registers, which cost more to compare, are compared only where the scalar ones have not changed, and the memory that
 * the wave may count in only where no register has: code that is not optimized keeps its variables there. A wave is
 * looked at soon after its turn has begun and then less and less often, or only once if it was computing in its last
 * turn. */
#include "runtime/gcn/turn.h"

#include <string.h>

enum {
    TURN_BUDGETS = 16,      /* the budgets of a turn */
    FIRST_BUDGET = 40,      /* the first of them is short, as most waves that wait come to their loop soon */
    WAITING_PASSES = 16,    /* then the vector registers of a wave that waits are looked at again */
    LOOP_JUMPS = 16,        /* a loop with more jumps is not taken for one that waits */
    PRIVATE_MOST = 1 << 16, /* nor is one of a wave with more bytes of private memory for each lane */
};

/* Sixteen digests made side by side. */
typedef uint32_t mixers __attribute__((vector_size(64), may_alias));

/* Mixes N vectors of dwords into STATE. */
static void mix(mixers *state, const uint32_t *dwords, unsigned n)
{
    const mixers *v = (const mixers *)dwords;
    mixers all = *state;
    for (unsigned i = 0; i < n; i++) {
        mixers x = all + v[i];
        x ^= x << 13;
        all = x ^ x >> 17;
    }
    *state = all;
}

static uint64_t join(const mixers *state)
{
    uint64_t digest = 0, factor = UINT64_C(0x9e3779b97f4a7c15);
    for (unsigned k = 0; k < sizeof *state / sizeof(*state)[0]; k++, factor *= UINT64_C(0x9e3779b97f4a7c15))
        digest += (*state)[k] * factor;
    return digest;
}

/* The digest of the scalar registers. */
static uint64_t scalar_digest(const struct gcn_wave *w)
{
    mixers state = {w->mode, w->scc, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    mix(&state, w->s, (unsigned)(GCN_SGPRS * sizeof w->s[0] / sizeof state));
    return join(&state);
}

/* The digest of the wave's private memory and the memory of its group. */
static uint64_t memory_digest(const struct gcn_wave *w)
{
    mixers state = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    if (w->scratch)
        mix(&state, (const uint32_t *)(const void *)w->scratch, w->scratch_size);
    if (w->lds)
        mix(&state, (const uint32_t *)(const void *)w->lds, (w->lds_size + sizeof state - 1) / sizeof state);
    return join(&state);
}

static enum gcn_stop run_wave(struct gcn_wave *w, int32_t budget)
{
    w->budget = budget;
    return gcn_wave_run(w);
}

/* Runs W, jump by jump, until it comes to PLACE, but no more than LOOP_JUMPS; *CAME tells whether it came there. */
static enum gcn_stop run_to(struct gcn_wave *w, const struct gcn_uop *place, bool *came)
{
    enum gcn_stop why = GCN_STOP_YIELD;
    *came = false;
    for (unsigned i = 0; i < LOOP_JUMPS && why == GCN_STOP_YIELD && !*came; i++) {
        why = run_wave(w, 0);
        *came = why == GCN_STOP_YIELD && w->at == place;
    }
    return why;
}

/* Runs W once around the loop that it may be in; *SAME tells whether that changed none of its scalar registers. */
static enum gcn_stop run_around(struct gcn_wave *w, bool *same)
{
    const struct gcn_uop *place = w->at;
    uint32_t mode = w->mode, scc = w->scc, scalars[GCN_SGPRS];
    memcpy(scalars, w->s, sizeof scalars);
    enum gcn_stop why = run_to(w, place, same);
    *same = *same && w->mode == mode && w->scc == scc && !memcmp(w->s, scalars, sizeof scalars);
    return why;
}

/* ... and none of its first REGISTERS vector registers, of which most often one of the first differs. */
static __attribute__((noinline)) enum gcn_stop run_around_vectors(struct gcn_wave *w, unsigned registers, bool *same)
{
    uint32_t before[GCN_VGPRS][GCN_LANES];
    size_t size = (registers < GCN_VGPRS ? registers : GCN_VGPRS) * sizeof before[0];
    memcpy(before, w->v, size);
    enum gcn_stop why = run_around(w, same);
    *same = *same && !memcmp(before, w->v, size);
    return why;
}

/* Runs W once around the loop; *SAME tells whether that changed none of its scalar registers and no memory that it may
 * count in. */
static enum gcn_stop run_in_memory(struct gcn_wave *w, bool *same)
{
    uint64_t memory;
    if (w->scratch && w->scratch_size > PRIVATE_MOST) {
        *same = false;
        return GCN_STOP_YIELD;
    }
    memory = memory_digest(w);
    enum gcn_stop why = run_around(w, same);
    *same = *same && memory_digest(w) == memory;
    return why;
}

/* Finds out whether W waits at the place where it is; if so, TURN->place becomes that place. */
static enum gcn_stop look_for_wait(struct gcn_wave *w, struct gcn_turn *turn, unsigned registers)
{
    const struct gcn_uop *place = w->at;
    bool same;
    enum gcn_stop why = run_around(w, &same);
    if (same)
        why = run_around_vectors(w, registers, &same);
    if (same)
        why = run_in_memory(w, &same);
    if (same)
        turn->state = scalar_digest(w);
    turn->place = same ? place : NULL;
    turn->computes = !same;
    turn->passes = 0;
    return why;
}

/* Runs W, which waited at TURN->place, once around its loop; TURN->place stays if nothing has changed. A wave that goes
 * on has nearly always changed a scalar register, as it leaves its loop by one, so that is all that most passes look
 * at. */
static __attribute__((noinline)) enum gcn_stop run_waiting(struct gcn_wave *w, struct gcn_turn *turn)
{
    bool came;
    enum gcn_stop why = run_to(w, turn->place, &came);
    if (!came || scalar_digest(w) != turn->state || ++turn->passes == WAITING_PASSES)
        turn->place = NULL;
    return why;
}

/* Goes on with a turn after its first budget. */
static __attribute__((noinline)) enum gcn_stop run_on(struct gcn_wave *w, struct gcn_turn *turn, unsigned registers,
                                                      const uint32_t *stop)
{
    enum gcn_stop why = GCN_STOP_YIELD;
    const bool computes = turn->computes;
    int32_t budget = computes ? GCN_BUDGET : FIRST_BUDGET;
    for (unsigned i = 0, looks = 0; why == GCN_STOP_YIELD && !__atomic_load_n(stop, __ATOMIC_RELAXED); i++) {
        if (i == looks) {
            looks = computes ? TURN_BUDGETS : 2 * looks + 1;
            why = look_for_wait(w, turn, registers);
        }
        if (why != GCN_STOP_YIELD || turn->place || i + 1 == TURN_BUDGETS)
            break;
        why = run_wave(w, budget);
        budget = budget < GCN_BUDGET / 2 ? 2 * budget : GCN_BUDGET;
    }
    return why;
}

/* Most waves of small kernels end within their first budget, so what the others need is in functions of its own. */
enum gcn_stop gcn_turns_run(struct gcn_wave **w, struct gcn_turn *turns, unsigned registers, const uint32_t *stop,
                            gcn_next_wave *next)
{
    enum gcn_stop why = GCN_STOP_YIELD;
    struct gcn_turn *turn = &turns[(*w)->index];
    if (__builtin_expect(turn->place != NULL, 0))
        why = run_waiting(*w, turn);
    if (why != GCN_STOP_YIELD || turn->place)
        return why;
    (*w)->budget = FIRST_BUDGET;
    why = gcn_waves_run(w, next);
    return why == GCN_STOP_YIELD ? run_on(*w, &turns[(*w)->index], registers, stop) : why;
}
