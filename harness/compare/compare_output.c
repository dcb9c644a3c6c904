/*
 * The files of comparisons, and the same for a person. Costs of the candidate are shown as multiples of the baseline's,
 * errors as they are. Numbers whose last digits may depend on the math library are written with six digits.
 */
#include <math.h>
#include <unistd.h>

#include "harness/base/json_writer.h"
#include "harness/base/terminal.h"
#include "harness/compare/compare.h"
#include "harness/format/result.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"

/* Times depend on the machine and all other results do not, so times go to separate files. */
enum part { COUNTS, TIMES, PARTS };
static const char *const names[PARTS] = {[COUNTS] = "compare", [TIMES] = "compare-time"};

static int is_of(enum part part, size_t measure)
{
    return compare_has(measure) && (measure == MEASURE_SECONDS) == (part == TIMES);
}

double compare_shown_value(size_t measure, double difference)
{
    return measure_is_ratio(measure) ? exp(difference) : difference;
}

struct interval compare_shown(size_t measure, const struct interval *difference)
{
    return (struct interval){compare_shown_value(measure, difference->estimate),
                             compare_shown_value(measure, difference->low),
                             compare_shown_value(measure, difference->high), difference->level};
}

/* ---- for programs: what the estimates of a case, of a measure and of a conclusion have in common ---- */

#define ESTIMATE                                                                                                \
    "#n\t#baseline_mean\t#solver_mean\t#6effect\t#6effect_low\t#6effect_high\t#6median\t#6of_means\t#6p\t"      \
    "#6p_adjusted\t#6p_lower\t#6p_equivalent\t#6p_higher\t#6detectable\t#6effect_level"

static void put_estimate(struct result *data, size_t measure, const struct estimate *estimate)
{
    const struct interval effect = compare_shown(measure, &estimate->difference);
    const struct bayes_posterior *posterior = &estimate->posterior;
    result_numbers(data, 1, (double)estimate->n, estimate->means[BASELINE], estimate->means[CANDIDATE],
                   effect.estimate, effect.low, effect.high, compare_shown_value(measure, estimate->median),
                   compare_shown_value(measure, estimate->of_means), estimate->p, estimate->adjusted, posterior->lower,
                   posterior->equivalent, posterior->higher, compare_shown_value(measure, estimate->detectable),
                   effect.level);
}

/* A row for each measure and case. */
static struct result cases_of(struct pool *pool, const struct comparison *comparison, enum part part)
{
    struct result data = {.pool = pool, .name = names[part]};
    result_columns(&data, "metric\tdataset\tsettings\t" ESTIMATE);
    data.columns.item[4].digits = data.columns.item[5].digits = 15;
    for (size_t m = 0; m < MEASURES; m++)
        for (size_t c = 0; c < comparison->pairing.n_cases && is_of(part, m); c++)
            if (comparison->results[m].rows[c].n > 0) {
                result_row(&data, "%s\t%s\t%s", compare_key(m), comparison->pairing.cases[c].dataset,
                           comparison->pairing.cases[c].settings);
                put_estimate(&data, m, &comparison->results[m].rows[c]);
            }
    return data;
}

/* A row over data sets for each measure. */
static void add_totals(struct result *data, const struct comparison *comparison, enum part part)
{
    struct result *totals = result_part(data, "totals", "metric\tunit\t#pairs\t" ESTIMATE
                                                        "\t#6mean\t#6mean_low\t#6mean_high\t#6mean_level");
    for (size_t m = 0; m < MEASURES; m++)
        if (is_of(part, m)) {
            const struct compare_result *result = &comparison->results[m];
            const struct interval mean = compare_shown(m, &result->total.mean);
            result_row(totals, "%s\t%s\t%zu", compare_key(m), measure_is_ratio(m) ? "ratio" : "points",
                       result->n_pairs);
            put_estimate(totals, m, &result->total);
            result_numbers(totals, 1, mean.estimate, mean.low, mean.high, mean.level);
        }
}

