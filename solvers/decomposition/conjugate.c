/*
 * The direction d of a pair (y_i alpha_i increases as much as y_j alpha_j decreases) is made conjugate to p, the
 * direction of the previous step:
 *
 *   p' = d + gamma p,   gamma = -(d . K p) / (p . K p),   p' . K p' = d . K d - (d . K p)^2 / (p . K p),
 *
 * in terms of y alpha. After an exact minimum along p the slope along p is 0. So p' descends as steeply as d but has
 * less curvature, and its minimum lowers the dual by (F_j - F_i)^2 / (2 p' . K p'), more than that of d. The pair is
 * chosen by this gain:
 *
 *   i = argmin F over I_up,
 *   j = argmax (F_j - F_i)^2 / (eta_ij - (q_i - q_j)^2 / (p . q)) over the j of I_low with F_j > F_i,
 *
 * where q = K p and eta_ij = k_ii + k_jj - 2 k_ij. Without a p this is the choice of second-order-smo. The step along
 * p' is the exact minimum, clipped to the box over all multipliers that p' moves; a multiplier that reaches its bound
 * lies exactly on it. After a clipped step the slope along p' is not 0, so the next direction starts from p = 0. If
 * some multiplier cannot move along p', or p' has lost its balance to rounding, the step goes along d alone, and p = d.
 * Every step is feasible, since neither d nor p changes sum y alpha. The dual never increases, since a step ends at or
 * before the minimum along its line. The step after a clipped one is that of second-order SMO, so its convergence is
 * preserved.
 *
 * q is updated by q' = (row_i - row_j) + gamma q, so an iteration requests two rows, as in 1-smo.
 *
 * Of the paper (Torres-Barran, Alaiz and Dorronsoro 2021, arXiv 2003.08719) only the abstract and the first lines of
 * the introduction were available. The code was compared instead with the authors' program, a fork of LIBSVM 3.20
 * (github.com/albertotb/libsvm_cd, commit 432631d). Both use the same p', gamma, step length, clipping, and p = 0 after
 * a clipped step. The differences are:
 *
 *   pair       The program takes second-order SMO's j, argmax (F_j - F_i)^2 / eta_ij, with or without a p.
 *   no room    If no step along p' is possible, the program goes along d by (F_j - F_i) / (p' . K p'), which may exceed
 *              the minimum along d, clips that, and starts from p = 0. Here the step is the minimum along d, and p = d.
 *   bounds     The program ignores weights of p' up to 1e-12 when it clips, and does not round to the bounds.
 *   curvature  If p' . K p' is not positive, the program divides by 1e-12. Here p = d if almost nothing remains.
 *
 * The choice of the pair matters most: that of the program needs more iterations (docs/study-variants.md).
 */
#include "solvers/decomposition/conjugate.h"

#include <string.h>

#include "solvers/cycle.h"
#include "solvers/decomposition/pair_smo.h"
#include "solvers/kernel/shared_search.h"

void conjugate_layout(struct conjugate *conjugate, struct arena *arena, size_t n)
{
    conjugate->diagonal = arena_doubles(arena, n);
    conjugate->q = arena_doubles(arena, n);
    conjugate->p = arena_doubles(arena, n);
    conjugate->indices = arena_take(arena, n * sizeof *conjugate->indices);
    conjugate->place = arena_take(arena, n * sizeof *conjugate->place);
}

void conjugate_restart(struct conjugate *conjugate, const struct box *box)
{
    for (size_t h = 0; h < conjugate->members; h++)
        conjugate->place[conjugate->indices[h]] = 0;
    conjugate->members = 0;
    conjugate->p_norm2 = conjugate->p_scale = 0;
    memset(conjugate->q, 0, box->n_padded * sizeof *conjugate->q);
}

double conjugate_curvature(const struct conjugate *conjugate, double curvature, double along)
{
    double lost = along * along * conjugate->p_scale;
    return lost < (1 - SECOND_INDEX_MIN_LEFT) * curvature ? curvature - lost : curvature;
}

