/*
 * Searches over lists, compiled once per vector width beside simd.c.
 *
 * Ties go to the lowest index, so the result does not depend on the order in which elements are visited. Searches for
 * extremes are fused with the update whose result they search. They process spans of 64 elements without branches:
 * within a span they keep only the extreme values, and for each extreme the first span that contains it. The search for
 * a second index divides only if the quotient may be the largest so far.
 */
#include "solvers/kernel/simd_search.h"

#include <float.h>
#include <math.h>

/* What a pass updates before it searches, and which values it searches. */
struct search {
    enum {
        NO_UPDATE,
        ADD_DIFFERENCE, /* target += a (p - q) */
        ADD_BOTH,       /* target = (target + a p) + a q */
        TURN            /* d = keep d + (p - q), target += a d */
    } update;
    enum { OF_Y, OF_SIGNED_Y, OF_DIFFERENCE } value; /* y; y + add, in `negative` its negative; x - y */
    double keep, a, add;
    const unsigned char *negative;
    const double *p, *q, *x, *y;
    double *d, *target; /* target is x or y */
};

/* The values of the elements from j on. */
INLINE vec values_at(const struct search *search, size_t j)
{
    vec y = get(search->y + j);
    if (search->value == OF_DIFFERENCE)
        return get(search->x + j) - y;
    if (search->value == OF_SIGNED_Y)
        return NEGATE_IN(members_from(search->negative, j), y + all(search->add));
    return y;
}

INLINE void update_at(const struct search *search, size_t j)
{
    if (search->update == NO_UPDATE)
        return;
    vec p = get(search->p + j), q = get(search->q + j), change = p - q;
    if (search->update == ADD_BOTH) {
        put(search->target + j, (get(search->target + j) + all(search->a) * p) + all(search->a) * q);
        return;
    }
    if (search->update == TURN) {
        change = all(search->keep) * get(search->d + j) + change;
        put(search->d + j, change);
    }
    put(search->target + j, get(search->target + j) + all(search->a) * change);
}

enum { SPAN = 64, /* elements, a bit each in a word */
       MAX_SETS = 4 };

/* The extremes of up to four sets, alternately minimum and maximum: per lane, with the first span that contains it. */
struct span_argminmax {
    vec best[MAX_SETS], span_at[MAX_SETS];
};

/* Merges the extremes of one span. */
INLINE void span_argminmax_update(struct span_argminmax *found, const size_t n_sets, const vec *of_span, vec at)
{
UNROLL
    for (size_t s = 0; s < n_sets; s++) {
        mask better = s % 2 ? LESS(found->best[s], of_span[s]) : LESS(of_span[s], found->best[s]);
        found->best[s] = CHOOSE(better, of_span[s], found->best[s]);
        found->span_at[s] = CHOOSE(better, at, found->span_at[s]);
    }
}

/* The first element of a set in its span that has this value. */
INLINE size_t find_in_span(size_t n, size_t first, double value, const struct search *search,
                           const unsigned char *set)
{
    size_t end = n - first < SPAN ? n : first + SPAN;
    uint64_t found = 0;
    for (size_t j = first; j < end; j += WIDTH)
        found |= (uint64_t)BITS(EQUAL(values_at(search, j), all(value)) & members_from(set, j)) << (j - first);
    return first + (size_t)__builtin_ctzll(found | (uint64_t)1 << (SPAN - 1));
}

/* The extreme of set s over all lanes and its index; an infinity and index 0 if the set is empty. */
INLINE double end_of_set(size_t n, const struct span_argminmax *found, const size_t s, const struct search *search,
                         const unsigned char *set, size_t *at)
{
    vec each = found->best[s];
    double best = s % 2 ? MAX_LANE(each) : MIN_LANE(each);
    *at = 0;
    if (best == (s % 2 ? -INFINITY : INFINITY))
        return best;
    double span = MIN_LANE(CHOOSE(EQUAL(each, all(best)), found->span_at[s], all(INFINITY)));
    *at = find_in_span(n, (size_t)span, best, search, set);
    return values_at(search, *at / WIDTH * WIDTH)[*at % WIDTH]; /* of two zeros the first, at every width */
}

