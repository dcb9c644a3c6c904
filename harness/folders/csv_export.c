/* Run folders as CSV (csv_export.h). */
#include "harness/folders/csv_export.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/folders/flat_columns.h"
#include "harness/format/markup.h"
#include "harness/base/die.h"
#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/records/conditions.h"
#include "harness/records/run_traces.h"
#include "harness/support/file.h"
#include "harness/support/string_list.h"

struct folder_export {
    const struct run_folder *folder;
    struct run_traces traces;
    const struct run_trace **trace_of; /* of each line of records.jsonl; NULL: none */
};

struct csv_export {
    struct folder_export *folders;
    size_t count;
    struct flat_columns *columns;
    int has_plane; /* some trace has the columns w1 and w2 */
};

/* The index of a record in its file, from 0. */
static size_t record_index(const struct run_folder *folder, const struct record *record)
{
    return (size_t)(record - folder->file.all);
}

/* ---- reading ---- */

static void refuse_repeats(const struct run_folders *folders)
{
    for (size_t i = 0; i < folders->count; i++)
        for (size_t j = 0; j < i; j++)
            if (file_is_same(folders->items[i].path, folders->items[j].path))
                die(STATUS_BAD_INPUT, "%s: occurs twice", folders->items[i].path);
}

static void assign_trace(struct folder_export *export, const struct run_trace *trace)
{
    const struct record *found = trace->record;
    const struct records *records = &export->folder->file.records;
    const char *path = export->folder->path;
    for (size_t i = 0; i < records->count && trace->is_ambiguous; i++)
        if (records->items[i] != found && run_trace_is_of(trace, records->items[i]))
            die(STATUS_BAD_INPUT, "%s/traces/%s: may belong to %s or to %s; the file does not say which", path,
                trace->name, found->where, records->items[i]->where);
    if (!found)
        die(STATUS_BAD_INPUT, "%s/traces/%s: belongs to no record of the folder", path, trace->name);
    const struct run_trace **place = &export->trace_of[record_index(export->folder, found)];
    if (*place)
        die(STATUS_BAD_INPUT, "%s/traces/%s: belongs to the same record as %s", path, trace->name, (*place)->name);
    *place = trace;
}

/* Reads a folder. Times may be missing, as in a folder made by hand. */
static void read_folder(struct pool *pool, struct folder_export *export, struct run_folder *folder)
{
    export->folder = folder;
    run_folder_read_records(folder);
    run_folder_read_times(folder);
    export->traces = *run_traces_read(pool, folder);
    export->trace_of = pool_array(pool, folder->file.n_all + 1, sizeof *export->trace_of);
    for (size_t i = 0; i < export->traces.n; i++)
        assign_trace(export, &export->traces.items[i]);
}

static void add_columns(struct pool *pool, struct csv_export *export)
{
    export->columns = pool_alloc(pool, sizeof *export->columns);
    flat_columns_begin(pool, export->columns);
    for (size_t f = 0; f < export->count; f++) {
        const struct run_folder *folder = export->folders[f].folder;
        for (size_t i = 0; i < folder->file.records.count; i++)
            flat_columns_add(pool, export->columns, FLAT_RECORD, folder->file.records.items[i]->text);
        for (size_t i = 0; i < folder->timings.count; i++)
            flat_columns_add(pool, export->columns, FLAT_TIMES, folder->timings.line[i]);
        for (size_t i = 0; i < export->folders[f].traces.n; i++)
            export->has_plane |= export->folders[f].traces.items[i].plane;
    }
    flat_columns_name(pool, export->columns);
}

const struct csv_export *csv_export_open(struct pool *pool, struct run_folders *folders)
{
    struct csv_export *export = pool_alloc(pool, sizeof *export);
    export->folders = pool_array(pool, folders->count, sizeof *export->folders);
    refuse_repeats(folders);
    for (size_t i = 0; i < folders->count; i++)
        read_folder(pool, &export->folders[export->count++], &folders->items[i]);
    add_columns(pool, export);
    return export;
}

void csv_export_warn(const struct run_folders *folders, FILE *stream)
{
    struct pool *pool = pool_new();
    struct records all = {.pool = pool};
    struct name_order machines = {.pool = pool};
    for (size_t i = 0; i < folders->count; i++) {
        records_append(&all, &folders->items[i].file.records);
        run_folder_machines(&folders->items[i], &machines);
    }
    const char *budgets = records_budget_obstacle(pool, folders, &all);
    if (budgets)
        fprintf(stream, "hullbench: some records cannot be compared: %s\n", budgets);
    if (machines.count > 1)
        fputs("hullbench: some times cannot be compared: they come from different machines or numbers of threads\n",
              stream);
    pool_free(pool);
}

