/* Rank tests against R, if it is installed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "harness/stats/rank_tests.h"
#include "tests/with_r.h"

/* A number in [0, 1) from a linear congruential generator; good enough for test data, and portable. */
static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 40) / (double)(1u << 24);
}

enum { CASES = 40, LARGEST = 230 };

struct case_data {
    size_t m, n;
    double x[LARGEST], y[LARGEST];
};

/* Every second case is rounded to produce ties and zero differences. */
static void make_case(int number, uint64_t *seed, struct case_data *data)
{
    static const size_t sizes[][2] = {{1, 1}, {4, 7}, {49, 49}, {50, 49}, {230, 228}, {12, 12}, {48, 3}};
    data->m = sizes[number % 7][0];
    data->n = sizes[number % 7][1];
    double grain = number % 2 ? 20 : 1e7;
    for (size_t i = 0; i < LARGEST; i++) {
        data->x[i] = floor((draw(seed) + draw(seed)) * grain) / grain;
        data->y[i] = floor((draw(seed) + draw(seed) + 0.02 * (number % 9)) * grain) / grain;
    }
}

static size_t pairs_of(const struct case_data *data)
{
    return data->m < data->n ? data->m : data->n;
}

/* R's exact test allows no ties or zeros; such pairs are compared with convolutions of R's ranks. */
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
        with_r_values(&r, "x", cases[i].x, cases[i].m);
        with_r_values(&r, "y", cases[i].y, cases[i].n);
        with_r_line(&r, "d <- round(x[1:%zu] - y[1:%zu], 9)", pairs_of(&cases[i]), pairs_of(&cases[i]));
        const int is_large = cases[i].m > EXACT_MAX_RANKS;
        if (!is_large)
            with_r_line(&r, "signs(d)");
        for (int tail = 0; tail < 3; tail++) {
            if (is_large)
                with_r_line(&r, "show(wilcox.test(d, exact = FALSE, alternative = '%s')$p.value)", tails[tail]);
            if (is_large || i % 2 == 0)
                with_r_line(&r, "show(wilcox.test(x, y, exact = %s, alternative = '%s')$p.value)", is_large ? "F" : "T",
                            tails[tail]);
        }
    }
    with_r_run(&r);
    for (int i = 0; i < CASES; i++) {
        const struct case_data *one = &cases[i];
        const int is_large = one->m > EXACT_MAX_RANKS;
        double d[LARGEST], zeros[LARGEST] = {0};
        for (size_t k = 0; k < pairs_of(one); k++)
            d[k] = rint((one->x[k] - one->y[k]) * 1e9) / 1e9;
        for (enum tail tail = 0; tail < 3 && !is_large; tail++)
            with_r_agrees(&r, "signed-rank, counted", signed_rank_test(d, zeros, pairs_of(one), tail).p_value, 1e-10);
        for (enum tail tail = 0; tail < 3; tail++) {
            if (is_large) {
                const struct rank_test test = signed_rank_test(d, zeros, pairs_of(one), tail);
                assert_false(test.exact);
                with_r_agrees(&r, "signed-rank, normal", test.p_value, 1e-10);
            }
            if (is_large || i % 2 == 0)
                with_r_agrees(&r, "rank-sum", rank_sum_test(one->x, one->m, one->y, one->n, tail).p_value, 1e-10);
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
