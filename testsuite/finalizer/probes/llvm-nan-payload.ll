; a constant NaN loses its payload (doc/decisions/llvm-nan-payload.md)
; wrong: 0x7fc00000
; right: 0x7fc091a3|v_max_f32|v_mul_f32
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i64, ptr addrspace(1) %p, i32 %i
  %q = call float @llvm.canonicalize.f32(float 0x7FF8123460000000)
  store float %q, ptr addrspace(1) %a
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare float @llvm.canonicalize.f32(float)
