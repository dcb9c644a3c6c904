/*
 * The optimum. With Q scaled to entries of at most 1 (alpha = t beta, where t is the inverse of the largest entry or
 * C), an interior-point method gives x and the multipliers lambda of the rows. Then, in the scaled problem and by sums
 * in 113 bits,
 *
 *     max = F(x'), where x' is x with corrected sums
 *     min = the minimum over 0 <= beta <= u of F's linearisation at s x, rows priced by s lambda
 *         = -1/2 s^2 x'Qx + s b'lambda - u sum max(0, -r_j),  r = s (Q x - A'lambda) - p
 *
 * which is a lower bound for every s and lambda if Q is positive semidefinite (Wolfe's dual). s = 1 + 1e-26 for the SVM
 * duals, whose u may be so large that a rounding error of r would matter. If y'alpha = 0, the first pattern is
 * subtracted from all, which does not change F and keeps Q small if they are far from the origin.
 *
 * A 2-SVM's alpha_j is C times a slack, and 1/2 C sum slack^2 is at most the primal's value at w = 0, 1/2 C N. So u = 2
 * C sqrt(N) is an inactive bound. Without bias and with a hard margin the optimum is -1/(2 d^2), where d^2 is the
 * smallest |W|^2 in the convex hull of the y_i X_i; if d = 0, there is no optimum.
 */
#include "tests/exact_optimum.h"

#include <math.h>
#include <string.h>

static int is_hull(enum formulation formulation)
{
    return formulation == FORMULATION_NEAREST_POINTS || formulation == FORMULATION_MINIMUM_NORM;
}

static int has_balance(enum formulation formulation)
{
    return formulation == FORMULATION_C_SVM || formulation == FORMULATION_SQUARE_SVM;
}

/* ---- the problem ---- */

quad exact_kernel(const struct kernel *kernel, size_t dims, const double *x, const double *z, size_t j)
{
    quad inner = 0, distance2 = 0, value = 1;
    if (kernel->type == KERNEL_PRECOMPUTED)
        return x[j];
    for (size_t d = 0; d < dims; d++) {
        quad difference = (quad)x[d] - (quad)z[d];
        inner += (quad)x[d] * (quad)z[d];
        distance2 += difference * difference;
    }
    if (kernel->type == KERNEL_RBF)
        return quad_exp_negative(-distance2 / (quad)kernel->width);
    if (kernel->type == KERNEL_LINEAR)
        return inner;
    for (unsigned k = 0; k < kernel->degree; k++)
        value *= (quad)kernel->scale * inner + (quad)kernel->offset;
    return value;
}

static quad upper_of(const struct solver *solver, const struct problem *problem)
{
    const struct parameters *parameters = &problem->parameters;
    double mu = parameter_get(parameters, &parameter_mu), nu = parameter_get(parameters, &parameter_nu);
    double n = (double)problem->n, count[2] = {0, 0};
    for (size_t i = 0; i < problem->n; i++)
        count[problem->y[i] < 0]++;
    switch (solver->formulation) {
    case FORMULATION_NEAREST_POINTS:
        return quad_max(isnan(mu) ? 1 : (quad)mu, (quad)1 / (quad)fmin(count[0], count[1]));
    case FORMULATION_MINIMUM_NORM:
        return isnan(nu) ? 1 : (quad)1 / (quad)fmin(fmax(floor(nu * n + 0.5), 1), n);
    case FORMULATION_C_SVM:
    case FORMULATION_NO_BIAS_SVM:
        return parameter_get(parameters, &parameter_c);
    default:
        return (quad)HUGE_VAL;
    }
}

void exact_problem_set(struct exact_problem *exact, const struct solver *solver, const struct problem *problem,
                       quad k[MAX_QP][MAX_QP])
{
    quad added = parameter_get(&problem->parameters, &parameter_added);
    quad s = solver->formulation == FORMULATION_MINIMUM_NORM ? added : 0;
    quad ridge = solver->square_penalty ? 1 / (quad)parameter_get(&problem->parameters, &parameter_c) : 0;
    *exact = (struct exact_problem){.formulation = solver->formulation, .n = problem->n};
    exact->p = is_hull(solver->formulation) ? 0 : 1;
    exact->upper = upper_of(solver, problem);
    exact->c = parameter_get(&problem->parameters, &parameter_c);
    for (size_t i = 0; i < problem->n; i++) {
        exact->y[i] = problem->y[i];
        exact->k0[i] = k[i][0];
        for (size_t j = 0; j < problem->n; j++)
            exact->q[i][j] = problem->y[i] * problem->y[j] * (k[i][j] + s * s) + (i == j ? ridge : 0);
    }
}

/* ---- its optimum ---- */

/* Q times `matrix`, alpha = `weights` beta, and F = `value` times the scaled F. */
struct scales {
    quad matrix, weights, value, upper; /* upper: bound of beta */
};

