/* SPDX-License-Identifier: MIT */
/* Makes random calls of the builder with random arguments, most of them wrong. Every call must return a status; the
 * first failure must stay and have a message; what can be finished must be a module that can be printed and opened. The
 * test finds most with sanitizers. */
#include "hsail/builder.h"

#include "testsuite/frontend/test_memory.h"
#include "testsuite/tap.h"
#include "testsuite/xorshift.h"

#define MODULES 6000
#define MOST_CALLS 40

static uint64_t state = 0x9e3779b97f4a7c15;

static unsigned below(unsigned limit)
{
    return (unsigned)(xorshift(&state) >> 20) % limit;
}

#define PICK(array) (array)[below(sizeof(array) / sizeof *(array))]

static const char *name(void)
{
    static const char *const names[] = {"&k", "&f", "&x", "%a", "%b", "@l", "@m", "&m"};
    static const char *const odd[] = {NULL,     "",    "&",    "%",        "@",   "k",           "&a b",        "&\n",
                                      "&\x80y", "&1x", "\"&x", "/* */ &x", "$s0", "&x; ret; //", "&x), addr(&x"};
    return below(8) ? PICK(names) : PICK(odd);
}

/* Mostly one of the first values of an enumeration, which are the legal ones. */
static unsigned code(unsigned legal)
{
    static const unsigned odd[] = {127, 128, 255, 256, 0xffff, 0x7fffffff, 0xffffffff};
    return below(12) ? below(legal + 1) : PICK(odd);
}

static hsa_brig_type_t type(void)
{
    return (hsa_brig_type_t)(below(4) ? code(HSA_BRIG_TYPE_SIG64) : below(0x120));
}

static hsail_operand_t operand(unsigned depth)
{
    static hsail_operand_t pool[256];
    static unsigned used;
    static const char *const name_pool[] = {"&x", "@l", NULL, "%a", "@none"};
    static const uint8_t bytes[16] = {1, 2, 0xff, 0x80, 0x7f, 0xc0, 7, 0x3f};
    static hsa_ext_brig_operand_constant_image_t image;
    static hsa_ext_brig_operand_constant_sampler_t sampler;
    hsail_operand_t made = hsail_operand((hsail_operand_kind_t)code(HSAIL_OPERAND_STRING));
    if (below(3) == 0)
        return hsail_register(below(16) ? "csdq"[below(4)] : 'x', below(16) ? below(8) : 70000);
    if (below(4) == 0)
        return hsail_constant(type(), bytes);
    made.register_kind = below(8) ? (char)(below(2) ? 0 : 'd') : 'x';
    made.type = (uint16_t)type();
    made.number = below(5);
    made.integer = below(3) ? (int64_t)below(20) - 4 : (int64_t)(state * 7);
    made.name = below(2) || made.kind == HSAIL_OPERAND_STRING ? "&text" : name();
    made.names = below(8) ? name_pool : NULL;
    image.type = (uint16_t)type();
    image.geometry = (uint8_t)code(9);
    image.width.lo = below(3);
    sampler.filter = (uint8_t)code(3);
    made.properties = below(8) ? made.kind == HSAIL_OPERAND_IMAGE ? (const void *)&image : &sampler : NULL;
    if (made.kind == HSAIL_OPERAND_IMAGE && made.properties == &sampler)
        made.properties = &image;
    if (depth && below(16) && used + 5 < 256) {
        hsail_operand_t *first = &pool[used];
        used += 5;
        for (unsigned i = 0; i < 5; i++)
            first[i] = operand(depth - 1);
        made.elements = first;
        if (below(32) == 0)
            first[0] = made; /* a list that contains itself */
    }
    if (depth == 3)
        used = 0;
    return made;
}

static hsail_operand_t registers[4];
static hsail_position_t position;

