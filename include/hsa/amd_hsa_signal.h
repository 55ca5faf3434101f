/* SPDX-License-Identifier: MIT */
/* The memory of a signal, which device code and AMD's tools read directly: hsa_signal_t.handle is the address of an
 * amd_signal_t. The layout is that of AMD's runtime. */
#ifndef HSA_AMD_HSA_SIGNAL_H
#define HSA_AMD_HSA_SIGNAL_H

#include "hsa/amd_hsa_queue.h"
#include "hsa/hsa.h"

#ifdef __cplusplus
extern "C" {
#endif

enum amd_signal_kind_t {
    AMD_SIGNAL_KIND_INVALID = 0,
    AMD_SIGNAL_KIND_USER = 1,
    AMD_SIGNAL_KIND_DOORBELL = -1,
    AMD_SIGNAL_KIND_LEGACY_DOORBELL = -2
};
typedef int64_t amd_signal_kind64_t;

typedef struct __attribute__((aligned(64))) amd_signal_s {
    amd_signal_kind64_t kind;
    union {
        volatile int64_t value;
        volatile uint64_t *hardware_doorbell_ptr; /* of kind DOORBELL on real hardware */
    };
    uint64_t event_mailbox_ptr; /* where device code writes event_id before it interrupts; 0: nobody listens */
    uint32_t event_id;
    uint32_t reserved1;
    uint64_t start_ts, end_ts; /* of the packet that completed it, system timestamp ticks */
    union {
        amd_queue_t *queue_ptr; /* of a doorbell: its queue */
        uint64_t reserved2;
    };
    uint32_t reserved3[2];
} amd_signal_t;

#ifdef __cplusplus
}
#endif

#endif
