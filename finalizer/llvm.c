/* SPDX-License-Identifier: MIT */
/* Sessions with LLVM: start, error channels, pass pipeline, code generation.
 * Input: a module built by the lowering. Output: an object file in memory.
 * Invariant: no error of LLVM ends the process while a session runs in llvm_protect(). See llvm.h. */
#include "finalizer/llvm.h"

#include "finalizer/flow.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* The session that is inside llvm_protect() on this thread; it gets LLVM's fatal errors. */
static _Thread_local struct llvm_session *protected_session;

static void on_fatal_error(const char *reason)
{
    struct llvm_session *session = protected_session;
    if (!session)
        return; /* not during a session: LLVM ends the process, as it would without this handler */
    session->broken = true;
    llvm_fail(session, LLVM, reason);
    longjmp(session->escape, 1);
}

/* Records that a function needs more private memory than waves have, if that is what LLVM's message TEXT says: first
 * the size and then the limit in parentheses, then the name. */
static void record_frame(struct llvm_session *session, const char *text)
{
    const char *at = strstr(text, "frame"), *limits = at ? strstr(at, "limit") : NULL;
    unsigned long long size, limit;
    char name[257];
    if (limits && sscanf(at, "%*[^(](%llu)%*[^(](%llu)%*[^']'%256[^']", &size, &limit, name) == 3)
        llvm_fail(session, FRAME_SIZE, name, size, limit);
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *data)
{
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    struct llvm_session *session = data;
    char *text = LLVMGetDiagInfoDescription(info);
    record_frame(session, text);
    llvm_fail(session, LLVM, text);
    LLVMDisposeMessage(text);
}

/* Switches off three passes that make wrong code or lead to it (doc/decisions/llvm-sdwa.md, llvm-late-copies.md,
 * llvm-constant-halves.md), multiplications of 24 bits that would be used as ones of 32
 * (doc/decisions/llvm-short-multiply.md), a pass that makes regular control flow irregular again
 * (doc/decisions/llvm-control-flow.md), and habits of the register allocator: spilling scalar registers to vector
 * registers, sharing their places with those of vector registers (both in doc/decisions/llvm-scalar-spills.md), and
 * splitting live ranges along regions (doc/decisions/llvm-region-splitting.md); and what takes more time than it is
 * worth (doc/decisions/llvm-time.md). */
static void set_options(void)
{
    static const char *const arguments[] = {
        "hsail",
        "-amdgpu-sdwa-peephole=0",
        "-amdgpu-codegenprepare-mul24=0",
        "-disable-cgp",
        "-amdgpu-spill-sgpr-to-vgpr=0",
        "-no-stack-slot-sharing",
        "-grow-region-complexity-budget=0",
        "-disable-postra-machine-sink",
        "-disable-peephole",
        "-disable-lsr",
        "-amdgpu-scalar-ir-passes=0",
        "-large-interval-freq-threshold=10",
        "-accel-tables=Disable"};
    LLVMParseCommandLineOptions(sizeof arguments / sizeof arguments[0], arguments, NULL);
}

static void start_llvm(void)
{
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser(); /* inline assembly is parsed when an object is written */
    LLVMInstallFatalErrorHandler(on_fatal_error);
    set_options();
}

static void add_code_object_version(struct llvm_session *session)
{
    static const char key[] = "amdhsa_code_object_version";
    LLVMValueRef version =
        LLVMConstInt(LLVMInt32TypeInContext(session->context), 100 * session->target->code_object, 0);
    LLVMAddModuleFlag(session->module, LLVMModuleFlagBehaviorError, key, sizeof key - 1, LLVMValueAsMetadata(version));
}

/* If a function weighs more than MOST_WEIGHT, the code generator leaves out what takes more than linear time
 * (doc/decisions/llvm-time.md). If it has loops, switches or irregular flow, it is divided into pieces of about the
 * weight PIECE, and so it is if its flow is irregular and it weighs more than MOST_IRREGULAR, or has more blocks of
 * irregular flow than MOST_NODES when its loops have one end. What cannot be divided is compiled as at -O0, with its
 * module. Loops are rotated if no function weighs more than MOST_ROTATED.
 */
enum { MOST_WEIGHT = 40000, MOST_IRREGULAR = 10000, PIECE = 2000, MOST_NODES = 300, MOST_ROTATED = 1500 };

static const char triple[] = "amdgcn-amd-amdhsa";

/* What LLVM is told that no processor has: sums of products of bytes, of which it makes wrong ones
 * (doc/decisions/llvm-byte-products.md). */
