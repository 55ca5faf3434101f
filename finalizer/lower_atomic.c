/* SPDX-License-Identifier: MIT */
/* Atomic memory operations and fences (PRM 6.5-6.7, 6.9), and the signals and indices of user mode queues (6.8,
 * 11.3).
 * Input: the instruction with operation, order and scope. Output: the LLVM atomic instruction with that syncscope.
 *
 * A signal is an amd_signal_t, a queue an amd_queue_t. After a change to a signal, the kernel wakes whoever sleeps
 * on it as AMD's runtimes expect: it writes the signal's event id to the signal's mailbox and raises an interrupt. */
#include "finalizer/lower.h"

#include "hsa/amd_hsa_signal.h"

/* LLVM's name of a read-modify-write operation, or NULL when the operation is none. */
static const char *rmw_name(unsigned operation, bool is_signed)
{
    switch ((hsa_brig_atomic_operation_t)operation) {
    case HSA_BRIG_ATOMIC_OPERATION_ADD: return "add";
    case HSA_BRIG_ATOMIC_OPERATION_SUB: return "sub";
    case HSA_BRIG_ATOMIC_OPERATION_AND: return "and";
    case HSA_BRIG_ATOMIC_OPERATION_OR: return "or";
    case HSA_BRIG_ATOMIC_OPERATION_XOR: return "xor";
    case HSA_BRIG_ATOMIC_OPERATION_EXCH: return "xchg";
    case HSA_BRIG_ATOMIC_OPERATION_MAX: return is_signed ? "max" : "umax";
    case HSA_BRIG_ATOMIC_OPERATION_MIN: return is_signed ? "min" : "umin";
    case HSA_BRIG_ATOMIC_OPERATION_WRAPINC: return "uinc_wrap";
    case HSA_BRIG_ATOMIC_OPERATION_WRAPDEC: return "udec_wrap";
    case HSA_BRIG_ATOMIC_OPERATION_LD: /* these only read, only write, compare, or wait */
    case HSA_BRIG_ATOMIC_OPERATION_ST:
    case HSA_BRIG_ATOMIC_OPERATION_CAS:
    case HSA_BRIG_ATOMIC_OPERATION_WAIT_EQ:
    case HSA_BRIG_ATOMIC_OPERATION_WAIT_NE:
    case HSA_BRIG_ATOMIC_OPERATION_WAIT_LT:
    case HSA_BRIG_ATOMIC_OPERATION_WAIT_GTE:
    case HSA_BRIG_ATOMIC_OPERATION_WAITTIMEOUT_EQ:
    case HSA_BRIG_ATOMIC_OPERATION_WAITTIMEOUT_NE:
    case HSA_BRIG_ATOMIC_OPERATION_WAITTIMEOUT_LT:
    case HSA_BRIG_ATOMIC_OPERATION_WAITTIMEOUT_GTE:
    case HSA_BRIG_ATOMIC_OPERATION_FIRST_USER_DEFINED: break;
    }
    return NULL;
}

/* Emits OPERATION on TYPE, whose sources start at operand SOURCE; returns NULL when there is no such operation. */
static LLVMValueRef perform(struct fn *f, const struct lang_inst *in, unsigned operation, unsigned type,
                            struct atomic_place place, LLVMValueRef pointer, uint32_t source)
{
    struct emit *e = f->e;
    if (operation == HSA_BRIG_ATOMIC_OPERATION_LD)
        return emit_atomic_load(e, place, pointer, type_bits(type));
    LLVMValueRef value = lower_source(f, in, source, type);
    if (operation == HSA_BRIG_ATOMIC_OPERATION_ST) {
        emit_atomic_store(e, place, pointer, value);
        return value;
    }
    if (operation == HSA_BRIG_ATOMIC_OPERATION_CAS)
        return emit_atomic_cas(e, place, pointer, value, lower_source(f, in, source + 1, type));
    const char *name = rmw_name(operation, type_is_signed(type));
    return name ? emit_atomic_rmw(e, place, name, pointer, value) : NULL;
}

static bool atomic_type(unsigned type)
{
    return !type_is_packed(type) && !type_is_float(type) && (type_bits(type) == 32 || type_bits(type) == 64);
}

