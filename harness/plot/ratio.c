/*
 * For each printed table, a figure of our values over the printed ones: one panel per column, one row per data set.
 * Difference, interval, bound and verdict are those of harness/papers/verdict.h, divided by the printed value p:
 *
 *   ratio = 1 + difference / p,   interval = 1 + [low, high] / p,   band = 1 -+ max(bound, u) / |p|
 *
 * with u a unit of the last printed digit. A cell agrees if its interval, extended by half a unit on both sides for the
 * rounding of p, lies within the band. This file judges nothing itself. With several folders, the figure shows the
 * records of all folders that name the table, as the table itself does, and is written to the first of them.
 */
#include <math.h>
#include <string.h>

#include "harness/papers/reproduction.h"
#include "harness/plot/kinds.h"
#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/support/decimal.h"

/* The template's variables; a block of the .dat has the cells of one panel. */
struct panels {
    size_t n, n_rows, counts[VERDICT_COUNT];
    const char *titles[TABLE_COLUMNS_MAX], **datasets;
};

/* Each printed number is drawn once, though other columns may repeat it. */
static int is_shown(const struct reproduction_cell *cell)
{
    return cell->compared && cell->counted && cell->agreement.verdict != VERDICT_MISSING &&
           isfinite(cell->agreement.difference) && cell->printed->mean != 0;
}

static int row_is_shown(const struct reproduction *comparison, size_t row)
{
    for (size_t j = 0; j < comparison->table->n_columns; j++)
        if (is_shown(&comparison->rows[row].cells[j]))
            return 1;
    return 0;
}

static void print_cell(const struct reproduction_cell *cell, size_t position, const char *dataset, FILE *dat)
{
    const struct agreement *agreement = &cell->agreement;
    const double printed = cell->printed->mean, unit = pow(10, -cell->printed->decimals);
    const double bound = fmax(agreement->bound, unit) / fabs(printed);
    const double ends[] = {1 + agreement->low / printed, 1 + agreement->high / printed};
    double numbers[] = {1 + agreement->difference / printed, fmin(ends[0], ends[1]), fmax(ends[0], ends[1]),
                        (double)position, 1 - bound, 1 + bound};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        numbers[i] = round_to_12_digits(numbers[i]);
    plot_numbers(dat, numbers, sizeof numbers / sizeof *numbers, " ");
    plot_data_text(dat, dataset);
    fprintf(dat, " %zu %s\n", cell->measured.n, verdict_texts[cell->agreement.verdict].name);
}

static void take_panels(const struct reproduction *comparison, FILE *dat, struct panels *panels)
{
    const struct paper_table *table = comparison->table;
    fputs("# ratio low high position band_low band_high data_set n verdict\n", dat);
    for (size_t j = 0; j < table->n_columns; j++) {
        size_t position = 0, found = 0;
        for (size_t i = 0; i < table->n_rows; i++) {
            const struct reproduction_cell *cell = &comparison->rows[i].cells[j];
            position += row_is_shown(comparison, i) != 0;
            if (!is_shown(cell))
                continue;
            if (found++ == 0)
                fprintf(dat, "%s# %s\n", panels->n ? "\n\n" : "", table->columns[j].key);
            print_cell(cell, position, comparison->rows[i].dataset, dat);
            panels->counts[cell->agreement.verdict]++;
        }
        if (found)
            panels->titles[panels->n++] = table->columns[j].title;
    }
    for (size_t i = 0; i < table->n_rows; i++)
        if (row_is_shown(comparison, i))
            panels->datasets[panels->n_rows++] = comparison->rows[i].dataset;
}

/* Lists the cells that are compared but have no ratio. */
static void list_zeros(const struct reproduction *comparison, FILE *caption)
{
    size_t found = 0;
    for (size_t i = 0; i < comparison->n_cells; i++) {
        const struct reproduction_cell *cell = &comparison->cells[i];
        if (cell->compared && cell->counted && cell->agreement.verdict != VERDICT_MISSING && !is_shown(cell))
            fprintf(caption, "%s%s", found++ ? ", " : "Without a ratio, because the printed value is 0: ",
                    cell->id + strlen(comparison->table->name) + 1);
    }
    fputs(found ? ". " : "", caption);
}

static size_t count_folders(const struct plot_request *request, const char *table)
{
    size_t n = 0;
    for (size_t i = 0; i < request->folders->count; i++)
        n += run_folder_is_for(&request->folders->items[i], table) != 0;
    return n;
}

