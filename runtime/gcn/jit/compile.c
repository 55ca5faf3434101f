/* SPDX-License-Identifier: MIT */
/* Opens the compiler for an engine, compiles units, and closes it.
 * Input: units of translated code. Output: object files. Invariant: nothing of the unit but its micro-operations,
 * their places and its constants has an influence. */
#include "runtime/gcn/jit/build.h"

#include "support/alloc.h"

#include <stdio.h>
#include <string.h>

/* The templates, as clang made them. */
#define BITCODE(name, file)                                                                                  \
    __asm__(".section .rodata\n.balign 16\n" #name ":\n.incbin \"" file "\"\n" #name "_end:\n.previous");     \
    extern const char name[], name##_end[]
BITCODE(templates_avx2, JIT_BITCODE_AVX2);
BITCODE(templates_avx512, JIT_BITCODE_AVX512);

/* COUNT indices from FIRST on. */
static LLVMValueRef make_steps(struct gcn_jit *jit, unsigned first, unsigned step, unsigned count)
{
    LLVMValueRef elements[32];
    for (unsigned i = 0; i < count; i++)
        elements[i] = LLVMConstInt(jit->i32, first + i * step, 0);
    return LLVMConstVector(elements, count);
}

static void make_types(struct gcn_jit *jit)
{
    LLVMContextRef c = jit->context;
    jit->i1 = LLVMInt1TypeInContext(c);
    jit->i8 = LLVMInt8TypeInContext(c);
    jit->i16 = LLVMInt16TypeInContext(c);
    jit->i32 = LLVMInt32TypeInContext(c);
    jit->i64 = LLVMInt64TypeInContext(c);
    jit->pointer = LLVMPointerTypeInContext(c, 0);
    jit->chunk = LLVMVectorType(jit->i32, jit->lanes);
    jit->wide = LLVMVectorType(jit->i64, jit->lanes);
    jit->halves = LLVMVectorType(jit->i32, 2 * jit->lanes);
    jit->bits = LLVMVectorType(jit->i1, jit->lanes);
    jit->mask = jit->lanes == 16 ? jit->i16 : jit->i8;
    LLVMTypeRef parameters[] = {jit->pointer, jit->pointer};
    jit->handler = LLVMFunctionType(jit->pointer, parameters, 2, 0);
    LLVMValueRef both[16];
    for (unsigned side = 0; side < 2; side++) {
        for (unsigned i = 0; i < jit->lanes; i++)
            both[i] = LLVMConstInt(jit->i32, side * jit->lanes / 2 + i / 2 + i % 2 * jit->lanes, 0);
        jit->interleave[side] = LLVMConstVector(both, jit->lanes);
        jit->side[side] = make_steps(jit, side * jit->lanes, 1, jit->lanes);
    }
    jit->joined = make_steps(jit, 0, 1, 2 * jit->lanes);
    jit->low = make_steps(jit, 0, 2, jit->lanes);
    jit->high = make_steps(jit, 1, 2, jit->lanes);
}

static bool read_templates(struct gcn_jit *jit)
{
    bool wide = jit->lanes == 16;
    const char *begin = wide ? templates_avx512 : templates_avx2,
               *end = wide ? templates_avx512_end : templates_avx2_end;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(begin, (size_t)(end - begin), "templates", 0);
    if (LLVMGetBitcodeModuleInContext2(jit->context, buffer, &jit->library)) {
        LLVMDisposeMemoryBuffer(buffer); /* otherwise the module has it */
        return false;
    }
    jit->reader = LLVMCreateFunctionPassManagerForModule(jit->library);
    return true;
}

const char *jit_host(unsigned lanes)
{
    static char text[4096];
    if (*text) /* the engine, and so LANES, is the same for all units of this process */
        return text;
    unsigned version[3];
    char *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures();
    LLVMGetVersion(&version[0], &version[1], &version[2]);
    snprintf(text, sizeof text, "%u lanes, LLVM %u.%u.%u, %s %s", lanes, version[0], version[1], version[2], cpu,
             features);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
    return text;
}

/* Code that is a few wide loops gains little from what LLVM does beyond its lowest level, which takes half of the time;
 * on the kernels of bench/compiled_bench it is 2 to 3 % slower. It does gain from registers that are allocated with
 * care, though not from the passes that LLVM lets follow. Where there are few registers, it gains from an order of
 * instructions that needs fewer, too, and from a search among many blocks for where to split the range of a value.
 * Constants are folded, and instructions hoisted, where they are emitted. This process belongs to the compiler alone,
 * so that options of LLVM concern nobody else. */
static void choose_passes(bool wide)
{
    static const char *const options[] = {
        "hsail-gcn-worker",
        "-optimize-regalloc",
        "-x86-tile-ra=false",
        "-disable-ssc",
        "-disable-copyprop",
        "-disable-postra-machine-licm",
        "-grow-region-complexity-budget=10",
        "-enable-misched=false"};
    enum { FOR_WIDE = 2 }; /* the last ones, where there are 32 registers */
    static bool chosen;
    int count = sizeof options / sizeof options[0];
    if (!chosen)
        LLVMParseCommandLineOptions(wide ? count : count - FOR_WIDE, options, "");
    chosen = true;
}

static bool make_machine(struct gcn_jit *jit)
{
    static const char triple[] = "x86_64-pc-linux-gnu";
    LLVMTargetRef target;
    char *message = NULL;
    bool wide = jit->lanes == 16;
    choose_passes(wide);
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    if (LLVMGetTargetFromTriple(triple, &target, &message)) {
        LLVMDisposeMessage(message);
        return false;
    }
    char *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures();
    jit->machine = LLVMCreateTargetMachine(target, triple, wide ? cpu : "haswell", wide ? features : "+avx2,+fma,+f16c",
                                           LLVMCodeGenLevelNone, LLVMRelocPIC, LLVMCodeModelDefault);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
    jit->layout = jit->machine ? LLVMCreateTargetDataLayout(jit->machine) : NULL;
    return jit->machine;
}

void jit_close(struct gcn_jit *jit)
{
    if (jit->layout)
        LLVMDisposeTargetData(jit->layout);
    if (jit->machine)
        LLVMDisposeTargetMachine(jit->machine);
    if (jit->reader)
        LLVMDisposePassManager(jit->reader);
    if (jit->library)
        LLVMDisposeModule(jit->library);
    if (jit->context)
        LLVMContextDispose(jit->context);
    mem_free(jit->templates);
    mem_free(jit->effects);
    mem_free(jit);
}

struct gcn_jit *jit_open(const struct gcn_engine *engine, unsigned lanes, const struct gcn_jit_control *control)
{
    struct gcn_jit *jit = mem_zalloc(1, sizeof *jit);
    if (!jit)
        return NULL;
    jit->engine = engine;
    jit->lanes = lanes;
    jit->context = LLVMContextCreate();
    make_types(jit);
    if (!read_templates(jit) || !make_machine(jit) || !effects_make(jit, control)) {
        jit_close(jit);
        return NULL;
    }
    return jit;
}

/* Whether micro-operation INDEX computes with registers alone and leaves EXEC as it is. */
static bool is_plain(const struct builder *f, uint32_t index)
{
    const struct effect *effect = f->effects[index];
    switch (effect->kind) {
    case EFFECT_VECTOR:
    case EFFECT_COMPARE:
    case EFFECT_SCALAR:
    case EFFECT_SWAP:
    case EFFECT_SPLAT32:
    case EFFECT_SPLAT64:
    case EFFECT_MOD32:
    case EFFECT_MOD64:
    case EFFECT_COPY64: return !live_writes_exec(effect, &f->unit->ops[index]);
    default: return false; /* of others, this is not so, or not known */
    }
}

/* Where control comes after the stop at INDEX: after the instructions that pass_barrier() executes first. */
static uint32_t find_resumption(const struct builder *f, uint32_t index)
{
    uint32_t next = index + 1, end = next;
    if (f->effects[index]->id != GCN_OP_s_barrier)
        return next;
    for (; next + 1 < f->unit->total && !f->leader[next] && is_plain(f, next); next++)
        if (f->unit->pcs[next] != f->unit->pcs[next + 1]) /* the instruction is whole */
            end = next + 1;
    return end;
}

/* Marks the micro-operations to which control may come from elsewhere than the one before; false if that is outside. */
static bool find_leaders(struct builder *f)
{
    f->leader[0] = 1;
    for (uint32_t i = 0; i < f->unit->total; i++) {
        const struct effect *effect = f->effects[i];
        uint32_t target = i + (uint32_t)f->unit->ops[i].imm;
        if (effect->kind == EFFECT_BRANCH && target >= f->unit->total)
            return false;
        if (effect->kind == EFFECT_BRANCH)
            f->leader[target] = f->leader[i + 1] = 1;
        else if (effect->kind == EFFECT_LEAVE)
            f->leader[i + 1] = 1;
    }
    for (uint32_t i = f->unit->total; i-- > 0;) /* what follows a stop may be another one */
        if (f->effects[i]->kind == EFFECT_STOP)
            f->leader[find_resumption(f, i)] = 1;
    return true;
}

/* Marks what lies in loops, smaller loops first, until it would be too much. Returns whether anything was marked. */
static bool find_hot(struct builder *f, unsigned flags)
{
    uint32_t count = f->unit->total, total = 0;
    if (flags & GCN_JIT_WHOLE && count <= UNIT_OPS_MAX) {
        memset(f->hot, 1, count);
        return true;
    }
    for (uint32_t limit = 32; limit <= UNIT_OPS_MAX; limit *= 2)
        for (uint32_t i = 0; i < count; i++) {
            uint32_t length = (uint32_t)(1 - f->unit->ops[i].imm);
            if (f->effects[i]->kind != EFFECT_BRANCH || !f->effects[i]->back || length > limit)
                continue;
            if (f->hot[i + 1 - length] && f->hot[i]) /* inside of a loop that is marked already */
                continue;
            if (total + length > UNIT_OPS_MAX)
                return total;
            memset(f->hot + i + 1 - length, 1, length);
            total += length;
        }
    return total;
}

static bool emit_object(struct builder *f, struct jit_result *result)
{
    LLVMMemoryBufferRef object = NULL;
    char *message = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(f->jit->machine, f->module, LLVMObjectFile, &message, &object)) {
        LLVMDisposeMessage(message);
        return false;
    }
    result->size = LLVMGetBufferSize(object);
    result->object = mem_alloc(result->size);
    if (result->object)
        memcpy(result->object, LLVMGetBufferStart(object), result->size);
    LLVMDisposeMemoryBuffer(object);
    return result->object;
}

