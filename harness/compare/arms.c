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
#include "harness/support/file.h"
#include "harness/records/same_splits.h"

static const char *const options[SIDES] = {"--against", "--solver"};

static const cJSON *member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static enum status no_memory(struct error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "comparison: out of memory");
}

/* ---- names ---- */

static int has_solver(const struct records *records, const char *solver)
{
    for (size_t i = 0; i < records->count; i++)
        if (strcmp(records->items[i].solver, solver) == 0)
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
        if (has_solver(&before, records->items[i].solver))
            continue;
        ++*n;
        if (used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", records->items[i].solver);
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
        sides->solvers[side] = records->items[0].solver;
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
        size_t size = strlen(name) + strlen(path) + 4;
        sides->labels[s] = malloc(size);
        if (!sides->labels[s])
            return no_memory(error);
        snprintf(sides->labels[s], size, one_name ? "%s (%s)" : "%s", name, path);
    }
    return STATUS_OK;
}

/* ---- whether they may be compared ---- */

static enum status check_alike(const struct runs *runs, const char *key, const char *fallback, struct error *error)
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

static enum status check_folders(const struct runs *runs, struct error *error)
{
    if (runs->count < SIDES)
        return STATUS_OK;
    enum status status = folders_check_splits(&runs->items[0], &runs->items[1], error);
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

static enum status read_times(const char *folder, size_t n_records, double **seconds, struct error *error)
{
    char *path = path_join(folder, "timings.jsonl"), *text = NULL;
    enum status status = path ? file_read(path, &text, NULL, error) : no_memory(error);
    *seconds = status == STATUS_OK ? malloc((n_records + 1) * sizeof **seconds) : NULL;
    if (status == STATUS_OK && !*seconds)
        status = no_memory(error);
    size_t n = 0;
    for (char *line = text, *end; status == STATUS_OK && line && *line; line = end + 1, n++) {
        end = strchr(line, '\n');
        cJSON *json = end ? cJSON_ParseWithLength(line, (size_t)(end - line)) : NULL;
        const cJSON *index = member(json, "index"), *value = member(json, "seconds");
        if (n < n_records && cJSON_IsNumber(index) && index->valuedouble == (double)n && cJSON_IsNumber(value))
            (*seconds)[n] = value->valuedouble;
        else
            status = error_set(error, STATUS_BAD_INPUT, "%s:%zu: not the time of record %zu of %zu", path, n + 1, n,
                               n_records);
        cJSON_Delete(json);
        if (!end)
            break;
    }
    if (status == STATUS_OK && n < n_records)
        status = error_set(error, STATUS_BAD_INPUT, "%s: %zu times of %zu records", path, n, n_records);
    if (status != STATUS_OK) {
        free(*seconds);
        *seconds = NULL;
    }
    free(text);
    free(path);
    return status;
}

static size_t lines_of(const struct records *records)
{
    size_t most = 0;
    for (size_t i = 0; i < records->count; i++)
        most = records->items[i].line > most ? records->items[i].line : most;
    return most;
}

/* Gives up those of both, and says why. */
static enum status drop_times(struct sides *sides, const char *why, struct error *error)
{
    for (int s = 0; s < SIDES; s++) {
        free(sides->seconds[s]);
        sides->seconds[s] = NULL;
    }
    free(sides->without_times);
    sides->without_times = strdup(why);
    return sides->without_times ? STATUS_OK : no_memory(error);
}

/* Whether a record of the solver has kernel operations: without, its time has its kernel values in it
 * (docs/formats.md). */
static int is_counted(const struct sides *sides, int side)
{
    double operations;
    const struct records *records = sides->records[side];
    for (size_t i = 0; i < records->count; i++)
        if (strcmp(records->items[i].solver, sides->solvers[side]) == 0 &&
            record_number(&records->items[i], "kernel_operations.iterations", &operations))
            return 1;
    return 0;
}

static enum status take_times(struct sides *sides, struct error *error)
{
    char machines[SIDES][256], why[640];
    const int *counted = sides->counted;
    for (int s = 0; s < SIDES; s++)
        sides->counted[s] = is_counted(sides, s);
    if (counted[BASELINE] != counted[CHALLENGER]) {
        snprintf(why, sizeof why,
                 "Times are not compared: those of %s have its kernel values in them, those of %s have not.",
                 sides->labels[counted[BASELINE] ? CHALLENGER : BASELINE],
                 sides->labels[counted[BASELINE] ? BASELINE : CHALLENGER]);
        return drop_times(sides, why, error);
    }
    for (int s = 0; s < SIDES; s++)
        describe_machine(&sides->runs.items[s < (int)sides->runs.count ? s : 0], machines[s], sizeof machines[s]);
    if (strcmp(machines[0], machines[1]) != 0 || !*machines[0]) {
        snprintf(why, sizeof why, "Times are not compared: taken on %s and on %s.",
                 *machines[0] ? machines[0] : "an unknown machine", *machines[1] ? machines[1] : "an unknown machine");
        return drop_times(sides, why, error);
    }
    for (int s = 0; s < SIDES; s++) {
        const struct run_folder *run = &sides->runs.items[s < (int)sides->runs.count ? s : 0];
        enum status status = read_times(run->path, lines_of(sides->records[s]), &sides->seconds[s], error);
        if (status == STATUS_NOT_FOUND) {
            snprintf(why, sizeof why, "Times are not compared: %s has no timings.jsonl.", run->path);
            return drop_times(sides, why, error);
        }
        if (status != STATUS_OK)
            return status;
    }
    sides->without_times = strdup("");
    return sides->without_times ? STATUS_OK : no_memory(error);
}

double sides_seconds(const struct sides *sides, const struct pair *pair, enum side side)
{
    return sides->seconds[side] ? sides->seconds[side][pair->records[side]->line - 1] : (double)NAN;
}

/* ---- all ---- */

static enum status read_folders(const char *const folders[SIDES], struct sides *sides, struct error *error)
{
    size_t n = strcmp(folders[0], folders[1]) == 0 ? 1 : SIDES;
    enum status status = runs_read(folders, n, &sides->runs, error);
    for (size_t i = 0; i < n && status == STATUS_OK; i++) {
        const struct runs one = {.items = &sides->runs.items[i], .count = 1};
        status = runs_records(&one, NULL, &sides->read[i], error);
        if (status == STATUS_OK && sides->read[i].count == 0)
            status = error_set(error, STATUS_NOT_FOUND, "%s: no records", folders[i]);
    }
    for (size_t s = 0; s < SIDES; s++)
        sides->records[s] = &sides->read[s < n ? s : 0];
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
    for (int s = 0; s < SIDES; s++) {
        records_free(&sides->read[s]);
        free(sides->labels[s]);
        free(sides->seconds[s]);
    }
    free(sides->without_times);
    runs_free(&sides->runs);
    *sides = (struct sides){0};
}
