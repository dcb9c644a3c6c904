/* Many compressed patterns, laid out by feature. See sparse_points.h. */
#include "solvers/kernel/sparse_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct block {
    size_t n;            /* patterns */
    uint32_t n_features; /* features that occur in the block */
    uint32_t *feature;   /* n_features, ascending */
    uint32_t *begin;     /* n_features + 1: first entry of each feature */
    uint16_t *place;     /* of each entry */
    double *value;
};

struct sparse_points {
    size_t n, n_blocks, bytes;
    int is_exact;   /* see sparse_points.h */
    double *norm2;  /* n if is_exact: |c|^2; else NULL */
    struct block *blocks;
};

/* ---- layout ---- */

/* An entry of a block during the sort by feature, which preserves the order of a row's entries. Values are copied
 * afterwards. */
struct entry {
    uint32_t feature;
    uint16_t place;
};

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

/* One pass of a radix sort, by the digit at `shift`. It is stable, so places stay in order. */
static void sort_by_digit(const struct entry *from, struct entry *to, size_t count, unsigned shift)
{
    size_t next[DIGITS + 1] = {0};
    for (size_t k = 0; k < count; k++)
        next[(from[k].feature >> shift & (DIGITS - 1)) + 1]++;
    for (size_t digit = 0; digit < DIGITS; digit++)
        next[digit + 1] += next[digit];
    for (size_t k = 0; k < count; k++)
        to[next[from[k].feature >> shift & (DIGITS - 1)]++] = from[k];
}

/* The entries of the block's rows in the order of features, in one of the two arrays. */
static const struct entry *sort_entries(const struct patterns *patterns, const size_t *rows, size_t n,
                                        struct entry *entries, struct entry *other)
{
    size_t count = 0;
    for (size_t j = 0; j < n; j++)
        for (size_t k = patterns->begin[rows[j]]; k < patterns->begin[rows[j] + 1]; k++)
            entries[count++] = (struct entry){patterns->feature[k], (uint16_t)j};
    for (unsigned shift = 0; shift < 32 && patterns->dims > 1 && (patterns->dims - 1) >> shift > 0; shift += DIGIT) {
        struct entry *sorted = other;
        sort_by_digit(entries, sorted, count, shift);
        other = entries;
        entries = sorted;
    }
    return entries;
}

static int fill_block(struct block *block, const struct patterns *patterns, const size_t *rows,
                      const struct entry *entries, size_t count)
{
    uint32_t features = 0;
    size_t next[SPARSE_BLOCK]; /* per row: its next value */
    for (size_t k = 0; k < count; k++)
        features += k == 0 || entries[k].feature != entries[k - 1].feature;
    block->n_features = features;
    block->feature = malloc((features + 1) * sizeof *block->feature);
    block->begin = malloc((features + 1) * sizeof *block->begin);
    block->place = malloc((count + 1) * sizeof *block->place);
    block->value = malloc((count + 1) * sizeof *block->value);
    if (!block->feature || !block->begin || !block->place || !block->value)
        return 0;
    for (size_t j = 0; j < block->n; j++)
        next[j] = patterns->begin[rows[j]];
    features = 0;
    for (size_t k = 0; k < count; k++) {
        if (k == 0 || entries[k].feature != entries[k - 1].feature) {
            block->feature[features] = entries[k].feature;
            block->begin[features++] = (uint32_t)k;
        }
        block->place[k] = entries[k].place;
        block->value[k] = patterns->values[next[entries[k].place]++];
    }
    block->begin[features] = (uint32_t)count;
    return 1;
}

static size_t count_entries(const struct patterns *patterns, const size_t *rows, size_t n)
{
    size_t count = 0;
    for (size_t j = 0; j < n; j++)
        count += patterns->begin[rows[j] + 1] - patterns->begin[rows[j]];
    return count;
}

static int create_block(struct sparse_points *points, struct block *block, const struct patterns *patterns,
                        const size_t *rows)
{
    size_t count = count_entries(patterns, rows, block->n);
    if (count >= UINT32_MAX)
        return 0;
    struct entry *entries = malloc((count + 1) * sizeof *entries), *other = malloc((count + 1) * sizeof *other);
    int is_made =
        entries && other &&
        fill_block(block, patterns, rows, sort_entries(patterns, rows, block->n, entries, other), count);
    free(entries);
    free(other);
    points->bytes += sizeof *block + count * (sizeof *block->value + sizeof *block->place) +
                     block->n_features * (sizeof *block->feature + sizeof *block->begin);
    return is_made;
}

