/* SPDX-License-Identifier: MIT */
/* Templates: finding them in the bitcode, and copying their instructions into a function being built.
 * Input: functions of template.c. Output: instructions, with loads from parameters replaced by values.
 * Invariant: what is copied refers to nothing of the template's module but declarations of intrinsics. */
#include "runtime/gcn/jit/build.h"

#include <stdio.h>
#include <string.h>

static bool can_copy(LLVMValueRef instruction)
{
    if (LLVMIsAAllocaInst(instruction))
        return false;
    if (LLVMIsACallInst(instruction)) {
        LLVMValueRef callee = LLVMGetCalledValue(instruction);
        return LLVMIsAInlineAsm(callee) || (LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee));
    }
    if (LLVMIsALoadInst(instruction))
        return LLVMIsAArgument(LLVMGetOperand(instruction, 0));
    if (LLVMIsAStoreInst(instruction))
        return LLVMIsAArgument(LLVMGetOperand(instruction, 1));
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
        if (LLVMIsAGlobalVariable(operand) || LLVMIsAConstantExpr(operand))
            return false;
    }
    return true;
}

static bool is_usable_template(LLVMValueRef function)
{
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
    unsigned count = 0;
    if (!block || LLVMGetNextBasicBlock(block))
        return false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (!can_copy(i) || ++count > TEMPLATE_VALUES_MAX)
            return false;
    return true;
}

/* The type of what is loaded from a parameter, or stored to it. */
LLVMTypeRef template_type(const struct template *template, unsigned parameter)
{
    LLVMValueRef user = LLVMGetUser(LLVMGetFirstUse(LLVMGetParam(template->function, parameter)));
    return LLVMIsAStoreInst(user) ? LLVMTypeOf(LLVMGetOperand(user, 0)) : LLVMTypeOf(user);
}

struct template *template_find(struct gcn_jit *jit, const char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(jit->library, name);
    if (!function)
        return NULL;
    struct template *template = &jit->templates[jit->template_count++];
    *template = (struct template){.function = function};
    return template;
}

/* How many operations of the host the instruction of a template takes, about. */
static unsigned cost_of(const struct gcn_jit *jit, LLVMValueRef instruction)
{
    LLVMTypeRef type = LLVMTypeOf(instruction);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMIsALoadInst(instruction) || LLVMIsABitCastInst(instruction))
        return 0;
    return LLVMSizeOfTypeInBits(jit->layout, type) > 32 * jit->lanes ? 2 : 1;
}

bool template_read(struct gcn_jit *jit, struct template *template)
{
    LLVMValueRef function = template->function;
    if (template->read)
        return template->usable;
    LLVMRunFunctionPassManager(jit->reader, function); /* it has no passes, but needs the instructions */
    template->read = true;
    template->usable = is_usable_template(function);
    LLVMValueRef first = template->usable ? LLVMGetFirstInstruction(LLVMGetFirstBasicBlock(function)) : NULL;
    for (LLVMValueRef i = first; i; i = LLVMGetNextInstruction(i))
        template->cost += cost_of(jit, i);
    for (unsigned i = 0; template->usable && i < LLVMCountParams(function); i++)
        if (LLVMGetFirstUse(LLVMGetParam(function, i))) {
            LLVMTypeRef type = template_type(template, i);
            bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
            template->uses |= 1u << i;
            template->wide |= (unsigned)(vector && LLVMSizeOfTypeInBits(jit->layout, type) == 64 * jit->lanes) << i;
        }
    return template->usable;
}

LLVMValueRef build_intrinsic(struct builder *f, const char *name, LLVMTypeRef result, LLVMValueRef *arguments,
                             unsigned count)
{
    LLVMTypeRef types[4] = {0};
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
    LLVMValueRef function = LLVMGetNamedFunction(f->module, name);
    return LLVMBuildCall2(f->b, type, function ? function : LLVMAddFunction(f->module, name, type), arguments, count,
                          "");
}

