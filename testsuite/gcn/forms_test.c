/* SPDX-License-Identifier: MIT */
/* Tests forms of operands: modifiers, op_sel, SDWA, DPP, constants, accesses to lanes; and the sequences that LLVM
 * emits for division and square root, which must give the host's results. LLVM 19 has assembled the words; what they
 * mean is written here by hand, one lane at a time. */
#include "testsuite/gcn/wave_bench.h"
#include "testsuite/float_bits.h"

#include <fenv.h>
#include <float.h>
#include <math.h>

enum { MODE = 0x3f0, MODE_FLUSH = 0x3c0, ROUNDS = 40 };

/* Registers before the code ran, per lane. */
struct lanes {
    uint64_t a[64], b[64], c[64], d[64];
    uint64_t exec, scalar, mask;
};

struct result {
    uint64_t value;
    bool kept; /* the lane is not written */
};

typedef void expectation(const struct lanes *x, unsigned l, struct result *r);

enum kind { BITS, FLOAT16, FLOAT32, FLOAT64, PAIR16, LANE_MASK };

static _Float16 f16(uint64_t raw)
{
    _Float16 f;
    uint16_t u = (uint16_t)raw;
    memcpy(&f, &u, 2);
    return f;
}
static uint64_t r16(float f)
{
    _Float16 h = (_Float16)f;
    uint16_t u;
    memcpy(&u, &h, 2);
    return u;
}
static uint64_t fma16(long double a, long double b, long double c) /* the sum is exact, and is rounded once */
{
    _Float16 h = (_Float16)(a * b + c);
    uint16_t u;
    memcpy(&u, &h, 2);
    return u;
}
static uint64_t down16(float f) /* rounded toward minus infinity */
{
    uint64_t near = r16(f);
    float back = (float)f16(near);
    if (isnan(f) || !(back > f))
        return near;
    return near & 0x8000 ? near + 1 : near ? near - 1 : 0x8001;
}
/* OPERATION in another rounding mode of the host. */
#define ROUNDED(mode, type, operation)                                                                       \
    ({                                                                                                       \
        fesetround(mode);                                                                                    \
        volatile type r_ = (operation);                                                                      \
        fesetround(FE_TONEAREST);                                                                            \
        r_;                                                                                                  \
    })
static float ftz(float f)
{
    return fabsf(f) < FLT_MIN ? copysignf(0, f) : f;
}
static float root_of(float x)
{
    volatile float inverse = 1 / ftz(x);
    return isinf(inverse) ? inverse : sqrtf(x < 0 ? x : inverse);
}
static float mad(float a, float b, float c)
{
    volatile float p = ftz(ftz(a) * ftz(b));
    return ftz(p + ftz(c));
}
static double unit(double f)
{
    return isnan(f) || f <= 0 ? 0 : f > 1 ? 1 : f;
}
static uint64_t pair(uint64_t lo, uint64_t hi)
{
    return (lo & 0xffff) | (hi & 0xffff) << 16;
}
static int64_t limit(int64_t v, int64_t lo, int64_t hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}
static int64_t s24(uint64_t v)
{
    return (int32_t)(v << 8) >> 8;
}
static uint64_t low(uint64_t v)
{
    return v & 0xffff;
}
static uint64_t high(uint64_t v)
{
    return v >> 16 & 0xffff;
}

#define A       x->a[l]
#define B       x->b[l]
#define C       x->c[l]
#define D       x->d[l]
#define FA      f32_of_bits(A)
#define FB      f32_of_bits(B)
#define FC      f32_of_bits(C)
#define DA      f64_of_bits(A)
#define DB      f64_of_bits(B)
#define U32(v)  ((uint32_t)(v))
#define HALF(v) ((float)f16(v))

/* DPP: source a is that of lane FROM, or none (-1); lanes that masks disable keep their value. */
static void dpp(const struct lanes *x, struct result *r, int from, bool enabled, bool bound, uint64_t *source)
{
    bool valid = from >= 0 && from < 64 && (x->exec >> from & 1);
    r->kept = !enabled || (!valid && !bound);
    *source = valid ? x->a[from] : 0;
}
#define DPP(from, enabled, bound, expression)                                                                \
    do {                                                                                                     \
        uint64_t s_;                                                                                         \
        int i = (int)l;                                                                                      \
        dpp(x, r, from, enabled, bound, &s_);                                                                \
        r->value = (expression);                                                                             \
    } while (0)
#define S                 s_
#define VALUE(expression) r->value = (uint64_t)(expression)

