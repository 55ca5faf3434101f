/* SPDX-License-Identifier: MIT */
/* Instructions made from the tables: legal ones, and their neighbours that are one modifier away (R53-R58, R61, R63,
 * R65-R67, R69).
 *
 * What the rules accept must pass the checks of a whole module, print, and assemble to the same bytes; what they
 * refuse must be refused from the printed text too. Where an independent assembler of HSAIL 1.0 is installed, a
 * sample is judged by it: same verdict, and same bytes where both accept. Its known departures from the PRM are
 * listed in departs(). The tables cannot vouch for themselves; that assembler does. */
#include "brig/operand_type.h"
#include "brig/rule.h"
#include "brig/validate.h"
#include "frontend/asm.h"
#include "frontend/dis.h"
#include "support/alloc.h"
#include "testsuite/tap.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PER_OPCODE = 400, JUDGED_EACH = 12 };

extern char **environ;
static const struct rule_module facts = {HSA_BRIG_PROFILE_FULL, HSA_BRIG_MACHINE_MODEL_LARGE};

static uint64_t state = 0x9e3779b97f4a7c15;

static uint32_t pick(uint32_t bound)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % bound;
}

/* ---- A module with one instruction ----------------------------------------------------------------- */

static uint32_t text_bytes(struct brig_builder *b, const char *text)
{
    return brig_put_bytes(b, text, strlen(text));
}

static hsa_brig_register_kind_t kind_of(uint32_t type)
{
    const struct isa_type *row = isa_type(type);
    unsigned bits = row ? row->bits : 32;
    return bits == 1     ? HSA_BRIG_REGISTER_KIND_CONTROL
           : bits <= 32  ? HSA_BRIG_REGISTER_KIND_SINGLE
           : bits <= 64  ? HSA_BRIG_REGISTER_KIND_DOUBLE
                         : HSA_BRIG_REGISTER_KIND_QUAD;
}

static uint32_t put_address(struct brig_builder *b, const struct isa_inst *inst)
{
    hsa_brig_register_kind_t kind = HSA_BRIG_REGISTER_KIND_SINGLE;
    switch (inst->value[ISA_DIM_SEGMENT]) {
    case HSA_BRIG_SEGMENT_FLAT:
    case HSA_BRIG_SEGMENT_GLOBAL:
    case HSA_BRIG_SEGMENT_READONLY:
    case HSA_BRIG_SEGMENT_KERNARG: kind = HSA_BRIG_REGISTER_KIND_DOUBLE; break;
    default: break;
    }
    return brig_put_address(b, 0, brig_put_register(b, kind, 9), 0);
}

static uint32_t put_vector(struct brig_builder *b, uint32_t type, unsigned count)
{
    uint32_t items[4];
    for (unsigned i = 0; i < count; i++)
        items[i] = brig_put_register(b, kind_of(type), (uint16_t)(10 + i));
    return brig_put_operand_list(b, items, count);
}

static unsigned coordinates(const struct isa_inst *inst)
{
    switch (inst->value[ISA_DIM_GEOMETRY]) {
    case HSA_EXT_BRIG_IMAGE_GEOMETRY_1D:
    case HSA_EXT_BRIG_IMAGE_GEOMETRY_1DB: return 1;
    case HSA_EXT_BRIG_IMAGE_GEOMETRY_3D:
    case HSA_EXT_BRIG_IMAGE_GEOMETRY_2DA:
    case HSA_EXT_BRIG_IMAGE_GEOMETRY_2DADEPTH: return 3;
    default: return 2;
    }
}

static uint32_t put_operand(struct brig_builder *b, const struct isa_inst *inst, unsigned index)
{
    static const uint32_t one = 1;
    char letter = isa_operand_letter(inst, index);
    uint32_t type = isa_operand_type(inst, index);
    unsigned length = inst->value[ISA_DIM_VECTOR];
    bool last_of_image = inst->op->form == ISA_FORM_IMAGE && index + 1 == isa_operand_count(inst);
    switch (letter) {
    case 'a': return put_address(b, inst);
    case 'n': return brig_put_constant(b, HSA_BRIG_TYPE_U32, &one, 4);
    case 'v':
    case 'w': return put_vector(b, type, length > 1 ? length : 2);
    case 'V':
    case 'D':
        if (last_of_image)
            length = coordinates(inst);
        if (length > 1)
            return put_vector(b, type, length);
        break;
    default: break;
    }
    return brig_put_register(b, kind_of(type), (uint16_t)(1 + index));
}

