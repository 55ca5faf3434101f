/* SPDX-License-Identifier: MIT */
/* Finds out whether a loop can be emitted in two parts (parts.h), and takes it apart.
 * Input: a loop that is suitable but for its size. Output: struct parts. Invariant: nothing is emitted. */
#include "runtime/gcn/jit/parts.h"

#include <string.h>

enum { TEMPLATE_MOST = 16, NOWHERE = -1 }; /* instructions of a bitwise operation; no step */

/* Bitwise operations */

/* What a template stores to a parameter. */
static LLVMValueRef stored(const struct template *template, unsigned parameter)
{
    LLVMValueRef use = LLVMGetUser(LLVMGetFirstUse(LLVMGetParam(template->function, parameter)));
    return LLVMGetOperand(use, 0);
}

static bool is_load_of(const struct template *template, LLVMValueRef value, unsigned parameter)
{
    return LLVMIsALoadInst(value) && LLVMGetOperand(value, 0) == LLVMGetParam(template->function, parameter);
}

/* X, which is a value of the template or a constant, where COUNT values FROM it are already TO others. */
static LLVMValueRef translated(LLVMValueRef x, LLVMValueRef *from, LLVMValueRef *to, unsigned count, LLVMTypeRef type)
{
    if (LLVMIsAConstantInt(x))
        return LLVMIsNull(x) ? LLVMConstNull(type) : LLVMConstIntGetSExtValue(x) == -1 ? LLVMConstAllOnes(type) : NULL;
    for (unsigned i = 0; i < count; i++)
        if (from[i] == x)
            return to[i];
    return NULL;
}

LLVMValueRef parts_combine(struct builder *f, const struct template *template, LLVMValueRef *in)
{
    LLVMValueRef from[TEMPLATE_MOST], to[TEMPLATE_MOST], result = stored(template, SRD);
    LLVMTypeRef type = LLVMTypeOf(in[SA]);
    unsigned count = 0;
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetFirstBasicBlock(template->function));
    for (; i && count < TEMPLATE_MOST; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef made = NULL;
        for (unsigned slot = SA; slot <= SD; slot++)
            if (is_load_of(template, i, slot))
                made = in[slot];
        LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
        if (opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor) {
            LLVMValueRef x = translated(LLVMGetOperand(i, 0), from, to, count, type);
            LLVMValueRef y = translated(LLVMGetOperand(i, 1), from, to, count, type);
            made = x && y ? LLVMBuildBinOp(f->b, opcode, x, y, "") : NULL;
        }
        from[count] = i;
        to[count++] = made;
    }
    return translated(result, from, to, count, type);
}

/* Whether a template has the instructions of bitwise operations alone. */
static bool has_bitwise_code(const struct template *template)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetFirstBasicBlock(template->function)); i;
         i = LLVMGetNextInstruction(i))
        switch (LLVMGetInstructionOpcode(i)) {
        case LLVMLoad:
        case LLVMStore:
        case LLVMRet:
        case LLVMAnd:
        case LLVMOr:
        case LLVMXor:
        case LLVMICmp: /* for SCC */
        case LLVMZExt: break;
        default: return false;
        }
    return true;
}

/* Whether each bit of the result depends on that bit of the operands alone. */
static bool is_bitwise(struct builder *f, const struct template *template)
{
    LLVMValueRef in[] = {C64(f, 0), C64(f, 0), C64(f, 0)};
    if (!(template->uses >> SRD & 1) || template_type(template, SRD) != f->jit->i64 || !has_bitwise_code(template))
        return false;
    for (unsigned slot = SA; slot <= SD; slot++)
        if (template->uses >> slot & 1 && template_type(template, slot) != f->jit->i64)
            return false;
    return parts_combine(f, template, in);
}

/* Accesses to scalar registers */

static const uint32_t scc_ref = (uint32_t)offsetof(struct gcn_wave, scc);

