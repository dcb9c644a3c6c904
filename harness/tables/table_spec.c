/* Reads specifications of tables. */
#include "harness/tables/table_spec.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "harness/data/dataset.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

const char *const table_statistics[TABLE_STATISTICS + 1] = {
    [STATISTIC_OF_MEAN_SD] = "mean ± sd",  [STATISTIC_OF_MEAN_SD_FORMER] = "mean(sd)",
    [STATISTIC_OF_MEAN] = "mean",          [STATISTIC_OF_SD] = "sd",
    [STATISTIC_OF_MEDIAN] = "median",      [STATISTIC_OF_QUARTILES] = "quartiles",
    [STATISTIC_OF_MINIMUM] = "minimum",    [STATISTIC_OF_MAXIMUM] = "maximum",
    [STATISTIC_OF_SHARE] = "share",        [STATISTIC_OF_COUNT] = "count",
    [STATISTIC_OF_RATIO] = "geometric-mean", [STATISTIC_OF_INTERVAL] = "interval"};

int table_statistic_is_location(int statistic)
{
    return statistic != STATISTIC_OF_SD && statistic != STATISTIC_OF_MINIMUM && statistic != STATISTIC_OF_MAXIMUM &&
           statistic != STATISTIC_OF_SHARE && statistic != STATISTIC_OF_COUNT;
}

int table_spec_has(const struct table_spec *spec, enum table_dimension_kind kind)
{
    for (size_t i = 0; i < spec->n_dimensions; i++)
        if (spec->dimensions[i].kind == kind)
            return 1;
    return 0;
}

int table_has_setting(const struct table_dimension *dimensions, size_t n, const char *setting)
{
    for (size_t i = 0; i < n; i++)
        if (dimensions[i].kind == DIMENSION_SETTING && strcmp(dimensions[i].setting, setting) == 0)
            return 1;
    return 0;
}

/* ---- names ---- */

static void add_parameters(struct name_order *order, const struct parameter *const *parameters)
{
    for (; parameters && *parameters; parameters++)
        name_order_add(order, (*parameters)->name);
}

struct known_names table_names_of_config(struct pool *pool, const struct config *config)
{
    static const char *const always[] = {"kernel", "stop", "tolerance"};
    struct known_names names = {{.pool = pool}, {.pool = pool}, {.pool = pool}};
    for (size_t i = 0; i < config->n_datasets; i++)
        name_order_add(&names.datasets, config->datasets[i].name);
    for (size_t i = 0; i < config->n_solvers; i++) {
        name_order_add(&names.solvers, config->solvers[i].solver->name);
        for (size_t p = 0; p < solver_count_parameters(config->solvers[i].solver); p++)
            name_order_add(&names.settings, config_solver_parameter(&config->solvers[i], p)->name);
    }
    add_parameters(&names.settings, config->kernel->parameters);
    for (size_t i = 0; i < COUNT(always); i++)
        name_order_add(&names.settings, always[i]);
    return names;
}

/* ---- keys ---- */

static const char *const directions[] = {"lowest", "highest", "none", NULL}, *const sides[] = {"row", "column", NULL},
                         *const widths[] = {"column", "text", NULL},
                         *const groupings[] = {"none", "thin-space", NULL};

const struct member table_metric_members[] = {
    {"metric", MEMBER_TEXT, FIELD(struct table_metric, name), MEMBER_REQUIRED},
    {"statistic", MEMBER_CHOICE, FIELD(struct table_metric, statistic), .names = table_statistics, .fallback = -1},
    {"ratio_to", MEMBER_TEXT, FIELD(struct table_metric, baseline), .doc = "NAME or NAME[SETTING=VALUE]"},
    {"divisor", MEMBER_REAL, FIELD(struct table_metric, divisor), MEMBER_ABOVE, .high = 1e15, .fallback = 1},
    {"unit", MEMBER_TEXT, FIELD(struct table_metric, unit), .doc = "For the heading in place of the usual unit."},
    {"title", MEMBER_TEXT, FIELD(struct table_metric, title), .doc = "For the heading in place of the usual name."},
    {"best", MEMBER_CHOICE, FIELD(struct table_metric, best), .names = directions, .fallback = -1},
    {"marks", MEMBER_FLAG, FIELD(struct table_metric, marks), .fallback = 1},
    {"decimals", MEMBER_COUNT, FIELD(struct table_metric, format.decimals), .high = 9, .fallback = -1},
    MEMBERS_END,
};

