/*
 * Every formulation becomes
 *
 *   min F(x) = 1/2 x'Qx - p sum x,   0 <= x <= u,   Ax = b
 *
 * with Q_ij = y_i y_j (k_ij + s^2) + ridge, scaled so that its largest entry is 1 (SVM duals: alpha = x / largest
 * entry). Rows of A: the sums of both classes are 1 (nearest points), the sum is 1 (minimum norm), sum y x = 0 (SVM
 * duals with a bias), none. u is mu, 1/K, C. In the 2-SVM it is 2 C sqrt(N): there alpha_j is C times a slack, and 1/2
 * C sum slack^2 is at most the primal's value 1/2 C N at w = 0. The hard margin without bias has the optimum -1 / (2
 * d^2), where d^2 is the smallest |W|^2 in the convex hull of the y_i X_i, and none if d = 0.
 *
 * The method is primal-dual path following (Wright 1997, Primal-Dual Interior-Point Methods, Chapter 5). With w = u - x
 * and multipliers z of x >= 0, v of w >= 0 and lambda of Ax = b, each iteration is a Newton step towards
 *
 *   Qx - p - A'lambda - z + v = 0,   Ax = b,   x_j z_j = w_j v_j = t
 *
 * with t a tenth of the current mean, shortened so that x, w, z, v stay positive. Then x is made feasible, and
 *
 *   high = F(x),   low = -1/2 x'Qx + b'lambda - u sum max(0, -r_j),   r = Qx - p - A'lambda
 *
 * low is the minimum of F's linearisation over the box, a lower bound for any lambda (Wolfe's dual). Distant bounds
 * make the method slow, so a closer one is tried first; `low` uses the true one.
 *
 * Kernel values are computed independently. If F does not change (inner-product kernel, sum y x = 0), the patterns are
 * first shifted so that the first is the origin: far from the origin the differences would lose most digits.
 */
#include "harness/verify/reference.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "harness/verify/settings.h"

enum { MAX_ROWS = 2, MAX_SYSTEM = MAX_SMALL + MAX_ROWS, TURNS = 200 };

struct program {
    size_t n, rows;
    double q[MAX_SMALL][MAX_SMALL], p, a[MAX_ROWS][MAX_SMALL], b[MAX_ROWS], upper;
    double x[MAX_SMALL], w[MAX_SMALL], z[MAX_SMALL], v[MAX_SMALL], lambda[MAX_ROWS];
};

/* ---- the interior-point method ---- */

static double mean_product(const struct program *program)
{
    double sum = 0;
    for (size_t j = 0; j < program->n; j++)
        sum += program->x[j] * program->z[j] + program->w[j] * program->v[j];
    return sum / (2 * (double)program->n);
}

static double gradient(const struct program *program, size_t i)
{
    double sum = -program->p;
    for (size_t j = 0; j < program->n; j++)
        sum += program->q[i][j] * program->x[j];
    return sum;
}

/* (A'lambda)_i */
static double priced(const struct program *program, size_t i)
{
    double sum = 0;
    for (size_t r = 0; r < program->rows; r++)
        sum += program->a[r][i] * program->lambda[r];
    return sum;
}

/* Sets up the Newton system in x and lambda. */
static void set_system(const struct program *program, double t, gsl_matrix *m, gsl_vector *right)
{
    size_t n = program->n;
    gsl_matrix_set_zero(m);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            gsl_matrix_set(m, i, j, program->q[i][j]);
        *gsl_matrix_ptr(m, i, i) += program->z[i] / program->x[i] + program->v[i] / program->w[i];
        gsl_vector_set(right, i, priced(program, i) - gradient(program, i) + t / program->x[i] - t / program->w[i]);
        for (size_t r = 0; r < program->rows; r++) {
            gsl_matrix_set(m, i, n + r, -program->a[r][i]);
            gsl_matrix_set(m, n + r, i, program->a[r][i]);
        }
    }
    for (size_t r = 0; r < program->rows; r++) {
        double left = program->b[r];
        for (size_t j = 0; j < n; j++)
            left -= program->a[r][j] * program->x[j];
        gsl_vector_set(right, n + r, left);
    }
}

