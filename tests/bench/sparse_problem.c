/*
 * Synthetic sparse problems of the shapes of public sets, drawn by GSL's mt19937 from a fixed seed, and the public sets
 * themselves, from files. Both measure speed and do not appear in records.
 *
 *   frequencies  a power law: the feature of rank k = 0, 1, ... is drawn with a probability proportional to
 *                1 / (k + offset). Ranks are shuffled over the features
 *   rows         each row has a topic. A fraction of its draws is moved to a nearby rank with k mod topics = topic. The
 *                row is complete when it has a given number of distinct features; this number is log-normal
 *   labels       odd topics belong to the positive class, so the label depends on which of two groups of features is
 *                more frequent in a row, a linear rule. A fraction of the labels is wrong
 *   values       1; or, like tf-idf, (1 + ln t) ln(1 + 1 / e), where t is how often the feature was drawn for the row
 *                and e the expected value without topics, divided by the norm of the row and rounded to six digits, as
 *                in the public files
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "tests/bench/bench.h"
#include "harness/data/dataset.h"
#include "harness/support/file.h"
#include "tests/load_dataset.h"

struct shape {
    const char *name;
    size_t n, dims;
    double mean, spread; /* of the number of features of a row; spread: the standard deviation of its logarithm */
    double offset;
    double positive; /* fraction of rows of the positive class, before labels are changed */
    size_t topics;
    double of_topic, wrong; /* fractions of the draws and of the labels */
    int is_binary;
    double width, c;
};

static const struct shape shapes[] = {
    {"w8a-like", 49749, 300, 11.65, 0.8, 10, 0.03, 10, 0.5, 0.01, 1, 20, 1},
    {"text 2000 x 50000", 2000, 50000, 75, 0.5, 20, 0.5, 40, 0.8, 0.02, 0, 1, 1},
    {"text 20000 x 50000", 20000, 50000, 75, 0.5, 20, 0.5, 40, 0.8, 0.02, 0, 1, 1},
    {"text 2000 x 1360000", 2000, 1360000, 450, 0.5, 20, 0.5, 40, 0.8, 0.02, 0, 1, 1},
};

/* What the rows of a problem are drawn from. */
struct drawing {
    const struct shape *shape;
    gsl_rng *random;
    gsl_ran_discrete_t *ranks;
    double harmonic;    /* the sum of 1 / (k + offset) */
    size_t *feature_of; /* per rank */
    size_t *rank_of;    /* per feature */
    unsigned *times;    /* per rank, how often it was drawn for the current row; 0 between rows */
};

static void *got(void *memory)
{
    if (!memory) {
        fputs("bench: out of memory\n", stderr);
        exit(4);
    }
    return memory;
}

static void drawing_open(struct drawing *drawing, const struct shape *shape)
{
    size_t dims = shape->dims;
    double *weight = got(malloc(dims * sizeof *weight));
    *drawing = (struct drawing){.shape = shape, .random = got(gsl_rng_alloc(gsl_rng_mt19937))};
    gsl_rng_set(drawing->random, 1);
    drawing->feature_of = got(malloc(dims * sizeof *drawing->feature_of));
    drawing->rank_of = got(malloc(dims * sizeof *drawing->rank_of));
    drawing->times = got(calloc(dims, sizeof *drawing->times));
    for (size_t k = 0; k < dims; k++) {
        weight[k] = 1 / ((double)k + shape->offset);
        drawing->harmonic += weight[k];
        drawing->feature_of[k] = k;
    }
    drawing->ranks = got(gsl_ran_discrete_preproc(dims, weight));
    gsl_ran_shuffle(drawing->random, drawing->feature_of, dims, sizeof *drawing->feature_of);
    for (size_t k = 0; k < dims; k++)
        drawing->rank_of[drawing->feature_of[k]] = k;
    free(weight);
}

static void drawing_close(struct drawing *drawing)
{
    gsl_ran_discrete_free(drawing->ranks);
    gsl_rng_free(drawing->random);
    free(drawing->feature_of);
    free(drawing->rank_of);
    free(drawing->times);
}

static size_t draw_length(const struct drawing *drawing)
{
    const struct shape *shape = drawing->shape;
    double median = shape->mean * exp(-0.5 * shape->spread * shape->spread), most = 0.4 * (double)shape->dims;
    double length = median * exp(gsl_ran_gaussian_ratio_method(drawing->random, shape->spread));
    return (size_t)fmin(fmax(length + 0.5, 1), most);
}

static size_t draw_rank(const struct drawing *drawing, size_t topic)
{
    const struct shape *shape = drawing->shape;
    size_t rank = gsl_ran_discrete(drawing->random, drawing->ranks);
    if (gsl_rng_uniform(drawing->random) < shape->of_topic)
        rank = rank / shape->topics * shape->topics + topic;
    return rank < shape->dims ? rank : topic;
}

