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
    if (d < atlas->n_datasets && family)
        *pool_push(atlas->pool, sets) =
            (struct drawn_set){d, (int)family->shape, {(double)dataset->n_train, (double)family->features,
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
        const char *path = pool_printf(atlas->scratch, "%s/config.json", folder->path);
        const struct config *config = config_parse(atlas->scratch, path, folder->config_text);
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
    const double value = set->values[sweep->member];
    size_t at = sweep->n;
    while (at > 0 && sweep->levels[at - 1].value > value)
        at--;
    if (at > 0 && sweep->levels[at - 1].value == value)
        return;
    memmove(sweep->levels + at + 1, sweep->levels + at, (sweep->n++ - at) * sizeof *sweep->levels);
    sweep->levels[at] = (struct sweep_level){value, set->dataset};
}

/* The sweep of a member that contains the set; returns 0 if it has fewer than three values or an earlier set. */
static int take_sweep(struct pool *pool, const struct drawn_sets *sets, size_t first, size_t member,
                      struct size_sweep *sweep)
{
    *sweep = (struct size_sweep){member, pool_array(pool, sets->count, sizeof *sweep->levels), 0};
    int is_first = 1;
    for (size_t i = 0; i < sets->count; i++)
        if (agree_but_for(&sets->item[first], &sets->item[i], member)) {
            is_first = is_first && i >= first;
            insert(sweep, &sets->item[i]);
        }
    return is_first && sweep->n >= 3;
}

void size_sweeps_take(struct atlas_output *out)
{
    struct drawn_sets sets = {0};
    struct size_sweep sweep;
    take_sets(out->atlas, &sets);
    for (size_t member = 0; member < GROWTH_MEMBERS; member++)
        for (size_t first = 0; first < sets.count; first++)
            if (take_sweep(out->atlas->pool, &sets, first, member, &sweep))
                *pool_push(out->atlas->pool, &out->sweeps) = sweep;
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

/* The cells of a curve's place. */
static void put_place(struct atlas_table *table, const struct growth_curve *curve)
{
    const struct atlas_family *family = curve->family;
    result_row(&table->data, "%s\t%s\t%s\t%s\t%s\t%g\t%g\t%s", family->key, atlas_cost_texts[curve->cost].key,
               atlas_target_name(table->data.pool, family, curve->target), members[curve->sweep->member][0],
               table->out->atlas->datasets[curve->sweep->levels[0].dataset].name, family->c_values[curve->c_level],
               family->factors[curve->factor_level], family->series[curve->series].label);
}

/* Gives readers the last row if it is in n_train, at the looser target, and of a cost that fits on a page. */
static void show(struct atlas_table *table, const struct growth_curve *curve)
{
    size_t shown[2];
    atlas_shown_targets(curve->family, shown);
    if (curve->sweep->member == 0 && curve->target == shown[0] && curve->cost != ATLAS_ALL_OPERATIONS &&
        curve->cost != ATLAS_EVALUATIONS)
        atlas_table_show(table);
}

static void put_exponent(struct atlas_table *table, const struct growth_curve *curve)
{
    static const char *const bounds[] = {"", "at least", "at most", "?"}; /* enum power_law_bound */
    if (curve->law.n == 0)
        return;
    put_place(table, curve);
    atlas_table_interval(table, 1, 3, &curve->law.exponent);
    result_row(&table->data, "%s\t%g\t%g\t%zu of %zu\t%zu\t%zu", bounds[curve->law.bound], curve->law.factor,
               curve->law.deviation, curve->censored, curve->law.n, curve->law.n, curve->censored);
    show(table, curve);
}

static void put_points(struct atlas_table *table, const struct growth_curve *curve)
{
    for (size_t i = 0; i < curve->sweep->n; i++) {
        const struct growth_point *point = &curve->points[i];
        if (point->n == 0)
            continue;
        put_place(table, curve);
        result_row(&table->data, "%g\t%zu\t%zu", curve->sweep->levels[i].value, point->n, point->reached);
        atlas_table_interval(table, 1, 3, &point->cost);
        show(table, curve);
    }
}

/* Calls `put` for each curve of the family and cost: by sweep, cell, solver and target. */
static void put_curves(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost,
                       void (*put)(struct atlas_table *table, const struct growth_curve *curve))
{
    struct pool *pool = table->out->atlas->scratch;
    const size_t each = family->n_series * family->n_targets, in_sweep = each * family->n_c * family->n_factors;
    for (size_t k = 0; k < table->out->sweeps.count * in_sweep; k++, pool_reset(pool)) {
        struct growth_curve curve = {.family = family,
                                     .sweep = &table->out->sweeps.item[k / in_sweep],
                                     .c_level = k % in_sweep / each / family->n_factors,
                                     .factor_level = k / each % family->n_factors,
                                     .series = k % each / family->n_targets,
                                     .target = k % family->n_targets,
                                     .cost = cost};
        if (take_curve(pool, &curve))
            put(table, &curve);
    }
}

void growth_put_exponents(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    put_curves(table, family, cost, put_exponent);
}

void growth_put_points(struct atlas_table *table, const struct atlas_family *family, enum atlas_cost cost)
{
    put_curves(table, family, cost, put_points);
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
    struct growth_curve curve = {.family = family, .sweep = sweep, .c_level = family->n_c / 2};
    const char *name = members[sweep->member][1], *labels[MAX_LINES], *x_axes[MAX_COLUMNS], *y_axes[ROWS];
    struct plot_figure figure;
    size_t shown[2], n_rows = 0;
    atlas_shown_targets(family, shown);
    curve.target = shown[0];
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
        plot_figure_free(&figure);
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
