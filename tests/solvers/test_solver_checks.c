/*
 * What a solver must not do (harness/evaluate/solver_checks.h). Faulty solvers, each clip-mdm with one fault, end as
 * failed with a reason that names the fault. Every registered solver keeps the contract, with the same bits whether it
 * is checked or not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/evaluate/solver_checks.h"
#include "solvers/hull/hull.h"
#include "solvers/registry.h"
#include "tests/geometry.h"
#include "tests/tested_solvers.h"

static const struct kernel rbf = {.type = KERNEL_RBF, .width = 4};

/* ---- a solver's answer ---- */

struct answer {
    struct solution solution;
    double alpha[MAX_GEOMETRY];
    uint64_t operations[2], evaluations;
};

static void solve_with(struct geometry *g, struct oracle *oracle, const struct solver *solver, enum stop_rule rule,
                       struct answer *answer)
{
    struct solve_request request = {.solver = solver,
                                    .problem = &g->problem,
                                    .oracle = oracle,
                                    .stop = {rule, 1e-6},
                                    .budget = {.iterations = 300}};
    memset(answer, 0, sizeof *answer);
    assert_int_equal(solve(&request, answer->alpha, &answer->solution, NULL), STATUS_OK);
    answer->operations[0] = oracle_operations(oracle, PHASE_SETUP);
    answer->operations[1] = oracle_operations(oracle, PHASE_ITERATIONS);
    answer->evaluations = oracle_evaluations(oracle);
}

static void assert_same(const char *what, const struct solver *solver, const struct answer *a, const struct answer *b)
{
    if (*a->solution.reason || a->solution.outcome != b->solution.outcome ||
        a->solution.iterations != b->solution.iterations || memcmp(a->alpha, b->alpha, sizeof a->alpha) != 0 ||
        memcmp(a->operations, b->operations, sizeof a->operations) != 0 || a->evaluations != b->evaluations)
        fail_msg("%s, %s: %s after %d iterations, else %s after %d (%s)", solver->name, what,
                 outcome_name(a->solution.outcome), (int)a->solution.iterations, outcome_name(b->solution.outcome),
                 (int)b->solution.iterations, a->solution.reason);
}

static enum stop_rule first_rule(const struct solver *solver)
{
    unsigned rule = 0;
    while (!(solver->stops >> rule & 1))
        rule++;
    return (enum stop_rule)rule;
}

/* Unchecked with the full matrix, checked with it, and checked with a cache of GRAM_MIN_ROWS rows. */
static void compare_ways(struct geometry *g, const struct solver *solver)
{
    static struct answer plain, checked, cached;
    struct gram *cache;
    struct oracle *oracle;
    assert_int_equal(gram_create(&cache, g->simd, &g->points, 1, 0, NULL), STATUS_OK);
    gram_set_kernel(cache, &rbf);
    assert_int_equal(oracle_create(&oracle, cache, NULL), STATUS_OK);
    assert_int_equal(oracle_check_rows(oracle, 1, NULL), STATUS_OK);
    solve_with(g, g->oracle, solver, first_rule(solver), &checked);
    assert_int_equal(oracle_check_rows(g->oracle, 0, NULL), STATUS_OK);
    solve_with(g, g->oracle, solver, first_rule(solver), &plain);
    assert_int_equal(oracle_check_rows(g->oracle, 1, NULL), STATUS_OK);
    solve_with(g, oracle, solver, first_rule(solver), &cached);
    assert_same("rows checked", solver, &checked, &plain);
    assert_same("rows checked, of a cache", solver, &cached, &plain);
    oracle_free(oracle);
    gram_free(cache);
}

