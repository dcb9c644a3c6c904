/*
 * Critical-difference diagrams (Demsar 2006): the mean ranks of solvers over data sets, and which of them Nemenyi's test
 * at 5 % does not tell apart, after Friedman's test. A panel a metric.
 *
 * Data sets are the blocks, since splits of one data set overlap. On a data set a solver has one number over the problems
 * that all solvers have records of (rivals.h): the mean test error, or the geometric mean of iterations or kernel
 * operations, so that no level of C weighs more than another; infinite, and so ranked last, where a run did not converge.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot/kinds.h"
#include "harness/plot/series.h"
#include "harness/rivals.h"
#include "harness/stats/nemenyi.h"

enum { MOST_PANELS = 3, AUTOMATIC_SOLVERS = 3, AUTOMATIC_DATASETS = 5 };
static const double alpha = 0.05;

/* The solvers' costs on the data sets that count. */
struct blocks {
    const struct rivals *rivals;
    size_t n; /* data sets */
    const char **datasets;
    double *costs; /* series x data sets */
};

/* What a panel tells the template. */
struct panels {
    size_t n;
    char title[MOST_PANELS][200];
    double difference[MOST_PANELS], groups[MOST_PANELS];
};

/* Whether every series has a record of the problem; `seen` has room for all series. */
static int all_have(const struct rivals *rivals, size_t problem, unsigned char *seen)
{
    size_t have = 0;
    memset(seen, 0, rivals->n_series);
    for (size_t i = 0; i < rivals->n; i++)
        if (rivals->problem_of[i] == problem && !seen[rivals->series_of[i]]) {
            seen[rivals->series_of[i]] = 1;
            have++;
        }
    return have == rivals->n_series;
}

/* Leaves in `common` (one for each problem) whether all series have it, and in blocks the data sets with such a one. */
static void find_blocks(const struct plot_data *data, struct blocks *blocks, unsigned char *common)
{
    const struct rivals *rivals = blocks->rivals;
    unsigned char seen[RIVALS_MOST];
    for (size_t p = 0; p < rivals->n_problems; p++)
        common[p] = (unsigned char)all_have(rivals, p, seen);
    for (size_t d = 0; d < data->n_datasets; d++) {
        size_t p = 0;
        while (p < rivals->n_problems &&
               !(common[p] && rivals->records[rivals->first_of[p]]->dataset == data->datasets[d]))
            p++;
        if (p < rivals->n_problems)
            blocks->datasets[blocks->n++] = data->datasets[d];
    }
}

static double cost_of(const struct plot_record *record, enum plot_field field)
{
    double value = record->field[field];
    if (field == PLOT_ERROR)
        return isfinite(value) ? value : INFINITY;
    return record->at_limit || record->stalled || !isfinite(value) ? INFINITY : log(value);
}

/* One number for each series and data set: a mean, of logarithms for counts, which ranks as their geometric mean. */
static void fill_costs(struct blocks *blocks, const unsigned char *common, enum plot_field field)
{
    const struct rivals *rivals = blocks->rivals;
    for (size_t s = 0; s < rivals->n_series; s++)
        for (size_t d = 0; d < blocks->n; d++) {
            double sum = 0;
            size_t n = 0;
            for (size_t i = 0; i < rivals->n; i++)
                if (rivals->series_of[i] == s && common[rivals->problem_of[i]] &&
                    rivals->records[i]->dataset == blocks->datasets[d]) {
                    sum += cost_of(rivals->records[i], field);
                    n++;
                }
            blocks->costs[s * blocks->n + d] = isnan(sum) ? INFINITY : sum / (double)n; /* log 0 met an infinity */
        }
}

static void print_solvers(const struct blocks *blocks, const struct friedman *friedman, const size_t *order, FILE *dat)
{
    size_t left = (friedman->solvers + 1) / 2;
    for (size_t i = 0; i < friedman->solvers; i++) {
        plot_number(dat, friedman->mean_ranks[order[i]]);
        fprintf(dat, " %zu %d ", i < left ? i + 1 : friedman->solvers - i, i < left ? 0 : 1);
        plot_data_text(dat, blocks->rivals->labels[order[i]]);
        fputc('\n', dat);
    }
}

