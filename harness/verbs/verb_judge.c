/* hullbench judge: what the judge says of multipliers from anywhere (given.h). Data, kernel and record are those of
 * `hullbench solve`. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/evaluate/given.h"
#include "harness/solve/solve_options.h"
#include "harness/support/file.h"
#include "solvers/registry.h"

struct judge_arguments {
    struct solve_arguments solve;
    const char *alpha;
    int formulation; /* enum formulation, from 1; 0: not given */
    int square_penalty;
};

struct multipliers LIST_OF(double);

/* Reads numbers separated by white space or commas; # begins a comment. */
static struct multipliers read_multipliers(struct pool *pool, const char *path)
{
    struct multipliers given = {NULL, 0, 0};
    size_t size;
    const char *at = strcmp(path, "-") == 0 ? file_read_stream(pool, stdin, "standard input", &size)
                                            : file_read(pool, path, &size);
    size_t line = 1;
    const char *const last = at + size;
    for (char *end; at < last; at = end) {
        end = (char *)(uintptr_t)at + 1;
        line += *at == '\n';
        if (*at == '#')
            end = (char *)(uintptr_t)at + strcspn(at, "\n");
        else if (!isspace((unsigned char)*at) && *at != ',') {
            const double number = strtod(at, &end);
            if (end == at || !isfinite(number) || (*end && !isspace((unsigned char)*end) && *end != ','))
                die(STATUS_BAD_INPUT, "%s:%zu: \"%.*s\" is not a finite number", path, line,
                    (int)strcspn(at, " \t\r\n,"), at);
            *pool_push(pool, &given) = number;
        }
    }
    return given;
}

static const struct parameter *const *parameters_of(enum formulation formulation, int square_penalty)
{
    static const struct parameter *const of_hulls[] = {&parameter_mu, NULL}, *const of_svms[] = {&parameter_c, NULL},
                                  *const of_norms[] = {&parameter_nu, &parameter_added, NULL},
                                  *const of_square_norms[] = {&parameter_c, &parameter_added, NULL};
    if (formulation == FORMULATION_MINIMUM_NORM)
        return square_penalty ? of_square_norms : of_norms;
    if (square_penalty)
        return of_svms;
    return formulation == FORMULATION_NEAREST_POINTS        ? of_hulls
           : formulation == FORMULATION_NO_BIAS_HARD_MARGIN ? NULL
                                                            : of_svms;
}

static void check(void *context)
{
    struct judge_arguments *arguments = context;
    if (!arguments->formulation || !arguments->alpha || !(arguments->solve.dataset || arguments->solve.data))
        cli_refuse("expected --formulation, --alpha, and --dataset or --data");
    *pool_push(arguments->solve.common.pool, &arguments->solve.solvers) = "given";
    arguments->solve.is_judged = 1;
    arguments->solve.rule = "duality-gap";
    if (!arguments->solve.tolerance)
        arguments->solve.tolerance = "1e-3";
    solve_check(&arguments->solve);
}

static int work(void *context)
{
    static char option[] = "--alpha";
    static struct solver_origin origin = {.file = option};
    static struct given given;
    struct judge_arguments *arguments = context;
    struct error error;
    const enum formulation formulation = (enum formulation)(arguments->formulation - 1);
    const int square_penalty = arguments->square_penalty || formulation == FORMULATION_SQUARE_SVM;
    if (strcmp(arguments->alpha, "-") != 0)
        file_check_exists(arguments->alpha); /* not data that the user could get */
    const struct multipliers read = read_multipliers(arguments->solve.common.pool, arguments->alpha);
    given = given_solver(formulation, square_penalty, read.item, read.count);
    given.solver.parameters = parameters_of(formulation, square_penalty);
    die_unless_ok(solvers_add((const struct solver *const[]){&given.solver, NULL}, &origin, &error), &error);
    return solve_given(&arguments->solve);
}

#define ARGUMENTS struct judge_arguments
static const struct cli_option options[] = {
    {"alpha", 'a', "FILE", "The multipliers, one for each training pattern in its order, not multiplied by the labels; "
                           "- is standard input", AT(alpha)},
    {"formulation", 'f', "PROBLEM", "What they solve: nearest-points, c-svm, 2-svm, minimum-norm, no-bias, "
                                    "no-bias-hard-margin",
     CHOICE_AT(formulation, "nearest-points, c-svm, 2-svm, minimum-norm, no-bias-hard-margin, no-bias")},
    {"square-penalty", 0, NULL, "C is the coefficient of a square penalty (2-svm implies it)", AT(square_penalty)},
    {"dataset", 0, "NAME", "Data set (hullbench list datasets)", AT(solve.dataset)},
    {"data", 0, "FILE", "Your own file in LIBSVM or CSV format, all of whose rows train unless --split is given",
     AT(solve.data)},
    OPTION_FORMAT("Format of FILE: libsvm or csv (default: csv if its name ends in .csv, else libsvm)"),
    OPTION_LABEL_COLUMN,
    OPTION_HEADER,
    {"split", 0, "N", "Number of the split, from 1 (default: 1 for a data set)", COUNT_AT(solve.split, 1, 1e5)},
    {"set", 0, "NAME=VALUE", "Set mu, C, nu or added, whichever the problem has; may be repeated",
     PAIRS_AT(solve.parameters)},
    {"kernel", 0, "TYPE[,NAME=VALUE...]", "Kernel, such as rbf,width=120 (hullbench list kernels; default: linear; for "
                                          "a file rbf of gamma 1/features)", AT(solve.kernel), .kind = CLI_OBJECT},
    {"tolerance", 'e', "EPS", "The outcome is \"converged\" if the relative duality gap is at most EPS (default: "
                              "1e-3)", AT(solve.tolerance)},
    {"no-standardise", 0, NULL,
     "Do not standardise the features (default: over the whole set, or by the training rows of a split of a file)",
     AT(solve.raw)},
    {"json", 0, NULL, "Print the record in JSON, on a terminal too", AT(solve.is_json)},
    {0},
};

const struct cli_verb verb_judge = {
    .name = "judge", .title = "judge multipliers from anywhere",
    .usage = "--formulation PROBLEM --alpha FILE --dataset NAME\n--formulation PROBLEM --alpha FILE --data FILE",
    .doc = "Recomputes objective, duality gap, KKT violation, feasibility, bias and test error of multipliers that "
           "another program found, and prints them as a record, as for a solver of hullbench.\nFor people whose "
           "solver cannot be driven step by step. Counts are null, because nobody counted. Exit status: 0 the "
           "relative duality gap is at most EPS, 1 it is not, 2 wrong usage, 3 the multipliers violate a constraint.",
    .options = options, .plugins = 1, .size = sizeof(struct judge_arguments), .check = check, .work = work,
};
