/* SPDX-License-Identifier: MIT */
/* Checks the order and scopes of hsa_code: executables and their formal arguments, code blocks, arg blocks, symbols
 * and their names (PRM 18.5.1, 4.6, 4.12).
 * Input: entries whose fields are right. Output: findings. Invariant: code blocks neither overlap nor leave their
 * section, so every instruction is looked at once, in its scope. */
#include "brig/structure.h"
#include "support/strpool.h"

#define CODE HSA_BRIG_SECTION_INDEX_CODE
#define FAIL(rule, ...) STRUCTURE_FAIL(check, rule, CODE, at __VA_OPT__(, ) __VA_ARGS__)

enum structure_position { AT_MODULE_LEVEL, IN_CODE_BLOCK, IN_ARG_BLOCK, AS_FORMAL };
static const char *const place_names[] = {
    "at module level", "in a code block", "in an arg block", "as formal argument"};

#define EXECUTABLE(at) ((const hsa_brig_directive_executable_t *)(const void *)brig_code(check->view, at))
#define VARIABLE(at) ((const hsa_brig_directive_variable_t *)(const void *)brig_code(check->view, at))
#define FBARRIER(at) ((const hsa_brig_directive_fbarrier_t *)(const void *)brig_code(check->view, at))

/* ---- Names ----------------------------------------------------------------------------------------- */

static bool is_name(struct bytes name, const char *sigils)
{
    static const uint8_t classes[256] = {
        /* 1: may begin a name, 2: may go on */
        ['a' ... 'z'] = 3, ['A' ... 'Z'] = 3, ['_'] = 3, ['0' ... '9'] = 2, ['.'] = 2,
    };
    if (name.size < 2 || !name.data[0] || !strchr(sigils, name.data[0]) || !(classes[name.data[1]] & 1))
        return false;
    for (size_t i = 2; i < name.size; i++)
        if (!(classes[name.data[i]] & 2))
            return false;
    return true;
}

static void check_name(struct structure *check, uint32_t at, uint32_t offset, const char *sigils)
{
    struct bytes name = brig_string(check->view, offset);
    if (!is_name(name, sigils))
        FAIL(BRIG_NAME, name, brig_kind_name(brig_code(check->view, at)->kind), sigils);
}

/* ---- Variables, fbarriers and labels --------------------------------------------------------------- */

static void check_linkage(struct structure *check, uint32_t at, uint8_t linkage, enum structure_position place)
{
#define LINKAGE(name) (1u << HSA_BRIG_LINKAGE_##name)
    static const uint8_t possible[] = {
        [AT_MODULE_LEVEL] = LINKAGE(PROGRAM) | LINKAGE(MODULE),
        [IN_CODE_BLOCK] = LINKAGE(FUNCTION),
        [IN_ARG_BLOCK] = LINKAGE(ARG),
        [AS_FORMAL] = LINKAGE(FUNCTION) | LINKAGE(NONE),
    };
    if (!(possible[place] >> linkage & 1))
        FAIL(BRIG_LINKAGE, brig_value_word(LANG_SET_LINKAGE, linkage), place_names[place]);
}

static void check_segment(struct structure *check, uint32_t at, uint8_t segment, enum structure_position place)
{
    enum { MODULE = 1, BLOCK = 2, ARG = 4 };
    static const uint8_t places[] = {
        [HSA_BRIG_SEGMENT_NONE] = 0,
        [HSA_BRIG_SEGMENT_FLAT] = 0,
        [HSA_BRIG_SEGMENT_GLOBAL] = MODULE | BLOCK,
        [HSA_BRIG_SEGMENT_READONLY] = MODULE | BLOCK,
        [HSA_BRIG_SEGMENT_KERNARG] = 0,
        [HSA_BRIG_SEGMENT_GROUP] = MODULE | BLOCK,
        [HSA_BRIG_SEGMENT_PRIVATE] = MODULE | BLOCK,
        [HSA_BRIG_SEGMENT_SPILL] = BLOCK,
        [HSA_BRIG_SEGMENT_ARG] = ARG,
    };
    uint8_t need = place == AT_MODULE_LEVEL ? MODULE : place == IN_CODE_BLOCK ? BLOCK : ARG;
    if (place != AS_FORMAL && (segment >= sizeof places || !(places[segment] & need)))
        FAIL(BRIG_SEGMENT, brig_value_word(LANG_SET_SEGMENT, segment), place_names[place]);
}

