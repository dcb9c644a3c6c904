/* hullbench verify: checks the expectations of a solver by running it. */
#include "harness/cli/cli.h"
#include "harness/config/config.h"
#include "harness/verify/verify.h"

struct verify_arguments {
    struct cli_arguments common;
    cJSON *given;
    struct cli_numbers problems; /* none: all */
    double patience;
};

#define ARGUMENTS struct verify_arguments
static const struct cli_option options[] = {
    {"set", 0, "NAME=VALUE", "Test only this value of a parameter, such as mu=0.02; may be repeated (default: several "
                             "values of each parameter)", PAIRS_AT(given)},
    {"problem", 0, "NUMBERS", "Test only these problems, such as 17 or 1-40,201; the table names them by number",
     AT(problems), .kind = CLI_NUMBERS, .high = LAST_INSTANCE},
    {"patience", 0, "SECONDS", "Processor time that one call of the solver may take (default: 5); one that waits may "
                               "take 12 times as long", REAL_AT(patience, 0.1, 1e6)},
    OPTION_QUIET("Print no progress"),
    {0},
};

static int work(void *context)
{
    const struct verify_arguments *arguments = context;
    const struct json_path place = {.file = "SOLVER"};
    struct verify_request request = {.given = arguments->given,
                                     .problems = arguments->problems.item,
                                     .n_problems = arguments->problems.count,
                                     .patience = arguments->patience,
                                     .simd = cli_simd(),
                                     .report = progress_watch(arguments->common.quiet)};
    request.solver = config_find_solver(NULL, arguments->common.words[0], &place);
    return verify(arguments->common.pool, &request, stdout) ? EXIT_DIFFERENT : EXIT_OK;
}

static const struct verify_arguments defaults = {.patience = 5};

const struct cli_verb verb_verify = {
    .name = "verify", .title = "test whether a solver meets the expectations of hullbench",
    .usage = "SOLVER",
    .doc = "Tests whether a solver meets the expectations of hullbench and prints a table of them. For each "
           "expectation that does not hold, the table names the smallest problem found that shows it.\nThe solver "
           "runs in a separate process, so that a crash or an endless loop becomes a line of the table "
           "(docs/verify.md). Exit status: 0 every tested expectation holds, 1 at least one does not, 2 wrong usage, "
           "4 system error.",
    .options = options, .plugins = 1, .min_words = 1, .max_words = 1, .words = "expected the name of a solver",
    .size = sizeof defaults, .defaults = &defaults, .work = work,
};
