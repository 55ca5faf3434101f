/* SPDX-License-Identifier: MIT */
/* Tries mnemonics by the ten thousand, and compares which ones pass with forms.txt, which was typed from the
 * tables of PRM chapters 5 and 6 and knows nothing of the tables that decide: A01-A53, M01-M20, Q01-Q05,
 * R52-R58, R60, R61, R63, R65-R67. The head of forms.txt describes its notation.
 *
 * Each mnemonic becomes a line of one kernel, with operands that suit its types; a line with an error is
 * refused. That is done for every profile and machine model, and for a module of HSAIL 1:0. Then one mnemonic
 * of each opcode and types gets registers of every other kind, and a constant, in place of each operand (R48,
 * R49). */
#include "brig/validate.h"
#include "frontend/asm.h"
#include "support/textbuf.h"
#include "testsuite/tap.h"
#include "testsuite/validate/check.h"
#include "testsuite/validate/judge.h"

#include <ctype.h>
#include <stdlib.h>

enum {
    FULL_LARGE,
    FULL_SMALL,
    BASE_LARGE,
    BASE_SMALL,
    FULL_LARGE_1_0,
    SETTINGS,
    MOST_SHOWN = 12,
    LENGTH = 512
};

static const struct {
    const char *name, *header;
} settings[SETTINGS] = {
    [FULL_LARGE] = {"full large", "module &m:1:2:$full:$large:$default;"},
    [FULL_SMALL] = {"full small", "module &m:1:2:$full:$small:$default;"},
    [BASE_LARGE] = {"base large", "module &m:1:2:$base:$large:$default;"},
    [BASE_SMALL] = {"base small", "module &m:1:2:$base:$small:$default;"},
    [FULL_LARGE_1_0] = {"full large of HSAIL 1:0", "module &m:1:0:$full:$large:$default;"},
};

static const struct {
    const char *word;
    unsigned settings;
} conditions[] = {
    {"any", (1u << SETTINGS) - 1},
    {"full", 1u << FULL_LARGE | 1u << FULL_SMALL | 1u << FULL_LARGE_1_0},
    {"base", 1u << BASE_LARGE | 1u << BASE_SMALL},
    {"small", 1u << FULL_SMALL | 1u << BASE_SMALL},
    {"large", 1u << FULL_LARGE | 1u << BASE_LARGE | 1u << FULL_LARGE_1_0},
    {"new", (1u << SETTINGS) - 1 - (1u << FULL_LARGE_1_0)},
};

struct named_set {
    char *name, *words;
};

/* A mnemonic as one row names it. */
struct form {
    char *text;
    const char *operands; /* of its `try` row, or of the last one before */
    bool tried;           /* named by a `try` row */
    unsigned legal;       /* settings, a bit each */
};

/* As of support/vec.h. */
struct form_list {
    struct form *items;
    size_t count, capacity;
};

struct method {
    char *name, *pattern;
    char source;
    unsigned legal;
};

static VEC(struct named_set) sets;
static struct form_list forms, variants;
static VEC(struct method) methods;
static const char *last_operands = "";

static char *copy(const char *text, size_t length)
{
    char *made = mem_alloc(length + 1);
    memcpy(made, text, length);
    made[length] = '\0';
    return made;
}

static const char *set_words(const char *name, size_t length)
{
    for (size_t i = 0; i < sets.count; i++)
        if (strlen(sets.items[i].name) == length && !memcmp(sets.items[i].name, name, length))
            return sets.items[i].words;
    printf("# there is no set %.*s\n", (int)length, name);
    exit(1);
}

/* ---- Patterns -------------------------------------------------------------------------------------- */

/* The end of the group that begins at AT. */
static const char *group_end(const char *at)
{
    int depth = 0;
    do {
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
    } while (depth && *at);
    return at;
}

static void expand(const char *done, const char *pattern, const struct form *model);

