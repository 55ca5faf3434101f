/* SPDX-License-Identifier: MIT */
/* Programs that sort, sum and count in group memory. */

static inline uint key_of(uint id)
{
    return random_word(id) >> 8;
}

/* A bitonic network over 512 keys. */
PROGRAM sort_network(GLOBAL uint *out)
{
    SHARED uint keys[2 * GROUP];
    uint first = 2 * GROUP * GROUP_ID;
    keys[ITEM] = key_of(first + ITEM);
    keys[ITEM + GROUP] = key_of(first + ITEM + GROUP);
    for (uint block = 2; block <= 2 * GROUP; block *= 2)
        for (uint step = block / 2; step; step /= 2) {
            group_barrier();
            uint low = ITEM / step * 2 * step + ITEM % step, a = keys[low], b = keys[low + step];
            if ((a > b) == !(low & block)) {
                keys[low] = b;
                keys[low + step] = a;
            }
        }
    group_barrier();
    out[first + ITEM] = keys[ITEM];
    out[first + ITEM + GROUP] = keys[ITEM + GROUP];
}

/* The sum of X over the work-items before this one. TOTALS is memory for two rows. */
static uint sum_before(LOCAL uint *totals, uint x)
{
    uint at = 0;
    totals[ITEM] = x;
    for (uint step = 1; step < GROUP; step *= 2, at ^= GROUP) {
        group_barrier();
        totals[(at ^ GROUP) + ITEM] = totals[at + ITEM] + (ITEM >= step ? totals[at + ITEM - step] : 0);
    }
    group_barrier();
    uint sum = totals[at + ITEM] - x;
    group_barrier();
    return sum;
}

/* Sorts by two bits of the keys at a time, the lowest first, with a scan for each of their values. */
PROGRAM sort_digits(GLOBAL uint *out)
{
    SHARED uint keys[GROUP], totals[2 * GROUP], starts[5];
    keys[ITEM] = key_of(GROUP_ID * GROUP + ITEM);
    for (uint shift = 0; shift < 24; shift += 2) {
        group_barrier();
        uint key = keys[ITEM], digit = key >> shift & 3, place = 0;
        if (ITEM == 0)
            starts[0] = 0;
        for (uint d = 0; d < 4; d++) {
            uint before = sum_before(totals, digit == d);
            place = digit == d ? before : place;
            if (ITEM == GROUP - 1)
                starts[d + 1] = starts[d] + before + (digit == d);
        }
        group_barrier();
        keys[starts[digit] + place] = key;
    }
    group_barrier();
    out[GROUP_ID * GROUP + ITEM] = keys[ITEM];
}

/* Merges runs, each work-item finding the place of its key in the other run. */
PROGRAM sort_merge(GLOBAL uint *out)
{
    SHARED uint from[GROUP], to[GROUP];
    from[ITEM] = key_of(GROUP_ID * GROUP + ITEM) % 100;
    for (uint run = 1; run < GROUP; run *= 2) {
        group_barrier();
        uint key = from[ITEM], start = ITEM / (2 * run) * 2 * run, upper = ITEM / run % 2;
        uint low = upper ? start : start + run, high = low + run;
        while (low < high) {
            uint middle = (low + high) / 2;
            bool less = upper ? from[middle] <= key : from[middle] < key;
            low = less ? middle + 1 : low;
            high = less ? high : middle;
        }
        to[ITEM + low - start - run] = key;
        group_barrier();
        from[ITEM] = to[ITEM];
    }
    out[GROUP_ID * GROUP + ITEM] = from[ITEM];
}

/* Sums of 64 bits before each element, up a tree and down again. */
PROGRAM scan_tree(GLOBAL uint *out)
{
    SHARED ulong tree[2 * GROUP];
    uint id = GROUP_ID * GROUP + ITEM;
    tree[2 * ITEM] = (ulong)random_word(2 * id) * 5;
    tree[2 * ITEM + 1] = (ulong)random_word(2 * id + 1) << 20;
    for (uint step = 1; step < 2 * GROUP; step *= 2) {
        group_barrier();
        if (ITEM < GROUP / step)
            tree[(2 * ITEM + 2) * step - 1] += tree[(2 * ITEM + 1) * step - 1];
    }
    group_barrier();
    if (!ITEM)
        tree[2 * GROUP - 1] = 0;
    for (uint step = GROUP; step; step /= 2) {
        group_barrier();
        if (ITEM < GROUP / step) {
            ulong left = tree[(2 * ITEM + 1) * step - 1], sum = tree[(2 * ITEM + 2) * step - 1];
            tree[(2 * ITEM + 1) * step - 1] = sum;
            tree[(2 * ITEM + 2) * step - 1] = sum + left;
        }
    }
    group_barrier();
    for (uint i = 0; i < 4; i++)
        out[4 * id + i] = (uint)(tree[2 * ITEM + i / 2] >> i % 2 * 32);
}

/* How often each of 64 numbers is drawn, and the largest draw of each. */
PROGRAM histogram(GLOBAL uint *out)
{
    SHARED uint counts[64], largest[64];
    if (ITEM < 64)
        counts[ITEM] = largest[ITEM] = 0;
    group_barrier();
    for (uint i = 0; i < 50; i++) {
        uint x = random_word((GROUP_ID * GROUP + ITEM) * 50 + i), bin = x % 64 * (x >> 20) >> 12;
        add_local(&counts[bin], 1);
        max_local(&largest[bin], x >> 6);
    }
    group_barrier();
    if (ITEM < 64) {
        out[GROUP_ID * 128 + ITEM] = counts[ITEM];
        out[GROUP_ID * 128 + 64 + ITEM] = largest[ITEM];
    }
}
