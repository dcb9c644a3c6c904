/*
 * A comparison of made-up records: every mean, ratio, p-value and count recomputed here from the numbers that went in,
 * by looking at all choices of signs; and each condition that forbids a claim, met by itself.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "harness/compare/finding.h"
#include "harness/file.h"

enum { MOST_SETS = 9, MOST_SPLITS = 10 };

/* What both solvers did on a split of a data set. */
struct measured {
    double error, vectors, iterations, operations, start_up, seconds, gap;
    int at_limit, uncounted;
};

struct world {
    size_t sets, splits, train, test;
    struct measured side[SIDES][MOST_SETS][MOST_SPLITS];
};

static const char *const solvers[SIDES] = {"clip-mdm", "cycle-clip-mdm"};
static char folder[] = "/tmp/hullbench-compare-XXXXXX";

/* Whole numbers from 0 to most - 1, the same in every run of the test. */
static unsigned drawn(unsigned *state, unsigned most)
{
    *state = *state * 1103515245u + 12345u;
    return (*state >> 16) % most;
}

/* Both cost alike but for noise; the challenger `factor` times as much. */
static struct world world_of(size_t sets, size_t splits, double factor, unsigned noise)
{
    struct world world = {.sets = sets, .splits = splits, .train = 100, .test = 50};
    unsigned state = 7;
    for (size_t d = 0; d < sets; d++)
        for (size_t k = 0; k < splits; k++)
            for (int s = 0; s < SIDES; s++) {
                double base = (double)(1000 * (d + 1) + 10 * drawn(&state, noise + 1));
                double iterations = s ? floor(factor * base) : base;
                world.side[s][d][k] = (struct measured){.error = 100.0 * drawn(&state, 20) / 77,
                                                        .vectors = 30 + drawn(&state, 9),
                                                        .iterations = iterations,
                                                        .operations = 7 * iterations,
                                                        .start_up = 100,
                                                        .seconds = iterations / 1e6,
                                                        .gap = 1e-5};
            }
    return world;
}

static void write_text(const char *name, const char *text)
{
    char path[96];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(file_write(path, text, strlen(text), NULL), STATUS_OK);
}

static void put_record(FILE *out, const struct world *world, int s, size_t d, size_t k)
{
    const struct measured *at = &world->side[s][d][k];
    fprintf(out,
            "{\"schema\":1,\"config\":\"made\",\"dataset\":\"set%zu\",\"split\":%zu,\"split_source\":\"official\","
            "\"solver\":\"%s\","
            "\"params\":{\"mu\":0.1%s},\"kernel\":{\"type\":\"linear\"},\"stop\":{\"rule\":\"rch-gap\","
            "\"tolerance\":1e-05},"
            "\"outcome\":\"%s\",\"iterations\":%.17g,",
            d, k + 1, solvers[s], s ? ",\"history\":45" : "", at->at_limit ? "iteration-limit" : "converged",
            at->iterations);
    if (at->uncounted)
        fputs("\"kernel_operations\":null,", out);
    else
        fprintf(out, "\"kernel_operations\":{\"setup\":%.17g,\"iterations\":%.17g,\"predict\":1},", at->start_up,
                at->operations);
    fprintf(out, "\"support_vectors\":%.17g,\"error_percent\":%.17g,\"objective\":1,\"duality_gap\":%.17g}\n",
            at->vectors, at->error, at->gap);
}

