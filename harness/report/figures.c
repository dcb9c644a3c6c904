/*
 * Figures are .gp files, ranked by kind: first comparisons with papers and between solvers, then costs and errors, then
 * curves of single runs, and last maps and lines of sweeps, which are many and similar.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/report/blocks.h"
#include "harness/report/report.h"
#include "harness/support/file.h"

enum { RANKS = 4 };

static const struct {
    const char *kind;
    int rank;
} kinds[] = {
    {"paper-ratio", 0},
    {"critical-difference", 0},
    {"profile", 0},
    {"runtime-distribution", 0},
    {"iterations", 1},
    {"kernel-operations", 1},
    {"error", 1},
    {"tune", 1},
    {"convergence", 2},
    {"objective", 2},
    {"path", 2},
    {"margin", 2},
    {"lines", 3},
    {"heatmap", 3},
};

/* Nonzero if an entry called `entry` draws the figure: it is called NAME or NAME-... */
static int drawn_by(const char *figure, const char *entry)
{
    size_t length = strlen(entry);
    return strncmp(figure, entry, length) == 0 && (figure[length] == '\0' || figure[length] == '-');
}

/* The rank of a figure's kind: that of the "plots" entry with the longest matching name, or by the figure's name. */
static int rank_of(const char *figure, const cJSON *config)
{
    const char *kind = figure;
    size_t longest = 0;
    const cJSON *entry = NULL;
    cJSON_ArrayForEach (entry, cJSON_GetObjectItemCaseSensitive(config, "plots")) {
        const char *own = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "kind"));
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, "name"));
        name = name ? name : own;
        if (own && drawn_by(figure, name) && strlen(name) > longest) {
            longest = strlen(name);
            kind = own;
        }
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (drawn_by(kind, kinds[i].kind))
            return kinds[i].rank;
    return RANKS - 1;
}

/* Whether the attribute could run a script or load a file: an event, or an address that is not inside the picture. */
static int is_active(const char *name, size_t name_size, const char *value, size_t value_size)
{
    static const char image[] = "data:image/png;base64,";
    char *text = xstrndup(value, value_size);
    const char *address = strstr(text, "url(");
    int active = strchr(text, '\\') || strchr(text, '<') || (name_size > 2 && strncasecmp(name, "on", 2) == 0);
    for (; address && !active; address = strstr(address + 1, "url("))
        active = address[4] != '#';
    if (name_size >= 4 && strncasecmp(name + name_size - 4, "href", 4) == 0)
        active |= *text != '#' && strncmp(text, image, strlen(image)) != 0;
    free(text);
    return active;
}

/* The character after the tag that begins at `at`, "<"; NULL if it is not one that gnuplot writes, or active. */
static const char *skip_tag(const char *at)
{
    static const char *const known[] = {"svg",    "g",       "path",     "use",     "text",     "tspan",    "polygon",
                                        "line",   "polyline", "rect",    "circle",  "ellipse",  "filter",   "feFlood",
                                        "title",  "desc",    "defs",     "clipPath", "mask",     "pattern", "image",
                                        "feComposite", "linearGradient", "radialGradient", "stop"};
    static const char blanks[] = " \t\r\n";
    const size_t known_count = sizeof known / sizeof *known;
    size_t k = 0;
    at += at[1] == '/' ? 2 : 1;
    const size_t length = strcspn(at, " \t\r\n/>");
    while (k < known_count && !(strlen(known[k]) == length && strncmp(at, known[k], length) == 0))
        k++;
    if (k == known_count)
        return NULL;
    for (at += length;;) {
        at += strspn(at, blanks);
        at += *at == '/';
        if (*at == '>')
            return at + 1;
        const char *name = at;
        const size_t name_size = strcspn(at, " \t\r\n=/><\"'");
        at += name_size + strspn(at + name_size, blanks);
        if (name_size == 0 || *at++ != '=')
            return NULL;
        at += strspn(at, blanks);
        const char quote = *at, *end = quote == '"' || quote == '\'' ? strchr(at + 1, quote) : NULL;
        if (!end || is_active(name, name_size, at + 1, (size_t)(end - at - 1)))
            return NULL;
        at = end + 1;
    }
}

