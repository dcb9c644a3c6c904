/* hullbench report DIR...: all results of runs and searches on one page. */
#include <string.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/report/report.h"

struct report_arguments {
    struct cli_arguments common;
    const char *markdown;
    struct cli_output page, interactive;
};

#define ARGUMENTS struct report_arguments
static const struct cli_option options[] = {
    OPTION_OUT_FILE(page, "File for the page (default: report.html in DIR or, with several, in the "
                                            "folder that contains them all)"),
    {"markdown", 'm', "FOLDER",
     "Instead of the page, write the tables and main figures as Markdown and SVG to FOLDER, with README.md as index",
     AT(markdown)},
    {0},
};

/* The path relative to the working folder, if it is below that. */
static const char *short_path(const char *path)
{
    char here[4096];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    return length && strncmp(path, here, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

static void check(void *context)
{
    struct report_arguments *arguments = context;
    struct cli_arguments *given = &arguments->common;
    if (arguments->page.name.path && arguments->markdown)
        cli_refuse("--out cannot be combined with --markdown");
    if (arguments->markdown)
        return;
    if (!arguments->page.name.path) {
        const char *parent = report_find_parent(given->pool, given->words, given->n_words);
        named_path_add(parent);
        arguments->page.name.path = pool_printf(given->pool, "%s/report.html", parent);
    }
    const char *page = arguments->page.name.path, *ending = strrchr(page, '.');
    if (ending && strcmp(ending, ".html") == 0 && !outfile_is_stream(page)) {
        arguments->interactive.name.option = "the interactive page";
        arguments->interactive.name.path =
            pool_printf(given->pool, "%.*s-interactive.html", (int)(ending - page), page);
        *pool_push(given->pool, &given->outputs) = &arguments->interactive;
    }
}

static int work(void *context)
{
    struct report_arguments *arguments = context;
    struct cli_arguments *common = &arguments->common;
    const char *markdown = arguments->markdown;
    const struct cli_output *page = &arguments->page;
    if (markdown)
        folder_make(markdown);
    struct report *report = report_gather(common->pool, common->words, common->n_words);
    for (size_t i = 0; i < report->notes.count; i++)
        fprintf(stderr, "%s\n", report->notes.line[i]);
    if (markdown) {
        report_write_markdown(report, markdown);
    } else {
        struct cli_output *interactive = &arguments->interactive;
        if (interactive->file.stream &&
            !report_print_interactive(report, interactive->name.path, interactive->file.stream))
            outfile_abandon(&interactive->file);
        report_print_page(report, page->file.stream);
    }
    cli_outputs_commit(common);
    if (markdown)
        printf("%s/README.md\n", markdown);
    else if (!outfile_is_stream(page->name.path))
        printf("%s\n", short_path(page->name.path));
    return EXIT_OK;
}

const struct cli_verb verb_report = {
    .name = "report", .title = "write one HTML page on runs: tables, verdicts, figures",
    .usage = "DIR...",
    .doc = "Writes one self-contained HTML page about folders of runs, searches and comparisons: the result in short, "
           "agreement with the papers cell by cell, comparisons of solvers, tables, figures, deviations, and the "
           "commands to repeat the runs (docs/report.md). Tables and figures that are missing or of other records are "
           "written first. Beside PAGE.html, PAGE-interactive.html compares the solvers of runs that are for no paper. "
           "Prints the path of the page.",
    .options = options, .plugins = 1, .of_folders = 1,
    .size = sizeof(ARGUMENTS), .check = check, .work = work,
};
