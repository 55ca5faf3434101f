/* SPDX-License-Identifier: MIT */
/* Driver of the disassembler, and its output buffer; see dis.h.
 * Input: a view that was opened. Output: text, in pieces of up to 64 KiB. Invariant: after a failure of the sink the
 * rest is thrown away. */
#include "frontend/dis_p.h"

#include "support/alloc.h"

void dis_flush(struct dis *dis)
{
    if (dis->used && dis->status == DIS_OK && dis->sink(dis->user, dis->buffer, dis->used))
        dis->status = DIS_SINK;
    dis->used = 0;
}

void dis_bytes(struct dis *dis, const void *data, size_t size)
{
    const char *from = data;
    while (size) {
        if (dis->used == DIS_BUFFER)
            dis_flush(dis);
        size_t part = DIS_BUFFER - dis->used;
        if (part > size)
            part = size;
        memcpy(dis->buffer + dis->used, from, part);
        dis->used += part;
        from += part;
        size -= part;
    }
}

void dis_unsigned(struct dis *dis, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    dis_bytes(dis, digits + at, sizeof digits - at);
}

void dis_signed(struct dis *dis, int64_t number)
{
    if (number < 0)
        dis_char(dis, '-');
    dis_unsigned(dis, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

/* A printer to end with end_printing(), or NULL. */
static struct dis *begin_printing(const struct brig_view *view, enum number_style style, enum dis_layout layout,
                                  int (*sink)(void *user, const void *data, size_t size), void *user)
{
    struct dis *dis = mem_alloc(sizeof *dis);
    struct dis_mnemonic *mnemonics = mem_zalloc(DIS_MNEMONICS, sizeof *mnemonics);
    if (!dis || !mnemonics) {
        mem_free(mnemonics);
        mem_free(dis);
        return NULL;
    }
    dis->view = view;
    dis->style = style;
    dis->sink = sink;
    dis->user = user;
    dis->status = DIS_OK;
    dis->large = brig_module_directive(view)->machine_model == HSA_BRIG_MACHINE_MODEL_LARGE;
    dis->readable = layout == DIS_READABLE;
    dis->depth = 0;
    dis->group = 0;
    dis->noted = dis->file = 0;
    dis->used = 0;
    dis->mnemonics = mnemonics;
    return dis;
}

static enum dis_status end_printing(struct dis *dis)
{
    dis_flush(dis);
    enum dis_status status = dis->status;
    mem_free(dis->mnemonics);
    mem_free(dis);
    return status;
}

enum dis_status dis_module(const struct brig_view *view, enum number_style style, enum dis_layout layout,
                           int (*sink)(void *user, const void *data, size_t size), void *user)
{
    struct dis *dis = begin_printing(view, style, layout, sink, user);
    if (!dis)
        return DIS_OUT_OF_MEMORY;
    for (uint32_t at = brig_first_code(view); at < brig_end_code(view) && dis->status == DIS_OK;) {
        if (dis->readable)
            dis_blank(dis, at);
        at = dis_directive(dis, at);
    }
    return end_printing(dis);
}

/* Takes the first line, blanks before it left out. */
static int take_line(void *user, const void *data, size_t size)
{
    struct textbuf *out = user;
    const char *from = data, *end = from + size;
    while (from < end && (*from == '\n' || *from == '\t') && !out->size)
        from++;
    const char *newline = memchr(from, '\n', (size_t)(end - from));
    textbuf_add(out, from, (size_t)((newline ? newline : end) - from));
    return out->failed || newline;
}

bool dis_entry(const struct brig_view *view, uint32_t code, struct textbuf *out)
{
    struct dis *dis = begin_printing(view, NUMBER_DECIMAL, DIS_TABS, take_line, out);
    if (!dis)
        return false;
    dis_head(dis, code);
    return end_printing(dis) != DIS_OUT_OF_MEMORY && !out->failed;
}