static void describe(const struct plot_request *request, const struct reproduction *comparison,
                     const struct panels *panels, struct plot_figure *figure)
{
    const char *labels[VERDICT_COUNT], *names[VERDICT_COUNT];
    double counts[VERDICT_COUNT];
    for (size_t v = 0; v < VERDICT_COUNT; v++) {
        names[v] = verdict_texts[v].name;
        labels[v] = pool_printf(request->pool, "%s (%zu)", verdict_texts[v].name, panels->counts[v]);
        counts[v] = (double)panels->counts[v];
    }
    plot_figure_panels(figure, panels->titles, panels->n);
    plot_figure_texts(figure, "datasets", panels->datasets, panels->n_rows);
    plot_figure_texts(figure, "verdicts", names, VERDICT_COUNT);
    plot_figure_texts(figure, "series", labels, VERDICT_COUNT);
    plot_figure_numbers(figure, "counts", counts, VERDICT_COUNT);
    fprintf(figure->heading, "Measured over printed values: %s", comparison->table->caption);
    fprintf(figure->caption,
            "%s. Marks: our mean (or minimum) divided by the printed one. Bars: 95 %% interval of that ratio; a bar "
            "that touches the frame extends beyond it. Grey band: 5 %% of the printed value, or one unit of its last "
            "digit if that is larger; a cell agrees if its bar lies within the band. Marks at the edge lie beyond it, "
            "at the number next to them. ",
            comparison->table->name);
    list_zeros(comparison, figure->caption);
    if (count_folders(request, comparison->table->name) > 1)
        fprintf(figure->caption, "Records of %zu runs. ", count_folders(request, comparison->table->name));
    fprintf(figure->caption, "%s ", comparison->splits);
}

static void draw_table(const struct plot_request *request, const struct reproduction *comparison)
{
    struct plot_figure figure;
    struct panels panels = {0};
    panels.datasets = pool_array(request->pool, comparison->table->n_rows, sizeof *panels.datasets);
    plot_figure_open(&figure, "ratio", request->name, comparison->table->name, NULL);
    take_panels(comparison, figure.dat, &panels);
    if (panels.n > 0) {
        describe(request, comparison, &panels, &figure);
        plot_finish(request->run, &figure);
    } else {
        plot_note(request, "no printed value of %s matches these records", comparison->table->name);
        pool_free(figure.pool);
    }
}

/* Nonzero if this folder draws the table: it is the first that names it, where folders with several draws count last;
 * or no folder names it. */
static int draws_table(const struct plot_request *request, const char *name)
{
    const struct run_folder *chosen = NULL;
    for (size_t i = request->folders->count; i-- > 0;) {
        const struct run_folder *folder = &request->folders->items[i];
        if (run_folder_is_for(folder, name) && (!chosen || chosen->has_more_draws || !folder->has_more_draws))
            chosen = folder;
    }
    return !chosen || chosen == request->data->folder;
}

/* The records of the table: from all folders that name it, or, if none does, from this folder, since an entry may name
 * tables that its configuration does not. */
static struct records records_for(const struct plot_request *request, struct pool *pool, const char *name,
                                  enum draws draws)
{
    struct records records = run_folders_records(pool, request->folders, name, draws);
    if (!run_folder_is_for(request->data->folder, name))
        records_append(&records, request->data->records);
    return records;
}

struct comparing {
    struct pool *pool;
    const struct paper_table *table;
    struct records first, all;
    const struct reproduction *comparison;
};

static void compare_with_table(void *data)
{
    struct comparing *comparing = data;
    comparing->comparison =
        reproduction_make(comparing->pool, comparing->table, &comparing->first, &comparing->all, NULL);
}

static void draw_ratios(const struct plot_request *request, const struct paper_table *table)
{
    struct pool *pool = pool_new();
    struct comparing comparing = {.pool = pool,
                                  .table = table,
                                  .first = records_for(request, pool, table->name, DRAWS_FIRST),
                                  .all = records_for(request, pool, table->name, DRAWS_ALL)};
    struct error cause;
    const enum status status = attempt(compare_with_table, &comparing, &cause);
    if (status == STATUS_OK)
        draw_table(request, comparing.comparison);
    else if (status == STATUS_BAD_INPUT) /* records that are not a sample, as in a sweep */
        plot_note(request, "%s", cause.message);
    else
        die_of(&cause);
    pool_free(pool);
}

void plot_ratios(const struct plot_request *request)
{
    for (size_t t = 0; t < request->papers.n; t++)
        if (draws_table(request, request->papers.tables[t]->name))
            draw_ratios(request, request->papers.tables[t]);
    if (request->papers.n == 0)
        plot_note(request, "config.json names no published table under \"tables\"");
}
