/*
 * A data set from text files: one file, or a training and a test file, whose rows are concatenated. The classes are
 * known once all labels have been read. User-defined splits come from a file that lists them, or from the two files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/available_memory.h"
#include "harness/base/die.h"
#include "harness/data/dataset_text.h"

/* ---- labels ---- */

static int same(const struct label_seen *label, const char *text, int is_number, double number)
{
    return label->is_number && is_number ? label->number == number : strcmp(label->text, text) == 0;
}

unsigned char labels_add(struct label_set *set, const char *text, const struct text_place *at)
{
    struct label_seen label = {.at = *at, .count = 1};
    label.is_number = number_parse(text, &label.number);
    set->rows++;
    size_t i = 0;
    while (i < set->count && !same(&set->seen[i], text, label.is_number, label.number))
        i++;
    if (i < set->count)
        set->seen[i].count++;
    else if (i < LABELS_MAX) {
        label.text = pool_strdup(set->pool, text);
        set->seen[set->count++] = label;
    }
    return (unsigned char)i;
}

static const char *list(const struct label_set *set, char *text, size_t size)
{
    char shown[44];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < set->count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", text_shown(set->seen[i].text, shown));
    if (set->count == LABELS_MAX && used < size)
        snprintf(text + used, size - used, ", ...");
    return text;
}

unsigned char labels_two(const struct label_set *set)
{
    char text[512], shown[44];
    const struct label_seen *a = &set->seen[0], *b = &set->seen[1], *third = &set->seen[2];
    if (set->count == 1)
        place_die(&a->at, "label \"%s\" is the only one in %zu rows; both classes are needed",
                  text_shown(a->text, shown), set->rows);
    if (set->count != 2)
        place_die(&third->at,
                  "label \"%s\" is a third class; hullbench solves problems of two classes; labels found: %s",
                  text_shown(third->text, shown), list(set, text, sizeof text));
    return a->is_number && b->is_number ? a->number <= b->number : strcmp(a->text, b->text) <= 0;
}

/* ---- files ---- */

int dataset_text_is_csv(const char *path, const char *format)
{
    if (format)
        return strcmp(format, "csv") == 0;
    static const char *const endings[] = {".gz", ".bz2", ".xz", ".zst"};
    size_t length = strlen(path);
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
        size_t size = strlen(endings[e]);
        if (length > size && strcmp(path + length - size, endings[e]) == 0) {
            length -= size;
            break;
        }
    }
    return length >= 4 && strncmp(path + length - 4, ".csv", 4) == 0;
}

void dataset_text_check_size(const char *where, size_t rows, size_t dims)
{
    char what[128];
    snprintf(what, sizeof what, "%zu rows of %zu features, including zeros,", rows, dims);
    memory_check(where, what, 2 * (double)sizeof(double) * (double)rows * (double)dims);
}

static const char *const forms[] = {
    [PATTERNS_SMALLER] = "", [PATTERNS_DENSE] = "dense", [PATTERNS_COMPRESSED] = "compressed"};
enum { FORMS = sizeof forms / sizeof *forms };

/* Index of the form with this name, or FORMS if there is none. */
static size_t form_named(const char *name)
{
    size_t form = 0;
    while (form < FORMS && strcmp(name ? name : "", forms[form]) != 0)
        form++;
    return form;
}

const char *dataset_text_unknown_form(void)
{
    const char *name = getenv("HULLBENCH_STORAGE");
    return form_named(name) == FORMS ? name : NULL;
}

enum patterns_form dataset_text_form(void)
{
    size_t form = form_named(getenv("HULLBENCH_STORAGE"));
    return form == FORMS ? PATTERNS_SMALLER : (enum patterns_form)form;
}

static void release_table(void *data)
{
    struct labelled_table *table = data;
    patterns_free(&table->patterns);
    free(table->y);
}

struct labelled_table *labelled_table_new(struct pool *pool)
{
    struct labelled_table *table = pool_alloc(pool, sizeof *table);
    table->pool = pool;
    pool_keep(pool, release_table, table);
    return table;
}

struct labelled_table *labelled_table_read(struct pool *pool, struct input_stream *stream,
                                           const struct table_form *form, struct label_set *labels)
{
    struct labelled_table *table = labelled_table_new(pool);
    if (dataset_text_is_csv(input_path(stream), form->format))
        labelled_table_read_csv(stream, form, labels, table);
    else
        labelled_table_read_libsvm(stream, form, labels, table);
    if (table->columns.count > 0)
        columns_check_row_numbers(table, input_path(stream));
    return table;
}

/* The files of one set, while they are read. */
struct parts {
    struct pool *pool;
    const struct dataset_request *request;
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
                                    .expected_in = request->set.file};
    struct input_options options = parts->options;
    if (request->hash_each && !request->without_hash)
        options.second = &parts->of_file[t];
    struct input_stream *stream = input_open(path, &options);
    parts->table[t] = labelled_table_read(parts->pool, stream, &form, &parts->labels);
    input_close(stream);
}

/* Notes that one file counts features from 0 and the other from 1. */
static void compare_indices(const struct parts *parts)
{
    const struct labelled_table *first = parts->table[0];
    struct labelled_table *second = parts->table[1];
    if (first->first_index != second->first_index && patterns_nonzeros(&first->patterns) > 0 &&
        patterns_nonzeros(&second->patterns) > 0)
        string_list_push(parts->pool, &second->notes, INDICES_DIFFER, parts->request->set.test_file,
                         second->first_index, parts->request->set.file, first->first_index);
}

