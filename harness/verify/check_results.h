/*
 * The results of verify, in memory that the verifying process shares with its children. The children write and the
 * process reads; results written before the solver kills a child are kept.
 */
#ifndef HULLBENCH_CHECK_RESULTS_H
#define HULLBENCH_CHECK_RESULTS_H

#include <stdint.h>
#include <stdio.h>

#include "harness/evaluate/judge.h"
#include "solvers/solver.h"

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

/* The current call of the solver. */
enum call { CALL_NONE, CALL_STATE_SIZE, CALL_INIT, CALL_SELECT, CALL_UPDATE, CALL_GAP, CALL_ALPHA, CALL_SOLVE, CALLS };

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
    double largest;     /* of a quantity that the expectation bounds */
};

struct check_results {
    struct finding findings[EXPECTATIONS];
    struct trial now;
    enum call call;
    uint64_t calls;   /* incremented by each call of the solver, as a sign of life */
    size_t next;      /* next item of the stage */
    int done;         /* the stage has finished */
    int is_noted;     /* the findings already say why the child ended */
    /* Problems that the solver rejects; without a duality gap at the end; that a slow or stalling solver did not
     * finish; or with parameter values that may miss the optimum. */
    uint64_t refused, unproved, unfinished, excused;
    char refusal[TEXT_SIZE]; /* why the solver rejected the first one */
    size_t n_settings;
    uint64_t longest;        /* iterations of the longest run */
    unsigned widths;         /* vector widths compared */
    int cannot_watch;        /* this build cannot count allocations */
};

/* "select"; of CALL_NONE "none of the solver's functions". */
const char *call_name(enum call call);

/* Notes one check of an expectation in the current trial. `format` describes the observed and the expected value. */
void check(struct check_results *results, enum expectation expectation, int holds, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Notes that the solver broke the contract for rows or memory, in the words of solver_checks.h. */
void note_breach(struct check_results *results, const char *reason);
/* Notes that the solver rejects the problem. */
void note_refusal(struct check_results *results, const char *reason);
/* Checks the constraints. Zero: one is violated. */
int check_feasible(struct check_results *results, const struct judgement *judged);
/* The judged objective with the sign with which the solver minimises it. */
double minimised(const struct solver *solver, const struct judgement *judged);
/* Keeps the largest value of a bounded quantity. */
void check_largest(struct check_results *results, enum expectation expectation, double value);

/* Prints the table; returns the number of expectations that do not hold. */
size_t print_results(const struct solver *solver, const struct check_results *results, FILE *stream);

#endif
