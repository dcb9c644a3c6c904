/*
 * Judges multipliers of the SVM dual without bias, W = sum alpha_i y_i X_i, f_j = W . X_j: max sum alpha - 1/2 |W|^2, 0
 * <= alpha, and alpha <= C for the soft margin (Potluru et al. 2008, eqs. 4 and 9). b = 0.
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
 */
#include "harness/evaluate/judge_no_bias.h"

#include <math.h>

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

void judge_no_bias(const struct problem *problem, double c, const double *alpha, const double *f,
                   const struct product_rounding *products, struct judgement *judgement)
{
    double sum = 0, norm2 = 0, slack = 0, outside = 0, own = 0, size = 0, slack_bound = 0, n = (double)problem->n;
    struct extreme margin = EXTREME_SMALLEST, violation = {0, 0, 0, 0};
    struct kernel_rounding kernel = rounding_of_kernel(products->gram);
    for (size_t j = 0; j < problem->n; j++) {
        double yf = problem->y[j] * f[j], k = gram_diagonal(products->gram, j);
        double bound = rounding_of_product(products, j), slope_bound = bound + rounding_gamma(1) * fabs(yf - 1);
        double k_bound = kernel.relative * rounding_size2(products->gram, j) + kernel.absolute;
        double along = along_coordinate(alpha[j], yf - 1, k, c);
        sum += alpha[j];
        norm2 += alpha[j] * yf;
        own += fabs(alpha[j]) * bound;
        size += fabs(alpha[j] * yf);
        slack += fmax(0, 1 - yf);
        slack_bound += 1 - yf > -slope_bound ? slope_bound : 0;
        extreme_smallest(&margin, yf, bound);
        outside = fmax(outside, fmax(-alpha[j], alpha[j] - c));
        extreme_largest(&violation, along, bound_along_coordinate(along, yf - 1, slope_bound, k, k_bound));
    }
    slack_bound += rounding_gamma(n) * slack;
    double sum_bound = rounding_gamma(products->terms) * products->sum;
    judgement->norm2 = norm2;
    judgement->objective = sum - 0.5 * norm2;
    judgement->rounding.norm2 = rounding_of_sum(products, own, size);
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
    judgement->rch_mu = (double)NAN;
}
