/*
 * Searches over lists, compiled once per vector width beside simd.c.
 *
 * A search has one answer, as ties go to the lowest index, whatever the order in which elements are looked at. Searches
 * are fused with the update whose result they search and do without branches; that for a second index divides only
 * where the quotient may be the largest so far.
 */
#include "solvers/kernel/simd_search.h"

#include <float.h>
#include <math.h>

/* The extremes of each lane so far; where they are is kept as doubles, exact up to 2^53. */
struct vec_argminmax {
    vec min, max, min_at, max_at;
};

INLINE struct vec_argminmax argminmax_none(void)
{
    return (struct vec_argminmax){all(INFINITY), all(-INFINITY), all(0), all(0)};
}

INLINE void argminmax_update(struct vec_argminmax *found, vec y, vec side, vec at)
{
    mask lower = LESS(y, found->min) & LESS_EQUAL(all(0), side);
    mask higher = LESS(found->max, y) & LESS_EQUAL(side, all(0));
    found->min = CHOOSE(lower, y, found->min);
    found->max = CHOOSE(higher, y, found->max);
    found->min_at = CHOOSE(lower, at, found->min_at);
    found->max_at = CHOOSE(higher, at, found->max_at);
}

/* Those of `other` into `found`. */
INLINE void argminmax_merge(struct vec_argminmax *found, const struct vec_argminmax *other)
{
    mask lower = LESS_EQUAL(other->min, found->min) &
                 (LESS(other->min, found->min) | LESS(other->min_at, found->min_at));
    mask higher = LESS_EQUAL(found->max, other->max) &
                  (LESS(found->max, other->max) | LESS(other->max_at, found->max_at));
    found->min = CHOOSE(lower, other->min, found->min);
    found->min_at = CHOOSE(lower, other->min_at, found->min_at);
    found->max = CHOOSE(higher, other->max, found->max);
    found->max_at = CHOOSE(higher, other->max_at, found->max_at);
}

/* The extremes over all lanes. A lane that has none stands at an infinity and index 0, which then is the answer's too.
 */
INLINE void argminmax_end(const struct vec_argminmax *found, struct argminmax *out)
{
    double min = found->min[0], max = found->max[0], min_at = found->min_at[0], max_at = found->max_at[0];
UNROLL
    for (size_t k = 1; k < WIDTH; k++) {
        double next = found->min[k], next_at = found->min_at[k];
        int take = next < min || (next == min && next_at < min_at);
        min = take ? next : min;
        min_at = take ? next_at : min_at;
        next = found->max[k];
        next_at = found->max_at[k];
        take = next > max || (next == max && next_at < max_at);
        max = take ? next : max;
        max_at = take ? next_at : max_at;
    }
    *out = (struct argminmax){(size_t)min_at, (size_t)max_at, min, max};
}

INLINE vec first_indices(void)
{
    vec at = {0};
    for (size_t k = 0; k < WIDTH; k++)
        at[k] = (double)k;
    return at;
}

/* Calls NEXT(j), which makes and returns the new vector of y from element j on, for all of them, searching in CHAINS
 * independent parts. */
#define CHAINS 2
#define ARGMINMAX_LOOP(NEXT)                                                                 \
    struct vec_argminmax parts[CHAINS] = {argminmax_none(), argminmax_none()};               \
    vec at = first_indices();                                                                \
    size_t j = 0;                                                                            \
    for (; j + CHAINS * WIDTH <= n; j += CHAINS * WIDTH)                                     \
        for (size_t w = 0; w < CHAINS; w++) {                                                \
            argminmax_update(&parts[w], NEXT(j + w * WIDTH), get(side + j + w * WIDTH), at); \
            at += all(WIDTH);                                                                \
        }                                                                                    \
    for (; j < n; j += WIDTH) {                                                              \
        argminmax_update(&parts[0], NEXT(j), get(side + j), at);                             \
        at += all(WIDTH);                                                                    \
    }                                                                                        \
    argminmax_merge(&parts[0], &parts[1]);                                                   \
    argminmax_end(&parts[0], out)

void OF_WIDTH(argminmax)(size_t n, const double *side, const double *y, struct argminmax *out)
{
#define NEXT(j) get(y + (j))
    ARGMINMAX_LOOP(NEXT);
#undef NEXT
}

INLINE vec put_and_return(double *p, vec v)
{
    put(p, v);
    return v;
}

void OF_WIDTH(add_difference_argminmax)(size_t n, double a, const double *p, const double *q, const double *side,
                                        double *y, struct argminmax *out)
{
#define NEXT(j) put_and_return(y + (j), get(y + (j)) + all(a) * (get(p + (j)) - get(q + (j))))
    ARGMINMAX_LOOP(NEXT);
#undef NEXT
}

