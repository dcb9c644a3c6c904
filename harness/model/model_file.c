/*
 * The model format of LIBSVM's svm-train: a header of lines "key value ...", a line "SV", then one line per support
 * vector, "coefficient index:value ...". A file is untrusted input: each key must be known, occur once and have the
 * values it needs.
 */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/text_reader.h"
#include "harness/model/model.h"
#include "harness/support/file.h"

/* ---- writing ---- */

static const char *const kernel_words[] = {
    [KERNEL_LINEAR] = "linear", [KERNEL_POLYNOMIAL] = "polynomial", [KERNEL_RBF] = "rbf"};

static void write_header(const struct model *model, FILE *stream)
{
    const struct kernel *kernel = &model->kernel;
    fprintf(stream, "svm_type %s\nkernel_type %s\n", model->is_nu ? "nu_svc" : "c_svc", kernel_words[kernel->type]);
    if (kernel->type == KERNEL_POLYNOMIAL)
        fprintf(stream, "degree %u\ngamma %.17g\ncoef0 %.17g\n", kernel->degree, kernel->scale, kernel->offset);
    if (kernel->type == KERNEL_RBF)
        fprintf(stream, "gamma %.17g\n", model->gamma);
    fprintf(stream, "nr_class 2\ntotal_sv %zu\nrho %.17g\nlabel %d %d\nnr_sv %zu %zu\nSV\n",
            model->count[0] + model->count[1], model->rho, model->label[0], model->label[1], model->count[0],
            model->count[1]);
}

/* The names of the columns follow the support vectors, where svm-predict no longer reads. */
#define COLUMNS_MARK "#hullbench"

static void write_columns(const struct columns *columns, FILE *stream)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddItemToObject(json, "columns",
                          cJSON_CreateStringArray((const char *const *)columns->names, (int)columns->count));
    if (columns->label)
        cJSON_AddStringToObject(json, "label_column", columns->label);
    char *text = cJSON_PrintUnformatted(json);
    fprintf(stream, COLUMNS_MARK " %s\n", text ? text : "");
    cJSON_free(text);
    cJSON_Delete(json);
}

void model_print(const struct model *model, FILE *stream)
{
    write_header(model, stream);
    for (size_t v = 0; v < model->count[0] + model->count[1]; v++) {
        fprintf(stream, "%.17g ", model->coefficient[v]);
        for (size_t k = model->start[v]; k < model->start[v + 1]; k++)
            fprintf(stream, "%" PRIu32 ":%.17g ", model->index[k], model->value[k]);
        fputs("\n", stream);
    }
    if (model->columns.names)
        write_columns(&model->columns, stream);
}

void model_write(const struct model *model, const char *path)
{
    struct outfile out;
    outfile_open(&out, path);
    model_print(model, out.stream);
    outfile_commit(&out);
}

/* ---- reading ---- */

enum field {
    FIELD_SVM_TYPE,
    FIELD_KERNEL_TYPE,
    FIELD_DEGREE,
    FIELD_GAMMA,
    FIELD_COEF0,
    FIELD_NR_CLASS,
    FIELD_TOTAL_SV,
    FIELD_RHO,
    FIELD_LABEL,
    FIELD_PROB_A,
    FIELD_PROB_B,
    FIELD_NR_SV,
    FIELDS
};

struct reader {
    struct text_reader text;
    unsigned seen; /* bit set of fields */
    size_t total, features, capacity[4]; /* of index, value, coefficient, start */
    struct model *model;
};

/* `value` in the current line; NULL: there is none. */
static enum status fail(const struct reader *reader, const char *what, const char *value, const char *allowed)
{
    char shown[44];
    return text_reader_fail(&reader->text, value, "%s: \"%s\" is not %s", what, text_shown(value ? value : "", shown),
                            allowed);
}

