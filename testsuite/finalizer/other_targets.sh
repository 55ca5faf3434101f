# Kernels of the suite for other targets than gfx900. They are executed if the software GPU has the processor, and
# compiled for one processor of each generation, in waves of both sizes. There are also a few random programs. With
# HSAIL_TARGETS=all there are more of these, and every mnemonic for every processor; with a list of processors, such as
# "gfx906 gfx1030", the same for these only.
. "$srcdir/testsuite/tap.sh"
needs_finalizer
tests=$builddir/testsuite/finalizer

with() { # name=value... program: runs it, and prints its output only if it fails
    env "$@" >"$work/log" 2>&1 || { grep -v '^ok' "$work/log" | tail -n 20 && false; }
}

programs='run_test alloca_test exception_test' random=20
others='gfx600 gfx700 gfx803/-mcode-object-version=5 gfx942/-mcode-object-version=6 gfx1010 gfx1030/-mwavefrontsize64 gfx1100 gfx1201'
executed='gfx906 gfx908 gfx90a'
if [ -n "${HSAIL_TARGETS:-}" ]; then
    programs="$programs float_test cvt_test flow_test signal_test random/execute_test" random=300
    others=$("$builddir/hsailfin" --list-targets | awk -F '\t' -v wanted=" $HSAIL_TARGETS " '
        wanted != " all " && !index(wanted, " " $1 " ") { next }
        { printf "%s ", $1 }
        $2 ~ / / { printf "%s/-mwavefrontsize64 ", $1 }')
    [ "$HSAIL_TARGETS" = all ] || executed=$(for name in $executed; do
        case " $HSAIL_TARGETS " in *" $name "*) echo "$name" ;; esac
    done)
fi
for target in $executed; do
    for program in $programs; do
        check "$program on $target" with GPU_TARGET=$target "$tests/$program"
    done
    check "random programs on $target" with GPU_TARGET=$target RANDOM_PROGRAMS=$random RANDOM_SEED=4000 \
        "$tests/random/random_test"
done
check "random programs compile for other generations" with GPU_ALSO="$others" RANDOM_PROGRAMS=$((random / 2)) \
    RANDOM_SEED=5000 "$tests/random/random_test"
if [ -n "${HSAIL_TARGETS:-}" ]; then
    check "every mnemonic compiles for all of these" with GPU_ALSO="$others" "$tests/random/execute_test"
fi
tap_done
