/*
 * Run folders as CSV (csv_export.h). Values stay the texts in the files, so no digit changes. The columns are the
 * members of records in the order of record_members, then those that these lack, the sizes, the times, and the problem
 * and series of the record.
 */
#include "harness/folders/csv_export.h"

#include <stdlib.h>
#include <string.h>

#include "harness/format/markup.h"
#include "harness/records/conditions.h"
#include "harness/records/run_traces.h"
#include "harness/records/same_problem.h"
#include "harness/records/selection.h"

/* Where a value comes from: the record, the sizes of its data set, its line of times, its problem and series. */
enum source { OF_RECORD, OF_INFO, OF_TIMES, OF_PROBLEM };

struct column {
    enum source source;
    const char *outer, *key; /* the object in the line ("": the line itself) and the member */
    const char *name;        /* NULL until name_columns */
    int group;               /* columns are printed by groups, in a group as they were added */
};

/* A value that a record has. */
struct cell {
    size_t column;
    struct json_span value; /* in the line */
};

struct row {
    const struct record *record;
    struct cell *item;
    size_t count, capacity;
};

struct folder_export {
    const struct run_folder *folder;
    struct run_traces traces;
    const struct run_trace **trace_of; /* of each line of records.jsonl; NULL: none */
    struct row *rows;                  /* of the folder's records */
};

struct csv_export {
    struct pool *pool;
    struct folder_export *folders;
    size_t count;
    struct LIST_OF(struct column) columns;
    size_t *order; /* of the columns, by group */
    struct name_order problems, series; /* their keys; equal numbers are the same problem or series */
    struct LIST_OF(const char *) labels; /* of the series */
    int has_plane; /* some trace has the columns w1 and w2 */
};

/* The index of a record in its file, from 0. */
static size_t record_index(const struct run_folder *folder, const struct record *record)
{
    return (size_t)(record - folder->file.all);
}

/* ---- columns ---- */

/* Whether the member says nothing about the result: the format version, and the position in file and plan. */
static int is_left_out(enum source source, const char *outer, const char *key)
{
    return !*outer && strcmp(key, source == OF_RECORD ? "schema" : "index") == 0;
}

/* The index of the column, which is added if it is new. */
static size_t column_of(struct csv_export *export, enum source source, const char *outer, const char *key)
{
    enum { OF_OTHER = 1000 }; /* more than the rows of record_members */
    const struct member *row = members_find(record_members, *outer ? outer : key);
    for (size_t i = 0; i < export->columns.count; i++) {
        const struct column *column = &export->columns.item[i];
        if (column->source == source && strcmp(column->key, key) == 0 && strcmp(column->outer, outer) == 0)
            return i;
    }
    *pool_push(export->pool, &export->columns) =
        (struct column){source, pool_strdup(export->pool, outer), pool_strdup(export->pool, key), NULL,
                        source == OF_RECORD && row ? (int)(row - record_members) : OF_OTHER + (int)source};
    return export->columns.count - 1;
}

/* params.NAME is called NAME, kernel.type kernel, stop.rule stop, stop.tolerance tolerance; any other member of an
 * object is called OBJECT_MEMBER. */
static const char *short_name(struct pool *pool, const struct column *column)
{
    const char *const outer = column->source == OF_RECORD ? column->outer : "";
    if (!*column->outer || strcmp(outer, "params") == 0 ||
        (strcmp(outer, "stop") == 0 && strcmp(column->key, "tolerance") == 0))
        return column->key;
    if ((strcmp(outer, "kernel") == 0 && strcmp(column->key, "type") == 0) ||
        (strcmp(outer, "stop") == 0 && strcmp(column->key, "rule") == 0))
        return outer;
    return pool_printf(pool, "%s_%s", column->outer, column->key);
}

static int is_taken(const struct csv_export *export, const char *name)
{
    static const char *const reserved[] = {"folder", "record", "trace", NULL}; /* which the table itself adds */
    for (size_t i = 0; i < export->columns.count; i++)
        if (export->columns.item[i].name && strcmp(export->columns.item[i].name, name) == 0)
            return 1;
    return texts_have(reserved, name);
}

/* Names a column, by its path in the line if another has the short name: a parameter "seconds" is params.seconds, a
 * member "outcome" of timings.jsonl is timings.outcome. */
static void name_column(struct csv_export *export, struct column *column)
{
    const char *name = short_name(export->pool, column);
    if (!column->name && is_taken(export, name))
        name = pool_printf(export->pool, "%s%s%s%s",
                           column->source == OF_TIMES ? "timings." : *column->outer ? "" : "record.", column->outer,
                           *column->outer ? "." : "", column->key);
    column->name = column->name ? column->name : name;
}

/* Adds a column that every table has; no other takes its name. */
static void add_usual(struct csv_export *export, enum source source, const char *outer, const char *key)
{
    const size_t column = column_of(export, source, outer, key);
    name_column(export, &export->columns.item[column]);
}

