/* SPDX-License-Identifier: MIT */
/* Variables of the source at the prompt: registers of HSAIL, and what else debug information names.
 * Input: the location of a variable, an expression of DWARF. Output: its value in each lane.
 * Invariant: a value that the expression does not give for certain is refused, not guessed. */
#include "runtime/gcn/observe/prompt.h"
#include "runtime/gcn/observe/wave_state.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_BYTES = 16, DEPTH = 16 };
enum { SPACE_PRIVATE = 1, SPACE_GROUP = 2 }; /* address spaces of HSAM_OP_XDEREF, as clang numbers them */

struct variable_state {
    const struct gcn_wave *wave;
    const hsam_variable *variable;
    unsigned lane;
    struct bytes left; /* of the expression */
    uint64_t stack[DEPTH];
    unsigned depth;
    /* What is on top of the stack, or in a register. */
    enum { PLACE_NOWHERE, PLACE_FRAME, PLACE_PRIVATE, PLACE_GROUP, PLACE_REGISTER, PLACE_VALUE } place;
    uint8_t value[VALUE_BYTES];
    unsigned size; /* of the pieces so far */
    bool looked;   /* a register or memory had a part in it */
    bool failed;
};

static uint64_t take_operand(struct variable_state *s, unsigned bytes)
{
    uint64_t value = 0;
    struct bytes taken = bytes_slice(s->left, 0, bytes);
    s->failed |= taken.size != bytes;
    if (s->failed)
        return 0;
    memcpy(&value, taken.data, bytes);
    s->left = bytes_slice(s->left, bytes, s->left.size - bytes);
    return value;
}

static uint64_t take_leb_operand(struct variable_state *s, bool sign)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        byte = (uint8_t)take_operand(s, 1);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    return sign && byte & 0x40 && shift < 64 ? value | UINT64_MAX << shift : value;
}

static void push(struct variable_state *s, uint64_t value)
{
    s->failed |= s->depth == DEPTH;
    if (!s->failed)
        s->stack[s->depth++] = value;
}

static uint64_t pop(struct variable_state *s)
{
    s->failed |= !s->depth;
    return s->failed ? 0 : s->stack[--s->depth];
}

/* The register that DWARF's NUMBER means for LLVM, in waves of 64. */
static uint32_t register_value(struct variable_state *s, uint64_t number)
{
    static const struct {
        uint32_t first, count, from;
        char kind;
    } ranges[] = {{32, 64, 0, 's'}, {1088, 38, 64, 's'}, {2560, 256, 0, 'v'}, {3072, 256, 0, 'a'}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        uint64_t at = number - ranges[i].first;
        if (at >= ranges[i].count)
            continue;
        /* What HSAIL's control registers are in scalar registers, one bit or a mask of lanes, is not said. */
        s->failed |= ranges[i].kind == 's' && s->variable->size == 1;
        at += ranges[i].from;
        s->looked = true;
        return ranges[i].kind == 's'   ? s->wave->s[at]
               : ranges[i].kind == 'v' ? s->wave->v[at][s->lane]
                                       : s->wave->a[at][s->lane];
    }
    s->failed = true;
    return 0;
}

/* The beginning of the function's frame in the private memory of a work-item. Kernels have theirs at 0; others say by a
 * scalar register how many bytes of the wave come before it. */
static uint64_t frame_base(struct variable_state *s)
{
    if (!s->variable->frame_size)
        return 0;
    struct variable_state frame = {.wave = s->wave,
                                   .variable = &(hsam_variable){.size = 4},
                                   .left = {s->variable->frame, s->variable->frame_size}};
    bool is_register = take_operand(&frame, 1) == HSAM_OP_REGX;
    uint64_t number = take_leb_operand(&frame, false);
    uint32_t value = register_value(&frame, number);
    s->failed |= !is_register || frame.failed || frame.left.size;
    return value / GCN_LANES;
}

static void read_memory(struct variable_state *s, unsigned bytes, uint8_t *to)
{
    const struct gcn_wave *w = s->wave;
    uint64_t at = pop(s);
    s->looked = true;
    bool is_group = s->place == PLACE_GROUP;
    s->failed |= !range_inside(at, bytes, is_group ? w->lds_size : w->scratch_size);
    for (unsigned i = 0; i < bytes && !s->failed; i++, at++)
        to[i] = is_group ? w->lds[at] : w->scratch[(at & ~(uint64_t)3) * GCN_LANES + s->lane * 4 + (at & 3)];
}