static void check_allocation(struct structure *check, uint32_t at, const hsa_brig_directive_variable_t *variable)
{
    uint8_t allocation = variable->allocation;
    bool possible =
        variable->segment == HSA_BRIG_SEGMENT_GLOBAL
            ? allocation == HSA_BRIG_ALLOCATION_PROGRAM || allocation == HSA_BRIG_ALLOCATION_AGENT
        : variable->segment == HSA_BRIG_SEGMENT_READONLY
            ? allocation == HSA_BRIG_ALLOCATION_AGENT
            : allocation == HSA_BRIG_ALLOCATION_AUTOMATIC;
    if (!possible)
        FAIL(BRIG_ALLOCATION, brig_value_word(LANG_SET_ALLOCATION, allocation),
             brig_value_word(LANG_SET_SEGMENT, variable->segment));
}

/* Checks the initializer of a variable of COUNT elements. */
static void check_init(struct structure *check, uint32_t at, uint64_t count, bool possible)
{
    const hsa_brig_directive_variable_t *variable = VARIABLE(at);
    uint64_t size;
    if (!possible) {
        FAIL(BRIG_INIT);
        return;
    }
    if (__builtin_mul_overflow(count, (uint64_t)lang_type_size(variable->type), &size))
        size = UINT64_MAX;
    if (!structure_take_operand(check, variable->init))
        return;
    uint64_t given = structure_constant_size(check, variable->init);
    if (given != size && !check->expansion_reported)
        FAIL(BRIG_INIT_SIZE, given, size);
}

/* FLEXIBLE: the last input argument of a function or signature, an array whose size the caller decides. */
static void check_variable(struct structure *check, uint32_t at, enum structure_position place, bool flexible)
{
    const hsa_brig_directive_variable_t *variable = VARIABLE(at);
    bool array = lang_type_is_array(variable->type);
    bool defined = variable->modifier & HSA_BRIG_VARIABLE_MODIFIER_DEFINITION;
    bool placed = variable->segment == HSA_BRIG_SEGMENT_GLOBAL || variable->segment == HSA_BRIG_SEGMENT_READONLY;
    uint64_t dim = brig_u64(variable->dim);
    check_linkage(check, at, variable->linkage, place);
    if (place != AT_MODULE_LEVEL && !defined)
        FAIL(BRIG_DEFINITION);
    if (variable->align == HSA_BRIG_ALIGNMENT_NONE)
        FAIL(BRIG_VARIABLE_ALIGN);
    check->part.kind = BRIG_PART_ALLOC;
    check_allocation(check, at, variable);
    check->part.kind = BRIG_PART_TYPE;
    check_segment(check, at, variable->segment, place);
    if (variable->type == HSA_BRIG_TYPE_B1 || variable->type == HSA_BRIG_TYPE_NONE)
        FAIL(BRIG_VARIABLE_TYPE, variable->type == HSA_BRIG_TYPE_B1 ? "b1" : "none");
    check->part.kind = BRIG_PART_DIMENSION;
    if (array ? dim == 0 && defined && !flexible : dim != 0)
        FAIL(BRIG_DIM, dim);
    check->part.kind = BRIG_PART_INITIALIZER;
    if (variable->init)
        check_init(check, at, array ? dim : 1, defined && placed);
    check->part.kind = BRIG_PART_WHOLE;
}

