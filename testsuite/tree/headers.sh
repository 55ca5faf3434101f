# Every header must compile by itself. The public ones must also compile as strict C11 and as C++, with correct Doxygen
# comments.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/tree/files.sh"

flags="-I$srcdir -I$srcdir/include -I$builddir $LLVM_CFLAGS"

alone() { # folder: what the compiler says about each of its headers
    for header in $(tree_files '*.h' | grep "^$1/"); do
        # A file includes the header, because compilers have further warnings for a header that is the main file.
        echo "#include \"$header\"" >"$work/alone.c"
        # shellcheck disable=SC2086 # a list of options
        $TEST_CC -std=gnu17 -Wall -Wextra -Werror -fsyntax-only $flags "$work/alone.c" || echo "$header"
    done
}
for folder in $tree_folders; do
    if [ -z "$LLVM_CFLAGS" ] && { [ "$folder" = finalizer ] || [ "$folder" = runtime ]; }; then
        skip "headers of $folder compile alone" "configured with --without-llvm, and some include LLVM's"
        continue
    fi
    check_quiet "headers of $folder compile alone" alone "$folder"
done

public() { # command: run on each public header
    for header in $(tree_files '*.h' | grep '^include/'); do
        echo "#include \"${header#include/}\"" >"$work/public.$extension"
        "$@" -fsyntax-only -I"$srcdir/include" -I"$srcdir" "$work/public.$extension" || echo "$header"
    done
}
extension=c
# shellcheck disable=SC2086 # the compiler may carry options
check_quiet "public headers are C11" public $TEST_CC -std=c11 -Wall -Wextra -Wpedantic -Werror

extension=cc
cxx=$(command -v c++ || command -v clang++-19 || :)
if [ -n "$cxx" ]; then
    check_quiet "public headers are C++" public "$cxx" -std=c++11 -Wall -Wextra -Werror
else
    skip "public headers are C++" "no C++ compiler"
fi

extension=c
if [ -n "$CLANG" ]; then
    check_quiet "comments of public headers name what is there" \
        public "$CLANG" -std=gnu17 -Wdocumentation -Wno-documentation-unknown-command -Werror
else
    skip "comments of public headers name what is there" "no clang"
fi

tap_done
