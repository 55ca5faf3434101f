# SPDX-License-Identifier: MIT
# Compares what --registers says with the numbers of LLVM's guide: a SIMD has 256 vector registers for each lane, which
# are allocated in fours, 800 scalar registers, which are allocated in sixteens, and room for 10 waves; four SIMDs have
# 64 KiB of group memory.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/observe/assemble.sh"
run=$(cd "$builddir" && pwd)/hsailrun
source=$(cd "$srcdir" && pwd)/testsuite/observe/registers.s.in
cd "$work" || exit 99

# occupancy VGPRS SGPRS LDS GROUP PATTERN...: the description of a kernel that uses these matches all patterns
occupancy() {
    sed "s/@VGPRS@/$1/g; s/@SGPRS@/$2/g; s/@LDS@/$3/g" "$source" >k.s
    assemble k.s k.co || return 1
    rm -f json
    "$run" --registers=json -q -g "$4" -w "$4" k.co || return 1
    shift 4
    cat json
    for pattern; do
        grep -q -- "$pattern" json || return 1
    done
}
waves() { # VGPRS SGPRS LDS GROUP WAVES LIMIT
    check "VGPRs $1, SGPRs $2, LDS $3, group $4" occupancy "$1" "$2" "$3" "$4" "\"waves\":$5,\"limit\":\"$6\""
}
check "what the metadata says" occupancy 10 20 512 64 '"vgprs":10,"agprs":0,"sgprs":20,"vgpr_spills":3,"sgpr_spills":5' \
    '"vgprs_allocated":12,"sgprs_allocated":32,"scratch":16,"lds":512'
# vector registers: 24 are the most for ten waves
waves 24 16 0 64 10 hardware
waves 25 16 0 64 9 vgprs
waves 28 16 0 64 9 vgprs
waves 29 16 0 64 8 vgprs
waves 32 16 0 64 8 vgprs
waves 33 16 0 64 7 vgprs
waves 36 16 0 64 7 vgprs
waves 40 16 0 64 6 vgprs
waves 48 16 0 64 5 vgprs
waves 64 16 0 64 4 vgprs
waves 84 16 0 64 3 vgprs
waves 128 16 0 64 2 vgprs
waves 129 16 0 64 1 vgprs
waves 256 16 0 64 1 vgprs
# scalar registers: VCC, FLAT_SCRATCH and XNACK_MASK take six more
waves 4 74 0 64 10 hardware
waves 4 75 0 64 8 sgprs
waves 4 90 0 64 8 sgprs
waves 4 91 0 64 7 sgprs
# group memory: 4 waves of each group of 256, one for each SIMD
waves 4 16 6553 256 10 hardware
waves 4 16 8192 256 8 lds
waves 4 16 16384 256 4 lds
waves 4 16 65536 256 1 lds
waves 4 16 32768 64 1 lds
waves 4 16 65536 1024 4 lds
# groups of 1,024: two fit, with 16 waves each
waves 4 16 0 1024 8 group
"$run" --registers -q k.co >out 2>text
check "as text" grep -q 'SGPRs .* 5 spilled' text
check "with the limit" grep -q 'occupancy .* waves of each SIMD' text
check "the environment asks as well" sh -c "HSA_GCN_REGISTERS=- '$run' -q -r 2 k.co 2>&1 | grep -c occupancy | grep -qx 1"

# LLVM's own opinion of a kernel
if [ "${TEST_LLVM:-none}" = none ] || [ -z "$CLANG" ]; then
    skip "as LLVM says" "there is no clang"
    tap_done
fi
llvm() { # REGISTERS
    cat >l.cl <<END
__kernel void k(__global float *p) {
    float v[$1];
    for (int i = 0; i < $1; i++) v[i] = p[__builtin_amdgcn_workitem_id_x() * $1 + i];
    for (int i = 0; i < $1; i++) p[__builtin_amdgcn_workitem_id_x() * $1 + i] = v[$1 - 1 - i] * v[i] + v[(i * 7) % $1];
}
END
    "$CLANG" -target amdgcn-amd-amdhsa -mcpu=gfx900 -mcode-object-version=4 -nogpulib -cl-std=CL1.2 -O2 -S -o l.s l.cl &&
        "$CLANG" -target amdgcn-amd-amdhsa -mcpu=gfx900 -mcode-object-version=4 -nogpulib -cl-std=CL1.2 -O2 -fuse-ld=lld \
            -o l.co l.cl || return 1
    wanted=$(sed -n 's/^; Occupancy: //p' l.s)
    rm -f json
    "$run" --registers=json -q -g 64 -w 64 l.co 'f32[16384]' && cat json && grep -q "\"waves\":$wanted,\"limit\"" json
}
for registers in 4 16 24 40 60 100; do
    check "as LLVM says, $registers values" llvm $registers
done
tap_done
