/* SPDX-License-Identifier: MIT */
/* What a round of a loop in two parts (parts.h) does to masks, in every case.
 *
 * The bits of a mask that one lane has depend on that lane's bits of other masks alone. So each is a function of a few
 * bits that may be 0 or 1: of masks before, and of results of comparisons. Executed for 64 lanes in which six such bits
 * have all their 64 combinations, the program's own operations tell what happens in every case: the 64 bits of a mask
 * are the table of its function.
 * Input: steps of the loop. Output: masks of 64 lanes. Invariant: nothing is emitted; a state that has FAILED tells
 * nothing. */
#include "runtime/gcn/jit/parts.h"

static const uint64_t patterns[MASK_VARIABLES] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                                  0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};

uint64_t masks_table(unsigned variable)
{
    return patterns[variable];
}

/* A bit of which nothing is known: in the 64 lanes, 0 and 1 with all combinations of the other ones. */
static uint64_t new_variable(struct mask_state *s)
{
    if (s->variables == MASK_VARIABLES) {
        s->failed = true;
        return 0;
    }
    return patterns[s->variables++];
}

uint64_t masks_read(struct mask_state *s, unsigned pair)
{
    if (!s->known[pair])
        s->mask[pair] = new_variable(s);
    s->known[pair] = true;
    return s->mask[pair];
}

static void write_mask(struct mask_state *s, uint32_t ref, uint64_t bits)
{
    int code = ref_scalar(ref);
    if (code < 0)
        return;
    s->mask[code / 2] = bits;
    s->known[code / 2] = true;
}

bool masks_is_variable(struct builder *f, uint32_t ref)
{
    int code = ref_scalar(ref);
    if (!(ref & GCN_REF_CONST))
        return code < 0 || !f->parts->is_mask[code / 2];
    return LLVMConstIntGetZExtValue(scalar_read64(f, ref)) + 1 > 1;
}

/* The operand at REF of a bitwise operation: that of a scalar register which is no mask may be anything, and so may the
 * bit of a constant. */
static LLVMValueRef operand(struct builder *f, struct mask_state *s, uint32_t ref)
{
    if (masks_is_variable(f, ref))
        return C64(f, new_variable(s));
    return ref & GCN_REF_CONST ? scalar_read64(f, ref) : C64(f, masks_read(s, (unsigned)ref_scalar(ref) / 2));
}

bool masks_is_bitwise(const struct step *step)
{
    bool bitwise = false;
    for (unsigned i = 0; i < step->access_count; i++)
        bitwise |= step->accesses[i].bitwise;
    return bitwise;
}

bool masks_writes_exec(const struct step *step)
{
    bool writes = false;
    for (unsigned i = 0; i < step->access_count; i++)
        writes |= step->accesses[i].write && step->accesses[i].code == GCN_S_EXEC;
    return writes;
}

/* Does what a scalar operation does to masks. */
static void combine(struct builder *f, struct mask_state *s, const struct step *step)
{
    const struct effect *effect = f->effects[step->index];
    const struct gcn_uop *op = &f->unit->ops[step->index];
    const struct template *template = effect->template;
    if (step->kind == STEP_MADE && !masks_is_bitwise(step)) {
        write_mask(s, op->dst, new_variable(s));
        return;
    }
    bool saves = effect->kind == EFFECT_SAVEEXEC;
    LLVMValueRef in[] = {C64(f, 0), C64(f, 0), C64(f, 0)};
    for (unsigned slot = SA; slot <= SD; slot++)
        if (template->uses >> slot & 1)
            in[slot] = operand(f, s, scalar_operand(effect, op, slot));
    uint64_t result = LLVMConstIntGetZExtValue(parts_combine(f, template, in));
    write_mask(s, op->dst, saves && !writes_both(effect) ? masks_read(s, PARTS_EXEC) : result);
    if (saves)
        write_mask(s, scalar_ref(GCN_S_EXEC), result);
}

void masks_execute(struct builder *f, struct mask_state *s, const struct step *step)
{
    const struct effect *effect = f->effects[step->index];
    if (step->kind == STEP_MASK || step->kind == STEP_MADE)
        combine(f, s, step);
    if (step->kind != STEP_VECTOR || step->note < 0)
        return;
    uint64_t exec = masks_read(s, PARTS_EXEC), made = exec ? new_variable(s) & exec : 0;
    write_mask(s, mask_destination(effect, &f->unit->ops[step->index]), made);
    if (effect->kind == EFFECT_COMPARE_EXEC)
        write_mask(s, scalar_ref(GCN_S_EXEC), made);
}
