/* SPDX-License-Identifier: MIT */
/* Reads and writes of group memory inside of segments.
 *
 * The chunks of a segment run one after the other, each through all operations. So a segment has reads only, or one
 * write at its end. Most often the lanes of a chunk access adjacent dwords or all the same ones, which is emitted right
 * there; a function of chunk.h does all else.
 * (Other memory is left to the handlers: they do a whole wave with one check of its addresses, which was measured to be
 * faster than four checks and calls.)
 * Input: operations on group memory. Output: instructions at the builder. Invariant: nothing outside of the
 * allocation is accessed, and no lane reads in a segment what another lane writes there. */
#include "runtime/gcn/jit/segment.h"

#include "runtime/gcn/jit/chunk.h"

const struct chunk_row *memory_row(const struct gcn_jit *jit, unsigned id)
{
    const struct chunk_row *row = chunk_rows_of(jit);
    while (row->function && row->id != id)
        row++;
    return row->function ? row : NULL;
}

static unsigned dwords_of_part(const struct chunk_row *row)
{
    return row->dwords / row->parts;
}

/* The offset within group memory from which on SIZE bytes do not fit, given its size, TOTAL. */
static LLVMValueRef end_for(struct builder *f, LLVMValueRef total, unsigned size)
{
    LLVMValueRef fits = LLVMBuildICmp(f->b, LLVMIntUGE, total, C32(f, size), "");
    return LLVMBuildSelect(f->b, fits, LLVMBuildSub(f->b, total, C32(f, size - 1), ""), C32(f, 0), "");
}

bool memory_capture(struct builder *f, struct record *r)
{
    const struct gcn_uop *op = r->op;
    const struct chunk_row *row = r->effect->row;
    uint32_t data = row->store ? op->src[1] : op->dst;
    if (op->aux & GCN_GDS || !segment_is_line(f, op->src[0], 1) || !segment_is_line(f, data, row->dwords) ||
        (!row->store && data & GCN_REF_CONST))
        return false;
    LLVMValueRef total = build_load(f, f->jit->i32, offsetof(struct gcn_wave, lds_size), 4);
    r->lds = build_load(f, f->jit->pointer, offsetof(struct gcn_wave, lds), 8);
    r->a = end_for(f, total, 4 * dwords_of_part(row));
    r->b = end_for(f, total, 4 * dwords_of_part(row) * f->jit->lanes);
    return true;
}

/* One access while it is emitted. */
struct access_emission {
    const struct record *r;
    LLVMValueRef address, first; /* of the part: the lanes' offsets, and that of lane 0 */
    LLVMBasicBlockRef join;
    LLVMValueRef values[3][4]; /* by way */
    LLVMBasicBlockRef from[3];
    unsigned ways;
};

static LLVMValueRef steps(struct builder *f, unsigned step)
{
    LLVMValueRef elements[16];
    for (unsigned i = 0; i < f->jit->lanes; i++)
        elements[i] = C32(f, i * step);
    return LLVMConstVector(elements, f->jit->lanes);
}

/* Branches to a new block, which becomes the current one, if the lanes' distances from the first lane are as in WANTED,
 * the first lane is below END, and ALSO is true, unless it is NULL. *OTHERWISE is the block for when they are not. */
static void branch_if(struct builder *f, const struct access_emission *a, LLVMValueRef wanted, LLVMValueRef end,
                      LLVMValueRef also, LLVMBasicBlockRef *otherwise)
{
    LLVMValueRef distance = LLVMBuildSub(f->b, a->address, segment_spread(f, a->first), "");
    LLVMValueRef differ = LLVMBuildICmp(f->b, LLVMIntNE, distance, wanted, "");
    LLVMValueRef bits = LLVMBuildBitCast(f->b, differ, f->jit->mask, "");
    LLVMValueRef good = LLVMBuildICmp(f->b, LLVMIntEQ, bits, LLVMConstNull(f->jit->mask), "");
    good = LLVMBuildAnd(f->b, good, LLVMBuildICmp(f->b, LLVMIntULT, a->first, end, ""), "");
    if (also)
        good = LLVMBuildAnd(f->b, good, also, "");
    LLVMBasicBlockRef then = build_block(f);
    *otherwise = build_block(f);
    LLVMBuildCondBr(f->b, good, then, *otherwise);
    LLVMPositionBuilderAtEnd(f->b, then);
}

