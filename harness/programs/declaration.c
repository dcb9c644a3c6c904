/*
 * Reads the declaration of a solver that is a program (docs/programs.md). Its members are those of struct solver and
 * struct parameter, which say what they mean (solvers/solver.h, solvers/parameters.h).
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/platform.h"
#include "harness/evaluate/stopping.h"
#include "harness/programs/program.h"
#include "harness/support/file.h"
#include "harness/support/resource.h"
#include "harness/support/sha256.h"

/* ---- members ---- */

struct declared_parameter {
    struct parameter parameter;
    struct member_texts choices;
};
struct declared_parameters LIST_OF(struct declared_parameter);
struct declared_costs LIST_OF(struct kernel_cost);
struct declared_stop {
    const char *rule;
    double tolerance;
};

struct declaration {
    struct program program; /* its solver has what the members below do not say */
    struct declared_parameters parameters;
    struct member_texts stops, properties, command;
    struct declared_stop *default_stop;
    struct declared_costs setup_costs, iteration_costs;
};

const char *const program_formulations[] = {
    [FORMULATION_NEAREST_POINTS] = "nearest-points",
    [FORMULATION_C_SVM] = "c-svm",
    [FORMULATION_SQUARE_SVM] = "2-svm",
    [FORMULATION_MINIMUM_NORM] = "minimum-norm",
    [FORMULATION_NO_BIAS_HARD_MARGIN] = "no-bias-hard-margin",
    [FORMULATION_NO_BIAS_SVM] = "no-bias",
    NULL,
};
static const char *const types[] = {"real", "integer", "choice", "switch", NULL};
static const char *const scales[] = {"linear", "log", NULL};
static const char *const properties[] = {"is_monotone", "may_stall", "ignores_tolerance", "converges_slowly",
                                         "stays_positive", NULL};
static const size_t property_offsets[] = {offsetof(struct solver, is_monotone), offsetof(struct solver, may_stall),
                                          offsetof(struct solver, ignores_tolerance),
                                          offsetof(struct solver, converges_slowly),
                                          offsetof(struct solver, stays_positive)};

#define OF_PARAMETER(field) FIELD(struct declared_parameter, parameter.field)
#define OF_SOLVER(field) FIELD(struct declaration, program.solver.field)
#define OF_PROGRAM(field) FIELD(struct declaration, program.field)

const struct member program_parameter_members[] = {
    {"name", MEMBER_TEXT, OF_PARAMETER(name), MEMBER_REQUIRED,
     .doc = "A key in configurations and records. That of a shared parameter, such as mu or C, stands alone."},
    {"meaning", MEMBER_TEXT, OF_PARAMETER(meaning),
     .doc = "One line for lists; required unless the parameter is shared."},
    {"type", MEMBER_CHOICE, OF_PARAMETER(type), .names = types, .doc = "What its values are."},
    {"choices", MEMBER_TEXTS, FIELD(struct declared_parameter, choices), .doc = "The words of a choice."},
    {"min", MEMBER_REAL, OF_PARAMETER(min), .fallback = -(double)INFINITY,
     .doc = "The least value; without it there is none."},
    {"max", MEMBER_REAL, OF_PARAMETER(max), .fallback = (double)INFINITY,
     .doc = "The largest value; without it there is none."},
    {"min_is_open", MEMBER_FLAG, OF_PARAMETER(min_is_open), .doc = "Values are above min."},
    {"max_is_open", MEMBER_FLAG, OF_PARAMETER(max_is_open), .doc = "Values are below max."},
    {"multiple_of", MEMBER_WHOLE, OF_PARAMETER(multiple_of), .low = 0, .high = 1e9,
     .doc = "An integer is a multiple of this."},
    {"scale", MEMBER_CHOICE, OF_PARAMETER(scale), .names = scales,
     .doc = "How axes and searches space its values."},
    {"default", MEMBER_REAL, OF_PARAMETER(fallback), .fallback = (double)NAN,
     .doc = "The default; of a choice the index of its word, from 0. Without it a value must be given."},
    MEMBERS_END,
};

#define COST(name, text) {#name, MEMBER_COUNT, FIELD(struct kernel_cost, name), .high = 1e9, .doc = text}
const struct member program_cost_members[] = {
    COST(n2, "N^2 times this."),
    COST(n, "N times this."),
    COST(constant, "Plus this."),
    COST(rows_q, "q N times this, q the parameter."),
    COST(rows_nu, "nu N rows of N times this."),
    COST(rows_point, "The rows of an extreme point of a reduced hull times this."),
    COST(norms_point, "The kernel values of its norm times this."),
    {"at_most", MEMBER_FLAG, FIELD(struct kernel_cost, at_most), .doc = "The cost is an upper bound."},
    MEMBERS_END,
};

