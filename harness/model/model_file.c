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

#include "harness/base/die.h"
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
    struct pool *pool;
    struct text_reader text;
    unsigned seen; /* bit set of fields */
    size_t total, features, capacity[4]; /* of index, value, coefficient, start */
    struct model *model;
};

/* `value` in the current line; NULL: there is none. */
static _Noreturn void refuse_value(const struct reader *reader, const char *what, const char *value,
                                   const char *allowed)
{
    char shown[44];
    text_reader_die(&reader->text, value, "%s: \"%s\" is not %s", what, text_shown(value ? value : "", shown), allowed);
}

/* Reads the next word of the line as a number from min to max, an integer if `whole`. */
static double read_number(struct reader *reader, const char *what, int whole, double min, double max)
{
    char *word = text_reader_word(&reader->text), allowed[64];
    double value;
    if (word && finite_parse(word, &value) && value >= min && value <= max && (!whole || value == floor(value)))
        return value;
    if (isinf(max))
        snprintf(allowed, sizeof allowed, isinf(min) ? "a finite number" : "a finite number from %g on", min);
    else
        snprintf(allowed, sizeof allowed, "a %snumber from %.0f to %.0f", whole ? "whole " : "", min, max);
    refuse_value(reader, what, word, allowed);
}

static void read_svm_type(struct reader *reader)
{
    char *word = text_reader_word(&reader->text);
    reader->model->is_nu = word && strcmp(word, "nu_svc") == 0;
    if (!reader->model->is_nu && (!word || strcmp(word, "c_svc") != 0))
        refuse_value(reader, "svm_type", word,
                     "c_svc or nu_svc; hullbench does not read models of regression or of one class");
}

static void read_kernel_type(struct reader *reader)
{
    char *word = text_reader_word(&reader->text);
    size_t k = 0, n = sizeof kernel_words / sizeof *kernel_words;
    while (k < n && !(word && kernel_words[k] && strcmp(word, kernel_words[k]) == 0))
        k++;
    if (k == n)
        refuse_value(reader, "kernel_type", word, "linear, polynomial or rbf");
    reader->model->kernel.type = (enum kernel_type)k;
}

