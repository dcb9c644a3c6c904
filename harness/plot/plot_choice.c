/* Options become conditions like those of a specification, so that one selection serves both. */
#include "harness/plot/plot.h"

#include <stdlib.h>
#include <string.h>

#include "harness/plot/kinds.h"
#include "harness/base/json_writer.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"

/* ---- keys ---- */

static const char *const uses[] = {"screen", "paper", NULL};
enum { NAMES = MEMBER_NOT_EMPTY | MEMBER_DISTINCT };

/* Series: which records, their name in figures, and their style. */
struct series_given {
    const char *solver, *name, *colour;
    const cJSON *where;
    int dash, mark; /* -1: absent */
};
struct series_list LIST_OF(struct series_given);
const struct member plot_series_members[] = {
    {"solver", MEMBER_TEXT, FIELD(struct series_given, solver), MEMBER_REQUIRED},
    {"where", MEMBER_JSON_OBJECT, FIELD(struct series_given, where)},
    {"name", MEMBER_TEXT, FIELD(struct series_given, name)},
    {"colour", MEMBER_TEXT, FIELD(struct series_given, colour)},
    {"dash", MEMBER_CHOICE, FIELD(struct series_given, dash), .names = figure_dash_names, .fallback = -1},
    {"mark", MEMBER_CHOICE, FIELD(struct series_given, mark), .names = figure_mark_names, .fallback = -1},
    MEMBERS_END,
};
/* Those of an entry only select records: names and styles are the same in all figures. */
const struct member plot_entry_series_members[] = {
    {"solver", MEMBER_TEXT, FIELD(struct series_given, solver), MEMBER_REQUIRED},
    {"where", MEMBER_JSON_OBJECT, FIELD(struct series_given, where)},
    MEMBERS_END,
};

/* A reference of a heat map: the settings of solvers on a data set. */
struct reference_given {
    const char *dataset;
    struct member_texts solvers;
    const cJSON *where;
};
const struct member plot_reference_members[] = {
    {"dataset", MEMBER_TEXT, FIELD(struct reference_given, dataset), MEMBER_REQUIRED},
    {"solvers", MEMBER_TEXTS, FIELD(struct reference_given, solvers), NAMES},
    {"where", MEMBER_JSON_OBJECT, FIELD(struct reference_given, where), MEMBER_REQUIRED},
    MEMBERS_END,
};

/* An entry of "plots". */
struct plot_given {
    const char *kind, *name, *dataset, *solver, *metric, *x, *y;
    const cJSON *where;
    struct member_texts datasets, solvers, metrics, tables;
    struct series_list series;
    struct LIST_OF(struct reference_given) references;
    size_t split;
};
const struct member plot_members[] = {
    {"kind", MEMBER_TEXT, FIELD(struct plot_given, kind), MEMBER_REQUIRED, .names = plot_kind_names,
     .noun = "kind of figure"},
    {"name", MEMBER_TEXT, FIELD(struct plot_given, name)},
    {"dataset", MEMBER_TEXT, FIELD(struct plot_given, dataset)},
    {"datasets", MEMBER_TEXTS, FIELD(struct plot_given, datasets), NAMES},
    {"solver", MEMBER_TEXT, FIELD(struct plot_given, solver)},
    {"solvers", MEMBER_TEXTS, FIELD(struct plot_given, solvers), NAMES},
    {"where", MEMBER_JSON_OBJECT, FIELD(struct plot_given, where)},
    {"tables", MEMBER_TEXTS, FIELD(struct plot_given, tables), NAMES},
    {"split", MEMBER_COUNT, FIELD(struct plot_given, split), .low = 1, .high = 1e6},
    {"metric", MEMBER_TEXT, FIELD(struct plot_given, metric)},
    {"metrics", MEMBER_TEXTS, FIELD(struct plot_given, metrics), NAMES},
    {"references", MEMBER_LIST, FIELD(struct plot_given, references), MEMBER_NOT_EMPTY,
     .inner = plot_reference_members, .inner_size = sizeof(struct reference_given),
     .doc = "The settings that a heat map marks, and with which the table of regrets compares."},
    {"x", MEMBER_TEXT, FIELD(struct plot_given, x)},
    {"y", MEMBER_TEXT, FIELD(struct plot_given, y)},
    {"series", MEMBER_LIST, FIELD(struct plot_given, series), MEMBER_NOT_EMPTY, .inner = plot_entry_series_members,
     .inner_size = sizeof(struct series_given), .doc = "Chooses the records of this figure."},
    MEMBERS_END,
};

