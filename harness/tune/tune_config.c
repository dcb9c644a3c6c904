/*
 * Reads a search's configuration. The run's reader reads the members shared with a run: it receives the same object
 * without "tune", but with splits and values of the searched numbers. So both accept and reject the same
 * configurations, with the same messages.
 */
#include "harness/tune/tune_config.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/support/json_reader.h"
#include "harness/support/decimal.h"
#include "harness/tune/cma_es.h"

/* ---- positions and values ---- */

enum { FRACTION_BITS = 20 };

/* The nearest multiple of 2^-20 to x, |x| < 2^30. */
static double log_scale_round(double x)
{
    return ldexp(floor(ldexp(x, FRACTION_BITS) + 0.5), -FRACTION_BITS);
}

/*
 * 2^x to 12 digits, x a multiple of 2^-20. 2^x = 2^w r, w = floor(x), where r is the product of those of 2^(1/2),
 * 2^(1/4), ..., 2^(1/2^20) whose bit is set in x - w. Each of these is the square root of the previous one. Square
 * roots and products are rounded uniquely by IEEE arithmetic; the error of twenty roundings is far below the 12 digits
 * that are kept.
 */
static double log_scale_value(double x)
{
    double whole = floor(x), left = x - whole, root = 2, product = 1;
    for (int bit = 0; bit < FRACTION_BITS; bit++) {
        root = sqrt(root);
        left *= 2;
        if (left >= 1) {
            product *= root;
            left -= 1;
        }
    }
    return round_to_12_digits(ldexp(product, (int)whole));
}

int tune_axis_is_width(const struct tune_axis *axis)
{
    return axis->of_kernel && strcmp(axis->name, "width") == 0;
}

double tune_axis_place(const struct tune_axis *axis, double value)
{
    return axis->logarithmic ? log_scale_round(log2(value)) : value;
}

double tune_axis_value(const struct tune_axis *axis, double place)
{
    return axis->logarithmic ? log_scale_value(place) : round_to_12_digits(place);
}

double tune_axis_part(const struct tune_axis *axis, double place)
{
    return (place - axis->low) / (axis->high - axis->low);
}

void tune_axis_at(const struct tune_axis *axis, double part, double *place, double *value)
{
    double at = axis->low + part * (axis->high - axis->low);
    *place = axis->logarithmic ? log_scale_round(at) : round_to_12_digits(at);
    *value = tune_axis_value(axis, *place);
    if (axis->multiple_of > 0) {
        *value = axis->multiple_of * floor(*value / axis->multiple_of + 0.5);
        *value = fmin(fmax(*value, axis->from), axis->to);
        *place = tune_axis_place(axis, *value);
    }
}

/* ---- the searched numbers ---- */

static const struct solver *solver_of(const cJSON *entry)
{
    const char *name = config_entry_name(entry);
    return name ? solver_find(name) : NULL;
}

/* The kernel's family; NULL: unknown, which the run's reader reports. */
static const struct kernel_family *family_of(const cJSON *json)
{
    const char *type = cJSON_GetStringValue(json_member(json_member(json, "kernel"), "type"));
    return type ? kernel_family_find(type) : NULL;
}

static int is_number(const struct parameter *parameter)
{
    return parameter && (parameter->type == PARAMETER_REAL || parameter->type == PARAMETER_INTEGER);
}

/* Adds the names of the parameters that are numbers, unless the list has them. */
static void add_numbers(struct pool *pool, struct member_texts *names, const struct parameter *const *parameters)
{
    for (size_t i; parameters && *parameters; parameters++) {
        for (i = 0; i < names->count && strcmp(names->item[i], (*parameters)->name) != 0; i++)
            ;
        if (is_number(*parameters) && i == names->count)
            *pool_push(pool, names) = (*parameters)->name;
    }
}

/* Names the numbers of all kernels, the shared ones, and those of the configuration's solvers. */
static _Noreturn void unknown_range(struct pool *pool, const cJSON *json, const char *key,
                                    const struct json_path *place)
{
    struct member_texts names = {0};
    const cJSON *entry = NULL;
    for (const struct member *row = tune_members; row->kind != MEMBER_LAST; row++)
        *pool_push(pool, &names) = row->key;
    for (const struct kernel_family *const *at = kernel_families_all(); *at; at++)
        add_numbers(pool, &names, (*at)->parameters);
    add_numbers(pool, &names, parameters_shared);
    cJSON_ArrayForEach (entry, json_member(json, "solvers"))
        add_numbers(pool, &names, solver_of(entry) ? solver_of(entry)->parameters : NULL);
    *pool_push(pool, &names) = NULL;
    json_die_unknown(place, "key", key, names.item);
}

