/* SPDX-License-Identifier: MIT */
/* Numbers as HSAIL writes them (PRM 4.8), read and printed without the C library, so that neither the locale nor
 * the rounding mode of the host has a say. */
#ifndef FRONTEND_NUMBER_H
#define FRONTEND_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum number_width { NUMBER_F16, NUMBER_F32, NUMBER_F64 };

/* How floating-point values are printed. */
enum number_style {
    NUMBER_IEEE,    /* 0f3f800000: the bits */
    NUMBER_C99,     /* 0x1p+0f: exact */
    NUMBER_DECIMAL, /* 1.0f: fewest digits that read back the same */
};

#define NUMBER_TEXT 48 /* bytes enough for any printed number */

/* Reads an integer literal; false when it does not fit 64 bits. TEXT is a literal of the lexer's. */
bool number_integer(const char *text, size_t length, uint64_t *value);

/* Reads a floating-point literal of the lexer's, suffix included, as the bits of WIDTH: rounded once, to nearest,
 * ties to even. False when the magnitude is too large for WIDTH; too small gives a subnormal or zero. */
bool number_float(const char *text, size_t length, enum number_width width, uint64_t *bits);

/* Writes the value with its suffix into OUT and a NUL after it; returns the length. Infinities and NaNs are always
 * written as IEEE bits, since the other styles have no words for them. */
size_t number_print(char out[NUMBER_TEXT], uint64_t bits, enum number_width width, enum number_style style);

#endif
