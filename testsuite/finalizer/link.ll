; Everything the linker must resolve: descriptors, calls near and through the GOT, every kind of global.
target triple = "amdgcn-amd-amdhsa"
@defined = addrspace(1) global [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 16
@protected_zero = protected addrspace(1) global i64 0, align 8
@internal_zero = internal addrspace(1) global [100 x i8] zeroinitializer, align 4
@constant = protected addrspace(4) constant [2 x i64] [i64 5, i64 6], align 8
@outside = external addrspace(1) global i32
@pointers = protected addrspace(1) global [4 x ptr addrspace(1)] [ptr addrspace(1) @defined, ptr addrspace(1) @outside, ptr addrspace(1) @internal_zero, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @protected_zero, i64 4)], align 8

define hidden i32 @helper(i32 %x) noinline { %y = mul i32 %x, 77  ret i32 %y }
define protected i32 @visible(i32 %x) noinline { %y = call i32 @helper(i32 %x)  ret i32 %y }
define protected amdgpu_kernel void @"&__first_kernel"(ptr addrspace(1) %out, i32 %n) {
  %a = load i32, ptr addrspace(1) @defined
  %b = load i32, ptr addrspace(1) @outside
  %c = call i32 @visible(i32 %n)
  %d = load i64, ptr addrspace(1) @protected_zero
  %e = trunc i64 %d to i32
  %f = load i8, ptr addrspace(1) @internal_zero
  %g = zext i8 %f to i32
  %s1 = add i32 %a, %b  %s2 = add i32 %s1, %c  %s3 = add i32 %s2, %e  %s4 = add i32 %s3, %g
  store i32 %s4, ptr addrspace(1) %out
  ret void
}
define protected amdgpu_kernel void @second(ptr addrspace(1) %out) {
  %p = load ptr addrspace(1), ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @pointers, i64 8)
  %v = load i32, ptr addrspace(1) %p
  %c = load i64, ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @constant, i64 8)
  %t = trunc i64 %c to i32
  %s = add i32 %v, %t
  store i32 %s, ptr addrspace(1) %out
  ret void
}
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 400}
