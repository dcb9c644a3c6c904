/*
 * Printed means for figures. The value comes from the first of the named tables that has a mean for the record's data
 * set, solver and parameters, converted to the unit of the records (printed value times the column's unit).
 */
#include "harness/plot/printed_means.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/papers/paper.h"
#include "harness/base/die.h"
#include "harness/base/pool.h"

struct plot_papers {
    size_t n;
    struct paper **papers;             /* one per table; the same paper may be read twice */
    const struct paper_table **tables; /* n, owned by the papers */
};

static void free_paper(void *paper)
{
    paper_free(paper);
}

static void add_table(struct pool *pool, struct plot_papers *papers, const cJSON *name)
{
    size_t at = papers->n;
    if (!cJSON_IsString(name))
        die(STATUS_BAD_INPUT, "config.json: \"tables\" must hold names of published tables");
    if (paper_names_claims(name->valuestring)) /* claims have no printed means */
        return;
    struct error error;
    const enum status status = paper_find(name->valuestring, &papers->papers[at], &error);
    if (status == STATUS_NOT_FOUND)
        error.status = STATUS_BAD_INPUT; /* a missing paper is not a missing run folder */
    die_unless_ok(status, &error);
    pool_keep(pool, free_paper, papers->papers[at]);
    papers->tables[at] = paper_table_named(papers->papers[at], name->valuestring);
    if (!papers->tables[at])
        die(STATUS_BAD_INPUT, "%s: unknown table \"%s\"", papers->papers[at]->path, name->valuestring);
    papers->n++;
}

const struct plot_papers *plot_papers_read(struct pool *pool, const cJSON *tables)
{
    const cJSON *name;
    size_t count = (size_t)cJSON_GetArraySize(tables);
    struct plot_papers *papers = pool_alloc(pool, sizeof *papers);
    papers->papers = pool_array(pool, count, sizeof *papers->papers);
    papers->tables = pool_array(pool, count, sizeof *papers->tables);
    cJSON_ArrayForEach(name, tables)
        add_table(pool, papers, name);
    return papers;
}

size_t plot_papers_count(const struct plot_papers *papers)
{
    return papers ? papers->n : 0;
}

const struct paper_table *plot_papers_table(const struct plot_papers *papers, size_t at)
{
    return papers->tables[at];
}

void plot_papers_missing(FILE *stream, const struct plot_papers *papers, const struct plot_data *data)
{
    struct name_order missing = {0};
    for (size_t t = 0; papers && t < papers->n; t++)
        for (size_t r = 0; r < papers->tables[t]->n_rows; r++) {
            const char *dataset = papers->tables[t]->rows[r].dataset;
            const size_t n = missing.count;
            if (name_order_find(&data->datasets, dataset) == data->datasets.count &&
                name_order_add(&missing, dataset) == n)
                fprintf(stream, "%s%s", n ? ", " : "Printed but not run: ", dataset);
        }
    fputs(missing.count ? ". " : "", stream);
    name_order_free(&missing);
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
    for (size_t t = 0; papers && t < papers->n; t++) {
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
