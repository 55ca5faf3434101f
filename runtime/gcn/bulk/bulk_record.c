/* SPDX-License-Identifier: MIT */
/* Makes the stream of a box: micro-operations that each of its waves executes.
 * Input: instructions, while the box is executed. Output: micro-operations, slots, patterns. Invariant: when one of
 * them is executed, the registers that it reads hold what they hold in the kernel.
 *
 * The instructions' own micro-operations compute, load and store. What is known as a linear function is not computed,
 * but put into registers where one of those reads it; addresses are a number for the wave, in a slot, and what is added
 * to it in each lane, a pattern. */
#include "runtime/gcn/bulk/bulk_wave.h"

#include "runtime/gcn/engine.h"
#include "runtime/gcn/exec/host_simd.h"
#include "runtime/gcn/jit/tier.h"
#include "runtime/gcn/wave_run.h"

enum {
    COMPUTING_PER_ACCESS = 12, /* with as many the waves are left to the interpreter, which may have code compiled */
};

static uint32_t ref_of_vector(unsigned index)
{
    return (uint32_t)(offsetof(struct gcn_wave, v) + (size_t)GCN_LINE * index);
}

static uint32_t ref_of_slot(unsigned slot)
{
    return ref_of_vector(BULK_SLOT_LINE) + 8 * slot;
}

static uint32_t ref_of_scalar(unsigned code)
{
    return (uint32_t)(offsetof(struct gcn_wave, s) + sizeof(uint32_t) * code);
}

/* The last place is for the end of the stream. */
static bool add_op(struct bulk *b, const struct gcn_uop *op, uint32_t pc)
{
    if (b->op_count >= BULK_OPS - 1)
        return false;
    b->ops[b->op_count] = *op;
    b->pcs[b->op_count++] = pc;
    return true;
}

static bool add_slot(struct bulk *b, const struct affine *f, uint32_t *ref)
{
    if (b->slot_count == BULK_SLOTS)
        return false;
    *ref = ref_of_slot(b->slot_count);
    b->slots[b->slot_count++] = *f;
    return true;
}

uint64_t bulk_at_lane(const struct gcn_wave_ids *wave, unsigned lane, const uint64_t *steps)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < AFFINE_COORDINATES - AFFINE_GROUPS; i++)
        sum += steps[i] * wave->id[i][lane];
    return sum;
}

uint64_t bulk_lead(const struct gcn_wave_ids *wave, const uint64_t *steps)
{
    int64_t least = 0, first = (int64_t)bulk_at_lane(wave, 0, steps);
    for (unsigned i = 0; i < GCN_LANES; i++) {
        int64_t distance = (int64_t)bulk_at_lane(wave, i, steps) - first;
        least = distance < least ? distance : least;
    }
    return (uint64_t)least;
}

/* Makes LINE of what the ids add in each lane; false if that is not the same for all waves. */
static bool make_line(const struct gcn_group_shape *shape, const uint64_t *steps, uint32_t *line)
{
    uint64_t lead = bulk_lead(&shape->ids[0], steps);
    uint32_t differ = 0;
    for (uint32_t k = 0; k < shape->wave_count; k++) {
        uint64_t first = bulk_at_lane(&shape->ids[k], 0, steps) + lead;
        for (unsigned i = 0; i < GCN_LANES; i++) {
            uint32_t distance = (uint32_t)(bulk_at_lane(&shape->ids[k], i, steps) - first);
            if (k)
                differ |= distance ^ line[i];
            else
                line[i] = distance;
        }
    }
    return !differ;
}

/* The number of the line of what F adds in each lane; negative if there is none. */
static int add_pattern(struct bulk *b, const struct affine *f)
{
    for (unsigned n = 0; n < BULK_PATTERNS; n++) {
        bool same = true, new = n == b->pattern_count;
        for (unsigned i = 0; i < AFFINE_COORDINATES - AFFINE_GROUPS; i++) {
            uint64_t step = (uint64_t)f->step[AFFINE_GROUPS + i];
            if (new)
                b->patterns[n][i] = step;
            same &= b->patterns[n][i] == step;
        }
        if (new && !make_line(&b->dispatch->shapes[0], b->patterns[n], b->lines[n]))
            return -1;
        b->pattern_count += new;
        if (same)
            return (int)n;
    }
    return -1;
}

