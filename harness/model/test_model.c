/* Models: their predictions, recomputed from first principles; identical bits after writing and reading; LIBSVM's
 * predictions with them; and the exact message for each kind of invalid file. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if HAVE_LIBSVM
#include <libsvm/svm.h>
#endif

#include "harness/base/die.h"
#include "harness/support/file.h"
#include "harness/model/model.h"
#include "tests/all_tests.h"
#include "tests/scratch_folder.h"

static char path[SCRATCH_PATH_SIZE];
static struct pool *pool;

static int make_path(void **state)
{
    (void)state;
    pool = pool_new();
    return scratch_file_new(path, "test-model");
}

static int remove_path(void **state)
{
    (void)state;
    pool_free(pool);
    return remove(path);
}

enum { ROWS = 23, DIMS = 5, FIRST_INDEX_KINDS = 2 };

/* A random set whose rows all train; a fifth of the values and a third of the multipliers are 0. */
struct toy {
    struct dataset dataset;
    struct split split;
    double x[ROWS * DIMS], alpha[ROWS];
    signed char y[ROWS];
    size_t rows[ROWS];
    char names[2][8], source[8];
};

static void toy_fill(struct toy *toy, unsigned long seed, size_t first_index)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, seed);
    for (size_t i = 0; i < ROWS * DIMS; i++)
        toy->x[i] = gsl_rng_uniform_int(random, 5) == 0 ? 0 : 6 * gsl_rng_uniform(random) - 3;
    for (size_t i = 0; i < ROWS; i++) {
        toy->y[i] = gsl_rng_uniform_int(random, 2) || i == 0 ? 1 : -1;
        toy->alpha[i] = gsl_rng_uniform_int(random, 3) == 0 ? 0 : gsl_rng_uniform(random) / 7;
        toy->rows[i] = i;
    }
    strcpy(toy->names[0], "7");
    strcpy(toy->names[1], "-2");
    strcpy(toy->source, "toy");
    toy->dataset = (struct dataset){.patterns = {.rows = ROWS, .dims = DIMS, .values = toy->x},
                                    .y = toy->y,
                                    .source = toy->source,
                                    .class_names = {toy->names[0], toy->names[1]},
                                    .first_index = first_index};
    toy->split = (struct split){.number = 1, .n_train = ROWS, .train = toy->rows};
    gsl_rng_free(random);
}

static double kernel_value(const struct kernel *kernel, const double *a, const double *b)
{
    double dot = 0, distance = 0;
    for (size_t d = 0; d < DIMS; d++) {
        dot += a[d] * b[d];
        distance += (a[d] - b[d]) * (a[d] - b[d]);
    }
    if (kernel->type == KERNEL_RBF)
        return exp(-distance / kernel->width);
    return kernel->type == KERNEL_LINEAR ? dot : pow(kernel->scale * dot + kernel->offset, kernel->degree);
}

static const struct kernel kernels[] = {
    {.type = KERNEL_LINEAR},
    {.type = KERNEL_RBF, .width = 4.9},
    {.type = KERNEL_POLYNOMIAL, .degree = 3, .scale = 0.1, .offset = 0.7},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static struct model *toy_model(const struct toy *toy, const struct kernel *kernel, enum formulation formulation)
{
    const struct judgement judgement = {.objective = 0.3, .margin = 0.3, .bias = 0.123456789};
    struct kernel reachable = *kernel;
    if (kernel->type == KERNEL_RBF)
        reachable.width = model_width(kernel->width);
    return model_make(pool, &toy->dataset, &toy->split, formulation, &reachable, toy->alpha, &judgement);
}

static void write_model(const struct model *model)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    model_print(model, stream);
    assert_int_equal(fclose(stream), 0);
}

static double *decisions(const struct model *model, struct toy *toy)
{
    double *decision = simd_doubles(ROWS);
    const struct labelled_table table = {.rows = ROWS,
                                         .patterns = patterns_dense(toy->x, ROWS, DIMS),
                                         .first_index = toy->dataset.first_index};
    assert_non_null(decision);
    model_decide(model, simd_select(NULL), "toy", &table, decision);
    return decision;
}

