/* See interior_step.h. */
#include "solvers/dense/interior_step.h"

/* The largest t for which value + t change is not negative, or `most`. */
static double limit(double value, double change, double most)
{
    return value + most * change < 0 ? value / -change : most;
}

double interior_max_length(const struct interior_values *values, const struct interior_step *step)
{
    double length = 1 / INTERIOR_STEP_SHARE;
    for (size_t j = 0; j < values->n; j++) {
        length = limit(values->alpha[j], step->alpha[j], length);
        length = limit(values->s[j], -step->alpha[j], length);
        length = limit(values->z[j], step->z[j], length);
        length = limit(values->v[j], step->v[j], length);
    }
    return length;
}

double interior_products(const struct interior_values *values, const struct interior_step *step, double length)
{
    double sum = 0;
    for (size_t j = 0; j < values->n; j++) {
        sum += (values->alpha[j] + length * step->alpha[j]) * (values->z[j] + length * step->z[j]);
        sum += (values->s[j] - length * step->alpha[j]) * (values->v[j] + length * step->v[j]);
    }
    return sum;
}

void interior_move(const struct interior_values *values, const struct interior_step *step, double length)
{
    for (size_t j = 0; j < values->n; j++) {
        values->alpha[j] += length * step->alpha[j];
        values->s[j] -= length * step->alpha[j];
        values->z[j] += length * step->z[j];
        values->v[j] += length * step->v[j];
    }
}