struct table_marks {
    const char *against;
    double level;
};
static const struct member marks_members[] = {
    {"against", MEMBER_TEXT, FIELD(struct table_marks, against), MEMBER_REQUIRED,
     .doc = "NAME or NAME[SETTING=VALUE]"},
    {"level", MEMBER_REAL, FIELD(struct table_marks, level), MEMBER_ABOVE, .high = 0.5,
     .fallback = CONTRAST_SIGNIFICANT},
    MEMBERS_END,
};

enum { NAMES = MEMBER_NOT_EMPTY | MEMBER_DISTINCT };
const struct member table_spec_members[] = {
    {"name", MEMBER_TEXT, FIELD(struct table_spec, name), MEMBER_REQUIRED},
    {"caption", MEMBER_TEXT, FIELD(struct table_spec, caption)},
    {"rows", MEMBER_TEXTS, FIELD(struct table_spec, rows), MEMBER_REQUIRED | NAMES},
    {"columns", MEMBER_TEXTS, FIELD(struct table_spec, columns), NAMES},
    {"metrics", MEMBER_JSON_LIST, FIELD(struct table_spec, metrics_given), MEMBER_REQUIRED},
    {"statistic", MEMBER_CHOICE, FIELD(struct table_spec, statistic), .names = table_statistics, .fallback = -1},
    {"datasets", MEMBER_TEXTS, FIELD(struct table_spec, datasets), NAMES},
    {"solvers", MEMBER_TEXTS, FIELD(struct table_spec, solvers), NAMES},
    {"split_sources", MEMBER_TEXTS, FIELD(struct table_spec, split_sources), NAMES,
     .names = split_source_names, .noun = "source of splits"},
    {"where", MEMBER_JSON_OBJECT, FIELD(struct table_spec, where)},
    {"best_in", MEMBER_CHOICE, FIELD(struct table_spec, best_in), .names = sides, .fallback = -1},
    {"marks", MEMBER_OBJECT, FIELD(struct table_spec, marks), .inner = marks_members,
     .inner_size = sizeof(struct table_marks)},
    {"width", MEMBER_CHOICE, FIELD(struct table_spec, width), .names = widths, .fallback = 1},
    {"width_cm", MEMBER_REAL, FIELD(struct table_spec, width_cm), .low = 2, .high = 60},
    {"grouping", MEMBER_CHOICE, FIELD(struct table_spec, thin_spaces), .names = groupings},
    {"labels", MEMBER_JSON_OBJECT, FIELD(struct table_spec, labels)},
    MEMBERS_END,
};

/* ---- checks of names ---- */

struct reader {
    struct pool *pool;
    const struct json_path *place;
    const struct known_names *names; /* NULL: a built-in table */
    struct table_spec *spec;
};

/* ---- rows and columns ---- */

static const char *const dimension_words[] = {"dataset", "solver", "split-source", "metric", "settings", NULL};

static void add_dimension(const struct reader *reader, const char *text, enum table_side side,
                          const struct json_path *at)
{
    struct table_spec *spec = reader->spec;
    struct table_dimension dimension = {DIMENSION_SETTING, text, setting_of_name(text), side};
    for (size_t k = 0; dimension_words[k]; k++)
        if (strcmp(dimension_words[k], text) == 0)
            dimension.kind = (enum table_dimension_kind)k;
    for (size_t i = 0; i < spec->n_dimensions; i++)
        if (strcmp(spec->dimensions[i].name, text) == 0)
            json_die(at, "\"%s\" occurs twice, in rows and columns", text);
    if (spec->n_dimensions + 2 > MAX_DIMENSIONS)
        json_die(at, "too many dimensions; allowed: at most %d", MAX_DIMENSIONS - 2);
    if (dimension.kind == DIMENSION_SETTING && reader->names)
        setting_name_check(&reader->names->settings, dimension_words, "dimension", text, at);
    spec->dimensions[spec->n_dimensions++] = dimension;
}

static void add_dimensions(const struct reader *reader, const struct member_texts *texts, enum table_side side)
{
    const struct json_path in = {.outer = reader->place, .key = side == SIDE_ROWS ? "rows" : "columns"};
    for (size_t i = 0; i < texts->count; i++)
        add_dimension(reader, texts->item[i], side, json_at_index(&in, i));
}

/* ---- metrics ---- */

