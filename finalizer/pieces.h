/* SPDX-License-Identifier: MIT */
/* What the files share that divide a function into pieces: pieces.c chooses the parts, pieces_frame.c moves the
 * variables of the function to one block of memory, and pieces_make.c makes a function of a part. */
#ifndef FINALIZER_PIECES_H
#define FINALIZER_PIECES_H

#include "finalizer/emit.h"
#include "finalizer/flow.h"

enum { CALL_WEIGHT = 16 }; /* what a call of a piece weighs */

static const uint32_t NO_BLOCK = UINT32_MAX;

struct frame_variable {
    LLVMValueRef place; /* the variable of the function; later, that of the piece, or NULL */
    LLVMTypeRef type;
    uint64_t offset, size;
    unsigned align;
    bool is_plain;  /* only loads and stores use it */
    bool is_stored; /* by the piece */
};

/* Blocks that have been merged; its number is that of its first block. */
struct flow_part {
    uint32_t last, next;  /* the last block of the part; the one after this block in its part */
    uint32_t failed;      /* the weight at which it could not become a piece, or 0 */
    unsigned weight, own; /* of the part; of the block alone */
    uint32_t stamp;       /* of a block: the last attempt to make a piece of it */
    uint32_t call;        /* the first block that calls a piece, or NO_BLOCK */
};

struct division {
    struct llvm_session *session;
    struct emit e;
    struct flow flow;
    LLVMValueRef function, frame;
    LLVMTypeRef piece_type;
    unsigned lifetime_start, lifetime_end; /* intrinsics */
    VEC(struct frame_variable) variables;
    struct flow_part *parts;
    uint32_t stamp;
    unsigned most;
    bool failed;
};

/* Blocks that become a piece: those of a part from its first one on to LAST, without REST, which is NO_BLOCK if there
 * is no such block. They lead to TARGET alone. */
struct piece_span {
    uint32_t first, last, rest;
    LLVMBasicBlockRef target;
};

/* ---- pieces_frame.c -------------------------------------------------------------------------------- */

/* Has arguments of the function, and the address of a kernel's arguments, go through variables: a piece has neither. */
void pieces_keep_arguments(struct division *d);
void pieces_keep_kernarg(struct division *d);

/* Finds the variables. False if the function cannot be divided: it has one whose size is only known at run time, or has
 * phis. */
bool pieces_find_variables(struct division *d);

/* Makes one variable of all, the frame; each use computes its address in it. */
void pieces_make_frame(struct division *d);

/* The variable at OFFSET of the frame, and code that computes its address. */
struct frame_variable *pieces_variable(struct division *d, uint64_t offset);
LLVMValueRef pieces_address(struct division *d, LLVMValueRef frame, uint64_t offset);

/* ---- pieces_make.c --------------------------------------------------------------------------------- */

/* Makes a function of SPAN, whose first block stays and calls it. It has copies of variables if COPIES, which is not
 * for one that calls another piece. */
void pieces_make(struct division *d, const struct piece_span *span, bool copies);

#endif
