/* SPDX-License-Identifier: MIT */
/* Reads and writes of group memory inside of segments.
 *
 * The chunks of a segment run one after the other, each through all operations. So a segment has reads only, or one
 * write at its end. Most often the lanes of a chunk access adjacent dwords or all the same ones, which is emitted right
 * there: reads of dwords as one load and a permutation, which serve all dwords that are near each other. A function of
 * chunk.c does all else. Segments with several reads have a version for regular ones besides (segment_regular.c).
 * Handlers are called for segments of a few accesses and nothing else, and for reads at what was read before in the
 * block.
 * (Other memory is left to the handlers: they do a whole wave with one check of its addresses, which was measured to be
 * faster than four checks and calls.)
 * Input: operations on group memory. Output: instructions at the builder. Invariant: nothing outside of the
 * allocation is accessed, and no lane reads in a segment what another lane writes there. */
#include "runtime/gcn/jit/segment_memory.h"

#include <string.h>

const struct chunk_row *memory_row(const struct gcn_jit *jit, unsigned id)
{
    const struct chunk_row *row = chunk_rows_of(jit);
    while (row->function && row->id != id)
        row++;
    return row->function ? row : NULL;
}

unsigned memory_part_dwords(const struct chunk_row *row)
{
    return row->dwords / row->parts;
}

LLVMValueRef memory_end_for(struct builder *f, LLVMValueRef total, unsigned size)
{
    LLVMValueRef fits = LLVMBuildICmp(f->b, LLVMIntUGE, total, C32(f, size), "");
    return LLVMBuildSelect(f->b, fits, LLVMBuildSub(f->b, total, C32(f, size - 1), ""), C32(f, 0), "");
}

int memory_lines_written(const struct record *r)
{
    const struct effect *effect = r->effect;
    return effect->kind == EFFECT_LDS ? effect->row->store ? 0 : effect->row->dwords
           : effect->template         ? (int)template_lines(effect->template, R)
                                      : 2;
}

/* Notes whether the lines that R writes have been LOOKED_UP. */
static void note_lines(struct builder *f, const struct record *r, bool looked_up)
{
    int line = ref_line(r->op->dst);
    for (int i = 0; line >= 0 && i < memory_lines_written(r) && line + i < LINES; i++)
        f->looked_up[line + i] = looked_up;
}

/* Whether the line at REF was looked up. */
static bool is_looked_up(const struct builder *f, uint32_t ref)
{
    int line = ref_line(ref);
    return line >= 0 && f->looked_up[line];
}

/* Whether an operand of R was looked up. */
static bool uses_looked_up(const struct builder *f, const struct record *r)
{
    for (unsigned slot = 0; slot < 3; slot++)
        if (is_looked_up(f, r->op->src[slot]))
            return true;
    return false;
}

bool memory_capture(struct builder *f, struct record *r)
{
    const struct gcn_uop *op = r->op;
    const struct chunk_row *row = r->effect->row;
    uint32_t data = row->store ? op->src[1] : op->dst;
    if (op->aux & GCN_GDS || !segment_is_line(f, op->src[0], 1) || !segment_is_line(f, data, row->dwords) ||
        (!row->store && data & GCN_REF_CONST))
        return false;
    /* Lanes that look up in a table what they have found in a table are seldom near each other, and each chunk would
     * wait for one look-up after the other; the handler does one for all lanes at once. */
    if (!row->store && is_looked_up(f, op->src[0])) {
        note_lines(f, r, true);
        return false;
    }
    for (unsigned i = f->record_count; i-- > 0;)
        if (f->records[i].effect->kind == EFFECT_LDS) {
            r->lds = f->records[i].lds;
            r->a = f->records[i].a;
            r->b = f->records[i].b;
            return true;
        }
    r->lds = build_load(f, f->jit->pointer, offsetof(struct gcn_wave, lds), 8);
    r->a = build_load(f, f->jit->i32, offsetof(struct gcn_wave, lds_size), 4);
    r->b = LLVMBuildZExt(f->b, r->a, f->jit->i64, "");
    return true;
}

