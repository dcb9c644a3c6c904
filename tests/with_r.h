/* Checks by R, for tests: writes a script, runs it and reads the numbers it prints. */
#ifndef HULLBENCH_TESTS_WITH_R_H
#define HULLBENCH_TESTS_WITH_R_H

#include <stddef.h>
#include <stdio.h>

struct with_r {
    char path[64];
    FILE *script, *answers;
};

/* Opens a script, which has the function show(...) that prints numbers with 17 digits. Skips the test if Rscript is not
 * installed. */
void with_r_open(struct with_r *r);
/* Call before with_r_open: skips the test if R or its package is not installed. */
void with_r_needs(const char *package);
/* Assigns n values to a name. */
void with_r_values(struct with_r *r, const char *name, const double *values, size_t n);
/* Writes a line of R code. */
void with_r_line(struct with_r *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Runs the script. */
void with_r_run(struct with_r *r);
/* The next printed number; fails the test if there is none. */
double with_r_number(struct with_r *r);
/* The same, and fails the test if `value` differs from it by more than `relative` times its magnitude. */
void with_r_agrees(struct with_r *r, const char *what, double value, double relative);
/* Fails the test if R failed, or printed more. */
void with_r_close(struct with_r *r);

#endif
