/* The options of `hullbench solve` (solve_options.h). */
#include "harness/solve/solve_options.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_LIBRARY \
    "hullbench solves only C-SVC and nu-SVC with two classes; use svm-train of LIBSVM"

int trains_on_all_rows(const struct solve_arguments *arguments)
{
    return arguments->data && !arguments->split && !arguments->folds;
}

int solve_is_svm_train(const struct solve_arguments *arguments)
{
    return arguments->data && !arguments->split;
}

int solve_is_auto(const struct solve_arguments *given)
{
    return !given->solver || strcmp(given->solver, "auto") == 0;
}

int solve_has_bias_of_nu_svc(const struct solve_arguments *arguments)
{
    return arguments->bias ? strcmp(arguments->bias, "nu-svc") == 0 : arguments->svm_type == SVM_TYPE_NU_SVC;
}

/* Of --solver and -s, a number is svm-train's problem type, a name is a solver. */
static void take_solver(struct solve_arguments *given, const char *text)
{
    static const char *const others[] = {"one-class SVM", "epsilon-SVR", "nu-SVR"};
    if (!*text || text[strspn(text, "0123456789")]) {
        given->solver = text;
        return;
    }
    if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
        cli_refuse("-s %s: no solver solves %s; " NO_LIBRARY, text,
                   strlen(text) == 1 && *text <= '4' ? others[*text - '2'] : "this type of problem");
    given->svm_type = *text == '0' ? SVM_TYPE_C_SVC : SVM_TYPE_NU_SVC;
}

/* Checks numbers that stay texts until the kernel is made. */
static void check_kernel(const struct solve_arguments *arguments)
{
    const char *texts[] = {arguments->gamma, arguments->coef0};
    if (arguments->degree)
        cli_count("-d", arguments->degree, 1, 64);
    for (int i = 0; i < 2; i++) {
        char *end = NULL;
        const double number = texts[i] ? strtod(texts[i], &end) : 0;
        const int is_bad = texts[i] && (end == texts[i] || *end || !isfinite(number));
        if (is_bad || (i == 0 && (number < 0 || (number > 0 && !isfinite(1 / number)))))
            cli_refuse("-%c: \"%s\" is not a finite number%s", "gr"[i], texts[i],
                       i == 0 ? " of at least 0 with a finite inverse" : "");
    }
    if (arguments->kernel && (arguments->kernel_type || arguments->degree || arguments->gamma || arguments->coef0))
        cli_refuse("--kernel cannot be combined with -t, -d, -g or -r");
}

/* svm-train reads all letters and uses those that the problem needs. If a solver is to be chosen, the others are
 * dropped with a note; otherwise those of other kernels are refused. */
static void check_letters(struct solve_arguments *given)
{
    static const char *const types[] = {NULL, "linear", "polynomial", "rbf"};
    const int is_auto = solve_is_auto(given), is_nu_svc = given->svm_type == SVM_TYPE_NU_SVC;
    const int is_rbf = solve_is_svm_train(given) || given->degree || given->gamma || given->coef0;
    given->type = given->kernel_type ? types[given->kernel_type] : is_rbf ? "rbf" : "linear";
    const int is_polynomial = strcmp(given->type, "polynomial") == 0;
    const struct {
        char letter;
        const char **text;
        int is_used;
        const char *needs; /* the kernel; NULL: none */
    } letters[] = {
        {'d', &given->degree, is_polynomial, "the polynomial kernel, -t 1"},
        {'r', &given->coef0, is_polynomial, "the polynomial kernel, -t 1"},
        {'g', &given->gamma, strcmp(given->type, "linear") != 0, "kernel -t 1 or -t 2"},
        {'n', &given->nu_text, is_nu_svc, NULL},
        {'p', &given->loss_width, 0, NULL},
    };
    const char *unused = "";
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (!*letters[i].text || letters[i].is_used)
            continue;
        if (!is_auto && letters[i].needs)
            cli_refuse("-%c needs %s", letters[i].letter, letters[i].needs);
        if (is_auto) {
            unused = pool_printf(given->common.pool, "%s%s -%c", unused, *unused ? "," : "", letters[i].letter);
            *letters[i].text = NULL;
        }
    }
    if (is_auto && is_nu_svc && cJSON_HasObjectItem(given->parameters, "C")) {
        unused = pool_printf(given->common.pool, "%s%s -c", unused, *unused ? "," : "");
        cJSON_DeleteItemFromObject(given->parameters, "C");
    }
    if (*unused && !given->common.quiet)
        cli_note("a %s with kernel %s does not use%s", is_nu_svc ? "nu-SVC" : "C-SVC", given->type, unused);
}

