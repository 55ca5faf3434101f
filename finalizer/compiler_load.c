/* SPDX-License-Identifier: MIT */
/* Loads the compiler into this process, for when no worker can be started.
 * Input: the place of this library. Output: what the module's compiler answers, or that there is none. It runs on a
 * thread with a deep stack, because a long program needs more than the stack of an application's thread has.
 * Invariant: the library itself needs no LLVM, and a program that has workers never loads it. */
#define _GNU_SOURCE
#include "config.h"

#include "finalizer/compiler.h"
#include "support/companion.h"
#include "support/deep_stack.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const struct compiler *loaded;
static struct failure problem; /* why the module could not be loaded */

/* Loads the module for the rest of the process: LLVM cannot be unloaded. */
static void load_module(void)
{
    static const struct companion companion = {"hsail-compile.so", {"hsail", "."}, PKGLIBDIR, R_OK};
    static const struct worker_hello build = WORKER_HELLO;
    char path[COMPANION_PATH];
    if (!companion_find(&companion, path)) {
        failure_record(&problem, COMPILER_MISSING, companion.name);
        return;
    }
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    const struct compiler *compiler = module ? dlsym(module, "hsail_compiler") : NULL;
    if (compiler && !memcmp(&compiler->build, &build, sizeof build))
        loaded = compiler;
    else if (compiler)
        failure_record(&problem, COMPILER_BUILD, path);
    else
        failure_record(&problem, COMPILER_LOAD, dlerror());
}

/* The arguments of a compilation. */
struct compile_call {
    const struct program *program;
    const struct target *target;
    const struct control_set *control;
    const struct finalize_options *options;
    struct finalize_result *result;
};

static void *compile_call(void *data)
{
    const struct compile_call *call = data;
    loaded->compile(call->program, call->target, call->control, call->options, call->result);
    return NULL;
}

hsa_status_t program_compile_here(const struct program *program, const struct target *target,
                                  const struct control_set *control, const struct finalize_options *options,
                                  struct finalize_result *result)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct compile_call call = {program, target, control, options, result};
    sigset_t all, before;
    pthread_once(&once, load_module);
    *result = (struct finalize_result){0};
    if (!loaded) {
        result->failure = problem;
        return failure_status(&result->failure);
    }
    /* The application's signal handlers do not run on a thread that it does not know. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (!deep_stack_run(compile_call, &call))
        failure_record(&result->failure, OUT_OF_MEMORY);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure_status(&result->failure);
}
