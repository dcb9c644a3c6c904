/*
 * Cells of a comparison. A run with more than four variants of one solver is a sweep: drawn side by side its marks
 * could not be told apart, so it is left to heat maps and lines.
 */
#include "harness/plot/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VARIANTS = 4 };

void plot_cells_free(struct plot_cells *cells)
{
    free(cells->records);
    free(cells->values);
    plot_series_free(&cells->series);
}

/* *usable becomes 0, with a note, when the records cannot be compared data set by data set. */
enum status plot_cells_take(const struct plot_request *request, struct plot_cells *cells, int *usable,
                            struct error *error)
{
    memset(cells, 0, sizeof *cells);
    *usable = 0;
    enum status status =
        plot_select(request->data, request->entry, NULL, NULL, &cells->records, &cells->n, error);
    if (status != STATUS_OK)
        return status;
    if (cells->n == 0) {
        plot_note(request, "no record fits the entry");
        return STATUS_OK;
    }
    status = plot_series_build(request->data, cells->records, cells->n, 0, NULL, &cells->series, error);
    cells->values = malloc(cells->n * sizeof *cells->values);
    if (status == STATUS_OK && !cells->values)
        status = error_set(error, STATUS_NO_MEMORY, "figure %s: out of memory", request->name);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0, variants = 0; i < cells->series.n; i++) {
        variants = i > 0 && cells->series.items[i].solver == cells->series.items[i - 1].solver ? variants + 1 : 1;
        if (variants > MOST_VARIANTS) {
            plot_note(request, "%s has more than %d combinations of parameters; choose with \"where\"",
                      cells->series.items[i].solver, MOST_VARIANTS);
            return STATUS_OK;
        }
    }
    *usable = 1;
    return STATUS_OK;
}

struct plot_cell plot_cells_at(const struct plot_request *request, const struct plot_cells *cells,
                               const struct plot_series *series, const char *dataset, enum plot_field field)
{
    struct plot_cell cell = {.paper = {(double)NAN, (double)NAN}};
    size_t n = plot_series_values(series, dataset, field, cells->values);
    cell.ours = plot_spread_of(cells->values, n);
    for (size_t i = 0; n > 0 && i < series->n; i++)
        if (series->records[i]->dataset == dataset) {
            cell.paper = plot_papers_value(request->papers, series->records[i], field);
            break;
        }
    return cell;
}

int plot_cells_measured(const struct plot_cells *cells, const char *dataset, enum plot_field field)
{
    for (size_t i = 0; i < cells->n; i++)
        if (cells->records[i]->dataset == dataset && isfinite(cells->records[i]->field[field]))
            return 1;
    return 0;
}
