/*
 * The sentence: what is claimed of the cost and with what interval, on how many data sets the difference is
 * significant, what is known of the error, and which pairs are left out or should be looked at.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/compare/decision.h"
#include "harness/program/memory.h"

struct writer {
    FILE *stream;
    const struct comparison *comparison;
    const struct finding *finding;
    const char *labels[ARMS];
};

static const char *metric_of(const struct writer *writer)
{
    return compare_metric_texts[writer->comparison->cost].title;
}

static const char *are(size_t n)
{
    return n == 1 ? "is" : "are";
}

/* A whole number of per cent from 10 on, two digits below. */
static void put_per_cent(FILE *stream, double value)
{
    fprintf(stream, fabs(value) >= 9.95 ? "%.0f" : "%.2g", value);
}

static void put_interval(const struct writer *writer)
{
    const struct interval *ratio = &writer->finding->ratio;
    fprintf(writer->stream, "%.3g", ratio->estimate);
    if (isfinite(ratio->low) && isfinite(ratio->high))
        fprintf(writer->stream, " (95 %% interval %.3g to %.3g)", ratio->low, ratio->high);
}

/* "B needs 12 % fewer kernel operations than A (95 % interval 9.1 to 15 %)" */
static void put_difference(const struct writer *writer)
{
    FILE *stream = writer->stream;
    const struct interval *ratio = &writer->finding->ratio;
    const char *baseline = writer->labels[BASELINE], *candidate = writer->labels[CANDIDATE];
    int lower = writer->finding->claim == CLAIM_LOWER, time = writer->comparison->cost == COMPARE_SECONDS;
    if (ratio->estimate >= 2 || ratio->estimate < 0.1) {
        fprintf(stream, "%s needs %.2g times the %s of %s (95 %% interval %.2g to %.2g times)", candidate,
                ratio->estimate, metric_of(writer), baseline, ratio->low, ratio->high);
        return;
    }
    fprintf(stream, "%s needs ", candidate);
    put_per_cent(stream, 100 * fabs(1 - ratio->estimate));
    fprintf(stream, " %% %s %s than %s (95 %% interval ", lower ? time ? "less" : "fewer" : "more", metric_of(writer),
            baseline);
    put_per_cent(stream, 100 * (lower ? 1 - ratio->high : ratio->low - 1));
    fputs(" to ", stream);
    put_per_cent(stream, 100 * (lower ? 1 - ratio->low : ratio->high - 1));
    fputs(" %)", stream);
}

static void put_few(const struct writer *writer)
{
    int sets = writer->finding->claim == CLAIM_FEW_SETS;
    const struct compare_result *result = &writer->comparison->results[writer->comparison->cost];
    size_t n = sets ? result->total.n : result->n_pairs;
    fprintf(writer->stream,
            "%s needs %#.3g times the %s of %s on %zu %s%s, which %s too few for a claim (%d are needed)",
            writer->labels[CANDIDATE], writer->finding->ratio.estimate, metric_of(writer), writer->labels[BASELINE], n,
            sets ? "data set" : "split", n == 1 ? "" : "s", are(n), CONTRAST_FEWEST);
}

static void put_none(const struct writer *writer, const char *why)
{
    fprintf(writer->stream, "No difference between %s and %s is shown: the ratio of %s is ", writer->labels[CANDIDATE],
            writer->labels[BASELINE], metric_of(writer));
    put_interval(writer);
    fputs(why, writer->stream);
}

static size_t counted_marks(const struct comparison *comparison)
{
    const size_t *marks = comparison->marks;
    return comparison->options.same_accuracy ? 0 : comparison->compared - marks[PAIR_FINE];
}

