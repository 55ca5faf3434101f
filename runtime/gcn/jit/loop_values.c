/* SPDX-License-Identifier: MIT */
/* What is known of the registers of a loop while it is emitted: of vector registers, one value per chunk that is
 * computed at once; of scalar registers, the values that go from one round to the next.
 * Input: a loop, the values of its chunks. Output: instructions at the builder that load, blend and store registers.
 * Invariant: a value that is known is that of the register at the builder. */
#include "runtime/gcn/jit/loop.h"

#include <string.h>

/* Registers */

LLVMValueRef loop_base(struct builder *f, unsigned chunk)
{
    LLVMValueRef base = f->wave, offset = f->loop->offset;
    if (offset)
        base = LLVMBuildInBoundsGEP2(f->b, f->jit->i8, base, &offset, 1, "");
    return build_at(f, base, 4 * (uint64_t)chunk * f->jit->lanes);
}

LLVMValueRef loop_lane(struct builder *f, unsigned chunk)
{
    LLVMValueRef lane = C64(f, chunk * f->jit->lanes), offset = f->loop->offset;
    return offset ? LLVMBuildAdd(f->b, LLVMBuildLShr(f->b, offset, C64(f, 2), ""), lane, "") : lane;
}

LLVMValueRef loop_value(struct builder *f, struct jit_segment *s, unsigned k)
{
    int line = f->loop->line[k];
    if (f->loop->wide[k])
        return s->wide[line] = build_as(f, segment_pair(f, s, line), f->jit->wide);
    return s->value[line] = build_as(f, segment_line(f, s, line), f->jit->chunk);
}

bool loop_is_known(const struct jit_segment *s, int line)
{
    return s->value[line] || s->wide[line] || (line && s->wide[line - 1]);
}

void loop_set_value(struct jit_loop *loop, struct jit_segment *s, unsigned k, LLVMValueRef value)
{
    int line = loop->line[k];
    s->wide[line] = loop->wide[k] ? value : NULL;
    s->value[line] = loop->wide[k] ? NULL : value;
    if (line)
        s->wide[line - 1] = NULL;
    if (loop->wide[k])
        s->value[line + 1] = s->wide[line + 1] = NULL;
}

struct jit_segment *loop_copy(struct builder *f, unsigned chunk, struct jit_segment *copy)
{
    const struct jit_segment *s = &f->loop->chunk[chunk];
    memcpy(copy->value, s->value, sizeof copy->value);
    memcpy(copy->wide, s->wide, sizeof copy->wide);
    memcpy(copy->home, s->home, sizeof copy->home);
    copy->base = loop_base(f, chunk);
    return copy;
}

/* Scalar registers from one round to the next */

static LLVMValueRef read_carried(struct builder *f, const struct carried *c)
{
    uint32_t ref = scalar_ref((unsigned)c->code);
    return c->dwords == 2 ? scalar_read64(f, ref) : scalar_read32(f, ref);
}

void loop_make_carried(struct builder *f)
{
    struct jit_loop *loop = f->loop;
    loop->budget = LLVMBuildPhi(f->b, f->jit->i32, "");
    for (unsigned i = 0; i < loop->carried_count; i++) {
        struct carried *c = &loop->carried[i];
        c->phi = c->dwords ? LLVMBuildPhi(f->b, c->dwords == 2 ? f->jit->i64 : f->jit->i32, "") : NULL;
    }
}

void loop_begin_carried(struct builder *f)
{
    for (unsigned i = 0; i < f->loop->carried_count; i++) {
        const struct carried *c = &f->loop->carried[i];
        if (c->dwords)
            (c->dwords == 2 ? f->known64 : f->known32)[c->code] = c->phi;
    }
}

void loop_prepare_carried(struct builder *f)
{
    for (unsigned i = 0; i < f->loop->carried_count; i++)
        if (f->loop->carried[i].dwords)
            f->loop->carried[i].value = read_carried(f, &f->loop->carried[i]);
}

