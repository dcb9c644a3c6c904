/*
 * Speed as ratios within one run of one process on one thread.
 *
 * Competing programs are timed in turn, round by round, so that other load on the machine affects them equally. Times
 * are processor time of the thread. A ratio is the median over the rounds of (time of the peer) / (time of the
 * hullbench solver): above 1, hullbench's is faster. A peer is a solver of another program.
 *
 * hullbench's solvers and peers are compared at the same certified accuracy. Each is given the largest tolerance for
 * which the KKT violation of its multipliers, recomputed in double precision from the patterns, is within the target.
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
    const char *folder;      /* folder of the bench program */
};

/* ---- measure.c ---- */

/* Returns the memory; stops the program if it is NULL. */
void *bench_got(void *memory);

typedef void timed(void *context);

/* Processor seconds of the thread for one call. */
double bench_seconds(timed *work, void *context);
/* Seconds of the wall clock. */
double bench_wall(void);

enum { BENCH_MAX_ROUNDS = 7, BENCH_MAX_RUNNERS = 16 };

/* A piece of work to time, and its times. `repeats` is the number of calls per round: given as 1, or as 0 to repeat
 * short work often enough. If `reported` is given, the work writes its seconds there and is called once per round. */
struct runner {
    timed *work;
    void *context;
    const double *reported;
    unsigned repeats;
    double seconds[BENCH_MAX_ROUNDS];
};

/* Times all runners in turn for up to BENCH_MAX_ROUNDS rounds, at least one; starts no new round after `budget`
 * seconds. Repeats short work within a round. Returns the number of rounds. */
size_t bench_rounds(struct runner *runners, size_t count, double budget);
double bench_median(const double *values, size_t count);
/* Median, minimum and maximum over the rounds of other / ours. */
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
    struct patterns sparse; /* compressed rows */
    int is_linear;          /* linear kernel; otherwise rbf with that width */
    signed char *y;
    size_t *rows; /* 0 .. n - 1 */
    double width, c, mu;
};

/* The 13 data sets of Lopez, Barbero and Dorronsoro (2011) at the C, sigma^2 and mu of their Table 1. */
extern const size_t bench_sets;
/* Split 1 of the set's training parts, standardised. Returns 0 if the data are missing. */
int bench_problem_of_set(struct bench_problem *problem, const struct bench *bench, size_t set);
/* The same for the set of that name. */
int bench_problem_named(struct bench_problem *problem, const struct bench *bench, const char *name);
/* n generated patterns: "twonorm", "ringnorm" and "waveform" by their definitions, "moons", two half circles with
 * noise, "chessboard", 4 x 4 squares in two colours, and "ijcnn1-like", unbalanced and half of it sparse. The same name
 * and n give the same patterns. */
void bench_problem_made(struct bench_problem *problem, const char *name, size_t n);
void bench_problem_free(struct bench_problem *problem);

/* The problems of N = 50 000, by name, and their C; 0: that of bench_problem_made. */
extern const size_t bench_huge_problems;
extern const char *const bench_huge_names[];
extern const double bench_huge_c[];

/* ---- sparse_problem.c ---- */

/* Generates sparse patterns of the shape of that name, always the same ones. */
void bench_sparse_made(struct bench_problem *problem, const char *name);
/* The patterns of the public set of that name, all rows, for C = 1 and width 1. Returns 0 if no folder of the search
 * path contains a file NAME in LIBSVM format, plain or compressed. */
int bench_sparse_file(struct bench_problem *problem, const struct bench *bench, const char *name);
/* Writes sparse patterns in LIBSVM format, 15 digits per value. */
void bench_sparse_write(const struct bench_problem *problem, const char *path);

/* ---- contest.c ---- */

/* Patterns, their kernel rows, and the counted access to these. */
struct bench_rows {
    struct points points;
    struct gram *gram;
    struct oracle *oracle;
};
/* Creates them with at most that many megabytes of kernel values; stops the program when out of memory. */
void bench_rows_open(struct bench_rows *rows, const struct bench_problem *problem, const struct simd *simd,
                     size_t megabytes);
void bench_rows_close(struct bench_rows *rows);

struct peer;
struct peer_state;

struct contestant {
    const char *name;
    const struct solver *solver; /* NULL: a peer */
    int shrinking;
    size_t megabytes; /* of kernel values; 0: the race's default */
    struct peer *peer;
};