static void check_fbarrier(struct structure *check, uint32_t at, enum structure_position place)
{
    const hsa_brig_directive_fbarrier_t *fbarrier = FBARRIER(at);
    check_name(check, at, fbarrier->name, place == AT_MODULE_LEVEL ? "&" : "%");
    check_linkage(check, at, fbarrier->linkage, place);
    if (fbarrier->modifier & HSA_BRIG_VARIABLE_MODIFIER_CONST)
        FAIL(BRIG_FLAGS, "hsa_brig_directive_fbarrier", "modifier", HSA_BRIG_VARIABLE_MODIFIER_CONST);
    if (place != AT_MODULE_LEVEL && !(fbarrier->modifier & HSA_BRIG_VARIABLE_MODIFIER_DEFINITION))
        FAIL(BRIG_DEFINITION);
}

/* ---- Executables ----------------------------------------------------------------------------------- */

/* Checks one formal argument of the executable at OWNER. */
static void check_formal(struct structure *check, uint32_t owner, uint32_t at, bool last_input)
{
    const hsa_brig_directive_executable_t *executable = EXECUTABLE(owner);
    const hsa_brig_directive_variable_t *formal = VARIABLE(at);
    bool kernel = executable->base.kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL;
    bool signature = executable->base.kind == HSA_BRIG_KIND_DIRECTIVE_SIGNATURE;
    bool defined = !signature && (executable->modifier & HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION);
    uint8_t linkage = defined ? HSA_BRIG_LINKAGE_FUNCTION : HSA_BRIG_LINKAGE_NONE;
    check->part.kind = BRIG_PART_TYPE;
    if (formal->segment != (kernel ? HSA_BRIG_SEGMENT_KERNARG : HSA_BRIG_SEGMENT_ARG))
        FAIL(BRIG_FORMAL_SEGMENT, brig_kind_name(executable->base.kind),
             brig_value_word(LANG_SET_SEGMENT, formal->segment));
    check->part.kind = BRIG_PART_WHOLE;
    if (!signature || brig_string(check->view, formal->name).size)
        check_name(check, at, formal->name, "%");
    check_variable(check, at, AS_FORMAL, last_input && !kernel);
    if (formal->linkage != linkage)
        STRUCTURE_WARN(check, BRIG_FORMAL_LINKAGE, CODE, at, brig_value_word(LANG_SET_LINKAGE, formal->linkage),
                       brig_value_word(LANG_SET_LINKAGE, linkage));
}

/* Checks the formal arguments in [BEGIN, END): variables with annotations between them. */
static void check_formals(struct structure *check, uint32_t owner, uint32_t begin, uint32_t end, uint32_t count,
                          bool input)
{
    uint32_t found = 0;
    for (uint32_t at = begin; at < end; at = brig_next_code(check->view, at)) {
        const hsa_brig_base_t *entry = brig_code(check->view, at);
        found += entry->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE;
        if (entry->kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE)
            check_formal(check, owner, at, input && found == count);
        else if (!brig_is_annotation(entry))
            FAIL(BRIG_PLACEMENT, brig_kind_name(entry->kind), "among formal arguments");
    }
    if (found != count)
        STRUCTURE_FAIL(check, BRIG_ARG_COUNT, CODE, owner, found, input ? "in_arg_count" : "out_arg_count", count);
}

/* Whether the three offsets follow each other; each is known to be the start of an entry or the end of the section. */
static bool check_chain(struct structure *check, uint32_t at)
{
    const hsa_brig_directive_executable_t *executable = EXECUTABLE(at);
    bool body = (executable->modifier & HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION) &&
                executable->base.kind != HSA_BRIG_KIND_DIRECTIVE_SIGNATURE;
    if (executable->first_in_arg < brig_next_code(check->view, at)) {
        FAIL(BRIG_CHAIN, "first_in_arg", executable->first_in_arg);
    } else if (executable->first_code_block_entry < executable->first_in_arg ||
               (!executable->in_arg_count && executable->first_code_block_entry != executable->first_in_arg)) {
        FAIL(BRIG_CHAIN, "first_code_block_entry", executable->first_code_block_entry);
    } else if (executable->next_module_entry < executable->first_code_block_entry) {
        FAIL(BRIG_CHAIN, "next_module_entry", executable->next_module_entry);
    } else if (!body && executable->next_module_entry != executable->first_code_block_entry) {
        FAIL(BRIG_BODY);
    } else {
        return true;
    }
    return false;
}

