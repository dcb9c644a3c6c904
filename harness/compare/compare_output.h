/* The output of one or several comparisons: compare.{json,md,tex,csv}, the same for times, figures, and text. */
#ifndef HULLBENCH_COMPARE_OUTPUT_H
#define HULLBENCH_COMPARE_OUTPUT_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "harness/compare/comparisons.h"
#include "harness/figure/render.h"
#include "harness/format/text_table.h"

/* Times depend on the machine and all other results do not, so times go to separate files. */
enum compare_part { COMPARE_COUNTS, COMPARE_TIMES, COMPARE_PARTS };

struct compare_report {
    struct pool *pool; /* of what is written */
    const struct comparison *comparison;
    const struct finding *finding;
    const char *sentence; /* states the finding */
    const char *note;     /* describes what was run; "" if there is nothing to say */
};

/* The first metric of each part; a part ends before the first metric of the next. */
extern const int compare_part_metrics[COMPARE_PARTS + 1];

/* The shown form of a difference of statistics: the ratio whose logarithm it is, or the difference in points. */
double compare_shown_value(enum compare_metric metric, double difference);
struct interval compare_shown(enum compare_metric metric, const struct interval *difference);

/* Fills an empty table: for readers, a row per case and the totals; for programs, a row per metric and case. */
void compare_fill_table(const struct compare_report *report, enum compare_part part, struct text_table *table);
void compare_fill_csv(const struct compare_report *report, enum compare_part part, struct text_table *table);
/* The same as JSON, freed with cJSON_Delete. */
cJSON *compare_json(const struct compare_report *report, enum compare_part part);

/* Writes FOLDER/plots/compare.{dat,gp} and its pictures: the share of the pairs that an arm solves within a multiple of
 * the cost of the better one, in a panel for iterations and one for kernel operations, if they are counted. A run that
 * did not converge never solves its pair. */
void compare_figure_write(struct pool *pool, const struct comparison *comparison, const char *folder,
                          struct figure_sink *sink);

/* Cells of both kinds of tables: "0.887 (95 %: 0.870 to 0.905)" from a difference of logs, "0.023",
 * "0.97/0.03/0.00". */
void compare_cell_interval(struct text_table *table, const struct interval *difference);
void compare_cell_p(struct text_table *table, double p);
void compare_cell_posterior(struct text_table *table, const struct bayes_posterior *posterior);
/* Adds the member "finding". */
void compare_put_finding(cJSON *json, const struct compare_report *report);

/* Writes a single comparison as FOLDER/compare.{json,md,tex,csv}, FOLDER/compare-time.{…} if times can be compared, and
 * the figure FOLDER/plots/compare. Of several it writes FOLDER/compare.{json,md,tex,csv} with a row for each, and their
 * conclusions; and each comparison into FOLDER/compare-1, FOLDER/compare-2 and so on. Creates missing folders. Removes
 * excess files and folders of an earlier call. If pictures cannot be drawn, STATUS_IO after everything else. */
void comparisons_write(const struct comparisons *comparisons, const char *note, const char *folder, int no_render);
/* Prints the tables as Markdown, unless `quiet` is nonzero, and the conclusions. */
void comparisons_print(const struct comparisons *comparisons, const char *note, int quiet, FILE *stream);

#endif
