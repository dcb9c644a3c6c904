/*
 * A run that did not converge has cost at least what it spent; its full cost is unknown. So if a sample of costs
 * contains such a run, its mean is a lower bound, and an inequality that needs an upper bound is not decided.
 */
#include "harness/papers/claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/compare/case_statistics.h"
#include "harness/papers/reproduction.h"

const double claim_level = 0.05;

#define DETAIL(one, ...) snprintf((one)->detail, sizeof(one)->detail, __VA_ARGS__)

/* ---- runs that did not converge ---- */

/* Whether the selection's mean is only a lower bound of a cost. */
static int is_bound(const struct question *question, int k)
{
    const char *field = question->claim->from[k].field;
    const int is_cost = strcmp(field, "iterations") == 0 || strncmp(field, "kernel_", strlen("kernel_")) == 0;
    const struct sample *sample = &question->samples[k];
    return !question->printed && is_cost && strcmp(field, "kernel_operations.predict") != 0 &&
           sample->converged < sample->n + sample->n_null;
}

/* ---- inequalities ---- */

/* sum_k c[k] E x_k < bound, or <= bound. */
struct inequality {
    double c[CLAIM_SELECTIONS_MAX], bound;
    int strict;
};

/* Tolerance for the binary representation of a difference of printed means; a printed digit is 1e-1 to 1e-4. */
#define BINARY_SLACK 1e-9

static enum claim_answer printed_answer(const struct question *question, const struct inequality *inequality)
{
    double sum = -inequality->bound;
    for (int k = 0; k < CLAIM_SELECTIONS_MAX; k++)
        sum += inequality->c[k] != 0 ? inequality->c[k] * question->means[k] : 0;
    return (inequality->strict ? sum < -BINARY_SLACK : sum <= BINARY_SLACK) ? CLAIM_FOR : CLAIM_AGAINST;
}

/* Whether the test shows that the expectation of the n differences is on the side of `tail`. */
static int is_shown(const struct question *question, const double *differences, const double *zeros, size_t n,
                    enum tail tail, double level)
{
    const struct paper_claim *claim = question->claim;
    const int general = claim->kind->flags & CLAIM_SAME && strcmp(claim->from[0].field, "error_percent") == 0;
    const double overlap = general ? contrast_overlap(CONTRAST_TESTED, question->n_train, question->n_test) : 0;
    return !isnan(overlap) && resampled_t_test(differences, zeros, n, overlap, tail, 0.95).p_value < level;
}

static enum claim_answer measured_answer(const struct question *question, const struct inequality *inequality)
{
    const size_t n = question->shared[0].n;
    double *differences = xcalloc(2 * n, sizeof *differences), largest = 0;
    int bound_below = 0, bound_above = 0, same = 1; /* whether the sum itself is only a lower or upper bound */
    for (int k = 0; k < CLAIM_SELECTIONS_MAX; k++) {
        const double c = inequality->c[k];
        for (size_t i = 0; i < n && c != 0; i++) {
            differences[i] += c * question->shared[k].values[i];
            largest = fmax(largest, fabs(c * question->shared[k].values[i]));
        }
        bound_below = bound_below || (c > 0 && is_bound(question, k));
        bound_above = bound_above || (c < 0 && is_bound(question, k));
    }
    for (size_t i = 0; i < n; i++) {
        differences[i] -= inequality->bound;
        if (fabs(differences[i]) <= largest * 1e-14) /* rounding of the sums */
            differences[i] = 0;
        same = same && differences[i] == 0;
    }
    const double level = claim_level, *zeros = differences + n;
    int below = n > 1 && is_shown(question, differences, zeros, n, TAIL_LESS, level * question->share_for);
    int above = n > 1 && is_shown(question, differences, zeros, n, TAIL_GREATER, level * question->share_against);
    below = below || (n > 0 && same && !inequality->strict);
    above = above || (n > 0 && same && inequality->strict);
    free(differences);
    return below && !bound_below ? CLAIM_FOR : above && !bound_above ? CLAIM_AGAINST : CLAIM_OPEN;
}

static enum claim_answer answer_one(const struct question *question, const struct inequality *inequality)
{
    return question->printed ? printed_answer(question, inequality) : measured_answer(question, inequality);
}

