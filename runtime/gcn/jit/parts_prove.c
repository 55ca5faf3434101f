/* SPDX-License-Identifier: MIT */
/* Shows that the lanes' part of a loop (parts.h) does to vector registers what the program does.
 *
 * The bits of a mask that one lane has depend on that lane's bits of other masks alone. So each is a function of a few
 * bits that may be 0 or 1: of masks before, and of results of comparisons. Executed for 64 lanes in which six such bits
 * have all their 64 combinations, the program's own operations tell what happens in every case.
 *
 * It is shown that lanes that have left the loop stay inactive, and that, where the wave branches around code because
 * EXEC is empty, either masks and scalar registers are the same as without the branch as far as the loop reads them, or
 * the wave leaves the loop before any vector operation has an active lane, and so do the chunks.
 * Input: the steps of a loop. Output: whether all this is so. Invariant: "no" where it cannot be shown. */
#include "runtime/gcn/jit/parts.h"

#include <string.h>

enum { VARIABLES = 6, WORK = 16384 /* steps that are executed for one loop at most */ };

/* What is known of the masks at a step, in 64 lanes. */
struct state {
    uint64_t mask[PARTS_MASKS];
    bool known[PARTS_MASKS];
    unsigned variables;
    bool failed; /* there are too many variables */
};

struct prover {
    struct builder *f;
    const struct parts *parts;
    unsigned work; /* steps that may still be executed */
};

/* A bit of which nothing is known: in the 64 lanes, 0 and 1 with all combinations of the other ones. */
static uint64_t variable(struct state *s)
{
    static const uint64_t patterns[VARIABLES] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                                 0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
    if (s->variables == VARIABLES) {
        s->failed = true;
        return 0;
    }
    return patterns[s->variables++];
}

static uint64_t read_mask(struct state *s, unsigned pair)
{
    if (!s->known[pair])
        s->mask[pair] = variable(s);
    s->known[pair] = true;
    return s->mask[pair];
}

static void write_mask(struct state *s, uint32_t ref, uint64_t bits)
{
    int code = ref_scalar(ref);
    if (code < 0)
        return;
    s->mask[code / 2] = bits;
    s->known[code / 2] = true;
}

/* The operand at REF of a bitwise operation: that of a scalar register which is no mask may be anything. */
static LLVMValueRef operand(struct prover *p, struct state *s, uint32_t ref)
{
    if (ref & GCN_REF_CONST)
        return scalar_read64(p->f, ref);
    int code = ref_scalar(ref);
    bool mask = code >= 0 && p->parts->is_mask[code / 2];
    return C64(p->f, mask ? read_mask(s, (unsigned)code / 2) : variable(s));
}

/* Whether a scalar operation is bitwise: its accesses, but for those to SCC, say so. */
static bool is_bitwise(const struct step *step)
{
    bool bitwise = false;
    for (unsigned i = 0; i < step->access_count; i++)
        bitwise |= step->accesses[i].bitwise;
    return bitwise;
}

/* Does what a scalar operation does to masks. */
static void combine(struct prover *p, struct state *s, const struct step *step)
{
    const struct effect *effect = p->f->effects[step->index];
    const struct gcn_uop *op = &p->f->unit->ops[step->index];
    const struct template *template = effect->template;
    if (step->kind == STEP_MADE && !is_bitwise(step)) {
        write_mask(s, op->dst, variable(s));
        return;
    }
    bool saves = effect->kind == EFFECT_SAVEEXEC;
    LLVMValueRef in[] = {C64(p->f, 0), C64(p->f, 0), C64(p->f, 0)};
    for (unsigned slot = SA; slot <= SD; slot++)
        if (template->uses >> slot & 1)
            in[slot] = operand(p, s, scalar_operand(effect, op, slot));
    uint64_t result = LLVMConstIntGetZExtValue(parts_combine(p->f, template, in));
    write_mask(s, op->dst, saves && !writes_both(effect) ? read_mask(s, PARTS_EXEC) : result);
    if (saves)
        write_mask(s, scalar_ref(GCN_S_EXEC), result);
}

/* Executes a step, as far as masks are concerned. */
static void execute(struct prover *p, struct state *s, const struct step *step)
{
    const struct effect *effect = p->f->effects[step->index];
    p->work -= p->work > 0;
    if (step->kind == STEP_MASK || step->kind == STEP_MADE)
        combine(p, s, step);
    if (step->kind != STEP_VECTOR || step->note < 0)
        return;
    uint64_t exec = read_mask(s, PARTS_EXEC), made = exec ? variable(s) & exec : 0;
    write_mask(s, mask_destination(effect, &p->f->unit->ops[step->index]), made);
    if (effect->kind == EFFECT_COMPARE_EXEC)
        write_mask(s, scalar_ref(GCN_S_EXEC), made);
}

/* Whether, from step AT on, none of LANES is active in a vector operation until the wave may leave the loop for lack of
 * active lanes, and none is then. All ways are followed that the wave may take until then. */
static bool stays_idle(struct prover *p, struct state s, unsigned at, uint64_t lanes)
{
    for (unsigned done = 0; done < 2 * p->parts->count; done++) {
        const struct step *step = &p->parts->steps[at % p->parts->count];
        uint64_t active = read_mask(&s, PARTS_EXEC) & lanes;
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
static bool changes_nothing(struct prover *p, struct state s, unsigned at)
{
    const struct parts *parts = p->parts;
    const struct step *branch = &parts->steps[at];
    struct state before;
    uint64_t lanes = ~read_mask(&s, PARTS_EXEC);
    for (unsigned i = at + 1; i < branch->to; i++) { /* gives all masks that change a value to compare with */
        const struct step *step = &parts->steps[i];
        for (const struct scalar_access *access = step->accesses; access < step->accesses + step->access_count;
             access++)
            if (access->write && access->code < GCN_SGPRS && parts->is_mask[access->code / 2])
                read_mask(&s, (unsigned)access->code / 2);
    }
    before = s;
    for (unsigned i = at + 1; i < branch->to; i++) {
        const struct step *step = &parts->steps[i];
        bool active = read_mask(&s, PARTS_EXEC) & lanes;
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
static bool may_be_taken(struct prover *p, struct state s, unsigned at)
{
    uint64_t lanes = ~read_mask(&s, PARTS_EXEC);
    return changes_nothing(p, s, at) ||
           (stays_idle(p, s, p->parts->steps[at].to, lanes) && stays_idle(p, s, at + 1, lanes));
}

/* Whether lanes that are inactive at the way out at step AT stay so. */
static bool stay_outside(struct prover *p, unsigned at)
{
    struct state s = {0};
    write_mask(&s, scalar_ref(GCN_S_EXEC), 0);
    return stays_idle(p, s, at + 1, UINT64_MAX);
}

bool parts_prove(struct builder *f)
{
    struct prover p = {.f = f, .parts = f->parts, .work = WORK};
    const struct state unknown = {0};
    struct state s = unknown;
    f->parts->execs_known = true;
    for (unsigned at = 0; at < f->parts->count; at++) {
        const struct step *step = &f->parts->steps[at];
        if (step->kind == STEP_EMPTY && !stay_outside(&p, at))
            return false;
        if (step->kind == STEP_SKIP && !may_be_taken(&p, s, at) && !may_be_taken(&p, unknown, at))
            return false;
        f->parts->execs[at] = read_mask(&s, PARTS_EXEC);
        execute(&p, &s, step);
        f->parts->execs_known &= !s.failed;
        if (s.failed)
            s = unknown;
    }
    return true;
}
