/*
 * A budget is found by the entry of "solvers" that a record belongs to. Entries whose records would be equal are not
 * allowed, so name, parameters and stopping rule identify it. A range is only tested by its ends; if several entries
 * remain, all their budgets are named.
 *
 * A single shot below a millisecond measures the clock, the caches and the scheduler more than the solver.
 */
#include "harness/records/conditions.h"

#include <ctype.h>
#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/format/result.h"
#include "harness/programs/program.h"
#include "harness/records/selection.h"

enum { MAX_LISTED = 4 };

/* ---- budgets ---- */

/* Whether an axis of the configuration may have the setting's value on the data set. */
static int axis_has(const cJSON *axis, const struct setting *setting, const char *dataset)
{
    const cJSON *per = json_member(axis, "per_dataset"), *times = json_member(axis, "times");
    if (cJSON_IsArray(axis)) {
        json_each (item, axis)
            if (setting_has_value(setting, item))
                return 1;
        return 0;
    }
    if (!cJSON_IsObject(axis))
        return setting_has_value(setting, axis);
    if (per && !times)
        return axis_has(json_member(per, json_member(per, dataset) ? dataset : "default"), setting, dataset);
    const cJSON *from = json_member(axis->child, "from"), *to = json_member(axis->child, "to");
    const double slack = 1e-9 * fabs(setting->number);
    return times || !cJSON_IsNumber(from) || !cJSON_IsNumber(to) ||
           (setting->number >= fmin(from->valuedouble, to->valuedouble) - slack &&
            setting->number <= fmax(from->valuedouble, to->valuedouble) + slack);
}

/* Whether each member of the record's object, `params` or `stop`, is on the axis that the entry names for it. */
static int entry_has(struct pool *pool, const cJSON *axes, const char *object, const struct record *record)
{
    json_each (axis, axes) {
        const cJSON *of_c = strcmp(axis->string, "mu") == 0 ? json_member(axis, "of_C") : NULL;
        const struct setting *setting =
            record_setting(record, pool_printf(pool, "%s.%s", object, of_c ? "C" : axis->string));
        if (setting && !axis_has(of_c ? of_c : axis, setting, record->dataset))
            return 0;
    }
    return 1;
}

/* The member that stands for the whole configuration unless the entry has its own. */
static const cJSON *own_or_general(const cJSON *config, const cJSON *entry, const char *key)
{
    return json_member(entry, key) ? json_member(entry, key) : json_member(config, key);
}

static int is_for(const cJSON *entry, const char *solver)
{
    const char *name = config_entry_name(entry);
    return name && strcmp(name, solver) == 0;
}

/* "100 iterations and 5 seconds" */
static const char *budget_text(struct pool *pool, const cJSON *budget)
{
    static const struct {
        const char *key, *noun;
    } limits[] = {{"iterations", "iterations"},
                  {"kernel_operations", "kernel operations"},
                  {"kernel_matrices", "kernel matrices of operations"},
                  {"seconds", "seconds"}};
    struct name_order parts = {.pool = pool};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (cJSON_IsNumber(json_member(budget, limits[i].key)))
            name_order_add(&parts, pool_printf(pool, "%.15g %s", json_member(budget, limits[i].key)->valuedouble,
                                               limits[i].noun));
    return parts.count ? name_order_text(&parts, ", ", " and ", MAX_LISTED) : "no limit";
}

/* The budget under which the record was measured, as text. */
static const char *budget_of(struct pool *pool, const struct run_folder *folder, const struct record *record)
{
    const cJSON *config = folder ? folder->config : NULL, *solvers = json_member(config, "solvers");
    struct name_order found = {.pool = pool};
    int is_named = 0; /* otherwise "*" stands for it */
    json_each (entry, solvers)
        is_named |= is_for(entry, record->solver);
    json_each (entry, solvers)
        if (is_for(entry, is_named ? record->solver : "*") &&
            entry_has(pool, json_member(entry, "parameters"), "params", record) &&
            entry_has(pool, own_or_general(config, entry, "stop"), "stop", record))
            name_order_add(&found, budget_text(pool, own_or_general(config, entry, "budget")));
    return found.count ? name_order_text(&found, " or ", " or ", MAX_LISTED)
                       : budget_text(pool, json_member(config, "budget"));
}

