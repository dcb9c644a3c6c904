/*
 * Data sets that agree in all numbers except one form a sweep of that number. A configuration may vary several numbers
 * around one base set, which is then in several sweeps.
 *
 * The cost of a run that missed its target is at least what it had spent. The fit uses that lower bound and reports
 * which bound on the exponent results (curves.h).
 */
#include "harness/atlas/size_growth.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "harness/config/config.h"

const char *const growth_members[GROWTH_MEMBERS] = {"n_train",   "features",  "separation", "condition",
                                                    "density",   "positives", "label_noise"};

/* A generated data set of the atlas. */
struct drawn_set {
    size_t dataset;
    int shape;
    double values[GROWTH_MEMBERS];
};

struct drawn_sets {
    struct drawn_set *item;
    size_t count, capacity;
};

const char *growth_bound_text(enum power_law_bound bound)
{
    static const char *const texts[] = {[POWER_LAW_EXACT] = "",
                                        [POWER_LAW_AT_LEAST] = "at least",
                                        [POWER_LAW_AT_MOST] = "at most",
                                        [POWER_LAW_UNKNOWN] = "?"};
    return texts[bound];
}

/* ---- sweeps ---- */

static void add_set(const struct atlas *atlas, const struct dataset_spec *dataset, struct drawn_sets *sets)
{
    const struct dataset_family *family = dataset->family;
    size_t d = 0;
    while (d < atlas->n_datasets && strcmp(atlas->datasets[d].name, dataset->name) != 0)
        d++;
    for (size_t i = 0; i < sets->count; i++)
        if (sets->item[i].dataset == d)
            return;
    if (d == atlas->n_datasets || !family)
        return;
    *pool_push(atlas->pool, sets) = (struct drawn_set){d,
                                                       (int)family->shape,
                                                       {(double)dataset->n_train, (double)family->features,
                                                        family->separation, family->condition, family->density,
                                                        family->positives, family->label_noise}};
}

/* Collects the generated data sets of the folders' configurations. */
static void take_sets(const struct atlas *atlas, struct drawn_sets *sets)
{
    for (size_t i = 0; i < atlas->folders.count; i++) {
        const struct run_folder *folder = &atlas->folders.items[i];
        if (!folder->config_text || !strstr(folder->config_text, "\"generate\""))
            continue;
        const struct config *config =
            config_parse(atlas->scratch, pool_printf(atlas->scratch, "%s/config.json", folder->path),
                         folder->config_text);
        for (size_t d = 0; d < config->n_datasets; d++)
            add_set(atlas, &config->datasets[d], sets);
        pool_reset(atlas->scratch);
    }
}

static int agree_but_for(const struct drawn_set *a, const struct drawn_set *b, size_t member)
{
    for (size_t m = 0; m < GROWTH_MEMBERS; m++)
        if (m != member && a->values[m] != b->values[m])
            return 0;
    return a->shape == b->shape;
}

/* Inserts the set into the sweep in order, unless its value is already there. */
static void insert(struct size_sweep *sweep, const struct drawn_set *set)
{
    size_t at = 0;
    const double value = set->values[sweep->member];
    while (at < sweep->n && sweep->values[at] < value)
        at++;
    if (at < sweep->n && sweep->values[at] == value)
        return;
    for (size_t i = sweep->n; i > at; i--) {
        sweep->values[i] = sweep->values[i - 1];
        sweep->datasets[i] = sweep->datasets[i - 1];
    }
    sweep->values[at] = value;
    sweep->datasets[at] = set->dataset;
    sweep->n++;
}

/* The sweep of a member that contains the set; returns 0 if it has fewer than three values or an earlier set. */
static int take_sweep(struct pool *pool, const struct drawn_sets *sets, size_t first, size_t member,
                      struct size_sweep *sweep)
{
    *sweep = (struct size_sweep){member, pool_array(pool, sets->count, sizeof *sweep->datasets),
                                 pool_array(pool, sets->count, sizeof *sweep->values), 0};
    int is_first = 1;
    for (size_t i = 0; i < sets->count; i++)
        if (agree_but_for(&sets->item[first], &sets->item[i], member)) {
            is_first = is_first && i >= first;
            insert(sweep, &sets->item[i]);
        }
    return is_first && sweep->n >= 3;
}

static void take_sweeps(struct pool *pool, const struct drawn_sets *sets, struct size_growth *growth)
{
    growth->sweeps = pool_array(pool, sets->count * GROWTH_MEMBERS + 1, sizeof *growth->sweeps);
    for (size_t member = 0; member < GROWTH_MEMBERS; member++)
        for (size_t first = 0; first < sets->count; first++)
            growth->n_sweeps += (size_t)take_sweep(pool, sets, first, member, &growth->sweeps[growth->n_sweeps]);
}

