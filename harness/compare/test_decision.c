/*
 * The findings and sentences for constructed records. Each case has the construction, the expected claims, and phrases
 * that the sentence must or must not contain. Every eighth case, or every case with HULLBENCH_TESTS=all, is also
 * compared with the solvers exchanged, which must mirror the finding and the sentence. HULLBENCH_PRINT_SENTENCES in the
 * environment prints all sentences.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/compare/compare.h"
#include "tests/all_tests.h"
#include "tests/made_pairs.h"

/* ---- worlds ---- */

/* Uniform from -1 to 1, reproducible. */
static double drawn(unsigned *state)
{
    *state = *state * 1103515245u + 12345u;
    return (double)(*state >> 16) / 32767.5 - 1;
}

/* The candidate costs `factor` times as much, varying by `set_spread` between sets and by `split_spread` between
 * splits; errors differ by up to 0.1 points at random. */
static struct world study(size_t sets, size_t splits, double factor, double set_spread, double split_spread)
{
    struct world world = world_of(sets, splits, 1, 0);
    unsigned state = 7;
    world.train = 170;
    world.test = 100;
    for (size_t d = 0; d < sets; d++) {
        double of_set = factor * exp(set_spread * drawn(&state));
        for (size_t k = 0; k < splits; k++) {
            struct run_counts *baseline = &world.arm[BASELINE][d][k], *candidate = &world.arm[CANDIDATE][d][k];
            baseline->iterations = rint(10000 * (double)(d + 1) * exp(0.1 * drawn(&state)));
            baseline->error = 10 + (double)d + drawn(&state);
            *candidate = *baseline;
            candidate->iterations = rint(baseline->iterations * of_set * exp(split_spread * drawn(&state)));
            candidate->error += 0.1 * drawn(&state);
            for (int s = 0; s < ARMS; s++) {
                struct run_counts *at = &world.arm[s][d][k];
                at->operations = 7 * at->iterations;
                at->seconds = at->iterations / 1e6;
            }
        }
    }
    return world;
}

#define FOR_EACH_PAIR(world)                                                                                           \
    for (size_t d = 0; d < (world)->sets; d++)                                                                         \
        for (size_t k = 0; k < (world)->splits; k++)

static void set_cost(struct run_counts *at, double iterations)
{
    at->iterations = rint(iterations);
    at->operations = 7 * at->iterations;
    at->seconds = at->iterations / 1e6;
}

static struct world identical(void)
{
    struct world world = study(13, 30, 1, 0, 0);
    memcpy(world.arm[CANDIDATE], world.arm[BASELINE], sizeof world.arm[BASELINE]);
    return world;
}

static struct world identical_with_failures(void)
{
    struct world world = identical();
    FOR_EACH_PAIR(&world)
        world.arm[BASELINE][d][k].at_limit = world.arm[CANDIDATE][d][k].at_limit = k % 5 == 0;
    return world;
}

/* Stopped at one limit, at different points. */
static struct world equal_but_for_what_was_stopped(void)
{
    struct world world = identical_with_failures();
    world.arm[CANDIDATE][3][5].excess = 0.25;
    return world;
}

static struct world clearly_fewer(void)
{
    return study(13, 30, 0.75, 0.1, 0.1);
}

static struct world four_times(void)
{
    return study(13, 30, 4, 0.1, 0.1);
}

static struct world nothing_but_noise(void)
{
    return study(13, 30, 1, 0.3, 0.3);
}

static struct world tiny_on_every_set(void)
{
    return study(13, 30, 0.98, 0.005, 0.005);
}

static struct world small_and_uncertain(void)
{
    return study(13, 30, 0.96, 0.08, 0.02);
}

static struct world large_but_noisy(void)
{
    return study(13, 30, 0.7, 1.5, 0.5);
}

static struct world error_higher_on_every_set(void)
{
    struct world world = study(13, 30, 0.5, 0.1, 0.1);
    world.train = 400;
    world.test = 4900;
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].error = world.arm[BASELINE][d][k].error + 1 + ((d + k) % 2 ? 4 : -4);
    return world;
}

static struct world error_lower_everywhere(void)
{
    struct world world = study(13, 30, 1, 0.3, 0.3);
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].error = world.arm[BASELINE][d][k].error - 2;
    return world;
}

/* 88 % of the splits cost 3 % less, 12 % four times as much. */
static struct world few_dear_splits(void)
{
    struct world world = study(13, 50, 0.97, 0, 0.001);
    FOR_EACH_PAIR(&world)
        if (k % 8 == 0 && k < 48)
            set_cost(&world.arm[CANDIDATE][d][k], 4 * world.arm[BASELINE][d][k].iterations);
    return world;
}

/* On each of 13 sets the splits' ratios share most of their variation, as with overlapping training parts. */
static struct world shared_by_splits(void)
{
    return study(13, 50, 1, 0.06, 0.08);
}

static struct world baseline_fails_often(void)
{
    struct world world = study(13, 30, 1, 0.02, 0.02);
    for (size_t d = 0; d < 6; d++)
        for (size_t k = 0; k < 30; k++)
            world.arm[BASELINE][d][k].at_limit = 1;
    return world;
}

/* Too few sets for a test over data sets: with four that differ, p is at least 0.125. */
static struct world baseline_fails_on_four_sets(void)
{
    struct world world = study(13, 45, 1, 0.02, 0.02);
    for (size_t d = 0; d < 4; d++)
        for (size_t k = 0; k < 45; k++)
            world.arm[BASELINE][d][k].at_limit = 1;
    return world;
}

static struct world cheaper_but_fails(void)
{
    struct world world = study(13, 30, 0.5, 0.05, 0.05);
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].at_limit = k % 3 == 0;
    return world;
}

static struct world one_failure(void)
{
    struct world world = study(13, 30, 0.5, 0.05, 0.05);
    world.arm[CANDIDATE][4][7].at_limit = 1;
    return world;
}

static struct world both_fail_together(void)
{
    struct world world = study(13, 30, 0.75, 0.05, 0.05);
    FOR_EACH_PAIR(&world)
        if (k < 3)
            world.arm[CANDIDATE][d][k].at_limit = world.arm[BASELINE][d][k].at_limit = 1;
    return world;
}

static struct world looser(double factor)
{
    struct world world = study(13, 10, factor, 0.05, 0.05);
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].gap = 2.9e-5;
    return world;
}

static struct world looser_without_traces(void)
{
    return looser(0.5);
}

