/*
 * From the statistics to the claims. Significance, interval and direction come from one test: the signed-rank test with
 * the Hodges-Lehmann estimate over data sets, the corrected t test for one case. A difference is
 *     negligible    if the interval is within the margin: each side is then rejected at 2.5 %,
 *     lower, higher if p is below 5 %, the interval excludes 0, and the estimate is beyond the margin,
 *     slightly so   if the estimate is within the margin and the interval is not,
 *     undecided     otherwise.
 * For failures only p decides, and the direction is that of the ranks.
 */
#include "harness/compare/compare.h"

#include <math.h>

const char *const claim_names[CLAIM_COUNT] = {
    [CLAIM_ALIKE] = "alike",
    [CLAIM_LOWER] = "lower",
    [CLAIM_HIGHER] = "higher",
    [CLAIM_SLIGHTLY_LOWER] = "slightly lower",
    [CLAIM_SLIGHTLY_HIGHER] = "slightly higher",
    [CLAIM_NEGLIGIBLE] = "negligible",
    [CLAIM_UNDECIDED] = "undecided",
    [CLAIM_FEW_SETS] = "too few data sets",
    [CLAIM_FEW_SPLITS] = "too few splits",
    [CLAIM_UNTESTED] = "sizes of splits unknown",
    [CLAIM_LOOSER] = "accuracy differs",
    [CLAIM_FAILURES] = "depends on failures",
    [CLAIM_APART] = "problems differ",
    [CLAIM_NO_VALUE] = "no value of both",
};

int claim_sign(enum compare_claim claim)
{
    return (claim == CLAIM_HIGHER || claim == CLAIM_SLIGHTLY_HIGHER) -
           (claim == CLAIM_LOWER || claim == CLAIM_SLIGHTLY_LOWER);
}

/* The only case with pairs; NULL if there are several or none. */
static const struct estimate *only_row(const struct compare_result *result, size_t n_cases)
{
    const struct estimate *only = NULL;
    for (size_t c = 0; c < n_cases; c++) {
        const struct estimate *row = &result->rows[c];
        if (row->n > 0 && only)
            return NULL;
        only = row->n > 0 ? row : only;
    }
    return only;
}

int effect_tested(const struct estimate *effect)
{
    return effect->n >= MIN_PAIRS_FOR_A_CLAIM && !isnan(effect->adjusted);
}

enum compare_claim effect_claim(const struct estimate *effect, double p)
{
    const struct interval *difference = &effect->difference, *joint = &effect->joint;
    if (effect->n == 0)
        return CLAIM_NO_VALUE;
    if (effect->n < MIN_PAIRS_FOR_A_CLAIM)
        return effect->over_datasets ? CLAIM_FEW_SETS : CLAIM_FEW_SPLITS;
    if (isnan(p))
        return CLAIM_UNTESTED;
    if (effect->rates && p < CONTRAST_SIGNIFICANT)
        return effect->direction < 0 ? CLAIM_LOWER : CLAIM_HIGHER;
    if (effect->rates)
        return effect->direction == 0 && effect->mean.estimate == 0 ? CLAIM_NEGLIGIBLE : CLAIM_UNDECIDED;
    if (joint->low >= -effect->margin && joint->high <= effect->margin)
        return CLAIM_NEGLIGIBLE;
    if (!(p < CONTRAST_SIGNIFICANT) || !(difference->low > 0 || difference->high < 0))
        return CLAIM_UNDECIDED;
    if (fabs(difference->estimate) <= effect->margin)
        return difference->estimate < 0 ? CLAIM_SLIGHTLY_LOWER : CLAIM_SLIGHTLY_HIGHER;
    return difference->estimate < 0 ? CLAIM_LOWER : CLAIM_HIGHER;
}

/* A statement on single cases beside an undecided one over data sets is held to 1 %, so that the two together are false
 * in at most 6 %. Once the other is decided, the cases are a family of their own. */
double effect_level_of_cases(const struct estimate *effect)
{
    return effect_tested(effect) && !(effect->adjusted < CONTRAST_SIGNIFICANT) ? 0.01 : CONTRAST_SIGNIFICANT;
}

void effect_count_cases(const struct compare_result *result, size_t n_cases, struct estimate *effect)
{
    effect->cases = effect->tested = effect->small = effect->lower = effect->higher = 0;
    for (size_t c = 0; c < n_cases; c++) {
        const struct estimate *row = &result->rows[c];
        double estimate = row->difference.estimate;
        effect->cases += (size_t)(row->n > 0);
        effect->tested += (size_t)!isnan(row->adjusted);
        if (!(row->adjusted < effect_level_of_cases(effect)))
            continue;
        effect->small += (size_t)(fabs(estimate) <= effect->margin);
        effect->lower += (size_t)(estimate < -effect->margin);
        effect->higher += (size_t)(estimate > effect->margin);
    }
}

struct estimate effect_of(const struct compare_result *result, size_t n_cases, double margin)
{
    const struct estimate *row = only_row(result, n_cases);
    struct estimate effect = row ? *row : result->total;
    effect.over_datasets = !row;
    effect.margin = margin;
    effect.adjusted = effect.p; /* not over the cases */
    effect.joint = effect.difference;
    effect_count_cases(result, n_cases, &effect);
    effect.claim = effect_claim(&effect, effect.p);
    return effect;
}

