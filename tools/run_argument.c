/* SPDX-License-Identifier: MIT */
/* Kernel arguments: reading, filling and printing; see run_argument.h for their form.
 * Input: one word of the command line. Output: a scalar's bytes or a filled buffer.
 * Invariant: a value that its type cannot hold is refused, never cut. */
#include "tools/run_argument.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/alloc.h"

#define SHOWN_ELEMENTS 8
#define DEFAULT_SEED 1

enum type_class { CLASS_UNSIGNED, CLASS_SIGNED, CLASS_BITS, CLASS_FLOAT };

struct run_type {
    const char *name;
    size_t bytes;
    enum type_class class;
};

static const struct run_type types[] = {
#define TYPE(name, bytes, class) {#name, bytes, CLASS_##class},
#include "tools/run_type.def"
};

/* Finds the type whose name is the first LENGTH characters of TEXT. */
static const struct run_type *find_type(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == length && !memcmp(types[i].name, text, length))
            return &types[i];
    return NULL;
}

static uint64_t float_bits(const struct run_type *type, double value)
{
    uint64_t bits = 0;
    _Float16 half = (_Float16)value;
    float single = (float)value;
    const void *from = type->bytes == 2 ? (void *)&half : type->bytes == 4 ? (void *)&single : (void *)&value;
    memcpy(&bits, from, type->bytes);
    return bits;
}

static bool read_integer(const struct run_type *type, const char *text, char **end, uint64_t *bits)
{
    unsigned width = (unsigned)type->bytes * 8;
    bool negative = *text == '-';
    if (!strchr("0123456789", text[negative]) || !text[negative] || (negative && type->class != CLASS_SIGNED))
        return false;
    errno = 0;
    unsigned long long magnitude = strtoull(text + negative, end, 0);
    uint64_t limit = UINT64_MAX >> (64 - width);
    if (type->class == CLASS_SIGNED)
        limit = (limit >> 1) + negative;
    if (errno || magnitude > limit)
        return false;
    *bits = (negative ? -magnitude : magnitude) & UINT64_MAX >> (64 - width);
    return true;
}

static bool read_float(const struct run_type *type, const char *text, char **end, uint64_t *bits)
{
    if (!*text || strchr(" \t\n,", *text))
        return false;
    errno = 0;
    double value = strtod(text, end);
    if (*end == text || (errno == ERANGE && isinf(value)))
        return false;
    *bits = float_bits(type, value);
    double largest = type->bytes == 2 ? 65520 : type->bytes == 4 ? 0x1.ffffffp127 : INFINITY;
    return isinf(value) || isnan(value) || fabs(value) < largest;
}

/* Reads one value and sets *END to the character after it. */
static bool read_value(const struct run_type *type, const char *text, char **end, uint64_t *bits)
{
    return type->class == CLASS_FLOAT ? read_float(type, text, end, bits) : read_integer(type, text, end, bits);
}

static bool refuse_argument(const struct cli_program *program, const struct run_argument *argument, const char *why)
{
    cli_error(program, "argument `%s`: %s", argument->text, why);
    return false;
}

/* Returns how a buffer or an image is to be filled, or "" when nothing says so. */
static const char *fill_of(const struct run_argument *argument)
{
    if (argument->object.kind == RUN_OBJECT_IMAGE)
        return argument->object.fill;
    const char *colon = strchr(argument->text, ':');
    return colon ? colon + 1 : "";
}

/* VALUE cannot be read as a number of the argument's type. */
static bool refuse_value(const struct cli_program *program, const struct run_argument *argument, const char *value)
{
    char why[160];
    snprintf(why, sizeof why, "`%.60s` is no number that a %s can hold", value, argument->type->name);
    return refuse_argument(program, argument, why);
}

static bool parse_scalar(const struct cli_program *program, struct run_argument *argument, const char *text)
{
    char *end;
    if (!*text)
        return refuse_argument(program, argument, "a scalar needs a value, as in u32:7");
    if (!read_value(argument->type, text, &end, &argument->scalar) || *end)
        return refuse_value(program, argument, text);
    return true;
}