/* Each alternative between FROM and END, which SEPARATOR parts, and REST behind it. */
static void expand_each(const char *done, const char *from, const char *end, char separator, const char *rest,
                        const struct form *model)
{
    while (from <= end) {
        const char *stop = from;
        while (stop < end && *stop != separator)
            stop = *stop == '{' || *stop == '[' ? group_end(stop) : stop + 1;
        char joined[LENGTH];
        snprintf(joined, sizeof joined, "%.*s%s", (int)(stop - from), from, rest);
        expand(done, joined, model);
        from = stop + 1;
    }
}

/* Adds DONE followed by everything that PATTERN stands for. */
static void expand(const char *done, const char *pattern, const struct form *model)
{
    char prefix[LENGTH];
    size_t plain = strcspn(pattern, "{[<");
    snprintf(prefix, sizeof prefix, "%s%.*s", done, (int)plain, pattern);
    pattern += plain;
    if (!*pattern) {
        struct form form = *model;
        form.text = copy(prefix, strlen(prefix));
        if (!vec_push(&forms, form))
            exit(1);
    } else if (*pattern == '<') {
        const char *end = strchr(pattern, '>'), *words = set_words(pattern + 1, (size_t)(end - pattern - 1));
        expand_each(prefix, words, words + strlen(words), ' ', end + 1, model);
    } else {
        const char *end = group_end(pattern);
        if (*pattern == '[')
            expand(prefix, end, model);
        expand_each(prefix, pattern + 1, end - 1, ',', end, model);
    }
}

/* PATTERN with WORD in place of each MARK. */
static void substitute(char *result, const char *pattern, const char *mark, const char *word)
{
    size_t used = 0;
    while (*pattern && used < LENGTH - 1) {
        if (strncmp(pattern, mark, strlen(mark)) == 0) {
            used += (size_t)snprintf(result + used, LENGTH - used, "%s", word);
            pattern += strlen(mark);
        } else {
            result[used++] = *pattern++;
        }
    }
    result[used] = '\0';
}

/* ---- The file -------------------------------------------------------------------------------------- */

static unsigned condition(char *words)
{
    unsigned result = ~0u;
    for (char *rest, *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        size_t i = 0;
        while (i < sizeof conditions / sizeof *conditions && strcmp(conditions[i].word, word) != 0)
            i++;
        result &= i < sizeof conditions / sizeof *conditions ? conditions[i].settings : 0;
    }
    return result;
}

/* What the document's name of a conversion method is called in `method` rows. */
static const char *method_name(const char *cell)
{
    if (strlen(cell) != 3 || cell[1] != '2' || strcmp(cell, "b2s") == 0)
        return cell;
    bool to_float = strchr("hfd", cell[2]), from_float = strchr("hfd", cell[0]);
    if (to_float && from_float)
        return strchr("hfd", cell[2]) - strchr("hfd", cell[0]) > 0 ? "wide" : "narrow";
    return to_float ? "i2x" : "x2i";
}

static void add_cell(const char *cell, const char *destination, const char *source)
{
    const char *name = method_name(cell);
    char class_ = *source == 'b' ? 'b' : *source == 'f' ? 'f' : 'i', once[LENGTH], twice[LENGTH];
    bool known = strcmp(cell, "-") == 0;
    for (size_t i = 0; i < methods.count; i++) {
        const struct method *method = &methods.items[i];
        if (strcmp(method->name, name) != 0 || (method->source != '*' && method->source != class_))
            continue;
        bool doubles = strcmp(source, "f64") == 0 || strcmp(destination, "f64") == 0;
        struct form model = {.operands = last_operands,
                             .legal = method->legal & (doubles ? conditions[1].settings : ~0u)};
        substitute(once, method->pattern, "$D", destination);
        substitute(twice, once, "$S", source);
        expand("", twice, &model);
        known = true;
    }
    if (!known)
        ok(false, "%s is a known method", cell);
}

static void add_matrix(FILE *file, char *columns)
{
    char line[LENGTH], *names[16], *rest;
    unsigned count = 0;
    for (char *word = strtok_r(columns, " ", &rest); word && count < 16; word = strtok_r(NULL, " ", &rest))
        names[count++] = word;
    for (unsigned row = 0; row < count && fgets(line, sizeof line, file); row++) {
        char *destination = strtok_r(line, " \n", &rest);
        for (unsigned i = 0; i < count; i++) {
            char *cell = strtok_r(NULL, " \n", &rest);
            add_cell(cell ? cell : "missing", destination, names[i]);
        }
    }
}

