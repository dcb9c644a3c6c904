/* From the figures to the finding: each condition that forbids a claim is looked at in turn. */
#include "harness/compare/decision.h"

#include <math.h>

const char *claim_name(enum claim claim)
{
    static const char *const names[CLAIM_COUNT] = {
        [CLAIM_ALIKE] = "alike",
        [CLAIM_LOWER] = "lower",
        [CLAIM_HIGHER] = "higher",
        [CLAIM_INTERVAL] = "interval contains 1",
        [CLAIM_TEST] = "test not significant",
        [CLAIM_OPPOSED] = "mean and signed ranks disagree",
        [CLAIM_FEW_SETS] = "too few data sets",
        [CLAIM_FEW_SPLITS] = "too few splits",
        [CLAIM_LOOSER] = "not the same accuracy",
        [CLAIM_UNENDED] = "did not converge",
        [CLAIM_NO_COST] = "no cost of both",
    };
    return (unsigned)claim < CLAIM_COUNT ? names[claim] : "unknown";
}

/* The larger, where both are known. */
static double larger(double p, double other)
{
    return isnan(other) ? p : fmax(p, other);
}

static enum claim of_interval(const struct finding *finding, double effect)
{
    if (!(finding->ratio.low > 1 || finding->ratio.high < 1))
        return CLAIM_INTERVAL;
    if (!(finding->p < CONTRAST_SIGNIFICANT))
        return CLAIM_TEST;
    if (contrast_opposed(effect, finding->ratio.estimate - 1))
        return CLAIM_OPPOSED;
    return finding->ratio.estimate < 1 ? CLAIM_LOWER : CLAIM_HIGHER;
}

/* The one case that has pairs, NULL where there are several. */
static const struct contrast_row *only_row(const struct compare_result *result, size_t n_cases)
{
    const struct contrast_row *only = NULL;
    for (size_t c = 0; c < n_cases; c++) {
        const struct contrast_row *row = &result->rows[c];
        if (row->n > 0 && only)
            return NULL;
        only = row->n > 0 ? row : only;
    }
    return only;
}

/* By the figures alone, whatever became of the pairs. */
static struct finding of_result(const struct compare_result *result, size_t n_cases)
{
    const struct contrast_row *row = only_row(result, n_cases);
    struct finding finding = {.over_datasets = !row};
    finding.ratio = row ? row->ratio : result->total.ratio;
    finding.p = row ? larger(row->p[CONTRAST_SIGNED_RANK], row->p[CONTRAST_CORRECTED_T]) : result->total.p;
    if (result->n_pairs == 0)
        finding.claim = CLAIM_NO_COST;
    else if (row && row->n < MIN_PAIRS_FOR_A_CLAIM)
        finding.claim = CLAIM_FEW_SPLITS;
    else if (!row && result->total.n < MIN_PAIRS_FOR_A_CLAIM)
        finding.claim = CLAIM_FEW_SETS;
    else
        finding.claim = of_interval(&finding, row ? row->effect : result->total.effect);
    return finding;
}

struct finding finding_of_fine(const struct comparison *comparison)
{
    return of_result(&comparison->fine, comparison->pairing.n_cases);
}

struct finding finding_of(const struct comparison *comparison)
{
    struct finding finding = of_result(&comparison->results[comparison->cost], comparison->pairing.n_cases);
    if (comparison->alike == comparison->compared)
        finding.claim = CLAIM_ALIKE;
    if (finding.claim != CLAIM_LOWER && finding.claim != CLAIM_HIGHER)
        return finding;
    size_t unended = comparison->unended[finding.claim == CLAIM_LOWER ? CANDIDATE : BASELINE];
    const struct finding fine = finding_of_fine(comparison);
    if (fine.claim != finding.claim || fine.over_datasets != finding.over_datasets)
        finding.claim = CLAIM_LOOSER;
    else if ((double)unended > FINDING_TOO_MANY * (double)comparison->pairing.n_pairs)
        finding.claim = CLAIM_UNENDED;
    return finding;
}
