# SPDX-License-Identifier: MIT
# Compares what --count counts with numbers that were derived by hand and are in counts.s.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/observe/assemble.sh"
run=$(cd "$builddir" && pwd)/hsailrun
source=$(cd "$srcdir" && pwd)/testsuite/observe/counts.s
cd "$work" || exit 99
assemble "$source" counts.co || exit 99

count() { # FILE [OPTION...]
    file=$1
    shift
    rm -f "$file"
    "$run" --count="$file" -q -g 96 -w 96 "$@" counts.co 'u32[4096]' >out 2>&1 || cat out
}
count json
check "one line for one dispatch" test "$(wc -l <json)" -eq 1
sed 's/.*"code":\[//; s/\],"complete.*//; s/},{"pc"/}\n{"pc"/g' json >code
sed -n 's,^ *\(.*[^ ]\) *//= *,\1\t,p' "$source" >wanted
check "each instruction is counted once" test "$(wc -l <code)" -eq "$(wc -l <wanted)"

# as_wanted NUMBER: line NUMBER of `code` has the numbers that line NUMBER of `wanted` has after its tab
as_wanted() {
    sed -n "$1p" code >one
    cat one
    for fact in $(sed -n "$1s/.*	//p" wanted); do
        name=${fact%%=*} value=${fact#*=}
        case $name in
        class) pattern="\"class\":\"$value\"" ;;
        *.*) pattern="\"${name%.*}\":{[^}]*\"${name#*.}\":$value[,}]" ;;
        *) pattern="\"$name\":$value[,}]" ;;
        esac
        grep -q "$pattern" one || { echo "not $fact"; return 1; }
    done
}
number=0
while IFS='	' read -r instruction facts; do
    number=$((number + 1))
    check "$number: $instruction" as_wanted $number
done <wanted

# sum NAME: what the wanted numbers add up to
sum() {
    tr ' \t' '\n\n' <wanted | awk -F = -v name="$1" '$1 == name { sum += $2 } END { print sum + 0 }'
}
sed 's/.*"total":{//; s/},"classes.*//' json >total
for name in executed lanes cycles taken mixed mixed_taken waited; do
    check "the total of $name" grep -q "\"$name\":$(sum $name)[,}]*" total
done
check "the launch" grep -q '"grid":\[96,1,1\],"group":\[96,1,1\],"groups":1,"waves":2' json
check "the numbers are complete" grep -q '"complete":true}$' json

count twice -r 2
check "one line for each dispatch" test "$(wc -l <twice)" -eq 2
strip() { sed 's/"dispatch":[0-9]*//; s/"pc":"[^"]*"//g; s/"queue":[0-9]*//' "$@"; }
check "the same numbers each time" test "$(strip twice json | sort -u | wc -l)" -eq 1
HSA_GCN_THREADS=3 count threads -g 96,8 -w 96,1
HSA_GCN_THREADS=1 count single -g 96,8 -w 96,1
check "threads change no number" test "$(strip threads single | sort -u | wc -l)" -eq 1
HSA_GCN_COUNT=json2 "$run" -q -g 96 -w 96 counts.co 'u32[4096]'
check "the environment asks as well" test "$(strip json json2 | sort -u | wc -l)" -eq 1
HSA_GCN_COUNT=json3 HSA_GCN_CHECK=all "$run" -q -g 96 -w 96 counts.co 'u32[4096]' 2>/dev/null
check "checkers change no number" test "$(strip json json3 | sort -u | wc -l)" -eq 1
HSA_GCN_JIT=now count json4
check "nor does compiled code" test "$(strip json json4 | sort -u | wc -l)" -eq 1
"$run" --count -q -g 96 -w 96 counts.co 'u32[4096]' >out 2>text
check "the table has the lanes" grep -Eq "^  all +$(sum executed) +[0-9.]+ +$(sum cycles) " text
check "the table has the conflicts" grep -q "of which bank conflicts cause $(sum bank_conflicts)$" text
check "nothing on standard output" test ! -s out
expect_status 1 "a file that cannot be written" "$run" --count=/dev/null/x -q -g 96 counts.co 'u32[4096]'
tap_done