static void put_prologue(struct brig_builder *b, uint32_t minor)
{
    hsa_brig_directive_module_t *m = BRIG_PUT(b, HSA_BRIG_KIND_DIRECTIVE_MODULE, hsa_brig_directive_module_t, NULL);
    m->hsail_major = 1;
    m->hsail_minor = minor;
    m->profile = facts.profile;
    m->machine_model = facts.model;
    m->default_float_round = HSA_BRIG_ROUND_FLOAT_DEFAULT;
    m->name = text_bytes(b, "&m");
    hsa_brig_directive_extension_t *e =
        BRIG_PUT(b, HSA_BRIG_KIND_DIRECTIVE_EXTENSION, hsa_brig_directive_extension_t, NULL);
    e->name = text_bytes(b, "IMAGE");
}

/* The module of a kernel that holds INST alone. False when memory is out. */
static bool build(struct isa_inst *inst, uint32_t minor, uint8_t **module, size_t *size)
{
    struct brig_builder b;
    uint32_t kernel, operands[ISA_MAX_OPERANDS], count = isa_operand_count(inst);
    brig_builder_init(&b, minor);
    put_prologue(&b, minor);
    BRIG_PUT(&b, HSA_BRIG_KIND_DIRECTIVE_KERNEL, hsa_brig_directive_executable_t, &kernel);
    uint32_t first = brig_here(&b, HSA_BRIG_SECTION_INDEX_CODE);
    uint32_t name = text_bytes(&b, "&k");
    uint32_t at = isa_reserve(&b, inst);
    for (unsigned i = 0; i < count; i++)
        operands[i] = put_operand(&b, inst, i);
    inst->operands = (struct brig_list){operands, count};
    isa_store(&b, at, inst);
    hsa_brig_directive_executable_t *k = brig_edit(&b, HSA_BRIG_SECTION_INDEX_CODE, kernel);
    k->name = name;
    k->modifier = HSA_BRIG_EXECUTABLE_MODIFIER_DEFINITION;
    k->linkage = HSA_BRIG_LINKAGE_MODULE;
    k->first_in_arg = k->first_code_block_entry = first;
    k->next_module_entry = brig_here(&b, HSA_BRIG_SECTION_INDEX_CODE);
    enum brig_status status = brig_finish(&b, module, size);
    brig_builder_free(&b);
    return status == BRIG_OK;
}

/* ---- Verdicts -------------------------------------------------------------------------------------- */

struct output {
    char text[1024];
    size_t size;
};

static int collect(void *user, const void *data, size_t size)
{
    struct output *out = user;
    if (size > sizeof out->text - 1 - out->size)
        return 1;
    memcpy(out->text + out->size, data, size);
    out->size += size;
    out->text[out->size] = '\0';
    return 0;
}

static bool is_written(const struct isa_inst *inst, enum isa_dim dim)
{
    return inst->value[dim] && inst->value[dim] != ISA_NOT_WRITTEN;
}

/* What the PRM allows and the other assembler does not, or the other way round; or what only HSAIL 1.2 has. */
static bool departs(const struct isa_inst *inst)
{
    bool memory = inst->op->form == ISA_FORM_LD || inst->op->form == ISA_FORM_ST;
    unsigned segment = inst->value[ISA_DIM_SEGMENT];
    bool packed = isa_type_is_packed(inst->value[ISA_DIM_TYPE]);
    bool b128 = inst->value[ISA_DIM_TYPE] == HSA_BRIG_TYPE_B128;
    return (memory && (segment == HSA_BRIG_SEGMENT_ARG || segment == HSA_BRIG_SEGMENT_SPILL)) || /* [reg] there */
           is_written(inst, ISA_DIM_NT) || is_written(inst, ISA_DIM_SAT) ||                       /* 1.2 */
           (inst->op->code == HSA_BRIG_OPCODE_CMOV && b128) ||                                    /* 1.2 */
           (inst->op->form == ISA_FORM_CVT && packed) ||                                          /* 1.2 */
           inst->op->code >= HSA_BRIG_OPCODE_GROUPSTATICSIZE;                                     /* 1.2 */
}

