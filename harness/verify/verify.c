/* The stages of verify, each in a child process (verify.h). */
#include "harness/verify/verify.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/evaluate/judge.h"
#include "harness/evaluate/recheck.h"
#include "harness/evaluate/solve.h"
#include "harness/base/platform.h"
#include "harness/verify/allocation.h"
#include "harness/verify/fence.h"
#include "harness/verify/reference.h"
#include "harness/verify/walk.h"
#include "solvers/clock.h"

enum {
    SMALL_ITERATIONS = 300,
    LARGE_ITERATIONS = 1500,
    LONG_ITERATIONS = 20000,
    FIRST_ITERATIONS = 100000, /* towards the optimum; */
    MOST_ITERATIONS = 3000000, /* if that is not enough; */
    SLOW_ITERATIONS = 20000,   /* if the solver converges slowly */
    EVERY_TRAIL = 8, /* one in so many small problems is run twice and at all widths */
    MAX_CRASHES = 3, /* then the stage is abandoned; after a call that does not return, all are */
};
/* Time limits without another call of the solver. The first is request->patience, in processor seconds. The others are
 * multiples of it: `longest_sleep` of elapsed time while the child uses less than `no_time` seconds of the processor,
 * which even a loaded machine would give it, and `longest_wait` of elapsed time in any case. */
static const double no_time = 0.01, longest_sleep = 12, longest_wait = 120;

struct work {
    const struct verify_request *request;
    struct board *board; /* shared */
    struct verify_setting settings[MAX_SETTINGS];
    size_t n_settings;
    struct instance instance;
};

struct verify_stage {
    const char *name;
    size_t (*items)(const struct work *work);
    enum status (*run)(struct work *work, size_t item, struct error *error);
    int in_one_piece; /* nonzero if external solvers have it */
};

/* ---- problems ---- */

static int is_wanted(const struct work *work, unsigned number)
{
    return !work->request->problems || work->request->problems[number];
}

static enum status open_instance(struct work *work, unsigned number, const struct verify_setting *setting,
                                 const struct simd *simd, struct error *error)
{
    struct place *now = &work->board->now;
    char problem[200];
    enum status status = instance_open(&work->instance, number, simd, error);
    if (status != STATUS_OK)
        return status;
    instance_describe(&work->instance, problem, sizeof problem);
    snprintf(now->problem, sizeof now->problem, "%s%s%s", problem, *setting->text ? ", " : "", setting->text);
    now->n = work->instance.n;
    now->iteration = 0;
    return STATUS_OK;
}

static double tolerance_of(const struct solver *solver)
{
    return solver->converges_slowly ? 1e-4 : 1e-8;
}

/* ---- walks ---- */

static size_t walk_items(const struct work *work)
{
    return SMALL_INSTANCES + 2 * work->n_settings;
}

static enum status walk_item(struct work *work, size_t item, struct error *error)
{
    size_t beyond = item < SMALL_INSTANCES ? 0 : item - SMALL_INSTANCES;
    int is_large = item >= SMALL_INSTANCES, is_long = is_large && beyond >= work->n_settings;
    unsigned number = (unsigned)(is_long    ? FIRST_LONG + beyond - work->n_settings
                                 : is_large ? FIRST_LARGE + beyond
                                            : item + 1);
    const struct verify_setting *setting = &work->settings[(is_large ? beyond : item) % work->n_settings];
    if (!is_wanted(work, number))
        return STATUS_OK;
    enum status status = open_instance(work, number, setting, work->request->simd, error);
    if (status != STATUS_OK)
        return status;
    struct walk_request request = {
        .solver = work->request->solver,
        .instance = &work->instance,
        .setting = setting,
        .board = work->board,
        .iterations = is_long ? LONG_ITERATIONS : is_large ? LARGE_ITERATIONS : SMALL_ITERATIONS,
        .tolerance = is_long ? 0 : tolerance_of(work->request->solver),
        .need_objective = 1,
        .is_long = is_long,
    };
    status = walk(&request, error);
    request.need_objective = 0;
    if (status == STATUS_OK && !is_long)
        status = walk(&request, error);
    instance_close(&work->instance);
    return status == STATUS_BAD_INPUT ? STATUS_OK : status; /* rejected, which the board has noted */
}

/* ---- optima ---- */

static size_t optimum_items(const struct work *work)
{
    (void)work;
    return SMALL_INSTANCES;
}

/* A run towards the optimum, and the quality of its multipliers. */
struct attempt {
    struct problem problem;
    struct reference reference;
    struct solution solution;
    struct judgement judged;
    int is_proved;
};