/* f = scale (sum y alpha k + b), with scale 1, 2 / |W|^2 = 1 / objective and 1 / |W|^2 = 1 / (2 objective). */
static void a_model_decides_by_the_scaled_plane(void **state)
{
    (void)state;
    static const struct {
        enum formulation formulation;
        double scale;
    } cases[] = {{FORMULATION_C_SVM, 1}, {FORMULATION_NEAREST_POINTS, 1 / 0.3}, {FORMULATION_MINIMUM_NORM, 0.5 / 0.3}};
    struct toy toy;
    toy_fill(&toy, 3, 1);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t k = 0; k < KERNELS; k++) {
            struct model *model = toy_model(&toy, &kernels[k], cases[c].formulation);
            double *decision = decisions(model, &toy);
            for (size_t j = 0; j < ROWS; j++) {
                double wanted = 0.123456789, size = fabs(wanted);
                for (size_t i = 0; i < ROWS; i++) {
                    double term =
                        toy.y[i] * toy.alpha[i] * kernel_value(&kernels[k], toy.x + i * DIMS, toy.x + j * DIMS);
                    wanted += term;
                    size += fabs(term);
                }
                /* some thirty rounding errors of sums of this size */
                assert_true(fabs(decision[j] - cases[c].scale * wanted) <= 1e-14 * cases[c].scale * size);
            }
            free(decision);
        }
}

/* 80 000 times the toy's rows, in blocks of whole lanes; 23 is not a multiple of a lane. */
static void a_large_table_is_decided_row_by_row_with_the_bits_of_a_small_one(void **state)
{
    (void)state;
    enum { TIMES = 80000 };
    struct toy toy;
    struct error error = {STATUS_OK, ""};
    toy_fill(&toy, 11, 1);
    struct model *model = toy_model(&toy, &kernels[1], FORMULATION_C_SVM);
    double *wanted = decisions(model, &toy), *decision = simd_doubles((size_t)TIMES * ROWS);
    struct labelled_table table = {.rows = (size_t)TIMES * ROWS, .first_index = 1};
    assert_int_equal(patterns_create(&table.patterns, table.rows, DIMS, 0, PATTERNS_DENSE, &error), STATUS_OK);
    for (size_t k = 0; k < TIMES; k++)
        memcpy(table.patterns.values + k * ROWS * DIMS, toy.x, sizeof toy.x);
    for (int is_compressed = 0; is_compressed < 2; is_compressed++) {
        enum patterns_form form = is_compressed ? PATTERNS_COMPRESSED : PATTERNS_DENSE;
        assert_int_equal(patterns_hold(&table.patterns, form, &error), STATUS_OK);
        memset(decision, 0xff, table.rows * sizeof *decision);
        model_decide(model, simd_select(NULL), "toy", &table, decision);
        for (size_t k = 0; k < TIMES; k++)
            assert_memory_equal(decision + k * ROWS, wanted, ROWS * sizeof *wanted);
    }
    patterns_free(&table.patterns);
    free(wanted);
    free(decision);
}

static void what_is_read_decides_with_the_same_bits(void **state)
{
    (void)state;
    for (size_t first = 0; first < FIRST_INDEX_KINDS; first++)
        for (size_t k = 0; k < KERNELS; k++)
            for (unsigned long seed = 1; seed <= 20; seed++) {
                struct toy toy;
                char *text = NULL, *again = NULL;
                toy_fill(&toy, seed, first);
                struct model *model =
                    toy_model(&toy, &kernels[k], seed % 2 ? FORMULATION_C_SVM : FORMULATION_NEAREST_POINTS);
                write_model(model);
                struct model *read = model_read(pool, path);
                double *before = decisions(model, &toy), *after = decisions(read, &toy);
                assert_memory_equal(before, after, ROWS * sizeof *before);
                text = read_file(path, NULL);
                write_model(read);
                again = read_file(path, NULL);
                assert_string_equal(text, again);
                free(text), free(again), free(before), free(after);
            }
}

