/* SPDX-License-Identifier: MIT */
/* Compares a program on the model and on the engine; see random.h. Input: text. Output: a judgement. Invariant:
 * whatever the compiler or the engine does, the caller goes on; a child process that does not answer is killed. */
#include "testsuite/finalizer/gpu.h"
#include "testsuite/finalizer/random/random.h"
#include "testsuite/hsail-model/model.h"

#include "hsail/hsail.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MILLISECONDS = 120000, MOST_KERNELS = 64 };

const char *const verdict_names[VERDICTS] = {
    "right", "refused", "open", "wrong at -O0", "wrong", "failed", "crashed", "slow"};

/* What a kernel reads and writes. */
struct memory {
    _Alignas(64) uint8_t in[RANDOM_ITEMS * RANDOM_IN], out[RANDOM_ITEMS * RANDOM_OUT];
    uint8_t slots[RANDOM_ITEMS * RANDOM_SLOT], shared[RANDOM_SHARED];
};

static void fill(struct memory *memory, uint64_t seed)
{
    struct random r = {.state = seed};
    memset(memory, 0, sizeof *memory);
    for (size_t i = 0; i < sizeof memory->in; i += 8) {
        uint64_t value = random_chance(&r, 50) ? random_bits(&r, 64) : random_bits(&r, 32) | random_bits(&r, 32) << 32;
        memcpy(memory->in + i, &value, 8);
    }
    memset(memory->out, 0xa5, sizeof memory->out);
    memset(memory->slots, 0x11, sizeof memory->slots);
    memset(memory->shared, 0x55, sizeof memory->shared);
}

static void print_finding(void *user, const hsail_diagnostic_t *d)
{
    struct judgement *j = user;
    snprintf(j->message, sizeof j->message, "line %zu: %.150s", d->line, d->message);
}

/* The module of TEXT, which is kept until the process ends; NULL if TEXT is refused. */
static hsail_module_t *assemble(const char *text, struct judgement *j)
{
    hsail_context_t *context = NULL;
    hsail_module_t *module = NULL;
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return NULL;
    hsail_context_set_diagnostics(context, print_finding, j);
    return hsail_assemble(context, "random.hsail", text, strlen(text), 0, &module) == HSAIL_STATUS_OK ? module : NULL;
}

struct expected {
    enum model_status status;
    struct memory bytes, undefined;
};

static void expect(struct model *model, const char *kernel, struct memory *memory, const uint64_t arguments[4],
                   struct expected *e, struct judgement *j)
{
    struct model_dispatch dispatch = {{RANDOM_ITEMS, 1, 1}, {RANDOM_GROUP, 1, 1}, 1, arguments, 32};
    e->status = model_run(model, kernel, &dispatch);
    if (e->status != MODEL_DONE)
        snprintf(j->message, sizeof j->message, "%s", model_reason(model));
    memcpy(&e->bytes, model_bytes(model, memory), sizeof e->bytes);
    memcpy(&e->undefined, model_undefined(model, memory), sizeof e->undefined);
}

/* The first byte that differs in its defined bits; SIZE if there is none. */
static size_t first_difference(const struct memory *memory, const struct expected *e)
{
    const uint8_t *is = (const uint8_t *)memory, *must = (const uint8_t *)&e->bytes,
                  *open = (const uint8_t *)&e->undefined;
    for (size_t i = 0; i < sizeof *memory; i++)
        if ((is[i] ^ must[i]) & (uint8_t)~open[i])
            return i;
    return sizeof *memory;
}

static void describe(size_t at, const struct memory *memory, const struct expected *e, const char *options, char *text,
                     size_t size)
{
    size_t out = offsetof(struct memory, out), slots = offsetof(struct memory, slots);
    const char *where = at >= offsetof(struct memory, shared) ? "shared" : at >= slots ? "slot" : "output";
    uint64_t is, must, open;
    size_t item = at >= slots ? (at - slots) / RANDOM_SLOT : (at - out) / RANDOM_OUT;
    size_t offset = at >= slots ? (at - slots) % RANDOM_SLOT : (at - out) % RANDOM_OUT;
    size_t from = at & ~(size_t)(at < slots && offset < 32 ? 3 : 7);
    memcpy(&is, (const uint8_t *)memory + from, 8);
    memcpy(&must, (const uint8_t *)&e->bytes + from, 8);
    memcpy(&open, (const uint8_t *)&e->undefined + from, 8);
    snprintf(text, size, "%s: work-item %zu, %s byte %zu: 0x%llx, not 0x%llx (open 0x%llx)", options, item, where,
             offset, (unsigned long long)is, (unsigned long long)must, (unsigned long long)open);
}

/* Compiles with OPTIONS; in as many shares, and with functions divided into pieces, as RANDOM_SHARES and RANDOM_PIECES
 * in the environment say. */
static struct gpu *open_program(const char *text, const char *options)
{
    const char *shares = getenv("RANDOM_SHARES"), *pieces = getenv("RANDOM_PIECES");
    char all[64];
    snprintf(all, sizeof all, "%s -shares=%s -pieces=%s", options, shares && *shares ? shares : "0",
             pieces && *pieces ? pieces : "0");
    return gpu_open(text, all);
}