/* The amount that subtracting the first pattern from all removes from an entry. If the sum of y alpha is 0, F does not
 * change, and it is then not a difference of large numbers. */
static quad shift_of(const struct exact_problem *exact, size_t i, size_t j)
{
    if (exact->formulation != FORMULATION_NEAREST_POINTS && !has_balance(exact->formulation))
        return 0;
    return exact->y[i] * exact->y[j] * (exact->k0[i] + exact->k0[j] - exact->k0[0]);
}

static quad largest_entry(const struct exact_problem *exact)
{
    quad largest = 0;
    for (size_t i = 0; i < exact->n; i++)
        for (size_t j = 0; j < exact->n; j++)
            largest = quad_max(largest, quad_abs(exact->q[i][j] - shift_of(exact, i, j)));
    return largest;
}

static struct scales scales_of(const struct exact_problem *exact)
{
    quad largest = largest_entry(exact), upper = exact->upper;
    if (exact->formulation == FORMULATION_SQUARE_SVM)
        upper = 2 * exact->c * quad_sqrt((quad)exact->n);
    if (is_hull(exact->formulation)) {
        largest = largest > 0 ? largest : 1;
        return (struct scales){1 / largest, 1, largest, upper};
    }
    quad weights = largest * upper > 1 ? 1 / largest : upper;
    return (struct scales){weights, weights, weights, upper / weights};
}

static size_t rows_of(enum formulation formulation)
{
    return formulation == FORMULATION_NEAREST_POINTS                                   ? 2
           : formulation == FORMULATION_MINIMUM_NORM || has_balance(formulation) ? 1
                                                                                       : 0;
}

static size_t row_of(const struct exact_problem *exact, size_t j)
{
    return exact->formulation == FORMULATION_NEAREST_POINTS && exact->y[j] < 0;
}

static void set_program(const struct exact_problem *exact, const struct scales *scales, quad cap,
                        struct small_qp_quad *qp)
{
    quad count[2] = {0, 0};
    for (size_t i = 0; i < exact->n; i++)
        count[row_of(exact, i)] += 1;
    memset(qp, 0, sizeof *qp);
    qp->n = exact->n;
    qp->rows = rows_of(exact->formulation);
    qp->upper = quad_min(scales->upper, cap);
    if (is_hull(exact->formulation)) /* some space inside the bounds if they leave a single point */
        qp->upper = quad_max(qp->upper, (1 + (quad)1e-20) / (qp->rows == 2 ? quad_min(count[0], count[1]) : count[0]));
    for (size_t i = 0; i < exact->n; i++) {
        qp->p[i] = exact->p;
        if (qp->rows)
            qp->a[row_of(exact, i)][i] = has_balance(exact->formulation) ? exact->y[i] : 1;
        for (size_t j = 0; j < exact->n; j++)
            qp->q[i][j] = (exact->q[i][j] - shift_of(exact, i, j)) * scales->matrix;
        qp->x[i] = quad_min(qp->upper / 2, 1 / count[row_of(exact, i)]);
    }
    if (is_hull(exact->formulation))
        qp->b[0] = qp->b[1] = 1;
}

/* Makes the sums of a hull's weights 1; of two sides that must balance, lowers the larger. */
static void make_feasible(const struct exact_problem *exact, quad *x)
{
    quad sum[2] = {0, 0}, factor[2] = {1, 1};
    int balance = has_balance(exact->formulation);
    if (rows_of(exact->formulation) == 0)
        return;
    for (size_t j = 0; j < exact->n; j++)
        sum[balance ? exact->y[j] < 0 : row_of(exact, j)] += x[j];
    for (int side = 0; side < 2; side++)
        if (sum[side] > 0)
            factor[side] = (balance ? quad_min(sum[0], sum[1]) : 1) / sum[side];
    for (size_t j = 0; j < exact->n; j++)
        x[j] *= factor[balance ? exact->y[j] < 0 : row_of(exact, j)];
}

static quad gradient_at(quad q[MAX_QP][MAX_QP], size_t n, const quad *x, size_t j)
{
    quad sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += q[i][j] * x[i];
    return sum;
}

