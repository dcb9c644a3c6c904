/*
 * The conclusion in words: whether the problems are the same, failures, cost and accuracy, test error, omissions. It
 * restates the finding with the candidate as the subject, so that exchanging the solvers exchanges names, "fewer" and
 * "more", and inverts ratios. If runs failed, the cost on pairs where both converge comes first, since the penalised
 * cost depends on the penalty.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/compare/decision.h"
#include "harness/base/memory.h"

struct writer {
    FILE *stream;
    const struct comparison *comparison;
    const struct finding *finding;
    const char *baseline, *candidate; /* their labels */
    const char *metric;
    const char *fewer, *as_many; /* "fewer" and "as many"; for time "less" and "as much" */
    const char *cases;           /* "data sets" or "cases" */
    int failures;                /* nonzero: some run did not converge */
    int start_ups;               /* nonzero: the cost with the set-up is another one */
    int in_times;                /* nonzero: cost differences read "2.3 times as many", else "12 % fewer" */
};

static const char *s_of(size_t n)
{
    return n == 1 ? "" : "s";
}

static const char *units_of(const struct effect *effect)
{
    return effect->over_datasets ? "data set" : "split";
}

static void put_p(FILE *stream, double p)
{
    if (p < 1e-4)
        fputs("p < 0.0001", stream);
    else
        fprintf(stream, "p = %.2g", p);
}

/* ", 13 data sets, p = 0.0002)" */
static void put_test(FILE *stream, const struct effect *effect)
{
    fprintf(stream, ", %zu %s%s, ", effect->estimate.n, units_of(effect), s_of(effect->estimate.n));
    put_p(stream, effect->estimate.adjusted);
    fputc(')', stream);
}

/* ---- single cases ---- */

/* "12 of 13 data sets show significantly fewer and none more" */
static void put_found(const struct writer *writer, const struct effect *effect, const char *which, const char *lower,
                      const char *higher)
{
    FILE *stream = writer->stream;
    int mostly_lower = effect->lower >= effect->higher;
    size_t most = mostly_lower ? effect->lower : effect->higher, least = mostly_lower ? effect->higher : effect->lower;
    if (most == effect->tested)
        fprintf(stream, "all %zu %s%s show", most, writer->cases, which);
    else
        fprintf(stream, "%zu of %zu %s%s show%s", most, effect->tested, writer->cases, which, most == 1 ? "s" : "");
    fprintf(stream, " significantly %s", mostly_lower ? lower : higher);
    if (least > 0)
        fprintf(stream, " and %zu %s", least, mostly_lower ? higher : lower);
    else if (most < effect->tested)
        fprintf(stream, " and none %s", mostly_lower ? higher : lower);
    if (effect->small > 0)
        fprintf(stream, "; %zu other%s significantly, but within the margin", effect->small,
                effect->small == 1 ? " differs" : "s differ");
}

/* ". Tested one by one, 12 of 13 data sets show significantly fewer and none more" */
static void put_counts(const struct writer *writer, const struct effect *effect, const char *lower, const char *higher)
{
    const char *which = effect->tested < effect->cases ? " that can be tested" : "";
    FILE *stream = writer->stream;
    if (!effect->over_datasets || effect->cases < 2)
        return;
    if (effect->tested == 0) {
        fprintf(stream, ". The %s have too few splits, or splits of unknown size, to be tested one by one",
                writer->cases);
        return;
    }
    fprintf(stream, ". Tested one by one%s, ",
            writer->failures && effect == &writer->finding->cost ? " (failed runs counted as above)" : "");
    if (effect->lower + effect->higher > 0)
        put_found(writer, effect, which, lower, higher);
    else if (effect->small > 0)
        fprintf(stream, "%zu of %zu %s%s differ%s significantly, but within the margin", effect->small, effect->tested,
                writer->cases, which, effect->small == 1 ? "s" : "");
    else {
        fprintf(stream, "none of the %zu %s%s differs significantly", effect->tested, writer->cases, which);
        if (effect_tested(effect) && effect->estimate.adjusted < CONTRAST_SIGNIFICANT)
            fputs("; the result rests on all of them together", stream);
    }
}

