/* The parameters that solvers share, and functions for all parameters. */
#include "solvers/parameters.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "solvers/kernel/kernel_family.h"

/* 1/C and s^2, summed over patterns and multiplied by the patterns' counts, must stay finite */
#define MIN_C     1e-300
#define MAX_ADDED 1e100
/* 2^53: the largest whole number up to which doubles represent all whole numbers */
#define MAX_WHOLE 9007199254740992.0
#define LETTERS   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static const char *const no_or_yes[] = {"no", "yes", NULL};

const struct parameter parameter_mu = {
    .name = "mu",
    .meaning = "bound of every multiplier in a reduced hull; raised to 1/min(N+, N-) where smaller",
    .min = 0, .min_is_open = 1, .max = 1, .scale = PARAMETER_LOG, .fallback = NAN};

const struct parameter parameter_c = {
    .name = "C",
    .meaning = "penalty of the slacks: C sum xi (linear) or C/2 sum xi^2 (square: K + I/C), depending on the solver",
    .min = MIN_C, .min_is_open = 1, .max = HUGE_VAL, .scale = PARAMETER_LOG, .fallback = NAN};

const struct parameter parameter_nu = {
    .name = "nu",
    .meaning = "fraction of the patterns learned in a step, rounded to a whole number of patterns, at least 1",
    .min = 0, .min_is_open = 1, .max = 1, .fallback = NAN};

const struct parameter parameter_added = {
    .name = "added",
    .meaning = "coordinate s added to every pattern for the bias, which adds s^2 to the kernel; 0: no bias",
    .min = -MAX_ADDED, .min_is_open = 1, .max = MAX_ADDED, .fallback = 1};

const struct parameter parameter_forgetting = {
    .name = "forgetting",
    .meaning = "none (no), of the learned patterns of largest margin (paper), or such that the solver is max-minover "
               "on means of patterns (equivalent)",
    .type = PARAMETER_CHOICE, .choices = (const char *const[]){"no", "paper", "equivalent", NULL},
    .fallback = FORGETTING_PAPER};

const struct parameter parameter_start = {
    .name = "start",
    .meaning = "all multipliers zero (zero), or 1 on the first pattern of each class (first-pair); min(1, C) where C "
               "is a bound",
    .type = PARAMETER_CHOICE, .choices = (const char *const[]){"zero", "first-pair", NULL}, .fallback = START_ZERO};

const struct parameter parameter_history = {
    .name = "history",
    .meaning = "number of earlier updates searched for the same update; 0: none",
    .type = PARAMETER_INTEGER, .min = 0, .max = 4096, .fallback = 45};

const struct parameter parameter_q = {
    .name = "q",
    .meaning = "size of the working set, even",
    .type = PARAMETER_INTEGER, .min = 2, .max = 4096, .multiple_of = 2, .fallback = 10};

const struct parameter parameter_shrinking = {
    .name = "shrinking",
    .meaning = "leave out variables that stay at a bound",
    .type = PARAMETER_SWITCH, .fallback = 1};

const struct parameter parameter_shrink_after = {
    .name = "shrink_after",
    .meaning = "number of iterations that a variable must be optimal at its bound before it is left out",
    .type = PARAMETER_INTEGER, .min = 1, .max = MAX_WHOLE, .fallback = 100};

const struct parameter *const parameters_shared[] = {
    &parameter_mu, &parameter_c, &parameter_nu, &parameter_added, &parameter_forgetting, &parameter_start,
    &parameter_history, &parameter_q, &parameter_shrinking, &parameter_shrink_after, NULL};

/* ---- values ---- */

static size_t place_of(const struct parameters *parameters, const struct parameter *parameter)
{
    size_t i = 0;
    while (i < parameters->count && parameters->set[i].parameter != parameter)
        i++;
    return i;
}

double parameter_get(const struct parameters *parameters, const struct parameter *parameter)
{
    size_t i = place_of(parameters, parameter);
    return i < parameters->count ? parameters->set[i].value : parameter->fallback;
}

void parameter_set(struct parameters *parameters, const struct parameter *parameter, double value)
{
    size_t i = place_of(parameters, parameter);
    assert(i < MAX_PARAMETER_VALUES);
    parameters->set[i].parameter = parameter;
    parameters->set[i].value = value;
    if (i == parameters->count)
        parameters->count++;
}