/* Reduces *share so that value + share * change stays positive. */
static void cut(double *share, double value, double change)
{
    if (change < 0 && -0.99 * value / change < *share)
        *share = -0.99 * value / change;
}

static void move(struct program *program, double t, const gsl_vector *step)
{
    double dz[MAX_SMALL], dv[MAX_SMALL], share = 1;
    for (size_t j = 0; j < program->n; j++) {
        double dx = gsl_vector_get(step, j);
        dz[j] = (t - program->z[j] * dx) / program->x[j] - program->z[j];
        dv[j] = (t + program->v[j] * dx) / program->w[j] - program->v[j];
        cut(&share, program->x[j], dx);
        cut(&share, program->w[j], -dx);
        cut(&share, program->z[j], dz[j]);
        cut(&share, program->v[j], dv[j]);
    }
    for (size_t j = 0; j < program->n; j++) {
        double dx = share * gsl_vector_get(step, j);
        program->x[j] += dx;
        program->w[j] -= dx;
        program->z[j] += share * dz[j];
        program->v[j] += share * dv[j];
    }
    for (size_t r = 0; r < program->rows; r++)
        program->lambda[r] += share * gsl_vector_get(step, program->n + r);
}

/* Zero if out of memory; the resulting point may or may not be good. */
static int follow_path(struct program *program)
{
    size_t size = program->n + program->rows;
    gsl_matrix *m = gsl_matrix_alloc(size, size);
    gsl_vector *right = gsl_vector_alloc(size), *step = gsl_vector_alloc(size);
    gsl_permutation *order = gsl_permutation_alloc(size);
    int has_memory = m && right && step && order, sign;
    for (int turn = 0; has_memory && turn < TURNS; turn++) {
        double mean = mean_product(program);
        struct program before = *program;
        if (mean < 1e-18 * fmax(1, program->upper))
            break;
        set_system(program, 0.1 * mean, m, right);
        if (gsl_linalg_LU_decomp(m, order, &sign) != 0 || gsl_linalg_LU_solve(m, order, right, step) != 0)
            break;
        move(program, 0.1 * mean, step);
        if (!isfinite(mean_product(program))) {
            *program = before;
            break;
        }
    }
    gsl_matrix_free(m);
    gsl_vector_free(right);
    gsl_vector_free(step);
    gsl_permutation_free(order);
    return has_memory;
}

/* ---- the problem ---- */

static int has_balance(enum formulation formulation)
{
    return formulation == FORMULATION_C_SVM || formulation == FORMULATION_SQUARE_SVM;
}

static double kernel_value(const struct instance *instance, size_t i, size_t j, int moved)
{
    const struct kernel *kernel = &instance->kernel;
    double inner = 0, distance2 = 0, value = 1;
    for (size_t d = 0; d < instance->dims; d++) {
        double a = instance->x[i * instance->dims + d], b = instance->x[j * instance->dims + d];
        double origin = moved ? instance->x[d] : 0;
        inner += (a - origin) * (b - origin);
        distance2 += (a - b) * (a - b);
    }
    if (kernel->type == KERNEL_RBF)
        return exp(-distance2 / kernel->width);
    if (kernel->type == KERNEL_LINEAR)
        return inner;
    for (unsigned k = 0; k < kernel->degree; k++)
        value *= kernel->scale * inner + kernel->offset;
    return value;
}

/* The class, or the sum, that x_j belongs to. */
static size_t side_of(const struct instance *instance, enum formulation formulation, size_t j)
{
    return formulation == FORMULATION_NEAREST_POINTS && instance->y[j] < 0;
}

