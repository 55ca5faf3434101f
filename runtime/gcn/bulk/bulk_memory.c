/* SPDX-License-Identifier: MIT */
/* Memory instructions of all waves of a box at once.
 * Input: decoded instructions. Output: registers, and moves or a stream to be done later. Invariant: memory is read
 * only where all waves read the same place, and never written; what was read is remembered, as it must not be written
 * by the dispatch. */
#include "runtime/gcn/bulk/bulk_wave.h"

#include "runtime/gcn/guest_memory.h"
#include "runtime/gcn/wave_run.h"

#include <string.h>

/* Remembers that SIZE bytes at ADDRESS were read; false if there is no place for it. */
static bool remember(struct bulk *b, uint64_t address, uint64_t size)
{
    for (unsigned i = 0; i < b->read_count; i++) {
        struct bulk_range *range = &b->reads[i];
        if (address >= range->at && address + size <= range->at + range->size)
            return true;
        if (address == range->at + range->size) {
            range->size += size;
            return true;
        }
    }
    if (b->read_count == BULK_READS)
        return false;
    b->reads[b->read_count++] = (struct bulk_range){address, size};
    return true;
}

struct reading {
    void *to;
    const void *from;
    uint32_t size;
};

MEM_GUEST static void read_now(void *data)
{
    const struct reading *reading = data;
    memcpy(reading->to, reading->from, reading->size);
}

bool bulk_read(struct bulk *b, uint64_t address, void *to, uint32_t size)
{
    struct guest_memory *guest = b->dispatch->guest;
    if (!mem_is_host(address, size) || (guest && !guest_memory_covers(guest, address, size)) ||
        !remember(b, address, size))
        return false;
    struct reading reading = {to, (const void *)(uintptr_t)address, size};
    return gcn_guarded(read_now, &reading);
}

/* Puts COUNT numbers into the registers from DST on. */
static enum bulk_outcome put_numbers(struct bulk *b, struct gcn_operand dst, const uint32_t *numbers, unsigned count)
{
    enum bulk_outcome outcome = BULK_ON;
    for (unsigned i = 0; i < count && outcome == BULK_ON; i++) {
        struct affine f = affine_constant(numbers[i]);
        if (dst.index + i > UINT8_MAX)
            return BULK_LEAVE;
        outcome = bulk_put(b, (struct gcn_operand){dst.kind, (uint8_t)(dst.index + i)}, 1, &f);
    }
    return outcome;
}

static bool is_scratch_load(unsigned op)
{
    return op == GCN_OP_s_scratch_load_dword || op == GCN_OP_s_scratch_load_dwordx2 ||
           op == GCN_OP_s_scratch_load_dwordx4;
}

enum bulk_outcome bulk_scalar_load(struct bulk *b, const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    enum { DWORDS = 16 };
    uint32_t data[DWORDS];
    uint64_t base, offset = 0;
    bool plain = info->src[0] == GCN_T_B64 && (info->flags & GCN_F_LOAD) && !is_scratch_load(inst->op);
    if (!plain || inst->mem.flags || inst->src[0].kind != GCN_SGPR || info->bytes > sizeof data ||
        !bulk_number(b, inst->src[0].index, 2, &base))
        return BULK_LEAVE;
    if (inst->src[3].kind == GCN_INLINE)
        offset = inst->mem.soffset;
    else if (inst->src[3].kind != GCN_NONE &&
             (inst->src[3].kind != GCN_SGPR || !bulk_number(b, inst->src[3].index, 1, &offset)))
        return BULK_LEAVE;
    uint64_t address = (base + offset + (uint64_t)(int64_t)inst->mem.offset) & ~UINT64_C(3);
    return bulk_read(b, address, data, info->bytes) ? put_numbers(b, inst->dst, data, info->bytes / 4) : BULK_LEAVE;
}

/* The address that INST accesses with BYTES; false if it is not linear or leaves the host's memory. */
static bool address_of(const struct bulk *b, const struct gcn_inst *inst, uint32_t bytes, struct affine *address)
{
    struct affine offset;
    bool scalar = inst->src[2].kind == GCN_SGPR;
    if ((inst->src[2].kind != GCN_NONE && !scalar) || !bulk_source(b, inst, 0, scalar ? 1 : 2, &offset) ||
        !bulk_source(b, inst, 2, 2, address))
        return false;
    *address = affine_sum(1, address, 1, &offset);
    address->at += inst->mem.offset;
    struct affine_range range = affine_range(address, &b->box);
    return range.low >= 0 && range.high + bytes <= (affine_int)MEM_LIMIT;
}

/* Loads from one place into all lanes. */
static enum bulk_outcome load_same(struct bulk *b, const struct gcn_inst *inst, uint64_t address, uint32_t bytes)
{
    uint32_t data[4] = {0};
    if (!bulk_read(b, address, data, bytes))
        return BULK_LEAVE;
    if (gcn_op_info[inst->op].flags & GCN_F_SEXT)
        data[0] = bytes == 1 ? (uint32_t)(int8_t)data[0] : (uint32_t)(int16_t)data[0];
    return put_numbers(b, inst->dst, data, (bytes + 3) / 4);
}