/* One access while it is emitted. */
struct access_emission {
    const struct record *r;
    struct jit_pattern *pattern;
    LLVMBasicBlockRef join;
    LLVMValueRef values[3][4]; /* by way and dword */
    LLVMBasicBlockRef from[3];
    unsigned ways;
};

LLVMValueRef memory_steps(struct builder *f, unsigned step)
{
    LLVMValueRef elements[16];
    for (unsigned i = 0; i < f->jit->lanes; i++)
        elements[i] = C32(f, i * step);
    return LLVMConstVector(elements, f->jit->lanes);
}

/* The first of the lanes' addresses, ADDRESS, which R accesses. It is loaded by itself where all of them are in memory,
 * as LLVM takes its time to get one element of many. */
static LLVMValueRef first_of(struct builder *f, const struct jit_segment *s, const struct record *r,
                             LLVMValueRef address)
{
    int line = ref_line(r->op->src[0]);
    if (line < 0 || s->loaded[line] != address)
        return LLVMBuildExtractElement(f->b, build_as(f, address, f->jit->chunk), C32(f, 0), "");
    LLVMValueRef first = LLVMBuildLoad2(f->b, f->jit->i32, LLVMGetOperand(address, 0), "");
    LLVMSetAlignment(first, 4);
    return first;
}

struct jit_pattern *memory_pattern(struct builder *f, struct jit_segment *s, const struct record *r,
                                   LLVMValueRef address)
{
    for (unsigned i = 0; i < PATTERNS; i++)
        if (s->patterns[i].address == address)
            return &s->patterns[i];
    struct jit_pattern *pattern = &s->patterns[s->pattern_count++ % PATTERNS];
    LLVMValueRef chunk = build_as(f, address, f->jit->chunk);
    *pattern = (struct jit_pattern){.address = address};
    LLVMValueRef first = first_of(f, s, r, address), zero = LLVMConstNull(f->jit->chunk);
    LLVMValueRef spread = LLVMBuildShuffleVector(f->b, chunk, LLVMGetPoison(f->jit->chunk), zero, "");
    pattern->distance = LLVMBuildSub(f->b, chunk, spread, "");
    pattern->first = LLVMBuildZExt(f->b, first, f->jit->i64, "");
    pattern->place = LLVMBuildInBoundsGEP2(f->b, f->jit->i8, r->lds, &pattern->first, 1, "");
    return pattern;
}

/* Whether each lane's address is STEP more than that of the lane before. The builder is where all accesses to come are
 * executed after it. */
static LLVMValueRef has_step(struct builder *f, struct jit_pattern *pattern, unsigned step)
{
    LLVMValueRef *known = &pattern->has_step[step / 4];
    if (!*known)
        *known = segment_no_lane(f, LLVMBuildICmp(f->b, LLVMIntNE, pattern->distance, memory_steps(f, step), ""));
    return *known;
}

/* The lanes whose DISTANCE from the first one is not that of one of as many dwords as there are lanes. */
static LLVMValueRef far_lanes(struct builder *f, LLVMValueRef distance)
{
    LLVMValueRef not_near = segment_spread(f, C32(f, ~(4 * (f->jit->lanes - 1))));
    LLVMValueRef rest = LLVMBuildAnd(f->b, distance, not_near, "");
    return LLVMBuildICmp(f->b, LLVMIntNE, rest, LLVMConstNull(f->jit->chunk), "");
}

/* The distances in dwords, for a permutation. */
static void find_numbers(struct builder *f, struct jit_pattern *pattern)
{
    if (!pattern->numbers)
        pattern->numbers = LLVMBuildLShr(f->b, pattern->distance, segment_spread(f, C32(f, 2)), "");
}

/* Finds whether all lanes are near the first one. The builder is where all accesses to come are executed after it. */
static void look_near(struct builder *f, struct jit_pattern *pattern)
{
    find_numbers(f, pattern);
    if (!pattern->near)
        pattern->near = segment_no_lane(f, far_lanes(f, pattern->distance));
}

