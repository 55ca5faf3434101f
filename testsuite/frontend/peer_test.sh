# Compares our assembler with the HSAIL 1.0 assembler of hsail-tools. Both must accept the same modules of the suite,
# as HSAIL 1:0, and the same random statements, and write the same bytes; and each must assemble what the other
# prints. peer_differences.txt lists the differences with their reasons. PROBES sets how many statements are tried.
. "$srcdir/testsuite/tap.sh"

here=$srcdir/testsuite/frontend
probes=${PROBES:-1500}
refused_probes=$((probes / 100))

asm=$(program hsailasm)
ours() { "$asm" "$@"; }
other() { "$HSAILASM_1_0" "$@" >"$work/other.out" 2>&1; }

if [ -z "$HSAILASM_1_0" ]; then
    skip "the HSAIL 1.0 assembler agrees" "no HSAILasm"
    tap_done
    exit
fi

# The other assembler makes the same module of the text that we print of its module, in every style of numbers. It reads
# subnormal hexadecimal numbers wrongly, so a module with such numbers is printed in the other styles only.
goes_back() { # module
    for style in ieee c99 decimal; do
        ours -d --float=$style -o "$work/back.hsail" "$1" || return 1
        [ $style = c99 ] && grep -q -E 'p-(1[5-9]|2[0-4])h|p-1(2[789]|[34][0-9])f|p-10(2[3-9]|[3-7][0-9])d' \
            "$work/back.hsail" && continue
        other -assemble -brig -o "$work/back.brig" "$work/back.hsail" || { cat "$work/other.out"; return 1; }
        cmp "$1" "$work/back.brig" || { echo "with numbers in style $style"; return 1; }
    done
}

# ---- Modules

both_refuse_or_agree() { # source
    if ! ours -o "$work/ours.brig" "$1"; then
        ! other -assemble -brig -o "$work/other.brig" "$1"
        return
    fi
    other -assemble -brig -o "$work/other.brig" "$1" || { cat "$work/other.out"; return 1; }
    cmp "$work/ours.brig" "$work/other.brig" && ours --validate "$work/other.brig" && goes_back "$work/other.brig"
}

for file in "$here"/good/*.hsail "$here"/prm/*.hsail "$srcdir"/examples/*.hsail; do
    sed 's/^\(module [^:]*:1:\)[12]:/\10:/' "$file" >"$work/old.hsail"
    check "${file##*/} as HSAIL 1:0" both_refuse_or_agree "$work/old.hsail"
done

# ---- Random statements

# Writes a module of the statements in a file to $work/module.hsail; there are $head lines before the first statement.
wrap() { # kind model statements
    {
        printf 'module &m:1:0:%s;\nextension "IMAGE";\nextension "amd:gcn";\nextension "amd:mipmap";\n' "$2"
        printf 'extension "amd:dg";\nglobal_u32 &g;\nglobal_u32 &ga[4];\nalloc(agent) global_b64 &gb;\n'
        printf 'readonly_f32 &r;\n'
        printf 'fbarrier &fb;\n'
        head=10
        if [ "$1" = instructions ]; then
            printf 'kernel &k(kernarg_u64 %%ka, kernarg_u32 %%kb)\n{\nfbarrier %%fb;\ngroup_u32 %%l;\n'
            printf 'group_u8 %%la[64];\nprivate_u32 %%p;\nprivate_u64 %%pa[2];\nspill_u32 %%s;\n@x:\n'
            head=19
        fi
        cat "$3"
        if [ "$1" = instructions ]; then printf '@y:\nret;\n};\n'; fi
    } >"$work/module.hsail"
}

# Divides $work/all into $work/good and $work/refused by our own verdicts.
sort_out() { # kind model
    cp "$work/all" "$work/good"
    : >"$work/refused"
    while wrap "$1" "$2" "$work/good" && ! ours --validate --max-errors=0 "$work/module.hsail" 2>"$work/report"; do
        sed -n 's/^[^:]*:\([0-9]*\):[0-9]*: error: .*/\1/p' "$work/report" >"$work/lines"
        [ -s "$work/lines" ] || return 1
        awk -v head="$head" -v good="$work/good.new" -v refused="$work/refused" '
            FILENAME == ARGV[1] { bad[$1 - head] = 1; next }
            bad[FNR] { print >>refused; next }
            { print >good }' "$work/lines" "$work/good"
        mv "$work/good.new" "$work/good"
    done
}

is_known() { # who "statement | message"
    awk -F '\t' -v who="$1" -v what="$2" '!/^#/ && $1 == who && what ~ $2 { found = 1 } END { exit !found }' \
        "$here/peer_differences.txt"
}

# The other assembler accepts the statements that we accept, except those with known differences, which are removed.
other_accepts() { # kind model
    unknown=0
    while wrap "$1" "$2" "$work/good" && ! other -assemble -brig -o "$work/other.brig" "$work/module.hsail"; do
        line=$(sed -n 's/^input(\([0-9]*\),.*/\1/p' "$work/other.out" | head -n 1)
        [ -n "$line" ] && [ "$line" -gt "$head" ] || { cat "$work/other.out"; return 1; }
        line=$((line - head))
        found="$(sed -n "${line}p" "$work/good") | $(sed -n 's/^input([^)]*): //p' "$work/other.out" | head -n 1)"
        is_known ours "$found" || { echo "$found"; unknown=$((unknown + 1)); }
        sed -i "${line}d" "$work/good"
    done
    [ $unknown -eq 0 ]
}

same_bytes() { # kind model
    wrap "$1" "$2" "$work/good"
    ours -o "$work/ours.brig" "$work/module.hsail" 2>/dev/null || return 1
    cmp "$work/ours.brig" "$work/other.brig" && goes_back "$work/other.brig" 2>/dev/null
}

# The other assembler refuses some of the statements that we refuse; each is in a module of its own.
other_refuses() { # kind model
    step=$(($(wc -l <"$work/refused") / refused_probes + 1))
    unknown=0
    awk -v step=$step 'NR % step == 0' "$work/refused" >"$work/some"
    while IFS= read -r statement; do
        printf '%s\n' "$statement" >"$work/single"
        wrap "$1" "$2" "$work/single"
        other -assemble -brig -o "$work/other.brig" "$work/module.hsail" || continue
        ours --validate "$work/module.hsail" >"$work/report" 2>&1
        found="$statement | $(sed -n 's/.*: error: //p' "$work/report" | head -n 1)"
        is_known other "$found" || { echo "$found"; unknown=$((unknown + 1)); }
    done <"$work/some"
    [ $unknown -eq 0 ]
}

ours --list >"$work/list"
seed=1
for what in instructions declarations; do
    for model in '$full:$large:$default' '$base:$small:$near'; do
        awk -v seed=$seed -v count="$probes" -v what=$what -f "$here/probe.awk" "$work/list" | sort -u >"$work/all"
        check "random $what of $model are sorted out" sort_out $what "$model"
        check "... the other accepts what we accept" other_accepts $what "$model"
        check "... $(wc -l <"$work/good") of them as the same bytes, there and back" same_bytes $what "$model"
        check "... and refuses what we refuse" other_refuses $what "$model"
        seed=$((seed + 1))
    done
done
tap_done
