/*
 * What the readers of data files share: data sets while they are made, and the checks that every set has to pass. For
 * harness/data only; everyone else uses harness/data/dataset.h.
 */
#ifndef HULLBENCH_DATASET_PARTS_H
#define HULLBENCH_DATASET_PARTS_H

#include "harness/base/die.h"
#include "harness/data/split.h"

/* An empty data set in the pool. */
struct dataset *dataset_new(struct pool *pool, const char *name);
/* Takes ownership of the patterns, zeroes the caller's struct, and allocates labels and multiplicities (1 each). */
void dataset_take(struct dataset *dataset, struct patterns *patterns);
/* The same for rows x dims zeros. */
void dataset_allocate(struct dataset *dataset, size_t rows, size_t dims);
/* Computes the full size and checks that both classes occur. */
void dataset_close(struct dataset *dataset);

/* A MATLAB 5 file in memory, kept because it holds several data sets. */
struct matlab_file {
    struct matlab_file *next;
    char *path;
    char sha256[65];
    const unsigned char *bytes;
    size_t size;
    int big_endian;
};

/* Reads and hashes the file and, unless that gives the `known` SHA-256, inflates all of it to find damage. */
struct matlab_file *matlab_file_open(struct pool *pool, const char *path, const char *known);
/* Reads the struct `variable` into the data set, with the splits it lists, which are in the pool. 0 if the file has no
 * such variable. STATUS_BAD_INPUT names the element or the field that is wrong. */
int dataset_read_matlab(struct pool *pool, const struct matlab_file *file, const char *variable,
                        struct dataset *dataset, struct listed_splits *listed);
/* Reads the request's text file and, after it, the rows of its test_file: values, labels, class names, the SHA-256 of
 * all bytes, and the splits that a test_file or a split_file defines. The format may also be that of a table_layout. */
void dataset_read_text_files(const struct dataset_request *request, struct dataset *dataset);

/* Generates twonorm, ringnorm, waveform or titanic (the data set's name) and hashes its values. */
void dataset_generate(uint64_t seed, struct dataset *dataset);
/* Fills the data set, whose name and source are set, with the splits that the request wants of its family; by default
 * DEFAULT_SPLITS. Splits are drawn independently and share no rows. The draw of split s depends only on the family, the
 * sizes, the seed, the data set's name and s. The SHA-256 covers the family's parameters, the sizes and the rows of
 * split 1. STATUS_BAD_INPUT if a split would train on one class only. */
void dataset_draw_family(const struct dataset_request *request, struct dataset *dataset);
enum { DEFAULT_SPLITS = 100 };

#endif
