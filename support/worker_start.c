/* SPDX-License-Identifier: MIT */
/* Starting a worker from inside of any process.
 * Input: the place of this library. Output: a socket to a running worker.
 *
 * The process may have threads, signal handlers, and children it waits for. So the worker is a grandchild, whose parent
 * ends at once and signals nobody; memory is shared until the worker's program is loaded, as in vfork(), and no signal
 * handler runs meanwhile. It inherits neither files nor a terminal.
 * Invariant: between clone() and execve() only system calls are made. */
#define _GNU_SOURCE
#include "support/worker_process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STACK = 64 << 10 };

extern char **environ;

struct launch {
    char *stack; /* the worker's until its program is loaded */
    const char *path, *name;
    int fd;
};

/* The steps run in the memory of the calling process. The address sanitizer would mark their stack there, and the marks
 * would outlive the stack; the thread sanitizer would take their calls, none of which returns, for the caller's. */
#define SHARES_MEMORY __attribute__((no_sanitize("address", "thread", "undefined")))

/* Sanitizers intercept the library's functions, and would take one that does not return for one still running. */
#define CALL(name, ...) syscall(SYS_##name, __VA_ARGS__)
#ifdef __SANITIZE_THREAD__
int __clone(int (*run)(void *), void *stack, int flags, void *data, ...); /* TSan takes clone() for a fork */
#define clone __clone
#endif

SHARES_MEMORY static int become_worker(void *data)
{
    const struct launch *launch = data;
    char *const arguments[] = {(char *)(uintptr_t)launch->name, NULL};
    long fd = CALL(fcntl, launch->fd, F_DUPFD, WORKER_SOCKET + 1),
         nothing = CALL(openat, AT_FDCWD, "/dev/null", O_RDWR);
    if (fd < 0 || nothing < 0)
        CALL(exit_group, 127);
    for (int i = 0; i < WORKER_SOCKET; i++)
        CALL(dup3, nothing, i, 0);
    CALL(dup3, fd, WORKER_SOCKET, 0);
#ifdef SYS_close_range
    CALL(close_range, WORKER_SOCKET + 1, ~0u, 0);
#endif
    CALL(execve, launch->path, arguments, environ);
    CALL(exit_group, 127);
    return 0;
}

SHARES_MEMORY static int start_and_end(void *data)
{
    struct launch *launch = data;
    clone(become_worker, launch->stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, launch);
    CALL(exit_group, 0);
    return 0;
}

/* Runs the two steps with all signals blocked. */
static bool spawn(const char *path, const char *name, int fd)
{
    char *stacks = mmap(NULL, 2 * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    struct launch launch = {stacks, path, name, fd};
    sigset_t all, before;
    if (stacks == MAP_FAILED)
        return false;
    int error = errno;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = clone(start_and_end, stacks + 2 * STACK, CLONE_VM | CLONE_VFORK, &launch);
    if (pid > 0)
        waitpid(pid, NULL, __WCLONE);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    munmap(stacks, 2 * STACK);
    return pid > 0;
}

int worker_launch(const struct companion *program, const char *chosen)
{
    char path[COMPANION_PATH];
    int ends[2];
    if (chosen ? *chosen != '/' || snprintf(path, sizeof path, "%s", chosen) >= (int)sizeof path
               : !companion_find(program, path))
        return -1;
    if (access(path, X_OK) || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return -1;
    bool started = spawn(path, program->name, ends[1]);
    close(ends[1]);
    if (!started) {
        close(ends[0]);
        return -1;
    }
    return ends[0];
}

bool worker_greets(int fd, const void *expected, size_t size)
{
    uint8_t greeting[WORKER_GREETING_MAX];
    return size <= sizeof greeting && worker_receive(fd, greeting, size) && !memcmp(greeting, expected, size);
}
