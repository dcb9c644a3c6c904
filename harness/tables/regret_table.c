/*
 * Regrets: how much lower the test error could be than at a reference setting, such as a paper's. For each data set and
 * solver with a reference among the entry's "references", cells are the combinations of settings that ran on all n
 * splits. e_ci is the error of cell c on split i, r the reference, and g(i) the cell of the lowest mean error over the
 * splits of the other half, the odd or the even ones (in the order of their numbers; of equal cells the first of the
 * plan). The regret is
 *
 *     1/n sum_i (e_ri - e_g(i)i),
 *
 * so that no split judges the cell that it helped to choose: two-fold cross-fitting. The lowest mean over all splits,
 * in comparison, is chosen and judged by the same luck; r minus that is the column "same splits". It is never negative.
 * Two intervals: that of the t test is about all splits of these patterns, given which splits are independent draws;
 * that of the corrected t test about new patterns. Patterns that judge a cell have also helped to choose it, in other
 * splits: what the patterns of a data set have in common, no choice among its splits can remove. Over data sets: the
 * Hodges-Lehmann estimate with the signed-rank test, as in compare.
 */
#include <math.h>

#include "harness/compare/case_statistics.h"
#include "harness/records/coverage.h"
#include "harness/tables/run_tables.h"

/* The records of a solver on a data set, by cell. */
struct cells {
    struct pool *pool;
    struct records all, *cell; /* cell: in the order of splits */
    size_t n_cells, n_splits, reference;
};

struct regret {
    const struct record *reference, *chosen[2]; /* chosen by the odd and by the even splits */
    size_t n_cells;
    double lowest; /* mean error over all splits, of the cell where it is lowest */
    struct estimate estimate, corrected; /* over the splits of these patterns, and for new ones */
};

static double error_of(const struct cells *cells, size_t cell, size_t split)
{
    return cells->cell[cell].items[split]->field[FIELD_ERROR];
}

/* All settings of a record. */
static char *cell_key(const struct record *record)
{
    return xasprintf("%s %s %s", record->params_text, record->kernel_text, record->stop_text);
}

static int is_complete(const struct records *cell, size_t n_splits)
{
    for (size_t i = 0; i < cell->count; i++)
        if (!isfinite(cell->items[i]->field[FIELD_ERROR]))
            return 0;
    return cell->count == n_splits;
}

/* Divides the records into cells, and keeps those with all splits. Returns whether one of them is a reference. */
static int divide(struct cells *cells, const cJSON *references)
{
    struct name_order keys = {.pool = cells->pool};
    struct records *cell = pool_array(cells->pool, cells->all.count, sizeof *cell);
    const cJSON *item = NULL;
    for (size_t i = 0; i < cells->all.count; i++) {
        struct records *own = &cell[name_order_take(&keys, cell_key(cells->all.items[i]))];
        own->pool = cells->pool;
        records_add(own, cells->all.items[i]);
    }
    cells->cell = cell;
    cells->n_splits = coverage_of_records(cells->pool, &cells->all, 1, 0).n_tasks;
    cells->reference = cells->all.count;
    for (size_t c = 0; c < keys.count; c++) {
        if (!is_complete(&cell[c], cells->n_splits))
            continue;
        records_sort_by_training_set(&cell[c]);
        cJSON_ArrayForEach (item, references)
            if (cells->reference == cells->all.count && selection_matches(item, cell[c].items[0]))
                cells->reference = cells->n_cells;
        cell[cells->n_cells++] = cell[c];
    }
    return cells->reference < cells->all.count;
}

/* The cell of the lowest mean over every `step`-th split from `from` on, and that mean. */
static size_t choose(const struct cells *cells, size_t from, size_t step, double *lowest)
{
    size_t best = 0;
    for (size_t c = 0; c < cells->n_cells; c++) {
        double sum = 0;
        size_t n = 0;
        for (size_t i = from; i < cells->n_splits; i += step, n++)
            sum += error_of(cells, c, i);
        if (c == 0 || sum / (double)n < *lowest) {
            *lowest = sum / (double)n;
            best = c;
        }
    }
    return best;
}

static struct regret regret_of(const struct cells *cells, const struct run_info_data *info)
{
    const size_t n = cells->n_splits;
    double *values[ARMS], half;
    struct regret regret = {.reference = cells->cell[cells->reference].items[0], .n_cells = cells->n_cells};
    const size_t chosen[2] = {choose(cells, 0, 2, &half), choose(cells, 1, 2, &half)};
    choose(cells, 0, 1, &regret.lowest);
    for (int arm = 0; arm < ARMS; arm++)
        values[arm] = pool_array(cells->pool, n, sizeof(double));
    for (size_t i = 0; i < n; i++) {
        values[CANDIDATE][i] = error_of(cells, cells->reference, i);
        values[BASELINE][i] = error_of(cells, chosen[(i + 1) % 2], i);
    }
    struct contrast_sample sample = {.values = {values[0], values[1]}, .n = n};
    regret.estimate = estimate_of_case(&sample);
    sample.overlap = contrast_overlap(CONTRAST_TESTED, info ? info->n_train : 0, info ? info->n_test : 0);
    regret.corrected = estimate_of_case(&sample);
    for (int half_of = 0; half_of < 2; half_of++)
        regret.chosen[half_of] = cells->cell[chosen[half_of]].items[0];
    return regret;
}

