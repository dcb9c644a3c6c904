/* Start, selection, step and reported values of 1-smo, 2-smo and their variants, see pair_smo.h. */
#include "solvers/decomposition/pair_smo.h"

#include "solvers/cycle.h"
#include "solvers/kernel/shared_search.h"

void pair_smo_layout(struct pair_smo *smo, struct arena *arena, size_t head, size_t n)
{
    arena_take(arena, head);
    box_layout(&smo->box, arena, n);
}

void pair_smo_start(struct pair_smo *smo, const struct problem *problem, struct oracle *oracle)
{
    double c = problem->solver->square_penalty ? INFINITY : parameter_get(&problem->parameters, &parameter_c);
    smo->ridge = solver_ridge(problem->solver, problem);
    box_start(&smo->box, problem, c, box_start_of(problem), oracle);
    if (smo->ridge > 0 && oracle_is_semidefinite(oracle))
        box_bound_by_ridge(&smo->box, smo->ridge);
}

enum status pair_smo_select(void *state, struct progress *progress)
{
    struct pair_smo *smo = state;
    if (!smo->has_pair)
        smo->pair = box_worst_pair(&smo->box);
    smo->has_pair = 0;
    progress->delta = smo->pair.f_low - smo->pair.f_up;
    progress->violation = 0.5 * progress->delta; /* at the bias midway between the thresholds */
    progress->updated_class = 0;
    if (progress->need_objective)
        box_fill_progress(&smo->box, progress);
    return STATUS_OK;
}

void pair_smo_move(struct pair_smo *smo, struct box_pair pair, double step, const double *row_up,
                   const double *row_low)
{
    box_move_pair(&smo->box, &pair, step);
    smo->pair = box_add_pair(&smo->box, step, row_up, row_low);
    smo->has_pair = 1;
}

double pair_smo_step(struct pair_smo *smo, struct box_pair pair, const double *row_up, const double *row_low)
{
    double step = box_pair_step(&smo->box, &pair, box_curvature(&pair, row_up, row_low));
    if (step > 0)
        pair_smo_move(smo, pair, step, row_up, row_low);
    return step;
}

struct box_pair pair_smo_second_order(const struct pair_smo *smo, const double *diagonal, const double *row)
{
    const struct box *box = &smo->box;
    struct box_pair best = smo->pair;
    struct second_index second_index = {.eligible = box->eligible[1], .f = box->f, .row = row, .diagonal = diagonal,
                                        .f_first = best.f_up, .diagonal_first = diagonal[best.up],
                                        .hint = best.low};
    best.low = shared_select_second_index(box->simd, box->n_padded, &second_index);
    best.f_low = box->f[best.low];
    return best;
}

double pair_smo_gap_linear(const void *state, int class)
{
    const struct pair_smo *smo = state;
    const struct box *box = &smo->box;
    (void)class;
    double bias = -0.5 * (smo->pair.f_up + smo->pair.f_low), slack = 0, sum = box_sum_alpha(box);
    for (size_t i = 0; i < box->n; i++)
        slack += fmax(0, -box->y[i] * (box->f[i] + bias));
    return box_norm2(box, sum) - sum + box->c * slack;
}

double pair_smo_gap_square(const void *state, int class)
{
    const struct pair_smo *smo = state;
    const struct box *box = &smo->box;
    (void)class;
    double bias = -0.5 * (smo->pair.f_up + smo->pair.f_low), slack2 = 0, alpha2 = 0, sum = box_sum_alpha(box);
    for (size_t i = 0; i < box->n; i++) {
        double f = box->f[i] - smo->ridge * box->signed_alpha[i], slack = fmax(0, -box->y[i] * (f + bias));
        slack2 += slack * slack;
        alpha2 += box->alpha[i] * box->alpha[i];
    }
    return box_norm2(box, sum) - 0.5 * smo->ridge * alpha2 - sum + 0.5 * slack2 / smo->ridge;
}

double box_max_step_along(const struct box *box, const size_t *indices, const double *weights, size_t count)
{
    double max_step = INFINITY;
    for (size_t h = 0; h < count; h++) {
        double to_bound = box_max_step(box, indices[h], weights[h] > 0) / fabs(weights[h]);
        max_step = to_bound < max_step ? to_bound : max_step;
    }
    return max_step;
}

int box_admits_step_along(const struct box *box, const size_t *indices, const double *weights, size_t count,
                          double step)
{
    const double more = 1 + 1e-12; /* covers the rounding of the values compared */
    int has = 1;
    for (size_t h = 0; h < count; h++)
        has &= box_max_step(box, indices[h], weights[h] > 0) > step * more * fabs(weights[h]);
    return has;
}

void box_move_along(struct box *box, const size_t *indices, const double *weights, size_t count, double step)
{
    for (size_t h = 0; h < count; h++) {
        size_t i = indices[h];
        int up = weights[h] > 0; /* a weight may have cancelled to 0: max_step must lead to the same bound */
        double change = box->y[i] * step * weights[h], max_step = box_max_step(box, i, up);
        box_set(box, i, cycle_land(box->alpha[i], change, max_step, box_bound(box, i, up)));
    }
}

void box_move_admitted(struct box *box, const size_t *indices, const double *weights, size_t count, double step)
{
    for (size_t h = 0; h < count; h++) {
        size_t i = indices[h];
        double before = box->alpha[i], after = before + box->y[i] * step * weights[h];
        box->alpha[i] = after;
        box->signed_alpha[i] = box->y[i] * after;
        if (!(before > 0 && before < box->c && after > 0 && after < box->c)) /* otherwise it stays in both sets */
            box_set_eligible(box, i);
    }
}