/* The kernel's parameter; of an unknown kernel, that of any family with this one. NULL: the kernel has none. */
static const struct parameter *of_kernel(const cJSON *json, const char *name)
{
    const struct kernel_family *family = family_of(json);
    const struct kernel_family *const *at = kernel_families_all();
    while (!family && !kernel_family_parameter(*at, name))
        at++;
    return kernel_family_parameter(family ? family : *at, name);
}

/* The parameter as the first solver declares it. */
static const struct parameter *of_solvers(const cJSON *json, const char *name)
{
    const struct parameter *found = NULL;
    const cJSON *entry = NULL;
    cJSON_ArrayForEach (entry, json_member(json, "solvers"))
        if (!found && solver_of(entry))
            found = solver_parameter(solver_of(entry), name);
    for (size_t i = 0; !found && parameters_shared[i]; i++)
        if (strcmp(parameters_shared[i]->name, name) == 0)
            found = parameters_shared[i];
    return found;
}

static void read_range(struct pool *pool, const cJSON *json, const struct parameter *number,
                       const struct json_path *place, struct tune_axis *axis)
{
    static const char *const scales[] = {"linear", "log", NULL}, *const ends[] = {"from", "to"};
    const double max = 1e12; /* keeps C K and distances over widths far from the limits of double */
    const char *scale = cJSON_GetStringValue(json_member(json, "scale"));
    const int usual = number->scale == PARAMETER_LOG;
    const double low = (scale ? strcmp(scale, "log") == 0 : usual) ? 1 / max : -max;
    const struct member members[] = {
        {"from", MEMBER_REAL, FIELD(struct tune_axis, from), MEMBER_REQUIRED, .low = low, .high = max},
        {"to", MEMBER_REAL, FIELD(struct tune_axis, to), MEMBER_REQUIRED, .low = low, .high = max},
        {"scale", MEMBER_CHOICE, FIELD(struct tune_axis, logarithmic), .names = scales, .fallback = usual},
        MEMBERS_END,
    };
    char allowed[160];
    members_read(pool, members, json, place, axis);
    const double values[] = {axis->from, axis->to};
    for (int end = 0; end < 2; end++) {
        parameter_allowed(number, allowed, sizeof allowed);
        if (!parameter_allows(number, values[end]))
            json_die(json_at(place, ends[end]), "%s is out of range; allowed: %s", json_number_to_text(values[end]),
                     allowed);
    }
    if (number->type == PARAMETER_INTEGER)
        axis->multiple_of = number->multiple_of > 0 ? number->multiple_of : 1;
    axis->low = tune_axis_place(axis, axis->from);
    axis->high = tune_axis_place(axis, axis->to);
    if (!(axis->low < axis->high))
        json_die(place, "\"from\" is %s and \"to\" is %s; allowed: \"to\" above \"from\"%s",
                 json_number_to_text(axis->from), json_number_to_text(axis->to),
                 axis->logarithmic ? ", by at least a millionth" : "");
}

/* Refuses a value of a searched number. */
static void refuse_value(const cJSON *object, const char *name, const struct json_path *place)
{
    if (json_member(object, name))
        json_die(json_at(place, name), "the search sets this value; give its range in tune.%s", name);
}

/* Checks that the kernel has the parameter, and no value for it. */
static void check_kernel(struct pool *pool, const cJSON *json, const char *name, const struct json_path *top)
{
    const struct json_path place = *json_at(top, "kernel"), at_type = *json_at(&place, "type");
    const struct kernel_family *family = family_of(json);
    const char *allowed = NULL;
    struct member_texts names = {0};
    if (!family || kernel_family_parameter(family, name)) {
        refuse_value(json_member(json, "kernel"), name, &place);
        return;
    }
    add_numbers(pool, &names, family->parameters);
    for (size_t i = 0; i < names.count; i++)
        allowed = allowed ? pool_printf(pool, "%s, %s", allowed, names.item[i]) : names.item[i];
    json_die(&at_type, "kernel \"%.40s\" has no %s to search%s%s", family->name, name,
             allowed ? "; allowed: " : " and no other parameter", allowed ? allowed : "");
}

