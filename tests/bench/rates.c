/*
 * Local linear rates against theoretical bounds, on the 13 sets at the widths of Table 1 and on three generated sets,
 * at three values of C.
 *
 * Once the multipliers at their bounds no longer change, 1-smo is steepest descent along pairs of the m free ones. With
 * beta_i = y_i alpha_i, gradient g and violation D = max g - min g over them, the step of the most violating pair gains
 * at least
 *
 *     D^2 / (2 eta),  eta the largest |X_i - X_j|^2 of free patterns,
 *
 * and the objective exceeds its minimum by at most |P g|^2 / (2 lambda). Here P is the projection onto sum beta = 0, K
 * the kernel matrix of the free patterns, and lambda the smallest nonzero eigenvalue of P K P (P g is in the range of P
 * K P, as the objective has a minimum). As g lies within D / 2 of its middle, |P g|^2 <= m D^2 / 4, so each iteration
 * removes at least the fraction
 *
 *     rho = 4 lambda / (m eta)
 *
 * of the error. This also holds for second-order-smo, whose gain is at least that of a pair with the pattern that 1-smo
 * chooses first, and for clip-mdm with P the projection onto both classes' sums: it moves the class with the larger D.
 * conjugate-smo has no such bound. Table and report give the iterations per decade of the error: ln 10 / rho by the
 * bound, and as measured between relative errors of 1e-5 and 1e-8 of the objective.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_eigen.h>

#include "harness/evaluate/solve.h"
#include "tests/bench/bench.h"

static const double cs[] = {1, 64, 1024};
static const char *const made[] = {"moons", "chessboard", "ijcnn1-like"}; /* 500 patterns each */
static const char *const solvers[] = {"1-smo", "second-order-smo", "conjugate-smo", "clip-mdm"};
enum { CS = sizeof cs / sizeof *cs, SOLVERS = sizeof solvers / sizeof *solvers, HULLS = 3 };

/* Runs the solver until its violation is 1e-9 and fills in the trace; the parameters are those of the problem. */
static void run_traced(const char *name, struct problem *problem, struct bench_rows *rows, struct trace *trace,
                       double *alpha)
{
    struct solution solution;
    const struct solve_request request = {.solver = solver_find(name),
                                          .problem = problem,
                                          .oracle = rows->oracle,
                                          .stop = {STOP_DELTA, 1e-9},
                                          .budget = {.iterations = 5000000},
                                          .trace = trace};
    if (solve(&request, alpha, &solution, NULL) != STATUS_OK)
        bench_got(NULL);
}

/* Iterations per decade of the objective's error; NaN if the trace has fewer than two points in that range. */
static double measured_decade(const struct trace *trace)
{
    const double best = trace->points[trace->count - 1].objective;
    double first = NAN, last = NAN, from = NAN, to = NAN;
    for (size_t k = 0; k < trace->count; k++) {
        const double error = fabs((trace->points[k].objective - best) / best);
        if (!(error <= 1e-5 && error >= 1e-8))
            continue;
        if (isnan(first)) {
            first = log10(error);
            from = (double)trace->points[k].iteration;
        }
        last = log10(error);
        to = (double)trace->points[k].iteration;
    }
    return to > from && last < first ? (to - from) / (first - last) : (double)NAN;
}

/* Rows of the patterns with 0 < alpha < limit, up to rounding. */
static size_t find_free(const double *alpha, size_t n, double limit, size_t *row)
{
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (alpha[i] > 1e-8 * limit && alpha[i] < (1 - 1e-8) * limit)
            row[m++] = i;
    return m;
}

/* Removes the component along the unit vector q from each row and column: K <- (I - q q') K (I - q q'). */
static void project(gsl_matrix *k, const double *q)
{
    const size_t m = k->size1;
    double *product = bench_got(calloc(m, sizeof *product)), whole = 0;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++)
            product[i] += gsl_matrix_get(k, i, j) * q[j];
        whole += q[i] * product[i];
    }
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            gsl_matrix_set(k, i, j,
                           gsl_matrix_get(k, i, j) - q[i] * product[j] - product[i] * q[j] + q[i] * whole * q[j]);
    free(product);
}

/* Projects out the sum over the patterns of one class, or of both (class 0). */
static void project_sum(gsl_matrix *k, const signed char *y, const size_t *row, int class)
{
    const size_t m = k->size1;
    double *q = bench_got(calloc(m, sizeof *q)), count = 0;
    for (size_t i = 0; i < m; i++)
        count += q[i] = class == 0 || y[row[i]] == class;
    for (size_t i = 0; i < m; i++)
        q[i] /= sqrt(count);
    if (count > 0)
        project(k, q);
    free(q);
}