static void put_looser(const struct writer *writer)
{
    const struct finding fine = finding_of_fine(writer->comparison);
    char why[200];
    const size_t n = writer->comparison->fine.n_pairs;
    if (n == 0)
        snprintf(why, sizeof why, ", but on no pair the two came to the same accuracy");
    else if (fine.claim == CLAIM_FEW_SETS || fine.claim == CLAIM_FEW_SPLITS ||
             fine.over_datasets != writer->finding->over_datasets)
        snprintf(why, sizeof why,
                 ", but the two came to the same accuracy on %zu pairs alone, of too few %s for a claim", n,
                 writer->finding->over_datasets ? "data sets" : "splits");
    else
        snprintf(why, sizeof why,
                 ", but of the %zu pairs on which the two came to the same accuracy it is %.3g (95 %% interval %.3g to "
                 "%.3g, p = %.2g)",
                 n, fine.ratio.estimate, fine.ratio.low, fine.ratio.high, fine.p);
    put_none(writer, why);
}

static void put_cost(const struct writer *writer)
{
    const struct comparison *comparison = writer->comparison;
    const char *baseline = writer->labels[BASELINE], *candidate = writer->labels[CANDIDATE];
    int cheaper = writer->finding->ratio.estimate < 1 ? CANDIDATE : BASELINE;
    char why[120];
    if (isnan(writer->finding->ratio.estimate) && writer->finding->claim != CLAIM_ALIKE &&
        writer->finding->claim != CLAIM_NO_COST) {
        fprintf(writer->stream, "No claim about %s and %s: the %s have no ratio, since a mean is 0 on every data set",
                candidate, baseline, metric_of(writer));
        return;
    }
    switch (writer->finding->claim) {
    case CLAIM_ALIKE:
        fprintf(writer->stream,
                "There is no difference between %s and %s: iterations, kernel operations, support vectors and test "
                "error are equal on all %zu pairs",
                candidate, baseline, comparison->compared);
        return;
    case CLAIM_LOWER:
    case CLAIM_HIGHER:
        put_difference(writer);
        return;
    case CLAIM_FEW_SETS:
    case CLAIM_FEW_SPLITS:
        put_few(writer);
        return;
    case CLAIM_LOOSER:
        put_looser(writer);
        return;
    case CLAIM_UNENDED:
        snprintf(why, sizeof why, ", but on %zu of %zu pairs the one that needs less did not converge",
                 comparison->unended[cheaper], comparison->pairing.n_pairs);
        put_none(writer, why);
        return;
    case CLAIM_TEST:
        snprintf(why, sizeof why, ", but a test over %s does not confirm it (p = %.2g)",
                 writer->finding->over_datasets ? "data sets" : "splits", writer->finding->p);
        put_none(writer, why);
        return;
    case CLAIM_OPPOSED:
        put_none(writer, writer->finding->over_datasets
                             ? ", but on most data sets the difference is the other way"
                             : ", but on most splits the difference is the other way");
        return;
    case CLAIM_NO_COST:
        fprintf(writer->stream, "The cost of %s and %s cannot be compared: no pair has counts or times of both",
                candidate, baseline);
        return;
    default:
        put_none(writer,
                 isfinite(writer->finding->ratio.low) ? ", which contains 1" : ", of which no interval is known");
    }
}

/* Whether the signed-rank test of the case with the most splits could be significant beside n - 1 others: its smallest
 * p is 2^(1 - splits). */
static int tests_can_find(const struct comparison *comparison, const struct compare_result *result, size_t n)
{
    size_t max = 0;
    for (size_t c = 0; c < comparison->pairing.n_cases; c++)
        max = result->rows[c].n > max ? result->rows[c].n : max;
    return ldexp((double)n, 1 - (int)max) < CONTRAST_SIGNIFICANT;
}

/* That a few splits outweigh the rest: what most splits say, which the test looks at, is not what the means say. */
static void put_opposed(const struct writer *writer, const struct compare_result *result)
{
    if (result->opposed > 0)
        fprintf(writer->stream, " (on %zu of these the means differ the other way: a few splits outweigh the rest)",
                result->opposed);
}

