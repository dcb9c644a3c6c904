/* Traces: the iterations that are due, and the content of a trace. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/evaluate/trace.h"
#include "tests/geometry.h"

static void points_thin_out_by_a_twentieth(void **state)
{
    (void)state;
    struct trace trace = {0};
    const uint64_t last = 100000;
    for (uint64_t iteration = 0; iteration <= last; iteration++) {
        struct trace_point point = {.iteration = iteration, .objective = (double)iteration};
        if (iteration >= trace.next)
            assert_int_equal(trace_add(&trace, &point, NULL), STATUS_OK);
    }
    for (size_t i = 0; i < trace.count; i++) {
        uint64_t at = trace.points[i].iteration, next = i + 1 < trace.count ? trace.points[i + 1].iteration : last + 1;
        if (i < 20)
            assert_int_equal(at, i); /* every iteration while a twentieth is below one */
        assert_true(trace.points[i].objective == (double)at);
        assert_true(next > at && (next == at + 1 || next - at <= at / 20));
    }
    assert_true(trace.count <
                400); /* 20 + ln(100000 / 20) / ln(1.05) = 195, and more because at / 20 is truncated */
    trace_free(&trace);
    assert_null(trace.points);
}

static void a_second_point_for_an_iteration_replaces_the_first(void **state)
{
    (void)state;
    struct trace trace = {0};
    for (int i = 0; i < 2; i++)
        assert_int_equal(trace_add(&trace, &(struct trace_point){.iteration = 7, .gap = i}, NULL), STATUS_OK);
    assert_int_equal(trace.count, 1);
    assert_true(trace.points[0].gap == 1);
    trace_free(&trace);
}

static void the_text_reads_back_as_the_same_numbers(void **state)
{
    (void)state;
    struct trace trace = {0};
    const struct trace_point points[] = {
        {0, 4, 1.0 / 3, 0.1, {0, 0}}, {1, 400, 1e-300, -0.0, {0, 0}}, {2, UINT64_C(1) << 60, 2, 3, {0, 0}}};
    char *text = NULL, *line;
    size_t size;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(trace_add(&trace, &points[i], NULL), STATUS_OK);
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    trace_print(&trace, "# one\n# two\n", stream);
    assert_int_equal(fclose(stream), 0);
    const char start[] = "# one\n# two\niteration\tkernel_operations\tobjective\tgap\n";
    assert_memory_equal(text, start, sizeof start - 1);
    line = text + sizeof start - 1;
    for (size_t i = 0; i < 3; i++) {
        double objective, gap;
        unsigned long long iteration, operations;
        int used = 0;
        assert_int_equal(sscanf(line, "%llu\t%llu\t%lf\t%lf%n", &iteration, &operations, &objective, &gap, &used), 4);
        assert_true(iteration == points[i].iteration && operations == points[i].kernel_operations);
        assert_true(objective == points[i].objective && gap == points[i].gap); /* 17 digits: the same double */
        assert_int_equal(line[used], '\n');
        line += used + 1;
    }
    assert_int_equal(*line, '\0');
    free(text);
    trace_free(&trace);
}

/* W = 2 (3, 1) - 0.5 (-2, 8) - 1.5 (4, 0.25), exact in binary. */
static void the_place_of_w_is_the_sum_over_the_patterns(void **state)
{
    (void)state;
    static const double x[] = {3, 1, -2, 8, 4, 0.25}, alpha[] = {2, 0.5, 1.5};
    static const signed char y[] = {1, -1, -1};
    const struct kernel linear = {.type = KERNEL_LINEAR};
    struct geometry g;
    double w[] = {7, 7, 7};
    geometry_open(&g, 3, 2, x, y, &linear);
    const struct trace trace = {.plane = &g.points, .y = g.y};
    trace_place(&trace, alpha, w);
    assert_true(w[0] == 1 && w[1] == -2.375 && w[2] == 7);
    geometry_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_thin_out_by_a_twentieth),
        cmocka_unit_test(a_second_point_for_an_iteration_replaces_the_first),
        cmocka_unit_test(the_text_reads_back_as_the_same_numbers),
        cmocka_unit_test(the_place_of_w_is_the_sum_over_the_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
