/*
 * Data sets: patterns, labels and train/test splits. They come from a MATLAB file in the layout of the public
 * benchmarks.mat, from text files (LIBSVM format, CSV), or from published definitions.
 */
#ifndef HULLBENCH_DATASET_H
#define HULLBENCH_DATASET_H

#include "harness/base/pool.h"
#include "solvers/kernel/patterns.h"

enum split_source { SPLIT_OFFICIAL, SPLIT_RESAMPLED, SPLIT_GENERATED, SPLIT_FOLD };
extern const char *const split_source_names[]; /* in enumeration order, NULL-terminated */
const char *split_source_name(enum split_source source);

/* Repeated cross-validation; folds = 0: none. */
struct fold_plan {
    size_t folds, repeats; /* at least 2 and 1 */
    int stratified;
    int equal_sizes; /* leaves out the rows that do not divide evenly */
};

struct split {
    size_t number;            /* from 1 */
    enum split_source source;
    size_t n_train, n_test;
    const size_t *train, *test; /* rows of the data set, from 0; a row may repeat; in `indices` */
};

/* Lets the pool release the patterns. */
void patterns_keep(struct pool *pool, struct patterns *patterns);

/* The features of a table with columns. */
struct columns {
    size_t count; /* 0: unknown, or LIBSVM format, whose features have indices and no columns */
    char **names; /* count names of the header; NULL: no header */
    char *label;  /* the header's name of the label column; NULL: no header or no labels */
};

/* The source of generated sets. */
#define DATASET_GENERATED "made here"

struct dataset {
    struct pool *pool; /* has everything below */
    char *name;
    struct patterns patterns; /* dense, or compressed if that makes a text file's patterns smaller */
    signed char *y;        /* rows, +1 or -1 */
    size_t *multiplicity;  /* rows: number of times each row occurs in the full set */
    size_t full_size;      /* sum of the multiplicities */
    int scale_by_training; /* nonzero: each split has its own standardised patterns (dataset_standardise_split) */
    size_t n_splits;
    struct split *splits;  /* n_splits, ordered by number */
    char *source;          /* the file's path, or DATASET_GENERATED */
    char sha256[65];       /* lower-case hexadecimal: of the file (of a set's files, concatenated) or of the generated
                              values */
    char file_sha256[2][65]; /* known sets: of the data file and of the file with test rows, each alone; else "" */
    char *altered;           /* known sets: names each file with another SHA-256 than in the manifest; NULL: none has */
    char *class_names[2];  /* text files: the labels of +1 and -1 as written in the file; else NULL */
    size_t first_index;    /* text files: index of the first feature: 0 if a LIBSVM file has an index 0, else 1 */
    struct columns columns; /* CSV files: the features */
    struct string_list notes; /* text files: what was guessed or looks wrong, for the user */
    size_t *indices;       /* storage behind the splits' index lists */
};

/* What several loads share: the manifest and files with many data sets, each read once. */
struct dataset_source;
struct dataset_source *dataset_source_new(struct pool *pool);

/* A family of generated sets (dataset_synthetic.c). */
enum family_shape { FAMILY_GAUSSIANS, FAMILY_CHESSBOARD };
extern const char *const family_shapes[]; /* in enumeration order, NULL-terminated */

struct dataset_family {
    enum family_shape shape;
    size_t features;    /* at least 1; FAMILY_CHESSBOARD: 2 */
    double separation;  /* FAMILY_GAUSSIANS: distance of the class means, in standard deviations of feature 1, >= 0 */
    double condition;   /* FAMILY_GAUSSIANS: standard deviation of feature 1 over that of the last one, >= 1 */
    double density;     /* FAMILY_GAUSSIANS: probability that a value is kept; it is 0 otherwise; in (0, 1] */
    double positives;   /* probability of class +1, in (0, 1) */
    double label_noise; /* probability that a label is flipped, in [0, 0.5] */
};

struct input_watch;

