/*
 * How often a comparison makes each statement when it is false: 2 000 studies of each of six shapes, with 13 data sets
 * on which neither solver is better, or on which the difference is just not negligible. At most 5.5 % of all may make
 * it; of the 2 000 of one shape, 5 % plus three standard errors of such a share, 6.5 %: an exact test, such as the
 * signed-rank test over 13 data sets with its 4.8 %, exceeds 5.5 % of 2 000 by chance once in fifteen times. Unless
 * HULLBENCH_TESTS=all, 400 studies of each shape are made; both limits keep their distance from 5 % in standard
 * errors: 6.1 % of all, and 8.3 % of one shape.
 *
 * A data set has n patterns with independent values a, b, t, symmetric about 0. On a split with training part A of m
 * patterns and the rest as test part T, with sums scaled to variance 1,
 *     difference of log cost  w1 sum_A a + w2 (sum_A a)(sum_A b) + w3 noise,
 *     difference of errors    w1 sum_A a + w2 sum_T t + w3 noise:
 * the contributions of single patterns, of pairs of them, of the split itself, and of the test part. Some sets have
 * only the first part, whose correlation between splits is the largest possible, n_train/n. Changing the signs of a, t
 * and the noise changes those of all differences but no distribution, so the solvers are exchangeable. On the other
 * sets a run fails if its half of the cost difference plus independent noise is large, by the same rule for both
 * solvers. Costs are skewed in one variant: one run in eight takes four times as much.
 *
 * A claim that the difference is negligible is tested with the true difference at the edge of the margin, and with a
 * margin that is wide relative to the noise, where the claim is made most often. Both statistics are equivariant under
 * shifts, so instead of simulating the true difference the test shifts the interval.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "harness/compare/compare.h"
#include "harness/stats/resampled_t.h"
#include "tests/all_tests.h"

static const struct compare_options defaults = COMPARE_DEFAULTS;

enum { STUDIES = 2000, QUICK_STUDIES = 400, SETS = 13, MAX_SPLITS = 100, FEW_SPLITS = 20 };

struct pattern {
    double a, b, t;
};

/* How the splits of all data sets are made. folds 0: random splits. n_pool 0: each split has new patterns. */
struct shape {
    const char *name;
    size_t n_pool, n_train, n_test, splits, folds;
    int skewed;
};

static const struct shape shapes[] = {
    {"heart-like, 170 of 270", 270, 170, 100, 100, 0, 0},     {"heart-like, skewed costs", 270, 170, 100, 100, 0, 1},
    {"banana-like, 400 of 5300", 5300, 400, 4900, 100, 0, 0}, {"10 folds", 270, 243, 27, 10, 10, 0},
    {"10 folds, 10 times", 270, 243, 27, 100, 10, 0},         {"independent splits", 0, 400, 7000, 100, 0, 0},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

enum statement {
    COST_OVER_SETS,
    ENDED_COST_OVER_SETS,
    ERROR_OVER_SETS,
    FAILURES_OVER_SETS,
    COST_OF_SOME_SET,
    ERROR_OF_SOME_SET,
    COST_OF_ONE_CASE,
    ENDED_COST_OF_ONE_CASE,
    ERROR_OF_ONE_CASE,
    FAILURES_OF_ONE_CASE,
    NEGLIGIBLE_COST,
    NEGLIGIBLE_ERROR,
    NEGLIGIBLE_COST_OF_ONE_CASE,
    NEGLIGIBLE_ERROR_OF_ONE_CASE,
    STATEMENTS
};
static const char *const statement_names[STATEMENTS] = {"cost over data sets",
                                                        "cost where both converge",
                                                        "error over data sets",
                                                        "failures over data sets",
                                                        "cost of some data set",
                                                        "error of some data set",
                                                        "cost of one case",
                                                        "the same where both converge",
                                                        "error of one case",
                                                        "failures of one case",
                                                        "negligible cost",
                                                        "negligible error",
                                                        "negligible cost of one case",
                                                        "negligible error of one case"};

/* The values of both arms on the splits of a data set. */
enum figure { COST, ENDED_COST, ERROR, FAILURE, FIGURES };
struct made_set {
    double values[FIGURES][ARMS][MAX_SPLITS];
    size_t n[FIGURES];
};

struct study {
    const struct shape *shape;
    gsl_rng *rng;
    size_t *train;            /* splits x n_train: indices in the pool */
    struct pattern *patterns; /* n_pool */
};

/* Symmetric, of variance 1, with heavier tails than the uniform distribution. */
static double symmetric(gsl_rng *rng)
{
    double u = 2 * gsl_rng_uniform(rng) - 1;
    return u * fabs(u) * 2.2360679774997896; /* E u^4 = 1/5 */
}

static double gaussian_like(gsl_rng *rng)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += gsl_rng_uniform(rng);
    return (sum - 2) * 1.7320508075688772;
}

