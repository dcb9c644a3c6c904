/*
 * Cells of a comparison. A run with more than four variants of one solver is a sweep: side by side its marks could not
 * be distinguished, so heat maps and lines show it.
 */
#include "harness/plot/cells.h"

#include <math.h>
#include <stdlib.h>

#include "harness/program/memory.h"

enum { MAX_VARIANTS = 4 };

void plot_cells_free(struct plot_cells *cells)
{
    records_free(&cells->records);
    free(cells->values);
    plot_series_free(&cells->series);
}

int plot_cells_take(const struct plot_request *request, struct plot_cells *cells)
{
    *cells = (struct plot_cells){0};
    cells->records = plot_select(request->data, request->entry, NULL);
    if (cells->records.count == 0) {
        plot_note(request, "no record matches the entry");
        return 0;
    }
    plot_series_build(request->data, &cells->records, 0, NULL, &cells->series);
    cells->values = xcalloc(cells->records.count, sizeof *cells->values);
    for (size_t i = 0, variants = 0; i < cells->series.n; i++) {
        variants = i > 0 && cells->series.items[i].solver == cells->series.items[i - 1].solver ? variants + 1 : 1;
        if (variants > MAX_VARIANTS) {
            plot_note(request, "%s has more than %d combinations of parameters; select some with \"where\"",
                      cells->series.items[i].solver, MAX_VARIANTS);
            return 0;
        }
    }
    return 1;
}

struct plot_cell plot_cells_at(const struct plot_request *request, const struct plot_cells *cells,
                               const struct plot_series *series, const char *dataset, enum record_field field)
{
    struct plot_cell cell = {.paper = {(double)NAN, (double)NAN}};
    size_t n = 0;
    for (size_t i = 0; i < series->records.count; i++) {
        const struct record *record = series->records.items[i];
        if (record->dataset != dataset || !isfinite(record->field[field]))
            continue;
        if (n == 0)
            cell.paper = plot_papers_value(request->papers, record, field);
        cell.unfinished += (size_t)(record->at_limit || record->stalled);
        cells->values[n++] = record->field[field];
    }
    cell.ours = plot_spread_of(cells->values, n);
    return cell;
}

int plot_cells_measured(const struct plot_cells *cells, const char *dataset, enum record_field field)
{
    for (size_t i = 0; i < cells->records.count; i++)
        if (cells->records.items[i]->dataset == dataset && isfinite(cells->records.items[i]->field[field]))
            return 1;
    return 0;
}
