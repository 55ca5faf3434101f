/* SPDX-License-Identifier: MIT */
/* Talks with a worker that compiles; see protocol.h.
 * Input: an engine, units, a socket. Output: code in memory. Invariant: an answer is used only if all of it has come
 * and is well-formed. */
#include "config.h"

#include "runtime/gcn/jit/jit_client.h"

#include "runtime/gcn/jit/protocol.h"
#include "support/alloc.h"
#include "support/search.h"
#include "support/worker_process.h"

#include <stdlib.h>
#include <string.h>

struct jit_client {
    int fd;
    unsigned lanes;
    size_t count;
    gcn_handler *handlers[4 * GCN_OP_COUNT + GCN_MICRO_COUNT + 2 * JIT_BRANCHES_MAX + 2]; /* sorted; the number of
                                                                                             each is its index + 1 */
};
_Static_assert(sizeof(((struct jit_client *)0)->handlers) / sizeof(gcn_handler *) < UINT16_MAX, "numbers have 16 bits");

/* Numbers */

static int by_address(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)*(gcn_handler *const *)a, y = (uintptr_t)*(gcn_handler *const *)b;
    return x < y ? -1 : x > y;
}

static void add_handler(struct jit_client *client, gcn_handler *fn)
{
    if (fn)
        client->handlers[client->count++] = fn;
}

static void number_handlers(struct jit_client *client, const struct gcn_engine *engine)
{
    size_t kept = 0;
    for (unsigned i = 0; i < GCN_OP_COUNT; i++) {
        add_handler(client, engine->plain[i]);
        add_handler(client, engine->scalar0[i]);
        add_handler(client, engine->scalar1[i]);
        add_handler(client, engine->saturating[i]);
    }
    for (unsigned i = 0; i < GCN_MICRO_COUNT; i++)
        add_handler(client, engine->micro[i]);
    for (unsigned i = 0; i < JIT_BRANCHES_MAX && gcn_control_branches[i].forward; i++) {
        add_handler(client, gcn_control_branches[i].forward);
        add_handler(client, gcn_control_branches[i].back);
    }
    add_handler(client, gcn_control_count);
    add_handler(client, gcn_control_enter);
    qsort(client->handlers, client->count, sizeof client->handlers[0], by_address);
    for (size_t i = 0; i < client->count; i++)
        if (!kept || client->handlers[kept - 1] != client->handlers[i])
            client->handlers[kept++] = client->handlers[i];
    client->count = kept;
}

static uint16_t number_of(const struct jit_client *client, gcn_handler *fn)
{
    size_t at = search_first(client->count, i, (uintptr_t)client->handlers[i] >= (uintptr_t)fn);
    return fn && at < client->count && client->handlers[at] == fn ? (uint16_t)(at + 1) : 0;
}

static bool describe_engine(const struct jit_client *client, const struct gcn_engine *engine)
{
    struct jit_engine *message = mem_zalloc(1, sizeof *message);
    if (!message)
        return false;
    message->magic = JIT_MAGIC;
    message->lanes = client->lanes;
    for (unsigned i = 0; i < GCN_OP_COUNT; i++) {
        message->plain[i] = number_of(client, engine->plain[i]);
        message->scalar0[i] = number_of(client, engine->scalar0[i]);
        message->scalar1[i] = number_of(client, engine->scalar1[i]);
        message->saturating[i] = number_of(client, engine->saturating[i]);
    }
    for (unsigned i = 0; i < GCN_MICRO_COUNT; i++)
        message->micro[i] = number_of(client, engine->micro[i]);
    for (unsigned i = 0; i + 1 < JIT_BRANCHES_MAX && gcn_control_branches[i].forward; i++) {
        message->branches[i].id = gcn_control_branches[i].id;
        message->branches[i].forward = number_of(client, gcn_control_branches[i].forward);
        message->branches[i].back = number_of(client, gcn_control_branches[i].back);
    }
    message->count = number_of(client, gcn_control_count);
    message->enter = number_of(client, gcn_control_enter);
    bool sent = worker_send(client->fd, message, sizeof *message);
    mem_free(message);
    return sent;
}

struct jit_client *jit_client_new(int fd, const struct gcn_engine *engine)
{
    static const struct jit_greeting expected = JIT_GREETING;
    unsigned lanes = !strcmp(engine->name, "avx512") ? 16 : !strcmp(engine->name, "avx2") ? 8 : 0;
    struct jit_client *client = lanes ? mem_zalloc(1, sizeof *client) : NULL;
    if (!client)
        return NULL;
    client->fd = fd;
    client->lanes = lanes;
    number_handlers(client, engine);
    worker_limit_waiting(fd, jit_answer_seconds(0));
    if (!worker_greets(fd, &expected, sizeof expected) || !describe_engine(client, engine)) {
        mem_free(client);
        return NULL;
    }
    return client;
}

void jit_client_free(struct jit_client *client)
{
    mem_free(client);
}

/* Units */

static bool send_unit(const struct jit_client *client, const struct gcn_unit *unit, gcn_handler *const *handlers,
                      unsigned flags)
{
    const struct jit_request request = {JIT_MAGIC, flags, unit->total, unit->constant_words, unit->text};
    struct jit_op *ops = mem_alloc(unit->total * sizeof *ops);
    if (!ops)
        return false;
    for (uint32_t i = 0; i < unit->total; i++) {
        const struct gcn_uop *op = &unit->ops[i];
        ops[i] = (struct jit_op){
            number_of(client, handlers[i]),
            op->dst,
            {op->src[0], op->src[1], op->src[2]},
            op->imm,
            op->aux,
            unit->pcs[i]};
    }
    bool sent =
        worker_send(client->fd, &request, sizeof request) && worker_send(client->fd, ops, unit->total * sizeof *ops) &&
        worker_send(client->fd, unit->constants, (size_t)4 * unit->constant_words);
    mem_free(ops);
    return sent;
}

enum jit_outcome jit_client_compile(struct jit_client *client, const struct gcn_unit *unit,
                                    gcn_handler *const *handlers, unsigned flags, struct gcn_jit_code *code,
                                    int *signal, struct jit_cost *cost)
{
    struct jit_reply reply;
    *code = (struct gcn_jit_code){0};
    worker_limit_waiting(client->fd, jit_answer_seconds(unit->total));
    *signal = 0;
    *cost = (struct jit_cost){0};
    if (!unit->total || unit->total > JIT_OPS_MAX)
        return JIT_NOTHING;
    if (!send_unit(client, unit, handlers, flags) || !worker_receive(client->fd, &reply, sizeof reply) ||
        reply.magic != JIT_MAGIC || reply.size > JIT_OBJECT_MAX)
        return JIT_LOST;
    *signal = reply.signal;
    *cost = reply.cost;
    if (reply.signal || !reply.size)
        return reply.signal ? JIT_LOST : JIT_NOTHING;
    uint8_t *entries = mem_alloc(unit->total);
    char *object = mem_alloc(reply.size);
    bool received = entries && object && worker_receive(client->fd, entries, unit->total) &&
                    worker_receive(client->fd, object, reply.size);
    bool loaded = received && object_load(object, reply.size, handlers, unit->total, client->lanes, code);
    mem_free(object);
    if (loaded)
        code->entries = entries;
    else
        mem_free(entries);
    return loaded ? JIT_COMPILED : JIT_LOST;
}
