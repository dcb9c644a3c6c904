/* hullbench report DIR...: everything about runs and searches in one page. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"
#include "harness/report/report.h"

enum { KEY_MARKDOWN = 'm' };

struct words {
    const char **folders;
    size_t n_folders;
    const char *out, *copy;
};

static error_t take_word(int key, char *text, struct argp_state *state)
{
    struct words *words = state->input;
    switch (key) {
    case 'o':
        words->out = text;
        return 0;
    case KEY_MARKDOWN:
        words->copy = text;
        return 0;
    case ARGP_KEY_ARG:
        for (size_t length = strlen(text); length > 1 && text[length - 1] == '/'; length--)
            text[length - 1] = '\0';
        words->folders[words->n_folders++] = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which folders of results?");
        return EINVAL;
    case ARGP_KEY_END:
        if (words->out && words->copy)
            argp_error(state, "--out is for the page, --markdown for the copy: one at a time");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The path as seen from the working folder, where it is below that. */
static const char *short_path(const char *path)
{
    char here[4096];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    return length && strncmp(path, here, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

static enum status write_page(const struct words *words, struct report *report, struct error *error)
{
    struct folder_lock lock = {0};
    char *made = words->out ? strdup(words->out) : path_join(report->parent, "report.html");
    char *folder = made ? path_folder(made) : NULL;
    int is_stream = made && outfile_is_stream(made);
    enum status status = folder ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "report.html: out of memory");
    if (status == STATUS_OK && !is_stream)
        status = folder_lock_take(&lock, folder, error);
    if (status == STATUS_OK)
        status = report_write_page(report, made, error);
    if (status == STATUS_OK && !is_stream)
        printf("%s\n", short_path(made));
    folder_lock_release(&lock);
    free(folder);
    free(made);
    return status;
}

static enum status write_report(const struct words *words, struct error *error)
{
    struct report report = {0};
    enum status status = report_gather(words->folders, words->n_folders, &report, error);
    if (status == STATUS_OK && report.notes)
        fputs(report.notes, stderr);
    if (status == STATUS_OK)
        status = words->copy ? report_write_markdown(&report, words->copy, error) : write_page(words, &report, error);
    if (status == STATUS_OK && words->copy)
        printf("%s/README.md\n", words->copy);
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
        .parser = take_word,
        .args_doc = "DIR...",
        .doc =
            "Write one HTML page about folders of runs and searches that needs nothing beside it: what was run and on what, "
            "agreement with the papers cell by cell, comparisons of solvers, figures, deviations, how to run it again "
            "(docs/report.md). Tables and figures that are missing or older than their records are made first. Prints the "
            "path of what was written.",
    };
    struct words words = {.folders = calloc((size_t)argc + 1, sizeof *words.folders)};
    struct error error = {0};
    int result = EXIT_OK;
    if (!words.folders)
        error_set(&error, STATUS_NO_MEMORY, "%d words: out of memory", argc);
    else
        cli_parse(&argp, argc, argv, &words);
    if (words.folders)
        write_report(&words, &error);
    if (error.status == STATUS_NOT_FOUND) /* a folder or paper named wrongly */
        error.status = STATUS_BAD_INPUT;
    if (error.status != STATUS_OK && result == EXIT_OK)
        result = cli_fail(&error);
    free(words.folders);
    return result;
}