/* Whether a picture has only what gnuplot draws with: known elements, no scripts, events, entities or other files. */
static int is_passive(const char *svg)
{
    if (strncmp(svg, "<?xml ", 6) == 0 || strncmp(svg, "<?xml?", 6) == 0)
        svg += strcspn(svg, ">");
    while (svg && (svg = strchr(svg, '<')) != NULL)
        if (!(svg = skip_tag(svg)))
            return 0;
    return 1;
}

static const char *file_name(struct pool *pool, const char *label, const char *name)
{
    char *file = NULL;
    size_t size = 0;
    FILE *stream = xopen_text(&file, &size);
    html_id(stream, "figures/", label);
    html_id(stream, ".", name);
    fputs(".svg", stream);
    xclose_text(stream);
    pool_keep(pool, free, file);
    return file;
}

static void read_figure(struct pool *pool, const char *plots, struct report_figure *figure, struct string_list *notes)
{
    const char *picture = pool_printf(pool, "%s/%s.svg", plots, figure->name);
    char *words = file_read_or_null(pool, pool_printf(pool, "%s/%s.txt", plots, figure->name), NULL),
         *line = words ? strstr(words, ".\n") : NULL;
    figure->heading = line ? pool_strndup(pool, words, (size_t)(line - words)) : figure->name;
    figure->caption = line ? pool_strndup(pool, line + 2, strcspn(line + 2, "\n")) : "";
    figure->svg = file_read_or_null(pool, picture, NULL);
    if (figure->svg && !is_passive(figure->svg)) {
        string_list_add(notes, "%s: left out, since it has more than gnuplot draws: a script or another file", picture);
        figure->svg = NULL;
    }
    if (figure->svg)
        figure->bytes = html_svg_uri(NULL, figure->svg);
}

static int by_text(const void *first, const void *second)
{
    return strcmp(*(char *const *)first, *(char *const *)second);
}

void report_figures_read(struct pool *pool, struct report_figures *figures, const char *path, size_t folder,
                         const char *label, const cJSON *config, struct string_list *notes)
{
    const char *plots = pool_printf(pool, "%s/plots", path);
    struct name_order names = report_list(pool, plots, ".gp");
    size_t turns[RANKS] = {0};
    if (names.count)
        qsort(names.names, names.count, sizeof *names.names, by_text);
    for (size_t i = 0; i < names.count; i++) {
        const int rank = rank_of(names.names[i], config);
        figures->items = pool_grow(pool, figures->items, figures->count, &figures->capacity, sizeof *figures->items);
        struct report_figure *figure = &figures->items[figures->count++];
        *figure = (struct report_figure){.folder = folder,
                                         .name = names.names[i],
                                         .file = file_name(pool, label, names.names[i]),
                                         .rank = rank,
                                         .turn = turns[rank]++};
        read_figure(pool, plots, figure, notes);
    }
}

int report_figures_lack_pictures(const char *path)
{
    struct pool *pool = pool_new();
    const char *plots = pool_printf(pool, "%s/plots", path);
    const struct name_order names = report_list(pool, plots, ".gp");
    int lack = 0;
    for (size_t i = 0; i < names.count; i++)
        lack = lack || access(pool_printf(pool, "%s/%s.svg", plots, names.names[i]), F_OK) != 0;
    pool_free(pool);
    return lack;
}

static int order(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

static int by_turn(const void *first, const void *second)
{
    const struct report_figure *a = first, *b = second;
    if (a->rank != b->rank)
        return a->rank - b->rank;
    return a->turn != b->turn ? order(a->turn, b->turn) : order(a->folder, b->folder);
}

void report_figures_choose(struct report_figures *figures, size_t max)
{
    size_t used = 0;
    if (figures->count)
        qsort(figures->items, figures->count, sizeof *figures->items, by_turn);
    for (size_t i = 0; i < figures->count; i++) {
        struct report_figure *figure = &figures->items[i];
        figure->embedded = figure->svg && figure->bytes <= max / 10 && used + figure->bytes <= max;
        used += figure->embedded ? figure->bytes : 0;
    }
}
