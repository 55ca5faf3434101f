; an element that is -0.0 becomes 0 (doc/decisions/llvm-half-zero.md)
; wrong: v_and_b32_e32 v[0-9]+, 0xffff0000
; right: 0x8000$|v_pack_b32_f16|v_bfi_b32|v_or_b32|v_perm_b32
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i64, ptr addrspace(1) %p, i32 %i
  %x = load <2 x half>, ptr addrspace(1) %a
  %e = extractelement <2 x half> %x, i32 1
  %w = insertelement <2 x half> <half -0.0, half undef>, half %e, i32 1
  store <2 x half> %w, ptr addrspace(1) %a
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
