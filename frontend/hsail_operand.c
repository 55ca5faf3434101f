/* SPDX-License-Identifier: MIT */
/* Operands of the builder of the public interface; see hsail/builder.h.
 * Input: operands as structures. Output: entries of hsa_operand. Invariant: what is more than a number is written as
 * text and read by the assembler, so that it is checked and stored as in a text. */
#include "brig/limit.h"
#include "frontend/hsail_code.h"

#include <string.h>

/* Whether a constant may say that it is of this type. */
static bool has_type(uint32_t type)
{
    const struct lang_type *row = type && !lang_type_is_array(type) ? lang_type(type) : NULL;
    return row && row->class_ != LANG_CLASS_BIT && lang_type_size(type);
}

hsail_operand_t hsail_constant(hsa_brig_type_t type, const void *bytes)
{
    hsail_operand_t operand = hsail_operand(HSAIL_OPERAND_CONSTANT);
    if (has_type(type) && bytes) {
        operand.type = (uint16_t)type;
        memcpy(operand.bytes, bytes, lang_type_size(type));
    } /* else it is refused where it is used */
    return operand;
}

struct span hsail_builder_text(hsail_builder_t *builder, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    char *copy = length < UINT32_MAX ? arena_strndup(&builder->memory, text ? text : "", length) : NULL;
    if (!copy) {
        asm_no_memory(&builder->as);
        length = 0;
    }
    const char *start = copy ? copy : "";
    builder->as.lexer = (struct lexer){start, start, start + length, start};
    return (struct span){0, (uint32_t)length};
}

/* ---- As text --------------------------------------------------------------------------------------- */

#define MOST_NESTED 3 /* an array of packed values in an aggregate */

static bool write_operand(struct textbuf *text, const hsail_operand_t *operand, unsigned depth);

/* Writes a name; refuses what is none, because the assembler could read it as more than a name. */
static bool write_name(struct textbuf *text, const char *name, const char *sigils)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.0123456789";
    if (!name || !*name || !strchr(sigils, *name) || !name[1] || name[1 + strspn(name + 1, letters)])
        return false;
    textbuf_puts(text, name);
    return true;
}

static void write_scalar(struct textbuf *text, uint16_t type, const uint8_t *bytes)
{
    uint32_t size = lang_type_size(type);
    uint64_t value = 0;
    memcpy(&value, bytes, size < sizeof value ? size : sizeof value);
    if (lang_type(type)->class_ == LANG_CLASS_FLOAT)
        textbuf_printf(text, "0%c%0*llx",
                       size == 2   ? 'h'
                       : size == 4 ? 'f'
                                   : 'd',
                       (int)size * 2, (unsigned long long)value);
    else if (lang_type(type)->class_ == LANG_CLASS_SIGNED)
        textbuf_printf(text, "%lld", (long long)((int64_t)(value << (64 - 8 * size)) >> (64 - 8 * size)));
    else
        textbuf_printf(text, "%llu", (unsigned long long)value);
}

/* Writes type(value), or the value alone when it is in a packed value, whose elements are of type ELEMENT. */
static bool write_constant(struct textbuf *text, const hsail_operand_t *operand, uint16_t element)
{
    const struct lang_type *row = lang_type(operand->type);
    if (!has_type(operand->type) || (element && operand->type != element))
        return false;
    uint32_t size = lang_type_size(row->element);
    textbuf_printf(text, "%s%s", element ? "" : row->text, element ? "" : "(");
    for (unsigned i = row->count; i-- > 0;) {
        write_scalar(text, row->element, operand->bytes + i * size);
        textbuf_puts(text, i ? "," : "");
    }
    textbuf_puts(text, element ? "" : ")");
    return true;
}

static bool write_elements(struct textbuf *text, const hsail_operand_t *operand, unsigned depth, uint16_t element)
{
    if (!operand->elements || !operand->number || !depth)
        return false;
    for (uint32_t i = 0; i < operand->number && !text->failed; i++) {
        const hsail_operand_t *item = &operand->elements[i];
        textbuf_puts(text, i ? ", " : "");
        if (element && item->kind == HSAIL_OPERAND_CONSTANT ? !write_constant(text, item, element)
                                                            : !write_operand(text, item, depth - 1))
            return false;
    }
    return true;
}

