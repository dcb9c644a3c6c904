/*
 * Figures are .gp files, ranked by kind: first comparisons with papers and between solvers, then costs and errors, then
 * curves of single runs, and last maps and lines of sweeps, which are many and similar.
 */
#include <cjson/cJSON.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/report.h"

/* The kinds of all ranks but the last. */
enum { RANKS = 4, MAX_KINDS = 5 };
static const char *const kinds[RANKS - 1][MAX_KINDS] = {
    {"paper-ratio", "critical-difference", "profile", "runtime-distribution", "compare"},
    {"iterations", "kernel-operations", "error", "tune"},
    {"convergence", "objective", "path", "margin"},
};

/* Nonzero if an entry called `entry` draws the figure: it is called NAME or NAME-... */
static int drawn_by(const char *figure, const char *entry)
{
    const size_t length = strlen(entry);
    return strncmp(figure, entry, length) == 0 && (figure[length] == '\0' || figure[length] == '-');
}

/* The rank of a figure's kind: that of the "plots" entry with the longest matching name, or by the figure's name. */
static size_t rank_of(const char *figure, const cJSON *config)
{
    const char *kind = figure;
    size_t longest = 0, rank = 0;
    const cJSON *entry = NULL;
    cJSON_ArrayForEach (entry, json_member(config, "plots")) {
        const char *own = text_member(entry, "kind"), *given = text_member(entry, "name"),
                   *name = *given ? given : own;
        if (*own && drawn_by(figure, name) && strlen(name) > longest) {
            longest = strlen(name);
            kind = own;
        }
    }
    for (; rank < RANKS - 1; rank++)
        for (size_t k = 0; k < MAX_KINDS && kinds[rank][k]; k++)
            if (drawn_by(kind, kinds[rank][k]))
                return rank;
    return rank;
}

/* The printed table that the figure shows; NULL if it shows none. */
static const char *table_of(const struct conformance *conformance, const char *figure)
{
    const size_t length = strlen(figure);
    for (size_t t = 0; t < conformance->n_tables; t++) {
        const char *table = conformance->tables[t]->table->name;
        const size_t end = strlen(table);
        if (length > end && figure[length - end - 1] == '-' && strcmp(figure + length - end, table) == 0)
            return table;
    }
    return NULL;
}

/* Numbers in names are in order of their size: error, error-2, error-10. */
static int by_name(const void *first, const void *second)
{
    static const char digits[] = "0123456789";
    const char *const one = *(char *const *)first, *const other = *(char *const *)second;
    size_t same = 0;
    while (one[same] && one[same] == other[same])
        same++;
    const size_t n_one = strspn(one + same, digits), n_other = strspn(other + same, digits);
    const int are_numbers = (n_one && n_other) || (same && strchr(digits, one[same - 1]));
    return are_numbers && n_one != n_other ? (n_one > n_other) - (n_one < n_other) : strcmp(one, other);
}

/* Whether a picture has what gnuplot never draws and what could run a script or read another file when it is opened by
 * itself: such elements, events, entities and addresses outside the picture. */
static int may_act(const char *svg)
{
    static const char pattern[] =
        "<([a-z]+:)?(script|foreignobject|iframe|html|animate|set|style)|<!(doctype|\\[cdata)|<\\?xml-|@import|"
        "<[^>]*[[:space:]\"'/]on[a-z]+[[:space:]]*=|<[^>]*href[[:space:]]*=[[:space:]]*[\"']?([^\"'#d]|d[^a])|"
        "url\\([^#]|u\\\\|<[^>]*$";
    regex_t active;
    if (regcomp(&active, pattern, REG_EXTENDED | REG_ICASE | REG_NOSUB) != 0)
        out_of_memory();
    const int how = regexec(&active, svg, 0, NULL, 0);
    regfree(&active);
    if (how != 0 && how != REG_NOMATCH)
        out_of_memory();
    return how == 0;
}

