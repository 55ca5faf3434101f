/* SPDX-License-Identifier: MIT */
/* Tools libraries: those that HSA_TOOLS_LIB names. (hsa_api_trace.h)
 *
 * Input: the environment. Output: calls of their OnLoad() in the order of the list, and of OnUnload() in reverse order.
 * Invariant: a program that runs with the rights of another user loads none; the libraries are loaded exactly while the
 * runtime is up, and called under the lock of its start and end. */
#include "config.h"

#include "runtime/api_table.h"

#include "runtime/core.h"
#include "runtime/message.h"
#include "support/alloc.h"

#include <dlfcn.h>
#include <stdlib.h>

struct tool {
    void *library;
    hsa_tools_on_unload unload;
};

static struct {
    VEC(struct tool) loaded;
    VEC(char *) failed; /* names */
} tools;

/* Cuts the next name off the list at *REST: names are separated by blanks, double quotes keep blanks, and a backslash
 * keeps the character after it. The name is a copy in TO, which has room for the whole list. */
static bool next_name(const char **rest, char *to)
{
    const char *from = *rest + strspn(*rest, " \t\n");
    bool quoted = false, any = *from != '\0';
    for (; *from && (quoted || !strchr(" \t\n", *from)); from++) {
        if (*from == '"') {
            quoted = !quoted;
            continue;
        }
        if (*from == '\\' && from[1])
            from++;
        *to++ = *from;
    }
    *to = '\0';
    *rest = from;
    return any;
}

static void note_failure(const char *name)
{
    size_t size = strlen(name) + 1;
    char *copy = mem_alloc(size);
    if (copy)
        memcpy(copy, name, size);
    if (copy && !vec_push(&tools.failed, copy))
        mem_free(copy);
}

static void tool_load(const char *name)
{
    struct tool tool = {.library = dlopen(name, RTLD_LAZY | RTLD_LOCAL)};
    if (!tool.library) {
        message_print(MESSAGE_TOOL_LOAD, dlerror());
        note_failure(name);
        return;
    }
    struct HsaApiTable *tables = api_tables();
    hsa_tools_on_load enter = (hsa_tools_on_load)dlsym(tool.library, "OnLoad");
    tool.unload = (hsa_tools_on_unload)dlsym(tool.library, "OnUnload");
    if (!enter) {
        message_print(MESSAGE_TOOL_ENTRY, name);
    } else if (!vec_reserve(&tools.loaded, 1)) {
        note_failure(name);
    } else if (!enter(tables, tables->version.major_id, tools.failed.count, (const char *const *)tools.failed.items)) {
        message_print(MESSAGE_TOOL_REFUSED, name);
    } else if (vec_push(&tools.loaded, tool)) {
        return;
    }
    dlclose(tool.library);
}

void tools_load(void)
{
    const char *list = secure_getenv("HSA_TOOLS_LIB");
    if (!list || !*list)
        return;
    char *name = mem_alloc(strlen(list) + 1);
    while (name && next_name(&list, name))
        tool_load(name);
    mem_free(name);
}

bool tools_loaded(void)
{
    return tools.loaded.count != 0;
}

bool tools_unload(void)
{
    static bool inside; /* under the lock of start and end */
    if (inside)
        return false;
    inside = true;
    for (size_t i = tools.loaded.count; i-- > 0;)
        if (tools.loaded.items[i].unload)
            tools.loaded.items[i].unload();
    inside = false;
    api_tables_reset();
    for (size_t i = tools.loaded.count; i-- > 0;)
        dlclose(tools.loaded.items[i].library);
    for (size_t i = 0; i < tools.failed.count; i++)
        mem_free(tools.failed.items[i]);
    vec_free(&tools.loaded);
    vec_free(&tools.failed);
    return true;
}