static int compare_features(const void *a, const void *b)
{
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

static double six_digits(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    return strtod(text, NULL);
}

static double value_of(const struct drawing *drawing, uint32_t feature)
{
    const struct shape *shape = drawing->shape;
    size_t rank = drawing->rank_of[feature];
    double expected = shape->mean / drawing->harmonic / ((double)rank + shape->offset);
    return shape->is_binary ? 1 : (1 + log(drawing->times[rank])) * log1p(1 / expected);
}

/* Draws the next row, with `length` features. */
static void draw_row(const struct drawing *drawing, size_t topic, size_t length, uint32_t *feature, double *value)
{
    size_t count = 0;
    double norm2 = 0;
    while (count < length) {
        size_t rank = draw_rank(drawing, topic);
        if (drawing->times[rank]++ == 0)
            feature[count++] = (uint32_t)drawing->feature_of[rank];
    }
    qsort(feature, length, sizeof *feature, compare_features);
    for (size_t k = 0; k < length; k++) {
        value[k] = value_of(drawing, feature[k]);
        norm2 += value[k] * value[k];
    }
    for (size_t k = 0; k < length; k++) {
        value[k] = drawing->shape->is_binary ? 1 : six_digits(value[k] / sqrt(norm2));
        drawing->times[drawing->rank_of[feature[k]]] = 0;
    }
}

void bench_sparse_made(struct bench_problem *problem, const char *name)
{
    const struct shape *shape = shapes;
    struct drawing drawing;
    while (strcmp(shape->name, name) != 0)
        shape++;
    *problem = (struct bench_problem){
        .n = shape->n, .dims = shape->dims, .width = shape->width, .c = shape->c, .mu = 1};
    snprintf(problem->name, sizeof problem->name, "%s", name);
    drawing_open(&drawing, shape);
    size_t *length = got(malloc(shape->n * sizeof *length)), nonzeros = 0;
    for (size_t i = 0; i < shape->n; i++)
        nonzeros += length[i] = draw_length(&drawing);
    struct patterns *patterns = &problem->sparse;
    if (patterns_create(patterns, shape->n, shape->dims, nonzeros, PATTERNS_COMPRESSED, NULL) != STATUS_OK)
        got(NULL);
    problem->y = got(malloc(shape->n));
    problem->rows = got(malloc(shape->n * sizeof *problem->rows));
    for (size_t i = 0; i < shape->n; i++) {
        size_t first = patterns->begin[i];
        problem->rows[i] = i;
        int is_positive = gsl_rng_uniform(drawing.random) < shape->positive;
        size_t topic = 2 * gsl_rng_uniform_int(drawing.random, shape->topics / 2) + (size_t)is_positive;
        problem->y[i] = is_positive != (gsl_rng_uniform(drawing.random) < shape->wrong) ? 1 : -1;
        draw_row(&drawing, topic, length[i], patterns->feature + first, patterns->values + first);
        patterns->begin[i + 1] = first + length[i];
    }
    free(length);
    drawing_close(&drawing);
}

/* The path of the set's file in that folder, possibly compressed; NULL if there is none. */
static char *find_file(const char *folder, size_t length, const char *name)
{
    static const char *const endings[] = {"", ".bz2", ".xz", ".gz"};
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        size_t size = length + strlen(name) + 8;
        char *path = got(malloc(size));
        snprintf(path, size, "%.*s/%s%s", (int)length, folder, name, endings[k]);
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

/* Moves labels and compressed patterns out of the data set. */
static void take_dataset(struct bench_problem *problem, struct dataset *dataset)
{
    problem->n = dataset->patterns.rows;
    problem->dims = dataset->patterns.dims;
    problem->y = got(malloc(problem->n));
    memcpy(problem->y, dataset->y, problem->n);
    problem->rows = got(malloc(problem->n * sizeof *problem->rows));
    for (size_t i = 0; i < problem->n; i++)
        problem->rows[i] = i;
    if (patterns_hold(&dataset->patterns, PATTERNS_COMPRESSED, NULL) != STATUS_OK)
        got(NULL);
    problem->sparse = dataset->patterns;
    dataset->patterns = (struct patterns){0};
}

int bench_sparse_file(struct bench_problem *problem, const struct bench *bench, const char *name)
{
    const char *folder = bench->search_path;
    size_t length = 0;
    char *path = NULL;
    struct dataset *dataset = NULL;
    while (folder && !path && search_path_next(&folder, &length))
        path = find_file(folder, length, name);
    struct dataset_request request = {.set.name = name, .set.file = path, .whole = 1, .set.format = "libsvm"};
    int is_read = path && load_dataset(&request, &dataset, NULL) == STATUS_OK;
    if (is_read) {
        *problem = (struct bench_problem){.width = 1, .c = 1, .mu = 1};
        snprintf(problem->name, sizeof problem->name, "%s", name);
        take_dataset(problem, dataset);
    }
    release_dataset(dataset);
    free(path);
    return is_read;
}

void bench_sparse_write(const struct bench_problem *problem, const char *path)
{
    const struct patterns *patterns = &problem->sparse;
    FILE *stream = fopen(path, "w");
    for (size_t i = 0; stream && i < problem->n; i++) {
        fprintf(stream, "%+d", problem->y[i]);
        for (size_t k = patterns->begin[i]; k < patterns->begin[i + 1]; k++)
            fprintf(stream, " %" PRIu32 ":%.15g", patterns->feature[k] + 1, patterns->values[k]);
        fputc('\n', stream);
    }
    if (!stream || fclose(stream) != 0) {
        fputs("bench: the data cannot be written\n", stderr);
        exit(4);
    }
}
