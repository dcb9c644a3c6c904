/* Reads specifications of tables. */
#include "harness/tables/table_spec.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/dataset.h"
#include "harness/base/memory.h"
#include "harness/records/conditions.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

const struct table_metric_info table_metrics[TABLE_METRICS] = {
    [METRIC_ITERATIONS] = {"iterations", "iterations", "", "iterations", BEST_LOWEST, CONTRAST_TRAINED, 1},
    [METRIC_OPERATIONS] = {"kernel-operations", "kernel operations", "", "kernel_operations.iterations", BEST_LOWEST,
                           CONTRAST_TRAINED, 1},
    [METRIC_ALL_OPERATIONS] = {"kernel-operations-with-setup", "kernel operations with set-up", "", NULL, BEST_LOWEST,
                               CONTRAST_TRAINED, 1},
    [METRIC_EVALUATIONS] = {"kernel-evaluations", "kernel evaluations", "", "kernel_evaluations", BEST_LOWEST,
                            CONTRAST_TRAINED, 1},
    [METRIC_SUPPORT_VECTORS] = {"support-vectors", "support vectors", "", "support_vectors", BEST_LOWEST,
                                CONTRAST_TRAINED, 1},
    [METRIC_ERROR] = {"error", "test error", "%", "error_percent", BEST_LOWEST, CONTRAST_TESTED, 0},
    [METRIC_OBJECTIVE] = {"objective", "objective", "", "objective", BEST_NONE, CONTRAST_TRAINED, 0},
    [METRIC_GAP] = {"gap", "duality gap", "", "duality_gap", BEST_LOWEST, CONTRAST_TRAINED, 1},
    [METRIC_VIOLATION] = {"kkt-violation", "KKT violation", "", "kkt_violation", BEST_LOWEST, CONTRAST_TRAINED, 1},
    [METRIC_SECONDS] = {"seconds", "time", "s", NULL, BEST_LOWEST, CONTRAST_TRAINED, 1},
    [METRIC_CONVERGED] = {"converged", "converged", "", NULL, BEST_HIGHEST, CONTRAST_TRAINED, 0},
};

const char *const table_statistics[TABLE_STATISTICS + 1] = {
    [STATISTIC_OF_MEAN_SD] = "mean ± sd",  [STATISTIC_OF_MEAN_SD_PARENTHESES] = "mean(sd)",
    [STATISTIC_OF_MEAN] = "mean",          [STATISTIC_OF_SD] = "sd",
    [STATISTIC_OF_MEDIAN] = "median",      [STATISTIC_OF_QUARTILES] = "quartiles",
    [STATISTIC_OF_MINIMUM] = "minimum",    [STATISTIC_OF_MAXIMUM] = "maximum",
    [STATISTIC_OF_SHARE] = "share",        [STATISTIC_OF_COUNT] = "count",
    [STATISTIC_OF_RATIO] = "geometric-mean", [STATISTIC_OF_INTERVAL] = "interval"};

int table_statistic_is_location(enum table_statistic statistic)
{
    return statistic != STATISTIC_OF_SD && statistic != STATISTIC_OF_MINIMUM && statistic != STATISTIC_OF_MAXIMUM &&
           statistic != STATISTIC_OF_SHARE && statistic != STATISTIC_OF_COUNT;
}

double table_metric_value(size_t metric, const struct record *record)
{
    double value = (double)NAN;
    if (metric == METRIC_CONVERGED)
        return record->converged ? 1 : 0;
    if (record->failed)
        return value;
    if (metric == METRIC_SECONDS)
        return record_time(record);
    if (metric == METRIC_ALL_OPERATIONS)
        return record->field[FIELD_SETUP_OPERATIONS] + record->field[FIELD_KERNEL_OPERATIONS];
    record_number(record, table_metrics[metric].path, &value);
    return value;
}

/* ---- names ---- */

static void add_name_of(struct name_order *order, const cJSON *entry)
{
    const char *name = cJSON_GetStringValue(entry);
    name = name ? name : cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "name"));
    if (name)
        name_order_add(order, name);
}

