/* SPDX-License-Identifier: MIT */
/* Inputs and expected outputs of the example kernels; see example_case.h.
 * Each model is written from what the comment of its kernel promises, in the most direct C. */
#include "testsuite/examples/example_case.h"
#include "testsuite/float_bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *get_memory(size_t size)
{
    void *memory = calloc(1, size);
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(99);
    }
    return memory;
}

/* A linear congruential generator of 64 bits, of which the high bits are used. */
static uint32_t next_random(void)
{
    static uint64_t state = 20150701;
    state = state * 6364136223846793005 + 1442695040888963407;
    return (uint32_t)(state >> 32);
}

static void launch(struct example_case *made, unsigned dimensions, uint32_t x, uint32_t y, uint16_t group_x,
                   uint16_t group_y)
{
    made->dimensions = dimensions;
    memcpy(made->grid, (uint32_t[]){x, y, 1}, sizeof made->grid);
    memcpy(made->group, (uint16_t[]){group_x, group_y, 1}, sizeof made->group);
}

static void add_scalar(struct example_case *made, const char *type, uint64_t bits)
{
    made->argument[made->count++] = (struct example_argument){.type = type, .scalar = bits};
}

static void add_float(struct example_case *made, float value)
{
    add_scalar(made, "f32", bits_of_f32(value));
}

/* Adds a buffer that the kernel reads; it must be the same afterwards. */
static void *add_input(struct example_case *made, const char *type, size_t size)
{
    struct example_argument *argument = &made->argument[made->count++];
    *argument = (struct example_argument){.type = type, .size = size, .data = get_memory(size)};
    return argument->data;
}

/* Adds a buffer that the kernel writes. Returns the expected contents, which the caller fills in; at first every byte
 * of both is BEFORE. */
static void *add_output(struct example_case *made, const char *type, size_t size, int before)
{
    struct example_argument *argument = &made->argument[made->count++];
    *argument =
        (struct example_argument){.type = type, .size = size, .data = get_memory(size), .expected = get_memory(size)};
    memset(argument->data, before, size);
    memset(argument->expected, before, size);
    return argument->expected;
}

static void make_vector_copy(struct example_case *made)
{
    enum { COUNT = 65536 };
    launch(made, 1, COUNT, 1, 256, 1);
    uint32_t *in = add_input(made, "u32", COUNT * sizeof *in);
    uint32_t *out = add_output(made, "u32", COUNT * sizeof *out, 0x5a);
    for (size_t i = 0; i < COUNT; i++)
        out[i] = in[i] = next_random();
}

static void make_vector_add(struct example_case *made)
{
    enum { COUNT = 10007, GRID = 10240 }; // the last work-items have nothing to do
    launch(made, 1, GRID, 1, 64, 1);
    float *a = add_input(made, "f32", COUNT * sizeof *a);
    float *b = add_input(made, "f32", COUNT * sizeof *b);
    float *out = add_output(made, "f32", COUNT * sizeof *out, 0x5a);
    for (size_t i = 0; i < COUNT; i++) {
        a[i] = (float)next_random() / 65536;
        b[i] = (float)(int32_t)next_random() / 4096;
        out[i] = a[i] + b[i];
    }
    add_scalar(made, "u32", COUNT);
}

static void make_transpose(struct example_case *made)
{
    enum { WIDTH = 100, HEIGHT = 70, TILE = 16 }; // tiles at the right and lower edge are partial
    launch(made, 2, (WIDTH + TILE - 1) / TILE * TILE, (HEIGHT + TILE - 1) / TILE * TILE, TILE, TILE);
    uint32_t *in = add_input(made, "u32", WIDTH * HEIGHT * sizeof *in);
    uint32_t *out = add_output(made, "u32", WIDTH * HEIGHT * sizeof *out, 0x5a);
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++)
            out[x * HEIGHT + y] = in[y * WIDTH + x] = next_random();
    add_scalar(made, "u32", WIDTH);
    add_scalar(made, "u32", HEIGHT);
}

static void make_histogram(struct example_case *made)
{
    enum { COUNT = 100003, BINS = 256 };
    launch(made, 1, 16 * 256, 1, 256, 1);
    uint8_t *in = add_input(made, "u8", COUNT);
    add_scalar(made, "u32", COUNT);
    uint32_t *bins = add_output(made, "u32", BINS * sizeof *bins, 0);
    for (size_t i = 0; i < COUNT; i++) {
        uint32_t random = next_random();
        in[i] = (uint8_t)(random & random >> 8); // small values are more frequent, 255 is rare
        bins[in[i]]++;
    }
}

static void make_reduce(struct example_case *made)
{
    enum { COUNT = 10000, GROUP = 256, GROUPS = (COUNT + GROUP - 1) / GROUP };
    launch(made, 1, GROUPS * GROUP, 1, GROUP, 1);
    uint32_t *in = add_input(made, "u32", COUNT * sizeof *in);
    add_scalar(made, "u32", COUNT);
    uint32_t *out = add_output(made, "u32", GROUPS * sizeof *out, 0);
    for (size_t i = 0; i < COUNT; i++)
        out[i / GROUP] += in[i] = next_random();
}

static void make_mandelbrot(struct example_case *made)
{
    enum { WIDTH = 97, HEIGHT = 61, LIMIT = 200 };
    const float x0 = -2.0f, y0 = -1.25f, step = 0.03125f;
    launch(made, 2, 112, 64, 16, 16);
    uint32_t *out = add_output(made, "u32", WIDTH * HEIGHT * sizeof *out, 0x5a);
    add_scalar(made, "u32", WIDTH);
    add_scalar(made, "u32", HEIGHT);
    add_float(made, x0);
    add_float(made, y0);
    add_float(made, step);
    add_scalar(made, "u32", LIMIT);
    // Every operation is rounded to single precision, as in HSAIL: volatile keeps the compiler from fusing any.
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            volatile float real = 0, imaginary = 0, real_square, imaginary_square, product, offset;
            offset = (float)x * step;
            volatile float c_real = x0 + offset;
            offset = (float)y * step;
            volatile float c_imaginary = y0 + offset;
            uint32_t steps = 0;
            for (; steps < LIMIT; steps++) {
                real_square = real * real;
                imaginary_square = imaginary * imaginary;
                volatile float sum = real_square + imaginary_square;
                if (sum > 4)
                    break;
                product = real * imaginary;
                product = product + product;
                volatile float difference = real_square - imaginary_square;
                real = difference + c_real;
                imaginary = product + c_imaginary;
            }
            out[y * WIDTH + x] = steps;
        }
}

const struct example examples[] = {
    {"vector_copy", make_vector_copy}, {"vector_add", make_vector_add}, {"transpose", make_transpose},
    {"histogram", make_histogram},     {"reduce", make_reduce},         {"mandelbrot", make_mandelbrot},
};
const size_t example_count = sizeof examples / sizeof *examples;

void example_make(const struct example *example, struct example_case *made)
{
    memset(made, 0, sizeof *made);
    example->make(made);
}

void example_free(struct example_case *made)
{
    for (size_t i = 0; i < made->count; i++) {
        free(made->argument[i].data);
        free(made->argument[i].expected);
    }
}