static bool parse_count(const struct cli_program *program, struct run_argument *argument, const char *text)
{
    const char *close = strchr(text, ']');
    if (!close || (close[1] && close[1] != ':'))
        return refuse_argument(program, argument, "a buffer is written TYPE[COUNT] or TYPE[COUNT]:FILL");
    if (close == text) {
        if (close[1] != ':' || close[2] != '@')
            return refuse_argument(program, argument, "only a buffer from a file may leave out its count");
        return true;
    }
    char number[32];
    size_t length = (size_t)(close - text);
    if (length >= sizeof number)
        return refuse_argument(program, argument, "bad count of elements");
    memcpy(number, text, length);
    number[length] = 0;
    if (!cli_number(number, SIZE_MAX / 2 / argument->type->bytes, &argument->count) || !argument->count)
        return refuse_argument(program, argument, "bad count of elements");
    argument->size = argument->count * argument->type->bytes;
    return true;
}

/* The texels of an image are a buffer, whose elements are their channels. */
static void use_object(struct run_argument *argument)
{
    const struct run_object *object = &argument->object;
    argument->is_buffer = object->kind == RUN_OBJECT_IMAGE;
    if (!argument->is_buffer)
        return;
    argument->type = find_type(object->element, strlen(object->element));
    argument->size = object->size;
    argument->count = object->size / argument->type->bytes;
}

bool run_argument_parse(const struct cli_program *program, const char *text, struct run_argument *argument)
{
    const char *why;
    *argument = (struct run_argument){.text = text};
    if (run_object_parse(text, &argument->object, &why)) {
        use_object(argument);
        return true;
    }
    if (why)
        return refuse_argument(program, argument, why);
    size_t length = strcspn(text, "[:");
    argument->type = find_type(text, length);
    if (!argument->type)
        return refuse_argument(program, argument, "starts with no type; see --help");
    if (text[length] == '[') {
        argument->is_buffer = true;
        return parse_count(program, argument, text + length + 1);
    }
    return parse_scalar(program, argument, text[length] ? text + length + 1 : "");
}

static void put_element(struct run_argument *argument, uint64_t index, uint64_t bits)
{
    memcpy((char *)argument->data + index * argument->type->bytes, &bits, argument->type->bytes);
}

static bool fill_iota(const struct cli_program *program, struct run_argument *argument, const char *start)
{
    uint64_t first = 0;
    char *end;
    if (start && (!read_value(argument->type, start, &end, &first) || *end))
        return refuse_argument(program, argument, "iota= needs a value of the element type");
    double value = start && argument->type->class == CLASS_FLOAT ? strtod(start, NULL) : 0;
    for (uint64_t i = 0; i < argument->count; i++)
        put_element(argument, i,
                    argument->type->class == CLASS_FLOAT ? float_bits(argument->type, value + (double)i) : first + i);
    return true;
}