/* Runs the other assembler. Returns whether it accepts TEXT; its bytes are in OUT then. */
static bool judge(const char *tool, const char *directory, const char *text, struct bytes *out)
{
    static uint8_t bytes[4096];
    char in[256], made[256];
    snprintf(in, sizeof in, "%s/x.hsail", directory);
    snprintf(made, sizeof made, "%s/x.brig", directory);
    unlink(made);
    FILE *file = fopen(in, "w");
    if (!file)
        return false;
    fputs(text, file);
    fclose(file);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    char *const arguments[] = {(char *)tool, in, "-o", made, NULL};
    pid_t child;
    int status = 1;
    if (posix_spawn(&child, tool, &actions, NULL, arguments, environ) == 0)
        waitpid(child, &status, 0);
    posix_spawn_file_actions_destroy(&actions);
    file = status == 0 ? fopen(made, "rb") : NULL;
    *out = (struct bytes){bytes, file ? fread(bytes, 1, sizeof bytes, file) : 0};
    if (file)
        fclose(file);
    return status == 0;
}

struct tally {
    unsigned legal, illegal, judged;
    char problem[1500];
};

static void complain(struct tally *tally, const char *what, const char *text)
{
    if (!*tally->problem)
        snprintf(tally->problem, sizeof tally->problem, "%s\n%s", what, text);
}

/* Assembles TEXT again: is it accepted as EXPECTED, and to the same bytes? */
static void check_text(struct tally *tally, const char *text, bool expected, struct bytes module)
{
    struct asm_result result = {0};
    struct brig_view view;
    enum brig_status status = asm_text(text, strlen(text), NULL, &result);
    if (status == BRIG_OK)
        status = brig_open(result.module, result.size, NULL, &view);
    if (status == BRIG_OK)
        status = brig_validate(&view, NULL);
    if ((status == BRIG_OK) != expected)
        complain(tally, expected ? "its text is refused" : "its text is accepted", text);
    else if (expected && (result.size != module.size || memcmp(result.module, module.data, module.size) != 0))
        complain(tally, "its text assembles to other bytes", text);
    asm_result_free(&result);
}

static void check_inst(struct tally *tally, struct isa_inst *inst, const char *tool, const char *directory)
{
    uint8_t *data = NULL;
    size_t size = 0;
    struct brig_view view;
    struct output out = {.size = 0};
    bool only_12 = departs(inst);
    uint32_t minor = only_12 ? 2 : 0;
    isa_complete(inst, minor);
    if (!build(inst, minor, &data, &size))
        return;
    if (brig_open(data, size, NULL, &view) == BRIG_OK) {
        bool legal = brig_validate(&view, NULL) == BRIG_OK;
        tally->legal += legal;
        tally->illegal += !legal;
        struct bytes module = {data, size}, other;
        if (dis_module(&view, NUMBER_IEEE, collect, &out) != DIS_OK)
            complain(tally, "it does not print", inst->op->text);
        else
            check_text(tally, out.text, legal, module);
        if (tool && tally->judged < JUDGED_EACH * 2 && (legal || pick(8) == 0) && !only_12) {
            tally->judged++;
            bool accepted = judge(tool, directory, out.text, &other);
            if (accepted != legal)
                complain(tally, legal ? "only we accept" : "only the other assembler accepts", out.text);
            else if (legal && (other.size != size || memcmp(other.data, data, size) != 0))
                complain(tally, "the other assembler writes other bytes", out.text);
        }
    }
    mem_free(data);
}

/* ---- Generation ------------------------------------------------------------------------------------ */

/* A value that can be written. */
static uint16_t any_value(const struct isa_slot *slot)
{
    const struct isa_dim_info *info = isa_dim(slot->dim);
    static const uint16_t types[] = {
#define TYPE(name, code, text, class_, element, count, bits) code,
#include "brig/tables/type.def"
    };
    if (info->mask)
        return pick(2) ? 1 : ISA_NOT_WRITTEN;
    switch (slot->dim) {
    case ISA_DIM_VECTOR: return (uint16_t)(uint16_t[]){ISA_NOT_WRITTEN, 2, 3, 4}[pick(4)];
    case ISA_DIM_EQUIV: return (uint16_t)pick(256);
    case ISA_DIM_WIDTH: return (uint16_t)(1 + pick(HSA_BRIG_WIDTH_ALL));
    case ISA_DIM_ALIGN: return (uint16_t)(1 + pick(HSA_BRIG_ALIGNMENT_256));
    default: break;
    }
    if (info->set == ISA_SET_TYPE)
        return types[1 + pick(sizeof types / sizeof *types - 1)];
    for (;;) {
        uint16_t value = (uint16_t)pick(32);
        const char *text = isa_value_text(info->set, value);
        if (text)
            return *text ? value : ISA_NOT_WRITTEN;
    }
}

