/* hullbench list: the names that a configuration can use. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/data/dataset.h"
#include "harness/data/manifest.h"
#include "harness/evaluate/stopping.h"
#include "harness/run/run_info.h"
#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "solvers/registry.h"

static void list_solvers(void)
{
    printf("%-24s %-24s %s\n%50s%s\n%50s%s\n", "solver", "formulation", "what", "", "source", "", "parameters");
    for (const struct solver *const *at = solvers_all(); *at; at++) {
        printf("%-24s %-24s %s\n%50s%s\n", (*at)->name, formulation_name((*at)->formulation), (*at)->title, "",
               (*at)->reference);
        const char *before = "";
        for (size_t p = 0; p < solver_count_parameters(*at); p++) {
            printf("%*s%s%s", *before ? 0 : 50, "", before, (*at)->parameters[p]->name);
            before = ", ";
        }
        fputs(*before ? "\n" : "", stdout);
        const struct solver_origin *origin = solver_origin(*at);
        if (origin)
            printf("%50sfrom %s\n", "", origin->file);
    }
}

static void put_stops(cJSON *json, const struct solver *solver)
{
    const struct stop usual = stop_usual(solver);
    cJSON *stops = json_put_array(json, "stops");
    for (enum stop_rule r = 0; stop_rule_name(r); r = stop_rule_next(r))
        if (stop_rule_fits(r, solver))
            json_add_text(stops, stop_rule_name(r));
    cJSON *stop = json_put_object(json, "default_stop");
    json_put_text(stop, "rule", stop_rule_name(usual.rule));
    if (usual.rule != STOP_ITERATIONS)
        json_put_number(stop, "tolerance", usual.tolerance);
}

static void fill_cost(cJSON *json, const struct kernel_cost *cost)
{
    json_put_bool(json, "at_most", (int)cost->at_most);
    json_put_number(json, "n2", cost->n2);
    json_put_number(json, "n", cost->n);
    json_put_number(json, "constant", cost->constant);
    json_put_number(json, "rows_q", cost->rows_q);
    json_put_number(json, "rows_nu", cost->rows_nu);
    json_put_number(json, "rows_point", cost->rows_point);
    json_put_number(json, "norms_point", cost->norms_point);
    json_put_number(json, "rows_cycle", cost->rows_cycle);
    json_put_number(json, "values_cycle", cost->values_cycle);
}

static void put_costs(cJSON *json, const char *key, const struct kernel_cost *cost, const struct kernel_cost *further)
{
    cJSON *list = json_put_array(json, key);
    if (cost->is_stated)
        fill_cost(json_add_object(list), cost);
    for (; further && further->is_stated; further++)
        fill_cost(json_add_object(list), further);
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

/* docs/formats.md describes the members. */
static void add_solver(cJSON *list, const struct solver *solver)
{
    cJSON *json = json_add_object(list);
    json_put_text(json, "name", solver->name);
    json_put_text(json, "title", solver->title);
    json_put_text(json, "reference", solver->reference);
    json_put_text(json, "formulation", formulation_name(solver->formulation));
    json_put_bool(json, "square_penalty", solver->square_penalty);
    cJSON_AddItemToObject(json, "parameters", run_info_parameters(solver));
    put_stops(json, solver);
    put_costs(json, "setup_costs", &solver->setup_cost, solver->further_setup_costs);
    put_costs(json, "iteration_costs", &solver->iteration_cost, solver->further_iteration_costs);
    json_put_bool(json, "is_monotone", solver->is_monotone);
    json_put_bool(json, "may_stall", solver->may_stall);
    json_put_bool(json, "converges_slowly", solver->converges_slowly);
    json_put_bool(json, "counts_steps", solver->counts_steps);
    json_put_bool(json, "stays_positive", solver->stays_positive);
    json_put_bool(json, "solves_externally", solver->solve_external != NULL);
    put_origin(json, solver_origin(solver));
}