/* "87.5 % interval ", by the level that the interval has. */
static void put_level(FILE *stream, const struct interval *interval)
{
    fprintf(stream, "%.3g %% interval ", 100 * interval->level);
}

/* ---- ratios ---- */

/* A whole number of up to six digits; three digits with an exponent if larger. */
static void put_whole(FILE *stream, double value)
{
    fprintf(stream, fabs(value) < 999999.5 ? "%.0f" : "%.3g", value);
}

/* A whole percentage from 10 on; two digits below. */
static void put_per_cent(FILE *stream, double value)
{
    if (fabs(value) >= 9.95)
        put_whole(stream, value);
    else
        fprintf(stream, "%.2g", value);
}

/* Three digits, or a whole number. */
static void put_times(FILE *stream, double ratio)
{
    if (ratio >= 9.995)
        put_whole(stream, ratio);
    else
        fprintf(stream, "%.3g", ratio);
}

/* Percentages are hard to read for changes this large. */
static int needs_times(const struct effect *effect)
{
    double ratio = exp(effect->estimate.difference.estimate);
    return claim_sign(effect->claim) && (ratio >= 2 || ratio < 0.1);
}

/* "12 % fewer" or "2.3 times as many", of a ratio other than 1. */
static void put_change(const struct writer *writer, double ratio)
{
    if (writer->in_times) {
        put_times(writer->stream, ratio);
        fprintf(writer->stream, " times %s", writer->as_many);
        return;
    }
    put_per_cent(writer->stream, 100 * fabs(1 - ratio));
    fprintf(writer->stream, " %% %s", ratio < 1 ? writer->fewer : "more");
}

/* "95.2 % interval 9.1 to 15 %", in the same terms. */
static void put_change_interval(const struct writer *writer, const struct interval *difference)
{
    double low = exp(difference->low), high = exp(difference->high);
    int lower = difference->estimate < 0;
    put_level(writer->stream, difference);
    if (writer->in_times) {
        put_times(writer->stream, low);
        fputs(" to ", writer->stream);
        put_times(writer->stream, high);
        fputs(" times", writer->stream);
        return;
    }
    put_per_cent(writer->stream, 100 * (lower ? 1 - high : low - 1));
    fputs(" to ", writer->stream);
    put_per_cent(writer->stream, 100 * (lower ? 1 - low : high - 1));
    fputs(" %", writer->stream);
}

/* "95.2 % interval 0.93 to 1.12", of a difference of logarithms. */
static void put_ratio_interval(const struct writer *writer, const struct interval *difference)
{
    put_level(writer->stream, difference);
    fprintf(writer->stream, "%.3g to %.3g", exp(difference->low), exp(difference->high));
}

/* "(ratio 1.02, 95.2 % interval 0.93 to 1.12, 13 data sets, p = 0.6)" */
static void put_ratio(const struct writer *writer, const struct effect *effect)
{
    fprintf(writer->stream, " (ratio %.3g, ", exp(effect->estimate.difference.estimate));
    put_ratio_interval(writer, &effect->estimate.difference);
    put_test(writer->stream, effect);
}

/* ---- cost ---- */

static void put_slight(const struct writer *writer, const struct effect *effect)
{
    if (effect->claim == CLAIM_SLIGHTLY_LOWER || effect->claim == CLAIM_SLIGHTLY_HIGHER)
        fprintf(writer->stream, ", which may be negligible (margin %g %%)", writer->comparison->options.cost_margin);
}

/* "B needs 12 % fewer kernel operations than A (95.2 % interval 9.1 to 15 %, 13 data sets, p = 0.0002)". Omits names
 * and metric if `subject` is "it". */
static void put_difference(const struct writer *writer, const struct effect *effect, int on_average,
                           const char *subject)
{
    fprintf(writer->stream, "%s needs ", subject ? subject : writer->candidate);
    put_change(writer, exp(effect->estimate.difference.estimate));
    if (!subject)
        fprintf(writer->stream, " %s %s %s", writer->metric, writer->in_times ? "as" : "than", writer->baseline);
    fputs(on_average ? " on average (" : " (", writer->stream);
    put_change_interval(writer, &effect->estimate.difference);
    put_test(writer->stream, effect);
    put_slight(writer, effect);
}

