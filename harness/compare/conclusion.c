/*
 * The conclusion in words: whether the problems are the same, failures, cost and accuracy, test error, omissions. It
 * restates the finding with the candidate as the subject, so that exchanging the solvers exchanges names, "fewer" and
 * "more", and inverts ratios. If runs failed, the cost on pairs where both converge comes first, since the penalised
 * cost depends on the penalty.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/compare/compare.h"

struct writer {
    struct pool *pool;
    FILE *stream;
    const struct comparison *comparison;
    const struct finding *finding;
    int failures;  /* nonzero: some run did not converge */
    int in_times;  /* nonzero: cost differences read "2.3 times as many", else "12 % fewer" */
};

/* ---- numbers ---- */

/* A whole number of up to six digits; three digits with an exponent if larger. */
static const char *whole(struct pool *pool, double value)
{
    return pool_printf(pool, fabs(value) < 999999.5 ? "%.0f" : "%.3g", value);
}

/* A whole percentage from 10 on; two digits below. */
static const char *per_cent(struct pool *pool, double value)
{
    return fabs(value) >= 9.95 ? whole(pool, value) : pool_printf(pool, "%.2g", value);
}

/* Three digits, or a whole number. */
static const char *times(struct pool *pool, double ratio)
{
    return ratio >= 9.995 ? whole(pool, ratio) : pool_printf(pool, "%.3g", ratio);
}

/* Two digits; from 1 on, one decimal. */
static const char *in_points(struct pool *pool, double points)
{
    return pool_printf(pool, fabs(points) >= 0.95 ? "%.1f" : "%.2g", points);
}

static int is_time(const struct writer *writer)
{
    return writer->comparison->cost == MEASURE_SECONDS;
}

/* "12 % fewer" or "2.3 times as many", of a ratio other than 1. */
static const char *change(const struct writer *writer, double ratio)
{
    if (writer->in_times)
        return pool_printf(writer->pool, "%s times %s", times(writer->pool, ratio),
                           is_time(writer) ? "as much" : "as many");
    return pool_printf(writer->pool, "%s %% %s", per_cent(writer->pool, 100 * fabs(1 - ratio)),
                       ratio >= 1 ? "more" : is_time(writer) ? "less" : "fewer");
}

/* "9.1 to 15 %", in the same terms. */
static const char *changes(const struct writer *writer, const struct interval *difference)
{
    struct pool *pool = writer->pool;
    const double low = exp(difference->low), high = exp(difference->high);
    const int lower = difference->estimate < 0;
    if (writer->in_times)
        return pool_printf(pool, "%s to %s times", times(pool, low), times(pool, high));
    return pool_printf(pool, "%s to %s %%", per_cent(pool, 100 * (lower ? 1 - high : low - 1)),
                       per_cent(pool, 100 * (lower ? 1 - low : high - 1)));
}

/* ---- sentences with placeholders ---- */

/* Writes a text, formatted like that of printf, in which a word in braces stands for a part of the comparison, or of
 * the effect `e`. */
