/* SPDX-License-Identifier: MIT */
/* Where variables are: registers of HSAIL, and what else debug information names.
 * Input: the location of a variable, an expression of DWARF. Output: its value in a lane.
 * Invariant: a value that the expression does not give for certain is refused, not guessed; memory is read without
 * trust in the address. */
#include "config.h"

#include "runtime/gcn/observe/prompt_location.h"

#include "runtime/gcn/group.h"
#include "support/bytes.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DEPTH = 16 };
enum { SPACE_PRIVATE = 1, SPACE_GROUP = 2 }; /* address spaces of HSAM_OP_XDEREF, as clang numbers them */

struct variable_state {
    const struct gcn_wave *wave;
    const hsam_variable *variable;
    unsigned lane;
    struct bytes left; /* of the expression */
    uint64_t stack[DEPTH];
    unsigned depth;
    /* What is on top of the stack, or in a register. */
    enum { PLACE_NOWHERE, PLACE_FRAME, PLACE_PRIVATE, PLACE_GROUP, PLACE_GLOBAL, PLACE_REGISTER, PLACE_VALUE } place;
    uint64_t skipped; /* bytes of the elements of an array before the one that is wanted */
    struct gcn_value *value;
    unsigned size;   /* of the pieces so far */
    bool looked;     /* a register or memory had a part in it */
    bool is_nowhere; /* the address is that of a symbol that nobody defines */
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

/* Compilers other than this finalizer give variables of group memory symbols that nobody defines, so all of them seem
 * to be at 0. That is true if the variable is all that the kernel has. */
static bool is_alone(const struct variable_state *s)
{
    const hsam_variable *v = s->variable;
    return s->wave->group->dispatch->packet.group_segment_size == v->size * (v->count ? v->count : 1);
}

static void read_memory(struct variable_state *s, unsigned bytes, uint8_t *to)
{
    const struct gcn_wave *w = s->wave;
    uint64_t at = pop(s) + s->skipped;
    s->looked = true;
    s->value->address = at;
    if (s->place == PLACE_GLOBAL) {
        s->value->place = GCN_VALUE_GLOBAL;
        s->failed |= s->is_nowhere || (!s->failed && !gcn_memory_read(at, to, bytes));
        return;
    }
    bool is_group = s->place == PLACE_GROUP;
    s->value->place = is_group ? GCN_VALUE_GROUP : GCN_VALUE_LANE;
    s->failed |= !range_inside(at, bytes, is_group ? w->lds_size : w->scratch_size) ||
                 (is_group && s->is_nowhere && !is_alone(s));
    for (unsigned i = 0; i < bytes && !s->failed; i++, at++)
        to[i] = is_group ? w->lds[at] : w->scratch[(at & ~(uint64_t)3) * GCN_LANES + s->lane * 4 + (at & 3)];
}

/* Appends what the expression has led to so far, BYTES of it, to the value. */
static void take_piece(struct variable_state *s, uint64_t bytes)
{
    s->failed |= !bytes || bytes > sizeof s->value->bytes - s->size;
    if (s->failed)
        return;
    uint8_t *to = s->value->bytes + s->size;
    if (s->place == PLACE_FRAME || s->place == PLACE_PRIVATE || s->place == PLACE_GROUP || s->place == PLACE_GLOBAL) {
        read_memory(s, (unsigned)bytes, to);
    } else if ((s->place == PLACE_REGISTER || s->place == PLACE_VALUE) && !s->variable->count) {
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
    case HSAM_OP_ADDR:
        value = take_operand(s, sizeof value);
        push(s, value);
        s->place = PLACE_GLOBAL;
        s->is_nowhere = !value;
        break;
    case HSAM_OP_PLUS_UCONST: /* the finalizer says where a variable is from the beginning of group memory on */
        push(s, pop(s) + take_leb_operand(s, false));
        s->is_nowhere = false;
        break;
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
    case HSAM_OP_PIECE:
        s->failed |= s->variable->count != 0;
        take_piece(s, take_leb_operand(s, false));
        break;
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

bool gcn_memory_read(uint64_t address, void *to, size_t size)
{
    struct iovec into = {to, size}, from = {(void *)(uintptr_t)address, size};
    return process_vm_readv(getpid(), &into, 1, &from, 1, 0) == (ssize_t)size;
}

bool gcn_variable_value(const struct gcn_wave *w, const hsam_variable *variable, uint64_t element, unsigned lane,
                        struct gcn_value *value)
{
    struct variable_state s = {
        .wave = w, .variable = variable, .lane = lane, .skipped = element * variable->size, .value = value};
    *value = (struct gcn_value){.place = GCN_VALUE_LANE};
    evaluate(&s);
    return !s.failed;
}