static void every_solver_gives_the_same_bits_with_rows_that_expire(void **state)
{
    (void)state;
    const size_t sizes[] = {48, 61}; /* a multiple of SIMD_LANES, and another number */
    for (const struct solver *const *at = tested_solvers(); *at; at++)
        for (unsigned run = 0; run < 4; run++) {
            struct geometry g;
            geometry_random(&g, sizes[run % 2], 3, 0.6, 5 + run, &rbf);
            parameter_set(&g.problem.parameters, &parameter_mu, run < 2 ? 0.13 : 1);
            parameter_set(&g.problem.parameters, &parameter_c, run < 2 ? 3 : 100);
            if (run >= 2 && solver_reads(*at, &parameter_selection))
                parameter_set(&g.problem.parameters, &parameter_selection, SELECTION_FREE);
            compare_ways(&g, *at);
            geometry_close(&g);
        }
}

/* ---- faulty solvers ---- */

/* Follows clip-mdm's state. */
struct extra {
    const double *row;
    size_t update;
};

static const struct solver *sound(void)
{
    return solver_find("clip-mdm");
}

static size_t sound_size(const struct problem *problem)
{
    return sound()->state_size(problem);
}

static size_t larger_size(const struct problem *problem)
{
    return sound_size(problem) + sizeof(struct extra);
}

static struct extra *extra_of(void *state)
{
    const struct hull *hull = state;
    const struct problem problem = {.n = hull->n};
    return (struct extra *)(void *)((char *)state + sound_size(&problem));
}

/* Adds 0 * value to W . X_0 of class +1: no change, unless the value is NaN. */
static void use(void *state, double value)
{
    struct hull *hull = state;
    hull->products[0][0] += 0 * value;
}

static enum status init_and_keep(void *state, const struct problem *problem, struct oracle *oracle)
{
    enum status status = sound()->init(state, problem, oracle);
    extra_of(state)->row = oracle_row(oracle, 1);
    return status;
}

static enum status update_by_kept(void *state, struct oracle *oracle)
{
    use(state, extra_of(state)->row[2]);
    return sound()->update(state, oracle);
}

static enum status update_and_keep(void *state, struct oracle *oracle)
{
    struct extra *extra = extra_of(state);
    if (extra->row)
        use(state, extra->row[2]);
    extra->row = oracle_row(oracle, 3);
    return sound()->update(state, oracle);
}

/* The tenth update uses a row after GRAM_MIN_ROWS others. */
static enum status update_with_many_rows(void *state, struct oracle *oracle)
{
    if (extra_of(state)->update++ == 10) {
        const double *row = oracle_row(oracle, 0);
        for (size_t i = 1; i < GRAM_MIN_ROWS; i++)
            oracle_row(oracle, i);
        use(state, row[1]); /* still valid */
        oracle_row(oracle, GRAM_MIN_ROWS);
        use(state, row[1]);
    }
    return sound()->update(state, oracle);
}

static enum status update_by_last_good_row(void *state, struct oracle *oracle)
{
    const double *row = oracle_row(oracle, 0);
    for (size_t i = 1; i < GRAM_MIN_ROWS; i++)
        oracle_row(oracle, i);
    use(state, row[1]);
    return sound()->update(state, oracle);
}

static enum status update_beyond_row(void *state, struct oracle *oracle)
{
    use(state, oracle_row(oracle, 0)[oracle_padded(oracle)]);
    return sound()->update(state, oracle);
}

static enum status update_or_give_up(void *state, struct oracle *oracle)
{
    return extra_of(state)->row[2] >= 0 ? sound()->update(state, oracle) : STATUS_STALLED;
}

static double *row_to_write(struct oracle *oracle)
{
    return (double *)(uintptr_t)oracle_row(oracle, 0);
}

static enum status update_writes_row(void *state, struct oracle *oracle)
{
    row_to_write(oracle)[oracle_size(oracle) - 1] = 0.25;
    return sound()->update(state, oracle);
}

static enum status init_writes_row(void *state, const struct problem *problem, struct oracle *oracle)
{
    row_to_write(oracle)[1] += 1e-9;
    return sound()->init(state, problem, oracle);
}

static enum status update_writes_behind_row(void *state, struct oracle *oracle)
{
    row_to_write(oracle)[oracle_padded(oracle)] = 0;
    return sound()->update(state, oracle);
}

