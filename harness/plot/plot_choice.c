/*
 * Options are converted to the JSON of a specification, so that one reader serves both. An element of "series" selects
 * its records with the same members as an entry of "plots" (record_filter.h).
 */
#include "harness/plot/plot_choice.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/kinds.h"
#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/records/plan_order.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"

/* ---- keys ---- */

static const char *const uses[] = {"screen", "paper", NULL};

/* A series: which records, their name in figures, and their look. */
struct series_given {
    const char *solver, *name, *colour;
    const cJSON *where;
    int dash, mark;
};
const struct member plot_series_members[] = {
    {"solver", MEMBER_TEXT, FIELD(struct series_given, solver), MEMBER_REQUIRED},
    {"where", MEMBER_JSON, FIELD(struct series_given, where)},
    {"name", MEMBER_TEXT, FIELD(struct series_given, name)},
    {"colour", MEMBER_TEXT, FIELD(struct series_given, colour)},
    {"dash", MEMBER_CHOICE, FIELD(struct series_given, dash), .names = figure_dash_names, .fallback = -1},
    {"mark", MEMBER_CHOICE, FIELD(struct series_given, mark), .names = figure_mark_names, .fallback = -1},
    MEMBERS_END,
};
/* Those of an entry only select records: names and looks are the same in all figures. */
const struct member plot_entry_series_members[] = {
    {"solver", MEMBER_TEXT, FIELD(struct series_given, solver), MEMBER_REQUIRED},
    {"where", MEMBER_JSON, FIELD(struct series_given, where)},
    MEMBERS_END,
};

/* An entry of "plots". */
struct plot_given {
    const char *kind, *name, *dataset, *solver, *metric, *x, *y;
    const cJSON *datasets, *solvers, *where, *tables, *series;
    size_t split;
};
const struct member plot_members[] = {
    {"kind", MEMBER_TEXT, FIELD(struct plot_given, kind), MEMBER_REQUIRED, .names = plot_kind_names,
     .noun = "kind of figure"},
    {"name", MEMBER_TEXT, FIELD(struct plot_given, name)},
    {"dataset", MEMBER_TEXT, FIELD(struct plot_given, dataset)},
    {"datasets", MEMBER_JSON, FIELD(struct plot_given, datasets)},
    {"solver", MEMBER_TEXT, FIELD(struct plot_given, solver)},
    {"solvers", MEMBER_JSON, FIELD(struct plot_given, solvers)},
    {"where", MEMBER_JSON, FIELD(struct plot_given, where)},
    {"tables", MEMBER_JSON, FIELD(struct plot_given, tables)},
    {"split", MEMBER_COUNT, FIELD(struct plot_given, split), .low = 1, .high = 1e6},
    {"metric", MEMBER_TEXT, FIELD(struct plot_given, metric)},
    {"x", MEMBER_TEXT, FIELD(struct plot_given, x)},
    {"y", MEMBER_TEXT, FIELD(struct plot_given, y)},
    {"series", MEMBER_JSON, FIELD(struct plot_given, series), .doc = "Chooses the records of this figure."},
    MEMBERS_END,
};

/* The file of --spec. */
struct spec {
    const char *use, *width, *font, *only;
    double font_size;
    int single_panels;
    const cJSON *formats, *datasets, *solvers, *series, *plots;
};
const struct member plot_spec_members[] = {
    {"for", MEMBER_TEXT, FIELD(struct spec, use), .names = uses, .noun = "use", .doc = "Default: screen."},
    {"width", MEMBER_TEXT, FIELD(struct spec, width),
     .doc = "column, text, or 5 cm to 60 cm in cm, mm, in or pt, such as 8.6cm."},
    {"font", MEMBER_TEXT, FIELD(struct spec, font)},
    {"font_size", MEMBER_REAL, FIELD(struct spec, font_size), .low = 7, .high = 20},
    {"formats", MEMBER_JSON, FIELD(struct spec, formats)},
    {"single_panels", MEMBER_FLAG, FIELD(struct spec, single_panels)},
    {"only", MEMBER_TEXT, FIELD(struct spec, only), .doc = "The name of a figure or of an entry of plots."},
    {"datasets", MEMBER_JSON, FIELD(struct spec, datasets)},
    {"solvers", MEMBER_JSON, FIELD(struct spec, solvers)},
    {"series", MEMBER_JSON, FIELD(struct spec, series)},
    {"plots", MEMBER_JSON, FIELD(struct spec, plots),
     .doc = "The figures to draw, in place of those of the configuration."},
    MEMBERS_END,
};