/* Draws training parts; with folds, all except one fold of an order that is shuffled for each repetition. */
static void draw_splits(struct study *study)
{
    const struct shape *shape = study->shape;
    size_t *order = calloc(shape->n_pool, sizeof *order);
    for (size_t i = 0; i < shape->n_pool; i++)
        order[i] = i;
    for (size_t s = 0; s < shape->splits && shape->n_pool; s++) {
        size_t *train = study->train + s * shape->n_train;
        if (!shape->folds || s % shape->folds == 0)
            gsl_ran_shuffle(study->rng, order, shape->n_pool, sizeof *order);
        size_t first = shape->folds ? s % shape->folds * shape->n_test : shape->n_train;
        for (size_t i = 0, k = 0; i < shape->n_pool && k < shape->n_train; i++)
            if (i < first || i >= first + shape->n_test)
                train[k++] = order[i];
    }
    free(order);
}

/* The scaled sums of a split. */
static struct pattern sums_of(struct study *study, size_t split, const struct pattern *all)
{
    const struct shape *shape = study->shape;
    struct pattern sum = {0, 0, 0};
    if (shape->n_pool == 0)
        return (struct pattern){gaussian_like(study->rng), gaussian_like(study->rng), gaussian_like(study->rng)};
    for (size_t i = 0; i < shape->n_train; i++) {
        const struct pattern *pattern = &study->patterns[study->train[split * shape->n_train + i]];
        sum.a += pattern->a;
        sum.b += pattern->b;
        sum.t += pattern->t;
    }
    double scale = 1 / sqrt((double)shape->n_train);
    return (struct pattern){sum.a * scale, sum.b * scale, (all->t - sum.t) / sqrt((double)shape->n_test)};
}

static void make_costs(struct study *study, const struct pattern *sum, const double weights[3], double costs[ARMS],
                       size_t failed[ARMS])
{
    double difference = weights[0] * sum->a + weights[1] * sum->a * sum->b + weights[2] * gaussian_like(study->rng);
    double level = 1000 * exp(gaussian_like(study->rng) / 4);
    for (int s = 0; s < ARMS; s++) {
        double half = (s == CANDIDATE ? 0.5 : -0.5) * difference;
        costs[s] = level * exp(half / 5);
        if (study->shape->skewed && gsl_rng_uniform(study->rng) < 0.125)
            costs[s] *= 4;
        failed[s] = weights[2] > 0 && half + gaussian_like(study->rng) > 1.6;
    }
}

static void make_set(struct study *study, const double weights[3], size_t splits, struct made_set *set)
{
    const struct shape *shape = study->shape;
    struct pattern all = {0, 0, 0};
    double max = 0;
    size_t failed[MAX_SPLITS][ARMS];
    memset(set->n, 0, sizeof set->n);
    for (size_t i = 0; i < shape->n_pool; i++) {
        struct pattern *pattern = &study->patterns[i];
        *pattern = (struct pattern){symmetric(study->rng), symmetric(study->rng), symmetric(study->rng)};
        all.t += pattern->t;
    }
    for (size_t k = 0; k < splits; k++) {
        const struct pattern sum = sums_of(study, k, &all);
        double costs[ARMS];
        make_costs(study, &sum, weights, costs, failed[k]);
        double error = weights[0] * sum.a + weights[1] * sum.t + weights[2] * gaussian_like(study->rng);
        size_t both = !failed[k][BASELINE] && !failed[k][CANDIDATE];
        for (int s = 0; s < ARMS; s++) {
            set->values[COST][s][k] = costs[s];
            set->values[FAILURE][s][k] = (double)failed[k][s];
            set->values[ENDED_COST][s][set->n[ENDED_COST]] = costs[s];
            set->values[ERROR][s][set->n[ERROR]] = s == CANDIDATE ? error : 0;
            max = fmax(max, costs[s]);
        }
        set->n[ENDED_COST] += both;
        set->n[ERROR] += both;
    }
    set->n[COST] = set->n[FAILURE] = splits;
    for (size_t k = 0; k < splits; k++)
        for (int s = 0; s < ARMS; s++)
            if (failed[k][s])
                set->values[COST][s][k] = defaults.penalty * max;
}

