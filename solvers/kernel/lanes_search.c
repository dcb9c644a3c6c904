/*
 * Searches over lists, compiled once per vector width beside lanes.c.
 *
 * A search has one answer, as ties go to the lowest index, whatever the order in which elements are looked at. Searches are
 * fused with the update whose result they search and do without branches; that for a partner divides only where the
 * quotient may be the largest so far.
 */
#include "solvers/kernel/lanes_search.h"

#include <float.h>
#include <math.h>

/* The extremes of each lane so far; where they are is kept as doubles, exact up to 2^53. */
struct watch {
    vec least, most, least_at, most_at;
};

INLINE struct watch watch_nothing(void)
{
    return (struct watch){all(INFINITY), all(-INFINITY), all(0), all(0)};
}

INLINE void watch_also(struct watch *watch, vec y, vec side, vec at)
{
    mask lower = LESS(y, watch->least) & AT_MOST(all(0), side);
    mask higher = LESS(watch->most, y) & AT_MOST(side, all(0));
    watch->least = CHOOSE(lower, y, watch->least);
    watch->most = CHOOSE(higher, y, watch->most);
    watch->least_at = CHOOSE(lower, at, watch->least_at);
    watch->most_at = CHOOSE(higher, at, watch->most_at);
}

/* Those of `other` into `watch`. */
INLINE void watch_merge(struct watch *watch, const struct watch *other)
{
    mask lower = AT_MOST(other->least, watch->least) &
                 (LESS(other->least, watch->least) | LESS(other->least_at, watch->least_at));
    mask higher = AT_MOST(watch->most, other->most) &
                  (LESS(watch->most, other->most) | LESS(other->most_at, watch->most_at));
    watch->least = CHOOSE(lower, other->least, watch->least);
    watch->least_at = CHOOSE(lower, other->least_at, watch->least_at);
    watch->most = CHOOSE(higher, other->most, watch->most);
    watch->most_at = CHOOSE(higher, other->most_at, watch->most_at);
}

/* The extremes over all lanes. A lane that has none stands at an infinity and index 0, which then is the answer's too. */
INLINE void watch_end(const struct watch *watch, struct lanes_extremes *out)
{
    double least = watch->least[0], most = watch->most[0], least_at = watch->least_at[0], most_at = watch->most_at[0];
UNROLL
    for (size_t k = 1; k < WIDTH; k++) {
        double next = watch->least[k], next_at = watch->least_at[k];
        int take = next < least || (next == least && next_at < least_at);
        least = take ? next : least;
        least_at = take ? next_at : least_at;
        next = watch->most[k];
        next_at = watch->most_at[k];
        take = next > most || (next == most && next_at < most_at);
        most = take ? next : most;
        most_at = take ? next_at : most_at;
    }
    *out = (struct lanes_extremes){(size_t)least_at, (size_t)most_at, least, most};
}

INLINE vec first_indices(void)
{
    vec at = {0};
    for (size_t k = 0; k < WIDTH; k++)
        at[k] = (double)k;
    return at;
}

/* Calls NEXT(j), which makes and returns the new vector of y from element j on, for all of them, watching in STREAMS
 * independent watches. */
#define STREAMS 2
#define WATCH_ALL(NEXT)                                                                       struct watch watches[STREAMS] = {watch_nothing(), watch_nothing()};                       vec at = first_indices();                                                                 size_t j = 0;                                                                             for (; j + STREAMS * WIDTH <= n; j += STREAMS * WIDTH)                                        for (size_t w = 0; w < STREAMS; w++) {                                                        watch_also(&watches[w], NEXT(j + w * WIDTH), get(side + j + w * WIDTH), at);              at += all(WIDTH);                                                                     }                                                                                     for (; j < n; j += WIDTH) {                                                                   watch_also(&watches[0], NEXT(j), get(side + j), at);                                      at += all(WIDTH);                                                                     }                                                                                         watch_merge(&watches[0], &watches[1]);                                                \
    watch_end(&watches[0], out)

void OF_WIDTH(extremes)(size_t n, const double *side, const double *y, struct lanes_extremes *out)
{
#define NEXT(j) get(y + (j))
    WATCH_ALL(NEXT);
#undef NEXT
}

INLINE vec put_and_return(double *p, vec v)
{
    put(p, v);
    return v;
}

