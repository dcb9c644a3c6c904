/* The selection of a working set against plain sorting; how many variables enter and how long they stay. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

#include "solvers/decomposition/working_set.h"

/* A state with its own box, F and ages, only for the selection. */
struct choice {
    struct box box;
    struct working_set set;
    struct box_pair worst;
    size_t active[100];
    void *block;
};

static void draw_choice(struct choice *c, gsl_rng *rng, double q, double enter)
{
    static signed char y[100];
    struct problem problem = {.n = 100, .y = y};
    struct arena arena = {0};
    problem.parameters = (struct parameters){0};
    parameter_set(&problem.parameters, &parameter_q, q);
    parameter_set(&problem.parameters, &parameter_new_variables, enter);
    memset(c, 0, sizeof *c);
    box_layout(&c->box, &arena, 100);
    working_set_layout(&c->set, &arena, &problem);
    c->block = simd_doubles(arena.used / sizeof(double) + 1);
    assert_non_null(c->block);
    arena = (struct arena){.block = c->block};
    box_layout(&c->box, &arena, 100);
    working_set_layout(&c->set, &arena, &problem);
    c->box.y = y;
    c->box.c = 1;
    for (size_t i = 0; i < 100; i++) {
        c->active[i] = i;
        y[i] = gsl_rng_uniform(rng) < 0.5 ? 1 : -1;
        c->box.alpha[i] = 0.5 * (double)gsl_rng_uniform_int(rng, 3);
    }
}

/* F in tenths, so that ties occur. */
static void draw_f(struct choice *c, gsl_rng *rng)
{
    struct box_pair none = BOX_NO_PAIR;
    c->worst = none;
    for (size_t i = 0; i < 100; i++)
        c->box.f[i] = 0.1 * (double)gsl_rng_uniform_int(rng, 41) - 2;
    for (size_t i = 0; i < 100; i++)
        box_consider(&c->box, i, &c->worst);
}

/* Marks the first `wanted` patterns, ordered by (direction F, index), among the unmarked ones that may move that way
 * and violate. */
static void mark_best(const struct choice *c, int direction, size_t wanted, unsigned char *marked)
{
    for (; wanted > 0; wanted--) {
        size_t best = 100;
        for (size_t i = 0; i < 100; i++) {
            int may = direction > 0 ? box_may_grow(&c->box, i) : box_may_shrink(&c->box, i);
            int violates = direction > 0 ? c->box.f[i] < c->worst.f_low : c->box.f[i] > c->worst.f_up;
            if (may && violates && !marked[i] && (best == 100 || direction * c->box.f[i] < direction * c->box.f[best]))
                best = i;
        }
        if (best == 100)
            return;
        marked[best] = 1;
    }
}

static void the_working_set_is_made_of_the_extremes_of_f(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const double sizes[] = {2, 4, 10, 50, 100, 4096};
    for (size_t q = 0; q < 6; q++)
        for (int trial = 0; trial < 50; trial++) {
            struct choice c;
            unsigned char marked[100] = {0};
            draw_choice(&c, rng, sizes[q], 0);
            draw_f(&c, rng);
            working_set_choose(&c.set, &c.box, c.active, 100, &c.worst);
            mark_best(&c, 1, (size_t)sizes[q] / 2, marked);
            mark_best(&c, -1, (size_t)sizes[q] / 2, marked);
            size_t k = 0;
            for (size_t i = 0; i < 100; i++)
                if (marked[i])
                    assert_int_equal(c.set.members[k++], i);
            assert_int_equal(c.set.count, k);
            free(c.block);
        }
    gsl_rng_free(rng);
}

static void no_more_than_new_variables_enter_and_each_stays_its_time(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const double settings[][2] = {{10, 2}, {10, 4}, {10, 6}, {8, 4}, {50, 10}};
    for (size_t s = 0; s < 5; s++) {
        struct choice c;
        size_t age[100] = {0}, stay = (size_t)(settings[s][0] / settings[s][1]);
        draw_choice(&c, rng, settings[s][0], settings[s][1]);
        for (int turn = 0; turn < 40; turn++) {
            unsigned char in[100] = {0};
            size_t entered = 0;
            draw_f(&c, rng);
            working_set_choose(&c.set, &c.box, c.active, 100, &c.worst);
            assert_true(c.set.count <= (size_t)settings[s][0]);
            for (size_t k = 0; k < c.set.count; k++)
                in[c.set.members[k]] = 1;
            assert_true(in[c.worst.up] && in[c.worst.low]);
            for (size_t i = 0; i < 100; i++) {
                /* a variable whose time is over leaves, unless it is again among the extremes; then it counts as new */
                if (age[i] > 0 && age[i] < stay)
                    assert_true(in[i]);
                entered += in[i] && (age[i] == 0 || age[i] == stay);
                age[i] = !in[i] ? 0 : age[i] == stay ? 1 : age[i] + 1;
            }
            assert_true(entered <= (size_t)settings[s][1]);
        }
        free(c.block);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_working_set_is_made_of_the_extremes_of_f),
        cmocka_unit_test(no_more_than_new_variables_enter_and_each_stays_its_time),
    };
    return cmocka_run_group_tests_name("working_set", tests, NULL, NULL);
}