/* One run of a contestant on a problem, and its result. */
struct run {
    const struct contestant *contestant;
    const struct bench_problem *problem;
    const struct simd *simd;
    double tolerance;
    size_t megabytes;      /* of kernel values */
    struct peer_state *state; /* of a peer */
    double seconds;           /* reported by a peer's program; 0: none is reported; negative: it failed */
    double calibrated;        /* seconds of the run that contest_calibrate chose */
    double *alpha;            /* n padded: the resulting multipliers */
    uint64_t iterations, operations; /* of hullbench's solvers; peers do not report them */
};

/* Allocates what a run keeps between calls. contestant, problem, lanes and megabytes must be set. */
void contest_open(struct run *run);
void contest_close(struct run *run);

/* Runs from patterns to multipliers; the context is a struct run. Stops the program when out of memory. */
void contest_run(void *run);
/* The KKT violation of the multipliers of a C-SVM, recomputed in double; infinite if they violate the constraints by
 * more than 1e-4 of C. */
double contest_violation(const struct run *run);
/* Sets run->tolerance to the largest of several values, from the target down, for which the violation is within the
 * target, and returns that violation. If none suffices, the tolerance is the target, which favours the run, and the
 * result is the smallest violation seen, or NaN if a program failed. */
double contest_calibrate(struct run *run, double target);
/* The number of nonzero multipliers. */
size_t contest_support_vectors(const struct run *run);

/* ---- races.c ---- */

/* Prints the header of the table that bench_race fills. */
void bench_race_head(const char *title);
/* The installed peers with numbers first to last - 1; returns how many. */
size_t bench_take_peers(const struct bench *bench, size_t first, size_t last, struct contestant *list);
/* A solver of hullbench, by name, with this many megabytes of kernel values; 0: the race's default. */
struct contestant bench_ours(const char *name, const char *solver, int shrinking, size_t megabytes);
/* Calibrates the contestants, of which the first `peers` are peers, to a KKT violation of 1e-3, times them in rounds
 * for up to `budget` seconds (0: the calibration runs are the only round), and appends the result to `list`. Stores
 * their tolerances, unless NULL. */
void bench_race(struct bench *bench, const struct bench_problem *problem, const struct contestant *contestants,
                size_t count, size_t peers, size_t megabytes, double budget, cJSON *list, double *tolerance);

/* ---- peers.c ---- */

/* Peers by number: LIBSVM's three forms, the other shared objects, the programs. */
enum { PEER_LIBSVM, PEER_LIBSVM_SOURCE, PEER_LIBSVM_ROWS, PEER_LIBSVM_FORMS, PEER_OBJECTS = 5 };
size_t peer_count(void);
const char *peer_name(size_t number);
/* What must be installed for it. */
const char *peer_needs(size_t number);
/* NULL if it is not installed. */
struct peer *peer_find(const struct bench *bench, size_t number);
const char *peer_version_of(const struct peer *peer);
/* Nonzero: a separate program, which reports its own seconds; otherwise it runs in this process. */
int peer_is_program(const struct peer *peer);

struct peer_state *peer_state_open(struct peer *peer, const struct bench_problem *problem, size_t megabytes);
/* Trains. Returns the seconds that a program reports, negative if it failed; 0 for an object. */
double peer_run(struct peer_state *state, double tolerance, double *alpha);
void peer_state_close(struct peer_state *state);
/* Reads seconds and n multipliers from a program's file; negative if the file does not contain exactly these. */
double peer_read_multipliers(FILE *stream, size_t n, double *alpha);

/* Creates a folder for files; its path has at most `size` bytes including the terminator. */
void bench_make_folder(char *path, size_t size);
/* Writes rows of label and features, in full precision. */
void bench_write_csv(FILE *stream, const struct bench_problem *problem);

/* ---- sections: each adds its key to bench->report and prints its table ---- */

void bench_loops(struct bench *bench);
void bench_sets_race(struct bench *bench);
void bench_exact(struct bench *bench);
void bench_large(struct bench *bench);
void bench_check(struct bench *bench);
void bench_huge(struct bench *bench);
void bench_iteration(struct bench *bench);
void bench_peers(struct bench *bench);
void bench_peers_huge(struct bench *bench);
void bench_process(struct bench *bench);
void bench_sparse(struct bench *bench);
void bench_sparse_large(struct bench *bench);
void bench_rates(struct bench *bench);

#endif