/* ", significantly fewer on 9 of 13 data sets, more on 1" */
static void put_counts(const struct writer *writer)
{
    const struct comparison *comparison = writer->comparison;
    const struct compare_result *result = &comparison->results[writer->comparison->cost];
    size_t n = result->cases.wins + result->cases.ties + result->cases.losses;
    const char *what = comparison->pairing.n_cases == comparison->pairing.n_datasets ? "data sets" : "cases";
    const char *fewer = writer->comparison->cost == COMPARE_SECONDS ? "less" : "fewer";
    if (writer->finding->claim == CLAIM_ALIKE || writer->finding->claim == CLAIM_NO_COST || n < 2)
        return;
    if (!tests_can_find(comparison, result, n)) {
        fprintf(writer->stream, "; the %s have too few splits for tests of their own", what);
        return;
    }
    if (result->cases.wins + result->cases.losses == 0)
        fprintf(writer->stream, "; on none of the %zu %s is the difference significant", n, what);
    else
        fprintf(writer->stream, "; significantly %s on %zu of %zu %s, more on %zu", fewer, result->cases.wins, n, what,
                result->cases.losses);
    put_opposed(writer, result);
}

/* How many data sets, or cases, have every pair left out; the table names them. */
static void put_bare(const struct writer *writer)
{
    const struct pairing *pairing = &writer->comparison->pairing;
    const struct contrast_row *rows = writer->comparison->results[writer->comparison->cost].rows;
    size_t bare = 0;
    if (writer->finding->claim == CLAIM_NO_COST)
        return;
    for (size_t c = 0; c < pairing->n_cases; c++)
        bare += rows[c].n == 0;
    if (bare > 0)
        fprintf(writer->stream, "; on %zu of %zu %s no pair is compared", bare, pairing->n_cases,
                pairing->n_cases == pairing->n_datasets ? "data sets" : "cases");
}

/* How many cases have pairs and no ratio, since one mean is 0: the ratio over data sets does not know them. */
static void put_without_ratio(const struct writer *writer)
{
    const struct pairing *pairing = &writer->comparison->pairing;
    const struct contrast_row *rows = writer->comparison->results[writer->comparison->cost].rows;
    size_t without = 0;
    if (!writer->finding->over_datasets || writer->finding->claim == CLAIM_ALIKE)
        return;
    for (size_t c = 0; c < pairing->n_cases; c++)
        without += rows[c].n > 0 && !(rows[c].ratio.estimate > 0);
    if (without > 0)
        fprintf(writer->stream, "; the ratio leaves out %zu of %zu %s, where a mean is 0", without, pairing->n_cases,
                pairing->n_cases == pairing->n_datasets ? "data sets" : "cases");
}

static void put_start_up(const struct writer *writer)
{
    const struct compare_result *all = &writer->comparison->results[COMPARE_ALL_OPERATIONS];
    if (writer->comparison->cost != COMPARE_KERNEL_OPERATIONS || !writer->comparison->start_ups_differ ||
        all->n_pairs == 0)
        return;
    double ratio = writer->finding->over_datasets ? all->total.ratio.estimate : (double)NAN;
    for (size_t c = 0; c < writer->comparison->pairing.n_cases && !writer->finding->over_datasets; c++)
        if (all->rows[c].n > 0)
            ratio = all->rows[c].ratio.estimate;
    fprintf(writer->stream, "; with the start-up, in which they differ, the ratio is %.3g", ratio);
}

static void put_uncounted(const struct writer *writer)
{
    const int *counted = writer->comparison->arms.counted;
    if (counted[BASELINE] != counted[CANDIDATE])
        fprintf(writer->stream, "; kernel operations of %s are not counted, and times are not of one kind",
                writer->labels[counted[BASELINE] ? CANDIDATE : BASELINE]);
}

/* "; over 13 data sets test error is higher by 1 (percentage points; 95 % interval 0.9 to 1.1, p = 0.00024)": the test
 * over data sets, which sees a small difference that goes the same way on all of them. */