/* ---- exact sums ---- */

static double squared_norm(const struct patterns *patterns, size_t row)
{
    double sum = 0;
    for (size_t k = patterns->begin[row]; k < patterns->begin[row + 1]; k++)
        sum += patterns->values[k] * patterns->values[k];
    return sum;
}

/* The exponent of the last bit of a nonzero value. */
static int last_bit(double value)
{
    int exponent;
    uint64_t digits = (uint64_t)ldexp(fabs(frexp(value, &exponent)), 53);
    return exponent - 53 + __builtin_ctzll(digits);
}

/* If all values are multiples of u = 2^unit, each partial sum of |p - c|^2 is a multiple of u^2 and at most
 * (|p| + |c|)^2, which is at most four times the largest |c|^2. The sums are exact if that is below 2^53 u^2. */
static int has_exact_sums(const struct patterns *patterns)
{
    double largest = 0;
    int unit = 0;
    for (size_t k = 0; k < patterns->begin[patterns->rows] && unit > -26; k++) {
        int bit = last_bit(patterns->values[k]);
        unit = bit < unit ? bit : unit;
    }
    for (size_t i = 0; i < patterns->rows && unit > -26; i++)
        largest = fmax(largest, squared_norm(patterns, i));
    return unit > -26 && 4 * largest < ldexp(1, 52 + 2 * unit); /* a factor 2 covers the rounding of `largest` */
}

static struct sparse_points *create(const struct patterns *patterns, const size_t *rows, size_t n, int is_exact)
{
    struct sparse_points *points = calloc(1, sizeof *points);
    if (!points)
        return NULL;
    points->n = n;
    points->n_blocks = (n + SPARSE_BLOCK - 1) / SPARSE_BLOCK;
    points->blocks = calloc(points->n_blocks + 1, sizeof *points->blocks);
    points->is_exact = is_exact;
    points->norm2 = points->is_exact ? malloc((n + 1) * sizeof *points->norm2) : NULL;
    int is_made = points->blocks && (!points->is_exact || points->norm2);
    for (size_t b = 0; b < points->n_blocks && is_made; b++) {
        size_t first = b * SPARSE_BLOCK, left = n - first;
        points->blocks[b].n = left < SPARSE_BLOCK ? left : SPARSE_BLOCK;
        is_made = create_block(points, &points->blocks[b], patterns, rows + first);
    }
    for (size_t j = 0; j < n && is_made && points->is_exact; j++)
        points->norm2[j] = squared_norm(patterns, rows[j]);
    points->bytes += sizeof *points + (points->is_exact ? n * sizeof *points->norm2 : 0);
    if (is_made)
        return points;
    sparse_points_free(points);
    return NULL;
}

struct sparse_points *sparse_points_create(const struct patterns *patterns, const size_t *rows, size_t n)
{
    return create(patterns, rows, n, has_exact_sums(patterns));
}

struct sparse_points *sparse_points_select(const struct sparse_points *all, const struct patterns *patterns,
                                           const size_t *rows, size_t n)
{
    return create(patterns, rows, n, all->is_exact);
}

void sparse_points_free(struct sparse_points *points)
{
    for (size_t b = 0; points && points->blocks && b < points->n_blocks; b++) {
        free(points->blocks[b].feature);
        free(points->blocks[b].begin);
        free(points->blocks[b].place);
        free(points->blocks[b].value);
    }
    if (points) {
        free(points->blocks);
        free(points->norm2);
    }
    free(points);
}

size_t sparse_points_bytes(const struct sparse_points *points)
{
    return points->bytes;
}

/* ---- sums ---- */

/* The single pattern and the requested sum. */
struct asked {
    const struct simd *simd;
    int is_distance;
    size_t count;
    const double *value; /* count elements, like the next array */
    const uint32_t *feature;
    double norm2; /* for a distance from exact sums */
};

/* The first feature of the block, from `from` on, that is not below d. Gallops in doubling steps, since requested
 * features are ascending, too. */
