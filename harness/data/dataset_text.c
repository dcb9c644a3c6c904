/*
 * A data set from text files: one file, or a training and a test file, whose rows are concatenated. The classes are
 * known once all labels have been read. User-defined splits come from a file that lists them, or from the two files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/available_memory.h"
#include "harness/data/dataset_text.h"

/* ---- labels ---- */

static int same(const struct label_seen *label, const char *text, int is_number, double number)
{
    return label->is_number && is_number ? label->number == number : strcmp(label->text, text) == 0;
}

enum status labels_add(struct label_set *set, const char *text, const struct label_place *at, unsigned char *which,
                       struct error *error)
{
    struct label_seen label = {.path = at->path, .line = at->line, .column = at->column};
    label.is_number = number_parse(text, &label.number);
    set->rows++;
    size_t i = 0;
    while (i < set->count && !same(&set->seen[i], text, label.is_number, label.number))
        i++;
    *which = (unsigned char)i;
    if (i < set->count)
        set->seen[i].count++;
    if (i < set->count || i == LABELS_MAX)
        return STATUS_OK;
    label.count = 1;
    label.text = strdup(text);
    if (!label.text)
        return error_set(error, STATUS_NO_MEMORY, "%s:%zu: out of memory", at->path, at->line);
    set->seen[set->count++] = label;
    return STATUS_OK;
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

enum status labels_two(const struct label_set *set, unsigned char *positive, struct error *error)
{
    char text[512], shown[44];
    if (set->count == 1) {
        const struct label_seen *only = &set->seen[0];
        return error_set(error, STATUS_BAD_INPUT,
                         "%s:%zu:%zu: label \"%s\" is the only one in %zu rows; both classes are needed", only->path,
                         only->line, only->column, text_shown(only->text, shown), set->rows);
    }
    if (set->count != 2) {
        const struct label_seen *third = &set->seen[2];
        return error_set(
            error, STATUS_BAD_INPUT,
            "%s:%zu:%zu: label \"%s\" is a third class; hullbench solves problems of two classes; labels found: %s",
            third->path, third->line, third->column, text_shown(third->text, shown), list(set, text, sizeof text));
    }
    const struct label_seen *a = &set->seen[0], *b = &set->seen[1];
    int first = a->is_number && b->is_number ? a->number > b->number : strcmp(a->text, b->text) > 0;
    *positive = first ? 0 : 1;
    return STATUS_OK;
}

void labels_free(struct label_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        free(set->seen[i].text);
    memset(set, 0, sizeof *set);
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

enum status dataset_text_check_size(const char *where, size_t rows, size_t dims, struct error *error)
{
    char what[128];
    snprintf(what, sizeof what, "%zu rows of %zu features, including zeros,", rows, dims);
    return memory_check(where, what, 2 * (double)sizeof(double) * (double)rows * (double)dims, error);
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

enum status labelled_table_read(struct input_stream *stream, const struct table_form *form, struct label_set *labels,
                                struct labelled_table *table, struct error *error)
{
    enum status status = dataset_text_is_csv(input_path(stream), form->format)
                             ? labelled_table_read_csv(stream, form, labels, table, error)
                             : labelled_table_read_libsvm(stream, form, labels, table, error);
    if (status != STATUS_OK || table->columns.count == 0)
        return status;
    return columns_check_row_numbers(input_path(stream), &table->patterns, &table->columns, &table->notes, error);
}

void labelled_table_free(struct labelled_table *table)
{
    patterns_free(&table->patterns);
    columns_free(&table->columns);
    string_list_free(&table->notes);
    free(table->y);
    *table = (struct labelled_table){.y = NULL};
}

struct parts {
    const struct dataset_request *request;
    struct label_set labels;
    struct labelled_table table[2]; /* of file and test_file */
    struct sha256 hash;             /* of all files, concatenated */
    struct sha256 of_file[2];       /* of file and test_file, each alone */
    struct input_options options;
};

static enum status read_table(struct parts *parts, const char *path, size_t t, struct error *error)
{
    const struct dataset_request *request = parts->request;
    struct labelled_table *table = &parts->table[t];
    const struct table_form form = {.format = request->format,
                                    .label_column = request->label_column,
                                    .header = request->header,
                                    .expected = t > 0 ? &parts->table[0].columns : NULL,
                                    .expected_in = request->file};
    struct input_options options = parts->options;
    if (request->hash_each && !request->without_hash)
        options.second = &parts->of_file[t];
    sha256_begin(&parts->of_file[t]);
    struct input_stream *stream = input_open(path, &options);
    enum status status = labelled_table_read(stream, &form, &parts->labels, table, error);
    input_close(stream);
    return status;
}

/* Notes that one file counts features from 0 and the other from 1. */
static void compare_indices(struct parts *parts)
{
    const struct labelled_table *first = &parts->table[0];
    struct labelled_table *second = &parts->table[1];
    if (first->first_index != second->first_index && patterns_nonzeros(&first->patterns) > 0 &&
        patterns_nonzeros(&second->patterns) > 0)
        string_list_add(&second->notes, INDICES_DIFFER, parts->request->test_file, second->first_index,
                        parts->request->file, first->first_index);
}

static enum status read_tables(struct parts *parts, struct error *error)
{
    const struct dataset_request *request = parts->request;
    enum status status = read_table(parts, request->file, 0, error);
    if (status == STATUS_OK && request->test_file)
        status = read_table(parts, request->test_file, 1, error);
    if (status == STATUS_OK && request->test_file)
        compare_indices(parts);
    return status;
}

/* Moves the notes and the columns to the data set. */
static void take_columns(struct parts *parts, struct dataset *dataset)
{
    dataset->columns = parts->table[0].columns;
    parts->table[0].columns = (struct columns){.count = 0};
    for (size_t t = 0; t < 2; t++)
        for (size_t i = 0; i < parts->table[t].notes.count; i++)
            string_list_add(&dataset->notes, "%s", parts->table[t].notes.line[i]);
}

/* Reports a missing file before reading another, which may take long. */
static void check_files(const struct dataset_request *request)
{
    input_check(request->file);
    if (request->test_file)
        input_check(request->test_file);
    if (request->split_file)
        input_check(request->split_file);
}

/* Folds replace the splits that the file lists, but the hash still covers its bytes. */
static enum status read_splits(struct parts *parts, struct dataset *dataset, struct error *error)
{
    char ignored[4096];
    struct input_stream *stream = input_open(parts->request->split_file, &parts->options);
    enum status status = STATUS_OK;
    if (!parts->request->folds.folds)
        status = split_file_read(stream, dataset, error);
    else
        while (input_read(stream, ignored, sizeof ignored) > 0)
            continue;
    input_close(stream);
    return status;
}

/* Concatenates the rows of both tables, with columns matched by index. */
static enum status join(const struct parts *parts, struct patterns *joined, size_t *first_index, struct error *error)
{
    const struct labelled_table *table = parts->table;
    const struct patterns *of[2] = {&table[0].patterns, &table[1].patterns};
    size_t first = table[0].first_index < table[1].first_index ? table[0].first_index : table[1].first_index;
    size_t end[2] = {table[0].first_index + of[0]->dims, table[1].first_index + of[1]->dims}, row = 0;
    size_t dims = (end[0] > end[1] ? end[0] : end[1]) - first, rows = of[0]->rows + of[1]->rows;
    size_t nonzeros = patterns_nonzeros(of[0]) + patterns_nonzeros(of[1]);
    enum patterns_form form = patterns_choose(dataset_text_form(), rows, dims, nonzeros);
    enum status status = form == PATTERNS_DENSE
                             ? dataset_text_check_size(parts->request->file, rows, dims, error)
                             : STATUS_OK;
    if (status == STATUS_OK)
        status = patterns_create(joined, rows, dims, nonzeros, form, error);
    for (size_t t = 0; t < 2 && status == STATUS_OK; t++)
        for (size_t i = 0; i < of[t]->rows; i++)
            patterns_copy_row(joined, row++, of[t], i, table[t].first_index - first);
    *first_index = first;
    return status;
}

static enum status take_patterns(struct parts *parts, struct dataset *dataset, struct error *error)
{
    struct patterns joined;
    dataset->first_index = parts->table[0].first_index;
    if (!parts->request->test_file)
        return dataset_take(dataset, &parts->table[0].patterns, error);
    enum status status = join(parts, &joined, &dataset->first_index, error);
    return status == STATUS_OK ? dataset_take(dataset, &joined, error) : status;
}

static enum status name_classes(const struct parts *parts, struct dataset *dataset, struct error *error)
{
    unsigned char positive;
    enum status status = labels_two(&parts->labels, &positive, error);
    if (status != STATUS_OK)
        return status;
    size_t row = 0;
    for (size_t t = 0; t < 2; t++)
        for (size_t i = 0; i < parts->table[t].rows; i++)
            dataset->y[row++] = parts->table[t].y[i] == positive ? 1 : -1;
    for (size_t c = 0; c < 2; c++) {
        dataset->class_names[c] = strdup(parts->labels.seen[c == 0 ? positive : 1 - positive].text);
        if (!dataset->class_names[c])
            return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", dataset->source);
    }
    return STATUS_OK;
}

/* One split: the first file's rows train, those of the second file, if any, test. */
static enum status split_by_files(const struct parts *parts, struct dataset *dataset, struct error *error)
{
    size_t n_train = parts->table[0].rows;
    dataset->splits = calloc(1, sizeof *dataset->splits);
    dataset->indices = malloc(dataset->patterns.rows * sizeof *dataset->indices);
    if (!dataset->splits || !dataset->indices)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", dataset->source);
    for (size_t i = 0; i < dataset->patterns.rows; i++)
        dataset->indices[i] = i;
    if (!split_has_both_classes(dataset->y, dataset->indices, n_train))
        return error_set(error, STATUS_BAD_INPUT, "%s:1:1: all labels are \"%s\"; both classes are needed to train",
                         parts->request->file, dataset->class_names[dataset->y[0] < 0]);
    dataset->splits[0] = (struct split){
        1, SPLIT_OFFICIAL, n_train, dataset->patterns.rows - n_train, dataset->indices, dataset->indices + n_train};
    dataset->n_splits = 1;
    return STATUS_OK;
}

enum status dataset_read_text_files(const struct dataset_request *request, struct dataset *dataset, struct error *error)
{
    struct parts parts = {.request = request, .options = {.watch = request->watch}};
    if (!request->without_hash)
        parts.options.hash = &parts.hash;
    sha256_begin(&parts.hash);
    check_files(request);
    enum status status = STATUS_OK;
    if (status == STATUS_OK)
        status = read_tables(&parts, error);
    if (status == STATUS_OK)
        status = take_patterns(&parts, dataset, error);
    if (status == STATUS_OK)
        take_columns(&parts, dataset);
    if (status == STATUS_OK)
        status = name_classes(&parts, dataset, error);
    if (status == STATUS_OK)
        status = dataset_close(dataset, error);
    if (status == STATUS_OK && (request->test_file || request->whole) && !request->folds.folds)
        status = split_by_files(&parts, dataset, error);
    if (status == STATUS_OK && request->split_file)
        status = read_splits(&parts, dataset, error);
    if (status == STATUS_OK && !request->without_hash)
        sha256_end(&parts.hash, dataset->sha256);
    for (size_t t = 0; t < 2 && request->hash_each && status == STATUS_OK; t++)
        sha256_end(&parts.of_file[t], dataset->file_sha256[t]);
    for (size_t t = 0; t < 2; t++)
        labelled_table_free(&parts.table[t]);
    labels_free(&parts.labels);
    return status;
}
