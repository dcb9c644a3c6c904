/*
 * Data sets that need no file.
 *
 * twonorm and ringnorm (L. Breiman, Bias, variance, and arcing classifiers, 1996), d = 20, a = 2/sqrt(20), I the
 * identity matrix, classes with probability 1/2:
 *     twonorm   +1 ~ N(a (1, ..., 1), I),   -1 ~ N(-a (1, ..., 1), I)
 *     ringnorm  +1 ~ N(0, 4 I),             -1 ~ N(a (1, ..., 1), I)
 * Other descriptions of ringnorm print a = 1/sqrt(20). The benchmark file was generated with 2/sqrt(20): the distance
 * of its class means, in standard deviations of its class -1, is 0.456 with a standard error of 0.008.
 *
 * waveform (L. Breiman, J. Friedman, R. Olshen and C. Stone, Classification and Regression Trees, 1984), d = 21, each
 * of three classes with probability 1/3, u uniform on (0, 1), e standard normal, i = 1 .. 21:
 *     x_i = u g_i + (1 - u) h_i + e_i,  h1(i) = max(6 - |i - 11|, 0),  h2(i) = h1(i - 4),  h3(i) = h1(i + 4)
 * with (g, h) = (h1, h3), (h1, h2), (h2, h3). The first of these is +1, the other two are -1. The signs and, up to
 * noise, the class means and shares are those of the benchmark file.
 *
 * titanic: the 2201 persons aboard by class, sex, age and survival (R. J. M. Dawson, The "unusual episode" data
 * revisited, Journal of Statistics Education 3(3), 1995). Survivors are +1.
 *
 * Families of generated sets vary one property at a time, so that the cost of a solver can be fitted as a function of
 * it. Each row draws its class first: +1 with probability `positives`. Finally the label is flipped with probability
 * `label_noise`.
 *
 * gaussians: two normal distributions in `features` dimensions whose means differ only in feature 1.
 *     x_j = s_j (e_j + y m [j = 1]),  m = separation / 2,  s_j = condition^(-(j - 1) / (features - 1)),  e_j ~ N(0, 1)
 * With equal classes, no label noise and all values kept, the Bayes error is Phi(-m). Each x_j is kept with probability
 * `density` and is 0 otherwise. The s_j are rounded to 12 digits because the last bit of pow() differs between math
 * libraries.
 *
 * chessboard: x uniform on [0, 4]^2; +1 on the squares whose rounded-down coordinates have an even sum. A row is
 * redrawn until it lies on a square of its class.
 *
 * Normal deviates come from gsl_ran_gaussian_ratio_method. Its value is a quotient of two numbers that are computed
 * exactly from the generator's integers; it calls the logarithm only to decide whether to keep a pair. So the bits do
 * not depend on the math library, unless a draw falls within a rounding error of that decision. Box-Muller and ziggurat
 * deviates lack this property: they are computed from a logarithm or exponential.
 */
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/dataset_parts.h"
#include "harness/data/dataset_text.h"
#include "harness/stats/distributions.h"
#include "harness/support/decimal.h"

/* Adds the values of the first rows, then their labels. */
static void hash_rows(struct sha256 *hash, const struct dataset *dataset, size_t rows)
{
    for (size_t i = 0; i < rows * dataset->patterns.dims; i++)
        sha256_add_double(hash, dataset->patterns.values[i]);
    for (size_t i = 0; i < rows; i++)
        sha256_add_word(hash, (uint64_t)(int64_t)dataset->y[i]);
}

/* ---- known sets ---- */

static void twonorm_row(gsl_rng *random, double *x, signed char *label)
{
    const double a = 2 / sqrt(20.0);
    *label = gsl_rng_uniform(random) < 0.5 ? 1 : -1;
    for (size_t i = 0; i < 20; i++)
        x[i] = *label * a + gsl_ran_gaussian_ratio_method(random, 1);
}