/* ---- writing ---- */

/* Prints a JSON value: numbers, true and false unchanged; texts without their quotes. */
static void put_cell(FILE *stream, const struct json_span *cell)
{
    if (!cell->text)
        return;
    char *text = xstrndup(cell->text, cell->length);
    cJSON *value = *text == '"' ? cJSON_Parse(text) : NULL;
    csv_text(stream, cJSON_IsString(value) ? value->valuestring : text);
    cJSON_Delete(value);
    free(text);
}

static void put_folder(FILE *stream, const struct csv_export *export, const struct folder_export *of)
{
    if (export->count < 2)
        return;
    csv_text(stream, of->folder->path);
    fputc(',', stream);
}

/* data: of the record's data set; NULL: unknown. */
static void put_record(FILE *stream, const struct csv_export *export, const struct folder_export *of,
                       const struct record *record, const struct run_info_data *data, struct json_span *cells)
{
    struct flat_columns *columns = export->columns;
    const struct run_folder *folder = of->folder;
    const size_t index = record_index(folder, record);
    char sizes[100];
    memset(cells, 0, columns->count * sizeof *cells);
    flat_columns_take(columns, FLAT_RECORD, record->text, cells);
    if (index < folder->timings.count)
        flat_columns_take(columns, FLAT_TIMES, folder->timings.line[index], cells);
    if (data && data->n_train) {
        snprintf(sizes, sizeof sizes, "{\"n_train\":%zu,\"n_test\":%zu}", data->n_train, data->n_test);
        flat_columns_take(columns, FLAT_SIZES, sizes, cells);
    }
    put_folder(stream, export, of);
    fprintf(stream, "%zu", index);
    for (size_t i = 0; i < columns->count; i++) {
        fputc(',', stream);
        put_cell(stream, &cells[i]);
    }
    fputc(',', stream);
    if (of->trace_of[index]) {
        char *name = xasprintf("traces/%s", of->trace_of[index]->name);
        csv_text(stream, name);
        free(name);
    }
    fputs("\r\n", stream);
}

static void put_records_header(FILE *stream, const struct csv_export *export)
{
    fputs(export->count > 1 ? "folder,record" : "record", stream);
    for (size_t i = 0; i < export->columns->count; i++) {
        fputc(',', stream);
        csv_text(stream, export->columns->item[i].name);
    }
    fputs(",trace\r\n", stream);
}

void csv_export_records(const struct csv_export *opened, FILE *stream)
{
    struct json_span *cells = xcalloc(opened->columns->count + 1, sizeof *cells);
    put_records_header(stream, opened);
    for (size_t f = 0; f < opened->count; f++) {
        const struct records *records = &opened->folders[f].folder->file.records;
        const struct run_info_data *data = NULL;
        for (size_t i = 0; i < records->count; i++) {
            const struct record *record = records->items[i];
            if (i == 0 || record->dataset != records->items[i - 1]->dataset)
                data = run_info_data(&opened->folders[f].folder->run, record->dataset);
            put_record(stream, opened, &opened->folders[f], record, data, cells);
        }
    }
    free(cells);
}

/* Prints a number as harness/evaluate/trace.c does, except that a missing gap, "nan" there, is an empty field here. */
static void put_number(FILE *stream, double number)
{
    if (!isnan(number))
        fprintf(stream, ",%.17g", number);
    else
        fputc(',', stream);
}

static void put_trace(FILE *stream, const struct csv_export *export, const struct folder_export *of, size_t index)
{
    const struct run_trace *trace = of->trace_of[index];
    for (size_t i = 0; i < trace->n; i++) {
        const struct run_trace_point *point = &trace->points[i];
        put_folder(stream, export, of);
        fprintf(stream, "%zu,%.0f,%.0f", index, point->iteration, point->kernel_operations);
        put_number(stream, point->objective);
        put_number(stream, point->gap);
        for (int d = 0; d < 2 && export->has_plane; d++)
            put_number(stream, trace->plane ? point->w[d] : (double)NAN);
        fputs("\r\n", stream);
    }
}

void csv_export_traces(const struct csv_export *opened, FILE *stream)
{
    fprintf(stream, "%srecord,iteration,kernel_operations,objective,gap%s\r\n", opened->count > 1 ? "folder," : "",
            opened->has_plane ? ",w1,w2" : "");
    for (size_t f = 0; f < opened->count; f++)
        for (size_t i = 0; i < opened->folders[f].folder->file.n_all; i++)
            if (opened->folders[f].trace_of[i])
                put_trace(stream, opened, &opened->folders[f], i);
}
