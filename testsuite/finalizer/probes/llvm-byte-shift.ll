; the bytes that a signed shift brings in come from any register (doc/decisions/llvm-byte-shift.md)
; wrong: v_perm_b32 v[0-9]+, s[0-9]+, 
; right: v_ashrrev_i32_e32 v[0-9]+, 31, .* v_perm_b32 v[0-9]+, v
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i64, ptr addrspace(1) %p, i32 %i
  %x = load i64, ptr addrspace(1) %a
  %s = ashr i64 %x, 32
  %b = bitcast i64 %s to <8 x i8>
  %t = shufflevector <8 x i8> <i8 3, i8 -14, i8 6, i8 5, i8 -58, i8 -53, i8 2, i8 15>, <8 x i8> %b, <8 x i32> <i32 4, i32 5, i32 4, i32 1, i32 14, i32 11, i32 14, i32 8>
  %r = bitcast <8 x i8> %t to i64
  %c = getelementptr i64, ptr addrspace(1) %a, i32 100
  store i64 %x, ptr addrspace(1) %c
  store i64 %r, ptr addrspace(1) %a
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
