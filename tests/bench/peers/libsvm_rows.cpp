/*
 * LIBSVM's solver with kernel rows computed by this project's loop, see libsvm_rows.h. The folder of LIBSVM's source is
 * on the include path; nothing of it is copied here. Cache, selection, update and shrinking are LIBSVM's; get_Q alone
 * differs. The patterns come in LIBSVM's order, +1 before -1, as svm_train groups them.
 */
#include "svm.cpp"

#include <vector>

#include "tests/bench/peers/libsvm_rows.h"

namespace {

class Vectorised_Q : public Kernel {
public:
    Vectorised_Q(int l, svm_node **nodes, const svm_parameter &parameter, const double *rows, size_t width,
                 const int *order, const schar *signs)
        : Kernel(l, nodes, parameter), stride((size_t)l), dims(width), gamma_of_rbf(parameter.gamma),
          cache((long)l, (size_t)(parameter.cache_size * (1 << 20))), y(signs, signs + l), x(stride * width),
          diagonal(stride, 1.0)
    {
        for (size_t i = 0; i < stride; i++)
            for (size_t d = 0; d < dims; d++)
                x[d * stride + i] = rows[(size_t)order[i] * dims + d];
    }

    Qfloat *get_Q(int i, int length) const override
    {
        Qfloat *data;
        int start = cache.get_data(i, &data, length);
        if (start < length)
            libsvm_rows_row((size_t)i, (size_t)start, (size_t)length, dims, x.data(), stride, gamma_of_rbf, y.data(),
                            data);
        return data;
    }

    double *get_QD() const override
    {
        return diagonal.data();
    }

    void swap_index(int i, int j) const override
    {
        cache.swap_index(i, j);
        swap(y[(size_t)i], y[(size_t)j]);
        for (size_t d = 0; d < dims; d++)
            swap(x[d * stride + (size_t)i], x[d * stride + (size_t)j]);
    }

private:
    size_t stride, dims;
    double gamma_of_rbf;
    mutable Cache cache;
    mutable std::vector<schar> y;
    mutable std::vector<double> x, diagonal;
};

} // namespace

void libsvm_rows_train(const svm_problem *problem, const svm_parameter *parameter, const double *x, size_t dims,
                       double *alpha)
{
    size_t n = (size_t)problem->l;
    std::vector<int> order;
    for (int sign : {1, -1})
        for (int i = 0; i < problem->l; i++)
            if (problem->y[i] == sign)
                order.push_back(i);
    std::vector<svm_node *> nodes(n);
    std::vector<schar> y(n);
    for (size_t i = 0; i < n; i++) {
        nodes[i] = problem->x[order[i]];
        y[i] = (schar)problem->y[order[i]];
    }
    std::vector<double> minus_ones(n, -1.0), found(n, 0.0);
    Solver::SolutionInfo info;
    Solver solver;
    solver.Solve(problem->l, Vectorised_Q(problem->l, nodes.data(), *parameter, x, dims, order.data(), y.data()),
                 minus_ones.data(), y.data(), found.data(), parameter->C, parameter->C, parameter->eps, &info,
                 parameter->shrinking);
    for (size_t i = 0; i < n; i++)
        alpha[order[i]] = found[i];
}
