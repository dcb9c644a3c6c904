/*
 * A budget is found by the entry of "solvers" that a record belongs to. Entries whose records would be equal are not
 * allowed, so name, parameters and stopping rule identify it. A range is only tested by its ends; if several entries
 * remain, all their budgets are named.
 *
 * A single shot below a millisecond measures the clock, the caches and the scheduler more than the solver.
 */
#include "harness/records/conditions.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/records/record_filter.h"
#include "harness/support/string_list.h"

enum { MAX_LISTED = 4 };

static const cJSON *member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* "A, B and C", with at most MAX_LISTED elements. */
static char *join(const struct string_list *list, const char *comma, const char *last)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = xopen_text(&text, &size);
    for (size_t i = 0; i < list->count && i < MAX_LISTED; i++)
        fprintf(stream, "%s%s", i == 0 ? "" : i + 1 == list->count ? last : comma, list->line[i]);
    if (list->count > MAX_LISTED)
        fprintf(stream, "%s%zu more", last, list->count - MAX_LISTED);
    xclose_text(stream);
    return text;
}

/* ---- budgets ---- */

/* Whether an axis of the configuration may have the setting's value on the data set. */
static int axis_has(const cJSON *axis, const struct setting *setting, const char *dataset)
{
    const cJSON *item = NULL, *per = member(axis, "per_dataset"), *times = member(axis, "times");
    if (cJSON_IsArray(axis)) {
        cJSON_ArrayForEach (item, axis)
            if (setting_has_value(setting, item))
                return 1;
        return 0;
    }
    if (!cJSON_IsObject(axis))
        return setting_has_value(setting, axis);
    if (per && !times)
        return axis_has(member(per, dataset) ? member(per, dataset) : member(per, "default"), setting, dataset);
    const cJSON *from = member(axis->child, "from"), *to = member(axis->child, "to");
    const double slack = 1e-9 * fabs(setting->number);
    return times || !cJSON_IsNumber(from) || !cJSON_IsNumber(to) ||
           (setting->number >= fmin(from->valuedouble, to->valuedouble) - slack &&
            setting->number <= fmax(from->valuedouble, to->valuedouble) + slack);
}

/* Whether each member of the record's object, `params` or `stop`, is on the axis that the entry names for it. */
static int entry_has(const cJSON *axes, const char *object, const struct record *record)
{
    for (const cJSON *axis = axes ? axes->child : NULL; axis; axis = axis->next) {
        const cJSON *of_c = strcmp(axis->string, "mu") == 0 ? member(axis, "of_C") : NULL;
        char *name = xasprintf("%s.%s", object, of_c ? "C" : axis->string);
        const struct setting *setting = record_setting(record, name);
        free(name);
        if (setting && !axis_has(of_c ? of_c : axis, setting, record->dataset))
            return 0;
    }
    return 1;
}

/* The member that stands for the whole configuration unless the entry has its own. */
static const cJSON *own_or_general(const cJSON *config, const cJSON *entry, const char *key)
{
    return member(entry, key) ? member(entry, key) : member(config, key);
}

static const char *name_of(const cJSON *entry)
{
    const char *name = cJSON_GetStringValue(cJSON_IsObject(entry) ? member(entry, "name") : entry);
    return name ? name : "";
}

static int is_named(const cJSON *solvers, const char *name)
{
    const cJSON *entry = NULL;
    cJSON_ArrayForEach (entry, solvers)
        if (strcmp(name_of(entry), name) == 0)
            return 1;
    return 0;
}

/* "100 iterations and 5 seconds" */
static char *budget_text(const cJSON *budget)
{
    static const struct {
        const char *key, *noun;
    } limits[] = {{"iterations", "iterations"},
                  {"kernel_operations", "kernel operations"},
                  {"kernel_matrices", "kernel matrices of operations"},
                  {"seconds", "seconds"}};
    struct string_list parts = {0};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (cJSON_IsNumber(member(budget, limits[i].key))) {
            char *part = xasprintf("%.15g %s", member(budget, limits[i].key)->valuedouble, limits[i].noun);
            string_list_add_once(&parts, part);
            free(part);
        }
    char *text = parts.count ? join(&parts, ", ", " and ") : xstrdup("no limit");
    string_list_free(&parts);
    return text;
}

