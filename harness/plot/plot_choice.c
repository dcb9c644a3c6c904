/*
 * Options are converted to the JSON of a specification, so that one reader serves both. An element of "series" selects
 * its records with the same members as an entry of "plots" (record_filter.h).
 */
#include "harness/plot/plot_choice.h"

#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdio.h>
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

/* A series: which records, their name in figures, and their style. */
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
/* Those of an entry only select records: names and styles are the same in all figures. */
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

/* ---- the form ---- */

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

/* Checks the values that settings may have: one, or a list, in which null means records without the setting. */
static void check_where(const cJSON *where, const struct json_path *place)
{
    char shown[64];
    const cJSON *value, *item;
    const struct json_path at = {.outer = place, .key = "where"};
    if (where && !cJSON_IsObject(where))
        json_die(&at, "%s is not an object of settings, such as {\"mu\": 0.1}",
                 json_to_text(where, shown, sizeof shown));
    cJSON_ArrayForEach (value, where) {
        const struct json_path in = {.outer = &at, .key = value->string};
        int is_list = cJSON_IsArray(value) && value->child;
        cJSON_ArrayForEach (item, value)
            is_list &= is_value(item) || cJSON_IsNull(item);
        if (!is_list && !is_value(value))
            json_die(&in, "%s is not a number, a string, true, false or a list of them (null may be in a list)",
                     json_to_text(value, shown, sizeof shown));
    }
}

static const char *text_in(const cJSON *object, const char *key)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

static void check_series(struct pool *pool, const cJSON *list, const struct json_path *place,
                         const struct member *members)
{
    const cJSON *item;
    struct json_path at = {.outer = place};
    check_list_form(list, place, "series, such as [{\"solver\": \"mdm\", \"name\": \"MDM\"}]");
    cJSON_ArrayForEach (item, list) {
        const struct json_path at_name = {.outer = &at, .key = "name"}, at_colour = {.outer = &at, .key = "colour"};
        struct series_given series = {0};
        members_read(pool, members, item, &at, &series);
        check_where(series.where, &at);
        const char *colour = series.colour;
        if (series.name && strpbrk(series.name, "\"\\`\n"))
            json_die(&at_name, "\"%.40s\" contains a quote, a backslash or a line end", series.name);
        if (colour && !(strlen(colour) == 7 && *colour == '#' && strspn(colour + 1, "0123456789abcdefABCDEF") == 6))
            json_die(&at_colour,
                     "\"%.40s\" is not a colour; allowed: \"#\" and six hexadecimal digits, such as \"#004c8c\"",
                     colour);
        for (const cJSON *other = item->next; other && series.name; other = other->next)
            if (text_in(other, "name") && strcmp(text_in(other, "name"), series.name) == 0)
                json_die(&at, "series name \"%s\" occurs twice", series.name);
        at.index++;
    }
}

/* Checks the form of the entries of "plots". Drawing them checks their names and settings. */
static void check_plots(struct pool *pool, const cJSON *plots, const struct json_path *place)
{
    struct json_path at = {.outer = place};
    const cJSON *entry;
    check_list_form(plots, place, "objects with a \"kind\"");
    cJSON_ArrayForEach (entry, plots) {
        struct plot_given plot;
        plot_check_kind(text_in(entry, "kind"), &at);
        members_read(pool, plot_members, entry, &at, &plot);
        check_texts(plot.datasets, &(const struct json_path){.outer = &at, .key = "datasets"});
        check_texts(plot.solvers, &(const struct json_path){.outer = &at, .key = "solvers"});
        check_texts(plot.tables, &(const struct json_path){.outer = &at, .key = "tables"});
        check_series(pool, plot.series, &(const struct json_path){.outer = &at, .key = "series"},
                     plot_entry_series_members);
        check_where(plot.where, &at);
        at.index++;
    }
}

/* ---- reading ---- */

static void delete_json(void *json)
{
    cJSON_Delete(json);
}

