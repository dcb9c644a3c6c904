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
#include <string.h>

#include "harness/model/model.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"

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
    const struct patterns *vectors = &model->vectors;
    write_header(model, stream);
    for (size_t v = 0; v < vectors->rows; v++) {
        fprintf(stream, "%.17g ", model->coefficient[v]);
        for (size_t k = vectors->begin[v]; k < vectors->begin[v + 1]; k++)
            fprintf(stream, "%" PRIu32 ":%.17g ", vectors->feature[k], vectors->values[k]);
        fputs("\n", stream);
    }
    if (model->columns.names)
        write_columns(&model->columns, stream);
}

/* ---- reading ---- */

static const char *const type_words[] = {"c_svc", "nu_svc"};
enum { LARGE = INT_MAX, TYPE_WORDS = 2, KERNEL_WORDS = sizeof kernel_words / sizeof *kernel_words };
enum { SVM_TYPE, KERNEL_TYPE, DEGREE, GAMMA, COEF0, NR_CLASS, TOTAL_SV, RHO, LABEL, PROB_A, PROB_B, NR_SV, FIELDS };
#define FINITE "a finite number"
#define ALL ~0u

#define NUMBERS(name, values, of, least, most, whole, text) \
    {.key = name, .count = values, .kernels = of, .allowed = text, .min = least, .max = most, .is_whole = whole}

/* The lines of the header. */
static const struct field {
    const char *key;
    size_t count;     /* of values in the line */
    unsigned kernels; /* bit set of the kernel types that need the line */
    const char *allowed; /* for messages */
    double min, max;
    int is_whole;
    const char *const *words; /* the value is the index of one of `n_words`, some of them NULL; NULL: a number */
    size_t n_words;
} fields[FIELDS] = {
    [SVM_TYPE] = {.key = "svm_type", .count = 1, .kernels = ALL, .words = type_words, .n_words = TYPE_WORDS,
                  .allowed = "c_svc or nu_svc; hullbench does not read models of regression or of one class"},
    [KERNEL_TYPE] = {.key = "kernel_type", .count = 1, .kernels = ALL, .words = kernel_words, .n_words = KERNEL_WORDS,
                     .allowed = "linear, polynomial or rbf"},
    [DEGREE] = NUMBERS("degree", 1, 1u << KERNEL_POLYNOMIAL, 1, 64, 1, "a whole number from 1 to 64"),
    [GAMMA] = NUMBERS("gamma", 1, 1u << KERNEL_POLYNOMIAL | 1u << KERNEL_RBF, 0, HUGE_VAL, 0, FINITE " from 0 on"),
    [COEF0] = NUMBERS("coef0", 1, 1u << KERNEL_POLYNOMIAL, -HUGE_VAL, HUGE_VAL, 0, FINITE),
    [NR_CLASS] = NUMBERS("nr_class", 1, ALL, 1, LARGE, 1, "a whole number from 1 to 2147483647"),
    [TOTAL_SV] = NUMBERS("total_sv", 1, ALL, 0, LARGE, 1, "a whole number from 0 to 2147483647"),
    [RHO] = NUMBERS("rho", 1, ALL, -HUGE_VAL, HUGE_VAL, 0, FINITE),
    [LABEL] = NUMBERS("label", 2, ALL, -LARGE, LARGE, 1, "a whole number from -2147483647 to 2147483647"),
    [PROB_A] = NUMBERS("probA", 1, 0, -HUGE_VAL, HUGE_VAL, 0, FINITE), /* probabilities are not supported */
    [PROB_B] = NUMBERS("probB", 1, 0, -HUGE_VAL, HUGE_VAL, 0, FINITE),
    [NR_SV] = NUMBERS("nr_sv", 2, ALL, 0, LARGE, 1, "a whole number from 0 to 2147483647"),
};

struct reader {
    struct pool *pool;
    struct text_reader text;
    unsigned seen; /* bit set of fields */
    double value[FIELDS][2];
    struct labelled_table *table; /* of the support vectors */
    struct LIST_OF(double) coefficients;
    struct model *model;
};

/* `value` in the current line; NULL: there is none. */
static _Noreturn void refuse_value(const struct reader *reader, const char *what, const char *value,
                                   const char *allowed)
{
    text_reader_die(&reader->text, value, "%s: \"%s\" is not %s", what, text_shown(value ? value : ""), allowed);
}

/* Reads the next word of the line. */
static double read_value(struct reader *reader, const struct field *field)
{
    const char *word = text_reader_word(&reader->text);
    double value;
    for (size_t w = 0; word && w < field->n_words; w++)
        if (field->words[w] && strcmp(word, field->words[w]) == 0)
            return (double)w;
    if (!word || field->words || !finite_parse(word, &value) || value < field->min || value > field->max ||
        (field->is_whole && value != floor(value)))
        refuse_value(reader, field->key, word, field->allowed);
    return value;
}

