/* The tables of an atlas, and functions they share. The CSV files hold every cost, target and data set; the others as
 * much as fits on a page. */
#include <math.h>
#include <stdlib.h>

#include "harness/atlas/atlas_forms.h"
#include "harness/atlas/atlas_output.h"
#include "harness/base/memory.h"

static enum status write_forms(struct text_table *table, const char *folder, const char *name,
                               const enum text_table_form *forms, size_t n, struct error *error)
{
    static const char *const endings[] = {
        [TEXT_TABLE_MARKDOWN] = "md", [TEXT_TABLE_LATEX] = "tex", [TEXT_TABLE_CSV] = "csv"};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < n && status == STATUS_OK; i++) {
        char *path = xasprintf("%s/%s.%s", folder, name, endings[forms[i]]);
        status = text_table_write(table, forms[i], path, error);
        free(path);
    }
    text_table_free(table);
    return status;
}

enum status atlas_write_page(struct text_table *table, const char *folder, const char *name, struct error *error)
{
    static const enum text_table_form forms[] = {TEXT_TABLE_MARKDOWN, TEXT_TABLE_LATEX};
    return write_forms(table, folder, name, forms, 2, error);
}

enum status atlas_write_csv(struct text_table *table, const char *folder, const char *name, struct error *error)
{
    static const enum text_table_form form = TEXT_TABLE_CSV;
    return write_forms(table, folder, name, &form, 1, error);
}

void atlas_put_head(struct text_table *table, const char *const *heads, size_t n)
{
    table->columns = n;
    text_table_cells(table, heads, n);
}

void atlas_put_interval(struct text_table *table, double scale, int decimals, const struct interval *interval)
{
    if (!isfinite(interval->estimate))
        text_table_cell(table, "-");
    else if (isfinite(interval->low) && isfinite(interval->high))
        text_table_cell(table, "%.*f [%.*f, %.*f]", decimals, scale * interval->estimate, decimals,
                        scale * interval->low, decimals, scale * interval->high);
    else
        text_table_cell(table, "%.*f", decimals, scale * interval->estimate);
}

void atlas_put_ends(struct text_table *table, const struct interval *interval)
{
    text_table_number(table, 6, interval->estimate);
    text_table_number(table, 6, interval->low);
    text_table_number(table, 6, interval->high);
}

/* "-": too few are ever reached. */
static void put_budget(struct text_table *table, double budget)
{
    if (isfinite(budget))
        text_table_number(table, 3, budget);
    else
        text_table_cell(table, "-");
}

/* ---- shares within budgets ---- */

struct by_area {
    double area;
    size_t series;
};

static int larger_first(const void *left, const void *right)
{
    const struct by_area *a = left, *b = right;
    return a->area != b->area ? (a->area < b->area) - (a->area > b->area)
                              : (a->series > b->series) - (a->series < b->series);
}

/* Orders the series that count the cost by area, largest first; returns their number. */
static size_t order_series(const struct budget_shares *shares, struct by_area *order)
{
    const struct atlas_family *family = shares->family;
    size_t n = 0;
    for (size_t s = 0; s < family->n_series; s++)
        if (family->counts[shares->cost][s])
            order[n++] = (struct by_area){share_curve_area(&shares->curves[s]), s};
    qsort(order, n, sizeof *order, larger_first);
    return n;
}