/* The file of --spec. */
struct spec {
    const char *use, *width, *font, *only;
    double font_size;
    int single_panels;
    struct member_texts formats, datasets, solvers;
    struct series_list series;
    struct LIST_OF(struct plot_given) plots;
};
const struct member plot_spec_members[] = {
    {"for", MEMBER_TEXT, FIELD(struct spec, use), .names = uses, .noun = "use", .doc = "Default: screen."},
    {"width", MEMBER_TEXT, FIELD(struct spec, width),
     .doc = "column, text, or 5 cm to 60 cm in cm, mm, in or pt, such as 8.6cm."},
    {"font", MEMBER_TEXT, FIELD(struct spec, font)},
    {"font_size", MEMBER_REAL, FIELD(struct spec, font_size), .low = 7, .high = 20},
    {"formats", MEMBER_TEXTS, FIELD(struct spec, formats), NAMES},
    {"single_panels", MEMBER_FLAG, FIELD(struct spec, single_panels)},
    {"only", MEMBER_TEXT, FIELD(struct spec, only), .doc = "The name of a figure or of an entry of plots."},
    {"datasets", MEMBER_TEXTS, FIELD(struct spec, datasets), NAMES},
    {"solvers", MEMBER_TEXTS, FIELD(struct spec, solvers), NAMES},
    {"series", MEMBER_LIST, FIELD(struct spec, series), MEMBER_NOT_EMPTY, .inner = plot_series_members,
     .inner_size = sizeof(struct series_given)},
    {"plots", MEMBER_LIST, FIELD(struct spec, plots), MEMBER_NOT_EMPTY, .inner = plot_members,
     .inner_size = sizeof(struct plot_given),
     .doc = "The figures to draw, in place of those of the configuration."},
    MEMBERS_END,
};

/* ---- the form ---- */

static void check_series(const struct series_list *list, const struct json_path *place)
{
    struct json_path at = {.outer = place};
    for (; at.index < list->count; at.index++) {
        const struct series_given *series = &list->item[at.index];
        const char *colour = series->colour;
        where_check(series->where, json_at(&at, "where"));
        if (series->name && strpbrk(series->name, "\"\\`\n"))
            json_die(json_at(&at, "name"), "\"%.40s\" contains a quote, a backslash or a line end", series->name);
        if (colour && !(strlen(colour) == 7 && *colour == '#' && strspn(colour + 1, "0123456789abcdefABCDEF") == 6))
            json_die(json_at(&at, "colour"),
                     "\"%.40s\" is not a colour; allowed: \"#\" and six hexadecimal digits, such as \"#004c8c\"",
                     colour);
        for (const struct series_given *other = series + 1; other < list->item + list->count; other++)
            if (series->name && other->name && strcmp(other->name, series->name) == 0)
                json_die(&at, "series name \"%s\" occurs twice", series->name);
    }
}

/* Checks the form of the entries of "plots". Drawing them checks their names and settings. */
static void check_plots(const struct spec *spec, const struct json_path *place)
{
    struct json_path at = {.outer = place};
    for (const struct plot_given *plot = spec->plots.item; at.index < spec->plots.count; plot++, at.index++) {
        check_series(&plot->series, json_at(&at, "series"));
        where_check(plot->where, json_at(&at, "where"));
        struct json_path each = {.outer = json_at(&at, "references")};
        for (; each.index < plot->references.count; each.index++)
            where_check(plot->references.item[each.index].where, json_at(&each, "where"));
    }
}

/* ---- reading ---- */