/* Reads the next word of the line as a number from min to max, an integer if `whole`. */
static enum status number_read(struct reader *reader, const char *what, int whole, double min, double max,
                               double *value)
{
    char *word = text_reader_word(&reader->text), allowed[64];
    if (word && finite_parse(word, value) && *value >= min && *value <= max && (!whole || *value == floor(*value)))
        return STATUS_OK;
    if (isinf(max))
        snprintf(allowed, sizeof allowed, isinf(min) ? "a finite number" : "a finite number from %g on", min);
    else
        snprintf(allowed, sizeof allowed, "a %snumber from %.0f to %.0f", whole ? "whole " : "", min, max);
    return fail(reader, what, word, allowed);
}

static enum status line_end(struct reader *reader, const char *what)
{
    char *word = text_reader_word(&reader->text);
    return word ? fail(reader, what, word, "expected here") : STATUS_OK;
}

static enum status read_svm_type(struct reader *reader)
{
    char *word = text_reader_word(&reader->text);
    reader->model->is_nu = word && strcmp(word, "nu_svc") == 0;
    if (!reader->model->is_nu && (!word || strcmp(word, "c_svc") != 0))
        return fail(reader, "svm_type", word,
                    "c_svc or nu_svc; hullbench does not read models of regression or of one class");
    return STATUS_OK;
}

static enum status read_kernel_type(struct reader *reader)
{
    char *word = text_reader_word(&reader->text);
    for (size_t k = 0; word && k < sizeof kernel_words / sizeof *kernel_words; k++)
        if (kernel_words[k] && strcmp(word, kernel_words[k]) == 0) {
            reader->model->kernel.type = (enum kernel_type)k;
            return STATUS_OK;
        }
    return fail(reader, "kernel_type", word, "linear, polynomial or rbf");
}

/* Reads a pair of values, one for each label. */
static enum status read_pair(struct reader *reader, const char *what, double min, double value[2])
{
    enum status status = number_read(reader, what, 1, min, INT_MAX, &value[0]);
    return status == STATUS_OK ? number_read(reader, what, 1, min, INT_MAX, &value[1]) : status;
}

static enum status read_counts(struct reader *reader, enum field field, const char *key)
{
    struct model *model = reader->model;
    double value[2] = {0, 0};
    enum status status;
    if (field == FIELD_NR_CLASS) {
        status = number_read(reader, key, 1, 1, INT_MAX, value);
        if (status == STATUS_OK && value[0] != 2)
            status = text_reader_fail(&reader->text, NULL, "nr_class %.0f: hullbench reads only models of two classes",
                                      value[0]);
    } else if (field == FIELD_TOTAL_SV) {
        status = number_read(reader, key, 1, 0, INT_MAX, value);
        reader->total = status == STATUS_OK ? (size_t)value[0] : 0;
    } else {
        status = read_pair(reader, key, field == FIELD_LABEL ? -INT_MAX : 0, value);
        for (size_t c = 0; c < 2 && status == STATUS_OK; c++)
            if (field == FIELD_LABEL)
                model->label[c] = (int)value[c];
            else
                model->count[c] = (size_t)value[c];
        if (status == STATUS_OK && field == FIELD_LABEL && model->label[0] == model->label[1])
            status = text_reader_fail(&reader->text, NULL, "label: both classes are %d", model->label[0]);
    }
    return status;
}

static enum status read_field(struct reader *reader, enum field field, const char *key)
{
    struct kernel *kernel = &reader->model->kernel;
    double value = 0;
    enum status status;
    switch (field) {
    case FIELD_SVM_TYPE:
        return read_svm_type(reader);
    case FIELD_KERNEL_TYPE:
        return read_kernel_type(reader);
    case FIELD_DEGREE:
        status = number_read(reader, key, 1, 1, 64, &value);
        kernel->degree = status == STATUS_OK ? (unsigned)value : 0;
        return status;
    case FIELD_GAMMA:
        status = number_read(reader, key, 0, 0, HUGE_VAL, &reader->model->gamma);
        kernel->scale = reader->model->gamma;
        kernel->width = 1 / reader->model->gamma;
        return status;
    case FIELD_COEF0:
        return number_read(reader, key, 0, -HUGE_VAL, HUGE_VAL, &kernel->offset);
    case FIELD_RHO:
        return number_read(reader, key, 0, -HUGE_VAL, HUGE_VAL, &reader->model->rho);
    case FIELD_PROB_A: /* probabilities are not supported */
    case FIELD_PROB_B:
        return number_read(reader, key, 0, -HUGE_VAL, HUGE_VAL, &value);
    default:
        return read_counts(reader, field, key);
    }
}

