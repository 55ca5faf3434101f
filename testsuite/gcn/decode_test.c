/* SPDX-License-Identifier: MIT */
/* Compares decoder and printer with LLVM's disassembler: every opcode of every encoding, every value of every field.
 *
 * For each operation and encoding, a base word is built from the operation table. Then each field takes all its values
 * (a field of 16 bits or more a sample of them), and then several fields at once take random values. LLVM and the
 * decoder must agree on whether they accept the words, on the length and on the text, except for the differences that
 * differences[] explains. An argument names the only processor to try. */
#include "runtime/gcn/inst/decode.h"
#include "runtime/gcn/inst/print.h"
#include "support/bytes.h"
#include "testsuite/gcn/decode_fields.h"
#include "testsuite/gcn/decode_oracle.h"
#include "testsuite/tap.h"
#include "testsuite/xorshift.h"

#include <stdlib.h>

enum { MAX_REPORTS = 8, RANDOM_PER_BASE = 200 };

struct sample {
    uint64_t word;
    enum gcn_decode_status status;
    struct gcn_inst inst;
    const char *llvm; /* "" if LLVM refuses the words */
};

static const struct gcn_target *target; /* the target under test */
static size_t number;                   /* its number */

/* Where the decoder and LLVM differ on purpose. */
static bool sign_of_integer(const struct sample *s)
{
    static const char *const mixed[] = {
        "v_ldexp_", "v_cvt_pk_u8_", "v_cvt_pkaccum_u8_", "v_trig_preop_", "v_dot2c_i32_", "v_dot4c_", "v_dot8c_"};
    bool is_mixed = false;
    for (size_t i = 0; i < sizeof mixed / sizeof *mixed; i++)
        is_mixed |= !strncmp(s->llvm, mixed[i], strlen(mixed[i]));
    return s->status == GCN_REJECT_MODIFIER && is_mixed;
}

static bool flat_offset_bit12(const struct sample *s)
{
    return s->status == GCN_REJECT_RESERVED && !strncmp(s->llvm, "flat_", 5) && s->word >> 12 & 1;
}

static bool special_register(const struct sample *s)
{
    return (s->status == GCN_REJECT_SOURCE || s->status == GCN_REJECT_DEST) &&
           (strstr(s->llvm, "src_") || strstr(s->llvm, "null"));
}

static bool invalid_operand(const struct sample *s)
{
    return strstr(s->llvm, " invalid_");
}

static bool image_atomic_dmask(const struct sample *s)
{
    return s->status == GCN_REJECT_MODIFIER && !strncmp(s->llvm, "image_atomic", 12);
}

static bool image_data_overflow(const struct sample *s)
{
    return s->status == GCN_REJECT_REGISTERS && !strncmp(s->llvm, "image_", 6);
}

static bool nop_with_dword(const struct sample *s)
{
    bool is_nop = !strncmp(s->llvm, "v_nop", 5) || !strcmp(s->llvm, "v_clrexcp");
    return (s->status == GCN_REJECT_SDWA || s->status == GCN_REJECT_DPP) && is_nop;
}

static bool ds_bit25(const struct sample *s)
{
    return !s->status && s->inst.encoding == GCN_DS && !*s->llvm && s->word >> 25 & 1;
}

static bool image_atomic_fault_status(const struct sample *s)
{
    return !strncmp(s->llvm, "image_atomic", 12) && strstr(s->llvm, " tfe");
}

static bool gather4_d16(const struct sample *s)
{
    return !s->status && gcn_op_info[s->inst.op].flags & GCN_F_GATHER4 && s->inst.mem.flags & GCN_MEM_D16;
}

static bool ldexp_f16_exponent(const struct sample *s)
{
    return !s->status && s->inst.op == GCN_OP_v_ldexp_f16 && s->inst.src[1].kind == GCN_INLINE;
}

static bool odd_group(const struct sample *s)
{
    return s->status == GCN_REJECT_ALIGNMENT;
}

static bool no_gds(const struct sample *s)
{
    return target->layout->unified && s->status == GCN_REJECT_MODIFIER && !strncmp(s->llvm, "ds_", 3) &&
           s->word >> 16 & 1;
}

enum { ALL_TARGETS = (1 << GCN_TARGET_COUNT) - 1, GFX90A = 1 << GCN_TARGET_gfx90a, OLDER = GFX90A - 1 };

