/* SPDX-License-Identifier: MIT */
/* Tests hsail/reader.h: it must say about a module what the module's text says, cope with damaged bytes and with
 * numbers that are no entries, and be able to read every entry of every module of the suite to the last element. */
#include "hsail/reader.h"

#include "testsuite/frontend/test_memory.h"
#include "testsuite/frontend/test_show.h"
#include "testsuite/modules.h"

#include <stdbool.h>

static hsail_context_t *context;

static const char source[] =
    "module &example:1:2:$base:$small:$near;\n"                                   /* 1 */
    "extension \"amd:gcn\":1:2;\n"                                                /* 2 */
    "// a comment\n"                                                              /* 3 */
    "decl prog align(8) global_u32 &late;\n"                                      /* 4 */
    "alloc(agent) align(16) const global_s16 &table[3] = s16[](1, -2, 3);\n"      /* 5 */
    "prog align(8) global_u32 &late = 7;\n"                                       /* 6 */
    "fbarrier &gate;\n"                                                           /* 7 */
    "decl prog function &f(arg_u32 %r)(arg_f32 %x, align(8) arg_u8 %bytes[4]);\n" /* 8 */
    "signature &sig(arg_u32)(arg_f32 %x);\n"                                      /* 9 */
    "prog kernel &k(kernarg_u32 %in, kernarg_u32 %out)\n{\n"                      /* 10 */
    "\trequireddim 2;\n"                                                          /* .1 */
    "\tgroup_f32 %tile[16];\n"                                                    /* .2 */
    "\tloc 12 3 \"a.c\";\n"                                                       /* .3 */
    "\tpragma \"p\", 1, $s3;\n"                                                   /* .4 */
    "\tld_v2_global_align(8)_width(all)_u32 ($s1, $s20), [&late][$s2-4];\n"       /* .5 */
    "\tcmp_lt_ftz_b1_f32 $c5, $s1, 1.5f;\n"                                       /* .6 */
    "@again:\n"                                                                   /* .7 */
    "\t{\n\t\targ_u32 %r;\n\t\targ_f32 %x;\n\t\talign(8) arg_u8 %bytes[4];\n"     /* .8 to .11 */
    "\t\tcall &f(%r)(%x, %bytes);\n\t}\n"                                         /* .12 .13 */
    "\tcbr_b1 $c5, @again;\n"                                                     /* .14 */
    "\tmov_b32 $s0, WAVESIZE;\n"                                                  /* .15 */
    "\tpad 3;\n};\n";                                                             /* .16 */

#define SAME(text, want) ((text).size == strlen(want) && !strcmp((text).data, want))

static hsail_entry_t find(const hsail_reader_t *reader, const char *scope, const char *name)
{
    hsail_entry_t entry = {0};
    hsail_code_t code = hsail_reader_find(reader, scope ? hsail_reader_find(reader, 0, scope) : 0, name);
    if (hsail_reader_entry(reader, code, &entry) != HSAIL_STATUS_OK)
        printf("# %s is not found\n", name);
    return entry;
}

static void test_module_level(const hsail_reader_t *reader)
{
    static const char *const names[] = {
        "&example", "amd:gcn", "// a comment", "&late", "&table", "&late", "&gate", "&f", "&sig", "&k"};
    hsail_walk_t walk = hsail_walk_module(reader);
    hsail_entry_t entry;
    size_t count = 0;
    bool same = true;
    for (; hsail_walk_next(&walk, &entry); count++)
        same = same && count < 10 && SAME(entry.name, names[count]);
    ok(same && count == 10, "the statements of a module in their order");
    walk = hsail_walk_module(reader);
    hsail_walk_next(&walk, &entry);
    ok(entry.kind == HSA_BRIG_KIND_DIRECTIVE_MODULE && entry.u.module.major == 1 && entry.u.module.minor == 2 &&
           entry.u.module.profile == HSA_BRIG_PROFILE_BASE &&
           entry.u.module.machine_model == HSA_BRIG_MACHINE_MODEL_SMALL &&
           entry.u.module.rounding == HSA_BRIG_ROUND_FLOAT_NEAR_EVEN,
       "the header");
    hsail_walk_next(&walk, &entry);
    ok(entry.u.extension.has_version && entry.u.extension.major == 1 && entry.u.extension.minor == 2, "an extension");
}

