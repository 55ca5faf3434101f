/* SPDX-License-Identifier: MIT */
/* Entry of the code-object linker: runs the steps in order and hands over the image.
 * Input: an AMDGPU relocatable object. Output: a code object the HSA loader takes. See link.h. */
#include "finalizer/link_internal.h"

#include <stdarg.h>
#include <stdio.h>

bool link_fail(struct link_state *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(s->result->message, sizeof s->result->message, format, args);
    va_end(args);
    return false;
}

bool link_no_memory(struct link_state *s)
{
    s->result->out_of_memory = true;
    return link_fail(s, "out of memory");
}

struct link_result link_code_object(struct bytes object)
{
    struct link_result result = {0};
    struct link_state state = {.result = &result, .object = object};
    if ((uintptr_t)object.data % 8)
        link_fail(&state, "the object is not 8-byte aligned");
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
