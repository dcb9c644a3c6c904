/*
 * What verify finds out, in memory that the verifying process shares with its children: they write, it reads, and what
 * they had written is still there when one of them is killed by the solver that it runs.
 */
#ifndef HULLBENCH_BOARD_H
#define HULLBENCH_BOARD_H

#include <stddef.h>
#include <stdint.h>

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

/* The call of the solver that is under way. */
enum call { CALL_NONE, CALL_STATE_SIZE, CALL_INIT, CALL_SELECT, CALL_UPDATE, CALL_GAP, CALL_ALPHA, CALL_SOLVE, CALLS };

enum { PLACE_SIZE = 480, TEXT_SIZE = 300 };

/* Where something was seen. */
struct place {
    size_t n;           /* patterns; 0: nothing was seen */
    uint64_t iteration; /* updates done before, or 0 in init */
    char problem[PLACE_SIZE]; /* the problem and the values of the parameters, in words */
};

struct finding {
    uint64_t looks;    /* how often the expectation was looked at */
    uint64_t failures; /* of these */
    struct place place; /* of the smallest failure: fewest patterns, then fewest iterations */
    char text[TEXT_SIZE]; /* what was found there, and what was expected */
    double largest;     /* of a quantity that the expectation bounds */
};

struct board {
    struct finding findings[EXPECTATIONS];
    struct place now;
    enum call call;
    uint64_t calls;   /* grows with each call of the solver: a sign of life */
    size_t next;      /* item of the stage that comes after the one under way */
    int done;         /* the stage has come to its end */
    int is_noted;     /* why the child ended is among the findings */
    /* Problems that the solver does not take; whose optimum the reference could not prove; that have none; that a slow
     * or stalling solver did not finish; at values of parameters that may miss the optimum. */
    uint64_t refused, unproved, unbounded, unfinished, excused;
    char refusal[TEXT_SIZE]; /* why the solver refused the first */
    uint64_t longest;        /* iterations of the longest run */
    unsigned widths;         /* vector widths compared */
    int cannot_watch;        /* allocations cannot be seen in this build */
};

/* Notes one look at an expectation at the present place. `format` says what was found and expected. */
void board_look(struct board *board, enum expectation expectation, int holds, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same for a failure at another iteration. */
void board_fail(struct board *board, enum expectation expectation, uint64_t iteration, const char *text);
/* Keeps the largest value of a bounded quantity. */
void board_largest(struct board *board, enum expectation expectation, double value);

#endif