static enum status write_shares_page(const struct atlas *atlas, const struct budget_shares *shares, const char *folder,
                                     struct error *error)
{
    static const char *const heads[] = {"solver", "reached, %", "budget for 25 %", "for 50 %", "for 75 %", "area"};
    const struct atlas_family *family = shares->family;
    struct text_table table = {0};
    struct by_area *order = xcalloc(family->n_series, sizeof *order);
    const size_t n = order_series(shares, order);
    char *name = xasprintf("atlas-ecdf-%s-%s", family->key, atlas_cost_texts[shares->cost].key);
    text_table_title(&table, "Targets reached within a budget: %s, %s", family->title,
                     atlas_cost_texts[shares->cost].title);
    atlas_put_head(&table, heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; i < n; i++) {
        const struct share_curve *curve = &shares->curves[order[i].series];
        text_table_cell(&table, "%s", family->series[order[i].series].label);
        atlas_put_interval(&table, 100, 1, &curve->at[SHARE_PLACES - 1]);
        for (size_t q = 0; q < 3; q++)
            put_budget(&table, curve->quartiles[q]);
        text_table_cell(&table, "%.3f", order[i].area);
    }
    text_table_footnote(&table,
                        "%zu pairs of problem and target (%s, %g to %g). A run that was stopped before it reached its "
                        "target counts as not reached. Budgets are in %s; -: this share is never reached. Interval: 95 "
                        "%%, bootstrap over data sets. Area: area below the curve of the share, with a logarithmic "
                        "axis of budgets.",
                        shares->n_pairs, atlas->rule, family->targets[0], family->targets[family->n_targets - 1],
                        atlas->sizes_known ? atlas_cost_texts[shares->cost].budget
                                           : atlas_cost_texts[shares->cost].title);
    const enum status status = atlas_write_page(&table, folder, name, error);
    free(order);
    free(name);
    return status;
}

static enum status write_shares_csv(const struct atlas_results *results, const char *folder, struct error *error)
{
    static const char *const heads[] = {"family",    "cost",      "target",    "solver",    "pairs", "reached",
                                        "low",       "high",      "budget_25", "budget_50", "budget_75", "area"};
    struct text_table table = {0};
    atlas_put_head(&table, heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; i < results->n_shares; i++) {
        const struct budget_shares *shares = &results->shares[i];
        const struct atlas_family *family = shares->family;
        for (size_t s = 0; s < family->n_series; s++) {
            const struct share_curve *curve = &shares->curves[s];
            if (!family->counts[shares->cost][s])
                continue;
            text_table_cell(&table, "%s", family->key);
            text_table_cell(&table, "%s", atlas_cost_texts[shares->cost].key);
            if (shares->target == ALL_TARGETS)
                text_table_cell(&table, "all");
            else
                text_table_cell(&table, "%g", family->targets[shares->target]);
            text_table_cell(&table, "%s", family->series[s].label);
            text_table_cell(&table, "%zu", shares->n_pairs);
            text_table_number(&table, 6, curve->at[SHARE_PLACES - 1].estimate);
            text_table_number(&table, 6, curve->at[SHARE_PLACES - 1].low);
            text_table_number(&table, 6, curve->at[SHARE_PLACES - 1].high);
            for (size_t q = 0; q < 3; q++)
                text_table_number(&table, 6, curve->quartiles[q]);
            text_table_number(&table, 6, share_curve_area(curve));
        }
    }
    return atlas_write_csv(&table, folder, "atlas-ecdf", error);
}

/* ---- maps ---- */

static void put_cell_text(struct text_table *table, const struct regime_map *map, const struct regime_cell *cell)
{
    if (cell->n == 0)
        text_table_cell(table, " ");
    else if (!cell->reached)
        text_table_cell(table, "not reached");
    else if (cell->candidates == 1)
        text_table_cell(table, "%s", map->family->series[cell->best].label);
    else
        text_table_cell(table, "(%s, %zu)", map->family->series[cell->best].label, cell->candidates);
    if (cell->reached && cell->candidates == 1)
        text_table_bold(table);
}

static enum status write_map_page(const struct atlas *atlas, const struct regime_map *map, const char *folder,
                                  struct error *error)
{
    const struct atlas_family *family = map->family;
    struct text_table table = {.columns = family->n_factors + 1};
    size_t cells, decided;
    char *name = xasprintf("atlas-map-%s-%s-%g", family->key, atlas_cost_texts[map->cost].key,
                           family->targets[map->target]);
    regime_map_count(map, &cells, &decided);
    text_table_title(&table, "Best solver: %s, %s to %s %g", family->title, atlas_cost_texts[map->cost].title,
                     atlas->rule, family->targets[map->target]);
    text_table_cell(&table, "C");
    for (size_t j = 0; j < family->n_factors; j++)
        text_table_cell(&table, "width × %g", family->factors[j]);
    for (size_t i = family->n_c; i-- > 0;) {
        text_table_cell(&table, "%g", family->c_values[i]);
        for (size_t j = 0; j < family->n_factors; j++)
            put_cell_text(&table, map, &map->cells[i * family->n_factors + j]);
    }
    text_table_footnote(&table,
                        "Decided in %zu of %zu cells: the solver in bold has the lowest geometric mean cost over data "
                        "sets, and signed-rank tests over data sets find it better than every other solver (5 %%, "
                        "corrected for choosing the best of all). In parentheses, where that is undecided: the solver "
                        "with the lowest mean, and how many solvers may be the best. A run that did not reach the "
                        "target counts as %g times the largest cost of any solver there.",
                        decided, cells, ATLAS_PENALTY);
    const enum status status = atlas_write_page(&table, folder, name, error);
    free(name);
    return status;
}

