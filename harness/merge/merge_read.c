/* Reading the folders of a merge. What they measured must be one thing: the same configuration, program and data. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"
#include "harness/merge/merging.h"
#include "solvers/registry.h"

static enum status read_config(struct part *part, struct error *error)
{
    char *text = strdup(part->run.config);
    if (!text)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", part->run.folder);
    enum status status = config_parse(part->config_path, text, &part->config, error);
    if (status == STATUS_OK)
        status = config_restrict(part->config, part->run.solvers, part->run.datasets, part->run.splits, error);
    return status;
}

/* Solvers of plugins are the loaded ones by name only. */
static enum status check_plugins(const struct part *part, struct error *error)
{
    for (size_t s = 0; s < part->config->n_solvers; s++) {
        const struct solver *solver = part->config->solvers[s].solver;
        const struct solver_origin *origin = solver_origin(solver);
        if (origin && !finished_has_plugin(&part->run, origin->sha256))
            return error_set(error, STATUS_BAD_INPUT,
                             "%s: %s is not that of the plugin %s: SHA-256 %.16s... is not in run.json",
                             part->run.folder, solver->name, origin->file, origin->sha256);
    }
    return STATUS_OK;
}

static enum status count_lines(const char *path, const struct lines *lines, size_t records, struct error *error)
{
    if (lines->count == records)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT, "%s: holds %zu lines, run.json says %zu records", path, lines->count,
                     records);
}

static enum status read_lines(struct part *part, struct error *error)
{
    char *timings = path_join(part->run.folder, "timings.jsonl");
    enum status status = timings ? lines_read(part->records_path, &part->records, error)
                                 : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", part->run.folder);
    if (status == STATUS_OK)
        status = count_lines(part->records_path, &part->records, part->run.records, error);
    if (status == STATUS_OK)
        status = lines_read(timings, &part->timings, error);
    if (status == STATUS_OK)
        status = count_lines(timings, &part->timings, part->run.records, error);
    free(timings);
    if (status == STATUS_NOT_FOUND) /* run.json is there, so the run was finished */
        status = error->status = STATUS_BAD_INPUT;
    return status;
}

static enum status read_part(struct merging *merging, const char *folder, struct error *error)
{
    struct part *part = &merging->parts[merging->n_parts];
    enum status status = finished_read(folder, &part->run, error);
    if (status == STATUS_NOT_FOUND) {
        struct error said = *error;
        return merge_lacks(merging, error, "%s", said.message);
    }
    if (status != STATUS_OK)
        return status;
    merging->n_parts++;
    if (!part->run.plan_agrees)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: config.json was changed after the run: it is not that of the plan in "
                         "run.json",
                         folder);
    part->config_path = path_join(folder, "config.json");
    part->records_path = path_join(folder, "records.jsonl");
    if (!part->config_path || !part->records_path)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", folder);
    status = read_config(part, error);
    if (status == STATUS_OK)
        status = check_plugins(part, error);
    return status == STATUS_OK ? read_lines(part, error) : status;
}

static size_t first_different_line(const char *a, const char *b)
{
    size_t line = 1;
    for (; *a && *a == *b; a++, b++)
        line += *a == '\n';
    return line;
}

/* The data sets of a folder are those of the first folder that has them. */
static enum status check_data(const struct merging *merging, const struct part *other, struct error *error)
{
    for (size_t d = 0; d < other->config->n_datasets; d++) {
        const char *name = other->config->datasets[d].name, *b = finished_data(&other->run, name), *a = NULL;
        const struct part *one = merging->parts;
        while (b && one < other && !(a = finished_data(&one->run, name)))
            one++;
        if (a && strcmp(a, b) != 0)
            return error_set(error, STATUS_BAD_INPUT, "%s and %s: data of %s differ: SHA-256 %.16s... and %.16s...",
                             one->run.folder, other->run.folder, name, a, b);
    }
    return STATUS_OK;
}

static enum status check_same(const struct merging *merging, const struct part *other, struct error *error)
{
    const struct part *one = &merging->parts[0];
    if (strcmp(one->run.config, other->run.config) != 0)
        return error_set(error, STATUS_BAD_INPUT, "%s and %s: other configurations: line %zu of config.json differs",
                         one->run.folder, other->run.folder, first_different_line(one->run.config, other->run.config));
    if (strcmp(one->run.version, other->run.version) != 0)
        return error_set(error, STATUS_BAD_INPUT, "%s and %s: other versions: %s and %s", one->run.folder,
                         other->run.folder, one->run.version, other->run.version);
    return check_data(merging, other, error);
}

enum status merge_read(struct merging *merging, struct error *error)
{
    const struct merge_request *request = merging->request;
    merging->parts = calloc(request->n_folders, sizeof *merging->parts);
    if (!merging->parts)
        return error_set(error, STATUS_NO_MEMORY, "%zu folders: out of memory", request->n_folders);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < request->n_folders && status == STATUS_OK; i++)
        status = read_part(merging, request->folders[i], error);
    for (size_t p = 1; p < merging->n_parts && status == STATUS_OK; p++)
        status = check_same(merging, &merging->parts[p], error);
    if (status == STATUS_OK && merging->n_parts == 0)
        return error_set(error, STATUS_NOT_FOUND, "nothing to merge: no folder holds a finished run");
    return status;
}
