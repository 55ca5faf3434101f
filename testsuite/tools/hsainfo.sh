# Tests the two outputs of hsainfo: text for people and JSON for programs.
. "$srcdir/testsuite/tap.sh"
info=$builddir/hsainfo

check "text" sh -c '"$1" >"$2/text"' sh "$info" "$work"
check "shows the software GPU" grep -q 'instruction set\|Instruction set 0' "$work/text"
check "with its name" grep -q 'gfx900' "$work/text"
check "and a CPU" grep -q 'device \.* CPU' "$work/text"
check "no value is missing" sh -c '! grep -q "unknown\|\. *$" "$1"' sh "$work/text"
check "JSON" sh -c '"$1" --json >"$2/json"' sh "$info" "$work"
if command -v python3 >/dev/null 2>&1; then
    check "which is valid, and says the same" python3 - "$work/json" <<'END'
import json, sys
data = json.load(open(sys.argv[1]))
gpus = [a for a in data["agents"] if a["device"] == "GPU"]
assert gpus and gpus[0]["isas"][0]["name"].startswith("amdgcn-amd-amdhsa--gfx"), gpus
assert gpus[0]["wavefront_size"] == 64 and "kernel dispatch" in gpus[0]["features"]
assert any("kernarg" in r.get("kinds", []) for a in data["agents"] for r in a["regions"])
END
else
    skip "which is valid, and says the same" "no python3"
fi
profile() { # [value]: the profile of the software GPU
    HSA_GCN_PROFILE=$1 "$info" | sed -n 's/^  profile \.* //p' | tail -n 1
}
check "the profile is a choice" test "$(profile base)" = base
check "of which full is the default" test "$(profile full) $(profile '') $(profile nonsense)" = "full full full"
nodes() { HSA_GCN_AGENTS=3 "$info" | sed -n 's/^  node \.* //p' | tr '\n' ' '; }
check "agents have nodes of their own" test "$(nodes)" = "0 1 2 3 "
size() { HSA_GCN_MEMORY_SIZE=$1 "$info" --json | grep -o '"size":[ ]*[0-9]*' | sed 's/.*[: ]//' | sort -n | uniq | tr '\n' ' '; }
check "memory is a choice" test "$(size 100 | grep -c 104857600)" = 1
check "which is not nonsense" test "$(size -5)" = "$(size '')"
expect_status 2 "an operand" "$info" x
expect_status 2 "an unknown option" "$info" --frobnicate
expect_status 1 "a full disk" sh -c '"$1" >/dev/full' sh "$info"
expect_status 0 "help" "$info" --help
expect_status 0 "version" "$info" --version

tap_done