static uint32_t find_feature(const struct block *block, uint32_t from, uint32_t d)
{
    uint32_t low = from, step = 1, high = from;
    while (high < block->n_features && block->feature[high] < d) {
        low = high + 1;
        high = block->n_features - high > step ? high + step : block->n_features;
        step *= 2;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (block->feature[middle] < d)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_products(const struct block *block, const struct asked *p, double *sum)
{
    uint32_t at = 0;
    for (size_t k = 0; k < p->count; k++) {
        at = find_feature(block, at, p->feature[k]);
        if (at == block->n_features)
            return;
        if (block->feature[at] != p->feature[k])
            continue;
        for (uint32_t e = block->begin[at]; e < block->begin[at + 1]; e++)
            sum[block->place[e]] += p->value[k] * block->value[e];
    }
}

/* Adds the entries of features that p lacks. */
static void add_squares(const struct block *block, uint32_t from, uint32_t to, double *sum)
{
    const uint16_t *place = block->place;
    const double *value = block->value;
    for (uint32_t e = from; e < to; e++)
        sum[place[e]] += value[e] * value[e];
}

/* Adds a feature of p with value p_d; entries `from` to `to` of the block have this feature. */
static void add_feature(const struct simd *simd, const struct block *block, uint32_t from, uint32_t to, double p_d,
                        double *sum)
{
    double saved[SPARSE_BLOCK];
    for (uint32_t e = from; e < to; e++)
        saved[e - from] = sum[block->place[e]];
    simd->add(simd_padded(block->n), p_d * p_d, sum);
    for (uint32_t e = from; e < to; e++) {
        double difference = p_d - block->value[e];
        /* cppcheck-suppress uninitvar ; the loop above has filled it at the same entries */
        sum[block->place[e]] = saved[e - from] + difference * difference;
    }
}

static void add_distances(const struct block *block, const struct asked *p, double *sum)
{
    uint32_t at = 0;
    for (size_t k = 0; k < p->count; k++) {
        uint32_t next = find_feature(block, at, p->feature[k]);
        uint32_t end = next + (next < block->n_features && block->feature[next] == p->feature[k]);
        add_squares(block, block->begin[at], block->begin[next], sum);
        add_feature(p->simd, block, block->begin[next], block->begin[end], p->value[k], sum);
        at = end;
    }
    add_squares(block, block->begin[at], block->begin[block->n_features], sum);
}

/* Sums over block b into sum, block->n doubles, padded. */
static void sum_block(const struct sparse_points *points, size_t b, const struct asked *p, double *sum)
{
    const struct block *block = &points->blocks[b];
    memset(sum, 0, simd_padded(block->n) * sizeof *sum);
    if (p->is_distance && !points->is_exact) {
        add_distances(block, p, sum);
        return;
    }
    add_products(block, p, sum);
    for (size_t j = 0; p->is_distance && j < block->n; j++)
        sum[j] = (p->norm2 + points->norm2[b * SPARSE_BLOCK + j]) - 2 * sum[j];
}

/* For part of a block, the whole block is summed in separate memory, not in `out`. */
static void sum_part(const struct sparse_points *points, const struct asked *p, size_t first, size_t count, double *out)
{
    _Alignas(SIMD_ALIGNMENT) double buffer[SPARSE_BLOCK];
    for (size_t done = 0; done < count;) {
        size_t b = (first + done) / SPARSE_BLOCK, from = (first + done) % SPARSE_BLOCK;
        size_t left = points->blocks[b].n - from, some = count - done < left ? count - done : left;
        int is_whole = some == SPARSE_BLOCK && (uintptr_t)(out + done) % SIMD_ALIGNMENT == 0;
        sum_block(points, b, p, is_whole ? out + done : buffer);
        if (!is_whole)
            memcpy(out + done, buffer + from, some * sizeof *out);
        done += some;
    }
}

void sparse_squared_distances(const struct simd *simd, const struct sparse_points *points,
                              const struct patterns *patterns, size_t row, size_t first, size_t count, double *out)
{
    struct asked p = {.simd = simd, .is_distance = 1, .norm2 = points->is_exact ? squared_norm(patterns, row) : 0};
    p.count = patterns_row(patterns, row, &p.value, &p.feature);
    sum_part(points, &p, first, count, out);
}

void sparse_inner_products(const struct simd *simd, const struct sparse_points *points,
                           const struct patterns *patterns, size_t row, size_t first, size_t count, double *out)
{
    struct asked p = {.simd = simd};
    p.count = patterns_row(patterns, row, &p.value, &p.feature);
    sum_part(points, &p, first, count, out);
}
