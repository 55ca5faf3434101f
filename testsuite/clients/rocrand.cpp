// SPDX-License-Identifier: MIT
// rocRAND, all generators and distributions. Its generators for kernels run on the device and on the host and must
// agree; what its library makes must be the numbers of such a generator, or follow the distribution by Kolmogorov's
// test, with fixed seeds.
#define FQUALIFIERS __host__ __device__ inline
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <rocrand/rocrand.h>
#include <rocrand/rocrand_kernel.h>

#include "small_program.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#define RAND(call) ((call) == ROCRAND_STATUS_SUCCESS)

// ---- generators in kernels ----

struct sample {
    uint64_t word;
    double uniform, uniform_double, normal, normal_double, log_normal, log_normal_double;
    uint32_t few, many;
};

template <typename STATE> __host__ __device__ static void draw(STATE *state, sample *to)
{
    to->word = rocrand(state);
    to->uniform = rocrand_uniform(state);
    to->uniform_double = rocrand_uniform_double(state);
    to->normal = rocrand_normal(state);
    to->normal_double = rocrand_normal_double(state);
    to->log_normal = rocrand_log_normal(state, 0.25f, 0.5f);
    to->log_normal_double = rocrand_log_normal_double(state, 0.25, 0.5);
}

template <typename STATE> __host__ __device__ static void draw_poisson(STATE *state, sample *to)
{
    to->few = rocrand_poisson(state, 3.5);
    to->many = rocrand_poisson(state, 800);
}

enum { ITEMS = 128, DRAWS = 6 };

template <typename STATE> __host__ __device__ static void draw_sequence(uint64_t seed, unsigned item, sample *to)
{
    STATE state;
    rocrand_init(seed, item * 3, item * 1000ull, &state);
    for (int i = 0; i < DRAWS; i++) {
        draw(&state, &to[item * DRAWS + i]);
        draw_poisson(&state, &to[item * DRAWS + i]);
    }
}

template <typename STATE> __global__ void draw_all(uint64_t seed, sample *to)
{
    draw_sequence<STATE>(seed, blockIdx.x * blockDim.x + threadIdx.x, to);
}

// Poisson's numbers are left out: rocRAND draws until a number fits, and evenly chosen points may never fit.
template <typename STATE, typename WORD>
__host__ __device__ static void draw_quasi(const WORD *vectors, unsigned item, sample *to)
{
    STATE state;
    rocrand_init(vectors, item * 77, &state);
    for (int i = 0; i < DRAWS; i++)
        draw(&state, &to[item * DRAWS + i]);
}

template <typename STATE, typename WORD> __global__ void draw_all_quasi(const WORD *vectors, sample *to)
{
    draw_quasi<STATE, WORD>(vectors, blockIdx.x * blockDim.x + threadIdx.x, to);
}

static bool near(double a, double b, double grain)
{
    return fabs(a - b) <= grain * (1 + fabs(b));
}

static bool agree(const std::vector<sample> &a, const std::vector<sample> &b, double grain = 2e-5)
{
    for (size_t i = 0; i < a.size(); i++) {
        bool good =
            a[i].word == b[i].word && a[i].uniform == b[i].uniform && a[i].uniform_double == b[i].uniform_double &&
            near(a[i].normal, b[i].normal, grain) && near(a[i].normal_double, b[i].normal_double, grain) &&
            near(a[i].log_normal, b[i].log_normal, grain) &&
            near(a[i].log_normal_double, b[i].log_normal_double, grain) && a[i].few == b[i].few &&
            a[i].many == b[i].many;
        if (!good) {
            fprintf(stderr, "draw %zu differs: word %llx %llx, normal %g %g, poisson %u %u, %u %u\n", i,
                    (unsigned long long)a[i].word, (unsigned long long)b[i].word, a[i].normal, b[i].normal, a[i].few,
                    b[i].few, a[i].many, b[i].many);
            return false;
        }
    }
    return true;
}

template <typename STATE> static bool same_on_both(uint64_t seed)
{
    device_array<sample> device(ITEMS * DRAWS);
    std::vector<sample> host(ITEMS * DRAWS);
    draw_all<STATE><<<ITEMS / 64, 64>>>(seed, device);
    for (unsigned i = 0; i < ITEMS; i++)
        draw_sequence<STATE>(seed, i, host.data());
    return agree(device.fetch(), host);
}

