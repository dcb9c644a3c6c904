/*
 * hullbench list: the names that a configuration can use. Each list makes a JSON object for each element, which
 * docs/formats.md describes, and the table for readers is printed from these objects.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/base/terminal.h"
#include "harness/cli/cli.h"
#include "harness/data/manifest.h"
#include "harness/evaluate/stopping.h"
#include "harness/run/run_info.h"
#include "solvers/registry.h"
#include "solvers/unknown_name.h"

enum { LINE_WIDTH = 80 };

/* A list that is being printed. */
struct listing {
    struct pool *pool;
    int is_json, is_long;
    void (*print)(const struct listing *listing, const cJSON *element);
    int indent; /* of the line about the plugin */
    size_t count;
    struct error first; /* the first error of an element, which the list does not stop at */
};

static double number_at(const cJSON *object, const char *key)
{
    return cJSON_GetNumberValue(json_member(object, key));
}

/* Prints the element and deletes it. */
static void list_element(struct listing *listing, cJSON *element)
{
    char *line = listing->is_json ? json_line(element) : NULL;
    const char *plugin = json_text(json_member(element, "origin"), "file");
    if (line)
        printf("%s%s", listing->count ? ",\n" : "[\n", line);
    else
        listing->print(listing, element);
    if (!line && plugin)
        printf("%*sfrom %s\n", listing->indent, "", plugin);
    listing->count++;
    free(line);
    cJSON_Delete(element);
}

/* Prints a text whose lines begin at column `indent`; the first one has `column` columns already. */
static void print_text(const char *text, int column, int indent)
{
    column += printf("%*s", column < indent ? indent - column : 1, "");
    terminal_print_column(stdout, text, (size_t)column, (size_t)indent);
}

/* Prints a text that is cut to end at LINE_WIDTH if it begins at `column`. */
static void print_cut(const char *text, size_t column)
{
    size_t room = LINE_WIDTH - column;
    if (strlen(text) <= room) {
        puts(text);
        return;
    }
    room -= strlen("...");
    while (((unsigned char)text[room] & 0xc0) == 0x80) /* within a character of UTF-8 */
        room--;
    printf("%.*s...\n", (int)room, text);
}

/* An element with a name and a description, which is `key`. */
static cJSON *new_element(const char *name, const char *key, const char *text)
{
    cJSON *json = json_new_object();
    json_put_text(json, "name", name);
    json_put_text(json, key, text);
    return json;
}

static void put_origin(cJSON *json, const struct solver_origin *origin)
{
    if (!origin) {
        json_put_null(json, "origin");
        return;
    }
    cJSON *from = json_put_object(json, "origin");
    json_put_text(from, "file", origin->file);
    json_put_text(from, "sha256", origin->sha256);
}

/* ---- solvers ---- */

static void add_cost(cJSON *list, const struct kernel_cost *cost)
{
    const struct json_number rows[] = {
        {"n2", cost->n2}, {"n", cost->n}, {"constant", cost->constant}, {"rows_q", cost->rows_q},
        {"rows_nu", cost->rows_nu}, {"rows_point", cost->rows_point}, {"norms_point", cost->norms_point},
        {"rows_cycle", cost->rows_cycle}, {"values_cycle", cost->values_cycle}};
    cJSON *json = json_add_object(list);
    json_put_bool(json, "at_most", (int)cost->at_most);
    json_put_numbers(json, rows, sizeof rows / sizeof *rows);
}

static void put_costs(cJSON *json, const char *key, const struct kernel_cost *cost, const struct kernel_cost *further)
{
    cJSON *list = json_put_array(json, key);
    if (cost->is_stated)
        add_cost(list, cost);
    for (; further && further->is_stated; further++)
        add_cost(list, further);
}

/* The problem in one word, and where the method begins. */
#define SHORT_SOLVER "%-23s %-8s "
enum { METHOD_COLUMN = 33 };

static const char *problem_of(const char *formulation)
{
    static const char *const words[] = {
        [FORMULATION_NEAREST_POINTS] = "hulls",        [FORMULATION_C_SVM] = "C-SVM",
        [FORMULATION_SQUARE_SVM] = "2-SVM",            [FORMULATION_MINIMUM_NORM] = "min-norm",
        [FORMULATION_NO_BIAS_HARD_MARGIN] = "no-bias", [FORMULATION_NO_BIAS_SVM] = "no-bias"};
    size_t f = 0;
    while (strcmp(formulation_name((enum formulation)f), formulation) != 0)
        f++;
    return words[f];
}

