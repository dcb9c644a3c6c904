/* The registered solvers: one line each. */
#include "solvers/registry.h"

#include <stdio.h>
#include <string.h>

#include "solvers/stopping_rule.h"

#define SOLVERS(X) \
    X(gsk)                   \
    X(mdm)                   \
    X(minkowski_gsk)         \
    X(minkowski_mdm)         \
    X(mu_gsk)                \
    X(minkowski_mu_gsk)      \
    X(mu_mdm)                \
    X(clip_gsk)              \
    X(clip_mdm)              \
    X(minkowski_clip_mdm)    \
    X(wolfe_mnp)             \
    X(projected_gradient)    \
    X(interior_point)        \
    X(low_rank_interior_point) \
    X(ch_mdm)                \
    X(unary_mdm)             \
    X(accelerated_mdm)       \
    X(gilbert)               \
    X(minover)               \
    X(max_minover)           \
    X(soft_max_minover)      \
    X(one_smo)               \
    X(two_smo)               \
    X(svm_light)             \
    X(platt_smo)             \
    X(keerthi_one)           \
    X(second_order_clip_mdm) \
    X(second_order_ch_mdm)   \
    X(cycle_clip_mdm)        \
    X(conjugate_clip_mdm)    \
    X(packed_clip_mdm)       \
    X(second_order_smo)      \
    X(second_order_two_smo)  \
    X(cycle_one_smo)         \
    X(cycle_two_smo)         \
    X(away_fw)               \
    X(pairwise_fw)           \
    X(swap_fw)               \
    X(corrective_fw)         \
    X(conjugate_smo)         \
    X(conjugate_two_smo)     \
    X(packed_smo)            \
    X(packed_second_order_smo) \
    X(planning_ahead_smo)    \
    X(maximum_gain_smo)      \
    X(overshooting_smo)      \
    X(munk)                  \
    X(munk_soft)             \
    X(munk_in_turn)          \
    X(munk_subset)           \
    X(munk_subset_soft)      \
    X(m3)                    \
    X(m3_soft)               \
    X(m3_bias)               \
    X(kernel_adatron)        \
    X(kernel_adatron_soft)

#define DECLARE(name) extern const struct solver solver_##name;
SOLVERS(DECLARE)

#define ADDRESS(name) &solver_##name,
#define ONE(name) +1
enum { BUILT_IN = 0 SOLVERS(ONE) };

/* The built-in solvers, then those that solvers_add appends; NULL from `count` on. */
static struct {
    size_t count;
    const struct solver *solvers[MAX_SOLVERS + 1];
    const struct solver_origin *origins[MAX_SOLVERS];
} registry = {BUILT_IN, {SOLVERS(ADDRESS) NULL}, {NULL}};

static const char *const formulation_names[] = {
    [FORMULATION_NEAREST_POINTS] = "nearest points of hulls",
    [FORMULATION_C_SVM] = "C-SVM dual",
    [FORMULATION_SQUARE_SVM] = "2-SVM dual",
    [FORMULATION_MINIMUM_NORM] = "minimum norm",
    [FORMULATION_NO_BIAS_HARD_MARGIN] = "hard-margin no-bias dual",
    [FORMULATION_NO_BIAS_SVM] = "SVM dual without bias",
};
_Static_assert(sizeof formulation_names / sizeof *formulation_names == FORMULATION_COUNT, "one name each");

const char *formulation_name(enum formulation formulation)
{
    return formulation_names[formulation];
}

size_t solver_count_parameters(const struct solver *solver)
{
    size_t n = 0;
    while (solver->parameters && solver->parameters[n])
        n++;
    return n;
}

int solver_reads(const struct solver *solver, const struct parameter *parameter)
{
    for (size_t p = 0; p < solver_count_parameters(solver); p++)
        if (solver->parameters[p] == parameter)
            return 1;
    return 0;
}

const struct parameter *solver_parameter(const struct solver *solver, const char *name)
{
    for (size_t p = 0; p < solver_count_parameters(solver); p++)
        if (strcmp(solver->parameters[p]->name, name) == 0)
            return solver->parameters[p];
    return NULL;
}

int solvers_know_parameter(const char *name)
{
    for (const struct solver *const *at = registry.solvers; *at; at++)
        if (solver_parameter(*at, name))
            return 1;
    return 0;
}

double solver_ridge(const struct solver *solver, const struct problem *problem)
{
    return solver->square_penalty ? 1 / parameter_get(&problem->parameters, &parameter_c) : 0;
}

const struct solver *const *solvers_all(void)
{
    return registry.solvers;
}

const struct solver *solver_find(const char *name)
{
    const struct solver *const *at = registry.solvers;
    while (*at && strcmp((*at)->name, name) != 0)
        at++;
    return *at;
}

const struct solver_origin *solver_origin(const struct solver *solver)
{
    for (size_t i = BUILT_IN; i < registry.count; i++)
        if (registry.solvers[i] == solver)
            return registry.origins[i];
    return NULL;
}

/* ---- solvers of plugins ---- */

int solver_name_is_fit(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return length > 0 && length <= MAX_SOLVER_NAME && !name[length] && *name != '-';
}

/* The first missing member without which a solver cannot run; NULL if none is missing. */
static const char *missing_member(const struct solver *solver)
{
    return !solver->title           ? "title"
           : !solver->reference     ? "reference"
           : solver->solve_external ? NULL
           : !solver->state_size    ? "state_size"
           : !solver->init          ? "init"
           : !solver->select        ? "select"
           : !solver->update        ? "update"
           : !solver->gap           ? "gap"
           : !solver->alpha         ? "alpha"
                                    : NULL;
}

