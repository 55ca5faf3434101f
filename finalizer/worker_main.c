/* SPDX-License-Identifier: MIT */
/* hsail-finalize-worker: compiles the programs that arrive at its socket, until the other end is closed.
 * Input: requests of worker.h. Output: replies. A signal that would end it becomes its last reply.
 * Invariant: what arrives is checked like any module; the sender may have been tricked. */
#include "config.h"
#include "finalizer/compiler.h"
#include "finalizer/worker.h"
#include "support/deep_stack.h"

#include <stdio.h>
#include <unistd.h>

static void last_words(int number)
{
    static struct worker_reply reply = {.magic = WORKER_MAGIC, .is_last = true};
    reply.signal = number;
    if (!worker_send(WORKER_SOCKET, &reply, sizeof reply))
        _exit(1);
}

/* Receives the modules of a request, each aligned as BRIG has to be; false when out of memory or the other end is
 * gone. */
static bool receive_modules(const struct worker_request *request, void **modules, uint64_t *sizes)
{
    if (!worker_receive(WORKER_SOCKET, sizes, request->module_count * sizeof *sizes))
        return false;
    for (uint32_t i = 0; i < request->module_count; i++) {
        modules[i] = sizes[i] < UINT32_MAX ? mem_alloc(sizes[i] + 16) : NULL;
        if (!modules[i] || !worker_receive(WORKER_SOCKET, modules[i], sizes[i]))
            return false;
    }
    return true;
}

static void compile_request(const struct worker_request *request, void *const *modules, const uint64_t *sizes,
                            struct finalize_result *result)
{
    struct program program = {(hsa_machine_model_t)request->machine_model,
                              (hsa_profile_t)request->profile,
                              (hsa_default_float_rounding_mode_t)request->rounding,
                              {0}};
    struct target target;
    if (!target_parse(request->target, &target))
        failure_record(&result->failure, TARGET_UNKNOWN, request->target, "");
    for (uint32_t i = 0; i < request->module_count && !result->failure.message; i++)
        program_add(&program, (hsa_ext_module_t)modules[i], sizes[i], &result->failure);
    if (!result->failure.message) {
        worker_limit_time(request->seconds);
        program_compile(&program, &target, &request->control, &request->options, result);
        worker_limit_time(0);
    }
    program_free(&program);
}

/* Serves one request; false when there is none, or this worker should not serve another. */
static bool serve(void)
{
    struct worker_request request;
    struct finalize_result result = {0};
    if (!worker_receive(WORKER_SOCKET, &request, sizeof request) || request.magic != WORKER_MAGIC)
        return false;
    void **modules = mem_zalloc((size_t)request.module_count + 1, sizeof *modules);
    uint64_t *sizes = mem_zalloc((size_t)request.module_count + 1, sizeof *sizes);
    bool received = modules && sizes && receive_modules(&request, modules, sizes);
    if (received) {
        struct worker_reply reply = {.magic = WORKER_MAGIC};
        compile_request(&request, modules, sizes, &result);
        reply.is_last = result.is_broken;
        reply.size = result.size;
        reply.failure = result.failure;
        reply.remark = result.remark;
        received = worker_send(WORKER_SOCKET, &reply, sizeof reply) &&
                   worker_send(WORKER_SOCKET, result.image, result.size) && !reply.is_last;
    }
    for (uint32_t i = 0; modules && i < request.module_count; i++)
        mem_free(modules[i]);
    mem_free(modules);
    mem_free(sizes);
    mem_free(result.image);
    return received;
}

static void *serve_requests(void *data)
{
    struct worker_hello hello = WORKER_HELLO;
    worker_prepare_thread();
    if (worker_send(WORKER_SOCKET, &hello, sizeof hello))
        while (serve())
            ;
    worker_release_thread();
    return data;
}

int main(void)
{
    if (!worker_become(last_words)) {
        fprintf(stderr, "hsail-finalize-worker: %s\n", message_text_WORKER_BY_HAND);
        return 2;
    }
    _exit(!deep_stack_run(serve_requests, NULL));
}