static void add(struct step *step, uint32_t ref, unsigned dwords, bool write, bool bitwise)
{
    int code = ref == scc_ref ? PARTS_SCC : ref_scalar(ref);
    if (code >= 0 && dwords)
        step->accesses[step->access_count++] = (struct scalar_access){code, (uint8_t)dwords, write, bitwise};
}

static void add_vector(struct step *step, const struct effect *effect, const struct gcn_uop *op)
{
    const struct template *template = effect->template;
    if (effect->kind == EFFECT_SPLAT32 || effect->kind == EFFECT_SPLAT64)
        add(step, op->src[0], effect->kind == EFFECT_SPLAT64 ? 2 : 1, false, false);
    if (!template)
        return;
    if (effect->form == FORM_SCALAR0)
        add(step, op->src[0], template_lines(template, PA), false, false);
    if (effect->form == FORM_SCALAR1)
        add(step, op->src[1], template_lines(template, PB), false, false);
    if (template->uses >> IN & 1)
        add(step, op->aux >> 16, 2, false, true);
    if (writes_mask(effect))
        add(step, mask_destination(effect, op), 2, true, true);
    if (effect->kind == EFFECT_COMPARE_EXEC)
        add(step, scalar_ref(GCN_S_EXEC), 2, true, true);
}

static unsigned dwords_of(const struct builder *f, const struct template *template, unsigned parameter)
{
    bool used = template->uses >> parameter & 1;
    return !used ? 0 : template_type(template, parameter) == f->jit->i64 ? 2 : 1;
}

/* Templates of operations that leave SCC as it is store there what they have loaded. */
static void add_scc(struct step *step, const struct template *template)
{
    bool writes = template->uses >> SRSCC & 1, reads = template->uses >> SSCC & 1;
    if (writes && is_load_of(template, stored(template, SRSCC), SSCC)) {
        writes = false;
        reads = LLVMGetNextUse(LLVMGetFirstUse(stored(template, SRSCC)));
    }
    add(step, scc_ref, reads, false, false);
    add(step, scc_ref, writes, true, false);
}

static void add_scalar(struct builder *f, struct step *step, const struct effect *effect, const struct gcn_uop *op)
{
    const struct template *template = effect->template;
    bool bitwise = is_bitwise(f, template), saves = effect->kind == EFFECT_SAVEEXEC;
    add(step, op->src[0], dwords_of(f, template, SA), false, bitwise);
    add(step, op->src[1], effect->immediate ? 0 : dwords_of(f, template, SB), false, bitwise);
    add(step, scalar_operand(effect, op, SD), dwords_of(f, template, SD), false, bitwise);
    add_scc(step, template);
    add(step, op->dst, dwords_of(f, template, SRD), true, bitwise);
    add(step, scalar_ref(GCN_S_EXEC), saves ? 2 : 0, true, bitwise);
}

static void find_accesses(struct builder *f, struct step *step)
{
    const struct effect *effect = f->effects[step->index];
    const struct gcn_uop *op = &f->unit->ops[step->index];
    switch (effect->kind) {
    case EFFECT_SCALAR:
    case EFFECT_SAVEEXEC: add_scalar(f, step, effect, op); break;
    case EFFECT_COPY64:
        add(step, op->src[0], 2, false, false);
        add(step, op->dst, 2, true, false);
        break;
    case EFFECT_SCALAR_MEMORY:
        add(step, op->src[0], 2, false, false);
        add(step, op->src[1], 1, false, false);
        add(step, op->dst, build_scalar_load(effect), true, false);
        break;
    case EFFECT_BRANCH:
        if (effect->id == GCN_OP_s_cbranch_scc0 || effect->id == GCN_OP_s_cbranch_scc1)
            add(step, scc_ref, 1, false, false);
        if (effect->id == GCN_OP_s_cbranch_vccz || effect->id == GCN_OP_s_cbranch_vccnz)
            add(step, scalar_ref(GCN_S_VCC), 2, false, false);
        break;
    default: add_vector(step, effect, op); break;
    }
}

