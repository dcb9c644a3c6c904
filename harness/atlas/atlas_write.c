/* Writes the files of an atlas, and what its tables share. */
#include <math.h>

#include "harness/atlas/atlas_output.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"

struct atlas_table atlas_table_new(struct atlas_output *out, const char *name, size_t heads, const char *columns)
{
    struct pool *pool = pool_new();
    struct atlas_table table = {out, {.pool = pool, .name = name, .heads = heads},
                                {.pool = pool, .name = name, .heads = heads}};
    result_columns(&table.page, columns);
    result_columns(&table.data, columns);
    return table;
}

void atlas_page_interval(struct result *page, double scale, int digits, const struct interval *interval)
{
    result_interval(page, digits, &(const struct interval){scale * interval->estimate, scale * interval->low,
                                                           scale * interval->high, interval->level});
}

void atlas_table_interval(struct atlas_table *table, double scale, int digits, const struct interval *interval)
{
    atlas_page_interval(&table->data, scale, digits, interval);
    result_number(&table->data, interval->estimate);
    result_number(&table->data, interval->low);
    result_number(&table->data, interval->high);
}

void atlas_table_show(struct atlas_table *table)
{
    for (size_t c = 0; c < table->data.columns.count; c++)
        *pool_push(table->page.pool, &table->page.values) = *result_at(&table->data, result_rows(&table->data) - 1, c);
}

void atlas_table_write(struct atlas_table *table)
{
    const struct atlas_output *out = table->out;
    struct pool *pool = table->data.pool;
    if (table->page.title)
        result_write_files(&table->page, &table->data, out->folder);
    else
        result_write_file(&table->data, RESULT_CSV, pool_printf(pool, "%s/%s.csv", out->folder, table->data.name));
    pool_free(pool);
    pool_reset(out->atlas->scratch);
}

struct result atlas_page_new(const struct atlas_output *out, const char *kind, const struct atlas_family *family,
                             enum atlas_cost cost)
{
    struct pool *pool = out->atlas->scratch;
    return (struct result){.pool = pool, .name = pool_printf(pool, "%s-%s-%s", kind, family->key,
                                                             atlas_cost_texts[cost].key)};
}

void atlas_page_write(const struct atlas_output *out, const struct result *page)
{
    result_write_file(page, RESULT_MARKDOWN, pool_printf(page->pool, "%s/%s.md", out->folder, page->name));
    result_write_file(page, RESULT_LATEX, pool_printf(page->pool, "%s/%s.tex", out->folder, page->name));
    pool_reset(page->pool);
}

const char *atlas_target_name(struct pool *pool, const struct atlas_family *family, size_t target)
{
    return target == ATLAS_ALL ? "all" : pool_printf(pool, "%g", family->targets[target]);
}

int atlas_is_shown(const struct atlas_family *family, size_t target)
{
    size_t shown[2];
    const size_t n = atlas_shown_targets(family, shown);
    return target == shown[0] || target == shown[n - 1];
}

void atlas_put_figure(struct atlas_output *out, struct plot_figure *figure)
{
    figure_sink_put(&out->sink, figure, pool_printf(out->atlas->scratch, "%s/plots", out->folder));
    pool_reset(out->atlas->scratch);
}

void atlas_write(struct atlas *atlas, const char *folder, int no_render)
{
    struct atlas_output out = {.atlas = atlas, .folder = folder, .sink = {.no_render = no_render}};
    const char *plots = pool_printf(atlas->pool, "%s/plots", folder);
    struct folder_lock lock = {0};
    budget_shares_take(&out);
    regime_maps_take(&out);
    folder_make(folder);
    folder_lock_take(&lock, folder);
    file_remove_all(folder, "atlas", "");
    file_remove_all(plots, "atlas-", "");
    folder_make(plots);
    atlas_json_write(&out);
    atlas_tables_write(&out);
    budget_shares_write(&out);
    regime_maps_write(&out);
    size_growth_write(&out);
    folder_lock_release(&lock);
    figure_sink_end(&out.sink);
}

void atlas_print_notes(const struct atlas *atlas, FILE *stream)
{
    for (size_t f = 0; f < atlas->n_families; f++) {
        const struct atlas_family *family = &atlas->families[f];
        fprintf(stream, "%s: %zu solvers, %zu problems (data set, split, kernel, C), %zu targets of %s", family->title,
                family->n_series, family->n_problems, family->n_targets, atlas->rule);
        if (family->n_incomplete)
            fprintf(stream, "; %zu problems left out because a solver has no record of them", family->n_incomplete);
        for (size_t i = 0; i < family->omitted.count; i++)
            fprintf(stream, "%s%s", i ? ", " : "; left out, because they have records of fewer than half of the "
                                               "problems: ",
                    family->omitted.item[i]);
        fputs(".\n", stream);
    }
    if (atlas->time_note)
        fprintf(stream, "Times are not compared: %s.\n", atlas->time_note);
    if (!atlas->sizes_known)
        fputs("Budgets are not divided by the sizes of the data sets, because some sizes are unknown.\n", stream);
}
