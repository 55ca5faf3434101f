/* SPDX-License-Identifier: MIT */
/* Contexts and modules of the public interface; see hsail/hsail.h.
 * Input: the caller's bytes. Output: modules and diagnostics. Invariant: of what a call allocates, only what it returns
 * outlives it, and no call touches the state of another context. */
#include "frontend/hsail_p.h"

#include "brig/limit.h"
#include "brig/lint.h"
#include "brig/validate.h"
#include "frontend/asm.h"
#include "frontend/format.h"

#include <config.h>

const struct mem_hooks *hsail_enter(const hsail_context_t *context)
{
    return mem_use_hooks(context->has_hooks ? &context->hooks : NULL);
}

void hsail_leave(const struct mem_hooks *before)
{
    mem_use_hooks(before);
}

hsail_status_t hsail_status_of(enum brig_status status)
{
    switch (status) {
    case BRIG_OK: return HSAIL_STATUS_OK;
    case BRIG_INVALID: return HSAIL_STATUS_INVALID;
    case BRIG_OUT_OF_MEMORY: return HSAIL_STATUS_OUT_OF_MEMORY;
    case BRIG_TOO_LARGE: break;
    }
    return HSAIL_STATUS_TOO_LARGE;
}

hsail_status_t hsail_context_create(const hsail_allocator_t *allocator, hsail_context_t **context)
{
    if (!context || (allocator && (!allocator->allocate || !allocator->reallocate || !allocator->release)))
        return HSAIL_STATUS_ARGUMENT;
    *context = NULL;
    hsail_context_t new = {.max_errors = LIMIT_ERRORS};
    if (allocator) {
        new.has_hooks = true;
        new.hooks = (struct mem_hooks){allocator->allocate, allocator->reallocate, allocator->release, allocator->user};
    }
    const struct mem_hooks *before = hsail_enter(&new);
    hsail_context_t *made = mem_alloc(sizeof *made);
    new.severity = mem_alloc(DIAG_ID_COUNT);
    if (made && new.severity) {
        for (size_t i = 0; i < DIAG_ID_COUNT; i++)
            new.severity[i] = (uint8_t)(diag_rules[i].severity == DIAG_LINT ? DIAG_OFF : diag_rules[i].severity);
        *made = new;
        *context = made;
    } else {
        mem_free(made);
        mem_free(new.severity);
    }
    hsail_leave(before);
    return *context ? HSAIL_STATUS_OK : HSAIL_STATUS_OUT_OF_MEMORY;
}

void hsail_context_destroy(hsail_context_t *context)
{
    if (!context)
        return;
    hsail_context_t copy = *context; /* the hooks are needed until the last block is gone */
    const struct mem_hooks *before = hsail_enter(&copy);
    mem_free(copy.severity);
    mem_free(context);
    hsail_leave(before);
}

hsail_status_t hsail_module_wrap(hsail_context_t *context, uint8_t *data, size_t size, const struct brig_view *view,
                                 hsail_module_t **module)
{
    hsail_module_t *made = mem_alloc(sizeof *made);
    if (!made) {
        mem_free(data);
        return HSAIL_STATUS_OUT_OF_MEMORY;
    }
    *made = (hsail_module_t){context->hooks, context->has_hooks, data, size, *view};
    *module = made;
    return HSAIL_STATUS_OK;
}

void hsail_module_destroy(hsail_module_t *module)
{
    if (!module)
        return;
    struct mem_hooks hooks = module->hooks;
    const struct mem_hooks *before = mem_use_hooks(module->has_hooks ? &hooks : NULL);
    mem_free(module->data);
    mem_free(module);
    mem_use_hooks(before);
}

hsail_status_t hsail_module_unless(hsail_status_t status, hsail_module_t **module)
{
    if (status != HSAIL_STATUS_OK) {
        hsail_module_destroy(*module);
        *module = NULL;
    }
    return status;
}

const void *hsail_module_data(const hsail_module_t *module)
{
    return module ? module->data : NULL;
}

size_t hsail_module_size(const hsail_module_t *module)
{
    return module ? module->size : 0;
}

/* Whether the caller has asked for a warning of the lint. */
static bool wants_lint(const struct diag_list *list)
{
    for (size_t i = 0; i < DIAG_ID_COUNT; i++)
        if (diag_rules[i].severity == DIAG_LINT && list->adjust(list->context, &diag_rules[i]) != DIAG_OFF)
            return true;
    return false;
}

