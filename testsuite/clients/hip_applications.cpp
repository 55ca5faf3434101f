// SPDX-License-Identifier: MIT
// Programs as people publish them, on graphs, texts, money, pictures and shared structures: each computes on the GPU,
// and again on the host.
#include "small_program.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>

static uint32_t seed = 7;

static uint32_t random_word()
{
    return (seed = seed * 1664525 + 1013904223) >> 4;
}

static bool near(double a, double b, double bound)
{
    return fabs(a - b) <= bound * (1 + fabs(b));
}

// ---- SHA-256 ----

// The first 32 bits of the fractions of the roots of the first primes, as the standard defines its constants.
static std::vector<uint32_t> root_fractions(int count, double power)
{
    std::vector<uint32_t> v;
    for (int p = 2; (int)v.size() < count; p++) {
        bool prime = true;
        for (int d = 2; d * d <= p; d++)
            prime &= p % d != 0;
        long double root = powl(p, power);
        if (prime)
            v.push_back((uint32_t)((root - floorl(root)) * 4294967296.0L));
    }
    return v;
}

__device__ static uint32_t turn(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

__global__ void sha256(const uint32_t *words, const uint32_t *k, const uint32_t *start, uint32_t *digests)
{
    uint32_t w[64], h[8];
    for (int i = 0; i < 16; i++)
        w[i] = words[place() * 16 + i];
    for (int i = 16; i < 64; i++) {
        uint32_t a = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t b = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    for (int i = 0; i < 8; i++)
        h[i] = start[i];
    for (int i = 0; i < 64; i++) {
        uint32_t e = h[4], a = h[0];
        uint32_t t = h[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & h[5]) ^ (~e & h[6])) + k[i] + w[i];
        uint32_t u = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & h[1]) ^ (a & h[2]) ^ (h[1] & h[2]));
        for (int j = 7; j; j--)
            h[j] = h[j - 1];
        h[4] += t;
        h[0] = t + u;
    }
    for (int i = 0; i < 8; i++)
        digests[place() * 8 + i] = start[i] + h[i];
}

PROGRAM(sha256_digests)
{
    const char *texts[] = {"", "abc", "The quick brown fox jumps over the lazy dog"};
    const uint32_t first[] = {0xe3b0c442, 0xba7816bf, 0xd7a8fbb3}, last[] = {0x7852b855, 0xf20015ad, 0x37c9e592};
    std::vector<uint32_t> words(64 * 16);
    for (int i = 0; i < 64; i++) {
        std::string s = texts[i % 3];
        size_t bits = s.size() * 8;
        s += (char)0x80;
        for (size_t j = 0; j < s.size(); j++)
            words[i * 16 + j / 4] |= (uint32_t)(unsigned char)s[j] << (24 - j % 4 * 8);
        words[i * 16 + 15] = (uint32_t)bits;
    }
    device_array<uint32_t> in(words), k(root_fractions(64, 1.0 / 3)), start(root_fractions(8, 0.5)), out(64 * 8);
    sha256<<<1, 64>>>(in, k, start, out);
    std::vector<uint32_t> got = out.fetch();
    for (int i = 0; i < 64; i++)
        MUST(got[i * 8] == first[i % 3] && got[i * 8 + 7] == last[i % 3]);
    return true;
}

// ---- clusters, money, chance ----

__global__ void nearest(const float2 *points, const float2 *centres, int *of, float2 *sums, int *counts, int n, int k)
{
    int i = place(), best = 0;
    if (i >= n)
        return;
    float least = 1e30f;
    for (int c = 0; c < k; c++) {
        float x = points[i].x - centres[c].x, y = points[i].y - centres[c].y, d = x * x + y * y;
        if (d < least) {
            least = d;
            best = c;
        }
    }
    of[i] = best;
    atomicAdd(&sums[best].x, points[i].x);
    atomicAdd(&sums[best].y, points[i].y);
    atomicAdd(&counts[best], 1);
}