static void list_solvers(struct listing *listing)
{
    if (!listing->is_json && listing->is_long)
        printf("%-24s formulation\n    method\n    source\n    parameters\n", "solver");
    else if (!listing->is_json)
        printf(SHORT_SOLVER "%s\n", "solver", "problem", "method (--long: sources and parameters)");
    for (const struct solver *const *each = solvers_all(); *each; each++) {
        const struct solver *solver = *each;
        const struct stop usual = stop_usual(solver);
        const struct {
            const char *key;
            int value;
        } flags[] = {{"is_monotone", solver->is_monotone}, {"may_stall", solver->may_stall},
                     {"converges_slowly", solver->converges_slowly}, {"counts_steps", solver->counts_steps},
                     {"stays_positive", solver->stays_positive},
                     {"solves_externally", solver->solve_external != NULL}};
        cJSON *json = new_element(solver->name, "title", solver->title);
        json_put_text(json, "reference", solver->reference);
        json_put_text(json, "formulation", formulation_name(solver->formulation));
        json_put_bool(json, "square_penalty", solver->square_penalty);
        cJSON_AddItemToObject(json, "parameters", run_info_parameters(solver));
        cJSON *stops = json_put_array(json, "stops");
        for (enum stop_rule r = 0; stop_rule_name(r); r = stop_rule_next(r))
            if (stop_rule_fits(r, solver))
                json_add_text(stops, stop_rule_name(r));
        cJSON *stop = json_put_object(json, "default_stop");
        json_put_text(stop, "rule", stop_rule_name(usual.rule));
        if (usual.rule != STOP_ITERATIONS)
            json_put_number(stop, "tolerance", usual.tolerance);
        put_costs(json, "setup_costs", &solver->setup_cost, solver->further_setup_costs);
        put_costs(json, "iteration_costs", &solver->iteration_cost, solver->further_iteration_costs);
        for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
            json_put_bool(json, flags[i].key, flags[i].value);
        put_origin(json, solver_origin(solver));
        list_element(listing, json);
    }
}

static void print_solver(const struct listing *listing, const cJSON *solver)
{
    const cJSON *parameter = NULL, *parameters = json_member(solver, "parameters");
    const char *names = "";
    if (!listing->is_long) {
        printf(SHORT_SOLVER, json_text(solver, "name"), problem_of(json_text(solver, "formulation")));
        print_cut(json_text(solver, "title"), METHOD_COLUMN);
        return;
    }
    printf("%-24s %s\n", json_text(solver, "name"), json_text(solver, "formulation"));
    print_text(json_text(solver, "title"), 0, listing->indent);
    print_text(json_text(solver, "reference"), 0, listing->indent);
    cJSON_ArrayForEach (parameter, parameters)
        names = pool_printf(listing->pool, "%s%s%s", names, *names ? ", " : "", parameter->string);
    if (*names)
        print_text(names, 0, listing->indent);
}

/* ---- parameters ---- */

/* Nonzero if a solver before `end` reads it. */
static int is_read_before(const struct parameter *parameter, const struct solver *const *end)
{
    for (const struct solver *const *each = solvers_all(); each < end; each++)
        if (solver_reads(*each, parameter))
            return 1;
    return 0;
}

static void list_parameters(struct listing *listing)
{
    for (const struct solver *const *each = solvers_all(); *each; each++)
        for (size_t p = 0; p < solver_count_parameters(*each); p++) {
            const struct parameter *parameter = (*each)->parameters[p];
            if (is_read_before(parameter, each))
                continue;
            cJSON *json = json_new_object();
            json_put_text(json, "name", parameter->name);
            run_info_describe_parameter(json, parameter);
            cJSON *readers = json_put_array(json, "solvers");
            for (const struct solver *const *reader = each; *reader; reader++)
                if (solver_reads(*reader, parameter))
                    json_add_text(readers, (*reader)->name);
            list_element(listing, json);
        }
}

/* The allowed values and the default. */
static const char *values_text(struct pool *pool, const cJSON *parameter)
{
    const cJSON *usual = json_member(parameter, "default");
    const char *scale = strcmp(json_text(parameter, "scale"), "log") == 0 ? "; logarithmic scale" : "";
    const char *text = cJSON_IsString(usual) ? pool_printf(pool, "default %s", usual->valuestring)
                       : usual               ? pool_printf(pool, "default %g", usual->valuedouble)
                                             : "no default";
    return pool_printf(pool, "%s; %s%s", json_text(parameter, "allowed"), text, scale);
}