/* Copies the notes and the columns to the data set. */
static void take_columns(const struct parts *parts, struct dataset *dataset)
{
    dataset->columns = columns_copy(dataset->pool, &parts->table[0]->columns);
    for (size_t t = 0; t < 2 && parts->table[t]; t++)
        for (size_t i = 0; i < parts->table[t]->notes.count; i++)
            string_list_push(dataset->pool, &dataset->notes, "%s", parts->table[t]->notes.line[i]);
}

/* Reports a missing file before reading another, which may take long. */
static void check_files(const struct dataset_spec *set)
{
    input_check(set->file);
    if (set->test_file)
        input_check(set->test_file);
    if (set->split_file)
        input_check(set->split_file);
}

/* Folds replace the splits that the file lists, but the hash still covers its bytes. */
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

/* Concatenates the rows of both tables, with columns matched by index. */
static void join(const struct parts *parts, struct dataset *dataset)
{
    struct labelled_table *const *table = parts->table;
    const struct patterns *of[2] = {&table[0]->patterns, &table[1]->patterns};
    size_t first = table[0]->first_index < table[1]->first_index ? table[0]->first_index : table[1]->first_index;
    size_t end[2] = {table[0]->first_index + of[0]->dims, table[1]->first_index + of[1]->dims}, row = 0;
    size_t dims = (end[0] > end[1] ? end[0] : end[1]) - first, rows = of[0]->rows + of[1]->rows;
    size_t nonzeros = patterns_nonzeros(of[0]) + patterns_nonzeros(of[1]);
    enum patterns_form form = patterns_choose(dataset_text_form(), rows, dims, nonzeros);
    struct patterns joined;
    struct error error = {0};
    if (form == PATTERNS_DENSE)
        dataset_text_check_size(parts->request->set.file, rows, dims);
    die_unless_ok(patterns_create(&joined, rows, dims, nonzeros, form, &error), &error);
    for (size_t t = 0; t < 2; t++)
        for (size_t i = 0; i < of[t]->rows; i++)
            patterns_copy_row(&joined, row++, of[t], i, table[t]->first_index - first);
    dataset->first_index = first;
    dataset_take(dataset, &joined);
}

static void name_classes(const struct parts *parts, struct dataset *dataset)
{
    const unsigned char positive = labels_two(&parts->labels);
    size_t row = 0;
    for (size_t t = 0; t < 2 && parts->table[t]; t++)
        for (size_t i = 0; i < parts->table[t]->rows; i++)
            dataset->y[row++] = parts->table[t]->y[i] == positive ? 1 : -1;
    for (size_t c = 0; c < 2; c++)
        dataset->class_names[c] =
            pool_strdup(dataset->pool, parts->labels.seen[c == 0 ? positive : 1 - positive].text);
}

/* One split: the first file's rows train, those of the second file, if any, test. */
static void split_by_files(const struct parts *parts, struct dataset *dataset)
{
    size_t n_train = parts->table[0]->rows;
    dataset->splits = pool_alloc(dataset->pool, sizeof *dataset->splits);
    dataset->indices = pool_array(dataset->pool, dataset->patterns.rows, sizeof *dataset->indices);
    for (size_t i = 0; i < dataset->patterns.rows; i++)
        dataset->indices[i] = i;
    if (!split_has_both_classes(dataset->y, dataset->indices, n_train))
        die(STATUS_BAD_INPUT, "%s:1:1: all labels are \"%s\"; both classes are needed to train",
            parts->request->set.file, dataset->class_names[dataset->y[0] < 0]);
    dataset->splits[0] = (struct split){
        1, SPLIT_OFFICIAL, n_train, dataset->patterns.rows - n_train, dataset->indices, dataset->indices + n_train};
    dataset->n_splits = 1;
}

void dataset_read_text_files(const struct dataset_request *request, struct dataset *dataset)
{
    struct pool *inner = pool_new();
    struct parts parts = {
        .pool = inner, .request = request, .labels.pool = inner, .options = {.watch = request->watch}};
    if (!request->without_hash)
        parts.options.hash = &parts.hash;
    sha256_begin(&parts.hash);
    for (size_t t = 0; t < 2; t++)
        sha256_begin(&parts.of_file[t]);
    check_files(&request->set);
    read_table(&parts, request->set.file, 0);
    if (request->set.test_file) {
        read_table(&parts, request->set.test_file, 1);
        compare_indices(&parts);
        join(&parts, dataset);
    } else {
        dataset->first_index = parts.table[0]->first_index;
        dataset_take(dataset, &parts.table[0]->patterns);
    }
    take_columns(&parts, dataset);
    name_classes(&parts, dataset);
    dataset_close(dataset);
    if ((request->set.test_file || request->whole) && !request->folds.folds)
        split_by_files(&parts, dataset);
    if (request->set.split_file)
        read_splits(&parts, dataset);
    if (!request->without_hash)
        sha256_end(&parts.hash, dataset->sha256);
    for (size_t t = 0; t < 2 && parts.table[t] && request->hash_each; t++)
        sha256_end(&parts.of_file[t], dataset->file_sha256[t]);
    pool_free(inner);
}