static uint32_t ref_of_pattern(int n)
{
    return ref_of_vector(BULK_PATTERN_LINE + (unsigned)n);
}

/* Has the stream put what VALUE is into register REF, a line or a scalar, unless it is there. */
static bool place(struct bulk *b, struct bulk_value *value, uint32_t ref, bool vector)
{
    gcn_handler *add = b->dispatch->entry.unit->engine->scalar0[GCN_OP_v_add_u32]; /* a scalar to a line */
    struct gcn_uop op = {.fn = vector ? add : bulk_put_scalar, .dst = ref};
    if (value->kind == BULK_LOADED || value->kind == BULK_COMPUTED || value->placed)
        return true;
    if (value->kind != BULK_AFFINE || !add_slot(b, &value->is, &op.src[0]))
        return false;
    int pattern = vector ? add_pattern(b, &value->is) : 0;
    op.src[1] = ref_of_pattern(pattern);
    if (pattern < 0 || !add_op(b, &op, 0))
        return false;
    value->placed = true;
    return true;
}

/* EXEC is in its place. */
static bool place_operand(struct bulk *b, struct gcn_operand operand, unsigned count)
{
    bool vector = operand.kind == GCN_VGPR, placed = true;
    if (operand.kind == GCN_NONE || operand.kind == GCN_INLINE || operand.kind == GCN_LITERAL ||
        (operand.kind == GCN_SGPR && operand.index >= GCN_EXEC_LO))
        return true;
    if ((!vector && operand.kind != GCN_SGPR) || operand.index + count > (vector ? BULK_VGPRS : GCN_EXEC_LO))
        return false;
    for (unsigned i = operand.index; i < operand.index + count && placed; i++)
        placed = place(b, vector ? &b->v[i] : &b->s[i], vector ? ref_of_vector(i) : ref_of_scalar(i), vector);
    return placed;
}

/* Adds the micro-operations of the instruction at PC, at most MOST, without those that only lead to the next one. */
static bool add_instruction(struct bulk *b, uint64_t pc, unsigned most)
{
    struct gcn_entry entry;
    enum gcn_fault_kind kind;
    if (!gcn_cache_find(b->dispatch->cache, pc, &entry, &kind) || entry.unit != b->dispatch->entry.unit)
        return false;
    const struct gcn_unit *unit = entry.unit;
    uint32_t first = (uint32_t)(entry.op - unit->ops), i = first;
    for (unsigned n = 0; i < unit->count && unit->pcs[i] == unit->pcs[first]; i++) {
        struct gcn_uop op = unit->ops[i];
        op.fn = gcn_tier_handler(unit, i);
        if (op.fn == gcn_control_count || op.fn == gcn_control_goto || op.fn == gcn_control_goto_back)
            continue;
        if (++n > most || !add_op(b, &op, unit->pcs[i]))
            return false;
    }
    return i > first;
}

/* Whether INST may leave some bits of its destination as they are. */
static bool keeps_bits(const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    return info->flags & GCN_F_DST_R || inst->op_sel || inst->variant != GCN_PLAIN ||
           gcn_type_info[info->dst].bits < 32;
}

/* Whether INST computes in each lane from that lane's registers and scalars alone, and nothing but OPERAND. */
static bool is_lanewise(const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    bool mask = info->dst == GCN_T_MASK && inst->dst.kind == GCN_SGPR;
    return inst->variant != GCN_DPP && inst->op != GCN_OP_v_swap_b32 && inst->op != GCN_OP_v_writelane_b32 &&
           !(info->flags & (GCN_F_EXEC_W | GCN_F_M0_RW | GCN_F_SCC_R | GCN_F_SCC_W | GCN_F_ATTR | GCN_F_MATRIX)) &&
           (inst->dst.kind == GCN_VGPR || mask) && (inst->sdst.kind == GCN_NONE || inst->sdst.kind == GCN_SGPR);
}

