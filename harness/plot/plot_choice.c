/*
 * Options are converted to the JSON of a specification, so that one reader serves both. An element of "series" selects
 * its records with the same members as an entry of "plots" (record_filter.h).
 */
#include "harness/plot/plot_choice.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/kinds.h"
#include "harness/base/memory.h"
#include "harness/records/plan_order.h"
#include "harness/support/file.h"
#include "harness/support/json_field.h"

/* ---- reading ---- */

static enum status check_texts(const cJSON *list, const struct json_path *place, struct error *error)
{
    char shown[64];
    const cJSON *item;
    size_t index = 0;
    if (!list)
        return STATUS_OK;
    if (!cJSON_IsArray(list) || !list->child)
        return json_error(place, error, "%s is not a list of names, such as [\"heart\"]",
                          json_to_text(list, shown, sizeof shown));
    cJSON_ArrayForEach (item, list) {
        const struct json_path at = {.outer = place, .index = index};
        index++;
        if (!cJSON_IsString(item) || !*item->valuestring)
            return json_error(&at, error, "%s is not a name", json_to_text(item, shown, sizeof shown));
        for (const cJSON *other = item->next; other; other = other->next)
            if (cJSON_IsString(other) && strcmp(other->valuestring, item->valuestring) == 0)
                return json_error(&at, error, "\"%s\" occurs twice", item->valuestring);
    }
    return STATUS_OK;
}

/* Nonzero for a number, a text or, for a switch, true or false. */
static int is_value(const cJSON *value)
{
    return cJSON_IsNumber(value) || cJSON_IsString(value) || cJSON_IsBool(value);
}

/* A visitor of the members of an element's "where". */
typedef enum status visit_setting(const cJSON *value, const struct json_path *place, void *context,
                                  struct error *error);

/* Visits the members in order until a visitor returns an error. */
static enum status visit_where(const cJSON *element, const struct json_path *place, visit_setting *visit,
                               void *context, struct error *error)
{
    const struct json_path where = {.outer = place, .key = "where"};
    const cJSON *value;
    enum status status = STATUS_OK;
    cJSON_ArrayForEach (value, cJSON_GetObjectItemCaseSensitive(element, "where")) {
        const struct json_path at = {.outer = &where, .key = value->string};
        if (status == STATUS_OK)
            status = visit(value, &at, context, error);
    }
    return status;
}

/* Checks the values that a setting may have: one, or a list, in which null means records without the setting. */
static enum status check_values(const cJSON *value, const struct json_path *place, void *context, struct error *error)
{
    char shown[64];
    const cJSON *item;
    int is_list = cJSON_IsArray(value) && value->child;
    (void)context;
    cJSON_ArrayForEach (item, value)
        is_list &= is_value(item) || cJSON_IsNull(item);
    if (is_list || is_value(value))
        return STATUS_OK;
    return json_error(place, error, "%s is not a number, a string, true, false or a list of them (null may be in a "
                                    "list)",
                      json_to_text(value, shown, sizeof shown));
}

static enum status check_where(const cJSON *element, const struct json_path *place, struct error *error)
{
    char shown[64];
    const struct json_path at = {.outer = place, .key = "where"};
    const cJSON *where = cJSON_GetObjectItemCaseSensitive(element, "where");
    if (where && !cJSON_IsObject(where))
        return json_error(&at, error, "%s is not an object of settings, such as {\"mu\": 0.1}",
                          json_to_text(where, shown, sizeof shown));
    return visit_where(element, place, check_values, NULL, error);
}

static enum status check_colour(const char *colour, const struct json_path *place, struct error *error)
{
    const struct json_path at = {.outer = place, .key = "colour"};
    if (!colour || (strlen(colour) == 7 && *colour == '#' && strspn(colour + 1, "0123456789abcdefABCDEF") == 6))
        return STATUS_OK;
    return json_error(&at, error,
                      "\"%.40s\" is not a colour; allowed: \"#\" and six hexadecimal digits, such as \"#004c8c\"",
                      colour);
}