/* One pass. Within a span only values are kept; the index of an extreme is found by searching its span afterwards. */
INLINE void search_pass(size_t n, const struct search *search, const size_t n_sets,
                        const unsigned char *const *eligible, struct argminmax *out)
{
    const unsigned char *sets[MAX_SETS] = {NULL};
    const vec nothing[2] = {all(INFINITY), all(-INFINITY)};
    struct span_argminmax found = {{nothing[0], nothing[1], nothing[0], nothing[1]}, {{0}}};
UNROLL
    for (size_t s = 0; s < n_sets; s++)
        sets[s] = eligible[s];
    for (size_t first = 0; first < n; first += SPAN) {
        size_t end = n - first < SPAN ? n : first + SPAN;
        vec of_span[MAX_SETS] = {nothing[0], nothing[1], nothing[0], nothing[1]};
        for (size_t j = first; j < end; j += WIDTH) {
            update_at(search, j);
            vec v = values_at(search, j);
UNROLL
            for (size_t s = 0; s < n_sets; s++)
                of_span[s] = s % 2 ? MAX_IN(members_from(sets[s], j), v, of_span[s])
                                   : MIN_IN(members_from(sets[s], j), v, of_span[s]);
        }
        span_argminmax_update(&found, n_sets, of_span, all((double)first));
    }
UNROLL
    for (size_t s = 0; s < n_sets; s += 2) {
        out[s / 2].min = end_of_set(n, &found, s, search, sets[s], &out[s / 2].min_at);
        out[s / 2].max = end_of_set(n, &found, s + 1, search, sets[s + 1], &out[s / 2].max_at);
    }
}

void OF_WIDTH(argminmax)(size_t n, const unsigned char *const *eligible, const double *y, struct argminmax *out)
{
    const struct search search = {.update = NO_UPDATE, .value = OF_Y, .y = y};
    search_pass(n, &search, 2, eligible, out);
}

void OF_WIDTH(add_difference_argminmax)(size_t n, double a, const double *p, const double *q,
                                        const unsigned char *const *eligible, double *y, struct argminmax *out)
{
    const struct search search = {
        .update = ADD_DIFFERENCE, .value = OF_Y, .a = a, .p = p, .q = q, .y = y, .target = y};
    search_pass(n, &search, 2, eligible, out);
}

void OF_WIDTH(turn_argminmax)(size_t n, double keep, double a, const double *p, const double *q,
                              const unsigned char *const *eligible, double *d, double *y, struct argminmax *out)
{
    const struct search search = {
        .update = TURN, .value = OF_Y, .keep = keep, .a = a, .p = p, .q = q, .y = y, .d = d, .target = y};
    search_pass(n, &search, 2, eligible, out);
}

void OF_WIDTH(turn_argminmax_twice)(size_t n, double keep, double a, const double *p, const double *q,
                                    const unsigned char *const *eligible, double *d, double *y, struct argminmax *out)
{
    const struct search search = {
        .update = TURN, .value = OF_Y, .keep = keep, .a = a, .p = p, .q = q, .y = y, .d = d, .target = y};
    search_pass(n, &search, 4, eligible, out);
}

void OF_WIDTH(signed_argminmax)(size_t n, const unsigned char *const *eligible, const unsigned char *negative,
                                const double *y, double add, struct argminmax *out)
{
    const struct search search = {
        .update = NO_UPDATE, .value = OF_SIGNED_Y, .add = add, .negative = negative, .y = y};
    search_pass(n, &search, 2, eligible, out);
}

void OF_WIDTH(move_signed_argminmax)(size_t n, double a, const double *p, const double *q, int add_both,
                                     const unsigned char *const *eligible, const unsigned char *negative,
                                     double *y, double add, struct argminmax *out)
{
    struct search search = {.update = ADD_DIFFERENCE,
                            .value = OF_SIGNED_Y,
                            .a = a,
                            .add = add,
                            .p = p,
                            .q = q,
                            .negative = negative,
                            .y = y,
                            .target = y};
    if (!add_both) {
        search_pass(n, &search, 2, eligible, out);
        return;
    }
    search.update = ADD_BOTH;
    search_pass(n, &search, 2, eligible, out);
}

void OF_WIDTH(difference_argminmax)(size_t n, const double *x, const double *y, const unsigned char *const *eligible,
                                    struct argminmax *out)
{
    const struct search search = {.update = NO_UPDATE, .value = OF_DIFFERENCE, .x = x, .y = y};
    search_pass(n, &search, 4, eligible, out);
}

