/*
 * What a table of one's own is to show (docs/tables.md): a JSON object of "tables" in a configuration, or of the file
 * of `hullbench tables --spec`. It is read strictly; whether records match is found out when the table is made.
 */
#ifndef HULLBENCH_TABLE_SPEC_H
#define HULLBENCH_TABLE_SPEC_H

#include <stddef.h>

#include "harness/compare/case_statistics.h"
#include "harness/compare/solver_choice.h"
#include "harness/config/config.h"
#include "harness/format/number_text.h"
#include "harness/records/plan_order.h"
#include "harness/records/run_folder.h"
#include "harness/support/json_field.h"

/* ---- metrics ---- */

enum table_direction { BEST_LOWEST, BEST_HIGHEST, BEST_NONE, BEST_NOT_GIVEN };

struct table_metric_info {
    const char *name, *title, *unit; /* unit: of the values, "" where they are counts */
    const char *path;                /* of the number in a record; NULL: see table_metric_value */
    enum table_direction best;
    enum contrast_basis basis;
    int logarithmic; /* nonzero: differences are of logarithms, and ratios exist */
};
enum {
    METRIC_ITERATIONS,
    METRIC_OPERATIONS,
    METRIC_ALL_OPERATIONS,
    METRIC_EVALUATIONS,
    METRIC_SUPPORT_VECTORS,
    METRIC_ERROR,
    METRIC_OBJECTIVE,
    METRIC_GAP,
    METRIC_VIOLATION,
    METRIC_SECONDS,
    METRIC_CONVERGED,
    TABLE_METRICS
};
extern const struct table_metric_info table_metrics[TABLE_METRICS];
/* NAN where the record has no such number. METRIC_CONVERGED is 1 or 0. A failed record has none but that. */
double table_metric_value(size_t metric, const struct record *record);

enum table_statistic {
    STATISTIC_OF_MEAN_SD,
    STATISTIC_OF_MEAN_SD_PARENTHESES,
    STATISTIC_OF_MEAN,
    STATISTIC_OF_SD,
    STATISTIC_OF_MEDIAN,
    STATISTIC_OF_QUARTILES,
    STATISTIC_OF_MINIMUM,
    STATISTIC_OF_MAXIMUM,
    STATISTIC_OF_SHARE, /* of METRIC_CONVERGED alone, in per cent; and "98/100" */
    STATISTIC_OF_COUNT,
    STATISTIC_OF_RATIO, /* with ratio_to alone: the geometric mean of the pairs' ratios; with its interval */
    STATISTIC_OF_INTERVAL,
    TABLE_STATISTICS
};
extern const char *const table_statistics[TABLE_STATISTICS + 1];
/* Whether it says where the values lie, as means, medians and ratios do: tests compare nothing else. */
int table_statistic_is_location(enum table_statistic statistic);

struct table_metric {
    size_t info; /* in table_metrics */
    enum table_statistic statistic;
    struct solver_choices ratio_to; /* none, or one */
    double divisor;
    const char *unit, *title; /* NULL: not given */
    enum table_direction best;
    int marks; /* nonzero: marks stand on this metric where the table has marks */
    struct number_format format;
};

/* ---- rows and columns ---- */

enum table_dimension_kind {
    DIMENSION_DATASET,
    DIMENSION_SOLVER,
    DIMENSION_SPLIT_SOURCE,
    DIMENSION_METRIC,
    DIMENSION_SETTINGS, /* stands for settings that vary and are not named (table_grid.h) */
    DIMENSION_SETTING
};
struct table_dimension {
    enum table_dimension_kind kind;
    const char *name;    /* as it was given, "kernel.width" say */
    const char *setting; /* of DIMENSION_SETTING: without "params.", "kernel." or "stop." */
    enum table_side { SIDE_ROWS, SIDE_COLUMNS } side;
};
enum { MAX_DIMENSIONS = 32 };

struct table_spec {
    const struct cJSON *json;
    const char *name, *caption;
    struct table_dimension dimensions[MAX_DIMENSIONS]; /* of rows, then of columns; the metric is among them */
    size_t n_dimensions;
    struct table_metric *metrics;
    size_t n_metrics;
    const struct cJSON *datasets, *solvers, *split_sources, *where, *labels; /* NULL: not given */
    struct solver_choices against; /* of the marks; none, or one */
    double level;
    int best;                   /* nonzero: the best cells are bold */
    enum table_side best_side;  /* among cells of a row, or of a column */
    int spans;                  /* over all columns of the page */
    double points;              /* the width to fit into */
    int may_be_empty;           /* nonzero: no records give a heading alone */
};

/* Names that a specification may use. */
struct table_names {
    struct name_order datasets, solvers, settings;
};
/* Those of configurations and records. Texts belong to the folders, whose records have been read. */
void table_names_of_folders(const struct run_folders *folders, struct table_names *names);
/* Those of a configuration that has not been run. The texts belong to it. */
void table_names_of_config(const struct config *config, struct table_names *names);
void table_names_free(struct table_names *names);

/* Reads one object. STATUS_BAD_INPUT names file, key, value and what is allowed. The texts are the JSON's. Without
 * names it is the program's own table, whose name may be that of any and which may be empty. *spec is
 * zeroed first and released with table_spec_free, also after an error. */
enum status table_spec_read(const struct cJSON *json, const struct json_path *place, const struct table_names *names,
                            struct table_spec *spec, struct error *error);
void table_spec_free(struct table_spec *spec);

/* Checks the objects of a list, which is as long as it may be in a configuration, and that no two have one name. */
enum status table_specs_check(const struct cJSON *list, const struct json_path *place,
                              const struct table_names *names, struct error *error);

#endif