/* The series of an entry only select records: names and looks are the same in all figures. */
static enum status check_series(const cJSON *item, const struct json_path *place, int of_entry, struct error *error)
{
    const char *solver = NULL, *name = NULL, *colour = NULL;
    const cJSON *where = NULL;
    int dash = 0, mark = 0;
    const struct json_member members[] = {
        {.key = "solver", .required = 1, .text = &solver},
        {.key = "where", .object = &where},
        {.key = "name", .text = &name},
        {.key = "colour", .text = &colour},
        {.key = "dash", .choice = &dash, .names = figure_dash_names},
        {.key = "mark", .choice = &mark, .names = figure_mark_names},
    };
    const size_t n = of_entry ? 2 : sizeof members / sizeof *members;
    enum status status = json_only_members(item, place, members, n, error);
    if (status == STATUS_OK)
        status = check_where(item, place, error);
    const struct json_path at_name = {.outer = place, .key = "name"};
    if (status == STATUS_OK && !of_entry && name && strpbrk(name, "\"\\`\n"))
        return json_error(&at_name, error, "\"%.40s\" contains a quote, a backslash or a line end", name);
    return status == STATUS_OK && !of_entry ? check_colour(colour, place, error) : status;
}

static int same_name(const cJSON *a, const cJSON *b)
{
    const char *one = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(a, "name"));
    const char *other = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(b, "name"));
    return one && other && strcmp(one, other) == 0;
}

static enum status check_all_series(const cJSON *list, const struct json_path *place, int of_entry, struct error *error)
{
    char shown[64];
    const cJSON *item;
    size_t index = 0;
    if (!list)
        return STATUS_OK;
    if (!cJSON_IsArray(list) || !list->child)
        return json_error(place, error,
                          "%s is not a list of series, such as [{\"solver\": \"mdm\", \"name\": \"MDM\"}]",
                          json_to_text(list, shown, sizeof shown));
    cJSON_ArrayForEach (item, list) {
        const struct json_path at = {.outer = place, .index = index};
        index++;
        enum status status = check_series(item, &at, of_entry, error);
        if (status != STATUS_OK)
            return status;
        for (const cJSON *other = item->next; other; other = other->next)
            if (same_name(item, other))
                return json_error(&at, error, "series name \"%s\" occurs twice",
                                  cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "name")));
    }
    return STATUS_OK;
}

/* Checks the form of an entry of "plots". Drawing it checks its names and settings. */
static enum status check_plot(const cJSON *entry, const struct json_path *place, struct error *error)
{
    const char *text[7];
    const cJSON *lists[3] = {NULL}, *where = NULL, *series = NULL;
    size_t split = 0;
    static const char *const list_keys[] = {"datasets", "solvers", "tables"};
    const struct json_member members[] = {
        {.key = "kind", .required = 1, .text = &text[0]}, {.key = "name", .text = &text[1]},
        {.key = "dataset", .text = &text[2]},             {.key = "solver", .text = &text[3]},
        {.key = "metric", .text = &text[4]},              {.key = "x", .text = &text[5]},
        {.key = "y", .text = &text[6]},                   {.key = "datasets", .list = &lists[0]},
        {.key = "solvers", .list = &lists[1]},            {.key = "tables", .list = &lists[2]},
        {.key = "where", .object = &where},               {.key = "split", .count = &split, .at_most = 1e6},
        {.key = "series", .list = &series},
    };
    enum status status = json_only_members(entry, place, members, sizeof members / sizeof *members, error);
    if (status == STATUS_OK) {
        const struct json_path at = {.outer = place, .key = "kind"};
        size_t k = 0;
        while (plot_kind_names[k] && strcmp(plot_kind_names[k], text[0]) != 0)
            k++;
        if (!plot_kind_names[k])
            status = json_unknown_name(&at, "kind of figure", text[0], plot_kind_names, error);
    }
    for (size_t i = 0; status == STATUS_OK && i < 3; i++) {
        const struct json_path at = {.outer = place, .key = list_keys[i]};
        status = check_texts(lists[i], &at, error);
    }
    const struct json_path at_series = {.outer = place, .key = "series"};
    if (status == STATUS_OK)
        status = check_all_series(series, &at_series, 1, error);
    return status == STATUS_OK ? check_where(entry, place, error) : status;
}

static enum status check_plots(const cJSON *list, const struct json_path *place, struct error *error)
{
    char shown[64];
    const cJSON *item;
    size_t index = 0;
    enum status status = STATUS_OK;
    if (list && (!cJSON_IsArray(list) || !list->child))
        return json_error(place, error, "%s is not a list of objects with a \"kind\"",
                          json_to_text(list, shown, sizeof shown));
    cJSON_ArrayForEach (item, list) {
        const struct json_path at = {.outer = place, .index = index};
        index++;
        if (status == STATUS_OK)
            status = check_plot(item, &at, error);
    }
    return status;
}

