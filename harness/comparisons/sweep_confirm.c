/*
 * The best value of a sweep, chosen on the odd splits and compared on the even ones. The two halves share no split, so
 * the choice does not bias the second comparison. But splits of one data set share patterns, and both halves come from
 * the same data sets.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/comparisons/value_sweep.h"
#include "harness/base/memory.h"
#include "harness/records/coverage.h"

static struct solver_choice half_of(const struct solver_choice *choice, enum choice_half half)
{
    struct solver_choice part = *choice;
    part.half = half;
    return part;
}

/* The logarithm of the ratio of costs on the odd splits; NAN if there is none. Adds the records of the pairs. */
static enum status ratio_on_odd(const struct compare_options *options, const struct run_folders *runs,
                                const struct solver_choice *baseline, const struct solver_choice *candidate,
                                struct records *paired, double *ratio, struct error *error)
{
    const struct solver_choice parts[ARMS] = {half_of(baseline, SPLITS_ODD), half_of(candidate, SPLITS_ODD)};
    const struct solver_choice *const choices[ARMS] = {&parts[BASELINE], &parts[CANDIDATE]};
    struct comparison comparison;
    enum status status = compare_runs(options, runs, choices, &comparison, error);
    *ratio = (double)NAN;
    if (status == STATUS_OK) {
        const struct finding finding = finding_of(&comparison);
        *ratio = finding.cost.n > 0 ? finding.cost.difference.estimate : (double)NAN;
        for (size_t p = 0; p < comparison.pairing.n_pairs; p++)
            records_add(paired, comparison.pairing.pairs[p].records[CANDIDATE]);
    }
    compare_free(&comparison);
    return status == STATUS_NOT_FOUND ? STATUS_OK : status;
}

/* Chooses among those of the `count` choices of one sweep that all have the same pairs, or the most, and compares the
 * best with the baseline on the even splits. */
static enum status pick(const struct compare_options *options, struct comparisons *comparisons,
                        const struct solver_choice *baseline, const struct solver_choice *values, size_t count,
                        struct error *error)
{
    struct comparisons *confirmed = comparisons->confirmed;
    struct sweep_pick best = {.baseline = baseline, .values = count, .log_ratio = (double)INFINITY};
    struct records *paired = xcalloc(count, sizeof *paired);
    double *ratios = xcalloc(count, sizeof *ratios);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = ratio_on_odd(options, &comparisons->runs, baseline, &values[i], &paired[i], &ratios[i], error);
    struct coverage coverage = {0};
    if (status == STATUS_OK)
        coverage_of_records(paired, count, 0, &coverage);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        if (!coverage_is_full(&coverage, i))
            best.n_incomplete += paired[i].count > 0;
        else if (ratios[i] < best.log_ratio) {
            best.log_ratio = ratios[i];
            best.chosen = &values[i];
        }
    }
    coverage_free(&coverage);
    for (size_t i = 0; i < count; i++)
        records_free(&paired[i]);
    free(paired);
    free(ratios);
    if (status == STATUS_OK && !best.chosen && best.n_incomplete > 0)
        comparisons_omit(comparisons, baseline->text, values[0].name,
                         "no value of the sweep has all data sets and splits of the others, so none is chosen");
    if (status != STATUS_OK || !best.chosen)
        return status;
    const struct solver_choice parts[ARMS] = {half_of(baseline, SPLITS_EVEN), half_of(best.chosen, SPLITS_EVEN)};
    const struct solver_choice *const choices[ARMS] = {&parts[BASELINE], &parts[CANDIDATE]};
    best.at = confirmed->n;
    best.omitted = confirmed->n_omitted;
    status = comparisons_add(confirmed, options, &comparisons->runs, choices, error);
    best.is_compared = confirmed->n > best.at;
    comparisons->picks = xreallocarray(comparisons->picks, comparisons->n_picks + 1, sizeof *comparisons->picks);
    comparisons->picks[comparisons->n_picks++] = best;
    return status;
}

static const char *value_of(const struct solver_choice *choice)
{
    size_t i = 0;
    while (strcmp(choice->settings[i].name, choice->swept) != 0)
        i++;
    return choice->settings[i].value;
}

static char *sentence_of(const struct comparisons *confirmed, const struct sweep_pick *pick)
{
    const char *outcome =
        pick->is_compared ? confirmed->sentences[pick->at] : confirmed->omitted[pick->omitted].reason;
    char *incomplete = pick->n_incomplete ? xasprintf(" (%zu left out, since they lack data sets or splits of others)",
                                                      pick->n_incomplete)
                                          : xstrdup("");
    char *sentence =
        xasprintf("Of the %zu values of %s%s, %s costs least compared with %s on the odd splits (ratio %.3g). The "
                  "best value looks too good on the splits on which it was chosen. On the even splits, which were "
                  "not used for the choice: %s%s",
                  pick->values, pick->chosen->swept, incomplete, value_of(pick->chosen), pick->baseline->text,
                  exp(pick->log_ratio), outcome, pick->is_compared ? "" : ".");
    free(incomplete);
    return sentence;
}

enum status sweep_confirm(const struct compare_options *options, struct comparisons *comparisons, struct error *error)
{
    const struct solver_choices *candidates = &comparisons->sides[CANDIDATE];
    const struct solver_choices *baselines = &comparisons->sides[BASELINE];
    enum status status = STATUS_OK;
    comparisons->confirmed = xcalloc(1, sizeof *comparisons->confirmed);
    for (size_t c = 0, end; c < candidates->count && status == STATUS_OK; c = end) {
        const size_t sweep = candidates->items[c].sweep;
        for (end = c + 1; end < candidates->count && candidates->items[end].sweep == sweep; end++)
            continue;
        for (size_t b = 0; b < baselines->count && sweep && end - c > 1 && status == STATUS_OK; b++)
            status = pick(options, comparisons, &baselines->items[b], &candidates->items[c], end - c, error);
    }
    if (status == STATUS_OK)
        comparisons_conclude(comparisons->confirmed, &comparisons->left_out);
    for (size_t i = 0; i < comparisons->n_picks && status == STATUS_OK; i++)
        comparisons->picks[i].sentence = sentence_of(comparisons->confirmed, &comparisons->picks[i]);
    return status;
}