/* ---- curves ---- */

/* The runs of one curve. */
struct growth_runs {
    double *x, *y;
    unsigned char *bounded;
    size_t n;
};

static void fill_point(const double *costs, size_t n, struct growth_point *point)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += log(costs[i]) / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (log(costs[i]) - mean) * (log(costs[i]) - mean);
    point->cost = (struct interval){n ? exp(mean) : (double)NAN, (double)NAN, (double)NAN, 0};
    if (n < 2)
        return;
    const double reach = gsl_cdf_tdist_Pinv(0.5 + ATLAS_LEVEL / 2, (double)(n - 1)) *
                         sqrt(squares / (double)(n - 1) / (double)n);
    point->cost.low = exp(mean - reach);
    point->cost.high = exp(mean + reach);
    point->cost.level = ATLAS_LEVEL;
}

/* Adds the runs at one value of the sweep to those of the others. */
static void take_point(const struct growth_curve *curve, size_t dataset, double value, struct growth_runs *runs,
                       struct growth_point *point)
{
    const struct atlas_family *family = curve->family;
    const size_t first = runs->n;
    for (size_t p = 0; p < family->n_problems; p++) {
        const struct atlas_problem *problem = &family->problems[p];
        const size_t at = atlas_at(family, curve->series, p, curve->target);
        if (problem->dataset != dataset || problem->c_level != curve->c_level ||
            problem->factor_level != curve->factor_level || !isfinite(family->spent[curve->cost][at]))
            continue;
        runs->x[runs->n] = value;
        runs->y[runs->n] = atlas_positive(curve->cost, family->spent[curve->cost][at]);
        runs->bounded[runs->n++] = !atlas_reached(family, at);
        point->reached += (size_t)atlas_reached(family, at);
    }
    point->n = runs->n - first;
    fill_point(runs->y + first, point->n, point);
}

static void fill_curve(const struct size_sweep *sweep, struct growth_curve *curve, struct growth_runs *runs)
{
    runs->n = 0;
    for (size_t i = 0; i < sweep->n; i++)
        take_point(curve, sweep->datasets[i], sweep->values[i], runs, &curve->points[i]);
    for (size_t i = 0; i < runs->n; i++)
        curve->censored += runs->bounded[i];
    if (sweep->values[0] > 0)
        curve->law = power_law_fit(runs->x, runs->y, runs->bounded, runs->n, ATLAS_LEVEL);
}

static void add_curve(const struct atlas *atlas, struct size_growth *growth, struct growth_curve curve,
                      struct growth_runs *runs)
{
    const struct size_sweep *sweep = &growth->sweeps[curve.sweep];
    curve.points = pool_array(atlas->pool, sweep->n, sizeof *curve.points);
    fill_curve(sweep, &curve, runs);
    if (runs->n > 0)
        *pool_push(atlas->pool, &growth->curves) = curve;
}

static void add_family(const struct atlas *atlas, const struct atlas_family *family, size_t sweep,
                       struct size_growth *growth, struct growth_runs *runs)
{
    for (size_t cell = 0; cell < family->n_c * family->n_factors; cell++)
        for (int cost = 0; cost < ATLAS_COSTS; cost++)
            for (size_t k = 0; k < family->n_series * family->n_targets; k++) {
                const struct growth_curve curve = {.family = family,
                                                   .sweep = sweep,
                                                   .c_level = cell / family->n_factors,
                                                   .factor_level = cell % family->n_factors,
                                                   .series = k / family->n_targets,
                                                   .target = k % family->n_targets,
                                                   .cost = (enum atlas_cost)cost};
                if (family->counts[cost][curve.series])
                    add_curve(atlas, growth, curve, runs);
            }
}

void size_growth_of(const struct atlas *atlas, struct size_growth *growth)
{
    struct drawn_sets sets = {0};
    *growth = (struct size_growth){0};
    take_sets(atlas, &sets);
    take_sweeps(atlas->pool, &sets, growth);
    for (size_t f = 0; f < atlas->n_families; f++) {
        const struct atlas_family *family = &atlas->families[f];
        struct growth_runs runs = {.x = pool_array(atlas->scratch, family->n_problems, sizeof *runs.x),
                                   .y = pool_array(atlas->scratch, family->n_problems, sizeof *runs.y),
                                   .bounded = pool_alloc(atlas->scratch, family->n_problems)};
        for (size_t s = 0; s < growth->n_sweeps; s++)
            add_family(atlas, family, s, growth, &runs);
    }
    pool_reset(atlas->scratch);
}

