/*
 * Runs one solver on one problem, iteration by iteration, and checks every expectation that it can: memory, rows,
 * allocations, constraints, the solver's reports against its multipliers (harness/evaluate/judge.h), and the kernel
 * operations of each call.
 */
#ifndef HULLBENCH_TRACE_SOLVER_H
#define HULLBENCH_TRACE_SOLVER_H

#include "harness/evaluate/judge.h"
#include "harness/evaluate/running.h"
#include "harness/verify/verify.h"

/* ---- problems and settings (problems.c) ---- */

struct instance {
    unsigned number;
    const char *family;
    size_t n, dims;
    struct kernel kernel;
    signed char y[MAX_INSTANCE];
    double x[MAX_INSTANCE * MAX_INSTANCE_DIMS];
    size_t rows[MAX_INSTANCE];
    struct points points;
    struct gram *gram;
    struct oracle *oracle; /* checks rows; these three are released with the pool */
};

/* Generates problem `number`, from 1, for loops of one vector width. */
struct instance *instance_new(struct pool *pool, unsigned number, const struct simd *simd);

enum { MAX_SETTINGS = 48, SETTING_SIZE = 200 };

struct verify_setting {
    struct parameters parameters;
    char text[SETTING_SIZE]; /* "mu=0.3, selection=free"; "" if the solver has no parameters */
};

/* Fills at most MAX_SETTINGS `settings`, the usual one first, and returns their number. `given`: an object of values by
 * name. Dies at a parameter that the solver does not have, or a value that it rejects. */
size_t settings_make(const struct solver *solver, const struct cJSON *given, struct verify_setting *settings);

/* Describes the problem and the setting: number, family, patterns, kernel, parameters. */
void setting_describe(const struct verify_setting *setting, const struct instance *instance, char *text, size_t size);

/* The problem of an instance with a setting: mu is raised to the smallest with nonempty reduced hulls, 1 / min(N+, N-);
 * for solvers without mu it is 1. */
struct problem setting_problem(const struct verify_setting *setting, const struct solver *solver,
                               const struct instance *instance);

/* The value of a parameter; `otherwise` if the solver does not read it. */
double setting_value(const struct solver *solver, const struct problem *problem, const struct parameter *parameter,
                     double otherwise);

/* ---- results ----
 * They are in memory that the verifying process shares with its children. The children write and the process reads;
 * results written before the solver kills a child are kept. */

enum expectation {
    EXPECT_END,
    EXPECT_PROCESS,
    EXPECT_MEMORY,
    EXPECT_ROWS,
    EXPECT_NO_ALLOCATION,
    EXPECT_FEASIBLE,
    EXPECT_FIGURES,
    EXPECT_MONOTONE,
    EXPECT_OBJECTIVE,
    EXPECT_DELTA,
    EXPECT_GAP,
    EXPECT_NO_DRIFT,
    EXPECT_SETUP_COST,
    EXPECT_ITERATION_COST,
    EXPECT_OPTIMUM,
    EXPECT_REPEATS,
    EXPECT_WIDTHS,
    EXPECTATIONS
};

/* The vector widths of HULLBENCH_LANES. */
enum { WIDTHS = 3 };
extern const char *const width_names[WIDTHS];

enum { TRIAL_SIZE = 480, TEXT_SIZE = 300 };

/* What is being run. */
struct trial {
    size_t n;           /* patterns; 0: none */
    uint64_t iteration; /* updates done before, or 0 in init */
    char problem[TRIAL_SIZE]; /* the problem and the values of the parameters, as text */
};

struct finding {
    uint64_t checks;    /* number of checks of the expectation */
    uint64_t failures; /* number of failed checks */
    struct trial trial; /* of the smallest failure: fewest patterns, then fewest iterations */
    char text[TEXT_SIZE]; /* the observed and the expected value there */
};

struct check_results {
    struct finding findings[EXPECTATIONS];
    struct trial now;
    struct running_call call; /* the current one of the solver; `calls` is a sign of life */
    size_t next;      /* next item of the stage */
    int done;         /* the stage has finished */
    int is_noted;     /* the findings already say why the child ended */
    /* Problems that the solver rejects; without a duality gap at the end; that a slow or stalling solver did not
     * finish; or with parameter values that may miss the optimum. */
    uint64_t refused, unproved, unfinished, excused;
    char refusal[TEXT_SIZE]; /* why the solver rejected the first one */
    size_t n_settings;
    uint64_t longest;        /* iterations of the longest run */
    double largest_drift;    /* of a reported value from the recomputed one, in long runs */
    unsigned widths;         /* vector widths compared */
    int cannot_watch;        /* this build cannot count allocations */
};

/* Notes one check of an expectation in the current trial. `format` describes the observed and the expected value. */
void check(struct check_results *results, enum expectation expectation, int holds, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Notes that the solver broke the contract for rows or memory, in the words of solver_checks.h. */
void note_breach(struct check_results *results, const struct solver *solver, const char *reason);
/* Notes that the solver rejects the problem. */
void note_refusal(struct check_results *results, const char *reason);
/* Checks the constraints. Zero: one is violated. */
int check_feasible(struct check_results *results, const struct judgement *judged);
/* The judged objective with the sign with which the solver minimises it. */
double minimised(const struct solver *solver, const struct judgement *judged);

/* Prints the table; returns the number of expectations that do not hold. */
size_t print_results(struct pool *pool, const struct solver *solver, const struct check_results *results, FILE *stream);

/* ---- runs ---- */

enum { HASHED_ITERATIONS = 400 };

/* A hash of the reports and multipliers of each iteration. */
struct trace_hashes {
    size_t count;
    uint64_t item[HASHED_ITERATIONS];
};

struct trace_request {
    const struct solver *solver;
    struct instance *instance;
    const struct verify_setting *setting;
    struct check_results *results;
    uint64_t iterations; /* maximum */
    double tolerance;    /* of problem.tolerance: that of a stopping rule */
    int need_objective;  /* as the loop sets it */
    int is_long;         /* nonzero: compare values at ever longer intervals, and count differences as drift */
    struct trace_hashes *hashes; /* NULL, or what is made instead of the checks, of at most HASHED_ITERATIONS */
    unsigned char fill;          /* for hashes: the byte in the stack below the solver's calls */
};

/* Runs it. Returns zero if the solver rejects the problem; the results then say so. */
int trace_solver(const struct trace_request *request);

/* Labels of a traced run lie next to unreadable pages: a solver that reads labels outside of their array gets a SIGSEGV
 * there. Markers (solvers/kernel/marker.h) cannot detect such a read, which leaves no trace. The array ends at the end
 * of its page, or begins at its beginning; every read up to FENCE_BYTES beyond that end is detected. The memory beyond
 * the other end holds zeros, which are not labels. */
enum { FENCE_BYTES = 1 << 16 };
/* Nonzero if these make the address unreadable; *index is the index of the label that would be there. */
int fence_keeps(const void *address, ptrdiff_t *index);

/* Nonzero if the machine can hold the state that the solver requests; otherwise the results say so. */
int state_fits(struct check_results *results, const struct solver *solver, const struct problem *problem);

#endif
