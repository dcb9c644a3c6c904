/* The stages of verify, each in a child process (verify.h). */
#include "harness/verify/verify.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/die.h"
#include "harness/base/platform.h"
#include "harness/evaluate/recheck.h"
#include "harness/evaluate/rounding.h"
#include "harness/evaluate/solve.h"
#include "harness/programs/program.h"
#include "harness/verify/trace_solver.h"
#include "solvers/clock.h"

enum {
    SMALL_ITERATIONS = 300,
    LARGE_ITERATIONS = 1500,
    LONG_ITERATIONS = 20000,
    FIRST_ITERATIONS = 100000, /* towards the optimum; */
    MOST_ITERATIONS = 3000000, /* if that is not enough; */
    SLOW_ITERATIONS = 20000,   /* if the solver converges slowly */
    EVERY_HASHED = 8, /* one in so many small problems is run twice and at all widths */
    MAX_FAILURES = 3, /* crashes in a stage, or runs that end far from the optimum: then the stage is abandoned. After
                       * a call that does not return, all are */
};
/* Of one run towards the optimum, in seconds: more than solvers need that reach it; and once one has failed. */
static const double longest_run = 100, longest_further_run = 10;
/* A call may take request->patience processor seconds; one that waits, so many times as many on the clock. */
static const double longest_wait = 12;

struct verify_stage;

struct work {
    const struct verify_request *request;
    struct check_results *results; /* shared */
    struct verify_setting settings[MAX_SETTINGS];
    size_t n_settings;
    struct pool *pool; /* reset after each item of a stage */
    struct instance *instance;
    const struct verify_stage *stage;
    double started; /* by clock_now */
};

struct verify_stage {
    const char *name;
    size_t n_items, items_per_setting;
    void (*run)(struct work *work, size_t item);
    int in_one_piece; /* nonzero if external solvers have it */
};

/* ---- problems ---- */

static int is_wanted(const struct work *work, unsigned number)
{
    const struct verify_request *request = work->request;
    size_t k = 0;
    while (k < request->n_problems && request->problems[k] != number)
        k++;
    return !request->problems || k < request->n_problems;
}

static void open_instance(struct work *work, unsigned number, const struct verify_setting *setting,
                          const struct simd *simd)
{
    struct trial *now = &work->results->now;
    work->instance = instance_new(work->pool, number, simd);
    setting_describe(setting, work->instance, now->problem, sizeof now->problem);
    now->n = work->instance->n;
    now->iteration = 0;
}

static double tolerance_of(const struct solver *solver)
{
    return solver->converges_slowly ? 1e-4 : 1e-8;
}

/* ---- iterations ---- */

static void trace_item(struct work *work, size_t item)
{
    size_t beyond = item < SMALL_INSTANCES ? 0 : item - SMALL_INSTANCES;
    int is_large = item >= SMALL_INSTANCES, is_long = is_large && beyond >= work->n_settings;
    unsigned number = (unsigned)(is_long    ? FIRST_LONG + beyond - work->n_settings
                                 : is_large ? FIRST_LARGE + beyond
                                            : item + 1);
    const struct verify_setting *setting = &work->settings[(is_large ? beyond : item) % work->n_settings];
    if (!is_wanted(work, number))
        return;
    open_instance(work, number, setting, work->request->simd);
    struct trace_request request = {
        .solver = work->request->solver,
        .instance = work->instance,
        .setting = setting,
        .results = work->results,
        .iterations = is_long ? LONG_ITERATIONS : is_large ? LARGE_ITERATIONS : SMALL_ITERATIONS,
        .tolerance = is_long ? 0 : tolerance_of(work->request->solver),
        .need_objective = 1,
        .is_long = is_long,
    };
    (void)trace_solver(&request);
    request.need_objective = 0;
    if (!is_long)
        (void)trace_solver(&request);
}

/* ---- optima ---- */

/* A run towards the optimum, and the quality of its multipliers. */
struct final_run {
    struct problem problem;
    struct stop stop;
    double kernel; /* the largest kernel value */
    struct solution solution;
    struct judgement judged;
    double limit;    /* the largest accepted distance: with what rounding adds in the solver's sums */
    double distance; /* a bound of the distance of the objective from the optimum; NAN without a duality gap */
};

