# clang compiles a matrix product in OpenCL C for gfx908, with the builtin function of the operation, and the agent runs
# it.
. "$srcdir/testsuite/tap.sh"
tools=$(cd "$builddir" && pwd) || exit 99
cd "$work" || exit 99
if [ -z "$CLANG" ] || ! [ -x "$LLVM_BINDIR/ld.lld" ]; then
    skip "a matrix product" "no clang or ld.lld of LLVM 19"
    tap_done
fi
cat >product.cl <<'END'
typedef float tile __attribute__((ext_vector_type(4)));
/* d = a * b + c, 16x16 floats each, one wave */
kernel void product(global const float *a, global const float *b, global const float *c, global float *d)
{
    unsigned lane = __builtin_amdgcn_workitem_id_x(), j = lane % 16, q = lane / 16;
    tile sum;
    for (unsigned r = 0; r < 4; r++)
        sum[r] = c[16 * (4 * q + r) + j];
    for (unsigned k = 0; k < 16; k += 4)
        sum = __builtin_amdgcn_mfma_f32_16x16x4f32(a[16 * j + k + q], b[16 * (k + q) + j], sum, 0, 0, 0);
    for (unsigned r = 0; r < 4; r++)
        d[16 * (4 * q + r) + j] = sum[r];
}
/* total += each element, by the atomic operation of memory */
kernel void add(global float *total, global const float *a)
{
    __asm__ volatile("global_atomic_add_f32 %0, %1, off\n\ts_waitcnt vmcnt(0)"
                     : : "v"(total), "v"(a[__builtin_amdgcn_workitem_id_x()]) : "memory");
}
END
awk 'BEGIN {
    for (i = 0; i < 16; i++)
        for (j = 0; j < 16; j++) {
            sum = 7
            for (k = 0; k < 16; k++)
                sum += (16 * i + k) * (16 * k + j)
            print sum
        }
}' >expected
product() { # code object: the elements of both matrices are 0, 1, 2 ..., and 7 is added to the product
    "$tools/hsailrun" --agent gfx908 --quiet --print 4 --kernel product -g 64 "$1" 'f32[256]:iota' 'f32[256]:iota' \
        'f32[256]:7' 'f32[256]' >out && grep -v '^argument' out >seen && diff expected seen
}
total() {
    "$tools/hsailrun" --agent gfx908 --kernel add -g 64 "$1" 'f32[1]:0.5' 'f32[64]:iota' |
        grep -x 'argument 1: f32\[1\]: 2016.5'
}
HSA_GCN_AGENTS=gfx908
export HSA_GCN_AGENTS
for level in 0 2; do
    check "clang compiles at -O$level" "$CLANG" -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa \
        -mcpu=gfx908:sramecc+:xnack- -nogpulib -mcode-object-version=4 "-O$level" "--ld-path=$LLVM_BINDIR/ld.lld" \
        -o "product$level.co" product.cl
    check "a product of matrices, -O$level" product "product$level.co"
    check "a sum by atomic operations, -O$level" total "product$level.co"
done
tap_done
