/* The parts of the bench that can be checked without a clock: its problems, peers' files, and the violation it
 * recomputes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/bench/bench.h"

static void a_made_problem_is_the_same_each_time(void **state)
{
    (void)state;
    static const char *const names[] = {"twonorm", "ringnorm", "waveform", "moons", "chessboard", "ijcnn1-like"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct bench_problem one, two;
        bench_problem_made(&one, names[k], 100);
        bench_problem_made(&two, names[k], 200); /* begins with the same patterns */
        assert_true(one.n == 100 && two.n == 200 && one.dims == two.dims);
        assert_memory_equal(one.x, two.x, one.n * one.dims * sizeof *one.x);
        assert_memory_equal(one.y, two.y, one.n);
        bench_problem_free(&one);
        bench_problem_free(&two);
    }
}

static void ijcnn1_like_has_one_positive_in_ten_and_one_feature_of_ten_on(void **state)
{
    (void)state;
    enum { N = 10000, SWITCHES = 10, DIMS = 22 };
    struct bench_problem problem;
    double positive = 0;
    bench_problem_made(&problem, "ijcnn1-like", N);
    assert_int_equal(problem.dims, DIMS);
    for (size_t i = 0; i < N; i++) {
        const double *x = problem.x + i * DIMS;
        size_t on = 0, which = 0;
        for (size_t d = 0; d < SWITCHES; d++)
            if (x[d] != 0) {
                assert_true(x[d] == 1);
                on++;
                which = d;
            }
        assert_int_equal(on, 1);
        assert_int_equal(problem.y[i], fabs(x[SWITCHES + which + 1]) > 1.645 * 0.3 ? 1 : -1);
        positive += problem.y[i] > 0;
    }
    assert_true(fabs(positive / N - 0.1) < 5 * sqrt(0.1 * 0.9 / N)); /* five deviations of a binomial share */
    bench_problem_free(&problem);
}

static void a_sparse_problem_has_its_shape_and_is_the_same_each_time(void **state)
{
    (void)state;
    struct bench_problem problem, again;
    bench_sparse_made(&problem, "text 2000 x 50000");
    bench_sparse_made(&again, "text 2000 x 50000");
    const struct patterns *sparse = &problem.sparse;
    size_t nonzeros = sparse->begin[problem.n];
    double mean = (double)nonzeros / 2000;
    assert_true(problem.n == 2000 && problem.dims == 50000 && sparse->rows == 2000 && sparse->dims == 50000);
    assert_true(fabs(mean - 75) < 5 * 75 * sqrt(expm1(0.25) / 2000)); /* five deviations of a mean of log-normals */
    for (size_t i = 0; i < problem.n; i++) {
        double norm2 = 0;
        for (size_t k = sparse->begin[i]; k < sparse->begin[i + 1]; k++) {
            assert_true(sparse->values[k] > 0 && sparse->feature[k] < problem.dims);
            assert_true(k == sparse->begin[i] || sparse->feature[k] > sparse->feature[k - 1]);
            norm2 += sparse->values[k] * sparse->values[k];
        }
        assert_true(fabs(norm2 - 1) < 1e-4); /* six digits per value */
        assert_true(problem.y[i] == 1 || problem.y[i] == -1);
    }
    assert_memory_equal(sparse->values, again.sparse.values, nonzeros * sizeof *sparse->values);
    assert_memory_equal(sparse->feature, again.sparse.feature, nonzeros * sizeof *sparse->feature);
    assert_memory_equal(problem.y, again.y, problem.n);
    bench_problem_free(&problem);
    bench_problem_free(&again);
}

static void a_problem_like_w8a_is_binary_with_few_positive_rows_and_frequent_features(void **state)
{
    (void)state;
    enum { DIMS = 300 };
    struct bench_problem problem;
    size_t positive = 0, often[DIMS] = {0}, least = SIZE_MAX, most = 0;
    bench_sparse_made(&problem, "w8a-like");
    assert_true(problem.n == 49749 && problem.dims == DIMS);
    for (size_t i = 0; i < problem.n; i++)
        positive += problem.y[i] > 0;
    for (size_t k = 0; k < problem.sparse.begin[problem.n]; k++) {
        assert_true(problem.sparse.values[k] == 1);
        often[problem.sparse.feature[k]]++;
    }
    for (size_t d = 0; d < DIMS; d++) {
        least = often[d] < least ? often[d] : least;
        most = often[d] > most ? often[d] : most;
    }
    /* 3 % positive, and 1 % of the labels wrong: 0.03 0.99 + 0.97 0.01; five deviations of a binomial share */
    assert_true(fabs((double)positive / 49749 - 0.0394) < 5 * sqrt(0.0394 / 49749));
    assert_true(most > 10 * least && most > problem.n / 5);
    bench_problem_free(&problem);
}