static struct world far_cheaper_and_looser(void)
{
    struct world world = study(13, 10, 0.02, 0.05, 0.05);
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].gap = 1.4e-5;
    return world;
}

static struct world converges_on_one_set(void)
{
    struct world world = study(13, 10, 0.5, 0.05, 0.05);
    FOR_EACH_PAIR(&world)
        world.arm[BASELINE][d][k].at_limit = d != 4;
    return world;
}

/* At the end it needs 40 % less; the baseline reaches a gap of 2.9e-5 after (6 - log10 2.9)/6 of its iterations. */
static struct world looser_with_traces(void)
{
    struct world world = looser(0.6);
    world.decades = 6;
    return world;
}

/* It stops early but needs as much to reach the same gap. */
static struct world only_stops_early(void)
{
    struct world world = looser((6 - log10(2.9)) / 6);
    FOR_EACH_PAIR(&world)
        set_cost(&world.arm[CANDIDATE][d][k], world.arm[BASELINE][d][k].iterations * (6 - log10(2.9)) / 6);
    world.decades = 6;
    return world;
}

static struct world tighter_and_cheaper(void)
{
    struct world world = study(13, 30, 0.5, 0.05, 0.05);
    FOR_EACH_PAIR(&world)
        world.arm[BASELINE][d][k].gap = 2.9e-5;
    return world;
}

static struct world one_set(void)
{
    return study(1, 50, 0.5, 0, 0.1);
}

static struct world one_set_of_unknown_sizes(void)
{
    struct world world = one_set();
    world.train = world.test = 0;
    return world;
}

static struct world one_set_with_five_splits(void)
{
    return study(1, 5, 0.5, 0, 0.1);
}

static struct world five_sets(void)
{
    return study(5, 30, 0.5, 0.05, 0.05);
}

static struct world zero_costs(void)
{
    struct world world = study(13, 10, 0.5, 0.05, 0.05);
    for (size_t k = 0; k < 10; k++)
        set_cost(&world.arm[CANDIDATE][3][k], 0);
    for (size_t k = 0; k < 5; k++)
        set_cost(&world.arm[BASELINE][3][k], 0);
    return world;
}

static struct world unpaired(void)
{
    struct world world = study(13, 30, 0.75, 0.05, 0.05);
    FOR_EACH_PAIR(&world)
        world.arm[BASELINE][d][k].absent = d == 2 && k > 2;
    world.arm[CANDIDATE][5][0].absent = 1;
    return world;
}

static struct world different_problems(void)
{
    struct world world = study(13, 10, 0.5, 0.05, 0.05);
    world.solvers[CANDIDATE] = "1-smo";
    return world;
}

static struct world uncounted(void)
{
    struct world world = study(13, 10, 0.5, 0.05, 0.05);
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].uncounted = 1;
    return world;
}

/* Half of the runs stall; the others need 1 % of the baseline's cost. A mean of logarithms with ten times the largest
 * cost for a failure is below 0. */
static struct world stalls_on_every_second_pair(void)
{
    struct world world = study(13, 30, 0.01, 0.05, 0.05);
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].at_limit = k % 2;
    return world;
}

/* Cheaper on twelve sets; on the thirteenth it fails, which outweighs them in the mean over data sets. */
static struct world fails_on_one_set(void)
{
    struct world world = study(13, 10, 0.9, 0.01, 0.01);
    for (size_t k = 0; k < 10; k++)
        world.arm[CANDIDATE][7][k].at_limit = 1;
    return world;
}

/* Equal set-ups of 225 times the cost. */
static struct world equal_set_ups_outweigh_the_rest(void)
{
    struct world world = study(13, 10, 0.5, 0.05, 0.05);
    FOR_EACH_PAIR(&world)
        for (int s = 0; s < ARMS; s++)
            world.arm[s][d][k].start_up = 225 * world.arm[BASELINE][d][k].operations;
    return world;
}

static struct world takes_twice_the_time(void)
{
    struct world world = study(13, 10, 0.5, 0.05, 0.05);
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].seconds = 2 * world.arm[BASELINE][d][k].seconds;
    return world;
}

static struct world optima_never_meet(void)
{
    struct world world = study(13, 30, 0.5, 0.05, 0.05);
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].excess = 0.01;
    return world;
}

static struct world alike_at_gaps_far_apart(void)
{
    struct world world = study(13, 10, 1, 0.01, 0.01);
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].gap = 1e-3;
    return world;
}

static struct world errors_missing(size_t sets)
{
    struct world world = clearly_fewer();
    FOR_EACH_PAIR(&world)
        if (d < sets)
            world.arm[CANDIDATE][d][k].error = (double)NAN;
    return world;
}

static struct world no_errors(void)
{
    return errors_missing(13);
}

static struct world errors_of_one_set_missing(void)
{
    return errors_missing(1);
}

static struct world start_ups_differ(void)
{
    struct world world = study(13, 10, 0.5, 0.05, 0.05);
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].start_up = 100 + world.arm[CANDIDATE][d][k].operations;
    return world;
}

static struct world gaps_missing_and_apart(void)
{
    struct world world = study(13, 10, 0.75, 0.05, 0.05);
    world.arm[BASELINE][1][1].gap = (double)NAN;
    for (size_t k = 0; k < 3; k++)
        world.arm[CANDIDATE][2][k].excess = 0.01;
    return world;
}

static struct world unknown_solver(void)
{
    struct world world = study(13, 10, 0.75, 0.05, 0.05);
    world.solvers[CANDIDATE] = "mine";
    return world;
}

/* Eleven sets cost 8 % less, two eight times as much. */
static struct world few_dear_sets(void)
{
    struct world world = study(13, 30, 0.5, 0.01, 0.01);
    for (size_t d = 0; d < 13; d++)
        for (size_t k = 0; k < 30; k++)
            set_cost(&world.arm[CANDIDATE][d][k],
                     world.arm[BASELINE][d][k].iterations * (d < 11 ? 0.92 + 0.001 * (double)d : 8));
    return world;
}

/* Both ways in which ranks and mean differ: twelve sets of one kind, and one of the other that outweighs them. */
static struct world fails_rarely_but_always_on_one_set(void)
{
    struct world world = study(13, 20, 1, 0.02, 0.02);
    FOR_EACH_PAIR(&world)
    {
        world.arm[BASELINE][d][k].at_limit = d < 12 && k == 0;
        world.arm[CANDIDATE][d][k].at_limit = d == 12;
    }
    return world;
}

static struct world error_far_higher_on_one_set(void)
{
    struct world world = study(13, 30, 1, 0.02, 0.02);
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].error = world.arm[BASELINE][d][k].error + (d < 12 ? -1 : 40);
    return world;
}

