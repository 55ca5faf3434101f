# Tests the command line of hsailasm: actions, files, exit statuses and formats of reports.
. "$srcdir/testsuite/tap.sh"

asm=$builddir/hsailasm
case $asm in /*) ;; *) asm=$PWD/$asm ;; esac
examples=$(cd "$srcdir/examples" && pwd)
cd "$work" || exit 99
cp "$examples/vector_copy.hsail" good.hsail && chmod u+w good.hsail
printf 'module &m:1:2:$full:$large:$default;\nkernel &k()\n{\n\tadd_u32 $s0, $s1, oops;\n};\n' >bad.hsail

check "assembles beside the input" "$asm" good.hsail
check "to the name with another ending" test -s good.brig
check "the same from standard input" sh -c '"$1" -o - - <good.hsail | cmp - good.brig' sh "$asm"
check "BRIG is disassembled" sh -c '"$1" -d good.brig | grep -q "^prog kernel &vector_copy"' sh "$asm"
check "text is disassembled too" sh -c '"$1" -d good.hsail | grep -q "^prog kernel &vector_copy"' sh "$asm"
check "several inputs" "$asm" --validate good.hsail good.brig
check "dump" sh -c '"$1" --dump good.brig | grep -q DIRECTIVE_KERNEL' sh "$asm"
check "dump of text" sh -c '"$1" --dump good.hsail | grep -q DIRECTIVE_KERNEL' sh "$asm"
check "the table of instructions" sh -c '"$1" --list | grep -q "^71	ld"' sh "$asm"
check "it has every opcode" [ "$("$asm" --list | awk '$1 < 32768' | wc -l)" -eq 139 ]
check "the table of diagnostics" sh -c '"$1" --list-diagnostics | grep -q "^syntax	error	19.2"' sh "$asm"

expect_status 1 "a bad text is refused" "$asm" bad.hsail
check "and leaves no file" test ! -e bad.brig
printf before >kept.brig
expect_status 1 "an output file that exists" "$asm" -o kept.brig bad.hsail
check "is kept" [ "$(cat kept.brig)" = before ]
check "no temporary file is left" [ "$(ls | wc -l)" -eq 4 ]
expect_status 1 "one bad input among good ones" "$asm" --validate good.hsail bad.hsail good.brig
expect_status 1 "no such input" "$asm" none.hsail
expect_status 1 "no such output directory" "$asm" -o none/a.brig good.hsail
expect_status 1 "a full disk" sh -c '"$1" -d good.brig >/dev/full' sh "$asm"
head -c 100 good.brig >short.brig
expect_status 1 "a truncated module" "$asm" -d short.brig
sed 's/oops/$d1/' bad.hsail >wrong.hsail
"$asm" --no-validate -o wrong.brig wrong.hsail
expect_status 1 "a module that breaks a rule is refused" "$asm" -d wrong.brig
check "with the reason" sh -c '"$1" -d wrong.brig 2>&1 >/dev/null | grep -q "hsa_code+0x.*: error: "' sh "$asm"
check "printed all the same" sh -c '"$1" -d wrong.brig 2>/dev/null | grep -q "add_u32	.s0, .s1, .d1;"' sh "$asm"
check "and marked" sh -c '"$1" -d wrong.brig 2>/dev/null | head -n 1 | grep -q "^// .*not valid"' sh "$asm"
expect_status 1 "but not into a file" "$asm" -d -o wrong.txt wrong.brig
check "which is not there" test ! -e wrong.txt
check "unless that is what one wants" "$asm" -d --no-validate -o wrong.txt wrong.brig
check "the dump helps where text cannot" sh -c '"$1" -d short.brig 2>&1 | grep -q -e --dump' sh "$asm"
expect_status 1 "no input at all is no module" "$asm" --validate /dev/null

expect_status 2 "no input" "$asm"
expect_status 2 "an unknown option" "$asm" --nothing good.hsail
expect_status 2 "an unknown style" "$asm" -d --float=odd good.brig
expect_status 2 "an unknown warning" "$asm" -W odd good.hsail
expect_status 2 "one output for two inputs" "$asm" -o a.brig good.hsail good.brig
expect_status 2 "a limit that is no number" "$asm" --max-errors=x good.hsail

"$asm" bad.hsail 2>report
check "a report has place, id and section" grep -q '^bad.hsail:4:20: error: .* \[.*\] (PRM ' report
check "the line" grep -q 'add_u32 $s0, $s1, oops;' report
check "and a caret" grep -q '^    	                  ^~~~$' report
check "no colour without a terminal" sh -c '! grep -q "\[1;" report'
check "colour when asked for" sh -c '"$1" --colour=always bad.hsail 2>&1 | grep -q "\[1;31m"' sh "$asm"
check "JSON" sh -c '"$1" --diagnostics=json bad.hsail 2>&1 | grep -q "^{\"file\":\"bad.hsail\",\"line\":4,\"column\":20,.*}\$"' \
    sh "$asm"
expect_status 2 "two actions" "$asm" -d --dump good.brig
expect_status 2 "an output of a check" "$asm" --validate -o a.brig good.hsail
expect_status 2 "an output that is the input" "$asm" -o good.hsail ./good.hsail
check "which is kept" cmp good.hsail "$examples/vector_copy.hsail"
expect_status 2 "BRIG of two inputs in one stream" "$asm" -o - good.hsail good.brig
check "text of two inputs in one stream" sh -c '[ "$("$1" -d -o - good.hsail good.brig | grep -c "^prog kernel")" -eq 2 ]' \
    sh "$asm"
check "standard input has a name" sh -c '"$1" --validate - <bad.hsail 2>&1 | grep -q "^<stdin>:4:20: error"' sh "$asm"
check "an unknown warning is named" sh -c '"$1" -Wno-odd good.hsail 2>&1 | grep -q "no-odd: there is no such warning"' \
    sh "$asm"
check "no colour when it is not wanted" sh -c '! "$1" --color=never bad.hsail 2>&1 | grep -q "\[1;31m"' sh "$asm"
many=0
while [ $many -lt 200 ]; do many=$((many + 1)); echo "oops;"; done >many.hsail
check "errors are limited" [ "$("$asm" --max-errors=7 many.hsail 2>&1 | grep -c ': error:')" -eq 7 ]
check "and the end is told" sh -c '"$1" --max-errors=7 many.hsail 2>&1 | grep -q "note: more errors are not reported; 7 "' \
    sh "$asm"
check "or not; there is no header either" [ "$("$asm" --max-errors=0 many.hsail 2>&1 | grep -c ': error:')" -eq 201 ]

printf 'module &m:1:0:$full:$large:$default;\nkernel &k()\n{\n\tmov_b1 $c0, 2;\n};\n' >warn.hsail
check "a warning is shown" sh -c '"$1" --validate warn.hsail 2>&1 | grep -q "warning: .*b1-truncated"' sh "$asm"
check "and can be switched off" sh -c '[ -z "$("$1" --validate -W no-b1-truncated warn.hsail 2>&1)" ]' sh "$asm"
undefined=$examples/../testsuite/frontend/bad/undefined.hsail
sed -n 's,^// DIAG: [0-9:]* ,,p' "$undefined" | sort -u >ids
check "every warning of what is undefined can be switched off" \
    sh -c '[ -s ids ] && [ -z "$("$1" --validate $(sed "s,^,-W no-," ids) "$2" 2>&1)" ]' sh "$asm" "$undefined"
check "or all at once" sh -c '[ -z "$("$1" --validate -W no-all "$2" 2>&1)" ]' sh "$asm" "$undefined"
expect_status 1 "or be an error" "$asm" --validate -W error=b1-truncated warn.hsail
expect_status 1 "as all of them" "$asm" --validate -W error warn.hsail
expect_status 1 "which --strict is, too" "$asm" --validate --strict warn.hsail

# Lint warnings: they are off unless asked for, the same for text and BRIG, and the examples get none.
printf 'module &m:1:0:$full:$large:$default;\nprog kernel &k()\n{\n\tst_global_u32 $s7, [8];\n@end:\n\tret;\n};\n' >lint.hsail
"$asm" -o lint.brig lint.hsail
lint_of() {
    "$asm" --validate --diagnostics=json "$@" 2>&1 | sed -n 's/.*"id":"\([^"]*\)".*/\1/p' | tr '\n' ' '
}
check "there is no lint unless asked for" [ -z "$(lint_of lint.hsail)$(lint_of lint.brig)" ]
for how in --lint "-W lint" "-W all"; do
    for file in lint.hsail lint.brig; do
        check "$how finds lint in $file" [ "$(lint_of $how $file)" = "register-unset unused-label " ]
    done
