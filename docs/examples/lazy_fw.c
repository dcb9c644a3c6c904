/*
 * lazy-fw: Frank-Wolfe with away steps for the nearest points of two convex hulls.
 *
 * It minimises 1/2 |W|^2, W = W+ - W-, where W+ and W- are points of the convex hulls of the two classes. For class s,
 * let v_j = s W . X_j and o = s W . W_s. W_s can move in two directions:
 *
 *     towards  d = X_L - W_s, L = argmin v_j                  gap o - v_L, largest step 1
 *     away     d = W_s - X_U, U = argmax v_j, alpha_j > 0     gap v_U - o, largest step alpha_U / (1 - alpha_U)
 *
 * (Wolfe 1970; Guelat and Marcotte 1986; Lacoste-Julien and Jaggi 2015, Algorithm 1). It differs from these papers: an
 * iteration takes the direction with the largest gap over both classes and moves that class alone,
 * W_s' = W_s + lambda d with lambda = min(gap / |d|^2, largest step), the minimum along d. The longest away step
 * removes X_U. With V the mean of the other patterns, o - v_V = alpha_U (v_U - v_V) and v_U - o = (1 - alpha_U)
 * (v_U - v_V). So where alpha_U > 1/2, a direction towards a pattern has the larger gap. Away directions from such
 * patterns are skipped: only rounding would choose them, and their steps would multiply errors by up to
 * 1 / (1 - alpha_U).
 *
 * Parameter lazy = k, after Braun, Pokutta and Zink 2017: after a search of all patterns, at most k successive
 * iterations choose L among the active patterns (alpha_j > 0), as long as that direction has at least half the gap that
 * the search found. The products W+ . X_j and W- . X_j are kept for all patterns, so a search costs comparisons but no
 * kernel operations, lazy or not. An iteration requests the row of L or U: N kernel operations. So lazy can save time,
 * but it saves kernel operations only if it saves iterations.
 *
 * Compile:  cc -std=c11 -O2 -ffp-contract=off -fPIC -shared -o lazy_fw.so lazy_fw.c $(pkg-config --cflags hullbench)
 */
#include <math.h>

#include <hullbench/solver.h>

static const struct parameter lazy = {
    .name = "lazy",
    .meaning = "iterations in a row that search active patterns only",
    .type = PARAMETER_INTEGER,
    .min = 0,
    .max = 1000,
    .fallback = 0,
};

struct direction {
    int class, is_away;
    size_t vertex; /* L or U */
    double gap;
};

struct lazy_fw {
    struct hull hull;                /* first, so that hull_alpha and hull_gap_of_state accept the state */
    size_t *active[2], n_active[2];  /* patterns of each class with alpha > 0; capacity n */
    size_t *scratch;                 /* n elements */
    int max_lazy, n_lazy;            /* maximum of successive lazy iterations; number since the last full search */
    double found;                    /* gap that the last full search found */
    struct hull_norms norms;
    struct direction next;
};

static void layout(struct lazy_fw *self, struct arena *arena, size_t n)
{
    self->active[0] = arena_take(arena, n * sizeof(size_t));
    self->active[1] = arena_take(arena, n * sizeof(size_t));
    self->scratch = arena_take(arena, n * sizeof(size_t));
}

static size_t state_size(const struct problem *problem)
{
    struct lazy_fw self;
    struct arena arena = {.used = hull_state_size(sizeof self, 0, problem->n)};
    layout(&self, &arena, problem->n);
    return arena.used;
}

static enum status init(void *state, const struct problem *problem, struct oracle *oracle)
{
    struct lazy_fw *self = state;
    struct arena arena = {.block = state};
    arena_take(&arena, sizeof *self);
    enum status status = hull_start_at_first_pair(&self->hull, &arena, problem, oracle); /* requests two rows */
    if (status != STATUS_OK)
        return status;
    layout(self, &arena, problem->n);
    for (int c = 0; c < 2; c++) {
        self->active[c][0] = self->hull.members[c][0];
        self->n_active[c] = 1;
    }
    self->max_lazy = (int)parameter_get(&problem->parameters, &lazy);
    self->n_lazy = self->max_lazy; /* start with a full search */
    return STATUS_OK;
}

static void prefer(struct direction *best, double gap, int class, int is_away, size_t vertex)
{
    if (gap > best->gap)
        *best = (struct direction){class, is_away, vertex, gap};
}

