/*
 * mu and C bound the multipliers, nu is the bound of nu-SVMs, and the added coordinate changes the patterns themselves:
 * each of them changes the minimum. All other parameters, such as the length of a history, change only the path to it.
 */
#include "harness/records/same_problem.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* First parameters, then settings of the stopping rule. All kernel settings belong to the problem. */
static const struct {
    const char *name;
    int parameter, pair, series;
} settings[] = {
    {"mu", 1, 1, 1},     {"C", 1, 1, 1},     {"nu", 1, 1, 0},        {"added", 1, 1, 0},
    {"stop", 0, 0, 1},   {"tolerance", 0, 0, 1},
};
enum { N_SETTINGS = sizeof settings / sizeof *settings, PAIR_DIGITS = 12 };

int is_of_problem(const struct setting *setting, enum problem_rule rule)
{
    if (setting->group == GROUP_KERNEL)
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

/* Two hulls must be reduced by the same mu, even if one is given by mu and the other by C. */
static int pair_agrees(const struct record *a, const struct record *b)
{
    const double mu = a->field[FIELD_MU_EFFECTIVE], other_mu = b->field[FIELD_MU_EFFECTIVE];
    for (size_t i = 0; i < N_SETTINGS && settings[i].parameter; i++) {
        const cJSON *one = json_member(a->params, settings[i].name);
        const cJSON *other = json_member(b->params, settings[i].name);
        if (one && other && !cJSON_Compare(one, other, 1))
            return 0;
    }
    return (isnan(mu) || isnan(other_mu) || mu == other_mu) && cJSON_Compare(a->kernel, b->kernel, 1);
}

static int is_of_kernel(const struct setting *setting)
{
    return setting->group == GROUP_KERNEL;
}

static int is_of_series_problem(const struct setting *setting)
{
    return is_of_problem(setting, PROBLEM_OF_SERIES);
}

static int is_of_series(const struct setting *setting)
{
    return !is_of_series_problem(setting);
}

/* Adds names and values of the settings that `keeps` keeps, in the order of the names; frees `first`. Numbers of less
 * than 17 digits are equal for all that cJSON_Compare takes for equal. */
static char *add_settings(char *first, const struct record *record, int (*keeps)(const struct setting *setting),
                          int digits)
{
    const struct setting **sorted = xcalloc(record->n_settings + 1, sizeof *sorted);
    size_t n = 0;
    char *key = NULL;
    FILE *stream = xopen_text(&key, NULL);
    for (size_t i = 0; i < record->n_settings; i++) {
        size_t place = n;
        if (!keeps(&record->settings[i]))
            continue;
        for (n++; place > 0 && strcmp(sorted[place - 1]->name, record->settings[i].name) > 0; place--)
            sorted[place] = sorted[place - 1];
        sorted[place] = &record->settings[i];
    }
    fputs(first, stream);
    for (size_t i = 0; i < n; i++)
        if (digits < DBL_DECIMAL_DIG && !isnan(sorted[i]->number))
            fprintf(stream, "\n%s\t%.*g", sorted[i]->name, digits, sorted[i]->number);
        else
            fprintf(stream, "\n%s\t%s", sorted[i]->name, sorted[i]->text);
    xclose_text(stream);
    free(sorted);
    free(first);
    return key;
}

char *series_key(const struct record *record)
{
    return add_settings(xstrdup(record->solver), record, is_of_series, DBL_DECIMAL_DIG);
}

char *problem_key(const struct record *record)
{
    /* C has two meanings: C sum xi, or C/2 sum xi^2. Unknown solvers count as linear. */
    const struct solver *solver = solver_find(record->solver);
    char *first = xasprintf("%s\n%zu %d", record->dataset, record->split, solver && solver->square_penalty);
    return add_settings(first, record, is_of_series_problem, DBL_DECIMAL_DIG);
}

int series_shows(const struct record *record, const struct setting *setting, const struct records *records)
{
    for (size_t i = 0; !is_of_series_problem(setting) && i < records->count; i++) {
        const struct record *other = records->items[i];
        const struct setting *same = NULL;
        if (other->solver == record->solver || strcmp(other->solver, record->solver) == 0)
            same = record_setting(other, setting->name);
        if (same && same->text != setting->text && strcmp(same->text, setting->text) != 0)
            return 1;
    }
    return 0;
}

const char *series_label(struct pool *pool, const struct record *record, const struct records *records, int as_choice)
{
    const char *label = record->solver, *before = as_choice ? "[" : ", ";
    for (size_t i = 0; i < record->n_settings; i++) {
        const struct setting *s = &record->settings[i];
        if (!series_shows(record, s, records))
            continue;
        label = pool_printf(pool, "%s%s%s%s%s", label, before, s->name, as_choice ? "=" : " = ", s->text);
        before = as_choice ? "," : before;
    }
    return *before == ',' && as_choice ? pool_printf(pool, "%s]", label) : label;
}

/* The value of a parameter of the problem, or the mu that a split raised it to after the last one; NAN if missing. */
static double problem_parameter(const struct record *record, size_t i)
{
    if (i == N_SETTINGS)
        return record->field[FIELD_MU_EFFECTIVE];
    const cJSON *value =
        settings[i].parameter ? json_member(record->params, settings[i].name) : NULL;
    return cJSON_IsNumber(value) ? value->valuedouble : (double)NAN;
}

unsigned problem_parameters(const struct record *record)
{
    unsigned present = 0;
    for (size_t i = 0; i <= N_SETTINGS; i++)
        present |= !isnan(problem_parameter(record, i)) ? 1u << i : 0;
    return present;
}

char *pair_key(const struct record *record, unsigned parameters)
{
    char *key = xasprintf("%s\n%zu\n%s", record->dataset, record->split, record->split_source);
    for (size_t i = 0; i <= N_SETTINGS; i++) {
        if (!(parameters & 1u << i))
            continue;
        char *longer = xasprintf("%s\n%.*g", key, PAIR_DIGITS, problem_parameter(record, i));
        free(key);
        key = longer;
    }
    return add_settings(key, record, is_of_kernel, PAIR_DIGITS);
}

int same_pair_problem(const struct record *a, const struct record *b)
{
    return compare_training_sets(a, b) == 0 && pair_agrees(a, b);
}

char *problem_name(struct pool *pool, const char *dataset, size_t split, const char *formulation, const char *kernel,
                   const cJSON *params)
{
    char *text = pool_printf(pool, "%s %zu %s %s", dataset, split, formulation, kernel ? kernel : "");
    for (size_t i = 0; i < N_SETTINGS && settings[i].parameter; i++) {
        const cJSON *value = json_member(params, settings[i].name);
        if (cJSON_IsNumber(value))
            text = pool_printf(pool, "%s %s %.17g", text, settings[i].name, value->valuedouble);
    }
    return text;
}
