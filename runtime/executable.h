/* SPDX-License-Identifier: MIT */
/* Executables: code objects in memory, together with the symbols they define. */
#ifndef RUNTIME_EXECUTABLE_H
#define RUNTIME_EXECUTABLE_H

#include "runtime/code_object.h"
#include "runtime/memory.h"

#include <link.h>

/* A code object in memory. */
struct loaded {
    struct executable *executable;
    struct agent *agent; /* NULL: loaded with program allocation */
    struct code_object *object;
    struct allocation *memory; /* device code and clients find address object->low at its base */
    uint8_t *image;            /* where the host writes it, there or in a copy; NULL when it is finished */
    uint64_t handle;           /* hsa_loaded_code_object_t */
    bool announced;            /* the agent's driver has been told of it */
    hsam_handle_t at_agent;
    char uri[96];          /* where its bytes are, for debuggers */
    struct link_map entry; /* of _amdgpu_r_debug */
};

struct executable_symbol {
    struct code_symbol is; /* of a definition by the client: name and kind only */
    struct agent *agent;   /* NULL: program allocation */
    uint64_t address;
    struct loaded *loaded; /* NULL: defined by the client */
    char *own_name;
    uint64_t handle;
};

struct executable {
    uint64_t handle;
    pthread_mutex_t lock;
    hsa_profile_t profile;
    hsa_default_float_rounding_mode_t rounding;
    bool frozen;
    VEC(struct loaded *) loaded;
    VEC(struct executable_symbol *) symbols; /* definitions only, in the order of loading */
    struct hash_table shared;                /* numbers + 1 of those of program linkage, by agent and name */
    size_t modules_own;                      /* how many of them have module linkage */
};

/* loader.c. Loads OBJECT for AGENT, or with program allocation when that is NULL, and takes ownership of OBJECT. The
 * caller holds the lock. */
hsa_status_t loader_load(struct executable *executable, struct agent *agent, struct code_object *object,
                         struct loaded **result) MUST_CHECK;

/* Whether every symbol that a relocation of LOADED names has a definition; the caller holds the lock. */
bool loader_resolved(const struct loaded *loaded);

/* Relocates the code, makes read-only what the file says is read-only, and tells the driver. The caller holds the
 * lock. */
hsa_status_t loader_finish(struct loaded *loaded) MUST_CHECK;
void loader_unload(struct loaded *loaded);

/* The definition of program linkage called NAME that AGENT sees (NULL: program allocation); the caller holds the
 * lock. */
struct executable_symbol *executable_find_shared(const struct executable *executable, const struct agent *agent,
                                                 const char *name);

/* Adds a definition; the caller holds the lock. VARIABLE_ALREADY_DEFINED, OUT_OF_RESOURCES. */
hsa_status_t executable_define(struct executable *executable, struct executable_symbol symbol) MUST_CHECK;

/* Takes the newest definitions back until COUNT are left; the caller holds the lock. */
void executable_undefine(struct executable *executable, size_t count);

/* debugger.c: tell debuggers that a code object is in its final place, and that it is about to go. */
void debugger_add(struct loaded *loaded);
void debugger_remove(struct loaded *loaded);

/* Calls VISIT with every frozen code object, holding the list's lock. */
void debugger_visit(void (*visit)(struct loaded *loaded, void *data), void *data);

void executables_shut_down(void);

/* code_object_api.c: destroys the code objects and readers that clients left. */
void code_objects_shut_down(void);

/* A reader of SIZE bytes of FILE from OFFSET on; SIZE 0 stands for all that is left. */
hsa_status_t reader_from_file(hsa_file_t file, size_t offset, size_t size, hsa_code_object_reader_t *result) MUST_CHECK;

/* Checks and opens the bytes that a reader handle of any value stands for. */
hsa_status_t reader_open(hsa_code_object_reader_t handle, struct code_object **result) MUST_CHECK;

/* A private copy of the code object that a handle of any value stands for. */
hsa_status_t code_object_copy(hsa_code_object_t handle, struct code_object **result) MUST_CHECK;

#endif
