/*
 * Judges a vector of multipliers, with W = sum alpha_i y_i X_i and f_j = W . X_j.
 *
 * Nearest points of mu-reduced hulls (Lopez, Barbero and Dorronsoro 2011, problems (2) and (15)): the dual value is
 * -1/2 |W|^2; the primal value at (W, gamma, rho, xi) with the best gamma, rho is 1/2 |W|^2 - (W . X^+ - W . X^-). So
 * the gap is |W|^2 - (W . X^+ - W . X^-). KKT: b_U <= b_L in each class (Section 4.3). The plane bisects the segment
 * from W- to W+: b = -(W . W+ + W . W-) / 2.
 *
 * The plane in the middle of the margin is that of the nu-SVC, whose dual is this problem in other units. With v_j =
 * y_j f_j, at the optimum each class s has a threshold t_s such that
 *     v_j >= t_s where alpha_j = 0,  v_j = t_s where 0 < alpha_j < mu,  v_j <= t_s where alpha_j = mu.
 * The planes f = t_+ and f = -t_- bound the margin, so b = -(t_+ - t_-) / 2, and f + b = +-r on them with r = (t_+ +
 * t_-) / 2 >= 1/2 |W|^2. Multipliers at mu move s W . W_s, the mean of the v_j, below t_s; the middle of the margin
 * bisects the segment from W- to W+ only if this shift is the same in both classes. t_s is the mean of v_j over the
 * free multipliers. If 1/mu is an integer, a class may have no free multipliers. Then t_s may lie anywhere between the
 * largest v_j at mu and the smallest v_j at 0; we take the midpoint, or the one bound that exists. LIBSVM's
 * Solver_NU::calculate_rho has r1 = t_+, r2 = t_-, rho = -b; if all alpha of a class are mu, its r is infinite.
 *
 * C-SVM: F_j = f_j - y_j; b = -(F_up + F_low) / 2 with the thresholds of Keerthi et al. (2001); xi_j = max(0, -y_j (F_j
 * + b)); gap |W|^2 + C sum xi - sum alpha; KKT violation F_low - F_up.
 *
 * 2-SVM (Lopez 2008, eqs. 2.4.1 to 2.4.5): F and the thresholds are those of the C-SVM with infinite C, with f computed
 * from K + I/C. With f'_j = f_j - alpha_j y_j / C and xi_j = max(0, 1 - y_j (f'_j + b)) the gap is
 *     1/2 sum alpha y f' + C/2 sum xi^2 - (sum alpha - 1/2 sum alpha y f),
 * at the b between the thresholds. The model's own bias is the mean of y_j - f_j over alpha_j > 0 (Algorithm 2, line
 * 8), which is the same at the optimum.
 *
 * Minimum norm of z_j = y_j (X_j, s): u_j = W . z_j = y_j (f_j + b), bias b = s^2 sum alpha y; alpha <= 1/K if nu is
 * given. Gap |W|^2 - the smallest sum w u over 0 <= w <= 1/K, sum w = 1; KKT violation max u over alpha > 0 - min u
 * over alpha < 1/K.
 *
 * Duals without bias (Potluru et al. 2008, eqs. 4 and 9): max sum alpha - 1/2 |W|^2, 0 <= alpha, and alpha <= C for the
 * soft margin. b = 0.
 *
 * Soft margin: xi_j = max(0, 1 - y_j f_j), gap |W|^2 + C sum xi - sum alpha. Hard margin: W / m, m = min y_j f_j,
 * separates with margin 1, so the gap is 1/2 |W/m|^2 - (sum alpha - 1/2 |W|^2). While m <= 0 no feasible W is known and
 * the gap is infinite.
 *
 * KKT violation: the largest min(|y_j f_j - 1|, max(k_jj, 1 / C) d_j), where d_j is the distance of alpha_j from the
 * bound in the direction of its slope. For k_jj C >= 1 this is k_jj |alpha_j - best_j|, with best_j the minimiser along
 * coordinate j. It is continuous in alpha, so a coefficient that decays without ever reaching 0 contributes only in
 * proportion to its size. The factor 1 / C makes the whole way from 0 to C count at least 1, so that a small C does not
 * make every state optimal. As a function of the slope the violation has slope 1, so rounding moves it by at most the
 * slope's error, unless the distance is smaller.
 *
 * Each value has a bound on its rounding error, including that of kernel values. rounding.c bounds the errors of f_j
 * and of sums of f_j; this file propagates them through the formulas above. The error of a maximum, of a minimum or of
 * a smallest mixture is at most that of its operands.
 *
 * The judge shares only the kernel matrix with the solvers' own formulas.
 */
