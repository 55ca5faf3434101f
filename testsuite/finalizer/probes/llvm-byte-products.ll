; what is no sum of products becomes one (doc/decisions/llvm-byte-products.md)
; wrong: v_dot4_u32_u8
; right: v_xor_b32.* v_m(ad|ul)_u32_u24
; processor: gfx908
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i64, ptr addrspace(1) %p, i32 %i
  %v = load <2 x i32>, ptr addrspace(1) %a
  %x = extractelement <2 x i32> %v, i32 0
  %y = extractelement <2 x i32> %v, i32 1
  %b = and i32 %x, 255
  %c = and i32 %y, 255
  %m = mul i32 %b, %c
  %d = lshr i32 %x, 24
  %e = lshr i32 %y, 24
  %n = mul i32 %d, %e
  %q = xor i32 %m, %y
  %r = add i32 %q, %n
  store i32 %r, ptr addrspace(1) %a
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
