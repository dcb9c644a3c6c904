/*
 * What may be compared: records of one folder; or of two, if what they share by name (data set and number of a split)
 * is the same there, and what is learnt and counted is prepared alike. Times are of one kind only when the same
 * processor took them, with as many threads at work.
 */
#include "harness/compare/arms.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/json_field.h"
#include "harness/program/memory.h"
#include "harness/records/same_splits.h"

static const char *const options[SIDES] = {"--against", "--solver"};

static const cJSON *member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* ---- names ---- */

static int has_solver(const struct records *records, const char *solver)
{
    for (size_t i = 0; i < records->count; i++)
        if (strcmp(records->items[i]->solver, solver) == 0)
            return 1;
    return 0;
}

/* The solvers of the records, in their order, with commas between; how many in *n. */
static void list_solvers(const struct records *records, char *text, size_t size, size_t *n)
{
    size_t used = 0;
    *n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < records->count; i++) {
        const struct records before = {.items = records->items, .count = i};
        if (has_solver(&before, records->items[i]->solver))
            continue;
        ++*n;
        if (used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", records->items[i]->solver);
    }
}

static enum status choose_solver(struct sides *sides, enum side side, const char *given, const char *other,
                                 struct error *error)
{
    char names[512];
    size_t n;
    const struct records *records = sides->records[side];
    const char *folder = sides->runs.items[side < sides->runs.count ? side : 0].path;
    list_solvers(records, names, sizeof names, &n);
    if (given && !has_solver(records, given))
        return error_set(error, STATUS_BAD_INPUT, "%s: %s has no records of \"%.64s\"; it has those of: %s",
                         options[side], folder, given, names);
    if (given)
        sides->solvers[side] = given;
    else if (n == 1)
        sides->solvers[side] = records->items[0]->solver;
    else if (sides->runs.count > 1 && other && has_solver(records, other))
        sides->solvers[side] = other;
    else
        return error_set(error, STATUS_BAD_INPUT, "%s: %s has records of several solvers, name one of them: %s",
                         options[side], folder, names);
    return STATUS_OK;
}

static enum status choose_solvers(struct sides *sides, const char *const given[SIDES], struct error *error)
{
    enum status status = choose_solver(sides, BASELINE, given[BASELINE], given[CHALLENGER], error);
    if (status == STATUS_OK)
        status = choose_solver(sides, CHALLENGER, given[CHALLENGER], sides->solvers[BASELINE], error);
    if (status != STATUS_OK)
        return status;
    int one_name = strcmp(sides->solvers[BASELINE], sides->solvers[CHALLENGER]) == 0;
    if (one_name && sides->runs.count == 1)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: %s against itself, in one folder: name two solvers, or give two folders",
                         sides->runs.items[0].path, sides->solvers[BASELINE]);
    for (int s = 0; s < SIDES; s++) {
        const char *name = sides->solvers[s], *path = sides->runs.items[one_name ? s : 0].path;
        sides->labels[s] = one_name ? xasprintf("%s (%s)", name, path) : xstrdup(name);
    }
    return STATUS_OK;
}

/* ---- whether they may be compared ---- */

static enum status check_alike(const struct run_folders *runs, const char *key, const char *fallback, struct error *error)
{
    char shown[SIDES][72];
    for (int s = 0; s < SIDES; s++) {
        const cJSON *value = member(runs->items[s].config, key);
        if (value)
            json_to_text(value, shown[s], sizeof shown[s]);
        else
            snprintf(shown[s], sizeof shown[s], "%s", fallback);
    }
    if (strcmp(shown[0], shown[1]) == 0)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT, "%s has %s %s and %s has %s: their records cannot be compared",
                     runs->items[0].path, key, shown[0], runs->items[1].path, shown[1]);
}

static enum status check_folders(const struct run_folders *runs, struct error *error)
{
    if (runs->count < SIDES)
        return STATUS_OK;
    enum status status = run_folder_check_splits(&runs->items[0], &runs->items[1], error);
    if (status == STATUS_OK)
        status = check_alike(runs, "standardise", "not given", error);
    return status == STATUS_OK ? check_alike(runs, "support_vector_threshold", "1e-06", error) : status;
}

/* ---- times ---- */

