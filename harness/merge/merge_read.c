/* Reading the folders of a merge. What they measured must be one thing: the same configuration, program and data. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/merge/merging.h"
#include "harness/program/memory.h"
#include "solvers/registry.h"

static enum status read_config(struct part *part, struct error *error)
{
    const struct run_summary *run = &part->folder.run;
    enum status status = config_parse(part->config_path, xstrdup(part->folder.config_text), &part->config, error);
    return status == STATUS_OK ? config_restrict(part->config, run->solvers, run->datasets, run->splits, error) : status;
}

/* Solvers of plugins are the loaded ones by name only. */
static enum status check_plugins(const struct part *part, struct error *error)
{
    for (size_t s = 0; s < part->config->n_solvers; s++) {
        const struct solver *solver = part->config->solvers[s].solver;
        const struct solver_origin *origin = solver_origin(solver);
        if (origin && !run_folder_has_plugin(&part->folder, origin->sha256))
            return error_set(error, STATUS_BAD_INPUT,
                             "%s: %s is not that of the plugin %s: SHA-256 %.16s... is not in run.json",
                             part->folder.path, solver->name, origin->file, origin->sha256);
    }
    return STATUS_OK;
}

static enum status read_lines(struct part *part, struct error *error)
{
    struct run_folder *folder = &part->folder;
    struct error cause = {0};
    enum status status = run_folder_read_lines(folder, error);
    if (status != STATUS_OK)
        return status;
    status = run_folder_read_timings(folder, &cause);
    if (status != STATUS_OK) /* run.json is there, so the run was finished */
        return error_set(error, status == STATUS_NOT_FOUND ? STATUS_BAD_INPUT : status, "%s", cause.message);
    if (folder->timings.count != folder->run.records)
        return error_set(error, STATUS_BAD_INPUT, "%s/timings.jsonl: holds %zu lines, run.json says %zu records", folder->path,
                         folder->timings.count, folder->run.records);
    return STATUS_OK;
}

static enum status read_part(struct merging *merging, const char *path, struct error *error)
{
    struct part *part = &merging->parts[merging->n_parts++];
    struct error cause = {0};
    enum status status = run_folder_read(path, FOLDER_FINISHED, &part->folder, &cause);
    if (status == STATUS_NOT_FOUND) {
        run_folder_free(&part->folder);
        merging->n_parts--;
        return merge_lacks(merging, error, "%s", cause.message);
    }
    if (status != STATUS_OK)
        return error_set(error, status, "%s", cause.message);
    if (!part->folder.run.plan_agrees)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: config.json was changed after the run: it is not that of the plan in run.json", path);
    part->config_path = xasprintf("%s/config.json", path);
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
        const char *name = other->config->datasets[d].name, *b = run_folder_data_hash(&other->folder, name), *a = NULL;
        const struct part *one = merging->parts;
        while (b && one < other && !(a = run_folder_data_hash(&one->folder, name)))
            one++;
        if (a && strcmp(a, b) != 0)
            return error_set(error, STATUS_BAD_INPUT, "%s and %s: data of %s differ: SHA-256 %.16s... and %.16s...",
                             one->folder.path, other->folder.path, name, a, b);
    }
    return STATUS_OK;
}

static enum status check_same(const struct merging *merging, const struct part *other, struct error *error)
{
    const struct part *one = &merging->parts[0];
    if (strcmp(one->folder.config_text, other->folder.config_text) != 0)
        return error_set(error, STATUS_BAD_INPUT, "%s and %s: other configurations: line %zu of config.json differs",
                         one->folder.path, other->folder.path, first_different_line(one->folder.config_text, other->folder.config_text));
    if (strcmp(one->folder.run.version, other->folder.run.version) != 0)
        return error_set(error, STATUS_BAD_INPUT, "%s and %s: other versions: %s and %s", one->folder.path,
                         other->folder.path, one->folder.run.version, other->folder.run.version);
    return check_data(merging, other, error);
}

enum status merge_read(struct merging *merging, struct error *error)
{
    const struct merge_request *request = merging->request;
    merging->parts = xcalloc(request->n_folders, sizeof *merging->parts);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < request->n_folders && status == STATUS_OK; i++)
        status = read_part(merging, request->folders[i], error);
    for (size_t p = 1; p < merging->n_parts && status == STATUS_OK; p++)
        status = check_same(merging, &merging->parts[p], error);
    if (status == STATUS_OK && merging->n_parts == 0)
        return error_set(error, STATUS_NOT_FOUND, "nothing to merge: no folder holds a finished run");
    return status;
}