/* id, name, words, kind, and what the code does */
#define FORMS                                                                                                \
    F(form01, "mad -a, |b|, c", W(0xd1c1020a, 0x24723114), FLOAT32, VALUE(bits_of_f32(mad(-FA, fabsf(FB), FC))))     \
    F(form02, "fma |a|, -|b|, -c", W(0xd1cb030a, 0xc4723114), FLOAT32,                                       \
      VALUE(bits_of_f32(fmaf(fabsf(FA), -fabsf(FB), -FC))))                                                          \
    F(form03, "add_f64 -a, |b|", W(0xd280020a, 0x20023114), FLOAT64, VALUE(bits_of_f64(-DA + fabs(DB))))             \
    F(form04, "fma_f64 a, -b, 0.5", W(0xd1cc000a, 0x43c23114), FLOAT64, VALUE(bits_of_f64(fma(DA, -DB, 0.5))))       \
    F(form05, "add_f32 clamp", W(0xd101800a, 0x00023114), FLOAT32, VALUE(bits_of_f32((float)unit(FA + FB))))         \
    F(form06, "mul_f64 clamp", W(0xd281800a, 0x00023114), FLOAT64, VALUE(bits_of_f64(unit(DA *DB))))                 \
    F(form07, "add_f16 a, -b clamp", W(0xd11f800a, 0x40023114), FLOAT16,                                     \
      VALUE(r16((float)unit(HALF(A) - HALF(B)))))                                                            \
    F(form08, "add_u32 clamp", W(0xd134800a, 0x00023114), BITS,                                              \
      VALUE(limit((int64_t)(U32(A) + (uint64_t)U32(B)), 0, UINT32_MAX)))                                     \
    F(form09, "sub_u32 clamp", W(0xd135800a, 0x00023114), BITS,                                              \
      VALUE(limit((int64_t)U32(A) - U32(B), 0, UINT32_MAX)))                                                 \
    F(form10, "add_i32 clamp", W(0xd29c800a, 0x00023114), BITS,                                              \
      VALUE(U32(limit((int64_t)(int32_t)A + (int32_t)B, INT32_MIN, INT32_MAX))))                             \
    F(form11, "add_u16 clamp", W(0xd126800a, 0x00023114), BITS,                                              \
      VALUE(limit((int64_t)(low(A) + low(B)), 0, 65535)))                                                    \
    F(form12, "pk_add_i16 clamp", W(0xd382c00a, 0x18023114), BITS,                                           \
      VALUE(pair((uint64_t)limit((int16_t)A + (int16_t)B, -32768, 32767),                                    \
                 (uint64_t)limit((int16_t)high(A) + (int16_t)high(B), -32768, 32767))))                      \
    F(form13, "pk_sub_u16 clamp", W(0xd38bc00a, 0x18023114), BITS,                                           \
      VALUE(pair((uint64_t)limit((int64_t)low(A) - (int64_t)low(B), 0, 65535),                               \
                 (uint64_t)limit((int64_t)high(A) - (int64_t)high(B), 0, 65535))))                           \
    F(form14, "mad_u32_u24 clamp", W(0xd1c3800a, 0x04723114), BITS,                                          \
      VALUE(limit((int64_t)((A & 0xffffff) * (B & 0xffffff) + U32(C)), 0, UINT32_MAX)))                      \
    F(form15, "mad_i32_i24 clamp", W(0xd1c2800a, 0x04723114), BITS,                                          \
      VALUE(U32(limit(s24(A) * s24(B) + (int32_t)C, INT32_MIN, INT32_MAX))))                                 \
    F(form16, "mad_u16 op_sel:[1,0,1,1]", W(0xd204680a, 0x04723114), BITS,                                   \
      VALUE(pair(D, high(A) * low(B) + high(C))))                                                            \
    F(form17, "mad_f16 op_sel:[0,1,0,0]", W(0xd203100a, 0x04723114), PAIR16,                                 \
      VALUE(pair(r16(HALF(r16(HALF(A) * HALF(high(B)))) + HALF(C)), high(D))))                               \
    F(form18, "add_i16 op_sel:[1,1,1]", W(0xd29e580a, 0x00023114), BITS, VALUE(pair(D, high(A) + high(B))))  \
    F(form19, "pack_b32_f16 op_sel:[1,0,0]", W(0xd2a0080a, 0x00023114), BITS, VALUE(pair(high(A), low(B))))  \
    F(form20, "pk_add_u16 op_sel crossed", W(0xd38a480a, 0x10023114), BITS,                                  \
      VALUE(pair(high(A) + low(B), low(A) + high(B))))                                                       \
    F(form21, "pk_fma_f16 neg_lo:[1,0,0] neg_hi:[0,1,0]", W(0xd38e420a, 0x3c723114), PAIR16,                 \
      VALUE(pair(fma16(-(long double)f16(A), f16(B), f16(C)),                                                \
                 fma16(f16(high(A)), -(long double)f16(high(B)), f16(high(C))))))                            \
    F(form22, "pk_add_u16 a, 1", W(0xd38a400a, 0x18010314), BITS, VALUE(pair(low(A) + 1, high(A))))          \
    F(form23, "mad_mix_f32 f16 low, f16 high, f32", W(0xd3a0100a, 0x1c723114), FLOAT32,                      \
      VALUE(bits_of_f32(mad(HALF(A), HALF(high(B)), FC))))                                                           \
    F(form24, "mad_mixhi_f16 f32, -f16, |f32|", W(0xd3a2040a, 0x54723114), PAIR16,                           \
      VALUE(pair(D, r16(mad(FA, -HALF(B), fabsf(FC))))))                                                     \
    F(form25, "mov_b32 sdwa byte 2 preserve, word 1", W(0x7e1402f9, 0x00051214), BITS,                       \
      VALUE((D & 0xff00ffff) | (high(A) & 0xff) << 16))                                                      \
    F(form26, "add_u32 sdwa word 1 pad, sext byte 3, word 0", W(0x681430f9, 0x040b0514), BITS,               \
      VALUE(pair(0, (uint64_t)(int8_t)(A >> 24) + low(B))))                                                  \
    F(form27, "add_f16 sdwa word 1 preserve, -word 1, |word 0|", W(0x3e1430f9, 0x24151514), PAIR16,          \
      VALUE(pair(D, r16(-HALF(high(A)) + fabsf(HALF(B))))))                                                  \
    F(form28, "lshlrev_b32 sdwa byte 1 sext, byte 0, dword", W(0x241430f9, 0x06000914), BITS,                \
      VALUE(U32((int32_t)(int8_t)(U32(B) << (A & 31)) * 256)))                                               \
    F(form29, "cvt_f32_ubyte0 sdwa byte 3", W(0x7e1422f9, 0x00030614), FLOAT32,                              \
      VALUE(bits_of_f32((float)(U32(A) >> 24))))                                                                     \
    F(form30, "cmp_eq_u32 sdwa byte 1, byte 1", W(0x7d9430f9, 0x01018a14), LANE_MASK,                        \
      VALUE((A >> 8 & 255) == (B >> 8 & 255)))                                                               \
    F(form31, "mov dpp quad_perm:[3,2,1,0]", W(0x7e1402fa, 0xff001b14), BITS,                                \
      DPP((i & ~3) + 3 - (i & 3), true, false, U32(S)))                                                      \
    F(form32, "mov dpp row_shr:3", W(0x7e1402fa, 0xff011314), BITS,                                          \
      DPP(i % 16 < 3 ? -1 : i - 3, true, false, U32(S)))                                                     \
    F(form33, "mov dpp row_shr:3 bound_ctrl", W(0x7e1402fa, 0xff091314), BITS,                               \
      DPP(i % 16 < 3 ? -1 : i - 3, true, true, U32(S)))                                                      \
    F(form34, "add_u32 dpp row_ror:5 rows 1 3 banks 0 2", W(0x681430fa, 0xa5012514), BITS,                   \
      DPP(i / 16 * 16 + (i + 11) % 16, i / 16 % 2 == 1 && i / 4 % 2 == 0, false, U32(S + B)))                \
    F(form35, "add_f32 dpp row_mirror -a, |b|", W(0x021430fa, 0xff914014), FLOAT32,                          \
      DPP(i / 16 * 16 + 15 - i % 16, true, false, bits_of_f32(-f32_of_bits(S) + fabsf(FB))))                                 \
    F(form36, "mov dpp row_bcast:15 rows 1 3", W(0x7e1402fa, 0xaf014214), BITS,                              \
      DPP(i / 16 * 16 - 1, i / 16 % 2 == 1, false, U32(S)))                                                  \
    F(form37, "mov dpp row_bcast:31 rows 2 3", W(0x7e1402fa, 0xcf014314), BITS,                              \
      DPP(31, i >= 32, false, U32(S)))                                                                       \
    F(form38, "mov dpp wave_shr:1", W(0x7e1402fa, 0xff013814), BITS, DPP(i - 1, true, false, U32(S)))        \
    F(form39, "mov dpp wave_rol:1", W(0x7e1402fa, 0xff013414), BITS, DPP((i + 1) % 64, true, false, U32(S))) \
    F(form40, "mov dpp row_half_mirror", W(0x7e1402fa, 0xff014114), BITS,                                    \
      DPP(i / 8 * 8 + 7 - i % 8, true, false, U32(S)))                                                       \
    F(form41, "add_f32 s, b", W(0x02143014), FLOAT32, VALUE(bits_of_f32(f32_of_bits(x->scalar) + FB)))                       \
    F(form42, "sub_f32 a, s", W(0xd102000a, 0x00002914), FLOAT32, VALUE(bits_of_f32(FA - f32_of_bits(x->scalar))))           \
    F(form43, "fma_f32 s, b, s", W(0xd1cb000a, 0x00523014), FLOAT32,                                         \
      VALUE(bits_of_f32(fmaf(f32_of_bits(x->scalar), FB, f32_of_bits(x->scalar)))))                                                  \
    F(form44, "madmk_f32", W(0x2e143114, 0x40490fdb), FLOAT32, VALUE(bits_of_f32(mad(FA, 0x1.921fb6p+1f, FB))))      \
    F(form45, "madak_f32", W(0x30143114, 0x40490fdb), FLOAT32, VALUE(bits_of_f32(mad(FA, FB, 0x1.921fb6p+1f))))      \
    F(form46, "add_u32 literal", W(0x681430ff, 0x12345678), BITS, VALUE(U32(0x12345678 + B)))                \
    F(form47, "lshlrev_b64 3, s", W(0xd28f000a, 0x00002883), FLOAT64, VALUE(x->scalar << 3))                 \
    F(form48, "add_f64 s, 1.0", W(0xd280000a, 0x0001e414), FLOAT64, VALUE(bits_of_f64(f64_of_bits(x->scalar) + 1.0)))        \
    F(form49, "mov src_shared_base", W(0x7e1402eb), BITS, VALUE(0))                                          \
    F(form50, "mov src_execz", W(0x7e1402fc), BITS, VALUE(x->exec == 0))                                     \
    F(form51, "cndmask -a, |b|, mask", W(0xd100020a, 0x20323114), BITS,                                      \
      VALUE(x->mask >> l & 1 ? B & 0x7fffffff : U32(A) ^ 0x80000000))                                        \
    F(form52, "readlane a, 37; mov", W(0xd289001e, 0x00014b14, 0x7e14021e), BITS, VALUE(U32(x->a[37])))      \
    F(form53, "readfirstlane a; mov", W(0x7e3c0514, 0x7e14021e), BITS,                                       \
      VALUE(U32(x->a[x->exec ? __builtin_ctzll(x->exec) : 0])))                                              \
    F(form54, "writelane s, 5", W(0xd28a000a, 0x00010a14), BITS, r->kept = l != 5;                           \
      r->value = U32(x->scalar))                                                                             \
    F(form55, "add_f32 upward", W(0xba000801, 1, 0x02143114), FLOAT32, volatile float p = FA;                \
      volatile float q = FB; VALUE(bits_of_f32(ROUNDED(FE_UPWARD, float, p + q))))                                   \
    F(form56, "fma_f32 toward zero", W(0xba000801, 3, 0xd1cb000a, 0x04723114), FLOAT32,                      \
      volatile float p = FA;                                                                                 \
      volatile float q = FB; volatile float s = FC;                                                          \
      VALUE(bits_of_f32(ROUNDED(FE_TOWARDZERO, float, fmaf(p, q, s)))))                                              \
    F(form57, "mul_f64 toward zero", W(0xba001801, 15, 0xd281000a, 0x00023114), FLOAT64,                     \
      volatile double p = DA;                                                                                \
      volatile double q = DB; VALUE(bits_of_f64(ROUNDED(FE_TOWARDZERO, double, p *q))))                              \
    F(form58, "add_f32 while f64 rounds down", W(0xba000881, 2, 0x02143114), FLOAT32, VALUE(bits_of_f32(FA + FB)))   \
    F(form59, "cvt_f16_f32 downward", W(0xba000881, 2, 0x7e141514), FLOAT16, VALUE(down16(FA)))              \
    F(form60, "add_f32 flushing", W(0xba000901, 0, 0x02143114), FLOAT32, VALUE(bits_of_f32(ftz(ftz(FA) + ftz(FB))))) \
    F(form61, "fma_f32 flushing", W(0xba000901, 0, 0xd1cb000a, 0x04723114), FLOAT32,                         \
      VALUE(bits_of_f32(ftz(fmaf(ftz(FA), ftz(FB), ftz(FC))))))

