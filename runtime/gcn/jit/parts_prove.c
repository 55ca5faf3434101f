/* SPDX-License-Identifier: MIT */
/* Shows that the lanes' part of a loop (parts.h) does to vector registers what the program does.
 *
 * It is shown that lanes that have left the loop stay inactive, and that, where the wave branches around code because
 * EXEC is empty, either masks and scalar registers are the same as without the branch as far as the loop reads them, or
 * the wave leaves the loop before any vector operation has an active lane, and so do the chunks.
 * Input: the steps of a loop. Output: whether all this is so. Invariant: "no" where it cannot be shown. */
#include "runtime/gcn/jit/parts.h"

enum { WORK = 16384 /* steps that are executed for one loop at most */ };

struct prover {
    struct builder *f;
    const struct parts *parts;
    unsigned work; /* steps that may still be executed */
};

static void execute(struct prover *p, struct mask_state *s, const struct step *step)
{
    p->work -= p->work > 0;
    masks_execute(p->f, s, step);
}

/* Whether, from step AT on, none of LANES is active in a vector operation until the wave may leave the loop for lack of
 * active lanes, and none is then. All ways are followed that the wave may take until then. */
static bool stays_idle(struct prover *p, struct mask_state s, unsigned at, uint64_t lanes)
{
    for (unsigned done = 0; done < 2 * p->parts->count; done++) {
        const struct step *step = &p->parts->steps[at % p->parts->count];
        uint64_t active = masks_read(&s, PARTS_EXEC) & lanes;
        if (s.failed || !p->work || (step->kind == STEP_VECTOR && active))
            return false;
        if (step->kind == STEP_EMPTY)
            return !active;
        if (step->kind == STEP_SKIP && !stays_idle(p, s, step->to, lanes))
            return false;
        execute(p, &s, step);
        at = at % p->parts->count + 1;
    }
    return false;
}

/* Whether the loop, from step AT on, writes scalar register CODE before it reads it. */
static bool is_dead(const struct parts *parts, unsigned at, int code)
{
    for (unsigned done = 0; done < parts->count; done++, at++) {
        const struct step *step = &parts->steps[at % parts->count];
        bool read = false, written = false;
        for (const struct scalar_access *access = step->accesses; access < step->accesses + step->access_count;
             access++) {
            bool same = code >= access->code && code < access->code + access->dwords;
            read |= same && !access->write;
            written |= same && access->write;
        }
        if (read || written)
            return !read;
    }
    return true;
}

/* Whether the scalar registers that STEP writes, and that are no masks, are dead from step AT on. */
static bool writes_dead(const struct parts *parts, const struct step *step, unsigned at)
{
    for (const struct scalar_access *access = step->accesses; access < step->accesses + step->access_count; access++)
        for (int code = access->code; access->write && code < access->code + access->dwords; code++)
            if ((code == PARTS_SCC || !parts->is_mask[code / 2]) && !is_dead(parts, at, code))
                return false;
    return true;
}

/* Whether, with EXEC empty, the code that the branch at step AT leads around leaves everything as it is that the loop
 * still reads. */
static bool changes_nothing(struct prover *p, struct mask_state s, unsigned at)
{
    const struct parts *parts = p->parts;
    const struct step *branch = &parts->steps[at];
    struct mask_state before;
    uint64_t lanes = ~masks_read(&s, PARTS_EXEC);
    for (unsigned i = at + 1; i < branch->to; i++) { /* gives all masks that change a value to compare with */
        const struct step *step = &parts->steps[i];
        for (const struct scalar_access *access = step->accesses; access < step->accesses + step->access_count;
             access++)
            if (access->write && access->code < GCN_SGPRS && parts->is_mask[access->code / 2])
                masks_read(&s, (unsigned)access->code / 2);
    }
    before = s;
    for (unsigned i = at + 1; i < branch->to; i++) {
        const struct step *step = &parts->steps[i];
        bool active = masks_read(&s, PARTS_EXEC) & lanes;
        if (step->kind == STEP_EMPTY || step->kind == STEP_LEAVE || (step->kind == STEP_VECTOR && active) ||
            !writes_dead(parts, step, branch->to))
            return false;
        execute(p, &s, step);
    }
    for (unsigned pair = 0; pair < PARTS_MASKS; pair++)
        if (before.known[pair] && (before.mask[pair] ^ s.mask[pair]) & lanes)
            return false;
    return !s.failed && p->work;
}

/* Whether it makes no difference to the chunks if the wave takes the branch at step AT, where the masks are S. */
static bool may_be_taken(struct prover *p, struct mask_state s, unsigned at)
{
    uint64_t lanes = ~masks_read(&s, PARTS_EXEC);
    return changes_nothing(p, s, at) ||
           (stays_idle(p, s, p->parts->steps[at].to, lanes) && stays_idle(p, s, at + 1, lanes));
}

/* Whether lanes that are inactive at the way out at step AT stay so. */
static bool stay_outside(struct prover *p, unsigned at)
{
    struct mask_state s = {0};
    s.known[PARTS_EXEC] = true; /* and empty */
    return stays_idle(p, s, at + 1, UINT64_MAX);
}

bool parts_prove(struct builder *f)
{
    struct prover p = {.f = f, .parts = f->parts, .work = WORK};
    const struct mask_state unknown = {0};
    struct mask_state s = unknown;
    for (unsigned at = 0; at < f->parts->count; at++) {
        const struct step *step = &f->parts->steps[at];
        if (step->kind == STEP_EMPTY && !stay_outside(&p, at))
            return false;
        if (step->kind == STEP_SKIP && !may_be_taken(&p, s, at) && !may_be_taken(&p, unknown, at))
            return false;
        execute(&p, &s, step);
        if (s.failed)
            s = unknown;
    }
    return true;
}
