/*
 * The search on a small synthetic set, and on a smaller one beside it: errors recomputed with a direct solver call and
 * independent sums, points at the expected positions, and the same evaluations from a journal as from the solver.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/evaluate/solve.h"
#include "harness/data/split.h"
#include "harness/tune/cma_es.h"
#include "harness/tune/tune.h"

enum { TUNE_C, TUNE_WIDTH }; /* the order of the axes */
enum { ROWS = 70, DIMS = 2, TRAIN = 50, SPLITS = 2, FOLDS = 3, GRID_C = 3, GRID_WIDTH = 4, GENERATIONS = 6 };
enum { SETS = 2, SMALL_TRAIN = 30 };
enum { MAX_EVALUATIONS = 1 + GRID_C * GRID_WIDTH + GENERATIONS * 6, CELLS = SPLITS * FOLDS };
enum { PROBLEMS = MAX_EVALUATIONS * CELLS + SPLITS }; /* of a search: folds, and the tests of its choices */

struct bench {
    struct dataset set, small;
    char name[16], small_name[16], source[16], journal[64];
    double x[ROWS * DIMS];
    signed char y[ROWS];
    size_t multiplicity[ROWS];
    struct pool *pool;
    struct tune_config *config;
    struct run_options options;
    struct plan plan;
};

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    struct dataset *sets[1] = {&bench->set};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    char *text =
        strdup("{\"name\": \"n\", \"datasets\": [\"titanic\"], \"standardise\": \"none\", \"seed\": 5, \"kernel\": "
               "{\"type\": \"rbf\"}, \"solvers\": [\"1-smo\"], \"stop\": {\"rule\": \"delta\", \"tolerance\": "
               "0.001}, \"budget\": {\"iterations\": 2000}, \"tune\": {\"splits\": 2, \"folds\": 3, \"C\": "
               "{\"from\": 0.1, \"to\": 1000}, \"width\": {\"from\": 0.25, \"to\": 64}, \"grid\": {\"C\": 3, "
               "\"width\": 4}, \"cma-es\": {\"generations\": 6}}}");
    strcpy(bench->name, "titanic");
    strcpy(bench->small_name, "heart");
    strcpy(bench->source, "here");
    snprintf(bench->journal, sizeof bench->journal, "/tmp/test_search.%ld", (long)getpid());
    for (size_t i = 0; i < ROWS; i++) { /* two overlapping clouds */
        bench->y[i] = i % 3 ? 1 : -1;
        bench->multiplicity[i] = 1;
        for (size_t d = 0; d < DIMS; d++)
            bench->x[i * DIMS + d] = 0.7 * bench->y[i] + gsl_ran_gaussian_ratio_method(random, 1);
    }
    gsl_rng_free(random);
    bench->pool = pool_new();
    bench->set = (struct dataset){.pool = bench->pool,
                                  .name = bench->name,
                                  .source = bench->source,
                                  .patterns = {.rows = ROWS, .dims = DIMS, .values = bench->x},
                                  .y = bench->y,
                                  .multiplicity = bench->multiplicity,
                                  .full_size = ROWS};
    bench->small = bench->set;
    bench->small.name = bench->small_name;
    split_fill(&bench->set, NULL, SPLITS, TRAIN, ROWS - TRAIN, 4, SPLIT_RESAMPLED);
    split_fill(&bench->small, NULL, SPLITS, SMALL_TRAIN, ROWS - SMALL_TRAIN, 4, SPLIT_RESAMPLED);
    bench->config = tune_config_parse(bench->pool, "test", text);
    free(text);
    plan_build(bench->config->config, sets, 1, 1, &bench->plan);
    bench->options = (struct run_options){.out = "test", .simd = simd_select(NULL)};
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    remove(bench->journal);
    pool_free(bench->pool);
    free(bench);
    return 0;
}

static void run_attempted(void *context)
{
    searches_run(context);
}

