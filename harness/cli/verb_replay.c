/* hullbench replay DIR: the same run again, and what is different now. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/cli/long_work.h"
#include "harness/replay/replay.h"

enum { KEY_RECORD = LONG_OWN_KEYS, KEY_ALL };
enum { MOST_RECORD = 1000000000 };

static const struct argp_option options[] = {
    {"record", KEY_RECORD, "N", 0, "Only this record, by its place in records.jsonl, from 0", 0},
    {"out", LONG_OUT, "DIR2", 0, "Folder for the second run, which is kept", 0},
    {"force", LONG_FORCE, NULL, 0, "Remove the records and traces another run left in DIR2", 0},
    {"all", KEY_ALL, NULL, 0, "Print every difference, not 50 at most", 0},
    {"jobs", LONG_JOBS, "N", 0, "Number of threads (default: one a processor)", 0},
    {"quiet", LONG_QUIET, NULL, 0, "No progress", 0},
    {0},
};

struct words {
    struct long_words common;
    struct replay_request request;
    int all;
};

static error_t parse_record(char *text, struct words *words, struct argp_state *state)
{
    words->request.one = 1;
    words->request.record = cli_number(text, MOST_RECORD);
    if (words->request.record == 0 && !(text[0] == '0' && text[1] == '\0'))
        argp_error(state, "--record: \"%s\" is not a number from 0", text);
    return 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct words *words = state->input;
    switch (key) {
    case KEY_RECORD:
        return parse_record(text, words, state);
    case KEY_ALL:
        words->all = 1;
        return 0;
    case ARGP_KEY_ARG:
        if (words->request.folder)
            argp_error(state, "one run folder is expected; \"%s\" is too many", text);
        words->request.folder = text;
        return 0;
    case ARGP_KEY_END:
        if (!words->request.folder)
            argp_error(state, "which run folder?");
        if (words->request.one && words->common.run.out)
            argp_error(state, "--record needs no folder: --out does not go with it");
        return 0;
    default:
        return long_words_parse(&words->common, key, text, state);
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
    struct words *words = context;
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
        options, parse, "DIR",
        "Does the run of the folder DIR again, from its configuration and restrictions, and lists what is "
        "different: in the set-up (program, build, machine, data) and in the results, to the byte.\v"
        "Without --out the second run is done in DIR/replay, which is removed where the results are the same. "
        "Exit status: 0 same results, 1 other results or other data, 2 bad use or input, 3 data of the run are "
        "missing, 4 failure of the machine.",
        plugin_option, NULL, NULL};
    struct words words = {.request = {.folder = NULL}};
    struct progress_line line = {0};
    words.request.run = &words.common.run;
    cli_parse(&argp, argc, argv, &words);
    return long_work(&words.common.run, words.common.quiet ? NULL : &line, execute, &words);
}