#define F(id, name, words, kind, ...)                                                                        \
    static void id(const struct lanes *x, unsigned l, struct result *r)                                      \
    {                                                                                                        \
        (void)x, (void)l;                                                                                    \
        __VA_ARGS__;                                                                                         \
    }
FORMS
#undef F

static const struct form {
    const char *name;
    uint32_t words[5];
    enum kind kind;
    expectation *expect;
} forms[] = {
#define W(...)                                                                                               \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
#define F(id, name, words, kind, ...) {name, words, kind, id},
    FORMS
#undef F
};

/* The code of LLVM 19 for `/` and sqrt on gfx900, with s_endpgm instead of the return. */
static const uint32_t div_f32[] = {
    0xd1e00402, 0x04020301, 0xd1e06a03, 0x04020300, 0x7e084502, 0xd1cb0005, 0x23ca0902,
    0xd1cb0004, 0x04120905, 0x0a0a0903, 0xd1cb0006, 0x240e0b02, 0xd1cb0005, 0x04160906,
    0xd1cb0002, 0x240e0b02, 0xd1e20002, 0x04160902, 0xd1de0000, 0x04020302, 0xbf810000,
};
static const uint32_t div_f64[] = {
    0xd1e10404, 0x04020502, 0x7e0c4b04, 0xd1cc0008, 0x23ca0d04, 0xd1cc0006, 0x041a1106, 0xd1e16a08,
    0x04020500, 0xd1cc000a, 0x23ca0d04, 0xd1cc0006, 0x041a1506, 0xd281000a, 0x00020d08, 0xd1cc0004,
    0x24221504, 0xd1e30004, 0x042a0d04, 0xd1df0000, 0x04020504, 0xbf810000,
};
static const uint32_t div_f16[] = {
    0x7e041701, 0x7e061700, 0x7e044502, 0x0a040503, 0x7e041502, 0xd2070000, 0x04020302, 0xbf810000,
};
static const uint32_t sqrt_f32[] = {
    0xbe8400ff, 0x0f800000, 0x0a0200ff, 0x4f800000, 0x7c880004, 0x00000300, 0x7e024f00, 0x680402c1,
    0xd1cb0003, 0x24020302, 0xd0460004, 0x00020680, 0x68060281, 0xd1000002, 0x00120501, 0xd1cb0001,
    0x24020303, 0xd0410004, 0x00020280, 0xd1000001, 0x00120702, 0x0a0402ff, 0x37800000, 0x00020501,
    0x7e0402ff, 0x00000260, 0x7c200500, 0x00000101, 0xbf810000,
};
static const uint32_t sqrt_f64[] = {
    0xbe840080, 0xbe850888, 0x7cc80004, 0xd1000002, 0x01a90280, 0x24040488, 0xd2840000, 0x00020500,
    0x7e044d00, 0xd2810004, 0x00020500, 0xd2810002, 0x0001e102, 0xd1cc0006, 0x23c20902, 0xd1cc0004,
    0x04120d04, 0xd1cc0002, 0x040a0d02, 0xd1cc0006, 0x24020904, 0xd1cc0004, 0x04120506, 0xd1cc0006,
    0x24020904, 0xd1cc0002, 0x04120506, 0x7e0802ff, 0xffffff80, 0x7e0a02ff, 0x00000260, 0x00080880,
    0x7c240b00, 0xd2840002, 0x00020902, 0x00000102, 0x00020303, 0xbf810000,
};
static const uint32_t rsq_f32[] = {0x7e004900, 0xbf810000};
static const uint32_t div_f32_flush[] = {
    0xd1e00402, 0x04020301, 0xd1e06a03, 0x04020300, 0x7e084502, 0xba000901, 0x00000003, 0xd1cb0005, 0x23ca0902,
    0xd1cb0004, 0x04120905, 0x0a0a0903, 0xd1cb0006, 0x240e0b02, 0xd1cb0005, 0x04160906, 0xd1cb0002, 0x240e0b02,
    0xba000901, 0x00000000, 0xd1e20002, 0x04160902, 0xd1de0000, 0x04020302, 0xbf810000,
};
static const uint32_t div_u64[] = {
    0x280a0701, 0x7e080280, 0x7dda0880, 0xbe84206a, 0x8886047e, 0xbf880087, 0x7e080d02, 0x7e0a0d03, 0x34140480,
    0x3a160680, 0x2e080905, 0x4f800000, 0x7e084504, 0x0a0808ff, 0x5f7ffffc, 0x0a0a08ff, 0x2f800000, 0x7e0a3905,
    0x2e080905, 0xcf800000, 0x7e100f05, 0x7e120f04, 0xd2850006, 0x0002110a, 0xd2850007, 0x0002130b, 0xd1e80404,
    0x0202130a, 0xd1ff0007, 0x041e0d05, 0xd286000c, 0x00020909, 0xd1e80405, 0x02020f09, 0x32180b0c, 0xd1e80404,
    0x02020908, 0x381a0c80, 0xd1e80406, 0x02020f08, 0x3208090c, 0x38080b0d, 0x380a0e80, 0x32080d04, 0x380a0a80,
    0x32180909, 0x381a0b08, 0xd2850006, 0x00021b0a, 0xd2850007, 0x0002190b, 0xd1e80404, 0x0202190a, 0xd1ff0007,
    0x041e0d05, 0xd1e80405, 0x02020f0d, 0xd1e80407, 0x02020f0c, 0xd286000b, 0x0002090c, 0xd1e80409, 0x0202090d,
    0x32080f0b, 0x380e1080, 0x32081304, 0x38081507, 0x380c0c80, 0x32080b04, 0x380a0c80, 0x320c090c, 0x380e0b0d,
    0xd1e80404, 0x02020f00, 0xd2860008, 0x00020d00, 0x32100908, 0x38120a80, 0xd1e80404, 0x02020d01, 0xd1e80406,
    0x02020f01, 0x32080908, 0x38080b09, 0x380a0e80, 0x320c0d04, 0x380e0a80, 0xd2850008, 0x00020d03, 0xd2850009,
    0x00020f02, 0xd1e80404, 0x02020d02, 0xd1ff0005, 0x04221305, 0x6a100b01, 0x34000900, 0xd11d0404, 0x01aa0708,
    0xd11a0408, 0x00020500, 0xd11e0404, 0x00120880, 0xd0ce0004, 0x00020704, 0xd1000009, 0x00118280, 0xd0ce0004,
    0x00020508, 0xd1000008, 0x00118280, 0xd0ca0004, 0x00020704, 0xd1000004, 0x00121109, 0xd1190408, 0x00020c82,
    0x3a020b01, 0xd11c0409, 0x00120e80, 0x7d9c0701, 0xd119040a, 0x00020c81, 0xd1000005, 0x01a98280, 0x7d9c0500,
    0xd11c040b, 0x00120e80, 0xd1000000, 0x01a98280, 0x7d940701, 0xd0cd0004, 0x00020880, 0x00000105, 0xd1000004,
    0x0012130b, 0x7d9a0080, 0xd1000000, 0x0012110a, 0x000a0907, 0x00080106, 0xbe842306, 0xbf880019, 0x7e020d02,
    0x6a060480, 0x7e0a0280, 0x7e024701, 0x0a0202ff, 0x4f7ffffe, 0x7e020f01, 0xd2850003, 0x00020303, 0xd2860003,
    0x00020701, 0x68020701, 0xd2860001, 0x00020300, 0xd2850003, 0x00020501, 0x68080281, 0x6a000700, 0x6a060500,
    0x7d9c0500, 0x00000700, 0x00020901, 0x68060281, 0x7d9c0500, 0x00080701, 0x87fe047e, 0x7e000304, 0x7e020305,
    0xbf810000,
};

