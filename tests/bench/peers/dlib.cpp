/*
 * dlib's svm_c_trainer with its radial_basis_kernel. Its decision function holds the support vectors in the order of
 * the patterns, without their numbers: they are found again by their features and the sign of their coefficients.
 */
#include <dlib/revision.h>
#include <dlib/svm.h>

#include <cmath>
#include <vector>

#include "tests/bench/peers/peer.h"

namespace {

typedef dlib::matrix<double, 0, 1> sample;
typedef dlib::radial_basis_kernel<sample> kernel;

struct state {
    const peer_problem *asked;
    std::vector<sample> x;
    std::vector<double> y;
};

} // namespace

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

const char *peer_version()
{
    return TEXT(DLIB_MAJOR_VERSION) "." TEXT(DLIB_MINOR_VERSION);
}

void *peer_open(const peer_problem *asked)
{
    state *opened = new state{asked, {}, {}};
    for (size_t i = 0; i < asked->n; i++) {
        opened->x.push_back(dlib::mat(asked->x + i * asked->dims, (long)asked->dims));
        opened->y.push_back(asked->y[i]);
    }
    return opened;
}

void peer_train(void *context, double tolerance, double *alpha)
{
    const state *opened = (const state *)context;
    dlib::svm_c_trainer<kernel> trainer(kernel(opened->asked->gamma), opened->asked->c);
    trainer.set_epsilon(tolerance);
    trainer.set_cache_size((long)opened->asked->megabytes);
    dlib::decision_function<kernel> found = trainer.train(opened->x, opened->y);
    long k = 0;
    for (size_t i = 0; i < opened->x.size(); i++) {
        bool is_next = k < found.alpha.size() && found.alpha(k) * opened->y[i] > 0 &&
                       found.basis_vectors(k) == opened->x[i];
        alpha[i] = is_next ? std::fabs(found.alpha(k)) : 0;
        k += is_next;
    }
}

void peer_close(void *context)
{
    delete (state *)context;
}