INLINE vec turn(size_t j, double keep, const double *p, const double *q, double *d)
{
    return put_and_return(d + j, all(keep) * get(d + j) + (get(p + j) - get(q + j)));
}

void OF_WIDTH(turn_argminmax)(size_t n, double keep, double a, const double *p, const double *q, const double *side,
                              double *d, double *y, struct argminmax *out)
{
#define NEXT(j) put_and_return(y + (j), get(y + (j)) + all(a) * turn(j, keep, p, q, d))
    ARGMINMAX_LOOP(NEXT);
#undef NEXT
}

void OF_WIDTH(signed_argminmax)(size_t n, const double *side, const double *sign, const double *y, double add,
                               struct argminmax *out)
{
#define NEXT(j) (get(sign + (j)) * (get(y + (j)) + all(add)))
    ARGMINMAX_LOOP(NEXT);
#undef NEXT
}

enum { SPAN = 64 }; /* elements, a bit each in a word */

/* The least and the most of x - y in the four sets of simd.h: in each lane, with the first span that has it. */
struct span_argminmax {
    vec best[4], span_at[4];
};

/* Adds what one span has. */
INLINE void span_argminmax_update(struct span_argminmax *found, const vec *of_span, vec at)
{
UNROLL
    for (size_t s = 0; s < 4; s++) {
        mask better = s % 2 ? LESS(found->best[s], of_span[s]) : LESS(of_span[s], found->best[s]);
        found->best[s] = CHOOSE(better, of_span[s], found->best[s]);
        found->span_at[s] = CHOOSE(better, at, found->span_at[s]);
    }
}

/* One vector, from element j on, of an update of x (to = 1), of y (to = 2) or of none; returns x - y. */
INLINE vec next_difference(size_t j, double a, const double *p, const double *q, const int to, double *target,
                           const double *x, const double *y)
{
    vec left = get(x + j), right = get(y + j);
    if (to == 1)
        left = put_and_return(target + j, left + all(a) * (get(p + j) - get(q + j)));
    if (to == 2)
        right = put_and_return(target + j, right + all(a) * (get(p + j) - get(q + j)));
    return left - right;
}

/* The first element of a set in its span at which x - y is `value`. */
INLINE size_t find_in_span(size_t n, size_t first, double value, const double *x, const double *y,
                           const unsigned char *set)
{
    size_t end = n - first < SPAN ? n : first + SPAN;
    uint64_t found = 0;
    for (size_t j = first; j < end; j += WIDTH) {
        vec v = get(x + j) - get(y + j);
        found |= (uint64_t)BITS(EQUAL(v, all(value)) & members_from(set, j)) << (j - first);
    }
    return first + (size_t)__builtin_ctzll(found | (uint64_t)1 << (SPAN - 1));
}

/* The extreme over all lanes of set s, and where it is; index 0 where there is none. */
INLINE double end_of_set(size_t n, const struct span_argminmax *found, size_t s, const double *x, const double *y,
                         const unsigned char *set, size_t *at)
{
    vec each = found->best[s];
    double best = s % 2 ? MAX_LANE(each) : MIN_LANE(each);
    double span = MIN_LANE(CHOOSE(EQUAL(each, all(best)), found->span_at[s], all(INFINITY)));
    *at = best == (s % 2 ? -INFINITY : INFINITY) ? 0 : find_in_span(n, (size_t)span, best, x, y, set);
    return best;
}

/* One pass over the differences, after an update of x (to = 1) or y (to = 2), which `target` then is. */
INLINE void difference_pass(size_t n, double a, const double *p, const double *q, const int to, double *target,
                            const double *x, const double *y, const unsigned char *const *eligible,
                            struct argminmax *out)
{
    const unsigned char *const sets[4] = {eligible[0], eligible[1], eligible[2], eligible[3]};
    const vec nothing[4] = {all(INFINITY), all(-INFINITY), all(INFINITY), all(-INFINITY)};
    struct span_argminmax found = {{nothing[0], nothing[1], nothing[2], nothing[3]}, {{0}}};
    for (size_t first = 0; first < n; first += SPAN) {
        size_t end = n - first < SPAN ? n : first + SPAN;
        vec of_span[4] = {nothing[0], nothing[1], nothing[2], nothing[3]};
        for (size_t j = first; j < end; j += WIDTH) {
            vec v = next_difference(j, a, p, q, to, target, x, y);
UNROLL
            for (size_t s = 0; s < 4; s++)
                of_span[s] = s % 2 ? MAX_IN(members_from(sets[s], j), v, of_span[s])
                                   : MIN_IN(members_from(sets[s], j), v, of_span[s]);
        }
        span_argminmax_update(&found, of_span, all((double)first));
    }
UNROLL
    for (size_t s = 0; s < 2; s++) {
        out[s].min = end_of_set(n, &found, 2 * s, x, y, sets[2 * s], &out[s].min_at);
        out[s].max = end_of_set(n, &found, 2 * s + 1, x, y, sets[2 * s + 1], &out[s].max_at);
    }
}