/* The smallest eigenvalue that is nonzero beyond rounding; NaN if there is none. */
static double least_eigenvalue(gsl_matrix *k)
{
    const size_t m = k->size1;
    gsl_vector *values = bench_got(gsl_vector_alloc(m));
    gsl_eigen_symm_workspace *work = bench_got(gsl_eigen_symm_alloc(m));
    gsl_eigen_symm(k, values, work);
    const double rounding = 8 * DBL_EPSILON * (double)m * gsl_vector_max(values);
    double least = (double)NAN;
    for (size_t i = 0; i < m; i++)
        if (gsl_vector_get(values, i) > rounding && !(gsl_vector_get(values, i) >= least))
            least = gsl_vector_get(values, i);
    gsl_eigen_symm_free(work);
    gsl_vector_free(values);
    return least;
}

/* ln 10 / rho; NaN if fewer than two directions remain. */
static double bounded_decade(const struct bench_problem *problem, struct bench_rows *rows, const size_t *row, size_t m,
                             int is_hull)
{
    if (m < 3)
        return (double)NAN;
    gsl_matrix *k = bench_got(gsl_matrix_alloc(m, m));
    double least_value = INFINITY;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            const double value = gram_row(rows->gram, row[i])[row[j]];
            gsl_matrix_set(k, i, j, value);
            least_value = fmin(least_value, value);
        }
    if (is_hull) {
        project_sum(k, problem->y, row, 1);
        project_sum(k, problem->y, row, -1);
    } else
        project_sum(k, problem->y, row, 0);
    const double lambda = least_eigenvalue(k), eta = 2 - 2 * least_value; /* k(x, x) = 1 */
    gsl_matrix_free(k);
    return log(10) * (double)m * eta / (4 * lambda);
}

static void add_number(cJSON *item, const char *key, double value)
{
    if (isnan(value))
        cJSON_AddNullToObject(item, key);
    else
        cJSON_AddNumberToObject(item, key, value);
}

static void print_number(double value)
{
    if (isnan(value))
        printf(" %9s", "-");
    else
        printf(" %9.3g", value);
}

/* mu = 2 C / sum alpha (Lopez, Barbero and Dorronsoro 2011, eq. 19), at most 1. */
static double mu_of_c(const double *alpha, size_t n, double c)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += alpha[i];
    return fmin(1, 2 * c / sum);
}

static void measure(struct bench *bench, cJSON *list, const struct bench_problem *set, double c)
{
    struct bench_rows rows;
    struct problem problem = {.n = set->n, .y = set->y, .tolerance = 1e-9};
    double *alpha = bench_got(simd_doubles(set->n)), measured[SOLVERS], bound[2] = {0};
    size_t *row = bench_got(malloc(set->n * sizeof *row)), m = 0;
    bench_rows_open(&rows, set, bench->best, 64);
    parameter_set(&problem.parameters, &parameter_c, c);
    for (size_t s = 0; s < SOLVERS; s++) {
        struct trace trace = {0};
        double limit = c;
        if (s == HULLS) /* the multipliers are those of conjugate-smo */
            parameter_set(&problem.parameters, &parameter_mu, limit = mu_of_c(alpha, set->n, c));
        run_traced(solvers[s], &problem, &rows, &trace, alpha);
        measured[s] = measured_decade(&trace);
        if (s == 0 || s == HULLS) {
            const size_t free_patterns = find_free(alpha, set->n, limit, row);
            bound[s == HULLS] = bounded_decade(set, &rows, row, free_patterns, s == HULLS);
            m = s == 0 ? free_patterns : m;
        }
        trace_free(&trace);
    }
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    cJSON_AddStringToObject(item, "problem", set->name);
    cJSON_AddNumberToObject(item, "C", c);
    cJSON_AddNumberToObject(item, "free", (double)m);
    add_number(item, "bound", bound[0]);
    printf("%-14s %5g %5zu", set->name, c, m);
    print_number(bound[0]);
    for (size_t s = 0; s < SOLVERS; s++) {
        if (s == HULLS) {
            add_number(item, "bound of clip-mdm", bound[1]);
            print_number(bound[1]);
        }
        add_number(item, solvers[s], measured[s]);
        print_number(measured[s]);
    }
    puts("");
    free(row);
    free(alpha);
    bench_rows_close(&rows);
}

void bench_rates(struct bench *bench)
{
    cJSON *list = cJSON_AddArrayToObject(bench->report, "rates");
    puts("\niterations for a decade of the objective's error");
    printf("%-14s %5s %5s %9s %9s %9s %9s %9s %9s\n", "", "C", "free",
           "bound", "1-smo", "second", "conjugate", "bound", "clip-mdm");
    for (size_t s = 0; s < bench_sets; s++) {
        struct bench_problem problem;
        if (!bench_problem_of_set(&problem, bench, s))
            continue;
        for (size_t c = 0; c < CS; c++)
            measure(bench, list, &problem, cs[c]);
        bench_problem_free(&problem);
    }
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        struct bench_problem problem;
        bench_problem_made(&problem, made[k], 500);
        for (size_t c = 0; c < CS; c++)
            measure(bench, list, &problem, cs[c]);
        bench_problem_free(&problem);
    }
}