void loop_pass_carried(struct builder *f, LLVMValueRef budget, LLVMBasicBlockRef from)
{
    struct jit_loop *loop = f->loop;
    LLVMAddIncoming(loop->budget, &budget, &from, 1);
    for (unsigned i = 0; i < loop->carried_count; i++)
        if (loop->carried[i].dwords)
            LLVMAddIncoming(loop->carried[i].phi, &loop->carried[i].value, &from, 1);
}

LLVMValueRef loop_chunk_of(struct builder *f, LLVMValueRef exec, unsigned chunk)
{
    LLVMValueRef bits = LLVMBuildLShr(f->b, exec, loop_lane(f, chunk), "");
    return LLVMBuildTrunc(f->b, bits, f->jit->mask, "");
}

/* Has the bits of EXEC, or those of the chunks that are computed at once, in all lanes of one or two vectors. */
static void split_bits(struct builder *f, LLVMValueRef exec)
{
    struct jit_loop *loop = f->loop;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b);
    if (loop->split == exec && (!loop->offset || loop->split_at == here))
        return;
    LLVMValueRef low = loop->offset ? LLVMBuildLShr(f->b, exec, loop_lane(f, 0), "") : exec;
    loop->halves[0] = segment_spread(f, LLVMBuildTrunc(f->b, low, f->jit->i32, ""));
    if (!loop->offset) {
        LLVMValueRef high = LLVMBuildLShr(f->b, exec, C64(f, 32), "");
        loop->halves[1] = segment_spread(f, LLVMBuildTrunc(f->b, high, f->jit->i32, ""));
    }
    loop->split = exec;
    loop->split_at = here;
}

LLVMValueRef loop_bits(struct builder *f, LLVMValueRef exec, unsigned chunk)
{
    unsigned first = chunk * f->jit->lanes;
    if (f->jit->lanes == 16)
        return segment_bits(f, loop_chunk_of(f, exec, chunk));
    split_bits(f, exec);
    return segment_bits_from(f, f->loop->halves[first / 32], first % 32);
}

void loop_add_live(const struct builder *f, uint32_t target, bool *live)
{
    for (unsigned k = 0; k < f->loop->lines; k++)
        live[k] |= loop_is_live(f, f->loop, target, k);
}

void loop_store_values(struct builder *f, const bool *live)
{
    struct jit_loop *loop = f->loop;
    LLVMValueRef exec = build_load(f, f->jit->i64, scalar_ref(GCN_S_EXEC), 8);
    for (unsigned c = 0; c < loop->chunks; c++) {
        struct jit_segment *s = loop_copy(f, c, &loop->scratch);
        LLVMValueRef active = loop_bits(f, exec, c);
        for (unsigned k = 0; k < loop->lines; k++) {
            int line = loop->line[k], last = line + loop->wide[k];
            for (; live[k] && line <= last; line++)
                if (loop_is_known(s, line) || s->home[line])
                    segment_store(f, build_as(f, segment_line(f, s, line), f->jit->chunk),
                                  build_at(f, s->base, line_offset(line)), loop->exec ? NULL : active, NULL);
        }
    }
}

void loop_blend(struct builder *f, unsigned chunk, struct jit_segment *before, const bool *whole)
{
    struct jit_loop *loop = f->loop;
    struct jit_segment *s = &loop->chunk[chunk];
    LLVMValueRef blended[LOOP_LINES];
    for (unsigned k = 0; k < loop->lines; k++) {
        blended[k] = NULL;
        if (whole && whole[k]) {
            if (loop_is_known(s, loop->line[k]))
                loop_value(f, s, k); /* apart from a pair of which the other line will change */
            continue;
        }
        if (s->dirty[loop->line[k]] || (loop->wide[k] && s->dirty[loop->line[k] + 1]))
            blended[k] = build_blend(f, s->full, loop_value(f, s, k), loop_value(f, before, k));
    }
    for (unsigned k = 0; k < loop->lines; k++)
        if (blended[k])
            loop_set_value(loop, s, k, blended[k]);
    memset(s->dirty, 0, sizeof s->dirty);
}

void loop_share_splats(struct jit_loop *loop, unsigned chunk)
{
    if (chunk)
        segment_share_splats(&loop->chunk[chunk], &loop->chunk[chunk - 1]);
}