/* A packed value or an array of a type. */
static bool write_typed(struct textbuf *text, const hsail_operand_t *operand, unsigned depth)
{
    const struct lang_type *row = lang_type(operand->type);
    bool packed = operand->kind == HSAIL_OPERAND_PACKED;
    if (!has_type(operand->type) || (packed && row->count < 2))
        return false;
    textbuf_printf(text, "%s%s(", row->text, packed ? "" : "[]");
    bool good = write_elements(text, operand, depth, packed ? row->element : HSA_BRIG_TYPE_NONE);
    textbuf_puts(text, ")");
    return good;
}

static bool write_expression(struct textbuf *text, const hsail_operand_t *operand)
{
    const struct lang_type *row = lang_type(operand->type);
    bool address = operand->kind == HSAIL_OPERAND_ADDRESS_OF, good = true;
    uint64_t offset = (uint64_t)operand->integer;
    uint64_t code = address ? HSA_BRIG_EXPRESSION_OPERATION_ADDR : offset;
    const char *word = code <= UINT32_MAX ? lang_value_text(LANG_SET_EXPRESSION_OPERATION, (uint32_t)code) : NULL;
    if ((operand->type && !has_type(operand->type)) || !word || address != (code == HSA_BRIG_EXPRESSION_OPERATION_ADDR))
        return false;
    if (operand->type)
        textbuf_printf(text, "%s(", row->text);
    textbuf_puts(text, word);
    if (address) {
        textbuf_puts(text, "(");
        good = write_name(text, operand->name, "&");
        if (offset)
            textbuf_printf(text, "%c%llu", operand->integer < 0 ? '-' : '+',
                           (unsigned long long)(operand->integer < 0 ? -offset : offset));
        textbuf_puts(text, ")");
    }
    textbuf_puts(text, operand->type ? ")" : "");
    return good;
}

static bool write_string(struct textbuf *text, const hsail_operand_t *operand)
{
    if (!operand->name && operand->number)
        return false;
    textbuf_puts(text, "\"");
    for (uint32_t i = 0; i < operand->number && !text->failed; i++)
        textbuf_printf(text, "\\%03o", (unsigned)(unsigned char)operand->name[i]);
    textbuf_puts(text, "\"");
    return true;
}

static bool write_register(struct textbuf *text, const hsail_operand_t *operand)
{
    if (!operand->register_kind || !strchr("csdq", operand->register_kind))
        return false;
    textbuf_printf(text, "$%c%u", operand->register_kind, (unsigned)operand->number);
    return true;
}

static bool write_operand(struct textbuf *text, const hsail_operand_t *operand, unsigned depth)
{
    switch (operand->kind) {
    case HSAIL_OPERAND_REGISTER: return write_register(text, operand);
    case HSAIL_OPERAND_INTEGER: textbuf_printf(text, "%lld", (long long)operand->integer); return true;
    case HSAIL_OPERAND_CONSTANT: return write_constant(text, operand, HSA_BRIG_TYPE_NONE);
    case HSAIL_OPERAND_WAVESIZE: textbuf_puts(text, "WAVESIZE"); return true;
    case HSAIL_OPERAND_NAME: return write_name(text, operand->name, "&%@");
    case HSAIL_OPERAND_ADDRESS_OF:
    case HSAIL_OPERAND_NULLPTR: return write_expression(text, operand);
    case HSAIL_OPERAND_PACKED:
    case HSAIL_OPERAND_ARRAY: return write_typed(text, operand, depth);
    case HSAIL_OPERAND_AGGREGATE: {
        textbuf_puts(text, "{");
        bool good = write_elements(text, operand, depth, HSA_BRIG_TYPE_NONE);
        textbuf_puts(text, "}");
        return good;
    }
    case HSAIL_OPERAND_ALIGN:
    case HSAIL_OPERAND_ZERO:
        textbuf_printf(text, "%s(%llu)", operand->kind == HSAIL_OPERAND_ALIGN ? "align" : "zero",
                       (unsigned long long)operand->integer);
        return true;
    case HSAIL_OPERAND_IMAGE: return operand->properties && asm_write_image(text, operand->properties);
    case HSAIL_OPERAND_SAMPLER: return operand->properties && asm_write_sampler(text, operand->properties);
    case HSAIL_OPERAND_STRING: return write_string(text, operand);
    case HSAIL_OPERAND_ADDRESS:
    case HSAIL_OPERAND_NAMES:
    case HSAIL_OPERAND_VECTOR: break;
    }
    return false;
}

