/* SPDX-License-Identifier: MIT */
/* Programs of bytes, halves of words and lanes, for which compilers use operands that are parts of registers, and
 * exchanges among lanes. */

static inline uint byte_of(uint x, uint i)
{
    return x >> 8 * i & 255;
}

static inline uint least_of(uint a, uint b)
{
    return a < b ? a : b;
}

static inline uint most_of(uint a, uint b)
{
    return a > b ? a : b;
}

/* A picture of bytes: differences of neighbours, what is between the least and the largest, and saturated sums. */
PROGRAM bytes(GLOBAL uint *out)
{
    uint id = GROUP_ID * GROUP + ITEM, sum = 0, clamped = 0, ordered = 0;
    for (uint i = 0; i < 20; i++) {
        uint a = random_word(id + i), b = random_word(id * 3 + i);
        for (uint k = 0; k < 4; k++) {
            uint x = byte_of(a, k), y = byte_of(b, k), z = byte_of(a ^ b, k);
            uint low = least_of(x, y), high = most_of(x, y);
            sum += high - low;
            clamped = (clamped & ~(255u << 8 * k)) | least_of(byte_of(clamped, k) + x, 255) << 8 * k;
            ordered ^= most_of(low, least_of(high, z)) << 8 * k;
        }
    }
    out[3 * id] = sum;
    out[3 * id + 1] = clamped;
    out[3 * id + 2] = ordered;
}

/* Halves: sums with a sign, products, shifts and a comparison of each. */
PROGRAM halves(GLOBAL uint *out)
{
    uint id = GROUP_ID * GROUP + ITEM, sum = 0;
    ushort low = (ushort)id, high = (ushort)(id * 77);
    for (uint i = 0; i < 30; i++) {
        uint x = random_word(id * 31 + i);
        ushort a = (ushort)x, b = (ushort)(x >> 16);
        low = (ushort)(low + (uint)a * b);
        high = (ushort)((high << b % 16 | high >> (15 - b % 16)) - a);
        sum += (short)(a - b) < 0 ? low : high;
        sum ^= (uint)(int)(short)(low ^ high);
        sum += (uint)(int)(signed char)(a >> 3) * (b & 255);
    }
    out[2 * id] = sum;
    out[2 * id + 1] = (uint)low << 16 | high;
}

/* Text: 24 bits as four letters, and the number of a letter in UTF-8. */
PROGRAM letters(GLOBAL uint *out)
{
    uint id = GROUP_ID * GROUP + ITEM, code = random_word(id) >> 11 & 0xffff, text = 0, utf = 0;
    for (uint i = 0; i < 4; i++) {
        uint six = random_word(id) >> 6 * i & 63;
        uint letter = six < 26    ? 'A' + six
                      : six < 52  ? 'a' + six - 26
                      : six < 62  ? '0' + six - 52
                      : six == 62 ? '+'
                                  : '/';
        text |= letter << 8 * i;
    }
    if (code < 0x80)
        utf = code;
    else if (code < 0x800)
        utf = 0xc0 | code >> 6 | (0x80 | (code & 63)) << 8;
    else
        utf = 0xe0 | code >> 12 | (0x80 | (code >> 6 & 63)) << 8 | (0x80 | (code & 63)) << 16;
    out[2 * id] = text;
    out[2 * id + 1] = utf;
}

/* Bits: how many there are, where they begin and end, in other orders, and in gaps. */
PROGRAM bits(GLOBAL uint *out)
{
    uint id = GROUP_ID * GROUP + ITEM, sum = 0;
    for (uint i = 0; i < 20; i++) {
        uint x = random_word(id + 1000 * i) | 1, reversed = 0, spread = 0;
        ulong both = (ulong)x << 32 | random_word(x) | 1;
        for (uint k = 0; k < 32; k++)
            reversed |= (x >> k & 1) << (31 - k);
        for (uint k = 0; k < 16; k++)
            spread |= (x >> k & 1) << 2 * k;
        sum = sum * 31 + (uint)__builtin_popcount(x) + (uint)__builtin_clz(x) * 64 + (uint)__builtin_ctz(reversed) * 7;
        sum = sum * 31 + (uint)__builtin_popcountl(both) + (uint)__builtin_clzl(both) + (reversed ^ spread);
        sum ^= (uint)(both >> x % 64) + (uint)(both << x % 61);
    }
    out[id] = sum;
}

/* Lanes: sums of a wave, over rows of 16 first, each with all lanes before it. */
PROGRAM wave_sums(GLOBAL uint *out)
{
    uint id = GROUP_ID * GROUP + ITEM, x = random_word(id) >> 4, own = x;
    x += ROW_UP(1, 0, x);
    x += ROW_UP(2, 0, x);
    x += ROW_UP(4, 0, x);
    x += ROW_UP(8, 0, x);
    x += ROW_LAST(0, x);
    x += HALF_LAST(0, x);
    out[2 * id] = x - own;
    out[2 * id + 1] = FROM_LANE(63, x);
}

/* Lanes: the largest number of each row by mirrors, the least one by turns, and a mixture by swizzles. */
PROGRAM wave_maxima(GLOBAL uint *out)
{
    uint id = GROUP_ID * GROUP + ITEM, x = random_word(id), y = x, z = x;
    x = most_of(x, QUAD(1, 0, 3, 2, x));
    x = most_of(x, QUAD(2, 3, 0, 1, x));
    x = most_of(x, HALF_MIRROR(x));
    x = most_of(x, ROW_MIRROR(x));
    y = least_of(y, ROW_TURN(1, y));
    y = least_of(y, ROW_TURN(2, y));
    y = least_of(y, ROW_TURN(4, y));
    y = least_of(y, ROW_TURN(8, y));
    z = z * 3 + SWIZZLE(31, 0, 16, z);
    z = z * 3 + SWIZZLE(24, 5, 0, z);
    z = z * 3 + SWIZZLE(31, 1, 2, z);
    out[4 * id] = x;
    out[4 * id + 1] = y;
    out[4 * id + 2] = z;
    out[4 * id + 3] = FIRST_LANE(z) ^ FROM_LANE(x % WAVE, y);
}

/* Lanes: those that draw an even number move to the beginning of the wave; what they leave is 0. */
PROGRAM wave_packing(GLOBAL uint *out)
{
    uint id = GROUP_ID * GROUP + ITEM, x = random_word(id) >> 3, odd = x % 2;
    ulong even = BALLOT(!odd);
    uint count = (uint)__builtin_popcountl(even), before = LANES_BEFORE(even);
    uint place = odd ? count + ITEM % WAVE - before : before;
    uint moved = TO_LANE(place, x);
    out[2 * id] = ITEM % WAVE < count ? moved : 0;
    out[2 * id + 1] = place;
}
