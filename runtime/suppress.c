/* SPDX-License-Identifier: MIT */
/* Findings that nobody wants to see; see suppress.h.
 * Input: lines of a file, each of an id, a kernel and a place, all of them patterns; a # begins a comment. Output:
 * whether a finding is on the list. Invariant: a file that does not exist, or has a line of another form, suppresses
 * nothing, and a message says so once. */
#include "config.h"

#include "runtime/suppress.h"

#include "runtime/demangle.h"
#include "runtime/message.h"
#include "support/alloc.h"
#include "support/vec.h"

#include <fnmatch.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATTERN = 256 };

struct suppression {
    char id[PATTERN], kernel[PATTERN], file[PATTERN], line[PATTERN];
};

static struct {
    pthread_mutex_t lock;
    bool read;
    VEC(struct suppression) list;
    size_t suppressed;
} suppressions = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Splits PLACE, which is FILE:LINE, LINE or *, into the two patterns. */
static void split_place(const char *place, struct suppression *s)
{
    const char *colon = strrchr(place, ':');
    bool number = !colon && place[strspn(place, "0123456789")] == 0;
    snprintf(s->file, sizeof s->file, "%.*s",
             colon    ? (int)(colon - place)
             : number ? 1
                      : (int)strlen(place),
             number ? "*" : place);
    snprintf(s->line, sizeof s->line, "%s", colon ? colon + 1 : number ? place : "*");
}

/* Adds the suppression that LINE holds; false if it has another form. */
static bool add_line(char *line)
{
    struct suppression s = {.kernel = "*"};
    char place[PATTERN] = "*", more[2];
    line[strcspn(line, "#\n")] = 0;
    int words = sscanf(line, "%255s %255s %255s %1s", s.id, s.kernel, place, more);
    if (words < 1)
        return true;
    split_place(place, &s);
    return words <= 3 && vec_push(&suppressions.list, s);
}

static void read_file(const char *name)
{
    char line[1024];
    unsigned number = 0;
    FILE *file = fopen(name, "re");
    if (!file) {
        message_print(MESSAGE_SUPPRESSIONS_FILE, name, "cannot be read");
        return;
    }
    while (fgets(line, sizeof line, file)) {
        number++;
        if (add_line(line))
            continue;
        snprintf(line, sizeof line, "line %u is not ID [KERNEL [PLACE]]", number);
        message_print(MESSAGE_SUPPRESSIONS_FILE, name, line);
        suppressions.list.count = 0;
        break;
    }
    fclose(file);
}

static bool is_place(const struct suppression *s, const hsam_place *place)
{
    char line[16];
    const char *name = strrchr(place->file, '/');
    snprintf(line, sizeof line, "%u", place->line);
    return fnmatch(s->line, line, 0) == 0 &&
           (fnmatch(s->file, place->file, 0) == 0 || fnmatch(s->file, name ? name + 1 : place->file, 0) == 0);
}

bool suppress_finding(const char *id, const char *kernel, const hsam_place *places, size_t count)
{
    bool found = false;
    char shown[DEMANGLED_NAME];
    demangle(kernel, shown);
    pthread_mutex_lock(&suppressions.lock);
    const char *name = suppressions.read ? NULL : secure_getenv("HSA_GCN_SUPPRESSIONS");
    suppressions.read = true;
    if (name && *name)
        read_file(name);
    for (size_t i = 0; i < suppressions.list.count && !found; i++) {
        const struct suppression *s = &suppressions.list.items[i];
        if (fnmatch(s->id, id, 0) != 0 || (fnmatch(s->kernel, kernel, 0) != 0 && fnmatch(s->kernel, shown, 0) != 0))
            continue;
        for (size_t k = 0; k < count; k++)
            found |= is_place(s, &places[k]);
    }
    suppressions.suppressed += found;
    pthread_mutex_unlock(&suppressions.lock);
    return found;
}

void suppressions_shut_down(void)
{
    if (suppressions.suppressed)
        message_print(MESSAGE_SUPPRESSED, suppressions.suppressed, suppressions.suppressed == 1 ? "" : "s");
    vec_free(&suppressions.list);
    suppressions.read = false;
    suppressions.suppressed = 0;
}
