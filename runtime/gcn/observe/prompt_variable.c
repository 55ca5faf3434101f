/* SPDX-License-Identifier: MIT */
/* Variables at the prompt: registers of HSAIL, what else debug information names, and the arguments of the kernel,
 * which the metadata of its code object names. Input: a name, and which lane or elements. Output: values as the type
 * has them. Invariant: what has a value in each lane shows those of the active lanes unless another one is named; what
 * all work-items share shows one. */
#include "config.h"

#include "runtime/gcn/observe/prompt.h"
#include "runtime/gcn/observe/prompt_location.h"
#include "runtime/gcn/observe/wave_state.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS_DEFAULT = 8, ELEMENTS_MAX = 4096, ARGUMENTS = 256, NAME_BYTES = 128 };

/* What is to be shown: "NAME[3][5] 7". */
struct variable_wish {
    char name[NAME_BYTES];
    unsigned index_count;
    uint64_t index[2], count; /* COUNT 0: none was given */
};

/* What was found. */
struct variable_found {
    struct gcn_stop_place *at;
    const struct variable_wish *wish;
    hsam_variable variable;
    bool is_argument;
    uint64_t address; /* of an argument */
    enum gcn_notation number;
};

static bool take_index(const char **text, uint64_t *index)
{
    char *end;
    if (!isdigit((unsigned char)(*text)[1]))
        return false;
    *index = strtoull(*text + 1, &end, 10);
    *text = end + 1;
    return *end == ']';
}

static bool read_variable_wish(const char *words, struct variable_wish *wish)
{
    size_t length = strcspn(words, "[ \t");
    char *end;
    *wish = (struct variable_wish){.index_count = 0};
    if (!length || length >= sizeof wish->name)
        return false;
    memcpy(wish->name, words, length);
    for (words += length; *words == '[';)
        if (wish->index_count == 2 || !take_index(&words, &wish->index[wish->index_count++]))
            return false;
    words += strspn(words, " \t");
    if (!*words)
        return true;
    if (!isdigit((unsigned char)*words))
        return false;
    wish->count = strtoull(words, &end, 0);
    return !*end && wish->count && wish->count <= ELEMENTS_MAX;
}

/* ---- finding ---- */

/* How the numbers of a type are written: as bits if it has that name, is packed or a handle. */
static enum gcn_notation number_of(const hsam_variable *v)
{
    const char *name = v->type, *x = strchr(name, 'x');
    bool is_packed = x && isdigit((unsigned char)x[1]), is_handle = !strncmp(name, "sig", 3) || !strcmp(name, "samp");
    if ((*name == 'b' && isdigit((unsigned char)name[1])) || is_packed || is_handle || strstr(name, "img") ||
        v->size > 8)
        return GCN_NOTATION_BITS;
    if (v->number == HSAM_NUMBER_FLOAT)
        return v->size == 2 || v->size == 4 || v->size == 8 ? GCN_NOTATION_FLOAT : GCN_NOTATION_BITS;
    return v->number == HSAM_NUMBER_SIGNED || v->number == HSAM_NUMBER_SIGNED_CHAR
               ? GCN_NOTATION_SIGNED
               : GCN_NOTATION_UNSIGNED;
}

/* Makes a variable of an argument. A type of HSAIL says how large an element is; what it does not say are bits. */
static void argument_variable(const hsam_argument *argument, hsam_variable *v)
{
    const char *digits = argument->type + (*argument->type != 0);
    uint32_t bytes = isdigit((unsigned char)*digits) ? (uint32_t)strtoul(digits, NULL, 10) / 8 : 0;
    *v = (hsam_variable){.size = argument->size};
    bool is_typed = strchr("usfb", *argument->type) && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) &&
                    argument->size % bytes == 0;
    if (is_typed)
        v->size = bytes;
    else if (argument->size > 8 && argument->size % 8 == 0)
        v->size = 8;
    v->count = argument->size > v->size ? argument->size / v->size : 0;
    v->number = *argument->type == 'f' ? HSAM_NUMBER_FLOAT : *argument->type == 's' ? HSAM_NUMBER_SIGNED : 0;
    snprintf(v->type, sizeof v->type, is_typed ? "%s" : "b%.0s%u", argument->type, v->size * 8);
}

