; an or with a word of ones drops the ones (doc/decisions/llvm-late-ones.md)
; wrong: v_mov_b32_e32 v([0-9]+), v\1$
; right: v_mov_b32_e32 v[0-9]+, -1|v_or_b32_e32 v[0-9]+, -1, 
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i64, ptr addrspace(1) %p, i32 %i
  %x = load i32, ptr addrspace(1) %a
  %b = getelementptr i64, ptr addrspace(1) %a, i32 100
  %m = zext i32 %x to i64
  %n = xor i64 %m, -1
  %c = icmp eq i32 %x, 7
  br i1 %c, label %then, label %end
then:
  %z = load i64, ptr addrspace(1) %b
  %w = or i64 %n, %z
  store i64 %w, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
