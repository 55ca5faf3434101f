# SPDX-License-Identifier: MIT
# Every operation of gfx908 and gfx90a on matrices, through the builtin functions of clang, in OpenCL C. Each computes
# D = A * B + C of small integers, which every type holds exactly. The kernel puts elements into lanes as AMD's manuals of
# CDNA say; the expected matrices come from awk, which knows nothing of lanes.
. "$srcdir/testsuite/tap.sh"
tools=$(cd "$builddir" && pwd) || exit 99
cd "$work" || exit 99
if [ -z "$CLANG" ] || ! [ -x "$LLVM_BINDIR/ld.lld" ]; then
    skip "products of matrices" "no clang or ld.lld of LLVM 19"
    tap_done
fi

# name, rows, depth, blocks, type of A and B, type of C and D
cat >operations <<'END'
f32_32x32x1f32 32 1 2 F32 float
f32_16x16x1f32 16 1 4 F32 float
f32_4x4x1f32 4 1 16 F32 float
f32_32x32x2f32 32 2 1 F32 float
f32_16x16x4f32 16 4 1 F32 float
f32_32x32x4f16 32 4 2 F16 float
f32_16x16x4f16 16 4 4 F16 float
f32_4x4x4f16 4 4 16 F16 float
f32_32x32x8f16 32 8 1 F16 float
f32_16x16x16f16 16 16 1 F16 float
i32_32x32x4i8 32 4 2 I8 int
i32_16x16x4i8 16 4 4 I8 int
i32_4x4x4i8 4 4 16 I8 int
i32_32x32x8i8 32 8 1 I8 int
i32_16x16x16i8 16 16 1 I8 int
f32_32x32x2bf16 32 2 2 BF16 float
f32_16x16x2bf16 16 2 4 BF16 float
f32_4x4x2bf16 4 2 16 BF16 float
f32_32x32x4bf16 32 4 1 BF16 float
f32_16x16x8bf16 16 8 1 BF16 float
f32_32x32x4bf16_1k 32 4 2 BF16X4 float
f32_16x16x4bf16_1k 16 4 4 BF16X4 float
f32_4x4x4bf16_1k 4 4 16 BF16X4 float
f32_32x32x8bf16_1k 32 8 1 BF16X4 float
f32_16x16x16bf16_1k 16 16 1 BF16X4 float
f64_16x16x4f64 16 4 1 F64 double
f64_4x4x4f64 4 4 4 F64 double
END

cat >head.cl <<'END'
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define VECTOR(T, n) typedef T T##n##_ __attribute__((ext_vector_type(n)))
VECTOR(float, 4); VECTOR(float, 16); VECTOR(float, 32); VECTOR(int, 4); VECTOR(int, 16); VECTOR(int, 32);
VECTOR(double, 4);
typedef double double1_;
#define ELEMENTS_F32 float
#define ELEMENTS_F16 half4
#define ELEMENTS_BF16 short2
#define ELEMENTS_BF16X4 short4
#define ELEMENTS_I8 int
#define ELEMENTS_F64 double
#define PACK_F32 1
#define PACK_F16 4
#define PACK_BF16 2
#define PACK_BF16X4 4
#define PACK_I8 4
#define PACK_F64 1
#define PUT_F32(x, e, value) x = value
#define PUT_F16(x, e, value) x[e] = value
#define PUT_BF16(x, e, value) x[e] = as_uint((float)(value)) >> 16
#define PUT_BF16X4 PUT_BF16
#define PUT_I8(x, e, value) x |= ((value) & 255) << 8 * (e)
#define PUT_F64(x, e, value) x = value
#define ROWS_float 4
#define ROWS_int 4
#define ROWS_double 1
int a(int b, int i, int k) { return (3 * i + 5 * k + 7 * b) % 11 - 5; }
int b(int b, int k, int j) { return (2 * k + 3 * j + b) % 7 - 3; }
int c(int b, int i, int j) { return (i + 2 * j + 3 * b) % 13; }
#define MULTIPLY(name, M, B, form, T, n, at)                                                       \
    {                                                                                              \
        ELEMENTS_##form x = 0, y = 0;                                                              \
        T##n##_ d;                                                                                 \
        T *e = (T *)&d;                                                                            \
        int of = lane / M % B, from = lane / M / B * PACK_##form;                                  \
        for (int i = 0; i < PACK_##form; i++) {                                                    \
            PUT_##form(x, i, a(of, lane % M, from + i));                                           \
            PUT_##form(y, i, b(of, from + i, lane % M));                                           \
        }                                                                                          \
        for (int i = 0; i < n; i++)                                                                \
            e[i] = c(PLACE(M, ROWS_##T, i, lane));                                                 \
        d = __builtin_amdgcn_mfma_##name(x, y, d, 0, 0, 0);                                        \
        for (int i = 0; i < n; i++)                                                                \
            out[at + at_matrix(M, PLACE(M, ROWS_##T, i, lane))] = e[i];                            \
    }
/* block, row and column of element number I of the lane */
int least(int x, int y) { return x < y ? x : y; }
#define GROUPS(M, H) least(64 / (M), (M) / (H))
#define PARTS(M, H) ((M) / (H) / GROUPS(M, H))
#define PLACE(M, H, i, lane)                                                                       \
    (lane) / (M) / GROUPS(M, H) + 64 / (M) / GROUPS(M, H) * ((i) / (H) / PARTS(M, H)),             \
        (i) % (H) + (H) * ((lane) / (M) % GROUPS(M, H) + GROUPS(M, H) * ((i) / (H) % PARTS(M, H))), (lane) % (M)
int at_matrix(int M, int b, int i, int j) { return (b * M + i) * M + j; }
kernel void multiply(global float *out)
{
    int lane = __builtin_amdgcn_workitem_id_x();
END

program() { # lines of operations: the program, and what its result has to be
    head -n "$1" operations >some
    { cat head.cl
      awk '{ n = $2 * $2 * $4; printf "MULTIPLY(%s, %d, %d, %s, %s, %d, %d)\n", $1, $2, $4, $5, $6, n / 64, at; at += n }
           END { print "}" }' some; } >multiply.cl
    awk '{ for (b = 0; b < $4; b++) for (i = 0; i < $2; i++) for (j = 0; j < $2; j++) {
               sum = (i + 2 * j + 3 * b) % 13
               for (k = 0; k < $3; k++)
                   sum += ((3 * i + 5 * k + 7 * b) % 11 - 5) * ((2 * k + 3 * j + b) % 7 - 3)
               print $1, b, i, j, sum } }' some >expected
}
multiplies() { # agent, code object
    count=$(awk 'END { print NR }' expected)
    HSA_GCN_AGENTS=$1 "$tools/hsailrun" --agent "$1" --quiet --print 1 --kernel multiply -g 64 "$2" \
        "f32[$count]" >out || return
    grep -v '^argument' out >seen
    paste -d ' ' expected seen | awk '$5 != $6 { print; bad++ } END { exit bad > 0 || NR < 1000 }' >wrong || {
        head -n 5 wrong
        false
    }
}
for agent in gfx908 gfx90a; do
    case $agent in gfx908) program 20 ;; *) program 27 ;; esac
    for level in 0 2; do
        check "clang compiles for $agent at -O$level" "$CLANG" -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa \
            "-mcpu=$agent:sramecc+:xnack-" -nogpulib -mcode-object-version=4 "-O$level" \
            "--ld-path=$LLVM_BINDIR/ld.lld" -o "multiply$level.co" multiply.cl
        check "all operations on matrices, $agent, -O$level" multiplies "$agent" "multiply$level.co"
    done
done
tap_done