struct second_index conjugate_second_index(const struct conjugate *conjugate, const struct box *box,
                                           const struct box_pair *pair, const double *row)
{
    return (struct second_index){.eligible = box->eligible[1], .f = box->f, .row = row,
                                 .diagonal = conjugate->diagonal, .q = conjugate->q, .f_first = pair->f_up,
                                 .diagonal_first = conjugate->diagonal[pair->up],
                                 .q_first = conjugate->q[pair->up], .scale = conjugate->p_scale, .hint = pair->low};
}

static void add(struct conjugate *conjugate, size_t i, double weight)
{
    if (conjugate->place[i] == 0) {
        conjugate->indices[conjugate->members] = i;
        conjugate->p[conjugate->members] = 0;
        conjugate->place[i] = ++conjugate->members;
    }
    conjugate->p[conjugate->place[i] - 1] += weight;
}

/* -F . p */
static double descent(const struct conjugate *conjugate, const struct box *box)
{
    double sum = 0;
    for (size_t h = 0; h < conjugate->members; h++)
        sum -= conjugate->p[h] * box->f[conjugate->indices[h]];
    return sum;
}

/* p = d + gamma p and its curvature */
static void turn(struct conjugate *conjugate, const struct box_pair *pair, double gamma, double curvature)
{
    for (size_t h = 0; h < conjugate->members; h++)
        conjugate->p[h] *= gamma;
    add(conjugate, pair->up, 1);
    add(conjugate, pair->low, -1);
    conjugate->p_norm2 = curvature;
    conjugate->p_scale = curvature > 0 ? 1 / curvature : 0;
}

/* The maximum step needs divisions, so it is computed only if the step may reach it. */
static struct conjugate_line_search look_along(const struct conjugate *conjugate, const struct box *box, double gamma)
{
    const size_t *indices = conjugate->indices, members = conjugate->members;
    double slope = descent(conjugate, box), step = slope * conjugate->p_scale, max_step = INFINITY;
    if (!(step > 0 && box_admits_step_along(box, indices, conjugate->p, members, step)))
        max_step = box_max_step_along(box, indices, conjugate->p, members);
    return (struct conjugate_line_search){gamma, slope, max_step};
}

struct conjugate_line_search conjugate_direction(struct conjugate *conjugate, const struct box *box,
                                                 const struct box_pair *pair, double curvature)
{
    double along = conjugate->q[pair->up] - conjugate->q[pair->low];
    double left = conjugate_curvature(conjugate, curvature, along);
    if (left < curvature) {
        double gamma = -along * conjugate->p_scale;
        turn(conjugate, pair, gamma, left);
        struct conjugate_line_search search = look_along(conjugate, box, gamma);
        /* Where a direction is almost null under K, gamma is large, and so is the rounding that p' inherits. */
        if (search.max_step > 0 && search.slope > 0 &&
            cycle_weights_are_balanced(conjugate->indices, conjugate->p, conjugate->members, NULL))
            return search;
    }
    conjugate_restart(conjugate, box);
    turn(conjugate, pair, 0, curvature);
    return look_along(conjugate, box, 0);
}

double conjugate_length(const struct conjugate *conjugate, const struct box *box,
                        const struct conjugate_line_search *search, int *clipped)
{
    *clipped = !(conjugate->p_norm2 > 0 && search->slope < search->max_step * conjugate->p_norm2);
    double step = *clipped ? search->max_step : search->slope / conjugate->p_norm2;
    int is_possible = search->max_step > 0 && search->slope > 0 &&
                      box_trusts_step(box, conjugate->indices, conjugate->p, conjugate->members, step, search->slope);
    return is_possible ? step : 0;
}

struct box_pair conjugate_move(struct conjugate *conjugate, struct box *box, const double *row_up,
                               const double *row_low, const struct conjugate_line_search *search, double step)
{
    const size_t *indices = conjugate->indices, members = conjugate->members;
    if (isinf(search->max_step))
        box_move_admitted(box, indices, conjugate->p, members, step);
    else
        box_move_along(box, indices, conjugate->p, members, step);
    struct argminmax argminmax =
        shared_turn_argminmax(box->simd, box->n_padded, search->gamma, step, row_up, row_low,
                              (const unsigned char *const *)box->eligible, conjugate->q, box->f);
    return box_pair_of(&argminmax);
}
