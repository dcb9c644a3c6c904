/*
 * What is at work in a run, and the time that is left. Costs of jobs are estimates in arbitrary units, c. A solver s
 * that has done jobs of the costs D in the time T takes T/D for a unit, so the jobs that are left, of the costs L, take
 *
 *     W = sum over s of L T/D - sum over jobs at work of min(c T/D, the time since they began)
 *
 * on one thread. n threads need max(W / n, the longest rest of a job at work). The time is unknown while a solver with
 * jobs left has done none.
 */
#include <omp.h>

#include "harness/run/run.h"
#include "solvers/clock.h"

void run_costs_open(struct run *run)
{
    struct pool *pool = run->config->pool;
    run->costs.solvers = pool_array(pool, run->config->n_solvers, sizeof *run->costs.solvers);
    run->costs.threads = pool_array(pool, run_threads(run->options), sizeof *run->costs.threads);
}

void run_costs_begin(struct run *run, size_t jobs, size_t jobs_done)
{
    run->costs.started = clock_now();
    run->costs.jobs = jobs;
    run->costs.jobs_done = jobs_done;
}

void run_costs_expect(struct run *run, size_t solver, double cost)
{
    run->costs.solvers[solver].left += cost;
}

void run_costs_found(struct run *run, size_t solver, double cost)
{
#pragma omp critical(journal)
    {
        run->costs.solvers[solver].left -= cost;
        run->costs.jobs_done++;
    }
}

static double seconds_left(const struct run *run, double now)
{
    const unsigned n_threads = run_threads(run->options);
    double work = 0, longest = 0;
    for (size_t s = 0; s < run->config->n_solvers; s++) {
        const struct run_solver_cost *of = &run->costs.solvers[s];
        if (of->left > 0 && !(of->done > 0))
            return -1;
        work += of->done > 0 ? of->left * of->seconds / of->done : 0;
    }
    for (unsigned t = 0; t < n_threads; t++) {
        const struct run_thread *at = &run->costs.threads[t];
        const struct run_solver_cost *of = &run->costs.solvers[at->solver];
        const double expected = of->done > 0 ? at->cost * of->seconds / of->done : 0, spent = now - at->since;
        work -= fmin(expected, spent);
        longest = fmax(longest, expected - spent);
    }
    return fmax(work / n_threads, longest);
}

static void report(const struct run *run, double now)
{
    const struct run_costs *costs = &run->costs;
    struct work_progress progress = {
        .started = costs->started, .done = costs->jobs_done, .total = costs->jobs, .left = seconds_left(run, now)};
    for (unsigned t = 0; t < run_threads(run->options); t++) {
        const struct run_thread *at = &costs->threads[t];
        if (at->what[0] && (!progress.what || at->since < progress.since)) {
            progress.what = at->what;
            progress.since = at->since;
        }
    }
    run->options->report(run->options->context, &progress);
}

void run_costs_work(struct run *run, const struct dataset *dataset, const struct split *split, const struct job *job,
                    double cost)
{
    struct run_thread *own = &run->costs.threads[omp_get_thread_num()];
    const struct run_thread next = {.since = clock_now(), .cost = cost, .solver = job ? job->solver : 0};
#pragma omp critical(journal)
    {
        *own = next;
        if (run->options->report) {
            snprintf(own->what, sizeof own->what, "%s %zu, %s", dataset->name, split->number,
                     job ? run->config->solvers[job->solver].solver->name : "set-up");
            report(run, next.since);
        }
    }
}

void run_costs_done(struct run *run)
{
    struct run_thread *own = &run->costs.threads[omp_get_thread_num()];
    struct run_solver_cost *of = &run->costs.solvers[own->solver];
    const double now = clock_now();
    run->costs.jobs_done++;
    of->left -= own->cost;
    of->done += own->cost;
    of->seconds += now - own->since;
    *own = (struct run_thread){.since = now};
    if (run->options->report)
        report(run, now);
}

void run_costs_end(const struct run *run)
{
    if (run->options->report)
        run->options->report(run->options->context, NULL);
}