/* Other summary statistics of the same data. */
enum { BY_MEDIAN, BY_MEANS, BY_GEOMETRIC_MEAN, SUMMARIES };

static double change_by(const struct effect *effect, int by)
{
    const struct estimate *estimate = &effect->estimate;
    return by == BY_MEDIAN ? estimate->median : by == BY_MEANS ? estimate->of_means : estimate->mean.estimate;
}

/* The first summary with the opposite direction of the claim; SUMMARIES if there is none. */
static int opposed_by(const struct effect *effect)
{
    int by = 0;
    while (by < SUMMARIES && !(claim_sign(effect->claim) * change_by(effect, by) < 0))
        by++;
    return by;
}

/* ", although on the median split it needs 3 % fewer: some splits are much dearer than the rest". Outliers move the
 * mean and the other two summaries, but not the median. */
static void put_opposed(const struct writer *writer, const struct effect *effect, int by)
{
    static const char *const words[] = {"on the median split", "by mean costs", "by the geometric mean over data sets"};
    int dearer = (by == BY_MEDIAN) == (claim_sign(effect->claim) > 0);
    fprintf(writer->stream, ", although %s it needs ", words[by]);
    put_change(writer, exp(change_by(effect, by)));
    fprintf(writer->stream, ": some %s are much %s than the rest", by == BY_GEOMETRIC_MEAN ? "data sets" : "splits",
            dearer ? "more expensive" : "cheaper");
}

/* "no claim, since 5 splits are too few (6 are needed); the observed ratio of kernel operations, B over A, is 0.5" */
static void put_untested(const struct writer *writer, const struct effect *effect, int in_short)
{
    const size_t n = effect->estimate.n;
    FILE *stream = writer->stream;
    if (effect->claim == CLAIM_UNTESTED)
        fprintf(stream, "no claim, since the sizes of the %zu splits, which the test needs, are not known", n);
    else
        fprintf(stream, "no claim, since %zu %s%s too few (%d are needed)", n, units_of(effect),
                n == 1 ? " is" : "s are", MIN_PAIRS_FOR_A_CLAIM);
    fputs("; the observed ratio ", stream);
    if (!in_short)
        fprintf(stream, "of %s, %s over %s, ", writer->metric, writer->candidate, writer->baseline);
    fprintf(stream, "is %.3g", exp(effect->estimate.difference.estimate));
}

/* "B and A are practically equal in kernel operations (ratio 0.98, ...), within the margin of 5 %", or "are shown
 * neither to differ in kernel operations nor to be practically equal (...)" */
static void put_no_difference(const struct writer *writer, const struct effect *effect, int in_short)
{
    int equal = effect->claim == CLAIM_NEGLIGIBLE;
    FILE *stream = writer->stream;
    if (in_short)
        fputs("they are ", stream);
    else
        fprintf(stream, "%s and %s are ", writer->candidate, writer->baseline);
    fputs(equal ? "practically equal" : "shown neither to differ", stream);
    if (!in_short)
        fprintf(stream, " in %s", writer->metric);
    fputs(equal ? "" : " nor to be practically equal", stream);
    put_ratio(writer, effect);
    if (equal)
        fprintf(stream, ", within the margin of %g %%", writer->comparison->options.cost_margin);
}

/* "the observed ratio of kernel operations, B over A, is 0.51 (95.2 % interval 0.48 to 0.53, 13 data sets, p =
 * 0.0002)", of a difference that larger gaps may explain. */
static void put_observed(const struct writer *writer, const struct effect *effect, int in_short)
{
    fputs("the observed ratio ", writer->stream);
    if (!in_short)
        fprintf(writer->stream, "of %s, %s over %s, ", writer->metric, writer->candidate, writer->baseline);
    fprintf(writer->stream, "is %.3g (", exp(effect->estimate.difference.estimate));
    put_ratio_interval(writer, &effect->estimate.difference);
    put_test(writer->stream, effect);
}