/* The different budgets, each with the solver of its first record and, with several folders, its folder. */
static struct name_order list_budgets(struct pool *pool, const struct run_folders *folders,
                                      const struct records *records)
{
    struct name_order budgets = {.pool = pool}, listed = {.pool = pool};
    struct name_order seen = {.pool = pool}; /* what a budget depends on */
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = records->items[i];
        const struct run_folder *folder = run_folders_of(folders, record);
        const size_t distinct = seen.count, known = budgets.count;
        char *key = xasprintf("%s\n%s\n%s\n%s\n%s", folder ? folder->path : "", record->dataset, record->solver,
                              record->params_text, record->stop_text);
        if (name_order_take(&seen, key) < distinct)
            continue;
        const char *text = budget_of(pool, folder, record);
        if (name_order_add(&budgets, text) == known)
            name_order_add(&listed, folder && folders->count > 1
                                        ? pool_printf(pool, "%s in %s: %s", record->solver, folder->path, text)
                                        : pool_printf(pool, "%s: %s", record->solver, text));
    }
    return listed;
}

static struct name_order list_machines(struct pool *pool, const struct run_folders *folders,
                                       const struct records *records)
{
    const struct run_folder *last = NULL;
    struct name_order machines = {.pool = pool};
    for (size_t i = 0; i < records->count; i++) {
        const struct run_folder *folder = run_folders_of(folders, records->items[i]);
        if (records->items[i]->failed || (folder && folder == last))
            continue;
        run_folder_machines(folder, &machines);
        last = folder;
    }
    return machines;
}

const char *records_budget_obstacle(struct pool *pool, const struct run_folders *folders,
                                    const struct records *records)
{
    struct name_order budgets = {.pool = pool}, machines = {.pool = pool};
    size_t at_limit = 0, timed_out = 0;
    for (size_t i = 0; i < records->count; i++) {
        at_limit += records->items[i]->at_limit != 0;
        timed_out += records->items[i]->at_limit && records->items[i]->ending == OUTCOME_TIME_LIMIT;
    }
    if (at_limit > 0)
        budgets = list_budgets(pool, folders, records);
    if (timed_out > 0)
        machines = list_machines(pool, folders, records);
    if (budgets.count > 1)
        return pool_printf(pool, "their budgets differ (%s), and %zu of the %zu runs ended at a limit",
                           name_order_text(&budgets, "; ", "; ", MAX_LISTED), at_limit, records->count);
    if (machines.count > 1)
        return pool_printf(pool, "their runs were made on %s, and %zu of %zu ended at a limit of seconds",
                           name_order_text(&machines, ", on ", " and on ", MAX_LISTED), timed_out, records->count);
    return NULL;
}

/* ---- machines and times ---- */

static const char unknown_machine[] = "an unknown machine";

/* Adds the machine of a run, or those of the parts of a merged one, which may be merged, too; what a part lacks is the
 * same in all parts. */
static void add_machines(const cJSON *json, const struct run_info *above, struct name_order *machines)
{
    const struct json_path place = {.file = "run.json"};
    const cJSON *parts = json_member(json, "merged_from");
    struct run_info info;
    members_read(machines->pool, run_info_members, json, &place, &info);
    info.processor = info.processor ? info.processor : above->processor;
    info.threads = info.threads ? info.threads : above->threads;
    info.check_rows |= above->check_rows;
    json_each (part, parts)
        add_machines(part, &info, machines);
    if (!parts)
        name_order_add(machines, info.processor && info.threads
                                     ? pool_printf(machines->pool, "%s with %u thread%s%s", info.processor,
                                                   info.threads, info.threads > 1 ? "s" : "",
                                                   info.check_rows ? " and checked rows" : "")
                                     : unknown_machine);
}

void run_folder_machines(const struct run_folder *folder, struct name_order *machines)
{
    if (folder && folder->info)
        add_machines(folder->info, &(const struct run_info){0}, machines);
    else
        name_order_add(machines, unknown_machine);
}

/* Whether the solver is a program (docs/programs.md): its plugin in run.json is a declaration. */
static int is_of_program(const struct run_folder *folder, const char *solver)
{
    for (size_t p = 0; folder && p < folder->run.plugins.count; p++) {
        const struct run_info_plugin *plugin = &folder->run.plugins.item[p];
        if (plugin->file && program_is_declaration(plugin->file) && texts_have(plugin->solvers.item, solver))
            return 1;
    }
    return 0;
}

double record_time(const struct record *record)
{
    return record->cpu.repeats > 0 ? record->cpu.median : record->seconds;
}

/* Records without kernel operations have times that include the kernel values (docs/formats.md), and times of programs
 * contain pipes and another language. */
