/*
 * Critical-difference diagrams (Demsar 2006): the mean ranks of solvers over data sets, and which solvers Nemenyi's
 * test at 5 % does not separate, after Friedman's test. One panel per metric. The caption lists where signed-rank tests
 * of all pairs disagree with the bars.
 */
#include <cjson/cJSON.h>

#include "harness/base/die.h"
#include "harness/plot/kinds.h"
#include "harness/compare/ranks.h"

/* The template's variables, by panel. */
struct panels {
    size_t n;
    char title[RANK_METRICS][200];
    double difference[RANK_METRICS], groups[RANK_METRICS];
};

static void print_solvers(const struct rank_blocks *blocks, const struct friedman *friedman, const size_t *order,
                          FILE *dat)
{
    size_t left = (friedman->solvers + 1) / 2;
    for (size_t i = 0; i < friedman->solvers; i++) {
        plot_number(dat, friedman->mean_ranks[order[i]]);
        fprintf(dat, " %zu %d ", i < left ? i + 1 : friedman->solvers - i, i < left ? 0 : 1);
        plot_data_text(dat, blocks->series.labels[order[i]]);
        fputc('\n', dat);
    }
}

/* Prints a row for each group: its ends and its position below the axis. gnuplot counts only blocks with a row. */
static void print_groups(const struct friedman *friedman, const size_t *order, const struct rank_group *groups,
                         size_t n_groups, FILE *dat)
{
    for (size_t g = 0; g < n_groups; g++) {
        const double numbers[] = {friedman->mean_ranks[order[groups[g].first]],
                                  friedman->mean_ranks[order[groups[g].last]], (double)(g + 1)};
        plot_numbers(dat, numbers, 3, "\n");
    }
    if (n_groups == 0)
        fputs("NaN NaN 0\n", dat);
}

/* "p = 0.0123", "p < 1e-4". */
static void print_p(char *text, size_t size, double p)
{
    if (p < 1e-4)
        snprintf(text, size, "p < 1e-4");
    else
        snprintf(text, size, "p = %.2g", p);
}

static void name_panel(const struct friedman *friedman, enum record_field field, char *title, size_t size)
{
    char chi2[40], f[40];
    print_p(chi2, sizeof chi2, friedman->chi2_p);
    print_p(f, sizeof f, friedman->f_p);
    snprintf(title, size, "%s    Friedman χ² = %.3g, %s; Iman–Davenport F = %.3g, %s", measure_label(field),
             friedman->chi2, chi2, friedman->f, f);
}

/* Adds a panel. The sentence on pairs goes into the caption; on paper, so do the tests, since the picture has no room
 * for them. */
static void add_panel(struct rank_blocks *blocks, enum record_field field, int paper, const struct plot_figure *figure,
                      struct panels *panels)
{
    struct ranking ranking;
    struct pool *pool = pool_new();
    FILE *dat = figure->dat;
    size_t panel = panels->n++;
    ranking_make(pool, blocks, field, &ranking);
    panels->difference[panel] = ranking.difference;
    panels->groups[panel] = (double)ranking.n_groups;
    name_panel(&ranking.friedman, field, panels->title[panel], sizeof panels->title[panel]);
    fprintf(dat, "%s# %s: mean_rank place side solver\n", panel ? "\n\n" : "", measure_label(field));
    print_solvers(blocks, &ranking.friedman, ranking.order, dat);
    fprintf(dat, "\n\n# %s, not significantly different: from to place\n", measure_label(field));
    print_groups(&ranking.friedman, ranking.order, ranking.groups, ranking.n_groups, dat);
    if (paper)
        fprintf(figure->caption, "%s. ", panels->title[panel]);
    fprintf(figure->caption, "%s: ", measure_row(field)->measure);
    ranking_print_pairs(&ranking, blocks, figure->caption);
    fputc(' ', figure->caption);
    pool_free(pool);
}

static void describe(const struct rank_blocks *blocks, struct plot_figure *figure)
{
    fprintf(figure->heading, "Mean ranks over %zu data sets", blocks->n);
    fprintf(
        figure->caption,
        "Rank 1 is the lowest. Ranks on a data set are those of the mean test error, or of the geometric mean of "
        "iterations or kernel operations, over its splits and settings; solvers that did not converge rank last. "
        "Joined by a bar: not significantly different by Nemenyi's test at %g %%; CD: the critical difference. Kernel "
        "operations without the set-up. ",
        100 * RANKING_LEVEL);
    series_set_print_gaps(&blocks->series, figure->caption);
}

static void draw(const struct plot_request *request, struct rank_blocks *blocks)
{
    struct plot_figure figure;
    struct panels panels = {0};
    const char *titles[RANK_METRICS] = {panels.title[0], panels.title[1], panels.title[2]};
    plot_figure_open(&figure, "critical-difference", request->name, NULL, NULL);
    describe(blocks, &figure);
    for (size_t k = 0; k < RANK_METRICS; k++)
        if (rank_metric_wanted(request->entry, rank_metrics[k]))
            add_panel(blocks, rank_metrics[k], plot_for_paper(request), &figure, &panels);
    if (panels.n == 0) {
        plot_figure_free(&figure);
        plot_die_metric(request, "error, iterations, kernel-operations");
    }
    plot_figure_series(&figure, (const char *const *)blocks->series.labels, blocks->series.n_series);
    plot_figure_panels(&figure, titles, panels.n);
    plot_figure_numbers(&figure, "difference", panels.difference, panels.n);
    plot_figure_numbers(&figure, "groups", panels.groups, panels.n);
    plot_origin(figure.caption, request->data, &blocks->series.records);
    plot_finish(request->run, &figure);
}

void plot_critical_difference(const struct plot_request *request)
{
    struct rank_blocks blocks = rank_blocks_take(request->pool, request->data, request->entry);
    const char *obstacle = rank_blocks_obstacle(&blocks, request->entry);
    if (obstacle)
        plot_note(request, "the solvers cannot be ranked: %s", obstacle);
    else
        draw(request, &blocks);
}