static void add_parameters(struct name_order *order, const struct parameter *const *parameters)
{
    for (; parameters && *parameters; parameters++)
        name_order_add(order, (*parameters)->name);
}

void table_names_of_config(const struct config *config, struct table_names *names)
{
    static const char *const always[] = {"kernel", "stop", "tolerance"};
    *names = (struct table_names){0};
    for (size_t i = 0; i < config->n_datasets; i++)
        name_order_add(&names->datasets, config->datasets[i].name);
    for (size_t i = 0; i < config->n_solvers; i++) {
        name_order_add(&names->solvers, config->solvers[i].solver->name);
        for (size_t p = 0; p < solver_count_parameters(config->solvers[i].solver); p++)
            name_order_add(&names->settings, config_solver_parameter(&config->solvers[i], p)->name);
    }
    add_parameters(&names->settings, config->kernel->parameters);
    for (size_t i = 0; i < COUNT(always); i++)
        name_order_add(&names->settings, always[i]);
}

void table_names_of_folders(const struct run_folders *folders, struct table_names *names)
{
    *names = (struct table_names){0};
    for (size_t f = 0; f < folders->count; f++) {
        const struct records *records = &folders->items[f].file.records;
        const cJSON *config = folders->items[f].config, *entry = NULL;
        cJSON_ArrayForEach (entry, cJSON_GetObjectItemCaseSensitive(config, "datasets"))
            add_name_of(&names->datasets, entry);
        cJSON_ArrayForEach (entry, cJSON_GetObjectItemCaseSensitive(config, "solvers"))
            add_name_of(&names->solvers, entry);
        for (size_t i = 0; i < records->count; i++) {
            const struct record *record = records->items[i];
            name_order_add(&names->datasets, record->dataset);
            name_order_add(&names->solvers, record->solver);
            for (size_t s = 0; s < record->n_settings; s++)
                name_order_add(&names->settings, record->settings[s].name);
        }
    }
}

void table_names_free(struct table_names *names)
{
    name_order_free(&names->datasets);
    name_order_free(&names->solvers);
    name_order_free(&names->settings);
}

/* Rejects a name that is in neither list; the first may be NULL. */
static enum status check_known(const char *name, const char *what, const char *const *fixed,
                               const struct name_order *order, const struct json_path *place, struct error *error)
{
    size_t n = 0;
    for (; fixed && fixed[n]; n++)
        if (strcmp(fixed[n], name) == 0)
            return STATUS_OK;
    if (name_order_find(order, name) < order->count)
        return STATUS_OK;
    const char **all = xcalloc(n + order->count + 1, sizeof *all);
    for (size_t i = 0; i < n; i++)
        all[i] = fixed[i];
    for (size_t i = 0; i < order->count; i++)
        all[n + i] = order->names[i];
    enum status status = json_unknown_name(place, what, name, all, error);
    free(all);
    return status;
}

/* Passes each element of a list to `take`; the list must be non-empty and its elements distinct texts. */
static enum status each_text(const cJSON *list, const struct json_path *place,
                             enum status (*take)(const char *text, const struct json_path *at, void *context,
                                                 struct error *error),
                             void *context, struct error *error)
{
    struct json_path at = {.file = place->file, .outer = place};
    const cJSON *item = NULL;
    if (!list->child)
        return json_error(place, error, "the list is empty");
    cJSON_ArrayForEach (item, list) {
        char shown[64];
        if (!cJSON_IsString(item) || !*item->valuestring)
            return json_error(&at, error, "%s is not a non-empty string", json_to_text(item, shown, sizeof shown));
        for (const cJSON *other = list->child; other != item; other = other->next)
            if (strcmp(other->valuestring, item->valuestring) == 0)
                return json_error(&at, error, "\"%.40s\" occurs twice", item->valuestring);
        enum status status = take(item->valuestring, &at, context, error);
        if (status != STATUS_OK)
            return status;
        at.index++;
    }
    return STATUS_OK;
}

struct reader {
    const struct table_names *names;
    struct table_spec *spec;
    const struct name_order *known; /* for take_known */
    const char *what;
    enum table_side side; /* for take_dimension */
};

