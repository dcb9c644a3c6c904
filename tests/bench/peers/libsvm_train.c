/*
 * LIBSVM (Chang and Lin 2011) through its own svm_train, from Debian's package or compiled from its source; SVM_HEADER
 * selects one (default: the package). Features that are 0 are omitted, as in svm-train. Shrinking is on.
 *
 * With -DVECTORISED_ROWS, libsvm_rows.cpp calls Solver::Solve instead, with our own kernel rows.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SVM_HEADER
#define SVM_HEADER <libsvm/svm.h>
#endif
#include SVM_HEADER

#include "tests/bench/peers/libsvm_rows.h"
#include "tests/bench/peers/peer.h"

struct state {
    const struct peer_problem *asked;
    struct svm_problem problem;
    struct svm_node *nodes;
};

static void be_quiet(const char *text)
{
    (void)text;
}

static void *got(void *memory)
{
    if (!memory) {
        fputs("bench: out of memory\n", stderr);
        exit(4);
    }
    return memory;
}

const char *peer_version(void)
{
    static char version[16];
    snprintf(version, sizeof version, "%d.%02d", LIBSVM_VERSION / 100, LIBSVM_VERSION % 100);
    return version;
}

/* Writes the nonzero features of row i; returns the end. */
static struct svm_node *put_row(const struct peer_problem *asked, size_t i, struct svm_node *node)
{
    for (size_t k = asked->x ? 0 : asked->begin[i]; !asked->x && k < asked->begin[i + 1]; k++)
        *node++ = (struct svm_node){(int)asked->feature[k] + 1, asked->values[k]};
    for (size_t d = 0; asked->x && d < asked->dims; d++)
        if (asked->x[i * asked->dims + d] != 0)
            *node++ = (struct svm_node){(int)d + 1, asked->x[i * asked->dims + d]};
    node->index = -1;
    return node + 1;
}

void *peer_open(const struct peer_problem *asked)
{
    size_t n = asked->n, values = asked->x ? n * asked->dims : asked->begin[n];
    struct state *state = got(malloc(sizeof *state));
    struct svm_node *node = state->nodes = got(calloc(values + n, sizeof *node));
    state->asked = asked;
    state->problem = (struct svm_problem){(int)n, got(calloc(n, sizeof(double))), got(calloc(n, sizeof node))};
    for (size_t i = 0; i < n; i++) {
        state->problem.y[i] = asked->y[i];
        state->problem.x[i] = node;
        node = put_row(asked, i, node);
    }
    svm_set_print_string_function(be_quiet);
    return state;
}

void peer_train(void *context, double tolerance, double *alpha)
{
    const struct state *state = context;
    struct svm_parameter parameter = {.svm_type = C_SVC,
                                      .kernel_type = state->asked->is_linear ? LINEAR : RBF,
                                      .gamma = state->asked->gamma,
                                      .cache_size = (double)state->asked->megabytes,
                                      .eps = tolerance,
                                      .C = state->asked->c,
                                      .shrinking = 1};
#ifdef VECTORISED_ROWS
    libsvm_rows_train(&state->problem, &parameter, state->asked->x, state->asked->dims, alpha);
#else
    struct svm_model *model = svm_train(&state->problem, &parameter);
    memset(alpha, 0, state->asked->n * sizeof *alpha);
    for (int k = 0; k < model->l; k++)
        alpha[model->sv_indices[k] - 1] = fabs(model->sv_coef[0][k]);
    svm_free_and_destroy_model(&model);
#endif
}

void peer_close(void *context)
{
    struct state *state = context;
    free(state->problem.y);
    free(state->problem.x);
    free(state->nodes);
    free(state);
}
