/*
 * A run's records as figures and tables of solvers need them: which data sets and solvers there are and in which order
 * they are shown, the records that an entry of "plots" keeps, and names for the eye.
 */
#ifndef HULLBENCH_DATA_H
#define HULLBENCH_DATA_H

#include <stddef.h>

#include "harness/records/record_filter.h"
#include "harness/records/run_folder.h"
#include "solvers/error.h"

struct cJSON;

/* The fields that figures and tables of solvers show are the first ones of a record. */
enum { SHOWN_FIELDS = FIELD_KERNEL_OPERATIONS + 1 };
/* A field's name in configurations and file names, for an axis, and for a heading. */
struct plot_field_text {
    const char *metric, *label, *title;
};
extern const struct plot_field_text plot_field_texts[SHOWN_FIELDS];

/* What of a run is to be shown (harness/plot/plot_choice.h): JSON as a specification has it; NULL where it does not
 * say. An element of `series` chooses records as an entry of "plots" does. */
struct plot_choice {
    const char *spec; /* the file */
    const struct cJSON *datasets, *solvers, *series, *plots;
    struct cJSON *json[4]; /* owned: of the file, and of the options --datasets, --solvers and --series */
};

/* Texts are the records'. */
struct plot_data {
    struct run_folder *folder;
    const struct records *records; /* the folder's */
    const char **datasets;         /* those with records, in the order of figures and tables */
    size_t n_datasets;
    const char **solvers; /* in the order of the records */
    size_t n_solvers;
    const struct plot_choice *choice; /* how series are called; NULL: by their solvers */
};

/* Takes the records of a folder, which are read if they were not; the folder must outlive *data. Data sets and solvers
 * stand in the order of the plan (plan_order.h). STATUS_NOT_FOUND where there are no records, and the errors of
 * run_folder_read_records. *data is zeroed first and released with plot_data_free. */
enum status plot_data_take(struct run_folder *folder, struct plot_data *data, struct error *error);
void plot_data_free(struct plot_data *data);

/* The records that an entry of "plots" keeps (record_filter.h), of one data set unless it is NULL, in the order of the
 * file; failed runs are left out. Released with records_free. */
struct records plot_select(const struct plot_data *data, const struct cJSON *entry, const char *dataset);

/* A solver's name for the eye: the word "mu" in it becomes the Greek letter. Writes at most `size` bytes. */
const char *plot_solver_label(const char *solver, char *label, size_t size);
/* What the series of a record is called: by the choice, else by its solver. Without a record, a series of the solver.
 */
const char *plot_series_name(const struct plot_data *data, const char *solver, const struct record *record, char *label,
                             size_t size);
/* Whether the setting is one that the choice takes the record's series by, which its name stands for. */
int plot_name_covers(const struct plot_data *data, const struct record *record, const char *setting);
/* How a setting's axis is divided by run.json's "parameters": 2 on a logarithmic scale, 1 on a linear one, 0 where it
 * does not say. */
int plot_setting_scale(const struct plot_data *data, const char *setting);
/* What stands at a setting's axis: its name for the eye, or name and meaning by run.json's "parameters". Writes at most
 * `size` bytes. */
const char *plot_setting_axis(const struct plot_data *data, const char *setting, char *text, size_t size);
/* A setting's name likewise: mu, sigma, lambda, epsilon, eta in Greek, "width" as the kernel width, "tolerance". */
const char *plot_setting_label(const char *setting);

#endif