/* Which data set, as a configuration or the command line says it. Zero-initialise; only `name` is required. */
struct dataset_spec {
    const char *name;         /* name in datasets/manifest.json, or any name if `file` is given */
    const char *file;         /* text file, or NULL for a set of the manifest */
    const struct dataset_family *family; /* draw the set from this family (needs n_train and n_test); or NULL */
    const char *test_file;    /* text file with the test rows, while `file` has the training rows: one split; or NULL */
    const char *split_file;   /* lists the splits of `file` or of a text set (split_file.c); NULL with test_file */
    const char *format;       /* "libsvm" or "csv"; NULL: by the file extension */
    const char *label_column; /* CSV: a header name or a number from 1; NULL: the last column */
    const char *header;       /* CSV: whether the first line is one: "yes", "no" or "auto"; NULL: auto */
    size_t n_train, n_test;   /* text files: split sizes; 0, 0: two thirds of the rows, rounded down, train */
    int synthetic;            /* nonzero: generate a set of the manifest even if a file has it */
    int is_own;               /* configurations: in a file of the user's, named here or in a datasets.json */
    uint32_t place;           /* configurations: index before config_select, from 0 */
};

/* A request for one data set. Zero-initialise. */
struct dataset_request {
    struct dataset_spec set;
    const char *search_path;  /* colon-separated folders ($HULLBENCH_DATA), may be NULL */
    const char *cache;        /* folder searched last (datasets/cache), may be NULL */
    int whole;                /* text files: one split that trains on all rows and tests none */
    size_t want_splits;       /* number of splits; 0: as in the manifest (100, or 20 for image and splice) */
    size_t draws;             /* multiplies the number of splits of a manifest's set; 0 means 1 */
    const char *config;       /* names the configuration in messages about the folds; may be NULL */
    struct fold_plan folds;   /* cross-validation of the whole set instead of the file's splits and the sizes above */
    uint64_t seed;            /* for drawn splits and synthetic sets; 0 means the documented default, 1 */
    int allow_generated;      /* nonzero: generate twonorm, ringnorm, waveform and titanic if no file has them */
    int hash_each;            /* text files: set file_sha256 */
    int without_hash;         /* text files: skip the SHA-256, which takes as long as reading; it stays "" */
    const struct input_watch *watch; /* reports the progress of reading a text file (input_stream.h); may be NULL */
    struct dataset_source *source; /* shared by loads with one search path, in any thread; NULL: private to this load */
};

/* Loads one data set into the pool. STATUS_NOT_FOUND if no file has it: the message names the set, the folders searched
 * and the command that gets it. STATUS_BAD_INPUT names file, line or variable, field and value. Splits that the file
 * lists are "official". Missing splits up to want_splits are drawn by split_resample at the official sizes and marked
 * "resampled" ("generated" if the whole set is synthetic). */
struct dataset *dataset_load(struct pool *pool, const struct dataset_request *request);
/* The same for callers who go on after an error: returns the status; *dataset is then NULL. */
enum status dataset_try_load(struct pool *pool, const struct dataset_request *request, struct dataset **dataset,
                             struct error *error);

/* How features are standardised. */
enum standardise { STANDARDISE_NONE, STANDARDISE_FULL_SET, STANDARDISE_FULL_SET_SAMPLE, STANDARDISE_TRAINING };

/* Standardises every feature in place to mean 0 and variance 1 over the full set, rows weighted by multiplicity. The
 * variance has the divisor full size, or full size - 1 (STANDARDISE_FULL_SET_SAMPLE). A constant feature becomes 0.
 * STANDARDISE_TRAINING only sets scale_by_training. Compressed patterns become dense (patterns_make_dense). */
void dataset_standardise(struct dataset *dataset, enum standardise way);
/* A table of the split's training rows, followed by its test rows, standardised by the training rows; their number is
 * the divisor. Release with patterns_free. */
struct patterns dataset_standardise_split(const struct dataset *dataset, const struct split *split);

/* Checks that the patterns are the square table of a precomputed kernel. Entries (i, j) and (j, i) may differ by
 * rounding: by 1e-5 of sqrt(k_ii k_jj), or of the larger of the two. Both are set to their mean, so that every sum uses
 * the same kernel. STATUS_BAD_INPUT names entries that differ by more. */
void dataset_make_symmetric(struct dataset *dataset);

/* Reverses the training rows of every split, so that a solver that takes the first of equal patterns takes the last. */
void dataset_reverse_training(struct dataset *dataset);
/* Swaps the positive and the negative class. */
void dataset_swap_labels(struct dataset *dataset);

#endif
