/*
 * The duality gap of the SVM from the multipliers of any formulation, with W = sum alpha_i y_i X_i, f_j = W . X_j.
 *
 * A hull's weights sum to 1 in each class, those of an SVM dual to whatever its solution needs; both describe the same
 * point up to a scale t. So the multipliers of every formulation are rescaled, including SVM duals, and the results
 * depend only on the ray t alpha. With S = sum alpha, Q = |W|^2 (in K + I/C under a square penalty), m = max alpha:
 *
 *     D = max t S - 1/2 t^2 Q over 0 <= t <= C / m, at t = min(S / Q, C / m); m is no bound without a linear penalty
 *
 *     P = 1/2 t^2 |w|^2 + the loss of the plane t w . x + b at the best b, w in the kernel K alone:
 *         linear penalty    C sum max(0, 1 - y (t f + b))        C-SVM; reduced hulls with the C that mu belongs to;
 *                                                                SVM dual without bias, b = 0
 *         square penalty    C/2 sum max(0, 1 - y (t f + b))^2    2-SVM; hulls of K + I/C; minimum norm of K + I/C
 *         hard margin       1/2 |w|^2 / r^2, r the smallest y (f + b); infinite if r <= 0
 *
 * The minimum norm's plane has b = s^2 sum alpha y, and |w|^2 + b^2 / s^2 instead of |w|^2 (solver.h).
 *
 * P uses the t of D, but its own r under a hard margin. With a linear penalty P uses the better of the t of D and 1 /
 * r, where r is the middle of the margin in units of alpha (judge.c): there the free patterns lie on the margin. If mu
 * differs from the value that belongs to C by a relative delta, these planes differ by delta. With the t of D alone the
 * gap would be of order delta; with both it is of order delta^2. Where W is close to 0, r is nothing but rounding. So
 * the rounding bounds count, where they are known.
 *
 * With t of D, t' of P, a_j = t alpha_j, s_j = 1 - y_j (t' f_j + b), and sum y alpha = 0 if b is free, P - D is a sum
 * of nonnegative terms, so it does not suffer from cancellation:
 *
 *     linear penalty    1/2 (t - t')^2 |w|^2 + sum (C max(0, s_j) - a_j s_j)
 *     square penalty    sum (C/2 (s_j - a_j / C)^2 where s_j > 0, else a_j^2 / (2C) - a_j s_j)                 (t' = t)
 *
 * The best b. Linear penalty: each pattern's loss has its kink at b_j = y_j - t f_j, where the slope of the total loss,
 * which starts at -C N+, rises by C; the N+-th smallest b_j is a best b. Square penalty: the slope is -C sum (b_j - b)
 * over the patterns with loss, which are those of class +1 with b_j > b and of class -1 with b_j < b. So the best b is
 * the mean of their b_j; Newton steps, which set b to it, are kept within a bracket. Hard margin: the midpoint.
 *
 * Any t and b give a P that is at least the optimum, so their rounding is harmless. The bounds cover how P - D and D
 * are computed from them.
 */
#include "harness/evaluate/svm_gap.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "harness/evaluate/judge.h"

enum penalty { PENALTY_LINEAR, PENALTY_SQUARE, PENALTY_NONE };

/* A problem's multipliers, seen as a point of its SVM. */
struct point {
    size_t n;
    const signed char *y;
    const double *alpha, *f;
    double *scratch;
    enum penalty penalty;
    int has_bias;        /* nonzero: b is free, else b = 0 */
    double c, ridge;     /* ridge: 1/C of a square penalty, else 0 */
    double bias;         /* added to each f: s^2 sum alpha y for the minimum norm */
    double sum, largest; /* of alpha */
    double balance;      /* sum y alpha */
    double norm2, plain; /* times t^2: |W|^2 with and without the ridge */
    const struct product_rounding *products; /* NULL: no bounds needed */
    double norm2_bound, plain_bound;
};

/* P - D, its rounding bound, and the largest rounding bound of any s. */
struct distance {
    double value, bound, off;
};

int svm_gap_fits(const struct solver *solver)
{
    return !solver->solve_external && !solver_reads(solver, &parameter_nu);
}

