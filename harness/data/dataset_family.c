/*
 * Families of generated data sets. Each row draws its class first: +1 with probability `positives`.
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
 * Finally the label is flipped with probability `label_noise`. Normal deviates come from the ratio method, whose bits
 * do not depend on the math library (dataset_synthetic.c).
 */
#include "harness/data/dataset_family.h"

#include <gsl/gsl_randist.h>
#include <math.h>

#include "harness/base/die.h"
#include "harness/data/dataset_parts.h"
#include "harness/data/dataset_text.h"
#include "harness/support/round_to_12_digits.h"
#include "harness/support/sha256.h"

const char *const family_shapes[] = {[FAMILY_GAUSSIANS] = "gaussians", [FAMILY_CHESSBOARD] = "chessboard", NULL};

/* The state for drawing the rows of one data set. */
struct drawing {
    const struct dataset_family *family;
    const double *scale; /* features */
    gsl_rng *random;
};

static void gaussians_row(const struct drawing *drawing, int class, double *x)
{
    const struct dataset_family *family = drawing->family;
    for (size_t j = 0; j < family->features; j++) {
        const double deviate = gsl_ran_gaussian_ratio_method(drawing->random, 1);
        const double mean = j == 0 ? class * family->separation / 2 : 0;
        const int is_kept = family->density == 1 || gsl_rng_uniform(drawing->random) < family->density;
        x[j] = is_kept ? drawing->scale[j] * (deviate + mean) : 0;
    }
}

static void chessboard_row(const struct drawing *drawing, int class, double *x)
{
    int sum;
    do {
        x[0] = 4 * gsl_rng_uniform(drawing->random);
        x[1] = 4 * gsl_rng_uniform(drawing->random);
        sum = (int)x[0] + (int)x[1];
    } while ((sum % 2 == 0) != (class > 0));
}

static void draw_row(const struct drawing *drawing, double *x, signed char *label)
{
    const struct dataset_family *family = drawing->family;
    const int class = gsl_rng_uniform(drawing->random) < family->positives ? 1 : -1;
    if (family->shape == FAMILY_GAUSSIANS)
        gaussians_row(drawing, class, x);
    else
        chessboard_row(drawing, class, x);
    *label = (signed char)(gsl_rng_uniform(drawing->random) < family->label_noise ? -class : class);
}

/* Split s, from 0, takes the rows from s (n_train + n_test). */
static void add_split(struct dataset *dataset, size_t s, size_t n_train, size_t n_test)
{
    const size_t first = s * (n_train + n_test);
    size_t *rows = dataset->indices + first;
    for (size_t i = 0; i < n_train + n_test; i++)
        rows[i] = first + i;
    dataset->splits[s] = (struct split){.number = s + 1,
                                        .source = SPLIT_GENERATED,
                                        .n_train = n_train,
                                        .n_test = n_test,
                                        .train = rows,
                                        .test = rows + n_train};
    if (!split_has_both_classes(dataset->y, rows, n_train))
        die(STATUS_BAD_INPUT,
            "%s: the training part of split %zu has only one class; raise \"n_train\", or bring \"positives\" closer "
            "to 0.5",
            dataset->name, s + 1);
}

static void fill_scales(const struct dataset_family *family, double *scale)
{
    scale[0] = 1;
    for (size_t j = 1; j < family->features; j++)
        scale[j] = round_to_12_digits(pow(family->condition, -(double)j / (double)(family->features - 1)));
}

static void draw_split(const struct drawing *drawing, size_t s, size_t split_size, uint64_t seed,
                       struct dataset *dataset)
{
    const size_t features = drawing->family->features;
    gsl_rng_set(drawing->random, split_seed(seed, dataset->name, s + 1));
    for (size_t i = s * split_size; i < (s + 1) * split_size; i++)
        draw_row(drawing, dataset->patterns.values + i * features, &dataset->y[i]);
}

/* Hashes the family's parameters, the sizes, and the rows and labels of split 1. */
static void hash_family(const struct dataset_family *family, struct dataset *dataset)
{
    const struct split *split = &dataset->splits[0];
    const size_t size = split->n_train + split->n_test;
    const double numbers[] = {(double)family->shape, (double)family->features, family->separation,
                              family->condition,     family->density,          family->positives,
                              family->label_noise,   (double)split->n_train,   (double)split->n_test};
    struct sha256 hash;
    sha256_begin(&hash);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sha256_add_double(&hash, numbers[i]);
    for (size_t i = 0; i < size * family->features; i++)
        sha256_add_double(&hash, dataset->patterns.values[i]);
    for (size_t i = 0; i < size; i++)
        sha256_add_word(&hash, (uint64_t)(int64_t)dataset->y[i]);
    sha256_end(&hash, dataset->sha256);
}

static void allocate(struct dataset *dataset, size_t splits, size_t split_size, size_t features)
{
    if (split_size > SIZE_MAX / sizeof(size_t) / splits)
        die(STATUS_NO_MEMORY, "%s: %zu splits of %zu rows do not fit into memory", dataset->name, splits, split_size);
    dataset_allocate(dataset, splits * split_size, features);
    dataset->splits = pool_array(dataset->pool, splits, sizeof *dataset->splits);
    dataset->indices = pool_array(dataset->pool, splits * split_size, sizeof *dataset->indices);
}

/* Stores the patterns in the smaller form, or in the form that HULLBENCH_STORAGE requests. */
static void choose_form(struct dataset *dataset)
{
    struct patterns *patterns = &dataset->patterns;
    struct error error = {0};
    die_unless_ok(patterns_hold(patterns,
                                patterns_choose(dataset_text_form(), patterns->rows, patterns->dims,
                                                patterns_nonzeros(patterns)),
                                &error),
                  &error);
}

void dataset_draw_family(const struct dataset_family *family, size_t splits, size_t n_train, size_t n_test,
                         uint64_t seed, struct dataset *dataset)
{
    const size_t split_size = n_train + n_test;
    struct pool *inner = pool_new();
    double *scale = pool_array(inner, family->features, sizeof *scale);
    const struct drawing drawing = {.family = family, .scale = scale, .random = split_generator(inner)};
    allocate(dataset, splits, split_size, family->features);
    fill_scales(family, scale);
    for (size_t s = 0; s < splits; s++)
        draw_split(&drawing, s, split_size, seed, dataset);
    pool_free(inner);
    for (size_t s = 0; s < splits; s++)
        add_split(dataset, s, n_train, n_test);
    dataset->n_splits = splits;
    hash_family(family, dataset);
    dataset_close(dataset);
    choose_form(dataset);
}