int report_figures_read(struct report *report, size_t folder)
{
    struct pool *pool = report->pool;
    const struct report_folder *of = &report->folders[folder];
    const char *plots = pool_printf(pool, "%s/plots", of->run->path);
    struct name_order names = report_list(pool, plots, ".gp");
    size_t turns[RANKS] = {0};
    int has_all = 1;
    if (names.count)
        qsort(names.names, names.count, sizeof *names.names, by_name);
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.names[i], *path = pool_printf(pool, "%s/%s", plots, name),
                   *words = file_read_or_null(pool, pool_printf(pool, "%s.txt", path), NULL),
                   *line = words ? strstr(words, ".\n") : NULL;
        struct report_figure *figure = pool_push(pool, &report->figures);
        *figure = (struct report_figure){.folder = folder,
                                         .name = name,
                                         .heading = line ? pool_strndup(pool, words, (size_t)(line - words)) : name,
                                         .caption = line ? pool_strndup(pool, line + 2, strcspn(line + 2, "\n")) : "",
                                         .svg = file_read_or_null(pool, pool_printf(pool, "%s.svg", path), NULL),
                                         .file = pool_printf(pool, "figures/%s.svg", part_id(pool, of->label, name)),
                                         .table = table_of(&report->conformance, name),
                                         .rank = rank_of(name, of->run->config)};
        if (figure->svg && may_act(figure->svg)) {
            string_list_push(pool, &report->notes,
                             "%s.svg: left out, since it has more than gnuplot draws: a script or another file", path);
            figure->svg = NULL;
        }
        figure->turn = turns[figure->rank]++;
        figure->bytes = figure->svg ? html_svg_uri(NULL, figure->svg) : 0;
        has_all = has_all && figure->svg;
    }
    return has_all;
}

static int by_turn(const void *first, const void *second)
{
    const struct report_figure *a = first, *b = second;
    const size_t of_a[] = {a->rank, a->turn, a->folder}, of_b[] = {b->rank, b->turn, b->folder};
    size_t i = 0;
    while (i < 2 && of_a[i] == of_b[i])
        i++;
    return (of_a[i] > of_b[i]) - (of_a[i] < of_b[i]);
}

/* The embedded figure of the paper's table with the most compared cells among those that have one; NULL if none has. */
static struct report_figure *figure_of_paper(struct report *report, const struct conform_paper *paper)
{
    struct report_figure *chosen = NULL;
    size_t most = 0;
    for (size_t k = 0; k < report->figures.count; k++) {
        struct report_figure *figure = &report->figures.item[k];
        const struct paper_table *table =
            figure->embedded && figure->table ? paper_table_named(paper->paper, figure->table) : NULL;
        const struct reproduction *compared = table ? conform_table_of(&report->conformance, table) : NULL;
        const size_t cells = compared ? verdict_counts_tested(&compared->counts) : 0;
        if (cells > most) {
            chosen = figure;
            most = cells;
        }
    }
    return chosen;
}

/* Chooses the figure of each paper's largest table, then figures that compare solvers, one from each folder. */
static void choose_main(struct report *report)
{
    const size_t max_of_papers = MAX_MAIN_FIGURES - 2;
    for (size_t p = 0; p < report->conformance.n_papers && report->n_main < max_of_papers; p++) {
        struct report_figure *figure = figure_of_paper(report, &report->conformance.papers[p]);
        if (figure)
            report->main[report->n_main++] = figure;
    }
    const size_t first = report->n_main;
    for (size_t k = 0; k < report->figures.count && report->n_main < MAX_MAIN_FIGURES; k++) {
        struct report_figure *figure = &report->figures.item[k];
        size_t same = first;
        while (same < report->n_main && report->main[same]->folder != figure->folder)
            same++;
        if (figure->embedded && figure->rank == 0 && same == report->n_main && !figure->table)
            report->main[report->n_main++] = figure;
    }
    for (size_t i = 0; i < report->n_main; i++)
        report->main[i]->is_main = 1;
}

void report_figures_choose(struct report *report, size_t max)
{
    struct report_figures *figures = &report->figures;
    size_t used = 0;
    report->n_main = 0;
    if (figures->count)
        qsort(figures->item, figures->count, sizeof *figures->item, by_turn);
    for (size_t i = 0; i < figures->count; i++) {
        struct report_figure *figure = &figures->item[i];
        figure->embedded = figure->svg && figure->bytes <= max / 10 && used + figure->bytes <= max;
        used += figure->embedded ? figure->bytes : 0;
        figure->is_main = 0;
    }
    choose_main(report);
}
