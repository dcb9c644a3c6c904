/*
 * datasets/manifest.json: which data sets there are, their shapes and split sizes, and the files that hold them; and
 * manifests of the user's own beside their data.
 */
#ifndef HULLBENCH_MANIFEST_H
#define HULLBENCH_MANIFEST_H

#include <stddef.h>

#include "solvers/error.h"

struct dataset_source; /* dataset.h */

#define MANIFEST_FILES_PER_SET 4

struct manifest_file {
    const char *name;      /* as it is called in a folder of the search path */
    const char *subfolder; /* also looked for in this folder below each folder; NULL: none */
    const char *installed; /* the path at which a package of the system has it, looked at last; NULL: none */
    const char *url;       /* NULL: cannot be downloaded */
    const char *sha256;    /* 64 lower-case hexadecimal digits */
};

struct manifest_set {
    const char *name, *title;
    const char *format;   /* "matlab", "wisconsin", "sonar", "libsvm" or "csv"; the user's own: the last two */
    const char *variable; /* matlab: the struct in the file; else NULL */
    size_t rows, dims;    /* of the full set, repeated rows counted as often as they occur */
    size_t positives;
    size_t n_train, n_test, splits; /* n_test = 0: of a text file, whose only split trains on all rows */
    int synthetic; /* nonzero: this program can generate it */
    const char *source, *licence;
    size_t n_files;
    const struct manifest_file *files[MANIFEST_FILES_PER_SET]; /* in the order in which they are looked for */
    const struct manifest_file *test_rows; /* libsvm, csv: the file with the test rows of the only split; else NULL */
    /* The user's own: the file's path, and NULL or 0 where the manifest does not say; shape, files and licence are not
     * known. */
    char *file, *test_file, *split_file;
    const char *label_column; /* csv: name or number; NULL: the last */
};

struct manifest {
    struct manifest *next; /* of a dataset_source */
    char *search_path;     /* whose folders' manifests were added; NULL: none were looked for */
    size_t n_files, n_sets;
    struct manifest_file *files;
    struct manifest_set *sets;
    struct cJSON *json; /* owns every string above but the paths of the user's own sets */
    struct cJSON **own; /* n_own: the user's manifests, which own theirs */
    size_t n_own;
};

/* Reads a manifest; an error names the file, the entry, the key and what was expected. On success the caller releases
 * it with manifest_free; every pointer in it lives until then. */
enum status manifest_read(const char *path, struct manifest **manifest, struct error *error);

/* Finds and reads the program's own datasets/manifest.json, and adds the sets of datasets.json in each of the
 * colon-separated folders of search_path (may be NULL) that has one. */
enum status manifest_load(const char *search_path, struct manifest **manifest, struct error *error);

/* The same, kept by the source and read by the first thread that asks for it. */
enum status dataset_source_manifest(struct dataset_source *source, const char *search_path,
                                    const struct manifest **manifest, struct error *error);

/* Adds the sets of the user's manifest at `path`; the files it names are beside it unless their paths are absolute.
 * STATUS_BAD_INPUT names the entry and the key. */
enum status manifest_add_own(struct manifest *manifest, const char *path, struct error *error);

/* Nonzero for the formats of text files of any shape, libsvm and csv. */
int manifest_set_is_text(const struct manifest_set *set);

/* Nonzero for names without slash, backslash, quote and white space, which can be part of a file's name. */
int manifest_name_is_good(const char *name);

/* The set of that name, or STATUS_BAD_INPUT with a message that lists the known names. */
enum status manifest_find(const struct manifest *manifest, const char *name, const struct manifest_set **set,
                          struct error *error);

/* Accepts NULL. */
void manifest_free(struct manifest *manifest);

#endif
