/*
 * A trained machine of two classes: f(x) = sum over support vectors of coefficient k(x_i, x) - rho; label[0] where
 * f(x) > 0, else label[1]. In a file it has the format that LIBSVM's svm-train writes and svm-predict reads, with all
 * numbers in 17 digits, so that a model that was written and read is the same bit for bit.
 */
#ifndef HULLBENCH_MODEL_H
#define HULLBENCH_MODEL_H

#include <stdio.h>

#include "harness/evaluate/judge.h"
#include "harness/data/dataset_text.h"

struct model {
    int is_nu; /* what the file says of the problem: nu-SVC (nearest points of hulls) or C-SVC (all others) */
    struct kernel kernel; /* linear, polynomial or rbf; width is 1 / gamma */
    double gamma;         /* rbf: of exp(-gamma |x - z|^2) */
    int label[2];
    double rho;
    size_t count[2];     /* support vectors of label[0], which come first, and of label[1] */
    double *coefficient; /* one each: y alpha times the model's scale */
    size_t *start;       /* where the features of each begin, and after the last */
    uint32_t *index;     /* of a feature: as in LIBSVM's files, from 0 or 1, ascending */
    double *value;       /* not 0 */
    size_t dims;         /* largest index + 1 */
};

/* The two labels as the whole numbers a model can hold. STATUS_BAD_INPUT for words, fractions and numbers that no int
 * holds. */
enum status model_labels(const struct dataset *dataset, int label[2], struct error *error);

/* Makes a model of what a solver returned for a split of a text file's set, which was not standardised. The plane is
 * the judge's; hulls and minimum norm, whose plane has no scale of its own, are scaled so that f is 1 and -1 on the
 * planes through the nearest points: by 2 / |W|^2 (hulls; sums of K, or of K + I/C) and by 1 / |W|^2 (minimum norm).
 * rbf: gamma is one for which 1 / gamma is the width, see model_width. Released with model_free. */
enum status model_make(const struct dataset *dataset, const struct split *split, enum formulation formulation,
                       const struct kernel *kernel, const double *alpha, const struct judgement *judgement,
                       struct model **model, struct error *error);
/* Accepts NULL. */
void model_free(struct model *model);

/* The width 1 / gamma nearest to this one for which there is such a gamma among the doubles: at most one unit in the
 * last place away. A model made at such a width is the very function that was trained. */
double model_width(double width);

/* decision[j] = f of row j of the table; padded doubles (simd_padded), aligned. Sums run over the support vectors in
 * their order, by the loops that the harness itself predicts with. Takes some 12 bytes for a value of the support
 * vectors and 90 MB at most, however large the table. STATUS_NO_MEMORY. */
enum status model_decide(const struct model *model, const struct simd *simd, const struct labelled_table *table,
                         double *decision, struct error *error);

/* Errors of the stream are the caller's to look at. */
void model_print(const struct model *model, FILE *stream);
/* Writes the file whole or not at all. */
enum status model_write(const struct model *model, const char *path, struct error *error);
/* Reads a model of two classes, ours or LIBSVM's, C-SVC or nu-SVC, linear, polynomial or rbf. STATUS_BAD_INPUT names
 * file, line, column and field of anything else; STATUS_NOT_FOUND where there is no file. */
enum status model_read(const char *path, struct model **model, struct error *error);

#endif
