/* LIBSVM on the problem of a kernel matrix, for tests; nothing of it where LIBSVM is not installed. */
#ifndef HULLBENCH_TESTS_LIBSVM_PEER_H
#define HULLBENCH_TESTS_LIBSVM_PEER_H

#if HAVE_LIBSVM
#include <libsvm/svm.h>

#include "solvers/kernel/gram.h"

/* LIBSVM gives ties to the last index: in reverse order its ties go to the lowest, as ours do. */
enum peer_order { PEER_AS_GIVEN, PEER_REVERSED };

/* Trains on the n patterns of the gram with their labels; kernel type and cache are set here. alpha gets the n sizes of
 * LIBSVM's coefficients, in the order of the gram. Returns LIBSVM's iterations. Fails the test when LIBSVM refuses the
 * parameters. */
int peer_train(struct gram *gram, const signed char *y, const struct svm_parameter *parameter, enum peer_order order,
               double *alpha);
#endif

#endif
