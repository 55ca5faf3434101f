/* SPDX-License-Identifier: MIT */
/* The objects that the handles of hsail/hsail.h stand for; private to the files that implement it. */
#ifndef FRONTEND_HSAIL_P_H
#define FRONTEND_HSAIL_P_H

#include "brig/diag_rule.h"
#include "brig/module.h"
#include "frontend/asm.h"
#include "hsail/hsail.h"
#include "support/alloc.h"

struct hsail_context_s {
    struct mem_hooks hooks;
    bool has_hooks;
    hsail_diagnostic_callback_t callback;
    void *user;
    size_t max_errors;
    uint8_t *severity; /* by enum diag_id */
};

struct hsail_module_s {
    struct mem_hooks hooks;
    bool has_hooks;
    uint8_t *data; /* aligned to 16 */
    size_t size;
    struct brig_view view;
};

/* Between these, memory comes from the context's allocator. */
const struct mem_hooks *hsail_enter(const hsail_context_t *context);
void hsail_leave(const struct mem_hooks *before);

/* Starts a list with the settings of the context; later hands what is in it to the callback, in order. Returns STATUS,
 * or OUT_OF_MEMORY when a finding or its place got lost. */
struct diag_list hsail_diag_start(const hsail_context_t *context);
hsail_status_t hsail_diag_deliver(const hsail_context_t *context, struct diag_list *list, const char *name,
                                  struct source *source, hsail_status_t status);

/* What hsail_diagnostic_t.internal leads to, and the structure of the public interface for it. */
struct hsail_shown {
    const struct diag *diag;
    const char *name;      /* NULL: "<input>" */
    struct source *source; /* of the text; NULL when there is none */
};
hsail_diagnostic_t hsail_diag_public(const struct hsail_shown *shown);

/* Takes over the bytes and makes them a module, or frees them. */
hsail_status_t hsail_module_wrap(hsail_context_t *context, uint8_t *data, size_t size, const struct brig_view *view,
                                 hsail_module_t **module);

/* Takes a module back when STATUS, which is returned, is a failure after all. */
hsail_status_t hsail_module_unless(hsail_status_t status, hsail_module_t **module);

/* Hands text over and empties it. */
hsail_status_t hsail_flush(struct textbuf *text, hsail_sink_t sink, void *user);

/* Who uses each operand of a module: the entry of hsa_code, by a quarter of the operand's offset. Made when it is first
 * needed, and again when it was freed. */
struct hsail_users {
    const struct brig_view *view;
    uint32_t *code;
    uint64_t effort; /* bytes of text and elements of lists that may still be looked at to find parts of entries */
    bool out_of_memory;
};

/* For a module and a text of so many bytes. */
struct hsail_users hsail_users_start(const struct brig_view *view, size_t module, size_t text);
void hsail_users_free(struct hsail_users *users);

/* hsail_place.c: a place in an operand becomes one in the code entry that uses it; false when there is none. */
bool hsail_place_to_code(struct hsail_users *users, struct diag_place *place);

/* Makes the findings about BRIG, from the FIRST on, findings in the text that it was made of. */
void hsail_places_to_text(struct diag_list *list, size_t first, struct hsail_users *users,
                          const struct asm_result *result, const char *text, size_t size);

/* Adds to findings about BRIG the entries that they mean, unless the VIEW was not opened and is all zero. */
void hsail_places_in_brig(struct diag_list *list, const struct brig_view *view);

/* Gives findings about the BRIG of a builder the origin that the loc before their entry says. */
void hsail_places_origin(struct diag_list *list, const struct brig_view *view);

/* hsail_recheck.c: hsail_check() for the module that TEXT was just assembled to with STATUS, with errors or without:
 * reports as much as possible in one run. */
enum brig_status hsail_check_text(struct diag_list *list, struct asm_result *result, enum brig_status status,
                                  const char *text, size_t size, unsigned flags, struct brig_view *view);

/* Checks the structure and, unless FLAGS say otherwise, the rules of HSAIL. VIEW is zero after errors of structure. */
enum brig_status hsail_check(const uint8_t *data, size_t size, unsigned flags, struct diag_list *list,
                             struct brig_view *view);

/* Checks the rules of HSAIL and, if the caller has asked for it and there are no errors, looks for what is legal and
 * probably not meant. */
enum brig_status hsail_validate(const struct brig_view *view, struct diag_list *list);

/* Puts a module with line numbers into the place of *MODULE, which TEXT was assembled to. After a failure, and when the
 * text has line numbers of its own, it stays as it is. */
hsail_status_t hsail_add_lines(const hsail_context_t *context, const char *name, const char *text,
                               const struct asm_result *result, hsail_module_t **module);

hsail_status_t hsail_status_of(enum brig_status status);

#endif