enum status svm_gap_check(const struct solver *solver, const struct problem *problem, struct error *error)
{
    if (!solver_reads(solver, &parameter_mu) || !isnan(parameter_get(&problem->parameters, &parameter_c)))
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "%s: the rule svm-gap needs the C that mu belongs to; give \"mu\": {\"of_C\": C}, or use the rule "
                     "duality-gap",
                     solver->name);
}

/* f in the kernel K alone, plus the added bias. */
static double own_product(const struct point *point, size_t j)
{
    return point->f[j] + point->bias - point->ridge * point->alpha[j] * point->y[j];
}

static double bound_of_product(const struct point *point, size_t j)
{
    double size = fabs(point->f[j]) + fabs(point->bias) + point->ridge * fabs(point->alpha[j]);
    return rounding_of_product(point->products, j) + rounding_gamma(4) * size;
}

/* |sum y alpha|, with its rounding for close products; the origin of these. */
static double unbalanced(const struct point *point)
{
    const struct product_rounding *products = point->products;
    return fabs(point->balance) + (products->is_close ? rounding_gamma(products->terms + 1) * products->sum : 0);
}

static double origin_of(const struct point *point)
{
    return fabs(point->products->origin);
}

static void sum_up(struct point *point, double added2)
{
    double own = 0, size = 0;
    for (size_t j = 0; j < point->n; j++)
        point->balance += point->alpha[j] * point->y[j];
    point->bias = added2 * point->balance;
    for (size_t j = 0; j < point->n; j++) {
        double alpha = point->alpha[j], product = alpha * point->y[j] * (point->f[j] + point->bias);
        point->sum += alpha;
        point->largest = fmax(point->largest, alpha);
        point->norm2 += product;
        point->plain += product - point->ridge * alpha * alpha;
        size += fabs(product) + point->ridge * alpha * alpha;
        if (point->products)
            own += fabs(alpha) * bound_of_product(point, j);
    }
    point->norm2 = point->norm2 < 0 ? 0 : point->norm2; /* below 0 only by rounding; NaN stays */
    point->plain = point->plain < 0 ? 0 : point->plain;
    if (point->products)
        point->norm2_bound = point->plain_bound = rounding_of_sum(point->products, own, size) +
                                                  rounding_gamma(3) * size + unbalanced(point) * origin_of(point);
}

/* 1/2 x y^2, 1/2 y^2 / x and 1/2 x / y^2, also with y^2 beyond the range of a double; else the plain formulas' bits. */
static double half_square(double x, double y)
{
    int exponent;
    double part = frexp(y, &exponent);
    return ldexp(0.5 * part * part * x, 2 * exponent);
}

static double half_square_by(double y, double x)
{
    int exponent;
    double part = frexp(y, &exponent);
    return ldexp(0.5 * part * part / x, 2 * exponent);
}

static double half_by_square(double x, double y)
{
    int exponent;
    double part = frexp(y, &exponent);
    return ldexp(0.5 * x / (part * part), -2 * exponent);
}

/* ---- the best b ---- */

/* b_j = y_j - t f_j into scratch. */
static void find_kinks(const struct point *point, double t)
{
    for (size_t j = 0; j < point->n; j++)
        point->scratch[j] = point->y[j] - t * own_product(point, j);
}

static double linear_bias(const struct point *point, double t)
{
    size_t positive = 0;
    find_kinks(point, t);
    for (size_t j = 0; j < point->n; j++)
        positive += point->y[j] > 0;
    return gsl_stats_select(point->scratch, 1, point->n, positive - 1);
}

/* The mean of b_j over the patterns with loss at b; b if none has a loss. */
static double newton_step(const struct point *point, double b)
{
    double sum = 0, count = 0;
    for (size_t j = 0; j < point->n; j++) {
        double beyond = point->scratch[j] - b;
        int has_loss = point->y[j] * beyond > 0;
        sum += has_loss ? beyond : 0;
        count += has_loss;
    }
    return count > 0 ? b + sum / count : b;
}

static double square_bias(const struct point *point, double t)
{
    enum { MAX_STEPS = 100 };
    double low = HUGE_VAL, high = -HUGE_VAL;
    find_kinks(point, t);
    for (size_t j = 0; j < point->n; j++) {
        low = fmin(low, point->scratch[j]);
        high = fmax(high, point->scratch[j]);
    }
    double close = 1e-14 * fmax(fabs(low), fabs(high)), b = 0.5 * (low + high);
    for (int step = 0; step < MAX_STEPS; step++) {
        double next = newton_step(point, b);
        if (!(fabs(next - b) > close))
            return next;
        if (next > b)
            low = b;
        else
            high = b;
        b = next > low && next < high ? next : 0.5 * (low + high);
    }
    return b;
}

