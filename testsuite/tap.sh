# Test Anything Protocol for shell tests. This file is sourced, not run.
#   . "$srcdir/testsuite/tap.sh"
#   check "name" command args...     ok when the command exits 0
#   expect_status 1 "name" command   ok when it exits with that status
#   skip "name" "reason"
#   asm=$(program hsailasm)          the path at which a program of the build is called
#   needs_finalizer                  ends the test as skipped in a build without LLVM
#   tap_done
# Each test works in a directory of its own, $work, which is removed at the end.
tap_count=0
tap_failed=0
work=$(mktemp -d "${TMPDIR:-/tmp}/hsail-test.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM

report() { # status name
    tap_count=$((tap_count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $tap_count - $2"
    else
        tap_failed=$((tap_failed + 1))
        echo "not ok $tap_count - $2"
        [ -s "$work/.out" ] && head -n 40 "$work/.out" | sed 's/^/# /'
    fi
    return 0
}

check() { # name command...
    tap_name=$1
    shift
    "$@" >"$work/.out" 2>&1
    report $? "$tap_name"
}

expect_status() { # status name command...
    tap_want=$1
    tap_name=$2
    shift 2
    "$@" >"$work/.out" 2>&1
    tap_got=$?
    [ "$tap_got" -eq "$tap_want" ] || echo "exit status $tap_got, expected $tap_want" >>"$work/.out"
    [ "$tap_got" -eq "$tap_want" ]
    report $? "$tap_name"
}

skip() { # name reason
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1 # SKIP $2"
}

tap_done() {
    echo "1..$tap_count"
    [ "$tap_failed" -eq 0 ]
    exit
}

# Libtool's script, which stands for a program where it is built, takes many times as long to start as most programs
# run. This one only says where the libraries are.
program() { # name
    tap_libraries=$(cd "$builddir" && pwd)/.libs
    if [ -x "$tap_libraries/$1" ]; then
        cat >"$work/.$1" <<END
#!/bin/sh
LD_LIBRARY_PATH="$tap_libraries\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}" exec "$tap_libraries/$1" "\$@"
END
        chmod +x "$work/.$1"
        echo "$work/.$1"
    else
        echo "${tap_libraries%/.libs}/$1"
    fi
}

needs_finalizer() {
    [ "${TEST_LLVM:-none}" = none ] || return 0
    echo "1..0 # SKIP configured with --without-llvm"
    exit 0
}