static void read_baseline(const struct reader *reader, const char *text, const struct json_path *at,
                          struct solver_choices *choices)
{
    if (!text)
        return;
    const char *prefix = pool_printf(reader->pool, "%s: solver", json_place(at));
    *choices = solver_choices_read(reader->pool, prefix, text);
    if (choices->count != 1)
        json_die(at, "\"%.60s\" is not one solver; expected NAME or NAME[SETTING=VALUE]", text);
    known_name_check(&reader->names->solvers, NULL, "solver", choices->items[0].name, at);
}

static size_t find_metric(const char *text, const struct json_path *at)
{
    const char *names[MEASURES + 1] = {NULL};
    const size_t found = measure_find(text, MEMBER_MEASURE);
    if (found < MEASURES)
        return found;
    for (size_t m = 0, n = 0; m < MEASURES; m++)
        if (measure_row(m)->flags & MEMBER_MEASURE)
            names[n++] = measure_row(m)->measure;
    json_die_unknown(at, "metric", text, names);
}

/* Checks that the statistic fits the metric: shares and counts only for "converged", ratios only with "ratio_to". */
static void check_statistic(const struct table_metric *metric, const struct json_path *at)
{
    const struct member *row = measure_row(metric->measure);
    const int is_share = metric->statistic == STATISTIC_OF_SHARE || metric->statistic == STATISTIC_OF_COUNT,
              is_ratio = metric->statistic == STATISTIC_OF_RATIO || metric->statistic == STATISTIC_OF_INTERVAL;
    if (metric->ratio_to.count && !(row->flags & MEMBER_RATIO))
        json_die(at, "\"ratio_to\" cannot be combined with \"%s\"; allowed: costs, support vectors and gaps",
                 row->measure);
    if (is_share != (metric->measure == MEASURE_CONVERGED) || is_ratio != (metric->ratio_to.count > 0))
        json_die(at, "statistic \"%s\" cannot be combined with \"%s\"%s; allowed: %s",
                 table_statistics[metric->statistic], row->measure, metric->ratio_to.count ? " and ratio_to" : "",
                 metric->measure == MEASURE_CONVERGED ? "share, count"
                 : metric->ratio_to.count         ? "geometric-mean, interval"
                                                  : "mean ± sd, mean(sd), mean, sd, median, quartiles, minimum, "
                                                    "maximum");
}

static void read_metric(const struct reader *reader, const cJSON *json, const struct json_path *at,
                        struct table_metric *metric)
{
    const struct table_spec *spec = reader->spec;
    if (cJSON_IsString(json))
        *metric = (struct table_metric){.name = json->valuestring, .statistic = -1, .best = -1, .marks = 1,
                                        .divisor = 1, .format.decimals = -1};
    else
        members_read(reader->pool, table_metric_members, json, at, metric);
    metric->measure = find_metric(metric->name, cJSON_IsString(json) ? at : json_at(at, "metric"));
    metric->format.thin_spaces = spec->thin_spaces;
    read_baseline(reader, metric->baseline, json_at(at, "ratio_to"), &metric->ratio_to);
    if (metric->statistic < 0)
        metric->statistic = metric->measure == MEASURE_CONVERGED ? STATISTIC_OF_SHARE
                            : metric->ratio_to.count             ? STATISTIC_OF_RATIO
                            : spec->statistic >= 0               ? spec->statistic
                                                                 : STATISTIC_OF_MEAN_SD;
    if (metric->statistic == STATISTIC_OF_MEAN_SD_FORMER)
        metric->statistic = STATISTIC_OF_MEAN_SD;
    const unsigned flags = measure_row(metric->measure)->flags;
    if (metric->best < 0) /* a small spread of small values is no merit */
        metric->best = metric->statistic == STATISTIC_OF_SD ? BEST_NONE
                       : flags & MEMBER_LOWER               ? BEST_LOWEST
                       : flags & MEMBER_HIGHER              ? BEST_HIGHEST
                                                            : BEST_NONE;
    check_statistic(metric, at);
}

