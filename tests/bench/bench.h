/*
 * Speed as ratios in one run of one process on one thread.
 *
 * What is compared is timed in turn, round by round, so that whatever else the machine does falls on all alike. Times
 * are processor time of the thread. A ratio is the median over the rounds of (time of the other) / (time of ours):
 * above 1, ours is faster.
 *
 * Solvers of ours and LIBSVM are compared at the same certified accuracy: each is given the largest tolerance at which
 * the KKT violation of the multipliers it returns, recomputed in double from the patterns, is within the target. Times
 * are from patterns to multipliers, kernel values included.
 */
#ifndef HULLBENCH_BENCH_H
#define HULLBENCH_BENCH_H

#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "solvers/kernel/oracle.h"
#include "solvers/solver.h"

struct bench {
    cJSON *report;
    const struct simd *best, *generic;
    const char *search_path; /* of data sets; may be NULL */
};

/* ---- measure.c ---- */

typedef void timed(void *context);

/* Processor seconds of the thread that one call takes. */
double bench_seconds(timed *work, void *context);

enum { BENCH_MAX_ROUNDS = 7, BENCH_MAX_RUNNERS = 12 };

/* Something that is timed, and its times; `repeats` calls a round. */
struct runner {
    timed *work;
    void *context;
    unsigned repeats;
    double seconds[BENCH_MAX_ROUNDS];
};

/* Times all runners in turn for up to BENCH_MAX_ROUNDS rounds, at least one, and no new round once `budget` seconds
 * are spent. Short work is repeated within a round. Returns the number of rounds. */
size_t bench_rounds(struct runner *runners, size_t count, double budget);
double bench_median(const double *values, size_t count);
/* Median, least and most over the rounds of other / ours. */
struct ratio {
    double median, min, max;
};
struct ratio bench_ratio(const double *ours, const double *other, size_t rounds);

/* ---- problem.c ---- */

enum { BENCH_NAME_SIZE = 32 };

/* A C-SVM's training set with its parameters. */
struct bench_problem {
    char name[BENCH_NAME_SIZE];
    size_t n, dims;
    double *x; /* n x dims, row by row */
    signed char *y;
    size_t *rows; /* 0 .. n - 1 */
    double width, c, mu;
};

/* The 13 data sets of Lopez, Barbero and Dorronsoro (2011) at the C, sigma^2 and mu of their Table 1. */
extern const size_t bench_sets;
/* Split 1 of the set's training parts, standardised. Zero when the data are not here. */
int bench_problem_of_set(struct bench_problem *problem, const struct bench *bench, size_t set);
/* The same of the set of that name. */
int bench_problem_named(struct bench_problem *problem, const struct bench *bench, const char *name);
/* n patterns made here: "twonorm", "ringnorm" and "waveform" by their definitions, "moons", two half circles with
 * noise, and "chessboard", 4 x 4 fields in two colours. */
void bench_problem_made(struct bench_problem *problem, const char *name, size_t n);
void bench_problem_free(struct bench_problem *problem);

/* ---- contest.c ---- */

/* Patterns, kernel rows and the counted door to them. */
struct bench_rows {
    struct points points;
    struct gram *gram;
    struct oracle *oracle;
};
/* Gets them for at most that many megabytes of kernel values; stops the program where memory runs out. */
void bench_rows_open(struct bench_rows *rows, const struct bench_problem *problem, const struct simd *simd,
                     size_t megabytes);
void bench_rows_close(struct bench_rows *rows);

struct contestant {
    const char *name;
    const struct solver *solver; /* NULL: LIBSVM */
    int shrinking;
    size_t megabytes; /* of kernel values; 0: as many as the race has */
};

/* What one run of a contestant on a problem is, and how it ended. */
struct run {
    const struct contestant *contestant;
    const struct bench_problem *problem;
    const struct simd *simd;
    double tolerance;
    size_t megabytes;      /* of kernel values */
    struct peer *peer;     /* LIBSVM's copy of the patterns */
    double *alpha;         /* n padded: what it found */
    uint64_t iterations, evaluations; /* of ours; LIBSVM does not tell */
};

/* Such as 324 for LIBSVM 3.24; 0 where it is not installed. */
int contest_libsvm_version(void);

/* Gets what a run keeps from one time to the next; contestant, problem, lanes and megabytes are set. */
void contest_open(struct run *run);
void contest_close(struct run *run);

/* From patterns to multipliers; the context is a struct run. Stops the program where memory runs out. */
void contest_run(void *run);
/* The KKT violation of the multipliers of a C-SVM, recomputed in double. */
double contest_violation(const struct run *run);
/* Sets run->tolerance to the largest of a few at which the violation is within the target; returns the violation then
 * reached, above the target where none will do. */
double contest_calibrate(struct run *run, double target);

/* ---- sections: each adds its key to bench->report and prints its table ---- */

void bench_loops(struct bench *bench);
void bench_sets_race(struct bench *bench);
void bench_exact(struct bench *bench);
void bench_large(struct bench *bench);
void bench_huge(struct bench *bench);
void bench_iteration(struct bench *bench);

#endif