/* ---- reading ---- */

/* A list, if given, is not empty. */
static void check_list_form(const cJSON *list, const struct json_path *place, const char *what)
{
    char shown[64];
    if (list && (!cJSON_IsArray(list) || !list->child))
        json_die(place, "%s is not a list of %s", json_to_text(list, shown, sizeof shown), what);
}

static void check_texts(const cJSON *list, const struct json_path *place)
{
    char shown[64];
    const cJSON *item;
    struct json_path at = {.outer = place};
    check_list_form(list, place, "names, such as [\"heart\"]");
    cJSON_ArrayForEach (item, list) {
        if (!cJSON_IsString(item) || !*item->valuestring)
            json_die(&at, "%s is not a name", json_to_text(item, shown, sizeof shown));
        for (const cJSON *other = item->next; other; other = other->next)
            if (cJSON_IsString(other) && strcmp(other->valuestring, item->valuestring) == 0)
                json_die(&at, "\"%s\" occurs twice", item->valuestring);
        at.index++;
    }
}

/* Nonzero for a number, a text or, for a switch, true or false. */
static int is_value(const cJSON *value)
{
    return cJSON_IsNumber(value) || cJSON_IsString(value) || cJSON_IsBool(value);
}

/* A visitor of the members of an element's "where". */
typedef void visit_setting(const cJSON *value, const struct json_path *place, void *context);

static void visit_where(const cJSON *element, const struct json_path *place, visit_setting *visit, void *context)
{
    const struct json_path where = {.outer = place, .key = "where"};
    const cJSON *value;
    cJSON_ArrayForEach (value, cJSON_GetObjectItemCaseSensitive(element, "where")) {
        const struct json_path at = {.outer = &where, .key = value->string};
        visit(value, &at, context);
    }
}

/* Checks the values that a setting may have: one, or a list, in which null means records without the setting. */
static void check_values(const cJSON *value, const struct json_path *place, void *context)
{
    char shown[64];
    const cJSON *item;
    int is_list = cJSON_IsArray(value) && value->child;
    (void)context;
    cJSON_ArrayForEach (item, value)
        is_list &= is_value(item) || cJSON_IsNull(item);
    if (is_list || is_value(value))
        return;
    json_die(place, "%s is not a number, a string, true, false or a list of them (null may be in a list)",
             json_to_text(value, shown, sizeof shown));
}

static void check_where(const cJSON *element, const struct json_path *place)
{
    char shown[64];
    const struct json_path at = {.outer = place, .key = "where"};
    const cJSON *where = cJSON_GetObjectItemCaseSensitive(element, "where");
    if (where && !cJSON_IsObject(where))
        json_die(&at, "%s is not an object of settings, such as {\"mu\": 0.1}",
                 json_to_text(where, shown, sizeof shown));
    visit_where(element, place, check_values, NULL);
}

static void check_series(struct pool *pool, const cJSON *item, const struct json_path *place, int of_entry)
{
    const struct json_path at_name = {.outer = place, .key = "name"}, at_colour = {.outer = place, .key = "colour"};
    struct series_given series = {0};
    members_read(pool, of_entry ? plot_entry_series_members : plot_series_members, item, place, &series);
    check_where(item, place);
    const char *colour = series.colour;
    if (series.name && strpbrk(series.name, "\"\\`\n"))
        json_die(&at_name, "\"%.40s\" contains a quote, a backslash or a line end", series.name);
    if (colour && !(strlen(colour) == 7 && *colour == '#' && strspn(colour + 1, "0123456789abcdefABCDEF") == 6))
        json_die(&at_colour,
                 "\"%.40s\" is not a colour; allowed: \"#\" and six hexadecimal digits, such as \"#004c8c\"", colour);
}