__attribute__((format(printf, 3, 4))) static void say(const struct writer *writer, const struct estimate *e,
                                                      const char *format, ...)
{
    struct pool *pool = writer->pool;
    const struct comparison *comparison = writer->comparison;
    const struct interval *d = &e->difference;
    const double gaps = writer->finding->gap_ratio;
    const int up = d->estimate > 0, of_sets = comparison->pairing.n_cases == comparison->pairing.n_datasets;
    const char *const *labels = comparison->arms.labels;
    const struct {
        const char *word, *text;
    } words[] = {
        {"candidate", labels[CANDIDATE]},
        {"baseline", labels[BASELINE]},
        {"metric", measure_row(comparison->cost)->title},
        {"than", writer->in_times ? "as" : "than"},
        {"cases", of_sets ? "data sets" : "cases"},
        {"case", of_sets ? "data set" : "case"},
        {"looser", gaps > 1 ? labels[CANDIDATE] : labels[BASELINE]},
        {"gaps", fabs(log(gaps)) < log(99.5) ? pool_printf(pool, "%.2g", exp(fabs(log(gaps))))
                                             : whole(pool, exp(fabs(log(gaps))))},
        {"penalty", pool_printf(pool, "%g", comparison->options.penalty)},
        {"cost_margin", pool_printf(pool, "%g", comparison->options.cost_margin)},
        {"error_margin", pool_printf(pool, "%g", comparison->options.error_margin)},
        /* the effect: "13", "data sets", "p = 0.0002", "95.2 % interval" */
        {"n", pool_printf(pool, "%zu", e->n)},
        {"units", pool_printf(pool, "%s%s", e->over_datasets ? "data set" : "split", e->n == 1 ? "" : "s")},
        {"p", e->adjusted < 1e-4 ? "p < 0.0001" : pool_printf(pool, "p = %.2g", e->adjusted)},
        {"level", pool_printf(pool, "%.3g %% interval", 100 * d->level)},
        {"ratio", pool_printf(pool, "%.3g", exp(d->estimate))},
        {"ratios", pool_printf(pool, "%.3g to %.3g", exp(d->low), exp(d->high))},
        {"change", change(writer, exp(d->estimate))},
        {"changes", changes(writer, d)},
        {"detectable", pool_printf(pool, "%.3g", exp(e->detectable))},
        {"points", pool_printf(pool, "%s points", in_points(pool, fabs(d->estimate)))},
        {"signed", pool_printf(pool, "%s points", in_points(pool, d->estimate))},
        {"higher", up ? "higher" : "lower"},
        {"from", in_points(pool, up ? d->low : -d->high)},
        {"to", in_points(pool, up ? d->high : -d->low)},
        {"low", in_points(pool, d->low)},
        {"high", in_points(pool, d->high)},
        {"most", in_points(pool, fmax(fabs(d->low), fabs(d->high)))},
    };
    enum { WORDS = sizeof words / sizeof *words };
    va_list arguments;
    va_start(arguments, format);
    const char *text = pool_vprintf(pool, format, arguments);
    va_end(arguments);
    for (const char *at = text; *at; at++) {
        const size_t length = *at == '{' ? strcspn(at + 1, "}") : 0;
        size_t w = 0;
        while (w < WORDS && (strncmp(words[w].word, at + 1, length) != 0 || words[w].word[length]))
            w++;
        if (length > 0 && w < WORDS) {
            fputs(words[w].text, writer->stream);
            at += length + 1;
        } else {
            fputc(*at, writer->stream);
        }
    }
}

