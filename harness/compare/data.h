/*
 * The records of a run folder as the figures need them: numbers by field, settings (solver parameters, kernel numbers,
 * stopping tolerance) by name, data sets in the papers' order, and which settings take several values on the same
 * split, which is what makes a run a sweep.
 */
#ifndef HULLBENCH_DATA_H
#define HULLBENCH_DATA_H

#include <stddef.h>
#include <stdio.h>

#include "harness/records/record.h"
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

/* One parameter of a run. The name is the key in params, kernel or stop ("kernel" and "stop" for their kinds). */
struct plot_setting {
    const char *name, *text; /* text: the value as printed, without quotes; both owned by the plot_data */
    double number;           /* NAN where the value is not a number */
};

struct plot_record {
    const char *dataset, *solver; /* owned by the plot_data */
    size_t split;
    int resampled, generated, at_limit, stalled, failed; /* from split_source and outcome */
    const struct record *source;                /* the whole record, owned by the plot_data */
    double field[PLOT_FIELD_COUNT];             /* NAN where the record has null */
    size_t n_settings;
    struct plot_setting *settings;
};

struct plot_data {
    size_t n_records;
    struct plot_record *records;
    size_t n_datasets;
    char **datasets; /* those with records: in the papers' order, then as first met */
    size_t n_solvers;
    char **solvers; /* as first met */
    size_t n_words;
    char **words; /* names and values of settings, each once */
    struct records read;  /* what everything above points into */
    struct cJSON *config; /* DIR/config.json, an empty object if there is none */
};

/* Reads DIR/records.jsonl and DIR/config.json. STATUS_NOT_FOUND when there are no records; STATUS_BAD_INPUT names file,
 * line and field of a damaged one. *data is zeroed first and released with plot_data_free. */
enum status plot_data_read(const char *folder, struct plot_data *data, struct error *error);
/* Accepts NULL and half-read data. */
void plot_data_free(struct plot_data *data);

/* The setting of that name, NULL if the record has none. */
const struct plot_setting *plot_setting_find(const struct plot_record *record, const char *name);

/* Records that a "plots" entry keeps: its "datasets" (or "dataset"), "solvers" (or "solver") and "where" {setting:
 * value}; entry may be NULL, dataset and solver narrow further and may be NULL. Failed runs are left out. *kept gets a
 * malloc'ed array of n pointers into data, in record order, that the caller frees (NULL if n is 0). */
enum status plot_select(const struct plot_data *data, const struct cJSON *entry, const char *dataset,
                        const char *solver, const struct plot_record ***kept, size_t *n, struct error *error);

/* Whether text is the entry's string `one` or stands in its array `many`; an entry with neither lets all pass. */
int plot_entry_names(const struct cJSON *entry, const char *many, const char *one, const char *text);

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
