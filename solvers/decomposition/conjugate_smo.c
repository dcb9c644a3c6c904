/*
 * Conjugate SMO, after Torres-Barran, Alaiz and Dorronsoro (2021), "Faster SVM training via conjugate SMO", Pattern
 * Recognition 111.
 *
 * A pair's direction d (y_i alpha_i grows by what y_j alpha_j shrinks) is made conjugate to the direction p of the step
 * before:
 *
 *   p' = d + gamma p,   gamma = -(d . K p) / (p . K p),   p' . K p' = d . K d - (d . K p)^2 / (p . K p),
 *
 * in terms of y alpha. After an exact minimum along p the slope along p is 0, so that p' falls as steeply as d, is bent
 * less, and lowers the dual by (F_j - F_i)^2 / (2 p' . K p'), more than d does. The pair is chosen by just that:
 *
 *   i = argmin F over I_up,
 *   j = argmax (F_j - F_i)^2 / (eta_ij - (q_i - q_j)^2 / (p . q)) over the j of I_low with F_j > F_i,
 *
 * q = K p, eta_ij = k_ii + k_jj - 2 k_ij; without a p it is the choice of second-order-smo. The step along p' is the
 * exact minimum, clipped to the box by every multiplier that p' moves; those whose room is used up land exactly on
 * their bounds. Then the slope along p' is not 0 and the next direction begins anew, p = 0. Where a multiplier has no
 * room for p' at all, the step is the pair's alone and p = d. All steps are feasible since neither d nor p changes sum
 * y alpha, and the dual can not grow: each is the minimum along its line, or short of it. After a clipped step comes
 * one of second-order SMO, so its convergence is kept. The directions are the paper's; that the pair is chosen by the
 * conjugate gain, and what is done at bounds, was settled here without its full text.
 *
 *   conjugate-smo    the linear penalty, as 1-smo
 *   conjugate-2-smo  the square penalty, as 2-smo: no upper bound, K + I/C
 *
 * q is carried along, q' = (row_i - row_j) + gamma q, so an iteration asks for two rows as that of 1-smo does: 2N
 * kernel operations, and N at set-up for the diagonal. Delta in the stopping rules stays that of the pair that violates
 * most.
 *
 * conjugate-smo can leave patterns out while they stay optimal at a bound (shrinking.h). All that is chosen, moved and
 * kept up to date are then patterns that take part, q among it. A p that moves a pattern about to leave is given up,
 * and any p is when patterns may come back, as q is out of date for those.
 */
#include <string.h>

#include "solvers/decomposition/pair_smo.h"
#include "solvers/decomposition/shrinking.h"

struct conjugate_smo {
    struct pair_smo smo; /* its pair: the worst of the patterns taking part */
    struct shrink shrink;
    struct oracle *oracle; /* for the look at the patterns left out, which select does */
    double tolerance;
    double *diagonal; /* n */
    double *q;        /* n_padded: K p, for the patterns taking part */
    double p_norm2;   /* p . K p; 0 while there is no p */
    double p_scale;   /* 1 / p_norm2; 0 while there is no p */
    size_t members;   /* patterns that p moves */
    size_t *indices;  /* n, these first */
    size_t *place;    /* n: where in indices a pattern stands, plus 1; 0: not there */
    double *p;        /* n: weight of each of indices */
};

static void layout(struct conjugate_smo *conjugate, struct arena *arena, size_t n)
{
    pair_smo_layout(&conjugate->smo, arena, sizeof *conjugate, n);
    shrink_layout(&conjugate->shrink, arena, n);
    conjugate->diagonal = arena_doubles(arena, n);
    conjugate->q = arena_doubles(arena, n);
    conjugate->p = arena_doubles(arena, n);
    conjugate->indices = arena_take(arena, n * sizeof *conjugate->indices);
    conjugate->place = arena_take(arena, n * sizeof *conjugate->place);
}

static size_t state_size(const struct problem *problem)
{
    struct arena arena = {0};
    struct conjugate_smo conjugate;
    layout(&conjugate, &arena, problem->n);
    return arena.used;
}