PROGRAM(k_means)
{
    enum { N = 1000, K = 5 };
    std::vector<float2> points = numbers<float2>(N, [](size_t i) {
        return make_float2((float)(i % K) * 10 + random_word() % 100 / 50.0f,
                           (float)(i % K * i % K) * 7 + random_word() % 100 / 50.0f);
    });
    std::vector<float2> centres(points.begin(), points.begin() + K);
    device_array<float2> at(points);
    device_array<int> of(N);
    std::vector<int> got, counts;
    for (int round = 0; round < 8; round++) {
        device_array<float2> middle(centres), sums(K);
        device_array<int> count(K);
        nearest<<<groups(N), 256>>>(at, middle, of, sums, count, N, K);
        std::vector<float2> sum = sums.fetch();
        counts = count.fetch();
        got = of.fetch();
        for (int i = 0; i < N; i++) {
            float least = 1e30f, own = 0;
            for (int c = 0; c < K; c++) {
                float d = hypotf(points[i].x - centres[c].x, points[i].y - centres[c].y);
                least = std::min(least, d);
                own = c == got[i] ? d : own;
            }
            MUST(near(own, least, 1e-4));
        }
        for (int c = 0; c < K; c++)
            if (counts[c])
                centres[c] = make_float2(sum[c].x / counts[c], sum[c].y / counts[c]);
    }
    for (int i = K; i < N; i++)
        MUST((got[i] == got[i % K]));
    return true;
}

__device__ static float normal_part(float x)
{
    return 0.5f * erfcf(-x * 0.70710678f);
}

__global__ void option_prices(const float *now, const float *strike, const float *years, float *call, float *put, int n)
{
    int i = place();
    if (i >= n)
        return;
    const float rate = 0.02f, spread = 0.3f;
    float root = sqrtf(years[i]),
          d = (logf(now[i] / strike[i]) + (rate + spread * spread / 2) * years[i]) / (spread * root);
    float later = strike[i] * expf(-rate * years[i]);
    call[i] = now[i] * normal_part(d) - later * normal_part(d - spread * root);
    put[i] = later * normal_part(spread * root - d) - now[i] * normal_part(-d);
}

PROGRAM(black_scholes)
{
    enum { N = 1000 };
    auto between = [](double low, double high) {
        return numbers<float>(N, [=](size_t) { return (float)(low + (high - low) * (random_word() % 1000) / 1000); });
    };
    std::vector<float> now = between(5, 30), strike = between(1, 100), years = between(0.25, 10);
    device_array<float> a(now), b(strike), c(years), call(N), put(N);
    option_prices<<<groups(N), 256>>>(a, b, c, call, put, N);
    std::vector<float> got = call.fetch(), other = put.fetch();
    for (int i = 0; i < N; i++) {
        double root = sqrt(years[i]), d = (log((double)now[i] / strike[i]) + (0.02 + 0.045) * years[i]) / (0.3 * root);
        double later = strike[i] * exp(-0.02 * years[i]);
        double want = now[i] * 0.5 * erfc(-d / sqrt(2.0)) - later * 0.5 * erfc(-(d - 0.3 * root) / sqrt(2.0));
        MUST(near(got[i], want, 1e-4) && near(other[i], want - now[i] + later, 1e-4));
    }
    return true;
}

__host__ __device__ static uint32_t mixed(uint32_t x)
{
    x = (x ^ x >> 16) * 0x45d9f3bu;
    x = (x ^ x >> 16) * 0x45d9f3bu;
    return x ^ x >> 16;
}

__host__ __device__ static bool in_circle(uint32_t i)
{
    uint64_t x = mixed(2 * i + 1) >> 8, y = mixed(2 * i + 2) >> 8;
    return x * x + y * y < 1ull << 48;
}

__global__ void throw_darts(unsigned long long *hits, uint32_t each)
{
    unsigned own = 0;
    for (uint32_t k = 0; k < each; k++)
        own += in_circle(place() * each + k);
    atomicAdd(hits, (unsigned long long)own);
}