static bool place_destination(struct bulk *b, const struct gcn_inst *inst, unsigned count)
{
    bool placed = true;
    for (unsigned i = 0; inst->dst.kind == GCN_VGPR && i < count && placed; i++) {
        struct gcn_operand one = {GCN_VGPR, (uint8_t)(inst->dst.index + i)};
        placed = inst->dst.index + i < BULK_VGPRS && (b->v[one.index].kind == BULK_UNKNOWN || place_operand(b, one, 1));
    }
    return placed;
}

/* Notes that the stream computes COUNT registers from the one that OPERAND names. */
static bool note_computed(struct bulk *b, struct gcn_operand operand, unsigned count)
{
    bool vector = operand.kind == GCN_VGPR;
    struct bulk_value *value = vector ? b->v : b->s;
    if (operand.kind == GCN_NONE)
        return true;
    if (operand.index + count > (vector ? (unsigned)BULK_VGPRS : (unsigned)GCN_TTMP0))
        return false;
    for (unsigned i = operand.index; i < operand.index + count; i++)
        value[i] = (struct bulk_value){.kind = BULK_COMPUTED};
    return true;
}

enum bulk_outcome bulk_record(struct bulk *b, const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    const struct gcn_operand vcc = {GCN_SGPR, GCN_VCC_LO};
    unsigned count = gcn_type_info[info->dst].registers;
    if (!b->recorded || !is_lanewise(inst))
        return BULK_LEAVE;
    for (unsigned i = 0; i < 3; i++)
        if (!place_operand(b, inst->src[i], gcn_type_info[info->src[i]].registers))
            return BULK_LEAVE;
    unsigned before = b->op_count;
    bool implied = info->flags & GCN_F_VCC_R && info->src[2] != GCN_T_MASK;
    if ((implied && !place_operand(b, vcc, 2)) || (keeps_bits(inst) && !place_destination(b, inst, count)) ||
        !add_instruction(b, b->pc - inst->size, BULK_OPS) || !note_computed(b, inst->dst, count) ||
        !note_computed(b, inst->sdst, 2))
        return BULK_LEAVE;
    b->computing += b->op_count - before;
    return BULK_ON;
}

static bool is_exec(struct gcn_operand operand)
{
    return operand.kind == GCN_SGPR && operand.index == GCN_EXEC_LO;
}

/* Whether OP only connects the bits of masks. */
static bool is_mask_operation(unsigned op)
{
    return op == GCN_OP_s_and_b64 || op == GCN_OP_s_or_b64 || op == GCN_OP_s_xor_b64 || op == GCN_OP_s_andn2_b64 ||
           op == GCN_OP_s_not_b64;
}

/* Of lanes that are taken from EXEC only the end of the wave makes active ones again. So it does not matter what their
 * registers hold from here on, and the others have what all would have. */
enum bulk_outcome bulk_record_mask(struct bulk *b, const struct gcn_inst *inst)
{
    bool saves = inst->op == GCN_OP_s_and_saveexec_b64;
    bool ands = inst->op == GCN_OP_s_and_b64 && is_exec(inst->dst) && (is_exec(inst->src[0]) || is_exec(inst->src[1]));
    bool known = saves || ands || (is_mask_operation(inst->op) && inst->dst.index < GCN_EXEC_LO);
    if (!b->recorded || !known || !place_operand(b, inst->src[0], 2) || !place_operand(b, inst->src[1], 2) ||
        !add_instruction(b, b->pc - inst->size, BULK_OPS) || (!ands && !note_computed(b, inst->dst, 2)))
        return BULK_LEAVE;
    b->scc_known = false;
    b->computes = true;
    b->computing++;
    if (saves || ands)
        b->s[GCN_EXEC_LO] = b->s[GCN_EXEC_HI] = (struct bulk_value){.kind = BULK_COMPUTED};
    return BULK_ON;
}

/* Memory */

static bool add_range(struct bulk *b, const struct affine *address, uint32_t bytes, bool stores)
{
    struct affine_range range = affine_range(address, &b->box);
    if (b->range_count == BULK_RANGES)
        return false;
    b->ranges[b->range_count++] =
        (struct bulk_access_range){{(uint64_t)range.low, (uint64_t)(range.high - range.low) + bytes}, stores};
    return true;
}

