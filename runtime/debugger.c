/* SPDX-License-Identifier: MIT */
/* The list of loaded code objects, as debuggers and profilers read it from outside the process.
 *
 * Input: code objects that are frozen or unloaded. Output: _amdgpu_r_debug, laid out as the dynamic linker's r_debug:
 * a debugger stops at r_brk, which is called before and after every change. Invariant: the list is whole whenever the
 * state is RT_CONSISTENT. */
#include "runtime/executable.h"

#include <link.h>

enum { LIST_VERSION = 6 }; /* the version of this list that AMD's debugger library expects */

/* A debugger sets a breakpoint on this function. */
__attribute__((noinline)) static void list_changes(void)
{
    __asm__ volatile("" ::: "memory");
}

HSA_API extern struct r_debug _amdgpu_r_debug;
struct r_debug _amdgpu_r_debug = {.r_version = LIST_VERSION, .r_state = RT_CONSISTENT};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void announce_state(int state)
{
    _amdgpu_r_debug.r_brk = (uintptr_t)list_changes;
    _amdgpu_r_debug.r_state = state;
    list_changes();
}

void debugger_add(struct loaded *loaded)
{
    struct link_map *entry = &loaded->entry, *last = NULL;
    pthread_mutex_lock(&lock);
    announce_state(RT_ADD);
    for (struct link_map *at = _amdgpu_r_debug.r_map; at; at = at->l_next)
        last = at;
    *entry = (struct link_map){
        .l_addr = (uintptr_t)loaded->memory->base - loaded->object->low, .l_name = loaded->uri, .l_prev = last};
    if (last)
        last->l_next = entry;
    else
        _amdgpu_r_debug.r_map = entry;
    announce_state(RT_CONSISTENT);
    pthread_mutex_unlock(&lock);
}

void debugger_remove(struct loaded *loaded)
{
    struct link_map *entry = &loaded->entry;
    if (!entry->l_name)
        return;
    pthread_mutex_lock(&lock);
    announce_state(RT_DELETE);
    if (entry->l_prev)
        entry->l_prev->l_next = entry->l_next;
    else
        _amdgpu_r_debug.r_map = entry->l_next;
    if (entry->l_next)
        entry->l_next->l_prev = entry->l_prev;
    announce_state(RT_CONSISTENT);
    pthread_mutex_unlock(&lock);
}

void debugger_visit(void (*visit)(struct loaded *loaded, void *data), void *data)
{
    pthread_mutex_lock(&lock);
    for (struct link_map *at = _amdgpu_r_debug.r_map; at; at = at->l_next)
        visit((struct loaded *)(void *)((char *)at - offsetof(struct loaded, entry)), data);
    pthread_mutex_unlock(&lock);
}
