/* SPDX-License-Identifier: MIT */
/* Tests semantic rules that text cannot break, because the assembler refuses or converts what would break them (R9,
 * R29, R49, R51, R74). A module is assembled, one field of one entry is changed, and the validator has to find the
 * error. */
#include "brig/validate.h"
#include "frontend/asm.h"
#include "testsuite/tap.h"

#define BODY(text) "module &m:1:0:$full:$large:$default;\nkernel &k() {\n" text "\n};\n"

static const struct patch {
    const char *id; /* what must be reported; NULL: nothing */
    const char *name, *text;
    unsigned section;
    uint32_t kind;   /* the first entry of this kind is changed */
    unsigned offset; /* of the field in the entry; with DATA: offset in the bytes that the field refers to */
    unsigned width;
    uint64_t value;
    bool data;
} patches[] = {
#define CODE(kind, type, member) \
    HSA_BRIG_SECTION_INDEX_CODE, HSA_BRIG_KIND_##kind, offsetof(type##_t, member), sizeof(((type##_t *)0)->member)
#define OPERAND(kind, type, member) \
    HSA_BRIG_SECTION_INDEX_OPERAND, HSA_BRIG_KIND_OPERAND_##kind, offsetof(type##_t, member), \
        sizeof(((type##_t *)0)->member)
#define BYTES_TYPE OPERAND(CONSTANT_BYTES, hsa_brig_operand_constant_bytes, type)
    {"module-version", "a later version", BODY(""), CODE(DIRECTIVE_MODULE, hsa_brig_directive_module, hsail_minor), 3,
     0},
    {"module-version", "another version", BODY(""), CODE(DIRECTIVE_MODULE, hsa_brig_directive_module, hsail_major), 2,
     0},
    {"constant-type", "a float for an integer", "module &m:1:0:$full:$large:$default;\nglobal_u32 &x = 5;\n",
     BYTES_TYPE, HSA_BRIG_TYPE_F32, 0},
    {NULL, "an integer for bits", "module &m:1:0:$full:$large:$default;\nglobal_b32 &x = 5;\n", BYTES_TYPE,
     HSA_BRIG_TYPE_S32, 0},
    {"constant-type", "an integer array for a scalar", "module &m:1:0:$full:$large:$default;\nglobal_b32 &x = 5;\n",
     BYTES_TYPE, HSA_BRIG_TYPE_U32_ARRAY, 0},
    {"constant-type", "a float for an integer", BODY("add_u32 $s0, $s1, 5;"), BYTES_TYPE, HSA_BRIG_TYPE_F32, 0},
    {NULL, "the other sign", BODY("add_u32 $s0, $s1, 5;"), BYTES_TYPE, HSA_BRIG_TYPE_S32, 0},
    {"constant-type", "an integer for a float", BODY("add_f32 $s0, $s1, 5.0f;"), BYTES_TYPE, HSA_BRIG_TYPE_U32, 0},
    {"b1-value", "a bit of 2", BODY("mov_b1 $c0, 1;"), OPERAND(CONSTANT_BYTES, hsa_brig_operand_constant_bytes, bytes),
     2, 1},
    {"operand-range", "dimension 3", BODY("workitemid_u32 $s0, 1;"),
     OPERAND(CONSTANT_BYTES, hsa_brig_operand_constant_bytes, bytes), 3, 1},
    {"address-offset", "an offset of 33 bits", BODY("ld_group_u32 $s0, [$s1 + 4];"),
     OPERAND(ADDRESS, hsa_brig_operand_address, offset.hi), 1, 0},
    {NULL, "an offset of 33 bits where addresses are larger", BODY("ld_global_u32 $s0, [$d1 + 4];"),
     OPERAND(ADDRESS, hsa_brig_operand_address, offset.hi), 1, 0},
    {"control-operand", "a float in a control directive", BODY("maxflatworkgroupsize 4;"), BYTES_TYPE,
     HSA_BRIG_TYPE_F32, 0},
    {"control-operand", "a packed value in a control directive", BODY("maxflatworkgroupsize 4;"), BYTES_TYPE,
     HSA_BRIG_TYPE_U8X4, 0},
    {"control-operand", "an array in a control directive", BODY("maxflatworkgroupsize 4;"), BYTES_TYPE,
     HSA_BRIG_TYPE_U32_ARRAY, 0},
    {NULL, "a signed number in a control directive", BODY("maxflatworkgroupsize 4;"), BYTES_TYPE, HSA_BRIG_TYPE_S32, 0},
    {"control-value", "no work-items", BODY("maxflatworkgroupsize 4;"),
     OPERAND(CONSTANT_BYTES, hsa_brig_operand_constant_bytes, bytes), 0, 1},
    {"control-count", "another directive", BODY("maxflatworkgroupsize 4;"),
     CODE(DIRECTIVE_CONTROL, hsa_brig_directive_control, control), HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDWORKGROUPSIZE, 0},
    {"image-coordinates", "another geometry",
     "module &m:1:0:$full:$large:$default;\nextension \"IMAGE\";\nkernel &k() {\n"
     "stimage_v4_1d_f32_rwimg_u32 ($s1, $s2, $s3, $s4), $d1, $s5;\n};\n",
     CODE(INST_IMAGE, hsa_ext_brig_inst_image, geometry), HSA_EXT_BRIG_IMAGE_GEOMETRY_2D, 0},
    {"register-limit", "a register beyond the last", BODY("add_u32 $s0, $s0, $s0;"),
     OPERAND(REGISTER, hsa_brig_operand_register, reg_num), 2048, 0},
};

/* The place of the bytes that PATCH changes; NULL if the module has no such entry. */
static uint8_t *place_of(uint8_t *module, const struct brig_view *view, const struct patch *patch)
{
    const struct brig_section *section = &view->section[patch->section];
    for (uint32_t at = section->first; at < section->size;) {
        const hsa_brig_base_t *entry = brig_entry_(section, at);
        uint32_t data;
        at += entry->byte_count;
        if (entry->kind != patch->kind)
            continue;
        const uint8_t *field = (const uint8_t *)entry + patch->offset;
        memcpy(&data, field, sizeof data);
        if (patch->data)
            field = brig_bytes(view, data).data;
        return module + (field - view->module.data);
    }
    return NULL;
}

/* Whether ID is the only finding; NULL: whether there is no finding. */
static bool finds(const uint8_t *module, size_t size, const char *id)
{
    struct diag_list diag = {0};
    struct brig_view view;
    enum brig_status status = brig_open(module, size, &diag, &view);
    if (status == BRIG_OK)
        status = brig_validate(&view, &diag);
    bool found = id ? diag.items.count == 1 && strcmp(diag.items.items[0].rule->id, id) == 0 : !diag.items.count;
    found &= (status == BRIG_OK) == (diag.errors == 0);
    for (size_t i = 0; i < diag.items.count && !found; i++)
        printf("# %s\n", diag.items.items[i].rule->id);
    diag_list_free(&diag);
    return found;
}

int main(void)
{
    for (size_t i = 0; i < sizeof patches / sizeof *patches; i++) {
        const struct patch *patch = &patches[i];
        struct diag_list diag = {0};
        struct asm_result result = {0};
        struct brig_view view;
        bool good =
            asm_text(patch->text, strlen(patch->text), &diag, &result) == BRIG_OK &&
            finds(result.module, result.size, NULL) && brig_open(result.module, result.size, NULL, &view) == BRIG_OK;
        uint8_t *place = good ? place_of(result.module, &view, patch) : NULL;
        if (place)
            memcpy(place, &patch->value, patch->data ? 1 : patch->width);
        ok(place && finds(result.module, result.size, patch->id), "%s: %s", patch->id ? patch->id : "accepted",
           patch->name);
        diag_list_free(&diag);
        asm_result_free(&result);
    }
    return tap_done();
}
