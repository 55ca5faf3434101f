/* SPDX-License-Identifier: MIT */
/* Control directives (PRM 13.5).
 * Input: a control directive of the code block. Output: diagnostics. Invariant: controls[] holds the last value of
 * each directive of the code block. What relates kernels to the functions they call is the finalizer's. */
#include "brig/operand_type.h"
#include "brig/validate_p.h"

enum value_rule {
    VALUE_ANY,
    VALUE_EXCEPTIONS,
    VALUE_POSITIVE,
    VALUE_DIMENSIONS,
    VALUE_ALIGNMENT
};

struct control_row {
    uint8_t operands;
    bool wavesize;
    uint8_t rule; /* enum value_rule */
    bool repeats; /* a repetition must have the same value */
};

static const struct control_row rows[] = {
    [HSA_BRIG_CONTROL_DIRECTIVE_ENABLEBREAKEXCEPTIONS] = {1, false, VALUE_EXCEPTIONS, false},
    [HSA_BRIG_CONTROL_DIRECTIVE_ENABLEDETECTEXCEPTIONS] = {1, false, VALUE_EXCEPTIONS, false},
    [HSA_BRIG_CONTROL_DIRECTIVE_MAXDYNAMICGROUPSIZE] = {1, false, VALUE_ANY, true},
    [HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATGRIDSIZE] = {1, true, VALUE_POSITIVE, true},
    [HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATWORKGROUPSIZE] = {1, true, VALUE_POSITIVE, true},
    [HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDDIM] = {1, false, VALUE_DIMENSIONS, true},
    [HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDGRIDSIZE] = {3, true, VALUE_POSITIVE, true},
    [HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDWORKGROUPSIZE] = {3, true, VALUE_POSITIVE, true},
    [HSA_BRIG_CONTROL_DIRECTIVE_REQUIRENOPARTIALWORKGROUPS] = {0},
    [HSA_BRIG_CONTROL_DIRECTIVE_REQUIRENOPARTIALWAVEFRONTS] = {0},
    [HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDGROUPBASEPTRALIGN] = {1, false, VALUE_ALIGNMENT, true},
};

static const char *control_text(uint32_t control)
{
    return isa_value_text(ISA_SET_CONTROL_DIRECTIVE, control);
}

static bool value_fits(enum value_rule rule, uint64_t value)
{
    switch (rule) {
    case VALUE_POSITIVE: return value > 0;
    case VALUE_DIMENSIONS: return value >= 1 && value <= 3;
    case VALUE_ALIGNMENT: return is_power_of_two(value) && value <= 256;
    case VALUE_ANY:
    case VALUE_EXCEPTIONS: break;
    }
    return true;
}

/* Reads operand INDEX; false when it cannot stand there. */
static bool read_operand(struct validate *v, uint32_t at, uint32_t control, uint32_t operand, unsigned index,
                         struct control_value *value)
{
    const struct control_row *row = &rows[control];
    uint32_t type = isa_control_type(control);
    const hsa_brig_base_t *entry = brig_operand(v->view, operand);
    if (entry->kind == HSA_BRIG_KIND_OPERAND_WAVESIZE && row->wavesize) {
        value->wavesize = true;
        return true;
    }
    const hsa_brig_operand_constant_bytes_t *constant = (const void *)entry;
    const struct isa_type *is =
        entry->kind == HSA_BRIG_KIND_OPERAND_CONSTANT_BYTES ? isa_type(constant->type) : NULL;
    bool integer = is && (is->class_ == ISA_CLASS_UNSIGNED || is->class_ == ISA_CLASS_SIGNED);
    struct bytes bytes = integer ? brig_bytes(v->view, constant->bytes) : (struct bytes){0};
    if (bytes.size != isa_type_size(type)) {
        VALIDATE_FAIL(v, CONTROL_OPERAND, at, index, control_text(control), validate_type_text(type));
        return false;
    }
    value->value[index] = bytes.size == 8 ? load64(bytes.data) : load32(bytes.data);
    if (row->rule == VALUE_EXCEPTIONS && value->value[index] > 31)
        VALIDATE_WARN(v, CONTROL_BITS, at, control_text(control));
    if (!value_fits(row->rule, value->value[index])) {
        VALIDATE_FAIL(v, CONTROL_VALUE, at, control_text(control), value->value[index]);
        return false;
    }
    return true;
}

void validate_control(struct validate *v, uint32_t at)
{
    const hsa_brig_directive_control_t *directive = CODE_AS(v, hsa_brig_directive_control_t, at);
    uint32_t control = directive->control;
    if (control == HSA_BRIG_CONTROL_DIRECTIVE_NONE || control >= sizeof rows / sizeof *rows)
        return;
    struct brig_list list = brig_list(v->view, directive->operands);
    struct control_value now = {.given = true};
    if (list.count != rows[control].operands) {
        VALIDATE_FAIL(v, CONTROL_COUNT, at, control_text(control), list.count, rows[control].operands);
        return;
    }
    now.at = at;
    for (unsigned i = 0; i < list.count; i++) {
        struct diag_part whole = validate_part(v, BRIG_PART_OPERAND, i, 0);
        bool good = read_operand(v, at, control, list.items[i], i, &now);
        v->part = whole;
        if (!good)
            return;
    }
    struct control_value *before = &v->controls[control];
    if (before->given && rows[control].repeats &&
        (before->wavesize != now.wavesize || memcmp(before->value, now.value, sizeof now.value) != 0)) {
        VALIDATE_FAIL(v, CONTROL_DIFFERS, at, control_text(control));
        VALIDATE_NOTE(v, EARLIER_HERE, before->at);
    }
    *before = now;
}

/* Whether LIMIT, a maximum, is less than the product of SIZE. */
static bool exceeds(const struct control_value *size, const struct control_value *limit)
{
    uint64_t product;
    if (!size->given || !limit->given || size->wavesize || limit->wavesize)
        return false;
    return __builtin_mul_overflow(size->value[0], size->value[1], &product) ||
           __builtin_mul_overflow(product, size->value[2], &product) || product > limit->value[0];
}

/* At the later of the two, which the reader meets last. */
static void conflict(struct validate *v, uint32_t a, uint32_t b)
{
    uint32_t first = v->controls[a].at, second = v->controls[b].at;
    VALIDATE_FAIL(v, CONTROL_CONFLICT, first > second ? first : second, control_text(a), control_text(b));
    VALIDATE_NOTE(v, EARLIER_HERE, first > second ? second : first);
}

void validate_controls_agree(struct validate *v)
{
    static const uint8_t pairs[2][2] = {
        {HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDGRIDSIZE, HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATGRIDSIZE},
        {HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDWORKGROUPSIZE, HSA_BRIG_CONTROL_DIRECTIVE_MAXFLATWORKGROUPSIZE},
    };
    const struct control_value *dim = &v->controls[HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDDIM];
    for (unsigned i = 0; i < 2; i++) {
        const struct control_value *size = &v->controls[pairs[i][0]];
        if (exceeds(size, &v->controls[pairs[i][1]]))
            conflict(v, pairs[i][0], pairs[i][1]);
        if (size->given && !size->wavesize && dim->given &&
            ((dim->value[0] < 3 && size->value[2] != 1) || (dim->value[0] < 2 && size->value[1] != 1)))
            conflict(v, HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDDIM, pairs[i][0]);
    }
}
