/* What was run, on what machine and data, and the commands that do it again: config.json and run.json of every folder.
 */
#include <cjson/cJSON.h>
#include <string.h>

#include "harness/report/sections.h"
#include "harness/report/times.h"

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* ---- runs ---- */

/* The name of an element of "datasets" or "solvers": a text, or an object with a name. */
static const char *name_of(const cJSON *item)
{
    return cJSON_IsString(item) ? item->valuestring : text_member(item, "name");
}

/* The names, each once. */
static void put_names(FILE *text, const cJSON *list)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, list) {
        const cJSON *before = list->child;
        while (before != item && strcmp(name_of(before), name_of(item)) != 0)
            before = before->next;
        if (before == item)
            put_text(text, "%s%s", item == list->child ? "" : ", ", name_of(item));
    }
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
    fputs("| ", text);
    put_text(text, "%s", folder->label);
    fputs(" | ", text);
    put_text(text, "%s", *title ? title : text_member(config, "name"));
    fputs(" | ", text);
    put_names(text, member(config, "datasets"));
    put_splits(text, member(info, "data"));
    fputs(" | ", text);
    put_names(text, member(config, "solvers"));
    fprintf(text, " | %.0f | ", number_member(info, "records"));
    cJSON_ArrayForEach (item, outcomes)
        put_text(text, "%s%.0f %s", item == outcomes->child ? "" : ", ", item->valuedouble, item->string);
    fprintf(text, " | %.1f | ", number_member(info, "seconds"));
    put_text(text, "%s", text_member(info, "finished"));
    fputs(" |\n", text);
}

/* Data sets that were not there, and the parts that a merge went on without. */
static void put_missing(struct writer *writer)
{
    FILE *text = writer->text;
    const struct report *report = writer->report;
    int any = 0;
    for (size_t i = 0; i < report->count; i++) {
        const cJSON *item = NULL, *info = report->folders[i].run->info;
        cJSON_ArrayForEach (item, member(info, "missing")) {
            fputs(any++ ? "- " : "### What is missing\n\n- ", text);
            put_text(text, "%s: %s: %s; %s", report->folders[i].label, text_member(item, "dataset"),
                     text_member(item, "reason"), text_member(item, "command"));
            fputs("\n", text);
        }
        cJSON_ArrayForEach (item, member(info, "partial")) {
            fputs(any++ ? "- " : "### What is missing\n\n- ", text);
            put_text(text, "%s: %s", report->folders[i].label, cJSON_IsString(item) ? item->valuestring : "");
            fputs("\n", text);
        }
    }
    for (const char *line = report->notes; *line;) {
        const size_t length = strcspn(line, "\n");
        fputs(any++ ? "- " : "### What is missing\n\n- ", text);
        put_text(text, "%.*s", (int)length, line);
        fputs("\n", text);
        line += length + (line[length] == '\n');
    }
    fputs(any ? "\n" : "", text);
}

static void put_times(struct writer *writer)
{
    struct text_table grid = {0};
    if (times_grid(writer->report, &grid)) {
        fputs("### Time and memory\n\n", writer->text);
        text_table_footnote(&grid, "%s.", TIMES_CAPTION);
        if (writer->status == STATUS_OK)
            writer->status = text_table_put(&grid, TEXT_TABLE_MARKDOWN, "times", writer->text, writer->error);
        fputs("\n", writer->text);
    }
    text_table_free(&grid);
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
    fputs("\nOfficial splits stand in the data files, resampled ones were drawn at the official sizes, generated ones "
          "belong "
          "to sets made here, folds are of cross-validation.\n\n",
          text);
    put_times(writer);
    put_missing(writer);
}

/* ---- machine, build, data ---- */

/* A fact of the place and not of the run. */
static int is_fact(const cJSON *item)
{
    static const char *const of_the_run[] = {"schema",  "config", "plan",          "finished",      "seconds",
                                             "records", "units",  "units_of_plan", "peak_megabytes"};
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
        fputs("| ", text);
        put_text(text, "%s", item->string);
        fputs(" | ", text);
        if (cJSON_IsString(item))
            put_text(text, "%s", item->valuestring);
        else
            fprintf(text, "%.15g", item->valuedouble);
        fputs(" |\n", text);
    }
}

/* Whether the second has all facts of the first. */
static int has_facts(const cJSON *first, const cJSON *second)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, first)
        if (is_fact(item) && !cJSON_Compare(item, member(second, item->string), 1))
            return 0;
    return 1;
}

static int same_place(const cJSON *first, const cJSON *second)
{
    return has_facts(first, second) && has_facts(second, first) &&
           has_facts(member(first, "machine"), member(second, "machine")) &&
           has_facts(member(second, "machine"), member(first, "machine"));
}

static void put_place(FILE *text, const struct report *report, size_t first)
{
    const cJSON *info = report->folders[first].run->info;
    fputs("### Machine of ", text);
    put_text(text, "%s", report->folders[first].label);
    fputs("\n\nAll of this machine and build: ", text);
    for (size_t i = first; i < report->count; i++)
        if (same_place(info, report->folders[i].run->info))
            put_text(text, "%s%s", i > first ? ", " : "", report->folders[i].label);
    fputs("\n\n| name | value |\n| --- | --- |\n", text);
    put_facts(text, info);
    put_facts(text, member(info, "machine"));
    fputs("\n", text);
}

/* Of paths only the file's name is shown. */
static const char *file_of(const cJSON *data)
{
    const char *source = text_member(data, "source"), *slash = strrchr(source, '/');
    return slash ? slash + 1 : source;
}

