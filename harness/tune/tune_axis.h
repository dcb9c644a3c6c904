/*
 * The searched numbers: one or two, each a parameter of the kernel or of every solver of the search, on a linear or
 * logarithmic scale. The position on the scale (`place` in code) is the value itself, or its logarithm to base 2 as a
 * multiple of 2^-20 (harness/tune/log_scale.h).
 */
#ifndef HULLBENCH_TUNE_AXIS_H
#define HULLBENCH_TUNE_AXIS_H

#include "harness/base/pool.h"
#include "harness/config/config.h"
#include "harness/support/members.h"

struct cJSON;

enum { TUNE_AXES = 2 }; /* maximum */

struct tune_axis {
    const char *name;   /* key in "tune", column in files; borrowed from the configuration */
    int of_kernel;      /* nonzero: a parameter of the kernel; else one of the solvers */
    int logarithmic;
    int is_bounded;     /* nonzero: some solver bounds it by another of its parameters */
    double multiple_of; /* values are integer multiples of it; 0: any */
    double from, to;    /* values, as given */
    double low, high;   /* their positions */
};

/* Reads the ranges in the object "tune": parameters of the solvers first, then those of the kernel, each in the order
 * of the file. Returns their number. `keys`: its other members. `json` is the configuration, `top` its place. Dies with
 * STATUS_BAD_INPUT if a member is unknown, there are more than TUNE_AXES ranges or none, an end is not allowed, or a
 * searched number already has a value elsewhere. */
size_t tune_axes_read(struct pool *pool, const struct cJSON *json, const struct json_path *top,
                      const char *const *keys, struct tune_axis axes[TUNE_AXES]);

/* Nonzero if it is the kernel's width, which texts call by that name. */
int tune_axis_is_width(const struct tune_axis *axis);
/* The position of a value. */
double tune_axis_place(const struct tune_axis *axis, double value);
/* The position at the share `part`, 0 to 1, of the way from low to high, and its value: rounded to 12 digits, or to an
 * integer multiple, which also sets the position. */
void tune_axis_at(const struct tune_axis *axis, double part, double *place, double *value);
/* The share at which a position lies. */
double tune_axis_part(const struct tune_axis *axis, double place);
/* The value at any position to 12 digits, not rounded to an integer multiple. */
double tune_axis_value(const struct tune_axis *axis, double place);

#endif