static hsail_status_t call(hsail_builder_t *b)
{
    static const char *const mnemonics[] = {
        "ret",        "add_u32", "ld_global_u32", "st_v2_global_f32", "mov_b64",    "call",
        "br",         "cbr_b1",  "sbr_u32",       "icall_u64",        "initfbar",   "add_odd",
        "",           "kernel",  "lda_u64",       "mov_b128",         "add_u32 $s", "scall_u32",
        "mov_b1",     "nop",     "ld_v4_f32",     "mov_u8x4",         "mov_samp",   "stimage_v4_1d_u32_rwimg_u32",
        "cvt_f32_u32"};
    hsail_operand_t operands[6];
    uint64_t data[4] = {1, 2, 3, 4};
    hsail_shape_t shape = {below(12) ? 1u << below(10) : below(9), (int)below(2), below(4) ? below(5) : state};
    const hsail_shape_t *shaped = below(2) ? &shape : NULL;
    hsa_brig_segment_t segment = (hsa_brig_segment_t)code(HSA_BRIG_SEGMENT_ARG);
    hsail_operand_t *given = below(16) ? operands : NULL;
    unsigned flags = below(8) ? below(16) : below(1000), count = below(5);
    for (unsigned i = 0; i < 6; i++)
        operands[i] = operand(3);
    for (unsigned i = 0; i < 6; i++)
        if (below(3) == 0)
            operands[i] = registers[below(4)]; /* of another code block or builder, perhaps */
    if (below(2)) {                            /* nearly right, so that the calls reach more states */
        for (unsigned i = 0; i < 3; i++)
            operands[i] = below(12) ? hsail_register('s', i) : operands[i];
        return below(3) ? hsail_builder_instruction(b, "add_u32", operands, 3) : hsail_builder_comment(b, "text");
    }
    switch (below(26)) {
    case 0: return hsail_builder_extension(b, below(4) ? "IMAGE" : name());
    case 1: return hsail_builder_extension_version(b, name(), below(3), state & 0xffffffff);
    case 2: return hsail_builder_comment(b, below(4) ? "text" : "two\nlines");
    case 3: return hsail_builder_location(b, below(4), below(4), name());
    case 4: return hsail_builder_pragma(b, given, count);
    case 5: return hsail_builder_pad(b, below(4) ? below(10) : 0xffffffff);
    case 6:
        return hsail_builder_begin(b, (hsa_brig_kind_t)(HSA_BRIG_KIND_DIRECTIVE_FUNCTION + code(7)), name(), flags & 3);
    case 7: return hsail_builder_formal(b, type(), name(), shaped);
    case 8: return hsail_builder_inputs(b);
    case 9: return hsail_builder_body(b);
    case 10: return hsail_builder_end(b);
    case 11: return hsail_builder_arg_block(b);
    case 12: return hsail_builder_arg_block_end(b);
    case 13:
        return hsail_builder_variable(b, segment, type(), name(), shaped, flags, below(2) ? data : NULL, below(33));
    case 14: return hsail_builder_variable_init(b, segment, type(), name(), shaped, flags, given);
    case 15: return hsail_builder_fbarrier(b, name(), flags);
    case 16: return hsail_builder_label(b, name());
    case 17: return hsail_builder_control(b, (hsa_brig_control_directive_t)code(12), given, count);
    case 18: return hsail_builder_move(b, (hsail_place_t)code(3), below(2) ? name() : NULL);
    case 19: return hsail_builder_position(b, below(32) ? &position : NULL);
    case 20: return hsail_builder_move_to(b, below(8) ? position : (hsail_position_t){below(3), below(50)});
    case 21: return hsail_builder_register_limit(b, below(140), below(2100));
    case 22:
    case 23:
        registers[below(4)] = hsail_builder_register(b, below(16) ? "csdq"[below(4)] : 'x');
        return hsail_builder_error(b) ? hsail_builder_comment(b, "text") : HSAIL_STATUS_OK;
    default: return hsail_builder_instruction(b, below(32) ? PICK(mnemonics) : NULL, given, count);
    }
}

/* The calls with which a correct program would begin. */
static void begin_well(hsail_builder_t *b)
{
    hsail_builder_module(b, "&m", 1, below(3), HSA_BRIG_PROFILE_FULL, HSA_BRIG_MACHINE_MODEL_LARGE,
                         HSA_BRIG_ROUND_FLOAT_DEFAULT);
    hsail_builder_variable(b, HSA_BRIG_SEGMENT_GLOBAL, HSA_BRIG_TYPE_U32, "&x", NULL, 0, NULL, 0);
    if (below(2)) {
        hsail_builder_begin(b, HSA_BRIG_KIND_DIRECTIVE_KERNEL, "&k", 0);
        hsail_builder_body(b);
    }
}

static int drop(void *user, const void *data, size_t size)
{
    (void)user;
    (void)data;
    return size == 0;
}

/* Whether the builder has an error message. */
static bool said(const hsail_builder_t *b)
{
    const hsail_diagnostic_t *error = hsail_builder_error(b);
    return error && *error->id && *error->message &&
           hsail_diagnostic_print(error, HSAIL_PRINT_JSON, drop, NULL) == HSAIL_STATUS_OK;
}

int main(void)
{
    struct memory memory = {.countdown = -1};
    const hsail_allocator_t allocator = memory_allocator(&memory);
    hsail_context_t *context;
    bool good = hsail_context_create(&allocator, &context) == HSAIL_STATUS_OK;
    unsigned finished = 0, accepted = 0;
    for (unsigned i = 0; i < MODULES && good; i++) {
        hsail_builder_t *b;
        hsail_module_t *module;
        hsail_status_t first = HSAIL_STATUS_OK;
        good = hsail_builder_create(context, &b) == HSAIL_STATUS_OK;
        if (below(16))
            begin_well(b);
        for (unsigned calls = below(below(4) ? 3 : MOST_CALLS); calls && good; calls--) {
            hsail_status_t status = call(b);
            accepted += status == HSAIL_STATUS_OK;
            good = (first == HSAIL_STATUS_OK || status == first) && (status == HSAIL_STATUS_OK) == !said(b);
            first = status;
        }
        if (first == HSAIL_STATUS_OK && below(2))
            hsail_builder_end(b);
        hsail_status_t status = hsail_builder_finish(b, NULL, HSAIL_NO_VALIDATION, &module);
        good = good && (status == HSAIL_STATUS_OK) == !said(b) && (status == HSAIL_STATUS_OK) == !!module &&
               (first == HSAIL_STATUS_OK || status == first);
        if (module) {
            finished++;
            good = good && hsail_disassemble(context, module, HSAIL_FLOAT_IEEE, drop, NULL) == HSAIL_STATUS_OK;
        }
        if (!good)
            printf("# module %u: %s\n", i, hsail_status_text(status));
        hsail_module_destroy(module);
        hsail_builder_destroy(b);
    }
    hsail_context_destroy(context);
    ok(good, "%u modules of random calls: %u calls accepted, %u modules finished", MODULES, accepted, finished);
    ok(accepted > MODULES / 3 && finished > MODULES / 20, "enough of the random calls are right");
    ok(memory_clean(&memory), "no block is left: %ld", memory.blocks);
    return tap_done();
}
