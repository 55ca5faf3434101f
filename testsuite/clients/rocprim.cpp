// SPDX-License-Identifier: MIT
// rocPRIM's primitives for a whole device at several sizes, compared with the standard library.
#include "small_program.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include <rocprim/rocprim.hpp>

typedef uint32_t word;
typedef std::vector<word> words;

/* Runs CALL twice: for the size of its temporary memory, then for the result. */
template <typename F> static bool with_memory(F call)
{
    size_t bytes = 0;
    if (!GOOD(call(nullptr, bytes)))
        return false;
    device_array<char> memory(bytes ? bytes : 1);
    return GOOD(call((void *)memory.at, bytes)) && GOOD(hipDeviceSynchronize());
}

static words random_words(size_t n, word below = 0)
{
    word state = 1;
    return numbers<word>(n, [&](size_t) {
        state = state * 1664525 + 1013904223;
        return below ? (state >> 8) % below : state;
    });
}

static words head(const device_array<word> &of, size_t n)
{
    words v = of.fetch();
    v.resize(n);
    return v;
}

static const size_t sizes[] = {1, 65, 1000, 20000};

PROGRAM(reductions)
{
    for (size_t n : sizes) {
        words v = random_words(n);
        device_array<word> in(v), out(1);
        MUST(with_memory([&](void *m, size_t &b) {
            return rocprim::reduce(m, b, in.at, out.at, 5u, n, rocprim::plus<word>());
        }));
        MUST(out.fetch()[0] == std::accumulate(v.begin(), v.end(), 5u));
        MUST(with_memory([&](void *m, size_t &b) {
            return rocprim::reduce(m, b, in.at, out.at, 0u, n, rocprim::maximum<word>());
        }));
        MUST(out.fetch()[0] == *std::max_element(v.begin(), v.end()));
    }
    return true;
}

PROGRAM(scans)
{
    for (size_t n : sizes) {
        words v = random_words(n), want(n);
        device_array<word> in(v), out(n);
        MUST(with_memory([&](void *m, size_t &b) {
            return rocprim::inclusive_scan(m, b, in.at, out.at, n, rocprim::plus<word>());
        }));
        std::partial_sum(v.begin(), v.end(), want.begin());
        MUST(out.fetch() == want);
        MUST(with_memory([&](void *m, size_t &b) {
            return rocprim::exclusive_scan(m, b, in.at, out.at, 7u, n, rocprim::plus<word>());
        }));
        for (size_t i = n; i-- > 0;)
            want[i] = 7 + (i ? want[i - 1] : 0);
        MUST(out.fetch() == want);
    }
    return true;
}

PROGRAM(sorts)
{
    for (size_t n : sizes) {
        words v = random_words(n), order(n), want;
        std::iota(order.begin(), order.end(), 0u);
        device_array<word> in(v), out(n), values(order), sorted(n);
        MUST(with_memory([&](void *m, size_t &b) { return rocprim::radix_sort_keys(m, b, in.at, out.at, n); }));
        want = v;
        std::sort(want.begin(), want.end());
        MUST(out.fetch() == want);
        MUST(with_memory([&](void *m, size_t &b) {
            return rocprim::radix_sort_pairs(m, b, in.at, out.at, values.at, sorted.at, n);
        }));
        std::stable_sort(order.begin(), order.end(), [&](word a, word b) { return v[a] < v[b]; });
        MUST(out.fetch() == want && sorted.fetch() == order);
    }
    return true;
}

struct divides_by_three {
    __host__ __device__ bool operator()(word x) const
    {
        return x % 3 == 0;
    }
};

PROGRAM(selections)
{
    for (size_t n : sizes) {
        words v = random_words(n), want, others;
        device_array<word> in(v), out(n), count(1);
        for (word x : v)
            (divides_by_three()(x) ? want : others).push_back(x);
        MUST(with_memory([&](void *m, size_t &b) {
            return rocprim::select(m, b, in.at, out.at, count.at, n, divides_by_three());
        }));
        MUST(count.fetch()[0] == want.size() && head(out, want.size()) == want);
        MUST(with_memory([&](void *m, size_t &b) {
            return rocprim::partition(m, b, in.at, out.at, count.at, n, divides_by_three());
        }));
        MUST(count.fetch()[0] == want.size());
        want.insert(want.end(), others.rbegin(), others.rend());
        MUST(out.fetch() == want);
    }
    return true;
}

