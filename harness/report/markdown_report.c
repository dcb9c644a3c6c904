/*
 * The copy for readers of the source: docs/results on a page that shows Markdown. Files are named after what they show,
 * in the letters of html_id, so no name needs escaping in a link; README.md leads to all of them.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"
#include "harness/support/folder_lock.h"
#include "harness/report/html.h"
#include "harness/report/report.h"
#include "harness/report/score.h"
#include "harness/report/times.h"
#include "harness/support/text_stream.h"

/* What the figures of a copy take together at most. */
enum { COPY_FIGURE_BYTES = 900000 };

struct copy {
    const struct report *report;
    const char *folder;
    FILE *index;
};

/* Text in Markdown: signs that mean something there are escaped. */
static void put_text(FILE *stream, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\`*_[]<>|#", *text))
            fputc('\\', stream);
        fputc(*text == '\n' ? ' ' : *text, stream);
    }
}

/* FOLDER/[figures/]LABEL.NAME.ENDING, malloc'ed; without a label FOLDER/NAME.ENDING. */
static char *file_name(const struct copy *copy, const char *below, const char *label, const char *name,
                       const char *ending)
{
    char *path = NULL;
    size_t size = 0;
    FILE *stream = text_stream_open(&path, &size);
    if (!stream)
        return NULL;
    fprintf(stream, "%s/%s", copy->folder, below);
    if (label) {
        html_id(stream, "", label);
        fputc('.', stream);
    }
    html_id(stream, "", name);
    fprintf(stream, ".%s", ending);
    text_stream_close(stream, &path);
    return path;
}

/* The path as README.md sees it. */
static const char *from_index(const struct copy *copy, const char *path)
{
    return path + strlen(copy->folder) + 1;
}

static enum status no_memory(const struct copy *copy, struct error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", copy->folder);
}

/* ---- papers ---- */

static void put_score_row(FILE *index, const char *name, const struct score *score)
{
    const size_t *cells = score->cells, *claims = score->claims;
    const double percent = score_percent(score);
    fputs("| ", index);
    put_text(index, name);
    if (isnan(percent))
        fputs(" | – ", index);
    else
        fprintf(index, " | %.1f %% ", percent);
    fprintf(index, "| %zu | %zu | %zu | %zu | ", cells[VERDICT_MATCH], cells[VERDICT_NEAR], cells[VERDICT_DIFFERS],
            cells[VERDICT_MISSING]);
    if (score->marks.compared)
        fprintf(index, "%zu of %zu", score->marks.agree, score->marks.compared);
    else
        fputs("–", index);
    fprintf(index, " | %zu | %zu | %zu | %zu |\n", claims[CLAIM_HOLDS], claims[CLAIM_IN_PART], claims[CLAIM_FAILS],
            claims[CLAIM_MISSING]);
}

static void put_scores(const struct copy *copy)
{
    const struct conformance *conformance = &copy->report->conformance;
    struct score total = {0};
    fputs("## Agreement with the papers\n\n"
          "| paper | cells that match, of those compared | match | near | differ | missing | marks that agree | claims "
          "that hold | "
          "in part | fail | without figures |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n",
          copy->index);
    for (size_t p = 0; p < conformance->n_papers; p++) {
        struct score score = {0};
        score_add(conformance, &conformance->papers[p], &score);
        score_add(conformance, &conformance->papers[p], &total);
        put_score_row(copy->index, conformance->papers[p].paper->name, &score);
    }
    put_score_row(copy->index, "all", &total);
    fprintf(copy->index,
            "\nWhat match, near and differs mean: [verdicts.md](../verdicts.md). Not explained in "
            "[deviations.md](../deviations.md): "
            "%zu cells that differ, %zu claims that fail.\n\n",
            conformance->unexplained_cells, conformance->unexplained_claims);
}

static enum status put_table(const struct copy *copy, const struct conform_table *table, struct error *error)
{
    const struct paper_table *printed = table->comparison->table;
    char *path = file_name(copy, "", NULL, printed->name, "md");
    enum status status = path ? comparison_write_markdown(table->comparison, path, error) : no_memory(copy, error);
    if (status == STATUS_OK) {
        fputs("- [", copy->index);
        put_text(copy->index, printed->name);
        fprintf(copy->index, "](%s)", from_index(copy, path));
        if (comparison_is_measured(table->comparison))
            fprintf(copy->index, " (%zu match, %zu near, %zu differ, %zu missing)", table->counts[VERDICT_MATCH],
                    table->counts[VERDICT_NEAR], table->counts[VERDICT_DIFFERS], table->counts[VERDICT_MISSING]);
        fputs(": ", copy->index);
        put_text(copy->index, printed->caption);
        fputs("\n", copy->index);
    }
    free(path);
    return status;
}

static enum status put_paper(const struct copy *copy, const struct conform_paper *paper, struct error *error)
{
    const struct conformance *conformance = &copy->report->conformance;
    const char *reference = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(paper->paper->json, "reference"));
    enum status status = STATUS_OK;
    fputs("### ", copy->index);
    put_text(copy->index, paper->paper->name);
    fputs("\n\n", copy->index);
    put_text(copy->index, reference ? reference : "");
    fputs("\n\n", copy->index);
    for (size_t k = 0; k < paper->paper->n_tables && status == STATUS_OK; k++) {
        const struct conform_table *table = conform_table_of(conformance, &paper->paper->tables[k]);
        if (table)
            status = put_table(copy, table, error);
    }
    if (status == STATUS_OK && paper->claims.count) {
        char name[300];
        snprintf(name, sizeof name, "%.200s.claims", paper->paper->name);
        char *path = file_name(copy, "", NULL, name, "md");
        status = path ? claims_write_markdown(paper, path, error) : no_memory(copy, error);
        if (status == STATUS_OK)
            fprintf(copy->index, "- [claims of the text](%s)\n", from_index(copy, path));
        free(path);
    }
    fputs("\n", copy->index);
    return status;
}

/* ---- comparisons and figures ---- */

/* The first line of a document without its "# ". */
static void put_first_line(FILE *stream, const char *text)
{
    char line[200];
    text += strspn(text, "# ");
    snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
    put_text(stream, line);
}

static enum status put_documents(const struct copy *copy, struct error *error)
{
    enum status status = STATUS_OK;
    int any = 0;
    for (size_t i = 0; i < copy->report->count; i++) {
        const struct report_folder *folder = &copy->report->folders[i];
        for (size_t d = 0; d < folder->n_documents && status == STATUS_OK; d++) {
            const struct report_document *document = &folder->documents[d];
            if (strcmp(document->name, "summary") == 0)
                continue;
            fputs(any++ ? "" : "## Comparisons and searches\n\n", copy->index);
            char *path = file_name(copy, "", folder->label, document->name, "md");
            status = path ? file_write(path, document->text, strlen(document->text), error) : no_memory(copy, error);
            if (status == STATUS_OK) {
                fputs("- ", copy->index);
                put_text(copy->index, folder->label);
                fputs(", [", copy->index);
                put_first_line(copy->index, document->text);
                fprintf(copy->index, "](%s)\n", from_index(copy, path));
            }
            free(path);
        }
    }
    fputs(any ? "\n" : "", copy->index);
    return status;
}

static enum status put_figure(const struct copy *copy, const struct report_folder *folder,
                              const struct report_figure *figure, struct error *error)
{
    char *path = file_name(copy, "figures/", folder->label, figure->name, "svg");
    enum status status = path ? file_write(path, figure->svg, strlen(figure->svg), error) : no_memory(copy, error);
    if (status == STATUS_OK) {
        fputs("![", copy->index);
        put_text(copy->index, figure->heading);
        fprintf(copy->index, "](%s)\n\n", from_index(copy, path));
        put_text(copy->index, folder->label);
        fputs(": ", copy->index);
        put_text(copy->index, figure->heading);
        fputs("\n\n", copy->index);
    }
    free(path);
    return status;
}

static enum status put_figures(const struct copy *copy, struct error *error)
{
    enum status status = STATUS_OK;
    char *figures = path_join(copy->folder, "figures");
    int any = 0;
    for (size_t i = 0; i < copy->report->count; i++) {
        const struct report_folder *folder = &copy->report->folders[i];
        for (size_t k = 0; k < folder->figures.count && status == STATUS_OK; k++) {
            if (!folder->figures.items[k].embedded)
                continue;
            if (!any++)
                status = figures ? folder_make(figures, error) : no_memory(copy, error);
            fputs(any == 1 ? "## Figures\n\n" : "", copy->index);
            if (status == STATUS_OK)
                status = put_figure(copy, folder, &folder->figures.items[k], error);
        }
    }
    free(figures);
    return status;
}

/* ---- what it rests on ---- */

static const char *text_member(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text ? text : "";
}

/* Whether an earlier folder was run on the same file. */
static int is_known(const struct report *report, const cJSON *data)
{
    for (size_t i = 0; i < report->count; i++) {
        const cJSON *item = NULL;
        cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(report->folders[i].run->info, "data")) {
            if (item == data)
                return 0;
            if (strcmp(text_member(item, "sha256"), text_member(data, "sha256")) == 0)
                return 1;
        }
    }
    return 0;
}

static void put_origin(const struct copy *copy)
{
    const struct report *report = copy->report;
    const cJSON *item = NULL;
    fputs("## Data\n\n| file | SHA-256 |\n| --- | --- |\n", copy->index);
    for (size_t i = 0; i < report->count; i++)
        cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(report->folders[i].run->info, "data")) {
            const char *source = text_member(item, "source"), *slash = strrchr(source, '/');
            if (is_known(report, item))
                continue;
            fputs("| ", copy->index);
            put_text(copy->index, slash ? slash + 1 : source);
            fprintf(copy->index, " | `%.64s` |\n", text_member(item, "sha256"));
        }
    fputs("\n", copy->index);
}

static void put_splits(const struct copy *copy)
{
    static const char *const sources[] = {"official", "resampled", "generated", "fold"};
    fputs("## Runs\n\n| folder | what | splits: official | resampled | generated | fold | records |\n"
          "| --- | --- | --: | --: | --: | --: | --: |\n",
          copy->index);
    for (size_t i = 0; i < copy->report->count; i++) {
        const struct run_folder *run = copy->report->folders[i].run;
        const cJSON *records = cJSON_GetObjectItemCaseSensitive(run->info, "records");
        fputs("| ", copy->index);
        put_text(copy->index, copy->report->folders[i].label);
        fputs(" | ", copy->index);
        put_text(copy->index, text_member(run->config, "title"));
        for (size_t s = 0; s < sizeof sources / sizeof *sources; s++) {
            const cJSON *item = NULL;
            double sum = 0;
            cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(run->info, "data")) {
                const cJSON *count = cJSON_GetObjectItemCaseSensitive(item, sources[s]);
                sum += cJSON_IsNumber(count) ? count->valuedouble : 0;
            }
            fprintf(copy->index, " | %.0f", sum);
        }
        fprintf(copy->index, " | %.0f |\n", cJSON_IsNumber(records) ? records->valuedouble : 0);
    }
    fputs("\nOfficial splits stand in the data file; resampled ones were drawn here at the official sizes, generated "
          "ones belong to "
          "sets made here, folds are of cross-validation.\n\n",
          copy->index);
}

static enum status put_times(const struct copy *copy, struct error *error)
{
    struct text_table grid = {0};
    enum status status = STATUS_OK;
    if (times_grid(copy->report, &grid)) {
        fputs("## Time and memory\n\n", copy->index);
        text_table_footnote(&grid, "%s.", TIMES_CAPTION);
        status = text_table_put(&grid, TEXT_TABLE_MARKDOWN, copy->folder, copy->index, error);
        fputs("\n", copy->index);
    }
    text_table_free(&grid);
    return status;
}

/* Of the program that did the runs, each once. */
static void put_versions(const struct copy *copy)
{
    const struct report *report = copy->report;
    for (size_t i = 0; i < report->count; i++) {
        const char *version = text_member(report->folders[i].run->info, "version");
        size_t before = 0;
        while (strcmp(text_member(report->folders[before].run->info, "version"), version) != 0)
            before++;
        if (before < i)
            continue;
        fputs(i ? " and " : "", copy->index);
        put_text(copy->index, version);
    }
}

static enum status write_index(const struct copy *copy, struct error *error)
{
    const struct conformance *conformance = &copy->report->conformance;
    enum status status = STATUS_OK;
    fputs("# Results\n\nTables and main figures of the runs below, done by hullbench ", copy->index);
    put_versions(copy);
    fputs(".\n\n", copy->index);
    put_scores(copy);
    fputs("## Tables and claims\n\n", copy->index);
    for (size_t p = 0; p < conformance->n_papers && status == STATUS_OK; p++)
        status = put_paper(copy, &conformance->papers[p], error);
    if (status == STATUS_OK)
        status = put_documents(copy, error);
    put_splits(copy);
    if (status == STATUS_OK)
        status = put_times(copy, error);
    put_origin(copy);
    return status == STATUS_OK ? put_figures(copy, error) : status;
}

enum status report_write_copy(struct report *report, const char *folder, struct error *error)
{
    struct copy copy = {.report = report, .folder = folder};
    struct folder_lock lock = {0};
    struct outfile out = {0};
    char *path = path_join(folder, "README.md");
    enum status status = path ? report_choose_figures(report, COPY_FIGURE_BYTES, error) : no_memory(&copy, error);
    if (status == STATUS_OK)
        status = folder_make(folder, error);
    if (status == STATUS_OK)
        status = folder_lock_take(&lock, folder, error);
    if (status == STATUS_OK)
        status = outfile_open(&out, path, error);
    if (status == STATUS_OK) {
        copy.index = out.stream;
        status = write_index(&copy, error);
        if (status == STATUS_OK)
            status = outfile_commit(&out, error);
        outfile_abandon(&out);
    }
    folder_lock_release(&lock);
    free(path);
    return status;
}