const char *records_time_obstacle(struct pool *pool, const struct run_folders *folders, const struct records *records)
{
    struct records timed = {.pool = pool};
    const char *counted[2] = {NULL, NULL}, *program[2] = {NULL, NULL}; /* a solver that is not, and one that is */
    size_t single = 0, brief = 0;
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = records->items[i];
        if (record->failed || isnan(record->seconds))
            continue;
        records_add(&timed, record);
        counted[!isnan(record->field[FIELD_KERNEL_OPERATIONS])] = record->solver;
        program[is_of_program(run_folders_of(folders, record), record->solver)] = record->solver;
        single += record->cpu.repeats == 0;
        brief += record->cpu.repeats == 0 && record->seconds < TIMING_SHORT;
    }
    if (timed.count == 0)
        return NULL;
    if (counted[0] && counted[1])
        return pool_printf(pool, "those of %s include the kernel values, those of %s do not", counted[0], counted[1]);
    if (program[0] && program[1])
        return pool_printf(pool, "%s is a program, %s is not", program[1], program[0]);
    const struct name_order machines = list_machines(pool, folders, &timed);
    if (machines.count > 1 || machines.names[0] == unknown_machine)
        return pool_printf(pool, "they were measured on %s",
                           name_order_text(&machines, ", on ", " and on ", MAX_LISTED));
    if (brief > 0)
        return pool_printf(pool, "%zu of %zu times are single measurements below 1 ms; set \"repeats\" in the "
                                 "configuration",
                           brief, timed.count);
    return single > 0 && single < timed.count
               ? pool_printf(pool, "%zu of %zu times are single measurements, the others are medians over repeats",
                             single, timed.count)
               : NULL;
}

/* ---- what a run lacks ---- */

/* Lists the data sets that the configuration asks to be generated; of any other it means the original. */
static void list_wanted(const cJSON *config, struct name_order *wanted)
{
    static const char *const wishes[] = {"synthetic", "made", "generate"};
    json_each (entry, json_member(config, "datasets")) {
        const char *name = cJSON_GetStringValue(json_member(entry, "name"));
        for (size_t w = 0; name && w < sizeof wishes / sizeof *wishes; w++) {
            const cJSON *wish = json_member(entry, wishes[w]);
            if (wish && !cJSON_IsFalse(wish))
                name_order_add(wanted, name);
        }
    }
}

static const char *reason_of(const struct run_info_data *missing)
{
    return missing->reason ? missing->reason : "no data";
}

static void add_once(struct pool *pool, struct string_list *lines, const char *text)
{
    for (size_t i = 0; i < lines->count; i++)
        if (strcmp(lines->line[i], text) == 0)
            return;
    string_list_push(pool, lines, "%s", text);
}

static void add_gaps(struct pool *pool, const struct run_info *info, const cJSON *config, struct string_list *lines)
{
    struct name_order wanted = {.pool = pool};
    const char *generated = "";
    for (size_t m = 0; m < info->missing.count; m++) {
        const char *reason = reason_of(&info->missing.item[m]), *names = "";
        for (size_t k = 0; k < info->missing.count; k++)
            if (strcmp(reason_of(&info->missing.item[k]), reason) == 0)
                names = pool_printf(pool, "%s%s %s", names, *names ? "," : "", info->missing.item[k].dataset);
        add_once(pool, lines, pool_printf(pool, GAPS_MISSING "%s: %s", names, reason));
    }
    list_wanted(config, &wanted);
    for (size_t d = 0; d < info->data.count; d++) {
        const struct run_info_data *data = &info->data.item[d];
        if (data->source && strcmp(data->source, DATASET_GENERATED) == 0 &&
            name_order_find(&wanted, data->dataset) == wanted.count)
            generated = pool_printf(pool, "%s%s %s", generated, *generated ? "," : "", data->dataset);
    }
    if (*generated)
        add_once(pool, lines, pool_printf(pool, "generated data sets, whose originals no file has:%s", generated));
}

struct string_list run_gaps(struct pool *pool, const struct run_info *info, const cJSON *config)
{
    struct string_list lines = {0};
    add_gaps(pool, info, config, &lines);
    return lines;
}

struct string_list run_folders_gaps(struct pool *pool, const struct run_folders *folders, const char *name)
{
    struct string_list lines = {0};
    for (size_t i = 0; i < folders->count; i++)
        if (!name || run_folder_is_for(&folders->items[i], name))
            add_gaps(pool, &folders->items[i].run, folders->items[i].config, &lines);
    return lines;
}

void gaps_add(const struct string_list *lines, struct result *table)
{
    cJSON *list = lines->count ? json_put_array(result_facts(table), "lacks") : NULL;
    for (size_t i = 0; i < lines->count; i++) {
        result_note(table, "%c%s.", toupper((unsigned char)*lines->line[i]), lines->line[i] + 1);
        json_add_text(list, lines->line[i]);
    }
}
