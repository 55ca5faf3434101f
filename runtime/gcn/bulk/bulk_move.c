/* SPDX-License-Identifier: MIT */
/* Does what the groups of some boxes do to memory: copies and fills of runs of bytes.
 * Input: the moves that were found. Output: memory. Invariant: a move is done only if the kernel may access every byte
 * of it and no byte that is read by any of them is written by one. A stream (bulk_stream.c) may write what it reads,
 * but not what was read to find it. */
#include "runtime/gcn/bulk/bulk_wave.h"

#include "runtime/gcn/exec/exec_mem.h"
#include "runtime/gcn/guest_memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAST_RUN = 64,      /* with fewer bytes in a row the interpreter is as fast */
    PIECE = 32 << 20,    /* bytes after which it looks whether the dispatch is to stop: a few milliseconds */
    PATTERN_BLOCK = 4096 /* what a pattern is repeated to before it is copied */
};

/* A move as runs of RUN bytes, one for each point of a grid of up to six dimensions. */
struct nest {
    uint64_t run;
    int64_t to, from; /* of the first run */
    unsigned count;
    struct dimension {
        int64_t to, from; /* steps */
        uint64_t count;
    } dimensions[AFFINE_COORDINATES];
};

static void list_dimensions(const struct bulk_move *move, struct nest *nest)
{
    *nest = (struct nest){.run = move->bytes, .to = (int64_t)move->to.at, .from = (int64_t)move->from.at};
    for (unsigned i = 0; i < AFFINE_COORDINATES; i++) {
        struct dimension dimension = {(int64_t)move->to.step[i], (int64_t)move->from.step[i], move->box.count[i]};
        if (dimension.count > 1)
            nest->dimensions[nest->count++] = dimension;
    }
}

/* Takes the dimension out in which runs lie one after the other, if there is one, and makes them one run. */
static bool lengthen(struct nest *nest, bool fills)
{
    for (unsigned i = 0; i < nest->count; i++) {
        struct dimension *dimension = &nest->dimensions[i];
        if (dimension->to == (int64_t)nest->run && (fills || dimension->from == dimension->to)) {
            nest->run *= dimension->count;
            *dimension = nest->dimensions[--nest->count];
            return true;
        }
    }
    return false;
}

/* Makes the nest of MOVE. False if runs may overlap: then it matters in which order they are stored. */
static bool make_nest(const struct bulk_move *move, struct nest *nest)
{
    list_dimensions(move, nest);
    while (lengthen(nest, move->fills))
        ;
    uint64_t extent = nest->run;
    bool used[AFFINE_COORDINATES] = {false};
    for (unsigned n = 0; n < nest->count; n++) { /* the dimensions, by the size of their steps */
        unsigned least = AFFINE_COORDINATES;
        for (unsigned i = 0; i < nest->count; i++)
            if (!used[i] &&
                (least == AFFINE_COORDINATES || llabs(nest->dimensions[i].to) < llabs(nest->dimensions[least].to)))
                least = i;
        uint64_t step = (uint64_t)llabs(nest->dimensions[least].to);
        if (step < extent)
            return false;
        used[least] = true;
        extent += step * (nest->dimensions[least].count - 1);
    }
    return true;
}

bool bulk_is_long(const struct bulk_move *move)
{
    struct nest nest;
    return make_nest(move, &nest) && nest.run >= LEAST_RUN;
}

/* What MOVE touches at TO or FROM, with the gaps in it. */
static struct bulk_range extent_of(const struct bulk_move *move, const struct affine *address)
{
    struct affine_range range = affine_range(address, &move->box);
    return (struct bulk_range){(uint64_t)range.low, (uint64_t)(range.high - range.low) + move->bytes};
}

static bool meet(struct bulk_range x, struct bulk_range y)
{
    return x.at < y.at + y.size && y.at < x.at + x.size;
}

