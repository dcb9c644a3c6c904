/*
 * Parameters of solvers. A parameter is a constant that gives its name, its meaning and the values it may have. A
 * solver lists the parameters that it reads (struct solver); they are not registered anywhere else. Configurations,
 * options, help texts, records, tables and figures use that list.
 *
 * Parameters that several solvers read, or that belong to the problem itself, are declared here. A solver's own
 * parameters are declared in its file:
 *
 *     static const struct parameter lazy = {
 *         .name = "lazy", .meaning = "steps between two searches of all patterns",
 *         .type = PARAMETER_INTEGER, .min = 0, .max = 1000, .fallback = 0};
 *     ...
 *         .parameters = PARAMETERS(&parameter_mu, &lazy),
 *
 * and are read in init by parameter_get(&problem->parameters, &lazy).
 */
#ifndef HULLBENCH_PARAMETERS_H
#define HULLBENCH_PARAMETERS_H

#include <stddef.h>

#include "solvers/error.h"

enum parameter_type {
    PARAMETER_REAL,
    PARAMETER_INTEGER,
    PARAMETER_CHOICE, /* one of several words; the value is the index of the word, from 0 */
    PARAMETER_SWITCH, /* no (0) or yes (1); false and true in JSON */
    PARAMETER_TYPES
};
/* How the axis of a figure, or a search, spaces the values of a numeric parameter. */
enum parameter_scale { PARAMETER_LINEAR, PARAMETER_LOG };

/* Maximum number of parameters of a solver, of values in one set, and of letters in a name. */
enum { MAX_PARAMETERS = 16, MAX_PARAMETER_VALUES = 24, MAX_PARAMETER_NAME = 30 };

struct parameter {
    const char *name;    /* key in configurations and records: a-z, A-Z, 0-9 and _, beginning with a letter. Names
                          * that have a meaning there, in tables, in "tune" or in exported tables are not allowed */
    const char *meaning; /* one line for `hullbench list parameters` */
    enum parameter_type type;
    const char *const *choices; /* PARAMETER_CHOICE: at least two different words of a-z, A-Z, 0-9, -, _ and .,
                                 * NULL-terminated */
    double min, max;            /* range of a number; may be infinite */
    int min_is_open, max_is_open; /* nonzero: the end of the range is excluded */
    double multiple_of;         /* PARAMETER_INTEGER: a multiple of this; 0 means 1 */
    enum parameter_scale scale;
    double fallback;            /* default value; NAN: a value is mandatory */
    const struct parameter *at_most; /* another parameter of the solver that bounds this one from above; or NULL */
};

/* A NULL-terminated list, for struct solver. */
#define PARAMETERS(...) ((const struct parameter *const[]){__VA_ARGS__, NULL})

/* Values of some parameters. When zeroed, no parameter is set. */
struct parameters {
    size_t count;
    struct {
        const struct parameter *parameter;
        double value;
    } set[MAX_PARAMETER_VALUES];
};

/* The value that was set, or the fallback. */
double parameter_get(const struct parameters *parameters, const struct parameter *parameter);
/* Sets or changes a value. Up to MAX_PARAMETER_VALUES parameters can be set. */
void parameter_set(struct parameters *parameters, const struct parameter *parameter, double value);

/* Whether the same parameters are set, in the same order, to the same values. */
int parameters_equal(const struct parameters *a, const struct parameters *b);

/* The words of a choice or a switch, NULL-terminated; NULL for a number. */
const char *const *parameter_words(const struct parameter *parameter);
/* Whether a number, or the index of a word, is allowed. */
int parameter_allows(const struct parameter *parameter, double value);
/* Writes the allowed values to text: "above 0, at most 1", "a whole number from 0, at most 4096", "one of no, yes". */
void parameter_allowed(const struct parameter *parameter, char *text, size_t size);
/* Whether a number is not allowed; if so, writes why to `text`: "out of range; allowed: above 0, at most 1". */
int parameter_fault(const struct parameter *parameter, double number, char *text, size_t size);
/* Whether `word` is one of the parameter's words, or "true" or "false" for a switch; *value becomes its index. */
int parameter_find_word(const struct parameter *parameter, const char *word, double *value);
/* The same fault of a number above the value of parameter->at_most. */
int parameter_fault_of_bound(const struct parameter *parameter, double number, double bound, char *text, size_t size);
/* STATUS_BAD_INPUT if the declaration is invalid: a bad name, no meaning, an empty range, a fallback outside the range.
 * The message begins with `where`. */
enum status parameter_check(const struct parameter *parameter, const char *where, struct error *error);
/* The same for a parameter of a kernel, which may share its name with a parameter of another kernel. */
enum status parameter_check_of_kernel(const struct parameter *parameter, const char *where, struct error *error);

/* Parameters that several solvers share. */
extern const struct parameter parameter_mu;      /* upper bound on every multiplier in a reduced hull */
extern const struct parameter parameter_c;       /* C: penalty of the slacks */
extern const struct parameter parameter_nu;      /* fraction of the patterns that make up a point of a reduced hull */
extern const struct parameter parameter_added;   /* coordinate appended to every pattern for the bias */
extern const struct parameter parameter_forgetting; /* enum forgetting */
extern const struct parameter parameter_start;   /* enum start */
extern const struct parameter parameter_history; /* number of past updates searched for cycles */
extern const struct parameter parameter_q;       /* size of the working set */
extern const struct parameter parameter_shrinking;
extern const struct parameter parameter_shrink_after;

enum start { START_ZERO, START_FIRST_PAIR };
enum forgetting { FORGETTING_NO, FORGETTING_PAPER, FORGETTING_EQUIVALENT };

/* Nonzero if MinOver's printed forgetting may move W out of the reduced hull: some multiplier above 1/K. */
static inline int parameters_may_leave_hull(const struct parameters *parameters)
{
    return parameter_get(parameters, &parameter_forgetting) == (double)FORGETTING_PAPER;
}

/* NULL-terminated: the shared parameters, whose names no other parameter may have. */
extern const struct parameter *const parameters_shared[];

#endif
