/* The output of a comparison: compare.{json,md,tex,csv}, the same for times, a figure, and text. Several comparisons
 * are in comparisons_output.h. */
#ifndef HULLBENCH_COMPARE_OUTPUT_H
#define HULLBENCH_COMPARE_OUTPUT_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "harness/compare/decision.h"
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

/* Writes FOLDER/compare.{json,md,tex,csv}, FOLDER/compare-time.{…} if times can be compared, and the figure
 * FOLDER/plots/compare. Creates a missing folder. */
void compare_write(const struct compare_report *report, const char *folder, struct figure_sink *sink);

/* Writes FOLDER/plots/compare.{dat,gp} and its pictures: the share of the pairs that an arm solves within a multiple of
 * the cost of the better one, in a panel for iterations and one for kernel operations, if they are counted. A run that
 * did not converge never solves its pair. */
void compare_figure_write(struct pool *pool, const struct comparison *comparison, const char *folder,
                          struct figure_sink *sink);

/* Removes files of an earlier call that this one does not write. For one comparison: the times and figures in the
 * folder. For several: each of FOLDER/compare-FIRST and its successors up to the first gap, with the folders that
 * become empty. */
void compare_remove_details(struct pool *pool, const char *folder);
void compare_remove_several(struct pool *pool, const char *folder, size_t first);

/* Prints the tables as Markdown, followed by the sentence. */
void compare_print(const struct compare_report *report, FILE *stream);

/* Cells of both kinds of tables: "0.887 (95 %: 0.870 to 0.905)" from a difference of logs, "0.023",
 * "0.97/0.03/0.00". */
void compare_cell_interval(struct text_table *table, const struct interval *difference);
void compare_cell_p(struct text_table *table, double p);
void compare_cell_posterior(struct text_table *table, const struct bayes_posterior *posterior);
/* Adds the member "finding". */
void compare_put_finding(cJSON *json, const struct compare_report *report);

#endif
