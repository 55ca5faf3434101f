/* SPDX-License-Identifier: MIT */
/* Operations on the value of a signal, in every memory order, under their present and their old names. (1.0P 2.4.1)
 *
 * Input: a live signal, which is not checked. Output: its value changed and, unless the store is silent, waiters told.
 * Invariant: each operation is one atomic access. All but loads and silent stores are sequentially consistent whatever
 * their names say: the look for waiters that follows (signal_sent()) requires it, and x86 has no cheaper locked
 * operation. */
#include "runtime/signal.h"

static inline _Atomic int64_t *value_of(hsa_signal_t signal)
{
    return &signal_line(signal)->value;
}

#define LOAD(name, order)                                                                                    \
    HSA_API hsa_signal_value_t name(hsa_signal_t signal)                                                     \
    {                                                                                                        \
        return atomic_load_explicit(value_of(signal), order);                                                \
    }
LOAD(hsa_signal_load_relaxed, memory_order_relaxed)
LOAD(hsa_signal_load_scacquire, memory_order_acquire)

#define SILENT(name, order)                                                                                  \
    HSA_API void name(hsa_signal_t signal, hsa_signal_value_t value)                                         \
    {                                                                                                        \
        atomic_store_explicit(value_of(signal), value, order);                                               \
    }
SILENT(hsa_signal_silent_store_relaxed, memory_order_relaxed)
SILENT(hsa_signal_silent_store_screlease, memory_order_release)

/* The exchange is the full fence that signal_sent() asks for. */
#define STORE(name)                                                                                          \
    HSA_API void name(hsa_signal_t signal, hsa_signal_value_t value)                                         \
    {                                                                                                        \
        atomic_exchange_explicit(value_of(signal), value, memory_order_seq_cst);                             \
        signal_sent(signal);                                                                                 \
    }
STORE(hsa_signal_store_relaxed)
STORE(hsa_signal_store_screlease)

#define EXCHANGE(name)                                                                                       \
    HSA_API hsa_signal_value_t name(hsa_signal_t signal, hsa_signal_value_t value)                           \
    {                                                                                                        \
        hsa_signal_value_t old = atomic_exchange_explicit(value_of(signal), value, memory_order_seq_cst);    \
        signal_sent(signal);                                                                                 \
        return old;                                                                                          \
    }
#define CAS(name)                                                                                            \
    HSA_API hsa_signal_value_t name(hsa_signal_t signal, hsa_signal_value_t expected,                        \
                                    hsa_signal_value_t value)                                                \
    {                                                                                                        \
        bool changed = atomic_compare_exchange_strong_explicit(value_of(signal), &expected, value,           \
                                                               memory_order_seq_cst, memory_order_seq_cst);  \
        if (changed)                                                                                         \
            signal_sent(signal);                                                                             \
        return expected;                                                                                     \
    }
#define UPDATE(name, operation)                                                                              \
    HSA_API void name(hsa_signal_t signal, hsa_signal_value_t value)                                         \
    {                                                                                                        \
        atomic_fetch_##operation##_explicit(value_of(signal), value, memory_order_seq_cst);                  \
        signal_sent(signal);                                                                                 \
    }
#define ADD(name)      UPDATE(name, add)
#define SUBTRACT(name) UPDATE(name, sub)
#define AND(name)      UPDATE(name, and)
#define OR(name)       UPDATE(name, or)
#define XOR(name)      UPDATE(name, xor)

/* One operation in its four orders and three old names: hsa_signal_add_relaxed(), ..., hsa_signal_add_acq_rel(). */
#define ORDERS(OPERATION, base)                                                                              \
    OPERATION(base##_relaxed)                                                                                \
    OPERATION(base##_scacquire)                                                                              \
    OPERATION(base##_screlease)                                                                              \
    OPERATION(base##_scacq_screl)

ORDERS(EXCHANGE, hsa_signal_exchange)
ORDERS(CAS, hsa_signal_cas)
ORDERS(ADD, hsa_signal_add)
ORDERS(SUBTRACT, hsa_signal_subtract)
ORDERS(AND, hsa_signal_and)
ORDERS(OR, hsa_signal_or)
ORDERS(XOR, hsa_signal_xor)
