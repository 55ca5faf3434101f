/* SPDX-License-Identifier: MIT */
/* Tests diagnostics, sources, text buffers and the string pool. */
#include "support/alloc.h"
#include "support/diag.h"
#include "support/hash.h"
#include "support/strpool.h"
#include "testsuite/tap.h"

static const struct diag_rule error_rule = {"bad-thing", "{} of {} is {}{", "4.5", "Bad.", DIAG_ERROR};
static const struct diag_rule warning_rule = {"odd-thing", "odd", "", "Odd.", DIAG_WARNING};
static const struct diag_rule note_rule = {"why", "because of {}", "", "Why.", DIAG_NOTE};

static struct bytes bytes_of(const char *text)
{
    return (struct bytes){(const uint8_t *)text, strlen(text)};
}

static void sources(void)
{
    struct source source = {.text = bytes_of("one\r\ntwo\n\nfour")};
    struct source_position p = source_position(&source, 0), q = source_position(&source, 9),
                           r = source_position(&source, 99);
    ok(p.line == 1 && p.column == 1 && q.line == 3 && q.column == 1 && r.line == 4 && r.column == 5,
       "positions, that of the end included");
    ok(source_line(&source, 1).size == 3 && source_line(&source, 3).size == 0 && source_line(&source, 4).size == 4 &&
           source_line(&source, 5).size == 0 && source_line(&source, 0).size == 0,
       "lines without their ends");
    source_free(&source);
    struct source empty = {.text = {NULL, 0}};
    ok(source_position(&empty, 0).line == 1, "an empty text has a first line");
    source_free(&empty);
    mem_fail_after(0);
    ok(source_position(&source, 5).line == 0, "without memory there are no positions");
    mem_fail_after(-1);
    source_free(&source);
}

static void reporting(void)
{
    struct source source = {.name = "a.hsail", .text = bytes_of("first\n\tsecond line\x01\n")};
    struct diag_list list = {.limit = 2};
    struct textbuf text = {0};
    struct bytes raw = bytes_of("\x1b[31m");
    diag_report(&list, &error_rule, diag_in_text(7, 13), "type", raw, -7);
    diag_report(&list, &note_rule, diag_in_text(0, 5), 42u);
    diag_report(&list, &warning_rule, diag_in_text(0, 0));
    diag_sort(&list);
    for (size_t i = 0; i < list.items.count; i++)
        diag_text(&text, &list.items.items[i], source.name, &source, false);
    const char *expected =
        "a.hsail:1:1: warning: odd [odd-thing]\n    first\n    ^\n"
        "a.hsail:2:2: error: type of \\x1b[31m is -7{ [bad-thing] (PRM 4.5)\n"
        "    \tsecond line?\n    \t^~~~~~\n"
        "a.hsail:1:1: note: because of 42\n    first\n    ^~~~~\n";
    if (!ok(text.data && strcmp(text.data, expected) == 0, "messages stand in source order, notes with theirs"))
        printf("%s", text.data);
    textbuf_clear(&text);
    diag_json(&text, &list.items.items[1], "a\"b", &source);
    ok(strcmp(text.data, "{\"file\":\"a\\\"b\",\"line\":2,\"column\":2,\"end_line\":2,\"end_column\":8,"
                         "\"severity\":\"error\",\"id\":\"bad-thing\",\"message\":\"type of \\\\x1b[31m is -7{\","
                         "\"prm\":\"4.5\"}\n") == 0,
       "JSON");
    diag_report(&list, &error_rule, diag_in_text(0, 0));
    ok(diag_full(&list) && list.items.count == 4, "the limit is reached");
    diag_report(&list, &error_rule, diag_in_text(0, 0));
    diag_report(&list, &note_rule, diag_in_text(0, 0), "x");
    ok(list.items.count == 4 && list.errors == 3, "what exceeds the limit is counted, not kept, nor its notes");
    diag_report(NULL, &error_rule, diag_in_text(0, 0));
    textbuf_free(&text);
    diag_list_free(&list);
    source_free(&source);
}

static enum diag_severity adjust(void *context, const struct diag_rule *rule)
{
    (void)context;
    return rule == &warning_rule ? DIAG_ERROR : DIAG_OFF;
}