/* The generator splitmix64: every seed gives a sequence of its own, and no seed makes it get stuck. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t mixed = *state += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
}

static bool fill_random(const struct cli_program *program, struct run_argument *argument, const char *seed)
{
    uint64_t state = DEFAULT_SEED;
    if (seed && !cli_number(seed, UINT64_MAX, &state))
        return refuse_argument(program, argument, "random= needs a seed, a whole number");
    // As many bits as the type's significand has, so that no float is rounded up to 1.
    unsigned bits = argument->type->bytes == 2 ? 11 : argument->type->bytes == 4 ? 24 : 53;
    for (uint64_t i = 0; i < argument->count; i++) {
        uint64_t random = next_random(&state);
        put_element(argument, i,
                    argument->type->class == CLASS_FLOAT
                        ? float_bits(argument->type, ldexp((double)(random >> (64 - bits)), -(int)bits))
                        : random);
    }
    return true;
}

static bool fill_list(const struct cli_program *program, struct run_argument *argument, const char *list)
{
    uint64_t index = 0, bits = 0;
    for (const char *text = list;; text++) {
        char *end;
        if (!read_value(argument->type, text, &end, &bits) || (*end && *end != ','))
            return refuse_argument(program, argument, "neither a fill nor a list of values of the element type");
        if (index == argument->count)
            return refuse_argument(program, argument, "more values than elements");
        put_element(argument, index++, bits);
        text = end;
        if (!*end)
            break;
    }
    if (index != 1 && index != argument->count)
        return refuse_argument(program, argument, "fewer values than elements");
    for (; index < argument->count; index++)
        put_element(argument, index, bits);
    return true;
}

static bool fill_file(const struct cli_program *program, struct run_argument *argument, const struct run_memory *memory,
                      const char *name)
{
    uint8_t *data;
    size_t size;
    if (!cli_read_file(program, name, &data, &size))
        return false;
    bool accepted = true;
    if (!argument->count) {
        argument->size = size;
        argument->count = size / argument->type->bytes;
        if (size % argument->type->bytes)
            accepted = refuse_argument(program, argument, "the file does not hold a whole number of elements");
        else if (size && !(argument->data = memory->allocate(memory->context, size)))
            accepted = refuse_argument(program, argument, "not enough memory");
    }
    if (accepted && size != argument->size)
        accepted = refuse_argument(program, argument, "the file's size is not that of the buffer");
    if (accepted && size)
        memcpy(argument->data, data, size);
    mem_free(data);
    return accepted;
}

/* Returns the text after `WORD=`, or "" when FILL is just WORD, or NULL when it is neither. */
static const char *fill_word(const char *fill, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(fill, word, length) != 0 || (fill[length] && fill[length] != '='))
        return NULL;
    return fill + length + (fill[length] == '=');
}

bool run_argument_fill(const struct cli_program *program, struct run_argument *argument,
                       const struct run_memory *memory)
{
    if (!argument->is_buffer)
        return true;
    const char *fill = fill_of(argument), *rest;
    if (argument->count) {
        argument->data = memory->allocate(memory->context, argument->size);
        if (!argument->data)
            return refuse_argument(program, argument, "not enough memory");
        if (!strcmp(fill, "unwritten"))
            return true;
        memset(argument->data, 0, argument->size);
    }
    if (!*fill || !strcmp(fill, "zero"))
        return true;
    if (*fill == '@')
        return fill_file(program, argument, memory, fill + 1);
    if ((rest = fill_word(fill, "iota")))
        return fill_iota(program, argument, *rest ? rest : NULL);
    if ((rest = fill_word(fill, "random")))
        return fill_random(program, argument, *rest ? rest : NULL);
    return fill_list(program, argument, fill);
}

/* Whether an object can stand for a formal argument of 8 bytes. A module says of which kind a handle is. */
static bool object_fits(const struct run_object *object, const struct run_formal *formal)
{
    struct run_object wanted;
    const char *why;
    if (formal->kind == RUN_FORMAL_BITS)
        return true;
    if (object->kind == RUN_OBJECT_QUEUE)
        return formal->kind == RUN_FORMAL_ADDRESS || formal->kind == RUN_FORMAL_INTEGER;
    if (formal->kind != RUN_FORMAL_HANDLE)
        return false;
    bool known = run_object_parse(formal->type, &wanted, &why) || why;
    return !known || !strcmp(formal->type, object->word);
}

bool run_argument_fits(const struct run_argument *argument, const struct run_formal *formal)
{
    if (run_argument_bytes(argument) != formal->bytes)
        return false;
    if (argument->object.kind)
        return object_fits(&argument->object, formal);
    if (argument->is_buffer)
        return formal->kind == RUN_FORMAL_ADDRESS || formal->kind == RUN_FORMAL_INTEGER ||
               formal->kind == RUN_FORMAL_BITS;
    enum type_class class = argument->type->class;
    switch (formal->kind) {
    case RUN_FORMAL_BITS: return true;
    case RUN_FORMAL_INTEGER:
    case RUN_FORMAL_ADDRESS: return class != CLASS_FLOAT;
    case RUN_FORMAL_FLOAT: return class == CLASS_FLOAT || class == CLASS_BITS;
    case RUN_FORMAL_HANDLE: return class == CLASS_BITS;
    case RUN_FORMAL_HIDDEN: break;
    }
    return false;
}

