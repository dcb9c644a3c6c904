/* A table of variants as files. In Markdown and LaTeX a row is a series at a level; CSV and JSON have each data set. */
#include "harness/tables/variants_rows.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/format/text_table.h"
#include "harness/program/json_writer.h"
#include "harness/program/memory.h"

static const char *const metric_keys[SERIES_METRICS] = {"iterations", "kernel_operations"};

/* "C = 30", or "μ, 2 of 3" where the data sets have values of their own. */
static void level_text(const struct variants_table *table, size_t level, char *text, size_t size)
{
    const struct setting *common = NULL;
    int same = 1;
    for (size_t p = 0; p < table->series.n_problems; p++) {
        const struct record *record = table->series.records.items[table->series.first_of[p]];
        const struct setting *setting = record_setting(record, "mu");
        setting = setting ? setting : record_setting(record, "C");
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

static void ratio_cell(struct text_table *text, const struct contrast_total *total)
{
    if (total->n > 0)
        text_table_cell(text, "%.3f (%.3f to %.3f)", total->ratio.estimate, total->ratio.low, total->ratio.high);
    else
        text_table_cell(text, "–");
}

static void counts_cell(struct text_table *text, const struct win_tie_loss *counts)
{
    if (counts->wins + counts->ties + counts->losses > 0)
        text_table_cell(text, "%zu/%zu/%zu", counts->wins, counts->ties, counts->losses);
    else
        text_table_cell(text, "–");
}

static void fill_text(const struct variants_table *table, struct text_table *text)
{
    static const char *const header[] = {"solver",           "level",          "data sets", "iterations",
                                         "fewer/alike/more", "by corrected t", "p",         "kernel operations",
                                         "fewer/alike/more", "by corrected t", "p"};
    char level[100];
    text->columns = sizeof header / sizeof *header;
    text_table_title(text, "rivals-%s: costs as multiples of those of %s", table->name, table->series.labels[0]);
    text_table_cells(text, header, text->columns);
    for (size_t r = 0; r < table->n_rows; r++) {
        const struct variants_row *row = &table->rows[r];
        level_text(table, row->level, level, sizeof level);
        text_table_cell(text, "%s", table->series.labels[row->series]);
        text_table_cell(text, "%s", level);
        text_table_cell(text, "%zu", row->total[0].n);
        for (size_t m = 0; m < SERIES_METRICS; m++) {
            ratio_cell(text, &row->total[m]);
            counts_cell(text, &row->counts[m][CONTRAST_SIGNED_RANK]);
            counts_cell(text, &row->counts[m][CONTRAST_CORRECTED_T]);
            text_table_cell(text, "%.2g", row->total[m].p);
        }
    }
    text_table_footnote(
        text, "Geometric means over the data sets of the ratio of mean costs over the splits that both ended, with "
              "bootstrap intervals of 95 %%.");
    text_table_footnote(
        text, "Fewer, more: at 0.05 over the splits by the signed-rank test, and by the corrected resampled t test, "
              "adjusted over the sets by Holm. The splits overlap, which the first does not know.");
    text_table_footnote(text, "p: signed-rank test of the logarithms of the ratios over the data sets.");
    text_table_footnote(text, "Kernel operations without the start-up.");
}

static void csv_header(struct text_table *text)
{
    static const char *const about[] = {"solver", "against", "level", "dataset"};
    static const char *const figures[] = {"n", "ratio",      "ratio_low", "ratio_high",  "effect",
                                          "p", "p_adjusted", "t_p",       "t_p_adjusted"};
    enum { ABOUT = sizeof about / sizeof *about, FIGURES = sizeof figures / sizeof *figures };
    text->columns = ABOUT + FIGURES * SERIES_METRICS;
    text_table_cells(text, about, ABOUT);
    for (size_t m = 0; m < SERIES_METRICS; m++)
        for (size_t k = 0; k < FIGURES; k++)
            text_table_cell(text, "%s_%s", metric_keys[m], figures[k]);
}

static void csv_cell(struct text_table *text, const struct contrast_row *cell)
{
    text_table_cell(text, "%zu", cell->n);
    text_table_number(text, 15, cell->ratio.estimate);
    text_table_number(text, 6, cell->ratio.low);
    text_table_number(text, 6, cell->ratio.high);
    text_table_number(text, 6, cell->effect);
    for (int test = 0; test < CONTRAST_TESTS; test++) {
        text_table_number(text, 6, cell->p[test]);
        text_table_number(text, 6, cell->adjusted[test]);
    }
}

static void fill_csv(const struct variants_table *table, struct text_table *text)
{
    char level[100];
    csv_header(text);
    for (size_t r = 0; r < table->n_rows; r++)
        for (size_t d = 0; d < table->data->n_datasets; d++) {
            const struct variants_row *row = &table->rows[r];
            if (row->cells[0][d].n == 0)
                continue;
            level_text(table, row->level, level, sizeof level);
            text_table_cell(text, "%s", table->series.labels[row->series]);
            text_table_cell(text, "%s", table->series.labels[0]);
            text_table_cell(text, "%s", level);
            text_table_cell(text, "%s", table->data->datasets[d]);
            for (size_t m = 0; m < SERIES_METRICS; m++)
                csv_cell(text, &row->cells[m][d]);
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
static void counts_json(cJSON *metric, const struct variants_row *row, size_t m)
{
    static const char *const keys[CONTRAST_TESTS][3] = {{"fewer", "alike", "more"}, {"t_fewer", "t_alike", "t_more"}};
    for (int test = 0; test < CONTRAST_TESTS; test++) {
        const struct win_tie_loss *counts = &row->counts[m][test];
        json_put_number(metric, keys[test][0], (double)counts->wins);
        json_put_number(metric, keys[test][1], (double)counts->ties);
        json_put_number(metric, keys[test][2], (double)counts->losses);
    }
}

static void metric_json(cJSON *json, const struct variants_table *table, const struct variants_row *row, size_t m)
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

static cJSON *table_json(const struct variants_table *table)
{
    char level[100];
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 1);
    json_put_text(json, "table", "rivals");
    json_put_text(json, "name", table->name);
    json_put_text(json, "against", table->series.labels[0]);
    cJSON *rows = json_put_array(json, "rows");
    for (size_t r = 0; r < table->n_rows; r++) {
        cJSON *row = json_add_object(rows);
        level_text(table, table->rows[r].level, level, sizeof level);
        json_put_text(row, "solver", table->series.labels[table->rows[r].series]);
        json_put_text(row, "level", level);
        for (size_t m = 0; m < SERIES_METRICS; m++)
            metric_json(row, table, &table->rows[r], m);
    }
    return json;
}

enum status variants_rows_write(const struct variants_table *table, const char *folder, FILE *said, struct error *error)
{
    struct text_table text = {0}, csv = {0};
    char *name = xasprintf("rivals-%s", table->name); /* as users know it */
    cJSON *json = table_json(table);
    fill_text(table, &text);
    fill_csv(table, &csv);
    enum status status = text_table_write_files(folder, name, json, &text, &csv, error);
    fprintf(said, "%s/%s.{json,md,tex,csv}\n", folder, name);
    cJSON_Delete(json);
    text_table_free(&text);
    text_table_free(&csv);
    free(name);
    return status;
}