static const char no_products[] = "-dot7-insts,";

/* Makes the target machine, in place of the one that there may be. */
static bool make_machine(struct llvm_session *session, LLVMCodeGenOptLevel level)
{
    if (session->machine)
        LLVMDisposeTargetMachine(session->machine);
    session->machine = NULL;
    LLVMTargetRef found;
    char *error = NULL, features[sizeof session->target->features + sizeof no_products];
    if (LLVMGetTargetFromTriple(triple, &found, &error)) {
        llvm_fail(session, LLVM, error);
        LLVMDisposeMessage(error);
        return false;
    }
    snprintf(features, sizeof features, "%s%s", no_products, session->target->features);
    session->machine = LLVMCreateTargetMachine(
        found, triple, session->target->cpu, features, level, LLVMRelocPIC, LLVMCodeModelDefault);
    if (!session->machine)
        return llvm_fail(session, LLVM_TARGET, session->target->cpu);
    return true;
}

bool llvm_generate_quickly(struct llvm_session *session)
{
    if (session->level == LLVM_LEVEL_NONE)
        return true;
    return make_machine(session, LLVMCodeGenLevelLess);
}

bool llvm_open(struct llvm_session *session, const struct target *target, enum llvm_level level)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start_llvm);
    memset(session, 0, sizeof *session);
    session->level = level;
    session->target = target;
    if (!make_machine(session, level == LLVM_LEVEL_NONE ? LLVMCodeGenLevelNone : LLVMCodeGenLevelDefault))
        return false;
    session->layout = LLVMCreateTargetDataLayout(session->machine);
    session->context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(session->context, on_diagnostic, session);
    session->module = LLVMModuleCreateWithNameInContext("hsail", session->context);
    LLVMSetTarget(session->module, triple);
    LLVMSetModuleDataLayout(session->module, session->layout); /* set first: it gives allocas their address space */
    add_code_object_version(session);
    return true;
}

void llvm_close(struct llvm_session *session)
{
    if (session->broken)
        return;
    if (session->module)
        LLVMDisposeModule(session->module);
    if (session->context)
        LLVMContextDispose(session->context);
    if (session->layout)
        LLVMDisposeTargetData(session->layout);
    if (session->machine)
        LLVMDisposeTargetMachine(session->machine);
}

bool llvm_protect(struct llvm_session *session, bool (*body)(struct llvm_session *, void *), void *data)
{
    struct llvm_session *outer = protected_session;
    volatile bool done = false;
    protected_session = session;
    if (!setjmp(session->escape))
        done = body(session, data);
    protected_session = outer;
    return done && !session->failure.message;
}

bool llvm_run_passes(struct llvm_session *session, LLVMModuleRef module, const char *pipeline)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, pipeline, session->machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (error) {
        char *text = LLVMGetErrorMessage(error);
        llvm_fail(session, LLVM, text);
        LLVMDisposeErrorMessage(text);
    }
    return !session->failure.message;
}

static bool run_passes(struct llvm_session *session, const char *pipeline)
{
    return llvm_run_passes(session, session->module, pipeline);
}

static bool verify(struct llvm_session *session)
{
    char *text = NULL;
    if (LLVMVerifyModule(session->module, LLVMReturnStatusAction, &text))
        llvm_fail(session, LLVM_MODULE, text);
    LLVMDisposeMessage(text);
    return !session->failure.message;
}

/* The function whose control flow has the most irregular nodes, and how many; NULL and 0 if all flow is regular. */
struct irregular {
    LLVMValueRef function;
    uint32_t nodes;
};

/* Reads the control flow of F; if it is irregular, takes note in WORST, and changes it as STEP says. *CHANGED is set if
 * loops have got an end, so that it may be regular now. */
enum flow_step { FLOW_LOOK, FLOW_JOIN_EXITS, FLOW_REBUILD };

static bool visit_flow(struct llvm_session *session, LLVMValueRef f, enum flow_step step, struct irregular *worst,
                       bool *changed)
{
    struct flow flow;
    bool done = flow_open(&flow, session->context, f);
    uint32_t nodes = done ? flow_count_irregular(&flow) : 0;
    if (nodes > worst->nodes)
        *worst = (struct irregular){f, nodes};
    if (nodes && step == FLOW_JOIN_EXITS)
        done = flow_join_exits(&flow, changed);
    else if (nodes && step == FLOW_REBUILD)
        done = flow_rebuild(&flow);
    flow_close(&flow);
    return done || llvm_fail(session, OUT_OF_MEMORY);
}