#include "harness/evaluate/judge.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "harness/evaluate/rounding.h"
#include "harness/evaluate/twofold.h"

void products_with_patterns(const struct judging *judging)
{
    const struct problem *problem = judging->problem;
    memset(judging->products, 0, gram_padded(judging->gram) * sizeof *judging->products);
    for (size_t i = 0; i < problem->n; i++)
        judging->scratch[i] = problem->y[i] * judging->alpha[i];
    gram_expand(judging->gram, judging->scratch, judging->products);
}

/* A value and the bound on its rounding error. */
struct rounded {
    double value, bound;
};

/* A sum of multipliers times values, being added up. */
struct weighted {
    double value, own, size; /* own, size: as rounding_of_sum takes them */
};

static void add_weighted(struct weighted *sum, double alpha, double value, double bound)
{
    sum->value += alpha * value;
    sum->own += fabs(alpha) * bound;
    sum->size += fabs(alpha * value);
}

static struct rounded rounded_sum(const struct product_rounding *on, const struct weighted *sum)
{
    return (struct rounded){sum->value, rounding_of_sum(on, sum->own, sum->size)};
}

struct side {
    size_t count;
    double sum_alpha;
    struct rounded own;     /* W . W_s */
    struct rounded extreme; /* s times the smallest s W . X^ over the reduced hull */
    struct extreme highest, lowest; /* largest v with alpha > 0, smallest v with alpha < mu; v = s f */
    double outside;         /* largest bound violation of a multiplier */
    struct threshold threshold;
};

/* Smallest value of sum w_j v_j over 0 <= w <= mu, sum w = 1, found by assigning weights from the smallest v upwards.
 * `bound` is the bound of each v. The roundings of `left` sum to less than gamma(terms); by so much the weights may be
 * wrong, those of the last two terms and of the next pattern together. */
static struct rounded smallest_mixture(double *v, size_t count, double mu, double bound)
{
    gsl_sort(v, 1, count);
    double left = 1, sum = 0, size = 0;
    size_t terms = 0;
    for (; terms < count && left > 0; terms++) {
        double weight = fmin(left, mu);
        sum += weight * v[terms];
        size += weight * fabs(v[terms]);
        left -= weight;
    }
    size += fmax(fabs(v[0]), fabs(v[terms < count ? terms : count - 1]));
    return (struct rounded){sum, bound + rounding_gamma((double)terms) * size};
}

static struct side judge_side(const struct product_rounding *on, int class, double mu)
{
    struct side side = {.highest = EXTREME_LARGEST,
                        .lowest = EXTREME_SMALLEST,
                        .threshold = THRESHOLD_OF_NONE};
    struct weighted own = {0};
    double largest = 0;
    for (size_t j = 0; j < on->n; j++) {
        if (on->y[j] != class)
            continue;
        double v = class * on->f[j], bound = rounding_of_product(on, j);
        on->scratch[side.count++] = v;
        side.sum_alpha += on->alpha[j];
        add_weighted(&own, on->alpha[j], on->f[j], bound);
        largest = fmax(largest, bound);
        side.outside = fmax(side.outside, fmax(-on->alpha[j], on->alpha[j] - mu));
        if (on->alpha[j] > 0)
            extreme_largest(&side.highest, v, bound);
        if (on->alpha[j] < mu)
            extreme_smallest(&side.lowest, v, bound);
        threshold_add(&side.threshold, on->alpha[j], mu, v);
    }
    side.own = rounded_sum(on, &own);
    side.extreme = smallest_mixture(on->scratch, side.count, mu, largest);
    return side;
}

