/* The time left of a run, from the times and costs of its jobs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>
#include <time.h>

#include "harness/run/run.h"
#include "solvers/clock.h"

/* The last report; a text that has been noted. */
struct seen {
    struct work_progress progress;
    char what[100];
    size_t reports, ends;
};

static void see(void *context, const struct work_progress *progress)
{
    struct seen *seen = context;
    seen->reports++;
    seen->ends += progress == NULL;
    if (!progress)
        return;
    seen->progress = *progress;
    strcpy(seen->what, progress->what ? progress->what : "");
}

static const struct solver fast = {.name = "fast"}, slow = {.name = "slow"};
static struct config_solver solvers[] = {{.solver = &fast}, {.solver = &slow}};
static struct config config = {.solvers = solvers, .n_solvers = 2};
static char banana_name[] = "banana";
static const struct dataset banana = {.name = banana_name};
static const struct split third = {.number = 3};
static const struct job of_fast = {.solver = 0}, of_slow = {.solver = 1};

static void nap(double seconds)
{
    const struct timespec time = {.tv_nsec = (long)(1e9 * seconds)};
    nanosleep(&time, NULL);
}

/* Does a job that sleeps, and returns its time, which other processes may prolong. */
static double do_job(struct run *run, const struct job *job, double cost, double seconds)
{
    const double began = clock_now();
    run_costs_work(run, &banana, &third, job, cost);
    nap(seconds);
    run_costs_done(run);
    return clock_now() - began;
}

/* Times here and there are read some microseconds apart; a process that is stopped in between may take longer. */
static const double tolerance = 0.02;

/* One thread. Fast jobs cost 1, slow ones 4: after one of each, three fast and two slow ones are left. */
static void each_solver_takes_the_time_of_its_own_jobs(void **state)
{
    struct seen seen = {.reports = 0};
    const struct run_options options = {.threads = 1, .report = see, .context = &seen};
    struct run run = {.options = &options, .config = &config};
    (void)state;
    run_costs_open(&run);
    run_costs_expect(&run, 0, 4);
    run_costs_expect(&run, 1, 12);
    run_costs_begin(&run, 7, 0);
    run_costs_work(&run, &banana, &third, NULL, 0); /* OpenMP starts at its first use, which takes its time */
    const double of_one = do_job(&run, &of_fast, 1, 0.02);
    assert_true(seen.progress.left < 0); /* no slow job is done: unknown */
    assert_string_equal(seen.what, "");
    const double of_four = do_job(&run, &of_slow, 4, 0.2);
    assert_int_equal(seen.progress.done, 2);
    assert_int_equal(seen.progress.total, 7);
    assert_true(fabs(seen.progress.left - (3 * of_one + 2 * of_four)) < tolerance);
    run_costs_found(&run, 1, 4); /* one of them is in the journal */
    run_costs_work(&run, &banana, &third, &of_fast, 1);
    assert_string_equal(seen.what, "banana 3, fast");
    assert_true(fabs(seen.progress.left - (3 * of_one + of_four)) < tolerance);
    run_costs_work(&run, &banana, &third, NULL, 0);
    assert_string_equal(seen.what, "banana 3, set-up");
    run_costs_end(&run);
    assert_int_equal(seen.ends, 1);
}

/* Two threads share the work that is left, but the end is not before that of a job at work. */
static void threads_share_the_work_that_is_left(void **state)
{
    struct seen seen = {.reports = 0};
    const struct run_options options = {.threads = 2, .report = see, .context = &seen};
    struct run run = {.options = &options, .config = &config};
    (void)state;
    run_costs_open(&run);
    run_costs_expect(&run, 1, 9);
    run_costs_begin(&run, 3, 0);
    const double of_four = do_job(&run, &of_slow, 4, 0.2);
    assert_true(fabs(seen.progress.left - 5. / 4 * of_four / 2) < tolerance);
    run_costs_work(&run, &banana, &third, &of_slow, 4);
    assert_true(fabs(seen.progress.left - of_four) < tolerance);
}

/* Another thread has been at a job for much longer than expected, and one job has not begun. */
static void a_job_beyond_its_time_counts_as_nothing_and_is_shown(void **state)
{
    struct seen seen = {.reports = 0};
    const struct run_options options = {.threads = 2, .report = see, .context = &seen};
    struct run run = {.options = &options, .config = &config};
    (void)state;
    run_costs_open(&run);
    run_costs_expect(&run, 0, 3);
    run_costs_begin(&run, 3, 0);
    const double of_one = do_job(&run, &of_fast, 1, 0.2);
    run.costs.threads[1] = (struct run_thread){"ringnorm 1, fast", clock_now() - 100, 0, 1};
    run_costs_work(&run, &banana, &third, NULL, 0);
    assert_string_equal(seen.what, "ringnorm 1, fast");
    assert_true(fabs(clock_now() - seen.progress.since - 100) < tolerance);
    assert_true(fabs(seen.progress.left - of_one / 2) < tolerance);
}

/* Nothing is formatted for nobody. */
static void without_a_report_only_jobs_are_counted(void **state)
{
    const struct run_options options = {.threads = 1};
    struct run run = {.options = &options, .config = &config};
    (void)state;
    run_costs_open(&run);
    run_costs_expect(&run, 0, 1);
    run_costs_begin(&run, 5, 3);
    (void)do_job(&run, &of_fast, 1, 0);
    run_costs_end(&run);
    assert_int_equal(run.costs.jobs_done, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_solver_takes_the_time_of_its_own_jobs),
        cmocka_unit_test(threads_share_the_work_that_is_left),
        cmocka_unit_test(a_job_beyond_its_time_counts_as_nothing_and_is_shown),
        cmocka_unit_test(without_a_report_only_jobs_are_counted),
    };
    config.pool = pool_new();
    const int failed = cmocka_run_group_tests_name("costs of a run", tests, NULL, NULL);
    pool_free(config.pool);
    return failed;
}
