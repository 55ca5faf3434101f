/* SPDX-License-Identifier: MIT */
/* Which part of a HIP program's run is spent in the HSA runtime: a library for LD_AUDIT (rtld-audit(7)), for
 * hip_bench.sh. Input: the calls that other libraries make of functions whose names begin with hsa_. Output: at the end
 * of the process a line in the form of bench/bench.h: the time of the whole process, divided by that without the time
 * that the first thread was in those calls. Whatever HIP waits for in them counts as time of the runtime. */
#define _GNU_SOURCE
#include "bench/bench.h"

#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static double began, inside, entered;
static unsigned depth;

unsigned la_version(unsigned version);
unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie);
uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to, unsigned *flags,
                       const char *name);
Elf64_Addr la_x86_64_gnu_pltenter(Elf64_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to,
                                  La_x86_64_regs *registers, unsigned *flags, const char *name, long *frame);
unsigned la_x86_64_gnu_pltexit(Elf64_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to,
                               const La_x86_64_regs *before, La_x86_64_retval *after, const char *name);

static int is_first_thread(void)
{
    return syscall(SYS_gettid) == getpid();
}

unsigned la_version(unsigned version)
{
    began = bench_clock();
    return version < LAV_CURRENT ? version : LAV_CURRENT;
}

unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie)
{
    (void)map, (void)space, (void)cookie;
    return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to, unsigned *flags,
                       const char *name)
{
    (void)index, (void)from, (void)to;
    if (strncmp(name, "hsa_", 4) != 0)
        *flags = LA_SYMB_NOPLTENTER | LA_SYMB_NOPLTEXIT;
    return symbol->st_value;
}

Elf64_Addr la_x86_64_gnu_pltenter(Elf64_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to,
                                  La_x86_64_regs *registers, unsigned *flags, const char *name, long *frame)
{
    enum { ARGUMENTS_ON_STACK = 256 };
    (void)index, (void)from, (void)to, (void)registers, (void)flags, (void)name;
    if (is_first_thread() && !depth++)
        entered = bench_clock();
    *frame = ARGUMENTS_ON_STACK; /* otherwise the end of the call is not told */
    return symbol->st_value;
}

unsigned la_x86_64_gnu_pltexit(Elf64_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to,
                               const La_x86_64_regs *before, La_x86_64_retval *after, const char *name)
{
    (void)symbol, (void)index, (void)from, (void)to, (void)before, (void)after, (void)name;
    if (is_first_thread() && !--depth)
        inside += bench_clock() - entered;
    return 0;
}

__attribute__((destructor)) static void report(void)
{
    double all = bench_clock() - began;
    bench_figure("HIP: a process with one kernel", all * 1e3, "ms");
    bench_figure("HIP: of that in the HSA runtime", inside * 1e3, "ms");
    bench_at_most("HIP: start-up, compared with HIP's own part", all / (all - inside), "times", 1.1);
}