/* The budget under which the record was measured, as text; malloc'ed. */
static char *budget_of(const struct run_folder *folder, const struct record *record)
{
    const cJSON *config = folder ? folder->config : NULL, *solvers = member(config, "solvers"), *entry = NULL;
    const char *name = is_named(solvers, record->solver) ? record->solver : "*";
    struct string_list found = {0};
    cJSON_ArrayForEach (entry, solvers) {
        const cJSON *own = member(entry, "parameters");
        if (strcmp(name_of(entry), name) != 0 || !entry_has(own, "params", record) ||
            !entry_has(own_or_general(config, entry, "stop"), "stop", record))
            continue;
        char *text = budget_text(own_or_general(config, entry, "budget"));
        string_list_add_once(&found, text);
        free(text);
    }
    char *text = found.count ? join(&found, " or ", " or ") : budget_text(member(config, "budget"));
    string_list_free(&found);
    return text;
}

/* The different budgets, each with the solver of its first record and, with several folders, its folder. */
static void list_budgets(const struct run_folders *folders, const struct records *records, struct string_list *listed)
{
    struct string_list budgets = {0};
    struct name_order seen = {0}; /* what a budget depends on */
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = records->items[i];
        const struct run_folder *folder = run_folders_of(folders, record);
        const size_t distinct = seen.count;
        char *key = xasprintf("%s\n%s\n%s\n%s\n%s", folder ? folder->path : "", record->dataset, record->solver,
                              record->params_text, record->stop_text);
        const int is_new = name_order_take(&seen, key) == distinct;
        if (!is_new)
            continue;
        char *text = budget_of(folder, record);
        const size_t known = budgets.count;
        string_list_add_once(&budgets, text);
        if (budgets.count > known) {
            char *line = xasprintf("%s%s%s: %s", record->solver, folder && folders->count > 1 ? " in " : "",
                                   folder && folders->count > 1 ? folder->path : "", text);
            string_list_add_once(listed, line);
            free(line);
        }
        free(text);
    }
    name_order_free(&seen);
    string_list_free(&budgets);
}

static void list_machines(const struct run_folders *folders, const struct records *records,
                          struct string_list *machines)
{
    const struct run_folder *last = NULL;
    for (size_t i = 0; i < records->count; i++) {
        const struct run_folder *folder = run_folders_of(folders, records->items[i]);
        if (records->items[i]->failed || (folder && folder == last))
            continue;
        run_folder_machines(folder, machines);
        last = folder;
    }
}

char *records_budget_obstacle(const struct run_folders *folders, const struct records *records)
{
    struct string_list budgets = {0}, machines = {0};
    size_t at_limit = 0, timed_out = 0;
    char *obstacle = NULL;
    for (size_t i = 0; i < records->count; i++) {
        at_limit += records->items[i]->at_limit != 0;
        timed_out += records->items[i]->at_limit && strcmp(records->items[i]->outcome, "time-limit") == 0;
    }
    if (at_limit > 0)
        list_budgets(folders, records, &budgets);
    if (timed_out > 0)
        list_machines(folders, records, &machines);
    char *list = join(&budgets, "; ", "; "), *places = join(&machines, ", on ", " and on ");
    if (budgets.count > 1)
        obstacle = xasprintf("their budgets differ (%s), and %zu of the %zu runs ended at a limit", list, at_limit,
                             records->count);
    else if (machines.count > 1)
        obstacle = xasprintf("their runs were made on %s, and %zu of %zu ended at a limit of seconds", places,
                             timed_out, records->count);
    free(list);
    free(places);
    string_list_free(&budgets);
    string_list_free(&machines);
    return obstacle;
}