/* Steps */

/* Whether control may come to the first micro-operation of the loop from the one before. After a branch that is always
 * taken, it does not come to what no branch leads to. */
static bool comes_from_before(const struct builder *f, const struct jit_loop *loop)
{
    uint32_t first = loop->first;
    for (; first; first--) {
        const struct effect *before = f->effects[first - 1];
        if (before->end || (before->kind == EFFECT_BRANCH && before->id == GCN_OP_s_branch))
            break;
    }
    bool comes = !first;
    for (uint32_t i = 0; i < f->unit->total; i++) {
        uint32_t target = f->effects[i]->kind == EFFECT_BRANCH ? loop_target(f, i) : loop->first;
        comes |= target >= first && target < loop->first;
    }
    return comes;
}

/* Finds the only micro-operation of the loop to which control comes from outside; false if there are several. */
static bool find_entry(const struct builder *f, const struct jit_loop *loop, struct parts *parts)
{
    parts->entry = comes_from_before(f, loop) ? loop->first : loop->end;
    for (uint32_t i = 0; i < f->unit->total; i++) {
        uint32_t target = f->effects[i]->kind == EFFECT_BRANCH ? loop_target(f, i) : loop->end;
        bool comes = (i < loop->first || i >= loop->end) && target >= loop->first && target < loop->end;
        if (comes && parts->entry != target && parts->entry != loop->end)
            return false;
        if (comes)
            parts->entry = target;
    }
    return parts->entry != loop->end;
}

/* The step of TARGET, for a branch; that of the entry is the one after the last. NOWHERE: outside. */
static int step_of(const struct jit_loop *loop, const struct parts *parts, uint32_t target)
{
    if (target < loop->first || target >= loop->end)
        return NOWHERE;
    if (target > parts->entry)
        return (int)(target - parts->entry);
    return (int)(loop->end - parts->entry + target - loop->first);
}

/* What kind of step the branch at step AT is; false if it is of no kind that a loop in parts may have. */
static bool take_branch(const struct builder *f, const struct jit_loop *loop, struct parts *parts, unsigned at)
{
    struct step *step = &parts->steps[at];
    uint32_t target = loop_target(f, step->index);
    int to = step_of(loop, parts, target);
    bool next = to == (int)at + 1, last = step_of(loop, parts, step->index + 1) == NOWHERE;
    step->target = to == NOWHERE ? target : step->index + 1;
    switch (f->effects[step->index]->id) {
    case GCN_OP_s_branch: step->kind = STEP_NOTHING; return next;
    case GCN_OP_s_cbranch_execz:
        step->kind = to == NOWHERE ? STEP_EMPTY : STEP_SKIP;
        step->to = (unsigned)to;
        return !last && (to == NOWHERE || to > (int)at);
    case GCN_OP_s_cbranch_execnz: step->kind = STEP_EMPTY; return next && last;
    default:
        step->kind = STEP_LEAVE;
        step->stays = next;
        return last ? next : to == NOWHERE;
    }
}

/* Whether the wave's part may be first: nothing in it depends on the lanes' part. It has one way out. */
static bool may_be_first(const struct parts *parts)
{
    unsigned ways = 0;
    for (const struct step *step = parts->steps; step < parts->steps + parts->count; step++) {
        ways += step->kind == STEP_LEAVE;
        if (step->kind == STEP_EMPTY || step->kind == STEP_SKIP || (step->kind == STEP_VECTOR && step->note >= 0))
            return false;
    }
    return ways == 1;
}

