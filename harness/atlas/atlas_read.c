/*
 * Sorts records into families, series, problems and targets. Problems and series are numbered by key texts: two records
 * have the same problem if the texts made of data set, split, kernel and C are equal, and the same series if those of
 * solver and other settings are.
 *
 * Solvers are compared on problems that all of them were run on. A series that was run on only a few would leave few to
 * the others, so series with records of fewer than half of the problems are left out and reported.
 */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "harness/atlas/atlas.h"
#include "harness/base/die.h"
#include "harness/base/json_writer.h"
#include "harness/records/conditions.h"
#include "harness/records/plan_order.h"
#include "harness/records/same_problem.h"
#include "harness/records/selection.h"
#include "harness/support/decimal.h"
#include "solvers/registry.h"

const struct atlas_cost_text atlas_cost_texts[ATLAS_COSTS] = {
    [ATLAS_ITERATIONS] = {"iterations", "iterations", "N", "iterations / N"},
    [ATLAS_OPERATIONS] = {"kernel-operations", "kernel operations of the iterations", "N²", "kernel operations / N²"},
    [ATLAS_ALL_OPERATIONS] = {"all-operations", "kernel operations, set-up included", "N²",
                              "kernel operations with set-up / N²"},
    [ATLAS_EVALUATIONS] = {"kernel-evaluations", "kernel evaluations of the training", "N²",
                           "kernel evaluations / N²"},
    [ATLAS_SECONDS] = {"seconds", "processor seconds", "N² ns", "nanoseconds / N²"},
};

/* ---- keys of a record ---- */

/* A family has one solution for a data set, a split, a kernel and a C. */
enum family_kind { LINEAR, SQUARE, HARD_MARGIN, MINIMUM_NORM, NO_BIAS_HARD_MARGIN, NO_BIAS, FAMILY_KINDS };
static const struct {
    const char *key, *title;
} family_texts[FAMILY_KINDS] = {
    [LINEAR] = {"linear", "linear penalty"},
    [SQUARE] = {"square", "square penalty"},
    [HARD_MARGIN] = {"hard-margin", "hard margin"},
    [MINIMUM_NORM] = {"minimum-norm", "minimum norm"},
    [NO_BIAS_HARD_MARGIN] = {"no-bias-hard-margin", "hard margin without bias"},
    [NO_BIAS] = {"no-bias", "linear penalty without bias"},
};

static double setting_number(const struct record *record, const char *name)
{
    const struct setting *setting = record_setting(record, name);
    return setting ? setting->number : (double)NAN;
}

static enum family_kind family_of(const struct record *record)
{
    const struct solver *solver = solver_find(record->solver);
    if (!solver)
        die(STATUS_BAD_INPUT, "%s: unknown solver \"%s\"; is it in a plugin? give --plugin FILE", record->where,
            record->solver);
    const int is_bounded =
        !isnan(setting_number(record, "params.C")) || !isnan(setting_number(record, "params.mu"));
    return solver->formulation == FORMULATION_MINIMUM_NORM          ? MINIMUM_NORM
           : solver->formulation == FORMULATION_NO_BIAS_HARD_MARGIN ? NO_BIAS_HARD_MARGIN
           : solver->formulation == FORMULATION_NO_BIAS_SVM         ? NO_BIAS
           : solver->square_penalty                                 ? SQUARE
           : is_bounded                                             ? LINEAR
                                                                    : HARD_MARGIN;
}

/* C if the record has it, since mu then follows from it; else mu; both may be missing. */
static char *problem_text(struct pool *pool, const struct record *record)
{
    const double c = setting_number(record, "params.C"), mu = setting_number(record, "params.mu");
    return pool_printf(pool, "%s\n%zu\n%s\n%s\n%s %.17g", record->dataset, record->split, record->split_source,
                       record->kernel_text, isnan(c) ? "mu" : "C", isnan(c) ? mu : c);
}

/* ---- choosing records ---- */

static const char *rule_of(const struct record *record)
{
    const struct setting *rule = record_setting(record, "stop.rule");
    return rule ? rule->text : "";
}

static void choose_rule(struct atlas *atlas)
{
    struct name_order rules = {.pool = atlas->scratch};
    for (size_t i = 0; i < atlas->records.count; i++)
        name_order_add(&rules, rule_of(atlas->records.items[i]));
    atlas->rule = atlas->options.rule                                ? atlas->options.rule
                  : name_order_find(&rules, "svm-gap") < rules.count ? "svm-gap"
                  : rules.count > 0                                  ? rules.names[0]
                                                                     : "";
    if (!atlas->options.rule && rules.count > 1 && strcmp(atlas->rule, "svm-gap") != 0)
        die(STATUS_BAD_INPUT,
            "the records use several stopping rules, among them \"%s\" and \"%s\"; choose one with --rule",
            rules.names[0], rules.names[1]);
}

