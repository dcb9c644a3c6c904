/* Merges folders into one, see merge.h. All folders must have the same configuration, program and data. */
#include "harness/folders/merge.h"

#include <stdarg.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/folders/merge_context.h"
#include "harness/records/record_diff.h"
#include "solvers/registry.h"

void merge_report_missing(struct merge_context *context, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = pool_vprintf(context->pool, format, arguments);
    va_end(arguments);
    if (!context->request->partial)
        die(STATUS_BAD_INPUT, "%s; --partial merges without it", text);
    string_list_push(context->pool, &context->result.missing, "%s", text);
}

/* ---- reading ---- */

static int has_plugin(const struct run_info *run, const char *sha256)
{
    size_t p = 0;
    while (p < run->plugins.count && strcmp(run->plugins.item[p].sha256, sha256) != 0)
        p++;
    return p < run->plugins.count;
}

/* A solver or kernel of a plugin is known only by its name; checks that the loaded plugin is the one used. */
static void check_plugins(const struct part *part)
{
    struct config_plugin_item item;
    for (size_t i = 0; config_plugin_item(part->config, i, &item); i++)
        if (item.origin && !has_plugin(&part->folder.run, item.origin->sha256))
            die(STATUS_BAD_INPUT, "%s: %s is from another build of the plugin %s: SHA-256 %.16s... is not in run.json",
                part->folder.path, item.name, item.origin->file, item.origin->sha256);
}

static void read_lines(struct run_folder *folder)
{
    struct error error = {0};
    die_unless_ok(run_folder_read_lines(folder, &error), &error);
    die_unless_found(run_folder_read_timings(folder, &error), &error); /* run.json exists: the run was finished */
    if (folder->timings.count != folder->run.records)
        die(STATUS_BAD_INPUT, "%s/timings.jsonl: has %zu lines, but run.json says %zu records", folder->path,
            folder->timings.count, folder->run.records);
}

static void read_part(struct merge_context *context, const char *path)
{
    struct part *part = &context->parts[context->n_parts];
    const struct run_info *run = &part->folder.run;
    struct error error = {0};
    const enum status status = run_folder_read(path, FOLDER_FINISHED, &part->folder, &error);
    if (status == STATUS_NOT_FOUND) {
        run_folder_free(&part->folder);
        merge_report_missing(context, "%s", error.message);
        return;
    }
    context->n_parts++;
    die_unless_ok(status, &error);
    if (!part->folder.plan_agrees)
        die(STATUS_BAD_INPUT, "%s: config.json was changed after the run: it does not match the plan in run.json",
            path);
    part->config_path = pool_printf(context->pool, "%s/config.json", path);
    part->config = config_parse(context->pool, part->config_path, part->folder.config_text);
    config_select(part->config, run->solvers, run->datasets, run->splits);
    check_plugins(part);
    read_lines(&part->folder);
}

/* ---- consistency ---- */

/* Compares a folder's data sets with those of the first folder that has them. */
static void check_data(const struct merge_context *context, const struct part *other)
{
    for (size_t d = 0; d < other->folder.run.data.count; d++) {
        const struct run_info_data *b = &other->folder.run.data.item[d], *a = NULL;
        const struct part *one = context->parts;
        while (one < other && !(a = run_info_data(&one->folder.run, b->dataset)))
            one++;
        if (a && strcmp(a->sha256, b->sha256) != 0)
            die(STATUS_BAD_INPUT, "%s and %s: data of %s differ: SHA-256 %.16s... and %.16s...", one->folder.path,
                other->folder.path, a->dataset, a->sha256, b->sha256);
    }
}

static void check_same(const struct merge_context *context, const struct part *other)
{
    const struct run_folder *a = &context->parts[0].folder, *b = &other->folder;
    if (strcmp(a->config_text, b->config_text) != 0)
        die(STATUS_BAD_INPUT, "%s and %s: different configurations: config.json, line %zu", a->path, b->path,
            text_first_difference(a->config_text, b->config_text));
    if (strcmp(a->run.version, b->run.version) != 0)
        die(STATUS_BAD_INPUT, "%s and %s: different versions: %s and %s", a->path, b->path, a->run.version,
            b->run.version);
    if (a->run.repeats != b->run.repeats)
        die(STATUS_BAD_INPUT, "%s and %s: different --repeats, so their times are not comparable", a->path, b->path);
    check_data(context, other);
}

static void read_parts(struct merge_context *context)
{
    const struct merge_request *request = context->request;
    context->parts = pool_array(context->pool, request->n_folders, sizeof *context->parts);
    for (size_t i = 0; i < request->n_folders; i++)
        read_part(context, request->folders[i]);
    for (size_t p = 1; p < context->n_parts; p++)
        check_same(context, &context->parts[p]);
    if (context->n_parts == 0)
        die(STATUS_NOT_FOUND, "nothing to merge: no folder contains a finished run");
}

/* ---- the merge ---- */

/* What is not in the pool. */
static void release(void *data)
{
    struct merge_context *context = data;
    for (size_t p = 0; p < context->n_parts; p++)
        run_folder_free(&context->parts[p].folder);
    plan_free(&context->plan);
    json_pool_free(&context->json);
    string_list_free(&context->result.gaps);
}

const struct merge_result *merge_folders(struct pool *pool, const struct merge_request *request)
{
    struct merge_context *context = pool_alloc(pool, sizeof *context);
    context->pool = pool;
    context->request = request;
    pool_keep(pool, release, context);
    read_parts(context);
    merge_check_coverage(context);
    merge_order_records(context);
    merge_write(context);
    return &context->result;
}
