/*
 * The atlas: which solver reaches which accuracy at what cost, over data sets, penalties C and kernel widths. It is
 * made from ordinary run folders. A rule with several tolerances, the targets, gives a record for each of them.
 *
 * A problem is a data set, a split, a kernel and a C, within a family of formulations with the same solution. The
 * linear penalty's problem is the same whether it is solved as C-SVM dual or as nearest points of reduced hulls, since
 * hull solvers whose records have C ran with the mu that corresponds to it. Linear and square penalties are different
 * families. A task of a family's cubes (cube.h) is a problem with a target.
 */
#ifndef HULLBENCH_ATLAS_H
#define HULLBENCH_ATLAS_H

#include <stdio.h>

#include "harness/compare/cube.h"
#include "harness/figure/render.h"
#include "harness/format/result.h"
#include "harness/records/run_folder.h"
#include "harness/stats/bootstrap.h"
#include "harness/stats/cluster_mean.h"

#define ATLAS_LEVEL 0.95
/* Two solvers are equivalent if the ratio of their costs is between 1 / ATLAS_MARGIN and ATLAS_MARGIN. */
#define ATLAS_MARGIN 1.25
/* A place in a list that means none or all: no C, all targets, all data sets. */
#define ATLAS_ALL ((size_t)-1)

enum atlas_cost {
    ATLAS_ITERATIONS,
    ATLAS_OPERATIONS,     /* kernel operations of the iterations */
    ATLAS_ALL_OPERATIONS, /* the same plus set-up */
    ATLAS_EVALUATIONS,    /* kernel values that training has to compute, each once if rows are kept */
    ATLAS_SECONDS,        /* record_time */
    ATLAS_COSTS
};
/* The key in files, the name in words, and if sizes are known, the unit of its budgets and their name. */
struct atlas_cost_text {
    const char *key, *title, *per, *budget;
};
extern const struct atlas_cost_text atlas_cost_texts[ATLAS_COSTS];

struct atlas_dataset {
    const char *name;
    double n_train, n_test; /* 0: unknown */
    double tuned_width;     /* NAN: its kernel has no width */
};

struct atlas_series {
    const char *label;          /* the solver, and those of its settings that take several values */
    const struct record *first; /* one of its records */
};

struct atlas_problem {
    size_t dataset;               /* its index in the atlas */
    double c, factor;             /* C, NAN: none; width over the data set's tuned width, 1 without a width */
    size_t c_level, factor_level; /* indices in the family's lists, or ATLAS_ALL */
};

/* Problems that differ only in their splits. */
struct atlas_cell {
    const struct atlas_problem *place; /* the first */
    size_t *problems, n;
};

struct atlas_family {
    const char *key, *title;
    struct atlas_series *series;
    struct atlas_problem *problems;
    double *targets; /* descending: the loosest first */
    size_t n_series, n_problems, n_targets;
    size_t loose, tight; /* the targets that figures and pages show: 1e-3, 1e-6, else the middle and the last one */
    const struct record **runs;     /* n_series x n_problems x n_targets, see atlas_at */
    struct cube costs[ATLAS_COSTS]; /* task: problem * n_targets + target */
    double *c_values, *factors;     /* ascending */
    size_t n_c, n_factors;
    struct atlas_cell *cells; /* by data set, C and factor; those without C last */
    size_t n_cells;
    struct atlas_labels {
        const char **item;
        size_t count, capacity;
    } omitted;           /* series with records of fewer than half of the problems */
    size_t n_incomplete; /* problems left out because some series has no record of them */
};

struct atlas_options {
    const char *const *folders;
    size_t n_folders;
    const char *rule;               /* NULL: svm-gap if present, else the only rule */
    const char *solvers, *datasets; /* names separated by commas; NULL: all */
    const char *const *pairs;       /* "A:B": series whose costs are compared, B against A */
    size_t n_pairs;
    size_t seed, resamples;
};
/* Seed 1, 1000 resamples. */
#define ATLAS_DEFAULTS {.seed = 1, .resamples = 1000}

struct atlas {
    struct atlas_options options;
    struct run_folders folders;
    struct records records; /* of all folders, without duplicates */
    const char *rule;
    struct atlas_dataset *datasets;
    size_t n_datasets;
    int sizes_known;               /* nonzero: n_train of every data set is known */
    struct atlas_family *families; /* those with at least two series on some problem */
    size_t n_families;
    struct pool *pool, *scratch;  /* of the atlas; of one step of its making */
    struct bootstrap_draws draws; /* of all data sets */
    const char *time_note;        /* why times are left out (conditions.h); NULL: they are not, or there are none */
};

/* Reads the folders and sorts their records. STATUS_NOT_FOUND: nothing to compare. STATUS_BAD_INPUT: records of several
 * rules but none was named, an unknown solver, folders with different data under one name, unlike budgets in a family,
 * or invalid files. The options' texts and the scratch pool, which is reset after each step, must outlive the atlas. */
