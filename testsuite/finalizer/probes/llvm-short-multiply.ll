; a product of 24-bit factors takes in the upper bits of their registers (doc/decisions/llvm-short-multiply.md)
; wrong: waitcnt vmcnt\(0\) +v_mad_u64_u32
; right: v_and_b32(_e32)? v[0-9]+, 0xffffff|v_mul_hi_u32_u24
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i64, ptr addrspace(1) %p, i32 %i
  %x = load i32, ptr addrspace(1) %a
  %n = and i32 %x, 16777215
  %w = zext i32 %n to i64
  %m = mul i64 %w, 192
  %b = ptrtoint ptr addrspace(1) %p to i64
  %s = add i64 %m, %b
  store i64 %s, ptr addrspace(1) %a
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