/* For one case, its ratio. Over data sets the mean can hide what most of them show, and the Hodges-Lehmann estimate
 * what a few do. So take the one that favours the cheaper arm less; `sign` names it, 0 if neither is cheaper. */
static double gap_ratio_of(const struct comparison *comparison, int sign)
{
    const struct estimate gaps = effect_of(&comparison->results[FIELD_DUALITY_GAP], comparison->pairing.n_cases, 0);
    const double mean = gaps.mean.estimate, shift = gaps.difference.estimate;
    if (gaps.n == 0)
        return (double)NAN;
    if (sign == 0)
        return exp(fabs(shift) > fabs(mean) ? shift : mean);
    return exp(sign > 0 ? fmin(mean, shift) : fmax(mean, shift));
}

/* How many more iterations a smaller gap takes is not known: the 1/t of conditional gradient methods (Jaggi 2013)
 * bounds their gap from above, so a run may need more than g times as many for a gap g times as small. Costs at unlike
 * gaps are therefore compared only if the cheaper arm has the smaller ones. */
void finding_conclude(const struct comparison *comparison, struct finding *finding)
{
    const int sign = claim_sign(finding->cost.claim), of_ended = claim_sign(finding->both_converged.claim);
    const int cheaper = sign ? sign : of_ended; /* cost on pairs where both converge is a claim too */
    const int equal_gaps =
        comparison->equal_by_rule || (comparison->targets.used && comparison->cost != MEASURE_SECONDS);
    finding->gap_ratio = gap_ratio_of(comparison, cheaper);
    finding->accuracy_differs = !equal_gaps && fabs(log(finding->gap_ratio)) > log(comparison->options.gap_factor);
    finding->claim = comparison->alike == comparison->pairing.n_pairs ? CLAIM_ALIKE : finding->cost.claim;
    if (comparison->marks[PAIR_APART] > 0 && finding->claim != CLAIM_ALIKE)
        finding->claim = CLAIM_APART;
    else if (sign * of_ended < 0 || (comparison_fails(comparison) && sign * finding->cost.mean.estimate < 0))
        finding->claim = CLAIM_FAILURES;
    else if (finding->accuracy_differs &&
             (cheaper ? cheaper * log(finding->gap_ratio) < 0 : finding->claim == CLAIM_NEGLIGIBLE))
        finding->claim = CLAIM_LOOSER;
}

int effect_is_unlike(const struct estimate *other, const struct estimate *cost)
{
    return fabs(other->difference.estimate - cost->difference.estimate) > cost->margin;
}

int comparison_fails(const struct comparison *comparison)
{
    return comparison->failed[BASELINE] + comparison->failed[CANDIDATE] > 0;
}

struct finding finding_of(const struct comparison *comparison)
{
    const struct compare_options *options = &comparison->options;
    const size_t n_cases = comparison->pairing.n_cases;
    const double margin = log1p(options->cost_margin / 100);
    struct finding finding = {
        .cost = effect_of(&comparison->results[comparison->cost], n_cases, margin),
        .both_converged = effect_of(&comparison->results[COMPARE_BOTH_CONVERGED], n_cases, margin),
        .error = effect_of(&comparison->results[FIELD_ERROR], n_cases, options->error_margin),
        .failures = effect_of(&comparison->results[COMPARE_FAILURES], n_cases, 0),
    };
    finding.failures.rates = 1;
    finding.failures.claim = effect_claim(&finding.failures, finding.failures.adjusted);
    if (comparison->cost == FIELD_KERNEL_OPERATIONS)
        finding.start_up = effect_of(&comparison->results[MEASURE_ALL_OPERATIONS], n_cases, margin);
    finding.start_ups_matter = finding.start_up.n > 0 &&
                               (effect_is_unlike(&finding.start_up, &finding.cost) ||
                                claim_sign(finding.start_up.claim) != claim_sign(finding.cost.claim));
    if (comparison->cost != MEASURE_SECONDS)
        finding.time = effect_of(&comparison->results[MEASURE_SECONDS], n_cases, margin);
    finding_conclude(comparison, &finding);
    return finding;
}

struct finding_figure finding_figure(struct comparison *comparison, int number)
{
    const struct compare_result *results = comparison->results;
    struct finding *finding = &comparison->finding;
    const struct finding_figure figures[FINDING_FIGURES] = {
        {"cost", comparison->cost, &results[comparison->cost], &finding->cost},
        {"cost_where_both_converged", comparison->cost, &results[COMPARE_BOTH_CONVERGED], &finding->both_converged},
        {"error", FIELD_ERROR, &results[FIELD_ERROR], &finding->error},
        {"failures", COMPARE_FAILURES, &results[COMPARE_FAILURES], &finding->failures},
        {"cost_with_setup", MEASURE_ALL_OPERATIONS, &results[MEASURE_ALL_OPERATIONS], &finding->start_up}};
    return figures[number];
}