static struct world looser_on_twelve_sets(void)
{
    struct world world = study(13, 10, 0.5, 0.05, 0.05);
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].gap = d < 12 ? 2.9e-5 : 1e-5 / pow(2.9, 12);
    return world;
}

static struct world failures_without_counts(void)
{
    struct world world = study(13, 30, 0.8, 0.01, 0.01);
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].at_limit = world.arm[CANDIDATE][d][k].uncounted = k % 3 == 0;
    return world;
}

static struct world counts_missing(void)
{
    struct world world = study(13, 30, 0.75, 0.05, 0.05);
    for (size_t k = 0; k < 12; k++)
        world.arm[BASELINE][3][k].uncounted = 1;
    return world;
}

static struct world five_sets_of_equal_error(void)
{
    struct world world = five_sets();
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].error = world.arm[BASELINE][d][k].error;
    return world;
}

static struct world baseline_never_converges(void)
{
    struct world world = study(13, 10, 0.5, 0.05, 0.05);
    FOR_EACH_PAIR(&world)
        world.arm[BASELINE][d][k].at_limit = 1;
    return world;
}

static struct world noise_with_failures_and_start_ups(void)
{
    struct world world = nothing_but_noise();
    FOR_EACH_PAIR(&world)
        world.arm[BASELINE][d][k].start_up = world.arm[BASELINE][d][k].operations / 8;
    world.arm[BASELINE][3][5].at_limit = world.arm[CANDIDATE][8][2].at_limit = 1;
    return world;
}

/* Failures outweigh the lower cost, so that the penalised costs are about equal. */
static struct world looser_and_fails(void)
{
    struct world world = study(13, 30, 0.65, 0.01, 0.01);
    FOR_EACH_PAIR(&world)
    {
        world.arm[CANDIDATE][d][k].gap = 2.9e-5;
        world.arm[CANDIDATE][d][k].at_limit = k == 0;
    }
    return world;
}

static struct world five_sets_whose_start_ups_differ(void)
{
    struct world world = five_sets();
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].start_up = world.arm[BASELINE][d][k].operations / 10;
    return world;
}

static struct world set_ups_outweigh_the_rest(void)
{
    struct world world = study(13, 10, 0.75, 0.05, 0.05);
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].start_up = world.arm[BASELINE][d][k].operations;
    return world;
}

static struct world five_sets_looser(void)
{
    struct world world = five_sets();
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].gap = 2.9e-5;
    return world;
}

/* Without failures, costs would be equal; the failures are those of the solver with the smaller gaps. */
static struct world looser_and_cheaper_only_by_failures(void)
{
    struct world world = study(13, 30, 1, 0.02, 0.02);
    FOR_EACH_PAIR(&world)
    {
        world.arm[CANDIDATE][d][k].gap = 29e-5;
        world.arm[BASELINE][d][k].at_limit = d < 7 && k % 4 == 0;
    }
    return world;
}

/* ---- expected statements ---- */

enum { FACTS = 6 };
struct constructed {
    const char *what;
    struct world (*make)(void);
    enum compare_claim claim, cost, error; /* overall, of cost and of error */
    const char *says[FACTS], *never[FACTS];
};

#define X "cycle-clip-mdm"
#define Y "clip-mdm"