/* The records of the solvers and data sets of the options that end by the rule. */
static struct records choose_records(const struct atlas *atlas)
{
    struct records chosen = {.pool = atlas->scratch};
    const struct known_names known = known_names_of(atlas->scratch, &atlas->folders);
    cJSON *selection = json_keep(atlas->scratch, json_new_object());
    size_t n = 0;
    selection_add_option(selection, "--solvers", atlas->options.solvers);
    selection_add_option(selection, "--datasets", atlas->options.datasets);
    selection_check(selection, NULL, &known);
    records_append(&chosen, &atlas->records);
    selection_keep(selection, NULL, STATUS_NOT_FOUND, &chosen);
    for (size_t i = 0; i < chosen.count; i++)
        if (strcmp(rule_of(chosen.items[i]), atlas->rule) == 0 &&
            isfinite(setting_number(chosen.items[i], "stop.tolerance")))
            chosen.items[n++] = chosen.items[i];
    chosen.count = n;
    return chosen;
}

/* ---- one family ---- */

/* A record with its numbers; unsorted. */
struct sorted {
    const struct record *record;
    size_t dataset, series, problem, target;
    enum family_kind family;
};

/* Sorts the values and removes duplicates; returns their number. */
static size_t leave_once(double *values, size_t n)
{
    size_t kept = 0;
    gsl_sort(values, 1, n);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || values[i] != values[kept - 1])
            values[kept++] = values[i];
    return kept;
}

static size_t level_of(const double *values, size_t n, double value)
{
    for (size_t i = 0; i < n; i++)
        if (values[i] == value)
            return i;
    return ATLAS_ALL;
}

/* Numbers targets, series and problems, the last two in the order of the records, and fills runs. */
static void number(const struct atlas *atlas, struct atlas_family *family, struct sorted *sorted, size_t count,
                   const struct records *records)
{
    struct pool *pool = atlas->pool;
    struct name_order series = {.pool = atlas->scratch}, problems = {.pool = atlas->scratch};
    family->series = pool_array(pool, count, sizeof *family->series);
    family->problems = pool_array(pool, count, sizeof *family->problems);
    family->targets = pool_array(pool, count, sizeof *family->targets);
    family->n_series = family->n_problems = 0;
    for (size_t i = 0; i < count; i++) /* negated, so that they fall */
        family->targets[i] = -setting_number(sorted[i].record, "stop.tolerance");
    family->n_targets = leave_once(family->targets, count);
    for (size_t t = 0; t < family->n_targets; t++)
        family->targets[t] = -family->targets[t];
    for (size_t i = 0; i < count; i++) {
        const struct record *record = sorted[i].record;
        const double width = setting_number(record, "kernel.width"),
                     tuned = atlas->datasets[sorted[i].dataset].tuned_width;
        sorted[i].target = level_of(family->targets, family->n_targets, setting_number(record, "stop.tolerance"));
        sorted[i].series = name_order_take(&series, series_key(record));
        sorted[i].problem = name_order_add(&problems, problem_text(atlas->scratch, record));
        if (sorted[i].series == family->n_series)
            family->series[family->n_series++] =
                (struct atlas_series){series_label(pool, record, records, 1), record};
        if (sorted[i].problem == family->n_problems)
            family->problems[family->n_problems++] = (struct atlas_problem){
                .dataset = sorted[i].dataset,
                .c = setting_number(record, "params.C"),
                .factor = isnan(width) ? 1 : round_to_12_digits(width / tuned)};
    }
    family->runs = pool_array(pool, family->n_series * family->n_problems * family->n_targets, sizeof *family->runs);
    for (size_t i = 0; i < count; i++)
        family->runs[atlas_at(family, sorted[i].series, sorted[i].problem, sorted[i].target)] = sorted[i].record;
}

/* Whether the series has a record of the problem for each of the kept targets. */
static int covers(const struct atlas_family *family, size_t series, size_t problem, const unsigned char *kept)
{
    size_t t = 0;
    while (t < family->n_targets && (!kept[t] || family->runs[atlas_at(family, series, problem, t)]))
        t++;
    return t == family->n_targets;
}