/* A row for each group: its ends and its place below the axis. gnuplot counts only blocks with a row in them. */
static void print_groups(const struct friedman *friedman, const size_t *order, const struct rank_group *groups,
                         size_t n_groups, FILE *dat)
{
    for (size_t g = 0; g < n_groups; g++) {
        plot_number(dat, friedman->mean_ranks[order[groups[g].first]]);
        fputc(' ', dat);
        plot_number(dat, friedman->mean_ranks[order[groups[g].last]]);
        fprintf(dat, " %zu\n", g + 1);
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

static void name_panel(const struct friedman *friedman, enum plot_field field, char *title, size_t size)
{
    char chi2[40], f[40];
    print_p(chi2, sizeof chi2, friedman->chi2_p);
    print_p(f, sizeof f, friedman->f_p);
    snprintf(title, size, "%s    Friedman χ² = %.3g, %s; Iman–Davenport F = %.3g, %s", plot_field_texts[field].label,
             friedman->chi2, chi2, friedman->f, f);
}

static enum status add_panel(struct blocks *blocks, const unsigned char *common, enum plot_field field, FILE *dat,
                             struct panels *panels, struct error *error)
{
    struct friedman friedman = {0};
    struct rank_group groups[RIVALS_MOST];
    size_t order[RIVALS_MOST], panel = panels->n;
    fill_costs(blocks, common, field);
    enum status status = friedman_test(blocks->costs, blocks->rivals->n_series, blocks->n, &friedman, error);
    if (status == STATUS_OK)
        status = nemenyi_difference(&friedman, alpha, &panels->difference[panel], error);
    if (status == STATUS_OK) {
        friedman_order(&friedman, order);
        size_t n_groups = nemenyi_groups(&friedman, order, panels->difference[panel], groups);
        panels->groups[panel] = (double)n_groups;
        name_panel(&friedman, field, panels->title[panel], sizeof panels->title[panel]);
        fprintf(dat, "%s# %s: mean_rank place side solver\n", panel ? "\n\n" : "", plot_field_texts[field].label);
        print_solvers(blocks, &friedman, order, dat);
        fprintf(dat, "\n\n# %s, not told apart: from to place\n", plot_field_texts[field].label);
        print_groups(&friedman, order, groups, n_groups, dat);
        panels->n++;
    }
    friedman_free(&friedman);
    return status;
}

/* Whether the metric is the entry's, or the entry names none. */
static int is_wanted(const struct plot_request *request, enum plot_field field)
{
    const char *metric = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(request->entry, "metric"));
    return !metric || strcmp(metric, plot_field_texts[field].metric) == 0;
}

static void describe(const struct plot_request *request, const struct blocks *blocks, struct plot_figure *figure)
{
    FILE *caption = figure->caption.stream;
    fprintf(figure->heading.stream, "Mean ranks over %zu data sets", blocks->n);
    fprintf(caption,
            "Rank 1 is the lowest. Ranks on a data set are those of the mean test error, or of the geometric mean of "
            "iterations or kernel operations, over its splits and settings; what did not converge is last. Joined by a "
            "bar: not told apart by Nemenyi's test at %g %%; CD: the critical difference. Kernel operations without the "
            "start-up. ",
            100 * alpha);
    plot_origin(caption, request->data, blocks->rivals->records, blocks->rivals->n);
    figure->caption_columns = 115; /* the width in plots/critical-difference.gp */
}

static enum status draw(const struct plot_request *request, struct blocks *blocks, const unsigned char *common,
                        struct error *error)
{
    static const enum plot_field fields[] = {PLOT_ERROR, PLOT_ITERATIONS, PLOT_KERNEL_OPERATIONS};
    struct plot_figure figure;
    struct panels panels = {0};
    const char *titles[MOST_PANELS] = {panels.title[0], panels.title[1], panels.title[2]};
    const char *labels[RIVALS_MOST];
    enum status status = plot_figure_open(&figure, "critical-difference", request->name, NULL, NULL, error);
    for (size_t k = 0; k < MOST_PANELS && status == STATUS_OK; k++)
        if (is_wanted(request, fields[k]))
            status = add_panel(blocks, common, fields[k], figure.dat.stream, &panels, error);
    if (status == STATUS_OK && panels.n == 0)
        status = error_set(error, STATUS_BAD_INPUT,
                           "config.json: figure %s: \"metric\" of a critical-difference diagram is error, iterations or "
                           "kernel-operations",
                           request->name);
    if (status != STATUS_OK) {
        plot_figure_free(&figure);
        return status;
    }
    for (size_t s = 0; s < blocks->rivals->n_series; s++)
        labels[s] = blocks->rivals->labels[s];
    plot_figure_texts(&figure, "series", labels, blocks->rivals->n_series);
    plot_figure_texts(&figure, "panels", titles, panels.n);
    plot_figure_numbers(&figure, "difference", panels.difference, panels.n);
    plot_figure_numbers(&figure, "groups", panels.groups, panels.n);
    describe(request, blocks, &figure);
    return plot_finish(request->run, &figure, error);
}

/* Why there is nothing to draw; NULL if there is. Unasked only many solvers on many data sets are ranked. */
static const char *obstacle(const struct plot_request *request, const struct blocks *blocks)
{
    if (blocks->rivals->too_many)
        return "too many solvers or combinations of their parameters; choose with \"solvers\" or \"where\"";
    if (blocks->rivals->n_series < (request->entry ? 2 : AUTOMATIC_SOLVERS))
        return "fewer than two solvers to compare";
    if (blocks->n < (request->entry ? 2 : AUTOMATIC_DATASETS))
        return "fewer than two data sets have problems that all solvers ran on";
    return NULL;
}

enum status plot_critical_difference(const struct plot_request *request, struct error *error)
{
    struct rivals rivals = {0};
    struct blocks blocks = {.rivals = &rivals};
    enum status status = rivals_take(request->data, request->entry, &rivals, error);
    unsigned char *common = malloc(rivals.n_problems + 1);
    blocks.datasets = malloc(request->data->n_datasets * sizeof *blocks.datasets);
    blocks.costs = malloc(RIVALS_MOST * request->data->n_datasets * sizeof *blocks.costs);
    if (status == STATUS_OK && (!common || !blocks.datasets || !blocks.costs))
        status = error_set(error, STATUS_NO_MEMORY, "figure %s: out of memory", request->name);
    if (status == STATUS_OK && !rivals.too_many)
        find_blocks(request->data, &blocks, common);
    if (status == STATUS_OK) {
        const char *why_not = obstacle(request, &blocks);
        if (why_not)
            plot_note(request, "%s", why_not);
        else
            status = draw(request, &blocks, common, error);
    }
    free(common);
    free(blocks.datasets);
    free(blocks.costs);
    rivals_free(&rivals);
    return status;
}
