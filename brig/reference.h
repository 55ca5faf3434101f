/* SPDX-License-Identifier: MIT */
/* The registers that an instruction reads and writes. */
#ifndef BRIG_REFERENCE_H
#define BRIG_REFERENCE_H

#include "brig/language.h"

#define BRIG_MOST_REFERENCES (LANG_MAX_OPERANDS * 4u)

/* A register that an instruction names. */
struct brig_reference {
    uint32_t operand;    /* OPERAND_REGISTER */
    uint8_t index;       /* of the operand of the instruction */
    uint8_t element;     /* 0, or which element of a vector it is, from 1 */
    bool is_definition;  /* written, else read */
    bool is_destination; /* read because writing leaves some of its bits as they are */
    bool is_address;     /* read as part of an address */
};

/* Lists the registers of an entry, beginning with those it reads; returns how many. Only instructions have any. */
unsigned brig_references(const struct brig_view *view, const hsa_brig_base_t *entry,
                         struct brig_reference references[BRIG_MOST_REFERENCES]);

#endif
