/*
 * What the readers of data files share: a file in memory, rows being collected, and the checks every set has to pass.
 * For harness/data only; everyone else uses harness/data/dataset.h.
 */
#ifndef HULLBENCH_DATASET_PARTS_H
#define HULLBENCH_DATASET_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "harness/data/dataset.h"
#include "harness/data/manifest.h"
#include "harness/data/split.h"
#include "harness/support/input_stream.h"

/* A file held in memory while a reader works on it. */
struct input {
    const char *path;
    const char *text; /* size bytes and a NUL */
    size_t size;
};

/* Reads a whole text as a finite decimal number; 0 when it is none. */
int finite_parse(const char *text, double *value);
/* The same, no larger than DATASET_LARGEST in magnitude. */
int number_parse(const char *text, double *value);
/* Squares of a value, summed over any data set that fits into memory, stay finite below this. */
#define DATASET_LARGEST 1e100

/* A copy of at most 40 characters of text in which every control character is a '?', for one-line messages. */
const char *text_shown(const char *text, char shown[44]);

/* Takes over the patterns, which are then zeroed, and allocates their labels and multiplicities (1 each). */
enum status dataset_take(struct dataset *dataset, struct patterns *patterns, struct error *error);
/* The same for rows x dims zeros. */
enum status dataset_allocate(struct dataset *dataset, size_t rows, size_t dims, struct error *error);
/* Sums up the full size and makes sure both classes are there. */
enum status dataset_close(struct dataset *dataset, struct error *error);

/* A MATLAB 5 file that stays open, since it holds several data sets. */
struct matlab_file {
    struct matlab_file *next;
    char *path;
    char sha256[65];
    struct _mat_t *mat; /* matio's */
};

/* Opens the file, checks its structure (matlab_check) and hashes it. One thread at a time. Freed with
 * matlab_file_free. */
enum status matlab_file_open(const char *path, struct matlab_file **file, struct error *error);
/* Accepts NULL. */
void matlab_file_free(struct matlab_file *file);
/* Reads the struct `variable` of the file into the data set and the splits it lists. STATUS_NOT_FOUND when the file
 * does not hold the variable. */
enum status dataset_read_matlab(const struct matlab_file *file, const char *variable, struct dataset *dataset,
                                struct listed_splits *listed, struct error *error);

/* The MATLAB file at `path`, opened by the first thread that asks and kept by the source. */
enum status dataset_source_matlab(struct dataset_source *source, const char *path, const struct matlab_file **file,
                                  struct error *error);

/* Walks the structure of a MATLAB 5 file: every element lies inside what holds it, every compressed one is whole and
 * has the right checksum, every array has the numbers its sizes say. matio does not survive all files that fail. */
enum status matlab_check(const struct input *input, struct error *error);

/* Reads the request's text file, the rows of its test_file behind it: values, labels, class names, the SHA-256 of all
 * bytes read, and the splits where a test_file or a split_file gives them. */
enum status dataset_read_text_files(const struct dataset_request *request, struct dataset *dataset,
                                    struct error *error);
/* Gives the data set, whose rows and labels are there, the splits that the file lists (split_file.c), as
 * SPLIT_OFFICIAL. STATUS_BAD_INPUT names file, line and column: words and numbers that are none, rows that are not
 * there or stand in a split twice, a split that trains on fewer than two rows or one class. */
enum status split_file_read(struct input_stream *stream, struct dataset *dataset, struct error *error);
/* The UCI repository's breast-cancer-wisconsin.data ("wisconsin") or sonar.all-data ("sonar"), see dataset_csv.c. */
enum status dataset_read_uci(struct input_stream *stream, const char *format, struct dataset *dataset,
                             struct error *error);

/* Generates twonorm, ringnorm, waveform or titanic (the data set's name) and hashes its values. */
enum status dataset_generate(uint64_t seed, struct dataset *dataset, struct error *error);

#endif