/* Branches to a new block, which becomes the current one, if GOOD is true and the END bytes from the first lane's
 * address on are in group memory. *OTHERWISE is the block for when they are not. */
static void branch_if(struct builder *f, const struct access_emission *a, LLVMValueRef good, unsigned end,
                      LLVMBasicBlockRef *otherwise)
{
    LLVMValueRef last = LLVMBuildAdd(f->b, a->pattern->first, C64(f, end), "");
    good = LLVMBuildAnd(f->b, good, LLVMBuildICmp(f->b, LLVMIntULE, last, a->r->b, ""), "");
    LLVMBasicBlockRef then = build_block(f);
    *otherwise = build_block(f);
    LLVMBuildCondBr(f->b, good, then, *otherwise);
    build_follow(f, then);
    LLVMPositionBuilderAtEnd(f->b, then);
    if (!a->ways) /* the first way is the most frequent one */
        build_follow(f, a->join);
}

static void join_way(struct builder *f, struct access_emission *a)
{
    a->from[a->ways++] = LLVMGetInsertBlock(f->b);
    LLVMBuildBr(f->b, a->join);
}

static bool returns_value(const struct chunk_row *row)
{
    return !row->store && row->dwords == 1;
}

/* Calls the row's function, for all parts; data are in w->chunk, or returned. */
static LLVMValueRef call_function(struct builder *f, const struct jit_segment *s, const struct record *r,
                                  LLVMValueRef address)
{
    struct gcn_jit *jit = f->jit;
    const struct chunk_row *row = r->effect->row;
    uint32_t imm = (uint32_t)r->op->imm;
    uint64_t offsets =
        row->parts == 2 ? (imm & 255u) * row->scale | (uint64_t)((imm >> 8 & 255u) * row->scale) << 32 : (uint64_t)imm;
    LLVMTypeRef types[] = {jit->pointer, jit->i64, jit->i32, jit->chunk};
    LLVMTypeRef result = returns_value(row) ? jit->chunk : LLVMVoidTypeInContext(jit->context);
    LLVMTypeRef type = LLVMFunctionType(result, types, 4, 0);
    LLVMValueRef arguments[] = {
        f->wave, C64(f, offsets), LLVMBuildZExt(f->b, s->exec, jit->i32, ""), build_as(f, address, jit->chunk)};
    return LLVMBuildCall2(f->b, type, import_chunk(f, row), arguments, 4, "");
}

/* A chunk of the dwords of A and B with these numbers. */
static LLVMValueRef shuffle_by(struct builder *f, LLVMValueRef a, LLVMValueRef b, const uint8_t *numbers)
{
    LLVMValueRef elements[16];
    for (unsigned i = 0; i < f->jit->lanes; i++)
        elements[i] = C32(f, numbers[i]);
    return LLVMBuildShuffleVector(f->b, a, b, LLVMConstVector(elements, f->jit->lanes), "");
}

/* Makes four vectors of what is in one place of each element of four dwords. */
static void take_quads_apart(struct builder *f, LLVMValueRef *x)
{
    static const uint8_t even[16] = {0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29};
    static const uint8_t odd[16] = {2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31};
    static const uint8_t lower[16] = {0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23};
    static const uint8_t upper[16] = {8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31};
    static const uint8_t first[8] = {0, 1, 2, 3, 8, 9, 10, 11}, second[8] = {4, 5, 6, 7, 12, 13, 14, 15};
    static const uint8_t low[8] = {0, 8, 1, 9, 4, 12, 5, 13}, high[8] = {2, 10, 3, 11, 6, 14, 7, 15};
    static const uint8_t low_pair[8] = {0, 1, 8, 9, 4, 5, 12, 13}, high_pair[8] = {2, 3, 10, 11, 6, 7, 14, 15};
    LLVMValueRef a, b, c, d;
    if (f->jit->lanes == 16) {
        a = shuffle_by(f, x[0], x[1], even), b = shuffle_by(f, x[2], x[3], even);
        c = shuffle_by(f, x[0], x[1], odd), d = shuffle_by(f, x[2], x[3], odd);
        x[0] = shuffle_by(f, a, b, lower), x[1] = shuffle_by(f, a, b, upper);
        x[2] = shuffle_by(f, c, d, lower), x[3] = shuffle_by(f, c, d, upper);
        return;
    }
    LLVMValueRef i = shuffle_by(f, x[0], x[2], first), j = shuffle_by(f, x[0], x[2], second);
    LLVMValueRef k = shuffle_by(f, x[1], x[3], first), l = shuffle_by(f, x[1], x[3], second);
    a = shuffle_by(f, i, j, low), b = shuffle_by(f, k, l, low);
    c = shuffle_by(f, i, j, high), d = shuffle_by(f, k, l, high);
    x[0] = shuffle_by(f, a, b, low_pair), x[1] = shuffle_by(f, a, b, high_pair);
    x[2] = shuffle_by(f, c, d, low_pair), x[3] = shuffle_by(f, c, d, high_pair);
}

