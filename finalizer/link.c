/* SPDX-License-Identifier: MIT */
/* Entry of the code-object linker: runs the steps in order and hands over the image.
 * Input: an AMDGPU relocatable object. Output: a code object that the HSA loader accepts. See link.h. */
#include "finalizer/link_internal.h"

#include "hsa/amd_hsa_kernel_code.h"

#include <string.h>

static void mark_descriptor(struct link_state *s, const struct link_symbol *symbol)
{
    uint64_t at = link_symbol_address(s, symbol);
    uint16_t properties;
    if (symbol->section == SHN_UNDEF || symbol->section == SHN_ABS || at > s->image_size ||
        s->image_size - at < sizeof(amd_kernel_descriptor_t))
        return;
    uint8_t *place = s->image + at + offsetof(amd_kernel_descriptor_t, kernel_code_properties);
    memcpy(&properties, place, sizeof properties);
    properties |= AMD_KERNEL_USES_DYNAMIC_STACK;
    memcpy(place, &properties, sizeof properties);
}

/* LLVM sets this property for later versions of code objects only, and does not know of alloca. The search for a name
 * starts after the last one found, as symbols come in the order of their definition. */
static void mark_dynamic(struct link_state *s, struct link_kernels kernels)
{
    for (size_t k = 0, at = 0; k < kernels.count; k++)
        for (uint32_t n = 0; n < s->symbol_count; n++) {
            at = at + 1 < s->symbol_count ? at + 1 : 0;
            if (strcmp(s->symbols[at].name, kernels.descriptors[k]) != 0)
                continue;
            mark_descriptor(s, &s->symbols[at]);
            break;
        }
}

struct link_result link_code_object(struct bytes object, struct link_kernels dynamic)
{
    struct link_result result = {0};
    struct link_state state = {.result = &result, .object = object};
    if ((uintptr_t)object.data % 8)
        link_fail(&state, LINK_ALIGN);
    else if (link_read(&state) && link_scan_relocs(&state) && link_layout(&state) && link_apply_relocs(&state) &&
             link_write(&state)) {
        mark_dynamic(&state, dynamic);
        result.image = state.image;
        result.size = state.image_size;
    }
    if (!result.image)
        mem_free(state.image);
    arena_free(&state.arena);
    return result;
}
