/*
 * Which cells may be compared, and the comparison with a baseline, by the pairs and tests of `hullbench compare`.
 *
 * A cell's tasks are the data sets and splits of the records with a value of its metric. In a table with data sets in
 * rows or columns, each data set is a matter of its own: a solver without any record of it has no cell there. In a
 * table over data sets, each cell should rest on all of them.
 */
#include "harness/tables/table_grid.h"

#include <math.h>
#include <string.h>

#include "harness/compare/arms.h"
#include "harness/records/conditions.h"
#include "harness/records/coverage.h"
#include "harness/records/same_problem.h"

static size_t count_cells(const struct table_grid *grid)
{
    return grid->n[SIDE_ROWS] * grid->n[SIDE_COLUMNS];
}

static void fill_tasks(const struct table_grid *grid, struct table_cell *cell)
{
    const struct table_metric *metric = &grid->spec->metrics[cell->metric];
    for (size_t i = 0; i < cell->records.count && !(metric->ratio_to.count && !cell->is_ratio_baseline); i++)
        if (metric->ratio_to.count ? cell->records.items[i]->converged
                                   : isfinite(measure_of(cell->records.items[i], metric->measure)))
            records_add(&cell->tasks, cell->records.items[i]);
    records_sort_by_training_set(&cell->tasks);
}

/* The index of the value of a cell in a dimension. */
static size_t place_in(const struct table_grid *grid, size_t dimension, size_t cell)
{
    const size_t at[] = {cell / grid->n[SIDE_COLUMNS], cell % grid->n[SIDE_COLUMNS]};
    return table_grid_place(grid, dimension, at[grid->dimensions[dimension].side]);
}

/* ---- numbers of runs ---- */

/* Numbers of one metric, data set and source of splits, as far as these are dimensions, are read together; if they rest
 * on different numbers of runs, they show them. */
static void show_numbers(struct table_grid *grid)
{
    struct name_order groups = {.pool = grid->pool};
    size_t *group = pool_array(grid->pool, count_cells(grid), sizeof *group),
           *first = pool_array(grid->pool, count_cells(grid), sizeof *first);
    unsigned char *differ = pool_array(grid->pool, count_cells(grid), 1);
    for (size_t c = 0; c < count_cells(grid); c++) {
        const char *name = pool_printf(grid->pool, "%zu", grid->cells[c].metric);
        for (size_t i = 0; i < grid->n_dimensions; i++)
            if (grid->dimensions[i].kind == DIMENSION_DATASET || grid->dimensions[i].kind == DIMENSION_SPLIT_SOURCE)
                name = pool_printf(grid->pool, "%s %zu", name, place_in(grid, i, c));
        group[c] = name_order_add(&groups, name);
    }
    for (int pass = 0; pass < 2; pass++)
        for (size_t c = 0; c < count_cells(grid); c++) {
            struct table_cell *cell = &grid->cells[c];
            if (cell->tasks.count == 0 || cell->is_ratio_baseline)
                continue;
            if (pass == 1)
                grid->uneven |= cell->shows_n = differ[group[c]];
            else if (first[group[c]] == 0)
                first[group[c]] = cell->tasks.count;
            else
                differ[group[c]] |= first[group[c]] != cell->tasks.count;
        }
}

/* ---- gaps ---- */

/* The solver and settings of a cell: "clip-mdm, mu = 0.1". */
static const char *label_of(const struct table_grid *grid, size_t cell)
{
    const char *label = NULL;
    for (size_t i = 0; i < grid->n_dimensions; i++) {
        const struct table_dimension *dimension = &grid->dimensions[i];
        if (dimension->kind != DIMENSION_SETTING && dimension->kind != DIMENSION_SOLVER)
            continue;
        const char *value = grid->values[i].names[place_in(grid, i, cell)];
        if (strcmp(value, "–") == 0)
            continue;
        if (dimension->kind == DIMENSION_SETTING)
            value = pool_printf(grid->pool, "%s = %s", dimension->name, value);
        label = table_join(grid->pool, label, ", ", value);
    }
    return label ? label : "";
}