static uint64_t value(enum kind kind)
{
    static const uint32_t odd32[] = {
        0,          0x80000000, 1,          0x807fffff, 0x00800000, 0x3f800000, 0x7f7fffff,
        0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x3f800001, 0x4f000000, 0x33333333};
    static const uint64_t odd64[] = {
        0,
        1,
        0xfffffffffffff,
        0x10000000000000,
        0x3ff0000000000000,
        0x7fefffffffffffff,
        0x7ff0000000000000,
        0xfff0000000000000,
        0x7ff8000000000000,
        0x8000000000000000,
        0x7ff0000000000001,
        0x8010000000000001,
        0x7fe0000000000000,
        0x0350000000000000};
    uint64_t raw = random64();
    if (kind == FLOAT64)
        return raw % 3 ? raw >> 8 ^ raw << 56 : PICK(odd64);
    if (kind == FLOAT32 && raw % 3 == 0)
        return PICK(odd32);
    if (kind == FLOAT32 && raw % 3 == 1)
        return (raw >> 8 & 0x83ffffff) + 0x3c000000;
    if ((kind == FLOAT16 || kind == PAIR16) && raw % 3 == 0)
        return (raw >> 8 & 0x83ff83ff) + 0x38003800;
    return raw >> 4;
}

static void put(struct gcn_wave *w, unsigned vgpr, unsigned lane, uint64_t v)
{
    w->v[vgpr][lane] = (uint32_t)v;
    w->v[vgpr + 1][lane] = (uint32_t)(v >> 32);
}