/* Describes an effect; `subject` is "it" or the candidate if the sentence before has names and metric. */
static void put_effect(const struct writer *writer, const struct effect *effect, const char *subject)
{
    int by = writer->finding->claim == CLAIM_FAILURES ? SUMMARIES : opposed_by(effect);
    if (claim_sign(effect->claim) && writer->finding->claim == CLAIM_LOOSER)
        put_observed(writer, effect, subject != NULL);
    else if (claim_sign(effect->claim)) {
        put_difference(writer, effect, by == BY_MEDIAN, subject);
        if (by < SUMMARIES)
            put_opposed(writer, effect, by);
    } else if (effect->claim == CLAIM_NEGLIGIBLE || effect->claim == CLAIM_UNDECIDED)
        put_no_difference(writer, effect, subject != NULL);
    else
        put_untested(writer, effect, subject != NULL);
}

/* "here both converge" or, if the rest is over data sets, "here both converge, on heart alone" */
static void put_where(const struct writer *writer, const struct effect *effect, const struct compare_result *result)
{
    const struct pairing *pairing = &writer->comparison->pairing;
    fputs("here both converge", writer->stream);
    for (size_t c = 0; c < pairing->n_cases && !effect->over_datasets && writer->finding->cost.over_datasets; c++)
        if (result->rows[c].n > 0)
            fprintf(writer->stream, ", on %s%s%s alone", pairing->cases[c].dataset,
                    *pairing->cases[c].settings ? ", " : "", pairing->cases[c].settings);
}

/* "If a failed run counts as 10 times the largest cost of its data set, it needs 41 % more (...)". If the pairs on
 * which both converge do not support the claim, it rests on the failures. */
static void put_penalised(const struct writer *writer)
{
    const struct comparison *comparison = writer->comparison;
    const struct effect *cost = &writer->finding->cost, *both_converged = &writer->finding->both_converged;
    int both = claim_sign(cost->claim) * claim_sign(both_converged->claim);
    int only = claim_sign(cost->claim) && writer->finding->claim != CLAIM_LOOSER &&
               (both_converged->claim == CLAIM_NEGLIGIBLE || both_converged->claim == CLAIM_UNDECIDED);
    fprintf(writer->stream, "%s a failed run counts as %g times the largest cost of its %s%s", only ? "Only if" : "If",
            comparison->options.penalty,
            comparison->pairing.n_cases == comparison->pairing.n_datasets ? "data set" : "case",
            only ? " can a difference be claimed: " : ", ");
    put_effect(writer, cost, both_converged->estimate.n == 0 ? NULL : both ? "it" : writer->candidate);
    const double of_cost = cost->estimate.difference.estimate, of_ended = both_converged->estimate.difference.estimate;
    if (both > 0 && fabs(of_cost - of_ended) > fabs(of_ended))
        fputs(", which is mostly due to the failures", writer->stream);
}

/* "; with the set-up, it needs 2 % more (95.2 % interval 1 to 4 %)" or, without a claim, "the ratio is 0.445 (87.5 %
 * interval 0.14 to 0.63)". */
static void put_start_up(const struct writer *writer)
{
    const struct effect *start_up = &writer->finding->start_up;
    const struct interval *difference = &start_up->estimate.difference;
    const int claimed = claim_sign(start_up->claim) && writer->finding->claim != CLAIM_LOOSER;
    FILE *stream = writer->stream;
    if (!writer->start_ups)
        return;
    fputs(claimed ? "; with the set-up, it needs " : "; with the set-up, the ratio is ", stream);
    if (claimed)
        put_change(writer, exp(difference->estimate));
    else
        fprintf(stream, "%.3g", exp(difference->estimate));
    if (isfinite(difference->low)) {
        fputs(" (", stream);
        (claimed ? put_change_interval : put_ratio_interval)(writer, difference);
        fputc(')', stream);
    }
    if (claimed)
        put_slight(writer, start_up);
}

/* "B stops less accurately (gaps 2.9 times as large)" */
static void put_looser(const struct writer *writer)
{
    double ratio = writer->finding->gap_ratio;
    fprintf(writer->stream, "%s stops less accurately (gaps %.2g times as large)",
            ratio > 1 ? writer->candidate : writer->baseline, exp(fabs(log(ratio))));
}

