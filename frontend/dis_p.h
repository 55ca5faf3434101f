/* SPDX-License-Identifier: MIT */
/* The disassembler's state and the calls between its files; private to frontend/. */
#ifndef FRONTEND_DIS_P_H
#define FRONTEND_DIS_P_H

#include "brig/control.h"
#include "brig/mnemonic.h"
#include "brig/operand_type.h"
#include "frontend/dis.h"

#define DIS_BUFFER (64u << 10)

/* A mnemonic with its modifiers, as text. Most instructions of a module share a few hundred of them. */
struct dis_mnemonic {
    struct brig_key key;
    uint16_t vector; /* elements of the vector operand, which no key holds */
    uint8_t length;  /* of TEXT; 0: free */
    uint8_t count;   /* operands */
    bool narrow;     /* addresses have 32 bits */
    const struct lang_op *op;
    uint16_t type[LANG_MAX_OPERANDS];
    char letter[LANG_MAX_OPERANDS];
    char text[85];
};

#define DIS_MNEMONICS 1024u /* a power of two */

struct dis {
    const struct brig_view *view;
    enum number_style style;
    int (*sink)(void *user, const void *data, size_t size);
    void *user;
    enum dis_status status;
    bool large;
    bool readable;  /* DIS_READABLE */
    unsigned depth; /* of blocks, for indentation */
    uint8_t group;  /* of the last item of the module, enum dis_group */
    uint32_t noted; /* end of the item whose blank line was decided before its annotations */
    uint32_t file;  /* name in the latest loc, in hsa_data; 0: none yet */
    size_t used;
    struct dis_mnemonic *mnemonics;
    char buffer[DIS_BUFFER];
};

/* dis.c: output. */
void dis_flush(struct dis *dis);
void dis_bytes(struct dis *dis, const void *data, size_t size);
void dis_unsigned(struct dis *dis, uint64_t number);
void dis_signed(struct dis *dis, int64_t number);

/* Room for SIZE bytes, at most DIS_BUFFER; whoever writes there adds to `used`. */
static inline char *dis_room(struct dis *dis, size_t size)
{
    if (DIS_BUFFER - dis->used < size)
        dis_flush(dis);
    return dis->buffer + dis->used;
}

static inline void dis_char(struct dis *dis, char c)
{
    *dis_room(dis, 1) = c;
    dis->used++;
}

static inline void dis_text(struct dis *dis, const char *text)
{
    dis_bytes(dis, text, strlen(text));
}

/* dis_layout.c: what only the readable layout has. */
/* Print the blank line, if there is to be one, before the entry at OFFSET of the module, or before a label at OFFSET
 * that follows the entry at PREVIOUS in a body. */
void dis_blank(struct dis *dis, uint32_t offset);
void dis_blank_before_label(struct dis *dis, uint32_t previous, uint32_t offset);
/* Prints a loc with no more than has to be said. */
void dis_location(struct dis *dis, const hsa_brig_directive_loc_t *entry);
/* Prints what stands between element I of an array of TYPE and the one before it. */
void dis_between_elements(struct dis *dis, size_t i, const struct lang_type *type);

/* dis_constant.c: constants. USE decides what may go without its type. */
enum dis_use { DIS_OPERAND, DIS_ELEMENT, DIS_PRAGMA };
void dis_string(struct dis *dis, struct bytes text);
void dis_constant(struct dis *dis, uint32_t operand, uint16_t expected, enum dis_use use);

/* dis_inst.c: instructions. */
void dis_name(struct dis *dis, uint32_t code);
void dis_register(struct dis *dis, const hsa_brig_operand_register_t *reg);
void dis_inst(struct dis *dis, uint32_t offset);

/* dis_directive.c: everything else in hsa_code. Returns the offset after what was printed. */
uint32_t dis_directive(struct dis *dis, uint32_t offset);
/* One entry alone: of an executable its head, of a variable all but the value. */
void dis_head(struct dis *dis, uint32_t offset);

#endif
