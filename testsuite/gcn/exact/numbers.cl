/* SPDX-License-Identifier: MIT */
/* Programs of floats, doubles and residues: transforms, linear algebra, pictures. Products are fused only where the
 * program says so. */

/* E to the power of 2 pi i / 256, as everyone rounds it. */
#define ROOT_X 0.9996988186962042
#define ROOT_Y 0.024541228522912288

/* The Fourier transform of 256 numbers. */
PROGRAM fourier(GLOBAL uint *out)
{
    SHARED float x[GROUP], y[GROUP], cosine[GROUP], sine[GROUP];
    uint id = GROUP_ID * GROUP + ITEM, at = 0;
    double c = 1, s = 0;
    for (uint i = 0; i < ITEM; i++) {
        double t = c * ROOT_X - s * ROOT_Y;
        s = c * ROOT_Y + s * ROOT_X;
        c = t;
    }
    cosine[ITEM] = (float)c;
    sine[ITEM] = (float)s;
    for (uint i = 0; i < 8; i++)
        at |= (ITEM >> i & 1) << (7 - i);
    x[at] = random_float(2 * id);
    y[at] = random_float(2 * id + 1) - 0.5f;
    for (uint span = 1; span < GROUP; span *= 2) {
        group_barrier();
        if (ITEM % (2 * span) < span) {
            uint turn = ITEM % span * (GROUP / 2 / span);
            float u = x[ITEM + span] * cosine[turn] - y[ITEM + span] * sine[turn];
            float v = x[ITEM + span] * sine[turn] + y[ITEM + span] * cosine[turn];
            x[ITEM + span] = x[ITEM] - u;
            y[ITEM + span] = y[ITEM] - v;
            x[ITEM] += u;
            y[ITEM] += v;
        }
    }
    group_barrier();
    out[2 * id] = float_bits(x[ITEM]);
    out[2 * id + 1] = float_bits(y[ITEM]);
}

/* The same modulo 2^16 + 1, where 3 to the power of 256 is a root of 1, and back again. */
PROGRAM residues(GLOBAL uint *out)
{
    SHARED uint x[GROUP], powers[GROUP];
    uint id = GROUP_ID * GROUP + ITEM, power = 1;
    for (uint i = 0; i < 256 * ITEM; i++)
        power = power * 3 % 65537;
    powers[ITEM] = power;
    x[ITEM] = random_word(id) % 65537;
    for (uint span = GROUP / 2; span; span /= 2) {
        group_barrier();
        if (ITEM % (2 * span) < span) {
            uint a = x[ITEM], b = x[ITEM + span], root = powers[ITEM % span * (GROUP / 2 / span)];
            x[ITEM] = (a + b) % 65537;
            x[ITEM + span] = (uint)((ulong)(a + 65537 - b) * root % 65537);
        }
    }
    group_barrier();
    out[2 * id] = x[ITEM];
    for (uint span = 1; span < GROUP; span *= 2) {
        group_barrier();
        if (ITEM % (2 * span) < span) {
            uint turn = ITEM % span * (GROUP / 2 / span);
            uint a = x[ITEM], b = (uint)((ulong)x[ITEM + span] * powers[(GROUP - turn) % GROUP] % 65537);
            x[ITEM] = (a + b) % 65537;
            x[ITEM + span] = (a + 65537 - b) % 65537;
        }
    }
    group_barrier();
    out[2 * id + 1] = x[ITEM];
}

/* A 16 x 16 matrix, divided into triangles, rows exchanged for the largest pivot. */
PROGRAM triangles(GLOBAL uint *out)
{
    SHARED double a[16][16];
    SHARED uint pivot;
    uint row = ITEM / 16, column = ITEM % 16, id = GROUP_ID * GROUP + ITEM;
    a[row][column] = (double)(random_word(id) >> 8) * 0x1p-20 - 8;
    for (uint k = 0; k < 15; k++) {
        group_barrier();
        if (!ITEM) {
            pivot = k;
            for (uint i = k + 1; i < 16; i++)
                pivot = __builtin_fabs(a[i][k]) > __builtin_fabs(a[pivot][k]) ? i : pivot;
        }
        group_barrier();
        double upper = a[k][column], other = a[pivot][column];
        group_barrier();
        if (row == k) {
            a[pivot][column] = upper;
            a[k][column] = other;
        }
        group_barrier();
        double factor = a[row][k] / a[k][k];
        group_barrier();
        if (row > k)
            a[row][column] = column == k  ? factor
                             : column > k ? a[row][column] - factor * a[k][column]
                                          : a[row][column];
    }
    group_barrier();
    out[2 * id] = double_bits(a[row][column], false);
    out[2 * id + 1] = double_bits(a[row][column], true);
}