static bool take_steps(struct builder *f, const struct jit_loop *loop, struct parts *parts)
{
    parts->count = loop->end - loop->first;
    parts->notes = 0;
    parts->loads = false;
    for (unsigned at = 0; at < parts->count; at++) {
        uint32_t index = parts->entry + at < loop->end ? parts->entry + at : parts->entry + at - parts->count;
        const struct effect *effect = f->effects[index];
        parts->steps[at] = (struct step){.index = index, .note = -1};
        struct step *step = &parts->steps[at];
        switch (effect->kind) {
        case EFFECT_WAIT:
        case EFFECT_NOTHING: break;
        case EFFECT_SCALAR:
        case EFFECT_SAVEEXEC:
        case EFFECT_COPY64: step->kind = STEP_SCALAR; break;
        case EFFECT_SCALAR_MEMORY:
            step->kind = STEP_LOAD;
            step->note = (int)parts->notes;
            parts->notes += (build_scalar_load(effect) + 1) / 2;
            parts->loads = parts->wave_first = true;
            break;
        case EFFECT_BRANCH:
            if (!take_branch(f, loop, parts, at))
                return false;
            break;
        default:
            step->kind = STEP_VECTOR;
            if (effect->below)
                return false;
            if (writes_mask(effect))
                step->note = (int)parts->notes++;
        }
        find_accesses(f, step);
    }
    return parts->notes <= PARTS_NOTES && (!parts->wave_first || may_be_first(parts));
}

/* Masks */

static bool is_mask(const struct parts *parts, const struct scalar_access *access)
{
    bool mask = false;
    for (int code = access->code; code < access->code + access->dwords; code++)
        mask |= code < GCN_SGPRS && parts->is_mask[code / 2];
    return mask;
}

/* Whether a step makes masks: of others, or of vector registers. */
static bool makes_masks(const struct parts *parts, const struct step *step)
{
    bool makes = step->kind == STEP_VECTOR;
    for (unsigned i = 0; i < step->access_count; i++)
        makes |= !step->accesses[i].write && is_mask(parts, &step->accesses[i]);
    return makes;
}

/* Finds the pairs of registers that have a bit for each lane. */
static void find_masks(struct parts *parts)
{
    memset(parts->is_mask, 0, sizeof parts->is_mask);
    parts->is_mask[PARTS_EXEC] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned at = 0; at < parts->count; at++) {
            const struct step *step = &parts->steps[at];
            for (unsigned i = 0; makes_masks(parts, step) && i < step->access_count; i++) {
                const struct scalar_access *access = &step->accesses[i];
                if (access->write && access->bitwise && !parts->is_mask[access->code / 2])
                    changed = parts->is_mask[access->code / 2] = true;
            }
        }
    }
}

/* Whether a step may access registers in this way. SCC is the same for all lanes unless a mask has decided it. */
static bool may_access(const struct parts *parts, const struct step *step, const struct scalar_access *access,
                       bool *scc)
{
    if (access->code == PARTS_SCC) {
        bool known = *scc;
        if (access->write)
            *scc = step->kind != STEP_MASK;
        return known || access->write;
    }
    bool pair = access->dwords == 2, even = !(access->code & 1);
    if (!is_mask(parts, access))
        return !pair || even;
    return pair && even && (access->bitwise || (access->write && step->kind == STEP_MADE));
}

/* Decides which scalar operations concern masks; false if a register is used both as a mask and otherwise. */
static bool take_accesses(const struct builder *f, struct parts *parts)
{
    bool scc = false;
    for (unsigned at = 0; at < parts->count; at++) {
        struct step *step = &parts->steps[at];
        bool makes = makes_masks(parts, step);
        for (unsigned i = 0; step->kind == STEP_SCALAR && i < step->access_count; i++)
            if (step->accesses[i].write && is_mask(parts, &step->accesses[i]))
                step->kind = makes ? STEP_MASK : STEP_MADE;
        if (step->kind == STEP_MADE && f->effects[step->index]->kind != EFFECT_SCALAR)
            return false;
        for (unsigned i = 0; i < step->access_count; i++)
            if (!may_access(parts, step, &step->accesses[i], &scc))
                return false;
    }
    return true;
}

