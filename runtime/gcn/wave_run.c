/* SPDX-License-Identifier: MIT */
/* Running a wave: the dispatch loop, and faults of guest memory turned into faults of the wave.
 * Input: a wave at some micro-operation. Output: why it stopped.
 * Invariant: SIGSEGV and SIGBUS that a running wave did not cause behave as without this file. */
#include "runtime/gcn/wave_run.h"

#include "runtime/gcn/jit/tier.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the signal handler needs to know of the thread it runs in. */
struct guard {
    sigjmp_buf env;
    volatile sig_atomic_t active;
    uint64_t address;
    struct gcn_wave *wave; /* that runs now */
};
static _Thread_local struct guard guard __attribute__((tls_model("initial-exec")));

static pthread_mutex_t guard_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned guard_users;
static struct sigaction previous_segv, previous_bus;

/* Does what NUMBER does without this file. INFO tells whether somebody sent it or the running instruction raised it. */
static void take_default(int number, siginfo_t *info)
{
    signal(number, SIG_DFL);
    if (info->si_code <= 0) /* else the faulting instruction runs again when this returns */
        syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), number, info);
}

/* Calls the handler that was there before, with the signals blocked that it asked to have blocked. */
static void pass_signal_on(struct sigaction *previous, int number, siginfo_t *info, void *context)
{
    struct sigaction action = *previous;
    sigset_t before, mask = action.sa_mask;
    if (!(action.sa_flags & SA_NODEFER))
        sigaddset(&mask, number);
    if (action.sa_flags & (int)SA_RESETHAND)
        previous->sa_handler = SIG_DFL;
    pthread_sigmask(SIG_BLOCK, &mask, &before);
    if (action.sa_flags & SA_SIGINFO)
        action.sa_sigaction(number, info, context);
    else
        action.sa_handler(number);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    bool sent = info->si_code <= 0;
    if (guard.active && !sent) {
        guard.active = 0;
        guard.address = (uint64_t)(uintptr_t)info->si_addr;
        sigset_t both; /* a handler that calls this one may have blocked them */
        sigemptyset(&both);
        sigaddset(&both, SIGSEGV);
        sigaddset(&both, SIGBUS);
        pthread_sigmask(SIG_UNBLOCK, &both, NULL);
        siglongjmp(guard.env, 1);
    }
    struct sigaction *previous = number == SIGSEGV ? &previous_segv : &previous_bus;
    bool handled = previous->sa_handler != SIG_DFL && previous->sa_handler != SIG_IGN;
    int error = errno;
    if (handled)
        pass_signal_on(previous, number, info, context);
    else if (!sent || previous->sa_handler == SIG_DFL) /* a fault cannot be ignored */
        take_default(number, info);
    errno = error;
}

int gcn_guard_acquire(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER; /* it is left by a jump, so nothing may stay blocked */
    sigemptyset(&action.sa_mask);
    int done = 1;
    pthread_mutex_lock(&guard_lock);
    if (!guard_users) {
        done = sigaction(SIGSEGV, &action, &previous_segv) == 0;
        if (done && sigaction(SIGBUS, &action, &previous_bus)) {
            sigaction(SIGSEGV, &previous_segv, NULL);
            done = 0;
        }
    }
    guard_users += (unsigned)done;
    pthread_mutex_unlock(&guard_lock);
    return done;
}

/* Takes our handler out, unless another one has been installed since: that one may call ours, which therefore stays and
 * passes everything on. */
static void restore(int number, const struct sigaction *previous)
{
    struct sigaction now;
    if (!sigaction(number, NULL, &now) && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault)
        sigaction(number, previous, NULL);
}

void gcn_guard_release(void)
{
    pthread_mutex_lock(&guard_lock);
    if (--guard_users == 0) {
        restore(SIGSEGV, &previous_segv);
        restore(SIGBUS, &previous_bus);
    }
    pthread_mutex_unlock(&guard_lock);
}

const struct gcn_uop *gcn_raise(struct gcn_wave *w, const struct gcn_uop *op, enum gcn_fault_kind kind,
                                uint64_t address)
{
    uint64_t pc = gcn_unit_pc(w->unit, op);
    w->fault = (struct gcn_fault){.kind = kind, .pc = pc, .address = address};
    gcn_cache_name(w->unit->cache, pc, w->fault.name, sizeof w->fault.name);
    w->stop = GCN_STOP_FAULT;
    w->at = op;
    return NULL;
}

/* Runs W to where it stops. */
static void run_one(struct gcn_wave *w)
{
    const struct gcn_uop *op = w->at;
    w->heated = w->budget;
    guard.wave = w;
    guard.active = 1;
    do
        op = __atomic_load_n(&op->fn, __ATOMIC_ACQUIRE)(w, op);
    while (__builtin_expect(op != NULL, 1));
    guard.active = 0;
    gcn_tier_heat(w->unit, (uint32_t)(w->heated - w->budget), w->stop == GCN_STOP_END);
}

static __attribute__((noinline)) struct gcn_wave *run_all(struct gcn_wave *w, gcn_next_wave *next)
{
    const int32_t budget = w->budget;
    for (;;) {
        run_one(w);
        struct gcn_wave *after = next ? next(w) : NULL;
        if (!after)
            return w;
        w = after;
        w->budget = budget;
    }
}

enum gcn_stop gcn_waves_run(struct gcn_wave **wave, gcn_next_wave *next)
{
    if (sigsetjmp(guard.env, 0)) {
        *wave = guard.wave;
        gcn_raise(*wave, (*wave)->at, GCN_FAULT_MEMORY, guard.address);
    } else {
        *wave = run_all(*wave, next);
    }
    return (*wave)->stop;
}

enum gcn_stop gcn_wave_run(struct gcn_wave *w)
{
    return gcn_waves_run(&w, NULL);
}

bool gcn_guarded(void (*run)(void *data), void *data)
{
    if (sigsetjmp(guard.env, 0))
        return false;
    guard.active = 1;
    run(data);
    guard.active = 0;
    return true;
}

void gcn_mode_changed(struct gcn_wave *w)
{
    uint32_t denorm32 = w->mode >> GCN_MODE_DENORM32 & 3, denorm64 = w->mode >> GCN_MODE_DENORM64 & 3;
    uint32_t ieee = w->mode >> GCN_MODE_IEEE & 1, ovfl = w->mode >> GCN_MODE_FP16_OVFL & 1;
    w->flush32_in = !(denorm32 & 1);
    w->flush32_out = !(denorm32 & 2);
    w->flush64_in = !(denorm64 & 1);
    w->flush64_out = !(denorm64 & 2);
    w->rounding = (w->mode & 0xf) != 0;
    w->plain32 = ieee && !w->rounding && denorm32 == 3;
    w->plain64 = ieee && !w->rounding && denorm64 == 3 && !ovfl;
}
