/*
 * The records of a run folder as the figures need them: numbers by field, settings (solver parameters, kernel numbers,
 * stopping tolerance) by name, data sets in the papers' order, and which settings take several values on the same
 * split, which is what makes a run a sweep.
 */
#ifndef HULLBENCH_DATA_H
#define HULLBENCH_DATA_H

#include <stddef.h>
#include <stdio.h>

#include "harness/records/record_filter.h"
#include "harness/records/run_folder.h"
#include "solvers/error.h"

struct cJSON;

enum plot_field {
    PLOT_ERROR,
    PLOT_SUPPORT_VECTORS,
    PLOT_ITERATIONS,
    PLOT_KERNEL_OPERATIONS, /* of the iterations phase: the papers leave the start-up out */
    PLOT_FIELD_COUNT
};

/* A field's name in records and tables, its name in configurations and file names, for an axis, and for a heading. */
struct plot_field_text {
    const char *record, *metric, *label, *title;
};
extern const struct plot_field_text plot_field_texts[PLOT_FIELD_COUNT];

/* Until their users say record and setting. */
#define plot_record record
#define plot_setting setting

/* What a figure draws from. Texts are the records'. */
struct plot_data {
    const struct records *records; /* the folder's */
    const char **datasets; /* those with records: in the papers' order, then as first met */
    size_t n_datasets;
    const char **solvers; /* as first met */
    size_t n_solvers;
    const struct cJSON *config; /* config.json, an empty object if there is none */
};

/* Takes the records of a folder, which are read if they were not; the folder must outlive *data. STATUS_NOT_FOUND where there are none, and
 * the errors of run_folder_read_records. *data is zeroed first and released with plot_data_free. */
enum status plot_data_take(struct run_folder *folder, struct plot_data *data, struct error *error);
/* Accepts NULL and zeroed data. */
void plot_data_free(struct plot_data *data);

#define plot_setting_find record_setting

/* Records that a "plots" entry keeps: its "datasets" (or "dataset"), "solvers" (or "solver") and "where" {setting:
 * value}; entry may be NULL, dataset and solver narrow further and may be NULL. Failed runs are left out. *kept gets a
 * malloc'ed array of n pointers into data, in record order, that the caller frees (NULL if n is 0). */
enum status plot_select(const struct plot_data *data, const struct cJSON *entry, const char *dataset,
                        const char *solver, const struct plot_record ***kept, size_t *n, struct error *error);

#define plot_entry_names entry_names

enum { PLOT_SWEPT = 16 }; /* more settings than this are never swept at once */
/* Names of the settings that take several values for the same data set, solver and split among n records, those with
 * the most values first, ties in record order. names (strings owned by the data) gets the first *found of them; fails
 * only when out of memory. */
enum status plot_swept(const struct plot_record *const *records, size_t n, const char *names[PLOT_SWEPT], size_t *found,
                       struct error *error);

/* A solver's name for the eye: the word "mu" in it becomes the Greek letter. Writes at most `size` bytes. */
const char *plot_solver_label(const char *solver, char *label, size_t size);
/* A setting's name likewise: mu, sigma, lambda, epsilon, eta in Greek, "width" as the kernel width, "tolerance". */
const char *plot_setting_label(const char *setting);

#endif
