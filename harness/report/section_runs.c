/* The runs, their machines and data, and the commands that repeat them, from config.json and run.json. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/format/text_table.h"
#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/records/run_command.h"
#include "harness/records/run_gaps.h"
#include "harness/report/sections.h"

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

/* Writes the names, each once. */
static void put_names(FILE *text, const cJSON *list)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, list) {
        const cJSON *before = list->child;
        while (before != item && strcmp(name_of(before), name_of(item)) != 0)
            before = before->next;
        if (before == item)
            put_markdown(text, "%s%s", item == list->child ? "" : ", ", name_of(item));
    }
}

/* Writes the solvers. run.json names those that "*" in a configuration stands for, except in older versions. */
static void put_solvers(FILE *text, const cJSON *config, const cJSON *info)
{
    const cJSON *solvers = member(info, "parameters"), *item = NULL;
    if (!solvers)
        put_names(text, member(config, "solvers"));
    cJSON_ArrayForEach (item, solvers)
        put_markdown(text, "%s%s", item == solvers->child ? "" : ", ", item->string);
}

static void put_splits(FILE *text, const cJSON *data)
{
    static const char *const sources[] = {"official", "resampled", "generated", "fold"};
    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++) {
        const cJSON *item = NULL;
        double sum = 0;
        cJSON_ArrayForEach (item, data)
            sum += number_member(item, sources[s]);
        fprintf(text, " | %.0f", sum);
    }
}

static void put_run(FILE *text, const struct report_folder *folder)
{
    const cJSON *config = folder->run->config, *info = folder->run->info, *item = NULL,
                *outcomes = member(info, "outcomes");
    const char *title = text_member(config, "title");
    put_markdown(text, "| %s | %s | ", folder->label, *title ? title : text_member(config, "name"));
    put_names(text, member(config, "datasets"));
    put_splits(text, member(info, "data"));
    fputs(" | ", text);
    put_solvers(text, config, info);
    fprintf(text, " | %.0f | ", number_member(info, "records"));
    cJSON_ArrayForEach (item, outcomes) {
        fprintf(text, "%s%.0f ", item == outcomes->child ? "" : ", ", item->valuedouble);
        put_markdown(text, "%s", item->string);
    }
    fprintf(text, " | %.1f", number_member(info, "seconds"));
    put_markdown(text, " | %s |\n", text_member(info, "finished"));
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
    if (*items)
        fprintf(writer->text, "### What is missing\n\n%s\n", items);
    free(items);
}

/* A share is the time of a stage over that of all stages; for all folders, of their sums. */
static void put_time_row(struct text_table *table, const char *name, const struct run_times *times)
{
    const double total = stage_times_total(&times->stage_times);
    text_table_cell(table, "%s", name);
    text_table_cell(table, "%.1f", times->seconds);
    text_table_cell(table, "%.0f %%", 100 * times->stage_times.processor / times->available);
    for (unsigned s = 0; s < STAGES; s++)
        text_table_cell(table, "%.0f %%", total > 0 ? 100 * times->stage_times.seconds[s] / total : 0);
    text_table_cell(table, "%.0f", times->peak_megabytes);
}

/* Writes a row for each folder whose run.json has times, and one for all of them. */
static void put_times(struct writer *writer)
{
    struct pool *pool = pool_new();
    struct text_table table = {.pool = pool, .columns = 4 + STAGES};
    struct run_times sum = {0}, times;
    size_t rows = 0;
    text_table_cells(&table, (const char *const[]){"folder", "seconds", "busy"}, 3);
    for (unsigned s = 0; s < STAGES; s++)
        text_table_cell(&table, "%s", stage_name((enum stage)s));
    text_table_cell(&table, "memory");
    for (size_t i = 0; i < writer->report->count; i++) {
        if (!run_info_times(writer->report->folders[i].run->info, &times))
            continue;
        put_time_row(&table, writer->report->folders[i].label, &times);
        run_times_add(&sum, &times);
        rows++;
    }
    if (rows > 1)
        put_time_row(&table, "all", &sum);
    text_table_footnote(&table, "seconds: elapsed time. busy: the share of it that the threads spent on a processor. "
                                "Stages: shares of the threads' work. memory: the peak, in MiB.");
    if (rows > 0) {
        fputs("### Time and memory\n\n", writer->text);
        text_table_put(&table, TEXT_TABLE_MARKDOWN, writer->text);
        fputs("\n", writer->text);
    }
    pool_free(pool);
}

