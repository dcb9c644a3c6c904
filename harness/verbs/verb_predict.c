/*
 * hullbench predict TEST MODEL OUTPUT: predicts the labels of a file's rows, one per line, and counts how many match
 * the file's labels; like svm-predict, with models of LIBSVM and of `hullbench solve`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/cli/cli_environment.h"
#include "harness/cli/interruptible.h"
#include "harness/cli/options.h"
#include "harness/cli/outputs.h"
#include "harness/base/memory.h"
#include "harness/support/file.h"
#include "harness/model/model.h"
#include "harness/run/run.h"

enum { TEST, MODEL, OUTPUT, FILES };

struct predict_arguments {
    struct cli_arguments common;
    int decisions, has_no_labels;
};

static void check(void *context)
{
    const struct cli_arguments *given = context;
    if (given->format && strcmp(given->format, "libsvm") != 0 && strcmp(given->format, "csv") != 0)
        cli_refuse("--format: \"%s\" is unknown; allowed: libsvm, csv", given->format);
    if ((given->label_column || given->header) && !dataset_text_is_csv(given->words[TEST], given->format))
        cli_refuse("%s applies only to CSV files", given->header ? "--header" : "--label-column");
    if (!header_word_is_known(given->header))
        cli_refuse("--header: \"%s\" is unknown; allowed: yes, no, auto", given->header);
    if (given->label_column && ((const struct predict_arguments *)context)->has_no_labels)
        cli_refuse("--no-labels cannot be combined with --label-column");
    if (strcmp(given->words[TEST], "-") == 0 && strcmp(given->words[MODEL], "-") == 0)
        cli_refuse("TEST and MODEL are both -; only one of them can be standard input");
}

/* Notes labels that the model does not know. If it knows none of a CSV file, the column may have no labels at all. */
static enum status check_labels(const struct model *model, const char *test, int is_csv, const struct label_set *labels,
                                struct labelled_table *table, struct error *error)
{
    size_t unknown = 0;
    char shown[44];
    for (size_t i = 0; i < table->rows; i++)
        unknown += table->y[i] > 1;
    if (unknown == 0)
        return STATUS_OK;
    const struct label_seen *first = &labels->seen[2];
    if (is_csv && unknown == table->rows)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s:%zu:%zu: label \"%s\" is not %d or %d, and no row has one of these, the labels of the "
                         "model; --label-column names another column, --no-labels reads a file without labels",
                         test, first->line, first->column, text_shown(first->text, shown),
                         model->label[0], model->label[1]);
    return string_list_add(&table->notes,
                           "%s: %zu of %zu rows have other labels than the model, first \"%s\" in line %zu; they count "
                           "as errors",
                           test, unknown, table->rows, text_shown(first->text, shown), first->line)
               ? STATUS_OK
               : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", test);
}

/* Adds the model's labels first, so that a row's label is 0 or 1 if it is one of them. */
static enum status read_test(const struct predict_arguments *given, const struct model *model, struct label_set *labels,
                             struct labelled_table *table, struct error *error)
{
    struct reading_line reading;
    const struct input_options options = {.watch = reading_line_begin(&reading, given->common.quiet)};
    const char *test = given->common.words[TEST];
    const struct table_form form = {.format = given->common.format,
                                    .label_column = given->common.label_column,
                                    .header = given->common.header,
                                    .has_no_labels = given->has_no_labels,
                                    .expected = &model->columns,
                                    .expected_in = given->common.words[MODEL]};
    struct input_stream *stream = NULL;
    enum status status = STATUS_OK;
    for (size_t c = 0; c < 2 && status == STATUS_OK; c++) {
        char name[16];
        unsigned char which;
        const struct label_place at = {.path = given->common.words[MODEL]};
        snprintf(name, sizeof name, "%d", model->label[c]);
        status = labels_add(labels, name, &at, &which, error);
    }
    if (status == STATUS_OK)
        status = input_open(&stream, test, &options, error);
    if (status == STATUS_OK)
        status = labelled_table_read(stream, &form, labels, table, error);
    input_close(stream);
    const int is_csv = dataset_text_is_csv(test, given->common.format);
    if (status == STATUS_OK)
        status = model_check_table(model, test, is_csv, table, error);
    return status == STATUS_OK && !given->has_no_labels ? check_labels(model, test, is_csv, labels, table, error)
                                                        : status;
}

