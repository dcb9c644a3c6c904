/*
 * One iteration of clip-mdm, of 1-smo and of packed-smo at N = 1300 (image; twonorm if the data are missing): choice of
 * the pair, stopping rule, step and counting. It is compared with a floor that only reads two rows and updates the sums
 * D of clip-mdm, or F of 1-smo,
 *
 *   D_j += a (k_Lj - k_Uj),  j = 1 .. N,
 *
 * for the pairs that the iterations chose, in their order, so that the rows are as near or far in memory as in the
 * iterations: 3 N doubles read, N written. clip-mdm also reads E. packed-smo, which moves many multipliers at once and
 * whose rows are restricted to active patterns, has no floor. The matrix is computed beforehand.
 *
 * The time of an iteration is (time of a run until the rule is met - time of a run of one step) / (difference of their
 * iterations).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "harness/evaluate/solve.h"

enum { N = 1300 };

static const struct subject {
    const char *solver;
    struct stop stop;
    int has_floor;
} subjects[] = {
    {"clip-mdm", {STOP_RCH_GAP, 1e-5}, 1}, {"1-smo", {STOP_DELTA, 1e-3}, 1}, {"packed-smo", {STOP_DELTA, 1e-3}, 0}};

struct walk {
    struct problem problem;
    const struct solver *solver;
    struct stop stop;
    struct bench_rows rows;
    uint64_t max;       /* iterations; 0: to convergence */
    uint64_t iterations; /* performed */
    double *alpha;
    size_t (*pairs)[2]; /* the rows of each iteration */
    size_t pair_count;
    double *products;
};

static void walk(void *context)
{
    struct walk *w = context;
    struct solution solution;
    struct solve_request request = {.solver = w->solver,
                                    .problem = &w->problem,
                                    .oracle = w->rows.oracle,
                                    .stop = w->stop,
                                    .budget = {.iterations = w->max}};
    if (solve(&request, w->alpha, &solution, NULL) != STATUS_OK)
        bench_got(NULL);
    w->iterations = solution.iterations;
}

/* Finds the patterns whose multipliers a step has changed; zero unless there are two. */
static int find_moved(const double *before, const double *after, size_t n, size_t *pair)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        if (before[i] != after[i] && found++ < 2)
            pair[found - 1] = i;
    return found == 2;
}

/* The same iterations, with a check after each of which patterns moved. */
static void note_pairs(struct walk *w, uint64_t iterations)
{
    size_t n = w->problem.n;
    w->problem.tolerance = w->stop.tolerance;
    void *state = bench_got(simd_doubles(w->solver->state_size(&w->problem) / sizeof(double) + 1));
    double *before = bench_got(simd_doubles(n));
    w->pairs = bench_got(malloc((size_t)iterations * sizeof *w->pairs));
    w->problem.solver = w->solver;
    if (w->solver->init(state, &w->problem, w->rows.oracle) != STATUS_OK)
        bench_got(NULL);
    w->solver->alpha(state, before);
    for (uint64_t t = 0; t < iterations; t++) {
        struct progress progress = {.class_gap = {(double)NAN, (double)NAN}};
        if (w->solver->select(state, &progress) != STATUS_OK || w->solver->update(state, w->rows.oracle) != STATUS_OK)
            break;
        w->solver->alpha(state, w->alpha);
        w->pair_count += (size_t)find_moved(before, w->alpha, n, w->pairs[w->pair_count]);
        memcpy(before, w->alpha, n * sizeof *before);
    }
    free(before);
    free(state);
}

static void stream(void *context)
{
    const struct walk *w = context;
    const struct simd *simd = oracle_simd(w->rows.oracle);
    size_t padded = oracle_padded(w->rows.oracle);
    for (size_t t = 0; t < w->pair_count; t++)
        simd->add_difference(padded, 1e-3, gram_row(w->rows.gram, w->pairs[t][0]),
                             gram_row(w->rows.gram, w->pairs[t][1]), w->products);
}

