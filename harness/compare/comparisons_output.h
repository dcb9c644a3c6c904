/* The output of several comparisons. */
#ifndef HULLBENCH_COMPARISONS_OUTPUT_H
#define HULLBENCH_COMPARISONS_OUTPUT_H

#include "harness/compare/compare_output.h"
#include "harness/compare/comparisons.h"

/* The report of one of them. `note` describes what was run. */
struct compare_report comparisons_report(const struct comparisons *comparisons, size_t i, const char *note);

/* Writes a single comparison into FOLDER (compare_output.h). Of several it writes FOLDER/compare.{json,md,tex,csv} with
 * a row for each, and their conclusions; and each comparison into FOLDER/compare-1, FOLDER/compare-2 and so on. Removes
 * excess files and folders of an earlier call. If pictures cannot be drawn, STATUS_IO after writing everything else. */
void comparisons_write(const struct comparisons *comparisons, const char *note, const char *folder, int no_render);
/* Prints the tables as Markdown, unless `quiet` is nonzero, and the conclusions. */
void comparisons_print(const struct comparisons *comparisons, const char *note, int quiet, FILE *stream);

#endif