/* ---- machines and times ---- */

/* Describes the machine of a run, or of a part of a merged one; what the part lacks is the same in all parts. */
static void add_machine(const cJSON *part, const cJSON *all, struct string_list *machines)
{
    const cJSON *own = member(part, "machine"), *common = member(all, "machine");
    const cJSON *threads = member(own, "threads") ? member(own, "threads") : member(common, "threads");
    const char *processor =
        cJSON_GetStringValue(member(own, "processor") ? member(own, "processor") : member(common, "processor"));
    const int checks = cJSON_IsTrue(member(part, "check_rows")) || cJSON_IsTrue(member(all, "check_rows"));
    char *text = processor && cJSON_IsNumber(threads)
                     ? xasprintf("%s with %.0f thread%s%s", processor, threads->valuedouble,
                                 threads->valuedouble > 1 ? "s" : "", checks ? " and checked rows" : "")
                     : xstrdup("an unknown machine");
    string_list_add_once(machines, text);
    free(text);
}

/* A part of a merge may be a merge. */
static void add_machines(const cJSON *part, const cJSON *all, struct string_list *machines)
{
    const cJSON *inner = NULL, *parts = member(part, "merged_from");
    cJSON_ArrayForEach (inner, parts)
        add_machines(inner, member(part, "machine") ? part : all, machines);
    if (!parts)
        add_machine(part, all, machines);
}

void run_folder_machines(const struct run_folder *folder, struct string_list *machines)
{
    add_machines(folder ? folder->info : NULL, folder ? folder->info : NULL, machines);
}

static char *machine_obstacle(const struct run_folders *folders, const struct records *records)
{
    struct string_list machines = {0};
    list_machines(folders, records, &machines);
    char *places = join(&machines, ", on ", " and on "), *obstacle = NULL;
    if (machines.count > 1 || strcmp(places, "an unknown machine") == 0)
        obstacle = xasprintf("they were measured on %s", places);
    free(places);
    string_list_free(&machines);
    return obstacle;
}

/* Records without kernel operations have times that include the kernel values (docs/formats.md). */
static char *counting_obstacle(const struct records *records)
{
    const char *solvers[2] = {NULL, NULL};
    for (size_t i = 0; i < records->count; i++)
        if (!records->items[i]->failed)
            solvers[!isnan(records->items[i]->field[FIELD_KERNEL_OPERATIONS])] = records->items[i]->solver;
    return solvers[0] && solvers[1] ? xasprintf("those of %s include the kernel values, those of %s do not", solvers[0],
                                                solvers[1])
                                    : NULL;
}

static char *single_shot_obstacle(const struct records *records)
{
    size_t times = 0, single = 0, brief = 0;
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = records->items[i];
        if (record->failed || isnan(record->seconds))
            continue;
        times++;
        single += record->cpu.repeats == 0;
        brief += record->cpu.repeats == 0 && record->seconds < TIMING_SHORT;
    }
    if (brief > 0)
        return xasprintf("%zu of %zu times are single measurements below 1 ms; set \"repeats\" in the configuration",
                         brief, times);
    if (single > 0 && single < times)
        return xasprintf("%zu of %zu times are single measurements, the others are medians over repeats",
                         single, times);
    return NULL;
}

double record_time(const struct record *record)
{
    return record->cpu.repeats > 0 ? record->cpu.median : record->seconds;
}

char *records_time_obstacle(const struct run_folders *folders, const struct records *records)
{
    struct records timed = {0};
    for (size_t i = 0; i < records->count; i++)
        if (!records->items[i]->failed && !isnan(records->items[i]->seconds))
            records_add(&timed, records->items[i]);
    char *obstacle = timed.count ? counting_obstacle(&timed) : NULL;
    obstacle = obstacle || !timed.count ? obstacle : machine_obstacle(folders, &timed);
    obstacle = obstacle || !timed.count ? obstacle : single_shot_obstacle(&timed);
    records_free(&timed);
    return obstacle;
}
