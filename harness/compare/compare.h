/*
 * Comparisons of solvers, or of versions of one, over the pairs of their records (pairing.h): each of the baselines
 * with each of the candidates, figure by figure, and in a conclusion. docs/comparing.md explains how to read the
 * result. With several comparisons, claims use p-values adjusted over all of them, so that the probability of any false
 * claim about one figure is at most 5 %.
 */
#ifndef HULLBENCH_COMPARE_H
#define HULLBENCH_COMPARE_H

#include "harness/compare/arms.h"
#include "harness/compare/case_statistics.h"
#include "harness/compare/cube.h"
#include "harness/figure/render.h"
#include "harness/records/measures.h"

/* ---- one comparison: statistics (compare.c) ---- */

/* Measures (measures.h) with MEMBER_COMPARED. Errors, support vectors and gaps are those of the pairs where both runs
 * converged. MEASURE_CONVERGED stands for failures, the per cent of runs that did not converge. */
enum {
    COMPARE_FAILURES = MEASURE_CONVERGED,
    COMPARE_BOTH_CONVERGED = MEASURES, /* a result: the comparison's cost, only pairs where both converged */
    COMPARE_RESULTS
};
int compare_has(size_t measure);
/* Its key in files. */
const char *compare_key(size_t measure);

struct compare_options {
    const char *folders[ARMS]; /* the same twice for one folder */
    const char *solvers[ARMS]; /* lists of choices in command-line syntax (solver_choice.h); NULL: see arms_choose */
    double penalty;            /* a run that did not converge costs this multiple of the largest cost of its case */
    double cost_margin;        /* per cent: a ratio from 1/(1 + margin) to 1 + margin is negligible */
    double error_margin;       /* percentage points */
    double gap_factor;         /* if typical gaps differ by a larger factor, accuracies differ */
    size_t cost;               /* the measure that is the cost in findings; MEASURES: see struct comparison */
};
#define COMPARE_DEFAULTS \
    {.penalty = PENALTY_FACTOR, .cost_margin = 5, .error_margin = 0.5, .gap_factor = 1.25, .cost = MEASURES}

/* One figure. */
struct compare_result {
    struct estimate *rows; /* one per case, in the pairing's order */
    size_t n_pairs;        /* over all rows */
    struct estimate total; /* over data sets, from the cases' mean differences, medians and differences of means */
};

/* What the folders of a call have, and none of its comparisons uses. */
struct left_out {
    size_t solvers;  /* without a comparison */
    size_t settings; /* of the compared solvers: parameters, kernel and stopping rule */
    size_t datasets; /* of the folders or their configurations */
    size_t splits;   /* of a configuration whose run was restricted by --splits */
    size_t shards;   /* other shards of the run */
};

/* The claims of a comparison, each no stronger than its test. */
struct finding {
    const struct left_out *left_out; /* of the call; NULL: nothing */
    size_t family;          /* the number of comparisons that p is adjusted over; 0 or 1: only this one */
    size_t of_cost;         /* the number of statements about cost in all of them, over which its p is adjusted */
    enum compare_claim claim;       /* about cost: that of `cost`, unless failures or accuracy rule it out */
    struct estimate cost;   /* failed runs cost the penalty */
    struct estimate both_converged; /* the same on the pairs where both converged */
    struct estimate error;  /* on these pairs */
    struct estimate failures;
    struct estimate start_up; /* of kernel operations including set-up; n is 0 if the cost is not kernel operations */
    int start_ups_matter;     /* its ratio is another one by more than the margin, or its claim has another sign */
    struct estimate time;     /* n is 0 if times cannot be compared, or are the cost */
    double gap_ratio;       /* typical recomputed gap of the candidate over the baseline's, on pairs where both
                               converged. Of the geometric mean over data sets and the Hodges-Lehmann estimate, the one
                               worse for the cheaper arm or, if neither is cheaper, farther from 1; NAN if unknown */
    int accuracy_differs;   /* costs are not to equal gaps, and the ratio is beyond options.gap_factor */
};