/* The largest kernel value, which is on the diagonal, with the ridge and the added feature. */
static double largest_kernel_value(const struct solver *solver, const struct problem *problem,
                                   const struct instance *instance)
{
    const double added = solver->formulation == FORMULATION_MINIMUM_NORM
                             ? setting_value(solver, problem, &parameter_added, 1)
                             : 0;
    double largest = 0;
    oracle_set_ridge(instance->oracle, solver_ridge(solver, problem));
    for (size_t j = 0; j < instance->n; j++)
        largest = fmax(largest, rounding_size2(instance->gram, j));
    return largest + added * added;
}

/* A rule of norms that is not relative bounds |W|^2 in units of the kernel, which may be small. */
static struct stop stop_of(const struct solver *solver, double kernel)
{
    struct stop stop = stop_usual(solver);
    stop.tolerance = tolerance_of(solver);
    if (formulation_is_norm(solver->formulation) && !stop_is_relative(stop.rule) && kernel > 0)
        stop.tolerance *= fmin(1, kernel);
    if (!stop_rule_fits(stop.rule, solver))
        stop.rule = STOP_ITERATIONS;
    return stop;
}

/*
 * The duality gap bounds the distance. For SVM duals so does the KKT violation d: the objective is concave, so the
 * optimum x is better than alpha by at most grad . (x - alpha) <= d (sum alpha + sum x), with a bias half of that,
 * since each weight that moves from one pattern to another counts twice in these sums. At the optimum the primal value
 * is sum x - 1/2 |W|^2 >= 1/2 sum x, so sum x is at most twice any primal value. With a large C the gap is the weaker
 * bound, since a violation of d in each pattern costs C d of the primal value.
 */
static double distance_of(const struct solver *solver, const struct judgement *judged, const double *alpha, size_t n)
{
    const struct stopping_figures *rounding = &judged->rounding;
    const double gap = judged->duality_gap + rounding->duality_gap;
    double sum = 2 * (judged->objective + gap);
    if (!isfinite(gap))
        return (double)NAN;
    for (size_t j = 0; j < n; j++)
        sum += alpha[j];
    if (solver->formulation == FORMULATION_C_SVM || solver->formulation == FORMULATION_SQUARE_SVM)
        sum /= 2;
    return formulation_is_norm(solver->formulation)
               ? gap
               : fmin(gap, (judged->kkt_violation + rounding->kkt_violation) * sum);
}

static void check_optimum(struct work *work, const struct final_run *run)
{
    const struct solver *solver = work->request->solver;
    enum outcome outcome = run->solution.outcome;
    struct check_results *results = work->results;
    int is_far = run->distance > run->limit;
    if (solver->may_miss_optimum && solver->may_miss_optimum(&run->problem.parameters)) {
        results->excused++;
        return;
    }
    /* An external solver's limit is its own. */
    if (is_far && ((solver->may_stall && (outcome == OUTCOME_STALLED ||
                                          (solver->solve_external && outcome == OUTCOME_ITERATION_LIMIT))) ||
                   (solver->converges_slowly &&
                    (outcome == OUTCOME_ITERATION_LIMIT || outcome == OUTCOME_TIME_LIMIT)))) {
        results->unfinished++;
        return;
    }
    check(results, EXPECT_OPTIMUM, !is_far,
          "%s after %lu iterations with an objective of %.9g, at most %.2g from the optimum; expected: at most %.2g",
          outcome_name(outcome), (unsigned long)run->solution.iterations, run->judged.objective, run->distance,
          run->limit);
}