static size_t kernel_arguments(const struct gcn_stop_place *at, hsam_argument arguments[ARGUMENTS])
{
    const hsa_generic_driver_interface *core = at->observe->agent->core;
    uint64_t object = at->observe->dispatch->packet.kernel_object;
    return core->kernel_arguments ? core->kernel_arguments(object, arguments, ARGUMENTS) : 0;
}

static bool find_argument(struct variable_found *found)
{
    hsam_argument arguments[ARGUMENTS];
    size_t count = kernel_arguments(found->at, arguments);
    const char *name = found->wish->name + (*found->wish->name == '%');
    for (size_t i = 0; i < count && *name; i++)
        if (!strcmp(arguments[i].name, name)) {
            argument_variable(&arguments[i], &found->variable);
            found->is_argument = true;
            found->address =
                (uint64_t)(uintptr_t)found->at->observe->dispatch->packet.kernarg_address + arguments[i].offset;
            return found->variable.size != 0;
        }
    return false;
}

static bool find_named(struct variable_found *found)
{
    const hsa_generic_driver_interface *core = found->at->observe->agent->core;
    bool is_known =
        core->code_variable && core->code_variable(found->at->site->pc, found->wish->name, &found->variable);
    is_known = is_known || find_argument(found);
    found->number = is_known ? number_of(&found->variable) : GCN_NOTATION_BITS;
    return is_known;
}

static bool value_at(const struct variable_found *found, uint64_t element, unsigned lane, struct gcn_value *value)
{
    if (!found->is_argument)
        return gcn_variable_value(found->at->wave, &found->variable, element, lane, value);
    *value = (struct gcn_value){.place = GCN_VALUE_GLOBAL, .address = found->address + element * found->variable.size};
    return gcn_memory_read(value->address, value->bytes, found->variable.size);
}

static void refuse_value(const struct variable_found *found)
{
    gcn_prompt_refuse(found->at,
                      "%s is optimised out here, or the compiler does not say where it is; code made with -O0 keeps "
                      "everything",
                      found->wish->name);
}

/* ---- showing ---- */

/* A value as JSON: large numbers are texts, as readers of JSON may lose digits of them, and so is what is no number. */
static void value_json(struct textbuf *out, const struct gcn_value *value, unsigned size, enum gcn_notation number)
{
    uint64_t low, high;
    memcpy(&low, value->bytes, sizeof low);
    memcpy(&high, value->bytes + sizeof low, sizeof high);
    bool is_float = number == GCN_NOTATION_FLOAT;
    if (is_float ? !gcn_number_is_finite(low, size) : size > 4) {
        textbuf_puts(out, "\"");
        if (is_float)
            gcn_number_text(out, low, size, number);
        else if (size > 8)
            textbuf_printf(out, "0x%016" PRIx64 "%016" PRIx64, high, low);
        else
            textbuf_printf(out, "0x%016" PRIx64, low);
        textbuf_puts(out, "\"");
    } else {
        gcn_number_text(out, low, size, number == GCN_NOTATION_BITS ? GCN_NOTATION_UNSIGNED : number);
    }
}

/* Begins a line of JSON for a value in each lane, or for elements. */
static void begin_json(const struct variable_found *found, const char *name)
{
    struct textbuf *out = found->at->out;
    textbuf_printf(out, "{\"kind\":\"%s\",\"name\":", *name == '$' ? "register" : "variable");
    textbuf_json(out, name, strlen(name));
    if (*name != '$')
        textbuf_json_member(out, "type", found->variable.type);
}

static void lanes_json(const struct variable_found *found, const char *name, const struct gcn_value *values,
                       uint64_t lanes)
{
    struct textbuf *out = found->at->out;
    begin_json(found, name);
    textbuf_printf(out, ",\"lanes\":\"0x%" PRIx64 "\",\"values\":[", lanes);
    for (uint64_t left = lanes; left; left &= left - 1) {
        textbuf_puts(out, left == lanes ? "" : ",");
        value_json(out, &values[__builtin_ctzll(left)], found->variable.size, found->number);
    }
    textbuf_puts(out, "]}\n");
}

