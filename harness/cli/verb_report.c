/* hullbench report DIR...: everything about runs and searches in one page. */
#include <argp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/program/memory.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"
#include "harness/report/report.h"

enum { KEY_MARKDOWN = 'm' };

struct report_options {
    struct cli_folders folders;
    const char *out, *markdown;
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct report_options *given = state->input;
    switch (key) {
    case 'o':
        given->out = text;
        return 0;
    case KEY_MARKDOWN:
        given->markdown = text;
        return 0;
    case ARGP_KEY_ARG:
        for (size_t length = strlen(text); length > 1 && text[length - 1] == '/'; length--)
            text[length - 1] = '\0';
        break;
    case ARGP_KEY_END:
        if (given->out && given->markdown)
            argp_error(state, "--out is for the page, --markdown for the folder: one at a time");
        break;
    }
    return cli_take_folder(&given->folders, SIZE_MAX, key, text, state);
}

/* The path as seen from the working folder, where it is below that. */
static const char *short_path(const char *path)
{
    char here[4096];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    return length && strncmp(path, here, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

static enum status write_page(const char *out, struct report *report, struct error *error)
{
    struct folder_lock lock = {0};
    char *path = out ? xstrdup(out) : xasprintf("%s/report.html", report->parent), *folder = path_folder(path);
    const int is_stream = outfile_is_stream(path);
    if (!folder)
        out_of_memory();
    enum status status = is_stream ? STATUS_OK : folder_lock_take(&lock, folder, error);
    if (status == STATUS_OK)
        status = report_write_page(report, path, error);
    if (status == STATUS_OK && !is_stream)
        printf("%s\n", short_path(path));
    folder_lock_release(&lock);
    free(folder);
    free(path);
    return status;
}

static enum status write_report(const struct report_options *given, struct error *error)
{
    struct report report = {0};
    enum status status = report_gather(given->folders.path, given->folders.count, &report, error);
    if (status == STATUS_OK && report.notes)
        fputs(report.notes, stderr);
    if (status == STATUS_OK && given->markdown)
        status = report_write_markdown(&report, given->markdown, error);
    else if (status == STATUS_OK)
        status = write_page(given->out, &report, error);
    if (status == STATUS_OK && given->markdown)
        printf("%s/README.md\n", given->markdown);
    report_free(&report);
    return status;
}

int verb_report(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"out", 'o', "FILE", 0,
         "The page; default: report.html in DIR or, with several, in the folder that they all stand in", 0},
        {"markdown", KEY_MARKDOWN, "FOLDER", 0,
         "Instead of the page a small copy of tables and main figures in Markdown and SVG, with README.md as index", 0},
        {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse_option,
        .args_doc = "DIR...",
        .doc =
            "Write one HTML page about folders of runs and searches that needs nothing beside it: what was run and on "
            "what, agreement with the papers cell by cell, comparisons of solvers, figures, deviations, how to run it "
            "again (docs/report.md). Tables and figures that are missing or older than their records are made first. "
            "Prints the path of what was written.",
    };
    struct report_options given = {.out = NULL};
    struct error error = {0};
    cli_parse(&argp, argc, argv, &given);
    write_report(&given, &error);
    free(given.folders.path);
    return cli_folders_status(&error, EXIT_OK);
}
