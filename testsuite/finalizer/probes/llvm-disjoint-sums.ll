; the upper half of a sum, which is all ones, is that of the other operand (doc/decisions/llvm-disjoint-sums.md)
; wrong: v_mov_b32_e32 v1, s[0-9]+ 
; right: v_mov_b32_e32 v1, -1 
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(i32 %a, ptr addrspace(1) %p) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %m = and i32 %i, 127
  %x = zext i32 %m to i64
  %u = and i32 %a, -256
  %v = insertelement <2 x i32> <i32 0, i32 -1>, i32 %u, i32 0
  %y = bitcast <2 x i32> %v to i64
  %s = add i64 %x, %y
  store i64 %s, ptr addrspace(1) %p
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
