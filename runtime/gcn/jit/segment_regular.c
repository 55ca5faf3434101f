/* SPDX-License-Identifier: MIT */
/* Segments whose reads of group memory are regular, as those of a product of matrices are: of each, the lanes of a
 * chunk read the same dwords (of a row of the first matrix), or each the next one (of a row of the second).
 *
 * Whether that is so is found out before the first chunk. Where the host has few lanes, several chunks come by turns,
 * because the operations of one make a long chain; and they share reads: neighbours those of the same dwords, and
 * chunks that are farther apart those of the next ones, as in tiles of 16 or of 32 columns. Otherwise each operation
 * would wait for two reads of its own.
 * Input: the records of a segment. Output: instructions at the builder. Invariant: what is emitted for regular reads is
 * executed only if all lanes of all chunks read what is said of them, inside of the allocation. */
#include "runtime/gcn/jit/segment_memory.h"

enum {
    REGULAR_READS = 4, /* from so many elements on it pays to look before the segment */
    RESULTS_MAX = 3,   /* registers that four chunks may compute, besides what they read */
    CHUNKS_MOST = 8,   /* of a wave */
};

static bool writes_line(const struct record *r, int line)
{
    int dst = ref_line(r->op->dst), src = r->effect->kind == EFFECT_SWAP ? ref_line(r->op->src[0]) : -1;
    return (line >= dst && line < dst + memory_lines_written(r) && dst >= 0) || line == src;
}

/* Whether the reads at the addresses in LINE are likely to be of the same dwords in all lanes of a chunk: where
 * adjacent dwords are read. Otherwise each lane is likely to read the dword after that of the lane before. */
static bool is_same_likely(const struct builder *f, int line)
{
    for (unsigned i = 0; i < f->record_count; i++) {
        const struct record *r = &f->records[i];
        if (r->effect->kind != EFFECT_LDS || ref_line(r->op->src[0]) != line)
            continue;
        if (memory_is_pair(r) || memory_part_dwords(r->effect->row) > 1)
            return true;
    }
    return false;
}

/* Whether all reads are at addresses in registers that the segment does not write, and there are enough of them. KINDS
 * tells for false and for true whether there are reads of which is_same_likely() says so. */
static bool may_be_regular(const struct builder *f, bool kinds[2])
{
    unsigned reads = 0;
    for (unsigned i = 0; i < f->record_count; i++) {
        const struct record *r = &f->records[i];
        if (r->effect->kind != EFFECT_LDS)
            continue;
        int line = ref_line(r->op->src[0]);
        if (r->effect->row->store || line < 0)
            return false;
        for (unsigned before = 0; before < i; before++)
            if (writes_line(&f->records[before], line))
                return false;
        reads += r->effect->row->parts;
        kinds[is_same_likely(f, line)] = true;
    }
    return reads >= REGULAR_READS;
}

/* How many lines the segment computes that are read after it. */
static unsigned count_results(const struct builder *f)
{
    unsigned results = 0;
    for (int line = 0; line < GCN_VGPRS; line++)
        for (unsigned i = 0; i < f->record_count; i++)
            if (f->records[i].effect->kind != EFFECT_LDS && writes_line(&f->records[i], line)) {
                results += segment_is_live(f, line);
                break;
            }
    return results;
}

bool regular_plan(const struct builder *f, const struct outputs *outputs, struct regular_reads *reads)
{
    bool kinds[2] = {false, false};
    *reads = (struct regular_reads){.chunks = 1};
    if (!may_be_regular(f, kinds))
        return false;
    if (f->jit->lanes != 8)
        return true;
    bool both = kinds[false] && kinds[true] && !outputs->count && count_results(f) <= RESULTS_MAX;
    reads->chunks = both ? 4 : 2;
    reads->share = kinds[true];
    return true;
}

/* The chunk of the same round from which chunk CHUNK has what it reads, which may be itself. */
static unsigned reader_of(const struct regular_reads *reads, bool same, unsigned chunk)
{
    return !reads->share ? chunk : same ? chunk & ~1u : reads->chunks == 4 ? chunk & ~2u : chunk;
}

/* How many bytes from the addresses in LINE on the reads of the segment touch. */
static unsigned extent_from(const struct builder *f, int line)
{
    unsigned extent = 0;
    for (unsigned i = 0; i < f->record_count; i++) {
        const struct record *r = &f->records[i];
        if (r->effect->kind != EFFECT_LDS || ref_line(r->op->src[0]) != line)
            continue;
        for (unsigned part = 0; part < r->effect->row->parts; part++) {
            unsigned end = memory_part_offset(r, part) + 4 * memory_part_dwords(r->effect->row);
            extent = end > extent ? end : extent;
        }
    }
    return extent;
}

/* The line from which read RECORD has its addresses, if no record before it has the same; otherwise -1. */
static int new_line(const struct builder *f, unsigned record)
{
    int line = f->records[record].effect->kind == EFFECT_LDS ? ref_line(f->records[record].op->src[0]) : -1;
    for (unsigned i = 0; i < record && line >= 0; i++)
        if (f->records[i].effect->kind == EFFECT_LDS && ref_line(f->records[i].op->src[0]) == line)
            return -1;
    return line;
}

static LLVMValueRef load_at(struct builder *f, LLVMTypeRef type, LLVMValueRef base, int line)
{
    LLVMValueRef value = LLVMBuildLoad2(f->b, type, build_at(f, base, line_offset(line)), "");
    LLVMSetAlignment(value, type == f->jit->chunk ? 4 * f->jit->lanes : 4);
    return value;
}