static enum bulk_outcome load(struct bulk *b, const struct gcn_inst *inst, const struct affine *address, uint32_t bytes)
{
    unsigned count = (bytes + 3) / 4;
    if (affine_is_constant(address))
        return load_same(b, inst, (uint64_t)address->at, bytes);
    if (inst->dst.kind != GCN_VGPR || inst->dst.index + count > BULK_VGPRS || b->load_count == BULK_LOADS)
        return BULK_LEAVE;
    b->recorded &= bulk_record_access(b, inst, address) == BULK_ON;
    b->loads[b->load_count] = (struct bulk_load){.address = *address, .bytes = bytes};
    for (unsigned i = 0; i < count; i++)
        b->v[inst->dst.index + i] =
            (struct bulk_value){.kind = BULK_LOADED, .load = (uint8_t)b->load_count, .part = (uint8_t)i};
    b->load_count++;
    return BULK_ON;
}

/* Says in MOVE where the data in registers from VALUE on come from: a pattern, or one load without gaps. */
static bool find_data(struct bulk *b, const struct bulk_value *value, struct bulk_move *move)
{
    unsigned count = (move->bytes + 3) / 4;
    move->fills = value->kind == BULK_AFFINE;
    for (unsigned i = 0; i < count; i++) {
        uint32_t left = move->bytes - 4 * i, part = left < 4 ? left : 4;
        if (move->fills) {
            uint32_t number = (uint32_t)value[i].is.at;
            if (value[i].kind != BULK_AFFINE || !affine_is_constant(&value[i].is))
                return false;
            memcpy(move->pattern + 4 * i, &number, part);
        } else if (value[i].kind != BULK_LOADED || value[i].load != value->load || value[i].part != value->part + i ||
                   4 * value[i].part + part > b->loads[value->load].bytes) {
            return false;
        }
    }
    if (!move->fills) {
        struct bulk_load *load = &b->loads[value->load];
        move->from = load->address;
        move->from.at += 4 * value->part;
        load->stored |= ((UINT32_C(1) << move->bytes) - 1) << 4 * value->part;
    }
    return true;
}

static bool same_steps(const struct affine *x, const struct affine *y)
{
    return !memcmp(x->step, y->step, sizeof x->step);
}

/* Makes one move of two of the same box if MOVE begins where BEFORE ends. */
static bool join(struct bulk_move *before, const struct bulk_move *move)
{
    if (before->fills != move->fills || before->to.at + before->bytes != move->to.at ||
        !same_steps(&before->to, &move->to) || memcmp(&before->box, &move->box, sizeof move->box))
        return false;
    if (!move->fills && (before->from.at + before->bytes != move->from.at || !same_steps(&before->from, &move->from)))
        return false;
    if (move->fills && before->bytes + move->bytes > sizeof before->pattern)
        return false;
    if (move->fills)
        memcpy(before->pattern + before->bytes, move->pattern, move->bytes);
    before->bytes += move->bytes;
    return true;
}

static enum bulk_outcome store(struct bulk *b, const struct gcn_inst *inst, const struct affine *address,
                               uint32_t bytes)
{
    unsigned first = inst->src[1].index;
    struct bulk_move move = {.box = b->box, .to = *address, .bytes = bytes};
    if (inst->src[1].kind != GCN_VGPR || first + (bytes + 3) / 4 > BULK_VGPRS)
        return BULK_LEAVE;
    b->recorded &= bulk_record_access(b, inst, address) == BULK_ON;
    b->computes |= gcn_op_info[inst->op].flags & GCN_F_D16 || !find_data(b, &b->v[first], &move);
    if (!b->computes && b->move_count && join(&b->moves[b->move_count - 1], &move))
        return BULK_ON;
    b->computes |= b->move_count == BULK_MOVES;
    if (!b->computes)
        b->moves[b->move_count++] = move;
    return b->computes && !b->recorded ? BULK_LEAVE : BULK_ON;
}

enum bulk_outcome bulk_access(struct bulk *b, const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    bool loads = info->flags & GCN_F_LOAD;
    uint64_t unknown = GCN_F_ATOMIC | GCN_F_FORMAT | (loads ? GCN_F_D16 : 0);
    struct affine address;
    int lanes = bulk_lanes(b);
    if (lanes < 0 || (info->flags & unknown) || loads == !!(info->flags & GCN_F_STORE) || inst->mem.flags)
        return BULK_LEAVE;
    if (!lanes)
        return BULK_ON;
    if (!address_of(b, inst, info->bytes, &address))
        return loads ? bulk_record_gather(b, inst) : BULK_LEAVE;
    return loads ? load(b, inst, &address, info->bytes) : store(b, inst, &address, info->bytes);
}