static enum status take_known(const char *text, const struct json_path *at, void *context, struct error *error)
{
    const struct reader *reader = context;
    return check_known(text, reader->what, NULL, reader->known, at, error);
}

static enum status check_names(struct reader *reader, const cJSON *list, const char *key, const char *what,
                               const struct name_order *known, const struct json_path *place, struct error *error)
{
    const struct json_path at = {.file = place->file, .outer = place, .key = key};
    reader->known = known;
    reader->what = what;
    return each_text(list, &at, take_known, reader, error);
}

/* ---- rows and columns ---- */

static const char *const dimension_words[] = {"dataset", "solver", "split-source", "metric", "settings", NULL};

/* "kernel.width" is the setting width, "kernel.type" the setting called kernel, "stop.rule" the one called stop. */
static const char *setting_of(const char *name)
{
    static const char *const groups[] = {"params.", "kernel.", "stop."};
    if (strcmp(name, "kernel.type") == 0)
        return "kernel";
    if (strcmp(name, "stop.rule") == 0)
        return "stop";
    for (size_t g = 0; g < COUNT(groups); g++)
        if (strncmp(name, groups[g], strlen(groups[g])) == 0)
            return name + strlen(groups[g]);
    return name;
}

static enum status check_setting(const struct reader *reader, const char *name, const char *what,
                                 const char *const *words, const struct json_path *at, struct error *error)
{
    static const struct name_order none;
    const struct name_order *known = reader->names ? &reader->names->settings : &none;
    if (!reader->names || name_order_find(known, setting_of(name)) < known->count)
        return STATUS_OK;
    return check_known(name, what, words, known, at, error);
}

static enum status take_dimension(const char *text, const struct json_path *at, void *context, struct error *error)
{
    struct reader *reader = context;
    struct table_spec *spec = reader->spec;
    struct table_dimension dimension = {DIMENSION_SETTING, text, setting_of(text), reader->side};
    for (size_t k = 0; dimension_words[k]; k++)
        if (strcmp(dimension_words[k], text) == 0)
            dimension.kind = (enum table_dimension_kind)k;
    for (size_t i = 0; i < spec->n_dimensions; i++)
        if (strcmp(spec->dimensions[i].name, text) == 0)
            return json_error(at, error, "\"%s\" occurs twice, in rows and columns", text);
    if (spec->n_dimensions + 2 > MAX_DIMENSIONS)
        return json_error(at, error, "too many dimensions; allowed: at most %d", MAX_DIMENSIONS - 2);
    enum status status = dimension.kind == DIMENSION_SETTING
                             ? check_setting(reader, text, "dimension", dimension_words, at, error)
                             : STATUS_OK;
    spec->dimensions[spec->n_dimensions++] = dimension;
    return status;
}

/* Adds the metrics as the innermost columns unless the specification places them. */
static void add_metric_dimension(struct table_spec *spec)
{
    for (size_t i = 0; i < spec->n_dimensions; i++)
        if (spec->dimensions[i].kind == DIMENSION_METRIC)
            return;
    spec->dimensions[spec->n_dimensions++] =
        (struct table_dimension){DIMENSION_METRIC, dimension_words[DIMENSION_METRIC], NULL, SIDE_COLUMNS};
}

static enum status read_dimensions(struct reader *reader, const cJSON *rows, const cJSON *columns,
                                   const struct json_path *place, struct error *error)
{
    const struct json_path at_rows = {.file = place->file, .outer = place, .key = "rows"},
                           at_columns = {.file = place->file, .outer = place, .key = "columns"};
    reader->side = SIDE_ROWS;
    enum status status = each_text(rows, &at_rows, take_dimension, reader, error);
    reader->side = SIDE_COLUMNS;
    if (status == STATUS_OK && columns)
        status = each_text(columns, &at_columns, take_dimension, reader, error);
    add_metric_dimension(reader->spec);
    return status;
}

/* ---- metrics ---- */

