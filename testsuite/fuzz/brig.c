/* SPDX-License-Identifier: MIT */
/* Fuzz target of the reader and the dump; see fuzz_target.h. */
#include "testsuite/fuzz/fuzz_target.h"

#include "testsuite/brig/walk.h"

#include <stdlib.h>

static void body(struct fuzz_session *session, const uint8_t *data, size_t size)
{
    struct fuzz_text dump = {0}, again = {0};
    hsail_status_t status = hsail_dump(session->context, "fuzz.brig", data, size, fuzz_keep, &dump);
    if (!fuzz_no_memory(session, status)) {
        FUZZ_CHECK(status == HSAIL_STATUS_OK || status == HSAIL_STATUS_INVALID, "dumped: %s",
                   hsail_status_text(status));
        FUZZ_CHECK(dump.size < 100 * size + 100000, "%zu bytes of dump for %zu", dump.size, size);
        status = hsail_dump(session->context, NULL, data, size, fuzz_keep, &again);
        if (!fuzz_no_memory(session, status))
            FUZZ_CHECK(dump.size == again.size && (!dump.size || !memcmp(dump.data, again.data, dump.size)),
                       "another dump of the same bytes");
    }
    free(dump.data);
    free(again.data);
}

void fuzz_brig(const uint8_t *data, size_t size)
{
    bool good = true;
    uint8_t *own = malloc(size ? size : 1); /* aligned, and so large that a sanitizer notices over-reads */
    if (!own)
        return;
    if (size)
        memcpy(own, data, size);
    walk_untrusted(own, size, &good);
    FUZZ_CHECK(good, "a promise of module.h is broken");
    fuzz_run(body, own, size);
    free(own);
}