static enum claim_answer answer_all(const struct question *question, const struct inequality *inequalities, int n)
{
    enum claim_answer answer = CLAIM_FOR;
    for (int i = 0; i < n; i++) {
        enum claim_answer one = answer_one(question, &inequalities[i]);
        answer = one == CLAIM_AGAINST || answer == CLAIM_AGAINST ? CLAIM_AGAINST : one == CLAIM_OPEN ? one : answer;
    }
    return answer;
}

static void lower_mean(const struct question *question, struct claim_case *one)
{
    const struct inequality lower = {{1, question->claim->numbers[0] - 1}, 0, 1};
    one->answer = answer_all(question, &lower, 1);
    DETAIL(one, "%.6g against %.6g", question->means[0], question->means[1]);
}

static void at_most(const struct question *question, struct claim_case *one)
{
    const struct inequality most = {{1, -1}, question->printed ? 0 : question->claim->half_unit, 0};
    one->answer = answer_all(question, &most, 1);
    DETAIL(one, "%.6g against %.6g", question->means[0], question->means[1]);
}

static void ratio_between(const struct question *question, struct claim_case *one)
{
    const double *means = question->means, *range = question->claim->numbers;
    const struct inequality both[] = {{{-1, range[0]}, 0, 0}, {{1, -range[1]}, 0, 0}};
    double ratio = means[0] / means[1];
    if (!isfinite(ratio))
        return;
    one->answer = answer_all(question, both, 2);
    DETAIL(one, "%.6g / %.6g = %.4g, claimed %g to %g", means[0], means[1], ratio, range[0], range[1]);
}

static void between(const struct question *question, struct claim_case *one)
{
    const double *means = question->means;
    const struct inequality both[] = {{{1, -1}, 0, 0}, {{0, 1, -1}, 0, 0}};
    one->answer = answer_all(question, both, 2);
    DETAIL(one, "%.6g between %.6g and %.6g", means[1], means[0], means[2]);
}

/* Two one-sided tests (Schuirmann 1987): is the difference shown to lie within the limit? */
static void means_within(const struct question *question, struct claim_case *one)
{
    const double *means = question->means;
    const double limit = question->claim->numbers[0] + (question->printed ? 0 : question->claim->half_unit);
    const struct inequality both[] = {{{1, -1}, limit, 0}, {{-1, 1}, limit, 0}};
    one->answer = answer_all(question, both, 2);
    DETAIL(one, "%.6g and %.6g, %.3g apart", means[0], means[1], fabs(means[0] - means[1]));
}

/* |E x_0 - E x_1| < |E x_2 - E x_3|, with the signs of the means. */
static void closer_means(const struct question *question, struct claim_case *one)
{
    const double *means = question->means;
    const double apart = means[0] - means[1], before = means[2] - means[3];
    const double s = apart < 0 ? -1 : 1, t = before < 0 ? -1 : 1;
    const struct inequality closer = {{s, -s, -t, t}, 0, 1};
    one->answer = answer_all(question, &closer, 1);
    DETAIL(one, "%.3g apart against %.3g", fabs(apart), fabs(before));
}

/* Which of two means is shown to be lower: -1 the first, 1 the second, 0 neither; 2: shown to be equal. */
static int order_of(const struct question *question, int k)
{
    struct inequality first = {{0}, 0, 1}, second = {{0}, 0, 1};
    first.c[k] = second.c[k + 1] = 1;
    first.c[k + 1] = second.c[k] = -1;
    const enum claim_answer lower = answer_one(question, &first), higher = answer_one(question, &second);
    if (lower == CLAIM_FOR || higher == CLAIM_FOR)
        return lower == CLAIM_FOR ? -1 : 1;
    return lower == CLAIM_AGAINST && higher == CLAIM_AGAINST ? 2 : 0;
}

static void same_order(const struct question *question, struct claim_case *one)
{
    const double *means = question->means;
    const int here = order_of(question, 0), there = order_of(question, 2);
    one->answer = here == 0 || there == 0 ? CLAIM_OPEN : here == there ? CLAIM_FOR : CLAIM_AGAINST;
    DETAIL(one, "%.6g against %.6g, and %.6g against %.6g", means[0], means[1], means[2], means[3]);
}

/* ---- kinds about significance, by the paper's own test and level ---- */