/* Parses "a,b" as a list of names, "a=X,b" as a list of series. */
static cJSON *list_of(struct pool *pool, const char *text, int series)
{
    cJSON *list = json_new_array();
    pool_keep(pool, delete_json, list);
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        char *word = pool_strndup(pool, at, length), *name = series ? strchr(word, '=') : NULL;
        if (name)
            *name++ = '\0';
        cJSON *item = series ? cJSON_CreateObject() : cJSON_CreateString(word);
        if (series)
            cJSON_AddStringToObject(item, "solver", word);
        if (name)
            cJSON_AddStringToObject(item, "name", name);
        cJSON_AddItemToArray(list, item);
        at += length;
        if (!*at)
            return list;
    }
}

/* The texts of options and members of a specification, which are at `place`. */

/* Parses a number within the bounds, followed by one of the units; returns the unit's index, or -1. */
static int read_measure(const char *text, const char *const *units, double *number)
{
    char *end;
    if (*text < '0' || *text > '9') /* excludes signs, blanks, "inf" and "nan" */
        return -1;
    *number = strtod(text, &end);
    for (int i = 0; units[i]; i++)
        if (strcmp(end, units[i]) == 0)
            return i;
    return -1;
}

static double read_width(const char *text, const struct json_path *place)
{
    static const char *const units[] = {"cm", "mm", "in", "pt", NULL};
    static const double of_unit[] = {1, 0.1, 2.54, 2.54 / 72.27};
    double number = 0;
    if (strcmp(text, "column") == 0 || strcmp(text, "text") == 0)
        return *text == 'c' ? FIGURE_COLUMN : 17.8;
    int unit = read_measure(text, units, &number);
    if (unit < 0 || !(number * of_unit[unit] >= 5 && number * of_unit[unit] <= 60))
        json_die(place,
                 "\"%.40s\" is not a width; allowed: column (8.6cm), text (17.8cm), or 5cm to 60cm in cm, mm, in or "
                 "pt, such as 8.6cm",
                 text);
    return number * of_unit[unit];
}

static double read_font_size(const char *text, const struct json_path *place)
{
    static const char *const units[] = {"", "pt", NULL};
    double number = 0;
    if (read_measure(text, units, &number) < 0 || !(number >= 7 && number <= 20))
        json_die(place, "\"%.40s\" is not a font size; allowed: 7pt to 20pt", text);
    return number;
}

static void check_font(const char *text, const struct json_path *place)
{
    size_t good = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 -+._");
    if (!*text || text[good] || strlen(text) > 60 || *text == ' ')
        json_die(place,
                 "\"%.40s\" is not a font; allowed: the name of a font family in letters, digits and blanks, "
                 "such as Helvetica",
                 text);
}

/* Reads "pdf,svg". */
static void read_formats(const char *text, const struct json_path *place, int formats[FIGURE_FORMATS])
{
    for (const char *at = text;; at++) {
        char word[40];
        const size_t length = strcspn(at, ",");
        size_t i = 0;
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        while (i < FIGURE_FORMATS && strcmp(word, figure_format_names[i]) != 0)
            i++;
        if (i == FIGURE_FORMATS)
            json_die_unknown(place, "format", word, figure_format_names);
        formats[i] = 1;
        at += length;
        if (!*at)
            return;
    }
}

/* Nonzero for "paper". */
static int read_use(const char *text, const struct json_path *place)
{
    if (strcmp(text, uses[0]) != 0 && strcmp(text, uses[1]) != 0)
        json_die_unknown(place, "use", text, uses);
    return *text == 'p';
}

/* The place of a key: the option, if it is given, or the member of the specification. */
static struct json_path place_of(const struct json_path *top, const char *option, const char *name, const char *key)
{
    return option ? (struct json_path){.file = name} : (struct json_path){.outer = top, .key = key};
}

