/* SPDX-License-Identifier: MIT */
/* Programs of bits: SHA-256, AES-128, a cyclic redundancy check and a hash of 64 bits. */

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
TABLE uint sha_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static inline uint turned_right(uint x, uint by)
{
    return x >> by | x << (32 - by);
}

/* Adds the block W, which is used up, to the HASH of those before it. */
static void sha_block(uint *hash, uint *w)
{
    uint s[8];
    for (uint i = 0; i < 8; i++)
        s[i] = hash[i];
    for (uint i = 0; i < 64; i++) {
        if (i >= 16) {
            uint a = w[(i + 1) % 16], b = w[(i + 14) % 16];
            w[i % 16] += w[(i + 9) % 16] + (turned_right(a, 7) ^ turned_right(a, 18) ^ a >> 3) +
                         (turned_right(b, 17) ^ turned_right(b, 19) ^ b >> 10);
        }
        uint t = s[7] + (turned_right(s[4], 6) ^ turned_right(s[4], 11) ^ turned_right(s[4], 25)) +
                 ((s[4] & s[5]) ^ (~s[4] & s[6])) + sha_constants[i] + w[i % 16];
        uint u = (turned_right(s[0], 2) ^ turned_right(s[0], 13) ^ turned_right(s[0], 22)) +
                 ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (uint k = 7; k; k--)
            s[k] = s[k - 1];
        s[4] += t;
        s[0] = t + u;
    }
    for (uint i = 0; i < 8; i++)
        hash[i] += s[i];
}

/* Eight words for each work-item; the first one hashes "abc". */
PROGRAM sha256(GLOBAL uint *out)
{
    uint id = GROUP_ID * GROUP + ITEM, w[16] = {0x61626380};
    uint hash[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    w[15] = 24;
    for (uint i = 0; id && i < 16; i++)
        w[i] = random_word(16 * id + i);
    sha_block(hash, w);
    for (uint i = 0; i < 8; i++)
        out[8 * id + i] = hash[i];
}

/* Twice X in the field of 256 elements. */
static inline uchar doubled(uchar x)
{
    return (uchar)(x << 1 ^ (x & 0x80 ? 0x1b : 0));
}

static uchar product(uchar a, uchar b)
{
    uchar sum = 0;
    for (; b; b >>= 1, a = doubled(a))
        sum ^= b & 1 ? a : 0;
    return sum;
}

/* What AES substitutes for X: its inverse, by trial, and that as its standard says. */
static uchar substitute(uchar x)
{
    uint y = 0, s;
    while (x && product(x, (uchar)y) != 1)
        y++;
    s = y | y << 8;
    return (uchar)(0x63 ^ s ^ s >> 4 ^ s >> 5 ^ s >> 6 ^ s >> 7);
}

/* The next round key, of round ROUND with the constant RC. */
static void next_key(uchar *key, const LOCAL uchar *box, uchar rc)
{
    for (uint i = 0; i < 4; i++)
        key[i] ^= box[key[12 + (i + 1) % 4]] ^ (i ? 0 : rc);
    for (uint i = 4; i < 16; i++)
        key[i] ^= key[i - 4];
}

static void aes_block(uchar *state, uchar *key, const LOCAL uchar *box)
{
    uchar rc = 1, next[16];
    for (uint i = 0; i < 16; i++)
        state[i] ^= key[i];
    for (uint round = 1; round <= 10; round++, rc = doubled(rc)) {
        next_key(key, box, rc);
        for (uint i = 0; i < 16; i++)
            next[i] = box[state[(i + 4 * (i % 4)) % 16]];
        for (uint c = 0; c < 16; c++) {
            uchar a = next[c], b = next[c / 4 * 4 + (c + 1) % 4];
            uchar rest = next[c / 4 * 4 + (c + 2) % 4] ^ next[c / 4 * 4 + (c + 3) % 4];
            state[c] = (round < 10 ? doubled(a) ^ doubled(b) ^ b ^ rest : a) ^ key[c];
        }
    }
}

/* Four words for each work-item; the first one encrypts the example of the standard. */
PROGRAM aes128(GLOBAL uint *out)
{
    SHARED uchar box[256];
    uint id = GROUP_ID * GROUP + ITEM;
    uchar state[16], key[16];
    box[ITEM] = substitute((uchar)ITEM);
    group_barrier();
    for (uint i = 0; i < 16; i++) {
        state[i] = (uchar)(id ? random_word(16 * id + i) : i * 0x11);
        key[i] = (uchar)(id ? random_word(i) : i);
    }
    aes_block(state, key, box);
    for (uint i = 0; i < 4; i++)
        out[4 * id + i] = (uint)state[4 * i] << 24 | state[4 * i + 1] << 16 | state[4 * i + 2] << 8 | state[4 * i + 3];
}

/* One word for each work-item, the check of so many bytes as its number says. */
PROGRAM crc32(GLOBAL uint *out)
{
    SHARED uint table[256];
    uint id = GROUP_ID * GROUP + ITEM, crc = ITEM;
    for (uint i = 0; i < 8; i++)
        crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    table[ITEM] = crc;
    group_barrier();
    crc = ~0u;
    for (uint i = 0; i < id; i++)
        crc = table[(crc ^ random_word(i)) & 255] ^ crc >> 8;
    out[id] = ~crc;
}

/* Two words for each work-item: products of 64 bits, turned and added. */
PROGRAM hash64(GLOBAL uint *out)
{
    uint id = GROUP_ID * GROUP + ITEM;
    ulong sum = id;
    for (uint i = 0; i < 40; i++) {
        ulong x = (ulong)random_word(id + i) << 32 | random_word(id ^ i);
        sum = (sum ^ x * 0xc2b2ae3d27d4eb4f) * 0x9e3779b185ebca87 + (sum >> i % 64);
        sum = sum << 27 | sum >> 37;
        sum -= sum / (x | 1) + x % (sum | 1);
    }
    out[2 * id] = (uint)sum;
    out[2 * id + 1] = (uint)(sum >> 32);
}
