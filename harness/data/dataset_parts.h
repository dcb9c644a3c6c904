/*
 * What the readers of data files share: a file in memory, a collector of rows, and the checks that every set has to
 * pass. For harness/data only; everyone else uses harness/data/dataset.h.
 */
#ifndef HULLBENCH_DATASET_PARTS_H
#define HULLBENCH_DATASET_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "harness/base/die.h"
#include "harness/data/dataset.h"
#include "harness/data/manifest.h"
#include "harness/data/split.h"
#include "harness/support/input_stream.h"

/* A file in memory, for a reader. */
struct input {
    const char *path;
    const char *text; /* size bytes and a NUL */
    size_t size;
};

/* Parses a whole text as a finite decimal number; 0 if it is not one. */
int finite_parse(const char *text, double *value);
/* The same, limited to DATASET_LARGEST in magnitude. */
int number_parse(const char *text, double *value);
/* Below this, squares of values stay finite when summed over any data set that fits into memory. */
#define DATASET_LARGEST 1e100

/* The first characters of a text as visible_text shows it, at most 43 bytes, for messages. */
const char *text_shown(const char *text, char shown[44]);

/* An empty data set in the pool. */
struct dataset *dataset_new(struct pool *pool, const char *name);
/* Takes ownership of the patterns, zeroes the caller's struct, and allocates labels and multiplicities (1 each). */
void dataset_take(struct dataset *dataset, struct patterns *patterns);
/* The same for rows x dims zeros. */
void dataset_allocate(struct dataset *dataset, size_t rows, size_t dims);
/* Computes the full size and checks that both classes occur. */
void dataset_close(struct dataset *dataset);

/* A MATLAB 5 file, kept open because it holds several data sets. */
struct matlab_file {
    struct matlab_file *next;
    char *path;
    char sha256[65];
    struct matio_functions *matio;
    struct _mat_t *mat; /* matio's handle */
};

/* Opens the file, hashes it and, unless that gives the `known` SHA-256, checks its structure (matlab_check). The pool
 * closes it. One thread at a time. */
struct matlab_file *matlab_file_open(struct pool *pool, const char *path, const char *known);
/* Reads the struct `variable` into the data set, with the splits it lists, which are in the pool. 0 if the file has no
 * such variable. */
int dataset_read_matlab(struct pool *pool, const struct matlab_file *file, const char *variable,
                        struct dataset *dataset, struct listed_splits *listed);

/* The MATLAB file at `path`, opened by the first thread that asks and owned by the source. */
const struct matlab_file *dataset_source_matlab(struct dataset_source *source, const char *path, const char *known);
/* matio works for one thread at a time. An error that ends the attempt unlocks it. */
void matio_lock(struct cleanup *lock);
void matio_unlock(struct cleanup *lock);

/* Checks the structure of a MATLAB 5 file: every element fits into its container, every compressed element is complete
 * with a correct checksum, and every array has as many numbers as its sizes say. Some files that fail crash matio. */
void matlab_check(const struct input *input);

/* Reads the request's text file and, after it, the rows of its test_file: values, labels, class names, the SHA-256 of
 * all bytes read, and the splits that a test_file or a split_file defines. */
void dataset_read_text_files(const struct dataset_request *request, struct dataset *dataset);
/* Adds the splits that the file lists (split_file.c), as SPLIT_OFFICIAL, to a data set with rows and labels.
 * STATUS_BAD_INPUT names file, line and column: unknown words, invalid numbers, rows that do not exist or occur twice
 * in a split, a split that trains on fewer than two rows or on one class. */
void split_file_read(struct input_stream *stream, struct dataset *dataset);
/* The UCI repository's breast-cancer-wisconsin.data ("wisconsin") or sonar.all-data ("sonar"), see dataset_csv.c. */
void dataset_read_uci(struct input_stream *stream, const char *format, struct dataset *dataset);

/* Generates twonorm, ringnorm, waveform or titanic (the data set's name) and hashes its values. */
void dataset_generate(uint64_t seed, struct dataset *dataset);

#endif
