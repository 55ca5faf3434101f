# SPDX-License-Identifier: MIT
# Tests the checker of waits with kernels that wait for ever, and with others that wait for what does come.
checker=wait
. "$srcdir/testsuite/check/cases.sh"

# said_in_time LINES [OPTION...]: whether hsailrun says that the kernel waits, and LINES besides, while the kernel runs.
said_in_time() {
    lines=$1
    shift
    "$run" -q --check=wait "$@" k.hsail 'u32[256]' 'u32[256]:iota' u32:7 >said 2>&1 &
    pid=$! tries=0
    until grep -q '^  by' said || [ $((tries += 1)) -gt 600 ]; do sleep 0.1; done
    kill $pid
    wait $pid 2>/dev/null
    cat k.hsail said
    grep -qF '[wait-memory]' said && grep -q "k\.hsail:$(grep -n '// HERE' k.hsail | cut -d: -f1)\b" said &&
        [ "$(grep -E '^  (by|holding)' said | sed 's/ at .*//')" = "$lines" ]
}
stuck() { # NAME LINES [OPTION...]
    name=$1
    shift
    kernel >k.hsail
    check "wrong: $name" said_in_time "$@"
}

# A lock that a work-item keeps until the others of its wave have left the loop, too; and one that they take in turn.
cat >body <<'END'
@spin:
    atomic_cas_global_scacq_agent_b32 $s4, [$d0], 0, 1; // HERE
    cmp_ne_b1_u32 $c0, $s4, 0;
    cbr_b1 $c0, @spin;
    atomicnoret_st_global_screl_agent_b32 [$d0], 0;
END
stuck "a lock that another work-item of the wave holds" "  by work-item (1,0,0) of work-group (0,0,0)
  holding up work-item (0,0,0) of work-group (0,0,0)" -g 64 -w 64
cat >body <<'END'
    mov_b32 $s5, 0;
@turn:
    cmp_ne_b1_u32 $c0, $s5, $s1;
    cbr_b1 $c0, @next;
@spin:
    atomic_cas_global_scacq_agent_b32 $s4, [$d0], 0, 1;
    cmp_ne_b1_u32 $c0, $s4, 0;
    cbr_b1 $c0, @spin;
    atomicnoret_st_global_screl_agent_b32 [$d0], 0;
@next:
    add_u32 $s5, $s5, 1;
    cmp_lt_b1_u32 $c0, $s5, 64;
    cbr_b1 $c0, @turn;
END
right "a lock that work-items take in turn" -g 128 -w 64

# A word that nobody sets, and one that another work-group sets after it has computed for five seconds.
cat >body <<'END'
@spin:
    atomic_ld_global_scacq_agent_b32 $s4, [$d0]; // HERE
    cmp_eq_b1_u32 $c0, $s4, 0;
    cbr_b1 $c0, @spin;
END
stuck "a word that nobody sets" "  by work-item (0,0,0) of work-group (0,0,0)" -g 64 -w 64
cat >body <<'END'
    cmp_ge_b1_u32 $c0, $s0, 64;
    cbr_b1 $c0, @spin;
    mov_b32 $s5, 0;
    clock_u64 $d4;
    add_u64 $d4, $d4, 500000000; // of 10 ns
@compute:
    mad_u32 $s6, $s6, $s6, $s5;
    add_u32 $s5, $s5, 1;
    clock_u64 $d5;
    cmp_lt_b1_u64 $c0, $d5, $d4;
    cbr_b1 $c0, @compute;
    or_b32 $s6, $s6, 1;
    atomicnoret_st_global_screl_agent_b32 [$d0], $s6;
@spin:
    atomic_ld_global_scacq_agent_b32 $s4, [$d0];
    cmp_eq_b1_u32 $c0, $s4, 0;
    cbr_b1 $c0, @spin;
END
right "a word that another work-group sets after five seconds" -g 128 -w 64
tap_done