PROGRAM(runs)
{
    for (size_t n : sizes) {
        words v = random_words(n, 3), want, lengths;
        device_array<word> in(v), out(n), counts(n), count(1);
        for (size_t i = 0; i < n; i++)
            if (i && v[i] == v[i - 1])
                lengths.back()++;
            else {
                want.push_back(v[i]);
                lengths.push_back(1);
            }
        MUST(with_memory([&](void *m, size_t &b) { return rocprim::unique(m, b, in.at, out.at, count.at, n); }));
        MUST(count.fetch()[0] == want.size() && head(out, want.size()) == want);
        MUST(with_memory([&](void *m, size_t &b) {
            return rocprim::run_length_encode(m, b, in.at, n, out.at, counts.at, count.at);
        }));
        MUST(count.fetch()[0] == want.size() && head(out, want.size()) == want);
        MUST(head(counts, want.size()) == lengths);
    }
    return true;
}

PROGRAM(histograms)
{
    enum { BINS = 50 };
    for (size_t n : sizes) {
        words v = random_words(n, 1000), want(BINS);
        device_array<word> in(v), bins(BINS);
        for (word x : v)
            want[x / 20]++;
        MUST(with_memory([&](void *m, size_t &b) {
            return rocprim::histogram_even(m, b, in.at, (unsigned)n, bins.at, BINS + 1, 0u, 1000u);
        }));
        MUST(bins.fetch() == want);
    }
    return true;
}

PROGRAM(merges)
{
    for (size_t n : sizes) {
        words a = random_words(n), b = random_words(n + 17, 1u << 24), want(2 * n + 17);
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        device_array<word> first(a), second(b), out(want.size());
        MUST(with_memory([&](void *m, size_t &bytes) {
            return rocprim::merge(m, bytes, first.at, second.at, out.at, a.size(), b.size());
        }));
        std::merge(a.begin(), a.end(), b.begin(), b.end(), want.begin());
        MUST(out.fetch() == want);
    }
    return true;
}

PROGRAM(segments)
{
    for (size_t n : sizes) {
        words v = random_words(n), starts{0};
        while (starts.back() < n)
            starts.push_back((word)std::min(n, starts.back() + 1 + (size_t)(starts.size() * 37 % 500)));
        unsigned count = (unsigned)starts.size() - 1;
        device_array<word> in(v), at(starts), out(n), sums(count);
        MUST(with_memory([&](void *m, size_t &b) {
            return rocprim::segmented_reduce(m, b, in.at, sums.at, count, at.at, at.at + 1, rocprim::plus<word>(), 0u);
        }));
        words want(count), sorted = v, scanned(n);
        for (unsigned s = 0; s < count; s++) {
            want[s] = std::accumulate(v.begin() + starts[s], v.begin() + starts[s + 1], 0u);
            std::sort(sorted.begin() + starts[s], sorted.begin() + starts[s + 1]);
            std::partial_sum(v.begin() + starts[s], v.begin() + starts[s + 1], scanned.begin() + starts[s]);
        }
        MUST(sums.fetch() == want);
        MUST(with_memory([&](void *m, size_t &b) {
            return rocprim::segmented_inclusive_scan(
                m, b, in.at, out.at, count, at.at, at.at + 1, rocprim::plus<word>());
        }));
        MUST(out.fetch() == scanned);
        MUST(with_memory([&](void *m, size_t &b) {
            return rocprim::segmented_radix_sort_keys(m, b, in.at, out.at, (unsigned)n, count, at.at, at.at + 1);
        }));
        MUST(out.fetch() == sorted);
    }
    return true;
}

PROGRAM(keys)
{
    for (size_t n : sizes) {
        words k = random_words(n, 4), v = random_words(n), unique, want;
        device_array<word> key(k), value(v), out(n), sums(n), count(1);
        for (size_t i = 0; i < n; i++)
            if (i && k[i] == k[i - 1])
                want.back() += v[i];
            else {
                unique.push_back(k[i]);
                want.push_back(v[i]);
            }
        MUST(with_memory([&](void *m, size_t &b) {
            return rocprim::reduce_by_key(m, b, key.at, value.at, n, out.at, sums.at, count.at, rocprim::plus<word>());
        }));
        MUST(count.fetch()[0] == want.size() && head(out, want.size()) == unique && head(sums, want.size()) == want);
    }
    return true;
}

PROGRAM_MAIN
