/*
 * The parameter values that verify runs a solver with. First each parameter has its default or, if it has none, a value
 * inside its range; then one parameter after the other moves to the ends of its range while the others stay. Parameters
 * that the user sets keep their values. Ends of magnitude 1e6 or more count as infinite: a real parameter uses 1000, or
 * -30, instead.
 */
#ifndef HULLBENCH_SETTINGS_H
#define HULLBENCH_SETTINGS_H

#include "harness/verify/instance.h"

struct cJSON;

enum { MAX_SETTINGS = 48, SETTING_SIZE = 200 };

struct verify_setting {
    struct parameters parameters;
    char text[SETTING_SIZE]; /* "mu=0.3, selection=free"; "" if the solver has no parameters */
};

/* Fills at most MAX_SETTINGS `settings`, the usual one first, and returns their number. `given`: an object of values by
 * name. A parameter that the solver does not have, or a value that it rejects, is an error (STATUS_BAD_INPUT). */
size_t settings_make(const struct solver *solver, const struct cJSON *given, struct verify_setting *settings);

/* The problem of an instance with a setting: mu is raised to the minimum; for solvers without mu it is 1. */
struct problem setting_problem(const struct verify_setting *setting, const struct solver *solver,
                               const struct instance *instance);

/* The value of a parameter; `otherwise` if the solver does not read it. */
double setting_value(const struct solver *solver, const struct problem *problem, const struct parameter *parameter,
                     double otherwise);

#endif