bool hsail_builder_write(struct textbuf *text, const hsail_operand_t *operand)
{
    return write_operand(text, operand, MOST_NESTED);
}

/* ---- As entries ------------------------------------------------------------------------------------ */

/* A virtual register keeps its number until the end of the code block. */
static uint32_t put_virtual(hsail_builder_t *builder, char kind, uint32_t number)
{
    static const char kinds[] = "CSDQ";
    uint32_t own = number - builder->first_register;
    if (number < builder->first_register || own >= builder->registers.count ||
        kinds[builder->registers.items[own]] != kind)
        return 0;
    hsa_brig_register_kind_t coded =
        (hsa_brig_register_kind_t)(CODE_VIRTUAL | own >> 16 << 2 | builder->registers.items[own]);
    return brig_put_register(&builder->as.out, coded, (uint16_t)own);
}

static uint32_t put_register(hsail_builder_t *builder, char kind, unsigned number)
{
    static const char kinds[] = "csdq"; /* in the order of hsa_brig_register_kind_t */
    struct assembler *as = &builder->as;
    if (kind && strchr("CSDQ", kind))
        return put_virtual(builder, kind, number);
    const char *found = kind ? strchr(kinds, kind) : NULL;
    if (!found)
        return 0;
    if (number >= LIMIT_REGISTER_NUMBER) {
        asm_error(as, DIAG_REGISTER_NUMBER, nothing);
        return 0;
    }
    return brig_put_register(&as->out, (hsa_brig_register_kind_t)(found - kinds), (uint16_t)number);
}

static uint32_t put_address(hsail_builder_t *builder, const hsail_operand_t *operand, unsigned segment)
{
    struct assembler *as = &builder->as;
    uint32_t reg = operand->register_kind ? put_register(builder, operand->register_kind, operand->number) : 0;
    uint64_t offset = (uint64_t)operand->integer;
    if (operand->register_kind && !reg)
        return 0;
    if (lang_segment_is_narrow(segment, as->large))
        offset = (uint32_t)offset;
    return asm_put_address(as, operand->name ? hsail_builder_text(builder, operand->name) : nothing, reg, offset);
}

static uint32_t put_names(hsail_builder_t *builder, const hsail_operand_t *operand, char letter)
{
    struct assembler *as = &builder->as;
    uint32_t offset = brig_put_code_list(&as->out, NULL, operand->number);
    uint32_t list =
        ((hsa_brig_operand_code_list_t *)brig_edit(&as->out, HSA_BRIG_SECTION_INDEX_OPERAND, offset))->elements;
    for (uint32_t i = 0; i < operand->number; i++) {
        const char *text = operand->names ? operand->names[i] : NULL;
        struct span name = hsail_builder_text(builder, text);
        struct symbol *symbol = !text ? NULL : *text == '@' ? asm_label_symbol(as, name) : asm_target(as, name, letter);
        if (!symbol)
            return 0;
        asm_patch_list(as, symbol, list, i);
    }
    return offset;
}

/* A constant that the assembler reads from text. */
static uint32_t put_parsed(hsail_builder_t *builder, const hsail_operand_t *operand, uint16_t type)
{
    struct textbuf text = {0};
    bool possible = hsail_builder_write(&text, operand);
    textbuf_puts(&text, ";");
    if (text.failed)
        asm_no_memory(&builder->as);
    else
        hsail_builder_text(builder, text.data);
    textbuf_free(&text);
    if (!possible || builder->as.out_of_memory)
        return 0;
    asm_next(&builder->as);
    return asm_immediate(&builder->as, type, ASM_OPERAND);
}

static uint32_t put_scalar_constant(hsail_builder_t *builder, const hsail_operand_t *operand, uint16_t type)
{
    struct assembler *as = &builder->as;
    switch (operand->kind) {
    case HSAIL_OPERAND_REGISTER: return put_register(builder, operand->register_kind, operand->number);
    case HSAIL_OPERAND_INTEGER: return asm_put_integer(as, type, operand->integer);
    case HSAIL_OPERAND_CONSTANT:
        return has_type(operand->type) ? asm_put_value(as, type, operand->type, operand->bytes) : 0;
    case HSAIL_OPERAND_WAVESIZE: return brig_put_wavesize(&as->out);
    case HSAIL_OPERAND_ADDRESS_OF:
    case HSAIL_OPERAND_NULLPTR:
    case HSAIL_OPERAND_PACKED: return put_parsed(builder, operand, type);
    default: return 0;
    }
}

