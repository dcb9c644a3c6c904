/* The options of `hullbench solve`, see solve_words.h. */
#include "harness/cli/solve_words.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/cli_data.h"
#include "harness/support/key_value.h"

enum {
    KEY_SPLIT = 256,
    KEY_DATASET,
    KEY_KERNEL,
    KEY_STOP,
    KEY_ITERATIONS,
    KEY_RAW,
    KEY_TRACE,
    KEY_CHECK_ROWS,
    KEY_DATA,
    KEY_FORMAT,
    KEY_LABEL,
    KEY_SET
};

static const struct argp_option options[] = {
    {"dataset", KEY_DATASET, "NAME", 0, "Data set (hullbench list datasets)", 0},
    {"data", KEY_DATA, "FILE", 0, "File of your own, LIBSVM format or CSV; trained whole unless --split or -v is given",
     0},
    {"format", KEY_FORMAT, "FORMAT", 0, "Its format, libsvm or csv (default: by the file's ending)", 0},
    {"label-column", KEY_LABEL, "NAME", 0, "CSV: the labels' column, by name or number (default: the last)", 0},
    {"split", KEY_SPLIT, "N", 0, "Number of the split (default 1 for a data set)", 0},
    {"solver", 's', "NAME", 0, "Solver (hullbench list solvers)", 0},
    {"set", KEY_SET, "NAME=VALUE", 0, "A parameter of the solver, such as mu=0.02; may be repeated", 0},
    {"kernel", KEY_KERNEL, "TYPE[,NAME=VALUE...]", 0, "Kernel, such as rbf,width=120 (default linear)", 0},
    {"stop", KEY_STOP, "RULE", 0,
     "Stopping rule (default gap-sum-w2; kkt for SVM duals, gap-max-w2 for minimum norm, kkt-relaxed at "
     "1e-3 for svm-light)",
     0},
    {"tolerance", 'e', "EPS", 0, "Tolerance of the rule (default 1e-5)", 0},
    {"iterations", KEY_ITERATIONS, "N", 0, "Most iterations (default 100000)", 0},
    {"no-standardise", KEY_RAW, NULL, 0, "Do not standardise the features", 0},
    {"raw", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0}, /* its name in version 0.2.0 */
    {"trace", KEY_TRACE, "FILE", 0, "Write the convergence trace", 0},
    {"check-rows", KEY_CHECK_ROWS, NULL, 0,
     "Check in every iteration that the solver neither keeps kernel rows nor writes into them", 0},
    {NULL, 0, NULL, 0, "As svm-train has them:", 1},
    {NULL, 't', "TYPE", 0, "Kernel: 0 linear, 1 polynomial, 2 rbf", 1},
    {NULL, 'd', "DEGREE", 0, "Degree of the polynomial (default 3)", 1},
    {NULL, 'g', "GAMMA", 0, "gamma of polynomial and rbf (default 1/features)", 1},
    {NULL, 'r', "COEF0", 0, "coef0 of the polynomial (default 0)", 1},
    {NULL, 'c', "C", 0, "--set C=C", 1},
    {NULL, 'n', "NU", 0, "nu: mu = 2/(nu N) for solvers that read mu", 1},
    {NULL, 'm', "MB", 0, "Memory for kernel values (default 512)", 1},
    {NULL, 'h', "0|1", 0, "Shrinking, for solvers that can", 1},
    {NULL, 'v', "N", 0, "N-fold cross-validation of the file, no model", 1},
    {NULL, 'q', NULL, 0, "Print nothing while a model is trained", 1},
    {NULL, 'b', "0|1", OPTION_HIDDEN, NULL, 1},
    {NULL, 'w', "WEIGHT", OPTION_HIDDEN, NULL, 1},
    {0},
};

int solve_is_whole(const struct solve_words *words)
{
    return words->data && !words->split && !words->folds;
}

int solve_is_validation(const struct solve_words *words)
{
    return words->folds != 0;
}

static void put_pair(cJSON *object, const char *pair, struct argp_state *state)
{
    if (!key_value_set_pair(object, pair, strlen(pair)))
        argp_error(state, "\"%s\" is not NAME=VALUE", pair);
}

static void parse_kernel(struct solve_words *words, char *text, struct argp_state *state)
{
    char *word = strtok(text, ",");
    if (!words->kernel)
        words->kernel = cJSON_AddObjectToObject(words->config, "kernel");
    key_value_set(words->kernel, "type", word ? word : "");
    while ((word = strtok(NULL, ",")))
        put_pair(words->kernel, word, state);
}

static size_t whole_number(const char *option, const char *text, size_t min, size_t max, struct argp_state *state)
{
    size_t number = cli_number(text, max);
    if (number < min)
        argp_error(state, "%s: \"%s\" is not a number from %zu to %zu", option, text, min, max);
    return number;
}

static double checked_number(const char *option, const char *text, double above, double at_most,
                             struct argp_state *state)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end || !(number > above && number <= at_most))
        argp_error(state, "%s: \"%s\" is not a number above %g, at most %g", option, text, above, at_most);
    return number;
}

/* A number that is kept as a word until the kernel is made. */
static const char *kept_number(const char *option, const char *text, double min, struct argp_state *state)
{
    char *end;
    double number = strtod(text, &end);
    int overflows = min == 0 && number > 0 && !isfinite(1 / number);
    if (end == text || *end || !isfinite(number) || number < min || overflows)
        argp_error(state, "%s: \"%s\" is not a finite number%s", option, text,
                   min == 0 ? " from 0 on whose inverse is finite" : "");
    return text;
}

