/* The output of an atlas: atlas.json, tables and figures. */
#ifndef HULLBENCH_ATLAS_OUTPUT_H
#define HULLBENCH_ATLAS_OUTPUT_H

#include "harness/atlas/atlas_results.h"
#include "harness/figure/render.h"
#include "harness/format/text_table.h"

struct cJSON;

/* An atlas and the folder that its files are written to. */
struct atlas_output {
    const struct atlas *atlas;
    const struct atlas_results *results;
    const char *folder;
    struct figure_sink sink;
};

/* Writes atlas.json, atlas.html, tables and plots/ into FOLDER, after removing the files of an earlier atlas. If
 * pictures cannot be drawn, STATUS_IO after everything else. */
void atlas_write(const struct atlas *atlas, const struct atlas_results *results, const char *folder, int no_render);
/* Prints the data behind the numbers and the caveats, as lines for standard output and notes of tables. */
void atlas_print_notes(const struct atlas *atlas, FILE *stream);

/* ---- its parts ---- */

/* The whole atlas, for programs and for the interactive page (docs/formats.md). The caller frees it. */
struct cJSON *atlas_json(const struct atlas *atlas, const struct atlas_results *results);
/* Adds the parts about solvers, targets and costs to a family's object, and to that of the whole. */
void atlas_json_put_findings(struct cJSON *json, const struct atlas_results *results,
                             const struct atlas_family *family);
void atlas_json_put_sweeps(struct cJSON *json, const struct size_growth *growth);
/* Writes FOLDER/atlas.html, the interactive page, from the text of atlas.json. */
void atlas_page_write(struct pool *pool, const char *json, const char *folder);

/* Write the tables of shares and maps; all others. */
void atlas_tables_write(const struct atlas_output *out);
void atlas_findings_tables_write(const struct atlas_output *out);
/* Writes FOLDER/NAME.md and .tex from `page`, and .csv from `csv`; either may be NULL. Then resets the scratch pool,
 * which holds the tables. */
void atlas_write_table(const struct atlas_output *out, const char *name, const struct text_table *page,
                       const struct text_table *csv);
/* Starts a table in the scratch pool; tabs separate the headings, of which the first `heads` name a row. */
struct text_table atlas_table(const struct atlas_output *out, size_t heads, const char *headings);
/* Writes a cell "1.2 [1.1, 1.4]", without brackets if the interval is unknown, "-" if there is no estimate. Numbers are
 * multiplied by `scale` and rounded to `decimals`. */
void atlas_put_interval(struct text_table *table, double scale, int decimals, const struct interval *interval);
/* Writes three cells of a CSV file: estimate, low and high. */
void atlas_put_ends(struct text_table *table, const struct interval *interval);

/* Write the figures: shares within budgets, one for each cost; maps over data sets, one panel per target, and maps of
 * single data sets at one target, one panel per set; costs against the number in which generated data sets differ, one
 * row per cost. */
void atlas_share_figures(struct atlas_output *out);
void atlas_map_figures(struct atlas_output *out);
void atlas_growth_figures(struct atlas_output *out);
/* Writes and draws a figure, and resets the scratch pool. */
void atlas_put_figure(struct atlas_output *out, struct plot_figure *figure);

#endif