static const char *s_of(size_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- single cases ---- */

/* ". Tested one by one, 12 of 13 data sets show significantly fewer and none more" */
static void put_counts(const struct writer *writer, const struct estimate *effect, const char *lower,
                       const char *higher)
{
    const int mostly_lower = effect->lower >= effect->higher;
    const size_t most = mostly_lower ? effect->lower : effect->higher, tested = effect->tested,
                 least = mostly_lower ? effect->higher : effect->lower, small = effect->small;
    const char *one = mostly_lower ? lower : higher, *other = mostly_lower ? higher : lower,
               *which = tested < effect->cases ? " that can be tested" : "";
    if (!effect->over_datasets || effect->cases < 2)
        return;
    if (tested == 0) {
        say(writer, effect, ". The {cases} have too few splits, or splits of unknown size, to be tested one by one");
        return;
    }
    say(writer, effect, ". Tested one by one%s%s, ",
        effect_level_of_cases(effect) < CONTRAST_SIGNIFICANT ? " at 1 %" : "",
        writer->failures && effect == &writer->finding->cost ? " (failed runs counted as above)" : "");
    if (most == tested)
        say(writer, effect, "all %zu {cases}%s show significantly %s", most, which, one);
    else if (most > 0)
        say(writer, effect, "%zu of %zu {cases}%s show%s significantly %s", most, tested, which, most == 1 ? "s" : "",
            one);
    else if (small > 0)
        say(writer, effect, "%zu of %zu {cases}%s differ%s significantly, but within the margin", small, tested, which,
            small == 1 ? "s" : "");
    else
        say(writer, effect, "none of the %zu {cases}%s differs significantly%s", tested, which,
            effect_tested(effect) && effect->adjusted < CONTRAST_SIGNIFICANT
                ? "; the result rests on all of them together"
                : "");
    if (least > 0)
        say(writer, effect, " and %zu %s", least, other);
    else if (most > 0 && most < tested)
        say(writer, effect, " and none %s", other);
    if (most > 0 && small > 0)
        say(writer, effect, "; %zu other%s significantly, but within the margin", small,
            small == 1 ? " differs" : "s differ");
}

/* ---- cost ---- */

/* Percentages are hard to read for changes this large. */
static int needs_times(const struct estimate *effect)
{
    double ratio = exp(effect->difference.estimate);
    return claim_sign(effect->claim) && (ratio >= 2 || ratio < 0.1);
}

static int is_slight(const struct estimate *effect)
{
    return effect->claim == CLAIM_SLIGHTLY_LOWER || effect->claim == CLAIM_SLIGHTLY_HIGHER;
}

static const char *negligible_if_slight(const struct estimate *cost)
{
    return is_slight(cost) ? ", which may be negligible (margin {cost_margin} %)" : "";
}

/* Other summary statistics of the same data. */
enum { BY_MEDIAN, BY_MEANS, BY_GEOMETRIC_MEAN, SUMMARIES };

/* Whether the costs are not to be compared, so that only the observed ratios are given. */
static int is_withheld(const struct writer *writer)
{
    return writer->finding->claim == CLAIM_LOOSER || writer->finding->claim == CLAIM_APART;
}

/* Writes which summaries have the opposite direction, and which one the claim is about. Outliers move the mean over
 * splits and the other two summaries, but not the median. */
static void put_opposed(const struct writer *writer, const struct estimate *effect)
{
    static const char *const bys[] = {"on the median split", "by mean costs", "by the geometric mean over data sets"},
                      *const about[] = {"the mean over splits", "the typical ratio", "the typical data set"};
    const double summaries[] = {effect->median, effect->of_means, effect->mean.estimate};
    const int sign = claim_sign(effect->claim);
    int last = SUMMARIES;
    for (int by = 0; by < SUMMARIES && writer->finding->claim != CLAIM_FAILURES; by++)
        if (sign * summaries[by] < 0) {
            say(writer, effect, "%s %s it needs %s", last == SUMMARIES ? ", although" : " and", bys[by],
                change(writer, exp(summaries[by])));
            last = by;
        }
    if (last < SUMMARIES)
        say(writer, effect, ": some %s are much %s than the rest, and the claim is about %s",
            last == BY_GEOMETRIC_MEAN ? "data sets" : "splits",
            (last == BY_MEDIAN) == (sign > 0) ? "more expensive" : "cheaper", about[last]);
}

/* Describes an effect; `subject` is "it" or the candidate if the sentence before has names and metric. */
static void put_effect(const struct writer *writer, const struct estimate *effect, const char *subject)
{
    const int in_short = subject != NULL, sign = claim_sign(effect->claim);
    const char *of = in_short ? "" : " of {metric}, {candidate} over {baseline},";
    if ((sign || effect->claim == CLAIM_NEGLIGIBLE) && is_withheld(writer)) {
        say(writer, effect, "the observed ratio%s is {ratio} ({level} {ratios}, {n} {units}, {p})", of);
    } else if (sign) {
        say(writer, effect, "%s needs {change}%s%s ({level} {changes}, {n} {units}, {p})%s",
            subject ? subject : "{candidate}", in_short ? "" : " {metric} {than} {baseline}",
            sign * effect->median < 0 ? " on average" : "", negligible_if_slight(effect));
        put_opposed(writer, effect);
    } else if (effect->claim == CLAIM_NEGLIGIBLE || effect->claim == CLAIM_UNDECIDED) {
        const int equal = effect->claim == CLAIM_NEGLIGIBLE;
        say(writer, effect, "%s are %s%s%s (ratio {ratio}, {level} {ratios}, {n} {units}, {p})%s",
            in_short ? "they" : "{candidate} and {baseline}", equal ? "practically equal" : "shown neither to differ",
            in_short ? "" : " in {metric}", equal ? "" : " nor to be practically equal",
            equal ? ", within the margin of {cost_margin} %" : "");
    } else if (effect->claim == CLAIM_UNTESTED) {
        say(writer, effect, "no claim, since the sizes of the {n} splits, which the test needs, are not known; the "
                            "observed ratio%s is {ratio}", of);
    } else {
        say(writer, effect, "no claim, since {n} {units} %s too few (%d are needed); the observed ratio%s is {ratio}",
            effect->n == 1 ? "is" : "are", MIN_PAIRS_FOR_A_CLAIM, of);
    }
}

/* "here both converge" or, if the rest is over data sets, "here both converge, on heart alone" */
static void put_where(const struct writer *writer, const struct estimate *effect, size_t result)
{
    const struct pairing *pairing = &writer->comparison->pairing;
    say(writer, effect, "here both converge");
    for (size_t c = 0; c < pairing->n_cases && !effect->over_datasets && writer->finding->cost.over_datasets; c++)
        if (writer->comparison->results[result].rows[c].n > 0)
            say(writer, effect, ", on %s%s%s alone", pairing->cases[c].dataset,
                *pairing->cases[c].settings ? ", " : "", pairing->cases[c].settings);
}

/* "If a failed run counts as 10 times the largest cost of its data set, it needs 41 % more (...)". If the pairs on
 * which both converge do not support the claim, it rests on the failures. */
static void put_penalised(const struct writer *writer)
{
    const struct estimate *cost = &writer->finding->cost, *both_converged = &writer->finding->both_converged;
    const double of_cost = cost->difference.estimate, of_both = both_converged->difference.estimate;
    int both = claim_sign(cost->claim) * claim_sign(both_converged->claim);
    int only = claim_sign(cost->claim) && !is_withheld(writer) &&
               (both_converged->claim == CLAIM_NEGLIGIBLE || both_converged->claim == CLAIM_UNDECIDED);
    say(writer, cost,
        "%s a failed run counts as {penalty} times the largest cost of its {case}, and costs are averaged%s",
        only ? "Only if" : "If", only ? ", can a difference be claimed: " : ", ");
    put_effect(writer, cost, both_converged->n == 0 ? NULL : both ? "it" : "{candidate}");
    if (both > 0 && fabs(of_cost - of_both) > fabs(of_both))
        say(writer, cost, ", which is mostly due to the failures");
}

/* "; with the set-up, it needs 2 % more (95.2 % interval 1 to 4 %)" or, without a claim, "the ratio is 0.445 (87.5 %
 * interval 0.14 to 0.63)". */
static void put_start_up(const struct writer *writer)
{
    const struct estimate *start_up = &writer->finding->start_up;
    const int claimed = claim_sign(start_up->claim) && !is_withheld(writer);
    if (!writer->finding->start_ups_matter)
        return;
    say(writer, start_up, "; with the set-up, %s%s%s", claimed ? "it needs {change}" : "the ratio is {ratio}",
        !isfinite(start_up->difference.low) ? "" : claimed ? " ({level} {changes})" : " ({level} {ratios})",
        claimed ? negligible_if_slight(start_up) : "");
}

#define LOOSER "{looser} stops less accurately (gaps {gaps} times as large)"

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
    const struct estimate *cost = &finding->cost, *both_converged = &finding->both_converged;
    const char *caution = /* why there is no claim, before the numbers; NULL: there is one */
        finding->claim == CLAIM_UNDECIDED  ? "Cost: undecided. "
        : finding->claim == CLAIM_FAILURES ? "Cost: which of the two is cheaper depends on how failures count. "
        : finding->claim == CLAIM_APART    ? "Cost: no claim, since problems differ. "
        : finding->claim != CLAIM_LOOSER   ? NULL
        : claim_sign(cost->claim) || claim_sign(both_converged->claim)
            ? "Cost: no claim, since " LOOSER ", which may explain its lower cost. "
            : "Cost: no claim, since " LOOSER ", which may hide a difference. ";
    say(writer, cost, "%s", caution ? caution : "");
    if (writer->failures && both_converged->n > 0) {
        say(writer, cost, caution ? "W" : "Cost w");
        put_where(writer, both_converged, COMPARE_BOTH_CONVERGED);
        say(writer, cost, caution ? ", " : ": ");
        put_effect(writer, both_converged, NULL);
        say(writer, cost, ". ");
        put_penalised(writer);
    } else if (writer->failures) {
        say(writer, cost, caution ? "Both converge on no pair. " : "Cost: both converge on no pair. ");
        put_penalised(writer);
    } else {
        say(writer, cost, "%s",
            finding->start_ups_matter        ? caution ? "Without the set-up, " : "Cost without the set-up: "
            : !caution                       ? "Cost: "
            : is_withheld(writer)            ? "Over whole runs, "
                                             : "");
        put_effect(writer, cost, NULL);
    }
    put_start_up(writer);
}

