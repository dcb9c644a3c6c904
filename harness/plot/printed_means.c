/*
 * Printed means for figures. The value comes from the first of the named tables that has a mean for the record's data
 * set, solver and parameters, converted to the unit of the records (printed value times the column's unit).
 */
#include "harness/plot/kinds.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/papers/paper.h"
#include "harness/base/die.h"
#include "harness/base/pool.h"

static void add_table(struct pool *pool, struct plot_papers *papers, const cJSON *name)
{
    if (!cJSON_IsString(name))
        die(STATUS_BAD_INPUT, "config.json: \"tables\" must hold names of published tables");
    if (paper_names_claims(name->valuestring)) /* claims have no printed means */
        return;
    struct error error;
    const struct paper *paper = paper_find_or_null(pool, name->valuestring, &error);
    if (!paper) /* a missing paper is not a missing run folder */
        die(STATUS_BAD_INPUT, "%s", error.message);
    papers->tables[papers->n] = paper_table_named(paper, name->valuestring);
    if (!papers->tables[papers->n])
        die(STATUS_BAD_INPUT, "%s: unknown table \"%s\"", paper->path, name->valuestring);
    papers->n++;
}

struct plot_papers plot_papers_read(struct pool *pool, const cJSON *tables)
{
    const cJSON *name;
    const size_t count = (size_t)cJSON_GetArraySize(tables);
    struct plot_papers papers = {.tables = pool_array(pool, count, sizeof *papers.tables)};
    cJSON_ArrayForEach(name, tables)
        add_table(pool, &papers, name);
    return papers;
}

void plot_papers_missing(FILE *stream, const struct plot_papers *papers, const struct plot_data *data)
{
    struct pool *pool = pool_new();
    struct name_order missing = {.pool = pool};
    for (size_t t = 0; t < papers->n; t++)
        for (size_t r = 0; r < papers->tables[t]->n_rows; r++) {
            const char *dataset = papers->tables[t]->rows[r].dataset;
            const size_t n = missing.count;
            if (name_order_find(&data->datasets, dataset) == data->datasets.count &&
                name_order_add(&missing, dataset) == n)
                fprintf(stream, "%s%s", n ? ", " : "Printed but not run: ", dataset);
        }
    fputs(missing.count ? ". " : "", stream);
    pool_free(pool);
}

static int column_fits(const struct paper_column *column, const struct record *record, const char *field)
{
    const struct record_filter *from = &column->from;
    return paper_column_is_mean(column) && strcmp(from->field, field) == 0 &&
           strcmp(from->solver, record->solver) == 0 && record_includes(record->params, from->params) &&
           record_includes(record->kernel, from->kernel) && record_includes(record->stop, from->stop);
}

struct plot_published plot_papers_value(const struct plot_papers *papers, const struct record *record,
                                        enum record_field field)
{
    struct plot_published none = {(double)NAN, (double)NAN};
    for (size_t t = 0; t < papers->n; t++) {
        const struct paper_table *table = papers->tables[t];
        for (size_t r = 0; r < table->n_rows; r++)
            for (size_t c = 0; c < table->n_columns; c++) {
                const struct printed *cell = &table->rows[r].cells[c];
                if (cell->n > 0 && strcmp(table->rows[r].dataset, record->dataset) == 0 &&
                    column_fits(&table->columns[c], record, measure_path(field)))
                    return (struct plot_published){cell->mean * table->columns[c].unit,
                                                   cell->sd * fabs(table->columns[c].unit)};
            }
    }
    return none;
}