static void put_error_over_datasets(FILE *stream, const struct contrast_total *total)
{
    const struct interval *shift = &total->shift;
    int higher = total->effect > 0;
    if (!(total->p < CONTRAST_SIGNIFICANT)) {
        fprintf(stream, "; over %zu data sets no difference in test error is shown (p = %.2g)", total->n, total->p);
        return;
    }
    fprintf(stream,
            "; over %zu data sets test error is %s by %.2g (percentage points; 95 %% interval %.2g to %.2g, p = %.2g)",
            total->n, higher ? "higher" : "lower", fabs(shift->estimate), higher ? shift->low : -shift->high,
            higher ? shift->high : -shift->low, total->p);
}

static void put_error(const struct writer *writer)
{
    const struct compare_result *error = &writer->comparison->results[COMPARE_ERROR];
    const struct pairing *pairing = &writer->comparison->pairing;
    const char *what = pairing->n_cases == pairing->n_datasets ? "data sets" : "cases";
    size_t n = error->cases.wins + error->cases.ties + error->cases.losses;
    if (writer->finding->claim == CLAIM_ALIKE || n == 0)
        return;
    if (error->total.n >= CONTRAST_FEWEST)
        put_error_over_datasets(writer->stream, &error->total);
    if (error->cases.wins + error->cases.losses > 0)
        fprintf(writer->stream, "; test error is significantly lower on %zu and higher on %zu of %zu %s",
                error->cases.wins, error->cases.losses, n, what);
    else if (n > 1)
        fprintf(writer->stream, "; on no single one of the %zu %s is a difference in test error shown", n, what);
    else
        fputs("; no difference in test error is shown", writer->stream);
    put_opposed(writer, error);
}

/* Pairs that are marked: left out, or counted all the same. */
static void put_marks(const struct writer *writer)
{
    const struct comparison *comparison = writer->comparison;
    const size_t *marks = comparison->marks;
    size_t gaps = marks[PAIR_BASELINE_LOOSER] + marks[PAIR_CANDIDATE_LOOSER];
    size_t unknown = marks[PAIR_GAP_UNKNOWN] + marks[PAIR_APART];
    const char *fate = comparison->options.same_accuracy ? "left out" : "counted";
    if (marks[PAIR_UNENDED])
        fprintf(writer->stream, "; %zu of %zu pairs %s left out because %s (%zu) or %s (%zu) did not converge",
                marks[PAIR_UNENDED], comparison->pairing.n_pairs, are(marks[PAIR_UNENDED]), writer->labels[BASELINE],
                comparison->unended[BASELINE], writer->labels[CANDIDATE], comparison->unended[CANDIDATE]);
    if (gaps)
        fprintf(writer->stream, "; %zu of %zu pairs did not reach the same gap and %s %s", gaps,
                comparison->pairing.n_pairs, are(gaps), fate);
    if (unknown)
        fprintf(writer->stream, "; %zu of %zu have gaps that cannot be compared and %s %s", unknown,
                comparison->pairing.n_pairs, are(unknown), fate);
    int claimed = writer->finding->claim == CLAIM_LOWER || writer->finding->claim == CLAIM_HIGHER;
    if (claimed && counted_marks(comparison) > 0)
        fprintf(writer->stream, " (without them the ratio is %.3g)", finding_of_fine(comparison).ratio.estimate);
}

static void put_problems(const struct writer *writer)
{
    if (writer->comparison->problems == PROBLEMS_DIFFERENT)
        fputs("; the two solve different problems", writer->stream);
    if (writer->comparison->problems == PROBLEMS_UNKNOWN)
        fputs("; whether they solve the same problem is not known", writer->stream);
}

char *finding_sentence(const struct comparison *comparison, const struct finding *finding)
{
    char *text = NULL;
    size_t size;
    FILE *stream = xopen_text(&text, &size);
    struct writer writer = {
        stream, comparison, finding, {comparison->arms.labels[BASELINE], comparison->arms.labels[CANDIDATE]}};
    put_cost(&writer);
    put_counts(&writer);
    put_bare(&writer);
    put_without_ratio(&writer);
    put_start_up(&writer);
    put_uncounted(&writer);
    put_error(&writer);
    put_marks(&writer);
    put_problems(&writer);
    fputc('.', stream);
    xclose_text(stream);
    return text;
}