/* Moves to the front the records of the targets and series that have at least half of all, and of the problems that
 * all these series have. Returns their number. */
static size_t keep_complete(const struct atlas *atlas, struct atlas_family *family, struct sorted *sorted, size_t count)
{
    unsigned char *series = pool_alloc(atlas->scratch, family->n_series),
                  *problems = pool_alloc(atlas->scratch, family->n_problems),
                  *targets = pool_alloc(atlas->scratch, family->n_targets);
    size_t kept = 0;
    for (size_t t = 0; t < family->n_targets; t++) {
        size_t n = 0;
        for (size_t k = 0; k < family->n_series * family->n_problems; k++)
            n += family->runs[k * family->n_targets + t] != NULL;
        targets[t] = 2 * n >= family->n_series * family->n_problems;
    }
    for (size_t s = 0; s < family->n_series; s++) {
        size_t n = 0;
        for (size_t p = 0; p < family->n_problems; p++)
            n += (size_t)covers(family, s, p, targets);
        series[s] = 2 * n >= family->n_problems;
        if (!series[s])
            *pool_push(atlas->pool, &family->omitted) = family->series[s].label;
    }
    for (size_t p = 0; p < family->n_problems; p++) {
        problems[p] = 1;
        for (size_t s = 0; s < family->n_series; s++)
            problems[p] &= !series[s] || covers(family, s, p, targets);
        family->n_incomplete += !problems[p];
    }
    for (size_t i = 0; i < count; i++)
        if (series[sorted[i].series] && problems[sorted[i].problem] && targets[sorted[i].target])
            sorted[kept++] = sorted[i];
    return kept;
}

/* Lists the values of C and the factors, and groups the problems into cells. */
static void take_cells(const struct atlas *atlas, struct atlas_family *family)
{
    const size_t n = family->n_problems;
    struct pool *pool = atlas->pool;
    family->c_values = pool_array(pool, n, sizeof *family->c_values);
    family->factors = pool_array(pool, n, sizeof *family->factors);
    for (size_t p = 0; p < n; p++) {
        if (isfinite(family->problems[p].c))
            family->c_values[family->n_c++] = family->problems[p].c;
        family->factors[p] = family->problems[p].factor;
    }
    family->n_c = leave_once(family->c_values, family->n_c);
    family->n_factors = leave_once(family->factors, n);
    const size_t in_set = (family->n_c + 1) * family->n_factors;
    struct atlas_cell *all = pool_array(pool, atlas->n_datasets * in_set, sizeof *all);
    for (size_t p = 0; p < n; p++) {
        struct atlas_problem *problem = &family->problems[p];
        problem->c_level = level_of(family->c_values, family->n_c, problem->c);
        problem->factor_level = level_of(family->factors, family->n_factors, problem->factor);
        const size_t c = problem->c_level == ATLAS_ALL ? family->n_c : problem->c_level;
        struct atlas_cell *cell = &all[problem->dataset * in_set + c * family->n_factors + problem->factor_level];
        if (cell->n == 0)
            *cell = (struct atlas_cell){problem, pool_array(pool, n - p, sizeof *cell->problems), 0};
        cell->problems[cell->n++] = p;
    }
    family->cells = all;
    for (size_t i = 0; i < atlas->n_datasets * in_set; i++)
        if (all[i].n > 0)
            family->cells[family->n_cells++] = all[i];
}

/* ---- costs ---- */

/* Prediction evaluates the kernel of each test pattern and support vector, which is not a cost of training. */
static double spent_by(const struct record *record, enum atlas_cost cost)
{
    const double *field = record->field, numbers[ATLAS_COSTS] = {
        [ATLAS_ITERATIONS] = field[FIELD_ITERATIONS],
        [ATLAS_OPERATIONS] = field[FIELD_KERNEL_OPERATIONS],
        [ATLAS_ALL_OPERATIONS] = field[FIELD_KERNEL_OPERATIONS] + field[FIELD_SETUP_OPERATIONS],
        [ATLAS_EVALUATIONS] = field[FIELD_KERNEL_EVALUATIONS] - field[FIELD_PREDICT_OPERATIONS],
        [ATLAS_SECONDS] = record_time(record)};
    return numbers[cost];
}

