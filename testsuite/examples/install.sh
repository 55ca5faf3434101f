# A program outside the tree, built with the installed headers, libraries and pkg-config files: examples/dispatch.c.
. "$srcdir/testsuite/tap.sh"
srcdir=$(cd "$srcdir" && pwd) || exit 99
root=$work/root

# Not as part of the make that runs the tests: its options and job server are not ours.
install_tree() {
    (unset MAKEFLAGS MFLAGS MAKELEVEL && cd "$builddir" && ${MAKE:-make} -s install DESTDIR="$root")
}
check "make install" install_tree

libdir=$(dirname "$(find "$root" -name libhsail.so | head -n 1)")
PKG_CONFIG_LIBDIR=$libdir/pkgconfig
PKG_CONFIG_SYSROOT_DIR=$root
LD_LIBRARY_PATH=$libdir
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH

sanitizers=
[ "$TEST_SANITIZERS" = no ] || sanitizers=-fsanitize=$TEST_SANITIZERS

build() { # output input
    # shellcheck disable=SC2046,SC2086 # lists of options
    $TEST_CC -Wall -Wextra $sanitizers -o "$1" "$2" $(pkg-config --cflags --libs hsail hsa-runtime64)
}

if command -v pkg-config >/dev/null 2>&1; then
    mkdir "$work/outside" && cp "$srcdir/examples/dispatch.c" "$srcdir/examples/vector_copy.hsail" "$work/outside"
    cd "$work/outside" || exit 99
    check "dispatch.c is built" build dispatch dispatch.c
    check "and runs" sh -c './dispatch vector_copy.hsail >report'
    check "and reports success" grep -q '^Done: all 1,048,576 elements are right' report
    cat >tables.c <<'END'
#include <hsail/brig.h>
#include <string.h>
static const char *const names[] = {
#define OP(name, code, text, form, operands, rules, section) text,
#include <hsail/brig/tables/opcode.def>
};
int main(void) { return strcmp(names[HSA_BRIG_OPCODE_ADD], "add"); }
END
    check "the installed tables can be used" sh -c "$TEST_CC $sanitizers -o tables tables.c \$(pkg-config --cflags hsail) && ./tables"
    check "the installed tools run" sh -c '"$1"/usr/local/bin/hsailasm --version || "$(find "$1" -name hsailasm -type f)" --version' sh "$root"
else
    skip "dispatch.c is built" "no pkg-config"
fi

tap_done
