/* SPDX-License-Identifier: MIT */
/* Tests signals that a process gets apart from faults of kernels. Each case is a process of its own: it starts the
 * driver with a queue and then does what the case says. How the process must end follows from signal(7). */
#include "hsa/hsa_ext_amd.h"
#include "testsuite/dispatch_packet.h"
#include "testsuite/gcn/driver_core.h"
#include "testsuite/tap.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OWN_EXIT = 9, FAULT_MISSED = 3 };

static const uint32_t bad_address[] = {0x7e000290, 0x7e020280, 0xdc508000, 0x027f0000, 0xbf810000};
static struct core_kernel *kernel;
static struct core_queue *queue;
static volatile sig_atomic_t calls;
static void *volatile address;

static void count(int number)
{
    (void)number;
    calls++;
}

static void leave(int number, siginfo_t *info, void *context)
{
    (void)number, (void)context;
    address = info->si_addr;
    _exit(info->si_addr == (void *)16 ? OWN_EXIT : 1);
}

static void install(void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigaction(SIGSEGV, &action, NULL);
}

static void start(void)
{
    if (!core_start())
        _exit(2);
    queue = core_queue_new();
}

/* Runs a kernel that faults; the process ends with FAULT_MISSED unless the queue reports that. */
static void fault(void)
{
    core_load(kernel, bad_address, sizeof bad_address / 4);
    hsa_kernel_dispatch_packet_t packet = dispatch_packet((uint64_t)(uintptr_t)kernel, 64, 64);
    core_submit(queue, &packet, true);
    if (!core_wait_error() || core.error != (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT)
        _exit(FAULT_MISSED);
}

/* Accesses an invalid address by an instruction in assembly, as a sanitizer would check an access in C first. */
static void touch_nothing(void)
{
    __asm__ volatile("movl $1, 16" : : : "memory");
}

static int all_blocked(void)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    start();
    fault();
    return 0;
}

static int not_ours(void)
{
    sigset_t one, pending;
    sigemptyset(&one);
    sigaddset(&one, SIGTERM);
    signal(SIGTERM, count);
    start();
    pthread_sigmask(SIG_BLOCK, &one, NULL);
    kill(getpid(), SIGTERM);
    usleep(20000);
    sigpending(&pending);
    return calls || !sigismember(&pending, SIGTERM);
}

static int sent_by_default(void)
{
    start();
    kill(getpid(), SIGSEGV);
    usleep(100000);
    return 0;
}

static int sent_and_ignored(void)
{
    signal(SIGSEGV, SIG_IGN);
    start();
    for (int i = 0; i < 3; i++)
        kill(getpid(), SIGSEGV);
    usleep(1000);
    fault();
    return 0;
}

static int sent_to_handler(void)
{
    install(count, 0);
    start();
    for (int i = 0; i < 3; i++)
        raise(SIGSEGV);
    fault();
    raise(SIGSEGV);
    return calls != 4;
}

static int sent_to_handler_once(void)
{
    install(count, (int)SA_RESETHAND);
    start();
    raise(SIGSEGV);
    raise(SIGSEGV);
    return 0;
}

static int sent_to_handler_of_bus(void)
{
    signal(SIGBUS, count);
    start();
    raise(SIGBUS);
    return calls != 1;
}

static int own_fault(void)
{
    struct sigaction action = {.sa_sigaction = leave, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    start();
    fault();
    touch_nothing();
    return 0;
}

static int own_fault_by_default(void)
{
    start();
    touch_nothing();
    return 0;
}

static int own_fault_ignored(void)
{
    signal(SIGSEGV, SIG_IGN);
    start();
    touch_nothing();
    return 0;
}

static struct sigaction replaced;

static void call_replaced(int number, siginfo_t *info, void *context)
{
    calls++;
    replaced.sa_sigaction(number, info, context);
}

static int installed_later(void)
{
    struct sigaction action = {.sa_sigaction = call_replaced, .sa_flags = SA_SIGINFO};
    start();
    sigaction(SIGSEGV, &action, &replaced);
    fault();
    core_queue_free(queue);
    queue = core_queue_new();
    core.errors = 0;
    core_unload(kernel);
    fault();
    return calls != 2;
}

static int gone(void)
{
    struct sigaction now;
    start();
    core_queue_free(queue);
    core_stop();
    sigaction(SIGSEGV, NULL, &now);
    return now.sa_handler != SIG_DFL;
}

static const struct {
    const char *name;
    int (*run)(void);
    int number, code; /* the signal that ends the process, or its exit status */
} cases[] = {
    {"a fault is reported where the program blocks all signals", all_blocked, 0, 0},
    {"a signal of the program is not taken by threads of the runtime", not_ours, 0, 0},
    {"SIGSEGV from outside ends the process", sent_by_default, SIGSEGV, 0},
    {"SIGSEGV from outside is ignored if the program says so", sent_and_ignored, 0, 0},
    {"SIGSEGV from outside reaches the program's handler each time", sent_to_handler, 0, 0},
    {"a handler for one time is called once", sent_to_handler_once, SIGSEGV, 0},
    {"SIGBUS from outside reaches the program's handler", sent_to_handler_of_bus, 0, 0},
    {"a fault of the program reaches its handler, with the address", own_fault, 0, OWN_EXIT},
    {"a fault of the program ends it", own_fault_by_default, SIGSEGV, 0},
    {"a fault of the program ends it even if ignored", own_fault_ignored, SIGSEGV, 0},
    {"a handler that is installed later can pass on faults of kernels", installed_later, 0, 0},
    {"no handler is left when the driver has gone", gone, 0, 0},
};

int main(void)
{
    setenv("HSA_GCN_THREADS", "2", 1);
    kernel = aligned_alloc(256, sizeof *kernel);
    for (size_t i = 0; kernel && i < sizeof cases / sizeof cases[0]; i++) {
        int status = -1;
        fflush(stdout);
        pid_t child = fork();
        if (!child) {
            signal(SIGSEGV, SIG_DFL); /* a sanitizer has its own */
            alarm(60);
            _exit(cases[i].run());
        }
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 1;
        bool good = cases[i].number ? WIFSIGNALED(status) && WTERMSIG(status) == cases[i].number
                                    : WIFEXITED(status) && WEXITSTATUS(status) == cases[i].code;
        ok(good, "%s (status 0x%x)", cases[i].name, (unsigned)status);
    }
    free(kernel);
    return tap_done();
}