/* Writes why there is no claim, before the numbers; returns whether it wrote anything. */
static int put_caution(const struct writer *writer)
{
    FILE *stream = writer->stream;
    switch (writer->finding->claim) {
    case CLAIM_UNDECIDED:
        fputs("Cost: undecided. ", stream);
        return 1;
    case CLAIM_FAILURES:
        fputs("Cost: which of the two is cheaper depends on what a failure costs. ", stream);
        return 1;
    case CLAIM_LOOSER:
        fputs("Cost: no claim, since ", stream);
        put_looser(writer);
        fputs(", which may explain its lower cost. ", stream);
        return 1;
    default:
        return 0;
    }
}

/* Whether the arm that is cheaper on most single cases has the larger gaps. Without a claim over data sets nothing
 * shows that the gaps are too small to explain it. */
static int gaps_may_explain_cases(const struct finding *finding)
{
    int sign = finding->cost.lower >= finding->cost.higher ? -1 : 1;
    return !claim_sign(finding->cost.claim) && finding->accuracy_differs && sign * log(finding->gap_ratio) < 0;
}

/* Writes the effects, first on pairs where both converge. */
static void put_costs(const struct writer *writer)
{
    const struct finding *finding = writer->finding;
    int cautioned = put_caution(writer);
    FILE *stream = writer->stream;
    if (writer->failures && finding->both_converged.estimate.n > 0) {
        fputs(cautioned ? "W" : "Cost w", stream);
        put_where(writer, &finding->both_converged, &writer->comparison->both_converged);
        fputs(cautioned ? ", " : ": ", stream);
        put_effect(writer, &finding->both_converged, NULL);
        fputs(". ", stream);
        put_penalised(writer);
    } else if (writer->failures) {
        fputs(cautioned ? "Both converge on no pair. " : "Cost: both converge on no pair. ", stream);
        put_penalised(writer);
    } else {
        if (writer->start_ups)
            fputs(cautioned ? "Without the set-up, " : "Cost without the set-up: ", stream);
        else
            fputs(!cautioned ? "Cost: " : finding->claim == CLAIM_LOOSER ? "Over whole runs, " : "", stream);
        put_effect(writer, &finding->cost, NULL);
    }
    put_start_up(writer);
}

static void put_cost(const struct writer *writer)
{
    const struct finding *finding = writer->finding;
    FILE *stream = writer->stream;
    if (finding->claim == CLAIM_ALIKE) {
        fprintf(stream,
                "There is no difference between %s and %s: %siterations, kernel operations, support vectors and test "
                "error are equal on all %zu pairs",
                writer->candidate, writer->baseline, writer->comparison->cost == COMPARE_SECONDS ? "time, " : "",
                writer->comparison->alike);
        return;
    }
    if (finding->cost.claim == CLAIM_NO_VALUE) {
        fprintf(stream, "The cost of %s and %s cannot be compared: no pair has counts or times of both",
                writer->candidate, writer->baseline);
        return;
    }
    put_costs(writer);
    if (finding->cost.claim == CLAIM_UNDECIDED && isfinite(finding->cost.estimate.detectable))
        fprintf(stream,
                ". Only a difference by a factor of %.3g or more, in either direction, would have been found with "
                "probability 0.8",
                exp(finding->cost.estimate.detectable));
    if (finding->claim == finding->cost.claim && !gaps_may_explain_cases(finding))
        put_counts(writer, &finding->cost, writer->fewer, "more");
}

