/* SPDX-License-Identifier: MIT */
/* The values of variables that debug information knows, in a wave that has stopped. */
#ifndef RUNTIME_GCN_OBSERVE_PROMPT_LOCATION_H
#define RUNTIME_GCN_OBSERVE_PROMPT_LOCATION_H

#include "hsa/hsam.h"
#include "runtime/gcn/wave.h"

struct gcn_value {
    uint8_t bytes[16];
    /* Each lane has a value of its own, in registers or private memory; or one value is in group or global memory. */
    enum gcn_value_place { GCN_VALUE_LANE, GCN_VALUE_GROUP, GCN_VALUE_GLOBAL } place;
    uint64_t address; /* in that memory */
};

/* Finds the value of VARIABLE in LANE of W, of the element number ELEMENT if it is an array. False: nobody says where
 * it is, or not for certain. */
bool gcn_variable_value(const struct gcn_wave *w, const hsam_variable *variable, uint64_t element, unsigned lane,
                        struct gcn_value *value);

/* Reads memory of the process at any ADDRESS; false if not all of it is there. */
bool gcn_memory_read(uint64_t address, void *to, size_t size);

#endif
