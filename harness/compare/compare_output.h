/* What a comparison is written as: compare.{json,md,tex,csv}, the same of the times apart, a figure, and text. Several
 * comparisons are in harness/comparisons. */
#ifndef HULLBENCH_COMPARE_OUTPUT_H
#define HULLBENCH_COMPARE_OUTPUT_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "harness/compare/decision.h"
#include "harness/format/text_table.h"

/* Times depend on the machine and all else does not, so they have files of their own. */
enum compare_part { COMPARE_COUNTS, COMPARE_TIMES, COMPARE_PARTS };

struct compare_report {
    const struct comparison *comparison;
    struct finding finding;
    const char *sentence; /* of the finding */
    const char *note;     /* of what was run; "" for nothing to say */
};

/* The first metric of each part; those of a part end before the first of the next. */
extern const int compare_part_metrics[COMPARE_PARTS + 1];

/* What is shown of a difference of statistics: the ratio of which it is the logarithm, or the difference in points. */
double compare_shown_value(enum compare_metric metric, double difference);
struct interval compare_shown(enum compare_metric metric, const struct interval *difference);

/* Fills a zeroed grid: a row a case and what they come to, for readers; and a row a metric and case, for programs. */
void compare_fill_table(const struct compare_report *report, enum compare_part part, struct text_table *table);
void compare_fill_csv(const struct compare_report *report, enum compare_part part, struct text_table *table);
/* The same as JSON, freed with cJSON_Delete. */
cJSON *compare_json(const struct compare_report *report, enum compare_part part);

/* Writes FOLDER/compare.{json,md,tex,csv}, FOLDER/compare-time.{…} where times can be compared, and the figure
 * FOLDER/plots/compare, without pictures where no_render is nonzero. The folder is made where it is missing. Pictures
 * that cannot be drawn are STATUS_IO after all else is written. */
enum status compare_write(const struct compare_report *report, const char *folder, int no_render, struct error *error);

/* Writes FOLDER/plots/compare.{dat,gp} and, unless no_render is nonzero, its pictures: the share of the pairs an arm
 * ends within so many times the cost of the better one; a panel for iterations and one for kernel operations, where
 * they are counted. What did not converge is never ended. Pictures that cannot be drawn are STATUS_IO; the rest is
 * written all the same. */
enum status compare_figure_write(const struct comparison *comparison, const char *folder, int no_render,
                                 struct error *error);

/* Removes what an earlier call wrote and this one does not: the times and the figures of a comparison from the
 * folder; and one of several comparisons each from FOLDER/compare-FIRST and those that follow it without a gap, with
 * the folders that are then empty. */
enum status compare_remove_details(const char *folder, struct error *error);
enum status compare_remove_several(const char *folder, size_t first, struct error *error);

/* Draws a figure that was written; STATUS_IO where that cannot be. */
enum status compare_render(const char *plots, const char *name, struct error *error);

/* Prints the tables as Markdown, and the sentence at the end. */
enum status compare_print(const struct compare_report *report, FILE *stream, struct error *error);

/* What both kinds of tables have: "0.887 (0.870 to 0.905)" of a difference of logarithms, "0.023", "0.97/0.03/0.00". */
void compare_cell_interval(struct text_table *table, const struct interval *difference);
void compare_cell_p(struct text_table *table, double p);
void compare_cell_posterior(struct text_table *table, const struct bayes_posterior *posterior);
/* Adds the member "finding". */
void compare_put_finding(cJSON *json, const struct compare_report *report);

#endif
