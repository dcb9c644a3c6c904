/*
 * The sentence: what is claimed of the cost and with what interval, on how many data sets the difference is
 * significant, what is known of the error, and which pairs are left out or should be looked at.
 */
#include <math.h>
#include <stdio.h>

#include "harness/compare/decision.h"
#include "harness/program/memory.h"

struct writer {
    FILE *stream;
    const struct comparison *comparison;
    const struct finding *finding;
    const struct compare_result *cost;       /* what the finding is about */
    const char *baseline, *candidate;        /* their labels */
    const char *metric, *fewer, *over, *cases; /* "time", "less", "data sets" or "splits", "data sets" or "cases" */
};

static const char *are(size_t n)
{
    return n == 1 ? "is" : "are";
}

/* A whole number of per cent from 10 on, two digits below. */
static void put_per_cent(FILE *stream, double value)
{
    fprintf(stream, fabs(value) >= 9.95 ? "%.0f" : "%.2g", value);
}

/* "B needs 12 % fewer kernel operations than A (95 % interval 9.1 to 15 %)" */
static void put_difference(const struct writer *writer)
{
    FILE *stream = writer->stream;
    const struct interval *ratio = &writer->finding->ratio;
    int lower = writer->finding->claim == CLAIM_LOWER;
    if (ratio->estimate >= 2 || ratio->estimate < 0.1) {
        fprintf(stream, "%s needs %.2g times the %s of %s (95 %% interval %.2g to %.2g times)", writer->candidate,
                ratio->estimate, writer->metric, writer->baseline, ratio->low, ratio->high);
        return;
    }
    fprintf(stream, "%s needs ", writer->candidate);
    put_per_cent(stream, 100 * fabs(1 - ratio->estimate));
    fprintf(stream, " %% %s %s than %s (95 %% interval ", lower ? writer->fewer : "more", writer->metric,
            writer->baseline);
    put_per_cent(stream, 100 * (lower ? 1 - ratio->high : ratio->low - 1));
    fputs(" to ", stream);
    put_per_cent(stream, 100 * (lower ? 1 - ratio->low : ratio->high - 1));
    fputs(" %)", stream);
}

static void put_few(const struct writer *writer)
{
    int sets = writer->finding->claim == CLAIM_FEW_SETS;
    size_t n = sets ? writer->cost->total.n : writer->cost->n_pairs;
    fprintf(writer->stream,
            "%s needs %#.3g times the %s of %s on %zu %s%s, which %s too few for a claim (%d are needed)",
            writer->candidate, writer->finding->ratio.estimate, writer->metric, writer->baseline, n,
            sets ? "data set" : "split", n == 1 ? "" : "s", are(n), MIN_PAIRS_FOR_A_CLAIM);
}

static void put_looser(const struct writer *writer)
{
    const struct finding fine = finding_of_fine(writer->comparison);
    const size_t n = writer->comparison->fine.n_pairs;
    if (n == 0)
        fputs(", but on no pair the two came to the same accuracy", writer->stream);
    else if (fine.claim == CLAIM_FEW_SETS || fine.claim == CLAIM_FEW_SPLITS ||
             fine.over_datasets != writer->finding->over_datasets)
        fprintf(writer->stream,
                ", but the two came to the same accuracy on %zu pairs alone, of too few %s for a claim", n,
                writer->over);
    else
        fprintf(writer->stream,
                ", but of the %zu pairs on which the two came to the same accuracy it is %.3g (95 %% interval %.3g to "
                "%.3g, p = %.2g)",
                n, fine.ratio.estimate, fine.ratio.low, fine.ratio.high, fine.p);
}

