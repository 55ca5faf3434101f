# SPDX-License-Identifier: MIT
# The checker of initialisation on gfx906, gfx908 and gfx90a: dot products, accumulation registers, matrices, packed f32
# and packed ids of work-items. Each wrong kernel is followed by the right one that looks most like it.
. "$srcdir/testsuite/tap.sh"
. "$srcdir/testsuite/observe/assemble.sh"
run=$(program hsailrun)
cd "$work" || exit 99
unset HSA_GCN_CHECK HSA_REPORT_FILE

# processor|what|origin of the value that is stored though it was never written, or - if all is written|instructions
# They put the value into v1. v0 is what the machine has put there, and v60 the offset of the work-item's result. "a4 to
# a7" stands for writes of these registers.
cat >cases <<'END'
gfx906|dot2: a factor|vector register v3|v_mov_b32 v2, 1; v_mov_b32 v4, 0; v_dot2_f32_f16 v1, v2, v3, v4
gfx906|dot2|-|v_mov_b32 v2, 1; v_mov_b32 v3, 2; v_mov_b32 v4, 0; v_dot2_f32_f16 v1, v2, v3, v4
gfx906|dot4: the sum|vector register v4|v_mov_b32 v2, 1; v_mov_b32 v3, 1; v_dot4_i32_i8 v1, v2, v3, v4
gfx906|dot4|-|v_mov_b32 v2, 1; v_mov_b32 v3, 1; v_dot4_i32_i8 v1, v2, v3, 0
gfx906|xnor: an operand|vector register v9|v_xnor_b32 v1, v9, v60
gfx906|xnor|-|v_mov_b32 v9, 7; v_xnor_b32 v1, v9, v60
gfx906|fmac: the sum|vector register v9|v_mov_b32 v2, 1.0; v_fmac_f32 v9, v2, v2; v_mov_b32 v1, v9
gfx906|fmac|-|v_mov_b32 v2, 1.0; v_mov_b32 v9, 0; v_fmac_f32 v9, v2, v2; v_mov_b32 v1, v9
gfx906|ids are not packed: the second register|-|v_mov_b32 v1, v1
gfx908|accumulation register|accumulation register a3|v_accvgpr_read_b32 v1, a3
gfx908|accumulation register|-|v_accvgpr_write_b32 a3, v60; v_accvgpr_read_b32 v1, a3
gfx908|a copy of an unwritten one|vector register v9|v_accvgpr_write_b32 a3, v9; v_accvgpr_read_b32 v1, a3
gfx908|the one beside it|accumulation register a4|v_accvgpr_write_b32 a3, v60; v_accvgpr_read_b32 v1, a4
gfx908|matrix: a factor|vector register v3|a4 to a7; v_mov_b32 v2, 1.0; v_mfma_f32_4x4x1f32 a[0:3], v2, v3, a[4:7]; s_nop 7; v_accvgpr_read_b32 v1, a0
gfx908|matrix|-|a4 to a7; v_mov_b32 v2, 1.0; v_mov_b32 v3, 1.0; v_mfma_f32_4x4x1f32 a[0:3], v2, v3, a[4:7]; s_nop 7; v_accvgpr_read_b32 v1, a0
gfx908|matrix: the sum|accumulation register a|v_mov_b32 v2, 1.0; v_mfma_f32_4x4x1f32 a[0:3], v2, v2, a[4:7]; s_nop 7; v_accvgpr_read_b32 v1, a2
gfx908|matrix: all of the sum|-|v_mov_b32 v2, 1.0; a4 to a7; v_mfma_f32_4x4x1f32 a[0:3], v2, v2, a[4:7]; s_nop 7; v_accvgpr_read_b32 v1, a2
gfx908|matrix of f16: a factor|vector register v|a4 to a7; v_mov_b32 v2, 0; v_mov_b32 v4, 0; v_mov_b32 v5, 0; v_mfma_f32_4x4x4f16 a[0:3], v[2:3], v[4:5], a[4:7]; s_nop 7; v_accvgpr_read_b32 v1, a0
gfx908|matrix of f16|-|a4 to a7; v_mov_b32 v2, 0; v_mov_b32 v3, 0; v_mfma_f32_4x4x4f16 a[0:3], v[2:3], v[2:3], a[4:7]; s_nop 7; v_accvgpr_read_b32 v1, a0
gfx908|a result that nobody stores|-|a4 to a7; v_mov_b32 v2, 1.0; v_mfma_f32_4x4x1f32 a[0:3], v2, v3, a[4:7]; s_nop 7; v_mov_b32 v1, v2
gfx90a|packed sum: the half that is stored|vector register v|v_mov_b32 v2, 1.0; v_mov_b32 v3, 1.0; v_mov_b32 v4, 1.0; v_pk_add_f32 v[6:7], v[2:3], v[4:5]; v_mov_b32 v1, v7
gfx90a|packed sum: the other half|-|v_mov_b32 v2, 1.0; v_mov_b32 v3, 1.0; v_mov_b32 v4, 1.0; v_pk_add_f32 v[6:7], v[2:3], v[4:5]; v_mov_b32 v1, v6
gfx90a|packed product|vector register v|v_mov_b32 v3, 1.0; v_pk_mul_f32 v[6:7], v[2:3], v[2:3]; v_mov_b32 v1, v6
gfx90a|packed product, op_sel|-|v_mov_b32 v3, 1.0; v_pk_mul_f32 v[6:7], v[2:3], v[2:3] op_sel:[1,1]; v_mov_b32 v1, v6
gfx90a|packed fma: the sum|vector register v|v_mov_b32 v2, 1.0; v_mov_b32 v3, 1.0; v_mov_b32 v4, 0; v_pk_fma_f32 v[6:7], v[2:3], v[2:3], v[4:5]; v_mov_b32 v1, v7
gfx90a|packed fma|-|v_mov_b32 v2, 1.0; v_mov_b32 v3, 1.0; v_mov_b32 v4, 0; v_mov_b32 v5, 0; v_pk_fma_f32 v[6:7], v[2:3], v[2:3], v[4:5]; v_mov_b32 v1, v7
gfx90a|packed move|vector register v|v_mov_b32 v2, 1; v_mov_b32 v5, 1; v_pk_mov_b32 v[6:7], v[2:3], v[4:5]; v_mov_b32 v1, v7
gfx90a|packed move, op_sel|-|v_mov_b32 v2, 1; v_mov_b32 v5, 1; v_pk_mov_b32 v[6:7], v[2:3], v[4:5] op_sel:[0,1]; v_mov_b32 v1, v7
gfx90a|packed ids: the second register|vector register v1|v_mov_b32 v1, v1
gfx90a|packed ids: the second id|-|v_bfe_u32 v1, v0, 10, 10
gfx90a|an accumulation register is stored|accumulation register a1|v_mov_b32 v1, 0; global_store_dword v60, a1, s[2:3]
gfx90a|an accumulation register that was loaded|-|global_load_dword a1, v60, s[2:3]; s_waitcnt vmcnt(0); v_accvgpr_read_b32 v1, a1
gfx90a|an accumulation register as operand of a move|accumulation register a2|v_accvgpr_mov_b32 a1, a2; v_accvgpr_read_b32 v1, a1
gfx90a|a move that has one|-|v_accvgpr_write_b32 a2, v60; v_accvgpr_mov_b32 a1, a2; v_accvgpr_read_b32 v1, a1
gfx90a|matrix in vector registers: the sum|vector register v|v_mov_b32 v2, 1.0; v_mfma_f32_4x4x1f32 v[8:11], v2, v2, v[4:7]; s_nop 7; v_mov_b32 v1, v8
gfx90a|matrix in vector registers|-|v_mov_b32 v2, 1.0; v_mfma_f32_4x4x1f32 v[8:11], v2, v2, 0; s_nop 7; v_mov_b32 v1, v8
gfx90a|matrix of f64: the sum|accumulation register a|v_mov_b32 v2, 0; v_mov_b32 v3, 0; v_mfma_f64_4x4x4f64 a[0:1], v[2:3], v[2:3], a[2:3]; s_nop 15; v_accvgpr_read_b32 v1, a0
gfx90a|matrix of f64|-|v_mov_b32 v2, 0; v_mov_b32 v3, 0; v_mfma_f64_4x4x4f64 a[0:1], v[2:3], v[2:3], 0; s_nop 15; v_accvgpr_read_b32 v1, a0
gfx90a|matrix of f64: a factor|vector register v|v_mov_b32 v2, 0; v_mfma_f64_4x4x4f64 a[0:1], v[2:3], v[2:3], 0; s_nop 15; v_accvgpr_read_b32 v1, a0
END

