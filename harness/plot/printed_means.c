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
#include "harness/base/memory.h"

struct plot_papers {
    size_t n;
    struct paper **papers;             /* one per table; the same paper may be read twice */
    const struct paper_table **tables; /* n, owned by the papers */
};

static enum status add_table(struct plot_papers *papers, const cJSON *name, struct error *error)
{
    size_t at = papers->n;
    if (!cJSON_IsString(name))
        return error_set(error, STATUS_BAD_INPUT, "config.json: \"tables\" must hold names of published tables");
    if (paper_names_claims(name->valuestring)) /* claims have no printed means */
        return STATUS_OK;
    papers->n++;
    enum status status = paper_find(name->valuestring, &papers->papers[at], error);
    if (status == STATUS_OK)
        papers->tables[at] = paper_table_named(papers->papers[at], name->valuestring);
    if (status == STATUS_OK && !papers->tables[at])
        return error_set(error, STATUS_BAD_INPUT, "%s: unknown table \"%s\"", papers->papers[at]->path,
                         name->valuestring);
    if (status != STATUS_NOT_FOUND)
        return status;
    if (error)
        error->status = STATUS_BAD_INPUT; /* a missing paper is not a missing run folder */
    return STATUS_BAD_INPUT;
}

enum status plot_papers_read(const cJSON *tables, struct plot_papers **papers, struct error *error)
{
    const cJSON *name;
    size_t count = (size_t)cJSON_GetArraySize(tables);
    enum status status = STATUS_OK;
    *papers = xcalloc(1, sizeof **papers);
    (*papers)->papers = xcalloc(count, sizeof *(*papers)->papers);
    (*papers)->tables = xcalloc(count, sizeof *(*papers)->tables);
    cJSON_ArrayForEach (name, tables) {
        status = add_table(*papers, name, error);
        if (status != STATUS_OK)
            break;
    }
    return status;
}

void plot_papers_free(struct plot_papers *papers)
{
    if (!papers)
        return;
    for (size_t i = 0; i < papers->n; i++)
        paper_free(papers->papers[i]);
    free(papers->papers);
    free(papers->tables);
    free(papers);
}

size_t plot_papers_count(const struct plot_papers *papers)
{
    return papers ? papers->n : 0;
}

const struct paper_table *plot_papers_table(const struct plot_papers *papers, size_t at)
{
    return papers->tables[at];
}

static int is_among(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return 1;
    return 0;
}

void plot_papers_missing(FILE *stream, const struct plot_papers *papers, const struct plot_data *data)
{
    const char **missing = NULL;
    size_t n = 0;
    for (size_t t = 0; papers && t < papers->n; t++)
        for (size_t r = 0; r < papers->tables[t]->n_rows; r++) {
            const char *dataset = papers->tables[t]->rows[r].dataset;
            if (is_among(data->datasets, data->n_datasets, dataset) || is_among(missing, n, dataset))
                continue;
            fprintf(stream, "%s%s", n ? ", " : "Printed but not run: ", dataset);
            missing = xreallocarray(missing, n + 1, sizeof *missing);
            missing[n++] = dataset;
        }
    fputs(n ? ". " : "", stream);
    free(missing);
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