static uint32_t put_vector(hsail_builder_t *builder, const hsail_operand_t *operand, uint16_t type)
{
    uint32_t items[4];
    if (operand->number > 4 || !operand->elements)
        return 0;
    for (unsigned i = 0; i < operand->number; i++)
        if (!(items[i] = put_scalar_constant(builder, &operand->elements[i], type)))
            return 0;
    return brig_put_operand_list(&builder->as.out, items, operand->number);
}

/* Whether a constant or register is meant. */
static bool is_source(hsail_operand_kind_t kind)
{
    return kind == HSAIL_OPERAND_REGISTER || kind == HSAIL_OPERAND_INTEGER || kind == HSAIL_OPERAND_CONSTANT ||
           kind == HSAIL_OPERAND_WAVESIZE || kind == HSAIL_OPERAND_ADDRESS_OF || kind == HSAIL_OPERAND_NULLPTR ||
           kind == HSAIL_OPERAND_PACKED;
}

static bool is_vector(const hsail_operand_t *operand, bool of_registers)
{
    bool good = operand->kind == HSAIL_OPERAND_VECTOR && operand->elements && operand->number <= 4;
    for (uint32_t i = 0; good && i < operand->number; i++)
        good =
            of_registers ? operand->elements[i].kind == HSAIL_OPERAND_REGISTER : is_source(operand->elements[i].kind);
    return good;
}

static bool is_label(const char *name)
{
    return name && *name == '@';
}

/* Whether an operand is a list of names that are all labels or, without OF_LABELS, of which none is a label. */
static bool is_list(const hsail_operand_t *operand, bool of_labels)
{
    bool good = operand->kind == HSAIL_OPERAND_NAMES;
    for (uint32_t i = 0; good && operand->names && i < operand->number; i++)
        good = is_label(operand->names[i]) == of_labels;
    return good;
}

/* Whether the kind of an operand suits its letter of opcode.def. */
static bool suits(const hsail_operand_t *operand, char letter)
{
    bool reg = operand->kind == HSAIL_OPERAND_REGISTER, name = operand->kind == HSAIL_OPERAND_NAME;
    switch (letter) {
    case 'd':
    case 'r': return reg;
    case 'n': return is_source(operand->kind) && !reg && operand->kind != HSAIL_OPERAND_WAVESIZE;
    case 'k': return is_source(operand->kind) && !reg;
    case 'v': return is_vector(operand, true);
    case 'w': return is_vector(operand, false);
    case 'D': return reg || is_vector(operand, true);
    case 'V': return is_source(operand->kind) || is_vector(operand, false);
    case 'a': return operand->kind == HSAIL_OPERAND_ADDRESS;
    case 'l': return name && is_label(operand->name);
    case 'L': return is_list(operand, true);
    case 'o':
    case 'i':
    case 'F': return is_list(operand, false);
    case 'f':
    case 'g':
    case 'B': return name && !is_label(operand->name);
    case 'b': return reg || (name && !is_label(operand->name));
    default: return is_source(operand->kind);
    }
}

uint32_t hsail_builder_operand(hsail_builder_t *builder, const hsail_operand_t *operand,
                               const struct asm_mnemonic *mnemonic, unsigned index)
{
    struct assembler *as = &builder->as;
    uint16_t type = mnemonic->type[index];
    bool vector = operand->kind == HSAIL_OPERAND_VECTOR;
    if (!suits(operand, mnemonic->letter[index]))
        return 0;
    if (index == mnemonic->vector_index && (vector ? operand->number : 0) != mnemonic->vector)
        return 0;
    switch (operand->kind) {
    case HSAIL_OPERAND_ADDRESS: return put_address(builder, operand, mnemonic->segment);
    case HSAIL_OPERAND_NAMES: return put_names(builder, operand, mnemonic->letter[index]);
    case HSAIL_OPERAND_VECTOR: return put_vector(builder, operand, type);
    case HSAIL_OPERAND_NAME: {
        if (!operand->name)
            return 0;
        struct span name = hsail_builder_text(builder, operand->name);
        return *operand->name == '@' ? asm_put_label_ref(as, name)
                                     : asm_put_target_ref(as, name, mnemonic->letter[index]);
    }
    default: return put_scalar_constant(builder, operand, type);
    }
}