static void take_row(const struct shape *shape, const struct made_set *set, enum figure figure,
                     struct estimate *row)
{
    const struct contrast_sample sample = {
        .values = {set->values[figure][BASELINE], set->values[figure][CANDIDATE]},
        .n = set->n[figure],
        .logarithmic = figure == COST || figure == ENDED_COST,
        .overlap =
            contrast_overlap(figure == ERROR ? CONTRAST_TESTED : CONTRAST_TRAINED, shape->n_train, shape->n_test)};
    *row = estimate_of_case(&sample);
}

static struct estimate sum_up(struct estimate *rows, size_t n)
{
    double means[SETS];
    struct compare_result result = {.rows = rows};
    struct estimate *all[SETS];
    for (size_t d = 0; d < n; d++)
        all[d] = &rows[d];
    estimates_adjust(all, n);
    for (size_t d = 0; d < n; d++)
        means[d] = rows[d].difference.estimate;
    result.total = estimate_of_datasets(means, n);
    return effect_of(&result, n, 0);
}

/* Whether the difference is claimed to be negligible when it is at the edge of a wide margin. */
static int claims_negligible(struct estimate effect)
{
    effect.margin = 1e6;
    effect.difference.estimate += effect.margin;
    effect.difference.low += effect.margin;
    effect.difference.high += effect.margin;
    effect.joint = effect.difference; /* for a single comparison */
    return effect_claim(&effect, effect.adjusted) == CLAIM_NEGLIGIBLE;
}

static int significant(const struct estimate *effect)
{
    return effect->adjusted < CONTRAST_SIGNIFICANT;
}

static void run_study(struct study *study, size_t made[STATEMENTS])
{
    static const double weights[3][3] = {{1, 0, 0}, {0.7, 0.5, 0.5}, {0.2, 0.9, 0.4}};
    static struct made_set set;
    struct estimate rows[FIGURES][SETS];
    struct estimate over[FIGURES], one[FIGURES];
    for (size_t d = 0; d < SETS; d++) {
        size_t splits = d % 6 == 5 && study->shape->splits > FEW_SPLITS ? FEW_SPLITS : study->shape->splits;
        make_set(study, weights[d % 3], splits, &set);
        for (int f = 0; f < FIGURES; f++)
            take_row(study->shape, &set, (enum figure)f, &rows[f][d]);
    }
    for (int f = 0; f < FIGURES; f++) { /* one case: the one without failures for cost and error */
        struct estimate row = rows[f][f == FAILURE || f == ENDED_COST];
        one[f] = sum_up(&row, 1);
        over[f] = sum_up(rows[f], SETS);
    }
    made[COST_OVER_SETS] += (size_t)(claim_sign(over[COST].claim) != 0);
    made[ENDED_COST_OVER_SETS] += (size_t)(claim_sign(over[ENDED_COST].claim) != 0);
    made[ERROR_OVER_SETS] += (size_t)(claim_sign(over[ERROR].claim) != 0);
    made[FAILURES_OVER_SETS] += (size_t)significant(&over[FAILURE]);
    made[COST_OF_SOME_SET] += (size_t)(over[COST].lower + over[COST].higher > 0);
    made[ERROR_OF_SOME_SET] += (size_t)(over[ERROR].lower + over[ERROR].higher > 0);
    made[COST_OF_ONE_CASE] += (size_t)(claim_sign(one[COST].claim) != 0);
    made[ENDED_COST_OF_ONE_CASE] += (size_t)(claim_sign(one[ENDED_COST].claim) != 0);
    made[ERROR_OF_ONE_CASE] += (size_t)(claim_sign(one[ERROR].claim) != 0);
    made[FAILURES_OF_ONE_CASE] += (size_t)significant(&one[FAILURE]);
    made[NEGLIGIBLE_COST] += (size_t)claims_negligible(over[COST]);
    made[NEGLIGIBLE_ERROR] += (size_t)claims_negligible(over[ERROR]);
    made[NEGLIGIBLE_COST_OF_ONE_CASE] += (size_t)claims_negligible(one[COST]);
    made[NEGLIGIBLE_ERROR_OF_ONE_CASE] += (size_t)claims_negligible(one[ERROR]);
}