/* A row for each figure of the findings of n comparisons. */
#define FIGURES                                                                                                 \
    "#comparison\tbaseline\tsolver\tfigure\tmetric\tclaim\tover\t" ESTIMATE                                      \
    "\t#6mean\t#6margin\t#tested\t#lower\t#higher\t#within_margin"

static void put_figures(struct result *data, struct comparison *items, size_t n)
{
    for (size_t i = 0; i < n * FINDING_FIGURES; i++) {
        struct comparison *comparison = &items[i / FINDING_FIGURES];
        const struct finding_figure figure = finding_figure(comparison, (int)(i % FINDING_FIGURES));
        const struct estimate *effect = figure.effect;
        if (effect == &comparison->finding.start_up && effect->n == 0)
            continue;
        result_row(data, "%zu\t%s\t%s\t%s\t%s\t%s\t%s", i / FINDING_FIGURES + 1, comparison->arms.labels[BASELINE],
                   comparison->arms.labels[CANDIDATE], figure.key, compare_key(figure.measure),
                   claim_names[effect->claim], effect->over_datasets ? "data sets" : "splits");
        put_estimate(data, figure.measure, effect);
        result_numbers(data, 1, compare_shown_value(figure.measure, effect->mean.estimate),
                       compare_shown_value(figure.measure, effect->margin), (double)effect->tested,
                       (double)effect->lower, (double)effect->higher, (double)effect->small);
    }
}

static void add_marked(struct result *data, const struct pairing *pairing)
{
    struct result *marked =
        result_part(data, "marked", "dataset\tsettings\t#split\tmark\tbaseline.outcome\t#baseline.objective\t"
                                    "#baseline.duality_gap\tsolver.outcome\t#solver.objective\t#solver.duality_gap");
    for (size_t c = 0; c < pairing->n_cases; c++)
        for (size_t p = 0; p < pairing->cases[c].count; p++) {
            const struct pair *pair = &pairing->pairs[pairing->cases[c].first + p];
            if (pair->mark == PAIR_FINE)
                continue;
            result_row(marked, "%s\t%s\t%zu\t%s", pairing->cases[c].dataset, pairing->cases[c].settings,
                       pair->records[BASELINE]->split, pair_mark_names[pair->mark]);
            for (int s = 0; s < ARMS; s++) {
                result_text(marked, "%s", pair->records[s]->outcome);
                result_number(marked, pair->records[s]->field[FIELD_OBJECTIVE]);
                result_number(marked, pair->records[s]->field[FIELD_DUALITY_GAP]);
            }
        }
}

static void put_left_out(cJSON *facts, const struct left_out *left)
{
    const struct json_number numbers[] = {
        {"solvers", (double)left->solvers}, {"settings", (double)left->settings}, {"datasets", (double)left->datasets},
        {"splits", (double)left->splits}, {"shards", (double)left->shards}};
    json_put_numbers(json_put_object(facts, "left_out"), numbers, sizeof numbers / sizeof *numbers);
}

static void put_facts(cJSON *facts, const struct comparison *comparison)
{
    static const char *const problems[] = {"same", "one-svm", "different", "unknown"};
    const struct finding *finding = &comparison->finding;
    const struct compare_options *options = &comparison->options;
    const struct pairing *pairing = &comparison->pairing;
    const struct json_number numbers[] = {
        {"penalty", options->penalty}, {"cost_margin_percent", options->cost_margin},
        {"error_margin_points", options->error_margin}, {"gap_factor", options->gap_factor},
        {"pairs", (double)pairing->n_pairs}, {"baseline_failed", (double)comparison->failed[BASELINE]},
        {"solver_failed", (double)comparison->failed[CANDIDATE]}, {"both_failed", (double)comparison->both_failed},
        {"alike", (double)comparison->alike}, {"zero_costs", (double)comparison->zeros},
        {"baseline_alone", (double)pairing->alone[BASELINE]}, {"solver_alone", (double)pairing->alone[CANDIDATE]}};
    json_put_text(facts, "problems", problems[comparison->problems]);
    json_put_bool(facts, "equal_targets", comparison->targets.used);
    json_put_bool(facts, "equal_by_rule", comparison->equal_by_rule);
    json_put_numbers(facts, numbers, sizeof numbers / sizeof *numbers);
    json_put_text(facts, "claim", claim_names[finding->claim]);
    json_put_rounded(facts, "gap_ratio", finding->gap_ratio);
    json_put_bool(facts, "accuracy_differs", finding->accuracy_differs);
    json_put_text(facts, "sentence", comparison->sentence);
    if (finding->left_out)
        put_left_out(facts, finding->left_out);
}

