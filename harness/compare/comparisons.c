/*
 * Comparisons that share a solver are dependent; Holm's adjustment is valid under any dependence. Cost, test error and
 * failures are separate questions, so each is a family, which has all statements that are made about it.
 */
#include "harness/compare/compare.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/json_writer.h"
#include "harness/config/config.h"
#include "harness/records/coverage.h"
#include "harness/records/plan_order.h"
#include "harness/stats/rank_tests.h"
#include "harness/stats/resampled_t.h"

/* ---- claims ---- */

/* Adjusts the rows of a result over all comparisons. */
static void adjust_rows(const struct comparisons *comparisons, int result)
{
    size_t all = 0, n = 0;
    for (size_t i = 0; i < comparisons->n; i++)
        all += comparisons->items[i].pairing.n_cases;
    struct estimate **rows = pool_array(comparisons->pool, all, sizeof *rows);
    for (size_t i = 0; i < comparisons->n; i++)
        for (size_t c = 0; c < comparisons->items[i].pairing.n_cases && comparisons->items[i].results[result].rows; c++)
            rows[n++] = &comparisons->items[i].results[result].rows[c];
    estimates_adjust(rows, n);
}

/* The effect's interval at level 1 - 0.05/k; that of a t test is widened by the ratio of the quantiles. */
static struct interval wider_interval(const struct comparison *comparison, const struct compare_result *result,
                                      const struct estimate *effect, size_t k)
{
    struct interval wide = effect->difference;
    double outside = (1 - CONTRAST_LEVEL) / (double)k;
    if (effect->over_datasets) {
        double *values = xcalloc(2 * comparison->pairing.n_cases + 1, sizeof *values);
        size_t n = compare_dataset_values(&comparison->pairing, result->rows,
                                          offsetof(struct estimate, difference.estimate), values);
        wide = shift_paired(values, values + comparison->pairing.n_cases, n, 1 - outside);
        free(values);
        if (wide.level < 1 - outside - 1e-12) /* too few data sets */
            wide = (struct interval){wide.estimate, -(double)INFINITY, (double)INFINITY, 1};
        return wide;
    }
    double degrees = (double)effect->n - 1;
    double ratio = gsl_cdf_tdist_Qinv(outside / 2, degrees) / gsl_cdf_tdist_Qinv((1 - CONTRAST_LEVEL) / 2, degrees);
    wide.low = wide.estimate - ratio * (wide.estimate - wide.low);
    wide.high = wide.estimate + ratio * (wide.high - wide.estimate);
    wide.level = 1 - outside;
    return wide;
}

/* The smallest difference, in units of the spread, that the test of an effect detects at this level. */
static double detectable_at(const struct estimate *effect, double level)
{
    return effect->over_datasets ? power_signed_rank(1, effect->n, level, CONTRAST_POWER)
                                 : power_t(1, effect->n, 0, level, CONTRAST_POWER);
}

/* Recomputes the claim of one of k statements, whose p is adjusted. */
static void claim_anew(const struct comparison *comparison, const struct compare_result *result, size_t k,
                       struct estimate *effect)
{
    effect->joint = wider_interval(comparison, result, effect, k);
    effect->claim = effect_claim(effect, effect->adjusted);
    effect_count_cases(result, comparison->pairing.n_cases, effect);
    if (isfinite(effect->detectable))
        effect->detectable *= detectable_at(effect, CONTRAST_SIGNIFICANT / (double)k) /
                              detectable_at(effect, CONTRAST_SIGNIFICANT);
}

/* OF_SET_UP: the cost with a set-up that does not matter, which no sentence mentions. If no run failed, the cost where
 * both converge is the cost, and in no family. */
enum family { OF_COST, OF_ERROR, OF_FAILURES, OF_SET_UP, FAMILIES };

static enum family family_of(struct comparison *comparison, int number)
{
    const struct finding *finding = &comparison->finding;
    const struct estimate *effect = finding_figure(comparison, number).effect;
    return effect == &finding->error      ? OF_ERROR
           : effect == &finding->failures ? OF_FAILURES
           : effect == &finding->start_up ? (finding->start_ups_matter ? OF_COST : OF_SET_UP)
           : effect == &finding->cost || comparison_fails(comparison) ? OF_COST
                                                                      : FAMILIES;
}