static const struct constructed cases[] = {
    {"identical runs",
     identical,
     CLAIM_ALIKE,
     CLAIM_NEGLIGIBLE,
     CLAIM_NEGLIGIBLE,
     {"no difference between " X " and " Y, "equal on all 390 pairs"},
     {"nan", "Test error"}},
    {"identical runs, some stopped at the limit",
     identical_with_failures,
     CLAIM_ALIKE,
     CLAIM_NEGLIGIBLE,
     CLAIM_NEGLIGIBLE,
     {"78 of 390 pairs for " X ", 78 for " Y, "no difference between " X " and " Y, "equal on all 390 pairs"},
     {"nan", "Test error", "Cost"}},
    {"identical runs, but one was stopped elsewhere",
     equal_but_for_what_was_stopped,
     CLAIM_NEGLIGIBLE,
     CLAIM_NEGLIGIBLE,
     CLAIM_NEGLIGIBLE,
     {"practically equal in kernel operations"},
     {"nan", "no difference"}},
    {"25 % fewer on all sets",
     clearly_fewer,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {X " needs 2", "% fewer kernel operations than " Y, "13 data sets, p = 0.00024",
      "Test error: practically equal, at most 0.0051 points apart",
      "one by one, all 13 data sets show significantly fewer"},
     {"nan", "more kernel", "negligible"}},
    {"four times as many",
     four_times,
     CLAIM_HIGHER,
     CLAIM_HIGHER,
     CLAIM_NEGLIGIBLE,
     {X " needs 4.06 times as many kernel operations as " Y, "interval 3.91 to 4.2 times",
      "all 13 data sets show significantly more"},
     {"nan", "fewer", "negligible"}},
    {"nothing but noise",
     nothing_but_noise,
     CLAIM_UNDECIDED,
     CLAIM_UNDECIDED,
     CLAIM_NEGLIGIBLE,
     {"Cost: undecided. " X " and " Y " are shown neither to differ in kernel operations nor to be practically equal",
      "a factor of 1.16 or more, in either direction, would have been found with probability 0.8"},
     {"nan", " needs ", "within the margin", "rests on all"}},
    {"2 % fewer on every set, significant",
     tiny_on_every_set,
     CLAIM_NEGLIGIBLE,
     CLAIM_NEGLIGIBLE,
     CLAIM_NEGLIGIBLE,
     {"practically equal in kernel operations (ratio 0.98", "within the margin of 5 %",
      "13 of 13 data sets differ significantly, but within the margin"},
     {"nan", " needs "}},
    {"4 % fewer, perhaps 8",
     small_and_uncertain,
     CLAIM_SLIGHTLY_LOWER,
     CLAIM_SLIGHTLY_LOWER,
     CLAIM_NEGLIGIBLE,
     {" % fewer kernel operations", "which may be negligible (margin 5 %)",
      "5 of 13 data sets show significantly fewer and none more; 1 other differs significantly, but within the margin"},
     {"nan"}},
    {"large but noisy",
     large_but_noisy,
     CLAIM_UNDECIDED,
     CLAIM_UNDECIDED,
     CLAIM_NEGLIGIBLE,
     {"undecided", "neither to differ in kernel operations", "95.2 % interval",
      "one by one at 1 %, 1 of 13 data sets shows significantly fewer"},
     {"nan", "within the margin"}},
    {"half the cost, one point more error on all sets, large test parts",
     error_higher_on_every_set,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_HIGHER,
     {"Test error: that of " X " is 1.0 points higher", "p = 0.00024",
      "none of the 13 data sets differs significantly; the result rests on all of them together"},
     {"nan", "undecided", "practically equal", "show significantly less"}},
    {"error lower everywhere, cost undecided",
     error_lower_everywhere,
     CLAIM_UNDECIDED,
     CLAIM_UNDECIDED,
     CLAIM_LOWER,
     {"is 2.0 points lower", "all 13 data sets show significantly less"},
     {"nan", "higher"}},
    {"88 % of splits 3 % cheaper, 12 % four times more expensive",
     few_dear_splits,
     CLAIM_HIGHER,
     CLAIM_HIGHER,
     CLAIM_NEGLIGIBLE,
     {"% more kernel operations than " Y " on average",
      "although on the median split it needs 3 % fewer: some splits are much more expensive than the rest",
      "none of the 13 data sets differs significantly; the result rests on all of them together"},
     {"nan", "fewer on 13", "significantly fewer"}},
    {"differences that splits of a set share",
     shared_by_splits,
     CLAIM_NEGLIGIBLE,
     CLAIM_NEGLIGIBLE,
     CLAIM_NEGLIGIBLE,
     {"none of the 13 data sets differs significantly"},
     {"nan", "significantly fewer", "rests on all"}},
    {"the baseline fails on 180 of 390 pairs",
     baseline_fails_often,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {X " has fewer than " Y ", 0 of 390 pairs against 180 (on 6 of 13 data sets, p = 0.031)",
      "Cost where both converge: " X " and " Y " are practically equal in kernel operations",
      "Only if a failed run counts as 10 times the largest cost of its data set, and costs are averaged, can a "
      "difference be claimed: " X " needs 70 %",
      "(failed runs counted as above), 6 of 13 data sets show significantly fewer and none more"},
     {"nan", "Left out", "due to the failures"}},
    {"the baseline always fails on four sets, 180 of 585 pairs",
     baseline_fails_on_four_sets,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"0 of 585 pairs for " X ", 180 for " Y " (on 4 of 13 data sets; not significant, p = 0.12)",
      "one by one at 1 %, 4 of 13 data sets show significantly fewer and none more",
      "where both converge: " X " and " Y " are practically equal", "Only if a failed run counts"},
     {"nan", "undecided"}},
    {"half the cost, but fails on every third pair",
     cheaper_but_fails,
     CLAIM_FAILURES,
     CLAIM_HIGHER,
     CLAIM_NEGLIGIBLE,
     {X " has more than " Y ", 130 of 390 pairs against 0", "depends on how failures count",
      "Where both converge, " X " needs 0.504 times as many", "costs are averaged, it needs 3.99 times as many"},
     {"nan", "as above", "although", "Only if"}},
    {"a hundredth of the cost, but stalls on every second pair",
     stalls_on_every_second_pair,
     CLAIM_FAILURES,
     CLAIM_HIGHER,
     CLAIM_NEGLIGIBLE,
     {X " has more than " Y ", 195 of 390 pairs against 0", "depends on how failures count",
      "Where both converge, " X " needs 0.01", "costs are averaged, it needs 5.47 times as many"},
     {"nan", "as above", "although", "Only if"}},
    {"10 % cheaper, but fails on one set",
     fails_on_one_set,
     CLAIM_FAILURES,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"10 of 130 pairs for " X, "depends on how failures count"},
     {"nan", "as above", "although", "Only if"}},
    {"half the cost beside equal set-ups of 225 times as much",
     equal_set_ups_outweigh_the_rest,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"Cost without the set-up: " X " needs 49 % fewer", "; with the set-up, the ratio is 0.998 (95.2 % interval "},
     {"nan", "more"}},
    {"half the cost in twice the time",
     takes_twice_the_time,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {X " needs 49 % fewer"},
     {"nan", "time"}}, /* see the_time_is_told_where_it_is_unlike_the_cost */
    {"optima that never meet",
     optima_never_meet,
     CLAIM_APART,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"On 390 pairs the ranges that the gaps allow for the optimal value do not overlap",
      "Cost: no claim, since problems differ. Over whole runs, the observed ratio "},
     {"nan", " needs ", "one by one", "fewer"}},
    {"equal costs at gaps 100 times as large",
     alike_at_gaps_far_apart,
     CLAIM_LOOSER,
     CLAIM_NEGLIGIBLE,
     CLAIM_NEGLIGIBLE,
     {"Cost: no claim, since " X " stops less accurately (gaps 100 times as large), which may hide a difference"},
     {"nan", "practically equal in kernel"}},
    {"no test errors",
     no_errors,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NO_VALUE,
     {"390 of the 390 pairs on which both converge lack the test error of one or both"},
     {"nan", "Test error"}},
    {"no test errors of one data set",
     errors_of_one_set_missing,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"30 of the 390 pairs on which both converge lack the test error of one or both", "Test error: practically"},
     {"nan"}},
    {"half the cost, one failure",
     one_failure,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"1 of 390 pairs for " X ", 0 for " Y " (on 1 of 13 data sets; not significant, p = 1",
      "both converge: " X " needs 50 % fewer", "costs are averaged, it needs 50 % fewer"},
     {"nan", " has more than ", "Only if", "due to the failures"}},
    {"both fail on the same pairs",
     both_fail_together,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"39 of 390 pairs for " X ", 39 for " Y " (on 13 of 13 data sets; not significant, p = 1", "% fewer"},
     {"nan"}},
    {"half the cost at gaps 2.9 times as large, no traces",
     looser_without_traces,
     CLAIM_LOOSER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"Cost: no claim, since " X " stops less accurately (gaps 2.9 times as large), which may explain its lower cost",
      "Over whole runs, the observed ratio of kernel operations, " X " over " Y ", is 0.512 (95.2 % interval "},
     {"nan", "same recomputed gap", "one by one", " needs "}},
    {"a fiftieth of the cost at gaps 1.4 times as large, no traces",
     far_cheaper_and_looser,
     CLAIM_LOOSER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"Cost: no claim, since " X " stops less accurately (gaps 1.4 times as large)",
      "is 0.0205 (95.2 % interval "},
     {"nan", " needs "}},
    {"both converge on one data set alone",
     converges_on_one_set,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"0 of 130 pairs against 120", "Cost where both converge, on set4 alone: " X " needs 0.499 times as many",
      "it needs 0.0476 times as many", "which is mostly due to the failures",
      "Test error where both converge, on set4 alone: "},
     {"nan", "% fewer"}},
    {"the same with traces",
     looser_with_traces,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"% fewer kernel operations", "Both costs are counted up to the same recomputed gap"},
     {"nan", "stops"}},
    {"stops early and is no cheaper, with traces",
     only_stops_early,
     CLAIM_NEGLIGIBLE,
     CLAIM_NEGLIGIBLE,
     CLAIM_NEGLIGIBLE,
     {"are practically equal in kernel operations", "same recomputed gap"},
     {"nan", "needs"}},
    {"half the cost at smaller gaps",
     tighter_and_cheaper,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"% fewer",
      Y " stops less accurately (gaps 2.9 times as large), so the saving of " X " is if anything understated"},
     {"nan", "no claim", "favours"}},
    {"one data set",
     one_set,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"% fewer", "50 splits, p < 0.0001"},
     {"nan", "one by one"}},
    {"one data set, sizes of splits unknown",
     one_set_of_unknown_sizes,
     CLAIM_UNTESTED,
     CLAIM_UNTESTED,
     CLAIM_UNTESTED,
     {"Cost: no claim, since the sizes of the 50 splits, which the test needs, are not known", "Test error: no claim"},
     {"nan", "fewer"}},
    {"one data set, five splits",
     one_set_with_five_splits,
     CLAIM_FEW_SPLITS,
     CLAIM_FEW_SPLITS,
     CLAIM_FEW_SPLITS,
     {"Cost: no claim, since 5 splits are too few (6 are needed)", X " over " Y ", is 0.497", "Test error: no claim"},
     {"nan", "fewer"}},
    {"five data sets",
     five_sets,
     CLAIM_FEW_SETS,
     CLAIM_FEW_SETS,
     CLAIM_FEW_SETS,
     {"Cost: no claim, since 5 data sets are too few (6 are needed)",
      "one by one, all 5 data sets show significantly fewer"},
     {"nan", "% fewer"}},
    {"costs of 0",
     zero_costs,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"% fewer", "On 10 pairs a cost is 0; it counts as one half"},
     {"nan", "inf"}},
    {"records without partner",
     unpaired,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"Left out, because the other solver has no matching record: 27 records of " X ", 1 of " Y,
      "all 12 data sets that can be tested show significantly fewer"},
     {"nan"}},
    {"different problems",
     different_problems,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"% fewer", "The two solve different problems, so equal cost is not equal work. Cost: "},
     {"nan"}},
    {"kernel operations of one are not counted",
     uncounted,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"% fewer iterations", "because kernel operations of " X " are not counted"},
     {"nan"}},
    {"a gap that is missing, and optima that do not meet",
     gaps_missing_and_apart,
     CLAIM_APART,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"no claim, since problems differ", "On 1 pair a gap is unknown",
      "On 3 pairs the ranges that the gaps allow for the optimal value do not overlap"},
     {"nan"}},
    {"a solver that is not registered",
     unknown_solver,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"% fewer", "unknown whether the two solve the same problem, because a solver is not registered "
                 "(give --plugin FILE)"},
     {"nan"}},
    {"set-ups that differ",
     start_ups_differ,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"Cost without the set-up: " X " needs 49 % fewer", "; with the set-up, the ratio is 1.02 (95.2 % interval "},
     {"nan", "more"}},
    {"eleven sets 8 % cheaper, two eight times dearer",
     few_dear_sets,
     CLAIM_UNDECIDED,
     CLAIM_UNDECIDED,
     CLAIM_NEGLIGIBLE,
     {"undecided", "neither to differ in kernel operations", "11 of 13 data sets show significantly fewer and 2 more"},
     {"nan"}},
    {"fails less often on twelve sets, always on the thirteenth",
     fails_rarely_but_always_on_one_set,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {X " has fewer than " Y " on more data sets, although 20 of 260 pairs against 12 in all",
      "although on the median split"},
     {"nan", " has more "}},
    {"errors one point lower on twelve sets, 40 higher on the thirteenth",
     error_far_higher_on_one_set,
     CLAIM_NEGLIGIBLE,
     CLAIM_NEGLIGIBLE,
     CLAIM_LOWER,
     {"is 1.0 points lower",
      "although by the mean over data sets it is 2.2 points higher: some data sets differ much more"},
     {"nan"}},
    {"half the cost at gaps 2.9 times as large on twelve sets, far smaller on one",
     looser_on_twelve_sets,
     CLAIM_LOOSER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"Cost: no claim, since " X " stops less accurately (gaps 2.9 times as large)"},
     {"nan", "one by one"}},
    {"20 % fewer, but fails on every third pair without counts",
     failures_without_counts,
     CLAIM_FAILURES,
     CLAIM_HIGHER,
     CLAIM_NEGLIGIBLE,
     {", 130 of 390 pairs against 0", "Where both converge, " X " needs 0.801 times as many", "averaged, it needs "},
     {"nan", "lack the", "set-up"}},
    {"counts of some converged runs are missing",
     counts_missing,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"% fewer kernel operations", "12 of 390 pairs lack the kernel operations of one or both"},
     {"nan", "set-up"}},
    {"cheaper where both converge at gaps 2.9 times as large, and fails",
     looser_and_fails,
     CLAIM_LOOSER,
     CLAIM_NEGLIGIBLE,
     CLAIM_NEGLIGIBLE,
     {"no claim, since " X " stops less accurately (gaps 2.9 times as large)"},
     {"nan"}},
    {"five data sets, equal errors",
     five_sets_of_equal_error,
     CLAIM_FEW_SETS,
     CLAIM_FEW_SETS,
     CLAIM_FEW_SETS,
     {"Test error: no claim; the observed difference is 0 points"},
     {"nan", "points lower", "points higher"}},
    {"the baseline never converges",
     baseline_never_converges,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NO_VALUE,
     {"0 of 130 pairs against 130", "Cost: both converge on no pair. If a failed run counts",
      X " needs 0.0471 times as many kernel operations as " Y},
     {"nan", "Only if", "due to the failures", "Test error"}},
    {"nothing but noise, with failures and set-ups that differ",
     noise_with_failures_and_start_ups,
     CLAIM_UNDECIDED,
     CLAIM_UNDECIDED,
     CLAIM_NEGLIGIBLE,
     {"Cost: undecided. Where both converge, " X " and " Y " are shown neither to differ in kernel operations",
      "averaged, they are shown neither to differ nor to be practically equal", "; with the set-up, the ratio is "},
     {"nan", " needs ", "Only if"}},
    {"five data sets, half the cost, set-ups that differ",
     five_sets_whose_start_ups_differ,
     CLAIM_FEW_SETS,
     CLAIM_FEW_SETS,
     CLAIM_FEW_SETS,
     {"no claim, since 5 data sets are too few", "; with the set-up, the ratio is 0.", " (93.8 % interval 0."},
     {"nan", " needs ", "95 %", "% fewer"}},
    {"23 % fewer, but 77 % more with the set-up",
     set_ups_outweigh_the_rest,
     CLAIM_LOWER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"% fewer kernel operations", "; with the set-up, it needs 77 % more (95.2 % interval "},
     {"nan", "negligible"}},
    {"five data sets, half the cost at gaps 2.9 times as large",
     five_sets_looser,
     CLAIM_FEW_SETS,
     CLAIM_FEW_SETS,
     CLAIM_FEW_SETS,
     {"no claim, since 5 data sets are too few",
      X " stops less accurately (gaps 2.9 times as large), which favours it"},
     {"nan", "significantly", " needs "}},
    {"cheaper only by the failures of the other, at gaps 29 times as large",
     looser_and_cheaper_only_by_failures,
     CLAIM_LOOSER,
     CLAIM_LOWER,
     CLAIM_NEGLIGIBLE,
     {"Cost: no claim, since " X " stops less accurately (gaps 29 times as large)",
      "of its data set, and costs are averaged, the observed ratio "},
     {"nan", "Only if", " needs ", "be claimed"}},
};
enum { CASES = sizeof cases / sizeof *cases };