/* ---- for readers: one comparison ---- */

static void put_difference(struct result *page, size_t measure, const struct interval *difference)
{
    const struct interval shown = compare_shown(measure, difference);
    result_interval(page, 3, &shown);
}

static void put_text(struct result *page, int is_known, const char *text)
{
    result_text(page, "%s", is_known ? text : "–");
}

/* "0.97/0.03/0.00" */
static void put_posterior(struct result *page, const struct bayes_posterior *posterior)
{
    put_text(page, isfinite(posterior->lower),
             pool_printf(page->pool, "%.2f/%.2f/%.2f", posterior->lower, posterior->equivalent, posterior->higher));
}

static void put_case(struct result *page, const struct pair_case *at)
{
    result_text(page, "%s%s%s", at->dataset, *at->settings ? ", " : "", at->settings);
}

static size_t failed_in(const struct comparison *comparison, const struct pair_case *at, enum arm arm)
{
    size_t failed = 0;
    for (size_t p = at->first; p < at->first + at->count; p++)
        failed += !pair_converged(&comparison->pairing.pairs[p], arm);
    return failed;
}

/* The row of case `c`, or that over data sets if there is no such case. */
static void row_of_counts(const struct comparison *comparison, size_t c, struct result *page)
{
    const int is_total = c == comparison->pairing.n_cases;
    const struct estimate *of[MEASURES];
    for (size_t m = 0; m < MEASURES; m++)
        of[m] = is_total || !compare_has(m) ? &comparison->results[m].total : &comparison->results[m].rows[c];
    const struct estimate *error = of[FIELD_ERROR], *operations = of[FIELD_KERNEL_OPERATIONS];
    if (is_total) {
        result_row(page, "all\t%zu\t%zu, %zu", comparison->pairing.n_pairs, comparison->failed[BASELINE],
                   comparison->failed[CANDIDATE]);
        put_text(page, error->n > 0, pool_printf(page->pool, "%+.2f", error->difference.estimate));
    } else {
        const struct pair_case *at = &comparison->pairing.cases[c];
        put_case(page, at);
        result_row(page, "%zu\t%zu, %zu", at->count, failed_in(comparison, at, BASELINE),
                   failed_in(comparison, at, CANDIDATE));
        put_text(page, error->n > 0,
                 pool_printf(page->pool, "%.2f, %.2f", error->means[BASELINE], error->means[CANDIDATE]));
    }
    result_p(page, error->adjusted);
    result_number(page, exp(of[FIELD_SUPPORT_VECTORS]->difference.estimate));
    result_number(page, exp(of[FIELD_DUALITY_GAP]->difference.estimate));
    result_number(page, exp(of[FIELD_ITERATIONS]->difference.estimate));
    result_p(page, of[FIELD_ITERATIONS]->adjusted);
    put_difference(page, FIELD_KERNEL_OPERATIONS, &operations->difference);
    result_p(page, operations->adjusted);
    put_posterior(page, &operations->posterior);
}

/* "In all, test error (13 data sets): 95.2 % interval -0.1 to 0.2 points; probabilities of lower, ..." */
static void note_of_effect(const struct estimate *effect, size_t measure, double margin, struct result *page)
{
    const int is_ratio = measure_is_ratio(measure);
    const char *unit = is_ratio ? "" : " points";
    if (!isfinite(effect->posterior.lower) || !isfinite(effect->detectable))
        return;
    result_note(page,
                "In all, %s (%zu %s): %.3g %% interval %.3g to %.3g%s; probabilities of lower, within %g%s, higher: "
                "%.2f, %.2f, %.2f; found with probability 0.8: %s%.3g%s.",
                measure_row(measure)->title, effect->n, effect->over_datasets ? "data sets" : "splits",
                100 * effect->difference.level, compare_shown_value(measure, effect->difference.low),
                compare_shown_value(measure, effect->difference.high), unit, margin, is_ratio ? " %" : " points",
                effect->posterior.lower, effect->posterior.equivalent, effect->posterior.higher,
                is_ratio ? "a factor of " : "", compare_shown_value(measure, effect->detectable), unit);
}