/* The bound of a sum or difference. */
static double bound_of_sum(const struct rounded *a, const struct rounded *b)
{
    return a->bound + b->bound + rounding_gamma(1) * (fabs(a->value) + fabs(b->value));
}

static void judge_nearest_points(const struct product_rounding *on, double mu, struct judgement *out)
{
    struct side plus = judge_side(on, 1, mu), minus = judge_side(on, -1, mu);
    double norm2 = plus.own.value - minus.own.value;
    const double of_plus = threshold_of(&plus.threshold), of_minus = threshold_of(&minus.threshold);
    out->norm2 = norm2;
    out->objective = 0.5 * norm2;
    out->duality_gap = norm2 - (plus.extreme.value + minus.extreme.value);
    out->single_point[0] = plus.count == 1 || (double)plus.count * mu <= 1;
    out->single_point[1] = minus.count == 1 || (double)minus.count * mu <= 1;
    out->class_gap[0] = plus.own.value - plus.extreme.value;
    out->class_gap[1] = -minus.own.value - minus.extreme.value;
    out->kkt_violation =
        fmax(0, fmax(plus.highest.value - plus.lowest.value, minus.highest.value - minus.lowest.value));
    out->feasibility = fmax(fmax(plus.outside, minus.outside),
                            fmax(fabs(plus.sum_alpha - 1), fabs(minus.sum_alpha - 1)));
    out->bias = -0.5 * (plus.own.value + minus.own.value);
    out->margin = out->objective;
    out->middle = (struct judged_plane){.bias = -0.5 * (of_plus - of_minus), .margin = 0.5 * (of_plus + of_minus)};
    out->rounding.norm2 = bound_of_sum(&plus.own, &minus.own);
    out->rounding.class_gap[0] = bound_of_sum(&plus.own, &plus.extreme);
    out->rounding.class_gap[1] = bound_of_sum(&minus.own, &minus.extreme);
    out->rounding.duality_gap = out->rounding.norm2 + bound_of_sum(&plus.extreme, &minus.extreme) +
                                rounding_gamma(1) * fabs(out->duality_gap);
    out->rounding.kkt_violation = fmax(extreme_bound(&plus.highest) + extreme_bound(&plus.lowest),
                                       extreme_bound(&minus.highest) + extreme_bound(&minus.lowest)) +
                                  rounding_gamma(1) * out->kkt_violation;
}

/* What both SVM duals compute from alpha. */
struct box {
    struct extreme up, low;  /* thresholds of F */
    struct rounded norm2;    /* sum alpha y f */
    double sum;              /* sum alpha */
    double balance, outside; /* sum y alpha; largest bound violation */
};

static struct box judge_box(const struct product_rounding *on, double c)
{
    struct box box = {.up = EXTREME_SMALLEST, .low = EXTREME_LARGEST};
    struct weighted norm2 = {0};
    for (size_t j = 0; j < on->n; j++) {
        double y = on->y[j], at = on->f[j] - y, of_product = rounding_of_product(on, j);
        double bound = of_product + rounding_gamma(1) * fabs(at);
        if (y > 0 ? on->alpha[j] < c : on->alpha[j] > 0)
            extreme_smallest(&box.up, at, bound);
        if (y > 0 ? on->alpha[j] > 0 : on->alpha[j] < c)
            extreme_largest(&box.low, at, bound);
        add_weighted(&norm2, on->alpha[j], y * on->f[j], of_product);
        box.sum += on->alpha[j];
        box.balance += y * on->alpha[j];
        box.outside = fmax(box.outside, fmax(-on->alpha[j], on->alpha[j] - c));
    }
    box.norm2 = rounded_sum(on, &norm2);
    return box;
}