static enum status read_baseline(const struct reader *reader, const char *text, const struct json_path *at,
                                 struct solver_choices *choices, struct error *error)
{
    struct error cause = {0};
    if (!text)
        return STATUS_OK;
    if (solver_choices_read("solver", text, choices, &cause) != STATUS_OK)
        return json_error(at, error, "%s", cause.message);
    if (choices->count != 1)
        return json_error(at, error, "\"%.60s\" is not one solver; expected NAME or NAME[SETTING=VALUE]", text);
    return check_known(choices->items[0].name, "solver", NULL, &reader->names->solvers, at, error);
}

static enum status find_word(const char *text, const char *what, const char *const *words, int *found,
                             const struct json_path *at, struct error *error)
{
    for (int i = 0; text && words[i]; i++)
        if (strcmp(words[i], text) == 0) {
            *found = i;
            return STATUS_OK;
        }
    return text ? json_unknown_name(at, what, text, words, error) : STATUS_OK;
}

static enum status find_metric(const char *text, size_t *info, const struct json_path *at, struct error *error)
{
    const char *words[TABLE_METRICS + 1] = {NULL};
    int found = 0;
    for (size_t i = 0; i < TABLE_METRICS; i++)
        words[i] = table_metrics[i].name;
    enum status status = find_word(text, "metric", words, &found, at, error);
    *info = (size_t)found;
    return status;
}

/* Checks that the statistic fits the metric: shares and counts only for "converged", ratios only with "ratio_to". */
static enum status check_statistic(const struct table_metric *metric, const struct json_path *at, struct error *error)
{
    const struct table_metric_info *info = &table_metrics[metric->info];
    const int is_share = metric->statistic == STATISTIC_OF_SHARE || metric->statistic == STATISTIC_OF_COUNT,
              is_ratio = metric->statistic == STATISTIC_OF_RATIO || metric->statistic == STATISTIC_OF_INTERVAL;
    if (metric->ratio_to.count && !info->logarithmic)
        return json_error(at, error, "\"ratio_to\" cannot be combined with \"%s\"; allowed: costs, support vectors and "
                                     "gaps",
                          info->name);
    if (is_share != (metric->info == METRIC_CONVERGED) || is_ratio != (metric->ratio_to.count > 0))
        return json_error(at, error, "statistic \"%s\" cannot be combined with \"%s\"%s; allowed: %s",
                          table_statistics[metric->statistic], info->name,
                          metric->ratio_to.count ? " and ratio_to" : "",
                          metric->info == METRIC_CONVERGED ? "share, count"
                          : metric->ratio_to.count         ? "geometric-mean, interval"
                                                           : "mean ± sd, mean(sd), mean, sd, median, quartiles, "
                                                             "minimum, maximum");
    return STATUS_OK;
}

struct metric_defaults {
    int statistic; /* -1: absent */
    struct number_format format;
};

static enum status read_metric_object(const struct reader *reader, const cJSON *json, const struct json_path *at,
                                      struct table_metric *metric, const char **statistic, struct error *error)
{
    static const char *const directions[] = {"lowest", "highest", "none", NULL};
    const struct json_path at_ratio = {.file = at->file, .outer = at, .key = "ratio_to"},
                           at_metric = {.file = at->file, .outer = at, .key = "metric"};
    const char *name = NULL, *ratio_to = NULL;
    double decimals = metric->format.decimals;
    int best = -1;
    const struct json_member members[] = {
        {"metric", .required = 1, .text = &name},
        {"statistic", .text = statistic},
        {"ratio_to", .text = &ratio_to},
        {"divisor", .number = &metric->divisor, .at_most = 1e15},
        {"unit", .text = &metric->unit},
        {"title", .text = &metric->title},
        {"best", .choice = &best, .names = directions},
        {"marks", .flag = &metric->marks},
        {"decimals", .number = &decimals, .is_closed = 1, .at_most = 9},
    };
    enum status status = json_only_members(json, at, members, COUNT(members), error);
    if (status == STATUS_OK)
        status = find_metric(name, &metric->info, &at_metric, error);
    if (status == STATUS_OK && decimals != floor(decimals))
        status = json_error(at, error, "\"decimals\" is not a whole number");
    if (status == STATUS_OK)
        status = read_baseline(reader, ratio_to, &at_ratio, &metric->ratio_to, error);
    metric->format.decimals = (int)decimals;
    if (best >= 0)
        metric->best = (enum table_direction)best;
    return status;
}