/* Takes the operands: the data file, unless an option names data, and the model. */
static void take_words(struct solve_arguments *given)
{
    const char *const *words = given->common.words;
    size_t n_words = given->common.n_words;
    if (!given->data && !given->dataset && n_words) {
        given->data = *words++;
        n_words--;
    }
    if (n_words > 1)
        cli_refuse("expected one model; \"%s\" is one argument too many", words[1]);
    if (n_words)
        given->model = words[0];
}

void solve_check(void *context)
{
    struct solve_arguments *given = context;
    for (size_t i = 0; i < given->solvers.count; i++)
        take_solver(given, given->solvers.item[i]);
    take_words(given);
    if (given->folds && given->model && !given->common.quiet)
        cli_note("-v writes no model; \"%s\" is ignored", given->model);
    if (given->folds) /* svm-train accepts the operand, too */
        given->model = NULL;
    if (!given->kernel)
        check_letters(given);
    const int on_all_rows = trains_on_all_rows(given) && !given->is_judged;
    check_kernel(given);
    given->nu = given->nu_text ? strtod(given->nu_text, NULL) : 0;
    if (given->nu_text && !(given->nu > 0 && given->nu <= 1))
        cli_refuse("-n: \"%s\" is not a number above 0, at most 1", given->nu_text);
    if (given->bias && !on_all_rows && !given->folds)
        cli_refuse("--bias needs a file that is trained whole, or -v; records always have the plane midpoint");
    if (given->bias && solve_is_auto(given) && given->svm_type != SVM_TYPE_NU_SVC)
        cli_refuse("--bias needs -s 1, or --solver with the name of a solver of reduced hulls");
    if (!given->data && (!given->solver || !given->dataset))
        cli_refuse("expected a file, or --solver NAME and --dataset NAME");
    if (given->folds && (!given->data || given->split || given->outputs[SOLVE_TRACE].name.path))
        cli_refuse("-v needs --data, and cannot be combined with --split or --trace");
    if (given->model && !on_all_rows)
        cli_refuse("a model (\"%s\") needs a file that is trained whole; omit --split", given->model);
    if (on_all_rows && !given->model && strcmp(given->data, "-") == 0)
        cli_refuse("expected the name of a model, because the data come from standard input");
    if (given->is_json && (given->folds || on_all_rows))
        cli_refuse("--json needs --dataset or --split: only one split has a record");
    if (given->common.quiet && !given->folds && !on_all_rows)
        cli_refuse("-q needs --data, and cannot be combined with --split");
}

void solve_check_svm_type(const struct solve_arguments *given, const struct solver *solver)
{
    const int solves_nu_svc =
        solver->formulation == FORMULATION_NEAREST_POINTS && solver_reads(solver, &parameter_mu);
    if (given->svm_type == SVM_TYPE_C_SVC && solver->formulation != FORMULATION_C_SVM)
        die(STATUS_BAD_INPUT, "-s 0: solver \"%s\" does not solve the C-SVC", solver->name);
    if ((given->svm_type == SVM_TYPE_NU_SVC || given->bias) && !solves_nu_svc)
        die(STATUS_BAD_INPUT, "%s: solver \"%s\" does not solve the nu-SVC; nearest-point solvers that read mu do",
            given->svm_type == SVM_TYPE_NU_SVC ? "-s 1" : "--bias", solver->name);
}

