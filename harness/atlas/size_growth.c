/*
 * Growth of costs with one number of generated data sets that agree in all others. Data sets that agree in all numbers
 * except one form a sweep of that number. A configuration may vary several numbers around one base set, which is then
 * in several sweeps.
 *
 * The cost of a run that missed its target is at least what it had spent. The fit uses that lower bound and reports
 * which bound on the exponent results (curves.h).
 */
#include <math.h>
#include <string.h>

#include "harness/atlas/atlas.h"
#include "harness/compare/compare.h"
#include "harness/config/config.h"
#include "harness/records/plan_order.h"
#include "harness/stats/curves.h"
#include "harness/stats/resampled_t.h"

/* The numbers of "generate", and n_train: keys, and names for readers. */
enum { GROWTH_MEMBERS = 7 };
static const char *const members[GROWTH_MEMBERS][2] = {
    {"n_train", "training patterns"},   {"features", "features"},
    {"separation", "separation"},       {"condition", "condition number"},
    {"density", "density"},             {"positives", "share of positive patterns"},
    {"label_noise", "share of flipped labels"}};

/* Three or more generated data sets that differ in only one number. */
struct size_sweep {
    size_t member; /* of `generate` */
    struct sweep_level {
        double value;
        size_t dataset;
    } *levels; /* ascending */
    size_t n;
};

/* A data set of the atlas. */
struct drawn_set {
    int is_drawn, shape; /* is_drawn: generated, and the rest is known */
    double values[GROWTH_MEMBERS];
};

/* ---- sweeps ---- */

/* The data sets of the atlas, as the folders' configurations describe them. */
static struct drawn_set *take_sets(const struct atlas *atlas)
{
    struct drawn_set *sets = pool_array(atlas->pool, atlas->n_datasets, sizeof *sets);
    for (size_t i = 0; i < atlas->folders.count; i++, pool_reset(atlas->scratch)) {
        const struct run_folder *folder = &atlas->folders.items[i];
        if (!folder->config_text || !strstr(folder->config_text, "\"generate\""))
            continue;
        const char *path = pool_printf(atlas->scratch, "%s/config.json", folder->path);
        const struct config *config = config_parse(atlas->scratch, path, folder->config_text);
        for (size_t k = 0; k < config->n_datasets * atlas->n_datasets; k++) {
            const struct dataset_spec *spec = &config->datasets[k / atlas->n_datasets];
            const struct dataset_family *family = spec->family;
            struct drawn_set *set = &sets[k % atlas->n_datasets];
            if (family && !set->is_drawn && strcmp(atlas->datasets[k % atlas->n_datasets].name, spec->name) == 0)
                *set = (struct drawn_set){
                    1, (int)family->shape,
                    {(double)spec->n_train, (double)family->features, family->separation, family->condition,
                     family->density, family->positives, family->label_noise}};
        }
    }
    return sets;
}

/* All numbers but one. */
static const char *key_without(struct pool *pool, const struct drawn_set *set, size_t member)
{
    const char *key = pool_printf(pool, "%d", set->shape);
    for (size_t m = 0; m < GROWTH_MEMBERS; m++)
        if (m != member)
            key = pool_printf(pool, "%s %.17g", key, set->values[m]);
    return key;
}

/* Inserts the value into the sweep in order, unless it is already there. */
static void insert(struct size_sweep *sweep, double value, size_t dataset)
{
    size_t at = sweep->n;
    while (at > 0 && sweep->levels[at - 1].value > value)
        at--;
    if (at > 0 && sweep->levels[at - 1].value == value)
        return;
    memmove(sweep->levels + at + 1, sweep->levels + at, (sweep->n++ - at) * sizeof *sweep->levels);
    sweep->levels[at] = (struct sweep_level){value, dataset};
}

void size_sweeps_take(struct atlas_output *out)
{
    struct pool *pool = out->atlas->pool;
    const struct drawn_set *sets = take_sets(out->atlas);
    const size_t n = out->atlas->n_datasets;
    for (size_t member = 0; member < GROWTH_MEMBERS; member++) {
        struct name_order keys = {.pool = pool};
        struct size_sweep *sweeps = pool_array(pool, n, sizeof *sweeps);
        for (size_t d = 0; d < n; d++)
            if (sets[d].is_drawn) {
                struct size_sweep *sweep = &sweeps[name_order_add(&keys, key_without(pool, &sets[d], member))];
                if (sweep->n == 0)
                    *sweep = (struct size_sweep){member, pool_array(pool, n, sizeof *sweep->levels), 0};
                insert(sweep, sets[d].values[member], d);
            }
        for (size_t i = 0; i < keys.count; i++)
            if (sweeps[i].n >= 3)
                *pool_push(pool, &out->sweeps) = sweeps[i];
    }
}

/* ---- curves ---- */

/* The cost at one value of the member, over the splits of its data set; censored runs count what they had spent. */
struct growth_point {
    size_t n, reached;
    struct interval cost; /* geometric mean, with Student's interval: splits of generated sets are independent */
};