PROGRAM(monte_carlo_pi)
{
    enum { THREADS = 2048, EACH = 50 };
    device_array<unsigned long long> hits(1);
    throw_darts<<<THREADS / 256, 256>>>(hits, EACH);
    unsigned long long want = 0;
    for (uint32_t i = 0; i < THREADS * EACH; i++)
        want += in_circle(i);
    unsigned long long got = hits.fetch()[0];
    return got == want && near(4.0 * got / (THREADS * EACH), M_PI, 0.01);
}

// ---- graphs and systems ----

struct graph {
    int n;
    std::vector<int> rows{0}, to;
    explicit graph(int n) : n(n)
    {
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < 1 + i % 4; k++)
                to.push_back((int)(random_word() % (unsigned)n));
            rows.push_back((int)to.size());
        }
    }
};

__global__ void next_level(const int *rows, const int *to, int *level, int n, int now, int *changed)
{
    int i = place();
    if (i >= n || level[i] != now)
        return;
    for (int k = rows[i]; k < rows[i + 1]; k++)
        if (atomicCAS(&level[to[k]], -1, now + 1) == -1)
            *changed = 1;
}

PROGRAM(breadth_first_search)
{
    graph g(3000);
    std::vector<int> want(g.n, -1), queue{0};
    want[0] = 0;
    for (size_t q = 0; q < queue.size(); q++)
        for (int k = g.rows[queue[q]]; k < g.rows[queue[q] + 1]; k++)
            if (want[g.to[k]] < 0) {
                want[g.to[k]] = want[queue[q]] + 1;
                queue.push_back(g.to[k]);
            }
    std::vector<int> level(g.n, -1);
    level[0] = 0;
    device_array<int> rows(g.rows), to(g.to), at(level);
    int *changed, now = 0;
    MUST(GOOD(hipHostMalloc((void **)&changed, sizeof(int))));
    do {
        *changed = 0;
        next_level<<<groups(g.n), 256>>>(rows, to, at, g.n, now++, changed);
        MUST(GOOD(hipDeviceSynchronize()));
    } while (*changed);
    return at.fetch() == want && GOOD(hipHostFree(changed));
}

__global__ void shorter(int *d, int n, int k)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && j < n)
        d[i * n + j] = min(d[i * n + j], d[i * n + k] + d[k * n + j]);
}

PROGRAM(floyd_warshall)
{
    enum { N = 60 };
    std::vector<int> d = numbers<int>(N * N, [](size_t i) {
        return i % (N + 1) == 0 ? 0 : random_word() % 8 == 0 ? 1 + (int)(random_word() % 50) : 1000000;
    });
    device_array<int> at(d);
    for (int k = 0; k < N; k++)
        shorter<<<dim3(4, 4), dim3(16, 16)>>>(at, N, k);
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                d[i * N + j] = std::min(d[i * N + j], d[i * N + k] + d[k * N + j]);
    return at.fetch() == d;
}

// A wave for each row.
__global__ void rows_by_waves(const int *rows, const int *columns, const double *values, const double *x, double *y,
                              int n)
{
    int row = place() / warpSize, lane = place() % warpSize;
    double sum = 0;
    if (row < n)
        for (int k = rows[row] + lane; k < rows[row + 1]; k += warpSize)
            sum += values[k] * x[columns[k]];
    for (int step = warpSize / 2; step; step /= 2)
        sum += __shfl_xor(sum, step);
    if (row < n && lane == 0)
        y[row] = sum;
}

__global__ void dot_product(const double *a, const double *b, double *sum, int n)
{
    double own = 0;
    for (int i = place(); i < n; i += (int)(gridDim.x * blockDim.x))
        own += a[i] * b[i];
    atomicAdd(sum, own);
}

__global__ void add_scaled(double *y, const double *x, double by, double own, int n)
{
    int i = place();
    if (i < n)
        y[i] = own * y[i] + by * x[i];
}

