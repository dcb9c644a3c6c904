/*
 * The costs of solvers to reach fixed targets (harness/compare/fixed_targets.h): ERT and PAR-10 for each solver and
 * target, over all data sets and for each.
 */
#include <math.h>

#include "harness/compare/fixed_targets.h"
#include "harness/base/die.h"
#include "harness/base/json_writer.h"
#include "harness/tables/run_tables.h"
#include "harness/tables/series_notes.h"

struct runtime_table {
    const char *name; /* the entry's */
    const struct plot_data *data;
    struct fixed_targets targets;
};

/* The data set at an index; NULL, all of them together, at 0. */
static const char *dataset_at(const struct runtime_table *table, size_t at)
{
    return at ? table->data->datasets.names[at - 1] : NULL;
}

static int is_there(const struct runtime_table *table, const char *dataset, size_t target)
{
    return fixed_targets_costs(&table->targets, 0, dataset, target).n > 0;
}

static int any_target(const struct runtime_table *table, const char *dataset)
{
    for (size_t k = 0; k < FIXED_TARGETS; k++)
        if (is_there(table, dataset, k))
            return 1;
    return 0;
}

/* Writes a cell of the text: ERT with the number of runs that reached the target, or PAR-10. */
static void put_cost(struct text_table *text, const struct target_costs *costs, int penalised)
{
    if (costs->n == 0)
        text_table_cell(text, "–");
    else if (penalised)
        text_table_cell(text, "%.3g", costs->penalised);
    else if (costs->reached == 0)
        text_table_cell(text, "∞ (0/%zu)", costs->n);
    else
        text_table_cell(text, "%.3g (%zu/%zu)", costs->ert, costs->reached, costs->n);
}

static void fill_rows(const struct runtime_table *table, const char *dataset, struct text_table *text)
{
    const struct fixed_targets *targets = &table->targets;
    for (int penalised = 0; penalised < 2; penalised++)
        for (size_t s = 0; s < targets->series.n_series; s++) {
            text_table_cell(text, "%s", dataset ? dataset : "all");
            text_table_cell(text, "%s", penalised ? "PAR-10" : "ERT");
            text_table_cell(text, "%s", targets->series.labels[s]);
            for (size_t k = 0; k < FIXED_TARGETS; k++) {
                const struct target_costs costs = fixed_targets_costs(targets, s, dataset, k);
                if (is_there(table, NULL, k))
                    put_cost(text, &costs, penalised);
            }
        }
}

static void fill_text(const struct runtime_table *table, struct text_table *text)
{
    text->columns = 3;
    for (size_t k = 0; k < FIXED_TARGETS; k++)
        text->columns += is_there(table, NULL, k) != 0;
    text_table_title(text, "targets-%s: %s until a relative duality gap is reached", table->name,
                     table->targets.units_known ? "kernel operations / training patterns" : "kernel operations");
    text_table_cells(text, (const char *const[]){"data set", "measure", "solver"}, 3);
    for (size_t k = 0; k < FIXED_TARGETS; k++)
        if (is_there(table, NULL, k))
            text_table_cell(text, "1e-%zu", k + 1);
    for (size_t d = 0; d <= table->data->datasets.count; d++)
        if (any_target(table, dataset_at(table, d)))
            fill_rows(table, dataset_at(table, d), text);
    text_table_footnote(text,
                        "ERT: total cost of all runs up to the target, or up to their end if they did not reach it, "
                        "divided by the number of runs that reached it (in parentheses).");
    text_table_footnote(text, "PAR-10: mean cost; a run that did not reach the target counts as 10 times the largest "
                              "cost of any of these solvers on the problem.");
    text_table_footnote(text, "Kernel operations without the set-up. Points of traces are 5 %% of the iterations "
                              "apart, so costs are overestimated by up to 5 %%.");
    if (table->targets.n_below_stop_rule)
        text_table_footnote(text,
                            "Left out for all solvers: %zu pairs of problem and target that a run missed because its "
                            "stopping rule ended it earlier.",
                            table->targets.n_below_stop_rule);
    if (table->targets.n_untraced)
        text_table_footnote(text, "Left out: %zu problems without a valid trace of every run.",
                            table->targets.n_untraced);
}

/* Writes a row of CSV and an object of JSON for each data set, target and solver. */
static void fill_rest(const struct runtime_table *table, struct text_table *csv, cJSON *rows)
{
    static const char *const header[] = {"dataset", "target", "solver", "n", "reached", "ert", "par10"};
    const struct fixed_targets *targets = &table->targets;
    csv->columns = sizeof header / sizeof *header;
    text_table_cells(csv, header, csv->columns);
    for (size_t at = 0; at < (table->data->datasets.count + 1) * FIXED_TARGETS * targets->series.n_series; at++) {
        const size_t s = at % targets->series.n_series, k = at / targets->series.n_series % FIXED_TARGETS;
        const char *dataset = dataset_at(table, at / targets->series.n_series / FIXED_TARGETS);
        const struct target_costs costs = fixed_targets_costs(targets, s, dataset, k);
        if (costs.n == 0)
            continue;
        text_table_cell(csv, "%s", dataset ? dataset : "all");
        text_table_cell(csv, "1e-%zu", k + 1);
        text_table_cell(csv, "%s", targets->series.labels[s]);
        text_table_cell(csv, "%zu", costs.n);
        text_table_cell(csv, "%zu", costs.reached);
        text_table_number(csv, 12, costs.ert);
        text_table_number(csv, 12, costs.penalised);
        cJSON *row = json_add_object(rows);
        json_put_text(row, "dataset", dataset ? dataset : "all");
        json_put_number(row, "target", fixed_targets[k]);
        json_put_text(row, "solver", targets->series.labels[s]);
        json_put_number(row, "n", (double)costs.n);
        json_put_number(row, "reached", (double)costs.reached);
        json_put_rounded(row, "ert", costs.ert);
        json_put_rounded(row, "par10", costs.penalised);
    }
}

void runtime_table_write(const struct plot_data *data, const cJSON *entry, const char *name, const char *folder,
                         struct table_log *log)
{
    struct runtime_table table = {.name = name, .data = data};
    struct pool *pool = pool_new();
    table.targets = fixed_targets_take(pool, data, entry);
    if (!fixed_targets_obstacle(&table.targets, entry)) {
        struct table_files files = table_files_new(json_new_object());
        json_put_number(files.json, "schema", 1);
        json_put_text(files.json, "table", "targets");
        json_put_text(files.json, "name", name);
        json_put_text(files.json, "unit", table.targets.units_known ? "training patterns" : "kernel operations");
        json_put_number(files.json, "not_asked", (double)table.targets.n_below_stop_rule);
        json_put_number(files.json, "untraced", (double)table.targets.n_untraced);
        fill_text(&table, &files.text);
        series_notes_add(&table.targets.series, &files);
        fill_rest(&table, &files.csv, json_put_array(files.json, "rows"));
        table_files_write(&files, &(struct run_folders){data->folder, 1}, folder, "targets", name, log);
    }
    pool_free(pool);
}