static uint64_t get(const struct gcn_wave *w, unsigned vgpr, unsigned lane)
{
    return w->v[vgpr][lane] | (uint64_t)w->v[vgpr + 1][lane] << 32;
}

static void randomise(struct lanes *x, enum kind kind, uint64_t exec)
{
    for (unsigned l = 0; l < 64; l++) {
        x->a[l] = value(kind);
        x->b[l] = value(kind);
        x->c[l] = value(kind);
        x->d[l] = value(BITS);
    }
    x->exec = exec;
    x->scalar = value(kind);
    x->mask = random64();
}

static bool same(enum kind kind, uint64_t a, uint64_t b)
{
    switch (kind) {
    case FLOAT16: return same_float(16, a, b, 0) && U32(a) >> 16 == U32(b) >> 16;
    case FLOAT32: return same_float(32, a, b, 0);
    case FLOAT64: return same_float(64, a, b, 0);
    case PAIR16: return same_float(16, a, b, 0) && same_float(16, high(a), high(b), 0);
    default: return U32(a) == U32(b);
    }
}

static bool run_form(struct bench *b, const struct form *form, struct lanes *x)
{
    uint32_t code[6] = {0};
    size_t n = 5;
    while (n && !form->words[n - 1])
        n--;
    memcpy(code, form->words, 4 * n);
    code[n] = 0xbf810000;
    for (unsigned l = 0; l < 64; l++) {
        put(b->wave, 20, l, x->a[l]);
        put(b->wave, 24, l, x->b[l]);
        put(b->wave, 28, l, x->c[l]);
        put(b->wave, 10, l, x->d[l]);
    }
    gcn_set64(b->wave, 20, x->scalar);
    gcn_set64(b->wave, 12, x->mask);
    gcn_set64(b->wave, GCN_S_EXEC, x->exec);
    return bench_run(b, code, n + 1, MODE);
}