static int same_name(const cJSON *a, const cJSON *b)
{
    const char *one = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(a, "name"));
    const char *other = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(b, "name"));
    return one && other && strcmp(one, other) == 0;
}

static void check_all_series(struct pool *pool, const cJSON *list, const struct json_path *place, int of_entry)
{
    const cJSON *item;
    struct json_path at = {.outer = place};
    check_list_form(list, place, "series, such as [{\"solver\": \"mdm\", \"name\": \"MDM\"}]");
    cJSON_ArrayForEach (item, list) {
        check_series(pool, item, &at, of_entry);
        for (const cJSON *other = item->next; other; other = other->next)
            if (same_name(item, other))
                json_die(&at, "series name \"%s\" occurs twice",
                         cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "name")));
        at.index++;
    }
}

/* Checks the form of an entry of "plots". Drawing it checks its names and settings. */
static void check_plot(struct pool *pool, const cJSON *entry, const struct json_path *place)
{
    const struct json_path datasets = {.outer = place, .key = "datasets"}, solvers = {.outer = place, .key = "solvers"},
                           tables = {.outer = place, .key = "tables"}, series = {.outer = place, .key = "series"};
    struct plot_given plot;
    members_read(pool, plot_members, entry, place, &plot);
    check_texts(plot.datasets, &datasets);
    check_texts(plot.solvers, &solvers);
    check_texts(plot.tables, &tables);
    check_all_series(pool, plot.series, &series, 1);
    check_where(entry, place);
}

static void delete_json(void *json)
{
    cJSON_Delete(json);
}

/* Sets the style's members that are not yet set. */
static void take_style(const struct spec *spec, const struct json_path *top, struct figure_style *style)
{
    const struct json_path use = {.outer = top, .key = "for"}, width = {.outer = top, .key = "width"},
                           font = {.outer = top, .key = "font"}, formats = {.outer = top, .key = "formats"};
    const cJSON *item;
    int any = 0;
    for (size_t i = 0; i < FIGURE_FORMATS; i++)
        any |= style->formats[i];
    if (spec->use && !style->paper)
        style->paper = figure_read_for(spec->use, &use);
    if (spec->width && !(style->width > 0))
        style->width = figure_read_width(spec->width, &width);
    if (spec->font && !style->font) {
        figure_check_font(spec->font, &font);
        style->font = spec->font;
    }
    check_texts(spec->formats, &formats);
    cJSON_ArrayForEach (item, spec->formats)
        if (!any)
            figure_read_formats(item->valuestring, &formats, style->formats);
    style->font_size = style->font_size > 0 ? style->font_size : spec->font_size;
    style->single_panels |= spec->single_panels;
}

static void take_spec(struct pool *pool, const char *path, struct plot_choice *choice, struct figure_style *style,
                      const char **only)
{
    const struct json_path top = {.file = path}, datasets = {.outer = &top, .key = "datasets"},
                           solvers = {.outer = &top, .key = "solvers"}, series = {.outer = &top, .key = "series"},
                           plots = {.outer = &top, .key = "plots"};
    struct json_path at = {.outer = &plots};
    struct spec spec;
    const cJSON *item;
    file_check_exists(path);
    members_read(pool, plot_spec_members, json_read(pool, path), &top, &spec);
    take_style(&spec, &top, style);
    *only = *only ? *only : spec.only;
    choice->datasets = spec.datasets;
    choice->solvers = spec.solvers;
    choice->series = spec.series;
    choice->plots = spec.plots;
    check_texts(choice->datasets, &datasets);
    check_texts(choice->solvers, &solvers);
    check_all_series(pool, choice->series, &series, 0);
    check_list_form(choice->plots, &plots, "objects with a \"kind\"");
    cJSON_ArrayForEach (item, choice->plots) {
        check_plot(pool, item, &at);
        at.index++;
    }
}

