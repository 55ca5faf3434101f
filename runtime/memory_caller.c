/* SPDX-License-Identifier: MIT */
/* Who allocated or freed memory; see memory_caller.h.
 * Input: the stack of the calling thread. Output: the function, the file of its code and the thread.
 * Invariant: names are looked up when a report needs them; the runtime itself and HIP's library are passed over, as
 * they only hand the request on. */
#include "config.h"

#include "runtime/memory_caller.h"

#include "runtime/demangle.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool is_one(const char *name)
{
    const char *value = secure_getenv(name);
    return value && !strcmp(value, "1");
}

static bool is_wanted(void)
{
    const char *checks = secure_getenv("HSA_GCN_CHECK"), *file = secure_getenv("HSA_REPORT_FILE");
    return (checks && *checks) || (file && *file) || is_one("HSA_MEMORY_GUARD") ||
           is_one("HSA_ENABLE_QUEUE_FAULT_MESSAGE");
}

void memory_caller_note(struct memory_caller *caller)
{
    *caller = (struct memory_caller){0};
    if (!is_wanted())
        return;
    caller->count = backtrace(caller->frames, CALLER_FRAMES);
    caller->thread = (int)syscall(SYS_gettid);
    if (pthread_getname_np(pthread_self(), caller->thread_name, sizeof caller->thread_name))
        *caller->thread_name = 0;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Finds the innermost function that called the runtime, and is not in HIP's library; *AT becomes the place in it.
 * Before the runtime's own frames there may be one of a sanitizer, which stands in for backtrace(). */
static bool find_function(const struct memory_caller *caller, Dl_info *info, uintptr_t *at)
{
    Dl_info self = {0};
    /* Of a public function the program may have an address of its own, in its own file. */
    dladdr((const void *)(uintptr_t)is_wanted, &self);
    bool called = false;
    for (int i = 0; i < caller->count; i++) {
        *at = (uintptr_t)caller->frames[i];
        if (!dladdr(caller->frames[i], info) || !info->dli_fname)
            continue;
        bool own = info->dli_fbase == self.dli_fbase && self.dli_fbase;
        called |= own;
        if (own || !called)
            continue;
        if (strncmp(last_part(info->dli_fname), "libamdhip64.", strlen("libamdhip64.")) != 0)
            return true;
    }
    return false;
}

/* Writes "main+0x10 of program", or "program+0x1234" if the function has no name that is visible. */
static bool write_function(const struct memory_caller *caller, struct textbuf *text)
{
    Dl_info info = {0};
    uintptr_t at;
    char name[DEMANGLED_NAME];
    if (!find_function(caller, &info, &at))
        return false;
    const char *file = last_part(info.dli_fname);
    if (info.dli_sname)
        textbuf_printf(text, "%s+0x%zx of %s", demangle(info.dli_sname, name), (size_t)(at - (uintptr_t)info.dli_saddr),
                       file);
    else
        textbuf_printf(text, "%s+0x%zx", file, (size_t)(at - (uintptr_t)info.dli_fbase));
    return true;
}

void memory_caller_text(const struct memory_caller *caller, const char *word, struct textbuf *text)
{
    struct textbuf function = {0};
    if (caller->count > 0 && write_function(caller, &function) && !function.failed)
        textbuf_printf(text, ", %s by %s in thread %d (%s)", word, function.data, caller->thread, caller->thread_name);
    textbuf_free(&function);
}

void memory_caller_json(const struct memory_caller *caller, const char *member, struct textbuf *json)
{
    struct textbuf function = {0};
    if (caller->count > 0 && write_function(caller, &function) && !function.failed) {
        textbuf_printf(json, ",\"%s\":{\"thread\":%d", member, caller->thread);
        textbuf_json_member(json, "thread_name", caller->thread_name);
        textbuf_json_member(json, "function", function.data);
        textbuf_puts(json, "}");
    }
    textbuf_free(&function);
}