PROGRAM(conjugate_gradients)
{
    enum { SIDE = 16, N = SIDE * SIDE };
    std::vector<int> rows{0}, columns;
    std::vector<double> values, right(N, 1.0);
    for (int i = 0; i < N; i++) {
        for (int d : {-(int)SIDE, -1, 0, 1, (int)SIDE}) {
            bool there = i + d >= 0 && i + d < N && !(d == -1 && i % SIDE == 0) && !(d == 1 && i % SIDE == SIDE - 1);
            if (there) {
                columns.push_back(i + d);
                values.push_back(d ? -1 : 4);
            }
        }
        rows.push_back((int)columns.size());
    }
    device_array<int> dr(rows), dc(columns);
    device_array<double> dv(values), x(N), r(right), p(right), q(N), sums(1);
    auto dot = [&](const double *a, const double *b) {
        double got = 0;
        (void)hipMemset(sums, 0, sizeof got);
        dot_product<<<2, 128>>>(a, b, sums, N);
        (void)hipMemcpy(&got, sums, sizeof got, hipMemcpyDeviceToHost);
        return got;
    };
    double rest = dot(r, r);
    for (int step = 0; step < 60 && rest > 1e-20; step++) {
        rows_by_waves<<<groups(N * 64), 256>>>(dr, dc, dv, p, q, N);
        double alpha = rest / dot(p, q);
        add_scaled<<<groups(N), 256>>>(x, p, alpha, 1, N);
        add_scaled<<<groups(N), 256>>>(r, q, -alpha, 1, N);
        double next = dot(r, r);
        add_scaled<<<groups(N), 256>>>(p, r, 1, next / rest, N);
        rest = next;
    }
    std::vector<double> solved = x.fetch();
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int k = rows[i]; k < rows[i + 1]; k++)
            sum += values[k] * solved[columns[k]];
        MUST(near(sum, 1, 1e-8));
    }
    return true;
}

// ---- pictures and texts ----

struct sphere {
    float x, y, z, radius;
};

__host__ __device__ static int hit(const sphere *spheres, int n, float ox, float oy, float dx, float dy, float *depth)
{
    int which = -1;
    *depth = 1e30f;
    for (int s = 0; s < n; s++) {
        float x = spheres[s].x - ox, y = spheres[s].y - oy, z = spheres[s].z, length = dx * dx + dy * dy + 1;
        float along = (x * dx + y * dy + z) / length;
        float ax = x - along * dx, ay = y - along * dy, az = z - along, off = ax * ax + ay * ay + az * az;
        float inside = spheres[s].radius * spheres[s].radius - off;
        if (inside > 0 && along - sqrtf(inside / length) < *depth && along > 0) {
            *depth = along - sqrtf(inside / length);
            which = s;
        }
    }
    return which;
}

__global__ void trace_rays(const sphere *spheres, int n, int *which, float *depth, int width)
{
    int i = place();
    which[i] = hit(spheres, n, 0, 0, (float)(i % width) / width - 0.5f, (float)(i / width) / width - 0.5f, &depth[i]);
}

PROGRAM(ray_tracer)
{
    enum { WIDTH = 64, SPHERES = 12 };
    std::vector<sphere> spheres = numbers<sphere>(SPHERES, [](size_t i) {
        return sphere{(float)(random_word() % 100) / 25 - 2, (float)(random_word() % 100) / 25 - 2, 4 + (float)i / 2,
                      0.7f};
    });
    device_array<sphere> d(spheres);
    device_array<int> which(WIDTH * WIDTH);
    device_array<float> depth(WIDTH * WIDTH);
    trace_rays<<<WIDTH, WIDTH>>>(d, SPHERES, which, depth, WIDTH);
    std::vector<int> got = which.fetch();
    std::vector<float> depths = depth.fetch();
    int differ = 0, hits = 0;
    for (int i = 0; i < WIDTH * WIDTH; i++) {
        float want;
        int s = hit(spheres.data(), SPHERES, 0, 0, (float)(i % WIDTH) / WIDTH - 0.5f, (float)(i / WIDTH) / WIDTH - 0.5f,
                    &want);
        differ += s != got[i] || !near(want, depths[i], 1e-3);
        hits += s >= 0;
    }
    // Rays that just graze a sphere may pass it or not.
    return hits > 300 && differ < 20;
}

