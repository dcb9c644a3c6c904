/*
 * datasets/manifest.json: which data sets there are, their shapes and split sizes, and the files that hold them.
 */
#ifndef HULLBENCH_MANIFEST_H
#define HULLBENCH_MANIFEST_H

#include <stddef.h>

#include "solvers/error.h"

#define MANIFEST_FILES_PER_SET 4

struct manifest_file {
    const char *name;      /* as it is called in a folder of the search path */
    const char *subfolder; /* also looked for in this folder below each folder; NULL: none */
    const char *url;       /* NULL: cannot be downloaded */
    const char *sha256;    /* 64 lower-case hexadecimal digits */
};

struct manifest_set {
    const char *name, *title;
    const char *format;   /* "matlab", "wisconsin" or "sonar" */
    const char *variable; /* matlab: the struct in the file; else NULL */
    size_t rows, dims;    /* of the full set, repeated rows counted as often as they occur */
    size_t positives;
    size_t n_train, n_test, splits;
    int made; /* nonzero: can be made by this program */
    const char *source, *licence;
    size_t n_files;
    const struct manifest_file *files[MANIFEST_FILES_PER_SET]; /* in the order in which they are looked for */
};

struct manifest {
    size_t n_files, n_sets;
    struct manifest_file *files;
    struct manifest_set *sets;
    struct cJSON *json; /* owns every string above */
};

/* Reads a manifest; an error names the file, the entry, the key and what was expected. On success the caller releases
 * it with manifest_free; every pointer in it lives until then. */
enum status manifest_read(const char *path, struct manifest **manifest, struct error *error);

/* Finds and reads the program's own datasets/manifest.json. */
enum status manifest_load(struct manifest **manifest, struct error *error);

/* The set of that name, or STATUS_BAD_INPUT with a message that lists the known names. */
enum status manifest_find(const struct manifest *manifest, const char *name, const struct manifest_set **set,
                          struct error *error);

/* Accepts NULL. */
void manifest_free(struct manifest *manifest);

#endif