/* Parses "a,b" as a list of names, "a=X,b" as a list of series. */
static cJSON *list_of(struct pool *pool, const char *text, int series)
{
    cJSON *list = json_new_array();
    pool_keep(pool, delete_json, list);
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

static void take_options(struct pool *pool, const struct plot_choice_options *options, struct plot_choice *choice)
{
    static const struct json_path datasets = {.file = "--datasets"}, solvers = {.file = "--solvers"},
                                  series = {.file = "--series"};
    if (options->datasets) {
        choice->datasets = choice->json[1] = list_of(pool, options->datasets, 0);
        check_texts(choice->datasets, &datasets);
    }
    if (options->solvers) {
        choice->solvers = choice->json[2] = list_of(pool, options->solvers, 0);
        check_texts(choice->solvers, &solvers);
    }
    if (options->series) {
        choice->series = choice->json[3] = list_of(pool, options->series, 1);
        check_all_series(pool, choice->series, &series, 0);
    }
}

static void take_style_options(const struct plot_choice_options *options, struct figure_style *style)
{
    static const struct json_path use = {.file = "--for"}, width = {.file = "--width"}, font = {.file = "--font"},
                                  font_size = {.file = "--font-size"}, formats = {.file = "--format"};
    if (options->use)
        style->paper = figure_read_for(options->use, &use);
    if (options->width)
        style->width = figure_read_width(options->width, &width);
    if (options->font)
        figure_check_font(options->font, &font);
    style->font = options->font;
    if (options->font_size)
        style->font_size = figure_read_font_size(options->font_size, &font_size);
    if (options->formats)
        figure_read_formats(options->formats, &formats, style->formats);
}

const struct plot_choice *plot_choice_read(struct pool *pool, const struct plot_choice_options *options,
                                           struct figure_style *style, const char **only)
{
    struct plot_choice *choice = pool_alloc(pool, sizeof *choice);
    choice->spec = options->spec;
    take_style_options(options, style);
    if (options->spec)
        take_spec(pool, options->spec, choice, style, only);
    take_options(pool, options, choice);
    figure_style_complete(style);
    return choice;
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

static void check_known(const char *name, const char *what, const struct json_path *place,
                        const struct name_order *known)
{
    if (name_order_find(known, name) < known->count)
        return;
    const char **allowed = pool_array(known->pool, known->count + 1, sizeof *allowed);
    for (size_t i = 0; i < known->count; i++)
        allowed[i] = known->names[i];
    json_die_unknown(place, what, name, allowed);
}

/* The names that occur in records. */
struct known_names {
    struct name_order datasets, solvers, settings;
};

/* Checks that a record has the setting. */
static void check_setting(const cJSON *value, const struct json_path *place, void *known)
{
    check_known(value->string, "setting", place->outer, known);
}

/* Checks that the solver of an element of "series" and its settings are known. */
static void check_series_names(const cJSON *series, const struct json_path *place, struct known_names *known)
{
    const struct json_path at = {.outer = place, .key = "solver"};
    check_known(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(series, "solver")), "solver", &at,
                &known->solvers);
    visit_where(series, place, check_setting, &known->settings);
}

/* Checks the names of an array, or the one name of a text. */
static void check_list(const cJSON *list, const char *what, const struct json_path *place,
                       const struct name_order *known)
{
    const cJSON *item;
    size_t index = 0;
    if (cJSON_IsString(list))
        check_known(list->valuestring, what, place, known);
    cJSON_ArrayForEach (item, list) {
        const struct json_path at = {.outer = place, .index = index};
        index++;
        check_known(item->valuestring, what, &at, known);
    }
}

/* Checks that the runs have every name in the entry of "plots". */
static void check_entry_names(const cJSON *entry, const struct json_path *place, struct known_names *known)
{
    static const char *const keys[] = {"dataset", "datasets", "solver", "solvers"};
    const struct json_path in_series = {.outer = place, .key = "series"};
    const cJSON *series;
    size_t index = 0;
    for (size_t k = 0; k < 4; k++) {
        const struct json_path at = {.outer = place, .key = keys[k]};
        check_list(cJSON_GetObjectItemCaseSensitive(entry, keys[k]), k < 2 ? "data set" : "solver", &at,
                   k < 2 ? &known->datasets : &known->solvers);
    }
    visit_where(entry, place, check_setting, &known->settings);
    cJSON_ArrayForEach (series, cJSON_GetObjectItemCaseSensitive(entry, "series")) {
        const struct json_path at = {.outer = &in_series, .index = index};
        index++;
        check_series_names(series, &at, known);
    }
}

/* Checks that the runs have every name in the choice. */
static void check_names(const struct plot_choice *choice, struct known_names *known)
{
    const struct json_path top = {.file = choice->spec}, plots = {.outer = &top, .key = "plots"},
                           datasets = list_place(choice, 1, "--datasets", &top),
                           solvers = list_place(choice, 2, "--solvers", &top),
                           series = list_place(choice, 3, "--series", &top);
    const cJSON *item;
    size_t index = 0;
    check_list(choice->datasets, "data set", &datasets, &known->datasets);
    check_list(choice->solvers, "solver", &solvers, &known->solvers);
    cJSON_ArrayForEach (item, choice->series) {
        const struct json_path at = {.outer = &series, .index = index};
        index++;
        check_series_names(item, &at, known);
    }
    index = 0;
    cJSON_ArrayForEach (item, choice->plots) {
        const struct json_path at = {.outer = &plots, .index = index};
        index++;
        check_entry_names(item, &at, known);
    }
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
static void apply_each(const struct plot_choice *choice, struct run_folders *folders)
{
    const struct plot_choice steps[] = {{.datasets = choice->datasets}, {.solvers = choice->solvers}};
    static const char *const names[] = {"datasets", "solvers"};
    const char *path = folders->items[0].path;
    char origin[300], shown[200];
    const cJSON *item;
    for (size_t k = 0; k < 2; k++)
        if (keep(&steps[k], folders) == 0)
            die(STATUS_NOT_FOUND, "%s: no record matches %s %s", path,
                origin_of(choice, k + 1, names[k], origin, sizeof origin),
                json_to_text(k ? choice->solvers : choice->datasets, shown, sizeof shown));
    cJSON_ArrayForEach (item, choice->series)
        if (!fits_any(item, folders))
            die(STATUS_NOT_FOUND, "%s: no record matches the series %s of %s", path,
                json_to_text(item, shown, sizeof shown), origin_of(choice, 3, "series", origin, sizeof origin));
    const struct plot_choice last = {.series = choice->series};
    keep(&last, folders);
}

/* Keeps the records whose setting has the value, or one of the list; dies with STATUS_NOT_FOUND if none has. */
static void keep_value(const cJSON *value, const struct json_path *place, void *context)
{
    struct records *records = context;
    struct name_order had = {.pool = records->pool};
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
    if (kept == 0)
        json_die_of(STATUS_NOT_FOUND, place, "%s matches none of the remaining %zu records of %s; they have: %s",
                    json_to_text(value, shown, sizeof shown), records->count, records->items[0]->solver, list);
    records->count = kept;
}

/* Checks that the entry draws a record of the solver, under the conditions of one of its series (NULL: only its
 * own). */
static void check_drawn(const cJSON *entry, const struct json_path *place, const char *solver, const cJSON *series,
                        const struct json_path *in_series, const struct records *all)
{
    struct records left = {.pool = all->pool};
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i]->solver, solver) == 0 && entry_names(entry, "solvers", "solver", solver) &&
            entry_names(entry, "datasets", "dataset", all->items[i]->dataset))
            records_add(&left, all->items[i]);
    if (left.count == 0)
        json_die_of(STATUS_NOT_FOUND, in_series, "the entry's data sets and solvers leave no record of %s", solver);
    if (series)
        visit_where(series, in_series, keep_value, &left);
    visit_where(entry, place, keep_value, &left);
}