/* A rule of norms that is not relative bounds |W|^2 in units of the kernel, which may be small. */
static struct stop stop_of(const struct solver *solver, const struct attempt *attempt)
{
    struct stop stop = stop_usual(solver);
    stop.tolerance = tolerance_of(solver);
    if (attempt->is_proved && formulation_is_norm(solver->formulation) && !stop_is_relative(stop.rule))
        stop.tolerance *= fmin(1, attempt->reference.unit);
    if (!stop_rule_fits(stop.rule, solver))
        stop.rule = STOP_ITERATIONS;
    return stop;
}

static double minimised(const struct solver *solver, const struct judgement *judged)
{
    return formulation_is_norm(solver->formulation) ? judged->objective : -judged->objective;
}

static double rounding_of(const struct attempt *attempt)
{
    return (4 + 8 * sqrt((double)attempt->solution.iterations)) * attempt->judged.rounding.objective;
}

/* The largest accepted distance above the optimum. */
static double limit_of(const struct solver *solver, const struct attempt *attempt)
{
    return (solver->converges_slowly ? 1e-3 : 1e-6) * attempt->reference.unit + rounding_of(attempt);
}

static int is_above(const struct solver *solver, const struct attempt *attempt)
{
    return minimised(solver, &attempt->judged) > attempt->reference.high + limit_of(solver, attempt);
}

static void look_at_optimum(struct work *work, const struct attempt *attempt)
{
    const struct solver *solver = work->request->solver;
    const struct reference *reference = &attempt->reference;
    enum outcome outcome = attempt->solution.outcome;
    struct board *board = work->board;
    double objective = minimised(solver, &attempt->judged), limit = limit_of(solver, attempt);
    double below =
        reference->low - rounding_of(attempt) - attempt->judged.gap_shortfall - 1e-7 * reference->unit;
    int above = is_above(solver, attempt);
    if (solver->may_miss_optimum && solver->may_miss_optimum(&attempt->problem.parameters)) {
        board->excused++;
        return;
    }
    /* An external solver's limit is its own. */
    if (above && ((solver->may_stall && (outcome == OUTCOME_STALLED ||
                                         (solver->solve_external && outcome == OUTCOME_ITERATION_LIMIT))) ||
                  (solver->converges_slowly && outcome == OUTCOME_ITERATION_LIMIT))) {
        board->unfinished++;
        return;
    }
    board_look(board, EXPECT_OPTIMUM, !above && objective >= below,
               "%s after %lu iterations with an objective of %.9g; expected: %.9g, within %.2g", outcome_name(outcome),
               (unsigned long)attempt->solution.iterations, objective, reference->high,
               above ? limit : reference->high - below);
}

/* Notes a solution that solver_checks rejects, or that solve did not begin. */
static void note_failed(struct board *board, const struct solver *solver, const struct solution *solution)
{
    if (!*solution->reason || solver->solve_external) {
        if (board->refused++ == 0)
            snprintf(board->refusal, sizeof board->refusal, "%.280s", solution->reason);
        return;
    }
    board_look(board, strstr(solution->reason, " row") ? EXPECT_ROWS : EXPECT_MEMORY, 0, "%s", solution->reason);
}

static enum status try_once(struct work *work, uint64_t iterations, struct attempt *attempt, struct error *error)
{
    const struct solver *solver = work->request->solver, announced = walk_announced(solver, work->board);
    struct instance *instance = &work->instance;
    double alpha[MAX_INSTANCE], *products = simd_doubles(MAX_INSTANCE), *scratch = simd_doubles(MAX_INSTANCE);
    char reason[REASON_SIZE];
    const struct solve_request request = {
        .solver = &announced,
        .problem = &attempt->problem,
        .oracle = instance->oracle,
        .patterns = &instance->points,
        .kernel = &instance->kernel,
        .stop = stop_of(solver, attempt),
        .budget = {.iterations = iterations},
    };
    enum status status = products && scratch ? solve(&request, alpha, &attempt->solution, error)
                                             : error_set(error, STATUS_NO_MEMORY, "out of memory");
    work->board->call = CALL_NONE;
    if (status == STATUS_OK)
        judge(&attempt->problem, solver->formulation, instance->gram, alpha, 1e-6, products, scratch,
              &attempt->judged);
    if (status == STATUS_OK && attempt->solution.outcome == OUTCOME_CONVERGED &&
        recheck_convergence(&request.stop, solver, &attempt->judged, reason, sizeof reason) != RECHECK_BORNE_OUT)
        attempt->solution.outcome = OUTCOME_STALLED; /* as in a record */
    free(products);
    free(scratch);
    return status;
}

