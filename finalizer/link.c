/* SPDX-License-Identifier: MIT */
/* The linker of code objects: runs its steps in order and hands over the image.
 * Input: a relocatable AMDGPU object. Output: a code object that the HSA loader accepts. See link.h. */
#include "finalizer/link_internal.h"

#include "hsa/amd_hsa_kernel_code.h"

#include <string.h>

/* The number of scalar registers in compute_pgm_rsrc1; reserved and 0 from GFX10 on. */
enum { SGPR_COUNT = 0xf << 6 };

/* Where compute_pgm_rsrc2 enables exceptions. */
enum { EXCEPTIONS_SHIFT = 24 };

/* LLVM says that the stack is dynamic in later versions of code objects only, and does not know of alloca; and it
 * counts scalar registers on every processor; of exceptions it knows nothing. */
static void correct_descriptor(struct link_state *s, const struct link_symbol *symbol, const struct link_kernel *kernel,
                               bool count_sgprs)
{
    uint64_t at = link_symbol_address(s, symbol);
    amd_kernel_descriptor_t descriptor;
    if (symbol->section == SHN_UNDEF || symbol->section == SHN_ABS || at > s->image_size ||
        s->image_size - at < sizeof descriptor)
        return;
    memcpy(&descriptor, s->image + at, sizeof descriptor);
    descriptor.compute_pgm_rsrc2 |= kernel->exceptions << EXCEPTIONS_SHIFT;
    if (kernel->is_dynamic)
        descriptor.kernel_code_properties |= AMD_KERNEL_USES_DYNAMIC_STACK;
    if (!count_sgprs)
        descriptor.compute_pgm_rsrc1 &= ~(uint32_t)SGPR_COUNT;
    memcpy(s->image + at, &descriptor, sizeof descriptor);
}

/* The search for a name starts after the last one found, as symbols come in the order of their definition. */
static void correct_descriptors(struct link_state *s, struct link_kernels kernels)
{
    for (size_t k = 0, at = 0; k < kernels.count; k++)
        for (uint32_t n = 0; n < s->symbol_count; n++) {
            at = at + 1 < s->symbol_count ? at + 1 : 0;
            if (strcmp(s->symbols[at].name, kernels.items[k].descriptor) != 0)
                continue;
            correct_descriptor(s, &s->symbols[at], &kernels.items[k], kernels.count_sgprs);
            break;
        }
}

bool link_correct(uint8_t *object, size_t size, struct link_kernels kernels, struct failure *failure)
{
    struct link_result result = {0};
    struct link_state state = {.result = &result, .object = {object, size}, .image = object, .image_size = size};
    bool done = (uintptr_t)object % 8 ? link_fail(&state, LINK_ALIGN) : link_read(&state);
    for (uint32_t i = 1; done && i < state.section_count; i++)
        state.sections[i].offset = state.sections[i].data.data ? (uint64_t)(state.sections[i].data.data - object) : 0;
    if (done)
        correct_descriptors(&state, kernels);
    arena_free(&state.arena);
    *failure = result.failure;
    return done;
}

struct link_result link_code_object(struct bytes object, struct link_kernels kernels)
{
    struct link_result result = {0};
    struct link_state state = {.result = &result, .object = object};
    if ((uintptr_t)object.data % 8)
        link_fail(&state, LINK_ALIGN);
    else if (link_read(&state) && link_scan_relocs(&state) && link_layout(&state) && link_apply_relocs(&state) &&
             link_write(&state)) {
        correct_descriptors(&state, kernels);
        result.image = state.image;
        result.size = state.image_size;
    }
    if (!result.image)
        mem_free(state.image);
    arena_free(&state.arena);
    return result;
}