LLVMValueRef build_blend(struct builder *f, LLVMValueRef lanes, LLVMValueRef on, LLVMValueRef off)
{
    struct gcn_jit *jit = f->jit;
    LLVMTypeRef type = LLVMTypeOf(on), floats = LLVMVectorType(LLVMFloatTypeInContext(jit->context), 8);
    bool sign = jit->lanes == 8 && (type == jit->chunk || type == floats) && LLVMIsAICmpInst(lanes) &&
                LLVMGetICmpPredicate(lanes) == LLVMIntSLT && LLVMTypeOf(LLVMGetOperand(lanes, 0)) == jit->chunk &&
                LLVMIsNull(LLVMGetOperand(lanes, 1));
    if (!sign)
        return LLVMBuildSelect(f->b, lanes, on, off, "");
    LLVMValueRef arguments[] = {
        build_as(f, off, floats), build_as(f, on, floats), build_as(f, LLVMGetOperand(lanes, 0), floats)};
    return build_as(f, build_intrinsic(f, "llvm.x86.avx.blendv.ps.256", floats, arguments, 3), type);
}

struct copy {
    struct builder *f;
    struct {
        LLVMValueRef from, to;
    } values[TEMPLATE_VALUES_MAX];
    unsigned count;
};

static LLVMValueRef copied(const struct copy *c, LLVMValueRef value)
{
    if (LLVMIsAInstruction(value))
        for (unsigned i = c->count; i-- > 0;)
            if (c->values[i].from == value)
                return c->values[i].to;
    return value;
}

/* The constant whose elements are those of X[0] and X[1] that a shuffle of a template takes. */
static LLVMValueRef fold_shuffle(LLVMBuilderRef b, LLVMValueRef shuffle, LLVMValueRef *x)
{
    LLVMValueRef numbers[64];
    unsigned count = LLVMGetNumMaskElements(shuffle);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(shuffle)));
    for (unsigned i = 0; i < count && i < 64; i++) {
        int number = LLVMGetMaskValue(shuffle, i);
        numbers[i] = number == LLVMGetUndefMaskElem() ? LLVMGetPoison(i32) : LLVMConstInt(i32, (unsigned)number, 0);
    }
    return count <= 64 ? LLVMBuildShuffleVector(b, x[0], x[1], LLVMConstVector(numbers, count), "") : NULL;
}

/* What INSTRUCTION of a template gives for constant operands X; NULL if that is not known here. */
static LLVMValueRef fold_constants(LLVMBuilderRef b, LLVMValueRef instruction, LLVMValueRef *x)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (LLVMIsABinaryOperator(instruction))
        return LLVMBuildBinOp(b, opcode, x[0], x[1], "");
    if (LLVMIsACastInst(instruction))
        return LLVMBuildCast(b, opcode, x[0], LLVMTypeOf(instruction), "");
    if (LLVMIsAICmpInst(instruction))
        return LLVMBuildICmp(b, LLVMGetICmpPredicate(instruction), x[0], x[1], "");
    if (LLVMIsAShuffleVectorInst(instruction))
        return fold_shuffle(b, instruction, x);
    return LLVMIsAInsertElementInst(instruction) ? LLVMBuildInsertElement(b, x[0], x[1], x[2], "") : NULL;
}

/* The one of operands X that the other leaves as it is; NULL if there is none. */
static LLVMValueRef unchanged(LLVMOpcode opcode, LLVMValueRef *x)
{
    bool zero = LLVMIsNull(x[1]);
    switch (opcode) {
    case LLVMAdd:
    case LLVMOr:
    case LLVMXor: return zero ? x[0] : LLVMIsNull(x[0]) ? x[1] : NULL;
    case LLVMSub:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: return zero ? x[0] : NULL;
    case LLVMAnd: return x[1] == LLVMConstAllOnes(LLVMTypeOf(x[1])) ? x[0] : NULL;
    default: return NULL;
    }
}

/* Comparison INSTRUCTION of X[0], if that is a bit that was extended, and X[1] zero, without the extension; else NULL.
 */
static LLVMValueRef compare_bit(struct builder *f, LLVMValueRef instruction, LLVMValueRef *x)
{
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(instruction);
    bool equal = predicate == LLVMIntEQ || predicate == LLVMIntNE;
    if (!equal || !LLVMIsAZExtInst(x[0]) || LLVMTypeOf(LLVMGetOperand(x[0], 0)) != f->jit->i1 || !LLVMIsNull(x[1]))
        return NULL;
    return build_is_zero(f, predicate, x[0]);
}

