/* A table of rivals as files. In Markdown and LaTeX a row is a series at a level; CSV and JSON have each data set. */
#include "harness/tables/variants_rows.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "harness/support/file.h"
#include "harness/format/text_table.h"
#include "harness/program/json_writer.h"

static const char *const metric_keys[SERIES_METRICS] = {"iterations", "kernel_operations"};

/* "C = 30", or "μ, 2 of 3" where the data sets have values of their own. */
static void level_text(const struct rivals_table *table, size_t level, char *text, size_t size)
{
    const struct plot_setting *common = NULL;
    int same = 1;
    for (size_t p = 0; p < table->rivals.n_problems; p++) {
        const struct plot_record *record = table->rivals.records[table->rivals.first_of[p]];
        const struct plot_setting *setting = plot_setting_find(record, "mu");
        setting = setting ? setting : plot_setting_find(record, "C");
        if (table->level_of[p] != level)
            continue;
        same = same && setting && (!common || strcmp(common->text, setting->text) == 0);
        common = setting;
    }
    if (same && common)
        snprintf(text, size, "%s = %s", plot_setting_label(common->name), common->text);
    else
        snprintf(text, size, "%s%s%zu of %zu", common ? plot_setting_label(common->name) : "", common ? ", " : "",
                 level + 1, table->n_levels);
}

static void ratio_cell(struct text_table *grid, const struct contrast_total *total)
{
    if (total->n > 0)
        text_table_cell(grid, "%.3f (%.3f to %.3f)", total->ratio.estimate, total->ratio.low, total->ratio.high);
    else
        text_table_cell(grid, "–");
}

static void counts_cell(struct text_table *grid, const struct win_tie_loss *counts)
{
    if (counts->wins + counts->ties + counts->losses > 0)
        text_table_cell(grid, "%zu/%zu/%zu", counts->wins, counts->ties, counts->losses);
    else
        text_table_cell(grid, "–");
}

static void fill_grid(const struct rivals_table *table, struct text_table *grid)
{
    static const char *const header[] = {"solver",           "level",          "data sets", "iterations",
                                         "fewer/alike/more", "by corrected t", "p",         "kernel operations",
                                         "fewer/alike/more", "by corrected t", "p"};
    char level[100];
    grid->columns = sizeof header / sizeof *header;
    text_table_title(grid, "rivals-%s: costs as multiples of those of %s", table->name, table->rivals.labels[0]);
    for (size_t k = 0; k < grid->columns; k++)
        text_table_cell(grid, "%s", header[k]);
    for (size_t r = 0; r < table->n_rows; r++) {
        const struct rivals_row *row = &table->rows[r];
        level_text(table, row->level, level, sizeof level);
        text_table_cell(grid, "%s", table->rivals.labels[row->series]);
        text_table_cell(grid, "%s", level);
        text_table_cell(grid, "%zu", row->total[0].n);
        for (size_t m = 0; m < SERIES_METRICS; m++) {
            ratio_cell(grid, &row->total[m]);
            counts_cell(grid, &row->counts[m][CONTRAST_SIGNED_RANK]);
            counts_cell(grid, &row->counts[m][CONTRAST_CORRECTED_T]);
            text_table_cell(grid, "%.2g", row->total[m].p);
        }
    }
    text_table_footnote(grid,
              "Geometric means over the data sets of the ratio of mean costs over the splits that both ended, with "
              "bootstrap intervals of 95 %%.");
    text_table_footnote(grid,
              "Fewer, more: at 0.05 over the splits by the signed-rank test, and by the corrected resampled t test, "
              "adjusted over the sets by Holm. The splits overlap, which the first does not know.");
    text_table_footnote(grid, "p: signed-rank test of the logarithms of the ratios over the data sets.");
    text_table_footnote(grid, "Kernel operations without the start-up.");
}

/* Empty where it is no number. */
static void csv_number(struct text_table *grid, const char *format, double value)
{
    if (isfinite(value))
        text_table_cell(grid, format, value);
    else
        text_table_cell(grid, "%s", "");
}

static void csv_header(struct text_table *grid)
{
    static const char *const about[] = {"solver", "against", "level", "dataset"};
    static const char *const figures[] = {"n", "ratio",      "ratio_low", "ratio_high",  "effect",
                                          "p", "p_adjusted", "t_p",       "t_p_adjusted"};
    enum { ABOUT = sizeof about / sizeof *about, FIGURES = sizeof figures / sizeof *figures };
    grid->columns = ABOUT + FIGURES * SERIES_METRICS;
    for (size_t k = 0; k < ABOUT; k++)
        text_table_cell(grid, "%s", about[k]);
    for (size_t m = 0; m < SERIES_METRICS; m++)
        for (size_t k = 0; k < FIGURES; k++)
            text_table_cell(grid, "%s_%s", metric_keys[m], figures[k]);
}

static void csv_cell(struct text_table *grid, const struct contrast_row *cell)
{
    text_table_cell(grid, "%zu", cell->n);
    csv_number(grid, "%.15g", cell->ratio.estimate);
    csv_number(grid, "%.6g", cell->ratio.low);
    csv_number(grid, "%.6g", cell->ratio.high);
    csv_number(grid, "%.6g", cell->effect);
    for (int test = 0; test < CONTRAST_TESTS; test++) {
        csv_number(grid, "%.6g", cell->p[test]);
        csv_number(grid, "%.6g", cell->adjusted[test]);
    }
}