/* A world's comparison, finding and sentence. */
struct told {
    struct comparison comparison;
    struct finding finding;
    const char *sentence;
};

static struct pool *pool; /* of all comparisons */

static void told_of(const struct world *world, struct told *told)
{
    told->comparison = world_compare(pool, world, 1);
    assert_null(told->comparison.obstacle);
    told->finding = finding_of(&told->comparison);
    told->sentence = finding_sentence(pool, &told->comparison, &told->finding);
}

/* The comparisons of the cases, which two tests read: each is made once. */
static struct told told_cases[CASES];

static const struct told *told_case(size_t c)
{
    struct told *told = &told_cases[c];
    if (!told->sentence) {
        const struct world world = cases[c].make();
        told_of(&world, told);
    }
    return told;
}

static int set_up(void **state)
{
    pool = pool_new();
    return world_set_up(state);
}

static int tear_down(void **state)
{
    pool_free(pool);
    return world_tear_down(state);
}

static size_t case_made_by(struct world (*make)(void))
{
    size_t c = 0;
    while (c < CASES && cases[c].make != make)
        c++;
    assert_true(c < CASES);
    return c;
}

static size_t claim_is_wrong(const char *of, enum compare_claim is, enum compare_claim should)
{
    if (is != should)
        print_message("    the claim about %s is \"%s\" and should be \"%s\"\n", of, claim_names[is],
                      claim_names[should]);
    return is != should;
}