static bool test_form(struct bench *b, const struct form *form)
{
    static struct lanes x;
    for (unsigned round = 0; round < ROUNDS; round++) {
        randomise(&x, form->kind, round % 4 == 0 ? UINT64_MAX : round == 1 ? 0 : random64());
        if (!run_form(b, form, &x)) {
            printf("# fault %d: %s\n", b->wave->fault.kind, b->wave->fault.name);
            return false;
        }
        uint64_t mask = gcn_get64(b->wave, 10);
        for (unsigned l = 0; l < 64; l++) {
            struct result r = {0, false};
            bool active = x.exec >> l & 1, writes = active || form->expect == form54; /* v_writelane */
            form->expect(&x, l, &r);
            uint64_t got = form->kind == LANE_MASK ? mask >> l & 1 : get(b->wave, 10, l);
            bool good = form->kind == LANE_MASK ? got == (active && r.value)
                        : writes && !r.kept     ? same(form->kind, got, r.value)
                                                : got == x.d[l];
            if (!good) {
                printf("# lane %u, exec %llx: a %llx b %llx c %llx d %llx s %llx: expected %llx%s, got %llx\n", l,
                       (unsigned long long)x.exec, (unsigned long long)x.a[l], (unsigned long long)x.b[l],
                       (unsigned long long)x.c[l], (unsigned long long)x.d[l], (unsigned long long)x.scalar,
                       (unsigned long long)r.value, writes && !r.kept ? "" : " (kept)", (unsigned long long)got);
                return false;
            }
        }
    }
    return true;
}

