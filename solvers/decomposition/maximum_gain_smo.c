/*
 * SMO with the hybrid maximum-gain working set (HMG), Glasmachers and Igel (2006), "Maximum-gain working set selection
 * for SVMs", Journal of Machine Learning Research 7.
 *
 *   min 1/2 sum alpha_i alpha_j y_i y_j k(x_i, x_j) - sum alpha_i,  0 <= alpha <= C,  sum y_i alpha_i = 0
 *
 * One pattern of the previous pair is kept. Among all pairs that contain one of the previous two patterns, the solver
 * chooses the one whose step gains most, taking the box into account (pair_gain.h); the two rows used last suffice for
 * this. At the start, and if both multipliers of the previous pair are within 1e-8 C of a bound (the corners of its
 * box), it chooses the most violating pair. A pattern away from its bounds that gains with no other violates with no
 * other, so in all other cases such a pair exists unless the point is optimal.
 *
 * As in the paper, the rows of the previous pair are kept in memory, here in the state. An iteration requests the row
 * of the new pattern, N kernel operations, or 2N for the most violating pair. Set-up costs N for the diagonal.
 *
 * It follows the authors' program (Shark, QpSvmDecomp), whose comments state where it departs from the paper. Both
 * switch to second-order selection if the kernel matrix fits into the cache; this solver does not, since that is
 * second-order-smo. There is no shrinking.
 */
#include <string.h>

#include "solvers/decomposition/pair_gain.h"
#include "solvers/decomposition/pair_smo.h"

static const double corner = 1e-8; /* of C */

enum { MEMBERS = 2 };

struct maximum_gain_smo {
    struct pair_smo smo;
    struct gain_patterns patterns;
    size_t previous[MEMBERS]; /* the previous pair */
    double *rows[MEMBERS];    /* and its rows, n_padded each */
    int has_previous;
};

static void layout(struct maximum_gain_smo *gain, struct arena *arena, size_t n)
{
    pair_smo_layout(&gain->smo, arena, sizeof *gain, n);
    gain_patterns_layout(&gain->patterns, arena, n);
    for (size_t m = 0; m < MEMBERS; m++)
        gain->rows[m] = arena_doubles(arena, n);
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {0};
    struct maximum_gain_smo gain;
    layout(&gain, &arena, problem->n);
    return arena.used;
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct maximum_gain_smo *gain = state;
    struct arena arena = {.block = state};
    layout(gain, &arena, problem->n);
    gain_patterns_start(&gain->patterns, problem, oracle);
    pair_smo_start(&gain->smo, problem, oracle);
    return STATUS_OK;
}

static int is_near_bound(const struct box *box, size_t i)
{
    return box->alpha[i] <= corner * box->c || box->alpha[i] >= box->c - corner * box->c;
}

/* The pair of largest gain that contains a pattern of the previous pair; gain 0 if it must not be used. */
static struct pair_gain choose(const struct maximum_gain_smo *gain)
{
    const struct box *box = &gain->smo.box;
    struct pair_gain best = {0, gain->smo.pair};
    int is_corner = is_near_bound(box, gain->previous[0]) && is_near_bound(box, gain->previous[1]);
    for (size_t m = 0; gain->has_previous && !is_corner && m < MEMBERS; m++)
        pair_gain_search(box, &gain->patterns, gain->previous[m], gain->rows[m], &best);
    return best;
}

static void keep_row(struct maximum_gain_smo *gain, size_t member, size_t i, struct oracle *oracle)
{
    memcpy(gain->rows[member], oracle_row(oracle, i), gain->smo.box.n_padded * sizeof *gain->rows[member]);
    gain->previous[member] = i;
}

/* Requests the row of the new pattern, or both rows of the pair. Returns which of the rows belongs to `up`. */
static size_t keep_pair(struct maximum_gain_smo *gain, const struct pair_gain *best, struct oracle *oracle)
{
    const struct box_pair *pair = &best->pair;
    const size_t *previous = gain->previous;
    if (!(best->gain > 0)) {
        keep_row(gain, 0, pair->up, oracle);
        keep_row(gain, 1, pair->low, oracle);
        return 0;
    }
    size_t stays = previous[0] == pair->up || previous[0] == pair->low ? 0 : 1;
    size_t up = previous[stays] == pair->up ? stays : !stays, enters = up == stays ? pair->low : pair->up;
    keep_row(gain, !stays, enters, oracle);
    return up;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct maximum_gain_smo *gain = state;
    struct pair_smo *smo = &gain->smo;
    if (!(smo->pair.f_low > smo->pair.f_up))
        return STATUS_STALLED; /* optimal */
    struct pair_gain best = choose(gain);
    size_t up = keep_pair(gain, &best, oracle);
    gain->has_previous = 1;
    return pair_smo_step(smo, best.pair, gain->rows[up], gain->rows[!up]) > 0 ? STATUS_OK : STATUS_STALLED;
}

/* `start: first-pair`. */
static const struct kernel_cost from_first_pair[] = {{.is_stated = 1, .n = 3}, {0}};

extern const struct solver solver_maximum_gain_smo;

const struct solver solver_maximum_gain_smo = {
    .name = "maximum-gain-smo",
    .title = "SMO with the hybrid maximum-gain working set",
    .reference = "Glasmachers and Igel 2006, HMG",
    PAIR_SMO_LINEAR,
    .parameters = PARAMETERS(&parameter_c, &parameter_start),
    .setup_cost = {.is_stated = 1, .n = 1},
    .further_setup_costs = from_first_pair,
    .iteration_cost = {.is_stated = 1, .at_most = 1, .n = 2},
    .is_monotone = 1,
    .ignores_tolerance = 1,
    .state_size = state_size,
    .init = init,
    .update = update,
};