void OF_WIDTH(difference_argminmax)(size_t n, const double *x, const double *y, const unsigned char *const *eligible,
                                    struct argminmax *out)
{
    difference_pass(n, 0, NULL, NULL, 0, NULL, x, y, eligible, out);
}

void OF_WIDTH(move_difference_argminmax)(size_t n, double a, const double *p, const double *q, int to_y, double *x,
                                         double *y, const unsigned char *const *eligible, struct argminmax *out)
{
    if (to_y)
        difference_pass(n, a, p, q, 2, y, x, y, eligible, out);
    else
        difference_pass(n, a, p, q, 1, x, x, y, eligible, out);
}

size_t OF_WIDTH(differences_below)(size_t n, double sign, const double *x, const double *y,
                                   const unsigned char *eligible, double limit, double *out, size_t *found)
{
    size_t count = 0;
    for (size_t j = 0; j < n; j += WIDTH) {
        vec v = all(sign) * (get(x + j) - get(y + j));
        put(out + j, v);
        unsigned bits = BITS(LESS_EQUAL(v, all(limit)) & members_from(eligible, j));
        for (size_t k = j; bits; k++, bits >>= 1) {
            found[count] = k;
            count += bits & 1;
        }
    }
    return count;
}

static double second_index_gain(const struct second_index *second_index, size_t j)
{
    double delta = second_index->f[j] - second_index->f_first;
    if (!(delta > 0 && second_index->side[j] <= 0))
        return 0;
    double curvature =
        (second_index->diagonal_first - second_index->row[j]) + (second_index->diagonal[j] - second_index->row[j]);
    if (second_index->q) {
        double along = second_index->q_first - second_index->q[j], lost = along * along * second_index->scale;
        curvature = lost < (1 - SECOND_INDEX_MIN_LEFT) * curvature ? curvature - lost : curvature;
    }
    return delta * delta / (curvature > 0 ? curvature : SECOND_INDEX_MIN_CURVATURE);
}

/* Lanes from j on whose gain may be as large as the one that `limit` is a little below. delta^2 >= limit curvature is
 * asked instead of a quotient; what is added guards products below the least normal double. */
INLINE unsigned second_index_candidates(const struct second_index *second_index, size_t j, double limit,
                                        const int conjugate)
{
    vec row = get(second_index->row + j), delta = get(second_index->f + j) - all(second_index->f_first);
    vec curvature = (all(second_index->diagonal_first) - row) + (get(second_index->diagonal + j) - row);
    if (conjugate) {
        vec along = all(second_index->q_first) - get(second_index->q + j),
            lost = along * along * all(second_index->scale);
        curvature = CHOOSE(LESS(lost, all(1 - SECOND_INDEX_MIN_LEFT) * curvature), curvature - lost, curvature);
    }
    curvature = CHOOSE(LESS(all(0), curvature), curvature, all(SECOND_INDEX_MIN_CURVATURE));
    mask may = LESS(all(0), delta) & LESS_EQUAL(get(second_index->side + j), all(0));
    return BITS(may & LESS_EQUAL(all(limit) * curvature, delta * delta + all(1e-300)));
}

INLINE size_t second_index_search(size_t n, const struct second_index *second_index, const int conjugate)
{
    const double little = 0x1p-50; /* more than the rounding of two products and a quotient */
    size_t best = second_index->hint;
    double max = second_index_gain(second_index, best);
    max = max > 0 ? max : 0;
    for (size_t j = 0; j < n; j += WIDTH) {
        unsigned bits = second_index_candidates(second_index, j, fmin(max, DBL_MAX) * (1 - little), conjugate);
        for (size_t k = j; bits; k++, bits >>= 1) {
            double gain = bits & 1 ? second_index_gain(second_index, k) : 0;
            if (gain > max || (gain == max && gain > 0 && k < best)) {
                max = gain;
                best = k;
            }
        }
    }
    return best;
}

size_t OF_WIDTH(select_second_index)(size_t n, const struct second_index *second_index)
{
    return second_index->q ? second_index_search(n, second_index, 1) : second_index_search(n, second_index, 0);
}