static double upper_of(const struct solver *solver, const struct problem *problem)
{
    double n = (double)problem->n, c = setting_value(solver, problem, &parameter_c, 1);
    double nu = setting_value(solver, problem, &parameter_nu, 0);
    switch (solver->formulation) {
    case FORMULATION_NEAREST_POINTS:
        return setting_value(solver, problem, &parameter_mu, 1);
    case FORMULATION_MINIMUM_NORM:
        return nu > 0 ? 1 / fmin(fmax(floor(nu * n + 0.5), 1), n) : 1;
    case FORMULATION_SQUARE_SVM:
        return 2 * c * sqrt(n);
    case FORMULATION_NO_BIAS_HARD_MARGIN:
        return 1;
    default:
        return c;
    }
}

/* Sets up the program, not yet scaled; returns Q's largest entry. */
static double set_matrix(const struct instance *instance, const struct solver *solver, const struct problem *problem,
                         enum formulation formulation, struct program *program)
{
    int moved = instance->kernel.type == KERNEL_LINEAR &&
                (formulation == FORMULATION_NEAREST_POINTS || has_balance(formulation));
    int is_extended = solver->formulation == FORMULATION_MINIMUM_NORM;
    double s = is_extended ? setting_value(solver, problem, &parameter_added, 1) : 0;
    double ridge = solver->square_penalty ? 1 / setting_value(solver, problem, &parameter_c, 1) : 0, largest = 0;
    for (size_t i = 0; i < instance->n; i++)
        for (size_t j = 0; j < instance->n; j++) {
            double k = kernel_value(instance, i, j, moved) + s * s;
            program->q[i][j] = instance->y[i] * instance->y[j] * k + (i == j ? ridge : 0);
            largest = fmax(largest, fabs(program->q[i][j]));
        }
    return largest;
}

static void set_rows(const struct instance *instance, enum formulation formulation, struct program *program)
{
    int sums = formulation_is_norm(formulation);
    program->rows = formulation == FORMULATION_NEAREST_POINTS ? 2 : sums || has_balance(formulation) ? 1 : 0;
    for (size_t j = 0; program->rows && j < program->n; j++)
        program->a[side_of(instance, formulation, j)][j] = sums ? 1 : instance->y[j];
    for (size_t r = 0; sums && r < program->rows; r++)
        program->b[r] = 1;
}

/* Sets a point inside the bounds. If a hull is a single point, the bounds are widened slightly. */
static void set_start(const struct instance *instance, enum formulation formulation, struct program *program)
{
    double count[2] = {0, 0};
    for (size_t j = 0; j < program->n; j++)
        count[side_of(instance, formulation, j)]++;
    if (formulation_is_norm(formulation))
        for (size_t r = 0; r < program->rows; r++)
            program->upper = fmax(program->upper, (1 + 1e-8) / count[r]);
    for (size_t j = 0; j < program->n; j++) {
        double share = 1 / count[side_of(instance, formulation, j)];
        program->x[j] = formulation_is_norm(formulation) ? share : fmin(program->upper / 2, share);
        program->w[j] = program->upper - program->x[j];
        program->z[j] = program->v[j] = 1;
    }
}

/* Makes the weights of a hull sum to 1: scales them down if too large, else adds to those below the bound. */
static void sum_to_one(const struct instance *instance, enum formulation formulation, size_t side, double upper,
                       double *x)
{
    double sum = 0;
    for (size_t j = 0; j < instance->n; j++)
        if (side_of(instance, formulation, j) == side) {
            x[j] = fmin(x[j], upper);
            sum += x[j];
        }
    double left = fmax(1 - sum, 0), factor = 1 / fmax(sum, 1);
    for (size_t j = 0; j < instance->n; j++)
        if (side_of(instance, formulation, j) == side) {
            double more = fmin(left, fmax(upper - x[j], 0));
            x[j] = factor * x[j] + more;
            left -= more;
        }
}

/* Balances two classes by reducing the heavier one. */
static void balance(const struct instance *instance, double *x)
{
    double sum[2] = {0, 0};
    for (size_t j = 0; j < instance->n; j++)
        sum[instance->y[j] < 0] += x[j];
    for (size_t j = 0; j < instance->n; j++)
        x[j] *= fmin(sum[0], sum[1]) / sum[instance->y[j] < 0];
}