/* The number of wrong facts, which are also printed. */
static size_t count_wrong(const struct constructed *constructed, const struct told *told)
{
    size_t wrong = claim_is_wrong("all", told->finding.claim, constructed->claim) +
                   claim_is_wrong("cost", told->finding.cost.claim, constructed->cost) +
                   claim_is_wrong("error", told->finding.error.claim, constructed->error);
    for (int i = 0; i < FACTS; i++) {
        int missing = constructed->says[i] && !strstr(told->sentence, constructed->says[i]);
        int there = constructed->never[i] && strstr(told->sentence, constructed->never[i]);
        if (missing)
            print_message("    \"%s\" is missing\n", constructed->says[i]);
        if (there)
            print_message("    \"%s\" is there\n", constructed->never[i]);
        wrong += (size_t)missing + (size_t)there;
    }
    return wrong;
}

/* ---- the mirror ---- */

static enum compare_claim mirrored_claim(enum compare_claim claim)
{
    switch (claim) {
    case CLAIM_LOWER:
        return CLAIM_HIGHER;
    case CLAIM_HIGHER:
        return CLAIM_LOWER;
    case CLAIM_SLIGHTLY_LOWER:
        return CLAIM_SLIGHTLY_HIGHER;
    case CLAIM_SLIGHTLY_HIGHER:
        return CLAIM_SLIGHTLY_LOWER;
    default:
        return claim;
    }
}

static void check_claim(const char *what, enum compare_claim is, enum compare_claim should)
{
    if (is != should)
        fail_msg("%s: exchanged, the claim is \"%s\" and should be \"%s\"", what, claim_names[is], claim_names[should]);
}

static struct estimate mirrored_effect(struct estimate effect)
{
    const struct estimate from = effect;
    effect.claim = mirrored_claim(from.claim);
    const struct interval *difference = &from.difference;
    effect.difference =
        (struct interval){-difference->estimate, -difference->high, -difference->low, difference->level};
    effect.median = -from.median;
    effect.of_means = -from.of_means;
    effect.mean.estimate = -from.mean.estimate;
    effect.direction = -from.direction;
    const struct bayes_posterior *posterior = &from.posterior;
    effect.posterior = (struct bayes_posterior){posterior->higher, posterior->equivalent, posterior->lower};
    effect.lower = from.higher;
    effect.higher = from.lower;
    return effect;
}

/* Computes the finding, and the parts of the comparison that the sentence uses, with the solvers exchanged. */
static void mirror(struct comparison *comparison, struct finding *finding)
{
    struct estimate *const effects[] = {&finding->cost, &finding->both_converged, &finding->error, &finding->failures,
                                      &finding->start_up};
    const struct comparison from = *comparison;
    finding->claim = mirrored_claim(finding->claim);
    finding->gap_ratio = 1 / finding->gap_ratio;
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++)
        *effects[i] = mirrored_effect(*effects[i]);
    for (int s = 0; s < ARMS; s++) {
        comparison->arms.labels[s] = from.arms.labels[!s];
        comparison->arms.counted[s] = from.arms.counted[!s];
        comparison->failed[s] = from.failed[!s];
        comparison->pairing.alone[s] = from.pairing.alone[!s];
    }
}

static void check_near(const char *what, double is, double should)
{
    if (!(isnan(is) && isnan(should)) && !(fabs(is - should) <= 1e-9 * fmax(1, fabs(should))))
        fail_msg("%s: %.17g and not %.17g", what, is, should);
}

