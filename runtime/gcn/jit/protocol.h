/* SPDX-License-Identifier: MIT */
/* What the runtime and hsail-gcn-worker, which compiles for it, say to each other. Both come from the same
 * sources, whose digest is in the greeting.
 *
 * The worker greets. The runtime describes its engine once, and then sends one unit after the other; the worker answers
 * each with an object file, which names what it calls (import.c). Handlers have numbers, which the description of the
 * engine gives a meaning; 0 is a handler of which nothing is known. */
#ifndef RUNTIME_GCN_JIT_PROTOCOL_H
#define RUNTIME_GCN_JIT_PROTOCOL_H

#include "runtime/gcn/jit/build_stamp.h"
#include "runtime/gcn/jit/jit.h"
#include "support/worker_process.h"

#define JIT_MAGIC UINT32_C(0x48534a57)

enum {
    JIT_BRANCHES_MAX = 16,
    JIT_OPS_MAX = 1 << 20,    /* of a unit that is sent */
    JIT_OBJECT_MAX = 16 << 20 /* bytes of an answer */
};

/* How long the worker may compute for a unit of OPS micro-operations, in seconds of processor time: many times what a
 * slow machine needs. */
static inline unsigned jit_unit_seconds(uint32_t ops)
{
    return 2 + (ops < 2304 ? ops : 2304) / 128;
}

/* How long an answer may take: more than the worker gives itself, so that it can say that its time was over. */
static inline unsigned jit_answer_seconds(uint32_t ops)
{
    return WORKER_ELAPSED * jit_unit_seconds(ops) + 10;
}

/* The first message of a worker. */
struct jit_greeting {
    uint64_t layout; /* GCN_JIT_LAYOUT */
    uint32_t magic, engine_size;
    char version[24], build[24];
};
#define JIT_GREETING {GCN_JIT_LAYOUT, JIT_MAGIC, sizeof(struct jit_engine), PACKAGE_VERSION, GCN_BUILD_STAMP}

/* The number of each handler of an engine, 0 for those it does not have. */
struct jit_engine {
    uint32_t magic, lanes; /* of a chunk: 8 or 16 */
    uint16_t plain[GCN_OP_COUNT], scalar0[GCN_OP_COUNT], scalar1[GCN_OP_COUNT], saturating[GCN_OP_COUNT];
    uint16_t micro[GCN_MICRO_COUNT];
    struct {
        uint16_t id, forward, back;
    } branches[JIT_BRANCHES_MAX]; /* the last row has no handlers */
    uint16_t count, enter;
};

/* A unit. OPS of struct jit_op follow, and then the constants. */
struct jit_request {
    uint32_t magic, flags, ops, constant_words;
    uint64_t text; /* the address of the machine code */
};

struct jit_op {
    uint32_t handler, dst, src[3];
    int32_t imm;
    uint32_t aux, pc;
};

/* An answer. If SIZE is not 0, a byte per micro-operation follows, whether code may be entered there, and then SIZE
 * bytes of an object file. */
struct jit_reply {
    uint32_t magic;
    int32_t signal; /* the signal that ended the worker, or 0; SIGALRM if its time was over */
    uint64_t size;
    struct jit_cost cost;
};

#endif