/* Adjusts the claims of a family over those that have a test; returns their number. */
static size_t adjust_family(const struct comparisons *comparisons, enum family family)
{
    const size_t all = comparisons->n * FINDING_FIGURES;
    struct estimate **effects = pool_array(comparisons->pool, all, sizeof *effects);
    size_t *places = pool_array(comparisons->pool, all, sizeof *places), k = 0;
    for (size_t i = 0; i < all; i++) {
        struct comparison *item = &comparisons->items[i / FINDING_FIGURES];
        const int number = (int)(i % FINDING_FIGURES);
        effects[k] = finding_figure(item, number).effect;
        places[k] = i;
        k += family_of(item, number) == family && effect_tested(effects[k]);
    }
    estimates_adjust(effects, k);
    for (size_t i = 0; i < k && k > 1; i++) {
        struct comparison *item = &comparisons->items[places[i] / FINDING_FIGURES];
        claim_anew(item, finding_figure(item, (int)(places[i] % FINDING_FIGURES)).result, k, effects[i]);
    }
    return k;
}

void comparisons_conclude(const struct comparisons *comparisons, const struct left_out *left_out)
{
    for (int result = 0; result < COMPARE_RESULTS && comparisons->n > 1; result++)
        adjust_rows(comparisons, result);
    for (size_t i = 0; i < comparisons->n; i++)
        comparisons->items[i].finding = finding_of(&comparisons->items[i]);
    size_t tests[FAMILIES];
    for (int family = 0; family < FAMILIES; family++)
        tests[family] = adjust_family(comparisons, (enum family)family);
    for (size_t i = 0; i < comparisons->n; i++) {
        struct comparison *item = &comparisons->items[i];
        item->finding.both_converged = comparison_fails(item) ? item->finding.both_converged : item->finding.cost;
        item->finding.family = comparisons->n;
        item->finding.of_cost = tests[OF_COST];
        item->finding.left_out = left_out;
        finding_conclude(item, &item->finding);
        item->sentence = finding_sentence(comparisons->pool, item, &item->finding);
        item->of_time = finding_time(comparisons->pool, item, &item->finding);
    }
}

/* ---- what is left out of the folders ----
 *
 * A solver, a setting or a data set chosen after a look at the results belongs to a family of tests that no adjustment
 * here knows, so the conclusion names its size. */

/* Whether a choice for this folder selects the record or, if `by_name` is nonzero, another one of its solver. */
static int is_chosen(const struct comparisons *comparisons, const struct run_folder *folder,
                     const struct record *record, int by_name)
{
    for (int s = 0; s < ARMS; s++) {
        const struct solver_choices *group = &comparisons->choices[s];
        if (folder != arms_folder(comparisons->runs, s))
            continue;
        for (size_t i = 0; i < group->count; i++)
            if (by_name ? strcmp(group->items[i].name, record->solver) == 0
                        : solver_choice_matches(&group->items[i], record))
                return 1;
        if (group->count == 0 && strcmp(comparisons->items[0].arms.solvers[s], record->solver) == 0)
            return 1;
    }
    return 0;
}

/* The settings of the compared solvers in the folder without a comparison. Each data set may have its own values, so a
 * solver's settings are those of the data set with the most. */
static size_t count_settings(const struct comparisons *comparisons, const struct run_folder *folder)
{
    struct pool *pool = comparisons->pool;
    const struct records *records = &folder->file.records;
    struct name_order settings = {.pool = pool}, of_datasets = {.pool = pool}, solvers = {.pool = pool};
    size_t *counts = pool_array(pool, 2 * records->count, sizeof *counts), *most = counts + records->count, all = 0;
    for (size_t r = 0; r < records->count; r++) {
        const struct record *record = records->items[r];
        const size_t known = settings.count;
        if (!is_chosen(comparisons, folder, record, 1) || is_chosen(comparisons, folder, record, 0) ||
            name_order_add(&settings, pool_printf(pool, "%s\n%s\n%s\n%s\n%s", record->dataset, record->solver,
                                                  record->params_text, record->kernel_text, record->stop_text)) < known)
            continue;
        const char *of = pool_printf(pool, "%s\n%s", record->dataset, record->solver);
        const size_t solver = name_order_add(&solvers, record->solver);
        if (++counts[name_order_add(&of_datasets, of)] > most[solver]) {
            most[solver]++;
            all++;
        }
    }
    return all;
}

