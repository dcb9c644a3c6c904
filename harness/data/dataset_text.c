/*
 * A data set from text files: one file, or one to train and one to test, whose rows follow each other. The classes are
 * told apart once all labels have been seen. Own splits come from a file that lists them, or from there being two
 * files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/available_memory.h"
#include "harness/support/file.h"
#include "harness/data/dataset_text.h"
#include "harness/support/sha256.h"

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
    if (i < set->count || i == LABELS_MAX)
        return STATUS_OK;
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
                         "%s:%zu:%zu: label \"%s\" is the only one in %zu rows; two classes are needed", only->path,
                         only->line, only->column, text_shown(only->text, shown), set->rows);
    }
    if (set->count != 2) {
        const struct label_seen *third = &set->seen[2];
        return error_set(
            error, STATUS_BAD_INPUT,
            "%s:%zu:%zu: label \"%s\" makes a third class; problems of two classes only are solved; labels found: %s; "
            "svm-train of LIBSVM trains more classes",
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
    size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".csv") == 0;
}

enum status dataset_text_check_size(const char *where, size_t rows, size_t dims, struct error *error)
{
    char what[128];
    snprintf(what, sizeof what, "%zu rows of %zu features, zeros included,", rows, dims);
    return memory_check(where, what, 2 * (double)sizeof(double) * (double)rows * (double)dims, error);
}

enum patterns_form dataset_text_form(void)
{
    const char *form = getenv("HULLBENCH_STORAGE");
    return form && strcmp(form, "dense") == 0        ? PATTERNS_DENSE
           : form && strcmp(form, "compressed") == 0 ? PATTERNS_COMPRESSED
                                                     : PATTERNS_SMALLER;
}

enum status labelled_table_read(const struct input *input, const char *format, const char *label_column,
                                struct label_set *labels, struct labelled_table *table, struct error *error)
{
    if (dataset_text_is_csv(input->path, format))
        return labelled_table_read_csv(input, label_column, labels, table, error);
    return labelled_table_read_libsvm(input, labels, table, error);
}

void labelled_table_free(struct labelled_table *table)
{
    patterns_free(&table->patterns);
    free(table->y);
    *table = (struct labelled_table){.y = NULL};
}

/* file, test_file and split_file of a request; those that are not given have no text. */
enum { PART_FIRST, PART_TEST, PART_SPLITS, PARTS };
struct parts {
    struct input input[PARTS];
    char *text[PARTS];
    struct label_set labels;
    struct labelled_table table[2];
};

static enum status read_files(const struct dataset_request *request, struct parts *parts, struct error *error)
{
    const char *const paths[PARTS] = {request->file, request->test_file, request->split_file};
    for (size_t p = 0; p < PARTS; p++) {
        struct input *input = &parts->input[p];
        if (!paths[p])
            continue;
        input->path = paths[p];
        enum status status = file_read(paths[p], &parts->text[p], &input->size, error);
        if (status != STATUS_OK)
            return status;
        input->text = parts->text[p];
    }
    return STATUS_OK;
}

/* Of all files, one behind the other. */
static void hash_files(const struct parts *parts, char hash[65])
{
    const char *texts[PARTS];
    size_t sizes[PARTS], count = 0;
    for (size_t p = 0; p < PARTS; p++)
        if (parts->text[p]) {
            texts[count] = parts->text[p];
            sizes[count++] = parts->input[p].size;
        }
    sha256_hex_pieces(texts, sizes, count, hash);
}

static enum status parse_tables(const struct dataset_request *request, struct parts *parts, struct error *error)
{
    for (size_t p = 0; p <= PART_TEST; p++) {
        if (!parts->text[p])
            continue;
        enum status status = labelled_table_read(&parts->input[p], request->format, request->label_column,
                                                 &parts->labels, &parts->table[p], error);
        if (status != STATUS_OK)
            return status;
    }
    const struct patterns *first = &parts->table[PART_FIRST].patterns, *second = &parts->table[PART_TEST].patterns;
    if (parts->text[PART_TEST] && dataset_text_is_csv(request->file, request->format) && first->dims != second->dims)
        return error_set(error, STATUS_BAD_INPUT, "%s:1:1: %zu features, but %s has %zu", request->test_file,
                         second->dims, request->file, first->dims);
    return STATUS_OK;
}

/* Both tables' rows under each other, their columns by index. */
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
                             ? dataset_text_check_size(parts->input[PART_FIRST].path, rows, dims, error)
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
    dataset->first_index = parts->table[PART_FIRST].first_index;
    if (!parts->text[PART_TEST])
        return dataset_take(dataset, &parts->table[PART_FIRST].patterns, error);
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
    for (size_t t = 0; t <= PART_TEST; t++)
        for (size_t i = 0; i < parts->table[t].rows; i++)
            dataset->y[row++] = parts->table[t].y[i] == positive ? 1 : -1;
    for (size_t c = 0; c < 2; c++) {
        dataset->class_names[c] = strdup(parts->labels.seen[c == 0 ? positive : 1 - positive].text);
        if (!dataset->class_names[c])
            return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", dataset->source);
    }
    return STATUS_OK;
}

/* One split: the first file's rows train, those of the second, if there is one, test. */
static enum status split_by_files(const struct parts *parts, struct dataset *dataset, struct error *error)
{
    size_t n_train = parts->table[PART_FIRST].rows;
    dataset->splits = calloc(1, sizeof *dataset->splits);
    dataset->indices = malloc(dataset->patterns.rows * sizeof *dataset->indices);
    if (!dataset->splits || !dataset->indices)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", dataset->source);
    for (size_t i = 0; i < dataset->patterns.rows; i++)
        dataset->indices[i] = i;
    if (!split_has_both_classes(dataset->y, dataset->indices, n_train))
        return error_set(error, STATUS_BAD_INPUT, "%s:1:1: all labels are \"%s\"; both classes are needed to train",
                         parts->input[PART_FIRST].path, dataset->class_names[dataset->y[0] < 0]);
    dataset->splits[0] = (struct split){
        1, SPLIT_OFFICIAL, n_train, dataset->patterns.rows - n_train, dataset->indices, dataset->indices + n_train};
    dataset->n_splits = 1;
    return STATUS_OK;
}

static void parts_free(struct parts *parts)
{
    for (size_t p = 0; p < PARTS; p++)
        free(parts->text[p]);
    for (size_t t = 0; t < 2; t++)
        labelled_table_free(&parts->table[t]);
    labels_free(&parts->labels);
}

enum status dataset_read_text_files(const struct dataset_request *request, struct dataset *dataset, struct error *error)
{
    struct parts parts = {0};
    enum status status = read_files(request, &parts, error);
    if (status == STATUS_OK) {
#pragma omp taskgroup
        {
#pragma omp task shared(parts) /* for an idle thread, if there is one; the texts are only read */
            hash_files(&parts, dataset->sha256);
            status = parse_tables(request, &parts, error);
        }
    }
    if (status == STATUS_OK)
        status = take_patterns(&parts, dataset, error);
    if (status == STATUS_OK)
        status = name_classes(&parts, dataset, error);
    if (status == STATUS_OK)
        status = dataset_close(dataset, error);
    if (status == STATUS_OK && (request->test_file || request->whole) && !request->folds.folds)
        status = split_by_files(&parts, dataset, error);
    if (status == STATUS_OK && request->split_file && !request->folds.folds)
        status = split_file_read(&parts.input[PART_SPLITS], dataset, error);
    parts_free(&parts);
    return status;
}