static void severities(void)
{
    struct diag_list list = {.adjust = adjust};
    diag_report(&list, &warning_rule, diag_in_text(0, 0));
    diag_report(&list, &error_rule, diag_in_text(0, 0));
    ok(list.items.count == 1 && list.errors == 1 && list.items.items[0].severity == DIAG_ERROR,
       "the caller decides about severities");
    diag_list_free(&list);
    list = (struct diag_list){.warnings_are_errors = true};
    diag_report(&list, &warning_rule, diag_in_text(0, 0));
    ok(list.errors == 1 && list.warnings == 0, "warnings are errors when wanted");
    diag_list_free(&list);
}

static void long_lines(void)
{
    static char line[5000];
    memset(line, 'x', sizeof line - 1);
    struct source source = {.text = {(const uint8_t *)line, sizeof line - 1}};
    struct diag_list list = {0};
    struct textbuf text = {0};
    diag_report(&list, &warning_rule, diag_in_text(2500, 4000));
    diag_text(&text, &list.items.items[0], NULL, &source, true);
    ok(text.size < 400 && strstr(text.data, "..."), "a long line is clipped around the place");
    textbuf_free(&text);
    diag_list_free(&list);
    source_free(&source);
}

static void out_of_memory(void)
{
    bool counted = true, lost = true;
    for (long n = 0; n < 4; n++) {
        struct diag_list list = {0};
        mem_fail_after(n);
        diag_report(&list, &error_rule, diag_in_text(0, 0), "a", "b", "c");
        bool failed = mem_fail_after(-1);
        counted &= list.errors == 1;
        lost &= list.out_of_memory == failed;
        diag_list_free(&list);
    }
    ok(counted && lost, "a lost message is still counted, and the loss is told");
}

static void pool(void)
{
    struct strpool strings = {0};
    char text[16];
    bool good = true;
    for (uint32_t i = 0; i < 5000; i++) {
        int length = snprintf(text, sizeof text, "s%u", i * 31);
        good &= strpool_intern(&strings, text, (size_t)length) == i + 1;
    }
    for (uint32_t i = 0; i < 5000; i++) {
        int length = snprintf(text, sizeof text, "s%u", i * 31);
        good &= strpool_find(&strings, text, (size_t)length) == i + 1;
        good &= memcmp(strpool_get(&strings, i + 1).data, text, (size_t)length + 1) == 0;
    }
    ok(good, "strings keep their numbers");
    ok(strpool_find(&strings, "other", 5) == 0, "strings that were not added have no number");
    uint32_t empty = strpool_intern(&strings, NULL, 0);
    ok(empty && strpool_intern(&strings, "", 0) == empty, "the empty string is one");
    strpool_free(&strings);
    ok(strpool_find(&strings, "x", 1) == 0, "an empty pool finds nothing");
    bool clean = true;
    for (long n = 0; n < 6; n++) {
        mem_fail_after(n);
        uint32_t id = strpool_intern(&strings, "text", 4);
        clean &= (id == 0) == (mem_fail_after(-1) != 0);
        strpool_free(&strings);
    }
    ok(clean, "each allocation of the pool may fail");
    ok(hash_bytes(1, "abc", 3) != hash_bytes(2, "abc", 3) && hash_seed() == hash_seed() && hash_seed(),
       "hashes depend on a seed that stays");
}

static void text_buffers(void)
{
    struct textbuf text = {0};
    textbuf_printf(&text, "%0500d", 7);
    ok(text.size == 500 && text.data[499] == '7' && text.data[500] == 0, "long formats fit");
    textbuf_clear(&text);
    textbuf_quote(&text, bytes_of("a\tb\xff long"), 4);
    ok(strcmp(text.data, "a\\x09b\\xff...") == 0, "quoted bytes are printable and limited");
    textbuf_clear(&text);
    textbuf_json(&text, "\"\\\n\xc3\xa4\xe4", 6);
    ok(strcmp(text.data, "\"\\\"\\\\\\u000a\\u00e4\\ufffd\"") == 0, "JSON strings are escaped");
    textbuf_free(&text);
    mem_fail_after(0);
    textbuf_puts(&text, "x");
    mem_fail_after(-1);
    textbuf_puts(&text, "y");
    ok(text.failed && text.size == 0, "a failure is kept");
    textbuf_free(&text);
}

int main(void)
{
    sources();
    reporting();
    severities();
    long_lines();
    out_of_memory();
    pool();
    text_buffers();
    return tap_done();
}