/* ---- P - D ---- */

/* One pattern's share of P - D, with a = t alpha, which is between 0 and C except for rounding; and the largest change
 * of that share if s is off by `off`. */
static struct distance share_linear(double c, double a, double s, double off)
{
    double above = fmax(c - a, 0), slope = s > off ? above : s < -off ? a : fmax(above, a);
    return (struct distance){s > 0 ? above * s : -fmax(a, 0) * s, fabs(slope) * off, off};
}

static struct distance share_square(double c, double a, double s, double off)
{
    double miss = s - a / c, slope = s > 0 ? c * miss : a;
    double value = s > 0 ? 0.5 * c * miss * miss : half_square_by(a, c) - fmax(a, 0) * s;
    return (struct distance){value, (fabs(slope) + c * off) * off, off};
}

/* P - D at the t of D and the t' and b of P. */
static struct distance distance_at(const struct point *point, double t, double of_primal, double b)
{
    double apart = t - of_primal, off = 0;
    struct distance sum = {0, 0, 0};
    for (size_t j = 0; j < point->n; j++) {
        double product = of_primal * own_product(point, j), s = 1 - point->y[j] * (product + b);
        if (point->products)
            off = of_primal * bound_of_product(point, j) + rounding_gamma(4) * (1 + fabs(product) + fabs(b));
        struct distance share = point->penalty == PENALTY_SQUARE
                                    ? share_square(point->c, t * point->alpha[j], s, off)
                                    : share_linear(point->c, t * point->alpha[j], s, off);
        sum.value += share.value;
        sum.bound += share.bound;
        sum.off = fmax(sum.off, share.off);
    }
    sum.value += half_square(point->plain, apart);
    if (point->products)
        sum.bound += half_square(point->plain_bound, apart) + rounding_gamma((double)point->n + 8) * fabs(sum.value) +
                     (point->has_bias ? t * (fabs(b) + of_primal * origin_of(point)) * unbalanced(point) : 0);
    return sum;
}

/* 1 / r, r the middle of the margin; NAN if r is not positive. */
static double margin_scale(const struct point *point)
{
    struct threshold thresholds[2] = {THRESHOLD_OF_NONE, THRESHOLD_OF_NONE};
    for (size_t j = 0; j < point->n; j++)
        threshold_add(&thresholds[point->y[j] < 0], point->alpha[j], point->largest,
                      point->y[j] * own_product(point, j));
    double middle = 0.5 * (threshold_of(&thresholds[0]) + threshold_of(&thresholds[1]));
    return middle > 0 ? 1 / middle : (double)NAN;
}

/* Rounding may move a pattern on the margin into it, at a loss of C per unit. If the plane is scaled by slightly more
 * than 1, so that these patterns stay outside the margin despite rounding, such a pattern costs only a. P of that plane
 * is also at least the optimum, so it bounds P - D from above as well. */
static struct distance distance_bounded(const struct point *point, double t, double of_primal, double b)
{
    struct distance at = distance_at(point, t, of_primal, b);
    double scale = 1 + 4 * at.off;
    if (!point->products || !(scale < 2))
        return at;
    struct distance beyond = distance_at(point, t, scale * of_primal, scale * b);
    at.bound = fmin(at.bound, fmax(0, beyond.value - at.value) + beyond.bound);
    return at;
}

static struct distance distance_linear(const struct point *point, double t)
{
    if (!point->has_bias)
        return distance_bounded(point, t, t, 0);
    struct distance same = distance_bounded(point, t, t, linear_bias(point, t));
    double other = margin_scale(point);
    if (!isfinite(other))
        return same;
    struct distance at_margin = distance_bounded(point, t, other, linear_bias(point, other));
    return at_margin.value + at_margin.bound < same.value + same.bound ? at_margin : same;
}

