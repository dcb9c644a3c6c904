/* A run folder under construction, for tests of figures. Any failure of these functions fails the test. */
#ifndef HULLBENCH_TESTS_PLOT_BENCH_H
#define HULLBENCH_TESTS_PLOT_BENCH_H

#include <stdio.h>

#include "harness/plot/plot.h"

struct bench {
    char folder[64];
    FILE *records;
    struct plot_report report;
    struct error error;
};

int bench_set_up(void **state);
int bench_tear_down(void **state);

/* The parts of a record that matter to a figure; the rest is filled in. */
struct made {
    const char *dataset, *solver, *outcome, *source;
    int split;
    double mu, width, error_percent, iterations, kernel_operations;
};
void bench_add(struct bench *bench, struct made made);
/* 13 data sets (one may be left out), 3 solvers, 4 splits. */
void bench_add_comparison(struct bench *bench, const char *left_out);
/* On six data sets a and b alternate as the best by test error, c is last: mean ranks 1.5, 1.5, 3. */
void bench_add_close(struct bench *bench);
/* mu and width swept for clip-mdm on heart, 3 splits (only mu if n_widths is 1); the mean error at (i, j) is 10
 * i + j + 2. */
void bench_add_sweep(struct bench *bench, int n_widths);

/* Files inside the folder. bench_read gives malloc'ed text. */
void bench_path(const struct bench *bench, const char *name, char path[256]);
void bench_write(const struct bench *bench, const char *name, const char *text);
char *bench_read(const struct bench *bench, const char *name);
/* traces/NAME of heart, split 1: gap 1 / (1 + k), except for one high, one low and a last point of zero. */
void bench_add_trace(const struct bench *bench, const char *name, const char *solver, int rows);
/* Makes FOLDER/share with the templates and a paper of one table, and points HULLBENCH_SHARE there. */
void bench_share_with_paper(const struct bench *bench);

/* plot_folders within an attempt; the report is overwritten, but for its pool, which it gets if it has none. */
enum status bench_plot_folders(const char *const *folders, size_t count, const struct plot_options *options,
                               struct plot_report *report, struct error *error);
enum status bench_plot(const char *folder, const struct plot_options *options, struct plot_report *report,
                       struct error *error);
void bench_report_free(struct plot_report *report);
/* Draws the folder in its current state; records can no longer be added. */
enum status bench_draw(struct bench *bench, const char *only, int no_render);
void bench_assert_drawn(struct bench *bench, int no_render);
int bench_has_figure(const struct bench *bench, const char *name);
/* The line of `text`, a .dat, that begins with `start` within the block called `block`. */
const char *bench_row(const char *text, const char *block, const char *start);

int bench_has_gnuplot(void);
/* Draws the figure again on its own: gnuplot must be silent, all three pictures must have content, and the SVG must be
 * well-formed, below 150 kB, on white, and describe in words what it shows. */
void bench_check_figure(const char *run_folder, const char *name);
/* The same for every figure that was drawn. */
void bench_check_pictures(const struct bench *bench);

#endif
