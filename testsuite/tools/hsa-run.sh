# Tests hsa-run: what programs see when it runs them, how they end, and that nothing is left afterwards.
. "$srcdir/testsuite/tap.sh"
run=$builddir/hsa-run
export TMPDIR="$work"

if [ ! -f "$builddir/.libs/hsa-run-redirect.so" ] || ldd "$builddir/.libs/libhsa-runtime64.so" | grep -q 'lib[atu]*san'; then
    skip "programs run under hsa-run" "no shared library, or one with sanitizers, which cannot be preloaded"
    tap_done
fi

nodes=/sys/class/kfd/kfd/topology/nodes
check "a program runs, with its arguments" test "$("$run" echo a -m 'b c' 2>&1)" = "a -m b c"
expect_status 7 "and its exit status comes through" "$run" sh -c 'exit 7'
expect_status 143 "or its signal" "$run" sh -c 'kill $$'
expect_status 127 "a program that is not there" "$run" "$work/missing"
expect_status 126 "a file that is no program" "$run" "$srcdir/README.md"
expect_status 2 "no program" "$run"
expect_status 2 "a size that is none" "$run" --memory=many true
expect_status 2 "a size that is too large" "$run" --memory=99999999999T true
expect_status 2 "a profile that is none" "$run" --profile=half true
expect_status 2 "a size that is too small" "$run" --memory=1M true
expect_status 2 "a number of GPUs that is too large" "$run" --agents=17 true
expect_status 2 "a number that is none" "$run" --agents=2x true
expect_status 2 "a checker that is none" "$run" --check=memory,colour true
expect_status 2 "no checker" "$run" --check= true
expect_status 2 "a filter that is none" "$run" --trace=colour=red true
expect_status 2 "a place that is none" "$run" --break=12x true
expect_status 1 "a place that is a label, for a program without a text of HSAIL" "$run" --break=@loop true
expect_status 1 "a file that cannot be written" "$run" --count=/nonexistent/counts true

refused() { # TEXT LIST: such processors are refused, and the message says so
    "$run" --agents="$2" true 2>"$work/errors" && return 1
    cat "$work/errors"
    grep -qF -- "$1" "$work/errors"
}
check "a processor whose code is not executed" refused \
    "the software GPU does not execute code for 'gfx1100'; it executes gfx900, gfx906, gfx908" gfx900,gfx1100
check "a processor that does not exist" refused "there is no processor 'gfx9'; it executes gfx900, gfx906, " gfx9
check "an empty name" refused "there is no processor ''" gfx900,,gfx906
check "too many processors" refused "more than 16 GPUs" "$(printf 'gfx900,%.0s' $(seq 16))gfx906"
names() { "$run" --agents="$1" "$builddir/hsainfo" | sed -n 's/^  name \.* //p' | tr '\n' ' '; }
check "GPUs have the processors of the list, in its order" sh -c 'case $1 in *" gfx908 gfx900 gfx906 ") ;; *) exit 1;; esac' \
    sh " $(names gfx908,gfx900,gfx906)"

profile() { "$@" "$builddir/hsainfo" | sed -n 's/^  profile \.* //p' | tail -n 1; }
check "GPUs are cards" test "$(profile "$run")" = base
check "unless it is said otherwise" test "$(profile "$run" -p full)" = full
check "the environment counts too" test "$(HSA_GCN_PROFILE=full profile "$run")" = full
check "memory in GiB" sh -c '"$1" -m 2G "$2" --json | grep -q 2147483648' sh "$run" "$builddir/hsainfo"
check "memory in MiB" sh -c '"$1" -m 100 "$2" --json | grep -q 104857600' sh "$run" "$builddir/hsainfo"

