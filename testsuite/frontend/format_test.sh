# Tests hsailasm --format and --layout=readable. In the canonical layout every text of the suite assembles to the same
# module, has the same comments, and does not change when it is formatted again. Text that is printed in the readable
# layout has the canonical layout already.
. "$srcdir/testsuite/tap.sh"
srcdir=$(cd "$srcdir" && pwd) || exit 99
asm=$(program hsailasm)
cd "$work" || exit 99

formatted() { # file: formatting it keeps the module, and formatting it again changes nothing
    "$asm" --format --no-validate -o one.hsail "$1" && "$asm" --format --no-validate one.hsail >two.hsail &&
        diff one.hsail two.hsail && "$asm" --format --check --no-validate one.hsail || return 1
    "$asm" --no-validate -W no-all -o was.brig "$1" && "$asm" --no-validate -W no-all -o is.brig one.hsail &&
        cmp was.brig is.brig
}
comments() { # file: its comments, each on a line, without the blanks before them
    "$asm" -d --no-validate -W no-all "$1" | sed -n 's,^[[:blank:]]*//,,p'
}
kept() { # file: the canonical layout has the same comments in the same order, and as many of them at the end of a line
    comments "$1" >was.comments && comments one.hsail >is.comments && cmp was.comments is.comments || return 1
    [ "$(grep -c '[;:{}].*//' "$1")" -eq "$(grep -c '[;:{}].*//' one.hsail)" ]
}
readable() { # file: printed in the readable layout, it has the canonical layout
    "$asm" -d --layout=readable --no-validate -W no-all "$1" >printed.hsail &&
        "$asm" --format --no-validate -W no-all printed.hsail >again.hsail && diff printed.hsail again.hsail
}

for file in "$srcdir"/testsuite/frontend/good/*.hsail "$srcdir"/testsuite/frontend/prm/*.hsail \
    "$srcdir"/testsuite/brig/data/*.hsail "$srcdir"/examples/*.hsail "$srcdir"/doc/tutorial/*.hsail \
    "$srcdir"/testsuite/finalizer/*.hsail "$srcdir"/testsuite/finalizer/findings/*.hsail \
    "$srcdir"/testsuite/validate/cases/*.hsail; do
    [ -e "$file" ] && "$asm" --validate --no-validate -W no-all "$file" 2>/dev/null || continue
    name=${file##*/}
    check "$name is the same module in the canonical layout" formatted "$file"
    check "$name keeps its comments" kept "$file"
    check "$name, printed to be read, is in that layout" readable "$file"
done
for file in "$srcdir"/examples/*.hsail; do
    check "${file##*/} is in that layout" "$asm" --format --check "$file"
done

# The canonical layout, written by hand.
printf '\357\273\277%s\r\n' '// first' >odd.hsail
cat >>odd.hsail <<'END'


module   &m : 1:2 : $full:$large
    :$default ; // header

/* a block
     of two lines */
decl   prog function  &f(arg_u32 %r)( arg_u32 %x ) ;
global_u32 &one=1;	global_u32 &two = - 2; // two
global_u8 &bytes [ 4 ]=u8 [ ] (1 ,2,
3, 4) ;
// about k
kernel &k( kernarg_u64 %p ,kernarg_u32 %q){ // opens
 group_f32 %tile[16];


 /* before */ ld_v2_global_align( 8 )_width(all)_u32 ( $s1,$s20 ) , [ %tile ] [ $s2 - 4 ];
@l : add_u32 $s0,
 $s1,
 7;
	// alone
	{ arg_u32 %r; arg_u32 %x;
	  call &f (%r) (%x); /* b */ /* c */
	}
	st_global_u32 $s0, [$d0]; ret; } ;
kernel &l(
 kernarg_u64 %a, kernarg_u64 %b) {};
kernel &long_name_of_a_kernel(kernarg_u64 %first_argument, kernarg_u64 %second_argument, kernarg_u64 %t)
{
	mov_b32 $s0, - 1; };
END
cat >odd.want <<'END'
// first

module &m:1:2:$full:$large:$default;        // header

/* a block
     of two lines */
decl prog function &f(arg_u32 %r)(arg_u32 %x);
global_u32 &one = 1;
global_u32 &two = -2;                       // two
global_u8 &bytes[4] = u8[](1, 2,
    3, 4);

// about k
kernel &k(kernarg_u64 %p, kernarg_u32 %q)
{                                           // opens
    group_f32 %tile[16];

    /* before */ ld_v2_global_align(8)_width(all)_u32 ($s1, $s20), [%tile][$s2-4];
@l:
    add_u32 $s0, $s1, 7;
    // alone
    {
        arg_u32 %r;
        arg_u32 %x;
        call &f(%r)(%x);                    /* b */ /* c */
    }
    st_global_u32 $s0, [$d0];
    ret;
};

kernel &l(
    kernarg_u64 %a,
    kernarg_u64 %b)
{
};

kernel &long_name_of_a_kernel(
    kernarg_u64 %first_argument,
    kernarg_u64 %second_argument,
    kernarg_u64 %t)
{
    mov_b32 $s0, -1;
};
END
odd() {
    "$asm" --format --no-validate odd.hsail >odd.got && diff odd.want odd.got
}
check "the layout, by hand" odd
check "which is the same module" formatted "$work/odd.hsail"

# The command line.
cp odd.hsail in_place.hsail
expect_status 1 "another layout is told" "$asm" --format --check --no-validate odd.hsail
check "by name" sh -c '"$1" --format --check --no-validate odd.hsail odd.want 2>&1 | grep -c "odd.hsail: the layout" | grep -qx 1' \
    sh "$asm"
check "and nothing is written" sh -c '[ -z "$("$1" --format --check --no-validate odd.hsail 2>/dev/null)" ]' sh "$asm"
check "in place" "$asm" --format -i --no-validate in_place.hsail
check "it is laid out" cmp in_place.hsail odd.want
touch -d '2001-01-01' in_place.hsail
check "a second time" "$asm" --format --in-place --no-validate in_place.hsail
check "it is not touched" sh -c '[ -z "$(find in_place.hsail -newermt 2002-01-01)" ]'
check "into a file" "$asm" --format --no-validate -o file.hsail odd.hsail
check "which has it" cmp file.hsail odd.want
check "from standard input" sh -c '"$1" --format --no-validate - <odd.hsail | cmp - odd.want' sh "$asm"
printf 'module &m:1:2:$full:$large:$default;\nkernel &k()\n{\n\tadd_u32 $s0, $s1, oops;\n};\n' >bad.hsail
cp bad.hsail kept.hsail
expect_status 1 "text that does not assemble" "$asm" --format -i bad.hsail
check "is reported" sh -c '"$1" --format bad.hsail 2>&1 >/dev/null | grep -q "^bad.hsail:4:20: error"' sh "$asm"
check "is not printed" sh -c '[ -z "$("$1" --format bad.hsail 2>/dev/null)" ]' sh "$asm"
check "and stays" cmp bad.hsail kept.hsail
"$asm" -o some.brig "$srcdir/examples/vector_copy.hsail"
expect_status 1 "BRIG has no layout" "$asm" --format some.brig
expect_status 2 "--check alone" "$asm" --check odd.hsail
expect_status 2 "two ways to write" "$asm" --format -i -o file.hsail odd.hsail
expect_status 2 "in place, of standard input" "$asm" --format -i -
expect_status 2 "two actions" "$asm" --format -d odd.hsail
expect_status 2 "an unknown layout" "$asm" -d --layout=odd some.brig
tap_done
