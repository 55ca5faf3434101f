/* SPDX-License-Identifier: MIT */
/* Registers of a wave as text; see wave_state.h.
 * Input: a wave, and what its registers held before. Output: text and JSON.
 * Invariant: 64-bit registers with a name of their own, EXEC and VCC, are shown as one value. */
#include "runtime/gcn/observe/wave_state.h"

#include "runtime/gcn/exec/lane.h"
#include "support/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED = 102 }; /* the first scalar register with a name instead of a number */

bool gcn_wave_state_init(struct gcn_wave_state *state, unsigned v_count, unsigned a_count)
{
    v_count = v_count > GCN_VGPRS ? GCN_VGPRS : v_count;
    a_count = a_count > GCN_VGPRS ? GCN_VGPRS : a_count;
    state->v = mem_zalloc(v_count + a_count + 1, sizeof *state->v);
    state->a = state->v ? state->v + v_count : NULL;
    state->v_count = v_count;
    state->a_count = a_count;
    return state->v != NULL;
}

void gcn_wave_state_free(struct gcn_wave_state *state)
{
    mem_free(state->v);
    state->v = NULL;
}

void gcn_wave_state_take(struct gcn_wave_state *state, const struct gcn_wave *w)
{
    memcpy(state->s, w->s, sizeof state->s);
    state->scc = w->scc;
    memcpy(state->v, w->v, state->v_count * sizeof *state->v);
    memcpy(state->a, w->a, state->a_count * sizeof *state->a);
}

const char *gcn_scalar_text(unsigned code, char name[24])
{
    static const char *const names[] = {"flat_scratch", "xnack_mask", "vcc"};
    if (code < NAMED)
        snprintf(name, 24, "s%u", code);
    else if (code < GCN_S_TTMP)
        snprintf(name, 24, "%s_%s", names[(code - NAMED) / 2], code & 1 ? "hi" : "lo");
    else if (code < GCN_S_M0)
        snprintf(name, 24, "ttmp%u", code - GCN_S_TTMP);
    else
        snprintf(name, 24, "%s", code == GCN_S_M0 ? "m0" : code == GCN_S_NULL ? "null" : "exec");
    return name;
}

/* Calls EACH for every scalar value that differs, by name and with its new value, of BYTES. */
static void changed_scalars(
    const struct gcn_wave_state *state, const struct gcn_wave *w,
    void (*each)(struct textbuf *text, const char *name, uint64_t value, unsigned bytes, unsigned number),
    struct textbuf *text)
{
    char name[24];
    unsigned number = 0;
    for (unsigned code = 0; code < GCN_SGPRS; code++) {
        bool pair = code == GCN_S_VCC || code == GCN_S_EXEC;
        if (code == GCN_S_NULL || (state->s[code] == w->s[code] && (!pair || state->s[code + 1] == w->s[code + 1])))
            continue;
        if (pair)
            each(text, code == GCN_S_VCC ? "vcc" : "exec", gcn_get64(w, code), 8, number++);
        else if (code != GCN_S_VCC + 1 && code != GCN_S_EXEC + 1)
            each(text, gcn_scalar_text(code, name), w->s[code], 4, number++);
        code += pair;
    }
    if (state->scc != w->scc)
        each(text, "scc", w->scc, 0, number);
}

static uint64_t changed_lanes(const uint32_t before[GCN_LANES], const uint32_t now[GCN_LANES])
{
    uint64_t lanes = 0;
    if (memcmp(before, now, GCN_LINE) != 0)
        for (unsigned i = 0; i < GCN_LANES; i++)
            lanes |= (uint64_t)(before[i] != now[i]) << i;
    return lanes;
}

/* ---- for people ---- */

static void scalar_text(struct textbuf *text, const char *name, uint64_t value, unsigned bytes, unsigned number)
{
    (void)number;
    textbuf_printf(text, "    %s = 0x%0*" PRIx64 "\n", name, bytes ? (int)bytes * 2 : 1, value);
}