static void judge_run(const struct solver *solver, struct instance *instance, const double *alpha,
                      struct final_run *run)
{
    double products[MAX_INSTANCE + SIMD_LANES] __attribute__((aligned(SIMD_ALIGNMENT))), scratch[MAX_INSTANCE];
    char reason[REASON_SIZE];
    const struct judging judging = {&run->problem, solver->formulation, instance->gram, alpha, 1e-6, products, scratch};
    judge(&judging, &run->judged);
    const double unit = fmax(fabs(run->judged.objective), formulation_is_norm(solver->formulation) ? run->kernel : 0);
    run->limit = (solver->converges_slowly ? 1e-3 : 1e-6) * unit +
                 (4 + 8 * sqrt((double)run->solution.iterations)) * run->judged.rounding.objective;
    run->distance = distance_of(solver, &run->judged, alpha, instance->n);
    if (run->solution.outcome == OUTCOME_CONVERGED &&
        recheck_rule(&run->stop, solver, 0, &run->judged, reason) != RECHECK_BORNE_OUT)
        run->solution.outcome = OUTCOME_STALLED; /* as in a record */
    if (!(run->distance <= run->limit) && judge_closely(&judging, 0, &run->judged))
        run->distance = distance_of(solver, &run->judged, alpha, instance->n);
}

/* Zero if the solver rejects the problem. */
static int try_once(struct work *work, const struct solver *solver, uint64_t iterations, struct final_run *run)
{
    struct error error = {0};
    double alpha[MAX_INSTANCE];
    const struct solve_request request = {
        .solver = solver,
        .problem = &run->problem,
        .oracle = work->instance->oracle,
        .patterns = &work->instance->points,
        .kernel = &work->instance->kernel,
        .stop = run->stop,
        .budget = {.iterations = iterations,
                   .seconds = work->results->findings[EXPECT_OPTIMUM].failures ? longest_further_run : longest_run},
    };
    const enum status status = solve(&request, alpha, &run->solution, &error);
    if (status == STATUS_OK)
        judge_run(solver, work->instance, alpha, run);
    else if (status != STATUS_BAD_INPUT)
        die_of(&error);
    return status == STATUS_OK;
}

/* Whether `other` is a built-in solver of the same problem. It gets the defaults of its further parameters. */
static int is_reference(const struct solver *other, const struct solver *solver, struct problem *problem)
{
    int known = 1;
    for (size_t p = 0; p < solver_count_parameters(other); p++) {
        const struct parameter *parameter = other->parameters[p];
        if (solver_reads(solver, parameter))
            continue;
        known = known && !isnan(parameter->fallback);
        parameter_set(&problem->parameters, parameter, parameter->fallback);
    }
    return known && other != solver && !solver_origin(other) && other->formulation == solver->formulation &&
           other->square_penalty == solver->square_penalty && !other->converges_slowly && !other->may_stall &&
           !other->may_miss_optimum;
}

/* The optimum is better than any multipliers by at most their distance: tries those of others until that suffices. */
static void compare_with_others(struct work *work, const struct verify_setting *setting, struct final_run *run)
{
    for (const struct solver *const *at = solvers_all(); *at && run->distance > run->limit; at++) {
        const struct solver *other = *at;
        struct final_run reference = {.problem = setting_problem(setting, other, work->instance),
                                      .kernel = run->kernel,
                                      .stop = stop_of(other, run->kernel)};
        if (is_reference(other, work->request->solver, &reference.problem) &&
            try_once(work, other, FIRST_ITERATIONS, &reference))
            run->distance = fmin(run->distance, minimised(other, &run->judged) + run->judged.rounding.objective -
                                                    minimised(other, &reference.judged) + reference.distance);
    }
}

static void check_run(struct work *work, const struct final_run *run)
{
    struct check_results *results = work->results;
    const struct solution *solution = &run->solution;
    results->now.iteration = solution->iterations;
    if (solution->outcome == OUTCOME_FAILED) {
        if (solution->breaks_rules)
            note_breach(results, work->request->solver, solution->reason);
        else if (work->request->solver->solve_external ||
                 (solution->iterations == 0 && !solver_is_program(work->request->solver)))
            note_refusal(results, solution->reason);
        else
            check(results, EXPECT_END, 0, "%s", solution->reason);
        return;
    }
    check(results, EXPECT_END, 1, "x");
    const int is_feasible = check_feasible(results, &run->judged);
    if (isnan(run->distance))
        results->unproved++;
    else if (is_feasible)
        check_optimum(work, run);
}

