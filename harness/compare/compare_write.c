/* Writes the files of one comparison, or of several, and the same to a stream. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/compare/compare_output.h"
#include "harness/compare/value_sweep.h"
#include "harness/base/json_writer.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"

static const char *const names[COMPARE_PARTS] = {[COMPARE_COUNTS] = "compare", [COMPARE_TIMES] = "compare-time"};

static int has_part(const struct compare_report *report, enum compare_part part)
{
    return part == COMPARE_COUNTS || report->comparison->results[COMPARE_SECONDS].n_pairs > 0;
}

static void write_part(const struct compare_report *report, enum compare_part part, const char *folder)
{
    struct text_table table = {.pool = report->pool}, csv = {.pool = report->pool};
    cJSON *json = compare_json(report, part);
    compare_fill_table(report, part, &table);
    if (part == COMPARE_COUNTS)
        text_table_footnote(&table, "%s", report->sentence);
    compare_fill_csv(report, part, &csv);
    text_table_write_files(folder, names[part], json, &table, &csv);
    cJSON_Delete(json);
}

/* ---- files of an earlier call ---- */

static void remove_part(struct pool *pool, enum compare_part part, const char *folder)
{
    static const char *const endings[] = {"json", "md", "tex", "csv"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        file_remove(folder, pool_printf(pool, "%s.%s", names[part], endings[i]));
}

static void remove_figures(struct pool *pool, const char *folder)
{
    const char *plots = pool_printf(pool, "%s/plots", folder);
    file_remove_all(plots, "compare.", "");
    file_remove_all(plots, "compare-sweep", "");
}

static void remove_details(struct pool *pool, const char *folder)
{
    remove_part(pool, COMPARE_TIMES, folder);
    remove_figures(pool, folder);
}

/* Removes each of FOLDER/compare-FIRST and its successors up to the first gap, with the folders that become empty. */
static void remove_several(struct pool *pool, const char *folder, size_t first)
{
    const char *path;
    while (access(path = pool_printf(pool, "%s/compare-%zu", folder, first++), F_OK) == 0) {
        remove_part(pool, COMPARE_COUNTS, path); /* folders with other files stay */
        remove_details(pool, path);
        rmdir(pool_printf(pool, "%s/plots", path));
        file_try_remove(path, ".lock");
        rmdir(path);
    }
}

static void write_one(const struct compare_report *report, const char *folder, struct figure_sink *sink)
{
    struct folder_lock lock = {0};
    folder_make(folder);
    folder_lock_take(&lock, folder);
    for (int part = 0; part < COMPARE_PARTS; part++)
        if (has_part(report, (enum compare_part)part))
            write_part(report, (enum compare_part)part, folder);
        else
            remove_part(report->pool, (enum compare_part)part, folder);
    remove_figures(report->pool, folder);
    compare_figure_write(report->pool, report->comparison, folder, sink);
    folder_lock_release(&lock);
}

static void print_one(const struct compare_report *report, FILE *stream)
{
    for (int part = 0; part < COMPARE_PARTS; part++) {
        struct text_table table = {.pool = report->pool};
        if (!has_part(report, (enum compare_part)part))
            continue;
        compare_fill_table(report, (enum compare_part)part, &table);
        text_table_put(&table, TEXT_TABLE_MARKDOWN, stream);
        fputc('\n', stream);
    }
    if (*report->comparison->arms.without_times)
        fprintf(stream, "%s\n\n", report->comparison->arms.without_times);
    fprintf(stream, "%s\n", report->sentence);
}

/* ---- several comparisons: a table with a row for each, or the reason if two solvers cannot be compared ---- */

static struct compare_report report_at(const struct comparisons *comparisons, size_t i, const char *note)
{
    return (struct compare_report){comparisons->pool, &comparisons->items[i], &comparisons->findings[i],
                                   comparisons->sentences[i], note};
}

/* "-0.12 (95 %: -0.31 to 0.04)", in percentage points */
static void cell_points(struct text_table *table, const struct effect *error)
{
    const struct interval *points = &error->estimate.difference;
    if (error->estimate.n == 0)
        text_table_cell(table, "–");
    else if (isfinite(points->low) && isfinite(points->high))
        text_table_cell(table, "%.2g (%.3g %%: %.2g to %.2g)", points->estimate, 100 * points->level, points->low,
                        points->high);
    else
        text_table_cell(table, "%.2g", points->estimate);
}

static void rows_of_omitted(const struct comparisons *comparisons, struct text_table *table)
{
    for (size_t i = 0; i < comparisons->omitted.count; i++) {
        const struct not_compared *omitted = &comparisons->omitted.item[i];
        text_table_cell(table, "%s", omitted->labels[CANDIDATE]);
        text_table_cell(table, "%s", omitted->labels[BASELINE]);
        text_table_row(table, "–\t–\tcannot be compared");
        for (size_t k = 5; k < table->columns; k++)
            text_table_cell(table, "–");
        text_table_footnote(table, "%s and %s cannot be compared: %s.", omitted->labels[CANDIDATE],
                            omitted->labels[BASELINE], omitted->reason);
    }
}

static void fill_rows(const struct comparisons *comparisons, const char *note, struct text_table *table)
{
    text_table_header(table, 1, "solver\tagainst\tpairs\tfailed\tclaim\tcost\tratio\tp\tlower/equal/higher\t"
                                "error (%)\tp");
    text_table_title(table, "%zu comparisons", comparisons->n + comparisons->omitted.count);
    for (size_t i = 0; i < comparisons->n; i++) {
        const struct comparison *comparison = &comparisons->items[i];
        const struct finding *finding = &comparisons->findings[i];
        text_table_cell(table, "%s", comparison->arms.labels[CANDIDATE]);
        text_table_cell(table, "%s", comparison->arms.labels[BASELINE]);
        text_table_row(table, "%zu\t%zu, %zu\t%s\t%s", comparison->pairing.n_pairs, comparison->failed[BASELINE],
                       comparison->failed[CANDIDATE], claim_name(finding->claim),
                       compare_metric_texts[comparison->cost].title);
        compare_cell_interval(table, &finding->cost.estimate.difference);
        compare_cell_p(table, effect_tested(&finding->cost) ? finding->cost.estimate.adjusted : (double)NAN);
        compare_cell_posterior(table, &finding->cost.estimate.posterior);
        cell_points(table, &finding->error);
        compare_cell_p(table, effect_tested(&finding->error) ? finding->error.estimate.adjusted : (double)NAN);
    }
    rows_of_omitted(comparisons, table);
    if (*note)
        text_table_footnote(table, "%s", note);
    text_table_footnote(table,
                        "Each p is adjusted by Holm over the %zu comparisons; claims use the adjusted p. Intervals, "
                        "each with its level, and lower/equal/higher, the probabilities that the ratio is below, "
                        "within and above the margin, are not adjusted. Failed: runs of the baseline, then of the "
                        "solver, that did not converge.",
                        comparisons->n);
}

static void fill_figures(const struct comparisons *comparisons, struct text_table *table)
{
    text_table_header(table, 1, "comparison\tbaseline\tsolver\tfigure\tmetric\tclaim\tn\teffect\teffect_low\t"
                                "effect_high\tp\tp_adjusted\tp_lower\tp_equivalent\tp_higher\teffect_level");
    for (size_t i = 0; i < comparisons->n; i++) {
        const struct comparison *comparison = &comparisons->items[i];
        struct finding *finding = &comparisons->findings[i];
        for (int f = 0; f < FINDING_FIGURES; f++) {
            const struct finding_figure figure = finding_figure(comparison, finding, f);
            const struct estimate *estimate = &figure.effect->estimate;
            if (figure.effect == &finding->start_up && estimate->n == 0)
                continue;
            const struct interval shown = compare_shown(figure.metric, &estimate->difference);
            const double numbers[] = {shown.estimate,
                                      shown.low,
                                      shown.high,
                                      estimate->p,
                                      estimate->adjusted,
                                      estimate->posterior.lower,
                                      estimate->posterior.equivalent,
                                      estimate->posterior.higher,
                                      shown.level};
            text_table_cell(table, "%zu", i + 1);
            text_table_cells(table, comparison->arms.labels, ARMS);
            text_table_row(table, "%s\t%s\t%s\t%zu", figure.key, compare_metric_texts[figure.metric].key,
                           claim_name(f == 0 ? finding->claim : figure.effect->claim), estimate->n);
            for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
                text_table_number(table, 6, numbers[k]);
        }
    }
}

static void put_picks(cJSON *json, const struct comparisons *comparisons)
{
    cJSON *list = comparisons->picks.count ? json_put_array(json, "sweeps") : NULL;
    for (size_t i = 0; i < comparisons->picks.count; i++) {
        const struct sweep_pick *pick = &comparisons->picks.item[i];
        cJSON *item = json_add_object(list);
        json_put_text(item, "setting", pick->chosen->swept);
        json_put_number(item, "values", (double)pick->values);
        json_put_text(item, "baseline", pick->baseline->text);
        json_put_text(item, "chosen", pick->chosen->text);
        json_put_rounded(item, "ratio_on_odd_splits", exp(pick->log_ratio));
        json_put_text(item, "sentence", pick->sentence);
        if (pick->is_compared) {
            const struct compare_report report = report_at(comparisons->confirmed, pick->at, "");
            compare_put_finding(item, &report);
        } else
            json_put_text(item, "reason", comparisons->confirmed->omitted.item[pick->omitted].reason);
    }
}

static cJSON *comparisons_json(const struct comparisons *comparisons, const char *note)
{
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 2);
    json_put_text(json, "note", note);
    cJSON *list = json_put_array(json, "comparisons");
    for (size_t i = 0; i < comparisons->n; i++) {
        const struct compare_report report = report_at(comparisons, i, note);
        cJSON *item = json_add_object(list);
        json_put_text(item, "folder", pool_printf(comparisons->pool, "compare-%zu", i + 1));
        json_put_text(item, "baseline", report.comparison->arms.labels[BASELINE]);
        json_put_text(item, "solver", report.comparison->arms.labels[CANDIDATE]);
        compare_put_finding(item, &report);
    }
    put_picks(json, comparisons);
    list = comparisons->omitted.count ? json_put_array(json, "not_compared") : NULL;
    for (size_t i = 0; i < comparisons->omitted.count; i++) {
        cJSON *item = json_add_object(list);
        json_put_text(item, "baseline", comparisons->omitted.item[i].labels[BASELINE]);
        json_put_text(item, "solver", comparisons->omitted.item[i].labels[CANDIDATE]);
        json_put_text(item, "reason", comparisons->omitted.item[i].reason);
    }
    return json;
}