/* "C = 5, kernel width = 2": the settings of a cell that differ between cells. */
static const char *setting_text(const struct cells *cells, const struct record *record)
{
    const char *text = "";
    for (size_t s = 0; s < record->n_settings; s++) {
        const struct setting *own = &record->settings[s];
        size_t i = 0;
        while (i < cells->all.count && record_setting(cells->all.items[i], own->name) &&
               record_setting(cells->all.items[i], own->name)->text == own->text)
            i++;
        if (i < cells->all.count)
            text = pool_printf(cells->pool, "%s%s%s = %s", text, *text ? ", " : "", plot_setting_label(own->name),
                               own->text);
    }
    return text;
}

/* An estimate of points with its interval; sums of errors leave 1e-12 where the difference is 0. */
static void put_points(const struct interval *interval, struct result *page)
{
    struct interval rounded = *interval;
    rounded.estimate = fabs(rounded.estimate) < 1e-9 ? 0 : rounded.estimate;
    result_interval(page, 3, &rounded);
    result_numbers(page, 1, rounded.low, rounded.high, rounded.level);
}

static void put_regret(const struct cells *cells, const struct regret *regret, struct result *page)
{
    const struct estimate *estimate = &regret->estimate;
    result_row(page, "%s\t%s\t%zu\t%zu\t%s\t%s\t%s", regret->reference->dataset, regret->reference->solver,
               estimate->n, regret->n_cells, setting_text(cells, regret->reference),
               setting_text(cells, regret->chosen[0]), setting_text(cells, regret->chosen[1]));
    result_numbers(page, 1, estimate->means[CANDIDATE], estimate->means[BASELINE]);
    put_points(&estimate->difference, page);
    put_points(&regret->corrected.difference, page);
    result_number(page, estimate->means[CANDIDATE] - regret->lowest);
    result_none(page);
}

/* The row of a solver over its data sets. */
static void put_total(const char *solver, const double *regrets, const double *same_splits, size_t n,
                      struct result *page)
{
    const struct estimate total = estimate_of_datasets(regrets, n);
    result_row(page, "all\t%s\t%zu", solver, n);
    for (int k = 0; k < 10; k++)
        result_none(page);
    put_points(&total.difference, page);
    result_number(page, summary_mean(same_splits, n));
    result_p(page, total.p);
}

static void describe(struct result *page)
{
    result_note(page, "Regret: how much lower the test error of the chosen settings is than that of the reference, in "
                      "points. Half of the splits choose a setting by the lowest mean error, the other half judge it.");
    result_note(page, "Of these patterns: with the 95 %% interval over all splits of the data set (t test). For new "
                      "patterns: with that of the t test for overlapping splits; in the rows \"all\" over data sets, "
                      "whose number is in the column \"splits\": the Hodges-Lehmann estimate with its interval and p "
                      "of the signed-rank test.");
    result_note(page, "Same splits: the error of the reference minus the lowest mean on the same splits, which is "
                      "never negative. In the rows \"all\": its mean.");
}

void regret_table_write(const struct solver_tables *tables, const cJSON *entry, const char *name)
{
    struct pool *pool = tables->pool;
    const struct run_view *data = tables->data;
    const cJSON *references = json_member(entry, "references");
    struct run_table files = run_table_new(pool, "regret", name);
    struct result *page = &files.page;
    double *regrets = pool_array(pool, data->datasets.count, sizeof *regrets),
           *same = pool_array(pool, data->datasets.count, sizeof *same);
    size_t rows = 0;
    result_title(page, "regret-%s: test error (%%) of reference settings, and of the best settings of the grid", name);
    result_columns(page, "dataset=data set\tsolver\t#splits\t#cells\treference\tchosen_odd=chosen by odd splits\t"
                         "chosen_even=by even splits\t#error_reference=reference\t#error_chosen=chosen\t#6regret="
                         "regret of these patterns\t>#6regret_low\t>#6regret_high\t>#regret_level\t"
                         "#6corrected=for new patterns\t>#6corrected_low\t>#6corrected_high\t>#corrected_level\t"
                         "#same_splits=same splits\t#6p");
    page->heads = 2;
    for (size_t s = 0; s < data->solvers.count; s++) {
        size_t n = 0;
        for (size_t d = 0; d < data->datasets.count; d++) {
            struct cells cells = {.pool = pool_new()};
            const struct records kept = plot_select(cells.pool, data, entry, data->datasets.names[d]);
            cells.all.pool = cells.pool;
            for (size_t i = 0; i < kept.count; i++)
                if (kept.items[i]->solver == data->solvers.names[s])
                    records_add(&cells.all, kept.items[i]);
            if (divide(&cells, references) && cells.n_splits > 1) {
                const struct regret regret =
                    regret_of(&cells, run_info_data(&data->folder->run, data->datasets.names[d]));
                put_regret(&cells, &regret, page);
                regrets[n] = regret.estimate.difference.estimate;
                same[n++] = regret.estimate.means[CANDIDATE] - regret.lowest;
            }
            pool_free(cells.pool);
        }
        if (n > 1)
            put_total(data->solvers.names[s], regrets, same, n, page);
        rows += n;
    }
    describe(page);
    if (rows > 0)
        run_table_write(&files, &(struct run_folders){data->folder, 1}, tables->folder, tables->log);
}
