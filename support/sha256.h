/* SPDX-License-Identifier: MIT */
/* SHA-256 of FIPS 180-4, for names and checks of files that others could choose. */
#ifndef SUPPORT_SHA256_H
#define SUPPORT_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_SIZE = 32 };

struct sha256 {
    uint32_t state[8];
    uint64_t size;     /* bytes so far */
    uint8_t block[64]; /* the last, incomplete block */
};

void sha256_begin(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *data, size_t size);
void sha256_end(struct sha256 *s, uint8_t digest[SHA256_SIZE]);

#endif
