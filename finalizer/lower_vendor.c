/* SPDX-License-Identifier: MIT */
/* Instructions of AMD's extensions (doc/decisions/vendor-extensions.md).
 * Input: an instruction of amd:gcn, amd:mipmap or amd:dg. Output: its value in the destination, or its effect on the
 * wave. Invariant: what neither this file nor lower_vendor_float.c lists is refused by name. */
#include "finalizer/lower.h"

/* A product of 32 by 32 bits, added to 64. */
static bool lower_wide_mad(struct fn *f, const struct lang_inst *in, bool is_signed)
{
    struct emit *e = f->e;
    unsigned narrow = is_signed ? HSA_BRIG_TYPE_S32 : HSA_BRIG_TYPE_U32;
    LLVMValueRef a = emit_resize(e, lower_source(f, in, 1, narrow), 64, is_signed);
    LLVMValueRef b = emit_resize(e, lower_source(f, in, 2, narrow), 64, is_signed);
    LLVMValueRef sum = LLVMBuildAdd(e->b, LLVMBuildMul(e->b, a, b, ""), lower_source(f, in, 3, HSA_BRIG_TYPE_U64), "");
    return lower_dest(f, in, HSA_BRIG_TYPE_U64, sum);
}

/* The larger or the smaller of two values of TYPE. */
static LLVMValueRef extreme(struct fn *f, unsigned type, bool largest, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef f32 = f->e->f32;
    if (type == HSA_BRIG_TYPE_F32)
        return emit_call(f->e, largest ? "llvm.maxnum" : "llvm.minnum", &f32, 1, (LLVMValueRef[]){a, b}, 2);
    return emit_int_op(f->e, largest ? INT_MAX : INT_MIN, type_is_signed(type), a, b);
}

/* Which of three values is wanted. */
enum rank { RANK_LEAST, RANK_MIDDLE, RANK_MOST };

static bool lower_rank(struct fn *f, const struct lang_inst *in, enum rank rank)
{
    unsigned type = VALUE_OF(in, TYPE);
    LLVMTypeRef f32 = f->e->f32;
    LLVMValueRef s[3];
    for (uint32_t i = 0; i < 3; i++)
        s[i] = lower_source(f, in, i + 1, type);
    if (rank != RANK_MIDDLE) {
        bool most = rank == RANK_MOST;
        return lower_dest(f, in, type, extreme(f, type, most, extreme(f, type, most, s[0], s[1]), s[2]));
    }
    if (type == HSA_BRIG_TYPE_F32)
        return lower_dest(f, in, type, emit_call(f->e, "llvm.amdgcn.fmed3", &f32, 1, s, 3));
    LLVMValueRef low = extreme(f, type, false, s[0], s[1]), high = extreme(f, type, true, s[0], s[1]);
    return lower_dest(f, in, type, extreme(f, type, true, low, extreme(f, type, false, high, s[2])));
}

/* As many ones as the first source says, from the bit on that the second says; both count modulo 32. */
static bool lower_field_mask(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    LLVMValueRef limit = emit_int(e, 32, 31), one = emit_int(e, 32, 1);
    LLVMValueRef width = LLVMBuildAnd(e->b, lower_source(f, in, 1, HSA_BRIG_TYPE_U32), limit, "");
    LLVMValueRef from = LLVMBuildAnd(e->b, lower_source(f, in, 2, HSA_BRIG_TYPE_U32), limit, "");
    LLVMValueRef ones = LLVMBuildSub(e->b, LLVMBuildShl(e->b, one, width, ""), one, "");
    return lower_dest(f, in, HSA_BRIG_TYPE_U32, LLVMBuildShl(e->b, ones, from, ""));
}

/* Sums of absolute differences by an intrinsic on sources of these types. */
static bool lower_differences(struct fn *f, const struct lang_inst *in, const char *intrinsic, unsigned type,
                              unsigned second)
{
    LLVMValueRef s[] = {lower_source(f, in, 1, type), lower_source(f, in, 2, second), lower_source(f, in, 3, type)};
    return lower_dest(f, in, type, emit_call(f->e, intrinsic, NULL, 0, s, 3));
}

/* The same of whole words. */
static bool lower_word_difference(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    LLVMValueRef a = lower_source(f, in, 1, HSA_BRIG_TYPE_U32), b = lower_source(f, in, 2, HSA_BRIG_TYPE_U32);
    LLVMValueRef more = extreme(f, HSA_BRIG_TYPE_U32, true, a, b), less = extreme(f, HSA_BRIG_TYPE_U32, false, a, b);
    LLVMValueRef sum = lower_source(f, in, 3, HSA_BRIG_TYPE_U32);
    return lower_dest(f, in, HSA_BRIG_TYPE_U32, LLVMBuildAdd(e->b, LLVMBuildSub(e->b, more, less, ""), sum, ""));
}

/* Four sums of whole words. */
static bool lower_wide_differences(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    struct brig_list to = lower_elements(f, in, 0), from = lower_elements(f, in, 3);
    LLVMValueRef sums = LLVMGetPoison(LLVMVectorType(e->i32, 4));
    if (to.count != 4 || from.count != 4)
        return fn_fail(f, OPERANDS_MISSING, in->op->text);
    for (uint32_t i = 0; i < 4; i++)
        sums = LLVMBuildInsertElement(
            e->b, sums, lower_value(f, from.items[i], HSA_BRIG_TYPE_U32), emit_int(e, 32, i), "");
    LLVMValueRef args[] = {lower_source(f, in, 1, HSA_BRIG_TYPE_U64), lower_source(f, in, 2, HSA_BRIG_TYPE_U32), sums};
    sums = emit_call(e, "llvm.amdgcn.mqsad.u32.u8", NULL, 0, args, 3);
    for (uint32_t i = 0; i < 4; i++)
        lower_store(f, to.items[i], HSA_BRIG_TYPE_B32, LLVMBuildExtractElement(e->b, sums, emit_int(e, 32, i), ""));
    return true;
}

