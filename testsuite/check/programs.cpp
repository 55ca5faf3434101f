// SPDX-License-Identifier: MIT
/* Right and wrong HIP programs, of the kinds that people write, for the checkers: the name of a case says which it is.
 * Input: the name of a case, "right" for all right ones, or none to list all. Output: what the runtime reports. */
#include "testsuite/check/programs.hpp"

int main(int argc, char **argv)
{
    int found = argc < 2;
    for (test *t = tests; t; t = t->next) {
        if (argc < 2)
            puts(t->name);
        else if (!strcmp(argv[1], t->name) || (!strcmp(argv[1], "right") && !strncmp(t->name, "right", 5)))
            t->fn(), found = 1;
    }
    return !found;
}