/* Writes the world's run folder; without times where there is no machine to have taken them. */
static void write_world(const struct world *world, int times)
{
    char *records, *timings, *about;
    size_t size[3], n = 0;
    FILE *out[3] = {open_memstream(&records, &size[0]), open_memstream(&timings, &size[1]),
                    open_memstream(&about, &size[2])};
    fputs(times ? "{\"machine\":{\"processor\":\"made\",\"threads\":1},\"data\":[" : "{\"data\":[", out[2]);
    for (size_t d = 0; d < world->sets; d++) {
        fprintf(out[2], "%s{\"dataset\":\"set%zu\",\"train\":%zu,\"test\":%zu}", d ? "," : "", d, world->train,
                world->test);
        for (size_t k = 0; k < world->splits; k++)
            for (int s = 0; s < SIDES; s++) {
                put_record(out[0], world, s, d, k);
                fprintf(out[1], "{\"index\":%zu,\"seconds\":%.9f}\n", n++, world->side[s][d][k].seconds);
            }
    }
    fputs("]}\n", out[2]);
    for (int i = 0; i < 3; i++)
        fclose(out[i]);
    write_text("records.jsonl", records);
    write_text("timings.jsonl", timings);
    write_text("run.json", about);
    write_text("config.json", "{\"name\":\"made\"}\n");
    free(records);
    free(timings);
    free(about);
}

static enum status compare(const struct world *world, int times, int same_accuracy, struct comparison *comparison,
                           struct error *error)
{
    const struct compare_options options = {{folder, folder}, {solvers[0], solvers[1]}, 3, same_accuracy};
    write_world(world, times);
    return compare_folders(&options, comparison, error);
}

/* ---- naive statistics ---- */

/* Two-sided p of the signed-rank test by all choices of signs; zeros are dropped. */
static double naive_signed_rank(const double *differences, size_t n)
{
    double ranks[MOST_SPLITS], observed = 0;
    size_t kept = 0, most = 0, least = 0;
    for (size_t i = 0; i < n; i++) {
        double below = 0, equal = 0;
        for (size_t j = 0; j < n; j++) {
            below += differences[j] != 0 && fabs(differences[j]) < fabs(differences[i]) - 1e-9;
            equal += differences[j] != 0 && fabs(fabs(differences[j]) - fabs(differences[i])) <= 1e-9;
        }
        if (differences[i] == 0)
            continue;
        ranks[kept] = below + (equal + 1) / 2;
        observed += differences[i] > 0 ? ranks[kept] : 0;
        kept++;
    }
    for (size_t signs = 0; signs < (size_t)1 << kept; signs++) {
        double sum = 0;
        for (size_t i = 0; i < kept; i++)
            sum += signs >> i & 1 ? ranks[i] : 0;
        least += sum <= observed;
        most += sum >= observed;
    }
    return fmin(1, 2 * (double)(least < most ? least : most) / (double)((size_t)1 << kept));
}

