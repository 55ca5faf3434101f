/* SPDX-License-Identifier: MIT */
/* Compiled code on disk, so that the next process need not compile the same.
 *
 * HSA_GCN_JIT_CACHE names the directory, or is `off`; the default is hsail in XDG_CACHE_HOME. Each file holds the
 * object file of one unit. Its name is the digest of everything that the object depends on: the unit's micro-operations
 * and constants, the numbers of the handlers, this program, the host's processor, and LLVM. */
#ifndef RUNTIME_GCN_JIT_CODE_CACHE_H
#define RUNTIME_GCN_JIT_CODE_CACHE_H

#include "runtime/gcn/jit/protocol.h"

#include <sha2.h>

struct code_key {
    uint8_t digest[SHA256_DIGEST_LENGTH];
};

/* What a file holds. */
struct kept_code {
    uint8_t *entries; /* per micro-operation of the unit: whether code may be entered there */
    size_t entry_count;
    uint8_t *object;
    size_t object_size;
    void *memory; /* all of it; to be freed */
};

/* Comes first, before this process leaves the directory that it was started in: the name may be relative to that. */
void code_cache_begin(void);

/* Computes the key of a unit as it was requested; HOST is what else the code depends on. False if its code cannot be
 * used by another process, or nothing is to be kept. */
bool code_cache_key(const struct jit_engine *engine, const struct jit_request *request, const struct jit_op *ops,
                    const void *constants, const char *host, struct code_key *key);

/* Finds what was kept under KEY, unless anybody else could have put it there. The caller frees FOUND->memory. */
bool code_cache_find(const struct code_key *key, struct kept_code *found);

/* Keeps OBJECT under KEY. */
void code_cache_keep(const struct code_key *key, const struct kept_code *object);

/* Removes the files that were not used for longest until the directory is not too large. */
void code_cache_trim(void);

#endif
