; an ordered "not equal" becomes one that is true of NaNs (doc/decisions/llvm-ballot.md)
; wrong: v_cmp_neq_f32
; right: v_cmp_lg_f32
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i64, ptr addrspace(1) %p, i32 %i
  %x = load float, ptr addrspace(1) %a
  %c = fcmp one float %x, 2.0
  %b = call i64 @llvm.amdgcn.ballot.i64(i1 %c)
  store i64 %b, ptr addrspace(1) %a
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ballot.i64(i1)