/* A small number for the whole wave; the machine takes it as a constant only. */
static LLVMValueRef wave_number(struct fn *f, const struct lang_inst *in, unsigned most)
{
    struct emit *e = f->e;
    LLVMValueRef value = lower_source(f, in, 0, HSA_BRIG_TYPE_U32);
    value = LLVMBuildAnd(e->b, value, emit_int(e, 32, most), "");
    return LLVMIsConstant(value) ? value : emit_call1(e, "llvm.amdgcn.readfirstlane", value);
}

/* Sleeps as many times 64 clocks as the source says, which counts modulo 128. */
static bool lower_sleep(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    LLVMValueRef clocks = wave_number(f, in, 127), zero = emit_int(e, 32, 0), one = emit_int(e, 32, 1);
    if (LLVMIsConstant(clocks)) {
        emit_call(e, "llvm.amdgcn.s.sleep", NULL, 0, &clocks, 1);
        return true;
    }
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b), test = emit_block(e, "");
    LLVMBasicBlockRef rest = emit_block(e, ""), after = emit_block(e, "");
    LLVMBuildBr(e->b, test);
    LLVMPositionBuilderAtEnd(e->b, test);
    LLVMValueRef left = LLVMBuildPhi(e->b, e->i32, "");
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, left, zero, ""), rest, after);
    LLVMPositionBuilderAtEnd(e->b, rest);
    emit_call(e, "llvm.amdgcn.s.sleep", NULL, 0, &one, 1);
    LLVMValueRef fewer = LLVMBuildSub(e->b, left, one, "");
    LLVMBuildBr(e->b, test);
    LLVMAddIncoming(left, (LLVMValueRef[]){clocks, fewer}, (LLVMBasicBlockRef[]){before, rest}, 2);
    LLVMPositionBuilderAtEnd(e->b, after);
    return true;
}

/* Sets the priority of the wave, 0 to 3. */
static bool lower_priority(struct fn *f, const struct lang_inst *in)
{
    struct emit *e = f->e;
    LLVMValueRef priority = wave_number(f, in, 3);
    if (LLVMIsConstant(priority)) {
        priority = LLVMConstTrunc(priority, e->i16);
        emit_call(e, "llvm.amdgcn.s.setprio", NULL, 0, &priority, 1);
        return true;
    }
    LLVMBasicBlockRef after = emit_block(e, "");
    LLVMValueRef choice = LLVMBuildSwitch(e->b, priority, after, 4);
    for (unsigned i = 0; i < 4; i++) {
        LLVMBasicBlockRef block = emit_block(e, "");
        LLVMValueRef constant = emit_int(e, 16, i);
        LLVMAddCase(choice, emit_int(e, 32, i), block);
        LLVMPositionBuilderAtEnd(e->b, block);
        emit_call(e, "llvm.amdgcn.s.setprio", NULL, 0, &constant, 1);
        LLVMBuildBr(e->b, after);
    }
    LLVMPositionBuilderAtEnd(e->b, after);
    return true;
}

bool lower_vendor(struct fn *f, const struct lang_inst *in)
{
    enum { WORD = HSA_BRIG_TYPE_U32, LONG = HSA_BRIG_TYPE_U64 };
    switch ((unsigned)in->op->code) {
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_MADU: return lower_wide_mad(f, in, false);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_MADS: return lower_wide_mad(f, in, true);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_MIN3: return lower_rank(f, in, RANK_LEAST);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_MED3: return lower_rank(f, in, RANK_MIDDLE);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_MAX3: return lower_rank(f, in, RANK_MOST);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_BFM: return lower_field_mask(f, in);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_MSAD: return lower_differences(f, in, "llvm.amdgcn.msad.u8", WORD, WORD);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_SADW: return lower_differences(f, in, "llvm.amdgcn.sad.u16", WORD, WORD);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_QSAD: return lower_differences(f, in, "llvm.amdgcn.qsad.pk.u16.u8", LONG, WORD);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_MQSAD: return lower_differences(f, in, "llvm.amdgcn.mqsad.pk.u16.u8", LONG, WORD);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_SADD: return lower_word_difference(f, in);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_MQSAD4: return lower_wide_differences(f, in);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_SLEEP: return lower_sleep(f, in);
    case HSA_VEN_AMD_BRIG_OPCODE_GCN_PRIORITY: return lower_priority(f, in);
    case HSA_VEN_AMD_BRIG_OPCODE_MIPMAP_RDIMAGELOD: return lower_rdimage_level(f, in);
    case HSA_VEN_AMD_BRIG_OPCODE_MIPMAP_RDIMAGEGRAD: return lower_rdimage_gradients(f, in);
    case HSA_VEN_AMD_BRIG_OPCODE_MIPMAP_LDIMAGEMIP: return lower_ldimage_level(f, in);
    case HSA_VEN_AMD_BRIG_OPCODE_MIPMAP_STIMAGEMIP: return lower_stimage_level(f, in);
    case HSA_VEN_AMD_BRIG_OPCODE_MIPMAP_QUERYIMAGE: return lower_queryimage(f, in);
    case HSA_VEN_AMD_BRIG_OPCODE_DG_GROUPSTATICSIZE: return lower_query(f, in, query_static_group_size);
    case HSA_VEN_AMD_BRIG_OPCODE_DG_GROUPTOTALSIZE: return lower_query(f, in, query_total_group_size);
    }
    return lower_vendor_float(f, in);
}
