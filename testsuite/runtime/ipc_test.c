/* SPDX-License-Identifier: MIT */
/* Tests signals that processes share. The test starts itself a second time as another process, which gets two handles.
 * Expected: one process sees what the other does to a signal, and is woken by it. */
#include "testsuite/runtime/common.h"
#include "testsuite/runtime/machine_kernels.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum { ROUNDS = 1000, TEXT = 2 * sizeof(hsa_amd_ipc_signal_t) + 1 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void to_text(const hsa_amd_ipc_signal_t *handle, char text[TEXT])
{
    const unsigned char *bytes = (const void *)handle;
    for (size_t i = 0; i < sizeof *handle; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

static hsa_signal_t attach(const char *text)
{
    hsa_amd_ipc_signal_t handle;
    hsa_signal_t signal = {0};
    for (size_t i = 0; i < sizeof handle; i++) {
        unsigned byte = 0;
        sscanf(text + 2 * i, "%2x", &byte);
        ((unsigned char *)&handle)[i] = (unsigned char)byte;
    }
    hsa_amd_ipc_signal_attach(&handle, &signal);
    return signal;
}

static hsa_signal_value_t wait_for(hsa_signal_t signal, hsa_signal_value_t value)
{
    return hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_EQ, value, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
}

/* ---- the other process ---- */

/* Runs a kernel whose completion signal is a shared one. */
static bool run_kernel(hsa_signal_t done)
{
    static uint64_t number __attribute__((aligned(64)));
    uint64_t kernels[MACHINE_KERNELS];
    hsa_agent_t gpu = agent_named("gfx900", NULL);
    hsa_queue_t *queue = NULL;
    if (!machine_load(gpu, kernels).handle ||
        hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue))
        return false;
    hsa_kernel_dispatch_packet_t packet = kernel_packet(kernels[MACHINE_ADD], 7, done);
    packet.kernarg_address = &number;
    submit(queue, &packet);
    wait_for(done, 0);
    return number == 7;
}

static int other_process(char **texts)
{
    if (hsa_init())
        return 10;
    hsa_signal_t ping = attach(texts[0]), pong = attach(texts[1]), again = attach(texts[1]);
    if (!ping.handle || !pong.handle || !again.handle)
        return 11;
    for (hsa_signal_value_t i = 1; i <= ROUNDS; i++) {
        wait_for(ping, i);
        hsa_signal_store_screlease(pong, i);
    }
    if (hsa_signal_load_scacquire(again) != ROUNDS || hsa_signal_destroy(again))
        return 12;
    wait_for(ping, -5); /* a handler of the first process does this */
    hsa_signal_add_relaxed(pong, 1000000);
    wait_for(ping, -6);
    hsa_signal_store_relaxed(pong, 1);
    if (!run_kernel(pong))
        return 13;
    wait_for(ping, -7); /* the first process has destroyed PONG */
    hsa_amd_ipc_signal_t handle;
    if (hsa_signal_load_relaxed(pong) != 0 || hsa_amd_ipc_signal_create(pong, &handle))
        return 14;
    return hsa_signal_destroy(ping) || hsa_signal_destroy(pong) || hsa_shut_down() ? 15 : 0;
}

/* ---- this process ---- */

static _Atomic hsa_signal_value_t handled;

static bool handler(hsa_signal_value_t value, void *data)
{
    (void)data;
    handled = value;
    return false;
}

static void wrong_arguments(hsa_signal_t shared)
{
    hsa_signal_t plain, signal;
    hsa_amd_ipc_signal_t handle, wrong;
    hsa_signal_create(0, 0, NULL, &plain);
    ok(hsa_amd_ipc_signal_create(plain, &handle) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_ipc_signal_create((hsa_signal_t){0}, &handle) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_ipc_signal_create((hsa_signal_t){shared.handle + 16384}, &handle) ==
               HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_ipc_signal_create(shared, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "a signal that was not made to be shared has no handle");
    hsa_amd_ipc_signal_create(shared, &handle);
    unsigned refused = 0;
    for (size_t i = 0; i < sizeof handle / 4; i++) { /* one word of the handle is made wrong */
        wrong = handle;
        wrong.handle[i] ^= 1;
        refused += hsa_amd_ipc_signal_attach(&wrong, &signal) == HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    memset(&wrong, 0xff, sizeof wrong);
    ok(refused == sizeof handle / 4 &&
           hsa_amd_ipc_signal_attach(&wrong, &signal) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_ipc_signal_attach(NULL, &signal) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_ipc_signal_attach(&handle, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "wrong handles are refused");
    ok(hsa_amd_signal_create(0, 0, NULL, 4, &signal) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_signal_create(0, 0, NULL, HSA_AMD_SIGNAL_IPC, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT &&
           hsa_amd_signal_create(0, 1, NULL, HSA_AMD_SIGNAL_IPC, &signal) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
       "wrong attributes and consumers are refused");
    hsa_signal_destroy(plain);
}

static void two_processes(const char *self, hsa_signal_t ping, hsa_signal_t pong)
{
    hsa_amd_ipc_signal_t handles[2];
    char texts[2][TEXT];
    ok(!hsa_amd_ipc_signal_create(ping, &handles[0]) && !hsa_amd_ipc_signal_create(pong, &handles[1]), "handles");
    to_text(&handles[0], texts[0]);
    to_text(&handles[1], texts[1]);
    pid_t child = fork();
    if (!child) {
        execl("/proc/self/exe", self, texts[0], texts[1], (char *)NULL);
        _exit(9);
    }
    hsa_signal_store_screlease(ping, 1);
    wait_for(pong, 1);
    double start = seconds();
    for (hsa_signal_value_t i = 2; i <= ROUNDS; i++) {
        hsa_signal_store_screlease(ping, i);
        wait_for(pong, i);
    }
    double took = seconds() - start;
    ok(took < 2, "%d round trips wake the other process: %.3f s", ROUNDS, took);
    ok(!hsa_amd_signal_async_handler(pong, HSA_SIGNAL_CONDITION_GTE, 1000000, handler, NULL),
       "a handler waits for a shared signal");
    hsa_signal_store_relaxed(ping, -5);
    for (unsigned i = 0; i < 5000 && !handled; i++)
        usleep(1000);
    ok(handled == ROUNDS + 1000000, "the handler is called when the other process adds to the signal");
    hsa_signal_store_relaxed(ping, -6);
    wait_for(pong, 0);
    ok(true, "a kernel of the other process completes");
    ok(!hsa_signal_destroy(pong), "one process destroys the signal");
    hsa_signal_store_relaxed(ping, -7);
    int status = -1;
    waitpid(child, &status, 0);
    ok(WIFEXITED(status) && !WEXITSTATUS(status), "the signal goes on to exist in the other process: %d",
       WEXITSTATUS(status));
}

int main(int argc, char **argv)
{
    setenv("HSA_GCN_AGENTS", "gfx900", 1);
    if (argc == 3)
        return other_process(argv + 1);
    hsa_signal_t ping, pong, more[20];
    ok(hsa_init() == HSA_STATUS_SUCCESS, "start");
    if (!ok(!hsa_amd_signal_create(0, 0, NULL, HSA_AMD_SIGNAL_IPC, &ping) &&
                !hsa_amd_signal_create(0, 0, NULL, HSA_AMD_SIGNAL_IPC | HSA_AMD_SIGNAL_AMD_GPU_ONLY, &pong),
            "signals to share"))
        return tap_done();
    wrong_arguments(ping);
    two_processes(argv[0], ping, pong);
    ok(!hsa_signal_destroy(ping) && hsa_signal_destroy(ping) == HSA_STATUS_ERROR_INVALID_SIGNAL, "destroyed once");
    bool made = true;
    for (unsigned round = 0; round < 100; round++) {
        for (unsigned i = 0; i < 20; i++) {
            made &= !hsa_amd_signal_create((int)i, 0, NULL, HSA_AMD_SIGNAL_IPC, &more[i]);
            made &= made && hsa_signal_load_relaxed(more[i]) == (hsa_signal_value_t)i;
        }
        for (unsigned i = 0; made && i < 20 && round < 99; i++)
            made &= !hsa_signal_destroy(more[i]);
    }
    ok(made, "2000 signals, one after the other");
    ok(hsa_signal_wait_scacquire(more[3], HSA_SIGNAL_CONDITION_EQ, 7, 1000000, HSA_WAIT_STATE_BLOCKED) == 3,
       "a wait that ends");
    ok(hsa_shut_down() == HSA_STATUS_SUCCESS, "shut down with signals left");
    return tap_done();
}