/* The letters of svm-train's that hullbench has no long word for. */
static error_t parse_letter(int key, char *text, struct solve_words *words, struct argp_state *state)
{
    static const char *const types[] = {"linear", "polynomial", "rbf"};
    switch (key) {
    case 't':
        if (strlen(text) != 1 || !isdigit((unsigned char)*text) || *text > '2')
            argp_error(state, "-t: \"%s\": kernels are 0 (linear), 1 (polynomial) and 2 (rbf)", text);
        else
            words->type = types[*text - '0'];
        return 0;
    case 'd':
        whole_number("-d", text, 1, 64, state);
        words->degree = text;
        return 0;
    case 'g':
        words->gamma = kept_number("-g", text, 0, state);
        return 0;
    case 'r':
        words->coef0 = kept_number("-r", text, -HUGE_VAL, state);
        return 0;
    case 'c':
        key_value_set(words->parameters, "C", text);
        return 0;
    case 'n':
        words->nu = checked_number("-n", text, 0, 1, state);
        return 0;
    case 'm':
        key_value_set_number(words->config, "gram_megabytes", checked_number("-m", text, 0, 1e7, state));
        return 0;
    case 'h':
        if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
            argp_error(state, "-h: \"%s\" is not 0 or 1", text);
        words->shrinking = *text == '1';
        return 0;
    case 'v':
        words->folds = whole_number("-v", text, 2, 1000, state);
        return 0;
    case 'q':
        words->quiet = 1;
        return 0;
    case 'b':
        if (strcmp(text, "0") != 0)
            argp_error(state, "-b %s: probabilities are not estimated", text);
        return 0;
    case 'w':
        argp_error(state, "-w%s: classes have no weights of their own", text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void check_together(const struct solve_words *words, struct argp_state *state)
{
    int by_letters = words->type || words->degree || words->gamma || words->coef0;
    if (!words->solver || (!words->dataset && !words->data))
        argp_error(state, "--solver NAME and --dataset NAME (or --data FILE) are expected");
    if (words->kernel && by_letters)
        argp_error(state, "the kernel is given twice, by --kernel and by -t, -d, -g or -r");
    if (words->folds && (!words->data || words->split || words->trace))
        argp_error(state, "-v goes with --data, and not with --split or --trace");
    if (words->model && !solve_is_whole(words))
        argp_error(state, "a model (\"%s\") is written of a file that is trained whole: --data without --split and -v",
                   words->model);
    if (words->quiet && !words->folds && !solve_is_whole(words))
        argp_error(state, "-q goes with --data, and not with --split");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct solve_words *words = state->input;
    switch (key) {
    case KEY_DATASET:
        words->dataset = text;
        return 0;
    case KEY_DATA:
        words->data = text;
        return 0;
    case KEY_FORMAT:
        words->format = text;
        return 0;
    case KEY_LABEL:
        words->label_column = text;
        return 0;
    case KEY_SPLIT:
        words->split = whole_number("--split", text, 1, 100000, state);
        return 0;
    case 's':
        words->solver = text;
        return 0;
    case KEY_SET:
        put_pair(words->parameters, text, state);
        return 0;
    case KEY_KERNEL:
        parse_kernel(words, text, state);
        return 0;
    case KEY_STOP:
        key_value_set(words->stop, "rule", text);
        return 0;
    case 'e':
        key_value_set(words->stop, "tolerance", text);
        return 0;
    case KEY_ITERATIONS:
        key_value_set(words->budget, "iterations", text);
        return 0;
    case KEY_RAW:
        words->raw = 1;
        return 0;
    case KEY_CHECK_ROWS:
        words->check_rows = 1;
        return 0;
    case KEY_TRACE:
        words->trace = text;
        return 0;
    case ARGP_KEY_ARG:
        if (words->model)
            argp_error(state, "unexpected word \"%s\"", text);
        words->model = text;
        return 0;
    case ARGP_KEY_END:
        check_together(words, state);
        return 0;
    default:
        return parse_letter(key, text, words, state);
    }
}

const struct argp solve_argp = {
    options,
    parse,
    "--solver NAME --dataset NAME\n--solver NAME --data FILE [MODEL]",
    "Runs one solver on one split of a data set and prints the record; or trains it on the whole of a file and writes "
    "a model that svm-predict reads (default: the file's name with .model behind it, here).\v"
    "For a file that is trained whole, or cross-validated with -v, features are taken as they are, and what is not "
    "given is as svm-train has it: rbf, gamma 1/features, C 1, nu 0.5, tolerance 1e-3, 10000000 iterations.",
    plugin_option,
    NULL,
    NULL};

void solve_words_start(struct solve_words *words)
{
    *words = (struct solve_words){.shrinking = -1};
    words->config = cJSON_CreateObject();
    cJSON_AddStringToObject(words->config, "name", "solve");
    cJSON_AddStringToObject(words->config, "title", "one job");
    words->parameters = cJSON_AddObjectToObject(words->config, "parameters");
    words->stop = cJSON_AddObjectToObject(words->config, "stop");
    words->budget = cJSON_AddObjectToObject(words->config, "budget");
}

void solve_words_free(struct solve_words *words)
{
    cJSON_Delete(words->config);
}