/* Each run is repeated with more iterations if they are what it lacks, until one fails: once is enough to say so. */
static void optimum_item(struct work *work, size_t item)
{
    const struct solver *solver = work->request->solver;
    const struct verify_setting *setting = &work->settings[item % work->n_settings];
    const uint64_t *failures = &work->results->findings[EXPECT_OPTIMUM].failures;
    uint64_t iterations = solver->converges_slowly ? SLOW_ITERATIONS : FIRST_ITERATIONS, last;
    unsigned number = (unsigned)item + 1;
    if (!is_wanted(work, number) || *failures >= MAX_FAILURES)
        return;
    open_instance(work, number, setting, work->request->simd);
    struct final_run run = {.problem = setting_problem(setting, solver, work->instance)};
    if (!solver->solve_external && !state_fits(work->results, solver, &run.problem))
        return;
    run.kernel = largest_kernel_value(solver, &run.problem, work->instance);
    run.stop = stop_of(solver, run.kernel);
    do {
        if (!try_once(work, solver, iterations, &run)) {
            work->results->refused++;
            return;
        }
        if (run.distance > run.limit)
            compare_with_others(work, setting, &run);
        last = iterations;
        iterations = MOST_ITERATIONS;
    } while (last == FIRST_ITERATIONS && *failures == 0 && run.distance > run.limit &&
             run.solution.outcome == OUTCOME_ITERATION_LIMIT);
    check_run(work, &run);
}

/* ---- identical bytes ---- */

static void compare_hashes(struct check_results *results, enum expectation expectation, const char *names,
                           const struct trace_hashes *first, const struct trace_hashes *other)
{
    size_t at = 0, count = first->count < other->count ? first->count : other->count;
    while (at < count && first->item[at] == other->item[at])
        at++;
    results->now.iteration = at;
    check(results, expectation, at == count && first->count == other->count,
          "reports, multipliers or kernel operations %s", names);
}

/* Runs it once, and again at this width and at all others. */
static void hash_item(struct work *work, size_t item)
{
    static struct trace_hashes first, other;
    const size_t small = SMALL_INSTANCES / EVERY_HASHED;
    const unsigned number = (unsigned)(item < small ? (item + 1) * EVERY_HASHED : FIRST_LARGE + item - small);
    const struct simd *simd = work->request->simd;
    struct trace_request request = {.solver = work->request->solver,
                                    .setting = &work->settings[(item < small ? item : item - small) % work->n_settings],
                                    .results = work->results,
                                    .iterations = HASHED_ITERATIONS,
                                    .tolerance = tolerance_of(work->request->solver),
                                    .need_objective = 1,
                                    .hashes = &first};
    unsigned widths = 0;
    for (size_t run = 0; run < 2 + WIDTHS && is_wanted(work, number); run++) {
        const struct simd *width = run < 2 ? simd : simd_select(width_names[run - 2]);
        char names[60] = "of the second run differ from those of the first";
        if (!width || (run >= 2 && width == simd))
            continue;
        open_instance(work, number, request.setting, width);
        request.instance = work->instance;
        const int starts = trace_solver(&request);
        if (!starts && run < 2)
            return;
        if (run >= 2)
            snprintf(names, sizeof names, "differ between the widths %s and %s", simd->name, width->name);
        if (starts && run > 0)
            compare_hashes(work->results, run < 2 ? EXPECT_REPEATS : EXPECT_WIDTHS, names, &first, &other);
        widths += run > 0;
        request.hashes = &other;
        request.fill = 0xa5;
    }
    if (widths > 0)
        work->results->widths = widths;
}

/* ---- children ---- */

static const struct verify_stage stages[] = {
    {"iterations", SMALL_INSTANCES, 2, trace_item, 0},
    {"optima", SMALL_INSTANCES, 0, optimum_item, 1},
    {"same bytes", SMALL_INSTANCES / EVERY_HASHED, 1, hash_item, 0},
};

