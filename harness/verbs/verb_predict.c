/*
 * hullbench predict TEST MODEL OUTPUT: predicts the labels of a file's rows, one per line, and counts how many match
 * the file's labels; like svm-predict, with models of LIBSVM and of `hullbench solve`.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/model/model.h"

enum { TEST, MODEL, OUTPUT, FILES };

struct predict_arguments {
    struct cli_arguments common;
    int decisions, has_no_labels;
    struct cli_output output;
};

#define ARGUMENTS struct predict_arguments
static const struct cli_option options[] = {
    OPTION_FORMAT("Format of TEST: libsvm or csv (default: csv if its name ends in .csv, else libsvm)"),
    OPTION_LABEL_COLUMN,
    OPTION_HEADER,
    {"no-labels", 0, NULL, "TEST has no labels, or they do not count: predict, and print no accuracy",
     AT(has_no_labels)},
    OPTION_JOBS,
    {"decision-values", 0, NULL, "Write the decision value after each label", AT(decisions)},
    {NULL, 'q', NULL, "Do not print the accuracy and notes", COMMON_AT(quiet)},
    OPTION_PROBABILITIES,
    {0},
};

static void check(void *context)
{
    const struct predict_arguments *arguments = context;
    const struct cli_arguments *given = &arguments->common;
    if ((given->label_column || given->header) && !dataset_text_is_csv(given->words[TEST], given->format))
        cli_refuse("%s applies only to CSV files", given->header ? "--header" : "--label-column");
    if (given->label_column && arguments->has_no_labels)
        cli_refuse("--no-labels cannot be combined with --label-column");
    if (strcmp(given->words[TEST], "-") == 0 && strcmp(given->words[MODEL], "-") == 0)
        cli_refuse("TEST and MODEL are both -; only one of them can be standard input");
}

/* Notes labels that the model does not know. If it knows none of a CSV file, the column may have no labels at all. */
static void check_labels(const struct model *model, const char *test, int is_csv, const struct label_set *labels,
                         const struct labelled_table *table, int is_quiet)
{
    size_t unknown = 0;
    for (size_t i = 0; i < table->rows; i++)
        unknown += table->y[i] > 1;
    if (unknown == 0)
        return;
    const struct label_seen *first = &labels->seen[2];
    const char *text = text_shown(first->text);
    if (is_csv && unknown == table->rows)
        die(STATUS_BAD_INPUT,
            "%s:%zu:%zu: label \"%s\" is not %d or %d, and no row has one of these, the labels of the model; "
            "--label-column names another column, --no-labels reads a file without labels",
            test, first->at.line, first->at.column, text, model->label[0], model->label[1]);
    if (!is_quiet)
        cli_note("%s: %zu of %zu rows have other labels than the model, first \"%s\" in line %zu; they count as errors",
                 test, unknown, table->rows, text, first->at.line);
}

/* Adds the model's labels first, so that a row's label is 0 or 1 if it is one of them. */
static struct labelled_table *read_test(const struct predict_arguments *given, const struct model *model)
{
    const struct input_options options_of_input = {.watch = reading_watch(given->common.quiet)};
    const char *test = given->common.words[TEST];
    const struct dataset_spec set = {.format = given->common.format,
                                     .label_column = given->common.label_column,
                                     .header = given->common.header};
    const struct table_form form = {.set = &set,
                                    .has_no_labels = given->has_no_labels,
                                    .expected = &model->columns,
                                    .expected_in = given->common.words[MODEL]};
    const int is_csv = dataset_text_is_csv(test, given->common.format);
    struct label_set labels = {.pool = given->common.pool};
    for (size_t c = 0; c < 2; c++) {
        char name[16];
        snprintf(name, sizeof name, "%d", model->label[c]);
        labels_add(&labels, name, (struct text_place){.path = given->common.words[MODEL]});
    }
    if (strcmp(test, "-") != 0)
        file_check_exists(test);
    struct input_stream *stream = input_open(test, &options_of_input);
    struct labelled_table *table = labelled_table_new(given->common.pool);
    labelled_table_add(table, stream, &form, &labels);
    labelled_table_finish(table);
    input_close(stream);
    model_check_table(model, test, is_csv, table);
    if (!given->common.quiet)
        cli_print_lines(CLI_NOTE, &table->notes);
    if (!given->has_no_labels)
        check_labels(model, test, is_csv, &labels, table, given->common.quiet);
    return table;
}

static void write_output(struct predict_arguments *given, const struct model *model,
                         const struct labelled_table *table, const double *decision)
{
    FILE *stream = given->output.file.stream;
    size_t right = 0, n = table->rows;
    for (size_t j = 0; j < n; j++) {
        int which = !(decision[j] > 0);
        right += table->y[j] == which;
        fprintf(stream, "%d", model->label[which]);
        if (given->decisions)
            fprintf(stream, " %.17g", decision[j]);
        fputs("\n", stream);
    }
    if (!given->common.quiet && !given->has_no_labels)
        fprintf(cli_report_stream(&given->common), "Accuracy = %g%% (%zu/%zu) (classification)\n",
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
static void decide(void *context, size_t i, struct stage_times *stage_times)
{
    const struct deciding *deciding = context;
    (void)i, (void)stage_times;
    model_decide(deciding->model, deciding->simd, deciding->test, deciding->table, deciding->decision);
}

static int work(void *context)
{
    struct predict_arguments *given = context;
    struct stage_times stage_times = {.turns = 0};
    const char *const *words = given->common.words;
    const struct simd *simd = cli_simd();
    given->output.name = (struct cli_file){"OUTPUT", words[OUTPUT]};
    *pool_push(given->common.pool, &given->common.outputs) = &given->output;
    cli_check_input(&given->common, "TEST", words[TEST]);
    cli_check_input(&given->common, "MODEL", words[MODEL]);
    cli_outputs_open(&given->common);
    const struct model *model = model_read(given->common.pool, words[MODEL]);
    const struct labelled_table *table = read_test(given, model);
    double *decision = simd_doubles(table->rows);
    if (!decision)
        out_of_memory();
    struct deciding deciding = {
        .model = model, .simd = simd, .test = words[TEST], .table = table, .decision = decision};
    run_in_parallel(1, run_threads(&given->common.run), decide, &deciding, &stage_times);
    write_output(given, model, table, decision);
    free(decision);
    return EXIT_OK;
}

const struct cli_verb verb_predict = {
    .name = "predict", .title = "predict the labels of a file with a model",
    .usage = "TEST MODEL OUTPUT",
    .doc = "Writes the label that the model predicts for each row of TEST to OUTPUT, one per line, and prints how "
           "many agree with the labels of TEST. MODEL comes from `hullbench solve --data` or from svm-train of "
           "LIBSVM: C-SVC or nu-SVC, two classes, kernel linear, polynomial or rbf.\nA decision value of exactly 0 "
           "gives the second label of the model, as in svm-predict.",
    .options = options, .min_words = FILES, .max_words = FILES, .words = "expected TEST, MODEL and OUTPUT",
    .size = sizeof(struct predict_arguments), .check = check, .work = work,
};
