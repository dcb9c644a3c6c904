/*
 * Results of an earlier plan in the same folder. A record is kept if nothing that determines it has changed: its head
 * (all members before the outcome), the build of the program, the rows of its split, the plugins that it uses, every
 * key of the configuration that the head does not show, and the budget. A failed one is not kept, since its cause may
 * be outside. So a folder holds only records that its configuration, data, plugins and program would make again.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/run/run_files.h"
#include "harness/run/run_info.h"
#include "harness/run/unit.h"
#include "harness/support/file.h"

/* A record of the earlier plan; its head are the first `head` bytes of the line. */
struct earlier_record {
    struct journal_entry entry;
    size_t head;
    int is_in_plan;
};

struct earlier {
    struct pool *tree; /* of one line at a time */
    const cJSON *config;
    struct run_info info;
    int is_same_plan; /* as far as its fingerprint tells */
    struct LIST_OF(struct earlier_record) records; /* in the order of their lines */
};

/* ---- reading ---- */

/* Adds a line of records.jsonl of the file `path`. */
static void add(struct pool *pool, struct earlier *earlier, const char *path, const char *line,
                const struct timing *timing)
{
    struct record record;
    const struct json_path place = {.file = path};
    const cJSON *json = json_object_of_line(earlier->tree, line, &place);
    members_read(earlier->tree, record_members, json, &place, &record);
    record.reason = record.reason ? pool_strdup(pool, record.reason) : NULL;
    *pool_push(pool, &earlier->records) = (struct earlier_record){
        .entry = journal_entry_of(&record, line, timing),
        .head = (size_t)(json_span_of(json_member(json, "outcome")).text - strlen("\"outcome\":") - line)};
}

/* The records of a finished run, whose run.json is `json`. */
static void read_finished(struct pool *pool, const char *folder, const cJSON *json, struct earlier *earlier)
{
    const char *const names[] = {"records.jsonl", "timings.jsonl"};
    struct string_list lines[2];
    for (size_t k = 0; k < 2; k++) {
        lines[k] = lines_read(pool, path_in(folder, names[k]));
        if (lines[k].count != earlier->info.records)
            return; /* who calls the folder complete says so */
        file_hash_check_lines(json, folder, names[k], &lines[k]);
    }
    for (size_t i = 0; i < lines[0].count && i < lines[1].count; i++) {
        const struct json_path place = {.file = pool_printf(pool, "%s/timings.jsonl:%zu", folder, i + 1)};
        struct timing_line time;
        members_read(pool, timing_members, json_object_of_line(earlier->tree, lines[1].line[i], &place), &place, &time);
        add(pool, earlier, pool_printf(pool, "%s/records.jsonl:%zu", folder, i + 1), lines[0].line[i], &time.timing);
    }
}

/* The finished jobs of an interrupted run. */
static int read_interrupted(struct pool *pool, const char *folder, struct earlier *earlier)
{
    const char *path = pool_printf(pool, "%s/journal.jsonl", folder);
    struct journal_entry *entries;
    size_t count;
    const cJSON *header = journal_read_any(pool, path, &entries, &count);
    const cJSON *plan = json_member(header, "run");
    if (!plan)
        return 0;
    run_info_read(pool, plan, path, &earlier->info);
    for (size_t j = 0; j < count; j++)
        if (entries[j].record)
            add(pool, earlier, path, entries[j].record, &entries[j].timing);
    return 1;
}

static int by_head(const void *a, const void *b)
{
    const struct earlier_record *x = a, *y = b;
    const int order = memcmp(x->entry.record, y->entry.record, x->head < y->head ? x->head : y->head);
    return order != 0 ? order : (x->head > y->head) - (x->head < y->head);
}

/* Returns 0 if the folder has no run that can be read. */
static int read_earlier(struct pool *pool, const struct run *run, struct earlier *earlier)
{
    const char *folder = run->options->out;
    char words[FINGERPRINT_DIFF_SIZE];
    const char *info = pool_printf(pool, "%s/run.json", folder), *path = pool_printf(pool, "%s/config.json", folder);
    const cJSON *json = json_read_or_null(pool, info);
    const char *text = file_read_or_null(pool, path, NULL);
    *earlier = (struct earlier){.tree = pool_new_inside(pool), .config = text ? json_parse(pool, path, text) : NULL};
    if (json) {
        run_info_read(pool, json, info, &earlier->info);
        if (!earlier->info.is_partial && file_hash_listed(json, "records.jsonl") &&
            access(path_in(folder, "records.jsonl"), F_OK) == 0 &&
            access(path_in(folder, "timings.jsonl"), F_OK) == 0) /* else a reader says what is missing */
            read_finished(pool, folder, json, earlier);
    } else if (!read_interrupted(pool, folder, earlier))
        return 0;
    /* A kill may have left the configuration of one plan beside the results of another. */
    if (earlier->records.count == 0 || !text || !earlier->info.fingerprint.plan ||
        fnv(FNV_START, text, strlen(text) + 1) != earlier->info.fingerprint.config)
        return 0;
    earlier->is_same_plan = !fingerprint_differs(&run->fingerprint, &earlier->info.fingerprint, words);
    qsort(earlier->records.item, earlier->records.count, sizeof *earlier->records.item, by_head);
    return 1;
}

