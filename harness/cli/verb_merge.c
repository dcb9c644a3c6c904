/* hullbench merge --out DIR FOLDER...: the folder of a run from those of its parts. */
#include <argp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/merge/merge.h"

enum { KEY_PARTIAL = 256, KEY_FORCE };

struct merge_arguments {
    struct merge_request request;
    struct cli_folders folders;
    int quiet;
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct merge_arguments *words = state->input;
    switch (key) {
    case 'o':
        words->request.out = text;
        return 0;
    case 'q':
        words->quiet = 1;
        return 0;
    case KEY_PARTIAL:
        words->request.partial = 1;
        return 0;
    case KEY_FORCE:
        words->request.force = 1;
        return 0;
    case ARGP_KEY_END:
        if (!words->request.out)
            argp_error(state, "--out DIR is expected");
        break;
    }
    return cli_take_folder(&words->folders, SIZE_MAX, key, text, state);
}

static void print_result(const struct merge_arguments *words, const struct merge_result *result)
{
    printf("%zu records of %zu folders in %s", result->records, words->request.n_folders, words->request.out);
    for (unsigned o = 0; o < OUTCOMES; o++)
        if (result->outcomes[o])
            printf(", %zu %s", result->outcomes[o], outcome_name((enum outcome)o));
    putchar('\n');
}

int verb_merge(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"out", 'o', "DIR", 0, "Folder for the whole run", 0},
        {"partial", KEY_PARTIAL, NULL, 0, "Go on where parts are missing or unfinished; run.json says which", 0},
        {"force", KEY_FORCE, NULL, 0, "Remove the records and traces another run left in DIR", 0},
        {"quiet", 'q', NULL, 0, "No summary", 0},
        {0},
    };
    static const struct argp argp = {
        options, parse_option, "--out DIR FOLDER...",
        "Joins run folders of one configuration: the shards of a plan, or runs restricted to other solvers, data "
        "sets or splits. records.jsonl has the same bytes as that of the run that does everything at once.\v"
        "Folders of other configurations, versions or data are refused, and so are records that contradict each "
        "other. Exit status: 0 fine, 2 refused, 3 nothing to merge, 4 failure of the machine.",
        plugin_option, NULL, NULL};
    struct merge_arguments words = {.quiet = 0};
    struct merge_result result = {0};
    struct error error = {0};
    cli_parse(&argp, argc, argv, &words);
    words.request.folders = words.folders.path;
    words.request.n_folders = words.folders.count;
    enum status status = merge_folders(&words.request, &result, &error);
    for (size_t i = 0; i < result.missing.count; i++)
        fprintf(stderr, "hullbench: left out: %s\n", result.missing.line[i]);
    if (status == STATUS_OK &&
        result.mixed_builds) /* a version may have been built more than once, and changed in between */
        fprintf(stderr, "hullbench: %s: the folders come from different builds of the program; run.json says which\n",
                words.request.out);
    if (status == STATUS_OK && !words.quiet)
        print_result(&words, &result);
    merge_result_free(&result);
    free(words.folders.path);
    return status == STATUS_OK ? EXIT_OK : cli_fail(&error);
}
