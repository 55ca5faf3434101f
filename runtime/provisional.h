/* SPDX-License-Identifier: MIT */
/* What the functions of HSA 1.0 provisional have in common. */
#ifndef RUNTIME_PROVISIONAL_H
#define RUNTIME_PROVISIONAL_H

#include "runtime/api_table.h"

#include "hsa/hsa_ext_finalize.h"
#include "hsa/hsa_ext_image.h"

/* The status of 1.0P for one of 1.2; those of 1.0P stay. */
int provisional_status(int status);

#define PROVISIONAL_ERROR(name) provisional_status(HSA_STATUS_ERROR_##name)
#define CHECK_1P(condition, name)                                                                            \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            return PROVISIONAL_ERROR(name);                                                                  \
    } while (0)

/* The function of 1.2, which a tools library may have replaced. */
#define CALL(name)       api_core.name##_fn
#define CALL_IMAGE(name) api_image.name##_fn

/* Only a shared library has versions of symbols; an archive, whose objects are made without PIC, has the present ones.
 */
#ifdef PIC
#define PROVISIONAL_SYMBOL(name, version) __asm__(".symver provisional_" #name ", " #name version);
#else
#define PROVISIONAL_SYMBOL(name, version)
#endif

/* Begins the definition of a function that 1.2 has, too, under the same name; of one that returns no status; of one
 * that only 1.0P has. */
#define PROVISIONAL_VALUE(type, name, ...)                                                                   \
    PROVISIONAL_SYMBOL(name, "@HSA_1.0P")                                                                    \
    HSA_API type provisional_##name(__VA_ARGS__);                                                            \
    HSA_API type provisional_##name(__VA_ARGS__)
#define PROVISIONAL_VERSION(name, ...) PROVISIONAL_VALUE(int, name, __VA_ARGS__)
#define PROVISIONAL_NAME(name, ...)                                                                          \
    PROVISIONAL_SYMBOL(name, "@@HSA_1.0P")                                                                   \
    HSA_API int provisional_##name(__VA_ARGS__);                                                             \
    HSA_API int provisional_##name(__VA_ARGS__)

#endif