static void put_cost(const struct writer *writer)
{
    const struct finding *finding = writer->finding;
    const struct estimate *cost = &finding->cost;
    if (finding->claim == CLAIM_ALIKE) {
        say(writer, cost, "There is no difference between {candidate} and {baseline}: %siterations, kernel operations, "
                          "support vectors%s are equal on all %zu pairs",
            is_time(writer) ? "time, " : "",
            writer->comparison->results[FIELD_ERROR].n_pairs ? " and test error" : " (test errors are missing)",
            writer->comparison->alike);
        return;
    }
    if (cost->claim == CLAIM_NO_VALUE) {
        say(writer, cost,
            "The cost of {candidate} and {baseline} cannot be compared: no pair has counts or times of both");
        return;
    }
    put_costs(writer);
    if (cost->claim == CLAIM_UNDECIDED && isfinite(cost->detectable))
        say(writer, cost, ". Only a difference by a factor of {detectable} or more, in either direction, would have "
                          "been found with probability 0.8");
    if (finding->claim == cost->claim && !gaps_may_explain_cases(finding))
        put_counts(writer, cost, is_time(writer) ? "less" : "fewer", "more");
}

/* Writes whether the costs are those of equally accurate solutions and, if not, whom that favours. */
static void put_accuracy(const struct writer *writer)
{
    const struct finding *finding = writer->finding;
    const size_t unknown = writer->comparison->marks[PAIR_GAP_UNKNOWN];
    const int sign = claim_sign(finding->claim);
    if (writer->comparison->targets.used && finding->claim != CLAIM_ALIKE)
        say(writer, &finding->cost, ". Both costs are counted up to the same recomputed gap");
    else if (writer->comparison->equal_by_rule && finding->claim != CLAIM_ALIKE)
        say(writer, &finding->cost, ". Both were run to the same relative gap (svm-gap)");
    else if (finding->accuracy_differs && finding->claim != CLAIM_LOOSER)
        say(writer, &finding->cost, ". " LOOSER "%s",
            sign == 0  ? ", which favours it"
            : sign < 0 ? ", so the saving of {candidate} is if anything understated"
                       : ", so the saving of {baseline} is if anything understated");
    if (unknown > 0)
        say(writer, &finding->cost, ". On %zu pair%s a gap is unknown, so accuracy is not compared there", unknown,
            s_of(unknown));
}