static void look_at_attempt(struct work *work, const struct attempt *attempt)
{
    struct board *board = work->board;
    double feasibility = attempt->judged.feasibility;
    if (attempt->solution.outcome == OUTCOME_FAILED) {
        note_failed(board, work->request->solver, &attempt->solution);
        return;
    }
    board->now.iteration = attempt->solution.iterations;
    board_look(board, EXPECT_END, 1, "x");
    board_look(board, EXPECT_FEASIBLE, feasibility <= 1e-9, "a constraint is violated by %.3g; expected: at most 1e-09",
               feasibility);
    if (!attempt->is_proved)
        board->unproved++;
    else if (attempt->reference.is_unbounded)
        board->unbounded++;
    else if (feasibility <= 1e-9)
        look_at_optimum(work, attempt);
}

static enum status optimum_item(struct work *work, size_t item, struct error *error)
{
    const struct solver *solver = work->request->solver;
    const struct verify_setting *setting = &work->settings[item % work->n_settings];
    unsigned number = (unsigned)item + 1;
    if (!is_wanted(work, number))
        return STATUS_OK;
    enum status status = open_instance(work, number, setting, work->request->simd, error);
    if (status != STATUS_OK)
        return status;
    struct attempt attempt = {.problem = setting_problem(setting, solver, &work->instance)};
    if (!solver->solve_external && !walk_state_fits(work->board, solver, &attempt.problem)) {
        instance_close(&work->instance);
        return STATUS_OK;
    }
    attempt.is_proved = reference_find(&work->instance, solver, &attempt.problem, &attempt.reference);
    status = try_once(work, solver->converges_slowly ? SLOW_ITERATIONS : FIRST_ITERATIONS, &attempt, error);
    if (status == STATUS_OK && !solver->converges_slowly && attempt.solution.outcome == OUTCOME_ITERATION_LIMIT &&
        attempt.is_proved && !attempt.reference.is_unbounded && is_above(solver, &attempt))
        status = try_once(work, MOST_ITERATIONS, &attempt, error);
    if (status == STATUS_BAD_INPUT) {
        work->board->refused++;
        status = STATUS_OK;
    } else if (status == STATUS_OK)
        look_at_attempt(work, &attempt);
    instance_close(&work->instance);
    return status;
}

/* ---- identical bytes ---- */

static size_t trail_items(const struct work *work)
{
    return SMALL_INSTANCES / EVERY_TRAIL + work->n_settings;
}

static void compare_trails(struct board *board, enum expectation expectation, const char *width,
                           const struct trail *first, const struct trail *other)
{
    size_t at = 0, count = first->count < other->count ? first->count : other->count;
    while (at < count && first->hashes[at] == other->hashes[at])
        at++;
    int is_same = at == count && first->count == other->count;
    board->now.iteration = at;
    if (*width)
        board_look(board, expectation, is_same,
                   "reports, multipliers or kernel operations differ between the widths %s", width);
    else
        board_look(board, expectation, is_same,
                   "reports, multipliers or kernel operations of the second run differ from those of the first");
}

static enum status one_trail(struct work *work, unsigned number, const struct verify_setting *setting,
                             const struct simd *simd, unsigned char fill, struct trail *trail, struct error *error)
{
    enum status status = open_instance(work, number, setting, simd, error);
    if (status != STATUS_OK)
        return status;
    const struct walk_request request = {.solver = work->request->solver,
                                         .instance = &work->instance,
                                         .setting = setting,
                                         .board = work->board,
                                         .tolerance = tolerance_of(work->request->solver),
                                         .need_objective = 1};
    status = walk_trail(&request, fill, trail, error);
    instance_close(&work->instance);
    return status;
}