static void print_parameter(const struct listing *listing, const cJSON *parameter)
{
    const char *readers = "read by";
    const cJSON *reader = NULL;
    print_text(json_text(parameter, "meaning"), printf("%s", json_text(parameter, "name")), listing->indent);
    print_text(values_text(listing->pool, parameter), 0, listing->indent);
    cJSON_ArrayForEach (reader, json_member(parameter, "solvers"))
        readers = pool_printf(listing->pool, "%s %s%s", readers, reader->valuestring, reader->next ? "," : "");
    print_text(readers, 0, listing->indent);
}

/* ---- stopping rules and kernels ---- */

static void list_stops(struct listing *listing)
{
    for (enum stop_rule r = 0; stop_rule_name(r); r = stop_rule_next(r)) {
        cJSON *json = new_element(stop_rule_name(r), "meaning", stop_rule_text(r));
        cJSON *solvers = json_put_array(json, "solvers");
        for (const struct solver *const *each = solvers_all(); *each; each++)
            if (stop_rule_fits(r, *each))
                json_add_text(solvers, (*each)->name);
        put_origin(json, stop_rule_own(r) ? stopping_rule_origin(stop_rule_own(r)) : NULL);
        list_element(listing, json);
    }
}

static void print_stop(const struct listing *listing, const cJSON *stop)
{
    print_text(json_text(stop, "meaning"), printf("%s", json_text(stop, "name")), listing->indent);
}

static void list_kernels(struct listing *listing)
{
    for (const struct kernel_family *const *each = kernel_families_all(); *each; each++) {
        cJSON *json = new_element((*each)->name, "meaning", (*each)->meaning);
        cJSON *parameters = json_put_object(json, "parameters");
        for (size_t k = 0; k < kernel_family_count_parameters(*each); k++)
            run_info_describe_parameter(json_put_object(parameters, (*each)->parameters[k]->name),
                                        (*each)->parameters[k]);
        put_origin(json, kernel_family_origin(*each));
        list_element(listing, json);
    }
}

/* The meaning of a built-in kernel names its parameters. */
static void print_kernel(const struct listing *listing, const cJSON *kernel)
{
    const cJSON *parameter = NULL;
    struct pool *pool = listing->pool;
    print_text(json_text(kernel, "meaning"), printf("%s", json_text(kernel, "name")), listing->indent);
    if (!cJSON_IsNull(json_member(kernel, "origin")))
        cJSON_ArrayForEach (parameter, json_member(kernel, "parameters"))
            print_text(pool_printf(pool, "%s: %s; %s", parameter->string, json_text(parameter, "meaning"),
                                   values_text(pool, parameter)), 0, listing->indent);
}

/* ---- data sets ---- */

#define MISSING "missing; run datasets/fetch.sh"
enum { SOURCE_COLUMN = 62 };

/* The values of the set's file, or those of the manifest if it cannot be loaded. */
static cJSON *new_set(const struct manifest_set *set, const struct dataset *dataset, const char *problem)
{
    size_t official = 0, positives = dataset ? 0 : set->positives;
    for (size_t i = 0; dataset && i < dataset->n_splits; i++)
        official += dataset->splits[i].source == SPLIT_OFFICIAL;
    for (size_t i = 0; dataset && i < dataset->patterns.rows; i++)
        if (dataset->y[i] > 0)
            positives += dataset->multiplicity[i];
    const struct json_number rows[] = {
        {"rows", (double)(dataset ? dataset->full_size : set->rows)},
        {"features", (double)(dataset ? dataset->patterns.dims : set->dims)},
        {"positives", (double)positives},
        {"official_splits", (double)official},
        {"splits", (double)(dataset ? dataset->n_splits : set->splits)},
        {"n_train", (double)(dataset ? dataset->splits[0].n_train : set->spec.n_train)},
        {"n_test", (double)(dataset ? dataset->splits[0].n_test : set->spec.n_test)},
    };
    cJSON *json = new_element(set->spec.name, "title", set->title);
    json_put_numbers(json, rows, sizeof rows / sizeof *rows);
    json_put_text(json, "source", dataset ? dataset->source : NULL);
    json_put_text(json, "problem", dataset ? NULL : problem);
    return json;
}