/* The root of a symmetric matrix of 16 x 16, column by column, and a polynomial of its diagonal. */
PROGRAM cholesky(GLOBAL uint *out)
{
    SHARED double a[16][16];
    uint row = ITEM / 16, column = ITEM % 16, id = GROUP_ID * GROUP + ITEM;
    uint low = row < column ? row : column, high = row + column - low;
    a[row][column] = (double)random_word(GROUP_ID * GROUP + 16 * high + low) * 0x1p-32 + (row == column ? 20 : 0);
    for (uint k = 0; k < 16; k++) {
        group_barrier();
        double diagonal = __builtin_sqrt(a[k][k]), mine = a[row][k];
        group_barrier();
        if (column == k && row >= k)
            a[row][k] = row == k ? diagonal : mine / diagonal;
        group_barrier();
        if (column > k && row >= column)
            a[row][column] = __builtin_fma(-a[row][k], a[column][k], a[row][column]);
    }
    group_barrier();
    double x = a[column][column], sum = 0;
    for (uint i = 0; i < 9; i++)
        sum = sum * x + 1 / (double)(i + row + 1);
    sum = row < column ? sum : a[row][column];
    out[2 * id] = double_bits(sum, false);
    out[2 * id + 1] = double_bits(sum, true);
}

struct vector {
    float x, y, z;
};

static inline struct vector vector_of(float x, float y, float z)
{
    struct vector v = {x, y, z};
    return v;
}

static inline float inner(struct vector a, struct vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* A + BY * B */
static inline struct vector moved(struct vector a, float by, struct vector b)
{
    return vector_of(a.x + by * b.x, a.y + by * b.y, a.z + by * b.z);
}

static struct vector direction(struct vector v)
{
    float length = __builtin_sqrtf(inner(v, v));
    return vector_of(v.x / length, v.y / length, v.z / length);
}

/* How far the sphere of radius R around CENTRE is along a ray; a negative number if the ray misses it. */
static float distance_to(struct vector from, struct vector along, struct vector centre, float r)
{
    struct vector to = moved(centre, -1, from);
    float b = inner(to, along), d = b * b - inner(to, to) + r * r;
    return d < 0 ? -1 : b - __builtin_sqrtf(d);
}

/* 64 x 16 points of a picture of six spheres that reflect each other: the light, and the spheres that were met. */
PROGRAM rays(GLOBAL uint *out)
{
    uint id = GROUP_ID * GROUP + ITEM, met = 0;
    struct vector from = vector_of(0, 0, -4), centre[6];
    struct vector along = direction(vector_of((float)(id % 64) / 32 - 1, (float)(id / 64) / 32 - 0.25f, 2));
    float light = 0, strength = 1;
    for (uint i = 0; i < 6; i++)
        centre[i] = vector_of(random_float(3 * i) * 4 - 2, random_float(3 * i + 1) - 0.5f, random_float(3 * i + 2) * 2);
    for (uint bounce = 0; bounce < 5; bounce++) {
        uint which = 6;
        float nearest = 1e30f;
        for (uint i = 0; i < 6; i++) {
            float far = distance_to(from, along, centre[i], 0.3f + 0.1f * (float)i);
            if (far > 1e-3f && far < nearest) {
                nearest = far;
                which = i;
            }
        }
        if (which == 6) {
            light += strength * (along.y > 0 ? 0.5f + 0.5f * along.y : 0.25f);
            break;
        }
        met = met * 7 + which + 1;
        from = moved(from, nearest, along);
        struct vector normal = direction(moved(from, -1, centre[which]));
        light += strength * 0.2f * (normal.y > 0 ? normal.y : 0);
        strength *= 0.7f;
        along = moved(along, -2 * inner(along, normal), normal);
    }
    out[2 * id] = float_bits(light);
    out[2 * id + 1] = met;
}

/* Rounds of the Mandelbrot set. */
PROGRAM mandelbrot(GLOBAL uint *out)
{
    uint id = GROUP_ID * GROUP + ITEM, rounds = 0;
    float a = (float)(id % 64) / 24 - 2, b = (float)(id / 64) / 16 - 0.5f, x = 0, y = 0;
    for (; rounds < 200 && x * x + y * y < 4; rounds++) {
        float t = x * x - y * y + a;
        y = 2 * x * y + b;
        x = t;
    }
    out[id] = rounds;
}