/* Runs a search on each of the first `count` sets with a journal that continues an earlier call's. */
static enum status run_on(struct bench *bench, size_t count, unsigned threads, struct search *searches,
                          struct tune *context)
{
    struct dataset *sets[SETS] = {&bench->set, &bench->small};
    bench->options.threads = threads;
    *context = (struct tune){.pool = bench->pool,
                             .options = &bench->options,
                             .run = {.options = &bench->options, .config = bench->config->config, .datasets = sets},
                             .config = bench->config,
                             .searches = searches,
                             .n_searches = count,
                             .threads = threads};
    run_costs_open(&context->run);
    context->folds = pool_array(bench->pool, SETS, sizeof *context->folds);
    for (size_t i = 0; i < count; i++) {
        context->folds[i] = inner_folds_make(bench->pool, sets[i], SPLITS, FOLDS, 0, "", 5);
        searches[i] = (struct search){.dataset = i,
                                      .dataset_name = sets[i]->name,
                                      .solver_name = "1-smo",
                                      .job = bench->plan.jobs[0],
                                      .first = i * PROBLEMS,
                                      .first_test = i * PROBLEMS + MAX_EVALUATIONS * CELLS,
                                      .folds = CELLS,
                                      .max = search_size(bench->config, 1),
                                      .cost = fold_cost(context->folds[i]),
                                      .has_printed = 1,
                                      .printed = {3.2, 5.7}};
        assert_int_equal(searches[i].max, MAX_EVALUATIONS);
    }
    const struct fingerprint fingerprint = {.plan = 1};
    context->run.journal = journal_open(bench->journal, &fingerprint, NULL, count * PROBLEMS, 0);
    const enum status status = attempt(run_attempted, context, NULL);
    tune_close_folds(context);
    journal_close(context->run.journal);
    return status;
}

static enum status run(struct bench *bench, unsigned threads, struct search *search, struct tune *context)
{
    return run_on(bench, 1, threads, search, context);
}

/* The error of the fold from the multipliers of one solver call, with independent kernel values and sums. */
static double fold_error(struct bench *bench, const struct split *fold, double c, double width)
{
    struct points points;
    struct gram *gram;
    struct oracle *oracle;
    struct solution solution;
    const struct config_solver *solver = &bench->config->config->solvers[0];
    struct kernel kernel = {.type = KERNEL_RBF, .width = width};
    signed char y[TRAIN];
    double alpha[TRAIN], f[TRAIN + TRAIN] = {0}, up = HUGE_VAL, low = -HUGE_VAL;
    struct problem problem = {.n = fold->n_train, .y = y};
    size_t wrong = 0;
    problem.parameters = (struct parameters){0};
    parameter_set(&problem.parameters, &parameter_c, c);
    for (size_t i = 0; i < fold->n_train; i++)
        y[i] = bench->y[fold->train[i]];
    assert_int_equal(points_create(&points, KERNEL_RBF, patterns_dense(bench->x, ROWS, DIMS), fold->train,
                                   fold->n_train, NULL), STATUS_OK);
    assert_int_equal(gram_create(&gram, bench->options.simd, &points, 1 << 20, 0, NULL), STATUS_OK);
    gram_set_kernel(gram, &kernel);
    assert_int_equal(oracle_create(&oracle, gram, NULL), STATUS_OK);
    struct solve_request request = {.solver = solver->solver,
                                    .problem = &problem,
                                    .oracle = oracle,
                                    .budget = solver->budget,
                                    .stop = {.rule = STOP_DELTA, .tolerance = 0.001}};
    assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_OK);
    for (size_t j = 0; j < fold->n_train + fold->n_test; j++) {
        const double *z = bench->x + (j < fold->n_train ? fold->train[j] : fold->test[j - fold->n_train]) * DIMS;
        for (size_t i = 0; i < fold->n_train; i++) {
            const double *x = bench->x + fold->train[i] * DIMS;
            f[j] += alpha[i] * y[i] * exp(-((x[0] - z[0]) * (x[0] - z[0]) + (x[1] - z[1]) * (x[1] - z[1])) / width);
        }
    }
    for (size_t j = 0; j < fold->n_train; j++) {
        if (y[j] > 0 ? alpha[j] < c : alpha[j] > 0)
            up = fmin(up, f[j] - y[j]);
        if (y[j] > 0 ? alpha[j] > 0 : alpha[j] < c)
            low = fmax(low, f[j] - y[j]);
    }
    for (size_t t = 0; t < fold->n_test; t++)
        wrong += (f[fold->n_train + t] - 0.5 * (up + low) >= 0 ? 1 : -1) != bench->y[fold->test[t]];
    oracle_free(oracle);
    gram_free(gram);
    points_free(&points);
    return 100.0 * (double)wrong / (double)fold->n_test;
}

