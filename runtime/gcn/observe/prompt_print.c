/* SPDX-License-Identifier: MIT */
/* What the prompt shows: places, registers, lanes, memory, instructions.
 * Input: a wave that has stopped. Output: lines of text or of JSON.
 * Invariant: memory is read without trust in the address. */
#include "config.h"

#include "runtime/gcn/observe/prompt.h"

#include "runtime/gcn/observe/prompt_location.h"
#include "runtime/gcn/observe/trace.h"
#include "runtime/gcn/observe/wave_state.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DWORDS_DEFAULT = 4, DWORDS_MAX = 4096, LISTED_INSTRUCTIONS = 8, LISTED_LINES = 4 };

void gcn_prompt_refuse(struct gcn_stop_place *at, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (at->prompt->json) {
        textbuf_puts(at->out, "{\"kind\":\"error\",\"text\":");
        textbuf_json(at->out, text, strlen(text));
        textbuf_puts(at->out, "}\n");
    } else {
        textbuf_puts(at->out, "error: ");
        textbuf_quote(at->out, (struct bytes){(const uint8_t *)text, strlen(text)}, sizeof text);
        textbuf_puts(at->out, "\n");
    }
}

void gcn_prompt_place(struct gcn_stop_place *at)
{
    if (at->prompt->json) {
        textbuf_puts(at->out, "{\"kind\":\"stop\",");
        gcn_place_json(at->observe, at->site, at->wave, at->out);
        gcn_site_calls_json(at->observe, at->site, at->out);
        textbuf_printf(at->out, ",\"exec\":\"0x%" PRIx64 "\"}\n", gcn_exec(at->wave));
    } else {
        gcn_place_text(at->observe, at->site, at->wave, at->out);
        textbuf_puts(at->out, "\n");
        gcn_site_calls_text(at->observe, at->site, at->out);
    }
}

/* ---- registers ---- */

static void show_scalar(struct gcn_stop_place *at, const char *name, uint64_t value, unsigned bytes)
{
    if (at->prompt->json)
        textbuf_printf(at->out, "{\"kind\":\"register\",\"name\":\"%s\",\"value\":\"0x%" PRIx64 "\"}\n", name, value);
    else
        textbuf_printf(at->out, "%s = 0x%0*" PRIx64 "\n", name, (int)bytes * 2, value);
}

static void show_vector(struct gcn_stop_place *at, const char *name, const uint32_t values[GCN_LANES])
{
    if (!at->prompt->json) {
        textbuf_printf(at->out, "%s = ", name);
        gcn_lanes_text(at->out, values, UINT64_MAX);
        textbuf_puts(at->out, "\n");
        return;
    }
    textbuf_printf(at->out, "{\"kind\":\"register\",\"name\":\"%s\",\"values\":[", name);
    for (unsigned i = 0; i < GCN_LANES; i++)
        textbuf_printf(at->out, "%s%u", i ? "," : "", values[i]);
    textbuf_puts(at->out, "]}\n");
}

/* Reads "3", "3]", "4:5]" and the like: one or two numbers, with END as the rest of TEXT. */
static bool read_numbers(const char *text, const char *end, unsigned *first, unsigned *last)
{
    char *rest;
    if (!isdigit((unsigned char)*text))
        return false;
    *first = *last = (unsigned)strtoul(text, &rest, 10);
    if (*rest == ':' && isdigit((unsigned char)rest[1]))
        *last = (unsigned)strtoul(rest + 1, &rest, 10);
    return !strcmp(rest, end);
}

static bool print_scalars(struct gcn_stop_place *at, const char *name)
{
    enum { NUMBERED = 102, MOST = 16 };
    unsigned first, last;
    bool is_list = name[1] == '[';
    if (*name != 's' || !read_numbers(name + 1 + is_list, is_list ? "]" : "", &first, &last) || last < first ||
        last >= NUMBERED || last - first >= MOST)
        return false;
    if (last == first + 1) {
        show_scalar(at, name, gcn_get64(at->wave, first), 8);
        return true;
    }
    for (; first <= last; first++) {
        char one[24];
        show_scalar(at, gcn_scalar_text(first, one), at->wave->s[first], 4);
    }
    return true;
}

static bool print_vector(struct gcn_stop_place *at, const char *name)
{
    unsigned number, lane;
    char *rest;
    if ((*name != 'v' && *name != 'a') || !isdigit((unsigned char)name[1]))
        return false;
    number = (unsigned)strtoul(name + 1, &rest, 10);
    if (number >= GCN_VGPRS)
        return false;
    const uint32_t *values = *name == 'v' ? at->wave->v[number] : at->wave->a[number];
    if (!*rest) {
        show_vector(at, name, values);
        return true;
    }
    if (*rest != '[' || !read_numbers(rest + 1, "]", &lane, &number) || lane != number || lane >= GCN_LANES)
        return false;
    show_scalar(at, name, values[lane], 4);
    return true;
}

