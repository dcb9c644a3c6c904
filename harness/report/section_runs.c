/* The runs, their machines and data, and the commands that repeat them, from config.json and run.json. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/records/run_command.h"
#include "harness/records/run_gaps.h"
#include "harness/report/blocks.h"

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* ---- runs ---- */

/* The name of an element of "datasets" or "solvers", which is a text or an object with a name. */
static const char *name_of(const cJSON *item)
{
    return cJSON_IsString(item) ? item->valuestring : text_member(item, "name");
}

/* The names, each once. */
static const char *names_of(struct pool *pool, const cJSON *list)
{
    const char *names = "";
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, list) {
        const cJSON *before = list->child;
        while (before != item && strcmp(name_of(before), name_of(item)) != 0)
            before = before->next;
        if (before == item)
            names = pool_printf(pool, "%s%s%s", names, *names ? ", " : "", name_of(item));
    }
    return names;
}

static void put_run(struct result *table, const struct report_folder *folder)
{
    static const char *const sources[] = {"official", "resampled", "generated", "fold"};
    const cJSON *config = folder->run->config, *info = folder->run->info, *item = NULL,
                *solvers = member(info, "parameters");
    const char *title = text_member(config, "title"), *listed = "", *outcomes = "";
    result_text(table, "%s", folder->label);
    result_text(table, "%s", *title ? title : text_member(config, "name"));
    result_text(table, "%s", names_of(table->pool, member(config, "datasets")));
    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++) {
        double sum = 0;
        cJSON_ArrayForEach (item, member(info, "data"))
            sum += number_member(item, sources[s]);
        result_number(table, sum);
    }
    /* run.json names the solvers that "*" in a configuration stands for, except in older versions */
    cJSON_ArrayForEach (item, solvers)
        listed = pool_printf(table->pool, "%s%s%s", listed, *listed ? ", " : "", item->string);
    result_text(table, "%s", solvers ? listed : names_of(table->pool, member(config, "solvers")));
    result_number(table, number_member(info, "records"));
    cJSON_ArrayForEach (item, member(info, "outcomes"))
        outcomes = pool_printf(table->pool, "%s%s%.0f %s", outcomes, *outcomes ? ", " : "", item->valuedouble,
                               item->string);
    result_text(table, "%s", outcomes);
    result_shown(table, number_member(info, "seconds"), "%.1f", number_member(info, "seconds"));
    result_text(table, "%s", text_member(info, "finished"));
}

/* Writes missing data sets, parts that a merge lacked, and what the report could not include. */
static void put_missing(struct writer *writer)
{
    const struct report *report = writer->report;
    char *items = NULL;
    size_t size = 0;
    FILE *list = xopen_text(&items, &size);
    for (size_t i = 0; i < report->count; i++) {
        const cJSON *item = NULL, *info = report->folders[i].run->info;
        struct string_list gaps = {0};
        run_folders_gaps(&(struct run_folders){report->folders[i].run, 1}, NULL, &gaps);
        for (size_t g = 0; g < gaps.count; g++)
            put_markdown(list, "- %s: %s\n", report->folders[i].label, gaps.line[g]);
        string_list_free(&gaps);
        cJSON_ArrayForEach (item, member(info, "partial"))
            put_markdown(list, "- %s: %s\n", report->folders[i].label,
                         cJSON_IsString(item) ? item->valuestring : "");
    }
    for (size_t i = 0; i < report->notes.count; i++)
        put_markdown(list, "- %s\n", report->notes.line[i]);
    xclose_text(list);
    if (*items) {
        put_heading(writer, 3, "What is missing");
        fprintf(writer->text, "%s\n", items);
    }
    free(items);
}

/* A share is the time of a stage over that of all stages; for all folders, of their sums. */
static void put_time_row(struct result *table, const char *name, const struct run_times *times)
{
    const double total = stage_times_total(&times->stage_times),
                 busy = 100 * times->stage_times.processor / times->available;
    result_text(table, "%s", name);
    result_shown(table, times->seconds, "%.1f", times->seconds);
    result_shown(table, busy, "%.0f %%", busy);
    for (unsigned s = 0; s < STAGES; s++) {
        const double share = total > 0 ? 100 * times->stage_times.seconds[s] / total : 0;
        result_shown(table, share, "%.0f %%", share);
    }
    result_shown(table, times->peak_megabytes, "%.0f", times->peak_megabytes);
}