static void lanes_text(const struct variable_found *found, const char *name, const struct gcn_value *values,
                       uint64_t lanes)
{
    static const char *const halves[] = {"", ", low half", ", high half"};
    struct textbuf *out = found->at->out;
    unsigned size = found->variable.size;
    for (unsigned half = size > 8; half <= (size > 8 ? 2 : 0); half++) {
        uint64_t wide[GCN_LANES] = {0};
        for (uint64_t left = lanes; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(left);
            memcpy(&wide[lane], values[lane].bytes + (half == 2 ? 8 : 0), sizeof *wide);
        }
        textbuf_printf(out, "%s%s = ", name, halves[half]);
        gcn_wide_lanes_text(out, wide, half == 2 ? size - 8 : size > 8 ? 8 : size, lanes, found->number);
        textbuf_puts(out, "\n");
    }
}

/* Shows the element in LANES; false if it cannot be told. */
static bool show_lanes(const struct variable_found *found, const char *name, uint64_t element, uint64_t lanes)
{
    struct gcn_value values[GCN_LANES];
    for (uint64_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        if (!value_at(found, element, lane, &values[lane])) {
            refuse_value(found);
            return false;
        }
    }
    (found->at->prompt->json ? lanes_json : lanes_text)(found, name, values, lanes);
    return true;
}

/* Shows COUNT elements from FIRST on, each with a line, in LANES. */
static void show_private(const struct variable_found *found, uint64_t first, uint64_t count, uint64_t lanes)
{
    const struct variable_wish *wish = found->wish;
    bool goes_on = true;
    for (uint64_t i = first; i < first + count && goes_on; i++) {
        char name[NAME_BYTES + 64];
        bool one = wish->index_count == (found->variable.count ? 2 : 1);
        int length = snprintf(name, sizeof name, "%s", wish->name);
        if (found->variable.count)
            length += snprintf(name + length, sizeof name - (size_t)length, "[%" PRIu64 "]", i);
        if (one)
            snprintf(name + length, sizeof name - (size_t)length, "[%d]", __builtin_ctzll(lanes));
        goes_on = show_lanes(found, name, i, lanes);
    }
}

/* Begins the line that shows COUNT elements from FIRST on, of which VALUE is the first. */
static void begin_shared(const struct variable_found *found, const struct gcn_value *value, uint64_t first,
                         uint64_t count)
{
    static const char *const segments[] = {"private", "group", "global"};
    struct textbuf *out = found->at->out;
    uint64_t elements = found->variable.count;
    if (found->at->prompt->json) {
        begin_json(found, found->wish->name);
        textbuf_json_member(out, "segment", found->is_argument ? "kernarg" : segments[value->place]);
        textbuf_printf(out,
                       ",\"address\":\"0x%" PRIx64 "\",\"elements\":%" PRIu64 ",\"first\":%" PRIu64 ",\"values\":[",
                       value->address, elements ? elements : 1, first);
        return;
    }
    textbuf_puts(out, found->wish->name);
    if (elements && count == 1)
        textbuf_printf(out, "[%" PRIu64 "]", first);
    else if (elements)
        textbuf_printf(out, "[%" PRIu64 "-%" PRIu64 "]", first, first + count - 1);
    textbuf_puts(out, " = ");
}

static void shared_text(struct textbuf *out, const struct gcn_value *value, unsigned size, enum gcn_notation number)
{
    uint64_t low, high;
    memcpy(&low, value->bytes, sizeof low);
    memcpy(&high, value->bytes + sizeof low, sizeof high);
    if (size > 8)
        textbuf_printf(out, "0x%0*" PRIx64 "%016" PRIx64, (int)(size - 8) * 2, high, low);
    else
        gcn_number_text(out, low, size, number);
}

/* Shows COUNT elements from FIRST on of what all work-items share. */
static void show_shared(const struct variable_found *found, uint64_t first, uint64_t count)
{
    struct textbuf *out = found->at->out;
    bool json = found->at->prompt->json;
    size_t before = out->size;
    for (uint64_t i = 0; i < count; i++) {
        struct gcn_value value;
        if (!value_at(found, first + i, 0, &value)) {
            out->size = before;
            refuse_value(found);
            return;
        }
        if (!i)
            begin_shared(found, &value, first, count);
        else
            textbuf_puts(out, json ? "," : " ");
        (json ? value_json : shared_text)(out, &value, found->variable.size, found->number);
    }
    if (!json && found->variable.count > count && !(count == 1 && found->wish->index_count))
        textbuf_printf(out, ", %" PRIu64 " of %" PRIu64 " elements", count, found->variable.count);
    textbuf_puts(out, json ? "]}\n" : "\n");
}

