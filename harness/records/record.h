/*
 * A record: one line of records.jsonl (docs/formats.md), checked when it is read. All verbs that read results use this
 * representation.
 */
#ifndef HULLBENCH_RECORD_H
#define HULLBENCH_RECORD_H

#include "harness/records/plan_order.h"
#include "harness/run/record_line.h"
#include "harness/support/file.h"

/* The whole record; release it with cJSON_Delete. */
struct cJSON *record_json(const struct record *record);
/* Texts that are equal for equal measurements: data set, split, solver, params, kernel, stop. Both malloc'ed. */
char *measurement_key(const char *dataset, size_t split, const char *solver, const char *params, const char *kernel,
                      const char *stop);
char *record_key(const struct record *record);
/* Orders records by what was measured, with record_key; 0: the same measurement. */
int record_compare(const struct record *a, const struct record *b);
/* Whether params, kernel and stop are equal. */
int record_same_settings(const struct record *a, const struct record *b);
/* The setting of that name, or NULL. "params.NAME", "kernel.NAME" and "stop.NAME" search only that object;
 * "kernel.type" and "stop.rule" are the settings named kernel and stop. */
const struct setting *record_setting(const struct record *record, const char *name);
/* The setting that such a name means: "kernel.width" is width, "kernel.type" kernel, "stop.rule" stop. */
const char *setting_of_name(const char *name);

/* A list of records stored elsewhere, in files of one or several folders. Zero-initialise but for the pool. */
struct records {
    const struct record **items;
    size_t count, capacity;
    struct pool *pool;
};
void records_add(struct records *records, const struct record *record);
void records_append(struct records *records, const struct records *more);
/* Adds all of `more`, then removes each record that repeats an earlier one: same data set, split, solver, params,
 * kernel and stop. STATUS_BAD_INPUT, naming both, if the results of two such records differ. */
void records_join(struct records *records, const struct records *more);

/* A file of records. */
struct record_file {
    const char *path;
    struct pool *pool;
    struct string_list lines;     /* all lines of the file */
    struct record *all;     /* one per line, once parsed */
    size_t n_all;
    struct records records; /* those that do not repeat an earlier one, in file order */
    struct name_order texts; /* strings shared by the records */
    struct name_order combinations; /* of params, kernel and stop, as in the file */
    struct records owners;          /* the first record of each, which owns its settings */
    struct pool *json;              /* the tree of one line at a time */
};

/* Reads the lines. STATUS_BAD_INPUT if the file does not exist or does not end with a newline. */
void record_file_read_lines(struct pool *pool, const char *path, struct record_file *file);
/* Parses the lines read. STATUS_BAD_INPUT names file, line and member of a damaged record, or of one that contradicts
 * an earlier record (records_join). */
void record_file_parse(struct record_file *file);
/* Takes the elements of the array `list`, the member "records" of the reference counts `path`, as records. They
 * have what was measured, the outcome and some of the numbers, but no split source, lines or texts.
 * STATUS_BAD_INPUT names element and member. Repeated records are kept. */
void record_file_take(struct pool *pool, const char *path, const struct cJSON *list, struct record_file *file);

/*
 * Lines of records are compared member by member, as text: numbers that differ in the last digit differ, and numbers
 * written identically are equal.
 */

/* A member in which two objects differ: a path such as "kernel_operations.predict", and both values, or "missing". */
struct json_difference {
    const char *path, *was, *is;
};
struct json_differences LIST_OF(struct json_difference);

/* Compares two records or other objects; a line that is no JSON object has no members. The differences are in the order
 * of `was`, in each object followed by members that only `is` has. */
struct json_differences record_diff(struct pool *pool, const char *was, const char *is);

/* The number, from 1, of the first line that differs between two texts. */
size_t text_first_difference(const char *a, const char *b);

#endif