static void add_usual_columns(struct csv_export *export)
{
    for (const struct member *row = record_members; row->kind != MEMBER_LAST; row++) {
        const struct member *inner = row->kind == MEMBER_PART ? row->inner : NULL;
        for (; inner && inner->kind != MEMBER_LAST; inner++)
            add_usual(export, OF_RECORD, row->key, inner->key);
        if (row->kind != MEMBER_PART && row->kind != MEMBER_JSON_OBJECT && !is_left_out(OF_RECORD, "", row->key))
            add_usual(export, OF_RECORD, "", row->key);
    }
    add_usual(export, OF_RECORD, "kernel", "type");
    add_usual(export, OF_RECORD, "stop", "rule");
    add_usual(export, OF_RECORD, "stop", "tolerance");
    for (const struct member *row = run_info_data_members; row->kind != MEMBER_LAST; row++)
        if (row->flags & RUN_INFO_EXPORTED)
            add_usual(export, OF_INFO, "", row->measure);
    add_usual(export, OF_TIMES, "", "seconds");
    add_usual(export, OF_PROBLEM, "", "problem");
    add_usual(export, OF_PROBLEM, "", "series");
}

/* Orders the columns, and names the others: first the members of records except parameters, then parameters, then
 * times; whichever comes first gets the short name. */
static void name_columns(struct csv_export *export)
{
    struct column *columns = export->columns.item;
    const size_t n = export->columns.count;
    size_t at;
    export->order = pool_array(export->pool, n, sizeof *export->order);
    for (size_t i = 0; i < n; i++) {
        for (at = i; at > 0 && columns[export->order[at - 1]].group > columns[i].group; at--)
            export->order[at] = export->order[at - 1];
        export->order[at] = i;
    }
    for (int all = 0; all < 2; all++)
        for (size_t i = 0; i < n; i++) {
            struct column *column = &columns[export->order[i]];
            if (all || (column->source != OF_TIMES && strcmp(column->outer, "params") != 0))
                name_column(export, column);
        }
}

/* ---- cells ---- */

/* Takes the members of an object and of the objects in it; lists and deeper levels are ignored. A failed job's reason
 * is in its record and in its times, or only in its times: both become the record's reason. */
static void take_object(struct csv_export *export, struct row *row, enum source source, const char *outer,
                        const cJSON *object)
{
    json_each (value, object) {
        if (cJSON_IsObject(value) && !*outer)
            take_object(export, row, source, value->string, value);
        if (cJSON_IsObject(value) || cJSON_IsArray(value) || is_left_out(source, outer, value->string))
            continue;
        const int is_reason = source == OF_TIMES && !*outer && strcmp(value->string, "failed") == 0;
        const size_t column = is_reason ? column_of(export, OF_RECORD, "", "reason")
                                        : column_of(export, source, outer, value->string);
        if (!cJSON_IsNull(value) && !(is_reason && row->record->reason))
            *pool_push(export->pool, row) = (struct cell){column, json_span_of(value)};
    }
}

static void put_text(struct csv_export *export, struct row *row, enum source source, const char *key, const char *text)
{
    *pool_push(export->pool, row) = (struct cell){column_of(export, source, "", key), {text, strlen(text)}};
}

/* Puts the members of run.json that are columns: of the run, or of one of its data sets. */
static void put_info(struct csv_export *export, struct row *row, const struct member *members, const void *from)
{
    for (; members->kind != MEMBER_LAST; members++) {
        if (!(members->flags & RUN_INFO_EXPORTED))
            continue;
        const char *text = members->kind == MEMBER_TEXT
                               ? *(const char *const *)((const char *)from + members->offset)
                               : pool_printf(export->pool, "%.15g", member_number(members, from));
        if (text)
            put_text(export, row, OF_INFO, members->measure ? members->measure : members->key, text);
    }
}

/* Puts the number of the problem and the name of the series. `all` are the records of all folders. */
static void put_problem(struct csv_export *export, struct row *row, const struct records *all)
{
    const size_t problem = name_order_take(&export->problems, problem_key(row->record));
    const size_t series = name_order_take(&export->series, series_key(row->record));
    if (series == export->labels.count)
        *pool_push(export->pool, &export->labels) = series_label(export->pool, row->record, all, 0);
    put_text(export, row, OF_PROBLEM, "problem", pool_printf(export->pool, "%zu", problem));
    put_text(export, row, OF_PROBLEM, "series", export->labels.item[series]);
}

