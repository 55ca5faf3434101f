; a load is moved past a barrier (doc/decisions/llvm-late-loads.md)
; wrong: s_barrier.*s_cbranch.*ds_read_b32
; right: ds_read_b32.*s_barrier.*s_cbranch
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(3) %g, ptr addrspace(1) %p, i32 %n) {
  %x = load i32, ptr addrspace(3) %g
  fence syncscope("workgroup") seq_cst
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") seq_cst
  %c = icmp eq i32 %n, 0
  br i1 %c, label %end, label %use
use:
  store i32 %x, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

declare void @llvm.amdgcn.s.barrier()