/* Prefixes a reader's message about a member's value with the member's place. */
static enum status at_member(const struct json_path *top, const char *key, enum status status, struct error *error)
{
    const struct json_path at = {.outer = top, .key = key};
    char message[sizeof error->message];
    if (status == STATUS_OK)
        return status;
    const char *colon = strstr(error->message, ": ");
    snprintf(message, sizeof message, "%s", colon ? colon + 2 : error->message);
    return json_error(&at, error, "%s", message);
}

/* Sets the style's members that are not yet set. */
static enum status take_style(const cJSON *json, const struct json_path *top, struct figure_style *style,
                              const char **only, struct error *error)
{
    const char *use = NULL, *width = NULL, *font = NULL, *name = NULL;
    double size = 0;
    int single = 0, any = 0;
    const cJSON *formats = NULL, *item;
    const struct json_path at = {.outer = top, .key = "formats"};
    const struct json_member members[] = {
        {.key = "for", .text = &use},      {.key = "width", .text = &width},
        {.key = "font", .text = &font},    {.key = "font_size", .number = &size, .above = 6.999999, .at_most = 20},
        {.key = "only", .text = &name},    {.key = "single_panels", .flag = &single},
        {.key = "formats", .list = &formats},
    };
    for (size_t i = 0; i < FIGURE_FORMATS; i++)
        any |= style->formats[i];
    enum status status = json_members(json, top, members, sizeof members / sizeof *members, error);
    if (status == STATUS_OK && use && !style->paper)
        status = at_member(top, "for", figure_read_for(use, &style->paper, error), error);
    if (status == STATUS_OK && width && !(style->width > 0))
        status = at_member(top, "width", figure_read_width(width, &style->width, error), error);
    if (status == STATUS_OK && font && !style->font)
        status = at_member(top, "font", figure_read_font(font, &style->font, error), error);
    if (status == STATUS_OK)
        status = check_texts(formats, &at, error);
    cJSON_ArrayForEach (item, formats)
        if (status == STATUS_OK && !any)
            status = at_member(top, "formats", figure_read_formats(item->valuestring, style->formats, error), error);
    style->font_size = style->font_size > 0 ? style->font_size : size;
    style->single_panels |= single;
    *only = *only ? *only : name;
    return status;
}

static enum status take_spec(const char *path, struct plot_choice *choice, struct figure_style *style,
                             const char **only, struct error *error)
{
    static const char *const keys[] = {"for",           "width", "font",     "font_size", "formats",
                                       "single_panels", "only",  "datasets", "solvers",   "series", "plots", NULL};
    static const char *const lists[] = {"datasets", "solvers", "series", "plots"};
    const cJSON **const members[] = {&choice->datasets, &choice->solvers, &choice->series, &choice->plots};
    const struct json_path top = {.file = path};
    cJSON *json = NULL;
    enum status status = json_read(path, &json, error);
    choice->json[0] = json;
    if (status == STATUS_NOT_FOUND)
        return error_set(error, STATUS_BAD_INPUT, "%s: cannot be read: No such file or directory", path);
    if (status == STATUS_OK)
        status = json_check_keys(json, &top, keys, error);
    if (status == STATUS_OK)
        status = take_style(json, &top, style, only, error);
    for (size_t i = 0; status == STATUS_OK && i < sizeof lists / sizeof *lists; i++) {
        const struct json_path at = {.outer = &top, .key = lists[i]};
        *members[i] = cJSON_GetObjectItemCaseSensitive(json, lists[i]);
        status = i < 2    ? check_texts(*members[i], &at, error)
                 : i == 2 ? check_all_series(*members[i], &at, 0, error)
                          : check_plots(*members[i], &at, error);
    }
    return status;
}

/* Parses "a,b" as a list of names, "a=X,b" as a list of series; freed with the choice. */
static cJSON *list_of(const char *text, int series)
{
    cJSON *list = cJSON_CreateArray();
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        char *word = xasprintf("%.*s", (int)length, at), *name = series ? strchr(word, '=') : NULL;
        if (name)
            *name++ = '\0';
        cJSON *item = series ? cJSON_CreateObject() : cJSON_CreateString(word);
        if (series)
            cJSON_AddStringToObject(item, "solver", word);
        if (name)
            cJSON_AddStringToObject(item, "name", name);
        cJSON_AddItemToArray(list, item);
        free(word);
        at += length;
        if (!*at)
            return list;
    }
}

