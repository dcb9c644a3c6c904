/* Platt's outer loop and steps, see passes.h. */
#include "solvers/decomposition/passes.h"

#include <float.h>

/* Platt's (1998) tol and eps. Steps limited to a thousandth could not meet a tighter rule, so eps follows the
 * tolerance. */
static const double platt_tolerance = 1e-3, platt_min_step = 1e-3;

static void layout(struct passes *passes, struct arena *arena, size_t head, size_t n)
{
    arena_take(arena, head);
    box_layout(&passes->box, arena, n);
}

size_t passes_state_size(size_t head, size_t n)
{
    struct arena arena = {0};
    struct passes passes;
    layout(&passes, &arena, head, n);
    return arena.used;
}

void passes_start(struct passes *passes, size_t head, const struct problem *problem, struct oracle *oracle)
{
    struct arena arena = {.block = (char *)passes};
    layout(passes, &arena, head, problem->n);
    box_start(&passes->box, problem, parameter_get(&problem->parameters, &parameter_c), START_ZERO, oracle);
    passes->oracle = oracle;
    passes_tighten(passes, problem->tolerance > 0 ? problem->tolerance : platt_tolerance);
}

void passes_tighten(void *state, double tolerance)
{
    struct passes *passes = state;
    passes->tolerance = tolerance;
    passes->min_step = fmin(platt_min_step, tolerance);
    passes->full_pass = 1;
    passes->ended = 0;
    passes->changed = 0;
    passes->next = 0;
}

size_t passes_next(struct passes *passes)
{
    const struct box *box = &passes->box;
    while (passes->next < box->n && !passes->full_pass && !box_is_free(box, passes->next))
        passes->next++;
    return passes->next < box->n ? passes->next++ : box->n;
}

void passes_turn(struct passes *passes)
{
    passes->ended = passes->full_pass && passes->changed == 0;
    passes->full_pass = !passes->full_pass && passes->changed == 0;
    passes->changed = 0;
    passes->next = 0;
}

double passes_output(const struct passes *passes, size_t i)
{
    const struct box *box = &passes->box;
    double sum = 0;
    if (passes->support == 0)
        return 0;
    const double *row = oracle_row_part(passes->oracle, i, passes->support);
    for (size_t j = 0; j < box->n; j++)
        if (box->alpha[j] > 0)
            sum += box->signed_alpha[j] * row[j];
    return sum;
}

/* Nonzero if the pair can move in either direction: Platt's L < H. */
static int has_room(const struct box *box, size_t i, size_t j)
{
    return fmin(box_max_step(box, i, 1), box_max_step(box, j, 0)) > 0 ||
           fmin(box_max_step(box, i, 0), box_max_step(box, j, 1)) > 0;
}

int passes_try(struct passes *passes, size_t i1, double f1, size_t i2, double f2)
{
    struct box *box = &passes->box;
    if (i1 == i2 || !has_room(box, i1, i2))
        return 0;
    passes->pair = f1 < f2 ? (struct box_pair){i1, i2, f1, f2} : (struct box_pair){i2, i1, f2, f1};
    size_t up = passes->pair.up, low = passes->pair.low;
    const double *row = oracle_row_part(passes->oracle, up, 2);
    passes->k_up = row[up];
    passes->k_cross = row[low];
    passes->k_low = oracle_row_part(passes->oracle, low, 1)[low];
    double curvature = (passes->k_up - passes->k_cross) + (passes->k_low - passes->k_cross);
    passes->step = box_pair_step(box, &passes->pair, curvature);
    double change = (i2 == up ? box->y[i2] : -box->y[i2]) * passes->step;
    return passes->step > passes->min_step * (2 * box->alpha[i2] + change + passes->min_step);
}

/* Updates F of the patterns between their bounds, except the pair. */
static void update_free(struct passes *passes, struct oracle *oracle)
{
    struct box *box = &passes->box;
    size_t up = passes->pair.up, low = passes->pair.low, others = 0;
    for (size_t i = 0; i < box->n; i++)
        others += box_is_free(box, i) && i != up && i != low;
    if (others == 0)
        return;
    const double *row_up = oracle_row_part(oracle, up, others), *row_low = oracle_row_part(oracle, low, others);
    for (size_t i = 0; i < box->n; i++)
        if (box_is_free(box, i) && i != up && i != low)
            box->f[i] += passes->step * (row_up[i] - row_low[i]);
}

/* Puts a multiplier on its bound if only rounding keeps it off the bound. Its largest step would be too small to count,
 * and a pattern that every partner prefers would block the others. The residue above 0 is relative to the pair's
 * multipliers before the step, `before` together, not to C, which may be larger by any factor. */
static void settle(struct box *box, size_t i, double before)
{
    if (box->alpha[i] < 8 * DBL_EPSILON * before)
        box_set(box, i, 0);
    else if (box->alpha[i] > box->c - 8 * DBL_EPSILON * box->c)
        box_set(box, i, box->c);
}

void passes_step(struct passes *passes, struct oracle *oracle)
{
    struct box *box = &passes->box;
    const struct box_pair *pair = &passes->pair;
    double curvature = (passes->k_up - passes->k_cross) + (passes->k_low - passes->k_cross), step = passes->step;
    double alphas = box->alpha[pair->up] + box->alpha[pair->low];
    size_t before = (box->alpha[pair->up] > 0) + (size_t)(box->alpha[pair->low] > 0);
    passes->objective += step * (0.5 * step * curvature - (pair->f_low - pair->f_up));
    update_free(passes, oracle);
    box->f[pair->up] = pair->f_up + step * (passes->k_up - passes->k_cross);
    box->f[pair->low] = pair->f_low - step * (passes->k_low - passes->k_cross);
    box_move_pair(box, pair, step);
    settle(box, pair->up, alphas);
    settle(box, pair->low, alphas);
    passes->support += (box->alpha[pair->up] > 0) + (size_t)(box->alpha[pair->low] > 0) - before;
    passes->changed++;
}

void passes_fill_progress(const struct passes *passes, struct progress *progress)
{
    progress->updated_class = 0;
    progress->objective = passes->objective;
    if (progress->need_objective)
        progress->norm2 = 2 * (passes->objective + box_sum_alpha(&passes->box));
}

double passes_gap(const void *state, int class)
{
    const struct passes *passes = state;
    struct box_pair worst = BOX_NO_PAIR;
    (void)class;
    if (!passes->ended)
        return (double)NAN;
    for (size_t i = 0; i < passes->box.n; i++)
        box_consider(&passes->box, i, &worst);
    return box_gap(&passes->box, &worst, NULL, passes->box.n);
}
