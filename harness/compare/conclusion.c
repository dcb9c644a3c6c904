/*
 * The conclusion in words: failures, cost, error, then accuracy and what was left out. It says what the finding says,
 * and the candidate is the subject, so that exchanging the solvers exchanges names, "fewer" and "more", and turns
 * ratios over.
 */
#include <math.h>
#include <stdio.h>

#include "harness/compare/decision.h"
#include "harness/program/memory.h"

struct writer {
    FILE *stream;
    const struct comparison *comparison;
    const struct finding *finding;
    const char *baseline, *candidate; /* their labels */
    const char *metric, *fewer;       /* "time", "less" */
    const char *cases;                /* "data sets" or "cases" */
    int failures;                     /* nonzero: some run did not converge */
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
    fprintf(stream, ", %zu %s%s, ", effect->n, units_of(effect), s_of(effect->n));
    put_p(stream, effect->p);
    fputc(')', stream);
}

/* ---- ratios ---- */

/* A whole number of per cent from 10 on, two digits below. */
static void put_per_cent(FILE *stream, double value)
{
    fprintf(stream, fabs(value) >= 9.95 ? "%.0f" : "%.2g", value);
}

/* Two digits, or a whole number. */
static void put_times(FILE *stream, double ratio)
{
    fprintf(stream, ratio >= 9.95 ? "%.0f" : "%.2g", ratio);
}

/* "12 % fewer" or "2.3 times the", of a ratio other than 1. */
static void put_change(const struct writer *writer, double ratio)
{
    if (ratio >= 2 || ratio < 0.1) {
        put_times(writer->stream, ratio);
        fputs(" times the", writer->stream);
        return;
    }
    put_per_cent(writer->stream, 100 * fabs(1 - ratio));
    fprintf(writer->stream, " %% %s", ratio < 1 ? writer->fewer : "more");
}

/* "95 % interval 9.1 to 15 %", in the same terms. */
static void put_change_interval(const struct writer *writer, const struct interval *difference)
{
    double ratio = exp(difference->estimate), low = exp(difference->low), high = exp(difference->high);
    fputs("95 % interval ", writer->stream);
    if (ratio >= 2 || ratio < 0.1) {
        put_times(writer->stream, low);
        fputs(" to ", writer->stream);
        put_times(writer->stream, high);
        fputs(" times", writer->stream);
        return;
    }
    put_per_cent(writer->stream, 100 * (ratio < 1 ? 1 - high : low - 1));
    fputs(" to ", writer->stream);
    put_per_cent(writer->stream, 100 * (ratio < 1 ? 1 - low : high - 1));
    fputs(" %", writer->stream);
}

/* "B needs 12 % fewer kernel operations than A (95 % interval 9.1 to 15 %, 13 data sets, p = 0.0002)" */
static void put_difference(const struct writer *writer, const struct effect *effect)
{
    double ratio = exp(effect->difference.estimate);
    fprintf(writer->stream, "%s needs ", writer->candidate);
    put_change(writer, ratio);
    fprintf(writer->stream, " %s %s %s (", writer->metric, ratio >= 2 || ratio < 0.1 ? "of" : "than", writer->baseline);
    put_change_interval(writer, &effect->difference);
    put_test(writer->stream, effect);
}

/* "the ratio is 1.02 (95 % interval 0.93 to 1.12, 13 data sets, p = 0.6)" */
static void put_ratio(const struct writer *writer, const struct effect *effect)
{
    const struct interval *difference = &effect->difference;
    fprintf(writer->stream, "the ratio is %.3g (95 %% interval %.3g to %.3g", exp(difference->estimate),
            exp(difference->low), exp(difference->high));
    put_test(writer->stream, effect);
}

static void put_untested(const struct writer *writer, const struct effect *effect)
{
    fprintf(writer->stream, "%s needs %.3g times the %s of %s on %zu %s%s, ", writer->candidate,
            exp(effect->difference.estimate), writer->metric, writer->baseline, effect->n, units_of(effect),
            s_of(effect->n));
    if (effect->claim == CLAIM_UNTESTED)
        fputs("whose sizes are not known, so that there is no test", writer->stream);
    else
        fprintf(writer->stream, "too few for a claim (%d are needed)", MIN_PAIRS_FOR_A_CLAIM);
}

