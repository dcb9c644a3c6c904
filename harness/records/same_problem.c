/*
 * mu and C bound the multipliers, nu is the bound of nu-SVMs, and the added coordinate changes the patterns themselves:
 * each of them changes the minimum. All other parameters, such as the length of a history, change only the path to it.
 */
#include "harness/records/same_problem.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/program/memory.h"
#include "solvers/solver.h"

/* First parameters, then settings of the stopping rule. All kernel settings belong to the problem. */
static const struct {
    const char *name;
    int parameter, pair, series;
} settings[] = {
    {"mu", 1, 1, 1},     {"C", 1, 1, 1},     {"nu", 1, 1, 0},        {"added", 1, 1, 0},
    {"stop", 0, 0, 1},   {"tolerance", 0, 0, 1},
};
enum { N_SETTINGS = sizeof settings / sizeof *settings };

int is_of_problem(const struct setting *setting, enum problem_rule rule)
{
    if (setting->of_kernel)
        return 1;
    for (size_t i = 0; i < N_SETTINGS; i++)
        if (strcmp(settings[i].name, setting->name) == 0)
            return rule == PROBLEM_OF_PAIR ? settings[i].pair : settings[i].series;
    return 0;
}

int compare_training_sets(const struct record *a, const struct record *b)
{
    int order = strcmp(a->dataset, b->dataset);
    order = order ? order : (a->split > b->split) - (a->split < b->split);
    return order ? order : strcmp(a->split_source, b->split_source);
}

/* Whether two hulls are reduced by the same mu, even if one is given by mu and the other by C. */
static int reductions_agree(const struct record *a, const struct record *b)
{
    double one, other;
    return !record_number(a, "mu_effective", &one) || !record_number(b, "mu_effective", &other) || one == other;
}

static int pair_agrees(const struct record *a, const struct record *b)
{
    for (size_t i = 0; i < N_SETTINGS && settings[i].parameter; i++) {
        const cJSON *one = cJSON_GetObjectItemCaseSensitive(a->params, settings[i].name);
        const cJSON *other = cJSON_GetObjectItemCaseSensitive(b->params, settings[i].name);
        if (one && other && !cJSON_Compare(one, other, 1))
            return 0;
    }
    return reductions_agree(a, b) && cJSON_Compare(a->kernel, b->kernel, 1);
}

/* Whether b has, with equal values, all settings of a that belong to the problem, or all that do not. */
static int settings_agree(const struct record *a, const struct record *b, int of_problem)
{
    for (size_t i = 0; i < a->n_settings; i++) {
        if (is_of_problem(&a->settings[i], PROBLEM_OF_SERIES) != of_problem)
            continue;
        const struct setting *other = record_setting(b, a->settings[i].name);
        if (!other || other->text != a->settings[i].text)
            return 0;
    }
    return 1;
}

int same_series(const struct record *a, const struct record *b)
{
    return a->solver == b->solver && settings_agree(a, b, 0) && settings_agree(b, a, 0);
}

/* Whether C has the same meaning: C sum xi, or C/2 sum xi^2. Unknown solvers count as linear. */
static int penalties_agree(const struct record *a, const struct record *b)
{
    const struct solver *one = solver_find(a->solver), *other = solver_find(b->solver);
    return (one && one->square_penalty) == (other && other->square_penalty);
}

int same_problem(const struct record *a, const struct record *b, enum problem_rule rule)
{
    if (rule == PROBLEM_OF_PAIR)
        return compare_training_sets(a, b) == 0 && pair_agrees(a, b);
    return a->dataset == b->dataset && a->split == b->split && settings_agree(a, b, 1) && settings_agree(b, a, 1) &&
           penalties_agree(a, b);
}

char *problem_name(const char *dataset, size_t split, const char *formulation, const char *kernel, const char *params)
{
    cJSON *object = params ? cJSON_Parse(params) : NULL;
    char *text = xasprintf("%s %zu %s %s", dataset, split, formulation, kernel ? kernel : "");
    for (size_t i = 0; i < N_SETTINGS && settings[i].parameter; i++) {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, settings[i].name);
        if (!cJSON_IsNumber(value))
            continue;
        char *longer = xasprintf("%s %s %.17g", text, settings[i].name, value->valuedouble);
        free(text);
        text = longer;
    }
    cJSON_Delete(object);
    return text;
}