static void write_joint(const struct comparisons *comparisons, const char *note, const char *folder)
{
    struct text_table table = {.pool = comparisons->pool}, csv = {.pool = comparisons->pool};
    struct folder_lock lock = {0};
    cJSON *json = comparisons_json(comparisons, note);
    fill_rows(comparisons, note, &table);
    for (size_t i = 0; i < comparisons->n; i++)
        text_table_footnote(&table, "%s", comparisons->sentences[i]);
    for (size_t i = 0; i < comparisons->picks.count; i++)
        text_table_footnote(&table, "%s", comparisons->picks.item[i].sentence);
    fill_figures(comparisons, &csv);
    folder_make(folder);
    folder_lock_take(&lock, folder);
    text_table_write_files(folder, "compare", json, &table, &csv);
    folder_lock_release(&lock);
    cJSON_Delete(json);
}

void comparisons_write(const struct comparisons *comparisons, const char *note, const char *folder, int no_render)
{
    struct pool *pool = comparisons->pool;
    struct figure_sink sink = {.no_render = no_render};
    if (comparisons->n + comparisons->omitted.count == 1) {
        const struct compare_report report = report_at(comparisons, 0, note);
        write_one(&report, folder, &sink);
        figure_sink_end(&sink);
        remove_several(pool, folder, 1);
        return;
    }
    write_joint(comparisons, note, folder);
    remove_details(pool, folder);
    remove_several(pool, folder, comparisons->n + 1);
    sweep_figures_write(comparisons, folder, &sink);
    for (size_t i = 0; i < comparisons->n; i++) { /* a picture that cannot be drawn does not stop the rest */
        const struct compare_report report = report_at(comparisons, i, note);
        write_one(&report, pool_printf(pool, "%s/compare-%zu", folder, i + 1), &sink);
    }
    figure_sink_end(&sink);
}

void comparisons_print(const struct comparisons *comparisons, const char *note, int quiet, FILE *stream)
{
    struct text_table table = {.pool = comparisons->pool};
    const char *gap = quiet ? "" : "\n";
    if (!quiet && comparisons->n + comparisons->omitted.count == 1) {
        const struct compare_report report = report_at(comparisons, 0, note);
        print_one(&report, stream);
        return;
    }
    if (!quiet) {
        fill_rows(comparisons, note, &table);
        text_table_put(&table, TEXT_TABLE_MARKDOWN, stream);
    }
    for (size_t i = 0; i < comparisons->n; i++)
        fprintf(stream, "%s%s\n", gap, comparisons->sentences[i]);
    for (size_t i = 0; i < comparisons->picks.count; i++)
        fprintf(stream, "%s%s\n", gap, comparisons->picks.item[i].sentence);
}
