/*
 * Speed as ratios in one run of one process on one thread.
 *
 * Programs that are compared are timed in turn, round by round, so that other load on the machine affects them equally.
 * Times are processor time of the thread. A ratio is the median over the rounds of (time of the peer) / (time of the
 * hullbench solver): above 1, hullbench's is faster. A peer is a solver of another program.
 *
 * hullbench's solvers and peers are compared at the same certified accuracy: each is given the largest tolerance at
 * which the KKT violation of the multipliers it returns, recomputed in double from the patterns, is within the target.
 * Times are from patterns to multipliers, kernel values included. Peers that are programs report their own times.
 */
#ifndef HULLBENCH_BENCH_H
#define HULLBENCH_BENCH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cjson/cJSON.h>

#include "solvers/kernel/oracle.h"
#include "solvers/kernel/patterns.h"
#include "solvers/solver.h"

struct bench {
    cJSON *report;
    const struct simd *best, *generic;
    const char *search_path; /* of data sets; may be NULL */
    const char *folder;      /* of the bench program */
};

/* ---- measure.c ---- */

/* The memory; stops the program where there is none. */
void *bench_got(void *memory);

typedef void timed(void *context);

/* Processor seconds of the thread that one call takes. */
double bench_seconds(timed *work, void *context);
/* Seconds of the wall clock. */
double bench_wall(void);

enum { BENCH_MAX_ROUNDS = 7, BENCH_MAX_RUNNERS = 16 };

/* Something that is timed, and its times. `repeats` is the number of calls in a round: given as 1, or as 0 for as many
 * as short work needs. Where `reported` is given, the work writes its seconds there and is called once a round. */
struct runner {
    timed *work;
    void *context;
    const double *reported;
    unsigned repeats;
    double seconds[BENCH_MAX_ROUNDS];
};

/* Times all runners in turn for up to BENCH_MAX_ROUNDS rounds, at least one, and no new round once `budget` seconds
 * have passed. Short work is repeated within a round. Returns the number of rounds. */
size_t bench_rounds(struct runner *runners, size_t count, double budget);
double bench_median(const double *values, size_t count);
/* Median, least and most over the rounds of other / ours. */
struct ratio {
    double median, min, max;
};
struct ratio bench_ratio(const double *ours, const double *other, size_t rounds);

/* ---- problem.c ---- */

enum { BENCH_NAME_SIZE = 48 };

