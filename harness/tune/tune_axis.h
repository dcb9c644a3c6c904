/*
 * What is searched: one or two numbers, each a parameter of the kernel or one that every solver of the search reads, on
 * a linear or logarithmic scale. A place on the scale is the value itself, or its logarithm to base 2 as a multiple of
 * 2^-20 (harness/tune/log_scale.h).
 */
#ifndef HULLBENCH_TUNE_AXIS_H
#define HULLBENCH_TUNE_AXIS_H

#include "harness/config/config.h"

struct cJSON;

enum { TUNE_AXES = 2 }; /* at most */

struct tune_axis {
    const char *name;   /* key in "tune", column of files; borrowed from the configuration */
    int of_kernel;      /* nonzero: a parameter of the kernel; else one of the solvers */
    int logarithmic;
    int is_bounded;     /* nonzero: a solver has it at most as large as another of its parameters */
    double multiple_of; /* values are whole multiples of it; 0: any */
    double from, to;    /* values, as given */
    double low, high;   /* their places */
};

/* The ranges among the members of the object "tune": parameters of the solvers first, then those of the kernel, both as
 * they stand there. `keys`: its other members. `json` is the configuration, `top` its place. STATUS_BAD_INPUT where a
 * member is unknown, there are more ranges than TUNE_AXES or none, an end is not allowed, or what is searched has a
 * value already. */
enum status tune_axes_read(const struct cJSON *json, const struct json_path *top, const char *const *keys,
                           struct tune_axis axes[TUNE_AXES], size_t *n_axes, struct error *error);

/* Whether it is the kernel's width, which texts call so. */
int tune_axis_is_width(const struct tune_axis *axis);
/* The place of a value. */
double tune_axis_place(const struct tune_axis *axis, double value);
/* The place at the share `part`, 0 to 1, of the way from low to high, and its value: 12 digits, or a whole multiple,
 * whose place it then is. */
void tune_axis_at(const struct tune_axis *axis, double part, double *place, double *value);
/* The share at which a place is. */
double tune_axis_part(const struct tune_axis *axis, double place);
/* The value at any place, not made a whole multiple, to 12 digits. */
double tune_axis_value(const struct tune_axis *axis, double place);

#endif