/* Takes the step with each function whose control flow is not regular. */
static struct irregular visit_irregular(struct llvm_session *session, enum flow_step step)
{
    enum { ROUNDS = 8 };
    struct irregular worst = {0}, ignored = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(session->module); f; f = LLVMGetNextFunction(f)) {
        bool changed = step == FLOW_JOIN_EXITS;
        if (!LLVMCountBasicBlocks(f))
            continue;
        /* In each round the loops inside of those of the next one get an end. */
        for (int i = 0; i < ROUNDS && changed; i++) {
            changed = false;
            if (!visit_flow(session, f, FLOW_JOIN_EXITS, &ignored, &changed))
                return worst;
        }
        if (!visit_flow(session, f, step == FLOW_REBUILD ? FLOW_REBUILD : FLOW_LOOK, &worst, &changed))
            return worst;
    }
    return worst;
}

static bool is_irregular(struct llvm_session *session)
{
    return visit_irregular(session, FLOW_LOOK).function != NULL;
}

/* Gives loops one end; *WORST is what is irregular even then. Values go through memory from now on, while blocks
 * move. */
static bool join_exits(struct llvm_session *session, struct irregular *worst)
{
    *worst = (struct irregular){0};
    if (!run_passes(session, "function(reg2mem)"))
        return false;
    *worst = visit_irregular(session, FLOW_JOIN_EXITS);
    return !session->failure.message;
}

/* Rebuilds what is irregular although loops have one end. Neither simplifycfg nor jump threading may run afterwards:
 * they would bring the old flow back. */
static bool rebuild(struct llvm_session *session)
{
    visit_irregular(session, FLOW_REBUILD);
    return !session->failure.message && verify(session);
}

/* Makes irregular control flow regular, as LLVM's structurizer does not get it right
 * (doc/decisions/llvm-control-flow.md). */
static bool make_regular(struct llvm_session *session)
{
    struct irregular worst;
    return join_exits(session, &worst) && rebuild(session);
}

/* Whether the heaviest function weighs more than MOST, or than the options say. */
static bool is_heavy(struct llvm_session *session, unsigned most)
{
    unsigned weight;
    llvm_heaviest(session, &weight);
    return weight > (session->piece ? session->piece : most);
}

/* Whether there is debug information; functions with lines are not divided. */
static bool has_lines(struct llvm_session *session)
{
    return LLVMGetNamedMetadataNumOperands(session->module, "llvm.dbg.cu") > 0;
}

/* Makes control flow regular and divides functions into pieces. Values go through memory from now on. */
static bool divide(struct llvm_session *session)
{
    unsigned most = session->piece ? session->piece : PIECE;
    llvm_part_blocks(session, most / 2 + 1);
    if (!run_passes(session, "function(lower-switch,mergereturn)"))
        return false;
    llvm_demote_values(session);
    visit_irregular(session, FLOW_JOIN_EXITS);
    return !session->failure.message && rebuild(session) && llvm_divide_functions(session, most) && verify(session);
}

/* Calls that cannot be reached go, and so do functions that nothing else calls: LLVM's analysis of registers crashes on
 * a function whose calls the code generator removes. */
static bool prepare(struct llvm_session *session)
{
    if (!run_passes(session, "always-inline,function(sccp),globaldce,function(lower-switch)"))
        return false;
    if (is_heavy(session, MOST_WEIGHT) && !has_lines(session) ? !divide(session)
                                                              : is_irregular(session) && !make_regular(session))
        return false;
    llvm_keep_nans(session);
    return !session->failure.message;
}

static const char *name_of(LLVMValueRef function)
{
    size_t length;
    return LLVMGetValueName2(function, &length);
}

/* Compiles the module without optimization, which takes about linear time for almost whatever it contains. */
static bool prepare_large(struct llvm_session *session)
{
    session->level = LLVM_LEVEL_NONE;
    return make_machine(session, LLVMCodeGenLevelNone) && prepare(session);
}

/* Moves the test of a loop to its end, with a copy of it before the loop. Only regular flow stays regular. The pass
 * takes the square of a function's length if that has many loops. */
static bool rotate_loops(struct llvm_session *session)
{
    unsigned weight;
    llvm_heaviest(session, &weight);
    return weight > MOST_ROTATED || run_passes(session, "function(loop(loop-rotate))");
}

/* The passes that make values of variables and leave the control flow as it is. */
static bool clean_up(struct llvm_session *session)
{
    return run_passes(session, "function(sroa,early-cse,instsimplify,adce)");
}