static void add_solvers(cJSON *list)
{
    for (const struct solver *const *at = solvers_all(); *at; at++)
        add_solver(list, *at);
}

/* Prints the allowed values and the default. */
static void print_values(const struct parameter *parameter)
{
    char allowed[256];
    const char *const *words = parameter_words(parameter);
    parameter_allowed(parameter, allowed, sizeof allowed);
    printf("%s; ", allowed);
    if (isnan(parameter->fallback))
        printf("no default");
    else if (words)
        printf("default %s", words[(size_t)parameter->fallback]);
    else
        printf("default %g", parameter->fallback);
    printf("%s\n", parameter->scale == PARAMETER_LOG ? "; logarithmic scale" : "");
}

/* Nonzero if a solver before `end` reads it. */
static int is_read_before(const struct parameter *parameter, const struct solver *const *end)
{
    for (const struct solver *const *at = solvers_all(); at < end; at++)
        if (solver_reads(*at, parameter))
            return 1;
    return 0;
}

/* Prints "read by mdm, gsk" in lines of at most about 100 columns. */
static void print_readers(const struct parameter *parameter)
{
    int column = printf("%14s read by", "");
    const char *before = "";
    for (const struct solver *const *at = solvers_all(); *at; at++)
        if (solver_reads(*at, parameter)) {
            if (column + (int)strlen((*at)->name) > 100) {
                printf("%s\n", before);
                column = printf("%14s", "");
                before = "";
            }
            column += printf("%s %s", before, (*at)->name);
            before = ",";
        }
    putchar('\n');
}

static void list_parameters(void)
{
    for (const struct solver *const *at = solvers_all(); *at; at++)
        for (size_t p = 0; p < solver_count_parameters(*at); p++)
            if (!is_read_before((*at)->parameters[p], at)) {
                printf("%-14s %s\n%14s ", (*at)->parameters[p]->name, (*at)->parameters[p]->meaning, "");
                print_values((*at)->parameters[p]);
                print_readers((*at)->parameters[p]);
            }
}

static void add_parameters(cJSON *list)
{
    for (const struct solver *const *at = solvers_all(); *at; at++)
        for (size_t p = 0; p < solver_count_parameters(*at); p++) {
            const struct parameter *parameter = (*at)->parameters[p];
            if (is_read_before(parameter, at))
                continue;
            cJSON *json = json_add_object(list);
            json_put_text(json, "name", parameter->name);
            run_info_describe_parameter(json, parameter);
            cJSON *readers = json_put_array(json, "solvers");
            for (const struct solver *const *reader = at; *reader; reader++)
                if (solver_reads(*reader, parameter))
                    json_add_text(readers, (*reader)->name);
        }
}

static void list_stops(void)
{
    for (enum stop_rule r = 0; stop_rule_name(r); r = stop_rule_next(r)) {
        printf("%-14s %s\n", stop_rule_name(r), stop_rule_text(r));
        if (stop_rule_own(r))
            printf("%15sfrom %s\n", "", stopping_rule_origin(stop_rule_own(r))->file);
    }
}

static void add_stops(cJSON *list)
{
    for (enum stop_rule r = 0; stop_rule_name(r); r = stop_rule_next(r)) {
        cJSON *json = json_add_object(list);
        json_put_text(json, "name", stop_rule_name(r));
        json_put_text(json, "meaning", stop_rule_text(r));
        cJSON *solvers = json_put_array(json, "solvers");
        for (const struct solver *const *at = solvers_all(); *at; at++)
            if (stop_rule_fits(r, *at))
                json_add_text(solvers, (*at)->name);
        put_origin(json, stop_rule_own(r) ? stopping_rule_origin(stop_rule_own(r)) : NULL);
    }
}

static void list_kernels(void)
{
    for (const struct kernel_family *const *at = kernel_families_all(); *at; at++) {
        const struct solver_origin *origin = kernel_family_origin(*at);
        printf("%-12s %s\n", (*at)->name, (*at)->meaning);
        for (size_t k = 0; origin && k < kernel_family_count_parameters(*at); k++) {
            const struct parameter *parameter = (*at)->parameters[k];
            printf("%13s%s: %s; ", "", parameter->name, parameter->meaning);
            print_values(parameter);
        }
        if (origin)
            printf("%13sfrom %s\n", "", origin->file);
    }
}