static bool print_named(struct gcn_stop_place *at, const char *name)
{
    const struct gcn_wave *w = at->wave;
    const struct {
        const char *name;
        uint64_t value;
        unsigned bytes;
    } named[] = {
        {"exec", gcn_exec(w), 8},
        {"vcc", gcn_get64(w, GCN_S_VCC), 8},
        {"flat_scratch", gcn_get64(w, GCN_S_FLAT_SCRATCH), 8},
        {"xnack_mask", gcn_get64(w, GCN_S_XNACK_MASK), 8},
        {"m0", w->s[GCN_S_M0], 4},
        {"scc", w->scc, 0},
        {"mode", w->mode, 4},
        {"pc", at->site->pc, 8},
    };
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (!strcmp(named[i].name, name)) {
            show_scalar(at, name, named[i].value, named[i].bytes);
            return true;
        }
    return false;
}

void gcn_prompt_print(struct gcn_stop_place *at, const char *words)
{
    if (print_named(at, words) || print_scalars(at, words) || print_vector(at, words) || gcn_prompt_variable(at, words))
        return;
    struct textbuf names = {0};
    gcn_prompt_names(at, &names);
    const char *known = names.failed || !names.size ? "nothing, as it was compiled without -g" : names.data;
    if (*words == '$')
        gcn_prompt_refuse(at, "the code object knows of no register %s of HSAIL here, but of: %s", words, known);
    else
        gcn_prompt_refuse(at,
                          "a register (s4, s[4:5], v3, v3[LANE], a3, exec, vcc, scc, m0, mode, pc) or a variable is "
                          "wanted, not %s; the code object knows of: %s",
                          *words ? words : "nothing", known);
    textbuf_free(&names);
}

/* Which work-items LANES are: a line for adjacent lanes with adjacent work-items of a row. */
static void lane_rows(struct textbuf *out, const struct gcn_wave_ids *ids, uint64_t lanes)
{
    for (unsigned first = 0, last; first < GCN_LANES; first = last + 1) {
        last = first;
        if (!(lanes >> first & 1))
            continue;
        while (last + 1 < GCN_LANES && lanes >> (last + 1) & 1 && ids->id[0][last + 1] == ids->id[0][last] + 1)
            last++;
        const unsigned id[] = {ids->id[0][first], ids->id[1][first], ids->id[2][first]};
        if (first == last)
            textbuf_printf(out, "lane %u is work-item (%u,%u,%u)\n", first, id[0], id[1], id[2]);
        else
            textbuf_printf(out, "lanes %u-%u are work-items (%u,%u,%u) to (%u,%u,%u)\n", first, last, id[0], id[1],
                           id[2], ids->id[0][last], id[1], id[2]);
    }
}

void gcn_prompt_lanes(struct gcn_stop_place *at)
{
    uint64_t exec = gcn_exec(at->wave);
    const struct gcn_wave_ids *ids = &at->wave->group->shape->ids[at->wave->index];
    if (at->prompt->json)
        textbuf_printf(at->out, "{\"kind\":\"lanes\",\"exec\":\"0x%" PRIx64 "\",\"lanes\":[", exec);
    else
        textbuf_printf(at->out, "%d of %d work-items of this wave %s active\n", __builtin_popcountll(exec & ids->lanes),
                       __builtin_popcountll(ids->lanes), __builtin_popcountll(exec & ids->lanes) == 1 ? "is" : "are");
    for (uint64_t left = exec; at->prompt->json && left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        textbuf_printf(at->out, "%s{\"lane\":%u,\"item\":[%u,%u,%u]}", left == exec ? "" : ",", lane, ids->id[0][lane],
                       ids->id[1][lane], ids->id[2][lane]);
    }
    if (at->prompt->json)
        textbuf_puts(at->out, "]}\n");
    else
        lane_rows(at->out, ids, exec & ids->lanes);
}

/* ---- memory ---- */

struct memory_wish {
    enum hsam_access_segment segment;
    uint64_t lane, address, count;
};

static bool take_number(const char **words, uint64_t *number)
{
    char *end;
    *words += strspn(*words, " \t");
    errno = 0;
    *number = isdigit((unsigned char)**words) ? strtoull(*words, &end, 0) : 0;
    if (!isdigit((unsigned char)**words) || errno || (*end && !isspace((unsigned char)*end)))
        return false;
    *words = end;
    return true;
}

static bool take_word(const char **words, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*words, word, length) != 0 || (*words)[length] != ' ')
        return false;
    *words += length;
    return true;
}