static void study_begin(struct study *study, const struct shape *shape)
{
    *study = (struct study){.shape = shape, .rng = gsl_rng_alloc(gsl_rng_mt19937)};
    gsl_rng_set(study->rng, 1);
    study->train = calloc(shape->splits * shape->n_train, sizeof *study->train);
    study->patterns = calloc(shape->n_pool + 1, sizeof *study->patterns);
    assert_non_null(study->train);
    assert_non_null(study->patterns);
    draw_splits(study);
}

static void study_end(struct study *study)
{
    gsl_rng_free(study->rng);
    free(study->train);
    free(study->patterns);
}

/* Prints the shares; returns how many exceed the limit, in per cent. */
static size_t count_above(const char *name, const size_t made[STATEMENTS], size_t studies, double limit)
{
    size_t above = 0;
    print_message("%s, %zu studies:\n", name, studies);
    for (int i = 0; i < STATEMENTS; i++) {
        double share = 100 * (double)made[i] / (double)studies;
        print_message("    %-30s %5.2f %%%s\n", statement_names[i], share, share > limit ? " too often" : "");
        above += (size_t)(share > limit);
    }
    return above;
}

static void no_statement_is_false_more_often_than_it_may(void **state)
{
    size_t all[STATEMENTS] = {0}, above = 0, studies = all_tests() ? STUDIES : QUICK_STUDIES;
    (void)state;
    for (size_t h = 0; h < SHAPES; h++) {
        size_t made[STATEMENTS] = {0};
        struct study study;
        study_begin(&study, &shapes[h]);
        for (size_t s = 0; s < studies; s++)
            run_study(&study, made);
        study_end(&study);
        above += count_above(shapes[h].name, made, studies, 5 + 300 * sqrt(0.05 * 0.95 / (double)studies));
        for (int i = 0; i < STATEMENTS; i++)
            all[i] += made[i];
    }
    above += count_above("all", all, SHAPES * studies, 5 + 0.5 * sqrt(STUDIES / (double)studies));
    assert_int_equal(above, 0);
}

/* The studies detect tests that treat splits as independent, or as sharing all except the test part. */
static void the_studies_show_tests_that_overlap_misleads(void **state)
{
    static const double alone[3] = {1, 0, 0};
    static struct made_set set;
    size_t naive = 0, of_error = 0, studies = 500;
    struct study study;
    (void)state;
    study_begin(&study, &shapes[0]);
    for (size_t s = 0; s < studies; s++) {
        make_set(&study, alone, MAX_SPLITS, &set);
        for (int rule = 0; rule < 2; rule++) {
            const struct resampled_t test =
                resampled_t_test(set.values[ENDED_COST][CANDIDATE], set.values[ENDED_COST][BASELINE],
                                 set.n[ENDED_COST], rule ? 100.0 / 170 : 0, TAIL_TWO_SIDED, 0.95);
            *(rule ? &of_error : &naive) += (size_t)(test.p_value < 0.05);
        }
    }
    study_end(&study);
    print_message("taken for independent: %.1f %%; with test/train: %.1f %%\n", 100 * (double)naive / (double)studies,
                  100 * (double)of_error / (double)studies);
    assert_true((double)naive > 0.5 * (double)studies);
    assert_true((double)of_error > 0.1 * (double)studies);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_studies_show_tests_that_overlap_misleads),
        cmocka_unit_test(no_statement_is_false_more_often_than_it_may),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