void OF_WIDTH(add_difference_extremes)(size_t n, double a, const double *p, const double *q, const double *side, double *y,
                                    struct lanes_extremes *out)
{
#define NEXT(j) put_and_return(y + (j), get(y + (j)) + all(a) * (get(p + (j)) - get(q + (j))))
    WATCH_ALL(NEXT);
#undef NEXT
}

INLINE vec turn(size_t j, double keep, const double *p, const double *q, double *d)
{
    return put_and_return(d + j, all(keep) * get(d + j) + (get(p + j) - get(q + j)));
}

void OF_WIDTH(turn_extremes)(size_t n, double keep, double a, const double *p, const double *q, const double *side, double *d,
                          double *y, struct lanes_extremes *out)
{
#define NEXT(j) put_and_return(y + (j), get(y + (j)) + all(a) * turn(j, keep, p, q, d))
    WATCH_ALL(NEXT);
#undef NEXT
}

void OF_WIDTH(signed_extremes)(size_t n, const double *side, const double *sign, const double *y, double add,
                               struct lanes_extremes *out)
{
#define NEXT(j) (get(sign + (j)) * (get(y + (j)) + all(add)))
    WATCH_ALL(NEXT);
#undef NEXT
}

enum { SPAN = 64 }; /* elements, a bit each in a word */

/* The least and the most of x - y in the four sets of lanes.h: in each lane, with the first span that has it. */
struct span_watch {
    vec best[4], span_at[4];
};

/* Adds what one span has. */
INLINE void watch_span(struct span_watch *watch, const vec *of_span, vec at)
{
UNROLL
    for (size_t s = 0; s < 4; s++) {
        mask better = s % 2 ? LESS(watch->best[s], of_span[s]) : LESS(of_span[s], watch->best[s]);
        watch->best[s] = CHOOSE(better, of_span[s], watch->best[s]);
        watch->span_at[s] = CHOOSE(better, at, watch->span_at[s]);
    }
}

/* One vector, from element j on, of an update of x (to = 1), of y (to = 2) or of none; returns x - y. */
INLINE vec next_difference(size_t j, double a, const double *p, const double *q, const int to, double *target, const double *x,
                           const double *y)
{
    vec left = get(x + j), right = get(y + j);
    if (to == 1)
        left = put_and_return(target + j, left + all(a) * (get(p + j) - get(q + j)));
    if (to == 2)
        right = put_and_return(target + j, right + all(a) * (get(p + j) - get(q + j)));
    return left - right;
}

/* The first element of a set in its span at which x - y is `value`. */
INLINE size_t find_in_span(size_t n, size_t first, double value, const double *x, const double *y, const unsigned char *set)
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
INLINE double end_of_set(size_t n, const struct span_watch *watch, size_t s, const double *x, const double *y,
                         const unsigned char *set, size_t *at)
{
    vec lanes = watch->best[s];
    double best = s % 2 ? GREATEST_LANE(lanes) : LEAST_LANE(lanes);
    double span = LEAST_LANE(CHOOSE(EQUAL(lanes, all(best)), watch->span_at[s], all(INFINITY)));
    *at = best == (s % 2 ? -INFINITY : INFINITY) ? 0 : find_in_span(n, (size_t)span, best, x, y, set);
    return best;
}

/* One pass over the differences, after an update of x (to = 1) or y (to = 2), which `target` then is. */
INLINE void difference_pass(size_t n, double a, const double *p, const double *q, const int to, double *target,
                            const double *x, const double *y, const unsigned char *const *among, struct lanes_extremes *out)
{
    const unsigned char *const sets[4] = {among[0], among[1], among[2], among[3]};
    const vec nothing[4] = {all(INFINITY), all(-INFINITY), all(INFINITY), all(-INFINITY)};
    struct span_watch watch = {{nothing[0], nothing[1], nothing[2], nothing[3]}, {{0}}};
    for (size_t first = 0; first < n; first += SPAN) {
        size_t end = n - first < SPAN ? n : first + SPAN;
        vec of_span[4] = {nothing[0], nothing[1], nothing[2], nothing[3]};
        for (size_t j = first; j < end; j += WIDTH) {
            vec v = next_difference(j, a, p, q, to, target, x, y);
UNROLL
            for (size_t s = 0; s < 4; s++)
                of_span[s] = s % 2 ? GREATER_IN(members_from(sets[s], j), v, of_span[s])
                                   : LESSER_IN(members_from(sets[s], j), v, of_span[s]);
        }
        watch_span(&watch, of_span, all((double)first));
    }
UNROLL
    for (size_t s = 0; s < 2; s++) {
        out[s].least = end_of_set(n, &watch, 2 * s, x, y, sets[2 * s], &out[s].least_at);
        out[s].most = end_of_set(n, &watch, 2 * s + 1, x, y, sets[2 * s + 1], &out[s].most_at);
    }
}

