/* SPDX-License-Identifier: MIT */
/* Verdicts on texts and modules; see verdict.h.
 * Input: text or BRIG. Output: accepted, or the first error. Invariant: both go through the same checks. */
#include "testsuite/validate/verdict.h"
#include "brig/lint.h"
#include "brig/validate.h"
#include "frontend/asm.h"
#include "frontend/dis.h"
#include "support/alloc.h"

#include <stdio.h>
#include <string.h>

static void judge_list(struct diag_list *diag, enum brig_status status, struct verdict *verdict)
{
    verdict->accepted = status == BRIG_OK;
    diag_sort(diag);
    for (size_t i = 0; i < diag->items.count && !verdict->error; i++)
        if (diag->items.items[i].severity == DIAG_ERROR) {
            verdict->error = diag->items.items[i].rule;
            snprintf(verdict->message, sizeof verdict->message, "%s", diag->items.items[i].message);
        }
    diag_list_free(diag);
}

static enum brig_status open_and_validate(struct bytes module, struct diag_list *diag)
{
    struct brig_view view;
    enum brig_status status = brig_open(module.data, module.size, diag, &view);
    return status == BRIG_OK ? brig_validate(&view, diag) : status;
}

static enum brig_status assemble_and_validate(const char *text, struct diag_list *diag, struct asm_result *result)
{
    enum brig_status status = asm_text(text, strlen(text), diag, result);
    return status == BRIG_OK ? open_and_validate((struct bytes){result->module, result->size}, diag) : status;
}

enum brig_status check_findings(const char *text, bool lint, struct diag_list *diag)
{
    struct asm_result result = {0};
    struct brig_view view;
    enum brig_status status = assemble_and_validate(text, diag, &result);
    if (lint && status == BRIG_OK)
        status = brig_open(result.module, result.size, NULL, &view);
    if (lint && status == BRIG_OK)
        status = brig_lint(&view, diag);
    diag_sort(diag);
    asm_result_free(&result);
    return status;
}

void check_text(const char *text, struct verdict *verdict)
{
    struct diag_list diag = {0};
    struct asm_result result = {0};
    *verdict = (struct verdict){0};
    enum brig_status status = assemble_and_validate(text, &diag, &result);
    verdict->module = result.module;
    verdict->size = result.size;
    result.module = NULL;
    asm_result_free(&result);
    judge_list(&diag, status, verdict);
}

void check_module(struct bytes module, struct verdict *verdict)
{
    struct diag_list diag = {0};
    *verdict = (struct verdict){0};
    judge_list(&diag, open_and_validate(module, &diag), verdict);
}

void verdict_free(struct verdict *verdict)
{
    mem_free(verdict->module);
    verdict->module = NULL;
}

bool check_opens(struct bytes module)
{
    struct brig_view view;
    return brig_open(module.data, module.size, NULL, &view) == BRIG_OK;
}

struct output {
    char *text;
    size_t size, capacity;
};

static int collect(void *user, const void *data, size_t size)
{
    struct output *out = user;
    if (out->size + size >= out->capacity) {
        size_t capacity = 2 * out->capacity + size + 1024;
        char *text = mem_realloc(out->text, capacity);
        if (!text)
            return 1;
        out->text = text;
        out->capacity = capacity;
    }
    memcpy(out->text + out->size, data, size);
    out->size += size;
    out->text[out->size] = '\0';
    return 0;
}

char *check_print(struct bytes module)
{
    struct brig_view view;
    struct output out = {0};
    if (brig_open(module.data, module.size, NULL, &view) == BRIG_OK &&
        dis_module(&view, NUMBER_IEEE, DIS_TABS, collect, &out) == DIS_OK)
        return out.text;
    mem_free(out.text);
    return NULL;
}

const char *check_round_trip(struct bytes module)
{
    struct verdict again;
    char *text = check_print(module);
    if (!text)
        return "it does not print";
    check_text(text, &again);
    const char *problem = NULL;
    if (!again.accepted)
        problem = "its text is refused";
    else if (again.size != module.size || memcmp(again.module, module.data, module.size) != 0)
        problem = "its text assembles to other bytes";
    verdict_free(&again);
    mem_free(text);
    return problem;
}