void section_runs(struct writer *writer)
{
    FILE *text = writer->text;
    fputs("## What was run\n\n"
          "| folder | what | data sets | splits: official | resampled | generated | fold | solvers | records | "
          "outcomes | "
          "seconds | finished |\n"
          "| --- | --- | --- | --: | --: | --: | --: | --- | --: | --- | --: | --: |\n",
          text);
    for (size_t i = 0; i < writer->report->count; i++)
        put_run(text, &writer->report->folders[i]);
    fputs("\nOfficial splits are listed in the data files. Resampled splits were drawn at the official sizes. "
          "Generated splits were drawn from a distribution. Folds belong to cross-validation.\n\n",
          text);
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

static void put_facts(FILE *text, const cJSON *object)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, object) {
        if (!is_fact(item))
            continue;
        put_markdown(text, "| %s | ", item->string);
        if (cJSON_IsString(item))
            put_markdown(text, "%s", item->valuestring);
        else
            fprintf(text, "%.15g", item->valuedouble);
        fputs(" |\n", text);
    }
}

/* Formats machine and build as rows of a table. */
static char *place_of(const cJSON *info)
{
    char *rows = NULL;
    size_t size = 0;
    FILE *text = xopen_text(&rows, &size);
    put_facts(text, info);
    put_facts(text, member(info, "machine"));
    xclose_text(text);
    return rows;
}

/* Writes every machine and build once, with the folders made there. */
static void put_places(FILE *text, const struct report *report)
{
    char **places = pool_array(report->pool, report->count, sizeof *places);
    for (size_t i = 0; i < report->count; i++)
        places[i] = place_of(report->folders[i].run->info);
    for (size_t i = 0; i < report->count; i++) {
        size_t first = 0;
        while (strcmp(places[first], places[i]) != 0)
            first++;
        if (first < i)
            continue;
        put_markdown(text, "### Machine of %s\n\nFolders of this machine and build: ", report->folders[i].label);
        for (size_t j = i; j < report->count; j++)
            if (strcmp(places[i], places[j]) == 0)
                put_markdown(text, "%s%s", j > i ? ", " : "", report->folders[j].label);
        fprintf(text, "\n\n| name | value |\n| --- | --- |\n%s\n", places[i]);
    }
    for (size_t i = 0; i < report->count; i++)
        free(places[i]);
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
    FILE *text = writer->text;
    cJSON *files = data_files(writer->report);
    const cJSON *file = NULL, *set = NULL;
    fputs("## Machine and build\n\n", text);
    put_places(text, writer->report);
    fputs("### Data: the SHA-256 of each file, or of the generated values\n\n| file | data sets | SHA-256 |\n"
          "| --- | --- | --- |\n",
          text);
    cJSON_ArrayForEach (file, files) {
        const int hash = (int)strcspn(file->string, " ");
        put_markdown(text, "| %s | ", file->string + hash + 1);
        cJSON_ArrayForEach (set, file)
            put_markdown(text, "%s%s", set == file->child ? "" : ", ", set->string);
        fprintf(text, " | `%.*s` |\n", hash, file->string);
    }
    fputs("\n", text);
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
            "## How to run it again\n\nWith data of the same SHA-256, these commands give the same records, byte for "
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
        run_command_print_options(text, folder->run->info);
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
