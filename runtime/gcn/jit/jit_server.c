/* SPDX-License-Identifier: MIT */
/* hsail-gcn-worker: compiles the units that arrive at its socket, until the other end is closed, or nothing has come
 * for a minute. Input: messages of protocol.h. Output: object files, newly made or from the cache on disk. A signal
 * that would end the process becomes its last answer. Invariant: when the process that it works for ends, so does this
 * one at once. */
#include "config.h"

#include "runtime/gcn/jit/code_cache.h"
#include "runtime/gcn/jit/jit_compiler.h"
#include "runtime/gcn/jit/protocol.h"
#include "support/alloc.h"
#include "support/deep_stack.h"
#include "support/worker_process.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* LLVM keeps some memory for each unit until the compiler is closed, so it is closed after this many. */
enum { UNITS_OF_COMPILER = 256, IDLE_LIMIT = 60, CONSTANTS_MAX = 1 << 24 };

/* The widest operand, which may begin with the last constant. */
enum { OPERAND_MAX = 4 * GCN_LINE };

static struct {
    struct jit_engine described;
    struct gcn_engine engine; /* with numbers for handlers */
    gcn_handler *micro[GCN_MICRO_COUNT];
    struct gcn_branch_handlers branches[JIT_BRANCHES_MAX + 1];
    struct gcn_jit_control control;
    struct gcn_jit *jit;     /* NULL until something is to be compiled */
    uint64_t received;       /* the processor time when a unit had arrived */
    unsigned units;          /* how many JIT has compiled */
    pthread_mutex_t keeping; /* held while a file is written, which should not stay incomplete */
} server = {.keeping = PTHREAD_MUTEX_INITIALIZER};

static gcn_handler *handler_of(uint32_t number)
{
    return (gcn_handler *)(uintptr_t)number;
}

static bool receive_engine(void)
{
    const struct jit_engine *d = &server.described;
    if (!worker_receive(WORKER_SOCKET, &server.described, sizeof *d) || d->magic != JIT_MAGIC ||
        (d->lanes != 8 && d->lanes != 16))
        return false;
    server.engine.name = d->lanes == 16 ? "avx512" : "avx2";
    server.engine.micro = server.micro;
    for (unsigned i = 0; i < GCN_OP_COUNT; i++) {
        server.engine.plain[i] = handler_of(d->plain[i]);
        server.engine.scalar0[i] = handler_of(d->scalar0[i]);
        server.engine.scalar1[i] = handler_of(d->scalar1[i]);
        server.engine.saturating[i] = handler_of(d->saturating[i]);
    }
    for (unsigned i = 0; i < GCN_MICRO_COUNT; i++)
        server.micro[i] = handler_of(d->micro[i]);
    for (unsigned i = 0; i < JIT_BRANCHES_MAX; i++)
        server.branches[i] = (struct gcn_branch_handlers){
            d->branches[i].id, handler_of(d->branches[i].forward), handler_of(d->branches[i].back)};
    server.control = (struct gcn_jit_control){server.branches, handler_of(d->count), handler_of(d->enter)};
    return true;
}

/* A unit as it has arrived. */
struct arrival {
    struct jit_request request;
    struct jit_op *ops;
    char *constants;
    struct gcn_uop *uops;
    gcn_handler **handlers;
    uint32_t *pcs;
};

static void arrival_free(struct arrival *a)
{
    mem_free(a->ops);
    free(a->constants);
    mem_free(a->uops);
    mem_free(a->handlers);
    mem_free(a->pcs);
}

static bool is_operand(const struct arrival *a, uint32_t ref)
{
    return !(ref & GCN_REF_CONST) || (ref & ~(uint32_t)GCN_REF_CONST) <= 4 * a->request.constant_words;
}

/* Makes micro-operations of the operations; false if one refers to what is not there. */
static bool unpack_ops(struct arrival *a)
{
    for (uint32_t i = 0; i < a->request.ops; i++) {
        const struct jit_op *op = &a->ops[i];
        if (op->handler > UINT16_MAX || !is_operand(a, op->dst) || !is_operand(a, op->src[0]) ||
            !is_operand(a, op->src[1]) || !is_operand(a, op->src[2]))
            return false;
        a->uops[i] =
            (struct gcn_uop){handler_of(op->handler), op->dst, {op->src[0], op->src[1], op->src[2]}, op->imm, op->aux};
        a->handlers[i] = a->uops[i].fn;
        a->pcs[i] = op->pc;
    }
    return true;
}