static void fill_csv(const struct rivals_table *table, struct text_table *grid)
{
    char level[100];
    csv_header(grid);
    for (size_t r = 0; r < table->n_rows; r++)
        for (size_t d = 0; d < table->data->n_datasets; d++) {
            const struct rivals_row *row = &table->rows[r];
            if (row->cells[0][d].n == 0)
                continue;
            level_text(table, row->level, level, sizeof level);
            text_table_cell(grid, "%s", table->rivals.labels[row->series]);
            text_table_cell(grid, "%s", table->rivals.labels[0]);
            text_table_cell(grid, "%s", level);
            text_table_cell(grid, "%s", table->data->datasets[d]);
            for (size_t m = 0; m < SERIES_METRICS; m++)
                csv_cell(grid, &row->cells[m][d]);
        }
}

static void cell_json(cJSON *sets, const char *dataset, const struct contrast_row *cell)
{
    cJSON *set = json_add_object(sets);
    json_put_text(set, "dataset", dataset);
    json_put_number(set, "n", (double)cell->n);
    json_put_number(set, "ratio", cell->ratio.estimate);
    json_put_rounded(set, "ratio_low", cell->ratio.low);
    json_put_rounded(set, "ratio_high", cell->ratio.high);
    json_put_rounded(set, "effect", cell->effect);
    json_put_rounded(set, "p", cell->p[CONTRAST_SIGNED_RANK]);
    json_put_rounded(set, "p_adjusted", cell->adjusted[CONTRAST_SIGNED_RANK]);
    json_put_rounded(set, "t_p", cell->p[CONTRAST_CORRECTED_T]);
    json_put_rounded(set, "t_p_adjusted", cell->adjusted[CONTRAST_CORRECTED_T]);
}

/* Without "t_" by the signed-rank test, with it by the corrected t. */
static void counts_json(cJSON *metric, const struct rivals_row *row, size_t m)
{
    static const char *const keys[CONTRAST_TESTS][3] = {{"fewer", "alike", "more"}, {"t_fewer", "t_alike", "t_more"}};
    for (int test = 0; test < CONTRAST_TESTS; test++) {
        const struct win_tie_loss *counts = &row->counts[m][test];
        json_put_number(metric, keys[test][0], (double)counts->wins);
        json_put_number(metric, keys[test][1], (double)counts->ties);
        json_put_number(metric, keys[test][2], (double)counts->losses);
    }
}

static void metric_json(cJSON *json, const struct rivals_table *table, const struct rivals_row *row, size_t m)
{
    cJSON *metric = json_put_object(json, metric_keys[m]);
    json_put_rounded(metric, "ratio", row->total[m].ratio.estimate);
    json_put_rounded(metric, "ratio_low", row->total[m].ratio.low);
    json_put_rounded(metric, "ratio_high", row->total[m].ratio.high);
    json_put_rounded(metric, "p", row->total[m].p);
    counts_json(metric, row, m);
    cJSON *sets = json_put_array(metric, "datasets");
    for (size_t d = 0; d < table->data->n_datasets; d++)
        if (row->cells[m][d].n > 0)
            cell_json(sets, table->data->datasets[d], &row->cells[m][d]);
}

static enum status write_json(const struct rivals_table *table, const char *path, struct error *error)
{
    char level[100];
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 1);
    json_put_text(json, "table", "rivals");
    json_put_text(json, "name", table->name);
    json_put_text(json, "against", table->rivals.labels[0]);
    cJSON *rows = json_put_array(json, "rows");
    for (size_t r = 0; r < table->n_rows; r++) {
        cJSON *row = json_add_object(rows);
        level_text(table, table->rows[r].level, level, sizeof level);
        json_put_text(row, "solver", table->rivals.labels[table->rows[r].series]);
        json_put_text(row, "level", level);
        for (size_t m = 0; m < SERIES_METRICS; m++)
            metric_json(row, table, &table->rows[r], m);
    }
    enum status status = json_write(path, json, error);
    cJSON_Delete(json);
    return status;
}

enum status rivals_rows_write(const struct rivals_table *table, const char *folder, FILE *written, struct error *error)
{
    static const char *const endings[] = {"json", "md", "tex", "csv"};
    const enum text_table_form forms[] = {TEXT_TABLE_CSV, TEXT_TABLE_MARKDOWN, TEXT_TABLE_LATEX, TEXT_TABLE_CSV};
    struct text_table text = {0}, flat = {0};
    char path[4096];
    enum status status = STATUS_OK;
    fill_grid(table, &text);
    fill_csv(table, &flat);
    for (int i = 0; i < 4 && status == STATUS_OK; i++) {
        int length = snprintf(path, sizeof path, "%s/tables/rivals-%s.%s", folder, table->name, endings[i]);
        if (length < 0 || (size_t)length >= sizeof path)
            status = error_set(error, STATUS_BAD_INPUT, "%s: the path is too long", folder);
        else if (i == 0)
            status = write_json(table, path, error);
        else
            status = text_table_write(i == 3 ? &flat : &text, forms[i], path, error);
    }
    fprintf(written, "%s/tables/rivals-%s.{json,md,tex,csv}\n", folder, table->name);
    text_table_free(&text);
    text_table_free(&flat);
    return status;
}
