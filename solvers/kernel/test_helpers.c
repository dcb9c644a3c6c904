/* Threads that help with one problem: results have the bits of a single thread, other threads do take part, and
 * functions of plugins stay with the requesting thread. */
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "solvers/clock.h"
#include "solvers/kernel/helpers.h"
#include "solvers/kernel/oracle.h"
#include "tests/all_tests.h"

enum { DIMS = 3 };

static const struct kernel rbf = {.type = KERNEL_RBF, .width = 3};

/* n rows of numbers around 0 from a fixed sequence. */
struct sample {
    size_t n, *rows;
    double *x;
    struct points points;
};

static void open_patterns(struct sample *patterns, size_t n)
{
    uint64_t random = 5;
    *patterns = (struct sample){.n = n, .rows = malloc(n * sizeof(size_t)), .x = malloc(n * DIMS * sizeof(double))};
    assert_true(patterns->rows && patterns->x);
    for (size_t k = 0; k < n * DIMS; k++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        patterns->x[k] = (double)(random >> 40) * 0x1p-23 - 1;
    }
    for (size_t i = 0; i < n; i++)
        patterns->rows[i] = n - 1 - i;
    assert_int_equal(points_create(&patterns->points, KERNEL_RBF, patterns_dense(patterns->x, n, DIMS), patterns->rows,
                                   n, NULL),
                     STATUS_OK);
}

static void close_patterns(struct sample *patterns)
{
    points_free(&patterns->points);
    free(patterns->x);
    free(patterns->rows);
}

/* A request for everything in which helpers may take part, into one array. */
struct request {
    struct sample patterns;
    const struct simd *simd;
    struct kernel kernel;
    size_t budget; /* bytes: of a cache or of a full matrix */
    int keep_base;
    double ridge;
    size_t count;
    double *out; /* space for one row per result */
};

static double *place(struct request *request)
{
    return request->out + request->count++ * request->patterns.points.n_padded;
}

static void keep(struct request *request, const double *values, size_t count)
{
    memcpy(place(request), values, count * sizeof *values);
}

enum { RESULTS = 13 };

static void compute(void *context)
{
    struct request *request = context;
    const struct points *points = &request->patterns.points;
    size_t n = points->n, padded = points->n_padded, *some = malloc(n * sizeof *some), n_some = 0;
    double *weights = simd_doubles(n), *scratch = simd_doubles(n), *rows_sum = simd_doubles(n);
    struct gram *gram;
    struct oracle *oracle;
    assert_true(some && weights && scratch && rows_sum);
    assert_int_equal(gram_create(&gram, request->simd, points, request->budget, request->keep_base, NULL), STATUS_OK);
    assert_int_equal(oracle_create(&oracle, gram, NULL), STATUS_OK);
    gram_set_kernel(gram, &request->kernel);
    gram_set_ridge(gram, request->ridge);
    for (size_t i = 0; i < n; i++) {
        weights[i] = i % 7 == 0 ? 0 : i % 2 ? 0.25 : -1.5;
        if (i % 9 != 4)
            some[n_some++] = i;
    }
    keep(request, gram_row(gram, 0), padded);
    keep(request, gram_row(gram, n - 1), padded);
    double *sum = place(request);
    memset(sum, 0, padded * sizeof *sum);
    for (size_t i = 64; i < n; i++) /* a subset of the terms is enough */
        weights[i] = i % 64 ? 0 : weights[i];
    gram_expand(gram, weights, sum);
    for (size_t i = 0; i < n; i++) /* the same terms in the same order, row by row */
        if (weights[i] != 0)
            request->simd->axpy(padded, weights[i], gram_row(gram, i), rows_sum);
    assert_memory_equal(sum, rows_sum, n * sizeof *sum);
    oracle_predict(oracle, points, weights, 0.5, NULL, place(request));
    gram_set_active(gram, some, n_some);
    keep(request, gram_active_row(gram, 3, scratch), n_some);
    keep(request, gram_active_row(gram, n / 2, scratch), n_some);
    gram_prefetch_all(gram);
    for (size_t k = 0; k < 4; k++)
        keep(request, gram_row(gram, k * (n - 1) / 3), padded);
    gram_set_kernel(gram, &(struct kernel){.type = KERNEL_RBF, .width = 1}); /* base values are available, if kept */
    gram_prefetch_all(gram);
    for (size_t k = 0; k < 3; k++)
        keep(request, gram_row(gram, k * (n - 1) / 2), padded);
    assert_int_equal(request->count, RESULTS);
    oracle_free(oracle);
    gram_free(gram);
    free(some), free(weights), free(scratch), free(rows_sum);
}

static void compute_in_team(struct request *request, int threads)
{
    request->count = 0;
    request->out = simd_doubles(RESULTS * request->patterns.points.n_padded);
    assert_non_null(request->out);
#pragma omp parallel num_threads(threads)
#pragma omp single nowait
    helpers_with(compute, request);
}

