/* SPDX-License-Identifier: MIT */
/* Divides a large program among the processors: its kernels are compiled in shares, each by a worker, and the objects
 * are joined and linked (doc/decisions/compile-process.md).
 * Input: a program. Output: a code object, or a status with a message. Invariant: the result depends neither on the
 * number of processors nor on which share is done first. A program that cannot be compiled in shares is compiled as a
 * whole, so that it is refused with the same message. */
#include "finalizer/link.h"
#include "finalizer/worker.h"
#include "support/cpu.h"
#include "support/thread.h"

/* A program of fewer kernels, or of less weight than two shares have, is not divided. The weight is in bytes of BRIG;
 * LLVM takes as long for an empty kernel as for KERNEL_WEIGHT of them. */
enum { LEAST_KERNELS = 16, KERNEL_WEIGHT = 512, SHARE_WEIGHT = 64 << 10, MOST_SHARES = 8 };

struct shares {
    const struct program *program;
    const struct target *target;
    const struct control_set *control;
    const struct finalize_options *options;
    unsigned count, next; /* NEXT is the first that no thread has taken */
    struct finalize_result results[MOST_SHARES];
};

static unsigned shares_by_weight(const struct program *program)
{
    uint64_t kernels = 0, weight = 0;
    for (size_t i = 0; i < program->modules.count; i++) {
        const struct brig_view *view = &program->modules.items[i].view;
        for (uint32_t at = brig_first_code(view); at < brig_end_code(view);) {
            const hsa_brig_directive_executable_t *e = (const void *)brig_code(view, at);
            uint32_t next = brig_is_executable(&e->base) ? e->next_module_entry : brig_next_code(view, at);
            if (e->base.kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL) {
                kernels++;
                weight += KERNEL_WEIGHT + (next - at);
            }
            at = next;
        }
    }
    return kernels < LEAST_KERNELS               ? 1
           : weight / SHARE_WEIGHT < MOST_SHARES ? (unsigned)(weight / SHARE_WEIGHT)
                                                 : MOST_SHARES;
}

/* Debug information and the files that options ask for describe a program as a whole. */
static unsigned count_shares(const struct program *program, const struct finalize_options *options)
{
    if (options->lines || options->variables || *options->dump_ir || *options->dump_isa || *options->dump_code)
        return 1;
    if (options->shares)
        return options->shares < MOST_SHARES ? options->shares : MOST_SHARES;
    return shares_by_weight(program);
}

static void *compile_shares(void *data)
{
    struct shares *s = data;
    for (unsigned i; (i = __atomic_fetch_add(&s->next, 1, __ATOMIC_RELAXED)) < s->count;) {
        struct finalize_options options = *s->options;
        options.share = i + 1;
        options.shares = s->count;
        worker_finalize(s->program, s->target, s->control, &options, &s->results[i]);
    }
    return NULL;
}

/* Compiles the shares on as many threads as there are processors, but one after the other in this process. */
static void compile_all(struct shares *s)
{
    pthread_t threads[MOST_SHARES];
    unsigned started = 0, wanted = cpu_count() < s->count ? cpu_count() : s->count;
    while (!worker_is_switched_off() && started + 1 < wanted && !thread_start(&threads[started], compile_shares, s))
        started++;
    compile_shares(s);
    while (started)
        pthread_join(threads[--started], NULL);
}

/* Whether a worker has died of the share, even without optimization. */
static bool is_death(const struct failure *failure)
{
    return failure->message == MESSAGE_WORKER_TIME || failure->message == MESSAGE_WORKER_SIGNAL ||
           failure->message == MESSAGE_WORKER_SILENT;
}

/* Links the objects of all shares; the first remark and the first death in their order are those of the program. */
static void link_shares(const struct shares *s, struct finalize_result *result)
{
    struct bytes objects[MOST_SHARES];
    bool complete = true;
    for (unsigned i = 0; i < s->count; i++) {
        const struct finalize_result *share = &s->results[i];
        objects[i] = (struct bytes){share->image, share->size};
        complete &= share->image != NULL;
        if (!result->remark.message)
            result->remark = share->remark;
        if (!result->failure.message && is_death(&share->failure))
            result->failure = share->failure;
    }
    struct link_result joined = complete ? link_join(objects, s->count) : (struct link_result){0};
    if (joined.image) {
        struct bytes object = {joined.image, joined.size};
        struct link_result linked = link_code_object(object, (struct link_kernels){.count_sgprs = true});
        result->image = linked.image;
        result->size = linked.size;
    }
    mem_free(joined.image);
}

hsa_status_t program_finalize(const struct program *program, const struct target *target,
                              const struct control_set *control, const struct finalize_options *options,
                              struct finalize_result *result)
{
    unsigned count = count_shares(program, options);
    struct shares *shares = count > 1 ? mem_zalloc(1, sizeof *shares) : NULL;
    *result = (struct finalize_result){0};
    if (shares) {
        *shares = (struct shares){program, target, control, options, count, 0, {{0}}};
        compile_all(shares);
        link_shares(shares, result);
        for (unsigned i = 0; i < count; i++)
            mem_free(shares->results[i].image);
        mem_free(shares);
    }
    if (!result->image && !result->failure.message) {
        result->remark = (struct failure){0};
        worker_finalize(program, target, control, options, result);
    }
    return failure_status(&result->failure);
}