/* Writes whether the costs are those of equally accurate solutions and, if not, whom that favours. */
static void put_accuracy(const struct writer *writer)
{
    const struct finding *finding = writer->finding;
    size_t unknown = writer->comparison->marks[PAIR_GAP_UNKNOWN];
    int sign = claim_sign(finding->claim);
    FILE *stream = writer->stream;
    if (writer->comparison->targets.used && finding->claim != CLAIM_ALIKE)
        fputs(". Both costs are counted up to the same recomputed gap", stream);
    else if (writer->comparison->equal_by_rule && finding->claim != CLAIM_ALIKE)
        fputs(". Both were run to the same relative gap (svm-gap)", stream);
    else if (finding->accuracy_differs && finding->claim != CLAIM_LOOSER) {
        fputs(". ", stream);
        put_looser(writer);
        if (sign * log(finding->gap_ratio) > 0)
            fprintf(stream, ", so the saving of %s is if anything understated",
                    sign < 0 ? writer->candidate : writer->baseline);
        else
            fprintf(stream, ", which favours it%s",
                    sign ? ", but is too little to explain the difference in cost" : "");
    }
    if (unknown > 0)
        fprintf(stream, ". On %zu pair%s a gap is unknown, so accuracy is not compared there", unknown,
                s_of(unknown));
}

/* ---- the other parts ---- */

/* Writes first of all what makes costs hard to compare. */
static void put_problems(const struct writer *writer)
{
    size_t apart = writer->comparison->marks[PAIR_APART];
    FILE *stream = writer->stream;
    if (writer->comparison->problems == PROBLEMS_DIFFERENT)
        fputs("The two solve different problems, so equal cost is not equal work. ", stream);
    else if (writer->comparison->problems == PROBLEMS_ONE_SVM)
        fputs("The two solve one SVM in two formulations. ", stream);
    else if (writer->comparison->problems == PROBLEMS_UNKNOWN)
        fputs("It is unknown whether the two solve the same problem, because a solver is not registered (give --plugin "
              "FILE). ",
              stream);
    if (apart > 0)
        fprintf(stream,
                "On %zu pair%s the ranges that the gaps allow for the optimal value do not overlap, so the two did not "
                "solve the same problem there. %s still counted. ",
                apart, s_of(apart), apart == 1 ? "This pair is" : "These pairs are");
}

/* The number of cases in which a run of either arm failed. */
static size_t count_failing_cases(const struct comparison *comparison)
{
    size_t count = 0;
    for (size_t c = 0; c < comparison->pairing.n_cases; c++) {
        const double *means = comparison->results[COMPARE_FAILURES].rows[c].means;
        count += means[BASELINE] > 0 || means[CANDIDATE] > 0;
    }
    return count;
}

/* "Failures (runs that did not converge): B has fewer than A, 0 of 390 pairs against 180 (on 6 of 13 data sets,
 * p = 0.031). " Ranks and sums can have opposite directions. */
static void put_failures(const struct writer *writer)
{
    const struct comparison *comparison = writer->comparison;
    const struct effect *effect = &writer->finding->failures;
    const size_t *failed = comparison->failed, pairs = comparison->pairing.n_pairs;
    int sign = claim_sign(effect->claim), tested = effect_tested(effect);
    int in_all = (failed[CANDIDATE] > failed[BASELINE]) - (failed[CANDIDATE] < failed[BASELINE]);
    FILE *stream = writer->stream;
    if (!writer->failures)
        return;
    fputs("Failures (runs that did not converge): ", stream);
    if (sign)
        fprintf(stream, "%s has %s than %s%s %zu of %zu pairs against %zu%s (", writer->candidate,
                sign < 0 ? "fewer" : "more", writer->baseline, sign == in_all ? "," : " on more data sets, although",
                failed[CANDIDATE], pairs, failed[BASELINE], sign == in_all ? "" : " in all");
    else
        fprintf(stream, "%zu of %zu pairs for %s, %zu for %s (", failed[CANDIDATE], pairs, writer->candidate,
                failed[BASELINE], writer->baseline);
    if (effect->over_datasets)
        fprintf(stream, "on %zu of %zu %s", count_failing_cases(comparison), comparison->pairing.n_cases,
                writer->cases);
    else
        fprintf(stream, "%zu split%s", effect->estimate.n, s_of(effect->estimate.n));
    fputs(sign ? ", " : tested ? "; not significant, " : "; not tested", stream);
    if (tested)
        put_p(stream, effect->estimate.adjusted);
    fputc(')', stream);
    if (effect->lower + effect->higher > 0)
        put_counts(writer, effect, "fewer", "more");
    fputs(". ", stream);
}