/* The configuration's splits that --splits left out of the run; 0 if it was not given. */
static size_t count_splits(const struct run_folder *folder)
{
    const cJSON *splits = json_member(folder->config, "splits"),
                *folds = json_member(splits, "folds"),
                *repeats = json_member(splits, "repeats");
    struct pool *pool = pool_new();
    size_t n_all = 0, n_kept = 0, left = 0;
    char *printed = splits ? json_line(splits) : NULL; /* "1,2" and [1,2] are lists without their ends */
    const char *text = cJSON_IsObject(splits) ? pool_printf(pool, "1-%.0f", (folds ? folds->valuedouble : 10) *
                                                                                (repeats ? repeats->valuedouble : 1))
                       : splits               ? pool_strndup(pool, printed + 1, strlen(printed + 1) - 1)
                                              : "";
    const size_t *all = folder->run.splits ? number_list_parse(pool, text, MAX_SPLIT, &n_all) : NULL,
                 *kept = all ? number_list_parse(pool, folder->run.splits, MAX_SPLIT, &n_kept) : NULL;
    for (size_t i = 0, k = 0; kept && i < n_all; i++) {
        while (k < n_kept && kept[k] < all[i])
            k++;
        left += k == n_kept || kept[k] != all[i];
    }
    free(printed);
    pool_free(pool);
    return left;
}

static struct left_out left_out_count(const struct comparisons *comparisons)
{
    struct left_out left = {0};
    struct name_order compared = {.pool = comparisons->pool}, solvers = {.pool = comparisons->pool},
                      datasets = {.pool = comparisons->pool};
    for (size_t i = 0; i < comparisons->n; i++)
        for (size_t c = 0; c < comparisons->items[i].pairing.n_cases; c++)
            name_order_add(&datasets, comparisons->items[i].pairing.cases[c].dataset);
    const size_t paired = datasets.count;
    for (size_t f = 0; f < comparisons->runs->count; f++) {
        const struct run_folder *folder = &comparisons->runs->items[f];
        const size_t splits = count_splits(folder), shards = folder->run.shards > 1 ? folder->run.shards - 1 : 0;
        const cJSON *entry = NULL;
        for (size_t r = 0; r < folder->file.records.count; r++) {
            const struct record *record = folder->file.records.items[r];
            name_order_add(&datasets, record->dataset);
            name_order_add(&solvers, record->solver);
            if (is_chosen(comparisons, folder, record, 1))
                name_order_add(&compared, record->solver);
        }
        cJSON_ArrayForEach (entry, json_member(folder->config, "datasets")) {
            const char *name = config_entry_name(entry);
            if (name)
                name_order_add(&datasets, name);
        }
        left.settings += count_settings(comparisons, folder);
        left.splits = splits > left.splits ? splits : left.splits;
        left.shards = shards > left.shards ? shards : left.shards;
    }
    left.solvers = solvers.count - compared.count;
    left.datasets = datasets.count - paired;
    return left;
}

/* ---- all comparisons ---- */

static void omit(struct comparisons *comparisons, const char *baseline, const char *candidate, const char *reason)
{
    *pool_push(comparisons->pool, &comparisons->omitted) =
        (struct not_compared){.labels = {baseline, candidate}, .reason = reason};
}

/* Rejects a comparison if an earlier one has the same pairs: under another spelling (mu=0.1, mu=0.10), or because the
 * choices differ only in records without a partner. Each would double the p of the other. */
static void check_distinct(const struct comparisons *comparisons, const struct comparison *last)
{
    for (size_t i = 0; i < comparisons->n; i++) {
        const struct comparison *item = &comparisons->items[i];
        size_t p = 0;
        while (p < last->pairing.n_pairs && item->pairing.n_pairs == last->pairing.n_pairs &&
               memcmp(item->pairing.pairs[p].records, last->pairing.pairs[p].records,
                      sizeof last->pairing.pairs[p].records) == 0)
            p++;
        if (p == last->pairing.n_pairs)
            die(STATUS_BAD_INPUT,
                "%s against %s and %s against %s are the same %zu pairs, which would count twice; give one of them",
                item->arms.labels[CANDIDATE], item->arms.labels[BASELINE], last->arms.labels[CANDIDATE],
                last->arms.labels[BASELINE], last->pairing.n_pairs);
    }
}

/* Makes room for `capacity` comparisons. */
static struct comparisons *comparisons_new(struct pool *pool, const struct run_folders *runs, size_t capacity)
{
    struct comparisons *comparisons = pool_alloc(pool, sizeof *comparisons);
    *comparisons = (struct comparisons){
        .pool = pool, .runs = runs, .items = pool_array(pool, capacity, sizeof *comparisons->items)};
    return comparisons;
}