static enum status take_options(const struct plot_choice_options *options, struct plot_choice *choice,
                                struct error *error)
{
    static const struct json_path datasets = {.file = "--datasets"}, solvers = {.file = "--solvers"},
                                  series = {.file = "--series"};
    enum status status = STATUS_OK;
    if (options->datasets) {
        choice->datasets = choice->json[1] = list_of(options->datasets, 0);
        status = check_texts(choice->datasets, &datasets, error);
    }
    if (status == STATUS_OK && options->solvers) {
        choice->solvers = choice->json[2] = list_of(options->solvers, 0);
        status = check_texts(choice->solvers, &solvers, error);
    }
    if (status == STATUS_OK && options->series) {
        choice->series = choice->json[3] = list_of(options->series, 1);
        status = check_all_series(choice->series, &series, 0, error);
    }
    return status;
}

static enum status take_style_options(const struct plot_choice_options *options, struct figure_style *style,
                                      struct error *error)
{
    enum status status = options->use ? figure_read_for(options->use, &style->paper, error) : STATUS_OK;
    if (status == STATUS_OK && options->width)
        status = figure_read_width(options->width, &style->width, error);
    if (status == STATUS_OK && options->font)
        status = figure_read_font(options->font, &style->font, error);
    if (status == STATUS_OK && options->font_size)
        status = figure_read_font_size(options->font_size, &style->font_size, error);
    return status == STATUS_OK && options->formats ? figure_read_formats(options->formats, style->formats, error)
                                                   : status;
}

enum status plot_choice_read(const struct plot_choice_options *options, struct plot_choice *choice,
                             struct figure_style *style, const char **only, struct error *error)
{
    *choice = (struct plot_choice){.spec = options->spec};
    enum status status = take_style_options(options, style, error);
    if (status == STATUS_OK && options->spec)
        status = take_spec(options->spec, choice, style, only, error);
    if (status == STATUS_OK)
        status = take_options(options, choice, error);
    return status == STATUS_OK ? figure_style_complete(style, error) : status;
}

void plot_choice_free(struct plot_choice *choice)
{
    for (size_t i = 0; i < sizeof choice->json / sizeof *choice->json; i++)
        cJSON_Delete(choice->json[i]);
}

/* ---- applying ---- */

/* The origin of a list of names, for messages. */
static const char *origin_of(const struct plot_choice *choice, size_t option, const char *name, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s", choice->json[option] ? "--" : choice->spec, choice->json[option] ? "" : ": ", name);
    return text;
}

/* The list's place in the specification, or the option that it came from: "--" and the list's key. */
static struct json_path list_place(const struct plot_choice *choice, size_t list, const char *option,
                                   const struct json_path *top)
{
    const struct json_path in_option = {.file = option}, in_file = {.outer = top, .key = option + strlen("--")};
    return choice->json[list] ? in_option : in_file;
}

static enum status check_known(const char *name, const char *what, const struct json_path *place,
                               const struct name_order *known, struct error *error)
{
    if (name_order_find(known, name) < known->count)
        return STATUS_OK;
    const char **allowed = xcalloc(known->count + 1, sizeof *allowed);
    memcpy(allowed, known->names, known->count * sizeof *allowed);
    enum status status = json_unknown_name(place, what, name, allowed, error);
    free(allowed);
    return status;
}

/* The names that occur in records. */
struct known_names {
    struct plan_order order;
    struct name_order settings;
};

/* Checks that a record has the setting. */
static enum status check_setting(const cJSON *value, const struct json_path *place, void *known, struct error *error)
{
    return check_known(value->string, "setting", place->outer, known, error);
}

/* Checks that the solver of an element of "series" and its settings are known. */
static enum status check_series_names(const cJSON *series, const struct json_path *place, struct known_names *known,
                                      struct error *error)
{
    const struct json_path at = {.outer = place, .key = "solver"};
    enum status status = check_known(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(series, "solver")), "solver",
                                     &at, &known->order.solvers, error);
    return status == STATUS_OK ? visit_where(series, place, check_setting, &known->settings, error) : status;
}

