/* The runs, their machines and data, and the commands that repeat them, from config.json and run.json. */
#include <cjson/cJSON.h>
#include <string.h>

#include "harness/folders/replay.h"
#include "harness/records/conditions.h"
#include "harness/report/report.h"

/* The maximum number of folders whose titles and times of stages are shown. */
enum { MAX_DETAILED = 8 };

/* The keys, or names, of the elements of a list, each once; an element is a text, or an object with a name. */
static struct name_order names_of(struct pool *pool, const cJSON *list, int keys)
{
    struct name_order names = {.pool = pool};
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, list)
        name_order_add(&names, keys                    ? item->string
                               : cJSON_IsString(item) ? item->valuestring
                                                      : text_member(item, "name"));
    return names;
}

/* "31 official, 9 resampled", of the sources that a run has splits of. */
static const char *splits_of(struct pool *pool, const struct run_info *info)
{
    const char *text = "";
    for (size_t s = 0; s < SPLIT_SOURCES; s++) {
        size_t sum = 0;
        for (size_t d = 0; d < info->data.count; d++)
            sum += info->data.item[d].splits[s];
        if (sum)
            text = pool_printf(pool, "%s%s%zu %s", text, *text ? ", " : "", sum, split_source_names[s]);
    }
    return text;
}

static void put_run(struct result *table, const struct report_folder *folder, int has_titles)
{
    struct pool *pool = table->pool;
    const cJSON *config = folder->run->config;
    const struct run_info *info = &folder->run->run;
    const struct name_order datasets = names_of(pool, json_member(config, "datasets"), 0),
                            /* run.json of older versions does not name those that "*" in a configuration stands for */
        solvers = info->parameters ? names_of(pool, info->parameters, 1)
                                   : names_of(pool, json_member(config, "solvers"), 0);
    const char *title = text_member(config, "title"), *outcomes = "";
    result_text(table, "%s", folder->label);
    if (has_titles)
        result_text(table, "%s", *title ? title : text_member(config, "name"));
    result_text(table, "%s", names_or_count(pool, &datasets, "sets"));
    result_text(table, "%s", splits_of(pool, info));
    result_text(table, "%s", names_or_count(pool, &solvers, "solvers"));
    result_number(table, (double)info->records);
    for (int o = 0; o < OUTCOMES; o++)
        if (info->outcomes[o] && o != OUTCOME_CONVERGED)
            outcomes = pool_printf(pool, "%s%s%zu %s", outcomes, *outcomes ? ", " : "", info->outcomes[o],
                                   outcome_name((enum outcome)o));
    result_text(table, "%s", *outcomes ? outcomes : "–");
    result_shown(table, info->seconds, "%.1f", info->seconds);
    result_text(table, "%s", info->finished ? info->finished : "");
}

/* Writes missing data sets, parts that a merge lacked, and what the report could not include. */
static void put_missing(struct writer *writer)
{
    const struct report *report = writer->report;
    struct string_list lines = {0};
    for (size_t i = 0; i < report->count; i++) {
        const struct report_folder *folder = &report->folders[i];
        const struct string_list gaps = run_folders_gaps(report->pool, &(struct run_folders){folder->run, 1}, NULL);
        for (size_t g = 0; g < gaps.count; g++)
            string_list_push(report->pool, &lines, "%s: %s", folder->label, gaps.line[g]);
        for (size_t g = 0; g < folder->run->run.partial.count; g++)
            string_list_push(report->pool, &lines, "%s: %s", folder->label, folder->run->run.partial.item[g]);
    }
    for (size_t i = 0; i < report->notes.count; i++)
        string_list_push(report->pool, &lines, "%s", report->notes.line[i]);
    if (lines.count)
        put_heading(writer, 3, "What is missing");
    for (size_t i = 0; i < lines.count; i++)
        put_markdown(writer->text, "- %s\n", lines.line[i]);
    fputs(lines.count ? "\n" : "", writer->text);
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

/* Writes a row for each folder whose run.json has times, if they are few, and one for all of them. */
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
        if (writer->report->count <= MAX_DETAILED)
            put_time_row(&table, writer->report->folders[i].label, &times);
        run_times_add(&sum, &times);
    }
    if (sum.seconds == 0)
        return;
    if (result_rows(&table) != 1)
        put_time_row(&table, "all", &sum);
    result_note(&table, "seconds: elapsed time. busy: the share of it that the threads spent on a processor. Stages: "
                        "shares of the threads' work. memory: the peak, in MiB.");
    put_heading(writer, 3, "Time and memory");
    put_result(writer, &table);
}

void section_runs(struct writer *writer)
{
    struct result table = {.pool = writer->pool, .name = "runs"};
    const int has_titles = writer->report->count <= MAX_DETAILED;
    result_columns(&table, has_titles ? "folder\t~what" : "folder");
    result_columns(&table, "~data sets\t~splits\t~solvers\t#records\t~not converged\t#seconds\tfinished");
    for (size_t i = 0; i < writer->report->count; i++)
        if (writer->report->folders[i].run->config)
            put_run(&table, &writer->report->folders[i], has_titles);
    result_note(&table, "Official splits are listed in the data files. Resampled splits were drawn at the official "
                        "sizes. Generated splits were drawn from a distribution. Folds belong to cross-validation.");
    put_result(writer, &table);
    put_times(writer);
    put_missing(writer);
}

