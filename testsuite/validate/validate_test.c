/* SPDX-License-Identifier: MIT */
/* Runs the cases of cases/ through assembler, structural and semantic check, and compares the ids reported. Each case
 * is one module, and the ids that the checks must report:
 *
 *     == <name>: <id> [<id>...]      in any order; `ok` if there are none
 *     <text>
 *
 * A text that does not begin with `module` is put into the body of a kernel of a large full module with the IMAGE
 * extension and these symbols: &g &cg (const) &ro &grp (module group) &fb, %a (kernarg u64), &f (out u32, in u32).
 * Names of cases begin with the rows or rules that they cover. Lines before the first case are comments.
 *
 * Every semantic rule of diag.def must have a case, or be in the list below with the reason why text cannot break it.
 */
#include "testsuite/tap.h"
#include "testsuite/validate/verdict.h"

#include <glob.h>
#include <stdlib.h>

static const char header[] =
    "module &m:1:2:$full:$large:$default;\nextension \"IMAGE\";\n"
    "global_u32 &g;\nconst global_u32 &cg = 5;\nreadonly_u32 &ro = 7;\ngroup_u32 &grp;\n"
    "fbarrier &fb;\nfunction &f(arg_u32 %r)(arg_u32 %x) {};\n"
    "kernel &k(kernarg_u64 %a) {\n";

/* Rules that the assembler reports under an id of its own, so that only foreign BRIG breaks them: binary_test.c. */
static const char *const only_binary[] = {
    "address-offset",
};

static bool with_lint; /* the cases of lint.txt are about lint warnings, the others only about the rules of HSAIL */
static bool covered[DIAG_ID_COUNT];

/* The ids reported for TEXT, each followed by a blank. */
static void list_ids(const char *text, char *ids, size_t size)
{
    struct diag_list diag = {0};
    enum brig_status status = check_findings(text, with_lint, &diag);
    *ids = '\0';
    for (size_t i = 0; i < diag.items.count; i++) {
        const struct diag_rule *rule = diag.items.items[i].rule;
        size_t used = strlen(ids);
        covered[rule - diag_rules] = true;
        if (rule->severity == DIAG_NOTE || (rule->severity == DIAG_LINT && !with_lint))
            continue;
        snprintf(ids + used, size - used, "%s ", rule->id);
    }
    if ((status == BRIG_OK) != (diag.errors == 0))
        snprintf(ids, size, "status %d with %zu errors ", status, diag.errors);
    diag_list_free(&diag);
}

/* Whether EXPECTED and ACTUAL consist of the same words, in any order. */
static bool same_words(const char *expected, const char *actual)
{
    char left[512], word[64];
    int n;
    snprintf(left, sizeof left, " %s", actual);
    for (const char *at = expected; sscanf(at, " %63s%n", word, &n) == 1; at += n) {
        char key[68];
        snprintf(key, sizeof key, " %s ", word);
        char *found = strstr(left, key);
        if (!found)
            return false;
        memmove(found, found + strlen(key) - 1, strlen(found + strlen(key) - 1) + 1);
    }
    return strspn(left, " ") == strlen(left);
}

static void run_case(const char *name, const char *expected, const char *body)
{
    char text[20480], ids[512];
    bool whole = strncmp(body, "module", 6) == 0;
    snprintf(text, sizeof text, "%s%s%s", whole ? "" : header, body, whole ? "" : "\n};\n");
    list_ids(text, ids, sizeof ids);
    bool none = strcmp(expected, "ok") == 0;
    if (!ok(none ? !*ids : same_words(expected, ids), "%s", name))
        printf("# expected: %s\n# reported: %s\n", expected, ids);
}

static void run_cases(FILE *file)
{
    char line[2048], name[256] = "", expected[256] = "", body[16384] = "";
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "== ", 3) != 0) {
            if (*name)
                strncat(body, line, sizeof body - strlen(body) - 1);
            continue;
        }
        if (*name)
            run_case(name, expected, body);
        if (sscanf(line, "== %255[^:]: %255[^\n]", name, expected) != 2)
            snprintf(expected, sizeof expected, "malformed case");
        *body = '\0';
    }
    if (*name)
        run_case(name, expected, body);
}

static void run_file(const char *path)
{
    FILE *file = fopen(path, "r");
    with_lint = strstr(path, "/lint.txt") != NULL;
    if (!ok(file != NULL, "%s can be read", strrchr(path, '/') + 1))
        return;
    run_cases(file);
    fclose(file);
}

static bool is_excused(const char *id)
{
    for (size_t i = 0; i < sizeof only_binary / sizeof *only_binary; i++)
        if (strcmp(only_binary[i], id) == 0)
            return true;
    return false;
}

int main(void)
{
    char pattern[4096];
    const char *srcdir = getenv("srcdir");
    glob_t files;
    snprintf(pattern, sizeof pattern, "%s/testsuite/validate/cases/*.txt", srcdir ? srcdir : ".");
    if (!ok(glob(pattern, 0, NULL, &files) == 0, "there are cases"))
        return tap_done();
    for (size_t i = 0; i < files.gl_pathc; i++)
        run_file(files.gl_pathv[i]);
    globfree(&files);
    for (int i = DIAG_CORE_VERSION; i < DIAG_ID_COUNT; i++)
        if (diag_rules[i].severity != DIAG_NOTE)
            ok(covered[i] != is_excused(diag_rules[i].id), "%s has a case", diag_rules[i].id);
    return tap_done();
}