/* Checks that every solver has the parameter, with the same meaning of its numbers, and no value for it. */
static void check_parameter(const cJSON *json, struct tune_axis *axis, const struct parameter *first,
                            const struct json_path *top)
{
    const struct json_path general = *json_at(top, "parameters"), solvers = *json_at(top, "solvers");
    const cJSON *entry = NULL;
    size_t which = 0;
    refuse_value(json_member(json, "parameters"), axis->name, &general);
    cJSON_ArrayForEach (entry, json_member(json, "solvers")) {
        const struct json_path at = {.outer = &solvers, .index = which++}, own_values = *json_at(&at, "parameters");
        const struct solver *solver = solver_of(entry);
        const struct parameter *own = solver ? solver_parameter(solver, axis->name) : NULL;
        if (solver && !own)
            json_die(&at, "solver \"%s\" has no parameter \"%s\" to search", solver->name, axis->name);
        if (own && own != first)
            json_die(&at, "solver \"%s\" has another \"%s\"; use a separate search", solver->name, axis->name);
        axis->is_bounded |= own && own->at_most;
        refuse_value(json_member(entry, "parameters"), axis->name, &own_values);
    }
}

static void read_axis(struct pool *pool, const cJSON *json, const cJSON *member, const struct json_path *top,
                      struct tune_axis *axis)
{
    const struct json_path tune = *json_at(top, "tune"), place = *json_at(&tune, member->string);
    const char *name = member->string;
    *axis = (struct tune_axis){.name = name, .of_kernel = kernel_families_know_parameter(name)};
    if (axis->of_kernel)
        check_kernel(pool, json, name, top);
    const struct parameter *number = axis->of_kernel ? of_kernel(json, name) : of_solvers(json, name);
    read_range(pool, member, number, &place, axis);
    if (!axis->of_kernel)
        check_parameter(json, axis, number, top);
}

/* Reads the ranges: parameters of the solvers first, then those of the kernel, each in the order of the file. */
static void read_axes(struct pool *pool, struct tune_config *config, const struct json_path *top)
{
    const cJSON *json = config->json, *member = NULL;
    const struct json_path place = *json_at(top, "tune");
    for (int kernel = 0; kernel < 2; kernel++)
        cJSON_ArrayForEach (member, json_member(json, "tune")) {
            const int is_of_kernel = kernel_families_know_parameter(member->string);
            if (members_find(tune_members, member->string) || kernel != is_of_kernel)
                continue;
            if (!kernel && !is_number(of_solvers(json, member->string)))
                unknown_range(pool, json, member->string, &place);
            if (config->n_axes == TUNE_AXES)
                json_die(&place, "\"%s\" is one range too many; allowed: one or two ranges", member->string);
            read_axis(pool, json, member, top, &config->axes[config->n_axes++]);
        }
    if (config->n_axes == 0)
        json_die(&place, "no range to search; add one or two, such as \"C\" and \"width\"");
}

/* ---- the part for the run's reader ---- */

/* The object as a run's configuration. In place of "tune" it has the splits and the smallest values of the searched
 * numbers, or for `others` the largest value of each bounded one. So the run's reader finds any point at which a
 * parameter would exceed its bound. */
static cJSON *as_run(const struct tune_config *config, int others)
{
    char splits[32];
    cJSON *json = cJSON_Duplicate(config->json, 1), *kernel = json_member(json, "kernel");
    cJSON *parameters = json_member(json, "parameters");
    snprintf(splits, sizeof splits, "1-%zu", config->n_splits);
    cJSON_DeleteItemFromObjectCaseSensitive(json, "tune");
    json_put_text(json, "splits", splits);
    if (!parameters)
        parameters = json_put_object(json, "parameters");
    for (size_t a = 0; a < config->n_axes; a++) {
        const struct tune_axis *axis = &config->axes[a];
        cJSON *object = axis->of_kernel ? kernel : parameters;
        if (cJSON_IsObject(object))
            json_put_number(object, axis->name, others && axis->is_bounded ? axis->to : axis->from);
    }
    return json;
}