static void test_variables(const hsail_reader_t *reader)
{
    hsail_operand_info_t value;
    hsail_entry_t entry = find(reader, NULL, "&late");
    ok(entry.is_definition && entry.is_program && entry.u.variable.align == 8 && !entry.u.variable.is_array,
       "a definition is found before a declaration");
    ok(hsail_reader_initializer(reader, entry.code, &value) == HSAIL_STATUS_OK && value.bytes.size == 4 &&
           !memcmp(value.bytes.data, "\7\0\0\0", 4),
       "the definition has its value");
    entry = find(reader, NULL, "&table");
    ok(!entry.is_program && entry.u.variable.segment == HSA_BRIG_SEGMENT_GLOBAL && entry.u.variable.is_agent &&
           entry.u.variable.is_const && entry.u.variable.align == 16 && entry.u.variable.is_array &&
           entry.u.variable.dimension == 3 && entry.u.variable.type == HSA_BRIG_TYPE_S16,
       "an array");
    ok(hsail_reader_initializer(reader, entry.code, &value) == HSAIL_STATUS_OK && value.bytes.size == 6 &&
           value.type == HSA_BRIG_TYPE_S16_ARRAY && !memcmp(value.bytes.data, "\1\0\376\377\3\0", 6),
       "the array has its bytes");
    entry = find(reader, "&k", "%tile");
    ok(entry.u.variable.segment == HSA_BRIG_SEGMENT_GROUP && entry.u.variable.dimension == 16 &&
           !entry.u.variable.is_initialized &&
           hsail_reader_initializer(reader, entry.code, &value) == HSAIL_STATUS_ARGUMENT,
       "a variable of a kernel has no value");
    ok(find(reader, NULL, "&gate").kind == HSA_BRIG_KIND_DIRECTIVE_FBARRIER, "an fbarrier");
}

static void test_signatures(const hsail_reader_t *reader)
{
    hsail_entry_t function = find(reader, NULL, "&f"), entry;
    ok(!function.is_definition && function.is_program && function.u.executable.output_count == 1 &&
           function.u.executable.input_count == 2,
       "a declaration");
    hsail_walk_t walk = hsail_walk_outputs(reader, function.code);
    ok(hsail_walk_next(&walk, &entry) && SAME(entry.name, "%r") && !hsail_walk_next(&walk, &entry),
       "a declaration has its output");
    walk = hsail_walk_inputs(reader, function.code);
    ok(hsail_walk_next(&walk, &entry) && SAME(entry.name, "%x") && entry.u.variable.type == HSA_BRIG_TYPE_F32 &&
           entry.u.variable.segment == HSA_BRIG_SEGMENT_ARG && hsail_walk_next(&walk, &entry) &&
           SAME(entry.name, "%bytes") && entry.u.variable.align == 8 && entry.u.variable.dimension == 4 &&
           !hsail_walk_next(&walk, &entry),
       "a declaration has its inputs");
    walk = hsail_walk_body(reader, function.code);
    ok(!hsail_walk_next(&walk, &entry), "a declaration has no body");
    function = find(reader, NULL, "&sig");
    walk = hsail_walk_outputs(reader, function.code);
    ok(function.is_definition && hsail_walk_next(&walk, &entry) && SAME(entry.name, ""), "an output without a name");
    walk = hsail_walk_outputs(reader, hsail_reader_find(reader, 0, "&k"));
    ok(!hsail_walk_next(&walk, &entry), "a kernel has no output");
}

/* Entry N of the body, from 1. */
static hsail_entry_t statement(const hsail_reader_t *reader, unsigned n)
{
    hsail_walk_t walk = hsail_walk_body(reader, hsail_reader_find(reader, 0, "&k"));
    hsail_entry_t entry = {0};
    while (n-- && hsail_walk_next(&walk, &entry))
        ;
    return entry;
}

