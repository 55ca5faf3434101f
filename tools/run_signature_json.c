/* SPDX-License-Identifier: MIT */
/* Signatures of kernels as JSON; see run_signature.h.
 * Input: a signature. Output: members of an object. Invariant: what the kernel does not say is left out. */
#include "tools/run_signature.h"

#include <inttypes.h>

static const char *const kind_words[] = {
    [RUN_FORMAL_BITS] = "bits",       [RUN_FORMAL_INTEGER] = "integer", [RUN_FORMAL_FLOAT] = "float",
    [RUN_FORMAL_ADDRESS] = "address", [RUN_FORMAL_HANDLE] = "handle",   [RUN_FORMAL_HIDDEN] = "hidden"};

static void json_formal(const struct run_formal *formal, struct textbuf *json)
{
    textbuf_printf(json, "{\"offset\":%" PRIu32 ",\"bytes\":%" PRIu32 ",\"count\":%" PRIu32, formal->offset,
                   formal->bytes, formal->count);
    textbuf_json_member(json, "kind", kind_words[formal->kind]);
    if (*formal->type)
        textbuf_json_member(json, "type", formal->type);
    if (*formal->name)
        textbuf_json_member(json, "name", formal->name);
    textbuf_puts(json, "}");
}

static void json_number(struct textbuf *json, const char *name, uint64_t number)
{
    if (number)
        textbuf_printf(json, ",\"%s\":%" PRIu64, name, number);
}

static void json_sizes(struct textbuf *json, const char *name, const uint64_t sizes[3])
{
    if (sizes[0])
        textbuf_printf(json, ",\"%s\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", name, sizes[0], sizes[1], sizes[2]);
}

void run_signature_json(const struct run_signature *signature, struct textbuf *json)
{
    const struct run_limits *limits = &signature->limits;
    const char *separator = ",\"arguments\":[";
    for (size_t i = 0; i < signature->formals.count; i++) {
        textbuf_puts(json, separator);
        json_formal(&signature->formals.items[i], json);
        separator = ",";
    }
    textbuf_puts(json, signature->formals.count ? "]" : ",\"arguments\":[]");
    json_number(json, "required_dimensions", limits->dimensions);
    json_sizes(json, "required_grid", limits->grid);
    json_sizes(json, "required_group", (uint64_t[]){limits->group[0], limits->group[1], limits->group[2]});
    json_number(json, "max_grid", limits->flat_grid);
    json_number(json, "max_group", limits->flat_group);
    if (limits->whole_groups)
        textbuf_puts(json, ",\"whole_groups\":true");
    if (limits->dynamic_group)
        textbuf_printf(json, ",\"max_dynamic_group_memory\":%" PRIu64, limits->dynamic_group - 1);
}