static size_t too_small(const struct problem *problem)
{
    return sound_size(problem) - sizeof(double);
}

static enum status update_writes_before_state(void *state, struct oracle *oracle)
{
    ((volatile unsigned char *)state)[-1] = 0;
    return sound()->update(state, oracle);
}

static enum status init_writes_label(void *state, const struct problem *problem, struct oracle *oracle)
{
    ((signed char *)(uintptr_t)problem->y)[0] *= -1;
    return sound()->init(state, problem, oracle);
}

static enum status update_reads_behind_state(void *state, struct oracle *oracle)
{
    const struct hull *hull = state;
    const struct problem problem = {.n = hull->n};
    use(state, *(const volatile double *)(const void *)((const char *)state + sound_size(&problem)));
    return sound()->update(state, oracle);
}

static void alpha_and_one_more(const void *state, double *alpha)
{
    const struct hull *hull = state;
    sound()->alpha(state, alpha);
    ((volatile double *)alpha)[hull->n] = 0;
}

struct fault {
    const char *reason; /* part of the reason; NULL: no fault */
    size_t (*state_size)(const struct problem *);
    enum status (*init)(void *, const struct problem *, struct oracle *);
    enum status (*update)(void *, struct oracle *);
    void (*alpha)(const void *, double *);
};

static const struct fault of_rows[] = {
    {NULL, NULL, NULL, NULL, NULL},
    {NULL, larger_size, NULL, update_by_last_good_row, NULL},
    {"after it had expired", larger_size, init_and_keep, update_by_kept, NULL},
    {"after it had expired", larger_size, NULL, update_and_keep, NULL},
    {"after it had expired", larger_size, NULL, update_with_many_rows, NULL},
    {"read outside a row", NULL, NULL, update_beyond_row, NULL},
    {"wrote into a row", NULL, NULL, update_writes_row, NULL},
    {"wrote into a row", NULL, init_writes_row, NULL, NULL},
    {"wrote into a row", NULL, NULL, update_writes_behind_row, NULL},
};
static const struct fault of_blocks[] = {
    {"bytes of its state: state_size is too small", too_small, NULL, NULL, NULL},
    {"bytes of its state", NULL, NULL, update_writes_before_state, NULL},
    {"read outside", NULL, NULL, update_reads_behind_state, NULL},
    {"wrote into the labels", NULL, init_writes_label, NULL, NULL},
    {"alpha wrote outside the 48 multipliers", NULL, NULL, NULL, alpha_and_one_more},
};

static struct solver faulty(const struct fault *fault)
{
    struct solver solver = *sound();
    solver.state_size = fault->state_size ? fault->state_size : solver.state_size;
    solver.init = fault->init ? fault->init : solver.init;
    solver.update = fault->update ? fault->update : solver.update;
    solver.alpha = fault->alpha ? fault->alpha : solver.alpha;
    return solver;
}

/* Checks that the fault is detected as expected, or, without a fault, that none is. */
static void check_fault(struct geometry *g, const struct solver *solver, const struct fault *fault, const char *table,
                        size_t number)
{
    static struct answer answer;
    solve_with(g, g->oracle, solver, STOP_RCH_GAP_BOTH, &answer);
    const char *reason = answer.solution.reason;
    int failed = answer.solution.outcome == OUTCOME_FAILED;
    if (!fault->reason != !*reason || !fault->reason != !failed || (fault->reason && !strstr(reason, fault->reason)))
        fail_msg("%s %zu: outcome %s, reason \"%s\"", table, number, outcome_name(answer.solution.outcome), reason);
    for (size_t i = 0; i < g->n && failed; i++)
        assert_true(answer.alpha[i] == 0);
}

static void open_problem(struct geometry *g)
{
    geometry_random(g, 48, 3, 0.6, 3, &rbf);
    parameter_set(&g->problem.parameters, &parameter_mu, 0.1);
}