/* Parses "a=X,b" as a condition of the selection, and as series. */
static void add_series(struct pool *pool, const char *text, cJSON *selection, struct series_list *list)
{
    cJSON *array = json_put_array(selection, "--series");
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        char *word = pool_strndup(pool, at, length), *name = strchr(word, '=');
        const struct json_path top = {.file = "--series"};
        const size_t index = list->count;
        cJSON *item = json_add_object(array);
        if (name)
            *name++ = '\0';
        json_put_text(item, "solver", word);
        if (name)
            json_put_text(item, "name", name);
        members_read(pool, plot_series_members, item, json_at_index(&top, index), pool_push(pool, list));
        at += length;
        if (!*at)
            return;
    }
}

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

/* The place of "--KEY": the option, if it is given, or the member of the specification. */
static struct json_path place_of(const struct json_path *top, const char *option, const char *name)
{
    if (option)
        return (struct json_path){.file = name};
    return (struct json_path){.outer = top, .key = name + 2};
}

static void take_style(const struct plot_choice_options *options, const struct spec *spec, const struct json_path *top,
                       struct figure_style *style)
{
    const struct json_path width = place_of(top, options->width, "--width"),
                           font = place_of(top, options->font, "--font");
    if (options->use && strcmp(options->use, uses[0]) != 0 && strcmp(options->use, uses[1]) != 0)
        json_die_unknown(&(const struct json_path){.file = "--for"}, "use", options->use, uses);
    if (options->use || spec->use)
        style->paper = strcmp(options->use ? options->use : spec->use, uses[1]) == 0;
    if (options->width || spec->width)
        style->width = read_width(options->width ? options->width : spec->width, &width);
    style->font = options->font ? options->font : spec->font;
    if (style->font)
        check_font(style->font, &font);
    style->font_size = options->font_size
                           ? read_font_size(options->font_size, &(struct json_path){.file = "--font-size"})
                           : spec->font_size;
    for (size_t i = 0; !options->formats && i < spec->formats.count; i++)
        read_formats(spec->formats.item[i], json_at(top, "formats"), style->formats);
    if (options->formats)
        read_formats(options->formats, &(struct json_path){.file = "--format"}, style->formats);
    style->single_panels |= spec->single_panels;
    figure_style_complete(style);
}

/* Adds the option to the selection or, if it is not given, the member of the specification. */
static void add_condition(cJSON *selection, const char *option, const char *list, const cJSON *spec)
{
    cJSON *given = json_member(spec, option + 2);
    selection_add_option(selection, option, list);
    if (given && !list)
        cJSON_AddItemReferenceToObject(selection, option + 2, given);
}

const struct plot_choice *plot_choice_read(struct pool *pool, const struct plot_choice_options *options,
                                           struct figure_style *style, const char **only)
{
    const struct json_path top = {.file = options->spec}, series = place_of(&top, options->series, "--series");
    struct plot_choice *choice = pool_alloc(pool, sizeof *choice);
    struct spec spec = {0};
    const cJSON *json = NULL;
    if (options->spec) {
        file_check_exists(options->spec);
        json = json_read(pool, options->spec);
        members_read(pool, plot_spec_members, json, &top, &spec);
    }
    take_style(options, &spec, &top, style);
    *only = *only ? *only : spec.only;
    *choice = (struct plot_choice){options->spec, json_member(json, "plots"),
                                   json_keep(pool, json_new_object()), NULL};
    add_condition(choice->selection, "--datasets", options->datasets, json);
    add_condition(choice->selection, "--solvers", options->solvers, json);
    if (options->series) {
        spec.series = (struct series_list){0};
        add_series(pool, options->series, choice->selection, &spec.series);
    } else
        add_condition(choice->selection, "--series", NULL, json);
    choice->series = json_member(choice->selection, options->series ? "--series" : "series");
    check_series(&spec.series, &series);
    check_plots(&spec, json_at(&top, "plots"));
    return choice;
}

/* ---- the records that are left ---- */