/* Checks the names of an array, or the one name of a text. */
static enum status check_list(const cJSON *list, const char *what, const struct json_path *place,
                              const struct name_order *known, struct error *error)
{
    const cJSON *item;
    size_t index = 0;
    enum status status =
        cJSON_IsString(list) ? check_known(list->valuestring, what, place, known, error) : STATUS_OK;
    cJSON_ArrayForEach (item, list) {
        const struct json_path at = {.outer = place, .index = index};
        index++;
        if (status == STATUS_OK)
            status = check_known(item->valuestring, what, &at, known, error);
    }
    return status;
}

/* Checks that the runs have every name in the entry of "plots". */
static enum status check_entry_names(const cJSON *entry, const struct json_path *place, struct known_names *known,
                                     struct error *error)
{
    static const char *const keys[] = {"dataset", "datasets", "solver", "solvers"};
    const struct json_path in_series = {.outer = place, .key = "series"};
    const cJSON *series;
    size_t index = 0;
    enum status status = STATUS_OK;
    for (size_t k = 0; status == STATUS_OK && k < 4; k++) {
        const struct json_path at = {.outer = place, .key = keys[k]};
        status = check_list(cJSON_GetObjectItemCaseSensitive(entry, keys[k]), k < 2 ? "data set" : "solver", &at,
                            k < 2 ? &known->order.datasets : &known->order.solvers, error);
    }
    if (status == STATUS_OK)
        status = visit_where(entry, place, check_setting, &known->settings, error);
    cJSON_ArrayForEach (series, cJSON_GetObjectItemCaseSensitive(entry, "series")) {
        const struct json_path at = {.outer = &in_series, .index = index};
        index++;
        if (status == STATUS_OK)
            status = check_series_names(series, &at, known, error);
    }
    return status;
}

/* Checks that the runs have every name in the choice. */
static enum status check_names(const struct plot_choice *choice, struct known_names *known, struct error *error)
{
    const struct json_path top = {.file = choice->spec}, plots = {.outer = &top, .key = "plots"},
                           datasets = list_place(choice, 1, "--datasets", &top),
                           solvers = list_place(choice, 2, "--solvers", &top),
                           series = list_place(choice, 3, "--series", &top);
    const cJSON *item;
    size_t index = 0;
    enum status status = check_list(choice->datasets, "data set", &datasets, &known->order.datasets, error);
    if (status == STATUS_OK)
        status = check_list(choice->solvers, "solver", &solvers, &known->order.solvers, error);
    cJSON_ArrayForEach (item, choice->series) {
        const struct json_path at = {.outer = &series, .index = index};
        index++;
        if (status == STATUS_OK)
            status = check_series_names(item, &at, known, error);
    }
    index = 0;
    cJSON_ArrayForEach (item, choice->plots) {
        const struct json_path at = {.outer = &plots, .index = index};
        index++;
        if (status == STATUS_OK)
            status = check_entry_names(item, &at, known, error);
    }
    return status;
}

static int is_kept(const struct plot_choice *choice, const struct record *record)
{
    const cJSON *item;
    if (choice->datasets && !json_list_has(choice->datasets, record->dataset))
        return 0;
    if (choice->solvers && !json_list_has(choice->solvers, record->solver))
        return 0;
    cJSON_ArrayForEach (item, choice->series) {
        const struct record_filter filter = {.entry = item};
        if (record_matches(record, &filter))
            return 1;
    }
    return !choice->series;
}

/* Removes the records that the choice excludes; returns the number of those that remain. */
static size_t keep(const struct plot_choice *choice, struct run_folders *folders)
{
    size_t left = 0;
    for (size_t f = 0; f < folders->count; f++) {
        struct records *records = &folders->items[f].file.records;
        size_t kept = 0;
        for (size_t i = 0; i < records->count; i++)
            if (is_kept(choice, records->items[i]))
                records->items[kept++] = records->items[i];
        records->count = kept;
        left += kept;
    }
    return left;
}

/* Nonzero if any record fits the element of "series". */
static int fits_any(const cJSON *item, const struct run_folders *folders)
{
    const struct record_filter filter = {.entry = item};
    for (size_t f = 0; f < folders->count; f++)
        for (size_t i = 0; i < folders->items[f].file.records.count; i++)
            if (record_matches(folders->items[f].file.records.items[i], &filter))
                return 1;
    return 0;
}