/* Times that cannot be compared count as not measured. */
static void take_costs(const struct atlas *atlas, struct atlas_family *family, enum atlas_cost cost)
{
    const int is_left_out = cost == ATLAS_SECONDS && atlas->time_note;
    const size_t tasks = family->n_problems * family->n_targets;
    struct cube *cube = &family->costs[cost];
    *cube = cube_new(atlas->pool, family->n_series, tasks);
    cube->least = cost == ATLAS_SECONDS ? 1e-9 : 0;
    for (size_t k = 0; k < tasks; k++)
        cube->limit[k] = (double)NAN;
    for (size_t s = 0; s < family->n_series; s++) {
        int counts = !is_left_out;
        for (size_t k = 0; k < tasks; k++) {
            const struct record *record = family->runs[s * tasks + k];
            const double spent = is_left_out ? (double)NAN : spent_by(record, cost);
            cube->spent[s * tasks + k] = spent;
            cube->cost[s * tasks + k] = record->converged ? spent : (double)INFINITY;
            cube->limit[k] = fmax(cube->limit[k], spent); /* fmax ignores NAN */
            counts = counts && (isfinite(spent) || !record->converged);
        }
        if (counts)
            cube->counting[cube->n_counting++] = s;
    }
}

size_t atlas_cell_reached(const struct atlas_family *family, const struct atlas_cell *cell, size_t series,
                          size_t target)
{
    size_t n = 0;
    for (size_t i = 0; i < cell->n; i++)
        n += (size_t)atlas_reached(family, atlas_at(family, series, cell->problems[i], target));
    return n;
}

double atlas_cell_log(const struct atlas_family *family, const struct atlas_cell *cell, enum atlas_cost cost,
                      size_t series, size_t target)
{
    const struct cube *cube = &family->costs[cost];
    double mean = 0;
    for (size_t i = 0; i < cell->n; i++)
        mean += exp(cube_log(cube, series, cell->problems[i] * family->n_targets + target)) / (double)cell->n;
    return cell->n ? log(mean) : (double)NAN;
}

/* ---- sums over data sets ---- */

struct tally tally_new(const struct atlas *atlas)
{
    const size_t n = atlas->n_datasets;
    double *sums = pool_array(atlas->scratch, 2 * n, sizeof *sums);
    return (struct tally){sums, sums + n};
}

void tally_add(struct tally *tally, size_t dataset, double value, double count)
{
    if (isnan(value))
        return;
    tally->sums[dataset] += value;
    tally->counts[dataset] += count;
}

struct interval interval_exp(struct interval is)
{
    return (struct interval){exp(is.estimate), exp(is.low), exp(is.high), is.level};
}

struct cluster_mean tally_mean(const struct atlas *atlas, const struct tally *tally)
{
    return cluster_mean_of(tally->sums, tally->counts, atlas->n_datasets);
}

struct interval tally_interval(const struct atlas *atlas, const struct tally *tally, int geometric)
{
    const struct cluster_mean mean = tally_mean(atlas, tally);
    struct interval interval = cluster_mean_interval(&mean, ATLAS_LEVEL);
    int at_least_0 = 1, at_most_1 = 1; /* the values; then their mean is, too */
    for (size_t d = 0; d < atlas->n_datasets; d++) {
        at_least_0 &= tally->sums[d] >= 0;
        at_most_1 &= tally->sums[d] <= tally->counts[d];
    }
    if (geometric)
        return interval_exp(interval);
    if (at_least_0 && interval.low < 0)
        interval.low = 0;
    if (at_most_1 && interval.high > 1)
        interval.high = 1;
    return interval;
}

/* ---- the whole atlas ---- */

/* Collects the data sets of the chosen records; the tuned width is the middle one of a set's widths. */
static void take_datasets(struct atlas *atlas, struct sorted *sorted, size_t count)
{
    double *widths = pool_array(atlas->scratch, count, sizeof *widths);
    struct name_order names = {.pool = atlas->scratch};
    atlas->datasets = pool_array(atlas->pool, count, sizeof *atlas->datasets);
    atlas->sizes_known = 1;
    for (size_t i = 0; i < count; i++) {
        const struct record *record = sorted[i].record;
        size_t train = 0, test = 0;
        sorted[i].dataset = name_order_add(&names, record->dataset);
        if (sorted[i].dataset < atlas->n_datasets)
            continue;
        run_folders_sizes(&atlas->folders, record, &train, &test);
        atlas->datasets[atlas->n_datasets++] =
            (struct atlas_dataset){record->dataset, (double)train, (double)test, (double)NAN};
        atlas->sizes_known = atlas->sizes_known && train > 0;
    }
    for (size_t d = 0; d < atlas->n_datasets; d++) {
        size_t n = 0;
        for (size_t i = 0; i < count; i++) {
            const double width = setting_number(sorted[i].record, "kernel.width");
            if (sorted[i].dataset == d && !isnan(width))
                widths[n++] = width;
        }
        n = leave_once(widths, n);
        atlas->datasets[d].tuned_width = n ? widths[(n - 1) / 2] : (double)NAN;
    }
}