/* The bound of sum alpha. */
static double bound_of_weights(const struct product_rounding *products)
{
    return rounding_gamma(products->terms) * products->sum;
}

static void take_box(const struct product_rounding *on, const struct box *box, double scale, struct judgement *out)
{
    out->bias = -0.5 * (box->up.value + box->low.value);
    out->norm2 = box->norm2.value;
    out->objective = box->sum - 0.5 * box->norm2.value;
    out->kkt_violation = fmax(0, box->low.value - box->up.value);
    out->feasibility = fmax(box->outside, fabs(box->balance)) / scale;
    out->rounding.norm2 = box->norm2.bound;
    out->rounding.objective =
        bound_of_weights(on) + 0.5 * box->norm2.bound + rounding_gamma(1) * fabs(out->objective);
    out->rounding.kkt_violation =
        extreme_bound(&box->low) + extreme_bound(&box->up) + rounding_gamma(1) * out->kkt_violation;
}

/* The bound of the bias between the thresholds. */
static double bound_of_bias(const struct box *box)
{
    return 0.5 * (extreme_bound(&box->up) + extreme_bound(&box->low)) +
           rounding_gamma(1) * 0.5 * fabs(box->up.value + box->low.value);
}

/* sum xi of the plane scale (W . x + bias), and the largest xi of a pattern with alpha < C, with room for its bound. */
struct slack {
    struct rounded sum;
    double inside;
};

static struct slack slack_at(const struct product_rounding *on, double c, const struct rounded *bias, double scale)
{
    struct slack slack = {.sum = {0, 0}};
    for (size_t j = 0; j < on->n; j++) {
        double at = scale * (on->f[j] + bias->value), xi = 1 - on->y[j] * at;
        double bound = scale * (rounding_of_product(on, j) + bias->bound) +
                       rounding_gamma(scale == 1 ? 2 : 3) * (1 + fabs(at));
        slack.sum.value += fmax(0, xi);
        slack.sum.bound += xi > -bound ? bound : 0;
        slack.inside = on->alpha[j] < c ? fmax(slack.inside, xi + 4 * bound) : slack.inside;
    }
    slack.sum.bound += rounding_gamma((double)on->n) * slack.sum.value;
    return slack;
}

/* Rounding leaves a pattern on the margin slightly inside, at a loss of C per unit. A plane scaled by slightly more
 * than 1 keeps these patterns outside, and its primal value bounds the optimum from above as well. */
static void take_scaled_plane(const struct product_rounding *on, double c, const struct box *box,
                              const struct slack *slack, struct judgement *out)
{
    if (!(slack->inside > 0 && slack->inside < 0.5))
        return;
    double scale = 1 / (1 - slack->inside), norm2 = 0.5 * (scale * scale + 1) * fabs(box->norm2.value);
    const struct rounded bias = {out->bias, 0};
    struct slack scaled = slack_at(on, c, &bias, scale);
    double gap = norm2 + c * scaled.sum.value - box->sum;
    double bound = 0.5 * (scale * scale + 1) * box->norm2.bound + c * scaled.sum.bound + bound_of_weights(on) +
                   rounding_gamma(6) * (norm2 + c * scaled.sum.value) + rounding_gamma(1) * fabs(gap);
    if (!(gap + bound < out->duality_gap + out->rounding.duality_gap))
        return;
    out->duality_gap = gap;
    out->rounding.duality_gap = bound;
}

static void judge_c_svm(const struct product_rounding *on, double c, struct judgement *out)
{
    struct box box = judge_box(on, c);
    take_box(on, &box, c, out);
    const struct rounded bias = {out->bias, bound_of_bias(&box)};
    const struct slack slack = slack_at(on, c, &bias, 1);
    double rho = box.norm2.value + c * slack.sum.value; /* Lopez et al. 2011, eq. 19 */
    out->duality_gap = rho - box.sum;
    out->rch_mu = 2 * c / rho;
    out->rounding.duality_gap = box.norm2.bound + c * slack.sum.bound + bound_of_weights(on) +
                                rounding_gamma(2) * (fabs(box.norm2.value) + c * slack.sum.value) +
                                rounding_gamma(1) * fabs(out->duality_gap);
    if (on->is_close)
        take_scaled_plane(on, c, &box, &slack, out);
}

