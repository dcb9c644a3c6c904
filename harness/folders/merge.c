/* Merges folders into one, see merge.h. All folders must have the same configuration, program and data. */
#include "harness/folders/merge.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/folders/merge_context.h"
#include "harness/base/memory.h"
#include "harness/records/record_diff.h"
#include "solvers/registry.h"

enum status merge_report_missing(struct merge_context *context, struct error *error, const char *format, ...)
{
    char text[900];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!context->request->partial)
        return error_set(error, STATUS_BAD_INPUT, "%s; --partial merges without it", text);
    if (!string_list_add(&context->result->missing, "%s", text))
        out_of_memory();
    return STATUS_OK;
}

/* ---- reading ---- */

static int has_plugin(const struct run_info *run, const char *sha256)
{
    size_t p = 0;
    while (p < run->n_plugins && strcmp(run->plugins[p].sha256, sha256) != 0)
        p++;
    return p < run->n_plugins;
}

/* A solver or kernel of a plugin is known only by its name; checks that the loaded plugin is the one used. */
static enum status check_plugins(const struct part *part, struct error *error)
{
    struct config_plugin_item item;
    for (size_t i = 0; config_plugin_item(part->config, i, &item); i++)
        if (item.origin && !has_plugin(&part->folder.run, item.origin->sha256))
            return error_set(error, STATUS_BAD_INPUT,
                             "%s: %s is from another build of the plugin %s: SHA-256 %.16s... is not in run.json",
                             part->folder.path, item.name, item.origin->file, item.origin->sha256);
    return STATUS_OK;
}

static enum status read_config(struct pool *pool, struct part *part, struct error *error)
{
    const struct run_info *info = &part->folder.run;
    part->config = config_parse(pool, part->config_path, part->folder.config_text);
    config_restrict(part->config, info->solvers, info->datasets, info->splits);
    return check_plugins(part, error);
}

static enum status read_lines(struct part *part, struct error *error)
{
    struct run_folder *folder = &part->folder;
    struct error cause = {0};
    enum status status = run_folder_read_lines(folder, error);
    if (status != STATUS_OK)
        return status;
    status = run_folder_read_timings(folder, &cause);
    if (status != STATUS_OK) /* run.json exists, so the run was finished */
        return error_set(error, status == STATUS_NOT_FOUND ? STATUS_BAD_INPUT : status, "%s", cause.message);
    if (folder->timings.count != part->folder.run.records)
        return error_set(error, STATUS_BAD_INPUT, "%s/timings.jsonl: has %zu lines, but run.json says %zu records",
                         folder->path, folder->timings.count, part->folder.run.records);
    return STATUS_OK;
}

static enum status read_part(struct merge_context *context, const char *path, struct error *error)
{
    struct part *part = &context->parts[context->n_parts];
    struct error cause = {0};
    enum status status = run_folder_read(path, FOLDER_FINISHED, &part->folder, &cause);
    if (status == STATUS_NOT_FOUND) {
        run_folder_free(&part->folder);
        return merge_report_missing(context, error, "%s", cause.message);
    }
    context->n_parts++;
    if (status != STATUS_OK)
        return error_set(error, status, "%s", cause.message);
    if (!part->folder.plan_agrees)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: config.json was changed after the run: it does not match the plan in run.json", path);
    part->config_path = xasprintf("%s/config.json", path);
    status = read_config(context->pool, part, error);
    return status == STATUS_OK ? read_lines(part, error) : status;
}

/* ---- consistency ---- */

/* Compares a folder's data sets with those of the first folder that has them. */
static enum status check_data(const struct merge_context *context, const struct part *other, struct error *error)
{
    for (size_t d = 0; d < other->folder.run.n_data; d++) {
        const struct run_info_data *b = &other->folder.run.data[d], *a = NULL;
        const struct part *one = context->parts;
        while (one < other && !(a = run_info_data(&one->folder.run, b->dataset)))
            one++;
        if (a && strcmp(a->sha256, b->sha256) != 0)
            return error_set(error, STATUS_BAD_INPUT, "%s and %s: data of %s differ: SHA-256 %.16s... and %.16s...",
                             one->folder.path, other->folder.path, a->dataset, a->sha256, b->sha256);
    }
    return STATUS_OK;
}

static enum status check_same(const struct merge_context *context, const struct part *other, struct error *error)
{
    const struct part *one = &context->parts[0];
    const char *a = one->folder.config_text, *b = other->folder.config_text;
    if (strcmp(a, b) != 0)
        return error_set(error, STATUS_BAD_INPUT, "%s and %s: different configurations: config.json, line %zu",
                         one->folder.path, other->folder.path, text_first_difference(a, b));
    if (strcmp(one->folder.run.version, other->folder.run.version) != 0)
        return error_set(error, STATUS_BAD_INPUT, "%s and %s: different versions: %s and %s", one->folder.path,
                         other->folder.path, one->folder.run.version, other->folder.run.version);
    if (one->folder.run.repeats != other->folder.run.repeats)
        return error_set(error, STATUS_BAD_INPUT, "%s and %s: different --repeats, so their times are not comparable",
                         one->folder.path, other->folder.path);
    return check_data(context, other, error);
}

static enum status read_parts(struct merge_context *context, struct error *error)
{
    const struct merge_request *request = context->request;
    enum status status = STATUS_OK;
    context->parts = xcalloc(request->n_folders, sizeof *context->parts);
    for (size_t i = 0; i < request->n_folders && status == STATUS_OK; i++)
        status = read_part(context, request->folders[i], error);
    for (size_t p = 1; p < context->n_parts && status == STATUS_OK; p++)
        status = check_same(context, &context->parts[p], error);
    if (status == STATUS_OK && context->n_parts == 0)
        return error_set(error, STATUS_NOT_FOUND, "nothing to merge: no folder contains a finished run");
    return status;
}

/* ---- the merge ---- */

static void release(struct merge_context *context)
{
    for (size_t p = 0; p < context->n_parts; p++) {
        struct part *part = &context->parts[p];
        run_folder_free(&part->folder);
        free(part->config_path);
    }
    for (size_t d = 0; context->dataset && d < context->config->n_datasets; d++)
        dataset_free(context->dataset[d]);
    plan_free(&context->plan);
    pool_free(context->pool);
    free(context->dataset);
    free(context->missing);
    free(context->parts);
    free(context->solvers);
    free(context->datasets);
    free(context->splits);
    free(context->entries);
    free(context->from);
    json_pool_free(&context->json);
}

enum status merge_folders(const struct merge_request *request, struct merge_result *result, struct error *error)
{
    struct merge_context context = {.request = request, .result = result, .pool = pool_new()};
    *result = (struct merge_result){0};
    enum status status = read_parts(&context, error);
    if (status == STATUS_OK)
        status = merge_check_coverage(&context, error);
    if (status == STATUS_OK)
        status = merge_order_records(&context, error);
    if (status == STATUS_OK)
        status = merge_write(&context, error);
    release(&context);
    if (status != STATUS_OK)
        merge_result_free(result);
    return status;
}

void merge_result_free(struct merge_result *result)
{
    string_list_free(&result->missing);
    string_list_free(&result->gaps);
    *result = (struct merge_result){0};
}
