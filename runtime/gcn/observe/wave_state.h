/* SPDX-License-Identifier: MIT */
/* The registers of a wave as people name and read them: what an instruction has changed, and single ones. */
#ifndef RUNTIME_GCN_OBSERVE_WAVE_STATE_H
#define RUNTIME_GCN_OBSERVE_WAVE_STATE_H

#include "runtime/gcn/wave.h"
#include "support/textbuf.h"

/* A copy of the registers that a kernel uses. */
struct gcn_wave_state {
    uint32_t s[GCN_SGPRS];
    uint32_t scc;
    unsigned v_count, a_count; /* vector and accumulation registers that are kept */
    uint32_t (*v)[GCN_LANES], (*a)[GCN_LANES];
};

/* Makes room for so many vector and accumulation registers; false if memory has run out. */
bool gcn_wave_state_init(struct gcn_wave_state *state, unsigned v_count, unsigned a_count);
void gcn_wave_state_free(struct gcn_wave_state *state);
void gcn_wave_state_take(struct gcn_wave_state *state, const struct gcn_wave *w);

/* Appends what differs between STATE and the registers of W: lines for people, each with a newline, or two members of a
 * JSON object, each after a comma. */
void gcn_wave_state_text(const struct gcn_wave_state *state, const struct gcn_wave *w, struct textbuf *text);
void gcn_wave_state_json(const struct gcn_wave_state *state, const struct gcn_wave *w, struct textbuf *json);

/* How numbers are written: in hexadecimal, or as people do. */
enum gcn_notation { GCN_NOTATION_BITS, GCN_NOTATION_UNSIGNED, GCN_NOTATION_SIGNED, GCN_NOTATION_FLOAT };

/* Appends a number of BYTES, up to 8; other bytes of VALUE do not count. A float has 2, 4 or 8. */
void gcn_number_text(struct textbuf *text, uint64_t value, unsigned bytes, enum gcn_notation number);
bool gcn_number_is_finite(uint64_t value, unsigned bytes); /* a float */

/* Appends the VALUES that a vector register has in LANES, at least one, as people read them: one value if all are the
 * same; the first value and the difference if each is greater by that; else each value with its lane. */
void gcn_lanes_text(struct textbuf *text, const uint32_t values[GCN_LANES], uint64_t lanes);
void gcn_wide_lanes_text(struct textbuf *text, const uint64_t values[GCN_LANES], unsigned bytes, uint64_t lanes,
                         enum gcn_notation number);

/* The name of scalar register CODE: "s4", "vcc_lo". */
const char *gcn_scalar_text(unsigned code, char name[24]);

#endif