static bool receive_unit(struct arrival *a)
{
    const struct jit_request *r = &a->request;
    if (!worker_receive(WORKER_SOCKET, &a->request, sizeof *r) || r->magic != JIT_MAGIC || !r->ops ||
        r->ops > JIT_OPS_MAX || r->constant_words > CONSTANTS_MAX)
        return false;
    size_t bytes = (size_t)4 * r->constant_words, room = (bytes + OPERAND_MAX + GCN_LINE - 1) / GCN_LINE * GCN_LINE;
    a->ops = mem_alloc(r->ops * sizeof *a->ops);
    a->uops = mem_alloc(r->ops * sizeof *a->uops);
    a->handlers = mem_alloc(r->ops * sizeof *a->handlers);
    a->pcs = mem_alloc(r->ops * sizeof *a->pcs);
    a->constants = aligned_alloc(GCN_LINE, room);
    if (!a->ops || !a->uops || !a->handlers || !a->pcs || !a->constants)
        return false;
    memset(a->constants + bytes, 0, room - bytes);
    return worker_receive(WORKER_SOCKET, a->ops, r->ops * sizeof *a->ops) &&
           worker_receive(WORKER_SOCKET, a->constants, bytes) && unpack_ops(a);
}

static bool compile_arrival(const struct arrival *a, struct jit_result *result)
{
    const struct gcn_unit unit = {
        .ops = a->uops,
        .pcs = a->pcs,
        .constants = a->constants,
        .constant_words = a->request.constant_words,
        .text = a->request.text,
        .count = a->request.ops,
        .total = a->request.ops,
        .engine = &server.engine};
    if (server.units++ >= UNITS_OF_COMPILER && server.jit) {
        jit_close(server.jit);
        server.jit = NULL;
        server.units = 1;
    }
    worker_limit_time(jit_unit_seconds(a->request.ops));
    if (!server.jit)
        server.jit = jit_open(&server.engine, server.described.lanes, &server.control);
    bool done = server.jit && jit_compile(server.jit, &unit, a->handlers, a->request.flags, result);
    worker_limit_time(0);
    return done;
}

/* Processor time of this thread, in nanoseconds. */
static uint64_t thread_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static bool send_result(const uint8_t *entries, size_t count, const void *object, size_t size, unsigned instructions)
{
    const struct jit_reply reply = {
        .magic = JIT_MAGIC, .size = size, .cost = {thread_time() - server.received, instructions}};
    return worker_send(WORKER_SOCKET, &reply, sizeof reply) &&
           (!size || (worker_send(WORKER_SOCKET, entries, count) && worker_send(WORKER_SOCKET, object, size)));
}

/* Answers with what is on disk, or else with what is compiled now. */
static bool answer(const struct arrival *a)
{
    struct code_key key;
    struct kept_code found;
    struct jit_result result = {0};
    bool keep =
        code_cache_key(&server.described, &a->request, a->ops, a->constants, jit_host(server.described.lanes), &key);
    if (keep && code_cache_find(&key, &found)) {
        bool good = found.entry_count == a->request.ops && found.object_size <= JIT_OBJECT_MAX;
        bool sent = good && send_result(found.entries, found.entry_count, found.object, found.object_size, 0);
        mem_free(found.memory);
        if (good)
            return sent;
    }
    bool done = compile_arrival(a, &result) && result.size <= JIT_OBJECT_MAX;
    if (done && keep) {
        pthread_mutex_lock(&server.keeping);
        code_cache_keep(
            &key, &(struct kept_code){result.entries, a->request.ops, (uint8_t *)result.object, result.size, NULL});
        pthread_mutex_unlock(&server.keeping);
        code_cache_trim();
    }
    bool sent = send_result(result.entries, a->request.ops, result.object, done ? result.size : 0, result.instructions);
    mem_free(result.entries);
    mem_free(result.object);
    return sent;
}

static bool serve_unit(void)
{
    struct arrival a = {0};
    bool good = receive_unit(&a);
    server.received = thread_time();
    good = good && answer(&a);
    arrival_free(&a);
    return good;
}

static void *serve_units(void *data)
{
    static const struct jit_greeting greeting = JIT_GREETING;
    worker_prepare_thread();
    worker_limit_waiting(WORKER_SOCKET, IDLE_LIMIT);
    if (worker_send(WORKER_SOCKET, &greeting, sizeof greeting) && receive_engine())
        while (serve_unit())
            ;
    worker_release_thread();
    return data;
}

/* Ends this process when the other end is closed, even in the middle of a compilation. */
static void *watch_other_end(void *unused)
{
    struct pollfd other = {.fd = WORKER_SOCKET, .events = POLLRDHUP};
    (void)unused;
    while (poll(&other, 1, -1) < 0)
        ;
    pthread_mutex_lock(&server.keeping);
    _exit(0);
    return NULL;
}

static void tell_signal(int number)
{
    static struct jit_reply reply = {.magic = JIT_MAGIC};
    reply.signal = number;
    if (!worker_send(WORKER_SOCKET, &reply, sizeof reply))
        _exit(1);
}

int main(void)
{
    pthread_t watcher;
    code_cache_begin();
    if (!worker_become(tell_signal)) {
        fprintf(stderr, "hsail-gcn-worker: this program is started by the HSA runtime\n");
        return 2;
    }
    if (pthread_create(&watcher, NULL, watch_other_end, NULL))
        return 1;
    _exit(!deep_stack_run(serve_units, NULL));
}