static void take_style(const struct plot_choice_options *options, const struct spec *spec, const struct json_path *top,
                       const cJSON *formats, struct figure_style *style)
{
    const struct json_path use = place_of(top, options->use, "--for", "for"),
                           width = place_of(top, options->width, "--width", "width"),
                           font = place_of(top, options->font, "--font", "font"),
                           format = place_of(top, options->formats, "--format", "formats");
    const cJSON *item;
    if (options->use || spec->use)
        style->paper = read_use(options->use ? options->use : spec->use, &use);
    if (options->width || spec->width)
        style->width = read_width(options->width ? options->width : spec->width, &width);
    style->font = options->font ? options->font : spec->font;
    if (style->font)
        check_font(style->font, &font);
    style->font_size = options->font_size
                           ? read_font_size(options->font_size, &(struct json_path){.file = "--font-size"})
                           : spec->font_size;
    check_texts(formats, &format);
    cJSON_ArrayForEach (item, formats)
        read_formats(item->valuestring, &format, style->formats);
    style->single_panels |= spec->single_panels;
    figure_style_complete(style);
}

/* The keys that select records, and the options for them. */
enum { DATASETS, SOLVERS, SERIES, SELECTING };
static const char *const selecting[SELECTING] = {"datasets", "solvers", "series"};
static const char *const selecting_options[SELECTING] = {"--datasets", "--solvers", "--series"};

/* The choice's place; `top` is that of its file. */
static struct json_path selection_place(const struct plot_choice *choice, size_t k, const struct json_path *top)
{
    return place_of(top, choice->of_option[k] ? "" : NULL, selecting_options[k], selecting[k]);
}

const struct plot_choice *plot_choice_read(struct pool *pool, const struct plot_choice_options *options,
                                           struct figure_style *style, const char **only)
{
    const char *const texts[SELECTING] = {options->datasets, options->solvers, options->series};
    const struct json_path top = {.file = options->spec}, plots = {.outer = &top, .key = "plots"};
    struct plot_choice *choice = pool_alloc(pool, sizeof *choice);
    struct spec spec = {0};
    if (options->spec) {
        file_check_exists(options->spec);
        members_read(pool, plot_spec_members, json_read(pool, options->spec), &top, &spec);
    }
    take_style(options, &spec, &top, options->formats ? list_of(pool, options->formats, 0) : spec.formats, style);
    *only = *only ? *only : spec.only;
    *choice = (struct plot_choice){options->spec, spec.plots, {spec.datasets, spec.solvers, spec.series}, {0}};
    for (size_t k = 0; k < SELECTING; k++) {
        choice->of_option[k] = texts[k] != NULL;
        if (texts[k])
            choice->selecting[k] = list_of(pool, texts[k], k == SERIES);
        const struct json_path place = selection_place(choice, k, &top);
        if (k == SERIES)
            check_series(pool, choice->selecting[k], &place, plot_series_members);
        else
            check_texts(choice->selecting[k], &place);
    }
    check_plots(pool, choice->plots, &plots);
    return choice;
}

/* ---- the names that it has ---- */

/* The names that occur in records. */
struct known_names {
    struct name_order datasets, solvers, settings;
};

static void check_known(const char *name, const char *what, const struct json_path *place,
                        const struct name_order *known)
{
    if (name_order_find(known, name) < known->count)
        return;
    const char **allowed = pool_array(known->pool, known->count + 1, sizeof *allowed);
    memcpy(allowed, known->names, known->count * sizeof *allowed);
    json_die_unknown(place, what, name, allowed);
}

/* Checks the names of an array, or the one name of a text. */
static void check_list(const cJSON *list, const char *what, const struct json_path *place,
                       const struct name_order *known)
{
    const cJSON *item;
    struct json_path at = {.outer = place};
    if (cJSON_IsString(list))
        check_known(list->valuestring, what, place, known);
    cJSON_ArrayForEach (item, list) {
        check_known(item->valuestring, what, &at, known);
        at.index++;
    }
}

