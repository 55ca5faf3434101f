/* SPDX-License-Identifier: MIT */
/* Reads instruction set names for the finalizer.
 * Input: a name, from anywhere. Output: a target whose processor and features LLVM is known to take. See target.h.
 */
#include "config.h"

#include "finalizer/target.h"

#include <stdio.h>
#include <string.h>

/* Versions of the code object format. The first is what HSA applications expect: it has no hidden arguments. */
enum { FIRST_CODE_OBJECT = 4, LAST_CODE_OBJECT = 6 };

/* Supported are the processors that the lowerings know and this LLVM generates code for. */
bool target_is_supported(const struct amdgpu_processor *processor)
{
    switch (processor->generation->id) {
    case AMDGPU_GFX6:
    case AMDGPU_GFX7:
    case AMDGPU_GFX8:
    case AMDGPU_GFX9:
    case AMDGPU_GFX90A:
    case AMDGPU_GFX940:
    case AMDGPU_GFX10:
    case AMDGPU_GFX10_3:
    case AMDGPU_GFX11:
    case AMDGPU_GFX12: return processor->llvm <= LLVM_RELEASE;
    case AMDGPU_GFX950:
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
    *target =
        (struct target){.processor = id.processor, .cpu = id.processor->name, .wave = id.processor->generation->wave};
    target_set_code_object(target, 0);
    char sramecc[] = "?sramecc", xnack[] = "?xnack";
    *sramecc = id.sramecc, *xnack = id.xnack;
    snprintf(target->features, sizeof target->features, "%s%s%s", sramecc, id.sramecc && id.xnack ? "," : "", xnack);
    return true;
}

bool target_set_wave(struct target *target, uint32_t wave)
{
    if (wave && wave != target->wave) {
        size_t used = strlen(target->features);
        if (!(target->processor->generation->waves & wave))
            return false;
        snprintf(target->features + used, sizeof target->features - used, "%s-wavefrontsize%u,+wavefrontsize%u",
                 used ? "," : "", (unsigned)target->wave, (unsigned)wave);
        target->wave = wave;
    }
    return true;
}

bool target_set_code_object(struct target *target, uint32_t version)
{
    uint32_t first = target->processor->code_object;
    target->code_object = version ? version : first < FIRST_CODE_OBJECT ? FIRST_CODE_OBJECT : first;
    return target->code_object >= FIRST_CODE_OBJECT && target->code_object <= LAST_CODE_OBJECT &&
           target->code_object >= first;
}