static void a_solver_that_misuses_rows_fails_with_the_reason(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; k++) {
        struct solver solver = faulty(&of_rows[k]);
        struct geometry g;
        open_problem(&g);
        check_fault(&g, &solver, &of_rows[k], "rows", k);
        geometry_close(&g);
    }
}

static void a_solver_that_leaves_its_memory_fails_with_the_reason_though_rows_are_not_checked(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof of_blocks / sizeof *of_blocks; k++) {
        struct solver solver = faulty(&of_blocks[k]);
        struct geometry g;
        open_problem(&g);
        assert_int_equal(oracle_check_rows(g.oracle, 0, NULL), STATUS_OK);
        signed char first = g.problem.y[0];
        check_fault(&g, &solver, &of_blocks[k], "blocks", k);
        assert_int_equal(g.problem.y[0], first);
        geometry_close(&g);
    }
}

/* As if they came from a plugin. */
static void solvers_that_are_not_built_in_are_checked_without_being_asked(void **state)
{
    (void)state;
    enum { COUNT = sizeof of_rows / sizeof *of_rows };
    static const struct solver_origin origin = {.file = NULL};
    static struct solver solvers[COUNT];
    static char names[COUNT][16];
    const struct solver *list[COUNT + 1] = {NULL};
    for (size_t k = 0; k < COUNT; k++) {
        solvers[k] = faulty(&of_rows[k]);
        strcpy(names[k], "faulty-a");
        names[k][7] = (char)('a' + k);
        solvers[k].name = names[k];
        list[k] = &solvers[k];
    }
    assert_int_equal(solvers_add(list, &origin, NULL), STATUS_OK);
    for (size_t k = 0; k < COUNT; k++) {
        struct geometry g;
        open_problem(&g);
        assert_int_equal(oracle_check_rows(g.oracle, 0, NULL), STATUS_OK);
        check_fault(&g, &solvers[k], &of_rows[k], "not built in", k);
        assert_false(oracle_checks_rows(g.oracle)); /* unchanged */
        geometry_close(&g);
    }
}

static void a_solver_that_is_not_built_in_gives_the_bits_of_the_same_solver_that_is(void **state)
{
    (void)state;
    static const struct solver_origin origin = {.file = NULL};
    static struct solver copy;
    static struct answer built_in, added;
    struct geometry g;
    copy = *sound();
    copy.name = "clip-mdm-copy";
    const struct solver *list[] = {&copy, NULL};
    assert_int_equal(solvers_add(list, &origin, NULL), STATUS_OK);
    open_problem(&g);
    assert_int_equal(oracle_check_rows(g.oracle, 0, NULL), STATUS_OK);
    solve_with(&g, g.oracle, sound(), STOP_RCH_GAP_BOTH, &built_in);
    solve_with(&g, g.oracle, &copy, STOP_RCH_GAP_BOTH, &added);
    assert_true(built_in.solution.iterations > SAMPLE_FIRST);
    assert_same("added", &copy, &added, &built_in);
    geometry_close(&g);
}

static void a_solver_that_stalls_by_an_expired_row_is_told_of_its_address(void **state)
{
    (void)state;
    static struct answer answer;
    const struct fault gives_up = {.state_size = larger_size, .init = init_and_keep, .update = update_or_give_up};
    struct solver solver = faulty(&gives_up);
    struct geometry g;
    open_problem(&g);
    solve_with(&g, g.oracle, &solver, STOP_RCH_GAP_BOTH, &answer);
    assert_int_equal(answer.solution.outcome, OUTCOME_STALLED);
    assert_int_equal(answer.solution.iterations, 0);
    assert_non_null(strstr(answer.solution.reason, "the address of a kernel row that has expired"));
    assert_int_equal(oracle_check_rows(g.oracle, 0, NULL), STATUS_OK);
    solve_with(&g, g.oracle, &solver, STOP_RCH_GAP_BOTH, &answer); /* the row is valid if it belongs to the matrix */
    assert_true(answer.solution.iterations > 0);
    assert_string_equal(answer.solution.reason, "");
    geometry_close(&g);
}