/* Of the numbers of threads every second, from `first` on, unless all tests are asked for. */
static void all_have_the_bits_of_one_thread(size_t first, size_t n, size_t budget, int keep_base, double ridge)
{
    static const char *const widths[] = {"generic", "avx2", "avx512"};
    static const int threads[] = {1, 2, 3, 7};
    for (size_t w = 0; w < 3; w++) {
        struct request alone = {
            .simd = simd_select(widths[w]), .kernel = rbf, .budget = budget, .keep_base = keep_base, .ridge = ridge};
        if (!alone.simd)
            continue; /* the processor lacks it */
        open_patterns(&alone.patterns, n);
        compute_in_team(&alone, 1);
        for (size_t t = all_tests() ? 0 : first; t < 4; t += all_tests() ? 1 : 2) {
            struct request shared = alone;
            compute_in_team(&shared, threads[t]);
            assert_memory_equal(shared.out, alone.out, RESULTS * alone.patterns.points.n_padded * sizeof(double));
            free(shared.out);
        }
        free(alone.out);
        close_patterns(&alone.patterns);
    }
}

static void a_cache_has_the_bits_of_one_thread(void **state)
{
    static const size_t sizes[] = {65, 8192, 8193, 8191 + 2048, 12345};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        all_have_the_bits_of_one_thread(k % 2, sizes[k], 1 << 20, 0, k % 2 ? 0.25 : 0);
}

static void a_full_matrix_has_the_bits_of_one_thread(void **state)
{
    static const size_t sizes[] = {9, 511, 512, 513, 1021};
    (void)state;
    for (size_t k = 0; k < 2 * sizeof sizes / sizeof *sizes; k++)
        all_have_the_bits_of_one_thread((k + k / 2) % 2, sizes[k / 2], 1 << 28, k % 2, k % 2 ? 0 : 0.5);
}

/* ---- who computes ---- */

static const struct simd *real_simd;
static int seen; /* one bit per thread that computed */

static int note_thread(void)
{
    int now;
#pragma omp atomic capture
    now = seen |= 1 << omp_get_thread_num();
    return now;
}

/* Returns only after a second thread has come, or after ten seconds. */
static void patient_distances(size_t n, size_t dims, const double *point, const double *columns, size_t stride,
                              double *out)
{
    const double started = clock_now();
    const struct timespec nap = {.tv_nsec = 100000};
    for (int now = note_thread(); (now & (now - 1)) == 0 && clock_now() < started + 10; now = note_thread())
        nanosleep(&nap, NULL);
    real_simd->squared_distances(n, dims, point, columns, stride, out);
}

struct two_requests {
    struct gram *gram;
    const double *weights;
    double *out;
};

static void ask_for_a_row(void *context)
{
    (void)gram_row(((struct two_requests *)context)->gram, 5);
}

static void ask_for_a_sum(void *context)
{
    const struct two_requests *of = context;
    gram_expand(of->gram, of->weights, of->out);
}

static void idle_threads_take_part(void **state)
{
    struct simd patient;
    struct sample patterns;
    (void)state;
    real_simd = simd_select(NULL);
    patient = *real_simd;
    patient.squared_distances = patient_distances;
    open_patterns(&patterns, 8192);
    double *out = simd_doubles(patterns.n), *weights = simd_doubles(patterns.n);
    struct gram *gram;
    assert_true(out && weights);
    for (size_t i = 0; i < 16; i++)
        weights[i] = 1;
    assert_int_equal(gram_create(&gram, &patient, &patterns.points, 1, 0, NULL), STATUS_OK);
    gram_set_kernel(gram, &rbf);
    for (int what = 0; what < 2; what++) {
        seen = 0;
#pragma omp parallel num_threads(2)
#pragma omp single nowait
        helpers_with(what == 0 ? ask_for_a_row : ask_for_a_sum, &(struct two_requests){gram, weights, out});
        assert_int_equal(seen, 3);
    }
    gram_free(gram);
    free(out), free(weights);
    close_patterns(&patterns);
}

static double note_value(double distance2, const double *values)
{
    (void)note_thread();
    return 1 / (1 + distance2 / values[0]);
}

static void a_plugins_function_is_called_by_the_thread_that_asks(void **state)
{
    const struct parameter width = {.name = "width", .fallback = 1};
    const struct kernel_family own = {
        .name = "own", .type = KERNEL_OF_PLUGIN, .parameters = PARAMETERS(&width), .of_distance = note_value};
    struct request request = {.simd = simd_select(NULL),
                              .kernel = kernel_of_family(&own, &(double){2}),
                              .budget = 1};
    (void)state;
    open_patterns(&request.patterns, 8192);
    seen = 0;
    compute_in_team(&request, 3);
    assert_true(seen != 0 && (seen & (seen - 1)) == 0);
    free(request.out);
    close_patterns(&request.patterns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cache_has_the_bits_of_one_thread),
        cmocka_unit_test(a_full_matrix_has_the_bits_of_one_thread),
        cmocka_unit_test(idle_threads_take_part),
        cmocka_unit_test(a_plugins_function_is_called_by_the_thread_that_asks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
