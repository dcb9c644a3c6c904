/*
 * A trained model of two classes: f(x) = sum over support vectors of coefficient k(x_i, x) - rho; label[0] if f(x) > 0,
 * else label[1]. Files use the format of LIBSVM's svm-train and svm-predict, with all numbers in 17 digits, so that
 * writing and reading a model preserves every bit.
 */
#ifndef HULLBENCH_MODEL_H
#define HULLBENCH_MODEL_H

#include <stdio.h>

#include "harness/base/pool.h"
#include "harness/evaluate/judge.h"
#include "harness/data/dataset_text.h"

struct model {
    int is_nu; /* problem type in the file: nu-SVC (nearest points of hulls) or C-SVC (all others) */
    struct kernel kernel; /* linear, polynomial or rbf; width is 1 / gamma */
    double gamma;         /* rbf: as in exp(-gamma |x - z|^2) */
    int label[2];
    double rho;
    size_t count[2];         /* number of support vectors of label[0], which come first, and of label[1] */
    double *coefficient;     /* one per support vector: y alpha times the model's scale */
    struct patterns vectors; /* compressed; the features are the indices of LIBSVM's files, from 0 or 1 */
    struct columns columns; /* of the CSV file with a header that it was trained on, borrowed from the set */
};

/* Gets the two labels as integers, the only labels that a model can hold; others are an error (STATUS_BAD_INPUT). */
void model_labels(const struct dataset *dataset, int label[2]);

/* Makes a model from a solver's result on a split of a text file's set, which was not standardised. The plane is the
 * judge's; model.c says how f is scaled. rbf: gamma is a number for which 1 / gamma is the width, see model_width. */
struct model *model_make(struct pool *pool, const struct dataset *dataset, const struct split *split,
                         enum formulation formulation, const struct kernel *kernel, const double *alpha,
                         const struct judgement *judgement);

/* The nearest width that equals 1 / gamma for some double gamma: at most one unit in the last place away. A model made
 * at such a width computes exactly the function that was trained. */
double model_width(double width);

/* decision[j] = f of row j of the table; padded doubles (simd_padded), aligned. Sums run over the support vectors in
 * order, in the same loops that the harness predicts with. Takes some 12 bytes per value of the support vectors and at
 * most 90 MB, for tables of any size. STATUS_BAD_INPUT, with path and row, if a decision is not finite. */
void model_decide(const struct model *model, const struct simd *simd, const char *path,
                  const struct labelled_table *table, double *decision);

/* The features of a file to predict must be those of a model that was read: table_form.expected. Notes indices from 0
 * against indices from 1, and columns beyond the largest index. STATUS_BAD_INPUT if a CSV file has too few columns. */
void model_check_table(const struct model *model, const char *path, int is_csv, struct labelled_table *table);

/* The caller checks the stream for errors. */
void model_print(const struct model *model, FILE *stream);
/* Reads a model of two classes, from hullbench or LIBSVM: C-SVC or nu-SVC; linear, polynomial or rbf. An error
 * (STATUS_BAD_INPUT, also without a file) names file, line, column and field. */
struct model *model_read(struct pool *pool, const char *path);

#endif
