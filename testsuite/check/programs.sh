# SPDX-License-Identifier: MIT
# Whole HIP programs, of the kinds that people write, under hsa-run --check=all: reductions, queues, locks, grids that
# synchronise, persistent kernels, streams. The wrong ones differ from right ones by one mistake.
. "$srcdir/testsuite/clients/client.sh"
if ! command -v hipcc >/dev/null || [ ! -f /usr/include/hip/hip_runtime.h ]; then
    skip "HIP programs with checkers" "the package hipcc or libamdhip64-dev is not installed"
    tap_done
fi
sources="$srcdir/testsuite/check/programs.cpp $srcdir/testsuite/check/programs_group.cpp
$srcdir/testsuite/check/programs_grid.cpp $srcdir/testsuite/check/programs_memory.cpp
$srcdir/testsuite/check/programs_arrays.cpp"
# shellcheck disable=SC2086 # a list of files
check "the programs compile" "$run" hipcc -O1 -g -w -std=c++17 -I"$srcdir" $sources -o "$work/programs"

silent() {
    timeout 300 "$run" --check=all "$work/programs" right >"$work/said" 2>&1 && ! grep 'hsa: kernel\|HIP fails' "$work/said" ||
        { cat "$work/said"; return 1; }
}
# shellcheck disable=SC2086 # a list of files
check "$(cat $sources | grep -c '^CASE(right') right programs are silent" silent

found() { # CASE ID
    timeout 300 "$run" --check=all "$work/programs" "$1" >"$work/said" 2>&1 && return 1
    cat "$work/said"
    grep -q "\[$2\]" "$work/said" && grep -q 'programs[_a-z]*\.[ch]pp:[0-9]' "$work/said"
}
while read -r name id; do
    check "wrong: $name" found "wrong_$name" "$id"
done <<'END'
race_reduce race-group
init_shuffle init-store
race_tiles race-group
race_grid_sync race-global
race_last_block race-global
race_lock race-global
race_queue race-global
race_double_buffer race-group
memory_dynamic memory-group
race_bitfields race-global
init_memcpy init-store
any_3d memory-global
race_persistent race-group
memory_use_after_free memory-freed
memory_over memory-global
init_fresh init-store
race_scope race-global
race_histogram race-group
race_histogram_no_barrier race-group
init_histogram init-store
race_scan race-group
barrier_divergent barrier-divergent
barrier_loop barrier-divergent
other_leak memory-other-group
memory_negative memory-global
any_char memory-global
END
tap_done
