/*
 * hullbench predict TEST MODEL OUTPUT: the labels that a model gives to the rows of a file, one a line, and how many
 * are those of the file; as svm-predict does it, with LIBSVM's models and those of `hullbench solve`.
 */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_data.h"
#include "harness/program/memory.h"
#include "harness/support/file.h"
#include "harness/model/model.h"

enum { KEY_FORMAT = 256, KEY_LABEL, KEY_DECISIONS };

static const struct argp_option options[] = {
    {"format", KEY_FORMAT, "FORMAT", 0, "TEST's format, libsvm or csv (default: by the file's ending)", 0},
    {"label-column", KEY_LABEL, "NAME", 0, "CSV: the labels' column, by name or number (default: the last)", 0},
    {"decision-values", KEY_DECISIONS, NULL, 0, "Write the decision value behind each label", 0},
    {NULL, 'q', NULL, 0, "Do not print the accuracy", 0},
    {NULL, 'b', "0|1", OPTION_HIDDEN, NULL, 0},
    {0},
};

enum { TEST, MODEL, OUTPUT, FILES };

struct predict_arguments {
    const char *file[FILES];
    const char *format, *label_column;
    int decisions, quiet;
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct predict_arguments *words = state->input;
    switch (key) {
    case KEY_FORMAT:
        words->format = text;
        if (strcmp(text, "libsvm") != 0 && strcmp(text, "csv") != 0)
            argp_error(state, "--format: \"%s\" is not libsvm or csv", text);
        return 0;
    case KEY_LABEL:
        words->label_column = text;
        return 0;
    case KEY_DECISIONS:
        words->decisions = 1;
        return 0;
    case 'q':
        words->quiet = 1;
        return 0;
    case 'b':
        if (strcmp(text, "0") != 0)
            argp_error(state, "-b %s: probabilities are not estimated", text);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num >= FILES)
            argp_error(state, "unexpected word \"%s\"", text);
        else
            words->file[state->arg_num] = text;
        return 0;
    case ARGP_KEY_END:
        if (!words->file[OUTPUT])
            argp_error(state, "TEST, MODEL and OUTPUT are expected");
        else if (words->label_column && !dataset_text_is_csv(words->file[TEST], words->format))
            argp_error(state, "a label column can be named for CSV files only");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The model's labels are put first, so that a row's label is 0 or 1 where it is one of them. */
static enum status read_test(const struct predict_arguments *words, const struct model *model, struct label_set *labels,
                             struct labelled_table *table, struct error *error)
{
    struct input input = {.path = words->file[TEST]};
    char *text = NULL;
    enum status status = STATUS_OK;
    for (size_t c = 0; c < 2 && status == STATUS_OK; c++) {
        char name[16];
        unsigned char which;
        const struct label_place at = {.path = words->file[MODEL]};
        snprintf(name, sizeof name, "%d", model->label[c]);
        status = labels_add(labels, name, &at, &which, error);
    }
    if (status == STATUS_OK)
        status = file_read(input.path, &text, &input.size, error);
    input.text = text;
    if (status == STATUS_OK)
        status = labelled_table_read(&input, words->format, words->label_column, labels, table, error);
    free(text);
    return status;
}

static enum status write_output(const struct predict_arguments *words, const struct model *model,
                                const struct labelled_table *table,
                                const double *decision, struct error *error)
{
    struct outfile out;
    size_t right = 0, n = table->rows.count;
    enum status status = outfile_open(&out, words->file[OUTPUT], error);
    if (status != STATUS_OK)
        return status;
    for (size_t j = 0; j < n; j++) {
        int which = !(decision[j] > 0);
        right += table->rows.y[j] == which;
        fprintf(out.stream, "%d", model->label[which]);
        if (words->decisions)
            fprintf(out.stream, " %.17g", decision[j]);
        fputs("\n", out.stream);
    }
    status = outfile_commit(&out, error);
    if (status == STATUS_OK && !words->quiet)
        fprintf(strcmp(words->file[OUTPUT], "-") == 0 ? stderr : stdout,
                "Accuracy = %g%% (%zu/%zu) (classification)\n", 100 * (double)right / (double)n, right, n);
    return status;
}

static enum status predict(const struct predict_arguments *words, const struct simd *simd, struct error *error)
{
    struct model *model = NULL;
    struct label_set labels = {0};
    struct labelled_table table = {0};
    double *decision = NULL;
    enum status status = model_read(words->file[MODEL], &model, error);
    if (status == STATUS_OK)
        status = read_test(words, model, &labels, &table, error);
    if (status == STATUS_OK && !(decision = simd_doubles(table.rows.count)))
        out_of_memory();
    if (status == STATUS_OK)
        status = model_decide(model, simd, &table, decision, error);
    if (status == STATUS_OK)
        status = write_output(words, model, &table, decision, error);
    free(decision);
    rows_free(&table.rows);
    labels_free(&labels);
    model_free(model);
    return status;
}

int verb_predict(int argc, char **argv)
{
    static const struct argp argp = {options,
                                     parse_option,
                                     "TEST MODEL OUTPUT",
                                     "Writes the label that the model gives to each row of TEST into OUTPUT, one a "
                                     "line, and prints how many are "
                                     "those of TEST. MODEL is of `hullbench solve --data` or of LIBSVM's svm-train: "
                                     "C-SVC or nu-SVC, two classes, kernel "
                                     "linear, polynomial or rbf.\vA decision value of exactly 0 gives the model's "
                                     "second label, as in svm-predict.",
                                     NULL,
                                     NULL,
                                     NULL};
    struct predict_arguments words = {0};
    struct error error = {0};
    cli_parse(&argp, argc, argv, &words);
    const struct simd *simd = cli_simd();
    if (!simd)
        return EXIT_BAD_USE;
    enum status status = predict(&words, simd, &error);
    if (status == STATUS_NOT_FOUND)
        error.status = STATUS_BAD_INPUT;
    return status == STATUS_OK ? EXIT_OK : cli_fail(&error);
}
