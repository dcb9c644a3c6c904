/* Exact gains of pairs, see pair_gain.h. */
#include "solvers/decomposition/pair_gain.h"

static inline double gain(double delta, double max_step, double curvature)
{
    double step = curvature > 0 && delta < max_step * curvature ? delta / curvature : max_step;
    return step * (delta - 0.5 * step * curvature);
}

struct pair_gain pair_gain_of(const struct box *box, size_t i, size_t j, double curvature)
{
    size_t up = box->f[i] < box->f[j] ? i : j, low = up == i ? j : i;
    struct box_pair pair = {up, low, box->f[up], box->f[low]};
    double max_step = fmin(box_max_step(box, up, 1), box_max_step(box, low, 0));
    return (struct pair_gain){gain(pair.f_low - pair.f_up, max_step, curvature), pair};
}

void pair_gain_search(const struct box *box, size_t fixed, const double *row, const double *diagonal,
                      struct pair_gain *best)
{
    const double f = box->f[fixed], rooms[2] = {box_max_step(box, fixed, 0), box_max_step(box, fixed, 1)};
    double max = best->gain;
    size_t other = fixed;
    for (size_t i = 0; i < box->n; i++) {
        double delta = box->f[i] - f, curvature = (diagonal[fixed] - row[i]) + (diagonal[i] - row[i]);
        int is_up = delta < 0;
        double max_step = fmin(rooms[!is_up], box_max_step(box, i, is_up));
        double gained = gain(fabs(delta), max_step, curvature);
        other = gained > max ? i : other;
        max = gained > max ? gained : max;
    }
    if (max > best->gain)
        *best = pair_gain_of(box, fixed, other, (diagonal[fixed] - row[other]) + (diagonal[other] - row[other]));
}
