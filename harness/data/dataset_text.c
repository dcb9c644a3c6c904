/*
 * A data set from text files: one file, or a training and a test file, whose rows are concatenated. The classes are
 * known once all labels have been read. User-defined splits come from a file that lists them, or from the two files.
 */
#include <stdio.h>
#include <string.h>

#include "harness/data/dataset_parts.h"
#include "harness/data/dataset_text.h"

/* The files of one set, while they are read. */
struct parts {
    struct pool *pool;
    const struct dataset_request *request;
    const struct table_layout *layout;
    struct label_set labels;
    struct labelled_table *table[2]; /* of file and test_file, which may be NULL */
    struct sha256 hash;              /* of all files, concatenated */
    struct sha256 of_file[2];        /* of file and test_file, each alone */
    struct input_options options;
};

static void read_table(struct parts *parts, const char *path, size_t t)
{
    const struct dataset_request *request = parts->request;
    const struct table_form form = {.format = request->set.format,
                                    .label_column = request->set.label_column,
                                    .header = request->set.header,
                                    .expected = t > 0 ? &parts->table[0]->columns : NULL,
                                    .expected_in = request->set.file,
                                    .layout = parts->layout};
    struct input_options options = parts->options;
    if (request->hash_each && !request->without_hash)
        options.second = &parts->of_file[t];
    struct input_stream *stream = input_open(path, &options);
    parts->table[t] = labelled_table_read(parts->pool, stream, &form, &parts->labels);
    input_close(stream);
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

/* Concatenates the rows of both tables, with columns matched by index. Notes that one file counts features from 0 and
 * the other from 1. */
static void join(const struct parts *parts, struct dataset *dataset)
{
    struct labelled_table *const *table = parts->table;
    const struct patterns *of[2] = {&table[0]->patterns, &table[1]->patterns};
    const size_t begin[2] = {table[0]->first_index, table[1]->first_index};
    const size_t first = begin[0] < begin[1] ? begin[0] : begin[1];
    const size_t end[2] = {begin[0] + of[0]->dims, begin[1] + of[1]->dims};
    const size_t dims = (end[0] > end[1] ? end[0] : end[1]) - first, rows = of[0]->rows + of[1]->rows;
    const size_t nonzeros[2] = {patterns_nonzeros(of[0]), patterns_nonzeros(of[1])};
    enum patterns_form form = patterns_choose(dataset_text_form(NULL), rows, dims, nonzeros[0] + nonzeros[1]);
    struct patterns joined;
    struct error error = {0};
    size_t row = 0;
    if (begin[0] != begin[1] && nonzeros[0] > 0 && nonzeros[1] > 0)
        table_note(table[1], INDICES_DIFFER, parts->request->set.test_file, begin[1], parts->request->set.file,
                   begin[0]);
    if (form == PATTERNS_DENSE)
        dataset_text_check_size(parts->request->set.file, rows, dims);
    die_unless_ok(patterns_create(&joined, rows, dims, nonzeros[0] + nonzeros[1], form, &error), &error);
    for (size_t t = 0; t < 2; t++)
        for (size_t i = 0; i < of[t]->rows; i++)
            patterns_copy_row(&joined, row++, of[t], i, begin[t] - first);
    dataset->first_index = first;
    dataset_take(dataset, &joined);
}

/* Copies what the tables know besides their patterns: the columns, the notes, and the classes. */
static void take_tables(const struct parts *parts, struct dataset *dataset)
{
    const unsigned char positive = parts->layout ? 1 : labels_two(&parts->labels);
    size_t row = 0;
    dataset->columns = columns_copy(dataset->pool, &parts->table[0]->columns);
    for (size_t t = 0; t < 2 && parts->table[t]; t++) {
        const struct labelled_table *table = parts->table[t];
        for (size_t i = 0; i < table->notes.count; i++)
            string_list_push(dataset->pool, &dataset->notes, "%s", table->notes.line[i]);
        for (size_t i = 0; i < table->rows; i++)
            dataset->y[row++] = table->y[i] == positive ? 1 : -1;
    }
    for (size_t c = 0; c < 2; c++)
        dataset->class_names[c] =
            pool_strdup(dataset->pool, parts->labels.seen[c == 0 ? positive : 1 - positive].text);
}

/* One split: the first file's rows train, those of the second file, if any, test. */
static void split_by_files(const struct parts *parts, struct dataset *dataset)
{
    const size_t n_train = parts->table[0]->rows, rows = dataset->patterns.rows;
    splits_allocate(dataset, 1, rows);
    for (size_t i = 0; i < rows; i++)
        dataset->indices[i] = i;
    if (!split_has_both_classes(dataset->y, dataset->indices, n_train))
        die(STATUS_BAD_INPUT, "%s:1:1: all labels are \"%s\"; both classes are needed to train",
            parts->request->set.file, dataset->class_names[dataset->y[0] < 0]);
    dataset->splits[0] = (struct split){
        1, SPLIT_OFFICIAL, n_train, rows - n_train, dataset->indices, dataset->indices + n_train};
    dataset->n_splits = 1;
}

void dataset_read_text_files(const struct dataset_request *request, struct dataset *dataset)
{
    const struct dataset_spec *set = &request->set;
    const char *const files[] = {set->file, set->test_file, set->split_file};
    struct pool *inner = pool_new();
    struct parts parts = {.pool = inner,
                          .request = request,
                          .layout = table_layout_find(set->format),
                          .labels.pool = inner,
                          .options = {.watch = request->watch}};
    if (!request->without_hash)
        parts.options.hash = &parts.hash;
    sha256_begin(&parts.hash);
    for (size_t t = 0; t < 2; t++)
        sha256_begin(&parts.of_file[t]);
    for (size_t f = 0; f < 3; f++) /* reports a missing file before reading another, which may take long */
        if (files[f])
            input_check(files[f]);
    for (int positive = 0; parts.layout && positive < 2; positive++)
        labels_add(&parts.labels, positive ? parts.layout->positive : parts.layout->negative, (struct text_place){0});
    read_table(&parts, set->file, 0);
    if (set->test_file) {
        read_table(&parts, set->test_file, 1);
        join(&parts, dataset);
    } else {
        dataset->first_index = parts.table[0]->first_index;
        dataset_take(dataset, &parts.table[0]->patterns);
    }
    take_tables(&parts, dataset);
    dataset_close(dataset);
    if ((set->test_file || request->whole) && !request->folds.folds)
        split_by_files(&parts, dataset);
    if (set->split_file)
        read_splits(&parts, dataset);
    if (!request->without_hash)
        sha256_end(&parts.hash, dataset->sha256);
    for (size_t t = 0; t < 2 && parts.table[t] && request->hash_each; t++)
        sha256_end(&parts.of_file[t], dataset->file_sha256[t]);
    pool_free(inner);
}