static size_t count_items(const struct verify_stage *stage, const struct work *work)
{
    return stage->n_items + stage->items_per_setting * work->n_settings;
}

/* The handlers of signals and of fork have no context argument. */
static struct check_results *results_of_child;
static pid_t child_itself;

static void on_fork(void)
{
    if (getpid() == child_itself)
        check(results_of_child, EXPECT_PROCESS, 0, "%s called fork", running_call_text(results_of_child->call.name));
}

static void end_at_once(void)
{
    _exit(0);
}

/* Reports a read next to the labels as a finding; any other address ends the process as usual. */
static void on_bad_address(int number, siginfo_t *info, void *unused)
{
    struct check_results *results = results_of_child;
    ptrdiff_t index;
    (void)unused;
    if (!fence_keeps(info->si_addr, &index)) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    check(results, EXPECT_MEMORY, 0, "%s reads or writes outside the labels, at y[%td]; expected: y[0] to y[%zu]",
          running_call_text(results->call.name), index, results->now.n - 1);
    results->is_noted = 1;
    _exit(0);
}

static void set_handlers(struct check_results *results)
{
    static const int crashes[] = {SIGABRT, SIGFPE, SIGILL, SIGBUS};
    struct sigaction bad_address = {.sa_flags = SA_SIGINFO};
    bad_address.sa_sigaction = on_bad_address;
    for (size_t k = 0; k < sizeof crashes / sizeof *crashes; k++)
        signal(crashes[k], SIG_DFL);
    signal(SIGCHLD, SIG_IGN); /* nobody waits for children that a solver starts */
    sigaction(SIGSEGV, &bad_address, NULL);
    results_of_child = results;
    child_itself = getpid();
    pthread_atfork(on_fork, NULL, end_at_once);
}

/* A bit set of which of the first 64 descriptors are open. */
static uint64_t open_descriptors(void)
{
    uint64_t open = 0;
    for (int k = 0; k < 64; k++)
        if (fcntl(k, F_GETFD) >= 0)
            open |= UINT64_C(1) << k;
    return open;
}

static void check_descriptors(struct check_results *results, uint64_t *open)
{
    uint64_t now = open_descriptors(), closed = *open & ~now, added = now & ~*open;
    int first = 0;
    while (first < 63 && !((closed | added) >> first & 1))
        first++;
    check(results, EXPECT_PROCESS, !(closed | added), "descriptor %d was %s during the run", first,
          closed >> first & 1 ? "closed" : "opened, and left open");
    *open = now;
}

/* Runs the items of the stage from results->next on. */
static void run_items(void *data)
{
    struct work *work = data;
    struct check_results *results = work->results;
    struct error error;
    die_unless_ok(program_prepare(work->request->solver, &error), &error); /* it may start its process */
    uint64_t open = open_descriptors();
    const uint64_t *failures = &results->findings[EXPECT_END].failures, before = *failures; /* only programs go on */
    for (size_t item = results->next; item < count_items(work->stage, work) && *failures < before + MAX_FAILURES;
         item++) {
        results->next = item + 1;
        work->stage->run(work, item);
        if (results->now.n > 0 && !solver_is_program(work->request->solver)) /* a failed program has closed its pipes */
            check_descriptors(results, &open);
        pool_reset(work->pool);
    }
}

/* Never returns. The end of the process must not run the exit handlers and cleanups of its parent. */
static void be_child(struct work *work, pid_t parent)
{
    struct error error = {0};
    platform_begin_child(parent);
    set_handlers(work->results);
    running_watch(&work->results->call);
    work->results->done = attempt(run_items, work, &error) == STATUS_OK;
    if (!work->results->done)
        fprintf(stderr, "hullbench: %s\n", error.message);
    _exit(0);
}