static void test_directives(const hsail_reader_t *reader)
{
    hsail_operand_info_t operand;
    hsail_entry_t entry = statement(reader, 1);
    ok(entry.u.control.control == HSA_BRIG_CONTROL_DIRECTIVE_REQUIREDDIM &&
           hsail_reader_operand(reader, entry.code, 0, &operand) == HSAIL_STATUS_OK && operand.bytes.data[0] == 2,
       "a control directive");
    entry = statement(reader, 3);
    ok(SAME(entry.name, "a.c") && entry.u.location.line == 12 && entry.u.location.column == 3, "loc");
    entry = statement(reader, 4);
    ok(entry.operand_count == 3 && hsail_reader_operand(reader, entry.code, 0, &operand) == HSAIL_STATUS_OK &&
           operand.kind == HSA_BRIG_KIND_OPERAND_STRING && SAME(operand.bytes, "p") &&
           hsail_reader_operand(reader, entry.code, 2, &operand) == HSAIL_STATUS_OK && operand.register_kind == 's' &&
           operand.register_number == 3 && hsail_reader_operand(reader, entry.code, 3, &operand) != HSAIL_STATUS_OK,
       "a pragma");
    entry = statement(reader, 7);
    ok(entry.kind == HSA_BRIG_KIND_DIRECTIVE_LABEL && SAME(entry.name, "@again") &&
           hsail_reader_find(reader, hsail_reader_find(reader, 0, "&k"), "@again") == entry.code,
       "a label");
    entry = statement(reader, 16);
    ok(entry.kind == HSA_BRIG_KIND_NONE && entry.u.pad.words == 3, "pad");
}

static bool has_modifier(const hsail_reader_t *reader, hsail_code_t code, const char *name, const char *text)
{
    hsail_modifier_t modifier;
    for (uint32_t i = 0; hsail_reader_modifier(reader, code, i, &modifier) == HSAIL_STATUS_OK; i++)
        if (!strcmp(modifier.name, name))
            return !strcmp(modifier.text, text);
    return false;
}

static bool has_mnemonic(const hsail_reader_t *reader, hsail_code_t code, const char *want)
{
    char mnemonic[HSAIL_MNEMONIC_SIZE];
    return hsail_reader_mnemonic(reader, code, mnemonic, sizeof mnemonic) == HSAIL_STATUS_OK && !strcmp(mnemonic, want);
}

static void test_instructions(const hsail_reader_t *reader)
{
    hsail_operand_info_t operand, element;
    hsail_entry_t entry = statement(reader, 5);
    char small[8];
    ok(hsail_is_instruction(&entry) && entry.u.instruction.opcode == HSA_BRIG_OPCODE_LD &&
           !strcmp(entry.u.instruction.text, "ld") && entry.u.instruction.type == HSA_BRIG_TYPE_U32,
       "an instruction");
    ok(has_mnemonic(reader, entry.code, "ld_v2_global_align(8)_width(all)_u32") &&
           hsail_reader_mnemonic(reader, entry.code, small, sizeof small) == HSAIL_STATUS_TOO_LARGE,
       "an instruction has its mnemonic");
    ok(has_modifier(reader, entry.code, "segment", "global") && has_modifier(reader, entry.code, "align", "8") &&
           has_modifier(reader, entry.code, "width", "all") && has_modifier(reader, entry.code, "const", ""),
       "an instruction has its modifiers");
    ok(hsail_reader_operand(reader, entry.code, 0, &operand) == HSAIL_STATUS_OK && operand.element_count == 2 &&
           hsail_reader_element(reader, operand.operand, 1, &element) == HSAIL_STATUS_OK &&
           element.register_kind == 's' && element.register_number == 20 &&
           hsail_reader_element(reader, operand.operand, 2, &element) == HSAIL_STATUS_ARGUMENT,
       "a vector");
    ok(hsail_reader_operand(reader, entry.code, 1, &operand) == HSAIL_STATUS_OK &&
           operand.symbol == hsail_reader_find(reader, 0, "&late") && SAME(operand.symbol_name, "&late") &&
           operand.register_kind == 's' && operand.register_number == 2 && operand.offset == -4,
       "an address of 32 bits");
    entry = statement(reader, 6);
    ok(hsail_reader_operand(reader, entry.code, 2, &operand) == HSAIL_STATUS_OK && operand.type == HSA_BRIG_TYPE_F32 &&
           !memcmp(operand.bytes.data, "\0\0\300\077", 4) && has_modifier(reader, entry.code, "ftz", "ftz") &&
           has_modifier(reader, entry.code, "comparison", "lt"),
       "a comparison with a constant");
    entry = statement(reader, 12);
    ok(hsail_reader_operand(reader, entry.code, 0, &operand) == HSAIL_STATUS_OK && SAME(operand.symbol_name, "&f") &&
           hsail_reader_operand(reader, entry.code, 2, &operand) == HSAIL_STATUS_OK && operand.element_count == 2 &&
           hsail_reader_element(reader, operand.operand, 1, &element) == HSAIL_STATUS_OK &&
           SAME(element.symbol_name, "%bytes"),
       "a call: target, outputs, inputs");
    entry = statement(reader, 15);
    ok(hsail_reader_operand(reader, entry.code, 1, &operand) == HSAIL_STATUS_OK &&
           operand.kind == HSA_BRIG_KIND_OPERAND_WAVESIZE,
       "WAVESIZE");
    hsail_code_t kernel = hsail_reader_find(reader, 0, "&k");
    ok(hsail_reader_registers(reader, kernel, 's') == 21 && hsail_reader_registers(reader, kernel, 'c') == 6 &&
           hsail_reader_registers(reader, kernel, 'd') == 0 && hsail_reader_registers(reader, kernel, 'x') == 0,
       "how many registers there are");
}