/* Finds what the solvers, with their settings, lack. */
static void find_gaps(struct table_grid *grid)
{
    struct name_order labels = {.pool = grid->pool};
    struct records *members = pool_array(grid->pool, count_cells(grid), sizeof *members);
    for (size_t c = 0; c < count_cells(grid); c++) {
        const struct table_cell *cell = &grid->cells[c];
        if (cell->metric != 0 || cell->records.count == 0)
            continue;
        struct records *member = &members[name_order_add(&labels, label_of(grid, c))];
        member->pool = grid->pool;
        records_append(member, &cell->records);
    }
    const struct coverage coverage = coverage_of_records(grid->pool, members, labels.count,
                                                          table_spec_has(grid->spec, DIMENSION_DATASET));
    grid->gaps = coverage_gaps(grid->pool, &coverage, labels.names, "splits");
}

/* ---- comparable cells ---- */

/* Whether two records agree in every setting that both have and that changes the objective. */
static int same_settings_of_problem(const struct record *a, const struct record *b)
{
    for (size_t i = 0; i < a->n_settings; i++) {
        const struct setting *other = record_setting(b, a->settings[i].name);
        if (is_of_problem(&a->settings[i], PROBLEM_OF_PAIR) && other &&
            strcmp(other->text, a->settings[i].text) != 0)
            return 0;
    }
    return 1;
}

int table_cells_are_of_one_problem(const struct table_grid *grid, const struct table_cell *a,
                                   const struct table_cell *b)
{
    int common = 0;
    for (size_t i = 0, j = 0; i < a->tasks.count && j < b->tasks.count;) {
        const struct record *one = a->tasks.items[i], *other = b->tasks.items[j];
        const int order = strcmp(one->dataset, other->dataset);
        if (order == 0 && !same_settings_of_problem(one, other))
            return 0;
        common |= order == 0;
        i += order <= 0;
        j += order >= 0;
    }
    return common || grid->over_datasets;
}

int table_cell_is_complete(const struct table_grid *grid, const struct table_cell *cell,
                           struct table_cell *const *line, size_t length)
{
    struct pool *pool = pool_new();
    struct records all = {.pool = pool};
    int complete = 1;
    for (size_t k = 0; k < length && complete; k++) {
        if (line[k]->metric != cell->metric || !table_cells_are_of_one_problem(grid, cell, line[k]))
            continue;
        complete = records_cover(&cell->tasks, &line[k]->tasks);
        if (grid->budget_obstacle)
            records_append(&all, &line[k]->records);
    }
    complete = complete && !records_budget_obstacle(pool, grid->folders, &all);
    pool_free(pool);
    return complete;
}

/* ---- comparison with a baseline ---- */

/* A baseline and its context. */
struct contrast {
    struct table_grid *grid;
    const struct json_path *place;
    const struct solver_choice *choice;
    struct records baseline; /* its records, of all data sets */
};

/* `suppliers` hold the records of baselines. */
static struct contrast contrast_open(struct table_grid *grid, const struct json_path *place,
                                     const struct records *suppliers, const struct solver_choice *choice)
{
    struct contrast contrast = {grid, place, choice, {.pool = grid->pool}};
    for (size_t i = 0; i < suppliers->count; i++)
        if (solver_choice_matches(choice, suppliers->items[i]))
            records_add(&contrast.baseline, suppliers->items[i]);
    if (contrast.baseline.count == 0)
        json_die_of(STATUS_NOT_FOUND, place, "the baseline %.80s matches none of the remaining %zu records",
                    choice->text, suppliers->count);
    return contrast;
}

/* Whether the cell consists of records of the baseline. */
static int is_baseline(const struct contrast *contrast, const struct table_cell *cell)
{
    for (size_t i = 0; i < cell->records.count; i++)
        if (!solver_choice_matches(contrast->choice, cell->records.items[i]))
            return 0;
    return cell->records.count > 0;
}

/* Collects the pairs in which both runs converged and whose certified optima do not differ; `used` gets the cell's
 * records in them. */
static void take_pairs(const struct pairing *pairing, size_t metric, double *values[ARMS],
                       struct contrast_sample *sample, struct records *used)
{
    for (size_t p = 0; p < pairing->n_pairs; p++) {
        const struct pair *pair = &pairing->pairs[p];
        double own[ARMS];
        for (int arm = 0; arm < ARMS; arm++)
            own[arm] = pair_converged(pair, (enum arm)arm) ? measure_of(pair->records[arm], metric) : (double)NAN;
        if (!isfinite(own[BASELINE]) || !isfinite(own[CANDIDATE]) || pair->mark == PAIR_APART)
            continue;
        values[BASELINE][sample->n] = own[BASELINE];
        values[CANDIDATE][sample->n++] = own[CANDIDATE];
        records_add(used, pair->records[CANDIDATE]);
    }
}

