; a select of scalars gets a condition that is a vector (doc/decisions/llvm-vector-select.md)
; wrong: Invalid operands for select
; right: s_endpgm
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i64, ptr addrspace(1) %p, i32 %i
  %v = load <2 x i16>, ptr addrspace(1) %a
  %c = icmp slt <2 x i16> %v, <i16 3, i16 4>
  %s = select <2 x i1> %c, <2 x i16> <i16 1, i16 2>, <2 x i16> <i16 5, i16 6>
  %t = bitcast <2 x i16> %s to i32
  %u = shl i32 %t, 3
  store i32 %u, ptr addrspace(1) %a
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