/* Two digits; from 1 on, one decimal. */
static void put_points(FILE *stream, double points)
{
    fprintf(stream, fabs(points) >= 0.95 ? "%.1f" : "%.2g", points);
}

/* "that of B is 1.0 points higher (95.2 % interval 0.9 to 1.1, 13 data sets, p = 0.0002)" */
static void put_error_difference(const struct writer *writer, const struct effect *effect)
{
    const struct interval *points = &effect->estimate.difference;
    int higher = points->estimate > 0;
    fprintf(writer->stream, "that of %s is ", writer->candidate);
    put_points(writer->stream, fabs(points->estimate));
    fprintf(writer->stream, " points %s (", higher ? "higher" : "lower");
    put_level(writer->stream, points);
    put_points(writer->stream, higher ? points->low : -points->high);
    fputs(" to ", writer->stream);
    put_points(writer->stream, higher ? points->high : -points->low);
    put_test(writer->stream, effect);
}

/* Writes whether the median split or the mean over data sets has the opposite direction. */
static void put_error_opposed(const struct writer *writer, const struct effect *error)
{
    static const char *const by[] = {"on the median split", "by the mean over data sets"};
    const double differences[] = {error->estimate.median, error->estimate.mean.estimate};
    for (int i = 0; i < 2; i++)
        if (claim_sign(error->claim) * differences[i] < 0) {
            fprintf(writer->stream, ", although %s it is ", by[i]);
            put_points(writer->stream, fabs(differences[i]));
            fprintf(writer->stream, " points %s: some %s differ much more than the rest",
                    differences[i] > 0 ? "higher" : "lower", i ? "data sets" : "splits");
            return;
        }
}

static void put_error_effect(const struct writer *writer, const struct effect *error)
{
    const double margin = writer->comparison->options.error_margin;
    const struct interval *points = &error->estimate.difference;
    FILE *stream = writer->stream;
    if (claim_sign(error->claim)) {
        put_error_difference(writer, error);
        if (error->claim == CLAIM_SLIGHTLY_LOWER || error->claim == CLAIM_SLIGHTLY_HIGHER)
            fprintf(stream, ", which may be negligible (margin %g points)", margin);
        put_error_opposed(writer, error);
    } else if (error->claim == CLAIM_NEGLIGIBLE) {
        fputs("practically equal, at most ", stream);
        put_points(stream, fmax(fabs(points->low), fabs(points->high)));
        fprintf(stream, " points apart (%.3g %% interval; margin %g)", 100 * points->level, margin);
    } else if (error->claim == CLAIM_UNDECIDED) {
        fprintf(stream, "undecided; that of %s less that of %s is ", writer->candidate, writer->baseline);
        put_points(stream, points->estimate);
        fputs(" points (", stream);
        put_level(stream, points);
        put_points(stream, points->low);
        fputs(" to ", stream);
        put_points(stream, points->high);
        put_test(stream, error);
    } else if (points->estimate == 0) {
        fputs("no claim; the observed difference is 0 points", stream);
    } else {
        fprintf(stream, "no claim; that of %s was ", writer->candidate);
        put_points(stream, fabs(points->estimate));
        fprintf(stream, " points %s", points->estimate > 0 ? "higher" : "lower");
    }
}

static void put_error(const struct writer *writer)
{
    const struct effect *error = &writer->finding->error;
    if (writer->finding->claim == CLAIM_ALIKE || error->estimate.n == 0)
        return;
    fputs(". Test error", writer->stream);
    if (writer->failures) {
        fputs(" w", writer->stream);
        put_where(writer, error, &writer->comparison->results[COMPARE_ERROR]);
    }
    fputs(": ", writer->stream);
    put_error_effect(writer, error);
    if (claim_sign(error->claim) || error->lower + error->higher > 0)
        put_counts(writer, error, "less", "more");
}

