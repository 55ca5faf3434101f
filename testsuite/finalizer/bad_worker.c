/* SPDX-License-Identifier: MIT */
/* A worker that fails in the way that BAD_WORKER names:
 *   exit       ends while it compiles
 *   garbage    answers with a wrong magic number
 *   always     reports at every level of optimization that SIGSEGV has ended it
 *   optimized  does so at every level except -O0, where its code object is four bytes
 *   scheduled  does so unless few passes are asked for */
#include "config.h"
#include "finalizer/worker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        discard_modules(&request);
        if (!strcmp(kind, "exit"))
            return 0;
        if (!strcmp(kind, "garbage"))
            reply.magic = 0;
        bool dies = !strcmp(kind, "always") || (!strcmp(kind, "optimized") && request.options.optimize) ||
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