/* What the folder says of itself; "" where it says nothing. */
static void describe_machine(const struct run_folder *run, char *text, size_t size)
{
    const cJSON *machine = member(run->info, "machine"), *threads = member(machine, "threads");
    const char *processor = cJSON_GetStringValue(member(machine, "processor"));
    text[0] = '\0';
    if (processor && cJSON_IsNumber(threads))
        snprintf(text, size, "%s with %.0f thread%s", processor, threads->valuedouble,
                 threads->valuedouble > 1 ? "s" : "");
}

/* Whether a record of the solver has kernel operations: without, its time has its kernel values in it
 * (docs/formats.md). */
static int is_counted(const struct sides *sides, int side)
{
    const struct records *records = sides->records[side];
    for (size_t i = 0; i < records->count; i++)
        if (strcmp(records->items[i]->solver, sides->solvers[side]) == 0 &&
            !isnan(records->items[i]->field[FIELD_KERNEL_OPERATIONS]))
            return 1;
    return 0;
}

static struct run_folder *folder_of(struct sides *sides, int side)
{
    return &sides->runs.items[side < (int)sides->runs.count ? side : 0];
}

/* Reads the times of both sides, or says why they are not compared. */
static enum status take_times(struct sides *sides, struct error *error)
{
    char machines[SIDES][256];
    const int *counted = sides->counted;
    for (int s = 0; s < SIDES; s++) {
        sides->counted[s] = is_counted(sides, s);
        describe_machine(folder_of(sides, s), machines[s], sizeof machines[s]);
    }
    if (counted[BASELINE] != counted[CHALLENGER])
        sides->without_times =
            xasprintf("Times are not compared: those of %s have its kernel values in them, those of %s have not.",
                      sides->labels[counted[BASELINE] ? CHALLENGER : BASELINE],
                      sides->labels[counted[BASELINE] ? BASELINE : CHALLENGER]);
    else if (strcmp(machines[0], machines[1]) != 0 || !*machines[0])
        sides->without_times =
            xasprintf("Times are not compared: taken on %s and on %s.", *machines[0] ? machines[0] : "an unknown machine",
                      *machines[1] ? machines[1] : "an unknown machine");
    for (int s = 0; s < SIDES && !sides->without_times; s++) {
        enum status status = run_folder_read_times(folder_of(sides, s), error);
        if (status == STATUS_NOT_FOUND)
            sides->without_times =
                xasprintf("Times are not compared: %s has no timings.jsonl.", folder_of(sides, s)->path);
        else if (status != STATUS_OK)
            return status;
    }
    if (!sides->without_times)
        sides->without_times = xstrdup("");
    return STATUS_OK;
}

double sides_seconds(const struct sides *sides, const struct pair *pair, enum side side)
{
    return *sides->without_times ? (double)NAN : pair->records[side]->seconds;
}

/* ---- all ---- */

static enum status read_folders(const char *const folders[SIDES], struct sides *sides, struct error *error)
{
    size_t n = strcmp(folders[0], folders[1]) == 0 ? 1 : SIDES;
    enum status status = run_folders_read(folders, n, FOLDER_CONFIG, &sides->runs, error);
    for (size_t i = 0; i < n && status == STATUS_OK; i++) {
        status = run_folder_read_records(&sides->runs.items[i], error);
        if (status == STATUS_OK && sides->runs.items[i].file.records.count == 0)
            status = error_set(error, STATUS_NOT_FOUND, "%s: no records", folders[i]);
    }
    for (int s = 0; s < SIDES && status == STATUS_OK; s++)
        sides->records[s] = &folder_of(sides, s)->file.records;
    return status;
}

enum status sides_read(const char *const folders[SIDES], const char *const solvers[SIDES], struct sides *sides,
                       struct error *error)
{
    *sides = (struct sides){0};
    enum status status = read_folders(folders, sides, error);
    if (status == STATUS_OK)
        status = choose_solvers(sides, solvers, error);
    if (status == STATUS_OK)
        status = check_folders(&sides->runs, error);
    return status == STATUS_OK ? take_times(sides, error) : status;
}

void sides_free(struct sides *sides)
{
    if (!sides)
        return;
    for (int s = 0; s < SIDES; s++)
        free(sides->labels[s]);
    free(sides->without_times);
    run_folders_free(&sides->runs);
    *sides = (struct sides){0};
}