static void judge_square_svm(const struct product_rounding *on, double c, struct judgement *out)
{
    struct box box = judge_box(on, HUGE_VAL);
    double slack2 = 0, slack2_bound = 0, bias = 0, supports = 0, n = (double)on->n;
    struct weighted of_plain = {0}; /* sum alpha y f' */
    take_box(on, &box, fmax(1, box.sum), out);
    double bias_bound = bound_of_bias(&box);
    for (size_t j = 0; j < on->n; j++) {
        if (on->alpha[j] > 0) {
            bias += on->y[j] - on->f[j];
            supports++;
        }
        double y = on->y[j], of_w = on->f[j] - on->alpha[j] * y / c, slack = fmax(0, 1 - y * (of_w + out->bias));
        slack2 += slack * slack;
        double of_w_bound =
            rounding_of_product(on, j) + rounding_gamma(2) * (fabs(on->f[j]) + fabs(on->alpha[j]) / c);
        double bound = of_w_bound + bias_bound + rounding_gamma(2) * (1 + fabs(of_w + out->bias));
        add_weighted(&of_plain, on->alpha[j], y * of_w, of_w_bound);
        slack2_bound += 1 - y * (of_w + out->bias) > -bound ? (2 * slack + bound) * bound : 0;
    }
    const struct rounded plain = rounded_sum(on, &of_plain);
    slack2_bound += rounding_gamma(n + 1) * slack2;
    out->duality_gap = 0.5 * plain.value + 0.5 * c * slack2 - out->objective;
    out->rounding.duality_gap = 0.5 * plain.bound + 0.5 * c * slack2_bound + out->rounding.objective +
                                rounding_gamma(3) * (0.5 * fabs(plain.value) + 0.5 * c * slack2) +
                                rounding_gamma(1) * fabs(out->duality_gap);
    if (supports > 0)
        out->bias = bias / supports;
}

static void judge_minimum_norm(const struct product_rounding *on, const struct parameters *parameters,
                               struct judgement *out)
{
    double added = parameter_get(parameters, &parameter_added), n = (double)on->n, *u = on->scratch;
    /* 1/K, the weight bound of the reduced hull of K = nu N patterns; 1 for solvers of the full hull: they ignore nu */
    double nu = parameter_get(parameters, &parameter_nu);
    double bound = isnan(nu) ? 1 : 1 / fmin(fmax(floor(nu * n + 0.5), 1), n);
    double bias = 0, sum = 0, outside = 0, over = -HUGE_VAL, largest = 0;
    struct extreme min = EXTREME_SMALLEST, max = EXTREME_LARGEST;
    struct weighted of_norm2 = {0};
    for (size_t j = 0; j < on->n; j++)
        bias += on->alpha[j] * on->y[j];
    bias *= added * added;
    for (size_t j = 0; j < on->n; j++) {
        double of_product = rounding_of_product(on, j);
        u[j] = on->y[j] * (on->f[j] + bias);
        sum += on->alpha[j];
        add_weighted(&of_norm2, on->alpha[j], u[j], of_product);
        largest = fmax(largest, of_product);
        if (on->alpha[j] < bound || bound == 1)
            extreme_smallest(&min, u[j], of_product);
        if (on->alpha[j] > 0)
            extreme_largest(&max, u[j], of_product);
        outside = fmax(outside, -on->alpha[j]);
        over = fmax(over, on->alpha[j] - bound);
    }
    const struct rounded norm2 = rounded_sum(on, &of_norm2);
    struct rounded mixture = smallest_mixture(u, on->n, bound, largest);
    /* a constraint of the full hull alone says nothing about the reduced hull */
    int unbounded = parameters_may_leave_hull(parameters) && over > 0;
    out->bias = bias;
    out->norm2 = norm2.value;
    out->objective = 0.5 * norm2.value;
    out->duality_gap = unbounded ? (double)NAN : norm2.value - mixture.value;
    out->kkt_violation = unbounded ? (double)NAN : fmax(0, max.value - min.value);
    out->feasibility = fmax(fmax(outside, unbounded || bound == 1 ? 0 : over), fabs(sum - 1));
    out->rounding.norm2 = norm2.bound;
    out->rounding.duality_gap = bound_of_sum(&norm2, &mixture);
    out->rounding.kkt_violation =
        extreme_bound(&max) + extreme_bound(&min) + rounding_gamma(1) * fabs(max.value - min.value);
}