/* Compares the records from `first` on, of one data set, with the baseline's of that data set. */
static void contrast_dataset(struct pool *pool, const struct contrast *contrast, const struct table_cell *cell,
                             size_t first, size_t last, struct estimate *row, struct records *used)
{
    struct table_grid *grid = contrast->grid;
    const size_t metric = grid->spec->metrics[cell->metric].measure;
    const struct member *of = measure_row(metric);
    const enum contrast_basis basis = of->flags & MEMBER_TESTED ? CONTRAST_TESTED : CONTRAST_TRAINED;
    struct records own[ARMS] = {{.pool = pool}, {.pool = pool}};
    for (size_t i = first; i < last; i++)
        records_add(&own[CANDIDATE], cell->records.items[i]);
    for (size_t i = 0; i < contrast->baseline.count; i++)
        if (strcmp(contrast->baseline.items[i]->dataset, cell->records.items[first]->dataset) == 0)
            records_add(&own[BASELINE], contrast->baseline.items[i]);
    const struct pairing_arm arms[ARMS] = {{&own[BASELINE], contrast->choice->name},
                                           {&own[CANDIDATE], cell->records.items[first]->solver}};
    struct pairing pairing = pairing_make(pool, arms);
    if (pairing.ambiguity)
        json_die(contrast->place, "baseline %.60s: %s", contrast->choice->text, pairing.ambiguity);
    const enum problems problems = problems_of(arms[BASELINE].solver, arms[CANDIDATE].solver);
    accuracy_mark(&pairing, problems);
    grid->problems_differ |= problems == PROBLEMS_DIFFERENT;
    grid->problems_unknown |= problems == PROBLEMS_UNKNOWN;
    for (size_t p = 0; p < pairing.n_pairs; p++)
        grid->optima_differ |= pairing.pairs[p].mark == PAIR_APART;
    double *values[ARMS] = {pool_array(pool, pairing.n_pairs, sizeof(double)),
                            pool_array(pool, pairing.n_pairs, sizeof(double))};
    size_t train = 0, test = 0;
    run_folders_sizes(grid->folders, cell->records.items[first], &train, &test);
    struct contrast_sample sample = {.values = {values[BASELINE], values[CANDIDATE]},
                                     .logarithmic = (of->flags & MEMBER_RATIO) != 0,
                                     .overlap = contrast_overlap(basis, train, test)};
    take_pairs(&pairing, metric, values, &sample, used);
    *row = estimate_of_case(&sample);
}

/* Over data sets: the mean of their differences with its interval, and the signed-rank test. */
static void over_datasets(const double *differences, size_t n, struct estimate *row)
{
    struct estimate total = estimate_of_datasets(differences, n);
    estimate_mean_interval(differences, n, &total);
    row->n = n;
    row->difference = total.mean;
    row->p = n >= MIN_PAIRS_FOR_A_CLAIM ? total.p : (double)NAN;
    row->adjusted = (double)NAN;
}

/* Whether the budgets of the cell and the baseline are alike, on the cell's data sets. */
static int has_alike_budgets(const struct contrast *contrast, const struct table_cell *cell)
{
    struct pool *pool = pool_new();
    struct records both = {.pool = pool};
    struct name_order datasets = {.pool = pool};
    records_append(&both, &cell->records);
    for (size_t k = 0; k < cell->records.count; k++)
        name_order_add(&datasets, cell->records.items[k]->dataset);
    for (size_t i = 0; i < contrast->baseline.count; i++)
        if (name_order_find(&datasets, contrast->baseline.items[i]->dataset) < datasets.count)
            records_add(&both, contrast->baseline.items[i]);
    const char *obstacle = records_budget_obstacle(pool, contrast->grid->folders, &both);
    const int alike = !obstacle;
    if (obstacle && !contrast->grid->budget_obstacle) /* the baseline need not be in the table */
        contrast->grid->budget_obstacle = pool_strdup(contrast->grid->pool, obstacle);
    pool_free(pool);
    return alike;
}