bool lower_atomic(struct fn *f, const struct lang_inst *in, bool returns)
{
    unsigned segment = VALUE_OF(in, SEGMENT);
    struct atomic_place place = {lower_space(segment), VALUE_OF(in, ORDER), VALUE_OF(in, SCOPE)};
    if (!atomic_type(VALUE_OF(in, TYPE)) || place.space == SPACE_PRIVATE || place.space == SPACE_CONSTANT)
        return fn_unsupported(f, in);
    LLVMValueRef pointer = lower_address(f, in, returns, segment, NULL);
    LLVMValueRef old = perform(f, in, VALUE_OF(in, OPERATION), VALUE_OF(in, TYPE), place, pointer, returns + 1u);
    if (!old)
        return fn_unsupported(f, in);
    return !returns || lower_dest(f, in, VALUE_OF(in, TYPE), old);
}

bool lower_memfence(struct fn *f, const struct lang_inst *in)
{
    emit_fence(f->e, VALUE_OF(in, ORDER), VALUE_OF(in, SCOPE));
    return true;
}

static LLVMValueRef field_pointer(struct fn *f, LLVMValueRef base, uint64_t offset)
{
    LLVMValueRef index = emit_int(f->e, 64, offset);
    return LLVMBuildGEP2(f->e->b, f->e->i8, base, &index, 1, "");
}

static LLVMValueRef load_field(struct fn *f, LLVMValueRef base, uint64_t offset, LLVMTypeRef type)
{
    return LLVMBuildLoad2(f->e->b, type, field_pointer(f, base, offset), "");
}

/* if (mailbox) { *mailbox = event_id; send an interrupt with it } */
static void wake_waiters(struct fn *f, LLVMValueRef signal)
{
    enum { MESSAGE_INTERRUPT = 1 };
    struct emit *e = f->e;
    LLVMBasicBlockRef wake = emit_block(e, ""), after = emit_block(e, "");
    LLVMValueRef mailbox = load_field(f, signal, offsetof(amd_signal_t, event_mailbox_ptr), e->i64);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, mailbox, emit_int(e, 64, 0), ""), wake, after);
    LLVMPositionBuilderAtEnd(e->b, wake);
    LLVMValueRef id = load_field(f, signal, offsetof(amd_signal_t, event_id), e->i32);
    struct atomic_place place = {SPACE_GLOBAL, HSA_BRIG_MEMORY_ORDER_SC_RELEASE, HSA_BRIG_MEMORY_SCOPE_SYSTEM};
    emit_atomic_store(e, place, lower_to_pointer(f, mailbox, HSA_BRIG_SEGMENT_GLOBAL), emit_resize(e, id, 64, false));
    LLVMTypeRef type = e->i32;
    LLVMValueRef first = emit_call(e, "llvm.amdgcn.readfirstlane", &type, 1, &id, 1);
    first = LLVMBuildAnd(e->b, first, emit_int(e, 32, 0xff), "");
    emit_call(e, "llvm.amdgcn.s.sendmsg", NULL, 0, (LLVMValueRef[]){emit_int(e, 32, MESSAGE_INTERRUPT), first}, 2);
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, after);
}

/* Stores to a user signal's value and wakes its waiters. The value of a doorbell is an address: there the store goes to
 * that address, and nobody sleeps on it. */
static void store_signal(struct fn *f, const struct lang_inst *in, struct atomic_place place, LLVMValueRef signal)
{
    struct emit *e = f->e;
    LLVMBasicBlockRef user = emit_block(e, ""), doorbell = emit_block(e, ""), after = emit_block(e, "");
    LLVMValueRef value = lower_source(f, in, 1, VALUE_OF(in, TYPE));
    LLVMValueRef kind = load_field(f, signal, offsetof(amd_signal_t, kind), e->i64);
    LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, kind, emit_int(e, 64, AMD_SIGNAL_KIND_USER), ""), user,
                    doorbell);
    LLVMPositionBuilderAtEnd(e->b, user);
    emit_atomic_store(e, place, field_pointer(f, signal, offsetof(amd_signal_t, value)), value);
    wake_waiters(f, signal);
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, doorbell);
    LLVMValueRef ring = load_field(f, signal, offsetof(amd_signal_t, value), e->i64);
    emit_atomic_store(e, place, lower_to_pointer(f, ring, HSA_BRIG_SEGMENT_GLOBAL), value);
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, after);
}