const char *run_argument_kind(const struct run_argument *argument)
{
    return argument->object.kind ? argument->object.word : argument->is_buffer ? "a buffer" : argument->type->name;
}

size_t run_argument_bytes(const struct run_argument *argument)
{
    return argument->object.kind ? sizeof argument->object.handle
           : argument->is_buffer ? sizeof argument->data
                                 : argument->type->bytes;
}

void run_argument_store(const struct run_argument *argument, void *to)
{
    const void *from = argument->object.kind ? (const void *)&argument->object.handle
                       : argument->is_buffer ? (const void *)&argument->data
                                             : (const void *)&argument->scalar;
    memcpy(to, from, run_argument_bytes(argument));
}

static double load_float(const struct run_type *type, const void *from)
{
    _Float16 half;
    float single;
    double value;
    switch (type->bytes) {
    case 2: memcpy(&half, from, sizeof half); return (double)half;
    case 4: memcpy(&single, from, sizeof single); return (double)single;
    default: memcpy(&value, from, sizeof value); return value;
    }
}

static void print_float(const struct run_type *type, const void *from)
{
    printf("%.*g", type->bytes == 2 ? 5 : type->bytes == 4 ? 9 : 17, load_float(type, from));
}

static bool is_finite(const struct run_argument *argument, uint64_t index)
{
    const struct run_type *type = argument->type;
    return type->class != CLASS_FLOAT || isfinite(load_float(type, (const char *)argument->data + index * type->bytes));
}

static void print_element(const struct run_argument *argument, uint64_t index)
{
    const struct run_type *type = argument->type;
    const char *from = (const char *)argument->data + index * type->bytes;
    unsigned unused = 64 - (unsigned)type->bytes * 8;
    uint64_t bits = 0;
    memcpy(&bits, from, type->bytes);
    switch (type->class) {
    case CLASS_UNSIGNED: printf("%" PRIu64, bits); break;
    case CLASS_SIGNED: printf("%" PRId64, (int64_t)(bits << unused) >> unused); break;
    case CLASS_BITS: printf("0x%0*" PRIx64, (int)type->bytes * 2, bits); break;
    case CLASS_FLOAT: print_float(type, from); break;
    }
}

/* As a line of JSON: all elements, or the first ones. Those that JSON has no number for, and bits, are strings. */
static void show_json(const struct run_argument *argument, size_t index)
{
    uint64_t count = argument->print || argument->count < SHOWN_ELEMENTS ? argument->count : SHOWN_ELEMENTS;
    printf("{\"kind\":\"argument\",\"argument\":%zu,\"type\":\"%s\",\"count\":%" PRIu64 ",\"values\":[", index,
           argument->type->name, argument->count);
    for (uint64_t i = 0; i < count; i++) {
        bool quoted = argument->type->class == CLASS_BITS || !is_finite(argument, i);
        fputs(i ? "," : "", stdout);
        fputs(quoted ? "\"" : "", stdout);
        print_element(argument, i);
        fputs(quoted ? "\"" : "", stdout);
    }
    puts("]}");
}

void run_argument_show(const struct run_argument *argument, size_t index)
{
    bool json = cli_uses_json();
    if (argument->object.kind == RUN_OBJECT_SIGNAL)
        printf(json ? "{\"kind\":\"argument\",\"argument\":%zu,\"type\":\"%s\",\"value\":%" PRId64 "}\n"
                    : "argument %zu: %s: %" PRId64 "\n",
               index, argument->object.word, (int64_t)argument->object.value);
    if (!argument->is_buffer)
        return;
    if (json) {
        show_json(argument, index);
        return;
    }
    if (argument->print) {
        for (uint64_t i = 0; i < argument->count; i++) {
            print_element(argument, i);
            putchar('\n');
        }
        return;
    }
    const char *what = argument->object.kind ? argument->object.word : argument->type->name;
    printf("argument %zu: %s[%" PRIu64 "]:", index, what, argument->count);
    for (uint64_t i = 0; i < argument->count && i < SHOWN_ELEMENTS; i++) {
        putchar(' ');
        print_element(argument, i);
    }
    printf("%s\n", argument->count > SHOWN_ELEMENTS ? " ..." : "");
}