const struct member program_stop_members[] = {
    {"rule", MEMBER_TEXT, FIELD(struct declared_stop, rule), MEMBER_REQUIRED, .doc = "One of stops."},
    {"tolerance", MEMBER_REAL, FIELD(struct declared_stop, tolerance), MEMBER_REQUIRED | MEMBER_ABOVE, .high = 1e9,
     .doc = "Its tolerance."},
    MEMBERS_END,
};

const struct member program_members[] = {
    {"name", MEMBER_TEXT, OF_SOLVER(name), MEMBER_REQUIRED,
     .doc = "The key in configurations and records."},
    {"title", MEMBER_TEXT, OF_SOLVER(title), MEMBER_REQUIRED, .doc = "One line for lists."},
    {"reference", MEMBER_TEXT, OF_SOLVER(reference), MEMBER_REQUIRED, .doc = "Paper and equations."},
    {"formulation", MEMBER_CHOICE, OF_SOLVER(formulation), MEMBER_REQUIRED,
     .names = program_formulations, .doc = "What it minimises."},
    {"square_penalty", MEMBER_FLAG, OF_SOLVER(square_penalty),
     .doc = "C is the coefficient of a square penalty, and kernel values are those of K + I/C."},
    {"parameters", MEMBER_LIST, FIELD(struct declaration, parameters), .inner = program_parameter_members,
     .inner_size = sizeof(struct declared_parameter), .doc = "In the order in which the program receives them."},
    {"stops", MEMBER_TEXTS, FIELD(struct declaration, stops), MEMBER_REQUIRED | MEMBER_NOT_EMPTY | MEMBER_DISTINCT,
     .doc = "The stopping rules that apply to it (`hullbench list stops`)."},
    {"default_stop", MEMBER_OBJECT, FIELD(struct declaration, default_stop), .inner = program_stop_members,
     .inner_size = sizeof(struct declared_stop), .doc = "The rule if a configuration gives none."},
    {"setup_costs", MEMBER_LIST, FIELD(struct declaration, setup_costs), .inner = program_cost_members,
     .inner_size = sizeof(struct kernel_cost),
     .doc = "Kernel operations of the set-up: each has one of these costs, the usual one first."},
    {"iteration_costs", MEMBER_LIST, FIELD(struct declaration, iteration_costs), .inner = program_cost_members,
     .inner_size = sizeof(struct kernel_cost), .doc = "The same of an iteration."},
    {"properties", MEMBER_TEXTS, FIELD(struct declaration, properties), MEMBER_DISTINCT, .names = properties,
     .doc = "What verify and the harness rely on."},
    {"command", MEMBER_TEXTS, FIELD(struct declaration, command), MEMBER_REQUIRED | MEMBER_NOT_EMPTY,
     .doc = "The program, searched along PATH, and its arguments; it runs in the folder of the declaration."},
    {"step_seconds", MEMBER_REAL, OF_PROGRAM(step_seconds), MEMBER_ABOVE, .high = 1e9, .fallback = 60,
     .doc = "Wall-clock limit of the start and of each step."},
    {"job_seconds", MEMBER_REAL, OF_PROGRAM(job_seconds), MEMBER_ABOVE, .high = 1e9, .fallback = 3600,
     .doc = "Wall-clock limit of a job."},
    MEMBERS_END,
};

/* ---- from the declaration to struct solver; everything lives as long as the program ---- */

static const struct parameter *shared_parameter(const char *name)
{
    for (const struct parameter *const *shared = parameters_shared; *shared; shared++)
        if (strcmp((*shared)->name, name) == 0)
            return *shared;
    return NULL;
}

static const struct parameter *parameter_of(struct declared_parameter *from, const struct json_path *place)
{
    struct parameter *own = &from->parameter;
    const struct parameter *shared = shared_parameter(own->name);
    if (!shared) {
        own->choices = from->choices.count ? from->choices.item : NULL;
        return own;
    }
    if (own->meaning || own->type || own->scale || own->min_is_open || own->max_is_open || isfinite(own->min) ||
        isfinite(own->max) || own->multiple_of > 0 || !isnan(own->fallback) || from->choices.count)
        json_die(place, "\"%s\" is shared by solvers, so only its name can be given", own->name);
    return shared;
}

static enum stop_rule rule_of(const char *name, const struct json_path *place)
{
    const char *names[MAX_STOP_RULES + 1];
    const enum stop_rule rule = stop_rule_find(name);
    stop_rule_names(names);
    names[STOP_RULES] = NULL; /* a plugin's rule names its solvers itself */
    if (rule >= STOP_RULES)
        json_die_unknown(place, "stopping rule", name, names);
    return rule;
}