/* What the columns are. */
static void legend_of_counts(const struct comparison *comparison, struct result *page)
{
    const struct compare_options *options = &comparison->options;
    const char *baseline = comparison->arms.labels[BASELINE], *candidate = comparison->arms.labels[CANDIDATE];
    const int several = comparison->pairing.n_datasets > 1; /* then there is a row "all" */
    result_note(page,
                "Failed: runs of %s, then of %s, that did not converge. Each costs %g times the largest cost of its "
                "row, and the costs of a row with such runs are compared by the ratio of their means.",
                baseline, candidate, options->penalty);
    result_note(page,
                "Error: means of %s, then of %s, where both converged%s. All other numbers are ratios, %s divided by "
                "%s: in a row the geometric mean over splits%s. Kernel operations exclude the set-up.",
                baseline, candidate, several ? "; in the row \"all\", the typical difference" : "", candidate,
                baseline, several ? ", in the row \"all\" the Hodges-Lehmann estimate over data sets" : "");
    result_note(page,
                "Intervals, each with its level if it is not 95 %%, and p: in a row from the t test corrected for "
                "splits that overlap, with p adjusted by Holm over the rows%s. lower/equal/higher: probabilities that "
                "the ratio of kernel operations is below, within and above a margin of %g %%.",
                several ? "; in the row \"all\" from the signed-rank test over data sets" : "",
                options->cost_margin);
}

static void notes_of_counts(const struct comparison *comparison, const char *note, int legend, struct result *page)
{
    const struct compare_options *options = &comparison->options;
    const struct finding *finding = &comparison->finding;
    const int several = comparison->pairing.n_datasets > 1;
    if (*note)
        result_note(page, "%s", note);
    if (legend)
        legend_of_counts(comparison, page);
    if (comparison->targets.used)
        result_note(page, "Iterations and kernel operations are those to reach the larger of the two gaps.");
    note_of_effect(&finding->cost, comparison->cost, options->cost_margin, page);
    note_of_effect(&finding->error, FIELD_ERROR, options->error_margin, page);
    if (finding->family > 1)
        result_note(page,
                    "This is one of %zu comparisons: the p of a row is adjusted over the rows of all comparisons.%s",
                    finding->family,
                    several ? " The p in the row \"all\" is not adjusted; that in the conclusion is." : "");
    else if (finding->of_cost > 1 && several)
        result_note(page, "The p of cost in the row \"all\" is not adjusted; those in the conclusion are.");
}

static void fill_times(const struct comparison *comparison, struct result *page)
{
    const struct compare_result *result = &comparison->results[MEASURE_SECONDS];
    result_columns(page, "data set\t#pairs\t#baseline (s)\t#solver (s)\t#ratio\t#p");
    for (size_t c = 0; c < comparison->pairing.n_cases; c++) {
        const struct estimate *row = &result->rows[c];
        put_case(page, &comparison->pairing.cases[c]);
        result_number(page, (double)row->n);
        result_number(page, row->means[BASELINE]);
        result_number(page, row->means[CANDIDATE]);
        put_difference(page, MEASURE_SECONDS, &row->difference);
        result_p(page, row->adjusted);
    }
    if (comparison->pairing.n_datasets > 1) {
        result_row(page, "all\t%zu\t–\t–", result->n_pairs);
        put_difference(page, MEASURE_SECONDS, &result->total.difference);
        result_p(page, result->total.p);
    }
    result_note(page,
                "Times depend on the machine and its load; they are %s, without shared kernel matrices. A run that did "
                "not converge counts with the penalty.",
                comparison->pairing.pairs[0].records[BASELINE]->cpu.repeats > 0
                    ? "medians of the solvers' processor time over repeats"
                    : "elapsed times of single runs of the solvers");
    if (*comparison->of_time)
        result_note(page, "%s", comparison->of_time);
}