template <typename STATE, typename WORD> static bool same_quasi(const std::vector<WORD> &vectors)
{
    device_array<WORD> copied(vectors);
    device_array<sample> device(ITEMS * DRAWS);
    std::vector<sample> host(ITEMS * DRAWS);
    draw_all_quasi<STATE, WORD><<<ITEMS / 64, 64>>>(copied, device);
    for (unsigned i = 0; i < ITEMS; i++)
        draw_quasi<STATE, WORD>(vectors.data(), i, host.data());
    return agree(device.fetch(), host, 1e-3); // near 0 the formula for normal numbers cancels most bits
}

PROGRAM(xorwow_in_kernels)
{
    return same_on_both<rocrand_state_xorwow>(0) && same_on_both<rocrand_state_xorwow>(0x123456789abcdefull);
}

PROGRAM(mrg32k3a_in_kernels)
{
    return same_on_both<rocrand_state_mrg32k3a>(12345) && same_on_both<rocrand_state_mrg32k3a>(0x123456789abcdefull);
}

PROGRAM(philox_in_kernels)
{
    return same_on_both<rocrand_state_philox4x32_10>(1) &&
           same_on_both<rocrand_state_philox4x32_10>(0xfedcba9876543210ull);
}

// The direction vectors of the second dimension: those of the polynomial x + 1.
template <typename WORD> static std::vector<WORD> directions()
{
    enum { BITS = sizeof(WORD) * 8 };
    std::vector<WORD> v(BITS);
    v[0] = (WORD)1 << (BITS - 1);
    for (int i = 1; i < BITS; i++)
        v[i] = v[i - 1] ^ v[i - 1] >> 1;
    return v;
}

PROGRAM(sobol_in_kernels)
{
    return same_quasi<rocrand_state_sobol32>(directions<unsigned>()) &&
           same_quasi<rocrand_state_sobol64>(directions<unsigned long long>());
}

// ---- the library ----

enum { N = 1 << 14 };

static const rocrand_rng_type all_types[] = {
    ROCRAND_RNG_PSEUDO_XORWOW,        ROCRAND_RNG_PSEUDO_MRG32K3A, ROCRAND_RNG_PSEUDO_MTGP32,
    ROCRAND_RNG_PSEUDO_PHILOX4_32_10, ROCRAND_RNG_QUASI_SOBOL32,   ROCRAND_RNG_QUASI_SOBOL64};

struct generator {
    rocrand_generator of = nullptr;
    explicit generator(rocrand_rng_type type)
    {
        if (!RAND(rocrand_create_generator(&of, type)))
            abort();
        if (type < ROCRAND_RNG_QUASI_DEFAULT && !RAND(rocrand_set_seed(of, 987654321)))
            abort();
    }
    ~generator()
    {
        (void)rocrand_destroy_generator(of);
    }
};

static double number(double x)
{
    return x;
}

static double number(__half x)
{
    return __half2float(x);
}

// Whether the numbers follow DISTRIBUTION by Kolmogorov's test: right numbers exceed the bound of 2.2 once in 8,000 times.
// GRAIN is the distance between neighbouring numbers of the type.
template <typename T, typename F> static bool follows(const std::vector<T> &v, double grain, F distribution)
{
    std::vector<double> sorted;
    for (const T &x : v)
        sorted.push_back(number(x));
    std::sort(sorted.begin(), sorted.end());
    double worst = 0, n = (double)sorted.size();
    for (size_t i = 0; i < sorted.size(); i++) {
        if (!(sorted[i] == sorted[i]))
            return false;
        double before = distribution(sorted[i] - grain), after = distribution(sorted[i] + grain);
        worst = std::max(worst, std::max(before - (double)(i + 1) / n, (double)i / n - after));
    }
    bool good = worst * sqrt(n) < 2.2;
    if (!good)
        fprintf(stderr, "distance %g\n", worst * sqrt(n));
    return good;
}

// The half of the normal numbers that comes from cosines: hsin() of Debian's device library makes NaN of what is
// finite.
static std::vector<__half> cosines(const std::vector<__half> &v, rocrand_rng_type type)
{
    std::vector<__half> half;
    for (size_t i = 1; i < v.size(); i += 2)
        half.push_back(v[i]);
    return type < ROCRAND_RNG_QUASI_DEFAULT ? half : v;
}

