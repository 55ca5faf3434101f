/* SPDX-License-Identifier: MIT */
/* Text and JSON from the same calls; see listing.h.
 * Input: values in the order to be shown. Output: standard output. Invariant: as JSON the whole is one valid value. */
#include "tools/listing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NAME_WIDTH 38

static void json_string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            printf("\\%c", byte);
        else if (byte < 0x20 || byte >= 0x7f)
            printf("\\u%04x", byte);
        else
            putchar(byte);
    }
    putchar('"');
}

static void json_key(const char *name)
{
    putchar('"');
    for (; *name; name++)
        putchar(*name == ' ' ? '_' : *name);
    printf("\": ");
}

/* Starts a line of the innermost group. */
static void listing_begin(struct report *report, const char *name)
{
    if (report->json) {
        printf("%s%*s", report->empty ? "\n" : ",\n", report->depth * 2, "");
        if (name)
            json_key(name);
    } else {
        int used = printf("%*s%s ", (report->depth - 1) * 2, "", name);
        while (used++ < NAME_WIDTH)
            putchar('.');
        putchar(' ');
    }
    report->empty = false;
}

static void listing_end(const struct report *report)
{
    if (!report->json)
        putchar('\n');
}

void report_open(struct report *report, const char *name, bool list, const char *title)
{
    if (report->json) {
        if (report->depth)
            listing_begin(report, name);
        putchar(list ? '[' : '{');
    } else if (title) {
        printf("%s%*s%s\n", report->started ? "\n" : "", report->depth > 1 ? (report->depth - 1) * 2 : 0, "", title);
    }
    if (report->json || !list)
        report->depth++;
    report->empty = true;
    report->started |= title != NULL;
}

void report_close(struct report *report, bool list)
{
    if (report->json || !list)
        report->depth--;
    if (!report->json)
        return;
    if (!report->empty)
        printf("\n%*s", report->depth * 2, "");
    putchar(list ? ']' : '}');
    if (!report->depth)
        putchar('\n');
    report->empty = false;
}

void report_text(struct report *report, const char *name, const char *text)
{
    listing_begin(report, name);
    if (report->json)
        json_string(text);
    else
        printf("%s", text);
    listing_end(report);
}

/* Prints the size again in a unit that is large enough to need fewer than 10,240 of them. */
static void print_large_size(uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double size = (double)bytes / 1024;
    size_t unit = 0;
    for (; size >= 10240 && unit + 1 < sizeof units / sizeof *units; unit++)
        size /= 1024;
    printf(" (%.1f %s)", size, units[unit]);
}

void report_number(struct report *report, const char *name, uint64_t number, const char *unit)
{
    listing_begin(report, name);
    printf("%" PRIu64, number);
    if (!report->json && unit) {
        printf(" %s", unit);
        if (!strcmp(unit, "bytes") && number >= 10240)
            print_large_size(number);
    }
    listing_end(report);
}

void report_bool(struct report *report, const char *name, bool value)
{
    listing_begin(report, name);
    if (report->json)
        printf("%s", value ? "true" : "false");
    else
        printf("%s", value ? "yes" : "no");
    listing_end(report);
}

void report_numbers(struct report *report, const char *name, const uint64_t *numbers, size_t count,
                    const char *separator)
{
    listing_begin(report, name);
    if (report->json)
        putchar('[');
    for (size_t i = 0; i < count; i++)
        printf("%s%" PRIu64, !i ? "" : report->json ? ", " : separator, numbers[i]);
    if (report->json)
        putchar(']');
    listing_end(report);
}

void report_texts(struct report *report, const char *name, const char *const *texts, size_t count)
{
    listing_begin(report, name);
    if (report->json)
        putchar('[');
    for (size_t i = 0; i < count; i++) {
        if (i)
            printf(", ");
        if (report->json)
            json_string(texts[i]);
        else
            printf("%s", texts[i]);
    }
    if (report->json)
        putchar(']');
    else if (!count)
        printf("none");
    listing_end(report);
}