int parameters_equal(const struct parameters *a, const struct parameters *b)
{
    size_t k = 0;
    while (k < a->count && k < b->count && a->set[k].parameter == b->set[k].parameter &&
           a->set[k].value == b->set[k].value)
        k++;
    return k == a->count && k == b->count;
}

/* ---- allowed values ---- */

const char *const *parameter_words(const struct parameter *parameter)
{
    return parameter->type == PARAMETER_CHOICE   ? parameter->choices
           : parameter->type == PARAMETER_SWITCH ? no_or_yes
                                                 : NULL;
}

static double multiple(const struct parameter *parameter)
{
    if (parameter->type != PARAMETER_INTEGER)
        return 0;
    return parameter->multiple_of > 0 ? parameter->multiple_of : 1;
}

static size_t count_words(const char *const *words)
{
    size_t n = 0;
    while (words[n])
        n++;
    return n;
}

int parameter_allows(const struct parameter *parameter, double value)
{
    const char *const *words = parameter_words(parameter);
    double step = multiple(parameter);
    if (!isfinite(value))
        return 0;
    if (words)
        return value >= 0 && value < (double)count_words(words) && value == floor(value);
    return (parameter->min_is_open ? value > parameter->min : value >= parameter->min) &&
           (parameter->max_is_open ? value < parameter->max : value <= parameter->max) &&
           (step == 0 || value == step * floor(value / step));
}

__attribute__((format(printf, 4, 5)))
static void append(char *text, size_t size, size_t *used, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = *used < size ? vsnprintf(text + *used, size - *used, format, arguments) : 0;
    va_end(arguments);
    *used += length > 0 ? (size_t)length : 0;
}

void parameter_allowed(const struct parameter *parameter, char *text, size_t size)
{
    const char *const *words = parameter_words(parameter);
    double step = multiple(parameter);
    size_t used = 0;
    if (words) {
        for (size_t w = 0; words[w]; w++)
            append(text, size, &used, "%s%s", w ? ", " : "one of ", words[w]);
        return;
    }
    if (step > 1)
        append(text, size, &used, "a multiple of %g", step);
    else
        append(text, size, &used, step > 0 ? "a whole number" : isinf(parameter->min) ? "a number" : "");
    if (!isinf(parameter->min))
        append(text, size, &used, "%s%s %.15g", used ? " " : "", parameter->min_is_open ? "above" : "from",
               parameter->min);
    if (!isinf(parameter->max))
        append(text, size, &used, ", %s %.16g", parameter->max_is_open ? "below" : "at most", parameter->max);
}

int parameter_fault(const struct parameter *parameter, double number, char *text, size_t size)
{
    size_t used = 0;
    if (parameter_allows(parameter, number))
        return 0;
    if (number > parameter->min && number < parameter->max && parameter->multiple_of > 1)
        append(text, size, &used, "not a multiple of %g; allowed: ", parameter->multiple_of);
    else if (number > parameter->min && number < parameter->max)
        append(text, size, &used, "not a whole number; allowed: ");
    else
        append(text, size, &used, "out of range; allowed: ");
    if (used < size)
        parameter_allowed(parameter, text + used, size - used);
    return 1;
}

int parameter_fault_of_bound(const struct parameter *parameter, double number, double bound, char *text, size_t size)
{
    if (number > bound)
        snprintf(text, size, "out of range; allowed: at most %s, which is %g", parameter->at_most->name, bound);
    return number > bound;
}

int parameter_find_word(const struct parameter *parameter, const char *word, double *value)
{
    static const char *const in_json[] = {"false", "true", NULL};
    const char *const *forms[] = {parameter_words(parameter), parameter->type == PARAMETER_SWITCH ? in_json : NULL};
    for (size_t f = 0; f < 2; f++)
        for (size_t w = 0; forms[f] && forms[f][w]; w++)
            if (strcmp(forms[f][w], word) == 0) {
                *value = (double)w;
                return 1;
            }
    return 0;
}

/* ---- declarations ---- */

static int name_is_fit(const char *name)
{
    size_t length = name ? strlen(name) : 0;
    return length > 0 && length <= MAX_PARAMETER_NAME && strchr(LETTERS, *name) &&
           strspn(name + 1, LETTERS "0123456789_") == length - 1;
}

/* Names that already have a meaning where settings are named: members of kernel and stop; dimensions of tables; keys of
 * "tune"; columns of searches; members of records and of their times; columns that exported tables add. */
