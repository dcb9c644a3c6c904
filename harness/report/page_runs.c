/* What was run, and on what: config.json and run.json of every folder. */
#include <cjson/cJSON.h>
#include <string.h>

#include "harness/report/html.h"
#include "harness/report/page.h"
#include "harness/report/times.h"

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const char *text_member(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(member(object, name));
    return text ? text : "";
}

static double number_member(const cJSON *object, const char *name)
{
    const cJSON *item = member(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

/* The name of an element of "datasets" or "solvers": a text, or an object with a name. */
static const char *name_of(const cJSON *item)
{
    return cJSON_IsString(item) ? item->valuestring : text_member(item, "name");
}

/* The next item of a name that did not come before; item is one of the list, NULL at its end. */
static const cJSON *first_of_name(const cJSON *list, const cJSON *item)
{
    for (; item; item = item->next) {
        const cJSON *before = list->child;
        while (before != item && strcmp(name_of(before), name_of(item)) != 0)
            before = before->next;
        if (before == item)
            return item;
    }
    return NULL;
}

enum { NAMES_IN_SIGHT = 5 };

/* The names, each once; more than a few of them behind their number. */
static void put_names(FILE *stream, const cJSON *list)
{
    int count = 0;
    const cJSON *const start = list ? list->child : NULL;
    for (const cJSON *item = first_of_name(list, start); item; item = first_of_name(list, item->next))
        count++;
    if (count > NAMES_IN_SIGHT)
        fprintf(stream, "<details><summary>%d</summary>", count);
    for (const cJSON *item = first_of_name(list, start); item; item = first_of_name(list, item->next))
        html_format(stream, "%s%s", item == start ? "" : ", ", name_of(item));
    if (count > NAMES_IN_SIGHT)
        fputs("</details>", stream);
}

/* The members of an object that are numbers, "48 converged, 4 iteration-limit". */
static void put_counts(FILE *stream, const cJSON *object)
{
    const cJSON *item = NULL;
    int count = 0;
    cJSON_ArrayForEach (item, object)
        html_format(stream, "%s%.0f %s", count++ ? ", " : "", item->valuedouble, item->string);
}

static void put_splits(FILE *stream, const cJSON *data)
{
    static const char *const sources[] = {"official", "resampled", "generated", "fold"};
    int count = 0;
    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++) {
        const cJSON *item = NULL;
        double sum = 0;
        cJSON_ArrayForEach (item, data)
            sum += number_member(item, sources[s]);
        if (sum > 0)
            html_format(stream, "%s%.0f %s", count++ ? ", " : "", sum, sources[s]);
    }
}

static void put_run(struct page *page, const struct report_folder *folder)
{
    FILE *stream = page->stream;
    const cJSON *config = folder->run->config, *info = folder->run->info;
    fputs("<tr><th scope=\"row\" id=\"", stream);
    html_id(stream, "run-", folder->label);
    fputs("\">", stream);
    html_text(stream, folder->label);
    fputs("</th><td class=\"w\">", stream);
    html_text(stream, *text_member(config, "title") ? text_member(config, "title") : text_member(config, "name"));
    fputs("</td><td class=\"t\">", stream);
    put_names(stream, member(config, "datasets"));
    fputs("</td><td class=\"t\">", stream);
    put_splits(stream, member(info, "data"));
    fputs("</td><td class=\"t\">", stream);
    put_names(stream, member(config, "solvers"));
    fprintf(stream, "</td><td>%.0f</td><td class=\"t\">", number_member(info, "records"));
    put_counts(stream, member(info, "outcomes"));
    fprintf(stream, "</td><td>%.1f</td><td>", number_member(info, "seconds"));
    html_text(stream, text_member(info, "finished"));
    fputs("</td></tr>\n", stream);
}

static void put_missing(struct page *page)
{
    int any = 0;
    for (size_t i = 0; i < page->report->count; i++) {
        const cJSON *item = NULL;
        cJSON_ArrayForEach (item, member(page->report->folders[i].run->info, "missing")) {
            fputs(any++ ? "" : "<h3>Data sets that were not found</h3>\n<ul>\n", page->stream);
            fputs("<li>", page->stream);
            html_format(page->stream, "%s: %s: %s; %s", page->report->folders[i].label, text_member(item, "dataset"),
                        text_member(item, "reason"), text_member(item, "command"));
            fputs("</li>\n", page->stream);
        }
    }
    fputs(any ? "</ul>\n" : "", page->stream);
}

/* Parts that a merge went on without, and what could not be drawn. */
static void put_notes(struct page *page)
{
    int any = 0;
    for (size_t i = 0; i < page->report->count; i++) {
        const cJSON *item = NULL;
        cJSON_ArrayForEach (item, member(page->report->folders[i].run->info, "partial")) {
            fputs(any++ ? "" : "<h3>Parts that are missing</h3>\n<ul>\n", page->stream);
            fputs("<li>", page->stream);
            html_format(page->stream, "%s: %s", page->report->folders[i].label,
                        cJSON_IsString(item) ? item->valuestring : "");
            fputs("</li>\n", page->stream);
        }
    }
    fputs(any ? "</ul>\n" : "", page->stream);
    if (!*page->report->notes)
        return;
    fputs("<h3>What could not be had</h3>\n<pre>", page->stream);
    html_text(page->stream, page->report->notes);
    fputs("</pre>\n", page->stream);
}

static void put_times(struct page *page)
{
    FILE *stream = page->stream;
    struct text_table grid = {0};
    const size_t told = times_grid(page->report, &grid);
    if (told) {
        html_table_open(stream, "sort", page->tables++);
        fputs(TIMES_CAPTION "</span></caption>\n", stream);
        const char *heads[TIMES_COLUMNS] = {"<folder"};
        for (size_t i = 1; i < TIMES_COLUMNS; i++)
            heads[i] = grid.cells[i];
        html_heads(stream, heads, TIMES_COLUMNS);
        fputs("<tbody>\n", stream);
        for (size_t i = grid.columns; i < grid.count; i++) {
            const int first = i % grid.columns == 0, last = (i + 1) % grid.columns == 0;
            fputs(first ? "<tr><th scope=\"row\">" : "<td>", stream);
            html_text(stream, grid.cells[i]);
            fputs(first ? "</th>" : last ? "</td></tr>\n" : "</td>", stream);
        }
        fputs("</tbody>\n", stream);
        html_table_close(stream);
    }
    text_table_free(&grid);
}

enum status page_runs(struct page *page, struct error *error)
{
    static const char *const heads[] = {"<folder", "<title",    "<data sets", "<splits", "<solvers",
                                        "records", "<outcomes", "seconds",    "finished"};
    FILE *stream = page->stream;
    fputs("<section aria-labelledby=\"runs\">\n<h2 id=\"runs\">What was run</h2>\n", stream);
    html_table_open(stream, "sort filter", page->tables++);
    fputs("Folders, with splits by their source: official ones stand in the data files, resampled ones were drawn at "
          "the official "
          "sizes, generated ones belong to sets made here, folds are of cross-validation</span></caption>\n",
          stream);
    html_heads(stream, heads, sizeof heads / sizeof *heads);
    fputs("<tbody>\n", stream);
    for (size_t i = 0; i < page->report->count; i++)
        put_run(page, &page->report->folders[i]);
    fputs("</tbody>\n", stream);
    html_table_close(stream);
    put_times(page);
    put_missing(page);
    put_notes(page);
    fputs("</section>\n", stream);
    (void)error;
    return STATUS_OK;
}

/* ---- machine, build, data ---- */

/* Members that tell one run from the next and not where it was done. */
static int is_of_the_run(const char *name)
{
    static const char *const names[] = {"schema",  "config", "plan",          "finished",      "seconds",
                                        "records", "units",  "units_of_plan", "peak_megabytes"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    return 0;
}

static void put_scalars(FILE *stream, const cJSON *object)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, object) {
        if (is_of_the_run(item->string) || !(cJSON_IsString(item) || cJSON_IsNumber(item)))
            continue;
        fputs("<tr><th scope=\"row\">", stream);
        html_text(stream, item->string);
        fputs("</th><td class=\"t\">", stream);
        if (cJSON_IsString(item))
            html_text(stream, item->valuestring);
        else
            html_format(stream, "%.15g", item->valuedouble);
        fputs("</td></tr>\n", stream);
    }
}