static enum status trail_item(struct work *work, size_t item, struct error *error)
{
    static const char *const names[] = {"generic", "avx2", "avx512"};
    static struct trail first, other;
    size_t small = SMALL_INSTANCES / EVERY_TRAIL;
    const struct verify_setting *setting = &work->settings[(item < small ? item : item - small) % work->n_settings];
    unsigned number = (unsigned)(item < small ? (item + 1) * EVERY_TRAIL : FIRST_LARGE + item - small);
    const struct simd *simd = work->request->simd;
    unsigned widths = 1;
    if (!is_wanted(work, number))
        return STATUS_OK;
    enum status status = one_trail(work, number, setting, simd, 0x00, &first, error);
    if (status == STATUS_OK)
        status = one_trail(work, number, setting, simd, 0xa5, &other, error);
    if (status != STATUS_OK)
        return status == STATUS_BAD_INPUT ? STATUS_OK : status;
    compare_trails(work->board, EXPECT_REPEATS, "", &first, &other);
    for (size_t k = 0; k < sizeof names / sizeof *names && status == STATUS_OK; k++) {
        const struct simd *width = simd_select(names[k]);
        char pair[40];
        if (!width || width == simd)
            continue;
        status = one_trail(work, number, setting, width, 0xa5, &other, error);
        snprintf(pair, sizeof pair, "%s and %s", simd->name, width->name);
        if (status == STATUS_OK)
            compare_trails(work->board, EXPECT_WIDTHS, pair, &first, &other);
        widths++;
    }
    work->board->widths = widths;
    return status;
}

/* ---- children ---- */

static const struct verify_stage stages[] = {
    {"iterations", walk_items, walk_item, 0},
    {"optima", optimum_items, optimum_item, 1},
    {"same bytes", trail_items, trail_item, 0},
};

static const char *call_name(enum call call)
{
    static const char *const names[CALLS] = {"none of the solver's functions",
                                             "state_size",
                                             "init",
                                             "select",
                                             "update",
                                             "gap",
                                             "alpha",
                                             "the run"};
    return (unsigned)call < CALLS ? names[call] : names[0];
}

/* The handlers of signals and of fork have no context argument. */
static struct board *board_of_child;
static pid_t child_itself;

static void on_fork(void)
{
    if (getpid() == child_itself)
        board_look(board_of_child, EXPECT_PROCESS, 0, "%s called fork", call_name(board_of_child->call));
}

static void end_at_once(void)
{
    _exit(0);
}

/* Reports a read next to the labels as a finding; any other address ends the process as usual. */
static void on_bad_address(int number, siginfo_t *info, void *unused)
{
    struct board *board = board_of_child;
    ptrdiff_t index;
    (void)unused;
    if (!fence_keeps(info->si_addr, &index)) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    board_look(board, EXPECT_MEMORY, 0, "%s reads or writes outside the labels, at y[%td]; expected: y[0] to y[%zu]",
               call_name(board->call), index, board->now.n - 1);
    board->is_noted = 1;
    _exit(0);
}