# Makes TARGET.co of the cases for TARGET: kernel kN of line N.
object() { # TARGET
    awk -F '|' -v target="$1" '
        $1 == target {
            name = "k" NR; names[++count] = name
            print "    .text\n    .globl " name "\n    .p2align 8\n    .type " name ",@function\n" name ":"
            print "    s_load_dwordx2 s[2:3], s[0:1], 0x0\n    v_and_b32 v61, 0x3ff, v0\n    v_lshlrev_b32 v60, 2, v61\n    s_waitcnt lgkmcnt(0)"
            lines = split($4, body, "; *")
            for (i = 1; i <= lines; i++)
                if (body[i] == "a4 to a7") for (a = 4; a <= 7; a++) print "    v_accvgpr_write_b32 a" a ", v60"
                else print "    " body[i]
            print "    s_nop 7\n    s_nop 7\n    global_store_dword v60, v1, s[2:3]\n    s_endpgm"
            print "    .rodata\n    .p2align 6\n    .amdhsa_kernel " name "\n        .amdhsa_user_sgpr_kernarg_segment_ptr 1"
            print "        .amdhsa_system_vgpr_workitem_id 2\n        .amdhsa_next_free_vgpr 128\n        .amdhsa_next_free_sgpr 16"
            if (target == "gfx90a") print "        .amdhsa_accum_offset 64"
            print "    .end_amdhsa_kernel"
        }
        END {
            print "    .amdgpu_metadata\namdhsa.version: [1, 1]\namdhsa.kernels:"
            for (i = 1; i <= count; i++) {
                print "  - .name: " names[i] "\n    .symbol: " names[i] ".kd\n    .kernarg_segment_size: 8\n    .kernarg_segment_align: 8"
                print "    .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n    .wavefront_size: 64"
                print "    .vgpr_count: 128\n    .sgpr_count: 16\n    .max_flat_workgroup_size: 1024\n    .args:"
                print "      - .address_space: global\n        .offset: 0\n        .size: 8\n        .value_kind: global_buffer"
            }
            print "    .end_amdgpu_metadata"
        }' cases >"$1.s"
    "$LLVM_BINDIR/llvm-mc" -triple=amdgcn-amd-amdhsa -mcpu="$1" -filetype=obj "$1.s" -o "$1.o" &&
        "$lld" -shared "$1.o" -o "$1.co"
}
launch() { # TARGET KERNEL
    HSA_GCN_AGENTS=$1 timeout 60 "$run" -q -k "$2" -g 64 -w 64 --check=init "$1.co" 'u32[64]' >said 2>&1
}
wrong() { # TARGET KERNEL ORIGIN
    launch "$1" "$2"
    [ $? -eq 1 ] && grep -q '\[init-store\]' said && grep -q "by work-item (0,0,0) of work-group (0,0,0) at $2+0x" said &&
        grep -q "from $3[0-9]*[, ]" said && [ "$(grep -c '\[init-' said)" -eq 1 ] || { cat said; return 1; }
}
right() { # TARGET KERNEL
    launch "$1" "$2" && ! [ -s said ] || { cat said; return 1; }
}
for target in gfx906 gfx908 gfx90a; do
    check "$target: the kernels are assembled" object $target
done
number=0
while IFS='|' read -r target what origin body; do
    number=$((number + 1))
    if [ "$origin" = - ]; then
        check "$target, right: $what" right "$target" k$number
    else
        check "$target, wrong: $what" wrong "$target" k$number "$origin"
    fi
done <cases
tap_done