/* For one series, cost and target in one cell of C and width factor. */
struct growth_curve {
    const struct atlas_family *family;
    const struct size_sweep *sweep;
    size_t c_level, factor_level, target, series;
    enum atlas_cost cost;
    size_t n, censored;          /* runs */
    struct power_law law;        /* of the cost in the member; n = 0 if the member has values of 0 */
    struct growth_point *points; /* one per level of the sweep */
};

/* Fills the curve, whose place is given. Returns 0 if it has no run, or if the series does not count the cost. */
static int take_curve(struct pool *pool, struct growth_curve *curve)
{
    const struct atlas_family *family = curve->family;
    const struct cube *cube = &family->costs[curve->cost];
    const struct size_sweep *sweep = curve->sweep;
    const size_t n = family->n_problems;
    double *x = pool_array(pool, 4 * n, sizeof *x), *y = x + n, *logs = y + n, *zeros = logs + n;
    unsigned char *bounded = pool_alloc(pool, n);
    curve->points = pool_array(pool, sweep->n, sizeof *curve->points);
    if (!cube_counts(cube, curve->series))
        return 0;
    for (size_t i = 0; i < sweep->n; i++) {
        struct growth_point *point = &curve->points[i];
        const size_t first = curve->n;
        for (size_t p = 0; p < n; p++) {
            const struct atlas_problem *problem = &family->problems[p];
            const size_t at = atlas_at(family, curve->series, p, curve->target);
            if (problem->dataset != sweep->levels[i].dataset || problem->c_level != curve->c_level ||
                problem->factor_level != curve->factor_level || !isfinite(cube->spent[at]))
                continue;
            x[curve->n] = sweep->levels[i].value;
            y[curve->n] = cube_positive(cube, cube->spent[at]);
            logs[curve->n] = log(y[curve->n]);
            bounded[curve->n++] = !atlas_reached(family, at);
            point->reached += (size_t)atlas_reached(family, at);
        }
        point->n = curve->n - first;
        curve->censored += point->n - point->reached;
        point->cost = interval_exp(
            resampled_t_test(logs + first, zeros, point->n, 0, TAIL_TWO_SIDED, ATLAS_LEVEL).difference);
        if (point->n < 2)
            point->cost.low = point->cost.high = (double)NAN;
    }
    if (sweep->levels[0].value > 0)
        curve->law = power_law_fit(x, y, bounded, curve->n, ATLAS_LEVEL);
    return curve->n > 0;
}

/* ---- tables ---- */

/* The row of a curve's exponent or, if `at` is a level, of its point there. Readers get those in n_train, at the looser
 * target, and of the costs that fit on a page. */
static void put_row(struct atlas_table *table, const struct growth_curve *curve, size_t at)
{
    static const char *const bounds[] = {"", "at least", "at most", "?"}; /* enum power_law_bound */
    const struct atlas_family *family = curve->family;
    const struct size_sweep *sweep = curve->sweep;
    const struct power_law *law = &curve->law;
    struct result *data = &table->data;
    if (at < sweep->n ? curve->points[at].n == 0 : law->n == 0)
        return;
    result_row(data, "%s\t%s\t%s\t%s\t%s\t%g\t%g\t%s", family->key, atlas_cost_texts[curve->cost].key,
               atlas_target_name(data->pool, family, curve->target), members[sweep->member][0],
               table->out->atlas->datasets[sweep->levels[0].dataset].name, family->c_values[curve->c_level],
               family->factors[curve->factor_level], family->series[curve->series].label);
    if (at < sweep->n) {
        const struct growth_point *point = &curve->points[at];
        result_row(data, "%g\t%zu\t%zu", sweep->levels[at].value, point->n, point->reached);
        atlas_table_interval(table, 1, 3, &point->cost);
    } else {
        atlas_table_interval(table, 1, 3, &law->exponent);
        result_row(data, "%s\t%g\t%g\t%zu of %zu\t%zu\t%zu", bounds[law->bound], law->factor, law->deviation,
                   curve->censored, law->n, law->n, curve->censored);
    }
    if (sweep->member == 0 && curve->target == family->loose && curve->cost != ATLAS_ALL_OPERATIONS &&
        curve->cost != ATLAS_EVALUATIONS)
        atlas_table_show(table, family, curve->target);
}

/* The rows of all curves of the family and cost: by sweep, cell, solver and target. */
static void put_curves(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost,
                       int of_points)
{
    struct pool *pool = table->out->atlas->scratch;
    const size_t each = family->n_series * family->n_targets, in_sweep = each * family->n_c * family->n_factors;
    for (size_t k = 0; k < table->out->sweeps.count * in_sweep; k++, pool_reset(pool)) {
        const struct size_sweep *sweep = &table->out->sweeps.item[k / in_sweep];
        struct growth_curve curve = {.family = family, .sweep = sweep, .cost = cost,
                                     .c_level = k % in_sweep / each / family->n_factors,
                                     .factor_level = k / each % family->n_factors,
                                     .series = k % each / family->n_targets, .target = k % family->n_targets};
        if (take_curve(pool, &curve))
            for (size_t at = of_points ? 0 : sweep->n; at < sweep->n + !of_points; at++)
                put_row(table, &curve, at);
    }
}

