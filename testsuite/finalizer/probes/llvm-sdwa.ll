; a sign extension becomes a negation (doc/decisions/llvm-sdwa.md)
; wrong: v_mul_f32_sdwa v[0-9]+, -v
; right: v_bfe_i32|v_ashrrev_i32|v_mul_f32_sdwa v[0-9]+, sext
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i64, ptr addrspace(1) %p, i32 %i
  %x = load i32, ptr addrspace(1) %a
  %s = shl i32 %x, 16
  %t = ashr i32 %s, 16
  %f = bitcast i32 %t to float
  %m = fmul float %f, 3.0
  store float %m, ptr addrspace(1) %a
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
