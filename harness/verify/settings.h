/*
 * The values of a solver's parameters that verify runs it with: each at its default or, where it has none, at a value
 * inside its range; then one parameter after the other at the ends of its range, the others as before. A parameter that
 * the user has set keeps that value. Ends of 1e6 and more in size count as infinite: a real parameter takes 1000, or
 * -30, in their place.
 */
#ifndef HULLBENCH_SETTINGS_H
#define HULLBENCH_SETTINGS_H

#include "harness/verify/instance.h"

struct cJSON;

enum { MAX_SETTINGS = 48, SETTING_SIZE = 200 };

struct verify_setting {
    struct parameters parameters;
    char text[SETTING_SIZE]; /* "mu=0.3, selection=free"; "" for a solver without parameters */
};

/* `given`: an object of values by names. Fills MAX_SETTINGS `settings` or fewer, the usual one first; their number in
 * *count. STATUS_BAD_INPUT where the solver has no such parameter, or not that value. */
enum status settings_make(const struct solver *solver, const struct cJSON *given, struct verify_setting *settings,
                          size_t *count, struct error *error);

/* The problem of an instance at a setting: mu is raised to the least there is, and is 1 for solvers without it. */
struct problem setting_problem(const struct verify_setting *setting, const struct solver *solver,
                               const struct instance *instance);

/* The value of a parameter; `otherwise` where the solver does not read it. */
double setting_value(const struct solver *solver, const struct problem *problem, const struct parameter *parameter,
                     double otherwise);

#endif