static void add_kernels(cJSON *list)
{
    for (const struct kernel_family *const *at = kernel_families_all(); *at; at++) {
        cJSON *json = json_add_object(list);
        json_put_text(json, "name", (*at)->name);
        json_put_text(json, "meaning", (*at)->meaning);
        cJSON *parameters = json_put_object(json, "parameters");
        for (size_t k = 0; k < kernel_family_count_parameters(*at); k++)
            run_info_describe_parameter(json_put_object(parameters, (*at)->parameters[k]->name), (*at)->parameters[k]);
        put_origin(json, kernel_family_origin(*at));
    }
}

/* What the table shows of a data set: its file's values, or the manifest's if it cannot be loaded. */
struct listed_set {
    const char *name, *title;
    size_t rows, dims, positives, official, splits, n_train, n_test;
    const char *source, *problem; /* one of them is NULL */
};

static struct listed_set loaded_set(const struct manifest_set *set, const struct dataset *dataset)
{
    struct listed_set listed = {.name = set->spec.name, .title = set->title, .rows = dataset->full_size,
                                .dims = dataset->patterns.dims, .splits = dataset->n_splits,
                                .n_train = dataset->splits[0].n_train, .n_test = dataset->splits[0].n_test,
                                .source = dataset->source};
    for (size_t i = 0; i < dataset->n_splits; i++)
        listed.official += dataset->splits[i].source == SPLIT_OFFICIAL;
    for (size_t i = 0; i < dataset->patterns.rows; i++)
        if (dataset->y[i] > 0)
            listed.positives += dataset->multiplicity[i];
    return listed;
}

static struct listed_set absent_set(const struct manifest_set *set, const char *problem)
{
    return (struct listed_set){.name = set->spec.name, .title = set->title, .rows = set->rows, .dims = set->dims,
                               .positives = set->positives, .splits = set->splits, .n_train = set->spec.n_train,
                               .n_test = set->spec.n_test, .problem = problem};
}

static void print_set(const struct listed_set *set)
{
    char counts[32], sizes[32];
    snprintf(counts, sizeof counts, "%zu/%zu", set->official, set->splits);
    snprintf(sizes, sizeof sizes, "%zu/%zu", set->n_train, set->n_test);
    printf("%-14s %6zu %5zu %9.1f%% %9s %10s  %s\n", set->name, set->rows, set->dims,
           set->rows ? 100 * (double)set->positives / (double)set->rows : 0, counts, sizes,
           set->source ? set->source : set->problem);
}

static void put_text_or_null(cJSON *json, const char *key, const char *text)
{
    if (text)
        json_put_text(json, key, text);
    else
        json_put_null(json, key);
}

static void add_set(cJSON *list, const struct listed_set *set)
{
    cJSON *json = json_add_object(list);
    json_put_text(json, "name", set->name);
    put_text_or_null(json, "title", set->title);
    json_put_number(json, "rows", (double)set->rows);
    json_put_number(json, "features", (double)set->dims);
    json_put_number(json, "positives", (double)set->positives);
    json_put_number(json, "official_splits", (double)set->official);
    json_put_number(json, "splits", (double)set->splits);
    json_put_number(json, "n_train", (double)set->n_train);
    json_put_number(json, "n_test", (double)set->n_test);
    put_text_or_null(json, "source", set->source);
    put_text_or_null(json, "problem", set->problem);
}

struct loading {
    struct pool *pool;
    const struct dataset_request *request;
    struct dataset *dataset;
};

static void load(void *data)
{
    struct loading *loading = data;
    loading->dataset = dataset_load(loading->pool, loading->request);
}

