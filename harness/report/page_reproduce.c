/* The commands that make the folders, and this page, once more. */
#include <cjson/cJSON.h>
#include <string.h>

#include "harness/report/html.h"
#include "harness/report/page.h"

/* A word as the shell takes it: in single quotes unless all its characters are harmless. */
static void put_word(FILE *stream, const char *before, const char *word)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,=+:";
    if (*word && word[strspn(word, harmless)] == '\0') {
        html_format(stream, " %s%s", before, word);
        return;
    }
    html_format(stream, " '%s", before);
    while (*word) {
        size_t length = strcspn(word, "'");
        html_text_n(stream, word, length);
        word += length;
        if (*word++)
            html_text(stream, "'\\''");
        else
            break;
    }
    html_text(stream, "'");
}

static void put_restrictions(FILE *stream, const cJSON *restricted)
{
    static const char *const words[] = {"solvers", "datasets", "splits"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *value = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(restricted, words[i]));
        if (value) {
            fprintf(stream, " --%s", words[i]);
            put_word(stream, "", value);
        }
    }
    const cJSON *shard = cJSON_GetObjectItemCaseSensitive(restricted, "shard");
    const cJSON *shards = cJSON_GetObjectItemCaseSensitive(restricted, "shards");
    if (cJSON_IsNumber(shard) && cJSON_IsNumber(shards))
        fprintf(stream, " --shard %.0f/%.0f", shard->valuedouble, shards->valuedouble);
}

static void put_plugins(FILE *stream, const cJSON *plugins)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, plugins) {
        const char *file = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "file"));
        if (file) {
            fputs(" --plugin", stream);
            put_word(stream, "", file);
        }
    }
}

static void put_all(FILE *stream, const struct report *report, const char *verb, int runs_only)
{
    int any = 0;
    for (size_t i = 0; i < report->count; i++) {
        if (runs_only && report->folders[i].kind != REPORT_RUN)
            continue;
        if (!any++)
            fprintf(stream, "hullbench %s", verb);
        put_word(stream, "again/", report->folders[i].label);
    }
    fputs(any ? "\n" : "", stream);
}

void page_again(struct page *page)
{
    FILE *stream = page->stream;
    const struct report *report = page->report;
    fputs("<section aria-labelledby=\"again\">\n<h2 id=\"again\">How to run it again</h2>\n<p>With data of the same "
          "SHA-256 these "
          "commands give the same records, byte for byte, on any machine (docs/determinism.md). ",
          stream);
    fputs(report->count > 1 ? "They are meant for the folder that all the others stand in.</p>\n"
                            : "They are meant for the folder that this one stands in.</p>\n",
          stream);
    fputs("<p><code>hullbench replay FOLDER</code> does one run again and lists what is different.</p>\n", stream);
    fputs("<pre tabindex=\"0\"><code>", stream);
    for (size_t i = 0; i < report->count; i++) {
        const struct report_folder *folder = &report->folders[i];
        char config[4096];
        snprintf(config, sizeof config, "%s/config.json", folder->label);
        fputs(folder->kind == REPORT_SEARCH ? "hullbench tune" : "hullbench run", stream);
        put_word(stream, "", config);
        fputs(" --out", stream);
        put_word(stream, "again/", folder->label);
        put_restrictions(stream, cJSON_GetObjectItemCaseSensitive(folder->run->info, "restricted_to"));
        put_plugins(stream, cJSON_GetObjectItemCaseSensitive(folder->run->info, "plugins"));
        fputs("\n", stream);
    }
    put_all(stream, report, "tables", 1);
    for (size_t i = 0; i < report->count; i++)
        if (report->folders[i].kind == REPORT_RUN && report->folders[i].figures.count) {
            fputs("hullbench plot", stream);
            put_word(stream, "again/", report->folders[i].label);
            fputs("\n", stream);
        }
    if (report->conformance.n_papers)
        put_all(stream, report, "conform", 1);
    put_all(stream, report, "report", 0);
    fputs("</code></pre>\n</section>\n", stream);
}