static void the_objective_is_the_mean_error_of_the_held_out_patterns(void **state)
{
    struct bench *bench = *state;
    struct search search;
    struct tune context;
    assert_int_equal(run(bench, 2, &search, &context), STATUS_OK);
    struct dataset *folds = inner_folds_make(bench->pool, &bench->set, SPLITS, FOLDS, 0, "", 5);
    for (size_t e = 0; e < search.n; e++) {
        const struct evaluation *evaluation = &search.evaluations[e];
        double sum = 0;
        for (size_t f = 0; f < CELLS; f++) {
            double error =
                fold_error(bench, &folds->splits[f], evaluation->value[TUNE_C], evaluation->value[TUNE_WIDTH]);
            assert_true(fabs(error - evaluation->folds[f].error_percent) < 1e-9);
            sum += error;
        }
        assert_true(fabs(sum / CELLS - evaluation->error.mean) < 1e-9); /* the mean has 12 digits */
    }
}

static void points_are_where_they_should_be(void **state)
{
    struct bench *bench = *state;
    struct search search;
    struct tune context;
    assert_int_equal(run(bench, 1, &search, &context), STATUS_OK);
    assert_int_equal(search.n, MAX_EVALUATIONS);
    const struct evaluation *at = search.evaluations;
    assert_int_equal(at->kind, EVALUATION_PRINTED);
    assert_true(at->value[TUNE_C] == 3.2 && at->value[TUNE_WIDTH] == 5.7);
    at++;
    for (size_t i = 0; i < GRID_C * GRID_WIDTH; i++, at++) {
        double c = 0.1 * pow(1e4, (double)(i % GRID_C) / (GRID_C - 1)),
               width = 0.25 * pow(4, (double)(2 * (i / GRID_C)) * 2 / 3);
        assert_int_equal(at->kind, EVALUATION_GRID);
        assert_true(fabs(at->value[TUNE_C] / c - 1) < 1e-6 &&
                    fabs(at->value[TUNE_WIDTH] / width - 1) < 1e-6); /* 2^-20 */
    }
    assert_true(search.evaluations[1].value[TUNE_C] == 0.1 && search.evaluations[3].value[TUNE_C] == 1000);
    for (; at < search.evaluations + MAX_EVALUATIONS; at++) {
        assert_int_equal(at->kind, EVALUATION_CMA_ES);
        assert_int_equal(at->generation, 1 + (size_t)(at - search.evaluations - 1 - GRID_C * GRID_WIDTH) / 6);
        for (unsigned a = 0; a < TUNE_AXES; a++) {
            assert_true(at->place[a] >= bench->config->axes[a].low && at->place[a] <= bench->config->axes[a].high);
            assert_true(fabs(at->value[a] / exp2(at->place[a]) - 1) < 1e-11);
        }
    }
}

/* Repeats CMA-ES with its points as evaluated: mirrored into the box and on the 2^-20 grid. */
static void the_search_learns_from_the_points_as_they_were_evaluated(void **state)
{
    struct bench *bench = *state;
    struct search search;
    struct tune context;
    struct cma_es cma;
    double points[6 * TUNE_AXES], errors[6], start[TUNE_AXES] = {0.5, 0.5};
    size_t outside = 0;
    assert_int_equal(run(bench, 1, &search, &context), STATUS_OK);
    struct pool *pool = pool_new();
    cma_es_begin(pool, &cma, 6, start, 0.3, split_seed(5, "titanic cma-es", 0));
    const struct evaluation *at = search.evaluations + MAX_EVALUATIONS - GENERATIONS * 6;
    for (size_t g = 1; g <= GENERATIONS; g++) {
        cma_es_ask(&cma, points);
        for (size_t p = 0; p < 6; p++, at++) {
            for (unsigned a = 0; a < TUNE_AXES; a++) {
                double low = bench->config->axes[a].low, high = bench->config->axes[a].high;
                double *u = &points[p * TUNE_AXES + a];
                outside += *u < 0 || *u > 1;
                double inside = *u < 0 ? -*u : *u > 1 ? 2 - *u : *u; /* never beyond -1 or 2 in this test */
                /* 2^-20 is the grid; the difference is how 0.5 was reached from the start's own grid */
                assert_true(fabs(at->place[a] - (low + inside * (high - low))) < ldexp(1, -19));
                *u = (at->place[a] - low) / (high - low);
            }
            errors[p] = at->error.mean;
        }
        cma_es_tell(&cma, points, errors);
    }
    assert_true(outside > 0); /* so mirroring was tested */
    pool_free(pool);
}

