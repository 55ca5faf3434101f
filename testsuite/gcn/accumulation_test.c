/* SPDX-License-Identifier: MIT */
/* Accumulation registers as data of memory operations on gfx90a: each operation of each encoding is executed twice,
 * with vector registers and with accumulation registers that hold the same, and must have the same effect on both. The
 * other tests of memory say what the first is. */
#include "testsuite/gcn/decode_fields.h"
#include "testsuite/gcn/wave_bench.h"

#include "runtime/gcn/inst/decode.h"
#include "runtime/gcn/inst/print.h"

enum { MEMORY = 1 << 15, PRIVATE = 256, STEP = 64, S_ENDPGM = 0xbf810000u };

static const struct gcn_target *target;
static struct gcn_wave *start;
static uint8_t *memory, *initial, *after;
static unsigned tried[GCN_OP_COUNT], failures;

static bool is_memory(const struct gcn_op_info *info)
{
    bool accesses =
        info->flags & (GCN_F_LOAD | GCN_F_STORE | GCN_F_ATOMIC) && info != &gcn_op_info[GCN_OP_buffer_store_lds_dword];
    return accesses && !(info->flags & GCN_F_GDS) &&
           (info->encoding == GCN_DS || info->encoding == GCN_FLAT || info->encoding == GCN_MUBUF ||
            info->encoding == GCN_MTBUF);
}

/* The word of the base with the bit that asks for accumulation registers. */
static uint64_t accumulated(uint64_t word, const struct gcn_inst *inst)
{
    return word | UINT64_C(1) << (inst->encoding == GCN_DS ? 25 : 55);
}

/* A wave whose addresses, in the registers that fields_bases() takes, lie in the memory. */
static void prepare(const struct gcn_inst *inst)
{
    uint64_t base = (uintptr_t)memory;
    bool offset_only = inst->encoding == GCN_DS || inst->encoding == GCN_MUBUF || inst->encoding == GCN_MTBUF ||
                       inst->encoding == GCN_SCRATCH || inst->src[2].kind;
    memset(start, 0, offsetof(struct gcn_wave, v));
    for (unsigned n = 0; n < GCN_VGPRS; n++)
        for (unsigned l = 0; l < GCN_LANES; l++)
            start->v[n][l] = (uint32_t)random64() & 0xbfffbfff; /* no exponent is all ones */
    for (unsigned l = 0; l < GCN_LANES; l++) {
        uint64_t at = (offset_only ? 0 : base) + (inst->encoding == GCN_SCRATCH ? 8 : STEP) * (l % 20);
        start->v[4][l] = (uint32_t)at;
        start->v[5][l] = (uint32_t)(at >> 32);
    }
    memcpy(start->a, start->v, sizeof start->a);
    gcn_set64(start, 6, inst->encoding == GCN_SCRATCH ? 16 : base);
    gcn_set64(start, 8, base);
    gcn_set64(start, 10, MEMORY | UINT64_C(0x00027fac) << 32); /* elements of 32 bits */
    start->s[GCN_S_M0] = 0;
    gcn_set64(start, GCN_S_EXEC, random64());
    start->lds = memory;
    start->lds_size = MEMORY / 2;
    start->scratch = memory + MEMORY / 2;
    start->scratch_size = PRIVATE;
    for (unsigned i = 0; i < MEMORY; i++)
        initial[i] = (uint8_t)random64() & 0xbf;
}

static bool execute(struct bench *b, uint64_t word)
{
    uint32_t code[3] = {(uint32_t)word, (uint32_t)(word >> 32), S_ENDPGM};
    memcpy(memory, initial, MEMORY);
    memcpy(b->wave, start, sizeof *start);
    bool good = bench_run(b, code, 3, 0x2f0);
    memcpy(after, memory, MEMORY);
    return good;
}

static void report(const struct gcn_inst *inst, const char *what)
{
    char text[128];
    gcn_print(target, inst, text, sizeof text);
    if (failures++ < 8)
        printf("# %s: %s\n", text, what);
}

static void compare(struct bench *b, uint64_t word)
{
    static uint8_t memory_then[MEMORY];
    static uint32_t registers[GCN_VGPRS][GCN_LANES];
    struct gcn_inst inst, other;
    uint64_t twin;
    if (gcn_decode(target, &word, 8, &inst))
        return;
    twin = accumulated(word, &inst);
    if (gcn_decode(target, &twin, 8, &other)) {
        if (!(inst.mem.flags & (GCN_MEM_LDS | GCN_MEM_GDS)))
            report(&inst, "is refused with accumulation registers");
        return;
    }
    prepare(&inst);
    if (!execute(b, word)) {
        report(&inst, "does not end");
        return;
    }
    memcpy(memory_then, after, MEMORY);
    memcpy(registers, b->wave->v, sizeof registers);
    bool same =
        execute(b, twin) && !memcmp(memory_then, after, MEMORY) && !memcmp(b->wave->v, start->v, sizeof start->v);
    if (!same || memcmp(b->wave->a, registers, sizeof registers))
        report(&other, "differs from vector registers");
    tried[inst.op]++;
}

static void test_engine(struct bench *b, const char *name)
{
    unsigned missing = 0, operations = 0;
    failures = 0;
    memset(tried, 0, sizeof tried);
    for (unsigned op = 0; op < GCN_OP_COUNT; op++) {
        struct base bases[MAX_BASES];
        unsigned count = is_memory(&gcn_op_info[op]) ? fields_bases(target, (enum gcn_op)op, bases) : 0;
        for (unsigned i = 0; i < count; i++)
            compare(b, bases[i].word);
        missing += count && !tried[op];
        operations += tried[op] != 0;
        if (count && !tried[op])
            printf("# %s was never tried\n", gcn_op_info[op].name);
    }
    ok(!failures, "%s: memory operations treat accumulation registers as they treat vector registers", name);
    ok(!missing && operations > 100, "%s: each memory operation was tried with accumulation registers", name);
}

int main(void)
{
    struct bench b;
    target = gcn_target_find("gfx90a", 6);
    start = bench_pages(sizeof *start);
    memory = bench_pages(3 * MEMORY);
    if (!bench_begin(&b) || !start || !memory)
        return 1;
    initial = memory + MEMORY;
    after = memory + 2 * MEMORY;
    unsigned next = 0;
    for (const struct gcn_engine *engine; (engine = each_engine(&next));) {
        b.cache = gcn_cache_new(engine, target);
        test_engine(&b, engine->name);
        gcn_cache_free(b.cache);
    }
    bench_end(&b);
    munmap(start, sizeof *start);
    munmap(memory, 3 * MEMORY);
    return tap_done();
}