static const char *const keys[FIELDS] = {
    [FIELD_SVM_TYPE] = "svm_type", [FIELD_KERNEL_TYPE] = "kernel_type",
    [FIELD_DEGREE] = "degree",     [FIELD_GAMMA] = "gamma",
    [FIELD_COEF0] = "coef0",       [FIELD_NR_CLASS] = "nr_class",
    [FIELD_TOTAL_SV] = "total_sv", [FIELD_RHO] = "rho",
    [FIELD_LABEL] = "label",       [FIELD_PROB_A] = "probA",
    [FIELD_PROB_B] = "probB",      [FIELD_NR_SV] = "nr_sv",
};

/* Checks that the header is complete when "SV" is reached. */
static enum status check_header(const struct reader *reader)
{
    enum kernel_type type = reader->model->kernel.type;
    unsigned needed = 1u << FIELD_SVM_TYPE | 1u << FIELD_KERNEL_TYPE | 1u << FIELD_NR_CLASS | 1u << FIELD_TOTAL_SV |
                      1u << FIELD_RHO | 1u << FIELD_LABEL | 1u << FIELD_NR_SV;
    if (type == KERNEL_RBF || type == KERNEL_POLYNOMIAL)
        needed |= 1u << FIELD_GAMMA;
    if (type == KERNEL_POLYNOMIAL)
        needed |= 1u << FIELD_DEGREE | 1u << FIELD_COEF0;
    for (unsigned f = 0; f < FIELDS; f++)
        if (needed & ~reader->seen & 1u << f)
            return text_reader_fail(&reader->text, NULL, "the header has no line %s before SV", keys[f]);
    if (reader->total != reader->model->count[0] + reader->model->count[1])
        return text_reader_fail(&reader->text, NULL, "total_sv %zu is not the sum of nr_sv %zu and %zu", reader->total,
                                reader->model->count[0], reader->model->count[1]);
    return STATUS_OK;
}

static enum status read_header(struct reader *reader)
{
    char *key;
    while ((key = text_reader_line(&reader->text)) && strcmp(key, "SV") != 0) {
        unsigned field = 0;
        while (field < FIELDS && strcmp(keys[field], key) != 0)
            field++;
        if (field == FIELDS)
            return fail(reader, "header", key, "a key of a LIBSVM model");
        if (reader->seen >> field & 1)
            return text_reader_fail(&reader->text, key, "%s occurs twice", key);
        reader->seen |= 1u << field;
        enum status status = read_field(reader, (enum field)field, keys[field]);
        if (status == STATUS_OK)
            status = line_end(reader, keys[field]);
        if (status != STATUS_OK)
            return status;
    }
    if (key || reader->text.status != STATUS_OK)
        return key ? check_header(reader) : reader->text.status;
    reader->text.line++; /* the missing item would follow the last line */
    return text_reader_fail(&reader->text, NULL, "the line SV is missing, so the model is incomplete");
}

/* Reads one "index:value"; *next is the smallest valid index. */
static enum status read_feature(struct reader *reader, char *word, size_t *next)
{
    struct model *model = reader->model;
    char *colon = strchr(word, ':');
    if (!colon || colon == word || word[strspn(word, "0123456789")] != ':')
        return fail(reader, "SV", word, "index:value");
    unsigned long index = strtoul(word, NULL, 10);
    if (index < *next || index >= INT_MAX)
        return fail(reader, "SV", word, "index:value with an increasing index");
    if (!array_grow(&model->index, reader->features, &reader->capacity[0], sizeof *model->index) ||
        !array_grow(&model->value, reader->features, &reader->capacity[1], sizeof *model->value))
        return text_reader_no_memory(&reader->text);
    if (!finite_parse(colon + 1, &model->value[reader->features]))
        return fail(reader, "SV", colon + 1, "a finite number");
    model->index[reader->features++] = (uint32_t)index;
    *next = index + 1;
    if (index >= model->dims)
        model->dims = index + 1;
    return STATUS_OK;
}

