/* hullbench tables DIR: the tables of one run, with the published ones it is for. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cli/cli.h"
#include "harness/file.h"
#include "harness/tables/conform.h"
#include "harness/tables/summary_table.h"

struct words {
    const char *folder;
};

static error_t take_word(int key, char *text, struct argp_state *state)
{
    struct words *words = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (words->folder)
            argp_error(state, "one run folder at a time, not also %s", text);
        words->folder = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which run folder?");
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum status write_all(const struct words *words, struct error *error)
{
    struct runs runs = {0};
    struct records records = {0};
    struct conformance conformance = {0};
    char *folder = path_join(words->folder, "tables");
    enum status status = folder ? runs_read(&words->folder, 1, &runs, error)
                                : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", words->folder);
    if (status == STATUS_OK)
        status = runs_records(&runs, NULL, &records, error);
    if (status == STATUS_OK)
        status = folder_make(folder, error);
    if (status == STATUS_OK)
        status = summary_table_write(&records, folder, error);
    if (status == STATUS_OK)
        printf("%s/summary.{json,md,tex,csv}\n", folder);
    if (status == STATUS_OK) /* after the summary, which needs no paper and can be had even where this fails */
        status = conform_runs(&runs, NULL, &conformance, error);
    for (size_t i = 0; i < conformance.n_tables && status == STATUS_OK; i++) {
        status = published_write(conformance.tables[i].published, folder, error);
        if (status == STATUS_OK)
            printf("%s/%s.{json,md,tex,csv}\n", folder, conformance.tables[i].published->table->name);
    }
    for (size_t i = 0; i < conformance.n_papers && status == STATUS_OK; i++) {
        status = claims_write(&conformance.papers[i], folder, error);
        if (status == STATUS_OK)
            printf("%s/%s.claims.{json,md,tex,csv}\n", folder, conformance.papers[i].paper->name);
    }
    conformance_free(&conformance);
    records_free(&records);
    runs_free(&runs);
    free(folder);
    return status;
}

int verb_tables(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = take_word,
        .args_doc = "DIR",
        .doc = "Write the tables of a run: DIR/tables/summary.{json,md,tex,csv}, and beside the paper's figures every "
               "published table that DIR/config.json names under \"tables\".",
    };
    struct words words = {0};
    struct error error = {0};
    argp_err_exit_status = EXIT_BAD_USE;
    if (argp_parse(&argp, argc, argv, 0, NULL, &words) != 0)
        return EXIT_BAD_USE;
    if (write_all(&words, &error) != STATUS_OK) {
        if (error.status == STATUS_NOT_FOUND) /* a folder or paper named wrongly, not data that nobody has */
            error.status = STATUS_BAD_INPUT;
        return cli_fail(&error);
    }
    return EXIT_FINE;
}
