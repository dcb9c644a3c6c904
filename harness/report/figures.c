/*
 * A figure is a .gp file. Its rank is that of its kind: comparisons with papers and between solvers first, costs and
 * errors next, then the courses of single runs, and maps and lines of sweeps last, of which there are many alike.
 */
#define _GNU_SOURCE
#include "harness/report/figures.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/program/memory.h"
#include "harness/report/html.h"
#include "harness/support/file.h"

enum { RANKS = 4 };

static const struct {
    const char *kind;
    int rank;
} kinds[] = {
    {"paper-scatter", 0},
    {"critical-difference", 0},
    {"profile", 0},
    {"iterations", 1},
    {"kernel-operations", 1},
    {"error", 1},
    {"tune", 1},
    {"convergence", 2},
    {"objective", 2},
    {"path", 2},
    {"margin", 2},
    {"lines", 3},
    {"sensitivity", 3},
    {"heatmap", 3},
};

/* Whether the figure NAME or NAME-... is one that an entry called `entry` draws. */
static int drawn_by(const char *figure, const char *entry)
{
    size_t length = strlen(entry);
    return strncmp(figure, entry, length) == 0 && (figure[length] == '\0' || figure[length] == '-');
}

/* The kind of a figure: of the entry of "plots" with the longest fitting name, or what its own name begins with. */
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

/* The text of the line `name = "..."` of a gnuplot program, as gnuplot reads it, or where there is none the text
 * `fallback`. */
static char *variable(const char *program, const char *name, const char *fallback)
{
    const size_t length = strlen(name);
    for (const char *line = program; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) != 0 || strncmp(line + length, " = \"", 4) != 0)
            continue;
        char *text = xstrdup(line + length + 4), *to = text;
        for (const char *at = text; *at && *at != '"' && *at != '\n'; at++) {
            int escaped = *at == '\\' && at[1];
            at += escaped;
            *to++ = escaped && *at == 'n' ? ' ' : *at;
        }
        *to = '\0';
        while (to > text && to[-1] == ' ')
            *--to = '\0';
        return text;
    }
    return xstrdup(fallback);
}

/* gnuplot writes a group for each change of style and a text for each label, half of them empty: those go. */
static int drop_empty(char *svg)
{
    static const char empty_text[] = "<text></text>";
    char *to = svg;
    int dropped = 0;
    for (const char *at = svg; *at;) {
        const char *inside = strncmp(at, "<g ", 3) == 0 ? strchr(at, '>') : NULL, *end = NULL;
        if (inside)
            end = inside + 1 + strspn(inside + 1, " \t\n");
        if (end && strncmp(end, "</g>", 4) == 0)
            at = end + 4 + strspn(end + 4, " \t\n");
        else if (strncmp(at, empty_text, strlen(empty_text)) == 0)
            at += strlen(empty_text);
        else {
            *to++ = *at++;
            continue;
        }
        dropped = 1;
    }
    *to = '\0';
    return dropped;
}

/* The attributes width and height of the root, in pixels; 0 where they are not there. */
static void read_size(struct report_figure *figure)
{
    const char *root = strstr(figure->svg, "<svg"), *end = root ? strchr(root, '>') : NULL;
    double *const sizes[] = {&figure->width, &figure->height};
    static const char *const names[] = {"width=", "height="};
    for (int i = 0; i < 2; i++) {
        const char *at = root ? strstr(root, names[i]) : NULL;
        *sizes[i] = at && at < end ? strtod(at + strlen(names[i]) + 1, NULL) : 0;
    }
}

static char *file_name(const char *label, const char *name)
{
    char *file = NULL;
    size_t size = 0;
    FILE *stream = xopen_text(&file, &size);
    html_id(stream, "figures/", label);
    html_id(stream, ".", name);
    fputs(".svg", stream);
    xclose_text(stream);
    return file;
}

