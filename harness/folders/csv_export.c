/* Run folders as CSV (csv_export.h). */
#include "harness/folders/csv_export.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/folders/flat_columns.h"
#include "harness/format/csv_text.h"
#include "harness/base/memory.h"
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
    struct flat_columns columns;
    int has_plane; /* some trace has the columns w1 and w2 */
};

/* The index of a record in its file, from 0. */
static size_t record_index(const struct run_folder *folder, const struct record *record)
{
    return (size_t)(record - folder->file.all);
}

/* ---- reading ---- */

static enum status refuse_repeats(const struct run_folders *folders, struct error *error)
{
    for (size_t i = 0; i < folders->count; i++)
        for (size_t j = 0; j < i; j++)
            if (file_is_same(folders->items[i].path, folders->items[j].path))
                return error_set(error, STATUS_BAD_INPUT, "%s: occurs twice", folders->items[i].path);
    return STATUS_OK;
}

static enum status assign_trace(struct folder_export *export, const struct run_trace *trace, struct error *error)
{
    const struct record *found = trace->record;
    const struct records *records = &export->folder->file.records;
    const char *path = export->folder->path;
    for (size_t i = 0; i < records->count && trace->is_ambiguous; i++)
        if (records->items[i] != found && run_trace_is_of(trace, records->items[i]))
            return error_set(error, STATUS_BAD_INPUT, "%s/traces/%s: may belong to %s or to %s; the file does not say "
                                                      "which",
                             path, trace->name, found->where, records->items[i]->where);
    if (!found)
        return error_set(error, STATUS_BAD_INPUT, "%s/traces/%s: belongs to no record of the folder",
                         path, trace->name);
    const struct run_trace **place = &export->trace_of[record_index(export->folder, found)];
    if (*place)
        return error_set(error, STATUS_BAD_INPUT, "%s/traces/%s: belongs to the same record as %s", path, trace->name,
                         (*place)->name);
    *place = trace;
    return STATUS_OK;
}

static enum status read_traces(struct folder_export *export, struct error *error)
{
    enum status status = run_traces_read(export->folder, &export->traces, error);
    export->trace_of = xcalloc(export->folder->file.n_all + 1, sizeof *export->trace_of);
    for (size_t i = 0; i < export->traces.n && status == STATUS_OK; i++)
        status = assign_trace(export, &export->traces.items[i], error);
    return status;
}

/* Reads a folder. Times may be missing, as in a folder made by hand. */
static enum status read_folder(struct folder_export *export, struct run_folder *folder, struct error *error)
{
    struct error absent = {0};
    export->folder = folder;
    enum status status = run_folder_read_records(folder, error);
    if (status != STATUS_OK)
        return status;
    status = run_folder_read_times(folder, &absent);
    if (status != STATUS_OK && status != STATUS_NOT_FOUND)
        return error_set(error, status, "%s", absent.message);
    return read_traces(export, error);
}

static void add_columns(struct csv_export *export)
{
    flat_columns_begin(&export->columns);
    for (size_t f = 0; f < export->count; f++) {
        const struct run_folder *folder = export->folders[f].folder;
        for (size_t i = 0; i < folder->file.records.count; i++)
            flat_columns_add(&export->columns, FLAT_RECORD, folder->file.records.items[i]->text);
        for (size_t i = 0; i < folder->timings.count; i++)
            flat_columns_add(&export->columns, FLAT_TIMES, folder->timings.line[i]);
        for (size_t i = 0; i < export->folders[f].traces.n; i++)
            export->has_plane |= export->folders[f].traces.items[i].plane;
    }
    flat_columns_name(&export->columns);
}

enum status csv_export_open(struct run_folders *folders, struct csv_export **opened, struct error *error)
{
    struct csv_export *export = *opened = xcalloc(1, sizeof *export);
    export->folders = xcalloc(folders->count + 1, sizeof *export->folders);
    enum status status = refuse_repeats(folders, error);
    for (size_t i = 0; i < folders->count && status == STATUS_OK; i++)
        status = read_folder(&export->folders[export->count++], &folders->items[i], error);
    if (status == STATUS_OK)
        add_columns(export);
    return status;
}

void csv_export_warn(const struct run_folders *folders, FILE *stream)
{
    struct records all = {0};
    struct string_list machines = {0};
    for (size_t i = 0; i < folders->count; i++) {
        records_append(&all, &folders->items[i].file.records);
        run_folder_machines(&folders->items[i], &machines);
    }
    char *budgets = records_budget_obstacle(folders, &all);
    if (budgets)
        fprintf(stream, "hullbench: some records cannot be compared: %s\n", budgets);
    if (machines.count > 1)
        fputs("hullbench: some times cannot be compared: they come from different machines or numbers of threads\n",
              stream);
    free(budgets);
    string_list_free(&machines);
    records_free(&all);
}

void csv_export_close(struct csv_export *opened)
{
    if (!opened)
        return;
    for (size_t i = 0; i < opened->count; i++) {
        run_traces_free(&opened->folders[i].traces);
        free(opened->folders[i].trace_of);
    }
    flat_columns_free(&opened->columns);
    free(opened->folders);
    free(opened);
}

/* ---- writing ---- */

/* Prints a JSON value: numbers, true and false unchanged; texts without their quotes. */
static void put_cell(FILE *stream, const struct flat_cell *cell)
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

static void put_record(FILE *stream, const struct csv_export *export, const struct folder_export *of,
                       const struct record *record, const struct run_info_data *data, struct flat_cell *cells)
{
    const struct run_folder *folder = of->folder;
    size_t index = record_index(folder, record), i = 0;
    memset(cells, 0, (export->columns.count + 1) * sizeof *cells);
    flat_columns_take(&export->columns, FLAT_RECORD, record->text, cells);
    if (index < folder->timings.count)
        flat_columns_take(&export->columns, FLAT_TIMES, folder->timings.line[index], cells);
    put_folder(stream, export, of);
    fprintf(stream, "%zu", index);
    for (; i < export->columns.count && export->columns.items[i].source == FLAT_RECORD; i++) {
        fputc(',', stream);
        put_cell(stream, &cells[i]);
    }
    if (data && data->n_train)
        fprintf(stream, ",%zu,%zu", data->n_train, data->n_test);
    else
        fputs(",,", stream);
    for (; i < export->columns.count; i++) {
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
    const struct flat_columns *columns = &export->columns;
    size_t i = 0;
    fputs(export->count > 1 ? "folder,record" : "record", stream);
    for (; i < columns->count && columns->items[i].source == FLAT_RECORD; i++) {
        fputc(',', stream);
        csv_text(stream, columns->items[i].name);
    }
    fputs(",n_train,n_test", stream);
    for (; i < columns->count; i++) {
        fputc(',', stream);
        csv_text(stream, columns->items[i].name);
    }
    fputs(",trace\r\n", stream);
}

void csv_export_records(const struct csv_export *opened, FILE *stream)
{
    struct flat_cell *cells = xcalloc(opened->columns.count + 1, sizeof *cells);
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