/* The best direction of the class, among those away from or towards an active pattern. */
static void search_active(const struct lazy_fw *self, int class, struct direction *best)
{
    int c = class_index(class);
    double own = hull_own_value(&self->norms, class);
    for (size_t k = 0; k < self->n_active[c]; k++) {
        size_t j = self->active[c][k];
        double gap = own - class * hull_projection(&self->hull, j);
        prefer(best, gap, class, 0, j);
        if (self->hull.weights[c][j] <= 0.5)
            prefer(best, -gap, class, 1, j);
    }
}

/* The best direction towards any pattern of the class. Returns its gap. */
static double search_all(const struct lazy_fw *self, int class, struct direction *best)
{
    double value;
    hull_extreme_point(&self->hull, class, self->scratch, &value);
    double gap = hull_own_value(&self->norms, class) - value;
    prefer(best, gap, class, 0, self->scratch[0]);
    return gap;
}

static enum status select(void *state, struct progress *progress)
{
    struct lazy_fw *self = state;
    self->norms = hull_norms(&self->hull);
    hull_fill_progress(&self->norms, progress);
    self->next = (struct direction){0};
    search_active(self, 1, &self->next);
    search_active(self, -1, &self->next);
    if (self->n_lazy < self->max_lazy && self->next.gap >= 0.5 * self->found)
        self->n_lazy++;
    else {
        for (int class = 1; class >= -1; class -= 2)
            progress->class_gap[class_index(class)] = search_all(self, class, &self->next);
        self->found = self->next.gap;
        self->n_lazy = 0;
    }
    return STATUS_OK; /* updated_class stays 0: the chosen direction gives no information on the other class */
}

static void forget(struct lazy_fw *self, int c, size_t j)
{
    size_t k = 0;
    while (self->active[c][k] != j)
        k++;
    self->active[c][k] = self->active[c][--self->n_active[c]];
}

static void remember(struct lazy_fw *self, int c, size_t j)
{
    size_t k = 0;
    while (k < self->n_active[c] && self->active[c][k] != j)
        k++;
    if (k == self->n_active[c])
        self->active[c][self->n_active[c]++] = j;
}

static enum status update(void *state, struct oracle *oracle)
{
    struct lazy_fw *self = state;
    const struct direction *next = &self->next;
    int c = class_index(next->class);
    double *weights = self->hull.weights[c];
    size_t j = next->vertex;
    if (!(next->gap > 0))
        return STATUS_STALLED;
    const double *row = oracle_row(oracle, j);
    double own_norm2 = c ? self->norms.b : self->norms.a;
    double length2 = own_norm2 - 2 * self->hull.products[c][j] + row[j]; /* |X_j - W_s|^2 */
    double max_step = next->is_away ? weights[j] / (1 - weights[j]) : 1;
    double step = hull_step(next->gap, length2, max_step);
    if (!(step > 0))
        return STATUS_STALLED;
    const struct hull_point vertex = {.indices = &j, .count = 1, .weight = 1};
    if (!next->is_away && step == 1)
        self->n_active[c] = 0; /* W_s' = X_L */
    hull_blend(&self->hull, c, &vertex, row, next->is_away ? -step : step);
    if (!next->is_away)
        remember(self, c, j);
    else if (step == max_step || !(weights[j] > 0)) {
        weights[j] = 0;
        forget(self, c, j);
    }
    return STATUS_OK;
}

static const struct solver solver_lazy_fw = {
    .name = "lazy-fw",
    .title = "Frank-Wolfe with away steps, nearest points of convex hulls",
    .reference = "Guelat and Marcotte 1986; Lacoste-Julien and Jaggi 2015, Algorithm 1; Braun, Pokutta and Zink 2017",
    .formulation = FORMULATION_NEAREST_POINTS,
    .parameters = PARAMETERS(&lazy),
    .stops = HULL_STOPS & ~(1u << STOP_DELTA | 1u << STOP_DELTA_NORM2 | 1u << STOP_DELTA_2NORM2),
    .setup_cost = {.is_stated = 1, .n = 2},
    .iteration_cost = {.is_stated = 1, .n = 1},
    .is_monotone = 1,
    .state_size = state_size,
    .init = init,
    .select = select,
    .update = update,
    .gap = hull_gap_of_state,
    .alpha = hull_alpha,
};

HULLBENCH_PLUGIN(&solver_lazy_fw);
