/* LIBSVM on the problem of a kernel matrix, for tests. Empty if LIBSVM is not installed. */
#ifndef HULLBENCH_TESTS_LIBSVM_PEER_H
#define HULLBENCH_TESTS_LIBSVM_PEER_H

#if HAVE_LIBSVM
#include <libsvm/svm.h>

#include "solvers/kernel/gram.h"

/* LIBSVM gives ties to the last index. In reverse order its ties go to the lowest, like ours. */
enum peer_order { PEER_AS_GIVEN, PEER_REVERSED };

/* Trains on the n patterns of the gram with their labels; sets kernel type and cache. alpha receives the absolute
 * values of LIBSVM's n coefficients, in the order of the gram. Returns LIBSVM's iterations. Fails the test if LIBSVM
 * refuses the parameters. */
int peer_train(struct gram *gram, const signed char *y, const struct svm_parameter *parameter, enum peer_order order,
               double *alpha);
#endif

#endif