/* ---- what has changed ---- */

/* Numbers are compared exactly, unlike in cJSON_Compare. */
static int same_json(const cJSON *a, const cJSON *b)
{
    const int is_object = cJSON_IsObject(a);
    if (a == b || !a || !b || (a->type & 0xff) != (b->type & 0xff))
        return a == b;
    if (cJSON_IsNumber(a) || cJSON_IsString(a))
        return cJSON_IsNumber(a) ? a->valuedouble == b->valuedouble : strcmp(a->valuestring, b->valuestring) == 0;
    if (cJSON_GetArraySize(a) != cJSON_GetArraySize(b))
        return 0;
    const cJSON *other = b->child;
    for (const cJSON *item = a->child; item; item = item->next, other = other ? other->next : NULL)
        if (!same_json(item, is_object ? json_member(b, item->string) : other))
            return 0;
    return 1;
}

static const cJSON *value_of(const cJSON *config, const struct member *member)
{
    const cJSON *value = json_member(config, member->key);
    return value || !member->former ? value : json_member(config, member->former);
}

/* The first key whose values differ, of those that neither the record nor another comparison shows; NULL: none. */
static const char *changed_key(const struct earlier *earlier, const cJSON *now)
{
    for (const struct member *member = config_members; member->kind != MEMBER_LAST; member++)
        if (!(member->flags & CONFIG_KEEPS) && !same_json(value_of(earlier->config, member), value_of(now, member)))
            return member->key;
    return NULL;
}

/* The hash of the plugin that has a solver, kernel or rule of that name; "": built in. */
static const char *plugin_of(const struct run_info *info, size_t list, const char *name)
{
    for (size_t p = 0; p < info->plugins.count; p++) {
        const struct run_info_plugin *plugin = &info->plugins.item[p];
        const struct member_texts *names = list == 0 ? &plugin->solvers : list == 1 ? &plugin->kernels : &plugin->stops;
        if (texts_have(names->item, name))
            return plugin->sha256;
    }
    return "";
}

static int same_plugins(const struct run_info *then, const struct run_info *now, const struct job *job,
                        const struct config *config)
{
    const char *const names[] = {config->solvers[job->solver].solver->name, config->kernel->name,
                                 stop_rule_name(job->stop.rule)};
    for (size_t list = 0; list < sizeof names / sizeof *names; list++)
        if (strcmp(plugin_of(then, list, names[list]), plugin_of(now, list, names[list])) != 0)
            return 0;
    return 1;
}

static double limit(double value)
{
    return value > 0 ? value : (double)INFINITY;
}

/* Whether the record that ended so under the budget `then` would be the same under `now`: no limit is tighter, and one
 * that may have ended it is equal. Under the rules of the gap of the whole problem a run that meets a limit is judged
 * there and may have converged, and what a plugin's rule does is unknown. */
static int same_under(const struct budget *then, const struct budget *now, enum outcome outcome, enum stop_rule rule)
{
    const double before[] = {(double)then->iterations, (double)then->kernel_operations, then->seconds},
                 after[] = {(double)now->iterations, (double)now->kernel_operations, now->seconds};
    static const enum outcome ended_by[] = {OUTCOME_ITERATION_LIMIT, OUTCOME_OPERATION_LIMIT, OUTCOME_TIME_LIMIT};
    for (size_t k = 0; k < sizeof before / sizeof *before; k++) {
        const int is_end = outcome == ended_by[k] || rule == STOP_ITERATIONS || rule == STOP_SVM_GAP ||
                           rule == STOP_DUALITY_GAP || rule >= STOP_RULES;
        if (limit(after[k]) < limit(before[k]) || (is_end && limit(after[k]) > limit(before[k])))
            return 0;
    }
    return 1;
}

/* What the jobs are compared with. */
struct present {
    const struct run *run;
    struct run_info info;
    const char *key; /* that has changed; NULL: none */
    uint64_t rows;   /* of the split of the job at hand */
};