/* The two bounds of the scaled program, times `value`; x and multipliers in the units of the problem. */
static void enclose(const struct exact_problem *exact, const struct scales *scales, struct small_qp_quad *qp,
                    struct exact_optimum *optimum)
{
    quad s = is_hull(exact->formulation) ? 1 : 1 + (quad)1e-26, square = 0, sum = 0, min = 0, moved = 0;
    make_feasible(exact, qp->x);
    for (size_t j = 0; j < exact->n; j++) {
        quad product = gradient_at(qp->q, qp->n, qp->x, j), priced = qp->rows ? qp->a[0][j] * qp->lambda[0] : 0;
        if (qp->rows == 2)
            priced += qp->a[1][j] * qp->lambda[1];
        quad reduced = s * (product - priced) - exact->p;
        square += qp->x[j] * product;
        moved += exact->y[j] * qp->x[j] * exact->k0[j];
        sum += qp->x[j];
        min -= quad_max(qp->upper, scales->upper) * quad_max(0, -reduced);
        optimum->x[j] = qp->x[j] * scales->weights;
        optimum->reduced[j] = reduced * scales->value / scales->weights;
    }
    min += -s * s * square / 2 + s * (qp->b[0] * qp->lambda[0] + qp->b[1] * qp->lambda[1]);
    optimum->max = scales->value * (square / 2 - exact->p * sum);
    optimum->min = scales->value * min;
    optimum->unit = scales->value;
    for (size_t r = 0; r < QP_ROWS; r++)
        optimum->lambda[r] = s * qp->lambda[r] * scales->value / scales->weights;
    if (exact->formulation == FORMULATION_NEAREST_POINTS || has_balance(exact->formulation)) {
        optimum->lambda[0] += s * moved * scales->weights;
        optimum->lambda[1] -= s * moved * scales->weights;
    }
}

/* Without bias, hard margin: from the point nearest to the origin. */
static void from_nearest(struct exact_optimum *optimum, quad largest)
{
    quad max = optimum->max, min = optimum->min;
    optimum->unbounded = !(min > (quad)1e-24 * largest);
    optimum->max = optimum->unbounded ? -(quad)HUGE_VAL : -1 / (4 * max);
    optimum->min = optimum->unbounded ? -(quad)HUGE_VAL : -1 / (4 * min);
    for (size_t j = 0; j < MAX_QP && !optimum->unbounded; j++)
        optimum->x[j] /= 2 * max;
}

/* Without bias, a pattern whose kernel values are all 0 has the multiplier C whatever the others are. A 1 on the
 * diagonal keeps it out of the program; afterwards it is put at its bound. */
static void set_free_rows(const struct exact_problem *exact, const struct scales *scales, struct small_qp_quad *qp,
                          int out)
{
    for (size_t j = 0; j < exact->n && exact->formulation == FORMULATION_NO_BIAS_SVM; j++) {
        quad largest = 0;
        for (size_t i = 0; i < exact->n; i++)
            largest = quad_max(largest, quad_abs(exact->q[i][j]));
        if (largest > 0)
            continue;
        qp->q[j][j] = out;
        if (!out)
            qp->x[j] = scales->upper;
    }
}

static int find_below(const struct exact_problem *exact, quad cap, struct exact_optimum *optimum)
{
    static _Thread_local struct small_qp_quad qp;
    struct scales scales = scales_of(exact);
    *optimum = (struct exact_optimum){.unbounded = 0};
    set_program(exact, &scales, cap, &qp);
    set_free_rows(exact, &scales, &qp, 1);
    (void)small_qp_quad_solve(&qp); /* the value of its best point is checked below */
    set_free_rows(exact, &scales, &qp, 0);
    /* a variable that would move to the bound is put there; the enclosure shows whether this was right */
    for (size_t j = 0; j < qp.n; j++)
        if (qp.x[j] > (quad)0.99 * cap)
            qp.x[j] = scales.upper;
    enclose(exact, &scales, &qp, optimum);
    quad width = optimum->max - optimum->min;
    return width >= -(quad)1e-26 * scales.value - (quad)1e-28 * quad_abs(optimum->max) &&
           (width <= (quad)1e-18 * scales.value || width <= (quad)1e-12 * quad_abs(optimum->max));
}

int exact_optimum_find(const struct exact_problem *exact, struct exact_optimum *optimum)
{
    static const double caps[] = {1e3, 1e9, 1e18, HUGE_VAL}; /* on the scaled program: distant bounds make it slow */
    struct exact_problem nearest = *exact;
    int hard = exact->formulation == FORMULATION_NO_BIAS_HARD_MARGIN, enclosed = 0;
    if (hard) {
        nearest.formulation = FORMULATION_MINIMUM_NORM;
        nearest.upper = 1;
        nearest.p = 0;
    }
    for (size_t k = 0; k < sizeof caps / sizeof *caps && !enclosed; k++)
        enclosed = find_below(&nearest, caps[k], optimum);
    if (hard)
        from_nearest(optimum, largest_entry(exact));
    return enclosed;
}

/* ---- multipliers ---- */

static quad mixture_least(const struct exact_problem *exact, const quad *v, int row)
{
    quad left = 1, sum = 0;
    int taken[MAX_QP] = {0};
    while (left > 0) {
        size_t best = MAX_QP;
        for (size_t j = 0; j < exact->n; j++)
            if ((int)row_of(exact, j) == row && !taken[j] && (best == MAX_QP || v[j] < v[best]))
                best = j;
        if (best == MAX_QP)
            break;
        taken[best] = 1;
        quad weight = quad_min(left, exact->upper);
        sum += weight * v[best];
        left -= weight;
    }
    return sum;
}

