/* The analyses of an atlas and their output: atlas.json, tables and figures. Each family, cost, target and so on that
 * has too little to compare is left out. */
#ifndef HULLBENCH_ATLAS_OUTPUT_H
#define HULLBENCH_ATLAS_OUTPUT_H

#include "harness/atlas/atlas.h"
#include "harness/figure/render.h"
#include "harness/format/result.h"

struct cJSON;

/* An atlas and the folder that its files are written to. */
struct atlas_output {
    struct atlas *atlas;
    const char *folder;
    struct figure_sink sink;
    struct budget_share_list {
        struct budget_shares *item; /* by family, then cost, then all targets together and each target */
        size_t count, capacity;
    } shares;
    struct regime_map_list {
        struct regime_map *item; /* by family, then cost, then target, then over data sets and for each data set */
        size_t count, capacity;
    } maps;
};

/* ---- tables ---- */

/* A table with all rows for programs and, if it has a title, some of them for readers. */
struct atlas_table {
    struct atlas_output *out;
    struct result page, data; /* with the same columns */
};
/* The columns of an interval: a cell for readers, and its estimate and ends for programs. */
#define ATLAS_ENDS(key, low, high, title) "<#" key "=" title "\t>#6" key "\t>#6" low "\t>#6" high
#define ATLAS_INTERVAL(key, title) ATLAS_ENDS(key, key "_low", key "_high", title)

/* Starts a table in a pool of its own. */
struct atlas_table atlas_table_new(struct atlas_output *out, const char *name, size_t heads, const char *columns);
/* Adds the cells of an interval; for readers multiplied by `scale` and rounded to that many digits. */
void atlas_table_interval(struct atlas_table *table, double scale, int digits, const struct interval *interval);
/* Gives the last row to readers, too. */
void atlas_table_show(struct atlas_table *table);
/* Writes FOLDER/NAME.csv and, if there is a title, .json, .md and .tex; releases the table, resets the scratch pool. */
void atlas_table_write(struct atlas_table *table);
/* A page for readers in the scratch pool, and the cell of an interval in it. It is written as FOLDER/NAME.md and .tex,
 * which resets the scratch pool. */
struct result atlas_page_new(const struct atlas_output *out, const char *kind, const struct atlas_family *family,
                             enum atlas_cost cost);
void atlas_page_interval(struct result *page, double scale, int digits, const struct interval *interval);
void atlas_page_write(const struct atlas_output *out, const struct result *page);
/* "0.001", or "all" for ATLAS_ALL. */
const char *atlas_target_name(struct pool *pool, const struct atlas_family *family, size_t target);
/* Whether pages and figures show the target. */
int atlas_is_shown(const struct atlas_family *family, size_t target);
/* Writes and draws a figure, and resets the scratch pool. */
void atlas_put_figure(struct atlas_output *out, struct plot_figure *figure);

/* ---- shares of problems and targets that a solver reaches within a budget (budget_shares.c) ---- */

enum { SHARE_PLACES = 61 };

/* The curve of one series: the share and its interval at each budget; and the budgets, in units, within which a
 * quarter, a half and three quarters of the pairs are reached, infinite if fewer ever are. */
struct share_curve {
    struct interval at[SHARE_PLACES];
    double quartiles[3];
    double *budgets; /* n_pairs: what it needed, ascending; infinite if it did not reach the target */
    double area;     /* below the curve along the logarithmic axis, divided by the axis's length */
};

/* The curves of a family for one cost and one target, or for all targets together. */
struct budget_shares {
    const struct atlas_family *family;
    enum atlas_cost cost;
    size_t target;              /* its index, or ATLAS_ALL */
    double place[SHARE_PLACES]; /* budgets in units (atlas_unit), spaced equally on a logarithmic scale */
    struct share_curve *curves; /* one per series; zeroed for series that do not count the cost */
    size_t n_pairs;             /* of problem and target, for each series */
    int has_bands;              /* nonzero: from at least two data sets */
};
void budget_shares_take(struct atlas_output *out);
void budget_shares_write(struct atlas_output *out);

/* ---- the best solver in each cell of C x width factor (regimes.c) ---- */

struct regime_cell {
    size_t n;              /* data sets, or splits for a map of one data set; 0: no problem in the cell */
    int reached;           /* nonzero: some solver reached the target on some problem of the cell; else the rest is 0 */
    size_t best, second;   /* series; equal if all have the same costs */
    size_t candidates;     /* number of series that may be the best; 1: decided */
    unsigned char *may_be_best; /* n_series */
    double p;              /* adjusted, see several_solvers.h */
    double best_cost;      /* geometric mean, censored runs penalised */
    double best_reached;   /* share of the cell's problems on which the best reaches the target */
    struct interval ratio; /* of the second's cost to the best's, geometric mean over data sets; ends NAN: unknown */
};

/* A cell of a map over data sets needs at least five of them to be decided, and more with more series; a map of one
 * data set needs six splits and the sizes of the data set. */
struct regime_map {
    const struct atlas_family *family;
    enum atlas_cost cost;
    size_t target;
    size_t dataset;            /* its index; ATLAS_ALL: over all of them */
    struct regime_cell *cells; /* n_c x n_factors, rows of equal C */
    size_t n_cells;
    size_t n_reached, n_decided; /* cells in which some solver reaches the target; decided ones of these */
};
void regime_maps_take(struct atlas_output *out);
void regime_maps_write(struct atlas_output *out);

/* ---- whether the best solver at one target is the best at another (rank_stability.c) ---- */

/* One target compared with the reference. */
struct stability_row {
    struct interval tau;         /* Kendall's tau-b of the two rankings of solvers by geometric mean cost */
    struct interval same_winner; /* share of problems whose cheapest solver at the reference is the cheapest here too */
    struct interval loss;        /* cost here of the reference's cheapest solver over that of the cheapest one here,
                                    geometric mean; at least 1 */
    size_t n;                    /* problems on which some solver reaches both targets, the basis of the last two */
};
/* A row for each target; the reference is the looser shown target. NULL if fewer than two series count the cost, or
 * with one target. */
struct stability_row *rank_stability_of(struct atlas *atlas, const struct atlas_family *family, enum atlas_cost cost);

/* ---- the rest ---- */

/* Tables that compare solvers, targets and costs (atlas_tables.c); growth with a number of generated data sets, with
 * its figures (size_growth.c). */
void atlas_tables_write(struct atlas_output *out);
void size_growth_write(struct atlas_output *out);
/* atlas.json and atlas.html, the interactive page with the same data (atlas_json.c). */
void atlas_json_write(const struct atlas_output *out);

#endif
