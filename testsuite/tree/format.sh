# All C sources have the layout of .clang-format, which `make format` applies.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/tree/files.sh"

if [ -z "$CLANG_FORMAT" ]; then
    skip "sources are laid out by .clang-format" "no clang-format-19 here"
    tap_done
fi

# Versions before 18 do not know all of the options, and others may break lines elsewhere.
sources=$(tree_files '*.[ch]')
cd "$srcdir" || exit 99
# shellcheck disable=SC2086 # a list of files without blanks
check_quiet "sources are laid out by .clang-format" \
    sh -c '"$CLANG_FORMAT" --dry-run "$@" 2>&1 | grep -E "warning:|error:"' sh $sources
tap_done
