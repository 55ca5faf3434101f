/* SPDX-License-Identifier: MIT */
/* Every limit of this implementation, and those that the format has. Beyond each of them is a diagnostic or a status;
 * up to each of them time and memory are linear in the input. hsailasm(1) lists them for users. */
#ifndef BRIG_LIMIT_H
#define BRIG_LIMIT_H

#include <stdint.h>

/* ---- Text ------------------------------------------------------------------------------------------ */

/* Bytes of a text: positions have 32 bits. */
#define LIMIT_TEXT_BYTES (UINT32_MAX - 1)

/* Blocks within a body. One is all that HSAIL has; the rest is for saying so instead of giving up. */
#define LIMIT_NESTED_BLOCKS 64u

/* Registers of a kind that text can name: as many as the largest code block may use. */
#define LIMIT_REGISTER_NUMBER 2048u

/* The operand of `pad`: (n + 1) * 4 bytes have to fit the 16 bits of an entry's size. */
#define LIMIT_PAD 16382u

/* Errors reported per input unless the user says otherwise. */
#define LIMIT_ERRORS 100u

/* ---- BRIG ------------------------------------------------------------------------------------------ */

/* Bytes of a standard section: adding the largest entry to an offset does not overflow 32 bits. */
#define LIMIT_SECTION_BYTES (UINT32_MAX - UINT32_C(0x10000))

/* Output or input formals of an executable: their number has 16 bits. */
#define LIMIT_FORMALS 65535u

/* Sharing of strings and lists may make a module stand for this many bytes per byte of its own, and this many in any
 * case, before it is refused. */
#define LIMIT_EXPANSION_FACTOR 256u
#define LIMIT_EXPANSION_FREE (UINT64_C(16) << 20)

/* Registers of a code block (PRM 4.7): c registers, and the others, of which s counts one, d two, q four. */
#define LIMIT_CONTROL_REGISTERS 128u
#define LIMIT_WEIGHTED_REGISTERS 2048u

/* ---- Findings -------------------------------------------------------------------------------------- */

/* Bytes that are read again to point at parts of entries: so many for each byte of a module and its text, and so many
 * in any case. Findings beyond that keep to their entry. */
#define LIMIT_PLACE_FACTOR 4u
#define LIMIT_PLACE_FREE (UINT64_C(4) << 20)

#endif
