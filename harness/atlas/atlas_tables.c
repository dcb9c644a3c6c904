/* The tables of an atlas, and functions they share. The CSV files hold every cost, target and data set; the others as
 * much as fits on a page. */
#include <math.h>

#include "harness/atlas/atlas_output.h"

void atlas_write_table(const struct atlas_output *out, const char *name, const struct text_table *page,
                       const struct text_table *csv)
{
    struct pool *pool = out->atlas->scratch;
    if (csv)
        text_table_write(csv, TEXT_TABLE_CSV, pool_printf(pool, "%s/%s.csv", out->folder, name));
    if (page) {
        text_table_write(page, TEXT_TABLE_MARKDOWN, pool_printf(pool, "%s/%s.md", out->folder, name));
        text_table_write(page, TEXT_TABLE_LATEX, pool_printf(pool, "%s/%s.tex", out->folder, name));
    }
    pool_reset(pool);
}

struct text_table atlas_table(const struct atlas_output *out, size_t heads, const char *headings)
{
    struct text_table table = {.pool = out->atlas->scratch};
    text_table_header(&table, heads, headings);
    return table;
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

static void write_shares_page(const struct atlas_output *out, const struct budget_shares *shares)
{
    const struct atlas *atlas = out->atlas;
    const struct atlas_family *family = shares->family;
    struct text_table table = atlas_table(out, 1, "solver\treached, %\tbudget for 25 %\tfor 50 %\tfor 75 %\tarea");
    size_t n, *order = share_curves_by_area(atlas->scratch, shares, &n);
    text_table_title(&table, "Targets reached within a budget: %s, %s", family->title,
                     atlas_cost_texts[shares->cost].title);
    for (size_t i = 0; i < n; i++) {
        const struct share_curve *curve = &shares->curves[order[i]];
        text_table_cell(&table, "%s", family->series[order[i]].label);
        atlas_put_interval(&table, 100, 1, &curve->at[SHARE_PLACES - 1]);
        for (size_t q = 0; q < 3; q++)
            put_budget(&table, curve->quartiles[q]);
        text_table_cell(&table, "%.3f", share_curve_area(curve));
    }
    text_table_footnote(&table,
                        "%zu pairs of problem and target (%s, %g to %g). A run that was stopped before it reached its "
                        "target counts as not reached. Budgets are in %s; -: this share is never reached. Interval: 95 "
                        "%%, bootstrap over data sets. Area: area below the curve of the share, with a logarithmic "
                        "axis of budgets.",
                        shares->n_pairs, atlas->rule, family->targets[0], family->targets[family->n_targets - 1],
                        atlas->sizes_known ? atlas_cost_texts[shares->cost].budget
                                           : atlas_cost_texts[shares->cost].title);
    atlas_write_table(
        out, pool_printf(atlas->scratch, "atlas-ecdf-%s-%s", family->key, atlas_cost_texts[shares->cost].key), &table,
        NULL);
}

static void write_shares_csv(const struct atlas_output *out)
{
    struct text_table table = atlas_table(out, 1, "family\tcost\ttarget\tsolver\tpairs\treached\tlow\thigh\tbudget_25\t"
                                            "budget_50\tbudget_75\tarea");
    for (size_t i = 0; i < out->results->n_shares; i++) {
        const struct budget_shares *shares = &out->results->shares[i];
        const struct atlas_family *family = shares->family;
        for (size_t s = 0; s < family->n_series; s++) {
            const struct share_curve *curve = &shares->curves[s];
            if (!family->counts[shares->cost][s])
                continue;
            text_table_row(&table, "%s\t%s", family->key, atlas_cost_texts[shares->cost].key);
            if (shares->target == ALL_TARGETS)
                text_table_cell(&table, "all");
            else
                text_table_cell(&table, "%g", family->targets[shares->target]);
            text_table_row(&table, "%s\t%zu", family->series[s].label, shares->n_pairs);
            atlas_put_ends(&table, &curve->at[SHARE_PLACES - 1]);
            for (size_t q = 0; q < 3; q++)
                text_table_number(&table, 6, curve->quartiles[q]);
            text_table_number(&table, 6, share_curve_area(curve));
        }
    }
    atlas_write_table(out, "atlas-ecdf", NULL, &table);
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

static void write_map_page(const struct atlas_output *out, const struct regime_map *map)
{
    const struct atlas *atlas = out->atlas;
    const struct atlas_family *family = map->family;
    struct text_table table = {.pool = atlas->scratch, .columns = family->n_factors + 1};
    size_t cells, decided;
    char *name = pool_printf(atlas->scratch, "atlas-map-%s-%s-%g", family->key, atlas_cost_texts[map->cost].key,
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
                        decided, cells, PENALTY_FACTOR);
    atlas_write_table(out, name, &table, NULL);
}

static void put_map_row(struct text_table *table, const struct atlas *atlas, const struct regime_map *map, size_t at)
{
    const struct atlas_family *family = map->family;
    const struct regime_cell *cell = &map->cells[at];
    text_table_row(table, "%s\t%s\t%g\t%s\t%g\t%g\t%zu\t%s\t%zu\t%s", family->key, atlas_cost_texts[map->cost].key,
                   family->targets[map->target],
                   map->dataset == ALL_DATASETS ? "all" : atlas->datasets[map->dataset].name,
                   family->c_values[at / family->n_factors], family->factors[at % family->n_factors], cell->n,
                   cell->reached ? family->series[cell->best].label : "", cell->candidates,
                   cell->reached ? family->series[cell->second].label : "");
    text_table_number(table, 6, cell->reached ? cell->best_cost : (double)NAN);
    text_table_number(table, 6, cell->best_reached);
    atlas_put_ends(table, cell->reached ? &cell->ratio : &no_interval);
    text_table_number(table, 6, cell->reached ? cell->p : (double)NAN);
}

static void write_maps_csv(const struct atlas_output *out)
{
    const struct atlas_results *results = out->results;
    struct text_table table = atlas_table(out, 1, "family\tcost\ttarget\tdataset\tC\twidth_factor\tn\tbest\t"
                                            "candidates\tsecond\tcost_of_best\treached\tratio\tlow\thigh\tp");
    for (size_t i = 0; i < results->n_maps; i++)
        for (size_t at = 0; at < results->maps[i].family->n_c * results->maps[i].family->n_factors; at++)
            if (results->maps[i].cells[at].n > 0)
                put_map_row(&table, out->atlas, &results->maps[i], at);
    atlas_write_table(out, "atlas-maps", NULL, &table);
}

static int is_shown_map(const struct regime_map *map)
{
    size_t shown[2];
    const size_t n = atlas_shown_targets(map->family, shown);
    return map->dataset == ALL_DATASETS && (map->target == shown[0] || map->target == shown[n - 1]);
}

void atlas_tables_write(const struct atlas_output *out)
{
    const struct atlas_results *results = out->results;
    write_shares_csv(out);
    write_maps_csv(out);
    for (size_t i = 0; i < results->n_shares; i++)
        if (results->shares[i].target == ALL_TARGETS)
            write_shares_page(out, &results->shares[i]);
    for (size_t i = 0; i < results->n_maps; i++)
        if (is_shown_map(&results->maps[i]))
            write_map_page(out, &results->maps[i]);
}