check "the driver's device opens" "$run" sh -c 'exec 3<>/dev/kfd'
check "a node per agent is listed" test "$("$run" --agents=2 ls $nodes | tr '\n' ' ')" = "0 1 2 "
check "files are read" sh -c '"$1" cat "$2/1/properties" | grep -q "^gfx_target_version 90000$"' sh "$run" "$nodes"
check "the module is loaded" sh -c '"$1" lsmod | grep -q "^amdgpu "' sh "$run"
check "and says so" test "$("$run" cat /sys/module/amdgpu/initstate)" = live
check "other paths are not led away" "$run" cmp /etc/passwd /etc/passwd
if command -v python3 > /dev/null; then # another libc user: opendir, scandir, statx, open with flags
    cat > "$work/look.py" << 'END'
import os, sys
nodes = sys.argv[1]
assert sorted(os.listdir(nodes)) == ["0", "1"], os.listdir(nodes)
assert sorted(e.name for e in os.scandir(nodes)) == ["0", "1"]
assert os.path.isdir(nodes + "/1") and os.path.exists("/dev/kfd")
assert os.access("/dev/kfd", os.R_OK | os.W_OK)
assert open("/sys/module/amdgpu/initstate").read() == "live\n"
assert not os.path.exists("/sys/module/amdgpu_other") or os.path.exists("/sys/module/amdgpu_other")
assert open(sys.argv[2], "w").write("x") == 1
END
    check "Python sees the same" "$run" python3 "$work/look.py" $nodes "$work/written"
    check "files are made with the usual modes" test "$(stat -c %a "$work/written")" != 0
else
    skip "Python sees the same" "no python3"
fi
# rocm-smi, an unmodified program of AMD: what it says of two GPUs. The ids are those of PCI, of cards with such processors.
# It ends with 2 because of a figure about use that it does not find in files.
# It leaves a lock in shared memory for each card.
smi_locks() { ls /dev/shm/rocm_smi_card* 2>/dev/null; }
if command -v rocm-smi >/dev/null && command -v python3 >/dev/null; then
    smi_locks >"$work/locks"
    check "rocm-smi describes two GPUs" sh -c '"$1" --agents=gfx900,gfx906 --memory=2G rocm-smi --showid --showuniqueid \
        --showproductname --showbus --showuse --showclocks --showmeminfo vram --json >"$2/smi.json"; test $? = 2' sh "$run" "$work"
    cat > "$work/smi.py" << 'END'
import json, sys
cards = json.load(open(sys.argv[1]))
assert sorted(cards) == ["card0", "card1"], cards
for name, chip, processor in (("card0", "0x6863", "gfx900"), ("card1", "0x66a0", "gfx906")):
    card = cards[name]
    assert card["GPU ID"] == chip, card
    assert card["Card series"].strip().startswith(processor), card
    assert card["VRAM Total Memory (B)"] == str(2 << 30) and card["VRAM Total Used Memory (B)"] == "0", card
    assert card["GPU use (%)"] == "0" and card["sclk clock speed:"] == "(1000Mhz)", card
assert cards["card0"]["Unique ID"] != cards["card1"]["Unique ID"]
assert cards["card0"]["PCI Bus"] != cards["card1"]["PCI Bus"]
END
    check "rocm-smi says what the agents say" python3 "$work/smi.py" "$work/smi.json"
    check "rocm-smi shows how the GPUs are linked" sh -c '"$1" --agents=2 rocm-smi --showtopotype | tee "$2/topo" | grep -q PCIE ||
        { cat "$2/topo"; exit 1; }' sh "$run" "$work"
    check "the short table of rocm-smi has a line for the GPU" sh -c '"$1" rocm-smi | grep -q "^0 .*1000Mhz"' sh "$run"
    smi_locks | grep -vxFf "$work/locks" | xargs -r rm -f
else
    skip "rocm-smi describes two GPUs" "the package rocm-smi is not installed"
fi

check "nothing is left behind" sh -c '! ls -d "$1"/hsa-run.* 2>/dev/null' sh "$work"
"$run" sleep 30 &
pid=$!
sleep 1
kill "$pid"
wait "$pid" 2> /dev/null
check "nor after a signal" sh -c '! ls -d "$1"/hsa-run.* 2>/dev/null' sh "$work"
expect_status 1 "a folder that cannot be written" env TMPDIR=/nonexistent "$run" true
tap_done