/* Whether LANES are adjacent, and the values grow by *STEP from each to the next. */
static bool is_progression(const uint64_t values[GCN_LANES], uint64_t lanes, uint64_t *step)
{
    unsigned first = (unsigned)__builtin_ctzll(lanes), last = 63 - (unsigned)__builtin_clzll(lanes);
    if (last - first < 2 || (lanes >> first & ((lanes >> first) + 1)))
        return false;
    *step = values[first + 1] - values[first];
    for (unsigned i = first + 1; i <= last; i++)
        if (values[i] - values[i - 1] != *step)
            return false;
    return true;
}

/* The same for values of 32 bits, which may wrap around. */
static bool is_progression32(const uint64_t values[GCN_LANES], uint64_t lanes, uint64_t *step)
{
    uint64_t shifted[GCN_LANES];
    for (unsigned i = 0; i < GCN_LANES; i++)
        shifted[i] = values[i] << 32;
    bool is = is_progression(shifted, lanes, step);
    *step = (uint64_t)((int64_t)*step >> 32);
    return is;
}

/* The number of adjacent LANES from the first one on. */
static unsigned adjacent_lanes(uint64_t lanes)
{
    uint64_t shifted = lanes >> __builtin_ctzll(lanes);
    return ~shifted ? (unsigned)__builtin_ctzll(~shifted) : GCN_LANES;
}

/* Adds " lanes 0-3, 8"; or a mask if that is shorter. */
static void lane_names(struct textbuf *text, uint64_t lanes)
{
    enum { RANGES_MAX = 6 };
    unsigned ranges = 0;
    if (lanes == UINT64_MAX) {
        textbuf_puts(text, " all lanes");
        return;
    }
    for (uint64_t left = lanes; left; left &= left + (left & -left)) /* the carry removes the first range */
        ranges++;
    textbuf_puts(text, lanes & (lanes - 1) ? " lanes" : " lane");
    if (ranges > RANGES_MAX) {
        textbuf_printf(text, " 0x%" PRIx64, lanes);
        return;
    }
    for (uint64_t left = lanes; left; left &= left + (left & -left)) {
        unsigned first = (unsigned)__builtin_ctzll(left), count = adjacent_lanes(left);
        textbuf_printf(text, left == lanes ? " %u" : ", %u", first);
        if (count > 1)
            textbuf_printf(text, "-%u", first + count - 1);
    }
}

/* The number that a float of 2, 4 or 8 bytes stands for. */
static double float_of(uint64_t value, unsigned bytes)
{
    if (bytes == 8)
        return lane_f64(value);
    return (double)(bytes == 2 ? lane_from16((uint32_t)value) : lane_f32((uint32_t)value));
}

bool gcn_number_is_finite(uint64_t value, unsigned bytes)
{
    double number = float_of(value, bytes);
    return number - number == 0;
}

/* The shortest text that reads back as the same number. */
static void float_text(struct textbuf *text, uint64_t value, unsigned bytes)
{
    double number = float_of(value, bytes);
    char digits[32];
    for (int precision = bytes == 8 ? 15 : bytes == 4 ? 6 : 3; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        double again = strtod(digits, NULL);
        if (bytes == 4 ? (float)again == (float)number : again == number)
            break;
    }
    textbuf_puts(text, number != number ? "nan" : digits);
}

/* VALUE without the bytes that do not count. */
static uint64_t number_value(uint64_t value, unsigned bytes, enum gcn_notation number)
{
    unsigned unused = bytes < 8 ? 64 - 8 * bytes : 0;
    return number == GCN_NOTATION_SIGNED ? (uint64_t)((int64_t)(value << unused) >> unused) : value << unused >> unused;
}

void gcn_number_text(struct textbuf *text, uint64_t value, unsigned bytes, enum gcn_notation number)
{
    value = number_value(value, bytes, number);
    switch (number) {
    case GCN_NOTATION_BITS: textbuf_printf(text, "0x%0*" PRIx64, (int)bytes * 2, value); break;
    case GCN_NOTATION_UNSIGNED: textbuf_printf(text, "%" PRIu64, value); break;
    case GCN_NOTATION_SIGNED: textbuf_printf(text, "%" PRId64, (int64_t)value); break;
    case GCN_NOTATION_FLOAT: float_text(text, value, bytes); break;
    }
}

