/* SPDX-License-Identifier: MIT */
/* What the public interface prints: modules as text, entries, the table of instructions; see hsail/hsail.h.
 * Input: modules and tables. Output: text to the caller's sink. */
#include "frontend/hsail_p.h"

#include "brig/dump.h"
#include "brig/language.h"
#include "frontend/asm.h"
#include "frontend/dis.h"
#include "frontend/format.h"

static hsail_status_t status_of(enum dis_status status)
{
    switch (status) {
    case DIS_OK: return HSAIL_STATUS_OK;
    case DIS_OUT_OF_MEMORY: return HSAIL_STATUS_OUT_OF_MEMORY;
    case DIS_SINK: break;
    }
    return HSAIL_STATUS_SINK;
}

static int to_buffer(void *user, const void *data, size_t size)
{
    struct textbuf *text = user;
    textbuf_add(text, data, size);
    return text->failed;
}

/* Lines are as long as what is in them, so the text is laid out when it is complete. */
static hsail_status_t print_readable(const struct brig_view *view, enum number_style style, hsail_sink_t sink,
                                     void *user)
{
    struct textbuf printed = {0}, text = {0};
    enum dis_status status = dis_module(view, style, DIS_READABLE, to_buffer, &printed);
    bool good =
        status == DIS_OK && !printed.failed && format_text(printed.data ? printed.data : "", printed.size, &text);
    textbuf_free(&printed);
    hsail_status_t answer = good ? hsail_flush(&text, sink, user) : HSAIL_STATUS_OUT_OF_MEMORY;
    textbuf_free(&text);
    return answer;
}

hsail_status_t hsail_disassemble_as(hsail_context_t *context, const hsail_module_t *module, hsail_float_t style,
                                    hsail_layout_t layout, hsail_sink_t sink, void *user)
{
    static const enum number_style styles[] = {
        [HSAIL_FLOAT_IEEE] = NUMBER_IEEE, [HSAIL_FLOAT_C99] = NUMBER_C99, [HSAIL_FLOAT_DECIMAL] = NUMBER_DECIMAL};
    if (!context || !module || !sink || (unsigned)style >= sizeof styles / sizeof *styles ||
        (unsigned)layout > HSAIL_LAYOUT_READABLE)
        return HSAIL_STATUS_ARGUMENT;
    const struct mem_hooks *before = hsail_enter(context);
    hsail_status_t status;
    if (layout == HSAIL_LAYOUT_READABLE)
        status = print_readable(&module->view, styles[style], sink, user);
    else
        status = status_of(dis_module(&module->view, styles[style], DIS_TABS, sink, user));
    hsail_leave(before);
    return status;
}

hsail_status_t hsail_disassemble(hsail_context_t *context, const hsail_module_t *module, hsail_float_t style,
                                 hsail_sink_t sink, void *user)
{
    return hsail_disassemble_as(context, module, style, HSAIL_LAYOUT_TABS, sink, user);
}

/* A sink as brig_dump() wants it. */
struct dump_sink {
    hsail_sink_t sink;
    void *user;
    bool failed;
};

static bool dump_write(void *context, const char *text, size_t size)
{
    struct dump_sink *sink = context;
    sink->failed = sink->sink(sink->user, text, size) != 0;
    return !sink->failed;
}

hsail_status_t hsail_dump(hsail_context_t *context, const char *name, const void *brig, size_t size, hsail_sink_t sink,
                          void *user)
{
    if (!context || (!brig && size) || !sink)
        return HSAIL_STATUS_ARGUMENT;
    const struct mem_hooks *before = hsail_enter(context);
    hsail_status_t status = HSAIL_STATUS_OUT_OF_MEMORY;
    uint8_t *copy = mem_alloc(size); /* aligned */
    if (copy) {
        struct brig_view view;
        struct dump_sink dump = {sink, user, false};
        if (size)
            memcpy(copy, brig, size);
        struct diag_list list = hsail_diag_start(context);
        enum brig_status read = brig_read(copy, size, &list, &view);
        if (read == BRIG_OK)
            read = brig_dump(&view, dump_write, &dump);
        status = dump.failed ? HSAIL_STATUS_SINK : hsail_status_of(read);
        status = hsail_diag_deliver(context, &list, name, NULL, status);
    }
    mem_free(copy);
    hsail_leave(before);
    return status;
}

hsail_status_t hsail_list_instructions(hsail_context_t *context, hsail_sink_t sink, void *user)
{
    if (!context || !sink)
        return HSAIL_STATUS_ARGUMENT;
    const struct mem_hooks *before = hsail_enter(context);
    struct textbuf text = {0};
    for (unsigned index = 0; index < LANG_OP_COUNT; index++) {
        const struct lang_op *op = lang_op_at(index);
        textbuf_printf(&text, "%u\t", (unsigned)op->code);
        asm_list_modifiers(&text, op);
        textbuf_printf(&text, "\t%s\t%s\n", *op->operands ? op->operands : "-",
                       op->extension ? op->extension : op->section);
    }
    hsail_status_t status = hsail_flush(&text, sink, user);
    textbuf_free(&text);
    hsail_leave(before);
    return status;
}