static LLVMValueRef place_of(struct builder *f, const struct access_emission *a)
{
    LLVMValueRef index = LLVMBuildZExt(f->b, a->first, f->jit->i64, "");
    return LLVMBuildInBoundsGEP2(f->b, f->jit->i8, a->r->lds, &index, 1, "");
}

static void join_way(struct builder *f, struct access_emission *a)
{
    a->from[a->ways++] = LLVMGetInsertBlock(f->b);
    LLVMBuildBr(f->b, a->join);
}

static uint64_t chunk_place(unsigned dword)
{
    return offsetof(struct gcn_wave, chunk) + 4ull * GCN_CHUNK_MAX * dword;
}

static bool returns_value(const struct chunk_row *row)
{
    return !row->store && row->dwords == 1;
}

/* Calls the row's function, for all parts; data are in w->chunk, or returned. */
static LLVMValueRef call_function(struct builder *f, const struct jit_segment *s, const struct record *r, LLVMValueRef address)
{
    struct gcn_jit *jit = f->jit;
    const struct chunk_row *row = r->effect->row;
    uint32_t imm = (uint32_t)r->op->imm;
    uint64_t offsets =
        row->parts == 2 ? (imm & 255u) * row->scale | (uint64_t)((imm >> 8 & 255u) * row->scale) << 32 : (uint64_t)imm;
    LLVMTypeRef types[] = {jit->pointer, jit->i64, jit->i32, jit->chunk};
    LLVMTypeRef result = returns_value(row) ? jit->chunk : LLVMVoidTypeInContext(jit->context);
    LLVMTypeRef type = LLVMFunctionType(result, types, 4, 0);
    LLVMValueRef arguments[] = {f->wave, C64(f, offsets), LLVMBuildZExt(f->b, s->exec, jit->i32, ""), address};
    return LLVMBuildCall2(f->b, type, import_chunk(f, row), arguments, 4, "");
}

/* Loads adjacent elements of N dwords, 1 or 2, and takes their dwords apart. */
static void read_adjacent(struct builder *f, struct access_emission *a, unsigned n)
{
    struct gcn_jit *jit = f->jit;
    LLVMValueRef loaded[2], numbers[16];
    for (unsigned i = 0; i < n; i++) {
        loaded[i] = LLVMBuildLoad2(f->b, jit->chunk, build_at(f, place_of(f, a), 4ull * jit->lanes * i), "");
        LLVMSetAlignment(loaded[i], 1);
    }
    for (unsigned k = 0; k < n && n == 2; k++) {
        for (unsigned i = 0; i < jit->lanes; i++)
            numbers[i] = C32(f, 2 * i + k);
        LLVMValueRef which = LLVMConstVector(numbers, jit->lanes);
        a->values[a->ways][k] = LLVMBuildShuffleVector(f->b, loaded[0], loaded[1], which, "");
    }
    if (n == 1)
        a->values[a->ways][0] = loaded[0];
}

