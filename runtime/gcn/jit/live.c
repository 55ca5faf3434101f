/* SPDX-License-Identifier: MIT */
/* Finds which vector registers, and whether VCC, may still be read, so that what nobody will read is not stored. The
 * carry of the upper half of an address is the most frequent result of that kind.
 *
 * A vector operation writes the lanes of EXEC only, so it ends the life of a register's value only as long as EXEC
 * stays: every write of EXEC, and every handler that may look at other lanes, brings all registers to life that are
 * read anywhere from there on.
 * Input: the effects of a unit. Output: a set per micro-operation. Invariant: a handler that is not understood is taken
 * to read all. */
#include "runtime/gcn/jit/build.h"
#include "runtime/gcn/jit/chunk.h"

#include "support/alloc.h"

#include <string.h>

enum { SCALARS_MOST = 16 }; /* that an operand has */

/* VCC has a word of its own, after those of the vector registers. */
static void mark_vcc(uint64_t *set)
{
    set[LIVE_VCC] = UINT64_MAX;
}

static void mark_scalars(uint64_t *set, uint32_t ref)
{
    int code = ref_scalar(ref);
    if (code > GCN_S_VCC - SCALARS_MOST && code <= GCN_S_VCC + 1)
        mark_vcc(set);
}

static void mark_lines(uint64_t *set, uint32_t ref, unsigned count)
{
    int line = ref_line(ref);
    for (unsigned i = 0; line >= 0 && i < count && line + (int)i < GCN_VGPRS; i++)
        set[(line + (int)i) / 64] |= UINT64_C(1) << ((line + (int)i) % 64);
}

static void vector_use(const struct effect *effect, const struct gcn_uop *op, uint64_t *use, uint64_t *kill)
{
    for (unsigned slot = PA; slot <= PD; slot++)
        if (!(slot == PA && effect->form == FORM_SCALAR0) && !(slot == PB && effect->form == FORM_SCALAR1))
            mark_lines(use, slot == PD ? op->dst : op->src[slot], template_lines(effect->template, slot));
    mark_lines(use, op->src[0], effect->below); /* if it is a line, the handler reads it */
    mark_lines(kill, op->dst, template_lines(effect->template, R));
    if (effect->template->uses >> IN & 1)
        mark_scalars(use, op->aux >> 16);
    if (writes_mask(effect) && ref_scalar(mask_destination(effect, op)) == GCN_S_VCC)
        mark_vcc(kill);
}

static void memory_use(const struct chunk_row *row, const struct gcn_uop *op, uint64_t *use, uint64_t *kill)
{
    mark_lines(use, op->src[0], 1);
    mark_lines(use, op->src[1], row->store ? row->dwords : 0);
    mark_lines(kill, op->dst, row->store ? 0 : row->dwords);
}

/* Whether the handler of OP gives its destination new values, in all lanes of EXEC and without looking at old ones. */
static bool gives_new_values(const struct effect *effect, const struct gcn_uop *op)
{
    const struct gcn_op_info *info = &gcn_op_info[effect->id];
    bool loads = info->flags & GCN_F_LOAD && !(info->flags & (GCN_F_DST_R | GCN_F_FORMAT));
    return effect->id == GCN_OP_ds_bpermute_b32 || (loads && !(op->aux & (GCN_LDS | GCN_TFE)));
}

/* Whether an operation writes its second operand to the addresses of its first one, and does nothing else. */
static bool only_stores(const struct effect *effect)
{
    const struct gcn_op_info *info = &gcn_op_info[effect->id];
    bool flat = info->encoding == GCN_FLAT || info->encoding == GCN_GLOBAL || info->encoding == GCN_SCRATCH;
    return flat && info->flags & GCN_F_STORE && !(info->flags & (GCN_F_LOAD | GCN_F_ATOMIC));
}

static void handler_use(const struct effect *effect, const struct gcn_uop *op, uint64_t *use, uint64_t *kill)
{
    bool gives = gives_new_values(effect, op);
    if (only_stores(effect)) {
        mark_lines(use, op->src[0], 2);
        mark_lines(use, op->src[1], gcn_type_info[gcn_op_info[effect->id].src[1]].registers);
        return;
    }
    mark_lines(use, op->src[0], gives ? 2 : 4); /* an address has two at most */
    mark_lines(use, op->src[1], gives ? 1 : 4);
    mark_lines(use, op->src[2], 4);
    if (gives)
        mark_lines(kill, op->dst, gcn_type_info[gcn_op_info[effect->id].dst].registers);
    else
        mark_lines(use, op->dst, 8);
}

bool live_writes_exec(const struct effect *effect, const struct gcn_uop *op)
{
    switch (effect->kind) {
    case EFFECT_COMPARE_EXEC:
    case EFFECT_SAVEEXEC: return true;
    case EFFECT_VECTOR:
    case EFFECT_COMPARE: return writes_mask(effect) && ref_scalar(mask_destination(effect, op)) >= GCN_S_EXEC - 1;
    case EFFECT_READLANE:
    case EFFECT_SCALAR:
    case EFFECT_COPY64: return ref_scalar(op->dst) >= GCN_S_EXEC - 1;
    case EFFECT_SCALAR_MEMORY: return ref_scalar(op->dst) >= GCN_S_EXEC - 16;
    default: return false;
    }
}