/* The table for readers. */
static struct result page_of(struct pool *pool, const struct comparison *comparison, const char *note, int legend,
                             enum part part)
{
    struct result page = {.pool = pool, .name = names[part]};
    result_title(&page, "%s%s against %s", part == TIMES ? "Times: " : "", comparison->arms.labels[CANDIDATE],
                 comparison->arms.labels[BASELINE]);
    if (part == TIMES) {
        fill_times(comparison, &page);
        return page;
    }
    result_columns(&page, "data set\t-#pairs\tfailed\terror (%)\t-#p\t-#3support vectors\t-#3gap\t-#3iterations\t-#p\t"
                          "#kernel operations\t#p\t-lower/equal/higher");
    /* the row over data sets is omitted if there is only one */
    for (size_t c = 0; c < comparison->pairing.n_cases + (comparison->pairing.n_datasets > 1); c++)
        row_of_counts(comparison, c, &page);
    notes_of_counts(comparison, note, legend, &page);
    return page;
}

/* ---- files ---- */

static const char *const endings[] = {"md", "tex", "csv", "json"};

static void remove_part(struct pool *pool, enum part part, const char *folder)
{
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        file_remove(folder, pool_printf(pool, "%s.%s", names[part], endings[i]));
}

static void remove_figures(struct pool *pool, const char *folder)
{
    const char *plots = pool_printf(pool, "%s/plots", folder);
    file_remove_all(plots, "compare.", "");
    file_remove_all(plots, "compare-sweep", "");
}

/* Removes each of FOLDER/compare-FIRST and its successors up to the first gap, with the folders that become empty. */
static void remove_several(struct pool *pool, const char *folder, size_t first)
{
    const char *path;
    while (access(path = pool_printf(pool, "%s/compare-%zu", folder, first++), F_OK) == 0) {
        remove_part(pool, COUNTS, path); /* folders with other files stay */
        remove_part(pool, TIMES, path);
        remove_figures(pool, path);
        rmdir(pool_printf(pool, "%s/plots", path));
        file_try_remove(path, ".lock");
        rmdir(path);
    }
}

static int has_part(const struct comparison *comparison, enum part part)
{
    return part == COUNTS || comparison->results[MEASURE_SECONDS].n_pairs > 0;
}

static void write_one(struct pool *pool, struct comparison *comparison, const char *note, const char *folder,
                      struct figure_sink *sink)
{
    struct folder_lock lock = {0};
    folder_make(folder);
    folder_lock_take(&lock, folder);
    for (int p = 0; p < PARTS; p++) {
        const enum part part = (enum part)p;
        if (!has_part(comparison, part)) {
            remove_part(pool, part, folder);
            continue;
        }
        struct result page = page_of(pool, comparison, note, 1, part), data = cases_of(pool, comparison, part);
        json_put_text(result_facts(&page), "baseline", comparison->arms.labels[BASELINE]);
        json_put_text(result_facts(&page), "solver", comparison->arms.labels[CANDIDATE]);
        add_totals(&data, comparison, part);
        if (part == COUNTS) {
            put_facts(result_facts(&page), comparison);
            put_figures(result_part(&data, "finding", FIGURES), comparison, 1);
            add_marked(&data, &comparison->pairing);
            result_note(&page, "%s", comparison->sentence);
        }
        result_write_files(&page, &data, folder);
    }
    remove_figures(pool, folder);
    compare_figure_write(pool, comparison, folder, sink);
    folder_lock_release(&lock);
}

/* ---- several comparisons: a table with a row for each, or the reason if two solvers cannot be compared ---- */