/* A file holds gamma, so the width that a model is trained with has to be 1 / gamma for some gamma. */
static void every_width_has_a_gamma_after_one_rounding(void **state)
{
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    size_t moved = 0;
    for (size_t i = 0; i < 20000; i++) {
        double width = exp(40 * gsl_rng_uniform(random) - 20), made = model_width(width);
        assert_true(fabs(made - width) <= nextafter(width, HUGE_VAL) - width);
        assert_true(model_width(made) == made);
        moved += made != width;
    }
    assert_true(moved > 100 &&
                moved < 10000); /* above sqrt(2) times a power of two the gammas are sparser than the widths */
    assert_true(model_width(120) == 120 && model_width(0.5) == 0.5 && model_width(3) == 3);
    gsl_rng_free(random);
}

static void libsvm_reads_a_model_and_decides_alike(void **state)
{
    (void)state;
#if HAVE_LIBSVM
    for (size_t k = 0; k < KERNELS; k++) {
        struct toy toy;
        toy_fill(&toy, 5, 1);
        struct model *model = toy_model(&toy, &kernels[k], FORMULATION_NEAREST_POINTS);
        write_model(model);
        double *decision = decisions(model, &toy);
        struct svm_model *theirs = svm_load_model(path);
        assert_non_null(theirs);
        for (size_t j = 0; j < ROWS; j++) {
            struct svm_node nodes[DIMS + 1] = {{0}};
            double value;
            for (int d = 0; d < DIMS; d++)
                nodes[d] = (struct svm_node){d + 1, toy.x[j * DIMS + (size_t)d]};
            nodes[DIMS].index = -1;
            double label = svm_predict_values(theirs, nodes, &value);
            assert_true(fabs(value - decision[j]) <= 1e-12 * fmax(1, fabs(value))); /* sums in another order */
            assert_true(label == model->label[!(decision[j] > 0)]);
        }
        svm_free_and_destroy_model(&theirs);
        free(decision);
    }
#else
    skip_for(no_libsvm);
#endif
}

static void take_labels(void *dataset)
{
    int label[2];
    model_labels(dataset, label);
}

static void labels_that_a_model_cannot_hold_are_refused(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"yes", "no"}, {"1.5", "1"}, {"3e9", "0"}, {"x", "1"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct toy toy;
        struct error error = {STATUS_OK, ""};
        toy_fill(&toy, 1, 1);
        for (size_t c = 0; c < 2; c++)
            strcpy(toy.names[c], names[i][c]);
        assert_int_equal(attempt(take_labels, &toy.dataset, &error), STATUS_BAD_INPUT);
        assert_non_null(strstr(error.message, "are not whole numbers; a model needs class labels such as 1 and -1"));
        assert_non_null(strstr(error.message, names[i][0]));
    }
    struct toy toy;
    int label[2];
    toy_fill(&toy, 1, 1);
    strcpy(toy.names[0], "2.0");
    strcpy(toy.names[1], "-1e1");
    model_labels(&toy.dataset, label);
    assert_true(label[0] == 2 && label[1] == -10);
}

#define TYPES "svm_type c_svc\nkernel_type rbf\n"
#define HEAD TYPES "gamma 0.5\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\nnr_sv 1 1\n"

static struct model *model_that_was_read;

static void read_model(void *file)
{
    model_that_was_read = NULL;
    model_that_was_read = model_read(pool, file);
}