static bool build_and_emit(struct builder *f, unsigned flags, struct jit_result *result)
{
    f->module = LLVMModuleCreateWithNameInContext("unit", f->jit->context);
    LLVMSetModuleDataLayout(f->module, f->jit->layout);
    LLVMSetTarget(f->module, "x86_64-pc-linux-gnu");
    f->b = LLVMCreateBuilderInContext(f->jit->context);
    loop_find_all(f);
    build_unit(f);
    for (uint32_t i = 0; i < f->unit->total; i++)
        f->leader[i] = f->leader[i] == LEADER_YES && f->hot[i];
    bool wrong = flags & GCN_JIT_CHECK && LLVMVerifyFunction(f->function, LLVMReturnStatusAction);
    bool done = !wrong && emit_object(f, result);
    LLVMDisposeBuilder(f->b);
    LLVMDisposeModule(f->module);
    return done;
}

bool jit_compile(struct gcn_jit *jit, const struct gcn_unit *unit, gcn_handler *const *handlers, unsigned flags,
                 struct jit_result *result)
{
    size_t count = unit->total;
    struct builder *f = mem_zalloc(1, sizeof *f);
    bool done = false;
    *result = (struct jit_result){0};
    if (!f)
        return false;
    f->jit = jit;
    f->unit = unit;
    f->handlers = handlers;
    f->effects = mem_zalloc(count, sizeof *f->effects);
    f->leader = mem_zalloc(count + 1, 1);
    f->hot = mem_zalloc(count + 1, 1);
    f->loop_end = mem_zalloc(count + 1, sizeof *f->loop_end);
    f->blocks = mem_zalloc(count + 1, sizeof *f->blocks);
    if (f->effects && f->leader && f->hot && f->loop_end && f->blocks) {
        for (size_t i = 0; i < count; i++)
            f->effects[i] = effect_of(jit, handlers[i]);
        done = find_leaders(f) && find_hot(f, flags) && live_compute(f, flags) && build_and_emit(f, flags, result);
    }
    for (size_t i = 0; i < count && done; i++)
        result->instructions += f->hot[i] && (!i || !f->hot[i - 1] || unit->pcs[i] != unit->pcs[i - 1]);
    if (done) {
        result->entries = f->leader;
        f->leader = NULL;
    }
    mem_free(f->leader);
    mem_free(f->hot);
    mem_free(f->loop_end);
    mem_free(f->loop_state);
    mem_free(f->parts);
    mem_free(f->blocks);
    mem_free(f->effects);
    mem_free(f->live);
    mem_free(f->read);
    mem_free(f);
    return done;
}