/* Adds a comparison, or an omission; the choices must outlive them. */
static void add(struct comparisons *comparisons, const struct compare_options *options,
                const struct solver_choice *const choices[ARMS])
{
    const struct comparison item = compare_runs(comparisons->pool, options, comparisons->runs, choices);
    if (item.obstacle) {
        omit(comparisons, item.arms.labels[BASELINE], item.arms.labels[CANDIDATE], item.obstacle);
        return;
    }
    check_distinct(comparisons, &item);
    comparisons->items[comparisons->n++] = item;
}

/* ---- the best value of a sweep ----
 *
 * It is chosen on every second data set and compared on the others. Splits of one data set share its patterns, and so
 * the peculiarities by which a value was chosen; data sets do not. */

static struct solver_choice choice_on(const struct solver_choice *choice, const struct name_order *datasets)
{
    struct solver_choice part = *choice;
    part.datasets = datasets;
    return part;
}

/* The logarithm of the ratio of costs on the data sets; NAN if there is none. Adds the records of the pairs. */
static double ratio_on(struct pool *pool, const struct compare_options *options, const struct run_folders *runs,
                       const struct name_order *datasets, const struct solver_choice *baseline,
                       const struct solver_choice *candidate, struct records *paired)
{
    const struct solver_choice parts[ARMS] = {choice_on(baseline, datasets), choice_on(candidate, datasets)};
    const struct solver_choice *const choices[ARMS] = {&parts[BASELINE], &parts[CANDIDATE]};
    const struct comparison comparison = compare_runs(pool, options, runs, choices);
    if (comparison.obstacle)
        return (double)NAN;
    for (size_t p = 0; p < comparison.pairing.n_pairs; p++)
        records_add(paired, comparison.pairing.pairs[p].records[CANDIDATE]);
    const struct finding finding = finding_of(&comparison);
    return finding.cost.n > 0 ? finding.cost.difference.estimate : (double)NAN;
}

/* Fills the two halves of the compared data sets: the second, fourth and so on, or the only one; and the others. */
static void halve_datasets(const struct comparisons *comparisons, struct name_order halves[2])
{
    struct name_order all = {.pool = comparisons->pool};
    for (size_t i = 0; i < comparisons->n; i++)
        for (size_t c = 0; c < comparisons->items[i].pairing.n_cases; c++)
            name_order_add(&all, comparisons->items[i].pairing.cases[c].dataset);
    for (size_t d = 0; d < all.count; d++)
        name_order_add(&halves[all.count > 1 && d % 2 == 0], all.names[d]);
}

/* Chooses among those of the `count` choices of one sweep that all have the same pairs, or the most, and compares the
 * best with the baseline on the other half of the data sets. */
static void pick(const struct compare_options *options, struct comparisons *comparisons,
                 const struct name_order halves[2], const struct solver_choice *baseline,
                 const struct solver_choice *values, size_t count)
{
    struct comparisons *confirmed = comparisons->confirmed;
    struct sweep_pick best = {.baseline = baseline,
                              .values = count,
                              .log_ratio = (double)INFINITY,
                              .sets = {halves[0].count, halves[1].count}};
    struct pool *pool = pool_new();
    struct records *paired = pool_array(pool, count, sizeof *paired);
    double *ratios = pool_array(pool, count, sizeof *ratios);
    for (size_t i = 0; i < count; i++) {
        paired[i].pool = pool;
        ratios[i] = ratio_on(pool, options, comparisons->runs, &halves[0], baseline, &values[i], &paired[i]);
    }
    const struct coverage coverage = coverage_of_records(pool, paired, count, 0);
    for (size_t i = 0; i < count; i++) {
        if (!coverage_is_full(&coverage, i))
            best.n_incomplete += paired[i].count > 0;
        else if (ratios[i] < best.log_ratio) {
            best.log_ratio = ratios[i];
            best.chosen = &values[i];
        }
    }
    pool_free(pool);
    if (!best.chosen && best.n_incomplete > 0)
        omit(comparisons, baseline->text, values[0].name,
             "no value of the sweep has all data sets and splits of the others, so none is chosen");
    if (!best.chosen)
        return;
    const struct solver_choice parts[ARMS] = {choice_on(baseline, &halves[1]), choice_on(best.chosen, &halves[1])};
    const size_t at = confirmed->n;
    if (halves[1].count > 0)
        add(confirmed, options, (const struct solver_choice *const[ARMS]){&parts[BASELINE], &parts[CANDIDATE]});
    if (confirmed->n > at)
        best.confirmed = &confirmed->items[at];
    else
        best.reason = halves[1].count > 0 ? confirmed->omitted.item[confirmed->omitted.count - 1].reason
                                          : "There is no other data set to confirm the choice";
    *pool_push(comparisons->pool, &comparisons->picks) = best;
}