int claim_column_fits(const struct paper_column *column, const struct record_filter *wanted)
{
    return paper_column_is_mean(column) && strcmp(column->from.solver, wanted->solver) == 0 &&
           strcmp(column->from.field, wanted->field) == 0 && record_includes(column->from.params, wanted->params) &&
           record_includes(column->from.kernel, wanted->kernel) && record_includes(column->from.stop, wanted->stop);
}

/* Finds the printed table's mark for the signed-rank test between the first two selections. *sign is -1 if the first is
 * marked (and so significantly lower), 1 if the second is, 0 if neither. Returns whether such a test exists and its
 * cells have values. */
static int printed_mark(const struct question *question, const char *dataset, int *sign)
{
    const struct record_filter *first = &question->claim->from[0], *second = &question->claim->from[1];
    for (size_t t = 0; t < question->paper->n_tables; t++) {
        const struct paper_table *table = &question->paper->tables[t];
        const struct paper_row *row = paper_row_of(table, dataset);
        for (size_t k = 0; row && k < table->n_tests; k++) {
            const struct paper_test *test = &table->tests[k];
            const size_t a = test->sides[0].columns[0], b = test->sides[1].columns[0];
            const struct paper_column *columns = table->columns;
            if (!test->mark || test->kind != TEST_SIGNED_RANK || test->sides[0].n > 1 || test->sides[1].n > 1)
                continue;
            int straight = claim_column_fits(&columns[a], first) && claim_column_fits(&columns[b], second);
            int turned =
                !straight && claim_column_fits(&columns[a], second) && claim_column_fits(&columns[b], first);
            if ((!straight && !turned) || row->cells[a].n == 0 || row->cells[b].n == 0)
                continue;
            enum marked_side side = marked_side(test, row->marked[k]);
            *sign = side == MARKED_NOWHERE ? 0 : (side == MARKED_FIRST) != turned ? -1 : 1;
            return 1;
        }
    }
    return 0;
}

/* The result of a rank test of the first two selections. By the paper's marks, p is 0 with a mark and 1 without, and
 * sign is 0 without a mark. `equal`: on every split. */
struct rank_outcome {
    int decided, sign, equal; /* sign of the first mean minus the second */
    double p;
};

static struct rank_outcome outcome_by_paper(const struct question *question, struct claim_case *one)
{
    struct rank_outcome outcome = {.p = 1};
    outcome.decided = question->claim->test == TEST_SIGNED_RANK && printed_mark(question, one->dataset, &outcome.sign);
    outcome.p = outcome.sign ? 0 : 1;
    if (outcome.decided)
        DETAIL(one, "%s marked", outcome.sign ? question->claim->from[outcome.sign > 0].solver : "neither");
    return outcome;
}

/* For a paired test, the means too are over the shared splits. */
static struct rank_outcome outcome_of(const struct question *question, struct claim_case *one)
{
    const int paired = question->claim->test == TEST_SIGNED_RANK;
    const struct sample *from = paired ? question->shared : question->samples;
    struct rank_outcome outcome = {.equal = question->shared[0].n > 0};
    struct rank_test test;
    if (question->printed)
        return outcome_by_paper(question, one);
    outcome.decided = samples_test((enum test_kind)question->claim->test, &from[0], &from[1], &test) > 0;
    outcome.p = test.p_value;
    const double first = summary_of(from[0].values, from[0].n).mean,
                 second = summary_of(from[1].values, from[1].n).mean;
    outcome.sign = (first > second) - (first < second);
    for (size_t i = 0; i < question->shared[0].n; i++)
        outcome.equal = outcome.equal && question->shared[0].values[i] == question->shared[1].values[i];
    if (outcome.decided)
        DETAIL(one, "%.6g against %.6g, p = %.3g", first, second, test.p_value);
    return outcome;
}

/* Whether the data set shows no significant difference, or none with the first mean higher. Evidence against it must
 * pass a lower level if many data sets are searched; between the two levels the data set is open. */
static enum claim_answer answer_not_worse(const struct question *question, const struct rank_outcome *outcome,
                                          int either)
{
    const int apart = either ? outcome->sign != 0 : outcome->sign > 0;
    if (!apart || outcome->p >= question->claim->numbers[0])
        return CLAIM_FOR;
    return outcome->p < question->claim->numbers[0] * question->share_against ? CLAIM_AGAINST : CLAIM_OPEN;
}