static void check_executable(struct structure *check, uint32_t at)
{
    const hsa_brig_directive_executable_t *executable = EXECUTABLE(at);
    bool signature = executable->base.kind == HSA_BRIG_KIND_DIRECTIVE_SIGNATURE;
    bool linked = executable->linkage == HSA_BRIG_LINKAGE_PROGRAM || executable->linkage == HSA_BRIG_LINKAGE_MODULE;
    check_name(check, at, executable->name, "&");
    if (signature ? executable->linkage != HSA_BRIG_LINKAGE_NONE : !linked)
        FAIL(BRIG_LINKAGE, brig_value_word(LANG_SET_LINKAGE, executable->linkage),
             signature ? "for a signature" : place_names[AT_MODULE_LEVEL]);
    if (signature && !(executable->modifier & HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION))
        FAIL(BRIG_DEFINITION);
    if (executable->base.kind == HSA_BRIG_KIND_DIRECTIVE_KERNEL && executable->out_arg_count)
        FAIL(BRIG_KERNEL_OUT, executable->out_arg_count);
    check_formals(check, at, brig_next_code(check->view, at), executable->first_in_arg, executable->out_arg_count,
                  false);
    check_formals(check, at, executable->first_in_arg, executable->first_code_block_entry, executable->in_arg_count,
                  true);
}

/* ---- Module level ---------------------------------------------------------------------------------- */

struct module_symbol {
    uint32_t declaration; /* the first */
    uint32_t definition;
};

struct module_symbols {
    struct strpool names;
    VEC(struct module_symbol) items; /* by number of the name - 1 */
};

/* Notes a module-level symbol; false when memory is out. Marks a declaration that must not be referred to at once or,
 * if it comes before its definition, when the definition is met. */
static bool note_symbol(struct structure *check, struct module_symbols *symbols, uint32_t at, uint32_t name,
                        bool defined, bool *again)
{
    struct bytes text = brig_string(check->view, name);
    uint32_t id = strpool_intern(&symbols->names, text.data, text.size);
    if (!id)
        return false;
    if (id > symbols->items.count && !vec_push(&symbols->items, ((struct module_symbol){0})))
        return false;
    struct module_symbol *symbol = &symbols->items.items[id - 1];
    if (!defined && (symbol->declaration || symbol->definition)) {
        brig_set_bit(check->shadowed, at);
        *again = true;
    } else if (!defined) {
        symbol->declaration = at;
    } else if (!symbol->definition) {
        symbol->definition = at;
        if (symbol->declaration) {
            brig_set_bit(check->shadowed, symbol->declaration);
            *again = true;
        }
    }
    return true;
}

/* Checks the module directive; its version is left to the semantic check. */
static void check_header(struct structure *check, uint32_t at)
{
    const hsa_brig_directive_module_t *module = (const void *)brig_code(check->view, at);
    check_name(check, at, module->name, "&");
    if (module->default_float_round != HSA_BRIG_ROUND_FLOAT_DEFAULT &&
        module->default_float_round != HSA_BRIG_ROUND_FLOAT_NEAR_EVEN &&
        module->default_float_round != HSA_BRIG_ROUND_FLOAT_ZERO)
        FAIL(BRIG_ENUM, "hsa_brig_directive_module", "default_float_round", module->default_float_round);
}