/* 1-smo, except for one call, whose multipliers violate a constraint. */
static size_t calls;

static void alpha_with_one_failure(const void *state, double *alpha)
{
    solver_find("1-smo")->alpha(state, alpha);
    if (calls++ == 7)
        alpha[0] += 1e6;
}

static void a_point_where_a_fold_failed_has_no_error(void **state)
{
    struct bench *bench = *state;
    struct search search;
    struct tune context;
    static struct solver failing; /* tear_down reads it */
    failing = *solver_find("1-smo");
    failing.alpha = alpha_with_one_failure;
    bench->config->config->solvers[0].solver = &failing;
    calls = 0;
    for (int again = 0; again <= 1; again++) { /* the second time from the journal */
        size_t without = 0;
        assert_int_equal(run(bench, 1, &search, &context), STATUS_OK);
        for (size_t e = 0; e < MAX_EVALUATIONS; e++) {
            const struct evaluation *evaluation = &search.evaluations[e];
            int failed = evaluation->outcomes[OUTCOME_FAILED] > 0;
            assert_int_equal(evaluation->error.n, failed ? 0 : CELLS);
            for (unsigned k = 0; k < EVALUATION_KINDS && failed; k++)
                assert_ptr_not_equal(search.best[k].point, evaluation);
            for (size_t f = 0; f < CELLS; f++)
                assert_int_equal(isnan(evaluation->folds[f].error_percent) != 0,
                                 evaluation->folds[f].outcome == OUTCOME_FAILED);
            without += (size_t)failed;
        }
        assert_int_equal(without, 1);
    }
}

static void the_best_is_the_first_of_the_least_errors(void **state)
{
    struct bench *bench = *state;
    struct search search;
    struct tune context;
    assert_int_equal(run(bench, 1, &search, &context), STATUS_OK);
    for (unsigned k = EVALUATION_GRID; k < EVALUATION_KINDS; k++) {
        const struct evaluation *best = NULL;
        for (size_t e = MAX_EVALUATIONS; e-- > 0;)
            if (search.evaluations[e].kind == k && (!best || search.evaluations[e].error.mean <= best->error.mean))
                best = &search.evaluations[e];
        assert_ptr_equal(search.best[k].point, best);
    }
    struct search_comparison comparison;
    double sum = 0;
    assert_true(search_compare(&search, EVALUATION_GRID, &comparison));
    for (size_t f = 0; f < CELLS; f++)
        sum += search.best[EVALUATION_GRID].point->folds[f].error_percent -
               search.evaluations[0].folds[f].error_percent;
    assert_int_equal(comparison.difference.n, CELLS);
    assert_true(fabs(comparison.difference.mean - sum / CELLS) < 1e-12);
}

/* For each split the point of the grid with the least mean error on the split's own folds: among equal ones the least
 * C, then the widest kernel. */
static void the_choice_of_each_split_is_tested_on_its_test_part(void **state)
{
    struct bench *bench = *state;
    struct search search;
    struct tune context;
    double tested = 0;
    assert_int_equal(run(bench, 2, &search, &context), STATUS_OK);
    for (size_t s = 0; s < SPLITS; s++) {
        const struct evaluation *chosen = NULL, *at = &search.evaluations[1], *end = at + GRID_C * GRID_WIDTH;
        double least = HUGE_VAL;
        for (; at < end; at++) {
            double error = 0;
            for (size_t f = s * FOLDS; f < (s + 1) * FOLDS; f++)
                error += at->folds[f].error_percent / FOLDS;
            if (error > least + 1e-9)
                continue;
            if (error > least - 1e-9 &&
                (at->value[TUNE_C] > chosen->value[TUNE_C] ||
                 (at->value[TUNE_C] == chosen->value[TUNE_C] && at->value[TUNE_WIDTH] < chosen->value[TUNE_WIDTH])))
                continue;
            least = error;
            chosen = at;
        }
        const struct evaluation *test = &search.tests[s];
        assert_memory_equal(test->value, chosen->value, sizeof test->value);
        const double error = fold_error(bench, &bench->set.splits[s], chosen->value[TUNE_C], chosen->value[TUNE_WIDTH]);
        assert_true(fabs(error - test->folds[s].error_percent) < 1e-9);
        tested += error / SPLITS;
    }
    assert_int_equal(search.test_error.n, SPLITS);
    assert_true(fabs(tested - search.test_error.mean) < 1e-9);
}