void list_datasets(const char *search_path, const char *cache, cJSON *list, struct error *first)
{
    struct pool *pool = pool_new(), *of_set = pool_new();
    const struct manifest *manifest = manifest_load(pool, search_path);
    struct dataset_source *source = dataset_source_new(pool);
    const char *said = "";
    *first = (struct error){0};
    if (!list)
        printf("%-14s %6s %5s %10s %9s %10s  %s\n",
               "name", "rows", "dims", "positives", "official", "train/test", "from");
    for (size_t i = 0; i < manifest->sets.count; i++) {
        const struct manifest_set *set = &manifest->sets.item[i];
        struct error reason = {STATUS_OK, ""};
        const struct dataset_request request = {
            .set.name = set->spec.name, .search_path = search_path, .cache = cache, .allow_generated = 1,
            .source = source};
        struct loading loading = {of_set, &request, NULL};
        const enum status status = attempt(load, &loading, &reason);
        const struct listed_set listed =
            status == STATUS_OK ? loaded_set(set, loading.dataset)
                                : absent_set(set, status == STATUS_NOT_FOUND ? "missing; run datasets/fetch.sh"
                                                                             : reason.message);
        if (list)
            add_set(list, &listed);
        else
            print_set(&listed);
        if (status != STATUS_OK && status != STATUS_NOT_FOUND && first->status == STATUS_OK)
            *first = reason;
        if (status == STATUS_OK && loading.dataset->altered && strcmp(said, loading.dataset->altered) != 0) {
            cli_print_altered(&loading.dataset, 1); /* once for all sets of a file */
            said = pool_strdup(pool, loading.dataset->altered);
        }
        pool_reset(of_set);
    }
    pool_free(of_set);
    pool_free(pool);
}

/* Prints a list with one line per element. */
static void print_lines(const cJSON *list)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, list) {
        char *line = json_line(item);
        printf("%s%s", item == list->child ? "[\n" : ",\n", line);
        free(line);
    }
    puts("\n]");
}

struct list_arguments {
    struct cli_arguments common;
    int json;
};

#define ARGUMENTS struct list_arguments
static const struct cli_option options[] = {
    {"json", 0, NULL, "Print a JSON list with all properties, one line for each element",
     AT(json)},
    {0},
};

#define LISTS "solvers, parameters, stops, kernels, datasets"

static int work(void *context)
{
    static const struct {
        const char *name;
        void (*print)(void); /* NULL, like `add`, for data sets, which may be unreadable */
        void (*add)(cJSON *list);
    } lists[] = {{"solvers", list_solvers, add_solvers}, {"parameters", list_parameters, add_parameters},
                 {"stops", list_stops, add_stops}, {"kernels", list_kernels, add_kernels}, {"datasets", NULL, NULL}};
    const struct list_arguments *arguments = context;
    const char *word = arguments->common.words[0];
    struct error error = {0};
    size_t list = 0;
    while (list < sizeof lists / sizeof *lists && strcmp(word, lists[list].name) != 0)
        list++;
    if (list == sizeof lists / sizeof *lists)
        die(STATUS_BAD_INPUT, "list: unknown argument \"%s\"; allowed: " LISTS, word);
    cJSON *json = arguments->json ? json_new_array() : NULL;
    if (!lists[list].print)
        list_datasets(cli_search_path(), cli_cache(arguments->common.pool), json, &error);
    else if (json)
        lists[list].add(json);
    else
        lists[list].print();
    if (json)
        print_lines(json);
    cJSON_Delete(json);
    die_unless_ok(error.status, &error);
    return EXIT_OK;
}

const struct cli_verb verb_list = {
    .name = "list", .title = "list solvers, parameters, stopping rules, kernels or data sets",
    .usage = "solvers|parameters|stops|kernels|datasets",
    .doc = "Lists the solvers, parameters, stopping rules, kernels or data sets that a configuration can name.",
    .options = options, .plugins = 1, .min_words = 1, .max_words = 1, .words = "expected one of " LISTS,
    .size = sizeof(struct list_arguments), .work = work,
};