/* Checks a directive at module level. */
static bool check_module_entry(struct structure *check, struct module_symbols *symbols, uint32_t at, bool *again)
{
    const hsa_brig_base_t *entry = brig_code(check->view, at);
    if (brig_is_executable(entry)) {
        const hsa_brig_directive_executable_t *executable = EXECUTABLE(at);
        return note_symbol(check, symbols, at, executable->name,
                           executable->modifier & HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION, again);
    }
    switch (entry->kind) {
    case HSA_BRIG_KIND_DIRECTIVE_MODULE: check_header(check, at); return true;
    case HSA_BRIG_KIND_DIRECTIVE_EXTENSION:
    case HSA_BRIG_KIND_DIRECTIVE_EXTENSION_VERSION: return true;
    case HSA_BRIG_KIND_DIRECTIVE_VARIABLE:
        check_name(check, at, VARIABLE(at)->name, "&");
        check_variable(check, at, AT_MODULE_LEVEL, false);
        return note_symbol(check, symbols, at, VARIABLE(at)->name,
                           VARIABLE(at)->modifier & HSA_BRIG_VARIABLE_MODIFIER_DEFINITION, again);
    case HSA_BRIG_KIND_DIRECTIVE_FBARRIER:
        check_fbarrier(check, at, AT_MODULE_LEVEL);
        return note_symbol(check, symbols, at, FBARRIER(at)->name,
                           FBARRIER(at)->modifier & HSA_BRIG_VARIABLE_MODIFIER_DEFINITION, again);
    default:
        if (!brig_is_annotation(entry))
            FAIL(BRIG_PLACEMENT, brig_kind_name(entry->kind), place_names[AT_MODULE_LEVEL]);
        return true;
    }
}

static struct bytes name_of(const struct brig_view *view, uint32_t at)
{
    /* Every directive that can be shadowed has its name at the same place. */
    return brig_string(view, ((const hsa_brig_directive_label_t *)(const void *)brig_code(view, at))->name);
}

static void check_not_shadowed(struct structure *check, uint32_t operand, uint32_t target, const char *layout,
                               const char *member)
{
    if (target && brig_bit(check->shadowed, target))
        STRUCTURE_FAIL(check, BRIG_SHADOWED, HSA_BRIG_SECTION_INDEX_OPERAND, operand, layout, member,
                       name_of(check->view, target));
}

/* Checks that no operand leads to a declaration that has a definition or follows another declaration (18.5.1.1). */
static void check_references(struct structure *check)
{
    const struct brig_section *section = &check->view->section[HSA_BRIG_SECTION_INDEX_OPERAND];
    for (uint32_t at = section->first; at < section->size;) {
        const hsa_brig_base_t *operand = brig_entry_(section, at);
        if (operand->kind == HSA_BRIG_KIND_OPERAND_CODE_REF) {
            const hsa_brig_operand_code_ref_t *ref = (const void *)operand;
            check_not_shadowed(check, at, ref->ref, "hsa_brig_operand_code_ref", "ref");
        } else if (operand->kind == HSA_BRIG_KIND_OPERAND_ADDRESS) {
            const hsa_brig_operand_address_t *address = (const void *)operand;
            check_not_shadowed(check, at, address->symbol, "hsa_brig_operand_address", "symbol");
        } else if (operand->kind == HSA_BRIG_KIND_OPERAND_CODE_LIST) {
            const hsa_brig_operand_code_list_t *elements = (const void *)operand;
            struct brig_list list = brig_list(check->view, elements->elements);
            if (!structure_take(check, (uint64_t)list.count * 4))
                return;
            for (uint32_t i = 0; i < list.count; i++)
                check_not_shadowed(check, at, list.items[i], "hsa_brig_operand_code_list", "elements");
        }
        at += operand->byte_count;
    }
}

/* ---- Code blocks ----------------------------------------------------------------------------------- */

static void check_arg_block(struct structure *check, uint32_t at, bool start, struct structure_scope *scope)
{
    if (start && scope->arg_block)
        FAIL(BRIG_ARG_BLOCK, "inside of another");
    else if (!start && !scope->arg_block)
        FAIL(BRIG_ARG_BLOCK, "ended, but none began");
    scope->arg_block = start ? at : 0;
}