static void check_alike(const struct search *a, const struct search *b)
{
    for (size_t e = 0; e < MAX_EVALUATIONS; e++) {
        assert_memory_equal(a->evaluations[e].value, b->evaluations[e].value, sizeof a->evaluations[e].value);
        assert_memory_equal(&a->evaluations[e].error, &b->evaluations[e].error, sizeof a->evaluations[e].error);
        for (size_t f = 0; f < CELLS; f++) {
            const struct fold_result *x = &a->evaluations[e].folds[f], *y = &b->evaluations[e].folds[f];
            assert_true(x->error_percent == y->error_percent && x->iterations == y->iterations &&
                        x->outcome == y->outcome && x->kernel_operations == y->kernel_operations);
        }
    }
    assert_true(isfinite(a->test_error.mean));
    assert_memory_equal(&a->test_error, &b->test_error, sizeof a->test_error);
}

/* A solver that must not be called: interrupted before its first iteration. */
static void a_whole_journal_gives_the_same_search_without_a_call_of_the_solver(void **state)
{
    struct bench *bench = *state;
    struct search first, again;
    struct tune context;
    static volatile sig_atomic_t interrupted = 1;
    assert_int_equal(run(bench, 2, &first, &context), STATUS_OK);
    bench->options.interrupted = &interrupted;
    assert_int_equal(run(bench, 1, &again, &context), STATUS_OK);
    assert_int_equal(context.run.costs.jobs_done, PROBLEMS);
    check_alike(&first, &again);
    remove(bench->journal);
    assert_int_equal(run(bench, 1, &again, &context), STATUS_INTERRUPTED); /* so a call would have been noticed */
}

/* Bytes for the matrices of the folds of the larger set, 34 x 40 values and distances in each of six folds, but not for
 * those of both sets, 20 x 24 in the smaller one. */
#define BYTES_OF_ONE ((size_t)6 * 16 * (34 * 40 + 10 * 24))

static void threads_and_the_memory_for_matrices_change_nothing(void **state)
{
    struct bench *bench = *state;
    struct search first[SETS], again[SETS] = {{0}}, alone;
    struct tune context;
    const size_t bytes[] = {bench->config->config->gram_bytes, BYTES_OF_ONE, 1};
    assert_int_equal(run(bench, 1, &alone, &context), STATUS_OK);
    for (size_t b = 0; b < 3; b++)
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            struct search *searches = b == 0 && threads == 1 ? first : again;
            remove(bench->journal);
            bench->config->config->gram_bytes = bytes[b];
            assert_int_equal(run_on(bench, SETS, threads, searches, &context), STATUS_OK);
            assert_int_equal(context.run.costs.jobs_done, SETS * PROBLEMS);
            check_alike(&alone, &searches[0]);
            check_alike(&first[1], &searches[1]);
        }
}

/* 1-smo that notes on which set it is called. A call on a fold of the larger set waits for one on the smaller set. */
static atomic_int is_small_begun, has_waited_in_vain, large_after_small;
static int waits;

static enum status init_noting_the_set(void *of, const struct problem *problem, struct oracle *oracle)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    const int is_fold_of_large = problem->n > SMALL_TRAIN && problem->n < TRAIN;
    if (problem->n < SMALL_TRAIN)
        is_small_begun = 1;
    if (is_fold_of_large && is_small_begun)
        large_after_small++;
    for (int naps = 0; waits && is_fold_of_large && !is_small_begun && !has_waited_in_vain; naps++) {
        nanosleep(&nap, NULL);
        has_waited_in_vain = naps == 10000;
    }
    return solver_find("1-smo")->init(of, problem, oracle);
}

