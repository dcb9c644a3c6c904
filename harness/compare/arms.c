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

static const char *const options[ARMS] = {"--against", "--solver"};

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

/* The solvers of the records, in their order, with commas between, malloc'ed; how many in *n. */
static char *list_solvers(const struct records *records, size_t *n)
{
    char *text;
    size_t size;
    FILE *stream = xopen_text(&text, &size);
    *n = 0;
    for (size_t i = 0; i < records->count; i++) {
        const struct records before = {.items = records->items, .count = i};
        if (!has_solver(&before, records->items[i]->solver))
            fprintf(stream, "%s%s", (*n)++ ? ", " : "", records->items[i]->solver);
    }
    xclose_text(stream);
    return text;
}

static struct run_folder *folder_of(struct arms *arms, int arm)
{
    return &arms->runs.items[arm < (int)arms->runs.count ? arm : 0];
}

static enum status choose_solver(struct arms *arms, enum arm arm, const char *given, const char *other,
                                 struct error *error)
{
    const struct records *records = arms->records[arm];
    const char *folder = folder_of(arms, (int)arm)->path;
    size_t n;
    char *names = list_solvers(records, &n);
    enum status status = STATUS_OK;
    if (given && has_solver(records, given))
        arms->solvers[arm] = given;
    else if (given)
        status = error_set(error, STATUS_BAD_INPUT, "%s: %s has no records of \"%.64s\"; it has those of: %s",
                           options[arm], folder, given, names);
    else if (n == 1)
        arms->solvers[arm] = records->items[0]->solver;
    else if (arms->runs.count > 1 && other && has_solver(records, other))
        arms->solvers[arm] = other;
    else
        status = error_set(error, STATUS_BAD_INPUT, "%s: %s has records of several solvers, name one of them: %s",
                           options[arm], folder, names);
    free(names);
    return status;
}

static enum status choose_solvers(struct arms *arms, const char *const given[ARMS], struct error *error)
{
    enum status status = choose_solver(arms, BASELINE, given[BASELINE], given[CANDIDATE], error);
    if (status == STATUS_OK)
        status = choose_solver(arms, CANDIDATE, given[CANDIDATE], arms->solvers[BASELINE], error);
    if (status != STATUS_OK)
        return status;
    int one_name = strcmp(arms->solvers[BASELINE], arms->solvers[CANDIDATE]) == 0;
    if (one_name && arms->runs.count == 1)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: %s against itself, in one folder: name two solvers, or give two folders",
                         arms->runs.items[0].path, arms->solvers[BASELINE]);
    for (int s = 0; s < ARMS; s++) {
        const char *name = arms->solvers[s], *path = arms->runs.items[one_name ? s : 0].path;
        arms->labels[s] = one_name ? xasprintf("%s (%s)", name, path) : xstrdup(name);
    }
    return STATUS_OK;
}

/* ---- whether they may be compared ---- */

static enum status check_alike(const struct run_folders *runs, const char *key, const char *fallback,
                               struct error *error)
{
    char shown[ARMS][72];
    for (int s = 0; s < ARMS; s++) {
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
    if (runs->count < ARMS)
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
static int is_counted(const struct arms *arms, int arm)
{
    const struct records *records = arms->records[arm];
    for (size_t i = 0; i < records->count; i++)
        if (strcmp(records->items[i]->solver, arms->solvers[arm]) == 0 &&
            !isnan(records->items[i]->field[FIELD_KERNEL_OPERATIONS]))
            return 1;
    return 0;
}

/* Reads the times of both arms, or says why they are not compared. */
static enum status take_times(struct arms *arms, struct error *error)
{
    char machines[ARMS][256];
    const int *counted = arms->counted;
    for (int s = 0; s < ARMS; s++) {
        arms->counted[s] = is_counted(arms, s);
        describe_machine(folder_of(arms, s), machines[s], sizeof machines[s]);
    }
    if (counted[BASELINE] != counted[CANDIDATE])
        arms->without_times =
            xasprintf("Times are not compared: those of %s have its kernel values in them, those of %s have not.",
                      arms->labels[counted[BASELINE] ? CANDIDATE : BASELINE],
                      arms->labels[counted[BASELINE] ? BASELINE : CANDIDATE]);
    else if (strcmp(machines[0], machines[1]) != 0 || !*machines[0])
        arms->without_times = xasprintf("Times are not compared: taken on %s and on %s.",
                                        *machines[0] ? machines[0] : "an unknown machine",
                                        *machines[1] ? machines[1] : "an unknown machine");
    for (int s = 0; s < ARMS && !arms->without_times; s++) {
        enum status status = run_folder_read_times(folder_of(arms, s), error);
        if (status == STATUS_NOT_FOUND)
            arms->without_times =
                xasprintf("Times are not compared: %s has no timings.jsonl.", folder_of(arms, s)->path);
        else if (status != STATUS_OK)
            return status;
    }
    if (!arms->without_times)
        arms->without_times = xstrdup("");
    return STATUS_OK;
}

double arms_seconds(const struct arms *arms, const struct pair *pair, enum arm arm)
{
    return *arms->without_times ? (double)NAN : pair->records[arm]->seconds;
}

/* ---- all ---- */

static enum status read_folders(const char *const folders[ARMS], struct arms *arms, struct error *error)
{
    size_t n = strcmp(folders[0], folders[1]) == 0 ? 1 : ARMS;
    enum status status = run_folders_read(folders, n, FOLDER_CONFIG, &arms->runs, error);
    for (size_t i = 0; i < n && status == STATUS_OK; i++) {
        status = run_folder_read_records(&arms->runs.items[i], error);
        if (status == STATUS_OK && arms->runs.items[i].file.records.count == 0)
            status = error_set(error, STATUS_NOT_FOUND, "%s: no records", folders[i]);
    }
    for (int s = 0; s < ARMS && status == STATUS_OK; s++)
        arms->records[s] = &folder_of(arms, s)->file.records;
    return status;
}

enum status arms_read(const char *const folders[ARMS], const char *const solvers[ARMS], struct arms *arms,
                       struct error *error)
{
    *arms = (struct arms){0};
    enum status status = read_folders(folders, arms, error);
    if (status == STATUS_OK)
        status = choose_solvers(arms, solvers, error);
    if (status == STATUS_OK)
        status = check_folders(&arms->runs, error);
    return status == STATUS_OK ? take_times(arms, error) : status;
}

void arms_free(struct arms *arms)
{
    for (int s = 0; s < ARMS; s++)
        free(arms->labels[s]);
    free(arms->without_times);
    run_folders_free(&arms->runs);
}