/* Appends what the expression has led to so far, BYTES of it, to the value. */
static void take_piece(struct variable_state *s, uint64_t bytes)
{
    s->failed |= !bytes || bytes > VALUE_BYTES - s->size;
    if (s->failed)
        return;
    uint8_t *to = s->value + s->size;
    if (s->place == PLACE_FRAME || s->place == PLACE_PRIVATE || s->place == PLACE_GROUP) {
        read_memory(s, (unsigned)bytes, to);
    } else if (s->place == PLACE_REGISTER || s->place == PLACE_VALUE) {
        uint64_t value = pop(s);
        s->failed |= bytes > (s->place == PLACE_REGISTER ? 4 : sizeof value);
        if (!s->failed)
            memcpy(to, &value, bytes);
    } else {
        s->failed = true;
    }
    s->size += (unsigned)bytes;
    s->place = PLACE_NOWHERE;
}

/* Operations on the two values on top, LEFT the one below; false: it is none of them. */
static bool combine(unsigned operation, uint64_t left, uint64_t right, uint64_t *result)
{
    switch (operation) {
    case 0x1a: *result = left & right; return true;
    case 0x1c: *result = left - right; return true;
    case 0x1e: *result = left * right; return true;
    case 0x21: *result = left | right; return true;
    case 0x22: *result = left + right; return true;
    case 0x24: *result = right < 64 ? left << right : 0; return true;
    case 0x25: *result = right < 64 ? left >> right : 0; return true;
    case 0x26: *result = (uint64_t)((int64_t)left >> (right < 64 ? right : 63)); return true;
    case 0x27: *result = left ^ right; return true;
    default: return false;
    }
}

static void arithmetic(struct variable_state *s, unsigned operation)
{
    uint64_t right = pop(s), result = 0;
    if (operation == 0x1f)
        result = 0 - right;
    else if (operation == 0x20)
        result = ~right;
    else
        s->failed |= !combine(operation, pop(s), right, &result);
    push(s, result);
}

static void convert(struct variable_state *s)
{
    uint8_t type = (uint8_t)take_operand(s, 1);
    unsigned bits = (type & 0x7fu) * 8;
    uint64_t value = pop(s);
    s->failed |= bits > 64;
    if (bits && bits < 64 && !s->failed)
        value =
            type & 0x80 ? (uint64_t)((int64_t)(value << (64 - bits)) >> (64 - bits)) : value & ~(UINT64_MAX << bits);
    push(s, value);
}

static void dereference(struct variable_state *s)
{
    uint64_t address = pop(s), space = pop(s);
    s->failed |= space != SPACE_PRIVATE && space != SPACE_GROUP;
    s->place = space == SPACE_GROUP ? PLACE_GROUP : PLACE_PRIVATE;
    push(s, address);
}

static void other_operation(struct variable_state *s, unsigned operation)
{
    uint64_t value;
    switch (operation) {
    case HSAM_OP_DUP:
        value = pop(s);
        push(s, value);
        push(s, value);
        break;
    case HSAM_OP_DROP: pop(s); break;
    case HSAM_OP_SWAP:
        value = pop(s);
        uint64_t below = pop(s);
        push(s, value);
        push(s, below);
        break;
    case HSAM_OP_PLUS_UCONST: push(s, pop(s) + take_leb_operand(s, false)); break;
    case HSAM_OP_REGX:
        push(s, register_value(s, take_leb_operand(s, false)));
        s->place = PLACE_REGISTER;
        break;
    case HSAM_OP_BREGX:
        value = register_value(s, take_leb_operand(s, false));
        push(s, value + take_leb_operand(s, true));
        break;
    case HSAM_OP_FBREG:
        push(s, frame_base(s) + take_leb_operand(s, true));
        s->place = PLACE_FRAME;
        break;
    case HSAM_OP_XDEREF: dereference(s); break;
    case HSAM_OP_STACK_VALUE:
        s->failed |= s->place == PLACE_FRAME; /* an address, which is no value of HSAIL's */
        s->place = PLACE_VALUE;
        break;
    case HSAM_OP_PIECE: take_piece(s, take_leb_operand(s, false)); break;
    case HSAM_OP_CONVERT: convert(s); break;
    default: arithmetic(s, operation);
    }
}

