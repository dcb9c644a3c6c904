/* See lines_figure.h. */
#include "harness/figure/lines_figure.h"

#include "harness/base/pool.h"

void lines_add_block(struct pool *pool, struct lines_figure *lines, size_t series)
{
    lines->series_of =
        pool_grow(pool, lines->series_of, lines->n_blocks, &lines->capacity, sizeof *lines->series_of);
    lines->series_of[lines->n_blocks++] = (double)(series + 1);
}

static void assign_series(const struct lines_figure *lines, struct plot_figure *figure)
{
    const char **labels = pool_array(figure->pool, lines->n_series, sizeof *labels);
    double *reference = pool_array(figure->pool, lines->n_series, sizeof *reference);
    for (size_t s = 0; s < lines->n_series; s++) {
        labels[s] = lines->series[s].label;
        reference[s] = lines->series[s].is_reference;
    }
    plot_figure_series(figure, labels, lines->n_series);
    plot_figure_numbers(figure, "reference", reference, lines->n_series);
}

static void assign_columns(const struct lines_figure *lines, struct plot_figure *figure)
{
    const char *axes[LINES_COLUMNS], *tics[LINES_COLUMNS], *values[LINES_COLUMNS];
    double scales[LINES_COLUMNS];
    struct plot_range ranges[LINES_COLUMNS];
    for (size_t c = 0; c < lines->n_columns; c++) {
        const struct lines_column *column = &lines->columns[c];
        axes[c] = column->axis;
        tics[c] = column->tics ? column->tics : "";
        values[c] = plot_tics_text(figure->pool, &column->values, column->scale);
        scales[c] = column->scale;
        ranges[c] = column->range;
    }
    plot_figure_numbers(figure, "x_scale", scales, lines->n_columns);
    plot_figure_texts(figure, "x_axes", axes, lines->n_columns);
    plot_figure_texts(figure, "x_tics", tics, lines->n_columns);
    plot_figure_texts(figure, "x_value_tics", values, lines->n_columns);
    plot_figure_ranges(figure, "x_", ranges, lines->n_columns);
}

static void assign_rows(const struct lines_figure *lines, struct plot_figure *figure)
{
    const char *axes[LINES_ROWS];
    double logarithmic[LINES_ROWS];
    struct plot_range ranges[LINES_ROWS];
    for (size_t r = 0; r < lines->n_rows; r++) {
        axes[r] = lines->rows[r].axis;
        logarithmic[r] = lines->rows[r].logarithmic;
        ranges[r] = lines->rows[r].range;
    }
    plot_figure_texts(figure, "y_axes", axes, lines->n_rows);
    plot_figure_numbers(figure, "logarithmic", logarithmic, lines->n_rows);
    plot_figure_ranges(figure, "", ranges, lines->n_rows);
    plot_figure_panels(figure, lines->titled ? axes : NULL, lines->n_rows * lines->n_columns);
}

void lines_assign(const struct lines_figure *lines, struct plot_figure *figure)
{
    const size_t n_panels = lines->n_rows * lines->n_columns;
    assign_series(lines, figure);
    assign_columns(lines, figure);
    assign_rows(lines, figure);
    plot_figure_numbers(figure, "first_block", lines->first, n_panels);
    plot_figure_numbers(figure, "last_block", lines->last, n_panels);
    plot_figure_numbers(figure, "block_series", lines->series_of, lines->n_blocks);
}