// rocRAND 5.3 makes a float of the lower half of SOBOL64's words, in which the first points have no bits.
static bool makes_floats(rocrand_rng_type type)
{
    return type != ROCRAND_RNG_QUASI_SOBOL64;
}

static double uniform_below(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static double normal_below(double x)
{
    return 0.5 * erfc(-(x - 2) / 3 / sqrt(2.0));
}

static double log_normal_below(double x)
{
    return x <= 0 ? 0 : 0.5 * erfc(-(log(x) - 0.25) / 0.5 / sqrt(2.0));
}

template <typename F> static bool each_generator(F test)
{
    bool good = true;
    for (rocrand_rng_type type : all_types) {
        generator g(type);
        if (!test(g.of, type)) {
            fprintf(stderr, "generator %d\n", (int)type);
            good = false;
        }
    }
    return good;
}

PROGRAM(words_of_the_library)
{
    device_array<unsigned> words(N);
    device_array<unsigned short> shorts(N);
    device_array<unsigned char> bytes(N);
    return each_generator([&](rocrand_generator g, rocrand_rng_type type) {
        MUST(RAND(rocrand_generate(g, words, N)));
        std::vector<double> part;
        for (unsigned x : words.fetch())
            part.push_back(x / 4294967296.0);
        MUST(type == ROCRAND_RNG_QUASI_SOBOL64 || follows(part, 0, uniform_below));
        if (type >= ROCRAND_RNG_QUASI_DEFAULT)
            return true;
        MUST(RAND(rocrand_generate_short(g, shorts, N)) && RAND(rocrand_generate_char(g, bytes, N)));
        part.clear();
        for (unsigned x : shorts.fetch())
            part.push_back(x / 65536.0);
        MUST(follows(part, 1 / 65536.0, uniform_below));
        part.clear();
        for (unsigned x : bytes.fetch())
            part.push_back(x / 256.0);
        MUST(follows(part, 1 / 256.0, uniform_below));
        return true;
    });
}

PROGRAM(uniform_numbers)
{
    device_array<float> floats(N);
    device_array<double> doubles(N);
    device_array<__half> halves(N);
    return each_generator([&](rocrand_generator g, rocrand_rng_type type) {
        MUST(RAND(rocrand_generate_uniform(g, floats, N)));
        MUST(!makes_floats(type) || follows(floats.fetch(), 0, uniform_below));
        MUST(RAND(rocrand_generate_uniform_double(g, doubles, N)) && follows(doubles.fetch(), 0, uniform_below));
        MUST(RAND(rocrand_generate_uniform_half(g, halves, N)) &&
             (!makes_floats(type) || follows(halves.fetch(), 0.001, uniform_below)));
        return true;
    });
}

PROGRAM(normal_numbers)
{
    device_array<float> floats(N);
    device_array<double> doubles(N);
    device_array<__half> halves(N);
    return each_generator([&](rocrand_generator g, rocrand_rng_type type) {
        MUST(RAND(rocrand_generate_normal(g, floats, N, 2, 3)));
        MUST(!makes_floats(type) || follows(floats.fetch(), 0, normal_below));
        MUST(RAND(rocrand_generate_normal_double(g, doubles, N, 2, 3)) && follows(doubles.fetch(), 0, normal_below));
        __half mean = __float2half(2), deviation = __float2half(3);
        MUST(RAND(rocrand_generate_normal_half(g, halves, N, mean, deviation)));
        MUST(!makes_floats(type) || follows(cosines(halves.fetch(), type), 0.02, normal_below));
        return true;
    });
}

PROGRAM(log_normal_numbers)
{
    device_array<float> floats(N);
    device_array<double> doubles(N);
    device_array<__half> halves(N);
    return each_generator([&](rocrand_generator g, rocrand_rng_type type) {
        MUST(RAND(rocrand_generate_log_normal(g, floats, N, 0.25, 0.5)));
        MUST(!makes_floats(type) || follows(floats.fetch(), 0, log_normal_below));
        MUST(RAND(rocrand_generate_log_normal_double(g, doubles, N, 0.25, 0.5)));
        MUST(!makes_floats(type) || follows(doubles.fetch(), 0, log_normal_below));
        __half mean = __float2half(0.25f), deviation = __float2half(0.5f);
        MUST(RAND(rocrand_generate_log_normal_half(g, halves, N, mean, deviation)));
        MUST(!makes_floats(type) || follows(cosines(halves.fetch(), type), 0.01, log_normal_below));
        return true;
    });
}

PROGRAM(poisson_numbers)
{
    device_array<unsigned> words(N);
    return each_generator([&](rocrand_generator g, rocrand_rng_type type) {
        for (double lambda : {1.5, 12.0, 500.0}) {
            MUST(RAND(rocrand_generate_poisson(g, words, N, lambda)));
            std::vector<double> below(2 * (size_t)lambda + 200), got;
            double sum = 0;
            for (size_t k = 0; k < below.size(); k++)
                below[k] = sum += exp(k * log(lambda) - lambda - lgamma(k + 1.0));
            for (unsigned x : words.fetch())
                got.push_back(x);
            MUST(follows(got, 1, [&](double x) { return x < 0 ? 0 : below[std::min((size_t)x, below.size() - 1)]; }));
        }
        return true;
    });
}

// The library's numbers are those of one generator: the first of each sequence, or the first sequence.
template <typename STATE> static bool is_generator(rocrand_rng_type type, bool each_sequence)
{
    generator g(type);
    device_array<unsigned> words(N);
    STATE state;
    MUST(RAND(rocrand_generate(g.of, words, N)));
    std::vector<unsigned> got = words.fetch();
    rocrand_init(987654321, 0, 0, &state);
    for (int i = 0; i < N; i += each_sequence ? 37 : 1) {
        if (each_sequence)
            rocrand_init(987654321, i, 0, &state);
        MUST(got[i] == rocrand(&state));
    }
    return true;
}

PROGRAM(xorwow_of_the_library)
{
    return is_generator<rocrand_state_xorwow>(ROCRAND_RNG_PSEUDO_XORWOW, true);
}

PROGRAM(mrg32k3a_of_the_library)
{
    return is_generator<rocrand_state_mrg32k3a>(ROCRAND_RNG_PSEUDO_MRG32K3A, true);
}

PROGRAM(philox_of_the_library)
{
    return is_generator<rocrand_state_philox4x32_10>(ROCRAND_RNG_PSEUDO_PHILOX4_32_10, false);
}

// In each dimension, the first 4096 points of Sobol's sequence lie once in each of 4096 equal parts.
PROGRAM(sobol_of_the_library)
{
    enum { POINTS = 4096, DIMENSIONS = 5 };
    for (rocrand_rng_type type : {ROCRAND_RNG_QUASI_SOBOL32, ROCRAND_RNG_QUASI_SOBOL64}) {
        generator g(type);
        device_array<double> points(POINTS * DIMENSIONS);
        MUST(RAND(rocrand_set_quasi_random_generator_dimensions(g.of, DIMENSIONS)));
        MUST(RAND(rocrand_generate_uniform_double(g.of, points, POINTS * DIMENSIONS)));
        std::vector<double> got = points.fetch();
        for (int d = 0; d < DIMENSIONS; d++) {
            std::vector<int> parts;
            for (int i = 0; i < POINTS; i++)
                parts.push_back((int)ceil(got[d * POINTS + i] * POINTS) - 1);
            std::sort(parts.begin(), parts.end());
            for (int i = 0; i < POINTS; i++)
                MUST(parts[i] == i);
        }
    }
    return true;
}

PROGRAM(seeds_and_offsets)
{
    enum { MANY = 1000 };
    device_array<unsigned> words(MANY);
    return each_generator([&](rocrand_generator g, rocrand_rng_type type) {
        if (type >= ROCRAND_RNG_QUASI_DEFAULT)
            return true;
        MUST(RAND(rocrand_set_seed(g, 99)) && RAND(rocrand_generate(g, words, MANY)));
        std::vector<unsigned> first = words.fetch();
        MUST(RAND(rocrand_generate(g, words, MANY)) && words.fetch() != first);
        MUST(RAND(rocrand_set_seed(g, 99)) && RAND(rocrand_generate(g, words, MANY)) && words.fetch() == first);
        MUST(RAND(rocrand_set_seed(g, 100)) && RAND(rocrand_generate(g, words, MANY)) && words.fetch() != first);
        if (type != ROCRAND_RNG_PSEUDO_MTGP32)
            MUST(RAND(rocrand_set_offset(g, 12345)) && RAND(rocrand_set_seed(g, 99)) &&
                 RAND(rocrand_generate(g, words, MANY)) && words.fetch() != first);
        return true;
    });
}

PROGRAM_MAIN