static const char *sentence_of(struct pool *pool, const struct sweep_pick *pick)
{
    const char *incomplete =
        pick->n_incomplete ? pool_printf(pool, " (%zu left out, since they lack data sets or splits of others)",
                                         pick->n_incomplete)
                           : "";
    const char *others = pick->sets[1] ? pool_printf(pool, "On the other %zu data set%s: ", pick->sets[1],
                                                     pick->sets[1] == 1 ? "" : "s")
                                       : "";
    return pool_printf(pool,
                       "Of the %zu values of %s%s, %s costs least compared with %s on %zu data set%s (ratio %.3g). The "
                       "best value looks too good where it was chosen. %s%s%s",
                       pick->values, pick->chosen->swept, incomplete, sweep_value(pick->chosen), pick->baseline->text,
                       pick->sets[0], pick->sets[0] == 1 ? "" : "s", exp(pick->log_ratio), others,
                       pick->confirmed ? pick->confirmed->sentence : pick->reason, pick->confirmed ? "" : ".");
}

/* Fills picks and confirmed. */
static void sweep_confirm(const struct compare_options *options, struct comparisons *comparisons)
{
    const struct solver_choices *candidates = &comparisons->choices[CANDIDATE];
    const struct solver_choices *baselines = &comparisons->choices[BASELINE];
    struct name_order *halves = pool_array(comparisons->pool, 2, sizeof *halves);
    halves[0].pool = halves[1].pool = comparisons->pool;
    halve_datasets(comparisons, halves);
    comparisons->confirmed =
        comparisons_new(comparisons->pool, comparisons->runs, baselines->count * candidates->count);
    for (size_t c = 0, end; c < candidates->count; c = end) {
        end = sweep_end(candidates, c);
        for (size_t b = 0; b < baselines->count && candidates->items[c].sweep && end - c > 1; b++)
            pick(options, comparisons, halves, &baselines->items[b], &candidates->items[c], end - c);
    }
    comparisons_conclude(comparisons->confirmed, &comparisons->left_out);
    for (size_t i = 0; i < comparisons->picks.count; i++)
        comparisons->picks.item[i].sentence = sentence_of(comparisons->pool, &comparisons->picks.item[i]);
}

/* ---- the call ---- */

/* Choice i of a group; NULL if the option is absent. */
static const struct solver_choice *choice_at(const struct solver_choices *group, size_t i)
{
    return group->count == 0 ? NULL : &group->items[i];
}

static size_t count_of(const struct solver_choices *group)
{
    return group->count ? group->count : 1;
}

struct comparisons *comparisons_make(struct pool *pool, const struct compare_options *options)
{
    struct solver_choices choices[ARMS] = {{0}};
    for (int s = 0; s < ARMS; s++)
        if (options->solvers[s])
            choices[s] = solver_choices_read(pool, arm_options[s], options->solvers[s]);
    const struct run_folders *runs = arms_read_folders(pool, options->folders);
    for (int s = 0; s < ARMS; s++)
        choices[s] = sweep_expand(pool, arm_options[s], &arms_folder(runs, s)->file.records, &choices[s]);
    struct comparisons *comparisons =
        comparisons_new(pool, runs, count_of(&choices[BASELINE]) * count_of(&choices[CANDIDATE]));
    memcpy(comparisons->choices, choices, sizeof choices);
    for (size_t b = 0; b < count_of(&choices[BASELINE]); b++)
        for (size_t c = 0; c < count_of(&choices[CANDIDATE]); c++)
            add(comparisons, options,
                (const struct solver_choice *const[ARMS]){choice_at(&choices[BASELINE], b),
                                                          choice_at(&choices[CANDIDATE], c)});
    if (comparisons->n == 0)
        die(STATUS_NOT_FOUND, "%s", comparisons->omitted.item[0].reason);
    comparisons->left_out = left_out_count(comparisons);
    comparisons_conclude(comparisons, &comparisons->left_out);
    sweep_confirm(options, comparisons);
    return comparisons;
}