static struct result joint_page(const struct comparisons *comparisons, const char *note)
{
    struct result page = {.pool = comparisons->pool, .name = names[COUNTS]};
    result_columns(&page, "solver\tagainst\t-#pairs\t-failed\tclaim\t-cost\t#ratio\t#p\t-lower/equal/higher\t"
                          "-#error (%)\t-#p");
    result_title(&page, "%zu comparisons", comparisons->n + comparisons->omitted.count);
    for (size_t i = 0; i < comparisons->n; i++) {
        const struct comparison *comparison = &comparisons->items[i];
        const struct estimate *cost = &comparison->finding.cost, *error = &comparison->finding.error;
        result_row(&page, "%s\t%s\t%zu\t%zu, %zu\t%s\t%s", comparison->arms.labels[CANDIDATE],
                   comparison->arms.labels[BASELINE], comparison->pairing.n_pairs, comparison->failed[BASELINE],
                   comparison->failed[CANDIDATE], claim_names[comparison->finding.claim],
                   measure_row(comparison->cost)->title);
        put_difference(&page, comparison->cost, &cost->difference);
        result_p(&page, effect_tested(cost) ? cost->adjusted : (double)NAN);
        put_posterior(&page, &cost->posterior);
        if (error->n == 0)
            result_none(&page);
        else
            result_interval(&page, 2, &error->difference);
        result_p(&page, effect_tested(error) ? error->adjusted : (double)NAN);
    }
    for (size_t i = 0; i < comparisons->omitted.count; i++) {
        const struct not_compared *omitted = &comparisons->omitted.item[i];
        result_row(&page, "%s\t%s\t–\t–\tcannot be compared\t–\t–\t–\t–\t–\t–", omitted->labels[CANDIDATE],
                   omitted->labels[BASELINE]);
        result_note(&page, "%s and %s cannot be compared: %s.", omitted->labels[CANDIDATE], omitted->labels[BASELINE],
                    omitted->reason);
    }
    if (*note)
        result_note(&page, "%s", note);
    result_note(&page,
                "Each p is adjusted by Holm over the %zu comparisons%s; claims use the adjusted p. Intervals, each "
                "with its level if it is not 95 %%, and lower/equal/higher, the probabilities that the ratio is below, "
                "within and above the margin, are not adjusted. Failed: runs of the baseline, then of the solver, that "
                "did not converge.",
                comparisons->n,
                comparisons->n && comparisons->items[0].finding.of_cost > comparisons->n
                    ? pool_printf(page.pool, " (that of cost over %zu statements)",
                                  comparisons->items[0].finding.of_cost)
                    : "");
    return page;
}

/* A row for each figure of each finding and, in JSON, the conclusions. */
static struct result joint_data(const struct comparisons *comparisons)
{
    struct result data = {.pool = comparisons->pool};
    result_columns(&data, FIGURES);
    put_figures(&data, comparisons->items, comparisons->n);
    struct result *list = result_part(&data, "comparisons",
                                      "folder\tbaseline\tsolver\tclaim\t#6gap_ratio\t?accuracy_differs\tsentence");
    for (size_t i = 0; i < comparisons->n; i++) {
        const struct comparison *item = &comparisons->items[i];
        result_row(list, "compare-%zu\t%s\t%s\t%s", i + 1, item->arms.labels[BASELINE], item->arms.labels[CANDIDATE],
                   claim_names[item->finding.claim]);
        result_number(list, item->finding.gap_ratio);
        result_number(list, item->finding.accuracy_differs);
        result_text(list, "%s", item->sentence);
    }
    list = result_part(&data, "sweeps", "setting\t#values\tbaseline\tchosen\t#6ratio_where_chosen\t#confirmed\treason\t"
                                     "sentence");
    for (size_t i = 0; i < comparisons->picks.count; i++) {
        const struct sweep_pick *pick = &comparisons->picks.item[i];
        result_row(list, "%s\t%zu\t%s\t%s", pick->chosen->swept, pick->values, pick->baseline->text,
                   pick->chosen->text);
        result_number(list, exp(pick->log_ratio));
        result_number(list, pick->confirmed ? (double)(pick->confirmed - comparisons->confirmed->items + 1)
                                            : (double)NAN);
        result_row(list, "%s\t%s", pick->reason ? pick->reason : "", pick->sentence);
    }
    put_figures(result_part(&data, "confirmed", FIGURES), comparisons->confirmed->items, comparisons->confirmed->n);
    list = result_part(&data, "not_compared", "baseline\tsolver\treason");
    for (size_t i = 0; i < comparisons->omitted.count; i++) {
        const struct not_compared *omitted = &comparisons->omitted.item[i];
        result_row(list, "%s\t%s\t%s", omitted->labels[BASELINE], omitted->labels[CANDIDATE], omitted->reason);
    }
    return data;
}