void growth_put_exponents(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    put_curves(table, family, cost, 0);
}

void growth_put_points(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    put_curves(table, family, cost, 1);
}

/* ---- figures ----
 *
 * For each sweep and family, at the looser of the shown targets, in the middle of the values of C, at the width factor
 * nearest to 1. A panel has few solvers, so that their lines and intervals can be told apart. */

enum { LINES_A_PANEL = 4, MAX_LINES = 12, MAX_COLUMNS = MAX_LINES / LINES_A_PANEL };

/* Prints the panels of a cost, a row with the lines of each group of solvers; returns 0 if there are none. */
static int draw_row(struct atlas *atlas, const struct growth_curve *place, enum atlas_cost cost, size_t n_series,
                    FILE *dat)
{
    struct growth_curve curves[MAX_LINES];
    int is_there[MAX_LINES], any = 0;
    for (size_t s = 0; s < n_series; s++) {
        curves[s] = *place;
        curves[s].series = s;
        curves[s].cost = cost;
        any |= is_there[s] = take_curve(atlas->scratch, &curves[s]);
    }
    for (size_t first = 0; any && first < n_series; first += LINES_A_PANEL)
        for (size_t s = 0; s < n_series; s++) {
            const struct growth_point *points = curves[s].points;
            const int is_shown = is_there[s] && s / LINES_A_PANEL == first / LINES_A_PANEL;
            fprintf(dat, "# %s, %s\n", place->family->series[s].label, atlas_cost_texts[cost].key);
            for (size_t i = 0; is_shown && i < place->sweep->n; i++)
                if (points[i].n > 0)
                    compare_put_mark(dat, place->sweep->levels[i].value, points[i].n, &points[i].cost,
                                     points[i].n - points[i].reached, "");
            if (!is_shown)
                plot_empty_block(dat, 8);
            fputs("\n\n", dat);
        }
    return any;
}

static void draw(struct atlas_output *out, const struct atlas_family *family, size_t number)
{
    static const enum atlas_cost costs[] = {ATLAS_ITERATIONS, ATLAS_OPERATIONS, ATLAS_SECONDS};
    enum { ROWS = sizeof costs / sizeof *costs };
    const struct atlas *atlas = out->atlas;
    const struct size_sweep *sweep = &out->sweeps.item[number];
    const size_t n = family->n_series < MAX_LINES ? family->n_series : MAX_LINES,
                 n_columns = (n + LINES_A_PANEL - 1) / LINES_A_PANEL;
    struct growth_curve curve = {.family = family, .sweep = sweep, .c_level = family->n_c / 2,
                                 .target = family->loose};
    const char *name = members[sweep->member][1], *labels[MAX_LINES], *x_axes[MAX_COLUMNS], *y_axes[ROWS];
    struct plot_figure figure;
    size_t n_rows = 0;
    for (size_t j = 0; j < family->n_factors; j++)
        if (fabs(log(family->factors[j])) < fabs(log(family->factors[curve.factor_level])))
            curve.factor_level = j;
    for (size_t s = 0; s < n; s++)
        labels[s] = family->series[s].label;
    for (size_t c = 0; c < n_columns; c++)
        x_axes[c] = name;
    plot_figure_open(&figure, "lines", "atlas-growth", family->key,
                     pool_printf(atlas->scratch, "%s-%zu", members[sweep->member][0], number + 1));
    for (size_t k = 0; k < ROWS; k++)
        if (draw_row(out->atlas, &curve, costs[k], n, figure.dat))
            y_axes[n_rows++] = atlas_cost_texts[costs[k]].title;
    if (n_rows == 0) {
        pool_free(figure.pool);
        return;
    }
    plot_figure_series(&figure, labels, n);
    plot_figure_texts(&figure, "x_axes", x_axes, n_columns);
    plot_figure_texts(&figure, "y_axes", y_axes, n_rows);
    plot_figure_number(&figure, "fewest_for_range", 4);
    if (n_columns == 1)
        plot_figure_panels(&figure, y_axes, n_rows);
    fprintf(figure.heading, "Costs against %s: %s", name, family->title);
    fprintf(figure.caption,
            "Generated data sets (from %s on) that differ in %s alone; %s %g, C = %g, width factor %g. Geometric mean "
            "over independent splits, with its 95 %% interval; those of fewer than four splits are clipped. Rings: "
            "some runs did not reach the target and count with the cost they had spent. ",
            atlas->datasets[sweep->levels[0].dataset].name, name, atlas->rule, family->targets[curve.target],
            family->c_values[curve.c_level], family->factors[curve.factor_level]);
    if (family->n_series > n)
        fprintf(figure.caption, "Shown are the first %zu solvers of %zu. ", n, family->n_series);
    atlas_put_figure(out, &figure);
}

void size_growth_draw(struct atlas_output *out)
{
    for (size_t i = 0; i < out->atlas->n_families * out->sweeps.count; i++) {
        const struct atlas_family *family = &out->atlas->families[i / out->sweeps.count];
        if (family->n_c > 0 && family->n_problems > 0)
            draw(out, family, i % out->sweeps.count);
    }
}