__global__ void align_diagonal(const char *a, const char *b, int *score, int n, int diagonal)
{
    int i = place() + 1, j = diagonal - i;
    if (i > n || j < 1 || j > n)
        return;
    int w = n + 1, best = score[(i - 1) * w + j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1);
    best = max(best, score[(i - 1) * w + j] - 2);
    score[i * w + j] = max(best, score[i * w + j - 1] - 2);
}

PROGRAM(needleman_wunsch)
{
    enum { N = 100, W = N + 1 };
    std::vector<char> a = numbers<char>(N, [](size_t) { return "ACGT"[random_word() % 4]; }), b = a;
    for (int k = 0; k < 30; k++)
        b[random_word() % N] = "ACGT"[random_word() % 4];
    std::vector<int> score(W * W);
    for (int i = 0; i <= N; i++)
        score[i] = score[i * W] = -2 * i;
    device_array<char> da(a), db(b);
    device_array<int> ds(score);
    for (int diagonal = 2; diagonal <= 2 * N; diagonal++)
        align_diagonal<<<groups(N), 256>>>(da, db, ds, N, diagonal);
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++)
            score[i * W + j] = std::max({score[(i - 1) * W + j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1),
                                         score[(i - 1) * W + j] - 2, score[i * W + j - 1] - 2});
    return ds.fetch() == score;
}

__global__ void find_text(const char *text, int length, const char *word, int word_length, int *places, int *count)
{
    int i = place();
    if (i + word_length > length)
        return;
    for (int k = 0; k < word_length; k++)
        if (text[i + k] != word[k])
            return;
    places[atomicAdd(count, 1)] = i;
}

PROGRAM(string_search)
{
    std::string text, word = "abba";
    for (int i = 0; i < 20000; i++)
        text += (char)('a' + random_word() % 3);
    device_array<char> t(std::vector<char>(text.begin(), text.end())), w(std::vector<char>(word.begin(), word.end()));
    device_array<int> places(text.size()), count(1);
    find_text<<<groups((int)text.size()), 256>>>(t, (int)text.size(), w, (int)word.size(), places, count);
    std::vector<int> want, got = places.fetch();
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        want.push_back((int)at);
    got.resize(count.fetch()[0]);
    std::sort(got.begin(), got.end());
    return got == want && !want.empty();
}

__global__ void count_letters(const char *text, int length, unsigned *bins)
{
    __shared__ unsigned own[26];
    if (threadIdx.x < 26)
        own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = place(); i < length; i += (int)(gridDim.x * blockDim.x))
        atomicAdd(&own[text[i] - 'a'], 1u);
    __syncthreads();
    if (threadIdx.x < 26)
        atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

PROGRAM(letter_histogram)
{
    enum { N = 30000 };
    std::vector<char> text =
        numbers<char>(N, [](size_t) { return (char)('a' + random_word() % 26 * (random_word() % 26) / 26); });
    device_array<char> t(text);
    device_array<unsigned> bins(26);
    count_letters<<<8, 256>>>(t, N, bins);
    std::vector<unsigned> want(26);
    for (char c : text)
        want[c - 'a']++;
    return bins.fetch() == want;
}

// ---- structures that work-items share ----

enum { SLOTS = 4096, EMPTY = -1 };

__global__ void insert_keys(const int *keys, int n, int *slots, int *counts)
{
    int i = place();
    if (i >= n)
        return;
    unsigned slot = (unsigned)keys[i] * 2654435761u % SLOTS;
    for (;; slot = (slot + 1) % SLOTS) {
        int old = atomicCAS(&slots[slot], EMPTY, keys[i]);
        if (old == EMPTY || old == keys[i]) {
            atomicAdd(&counts[slot], 1);
            return;
        }
    }
}