/* Changes one modifier at random, or each of them. */
static void vary(struct isa_inst *inst, bool all)
{
    unsigned count;
    const struct isa_slot *slots = isa_slots(inst->op->form, &count);
    unsigned only = pick(count);
    for (unsigned i = 0; i < count; i++)
        if ((all || i == only) && (slots[i].presence == ISA_REQUIRED || slots[i].presence == ISA_OPTIONAL)) {
            bool omit = slots[i].presence == ISA_OPTIONAL && pick(2);
            inst->value[slots[i].dim] = omit ? ISA_NOT_WRITTEN : any_value(&slots[i]);
        }
}

/* In text, sat behind a packing or rounding is part of that; in BRIG, only packed types make a conversion packed. */
static void untangle(struct isa_inst *inst)
{
    if (inst->op->form == ISA_FORM_CVT && !isa_type_is_packed(inst->value[ISA_DIM_TYPE]))
        inst->value[ISA_DIM_PACK] = ISA_NOT_WRITTEN;
    if (is_written(inst, ISA_DIM_SAT) &&
        (isa_type_is_packed(inst->value[ISA_DIM_TYPE]) || is_written(inst, ISA_DIM_ROUND)))
        inst->value[ISA_DIM_SAT] = ISA_NOT_WRITTEN;
}

/* One of the values that the rule allows, as the instruction holds it. */
static uint16_t allowed_value(const struct rule_verdict *verdict)
{
    unsigned bit = pick(64);
    while (!(verdict->allowed >> (bit & 63) & 1))
        bit++;
    bit &= 63;
    const struct isa_dim_info *info = isa_dim(verdict->dim);
    if (info->set != ISA_SET_TYPE) {
        const char *text = info->mask || verdict->dim == RULE_DIM_VECTOR ? (bit ? "x" : "")
                                                                         : isa_value_text(info->set, bit);
        return text && *text ? (uint16_t)bit : ISA_NOT_WRITTEN;
    }
    static const uint16_t types[] = {
#define TYPE(name, code, text, class_, element, count, bits) code,
#include "brig/tables/type.def"
    };
    return types[bit];
}

/* Makes a random instruction legal by doing what the rules ask for; false when that leads nowhere. */
static bool make_legal(struct isa_inst *inst)
{
    for (unsigned steps = 0; steps < 40; steps++) {
        untangle(inst);
        struct isa_inst complete = *inst;
        isa_complete(&complete, 2);
        struct rule_verdict verdict = rule_check(&facts, &complete);
        if (verdict.ok)
            return true;
        if (verdict.dim >= RULE_DIM_PROFILE)
            return false;
        inst->value[verdict.dim] = allowed_value(&verdict);
    }
    return false;
}

static void check_opcode(const struct isa_op *op, const char *tool, const char *directory)
{
    struct tally tally = {0};
    struct isa_inst inst, legal;
    for (unsigned n = 0; n < PER_OPCODE; n++) {
        bool found = false;
        for (unsigned tries = 0; tries < 1000 && !found; tries++) {
            isa_begin(&inst, op);
            vary(&inst, true);
            found = make_legal(&inst);
        }
        if (!found)
            break;
        legal = inst;
        check_inst(&tally, &inst, tool, directory);
        inst = legal;
        vary(&inst, false);
        untangle(&inst);
        check_inst(&tally, &inst, tool, directory);
    }
    if (!ok(!*tally.problem && tally.legal, "%s: %u legal, %u illegal, %u judged by another assembler", op->text,
            tally.legal, tally.illegal, tally.judged))
        for (char *line = strtok(tally.problem, "\n"); line; line = strtok(NULL, "\n"))
            printf("# %s\n", line);
}

int main(void)
{
    char directory[] = "/tmp/hsail-generate.XXXXXX", path[64];
    const char *tool = getenv("HSAILASM_1_0");
    if (!mkdtemp(directory))
        return 99;
    if (!tool || !*tool) {
        tap_skip("comparison with another assembler", "no HSAIL 1.0 assembler is installed");
        tool = NULL;
    }
    for (uint32_t code = 0; isa_op(code); code++)
        if (!isa_op(code)->operands[strcspn(isa_op(code)->operands, "lLofFigbBc")])
            check_opcode(isa_op(code), tool, directory);
    snprintf(path, sizeof path, "%s/x.hsail", directory);
    unlink(path);
    snprintf(path, sizeof path, "%s/x.brig", directory);
    unlink(path);
    rmdir(directory);
    return tap_done();
}
