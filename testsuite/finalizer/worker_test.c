/* SPDX-License-Identifier: MIT */
/* Tests compiling in another process: whatever happens to that process, the call returns, and the caller's children,
 * signals, files and forks are not disturbed. */
#include "hsail/finalize.h"
#include "hsail/hsail.h"
#include "testsuite/finding.h"
#include "testsuite/open_files.h"
#include "testsuite/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static hsail_finalize_module_t module;
static volatile sig_atomic_t children_died;

static void on_child(int number)
{
    (void)number;
    children_died = 1;
}

/* The size of the code object, or 0. */
static size_t compile(struct finding *finding)
{
    void *code = NULL;
    size_t size = 0;
    *finding = (struct finding){0};
    hsail_status_t status = hsail_finalize(&module, 1, "gfx900", "-O2", keep_finding, finding, &code, &size);
    hsail_finalize_free(code);
    return status == HSAIL_STATUS_OK ? size : 0;
}

static void *compile_often(void *data)
{
    struct finding finding;
    for (int i = 0; i < 8; i++)
        *(bool *)data &= compile(&finding) != 0;
    return NULL;
}

/* Tests a value of BAD_WORKER; the call must succeed or not, and PART must be in its message or its warning. */
static void test_bad(const char *kind, bool succeeds, const char *part)
{
    struct finding finding;
    setenv("BAD_WORKER", kind, 1);
    size_t size = compile(&finding);
    ok(size == (succeeds ? 4 : 0) && strstr(finding.message, part), "a worker that fails: %s", kind);
    if (!strstr(finding.message, part))
        printf("# %s\n", finding.message);
}

/* The first compilation starts a worker. It must not inherit a pipe of this process: the pipe is at its end once all
 * writers are gone, and the worker would be one. */
static void test_undisturbed(void)
{
    struct finding finding;
    char byte;
    int ends[2];
    if (pipe(ends))
        return;
    signal(SIGCHLD, on_child);
    unsigned before = open_files();
    ok(compile(&finding), "the first compilation succeeds");
    ok(open_files() == before + 1, "there is one more open file, that of a worker");
    ok(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "the worker is no child");
    ok(!children_died, "the worker does not send SIGCHLD");
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    ok(read(ends[0], &byte, 1) == 0, "the worker does not inherit files");
    close(ends[0]);
    for (int i = 0; i < 5; i++)
        compile(&finding);
    ok(open_files() == before - 1, "the worker is used again");
    signal(SIGCHLD, SIG_DFL);
}

static void test_fork(void)
{
    struct finding finding;
    pid_t child = fork();
    if (!child)
        _exit(compile(&finding) ? 0 : 1);
    bool parent = compile(&finding) != 0;
    int status = -1;
    waitpid(child, &status, 0);
    ok(parent && status == 0, "parent and child compile after fork()");
}

static void test_threads(void)
{
    pthread_t threads[4];
    bool good[4] = {true, true, true, true};
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, compile_often, &good[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    ok(good[0] && good[1] && good[2] && good[3], "four threads compile at once");
}

int main(void)
{
    static const char text[] = "module &m:1:2:$full:$large:$near;\nprog kernel &simple(kernarg_u64 %p) {\n"
                               "ld_kernarg_u64 $d0, [%p]; st_global_u32 7, [$d0];\n};\n";
    const char *build = getenv("builddir");
    char path[4096], folder[2048];
    struct finding finding;
    hsail_context_t *context;
    hsail_module_t *assembled = NULL;
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK ||
        hsail_assemble(context, "a", text, strlen(text), 0, &assembled) != HSAIL_STATUS_OK)
        return 99;
    module = (hsail_finalize_module_t){hsail_module_data(assembled), hsail_module_size(assembled)};
    if (!realpath(build ? build : ".", folder))
        return 99;
    snprintf(path, sizeof path, "%s/testsuite/finalizer/bad_worker", folder);
    setenv("HSAIL_FINALIZER_WORKER", path, 1);
    test_bad("exit", false, "&simple");
    test_bad("garbage", false, "&simple");
    test_bad("always", false, "signal 11");
    test_bad("optimized", true,
             "kernel &simple, first of 1: LLVM's code generator failed with signal 11; the program is "
             "compiled with less optimization");
    test_bad("scheduled", true, "failed with signal 11; the program is compiled with less");
    setenv("HSAIL_FINALIZER_WORKER", "/nonexistent", 1);
    unsetenv("BAD_WORKER");
    ok(compile(&finding) > 4, "compiles in this process when there is no worker");
    setenv("HSAIL_FINALIZER_WORKER", "0", 1);
    ok(compile(&finding) > 4, "compiles in this process when asked to");
    unsetenv("HSAIL_FINALIZER_WORKER");
    test_undisturbed();
    test_fork();
    test_threads();
    hsail_module_destroy(assembled);
    hsail_context_destroy(context);
    return tap_done();
}
