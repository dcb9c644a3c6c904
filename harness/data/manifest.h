/*
 * datasets/manifest.json: the known data sets, their shapes and split sizes, and the files that hold them; and user
 * manifests next to the user's data.
 */
#ifndef HULLBENCH_MANIFEST_H
#define HULLBENCH_MANIFEST_H

#include "harness/data/dataset.h"
#include "harness/support/members.h"

struct manifest_file {
    const char *name;      /* file name in a folder of the search path */
    const char *subfolder; /* subfolder that is also searched in each folder; NULL: none */
    const char *installed; /* path where a system package installs it, tried last; NULL: none */
    const char *url;       /* NULL: cannot be downloaded */
    const char *sha256;    /* 64 lower-case hexadecimal digits */
};

struct manifest_set {
    /* The name; the format: "matlab", "wisconsin", "sonar", "libsvm" or "csv"; the column of labels and the header of
     * CSV; the sizes: n_test = 0 is a text file whose only split trains on all rows. synthetic: hullbench can generate
     * the set. User manifests: a text file, sizes may be 0, and all but the title and the splits below is unknown. */
    struct dataset_spec spec;
    const char *title, *source, *licence;
    const char *variable; /* matlab: the name of the struct in the file; else NULL */
    size_t rows, dims;    /* of the full set, repeated rows counted */
    size_t positives, splits;
    struct member_texts file_names;
    const struct manifest_file **files; /* in search order */
    const char *test_rows_name;
    const struct manifest_file *test_rows; /* libsvm, csv: the file with the test rows of the only split; else NULL */
};

struct manifest {
    struct pool *pool; /* has everything below */
    char *search_path; /* whose folders' manifests were added; NULL: none */
    size_t schema;
    struct LIST_OF(struct manifest_file) files;
    struct manifest_sets LIST_OF(struct manifest_set) sets;
};

/* What datasets.json and configurations say of a user's file; `spec` is the prefix of the fields in the type. */
#define DATASET_FILE_MEMBERS(type, spec) \
    {"format", MEMBER_TEXT, FIELD(type, spec format), .names = text_formats, \
     .doc = "Default: by the file's extension."}, \
    {"label_column", MEMBER_TEXT, FIELD(type, spec label_column), \
     .doc = "A name of the header, or a number from 1, in quotes."}, \
    {"header", MEMBER_TEXT, FIELD(type, spec header), .names = header_words, \
     .doc = "CSV: whether the first line has the names of the columns; auto (the default) guesses."}, \
    {"n_train", MEMBER_COUNT, FIELD(type, spec n_train), MEMBER_ABOVE, .low = 1, .high = 1e9}, \
    {"n_test", MEMBER_COUNT, FIELD(type, spec n_test), MEMBER_ABOVE, .high = 1e9}, \
    {"test_file", MEMBER_TEXT, FIELD(type, spec test_file), \
     .doc = "The test rows; those of \"file\" are for training."}, \
    {"split_file", MEMBER_TEXT, FIELD(type, spec split_file), .doc = "A file that lists the splits."}
/* "libsvm", "csv" and, of a header, "yes", "no", "auto"; NULL-terminated. */
extern const char *const text_formats[], *const header_words[];

/* The tables of the program's manifest and its sets, and of the user's. */
extern const struct member manifest_members[], manifest_set_members[], manifest_own_members[],
    manifest_own_set_members[];

struct manifest *manifest_read(struct pool *pool, const char *path);
/* Finds and reads the program's datasets/manifest.json, and adds the sets of datasets.json from each of the
 * colon-separated folders of search_path (may be NULL) that has one. */
struct manifest *manifest_load(struct pool *pool, const char *search_path);
/* The same, owned by the source and read by the first thread that asks for it. */
const struct manifest *dataset_source_manifest(struct dataset_source *source, const char *search_path);

/* Adds the sets of the user manifest at `path`. Files are relative to its folder unless their paths are absolute. */
void manifest_add_own(struct manifest *manifest, const char *path);

/* The most bytes of a name that becomes part of file names, which leaves 64 of a file system's 255 for the rest. */
enum { FILE_NAME_PART_MAX = 191 };
/* The rules between the members of a user's data set, and of its name: not too long for a file name, and without
 * slashes, backslashes, quotes and blanks. */
void dataset_spec_check(const struct dataset_spec *set, const struct json_path *place);

/* The set with that name. STATUS_BAD_INPUT, with the known names, if there is none. */
const struct manifest_set *manifest_find(const struct manifest *manifest, const char *name,
                                         const struct json_path *place);

#endif
