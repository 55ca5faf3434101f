/* SPDX-License-Identifier: MIT */
/* What a worker does about its own process: see worker_process.h.
 * Input: the socket that it was started with. Output: a process that no terminal and no application notices.
 * Invariant: a signal that ends the process is told to the other end. */
#define _GNU_SOURCE
#include "support/worker_process.h"

#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

enum { HEAP_STEP = 4 << 20 };

static _Alignas(64) char crash_stack[64 << 10];
/* The thread's own, which the address sanitizer gives each thread and frees when that ends. */
static stack_t stack_before;
static void (*say_last_words)(int signal);

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
    say_last_words(number == SIGPROF ? SIGALRM : number);
    _exit(0);
}

static void catch_signals(void)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGALRM, SIGPROF, SIGXCPU};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        sigaction(fatal[i], &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not become so large is not written, which ends nothing */
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
}

/* Closes what an old kernel, which has no close_range(), has let the process inherit. */
static void close_inherited(void)
{
    DIR *list = opendir("/proc/self/fd");
    struct dirent *entry;
    while (list && (entry = readdir(list)) != NULL) {
        int fd = atoi(entry->d_name);
        if (fd > WORKER_SOCKET && fd != dirfd(list))
            close(fd);
    }
    if (list)
        closedir(list);
}

bool worker_become(void (*last_words)(int signal))
{
    struct rlimit no_core = {0, 0};
    if (fcntl(WORKER_SOCKET, F_GETFD) < 0)
        return false;
    fcntl(WORKER_SOCKET, F_SETFD, FD_CLOEXEC);
    close_inherited();
    if (chdir("/"))
        return false;
    prepare_heap();
    setsid(); /* so that an interrupt from the terminal does not reach the worker */
    setrlimit(RLIMIT_CORE, &no_core);
    prctl(PR_SET_DUMPABLE, 0);
    say_last_words = last_words;
    catch_signals();
    return true;
}

void worker_prepare_thread(void)
{
    stack_t stack = {.ss_sp = crash_stack, .ss_size = sizeof crash_stack};
    sigaltstack(&stack, &stack_before);
}

void worker_release_thread(void)
{
    sigaltstack(&stack_before, NULL);
}

void worker_limit_time(uint32_t seconds)
{
    struct itimerval limit = {.it_value.tv_sec = seconds};
    setitimer(ITIMER_PROF, &limit, NULL);
    alarm(WORKER_ELAPSED * seconds);
}
