# Compares with the HSAIL 1.0 assembler of hsail-tools where comments and which literals are allowed. A comment is put
# between any two tokens of peer/statements.hsail, which has every kind of statement, and each literal of
# peer/literals.txt is put into each of its places. With PROBES=1500, the default of peer_test.sh, one literal in three
# is tried; with 5000, all are. Covers R4, S07, S59.
. "$srcdir/testsuite/tap.sh"
asm=$(program hsailasm)

here=$srcdir/testsuite/frontend/peer
probes=${PROBES:-1500}

if [ -z "$HSAILASM_1_0" ]; then
    skip "comments stand where the HSAIL 1.0 assembler has them" "no HSAILasm"
    skip "literals are what they are to the HSAIL 1.0 assembler" "no HSAILasm"
    tap_done
    exit
fi

# Whether both assemblers accept a file, with the same module, or both refuse it. Prints what differs.
judged_alike() { # file what
    ours=accepted other=accepted
    "$asm" -o "$work/ours.brig" "$1" >"$work/ours" 2>&1 || ours=refused
    "$HSAILASM_1_0" -assemble -brig -o "$work/other.brig" "$1" >"$work/other" 2>&1 || other=refused
    if [ "$ours" != "$other" ]; then
        echo "$2: $ours here, $other there"
    elif [ "$ours" = accepted ]; then
        cmp "$work/ours.brig" "$work/other.brig" || echo "$2: other bytes"
    fi
}

# Makes one file for each end of a token, with a comment there: // comments and block comments in turn.
place_comments() {
    awk -v out="$work/place" '
        { text = text $0 "\n" }
        END {
            for (rest = text; match(rest, /[^ \n]/); rest = substr(rest, length_ + 1)) {
                rest = substr(rest, RSTART)
                length_ = match(rest, /^("[^"]*"|[A-Za-z_0-9.&%@$]+)/) ? RLENGTH : 1
                at = length(text) - length(rest) + length_
                made++
                file = out made
                printf "%s%s%s", substr(text, 1, at), made % 2 ? " /* c */ " : " // c\n", substr(text, at + 1) >file
                close(file)
            }
            print "/* c */ " text >(out "0")
            print "/* c */" text >(out "00")
            print made
        }' "$here/statements.hsail"
}

comments_agree() {
    judged_alike "$here/statements.hsail" "no comment" >"$work/differ"
    for file in "$work"/place*; do
        judged_alike "$file" "comment ${file##*/place}" >>"$work/differ"
    done
    cat "$work/differ"
    [ ! -s "$work/differ" ] && [ "$places" -gt 200 ]
}
places=$(place_comments)
check "comments stand where the HSAIL 1.0 assembler has them ($places places)" comments_agree

# literals.txt: places, each a letter (M: module directive, D: directive, B: in a body) and a text in which @ is the
# literal; then a line of ---; then the literals.
literals_agree() {
    sed '1,/^---$/d' "$here/literals.txt" | awk -v step=$((4500 / probes > 1 ? 4500 / probes : 1)) \
        'NR % step == 0' >"$work/literals"
    printf 'module &m:1:0:$full:$large:$default;\nextension "IMAGE";\nglobal_u32 &g[4];\n' >"$work/head"
    : >"$work/differ"
    sed -n '/^#/d; /^---$/q; p' "$here/literals.txt" | while read -r kind text; do
        while IFS= read -r literal; do
            statement=${text%%@*}$literal${text#*@}
            {
                [ "$kind" = M ] || cat "$work/head"
                [ "$kind" != B ] || echo 'kernel &k(kernarg_u64 %a) {'
                printf '%s\n' "$statement"
                [ "$kind" != B ] || echo '};'
            } >"$work/literal.hsail"
            judged_alike "$work/literal.hsail" "$statement" >>"$work/differ"
        done <"$work/literals"
    done
    # To the other, 018 is 01 and 8, and here no number: doc/decisions/reference-tools.md.
    sed -i -E '/^loc 0(18|779);: refused here, accepted there$/d' "$work/differ"
    cat "$work/differ"
    [ ! -s "$work/differ" ] && [ -s "$work/ours.brig" ]
}
check "literals are what they are to the HSAIL 1.0 assembler" literals_agree
tap_done
