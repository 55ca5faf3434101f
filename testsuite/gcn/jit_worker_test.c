/* SPDX-License-Identifier: MIT */
/* Tests the process that compiles for the software GPU: whatever happens to it, kernels run and the application's
 * children, signals and files are not disturbed; and it ends with the process that it works for.
 *
 * This program is also the worker that fails, in the way that BAD_WORKER names. The expected sums follow from the loop.
 */
#include "config.h"

#include "runtime/gcn/jit/protocol.h"
#include "runtime/gcn/jit/tier.h"
#include "support/worker_process.h"
#include "testsuite/gcn/loop_kernel.h"
#include "testsuite/open_files.h"
#include "testsuite/tap.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct gcn_wave wave __attribute__((aligned(64)));
static const struct gcn_engine *engine;

/* The worker that fails */

struct object {
    Elf64_Ehdr header;
    Elf64_Shdr sections[4]; /* none, code, symbols, names */
    Elf64_Rela relas[1];
    Elf64_Sym symbols[2];
    char names[16];
    uint8_t code[16];
};

/* An object file whose code is a jump to the first handler. */
static struct object make_object(void)
{
    struct object o = {.header = {.e_ident = ELFMAG, .e_type = ET_REL, .e_machine = EM_X86_64, .e_shnum = 4},
                       .names = "\0handler0"};
    o.header.e_ident[EI_CLASS] = ELFCLASS64;
    o.header.e_shoff = offsetof(struct object, sections);
    o.header.e_shentsize = sizeof(Elf64_Shdr);
    o.sections[0] = (Elf64_Shdr){
        .sh_type = SHT_RELA, .sh_offset = offsetof(struct object, relas), .sh_size = sizeof o.relas, .sh_info = 1};
    o.sections[1] = (Elf64_Shdr){
        .sh_type = SHT_PROGBITS,
        .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
        .sh_offset = offsetof(struct object, code),
        .sh_size = sizeof o.code,
        .sh_addralign = 16};
    o.sections[2] = (Elf64_Shdr){.sh_type = SHT_SYMTAB,
                                 .sh_offset = offsetof(struct object, symbols),
                                 .sh_size = sizeof o.symbols,
                                 .sh_link = 3};
    o.sections[3] =
        (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_offset = offsetof(struct object, names), .sh_size = sizeof o.names};
    o.symbols[0] = (Elf64_Sym){.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 1};
    o.symbols[1] = (Elf64_Sym){.st_name = 1, .st_shndx = SHN_UNDEF};
    o.relas[0] = (Elf64_Rela){.r_offset = 8, .r_info = ELF64_R_INFO(1, R_X86_64_64)};
    memcpy(o.code, "\xff\x25\x02\0\0\0", 6); /* jmp *2(%rip) */
    return o;
}

/* Makes wrong what KIND says. */
static void damage(struct object *object, const char *kind)
{
    if (!strcmp(kind, "elf sections"))
        object->header.e_shoff = UINT64_MAX - 7;
    else if (!strcmp(kind, "elf section"))
        object->sections[1].sh_offset = UINT64_MAX - 4;
    else if (!strcmp(kind, "elf size"))
        object->sections[1] = (Elf64_Shdr){.sh_type = SHT_NOBITS, .sh_flags = SHF_ALLOC, .sh_size = UINT64_MAX - 100};
    else if (!strcmp(kind, "elf align"))
        object->sections[1].sh_addralign = UINT64_C(1) << 62;
    else if (!strcmp(kind, "elf place"))
        object->relas[0].r_offset = UINT64_MAX - 2;
    else if (!strcmp(kind, "elf end"))
        object->relas[0].r_offset = sizeof object->code - 7;
    else if (!strcmp(kind, "elf symbol"))
        object->relas[0].r_info = ELF64_R_INFO(1 << 30, R_X86_64_64);
    else if (!strcmp(kind, "elf name"))
        object->symbols[1].st_name = 1 << 30;
    else if (!strcmp(kind, "elf names"))
        memset(object->names, 'h', sizeof object->names);
    else if (!strcmp(kind, "elf import"))
        memcpy(object->names + 1, "handler9", 8);
    else if (!strcmp(kind, "elf link"))
        object->sections[2].sh_link = 77;
    else if (!strcmp(kind, "elf type"))
        object->relas[0].r_info = ELF64_R_INFO(1, R_X86_64_COPY);
    else if (!strcmp(kind, "elf entry"))
        object->symbols[0].st_value = 1 << 30;
    else if (!strcmp(kind, "elf shndx"))
        object->symbols[0].st_shndx = 0x1234;
}

static bool receive_request(uint32_t *ops)
{
    struct jit_request request;
    char byte;
    if (!worker_receive(WORKER_SOCKET, &request, sizeof request))
        return false;
    *ops = request.ops;
    for (size_t i = 0; i < request.ops * sizeof(struct jit_op) + (size_t)4 * request.constant_words; i++)
        if (!worker_receive(WORKER_SOCKET, &byte, 1))
            return false;
    return true;
}