/* Whether in each row of LANES lanes the offsets are those of adjacent elements of BYTES. */
static bool is_adjacent(const uint32_t *line, unsigned lanes, uint32_t bytes)
{
    bool adjacent = true;
    for (unsigned i = 0; i < GCN_LANES; i++)
        adjacent &= line[i] == line[i - i % lanes] + i % lanes * bytes;
    return adjacent;
}

/* The handler of a load or store whose lanes have the offsets of LINE: it need not look at them all if elements are
 * adjacent. NULL if there is only the usual one. */
static gcn_handler *access_handler(const struct gcn_engine *engine, unsigned op, const uint32_t *line)
{
    uint32_t bytes = gcn_op_info[op].bytes;
    if (is_adjacent(line, GCN_LANES, bytes))
        return engine->adjacent[op];
    return is_adjacent(line, GCN_SHORT_ROW, bytes) ? engine->in_rows[op] : NULL;
}

/* The access is one with an address in scalar registers and an offset in each lane. */
enum bulk_outcome bulk_record_access(struct bulk *b, const struct gcn_inst *inst, const struct affine *address)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    bool stores = info->flags & GCN_F_STORE;
    uint32_t slot;
    int pattern;
    affine_int least = 0, most = 0; /* what a lane adds */
    for (unsigned i = AFFINE_GROUPS; i < AFFINE_COORDINATES; i++) {
        affine_int extent = address->step[i] * (affine_int)(b->box.count[i] - 1);
        *(extent < 0 ? &least : &most) += extent;
    }
    if (!b->recorded || most - least > UINT32_MAX ||
        (stores && !place_operand(b, inst->src[1], (info->bytes + 3) / 4)) || !add_slot(b, address, &slot) ||
        (pattern = add_pattern(b, address)) < 0 || !add_range(b, address, info->bytes, stores) ||
        !add_instruction(b, b->pc - inst->size, 1))
        return BULK_LEAVE;
    b->accesses++;
    struct gcn_uop *op = &b->ops[b->op_count - 1];
    op->src[0] = ref_of_pattern(pattern);
    op->src[2] = slot;
    op->imm = 0;
    op->aux |= GCN_SADDR | GCN_SEG_GLOBAL;
    gcn_handler *handler = access_handler(b->dispatch->entry.unit->engine, inst->op, b->lines[pattern]);
    if (handler && !bulk_is_masked(b))
        op->fn = handler;
    return BULK_ON;
}

/* Nothing has to be known of the addresses: the instruction finds out whether it may load from there. */
enum bulk_outcome bulk_record_gather(struct bulk *b, const struct gcn_inst *inst)
{
    unsigned count = gcn_type_info[gcn_op_info[inst->op].dst].registers;
    if (!b->recorded || inst->encoding != GCN_GLOBAL ||
        !place_operand(b, inst->src[0], inst->src[2].kind == GCN_SGPR ? 1 : 2) || !place_operand(b, inst->src[2], 2) ||
        !add_instruction(b, b->pc - inst->size, BULK_OPS) || !note_computed(b, inst->dst, count))
        return BULK_LEAVE;
    b->accesses++;
    b->computes = true; /* no move does this */
    return BULK_ON;
}

/* Boxes */

bool bulk_stream_begin(struct bulk *b)
{
    if (b->stream_count == BULK_STREAMS)
        return false;
    b->streams[b->stream_count] = (struct bulk_stream){
        .box = b->box, .first_op = b->op_count, .first_slot = b->slot_count, .first_range = b->range_count};
    b->computing = b->accesses = 0;
    return true;
}

bool bulk_stream_end(struct bulk *b)
{
    struct bulk_stream *stream = &b->streams[b->stream_count];
    if (b->computing >= COMPUTING_PER_ACCESS * b->accesses)
        return false;
    for (unsigned i = stream->first_range; i < b->range_count; i++)
        if (!bulk_is_accessible(b, b->ranges[i].range))
            return false;
    stream->slot_count = b->slot_count - stream->first_slot;
    b->ops[b->op_count] = (struct gcn_uop){.fn = bulk_end};
    b->pcs[b->op_count++] = 0;
    b->stream_count++;
    return true;
}