static void check_block_entry(struct structure *check, uint32_t at, struct structure_scope *scope)
{
    const hsa_brig_base_t *entry = brig_code(check->view, at);
    enum structure_position place = scope->arg_block ? IN_ARG_BLOCK : IN_CODE_BLOCK;
    if (brig_is_inst(entry)) {
        structure_inst(check, at, scope);
        return;
    }
    switch (entry->kind) {
    case HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_START:
    case HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_END:
        check_arg_block(check, at, entry->kind == HSA_BRIG_KIND_DIRECTIVE_ARG_BLOCK_START, scope);
        break;
    case HSA_BRIG_KIND_DIRECTIVE_LABEL:
        check_name(check, at, ((const hsa_brig_directive_label_t *)(const void *)entry)->name, "@");
        break;
    case HSA_BRIG_KIND_DIRECTIVE_VARIABLE:
        check_name(check, at, VARIABLE(at)->name, "%");
        check_variable(check, at, place, false);
        break;
    case HSA_BRIG_KIND_DIRECTIVE_FBARRIER:
        if (place == IN_CODE_BLOCK) {
            check_fbarrier(check, at, place);
            break;
        }
        FAIL(BRIG_PLACEMENT, brig_kind_name(entry->kind), place_names[place]);
        break;
    case HSA_BRIG_KIND_DIRECTIVE_CONTROL:
        if (place == IN_ARG_BLOCK)
            FAIL(BRIG_PLACEMENT, brig_kind_name(entry->kind), place_names[place]);
        if (((const hsa_brig_directive_control_t *)(const void *)entry)->control == HSA_BRIG_CONTROL_DIRECTIVE_NONE)
            FAIL(BRIG_ENUM, "hsa_brig_directive_control", "control", HSA_BRIG_CONTROL_DIRECTIVE_NONE);
        structure_take_operands(check, ((const hsa_brig_directive_control_t *)(const void *)entry)->operands);
        break;
    default:
        if (!brig_is_annotation(entry))
            FAIL(BRIG_PLACEMENT, brig_kind_name(entry->kind), place_names[place]);
    }
}

static void check_block(struct structure *check, uint32_t executable)
{
    struct structure_scope scope = {
        .executable = executable,
        .first = brig_next_code(check->view, executable),
        .end = EXECUTABLE(executable)->next_module_entry,
    };
    uint32_t at = EXECUTABLE(executable)->first_code_block_entry;
    for (; at < scope.end; at = brig_next_code(check->view, at))
        check_block_entry(check, at, &scope);
    if (scope.arg_block)
        STRUCTURE_FAIL(check, BRIG_ARG_BLOCK, CODE, scope.arg_block, "not ended");
}

/* First the module level, whose symbols everything may refer to, then what refers to them. */
bool structure_code(struct structure *check)
{
    const struct brig_view *view = check->view;
    struct module_symbols symbols = {0};
    bool memory = true, again = false;
    for (uint32_t at = brig_first_code(view); at < brig_end_code(view) && memory;) {
        bool executable = brig_is_executable(brig_code(view, at));
        memory = check_module_entry(check, &symbols, at, &again);
        if (executable && !check_chain(check, at))
            break; /* where the module level goes on is anybody's guess */
        if (executable)
            check_executable(check, at);
        at = executable ? EXECUTABLE(at)->next_module_entry : brig_next_code(view, at);
    }
    strpool_free(&symbols.names);
    vec_free(&symbols.items);
    if (!memory || check->invalid)
        return memory;
    if (again)
        check_references(check);
    structure_prepare_inst();
    for (uint32_t at = brig_first_code(view); at < brig_end_code(view);) {
        bool executable = brig_is_executable(brig_code(view, at));
        if (executable)
            check_block(check, at);
        at = executable ? EXECUTABLE(at)->next_module_entry : brig_next_code(view, at);
    }
    return true;
}
