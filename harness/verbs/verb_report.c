/* hullbench report DIR...: all results of runs and searches on one page. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_environment.h"
#include "harness/cli/options.h"
#include "harness/cli/outputs.h"
#include "harness/base/memory.h"
#include "harness/support/file.h"
#include "harness/support/folder.h"
#include "harness/report/report.h"

struct report_arguments {
    struct cli_arguments common;
    const char *markdown;
};

static const struct cli_option options[] = {
    OPTION_OUT("FILE", "File for the page (default: report.html in DIR or, with several, in the folder that contains "
                       "them all)"),
    {"markdown", 'm', "FOLDER",
     "Instead of the page, write the tables and main figures as Markdown and SVG to FOLDER, with README.md as index",
     OPTION_AT(struct report_arguments, markdown)},
    {0},
};

static void check(void *context)
{
    const struct report_arguments *arguments = context;
    if (arguments->common.run.out && arguments->markdown)
        cli_refuse("--out cannot be combined with --markdown");
}

/* The path relative to the working folder, if it is below that. */
static const char *short_path(const char *path)
{
    char here[4096];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    return length && strncmp(path, here, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

/* The page's path; malloc'ed. */
static enum status find_page(const struct cli_arguments *given, char **path, struct error *error)
{
    char *parent = NULL;
    if (given->run.out) {
        *path = xstrdup(given->run.out);
        return STATUS_OK;
    }
    enum status status = report_find_parent(given->words, given->n_words, &parent, error);
    if (status == STATUS_OK)
        named_path_add(parent);
    *path = status == STATUS_OK ? xasprintf("%s/report.html", parent) : NULL;
    free(parent);
    return status;
}

/* Opens the page first, since tables and figures can take long. */
static enum status write_page(struct cli_output *page, struct report *report, struct error *error)
{
    enum status status = report_print_page(report, page->file.stream, error);
    if (status == STATUS_OK)
        outfile_commit(&page->file);
    if (status == STATUS_OK && !outfile_is_stream(page->name.path))
        printf("%s\n", short_path(page->name.path));
    return status;
}

static enum status write_report(const struct report_arguments *arguments, struct error *error)
{
    struct report report = {0};
    struct cli_output page = {0};
    char *path = NULL;
    enum status status = find_page(&arguments->common, &path, error);
    page.name = (struct cli_file){"--out", path};
    if (status == STATUS_OK && arguments->markdown)
        folder_make(arguments->markdown);
    else if (status == STATUS_OK)
        status = cli_outputs_open_of_runs(&page, 1, &arguments->common, error);
    if (status == STATUS_OK)
        status = report_gather(arguments->common.words, arguments->common.n_words, &report, error);
    for (size_t i = 0; i < report.notes.count && status == STATUS_OK; i++)
        fprintf(stderr, "%s\n", report.notes.line[i]);
    if (status == STATUS_OK)
        status = arguments->markdown ? report_write_markdown(&report, arguments->markdown, error)
                                     : write_page(&page, &report, error);
    if (status == STATUS_OK && arguments->markdown)
        printf("%s/README.md\n", arguments->markdown);
    cli_outputs_abandon(&page, 1);
    report_free(&report);
    free(path);
    return status;
}

int verb_report(int argc, char **argv)
{
    static const struct cli_verb verb = {
        "DIR...",
        "Writes one self-contained HTML page about folders of runs and searches: the runs and their machines, "
        "agreement with the papers cell by cell, comparisons of solvers, figures, deviations, and the commands to "
        "repeat the runs (docs/report.md). Tables and figures that are missing or of other records are written first. "
        "Prints the path of the page.",
        options, 1, 1, SIZE_MAX, "expected at least one run folder", check};
    struct report_arguments arguments = {.markdown = NULL};
    struct error error = {0};
    cli_parse(&verb, argc, argv, &arguments);
    write_report(&arguments, &error);
    return cli_folders_status(&error, EXIT_OK);
}
