/* SPDX-License-Identifier: MIT */
/* Entry of the code-object linker: runs the steps in order and hands over the image.
 * Input: an AMDGPU relocatable object. Output: a code object that the HSA loader accepts. See link.h. */
#include "finalizer/link_internal.h"

struct link_result link_code_object(struct bytes object)
{
    struct link_result result = {0};
    struct link_state state = {.result = &result, .object = object};
    if ((uintptr_t)object.data % 8)
        link_fail(&state, LINK_ALIGN);
    else if (link_read(&state) && link_scan_relocs(&state) && link_layout(&state) && link_apply_relocs(&state) &&
             link_write(&state)) {
        result.image = state.image;
        result.size = state.image_size;
    }
    if (!result.image)
        mem_free(state.image);
    arena_free(&state.arena);
    return result;
}