/* Emits the reads of part PART, of N dwords; results go to VALUES. */
static void emit_read(struct builder *f, const struct jit_segment *s, const struct record *r, LLVMValueRef address,
                      unsigned part, LLVMValueRef *values)
{
    struct gcn_jit *jit = f->jit;
    const struct chunk_row *row = r->effect->row;
    struct access_emission a = {.r = r};
    unsigned n = dwords_of_part(row);
    uint32_t imm = (uint32_t)r->op->imm, offset = row->parts == 1 ? imm : (imm >> 8 * part & 255u) * row->scale;
    LLVMBasicBlockRef otherwise;
    a.address = LLVMBuildAdd(f->b, address, segment_spread(f, C32(f, offset)), "");
    a.first = LLVMBuildExtractElement(f->b, a.address, C32(f, 0), "");
    a.join = build_block(f);
    if (n <= 2) {
        branch_if(f, &a, steps(f, 4 * n), r->b, NULL, &otherwise);
        read_adjacent(f, &a, n);
        join_way(f, &a);
        LLVMPositionBuilderAtEnd(f->b, otherwise);
    }
    branch_if(f, &a, LLVMConstNull(jit->chunk), r->a, NULL, &otherwise);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef dword = LLVMBuildLoad2(f->b, jit->i32, build_at(f, place_of(f, &a), 4 * i), "");
        LLVMSetAlignment(dword, 1);
        a.values[a.ways][i] = segment_spread(f, dword);
    }
    join_way(f, &a);
    LLVMPositionBuilderAtEnd(f->b, otherwise);
    LLVMValueRef returned = call_function(f, s, r, address);
    for (unsigned i = 0; i < n; i++)
        a.values[a.ways][i] = returns_value(row)
                                  ? returned
                                  : build_load(f, jit->chunk, chunk_place(part * n + i), 4 * jit->lanes);
    join_way(f, &a);
    LLVMPositionBuilderAtEnd(f->b, a.join);
    for (unsigned i = 0; i < n; i++) {
        values[i] = LLVMBuildPhi(f->b, jit->chunk, "");
        for (unsigned way = 0; way < a.ways; way++)
            LLVMAddIncoming(values[i], &a.values[way][i], &a.from[way], 1);
    }
}

static void emit_write(struct builder *f, struct jit_segment *s, const struct record *r, LLVMValueRef address)
{
    struct gcn_jit *jit = f->jit;
    struct access_emission a = {.r = r};
    LLVMValueRef data = build_as(f, segment_get(f, s, r->op->src[1], 0), jit->chunk);
    LLVMValueRef all = LLVMBuildICmp(f->b, LLVMIntEQ, s->exec, LLVMConstAllOnes(jit->mask), "");
    LLVMBasicBlockRef otherwise;
    a.join = build_block(f);
    a.address = LLVMBuildAdd(f->b, address, segment_spread(f, C32(f, r->op->imm)), "");
    a.first = LLVMBuildExtractElement(f->b, a.address, C32(f, 0), "");
    branch_if(f, &a, steps(f, 4), r->b, all, &otherwise);
    LLVMSetAlignment(LLVMBuildStore(f->b, data, place_of(f, &a)), 1);
    join_way(f, &a);
    LLVMPositionBuilderAtEnd(f->b, otherwise);
    build_store(f, data, chunk_place(0), 4 * jit->lanes);
    call_function(f, s, r, address);
    join_way(f, &a);
    LLVMPositionBuilderAtEnd(f->b, a.join);
}

void memory_emit(struct builder *f, struct jit_segment *s, const struct record *r)
{
    const struct chunk_row *row = r->effect->row;
    LLVMValueRef address = build_as(f, segment_get(f, s, r->op->src[0], 0), f->jit->chunk), values[4];
    if (row->store) {
        emit_write(f, s, r, address);
    } else {
        unsigned n = dwords_of_part(row);
        for (unsigned part = 0; part < row->parts; part++)
            emit_read(f, s, r, address, part, values + part * n);
        for (unsigned i = 0; i < row->dwords; i++)
            segment_put(f, s, r->op->dst, i, values[i]);
    }
}

void memory_order(struct builder *f, const struct effect *effect)
{
    bool write = effect->kind == EFFECT_LDS && effect->row->store;
    if (f->lds_written || (write && f->lds_read))
        segment_flush(f);
}

void memory_note(struct builder *f, const struct effect *effect)
{
    bool lds = effect->kind == EFFECT_LDS;
    f->lds_written |= lds && effect->row->store;
    f->lds_read |= lds && !effect->row->store;
}
