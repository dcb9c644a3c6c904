/*
 * Fully corrective Frank-Wolfe for nearest points of (mu-reduced) hulls: find the Frank-Wolfe vertex F of each class
 * (frank_wolfe.h), then minimise |W| over all points of the hulls that consist of the patterns in use, S: those of both
 * F and those with positive weight.
 *
 * Holloway (1974); Lacoste-Julien and Jaggi (2015), Algorithms 3 and 4, with both classes as one product of polytopes.
 * On full hulls S is their active set of vertices plus the new ones. On reduced hulls they would minimise over the
 * convex hull of the active vertices. The points that consist of S include it and need no list of vertices.
 *
 * The minimisation (Algorithm 4) takes pairwise steps from U to L of the class with the larger Delta = v_U - v_L among
 * S, clipped as in clip-mdm, until Delta is at most `accuracy` times its initial value, or after 100 steps per pattern
 * of S. If no bound is met, mdm's steps are those of pairwise-fw. L, the pattern with the smallest v among those below
 * mu, is in F unless the class is optimal. So the first of these steps is that of clip-mdm among all patterns; an
 * iteration lowers |W| by at least as much, and it converges as clip-mdm does. (Algorithm 4 requires as much as a step
 * toward F.)
 *
 * It starts at the first 1/mu patterns of each class, so that S is small. A step of the minimisation requests two rows
 * at the patterns of S: 2 |S| kernel operations. After the last one, the products with all patterns are updated from
 * the rows of the patterns whose weight has changed, N each. Repeated requests are counted again.
 */
#include <float.h>
#include <math.h>

#include "solvers/hull/hull.h"

static const struct parameter parameter_accuracy = {
    .name = "accuracy",
    .meaning = "a correction lowers the largest Delta among the patterns in use to this fraction of its value",
    .type = PARAMETER_REAL,
    .min = 1e-6,
    .max = 1,
    .scale = PARAMETER_LOG,
    .fallback = 0.1,
};

struct corrective_fw {
    struct hull hull;
    double accuracy;
    size_t *vertex[2];     /* n each: the patterns of F */
    size_t vertex_count;
    size_t *used, n_used;  /* n: S, ascending */
    unsigned char *is_used; /* n */
    /* For the patterns of S: weight, and products with the point of each class; n_padded */
    double *weight, *products[2];
    double *scratch[2], *change; /* n_padded */
    double delta[2];
};

/* A pair of S: positions in `used`. */
struct used_pair {
    size_t low, high;
    double delta;
};

static void layout(struct corrective_fw *fw, struct arena *arena, size_t n)
{
    for (int c = 0; c < 2; c++) {
        fw->vertex[c] = arena_take(arena, n * sizeof(size_t));
        fw->products[c] = arena_doubles(arena, n);
        fw->scratch[c] = arena_doubles(arena, n);
    }
    fw->used = arena_take(arena, n * sizeof(size_t));
    fw->is_used = arena_take(arena, n);
    fw->weight = arena_doubles(arena, n);
    fw->change = arena_doubles(arena, n);
}

static size_t state_size(const struct problem *problem)
{
    struct corrective_fw fw;
    struct arena arena = {.used = hull_state_size(sizeof fw, 0, problem->n)};
    layout(&fw, &arena, problem->n);
    return arena.used;
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct corrective_fw *fw = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *fw);
    enum status status = hull_start_at_few(&fw->hull, &arena, problem, hull_mu(problem), oracle);
    layout(fw, &arena, problem->n);
    fw->accuracy = parameter_get(&problem->parameters, &parameter_accuracy);
    fw->vertex_count = fw->hull.n_full_weights + (fw->hull.rest_weight > 0);
    return status;
}

static enum status select(void *state, struct progress *progress)
{
    struct corrective_fw *fw = state;
    struct hull *hull = &fw->hull;
    struct hull_norms norms = hull_norms(hull);
    hull_fill_progress(&norms, progress);
    hull_find_pairs(hull);
    for (int c = 0; c < 2; c++) {
        double value;
        hull_extreme_point(hull, c ? -1 : 1, fw->vertex[c], &value);
        progress->class_gap[c] = hull_own_value(&norms, c ? -1 : 1) - value;
        fw->delta[c] = hull->pair[c].delta;
    }
    progress->delta = fmax(fw->delta[0], fw->delta[1]);
    return STATUS_OK; /* both classes move */
}

/* Collects S and the known data of its patterns. */
static void gather(struct corrective_fw *fw)
{
    const struct hull *hull = &fw->hull;
    fw->n_used = 0;
    for (size_t j = 0; j < hull->n; j++)
        fw->is_used[j] = hull->weights[class_index(hull->y[j])][j] > 0;
    for (int c = 0; c < 2; c++)
        for (size_t k = 0; k < fw->vertex_count; k++)
            fw->is_used[fw->vertex[c][k]] = 1;
    for (size_t j = 0; j < hull->n; j++) {
        if (!fw->is_used[j])
            continue;
        fw->weight[fw->n_used] = hull->weights[class_index(hull->y[j])][j];
        for (int c = 0; c < 2; c++)
            fw->products[c][fw->n_used] = hull->products[c][j];
        fw->used[fw->n_used++] = j;
    }
}