static void read_metrics(const struct reader *reader)
{
    const struct json_path all = {.outer = reader->place, .key = "metrics"};
    struct json_path at = {.outer = &all};
    struct table_spec *spec = reader->spec;
    const cJSON *list = spec->metrics_given, *item = NULL;
    const int n = cJSON_GetArraySize(list);
    if (n < 1 || n > 40)
        json_die(&all, "%d metrics; allowed: 1 to 40", n);
    spec->metrics = pool_array(reader->pool, (size_t)n, sizeof *spec->metrics);
    cJSON_ArrayForEach (item, list) {
        read_metric(reader, item, &at, &spec->metrics[spec->n_metrics++]);
        for (const cJSON *other = list->child; other != item; other = other->next)
            if (cJSON_Compare(other, item, 1))
                json_die(&at, "the metric occurs twice");
        at.index++;
    }
}

/* ---- the rest ---- */

static void check_name(const struct reader *reader)
{
    static const char *const taken[] = {"rivals-", "friedman-", "targets-"};
    static const char letters[] = /* no capitals: A.md and a.md are the same file on some systems */
        "abcdefghijklmnopqrstuvwxyz0123456789-_";
    const struct json_path *at = json_at(reader->place, "name");
    const char *name = reader->spec->name;
    if (strlen(name) > 80 || strspn(name, letters) != strlen(name))
        json_die(at, "\"%.40s\" is not the name of a table; allowed: at most 80 letters a to z, digits, \"-\", \"_\"",
                 name);
    for (size_t i = 0; i < COUNT(taken); i++)
        if (strcmp(name, "summary") == 0 || strncmp(name, taken[i], strlen(taken[i])) == 0)
            json_die(at, "\"%.40s\" is reserved for a table that hullbench writes itself", name);
}

static void check_labels(const struct reader *reader)
{
    const struct json_path in = {.outer = reader->place, .key = "labels"};
    const cJSON *labels = reader->spec->labels, *item = NULL;
    struct name_order known = {.pool = reader->pool};
    if (!labels)
        return;
    const struct name_order *const orders[] = {&reader->names->datasets, &reader->names->solvers,
                                               &reader->names->settings};
    for (size_t k = 0; k < COUNT(orders); k++)
        for (size_t i = 0; i < orders[k]->count; i++)
            name_order_add(&known, orders[k]->names[i]);
    cJSON_ArrayForEach (item, labels) {
        json_read_text(labels, item->string, &in);
        known_name_check(&known, dimension_words, "name", item->string, &in);
    }
}

/* Line widths of the article class at 10 pt on letter paper: one of two columns, and a single column. */
static const double widths_in_points[] = {229, 345};
static const double points_of_centimetre = 72.27 / 2.54;

const struct table_spec *table_spec_read(struct pool *pool, const cJSON *json, const struct json_path *place,
                                         const struct known_names *names)
{
    struct table_spec *spec = pool_alloc(pool, sizeof *spec);
    const struct reader reader = {pool, place, names, spec};
    const struct json_path *where = json_at(place, "where");
    members_read(pool, table_spec_members, json, place, spec);
    spec->json = json;
    spec->may_be_empty = !names;
    spec->points = spec->width_cm > 0 ? spec->width_cm * points_of_centimetre : widths_in_points[spec->width];
    if (names)
        check_name(&reader);
    add_dimensions(&reader, &spec->rows, SIDE_ROWS);
    add_dimensions(&reader, &spec->columns, SIDE_COLUMNS);
    if (!table_spec_has(spec, DIMENSION_METRIC)) /* then the metrics are the innermost columns */
        add_dimension(&reader, dimension_words[DIMENSION_METRIC], SIDE_COLUMNS, place);
    read_metrics(&reader);
    where_check(spec->where, where);
    if (spec->where && !spec->where->child)
        json_die(where, "the object is empty");
    if (names)
        selection_check(json, place, names);
    check_labels(&reader);
    spec->level = spec->marks ? spec->marks->level : CONTRAST_SIGNIFICANT;
    read_baseline(&reader, spec->marks ? spec->marks->against : NULL, json_at(json_at(place, "marks"), "against"),
                  &spec->against);
    return spec;
}

void table_specs_check(const cJSON *list, const struct json_path *place, const struct known_names *names)
{
    struct json_path at = {.outer = place};
    struct pool *pool = pool_new();
    struct name_order seen = {.pool = pool};
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, list) {
        if (!cJSON_IsString(item)) {
            const struct table_spec *spec = table_spec_read(pool, item, &at, names);
            const size_t before = seen.count;
            if (name_order_add(&seen, spec->name) < before)
                json_die(&at, "table name \"%s\" occurs twice", spec->name);
        }
        at.index++;
    }
    pool_free(pool);
}
