/* SPDX-License-Identifier: MIT */
/* Raw dump of a module; see dump.h.
 * Input: a view, its entries unchecked. Output: text. Invariant: every access goes through the checked accessors,
 * and no entry makes more text than a constant times its own size and a constant. */
#include "brig/dump.h"

#include "brig/item.h"
#include "support/textbuf.h"

#define SHOWN_ELEMENTS 16u
#define SHOWN_BYTES 64u
#define FLUSH_AT 65536u

struct dump {
    const struct brig_view *view;
    struct textbuf text;
    brig_write_fn *write;
    void *context;
    bool stopped;
};

static void dump_flush(struct dump *dump)
{
    if (dump->text.failed || dump->stopped || !dump->text.size)
        return;
    dump->stopped = !dump->write(dump->context, dump->text.data, dump->text.size);
    textbuf_clear(&dump->text);
}

static const struct brig_section *section_of(const struct dump *dump, unsigned index)
{
    return &dump->view->section[index];
}

/* An offset with the kind of what it leads to. */
static void dump_reference(struct dump *dump, unsigned section, uint32_t offset)
{
    textbuf_printf(&dump->text, "0x%x", offset);
    const hsa_brig_base_t *entry = brig_checked_entry(section_of(dump, section), offset, sizeof *entry);
    const struct brig_kind_info *kind = entry ? brig_kind(entry->kind) : NULL;
    if (offset && offset != section_of(dump, section)->size)
        textbuf_printf(&dump->text, " %s", kind ? kind->name : "?");
}

static void dump_list(struct dump *dump, unsigned section, uint32_t offset)
{
    textbuf_printf(&dump->text, "0x%x", offset);
    if (!offset)
        return;
    struct bytes list = brig_checked_bytes(dump->view, offset);
    if (!list.data) {
        textbuf_puts(&dump->text, " ?");
        return;
    }
    textbuf_puts(&dump->text, " [");
    for (size_t i = 0; i < list.size / 4 && i < SHOWN_ELEMENTS; i++) {
        textbuf_puts(&dump->text, i ? ", " : "");
        dump_reference(dump, section, load32(list.data + i * 4));
    }
    if (list.size / 4 > SHOWN_ELEMENTS)
        textbuf_printf(&dump->text, ", ... %zu in all", list.size / 4);
    textbuf_puts(&dump->text, "]");
}

static void dump_bytes(struct dump *dump, struct bytes bytes, size_t limit)
{
    for (size_t i = 0; i < bytes.size && i < limit; i++)
        textbuf_printf(&dump->text, " %02x", bytes.data[i]);
    if (bytes.size > limit)
        textbuf_puts(&dump->text, " ...");
}

static void dump_string(struct dump *dump, unsigned what, uint32_t offset)
{
    textbuf_printf(&dump->text, "0x%x", offset);
    if (!offset)
        return;
    struct bytes bytes = brig_checked_bytes(dump->view, offset);
    if (!bytes.data) {
        textbuf_puts(&dump->text, " ?");
    } else if (what == BRIG_TEXT_BYTES) {
        dump_bytes(dump, bytes, SHOWN_BYTES);
    } else {
        textbuf_puts(&dump->text, " \"");
        textbuf_quote(&dump->text, bytes, SHOWN_BYTES);
        textbuf_puts(&dump->text, "\"");
    }
}

static void dump_flags(struct dump *dump, unsigned set, uint64_t value)
{
    textbuf_printf(&dump->text, "0x%llx", (unsigned long long)value);
    for (uint32_t bit = 0; bit < 32; bit++) {
        const char *name = value >> bit & 1 ? lang_value_name(set, 1u << bit) : NULL;
        if (name)
            textbuf_printf(&dump->text, " %s", name);
    }
}

static void dump_type(struct dump *dump, uint32_t code)
{
    const struct lang_type *type = lang_type(code);
    textbuf_printf(&dump->text, "%u", code);
    if (type)
        textbuf_printf(&dump->text, " %s%s", *type->text ? type->text : "none", lang_type_is_array(code) ? "[]" : "");
}

static void dump_value(struct dump *dump, const hsa_brig_base_t *entry, const struct brig_field *field)
{
    uint64_t value = brig_field_value(entry, field);
    const char *name = NULL;
    switch ((enum brig_role)field->role) {
    case BRIG_ROLE_BASE:
    case BRIG_ROLE_KIND:
    case BRIG_ROLE_ZERO:
        dump_bytes(dump, (struct bytes){(const uint8_t *)entry + field->offset, field->width}, 8);
        return;
    case BRIG_ROLE_NUMBER: textbuf_printf(&dump->text, "%llu", (unsigned long long)value); return;
    case BRIG_ROLE_OPCODE:
        name = lang_op((uint32_t)value) ? lang_op((uint32_t)value)->text : "?";
        textbuf_printf(&dump->text, "%u %s", (unsigned)value, name);
        return;
    case BRIG_ROLE_TYPE: dump_type(dump, (uint32_t)value); return;
    case BRIG_ROLE_ENUM:
        name = lang_value_name(field->argument, (uint32_t)value);
        textbuf_printf(&dump->text, "%u %s", (unsigned)value, name ? name : "?");
        return;
    case BRIG_ROLE_FLAGS: dump_flags(dump, field->argument, value); return;
    case BRIG_ROLE_STRING: dump_string(dump, field->argument, (uint32_t)value); return;
    case BRIG_ROLE_OPERANDS: dump_list(dump, HSA_BRIG_SECTION_INDEX_OPERAND, (uint32_t)value); return;
    case BRIG_ROLE_CODES: dump_list(dump, HSA_BRIG_SECTION_INDEX_CODE, (uint32_t)value); return;
    case BRIG_ROLE_OPERAND: dump_reference(dump, HSA_BRIG_SECTION_INDEX_OPERAND, (uint32_t)value); return;
    case BRIG_ROLE_CODE: dump_reference(dump, HSA_BRIG_SECTION_INDEX_CODE, (uint32_t)value); return;
    }
}