/* Refuses lists of values, in the solver's own members or in the general ones, which they replace. */
static void check_single(const struct config *config, const struct json_path *top)
{
    const struct json_path in_solvers = *json_at(top, "solvers");
    for (size_t s = 0; s < config->n_solvers; s++) {
        const struct config_solver *entry = &config->solvers[s];
        const cJSON *json = cJSON_GetArrayItem(json_member(config->json, "solvers"), (int)s);
        const size_t n = solver_count_parameters(entry->solver);
        for (size_t p = 0; p <= n; p++) {
            const struct value_list *list = p < n ? &entry->parameters[p] : &entry->tolerance;
            const char *outer = p < n ? "parameters" : "stop";
            const char *name = p < n ? entry->solver->parameters[p]->name : "tolerance";
            const int is_own = json_member(json_member(json, outer), name) != NULL;
            const struct json_path in_outer = *json_at(is_own ? json_at_index(&in_solvers, s) : top, outer);
            for (size_t i = 0; i < list->count; i++)
                if (list->item[i].values.count != 1)
                    json_die(json_at(&in_outer, name),
                             "has %zu values; expected one value, or a range to search in \"tune\"",
                             list->item[i].values.count);
        }
        for (size_t t = 0; t < s; t++)
            if (config->solvers[t].solver == entry->solver)
                json_die(top, "solver \"%s\" occurs twice", entry->solver->name);
    }
}

/* ---- tune ---- */

/* Reads "middle", or a value for each searched number. */
static void read_start(const cJSON *json, const struct json_path *at, struct tune_config *config)
{
    const char *word = cJSON_GetStringValue(json);
    const int is_middle = !json || (word && strcmp(word, "middle") == 0);
    if (!is_middle && (!cJSON_IsArray(json) || (size_t)cJSON_GetArraySize(json) != config->n_axes))
        json_die(at, "%s is unknown; allowed: \"middle\" or a list of a %s and a %s",
                 json_to_text(json), config->axes[0].name, config->axes[1].name);
    for (size_t a = 0; a < config->n_axes; a++) {
        const struct tune_axis *axis = &config->axes[a];
        const cJSON *item = is_middle ? NULL : cJSON_GetArrayItem(json, (int)a);
        double value;
        tune_axis_at(axis, 0.5, &config->start[a], &value);
        if (item && (!cJSON_IsNumber(item) || !(item->valuedouble >= axis->from && item->valuedouble <= axis->to)))
            json_die(json_at_index(at, a), "%s is out of the range of %s; allowed: %g to %g",
                     json_to_text(item), axis->name, axis->from, axis->to);
        if (item)
            config->start[a] = tune_axis_place(axis, item->valuedouble);
    }
}

const struct member tune_cma_es_members[] = {
    {"generations", MEMBER_COUNT, FIELD(struct tune_config, generations), .low = 1, .high = 10000, .fallback = 50},
    {"population", MEMBER_COUNT, FIELD(struct tune_config, population), .low = 2, .high = CMA_ES_POPULATION_MAX,
     .fallback = CMA_ES_POPULATION},
    {"sigma", MEMBER_REAL, FIELD(struct tune_config, step), MEMBER_ABOVE, .high = 1, .fallback = 0.3},
    {"start", MEMBER_JSON, FIELD(struct tune_config, given.start)},
    MEMBERS_END,
};

static void read_cma_es(struct pool *pool, struct tune_config *config, const struct json_path *place)
{
    const struct json_path at = *json_at(place, "cma-es"), start = *json_at(&at, "start");
    if (config->n_axes != 2)
        json_die(&at, "CMA-ES needs two ranges; use \"grid\" for \"%s\" alone", config->axes[0].name);
    members_read(pool, tune_cma_es_members, config->given.cma_es, &at, config);
    read_start(config->given.start, &start, config);
}

static void read_grid(struct pool *pool, struct tune_config *config, const struct json_path *place)
{
    struct member members[TUNE_AXES + 1] = {{0}};
    const struct json_path at = *json_at(place, "grid");
    for (size_t a = 0; a < config->n_axes; a++)
        members[a] = (struct member){config->axes[a].name, MEMBER_COUNT, FIELD(struct tune_config, grid[a]),
                                     MEMBER_REQUIRED, .low = 2, .high = 200};
    members_read(pool, members, config->given.grid, &at, config);
}