/* That no difference is shown, and why not. */
static void put_none(const struct writer *writer)
{
    FILE *stream = writer->stream;
    const struct interval *ratio = &writer->finding->ratio;
    fprintf(stream, "No difference between %s and %s is shown: the ratio of %s is %.3g", writer->candidate,
            writer->baseline, writer->metric, ratio->estimate);
    if (isfinite(ratio->low) && isfinite(ratio->high))
        fprintf(stream, " (95 %% interval %.3g to %.3g)", ratio->low, ratio->high);
    switch (writer->finding->claim) {
    case CLAIM_LOOSER:
        put_looser(writer);
        return;
    case CLAIM_UNENDED:
        fprintf(stream, ", but on %zu of %zu pairs the one that needs less did not converge",
                writer->comparison->unended[ratio->estimate < 1 ? CANDIDATE : BASELINE],
                writer->comparison->pairing.n_pairs);
        return;
    case CLAIM_TEST:
        fprintf(stream, ", but a test over %s does not confirm it (p = %.2g)", writer->over, writer->finding->p);
        return;
    case CLAIM_OPPOSED:
        fprintf(stream, ", but on most %s the difference is the other way", writer->over);
        return;
    default:
        fputs(isfinite(ratio->low) ? ", which contains 1" : ", of which no interval is known", stream);
    }
}

static void put_cost(const struct writer *writer)
{
    enum claim claim = writer->finding->claim;
    if (claim == CLAIM_ALIKE)
        fprintf(writer->stream,
                "There is no difference between %s and %s: iterations, kernel operations, support vectors and test "
                "error are equal on all %zu pairs",
                writer->candidate, writer->baseline, writer->comparison->compared);
    else if (claim == CLAIM_NO_COST)
        fprintf(writer->stream, "The cost of %s and %s cannot be compared: no pair has counts or times of both",
                writer->candidate, writer->baseline);
    else if (isnan(writer->finding->ratio.estimate))
        fprintf(writer->stream, "No claim about %s and %s: the %s have no ratio, since a mean is 0 on every data set",
                writer->candidate, writer->baseline, writer->metric);
    else if (claim == CLAIM_LOWER || claim == CLAIM_HIGHER)
        put_difference(writer);
    else if (claim == CLAIM_FEW_SETS || claim == CLAIM_FEW_SPLITS)
        put_few(writer);
    else
        put_none(writer);
}

/* Whether the signed-rank test of the case with the most splits could be significant beside n - 1 others: its smallest
 * p is 2^(1 - splits). */
static int tests_can_find(const struct writer *writer, size_t n)
{
    size_t max = 0;
    for (size_t c = 0; c < writer->comparison->pairing.n_cases; c++)
        max = writer->cost->rows[c].n > max ? writer->cost->rows[c].n : max;
    return ldexp((double)n, 1 - (int)max) < CONTRAST_SIGNIFICANT;
}

static size_t case_count(const struct compare_result *result)
{
    return result->cases.wins + result->cases.ties + result->cases.losses;
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
    const struct win_tie_loss *cases = &writer->cost->cases;
    size_t n = case_count(writer->cost);
    if (writer->finding->claim == CLAIM_ALIKE || writer->finding->claim == CLAIM_NO_COST || n < 2)
        return;
    if (!tests_can_find(writer, n)) {
        fprintf(writer->stream, "; the %s have too few splits for tests of their own", writer->cases);
        return;
    }
    if (cases->wins + cases->losses == 0)
        fprintf(writer->stream, "; on none of the %zu %s is the difference significant", n, writer->cases);
    else
        fprintf(writer->stream, "; significantly %s on %zu of %zu %s, more on %zu", writer->fewer, cases->wins, n,
                writer->cases, cases->losses);
    put_opposed(writer, writer->cost);
}

/* How many cases have every pair left out, which the table names; and how many have pairs and no ratio, since one mean
 * is 0: the ratio over data sets does not know them. */
