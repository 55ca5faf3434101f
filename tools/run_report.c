/* SPDX-License-Identifier: MIT */
/* Reports of the runtime; see run_report.h.
 * Input: reports, from any thread. Output: lines on standard error, numbers for the exit status.
 * Invariant: another HSA runtime, which has no such extension, serves as well. */
#include "tools/run_report.h"

#include "hsa/hsa_ven_hsail_report.h"
#include "tools/run_launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    const struct cli_program *program;
    hsa_ven_hsail_report_1_00_pfn_t table; /* all zero when the runtime has no such extension */
    size_t faults, findings;               /* accessed atomically */
    bool keeps;
    struct textbuf json; /* the runtime calls one handler at a time */
} reports;

void run_report_ask(const char *file, const char *checks, const char *suppressions)
{
    setenv("HSA_MEMORY_GUARD", "1", 0);
    if (file)
        setenv("HSA_REPORT_FILE", file, 1);
    if (checks)
        setenv("HSA_GCN_CHECK", checks, 1);
    if (suppressions)
        setenv("HSA_GCN_SUPPRESSIONS", suppressions, 1);
}

bool run_report_checks(const char *word)
{
    const char *text = getenv("HSA_GCN_CHECK");
    for (size_t length; text && *text; text += length + (text[length] == ',')) {
        length = strcspn(text, ",");
        if ((strlen(word) == length && !memcmp(word, text, length)) || (length == 3 && !memcmp(text, "all", 3)))
            return true;
    }
    return false;
}

static void on_report(const hsa_ven_hsail_report_t *report, void *data)
{
    (void)data;
    size_t *count = report->kind == HSA_VEN_HSAIL_REPORT_FAULT ? &reports.faults : &reports.findings;
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
    if (cli_uses_json())
        fprintf(stderr, "%s\n", report->json);
    else
        cli_error(reports.program, "%s", report->text);
    if (reports.keeps)
        textbuf_printf(&reports.json, "%s\n", report->json);
}

void run_report_keep(void)
{
    reports.keeps = true;
}

const struct textbuf *run_report_json(void)
{
    return &reports.json;
}

void run_report_open(const struct cli_program *program)
{
    reports.program = program;
    if (hsa_system_get_major_extension_table(HSA_EXTENSION_HSAIL_REPORT, 1, sizeof reports.table, &reports.table) ==
        HSA_STATUS_SUCCESS)
        reports.table.hsa_ven_hsail_report_set_handler(on_report, NULL);
}

void run_report_name(const struct run_kernel *kernel, const struct run_argument *arguments, size_t count)
{
    for (size_t i = 0; i < count && reports.table.hsa_ven_hsail_report_name_memory; i++) {
        char name[64];
        const char *formal = run_launch_name(kernel, i);
        if (!arguments[i].is_buffer || arguments[i].object.kind || !arguments[i].data)
            continue;
        snprintf(name, sizeof name, *formal ? "buffer of argument %zu, %s" : "buffer of argument %zu", i + 1, formal);
        reports.table.hsa_ven_hsail_report_name_memory(arguments[i].data, name);
    }
}

bool run_report_fault(void)
{
    return __atomic_load_n(&reports.faults, __ATOMIC_RELAXED) != 0;
}

bool run_report_summary(void)
{
    size_t findings = __atomic_load_n(&reports.findings, __ATOMIC_RELAXED);
    if (findings)
        cli_error(reports.program, "%zu finding%s", findings, findings == 1 ? "" : "s");
    return !findings;
}