static void find_worst_pair(struct conjugate_smo *conjugate)
{
    struct box_pair pair = BOX_NO_PAIR;
    if (!shrink_is_shrunk(&conjugate->shrink, &conjugate->smo.box)) {
        conjugate->smo.pair = box_worst_pair(&conjugate->smo.box);
        return;
    }
    for (size_t k = 0; k < conjugate->shrink.count; k++)
        box_consider(&conjugate->smo.box, conjugate->shrink.active[k], &pair);
    conjugate->smo.pair = pair;
}

static enum status start(void *state, const struct problem *problem, int square, struct oracle *oracle)
{
    struct conjugate_smo *conjugate = state;
    struct arena arena = {.block = state};
    layout(conjugate, &arena, problem->n);
    oracle_diagonal(oracle, conjugate->diagonal);
    pair_smo_start(&conjugate->smo, problem, square, oracle);
    shrink_start(&conjugate->shrink, problem);
    conjugate->shrink.on = conjugate->shrink.on && !square;
    conjugate->oracle = oracle;
    conjugate->tolerance = problem->tolerance;
    find_worst_pair(conjugate);
    return STATUS_OK;
}

static enum status init_linear(void *state, const struct problem *problem, struct oracle *oracle)
{
    return start(state, problem, 0, oracle);
}

static enum status init_square(void *state, const struct problem *problem, struct oracle *oracle)
{
    return start(state, problem, 1, oracle);
}

/* p = 0 */
static void begin_anew(struct conjugate_smo *conjugate)
{
    for (size_t h = 0; h < conjugate->members; h++)
        conjugate->place[conjugate->indices[h]] = 0;
    conjugate->members = 0;
    conjugate->p_norm2 = conjugate->p_scale = 0;
    memset(conjugate->q, 0, conjugate->smo.box.n_padded * sizeof *conjugate->q);
}

/* Leaves patterns out, or, where the others satisfy every rule that could be met, looks at all again. */
static void shrink_or_check(struct conjugate_smo *conjugate)
{
    struct shrink *shrink = &conjugate->shrink;
    struct box *box = &conjugate->smo.box;
    const double enough = 2 * conjugate->tolerance; /* of `delta`: no rule is met before */
    if (conjugate->smo.pair.f_low - conjugate->smo.pair.f_up > enough) {
        shrink_leave(shrink, box, &conjugate->smo.pair);
        for (size_t k = 0; k < box->n - shrink->count; k++)
            if (conjugate->place[shrink->left_out[k]] != 0)
                begin_anew(conjugate);
    } else if (shrink_is_shrunk(shrink, box)) {
        begin_anew(conjugate);
        shrink_check_all(shrink, box, enough, conjugate->oracle);
        find_worst_pair(conjugate);
    }
}

static enum status select(void *state, struct progress *progress)
{
    struct conjugate_smo *conjugate = state;
    const struct box *box = &conjugate->smo.box;
    shrink_or_check(conjugate);
    int shrunk = shrink_is_shrunk(&conjugate->shrink, box);
    progress->delta = conjugate->smo.pair.f_low - conjugate->smo.pair.f_up;
    progress->violation = shrunk ? INFINITY : 0.5 * progress->delta; /* at the bias midway between the thresholds */
    progress->updated_class = 0;
    if (!progress->want_values)
        return STATUS_OK;
    box_fill_progress(box, progress);
    if (shrunk) {
        progress->norm2 = conjugate->shrink.norm2;
        progress->objective = 0.5 * progress->norm2 - box_sum_alpha(box);
    }
    return STATUS_OK;
}

/* p' . K p' for a d of that curvature with d . K p = along; d's own where p' is to be d: without a p, or where p' is
 * all but nothing, d being a multiple of p to the eye of K. As in lanes->best_partner. */
static double conjugate_curvature(const struct conjugate_smo *c, double curvature, double along)
{
    double lost = along * along * c->p_scale;
    return lost < (1 - PARTNER_LEAST_LEFT) * curvature ? curvature - lost : curvature;
}

