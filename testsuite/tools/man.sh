# Tests the manual pages: the mdoc must be clean, the options must be those of --help, and the examples must run.
. "$srcdir/testsuite/tap.sh"
srcdir=$(cd "$srcdir" && pwd) || exit 99
tools=$(cd "$builddir" && pwd) || exit 99

# From the page: `.It Fl k , Fl Fl kernel Ns = ...` gives "-k --kernel".
page_options() {
    sed -n '/^\.It Fl /{
        s/ Ns .*//
        s/^\.It //
        s/ , / /
        s/Fl Fl \([a-z0-9-]*\)/--\1/
        s/Fl \([A-Za-z]\)$/-\1/
        s/Fl \([A-Za-z]\) /-\1 /
        p
    }' "$1" | LC_ALL=C sort
}

# From --help: `  -k, --kernel=NAME   ...` gives the same.
help_options() {
    "$1" --help | sed -n 's/^  *\(-[A-Za-z]\), \(--[a-z0-9-]*\).*/\1 \2/p; s/^  *\(--[a-z0-9-]*\).*/\1/p' | LC_ALL=C sort
}

same_options() {
    page_options "$1" >"$work/page"
    help_options "$2" >"$work/help"
    [ -s "$work/help" ] && diff "$work/page" "$work/help"
}

# The literal blocks of the section EXAMPLES, as a script.
examples_of() {
    sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE ALSO/p' "$1" | sed -n '/^\.Bd/,/^\.Ed/{
        /^\./d
        s/\\e/\\/g
        s/\\&//g
        p
    }'
}

run_examples() {
    rm -rf "$work/examples" && mkdir "$work/examples" && cp "$srcdir"/examples/*.hsail "$work/examples" || return 1
    examples_of "$1" >"$work/script"
    [ -s "$work/script" ] || return 1
    (cd "$work/examples" && chmod u+w ./* && PATH=$tools:$PATH sh -eu "$work/script")
}

for page in "$srcdir"/man/*.1; do
    name=$(basename "$page" .1)
    if [ -n "$MANDOC" ]; then
        check "$name.1 is clean mdoc" "$MANDOC" -Tlint -Wwarning "$page"
    else
        skip "$name.1 is clean mdoc" "no mandoc"
    fi
    if [ "$name" = hsailfin ] && [ "${TEST_LLVM:-none}" = none ]; then
        skip "$name.1 has the options of --help" "configured with --without-llvm"
        continue
    fi
    check "$name.1 has the options of --help" same_options "$page" "$tools/$name"
    if grep -q '^hsailrun' "$page" && [ "${TEST_LLVM:-none}" = none ]; then
        skip "the examples of $name.1 run" "configured with --without-llvm"
    elif [ "$name" = hsa-run ] && [ "${TEST_SANITIZERS:-no}" != no ]; then
        skip "the examples of $name.1 run" "a library with sanitizers cannot be preloaded"
    else
        check "the examples of $name.1 run" run_examples "$page"
    fi
done

for page in "$srcdir/man/hsa-environment.7" "$tools/man/hsail-diagnostics.7"; do
    name=$(basename "$page")
    if [ -n "$MANDOC" ]; then
        check "$name is clean mdoc" "$MANDOC" -Tlint -Wwarning "$page"
    else
        skip "$name is clean mdoc" "no mandoc"
    fi
done
same_variables() { # what libraries read, and what the page describes
    find "$srcdir/runtime" "$srcdir/finalizer" "$srcdir/frontend" "$srcdir/brig" "$srcdir/support" -name '*.c' -exec \
        sed -n 's/.*\(getenv\|setting\)("\([A-Z0-9_]*\)".*/\2/p' '{}' + | LC_ALL=C sort -u >"$work/read"
    sed -n 's/^\.It Ev \([A-Z0-9_]*\).*/\1/p' "$srcdir/man/hsa-environment.7" | LC_ALL=C sort >"$work/described"
    [ -s "$work/read" ] && diff "$work/described" "$work/read"
}
check "hsa-environment.7 has the variables that the code reads" same_variables

# The entries of the page in the form in which the tool lists them: id, severity, section and sentence with tabs
# between.
page_diagnostics() {
    awk '
        function entry() { if (id != "") print id "\t" severity "\t" section "\t" sentence; id = "" }
        /^\.It Cm / { entry(); id = $3; severity = ""; next }
        /^\./ { entry(); next }
        id != "" && severity == "" {
            severity = tolower($1)
            sub(/[,.]$/, "", severity)
            section = $3
            sub(/\.$/, "", section)
            sentence = ""
            next
        }
        {
            sub(/^\\&/, "")
            gsub(/\\e/, "\\")
            sentence = sentence (sentence == "" ? "" : " ") $0
        }' "$1"
}
same_diagnostics() {
    page_diagnostics "$tools/man/hsail-diagnostics.7" >"$work/page"
    "$tools/hsailasm" --list-diagnostics >"$work/list"
    [ -s "$work/list" ] && diff "$work/page" "$work/list"
}
check "hsail-diagnostics.7 has what --list-diagnostics prints" same_diagnostics

missing() {
    for tool in $(sed -n 's,^bin_PROGRAMS *+= *,,p' "$srcdir/tools/local.mk"); do
        [ -f "$srcdir/man/$tool.1" ] || echo "$tool"
    done
}
check "every tool has a page" test -z "$(missing)"

tap_done
