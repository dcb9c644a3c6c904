/* Sums, products, quotients and exponentials with about 100 bits, against 113 bits. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "harness/evaluate/twofold.h"
#include "tests/quad.h"

static double next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*seed >> 11) * 0x1p-53 - 0.5) * exp2((double)(*seed >> 8 & 31) - 16);
}

static struct twofold draw(uint64_t *seed)
{
    const double high = next_random(seed);
    return twofold_sum(high, next_random(seed) * 0x1p-70 * high);
}

static quad value(struct twofold x)
{
    return (quad)x.high + x.low;
}

static void assert_close(const char *what, quad is, quad should, quad size, double bound)
{
    if (!(quad_abs(is - should) <= (quad)bound * size))
        fail_msg("%s: off by %g of %g", what, (double)(is - should), (double)size);
}

static void each_operation_is_within_its_error(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int trial = 0; trial < 20000; trial++) {
        const struct twofold a = draw(&seed), b = draw(&seed);
        const double c = next_random(&seed);
        assert_close("sum", value(twofold_sum(a.high, c)), (quad)a.high + c, quad_abs(a.high) + quad_abs(c), 0x1p-112);
        const quad product = (quad)a.high * c, size = quad_abs(value(a)) + quad_abs(value(b));
        assert_close("product", value(twofold_product(a.high, c)), product, quad_abs(product), 0x1p-112);
        assert_close("plus", value(twofold_plus(a, b)), value(a) + value(b), size, 0x1p-104);
        assert_close("times", value(twofold_times(a, b)), value(a) * value(b), quad_abs(value(a) * value(b)), 0x1p-103);
        assert_close("scaled", value(twofold_scaled(a, c)), value(a) * c, quad_abs(value(a) * c), 0x1p-103);
        assert_close("over", value(twofold_over(a, c)), value(a) / c, quad_abs(value(a) / c), 0x1p-98);
    }
}

static void exponentials_are_within_their_error(void **state)
{
    (void)state;
    for (double x = 1e-30; x < 650; x = 1.07 * x + 1e-9) {
        const struct twofold at = twofold_sum(x, x * 0x1p-60);
        const quad exact = quad_exp_negative(-value(at));
        assert_close("exp", value(twofold_exp_negative(at)), exact, exact, 1e-26);
    }
    assert_true(twofold_exp_negative((struct twofold){0, 0}).high == 1);
    assert_true(twofold_exp_negative((struct twofold){1e300, 0}).high == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_operation_is_within_its_error),
        cmocka_unit_test(exponentials_are_within_their_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
