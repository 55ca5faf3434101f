/* SPDX-License-Identifier: MIT */
/* Finds types, words, opcodes and operations by code and by text; see language.h.
 * Input: the tables. Output: constant rows. Invariant: the indexes are built once, before the first search. */
#include "brig/language.h"

#include "support/hash.h"
#include "support/hash_table.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- Rows ------------------------------------------------------------------------------------------ */

struct value_row {
    uint32_t code;
    uint8_t set;
    enum { ROW_VALUE, ROW_FLAG, ROW_MARK } what;
    const char *text, *name;
};

static const struct value_row value_rows[] = {
#define VALUE(set, enumerator, code, text) {code, LANG_SET_##set, ROW_VALUE, text, #enumerator},
#define FLAG(set, enumerator, mask, text) {mask, LANG_SET_##set, ROW_FLAG, text, #enumerator},
#define MARK(set, enumerator, code) {code, LANG_SET_##set, ROW_MARK, "", #enumerator},
#include "brig/tables/value.def"
};
#define VALUE_ROWS (sizeof value_rows / sizeof *value_rows)

/* clang-format off */
static const struct lang_type types[] = {
#define TYPE_ROW(name, text, class_, element, count, bits, array) \
    [LANG_TYPE_##name] = {text, HSA_BRIG_TYPE_##name, HSA_BRIG_TYPE_##element, LANG_CLASS_##class_, count, bits, \
                         LANG_TYPE_##name, array},
#define TYPE(name, code, text, class_, element, count, bits) TYPE_ROW(name, text, class_, element, count, bits, 1)
#define TYPE_ALONE(name, code, text, class_, element, count, bits) \
    TYPE_ROW(name, text, class_, element, count, bits, 0)
#include "brig/tables/type.def"
};
/* clang-format on */

#define CLASS_MASK (HSA_BRIG_TYPE_CLASS_ARRAY - 1)

/* 1 + the row of a type code without its array bit. */
static const uint8_t type_row[CLASS_MASK + 1] = {
#define TYPE(name, code, text, class_, element, count, bits) [code] = LANG_TYPE_##name + 1,
#include "brig/tables/type.def"
};

static const struct lang_dim_info dims[] = {
#define DIM(name, text, spelling, set, mask) [LANG_DIM_##name] = {text, LANG_SPELLING_##spelling, LANG_SET_##set, mask},
#include "brig/tables/slot.def"
};

/* ---- Indexes --------------------------------------------------------------------------------------- */

#define WORD_SLOTS 1024u
#define MOST_WORDS (WORD_SLOTS / 2)
#define OP_SLOTS 512u

/* The tables have more slots than they ever need, so they never grow: they allocate nothing and adding cannot fail. */
static struct lang_word words[MOST_WORDS];
static uint32_t word_count;
static struct hash_slot word_slots[WORD_SLOTS], op_slots[OP_SLOTS];
static struct hash_table word_index = {word_slots, WORD_SLOTS, 0}; /* indices of `words` plus 1 */
static struct hash_table op_index = {op_slots, OP_SLOTS, 0};       /* enum lang_op_index plus 1 */
static uint16_t set_first[LANG_SET_COUNT], set_rows[LANG_SET_COUNT];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool built;

static uint32_t word_hash(const char *text, size_t length)
{
    return (uint32_t)hash_bytes(UINT64_C(0x243f6a8885a308d3), text, length);
}

static struct lang_word *find_word(const char *text, size_t length, uint32_t hash)
{
    for (uint32_t at = hash, number; (number = hash_table_next(&word_index, hash, &at));)
        if (words[number - 1].length == length && memcmp(words[number - 1].text, text, length) == 0)
            return &words[number - 1];
    return NULL;
}

static struct lang_word *add_word(const char *text, size_t length)
{
    uint32_t hash = word_hash(text, length);
    struct lang_word *known = find_word(text, length, hash);
    if (known)
        return known;
    words[word_count] = (struct lang_word){.text = text, .length = (uint8_t)length};
    hash_table_add(&word_index, hash, ++word_count);
    return &words[word_count - 1];
}

static void add_meaning(const char *text, enum lang_set set, uint32_t code)
{
    if (!*text)
        return;
    struct lang_word *word = add_word(text, strlen(text));
    if (word->count < sizeof word->meaning / sizeof *word->meaning) {
        word->meaning[word->count].set = (uint8_t)set;
        word->meaning[word->count++].code = (uint16_t)code;
    }
    for (const char *cut = strchr(text, '_'); cut; cut = strchr(cut + 1, '_'))
        add_word(text, (size_t)(cut - text))->longer = true;
}

static void add_modifier_words(void)
{
    static const char *const vectors[] = {"v2", "v3", "v4"};
    for (uint32_t i = 0; i < 3; i++)
        add_meaning(vectors[i], LANG_SET_VECTOR, i + 2);
    for (uint32_t dim = 0; dim < LANG_DIM_COUNT; dim++)
        if (dims[dim].spelling == LANG_SPELLING_ARGUMENT || dims[dim].spelling == LANG_SPELLING_NUMBER)
            add_meaning(dims[dim].text, LANG_SET_MODIFIER, dim);
}

static void build_language(void)
{
    for (size_t i = VALUE_ROWS; i-- > 0;) {
        set_first[value_rows[i].set] = (uint16_t)i;
        set_rows[value_rows[i].set]++;
    }
    for (size_t i = 0; i < VALUE_ROWS; i++)
        if (value_rows[i].what != ROW_MARK)
            add_meaning(value_rows[i].text, value_rows[i].set, value_rows[i].code);
    for (size_t i = 0; i < LANG_TYPE_COUNT; i++)
        add_meaning(types[i].text, LANG_SET_TYPE, types[i].code);
    add_modifier_words();
    for (unsigned index = 0; index < LANG_OP_COUNT; index++) {
        const struct lang_op *op = lang_op_at(index);
        hash_table_add(&op_index, word_hash(op->text, op->length), index + 1);
    }
    atomic_store_explicit(&built, true, memory_order_release);
}

/* The flag spares a call: this runs for every word of a text. */
static void language_init(void)
{
    if (__builtin_expect(!atomic_load_explicit(&built, memory_order_acquire), 0))
        pthread_once(&once, build_language);
}

/* ---- Lookups --------------------------------------------------------------------------------------- */

static const struct value_row *value_row(enum lang_set set, uint32_t code)
{
    language_init();
    const struct value_row *rows = &value_rows[set_first[set]];
    /* Values ascend from their first without a hole, so the first look hits; flags need the walk. */
    uint32_t guess = code - rows->code;
    if (guess < set_rows[set] && rows[guess].code == code && rows[guess].what == ROW_VALUE)
        return &rows[guess];
    for (unsigned i = 0; i < set_rows[set]; i++)
        if (rows[i].what != ROW_MARK && rows[i].code == code)
            return &rows[i];
    return NULL;
}

const char *lang_value_text(enum lang_set set, uint32_t code)
{
    if (set == LANG_SET_TYPE) {
        const struct lang_type *type = lang_type(code);
        return type ? type->text : NULL;
    }
    const struct value_row *row = value_row(set, code);
    return row ? row->text : NULL;
}

const char *lang_value_name(enum lang_set set, uint32_t code)
{
    const struct value_row *row = value_row(set, code);
    return row ? row->name : NULL;
}

uint32_t lang_flags(enum lang_set set)
{
    uint32_t mask = 0;
    language_init();
    for (unsigned i = 0; i < set_rows[set]; i++)
        if (value_rows[set_first[set] + i].what == ROW_FLAG)
            mask |= value_rows[set_first[set] + i].code;
    return mask;
}

const char *const lang_placeholder_names[LANG_PLACEHOLDERS] = {
#define PLACEHOLDER(name) name,
#include "brig/tables/pragma.def"
};

int lang_placeholder(const void *name, size_t length)
{
    for (int i = 0; i < LANG_PLACEHOLDERS; i++)
        if (strlen(lang_placeholder_names[i]) == length && memcmp(lang_placeholder_names[i], name, length) == 0)
            return i;
    return -1;
}

const struct lang_word *lang_word(const char *text, size_t length)
{
    language_init();
    return find_word(text, length, word_hash(text, length));
}

const struct lang_type *lang_type(uint32_t code)
{
    uint32_t alone = code & CLASS_MASK;
    if (code > (CLASS_MASK | HSA_BRIG_TYPE_CLASS_ARRAY) || !type_row[alone])
        return NULL;
    const struct lang_type *type = &types[type_row[alone] - 1];
    return lang_type_is_array(code) && !type->array ? NULL : type;
}

const struct lang_type *lang_type_at(unsigned index)
{
    return &types[index];
}

uint32_t lang_type_size(uint32_t code)
{
    const struct lang_type *type = lang_type(code);
    return type ? (type->bits + 7u) / 8 : 0;
}

const struct lang_dim_info *lang_dim(enum lang_dim dim)
{
    return &dims[dim];
}

const struct lang_op *lang_op_at(unsigned index)
{
    enum { /* KIND_MOD, SHORT_MOD, ...: for each FORM of slot.def */
#define FORM(name, kind, short_kind) KIND_##name = HSA_BRIG_KIND_##kind, SHORT_##name = HSA_BRIG_KIND_##short_kind,
#include "brig/tables/slot.def"
    };
#define OP_ROW(name, code, text, form, operands, section, extension) \
    [LANG_OP_##name] = {text, operands, section, extension, LANG_OP_##name, code, KIND_##form, SHORT_##form, \
                       LANG_FORM_##form, sizeof text - 1, sizeof operands - 1},
    static const struct lang_op ops[] = {
#define OP(name, code, text, form, operands, rules, section) \
    OP_ROW(name, code, text, form, operands, section, NULL)
#define OP_VENDOR(vendor, name, code, text, form, operands, rules, extension) \
    OP_ROW(vendor##_##name, code, text, form, operands, "13.1.3", extension)
#include "brig/tables/opcode.def"
    };
    return &ops[index];
}

const struct lang_op *lang_op(uint32_t code)
{
    if (code >= HSA_BRIG_OPCODE_FIRST_USER_DEFINED)
        code = code - HSA_BRIG_OPCODE_FIRST_USER_DEFINED + LANG_OP_COUNT_OF_HSAIL;
    else if (code >= LANG_OP_COUNT_OF_HSAIL)
        return NULL;
    return code < LANG_OP_COUNT ? lang_op_at(code) : NULL;
}

bool lang_segment_is_narrow(uint32_t segment, bool large)
{
    switch (segment) {
    case HSA_BRIG_SEGMENT_GROUP:
    case HSA_BRIG_SEGMENT_PRIVATE:
    case HSA_BRIG_SEGMENT_SPILL:
    case HSA_BRIG_SEGMENT_ARG:
    case HSA_VEN_AMD_BRIG_SEGMENT_REGION: return true;
    default: return !large;
    }
}

const struct lang_op *lang_op_find(const char *text, size_t length)
{
    language_init();
    uint32_t hash = word_hash(text, length);
    for (uint32_t at = hash, number; (number = hash_table_next(&op_index, hash, &at));) {
        const struct lang_op *op = lang_op_at(number - 1);
        if (op->length == length && memcmp(op->text, text, length) == 0)
            return op;
    }
    return NULL;
}

const struct lang_operation *lang_operation(uint32_t code)
{
    static const struct lang_operation operations[] = {
#define OPERATION(name, sources, users) [HSA_BRIG_ATOMIC_OPERATION_##name] = {sources, users},
#include "brig/tables/slot.def"
    };
    return code < sizeof operations / sizeof *operations ? &operations[code] : NULL;
}

unsigned lang_operation_user(uint32_t opcode)
{
    switch (opcode) {
    case HSA_BRIG_OPCODE_ATOMIC: return USER_ATOMIC;
    case HSA_BRIG_OPCODE_ATOMICNORET: return USER_ATOMICNORET;
    case HSA_BRIG_OPCODE_SIGNAL: return USER_SIGNAL;
    case HSA_BRIG_OPCODE_SIGNALNORET: return USER_SIGNALNORET;
    default: return 0;
    }
}

unsigned lang_image_sizes(uint32_t geometry)
{
    enum { HEIGHT = LANG_IMAGE_HEIGHT, DEPTH = LANG_IMAGE_DEPTH, ARRAY = LANG_IMAGE_ARRAY };
    static const uint8_t sizes_of[] = {
#define GEOMETRY(name, sizes) [HSA_EXT_BRIG_IMAGE_GEOMETRY_##name] = sizes,
#include "brig/tables/image.def"
    };
    return geometry < sizeof sizes_of ? sizes_of[geometry] : 0;
}