/* Decides how far apart the chunks are that share reads of the next dwords: as in tiles of 16 columns if the first
 * chunk reads the same as the third one, and as in those of 32 otherwise. */
static void choose_distance(struct builder *f, struct regular_reads *reads)
{
    unsigned size = 4 * f->jit->lanes;
    for (unsigned i = 0; i < f->record_count; i++) {
        int line = new_line(f, i);
        if (line < 0 || is_same_likely(f, line))
            continue;
        LLVMValueRef first = load_at(f, f->jit->i32, f->wave, line);
        LLVMValueRef third = load_at(f, f->jit->i32, build_at(f, f->wave, 2 * size), line);
        LLVMValueRef near = LLVMBuildICmp(f->b, LLVMIntEQ, first, third, "");
        reads->apart = LLVMBuildSelect(f->b, near, C64(f, 2 * size), C64(f, 4 * size), "");
        return;
    }
}

LLVMValueRef regular_step(struct builder *f, const struct regular_reads *reads)
{
    unsigned size = 4 * f->jit->lanes;
    return reads->chunks == 4 ? LLVMBuildSub(f->b, C64(f, 6 * size), reads->apart, "") : C64(f, reads->chunks * size);
}

LLVMValueRef regular_offset(struct builder *f, const struct regular_reads *reads, unsigned chunk)
{
    LLVMValueRef pair = C64(f, 4 * f->jit->lanes * (chunk & 1));
    return chunk & 2 ? LLVMBuildAdd(f->b, reads->apart, pair, "") : pair;
}

/* Where the lanes of all chunks begin, in the order of the rounds. */
static void find_bases(struct builder *f, const struct regular_reads *reads, LLVMValueRef *bases)
{
    unsigned all = GCN_LANES / f->jit->lanes;
    LLVMValueRef begin = C64(f, 0), step = regular_step(f, reads);
    for (unsigned chunk = 0; chunk < all; chunk++) {
        if (chunk && chunk % reads->chunks == 0)
            begin = LLVMBuildAdd(f->b, begin, step, "");
        LLVMValueRef offset = LLVMBuildAdd(f->b, begin, regular_offset(f, reads, chunk % reads->chunks), "");
        bases[chunk] = LLVMBuildInBoundsGEP2(f->b, f->jit->i8, f->wave, &offset, 1, "");
    }
}

static LLVMValueRef greater(struct builder *f, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef arguments[] = {a, b};
    return build_intrinsic(
        f, f->jit->lanes == 16 ? "llvm.umax.v16i32" : "llvm.umax.v8i32", f->jit->chunk, arguments, 2);
}

/* The lanes whose addresses in LINE are as expected in all chunks, and less than END. */
static LLVMValueRef expected_lanes(struct builder *f, const struct regular_reads *reads, const LLVMValueRef *bases,
                                   int line, LLVMValueRef end)
{
    bool same = is_same_likely(f, line);
    LLVMValueRef expected[CHUNKS_MOST], most = NULL, good = NULL;
    for (unsigned chunk = 0; chunk < GCN_LANES / f->jit->lanes; chunk++) {
        unsigned place = chunk % reads->chunks, reader = chunk - place + reader_of(reads, same, place);
        LLVMValueRef address = load_at(f, f->jit->chunk, bases[chunk], line);
        if (reader == chunk) {
            LLVMValueRef first = segment_spread(f, load_at(f, f->jit->i32, bases[chunk], line));
            expected[chunk] = same ? first : LLVMBuildAdd(f->b, first, memory_steps(f, 4), "");
            most = most ? greater(f, most, address) : address;
        } else {
            expected[chunk] = expected[reader];
        }
        LLVMValueRef equal = LLVMBuildICmp(f->b, LLVMIntEQ, address, expected[chunk], "");
        good = good ? LLVMBuildAnd(f->b, good, equal, "") : equal;
    }
    return LLVMBuildAnd(f->b, good, LLVMBuildICmp(f->b, LLVMIntULT, most, end, ""), "");
}

LLVMValueRef regular_condition(struct builder *f, struct regular_reads *reads)
{
    LLVMValueRef good = NULL, bases[CHUNKS_MOST];
    if (reads->chunks == 4)
        choose_distance(f, reads);
    find_bases(f, reads, bases);
    for (unsigned i = 0; i < f->record_count; i++) {
        int line = new_line(f, i);
        if (line < 0)
            continue;
        LLVMValueRef end = segment_spread(f, memory_end_for(f, f->records[i].a, extent_from(f, line)));
        LLVMValueRef lanes = expected_lanes(f, reads, bases, line, end);
        good = good ? LLVMBuildAnd(f->b, good, lanes, "") : lanes;
    }
    return segment_no_lane(f, LLVMBuildNot(f->b, good, ""));
}

void regular_read(struct builder *f, struct jit_segment *s, const struct record *r, LLVMValueRef address,
                  LLVMValueRef *values)
{
    bool same = is_same_likely(f, ref_line(r->op->src[0]));
    unsigned n = memory_part_dwords(r->effect->row), reader = reader_of(s->regular, same, s->place);
    for (unsigned i = 0; reader != s->place && i < r->effect->row->dwords; i++)
        values[i] = segment_get(f, s->round[reader], r->op->dst, i); /* that one has just been emitted */
    if (reader != s->place)
        return;
    const struct jit_pattern *pattern = memory_pattern(f, s, r, address);
    for (unsigned part = 0; part < r->effect->row->parts; part++)
        for (unsigned i = 0; i < n; i++) {
            LLVMValueRef place = build_at(f, pattern->place, memory_part_offset(r, part) + 4ull * i);
            values[part * n + i] = (same ? memory_read_for_all : memory_read_for_each)(f, place);
        }
}
