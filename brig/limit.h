/* SPDX-License-Identifier: MIT */
/* Every limit of this implementation and of the format. What exceeds one of them gets a diagnostic or a status; below
 * all of them, time and memory are linear in the input. hsailasm(1) lists them for users. */
#ifndef BRIG_LIMIT_H
#define BRIG_LIMIT_H

#include <stdint.h>

/* ---- Text ------------------------------------------------------------------------------------------ */

/* Bytes of a text: positions have 32 bits. */
#define LIMIT_TEXT_BYTES (UINT32_MAX - 1)

/* How deep blocks within a body may nest. HSAIL allows one level only; deeper ones are read to report that instead of
 * giving up. */
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

/* Because strings and lists can be shared, a module can stand for more bytes than it has. It is refused when these
 * exceed FACTOR bytes for each byte of its own and FREE bytes on top. */
#define LIMIT_EXPANSION_FACTOR 256u
#define LIMIT_EXPANSION_FREE (UINT64_C(16) << 20)

/* Registers of a code block (PRM 4.7): c registers, and the others, of which s counts one, d two, q four. */
#define LIMIT_CONTROL_REGISTERS 128u
#define LIMIT_WEIGHTED_REGISTERS 2048u

/* Bytes of group memory that a work-group has: as support/amdgpu.def says for every generation. */
#define LIMIT_GROUP_BYTES 65536u

/* ---- Findings -------------------------------------------------------------------------------------- */

/* Bytes that may be read again to point at parts of entries: so many for each byte of a module and its text, and so
 * many on top. Findings after that point at their entry as a whole. */
#define LIMIT_PLACE_FACTOR 4u
#define LIMIT_PLACE_FREE (UINT64_C(4) << 20)

#endif