static void add_row(char *when, char *rest)
{
    struct form model = {.operands = last_operands, .legal = condition(when)};
    char *words = strstr(rest, " for "), *next, pattern[LENGTH];
    if (!words) {
        expand("", rest, &model);
        return;
    }
    *words = '\0';
    for (char *word = strtok_r(words + 5, " ", &next); word; word = strtok_r(NULL, " ", &next)) {
        substitute(pattern, rest, "@", word);
        expand("", pattern, &model);
    }
}

static void add_line(FILE *file, char *line)
{
    char *rest = line, *key = strsep(&rest, " ");
    if (strcmp(key, "set") == 0) {
        char *name = strsep(&rest, " ");
        if (!vec_push(&sets, ((struct named_set){copy(name, strlen(name)), copy(rest, strlen(rest))})))
            exit(1);
    } else if (strcmp(key, "try") == 0) {
        char *pattern = strsep(&rest, " ");
        last_operands = rest ? copy(rest, strlen(rest)) : "";
        expand("", pattern, &(struct form){.operands = last_operands, .tried = true});
    } else if (strcmp(key, "method") == 0) {
        char *name = strsep(&rest, " "), *source = strsep(&rest, " "), *when = strsep(&rest, " ");
        struct method method = {copy(name, strlen(name)), copy(rest, strlen(rest)), *source, condition(when)};
        if (!vec_push(&methods, method))
            exit(1);
    } else if (strcmp(key, "matrix") == 0) {
        add_matrix(file, rest);
    } else {
        add_row(key, rest);
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct form *)a)->text, ((const struct form *)b)->text);
}

/* Joins the rows that name one mnemonic. */
static void join_forms(void)
{
    size_t count = 0;
    qsort(forms.items, forms.count, sizeof *forms.items, by_text);
    for (size_t i = 0; i < forms.count; i++) {
        struct form *last = count ? &forms.items[count - 1] : NULL, *form = &forms.items[i];
        if (!last || strcmp(last->text, form->text) != 0) {
            forms.items[count++] = *form;
            continue;
        }
        last->legal |= form->legal;
        last->operands = last->tried ? last->operands : form->operands;
        last->tried |= form->tried;
        mem_free(form->text);
    }
    forms.count = count;
}

/* ---- Operands -------------------------------------------------------------------------------------- */

/* The N-th type in the mnemonic, or b32 when it has fewer. */
static void type_word(const char *mnemonic, unsigned n, char *type)
{
    char text[LENGTH], *rest = text;
    snprintf(text, sizeof text, "%s", mnemonic);
    const char *types = set_words("type", 4);
    for (char *word = strsep(&rest, "_"); word; word = strsep(&rest, "_")) {
        const char *found = strstr(types, word);
        size_t length = strlen(word);
        while (found && (found != types && found[-1] != ' '))
            found = strstr(found + 1, word);
        while (found && found[length] && found[length] != ' ')
            found = strstr(found + 1, word);
        if (found && length > 1 && !n--) {
            snprintf(type, 16, "%s", word);
            return;
        }
    }
    snprintf(type, 16, "b32");
}

static char register_for(const char *type)
{
    const char *digit = type + strcspn(type, "0123456789"), *times = strchr(type, 'x');
    unsigned bits = *digit ? (unsigned)atoi(digit) : 64;
    if (strncmp(type, "sig", 3) == 0)
        bits = 64;
    if (times && isdigit((unsigned char)times[1]))
        bits *= (unsigned)atoi(times + 1);
    return bits == 1 ? 'c' : bits <= 32 ? 's' : bits <= 64 ? 'd' : 'q';
}

static unsigned vector_length(const char *mnemonic)
{
    const char *v = strstr(mnemonic, "_v");
    return v && isdigit((unsigned char)v[2]) && v[3] == '_' ? (unsigned)(v[2] - '0') : 0;
}

static bool narrow_address(const char *mnemonic, bool small)
{
    return small || strstr(mnemonic, "_group") || strstr(mnemonic, "_private") ||
           strstr(mnemonic, "_spill") || strstr(mnemonic, "_arg");
}