static void put_map_row(struct text_table *table, const struct atlas *atlas, const struct regime_map *map, size_t at)
{
    const struct atlas_family *family = map->family;
    const struct regime_cell *cell = &map->cells[at];
    text_table_cell(table, "%s", family->key);
    text_table_cell(table, "%s", atlas_cost_texts[map->cost].key);
    text_table_cell(table, "%g", family->targets[map->target]);
    text_table_cell(table, "%s", map->dataset == ALL_DATASETS ? "all" : atlas->datasets[map->dataset].name);
    text_table_cell(table, "%g", family->c_values[at / family->n_factors]);
    text_table_cell(table, "%g", family->factors[at % family->n_factors]);
    text_table_cell(table, "%zu", cell->n);
    text_table_cell(table, "%s", cell->reached ? family->series[cell->best].label : "");
    text_table_cell(table, "%zu", cell->candidates);
    text_table_cell(table, "%s", cell->reached ? family->series[cell->second].label : "");
    text_table_number(table, 6, cell->reached ? cell->best_cost : (double)NAN);
    text_table_number(table, 6, cell->best_reached);
    text_table_number(table, 6, cell->reached ? cell->ratio.estimate : (double)NAN);
    text_table_number(table, 6, cell->reached ? cell->ratio.low : (double)NAN);
    text_table_number(table, 6, cell->reached ? cell->ratio.high : (double)NAN);
    text_table_number(table, 6, cell->reached ? cell->p : (double)NAN);
}

static enum status write_maps_csv(const struct atlas *atlas, const struct atlas_results *results, const char *folder,
                                  struct error *error)
{
    static const char *const heads[] = {"family",     "cost",   "target",    "dataset",      "C",     "width_factor",
                                        "n",          "best",   "candidates", "second",      "cost_of_best",
                                        "reached",    "ratio",  "low",       "high",         "p"};
    struct text_table table = {0};
    atlas_put_head(&table, heads, sizeof heads / sizeof *heads);
    for (size_t i = 0; i < results->n_maps; i++)
        for (size_t at = 0; at < results->maps[i].family->n_c * results->maps[i].family->n_factors; at++)
            if (results->maps[i].cells[at].n > 0)
                put_map_row(&table, atlas, &results->maps[i], at);
    return atlas_write_csv(&table, folder, "atlas-maps", error);
}

static int is_shown_map(const struct regime_map *map)
{
    size_t shown[2];
    const size_t n = atlas_shown_targets(map->family, shown);
    return map->dataset == ALL_DATASETS && (map->target == shown[0] || map->target == shown[n - 1]);
}

enum status atlas_tables_write(const struct atlas *atlas, const struct atlas_results *results, const char *folder,
                               struct error *error)
{
    enum status status = write_shares_csv(results, folder, error);
    if (status == STATUS_OK)
        status = write_maps_csv(atlas, results, folder, error);
    for (size_t i = 0; i < results->n_shares && status == STATUS_OK; i++)
        if (results->shares[i].target == ALL_TARGETS)
            status = write_shares_page(atlas, &results->shares[i], folder, error);
    for (size_t i = 0; i < results->n_maps && status == STATUS_OK; i++)
        if (is_shown_map(&results->maps[i]))
            status = write_map_page(atlas, &results->maps[i], folder, error);
    return status == STATUS_OK ? atlas_findings_tables_write(atlas, results, folder, error) : status;
}