static enum status read_vector(struct reader *reader, size_t v, char *word)
{
    struct model *model = reader->model;
    size_t next = 0;
    enum status status = STATUS_OK;
    if (v == reader->total)
        return text_reader_fail(&reader->text, NULL, "SV: more lines than total_sv %zu", reader->total);
    if (!array_grow(&model->coefficient, v, &reader->capacity[2], sizeof *model->coefficient) ||
        !array_grow(&model->start, v + 1, &reader->capacity[3], sizeof *model->start))
        return text_reader_no_memory(&reader->text);
    if (!finite_parse(word, &model->coefficient[v]))
        return fail(reader, "SV", word, "a coefficient, a finite number");
    while (status == STATUS_OK && (word = text_reader_word(&reader->text)))
        status = read_feature(reader, word, &next);
    model->start[v + 1] = reader->features;
    return status;
}

static int take_columns(const cJSON *json, struct columns *columns)
{
    const cJSON *names = cJSON_GetObjectItem(json, "columns"), *name;
    struct columns taken = {.label = cJSON_GetStringValue(cJSON_GetObjectItem(json, "label_column"))};
    const size_t count = cJSON_IsArray(names) ? (size_t)cJSON_GetArraySize(names) : 0;
    taken.names = calloc(count + 1, sizeof *taken.names);
    cJSON_ArrayForEach (name, names)
        if (taken.names && cJSON_IsString(name))
            taken.names[taken.count++] = name->valuestring;
    const int is_complete =
        count > 0 && taken.names && taken.count == count && columns_copy(&taken, columns, NULL) == STATUS_OK;
    free(taken.names);
    return is_complete;
}

/* Reads what write_columns wrote; ignores other comments. */
static enum status read_comment(struct reader *reader, const char *word)
{
    if (strcmp(word, COLUMNS_MARK) != 0)
        return STATUS_OK;
    cJSON *json = reader->model->columns.count ? NULL : cJSON_Parse(reader->text.rest);
    const int is_good = json && take_columns(json, &reader->model->columns);
    cJSON_Delete(json);
    return is_good ? STATUS_OK : fail(reader, COLUMNS_MARK, NULL, "followed by the columns of the training data, once");
}

static enum status read_vectors(struct reader *reader)
{
    struct model *model = reader->model;
    size_t v = 0;
    char *word;
    enum status status = STATUS_OK;
    if (!array_grow(&model->start, 0, &reader->capacity[3], sizeof *model->start))
        return text_reader_no_memory(&reader->text);
    model->start[0] = 0;
    while (status == STATUS_OK && (word = text_reader_line(&reader->text)))
        status = v == reader->total && *word == '#' ? read_comment(reader, word) : read_vector(reader, v++, word);
    if (status == STATUS_OK)
        status = reader->text.status;
    if (status != STATUS_OK || v == reader->total)
        return status;
    reader->text.line++; /* the missing item would follow the last line */
    return text_reader_fail(&reader->text, NULL, "SV: %zu lines, but total_sv is %zu", v, reader->total);
}

/* Every model ends in a newline; one that does not is truncated. */
enum status model_read(const char *path, struct model **model, struct error *error)
{
    const struct input_options options = {.hash = NULL};
    struct input_stream *stream;
    *model = NULL;
    enum status status = input_open(&stream, path, &options, error);
    if (status != STATUS_OK)
        return status;
    struct reader reader = {.text = {.path = path, .blanks = " \t\r", .needs_newline = 1, .error = error},
                            .model = calloc(1, sizeof *reader.model)};
    status = reader.model ? text_reader_open(&reader.text, stream) : text_reader_no_memory(&reader.text);
    if (status == STATUS_OK)
        status = read_header(&reader);
    if (status == STATUS_OK)
        status = read_vectors(&reader);
    if (status == STATUS_OK)
        *model = reader.model;
    else
        model_free(reader.model);
    text_reader_close(&reader.text);
    input_close(stream);
    return status;
}
