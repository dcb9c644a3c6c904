/*
 * Cells of a comparison. A run with more than four variants of one solver is a sweep: side by side its marks could not
 * be distinguished, so heat maps and lines show it.
 */
#include "harness/plot/cells.h"

#include <math.h>

#include "harness/base/pool.h"

enum { MAX_VARIANTS = 4 };

/* The records of the series, counted from 0, on the data set. */
static struct records *records_at(const struct plot_request *request, const struct plot_cells *cells, size_t series,
                                  const char *dataset)
{
    return &cells->of[series * cells->n_datasets + name_order_find(&request->data->datasets, dataset)];
}

static void take_records(const struct plot_request *request, struct plot_cells *cells)
{
    cells->n_datasets = request->data->datasets.count;
    cells->of = pool_array(request->pool, cells->series.n * cells->n_datasets, sizeof *cells->of);
    for (size_t s = 0; s < cells->series.n; s++) {
        const struct records *records = &cells->series.items[s].records;
        for (size_t i = 0; i < records->count; i++) {
            struct records *of = records_at(request, cells, s, records->items[i]->dataset);
            of->pool = request->pool;
            records_add(of, records->items[i]);
        }
    }
}

int plot_cells_take(const struct plot_request *request, struct plot_cells *cells)
{
    *cells = (struct plot_cells){0};
    cells->records = plot_select(request->pool, request->data, request->entry, NULL);
    if (cells->records.count == 0) {
        plot_note(request, "no record matches the entry");
        return 0;
    }
    cells->series = plot_series_build(request->pool, request->data, &cells->records, 0, NULL);
    cells->values = pool_array(request->pool, cells->records.count, sizeof *cells->values);
    for (size_t i = 0, variants = 0; i < cells->series.n; i++) {
        variants = i > 0 && cells->series.items[i].solver == cells->series.items[i - 1].solver ? variants + 1 : 1;
        if (variants > MAX_VARIANTS) {
            plot_note(request, "%s has more than %d combinations of parameters; select some with \"where\"",
                      cells->series.items[i].solver, MAX_VARIANTS);
            return 0;
        }
    }
    take_records(request, cells);
    return 1;
}

struct plot_cell plot_cells_at(const struct plot_request *request, const struct plot_cells *cells,
                               const struct plot_series *series, const char *dataset, enum record_field field)
{
    struct plot_cell cell = {.paper = {(double)NAN, (double)NAN}};
    const struct records *records = records_at(request, cells, (size_t)(series - cells->series.items), dataset);
    size_t n = 0;
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = records->items[i];
        if (!isfinite(record->field[field]))
            continue;
        if (n == 0)
            cell.paper = plot_papers_value(request->papers, record, field);
        cell.unfinished += (size_t)(record->at_limit || record->stalled);
        cells->values[n++] = record->field[field];
    }
    cell.ours = plot_spread_of(cells->values, n);
    return cell;
}

int plot_cells_measured(const struct plot_request *request, const struct plot_cells *cells, const char *dataset,
                        enum record_field field)
{
    for (size_t s = 0; s < cells->series.n; s++) {
        const struct records *records = records_at(request, cells, s, dataset);
        for (size_t i = 0; i < records->count; i++)
            if (isfinite(records->items[i]->field[field]))
                return 1;
    }
    return 0;
}
