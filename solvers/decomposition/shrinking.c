/*
 * At an optimum with bias b, the multipliers of the constraints 0 <= alpha_i and alpha_i <= C are
 *
 *   lambda_lo = y_i (F_i + b)  for alpha_i = 0,    lambda_up = -y_i (F_i + b)  for alpha_i = C
 *
 * At any other point these are estimates at that point's bias, with an error of about the KKT violation there. A
 * variable is removed if its estimate exceeded the largest violation in each of the last h iterations. Its multiplier
 * then stays fixed, it cannot be chosen, and its F is not updated, so a row costs one kernel operation per active
 * pattern. If positive estimates sufficed, more variables would be removed that must return: with q = 2 that takes 58 %
 * more iterations on banana than no shrinking, this rule 11 %.
 *
 * When the active patterns satisfy the stopping rule, F of the others is recomputed from all support vectors, all
 * patterns are checked, and those that violate their KKT condition become active again. Near the end (thresholds within
 * `enough` of each other, above which no rule stops) all become active. So the result never relies on a pattern that
 * was not checked.
 */
#include "solvers/decomposition/shrinking.h"

void shrink_layout(struct shrink *shrink, struct arena *arena, size_t n)
{
    shrink->active = arena_take(arena, n * sizeof *shrink->active);
    shrink->inactive = arena_take(arena, n * sizeof *shrink->inactive);
    shrink->optimal_for = arena_take(arena, n * sizeof *shrink->optimal_for);
}

static void take_all(struct shrink *shrink, size_t n)
{
    shrink->count = n;
    for (size_t i = 0; i < n; i++)
        shrink->active[i] = i;
}

void shrink_start(struct shrink *shrink, const struct problem *problem)
{
    shrink->on = parameter_get(&problem->parameters, &parameter_shrinking) != 0;
    shrink->after = (size_t)parameter_get(&problem->parameters, &parameter_shrink_after);
    take_all(shrink, problem->n);
}

int shrink_is_shrunk(const struct shrink *shrink, const struct box *box)
{
    return shrink->count < box->n;
}

/* Whether a pattern is at a bound whose multiplier is estimated to exceed `error`. */
static int is_optimal_at_bound(const struct box *box, size_t i, double bias, double error)
{
    double lambda = box->y[i] * (box->f[i] + bias);
    return box->alpha[i] == 0 ? lambda > error : box->alpha[i] == box->c && -lambda > error;
}

void shrink_count(struct shrink *shrink, const struct box *box, double bias, double error)
{
    shrink->due = 0;
    if (!shrink->on)
        return;
    for (size_t k = 0; k < shrink->count; k++) {
        size_t i = shrink->active[k];
        shrink->optimal_for[i] = is_optimal_at_bound(box, i, bias, error) ? shrink->optimal_for[i] + 1 : 0;
        shrink->due += shrink->optimal_for[i] >= shrink->after;
    }
}

/* Divides the patterns into active and inactive: inactive if optimal_for is at least `after`, except the pair. */
static void sort_out(struct shrink *shrink, size_t n, const struct box_pair *keep)
{
    size_t in = 0, out = 0;
    for (size_t i = 0; i < n; i++)
        if (shrink->optimal_for[i] < shrink->after || (keep && (i == keep->up || i == keep->low)))
            shrink->active[in++] = i;
        else
            shrink->inactive[out++] = i;
    shrink->count = in;
}

void shrink_remove(struct shrink *shrink, const struct box *box, const struct box_pair *keep)
{
    if (shrink->due == 0)
        return;
    if (!shrink_is_shrunk(shrink, box))
        shrink->norm2 = box_norm2(box, box_sum_alpha(box));
    sort_out(shrink, box->n, keep);
    shrink->due = 0;
}

/* F of the inactive patterns, summed from zero. */
static void compute_left_out(const struct shrink *shrink, struct box *box, struct oracle *oracle)
{
    size_t out = box->n - shrink->count;
    for (size_t k = 0; k < out; k++)
        box->f[shrink->inactive[k]] = -box->y[shrink->inactive[k]];
    for (size_t j = 0; j < box->n; j++) {
        if (!(box->alpha[j] > 0))
            continue;
        const double *row = oracle_row_part(oracle, j, out);
        for (size_t k = 0; k < out; k++)
            box->f[shrink->inactive[k]] += box->signed_alpha[j] * row[shrink->inactive[k]];
    }
}

void shrink_check_all(struct shrink *shrink, struct box *box, double enough, struct oracle *oracle)
{
    struct box_pair worst = BOX_NO_PAIR;
    compute_left_out(shrink, box, oracle);
    for (size_t i = 0; i < box->n; i++)
        box_consider(box, i, &worst);
    double bias = -0.5 * (worst.f_up + worst.f_low);
    int near = worst.f_low - worst.f_up <= enough;
    for (size_t i = 0; i < box->n; i++)
        if (near || !is_optimal_at_bound(box, i, bias, 0))
            shrink->optimal_for[i] = 0;
    shrink->norm2 = box_norm2(box, box_sum_alpha(box));
    sort_out(shrink, box->n, NULL);
}

void shrink_add_row(const struct shrink *shrink, struct box *box, double a, const double *row)
{
    if (!shrink_is_shrunk(shrink, box)) {
        box->simd->axpy(box->n_padded, a, row, box->f);
        return;
    }
    for (size_t k = 0; k < shrink->count; k++)
        box->f[shrink->active[k]] += a * row[shrink->active[k]];
}

const double *shrink_row(const struct shrink *shrink, const struct box *box, struct oracle *oracle, size_t i)
{
    return shrink_is_shrunk(shrink, box) ? oracle_row_part(oracle, i, shrink->count) : oracle_row(oracle, i);
}
