/* Rank tests against R, if it is installed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "harness/stats/rank_sum.h"
#include "harness/stats/ranks.h"
#include "harness/stats/signed_rank.h"
#include "tests/with_r.h"

/* A number in [0, 1) from a linear congruential generator; good enough for test data, and portable. */
static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 40) / (double)(1u << 24);
}

enum { CASES = 40, LARGEST = 70 };

struct case_data {
    size_t m, n;
    double x[LARGEST], y[LARGEST];
};

/* Every second case is rounded to produce ties and zero differences. */
static void make_case(int number, uint64_t *seed, struct case_data *data)
{
    static const size_t sizes[][2] = {{1, 1}, {4, 7}, {49, 49}, {50, 49}, {70, 70}, {12, 12}, {48, 3}};
    data->m = sizes[number % 7][0];
    data->n = sizes[number % 7][1];
    double grain = number % 2 ? 20 : 1e7;
    for (size_t i = 0; i < LARGEST; i++) {
        data->x[i] = floor((draw(seed) + draw(seed)) * grain) / grain;
        data->y[i] = floor((draw(seed) + draw(seed) + 0.02 * (number % 9)) * grain) / grain;
    }
}

/* R's exact test allows no ties or zeros; such cases are compared with convolutions of R's ranks. */
static void r_agrees_where_it_is_installed(void **state)
{
    (void)state;
    static struct case_data cases[CASES];
    static const char *const tails[] = {"t", "g", "l"};
    uint64_t seed = 2011;
    struct with_r r;
    with_r_open(&r);
    with_r_line(&r, "p3 <- function(lo, up) show(min(1, 2 * min(lo, up)), up, lo)");
    with_r_line(&r, "signs <- function(d) { d <- d[d != 0]; r <- 2 * rank(abs(d)); V <- sum(r[d > 0]); s <- 1;"
                    "  for (w in r) s <- c(s, numeric(w)) + c(numeric(w), s); s <- s / sum(s);"
                    "  v <- seq_along(s) - 1; p3(sum(s[v <= V]), sum(s[v >= V])) }");
    for (int i = 0; i < CASES; i++) {
        make_case(i, &seed, &cases[i]);
        size_t pairs = cases[i].m < cases[i].n ? cases[i].m : cases[i].n;
        with_r_values(&r, "x", cases[i].x, cases[i].m);
        with_r_values(&r, "y", cases[i].y, cases[i].n);
        with_r_line(&r, "a <- x[1:%zu]; b <- y[1:%zu]; signs(round(a - b, 9))", pairs, pairs);
        for (int tail = 0; tail < 3; tail++) {
            with_r_line(&r, "show(wilcox.test(x, y, exact = %s, alternative = '%s')$p.value)", i % 2 ? "F" : "T",
                        tails[tail]);
            with_r_line(&r, "show(wilcox.test(round(a - b, 9), exact = FALSE, alternative = '%s')$p.value)",
                        tails[tail]);
        }
    }
    with_r_run(&r);
    for (int i = 0; i < CASES; i++) {
        const struct case_data *one = &cases[i];
        size_t pairs = one->m < one->n ? one->m : one->n;
        double d[LARGEST], zeros[LARGEST] = {0};
        struct rank_options options = {0};
        struct rank_test test;
        for (size_t k = 0; k < pairs; k++)
            d[k] = rint((one->x[k] - one->y[k]) * 1e9) / 1e9;
        for (int tail = 0; tail < 3; tail++) {
            options = (struct rank_options){.tail = (enum tail)tail};
            test = signed_rank_test(d, zeros, pairs, &options);
            with_r_agrees(&r, "signed-rank, counted", test.p_value, 1e-10);
        }
        for (int tail = 0; tail < 3; tail++) {
            options = (struct rank_options){.tail = (enum tail)tail, .method = i % 2 ? RANK_NORMAL : RANK_AUTOMATIC};
            test = rank_sum_test(one->x, one->m, one->y, one->n, &options);
            with_r_agrees(&r, "rank-sum", test.p_value, 1e-10);
            options.method = RANK_NORMAL;
            test = signed_rank_test(d, zeros, pairs, &options);
            double p = with_r_number(&r); /* R returns none if all differences are 0 */
            assert_true(isnan(p) ? test.p_value == 1 : fabs(test.p_value - p) <= 1e-10 * p);
        }
    }
    with_r_close(&r);
}

static void kendalls_tau_is_that_of_r(void **state)
{
    (void)state;
    static struct case_data cases[CASES];
    uint64_t seed = 1945;
    struct with_r r;
    with_r_open(&r);
    for (int i = 0; i < CASES; i++) {
        make_case(i, &seed, &cases[i]);
        with_r_values(&r, "x", cases[i].x, 40);
        with_r_values(&r, "y", cases[i].y, 40);
        with_r_line(&r, "show(cor(x, y, method = 'kendall'))");
    }
    with_r_run(&r);
    for (int i = 0; i < CASES; i++) {
        const struct pair_orders orders = pair_orders_of(cases[i].x, cases[i].y, 40);
        assert_true(orders.alike + orders.against + orders.equal_x + orders.equal_y + orders.equal_both == 40 * 39 / 2);
        with_r_agrees(&r, "Kendall's tau", kendall_tau(&orders), 1e-12);
    }
    with_r_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kendalls_tau_is_that_of_r),
        cmocka_unit_test(r_agrees_where_it_is_installed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
