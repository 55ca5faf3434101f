/* SPDX-License-Identifier: MIT */
/* Makes the control flow of LLVM functions regular. In irregular flow, LLVM's structurizer gives wrong values to
 * work-items that have left a loop or a branch, and may take exponential time (doc/decisions/llvm-control-flow.md).
 *
 * Flow is regular if it consists of if, if-else, loops with one exit and sequences of these. What is irregular in a
 * function is rewritten as loops and guards that test a variable, which says which block is next. */
#ifndef FINALIZER_FLOW_H
#define FINALIZER_FLOW_H

#include "finalizer/llvm.h"
#include "support/vec.h"

/* A block, or several blocks that have been merged; control enters them at ENTRY. */
struct flow_node {
    LLVMBasicBlockRef entry; /* NULL for the node that stands for leaving the function */
    VEC(uint32_t) next;      /* nodes that it leads to, each once; itself, while it has a loop of its own */
    VEC(uint32_t) back;      /* nodes that lead to it, each once */
    uint32_t parent;         /* the node that it was merged into, or itself */
    bool is_reachable;
    bool is_loop;   /* a loop back to ENTRY has been merged into it */
    bool is_queued; /* it waits for the search for patterns */
    /* for rebuilding: */
    uint32_t id;         /* position in the new order, from 1 */
    uint32_t scope;      /* number of the search that it takes part in */
    uint32_t index, low; /* used by the search for components; index 0: not seen yet */
    bool on_stack;
    LLVMBasicBlockRef join; /* the block that all its exits lead to */
};

/* NODE has become a part of INTO. */
struct flow_merge {
    uint32_t into, node;
};

struct flow {
    LLVMContextRef context;
    LLVMValueRef function;
    struct flow_node *nodes;       /* one for each block, in the function's order, and one for leaving the function */
    uint32_t count, exit;          /* how many nodes there are; the index of the last, which stands for leaving */
    uint32_t *slots, mask;         /* a hash table that leads from a block to the number of its node + 1 */
    VEC(struct flow_merge) merges; /* in the order in which they were done */
    bool out_of_memory;
};

/* Reads the graph of FUNCTION and merges what is regular. False if memory is out. */
bool flow_open(struct flow *flow, LLVMContextRef context, LLVMValueRef function);
void flow_close(struct flow *flow);
uint32_t flow_count_irregular(struct flow *flow);     /* how many nodes are left; 0 if the flow is regular */
uint32_t flow_find(struct flow *flow, uint32_t node); /* the node that NODE was merged into */
uint32_t flow_node_of(const struct flow *flow, LLVMBasicBlockRef block); /* its node before any merging */

/* Gives innermost loops that are left or continued from several places one end; *CHANGED tells whether there were any,
 * and then the graph must be read again. The function is as for flow_rebuild(). False if memory is out. */
bool flow_join_exits(struct flow *flow, bool *changed);

/* Makes the flow of a function regular. The function must have no phis and no switches, and use no value outside of the
 * block that computes it. False if memory is out. */
bool flow_rebuild(struct flow *flow);

#endif
