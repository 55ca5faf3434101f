# Builds examples/dispatch.c outside of the tree, with the installed headers, libraries and pkg-config files.
. "$srcdir/testsuite/tap.sh"
srcdir=$(cd "$srcdir" && pwd) || exit 99
root=$work/root

# Independently of the make that runs the tests, whose options and job server are not for this one.
install_tree() {
    (unset MAKEFLAGS MFLAGS MAKELEVEL && cd "$builddir" && ${MAKE:-make} -s install DESTDIR="$root")
}
check "make install" install_tree

libdir=$(dirname "$(find "$root" -name libhsail.so | head -n 1)")

# A build elsewhere must give the same bytes: no file may say where it was built. It may say where it will be installed,
# which may be a directory below the sources (make distcheck installs there).
prefix=$(dirname "${libdir#"$root"}")
builds=$(cd "$builddir" && pwd)
paths() {
    find "$root" -type f | while read -r file; do
        LC_ALL=C sed "s|$prefix||g" "$file" | LC_ALL=C grep -qaF -e "$srcdir" -e "$builds" && echo "$file"
    done >"$work/named"
    ! grep . "$work/named"
}
small() { # without symbols; and those for a debugger are not there from the beginning
    strip -o "$work/stripped" "$libdir/libhsa-runtime64.so" || return
    size=$(wc -c <"$work/stripped")
    echo "$size bytes"
    [ "$size" -le 4000000 ] && ! readelf -SW "$libdir/libhsa-runtime64.so" | grep -F ' .debug_'
}
if [ "$TEST_SANITIZERS" != no ]; then # sanitizers keep names of sources
    skip "no installed file names a directory of the build" "sanitizers"
else
    check "no installed file names a directory of the build" paths
fi
case "$TEST_SANITIZERS $TEST_CFLAGS" in
no*\ -g* | no*coverage*) skip "the runtime is at most 4 MB" "built with symbols for a debugger" ;;
no*) check "the runtime is at most 4 MB" small ;;
*) skip "the runtime is at most 4 MB" "sanitizers" ;;
esac
PKG_CONFIG_LIBDIR=$libdir/pkgconfig
PKG_CONFIG_SYSROOT_DIR=$root
LD_LIBRARY_PATH=$libdir
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH

own() ( # the installed hsainfo loads the library that is installed with it, without LD_LIBRARY_PATH
    unset LD_LIBRARY_PATH
    ldd "$(dirname "$libdir")/bin/hsainfo" | grep -F 'libhsa-runtime64.so.1 => ' | grep -F "$root" &&
        "$(dirname "$libdir")/bin/hsainfo" | grep gfx900
)
if [ -x "$(dirname "$libdir")/bin/hsainfo" ] && command -v ldd >/dev/null; then
    check "tools find their own libraries" own
else
    skip "tools find their own libraries" "bin and lib are not neighbours"
fi

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
    if [ "${TEST_LLVM:-none}" = none ]; then
        skip "and runs" "configured with --without-llvm"
    else
        check "and runs" sh -c './dispatch vector_copy.hsail >report'
        check "and reports success" grep -q '^Done: all 1,048,576 elements are right' report
    fi
    for example in callgraph count_stores; do
        cp "$srcdir/examples/$example.c" .
        check "$example.c is built" build $example $example.c
    done
    check "callgraph runs" sh -c './callgraph vector_copy.hsail | grep -qx "&vector_copy(u64 %in, u64 %out)"'
    check "count_stores runs" ./count_stores vector_copy.hsail counting.brig
    cp "$srcdir/examples/driver.c" "$srcdir/examples/driver_client.c" .
    # shellcheck disable=SC2016,SC2086 # the inner shell expands; a list of options
    check "driver.c is built" sh -c '"$@" -Wall -Wextra -shared -fPIC driver.c -o driver.so $(pkg-config --cflags hsa-runtime64) \
        -pthread' sh $TEST_CC $sanitizers
    check "driver_client.c is built" build driver_client driver_client.c
    HSA_AGENT_DRIVERS=$work/outside/driver.so
    export HSA_AGENT_DRIVERS
    check "the installed hsainfo lists the driver's agent" sh -c '"$1" >listed; cat listed
        grep -qx "  name [.]* toy" listed && grep -qx "  vendor [.]* example" listed' sh "$(dirname "$libdir")/bin/hsainfo"
    check "the driver's agent executes a dispatch" sh -c './driver_client | grep -x "the sum of all work-items is 499500"'
    HSA_AGENT_DRIVERS=
    expect_status 1 "without the driver there is no such agent" ./driver_client
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
    check "the installed tools run" sh -c '"$1"/usr/local/bin/hsailasm --version || "$(find "$1" -path "*/bin/hsailasm" -type f)" --version' sh "$root"