/* Checks that the header is complete when "SV" is reached, and takes it. */
static void take_header(const struct reader *reader)
{
    struct model *model = reader->model;
    struct kernel *kernel = &model->kernel;
    const double(*value)[2] = reader->value;
    kernel->type = (enum kernel_type)value[KERNEL_TYPE][0];
    for (unsigned f = 0; f < FIELDS; f++)
        if (fields[f].kernels >> kernel->type & ~reader->seen >> f & 1)
            text_reader_die(&reader->text, NULL, "the header has no line %s before SV", fields[f].key);
    model->is_nu = value[SVM_TYPE][0] != 0;
    kernel->degree = (unsigned)value[DEGREE][0];
    kernel->scale = model->gamma = value[GAMMA][0];
    kernel->width = kernel->type == KERNEL_RBF ? 1 / model->gamma : 0;
    kernel->offset = value[COEF0][0];
    model->rho = value[RHO][0];
    for (size_t c = 0; c < 2; c++) {
        model->label[c] = (int)value[LABEL][c];
        model->count[c] = (size_t)value[NR_SV][c];
    }
    if (value[TOTAL_SV][0] != value[NR_SV][0] + value[NR_SV][1])
        text_reader_die(&reader->text, NULL, "total_sv %.0f is not the sum of nr_sv %zu and %zu", value[TOTAL_SV][0],
                        model->count[0], model->count[1]);
}

static void read_header(struct reader *reader)
{
    struct text_reader *text = &reader->text;
    char *key, *word;
    while ((key = text_reader_line(text)) && strcmp(key, "SV") != 0) {
        unsigned f = 0;
        while (f < FIELDS && strcmp(fields[f].key, key) != 0)
            f++;
        if (f == FIELDS)
            refuse_value(reader, "header", key, "a key of a LIBSVM model");
        if (reader->seen >> f & 1)
            text_reader_die(text, key, "%s occurs twice", key);
        reader->seen |= 1u << f;
        double *value = reader->value[f];
        for (size_t i = 0; i < fields[f].count; i++)
            value[i] = read_value(reader, &fields[f]);
        if (f == NR_CLASS && *value != 2)
            text_reader_die(text, NULL, "nr_class %.0f: hullbench reads only models of two classes", *value);
        if (f == LABEL && value[0] == value[1])
            text_reader_die(text, NULL, "label: both classes are %.0f", *value);
        if ((word = text_reader_word(text)))
            refuse_value(reader, fields[f].key, word, "expected here");
    }
    if (!key) {
        text->line++; /* the missing item would follow the last line */
        text_reader_die(text, NULL, "the line SV is missing, so the model is incomplete");
    }
    take_header(reader);
}

/* Reads a support vector, "coefficient index:value ...". */
static void read_vector(struct reader *reader, char *word)
{
    const struct model *model = reader->model;
    if (reader->coefficients.count == model->count[0] + model->count[1])
        text_reader_die(&reader->text, NULL, "SV: more lines than total_sv %zu", reader->coefficients.count);
    if (!finite_parse(word, pool_push(reader->pool, &reader->coefficients)))
        refuse_value(reader, "SV", word, "a coefficient, a finite number");
    table_read_features(&reader->text, reader->table);
    table_end_row(reader->table, 0);
}

/* Reads what write_columns wrote; ignores other comments. */
static void read_comment(struct reader *reader, const char *word)
{
    struct columns *columns = &reader->model->columns;
    if (strcmp(word, COLUMNS_MARK) != 0)
        return;
    cJSON *json = columns->count ? NULL : json_keep(reader->pool, cJSON_Parse(reader->text.rest)), *name;
    const cJSON *names = cJSON_GetObjectItem(json, "columns");
    const size_t count = cJSON_IsArray(names) ? (size_t)cJSON_GetArraySize(names) : 0;
    columns->count = 0;
    columns->label = cJSON_GetStringValue(cJSON_GetObjectItem(json, "label_column"));
    columns->names = pool_array(reader->pool, count, sizeof *columns->names);
    cJSON_ArrayForEach (name, names)
        if (cJSON_IsString(name))
            columns->names[columns->count++] = name->valuestring;
    if (count == 0 || columns->count != count)
        refuse_value(reader, COLUMNS_MARK, NULL, "followed by the columns of the training data, once");
}

/* Every model ends in a newline; one that does not is truncated. */
struct model *model_read(struct pool *pool, const char *path)
{
    const struct input_options options = {.hash = NULL};
    struct pool *inner = pool_new();
    struct model *model = pool_alloc(pool, sizeof *model);
    struct reader reader = {.pool = pool,
                            .text = {.blanks = " \t\r", .needs_newline = 1},
                            .table = labelled_table_new(pool),
                            .model = model};
    char *word;
    if (strcmp(path, "-") != 0)
        file_check_exists(path);
    struct input_stream *stream = input_open(path, &options);
    text_reader_open(&reader.text, inner, stream);
    read_header(&reader);
    const size_t total = model->count[0] + model->count[1];
    while ((word = text_reader_line(&reader.text)))
        if (reader.coefficients.count == total && *word == '#')
            read_comment(&reader, word);
        else
            read_vector(&reader, word);
    reader.text.line++; /* the missing item would follow the last line */
    if (reader.coefficients.count < total)
        text_reader_die(&reader.text, NULL, "SV: %zu lines, but total_sv is %zu", reader.coefficients.count, total);
    input_close(stream);
    pool_free(inner);
    reader.table->patterns.rows = total;
    model->vectors = reader.table->patterns;
    model->vectors.dims = 0; /* of the values that are kept: zeros are not */
    for (size_t k = 0; k < reader.table->n_values; k++)
        if (model->vectors.feature[k] >= model->vectors.dims)
            model->vectors.dims = model->vectors.feature[k] + 1;
    model->coefficient = reader.coefficients.item;
    return model;
}