/* Lists the registers that are WRITTEN; if they are in memory at all times, only those that are carried. False if there
 * are too many. */
static bool list_written(struct parts *parts, const bool *written)
{
    parts->written_count = 0;
    for (int code = 0; code <= PARTS_SCC; code++) {
        bool mask = code < GCN_SGPRS && parts->is_mask[code / 2];
        bool carried = code < GCN_SGPRS && (mask ? parts->mask_carried[code / 2] : parts->carried[code]);
        if (!written[code] || (mask && code & 1) || (parts->loads && !carried))
            continue;
        if (parts->written_count == PARTS_WRITTEN)
            return false;
        parts->written[parts->written_count++] = (struct written){code, mask ? 2 : 1};
    }
    return true;
}

/* Finds the registers that the loop writes, and those whose values go from one round to the next. */
static bool find_carried(struct parts *parts)
{
    bool read[GCN_SGPRS + 1] = {false}, *written = parts->changes;
    memset(parts->changes, 0, sizeof parts->changes);
    for (unsigned at = 0; at < parts->count; at++) {
        const struct step *step = &parts->steps[at];
        for (const struct scalar_access *access = step->accesses; access < step->accesses + step->access_count;
             access++)
            for (int code = access->code; code < access->code + access->dwords; code++) {
                read[code] |= !access->write && !written[code];
                written[code] |= access->write;
            }
    }
    for (int code = 0; code < GCN_SGPRS; code++) {
        parts->mask_carried[code / 2] = parts->is_mask[code / 2] && (read[code] || code / 2 == PARTS_EXEC);
        parts->carried[code] = !parts->is_mask[code / 2] && read[code] && written[code];
    }
    return list_written(parts, written);
}

/* Whether the lanes' part needs what a step does with registers. What the wave's part has decided or loaded already, it
 * does not. */
static bool is_needed(const struct parts *parts, const struct step *step)
{
    bool needed = step->kind != STEP_SCALAR && step->kind != STEP_LOAD;
    if (step->kind == STEP_LEAVE)
        return !parts->leaves_at_end;
    for (unsigned i = 0; step->kind == STEP_SCALAR && i < step->access_count; i++)
        for (int n = 0; step->accesses[i].write && n < step->accesses[i].dwords; n++)
            needed |= parts->needed[step->accesses[i].code + n];
    return needed;
}

/* Finds the registers that the lanes' part reads, and the steps that make their values. */
static void find_needed(struct parts *parts)
{
    parts->leaves_at_end = parts->wave_first;
    for (unsigned at = parts->count; at-- > 0 && parts->steps[at].kind != STEP_LEAVE;)
        parts->leaves_at_end &= parts->steps[at].kind == STEP_NOTHING || parts->steps[at].kind == STEP_SCALAR;
    memset(parts->needed, 0, sizeof parts->needed);
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned at = 0; at < parts->count; at++) {
            struct step *step = &parts->steps[at];
            if (step->needed || !is_needed(parts, step))
                continue;
            changed = step->needed = true;
            for (unsigned i = 0; i < step->access_count; i++)
                for (int n = 0; !step->accesses[i].write && n < step->accesses[i].dwords; n++)
                    parts->needed[step->accesses[i].code + n] = true;
        }
    }
}

bool parts_find(struct builder *f, struct jit_loop *loop, bool wave_first)
{
    struct parts *parts = f->parts;
    parts->wave_first = wave_first;
    if (!find_entry(f, loop, parts) || !take_steps(f, loop, parts))
        return false;
    find_masks(parts);
    if (!take_accesses(f, parts) || !find_carried(parts) || !parts_prove(f))
        return false;
    find_needed(parts);
    if (!simple_find(f, loop))
        return false;
    parts_find_temporaries(f, loop);
    return true;
}
