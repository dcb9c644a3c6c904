/* hullbench replay DIR: the same run again, and what is different now. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/cli/interruptible.h"
#include "harness/replay/replay.h"

enum { KEY_RECORD = COMMON_OPTIONS_END, KEY_ALL };
enum { MAX_RECORD = 1000000000 };

static const struct argp_option options[] = {
    {"record", KEY_RECORD, "N", 0, "Only this record, by its place in records.jsonl, from 0", 0},
    {"out", COMMON_OUT, "DIR2", 0, "Folder for the second run, which is kept", 0},
    {"force", COMMON_FORCE, NULL, 0, "Remove the records and traces another run left in DIR2", 0},
    {"all", KEY_ALL, NULL, 0, "Print every difference, not 50 at most", 0},
    {"jobs", COMMON_JOBS, "N", 0, "Number of threads (default: one a processor)", 0},
    {"quiet", COMMON_QUIET, NULL, 0, "No progress", 0},
    {0},
};

struct replay_arguments {
    struct common_arguments common;
    struct cli_folders folders;
    struct replay_request request;
    int all;
};

static error_t parse_record(char *text, struct replay_arguments *words, struct argp_state *state)
{
    words->request.one = 1;
    words->request.record = cli_number(text, MAX_RECORD);
    if (words->request.record == 0 && !(text[0] == '0' && text[1] == '\0'))
        argp_error(state, "--record: \"%s\" is not a number from 0", text);
    return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct replay_arguments *words = state->input;
    switch (key) {
    case KEY_RECORD:
        return parse_record(text, words, state);
    case KEY_ALL:
        words->all = 1;
        return 0;
    case ARGP_KEY_ARG:
        return cli_take_folder(&words->folders, 1, key, text, state);
    case ARGP_KEY_END:
        cli_take_folder(&words->folders, 1, key, text, state);
        if (words->request.one && words->common.run.out)
            argp_error(state, "--record needs no folder: --out does not go with it");
        return 0;
    default:
        return parse_common_option(&words->common, key, text, state);
    }
}

static void print_notes(const char *title, const struct string_list *notes, int all)
{
    size_t shown = all || notes->count < 50 ? notes->count : 50;
    printf("%s: %s\n", title, notes->count ? "different" : "the same");
    for (size_t i = 0; i < shown; i++)
        printf("  %s\n", notes->line[i]);
    if (shown < notes->count)
        printf("  ... and %zu more lines (--all shows them)\n", notes->count - shown);
}

static int execute(void *context)
{
    struct replay_arguments *words = context;
    struct replay_result result = {0};
    struct error error = {0};
    if (replay_run(&words->request, &result, &error) != STATUS_OK)
        return cli_fail(&error);
    print_notes("set-up", &result.setup, words->all);
    print_notes("results", &result.results, words->all);
    printf("%s: %zu records done again: %zu the same, %zu different", result.config, result.records,
           result.records - result.differing, result.differing);
    if (*result.kept)
        printf("; the second run is in %s", result.kept);
    putchar('\n');
    int differs = result.results.count > 0 || result.other_data;
    replay_result_free(&result);
    return differs ? EXIT_DIFFERENT : EXIT_OK;
}

int verb_replay(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse_option, "DIR",
        "Does the run of the folder DIR again, from its configuration and restrictions, and lists what is "
        "different: in the set-up (program, build, machine, data) and in the results, to the byte.\v"
        "Without --out the second run is done in DIR/replay, which is removed where the results are the same. "
        "Exit status: 0 same results, 1 other results or other data, 2 bad use or input, 3 data of the run are "
        "missing, 4 failure of the machine.",
        plugin_option, NULL, NULL};
    struct replay_arguments words = {.request = {.folder = NULL}};
    struct progress_line line = {0};
    words.request.run = &words.common.run;
    cli_parse(&argp, argc, argv, &words);
    words.request.folder = words.folders.path[0];
    return run_interruptible(&words.common.run, words.common.quiet ? NULL : &line, execute, &words);
}