/* F_up, F_low of Keerthi et al. (2001); y_j F_j is the gradient. */
static void with_bias(const struct exact_problem *exact, const double *alpha, struct exact_figures *figures)
{
    quad up = (quad)HUGE_VAL, low = -(quad)HUGE_VAL;
    for (size_t j = 0; j < exact->n; j++) {
        quad at = exact->y[j] * figures->gradient[j];
        int grows = alpha[j] < exact->upper, shrinks = alpha[j] > 0;
        if (exact->y[j] > 0 ? grows : shrinks)
            up = quad_min(up, at);
        if (exact->y[j] > 0 ? shrinks : grows)
            low = quad_max(low, at);
    }
    figures->violation = quad_max(0, low - up);
    figures->middle = (low + up) / 2;
}

/* The largest min(|slope|, worth times the distance to the bound that the slope leads to), as in
 * harness/evaluate/judge.c. */
static void without_bias(const struct exact_problem *exact, const double *alpha, struct exact_figures *figures)
{
    for (size_t j = 0; j < exact->n; j++) {
        quad slope = figures->gradient[j], way = slope < 0 ? exact->upper - alpha[j] : (quad)alpha[j];
        quad worth = exact_worth(exact, j), at = quad_abs(slope);
        if (way <= 0)
            at = 0;
        else if (worth > 0)
            at = quad_min(at, way * worth);
        figures->violation = quad_max(figures->violation, at);
    }
}

quad exact_worth(const struct exact_problem *exact, size_t j)
{
    quad k = exact->q[j][j];
    return k <= 0 ? 0 : k * exact->upper < 1 ? 1 / exact->upper : k;
}

static void hull_figures(const struct exact_problem *exact, const double *alpha, struct exact_figures *figures)
{
    for (int row = 0; row < (int)rows_of(exact->formulation); row++) {
        quad own = 0, sum = 0;
        for (size_t j = 0; j < exact->n; j++)
            if ((int)row_of(exact, j) == row) {
                own += alpha[j] * figures->gradient[j];
                sum += alpha[j];
            }
        figures->gap[row] = own - mixture_least(exact, figures->gradient, row);
        figures->balance = quad_max(figures->balance, quad_abs(sum - 1));
    }
}

void exact_figures_of(const struct exact_problem *exact, const double *alpha, struct exact_figures *figures)
{
    quad wide[MAX_QP], sum = 0, balance = 0, largest = 0;
    *figures = (struct exact_figures){.objective = 0};
    for (size_t j = 0; j < exact->n; j++) {
        wide[j] = alpha[j];
        sum += wide[j];
        balance += exact->y[j] * wide[j];
        figures->outside = quad_max(figures->outside, quad_max(-wide[j], wide[j] - exact->upper));
    }
    for (size_t j = 0; j < exact->n; j++) {
        quad product = 0;
        for (size_t i = 0; i < exact->n; i++) {
            product += exact->q[i][j] * wide[i];
            largest = quad_max(largest, quad_abs(exact->q[i][j]));
        }
        figures->gradient[j] = product - exact->p;
        figures->norm2 += wide[j] * product;
    }
    figures->objective = figures->norm2 / 2 - exact->p * sum;
    figures->rounding = (quad)1e-30 * sum * (largest * sum + exact->p);
    if (is_hull(exact->formulation))
        hull_figures(exact, alpha, figures);
    else if (has_balance(exact->formulation)) {
        figures->balance = quad_abs(balance);
        with_bias(exact, alpha, figures);
    } else
        without_bias(exact, alpha, figures);
}

quad exact_lower_bound(const struct exact_problem *exact, const struct exact_optimum *optimum, const double *alpha)
{
    struct scales scales = scales_of(exact);
    quad bound = optimum->min;
    if (exact->formulation == FORMULATION_NO_BIAS_HARD_MARGIN)
        return bound;
    for (size_t r = 0; r < rows_of(exact->formulation); r++) {
        quad sum = is_hull(exact->formulation) ? -1 : 0;
        for (size_t j = 0; j < exact->n; j++)
            if (row_of(exact, j) == r)
                sum += has_balance(exact->formulation) ? exact->y[j] * (quad)alpha[j] : (quad)alpha[j];
        bound += optimum->lambda[r] * sum;
    }
    for (size_t j = 0; j < exact->n; j++) {
        quad upper = scales.upper * scales.weights, reduced = optimum->reduced[j];
        bound += reduced > 0 ? reduced * alpha[j] : -reduced * (upper - alpha[j]);
    }
    return bound;
}
