/*
 * Problems for races. Generated ones are drawn by GSL's mt19937 from a fixed seed; they measure speed and do not appear
 * in records.
 *
 *   twonorm, ringnorm (Breiman 1996), waveform (Breiman et al. 1984): as in
 *               harness/data/dataset_synthetic.c, in any number
 *   moons       (cos t, sin t) for +1 and (1 - cos t, 1/2 - sin t) for -1, t uniform on (0, pi), noise of standard
 *               deviation 0.2
 *   chessboard  uniform on (0, 4)^2, the sign of a square's colour: hard at large C, as no support vector is at its
 *               bound
 *   ijcnn1-like of the shape of ijcnn1 (Prokhorov 2001): ten features of which one, drawn uniformly, is 1 and nine are
 *               0; twelve, z_1 ... z_12, normal with standard deviation 0.3 and correlation 0.8 between neighbours.
 *               If the k-th of the ten features is 1, then y = +1 where |z_{k+1}| > 1.645 * 0.3, one pattern in ten
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "tests/bench/bench.h"
#include "harness/data/dataset.h"
#include "tests/load_dataset.h"

static const struct {
    const char *name;
    double width, c, mu;
} sets[] = {
    {"titanic", 2, 5, 0.0222},     {"heart", 120, 3.2, 0.0232},      {"diabetis", 20, 1, 0.0074},
    {"breast-cancer", 50, 15.2, 0.0181}, {"thyroid", 3, 10, 0.1456}, {"flare-solar", 30, 1, 0.0041},
    {"splice", 70, 1000, 0.7029},  {"image", 30, 500, 0.0214},       {"german", 55, 3.2, 0.0053},
    {"banana", 1, 316.2, 0.0215},  {"twonorm", 40, 3.2, 0.0416},     {"ringnorm", 10, 1e9, 1},
    {"waveform", 20, 1, 0.0138},
};
const size_t bench_sets = sizeof sets / sizeof *sets;

static void allocate(struct bench_problem *problem)
{
    problem->x = malloc(problem->n * problem->dims * sizeof *problem->x);
    problem->y = malloc(problem->n);
    problem->rows = malloc(problem->n * sizeof *problem->rows);
    if (!problem->x || !problem->y || !problem->rows) {
        fputs("bench: out of memory\n", stderr);
        exit(4);
    }
    for (size_t i = 0; i < problem->n; i++)
        problem->rows[i] = i;
}

static void take_parameters(struct bench_problem *problem, const char *name, size_t set)
{
    snprintf(problem->name, sizeof problem->name, "%s", name);
    problem->width = sets[set].width;
    problem->c = sets[set].c;
    problem->mu = sets[set].mu;
}

int bench_problem_of_set(struct bench_problem *problem, const struct bench *bench, size_t set)
{
    struct dataset *dataset = NULL;
    struct dataset_request request = {
        .set.name = sets[set].name, .search_path = bench->search_path, .want_splits = 1, .allow_generated = 1};
    if (load_dataset(&request, &dataset, NULL) != STATUS_OK)
        return 0;
    dataset_standardise(dataset, STANDARDISE_FULL_SET);
    const struct split *split = &dataset->splits[0];
    *problem = (struct bench_problem){.n = split->n_train, .dims = dataset->patterns.dims};
    allocate(problem);
    take_parameters(problem, sets[set].name, set);
    for (size_t i = 0; i < split->n_train; i++) {
        memcpy(problem->x + i * dataset->patterns.dims,
               dataset->patterns.values + split->train[i] * dataset->patterns.dims,
               dataset->patterns.dims * sizeof *problem->x);
        problem->y[i] = dataset->y[split->train[i]];
    }
    release_dataset(dataset);
    return 1;
}

int bench_problem_named(struct bench_problem *problem, const struct bench *bench, const char *name)
{
    size_t set = 0;
    while (set < bench_sets && strcmp(sets[set].name, name) != 0)
        set++;
    return set < bench_sets && bench_problem_of_set(problem, bench, set);
}

static void norm_row(gsl_rng *random, double *x, signed char *y, int ring)
{
    const double a = 2 / sqrt(20.0);
    *y = gsl_rng_uniform(random) < 0.5 ? 1 : -1;
    for (size_t d = 0; d < 20; d++) {
        double deviate = gsl_ran_gaussian_ratio_method(random, 1);
        x[d] = ring ? (*y > 0 ? 2 * deviate : a + deviate) : *y * a + deviate;
    }
}

static void twonorm_row(gsl_rng *random, double *x, signed char *y)
{
    norm_row(random, x, y, 0);
}

static void ringnorm_row(gsl_rng *random, double *x, signed char *y)
{
    norm_row(random, x, y, 1);
}

static void waveform_row(gsl_rng *random, double *x, signed char *y)
{
    static const int peaks[3][2] = {{11, 7}, {11, 15}, {15, 7}};
    unsigned long which = gsl_rng_uniform_int(random, 3);
    double u = gsl_rng_uniform_pos(random);
    *y = which == 0 ? 1 : -1;
    for (int i = 1; i <= 21; i++) {
        double g = fmax(6 - abs(i - peaks[which][0]), 0), h = fmax(6 - abs(i - peaks[which][1]), 0);
        /* standard deviations of about 1 */
        x[i - 1] = (u * g + (1 - u) * h + gsl_ran_gaussian_ratio_method(random, 1)) / 2;
    }
}

