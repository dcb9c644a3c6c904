/*
 * Why our results differ from what a paper prints, as data: results/paper/NAME.deviations.json beside the paper's
 * NAME.json, described in docs/verdicts.md.
 */
#ifndef HULLBENCH_DEVIATIONS_H
#define HULLBENCH_DEVIATIONS_H

#include "harness/papers/paper.h"

/* Reads the deviations from the paper. *deviations, freed with cJSON_Delete, is NULL where there is no such file.
 * STATUS_BAD_INPUT names the file, the place, the value and what is allowed; ids of no cell, mark or claim of the paper
 * are refused. */
enum status deviations_read(const struct paper *paper, struct cJSON **deviations, struct error *error);

/* Whether a deviation explains the cell, mark or claim of this id. Accepts NULL deviations. */
int deviations_explain(const struct cJSON *deviations, const char *id);

#endif