static void no_difference(const struct question *question, struct claim_case *one)
{
    struct rank_outcome outcome = outcome_of(question, one);
    if (outcome.decided)
        one->answer = answer_not_worse(question, &outcome, 1);
}

/* A test that is not significant decides nothing. The claim is opposed by a significant difference the other way, or by
 * samples that are equal. By the paper's own table, a missing mark opposes it too. */
static void significantly_worse(const struct question *question, struct claim_case *one)
{
    const struct rank_outcome outcome = outcome_of(question, one);
    const double level = question->claim->numbers[0];
    if (!outcome.decided)
        return;
    if (question->negated)
        one->answer = answer_not_worse(question, &outcome, 0);
    else if (outcome.sign > 0 && outcome.p < level * question->share_for)
        one->answer = is_bound(question, 1) ? CLAIM_OPEN : CLAIM_FOR;
    else if (question->printed || outcome.equal || (outcome.sign < 0 && outcome.p < level * question->share_against))
        one->answer = is_bound(question, 0) ? CLAIM_OPEN : CLAIM_AGAINST;
    else
        one->answer = CLAIM_OPEN;
}

/* ---- kinds about every run ---- */

/* On no split do the objectives differ by more than "limit" relative to the second; if "reciprocal", one objective is
 * compared with the reciprocal of the other. Reciprocal: the optimum of the nearest points is h = 1/2 |W|^2 = 1/D,
 * D that of the dual of the 2-SVM (2.4.2), since the margin 1/|w| of an SVM is half the distance |W| of the hulls. */
static void same_model(const struct question *question, struct claim_case *one)
{
    const struct sample *first = &question->shared[0], *second = &question->shared[1];
    double worst = 0;
    for (size_t i = 0; i < first->n; i++) {
        const double a = first->values[i], b = second->values[i];
        double apart = fabs((question->claim->reciprocal ? a * b : a / b) - 1);
        worst = apart > worst || isnan(apart) ? apart : worst;
    }
    if (question->printed || first->n == 0)
        return;
    one->answer = worst <= question->claim->numbers[0] ? CLAIM_FOR : CLAIM_AGAINST;
    DETAIL(one, "at most %.3g %% apart on %zu splits", 100 * worst, first->n);
}

/* Describes how the solver's runs ended. */
static void tell_ends(const struct sample *sample, size_t good, struct claim_case *one)
{
    const size_t all = sample->n + sample->n_null;
    if (all == 0)
        return;
    one->answer = good == all ? CLAIM_FOR : CLAIM_AGAINST;
    DETAIL(one, "of %zu runs %zu converged, %zu stalled", all, sample->converged, sample->stalled);
}

static void converges(const struct question *question, struct claim_case *one)
{
    tell_ends(&question->samples[0], question->samples[0].converged, one);
}

static void never_stalls(const struct question *question, struct claim_case *one)
{
    const struct sample *sample = &question->samples[0];
    tell_ends(sample, sample->n + sample->n_null - sample->stalled, one);
}

const struct claim_kind claim_kinds[CLAIM_KINDS] = {
    {"lower_mean", lower_mean, {"left", "right"}, {"margin"}, CLAIM_BY_MEANS | CLAIM_OPTIONAL},
    {"at_most", at_most, {"left", "right"}, {NULL}, CLAIM_BY_MEANS},
    {"ratio_between", ratio_between, {"over", "under"}, {"low", "high"}, CLAIM_BY_MEANS},
    {"between", between, {"low", "value", "high"}, {NULL}, CLAIM_BY_MEANS},
    {"means_within", means_within, {"first", "second"}, {"limit"}, CLAIM_BY_MEANS | CLAIM_SAME},
    {"closer_means", closer_means, {"first", "second", "than_first", "than_second"}, {NULL}, CLAIM_BY_MEANS},
    {"same_order", same_order, {"first", "second", "as_first", "as_second"}, {NULL}, CLAIM_BY_MEANS},
    {"no_significant_difference", no_difference, {"first", "second"}, {"level"}, 0},
    {"significantly_worse", significantly_worse, {"left", "right"}, {"level"}, CLAIM_NEGATES},
    {"same_model", same_model, {"first", "second"}, {"limit"}, 0},
    {"converges", converges, {"solver"}, {NULL}, CLAIM_ENDS},
    {"never_stalls", never_stalls, {"solver"}, {NULL}, CLAIM_ENDS},
};