/* Checks that every solver and every series in the entry of "plots" is drawn. */
static void check_entry_drawn(const cJSON *entry, const struct json_path *place, const struct records *all)
{
    static const char *const keys[] = {"series", "solvers", "solver"};
    for (size_t k = 0; k < 3; k++) {
        const struct json_path in = {.outer = place, .key = keys[k]};
        const cJSON *list = cJSON_GetObjectItemCaseSensitive(entry, keys[k]), *item;
        size_t index = 0;
        if (cJSON_IsString(list))
            check_drawn(entry, place, list->valuestring, NULL, &in, all);
        cJSON_ArrayForEach (item, list) {
            const struct json_path at = {.outer = &in, .index = index};
            index++;
            const char *solver = cJSON_GetStringValue(k ? item : cJSON_GetObjectItemCaseSensitive(item, "solver"));
            check_drawn(entry, place, solver, k ? NULL : item, &at, all);
        }
    }
}

static void check_all_drawn(const struct plot_choice *choice, const struct records *all)
{
    const struct json_path top = {.file = choice->spec}, plots = {.outer = &top, .key = "plots"};
    const cJSON *entry;
    size_t index = 0;
    cJSON_ArrayForEach (entry, choice->plots) {
        const struct json_path at = {.outer = &plots, .index = index};
        index++;
        check_entry_drawn(entry, &at, all);
    }
}