struct comparison {
    struct compare_options options;
    const char *obstacle; /* why the solvers cannot be compared: they have no pair, or neither converged on any; NULL:
                             they can, and the rest is filled */
    struct arms arms;
    struct pairing pairing;
    enum problems problems;
    int equal_by_rule; /* both stopped at the same tolerance of svm-gap; then there are no targets */
    struct equal_targets targets;
    size_t marks[PAIR_MARKS]; /* pairs with each mark */
    size_t failed[ARMS];      /* pairs in which that arm did not converge */
    size_t both_failed;       /* pairs in which neither did */
    size_t alike;             /* pairs with equal outcome, error, support vectors, iterations and kernel operations; if
                                 they did not converge, with equal objectives; if time is the cost, in equal time */
    size_t zeros;             /* pairs in which an arm has a cost of 0 */
    struct compare_result results[COMPARE_RESULTS];
    size_t cost; /* the cost in findings: that of the options, else kernel operations; if neither arm counts them, time;
                    if only one arm does or there are no times, iterations */
    struct finding finding; /* filled by comparisons_conclude */
    const char *sentence, *of_time; /* state it, and that times have another ratio; "" */
};

/* Compares the choices of folders that are read (arms_read_folders); they and the options' texts must outlive the
 * comparison. Either choice may be NULL (arms_choose). Ignores the folders and solvers in the options.
 * STATUS_BAD_INPUT: the cost in the options cannot be compared, or the pairs have unlike budgets. */
struct comparison compare_runs(struct pool *pool, const struct compare_options *options,
                               const struct run_folders *runs, const struct solver_choice *const choices[ARMS]);

/* The figure of one arm of a pair. With targets, costs are those to the equal target. NAN if the record has no value
 * or, for a cost, if the arm did not converge. */
double compare_value(const struct comparison *comparison, const struct pair *pair, enum arm arm, size_t measure);
/* The value of each data set with pairs: the mean over its cases of the double at this offset in their estimates.
 * Returns their number. */
size_t compare_dataset_values(const struct pairing *pairing, const struct estimate *rows, size_t offset,
                              double *values);

/* ---- claims (decision.c) ---- */

/* "alike", "lower" and so on. */
extern const char *const claim_names[CLAIM_COUNT];
/* -1 for (slightly) lower, 1 for (slightly) higher, else 0. */
int claim_sign(enum compare_claim claim);

/* A figure's estimate over data sets or of the only case, with its claim. Computed only from the statistics. */
struct estimate effect_of(const struct compare_result *result, size_t n_cases, double margin);
/* Whether there is a test of it. */
int effect_tested(const struct estimate *effect);
/* The level at which its single cases are significant, and their counts anew, from the adjusted p. */
double effect_level_of_cases(const struct estimate *effect);
void effect_count_cases(const struct compare_result *result, size_t n_cases, struct estimate *effect);
/* Whether the ratios of two costs differ by more than the margin. */
int effect_is_unlike(const struct estimate *other, const struct estimate *cost);
/* Whether a run of either arm did not converge. */
int comparison_fails(const struct comparison *comparison);
/* The claim recomputed for a p that was adjusted for further comparisons. */
enum compare_claim effect_claim(const struct estimate *effect, double p);

struct finding finding_of(const struct comparison *comparison);
/* The figures that claims are about: their key in files, metric and result. */
enum { FINDING_FIGURES = 5 };
struct finding_figure {
    const char *key;
    size_t measure;
    const struct compare_result *result;
    struct estimate *effect;
};
struct finding_figure finding_figure(struct comparison *comparison, int number); /* of its finding */
/* Recomputes the finding's claim, gap_ratio and accuracy_differs from the claims of its effects. */
void finding_conclude(const struct comparison *comparison, struct finding *finding);

/* The conclusion in a few sentences; depends on the comparison's counts, names and options, and *finding
 * (conclusion.c). */
const char *finding_sentence(struct pool *pool, const struct comparison *comparison, const struct finding *finding);
/* That the ratio of times is another one than that of costs, by more than the margin; else "". It makes no claim, and
 * is no part of the conclusion in files, which does not depend on the machine. */
const char *finding_time(struct pool *pool, const struct comparison *comparison, const struct finding *finding);

/* ---- all comparisons of a call (comparisons.c) ---- */

/* Two solvers that cannot be compared, and why: they have no pair, or neither converged on any. */
struct not_compared {
    const char *labels[ARMS], *reason;
};

/* The best of a sweep's values. It looks better than it is where it was chosen, so it is chosen on half of the data
 * sets and compared once more on the others, which had no part in the choice. */
struct sweep_pick {
    const struct solver_choice *baseline, *chosen;
    size_t values;       /* of the sweep */
    size_t n_incomplete; /* of them: lack data sets or splits that another value has, and cannot be chosen */
    double log_ratio;    /* the logarithm of the ratio of costs where it was chosen */
    size_t sets[2];      /* the data sets on which it was chosen and compared */
    struct comparison *confirmed; /* NULL: impossible for this reason */
    const char *reason, *sentence;
};

