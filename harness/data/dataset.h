/*
 * Data sets: patterns, labels, and the train/test splits that belong to them, from a MATLAB file in the layout of the
 * public benchmarks.mat, from text files (LIBSVM format, CSV), or generated from published definitions.
 */
#ifndef HULLBENCH_DATASET_H
#define HULLBENCH_DATASET_H

#include <stddef.h>
#include <stdint.h>

#include "solvers/error.h"
#include "solvers/kernel/patterns.h"

enum split_source { SPLIT_OFFICIAL, SPLIT_RESAMPLED, SPLIT_GENERATED, SPLIT_FOLD };
/* "official", "resampled", "generated", "fold". */
const char *split_source_name(enum split_source source);

/* Repeated cross-validation; folds = 0: none. */
struct fold_plan {
    size_t folds, repeats; /* at least 2 and 1 */
    int stratified;
};

struct split {
    size_t number;            /* from 1 */
    enum split_source source;
    size_t n_train, n_test;
    const size_t *train, *test; /* rows of the data set, from 0; a row may repeat; owned by the data set */
};

struct dataset {
    char *name;
    struct patterns patterns; /* dense or, where a text file's are smaller so, compressed; owned */
    signed char *y;        /* rows, +1 or -1 */
    size_t *multiplicity;  /* rows: how often each row stands in the full set */
    size_t full_size;      /* sum of the multiplicities */
    size_t n_splits;
    struct split *splits;  /* n_splits, ordered by number */
    char *source;          /* the file's path, or "made here" */
    char sha256[65];       /* lower-case hexadecimal: of the file (of a set's files one behind the other), or of the
                              generated values */
    char *class_names[2];  /* text files: the labels of +1 and of -1 as the file has them; else NULL */
    size_t first_index;    /* text files: index of the first feature, 0 where a LIBSVM file has an index 0, else 1 */
    size_t *indices;       /* storage behind the splits' index lists */
};

/* What several loads share: the manifest, read once, and files that hold many data sets, opened once. */
struct dataset_source;
enum status dataset_source_open(struct dataset_source **source, struct error *error);
/* Accepts NULL. */
void dataset_source_close(struct dataset_source *source);

struct input_watch;
struct dataset_family;

/* How to get one data set. Zero-initialise; only `name` is required. */
struct dataset_request {
    const char *name;         /* name in datasets/manifest.json, or any name when `file` is given */
    const char *search_path;  /* colon-separated folders ($HULLBENCH_DATA), may be NULL */
    const char *cache;        /* folder looked at last (datasets/cache), may be NULL */
    const char *file;         /* text file, or NULL for a set of the manifest */
    const struct dataset_family *family; /* drawn from this family, n_train and n_test being given; or NULL */
    const char *test_file;    /* text file whose rows are tested where those of `file` train: one split; or NULL */
    const char *split_file;   /* lists the splits of `file` or of a set of a text file (split_file.c), or NULL; not
                                 beside test_file */
    int whole;                /* text files: one split, all rows train and none tests */
    const char *format;       /* "libsvm" or "csv"; NULL: by the file's ending */
    const char *label_column; /* CSV: a header name or a number from 1; NULL: the last column */
    size_t n_train, n_test;   /* text files: split sizes; 0, 0: two thirds of the rows, rounded down, train */
    size_t want_splits;       /* splits wanted; 0: as many as the manifest says (100, or 20 for image and splice) */
    size_t draws;             /* a set of a manifest has this many times the splits that its manifest says; 0 means 1 */
    const char *config;       /* names the configuration in messages about the folds; may be NULL */
    struct fold_plan folds;   /* cross-validation of the whole set in place of the file's splits and the sizes above */
    uint64_t seed;            /* for drawn splits and synthetic sets; 0 means the documented default, 1 */
    int allow_generated;      /* nonzero: twonorm, ringnorm, waveform and titanic are generated when no file has them */
    int synthetic;            /* nonzero: one of these four, generated even where a file holds it */
    int without_hash;         /* text files: nobody wants their SHA-256, which takes as long as reading; it stays "" */
    const struct input_watch *watch; /* is told how far the reading of a text file is (input_stream.h); may be NULL */
    struct dataset_source *source; /* shared by loads of one search path, in any thread; NULL: this load has its own */
};

/* Loads one data set. STATUS_NOT_FOUND with a message that names the set, the folders looked at and the command that
 * gets it when it is nowhere; STATUS_BAD_INPUT names file, line or variable, field and value. The data set is released
 * with dataset_free. Splits the file lists are "official"; those missing up to want_splits are drawn by
 * split_resample at the official sizes and marked "resampled" ("generated" when the whole set is synthetic). */
enum status dataset_load(const struct dataset_request *request, struct dataset **dataset, struct error *error);
/* Accepts NULL and half-built sets. */
void dataset_free(struct dataset *dataset);

/* Standardises every feature in place to mean 0 and variance 1 over the full set (rows counted with their
 * multiplicity, variance divided by the full size). A constant feature becomes 0. Compressed patterns become dense:
 * STATUS_BAD_INPUT, and how much memory they would take, where they do not fit; STATUS_NO_MEMORY. */
enum status dataset_standardise(struct dataset *dataset, struct error *error);
/* The same with the variance divided by one less than the full size. */
enum status dataset_standardise_sample(struct dataset *dataset, struct error *error);

/* Reverses the training rows of every split, so that a solver that takes the first of equal patterns takes the last. */
void dataset_reverse_training(struct dataset *dataset);
/* Makes the positive class the negative one and the negative the positive. */
void dataset_swap_labels(struct dataset *dataset);

#endif
