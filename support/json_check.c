/* SPDX-License-Identifier: MIT */
/* Checks that text is JSON; see json_check.h.
 * Input: bytes of any content. Output: a verdict, and strings. Invariant: linear time; nothing is read twice. */
#include "support/json_check.h"

enum { MOST_DEPTH = 64 };

struct json {
    const uint8_t *at, *end;
    unsigned depth;
    void (*on_text)(void *user, struct bytes name, struct bytes value);
    void *user;
};

static void skip_blanks(struct json *j)
{
    while (j->at < j->end && (*j->at == ' ' || *j->at == '\t' || *j->at == '\n' || *j->at == '\r'))
        j->at++;
}

/* Passes over blanks, and over the character C if it follows; returns whether it did. */
static bool json_take(struct json *j, char c)
{
    skip_blanks(j);
    bool is = j->at < j->end && *j->at == (uint8_t)c;
    j->at += is;
    return is;
}

static bool take_word(struct json *j, const char *word)
{
    size_t size = strlen(word);
    bool is = (size_t)(j->end - j->at) >= size && !memcmp(j->at, word, size);
    j->at += is ? size : 0;
    return is;
}

static bool is_hexadecimal(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool take_string(struct json *j, struct bytes *string)
{
    if (!json_take(j, '"'))
        return false;
    string->data = j->at;
    while (j->at < j->end && *j->at != '"') {
        if (*j->at < 0x20)
            return false;
        if (*j->at++ != '\\')
            continue;
        if (j->at == j->end || !memchr("\"\\/bfnrtu", *j->at, 9))
            return false;
        if (*j->at++ == 'u')
            for (int i = 0; i < 4; i++, j->at++)
                if (j->at == j->end || !is_hexadecimal(*j->at))
                    return false;
    }
    string->size = (size_t)(j->at - string->data);
    return json_take(j, '"');
}

static size_t take_digits(struct json *j)
{
    const uint8_t *start = j->at;
    while (j->at < j->end && *j->at >= '0' && *j->at <= '9')
        j->at++;
    return (size_t)(j->at - start);
}

static bool take_number(struct json *j)
{
    take_word(j, "-");
    const uint8_t *start = j->at;
    size_t digits = take_digits(j);
    if (!digits || (digits > 1 && *start == '0'))
        return false;
    if (take_word(j, ".") && !take_digits(j))
        return false;
    if (take_word(j, "e") || take_word(j, "E")) {
        if (!take_word(j, "+"))
            take_word(j, "-");
        return take_digits(j);
    }
    return true;
}

static bool take_value(struct json *j, struct bytes name);

static bool take_members(struct json *j)
{
    struct bytes name;
    if (json_take(j, '}'))
        return true;
    do
        if (!take_string(j, &name) || !json_take(j, ':') || !take_value(j, name))
            return false;
    while (json_take(j, ','));
    return json_take(j, '}');
}

static bool take_elements(struct json *j)
{
    if (json_take(j, ']'))
        return true;
    do
        if (!take_value(j, (struct bytes){NULL, 0}))
            return false;
    while (json_take(j, ','));
    return json_take(j, ']');
}

static bool take_value(struct json *j, struct bytes name)
{
    struct bytes string;
    bool good;
    skip_blanks(j);
    if (j->at == j->end || j->depth == MOST_DEPTH)
        return false;
    j->depth++;
    switch (*j->at) {
    case '{': j->at++, good = take_members(j); break;
    case '[': j->at++, good = take_elements(j); break;
    case '"':
        good = take_string(j, &string);
        if (good && name.data && j->on_text)
            j->on_text(j->user, name, string);
        break;
    case 't': good = take_word(j, "true"); break;
    case 'f': good = take_word(j, "false"); break;
    case 'n': good = take_word(j, "null"); break;
    default: good = take_number(j);
    }
    j->depth--;
    return good;
}

bool json_check(struct bytes text, void (*on_text)(void *user, struct bytes name, struct bytes value), void *user)
{
    struct json j = {.at = text.data, .end = text.data + text.size, .on_text = on_text, .user = user};
    if (!text.size || !take_value(&j, (struct bytes){NULL, 0}))
        return false;
    skip_blanks(&j);
    return j.at == j.end;
}
