/*
 * Judging a vector of multipliers, W = sum alpha_i y_i X_i, f_j = W . X_j.
 *
 * Nearest points of mu-reduced hulls (Lopez, Barbero and Dorronsoro 2011, problems (2) and (15)): dual value -1/2 |W|^2;
 * the primal at (W, gamma, rho, xi) with the best gamma, rho is 1/2 |W|^2 - (W . X^+ - W . X^-), so the gap is
 * |W|^2 - (W . X^+ - W . X^-). KKT: b_U <= b_L in each class (Section 4.3). The plane bisects the segment from W- to W+:
 * b = -(W . W+ + W . W-) / 2.
 *
 * C-SVM: F_j = f_j - y_j; b = -(F_up + F_low) / 2 with the thresholds of Keerthi et al. (2001); xi_j = max(0, -y_j (F_j + b));
 * gap |W|^2 + C sum xi - sum alpha; KKT violation F_low - F_up.
 *
 * Nothing here is shared with the solvers' own formulas but the kernel matrix.
 */
#include "harness/judge.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

static void products_with_patterns(const struct problem *problem, struct gram *gram, const double *alpha, double *f)
{
    memset(f, 0, gram_padded(gram) * sizeof *f);
    for (size_t i = 0; i < problem->n; i++)
        if (alpha[i] != 0)
            gram_lanes(gram)->axpy(gram_padded(gram), problem->y[i] * alpha[i], gram_row(gram, i), f);
}

struct side {
    size_t count;
    double sum_alpha, own; /* sum alpha; W . W_s */
    double extreme;        /* s times: the smallest s W . X^ over the reduced hull */
    double highest, lowest; /* largest v with alpha > 0, smallest v with alpha < mu; v = s f */
    double outside;        /* worst bound violation of a multiplier */
};

/* Smallest value of sum w_j v_j over 0 <= w <= mu, sum w = 1: fill up from the smallest v. */
static double smallest_mixture(double *v, size_t count, double mu)
{
    gsl_sort(v, 1, count);
    double left = 1, sum = 0;
    for (size_t k = 0; k < count && left > 0; k++) {
        double weight = fmin(left, mu);
        sum += weight * v[k];
        left -= weight;
    }
    return sum;
}

static struct side judge_side(const struct problem *problem, int class, double mu, const double *alpha, const double *f,
                              double *scratch)
{
    struct side side = {.highest = -HUGE_VAL, .lowest = HUGE_VAL};
    for (size_t j = 0; j < problem->n; j++) {
        if (problem->y[j] != class)
            continue;
        double v = class * f[j];
        scratch[side.count++] = v;
        side.sum_alpha += alpha[j];
        side.own += alpha[j] * f[j];
        side.outside = fmax(side.outside, fmax(-alpha[j], alpha[j] - mu));
        if (alpha[j] > 0)
            side.highest = fmax(side.highest, v);
        if (alpha[j] < mu)
            side.lowest = fmin(side.lowest, v);
    }
    side.extreme = smallest_mixture(scratch, side.count, mu);
    return side;
}

static void judge_nearest_points(const struct problem *problem, double mu, const double *alpha, const double *f,
                                 double *scratch, struct judgement *out)
{
    struct side plus = judge_side(problem, 1, mu, alpha, f, scratch);
    struct side minus = judge_side(problem, -1, mu, alpha, f, scratch);
    double norm2 = plus.own - minus.own;
    out->objective = 0.5 * norm2;
    out->duality_gap = norm2 - (plus.extreme + minus.extreme);
    out->kkt_violation = fmax(0, fmax(plus.highest - plus.lowest, minus.highest - minus.lowest));
    out->feasibility = fmax(fmax(plus.outside, minus.outside),
                            fmax(fabs(plus.sum_alpha - 1), fabs(minus.sum_alpha - 1)));
    out->bias = -0.5 * (plus.own + minus.own);
    out->rch_mu = (double)NAN;
}

static void judge_c_svm(const struct problem *problem, double c, const double *alpha, const double *f,
                        struct judgement *out)
{
    double up = HUGE_VAL, low = -HUGE_VAL, norm2 = 0, sum = 0, balance = 0, outside = 0, slack = 0;
    for (size_t j = 0; j < problem->n; j++) {
        double y = problem->y[j], at = f[j] - y;
        if (y > 0 ? alpha[j] < c : alpha[j] > 0)
            up = fmin(up, at);
        if (y > 0 ? alpha[j] > 0 : alpha[j] < c)
            low = fmax(low, at);
        norm2 += alpha[j] * y * f[j];
        sum += alpha[j];
        balance += y * alpha[j];
        outside = fmax(outside, fmax(-alpha[j], alpha[j] - c));
    }
    out->bias = -0.5 * (up + low);
    for (size_t j = 0; j < problem->n; j++)
        slack += fmax(0, 1 - problem->y[j] * (f[j] + out->bias));
    double rho = norm2 + c * slack; /* eq. (19) */
    out->objective = sum - 0.5 * norm2;
    out->duality_gap = rho - sum;
    out->kkt_violation = fmax(0, low - up);
    out->feasibility = fmax(outside, fabs(balance)) / c;
    out->rch_mu = 2 * c / rho;
}

void judge(const struct problem *problem, enum formulation formulation, struct gram *gram, const double *alpha,
           double support_threshold, double *products, double *scratch, struct judgement *out)
{
    size_t count[2] = {0, 0};
    memset(out, 0, sizeof *out);
    for (size_t j = 0; j < problem->n; j++) {
        out->support_vectors += alpha[j] > support_threshold;
        count[problem->y[j] < 0]++;
    }
    out->mu_floor = 1 / (double)(count[0] < count[1] ? count[0] : count[1]);
    products_with_patterns(problem, gram, alpha, products);
    if (formulation == FORMULATION_NEAREST_POINTS) {
        double mu = problem->parameters.value[PARAMETER_MU];
        judge_nearest_points(problem, isnan(mu) ? 1 : mu, alpha, products, scratch, out);
    } else
        judge_c_svm(problem, problem->parameters.value[PARAMETER_C], alpha, products, out);
}