/* Applies the conditions one by one, to be able to name the one that leaves no record. */
static enum status apply_each(const struct plot_choice *choice, struct run_folders *folders, struct error *error)
{
    const struct plot_choice steps[] = {{.datasets = choice->datasets}, {.solvers = choice->solvers}};
    static const char *const names[] = {"datasets", "solvers"};
    const char *path = folders->items[0].path;
    char origin[300], shown[200];
    const cJSON *item;
    for (size_t k = 0; k < 2; k++)
        if (keep(&steps[k], folders) == 0)
            return error_set(error, STATUS_NOT_FOUND, "%s: no record matches %s %s", path,
                             origin_of(choice, k + 1, names[k], origin, sizeof origin),
                             json_to_text(k ? choice->solvers : choice->datasets, shown, sizeof shown));
    cJSON_ArrayForEach (item, choice->series)
        if (!fits_any(item, folders))
            return error_set(error, STATUS_NOT_FOUND, "%s: no record matches the series %s of %s", path,
                             json_to_text(item, shown, sizeof shown),
                             origin_of(choice, 3, "series", origin, sizeof origin));
    const struct plot_choice last = {.series = choice->series};
    keep(&last, folders);
    return STATUS_OK;
}

/* Keeps the records whose setting has the value, or one of the list; STATUS_NOT_FOUND if none has. */
static enum status keep_value(const cJSON *value, const struct json_path *place, void *context, struct error *error)
{
    struct records *records = context;
    struct name_order had = {0};
    char shown[64], list[200] = "";
    size_t kept = 0, used = 0;
    for (size_t i = 0; i < records->count; i++) {
        const struct setting *setting = record_setting(records->items[i], value->string);
        name_order_add(&had, setting ? setting->text : "null (no such setting)");
        if (record_has_setting(records->items[i], value))
            records->items[kept++] = records->items[i];
    }
    for (size_t i = 0; kept == 0 && i < had.count && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.40s", i ? ", " : "", had.names[i]);
    if (kept == 0) {
        json_error(place, error, "%s matches none of the remaining %zu records of %s; they have: %s",
                   json_to_text(value, shown, sizeof shown), records->count,
                   records->items[0]->solver, list);
        if (error)
            error->status = STATUS_NOT_FOUND;
    }
    name_order_free(&had);
    records->count = kept;
    return kept ? STATUS_OK : STATUS_NOT_FOUND;
}

/* Checks that the entry draws a record of the solver, under the conditions of one of its series (NULL: only its
 * own). */
static enum status check_drawn(const cJSON *entry, const struct json_path *place, const char *solver,
                               const cJSON *series, const struct json_path *in_series, const struct records *all,
                               struct error *error)
{
    struct records left = {0};
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i]->solver, solver) == 0 && entry_names(entry, "solvers", "solver", solver) &&
            entry_names(entry, "datasets", "dataset", all->items[i]->dataset))
            records_add(&left, all->items[i]);
    enum status status = left.count ? STATUS_OK : STATUS_NOT_FOUND;
    if (left.count == 0) {
        json_error(in_series, error, "the entry's data sets and solvers leave no record of %s", solver);
        if (error)
            error->status = STATUS_NOT_FOUND;
    }
    if (status == STATUS_OK && series)
        status = visit_where(series, in_series, keep_value, &left, error);
    if (status == STATUS_OK)
        status = visit_where(entry, place, keep_value, &left, error);
    records_free(&left);
    return status;
}

/* Checks that every solver and every series in the entry of "plots" is drawn. */
static enum status check_entry_drawn(const cJSON *entry, const struct json_path *place, const struct records *all,
                                     struct error *error)
{
    static const char *const keys[] = {"series", "solvers", "solver"};
    enum status status = STATUS_OK;
    for (size_t k = 0; k < 3; k++) {
        const struct json_path in = {.outer = place, .key = keys[k]};
        const cJSON *list = cJSON_GetObjectItemCaseSensitive(entry, keys[k]), *item;
        size_t index = 0;
        if (status == STATUS_OK && cJSON_IsString(list))
            status = check_drawn(entry, place, list->valuestring, NULL, &in, all, error);
        cJSON_ArrayForEach (item, list) {
            const struct json_path at = {.outer = &in, .index = index};
            index++;
            const char *solver = cJSON_GetStringValue(k ? item : cJSON_GetObjectItemCaseSensitive(item, "solver"));
            if (status == STATUS_OK)
                status = check_drawn(entry, place, solver, k ? NULL : item, &at, all, error);
        }
    }
    return status;
}