static enum status read_figure(const char *plots, const char *label, const char *name, const cJSON *config,
                               struct report_figure *figure, struct error *error)
{
    char path[4096], *text = NULL;
    *figure = (struct report_figure){
        .name = xstrdup(name), .file = file_name(label, name), .rank = rank_of(name, config)};
    snprintf(path, sizeof path, "%s/%s.gp", plots, name);
    enum status status = file_read(path, &text, NULL, error);
    if (status != STATUS_OK)
        return status;
    figure->heading = variable(text, "heading", name);
    figure->caption = variable(text, "caption", "");
    free(text);
    snprintf(path, sizeof path, "%s/%s.svg", plots, name);
    status = file_read(path, &figure->svg, NULL, error);
    if (status != STATUS_OK)
        return status == STATUS_NOT_FOUND ? STATUS_OK : status;
    while (drop_empty(figure->svg))
        continue;
    read_size(figure);
    figure->bytes = html_svg_uri(NULL, figure->svg);
    return STATUS_OK;
}

static int is_program(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 3 && strcmp(entry->d_name + length - 3, ".gp") == 0;
}

/* Byte by byte, in any locale. */
static int by_name(const struct dirent **first, const struct dirent **second)
{
    return strcmp((*first)->d_name, (*second)->d_name);
}

static int by_rank(const void *first, const void *second)
{
    const struct report_figure *a = first, *b = second;
    return a->rank != b->rank ? (a->rank > b->rank) - (a->rank < b->rank) : strcmp(a->name, b->name);
}

enum status report_figures_read(const char *folder, const char *label, const cJSON *config,
                                struct report_figures *figures, struct error *error)
{
    struct dirent **entries = NULL;
    char *plots = xasprintf("%s/plots", folder);
    int count = scandir(plots, &entries, is_program, by_name);
    enum status status = STATUS_OK;
    *figures = (struct report_figures){0};
    if (count < 0 && errno == ENOMEM)
        out_of_memory();
    if (count < 0 && errno != ENOENT) /* no folder: no figures */
        status = error_set(error, STATUS_IO, "%s: cannot be read: %s", plots, strerror(errno));
    figures->items = xcalloc(count > 0 ? (size_t)count : 1, sizeof *figures->items);
    for (int i = 0; i < count; i++) {
        entries[i]->d_name[strlen(entries[i]->d_name) - 3] = '\0';
        if (status == STATUS_OK)
            status = read_figure(plots, label, entries[i]->d_name, config, &figures->items[figures->count++], error);
        free(entries[i]);
    }
    if (figures->count > 0)
        qsort(figures->items, figures->count, sizeof *figures->items, by_rank);
    free(entries);
    free(plots);
    return status;
}

void report_figures_free(struct report_figures *figures)
{
    for (size_t i = 0; i < figures->count; i++) {
        struct report_figure *figure = &figures->items[i];
        free(figure->name);
        free(figure->file);
        free(figure->heading);
        free(figure->caption);
        free(figure->svg);
    }
    free(figures->items);
    *figures = (struct report_figures){0};
}

int report_figures_stale(const char *folder, const char *than)
{
    struct dirent **entries = NULL;
    char path[4096];
    snprintf(path, sizeof path, "%s/plots", folder);
    int count = scandir(path, &entries, is_program, by_name), stale = count <= 0;
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/plots/%.*s.svg", folder, (int)strlen(entries[i]->d_name) - 3,
                 entries[i]->d_name);
        stale = stale || file_is_older(path, than);
        free(entries[i]);
    }
    free(entries);
    return stale;
}

/* The turn-th figure of that rank, or NULL. */
static struct report_figure *of_rank(const struct report_figures *figures, int rank, size_t turn)
{
    for (size_t i = 0; i < figures->count; i++)
        if (figures->items[i].rank == rank && turn-- == 0)
            return &figures->items[i];
    return NULL;
}

void report_figures_choose(struct report_figures *const *folders, size_t count, size_t max)
{
    size_t used = 0;
    for (int rank = 0; rank < RANKS; rank++)
        for (size_t turn = 0, found = 1; found; turn++) {
            found = 0;
            for (size_t f = 0; f < count; f++) {
                struct report_figure *figure = of_rank(folders[f], rank, turn);
                if (!figure)
                    continue;
                found = 1;
                figure->embedded = figure->svg && figure->bytes <= max / 10 && used + figure->bytes <= max;
                used += figure->embedded ? figure->bytes : 0;
            }
        }
}
