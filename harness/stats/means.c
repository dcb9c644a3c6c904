/* Geometric means by logarithms, see means.h. Sums are in the order given. */
#include "harness/stats/means.h"

#include <math.h>

static enum status positive(double value, const char *what, size_t i, size_t n, struct error *error)
{
    if (value > 0 && isfinite(value))
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT, "geometric mean: %s %zu of %zu is %g, not positive and finite", what, i,
                     n, value);
}

static enum status log_ratio(double x, double y, size_t i, size_t n, double *logarithm, struct error *error)
{
    enum status status = positive(x, "x", i, n, error);
    if (status == STATUS_OK)
        status = positive(y, "y", i, n, error);
    *logarithm = x == y ? 0 : log(x) - log(y);
    return status;
}

enum status means_log_ratios(const double *x, const double *y, size_t n, double *logs, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < n && status == STATUS_OK; i++)
        status = log_ratio(x[i], y[i], i, n, &logs[i], error);
    return status;
}

enum status means_geometric_ratio(const double *x, const double *y, size_t n, double *mean, struct error *error)
{
    enum status status = STATUS_OK;
    double sum = 0, logarithm = 0;
    for (size_t i = 0; i < n && status == STATUS_OK; i++) {
        status = log_ratio(x[i], y[i], i, n, &logarithm, error);
        sum += logarithm;
    }
    *mean = status == STATUS_OK && n > 0 ? exp(sum / (double)n) : (double)NAN;
    return status;
}

enum status means_shifted_geometric(const double *x, size_t n, double shift, double *mean, struct error *error)
{
    enum status status = STATUS_OK;
    double sum = 0;
    *mean = (double)NAN;
    if (!(shift >= 0 && isfinite(shift)))
        return error_set(error, STATUS_BAD_INPUT, "geometric mean: the shift is %g, not 0 or more", shift);
    for (size_t i = 0; i < n && status == STATUS_OK; i++) {
        status = positive(x[i] + shift, "shifted value", i, n, error);
        sum += log(x[i] + shift);
    }
    if (status == STATUS_OK && n > 0)
        *mean = exp(sum / (double)n) - shift;
    return status;
}