static void test_words(void)
{
    ok(!strcmp(hsail_enum_text(HSAIL_ENUM_SEGMENT, HSA_BRIG_SEGMENT_KERNARG), "kernarg") &&
           !strcmp(hsail_enum_name(HSAIL_ENUM_SEGMENT, HSA_BRIG_SEGMENT_KERNARG), "HSA_BRIG_SEGMENT_KERNARG") &&
           !hsail_enum_text(HSAIL_ENUM_SEGMENT, 77) && !hsail_enum_name((hsail_enum_t)1000, 0),
       "words of an enumeration");
    ok(!strcmp(hsail_type_text(HSA_BRIG_TYPE_U8X4_ARRAY), "u8x4") && hsail_type_size(HSA_BRIG_TYPE_U8X4) == 4 &&
           !hsail_type_text(0x7fff) && !hsail_type_size(0x7fff),
       "of a type");
    ok(!strcmp(hsail_opcode_text(HSA_BRIG_OPCODE_MAD24), "mad24") && !hsail_opcode_text(0x7fff), "of an opcode");
    ok(!strcmp(hsail_kind_name(HSA_BRIG_KIND_DIRECTIVE_LOC), "DIRECTIVE_LOC") && !hsail_kind_name(0x7fff), "of a kind");
}

/* ---- What is wrong --------------------------------------------------------------------------------- */

/* Whether a reader's answer is one that it may give. */
static bool is_answer(hsail_status_t status)
{
    return status == HSAIL_STATUS_OK || status == HSAIL_STATUS_ARGUMENT;
}

static void test_numbers(const hsail_reader_t *reader)
{
    hsail_operand_info_t operand;
    hsail_entry_t entry;
    hsail_modifier_t modifier;
    hsail_walk_t walk;
    uint32_t entries = 0, wrong = 0;
    for (uint32_t at = 0; at < 5000; at++) { /* for any number there is an answer, or it is refused */
        entries += hsail_reader_entry(reader, at, &entry) == HSAIL_STATUS_OK;
        wrong += !is_answer(hsail_reader_operand(reader, at, 0, &operand));
        wrong += !is_answer(hsail_reader_element(reader, at, 0, &operand));
        wrong += !is_answer(hsail_reader_initializer(reader, at, &operand));
        wrong += !is_answer(hsail_reader_modifier(reader, at, 0, &modifier));
        hsail_reader_registers(reader, at, 's');
        walk = hsail_walk_body(reader, at);
        while (hsail_walk_next(&walk, &entry))
            ;
    }
    ok(entries == 33 && !wrong, "%u numbers are entries", (unsigned)entries);
    walk = hsail_walk_module(NULL);
    ok(!hsail_walk_next(&walk, &entry) && !hsail_walk_next(NULL, &entry) &&
           hsail_reader_entry(reader, UINT32_MAX, &entry) == HSAIL_STATUS_ARGUMENT &&
           hsail_reader_entry(NULL, 4, &entry) == HSAIL_STATUS_ARGUMENT && !hsail_reader_find(reader, 0, "&none") &&
           !hsail_reader_find(reader, 0, NULL) && !hsail_reader_find(reader, 3, "%x"),
       "numbers and names that do not exist are refused");
}