/* What the operands of INSTRUCTION tell about its result. LLVM would take its time to find out, and does not see it
 * from one block to another. */
static LLVMValueRef fold(const struct copy *c, LLVMValueRef instruction)
{
    LLVMValueRef x[3] = {NULL};
    int count = LLVMGetNumOperands(instruction), constant = 0;
    if (count > 3 || LLVMIsACallInst(instruction))
        return NULL;
    for (int i = 0; i < count; i++) {
        x[i] = copied(c, LLVMGetOperand(instruction, (unsigned)i));
        constant += LLVMIsAConstant(x[i]) != NULL;
    }
    if (LLVMIsABitCastInst(instruction))
        return build_as(c->f, x[0], LLVMTypeOf(instruction));
    if (LLVMIsASelectInst(instruction) && LLVMIsAConstantInt(x[0]))
        return LLVMIsNull(x[0]) ? x[2] : x[1];
    if (LLVMIsASelectInst(instruction) && LLVMTypeOf(x[0]) == c->f->jit->bits)
        return build_blend(c->f, x[0], x[1], x[2]);
    if (LLVMIsAICmpInst(instruction)) {
        LLVMValueRef bit = compare_bit(c->f, instruction, x);
        if (bit)
            return bit;
    }
    LLVMValueRef known = constant == count ? fold_constants(c->f->b, instruction, x) : NULL;
    return known || !LLVMIsABinaryOperator(instruction) ? known : unchanged(LLVMGetInstructionOpcode(instruction), x);
}

/* Inline assembly without the registers that clang says it changes: flags, which no vector operation changes. LLVM
 * would look for their names among those of all registers, each time. */
static LLVMValueRef without_clobbers(LLVMValueRef assembly)
{
    size_t size, length;
    const char *text = LLVMGetInlineAsmAsmString(assembly, &size);
    const char *constraints = LLVMGetInlineAsmConstraintString(assembly, &length);
    const char *clobbers = strstr(constraints, ",~{");
    return clobbers ? LLVMGetInlineAsm(LLVMGetInlineAsmFunctionType(assembly), text, size, constraints,
                                       (size_t)(clobbers - constraints), LLVMGetInlineAsmHasSideEffects(assembly),
                                       LLVMGetInlineAsmNeedsAlignedStack(assembly), LLVMGetInlineAsmDialect(assembly),
                                       LLVMGetInlineAsmCanUnwind(assembly))
                    : assembly;
}

/* ASSEMBLY, if it is a fused multiplication and addition, so that its result replaces operand ENDS, whose value is not
 * needed any more: otherwise the host would first copy the one it replaces. The digits of the instruction tell which of
 * its operands are multiplied and which one is added; a NaN is taken from them in that order, whatever the form. */
static LLVMValueRef replacing(LLVMValueRef assembly, unsigned ends)
{
    static const char fused[] = "vfmadd231";
    static const struct {
        const char *text, *constraints;
    } forms[] = {{"vfmadd132p%c $2, $3, $0", "=v,0,v,v"}, {"vfmadd213p%c $3, $1, $0", "=v,v,0,v"}};
    size_t length;
    char text[sizeof "vfmadd132ps $2, $3, $0"];
    const char *old = LLVMGetInlineAsmAsmString(assembly, &length);
    if (ends > PB || strncmp(old, fused, sizeof fused - 1) != 0)
        return assembly;
    int size = snprintf(text, sizeof text, forms[ends].text, old[sizeof fused]);
    return LLVMGetInlineAsm(LLVMGetInlineAsmFunctionType(assembly), text, (size_t)size, forms[ends].constraints,
                            strlen(forms[ends].constraints), 0, 0, LLVMInlineAsmDialectATT, 0);
}

/* Where a template compares floats that it has made of halves, clang has it compare the halves, for which many hosts
 * have no instruction. Returns the comparison of the floats; NULL if INSTRUCTION is something else. */
