/* hullbench merge --out DIR FOLDER...: combines the folders of a run's parts. */

#include "harness/cli/cli.h"
#include "harness/folders/merge.h"
#include "harness/tune/tune.h"

struct merge_arguments {
    struct cli_arguments common;
    int partial;
};

#define ARGUMENTS struct merge_arguments
static const struct cli_option options[] = {
    OPTION_OUT("DIR", "Folder for the merged run"),
    {"partial", 0, NULL, "Merge also if parts are missing or unfinished; run.json names them", AT(partial)},
    OPTION_FORCE("Remove records, traces and tables that another run left in DIR"),
    OPTION_QUIET("Print no summary"),
    {0},
};

static int work(void *context)
{
    const struct merge_arguments *arguments = context;
    const struct merge_request request = {
        .folders = arguments->common.words,
        .n_folders = arguments->common.n_words,
        .out = arguments->common.run.out,
        .partial = arguments->partial,
        .force = arguments->common.run.force,
    };
    char outcomes[256];
    const struct merge_result *result = merge_folders(arguments->common.pool, &request);
    cli_print_lines("hullbench: left out", &result->missing);
    if (result->mixed_builds) /* one version may have several builds, with changes between them */
        fprintf(stderr, "hullbench: %s: the folders come from different builds of the program; run.json lists them\n",
                request.out);
    if (result->mixed_machines)
        fprintf(stderr, "hullbench: %s: the folders come from different machines or numbers of threads, so its times "
                        "cannot be compared; run.json lists them\n",
                request.out);
    if (!arguments->common.quiet)
        printf("%zu records of %zu folders in %s%s%s\n", result->records, request.n_folders, request.out,
               *outcomes_text(result->outcomes, outcomes, sizeof outcomes) ? ", " : "", outcomes);
    cli_print_gaps(&result->gaps);
    return EXIT_OK;
}

const struct cli_verb verb_merge = {
    .name = "merge", .title = "merge the folders of shards or of restricted runs",
    .usage = "--out DIR FOLDER...",
    .doc = "Merges run folders of one configuration: the shards of a plan, or runs restricted to different solvers, "
           "data sets or splits. records.jsonl has the same bytes as that of a single run of the whole "
           "configuration.\nFolders of different configurations, versions or data are refused, and so are records "
           "that contradict each other. Exit status: 0 success, 2 wrong usage or refused folders, 3 nothing to "
           "merge, 4 system error.",
    .options = options, .plugins = 1, .min_words = 1,
    .words = "expected at least one run folder",
    .size = sizeof(struct merge_arguments), .check = cli_check_out, .work = work,
};
