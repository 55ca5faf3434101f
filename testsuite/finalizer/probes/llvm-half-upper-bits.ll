; the upper half of a register that fma_f16 keeps is taken for 0 (doc/decisions/llvm-half-upper-bits.md)
; wrong: v_fma_f16( v[0-9]+,?){4} +global_store
; right: v_and_b32|v_lshrrev|v_bfe_u32
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i64, ptr addrspace(1) %p, i32 %i
  %x = load i32, ptr addrspace(1) %a
  %h = trunc i32 %x to i16
  %f = bitcast i16 %h to half
  %g = call half @llvm.fma.f16(half %f, half %f, half %f)
  %q = call half @llvm.canonicalize.f16(half %g)
  %r = bitcast half %q to i16
  %z = zext i16 %r to i32
  store i32 %z, ptr addrspace(1) %a
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare half @llvm.fma.f16(half, half, half)
declare half @llvm.canonicalize.f16(half)