static void moons_row(gsl_rng *random, double *x, signed char *y)
{
    const double noise = 0.2;
    double t = M_PI * gsl_rng_uniform(random);
    *y = gsl_rng_uniform(random) < 0.5 ? 1 : -1;
    x[0] = (*y > 0 ? cos(t) : 1 - cos(t)) + gsl_ran_gaussian_ratio_method(random, noise);
    x[1] = (*y > 0 ? sin(t) : 0.5 - sin(t)) + gsl_ran_gaussian_ratio_method(random, noise);
}

static void chessboard_row(gsl_rng *random, double *x, signed char *y)
{
    for (int d = 0; d < 2; d++)
        x[d] = 4 * gsl_rng_uniform_pos(random);
    *y = ((int)x[0] + (int)x[1]) % 2 ? -1 : 1;
}

static void ijcnn1_row(gsl_rng *random, double *x, signed char *y)
{
    enum { PHASES = 10, LAGS = 12 };
    const double deviation = 0.3, correlation = 0.8, tenth = 1.645; /* two-sided quantile of the normal distribution */
    const double fresh = sqrt(1 - correlation * correlation) * deviation;
    size_t phase = gsl_rng_uniform_int(random, PHASES);
    double *z = x + PHASES;
    for (size_t k = 0; k < PHASES; k++)
        x[k] = k == phase;
    z[0] = gsl_ran_gaussian_ratio_method(random, deviation);
    for (size_t t = 1; t < LAGS; t++)
        z[t] = correlation * z[t - 1] + gsl_ran_gaussian_ratio_method(random, fresh);
    *y = fabs(z[phase + 1]) > tenth * deviation ? 1 : -1;
}

static const struct maker {
    const char *name;
    size_t dims;
    void (*row)(gsl_rng *random, double *x, signed char *y);
    double width, c, mu;
} makers[] = {
    {"twonorm", 20, twonorm_row, 40, 3.2, 0.0416}, {"ringnorm", 20, ringnorm_row, 10, 1e9, 1},
    {"waveform", 21, waveform_row, 20, 1, 0.0138}, {"moons", 2, moons_row, 0.5, 10, 1},
    {"chessboard", 2, chessboard_row, 2, 1000, 1},  {"ijcnn1-like", 22, ijcnn1_row, 1, 10, 1},
};

void bench_problem_made(struct bench_problem *problem, const char *name, size_t n)
{
    const struct maker *maker = makers;
    while (strcmp(maker->name, name) != 0)
        maker++;
    *problem = (struct bench_problem){
        .n = n, .dims = maker->dims, .width = maker->width, .c = maker->c, .mu = maker->mu};
    snprintf(problem->name, sizeof problem->name, "%s %zu", name, n);
    allocate(problem);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    if (!random)
        exit(4);
    gsl_rng_set(random, 1);
    for (size_t i = 0; i < n; i++)
        maker->row(random, problem->x + i * maker->dims, &problem->y[i]);
    gsl_rng_free(random);
}

const char *const bench_huge_names[] = {"twonorm", "moons", "chessboard", "ijcnn1-like"};
const double bench_huge_c[] = {0, 0, 100, 0}; /* at 1000, LIBSVM does not reach 1e-3 on the chessboard */
const size_t bench_huge_problems = sizeof bench_huge_names / sizeof *bench_huge_names;

void bench_problem_free(struct bench_problem *problem)
{
    free(problem->x);
    patterns_free(&problem->sparse);
    free(problem->y);
    free(problem->rows);
    *problem = (struct bench_problem){0};
}