/* The lines that one micro-operation reads, and those that it writes in full. */
static void uses_of(const struct effect *effect, const struct gcn_uop *op, unsigned flags, uint64_t *use,
                    uint64_t *kill)
{
    switch (effect->kind) {
    case EFFECT_VECTOR:
    case EFFECT_COMPARE:
    case EFFECT_COMPARE_EXEC: vector_use(effect, op, use, kill); break;
    case EFFECT_SWAP:
        mark_lines(use, op->src[0], 1);
        mark_lines(use, op->dst, 1);
        break;
    case EFFECT_READLANE: mark_lines(use, op->src[0], 1); break;
    case EFFECT_WRITELANE: break;
    case EFFECT_MOD32:
    case EFFECT_MOD64: mark_lines(use, op->src[0], 2); break;
    case EFFECT_LDS: memory_use(effect->row, op, use, kill); break;
    case EFFECT_MEMORY: handler_use(effect, op, use, kill); break;
    case EFFECT_BRANCH:
        if (effect->id == GCN_OP_s_cbranch_vccz || effect->id == GCN_OP_s_cbranch_vccnz)
            mark_vcc(use);
        break;
    case EFFECT_SCALAR:
    case EFFECT_SAVEEXEC:
    case EFFECT_SPLAT32:
    case EFFECT_SPLAT64:
    case EFFECT_COPY64:
    case EFFECT_WAIT:
    case EFFECT_NOTHING:
    case EFFECT_SCALAR_MEMORY:
    case EFFECT_STOP: break;
    case EFFECT_LEAVE:
        if (gcn_op_info[effect->id].flags & GCN_F_END && !(flags & GCN_JIT_KEEP))
            break;
        memset(use, 255, LIVE_WORDS * sizeof *use);
        break;
    default: memset(use, 255, LIVE_WORDS * sizeof *use); break;
    }
    for (unsigned i = 0; i < 3; i++)
        mark_scalars(use, op->src[i]);
    if (effect->kind == EFFECT_SCALAR || effect->kind == EFFECT_SCALAR_MEMORY)
        mark_scalars(use, op->dst);
}

/* Follows control backwards until it is known what may be read from each micro-operation on, from SETS of what each
 * reads and writes in full. ENDS: whether writing ends the life of a value. */
static void spread(const struct builder *f, uint64_t (*sets)[2][LIVE_WORDS], bool ends, uint64_t (*live)[LIVE_WORDS])
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = f->unit->total; i-- > 0;) {
            const struct effect *effect = f->effects[i];
            bool branch = effect->kind == EFFECT_BRANCH;
            bool falls = !effect->end && !(branch && effect->id == GCN_OP_s_branch);
            for (unsigned k = 0; k < LIVE_WORDS; k++) {
                uint64_t out = falls ? live[i + 1][k] : 0;
                out |= branch ? live[i + (uint32_t)f->unit->ops[i].imm][k] : 0;
                uint64_t in = sets[i][0][k] | (ends ? out & ~sets[i][1][k] : out);
                changed |= in != live[i][k];
                live[i][k] = in;
            }
        }
    }
}

/* Finds what each micro-operation reads and writes in full. */
static void find_uses(const struct builder *f, unsigned flags, uint64_t (*sets)[2][LIVE_WORDS])
{
    bool dpp = false; /* then lanes of EXEC keep what they have */
    for (uint32_t i = 0; i < f->unit->total; i++) {
        uses_of(f->effects[i], &f->unit->ops[i], flags, sets[i][0], sets[i][1]);
        dpp = (dpp || f->effects[i]->kind == EFFECT_DPP) && f->effects[i]->kind != EFFECT_RESTORE;
        if (dpp)
            memset(sets[i][1], 0, sizeof sets[i][1]);
    }
}

/* What is live is also read somewhere, whatever EXEC is there. */
bool live_compute(struct builder *f, unsigned flags)
{
    uint32_t count = f->unit->total;
    uint64_t(*sets)[2][LIVE_WORDS] = mem_zalloc(count, sizeof *sets);
    f->live = mem_zalloc((size_t)count + 1, sizeof *f->live);
    f->read = mem_zalloc((size_t)count + 1, sizeof *f->read);
    if (!sets || !f->live || !f->read) {
        mem_free(sets);
        return false;
    }
    find_uses(f, flags, sets);
    spread(f, sets, false, f->read);
    for (uint32_t i = 0; i < count; i++) {
        bool writes = live_writes_exec(f->effects[i], &f->unit->ops[i]);
        f->writes_exec |= f->hot[i] && writes;
        if (writes)
            memset(sets[i][0], 255, sizeof sets[i][0]);
    }
    spread(f, sets, true, f->live);
    for (uint32_t i = 0; i < count; i++)
        for (unsigned k = 0; k < LIVE_WORDS; k++)
            f->live[i][k] &= f->read[i][k];
    mem_free(sets);
    return true;
}
