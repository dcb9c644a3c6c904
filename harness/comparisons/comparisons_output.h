/* The output of several comparisons. */
#ifndef HULLBENCH_COMPARISONS_OUTPUT_H
#define HULLBENCH_COMPARISONS_OUTPUT_H

#include "harness/compare/compare_output.h"
#include "harness/comparisons/comparisons.h"

/* Writes FOLDER/compare.{json,md,tex,csv} with a row for each, and their conclusions; and each comparison
 * (compare_output.h) into FOLDER/compare-1, FOLDER/compare-2 and so on. Removes excess folders of an earlier call.
 * `note` is that of a report. */
enum status comparisons_write(const struct comparisons *comparisons, const char *note, const char *folder,
                              int no_render, struct error *error);
/* Prints the rows as Markdown, and the conclusions. */
void comparisons_print(const struct comparisons *comparisons, const char *note, FILE *stream);

#endif
