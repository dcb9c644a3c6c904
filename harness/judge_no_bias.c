/*
 * Judging multipliers of the SVM dual without bias, W = sum alpha_i y_i X_i, f_j = W . X_j: max sum alpha - 1/2 |W|^2,
 * 0 <= alpha, and alpha <= C with the soft margin (Potluru et al. 2008, eqs. 4 and 9). b = 0.
 *
 * Soft margin: xi_j = max(0, 1 - y_j f_j), gap |W|^2 + C sum xi - sum alpha. Hard margin: W / m, m = min y_j f_j,
 * separates with margin 1, so the gap is 1/2 |W/m|^2 - (sum alpha - 1/2 |W|^2); while m <= 0 no feasible W is at hand
 * and it is infinite.
 *
 * KKT violation: the largest min(|y_j f_j - 1|, max(k_jj, 1 / C) d_j), d_j alpha_j's distance from the bound that its
 * slope leads to. For k_jj C >= 1 that is k_jj |alpha_j - best_j|, best_j the minimiser along coordinate j. It is
 * continuous in alpha, so coefficients that die without ever reaching 0 count for as much as they are worth; with 1 / C
 * the whole way from 0 to C counts for at least 1, and no state is optimal for C being small.
 */
#include "harness/judge_no_bias.h"

#include <math.h>

/* The violation of one coordinate, `slope` the derivative at alpha. */
static double along_coordinate(double alpha, double slope, double k, double c)
{
    if (!(k > 0)) /* a line, not a parabola */
        return (slope < 0 && alpha < c) || (slope > 0 && alpha > 0) ? fabs(slope) : 0;
    double worth = k * c < 1 ? 1 / c : k;
    if (slope < 0)
        return fmin(-slope, (c - alpha) * worth);
    return fmin(slope, alpha * worth);
}

void judge_no_bias(const struct problem *problem, double c, struct gram *gram, const double *alpha, const double *f,
                   struct judgement *judgement)
{
    double sum = 0, norm2 = 0, slack = 0, margin = HUGE_VAL, outside = 0, violation = 0;
    for (size_t j = 0; j < problem->n; j++) {
        double yf = problem->y[j] * f[j], k = gram_diagonal(gram, j);
        sum += alpha[j];
        norm2 += alpha[j] * yf;
        slack += fmax(0, 1 - yf);
        margin = fmin(margin, yf);
        outside = fmax(outside, fmax(-alpha[j], alpha[j] - c));
        violation = fmax(violation, along_coordinate(alpha[j], yf - 1, k, c));
    }
    judgement->norm2 = norm2;
    judgement->objective = sum - 0.5 * norm2;
    if (isfinite(c))
        judgement->duality_gap = norm2 + c * slack - sum;
    else
        judgement->duality_gap = margin > 0 ? 0.5 * norm2 / (margin * margin) - judgement->objective : HUGE_VAL;
    judgement->kkt_violation = violation;
    judgement->feasibility = isfinite(c) ? outside / c : outside;
    judgement->rch_mu = (double)NAN;
}
