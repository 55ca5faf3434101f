/* SPDX-License-Identifier: MIT */
/* Decoding names of C++ by the function for it in the C++ library, which programs of HIP have loaded anyway.
 * Input: names of symbols, which may be anything. Output: names for people.
 * Invariant: nothing is loaded before a name of C++ is to be shown, and nothing depends on its being there. */
#include "config.h"

#include "runtime/demangle.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char *demangle_fn(const char *name, char *buffer, size_t *size, int *status);

static demangle_fn *library_function;

static void find_library_function(void)
{
    static const char name[] = "__cxa_demangle";
    void *found = dlsym(RTLD_DEFAULT, name);
    void *library = found ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (library)
        found = dlsym(library, name);
    library_function = (demangle_fn *)found;
}

/* Where the list of arguments at the end of TEXT begins; its end if there is none. */
static size_t arguments_of(const char *text, size_t length)
{
    size_t at = length, depth = 0;
    while (at > 0 && text[at - 1] != ')')
        at--; /* "const" of a member function */
    if (!at)
        return length;
    do {
        at--;
        depth += text[at] == ')';
        depth -= text[at] == '(';
    } while (at > 0 && depth);
    return at > 0 ? at : length;
}

/* Where the name begins that ends at END: after the type of the result, which templates have. */
static size_t name_of(const char *text, size_t end)
{
    size_t begin = 0, depth = 0;
    for (size_t i = 0; i < end; i++) {
        depth += text[i] == '<' || text[i] == '(' || text[i] == '[' || text[i] == '{';
        depth -= depth && (text[i] == '>' || text[i] == ')' || text[i] == ']' || text[i] == '}');
        if (text[i] == ' ' && !depth)
            begin = i + 1;
    }
    return begin;
}

const char *demangle(const char *name, char to[DEMANGLED_NAME])
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char *text = NULL;
    int status;
    if (!strncmp(name, "_Z", 2)) {
        pthread_once(&once, find_library_function);
        text = library_function ? library_function(name, NULL, NULL, &status) : NULL;
    }
    size_t length = text ? strlen(text) : 0, end = arguments_of(text ? text : "", length);
    size_t begin = text && !strstr(text, "operator") ? name_of(text, end) : 0;
    if (text && end > begin && end - begin < DEMANGLED_NAME)
        snprintf(to, DEMANGLED_NAME, "%.*s", (int)(end - begin), text + begin);
    else
        snprintf(to, DEMANGLED_NAME, "%s", name);
    free(text);
    return to;
}