static enum status check_all_drawn(const struct plot_choice *choice, const struct records *all, struct error *error)
{
    const struct json_path top = {.file = choice->spec}, plots = {.outer = &top, .key = "plots"};
    const cJSON *entry;
    size_t index = 0;
    enum status status = STATUS_OK;
    cJSON_ArrayForEach (entry, choice->plots) {
        const struct json_path at = {.outer = &plots, .index = index};
        index++;
        if (status == STATUS_OK)
            status = check_entry_drawn(entry, &at, all, error);
    }
    return status;
}

static void known_names_take(const struct records *all, struct known_names *known)
{
    *known = (struct known_names){0};
    plan_order_take(all, &known->order);
    for (size_t i = 0; i < all->count; i++)
        for (size_t s = 0; s < all->items[i]->n_settings; s++)
            name_order_add(&known->settings, all->items[i]->settings[s].name);
}

enum status plot_choice_apply(const struct plot_choice *choice, struct run_folders *folders, struct error *error)
{
    struct records all = {0};
    struct known_names known;
    enum status status = STATUS_OK;
    if (!choice || (!choice->datasets && !choice->solvers && !choice->series && !choice->plots))
        return STATUS_OK;
    for (size_t f = 0; status == STATUS_OK && f < folders->count; f++) {
        status = run_folder_read_records(&folders->items[f], error);
        records_append(&all, &folders->items[f].file.records);
    }
    known_names_take(&all, &known);
    if (status == STATUS_OK)
        status = check_names(choice, &known, error);
    if (status == STATUS_OK)
        status = check_all_drawn(choice, &all, error);
    if (status == STATUS_OK)
        status = apply_each(choice, folders, error);
    plan_order_free(&known.order);
    name_order_free(&known.settings);
    records_free(&all);
    return status;
}

/* ---- looks ---- */

/* The index of the first of the given texts among `names`, from there on. */
static int name_index(const char *const *names, const char *name)
{
    for (int i = 0; name && names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

static void take_look(const cJSON *item, struct figure_look *look)
{
    const char *colour = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "colour"));
    int dash = name_index(figure_dash_names, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "dash")));
    int mark = name_index(figure_mark_names, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "mark")));
    if (colour)
        snprintf(look->colour, sizeof look->colour, "%s", colour);
    look->dash = dash >= 0 ? dash + 1 : look->dash;
    look->mark = mark >= 0 ? mark + 1 : look->mark;
}

struct figure_named_look *plot_looks(const struct plot_choice *choice, const struct run_folder *folder, size_t *n)
{
    struct name_order solvers = {0};
    const cJSON *item, *list = choice ? choice->series : NULL;
    char label[200];
    for (size_t i = 0; folder && i < folder->file.n_all; i++)
        name_order_add(&solvers, folder->file.all[i].solver);
    const size_t series = (size_t)cJSON_GetArraySize(list);
    struct figure_named_look *looks = xcalloc(solvers.count + series, sizeof *looks);
    for (*n = 0; *n < solvers.count; ++*n)
        looks[*n] = (struct figure_named_look){
            xstrdup(plot_solver_label(solvers.names[*n], label, sizeof label)), xstrdup(solvers.names[*n]),
            figure_look_at(*n)};
    cJSON_ArrayForEach (item, list) {
        const char *solver = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "solver"));
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "name"));
        size_t at = name_order_find(&solvers, solver);
        const int is_first = at < solvers.count &&
                             strcmp(looks[at].name, plot_solver_label(solver, label, sizeof label)) == 0;
        if (!is_first) { /* another series of the solver, or a solver of another folder */
            at = (*n)++;
            looks[at] = (struct figure_named_look){NULL, xstrdup(solver), figure_look_at(at)};
        }
        free(looks[at].name);
        looks[at].name = xstrdup(name ? name : plot_solver_label(solver, label, sizeof label));
        take_look(item, &looks[at].look);
    }
    name_order_free(&solvers);
    return looks;
}

void plot_looks_free(struct figure_named_look *looks, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(looks[i].name);
        free(looks[i].of);
    }
    free(looks);
}