void gcn_wide_lanes_text(struct textbuf *text, const uint64_t values[GCN_LANES], unsigned bytes, uint64_t lanes,
                         enum gcn_notation number)
{
    unsigned first = (unsigned)__builtin_ctzll(lanes);
    uint64_t step = 0, valid[GCN_LANES];
    bool same = true, is_float = number == GCN_NOTATION_FLOAT;
    for (unsigned i = 0; i < GCN_LANES; i++)
        valid[i] = number_value(values[i], bytes, number);
    for (uint64_t left = lanes; left; left &= left - 1)
        same &= valid[__builtin_ctzll(left)] == valid[first];
    gcn_number_text(text, valid[first], bytes, number);
    if (same) {
        textbuf_puts(text, " in");
    } else if (!is_float && (bytes > 4 ? is_progression(valid, lanes, &step) : is_progression32(valid, lanes, &step))) {
        textbuf_printf(text, ", %" PRId64 " more from each lane to the next, in", (int64_t)step);
    } else {
        for (uint64_t left = lanes & (lanes - 1); left; left &= left - 1) {
            textbuf_puts(text, " ");
            gcn_number_text(text, valid[__builtin_ctzll(left)], bytes, number);
        }
        textbuf_puts(text, " in");
    }
    lane_names(text, lanes);
}

void gcn_lanes_text(struct textbuf *text, const uint32_t values[GCN_LANES], uint64_t lanes)
{
    uint64_t wide[GCN_LANES];
    for (unsigned i = 0; i < GCN_LANES; i++)
        wide[i] = values[i];
    gcn_wide_lanes_text(text, wide, sizeof *values, lanes, GCN_NOTATION_BITS);
}

static void vectors_text(struct textbuf *text, char kind, unsigned count, uint32_t (*before)[GCN_LANES],
                         const uint32_t (*now)[GCN_LANES])
{
    for (unsigned i = 0; i < count; i++) {
        uint64_t lanes = changed_lanes(before[i], now[i]);
        if (!lanes)
            continue;
        textbuf_printf(text, "    %c%u = ", kind, i);
        gcn_lanes_text(text, now[i], lanes);
        textbuf_puts(text, "\n");
    }
}

void gcn_wave_state_text(const struct gcn_wave_state *state, const struct gcn_wave *w, struct textbuf *text)
{
    changed_scalars(state, w, scalar_text, text);
    vectors_text(text, 'v', state->v_count, state->v, w->v);
    vectors_text(text, 'a', state->a_count, state->a, w->a);
}

/* ---- for programs ---- */

static void scalar_json(struct textbuf *json, const char *name, uint64_t value, unsigned bytes, unsigned number)
{
    (void)bytes;
    textbuf_printf(json, "%s\"%s\":\"0x%" PRIx64 "\"", number ? "," : "", name, value);
}

static unsigned vectors_json(struct textbuf *json, char kind, unsigned count, uint32_t (*before)[GCN_LANES],
                             const uint32_t (*now)[GCN_LANES], unsigned number)
{
    for (unsigned i = 0; i < count; i++) {
        uint64_t lanes = changed_lanes(before[i], now[i]);
        if (!lanes)
            continue;
        textbuf_printf(json, "%s\"%c%u\":{\"lanes\":\"0x%" PRIx64 "\",\"values\":[", number++ ? "," : "", kind, i,
                       lanes);
        for (uint64_t left = lanes; left; left &= left - 1)
            textbuf_printf(json, "%s%u", left == lanes ? "" : ",", now[i][__builtin_ctzll(left)]);
        textbuf_puts(json, "]}");
    }
    return number;
}

void gcn_wave_state_json(const struct gcn_wave_state *state, const struct gcn_wave *w, struct textbuf *json)
{
    textbuf_puts(json, ",\"scalars\":{");
    changed_scalars(state, w, scalar_json, json);
    textbuf_puts(json, "},\"vectors\":{");
    unsigned number = vectors_json(json, 'v', state->v_count, state->v, w->v, 0);
    vectors_json(json, 'a', state->a_count, state->a, w->a, number);
    textbuf_puts(json, "}");
}