/* "it needs 12 % fewer", "it needs 2.3 times as many" */
static void put_change_of_it(const struct writer *writer, double ratio)
{
    fputs("it needs ", writer->stream);
    if (ratio >= 2 || ratio < 0.1) {
        put_times(writer->stream, ratio);
        fprintf(writer->stream, " times as %s", writer->comparison->cost == COMPARE_SECONDS ? "much" : "many");
    } else
        put_change(writer, ratio);
}

/* Where other summaries of the same data point the other way than what is claimed. */
static void put_opposed(const struct writer *writer, const struct effect *effect)
{
    static const char *const by[] = {"on the median split ", "by mean costs ", "by the geometric mean over data sets "};
    const double differences[] = {effect->median, effect->of_means, effect->mean};
    for (int i = 0; i < 3; i++)
        if (claim_sign(effect->claim) * differences[i] < 0) {
            fprintf(writer->stream, ", although %s", by[i]);
            put_change_of_it(writer, exp(differences[i]));
            fprintf(writer->stream, ": a few %s outweigh the rest", i == 2 ? "data sets" : "splits");
            return;
        }
}

/* A sentence that begins with a solver's name or a small letter. */
static void put_cost_effect(const struct writer *writer, const struct effect *effect)
{
    FILE *stream = writer->stream;
    const double margin = writer->comparison->options.cost_margin;
    if (claim_sign(effect->claim)) {
        put_difference(writer, effect);
        if (effect->claim == CLAIM_SLIGHTLY_LOWER || effect->claim == CLAIM_SLIGHTLY_HIGHER)
            fprintf(stream, ", which may be negligible (margin %g %%)", margin);
        if (writer->finding->claim != CLAIM_FAILURES)
            put_opposed(writer, effect);
    } else if (effect->claim == CLAIM_NEGLIGIBLE || effect->claim == CLAIM_UNDECIDED) {
        int shown = effect->claim == CLAIM_NEGLIGIBLE;
        fprintf(stream, "%s difference in %s between %s and %s is %s: ", shown ? "the" : "no", writer->metric,
                writer->candidate, writer->baseline, shown ? "negligible" : "shown");
        put_ratio(writer, effect);
        if (shown)
            fprintf(stream, ", within the margin of %g %%", margin);
        else if (isfinite(effect->detectable))
            fprintf(stream, ". The study would have found a factor of %.3g with probability 0.8",
                    exp(effect->detectable));
    } else
        put_untested(writer, effect);
}

/* "where both converge, ", or "where both converge, on heart alone, " if all else is over data sets. */
static void put_where(const struct writer *writer, const struct effect *effect, const struct compare_result *result)
{
    const struct pairing *pairing = &writer->comparison->pairing;
    fputs("where both converge, ", writer->stream);
    for (size_t c = 0; c < pairing->n_cases && !effect->over_datasets && writer->finding->cost.over_datasets; c++)
        if (result->rows[c].n > 0)
            fprintf(writer->stream, "on %s%s%s alone, ", pairing->cases[c].dataset,
                    *pairing->cases[c].settings ? ", " : "", pairing->cases[c].settings);
}

/* The same of the pairs on which both converge, in short. A claim that these pairs do not show rests on failures. */
static void put_ended_effect(const struct writer *writer, const struct effect *effect)
{
    static const char *const words[CLAIM_COUNT] = {
        [CLAIM_NEGLIGIBLE] = "the difference is negligible: ", [CLAIM_UNDECIDED] = "no difference is shown: "};
    int sign = claim_sign(effect->claim), of_all = claim_sign(writer->finding->cost.claim);
    fputs(of_all && !sign ? ", which rests on the failures: " : "; ", writer->stream);
    put_where(writer, effect, &writer->comparison->ended);
    if (words[effect->claim]) {
        fputs(words[effect->claim], writer->stream);
        put_ratio(writer, effect);
    } else if (sign) {
        put_change_of_it(writer, exp(effect->difference.estimate));
        fputs(" (", writer->stream);
        put_change_interval(writer, &effect->difference);
        put_test(writer->stream, effect);
    } else
        put_untested(writer, effect);
}

/* ---- the parts ---- */