static size_t best_of_active(const struct conjugate_smo *c, const struct partner *partner)
{
    const struct box *box = &c->smo.box;
    size_t best = partner->guess;
    double most = 0;
    for (size_t k = 0; k < c->shrink.count; k++) {
        size_t j = c->shrink.active[k];
        double delta = box->f[j] - partner->f_first, row = partner->row[j];
        if (!(delta > 0 && box_may_shrink(box, j)))
            continue;
        double curvature = (partner->diagonal_first - row) + (c->diagonal[j] - row);
        curvature = conjugate_curvature(c, curvature, partner->q_first - c->q[j]);
        double gain = delta * delta / (curvature > 0 ? curvature : PARTNER_LEAST_CURVATURE);
        if (gain > most) {
            most = gain;
            best = j;
        }
    }
    return best;
}

/* The pair of the one that violates most and the low that gains most with it; `row` is that of up. */
static struct box_pair choose_low(const struct conjugate_smo *c, const double *row)
{
    const struct box *box = &c->smo.box;
    struct box_pair best = c->smo.pair;
    struct partner partner = {.side = box->side, .f = box->f, .row = row, .diagonal = c->diagonal, .q = c->q,
                              .f_first = best.f_up, .diagonal_first = c->diagonal[best.up],
                              .q_first = c->q[best.up], .scale = c->p_scale, .guess = best.low};
    best.low = shrink_is_shrunk(&c->shrink, box) ? best_of_active(c, &partner)
                                                 : box->lanes->best_partner(box->n_padded, &partner);
    best.f_low = box->f[best.low];
    return best;
}

static void add(struct conjugate_smo *c, size_t i, double weight)
{
    if (c->place[i] == 0) {
        c->indices[c->members] = i;
        c->p[c->members] = 0;
        c->place[i] = ++c->members;
    }
    c->p[c->place[i] - 1] += weight;
}

/* -F . p */
static double descent(const struct conjugate_smo *c)
{
    double sum = 0;
    for (size_t h = 0; h < c->members; h++)
        sum -= c->p[h] * c->smo.box.f[c->indices[h]];
    return sum;
}

/* p = d + gamma p and its curvature; q is left to the caller. */
static void turn(struct conjugate_smo *c, const struct box_pair *pair, double gamma, double curvature)
{
    for (size_t h = 0; h < c->members; h++)
        c->p[h] *= gamma;
    add(c, pair->up, 1);
    add(c, pair->low, -1);
    c->p_norm2 = curvature;
    c->p_scale = curvature > 0 ? 1 / curvature : 0;
}

/* The way a step goes from here: what turned p, how steep it falls, and how far it may go. */
struct way {
    double gamma, slope, most;
};

static struct way look_along(const struct conjugate_smo *c, double gamma)
{
    return (struct way){gamma, descent(c), box_room_along(&c->smo.box, c->indices, c->p, c->members)};
}

/* Turns p to the pair's conjugate direction, or to d where that can not be gone along. */
static struct way choose_way(struct conjugate_smo *c, const struct box_pair *pair, double curvature)
{
    double along = c->q[pair->up] - c->q[pair->low], left = conjugate_curvature(c, curvature, along);
    if (left < curvature) {
        double gamma = -along * c->p_scale;
        turn(c, pair, gamma, left);
        struct way way = look_along(c, gamma);
        if (way.most > 0 && way.slope > 0)
            return way;
    }
    begin_anew(c);
    turn(c, pair, 0, curvature);
    return look_along(c, 0);
}

/* q = (row_up - row_low) + gamma q, F += step q; the pair that violates most then */
static void carry_products(struct conjugate_smo *c, const double *row_up, const double *row_low, double gamma,
                           double step)
{
    struct box *box = &c->smo.box;
    if (!shrink_is_shrunk(&c->shrink, box)) {
        struct lanes_extremes extremes;
        box->lanes->turn_extremes(box->n_padded, gamma, step, row_up, row_low, box->side, c->q, box->f, &extremes);
        c->smo.pair = box_pair_of(&extremes);
        return;
    }
    for (size_t k = 0; k < c->shrink.count; k++) {
        size_t i = c->shrink.active[k];
        c->q[i] = gamma * c->q[i] + (row_up[i] - row_low[i]);
        box->f[i] += step * c->q[i];
    }
    find_worst_pair(c);
}