static void ringnorm_row(gsl_rng *random, double *x, signed char *label)
{
    const double a = 2 / sqrt(20.0);
    *label = gsl_rng_uniform(random) < 0.5 ? 1 : -1;
    for (size_t i = 0; i < 20; i++) {
        double deviate = gsl_ran_gaussian_ratio_method(random, 1);
        x[i] = *label > 0 ? 2 * deviate : a + deviate;
    }
}

/* The triangular wave with its peak of 6 at `peak`. */
static double wave(int i, int peak)
{
    int height = 6 - abs(i - peak);
    return height > 0 ? height : 0;
}

static void waveform_row(gsl_rng *random, double *x, signed char *label)
{
    enum { h1 = 11, h2 = 15, h3 = 7 }; /* peaks of the waves */
    static const int pairs[3][2] = {{h1, h3}, {h1, h2}, {h2, h3}};
    unsigned long which = gsl_rng_uniform_int(random, 3);
    double u = gsl_rng_uniform_pos(random);
    *label = which == 0 ? 1 : -1;
    for (int i = 1; i <= 21; i++)
        x[i - 1] = u * wave(i, pairs[which][0]) + (1 - u) * wave(i, pairs[which][1]) +
                   gsl_ran_gaussian_ratio_method(random, 1);
}

static const struct generator {
    const char *name;
    size_t rows, dims;
    void (*row)(gsl_rng *random, double *x, signed char *label);
} generators[] = {
    {"twonorm", 7400, 20, twonorm_row},
    {"ringnorm", 7400, 20, ringnorm_row},
    {"waveform", 5000, 21, waveform_row},
};

/* Features: class (1, 2, 3, crew 4), child (0, 1), male (0, 1): equal to the benchmark file after standardisation. */
static void titanic(struct dataset *dataset)
{
    static const struct {
        signed char class, child, male;
        short died, survived;
    } persons[] = {
        {1, 0, 0, 4, 140},  {1, 0, 1, 118, 57}, {1, 1, 0, 0, 1},   {1, 1, 1, 0, 5},  {2, 0, 0, 13, 80},
        {2, 0, 1, 154, 14}, {2, 1, 0, 0, 13},   {2, 1, 1, 0, 11},  {3, 0, 0, 89, 76}, {3, 0, 1, 387, 75},
        {3, 1, 0, 17, 14},  {3, 1, 1, 35, 13},  {4, 0, 0, 3, 20}, {4, 0, 1, 670, 192},
    };
    dataset_allocate(dataset, 24, 3);
    size_t row = 0;
    for (size_t i = 0; i < sizeof persons / sizeof *persons; i++)
        for (int survived = 0; survived < 2; survived++) {
            short count = survived ? persons[i].survived : persons[i].died;
            if (count == 0)
                continue;
            double *x = dataset->patterns.values + 3 * row;
            x[0] = persons[i].class;
            x[1] = persons[i].child;
            x[2] = persons[i].male;
            dataset->y[row] = survived ? 1 : -1;
            dataset->multiplicity[row++] = (size_t)count;
        }
}

void dataset_generate(uint64_t seed, struct dataset *dataset)
{
    struct pool *inner = pool_new();
    gsl_rng *random = random_numbers(inner, split_seed(seed, dataset->name, 0));
    struct sha256 hash;
    size_t g = 0, count = sizeof generators / sizeof *generators;
    while (g < count && strcmp(generators[g].name, dataset->name) != 0)
        g++;
    if (g < count) {
        dataset_allocate(dataset, generators[g].rows, generators[g].dims);
        for (size_t i = 0; i < generators[g].rows; i++)
            generators[g].row(random, dataset->patterns.values + i * generators[g].dims, &dataset->y[i]);
    } else if (strcmp(dataset->name, "titanic") == 0)
        titanic(dataset);
    else
        die(STATUS_BAD_INPUT, "data set \"%s\" cannot be generated; allowed: twonorm, ringnorm, waveform, titanic",
            dataset->name);
    dataset_close(dataset);
    sha256_begin(&hash);
    hash_rows(&hash, dataset, dataset->patterns.rows);
    for (size_t i = 0; i < dataset->patterns.rows; i++)
        sha256_add_word(&hash, dataset->multiplicity[i]);
    sha256_end(&hash, dataset->sha256);
    pool_free(inner);
}