/* ---- the other parts ---- */

/* Writes first of all what makes costs hard to compare. */
static void put_problems(const struct writer *writer)
{
    static const char *const problems[] = {
        [PROBLEMS_SAME] = "",
        [PROBLEMS_ONE_SVM] = "The two solve one SVM in two formulations. ",
        [PROBLEMS_DIFFERENT] = "The two solve different problems, so equal cost is not equal work. ",
        [PROBLEMS_UNKNOWN] = ("It is unknown whether the two solve the same problem, because a solver is not "
                              "registered (give --plugin FILE). "),
    };
    const size_t apart = writer->comparison->marks[PAIR_APART];
    say(writer, &writer->finding->cost, "%s", problems[writer->comparison->problems]);
    if (apart > 0)
        say(writer, &writer->finding->cost,
            "On %zu pair%s the ranges that the gaps allow for the optimal value do not overlap, so the two did not "
            "solve the same problem there. ",
            apart, s_of(apart));
}

/* "Failures (runs that did not converge): B has fewer than A, 0 of 390 pairs against 180 (on 6 of 13 data sets,
 * p = 0.031). " Ranks and sums can have opposite directions. */
static void put_failures(const struct writer *writer)
{
    const struct comparison *comparison = writer->comparison;
    const struct estimate *effect = &writer->finding->failures;
    const size_t *failed = comparison->failed, pairs = comparison->pairing.n_pairs;
    int sign = claim_sign(effect->claim), tested = effect_tested(effect);
    int in_all = (failed[CANDIDATE] > failed[BASELINE]) - (failed[CANDIDATE] < failed[BASELINE]);
    if (!writer->failures)
        return;
    say(writer, effect, "Failures (runs that did not converge): ");
    if (sign)
        say(writer, effect, "{candidate} has %s than {baseline}%s %zu of %zu pairs against %zu%s (",
            sign < 0 ? "fewer" : "more", sign == in_all ? "," : " on more data sets, although", failed[CANDIDATE],
            pairs, failed[BASELINE], sign == in_all ? "" : " in all");
    else
        say(writer, effect, "%zu of %zu pairs for {candidate}, %zu for {baseline} (", failed[CANDIDATE], pairs,
            failed[BASELINE]);
    if (effect->over_datasets) {
        size_t failing = 0; /* cases in which a run of either arm failed */
        for (size_t c = 0; c < comparison->pairing.n_cases; c++) {
            const double *means = comparison->results[COMPARE_FAILURES].rows[c].means;
            failing += means[BASELINE] > 0 || means[CANDIDATE] > 0;
        }
        say(writer, effect, "on %zu of %zu ", failing, comparison->pairing.n_cases);
    }
    say(writer, effect, "%s%s", effect->over_datasets ? "{cases}" : "{n} {units}",
        sign ? ", {p})" : tested ? "; not significant, {p})" : "; not tested)");
    if (effect->lower + effect->higher > 0)
        put_counts(writer, effect, "fewer", "more");
    say(writer, effect, ". ");
}

