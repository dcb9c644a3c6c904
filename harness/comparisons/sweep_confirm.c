/*
 * The best value of a sweep, chosen on the odd splits and compared on the even ones. The two halves share no split, so
 * the choice does not bias the second comparison. But splits of one data set share patterns, and both halves come from
 * the same data sets.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/comparisons/value_sweep.h"
#include "harness/program/memory.h"

static struct solver_choice half_of(const struct solver_choice *choice, enum choice_half half)
{
    struct solver_choice part = *choice;
    part.half = half;
    return part;
}

/* The logarithm of the ratio of costs on the odd splits; NAN if there is none. */
static enum status ratio_on_odd(const struct compare_options *options, const struct run_folders *runs,
                                const struct solver_choice *baseline, const struct solver_choice *candidate,
                                double *ratio, struct error *error)
{
    const struct solver_choice parts[ARMS] = {half_of(baseline, SPLITS_ODD), half_of(candidate, SPLITS_ODD)};
    const struct solver_choice *const choices[ARMS] = {&parts[BASELINE], &parts[CANDIDATE]};
    struct comparison comparison;
    enum status status = compare_runs(options, runs, choices, &comparison, error);
    *ratio = (double)NAN;
    if (status == STATUS_OK) {
        const struct finding finding = finding_of(&comparison);
        *ratio = finding.cost.n > 0 ? finding.cost.difference.estimate : (double)NAN;
    }
    compare_free(&comparison);
    return status == STATUS_NOT_FOUND ? STATUS_OK : status;
}

/* Chooses among the `count` choices of one sweep, and compares the best with the baseline on the even splits. */
static enum status pick(const struct compare_options *options, struct comparisons *comparisons,
                        const struct solver_choice *baseline, const struct solver_choice *values, size_t count,
                        struct error *error)
{
    struct comparisons *confirmed = comparisons->confirmed;
    struct sweep_pick best = {.baseline = baseline, .values = count, .log_ratio = (double)INFINITY};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        double ratio;
        status = ratio_on_odd(options, &comparisons->runs, baseline, &values[i], &ratio, error);
        if (ratio < best.log_ratio) {
            best.log_ratio = ratio;
            best.chosen = &values[i];
        }
    }
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
    return xasprintf("Of the %zu values of %s, %s costs least compared with %s on the odd splits (ratio %.3g). The "
                     "best value looks too good on the splits on which it was chosen. On the even splits, which were "
                     "not used for the choice: %s%s",
                     pick->values, pick->chosen->swept, value_of(pick->chosen), pick->baseline->text,
                     exp(pick->log_ratio), outcome, pick->is_compared ? "" : ".");
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