/* Writes a row for each folder whose run.json has times, and one for all of them. */
static void put_times(struct writer *writer)
{
    struct result table = {.pool = writer->pool, .name = "times"};
    struct run_times sum = {0}, times;
    result_columns(&table, "folder\t#seconds\t#busy");
    for (unsigned s = 0; s < STAGES; s++)
        result_columns(&table, pool_printf(writer->pool, "#%s", stage_name((enum stage)s)));
    result_columns(&table, "#memory");
    for (size_t i = 0; i < writer->report->count; i++) {
        if (!run_info_times(&writer->report->folders[i].run->run, &times))
            continue;
        put_time_row(&table, writer->report->folders[i].label, &times);
        run_times_add(&sum, &times);
    }
    if (result_rows(&table) == 0)
        return;
    if (result_rows(&table) > 1)
        put_time_row(&table, "all", &sum);
    result_note(&table, "seconds: elapsed time. busy: the share of it that the threads spent on a processor. Stages: "
                        "shares of the threads' work. memory: the peak, in MiB.");
    put_heading(writer, 3, "Time and memory");
    put_result(writer, &table);
}

void section_runs(struct writer *writer)
{
    struct result table = {.pool = writer->pool, .name = "runs"};
    result_columns(&table, "folder\t~what\t~data sets\t#official\t#resampled\t#generated\t#fold\t~solvers\t#records\t"
                           "~outcomes\t#seconds\tfinished");
    for (size_t i = 0; i < writer->report->count; i++)
        put_run(&table, &writer->report->folders[i]);
    result_note(&table, "Official splits are listed in the data files. Resampled splits were drawn at the official "
                        "sizes. Generated splits were drawn from a distribution. Folds belong to cross-validation.");
    put_result(writer, &table);
    put_times(writer);
    put_missing(writer);
}

/* ---- machine, build, data ---- */

/* Nonzero for a fact about the machine or build, not the run. */
static int is_fact(const cJSON *item)
{
    static const char *const of_the_run[] = {"schema",  "config", "plan",           "finished",      "seconds",
                                             "records", "units",  "blocks_of_plan", "units_of_plan", "peak_megabytes"};
    for (size_t i = 0; i < sizeof of_the_run / sizeof *of_the_run; i++)
        if (strcmp(item->string, of_the_run[i]) == 0)
            return 0;
    return cJSON_IsString(item) || cJSON_IsNumber(item);
}

static void put_facts(struct result *table, const cJSON *object)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, object)
        if (is_fact(item) && cJSON_IsString(item))
            result_row(table, "%s\t%s", item->string, item->valuestring);
        else if (is_fact(item))
            result_row(table, "%s\t%.15g", item->string, item->valuedouble);
}

/* Machine and build. */
static struct result place_of(struct pool *pool, const cJSON *info)
{
    struct result table = {.pool = pool, .name = "machine"};
    result_columns(&table, "name\t~value");
    put_facts(&table, info);
    put_facts(&table, member(info, "machine"));
    return table;
}

static int same_place(const struct result *a, const struct result *b)
{
    size_t i = 0;
    while (i < a->values.count && i < b->values.count && strcmp(a->values.item[i].text, b->values.item[i].text) == 0)
        i++;
    return i == a->values.count && i == b->values.count;
}

/* Writes every machine and build once, with the folders made there. */
static void put_places(struct writer *writer)
{
    const struct report *report = writer->report;
    struct result *places = pool_array(report->pool, report->count, sizeof *places);
    for (size_t i = 0; i < report->count; i++) {
        size_t first = 0;
        places[i] = place_of(report->pool, report->folders[i].run->info);
        while (!same_place(&places[first], &places[i]))
            first++;
        if (first < i)
            places[i].name = NULL;
    }
    for (size_t i = 0; i < report->count; i++) {
        if (!places[i].name)
            continue;
        put_heading(writer, 3, pool_printf(report->pool, "Machine of %s", report->folders[i].label));
        fputs("Folders of this machine and build: ", writer->text);
        for (size_t j = i; j < report->count; j++)
            if (same_place(&places[i], &places[j]))
                put_markdown(writer->text, "%s%s", j > i ? ", " : "", report->folders[j].label);
        fputs("\n\n", writer->text);
        put_result(writer, &places[i]);
    }
}

