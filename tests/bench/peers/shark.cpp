/* Shark's CSvmTrainer with its GaussianRbfKernel; kept rows in single precision, as CSvmTrainer has them by default. */
#include <shark/Algorithms/Trainers/CSvmTrainer.h>
#include <shark/Core/Shark.h>
#include <shark/Models/Kernels/GaussianRbfKernel.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/bench/peers/peer.h"

namespace {

struct state {
    const peer_problem *asked;
    shark::ClassificationDataset data;
};

} // namespace

const char *peer_version()
{
    typedef shark::Shark::version_type version;
    static const std::string text = std::to_string(version::MAJOR()) + "." + std::to_string(version::MINOR());
    return text.c_str();
}

void *peer_open(const peer_problem *asked)
{
    std::vector<shark::RealVector> x;
    std::vector<unsigned> y;
    for (size_t i = 0; i < asked->n; i++) {
        x.emplace_back(asked->dims);
        std::copy(asked->x + i * asked->dims, asked->x + (i + 1) * asked->dims, x.back().begin());
        y.push_back(asked->y[i] > 0);
    }
    return new state{asked, shark::createLabeledDataFromRange(x, y)};
}

void peer_train(void *context, double tolerance, double *alpha)
{
    state *opened = static_cast<state *>(context);
    shark::GaussianRbfKernel<> kernel(opened->asked->gamma);
    shark::KernelClassifier<shark::RealVector> classifier;
    shark::CSvmTrainer<shark::RealVector> trainer(&kernel, opened->asked->c, true);
    trainer.sparsify() = false;
    trainer.stoppingCondition().minAccuracy = tolerance;
    trainer.setCacheSize(opened->asked->megabytes * ((1 << 20) / sizeof(float)));
    trainer.train(classifier, opened->data);
    for (size_t i = 0; i < opened->asked->n; i++)
        alpha[i] = std::fabs(classifier.decisionFunction().alpha(i, 0));
}

void peer_close(void *context)
{
    delete static_cast<state *>(context);
}
