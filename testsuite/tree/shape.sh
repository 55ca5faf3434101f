# Checks the shape of the sources: licence line, sizes, layout, and what must not be in them.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/tree/files.sh"

code=$(tree_files '*.[ch]' '*.re' '*.y')
tables=$(tree_files '*.def')
everything=$(tree_files '*')
cd "$srcdir" || exit 99

# shellcheck disable=SC2086 # lists of files without blanks
{
    check_quiet "sources open with their licence" \
        awk 'FNR == 1 && !/^(\/\*|\/\/) SPDX-License-Identifier: MIT/ { print FILENAME }' $code $tables

    check_quiet "no source is longer than 1,000 lines" \
        awk 'FNR == 1001 { print FILENAME }' $code

    # A body goes from a brace alone on its line to the brace that closes it, both in the first column. If a longer one
    # is better kept in one piece, a comment before it says why, with the words "Long because".
    check_quiet "no function is longer than 60 lines" \
        awk 'FNR == 1 { open = 0; excused = 0 }
             /Long because/ { excused = 1 }
             /^\{/ { open = FNR }
             /^\}/ { if (open && FNR - open - 1 > 60 && !excused) print FILENAME ":" open ": " FNR - open - 1 " lines"
                     open = 0; excused = 0 }' $(tree_files '*.[ch]')

    # The rows of a table that is a macro are as long as they are.
    check_quiet "no line is longer than 120 columns" \
        awk 'length($0) > 120 && !/\\$/ { print FILENAME ":" FNR }' $code

    check_quiet "no tabs, trailing blanks or carriage returns" \
        grep -nE "$(printf '\t')|$(printf '\r')|[ ]\$" $code $tables

    check_quiet "files end with a newline" \
        sh -c 'for file; do [ -s "$file" ] && [ -n "$(tail -c 1 "$file")" ] && echo "$file"; done' sh $code $tables

    check_quiet "nothing is left for later" \
        grep -nE '\b(TO''DO|FIX''ME|X''XX|HA''CK)\b' $everything

    check_quiet "no path of a machine" \
        grep -nIE '/(ho''me|ro''ot|wo''rk|Us''ers)/' $everything README.md NEWS quickstart configure.ac doc man .ci/run -r
}

# A switch over an enumeration of ours must name each case, so that the compiler finds a missing one. A switch with a
# default must be about numbers that others define, and a comment beside the default must say so.
defaults() { grep -nE '\bdefault:' "$@" | grep -v '/\*'; }
# shellcheck disable=SC2046 # list of files without blanks
check_quiet "a default in the finalizer says why" defaults $(tree_files '*.[ch]' | grep '^finalizer/')
printf 'default: break;\ndefault: /* a number of others */ break;\n' >"$work/switch.c"
check "a default without a reason is found" [ "$(defaults "$work/switch.c")" = "1:default: break;" ]

# shellcheck disable=SC2046
check_quiet "tables are searched by support/search.h" grep -nw bsearch \
    $(tree_files '*.[ch]' | grep -E '^(support|brig|frontend|finalizer|runtime|tools)/')

twice() { # names that several tables or headers use for their include guard
    # shellcheck disable=SC2046 # list of files without blanks
    awk 'FNR == 1 { done = 0 }
         /^#ifndef [A-Z0-9_]+_H$/ && !done { done = 1; if (seen[$2]) print FILENAME ": guard " $2 " of " seen[$2]
                                             seen[$2] = FILENAME }' $(tree_files '*.h')
}
check_quiet "include guards are unique" twice

# A second file of a program would count its results from 1 again.
counted_twice() {
    # shellcheck disable=SC2046 # list of files without blanks
    grep -l '"testsuite/tap.h"' $(tree_files '*.c') | xargs grep -LE '\bint main\('
}
check_quiet "tap.h counts in files with main() only" counted_twice

tap_done