/* Makes what the optimization has left irregular regular. ORIGINAL is the module before optimization if that was
 * irregular, too; every register of HSAIL is one variable in memory there. It is rebuilt instead of the optimized
 * module, in which each of the many values that a register has would become a variable while blocks move
 * (doc/decisions/llvm-time.md). */
static bool regularize(struct llvm_session *session, LLVMModuleRef original)
{
    struct irregular worst;
    if (session->failure.message || !is_irregular(session)) {
        if (original)
            LLVMDisposeModule(original);
        return !session->failure.message && rotate_loops(session);
    }
    if (original) {
        LLVMDisposeModule(session->module);
        session->module = original;
        if (!run_passes(session, "function(lower-switch)"))
            return false;
    }
    if (!join_exits(session, &worst))
        return false;
    if (original && worst.nodes > MOST_NODES) {
        if (!has_lines(session))
            return divide(session) && clean_up(session);
        failure_record(&session->remark, FUNCTION_IRREGULAR, name_of(worst.function), worst.nodes, MOST_NODES);
        return prepare_large(session);
    }
    return rebuild(session) && clean_up(session);
}

/* Whether a function is so long that it is to be divided. */
static bool is_too_long(struct llvm_session *session)
{
    return (is_heavy(session, MOST_WEIGHT) && (session->piece || !llvm_mark_long(session, MOST_WEIGHT))) ||
           (is_heavy(session, MOST_IRREGULAR) && !has_lines(session) && is_irregular(session));
}

/* Divides long functions; if one has lines, its module is compiled as at -O0 instead. */
static bool shorten(struct llvm_session *session)
{
    unsigned weight;
    if (!has_lines(session) && (!divide(session) || !clean_up(session)))
        return false;
    LLVMValueRef heaviest = llvm_heaviest(session, &weight);
    if (weight <= MOST_WEIGHT || llvm_mark_long(session, MOST_WEIGHT))
        return true;
    failure_record(&session->remark, FUNCTION_LONG, name_of(heaviest), weight, MOST_WEIGHT);
    return prepare_large(session);
}

/* Makes the functions short enough for the code generator, and their control flow regular. */
static bool simplify(struct llvm_session *session)
{
    if (is_too_long(session))
        return shorten(session);
    LLVMModuleRef original = is_irregular(session) ? LLVMCloneModule(session->module) : NULL;
    run_passes(session, "function(sroa,early-cse,simplifycfg,instsimplify,adce,lower-switch),globaldce");
    return regularize(session, original);
}

/* Of LLVM's own passes for addresses, which are switched off, only the one that takes linear time runs, once the
 * control flow is regular (doc/decisions/llvm-time.md). */
static bool optimize(struct llvm_session *session)
{
    /* Inlining comes first, as it makes functions longer. */
    if (!run_passes(session, "always-inline,globaldce") || !simplify(session) || session->level == LLVM_LEVEL_NONE)
        return !session->failure.message;
    llvm_settle_undefined(session);
    if (!run_passes(session, "function(infer-address-spaces,separate-const-offset-from-gep,early-cse,sccp),globaldce"))
        return false;
    llvm_thaw(session); /* the passes that find constants, or use that values are undefined, are over */
    llvm_keep_nans(session);
    llvm_settle_constants(session);
    llvm_spell_out_products(session);
    llvm_spell_out_disjoint(session);
    llvm_hide_bytes(session);
    llvm_part_blocks(session, 0);
    return llvm_hide_ones(session);
}

bool llvm_optimize(struct llvm_session *session)
{
    if (!verify(session) || !(session->level == LLVM_LEVEL_NONE ? prepare(session) : optimize(session)) ||
        !run_passes(session, "amdgpu-attributor"))
        return false;
    if (session->level != LLVM_LEVEL_NONE)
        llvm_spare_long(session);
    return true;
}

LLVMMemoryBufferRef llvm_emit(struct llvm_session *session, bool assembly)
{
    LLVMMemoryBufferRef buffer = NULL;
    char *error = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(
            session->machine, session->module, assembly ? LLVMAssemblyFile : LLVMObjectFile, &error, &buffer)) {
        llvm_fail(session, LLVM, error);
        LLVMDisposeMessage(error);
        return NULL;
    }
    if (session->failure.message) { /* LLVM has reported an error although the call succeeded */
        LLVMDisposeMemoryBuffer(buffer);
        return NULL;
    }
    return buffer;
}
