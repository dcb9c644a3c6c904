/*
 * Jobs of plugins, in a process of their own, so that a solver or a stopping rule that crashes, ends the process,
 * exhausts the memory or never returns costs one job. The process is a copy of this one; the kernel values that it
 * computes are lost with it. Solvers that are programs have a process anyway (harness/programs/).
 */
#include "harness/run/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/platform.h"
#include "harness/evaluate/running.h"
#include "harness/programs/program.h"
#include "solvers/clock.h"

static double patience = 600;

/* More points than a trace of 1e15 iterations has. */
enum { MOST_POINTS = 1024 };

/* What the process tells, in shared memory. */
struct told {
    struct running_call call;
    volatile int is_done;
    enum status status;
    struct error error;
    struct job_result result;
    struct timing timing;
    const struct points *plane; /* as in struct trace; the session's, which is the same memory in both processes */
    const signed char *y;
    size_t n_points;
    struct trace_point points[MOST_POINTS];
};

struct isolated {
    struct split_session *unit;
    const struct config *config;
    const struct job *job;
    struct trace *trace;
    struct told *told;
};

void isolated_with_patience(double seconds)
{
    patience = seconds;
}

static void run_and_tell(void *data)
{
    const struct isolated *isolated = data;
    struct told *told = isolated->told;
    struct trace *trace = isolated->trace;
    session_share_work(isolated->unit->session, 0); /* the other threads are not in this process */
    unit_run_job(isolated->unit, isolated->config, isolated->job, trace, NULL, &told->result);
    told->timing = isolated->unit->timing;
    if (!trace)
        return;
    told->plane = trace->plane;
    told->y = trace->y;
    told->n_points = trace->count < MOST_POINTS ? trace->count : MOST_POINTS;
    if (told->n_points)
        memcpy(told->points, trace->points, told->n_points * sizeof *told->points);
}

static void end_at_once(int status, void *unused)
{
    (void)unused;
    _exit(status);
}

/* If memory runs out, the system shall end this process rather than its parent. */
static void offer_for_want_of_memory(void)
{
    const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    if (write(file, "1000", 4) < 0) {
        /* without it, the system chooses */
    }
    close(file);
}

/* The process must neither flush the streams of its parent nor run its exit handlers, nor report its own crash. */
static _Noreturn void be_isolated(const struct isolated *isolated, pid_t parent)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct told *told = isolated->told;
    platform_begin_child(parent);
    programs_forget();
    for (size_t k = 0; k < sizeof crashes / sizeof *crashes; k++)
        signal(crashes[k], SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    offer_for_want_of_memory();
    platform_on_exit(end_at_once, NULL);
    running_watch(&told->call);
    told->status = attempt(run_and_tell, (void *)(uintptr_t)isolated, &told->error);
    told->is_done = 1;
    _exit(0);
}

/* STATUS_STALLED: "WHAT in select, iteration 3". */
static enum status stalled(const struct told *told, const char *what, struct error *error)
{
    return error_set(error, STATUS_STALLED, "%s in %s, iteration %" PRIu64, what, running_call_text(told->call.name),
                     told->call.iteration);
}

/* Waits for the end of the process. STATUS_STALLED if a call does not return. */
static enum status watch(pid_t child, const struct told *told, const volatile sig_atomic_t *interrupted,
                         struct error *error)
{
    enum { SLICE = 100 }; /* milliseconds between two looks */
    uint64_t calls = told->call.calls;
    double since = clock_now();
    while (!platform_has_ended(child, SLICE)) {
        char what[60];
        if (interrupted && *interrupted)
            return error_set(error, STATUS_INTERRUPTED, "interrupted");
        if (told->call.calls != calls || told->call.name == CALLED_NONE) {
            calls = told->call.calls;
            since = clock_now();
        } else if (clock_now() - since > patience) {
            snprintf(what, sizeof what, "no return within %g s", patience);
            return stalled(told, what, error);
        }
    }
    return STATUS_OK;
}

/* Returns the status of the job; STATUS_STALLED, with the error, if the process ended before it was done. */
static enum status run_apart(const struct isolated *isolated, const volatile sig_atomic_t *interrupted,
                             struct error *error)
{
    struct told *told = isolated->told;
    int how = 0;
    fflush(stdout);
    const pid_t parent = getpid(), child = fork();
    if (child < 0)
        return error_set(error, STATUS_IO, "cannot start a process for a plugin: %s", strerror(errno));
    if (child == 0)
        be_isolated(isolated, parent);
    const enum status status = watch(child, told, interrupted, error);
    kill(-child, SIGKILL);
    kill(child, SIGKILL); /* before its setpgid */
    while (waitpid(child, &how, 0) < 0 && errno == EINTR) {
        /* again */
    }
    if (status != STATUS_OK)
        return status;
    *error = told->error;
    if (told->is_done)
        return told->status;
    const char *ended = WIFSIGNALED(how) ? platform_signal_name(WTERMSIG(how))
                                         : message_text("the process was ended with status %d", WEXITSTATUS(how));
    return stalled(told, ended, error);
}

static struct job_result failed_result(const struct told *told, const char *reason)
{
    struct job_result result = {
        .solution = {.outcome = OUTCOME_FAILED, .iterations = told->call.iteration, .objective = (double)NAN},
        .is_lost = 1,
    };
    snprintf(result.solution.reason, sizeof result.solution.reason, "%.*s", REASON_SIZE - 1, reason);
    return result;
}

void isolated_run_job(struct split_session *unit, const struct config *config, const struct job *job,
                      struct trace *trace, const volatile sig_atomic_t *interrupted, struct job_result *result)
{
    const struct solver *solver = config->solvers[job->solver].solver;
    if ((!solver_origin(solver) || solver_is_program(solver)) && !stop_rule_own(job->stop.rule)) {
        unit_run_job(unit, config, job, trace, interrupted, result);
        return;
    }
    struct told *told = platform_map(sizeof *told, 1);
    if (!told)
        die(STATUS_NO_MEMORY, "%s: out of memory", unit->dataset->name);
    const struct isolated isolated = {unit, config, job, trace, told};
    struct error error;
    enum status status = run_apart(&isolated, interrupted, &error);
    unit->timing = told->timing;
    if (status == STATUS_STALLED) {
        *result = failed_result(told, error.message);
        unit->timing = (struct timing){.budget = unit_budget(&config->solvers[job->solver], unit->split->n_train),
                                        .rows = unit->rows_hash};
        status = STATUS_OK;
    } else
        *result = told->result;
    for (size_t k = 0; k < told->n_points && status == STATUS_OK; k++)
        status = trace_add(trace, &told->points[k], &error);
    if (trace) {
        trace->plane = told->plane;
        trace->y = told->y;
    }
    munmap(told, sizeof *told);
    die_unless_ok(status, &error);
}