/* ---- families ---- */

const char *const family_shapes[] = {[FAMILY_GAUSSIANS] = "gaussians", [FAMILY_CHESSBOARD] = "chessboard", NULL};

/* Draws a row of that class; `scale` has the s_j. */
static void gaussians_row(const struct dataset_family *family, const double *scale, gsl_rng *random, int class,
                          double *x)
{
    for (size_t j = 0; j < family->features; j++) {
        const double deviate = gsl_ran_gaussian_ratio_method(random, 1);
        const double mean = j == 0 ? class * family->separation / 2 : 0;
        const int is_kept = family->density == 1 || gsl_rng_uniform(random) < family->density;
        x[j] = is_kept ? scale[j] * (deviate + mean) : 0;
    }
}

static void chessboard_row(gsl_rng *random, int class, double *x)
{
    int sum;
    do {
        x[0] = 4 * gsl_rng_uniform(random);
        x[1] = 4 * gsl_rng_uniform(random);
        sum = (int)x[0] + (int)x[1];
    } while ((sum % 2 == 0) != (class > 0));
}

void dataset_draw_family(const struct dataset_request *request, struct dataset *dataset)
{
    const struct dataset_family *family = request->set.family;
    const size_t n_train = request->set.n_train, n_test = request->set.n_test, size = n_train + n_test,
                 splits = request->want_splits ? request->want_splits : DEFAULT_SPLITS, features = family->features;
    struct patterns *patterns = &dataset->patterns;
    struct pool *inner = pool_new();
    double *scale = pool_array(inner, features, sizeof *scale);
    gsl_rng *random = random_numbers(inner, 0);
    struct sha256 hash;
    struct error error = {0};
    splits_allocate(dataset, splits, size);
    dataset_allocate(dataset, splits * size, features);
    scale[0] = 1;
    for (size_t j = 1; j < features; j++)
        scale[j] = round_to_12_digits(pow(family->condition, -(double)j / (double)(features - 1)));
    for (size_t i = 0; i < splits * size; i++) {
        if (i % size == 0)
            gsl_rng_set(random, split_seed(request->seed, dataset->name, i / size + 1));
        const int class = gsl_rng_uniform(random) < family->positives ? 1 : -1;
        if (family->shape == FAMILY_GAUSSIANS)
            gaussians_row(family, scale, random, class, patterns->values + i * features);
        else
            chessboard_row(random, class, patterns->values + i * features);
        dataset->y[i] = (signed char)(gsl_rng_uniform(random) < family->label_noise ? -class : class);
        dataset->indices[i] = i;
    }
    for (size_t s = 0; s < splits; s++) {
        const size_t *rows = dataset->indices + s * size;
        dataset->splits[s] = (struct split){s + 1, SPLIT_GENERATED, n_train, n_test, rows, rows + n_train};
        if (!split_has_both_classes(dataset->y, rows, n_train))
            die(STATUS_BAD_INPUT,
                "%s: the training part of split %zu has only one class; raise \"n_train\", or bring \"positives\" "
                "closer to 0.5",
                dataset->name, s + 1);
    }
    dataset->n_splits = splits;
    const double numbers[] = {(double)family->shape, (double)features, family->separation,
                              family->condition,     family->density,  family->positives,
                              family->label_noise,   (double)n_train,  (double)n_test};
    sha256_begin(&hash);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sha256_add_double(&hash, numbers[i]);
    hash_rows(&hash, dataset, size);
    sha256_end(&hash, dataset->sha256);
    dataset_close(dataset);
    /* The smaller form, or the one that HULLBENCH_STORAGE requests. */
    die_unless_ok(patterns_hold(patterns,
                                patterns_choose(dataset_text_form(NULL), patterns->rows, patterns->dims,
                                                patterns_nonzeros(patterns)),
                                &error),
                  &error);
    pool_free(inner);
}