/* "B fails to converge less often than A: on 0 of 390 pairs against 180 (13 data sets, p = 0.031). " Ranks and sums
 * can point different ways. */
static void put_failures(const struct writer *writer)
{
    const struct comparison *comparison = writer->comparison;
    const struct effect *effect = &writer->finding->failures;
    const size_t *failed = comparison->failed, pairs = comparison->pairing.n_pairs;
    int tested = effect_tested(effect);
    FILE *stream = writer->stream;
    if (!writer->failures)
        return;
    int sign = claim_sign(effect->claim), in_all = (failed[CANDIDATE] > failed[BASELINE]) -
                                                   (failed[CANDIDATE] < failed[BASELINE]);
    if (sign)
        fprintf(stream, "%s fails to converge %s often than %s%s on %zu of %zu pairs against %zu%s (",
                writer->candidate, sign < 0 ? "less" : "more", writer->baseline,
                sign == in_all ? ":" : " on more data sets, although", failed[CANDIDATE], pairs, failed[BASELINE],
                sign == in_all ? "" : " in all");
    else
        fprintf(stream, "%s did not converge on %zu of %zu pairs, %s on %zu (%s", writer->candidate, failed[CANDIDATE],
                pairs, writer->baseline, failed[BASELINE], tested ? "not significant: " : "too few for a test");
    if (tested) {
        fprintf(stream, "%zu %s%s, ", effect->n, units_of(effect), s_of(effect->n));
        put_p(stream, effect->p);
    }
    fputs("). ", stream);
    if (effect->over_datasets && effect->lower + effect->higher > 0)
        fprintf(stream, "On their own, %zu of %zu %s show fewer failures and %zu more. ", effect->lower, effect->tested,
                writer->cases, effect->higher);
}

/* ". On their own, 9 of 13 data sets show fewer and 1 more" */
static void put_counts(const struct writer *writer, const struct effect *effect, const char *lower, const char *higher)
{
    FILE *stream = writer->stream;
    if (!effect->over_datasets || effect->cases < 2)
        return;
    if (effect->tested == 0) {
        fprintf(stream, ". The %s have too few splits, or splits of unknown size, for tests of their own",
                writer->cases);
        return;
    }
    const char *tested = effect->tested < effect->cases ? " with a test" : "";
    if (effect->lower + effect->higher + effect->small == 0)
        fprintf(stream, ". On its own none of the %zu %s%s shows a difference", effect->tested, writer->cases, tested);
    else if (effect->lower + effect->higher == 0)
        fprintf(stream, ". On their own, %zu of %zu %s%s show a difference, none larger than the margin", effect->small,
                effect->tested, writer->cases, tested);
    else
        fprintf(stream, ". On their own, %zu of %zu %s%s show %s and %zu %s", effect->lower, effect->tested,
                writer->cases, tested, lower, effect->higher, higher);
    if (effect->lower + effect->higher > 0 && effect->small > 0)
        fprintf(stream, ", %zu a difference within the margin", effect->small);
}

static void put_start_up(const struct writer *writer)
{
    const struct effect *effect = &writer->finding->start_up;
    if (effect->n > 0)
        fprintf(writer->stream,
                ". Counting the start-up, in which the two differ, the ratio of kernel operations is %.3g",
                exp(effect->difference.estimate));
    if (effect->n > 0 && isfinite(effect->difference.low))
        fprintf(writer->stream, " (95 %% interval %.3g to %.3g)", exp(effect->difference.low),
                exp(effect->difference.high));
}