/* ---- the command ---- */

/* Which elements are wanted; false, after saying so, if there are none of them. */
static bool choose_elements(const struct variable_found *found, uint64_t *first, uint64_t *count)
{
    const struct variable_wish *wish = found->wish;
    uint64_t all = found->variable.count ? found->variable.count : 1;
    bool named = found->variable.count && wish->index_count;
    *first = named ? wish->index[0] : 0;
    *count = wish->count ? wish->count : named ? 1 : ELEMENTS_DEFAULT;
    bool is_scalar_element = !found->variable.count && wish->index_count && wish->index[0];
    if (is_scalar_element || *first >= all || (wish->count && wish->count > all - *first)) {
        gcn_prompt_refuse(found->at,
                          found->variable.count ? "%s has the elements 0 to %" PRIu64
                                                : "%s is no array: it has only the element %" PRIu64,
                          wish->name, all - 1);
        return false;
    }
    if (*count > all - *first)
        *count = all - *first;
    return true;
}

/* Which lanes are wanted; false, after saying so, if there are none. */
static bool choose_lanes(const struct variable_found *found, uint64_t *lanes)
{
    const struct variable_wish *wish = found->wish;
    const struct gcn_wave *w = found->at->wave;
    unsigned is_array = found->variable.count != 0;
    *lanes = gcn_exec(w) & w->group->shape->ids[w->index].lanes;
    if (wish->index_count > is_array && wish->index[is_array] < GCN_LANES)
        *lanes = UINT64_C(1) << wish->index[is_array];
    else if (wish->index_count > is_array)
        *lanes = 0;
    if (*lanes)
        return true;
    if (wish->index_count > is_array)
        gcn_prompt_refuse(found->at, "%s has a value in the lanes 0 to %d", wish->name, GCN_LANES - 1);
    else
        gcn_prompt_refuse(found->at, "no work-item is active; %s%s[LANE] shows one that is not", wish->name,
                          is_array ? "[N]" : "");
    return false;
}

bool gcn_prompt_variable(struct gcn_stop_place *at, const char *words)
{
    struct variable_wish wish;
    struct variable_found found = {.at = at, .wish = &wish};
    struct gcn_value value;
    uint64_t first = 0, count = 1, lanes;
    if (!read_variable_wish(words, &wish) || !find_named(&found))
        return false;
    if (!found.variable.size) {
        gcn_prompt_refuse(at, "%s is a structure, a pointer or the like; only numbers and arrays of them are shown",
                          wish.name);
        return true;
    }
    bool is_private = !value_at(&found, 0, 0, &value) || value.place == GCN_VALUE_LANE;
    if (is_private && !found.variable.count) {
        if (wish.count || wish.index_count > 1)
            gcn_prompt_refuse(at, "%s is no array: %s[LANE] is its value in a lane", wish.name, wish.name);
        else if (choose_lanes(&found, &lanes))
            show_private(&found, 0, 1, lanes);
    } else if (is_private) {
        if (choose_elements(&found, &first, &count) && choose_lanes(&found, &lanes))
            show_private(&found, first, count, lanes);
    } else if (wish.index_count > 1) {
        gcn_prompt_refuse(at, "all work-items share %s, so lanes have no values of their own", wish.name);
    } else if (choose_elements(&found, &first, &count)) {
        show_shared(&found, first, count);
    }
    return true;
}

void gcn_prompt_names(struct gcn_stop_place *at, struct textbuf *names)
{
    enum { SIZE = 1024 };
    const hsa_generic_driver_interface *core = at->observe->agent->core;
    hsam_argument arguments[ARGUMENTS];
    char known[SIZE] = "";
    size_t count = core->code_variables ? core->code_variables(at->site->pc, known, sizeof known) : 0, shown = 0;
    textbuf_puts(names, known);
    for (const char *c = known; *c; c++)
        shown += *c == ' ';
    size_t argument_count = kernel_arguments(at, arguments);
    for (size_t i = 0; i < argument_count && names->size < SIZE; i++)
        if (*arguments[i].name)
            textbuf_printf(names, "%%%s ", arguments[i].name);
    if (count > shown)
        textbuf_printf(names, "and %zu others", count - shown);
    else if (names->size && !names->failed)
        names->data[--names->size] = 0; /* the last blank */
}