static double processor_seconds(pid_t child)
{
    clockid_t clock;
    struct timespec time = {0};
    if (clock_getcpuclockid(child, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A time that a call took without an end; seconds 0: none. */
struct timeout {
    double seconds;
    const char *unit;
};

static void note_end(struct check_results *results, int how, const struct timeout *timeout)
{
    const char *call = running_call_text(results->call.name);
    results->now.iteration = results->call.iteration;
    if (timeout->seconds > 0)
        check(results, EXPECT_END, 0, "%s did not return within %g %s", call, timeout->seconds, timeout->unit);
    else if (WIFSIGNALED(how))
        check(results, EXPECT_END, 0, "%s in %s", platform_signal_name(WTERMSIG(how)), call);
    else
        check(results, EXPECT_END, 0, "the process ended with status %d in %s", WEXITSTATUS(how), call);
}

/* Reports the number of items, which begins at 1 with the first. */
static void report(const struct work *work, double began)
{
    const struct verify_request *request = work->request;
    const struct work_progress progress = {.what = work->stage->name, .since = began, .started = work->started,
                                      .done = work->results->next, .total = count_items(work->stage, work), .left = -1};
    if (request->report)
        request->report(request->context, &progress);
}

/* Waits for the child, showing progress, and then kills what remains of its process group. */
static struct timeout watch(const struct work *work, pid_t child, int *how)
{
    const struct verify_request *request = work->request;
    const struct check_results *results = work->results;
    const struct timeout none = {0}, busy = {request->patience, "processor seconds"},
                         waits = {longest_wait * request->patience, "seconds"};
    struct timeout found = none;
    uint64_t calls = results->call.calls;
    double worked = processor_seconds(child), mark = clock_now();
    const double began = mark;
    while (found.seconds == 0 && !platform_has_ended(child, 10)) {
        report(work, began);
        found = processor_seconds(child) - worked > busy.seconds ? busy
                : clock_now() - mark > waits.seconds             ? waits
                                                                 : none;
        if (results->call.calls != calls || results->call.name == CALLED_NONE ||
            (found.seconds > 0 && platform_is_stopped(child))) {
            calls = results->call.calls;
            worked = processor_seconds(child);
            mark = clock_now();
            found = none;
        }
    }
    kill(-child, SIGKILL);
    waitpid(child, how, 0);
    return found;
}

/* Returns nonzero if a call of the solver does not return. */
static int run_stage(struct work *work)
{
    struct check_results *results = work->results;
    results->next = 0;
    results->done = 0;
    for (int crashes = 0; crashes < MAX_FAILURES && results->next < count_items(work->stage, work); crashes++) {
        int how = 0;
        fflush(NULL);
        const pid_t parent = getpid(), child = fork();
        if (child < 0)
            die(STATUS_IO, "cannot start a process for the solver: %s", strerror(errno));
        if (child == 0)
            be_child(work, parent);
        setpgid(child, child); /* whichever process is first */
        const struct timeout timeout = watch(work, child, &how);
        if (work->request->report)
            work->request->report(work->request->context, NULL);
        if (results->done)
            return 0;
        if (results->is_noted) {
            results->is_noted = 0;
            continue;
        }
        if (timeout.seconds == 0 && WIFEXITED(how) && WEXITSTATUS(how) == 0 && results->call.name == CALLED_NONE)
            die(STATUS_NO_MEMORY, "the process of the solver ended without doing its work");
        note_end(results, how, &timeout);
        if (timeout.seconds > 0)
            return 1;
    }
    return 0;
}

size_t verify(struct pool *pool, const struct verify_request *request, FILE *stream)
{
    struct work *work = pool_alloc(pool, sizeof *work);
    struct check_results *results = platform_map(sizeof *results, 1);
    int gives_up = 0;
    if (!results)
        die(STATUS_IO, "cannot allocate shared memory: %s", strerror(errno));
    work->request = request;
    work->started = clock_now();
    work->pool = pool_new();
    work->n_settings = settings_make(request->solver, request->given, work->settings);
    results->n_settings = work->n_settings;
    work->results = results;
    for (size_t s = 0; s < sizeof stages / sizeof *stages && !gives_up; s++)
        if (!request->solver->solve_external || stages[s].in_one_piece) {
            work->stage = &stages[s];
            gives_up = run_stage(work);
        }
    pool_free(work->pool);
    return print_results(pool, request->solver, results, stream);
}