static void sparse_patterns_are_read_back_as_they_were_written(void **state)
{
    (void)state;
    struct bench_problem problem, back;
    char folder[512], path[560];
    bench_sparse_made(&problem, "text 2000 x 50000");
    bench_make_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/drawn", folder);
    bench_sparse_write(&problem, path);
    const struct bench bench = {.search_path = folder};
    assert_int_equal(bench_sparse_file(&back, &bench, "other"), 0);
    assert_int_equal(bench_sparse_file(&back, &bench, "drawn"), 1);
    size_t nonzeros = problem.sparse.begin[problem.n];
    assert_true(back.n == problem.n && back.sparse.begin[back.n] == nonzeros);
    assert_memory_equal(back.y, problem.y, problem.n);
    assert_memory_equal(back.sparse.begin, problem.sparse.begin, (problem.n + 1) * sizeof *back.sparse.begin);
    assert_memory_equal(back.sparse.feature, problem.sparse.feature, nonzeros * sizeof *back.sparse.feature);
    assert_memory_equal(back.sparse.values, problem.sparse.values, nonzeros * sizeof *back.sparse.values);
    assert_int_equal(remove(path), 0);
    assert_int_equal(rmdir(folder), 0);
    bench_problem_free(&problem);
    bench_problem_free(&back);
}

static double read_text(const char *text, size_t n, double *alpha)
{
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0);
    rewind(stream);
    double seconds = peer_read_multipliers(stream, n, alpha);
    fclose(stream);
    return seconds;
}

static void a_program_s_file_has_seconds_and_exactly_n_multipliers(void **state)
{
    (void)state;
    double alpha[3] = {7, 7, 7};
    assert_true(read_text("0.25\n1\n0\n2.5e-3\n", 3, alpha) == 0.25);
    assert_true(alpha[0] == 1 && alpha[1] == 0 && alpha[2] == 2.5e-3);
    static const char *const wrong[] = {"", "0.25\n1\n0\n", "0.25\n1\n0\n2\n3\n", "-1\n1\n0\n2\n", "0.25\n1\nx\n2\n"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_true(read_text(wrong[k], 3, alpha) < 0);
}

/* Two patterns, y = +1 and -1, at distance 1: with alpha = (a, a) the outputs without bias are a (1 - k) and its
 * negative, k = exp(-1 / width), so the violation is |2 (1 - a (1 - k))| while 0 < a < C. */
static void the_violation_of_multipliers_is_recomputed(void **state)
{
    (void)state;
    double x[] = {0, 1}, width = 2, k = exp(-1 / width);
    signed char y[] = {1, -1};
    size_t rows[] = {0, 1};
    const struct bench_problem problem = {
        .n = 2, .dims = 1, .x = x, .y = y, .rows = rows, .width = width, .c = 100, .mu = 1};
    const struct contestant contestant = {.name = "by hand"};
    double *alpha = simd_doubles(2);
    assert_non_null(alpha);
    struct run run = {.contestant = &contestant, .problem = &problem, .simd = simd_select("generic"), .alpha = alpha};
    static const double shares[] = {0, 0.25, 0.5, 1, 1.5};
    for (size_t s = 0; s < sizeof shares / sizeof *shares; s++) {
        alpha[0] = alpha[1] = shares[s] / (1 - k);
        /* rounding of numbers of about 2 */
        assert_true(fabs(contest_violation(&run) - fabs(2 * (1 - shares[s]))) < 1e-14);
    }
    alpha[1] = alpha[0] + 1; /* sum of y alpha is 1 instead of 0 */
    assert_true(isinf(contest_violation(&run)));
    alpha[0] = alpha[1] = 101; /* above C */
    assert_true(isinf(contest_violation(&run)));
    free(alpha);
}

/* The linear kernel on x_1 = (1, 0, 2) and x_2 = (0, 3, 0), which are orthogonal: the outputs without bias are 5 a and
 * -9 a, so the violation is |2 - 14 a| while 0 < a < C. */
static void the_violation_is_that_of_sparse_patterns_and_the_linear_kernel(void **state)
{
    (void)state;
    double values[] = {1, 2, 3};
    size_t begin[] = {0, 2, 3}, rows[] = {0, 1};
    uint32_t feature[] = {0, 2, 1};
    signed char y[] = {1, -1};
    const struct bench_problem problem = {
        .n = 2, .dims = 3, .y = y, .rows = rows, .width = 1, .c = 100, .mu = 1, .is_linear = 1,
        .sparse = {.rows = 2, .dims = 3, .values = values, .begin = begin, .feature = feature}};
    const struct contestant contestant = {.name = "by hand"};
    double *alpha = simd_doubles(2);
    assert_non_null(alpha);
    struct run run = {.contestant = &contestant, .problem = &problem, .simd = simd_select("generic"), .alpha = alpha};
    static const double shares[] = {0, 0.25, 1, 1.5};
    for (size_t s = 0; s < sizeof shares / sizeof *shares; s++) {
        alpha[0] = alpha[1] = shares[s] / 7;
        /* rounding of numbers of about 2 */
        assert_true(fabs(contest_violation(&run) - fabs(2 - 2 * shares[s])) < 1e-14);
    }
    free(alpha);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_made_problem_is_the_same_each_time),
        cmocka_unit_test(ijcnn1_like_has_one_positive_in_ten_and_one_feature_of_ten_on),
        cmocka_unit_test(a_sparse_problem_has_its_shape_and_is_the_same_each_time),
        cmocka_unit_test(a_problem_like_w8a_is_binary_with_few_positive_rows_and_frequent_features),
        cmocka_unit_test(sparse_patterns_are_read_back_as_they_were_written),
        cmocka_unit_test(a_program_s_file_has_seconds_and_exactly_n_multipliers),
        cmocka_unit_test(the_violation_of_multipliers_is_recomputed),
        cmocka_unit_test(the_violation_is_that_of_sparse_patterns_and_the_linear_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