static int fail(const char *kind)
{
    struct jit_greeting greeting = JIT_GREETING;
    struct jit_engine described;
    struct jit_reply reply = {.magic = JIT_MAGIC};
    uint32_t ops;
    if (!strcmp(kind, "mute"))
        return 0;
    greeting.layout += !strcmp(kind, "other layout");
    greeting.build[sizeof GCN_BUILD_STAMP - 2] ^= !strcmp(kind, "other build");
    if (!worker_send(WORKER_SOCKET, &greeting, sizeof greeting) ||
        !worker_receive(WORKER_SOCKET, &described, sizeof described) || !strcmp(kind, "early"))
        return 0;
    while (receive_request(&ops)) {
        if (!strcmp(kind, "exit"))
            return 0;
        if (!strcmp(kind, "hang"))
            for (char byte; worker_receive(WORKER_SOCKET, &byte, 1);)
                ;
        reply.magic += !strcmp(kind, "garbage");
        reply.signal = !strcmp(kind, "signal") ? SIGSEGV : 0;
        struct object object = make_object();
        damage(&object, kind);
        uint8_t *entries = calloc(ops, 1);
        entries[0] = 1;
        reply.size = !strcmp(kind, "nothing") ? 0 : !strcmp(kind, "huge") ? UINT64_MAX : sizeof object;
        worker_send(WORKER_SOCKET, &reply, sizeof reply);
        if (reply.size) {
            worker_send(WORKER_SOCKET, entries, ops);
            worker_send(WORKER_SOCKET, &object, strcmp(kind, "short") ? sizeof object : 40);
        }
        free(entries);
        if (!strcmp(kind, "short"))
            return 0;
    }
    return 0;
}

/* Running */

static bool run(struct gcn_cache *cache, uint32_t count)
{
    return run_loop(&wave, cache, count);
}

/* Processes called NAME that have not ended; DIRECTORY gets that of one of them, or what prevents it. */
static unsigned find_processes(const char *name, char directory[64])
{
    unsigned count = 0;
    DIR *folder = opendir("/proc");
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        char path[300], comm[64] = "", state = 'Z';
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        FILE *stat = fopen(path, "r");
        if (stat && fscanf(stat, "%*d (%63[^)]) %c", comm, &state) == 2 && !strcmp(comm, name))
            count += state != 'Z' && state != 'X';
        if (stat)
            fclose(stat);
        if (directory && !strcmp(comm, name)) {
            snprintf(path, sizeof path, "/proc/%s/cwd", entry->d_name);
            ssize_t size = readlink(path, directory, 63);
            snprintf(directory + (size > 0 ? size : 0), 64 - (size_t)(size > 0 ? size : 0), "%s",
                     size < 0 ? strerror(errno) : "");
        }
    }
    if (folder)
        closedir(folder);
    return count;
}

static unsigned count_processes(const char *name)
{
    return find_processes(name, NULL);
}

static bool all_end(const char *name)
{
    time_t until = time(NULL) + 60;
    while (count_processes(name) && time(NULL) < until)
        usleep(10000);
    return !count_processes(name);
}

/* Runs in a process of its own, as a tier that has given up does not try again. Two units are compiled, one after the
 * other; both must run right, and COMPILED of them be compiled. */
static bool runs_with(const char *kind, unsigned compiled)
{
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        bool right = true;
        alarm(120);
        setenv("BAD_WORKER", kind, 1);
        gcn_tier_set_mode(GCN_TIER_NOW, GCN_JIT_WHOLE | GCN_JIT_KEEP);
        for (unsigned i = 0; i < 2; i++) {
            struct gcn_cache *cache = new_loop_cache(engine);
            right &= run(cache, 100 + i);
            gcn_cache_free(cache);
        }
        _exit(!right + 2 * (gcn_tier_count() != compiled));
    }
    waitpid(child, &status, 0);
    return status == 0;
}

static void test_failures(void)
{
    static const char *const kinds[] = {
        "mute",       "other build", "other layout", "early",       "exit",     "garbage",   "signal",    "nothing",
        "huge",       "short",       "elf sections", "elf section", "elf size", "elf align", "elf place", "elf end",
        "elf symbol", "elf name",    "elf names",    "elf import",  "elf link", "elf type",  "elf entry", "elf shndx"};
    ok(runs_with("none", 2), "the worker that does not fail gives code");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        ok(runs_with(kinds[i], 0), "kernels are interpreted with a worker that fails: %s", kinds[i]);
}

/* A worker that does not answer keeps neither code nor caches from going away. */
static void test_hanging(void)
{
    time_t until = time(NULL) + 120;
    setenv("BAD_WORKER", "hang", 1);
    alarm(240);
    unsigned files = open_files();
    gcn_tier_set_mode(GCN_TIER_AUTO, GCN_JIT_KEEP);
    struct gcn_cache *cache = new_loop_cache(engine);
    bool right = true;
    while (open_files() == files && time(NULL) < until)
        right &= run(cache, 100000);
    right &= run(cache, 100000);
    gcn_cache_free(cache);
    alarm(0);
    ok(right && open_files() == files, "a worker that does not answer is left when the code goes away");
    unsetenv("BAD_WORKER");
}

