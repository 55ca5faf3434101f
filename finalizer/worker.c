/* SPDX-License-Identifier: MIT */
/* Sends programs to workers and receives the results; keeps a pool of waiting workers, and tries again when one has
 * died.
 * Input: a program. Output: a code object, or a status with a message. Invariant: whatever happens to a worker, the
 * call returns. After fork(), the child has workers of its own. */
#define _GNU_SOURCE
#include "config.h"
#include "finalizer/worker.h"

#include "finalizer/compiler.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WAITING = 4, SECONDS = 60, BYTES_PER_SECOND = 8192 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int waiting[MOST_WAITING];
static unsigned waiting_count;
static pid_t owner;

static void hold_lock(void)
{
    pthread_mutex_lock(&lock);
}

static void drop_lock(void)
{
    pthread_mutex_unlock(&lock);
}

static void watch_forks(void)
{
    pthread_atfork(hold_lock, drop_lock, drop_lock);
}

void worker_close_all(void)
{
    pthread_mutex_lock(&lock);
    while (waiting_count)
        close(waiting[--waiting_count]);
    pthread_mutex_unlock(&lock);
}

__attribute__((destructor)) static void close_at_unload(void)
{
    worker_close_all();
}

/* Takes a waiting worker from the pool, or returns -1. After a fork, the parent's workers stay with the parent. */
static int take_waiting(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int fd = -1;
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&lock);
    if (owner != getpid()) {
        while (waiting_count)
            close(waiting[--waiting_count]);
        owner = getpid();
    }
    if (waiting_count)
        fd = waiting[--waiting_count];
    pthread_mutex_unlock(&lock);
    return fd;
}

/* Starts a worker from the folders of an installation, without and with a folder per architecture, or of a build. */
static int start_worker(void)
{
    static const struct companion companion = {
        "hsail-finalize-worker", {"../libexec/hsail", "../../libexec/hsail", "hsail", ".."}, PKGLIBEXECDIR, X_OK};
    static const struct worker_hello expected = WORKER_HELLO;
    int fd = worker_launch(&companion, secure_getenv("HSAIL_FINALIZER_WORKER"));
    if (fd < 0 || worker_greets(fd, &expected, sizeof expected))
        return fd;
    close(fd);
    return -1;
}

static void put_back(int fd)
{
    pthread_mutex_lock(&lock);
    bool keep = waiting_count < MOST_WAITING && owner == getpid();
    if (keep)
        waiting[waiting_count++] = fd;
    pthread_mutex_unlock(&lock);
    if (!keep)
        close(fd);
}

static bool send_program(int fd, const struct program *program, const struct worker_request *request)
{
    if (!worker_send(fd, request, sizeof *request))
        return false;
    for (size_t i = 0; i < program->modules.count; i++) {
        uint64_t size = program->modules.items[i].view.module.size;
        if (!worker_send(fd, &size, sizeof size))
            return false;
    }
    for (size_t i = 0; i < program->modules.count; i++) {
        struct bytes bytes = program->modules.items[i].view.module;
        if (!worker_send(fd, bytes.data, bytes.size))
            return false;
    }
    return true;
}

static bool receive_result(int fd, size_t modules, struct worker_reply *reply, struct finalize_result *result)
{
    if (!worker_receive(fd, reply, sizeof *reply) || reply->magic != WORKER_MAGIC ||
        !failure_is_sound(&reply->failure) || reply->failure.module > modules || !failure_is_sound(&reply->remark) ||
        reply->remark.module > modules)
        return false;
    result->failure = reply->failure;
    result->remark = reply->remark;
    if (!reply->size)
        return reply->signal || result->failure.message;
    result->image = mem_alloc(reply->size);
    if (!result->image) {
        reply->is_last = true;
        failure_record(&result->failure, OUT_OF_MEMORY);
        return true;
    }
    result->size = reply->size;
    if (worker_receive(fd, result->image, result->size))
        return true;
    mem_free(result->image);
    *result = (struct finalize_result){0};
    return false;
}

enum outcome { OUTCOME_ANSWERED, OUTCOME_DIED, OUTCOME_NO_WORKER };

/* Makes one attempt. A waiting worker may have been killed in the meantime; the program then goes to a new one. */
static enum outcome attempt_compilation(const struct program *program, const struct worker_request *request,
                                        struct worker_reply *reply, struct finalize_result *result)
{
    for (int fd = take_waiting(), is_new = fd < 0;; fd = -1, is_new = 1) {
        if (fd < 0)
            fd = start_worker();
        if (fd < 0)
            return OUTCOME_NO_WORKER;
        *reply = (struct worker_reply){0};
        bool answered = send_program(fd, program, request) && receive_result(fd, program->modules.count, reply, result);
        if (answered && !reply->is_last)
            put_back(fd);
        else
            close(fd);
        if (answered)
            return reply->signal ? OUTCOME_DIED : OUTCOME_ANSWERED;
        if (is_new)
            return OUTCOME_DIED;
    }
}