/* The first cost, and the list of the further ones, which a cost that is not stated ends. */
static struct kernel_cost costs_of(struct pool *pool, const struct declared_costs *from,
                                   const struct kernel_cost **further)
{
    struct kernel_cost *costs = pool_array(pool, from->count + 1, sizeof *costs);
    for (size_t k = 0; k < from->count; k++) {
        costs[k] = from->item[k];
        costs[k].is_stated = 1;
    }
    *further = from->count > 1 ? costs + 1 : NULL;
    return costs[0];
}

/* Completes the solver by what is no member of struct solver in the declaration. */
static void complete(struct pool *pool, struct declaration *declaration, const struct json_path *place)
{
    struct solver *solver = &declaration->program.solver;
    const struct json_path stops = {.outer = place, .key = "stops"},
                           usual = {.outer = place, .key = "default_stop"};
    struct declared_parameters *declared = &declaration->parameters;
    const struct parameter **parameters = pool_array(pool, declared->count + 1, sizeof *parameters);
    for (size_t p = 0; p < declared->count; p++)
        parameters[p] = parameter_of(&declared->item[p], json_at_index(json_at(place, "parameters"), p));
    solver->parameters = parameters;
    for (size_t k = 0; k < declaration->stops.count; k++)
        solver->stops |= 1u << rule_of(declaration->stops.item[k], &(struct json_path){.outer = &stops, .index = k});
    if (declaration->default_stop)
        solver->default_stop = (struct stop){rule_of(declaration->default_stop->rule, &usual),
                                             declaration->default_stop->tolerance};
    solver->setup_cost = costs_of(pool, &declaration->setup_costs, &solver->further_setup_costs);
    solver->iteration_cost = costs_of(pool, &declaration->iteration_costs, &solver->further_iteration_costs);
    for (size_t p = 0; properties[p]; p++)
        if (texts_have(declaration->properties.item, properties[p]))
            *(int *)(void *)((char *)solver + property_offsets[p]) = 1;
}

/* ---- the files ---- */

/* Makes the declaration's SHA-256 that of itself and the files in its folder that the command names, if any. */
static void hash_files(struct pool *pool, const struct program *program, char sha256[65])
{
    struct sha256 hash;
    sha256_begin(&hash);
    sha256_add(&hash, sha256, 64);
    size_t named = 0;
    for (size_t k = 0; program->command[k]; k++) {
        const char *word = program->command[k];
        const char *path = *word == '/' ? word : pool_printf(pool, "%s/%s", program->folder, word);
        char hex[65];
        if (access(path, R_OK) != 0 || file_is_special(path) || (k == 0 && !strchr(word, '/')))
            continue;
        file_sha256(path, hex, NULL);
        sha256_add(&hash, hex, 64);
        named++;
    }
    if (named)
        sha256_end(&hash, sha256);
}

int program_is_declaration(const char *file)
{
    const size_t length = strlen(file);
    return length > 5 && strcmp(file + length - 5, ".json") == 0;
}

/* The variable HULLBENCH_BINDINGS, unless it is set: the folder of the clients for programs (bindings/). */
static void show_bindings(struct pool *pool)
{
    const char *client = resource_find_or_null(pool, "bindings/python/hullbench_solver.py");
    char python[PATH_MAX], bindings[PATH_MAX];
    if (client && setenv("HULLBENCH_BINDINGS", path_folder(path_folder(client, python), bindings), 0) != 0)
        out_of_memory();
}

const struct program *program_read(struct pool *pool, struct solver_origin *origin)
{
    struct declaration *declaration = pool_alloc(pool, sizeof *declaration);
    struct program *program = &declaration->program;
    const struct json_path place = {.file = origin->file};
    program->solver = program_functions; /* the declaration has the rest */
    members_read(pool, program_members, json_read(pool, origin->file), &place, declaration);
    complete(pool, declaration, &place);
    char folder[PATH_MAX]; /* the program is beside the declaration, not beside a link to it */
    char *real = platform_real_path(origin->file);
    program->folder = pool_strdup(pool, path_folder(real ? real : origin->file, folder));
    free(real);
    program->command = declaration->command.item;
    hash_files(pool, program, origin->sha256);
    return program;
}

void program_load(struct solver_origin *origin)
{
    struct pool *pool = pool_new(); /* lives as long as the program */
    const struct program *program = program_read(pool, origin);
    struct error error;
    die_unless_ok(solvers_add((const struct solver *const[]){&program->solver, NULL}, origin, &error), &error);
    show_bindings(pool);
}