/* The type of an operand; false when it is written out. */
static bool operand_type(const char *mnemonic, const char *operand, char *type)
{
    switch (*operand) {
    case 's':
        snprintf(type, 16, "u32");
        return true;
    case 'd':
        snprintf(type, 16, "u64");
        return true;
    case 'S':
        type_word(mnemonic, 1, type);
        return true;
    case 'M':
        type_word(mnemonic, 0, type);
        *type = 'u';
        if (!strchr(type, 'x'))
            snprintf(type, 16, "b1");
        return true;
    case 'T':
    case 'D':
        type_word(mnemonic, 0, type);
        return true;
    default:
        return false;
    }
}

static void put_operand(struct textbuf *out, const struct form *form, const char *operand, unsigned number,
                        bool small)
{
    char type[16];
    operand += strspn(operand, "=!");
    if (*operand == '\'') { /* written out */
        textbuf_puts(out, operand + 1);
        return;
    }
    bool vector = *operand == 'v' || *operand == 'w' || (*operand == 'D' && vector_length(form->text));
    unsigned length = vector_length(form->text) ? vector_length(form->text) : 2;
    switch (operand[*operand == 'v' || *operand == 'w']) {
    case 'a':
        textbuf_printf(out, "[$%c9]", narrow_address(form->text, small) ? 's' : 'd');
        return;
    case 's':
    case 'd':
        textbuf_printf(out, "$%c%u", *operand, number);
        return;
    default:
        if (!operand_type(form->text, operand + (*operand == 'v' || *operand == 'w'), type)) {
            textbuf_puts(out, operand);
            return;
        }
    }
    if (!vector) {
        textbuf_printf(out, "$%c%u", register_for(type), number);
        return;
    }
    for (unsigned i = 0; i < length; i++)
        textbuf_printf(out, "%s$%c%u", i ? ", " : "(", register_for(type), i + 1);
    textbuf_puts(out, ")");
}

static void put_line(struct textbuf *out, const struct form *form, bool small)
{
    char text[LENGTH], *rest = text;
    unsigned number = 0;
    textbuf_puts(out, form->text);
    snprintf(text, sizeof text, "%s", form->operands);
    for (char *operand = strsep(&rest, " "); operand && *operand; operand = strsep(&rest, " ")) {
        textbuf_puts(out, number++ ? ", " : " ");
        put_operand(out, form, operand, number, small);
    }
    textbuf_puts(out, ";\n");
}

/* ---- Other operands -------------------------------------------------------------------------------- */

/* A constant of the type. */
static void put_constant(struct textbuf *out, const char *type)
{
    const char *digit = type + strcspn(type, "0123456789"), *times = strchr(digit, 'x');
    const char *one = *type != 'f'                   ? "1"
                      : strncmp(digit, "16", 2) == 0 ? "1.0h"
                      : strncmp(digit, "32", 2) == 0 ? "1.0f"
                                                     : "1.0";
    if (strncmp(type, "sig", 3) == 0) {
        textbuf_printf(out, "%s(0)", type);
    } else if (strcmp(type, "b128") == 0) {
        textbuf_puts(out, "u64x2(1,1)");
    } else if (!times || !*digit) {
        textbuf_puts(out, one);
    } else {
        for (int i = 0; i < atoi(times + 1); i++)
            textbuf_printf(out, "%s%s%s", i ? "," : type, i ? "" : "(", one);
        textbuf_puts(out, ")");
    }
}

/* The mnemonic without its modifiers: opcode, operation of atomics and signals, types. */
static void bare_name(const char *mnemonic, char *name)
{
    char text[LENGTH], *rest = text;
    size_t used = 0;
    bool first = true, operation = strncmp(mnemonic, "atomic", 6) == 0 || strncmp(mnemonic, "signal", 6) == 0;
    snprintf(text, sizeof text, "%s", mnemonic);
    for (char *word = strsep(&rest, "_"); word; word = strsep(&rest, "_")) {
        char type[16];
        type_word(word, 0, type);
        if (first || operation || strcmp(type, word) == 0)
            used += (size_t)snprintf(name + used, LENGTH - used, "%s_", word);
        operation = first && operation;
        first = false;
    }
}