/* A wait may return at any time; this one sleeps and tests until the condition holds or its timeout has passed. */
static LLVMValueRef wait_signal(struct fn *f, const struct lang_inst *in, struct atomic_place place,
                                LLVMValueRef pointer)
{
    struct emit *e = f->e;
    unsigned type = VALUE_OF(in, TYPE), operation = VALUE_OF(in, OPERATION);
    bool timed = operation >= HSA_BRIG_ATOMIC_OPERATION_WAITTIMEOUT_EQ;
    static const LLVMIntPredicate conditions[] = {LLVMIntEQ, LLVMIntNE, LLVMIntSLT, LLVMIntSGE};
    LLVMIntPredicate condition = conditions[(operation - HSA_BRIG_ATOMIC_OPERATION_WAIT_EQ) % 4];
    LLVMValueRef expected = lower_source(f, in, 2, type);
    LLVMValueRef limit = timed ? lower_source(f, in, 3, HSA_BRIG_TYPE_U64) : NULL;
    LLVMValueRef start = timed ? emit_call0(e, "llvm.readsteadycounter") : NULL;
    LLVMBasicBlockRef test = emit_block(e, ""), rest = emit_block(e, ""), after = emit_block(e, "");
    LLVMBuildBr(e->b, test);
    LLVMPositionBuilderAtEnd(e->b, test);
    LLVMValueRef value = emit_atomic_load(e, place, pointer, type_bits(type));
    LLVMValueRef done = LLVMBuildICmp(e->b, condition, value, expected, "");
    if (timed) {
        LLVMValueRef spent = LLVMBuildSub(e->b, emit_call0(e, "llvm.readsteadycounter"), start, "");
        done = LLVMBuildOr(e->b, done, LLVMBuildICmp(e->b, LLVMIntUGE, spent, limit, ""), "");
    }
    LLVMBuildCondBr(e->b, done, after, rest);
    LLVMPositionBuilderAtEnd(e->b, rest);
    LLVMValueRef cycles = emit_int(e, 32, 1);
    emit_call(e, "llvm.amdgcn.s.sleep", NULL, 0, &cycles, 1);
    LLVMBuildBr(e->b, test);
    LLVMPositionBuilderAtEnd(e->b, after);
    return value;
}

bool lower_signal(struct fn *f, const struct lang_inst *in, bool returns)
{
    unsigned operation = VALUE_OF(in, OPERATION), type = VALUE_OF(in, TYPE);
    struct atomic_place place = {SPACE_GLOBAL, VALUE_OF(in, ORDER), HSA_BRIG_MEMORY_SCOPE_SYSTEM};
    LLVMValueRef handle = lower_source(f, in, returns, HSA_BRIG_TYPE_B64);
    LLVMValueRef signal = lower_to_pointer(f, handle, HSA_BRIG_SEGMENT_GLOBAL);
    LLVMValueRef value = field_pointer(f, signal, offsetof(amd_signal_t, value));
    if (!atomic_type(type))
        return fn_unsupported(f, in);
    if (operation >= HSA_BRIG_ATOMIC_OPERATION_WAIT_EQ && operation <= HSA_BRIG_ATOMIC_OPERATION_WAITTIMEOUT_GTE)
        return returns ? lower_dest(f, in, type, wait_signal(f, in, place, value)) : fn_unsupported(f, in);
    if (operation == HSA_BRIG_ATOMIC_OPERATION_ST) {
        store_signal(f, in, place, signal);
        return !returns;
    }
    LLVMValueRef old = perform(f, in, operation, type, place, value, returns + 1u);
    if (!old)
        return fn_unsupported(f, in);
    if (operation != HSA_BRIG_ATOMIC_OPERATION_LD)
        wake_waiters(f, signal);
    return !returns || lower_dest(f, in, type, old);
}

bool lower_queue(struct fn *f, const struct lang_inst *in, unsigned operation, uint32_t index)
{
    const unsigned type = HSA_BRIG_TYPE_U64;
    bool stores = operation == HSA_BRIG_ATOMIC_OPERATION_ST;
    unsigned segment = VALUE_OF(in, SEGMENT);
    struct atomic_place place = {lower_space(segment), VALUE_OF(in, ORDER), HSA_BRIG_MEMORY_SCOPE_SYSTEM};
    LLVMValueRef pointer = field_pointer(f, lower_address(f, in, !stores, segment, NULL), index);
    LLVMValueRef old = perform(f, in, operation, type, place, pointer, stores ? 1 : 2);
    if (!old)
        return fn_unsupported(f, in);
    return stores || lower_dest(f, in, type, old);
}