/* ---- out of memory ---- */

static size_t no_size(const struct problem *problem)
{
    (void)problem;
    return SIZE_MAX;
}

static void out_of_memory_leaves_the_check_of_rows_as_it_was(void **state)
{
    (void)state;
    static const struct solver_origin origin = {.file = NULL};
    static struct solver added;
    struct solver built_in = *sound();
    struct geometry g;
    double alpha[MAX_GEOMETRY];
    struct solution solution;
    added = *sound();
    added.name = "clip-mdm-large";
    added.state_size = built_in.state_size = no_size;
    const struct solver *list[] = {&added, NULL};
    assert_int_equal(solvers_add(list, &origin, NULL), STATUS_OK);
    open_problem(&g);
    for (int on = 0; on < 2; on++)
        for (int k = 0; k < 2; k++) {
            struct solve_request request = {.solver = k ? &added : &built_in,
                                            .problem = &g.problem,
                                            .oracle = g.oracle,
                                            .stop = {STOP_RCH_GAP_BOTH, 1e-6}};
            assert_int_equal(oracle_check_rows(g.oracle, on, NULL), STATUS_OK);
            assert_int_equal(solve(&request, alpha, &solution, NULL), STATUS_NO_MEMORY);
            assert_int_equal(oracle_checks_rows(g.oracle), on);
        }
    geometry_close(&g);
}

/* ---- values that a solver never sets ---- */

static enum status select_without_delta(void *state, struct progress *progress)
{
    double delta = progress->delta;
    enum status status = sound()->select(state, progress);
    progress->delta = delta;
    return status;
}

static void a_rule_on_delta_is_not_met_by_a_solver_that_never_sets_it(void **state)
{
    (void)state;
    static struct answer answer;
    struct solver solver = *sound();
    struct geometry g;
    solver.select = select_without_delta;
    open_problem(&g);
    solve_with(&g, g.oracle, &solver, STOP_DELTA, &answer);
    assert_int_not_equal(answer.solution.outcome, OUTCOME_CONVERGED);
    assert_true(answer.solution.iterations > 0);
    geometry_close(&g);
}

/* ---- guarded blocks ---- */

static void a_guard_begins_at_the_first_byte_that_is_not_the_block_s(void **state)
{
    (void)state;
    for (size_t size = 0; size <= 200; size++) {
        struct guarded_block guarded;
        assert_true(guarded_block_open(&guarded, size));
        unsigned char *block = guarded.block;
        assert_int_equal((uintptr_t)block % SIMD_ALIGNMENT, 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(block[i]++, 0);
        assert_true(guarded_block_is_intact(&guarded));
        unsigned char *const beside[] = {block + size, block + size + GUARD_BYTES - 1, block - 1, block - GUARD_BYTES};
        for (size_t k = 0; k < 4; k++) {
            *beside[k] ^= 1;
            assert_false(guarded_block_is_intact(&guarded));
            *beside[k] ^= 1;
        }
        guarded_block_free(&guarded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_solver_gives_the_same_bits_with_rows_that_expire),
        cmocka_unit_test(a_solver_that_misuses_rows_fails_with_the_reason),
        cmocka_unit_test(a_solver_that_leaves_its_memory_fails_with_the_reason_though_rows_are_not_checked),
        cmocka_unit_test(solvers_that_are_not_built_in_are_checked_without_being_asked),
        cmocka_unit_test(a_solver_that_is_not_built_in_gives_the_bits_of_the_same_solver_that_is),
        cmocka_unit_test(a_solver_that_stalls_by_an_expired_row_is_told_of_its_address),
        cmocka_unit_test(out_of_memory_leaves_the_check_of_rows_as_it_was),
        cmocka_unit_test(a_rule_on_delta_is_not_met_by_a_solver_that_never_sets_it),
        cmocka_unit_test(a_guard_begins_at_the_first_byte_that_is_not_the_block_s),
    };
    return cmocka_run_group_tests_name("solver_checks", tests, NULL, NULL);
}