/* The fields of a structure, those of the base of an instruction included; reserved ones only when not zero. */
static void dump_fields(struct dump *dump, const hsa_brig_base_t *entry, const struct brig_struct_info *layout)
{
    for (unsigned i = 0; i < layout->field_count; i++) {
        const struct brig_field *field = &layout->fields[i];
        const uint8_t *at = (const uint8_t *)entry + field->offset;
        bool zero = true;
        for (unsigned byte = 0; byte < field->width; byte++)
            zero &= !at[byte];
        if (field->role == BRIG_ROLE_BASE && field->width > sizeof(hsa_brig_base_t))
            dump_fields(dump, entry, brig_inst_base());
        if (field->role == BRIG_ROLE_BASE || (field->role == BRIG_ROLE_ZERO && zero))
            continue;
        textbuf_printf(&dump->text, "    %s: ", field->name);
        dump_value(dump, entry, field);
        textbuf_puts(&dump->text, "\n");
    }
}

/* One entry; the offset of the next, or the section's end when nothing more can be found. */
static uint32_t dump_entry(struct dump *dump, unsigned index, uint32_t at)
{
    const struct brig_section *section = section_of(dump, index);
    const hsa_brig_base_t *entry = brig_checked_entry(section, at, sizeof *entry);
    if (!entry) {
        textbuf_printf(&dump->text, "  0x%x: no entry\n", at);
        return section->size;
    }
    const struct brig_kind_info *kind = brig_kind(entry->kind);
    textbuf_printf(&dump->text, "  0x%x: %s, %u bytes\n", at, kind ? kind->name : "unknown kind", entry->byte_count);
    if (!kind)
        textbuf_printf(&dump->text, "    kind: 0x%x\n", entry->kind);
    else if (entry->byte_count < kind->layout->size)
        textbuf_printf(&dump->text, "    too short for %s\n", kind->layout->name);
    else
        dump_fields(dump, entry, kind->layout);
    uint32_t known = kind && entry->byte_count >= kind->layout->size ? kind->layout->size : sizeof *entry;
    if (entry->byte_count > known) {
        textbuf_puts(&dump->text, "    more:");
        dump_bytes(dump, (struct bytes){(const uint8_t *)entry + known, entry->byte_count - known}, SHOWN_BYTES);
        textbuf_puts(&dump->text, "\n");
    }
    return at + entry->byte_count;
}

static uint32_t dump_data(struct dump *dump, uint32_t at)
{
    struct bytes bytes = brig_checked_bytes(dump->view, at);
    if (!bytes.data) {
        textbuf_printf(&dump->text, "  0x%x: no entry\n", at);
        return section_of(dump, HSA_BRIG_SECTION_INDEX_DATA)->size;
    }
    textbuf_printf(&dump->text, "  0x%x: %zu bytes \"", at, bytes.size);
    textbuf_quote(&dump->text, bytes, bytes.size);
    textbuf_puts(&dump->text, "\"\n");
    uint64_t next = at + 4 + align_up(bytes.size, 4);
    uint32_t end = section_of(dump, HSA_BRIG_SECTION_INDEX_DATA)->size;
    return next < end ? (uint32_t)next : end;
}

enum brig_status brig_dump(const struct brig_view *view, brig_write_fn *write, void *context)
{
    static const unsigned order[] = {
        HSA_BRIG_SECTION_INDEX_CODE, HSA_BRIG_SECTION_INDEX_OPERAND, HSA_BRIG_SECTION_INDEX_DATA};
    struct dump dump = {.view = view, .write = write, .context = context};
    textbuf_printf(&dump.text, "BRIG %u:%u, %zu bytes, %u sections\n", HSA_BRIG_VERSION_BRIG_MAJOR, view->brig_minor,
                   view->module.size, view->section_count);
    for (unsigned i = 0; i < 3; i++) {
        const struct brig_section *section = section_of(&dump, order[i]);
        textbuf_printf(&dump.text, "%s, %u bytes\n", lang_value_text(LANG_SET_SECTION_INDEX, order[i]), section->size);
        for (uint32_t at = section->first; at < section->size && !dump.stopped && !dump.text.failed;) {
            at = order[i] == HSA_BRIG_SECTION_INDEX_DATA ? dump_data(&dump, at) : dump_entry(&dump, order[i], at);
            if (dump.text.size >= FLUSH_AT)
                dump_flush(&dump);
        }
    }
    dump_flush(&dump);
    enum brig_status status = dump.text.failed ? BRIG_OUT_OF_MEMORY : dump.stopped ? BRIG_INVALID : BRIG_OK;
    textbuf_free(&dump.text);
    return status;
}