static LLVMValueRef compare_halves(const struct copy *c, LLVMValueRef instruction)
{
    if (!LLVMIsAFCmpInst(instruction))
        return NULL;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 0));
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMHalfTypeKind)
        return NULL;
    LLVMBuilderRef b = c->f->b;
    LLVMTypeRef wide = LLVMVectorType(LLVMFloatTypeInContext(c->f->jit->context), LLVMGetVectorSize(type));
    LLVMValueRef x = LLVMBuildFPExt(b, copied(c, LLVMGetOperand(instruction, 0)), wide, "");
    LLVMValueRef y = LLVMBuildFPExt(b, copied(c, LLVMGetOperand(instruction, 1)), wide, "");
    return LLVMBuildFCmp(b, LLVMGetFCmpPredicate(instruction), x, y, "");
}

/* Whether VALUE is the same for all chunks that the loop being emitted is about. */
static bool is_same(const struct builder *f, LLVMValueRef value)
{
    return !LLVMIsAInstruction(value) || LLVMGetInstructionParent(value) == f->before;
}

/* Emits INSTRUCTION, which belongs to no block yet: before the loop if all of its operands are the same there. */
static void insert(struct builder *f, LLVMValueRef instruction)
{
    int count = LLVMGetNumOperands(instruction), same = 0;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(f->b);
    while (f->before && same < count && is_same(f, LLVMGetOperand(instruction, (unsigned)same)))
        same++;
    if (same == count)
        build_before(f);
    LLVMInsertIntoBuilder(f->b, instruction);
    LLVMPositionBuilderAtEnd(f->b, here);
}

/* Whether INSTRUCTION compares a value with zero only to find out whether it is a NaN. */
static bool asks_for_nan(LLVMValueRef instruction)
{
    if (!LLVMIsAFCmpInst(instruction) || !LLVMIsNull(LLVMGetOperand(instruction, 1)))
        return false;
    LLVMRealPredicate predicate = LLVMGetFCmpPredicate(instruction);
    return predicate == LLVMRealUNO || predicate == LLVMRealORD;
}

static LLVMValueRef copy_one(struct copy *c, LLVMValueRef instruction)
{
    LLVMValueRef value = fold(c, instruction);
    value = value ? value : compare_halves(c, instruction);
    if (value)
        return value;
    value = LLVMInstructionClone(instruction);
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i), to = copied(c, operand);
        if (LLVMIsAFunction(operand)) {
            size_t length;
            const char *name = LLVMGetValueName2(operand, &length);
            to = LLVMGetNamedFunction(c->f->module, name);
            if (!to)
                to = LLVMAddFunction(c->f->module, name, LLVMGlobalGetValueType(operand));
        }
        if (LLVMIsAInlineAsm(operand))
            to = replacing(without_clobbers(operand), c->f->ends);
        if (to != operand)
            LLVMSetOperand(value, (unsigned)i, to);
    }
    if (asks_for_nan(value)) /* a value is no NaN if it can be compared with itself, for which no zero is needed */
        LLVMSetOperand(value, 1, LLVMGetOperand(value, 0));
    insert(c->f, value);
    return value;
}

static unsigned parameter_of(LLVMValueRef *parameters, unsigned count, LLVMValueRef pointer)
{
    unsigned i = 0;
    while (i + 1 < count && parameters[i] != pointer)
        i++;
    return i;
}

void template_clone(struct builder *f, const struct template *template, LLVMValueRef *in, LLVMValueRef *out)
{
    static _Thread_local struct copy c;
    LLVMValueRef parameters[PARAMETERS];
    unsigned count = LLVMCountParams(template->function);
    LLVMGetParams(template->function, parameters);
    c.f = f;
    c.count = 0;
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetFirstBasicBlock(template->function));
    for (; i && !LLVMIsAReturnInst(i); i = LLVMGetNextInstruction(i)) {
        LLVMValueRef value;
        if (LLVMIsAStoreInst(i)) {
            out[parameter_of(parameters, count, LLVMGetOperand(i, 1))] = copied(&c, LLVMGetOperand(i, 0));
            continue;
        }
        if (LLVMIsALoadInst(i))
            value = build_as(f, in[parameter_of(parameters, count, LLVMGetOperand(i, 0))], LLVMTypeOf(i));
        else
            value = copy_one(&c, i);
        c.values[c.count].from = i;
        c.values[c.count++].to = value;
    }
}