/* ---- machine, build, data ---- */

/* A table whose last column has names, such as those of folders. */
struct name_table {
    struct result table;
    struct name_order rows, names;
};

static struct name_table name_table_new(struct pool *pool, const char *name, const char *columns)
{
    struct name_table named = {{.pool = pool, .name = name}, {.pool = pool}, {.pool = pool}};
    result_columns(&named.table, columns);
    return named;
}

/* Adds the name to the row of these two texts, which is added if it is new. */
static void add_name(struct name_table *named, const char *first, const char *second, const char *name)
{
    struct result *table = &named->table;
    const char *key = pool_printf(table->pool, "%s\n%s", first, second);
    const size_t row = name_order_add(&named->rows, key), known = named->names.count;
    if (row == result_rows(table))
        result_row(table, "%s\t%s\t", first, second);
    if (name_order_add(&named->names, pool_printf(table->pool, "%s\n%s", key, name)) < known)
        return;
    struct result_value *names = result_at(table, row, 2);
    names->text = pool_printf(table->pool, "%s%s%s", names->text, *names->text ? ", " : "", name);
}

/* Adds the facts about the machine or build, not the run. */
static void add_facts(struct name_table *facts, const cJSON *object, const char *folder)
{
    static const char *const of_the_run[] = {"schema", "config", "units_of_plan", RUN_INFO_PEAK, NULL};
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, object) {
        const struct member *row = members_find(run_info_members, item->string);
        size_t i = 0;
        while (of_the_run[i] && strcmp(item->string, of_the_run[i]) != 0)
            i++;
        if (of_the_run[i] || (row && row->flags & RUN_INFO_RESULT))
            continue;
        if (cJSON_IsString(item))
            add_name(facts, item->string, item->valuestring, folder);
        else if (cJSON_IsNumber(item))
            add_name(facts, item->string, pool_printf(facts->table.pool, "%.15g", item->valuedouble), folder);
    }
}

/* Writes each fact of the machines and builds once, with the folders made there, and each data file with its sets. */
void section_machines(struct writer *writer)
{
    struct name_table facts = name_table_new(writer->pool, "machine", "name\t~value\t~folders"),
                      files = name_table_new(writer->pool, "data", "file\t~SHA-256\t~data sets");
    const char *all = "";
    for (size_t i = 0; i < writer->report->count; i++) {
        const struct report_folder *folder = &writer->report->folders[i];
        const struct run_info *info = &folder->run->run;
        if (folder->run->config)
            all = pool_printf(writer->pool, "%s%s%s", all, *all ? ", " : "", folder->label);
        add_facts(&facts, folder->run->info, folder->label);
        add_facts(&facts, json_member(folder->run->info, "machine"), folder->label);
        for (size_t d = 0; d < info->data.count; d++) {
            const char *source = info->data.item[d].source ? info->data.item[d].source : "",
                       *slash = strrchr(source, '/');
            add_name(&files, slash ? slash + 1 : source, info->data.item[d].sha256, info->data.item[d].dataset);
        }
    }
    for (size_t row = 0; row < result_rows(&facts.table); row++)
        if (writer->report->runs.count > 1 && strcmp(result_at(&facts.table, row, 2)->text, all) == 0)
            result_at(&facts.table, row, 2)->text = "all";
    put_result(writer, &facts.table);
    put_heading(writer, 3, "Data: the SHA-256 of each file, or of the generated values");
    put_result(writer, &files.table);
}

/* ---- commands ---- */

/* Writes the command for all folders, or for those of runs. */
static void put_command(FILE *text, const struct report *report, const char *verb, int only_runs)
{
    fprintf(text, "    hullbench %s", verb);
    for (size_t i = 0; i < report->count; i++)
        if (report->folders[i].has_records || (!only_runs && report->folders[i].run->config))
            shell_word_print(text, "again/", report->folders[i].label);
    fputs("\n", text);
}

void section_commands(struct writer *writer)
{
    FILE *text = writer->text;
    const struct report *report = writer->report;
    fprintf(text,
            "With data of the same SHA-256, these commands give the same records, byte for "
            "byte, on any machine (docs/guarantees.md). Run them in the folder that contains %s.\n\n"
            "`hullbench replay FOLDER` repeats one run and lists every difference.\n\n",
            report->count > 1 ? "the run folders" : "the run folder");
    for (size_t i = 0; i < report->count; i++) {
        const struct report_folder *folder = &report->folders[i];
        if (!folder->run->config)
            continue;
        fputs(folder->has_records ? "    hullbench run" : "    hullbench tune", text);
        shell_word_print(text, "", pool_printf(report->pool, "%s/config.json", folder->label));
        fputs(" --out", text);
        shell_word_print(text, "again/", folder->label);
        run_command_print_options(text, &folder->run->run);
        fputs("\n", text);
    }
    if (report->conformance.n_papers)
        put_command(text, report, "conform", 1);
    put_command(text, report, "report", 0);
    fputs("\n", text);
}