/* A program waits for a worker that hangs, but not for minutes if the unit is small. */
static void test_waiting(void)
{
    bool longer = true;
    for (uint32_t ops = 1; ops < UINT32_C(1) << 31; ops *= 2)
        longer &= jit_answer_seconds(ops) > WORKER_ELAPSED * jit_unit_seconds(ops) &&
                  jit_unit_seconds(ops) <= jit_unit_seconds(2 * ops);
    ok(longer, "the answer may take longer than the worker, and larger units longer than smaller ones");
    ok(jit_answer_seconds(100) <= 30 && jit_answer_seconds(UINT32_MAX) <= 210, "it may take half a minute, or 210 s");
}

static volatile sig_atomic_t children_died;

static void on_child(int number)
{
    (void)number;
    children_died = 1;
}

/* The pipe is at its end once all writers are gone, and a worker that had inherited it would be one. */
static void test_undisturbed(const char *name)
{
    char byte, directory[64] = "";
    int ends[2];
    if (pipe(ends))
        return;
    signal(SIGCHLD, on_child);
    unsigned files = open_files(), before = gcn_tier_count();
    gcn_tier_set_mode(GCN_TIER_NOW, GCN_JIT_KEEP);
    struct gcn_cache *cache = new_loop_cache(engine);
    ok(run(cache, 1000) && gcn_tier_count() == before + 1, "a loop is compiled");
    ok(open_files() == files + 1 && count_processes(name) == 1, "there is one worker, and one more open file");
    ok(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "the worker is no child");
    find_processes(name, directory);
    if (!strcmp(directory, strerror(EACCES)))
        tap_skip("the worker leaves the application's directory", "only root sees where it is");
    else
        ok(!strcmp(directory, "/"), "the worker leaves the application's directory (%s)", directory);
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    ok(read(ends[0], &byte, 1) == 0, "the worker does not inherit files");
    close(ends[0]);
    gcn_cache_free(cache);
    ok(open_files() == files - 2 && all_end(name), "the worker ends when nothing needs it any more");
    ok(!children_died, "there was no SIGCHLD");
    signal(SIGCHLD, SIG_DFL);
}

/* When a process is killed, its worker ends, too, although a child of that process goes on, until HOLD is closed. */
static void test_killed(const char *name)
{
    int ends[2], hold[2], status;
    char byte;
    if (pipe(ends) || pipe(hold))
        return;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        close(hold[1]);
        run(new_loop_cache(engine), 1000);
        bool told = fork() && write(ends[1], "x", 1) == 1;
        _exit(read(hold[0], &byte, 1) != 0 || !told);
    }
    bool ready = read(ends[0], &byte, 1) == 1 && count_processes(name) == 1;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    ok(ready && all_end(name), "the worker ends when the process is killed");
    close(ends[0]);
    close(ends[1]);
    close(hold[0]);
    close(hold[1]);
}

/* What the worker cannot write to FOLDER, because the user limits the sizes of files, does not end it. */
static void test_limited(const char *folder)
{
    const struct rlimit limit = {64, 64};
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        unsigned before = gcn_tier_count();
        setenv("HSA_GCN_JIT_CACHE", folder, 1);
        bool right = !setrlimit(RLIMIT_FSIZE, &limit) && run(new_loop_cache(engine), 1000);
        _exit(!right || gcn_tier_count() != before + 1);
    }
    waitpid(child, &status, 0);
    ok(status == 0, "a loop is compiled where its code is too large a file");
}

/* The folder of this process's worker, which has a link to that, and what test_limited() has it write. */
static char folder[] = "/tmp/hsail-worker.XXXXXX";
static pid_t folder_owner;

static void remove_folder(void)
{
    char path[512];
    if (getpid() != folder_owner)
        return;
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (list)
        closedir(list);
    rmdir(folder);
}

int main(void)
{
    const char *kind = getenv("BAD_WORKER"), *real = getenv("HSA_GCN_JIT_WORKER");
    char self[4096] = "", name[16], path[128];
    if (kind && fcntl(WORKER_SOCKET, F_GETFD) >= 0)
        return fail(kind);
    engine = gcn_engine_select("avx2");
    if (!engine) {
        tap_skip("compiling in another process", "the host has no AVX2");
        return tap_done();
    }
    if (!gcn_guard_acquire() || readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return 99;
    setenv("HSA_GCN_JIT_WORKER", self, 1);
    test_failures();
    test_hanging();
    test_waiting();
    if (!real || access(real, X_OK)) {
        tap_skip("a worker that compiles", "it is not built");
        return tap_done();
    }
    /* a link of this name shows in the list of processes */
    snprintf(name, sizeof name, "gw%ld", (long)getpid());
    if (!mkdtemp(folder))
        return 99;
    folder_owner = getpid();
    atexit(remove_folder);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (symlink(real, path))
        return 99;
    setenv("HSA_GCN_JIT_WORKER", path, 1);
    test_undisturbed(name);
    test_killed(name);
    test_limited(folder);
    gcn_guard_release();
    return tap_done();
}
