/* SPDX-License-Identifier: MIT */
/* Operations on signal values, in every memory order and under old and new names.
 *
 * Input: a live signal; output: its value changed, and waiters told unless the store is silent.
 * Invariant: each is one atomic access; nothing is checked. The read-modify-write operations and stores are
 * sequentially consistent whatever their name says, as the look for waiters that follows (signal_sent)
 * needs that anyway and x86 has nothing cheaper for a locked operation. (1.0P 2.4.1) */
#include "runtime/signal.h"

#define LOAD(name, order)                                                                                    \
    HSA_API hsa_signal_value_t name(hsa_signal_t signal)                                                     \
    {                                                                                                        \
        return atomic_load_explicit(&signal_of(signal)->amd.value, order);                                   \
    }
LOAD(hsa_signal_load_relaxed, memory_order_relaxed)
LOAD(hsa_signal_load_scacquire, memory_order_acquire)
ALIAS(hsa_signal_load_scacquire, hsa_signal_load_acquire);

#define SILENT(name, order)                                                                                  \
    HSA_API void name(hsa_signal_t signal, hsa_signal_value_t value)                                         \
    {                                                                                                        \
        atomic_store_explicit(&signal_of(signal)->amd.value, value, order);                                  \
    }
SILENT(hsa_signal_silent_store_relaxed, memory_order_relaxed)
SILENT(hsa_signal_silent_store_screlease, memory_order_release)

/* The exchange is the full fence that signal_sent() asks for. */
#define STORE(name)                                                                                          \
    HSA_API void name(hsa_signal_t signal, hsa_signal_value_t value)                                         \
    {                                                                                                        \
        struct signal *to = signal_of(signal);                                                               \
        atomic_exchange_explicit(&to->amd.value, value, memory_order_seq_cst);                               \
        signal_sent(to);                                                                                     \
    }
STORE(hsa_signal_store_relaxed)
STORE(hsa_signal_store_screlease)
ALIAS(hsa_signal_store_screlease, hsa_signal_store_release);

#define EXCHANGE(name)                                                                                       \
    HSA_API hsa_signal_value_t name(hsa_signal_t signal, hsa_signal_value_t value)                           \
    {                                                                                                        \
        struct signal *to = signal_of(signal);                                                               \
        hsa_signal_value_t old = atomic_exchange_explicit(&to->amd.value, value, memory_order_seq_cst);      \
        signal_sent(to);                                                                                     \
        return old;                                                                                          \
    }
#define CAS(name)                                                                                            \
    HSA_API hsa_signal_value_t name(hsa_signal_t signal, hsa_signal_value_t expected,                        \
                                    hsa_signal_value_t value)                                                \
    {                                                                                                        \
        struct signal *to = signal_of(signal);                                                               \
        bool changed = atomic_compare_exchange_strong_explicit(&to->amd.value, &expected, value,             \
                                                               memory_order_seq_cst, memory_order_seq_cst);  \
        if (changed)                                                                                         \
            signal_sent(to);                                                                                 \
        return expected;                                                                                     \
    }
#define UPDATE(name, operation)                                                                              \
    HSA_API void name(hsa_signal_t signal, hsa_signal_value_t value)                                         \
    {                                                                                                        \
        struct signal *to = signal_of(signal);                                                               \
        atomic_fetch_##operation##_explicit(&to->amd.value, value, memory_order_seq_cst);                    \
        signal_sent(to);                                                                                     \
    }
#define ADD(name)      UPDATE(name, add)
#define SUBTRACT(name) UPDATE(name, sub)
#define AND(name)      UPDATE(name, and)
#define OR(name)       UPDATE(name, or)
#define XOR(name)      UPDATE(name, xor)

/* One operation in its four orders and three old names. */
#define ORDERS(OPERATION, base)                                                                              \
    OPERATION(base##_relaxed)                                                                                \
    OPERATION(base##_scacquire)                                                                              \
    OPERATION(base##_screlease)                                                                              \
    OPERATION(base##_scacq_screl)                                                                            \
    ALIAS(base##_scacquire, base##_acquire);                                                                 \
    ALIAS(base##_screlease, base##_release);                                                                 \
    ALIAS(base##_scacq_screl, base##_acq_rel);

ORDERS(EXCHANGE, hsa_signal_exchange)
ORDERS(CAS, hsa_signal_cas)
ORDERS(ADD, hsa_signal_add)
ORDERS(SUBTRACT, hsa_signal_subtract)
ORDERS(AND, hsa_signal_and)
ORDERS(OR, hsa_signal_or)
ORDERS(XOR, hsa_signal_xor)
