/* SPDX-License-Identifier: MIT */
/* Status codes as text. Input: a status of any value; output: a static string. (1.0P 2.2) */
#include "runtime/core.h"

#include "hsa/hsa_ext_finalize.h"

HSA_API hsa_status_t hsa_status_string(hsa_status_t status, const char **status_string)
{
    CHECK_UP();
    CHECK_ARGUMENT(status_string);
    switch ((int)status) {
#define STATUS(name, text)                                                                                   \
    case name:                                                                                               \
        *status_string = #name ": " text;                                                                    \
        return HSA_STATUS_SUCCESS;
#include "runtime/status.def"
#undef STATUS
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