/* Checks that the runs have every name by which an entry of "plots" or an element of "series" selects records. */
static void check_names(const cJSON *object, const struct json_path *place, const struct known_names *known)
{
    static const char *const keys[] = {"dataset", "datasets", "solver", "solvers"};
    const struct json_path in_series = {.outer = place, .key = "series"}, where = {.outer = place, .key = "where"};
    struct json_path at = {.outer = &in_series};
    const cJSON *item;
    for (size_t k = 0; k < 4; k++)
        check_list(cJSON_GetObjectItemCaseSensitive(object, keys[k]), k < 2 ? "data set" : "solver",
                   &(const struct json_path){.outer = place, .key = keys[k]},
                   k < 2 ? &known->datasets : &known->solvers);
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(object, "where"))
        check_known(item->string, "setting", &where, &known->settings);
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(object, "series")) {
        check_names(item, &at, known);
        at.index++;
    }
}

/* The same for the elements of a list. */
static void check_all_names(const cJSON *list, const struct json_path *place, const struct known_names *known)
{
    struct json_path at = {.outer = place};
    const cJSON *item;
    cJSON_ArrayForEach (item, list) {
        check_names(item, &at, known);
        at.index++;
    }
}

static struct known_names known_names_of(struct pool *pool, const struct records *records)
{
    struct known_names known = {{.pool = pool}, {.pool = pool}, {.pool = pool}};
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = records->items[i];
        name_order_add(&known.datasets, record->dataset);
        name_order_add(&known.solvers, record->solver);
        for (size_t s = 0; s < record->n_settings; s++)
            name_order_add(&known.settings, record->settings[s].name);
    }
    return known;
}

/* ---- the records that are left ---- */

/* Keeps the records that have the settings of the object's "where"; dies with STATUS_NOT_FOUND if one leaves none. */
static void keep_where(const cJSON *object, const struct json_path *place, struct records *records)
{
    const struct json_path where = {.outer = place, .key = "where"};
    const cJSON *value;
    cJSON_ArrayForEach (value, cJSON_GetObjectItemCaseSensitive(object, "where")) {
        const struct json_path at = {.outer = &where, .key = value->string};
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
            json_die_of(STATUS_NOT_FOUND, &at, "%s matches none of the remaining %zu records of %s; they have: %s",
                        json_to_text(value, shown, sizeof shown), records->count, records->items[0]->solver, list);
        records->count = kept;
    }
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
    keep_where(series, in_series, &left);
    keep_where(entry, place, &left);
}

/* Checks that every solver and every series in the entries of "plots" is drawn. */
static void check_all_drawn(const cJSON *plots, const struct json_path *place, const struct records *all)
{
    static const char *const keys[] = {"series", "solvers", "solver"};
    struct json_path at = {.outer = place};
    const cJSON *entry, *item;
    cJSON_ArrayForEach (entry, plots) {
        for (size_t k = 0; k < 3; k++) {
            const struct json_path in = {.outer = &at, .key = keys[k]};
            const cJSON *list = cJSON_GetObjectItemCaseSensitive(entry, keys[k]);
            struct json_path each = {.outer = &in};
            if (cJSON_IsString(list))
                check_drawn(entry, &at, list->valuestring, NULL, &in, all);
            cJSON_ArrayForEach (item, list) {
                check_drawn(entry, &at, k ? item->valuestring : text_in(item, "solver"), k ? NULL : item, &each, all);
                each.index++;
            }
        }
        at.index++;
    }
}

