/* The plan, its identity and the entries are cut down to what is done; the files are then those of any run. */
#include "harness/run/partial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/run/run_files.h"

/* The jobs that are done with their entries, and the units that have one of them. part->plan has room for all. */
static void cut(const struct run *run, const struct journal_entry *entries, struct run *part, struct journal_entry *kept)
{
    struct plan *plan = &part->plan;
    plan->n_jobs = plan->n_units = 0;
    for (size_t u = 0; u < run->plan.n_units; u++) {
        struct unit unit = run->plan.units[u];
        size_t first = plan->n_jobs;
        for (size_t j = unit.first; j < unit.first + unit.count; j++)
            if (entries[j].record) {
                kept[plan->n_jobs] = entries[j];
                plan->jobs[plan->n_jobs++] = run->plan.jobs[j];
            }
        unit.first = first;
        unit.count = plan->n_jobs - first;
        if (unit.count)
            plan->units[plan->n_units++] = unit;
    }
}

static enum status write_files(struct run *part, const struct journal_entry *kept, unsigned threads, const char *lacks,
                               struct error *error)
{
    char *config = path_join(part->options->out, "config.json");
    enum status status = config ? folder_make(part->options->out, error)
                                : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", part->options->out);
    if (status == STATUS_OK)
        status = file_write(config, part->config->text, strlen(part->config->text), error);
    if (status == STATUS_OK)
        status = run_write_records(part, kept, error);
    if (status == STATUS_OK)
        status = run_info_write(part, threads, lacks, error);
    free(config);
    return status;
}

enum status partial_write(const struct run *run, const struct journal_entry *entries, size_t done, unsigned threads,
                          struct error *error)
{
    char *out = path_join(run->options->out, PARTIAL_FOLDER), lacks[96];
    struct run_options options = *run->options;
    struct run part = *run;
    struct journal_entry *kept = calloc(done, sizeof *kept);
    enum status status = STATUS_OK;
    part.plan.jobs = calloc(done, sizeof *part.plan.jobs);
    part.plan.units = calloc(done, sizeof *part.plan.units);
    if (out && kept && part.plan.jobs && part.plan.units) {
        options.out = out;
        part.options = &options;
        cut(run, entries, &part, kept);
        snprintf(lacks, sizeof lacks, "interrupted: %zu of %zu records", done, run->plan.n_jobs);
        part.identity.plan = journal_hash(part.identity.plan, lacks, strlen(lacks) + 1);
        status = write_files(&part, kept, threads, lacks, error);
    } else {
        status = error_set(error, STATUS_NO_MEMORY, "%s: out of memory", run->options->out);
    }
    plan_free(&part.plan);
    free(kept);
    free(out);
    return status;
}

enum status partial_remove(const char *out, struct error *error)
{
    static const char *const files[] = {"run.json", "records.jsonl", "timings.jsonl", "config.json"};
    char *folder = path_join(out, PARTIAL_FOLDER);
    enum status status = folder ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", out);
    for (size_t i = 0; i < sizeof files / sizeof *files && status == STATUS_OK; i++)
        status = file_remove(folder, files[i], error);
    if (status == STATUS_OK)
        (void)rmdir(folder); /* where nothing else is in it */
    free(folder);
    return status;
}