#define ARGUMENTS struct solve_arguments
const struct cli_option solve_options[] = {
    {"dataset", 0, "NAME", "Data set (hullbench list datasets)", AT(dataset)},
    {"data", 0, "FILE", "Your own file in LIBSVM or CSV format (- is standard input); trained whole unless --split or "
                        "-v is given", AT(data)},
    OPTION_FORMAT("Format of FILE: libsvm or csv (default: csv if its name ends in .csv, else libsvm)"),
    OPTION_LABEL_COLUMN,
    OPTION_HEADER,
    {"split", 0, "N", "Number of the split, from 1 (default: 1 for a data set)", COUNT_AT(split, 1, 1e5)},
    {"solver", 's', "NAME",
     "Solver (hullbench list solvers). auto, the default for files, chooses the solver that was fastest in "
     "measurements, by the dimensions of the kernel and the number of rows. 0 and 1 are the problem types of "
     "svm-train: C-SVC (default) and nu-SVC", LIST_AT(solvers)},
    {"set", 0, "NAME=VALUE", "Set a parameter of the solver, such as mu=0.02 (hullbench list parameters); may be "
                             "repeated", PAIRS_AT(parameters)},
    {"kernel", 0, "TYPE[,NAME=VALUE...]", "Kernel, such as rbf,width=120 (hullbench list kernels; default: linear)",
     AT(kernel), .kind = CLI_OBJECT},
    {"stop", 0, "RULE",
     "Stopping rule (hullbench list stops). Default: duality-gap for a file trained whole or with -v; otherwise "
     "gap-sum-w2, kkt for SVM duals, gap-max-w2 for minimum norm, kkt-relaxed at 1e-3 for svm-light", AT(rule)},
    {"tolerance", 'e', "EPS", "Tolerance of the stopping rule (default: 1e-3 for a file trained whole or with -v; "
                              "otherwise 1e-5)", AT(tolerance)},
    {"iterations", 0, "N", "Largest number of iterations (default: 10000000 for a file trained whole or with -v; "
                           "otherwise 100000)", AT(iterations)},
    {"no-standardise", 0, NULL,
     "Do not standardise the features (default: over the whole set, or by the training rows of a split of a file)",
     AT(raw)},
    {"raw", 0, NULL, NULL, AT(raw)}, /* the name in version 0.2.0 */
    {"json", 0, NULL, "Print the record of a split in JSON, on a terminal too", AT(is_json)},
    {"trace", 0, "FILE", "Write the convergence trace to FILE", OUTPUT_AT(outputs[SOLVE_TRACE])},
    {"bias", 0, "PLANE",
     "Plane of a solver of reduced hulls: midpoint, halfway between the nearest points, or nu-svc, in the middle of "
     "the margin, as in svm-train -s 1 (default: midpoint; nu-svc with -s 1)", TEXT_OF(bias, "midpoint, nu-svc")},
    OPTION_JOBS,
    {"check-rows", 0, NULL, "Check in every iteration that the solver neither keeps kernel rows nor writes into them "
                            "(slower)", AT(check_rows)},
    {.help = "Options of svm-train:"},
    {NULL, 't', "TYPE", "Kernel: 0 linear, 1 polynomial, 2 rbf (default for a file: 2)",
     CHOICE_AT(kernel_type, "0, 1, 2"),
     .instead = "allowed: 0 (linear), 1 (polynomial), 2 (rbf); the sigmoid kernel is not positive semidefinite; use "
                "svm-train of LIBSVM; --kernel precomputed --split N prints a record"},
    {NULL, 'd', "DEGREE", "Degree of the polynomial kernel, 1 to 64 (default: 3)", NUMBER_AT(degree)},
    {NULL, 'g', "GAMMA", "gamma of the polynomial and the rbf kernel (default: 1/features)", NUMBER_AT(gamma)},
    {NULL, 'r', "COEF0", "coef0 of the polynomial kernel (default: 0)", NUMBER_AT(coef0)},
    {NULL, 'c', "C", "--set C=C", PAIRS_AT(parameters), .allowed = "C"},
    {NULL, 'n', "NU", "nu; solvers that read mu get mu = 2/(nu N), at most 1", NUMBER_AT(nu_text)},
    {NULL, 'm', "MB", "Memory for kernel values, in MiB (default: 512)", REAL_AT(megabytes, 1e-6, 1e7)},
    {NULL, 'h', "0|1", "Shrinking off or on, for solvers that have it", TEXT_OF(shrinking, "0, 1")},
    {NULL, 'v', "N", "Cross-validate the file with N folds, from 2; write no model", COUNT_AT(folds, 2, 1000)},
    {NULL, 'q', NULL, "Print nothing while a model is trained", COMMON_AT(quiet)},
    OPTION_PROBABILITIES,
    {NULL, 'w', "WEIGHT", NULL, CHOICE_AT(common.probabilities, ""),
     .instead = "hullbench has no class weights; " NO_LIBRARY},
    {NULL, 'p', "EPSILON", NULL, NUMBER_AT(loss_width)},
    {0},
};