/* Printed values are those of C and kernel width. */
static void read_printed(struct pool *pool, struct tune_config *config, const struct json_path *place)
{
    static const struct member members[] = {
        {"table", MEMBER_TEXT, FIELD(struct tune_config, printed_table), MEMBER_REQUIRED},
        {"C", MEMBER_TEXT, FIELD(struct tune_config, printed_column[0]), MEMBER_REQUIRED},
        {"width", MEMBER_TEXT, FIELD(struct tune_config, printed_column[1]), MEMBER_REQUIRED},
        MEMBERS_END,
    };
    const struct json_path at = *json_at(place, "printed");
    for (size_t a = 0; a < TUNE_AXES; a++)
        if (config->n_axes != TUNE_AXES || strcmp(config->axes[a].name, members[a + 1].key) != 0 ||
            !config->axes[a].logarithmic)
            json_die(&at, "\"printed\" needs exactly the ranges \"C\" and \"width\", on logarithmic scales");
    members_read(pool, members, config->given.printed, &at, config);
}

const struct member tune_members[] = {
    {"splits", MEMBER_COUNT, FIELD(struct tune_config, n_splits), .low = 1, .high = 1000, .fallback = 5},
    {"folds", MEMBER_COUNT, FIELD(struct tune_config, n_folds), .low = 2, .high = 1000, .fallback = 5},
    {"stratified", MEMBER_FLAG, FIELD(struct tune_config, stratified)},
    {"grid", MEMBER_JSON, FIELD(struct tune_config, given.grid)},
    {"cma-es", MEMBER_JSON, FIELD(struct tune_config, given.cma_es)},
    {"printed", MEMBER_JSON, FIELD(struct tune_config, given.printed)},
    MEMBERS_END_OTHERS_IGNORED,
};

size_t tune_grid_size(const struct tune_config *config)
{
    size_t points = config->grid[0];
    for (size_t a = 1; a < config->n_axes; a++)
        points *= config->grid[a];
    return points;
}

struct tune_config *tune_config_parse(struct pool *pool, const char *label, const char *text)
{
    const struct json_path top = {.file = label}, place = *json_at(&top, "tune"), solvers = *json_at(&top, "solvers");
    struct tune_config *config = pool_alloc(pool, sizeof *config);
    const cJSON *entry = NULL;
    size_t which = 0;
    config->json = json_parse(pool, label, text);
    if (!cJSON_IsObject(config->json))
        json_die(&top, "expected an object");
    if (!json_member(config->json, "tune"))
        json_die(&top, "key \"tune\" is missing; it describes the search");
    members_read(pool, tune_members, json_member(config->json, "tune"), &place, config);
    read_axes(pool, config, &top);
    if (config->given.grid)
        read_grid(pool, config, &place);
    if (config->given.cma_es)
        read_cma_es(pool, config, &place);
    if (config->given.printed)
        read_printed(pool, config, &place);
    if (!config->given.grid && !config->given.cma_es)
        json_die(&place, "expected \"grid\" or \"cma-es\"");
    for (const struct member *row = config_members; row->kind != MEMBER_LAST; row++)
        if ((row->flags & CONFIG_ONLY_OF_RUNS) && json_member(config->json, row->key))
            json_die(&top, "unknown key \"%s\", which only runs have", row->key);
    cJSON_ArrayForEach (entry, json_member(config->json, "solvers")) {
        const struct json_path at = {.outer = &solvers, .index = which++};
        const char *name = config_entry_name(entry);
        if (name && strcmp(name, "*") == 0) /* some of "*" may lack what is searched */
            json_die(&at, "a search must name its solvers; \"*\" is only for runs");
    }
    /* The run's reader reads both forms, of which the first is kept. */
    config->config = config_from_json(pool, label, json_keep(pool, as_run(config, 0)));
    (void)config_from_json(pool, label, json_keep(pool, as_run(config, 1)));
    check_single(config->config, &top);
    config->config->text = pool_strdup(pool, text);
    return config;
}

struct tune_config *tune_config_read(struct pool *pool, const char *path)
{
    return tune_config_parse(pool, path, config_file_text(pool, path));
}
