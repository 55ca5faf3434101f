/* SPDX-License-Identifier: MIT */
/* hsail-finalize-worker: compiles the programs that arrive at its socket, until the other end is closed.
 * Input: requests of worker.h. Output: replies. A signal that would end it becomes its last reply.
 * Invariant: what arrives is checked like any module; the sender may have been tricked. */
#define _GNU_SOURCE
#include "config.h"
#include "finalizer/compiler.h"
#include "finalizer/deep_stack.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

enum { HEAP_STEP = 4 << 20 };

static _Alignas(64) char crash_stack[64 << 10];

/* The thread that compiles is the only one that allocates. Its heap grows by large steps, so that it does not ask the
 * kernel for a few pages hundreds of times. The first step, which every compilation needs, gets its pages here, so that
 * they do not cost a fault each. */
static void prepare_heap(void)
{
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TOP_PAD, HEAP_STEP);
    mallopt(M_TRIM_THRESHOLD, 16 * HEAP_STEP);
    mallopt(M_MMAP_THRESHOLD, 16 * HEAP_STEP);
#ifdef MADV_POPULATE_WRITE
    uint8_t *first = malloc(HEAP_STEP), *page = (uint8_t *)(((uintptr_t)first + 4095) & ~(uintptr_t)4095);
    if (first)
        madvise(page, HEAP_STEP - 4096, MADV_POPULATE_WRITE);
    free(first);
#endif
}

static void on_signal(int number)
{
    static struct worker_reply reply = {.magic = WORKER_MAGIC, .is_last = true};
    reply.signal = number == SIGPROF ? SIGALRM : number;
    if (!worker_send(WORKER_SOCKET, &reply, sizeof reply))
        _exit(1);
    _exit(0);
}

static void catch_signals(void)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGALRM, SIGPROF, SIGXCPU};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        sigaction(fatal[i], &action, NULL);
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
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

/* Limits the processor time rather than the elapsed time, so that a busy machine does not end work that is nearly done.
 * A limit of ten times as much elapsed time ends what waits for ever. */
static void limit_time(uint32_t seconds)
{
    struct itimerval limit = {.it_value.tv_sec = seconds};
    setitimer(ITIMER_PROF, &limit, NULL);
    alarm(10 * seconds);
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
        limit_time(request->seconds);
        program_compile(&program, &target, &request->control, &request->options, result);
        limit_time(0);
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
    stack_t stack = {.ss_sp = crash_stack, .ss_size = sizeof crash_stack};
    struct worker_hello hello = WORKER_HELLO;
    sigaltstack(&stack, NULL);
    if (worker_send(WORKER_SOCKET, &hello, sizeof hello))
        while (serve())
            ;
    return data;
}

int main(void)
{
    struct rlimit no_core = {0, 0};
    if (fcntl(WORKER_SOCKET, F_GETFD) < 0) {
        fprintf(stderr, "hsail-finalize-worker: %s\n", message_text_WORKER_BY_HAND);
        return 2;
    }
    fcntl(WORKER_SOCKET, F_SETFD, FD_CLOEXEC);
    prepare_heap();
    setsid(); /* so that an interrupt from the terminal does not reach the worker */
    setrlimit(RLIMIT_CORE, &no_core);
    prctl(PR_SET_DUMPABLE, 0);
    catch_signals();
    _exit(!deep_stack_run(serve_requests, NULL));
}