static void read_field(struct reader *reader, enum field field, const char *key)
{
    struct model *model = reader->model;
    struct kernel *kernel = &model->kernel;
    switch (field) {
    case FIELD_SVM_TYPE:
        read_svm_type(reader);
        break;
    case FIELD_KERNEL_TYPE:
        read_kernel_type(reader);
        break;
    case FIELD_DEGREE:
        kernel->degree = (unsigned)read_number(reader, key, 1, 1, 64);
        break;
    case FIELD_GAMMA:
        model->gamma = kernel->scale = read_number(reader, key, 0, 0, HUGE_VAL);
        kernel->width = 1 / model->gamma;
        break;
    case FIELD_COEF0:
        kernel->offset = read_number(reader, key, 0, -HUGE_VAL, HUGE_VAL);
        break;
    case FIELD_RHO:
        model->rho = read_number(reader, key, 0, -HUGE_VAL, HUGE_VAL);
        break;
    case FIELD_NR_CLASS: {
        const double classes = read_number(reader, key, 1, 1, INT_MAX);
        if (classes != 2)
            text_reader_die(&reader->text, NULL, "nr_class %.0f: hullbench reads only models of two classes", classes);
        break;
    }
    case FIELD_TOTAL_SV:
        reader->total = (size_t)read_number(reader, key, 1, 0, INT_MAX);
        break;
    case FIELD_LABEL:
        for (size_t c = 0; c < 2; c++)
            model->label[c] = (int)read_number(reader, key, 1, -INT_MAX, INT_MAX);
        if (model->label[0] == model->label[1])
            text_reader_die(&reader->text, NULL, "label: both classes are %d", model->label[0]);
        break;
    case FIELD_NR_SV:
        for (size_t c = 0; c < 2; c++)
            model->count[c] = (size_t)read_number(reader, key, 1, 0, INT_MAX);
        break;
    default: /* probabilities are not supported */
        (void)read_number(reader, key, 0, -HUGE_VAL, HUGE_VAL);
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
static void check_header(const struct reader *reader)
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
            text_reader_die(&reader->text, NULL, "the header has no line %s before SV", keys[f]);
    if (reader->total != reader->model->count[0] + reader->model->count[1])
        text_reader_die(&reader->text, NULL, "total_sv %zu is not the sum of nr_sv %zu and %zu", reader->total,
                        reader->model->count[0], reader->model->count[1]);
}

static void read_header(struct reader *reader)
{
    char *key, *word;
    while ((key = text_reader_line(&reader->text)) && strcmp(key, "SV") != 0) {
        unsigned field = 0;
        while (field < FIELDS && strcmp(keys[field], key) != 0)
            field++;
        if (field == FIELDS)
            refuse_value(reader, "header", key, "a key of a LIBSVM model");
        if (reader->seen >> field & 1)
            text_reader_die(&reader->text, key, "%s occurs twice", key);
        reader->seen |= 1u << field;
        read_field(reader, (enum field)field, keys[field]);
        if ((word = text_reader_word(&reader->text)))
            refuse_value(reader, keys[field], word, "expected here");
    }
    if (!key) {
        reader->text.line++; /* the missing item would follow the last line */
        text_reader_die(&reader->text, NULL, "the line SV is missing, so the model is incomplete");
    }
    check_header(reader);
}

/* Reads one "index:value"; *next is the smallest valid index. */
static void read_feature(struct reader *reader, char *word, size_t *next)
{
    struct model *model = reader->model;
    char *colon = strchr(word, ':');
    if (!colon || colon == word || word[strspn(word, "0123456789")] != ':')
        refuse_value(reader, "SV", word, "index:value");
    unsigned long index = strtoul(word, NULL, 10);
    if (index < *next || index >= INT_MAX)
        refuse_value(reader, "SV", word, "index:value with an increasing index");
    model->index =
        pool_grow(reader->pool, model->index, reader->features, &reader->capacity[0], sizeof *model->index);
    model->value =
        pool_grow(reader->pool, model->value, reader->features, &reader->capacity[1], sizeof *model->value);
    if (!finite_parse(colon + 1, &model->value[reader->features]))
        refuse_value(reader, "SV", colon + 1, "a finite number");
    model->index[reader->features++] = (uint32_t)index;
    *next = index + 1;
    if (index >= model->dims)
        model->dims = index + 1;
}

static void read_vector(struct reader *reader, size_t v, char *word)
{
    struct model *model = reader->model;
    size_t next = 0;
    if (v == reader->total)
        text_reader_die(&reader->text, NULL, "SV: more lines than total_sv %zu", reader->total);
    model->coefficient =
        pool_grow(reader->pool, model->coefficient, v, &reader->capacity[2], sizeof *model->coefficient);
    model->start = pool_grow(reader->pool, model->start, v + 1, &reader->capacity[3], sizeof *model->start);
    if (!finite_parse(word, &model->coefficient[v]))
        refuse_value(reader, "SV", word, "a coefficient, a finite number");
    while ((word = text_reader_word(&reader->text)))
        read_feature(reader, word, &next);
    model->start[v + 1] = reader->features;
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

static void read_vectors(struct reader *reader)
{
    struct model *model = reader->model;
    size_t v = 0;
    char *word;
    model->start = pool_grow(reader->pool, NULL, 0, &reader->capacity[3], sizeof *model->start);
    while ((word = text_reader_line(&reader->text)))
        if (v == reader->total && *word == '#')
            read_comment(reader, word);
        else
            read_vector(reader, v++, word);
    if (v == reader->total)
        return;
    reader->text.line++; /* the missing item would follow the last line */
    text_reader_die(&reader->text, NULL, "SV: %zu lines, but total_sv is %zu", v, reader->total);
}

/* Every model ends in a newline; one that does not is truncated. */
struct model *model_read(struct pool *pool, const char *path)
{
    const struct input_options options = {.hash = NULL};
    struct pool *inner = pool_new();
    struct reader reader = {
        .pool = pool, .text = {.blanks = " \t\r", .needs_newline = 1}, .model = pool_alloc(pool, sizeof(struct model))};
    if (strcmp(path, "-") != 0)
        file_check_exists(path);
    struct input_stream *stream = input_open(path, &options);
    text_reader_open(&reader.text, inner, stream);
    read_header(&reader);
    read_vectors(&reader);
    input_close(stream);
    pool_free(inner);
    return reader.model;
}