static void put_left_out(const struct writer *writer)
{
    size_t n = writer->comparison->pairing.n_cases, bare = 0, without = 0;
    for (size_t c = 0; c < n; c++) {
        const struct contrast_row *row = &writer->cost->rows[c];
        bare += row->n == 0;
        without += row->n > 0 && !(row->ratio.estimate > 0);
    }
    if (bare > 0 && writer->finding->claim != CLAIM_NO_COST)
        fprintf(writer->stream, "; on %zu of %zu %s no pair is compared", bare, n, writer->cases);
    if (without > 0 && writer->finding->over_datasets && writer->finding->claim != CLAIM_ALIKE)
        fprintf(writer->stream, "; the ratio leaves out %zu of %zu %s, where a mean is 0", without, n, writer->cases);
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
                counted[BASELINE] ? writer->candidate : writer->baseline);
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
    size_t n = case_count(error);
    if (writer->finding->claim == CLAIM_ALIKE || n == 0)
        return;
    if (error->total.n >= MIN_PAIRS_FOR_A_CLAIM)
        put_error_over_datasets(writer->stream, &error->total);
    if (error->cases.wins + error->cases.losses > 0)
        fprintf(writer->stream, "; test error is significantly lower on %zu and higher on %zu of %zu %s",
                error->cases.wins, error->cases.losses, n, writer->cases);
    else if (n > 1)
        fprintf(writer->stream, "; on no single one of the %zu %s is a difference in test error shown", n,
                writer->cases);
    else
        fputs("; no difference in test error is shown", writer->stream);
    put_opposed(writer, error);
}

/* Pairs that are marked: left out, or counted all the same. */
static void put_marks(const struct writer *writer)
{
    const struct comparison *comparison = writer->comparison;
    const size_t *marks = comparison->marks, pairs = comparison->pairing.n_pairs;
    size_t gaps = marks[PAIR_BASELINE_LOOSER] + marks[PAIR_CANDIDATE_LOOSER];
    size_t unknown = marks[PAIR_GAP_UNKNOWN] + marks[PAIR_APART];
    const char *fate = comparison->options.same_accuracy ? "left out" : "counted";
    if (marks[PAIR_UNENDED])
        fprintf(writer->stream, "; %zu of %zu pairs %s left out because %s (%zu) or %s (%zu) did not converge",
                marks[PAIR_UNENDED], pairs, are(marks[PAIR_UNENDED]), writer->baseline, comparison->unended[BASELINE],
                writer->candidate, comparison->unended[CANDIDATE]);
    if (gaps)
        fprintf(writer->stream, "; %zu of %zu pairs did not reach the same gap and %s %s", gaps, pairs, are(gaps),
                fate);
    if (unknown)
        fprintf(writer->stream, "; %zu of %zu have gaps that cannot be compared and %s %s", unknown, pairs,
                are(unknown), fate);
    int claimed = writer->finding->claim == CLAIM_LOWER || writer->finding->claim == CLAIM_HIGHER;
    if (claimed && !comparison->options.same_accuracy && comparison->compared > marks[PAIR_FINE])
        fprintf(writer->stream, " (without them the ratio is %.3g)", finding_of_fine(comparison).ratio.estimate);
}

char *finding_sentence(const struct comparison *comparison, const struct finding *finding)
{
    static const char *const problems[] = {
        [PROBLEMS_SAME] = "",
        [PROBLEMS_DIFFERENT] = "; the two solve different problems",
        [PROBLEMS_UNKNOWN] = "; whether they solve the same problem is not known",
    };
    const struct pairing *pairing = &comparison->pairing;
    char *text = NULL;
    size_t size;
    const struct writer writer = {
        .stream = xopen_text(&text, &size),
        .comparison = comparison,
        .finding = finding,
        .cost = &comparison->results[comparison->cost],
        .baseline = comparison->arms.labels[BASELINE],
        .candidate = comparison->arms.labels[CANDIDATE],
        .metric = compare_metric_texts[comparison->cost].title,
        .fewer = comparison->cost == COMPARE_SECONDS ? "less" : "fewer",
        .over = finding->over_datasets ? "data sets" : "splits",
        .cases = pairing->n_cases == pairing->n_datasets ? "data sets" : "cases",
    };
    put_cost(&writer);
    put_counts(&writer);
    put_left_out(&writer);
    put_start_up(&writer);
    put_uncounted(&writer);
    put_error(&writer);
    put_marks(&writer);
    fprintf(writer.stream, "%s.", problems[comparison->problems]);
    xclose_text(writer.stream);
    return text;
}
