/* SPDX-License-Identifier: MIT */
/* Tests what brig_open_built() relies on: the modules that the assembler makes open like any other, with the same
 * findings, and their entries refer to as many bytes as the builder has counted, however they share them. */
#include "brig/item.h"
#include "brig/limit.h"
#include "frontend/asm.h"
#include "testsuite/modules.h"

#include <string.h>

/* The bytes of hsa_data that the fields of the entries of a section refer to. */
static uint64_t referred_by(const struct brig_view *view, unsigned index)
{
    const struct brig_section *section = &view->section[index];
    uint64_t sum = 0;
    for (uint32_t at = section->first; at < section->size; at += brig_entry_(section, at)->byte_count) {
        const hsa_brig_base_t *entry = brig_entry_(section, at);
        const struct brig_struct_info *layout = brig_kind(entry->kind)->layout;
        if (brig_is_inst(entry))
            layout = brig_inst_base(); /* no other field of an instruction refers to anything */
        for (unsigned i = 0; i < layout->field_count; i++) {
            const struct brig_field *field = &layout->fields[i];
            if (field->role == BRIG_ROLE_STRING || field->role == BRIG_ROLE_OPERANDS || field->role == BRIG_ROLE_CODES)
                sum += brig_bytes(view, (uint32_t)brig_field_value(entry, field)).size;
        }
    }
    return sum;
}

static void check(const char *name, const char *text, size_t size)
{
    struct asm_result result;
    struct brig_view view, built;
    struct diag_list whole = {0}, part = {0};
    uint64_t referred = 0;
    bool good = asm_text(text, size, NULL, &result) == BRIG_OK;
    good = good && brig_open(result.module, result.size, &whole, &view) == BRIG_OK &&
           brig_open_built(result.module, result.size, result.referred, &part, &built) == BRIG_OK &&
           whole.items.count == part.items.count && !memcmp(&view, &built, sizeof view);
    if (good)
        referred = referred_by(&view, HSA_BRIG_SECTION_INDEX_CODE) + referred_by(&view, HSA_BRIG_SECTION_INDEX_OPERAND);
    if (!ok(good && referred == result.referred, "%s is what it was built as", name))
        printf("# %llu bytes are referred to, %llu were counted\n", (unsigned long long)referred,
               (unsigned long long)result.referred);
    diag_list_free(&whole);
    diag_list_free(&part);
    asm_result_free(&result);
}

static void check_file(const char *path, const char *name, struct kept text)
{
    (void)path;
    check(name, text.data, text.size);
}

/* Many lines share a long file name, so that the module would be too large as text: text and BRIG are refused alike. */
static void test_expansion(void)
{
    enum { NAME = 1 << 20, LINES = 400 };
    struct kept text = {0};
    char *name = malloc(NAME);
    struct brig_view view;
    struct asm_result result = {0};
    if (!ok(name, "memory"))
        return;
    memset(name, 'x', NAME);
    static const char head[] = "module &m:1:0:$full:$large:$default;\nloc 1 1 \"";
    keep(&text, head, sizeof head - 1);
    keep(&text, name, NAME);
    keep(&text, "\";\n", 3);
    for (unsigned i = 0; i < LINES; i++)
        keep(&text, "loc 2;\n", 7);
    bool good = asm_text(text.data, text.size, NULL, &result) == BRIG_OK;
    ok(good && result.referred > LIMIT_EXPANSION_FREE + result.size * LIMIT_EXPANSION_FACTOR,
       "a shared name counts for each line");
    ok(good && brig_open_built(result.module, result.size, result.referred, NULL, &view) == BRIG_INVALID &&
           brig_open(result.module, result.size, NULL, &view) == BRIG_INVALID,
       "a module with too much shared text is refused, whether it was built or loaded");
    asm_result_free(&result);
    free(text.data);
    free(name);
}

int main(void)
{
    static const char labels[] = "module &m:1:0:$full:$large:$default;\nkernel &k()\n{\n\tbr @later;\n\tbr @later;\n"
                                 "@later:\n\tbr @later;\n};\n";
    static const char lines[] = "module &m:1:0:$full:$large:$default;\nloc 1;\nloc 2 2 \"file\";\nloc 3;\nloc 4;\n";
    check("a label", labels, sizeof labels - 1);
    check("a file", lines, sizeof lines - 1);
    for_each_module(check_file);
    test_expansion();
    return tap_done();
}
