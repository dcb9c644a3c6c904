/* The files are those of any run; jobs without a record are left out. */
#include "harness/run/partial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/run/run_files.h"
#include "harness/run/run_info.h"

/* The units of the run's plan that have a job done; units: room for all. */
static struct plan finished_units(const struct run *run, const struct journal_entry *entries, size_t done, struct unit *units)
{
    struct plan plan = run->plan;
    plan.units = units;
    plan.n_units = 0;
    plan.n_jobs = done;
    for (size_t u = 0; u < run->plan.n_units; u++) {
        const struct unit *unit = &run->plan.units[u];
        size_t j = unit->first;
        while (j < unit->first + unit->count && !entries[j].record)
            j++;
        if (j < unit->first + unit->count)
            units[plan.n_units++] = *unit;
    }
    return plan;
}

static enum status write_info(const struct run *run, const struct plan *plan, const struct journal_entry *entries, const char *out,
                              struct error *error)
{
    struct run_info info;
    char text[96];
    const char *lacks = text;
    snprintf(text, sizeof text, "interrupted: %zu of %zu records", plan->n_jobs, run->plan.n_jobs);
    enum status status = run_info_of_run(&info, run, plan, error);
    if (status == STATUS_OK)
        status = run_info_set_partial(&info, &lacks, 1, error);
    if (status == STATUS_OK)
        status = run_info_set_times(&info, run->seconds, &run->spent, error);
    if (status == STATUS_OK) {
        journal_count_outcomes(entries, run->plan.n_jobs, info.outcomes);
        status = run_info_write(out, &info, error);
    }
    run_info_free(&info);
    return status;
}

enum status partial_write(const struct run *run, const struct journal_entry *entries, size_t done, struct error *error)
{
    char *out = path_join(run->options->out, PARTIAL_FOLDER), *config = out ? path_join(out, "config.json") : NULL;
    struct unit *units = calloc(run->plan.n_units, sizeof *units);
    enum status status = config && units ? folder_make(out, error)
                                         : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", run->options->out);
    if (status == STATUS_OK)
        status = file_write(config, run->config->text, strlen(run->config->text), error);
    if (status == STATUS_OK)
        status = run_write_records(out, &run->plan, entries, error);
    if (status == STATUS_OK) {
        const struct plan plan = finished_units(run, entries, done, units);
        status = write_info(run, &plan, entries, out, error);
    }
    free(units);
    free(config);
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