static void put_cost(const struct writer *writer)
{
    const struct comparison *comparison = writer->comparison;
    const struct finding *finding = writer->finding;
    FILE *stream = writer->stream;
    if (finding->claim == CLAIM_ALIKE) {
        fprintf(stream,
                "There is no difference between %s and %s: iterations, kernel operations, support vectors and test "
                "error are equal on all %zu pairs",
                writer->candidate, writer->baseline, comparison->alike);
        return;
    }
    if (finding->cost.claim == CLAIM_NO_VALUE) {
        fprintf(stream, "The cost of %s and %s cannot be compared: no pair has counts or times of both",
                writer->candidate, writer->baseline);
        return;
    }
    fputs(finding->claim == CLAIM_LOOSER     ? "There is no claim about cost at equal accuracy: "
          : finding->claim == CLAIM_FAILURES ? "Which of the two costs less depends on what a failure costs: "
                                             : "Cost: ",
          stream);
    if (writer->failures)
        fprintf(stream, "with a failed run counted as %g times the largest cost of its %s, ",
                comparison->options.penalty,
                comparison->pairing.n_cases == comparison->pairing.n_datasets ? "data set" : "case");
    put_cost_effect(writer, &finding->cost);
    if (writer->failures && finding->ended.n > 0)
        put_ended_effect(writer, &finding->ended);
    if (finding->claim == finding->cost.claim) {
        put_counts(writer, &finding->cost, writer->fewer, "more");
        put_start_up(writer);
    }
    if (finding->claim == CLAIM_LOOSER)
        fprintf(stream, ", but %s stops at gaps %.2g times as large",
                finding->gap_ratio > 1 ? writer->candidate : writer->baseline, exp(fabs(log(finding->gap_ratio))));
}

/* Two digits, one behind the point from 1 on. */
static void put_points(FILE *stream, double points)
{
    fprintf(stream, fabs(points) >= 0.95 ? "%.1f" : "%.2g", points);
}

/* "that of B is 1.0 points higher (95 % interval 0.9 to 1.1, 13 data sets, p = 0.0002)" */
static void put_error_difference(const struct writer *writer, const struct effect *effect)
{
    const struct interval *points = &effect->difference;
    int higher = points->estimate > 0;
    fprintf(writer->stream, "that of %s is ", writer->candidate);
    put_points(writer->stream, fabs(points->estimate));
    fprintf(writer->stream, " points %s (95 %% interval ", higher ? "higher" : "lower");
    put_points(writer->stream, higher ? points->low : -points->high);
    fputs(" to ", writer->stream);
    put_points(writer->stream, higher ? points->high : -points->low);
    put_test(writer->stream, effect);
}

/* Where the median split or the mean over data sets points the other way. */
static void put_error_opposed(const struct writer *writer, const struct effect *error)
{
    static const char *const by[] = {"on the median split", "by the mean over data sets"};
    const double differences[] = {error->median, error->mean};
    for (int i = 0; i < 2; i++)
        if (claim_sign(error->claim) * differences[i] < 0) {
            fprintf(writer->stream, ", although %s it is ", by[i]);
            put_points(writer->stream, fabs(differences[i]));
            fprintf(writer->stream, " points %s: a few %s outweigh the rest", differences[i] > 0 ? "higher" : "lower",
                    i ? "data sets" : "splits");
            return;
        }
}

static void put_error_effect(const struct writer *writer, const struct effect *error)
{
    const double margin = writer->comparison->options.error_margin;
    const struct interval *points = &error->difference;
    FILE *stream = writer->stream;
    if (claim_sign(error->claim)) {
        put_error_difference(writer, error);
        if (error->claim == CLAIM_SLIGHTLY_LOWER || error->claim == CLAIM_SLIGHTLY_HIGHER)
            fprintf(stream, ", which may be negligible (margin %g points)", margin);
        put_error_opposed(writer, error);
    } else if (error->claim == CLAIM_NEGLIGIBLE) {
        fputs("the difference is negligible, at most ", stream);
        put_points(stream, fmax(fabs(points->low), fabs(points->high)));
        fprintf(stream, " points (95 %% interval; margin %g)", margin);
    } else if (error->claim == CLAIM_UNDECIDED) {
        fprintf(stream, "no difference is shown; %s less %s is ", writer->candidate, writer->baseline);
        put_points(stream, points->low);
        fputs(" to ", stream);
        put_points(stream, points->high);
        fputs(" points (95 % interval", stream);
        put_test(stream, error);
    } else if (points->estimate == 0) {
        fputs("the difference is 0 points, without a test", stream);
    } else {
        fprintf(stream, "that of %s is ", writer->candidate);
        put_points(stream, fabs(points->estimate));
        fprintf(stream, " points %s, without a test", points->estimate > 0 ? "higher" : "lower");
    }
}