static double naive_corrected_t(const double *differences, size_t n, double train, double test)
{
    double mean = 0, variance = 0;
    for (size_t i = 0; i < n; i++)
        mean += differences[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        variance += (differences[i] - mean) * (differences[i] - mean) / (double)(n - 1);
    return 2 * gsl_cdf_tdist_Q(fabs(mean) / sqrt(variance * (1 / (double)n + test / train)), (double)(n - 1));
}

static void naive_holm(const double *p, size_t n, double *adjusted)
{
    for (size_t i = 0; i < n; i++) {
        adjusted[i] = 0;
        for (size_t j = 0; j < n; j++) {
            size_t not_below = 0;
            for (size_t k = 0; k < n; k++)
                not_below += p[k] > p[j] || (p[k] == p[j] && k >= j);
            if (p[j] < p[i] || (p[j] == p[i] && j <= i))
                adjusted[i] = fmax(adjusted[i], fmin(1, (double)not_below * p[j]));
        }
    }
}

static double field_of(const struct measured *at, enum compare_metric metric)
{
    const double values[COMPARE_METRICS] = {
        [COMPARE_ERROR] = at->error,
        [COMPARE_SUPPORT_VECTORS] = at->vectors,
        [COMPARE_ITERATIONS] = at->iterations,
        [COMPARE_KERNEL_OPERATIONS] = at->operations,
        [COMPARE_ALL_OPERATIONS] = at->start_up + at->operations,
        [COMPARE_SECONDS] = at->seconds,
    };
    return values[metric];
}

static void check_near(double is, double should)
{
    if (!(fabs(is - should) <= 1e-9 * fmax(1e-3, fabs(should))))
        fail_msg("%.17g is not %.17g", is, should);
}

/* One metric of a comparison of the whole world. */
static void check_metric(const struct comparison *comparison, const struct world *world, enum compare_metric metric)
{
    const struct compare_result *result = &comparison->results[metric];
    double p[2][MOST_SETS], adjusted[2][MOST_SETS], of_sets[MOST_SETS], logarithms = 0;
    size_t lower = 0, higher = 0;
    for (size_t d = 0; d < world->sets; d++) {
        double differences[MOST_SPLITS], sums[SIDES] = {0, 0}, n = (double)world->splits;
        for (size_t k = 0; k < world->splits; k++) {
            double first = field_of(&world->side[0][d][k], metric), second = field_of(&world->side[1][d][k], metric);
            differences[k] = second - first;
            sums[0] += first;
            sums[1] += second;
        }
        p[0][d] = naive_signed_rank(differences, world->splits);
        p[1][d] = naive_corrected_t(differences, world->splits, (double)world->train, (double)world->test);
        const struct contrast_row *row = &result->rows[d];
        assert_int_equal(row->n, world->splits);
        check_near(row->means[BASELINE], sums[0] / n);
        check_near(row->means[CHALLENGER], sums[1] / n);
        check_near(row->ratio.estimate, sums[1] / sums[0]);
        assert_true(isnan(row->ratio.low) ||
                    (row->ratio.low <= row->ratio.estimate && row->ratio.estimate <= row->ratio.high));
        check_near(row->p[CONTRAST_SIGNED_RANK], p[0][d]);
        check_near(row->p[CONTRAST_CORRECTED_T], p[1][d]);
        logarithms += log(sums[1] / sums[0]);
        of_sets[d] = metric == COMPARE_ERROR ? (sums[1] - sums[0]) / n : log(sums[1] / sums[0]);
    }
    naive_holm(p[0], world->sets, adjusted[0]);
    naive_holm(p[1], world->sets, adjusted[1]);
    for (size_t d = 0; d < world->sets; d++) {
        const struct contrast_row *row = &result->rows[d];
        check_near(row->adjusted[CONTRAST_SIGNED_RANK], adjusted[0][d]);
        check_near(row->adjusted[CONTRAST_CORRECTED_T], adjusted[1][d]);
        int found = adjusted[metric == COMPARE_ERROR][d] < 0.05;
        lower += found && row->means[CHALLENGER] < row->means[BASELINE];
        higher += found && row->means[CHALLENGER] > row->means[BASELINE];
    }
    assert_int_equal(result->cases.wins, lower);
    assert_int_equal(result->cases.losses, higher);
    assert_int_equal(result->cases.ties, world->sets - lower - higher);
    assert_int_equal(result->total.n, world->sets);
    check_near(result->total.ratio.estimate, exp(logarithms / (double)world->sets));
    check_near(result->total.p, naive_signed_rank(of_sets, world->sets));
}

static void every_figure_is_that_of_the_records(void **state)
{
    (void)state;
    struct world world = world_of(8, 10, 1, 30);
    struct comparison comparison;
    struct error error = {0};
    for (size_t k = 0; k < 10; k++) { /* one set clearly lower, one clearly higher, in all figures */
        const struct measured *first = world.side[BASELINE][2], *other = world.side[BASELINE][5];
        world.side[CHALLENGER][2][k] = (struct measured){first[k].error / 2 + 0.01 * (double)k,
                                                         10 + (double)(k % 2),
                                                         first[k].iterations / 4,
                                                         first[k].operations / 4,
                                                         200,
                                                         first[k].seconds / 2 + 1e-6,
                                                         1e-5,
                                                         0,
                                                         0};
        world.side[CHALLENGER][5][k] = (struct measured){other[k].error * 2 + 30 + (double)(k % 3),
                                                         90 + (double)k,
                                                         other[k].iterations * 3,
                                                         other[k].operations * 3,
                                                         200,
                                                         other[k].seconds * 2,
                                                         1e-5,
                                                         0,
                                                         0};
    }
    assert_int_equal(compare(&world, 1, 0, &comparison, &error), STATUS_OK);
    assert_int_equal(comparison.compared, 80);
    assert_true(comparison.start_ups_differ);
    for (int metric = 0; metric < COMPARE_METRICS; metric++)
        check_metric(&comparison, &world, (enum compare_metric)metric);
    assert_int_equal(comparison.results[COMPARE_ITERATIONS].cases.wins, 1);
    assert_int_equal(comparison.results[COMPARE_ITERATIONS].cases.losses, 1);
    compare_free(&comparison);
}

/* ---- claims ---- */

/* What the world comes to; the sentence has the text in it. */
static void check_claim(const struct world *world, int times, enum claim claim, const char *text)
{
    struct comparison comparison;
    struct error error = {0};
    assert_int_equal(compare(world, times, 0, &comparison, &error), STATUS_OK);
    struct finding finding = finding_of(&comparison);
    char *sentence = finding_sentence(&comparison, &finding);
    assert_string_equal(claim_name(finding.claim), claim_name(claim));
    assert_non_null(sentence);
    if (!strstr(sentence, text))
        fail_msg("\"%s\" is not in \"%s\"", text, sentence);
    free(sentence);
    compare_free(&comparison);
}

static void a_clear_difference_is_claimed_with_its_interval(void **state)
{
    (void)state;
    struct comparison comparison;
    struct error error = {0};
    char text[160];
    const struct world lower = world_of(8, 9, 0.75, 20), higher = world_of(8, 9, 1.25, 20),
                       times = world_of(8, 9, 4, 20);
    assert_int_equal(compare(&lower, 1, 0, &comparison, &error), STATUS_OK);
    const struct interval ratio = comparison.results[COMPARE_KERNEL_OPERATIONS].total.ratio;
    compare_free(&comparison);
    assert_true(ratio.low > 0.7 && ratio.high < 0.8 && ratio.low < 0.75 && ratio.high > 0.74);
    snprintf(text, sizeof text,
             "cycle-clip-mdm needs %.0f %% fewer kernel operations than clip-mdm (95 %% interval %.0f to %.0f %%)",
             100 * (1 - ratio.estimate), 100 * (1 - ratio.high), 100 * (1 - ratio.low));
    check_claim(&lower, 1, CLAIM_LOWER, text);
    check_claim(&lower, 1, CLAIM_LOWER,
                "; significantly fewer on 8 of 8 data sets, more on 0; test error does not differ");
    check_claim(&higher, 1, CLAIM_HIGHER, "% more kernel operations than clip-mdm");
    check_claim(&times, 1, CLAIM_HIGHER,
                "cycle-clip-mdm needs 4 times the kernel operations of clip-mdm (95 % interval");
}

static void noise_is_no_difference(void **state)
{
    (void)state;
    const struct world world = world_of(8, 9, 1, 40);
    check_claim(&world, 1, CLAIM_INTERVAL, "No difference between cycle-clip-mdm and clip-mdm is shown");
}

static void equal_records_are_alike(void **state)
{
    (void)state;
    struct world world = world_of(8, 9, 1, 40);
    memcpy(world.side[1], world.side[0], sizeof world.side[0]);
    check_claim(&world, 1, CLAIM_ALIKE, "equal on all 72 pairs.");
    world.side[1][3][4].error += 1;
    check_claim(&world, 1, CLAIM_INTERVAL,
                "the ratio of kernel operations is 1 (95 % interval 1 to 1), which contains 1");
}

static void one_pair_has_no_interval(void **state)
{
    (void)state;
    const struct world world = world_of(7, 1, 0.5, 20);
    struct comparison comparison;
    struct error error = {0};
    assert_int_equal(compare(&world, 1, 0, &comparison, &error), STATUS_OK);
    for (size_t d = 0; d < 7; d++) {
        const struct contrast_row *row = &comparison.results[COMPARE_KERNEL_OPERATIONS].rows[d];
        assert_true(isnan(row->ratio.low) && isnan(row->ratio.high) && isnan(row->shift.low) &&
                    row->ratio.estimate > 0.4);
        assert_true(isnan(row->p[CONTRAST_CORRECTED_T]));
    }
    compare_free(&comparison);
    check_claim(&world, 1, CLAIM_LOWER,
                "; the data sets have too few splits for tests of their own"); /* over seven sets */
}

static void five_data_sets_and_five_splits_are_too_few(void **state)
{
    (void)state;
    const struct world sets = world_of(5, 9, 0.5, 20), splits = world_of(1, 5, 0.5, 20), six = world_of(1, 6, 0.5, 20);
    check_claim(&sets, 1, CLAIM_FEW_SETS, "on 5 data sets, which are too few for a claim (6 are needed)");
    check_claim(&splits, 1, CLAIM_FEW_SPLITS, "on 5 splits, which are too few for a claim (6 are needed)");
    check_claim(&six, 1, CLAIM_LOWER, "50 % fewer kernel operations");
}

static void the_corrected_t_can_forbid_a_claim_over_splits(void **state)
{
    (void)state;
    struct world world = world_of(1, 10, 1, 0);
    for (size_t k = 0; k < 10; k++) /* always less, by amounts that differ much */
        world.side[CHALLENGER][0][k].operations -= k < 5 ? 300 : 700;
    world.train = 1000;
    world.test = 10;
    check_claim(&world, 1, CLAIM_LOWER, "fewer kernel operations");
    world.train = 100;
    world.test = 900;
    check_claim(&world, 1, CLAIM_TEST, "but a test over splits does not confirm it (p = 0.");
}

static void a_looser_gap_forbids_the_claim_it_makes(void **state)
{
    (void)state;
    struct comparison comparison;
    struct error error = {0};
    struct world world = world_of(8, 10, 0.5, 20);
    for (size_t k = 0; k < 10; k++)
        world.side[CHALLENGER][1][k].gap = 1e-4; /* seven sets are left, and say the same */
    check_claim(&world, 1, CLAIM_LOWER,
                "; 10 of 80 pairs did not reach the same gap and are counted (without them the ratio is 0.");
    for (size_t d = 0; d < 8; d++)
        for (size_t k = 0; k < 10; k++)
            world.side[CHALLENGER][d][k].gap = 1e-4;
    check_claim(&world, 1, CLAIM_LOOSER, "but on no pair the two came to the same accuracy");
    assert_int_equal(compare(&world, 1, 1, &comparison, &error), STATUS_NOT_FOUND);
    compare_free(&comparison);
    for (size_t k = 0; k < 10; k++)
        world.side[CHALLENGER][3][k].gap = 1e-5;
    check_claim(&world, 1, CLAIM_LOOSER, "but the two came to the same accuracy on 10 pairs alone, of too few");
    for (size_t d = 0; d < 8; d++)
        for (size_t k = 0; k < 10; k++)
            world.side[CHALLENGER][d][k].gap = 1e-4;
    for (size_t d = 0; d < 8; d++)
        for (size_t k = 0; k < 10; k++)
            if (k % 2) { /* where both came equally far both cost alike */
                world.side[CHALLENGER][d][k] = world.side[BASELINE][d][k];
                world.side[CHALLENGER][d][k].error += 1;
            }
    check_claim(&world, 1, CLAIM_LOOSER,
                "but of the 40 pairs on which the two came to the same accuracy it is 1 (95 % interval 1 to 1, p = 1)");
    assert_int_equal(compare(&world, 1, 1, &comparison, &error), STATUS_OK);
    assert_int_equal(comparison.compared, 40);
    assert_int_equal(comparison.marks[PAIR_CHALLENGER_LOOSER], 40);
    assert_int_equal(comparison.results[COMPARE_ITERATIONS].n_pairs, 40);
    compare_free(&comparison);
}

static void a_solver_that_does_not_converge_wins_nothing(void **state)
{
    (void)state;
    struct world world = world_of(8, 10, 0.5, 20);
    for (size_t k = 0; k < 4; k++)
        world.side[CHALLENGER][k][k].at_limit = 1; /* 4 of 80 are 5 % */
    check_claim(&world, 1, CLAIM_LOWER,
                "; 4 of 80 pairs are left out because clip-mdm (0) or cycle-clip-mdm (4) did not converge");
    world.side[CHALLENGER][5][0].at_limit = 1;
    check_claim(&world, 1, CLAIM_UNENDED, "but on 5 of 80 pairs the one that needs less did not converge");
    for (size_t k = 0; k < 10; k++)
        world.side[BASELINE][7][k].at_limit = 1; /* the baseline's failures do not speak against the other */
    world.side[CHALLENGER][5][0].at_limit = 0;
    check_claim(&world, 1, CLAIM_LOWER, "clip-mdm (10) or cycle-clip-mdm (4)");
}

static void what_is_not_counted_is_compared_by_time_or_iterations(void **state)
{
    (void)state;
    struct world world = world_of(8, 10, 0.5, 20);
    for (size_t d = 0; d < 8; d++)
        for (size_t k = 0; k < 10; k++)
            world.side[CHALLENGER][d][k].uncounted = world.side[BASELINE][d][k].uncounted = 1;
    check_claim(&world, 1, CLAIM_LOWER, "50 % less time than");
    check_claim(&world, 0, CLAIM_LOWER, "50 % fewer iterations than");
}

static void times_with_and_without_kernel_values_are_not_compared(void **state)
{
    (void)state;
    struct world world = world_of(8, 10, 0.5, 20);
    struct comparison comparison;
    for (size_t d = 0; d < 8; d++)
        for (size_t k = 0; k < 10; k++)
            world.side[CHALLENGER][d][k].uncounted = 1;
    check_claim(&world, 1, CLAIM_LOWER, "50 % fewer iterations than");
    check_claim(&world, 1, CLAIM_LOWER,
                "; kernel operations of cycle-clip-mdm are not counted, and times are not of one kind");
    assert_int_equal(compare(&world, 1, 0, &comparison, NULL), STATUS_OK);
    assert_string_equal(comparison.sides.without_times,
                        "Times are not compared: those of cycle-clip-mdm have its kernel values "
                        "in them, those of clip-mdm have not.");
    compare_free(&comparison);
}

static void start_ups_that_differ_are_said(void **state)
{
    (void)state;
    struct world world = world_of(8, 10, 0.5, 0);
    for (size_t d = 0; d < 8; d++)
        for (size_t k = 0; k < 10; k++)
            world.side[CHALLENGER][d][k].start_up = 100 + world.side[CHALLENGER][d][k].operations;
    check_claim(&world, 1, CLAIM_LOWER, "; with the start-up, in which they differ, the ratio is 1;");
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    static const char *const names[] = {"records.jsonl", "timings.jsonl", "run.json", "config.json"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[96];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_figure_is_that_of_the_records),
        cmocka_unit_test(a_clear_difference_is_claimed_with_its_interval),
        cmocka_unit_test(noise_is_no_difference),
        cmocka_unit_test(equal_records_are_alike),
        cmocka_unit_test(one_pair_has_no_interval),
        cmocka_unit_test(five_data_sets_and_five_splits_are_too_few),
        cmocka_unit_test(the_corrected_t_can_forbid_a_claim_over_splits),
        cmocka_unit_test(a_looser_gap_forbids_the_claim_it_makes),
        cmocka_unit_test(a_solver_that_does_not_converge_wins_nothing),
        cmocka_unit_test(what_is_not_counted_is_compared_by_time_or_iterations),
        cmocka_unit_test(times_with_and_without_kernel_values_are_not_compared),
        cmocka_unit_test(start_ups_that_differ_are_said),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