static struct {
    bool (*applies)(const struct sample *s);
    const char *reason;
    unsigned targets; /* where it is expected: a bit for each */
    unsigned count;
} differences[] = {
    {sign_of_integer, "LLVM drops sign bits of integer sources in VOP3, or prints them as sext()", ALL_TARGETS, 0},
    {flat_offset_bit12, "FLAT offsets have 12 bits; LLVM prints the reserved bit 12 and does not assemble it",
     ALL_TARGETS, 0},
    {special_register, "LLVM takes null and read-only sources as any kind of register, even as a destination",
     ALL_TARGETS, 0},
    {invalid_operand, "LLVM prints export targets and interpolation parameters that do not exist", OLDER, 0},
    {image_atomic_dmask, "dmask of image atomics tells their width; LLVM prints impossible ones", ALL_TARGETS, 0},
    {image_data_overflow, "LLVM prints image data of fewer registers where they exceed the file", ALL_TARGETS, 0},
    {nop_with_dword, "v_nop and v_clrexcp have no sub-dword or DPP form", ALL_TARGETS, 0},
    {ds_bit25, "LLVM ignores the unused bit 25 of DS, as we do, except in *_src2, gws and nop operations", ALL_TARGETS,
     0},
    {image_atomic_fault_status, "LLVM does not know image atomics with a fault code beyond one or two registers", OLDER,
     0},
    {gather4_d16, "LLVM takes image_gather4 d16 for four registers where there are two and the fault code", OLDER, 0},
    {ldexp_f16_exponent, "the exponent of v_ldexp_f16 is an i16; LLVM prints its constants as f16", ALL_TARGETS, 0},
    {odd_group, "LLVM prints register groups at odd numbers, which it does not assemble for gfx90a", GFX90A, 0},
    {no_gds, "LLVM ignores the bit for global data share, which gfx90a lacks", GFX90A, 0},
};

static unsigned long compared, accepted, failures;
static uint8_t seen[GCN_OP_COUNT][GCN_ENCODING_COUNT][3]; /* accepted with equal text: operation, encoding, variant */

/* Encodings for which LLVM's printer ends the process, as it believes them impossible; the decoder must refuse them. */
static bool kills_llvm(uint64_t word)
{
    uint32_t w0 = (uint32_t)word, w1 = (uint32_t)(word >> 32);
    bool vopc = w0 >> 25 == 62, vop1 = w0 >> 25 == 63;
    if (w0 >> 31 || (w0 & 511) != 249)
        return false;
    return (!vopc && ((w1 >> 8 & 7) == 7 || (w1 >> 11 & 3) == 3)) || (w1 >> 16 & 7) == 7 ||
           (!vop1 && (w1 >> 24 & 7) == 7);
}

static void fail(const struct sample *s, size_t length, const char *ours)
{
    if (failures++ < MAX_REPORTS || getenv("DECODE_TEST_ALL"))
        printf("# %08x %08x: LLVM %zu \"%s\", here %u \"%s\" %s\n", (unsigned)s->word, (unsigned)(s->word >> 32),
               length, s->llvm, s->status ? 0 : s->inst.size, ours, gcn_decode_reason(s->status));
}

static void compare(uint64_t word)
{
    uint8_t bytes[8];
    char theirs[ORACLE_TEXT], ours[ORACLE_TEXT] = "";
    struct sample s = {.word = word, .llvm = theirs};
    store64(bytes, word);
    s.status = gcn_decode(target, bytes, sizeof bytes, &s.inst);
    if (!s.status)
        gcn_print(target, &s.inst, ours, sizeof ours);
    compared++;
    theirs[0] = '\0';
    if (kills_llvm(word)) {
        if (!s.status)
            fail(&s, 0, ours);
        return;
    }
    size_t length = oracle_disassemble(bytes, sizeof bytes, theirs);
    if (!s.status && length == s.inst.size && !strcmp(theirs, ours)) {
        accepted++;
        seen[s.inst.op][s.inst.encoding][s.inst.variant] = 1;
        return;
    }
    if (s.status && !length)
        return;
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
        if (differences[i].targets >> number & 1 && differences[i].applies(&s)) {
            differences[i].count++;
            return;
        }
    fail(&s, length, ours);
}

static uint64_t with_field(uint64_t word, struct field f, uint64_t value)
{
    uint64_t mask = ((UINT64_C(1) << f.width) - 1) << f.low;
    return (word & ~mask) | (value << f.low & mask);
}

static uint64_t random_state = 0x9e3779b97f4a7c15;

static uint64_t random64(void)
{
    return xorshift(&random_state);
}

/* All values of each field, then random values of some fields. */
static void vary(uint64_t base, const struct field *fields)
{
    unsigned count = 0;
    compare(base);
    for (; fields[count].width; count++) {
        uint64_t values = UINT64_C(1) << fields[count].width;
        uint64_t step = fields[count].width <= 10 ? 1 : values / 509;
        for (uint64_t value = 0; value < values; value += step)
            compare(with_field(base, fields[count], value));
        compare(with_field(base, fields[count], values - 1));
    }
    for (unsigned i = 0; i < RANDOM_PER_BASE && count > 1; i++) {
        uint64_t word = base;
        for (unsigned changes = 2 + random64() % 3; changes; changes--)
            word = with_field(word, fields[random64() % count], random64());
        compare(word);
    }
}