/* Evaluates the location of S->variable in one lane. */
static void evaluate(struct variable_state *s)
{
    s->left = (struct bytes){s->variable->location, s->variable->location_size};
    s->failed |= !s->left.size;
    while (s->left.size && !s->failed) {
        unsigned operation = (unsigned)take_operand(s, 1);
        static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8};
        if (operation >= 0x30 && operation <= 0x4f) {
            push(s, operation - 0x30);
        } else if (operation >= HSAM_OP_CONST1U && operation <= HSAM_OP_CONST8S) {
            unsigned bits = sizes[operation - HSAM_OP_CONST1U] * 8;
            uint64_t value = take_operand(s, bits / 8);
            push(s, operation & 1 ? (uint64_t)((int64_t)(value << (64 - bits)) >> (64 - bits)) : value);
        } else if (operation == HSAM_OP_CONSTU || operation == HSAM_OP_CONSTS) {
            push(s, take_leb_operand(s, operation == HSAM_OP_CONSTS));
        } else {
            other_operation(s, operation);
        }
    }
    if (!s->size)
        take_piece(s, s->variable->size);
    /* LLVM may have constants stand where a later value is already there, so they are not trusted. */
    s->failed |= s->size != s->variable->size || !s->looked;
}

/* ---- the command ---- */

struct lane_values {
    uint64_t low[GCN_LANES], high[GCN_LANES];
};

static void values_json(struct gcn_stop_place *at, const char *name, const struct lane_values *values, unsigned size,
                        uint64_t lanes)
{
    textbuf_puts(at->out, "{\"kind\":\"register\",\"name\":");
    textbuf_json(at->out, name, strlen(name));
    textbuf_printf(at->out, ",\"lanes\":\"0x%" PRIx64 "\",\"values\":[", lanes);
    for (uint64_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        textbuf_puts(at->out, left == lanes ? "" : ",");
        if (size <= 4)
            textbuf_printf(at->out, "%" PRIu64, values->low[lane]);
        else if (size == 8)
            textbuf_printf(at->out, "\"0x%016" PRIx64 "\"", values->low[lane]);
        else
            textbuf_printf(at->out, "\"0x%016" PRIx64 "%016" PRIx64 "\"", values->high[lane], values->low[lane]);
    }
    textbuf_puts(at->out, "]}\n");
}

static void values_text(struct gcn_stop_place *at, const char *name, const struct lane_values *values, unsigned size,
                        uint64_t lanes)
{
    textbuf_printf(at->out, "%s%s = ", name, size > 8 ? ", low half" : "");
    gcn_wide_lanes_text(at->out, values->low, size > 8 ? 8 : size, lanes);
    textbuf_puts(at->out, "\n");
    if (size <= 8)
        return;
    textbuf_printf(at->out, "%s, high half = ", name);
    gcn_wide_lanes_text(at->out, values->high, size - 8, lanes);
    textbuf_puts(at->out, "\n");
}

/* Splits "NAME[3]" into the name and a mask of lanes; all that are active, if none is named. */
static bool split_lane(const struct gcn_stop_place *at, const char *words, char name[64], uint64_t *lanes)
{
    size_t length = strcspn(words, "[");
    char *end;
    const struct gcn_wave_ids *ids = &at->wave->group->shape->ids[at->wave->index];
    *lanes = gcn_exec(at->wave) & ids->lanes;
    if (!length || length >= 64)
        return false;
    snprintf(name, 64, "%.*s", (int)length, words);
    if (!words[length])
        return true;
    if (!isdigit((unsigned char)words[length + 1]))
        return false;
    unsigned long lane = strtoul(words + length + 1, &end, 10);
    *lanes = lane < GCN_LANES ? UINT64_C(1) << lane : 0;
    return *lanes && !strcmp(end, "]");
}

bool gcn_prompt_variable(struct gcn_stop_place *at, const char *words)
{
    const hsa_generic_driver_interface *core = at->observe->agent->core;
    hsam_variable variable;
    char name[64];
    uint64_t lanes;
    struct lane_values values = {0};
    if (!split_lane(at, words, name, &lanes) || !core->code_variable ||
        !core->code_variable(at->site->pc, name, &variable))
        return false;
    if (!variable.size) {
        gcn_prompt_refuse(at, "%s is an array, a structure or the like; only numbers are shown", name);
        return true;
    }
    if (!lanes) {
        gcn_prompt_refuse(at, "no work-item is active; %s[LANE] shows one that is not", name);
        return true;
    }
    for (uint64_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        struct variable_state s = {.wave = at->wave, .variable = &variable, .lane = lane};
        evaluate(&s);
        if (s.failed) {
            gcn_prompt_refuse(at,
                              "%s is optimised out here, or the compiler does not say where it is; code made with -O0 "
                              "keeps everything",
                              name);
            return true;
        }
        memcpy(&values.low[lane], s.value, 8);
        memcpy(&values.high[lane], s.value + 8, 8);
    }
    (at->prompt->json ? values_json : values_text)(at, words, &values, variable.size, lanes);
    return true;
}