static void check_effect(const char *what, const struct estimate *is, const struct estimate *should)
{
    check_claim(what, is->claim, should->claim);
    check_near(what, is->difference.estimate, should->difference.estimate);
    check_near(what, is->difference.low, should->difference.low);
    check_near(what, is->difference.high, should->difference.high);
    check_near(what, is->adjusted, should->adjusted);
    check_near(what, is->median, should->median);
    check_near(what, is->of_means, should->of_means);
    check_near(what, is->mean.estimate, should->mean.estimate);
    check_near(what, is->posterior.lower, should->posterior.lower);
    check_near(what, is->posterior.equivalent, should->posterior.equivalent);
    check_near(what, is->detectable, should->detectable);
    assert_int_equal(is->lower, should->lower);
    assert_int_equal(is->higher, should->higher);
    assert_int_equal(is->small, should->small);
}

static void no_number_of_a_sentence_is_longer_than_can_be_read(void **state)
{
    (void)state;
    struct world world = study(13, 30, 1e250, 0.1, 0.1);
    struct told told;
    told_of(&world, &told);
    for (const char *at = told.sentence; *at; at += strspn(at, "0123456789"), at += strcspn(at, "0123456789"))
        if (strspn(at, "0123456789") > 6)
            fail_msg("%.40s...", at);
    assert_non_null(strstr(told.sentence, "e+2"));
}

static void check_mirrored(const struct constructed *constructed, const struct told *told)
{
    const struct world world = constructed->make(), exchanged = world_exchanged(&world);
    struct told other;
    told_of(&exchanged, &other);
    struct comparison comparison = told->comparison;
    struct finding finding = told->finding;
    mirror(&comparison, &finding);
    const char *sentence = finding_sentence(pool, &comparison, &finding);
    check_claim(constructed->what, other.finding.claim, finding.claim);
    check_near(constructed->what, other.finding.gap_ratio, finding.gap_ratio);
    check_effect(constructed->what, &other.finding.cost, &finding.cost);
    check_effect(constructed->what, &other.finding.both_converged, &finding.both_converged);
    check_effect(constructed->what, &other.finding.error, &finding.error);
    check_effect(constructed->what, &other.finding.failures, &finding.failures);
    check_effect(constructed->what, &other.finding.start_up, &finding.start_up);
    assert_string_equal(other.sentence, sentence);
}

/* Unless all tests are asked for, every MIRRORED-th case is exchanged. */
enum { MIRRORED = 8 };

static void every_case_is_told_as_it_was_constructed(void **state)
{
    size_t wrong = 0;
    (void)state;
    for (size_t c = 0; c < CASES; c++) {
        const struct told *told = told_case(c);
        size_t of_case = count_wrong(&cases[c], told);
        if (of_case > 0 || getenv("HULLBENCH_PRINT_SENTENCES"))
            print_message("%zu. %s\n    %s\n", c + 1, cases[c].what, told->sentence);
        wrong += of_case;
        if (all_tests() || c % MIRRORED == 1)
            check_mirrored(&cases[c], told);
    }
    assert_int_equal(wrong, 0);
}

/* ---- single rules ---- */

/* The claim in compare.json is that of the sentence, decided by p and ranks; most sets may have no failures. */
static void the_claim_about_failures_is_that_of_ranks(void **state)
{
    const struct {
        struct world (*make)(void);
        enum compare_claim claim;
    } worlds[] = {{baseline_fails_often, CLAIM_LOWER},
                  {fails_rarely_but_always_on_one_set, CLAIM_LOWER},
                  {cheaper_but_fails, CLAIM_HIGHER},
                  {baseline_fails_on_four_sets, CLAIM_UNDECIDED},
                  {one_failure, CLAIM_UNDECIDED},
                  {both_fail_together, CLAIM_NEGLIGIBLE}};
    (void)state;
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        const struct told *told = told_case(case_made_by(worlds[i].make));
        check_claim("failures", told->finding.failures.claim, worlds[i].claim);
    }
}

/* The penalty on one data set, worked out by hand. */
static void a_failed_run_costs_ten_times_the_largest_cost_of_its_case(void **state)
{
    struct world world = study(1, 10, 1, 0, 0);
    struct comparison comparison;
    double max = 0, sums[ARMS] = {0};
    (void)state;
    for (size_t k = 0; k < 10; k++)
        set_cost(&world.arm[CANDIDATE][0][k], 1000 + 10 * (double)k);
    world.arm[BASELINE][0][2].at_limit = 1;
    set_cost(&world.arm[BASELINE][0][2], 3e6); /* the failed run itself has the largest cost */
    for (size_t k = 0; k < 10; k++)
        max = fmax(max, world.arm[BASELINE][0][k].operations);
    for (size_t k = 0; k < 10; k++) {
        sums[CANDIDATE] += world.arm[CANDIDATE][0][k].operations;
        sums[BASELINE] += k == 2 ? 10 * max : world.arm[BASELINE][0][k].operations;
    }
    double logs = log(sums[CANDIDATE] / sums[BASELINE]), spread = 0;
    for (size_t k = 0; k < 10; k++) {
        const double first = k == 2 ? 10 * max : world.arm[BASELINE][0][k].operations;
        spread += pow(10 * (world.arm[CANDIDATE][0][k].operations / sums[CANDIDATE] - first / sums[BASELINE]), 2) / 9;
    }
    comparison = world_compare(pool, &world, 1);
    const struct interval *penalised = &comparison.results[FIELD_KERNEL_OPERATIONS].rows[0].difference;
    check_near("penalised", penalised->estimate, logs);
    /* the 97.5 % quantile of t with 9 degrees of freedom; train/test is 1.7 */
    check_near("upper end", penalised->high, logs + 2.2621571627982053 * sqrt(spread * (0.1 + 1.7)));
    assert_int_equal(comparison.results[COMPARE_BOTH_CONVERGED].rows[0].n, 9);
    assert_int_equal(comparison.results[FIELD_ERROR].rows[0].n, 9);
    check_near("failures", comparison.results[COMPARE_FAILURES].rows[0].difference.estimate, -10);
}

static void nothing_is_compared_where_neither_ever_converges(void **state)
{
    struct world world = study(8, 10, 1, 0, 0);
    struct comparison comparison;
    (void)state;
    FOR_EACH_PAIR(&world)
        world.arm[BASELINE][d][k].at_limit = world.arm[CANDIDATE][d][k].at_limit = 1;
    comparison = world_compare(pool, &world, 1);
    assert_non_null(strstr(comparison.obstacle, "nothing to compare: on none of the 80 pairs did "));
}

