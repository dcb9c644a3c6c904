/*
 * The specification of a custom table (docs/tables.md): a JSON object under "tables" in a configuration, or in the file
 * given to `hullbench tables --spec`. It is parsed strictly; whether records match is checked when the table is made.
 */
#ifndef HULLBENCH_TABLE_SPEC_H
#define HULLBENCH_TABLE_SPEC_H

#include "harness/compare/case_statistics.h"
#include "harness/compare/solver_choice.h"
#include "harness/config/config.h"
#include "harness/format/number_text.h"
#include "harness/records/measures.h"

/* ---- metrics ---- */

enum table_direction { BEST_LOWEST, BEST_HIGHEST, BEST_NONE };

enum table_statistic {
    STATISTIC_OF_MEAN_SD,
    STATISTIC_OF_MEAN_SD_FORMER, /* "mean(sd)", read as the same */
    STATISTIC_OF_MEAN,
    STATISTIC_OF_SD,
    STATISTIC_OF_MEDIAN,
    STATISTIC_OF_QUARTILES,
    STATISTIC_OF_MINIMUM,
    STATISTIC_OF_MAXIMUM,
    STATISTIC_OF_SHARE, /* only for MEASURE_CONVERGED, in per cent; and "98/100" */
    STATISTIC_OF_COUNT,
    STATISTIC_OF_RATIO, /* only with ratio_to: the geometric mean of the pairs' ratios, with its interval */
    STATISTIC_OF_INTERVAL,
    TABLE_STATISTICS
};
extern const char *const table_statistics[TABLE_STATISTICS + 1];
/* Whether it is a measure of location, such as a mean, median or ratio: only those are tested. */
int table_statistic_is_location(int statistic);

struct table_metric {
    const char *name, *baseline; /* as given */
    size_t measure;              /* measures.h */
    int statistic;               /* enum table_statistic; -1: absent */
    struct solver_choices ratio_to; /* none or one */
    double divisor;
    const char *unit, *title; /* NULL: absent */
    int best;                 /* enum table_direction; -1: absent */
    int marks; /* nonzero: in a table with marks, this metric has them */
    struct number_format format;
};

/* ---- rows and columns ---- */

enum table_dimension_kind {
    DIMENSION_DATASET,
    DIMENSION_SOLVER,
    DIMENSION_SPLIT_SOURCE,
    DIMENSION_METRIC,
    DIMENSION_SETTINGS, /* means settings that vary and are not named (table_grid.h) */
    DIMENSION_SETTING
};
struct table_dimension {
    enum table_dimension_kind kind;
    const char *name;    /* as given, such as "kernel.width" */
    const char *setting; /* of DIMENSION_SETTING: without "params.", "kernel." or "stop." */
    enum table_side { SIDE_ROWS, SIDE_COLUMNS } side;
};
enum { MAX_DIMENSIONS = 32 };

struct table_spec {
    const struct cJSON *json;
    const char *name, *caption;
    struct member_texts rows, columns, datasets, solvers, split_sources; /* as given; the last three: empty if absent */
    struct table_dimension dimensions[MAX_DIMENSIONS]; /* of rows, then of columns; includes the metric */
    size_t n_dimensions;
    const struct cJSON *metrics_given;
    struct table_metric *metrics;
    size_t n_metrics;
    int statistic;                       /* of metrics without their own; -1: absent */
    const struct cJSON *where, *labels; /* NULL: absent */
    const struct table_marks *marks;     /* NULL: none */
    struct solver_choices against;       /* for the marks; none or one */
    double level;
    int best_in;                /* 0: the best cell of each row is bold, 1: of each column, -1: none */
    int width;                  /* 0: a column of the page, 1: all columns */
    int thin_spaces;            /* in large numbers */
    double width_cm;            /* 0: absent */
    double points;              /* the width to fit into, in points */
    int may_be_empty;           /* nonzero: without records the table has only a heading */
};
extern const struct member table_spec_members[], table_metric_members[];
/* Whether rows or columns have a dimension of that kind. */
int table_spec_has(const struct table_spec *spec, enum table_dimension_kind kind);
/* Whether one of the n dimensions is the setting. */
int table_has_setting(const struct table_dimension *dimensions, size_t n, const char *setting);

/* Names of a configuration that has not been run. Its texts belong to it. */
struct known_names table_names_of_config(struct pool *pool, const struct config *config);

/* Reads one object into the pool. Dies with STATUS_BAD_INPUT and file, key, value and the allowed values. If `names` is
 * NULL, it is a built-in table, which may have any name and may be empty. */
const struct table_spec *table_spec_read(struct pool *pool, const struct cJSON *json, const struct json_path *place,
                                         const struct known_names *names);

/* Checks the objects of a list, and that their names are distinct. */
void table_specs_check(const struct cJSON *list, const struct json_path *place, const struct known_names *names);

#endif
