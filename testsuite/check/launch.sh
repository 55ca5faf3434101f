# SPDX-License-Identifier: MIT
# Makes the code objects of launch.s and launch.hsail, and runs the test that dispatches their kernels.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/observe/assemble.sh"
assemble "$srcdir/testsuite/check/launch.s" "$work/launch.co" || exit 99
cat >"$work/launch.hsail" <<'END'
module &m:1:0:$full:$large:$default;
prog kernel &q()
{
    requireddim 2;
    requiredgridsize 96,8,1;
    maxdynamicgroupsize 100;
    requirenopartialworkgroups;
    group_u32 %own[16];
    ld_group_u32 $s0, [%own];
    st_group_u32 $s0, [%own][4];
    ret;
};
prog kernel &f()
{
    maxflatgridsize 1000;
    ret;
};
END
finalized=
if [ "${TEST_LLVM:-none}" != none ]; then
    "$builddir/hsailfin" -o "$work/finalized.co" "$work/launch.hsail" || exit 99
    finalized=$work/finalized.co
fi
"$builddir/testsuite/check/launch_test" "$work/launch.co" ${finalized:+"$finalized"}