static int name_is_taken(const struct parameter *parameter)
{
    static const char *const others[] = {
        "type", "rule", "tolerance", "metric", "settings", "splits", "folds", "stratified", "grid", "printed", "sd",
        "not_converged", "schema", "config", "dataset", "split", "split_source", "solver", "params", "kernel", "stop",
        "outcome", "reason", "iterations", "kernel_operations", "kernel_evaluations", "support_vectors",
        "error_percent", "objective", "duality_gap", "kkt_violation", "bias", "feasibility", "mu_effective",
        "mu_floor", "rch_mu", "index", "job", "failed", "seconds", "folder", "record", "n_train", "n_test", "trace"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(parameter->name, others[i]) == 0)
            return 1;
    return 0;
}

/* If the fault is of one word, *word becomes that word, and the fault continues a sentence that begins with it. */
static const char *fault_of_words(const struct parameter *parameter, const char **word)
{
    const char *const *words = parameter->choices;
    if (parameter->type != PARAMETER_CHOICE)
        return words ? "\"choices\" applies only to PARAMETER_CHOICE" : NULL;
    if (!words || count_words(words) < 2)
        return "a choice needs at least two words";
    for (size_t w = 0; words[w]; w++) {
        const size_t length = strlen(words[w]);
        *word = words[w];
        if (length == 0 || strspn(words[w], LETTERS "0123456789-_.") != length)
            return "is invalid; allowed: one or more of a-z, A-Z, 0-9, -, _ and .";
        for (size_t other = 0; other < w; other++)
            if (strcmp(words[w], words[other]) == 0)
                return "occurs twice";
    }
    *word = NULL;
    return NULL;
}

static const char *fault_of_range(const struct parameter *parameter)
{
    if (parameter_words(parameter))
        return NULL;
    if (!(parameter->min <= parameter->max))
        return "min is above max";
    if (parameter->min == parameter->max && (parameter->min_is_open || parameter->max_is_open))
        return "no number is in its range";
    if (parameter->multiple_of < 0 || parameter->multiple_of != floor(parameter->multiple_of))
        return "multiple_of is not a whole number";
    if (parameter->multiple_of > 0 && parameter->type != PARAMETER_INTEGER)
        return "multiple_of applies only to PARAMETER_INTEGER";
    return parameter->scale == PARAMETER_LOG && parameter->min < 0 ? "a logarithmic scale needs a range above 0" : NULL;
}

enum status parameter_check_of_kernel(const struct parameter *parameter, const char *where, struct error *error)
{
    const char *fault = NULL, *word = NULL;
    if (!name_is_fit(parameter->name))
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: parameter name \"%.60s\": allowed: at most %d of a-z, A-Z, 0-9 and _, a letter first",
                         where, parameter->name ? parameter->name : "", MAX_PARAMETER_NAME);
    for (const struct parameter *const *shared = parameters_shared; *shared; shared++)
        if (*shared != parameter && strcmp((*shared)->name, parameter->name) == 0)
            return error_set(error, STATUS_BAD_INPUT,
                             "%s: parameter \"%s\" is shared by solvers: list the constant of <hullbench/solver.h>, or "
                             "use another name",
                             where, parameter->name);
    if ((unsigned)parameter->type >= PARAMETER_TYPES)
        fault = "type is not a parameter type";
    else if (!parameter->meaning || !*parameter->meaning)
        fault = "meaning is missing";
    else if (name_is_taken(parameter))
        fault = "the name has another meaning in settings; use another name";
    else if (!(fault = fault_of_words(parameter, &word)) && !(fault = fault_of_range(parameter)) &&
             !isnan(parameter->fallback) && !parameter_allows(parameter, parameter->fallback))
        fault = "the default (fallback) is not an allowed value";
    if (word)
        return error_set(error, STATUS_BAD_INPUT, "%s: parameter \"%s\": choice \"%.60s\" %s", where, parameter->name,
                         word, fault);
    return fault ? error_set(error, STATUS_BAD_INPUT, "%s: parameter \"%s\": %s", where, parameter->name, fault)
                 : STATUS_OK;
}

enum status parameter_check(const struct parameter *parameter, const char *where, struct error *error)
{
    enum status status = parameter_check_of_kernel(parameter, where, error);
    if (status == STATUS_OK && kernel_families_know_parameter(parameter->name))
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: parameter \"%s\": the name has another meaning in settings; use another name", where,
                         parameter->name);
    return status;
}