/* The violation of one coordinate; `slope` is the derivative at alpha. */
static double along_coordinate(double alpha, double slope, double k, double c)
{
    if (!(k > 0)) /* linear, not a parabola */
        return (slope < 0 && alpha < c) || (slope > 0 && alpha > 0) ? fabs(slope) : 0;
    double worth = k * c < 1 ? 1 / c : k;
    if (slope < 0)
        return fmin(-slope, (c - alpha) * worth);
    return fmin(slope, alpha * worth);
}

/* The error of that violation, given the error bounds of the slope and of k. */
static double bound_along_coordinate(double violation, double slope, double slope_bound, double k, double k_bound)
{
    if (k != 0 && fabs(k) <= k_bound) /* linear or a parabola; k is 0 for a row of zeros */
        return fabs(slope) + slope_bound;
    double distance_bound = k != 0 ? violation * (k_bound / fabs(k) + rounding_gamma(3)) : 0;
    return violation + distance_bound < fabs(slope) - slope_bound ? distance_bound : fmax(slope_bound, distance_bound);
}

/* The error bound of 1/2 |W/m|^2 - D. */
static double bound_of_hard_gap(const struct judgement *judgement, const struct extreme *margin)
{
    double norm2 = judgement->norm2, more = judgement->rounding.norm2, m = margin->value, off = extreme_bound(margin);
    if (!(m - off > 0))
        return HUGE_VAL;
    double value = 0.5 * norm2 / (m * m), highest = 0.5 * (norm2 + more) / ((m - off) * (m - off)),
           lowest = 0.5 * (norm2 - more) / ((m + off) * (m + off));
    return fmax(highest - value, value - lowest) + rounding_gamma(6) * fabs(value) + judgement->rounding.objective +
           rounding_gamma(1) * fabs(judgement->duality_gap);
}

static void judge_no_bias(const struct product_rounding *on, double c, struct judgement *judgement)
{
    double sum = 0, slack = 0, outside = 0, slack_bound = 0, n = (double)on->n;
    struct weighted of_norm2 = {0};
    struct extreme margin = EXTREME_SMALLEST, violation = {0, 0, 0, 0};
    struct kernel_rounding kernel = rounding_of_kernel(on->gram);
    for (size_t j = 0; j < on->n; j++) {
        double yf = on->y[j] * on->f[j], k = gram_diagonal(on->gram, j);
        double bound = rounding_of_product(on, j), slope_bound = bound + rounding_gamma(1) * fabs(yf - 1);
        double k_bound = kernel.relative * rounding_size2(on->gram, j) + kernel.absolute;
        double along = along_coordinate(on->alpha[j], yf - 1, k, c);
        sum += on->alpha[j];
        add_weighted(&of_norm2, on->alpha[j], yf, bound);
        slack += fmax(0, 1 - yf);
        slack_bound += 1 - yf > -slope_bound ? slope_bound : 0;
        extreme_smallest(&margin, yf, bound);
        outside = fmax(outside, fmax(-on->alpha[j], on->alpha[j] - c));
        extreme_largest(&violation, along, bound_along_coordinate(along, yf - 1, slope_bound, k, k_bound));
    }
    slack_bound += rounding_gamma(n) * slack;
    double sum_bound = bound_of_weights(on);
    const double norm2 = judgement->norm2 = of_norm2.value;
    judgement->objective = sum - 0.5 * norm2;
    judgement->rounding.norm2 = rounded_sum(on, &of_norm2).bound;
    judgement->rounding.objective =
        sum_bound + 0.5 * judgement->rounding.norm2 + rounding_gamma(1) * fabs(judgement->objective);
    if (isfinite(c)) {
        judgement->duality_gap = norm2 + c * slack - sum;
        judgement->rounding.duality_gap = judgement->rounding.norm2 + c * slack_bound + sum_bound +
                                          rounding_gamma(3) * (fabs(norm2) + c * slack + sum);
    } else {
        judgement->duality_gap =
            margin.value > 0 ? 0.5 * norm2 / (margin.value * margin.value) - judgement->objective : HUGE_VAL;
        judgement->rounding.duality_gap = bound_of_hard_gap(judgement, &margin);
    }
    judgement->kkt_violation = violation.value;
    judgement->rounding.kkt_violation = extreme_bound(&violation);
    judgement->feasibility = isfinite(c) ? outside / c : outside;
}