static void known_names_add(const struct record *record, struct known_names *known)
{
    name_order_add(&known->datasets, record->dataset);
    name_order_add(&known->solvers, record->solver);
    for (size_t s = 0; s < record->n_settings; s++)
        name_order_add(&known->settings, record->settings[s].name);
}

void plot_choice_apply(struct pool *pool, const struct plot_choice *choice, struct run_folders *folders)
{
    struct records all = {.pool = pool};
    struct known_names known = {{.pool = pool}, {.pool = pool}, {.pool = pool}};
    if (!choice || (!choice->datasets && !choice->solvers && !choice->series && !choice->plots))
        return;
    for (size_t f = 0; f < folders->count; f++)
        records_append(&all, run_folder_read_records(&folders->items[f]));
    for (size_t i = 0; i < all.count; i++)
        known_names_add(all.items[i], &known);
    check_names(choice, &known);
    check_all_drawn(choice, &all);
    apply_each(choice, folders);
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

const struct figure_named_look *plot_looks(struct pool *pool, const struct plot_choice *choice,
                                           const struct run_folder *folder, size_t *n)
{
    struct name_order solvers = {.pool = pool};
    const cJSON *item, *list = choice ? choice->series : NULL;
    char label[200];
    for (size_t i = 0; folder && i < folder->file.n_all; i++)
        name_order_add(&solvers, folder->file.all[i].solver);
    const size_t series = (size_t)cJSON_GetArraySize(list);
    struct figure_named_look *looks = pool_array(pool, solvers.count + series, sizeof *looks);
    for (*n = 0; *n < solvers.count; ++*n)
        looks[*n] =
            (struct figure_named_look){pool_strdup(pool, plot_solver_label(solvers.names[*n], label, sizeof label)),
                                       solvers.names[*n], figure_look_at(*n)};
    cJSON_ArrayForEach (item, list) {
        const char *solver = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "solver"));
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "name"));
        size_t at = name_order_find(&solvers, solver);
        const int is_first = at < solvers.count &&
                             strcmp(looks[at].name, plot_solver_label(solver, label, sizeof label)) == 0;
        if (!is_first) { /* another series of the solver, or a solver of another folder */
            at = (*n)++;
            looks[at] = (struct figure_named_look){NULL, solver, figure_look_at(at)};
        }
        looks[at].name = name ? name : pool_strdup(pool, plot_solver_label(solver, label, sizeof label));
        take_look(item, &looks[at].look);
    }
    return looks;
}