static void write_output(const struct predict_arguments *given, const struct model *model,
                         const struct labelled_table *table, const double *decision, struct cli_output *output)
{
    FILE *stream = output->file.stream;
    size_t right = 0, n = table->rows;
    for (size_t j = 0; j < n; j++) {
        int which = !(decision[j] > 0);
        right += table->y[j] == which;
        fprintf(stream, "%d", model->label[which]);
        if (given->decisions)
            fprintf(stream, " %.17g", decision[j]);
        fputs("\n", stream);
    }
    outfile_commit(&output->file);
    if (!given->common.quiet && !given->has_no_labels)
        fprintf(cli_report_stream(output, 1), "Accuracy = %g%% (%zu/%zu) (classification)\n",
                100 * (double)right / (double)n, right, n);
}

struct deciding {
    const struct model *model;
    const struct simd *simd;
    const char *test; /* the path of the table */
    const struct labelled_table *table;
    double *decision;
};

/* Runs on one thread of a team; the others help. */
static enum status decide(void *context, size_t i, struct stage_times *stage_times, struct error *error)
{
    const struct deciding *deciding = context;
    struct error cause = {0};
    (void)i, (void)stage_times;
    enum status status = model_decide(deciding->model, deciding->simd, deciding->table, deciding->decision, &cause);
    return status == STATUS_OK ? status : error_set(error, status, "%s: %s", deciding->test, cause.message);
}

static enum status predict(const struct predict_arguments *given, const struct simd *simd, struct error *error)
{
    struct model *model = NULL;
    struct label_set labels = {0};
    struct labelled_table table = {0};
    double *decision = NULL;
    const char *const *words = given->common.words;
    const struct cli_file inputs[] = {{"TEST", words[TEST]}, {"MODEL", words[MODEL]}};
    struct cli_output output = {.name = {"OUTPUT", words[OUTPUT]}};
    enum status status = cli_outputs_open(&output, 1, inputs, 2, error);
    if (status == STATUS_OK)
        status = model_read(words[MODEL], &model, error);
    if (status == STATUS_OK)
        status = read_test(given, model, &labels, &table, error);
    if (status == STATUS_OK && !given->common.quiet)
        cli_print_notes(&table.notes);
    if (status == STATUS_OK && !(decision = simd_doubles(table.rows)))
        out_of_memory();
    if (status == STATUS_OK) {
        struct deciding deciding = {
            .model = model, .simd = simd, .test = words[TEST], .table = &table, .decision = decision};
        struct stage_times stage_times = {.turns = 0};
        status = run_in_parallel(1, run_threads(&given->common.run), decide, &deciding, &stage_times, error);
    }
    if (status == STATUS_OK)
        write_output(given, model, &table, decision, &output);
    cli_outputs_abandon(&output, 1);
    free(decision);
    labelled_table_free(&table);
    labels_free(&labels);
    model_free(model);
    return status;
}

int verb_predict(int argc, char **argv)
{
    static const struct cli_option options[] = {
        OPTION_FORMAT("Format of TEST: libsvm or csv (default: csv if its name ends in .csv, else libsvm)"),
        OPTION_LABEL_COLUMN,
        OPTION_HEADER,
        {"no-labels", 0, NULL, "TEST has no labels, or they do not count: predict, and print no accuracy",
         OPTION_AT(struct predict_arguments, has_no_labels)},
        OPTION_JOBS,
        {"decision-values", 0, NULL, "Write the decision value after each label",
         OPTION_AT(struct predict_arguments, decisions)},
        {NULL, 'q', NULL, "Do not print the accuracy and notes", OPTION_MEMBER(quiet)},
        OPTION_PROBABILITIES,
        {0},
    };
    static const struct cli_verb verb = {
        "TEST MODEL OUTPUT",
        "Writes the label that the model predicts for each row of TEST to OUTPUT, one per line, and prints how many "
        "agree with the labels of TEST. MODEL comes from `hullbench solve --data` or from svm-train of LIBSVM: C-SVC "
        "or nu-SVC, two classes, kernel linear, polynomial or rbf.\vA decision value of exactly 0 gives the second "
        "label of the model, as in svm-predict.",
        options, 0, FILES, FILES, "expected TEST, MODEL and OUTPUT", check};
    struct predict_arguments given = {.decisions = 0};
    struct error error = {0};
    cli_parse(&verb, argc, argv, &given);
    const struct simd *simd = cli_simd();
    if (!simd)
        return EXIT_BAD_USE;
    enum status status = predict(&given, simd, &error);
    if (status == STATUS_NOT_FOUND)
        error.status = STATUS_BAD_INPUT;
    return status == STATUS_OK ? EXIT_OK : cli_fail(&error);
}
