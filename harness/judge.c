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
 * 2-SVM (Lopez 2008, eqs. 2.4.1 to 2.4.5): F and the thresholds as in the C-SVM with C infinite, f of K + I/C; with
 * f'_j = f_j - alpha_j y_j / C and xi_j = max(0, 1 - y_j (f'_j + b)) the gap is
 * 1/2 sum alpha y f' + C/2 sum xi^2 - (sum alpha - 1/2 sum alpha y f), at the b between the thresholds. The model's own bias is
 * the mean of y_j - f_j over alpha_j > 0 (Algorithm 2, line 8), which at the optimum is the same.
 *
 * Minimum norm of z_j = y_j (X_j, s): u_j = W . z_j = y_j (f_j + b), bias b = s^2 sum alpha y; alpha <= 1/K where nu is given. Gap
 * |W|^2 - the smallest sum w u over 0 <= w <= 1/K, sum w = 1; KKT violation max u over alpha > 0 - min u over alpha < 1/K.
 *
 * Duals without bias: judge_no_bias.c.
 *
 * Nothing here is shared with the solvers' own formulas but the kernel matrix.
 */
#include "harness/judge.h"

#include <float.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "harness/judge_no_bias.h"

/* f_j = W . X_j */
static void products_with_patterns(const struct problem *problem, struct gram *gram, const double *alpha,
                                   double *coefficient, double *f)
{
    memset(f, 0, gram_padded(gram) * sizeof *f);
    for (size_t i = 0; i < problem->n; i++)
        coefficient[i] = problem->y[i] * alpha[i];
    gram_expand(gram, coefficient, f);
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

/* N 2^-52 times the largest that the sum of |alpha_i alpha_j (k_ij + added)| can be. */
static double rounding_of_norm(const struct problem *problem, struct gram *gram, double added, double sum)
{
    double largest = 0;
    for (size_t j = 0; j < problem->n; j++)
        largest = fmax(largest, fabs(gram_diagonal(gram, j)));
    return (double)problem->n * DBL_EPSILON * (largest + added) * sum * sum;
}

static void judge_nearest_points(const struct problem *problem, double mu, struct gram *gram, const double *alpha,
                                 const double *f, double *scratch, struct judgement *out)
{
    struct side plus = judge_side(problem, 1, mu, alpha, f, scratch);
    struct side minus = judge_side(problem, -1, mu, alpha, f, scratch);
    double norm2 = plus.own - minus.own;
    out->norm2 = norm2;
    out->objective = 0.5 * norm2;
    out->duality_gap = norm2 - (plus.extreme + minus.extreme);
    out->rounding = rounding_of_norm(problem, gram, 0, plus.sum_alpha + minus.sum_alpha);
    out->class_gap[0] = plus.own - plus.extreme;
    out->class_gap[1] = -minus.own - minus.extreme;
    out->kkt_violation = fmax(0, fmax(plus.highest - plus.lowest, minus.highest - minus.lowest));
    out->feasibility = fmax(fmax(plus.outside, minus.outside),
                            fmax(fabs(plus.sum_alpha - 1), fabs(minus.sum_alpha - 1)));
    out->bias = -0.5 * (plus.own + minus.own);
    out->rch_mu = (double)NAN;
}

/* What both SVM duals ask of alpha. */
struct box {
    double up, low;          /* thresholds of F */
    double norm2, sum;       /* sum alpha y f; sum alpha */
    double balance, outside; /* sum y alpha; worst violation of a bound */
};

static struct box judge_box(const struct problem *problem, double c, const double *alpha, const double *f)
{
    struct box box = {.up = HUGE_VAL, .low = -HUGE_VAL};
    for (size_t j = 0; j < problem->n; j++) {
        double y = problem->y[j], at = f[j] - y;
        if (y > 0 ? alpha[j] < c : alpha[j] > 0)
            box.up = fmin(box.up, at);
        if (y > 0 ? alpha[j] > 0 : alpha[j] < c)
            box.low = fmax(box.low, at);
        box.norm2 += alpha[j] * y * f[j];
        box.sum += alpha[j];
        box.balance += y * alpha[j];
        box.outside = fmax(box.outside, fmax(-alpha[j], alpha[j] - c));
    }
    return box;
}

static void take_box(const struct box *box, double scale, struct judgement *out)
{
    out->bias = -0.5 * (box->up + box->low);
    out->norm2 = box->norm2;
    out->objective = box->sum - 0.5 * box->norm2;
    out->kkt_violation = fmax(0, box->low - box->up);
    out->feasibility = fmax(box->outside, fabs(box->balance)) / scale;
}

static void judge_c_svm(const struct problem *problem, double c, const double *alpha, const double *f,
                        struct judgement *out)
{
    struct box box = judge_box(problem, c, alpha, f);
    double slack = 0;
    take_box(&box, c, out);
    for (size_t j = 0; j < problem->n; j++)
        slack += fmax(0, 1 - problem->y[j] * (f[j] + out->bias));
    double rho = box.norm2 + c * slack; /* Lopez et al. 2011, eq. 19 */
    out->duality_gap = rho - box.sum;
    out->rch_mu = 2 * c / rho;
}

static void judge_square_svm(const struct problem *problem, double c, const double *alpha, const double *f,
                             struct judgement *out)
{
    struct box box = judge_box(problem, HUGE_VAL, alpha, f);
    double slack2 = 0, plain = 0, bias = 0, supports = 0;
    take_box(&box, fmax(1, box.sum), out);
    for (size_t j = 0; j < problem->n; j++) {
        if (alpha[j] > 0) {
            bias += problem->y[j] - f[j];
            supports++;
        }
        double y = problem->y[j], of_w = f[j] - alpha[j] * y / c, slack = fmax(0, 1 - y * (of_w + out->bias));
        plain += alpha[j] * y * of_w;
        slack2 += slack * slack;
    }
    out->duality_gap = 0.5 * plain + 0.5 * c * slack2 - out->objective;
    if (supports > 0)
        out->bias = bias / supports;
    out->rch_mu = (double)NAN;
}

/* 1/K, the bound of the reduced hull of K = nu N patterns; 1 for solvers of the whole hull, which read no nu. */
static double weight_bound(const struct problem *problem)
{
    double nu = problem->parameters.value[PARAMETER_NU], n = (double)problem->n;
    return isnan(nu) ? 1 : 1 / fmin(fmax(floor(nu * n + 0.5), 1), n);
}

static void judge_minimum_norm(const struct problem *problem, struct gram *gram, const double *alpha, const double *f,
                               double *u, struct judgement *out)
{
    double added = problem->parameters.value[PARAMETER_ADDED], bound = weight_bound(problem);
    double bias = 0, sum = 0, norm2 = 0, least = HUGE_VAL, most = -HUGE_VAL, outside = 0, over = -HUGE_VAL;
    for (size_t j = 0; j < problem->n; j++)
        bias += alpha[j] * problem->y[j];
    bias *= added * added;
    for (size_t j = 0; j < problem->n; j++) {
        u[j] = problem->y[j] * (f[j] + bias);
        sum += alpha[j];
        norm2 += alpha[j] * u[j];
        if (alpha[j] < bound || bound == 1)
            least = fmin(least, u[j]);
        if (alpha[j] > 0)
            most = fmax(most, u[j]);
        outside = fmax(outside, -alpha[j]);
        over = fmax(over, alpha[j] - bound);
    }
    /* what keeps only to the whole hull says nothing about the reduced one */
    int unbounded = problem->parameters.value[PARAMETER_FORGETTING] == FORGETTING_PAPER && over > 0;
    out->bias = bias;
    out->norm2 = norm2;
    out->rounding = rounding_of_norm(problem, gram, added * added, sum);
    out->objective = 0.5 * norm2;
    out->duality_gap = unbounded ? (double)NAN : norm2 - smallest_mixture(u, problem->n, bound);
    out->kkt_violation = unbounded ? (double)NAN : fmax(0, most - least);
    out->feasibility = fmax(fmax(outside, unbounded || bound == 1 ? 0 : over), fabs(sum - 1));
    out->rch_mu = (double)NAN;
}

void judge(const struct problem *problem, enum formulation formulation, struct gram *gram, const double *alpha,
           double support_threshold, double *products, double *scratch, struct judgement *out)
{
    size_t count[2] = {0, 0};
    *out = (struct judgement){.class_gap = {(double)NAN, (double)NAN}};
    int finite = 1;
    for (size_t j = 0; j < problem->n; j++) {
        finite &= isfinite(alpha[j]) != 0;
        out->support_vectors += alpha[j] > support_threshold;
        count[problem->y[j] < 0]++;
    }
    out->mu_floor = 1 / (double)(count[0] < count[1] ? count[0] : count[1]);
    products_with_patterns(problem, gram, alpha, scratch, products);
    double c = problem->parameters.value[PARAMETER_C], mu = problem->parameters.value[PARAMETER_MU];
    switch (formulation) {
    case FORMULATION_C_SVM:
        judge_c_svm(problem, c, alpha, products, out);
        break;
    case FORMULATION_SQUARE_SVM:
        judge_square_svm(problem, c, alpha, products, out);
        break;
    case FORMULATION_MINIMUM_NORM:
        judge_minimum_norm(problem, gram, alpha, products, scratch, out);
        break;
    case FORMULATION_NO_BIAS_HARD_MARGIN:
        judge_no_bias(problem, HUGE_VAL, gram, alpha, products, out);
        break;
    case FORMULATION_NO_BIAS_SVM:
        judge_no_bias(problem, c, gram, alpha, products, out);
        break;
    default:
        judge_nearest_points(problem, isnan(mu) ? 1 : mu, gram, alpha, products, scratch, out);
    }
    if (!finite)
        out->feasibility = HUGE_VAL; /* which fmax would not see */
    out->feasibility += 0.0; /* of 0 and -0 fmax returns either, as the compiler likes; their sum is 0 */
    out->kkt_violation += 0.0;
}