/* Runs a sequence with operands in v0 and in v1 or v2; the result is in v0. */
#define SEQUENCE(name, kind, stride, mode, expression)                                                       \
    do {                                                                                                     \
        bool good = true;                                                                                    \
        for (unsigned round = 0; good && round < 20 * ROUNDS; round++) {                                     \
            static struct lanes lanes;                                                                       \
            const struct lanes *x = &lanes;                                                                  \
            randomise(&lanes, kind, UINT64_MAX);                                                             \
            for (unsigned l = 0; l < 64; l++) {                                                              \
                put(b->wave, 0, l, A);                                                                       \
                put(b->wave, stride, l, B);                                                                  \
            }                                                                                                \
            gcn_set64(b->wave, GCN_S_EXEC, UINT64_MAX);                                                      \
            good = bench_run(b, name, sizeof name / 4, mode);                                                \
            for (unsigned l = 0; l < 64 && good; l++) {                                                      \
                uint64_t want = (expression), got = get(b->wave, 0, l);                                      \
                good = (kind) == BITS ? want == got : same(kind, want, got);                                 \
                if (!good)                                                                                   \
                    printf("# a %llx b %llx: expected %llx, got %llx\n", (unsigned long long)A,              \
                           (unsigned long long)B, (unsigned long long)want, (unsigned long long)got);        \
            }                                                                                                \
        }                                                                                                    \
        ok(good, "%s %s", engine, #name);                                                                    \
    } while (0)

static void test_sequences(struct bench *b, const char *engine)
{
    SEQUENCE(div_f32, FLOAT32, 1, MODE, bits_of_f32(FA / FB));
    SEQUENCE(div_f64, FLOAT64, 2, MODE, bits_of_f64(DA / DB));
    SEQUENCE(div_f16, FLOAT16, 1, MODE, r16(HALF(A) / HALF(B)) | (get(b->wave, 0, l) & 0xffff0000));
    SEQUENCE(sqrt_f32, FLOAT32, 1, MODE, bits_of_f32(sqrtf(FA)));
    SEQUENCE(rsq_f32, FLOAT32, 1, MODE, bits_of_f32(root_of(FA)));
    SEQUENCE(sqrt_f64, FLOAT64, 2, MODE, bits_of_f64(sqrt(DA)));
    SEQUENCE(div_f32_flush, FLOAT32, 1, MODE_FLUSH, bits_of_f32(ftz(ftz(FA) / ftz(FB))));
    SEQUENCE(div_u64, BITS, 2, MODE, B ? A / B : get(b->wave, 0, l));
}

/* v_rsq_f32 of numbers where the inverse, or its root, lies closest to the middle between two floats, with many
 * exponents; and how far from the inverse root the result may be, in units in the last place. */
static void test_roots(struct bench *b, const char *engine)
{
    static const uint32_t hard[] = {
        0x00869913, 0x0087cc45, 0x008efa43, 0x00909909, 0x00986799, 0x009beaaf, 0x00a6449f, 0x00aaaaac,
        0x011beaaf, 0x0126449f, 0x012d1367, 0x01605475, 0x016e4bc5, 0x017ffffe, 0x01000001};
    const unsigned count = sizeof hard / sizeof hard[0];
    unsigned wrong = 0, far = 0;
    for (unsigned round = 0; round < 30; round++) {
        uint32_t x[64];
        for (unsigned l = 0; l < 64; l++)
            put(b->wave, 0, l, x[l] = hard[l % count] + ((round * 13 + l / count) % 126 << 24));
        gcn_set64(b->wave, GCN_S_EXEC, UINT64_MAX);
        wrong += !bench_run(b, rsq_f32, sizeof rsq_f32 / 4, MODE);
        for (unsigned l = 0; l < 64; l++) {
            float value = f32_of_bits(x[l]), r = f32_of_bits((uint32_t)get(b->wave, 0, l));
            double unit = (double)nextafterf(r, INFINITY) - (double)r;
            wrong += r != root_of(value);
            far += fabs((double)r - 1 / sqrt((double)value)) > (value > 0x1p126f ? 2 : 1) * unit;
        }
    }
    ok(!wrong, "%s v_rsq_f32 is the root of the inverse: %u are not", engine, wrong);
    ok(!far, "%s v_rsq_f32 is close to the inverse root: %u are not", engine, far);
}

/* Work-items of s[10:11] go one way, the others another one, and all meet again. */
static bool forks(struct bench *b, uint64_t mask)
{
    static const uint32_t code[] = {
        0xbe940080, /* s_mov_b32 s20, 0 */
        0xb80a0002, /* s_cbranch_i_fork s[10:11], two ahead */
        0x7e020285, /* v_mov_b32 v1, 5 */
        0xbf820001, /* s_branch one ahead */
        0x7e020287, /* v_mov_b32 v1, 7 */
        0xbe802e14, /* s_cbranch_join s20 */
        0xbefe01c1, /* s_mov_b64 exec, -1 */
        0x68040301, /* v_add_u32 v2, v1, v1 */
        0xbf810000};
    unsigned wrong = 0;
    memset(b->wave, 0, sizeof *b->wave);
    gcn_set64(b->wave, GCN_S_EXEC, UINT64_MAX);
    gcn_set64(b->wave, 10, mask);
    if (!bench_run(b, code, sizeof code / sizeof code[0], 0xf0))
        return false;
    for (unsigned i = 0; i < GCN_LANES; i++)
        wrong += b->wave->v[2][i] != (mask >> i & 1 ? 14 : 10);
    return !wrong && !(b->wave->mode >> GCN_MODE_CSP);
}

static void test_flow(struct bench *b, const char *engine)
{
    static const uint32_t code[] = {
        0xbe8c1c00, /* s_getpc_b64 s[12:13] */
        0x800c8c0c, /* s_add_u32 s12, s12, 12 */
        0xbe801f0c, /* s_rfe_b64 s[12:13] */
        0x7e020285, /* v_mov_b32 v1, 5 */
        0x7e040287, /* v_mov_b32 v2, 7 */
        0xbf810000};
    ok(forks(b, 0xff) && forks(b, ~UINT64_C(0xff)) && forks(b, 0) && forks(b, UINT64_MAX), "%s forks and joins",
       engine);
    memset(b->wave, 0, sizeof *b->wave);
    gcn_set64(b->wave, GCN_S_EXEC, UINT64_MAX);
    ok(bench_run(b, code, sizeof code / sizeof code[0], 0xf0) && b->wave->v[1][9] == 0 && b->wave->v[2][9] == 7,
       "%s s_rfe_b64 goes where it is told", engine);
}

int main(void)
{
    struct bench b;
    if (!bench_begin(&b))
        return 99;
    unsigned next = 0;
    for (const struct gcn_engine *engine; (engine = each_engine(&next));) {
        b.cache = gcn_cache_new(engine, gcn_target_number(0));
        for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
            ok(test_form(&b, &forms[i]), "%s %s", engine->name, forms[i].name);
        test_sequences(&b, engine->name);
        test_roots(&b, engine->name);
        test_flow(&b, engine->name);
        gcn_cache_free(b.cache);
    }
    bench_end(&b);
    return tap_done();
}
