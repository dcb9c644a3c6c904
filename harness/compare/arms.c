/*
 * Between two folders, data sets and split numbers must mean the same, and data and counts must be prepared alike.
 * Machines must be alike in any case (harness/records/conditions.h).
 */
#include "harness/compare/arms.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"
#include "harness/support/json_field.h"
#include "harness/base/memory.h"
#include "harness/records/conditions.h"
#include "harness/records/same_splits.h"

const char *const arm_options[ARMS] = {"--against", "--solver"};

static const cJSON *member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* ---- names ---- */

static struct run_folder *folder_of(const struct arms *arms, int arm)
{
    return &arms->runs.items[arm < (int)arms->runs.count ? arm : 0];
}

static int has_solver(const struct records *records, const char *solver)
{
    for (size_t i = 0; i < records->count; i++)
        if (strcmp(records->items[i]->solver, solver) == 0)
            return 1;
    return 0;
}

/* Without a choice: the folder's only solver or, with two folders, the other arm's; NULL: neither. */
static const char *only_solver(const struct arms *arms, const struct records *records, const char *other)
{
    const char *first = records->items[0]->solver;
    for (size_t i = 1; i < records->count; i++)
        if (strcmp(records->items[i]->solver, first) != 0)
            return arms->runs.count > 1 && other && has_solver(records, other) ? other : NULL;
    return first;
}

static enum status choose_records(struct arms *arms, enum arm arm, const struct solver_choice *given,
                                  const char *other, struct error *error)
{
    const struct run_folder *folder = folder_of(arms, (int)arm);
    const struct records *records = &folder->file.records;
    const char *name = given ? given->name : only_solver(arms, records, other);
    if (!name) {
        char *names = solver_list(records);
        enum status status = error_set(error, STATUS_BAD_INPUT,
                                       "%s: %s has records of several solvers; name one of them: %s", arm_options[arm],
                                       folder->path, names);
        free(names);
        return status;
    }
    const struct solver_choice all = {.name = (char *)(uintptr_t)name};
    arms->solvers[arm] = name;
    return solver_choice_select(arm_options[arm], folder->path, given ? given : &all, records, &arms->records[arm],
                                error);
}

/* Both lists follow the order of the one array that holds the file's records. */
static int have_common_record(const struct arms *arms)
{
    const struct records *first = &arms->records[BASELINE], *second = &arms->records[CANDIDATE];
    for (size_t i = 0, j = 0; i < first->count && j < second->count;) {
        if (first->items[i] == second->items[j])
            return 1;
        if (first->items[i] < second->items[j])
            i++;
        else
            j++;
    }
    return 0;
}

static enum status choose_both(struct arms *arms, const struct solver_choice *const choices[ARMS], struct error *error)
{
    const struct solver_choice *first = choices[BASELINE], *second = choices[CANDIDATE];
    enum status status = choose_records(arms, BASELINE, first, second ? second->name : NULL, error);
    if (status == STATUS_OK)
        status = choose_records(arms, CANDIDATE, second, arms->solvers[BASELINE], error);
    if (status != STATUS_OK)
        return status;
    const char *texts[ARMS];
    for (int s = 0; s < ARMS; s++)
        texts[s] = choices[s] ? choices[s]->text : arms->solvers[s];
    if (arms->runs.count == 1 && have_common_record(arms))
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: %s and %s have records in common; name two solvers or two settings, or give two folders",
                         arms->runs.items[0].path, texts[CANDIDATE], texts[BASELINE]);
    int one_name = strcmp(texts[BASELINE], texts[CANDIDATE]) == 0;
    for (int s = 0; s < ARMS; s++)
        arms->labels[s] = one_name ? xasprintf("%s (%s)", texts[s], arms->runs.items[s].path) : xstrdup(texts[s]);
    return STATUS_OK;
}

/* ---- whether the folders may be compared ---- */

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
        status = check_alike(runs, "standardise", "\"training\"", error);
    return status == STATUS_OK ? check_alike(runs, "support_vector_threshold", "1e-06", error) : status;
}

/* ---- times ---- */

/* Whether records have kernel operations; otherwise their times include kernel values (docs/formats.md). */
static int is_counted(const struct records *records)
{
    for (size_t i = 0; i < records->count; i++)
        if (!isnan(records->items[i]->field[FIELD_KERNEL_OPERATIONS]))
            return 1;
    return 0;
}

/* Reads the times of both arms, or sets the reason why they are not compared. */
static enum status take_times(struct arms *arms, struct error *error)
{
    struct records both = {0};
    char *obstacle = NULL;
    for (int s = 0; s < ARMS; s++) {
        arms->counted[s] = is_counted(&arms->records[s]);
        records_append(&both, &arms->records[s]);
    }
    enum status status = STATUS_OK;
    for (int s = 0; s < ARMS && status == STATUS_OK && !obstacle; s++) {
        status = run_folder_read_times(folder_of(arms, s), error);
        if (status == STATUS_NOT_FOUND) {
            obstacle = xasprintf("%s has no timings.jsonl", folder_of(arms, s)->path);
            status = STATUS_OK;
        }
    }
    if (status == STATUS_OK && !obstacle)
        obstacle = records_time_obstacle(&arms->runs, &both);
    arms->without_times = obstacle ? xasprintf("Times are not compared: %s.", obstacle) : xstrdup("");
    free(obstacle);
    records_free(&both);
    return status;
}

double arms_seconds(const struct arms *arms, const struct pair *pair, enum arm arm)
{
    return *arms->without_times ? (double)NAN : record_time(pair->records[arm]);
}

/* ---- both arms ---- */

enum status arms_read_folders(const char *const folders[ARMS], struct run_folders *runs, struct error *error)
{
    size_t n = file_is_same(folders[0], folders[1]) ? 1 : ARMS;
    enum status status = run_folders_read(folders, n, FOLDER_CONFIG, runs, error);
    for (size_t i = 0; i < n && status == STATUS_OK; i++) {
        status = run_folder_read_records(&runs->items[i], error);
        if (status == STATUS_OK && runs->items[i].file.records.count == 0)
            status = error_set(error, STATUS_NOT_FOUND, "%s: no records", folders[i]);
    }
    return status == STATUS_OK ? check_folders(runs, error) : status;
}

enum status arms_choose(const struct run_folders *runs, const struct solver_choice *const choices[ARMS],
                        struct arms *arms, struct error *error)
{
    *arms = (struct arms){.runs = *runs};
    enum status status = choose_both(arms, choices, error);
    return status == STATUS_OK ? take_times(arms, error) : status;
}

void arms_free(struct arms *arms)
{
    for (int s = 0; s < ARMS; s++) {
        free(arms->labels[s]);
        records_free(&arms->records[s]);
    }
    free(arms->without_times);
}
