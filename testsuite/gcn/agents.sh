# Tests the processors of the software GPU as agents: which ones there are, which code they run, and which they
# refuse.
. "$srcdir/testsuite/tap.sh"
srcdir=$(cd "$srcdir" && pwd) || exit 99
tools=$(cd "$builddir" && pwd) || exit 99
cp "$srcdir"/examples/*.hsail "$work" && chmod u+w "$work"/* && cd "$work" || exit 99
unset HSA_GCN_AGENTS ROCR_VISIBLE_DEVICES

agents() { "$tools/hsainfo" | sed -n 's/^  name \.* gfx/gfx/p' | tr '\n' ' '; }
has_agents() { # expected value...
    expected=$1
    shift
    found=$(if [ $# -gt 0 ]; then HSA_GCN_AGENTS=$1; export HSA_GCN_AGENTS; fi; agents)
    [ "$found" = "$expected" ] || { echo "found $found" && false; }
}
check "one gfx900 by default" has_agents "gfx900 "
check "a number of them" has_agents "gfx900 gfx900 " 2
check "none" has_agents "" 0
check "a list" has_agents "gfx900 gfx906 " gfx900,gfx906
check "a list of one" has_agents "gfx906 " gfx906
check "a list with one twice" has_agents "gfx906 gfx900 gfx906 " gfx906,gfx900,gfx906
for wrong in gfx700 gfx906, ,gfx906 gfx900,gfx1030 "gfx900 gfx906" gfx900:gfx906 gfx 17 -1; do
    check "'$wrong' counts as not given" has_agents "gfx900 " "$wrong"
done

HSA_GCN_AGENTS=gfx900,gfx906,gfx908,gfx90a
export HSA_GCN_AGENTS
"$tools/hsainfo" >info
for target in gfx900:xnack- gfx906:sramecc+:xnack- gfx908:sramecc+:xnack- gfx90a:sramecc+:xnack-; do
    check "${target%%:*} tells its features" grep -q "amdgcn-amd-amdhsa--$target\$" info
done

run() { "$tools/hsailrun" "$@"; }
adds() {
    run --agent "$1" -g 256 "$2" 'f32[256]:iota' 'f32[256]:0.5' 'f32[256]' u32:256 >out &&
        grep -q '^argument 3: f32\[256\]: 0.5 1.5 2.5 3.5' out
}
if [ "${TEST_LLVM:-none}" = none ]; then
    skip "agents run what is made for them" "configured with --without-llvm"
    tap_done
fi
for agent in gfx900 gfx906 gfx908 gfx90a; do
    check "$agent runs HSAIL" adds "$agent" vector_add.hsail
    check "code for $agent" "$tools/hsailfin" -t "$agent" -o "$agent.co" vector_add.hsail
    check "$agent runs it" adds "$agent" "$agent.co"
done
refuses() { # agent other: the agent refuses code for the other and names both
    ! adds "$1" "$2.co" 2>err && grep -q "for amdgcn-amd-amdhsa--$2" err &&
        grep -q "agent $1 executes amdgcn-amd-amdhsa--$1:" err
}
check "gfx900 refuses code for gfx906 by both names" refuses gfx900 gfx906
check "gfx906 refuses code for gfx900 by both names" refuses gfx906 gfx900
check "gfx908 refuses code for gfx906 by both names" refuses gfx908 gfx906
check "gfx90a refuses code for gfx908 by both names" refuses gfx90a gfx908
quiet() { ! HSA_ENABLE_LOADER_MESSAGE=0 adds gfx900 gfx906.co 2>err && ! grep -q '^hsa:' err; }
check "HSA_ENABLE_LOADER_MESSAGE=0 keeps the runtime quiet" quiet
tap_done