/* Makes the folder's rows. */
static void take_rows(struct csv_export *export, struct folder_export *of, const struct records *all)
{
    const struct run_folder *folder = of->folder;
    const struct records *records = &folder->file.records;
    struct pool *json = pool_new(); /* of the tree of one line at a time */
    const size_t n_sets = folder->run.data.count;
    struct name_order sets = {.pool = export->pool};
    const struct run_info_data **by_set = pool_array(export->pool, n_sets + 1, sizeof *by_set); /* NULL: not listed */
    for (size_t d = n_sets; d-- > 0;)
        by_set[name_order_add(&sets, folder->run.data.item[d].dataset)] = &folder->run.data.item[d];
    of->rows = pool_array(export->pool, records->count + 1, sizeof *of->rows);
    for (size_t i = 0; i < records->count; i++) {
        struct row *row = &of->rows[i];
        const struct record *record = row->record = records->items[i];
        const struct run_info_data *data = by_set[name_order_find(&sets, record->dataset)];
        const size_t index = record_index(folder, record);
        take_object(export, row, OF_RECORD, "", json_parse_line(json, record->text, NULL));
        if (index < folder->timings.count)
            take_object(export, row, OF_TIMES, "", json_parse_line(json, folder->timings.line[index], NULL));
        if (data && data->n_train)
            put_info(export, row, run_info_data_members, data);
        put_info(export, row, run_info_members, &folder->run);
        put_problem(export, row, all);
    }
    pool_free(json);
}

/* ---- reading ---- */

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

/* Leaves the records of the selection, and their traces. */
static void select_records(struct pool *pool, struct csv_export *export, struct run_folders *folders,
                           const cJSON *selection)
{
    struct records left = {.pool = pool};
    const struct known_names known = known_names_of(pool, folders);
    selection_check(selection, NULL, &known);
    for (size_t f = 0; f < folders->count; f++)
        records_append(&left, &folders->items[f].file.records);
    selection_keep(selection, NULL, STATUS_NOT_FOUND, &left);
    for (size_t f = 0; f < folders->count; f++) {
        struct records *records = &folders->items[f].file.records;
        size_t n = 0;
        for (size_t i = 0; i < records->count; i++)
            if (selection_matches(selection, records->items[i]))
                records->items[n++] = records->items[i];
            else
                export->folders[f].trace_of[record_index(&folders->items[f], records->items[i])] = NULL;
        records->count = n;
    }
}

const struct csv_export *csv_export_open(struct pool *pool, struct run_folders *folders, const cJSON *selection)
{
    struct csv_export *export = pool_alloc(pool, sizeof *export);
    struct records all = {.pool = pool};
    export->pool = export->problems.pool = export->series.pool = pool;
    export->folders = pool_array(pool, folders->count, sizeof *export->folders);
    export->count = folders->count;
    for (size_t i = 0; i < folders->count; i++) {
        for (size_t j = 0; j < i; j++)
            if (file_is_same(folders->items[i].path, folders->items[j].path))
                die(STATUS_BAD_INPUT, "%s: occurs twice", folders->items[i].path);
        read_folder(pool, &export->folders[i], &folders->items[i]);
        for (size_t t = 0; t < export->folders[i].traces.n; t++)
            export->has_plane |= export->folders[i].traces.items[t].plane;
    }
    if (selection)
        select_records(pool, export, folders, selection);
    for (size_t i = 0; i < folders->count; i++)
        records_append(&all, &folders->items[i].file.records);
    add_usual_columns(export);
    for (size_t i = 0; i < folders->count; i++)
        take_rows(export, &export->folders[i], &all);
    name_columns(export);
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

static void put_row(FILE *stream, const struct csv_export *export, const struct folder_export *of,
                    const struct row *row, struct json_span *cells)
{
    const size_t index = record_index(of->folder, row->record);
    memset(cells, 0, export->columns.count * sizeof *cells);
    for (size_t i = 0; i < row->count; i++)
        cells[row->item[i].column] = row->item[i].value;
    put_folder(stream, export, of);
    fprintf(stream, "%zu", index);
    for (size_t i = 0; i < export->columns.count; i++) {
        fputc(',', stream);
        put_cell(stream, &cells[export->order[i]]);
    }
    fputc(',', stream);
    if (of->trace_of[index]) {
        char *name = xasprintf("traces/%s", of->trace_of[index]->name);
        csv_text(stream, name);
        free(name);
    }
    fputs("\r\n", stream);
}

void csv_export_records(const struct csv_export *opened, FILE *stream)
{
    struct json_span *cells = xcalloc(opened->columns.count, sizeof *cells);
    fputs(opened->count > 1 ? "folder,record" : "record", stream);
    for (size_t i = 0; i < opened->columns.count; i++) {
        fputc(',', stream);
        csv_text(stream, opened->columns.item[opened->order[i]].name);
    }
    fputs(",trace\r\n", stream);
    for (const struct folder_export *of = opened->folders; of < opened->folders + opened->count; of++)
        for (size_t i = 0; i < of->folder->file.records.count; i++)
            put_row(stream, opened, of, &of->rows[i], cells);
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