static enum status read_metric(const struct reader *reader, const cJSON *json, const struct metric_defaults *defaults,
                               const struct json_path *at, struct table_metric *metric, struct error *error)
{
    const struct json_path at_statistic = {.file = at->file, .outer = at, .key = "statistic"};
    const char *statistic = NULL;
    enum status status;
    *metric = (struct table_metric){.divisor = 1, .best = BEST_NOT_GIVEN, .marks = 1, .format = defaults->format};
    if (cJSON_IsString(json))
        status = find_metric(json->valuestring, &metric->info, at, error);
    else
        status = read_metric_object(reader, json, at, metric, &statistic, error);
    if (status != STATUS_OK)
        return status;
    int found = metric->info == METRIC_CONVERGED ? STATISTIC_OF_SHARE
                : metric->ratio_to.count         ? STATISTIC_OF_RATIO
                : defaults->statistic >= 0       ? defaults->statistic
                                                 : STATISTIC_OF_MEAN_SD;
    status = find_word(statistic, "statistic", table_statistics, &found, &at_statistic, error);
    metric->statistic = (enum table_statistic)found;
    if (metric->best == BEST_NOT_GIVEN) /* a small spread of small values is no achievement */
        metric->best = metric->statistic == STATISTIC_OF_SD ? BEST_NONE : table_metrics[metric->info].best;
    return status == STATUS_OK ? check_statistic(metric, at, error) : status;
}

static enum status read_metrics(const struct reader *reader, const cJSON *list, const struct metric_defaults *defaults,
                                const struct json_path *place, struct error *error)
{
    const struct json_path all = {.file = place->file, .outer = place, .key = "metrics"};
    struct json_path at = {.file = place->file, .outer = &all};
    struct table_spec *spec = reader->spec;
    const cJSON *item = NULL;
    const int n = cJSON_GetArraySize(list);
    if (n < 1 || n > 40)
        return json_error(&all, error, "%d metrics; allowed: 1 to 40", n);
    spec->metrics = xcalloc((size_t)n, sizeof *spec->metrics);
    cJSON_ArrayForEach (item, list) {
        enum status status = read_metric(reader, item, defaults, &at, &spec->metrics[spec->n_metrics++], error);
        for (const cJSON *other = list->child; status == STATUS_OK && other != item; other = other->next)
            if (cJSON_Compare(other, item, 1))
                status = json_error(&at, error, "the metric occurs twice");
        if (status != STATUS_OK)
            return status;
        at.index++;
    }
    return STATUS_OK;
}

/* ---- the rest ---- */

static enum status check_name(const char *name, const struct json_path *place, struct error *error)
{
    static const char *const taken[] = {"rivals-", "friedman-", "targets-"};
    static const char letters[] = /* no capitals: A.md and a.md are the same file on some systems */
        "abcdefghijklmnopqrstuvwxyz0123456789-_";
    const struct json_path at = {.file = place->file, .outer = place, .key = "name"};
    if (strlen(name) > 80 || strspn(name, letters) != strlen(name))
        return json_error(&at, error,
                          "\"%.40s\" is not the name of a table; allowed: at most 80 letters a to z, digits, \"-\", "
                          "\"_\"",
                          name);
    for (size_t i = 0; i < COUNT(taken); i++)
        if (strcmp(name, "summary") == 0 || strncmp(name, taken[i], strlen(taken[i])) == 0)
            return json_error(&at, error, "\"%.40s\" is reserved for a table that hullbench writes itself", name);
    return STATUS_OK;
}

/* Rejects a member of an object if an earlier one has the same key. */
static enum status check_once(const cJSON *object, const cJSON *item, const struct json_path *place,
                              struct error *error)
{
    for (const cJSON *other = object->child; other != item; other = other->next)
        if (strcmp(other->string, item->string) == 0)
            return json_error(place, error, "key \"%.40s\" occurs twice", item->string);
    return STATUS_OK;
}