/* Returns the name of the program's first kernel, and sets *COUNT to the number of its kernels. */
static struct bytes first_kernel(const struct program *program, unsigned *count)
{
    struct bytes first = {0};
    *count = 0;
    for (size_t i = 0; i < program->modules.count; i++) {
        const struct brig_view *view = &program->modules.items[i].view;
        for (uint32_t at = brig_first_code(view); at < brig_end_code(view); at = brig_next_code(view, at)) {
            const hsa_brig_directive_executable_t *e = (const void *)brig_code(view, at);
            if (e->base.kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL && !(*count)++)
                first = brig_string(view, e->name);
        }
    }
    return first;
}

/* Says in FAILURE how a worker died, of which REPLY tells: for good, or because of which a later one optimized less. */
static void describe_death(const struct program *program, const struct worker_reply *reply, bool for_good,
                           struct failure *failure)
{
    unsigned count;
    struct bytes first = first_kernel(program, &count);
    const char *name = count ? (const char *)first.data : "";
    int length = first.size < 120 ? (int)first.size : 120, number = (int)reply->signal;
    *failure = (struct failure){0};
    if (number == SIGALRM && for_good)
        failure_record(failure, WORKER_TIME, length, name, count);
    else if (number == SIGALRM)
        failure_record(failure, RETRIED_TIME, length, name, count);
    else if (number && for_good)
        failure_record(failure, WORKER_SIGNAL, length, name, count, number);
    else if (number)
        failure_record(failure, RETRIED_SIGNAL, length, name, count, number);
    else if (for_good)
        failure_record(failure, WORKER_SILENT, length, name, count);
    else
        failure_record(failure, RETRIED_SILENT, length, name, count);
}

/* Makes PATH absolute, as a worker may have another working directory; false when the absolute name is too long. */
static bool make_absolute(char path[256])
{
    char folder[256], joined[512];
    if (!*path || *path == '/')
        return true;
    if (!getcwd(folder, sizeof folder) || snprintf(joined, sizeof joined, "%s/%s", folder, path) >= 256)
        return false;
    memcpy(path, joined, strlen(joined) + 1);
    return true;
}

/* Writes a target id such as "gfx906:xnack-:sramecc+" from the processor and LLVM's features "-xnack,+sramecc". */
static void write_target(const struct target *target, char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, "%s", target->cpu);
    for (const char *f = target->features; *f && at + 2 < size;) {
        size_t length = strcspn(f, ",");
        at += (size_t)snprintf(text + at, size - at, ":%.*s%c", (int)length - 1, f + 1, *f);
        f += length + (f[length] == ',');
    }
}

static struct worker_request make_request(const struct program *program, const struct target *target,
                                          const struct control_set *control, const struct finalize_options *options)
{
    struct worker_request request = {.magic = WORKER_MAGIC, .module_count = (uint32_t)program->modules.count};
    uint64_t bytes = 0;
    for (size_t i = 0; i < program->modules.count; i++)
        bytes += program->modules.items[i].view.module.size;
    request.machine_model = program->machine_model;
    request.profile = program->profile;
    request.rounding = program->rounding;
    request.seconds = SECONDS + (uint32_t)(bytes / BYTES_PER_SECOND);
    request.control = *control;
    request.options = *options;
    write_target(target, request.target, sizeof request.target);
    return request;
}

bool worker_is_switched_off(void)
{
    const char *chosen = secure_getenv("HSAIL_FINALIZER_WORKER");
    return chosen && !strcmp(chosen, "0");
}

hsa_status_t worker_finalize(const struct program *program, const struct target *target,
                             const struct control_set *control, const struct finalize_options *options,
                             struct finalize_result *result)
{
    struct worker_reply reply, death = {0};
    bool died = false;
    memset(result, 0, sizeof *result);
    if (worker_is_switched_off())
        return program_compile_here(program, target, control, options, result);
    struct worker_request request = make_request(program, target, control, options);
    if (!make_absolute(request.options.dump_ir) || !make_absolute(request.options.dump_isa) ||
        !make_absolute(request.options.dump_code)) {
        failure_record(&result->failure, FILE_PATH);
        return failure_status(&result->failure);
    }
    while (true) {
        enum outcome outcome = attempt_compilation(program, &request, &reply, result);
        if (outcome == OUTCOME_NO_WORKER)
            return program_compile_here(program, target, control, options, result);
        if (outcome == OUTCOME_ANSWERED) {
            if (died && result->image)
                describe_death(program, &death, false, &result->remark);
            return failure_status(&result->failure);
        }
        died = true;
        death = reply;
        if (!request.options.optimize) {
            describe_death(program, &reply, true, &result->failure);
            return failure_status(&result->failure);
        }
        /* Try again with few passes of the code generator, and then with none. */
        request.options.optimize = !request.options.quick;
        request.options.quick = true;
    }
}
