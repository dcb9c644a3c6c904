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
enum { LARGE = INT_MAX, KERNEL_WORDS = sizeof kernel_words / sizeof *kernel_words };
enum { SVM_TYPE, KERNEL_TYPE, DEGREE, GAMMA, COEF0, NR_CLASS, TOTAL_SV, RHO, LABEL, PROB_A, PROB_B, NR_SV, FIELDS };

/* The lines of the header: a word, or numbers from min to max. */
static const struct field {
    const char *key;
    const char *const *words; /* the value is the index of one of them, of which some may be NULL; NULL: numbers */
    size_t count;             /* of words, or of numbers in the line */
    const char *allowed;      /* in messages about words */
    int is_whole;
    double min, max;
    unsigned kernels; /* bit set of the kernel types that need the line */
} fields[FIELDS] = {
    [SVM_TYPE] = {"svm_type", type_words, 2,
                  "c_svc or nu_svc; hullbench does not read models of regression or of one class", .kernels = ~0u},
    [KERNEL_TYPE] = {"kernel_type", kernel_words, KERNEL_WORDS, "linear, polynomial or rbf", .kernels = ~0u},
    [DEGREE] = {"degree", NULL, 1, NULL, 1, 1, 64, 1u << KERNEL_POLYNOMIAL},
    [GAMMA] = {"gamma", NULL, 1, NULL, 0, 0, HUGE_VAL, 1u << KERNEL_POLYNOMIAL | 1u << KERNEL_RBF},
    [COEF0] = {"coef0", NULL, 1, NULL, 0, -HUGE_VAL, HUGE_VAL, 1u << KERNEL_POLYNOMIAL},
    [NR_CLASS] = {"nr_class", NULL, 1, NULL, 1, 1, LARGE, ~0u},
    [TOTAL_SV] = {"total_sv", NULL, 1, NULL, 1, 0, LARGE, ~0u},
    [RHO] = {"rho", NULL, 1, NULL, 0, -HUGE_VAL, HUGE_VAL, ~0u},
    [LABEL] = {"label", NULL, 2, NULL, 1, -LARGE, LARGE, ~0u},
    [PROB_A] = {"probA", NULL, 1, NULL, 0, -HUGE_VAL, HUGE_VAL, 0}, /* probabilities are not supported */
    [PROB_B] = {"probB", NULL, 1, NULL, 0, -HUGE_VAL, HUGE_VAL, 0},
    [NR_SV] = {"nr_sv", NULL, 2, NULL, 1, 0, LARGE, ~0u},
};

struct reader {
    struct pool *pool;
    struct text_reader text;
    unsigned seen; /* bit set of fields */
    double value[FIELDS][2];
    struct labelled_table *table; /* of the support vectors */
    struct {
        double *item;
        size_t count, capacity;
    } coefficients;
    struct model *model;
};

/* `value` in the current line; NULL: there is none. */
static _Noreturn void refuse_value(const struct reader *reader, const char *what, const char *value,
                                   const char *allowed)
{
    char shown[44];
    text_reader_die(&reader->text, value, "%s: \"%s\" is not %s", what, text_shown(value ? value : "", shown), allowed);
}

/* Reads the next word of the line as one of the field's. */
static double read_word(struct reader *reader, const struct field *field)
{
    const char *word = text_reader_word(&reader->text);
    size_t w = 0;
    while (w < field->count && !(word && field->words[w] && strcmp(word, field->words[w]) == 0))
        w++;
    if (w == field->count)
        refuse_value(reader, field->key, word, field->allowed);
    return (double)w;
}

/* The same as a number. */
static double read_number(struct reader *reader, const struct field *field)
{
    const double min = field->min, max = field->max;
    char *word = text_reader_word(&reader->text), allowed[64];
    double value;
    if (word && finite_parse(word, &value) && value >= min && value <= max &&
        (!field->is_whole || value == floor(value)))
        return value;
    if (isinf(max))
        snprintf(allowed, sizeof allowed, isinf(min) ? "a finite number" : "a finite number from %g on", min);
    else
        snprintf(allowed, sizeof allowed, "a %snumber from %.0f to %.0f", field->is_whole ? "whole " : "", min, max);
    refuse_value(reader, field->key, word, allowed);
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
        for (size_t i = 0; i < (fields[f].words ? 1 : fields[f].count); i++)
            value[i] = fields[f].words ? read_word(reader, &fields[f]) : read_number(reader, &fields[f]);
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
    struct model *model = reader->model;
    size_t next = 0;
    if (reader->coefficients.count == model->count[0] + model->count[1])
        text_reader_die(&reader->text, NULL, "SV: more lines than total_sv %zu", reader->coefficients.count);
    if (!finite_parse(word, pool_push(reader->pool, &reader->coefficients)))
        refuse_value(reader, "SV", word, "a coefficient, a finite number");
    while ((word = text_reader_word(&reader->text))) {
        const char *colon = strchr(word, ':');
        double value;
        if (!colon || colon == word || word[strspn(word, "0123456789")] != ':')
            refuse_value(reader, "SV", word, "index:value");
        const unsigned long index = strtoul(word, NULL, 10);
        if (index < next || index >= INT_MAX)
            refuse_value(reader, "SV", word, "index:value with an increasing index");
        if (!finite_parse(colon + 1, &value))
            refuse_value(reader, "SV", colon + 1, "a finite number");
        table_add_value(reader->table, index, value, &reader->text);
        next = index + 1;
        if (value != 0 && next > model->vectors.dims)
            model->vectors.dims = next;
    }
    table_end_row(reader->table, 0);
}

static int take_columns(struct pool *pool, const cJSON *json, struct columns *columns)
{
    const cJSON *names = cJSON_GetObjectItem(json, "columns"), *name;
    struct columns taken = {.label = cJSON_GetStringValue(cJSON_GetObjectItem(json, "label_column"))};
    const size_t count = cJSON_IsArray(names) ? (size_t)cJSON_GetArraySize(names) : 0;
    taken.names = pool_array(pool, count, sizeof *taken.names);
    cJSON_ArrayForEach (name, names)
        if (cJSON_IsString(name))
            taken.names[taken.count++] = name->valuestring;
    if (count == 0 || taken.count != count)
        return 0;
    *columns = columns_copy(pool, &taken);
    return 1;
}

/* Reads what write_columns wrote; ignores other comments. */
static void read_comment(struct reader *reader, const char *word)
{
    if (strcmp(word, COLUMNS_MARK) != 0)
        return;
    cJSON *json = reader->model->columns.count ? NULL : cJSON_Parse(reader->text.rest);
    const int is_good = json && take_columns(reader->pool, json, &reader->model->columns);
    cJSON_Delete(json);
    if (!is_good)
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
    reader.table->patterns.dims = model->vectors.dims;
    model->vectors = reader.table->patterns;
    model->coefficient = reader.coefficients.item;
    return model;
}
