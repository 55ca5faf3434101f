/* SPDX-License-Identifier: MIT */
/* Positions in a text; see source.h.
 * Input: a text. Output: lines and columns. Invariant: line_starts is empty or complete; it begins with 0. */
#include "support/source.h"

#include "support/search.h"

static bool find_lines(struct source *source)
{
    if (source->line_starts.count)
        return true;
    if (!vec_push(&source->line_starts, 0))
        return false;
    const uint8_t *text = source->text.data, *end = text + source->text.size;
    for (const uint8_t *at = text; at < end; at++) {
        at = memchr(at, '\n', (size_t)(end - at));
        if (!at)
            break;
        if (!vec_push(&source->line_starts, (size_t)(at + 1 - text))) {
            vec_free(&source->line_starts);
            return false;
        }
    }
    return true;
}

struct source_position source_position(struct source *source, size_t offset)
{
    if (!find_lines(source))
        return (struct source_position){0, 0};
    if (offset > source->text.size)
        offset = source->text.size;
    size_t line = search_first(source->line_starts.count, i, source->line_starts.items[i] > offset);
    return (struct source_position){line, offset - source->line_starts.items[line - 1] + 1};
}

struct bytes source_line(struct source *source, size_t line)
{
    if (!line || !find_lines(source) || line > source->line_starts.count)
        return (struct bytes){(const uint8_t *)"", 0};
    size_t start = source->line_starts.items[line - 1];
    size_t end = line < source->line_starts.count ? source->line_starts.items[line] - 1 : source->text.size;
    if (end > start && source->text.data[end - 1] == '\r')
        end--;
    return (struct bytes){source->text.data + start, end - start};
}

void source_free(struct source *source)
{
    vec_free(&source->line_starts);
}
