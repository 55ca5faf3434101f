/* SPDX-License-Identifier: MIT */
/* Tests modules at and beyond those limits of brig/limit.h that only BRIG can exceed. What many entries share counts
 * once for each of them, in whatever way it is shared. */
#include "brig/module_builder.h"
#include "brig/diag_rule.h"
#include "brig/limit.h"
#include "support/alloc.h"
#include "testsuite/tap.h"

#define SHARED (64u << 10) /* bytes of what is shared */

enum way { BY_VARIABLES, BY_PRAGMAS, BY_REFERENCES, WAYS };
static const char *const ways[] = {
    "an initializer of many variables", "a string in many pragmas", "a long name of many references"};

static uint32_t put_variable(struct brig_builder *b, const void *name, size_t length, uint32_t dim, uint32_t init)
{
    uint32_t at, text = brig_put_bytes(b, name, length);
    hsa_brig_directive_variable_t *v =
        BRIG_PUT(b, HSA_BRIG_KIND_DIRECTIVE_VARIABLE, hsa_brig_directive_variable_t, &at);
    v->name = text;
    v->type = HSA_BRIG_TYPE_U8 | HSA_BRIG_TYPE_CLASS_ARRAY;
    v->dim.lo = dim;
    v->init = init;
    v->segment = HSA_BRIG_SEGMENT_GLOBAL;
    v->align = HSA_BRIG_ALIGNMENT_1;
    v->modifier = HSA_BRIG_VARIABLE_MODIFIER_DEFINITION;
    v->linkage = HSA_BRIG_LINKAGE_MODULE;
    v->allocation = HSA_BRIG_ALLOCATION_PROGRAM;
    return at;
}

static void put_pragma(struct brig_builder *b, uint32_t operand)
{
    uint32_t at, list = brig_put_list(b, &operand, 1);
    BRIG_PUT(b, HSA_BRIG_KIND_DIRECTIVE_PRAGMA, hsa_brig_directive_pragma_t, &at)->operands = list;
}

static void put_uses(struct brig_builder *b, enum way way, unsigned count)
{
    static uint8_t bytes[SHARED] = "&";
    char name[16];
    memset(bytes + 1, 'a', sizeof bytes - 1);
    uint32_t constant =
        way == BY_VARIABLES ? brig_put_constant(b, HSA_BRIG_TYPE_U8 | HSA_BRIG_TYPE_CLASS_ARRAY, bytes, sizeof bytes)
        : way == BY_PRAGMAS ? brig_put_string(b, bytes, sizeof bytes)
                            : 0;
    uint32_t variable = way == BY_REFERENCES ? put_variable(b, bytes, sizeof bytes, 1, 0) : 0;
    for (unsigned i = 0; i < count; i++)
        if (way == BY_VARIABLES)
            put_variable(b, name, (size_t)snprintf(name, sizeof name, "&v%u", i), SHARED, constant);
        else
            put_pragma(b, way == BY_PRAGMAS ? constant : brig_put_code_ref(b, variable));
}

/* The id of the only finding in a module with COUNT uses, "" when there is none. */
static const char *finding(enum way way, unsigned count, uint64_t *size)
{
    struct brig_builder b;
    struct diag_list list = {0};
    struct brig_view view;
    uint8_t *module;
    size_t bytes;
    brig_builder_init(&b, 2);
    uint32_t name = brig_put_bytes(&b, "&m", 2);
    hsa_brig_directive_module_t *header =
        BRIG_PUT(&b, HSA_BRIG_KIND_DIRECTIVE_MODULE, hsa_brig_directive_module_t, NULL);
    header->name = name;
    header->hsail_major = 1;
    header->hsail_minor = 2;
    header->profile = HSA_BRIG_PROFILE_FULL;
    header->machine_model = HSA_BRIG_MACHINE_MODEL_LARGE;
    header->default_float_round = HSA_BRIG_ROUND_FLOAT_DEFAULT;
    put_uses(&b, way, count);
    brig_finish(&b, &module, &bytes);
    brig_builder_free(&b);
    enum brig_status status = brig_open(module, bytes, &list, &view);
    const char *id = list.items.count == 1 ? list.items.items[0].rule->id : list.items.count ? "many" : "";
    if ((status == BRIG_OK) != !*id)
        id = "status";
    diag_list_free(&list);
    mem_free(module);
    *size = bytes;
    return id;
}

int main(void)
{
    for (enum way way = 0; way < WAYS; way++) {
        /* Finds the most uses that are accepted: each counts SHARED bytes, and makes the module a little larger. */
        unsigned low = 1, high = 2000;
        uint64_t size, most;
        ok(!*finding(way, low, &size), "%s: one use is fine", ways[way]);
        ok(!strcmp(finding(way, high, &size), "brig-expansion"), "%s: too many are refused", ways[way]);
        while (high - low > 1) {
            unsigned middle = (low + high) / 2;
            *(*finding(way, middle, &size) ? &high : &low) = middle;
        }
        finding(way, low, &size);
        most = LIMIT_EXPANSION_FREE + LIMIT_EXPANSION_FACTOR * size;
        uint64_t taken = (uint64_t)low * SHARED;
        ok(taken <= most + SHARED && taken + 4 * SHARED >= most,
           "%s: the limit is what its header says (%u uses, %llu of %llu bytes)", ways[way], low,
           (unsigned long long)taken, (unsigned long long)most);
    }
    return tap_done();
}
