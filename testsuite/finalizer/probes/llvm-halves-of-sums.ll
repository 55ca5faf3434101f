; the low half of a sum with a product, plus a carry, is not shifted (doc/decisions/llvm-halves-of-sums.md)
; wrong: v_addc_co_u32_e32 (v[0-9]+), vcc, 0, v[0-9]+, vcc +v_and_b32_e32 v[0-9]+, 0x1ff800, \1
; right: v_lshlrev_b(32|64)[_e32]* v[0-9:\[\]]+, 11, 
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(i64 %a, i8 %b, ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %x = zext i32 %i to i64
  %m = mul i64 %a, %a
  %s = add i64 %m, %x
  %c = icmp ne i64 %s, 0
  %z = zext i1 %c to i64
  %t = add i64 %s, %z
  %l = shl i64 %t, 11
  %r = and i64 %l, 2095104
  %v = insertelement <8 x i8> zeroinitializer, i8 %b, i64 0
  store <8 x i8> %v, ptr addrspace(1) %p, align 8
  store i64 %r, ptr addrspace(1) %q, align 8
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
