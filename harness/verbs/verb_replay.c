/* hullbench replay DIR: repeats a run and reports differences. */
#include <stdio.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/cli/interruptible.h"
#include "harness/replay/replay.h"

enum { MAX_RECORD = 1000000000 };

struct replay_arguments {
    struct cli_arguments common;
    struct replay_request request;
    int all;
};

static void take_record(void *arguments, char *text, struct argp_state *state)
{
    struct replay_request *request = &((struct replay_arguments *)arguments)->request;
    request->one = 1;
    request->record = cli_number(text, MAX_RECORD);
    if (request->record == 0 && strcmp(text, "0") != 0)
        cli_refuse(state, "--record: \"%s\" is not a number from 0", text);
}

static const struct cli_option options[] = {
    {"record", 0, "N", "Only this record, by its place in records.jsonl, from 0", 0, 0, take_record},
    OPTION_OUT("DIR2", "Folder for the second run, which is kept"),
    OPTION_FORCE(0, "Remove the records and traces another run left in DIR2"),
    {"all", 0, NULL, "Print every difference, not 50 at most", 0, offsetof(struct replay_arguments, all), NULL},
    OPTION_JOBS(0),
    OPTION_QUIET("No progress"),
    {0},
};

static void check(void *context, struct argp_state *state)
{
    const struct replay_arguments *arguments = context;
    if (arguments->request.one && arguments->common.run.out)
        cli_refuse(state, "--record needs no folder: --out does not go with it");
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
    struct replay_arguments *arguments = context;
    struct replay_result result = {0};
    struct error error = {0};
    if (replay_run(&arguments->request, &result, &error) != STATUS_OK)
        return cli_fail(&error);
    print_notes("set-up", &result.setup, arguments->all);
    print_notes("results", &result.results, arguments->all);
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
    static const struct cli_verb verb = {
        "DIR",
        "Does the run of the folder DIR again, from its configuration and restrictions, and lists what is "
        "different: in the set-up (program, build, machine, data) and in the results, to the byte.\v"
        "Without --out the second run is done in DIR/replay, which is removed where the results are the same. "
        "Exit status: 0 same results, 1 other results or other data, 2 bad use or input, 3 data of the run are "
        "missing, 4 failure of the machine.",
        options, 1, 1, 1, "expected one run folder", check};
    struct replay_arguments arguments = {.request = {.folder = NULL}};
    cli_parse(&verb, argc, argv, &arguments);
    arguments.request.run = &arguments.common.run;
    arguments.request.folder = arguments.common.words[0];
    return run_interruptible(&arguments.common, execute);
}