PROGRAM(hash_table)
{
    enum { N = 6000 };
    std::vector<int> keys = numbers<int>(N, [](size_t) { return (int)(random_word() % 3000); }), want(3000), got(3000);
    device_array<int> k(keys), slots(std::vector<int>(SLOTS, EMPTY)), counts(SLOTS);
    insert_keys<<<groups(N), 256>>>(k, N, slots, counts);
    std::vector<int> slot = slots.fetch(), count = counts.fetch();
    for (int x : keys)
        want[x]++;
    for (int s = 0; s < SLOTS; s++)
        if (slot[s] != EMPTY) {
            MUST(got[slot[s]] == 0);
            got[slot[s]] = count[s];
        }
    return got == want;
}

struct work_queue {
    int head, tail, active, done;
    int items[8192];
};

// Each item of the queue makes two more, until they are small.
__global__ void take_work(work_queue *q)
{
    for (;;) {
        int at = atomicAdd(&q->head, 0);
        if (at >= atomicAdd(&q->tail, 0)) {
            if (atomicAdd(&q->active, 0) == 0)
                return;
            continue;
        }
        if (atomicCAS(&q->head, at, at + 1) != at)
            continue;
        int item;
        while ((item = atomicAdd(&q->items[at], 0)) == 0)
            ;
        if (item > 1) {
            atomicAdd(&q->active, 2);
            for (int part : {item / 2, item - item / 2})
                atomicExch(&q->items[atomicAdd(&q->tail, 1)], part);
        } else
            atomicAdd(&q->done, 1);
        __threadfence();
        atomicSub(&q->active, 1);
    }
}

PROGRAM(queue_of_work)
{
    work_queue start = {};
    start.tail = start.active = 1;
    start.items[0] = 700;
    device_array<work_queue> q(std::vector<work_queue>(1, start));
    take_work<<<4, 64>>>(q);
    work_queue end = q.fetch()[0];
    return end.done == 700 && end.active == 0 && end.head == end.tail && end.tail == 1399;
}

__global__ void locked_sums(int *lock, volatile long long *sum, int each)
{
    for (int k = 0; k < each; k++) {
        bool done = false;
        while (!done)
            if (atomicCAS(lock, 0, 1) == 0) {
                __threadfence();
                *sum = *sum * 1 + place() + k;
                __threadfence();
                atomicExch(lock, 0);
                done = true;
            }
    }
}

PROGRAM(spin_lock)
{
    enum { ITEMS = 128, EACH = 3 };
    device_array<int> lock(1);
    device_array<long long> sum(1);
    locked_sums<<<2, ITEMS / 2>>>(lock, sum.at, EACH);
    long long want = 0;
    for (int i = 0; i < ITEMS; i++)
        for (int k = 0; k < EACH; k++)
            want += i + k;
    return sum.fetch()[0] == want;
}

__global__ void produce(volatile int *buffer, volatile int *ready, int n)
{
    for (int i = 0; i < n; i++) {
        buffer[i] = i * i;
        __threadfence();
        *ready = i + 1;
    }
}

__global__ void consume(volatile int *buffer, volatile int *ready, long long *sum, int n)
{
    for (int i = 0; i < n; i++) {
        while (*ready <= i)
            ;
        __threadfence();
        *sum += buffer[i];
    }
}

PROGRAM(producer_and_consumer_on_two_streams)
{
    enum { N = 300 };
    hipStream_t first, second;
    MUST(GOOD(hipStreamCreate(&first)) && GOOD(hipStreamCreate(&second)));
    device_array<int> buffer(N), ready(1);
    device_array<long long> sum(1);
    MUST(GOOD(hipDeviceSynchronize()));
    consume<<<1, 1, 0, first>>>(buffer.at, ready.at, sum, N);
    produce<<<1, 1, 0, second>>>(buffer.at, ready.at, N);
    MUST(GOOD(hipStreamSynchronize(first)) && GOOD(hipStreamSynchronize(second)));
    long long want = 0;
    for (int i = 0; i < N; i++)
        want += (long long)i * i;
    return sum.fetch()[0] == want && GOOD(hipStreamDestroy(first)) && GOOD(hipStreamDestroy(second));
}

PROGRAM_MAIN