static void run_noting_the_sets(struct bench *bench, unsigned threads)
{
    static struct solver noting; /* tear_down reads it */
    struct search searches[SETS];
    struct tune context;
    noting = *solver_find("1-smo");
    noting.init = init_noting_the_set;
    bench->config->config->solvers[0].solver = &noting;
    is_small_begun = has_waited_in_vain = large_after_small = 0;
    remove(bench->journal);
    assert_int_equal(run_on(bench, SETS, threads, searches, &context), STATUS_OK);
}

static void a_thread_without_a_fold_of_one_set_works_on_another_set(void **state)
{
    struct bench *bench = *state;
    waits = 1;
    run_noting_the_sets(bench, CELLS + 1); /* one for each fold of the larger set, and one more */
    waits = 0;
    assert_false(has_waited_in_vain);
}

static void sets_whose_matrices_do_not_fit_the_memory_together_take_turns(void **state)
{
    struct bench *bench = *state;
    run_noting_the_sets(bench, 1);
    assert_true(large_after_small > 0); /* both fit */
    bench->config->config->gram_bytes = BYTES_OF_ONE;
    run_noting_the_sets(bench, 1);
    assert_true(is_small_begun);
    assert_int_equal(large_after_small, 0);
}

/* Four points in all: most of the 36 evaluations repeat one and are not solved again. */
static void a_point_met_before_is_not_evaluated_again(void **state)
{
    struct bench *bench = *state;
    struct search search;
    struct tune context;
    for (unsigned a = 0; a < TUNE_AXES; a++) {
        struct tune_axis *range = &bench->config->axes[a];
        range->high = range->low + ldexp(1, -20);
        range->from = tune_axis_value(range, range->low); /* so that CMA-ES reaches points of the grid */
        range->to = tune_axis_value(range, range->high);
        bench->config->start[a] = range->low;
    }
    assert_int_equal(run(bench, 2, &search, &context), STATUS_OK);
    size_t solved = 0;
    for (size_t e = 0; e < MAX_EVALUATIONS; e++) {
        const struct evaluation *same = search.evaluations[e].same;
        solved += same == NULL;
        assert_true(!same ||
                    (same < &search.evaluations[e] && !same->same && same->folds == search.evaluations[e].folds));
        assert_true(!same || same->error.mean == search.evaluations[e].error.mean);
    }
    for (unsigned k = EVALUATION_GRID; k < EVALUATION_KINDS; k++) {
        size_t points = 0;
        for (const struct evaluation *at = search.evaluations; at < search.evaluations + MAX_EVALUATIONS; at++) {
            int counts = at->kind == k && at->error.mean == search.best[k].point->error.mean;
            for (const struct evaluation *before = search.evaluations; before < at && counts; before++)
                counts = before->kind != k || memcmp(before->value, at->value, sizeof at->value) != 0;
            points += (size_t)counts;
        }
        assert_in_range(points, 1, 4);
        assert_int_equal(search.best[k].tied, points);
    }
    assert_int_equal(solved + search.repeated, MAX_EVALUATIONS);
    assert_true(search.repeated >= 36 - 4);
    assert_int_equal(context.run.costs.jobs_done, PROBLEMS);
}

static void a_journal_of_other_points_is_refused(void **state)
{
    struct bench *bench = *state;
    struct search search;
    struct tune context;
    assert_int_equal(run(bench, 1, &search, &context), STATUS_OK);
    bench->config->config->seed = 6; /* gives CMA-ES other points */
    assert_int_equal(run(bench, 1, &search, &context), STATUS_BAD_INPUT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_objective_is_the_mean_error_of_the_held_out_patterns),
        TEST(points_are_where_they_should_be),
        TEST(the_search_learns_from_the_points_as_they_were_evaluated),
        TEST(a_point_where_a_fold_failed_has_no_error),
        TEST(the_best_is_the_first_of_the_least_errors),
        TEST(the_choice_of_each_split_is_tested_on_its_test_part),
        TEST(a_whole_journal_gives_the_same_search_without_a_call_of_the_solver),
        TEST(threads_and_the_memory_for_matrices_change_nothing),
        TEST(a_thread_without_a_fold_of_one_set_works_on_another_set),
        TEST(sets_whose_matrices_do_not_fit_the_memory_together_take_turns),
        TEST(a_point_met_before_is_not_evaluated_again),
        TEST(a_journal_of_other_points_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
