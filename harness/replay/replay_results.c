/* Records and traces then and now, byte by byte. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"
#include "harness/records/record_diff.h"
#include "harness/replay/replaying.h"
#include "harness/run/run_files.h"

enum { MOST = 32 }; /* members of a record */

static enum status no_memory(const struct replaying *replaying, struct error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", replaying->request->folder);
}

/* "record 5 (heart, split 3, clip-mdm)" */
static void name_record(const struct replaying *replaying, size_t index, char *text, size_t size)
{
    const struct run *run = &replaying->run;
    if (index >= run->plan.n_jobs) {
        snprintf(text, size, "record %zu", index);
        return;
    }
    const struct job *job = &run->plan.jobs[index];
    const struct dataset *dataset = run->datasets[job->dataset];
    snprintf(text, size, "record %zu (%s, split %zu, %s)", index, dataset->name, dataset->splits[job->split].number,
             run->config->solvers[job->solver].solver->name);
}

enum status replay_compare_record(struct replaying *replaying, size_t index, const char *line, struct error *error)
{
    struct json_difference differences[MOST];
    struct string_list *notes = &replaying->result->results;
    const char *was = replaying->before.file.lines.line[index];
    char name[256];
    int good = 1;
    replaying->result->records++;
    if (strcmp(was, line) == 0)
        return STATUS_OK;
    replaying->result->differing++;
    name_record(replaying, index, name, sizeof name);
    size_t count = record_diff(was, line, differences, MOST);
    for (size_t i = 0; i < count && i < MOST && good; i++)
        good = string_list_add(notes, "%s: %s: was %s, is %s", name, differences[i].path,
                         *differences[i].was ? differences[i].was : "not there",
                         *differences[i].is ? differences[i].is : "not there");
    if (count == 0)
        good = string_list_add(notes, "%s: the line is no record, or ordered otherwise", name);
    return good ? STATUS_OK : no_memory(replaying, error);
}

static enum status compare_records(struct replaying *replaying, struct error *error)
{
    char *path = path_join(replaying->out, "records.jsonl"), name[256];
    struct lines now = {0};
    enum status status = path ? lines_read(path, &now, error) : no_memory(replaying, error);
    size_t before = replaying->before.file.lines.count;
    for (size_t i = 0; i < before && i < now.count && status == STATUS_OK; i++)
        status = replay_compare_record(replaying, i, now.line[i], error);
    if (status == STATUS_OK && before != now.count) {
        name_record(replaying, before < now.count ? before : now.count, name, sizeof name);
        if (!string_list_add(&replaying->result->results, "%zu records then, %zu now; the first that one side lacks is %s",
                       before, now.count, name))
            status = no_memory(replaying, error);
    }
    lines_free(&now);
    free(path);
    return status;
}

/* The number of the first line in which two texts differ. */
static size_t first_difference(const char *a, const char *b)
{
    size_t line = 1;
    for (; *a && *a == *b; a++, b++)
        line += *a == '\n';
    return line;
}

/* The trace of a job; a side that cannot be read counts as one that is not there. */
static enum status compare_trace(struct replaying *replaying, size_t job, struct error *error)
{
    char *paths[2] = {plan_trace_path(&replaying->run.plan, replaying->request->folder, job),
                      plan_trace_path(&replaying->run.plan, replaying->out, job)};
    char *texts[2] = {NULL, NULL}, name[256];
    size_t sizes[2] = {0, 0};
    int good = paths[0] && paths[1];
    for (int i = 0; good && i < 2; i++)
        good = file_read(paths[i], &texts[i], &sizes[i], NULL) != STATUS_NO_MEMORY;
    name_record(replaying, job, name, sizeof name);
    if (good && (!texts[0] || !texts[1])) {
        if (texts[0] || texts[1])
            good = string_list_add(&replaying->result->results, "%s: trace: %s", name,
                             texts[0] ? "is not there" : "was not there");
    } else if (good && (sizes[0] != sizes[1] || memcmp(texts[0], texts[1], sizes[0]) != 0)) {
        good = string_list_add(&replaying->result->results, "%s: trace: differs from line %zu on (%s)", name,
                         first_difference(texts[0], texts[1]), paths[0]);
    }
    for (int i = 0; i < 2; i++) {
        free(paths[i]);
        free(texts[i]);
    }
    return good ? STATUS_OK : no_memory(replaying, error);
}

enum status replay_compare_folder(struct replaying *replaying, struct error *error)
{
    const struct run *run = &replaying->run;
    enum status status = compare_records(replaying, error);
    for (size_t j = 0; j < run->plan.n_jobs && status == STATUS_OK; j++)
        if (plan_is_traced(&run->plan, j))
            status = compare_trace(replaying, j, error);
    return status;
}