/* The file name of a path. */
static const char *file_of(const cJSON *data)
{
    const char *source = text_member(data, "source"), *slash = strrchr(source, '/');
    return slash ? slash + 1 : source;
}

/* All files that data sets came from, as "SHA-256 NAME", with the names of these sets. */
static cJSON *data_files(const struct report *report)
{
    cJSON *files = json_new_object();
    for (size_t i = 0; i < report->count; i++) {
        const cJSON *data = NULL;
        cJSON_ArrayForEach (data, member(report->folders[i].run->info, "data")) {
            const char *key = pool_printf(report->pool, "%.64s %s", text_member(data, "sha256"), file_of(data));
            cJSON *sets = cJSON_GetObjectItemCaseSensitive(files, key);
            sets = sets ? sets : json_put_object(files, key);
            if (!member(sets, text_member(data, "dataset")))
                json_put_null(sets, text_member(data, "dataset"));
        }
    }
    return files;
}

void section_machines(struct writer *writer)
{
    cJSON *files = data_files(writer->report);
    const cJSON *file = NULL, *set = NULL;
    put_places(writer);
    put_heading(writer, 3, "Data: the SHA-256 of each file, or of the generated values");
    fputs("| file | data sets | SHA-256 |\n| --- | --- | --- |\n", writer->text);
    cJSON_ArrayForEach (file, files) {
        const int hash = (int)strcspn(file->string, " ");
        put_markdown(writer->text, "| %s | ", file->string + hash + 1);
        cJSON_ArrayForEach (set, file)
            put_markdown(writer->text, "%s%s", set == file->child ? "" : ", ", set->string);
        fprintf(writer->text, " | `%.*s` |\n", hash, file->string);
    }
    fputs("\n", writer->text);
    cJSON_Delete(files);
}

/* ---- commands ---- */

static void put_all(FILE *text, const struct report *report, const char *verb, int runs_only)
{
    int any = 0;
    for (size_t i = 0; i < report->count; i++) {
        if (runs_only && run_folder_is_search(report->folders[i].run))
            continue;
        if (!any++)
            fprintf(text, "    hullbench %s", verb);
        shell_word_print(text, "again/", report->folders[i].label);
    }
    fputs(any ? "\n" : "", text);
}

void section_commands(struct writer *writer)
{
    FILE *text = writer->text;
    const struct report *report = writer->report;
    fprintf(text,
            "With data of the same SHA-256, these commands give the same records, byte for "
            "byte, on any machine (docs/determinism.md). Run them in the folder that contains %s.\n\n"
            "`hullbench replay FOLDER` repeats one run and lists every difference.\n\n",
            report->count > 1 ? "the run folders" : "the run folder");
    for (size_t i = 0; i < report->count; i++) {
        const struct report_folder *folder = &report->folders[i];
        char config[4096];
        snprintf(config, sizeof config, "%s/config.json", folder->label);
        fputs(run_folder_is_search(folder->run) ? "    hullbench tune" : "    hullbench run", text);
        shell_word_print(text, "", config);
        fputs(" --out", text);
        shell_word_print(text, "again/", folder->label);
        run_command_print_options(text, &folder->run->run);
        fputs("\n", text);
    }
    put_all(text, report, "tables", 1);
    for (size_t i = 0; i < report->count; i++)
        if (!run_folder_is_search(report->folders[i].run) && report->folders[i].n_figures) {
            fputs("    hullbench plot", text);
            shell_word_print(text, "again/", report->folders[i].label);
            fputs("\n", text);
        }
    if (report->conformance.n_papers)
        put_all(text, report, "conform", 1);
    put_all(text, report, "report", 0);
    fputs("\n", text);
}