done
check "it shows the operand" sh -c '"$1" --validate --lint lint.hsail 2>&1 | grep -q "^lint.hsail:4:16: warning: "' sh "$asm"
check "a part of the lint can be left out" [ "$(lint_of --lint -W no-unused-label lint.hsail)" = "register-unset " ]
check "or asked for" [ "$(lint_of -W unused-label lint.hsail)" = "unused-label " ]
check "or all of it" [ -z "$(lint_of --lint -W no-lint lint.hsail)" ]
expect_status 1 "lint can be an error" "$asm" --validate -W error=lint lint.hsail
expect_status 0 "or is a warning" "$asm" --validate --lint lint.hsail
expect_status 0 "the examples are clean" "$asm" --validate --lint --strict "$examples"/*.hsail

# Input that is not text gets one error; a byte order mark is allowed.
refused_as() { # words of the message; the file is standard input
    cat >binary
    "$asm" --validate binary >report 2>&1
    [ "$(grep -c 'error:' report)" -eq 1 ] && grep -q "this is $1.*\[not-text\]" report
}
check "an ELF file is named" refused_as "an ELF file" <"$builddir/.libs/hsailasm"
printf '\037\213\010\000rest' >packed
check "gzip is named" refused_as "a file compressed by gzip" <packed
printf '\001\000b' >packed
check "other binary files are" refused_as "a binary file" <packed
{ printf '\357\273\277' && cat warn.hsail; } >marked.hsail
"$asm" -o plain.brig warn.hsail 2>/dev/null
"$asm" -o marked.brig marked.hsail 2>/dev/null
check "a byte order mark is skipped" cmp plain.brig marked.brig

# What only the tools of the HSA Foundation accept is accepted with a warning, and gives the same module.
cat >loose.hsail <<'END'
module &m:1:0:$full:$large:$default;
extension "IMAGE";
readonly_roimg &i = roimg(geometry=2d, width=4, height=4, channel_type=unorm_int24, channel_order=bgra);
kernel &k(kernarg_u64 %p)
{
	maxflatworkgroupsize 64;
	maxflatworkgroupsize 32;
	requiredworkgroupsize 128, 1, 1;
	pragma "x", $s7;
	ret;
};
END
"$asm" loose.hsail >report 2>&1
check "control directives may differ" grep -q 'warning: .*control-differs' report
check "and contradict each other" grep -q 'warning: .*control-conflict' report
check "images may have any format" grep -q 'warning: .*image-format' report
expect_status 1 "but not when one id is an error" "$asm" --validate -Werror=control-differs loose.hsail
if [ -n "$HSAILASM_1_0" ]; then
    "$HSAILASM_1_0" -assemble loose.hsail -o theirs.brig
    check "byte for byte as HSAILasm has it" cmp theirs.brig loose.brig
else
    skip "byte for byte as HSAILasm has it" "no HSAILasm"
fi

# A finding in BRIG shows the entry as text, with the caret where text has it.
printf 'module &m:1:2:$full:$large:$default;\nkernel &k()\n{\n\tadd_u64 $d0, $s1, $d2;\n};\n' >kind.hsail
"$asm" --no-validate -o kind.brig kind.hsail
"$asm" --validate kind.brig >report 2>&1
check "BRIG: section and offset" grep -q '^kind.brig: hsa_code+0x[0-9a-f]*: error: .*\[operand-register\]' report
check "the entry" grep -q '^    add_u64 $d0, $s1, $d2;$' report
check "and a caret" grep -q '^                 ^~~$' report
check "JSON has both" sh -c '"$1" --validate --diagnostics=json kind.brig 2>&1 |
    grep -q "\"entry\":\"add_u64 \$d0, \$s1, \$d2;\",\"column\":14,\"end_column\":17,"' sh "$asm"
tap_done