static void set_handlers(struct board *board)
{
    static const int crashes[] = {SIGABRT, SIGFPE, SIGILL, SIGBUS};
    struct sigaction bad_address = {.sa_flags = SA_SIGINFO};
    bad_address.sa_sigaction = on_bad_address;
    for (size_t k = 0; k < sizeof crashes / sizeof *crashes; k++)
        signal(crashes[k], SIG_DFL);
    signal(SIGCHLD, SIG_IGN); /* nobody waits for children that a solver starts */
    sigaction(SIGSEGV, &bad_address, NULL);
    board_of_child = board;
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

static void look_at_descriptors(struct board *board, uint64_t *open)
{
    uint64_t now = open_descriptors(), closed = *open & ~now, added = now & ~*open;
    int first = 0;
    while (first < 63 && !((closed | added) >> first & 1))
        first++;
    board_look(board, EXPECT_PROCESS, !(closed | added), "descriptor %d was %s during the run", first,
               closed >> first & 1 ? "closed" : "opened, and left open");
    *open = now;
}

/* Runs the items of a stage from board->next on; never returns. */
static void be_child(struct work *work, const struct verify_stage *stage)
{
    const struct rlimit no_core = {0, 0};
    struct error error = {0};
    enum status status = STATUS_OK;
    uint64_t open = open_descriptors();
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a terminal's interrupt reaches only the parent */
    set_handlers(work->board);
    setrlimit(RLIMIT_CORE, &no_core);
    work->board->cannot_watch = !allocation_watch();
    for (size_t item = work->board->next; item < stage->items(work) && status == STATUS_OK; item++) {
        work->board->next = item + 1;
        status = stage->run(work, item, &error);
        if (work->board->now.n > 0)
            look_at_descriptors(work->board, &open);
    }
    if (status != STATUS_OK)
        fprintf(stderr, "hullbench: %s\n", error.message);
    else
        work->board->done = 1;
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

static const char *signal_name(int number)
{
    return number == SIGSEGV   ? "SIGSEGV"
           : number == SIGABRT ? "SIGABRT"
           : number == SIGFPE  ? "SIGFPE"
           : number == SIGILL  ? "SIGILL"
           : number == SIGBUS  ? "SIGBUS"
           : number == SIGKILL ? "SIGKILL"
                               : "a signal";
}

/* How a child that does not return spends its time. */
enum endless { RETURNS, KEEPS_BUSY, WAITS, LINGERS };

static void note_end(struct board *board, double patience, int how, enum endless endless)
{
    const char *call = call_name(board->call);
    if (endless == KEEPS_BUSY)
        board_look(board, EXPECT_END, 0, "%s did not return within %g processor seconds", call, patience);
    else if (endless == WAITS)
        board_look(board, EXPECT_END, 0, "%s did not return within %g seconds and does not use the processor",
                   call, longest_sleep * patience);
    else if (endless == LINGERS)
        board_look(board, EXPECT_END, 0, "%s did not return within %g seconds", call, longest_wait * patience);
    else if (WIFSIGNALED(how))
        board_look(board, EXPECT_END, 0, "%s in %s", signal_name(WTERMSIG(how)), call);
    else
        board_look(board, EXPECT_END, 0, "the process ended with status %d in %s", WEXITSTATUS(how), call);
}

static enum endless is_endless(double patience, double busy, double waits)
{
    if (busy > patience)
        return KEEPS_BUSY;
    if (busy < no_time && waits > longest_sleep * patience)
        return WAITS;
    return waits > longest_wait * patience ? LINGERS : RETURNS;
}

/* Waits for the child, showing progress, and then kills what remains of its process group. Returns whether and why the
 * child had to be killed. */
static enum endless watch(struct work *work, const struct verify_stage *stage, pid_t child, int *how)
{
    const struct verify_request *request = work->request;
    const volatile struct board *board = work->board;
    const struct timespec pause = {.tv_nsec = 10000000};
    uint64_t calls = board->calls;
    double busy = processor_seconds(child), mark = clock_now();
    enum endless endless = RETURNS;
    siginfo_t ended = {0};
    while (endless == RETURNS && ended.si_pid != child) {
        if (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 && errno != EINTR)
            break;
        if (request->report)
            request->report(request->context, stage->name, board->next, stage->items(work));
        endless = is_endless(request->patience, processor_seconds(child) - busy, clock_now() - mark);
        if (board->calls != calls || board->call == CALL_NONE || (endless > KEEPS_BUSY && platform_is_stopped(child))) {
            calls = board->calls;
            busy = processor_seconds(child);
            mark = clock_now();
            endless = RETURNS;
        }
        if (ended.si_pid != child)
            nanosleep(&pause, NULL);
    }
    kill(-child, SIGKILL);
    waitpid(child, how, 0);
    return endless;
}

static enum status run_stage(struct work *work, const struct verify_stage *stage, int *gives_up, struct error *error)
{
    struct board *board = work->board;
    board->next = 0;
    board->done = 0;
    for (int crashes = 0; crashes < MAX_CRASHES && board->next < stage->items(work); crashes++) {
        int how = 0;
        fflush(NULL);
        pid_t child = fork();
        if (child < 0)
            return error_set(error, STATUS_IO, "cannot start a process for the solver: %s", strerror(errno));
        if (child == 0)
            be_child(work, stage);
        setpgid(child, child); /* whichever process is first */
        enum endless endless = watch(work, stage, child, &how);
        if (board->done)
            return STATUS_OK;
        if (board->is_noted) {
            board->is_noted = 0;
            continue;
        }
        if (endless == RETURNS && WIFEXITED(how) && WEXITSTATUS(how) == 0 && board->call == CALL_NONE)
            return error_set(error, STATUS_NO_MEMORY, "the process of the solver ended without doing its work");
        note_end(board, work->request->patience, how, endless);
        *gives_up = endless != RETURNS;
        if (*gives_up)
            break;
    }
    return STATUS_OK;
}

enum status verify(const struct verify_request *request, struct board *board, size_t *n_settings,
                   struct error *error)
{
    static struct work work;
    int gives_up = 0;
    work = (struct work){.request = request};
    enum status status =
        settings_make(request->solver, request->given, work.settings, &work.n_settings, error);
    if (status != STATUS_OK)
        return status;
    *n_settings = work.n_settings;
    work.board = platform_map(sizeof *work.board, 1);
    if (!work.board)
        return error_set(error, STATUS_IO, "cannot allocate shared memory: %s", strerror(errno));
    for (size_t s = 0; s < sizeof stages / sizeof *stages && status == STATUS_OK && !gives_up; s++)
        if (!request->solver->solve_external || stages[s].in_one_piece)
            status = run_stage(&work, &stages[s], &gives_up, error);
    *board = *work.board;
    munmap(work.board, sizeof *work.board);
    return status;
}
