# Tests the examples that read and change modules. examples/callgraph.c prints which function calls which;
# examples/count_stores.c makes kernels count their stores, and the changed kernel is run.
. "$srcdir/testsuite/tap.sh"
srcdir=$(cd "$srcdir" && pwd) || exit 99
tools=$(cd "$builddir" && pwd) || exit 99
cd "$work" || exit 99

cat >calls.hsail <<'END'
module &calls:1:0:$full:$large:$default;
decl function &leaf(arg_u32 %r)(arg_u32 %x);
function &other(arg_u32 %r)(arg_u32 %x)
{
    {
        arg_u32 %ro;
        arg_u32 %xo;
        call &leaf(%ro)(%xo);
    }
    {
        arg_u32 %ro;
        arg_u32 %xo;
        scall_width(all)_u32 $s0(%ro)(%xo) [&leaf, &other];
    }
};
function &leaf(arg_u32 %r)(arg_u32 %x) {};
signature &unary(arg_u32)(arg_u32 %x);
prog kernel &k(kernarg_u32 %n, kernarg_u8 %bytes[8])
{
    {
        arg_u32 %r;
        arg_u32 %x;
        icall_u64 $d0(%r)(%x) &unary;
    }
};
END
cat >calls.want <<'END'
&other(u32 %x)
    &leaf
    &leaf (one of several)
    &other (one of several)
&leaf(u32 %x)
&k(u32 %n, u8[] %bytes)
    &unary (any)
END
cat >calls.dot <<'END'
digraph calls {
    "&other";
    "&other" -> "&leaf";
    "&other" -> "&leaf" [style=dashed];
    "&other" -> "&other" [style=dashed];
    "&leaf";
    "&k" [shape=box];
    "&k" -> "&unary" [style=dashed];
}
END
graph() { # expected argument...
    want=$1
    shift
    "$tools/examples/callgraph" "$@" >calls.got && diff "$want" calls.got
}
check "a module with calls" "$tools/hsailasm" calls.hsail
check "its call graph, from text" graph calls.want calls.hsail
check "from BRIG" graph calls.want calls.brig
check "for graphviz" graph calls.dot --dot calls.brig
head -c 200 calls.brig >short.brig
expect_status 1 "damaged BRIG is refused" "$tools/examples/callgraph" short.brig
expect_status 2 "so is no file" "$tools/examples/callgraph"

counted() { # stores example options and arguments...: the kernel counts that many stores
    want=$1 name=$2
    shift 2
    "$tools/examples/count_stores" "$srcdir/examples/$name.hsail" "$name.brig" && "$tools/hsailrun" "$@" >got &&
        cat got && tail -n 1 got | grep -q "u32\[1\]: $want\$"
}
expect_status 1 "a kernel that is not valid is not instrumented" "$tools/examples/count_stores" calls.want none.brig
if [ "${TEST_LLVM:-none}" = none ]; then
    skip "stores are counted" "configured with --without-llvm"
    tap_done
fi
check "1,000 stores of 1,024 work-items are counted" counted 1000 vector_add -g 1024 vector_add.brig \
    'f32[1024]:iota' 'f32[1024]:0.5' 'f32[1024]' u32:1000 'u32[1]'
check "64 stores to group memory, 64 to global memory" counted 128 transpose -g 16,16 transpose.brig \
    'u32[64]:iota' 'u32[64]' u32:8 u32:8 'u32[1]'
tap_done