/* A constraint violation v changes each term of the gap by at most v (|f_j| + |b| + 1), and the balance of the classes
 * changes it by v |b|. */
static double gap_shortfall(const struct judging *judging, const struct judgement *judgement)
{
    const enum formulation formulation = judging->formulation;
    const double n = (double)judging->problem->n, bias = fabs(judgement->bias);
    double largest = 0, sum = 0, violation = judgement->feasibility;
    for (size_t j = 0; j < judging->problem->n; j++) {
        largest = fmax(largest, fabs(judging->products[j]));
        sum += judging->alpha[j];
    }
    if (formulation == FORMULATION_C_SVM || formulation == FORMULATION_NO_BIAS_SVM)
        violation *= parameter_get(&judging->problem->parameters, &parameter_c);
    else if (formulation == FORMULATION_SQUARE_SVM)
        violation *= fmax(1, sum);
    return violation > 0 ? violation * (n * (largest + bias + 1) + bias) : 0;
}

static void finish_rounding(enum formulation formulation, struct stopping_figures *rounding)
{
    double *const bounds[] = {&rounding->objective,     &rounding->norm2,         &rounding->duality_gap,
                              &rounding->kkt_violation, &rounding->class_gap[0], &rounding->class_gap[1]};
    if (formulation_is_norm(formulation))
        rounding->objective = 0.5 * rounding->norm2;
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++)
        *bounds[b] = rounding_bound(*bounds[b]);
}

/* Fills a judgement from the products. */
static void judge_products(const struct judging *judging, const struct product_rounding *on, struct judgement *out)
{
    const struct parameters *parameters = &judging->problem->parameters;
    const double c = parameter_get(parameters, &parameter_c), mu = parameter_get(parameters, &parameter_mu);
    size_t count[2] = {0, 0};
    *out = (struct judgement){.class_gap = {(double)NAN, (double)NAN},
                              .margin = (double)NAN,
                              .middle = {(double)NAN, (double)NAN},
                              .rch_mu = (double)NAN};
    int finite = 1;
    for (size_t j = 0; j < on->n; j++) {
        finite &= isfinite(on->alpha[j]) != 0;
        out->support_vectors += on->alpha[j] > judging->support_threshold;
        count[on->y[j] < 0]++;
    }
    out->mu_floor = 1 / (double)(count[0] < count[1] ? count[0] : count[1]);
    switch (judging->formulation) {
    case FORMULATION_C_SVM:
        judge_c_svm(on, c, out);
        break;
    case FORMULATION_SQUARE_SVM:
        judge_square_svm(on, c, out);
        break;
    case FORMULATION_MINIMUM_NORM:
        judge_minimum_norm(on, parameters, out);
        break;
    case FORMULATION_NO_BIAS_HARD_MARGIN:
    case FORMULATION_NO_BIAS_SVM:
        judge_no_bias(on, judging->formulation == FORMULATION_NO_BIAS_SVM ? c : HUGE_VAL, out);
        break;
    default:
        judge_nearest_points(on, isnan(mu) ? 1 : mu, out);
    }
    out->gap_shortfall = gap_shortfall(judging, out);
    finish_rounding(judging->formulation, &out->rounding);
    if (!finite)
        out->feasibility = HUGE_VAL; /* fmax would ignore NaN */
    out->feasibility += 0.0; /* fmax may return 0 or -0; the sum is 0 */
    out->kkt_violation += 0.0;
}