static void test_opening(const hsail_module_t *module)
{
    size_t size = hsail_module_size(module);
    char *copy = malloc(size + 8);
    hsail_reader_t *reader;
    if (!copy)
        exit(99);
    memcpy(copy + 1, hsail_module_data(module), size);
    ok(hsail_reader_open(context, NULL, copy + 1, size, 0, &reader) == HSAIL_STATUS_ARGUMENT && !reader,
       "bytes that are not aligned are refused");
    memcpy(copy, hsail_module_data(module), size);
    ok(hsail_reader_open(context, NULL, copy, size, 0, &reader) == HSAIL_STATUS_OK && reader, "the caller's bytes");
    hsail_reader_destroy(reader);
    size_t opened = 0, wrong = 0;
    for (size_t i = 0; i < size; i++) { /* what can be opened can be read; fuzz targets go further */
        copy[i] = (char)(copy[i] ^ 0x41);
        if (hsail_reader_open(context, NULL, copy, size, HSAIL_NO_VALIDATION, &reader) == HSAIL_STATUS_OK) {
            opened++;
            for (uint32_t at = 0; at < size; at += 4) {
                hsail_entry_t entry;
                hsail_operand_info_t operand;
                char mnemonic[HSAIL_MNEMONIC_SIZE];
                wrong += !is_answer(hsail_reader_entry(reader, at, &entry));
                wrong += !is_answer(hsail_reader_initializer(reader, at, &operand));
                wrong += !is_answer(hsail_reader_mnemonic(reader, at, mnemonic, sizeof mnemonic));
                for (uint32_t j = 0; hsail_reader_operand(reader, at, j, &operand) == HSAIL_STATUS_OK; j++)
                    ;
            }
        }
        hsail_reader_destroy(reader);
        copy[i] = (char)(copy[i] ^ 0x41);
    }
    ok(opened > 0 && opened < size && !wrong, "of %zu damaged modules %zu open, and can be read", size, opened);
    ok(hsail_reader_open(context, NULL, copy, size / 2, 0, &reader) == HSAIL_STATUS_INVALID && !reader &&
           hsail_reader_open(context, NULL, NULL, size, 0, &reader) == HSAIL_STATUS_ARGUMENT &&
           hsail_reader_open(context, NULL, copy, size, 4, &reader) == HSAIL_STATUS_ARGUMENT &&
           hsail_reader_open(context, NULL, copy, size, 0, NULL) == HSAIL_STATUS_ARGUMENT,
       "a part of a module and wrong arguments are refused");
    free(copy);
}

/* ---- Any module ------------------------------------------------------------------------------------ */

static unsigned count_elements(const hsail_reader_t *reader, const hsail_operand_info_t *operand, unsigned depth)
{
    hsail_operand_info_t element;
    unsigned count = 1;
    for (uint32_t i = 0; depth && i < operand->element_count; i++)
        if (hsail_reader_element(reader, operand->operand, i, &element) == HSAIL_STATUS_OK)
            count += count_elements(reader, &element, depth - 1);
    return count;
}

static unsigned count_operands(const hsail_reader_t *reader, const hsail_entry_t *entry)
{
    hsail_operand_info_t operand;
    unsigned count = 0, got = 0;
    for (; hsail_reader_operand(reader, entry->code, got, &operand) == HSAIL_STATUS_OK; got++)
        count += count_elements(reader, &operand, 4);
    if (hsail_reader_initializer(reader, entry->code, &operand) == HSAIL_STATUS_OK)
        count += count_elements(reader, &operand, 4);
    return got == entry->operand_count ? count : 0;
}