/* FORM with operand INDEX of COUNT replaced. */
static void add_variant(const struct form *form, char *const *operands, unsigned count, unsigned index,
                        const char *instead, bool legal)
{
    struct textbuf text = {0};
    for (unsigned i = 0; i < count; i++)
        textbuf_printf(&text, "%s%s", i ? " " : "", i == index ? instead : operands[i]);
    struct form variant = {
        .text = form->text, .operands = copy(text.data, text.size), .legal = (unsigned)legal << FULL_LARGE};
    if (!vec_push(&variants, variant))
        exit(1);
    textbuf_free(&text);
}

/* Registers of the other kinds, and a constant, in place of each operand. */
static void add_variants(const struct form *form)
{
    char text[LENGTH], *rest = text, *operands[8], type[16];
    unsigned count = 0;
    snprintf(text, sizeof text, "%s", form->operands);
    for (char *word = strsep(&rest, " "); word && *word && count < 8; word = strsep(&rest, " "))
        operands[count++] = word;
    for (unsigned i = 0; i < count; i++) {
        const char *operand = operands[i] + strspn(operands[i], "=!");
        bool number = isdigit((unsigned char)*operand);
        if (number)
            add_variant(form, operands, count, i, "$s9", false);
        if (number || (*operand == 'D' && vector_length(form->text)) ||
            !operand_type(form->text, operand, type))
            continue;
        for (const char *kind = "csdq"; *kind; kind++) {
            char other[] = {'$', *kind, '9', 0};
            if (*kind != register_for(type))
                add_variant(form, operands, count, i, other, false);
        }
        struct textbuf constant = {0};
        textbuf_puts(&constant, "'");
        put_constant(&constant, type);
        bool image = strstr(type, "img") || strcmp(type, "samp") == 0;
        add_variant(form, operands, count, i, constant.data, operand == operands[i] && !image);
        textbuf_free(&constant);
    }
}

/* Variants of one legal form of each opcode with its types. */
static void make_variants(void)
{
    VEC(char *) names = {0};
    for (size_t i = 0; i < forms.count; i++) {
        char name[LENGTH];
        size_t known = 0;
        if (!(forms.items[i].legal >> FULL_LARGE & 1))
            continue;
        bare_name(forms.items[i].text, name);
        while (known < names.count && strcmp(names.items[known], name) != 0)
            known++;
        if (known < names.count)
            continue;
        if (!vec_push(&names, copy(name, strlen(name))))
            exit(1);
        add_variants(&forms.items[i]);
    }
    printf("# %zu variants of %zu forms\n", variants.count, names.count);
    for (size_t i = 0; i < names.count; i++)
        mem_free(names.items[i]);
    vec_free(&names);
}

/* ---- Judging --------------------------------------------------------------------------------------- */

/* A kernel of the forms that are not refused yet, and where the line of each begins. */
static void put_kernel(struct textbuf *out, const struct form_list *list, unsigned setting,
                       const bool *refused, uint32_t *begin)
{
    bool small = setting == FULL_SMALL || setting == BASE_SMALL;
    textbuf_printf(out, "%s\nextension \"IMAGE\";\nkernel &k()\n{\n", settings[setting].header);
    for (size_t i = 0; i < list->count; i++) {
        begin[i] = (uint32_t)out->size;
        if (!refused[i])
            put_line(out, &list->items[i], small);
    }
    textbuf_puts(out, "};\n");
}

/* The last form that begins at or before the place. */
static size_t form_at(const uint32_t *begin, size_t count, uint64_t place)
{
    size_t low = 0, high = count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        *(begin[middle] <= place ? &low : &high) = middle;
    }
    return low;
}

