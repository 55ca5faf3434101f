; a chain of subtractions begins with a borrow that nothing has set (doc/decisions/llvm-wide-multiply.md)
; wrong: v_lshlrev_b32_e32 v[0-9]+, 19, v[0-9]+ +v_or_b32_e32 [v0-9, ]* v_subb_co_u32_e32
; right: v_sub_co_u32.*v_subb_co_u32
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i64, ptr addrspace(1) %p, i32 %i
  %x = load i64, ptr addrspace(1) %a
  %m = and i64 %x, -65536
  %n = or i64 %m, 46475
  %w = sext i64 %n to i128
  %q = mul i128 %w, -2251799813685248
  %c = add i128 %q, 548655858537998708
  %h = lshr i128 %c, 64
  %l = trunc i128 %c to i64
  %g = trunc i128 %h to i64
  store i64 %l, ptr addrspace(1) %a
  %b = getelementptr i64, ptr addrspace(1) %a, i32 1000
  store i64 %g, ptr addrspace(1) %b
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
