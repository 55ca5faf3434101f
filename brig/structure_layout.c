/* SPDX-License-Identifier: MIT */
/* Lays out the entries of the three sections, and runs all steps of the structural check (PRM 18.2, 18.4).
 * Input: a view whose sections lie inside the module. Output: where entries begin. Invariant: a start is marked
 * only when the whole entry lies inside its section. */
#include "brig/limit.h"
#include "brig/structure.h"
#include "support/alloc.h"

#define DATA HSA_BRIG_SECTION_INDEX_DATA
#define CODE HSA_BRIG_SECTION_INDEX_CODE

const char *brig_kind_name(uint32_t kind)
{
    static const char *const words[] = {
#define WORD(kind, word) [HSA_BRIG_KIND_##kind & 31] = word
        WORD(DIRECTIVE_ARG_BLOCK_END, "end of an arg block"),
        WORD(DIRECTIVE_ARG_BLOCK_START, "arg block"),
        WORD(DIRECTIVE_CONTROL, "control directive"),
        WORD(DIRECTIVE_EXTENSION, "extension"),
        WORD(DIRECTIVE_EXTENSION_VERSION, "extension"),
        WORD(DIRECTIVE_FBARRIER, "fbarrier"),
        WORD(DIRECTIVE_FUNCTION, "function"),
        WORD(DIRECTIVE_INDIRECT_FUNCTION, "indirect function"),
        WORD(DIRECTIVE_KERNEL, "kernel"),
        WORD(DIRECTIVE_LABEL, "label"),
        WORD(DIRECTIVE_MODULE, "module"),
        WORD(DIRECTIVE_SIGNATURE, "signature"),
        WORD(DIRECTIVE_VARIABLE, "variable"),
    };
    static const char *const operand_words[] = {
        WORD(OPERAND_ADDRESS, "address"),     WORD(OPERAND_CODE_LIST, "list of names"),
        WORD(OPERAND_CODE_REF, "name"),       WORD(OPERAND_CONSTANT_BYTES, "constant"),
        WORD(OPERAND_OPERAND_LIST, "vector"), WORD(OPERAND_REGISTER, "register"),
        WORD(OPERAND_WAVESIZE, "WAVESIZE"),
#undef WORD
    };
    const struct brig_kind_info *info = brig_kind(kind);
    bool directive = kind >= HSA_BRIG_KIND_DIRECTIVE_BEGIN && kind < HSA_BRIG_KIND_DIRECTIVE_END;
    bool operand = kind >= HSA_BRIG_KIND_OPERAND_BEGIN && kind < HSA_BRIG_KIND_OPERAND_END;
    const char *word = NULL;
    if (directive && (kind & 31) < sizeof words / sizeof *words)
        word = words[kind & 31];
    else if (operand && (kind & 31) < sizeof operand_words / sizeof *operand_words)
        word = operand_words[kind & 31];
    return word ? word : info ? info->name : "(unknown)";
}

const char *brig_value_word(enum lang_set set, uint32_t code)
{
    const char *text = lang_value_text(set, code);
    return text && *text ? text : lang_value_name(set, code);
}

bool structure_take_failed(struct structure *check)
{
    if (!check->expansion_reported) {
        uint64_t most = LIMIT_EXPANSION_FREE + check->view->module.size * LIMIT_EXPANSION_FACTOR;
        diag_report(check->diag, DIAG_RULE(BRIG_EXPANSION), diag_in_module(0), most);
    }
    check->expansion_reported = check->invalid = true;
    check->expansion = 0;
    return false;
}

static void layout_data(struct structure *check)
{
    const struct brig_section *section = &check->view->section[DATA];
    for (uint32_t at = section->first; at < section->size;) {
        uint32_t size = load32(section->data + at); /* sizes are multiples of 4, so 4 bytes are there */
        uint64_t next = at + 4 + align_up(size, 4);
        if (next > section->size) {
            STRUCTURE_FAIL(check, BRIG_ENTRY_END, DATA, at);
            return;
        }
        uint32_t used = size % 4; /* bytes of the last word; those above them are padding */
        if (used && load32(section->data + next - 4) >> used * 8)
            STRUCTURE_FAIL(check, BRIG_PADDING, DATA, at, next - 4 + used);
        brig_set_bit(check->starts[DATA], at);
        at = (uint32_t)next;
    }
}

/* The first word of an entry of a kind, when it is as long as its structure and no longer; 0 where the section holds no
 * such kind. */