/* Keeps the folders' records that the entry selects; returns their number. */
static size_t keep(struct run_folders *folders, const cJSON *entry)
{
    const struct record_filter filter = {.entry = entry};
    size_t left = 0;
    for (size_t f = 0; f < folders->count; f++) {
        struct records *records = &folders->items[f].file.records;
        size_t kept = 0;
        for (size_t i = 0; i < records->count; i++)
            if (record_matches(records->items[i], &filter))
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
static void apply_each(struct pool *pool, const struct plot_choice *choice, struct run_folders *folders)
{
    const char *path = folders->items[0].path;
    char shown[200];
    const cJSON *item;
    for (size_t k = 0; k < SELECTING; k++) {
        const char *origin = choice->of_option[k] ? selecting_options[k]
                                                  : pool_printf(pool, "%s: %s", choice->spec, selecting[k]);
        cJSON *entry = json_new_object();
        pool_keep(pool, delete_json, entry);
        if (!choice->selecting[k])
            continue;
        cJSON_AddItemReferenceToObject(entry, selecting[k], (cJSON *)(uintptr_t)choice->selecting[k]);
        if (k == SERIES)
            cJSON_ArrayForEach (item, choice->selecting[k])
                if (!fits_any(item, folders))
                    die(STATUS_NOT_FOUND, "%s: no record matches the series %s of %s", path,
                        json_to_text(item, shown, sizeof shown), origin);
        if (keep(folders, entry) == 0)
            die(STATUS_NOT_FOUND, "%s: no record matches %s %s", path, origin,
                json_to_text(choice->selecting[k], shown, sizeof shown));
    }
}

void plot_choice_apply(struct pool *pool, const struct plot_choice *choice, struct run_folders *folders)
{
    struct records all = {.pool = pool};
    int is_any = choice && choice->plots;
    for (size_t k = 0; k < SELECTING && choice; k++)
        is_any |= choice->selecting[k] != NULL;
    if (!is_any)
        return;
    for (size_t f = 0; f < folders->count; f++)
        records_append(&all, run_folder_read_records(&folders->items[f]));
    const struct known_names known = known_names_of(pool, &all);
    const struct json_path top = {.file = choice->spec}, plots = {.outer = &top, .key = "plots"},
                           datasets = selection_place(choice, DATASETS, &top),
                           solvers = selection_place(choice, SOLVERS, &top),
                           series = selection_place(choice, SERIES, &top);
    check_list(choice->selecting[DATASETS], "data set", &datasets, &known.datasets);
    check_list(choice->selecting[SOLVERS], "solver", &solvers, &known.solvers);
    check_all_names(choice->selecting[SERIES], &series, &known);
    check_all_names(choice->plots, &plots, &known);
    check_all_drawn(choice->plots, &plots, &all);
    apply_each(pool, choice, folders);
}

/* ---- styles ---- */

/* The index of the name from 1; `otherwise` without a name. */
static int name_index(const char *const *names, const char *name, int otherwise)
{
    for (int i = 0; name && names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i + 1;
    return otherwise;
}

const struct named_style *plot_series_styles(struct pool *pool, const struct plot_choice *choice,
                                             const struct run_folder *folder, size_t *n)
{
    struct name_order solvers = {.pool = pool};
    const cJSON *item, *list = choice ? choice->selecting[SERIES] : NULL;
    char label[200];
    for (size_t i = 0; folder && i < folder->file.n_all; i++)
        name_order_add(&solvers, folder->file.all[i].solver);
    const size_t series = (size_t)cJSON_GetArraySize(list);
    struct named_style *styles = pool_array(pool, solvers.count + series, sizeof *styles);
    for (*n = 0; *n < solvers.count; ++*n)
        styles[*n] = (struct named_style){
            pool_strdup(pool, plot_solver_label(solvers.names[*n], label, sizeof label)), solvers.names[*n],
            series_style_at(*n)};
    cJSON_ArrayForEach (item, list) {
        const char *solver = text_in(item, "solver"), *name = text_in(item, "name"), *colour = text_in(item, "colour");
        size_t at = name_order_find(&solvers, solver);
        plot_solver_label(solver, label, sizeof label);
        if (at == solvers.count || strcmp(styles[at].name, label) != 0) {
            at = (*n)++; /* another series of the solver, or a solver of another folder */
            styles[at] = (struct named_style){NULL, solver, series_style_at(at)};
        }
        struct series_style *style = &styles[at].style;
        styles[at].name = name ? name : pool_strdup(pool, label);
        if (colour)
            snprintf(style->colour, sizeof style->colour, "%s", colour);
        style->dash = name_index(figure_dash_names, text_in(item, "dash"), style->dash);
        style->mark = name_index(figure_mark_names, text_in(item, "mark"), style->mark);
    }
    return styles;
}