static bool read_wish(const char *words, struct memory_wish *wish)
{
    *wish = (struct memory_wish){.segment = HSAM_ACCESS_GLOBAL, .count = DWORDS_DEFAULT};
    if (take_word(&words, "group"))
        wish->segment = HSAM_ACCESS_GROUP;
    else if (take_word(&words, "private"))
        wish->segment = HSAM_ACCESS_PRIVATE;
    if (wish->segment == HSAM_ACCESS_PRIVATE && !take_number(&words, &wish->lane))
        return false;
    if (!take_number(&words, &wish->address) || wish->address % 4)
        return false;
    words += strspn(words, " \t");
    return !*words || (take_number(&words, &wish->count) && !words[strspn(words, " \t")] && wish->count &&
                       wish->count <= DWORDS_MAX);
}

/* The dword number I of WISH; false if it is not there. */
static bool read_dword(const struct gcn_wave *w, const struct memory_wish *wish, uint64_t i, uint32_t *value)
{
    uint64_t at = wish->address + 4 * i;
    if (wish->segment == HSAM_ACCESS_GROUP) {
        if (at + 4 > w->lds_size)
            return false;
        memcpy(value, w->lds + at, sizeof *value);
        return true;
    }
    if (wish->segment == HSAM_ACCESS_PRIVATE) {
        if (at + 4 > w->scratch_size || wish->lane >= GCN_LANES)
            return false;
        memcpy(value, w->scratch + at * GCN_LANES + wish->lane * 4, sizeof *value);
        return true;
    }
    return gcn_memory_read(at, value, sizeof *value);
}

void gcn_prompt_memory(struct gcn_stop_place *at, const char *words)
{
    struct memory_wish wish;
    if (!read_wish(words, &wish)) {
        gcn_prompt_refuse(at, "[group|private LANE] ADDRESS [N] is wanted, the address a multiple of 4 and N up to %d",
                          DWORDS_MAX);
        return;
    }
    uint32_t value;
    if (at->prompt->json)
        textbuf_printf(at->out, "{\"kind\":\"memory\",\"address\":\"0x%" PRIx64 "\",\"dwords\":[", wish.address);
    for (uint64_t i = 0; i < wish.count; i++) {
        bool there = read_dword(at->wave, &wish, i, &value);
        if (at->prompt->json && there)
            textbuf_printf(at->out, "%s%u", i ? "," : "", value);
        else if (at->prompt->json)
            textbuf_printf(at->out, "%snull", i ? "," : "");
        else if (there)
            textbuf_printf(at->out, "0x%" PRIx64 ": 0x%08x\n", wish.address + 4 * i, value);
        else
            textbuf_printf(at->out, "0x%" PRIx64 ": not there\n", wish.address + 4 * i);
    }
    if (at->prompt->json)
        textbuf_puts(at->out, "]}\n");
}

/* ---- source and instructions ---- */

/* Lines of the source around the one of PLACE, if the file is found from here. */
static void list_source(struct gcn_stop_place *at, const hsam_place *place)
{
    char line[256];
    FILE *file = *place->file ? fopen(place->file, "re") : NULL;
    for (uint32_t number = 1; file && number <= place->line + LISTED_LINES && fgets(line, sizeof line, file);
         number++) {
        size_t length = strcspn(line, "\n");
        bool whole = line[length] == '\n';
        if (number + LISTED_LINES >= place->line) {
            textbuf_printf(at->out, "%s%5u  ", number == place->line ? ">" : " ", number);
            textbuf_quote(at->out, (struct bytes){(const uint8_t *)line, length}, length);
            textbuf_puts(at->out, "\n");
        }
        for (int c; !whole && (c = fgetc(file)) != EOF && c != '\n';)
            ;
    }
    if (file)
        fclose(file);
}

void gcn_prompt_list(struct gcn_stop_place *at)
{
    uint64_t pc = at->site->pc;
    bool json = at->prompt->json;
    if (json)
        textbuf_puts(at->out, "{\"kind\":\"list\",\"instructions\":[");
    else
        list_source(at, gcn_site_place(at->observe, at->site));
    for (unsigned i = 0; i < LISTED_INSTRUCTIONS; i++) {
        struct gcn_inst inst;
        char text[160];
        if (!gcn_cache_decode(at->observe->dispatch->cache, pc, &inst, text, sizeof text))
            break;
        if (json)
            textbuf_printf(at->out, "%s{\"pc\":\"0x%" PRIx64 "\",\"instruction\":", i ? "," : "", pc);
        else
            textbuf_printf(at->out, "%s 0x%" PRIx64 "  %s\n", i ? " " : ">", pc, text);
        if (json) {
            textbuf_json(at->out, text, strlen(text));
            textbuf_puts(at->out, "}");
        }
        pc += inst.size;
    }
    if (json)
        textbuf_puts(at->out, "]}\n");
}