/* Counts the lines of the printed module that look like instructions: a reader must find as many. */
static unsigned printed_instructions(const hsail_module_t *module)
{
    struct kept text = {0};
    unsigned count = 0;
    if (hsail_disassemble(context, module, HSAIL_FLOAT_IEEE, keep, &text) != HSAIL_STATUS_OK)
        exit(99);
    for (const char *line = text.data, *end; line && (end = strchr(line, '\n')); line = end + 1) {
        line += strspn(line, "\t");
        size_t length =
            strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_()"); /* of the mnemonic */
        count += length && (line[length] == '\t' || (line[length] == ';' && strncmp(line, "require", 7) != 0));
    }
    free(text.data);
    return count;
}

static void test_any(const char *path, const char *name, struct kept text)
{
    hsail_module_t *module;
    hsail_reader_t *reader = NULL;
    hsail_entry_t top, entry;
    unsigned instructions = 0, operands = 0, wrong = 0;
    if (hsail_assemble(context, path, text.data, text.size, HSAIL_NO_VALIDATION, &module) == HSAIL_STATUS_OK)
        ok(hsail_reader_open(context, path, hsail_module_data(module), hsail_module_size(module), HSAIL_NO_VALIDATION,
                             &reader) == HSAIL_STATUS_OK,
           "%s opens", path);
    hsail_walk_t walk = hsail_walk_module(reader);
    while (hsail_walk_next(&walk, &top)) {
        hsail_walk_t body = hsail_walk_body(reader, top.code);
        wrong += count_operands(reader, &top) == 0 && top.operand_count;
        while (hsail_walk_next(&body, &entry)) {
            instructions += hsail_is_instruction(&entry) != 0;
            unsigned count = count_operands(reader, &entry);
            wrong += !count && entry.operand_count;
            operands += count;
        }
    }
    ok(reader && !wrong && instructions == printed_instructions(module), "%s: %u instructions, %u operands", name,
       instructions, operands);
    hsail_reader_destroy(reader);
    hsail_module_destroy(module);
}

/* Each allocation of opening may fail. */
static void test_memory(const hsail_module_t *module)
{
    bool good = true, failed = true;
    long n = 0;
    for (; failed && good; n++) {
        struct memory memory = {.countdown = n, .once = true};
        const hsail_allocator_t allocator = memory_allocator(&memory);
        hsail_context_t *with;
        hsail_reader_t *reader = NULL;
        hsail_status_t status = hsail_context_create(&allocator, &with);
        if (status == HSAIL_STATUS_OK)
            status = hsail_reader_open(with, NULL, hsail_module_data(module), hsail_module_size(module), 0, &reader);
        failed = memory.failed;
        good = status == (failed ? HSAIL_STATUS_OUT_OF_MEMORY : HSAIL_STATUS_OK) && !reader == failed;
        hsail_context_destroy(with);
        hsail_reader_destroy(reader); /* it does not need the context */
        good = good && memory_clean(&memory);
    }
    ok(good && n > 5, "each of %ld allocations may fail", n - 1);
}

int main(void)
{
    hsail_module_t *module;
    hsail_reader_t *reader;
    if (hsail_context_create(NULL, &context) != HSAIL_STATUS_OK)
        return 99;
    hsail_context_set_diagnostics(context, show_error, NULL);
    if (!ok(hsail_assemble(context, NULL, source, sizeof source - 1, 0, &module) == HSAIL_STATUS_OK, "a module") ||
        !ok(hsail_reader_open_module(context, module, &reader) == HSAIL_STATUS_OK, "a module is opened by its handle"))
        return tap_done();
    hsail_context_set_diagnostics(context, NULL, NULL);
    test_module_level(reader);
    test_variables(reader);
    test_signatures(reader);
    test_directives(reader);
    test_instructions(reader);
    test_words();
    test_numbers(reader);
    hsail_reader_destroy(reader);
    test_opening(module);
    test_memory(module);
    hsail_module_destroy(module);
    for_each_module(test_any);
    hsail_context_destroy(context);
    return tap_done();
}