/* Writes whether the median split or the mean over data sets has the opposite direction. */
static void put_error_opposed(const struct writer *writer, const struct estimate *error)
{
    static const char *const by[] = {"on the median split", "by the mean over data sets"};
    const double differences[] = {error->median, error->mean.estimate};
    for (int i = 0; i < 2; i++)
        if (claim_sign(error->claim) * differences[i] < 0) {
            say(writer, error, ", although %s it is %s points %s: some %s differ much more than the rest", by[i],
                in_points(writer->pool, fabs(differences[i])), differences[i] > 0 ? "higher" : "lower",
                i ? "data sets" : "splits");
            return;
        }
}

static void put_error(const struct writer *writer)
{
    const struct estimate *error = &writer->finding->error;
    const struct comparison *comparison = writer->comparison;
    const size_t *failed = comparison->failed, known = comparison->results[FIELD_ERROR].n_pairs,
                 all = comparison->pairing.n_pairs - failed[BASELINE] - failed[CANDIDATE] + comparison->both_failed;
    const int sign = claim_sign(error->claim);
    if (writer->finding->claim == CLAIM_ALIKE || all == 0)
        return;
    if (known < all)
        say(writer, error, ". %zu of the %zu pairs on which both converge lack the test error of one or both",
            all - known, all);
    if (error->n == 0)
        return;
    say(writer, error, writer->failures ? ". Test error w" : ". Test error");
    if (writer->failures)
        put_where(writer, error, FIELD_ERROR);
    if (sign)
        say(writer, error, ": that of {candidate} is {points} {higher} ({level} {from} to {to}, {n} {units}, {p})");
    else if (error->claim == CLAIM_NEGLIGIBLE)
        say(writer, error, ": practically equal, at most {most} points apart ({level}; margin {error_margin})");
    else if (error->claim == CLAIM_UNDECIDED)
        say(writer, error, ": undecided; that of {candidate} less that of {baseline} is {signed} ({level} {low} to "
                           "{high}, {n} {units}, {p})");
    else
        say(writer, error, error->difference.estimate == 0
                               ? ": no claim; the observed difference is 0 points"
                               : ": no claim; that of {candidate} was {points} {higher}");
    if (is_slight(error))
        say(writer, error, ", which may be negligible (margin {error_margin} points)");
    if (sign)
        put_error_opposed(writer, error);
    if (sign || error->lower + error->higher > 0)
        put_counts(writer, error, "less", "more");
}

