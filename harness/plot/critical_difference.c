/*
 * Critical-difference diagrams (Demsar 2006): the mean ranks of solvers over data sets, and which solvers Nemenyi's
 * test at 5 % does not separate, after Friedman's test. One panel per metric. The caption has the tests, and lists
 * where signed-rank tests of all pairs disagree with the bars.
 */

#include "harness/base/die.h"
#include "harness/plot/kinds.h"
#include "harness/compare/series_set.h"

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
static const char *p_text(struct pool *pool, double p)
{
    return p < 1e-4 ? "p < 1e-4" : pool_printf(pool, "p = %.2g", p);
}

/* Prints the blocks of a panel, and its tests and pairs into the caption. */
static void put_panel(const struct ranking *ranking, struct rank_blocks *blocks, enum record_field field,
                      struct plot_figure *figure)
{
    const struct friedman *friedman = &ranking->friedman;
    const char *label = measure_label(field);
    fprintf(figure->dat, "# %s: mean_rank place side solver\n", label);
    print_solvers(blocks, friedman, ranking->order, figure->dat);
    fprintf(figure->dat, "\n\n# %s, not significantly different: from to place\n", label);
    print_groups(friedman, ranking->order, ranking->groups, ranking->n_groups, figure->dat);
    fprintf(figure->caption, "%s: Friedman χ² = %.3g, %s; Iman–Davenport F = %.3g, %s; ", measure_row(field)->measure,
            friedman->chi2, p_text(figure->pool, friedman->chi2_p), friedman->f, p_text(figure->pool, friedman->f_p));
    ranking_print_pairs(ranking, blocks, figure->caption);
    fputc(' ', figure->caption);
}

static void draw(const struct plot_request *request, struct rank_blocks *blocks)
{
    struct plot_figure figure;
    const char *titles[RANK_METRICS];
    double difference[RANK_METRICS], groups[RANK_METRICS];
    size_t n = 0;
    plot_figure_open(&figure, "critical-difference", request->name, NULL, NULL);
    fprintf(figure.heading, "Mean ranks over %zu data sets", blocks->n);
    fprintf(figure.caption,
            "Rank 1 is the lowest. Ranks on a data set are those of the mean test error, or of the geometric mean of "
            "iterations or kernel operations, over its splits and settings; solvers that did not converge rank last. "
            "Joined by a bar: not significantly different by Nemenyi's test at %g %%; CD: the critical difference. "
            "Kernel operations without the set-up. ",
            100 * RANKING_LEVEL);
    series_set_print_gaps(&blocks->series, figure.caption);
    for (size_t k = 0; k < RANK_METRICS; k++) {
        struct ranking ranking;
        if (!rank_metric_wanted(request->entry, rank_metrics[k]))
            continue;
        ranking_make(figure.pool, blocks, rank_metrics[k], &ranking);
        fputs(n ? "\n\n" : "", figure.dat);
        put_panel(&ranking, blocks, rank_metrics[k], &figure);
        titles[n] = measure_label(rank_metrics[k]);
        difference[n] = ranking.difference;
        groups[n++] = (double)ranking.n_groups;
    }
    if (n == 0) {
        pool_free(figure.pool);
        plot_die_metric(request, json_text(request->entry, "metric"), "error, iterations, kernel-operations");
    }
    plot_figure_series(&figure, blocks->series.labels, blocks->series.n_series);
    plot_figure_panels(&figure, titles, n);
    plot_figure_numbers(&figure, "difference", difference, n);
    plot_figure_numbers(&figure, "groups", groups, n);
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