struct comparisons {
    struct pool *pool;
    const struct run_folders *runs;
    struct left_out left_out;
    struct solver_choices choices[ARMS]; /* empty if the option is absent */
    size_t n;
    struct comparison *items; /* grouped by baseline, each with all candidates */
    struct LIST_OF(struct not_compared) omitted; /* in the same order */
    struct LIST_OF(struct sweep_pick) picks; /* one per sweep and baseline; confirmations are another family */
    struct comparisons *confirmed;
};

/* Reads the folders and compares each baseline with each candidate; options->solvers are lists of choices,
 * which may sweep (solver_choice.h), or NULL. A family is all that is said about cost (with failures, where both
 * converge, with the set-up), about the test error, or about failures in all comparisons. For its n tests
 *     p is adjusted by Holm, and the claim is that of the adjusted p;
 *     a difference is negligible if the interval of level 1 - 0.05/n is within the margin;
 *     the detectable difference is that of a test at 5 %/n.
 * The p of single cases are adjusted over the cases of all comparisons (effect_level_of_cases).
 * Intervals and posteriors remain those of one comparison. A comparison that is impossible (obstacle) is omitted and
 * its reason kept; if all are omitted, the first reason is the message of STATUS_NOT_FOUND. Other errors are those of
 * compare_runs, for any of them. The options' texts must outlive the comparisons. Two comparisons of the same pairs are
 * STATUS_BAD_INPUT: they would count twice. */
struct comparisons *comparisons_make(struct pool *pool, const struct compare_options *options);
/* Fills the findings and sentences of all items; `left_out` is part of each and must outlive them. */
void comparisons_conclude(const struct comparisons *comparisons, const struct left_out *left_out);

/* ---- output (compare_output.c, compare_figure.c) ---- */

/* The shown form of a difference of statistics: the ratio whose logarithm it is, or the difference in points. */
double compare_shown_value(size_t measure, double difference);
struct interval compare_shown(size_t measure, const struct interval *difference);

/* Writes a single comparison as FOLDER/compare.{json,md,tex,csv}, FOLDER/compare-time.{…} if times can be compared,
 * since times depend on the machine and all other results do not, and the figure FOLDER/plots/compare. Of several it
 * writes FOLDER/compare.{json,md,tex,csv} with a row for each, and their conclusions; and each comparison into
 * FOLDER/compare-1, FOLDER/compare-2 and so on. The note describes what was run, or is "". Creates missing folders.
 * Removes excess files and folders of an earlier call. If pictures cannot be drawn, STATUS_IO after everything else. */
void comparisons_write(const struct comparisons *comparisons, const char *note, const char *folder, int no_render);
/* Prints the tables, unless `quiet` is nonzero, and the conclusions. */
void comparisons_print(const struct comparisons *comparisons, const char *note, int quiet, FILE *stream);

/* Writes FOLDER/plots/compare.{dat,gp} and its pictures: the share of the pairs that an arm solves within a multiple of
 * the cost of the better one, in a panel for iterations and one for kernel operations, if they are counted. A run that
 * did not converge never solves its pair. */
void compare_figure_write(struct pool *pool, const struct comparison *comparison, const char *folder,
                          struct figure_sink *sink);
/* Prints a row of a block of the template "lines": a mean of n values at this level, its interval, without which ends
 * the row has the mean, the number of runs that did not converge, and `more` columns. */
void compare_put_mark(FILE *dat, double level, size_t n, const struct interval *mean, size_t failed, const char *more);
/* Writes FOLDER/plots/compare-sweep.{dat,gp}, compare-sweep-2 and so on, one for each sweep of two or more numbers, and
 * their pictures. */
void sweep_figures_write(const struct comparisons *comparisons, const char *folder, struct figure_sink *sink);

/* ---- the configuration of a comparison that has not been run yet (compare_config.c) ---- */

/* Reads the configuration at `path` and makes sure that its list has all chosen solvers with their settings. If it
 * does, the text is the unchanged file and the note is "". A missing solver gets a copy of each entry of another one,
 * with the name changed and without the parameters that it does not read; the other one is the first in the list,
 * preferably of the other arm. A choice with settings replaces its solver's entries in the list by copies of them, or
 * of such copies, with these settings. The note has a sentence about each change. If `traced` is nonzero, "trace" is
 * set to all jobs. STATUS_BAD_INPUT: no solver is in the list, one is not registered, a setting is not a parameter that
 * the solver reads, a solver is chosen with settings and without, or, if traced, a solver leaves no trace. */
struct compare_config {
    const char *text, *note;
};
struct compare_config compare_config_read(struct pool *pool, const char *path,
                                          const struct solver_choices choices[ARMS], int traced);

#endif
