/*
 * The model with random effects of data set a, split s within a, C c, width w, and their interactions,
 *     y = m + A_a + S_as + C_c + W_w + (AC)_ac + (AW)_aw + (CW)_cw + (ACW)_acw + E_ascw,
 * by the analysis of variance (Searle, Casella and McCulloch 1992, Variance Components, 4). With N values, L_T levels
 * of term T and M_T the mean at a level,
 *     Q_T = N / L_T sum (M_T - mean)^2,   SS_T = Q_T - sum SS_U,   df_T = L_T - 1 - sum df_U,
 * over the terms U inside T. Since E MS_T = sum N / L_U sigma^2_U over the terms U that contain T, T itself included,
 * the components follow one after the other from the residual on. MS_A / N is the variance of the mean over data sets
 * at these C and widths, of which MS_S / N comes from the choice of splits.
 */
#include "harness/stats/variance_components.h"

#include "harness/stats/summary.h"

/* Each after those inside it. */
static const unsigned order[VARIANCE_TERMS] = {
    VARY_SET, VARY_SET | VARY_SPLIT, VARY_C, VARY_WIDTH, VARY_SET | VARY_C, VARY_SET | VARY_WIDTH,
    VARY_C | VARY_WIDTH, VARY_SET | VARY_C | VARY_WIDTH, VARY_SET | VARY_SPLIT | VARY_C | VARY_WIDTH};

static int is_inside(unsigned term, unsigned other)
{
    return term != other && (term & other) == term;
}

static size_t count_levels(unsigned term, const size_t levels[VARY_FACTORS])
{
    size_t n = 1;
    for (unsigned f = 0; f < VARY_FACTORS; f++)
        n *= term >> f & 1 ? levels[f] : 1;
    return n;
}

/* Q_T: for each level, the sum over the factors that the term does not vary with. */
static double squares_of(const double *y, double mean, unsigned term, const size_t levels[VARY_FACTORS])
{
    const unsigned all = VARY_SET | VARY_SPLIT | VARY_C | VARY_WIDTH;
    const size_t n_levels = count_levels(term, levels), n = count_levels(all, levels) / n_levels;
    double squares = 0;
    for (size_t level = 0; level < n_levels; level++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) {
            size_t at = 0, stride = 1, of_level = level, of_rest = i;
            for (unsigned f = VARY_FACTORS; f-- > 0; stride *= levels[f]) {
                size_t *digits = term >> f & 1 ? &of_level : &of_rest;
                at += *digits % levels[f] * stride;
                *digits /= levels[f];
            }
            sum += y[at] - mean;
        }
        squares += sum * sum / (double)n;
    }
    return squares;
}

void variance_components(const double *y, const size_t levels[VARY_FACTORS],
                         struct variance_term terms[VARIANCE_TERMS])
{
    const size_t n = count_levels(VARY_SET | VARY_SPLIT | VARY_C | VARY_WIDTH, levels);
    const double mean = summary_mean(y, n);
    double squares[VARIANCE_TERMS];
    for (size_t t = 0; t < VARIANCE_TERMS; t++) {
        squares[t] = squares_of(y, mean, order[t], levels);
        const double degrees = (double)count_levels(order[t], levels) - 1;
        terms[t] = (struct variance_term){order[t], degrees, (double)NAN, (double)NAN};
        for (size_t u = 0; u < t; u++)
            if (is_inside(order[u], order[t])) {
                squares[t] -= squares[u];
                terms[t].degrees -= terms[u].degrees;
            }
        if (terms[t].degrees > 0)
            terms[t].mean_square = squares[t] / terms[t].degrees;
    }
    for (size_t t = VARIANCE_TERMS; t-- > 0;) {
        double rest = terms[t].mean_square;
        for (size_t u = t + 1; u < VARIANCE_TERMS; u++)
            if (is_inside(order[t], order[u]) && terms[u].degrees > 0)
                rest -= (double)(n / count_levels(order[u], levels)) * terms[u].variance;
        terms[t].variance = rest / (double)(n / count_levels(order[t], levels));
    }
}