/* Relies on table_grid.c to keep the records of a data set adjacent. `used` gets the cell's records in the pairs. With
 * unlike budgets there are none. */
static void contrast_cell(const struct contrast *contrast, const struct table_cell *cell, struct estimate *row,
                          struct records *used)
{
    struct pool *pool = pool_new();
    double *differences = pool_array(pool, cell->records.count, sizeof *differences);
    size_t n = 0;
    const int alike = has_alike_budgets(contrast, cell);
    for (size_t first = 0, last; alike && first < cell->records.count; first = last) {
        last = first + 1;
        while (last < cell->records.count &&
               strcmp(cell->records.items[last]->dataset, cell->records.items[first]->dataset) == 0)
            last++;
        contrast_dataset(pool, contrast, cell, first, last, row, used);
        if (row->n > 0)
            differences[n++] = row->difference.estimate;
    }
    if (contrast->grid->over_datasets)
        over_datasets(differences, n, row);
    pool_free(pool);
}

/* Whether the cell has a ratio of the metric or, for the marks' baseline (`metric` is their number), a test. */
static int is_compared(const struct table_grid *grid, const struct table_cell *cell, size_t metric)
{
    const struct table_metric *own = &grid->spec->metrics[cell->metric];
    if (cell->records.count == 0 || metric < grid->spec->n_metrics)
        return cell->records.count > 0 && cell->metric == metric;
    return own->marks && table_statistic_is_location(own->statistic) &&
           !(own->measure == MEASURE_SECONDS && grid->time_obstacle);
}

/* Compares cells with the baseline of a metric's ratios, or of the marks. */
static void compare_cells(struct table_grid *grid, const struct json_path *place, const struct records *suppliers,
                          const struct solver_choice *baseline, size_t metric)
{
    const struct contrast contrast = contrast_open(grid, place, suppliers, baseline);
    const int is_ratio = metric < grid->spec->n_metrics;
    for (size_t c = 0; c < count_cells(grid); c++) {
        struct table_cell *cell = &grid->cells[c];
        const int compared = is_compared(grid, cell, metric), itself = compared && is_baseline(&contrast, cell);
        struct records tested = {.pool = grid->pool};
        cell->is_ratio_baseline |= is_ratio && itself;
        if (!compared || itself)
            continue;
        contrast_cell(&contrast, cell, is_ratio ? &cell->ratio : &cell->test, is_ratio ? &cell->tasks : &tested);
        grid->n_untested += !is_ratio && isnan(cell->test.p) && cell->summary.n > 0;
    }
}

void table_grid_compare(struct table_grid *grid, const struct json_path *place, const struct records *suppliers)
{
    const size_t n_metrics = grid->spec->n_metrics;
    for (size_t c = 0; c < count_cells(grid); c++) {
        grid->cells[c].ratio.p = grid->cells[c].test.p = (double)NAN;
        grid->cells[c].ratio.adjusted = grid->cells[c].test.adjusted = (double)NAN;
    }
    for (size_t m = 0; m < n_metrics; m++) {
        const struct json_path *at = json_at(json_at_index(json_at(place, "metrics"), m), "ratio_to");
        const struct table_metric *metric = &grid->spec->metrics[m];
        if (metric->ratio_to.count && metric->measure == MEASURE_SECONDS && grid->time_obstacle)
            json_die(at, "times cannot be compared: %s", grid->time_obstacle);
        if (metric->ratio_to.count)
            compare_cells(grid, at, suppliers, metric->ratio_to.items, m);
    }
    if (grid->spec->against.count)
        compare_cells(grid, json_at(place, "marks"), suppliers, grid->spec->against.items, n_metrics);
    struct estimate **tests = pool_array(grid->pool, count_cells(grid), sizeof *tests);
    for (size_t c = 0; c < count_cells(grid); c++) {
        if (grid->cells[c].test.n > 0 && !isnan(grid->cells[c].test.p))
            tests[grid->n_tests++] = &grid->cells[c].test;
        fill_tasks(grid, &grid->cells[c]); /* those of ratios have the tasks of their pairs already */
    }
    estimates_adjust(tests, grid->n_tests); /* all together */
    if (count_cells(grid) > 0) {
        show_numbers(grid);
        find_gaps(grid);
    }
}
