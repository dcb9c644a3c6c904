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

/* Texts are the records'. */
struct plot_data {
    struct run_folder *folder;
    const struct records *records; /* the folder's */
    const char **datasets;         /* those with records, in the order of figures and tables */
    size_t n_datasets;
    const char **solvers; /* in the order of the records */
    size_t n_solvers;
};

/* Takes the records of a folder, which are read if they were not; the folder must outlive *data. Data sets stand in the
 * order of the paper whose tables the configuration names, all others after them in the order of the records, which is
 * the configuration's. STATUS_NOT_FOUND where there are no records, and the errors of run_folder_read_records. *data is
 * zeroed first and released with plot_data_free. */
enum status plot_data_take(struct run_folder *folder, struct plot_data *data, struct error *error);
void plot_data_free(struct plot_data *data);

/* The records that an entry of "plots" keeps (record_filter.h), of one data set unless it is NULL, in the order of the
 * file; failed runs are left out. Released with records_free. */
struct records plot_select(const struct plot_data *data, const struct cJSON *entry, const char *dataset);

/* A solver's name for the eye: the word "mu" in it becomes the Greek letter. Writes at most `size` bytes. */
const char *plot_solver_label(const char *solver, char *label, size_t size);
/* A setting's name likewise: mu, sigma, lambda, epsilon, eta in Greek, "width" as the kernel width, "tolerance". */
const char *plot_setting_label(const char *setting);

#endif