/* A C-SVM's training set with its parameters. */
struct bench_problem {
    char name[BENCH_NAME_SIZE];
    size_t n, dims;
    double *x;              /* n x dims, row by row; NULL: the patterns are sparse */
    struct patterns sparse; /* compressed */
    int is_linear;          /* the kernel; else it is rbf of that width */
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
 * noise, "chessboard", 4 x 4 fields in two colours, and "ijcnn1-like", unbalanced and half of it sparse. The same for
 * the same name and n. */
void bench_problem_made(struct bench_problem *problem, const char *name, size_t n);
void bench_problem_free(struct bench_problem *problem);

/* The problems of N = 50 000, by name, and their C; 0: that of bench_problem_made. */
extern const size_t bench_huge_problems;
extern const char *const bench_huge_names[];
extern const double bench_huge_c[];

/* ---- sparse_problem.c ---- */

/* Sparse patterns of the shape of that name, made there: always the same ones. */
void bench_sparse_made(struct bench_problem *problem, const char *name);
/* Those of the public set of that name, all rows, for C = 1 and width 1. Zero where no folder of the search path has a
 * file NAME in LIBSVM's format, as it is or compressed. */
int bench_sparse_file(struct bench_problem *problem, const struct bench *bench, const char *name);
/* Writes sparse patterns in LIBSVM's format, 15 digits a value. */
void bench_sparse_write(const struct bench_problem *problem, const char *path);

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

struct peer;
struct peer_state;

struct contestant {
    const char *name;
    const struct solver *solver; /* NULL: a peer */
    int shrinking;
    size_t megabytes; /* of kernel values; 0: as many as the race has */
    struct peer *peer;
};

/* What one run of a contestant on a problem is, and how it ended. */
struct run {
    const struct contestant *contestant;
    const struct bench_problem *problem;
    const struct simd *simd;
    double tolerance;
    size_t megabytes;      /* of kernel values */
    struct peer_state *state; /* of a peer */
    double seconds;           /* that a peer's program reports; 0: none does; negative: it failed */
    double calibrated;        /* seconds of the run that contest_calibrate has chosen */
    double *alpha;            /* n padded: the multipliers that it found */
    uint64_t iterations, operations; /* of hullbench's solvers; peers do not report them */
};

/* Gets what a run keeps from one time to the next; contestant, problem, lanes and megabytes are set. */
void contest_open(struct run *run);
void contest_close(struct run *run);

/* From patterns to multipliers; the context is a struct run. Stops the program where memory runs out. */
void contest_run(void *run);
/* The KKT violation of the multipliers of a C-SVM, recomputed in double; infinite where they leave the constraints by
 * more than 1e-4 of C. */
double contest_violation(const struct run *run);
/* Sets run->tolerance to the largest of a few from the target down at which the violation is within the target, and
 * returns the violation then reached. Where none will do, the tolerance is the target, which favours the run, and the
 * violation is the least that was seen, or NaN where a program failed. */
double contest_calibrate(struct run *run, double target);
/* How many multipliers are not 0. */
size_t contest_support_vectors(const struct run *run);

/* ---- races.c ---- */

/* Prints the head of the table that bench_race fills. */
void bench_race_head(const char *title);
/* The peers numbered first to last - 1 that are here; returns how many. */
size_t bench_take_peers(const struct bench *bench, size_t first, size_t last, struct contestant *list);
/* A solver of hullbench, by name, with so many megabytes of kernel values, or 0: as many as the race has. */
struct contestant bench_ours(const char *name, const char *solver, int shrinking, size_t megabytes);
/* Calibrates the contestants, of which the first `peers` are peers, to a KKT violation of 1e-3, times them in rounds
 * for up to `budget` seconds (0: the runs of the calibration are the one round), and appends the result to `list`.
 * Stores their tolerances, unless NULL. */
void bench_race(struct bench *bench, const struct bench_problem *problem, const struct contestant *contestants,
                size_t count, size_t peers, size_t megabytes, double budget, cJSON *list, double *tolerance);

/* ---- peers.c ---- */

/* Peers by number: LIBSVM's three forms, the other shared objects, the programs. */
enum { PEER_LIBSVM, PEER_LIBSVM_SOURCE, PEER_LIBSVM_ROWS, PEER_LIBSVM_FORMS, PEER_OBJECTS = 5 };
size_t peer_count(void);
const char *peer_name(size_t number);
/* What has to be installed for it. */
const char *peer_needs(size_t number);
/* NULL where it is not installed. */
struct peer *peer_find(const struct bench *bench, size_t number);
const char *peer_version_of(const struct peer *peer);
/* Nonzero: a program of its own, which reports its own seconds; else it runs in this process. */
int peer_is_program(const struct peer *peer);

struct peer_state *peer_state_open(struct peer *peer, const struct bench_problem *problem, size_t megabytes);
/* Trains. The seconds that a program reports, negative where it failed; 0 for an object. */
double peer_run(struct peer_state *state, double tolerance, double *alpha);
void peer_state_close(struct peer_state *state);
/* Seconds and n multipliers from a program's file; negative where the file has not exactly these. */
double peer_read_multipliers(FILE *stream, size_t n, double *alpha);

/* A new folder for files; its path, of at most `size` bytes with the end. */
void bench_make_folder(char *path, size_t size);
/* Rows of label and features, in full precision. */
void bench_write_csv(FILE *stream, const struct bench_problem *problem);

/* ---- sections: each adds its key to bench->report and prints its table ---- */

void bench_loops(struct bench *bench);
void bench_sets_race(struct bench *bench);
void bench_exact(struct bench *bench);
void bench_large(struct bench *bench);
void bench_huge(struct bench *bench);
void bench_iteration(struct bench *bench);
void bench_peers(struct bench *bench);
void bench_peers_huge(struct bench *bench);
void bench_process(struct bench *bench);
void bench_sparse(struct bench *bench);
void bench_sparse_large(struct bench *bench);
void bench_rates(struct bench *bench);

#endif