LLVMValueRef memory_read_for_all(struct builder *f, LLVMValueRef place)
{
    LLVMValueRef dword = LLVMBuildLoad2(f->b, f->jit->i32, place, "");
    LLVMSetAlignment(dword, 1);
    return segment_spread(f, dword);
}

LLVMValueRef memory_read_for_each(struct builder *f, LLVMValueRef place)
{
    LLVMValueRef dwords = LLVMBuildLoad2(f->b, f->jit->chunk, place, "");
    LLVMSetAlignment(dwords, 1);
    return dwords;
}

/* Makes three vectors of what is in one place of each element of three dwords. */
static void take_triples_apart(struct builder *f, LLVMValueRef *x)
{
    unsigned lanes = f->jit->lanes;
    LLVMValueRef apart[3];
    for (unsigned k = 0; k < 3; k++) {
        uint8_t two[16], third[16]; /* where a dword is: in two of the vectors, or in the third one */
        for (unsigned i = 0; i < lanes; i++) {
            unsigned number = 3 * i + k;
            two[i] = (uint8_t)(number % (2 * lanes));
            third[i] = (uint8_t)(number < 2 * lanes ? i : number - lanes);
        }
        apart[k] = shuffle_by(f, shuffle_by(f, x[0], x[1], two), x[2], third);
    }
    memcpy(x, apart, sizeof apart);
}

static void take_pairs_apart(struct builder *f, LLVMValueRef *x)
{
    static const uint8_t even[16] = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30};
    static const uint8_t odd[16] = {1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31};
    LLVMValueRef low = shuffle_by(f, x[0], x[1], even);
    x[1] = shuffle_by(f, x[0], x[1], odd);
    x[0] = low;
}

/* Loads adjacent elements of N dwords, 2 to 4, at OFFSET, and takes their dwords apart. */
static void read_adjacent(struct builder *f, struct access_emission *a, unsigned n, uint32_t offset)
{
    LLVMValueRef *x = a->values[a->ways];
    for (unsigned i = 0; i < n; i++)
        x[i] = memory_read_for_each(f, build_at(f, a->pattern->place, offset + 4ull * f->jit->lanes * i));
    (n == 2 ? take_pairs_apart : n == 3 ? take_triples_apart : take_quads_apart)(f, x);
}

uint32_t memory_part_offset(const struct record *r, unsigned part)
{
    const struct chunk_row *row = r->effect->row;
    uint32_t imm = (uint32_t)r->op->imm;
    return row->parts == 1 ? imm : (imm >> 8 * part & 255u) * row->scale;
}

bool memory_is_pair(const struct record *r)
{
    const struct chunk_row *row = r->effect->row;
    return row->parts == 2 && memory_part_offset(r, 1) == memory_part_offset(r, 0) + 4 * memory_part_dwords(row);
}