/* The conclusions, then those on sweeps. */
static const char *sentence_at(const struct comparisons *comparisons, size_t i)
{
    return i < comparisons->n ? comparisons->items[i].sentence : comparisons->picks.item[i - comparisons->n].sentence;
}

static void print_conclusions(const struct comparisons *comparisons, FILE *stream)
{
    for (size_t i = 0; i < comparisons->n + comparisons->picks.count; i++) {
        const char *of_time = i < comparisons->n ? comparisons->items[i].of_time : "";
        terminal_printf(stream, TERMINAL_STRONG "%s" TERMINAL_END "\n%s%s", sentence_at(comparisons, i), of_time,
                        *of_time ? "\n" : "");
    }
}

static int is_single(const struct comparisons *comparisons)
{
    return comparisons->n + comparisons->omitted.count == 1;
}

void comparisons_write(const struct comparisons *comparisons, const char *note, const char *folder, int no_render)
{
    struct pool *pool = comparisons->pool;
    struct figure_sink sink = {.no_render = no_render};
    if (is_single(comparisons)) {
        write_one(pool, comparisons->items, note, folder, &sink);
        figure_sink_end(&sink);
        remove_several(pool, folder, 1);
        return;
    }
    struct result page = joint_page(comparisons, note), data = joint_data(comparisons);
    struct folder_lock lock = {0};
    for (size_t i = 0; i < comparisons->n + comparisons->picks.count; i++)
        result_note(&page, "%s", sentence_at(comparisons, i));
    folder_make(folder);
    folder_lock_take(&lock, folder);
    put_left_out(result_facts(&page), &comparisons->left_out);
    result_write_files(&page, &data, folder);
    folder_lock_release(&lock);
    remove_part(pool, TIMES, folder);
    remove_figures(pool, folder);
    remove_several(pool, folder, comparisons->n + 1);
    sweep_figures_write(comparisons, folder, &sink);
    for (size_t i = 0; i < comparisons->n; i++) /* a picture that cannot be drawn does not stop the rest */
        write_one(pool, &comparisons->items[i], note, pool_printf(pool, "%s/compare-%zu", folder, i + 1), &sink);
    figure_sink_end(&sink);
}

/* A terminal gets the notes on the result, but not those on the columns. */
static void print_single(const struct comparison *comparison, struct pool *pool, const char *note, FILE *stream)
{
    const int legend = terminal_width(stream) == 0;
    for (int part = 0; part < PARTS; part++)
        if (has_part(comparison, (enum part)part)) {
            struct result page = page_of(pool, comparison, note, legend, (enum part)part);
            if (part == COUNTS && !legend)
                result_note(&page,
                            "Failed, error: %s, then %s; other columns: ratios of the second to the first. A pipe, and "
                            "the files of --out, get all columns and what they mean.",
                            comparison->arms.labels[BASELINE], comparison->arms.labels[CANDIDATE]);
            fputc('\n', stream);
            result_print(&page, stream);
        }
    if (*comparison->arms.without_times)
        terminal_printf(stream, "\n%s\n", comparison->arms.without_times);
}

void comparisons_print(const struct comparisons *comparisons, const char *note, int quiet, FILE *stream)
{
    print_conclusions(comparisons, stream);
    if (!quiet && is_single(comparisons))
        print_single(comparisons->items, comparisons->pool, note, stream);
    else if (!quiet) {
        const struct result page = joint_page(comparisons, note);
        fputc('\n', stream);
        result_print(&page, stream);
    }
}