static void make_feasible(const struct instance *instance, enum formulation formulation, double upper, double *x)
{
    if (has_balance(formulation))
        balance(instance, x);
    else if (formulation_is_norm(formulation))
        for (size_t side = 0; side < (formulation == FORMULATION_NEAREST_POINTS ? 2 : 1); side++)
            sum_to_one(instance, formulation, side, upper, x);
}

/* Computes F(x) and its lower bound, on the scale of the scaled program. */
static void enclose(const struct instance *instance, enum formulation formulation, double upper,
                    struct program *program, double *low, double *high)
{
    double square = 0, sum = 0, below = 0;
    make_feasible(instance, formulation, upper, program->x);
    for (size_t j = 0; j < program->n; j++) {
        double slope = gradient(program, j), reduced = slope - priced(program, j);
        square += program->x[j] * (slope + program->p);
        sum += program->x[j];
        below += upper * fmax(0, -reduced);
    }
    *high = 0.5 * square - program->p * sum;
    *low = -0.5 * square - below;
    for (size_t r = 0; r < program->rows; r++)
        *low += program->b[r] * program->lambda[r];
}

/* Solves the scaled program with bounds of at most `cap`. */
static int solve_below(const struct instance *instance, enum formulation formulation, double upper, double cap,
                       struct program *program, double *low, double *high)
{
    program->upper = fmin(upper, cap);
    memset(program->lambda, 0, sizeof program->lambda);
    set_start(instance, formulation, program);
    if (!follow_path(program))
        return 0;
    for (size_t j = 0; cap < upper && j < program->n; j++)
        if (program->x[j] > 0.99 * cap)
            program->x[j] = upper; /* at the cap means at the bound; the enclosure checks that */
    enclose(instance, formulation, upper, program, low, high);
    return 1;
}

/* Computes the hard margin's optimum from that of the nearest point. */
static int from_nearest(double largest, double low, double high, struct reference *reference)
{
    reference->is_unbounded = high <= 1e-9 * largest;
    if (reference->is_unbounded)
        return 1;
    if (!(low > 0))
        return 0;
    reference->low = -1 / (4 * low);
    reference->high = -1 / (4 * high);
    reference->unit = fabs(reference->high);
    return reference->high - reference->low <= 1e-7 * reference->unit;
}

int reference_find(const struct instance *instance, const struct solver *solver, const struct problem *problem,
                   struct reference *reference)
{
    const double precision = 1e-7, caps[] = {1e3, 1e6, HUGE_VAL};
    int is_hard = solver->formulation == FORMULATION_NO_BIAS_HARD_MARGIN;
    enum formulation formulation = is_hard ? FORMULATION_MINIMUM_NORM : solver->formulation;
    struct program program = {.n = instance->n, .p = formulation_is_norm(formulation) ? 0 : 1};
    double largest = set_matrix(instance, solver, problem, formulation, &program), upper = upper_of(solver, problem);
    int is_norm = formulation_is_norm(formulation), proved = 0;
    *reference = (struct reference){.is_unbounded = 0};
    largest = largest > 0 ? largest : 1;
    /* x = alpha / weights, F = value times the scaled F */
    double weights = is_norm ? 1 : fmin(upper, 1 / largest), value = is_norm ? largest : weights;
    double matrix = is_norm ? 1 / largest : weights;
    for (size_t i = 0; i < program.n; i++)
        for (size_t j = 0; j < program.n; j++)
            program.q[i][j] *= matrix;
    set_rows(instance, formulation, &program);
    for (size_t k = 0; k < sizeof caps / sizeof *caps && !proved; k++) {
        double low, high;
        if (!solve_below(instance, formulation, upper / weights, caps[k], &program, &low, &high))
            return 0;
        if (is_hard) {
            proved = from_nearest(largest, value * low, value * high, reference);
            continue;
        }
        *reference = (struct reference){value * low, value * high, 0, 0};
        reference->unit = fmax(fabs(reference->high), is_norm ? largest : 0);
        proved = reference->high - reference->low <= precision * reference->unit;
    }
    return proved;
}