/* The place of the target; `other` if the family has none. */
static size_t find_target(const struct atlas_family *family, double target, size_t other)
{
    size_t t = 0;
    while (t < family->n_targets && !(family->targets[t] > 0.99 * target && family->targets[t] < 1.01 * target))
        t++;
    return t < family->n_targets ? t : other;
}

/* Adds a family of one or more records. Refuses it if budgets decided which runs reached their targets. */
static void add_family(struct atlas *atlas, enum family_kind kind, struct sorted *sorted,
                       const struct records *records)
{
    const char *obstacle = records_budget_obstacle(atlas->scratch, &atlas->folders, records);
    struct atlas_family *family = &atlas->families[atlas->n_families++];
    *family = (struct atlas_family){.key = family_texts[kind].key, .title = family_texts[kind].title};
    if (obstacle)
        die(STATUS_BAD_INPUT, "the solvers of the family \"%s\" cannot be compared: %s; choose solvers with --solvers, "
                              "or run all with the same budget",
            family->title, obstacle);
    number(atlas, family, sorted, records->count, records);
    const size_t kept = keep_complete(atlas, family, sorted, records->count);
    if (kept > 0)
        number(atlas, family, sorted, kept, records);
    else
        family->n_problems = 0;
    family->loose = find_target(family, 1e-3, (family->n_targets - 1) / 2);
    family->tight = find_target(family, 1e-6, family->n_targets - 1);
    take_cells(atlas, family);
    for (int cost = 0; cost < ATLAS_COSTS; cost++)
        take_costs(atlas, family, (enum atlas_cost)cost);
}

static void sort_records(struct atlas *atlas)
{
    const struct records chosen = choose_records(atlas);
    struct sorted *all = pool_array(atlas->scratch, chosen.count, sizeof *all),
                  *part = pool_array(atlas->scratch, chosen.count, sizeof *part);
    for (size_t i = 0; i < chosen.count; i++)
        all[i] = (struct sorted){.record = chosen.items[i], .family = family_of(chosen.items[i])};
    take_datasets(atlas, all, chosen.count);
    atlas->time_note = records_time_obstacle(atlas->pool, &atlas->folders, &chosen);
    atlas->families = pool_array(atlas->pool, FAMILY_KINDS, sizeof *atlas->families);
    for (int kind = 0; kind < FAMILY_KINDS; kind++) {
        struct records of = {.pool = atlas->scratch};
        for (size_t i = 0; i < chosen.count; i++)
            if (all[i].family == (enum family_kind)kind) {
                part[of.count] = all[i];
                records_add(&of, all[i].record);
            }
        if (of.count > 0)
            add_family(atlas, (enum family_kind)kind, part, &of);
    }
    pool_reset(atlas->scratch);
}

struct atlas *atlas_read(struct pool *pool, struct pool *scratch, const struct atlas_options *options)
{
    struct atlas *atlas = pool_alloc(pool, sizeof *atlas);
    size_t comparable = 0;
    *atlas = (struct atlas){.options = *options, .pool = pool, .scratch = scratch};
    atlas->folders = run_folders_open(pool, options->folders, options->n_folders, FOLDER_CONFIG);
    for (size_t i = 0; i < atlas->folders.count; i++) {
        for (size_t j = 0; j < i; j++)
            run_folder_check_splits(&atlas->folders.items[j], &atlas->folders.items[i]);
        run_folder_read_times(&atlas->folders.items[i]);
    }
    atlas->records = run_folders_records(pool, &atlas->folders, NULL, DRAWS_ALL);
    choose_rule(atlas);
    sort_records(atlas);
    for (size_t f = 0; f < atlas->n_families; f++)
        comparable += atlas->families[f].n_problems > 0 && atlas->families[f].n_series > 1;
    if (comparable == 0)
        die(STATUS_NOT_FOUND,
            "nothing to compare: no problem has records of two solvers that stop by \"%s\" at all targets",
            atlas->rule);
    atlas->draws = bootstrap_draw(pool, atlas->n_datasets, options->resamples, options->seed);
    return atlas;
}
