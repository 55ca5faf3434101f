/* SPDX-License-Identifier: MIT */
/* A worker that fails in the way that BAD_WORKER names:
 *   exit       ends while it compiles
 *   garbage    answers with a wrong magic number
 *   always     reports at every level of optimization that SIGSEGV has ended it
 *   optimized  does so at every level except -O0, where its code object is four bytes
 *   scheduled  does so unless few passes are asked for
 *   share      does so for the second share of a program; others go to the worker that GOOD_WORKER names
 *   share-scheduled  the same, unless few passes are asked for */
#define _GNU_SOURCE
#include "config.h"
#include "finalizer/worker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Starts the good worker, and returns a socket to it, once its greeting has come. */
static int start_good(void)
{
    struct worker_hello hello;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return -1;
    if (!fork()) {
        dup2(ends[1], WORKER_SOCKET);
        execl(getenv("GOOD_WORKER"), "worker", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    return worker_receive(ends[0], &hello, sizeof hello) ? ends[0] : -1;
}

/* Hands SIZE bytes on. */
static bool hand_on(int from, int to, uint64_t size)
{
    static char bytes[1 << 16];
    for (uint64_t part; size; size -= part) {
        part = size < sizeof bytes ? size : sizeof bytes;
        if (!worker_receive(from, bytes, part) || !worker_send(to, bytes, part))
            return false;
    }
    return true;
}

/* Has a good worker serve the request. */
static void serve_well(const struct worker_request *request)
{
    struct worker_reply reply;
    uint64_t size, total = 0;
    int good = start_good();
    if (good < 0 || !worker_send(good, request, sizeof *request))
        return;
    for (uint32_t i = 0; i < request->module_count; i++) {
        if (!worker_receive(WORKER_SOCKET, &size, sizeof size) || !worker_send(good, &size, sizeof size))
            return;
        total += size;
    }
    if (!hand_on(WORKER_SOCKET, good, total) || !worker_receive(good, &reply, sizeof reply))
        return;
    reply.is_last = true;
    worker_send(WORKER_SOCKET, &reply, sizeof reply);
    hand_on(good, WORKER_SOCKET, reply.size);
}

static void discard_modules(const struct worker_request *request)
{
    uint64_t size, total = 0;
    char byte;
    for (uint32_t i = 0; i < request->module_count; i++)
        if (worker_receive(WORKER_SOCKET, &size, sizeof size))
            total += size;
    while (total-- && worker_receive(WORKER_SOCKET, &byte, 1))
        ;
}

int main(void)
{
    struct worker_hello hello = {.magic = WORKER_MAGIC, .request_size = sizeof(struct worker_request)};
    struct worker_request request;
    struct worker_reply reply = {.magic = WORKER_MAGIC};
    const char *kind = getenv("BAD_WORKER");
    snprintf(hello.version, sizeof hello.version, "%s", PACKAGE_VERSION);
    if (!kind || !worker_send(WORKER_SOCKET, &hello, sizeof hello))
        return 2;
    if (worker_receive(WORKER_SOCKET, &request, sizeof request)) {
        bool is_share = !strncmp(kind, "share", 5);
        if (is_share && (request.options.share != 2 || (request.options.quick && strcmp(kind, "share") != 0))) {
            serve_well(&request);
            return 0;
        }
        discard_modules(&request);
        if (!strcmp(kind, "exit"))
            return 0;
        if (!strcmp(kind, "garbage"))
            reply.magic = 0;
        bool dies = is_share || !strcmp(kind, "always") || (!strcmp(kind, "optimized") && request.options.optimize) ||
                    (!strcmp(kind, "scheduled") && !request.options.quick);
        reply.signal = dies ? SIGSEGV : 0;
        reply.is_last = true;
        reply.size = dies ? 0 : 4;
        worker_send(WORKER_SOCKET, &reply, sizeof reply);
        if (!dies)
            worker_send(WORKER_SOCKET, "code", 4);
        return 0;
    }
    return 0;
}