/* The dwords from the first lane's on, of which each lane takes its own. */
static void permuted_read(struct builder *f, struct jit_pattern *pattern, const struct record *r, unsigned part,
                          LLVMValueRef *values)
{
    struct gcn_jit *jit = f->jit;
    const char *permute = jit->lanes == 16 ? "llvm.x86.avx512.permvar.si.512" : "llvm.x86.avx2.permd";
    find_numbers(f, pattern);
    for (unsigned i = 0; i < memory_part_dwords(r->effect->row); i++) {
        LLVMValueRef place = build_at(f, pattern->place, memory_part_offset(r, part) + 4ull * i);
        LLVMValueRef arguments[] = {memory_read_for_each(f, place), pattern->numbers};
        values[i] = build_intrinsic(f, permute, jit->chunk, arguments, 2);
    }
}

/* Ends the last way to COUNT values; then the ways meet. */
static void join_last(struct builder *f, struct access_emission *a, unsigned count, LLVMValueRef *values)
{
    join_way(f, a);
    LLVMPositionBuilderAtEnd(f->b, a->join);
    for (unsigned i = 0; i < count; i++) {
        values[i] = LLVMBuildPhi(f->b, f->jit->chunk, "");
        for (unsigned way = 0; way < a->ways; way++)
            LLVMAddIncoming(values[i], &a->values[way][i], &a->from[way], 1);
    }
}

/* What the function of the row reads for parts FIRST and on is one more way to COUNT values; then the ways meet. */
static void join_reads(struct builder *f, const struct jit_segment *s, struct access_emission *a, LLVMValueRef address,
                       unsigned first, unsigned count, LLVMValueRef *values)
{
    LLVMValueRef returned = call_function(f, s, a->r, address);
    for (unsigned i = 0; i < count; i++)
        a->values[a->ways][i] =
            returns_value(a->r->effect->row) ? returned
                                             : build_load(f, f->jit->chunk, chunk_place(first + i), 4 * f->jit->lanes);
    join_last(f, a, count, values);
}

/* Emits reads of a dword per part. If all lanes' dwords are near the first lane's, as adjacent and equal ones are, they
 * are loaded at once. */
static void emit_near_read(struct builder *f, struct jit_segment *s, const struct record *r, LLVMValueRef address,
                           LLVMValueRef *values)
{
    unsigned parts = r->effect->row->parts, end = 0;
    struct access_emission a = {.r = r, .pattern = memory_pattern(f, s, r, address), .join = build_block(f)};
    LLVMBasicBlockRef otherwise;
    look_near(f, a.pattern);
    for (unsigned part = 0; part < parts; part++)
        end = memory_part_offset(r, part) > end ? memory_part_offset(r, part) : end;
    branch_if(f, &a, a.pattern->near, end + 4 * f->jit->lanes, &otherwise);
    for (unsigned part = 0; part < parts; part++)
        permuted_read(f, a.pattern, r, part, &a.values[0][part]);
    join_way(f, &a);
    LLVMPositionBuilderAtEnd(f->b, otherwise);
    join_reads(f, s, &a, address, 0, parts, values);
}

/* Emits the reads of part PART, of several dwords; results go to VALUES. */
static void emit_long_read(struct builder *f, struct jit_segment *s, const struct record *r, LLVMValueRef address,
                           unsigned part, LLVMValueRef *values)
{
    struct access_emission a = {.r = r, .pattern = memory_pattern(f, s, r, address), .join = build_block(f)};
    unsigned n = memory_part_dwords(r->effect->row);
    uint32_t offset = memory_part_offset(r, part);
    LLVMBasicBlockRef otherwise;
    LLVMValueRef adjacent = has_step(f, a.pattern, 4 * n), same = has_step(f, a.pattern, 0);
    branch_if(f, &a, adjacent, offset + 4 * n * f->jit->lanes, &otherwise);
    read_adjacent(f, &a, n, offset);
    join_way(f, &a);
    LLVMPositionBuilderAtEnd(f->b, otherwise);
    branch_if(f, &a, same, offset + 4 * n, &otherwise);
    for (unsigned i = 0; i < n; i++)
        a.values[a.ways][i] = memory_read_for_all(f, build_at(f, a.pattern->place, offset + 4 * i));
    join_way(f, &a);
    LLVMPositionBuilderAtEnd(f->b, otherwise);
    join_reads(f, s, &a, address, part * n, n, values);
}

