# Files that comments and pages name must exist, so that a reader who follows a name finds something.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/tree/files.sh"

extensions='c|h|def|re|sh|awk|mk|md|in|hsail|txt|map|ll|ac'

# Prints `file:line: name` for each word of the input, lines `file:line:text`, that looks like a file of the tree: a
# name with one of the extensions, perhaps with folders before it. Parts of names beside a shell variable, a pattern or
# a dash do not count.
named() {
    awk -v extensions="$extensions" '
        {
            at = index($0, ":"); file = substr($0, 1, at - 1)
            rest = substr($0, at + 1); line = substr(rest, 1, index(rest, ":") - 1)
            text = substr(rest, index(rest, ":") + 1)
            while (match(text, "[A-Za-z0-9_./+-]*[A-Za-z0-9_]\\.(" extensions ")([^A-Za-z0-9_]|$)")) {
                name = substr(text, RSTART, RLENGTH)
                sub(/[^A-Za-z0-9_]$/, "", name)
                before = RSTART > 1 ? substr(text, RSTART - 1, 1) : " "
                if (before !~ /[$*{}<>,%@&-]/ && name !~ /^[-+.\/]|NAME/)
                    print file ":" line ": " name
                text = substr(text, RSTART + RLENGTH - 1)
            }
        }'
}

# Prints comments as lines file:line:text: what comes after // or is between /* and */, except in strings.
comments() {
    awk '
        FNR == 1 { inside = 0 }
        {
            text = $0
            if (!inside)
                gsub(/"([^"\\]|\\.)*"/, "", text)
            out = ""
            while (text != "") {
                if (inside) {
                    end = index(text, "*/")
                    out = out (end ? substr(text, 1, end - 1) : text)
                    text = end ? substr(text, end + 2) : ""
                    inside = !end
                } else {
                    line = index(text, "//"); block = index(text, "/*")
                    if (line && (!block || line < block)) { out = out substr(text, line + 2); text = "" }
                    else if (block) { text = substr(text, block + 2); inside = 1 }
                    else text = ""
                }
            }
            if (out != "") print FILENAME ":" FNR ":" out
        }' "$@"
}

# A name is looked for from the top of the tree, in the folder of the file that names it, or, if it has no folder,
# anywhere.
missing() {
    sort -u | while IFS=' ' read -r place name; do
        file=${place%%:*}
        case " $elsewhere " in
        *" $name "*) continue ;;
        esac
        [ -e "$name" ] || [ -e "${file%/*}/$name" ] || [ -e "include/$name" ] && continue
        case $name in
        */*) ;;
        *.hsail) continue ;; # these are files of the reader
        *) grep -qxF "$name" "$work/basenames" && continue ;;
        esac
        echo "$place $name"
    done
}

# Files that the build makes, and those of users in examples.
elsewhere="frontend/parser.h parser.h frontend/parser.c parser.c frontend/lexer.c lexer.c config.h testsuite/env.sh
    dir/file.hsail"
# shellcheck disable=SC2116,SC2086 # one blank between the names
elsewhere=$(echo $elsewhere)

cd "$srcdir" || exit 99
{ tree_files '*'; find doc man m4 .ci -type f; ls; } | sed 's,.*/,,' | sort -u >"$work/basenames"

# shellcheck disable=SC2046 # lists of files without blanks
comments $(tree_files '*.[ch]' '*.re' '*.y' '*.def') | named >"$work/of_comments"
check "names of files are found in comments" test "$(wc -l <"$work/of_comments")" -ge 300
check_quiet "files named in comments exist" missing <"$work/of_comments"

# shellcheck disable=SC2046
grep -n '' $(find doc -name '*.md') README.md | named >"$work/of_pages"
check "names of files are found in pages" test "$(wc -l <"$work/of_pages")" -ge 50
check_quiet "files named in pages exist" missing <"$work/of_pages"

printf '%s\n' 'x.c:1: see brig/reader.c and brig/nowhere.c, *.def and $name.h' | named | missing >"$work/found"
check "a name without a file is found" [ "$(cat "$work/found")" = "x.c:1: brig/nowhere.c" ]

# No two source files may have the same name, so that nobody who reads "see target.h" has to guess which is meant.
# Public headers and examples are named for those who use them, test programs after what they test in their folder.
twice() {
    grep -vE '^(include|examples)/|_test\.c$' | sed 's,.*/,,' | sort | uniq -d
}
tree_files '*.[ch]' '*.re' '*.y' '*.def' >"$work/sources"
check_quiet "no two sources share a name" twice <"$work/sources"
printf '%s\n' a/x.c b/x.c a/y.c b/z_test.c c/z_test.c include/y.c | twice >"$work/found"
check "two sources of one name are found" [ "$(cat "$work/found")" = x.c ]

# The same holds for types: a reader who searches for `struct NAME {` must find it in one file only, even if it is
# private.
types() {
    awk 'match($0, /^[ ]*(typedef |static |const )*(struct|enum|union) [a-z0-9_]+ [{]/) {
             match($0, /(struct|enum|union) [a-z0-9_]+/); split(substr($0, RSTART, RLENGTH), word, " ")
             if (seen[word[2], FILENAME]++ == 0) { files[word[2]] = files[word[2]] " " FILENAME; n[word[2]]++ }
         }
         END { for (name in n) if (n[name] > 1) print name ":" files[name] }' "$@"
}
# shellcheck disable=SC2046 # list of files without blanks
check_quiet "no two types share a name" types $(grep -E '^(support|brig|frontend|finalizer|runtime|tools)/' "$work/sources")
printf 'struct a {\nenum b {\n    struct c {\n' >"$work/one.h"
printf 'struct b;\nstatic struct a {\n} a;\nstruct c x = {0};\n' >"$work/two.h"
check "two types of one name are found" [ "$(types "$work/one.h" "$work/two.h")" = "a: $work/one.h $work/two.h" ]

# A search does not find names that a macro pastes together, so a comment beside the macro must show one of them.
pasted() {
    for file in $(tree_files '*.[ch]' | grep -v '^runtime/gcn/'); do # runtime/gcn pastes too many names to show them all
        sed -nE 's/^#define [A-Z0-9_]+\([^)]*\) +([A-Za-z0-9_]+_)##[a-z_]+( = [^,]*)?,.*/\1/p' "$file" | sort -u |
            while read -r prefix; do
                grep -Eq "^( |/)\*.*\b$prefix[A-Za-z0-9]+[A-Za-z0-9_]*, |/\*.*\b$prefix[A-Za-z0-9]+[A-Za-z0-9_]*, " "$file" ||
                    echo "$file: no comment shows a name that begins with $prefix"
            done
    done
}
check_quiet "comments show the names that macros make" pasted

tap_done