static void open_walk(struct walk *w, const struct bench *bench, const struct bench_problem *problem,
                      const struct subject *subject)
{
    *w = (struct walk){.problem = {.n = problem->n, .y = problem->y},
                       .solver = solver_find(subject->solver),
                       .stop = subject->stop};
    parameter_set(&w->problem.parameters, &parameter_mu, problem->mu);
    parameter_set(&w->problem.parameters, &parameter_c, problem->c);
    bench_rows_open(&w->rows, problem, bench->best, 64);
    gram_prefetch_all(w->rows.gram);
    w->alpha = bench_got(simd_doubles(problem->n));
    w->products = bench_got(simd_doubles(problem->n));
    walk(w);
    if (subject->has_floor)
        note_pairs(w, w->iterations);
}

static void close_walk(struct walk *w)
{
    free(w->pairs);
    free(w->alpha);
    free(w->products);
    bench_rows_close(&w->rows);
}

static cJSON *report(cJSON *list, const struct bench_problem *problem, const struct walk *w, double seconds)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    cJSON_AddStringToObject(item, "solver", w->solver->name);
    cJSON_AddStringToObject(item, "problem", problem->name);
    cJSON_AddNumberToObject(item, "n", (double)problem->n);
    cJSON_AddNumberToObject(item, "iterations", (double)w->iterations);
    cJSON_AddNumberToObject(item, "seconds", seconds);
    printf("\none iteration of %s, %s (n %zu; mean of %.0f)\n  %.3g s", w->solver->name, problem->name, problem->n,
           (double)w->iterations, seconds);
    return item;
}

static void report_floor(cJSON *item, size_t n, const double *seconds, const double *floor, size_t rounds)
{
    struct ratio ratio = bench_ratio(floor, seconds, rounds);
    double min = bench_median(floor, rounds), bytes = 4.0 * sizeof(double) * (double)simd_padded(n);
    cJSON_AddNumberToObject(item, "floor", min);
    cJSON_AddNumberToObject(item, "floor_bytes", bytes);
    cJSON_AddNumberToObject(item, "ratio", ratio.median);
    cJSON_AddNumberToObject(item, "ratio_least", ratio.min);
    cJSON_AddNumberToObject(item, "ratio_most", ratio.max);
    printf(", its floor %.3g s (%.3g GB/s): %.2f times (%.2f to %.2f)", min, bytes / min * 1e-9, ratio.median,
           ratio.min, ratio.max);
}

static void measure(struct bench *bench, cJSON *list, const struct bench_problem *problem,
                    const struct subject *subject)
{
    struct walk full, first;
    double seconds[BENCH_MAX_ROUNDS], floor[BENCH_MAX_ROUNDS];
    open_walk(&full, bench, problem, subject);
    first = full;
    first.max = 1;
    struct runner runners[] = {{.work = walk, .context = &full},
                               {.work = walk, .context = &first},
                               {.work = stream, .context = &full}};
    size_t rounds = bench_rounds(runners, subject->has_floor ? 3 : 2, 4);
    for (size_t r = 0; r < rounds; r++) {
        seconds[r] = (runners[0].seconds[r] - runners[1].seconds[r]) / (double)(full.iterations - 1);
        floor[r] = runners[2].seconds[r] / (double)full.pair_count;
    }
    cJSON *item = report(list, problem, &full, bench_median(seconds, rounds));
    if (subject->has_floor)
        report_floor(item, problem->n, seconds, floor, rounds);
    puts("");
    close_walk(&full);
}

void bench_iteration(struct bench *bench)
{
    struct bench_problem problem;
    cJSON *list = cJSON_AddArrayToObject(bench->report, "iteration");
    if (!bench_problem_named(&problem, bench, "image"))
        bench_problem_made(&problem, "twonorm", N);
    for (size_t s = 0; s < sizeof subjects / sizeof *subjects; s++)
        measure(bench, list, &problem, &subjects[s]);
    bench_problem_free(&problem);
}