static inline uint32_t plain_word(unsigned index, uint32_t kind)
{
    static const uint32_t words[3][4 * 32] = {
    /* by range of kinds and kind */
#define KIND(name, code, struct_, section) \
    [HSA_BRIG_SECTION_INDEX_##section][(code) >> 12 << 5 | ((code) & 31)] = (code) << 16 | sizeof(struct_##_t),
#include "brig/tables/item.def"
    };
    return words[index][(kind >> 12 & 3) << 5 | (kind & 31)];
}

/* Checks an entry that is longer than its structure, or wrong. False when the start of the next one is unknown. */
__attribute__((noinline)) static bool layout_odd_entry(struct structure *check, unsigned index, uint32_t at)
{
    const struct brig_section *section = &check->view->section[index];
    const hsa_brig_base_t *entry = brig_entry_(section, at);
    const struct brig_kind_info *info = brig_kind(entry->kind);
    if (!info || info->section != index) {
        STRUCTURE_FAIL(check, BRIG_ENTRY_KIND, index, at, entry->kind);
        info = NULL;
    }
    unsigned least = info ? info->layout->size : sizeof *entry;
    if (entry->byte_count % 4 || entry->byte_count < least) {
        STRUCTURE_FAIL(check, BRIG_ENTRY_SIZE, index, at, entry->byte_count, info ? info->layout->name : "an entry",
                       least);
        return false;
    }
    if (entry->byte_count > section->size - at) {
        STRUCTURE_FAIL(check, BRIG_ENTRY_END, index, at);
        return false;
    }
    return true;
}

static void layout_entries(struct structure *check, unsigned index)
{
    const struct brig_section section = check->view->section[index];
    uint64_t *starts = check->starts[index];
    for (uint32_t at = section.first; at < section.size;) {
        uint64_t *group = &starts[at / 256], bits = 0;
        uint32_t end = at < section.size / 256 * 256 ? (at | 255) + 1 : section.size;
        while (at < end) {
            uint32_t word = load32(section.data + at), size = word & 0xffff;
            bool plain = word && word == plain_word(index, word >> 16) && size <= section.size - at;
            if (!plain && !layout_odd_entry(check, index, at))
                return; /* where the next one begins is anybody's guess */
            bits |= UINT64_C(1) << (at / 4 % 64);
            at += size;
        }
        *group = bits;
    }
}

bool structure_layout(struct structure *check)
{
    for (unsigned i = 0; i < 3; i++) {
        size_t words = check->view->section[i].size / 256 + 1;
        check->starts[i] = mem_zalloc(words, sizeof(uint64_t));
        if (!check->starts[i])
            return false;
        if (i == DATA)
            layout_data(check);
        else
            layout_entries(check, i);
    }
    return true;
}

/* Annotations may stand anywhere, so they are looked at apart from what is around them (13.2, 13.4). */
static void check_annotation(struct structure *check, uint32_t at)
{
    const hsa_brig_base_t *entry = brig_code(check->view, at);
    if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_LOC) {
        const hsa_brig_directive_loc_t *loc = (const void *)entry;
        if (!loc->line || !loc->column)
            STRUCTURE_FAIL(check, BRIG_LOC, CODE, at, loc->line, loc->column);
    } else if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_PRAGMA) {
        const hsa_brig_directive_pragma_t *pragma = (const void *)entry;
        if (!brig_list(check->view, pragma->operands).count) /* HSAIL 1.0 did not ask for a name as first */
            STRUCTURE_FAIL(check, BRIG_PRAGMA, CODE, at);
        structure_take_operands(check, pragma->operands);
    }
}

static void check_module_directives(struct structure *check, struct brig_view *view)
{
    for (uint32_t at = brig_first_code(view); at < brig_end_code(view); at = brig_next_code(view, at)) {
        const hsa_brig_base_t *entry = brig_code(view, at);
        check_annotation(check, at);
        if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_MODULE) {
            if (view->header)
                STRUCTURE_FAIL(check, BRIG_SECOND_MODULE, CODE, at);
            else
                view->header = at;
        } else if (!view->header && !brig_is_annotation(entry)) {
            STRUCTURE_FAIL(check, BRIG_BEFORE_MODULE, CODE, at, brig_kind_name(entry->kind));
            return;
        }
    }
    if (!view->header)
        STRUCTURE_FAIL(check, BRIG_NO_MODULE, CODE, view->section[CODE].first);
}

static bool check_fields(struct structure *check)
{
    if (!structure_layout(check))
        return false;
    if (!check->invalid)
        structure_fields(check);
    return true;
}

/* Checks how entries whose fields are right relate to each other. */
static bool check_relations(struct structure *check, struct brig_view *view)
{
    check->shadowed = mem_zalloc(view->section[CODE].size / 256 + 1, sizeof(uint64_t));
    check->used = mem_zalloc(view->section[HSA_BRIG_SECTION_INDEX_OPERAND].size / 256 + 1, sizeof(uint64_t));
    if (!check->shadowed || !check->used)
        return false;
    view->operand_kinds = structure_operands(check);
    if (!check->invalid)
        check_module_directives(check, view);
    return check->invalid || (brig_mnemonics_init(&check->mnemonics) && structure_code(check));
}

static struct structure start_structure(const struct brig_view *view, struct diag_list *diag)
{
    return (struct structure){
        .view = view,
        .diag = diag,
        .expansion = LIMIT_EXPANSION_FREE + view->module.size * LIMIT_EXPANSION_FACTOR,
    };
}

static enum brig_status layout_verdict(struct structure *check, bool memory)
{
    for (unsigned i = 0; i < 3; i++)
        mem_free(check->starts[i]);
    mem_free(check->shadowed);
    mem_free(check->used);
    brig_mnemonics_free(&check->mnemonics);
    if (!memory)
        return BRIG_OUT_OF_MEMORY;
    return check->invalid ? BRIG_INVALID : BRIG_OK;
}

enum brig_status brig_check_structure(struct brig_view *view, struct diag_list *diag)
{
    struct structure check = start_structure(view, diag);
    bool memory = check_fields(&check);
    if (memory && !check.invalid)
        memory = check_relations(&check, view);
    return layout_verdict(&check, memory);
}

enum brig_status brig_check_built_structure(struct brig_view *view, uint64_t referred, struct diag_list *diag)
{
    struct structure check = start_structure(view, diag);
    bool memory = true;
    if (structure_take(&check, referred))
        memory = check_relations(&check, view);
    return layout_verdict(&check, memory);
}