void judge(const struct judging *judging, struct judgement *out)
{
    products_with_patterns(judging);
    const struct product_rounding rounding = rounding_of_products(judging);
    judge_products(judging, &rounding, out);
}

/* The sum of what the constraints are violated by: sum y alpha = 0, or weights that sum to 1, and the bounds. */
static double violation_of(const struct judging *judging)
{
    const enum formulation formulation = judging->formulation;
    const struct problem *problem = judging->problem;
    const double *alpha = judging->alpha, mu = parameter_get(&problem->parameters, &parameter_mu);
    const int is_norm = formulation_is_norm(formulation), is_hull = formulation == FORMULATION_NEAREST_POINTS;
    const int is_boxed = formulation == FORMULATION_C_SVM || formulation == FORMULATION_NO_BIAS_SVM;
    const double upper = is_boxed               ? parameter_get(&problem->parameters, &parameter_c)
                         : is_hull && !isnan(mu) ? mu
                                                 : HUGE_VAL;
    double outside = 0;
    struct twofold sum[2] = {{is_norm ? -1 : 0, 0}, {is_hull ? -1 : 0, 0}};
    for (size_t j = 0; j < problem->n; j++) {
        int second = problem->y[j] < 0 && formulation != FORMULATION_MINIMUM_NORM;
        sum[second] = twofold_plus(sum[second], (struct twofold){alpha[j], 0});
        outside += fmax(0, fmax(-alpha[j], alpha[j] - upper));
    }
    if (is_norm)
        return outside + fabs(sum[0].high) + fabs(sum[1].high);
    struct twofold minus = {-sum[1].high, -sum[1].low};
    return outside + (formulation_has_bias(formulation) ? fabs(twofold_plus(sum[0], minus).high) : 0);
}

/* How far violated constraints may move a value. With d = sum y alpha, the center changes f_j by d c . x_j and what it
 * is a multiple of, W . c, by d |c|^2. */
static double moved_by(double violation, const struct product_rounding *on, double origin,
                       const struct judgement *judgement)
{
    double largest = 0;
    for (size_t j = 0; j < on->n; j++)
        largest = fmax(largest, fabs(on->f[j]));
    return 2 * violation *
           (violation > 0 ? largest + fabs(judgement->bias) + fabs(origin) + 1 +
                                on->center * (on->largest + violation * on->center)
                          : 0);
}

int judge_closely(const struct judging *judging, int with_svm_gap, struct judgement *judgement)
{
    struct judgement close;
    struct product_rounding rounding = rounding_of_products(judging);
    double origin;
    if (!close_products(judging, -judgement->bias, &rounding, &origin))
        return 0;
    judge_products(judging, &rounding, &close);
    if (with_svm_gap)
        svm_gap(judging, &rounding, &close.svm);
    double violation = violation_of(judging);
    double moved = moved_by(violation, &rounding, origin, &close);
    close.rounding.objective += moved;
    close.rounding.norm2 += moved;
    close.rounding.duality_gap += moved;
    close.rounding.class_gap[0] += moved;
    close.rounding.class_gap[1] += moved;
    close.rounding.kkt_violation += 2 * violation * rounding.center * rounding.largest;
    close.bias -= origin;
    close.middle.bias -= origin;
    *judgement = close;
    return 1;
}

void judgement_take_middle(struct judgement *judgement)
{
    judgement->bias = judgement->middle.bias;
    judgement->margin = judgement->middle.margin;
}
