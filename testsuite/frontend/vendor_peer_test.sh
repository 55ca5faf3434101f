# Compares our assembler with the HSAIL 1.0 assembler of hsail-tools on AMD's instructions. From the mnemonics in that
# program, peer/vendor.awk makes about 110,000 statements. Both assemblers must accept the same statements, and write
# the same bytes for them. PROBES says how many of the statements that we refuse are also given to the other. Covers
# S06.
. "$srcdir/testsuite/tap.sh"

generator=$srcdir/testsuite/frontend/peer/vendor.awk
probes=${PROBES:-1500}

asm=$(program hsailasm)
ours() { "$asm" "$@"; }
other() { "$HSAILASM_1_0" -assemble -brig -o "$work/other.brig" "$@" >"$work/other.out" 2>&1; }

if [ -z "$HSAILASM_1_0" ]; then
    skip "AMD's instructions are those of the HSAIL 1.0 assembler" "no HSAILasm"
    tap_done
    exit
fi

# The strings in a program that are its mnemonics.
LC_ALL=C tr -c 'A-Za-z0-9_' '\n' <"$HSAILASM_1_0" | grep -E '^amd_[a-z]+(_[A-Za-z0-9_]+)?$' | LC_ALL=C sort -u >"$work/stems"

same_mnemonics() {
    ours --list | cut -f 2 | sed -n 's/[[_]*[[<].*//; /^amd_/p' | LC_ALL=C sort -u >"$work/listed"
    grep -v -x -E 'amd_[a-z]+' "$work/stems" | diff - "$work/listed" && [ "$(wc -l <"$work/listed")" -gt 30 ]
}
check "the mnemonics are those in its table" same_mnemonics

head=9
wrap() { # model statements
    printf 'module &m:1:0:%s;\nextension "IMAGE";\nextension "amd:gcn";\nextension "amd:mipmap";\n' "$1"
    printf 'extension "amd:dg";\nglobal_u32 &g;\nkernel &k(kernarg_u64 %%a)\n{\ngroup_u32 %%l;\n'
    cat "$2"
    printf 'ret;\n};\n'
}

# Divides the statements into $work/good and $work/refused by our own verdicts.
sort_out() { # model
    cp "$work/all" "$work/good"
    : >"$work/refused"
    while wrap "$1" "$work/good" >"$work/module.hsail" &&
        ! ours --validate --max-errors=0 "$work/module.hsail" 2>"$work/report"; do
        sed -n 's/^[^:]*:\([0-9]*\):[0-9]*: error: .*/\1/p' "$work/report" >"$work/lines"
        [ -s "$work/lines" ] || return 1
        awk -v head=$head -v good="$work/good.new" -v refused="$work/refused" '
            FILENAME == ARGV[1] { bad[$1 - head] = 1; next }
            bad[FNR] { print >>refused; next }
            { print >good }' "$work/lines" "$work/good"
        mv "$work/good.new" "$work/good"
    done
    [ "$(wc -l <"$work/good")" -gt 400 ]
}

same_bytes() {
    if ! other "$work/module.hsail"; then
        line=$(sed -n 's/^input(\([0-9]*\),.*/\1/p' "$work/other.out" | head -n 1)
        sed -n "${line}p" "$work/module.hsail"
        cat "$work/other.out"
        return 1
    fi
    ours -o "$work/ours.brig" "$work/module.hsail" 2>"$work/report" && cmp "$work/ours.brig" "$work/other.brig"
}

other_refuses() { # model
    awk -v step=$(($(wc -l <"$work/refused") * 3 / probes + 1)) 'NR % step == 1 || step == 1' "$work/refused" |
        while IFS= read -r statement; do
            printf '%s\n' "$statement" >"$work/single"
            wrap "$1" "$work/single" >"$work/one.hsail"
            other "$work/one.hsail" && echo "$statement"
        done >"$work/accepted"
    cat "$work/accepted"
    [ ! -s "$work/accepted" ]
}

awk -f "$generator" "$work/stems" | LC_ALL=C sort -u >"$work/all"
for model in '$full:$large:$default' '$base:$small:$near'; do
    check "statements of $model are sorted out" sort_out "$model"
    check "... $(wc -l <"$work/good") are accepted by both, as the same bytes" same_bytes
    check "... and of $(wc -l <"$work/refused") that are refused here none is accepted" other_refuses "$model"
done
tap_done