/* |W + step P|^2 - |W|^2 with W . P = sum p_i (F_i + y_i), F before the step */
static double change_of_norm2(const struct conjugate_smo *c, double step)
{
    double along = 0;
    for (size_t h = 0; h < c->members; h++)
        along += c->p[h] * (c->smo.box.f[c->indices[h]] + c->smo.box.y[c->indices[h]]);
    return step * (2 * along + step * c->p_norm2);
}

static enum status update(void *state, struct oracle *oracle)
{
    struct conjugate_smo *c = state;
    struct box *box = &c->smo.box;
    if (!(c->smo.pair.f_low > c->smo.pair.f_up))
        return STATUS_STALLED; /* optimal */
    const double *row_up = shrink_row(&c->shrink, box, oracle, c->smo.pair.up);
    struct box_pair pair = choose_low(c, row_up);
    const double *row_low = shrink_row(&c->shrink, box, oracle, pair.low);
    struct way way = choose_way(c, &pair, box_curvature(&pair, row_up, row_low));
    if (!(way.most > 0 && way.slope > 0))
        return STATUS_STALLED;
    int clipped = !(c->p_norm2 > 0 && way.slope < way.most * c->p_norm2);
    double step = clipped ? way.most : way.slope / c->p_norm2;
    if (shrink_is_shrunk(&c->shrink, box))
        c->shrink.norm2 += change_of_norm2(c, step);
    box_move_along(box, c->indices, c->p, c->members, step);
    carry_products(c, row_up, row_low, way.gamma, step);
    if (clipped)
        begin_anew(c);
    const struct box_pair *worst = &c->smo.pair; /* with the bias midway between its thresholds */
    shrink_note(&c->shrink, box, -0.5 * (worst->f_up + worst->f_low), 0.5 * (worst->f_low - worst->f_up));
    return STATUS_OK;
}

/* Primal less dual as in svm_light.c, of the problem of the patterns taking part. */
static double gap_linear(const void *state, int class)
{
    const struct conjugate_smo *c = state;
    const struct box *box = &c->smo.box;
    double bias = -0.5 * (c->smo.pair.f_up + c->smo.pair.f_low), sum = 0;
    (void)class;
    for (size_t k = 0; k < c->shrink.count; k++) {
        size_t i = c->shrink.active[k];
        double u = box->y[i] * (box->f[i] + bias);
        sum += box->alpha[i] * u + box->c * fmax(0, -u);
    }
    return sum;
}

extern const struct solver solver_conjugate_smo, solver_conjugate_two_smo;

const struct solver solver_conjugate_smo = {
    .name = "conjugate-smo",
    .title = "second-order SMO along conjugate directions, linear penalty",
    .reference = "Torres-Barran, Alaiz and Dorronsoro 2021",
    .formulation = FORMULATION_C_SVM,
    .parameters = 1u << PARAMETER_C | 1u << PARAMETER_START | 1u << PARAMETER_SHRINKING | 1u << PARAMETER_SHRINK_AFTER,
    .stops = 1u << STOP_DELTA | 1u << STOP_KKT | 1u << STOP_KKT_RELAXED | 1u << STOP_ITERATIONS,
    .state_size = state_size,
    .init = init_linear,
    .select = select,
    .update = update,
    .gap = gap_linear,
    .alpha = box_alpha,
};

const struct solver solver_conjugate_two_smo = {
    .name = "conjugate-2-smo",
    .title = "second-order SMO along conjugate directions, square penalty",
    .reference = "Torres-Barran, Alaiz and Dorronsoro 2021; Lopez 2008, Algorithm 2",
    .formulation = FORMULATION_SQUARE_SVM,
    .square_penalty = 1,
    .parameters = 1u << PARAMETER_C | 1u << PARAMETER_START,
    .stops = PAIR_SMO_STOPS,
    .state_size = state_size,
    .init = init_square,
    .select = select,
    .update = update,
    .gap = pair_smo_gap_square,
    .alpha = box_alpha,
};