void OF_WIDTH(move_difference_argminmax)(size_t n, double a, const double *p, const double *q, int to_y, double *x,
                                         double *y, const unsigned char *const *eligible, struct argminmax *out)
{
    struct search search = {
        .update = ADD_DIFFERENCE, .value = OF_DIFFERENCE, .a = a, .p = p, .q = q, .x = x, .y = y, .target = x};
    if (!to_y) {
        search_pass(n, &search, 4, eligible, out);
        return;
    }
    search.target = y;
    search_pass(n, &search, 4, eligible, out);
}

INLINE void blend_pass(size_t n, struct blend_step *blend, const int moves, const unsigned char *const *eligible,
                       struct argminmax *out)
{
    double *weights = blend->weights[moves], *products = blend->products[moves];
    const double *first_weights = blend->weights[0];
    const struct search search = {
        .update = NO_UPDATE, .value = OF_DIFFERENCE, .x = blend->products[0], .y = blend->products[1]};
    const vec keep = all(blend->keep), a = all(blend->a);
    vec own[SIMD_LANES / WIDTH] = {{0}}, cross[SIMD_LANES / WIDTH] = {{0}};
    struct span_argminmax found = {{all(INFINITY), all(-INFINITY)}, {{0}}};
    for (size_t first = 0; first < n; first += SPAN) {
        size_t end = n - first < SPAN ? n : first + SPAN;
        vec of_span[MAX_SETS] = {all(INFINITY), all(-INFINITY)};
        for (size_t block = first; block < end; block += SIMD_LANES)
UNROLL
            for (size_t k = 0; k < SIMD_LANES / WIDTH; k++) {
                size_t j = block + k * WIDTH;
                vec weight = keep * get(weights + j);
                vec product = keep * get(products + j) + a * get(blend->p + j);
                put(weights + j, weight);
                if (j == blend->low / WIDTH * WIDTH) {
                    weights[blend->low] = blend->weight_low;
                    weight = get(weights + j);
                }
                put(products + j, product);
                vec x = moves ? get(search.x + j) : product, y = moves ? product : get(search.y + j), v = x - y;
                own[k] += weight * product;
                cross[k] += (moves ? get(first_weights + j) : weight) * y;
                of_span[0] = MIN_IN(members_from(eligible[0], j), v, of_span[0]);
                of_span[1] = MAX_IN(members_from(eligible[1], j), v, of_span[1]);
            }
        span_argminmax_update(&found, 2, of_span, all((double)first));
    }
    out->min = end_of_set(n, &found, 0, &search, eligible[0], &out->min_at);
    out->max = end_of_set(n, &found, 1, &search, eligible[1], &out->max_at);
    blend->moved = sum_of_lanes(own);
    blend->cross = sum_of_lanes(cross);
}

void OF_WIDTH(blend_difference_argminmax)(size_t n, struct blend_step *blend, const unsigned char *const *eligible,
                                          struct argminmax *out)
{
    if (blend->moves)
        blend_pass(n, blend, 1, eligible, out);
    else
        blend_pass(n, blend, 0, eligible, out);
}

/* Appends the members among the elements from j on, and their values, to two lists of `count` elements; returns how
 * many these have then. Elements behind are overwritten. */
