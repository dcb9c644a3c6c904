/*
 * A run's records for figures and tables of solvers: the data sets and solvers in display order, the records that an
 * entry of "plots" selects, and display names.
 */
#ifndef HULLBENCH_DATA_H
#define HULLBENCH_DATA_H

#include "harness/records/measures.h"
#include "harness/records/plan_order.h"
#include "harness/records/selection.h"
#include "solvers/error.h"

/* What the user chose to show (harness/plot/plot.h). */
struct plot_choice {
    const char *spec;              /* the file, or NULL */
    const struct cJSON *plots;     /* its entries, in place of the configuration's; or NULL */
    struct cJSON *selection;       /* the selection of records (selection.h) */
    const struct cJSON *series;    /* its "series", which also have names and styles; or NULL */
};

/* Texts belong to the records. */
struct run_view {
    struct pool *pool; /* of names */
    struct run_folder *folder;
    const struct records *records; /* the folder's */
    struct name_order datasets, solvers; /* those with records, in the order of the plan (plan_order.h) */
    struct records *of_dataset;          /* the records of each data set */
    const struct plot_choice *choice; /* names the series; NULL: named after their solvers */
};

/* Takes the records of a folder, which must outlive them, into the pool; reads them if necessary. Dies with
 * STATUS_NOT_FOUND if there are none, and like run_folder_read_records. */
struct run_view *run_view_take(struct pool *pool, struct run_folder *folder);

/* The records that an entry of "plots" selects (selection.h), of one data set unless it is NULL, in the order of
 * the file, without failed runs. */
struct records plot_select(struct pool *pool, const struct run_view *data, const struct cJSON *entry,
                           const char *dataset);

/* A solver's display name: the word "mu" in it becomes the Greek letter. */
const char *plot_solver_label(struct pool *pool, const char *solver);
/* The name of the record's series: from the choice, else its solver. Without a record, a series of the solver. */
const char *plot_series_name(const struct run_view *data, const char *solver, const struct record *record);
/* The label with ", SETTING = VALUE" after it, unless the choice names the record's series and selects it by this
 * setting. `record` may be NULL. */
const char *plot_label_add(const struct run_view *data, const struct record *record, const char *label,
                           const char *setting, const char *value);
/* The description of a parameter in the folder's run.json, of a plugin's kernel or any solver; NULL: it has none. */
const struct cJSON *run_folder_parameter(const struct run_folder *folder, const char *setting);
/* The scale of a setting's axis according to run.json's "parameters": 2 logarithmic, 1 linear, 0 unknown. */
int plot_setting_scale(const struct run_view *data, const char *setting);
/* The label of a setting's axis: its display name, or name and meaning from run.json's "parameters". */
const char *plot_setting_axis(const struct run_view *data, const char *setting);
/* A setting's display name: mu, sigma, lambda, epsilon, eta in Greek, "width" as the kernel width, "tolerance". */
const char *plot_setting_label(const char *setting);

#endif