/* Runs the kernels with OPTIONS; stops and returns false at the first that is not right. */
static bool compare(const char *text, unsigned count, const char *options, struct expected *const *expected,
                    uint64_t seed, struct memory *memory, const uint64_t arguments[4], struct judgement *j)
{
    struct gpu *gpu = open_program(text, options);
    j->verdict = VERDICT_FAILED;
    j->kernel = 0;
    snprintf(j->message, sizeof j->message, "%s: refused by the finalizer", options);
    if (!gpu)
        return false;
    for (j->kernel = 0; j->kernel < count; j->kernel++) {
        const struct expected *e = expected[j->kernel];
        char name[16];
        if (e->status != MODEL_DONE)
            continue;
        snprintf(name, sizeof name, "&k%u", j->kernel);
        fill(memory, seed);
        if (!gpu_run(gpu, name, RANDOM_ITEMS, RANDOM_GROUP, arguments, 4)) {
            snprintf(j->message, sizeof j->message, "%s: does not run", options);
            return false;
        }
        size_t at = first_difference(memory, e);
        if (at < sizeof *memory) {
            j->verdict = strcmp(options, "-O0") ? VERDICT_WRONG : VERDICT_WRONG_O0;
            describe(at, memory, e, options, j->message, sizeof j->message);
            return false;
        }
    }
    return true;
}

static void count_open(const struct expected *e, struct judgement *j)
{
    for (size_t i = 0; i < RANDOM_ITEMS; i++)
        for (size_t n = 0; n < 176; n++) {
            j->bits += 8;
            j->open += (unsigned)__builtin_popcount(e->undefined.out[i * RANDOM_OUT + n]);
        }
}

/* Whether the model computes the same for another text, in all bits that the first text defines. */
static bool same_on_model(const char *other, unsigned count, struct expected *const *expected, uint64_t seed,
                          struct memory *memory, const uint64_t arguments[4], struct judgement *j)
{
    static struct expected is;
    const hsail_module_t *module = assemble(other, j);
    j->verdict = VERDICT_REFUSED;
    for (j->kernel = 0; module && j->kernel < count; j->kernel++) {
        struct model *model = model_open(hsail_module_data(module), hsail_module_size(module));
        const struct expected *e = expected[j->kernel];
        char name[16];
        fill(memory, seed);
        if (!model || !model_map(model, memory, sizeof *memory))
            return false;
        snprintf(name, sizeof name, "&k%u", j->kernel);
        if (e->status == MODEL_DONE)
            expect(model, name, memory, arguments, &is, j);
        model_close(model);
        if (e->status != MODEL_DONE)
            continue;
        size_t at = is.status == MODEL_DONE ? first_difference(&is.bytes, e) : 0;
        j->verdict = VERDICT_WRONG;
        if (is.status == MODEL_DONE && at < sizeof *memory)
            describe(at, &is.bytes, e, "model", j->message, sizeof j->message);
        if (is.status != MODEL_DONE || at < sizeof *memory)
            return false;
    }
    return module != NULL;
}

static void judge_here(const char *text, const char *other, unsigned count, uint64_t seed, struct judgement *j)
{
    static struct expected *expected[MOST_KERNELS];
    static struct memory memory;
    const uint64_t arguments[4] = {
        (uintptr_t)memory.in, (uintptr_t)memory.out, (uintptr_t)memory.slots, (uintptr_t)memory.shared};
    const hsail_module_t *module = assemble(text, j);
    unsigned done = 0;
    j->verdict = VERDICT_REFUSED;
    if (!module)
        return;
    for (unsigned i = 0; i < count; i++) {
        char name[16];
        struct model *model = model_open(hsail_module_data(module), hsail_module_size(module));
        fill(&memory, seed);
        if (model && random_is_known("nan payload"))
            model_set_any_payload(model);
        if (!model || !model_map(model, &memory, sizeof memory) || !(expected[i] = malloc(sizeof **expected)))
            return;
        snprintf(name, sizeof name, "&k%u", i);
        expect(model, name, &memory, arguments, expected[i], j);
        if (expected[i]->status == MODEL_DONE) {
            done++;
            count_open(expected[i], j);
            for (unsigned n = 0; n < RANDOM_OPCODES && n < MODEL_OPCODES; n++)
                j->counts[n] += model_counts(model)[n] != 0;
        }
        model_close(model);
    }
    j->verdict = VERDICT_OPEN;
    const char *run = other ? other : text;
    if (done && other && !same_on_model(other, count, expected, seed, &memory, arguments, j))
        return;
    if (done && compare(run, count, "-O0", expected, seed, &memory, arguments, j) &&
        compare(run, count, "-O2", expected, seed, &memory, arguments, j)) {
        j->verdict = VERDICT_RIGHT;
        *j->message = '\0';
    }
}

/* Waits for the child, and puts its answer, or how it ended, into J. */
static void await(pid_t child, int from, struct judgement *j)
{
    struct pollfd wait = {from, POLLIN, 0};
    int status = 0, ready = poll(&wait, 1, MILLISECONDS);
    ssize_t got = ready > 0 ? read(from, j, sizeof *j) : 0;
    if (ready <= 0)
        kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (got == (ssize_t)sizeof *j)
        return;
    memset(j, 0, sizeof *j);
    j->verdict = ready <= 0 ? VERDICT_SLOW : VERDICT_CRASHED;
    snprintf(j->message, sizeof j->message, "signal %d", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

void judge(const char *text, unsigned count, uint64_t seed, struct judgement *j)
{
    judge_other(text, NULL, count, seed, j);
}

void judge_other(const char *text, const char *other, unsigned count, uint64_t seed, struct judgement *j)
{
    int pipes[2];
    memset(j, 0, sizeof *j);
    fflush(stdout);
    if (pipe(pipes) != 0)
        abort();
    pid_t child = fork();
    if (child == 0) {
        judge_here(text, other, count, seed, j);
        ssize_t put = write(pipes[1], j, sizeof *j);
        _exit(put != (ssize_t)sizeof *j);
    }
    close(pipes[1]);
    if (child < 0)
        abort();
    await(child, pipes[0], j);
    close(pipes[0]);
}