static void put_error(const struct writer *writer)
{
    const struct effect *error = &writer->finding->error;
    if (writer->finding->claim == CLAIM_ALIKE || error->n == 0)
        return;
    fputs(". Test error: ", writer->stream);
    if (writer->failures)
        put_where(writer, error, &writer->comparison->results[COMPARE_ERROR]);
    put_error_effect(writer, error);
    if (error->lower + error->higher > 0)
        put_counts(writer, error, "less", "more");
}

static void put_accuracy(const struct writer *writer)
{
    const struct comparison *comparison = writer->comparison;
    const struct finding *finding = writer->finding;
    const size_t *marks = comparison->marks;
    FILE *stream = writer->stream;
    if (comparison->targets.used && finding->claim != CLAIM_ALIKE)
        fputs(". Costs are those of reaching equal recomputed gaps", stream);
    else if (finding->accuracy_differs && finding->claim != CLAIM_LOOSER)
        fprintf(stream, ". %s stops at gaps %.2g times as large%s",
                finding->gap_ratio > 1 ? writer->candidate : writer->baseline, exp(fabs(log(finding->gap_ratio))),
                claim_sign(finding->claim) * log(finding->gap_ratio) < 0 ? ", which is less than the difference in cost"
                                                                         : "");
    if (marks[PAIR_GAP_UNKNOWN] > 0)
        fprintf(stream, ". On %zu pair%s a gap is not known", marks[PAIR_GAP_UNKNOWN], s_of(marks[PAIR_GAP_UNKNOWN]));
    if (marks[PAIR_APART] > 0)
        fprintf(stream, ". On %zu pair%s the optima that the gaps certify do not meet: not the same problem",
                marks[PAIR_APART], s_of(marks[PAIR_APART]));
    if (comparison->problems == PROBLEMS_DIFFERENT)
        fputs(". The two solve different problems", stream);
    else if (comparison->problems == PROBLEMS_UNKNOWN)
        fputs(". Whether the two solve the same problem is not known", stream);
}

static void put_left_out(const struct writer *writer)
{
    const struct comparison *comparison = writer->comparison;
    const size_t *alone = comparison->pairing.alone;
    const int *counted = comparison->arms.counted;
    FILE *stream = writer->stream;
    size_t pairs = comparison->pairing.n_pairs, unknown = pairs - comparison->results[comparison->cost].n_pairs;
    if (counted[BASELINE] != counted[CANDIDATE])
        fprintf(stream, ". Kernel operations of %s are not counted, and times are not of one kind",
                counted[BASELINE] ? writer->candidate : writer->baseline);
    if (unknown > 0 && writer->finding->cost.n > 0)
        fprintf(stream, ". %zu of %zu pairs lack the %s of one or both", unknown, pairs, writer->metric);
    if (comparison->zeros > 0 && writer->finding->claim != CLAIM_ALIKE)
        fprintf(stream, ". On %zu pair%s a cost is 0, which counts as one half", comparison->zeros,
                s_of(comparison->zeros));
    if (alone[BASELINE] + alone[CANDIDATE] > 0)
        fprintf(stream, ". Without partner and left out: %zu record%s of %s, %zu of %s", alone[CANDIDATE],
                s_of(alone[CANDIDATE]), writer->candidate, alone[BASELINE], writer->baseline);
}

static void put_family(const struct writer *writer)
{
    const struct finding *finding = writer->finding;
    if (finding->family > 1 && finding->claim != CLAIM_ALIKE &&
        (effect_tested(&finding->cost) || effect_tested(&finding->error) || effect_tested(&finding->failures)))
        fprintf(writer->stream, ". Each p is adjusted by Holm over %zu comparisons; intervals are of this one",
                finding->family);
}

char *finding_sentence(const struct comparison *comparison, const struct finding *finding)
{
    const struct pairing *pairing = &comparison->pairing;
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
        .cases = pairing->n_cases == pairing->n_datasets ? "data sets" : "cases",
        .failures = comparison->failed[BASELINE] + comparison->failed[CANDIDATE] > 0,
    };
    put_failures(&writer);
    put_cost(&writer);
    put_error(&writer);
    put_accuracy(&writer);
    put_left_out(&writer);
    put_family(&writer);
    fputc('.', writer.stream);
    xclose_text(writer.stream);
    return text;
}