static struct distance distance_hard_margin(const struct point *point, const struct svm_gap *dual)
{
    struct extreme least[2] = {EXTREME_SMALLEST, EXTREME_SMALLEST};
    for (size_t j = 0; j < point->n; j++)
        extreme_smallest(&least[point->has_bias && point->y[j] < 0], point->y[j] * own_product(point, j),
                         point->products ? bound_of_product(point, j) : 0);
    double r = point->has_bias ? 0.5 * (least[0].value + least[1].value) : least[0].value;
    double off = fmax(extreme_bound(&least[0]), point->has_bias ? extreme_bound(&least[1]) : 0);
    double primal = r > 0 ? half_by_square(point->plain, r) : HUGE_VAL;
    struct distance distance = {.value = primal - dual->dual};
    if (point->products)
        distance.bound = r > off ? half_by_square(point->plain + point->plain_bound, r - off) - primal +
                                       rounding_gamma(8) * primal + dual->dual_rounding
                                 : HUGE_VAL;
    return distance;
}

void svm_gap(const struct judging *judging, const struct product_rounding *rounding, struct svm_gap *out)
{
    const struct problem *problem = judging->problem;
    const enum formulation formulation = judging->formulation;
    double added = formulation == FORMULATION_MINIMUM_NORM ? parameter_get(&problem->parameters, &parameter_added) : 0;
    struct point point = {.n = problem->n, .y = problem->y, .alpha = judging->alpha, .f = judging->products,
                          .scratch = judging->scratch, .ridge = gram_ridge(judging->gram), .products = rounding};
    *out = (struct svm_gap){.gap = HUGE_VAL, .dual = (double)NAN};
    double c = parameter_get(&problem->parameters, &parameter_c);
    int may_be_linear = formulation == FORMULATION_C_SVM || formulation == FORMULATION_NO_BIAS_SVM ||
                        (formulation == FORMULATION_NEAREST_POINTS && !isnan(c));
    point.penalty = point.ridge > 0 ? PENALTY_SQUARE : may_be_linear ? PENALTY_LINEAR : PENALTY_NONE;
    point.c = point.penalty == PENALTY_SQUARE ? 1 / point.ridge : point.penalty == PENALTY_LINEAR ? c : HUGE_VAL;
    point.has_bias = formulation_has_bias(formulation);
    sum_up(&point, added * added);
    double limit = point.penalty == PENALTY_LINEAR ? point.c / point.largest : HUGE_VAL;
    double t = point.norm2 > 0 ? fmin(point.sum / point.norm2, limit) : limit; /* of D */
    if (!isfinite(t) || !isfinite(point.norm2))
        return;
    double linear = t * point.sum, square = half_square(point.norm2, t);
    out->dual = linear - square;
    if (rounding)
        out->dual_rounding = rounding_gamma(rounding->terms + 4) * linear + half_square(point.norm2_bound, t) +
                             rounding_gamma(4) * fabs(square);
    struct distance distance = point.penalty == PENALTY_NONE     ? distance_hard_margin(&point, out)
                               : point.penalty == PENALTY_LINEAR ? distance_linear(&point, t)
                               : distance_at(&point, t, t, point.has_bias ? square_bias(&point, t) : 0);
    out->gap = distance.value;
    out->gap_rounding = rounding_bound(distance.bound);
    out->dual_rounding = rounding_bound(out->dual_rounding);
}

int svm_gap_is_within(const struct svm_gap *gap, double tolerance)
{
    return gap->dual > 0 && isfinite(gap->dual) && isfinite(gap->gap) && gap->gap <= tolerance * gap->dual;
}

static int is_certain(const struct svm_gap *gap, double tolerance)
{
    return gap->gap_rounding <= tolerance * (gap->dual - gap->dual_rounding);
}

int svm_gap_is_confirmed(const struct judging *judging, double tolerance)
{
    struct product_rounding rounding = rounding_of_products(judging);
    struct svm_gap gap;
    double low = HUGE_VAL, high = -HUGE_VAL, origin;
    svm_gap(judging, &rounding, &gap);
    if (is_certain(&gap, tolerance))
        return svm_gap_is_within(&gap, tolerance);
    for (size_t j = 0; j < rounding.n; j++) {
        low = fmin(low, rounding.f[j]);
        high = fmax(high, rounding.f[j]);
    }
    int is_close = close_products(judging, 0.5 * (low + high), &rounding, &origin);
    if (is_close)
        svm_gap(judging, &rounding, &gap);
    products_with_patterns(judging);
    return !is_close || !is_certain(&gap, tolerance) || svm_gap_is_within(&gap, tolerance);
}