static void emit_parts(struct builder *f, struct jit_segment *s, const struct record *r, LLVMValueRef address,
                       LLVMValueRef *values)
{
    const struct chunk_row *row = r->effect->row;
    unsigned n = memory_part_dwords(row);
    if (n == 1)
        emit_near_read(f, s, r, address, values);
    for (unsigned part = 0; part < row->parts && n > 1; part++)
        emit_long_read(f, s, r, address, part, values + part * n);
}

/* Emits reads of two elements, the second one after the first, which may be like those of one element. */
static void emit_pair_read(struct builder *f, struct jit_segment *s, const struct record *r, LLVMValueRef address,
                           LLVMValueRef *values)
{
    struct access_emission a = {.r = r, .pattern = memory_pattern(f, s, r, address), .join = build_block(f)};
    unsigned count = r->effect->row->dwords, size = 4 * count;
    LLVMBasicBlockRef otherwise;
    LLVMValueRef adjacent = has_step(f, a.pattern, size);
    /* what emit_parts() will ask, too, for whoever asks later */
    if (count == 2) {
        look_near(f, a.pattern);
    } else {
        has_step(f, a.pattern, size / 2);
        has_step(f, a.pattern, 0);
    }
    branch_if(f, &a, adjacent, memory_part_offset(r, 0) + size * f->jit->lanes, &otherwise);
    read_adjacent(f, &a, count, memory_part_offset(r, 0));
    join_way(f, &a);
    LLVMPositionBuilderAtEnd(f->b, otherwise);
    emit_parts(f, s, r, address, a.values[a.ways]);
    join_last(f, &a, count, values);
}

static void emit_write(struct builder *f, struct jit_segment *s, const struct record *r, LLVMValueRef address)
{
    struct gcn_jit *jit = f->jit;
    struct access_emission a = {.r = r, .pattern = memory_pattern(f, s, r, address), .join = build_block(f)};
    LLVMValueRef data = build_as(f, segment_get(f, s, r->op->src[1], 0), jit->chunk);
    LLVMValueRef all = LLVMBuildICmp(f->b, LLVMIntEQ, s->exec, LLVMConstAllOnes(jit->mask), "");
    uint32_t offset = memory_part_offset(r, 0);
    LLVMBasicBlockRef otherwise;
    all = LLVMBuildAnd(f->b, has_step(f, a.pattern, 4), all, "");
    branch_if(f, &a, all, offset + 4 * jit->lanes, &otherwise);
    LLVMSetAlignment(LLVMBuildStore(f->b, data, build_at(f, a.pattern->place, offset)), 1);
    join_way(f, &a);
    LLVMPositionBuilderAtEnd(f->b, otherwise);
    build_store(f, data, chunk_place(0), 4 * jit->lanes);
    call_function(f, s, r, address);
    join_way(f, &a);
    LLVMPositionBuilderAtEnd(f->b, a.join);
}

static void emit_read(struct builder *f, struct jit_segment *s, const struct record *r, LLVMValueRef address)
{
    LLVMValueRef values[4];
    (s->regular ? regular_read : memory_is_pair(r) ? emit_pair_read : emit_parts)(f, s, r, address, values);
    for (unsigned i = 0; i < r->effect->row->dwords; i++)
        segment_put(f, s, r->op->dst, i, values[i]);
}

void memory_emit(struct builder *f, struct jit_segment *s, const struct record *r)
{
    LLVMValueRef address = segment_get(f, s, r->op->src[0], 0);
    (r->effect->row->store ? emit_write : emit_read)(f, s, r, address);
}

void memory_order(struct builder *f, const struct effect *effect)
{
    bool write = effect->kind == EFFECT_LDS && effect->row->store;
    if (f->lds_written || (write && f->lds_read))
        segment_flush(f);
}

void memory_note(struct builder *f, const struct record *r)
{
    bool lds = r->effect->kind == EFFECT_LDS, write = lds && r->effect->row->store;
    f->lds_written |= write;
    f->lds_read |= lds && !write;
    note_lines(f, r, lds || uses_looked_up(f, r));
}