INLINE size_t append_members(mask members, vec v, size_t j, size_t count, size_t *found, double *key)
{
#if defined(__AVX512F__)
    const __m512i each = _mm512_add_epi64(_mm512_set1_epi64((long long)j), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
    _mm512_storeu_si512(found + count, _mm512_maskz_compress_epi64(members, each));
    put_any(key + count, (vec)_mm512_maskz_compress_pd(members, (__m512d)v));
    return count + (size_t)__builtin_popcount(members);
#else
    unsigned bits = BITS(members);
UNROLL
    for (size_t k = 0; k < WIDTH; k++) {
        found[count] = j + k;
        key[count] = v[k];
        count += bits >> k & 1;
    }
    return count;
#endif
}

size_t OF_WIDTH(differences_below)(size_t n, double sign, const double *x, const double *y,
                                   const unsigned char *eligible, double limit, double *out, size_t *found,
                                   double *key)
{
    size_t count = 0;
    for (size_t j = 0; j < n; j += WIDTH) {
        vec v = all(sign) * (get(x + j) - get(y + j));
        put(out + j, v);
        count = append_members(LESS_EQUAL(v, all(limit)) & members_from(eligible, j), v, j, count, found, key);
    }
    return count;
}

size_t OF_WIDTH(differences_free)(size_t n, double sign, const double *x, const double *y,
                                  const unsigned char *eligible, const double *weights, double bound, double *out,
                                  size_t *found, double *key, size_t *high)
{
    size_t count = 0;
    vec max = all(-INFINITY), max_at = all(INFINITY); /* for each lane, the first of its largest values */
    for (size_t j = 0; j < n; j += WIDTH) {
        vec v = all(sign) * (get(x + j) - get(y + j)), weight = get(weights + j);
        put(out + j, v);
        count = append_members(LESS(weight, all(bound)) & members_from(eligible, j), v, j, count, found, key);
        mask better = LESS(all(0), weight) & LESS(max, v);
        max = CHOOSE(better, v, max);
        max_at = CHOOSE(better, all((double)j), max_at);
    }
    double largest = MAX_LANE(max), at = INFINITY;
UNROLL
    for (size_t k = 0; k < WIDTH; k++)
        at = max[k] == largest && max_at[k] + (double)k < at ? max_at[k] + (double)k : at;
    if (largest > -INFINITY)
        *high = (size_t)at;
    return count;
}

size_t OF_WIDTH(mark_before)(size_t n, const double *key, const size_t *order, double pivot_key, size_t pivot,
                             uint64_t *bits)
{
    size_t count = 0;
    for (size_t first = 0; first < n; first += SPAN) {
        size_t end = n - first < SPAN ? n - first : SPAN, i = 0;
        uint64_t word = 0;
        for (; sizeof(size_t) == sizeof(int64_t) && i + WIDTH <= end; i += WIDTH) {
            vec v = get_any(key + first + i);
            mask earlier = BELOW(get_any_bits(order + first + i), (int64_t)pivot - (vec_bits){0});
            mask is_before = LESS(v, all(pivot_key)) | (EQUAL(v, all(pivot_key)) & earlier);
            word |= (uint64_t)BITS(is_before) << i;
        }
        for (; i < end; i++) {
            size_t at = first + i;
            int is_before = (key[at] < pivot_key) | ((key[at] == pivot_key) & (order[at] < pivot));
            word |= (uint64_t)is_before << i;
        }
        bits[first / SPAN] = word;
        count += (size_t)__builtin_popcountll(word);
    }
    return count;
}

/* The lanes from j on whose gain may be as large as the one slightly above `limit`. The test is delta^2 < limit
 * curvature instead of a quotient; the added term covers products below the smallest normal double. The curvature here
 * is at most that of the gain. A lane is also a candidate if nothing may be subtracted from its curvature or if its
 * curvature is not positive. */
INLINE unsigned second_index_candidates(const struct second_index *second_index, size_t j, double limit,
                                        const int conjugate)
{
    vec row = get(second_index->row + j), delta = get(second_index->f + j) - all(second_index->f_first);
    vec curvature = (all(second_index->diagonal_first) - row) + (get(second_index->diagonal + j) - row);
    if (conjugate) {
        vec along = all(second_index->q_first) - get(second_index->q + j);
        curvature = curvature - along * along * all(second_index->scale);
    }
    mask may = LESS(all(0), delta) & members_from(second_index->eligible, j);
    return BITS(may & ~LESS(delta * delta + all(1e-300), all(limit) * curvature));
}

INLINE size_t second_index_search(size_t n, const struct second_index *second_index, const int conjugate)
{
    const double little = 0x1p-50; /* exceeds the rounding error of two products and a quotient */
    size_t best = second_index->hint;
    double max = second_index_gain(second_index, best);
    max = max > 0 ? max : 0;
    for (size_t first = second_index->first; first < n; first += SPAN) {
        size_t end = n - first < SPAN ? n : first + SPAN;
        double limit = fmin(max, DBL_MAX) * (1 - little);
        uint64_t bits = 0;
        for (size_t j = first; j < end; j += WIDTH)
            bits |= (uint64_t)second_index_candidates(second_index, j, limit, conjugate) << (j - first);
        for (; bits; bits &= bits - 1) {
            size_t k = first + (size_t)__builtin_ctzll(bits);
            double gain = second_index_gain(second_index, k);
            if (gain > max || (gain == max && gain > 0 && k < best)) {
                max = gain;
                best = k;
            }
        }
    }
    return best;
}

/* `count` vectors side by side, since each sum waits for its additions. */
INLINE void lost_curvature_block(size_t j, const struct lost_curvature *of, double *out, const size_t count)
{
    vec lost[BLOCK];
UNROLL
    for (size_t b = 0; b < count; b++)
        lost[b] = all(0);
    for (size_t k = 0; k < of->count; k++)
UNROLL
        for (size_t b = 0; b < count; b++) {
            vec along = all(of->q_first[k]) - get(of->q[k] + j + b * WIDTH);
            lost[b] += along * along * all(of->scale[k]);
        }
UNROLL
    for (size_t b = 0; b < count; b++) {
        size_t at = j + b * WIDTH;
        vec row = get(of->row + at), diagonal = get(of->diagonal + at);
        vec curvature = (all(of->diagonal_first) - row) + (diagonal - row);
        mask may = LESS(lost[b], all(1 - SECOND_INDEX_MIN_LEFT) * curvature);
        put(out + at, CHOOSE(may, diagonal - lost[b], diagonal));
    }
}

void OF_WIDTH(take_lost_curvature)(size_t n, const struct lost_curvature *of, double *out)
{
    size_t j = 0;
    for (; j + BLOCK * WIDTH <= n; j += BLOCK * WIDTH)
        lost_curvature_block(j, of, out, BLOCK);
    for (; j < n; j += WIDTH)
        lost_curvature_block(j, of, out, 1);
}

size_t OF_WIDTH(select_second_index)(size_t n, const struct second_index *second_index)
{
    return second_index->q ? second_index_search(n, second_index, 1) : second_index_search(n, second_index, 0);
}

static double exact_gain_at(const struct exact_gains *gains, size_t j)
{
    double delta = gains->f[j] - gains->f_first;
    int is_up = delta < 0;
    if (!simd_set_has(gains->eligible[!is_up], j))
        return 0;
    double room = is_up == simd_set_has(gains->positive, j) ? gains->alpha_max - gains->alpha[j] : gains->alpha[j];
    double curvature = (gains->diagonal_first - gains->row[j]) + (gains->diagonal[j] - gains->row[j]);
    return exact_gain(fabs(delta), fmin(room, is_up ? gains->first_down : gains->first_up), curvature);
}

/* The lanes from j on whose gain may be as large as the one slightly above `limit`. A gain is at most max_step delta,
 * and at most delta^2 / 2 curvature; the added term covers products below the smallest normal double. */
INLINE unsigned exact_gain_candidates(const struct exact_gains *gains, size_t j, double limit)
{
    vec row = get(gains->row + j), alpha = get(gains->alpha + j), delta = get(gains->f + j) - all(gains->f_first);
    vec curvature = (all(gains->diagonal_first) - row) + (get(gains->diagonal + j) - row);
    mask is_up = LESS(delta, all(0)), to_zero = is_up ^ members_from(gains->positive, j);
    vec room = CHOOSE(to_zero, alpha, all(gains->alpha_max) - alpha);
    vec of_first = CHOOSE(is_up, all(gains->first_down), all(gains->first_up));
    vec size = CHOOSE(is_up, -delta, delta), small = all(1e-300);
    mask may = (is_up & members_from(gains->eligible[0], j)) | (~is_up & members_from(gains->eligible[1], j));
    mask too_little = LESS(room * size + small, all(limit)) | LESS(of_first * size + small, all(limit)) |
                      LESS(size * size + small, all(2 * limit) * curvature);
    return BITS(may & ~too_little);
}

size_t OF_WIDTH(select_exact_gain)(size_t n, const struct exact_gains *gains)
{
    const double little = 0x1p-48; /* exceeds the rounding errors of a gain and of the value compared with it */
    size_t best = gains->hint;
    double max = exact_gain_at(gains, best);
    int found = max > gains->min_gain;
    max = found ? max : gains->min_gain;
    for (size_t first = 0; first < n; first += SPAN) {
        size_t end = n - first < SPAN ? n : first + SPAN;
        double limit = fmin(max, DBL_MAX) * (1 - little);
        uint64_t bits = 0;
        for (size_t j = first; j < end; j += WIDTH)
            bits |= (uint64_t)exact_gain_candidates(gains, j, limit) << (j - first);
        for (; bits; bits &= bits - 1) {
            size_t k = first + (size_t)__builtin_ctzll(bits);
            double gain = exact_gain_at(gains, k);
            if (gain > max || (gain == max && found && k < best)) {
                max = gain;
                best = k;
                found = 1;
            }
        }
    }
    return best;
}