static enum reuse_reason reason_of(const struct earlier *earlier, const struct present *now, size_t index,
                                   const struct earlier_record *record)
{
    const struct run *run = now->run;
    const struct job *job = &run->plan.jobs[index];
    const struct dataset *dataset = run->datasets[job->dataset];
    const struct config_solver *solver = &run->config->solvers[job->solver];
    const struct budget budget = unit_budget(solver, dataset->splits[job->split].n_train);
    const struct timing *timing = &record->entry.timing;
    const unsigned repeats = run->config->repeats >= 2 ? run->config->repeats : 0;
    const char *then = earlier->info.fingerprint.program, *program = run->fingerprint.program;
    if (!then || !program || strcmp(then, program) != 0)
        return REUSE_PROGRAM;
    if (now->key)
        return REUSE_KEY;
    if (timing->rows != now->rows)
        return REUSE_DATA;
    if (!same_plugins(&earlier->info, &now->info, job, run->config))
        return REUSE_PLUGIN;
    if (record->entry.outcome == OUTCOME_FAILED)
        return REUSE_FAILED;
    if (!same_under(&timing->budget, &budget, record->entry.outcome, job->stop.rule))
        return REUSE_BUDGET;
    if (timing->cpu.repeats != repeats)
        return REUSE_TIMES;
    return plan_is_traced(&run->plan, index) ? REUSE_TRACE : REUSE_KEPT;
}

/* Compares the jobs of a unit, which share a split. */
static void compare_unit(struct pool *pool, struct pool *inner, const struct earlier *earlier, struct present *now,
                         const struct unit *unit, struct journal_entry *entries, struct run_reuse *reuse)
{
    const struct run *run = now->run;
    const struct job *jobs = run->plan.jobs;
    const struct dataset *dataset = run->datasets[jobs[unit->first].dataset];
    now->rows = unit_rows_hash(dataset, &dataset->splits[jobs[unit->first].split]);
    for (size_t j = unit->first; j < unit->first + unit->count; j++) {
        const char *head = record_line_head(inner, run->config, dataset, &jobs[j]);
        const struct earlier_record key = {.entry.record = head, .head = strlen(head)};
        struct earlier_record *record =
            bsearch(&key, earlier->records.item, earlier->records.count, sizeof key, by_head);
        const enum reuse_reason reason = record ? reason_of(earlier, now, j, record) : REUSE_NEW;
        reuse->jobs[reason]++;
        if (record)
            record->is_in_plan = 1;
        if (reason != REUSE_KEPT)
            continue;
        entries[j] = record->entry;
        entries[j].record = pool_strdup(pool, record->entry.record);
        entries[j].reason = record->entry.reason ? pool_strdup(pool, record->entry.reason) : NULL;
    }
}

struct journal_entry *reuse_find(struct pool *pool, const struct run *run, struct run_reuse *reuse)
{
    struct pool *inner = pool_new();
    struct earlier earlier;
    struct journal_entry *entries = NULL;
    *reuse = (struct run_reuse){.is_other = read_earlier(inner, run, &earlier)};
    if (reuse->is_other) {
        struct present now = {.run = run,
                              .info = run_info_of_plan(inner, &run->plan, run->options, NULL, 0, ""),
                              .key = reuse->key = changed_key(&earlier, run->config->json)};
        entries = pool_array(pool, run->plan.n_jobs, sizeof *entries);
        for (size_t u = 0; u < run->plan.n_units; u++)
            compare_unit(pool, inner, &earlier, &now, &run->plan.units[u], entries, reuse);
        for (size_t i = 0; i < earlier.records.count; i++)
            reuse->dropped += !earlier.records.item[i].is_in_plan;
        /* A manifest of the user's own, for example, may have changed all the same. */
        if (earlier.is_same_plan && !reuse->jobs[REUSE_DATA]) {
            *reuse = (struct run_reuse){0};
            entries = NULL;
        }
    }
    pool_free(inner);
    return entries;
}

const char *reuse_text(struct pool *pool, const struct run_reuse *reuse)
{
    static const char *const reasons[REUSE_REASONS] = {
        [REUSE_NEW] = "new",
        [REUSE_PROGRAM] = "of another build of the program",
        [REUSE_KEY] = "made with another",
        [REUSE_DATA] = "on data that have changed",
        [REUSE_PLUGIN] = "of a plugin that has changed",
        [REUSE_FAILED] = "that failed",
        [REUSE_BUDGET] = "whose budget has changed",
        [REUSE_TIMES] = "to be timed",
        [REUSE_TRACE] = "to be traced",
    };
    const char *text = NULL;
    for (size_t k = 0; k < REUSE_REASONS; k++)
        if (reasons[k] && reuse->jobs[k])
            text = pool_printf(pool, "%s%s%zu %s%s", text ? text : "", text ? ", " : "", reuse->jobs[k], reasons[k],
                               k == REUSE_KEY ? pool_printf(pool, " \"%s\"", reuse->key) : "");
    return text ? text : "none";
}
