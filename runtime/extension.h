/* SPDX-License-Identifier: MIT */
/* The extensions that the system and each agent support. */
#ifndef RUNTIME_EXTENSION_H
#define RUNTIME_EXTENSION_H

#include "runtime/agent.h"

enum { RUNTIME_VERSION_MAJOR = 1, RUNTIME_VERSION_MINOR = 2, EXTENSION_MASK_BYTES = 128 };

/* Fills a mask with bit N set when AGENT, or with NULL the system, supports extension N. */
void extension_mask(const struct agent *agent, uint8_t mask[EXTENSION_MASK_BYTES]);

#endif
