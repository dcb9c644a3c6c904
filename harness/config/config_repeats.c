/*
 * Two entries of "solvers" must not ask for the same measurement. A record names its data set, split, solver,
 * parameters, kernel and stopping rule, but not its budget. Records that agree in all of these cannot be told apart. An
 * entry is therefore rejected if it shares with an earlier one the solver, the stopping rule and, on one data set, the
 * tolerance and a value of each parameter. Splits and kernels hold for the whole configuration and are always shared.
 */
#include <stdio.h>

#include "harness/config/config_reader.h"

/* Nonzero if the two axes share a value for the data set, which is stored in *value. Two unused axes count as equal. */
static int have_in_common(const struct value_list *one, const struct value_list *other, const char *dataset,
                          double *value)
{
    const struct values *a = one->count ? value_list_for(one, dataset) : NULL,
                        *b = other->count ? value_list_for(other, dataset) : NULL;
    if (!a || !b)
        return !a && !b;
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++)
            if (value_list_values_equal(a->value[i], b->value[j])) {
                *value = a->value[i];
                return 1;
            }
    return 0;
}

struct common {
    const char *dataset;
    double parameter[MAX_PARAMETERS], tolerance;
};

static int measure_the_same(const struct config_solver *one, const struct config_solver *other, struct common *common)
{
    if (one->mu_of_c != other->mu_of_c)
        return 0; /* the records of one name C, those of the other mu */
    for (size_t p = 0; p < solver_count_parameters(one->solver); p++)
        if (!have_in_common(&one->parameters[p], &other->parameters[p], common->dataset, &common->parameter[p]))
            return 0;
    return have_in_common(&one->tolerance, &other->tolerance, common->dataset, &common->tolerance);
}

static int budgets_equal(const struct config_solver *a, const struct config_solver *b)
{
    const struct budget *one = &a->budget, *other = &b->budget;
    return one->iterations == other->iterations && one->kernel_operations == other->kernel_operations &&
           one->seconds == other->seconds && a->kernel_matrices == b->kernel_matrices;
}

/* "C 1, start zero, stop kkt 0.001" */
static void print_settings(const struct config_solver *solver, const struct common *common, char *text, size_t size)
{
    size_t used = 0;
    char shown[64];
    for (size_t p = 0; p < solver_count_parameters(solver->solver) && used < size; p++) {
        const struct parameter *parameter = config_solver_parameter(solver, p);
        const char *const *words = parameter_words(parameter);
        used += (size_t)snprintf(text + used, size - used, "%s %s, ", parameter->name,
                                 words ? words[(size_t)common->parameter[p]]
                                       : json_number_to_text(common->parameter[p], shown, sizeof shown));
    }
    if (used < size)
        used += (size_t)snprintf(text + used, size - used, "stop %s", stop_rule_name(solver->stop_rule));
    if (used < size && solver->stop_rule != STOP_ITERATIONS)
        snprintf(text + used, size - used, " %s", json_number_to_text(common->tolerance, shown, sizeof shown));
}

static _Noreturn void refuse(const struct config_reader *reader, size_t first, size_t second,
                             const struct common *common)
{
    const struct config_solver *solvers = reader->config->solvers;
    const struct json_path list = {.outer = &reader->top, .key = "solvers"}, at = {.outer = &list, .index = second};
    char settings[256];
    print_settings(&solvers[second], common, settings, sizeof settings);
    if (budgets_equal(&solvers[first], &solvers[second]))
        json_die(&at, "repeats solvers[%zu]: both run %s with %s on data set %s; remove one, or change a parameter or "
                      "the tolerance",
                 first, solvers[second].solver->name, settings, common->dataset);
    json_die(&at, "differs from solvers[%zu] only in its \"budget\", which records do not contain: both run %s with %s "
                  "on data set %s; change a parameter or the tolerance, or use two configurations",
             first, solvers[second].solver->name, settings, common->dataset);
}

void config_check_repeats(const struct config_reader *reader)
{
    const struct config *config = reader->config;
    for (size_t second = 1; second < config->n_solvers; second++)
        for (size_t first = 0; first < second; first++) {
            const struct config_solver *one = &config->solvers[first], *other = &config->solvers[second];
            if (one->solver != other->solver || one->stop_rule != other->stop_rule)
                continue;
            for (size_t d = 0; d < config->n_datasets; d++) {
                struct common common = {.dataset = config->datasets[d].name};
                if (measure_the_same(one, other, &common))
                    refuse(reader, first, second, &common);
            }
        }
}
