# In the static archives, a linker must see what the shared libraries export, and nothing else. Archives that the build
# has made (configure --enable-static) are tested; otherwise those of libhsail and the runtime are made here, with the
# script that the build uses.
. "$srcdir/testsuite/tap.sh"
srcdir=$(cd "$srcdir" && pwd) || exit 99
builddir=$(cd "$builddir" && pwd) || exit 99

if ! command -v nm >/dev/null 2>&1 || ! command -v objcopy >/dev/null 2>&1; then
    skip "static archives have public names only" "no nm or no objcopy"
    tap_done
fi
sanitizers=
[ "$TEST_SANITIZERS" = no ] || sanitizers=-fsanitize=$TEST_SANITIZERS

# Names that sanitizers and coverage need come from the compiler.
public() { # nm option... file
    nm --defined-only "$@" | awk 'NF == 3 && $2 != "A" { sub(/@.*/, "", $3); print $3 }' |
        grep -Ev '^(__(odr_)?(asan|ubsan|tsan|gcov|llvm|sanitizer)|_init$|_fini$|__bss_start$|_edata$|_end$)' | LC_ALL=C sort
}

same_names() { # name archive
    public -D "$builddir/.libs/$1.so" >"$work/shared"
    public -g "$2" >"$work/static"
    [ -s "$work/shared" ] && diff "$work/shared" "$work/static"
}

make_archive() { # library version-script input...
    made=$1
    map=$2
    shift 2
    cd "$builddir" || return
    # shellcheck disable=SC2086 # a compiler and its words
    sh "$srcdir/build-aux/public-archive" "$TEST_CC" objcopy ar ./libtool --quiet --tag=CC --tag=disable-shared \
        --mode=link $TEST_CC $sanitizers -Wl,--version-script="$srcdir/$map" -o libstatictest.la -rpath /usr/lib "$@"
    status=$?
    mv .libs/libstatictest.a "$work/$made.a"
    rm -f libstatictest.la .libs/libstatictest.*
    return $status
}

make_archives() {
    make_archive libhsail frontend/hsail.map libhsailapi.la || return
    # shellcheck disable=SC2046 # a list of objects
    make_archive libhsa-runtime64 runtime/runtime.map \
        $(cd "$builddir" && find runtime -name 'libhsa_runtime64_la-*.lo' | LC_ALL=C sort) libgcn.la libsupport.la
}
[ -e "$builddir/.libs/libhsail.a" ] || check "archives are made" make_archives

for name in libhsail libhsa-ext-finalize64 libhsa-runtime64; do
    archive=$builddir/.libs/$name.a
    [ -e "$archive" ] || archive=$work/$name.a
    if [ ! -e "$archive" ]; then
        skip "$name.a has the names of $name.so" "not configured with --enable-static"
        continue
    fi
    check "$name.a has the names of $name.so" same_names $name "$archive"
done

archive=$builddir/.libs/libhsail.a
[ -e "$archive" ] || archive=$work/libhsail.a
cat >"$work/names.c" <<'END'
/* Names of the library's insides are the program's own. */
#include <hsail/hsail.h>

int strpool_intern(void), textbuf_puts(void), arena_alloc(void), brig_validate(void);
int strpool_intern(void) { return 0; }
int textbuf_puts(void) { return 0; }
int arena_alloc(void) { return 0; }
int brig_validate(void) { return 0; }
int main(void)
{
    static const char text[] = "module &m:1:0:$full:$large:$default; prog kernel &k() { ret; };";
    hsail_context_t *context;
    hsail_module_t *module;
    if (hsail_context_create(0, &context) != HSAIL_STATUS_OK)
        return 1;
    if (hsail_assemble(context, "text", text, sizeof text - 1, 0, &module) != HSAIL_STATUS_OK)
        return 2;
    hsail_module_destroy(module);
    hsail_context_destroy(context);
    return strpool_intern() + textbuf_puts() + arena_alloc() + brig_validate();
}
END
# shellcheck disable=SC2086 # a compiler and its words
check "a program is linked with libhsail.a" $TEST_CC -I"$srcdir/include" $sanitizers -o "$work/names" "$work/names.c" "$archive"
check "and runs" "$work/names"
tap_done