enum brig_status hsail_validate(const struct brig_view *view, struct diag_list *list)
{
    enum brig_status status = brig_validate(view, list);
    return status == BRIG_OK && !list->errors && wants_lint(list) ? brig_lint(view, list) : status;
}

enum brig_status hsail_check(const uint8_t *data, size_t size, unsigned flags, struct diag_list *list,
                             struct brig_view *view)
{
    size_t errors = list->errors;
    enum brig_status status = brig_open(data, size, list, view);
    if (status != BRIG_OK)
        *view = (struct brig_view){0};
    else if (!(flags & HSAIL_NO_VALIDATION))
        status = hsail_validate(view, list);
    return status == BRIG_OK && list->errors != errors ? BRIG_INVALID : status; /* warnings may count as errors */
}

/* What a file that is no text is, by how it begins; NULL for what may be text. */
static const char *binary_kind(const char *text, size_t size)
{
    static const struct {
        const char *begin;
        size_t size;
        const char *what;
    } kinds[] = {
#define KIND(begin, what) {begin, sizeof(begin) - 1, what}
        KIND("HSA BRIG", "a BRIG module"),
        KIND("\x7f"
             "ELF",
             "an ELF file, such as a code object"),
        KIND("BC\xc0\xde", "LLVM bitcode"),
        KIND("\x03\x02\x23\x07", "a SPIR-V module"),
        KIND("!<arch>\n", "an archive of objects"),
        KIND("\x89PNG\r\n\x1a\n", "a PNG image"),
        KIND("\xff\xd8\xff", "a JPEG image"),
        KIND("%PDF-", "a PDF document"),
        KIND("__CLANG_OFFLOAD_BUNDLE__", "a bundle of clang, from which clang-offload-bundler takes code objects"),
        KIND("; ModuleID", "text of LLVM IR"),
        KIND("\x1f\x8b", "a file compressed by gzip"),
        KIND("\xfd"
             "7zXZ",
             "a file compressed by xz"),
        KIND("\x28\xb5\x2f\xfd", "a file compressed by zstd"),
        KIND("BZh", "a file compressed by bzip2"),
        KIND("PK\x03\x04", "a zip archive"),
        KIND("\xff\xfe", "text in UTF-16"),
        KIND("\xfe\xff", "text in UTF-16"),
#undef KIND
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (size >= kinds[i].size && memcmp(text, kinds[i].begin, kinds[i].size) == 0)
            return kinds[i].what;
    /* No statement or comment begins with such a byte, though a comment may hold any. */
    bool is_binary =
        size && ((uint8_t)*text < '\t' || (uint8_t)*text > '~') && memchr(text, '\0', size < 64 ? size : 64);
    return is_binary ? "a binary file" : NULL;
}

/* Assembles a copy that ends in a NUL. */
static hsail_status_t assemble_copy(hsail_context_t *context, struct diag_list *list, const char *name,
                                    const char *text, size_t size, unsigned flags, hsail_module_t **module)
{
    const char *kind = binary_kind(text, size);
    if (kind) {
        diag_report(list, DIAG_RULE(NOT_TEXT), (struct diag_place){0}, kind);
        return HSAIL_STATUS_INVALID;
    }
    struct asm_result result;
    struct brig_view view;
    enum brig_status status = asm_text_partly(text, size, list, &result);
    status = hsail_check_text(list, &result, status, text, size, flags, &view);
    hsail_status_t answer = hsail_status_of(status);
    if (status == BRIG_OK) {
        uint8_t *data = result.module;
        result.module = NULL;
        answer = hsail_module_wrap(context, data, result.size, &view, module);
        if (answer == HSAIL_STATUS_OK && flags & HSAIL_LINES)
            answer = hsail_add_lines(context, name, text, &result, module);
    }
    asm_result_free(&result);
    return answer;
}

/* The lexer wants a NUL after the text. */
static char *terminated_copy(const void *text, size_t size)
{
    char *copy = mem_alloc(size + 1);
    if (copy && size)
        memcpy(copy, text, size);
    if (copy)
        copy[size] = '\0';
    return copy;
}

hsail_status_t hsail_assemble(hsail_context_t *context, const char *name, const void *text, size_t size, unsigned flags,
                              hsail_module_t **module)
{
    if (module)
        *module = NULL;
    bool terminated = flags & HSAIL_TERMINATED;
    if (!context || !module || (!text && (size || terminated)) ||
        flags & ~(unsigned)(HSAIL_NO_VALIDATION | HSAIL_TERMINATED | HSAIL_LINES))
        return HSAIL_STATUS_ARGUMENT;
    if (size > LIMIT_TEXT_BYTES)
        return HSAIL_STATUS_TOO_LARGE;
    if (terminated && ((const char *)text)[size])
        return HSAIL_STATUS_ARGUMENT;
    const struct mem_hooks *before = hsail_enter(context);
    hsail_status_t status = HSAIL_STATUS_OUT_OF_MEMORY;
    char *copy = terminated ? NULL : terminated_copy(text, size);
    const char *start = terminated ? text : copy;
    if (start) {
        struct diag_list list = hsail_diag_start(context);
        struct source source = {.name = name, .text = {(const uint8_t *)start, size}};
        status = assemble_copy(context, &list, name, start, size, flags, module);
        status = hsail_module_unless(hsail_diag_deliver(context, &list, name, &source, status), module);
        source_free(&source);
    }
    mem_free(copy);
    hsail_leave(before);
    return status;
}

hsail_status_t hsail_format(hsail_context_t *context, const char *name, const void *text, size_t size, unsigned flags,
                            hsail_sink_t sink, void *user)
{
    hsail_module_t *module;
    if (!sink || flags & HSAIL_LINES)
        return HSAIL_STATUS_ARGUMENT;
    hsail_status_t status = hsail_assemble(context, name, text, size, flags, &module);
    if (status != HSAIL_STATUS_OK)
        return status;
    hsail_module_destroy(module);
    const struct mem_hooks *before = hsail_enter(context);
    char *copy = flags & HSAIL_TERMINATED ? NULL : terminated_copy(text, size);
    const char *start = flags & HSAIL_TERMINATED ? text : copy;
    struct textbuf out = {0};
    status = HSAIL_STATUS_OUT_OF_MEMORY;
    if (start && format_text(start, size, &out))
        status = hsail_flush(&out, sink, user);
    textbuf_free(&out);
    mem_free(copy);
    hsail_leave(before);
    return status;
}

hsail_status_t hsail_module_load(hsail_context_t *context, const char *name, const void *brig, size_t size,
                                 unsigned flags, hsail_module_t **module)
{
    if (module)
        *module = NULL;
    if (!context || !module || (!brig && size) || flags & ~(unsigned)HSAIL_NO_VALIDATION)
        return HSAIL_STATUS_ARGUMENT;
    const struct mem_hooks *before = hsail_enter(context);
    hsail_status_t status = HSAIL_STATUS_OUT_OF_MEMORY;
    uint8_t *copy = mem_alloc(size);
    if (copy) {
        struct brig_view view;
        if (size)
            memcpy(copy, brig, size);
        struct diag_list list = hsail_diag_start(context);
        status = hsail_status_of(hsail_check(copy, size, flags, &list, &view));
        hsail_places_in_brig(&list, &view);
        status = hsail_diag_deliver(context, &list, name, NULL, status);
        if (status == HSAIL_STATUS_OK)
            status = hsail_module_wrap(context, copy, size, &view, module);
        else
            mem_free(copy);
    }
    hsail_leave(before);
    return status;
}

hsail_status_t hsail_module_validate(hsail_context_t *context, const char *name, const hsail_module_t *module)
{
    if (!context || !module)
        return HSAIL_STATUS_ARGUMENT;
    const struct mem_hooks *before = hsail_enter(context);
    struct diag_list list = hsail_diag_start(context);
    struct brig_view view;
    hsail_status_t status = hsail_status_of(hsail_check(module->data, module->size, 0, &list, &view));
    hsail_places_in_brig(&list, &view);
    status = hsail_diag_deliver(context, &list, name, NULL, status);
    hsail_leave(before);
    return status;
}

const char *hsail_status_text(hsail_status_t status)
{
    switch (status) {
    case HSAIL_STATUS_OK: return "success";
    case HSAIL_STATUS_INVALID: return "the input is not valid";
    case HSAIL_STATUS_OUT_OF_MEMORY: return "out of memory";
    case HSAIL_STATUS_ARGUMENT: return "an argument is not valid";
    case HSAIL_STATUS_TOO_LARGE: return "the module is too large: 4 GiB per section is the limit of BRIG";
    case HSAIL_STATUS_SINK: return "the output could not be written";
    case HSAIL_STATUS_FAILED: return "no code could be made";
    }
    return "unknown status";
}

const char *hsail_version(void)
{
    return PACKAGE_VERSION;
}