else
    skip "dispatch.c is built" "no pkg-config"
fi

# With CMake, using the packages that are installed with the libraries.
if [ "${TEST_LLVM:-none}" = none ]; then
    skip "CMake finds the packages" "configured with --without-llvm"
elif command -v cmake >/dev/null 2>&1; then
    mkdir "$work/cmake" && cp "$srcdir/examples/dispatch.c" "$work/cmake" && cd "$work/cmake" || exit 99
    cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(outside C)
find_package(hsa-runtime64 1.0 REQUIRED)
find_package(hsail 0.1 REQUIRED)
file(WRITE runtime "${hsa-runtime64_VERSION} of ${hsa-runtime64_DIR}\n")
add_executable(dispatch dispatch.c)
target_link_libraries(dispatch hsa-runtime64::hsa-runtime64 hsail::hsail)
add_executable(offline offline.c)
target_link_libraries(offline hsail::finalize)
END
    cat >offline.c <<'END'
#include <hsail/finalize.h>
int main(void) { hsail_finalize_free(0); return 0; }
END
    flags=
    [ -z "$sanitizers" ] || flags="-DCMAKE_C_FLAGS=$sanitizers"
    # shellcheck disable=SC2086 # one word or none
    check "CMake finds the packages" cmake -DCMAKE_PREFIX_PATH="$libdir/cmake" -DCMAKE_C_COMPILER="${TEST_CC##* }" $flags .
    # Not AMD's, of which programs ask for a version, too.
    check "the runtime is ours, as AMD's 1.5" grep -xF "1.5.0 of $libdir/cmake/hsa-runtime64" runtime
    check "CMake builds dispatch.c" sh -c 'unset MAKEFLAGS MFLAGS MAKELEVEL; cmake --build .'
    check "it runs" ./offline
    check "CMake refuses a version to come" sh -c 'mkdir new && cd new &&
        printf "cmake_minimum_required(VERSION 3.21)\nproject(new NONE)\nfind_package(hsail 9 REQUIRED)\n" >CMakeLists.txt &&
        ! cmake -DCMAKE_PREFIX_PATH="$1/cmake" .' sh "$libdir"
else
    skip "CMake finds the packages" "no cmake"
fi

# Completion for the shells.
completion=$(find "$root" -type d -name completions | head -n 1)
completes() { # word expected
    bash -c '. "$1/hsailrun"; COMP_WORDS=(hsailrun "$2"); COMP_CWORD=1; compopt() { said+=" $*"; }; _hsail
        echo "${COMPREPLY[*]}$said"' bash "$completion" "$1" >completed
    cat completed
    grep -qx -- "$2" completed
}
if command -v bash >/dev/null 2>&1; then
    mkdir "$work/completed" && cd "$work/completed" && : >'only file' || exit 99
    check "bash completes an option, without a backslash before =" completes --gri '--grid= +o filenames -o nospace'
    check "bash completes several" \
        completes --gr '\(--grid= --group-memory= --group=\|--grid= --group= --group-memory=\) +o filenames -o nospace'
    check "bash completes files after =" completes = '\(completed only file\|only file completed\)'
    check "bash completes part of a file" completes on 'only file'
else
    skip "bash completes an option" "no bash"
fi
if command -v zsh >/dev/null 2>&1; then
    check "zsh takes its script" zsh -n "$(find "$root" -name _hsail | head -n 1)"
else
    skip "zsh takes its script" "no zsh"
fi

tap_done
