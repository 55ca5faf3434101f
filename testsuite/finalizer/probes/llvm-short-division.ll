; a quotient of 24 bits comes from a reciprocal that is not exact (doc/decisions/llvm-short-division.md)
; wrong: v_trunc_f32
; right: v_mul_hi_u32
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i64, ptr addrspace(1) %p, i32 %i
  %x = load i32, ptr addrspace(1) %a
  %n = and i32 %x, 16777215
  %s = lshr i32 %x, 24
  %d = or i32 %s, 1
  %q = udiv i32 %n, %d
  store i32 %q, ptr addrspace(1) %a
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
