/* SPDX-License-Identifier: MIT */
/* Reads instruction set names for the finalizer.
 * Input: a name, from anywhere. Output: a target whose processor and features LLVM is known to take. See target.h.
 */
#include "finalizer/target.h"

#include <stdio.h>
#include <string.h>

/* Supported are the processors of the generations whose machine code the lowerings know. */
bool target_is_supported(const struct amdgpu_processor *processor)
{
    switch (processor->generation->id) {
    case AMDGPU_GFX8:
    case AMDGPU_GFX9:
    case AMDGPU_GFX90A:
    case AMDGPU_GFX940: return processor->code_object < 6;
    case AMDGPU_GFX6:
    case AMDGPU_GFX7:
    case AMDGPU_GFX950:
    case AMDGPU_GFX10:
    case AMDGPU_GFX10_3:
    case AMDGPU_GFX11:
    case AMDGPU_GFX12:
    case AMDGPU_GFX1250:
    case AMDGPU_GENERATION_COUNT: break;
    }
    return false;
}

bool target_parse(const char *name, struct target *target)
{
    struct amdgpu_target id;
    if (!amdgpu_target_parse(name, strlen(name), &id) || !target_is_supported(id.processor))
        return false;
    *target = (struct target){.cpu = id.processor->name, .wave = id.processor->generation->wave};
    char sramecc[] = "?sramecc", xnack[] = "?xnack";
    *sramecc = id.sramecc, *xnack = id.xnack;
    snprintf(target->features, sizeof target->features, "%s%s%s", sramecc, id.sramecc && id.xnack ? "," : "", xnack);
    return true;
}
