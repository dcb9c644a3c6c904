/*
 * The words of `hullbench solve` and the configuration of one job that they become. A file of the user's that is
 * trained whole has svm-train's defaults where nothing is said; letters that svm-train has mean here what they mean
 * there, but for -s, the solver.
 */
#ifndef HULLBENCH_SOLVE_WORDS_H
#define HULLBENCH_SOLVE_WORDS_H

#include <argp.h>

#include "harness/data/dataset.h"
#include "solvers/solver.h"

struct cJSON;

struct solve_words {
    struct cJSON *config, *parameters, *kernel, *stop, *budget; /* kernel: NULL where none is named */
    const char *dataset, *data, *format, *label_column, *solver, *trace, *model;
    const char *type, *degree, *gamma, *coef0; /* the kernel by svm-train's letters; NULL where not given */
    double nu;                                 /* 0: not given */
    size_t split, folds;                       /* 0: not given */
    int shrinking;                             /* -1: not given */
    int raw, quiet, check_rows;
};

extern const struct argp solve_argp; /* its input is a struct solve_words */

/* Nonzero where the file is trained whole, and where it is cross-validated; else one split is run. */
int solve_is_whole(const struct solve_words *words);
int solve_is_validation(const struct solve_words *words);

/* Before argp_parse; release with solve_words_free. */
void solve_words_start(struct solve_words *words);
void solve_words_free(struct solve_words *words);

/* The configuration as a malloc'ed text, once the data are there. STATUS_BAD_INPUT: words that do not go together. */
enum status solve_words_finish(struct solve_words *words, const struct dataset *dataset, char **text,
                               struct error *error);

#endif
