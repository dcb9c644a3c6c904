/* Counts what several comparisons leave out of their folders. */
#ifndef HULLBENCH_LEFT_OUT_H
#define HULLBENCH_LEFT_OUT_H

#include "harness/compare/comparisons.h"

/* For comparisons of folders of which at least one could be made. */
struct left_out left_out_count(const struct comparisons *comparisons);

#endif