struct atlas *atlas_read(struct pool *pool, struct pool *scratch, const struct atlas_options *options);
/* Prints the data behind the numbers and the caveats. */
void atlas_print_notes(const struct atlas *atlas, FILE *stream);
/* Writes atlas.json, atlas.html, tables and plots/ into FOLDER, after removing the files of an earlier atlas. If
 * pictures cannot be drawn, STATUS_IO after everything else. */
void atlas_write(struct atlas *atlas, const char *folder, int no_render);

static inline size_t atlas_at(const struct atlas_family *family, size_t series, size_t problem, size_t target)
{
    return (series * family->n_problems + problem) * family->n_targets + target;
}

/* Whether the run reached the target. */
static inline int atlas_reached(const struct atlas_family *family, size_t at)
{
    return family->runs[at]->converged;
}

/* The number of a cell's splits on which the series reached the target, and the logarithm of its mean cost
 * (PAR-10). */
size_t atlas_cell_reached(const struct atlas_family *family, const struct atlas_cell *cell, size_t series,
                          size_t target);
double atlas_cell_log(const struct atlas_family *family, const struct atlas_cell *cell, enum atlas_cost cost,
                      size_t series, size_t target);

/* Sums over each data set, and what they are divided by. Values that are NAN are left out. */
struct tally {
    double *sums, *counts;
};
struct tally tally_new(const struct atlas *atlas);
void tally_add(struct tally *tally, size_t dataset, double value, double count);
struct interval interval_exp(struct interval interval); /* exp of the estimate and of both ends */
/* The ratio of the two sums over data sets, and its t interval (cluster_mean.h); `geometric`: exp of it, the geometric
 * mean if the values are logarithms. The interval of values that are at least 0, or at most 1, ends there. */
struct cluster_mean tally_mean(const struct atlas *atlas, const struct tally *tally);
struct interval tally_interval(const struct atlas *atlas, const struct tally *tally, int geometric);

/* ---- output: atlas.json, tables and figures ----
 *
 * Each family, cost, target and so on that has too little to compare is left out. */

/* An atlas and the folder that its files are written to. */
struct atlas_output {
    struct atlas *atlas;
    const char *folder;
    struct figure_sink sink;
    struct cJSON *json; /* atlas.json (atlas_json.c) */
    struct size_sweep_list {
        struct size_sweep *item;
        size_t count, capacity;
    } sweeps; /* generated data sets that differ in one number (size_growth.c) */
};

/* A table with all rows for programs, and some of them for readers. */
struct atlas_table {
    struct atlas_output *out;
    struct result page, data; /* with the same columns, in a pool of the table's own */
};
/* The columns of an interval: a cell for readers, and its estimate and ends for programs. */
#define ATLAS_ENDS(key, low, high, title) "<#" key "=" title "\t>#6" key "\t>#6" low "\t>#6" high
#define ATLAS_INTERVAL(key, title) ATLAS_ENDS(key, key "_low", key "_high", title)
/* Adds the cells of an interval, or of that of a tally; for readers multiplied by `scale` and rounded to `digits`. */
void atlas_table_interval(struct atlas_table *table, double scale, int digits, const struct interval *interval);
void atlas_table_tally(struct atlas_table *table, double scale, int digits, const struct tally *tally, int geometric);
/* Gives the last row, of this target, to readers, too, if they get the target. */
void atlas_table_show(struct atlas_table *table, const struct atlas_family *family, size_t target);
/* "0.001", or "all" for ATLAS_ALL. */
const char *atlas_target_name(struct pool *pool, const struct atlas_family *family, size_t target);
/* Writes and draws a figure, and resets the scratch pool. */
void atlas_put_figure(struct atlas_output *out, struct plot_figure *figure);

/* Starts atlas.json. */
void atlas_json_begin(struct atlas_output *out);
/* Adds an object with that cost and target to the list "shares" or "maps" of the family in atlas.json. */
struct cJSON *atlas_json_add(const struct atlas_output *out, const char *list, const struct atlas_family *family,
                             enum atlas_cost cost, size_t target);
/* Adds an array of n numbers, each the next but stride - 1, with four digits; one that is not finite becomes null. */
void atlas_json_numbers(struct cJSON *object, const char *key, const double *numbers, size_t n, size_t stride);
/* Writes atlas.json and atlas.html, the interactive page with the same data. */
void atlas_json_write(const struct atlas_output *out);

/* Each adds the rows of a family and a cost, with their part of atlas.json and their figures: the shares of problems
 * and targets that a solver reaches within a budget; the best solver in each cell of C and width factor; whether the
 * best solver at the looser shown target is the best at the others; the growth with a number of generated sets. */
typedef void atlas_analysis(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost);
atlas_analysis budget_shares_put, regime_maps_put, rank_stability_put, growth_put_exponents, growth_put_points;

/* Finds the sweeps in the folders' configurations. */
void size_sweeps_take(struct atlas_output *out);
void size_growth_draw(struct atlas_output *out);

#endif
