; an or with a constant whose low word is ones drops them (doc/decisions/llvm-wide-or.md)
; wrong: v_mov_b32_e32 v([0-9]+), v\1$
; right: v_mov_b32_e32 v[0-9]+, -1|v_or_b32_e32 v[0-9]+, -1, 
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %p, i64 %y) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i64, ptr addrspace(1) %p, i32 %i
  %x = load i64, ptr addrspace(1) %a
  %m = or i64 %y, 1311768469162688511
  %n = or i64 %m, %x
  store i64 %n, ptr addrspace(1) %a
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