/* L and U of both classes among S, like hull_pair among all patterns. */
static void find_pairs(const struct corrective_fw *fw, struct used_pair *pair)
{
    double smallest[2] = {INFINITY, INFINITY}, largest[2] = {-INFINITY, -INFINITY};
    for (size_t k = 0; k < fw->n_used; k++) {
        int class = fw->hull.y[fw->used[k]], c = class_index(class);
        double v = class * (fw->products[0][k] - fw->products[1][k]);
        if (fw->weight[k] < fw->hull.mu && v < smallest[c]) {
            smallest[c] = v;
            pair[c].low = k;
        }
        if (fw->weight[k] > 0 && v > largest[c]) {
            largest[c] = v;
            pair[c].high = k;
        }
    }
    for (int c = 0; c < 2; c++)
        pair[c].delta = smallest[c] < INFINITY && largest[c] > -INFINITY ? largest[c] - smallest[c] : 0;
}

/* Whether Delta is only the rounding of the four products that it is made of. Many steps along such pairs would add up
 * the rounding errors of the weights. */
static int is_rounding(const struct corrective_fw *fw, const struct used_pair *pair)
{
    double sum = 0;
    for (int c = 0; c < 2; c++)
        sum += fabs(fw->products[c][pair->low]) + fabs(fw->products[c][pair->high]);
    return pair->delta <= DBL_EPSILON * sum;
}

/* eq. (14) of clip-mdm within S. Returns the step. */
static double step_pair(struct corrective_fw *fw, int c, const struct used_pair *pair, struct oracle *oracle)
{
    const struct hull *hull = &fw->hull;
    size_t low = pair->low, high = pair->high;
    const double *row_low = oracle_active_row(oracle, fw->used[low], fw->scratch[0]);
    const double *row_high = oracle_active_row(oracle, fw->used[high], fw->scratch[1]);
    double length2 = (row_low[low] - row_low[high]) + (row_high[high] - row_high[low]);
    double room = hull->mu - fw->weight[low], step = hull_step(pair->delta, length2, fmin(room, fw->weight[high]));
    hull->simd->add_difference(simd_padded(fw->n_used), step, row_low, row_high, fw->products[c]);
    fw->weight[low] = step >= room ? hull->mu : fw->weight[low] + step;
    fw->weight[high] -= step;
    return step;
}

/* Writes the weights of S, and its products with all patterns, to the hull. */
static void put_back(struct corrective_fw *fw, struct oracle *oracle)
{
    struct hull *hull = &fw->hull;
    for (int c = 0; c < 2; c++) {
        size_t *changed = fw->vertex[c], count = 0; /* F is no longer needed */
        for (size_t k = 0; k < fw->n_used; k++) {
            size_t j = fw->used[k];
            double change = fw->weight[k] - hull->weights[c][j];
            if (class_index(hull->y[j]) != c || change == 0)
                continue;
            fw->change[count] = change;
            changed[count++] = j;
            hull_set_weight(hull, j, fw->weight[k]);
        }
        oracle_add_rows(oracle, changed, fw->change, count, hull->products[c]);
    }
}

static enum status update(void *state, struct oracle *oracle)
{
    struct corrective_fw *fw = state;
    struct used_pair pair[2] = {{0, 0, 0}, {0, 0, 0}};
    const double target = fw->accuracy * fmax(fw->delta[0], fw->delta[1]);
    size_t taken = 0;
    gather(fw);
    oracle_set_active(oracle, fw->used, fw->n_used);
    for (; taken < 100 * fw->n_used; taken++) {
        find_pairs(fw, pair);
        int c = pair[0].delta > pair[1].delta ? 0 : 1;
        if (!(pair[c].delta > 0) || is_rounding(fw, &pair[c]) || (taken > 0 && pair[c].delta <= target) ||
            !(step_pair(fw, c, &pair[c], oracle) > 0))
            break;
    }
    if (taken == 0)
        return STATUS_STALLED;
    put_back(fw, oracle);
    return STATUS_OK;
}

extern const struct solver solver_corrective_fw;
const struct solver solver_corrective_fw = {
    .name = "corrective-fw",
    .title = "fully corrective Frank-Wolfe, reduced hulls",
    .reference = "Holloway 1974; Lacoste-Julien and Jaggi 2015, Algorithms 3 and 4",
    HULL_SOLVER,
    .parameters = PARAMETERS(&parameter_mu, &parameter_accuracy),
    .setup_cost = {.is_stated = 1, .rows_point = 2},
    .is_monotone = 1,
    .ignores_tolerance = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
};
