/* LIBSVM for tests, see libsvm_peer.h: a precomputed kernel, row by row, each row preceded by its number. */
#include "tests/libsvm_peer.h"

#if HAVE_LIBSVM

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* LIBSVM reports its iterations only in its printed output, through a function without a user argument. */
static int iterations;
static void read_iterations(const char *text)
{
    const char *at = strstr(text, "#iter = ");
    if (at)
        iterations = atoi(at + strlen("#iter = "));
}

static size_t place(size_t i, size_t n, enum peer_order order)
{
    return order == PEER_REVERSED ? n - 1 - i : i;
}

int peer_train(struct gram *gram, const signed char *y, const struct svm_parameter *parameter, enum peer_order order,
               double *alpha)
{
    size_t n = gram_size(gram);
    struct svm_node *nodes = calloc(n * (n + 2), sizeof *nodes), **rows = calloc(n, sizeof *rows);
    double *labels = calloc(n, sizeof *labels);
    assert_true(nodes && rows && labels);
    for (size_t i = 0; i < n; i++) {
        struct svm_node *row = nodes + i * (n + 2);
        rows[place(i, n, order)] = row;
        labels[place(i, n, order)] = y[i];
        row[0] = (struct svm_node){0, (double)(i + 1)};
        for (size_t j = 0; j < n; j++)
            row[j + 1] = (struct svm_node){(int)j + 1, gram_row(gram, i)[j]};
        row[n + 1].index = -1;
    }
    struct svm_problem problem = {(int)n, labels, rows};
    struct svm_parameter whole = *parameter;
    whole.kernel_type = PRECOMPUTED;
    whole.cache_size = 200;
    svm_set_print_string_function(read_iterations);
    assert_null(svm_check_parameter(&problem, &whole));
    struct svm_model *model = svm_train(&problem, &whole);
    memset(alpha, 0, n * sizeof *alpha);
    for (int k = 0; k < model->l; k++)
        alpha[place((size_t)model->sv_indices[k] - 1, n, order)] = fabs(model->sv_coef[0][k]);
    svm_free_and_destroy_model(&model);
    free(nodes), free(rows), free(labels);
    return iterations;
}

#endif