/* One pass over what is left; false when nothing more was refused. */
static bool refuse_some(const struct form_list *list, unsigned setting, bool *refused, uint32_t *begin)
{
    struct textbuf text = {0};
    struct diag_list diag = {0};
    struct asm_result result = {0};
    struct brig_view view;
    put_kernel(&text, list, setting, refused, begin);
    enum brig_status status = asm_text(text.data, text.size, &diag, &result);
    if (status == BRIG_OK)
        status = brig_open(result.module, result.size, &diag, &view);
    if (status == BRIG_OK)
        brig_validate(&view, &diag);
    bool some = false;
    for (size_t i = 0; i < diag.items.count; i++) {
        struct diag_place place = diag.items.items[i].place;
        if (diag.items.items[i].severity != DIAG_ERROR)
            continue;
        if (place.where == DIAG_IN_BINARY)
            place = asm_place_in_text(&result, text.data, text.size, (uint32_t)place.begin,
                                      brig_code(&view, (uint32_t)place.begin), place.part);
        refused[form_at(begin, list->count, place.begin)] = true;
        some = true;
    }
    asm_result_free(&result);
    diag_list_free(&diag);
    textbuf_free(&text);
    return some;
}

static void judge(const struct form_list *list, unsigned setting, const char *what)
{
    size_t wrong = 0, legal = 0, passes = 0;
    bool *refused = mem_zalloc(list->count, sizeof *refused);
    uint32_t *begin = mem_zalloc(list->count, sizeof *begin);
    while (refuse_some(list, setting, refused, begin) && ++passes < 8) {
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct form *form = &list->items[i];
        bool expected = form->legal >> setting & 1;
        legal += expected;
        if (expected == !refused[i] || wrong++ >= MOST_SHOWN)
            continue;
        printf("# wrongly %s: %s %s\n", expected ? "refused" : "accepted", form->text, form->operands);
    }
    printf("# %zu of %zu are legal; %zu differ\n", legal, list->count, wrong);
    ok(!wrong && legal, "exactly the %s of the document pass in %s", what, settings[setting].name);
    mem_free(refused);
    mem_free(begin);
}

/* What is legal, in one kernel: prints to text that assembles to the same bytes, and is what another
 * assembler writes when that knows the version. */
static void transcribe(unsigned setting, bool judged)
{
    struct textbuf text = {0};
    struct verdict verdict;
    struct bytes other;
    bool *left_out = mem_zalloc(forms.count, sizeof *left_out);
    uint32_t *begin = mem_zalloc(forms.count, sizeof *begin);
    for (size_t i = 0; i < forms.count; i++) {
        struct textbuf line = {0};
        put_line(&line, &forms.items[i], setting == FULL_SMALL || setting == BASE_SMALL);
        bool departs = setting == FULL_LARGE_1_0 && judged && judge_departs(line.data);
        left_out[i] = !(forms.items[i].legal >> setting & 1) || departs;
        textbuf_free(&line);
    }
    put_kernel(&text, &forms, setting, left_out, begin);
    check_text(text.data, &verdict);
    const char *problem =
        verdict.accepted ? check_round_trip((struct bytes){verdict.module, verdict.size}) : verdict.message;
    if (!ok(!problem, "legal mnemonics survive printing in %s", settings[setting].name))
        printf("# %s\n", problem);
    if (setting == FULL_LARGE_1_0 && judged)
        ok(judge_text(text.data, &other) && other.size == verdict.size &&
               memcmp(other.data, verdict.module, other.size) == 0,
           "the other assembler writes the same bytes");
    verdict_free(&verdict);
    textbuf_free(&text);
    mem_free(left_out);
    mem_free(begin);
}

int main(void)
{
    char path[4096], line[2048];
    const char *srcdir = getenv("srcdir");
    snprintf(path, sizeof path, "%s/testsuite/validate/forms.txt", srcdir ? srcdir : ".");
    FILE *file = fopen(path, "r");
    if (!ok(file != NULL, "forms.txt can be read"))
        return tap_done();
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (*line && *line != '#')
            add_line(file, line);
    }
    fclose(file);
    join_forms();
    for (unsigned setting = 0; setting < SETTINGS; setting++)
        judge(&forms, setting, "mnemonics");
    bool judged = judge_open();
    for (unsigned setting = 0; setting < SETTINGS; setting++)
        transcribe(setting, judged);
    if (judged)
        judge_close();
    make_variants();
    judge(&variants, FULL_LARGE, "operands");
    return tap_done();
}