static void put_left_out(const struct writer *writer)
{
    const struct comparison *comparison = writer->comparison;
    const size_t *alone = comparison->pairing.alone;
    const int *counted = comparison->arms.counted;
    FILE *stream = writer->stream;
    size_t pairs = comparison->pairing.n_pairs, unknown = pairs - comparison->results[comparison->cost].n_pairs;
    if (counted[BASELINE] != counted[CANDIDATE])
        fprintf(stream,
                ". Iterations are compared, because kernel operations of %s are not counted and times are not "
                "comparable",
                counted[BASELINE] ? writer->candidate : writer->baseline);
    if (unknown > 0 && writer->finding->cost.estimate.n > 0)
        fprintf(stream, ". %zu of %zu pairs lack the %s of one or both", unknown, pairs, writer->metric);
    if (comparison->zeros > 0 && writer->finding->claim != CLAIM_ALIKE)
        fprintf(stream, ". On %zu pair%s a cost is 0; it counts as one half", comparison->zeros,
                s_of(comparison->zeros));
    if (alone[BASELINE] + alone[CANDIDATE] > 0)
        fprintf(stream, ". Left out, because the other solver has no matching record: %zu record%s of %s, %zu of %s",
                alone[CANDIDATE], s_of(alone[CANDIDATE]), writer->candidate, alone[BASELINE], writer->baseline);
}

static int is_tested(const struct finding *finding)
{
    return finding->claim != CLAIM_ALIKE && (effect_tested(&finding->cost) || effect_tested(&finding->error) ||
                                             effect_tested(&finding->failures));
}

static void put_family(const struct writer *writer)
{
    const struct finding *finding = writer->finding;
    if (finding->family > 1 && is_tested(finding))
        fprintf(writer->stream, ". Each p is adjusted by Holm over %zu comparisons; the intervals are not adjusted",
                finding->family);
}

/* ". Not compared, although the run or its configuration has them: 1 solver, 4 settings of the compared solvers" */
static void put_selection(const struct writer *writer)
{
    const struct left_out none = {0}, *left = writer->finding->left_out ? writer->finding->left_out : &none;
    const struct {
        size_t count;
        const char *what, *of;
    } parts[] = {{left->solvers, "solver", ""},
                 {left->settings, "setting", " of the compared solvers"},
                 {left->datasets, "data set", ""},
                 {left->splits, "split", ""},
                 {left->shards, "shard", ""}};
    int n = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].count > 0)
            fprintf(writer->stream, "%s%zu %s%s%s",
                    n++ ? ", " : ". Not compared, although the run or its configuration has them: ", parts[i].count,
                    parts[i].what, s_of(parts[i].count), parts[i].of);
    if (n > 0 && is_tested(writer->finding))
        fputs(". If they were left out after a look at the results, p is too small", writer->stream);
}

const char *finding_sentence(struct pool *pool, const struct comparison *comparison, const struct finding *finding)
{
    const struct pairing *pairing = &comparison->pairing;
    const int start_ups = finding->start_up.estimate.n > 0 && comparison->start_ups_differ;
    char *text = NULL;
    size_t size;
    const struct writer writer = {
        .stream = xopen_text(&text, &size),
        .comparison = comparison,
        .finding = finding,
        .baseline = comparison->arms.labels[BASELINE],
        .candidate = comparison->arms.labels[CANDIDATE],
        .metric = compare_metric_texts[comparison->cost].title,
        .fewer = comparison->cost == COMPARE_SECONDS ? "less" : "fewer",
        .as_many = comparison->cost == COMPARE_SECONDS ? "as much" : "as many",
        .cases = pairing->n_cases == pairing->n_datasets ? "data sets" : "cases",
        .failures = comparison->failed[BASELINE] + comparison->failed[CANDIDATE] > 0,
        .start_ups = start_ups,
        .in_times = needs_times(&finding->cost) || needs_times(&finding->both_converged) ||
                    (start_ups && needs_times(&finding->start_up)),
    };
    put_problems(&writer);
    put_failures(&writer);
    put_cost(&writer);
    put_accuracy(&writer);
    put_error(&writer);
    put_left_out(&writer);
    put_family(&writer);
    put_selection(&writer);
    fputc('.', writer.stream);
    xclose_text(writer.stream);
    pool_keep(pool, free, text);
    return text;
}
