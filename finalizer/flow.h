/* SPDX-License-Identifier: MIT */
/* Control flow of LLVM functions, made simple enough for LLVM's structurizer, which gives wrong values to work-items
 * that left a loop or a branch in less regular flow, and takes exponential time (doc/decisions/llvm-control-flow.md).
 *
 * Regular is what if, if-else, loops with one exit and sequences of these make. The rest of a function becomes loops
 * and guards over a variable that says which block is next. */
#ifndef FINALIZER_FLOW_H
#define FINALIZER_FLOW_H

#include "finalizer/llvm.h"
#include "support/vec.h"

/* A block, or blocks that behave as one: control enters at ENTRY. */
struct flow_node {
    LLVMBasicBlockRef entry; /* NULL for leaving the function */
    VEC(uint32_t) next;      /* nodes that it leads to, each once; itself when a loop of its own is left */
    VEC(uint32_t) back;      /* nodes that lead to it, each once */
    uint32_t parent;         /* the node that it was merged into, or itself */
    bool is_reachable;
    bool is_loop;   /* a loop back to ENTRY is inside */
    bool is_queued; /* to be looked at for patterns */
    /* for rebuilding: */
    uint32_t id;         /* position in the new order, from 1 */
    uint32_t scope;      /* of the search that it takes part in */
    uint32_t index, low; /* of the search for components; index 0: not seen */
    bool on_stack;
    LLVMBasicBlockRef join; /* where its ways out lead */
};

struct flow {
    LLVMContextRef context;
    LLVMValueRef function;
    struct flow_node *nodes; /* one per block, in the function's order, and one for leaving */
    uint32_t count, exit;    /* of nodes; the one for leaving, the last */
    uint32_t *slots, mask;   /* blocks to nodes: a hash table of numbers + 1 */
    bool out_of_memory;
};

/* Reads the graph of FUNCTION and merges what is regular. False when memory is out. */
bool flow_open(struct flow *flow, LLVMContextRef context, LLVMValueRef function);
void flow_close(struct flow *flow);
bool flow_is_regular(struct flow *flow);
uint32_t flow_find(struct flow *flow, uint32_t node);                    /* what it was merged into */
uint32_t flow_node_of(const struct flow *flow, LLVMBasicBlockRef block); /* before merging */

/* Rewrites a function that is not regular and has neither phis, nor values used outside of their blocks, nor
 * switches. False when memory is out. */
bool flow_rebuild(struct flow *flow);

#endif