static void bad_models_are_refused_with_line_column_and_field(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", ":1:1: the line SV is missing, so the model is incomplete"},
        {TYPES, ":3:1: the line SV is missing, so the model is incomplete"},
        {"SV\n", ":1:1: the header has no line svm_type"},
        {TYPES "SV\n", ":3:1: the header has no line gamma"},
        {"svm_type c_svc\nSV\n", ":2:1: the header has no line kernel_type"},
        {"svm_type c_svc\nkernel_type polynomial\ngamma 1\nSV\n", ":4:1: the header has no line degree"},
        {"svm_type one_class\n",
         ":1:10: svm_type: \"one_class\" is not c_svc or nu_svc"},
        {"svm_type epsilon_svr\n", ":1:10: svm_type: \"epsilon_svr\" is not c_svc or nu_svc"},
        {"svm_type nu_svr\n", ":1:10: svm_type: \"nu_svr\" is not c_svc or nu_svc"},
        {"svm_type\n", ":1:1: svm_type: \"\" is not c_svc or nu_svc"},
        {"svm_type c_svc twice\n", ":1:16: svm_type: \"twice\" is not expected here"},
        {"svm_type c_svc\nsvm_type c_svc\n", ":2:1: svm_type occurs twice"},
        {"svm_type c_svc\nkernel_type sigmoid\n", ":2:13: kernel_type: \"sigmoid\" is not linear, polynomial or rbf"},
        {"svm_type c_svc\nkernel_type precomputed\n",
         ":2:13: kernel_type: \"precomputed\" is not linear, polynomial or rbf"},
        {"svm_tipe c_svc\n", ":1:1: header: \"svm_tipe\" is not a key of a LIBSVM model"},
        {"1 1:2\n", ":1:1: header: \"1\" is not a key of a LIBSVM model"},
        {TYPES "gamma x\n", ":3:7: gamma: \"x\" is not a finite number from 0 on"},
        {TYPES "gamma -1\n", ":3:7: gamma: \"-1\" is not a finite number from 0 on"},
        {TYPES "gamma inf\n", ":3:7: gamma: \"inf\" is not a finite number from 0 on"},
        {TYPES "gamma 1e999\n", ":3:7: gamma: \"1e999\" is not a finite number from 0 on"},
        {TYPES "gamma\n", ":3:1: gamma: \"\" is not a finite number from 0 on"},
        {TYPES "degree 0\n", ":3:8: degree: \"0\" is not a whole number from 1 to 64"},
        {TYPES "degree 2.5\n", ":3:8: degree: \"2.5\" is not a whole number from 1 to 64"},
        {TYPES "coef0 nan\n", ":3:7: coef0: \"nan\" is not a finite number"},
        {TYPES "nr_class 3\n", ":3:1: nr_class 3: hullbench reads only models of two classes"},
        {TYPES "nr_class 1\n", ":3:1: nr_class 1: hullbench reads only models of two classes"},
        {TYPES "nr_class two\n", ":3:10: nr_class: \"two\" is not a whole number from 1 to 2147483647"},
        {TYPES "total_sv -1\n", ":3:10: total_sv: \"-1\" is not a whole number from 0 to 2147483647"},
        {TYPES "rho nan\n", ":3:5: rho: \"nan\" is not a finite number"},
        {TYPES "rho 1 2 3\n", ":3:7: rho: \"2\" is not expected here"},
        {TYPES "label 1\n", ":3:1: label: \"\" is not a whole number"},
        {TYPES "label 1 -1 2\n", ":3:12: label: \"2\" is not expected here"},
        {TYPES "label 1 1\n", ":3:1: label: both classes are 1"},
        {TYPES "label 1 0.5\n", ":3:9: label: \"0.5\" is not a whole number"},
        {TYPES "nr_sv 1 -1\n", ":3:9: nr_sv: \"-1\" is not a whole number from 0"},
        {TYPES "gamma 0.5\nnr_class 2\ntotal_sv 3\nrho 0\nlabel 1 -1\nnr_sv 1 1\nSV\n",
         ":9:1: total_sv 3 is not the sum of nr_sv 1 and 1"},
        {TYPES
         "gamma 0.5\nnr_class 2\ntotal_sv 2000000000\nrho 0\nlabel 1 -1\nnr_sv 1000000000 1000000000\nSV\n1 1:1\n",
         ":11:1: SV: 1 lines, but total_sv is 2000000000"},
        {HEAD "SV\n1 1:1\n", ":11:1: SV: 1 lines, but total_sv is 2"},
        {HEAD "SV\n1 1:1\n-1 1:1\n-1 1:1\n", ":12:1: SV: more lines than total_sv 2"},
        {HEAD "SV\none 1:1\n-1 1:1\n", ":10:1: SV: \"one\" is not a coefficient, a finite number"},
        {HEAD "SV\ninf 1:1\n-1 1:1\n", ":10:1: SV: \"inf\" is not a coefficient"},
        {HEAD "SV\n1 1:1\n-1 1\n", ":11:4: \"1\" is not index:value"},
        {HEAD "SV\n1 1:1\n-1 -1:1\n", ":11:4: \"-1:1\" is not index:value"},
        {HEAD "SV\n1 2:1 2:1\n-1 1:1\n", ":10:7: index 2 follows 2; indices must increase"},
        {HEAD "SV\n1 99999999999:1\n-1 1:1\n", ":10:3: index of \"99999999999:1\" is out of range"},
        {HEAD "SV\n1 1:x\n-1 1:1\n", ":10:5: \"1:x\" is not index:value; the value must be a number"},
        {HEAD "SV\n1 1:\n-1 1:1\n", ":10:5: \"1:\" is not index:value; the value must be a number"},
        {HEAD "SV\n1 1:1\n-1 2:1.25", ":11:10: the file ends within this line, so it is cut off"},
        {TYPES "gamma 0.5\nnr_class 2\ntotal_sv 0\nrho 0\nlabel 1 -1\nnr_sv 0 0\nSV",
         ":9:3: the file ends within this line, so it is cut off"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {STATUS_OK, ""};
        file_write(path, cases[i].text, strlen(cases[i].text));
        enum status status = attempt(read_model, path, &error);
        if (status != STATUS_BAD_INPUT || !strstr(error.message, cases[i].message) ||
            strncmp(error.message, path, strlen(path)))
            fail_msg("case %zu: status %d, \"%s\" has no \"%s\"", i, (int)status, error.message, cases[i].message);
        assert_null(model_that_was_read);
    }
}

