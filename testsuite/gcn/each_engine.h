/* SPDX-License-Identifier: MIT */
/* The builds of the software GPU's handlers, for tests that run on each that the host can run. */
#ifndef TESTSUITE_GCN_EACH_ENGINE_H
#define TESTSUITE_GCN_EACH_ENGINE_H

#include "runtime/gcn/engine.h"
#include "testsuite/tap.h"

/* The next engine; *NEXT begins with 0, and NULL follows the last one. One that the host cannot run counts as skipped.
 */
static inline const struct gcn_engine *each_engine(unsigned *next)
{
    static const char *const names[] = {"base", "avx2", "avx512"};
    while (*next < sizeof names / sizeof names[0]) {
        const char *name = names[(*next)++];
        const struct gcn_engine *engine = gcn_engine_select(name);
        if (engine)
            return engine;
        tap_skip(name, "this host does not have the instruction set");
    }
    return NULL;
}

#endif