/* Checks that the entry draws a record of each solver and each series that it lists. */
static void check_drawn(const cJSON *entry, const struct json_path *place, const struct records *all)
{
    static const char *const keys[] = {"series", "solvers", "solver"};
    for (size_t k = 0; k < 3; k++) {
        const cJSON *condition = NULL, *list = json_member(entry, keys[k]);
        struct json_path at = {.outer = json_at(place, keys[k])};
        for (const cJSON *item = cJSON_IsArray(list) ? list->child : list; item; item = item->next) {
            const cJSON *solver = k ? item : json_member(item, "solver");
            struct records left = {.pool = all->pool};
            for (size_t i = 0; i < all->count; i++)
                if (strcmp(all->items[i]->solver, solver->valuestring) == 0)
                    records_add(&left, all->items[i]);
            if (k == 0)
                selection_keep(item, &at, STATUS_NOT_FOUND, &left);
            cJSON_ArrayForEach (condition, entry)
                if (strcmp(condition->string, "series") != 0)
                    condition_keep(condition, json_at(place, condition->string), STATUS_NOT_FOUND, &left);
            at.index++;
            if (!cJSON_IsArray(list))
                break;
        }
    }
}

void plot_choice_apply(struct pool *pool, const struct plot_choice *choice, struct run_folders *folders)
{
    struct records all = {.pool = pool};
    if (!choice || (!choice->plots && !choice->selection->child))
        return;
    for (size_t f = 0; f < folders->count; f++)
        records_append(&all, run_folder_read_records(&folders->items[f]));
    const struct known_names known = known_names_of(pool, folders);
    const struct json_path top = {.file = choice->spec};
    struct json_path at = {.outer = json_at(&top, "plots")};
    const cJSON *entry;
    selection_check(choice->selection, &top, &known);
    cJSON_ArrayForEach (entry, choice->plots) {
        selection_check(entry, &at, &known);
        check_drawn(entry, &at, &all);
        at.index++;
    }
    selection_keep(choice->selection, &top, STATUS_NOT_FOUND, &all);
    for (size_t f = 0; f < folders->count; f++) {
        struct records *records = &folders->items[f].file.records;
        size_t kept = 0;
        for (size_t i = 0; i < records->count; i++)
            if (selection_matches(choice->selection, records->items[i]))
                records->items[kept++] = records->items[i];
        records->count = kept;
    }
}

/* ---- styles ---- */

const struct named_style *plot_series_styles(struct pool *pool, const struct plot_choice *choice,
                                             const struct run_folder *folder, size_t *n)
{
    const struct json_path place = {.file = "series"};
    struct name_order solvers = {.pool = pool};
    const cJSON *item, *list = choice ? choice->series : NULL;
    for (size_t i = 0; folder && i < folder->file.n_all; i++)
        name_order_add(&solvers, folder->file.all[i].solver);
    const size_t series = (size_t)cJSON_GetArraySize(list);
    struct named_style *styles = pool_array(pool, solvers.count + series, sizeof *styles);
    for (*n = 0; *n < solvers.count; ++*n)
        styles[*n] = (struct named_style){plot_solver_label(pool, solvers.names[*n]), solvers.names[*n],
                                          series_style_at(*n)};
    cJSON_ArrayForEach (item, list) {
        struct series_given given;
        members_read(pool, plot_series_members, item, &place, &given);
        size_t at = name_order_find(&solvers, given.solver);
        const char *label = plot_solver_label(pool, given.solver);
        if (at == solvers.count || strcmp(styles[at].name, label) != 0) {
            at = (*n)++; /* another series of the solver, or a solver of another folder */
            styles[at] = (struct named_style){NULL, given.solver, series_style_at(at)};
        }
        struct series_style *style = &styles[at].style;
        styles[at].name = given.name ? given.name : label;
        if (given.colour)
            snprintf(style->colour, sizeof style->colour, "%s", given.colour);
        style->dash = given.dash < 0 ? style->dash : given.dash + 1;
        style->mark = given.mark < 0 ? style->mark : given.mark + 1;
    }
    return styles;
}