/* Any truncation of a valid file gives a model or a one-line error, never a crash. */
static void every_beginning_of_a_model_is_read_or_refused(void **state)
{
    (void)state;
    static const char text[] = HEAD "SV\n1 1:1 3:2e-1\r\n\n-1 2:1 \n";
    size_t good = 0;
    for (size_t size = 0; size <= strlen(text); size++) {
        struct error error = {STATUS_OK, ""};
        file_write(path, text, size);
        enum status status = attempt(read_model, path, &error);
        assert_true(status == STATUS_OK ? model_that_was_read != NULL : !model_that_was_read && error.message[0]);
        good += status == STATUS_OK;
    }
    assert_int_equal(good, 1); /* only the complete file: a truncated one does not end in a newline, or lacks lines */
    struct error error;
    file_write(path, "svm_type\0c_svc", 14);
    assert_int_equal(attempt(read_model, path, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, ":1:9: zero byte"));
    assert_int_equal(attempt(read_model, (char[]){"/nowhere/model"}, &error), STATUS_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_decides_by_the_scaled_plane),
        cmocka_unit_test(a_large_table_is_decided_row_by_row_with_the_bits_of_a_small_one),
        cmocka_unit_test(what_is_read_decides_with_the_same_bits),
        cmocka_unit_test(every_width_has_a_gamma_after_one_rounding),
        cmocka_unit_test(libsvm_reads_a_model_and_decides_alike),
        cmocka_unit_test(labels_that_a_model_cannot_hold_are_refused),
        cmocka_unit_test(bad_models_are_refused_with_line_column_and_field),
        cmocka_unit_test(every_beginning_of_a_model_is_read_or_refused),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