static enum status check_where(const struct reader *reader, const cJSON *where, const struct json_path *place,
                               struct error *error)
{
    const struct json_path in = {.file = place->file, .outer = place, .key = "where"};
    const cJSON *item = NULL, *value = NULL;
    if (where && !where->child)
        return json_error(&in, error, "the object is empty");
    cJSON_ArrayForEach (item, where) {
        const struct json_path at = {.file = place->file, .outer = &in, .key = item->string};
        char shown[64];
        enum status status = check_setting(reader, item->string, "setting", NULL, &in, error);
        if (status == STATUS_OK)
            status = check_once(where, item, &in, error);
        if (status == STATUS_OK && cJSON_IsArray(item) && !item->child)
            status = json_error(&at, error, "the list is empty");
        const cJSON *first = cJSON_IsArray(item) ? item->child : item;
        for (value = first; value && status == STATUS_OK; value = cJSON_IsArray(item) ? value->next : NULL)
            if (!cJSON_IsString(value) && !cJSON_IsBool(value) && !(cJSON_IsNull(value) && value != item) &&
                !(cJSON_IsNumber(value) && isfinite(value->valuedouble)))
                status = json_error(&at, error, "%s is not a number, a string, true, false or a list of them (null may "
                                                "be in a list)",
                                    json_to_text(value, shown, sizeof shown));
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static enum status check_labels(const struct reader *reader, const cJSON *labels, const struct json_path *place,
                                struct error *error)
{
    const struct json_path in = {.file = place->file, .outer = place, .key = "labels"};
    const struct name_order *const orders[] = {&reader->names->datasets, &reader->names->solvers,
                                               &reader->names->settings};
    struct name_order known = {0};
    enum status status = STATUS_OK;
    const cJSON *item = NULL;
    for (size_t k = 0; k < COUNT(orders); k++)
        for (size_t i = 0; i < orders[k]->count; i++)
            name_order_add(&known, orders[k]->names[i]);
    cJSON_ArrayForEach (item, labels) {
        const char *text = NULL;
        if (status == STATUS_OK)
            status = check_once(labels, item, &in, error);
        if (status == STATUS_OK)
            status = json_text(labels, item->string, &in, 1, &text, error);
        if (status == STATUS_OK)
            status = check_known(item->string, "name", dimension_words, &known, &in, error);
    }
    name_order_free(&known);
    return status;
}

static enum status read_marks(const struct reader *reader, const cJSON *json, const struct json_path *place,
                              struct error *error)
{
    const struct json_path in = {.file = place->file, .outer = place, .key = "marks"},
                           at = {.file = place->file, .outer = &in, .key = "against"};
    const char *against = NULL;
    const struct json_member members[] = {
        {"against", .required = 1, .text = &against},
        {"level", .number = &reader->spec->level, .at_most = 0.5},
    };
    reader->spec->level = CONTRAST_SIGNIFICANT;
    if (!json)
        return STATUS_OK;
    enum status status = json_only_members(json, &in, members, COUNT(members), error);
    return status == STATUS_OK ? read_baseline(reader, against, &at, &reader->spec->against, error) : status;
}

static enum status check_sources(const cJSON *list, const struct json_path *place, struct error *error)
{
    struct name_order known = {0};
    struct reader reader = {0};
    for (int source = SPLIT_OFFICIAL; source <= SPLIT_FOLD; source++)
        name_order_add(&known, split_source_name((enum split_source)source));
    enum status status = check_names(&reader, list, "split_sources", "source of splits", &known, place, error);
    name_order_free(&known);
    return status;
}

/* Line widths of the article class at 10 pt on letter paper: one of two columns, and a single column. */
static const double widths_in_points[] = {229, 345};
static const double points_of_centimetre = 72.27 / 2.54;

static enum status read_object(struct reader *reader, const cJSON *json, const struct json_path *place,
                               struct error *error)
{
    static const char *const sides[] = {"row", "column", NULL}, *const widths[] = {"column", "text", NULL},
                             *const groupings[] = {"none", "thin-space", NULL};
    const struct json_path at_statistic = {.file = place->file, .outer = place, .key = "statistic"};
    struct table_spec *spec = reader->spec;
    const cJSON *rows = NULL, *columns = NULL, *metrics = NULL, *marks = NULL;
    const char *statistic = NULL;
    double centimetres = 0;
    struct metric_defaults defaults = {-1, {-1, 0}};
    int side = -1, width = 1;
    const struct json_member members[] = {
        {"name", .required = 1, .text = &spec->name},
        {"caption", .text = &spec->caption},
        {"rows", .required = 1, .list = &rows},
        {"columns", .list = &columns},
        {"metrics", .required = 1, .list = &metrics},
        {"statistic", .text = &statistic},
        {"datasets", .list = &spec->datasets},
        {"solvers", .list = &spec->solvers},
        {"split_sources", .list = &spec->split_sources},
        {"where", .object = &spec->where},
        {"best_in", .choice = &side, .names = sides},
        {"marks", .object = &marks},
        {"width", .choice = &width, .names = widths},
        {"width_cm", .number = &centimetres, .is_closed = 1, .above = 2, .at_most = 60},
        {"grouping", .choice = &defaults.format.thin_spaces, .names = groupings},
        {"labels", .object = &spec->labels},
    };
    enum status status = json_only_members(json, place, members, COUNT(members), error);
    if (status == STATUS_OK)
        status = reader->names ? check_name(spec->name, place, error) : STATUS_OK;
    spec->may_be_empty = !reader->names;
    spec->best = side >= 0;
    spec->best_side = side == 1 ? SIDE_COLUMNS : SIDE_ROWS;
    spec->spans = width == 1;
    spec->points = centimetres > 0 ? centimetres * points_of_centimetre : widths_in_points[width];
    if (status == STATUS_OK)
        status = find_word(statistic, "statistic", table_statistics, &defaults.statistic, &at_statistic, error);
    if (status == STATUS_OK)
        status = read_dimensions(reader, rows, columns, place, error);
    if (status == STATUS_OK)
        status = read_metrics(reader, metrics, &defaults, place, error);
    if (status == STATUS_OK && spec->datasets)
        status = check_names(reader, spec->datasets, "datasets", "data set", &reader->names->datasets, place, error);
    if (status == STATUS_OK && spec->solvers)
        status = check_names(reader, spec->solvers, "solvers", "solver", &reader->names->solvers, place, error);
    if (status == STATUS_OK && spec->split_sources)
        status = check_sources(spec->split_sources, place, error);
    if (status == STATUS_OK)
        status = check_where(reader, spec->where, place, error);
    if (status == STATUS_OK && spec->labels)
        status = check_labels(reader, spec->labels, place, error);
    return status == STATUS_OK ? read_marks(reader, marks, place, error) : status;
}

enum status table_spec_read(const cJSON *json, const struct json_path *place, const struct table_names *names,
                            struct table_spec *spec, struct error *error)
{
    struct reader reader = {.names = names, .spec = spec};
    *spec = (struct table_spec){.json = json};
    return read_object(&reader, json, place, error);
}

void table_spec_free(struct table_spec *spec)
{
    if (!spec)
        return;
    for (size_t i = 0; i < spec->n_metrics; i++)
        solver_choices_free(&spec->metrics[i].ratio_to);
    solver_choices_free(&spec->against);
    free(spec->metrics);
    *spec = (struct table_spec){0};
}

enum status table_specs_check(const cJSON *list, const struct json_path *place, const struct table_names *names,
                              struct error *error)
{
    struct json_path at = {.file = place->file, .outer = place};
    enum status status = STATUS_OK;
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, list) {
        struct table_spec spec = {0};
        if (!cJSON_IsString(item))
            status = table_spec_read(item, &at, names, &spec, error);
        for (const cJSON *other = list->child; status == STATUS_OK && spec.name && other != item;
             other = other->next) {
            const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(other, "name"));
            if (name && strcmp(name, spec.name) == 0)
                status = json_error(&at, error, "table name \"%s\" occurs twice", name);
        }
        table_spec_free(&spec);
        if (status != STATUS_OK)
            return status;
        at.index++;
    }
    return STATUS_OK;
}