/* Whether the problem contains C. */
static int needs_penalty(const struct solver *solver)
{
    return solver->square_penalty || solver->formulation == FORMULATION_C_SVM ||
           solver->formulation == FORMULATION_SQUARE_SVM || solver->formulation == FORMULATION_NO_BIAS_SVM;
}

static enum status check_parameters(const struct solver *solver, const char *file, struct error *error)
{
    char where[256];
    size_t count = solver_count_parameters(solver);
    snprintf(where, sizeof where, "%.180s: solver \"%s\"", file, solver->name);
    if (count > MAX_PARAMETERS)
        return error_set(error, STATUS_BAD_INPUT, "%s: %zu parameters; allowed: at most %d",
                         where, count, MAX_PARAMETERS);
    for (size_t p = 0; p < count; p++) {
        const struct parameter *parameter = solver->parameters[p];
        enum status status = parameter_check(parameter, where, error);
        if (status != STATUS_OK)
            return status;
        for (size_t other = 0; other < p; other++)
            if (strcmp(solver->parameters[other]->name, parameter->name) == 0)
                return error_set(error, STATUS_BAD_INPUT, "%s: parameter \"%s\" occurs twice", where,
                                 parameter->name);
        if (parameter->at_most && !solver_reads(solver, parameter->at_most))
            return error_set(error, STATUS_BAD_INPUT,
                             "%s: parameter \"%s\": at_most is not a parameter of the solver", where,
                             parameter->name);
    }
    return STATUS_OK;
}

static enum status check_solver(const struct solver *solver, const char *file, struct error *error)
{
    const unsigned all_stops = (1u << STOP_RULES) - 1;
    if (!solver->name || !solver_name_is_fit(solver->name))
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: solver name \"%.80s\": allowed: at most %d of a-z, 0-9 and -, not beginning "
                         "with -",
                         file, solver->name ? solver->name : "", MAX_SOLVER_NAME);
    const char *missing = missing_member(solver);
    if (missing)
        return error_set(error, STATUS_BAD_INPUT, "%s: solver \"%s\": member %s is NULL", file, solver->name, missing);
    if ((unsigned)solver->formulation >= FORMULATION_COUNT)
        return error_set(error, STATUS_BAD_INPUT, "%s: solver \"%s\": formulation %u is unknown; allowed: below %d",
                         file, solver->name, (unsigned)solver->formulation, FORMULATION_COUNT);
    enum status status = check_parameters(solver, file, error);
    if (status != STATUS_OK)
        return status;
    const struct stop *usual = &solver->default_stop;
    if (solver->stops & ~all_stops || (!solver->stops && !solver->default_rule))
        return error_set(error, STATUS_BAD_INPUT, "%s: solver \"%s\": stops %#x %s", file, solver->name, solver->stops,
                         solver->stops ? "has bits of unknown stopping rules" : "names no stopping rule");
    if (solver->solve_external && solver->stops & (solver->stops - 1))
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: solver \"%s\": stops %#x: expected one rule, because the solver has solve_external", file,
                         solver->name, solver->stops);
    if (solver->default_rule &&
        (!stopping_rule_origin(solver->default_rule) || !stopping_rule_fits(solver->default_rule, solver) ||
         !(usual->tolerance > 0)))
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: solver \"%s\": default_rule is not in the list of stopping rules of a plugin, or does "
                         "not apply to the solver, or default_stop has no tolerance for it",
                         file, solver->name);
    if (usual->tolerance > 0 && !solver->default_rule && !(solver->stops >> usual->rule & 1))
        return error_set(error, STATUS_BAD_INPUT, "%s: solver \"%s\": default_stop %u is not one of its stopping rules",
                         file, solver->name, (unsigned)solver->default_stop.rule);
    if (needs_penalty(solver) && !solver_reads(solver, &parameter_c))
        return error_set(error, STATUS_BAD_INPUT, "%s: solver \"%s\": %s needs the parameter C", file, solver->name,
                         solver->square_penalty ? "a square penalty" : formulation_names[solver->formulation]);
    return STATUS_OK;
}

static enum status check_not_there(const struct solver *solver, const char *file, struct error *error)
{
    const struct solver *there = solver_find(solver->name);
    if (!there)
        return STATUS_OK;
    const struct solver_origin *origin = solver_origin(there);
    return error_set(error, STATUS_BAD_INPUT, "%s: solver \"%s\" already exists, %s%s", file, solver->name,
                     origin ? "from " : "built in", origin ? origin->file : "");
}

enum status solvers_add(const struct solver *const *solvers, const struct solver_origin *origin, struct error *error)
{
    size_t before = registry.count;
    enum status status = STATUS_OK;
    for (; *solvers && status == STATUS_OK; solvers++) {
        status = registry.count < MAX_SOLVERS
                     ? check_solver(*solvers, origin->file, error)
                     : error_set(error, STATUS_BAD_INPUT, "%s: too many solvers; allowed: at most %d",
                                 origin->file, MAX_SOLVERS);
        if (status == STATUS_OK)
            status = check_not_there(*solvers, origin->file, error);
        if (status == STATUS_OK) {
            registry.origins[registry.count] = origin;
            registry.solvers[registry.count++] = *solvers;
        }
    }
    while (status != STATUS_OK && registry.count > before)
        registry.solvers[--registry.count] = NULL;
    return status;
}