static void print_set(const struct listing *listing, const cJSON *set)
{
    const double rows = number_at(set, "rows");
    char counts[32], sizes[32];
    snprintf(counts, sizeof counts, "%.0f/%.0f", number_at(set, "official_splits"), number_at(set, "splits"));
    snprintf(sizes, sizeof sizes, "%.0f/%.0f", number_at(set, "n_train"), number_at(set, "n_test"));
    const char *source = json_text(set, "source"), *problem = json_text(set, "problem");
    const char *slash = source ? strrchr(source, '/') : NULL;
    printf("%-14s %6.0f %5.0f %9.1f%% %9s %10s%s", json_text(set, "name"), rows, number_at(set, "features"),
           rows > 0 ? 100 * number_at(set, "positives") / rows : 0, counts, sizes, listing->is_long ? "\n" : "  ");
    if (listing->is_long)
        terminal_printf(stdout, "    %s\n", source ? source : problem);
    else
        print_cut(slash                              ? slash + 1
                  : source                           ? source
                  : strcmp(problem, MISSING) == 0 ? "missing (--long)"
                                                     : "unusable (--long)", SOURCE_COLUMN);
}

/* The table says which sets are missing or unusable; its long form says why. The first error is named at the end. */
static void list_datasets(struct listing *listing)
{
    const char *search_path = cli_search_path(listing->pool), *cache = cli_cache(listing->pool), *said = "";
    const struct manifest *manifest = manifest_load(listing->pool, search_path);
    struct dataset_source *source = dataset_source_new(listing->pool);
    if (!listing->is_json)
        printf("%-14s %6s %5s %10s %9s %10s%s\n", "name", "rows", "dims", "positives", "official", "train/test",
               listing->is_long ? "\n    from" : "  from");
    for (size_t i = 0; i < manifest->sets.count; i++) {
        const struct manifest_set *set = &manifest->sets.item[i];
        struct error reason = {0};
        const struct dataset_request request = {
            .set.name = set->spec.name, .search_path = search_path, .cache = cache, .allow_generated = 1,
            .source = source};
        struct pool *pool = pool_new();
        struct dataset *dataset;
        const enum status status = dataset_try_load(pool, &request, &dataset, &reason);
        const char *problem = status == STATUS_NOT_FOUND ? MISSING : reason.message;
        list_element(listing, new_set(set, dataset, problem));
        if (status == STATUS_OK && listing->is_long && !listing->is_json)
            cli_print_repeated(dataset, "    ");
        if (status != STATUS_OK && status != STATUS_NOT_FOUND && listing->first.status == STATUS_OK)
            listing->first = reason;
        if (status == STATUS_OK && dataset->altered && strcmp(said, dataset->altered) != 0) {
            cli_print_altered(&dataset, 1); /* once for all sets of a file */
            said = pool_strdup(listing->pool, dataset->altered);
        }
        pool_free(pool);
    }
}

struct list_arguments {
    struct cli_arguments common;
    int json, is_long;
};

#define ARGUMENTS struct list_arguments
static const struct cli_option options[] = {
    {"long", 0, NULL,
     "Print solvers with their sources and parameters, and data sets with the paths of their files or the reason why "
     "they cannot be used", AT(is_long)},
    {"json", 0, NULL, "Print a JSON list with all properties, one line for each element", AT(json)},
    {0},
};

#define LISTS "solvers, parameters, stops, kernels, datasets"

static int work(void *context)
{
    static const struct {
        void (*list)(struct listing *listing);
        void (*print)(const struct listing *listing, const cJSON *element);
        int indent;
    } lists[] = {{list_solvers, print_solver, 4},
                 {list_parameters, print_parameter, 15},
                 {list_stops, print_stop, 16},
                 {list_kernels, print_kernel, 13},
                 {list_datasets, print_set, 0}};
    static const char *const names[] = {"solvers", "parameters", "stops", "kernels", "datasets", NULL};
    const struct list_arguments *arguments = context;
    const char *word = arguments->common.words[0];
    size_t i = 0;
    while (names[i] && strcmp(names[i], word) != 0)
        i++;
    if (!names[i])
        die(STATUS_BAD_INPUT, "list: %s", unknown_name_text("list", word, names, message_room(), MESSAGE_ROOM));
    struct listing listing = {.pool = arguments->common.pool, .is_json = arguments->json,
                              .is_long = arguments->is_long, .print = lists[i].print, .indent = lists[i].indent};
    lists[i].list(&listing);
    if (listing.is_json)
        puts("\n]");
    die_unless_ok(listing.first.status, &listing.first);
    return EXIT_OK;
}

const struct cli_verb verb_list = {
    .name = "list", .title = "list solvers, parameters, stopping rules, kernels or data sets",
    .usage = "solvers|parameters|stops|kernels|datasets",
    .doc = "Lists the solvers, parameters, stopping rules, kernels or data sets that a configuration can name.",
    .options = options, .plugins = 1, .min_words = 1, .max_words = 1, .words = "expected one of " LISTS,
    .size = sizeof(ARGUMENTS), .work = work,
};