/* To reach the gap of the solver that stops early, the other needs this share of its iterations; the traces round
 * operations to integers. */
static void costs_to_equal_gaps_are_those_of_the_traces(void **state)
{
    const struct world world = looser_with_traces();
    struct comparison comparison;
    (void)state;
    comparison = world_compare(pool, &world, 1);
    assert_true(comparison.targets.used);
    double share = (6 - log10(2.9)) / 6;
    for (size_t k = 0; k < 10; k++) {
        const struct pair *pair = &comparison.pairing.pairs[k];
        double first = compare_value(&comparison, pair, BASELINE, FIELD_KERNEL_OPERATIONS);
        double second = compare_value(&comparison, pair, CANDIDATE, FIELD_KERNEL_OPERATIONS);
        double whole = world.arm[BASELINE][0][k].operations;
        assert_true(second == world.arm[CANDIDATE][0][k].operations);
        assert_true(fabs(first - share * whole) <= 2);
    }
}

static void a_trace_that_ends_elsewhere_than_its_record_is_not_used(void **state)
{
    struct world world = looser_with_traces();
    struct comparison comparison;
    (void)state;
    world.decades = -1;
    comparison = world_compare(pool, &world, 1);
    assert_false(comparison.targets.used);
}

static void what_is_not_counted_is_compared_by_time_or_iterations(void **state)
{
    struct world world = study(8, 10, 0.5, 0, 0.01);
    struct comparison comparison;
    (void)state;
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].uncounted = world.arm[BASELINE][d][k].uncounted = 1;
    for (int times = 0; times < 2; times++) {
        comparison = world_compare(pool, &world, times);
        assert_int_equal(comparison.cost, times ? MEASURE_SECONDS : FIELD_ITERATIONS);
    }
}

/* A program may have become faster without any other change. */
static void equal_counts_are_not_alike_if_the_cost_is_time(void **state)
{
    struct world world = identical();
    struct comparison comparison;
    (void)state;
    for (int differ = 0; differ < 2; differ++) {
        FOR_EACH_PAIR(&world)
        {
            world.arm[BASELINE][d][k].uncounted = world.arm[CANDIDATE][d][k].uncounted = 1;
            world.arm[CANDIDATE][d][k].seconds = world.arm[BASELINE][d][k].seconds * (differ ? 0.5 : 1);
        }
        comparison = world_compare(pool, &world, 1);
        assert_int_equal(comparison.cost, MEASURE_SECONDS);
        assert_int_equal(finding_of(&comparison).claim, differ ? CLAIM_LOWER : CLAIM_ALIKE);
    }
}

static void overlap_is_that_of_what_a_figure_rests_on(void **state)
{
    (void)state;
    check_near("heart", contrast_overlap(CONTRAST_TRAINED, 170, 100), 1.7);
    check_near("heart, error", contrast_overlap(CONTRAST_TESTED, 170, 100), 1.7);
    check_near("banana", contrast_overlap(CONTRAST_TRAINED, 400, 4900), 400.0 / 4900);
    check_near("banana, error", contrast_overlap(CONTRAST_TESTED, 400, 4900), 12.25);
    check_near("ten folds", contrast_overlap(CONTRAST_TRAINED, 243, 27), 9);
    assert_true(isnan(contrast_overlap(CONTRAST_TESTED, 0, 0)));
}

/* It is no part of the conclusion, which does not depend on the machine. */
static void the_time_is_told_where_it_is_unlike_the_cost(void **state)
{
    const struct {
        struct world (*make)(void);
        const char *says;
    } worlds[] = {{takes_twice_the_time, "In time the ratio of " X " to " Y " is 2 ("}, {clearly_fewer, NULL}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const struct told *told = told_case(case_made_by(worlds[i].make));
        const char *text = finding_time(pool, &told->comparison, &told->finding);
        assert_true(worlds[i].says ? strstr(text, worlds[i].says) != NULL : !*text);
    }
}

/* With failures and set-ups that matter, three statements are made about cost, two of them from equal ranks; about the
 * error and the failures, one each. */
static void the_statements_about_cost_are_one_family(void **state)
{
    struct world world = cheaper_but_fails();
    struct comparisons comparisons = {.pool = pool, .n = 1};
    FOR_EACH_PAIR(&world)
        world.arm[CANDIDATE][d][k].start_up = 3 * world.arm[BASELINE][d][k].operations;
    struct comparison item = world_compare(pool, &world, 1);
    (void)state;
    comparisons.items = &item;
    comparisons_conclude(&comparisons, NULL);
    const struct finding *finding = &item.finding;
    assert_true(finding->start_ups_matter && finding->of_cost == 3);
    assert_true(fabs(finding->cost.p - 2 / 8192.) < 1e-12 && fabs(finding->cost.adjusted - 6 / 8192.) < 1e-12);
    assert_true(fabs(finding->both_converged.adjusted - 6 / 8192.) < 1e-12);
    assert_true(finding->failures.adjusted == finding->failures.p && finding->error.adjusted == finding->error.p);
    assert_non_null(strstr(item.sentence, "Each p of cost is adjusted by Holm over 3 statements about cost"));
    item = world_compare(pool, (world = clearly_fewer(), &world), 1);
    comparisons_conclude(&comparisons, NULL);
    assert_true(finding->of_cost == 1 && finding->cost.adjusted == finding->cost.p);
    assert_null(strstr(item.sentence, "Holm"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_statements_about_cost_are_one_family),
        cmocka_unit_test(the_time_is_told_where_it_is_unlike_the_cost),
        cmocka_unit_test(every_case_is_told_as_it_was_constructed),
        cmocka_unit_test(the_claim_about_failures_is_that_of_ranks),
        cmocka_unit_test(a_failed_run_costs_ten_times_the_largest_cost_of_its_case),
        cmocka_unit_test(nothing_is_compared_where_neither_ever_converges),
        cmocka_unit_test(costs_to_equal_gaps_are_those_of_the_traces),
        cmocka_unit_test(a_trace_that_ends_elsewhere_than_its_record_is_not_used),
        cmocka_unit_test(what_is_not_counted_is_compared_by_time_or_iterations),
        cmocka_unit_test(equal_counts_are_not_alike_if_the_cost_is_time),
        cmocka_unit_test(overlap_is_that_of_what_a_figure_rests_on),
        cmocka_unit_test(no_number_of_a_sentence_is_longer_than_can_be_read),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