static int same_scalars(const cJSON *first, const cJSON *second)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, first)
        if (!is_of_the_run(item->string) && (cJSON_IsString(item) || cJSON_IsNumber(item)) &&
            !cJSON_Compare(item, member(second, item->string), 1))
            return 0;
    return 1;
}

static int same_place(const cJSON *first, const cJSON *second)
{
    return same_scalars(first, second) && same_scalars(second, first) &&
           same_scalars(member(first, "machine"), member(second, "machine")) &&
           same_scalars(member(second, "machine"), member(first, "machine"));
}

static void put_place(struct page *page, size_t first)
{
    FILE *stream = page->stream;
    const struct report *report = page->report;
    const cJSON *info = report->folders[first].run->info;
    html_table_open(stream, "facts", page->tables++);
    fputs("Machine and build of ", stream);
    for (size_t i = first, count = 0; i < report->count; i++)
        if (same_place(info, report->folders[i].run->info))
            html_format(stream, "%s%s", count++ ? ", " : "", report->folders[i].label);
    fputs("</span></caption>\n<tbody>\n", stream);
    put_scalars(stream, info);
    put_scalars(stream, member(info, "machine"));
    fputs("</tbody>\n", stream);
    html_table_close(stream);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Whether an earlier folder, or an earlier place of this one, has the same data set with the same hash. */
static int is_known(const struct report *report, size_t folder, const cJSON *data)
{
    for (size_t i = 0; i <= folder; i++) {
        const cJSON *item = NULL;
        cJSON_ArrayForEach (item, member(report->folders[i].run->info, "data")) {
            if (item == data)
                return 0;
            if (strcmp(text_member(item, "dataset"), text_member(data, "dataset")) == 0 &&
                strcmp(text_member(item, "sha256"), text_member(data, "sha256")) == 0)
                return 1;
        }
    }
    return 0;
}

static void put_data(struct page *page)
{
    static const char *const heads[] = {"<data set", "<source", "<SHA-256"};
    FILE *stream = page->stream;
    html_table_open(stream, "sort filter", page->tables++);
    fputs("Data: the file a set was read from, or made, and the SHA-256 of the file, or of the values "
          "made</span></caption>\n",
          stream);
    html_heads(stream, heads, sizeof heads / sizeof *heads);
    fputs("<tbody>\n", stream);
    for (size_t i = 0; i < page->report->count; i++) {
        const cJSON *item = NULL;
        cJSON_ArrayForEach (item, member(page->report->folders[i].run->info, "data")) {
            if (is_known(page->report, i, item))
                continue;
            fputs("<tr><th scope=\"row\">", stream);
            html_text(stream, text_member(item, "dataset"));
            fputs("</th><td class=\"t\">", stream);
            html_text(stream, base_name(text_member(item, "source")));
            fputs("</td><td class=\"t\"><code>", stream);
            html_text(stream, text_member(item, "sha256"));
            fputs("</code></td></tr>\n", stream);
        }
    }
    fputs("</tbody>\n", stream);
    html_table_close(stream);
}

void page_machines(struct page *page)
{
    const struct report *report = page->report;
    fputs("<section aria-labelledby=\"machines\">\n<h2 id=\"machines\">Machine and build</h2>\n", page->stream);
    for (size_t i = 0; i < report->count; i++) {
        size_t first = 0;
        while (!same_place(report->folders[first].run->info, report->folders[i].run->info))
            first++;
        if (first == i)
            put_place(page, i);
    }
    put_data(page);
    fputs("</section>\n", page->stream);
}