static int same_file(const cJSON *first, const cJSON *second)
{
    return strcmp(file_of(first), file_of(second)) == 0 &&
           strcmp(text_member(first, "sha256"), text_member(second, "sha256")) == 0;
}

/* The first data set of all folders from the same file, and of the same name where `name` is nonzero. */
static const cJSON *first_like(const struct report *report, const cJSON *data, int name)
{
    for (size_t i = 0; i < report->count; i++) {
        const cJSON *item = NULL;
        cJSON_ArrayForEach (item, member(report->folders[i].run->info, "data"))
            if (same_file(item, data) &&
                (!name || strcmp(text_member(item, "dataset"), text_member(data, "dataset")) == 0))
                return item;
    }
    return data;
}

/* A file that data sets came from, with the names of these. */
static void put_file(FILE *text, const struct report *report, const cJSON *data)
{
    int count = 0;
    fputs("| ", text);
    put_text(text, "%s", file_of(data));
    fputs(" | ", text);
    for (size_t i = 0; i < report->count; i++) {
        const cJSON *item = NULL;
        cJSON_ArrayForEach (item, member(report->folders[i].run->info, "data"))
            if (same_file(item, data) && first_like(report, item, 1) == item)
                put_text(text, "%s%s", count++ ? ", " : "", text_member(item, "dataset"));
    }
    fprintf(text, " | `%.64s` |\n", text_member(data, "sha256"));
}

void section_machines(struct writer *writer)
{
    FILE *text = writer->text;
    const struct report *report = writer->report;
    fputs("## Machine and build\n\n", text);
    for (size_t i = 0; i < report->count; i++) {
        size_t first = 0;
        while (!same_place(report->folders[first].run->info, report->folders[i].run->info))
            first++;
        if (first == i)
            put_place(text, report, i);
    }
    fputs("### Data: the SHA-256 of each file, or of the values made\n\n| file | data sets | SHA-256 |\n"
          "| --- | --- | --- |\n",
          text);
    for (size_t i = 0; i < report->count; i++) {
        const cJSON *item = NULL;
        cJSON_ArrayForEach (item, member(report->folders[i].run->info, "data"))
            if (first_like(report, item, 0) == item)
                put_file(text, report, item);
    }
    fputs("\n", text);
}

/* ---- commands ---- */

/* A word as the shell takes it: in single quotes unless all its characters are harmless. */
static void put_word(FILE *text, const char *before, const char *word)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,=+:";
    if (*word && word[strspn(word, harmless)] == '\0') {
        fprintf(text, " %s%s", before, word);
        return;
    }
    fprintf(text, " '%s", before);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", text);
        else if (*word == '\n')
            fputs("\n    ", text); /* stays inside the block of code */
        else
            fputc(*word, text);
    fputs("'", text);
}

static void put_restrictions(FILE *text, const cJSON *info)
{
    static const char *const options[] = {"solvers", "datasets", "splits"};
    const cJSON *restricted = member(info, "restricted_to"), *item = NULL;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *value = cJSON_GetStringValue(member(restricted, options[i]));
        if (value) {
            fprintf(text, " --%s", options[i]);
            put_word(text, "", value);
        }
    }
    if (cJSON_IsNumber(member(restricted, "shard")) && cJSON_IsNumber(member(restricted, "shards")))
        fprintf(text, " --shard %.0f/%.0f", number_member(restricted, "shard"), number_member(restricted, "shards"));
    cJSON_ArrayForEach (item, member(info, "plugins")) {
        const char *file = cJSON_GetStringValue(member(item, "file"));
        if (file) {
            fputs(" --plugin", text);
            put_word(text, "", file);
        }
    }
}

static void put_all(FILE *text, const struct report *report, const char *verb, int runs_only)
{
    int any = 0;
    for (size_t i = 0; i < report->count; i++) {
        if (runs_only && run_folder_is_search(report->folders[i].run))
            continue;
        if (!any++)
            fprintf(text, "    hullbench %s", verb);
        put_word(text, "again/", report->folders[i].label);
    }
    fputs(any ? "\n" : "", text);
}

void section_commands(struct writer *writer)
{
    FILE *text = writer->text;
    const struct report *report = writer->report;
    fprintf(text,
            "## How to run it again\n\nWith data of the same SHA-256 these commands give the same records, byte for "
            "byte, on "
            "any machine (docs/determinism.md). They are meant for the folder that %s.\n\n"
            "`hullbench replay FOLDER` does one run again and lists what is different.\n\n",
            report->count > 1 ? "all the others stand in" : "this one stands in");
    for (size_t i = 0; i < report->count; i++) {
        const struct report_folder *folder = &report->folders[i];
        char config[4096];
        snprintf(config, sizeof config, "%s/config.json", folder->label);
        fputs(run_folder_is_search(folder->run) ? "    hullbench tune" : "    hullbench run", text);
        put_word(text, "", config);
        fputs(" --out", text);
        put_word(text, "again/", folder->label);
        put_restrictions(text, folder->run->info);
        fputs("\n", text);
    }
    put_all(text, report, "tables", 1);
    for (size_t i = 0; i < report->count; i++)
        if (!run_folder_is_search(report->folders[i].run) && report->folders[i].n_figures) {
            fputs("    hullbench plot", text);
            put_word(text, "again/", report->folders[i].label);
            fputs("\n", text);
        }
    if (report->conformance.n_papers)
        put_all(text, report, "conform", 1);
    put_all(text, report, "report", 0);
    fputs("\n", text);
}