bool bulk_is_accessible(const struct bulk *b, struct bulk_range range)
{
    struct guest_memory *guest = b->dispatch->guest;
    return mem_is_host(range.at, range.size) && (!guest || guest_memory_covers(guest, range.at, range.size));
}

/* Each wave of a stream is executed to its end, in any order, so its accesses may meet those of others. */
static bool streams_allowed(const struct bulk *b)
{
    bool allowed = true;
    for (unsigned i = 0; i < b->range_count && allowed; i++) {
        const struct bulk_access_range *access = &b->ranges[i];
        for (unsigned j = 0; access->stores && j < b->read_count; j++)
            allowed &= !meet(access->range, b->reads[j]);
    }
    return allowed;
}

bool bulk_moves_allowed(const struct bulk *b)
{
    for (unsigned i = 0; i < b->move_count; i++) {
        const struct bulk_move *move = &b->moves[i];
        struct bulk_range to = extent_of(move, &move->to);
        if (!bulk_is_accessible(b, to) || (!move->fills && !bulk_is_accessible(b, extent_of(move, &move->from))))
            return false;
        for (unsigned j = 0; j < b->read_count; j++)
            if (meet(to, b->reads[j]))
                return false;
        for (unsigned j = 0; j < b->move_count; j++)
            if (!b->moves[j].fills && meet(to, extent_of(&b->moves[j], &b->moves[j].from)))
                return false;
    }
    return streams_allowed(b);
}

/* Doing it */

MEM_GUEST static void copy_run(const struct bulk *b, char *to, const char *from, uint64_t size)
{
    for (uint64_t done = 0; done < size && !bulk_is_stopped(b); done += PIECE)
        memcpy(to + done, from + done, size - done < PIECE ? size - done : PIECE);
}

/* A pattern, repeated as often as it fits. */
struct pattern_block {
    char bytes[PATTERN_BLOCK];
    uint64_t size;
    bool same; /* all bytes are equal */
};

static void make_block(struct pattern_block *block, const struct bulk_move *move)
{
    block->same = true;
    for (uint32_t i = 1; i < move->bytes; i++)
        block->same &= move->pattern[i] == move->pattern[0];
    for (block->size = 0; block->size + move->bytes <= sizeof block->bytes; block->size += move->bytes)
        memcpy(block->bytes + block->size, move->pattern, move->bytes);
}

MEM_GUEST static void fill_run(const struct bulk *b, char *to, const struct pattern_block *block, uint64_t size)
{
    uint64_t piece = block->same ? PIECE : block->size;
    for (uint64_t done = 0; done < size && !bulk_is_stopped(b); done += piece) {
        uint64_t now = size - done < piece ? size - done : piece;
        if (block->same)
            memset(to + done, block->bytes[0], now);
        else
            memcpy(to + done, block->bytes, now);
    }
}

static void move_one(const struct bulk *b, const struct bulk_move *move)
{
    struct nest nest;
    struct pattern_block block;
    uint64_t index[AFFINE_COORDINATES] = {0};
    make_nest(move, &nest);
    if (move->fills)
        make_block(&block, move);
    for (unsigned i = 0; (i < nest.count || !i) && !bulk_is_stopped(b);) {
        char *to = (char *)(intptr_t)nest.to;
        if (move->fills)
            fill_run(b, to, &block, nest.run);
        else
            copy_run(b, to, (const char *)(intptr_t)nest.from, nest.run);
        for (i = 0; i < nest.count; i++) { /* counts with the dimensions as digits */
            const struct dimension *dimension = &nest.dimensions[i];
            bool on = ++index[i] < dimension->count;
            int64_t steps = on ? 1 : -(int64_t)(dimension->count - 1);
            nest.to += steps * dimension->to;
            nest.from += steps * dimension->from;
            if (on)
                break;
            index[i] = 0;
        }
        if (i == nest.count)
            return;
    }
}

void bulk_move_all(const struct bulk *b)
{
    for (unsigned i = 0; i < b->move_count && !bulk_is_stopped(b); i++)
        move_one(b, &b->moves[i]);
}
