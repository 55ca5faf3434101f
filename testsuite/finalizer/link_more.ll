; Another object of the same program as link.ll: it refers to what that defines, and defines what that does not.
target triple = "amdgcn-amd-amdhsa"
@pointers = external protected addrspace(1) global [4 x ptr addrspace(1)], align 8
@protected_zero = external protected addrspace(1) global i64, align 8
@outside = external addrspace(1) global i32
@internal_zero = internal addrspace(1) global [36 x i8] zeroinitializer, align 32
@more = protected addrspace(1) global [2 x ptr addrspace(1)] [ptr addrspace(1) @internal_zero, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @pointers, i64 16)], align 64
@words = internal addrspace(4) constant [3 x i32] [i32 7, i32 8, i32 9], align 4

declare hidden i32 @helper(i32 %x)
define internal i32 @twice(i32 %x) noinline { %y = call i32 @helper(i32 %x)  %z = add i32 %y, %y  ret i32 %z }
define protected amdgpu_kernel void @third(ptr addrspace(1) %out, i32 %n) {
  %b = load i32, ptr addrspace(1) @outside
  %c = call i32 @twice(i32 %n)
  %d = load i64, ptr addrspace(1) @protected_zero
  %e = trunc i64 %d to i32
  %p = load ptr addrspace(1), ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @more, i64 8)
  %v = load i32, ptr addrspace(1) %p
  %i = getelementptr i32, ptr addrspace(4) @words, i32 %n
  %w = load i32, ptr addrspace(4) %i
  %s1 = add i32 %b, %c  %s2 = add i32 %s1, %e  %s3 = add i32 %s2, %v  %s4 = add i32 %s3, %w
  store i32 %s4, ptr addrspace(1) %out
  ret void
}
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 400}