void OF_WIDTH(difference_extremes)(size_t n, const double *x, const double *y, const unsigned char *const *among,
                                   struct lanes_extremes *out)
{
    difference_pass(n, 0, NULL, NULL, 0, NULL, x, y, among, out);
}

void OF_WIDTH(move_difference_extremes)(size_t n, double a, const double *p, const double *q, int to_y, double *x, double *y,
                                        const unsigned char *const *among, struct lanes_extremes *out)
{
    if (to_y)
        difference_pass(n, a, p, q, 2, y, x, y, among, out);
    else
        difference_pass(n, a, p, q, 1, x, x, y, among, out);
}

size_t OF_WIDTH(differences_below)(size_t n, double sign, const double *x, const double *y, const unsigned char *among,
                                   double limit, double *out, size_t *found)
{
    size_t count = 0;
    for (size_t j = 0; j < n; j += WIDTH) {
        vec v = all(sign) * (get(x + j) - get(y + j));
        put(out + j, v);
        unsigned lanes = BITS(AT_MOST(v, all(limit)) & members_from(among, j));
        for (size_t k = j; lanes; k++, lanes >>= 1) {
            found[count] = k;
            count += lanes & 1;
        }
    }
    return count;
}

static double partner_gain(const struct partner *partner, size_t j)
{
    double delta = partner->f[j] - partner->f_first;
    if (!(delta > 0 && partner->side[j] <= 0))
        return 0;
    double curvature = (partner->diagonal_first - partner->row[j]) + (partner->diagonal[j] - partner->row[j]);
    if (partner->q) {
        double along = partner->q_first - partner->q[j], lost = along * along * partner->scale;
        curvature = lost < (1 - PARTNER_LEAST_LEFT) * curvature ? curvature - lost : curvature;
    }
    return delta * delta / (curvature > 0 ? curvature : PARTNER_LEAST_CURVATURE);
}

/* Lanes from j on whose gain may be as large as the one that `limit` is a little below. delta^2 >= limit curvature is asked
 * instead of a quotient; what is added guards products below the least normal double. */
INLINE unsigned partner_candidates(const struct partner *partner, size_t j, double limit, const int conjugate)
{
    vec row = get(partner->row + j), delta = get(partner->f + j) - all(partner->f_first);
    vec curvature = (all(partner->diagonal_first) - row) + (get(partner->diagonal + j) - row);
    if (conjugate) {
        vec along = all(partner->q_first) - get(partner->q + j), lost = along * along * all(partner->scale);
        curvature = CHOOSE(LESS(lost, all(1 - PARTNER_LEAST_LEFT) * curvature), curvature - lost, curvature);
    }
    curvature = CHOOSE(LESS(all(0), curvature), curvature, all(PARTNER_LEAST_CURVATURE));
    mask may = LESS(all(0), delta) & AT_MOST(get(partner->side + j), all(0));
    return BITS(may & AT_MOST(all(limit) * curvature, delta * delta + all(1e-300)));
}

INLINE size_t partner_search(size_t n, const struct partner *partner, const int conjugate)
{
    const double little = 0x1p-50; /* more than the rounding of two products and a quotient */
    size_t best = partner->guess;
    double most = partner_gain(partner, best);
    most = most > 0 ? most : 0;
    for (size_t j = 0; j < n; j += WIDTH) {
        unsigned lanes = partner_candidates(partner, j, fmin(most, DBL_MAX) * (1 - little), conjugate);
        for (size_t k = j; lanes; k++, lanes >>= 1) {
            double gain = lanes & 1 ? partner_gain(partner, k) : 0;
            if (gain > most || (gain == most && gain > 0 && k < best)) {
                most = gain;
                best = k;
            }
        }
    }
    return best;
}

size_t OF_WIDTH(best_partner)(size_t n, const struct partner *partner)
{
    return partner->q ? partner_search(n, partner, 1) : partner_search(n, partner, 0);
}