static void formats(void)
{
    for (unsigned op = 0; op < GCN_OP_COUNT; op++) {
        struct base bases[MAX_BASES];
        unsigned count = fields_bases(target, (enum gcn_op)op, bases);
        for (unsigned i = 0; i < count; i++)
            vary(bases[i].word, bases[i].fields);
    }
    ok(!failures, "%s: %lu encodings, %lu of them accepted, are as LLVM sees them", target->processor->name, compared,
       accepted);
}

/* Checks that the test met each encoding in the table, and that both texts were equal there. */
static void every_operation(void)
{
    unsigned missing = 0, count = 0;
    for (unsigned op = 0; op < GCN_OP_COUNT; op++) {
        const struct gcn_op_info *info = &gcn_op_info[op];
        if (!gcn_target_has(target, (enum gcn_op)op))
            continue;
        count++;
        bool flat = info->encoding == GCN_FLAT;
        bool good = (seen[op][info->encoding][GCN_PLAIN] || info->flags & GCN_F_GLOBAL) &&
                    (!(info->flags & GCN_F_E64) || seen[op][GCN_VOP3][GCN_PLAIN]);
        good &= !(info->flags & GCN_F_SDWA) || seen[op][info->encoding][GCN_SDWA];
        good &= !(info->flags & GCN_F_DPP) || seen[op][info->encoding][GCN_DPP];
        good &= !flat || seen[op][GCN_GLOBAL][GCN_PLAIN];
        good &= !(info->flags & GCN_F_SCRATCH) || seen[op][GCN_SCRATCH][GCN_PLAIN];
        if (!good && missing++ < MAX_REPORTS)
            printf("# %s: an encoding was never accepted\n", info->name);
    }
    ok(!missing && count > 1000, "%s: all %u operations in all their encodings", target->processor->name, count);
}

/* Opcodes without a row, and top bits that belong to no encoding. */
static void unknown_opcodes(void)
{
    unsigned long before = failures;
    for (unsigned top = 0; top < 1u << 16; top++) {
        uint64_t low = top >> 10 == 48 ? UINT64_C(0x10) << 32 : 0;
        compare((uint64_t)top << 16 | low);
        compare((uint64_t)top << 16 | 0x0100 | low);
    }
    ok(failures == before, "opcodes without an operation are refused");
}

static void immediates(void)
{
    static const uint32_t words[] = {0xbf8c0000, 0xbf900000, 0xbf9d0000, 0xb8850000, 0xb9050000, 0xbf820000};
    unsigned long before = failures;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (unsigned imm = 0; imm < 1u << 16; imm++)
            compare(words[i] | imm);
    for (unsigned imm = 0; imm < 1u << 16; imm++)
        compare(UINT64_C(0x0100000200000000) | 0xd87a0000 | imm); /* ds_swizzle_b32 */
    ok(failures == before, "all 16-bit immediates with a text of their own");
}

static void random_words(void)
{
    unsigned long before = failures;
    for (unsigned i = 0; i < 300000; i++)
        compare(random64());
    ok(failures == before, "random words");
}

/* Checks that each prefix of an instruction is refused as truncated, and that nothing after it is read. */
static void truncation(void)
{
    bool good = true;
    for (unsigned i = 0; i < 100000; i++) {
        struct gcn_inst inst;
        uint64_t word = random64();
        uint8_t *bytes = malloc(8);
        store64(bytes, word);
        enum gcn_decode_status status = gcn_decode(target, bytes, 8, &inst);
        unsigned size = inst.size;
        for (unsigned shorter = 0; shorter < 8; shorter++) {
            uint8_t *part = malloc(shorter ? shorter : 1); /* the address sanitizer sees reads beyond it */
            memcpy(part, bytes, shorter);
            enum gcn_decode_status now = gcn_decode(target, part, shorter, &inst);
            good &= shorter < size ? now != GCN_DECODE_OK : now == status;
            good &= inst.size <= shorter;
            if (status == GCN_DECODE_OK && shorter < size)
                good &= now == GCN_REJECT_TRUNCATED;
            free(part);
        }
        free(bytes);
    }
    ok(good, "truncated instructions are refused");
}

static void compare_target(void)
{
    const char *why;
    compared = accepted = failures = 0;
    memset(seen, 0, sizeof seen);
    if (!oracle_open(target->processor->name, &why)) {
        tap_skip("comparison with LLVM", why);
        return;
    }
    formats();
    every_operation();
    unknown_opcodes();
    immediates();
    random_words();
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++) {
        if (!(differences[i].targets >> number & 1))
            continue;
        ok(differences[i].count > 0, "still differs (%u): %s", differences[i].count, differences[i].reason);
        differences[i].count = 0;
    }
    oracle_close();
}

int main(int argc, char **argv)
{
    for (; (target = gcn_target_number(number)); number++) {
        if (argc > 1 && strcmp(argv[1], target->processor->name) != 0)
            continue;
        truncation();
        compare_target();
    }
    return tap_done();
}