static int is_tested(const struct finding *finding)
{
    return finding->claim != CLAIM_ALIKE && (effect_tested(&finding->cost) || effect_tested(&finding->error) ||
                                             effect_tested(&finding->failures));
}

static void put_left_out(const struct writer *writer)
{
    const struct comparison *comparison = writer->comparison;
    const size_t *alone = comparison->pairing.alone;
    const int *counted = comparison->arms.counted;
    const struct estimate *cost = &writer->finding->cost;
    size_t pairs = comparison->pairing.n_pairs, unknown = pairs - comparison->results[comparison->cost].n_pairs;
    if (counted[BASELINE] != counted[CANDIDATE])
        say(writer, cost, ". Iterations are compared, because kernel operations of {%s} are not counted and times are "
                          "not comparable", counted[BASELINE] ? "candidate" : "baseline");
    if (unknown > 0 && cost->n > 0)
        say(writer, cost, ". %zu of %zu pairs lack the {metric} of one or both", unknown, pairs);
    if (comparison->zeros > 0 && writer->finding->claim != CLAIM_ALIKE)
        say(writer, cost, ". On %zu pair%s a cost is 0; it counts as one half", comparison->zeros,
            s_of(comparison->zeros));
    if (alone[BASELINE] + alone[CANDIDATE] > 0)
        say(writer, cost, ". Left out, because the other solver has no matching record: %zu record%s of {candidate}, "
                          "%zu of {baseline}", alone[CANDIDATE], s_of(alone[CANDIDATE]), alone[BASELINE]);
    const size_t family = writer->finding->family, of_cost = writer->finding->of_cost;
    if (!is_tested(writer->finding) || (family < 2 && of_cost < 2))
        return;
    if (family > 1)
        say(writer, cost, ". Each p is adjusted by Holm over %zu comparisons", family);
    else
        say(writer, cost, ". Each p of cost is adjusted by Holm over %zu statements about cost", of_cost);
    if (family > 1 && of_cost > family)
        say(writer, cost, " (that of cost over %zu statements)", of_cost);
    say(writer, cost, "; the intervals are not adjusted");
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
            say(writer, &writer->finding->cost, "%s%zu %s%s%s",
                n++ ? ", " : ". Not compared, although the run or its configuration has them: ", parts[i].count,
                parts[i].what, s_of(parts[i].count), parts[i].of);
    if (n > 0 && is_tested(writer->finding))
        say(writer, &writer->finding->cost, ". If they were left out after a look at the results, p is too small");
}

const char *finding_time(struct pool *pool, const struct comparison *comparison, const struct finding *finding)
{
    const struct estimate *time = &finding->time, *cost = &finding->cost;
    const struct interval ratio = compare_shown(MEASURE_SECONDS, &time->difference);
    if (time->n == 0 || cost->n == 0 || !effect_is_unlike(time, cost))
        return "";
    const char *interval = isnan(ratio.low) ? "" : pool_printf(pool, "%.3g %% interval %.3g to %.3g, ",
                                                               100 * ratio.level, ratio.low, ratio.high);
    return pool_printf(pool, "In time the ratio of %s to %s is %.3g (%s%zu %s%s), in %s %.3g.",
                       comparison->arms.labels[CANDIDATE], comparison->arms.labels[BASELINE], ratio.estimate, interval,
                       time->n, time->over_datasets ? "data set" : "split", s_of(time->n),
                       measure_row(comparison->cost)->title, exp(cost->difference.estimate));
}

const char *finding_sentence(struct pool *pool, const struct comparison *comparison, const struct finding *finding)
{
    struct pool_text *text = pool_text_open(pool);
    struct writer writer = {
        .pool = pool,
        .stream = text->stream,
        .comparison = comparison,
        .finding = finding,
        .failures = comparison_fails(comparison),
    };
    writer.in_times = needs_times(&finding->cost) || needs_times(&finding->both_converged) ||
                      (finding->start_ups_matter && needs_times(&finding->start_up));
    put_problems(&writer);
    put_failures(&writer);
    put_cost(&writer);
    put_accuracy(&writer);
    put_error(&writer);
    put_left_out(&writer);
    put_selection(&writer);
    fputc('.', writer.stream);
    return pool_text_end(text);
}
