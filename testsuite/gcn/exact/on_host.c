/* SPDX-License-Identifier: MIT */
/* Executes the programs of this folder on the host, compiled as C.
 *
 * Input: a program. Output: its results. The work-items of a group take turns at barriers, each on a stack of its own;
 * one group runs after the other. */
#include "testsuite/gcn/exact/programs.h"
#include "testsuite/gcn/exact/work_item.h"

#include "testsuite/gcn/exact/hashes.cl"
#include "testsuite/gcn/exact/numbers.cl"
#include "testsuite/gcn/exact/shared.cl"
#include "testsuite/gcn/exact/sorts.cl"
#include "testsuite/gcn/exact/words.cl"

#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { STACK = 64 << 10 };

const struct program programs[] = {
#define PROGRAM_ROW(name, groups, words) {#name, name, groups, GROUP, words},
#include "testsuite/gcn/exact/programs.def"
#undef PROGRAM_ROW
};
const unsigned program_count = sizeof programs / sizeof programs[0];

static ucontext_t scheduler, items[GROUP];
static const struct program *running;
static uint *running_results;
static uint item, group, passed[GROUP];
static bool ended[GROUP];
static unsigned left, arrived, barriers; /* not ended; at the barrier; barriers that all have passed */

uint host_item(void)
{
    return item;
}

uint host_group(void)
{
    return group;
}

void make_way(void)
{
    swapcontext(&items[item], &scheduler);
}

void group_barrier(void)
{
    unsigned before = barriers;
    if (++arrived == left) {
        arrived = 0;
        barriers++;
    }
    while (barriers == before)
        make_way();
}

uint host_exchange(uint x, uint source)
{
    passed[item] = x;
    group_barrier();
    uint y = passed[item / WAVE * WAVE + source];
    group_barrier();
    return y;
}

uint host_receive(uint x, uint target)
{
    passed[item / WAVE * WAVE + target] = x;
    group_barrier();
    uint y = passed[item];
    group_barrier();
    return y;
}

ulong host_ballot(bool x)
{
    ulong all = 0;
    passed[item] = x;
    group_barrier();
    for (unsigned i = 0; i < WAVE; i++)
        all |= (ulong)passed[item / WAVE * WAVE + i] << i;
    group_barrier();
    return all;
}

static void run_item(void)
{
    running->run(running_results);
    ended[item] = true;
    left--;
}

static void run_group(char *stacks)
{
    left = GROUP;
    memset(ended, 0, sizeof ended);
    for (item = 0; item < GROUP; item++) {
        getcontext(&items[item]);
        items[item].uc_stack.ss_sp = stacks + item * STACK;
        items[item].uc_stack.ss_size = STACK;
        items[item].uc_link = &scheduler;
        makecontext(&items[item], run_item, 0);
    }
    while (left)
        for (item = 0; item < GROUP; item++)
            if (!ended[item])
                swapcontext(&scheduler, &items[item]);
}

void run_on_host(const struct program *program, uint32_t *results)
{
    char *stacks = malloc((size_t)GROUP * STACK);
    running = program;
    running_results = results;
    memset(results, 0, program->words * sizeof *results);
    for (group = 0; stacks && group < program->groups; group++)
        run_group(stacks);
    free(stacks);
}
