/* SPDX-License-Identifier: MIT */
/* Reports of kernels that go wrong: faults, and what the checkers of the software GPU find. There are no functions to
 * link to: hsa_system_get_major_extension_table() for HSA_EXTENSION_HSAIL_REPORT, version 1, fills the table. Other
 * runtimes do not have it, and say so. The conventions of hsa.h hold. */
#ifndef HSA_HSA_VEN_HSAIL_REPORT_H
#define HSA_HSA_VEN_HSAIL_REPORT_H

#include "hsa/hsa.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HSA_EXTENSION_HSAIL_REPORT = 0x3e0 };

typedef enum {
    HSA_VEN_HSAIL_REPORT_FAULT = 1,  /* the kernel was stopped */
    HSA_VEN_HSAIL_REPORT_FINDING = 2 /* a checker found something, and the kernel went on */
} hsa_ven_hsail_report_kind_t;

/* One report. What its pointers lead to lives during the call of the handler. */
typedef struct hsa_ven_hsail_report_s {
    uint32_t struct_size;
    hsa_ven_hsail_report_kind_t kind;
    const char *id;   /* a word that never changes meaning: "fault-memory" */
    const char *text; /* one or more lines for people; no newline at the end */
    const char *json; /* the same for programs: an object on one line */
    uint64_t count;   /* how often it happened */
} hsa_ven_hsail_report_t;

typedef struct hsa_ven_hsail_report_1_00_pfn_s {
    /* From now on, every report is passed to HANDLER, with DATA, instead of being printed on standard error. NULL:
     * nobody gets the reports. Any thread may call the handler, always before the callback of the queue. The handler
     * must not call functions of HSA. It is forgotten when the runtime shuts down. */
    hsa_status_t (*hsa_ven_hsail_report_set_handler)(void (*handler)(const hsa_ven_hsail_report_t *report, void *data),
                                                     void *data);
    /* Gives the allocation that begins at PTR a NAME, which reports use; up to 63 bytes of it are copied. */
    hsa_status_t (*hsa_ven_hsail_report_name_memory)(const void *ptr, const char *name);
} hsa_ven_hsail_report_1_00_pfn_t;

/* Version 1.1 of the table. */
typedef struct hsa_ven_hsail_report_1_01_pfn_s {
    hsa_status_t (*hsa_ven_hsail_report_set_handler)(void (*handler)(const hsa_ven_hsail_report_t *report, void *data),
                                                     void *data);
    hsa_status_t (*hsa_ven_hsail_report_name_memory)(const void *ptr, const char *name);
    /* In a callback of a queue, and in a handler of system events (hsa_amd_register_system_event_handler()), which get
     * no more than a status or an address: *REPORT becomes the fault that led to the call. It lives until the callback
     * returns. ERROR: this thread is in no such call, or the queue was stopped by something else than a kernel. */
    hsa_status_t (*hsa_ven_hsail_report_current)(const hsa_ven_hsail_report_t **report);
} hsa_ven_hsail_report_1_01_pfn_t;

#ifdef __cplusplus
}
#endif

#endif
