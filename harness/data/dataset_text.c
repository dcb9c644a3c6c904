/*
 * A data set from text files: one file, or a training and a test file, whose rows are concatenated. The classes are
 * known once all labels have been read. User-defined splits come from a file that lists them, or from the two files.
 */

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "harness/data/dataset_parts.h"
#include "harness/data/dataset_text.h"

/* The files of one set, while they are read. */
struct parts {
    const struct dataset_request *request;
    struct labelled_table *table;
    struct label_set labels;
    struct input_options options; /* with the hash of all files, concatenated */
};

/* Reads the rows of a file; *sha256 gets its own hash. */
static void read_file(struct parts *parts, const char *path, const struct columns *expected, char sha256[65])
{
    const struct dataset_request *request = parts->request;
    const struct table_form form = {.set = &request->set,
                                    .expected = expected,
                                    .expected_in = request->set.file,
                                    .layout = table_layout_find(request->set.format)};
    struct input_options options = parts->options;
    struct sha256 hash;
    sha256_begin(&hash);
    if (request->hash_each && options.hash)
        options.second = &hash;
    struct input_stream *stream = input_open(path, &options);
    labelled_table_add(parts->table, stream, &form, &parts->labels);
    input_close(stream);
    if (options.second)
        sha256_end(&hash, sha256);
}

/* Reads the rows of test_file. Notes that one file counts features from 0 and the other from 1. */
static void read_test_file(struct parts *parts, char sha256[65])
{
    const struct dataset_spec *set = &parts->request->set;
    struct labelled_table *table = parts->table;
    const struct columns columns = table->columns;
    const int has_zero = table->has_zero;
    const size_t n_values = table->n_values;
    table->has_zero = 0;
    read_file(parts, set->test_file, &columns, sha256);
    if (has_zero != table->has_zero && n_values > 0 && table->n_values > n_values)
        table_note(table, INDICES_DIFFER, set->test_file, (size_t)!table->has_zero, set->file, (size_t)!has_zero);
    table->has_zero |= has_zero;
    table->columns = columns;
}

/* Reads the splits that a file lists. Folds replace them, but the hash still covers its bytes. */
static void read_splits(struct parts *parts, struct dataset *dataset)
{
    char ignored[4096];
    struct input_stream *stream = input_open(parts->request->set.split_file, &parts->options);
    if (!parts->request->folds.folds)
        split_file_read(stream, dataset);
    else
        while (input_read(stream, ignored, sizeof ignored) > 0)
            continue;
    input_close(stream);
}

/* Makes the table a data set. */
static void take_table(struct parts *parts, struct dataset *dataset)
{
    struct labelled_table *table = parts->table;
    const struct dataset_spec *set = &parts->request->set;
    const char *hint = set->label_column || !dataset_text_is_csv(set->file, set->format)
                           ? ""
                           : "; --label-column (key \"label_column\") names another column than the last";
    const unsigned char positive = table_layout_find(set->format) ? 1 : labels_two(&parts->labels, hint);
    labelled_table_finish(table);
    dataset_take(dataset, &table->patterns);
    dataset->first_index = table->first_index;
    dataset->columns = table->columns;
    dataset->notes = table->notes;
    for (size_t i = 0; i < table->rows; i++)
        dataset->y[i] = table->y[i] == positive ? 1 : -1;
    dataset->class_names[0] = parts->labels.seen[positive].text;
    dataset->class_names[1] = parts->labels.seen[1 - positive].text;
    dataset_close(dataset);
}

/* One split: the first n_train rows train, the others, if any, test. */
static void split_by_files(const struct dataset_request *request, size_t n_train, struct dataset *dataset)
{
    const size_t rows = dataset->patterns.rows;
    splits_allocate(dataset, 1, rows);
    for (size_t i = 0; i < rows; i++)
        dataset->indices[i] = i;
    if (!split_has_both_classes(dataset->y, dataset->indices, n_train))
        die(STATUS_BAD_INPUT, "%s:1:1: all labels are \"%s\"; both classes are needed to train", request->set.file,
            dataset->class_names[dataset->y[0] < 0]);
    dataset->splits[0] = (struct split){
        1, SPLIT_OFFICIAL, n_train, rows - n_train, dataset->indices, dataset->indices + n_train};
    dataset->n_splits = 1;
}

/* Refuses a file that cannot be read. */
static void check_file(const char *path)
{
    if (*path != '/' && strcmp(path, "-") != 0 && access(path, F_OK) != 0 && errno == ENOENT)
        die(STATUS_NOT_FOUND, "%s: cannot be read: %s; a relative path begins at the current folder", path,
            strerror(ENOENT));
    input_check(path);
}

void dataset_read_text_files(const struct dataset_request *request, struct dataset *dataset)
{
    const struct dataset_spec *set = &request->set;
    const struct table_layout *layout = table_layout_find(set->format);
    const char *const files[] = {set->file, set->test_file, set->split_file};
    struct sha256 hash;
    struct parts parts = {.request = request,
                          .table = labelled_table_new(dataset->pool),
                          .labels.pool = dataset->pool,
                          .options = {.watch = request->watch}};
    sha256_begin(&hash);
    parts.options.hash = request->without_hash ? NULL : &hash;
    for (size_t f = 0; f < 3; f++) /* reports a missing file before reading another, which may take long */
        if (files[f])
            check_file(files[f]);
    for (int positive = 0; layout && positive < 2; positive++)
        labels_add(&parts.labels, positive ? layout->positive : layout->negative, (struct text_place){0});
    read_file(&parts, set->file, NULL, dataset->file_sha256[0]);
    const size_t n_train = parts.table->rows;
    if (set->test_file)
        read_test_file(&parts, dataset->file_sha256[1]);
    take_table(&parts, dataset);
    if ((set->test_file || request->whole) && !request->folds.folds)
        split_by_files(request, n_train, dataset);
    if (set->split_file)
        read_splits(&parts, dataset);
    if (!request->without_hash)
        sha256_end(&hash, dataset->sha256);
}
