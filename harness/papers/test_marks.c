/* Pairing by split and the positions of marks, on hand-made samples and runs with results worked out by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/papers/conform.h"
#include "harness/papers/reproduction.h"
#include "harness/stats/rank_tests.h"
#include "harness/support/file.h"
#include "tests/paper_trial.h"
#include "tests/scratch_folder.h"

enum { MAX_SPLITS = 16 };

/* A sample with built-in storage. */
struct made {
    struct record records[MAX_SPLITS];
    const struct record *list[MAX_SPLITS];
    double values[MAX_SPLITS];
};

static struct sample make(struct made *made, const double *values, const size_t *splits, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        made->records[i] =
            (struct record){.dataset = "p", .split = splits ? splits[i] : i + 1, .split_source = "official"};
        made->list[i] = &made->records[i];
        made->values[i] = values[i];
    }
    return (struct sample){.values = made->values, .records = made->list, .n = n};
}

/* The number of splits that two samples share; every value of the first must be ten times that of the second. */
static size_t shared_splits(const struct sample *first, const struct sample *second)
{
    const struct sample *const both[] = {first, second};
    struct sample shared[2];
    samples_shared(trial_pool(), both, 2, shared);
    const size_t n = shared[0].n;
    assert_int_equal(shared[1].n, n);
    for (size_t i = 0; i < n; i++)
        assert_true(shared[0].values[i] == 10 * shared[1].values[i]); /* paired with the same split */
    return n;
}

static void only_splits_of_both_samples_are_paired(void **state)
{
    (void)state;
    struct made a, b;
    struct sample first = make(&a, (const double[]){10, 20, 30, 40}, (const size_t[]){1, 2, 3, 4}, 4);
    struct sample second = make(&b, (const double[]){4, 5, 3, 1}, (const size_t[]){4, 5, 3, 1}, 4);
    assert_int_equal(shared_splits(&first, &second), 3);
    b.records[2].split_source = "resampled"; /* split 3 now holds other patterns */
    assert_int_equal(shared_splits(&first, &second), 2);
    second.n = 0;
    assert_int_equal(shared_splits(&first, &second), 0);
}

static void equal_differences_of_quotients_tie(void **state)
{
    (void)state;
    /* errors of k in 77, in per cent; several differences are equal in k but differ by rounding in per cent */
    const double first[] = {21, 19, 25, 30, 22, 17, 33, 28, 24, 20},
                 second[] = {20, 20, 23, 27, 19, 15, 34, 25, 22, 18};
    double per_cent[2][10], zero[10] = {0};
    struct made a, b;
    struct rank_test counts, quotients;
    for (int i = 0; i < 10; i++) {
        per_cent[0][i] = 100 * first[i] / 77;
        per_cent[1][i] = 100 * second[i] / 77;
    }
    double differences[10];
    for (int i = 0; i < 10; i++)
        differences[i] = first[i] - second[i];
    counts = signed_rank_test(differences, zero, 10, TAIL_TWO_SIDED);
    struct sample x = make(&a, per_cent[0], NULL, 10), y = make(&b, per_cent[1], NULL, 10);
    assert_int_equal(samples_test(TEST_SIGNED_RANK, &x, &y, &quotients), 10);
    assert_true(quotients.p_value == counts.p_value && quotients.statistic == counts.statistic && quotients.exact);
}

/* Columns 0 and 1 against 2 and 3, like mark 3 of the thesis; and 0 against 2. */
static const struct paper_test best_of_pairs = {
    .kind = TEST_SIGNED_RANK, .key = "k", .mark = 3, .level = 0.1, .sides = {{{0, 1}, 2}, {{2, 3}, 2}}};
static const struct paper_test two_columns = {
    .kind = TEST_SIGNED_RANK, .key = "k", .mark = 1, .level = 0.1, .sides = {{{0}, 1}, {{2}, 1}}};

/* Tests columns of six splits with values 100 + split - less[column][split - 1]. */
static struct test_finding marks_of(const struct paper_test *test, const double (*less)[6])
{
    struct made made[4];
    struct sample samples[4];
    for (int j = 0; j < 4; j++) {
        double values[6];
        for (int i = 0; i < 6; i++)
            values[i] = 101 + i - less[j][i];
        samples[j] = make(&made[j], values, NULL, 6);
    }
    return marks_test(trial_pool(), test, samples);
}

static void a_mark_stands_on_the_lower_of_two_columns(void **state)
{
    (void)state;
    const double lower[4][6] = {{0}, {0}, {1, 2, 3, 4, 5, 6}, {0}};
    struct test_finding finding = marks_of(&two_columns, lower);
    assert_true(finding.marked == 1 << 2 && finding.n == 6);
    assert_true(finding.result.p_value == 2.0 / 64); /* one of 64 sign patterns, two-sided */
    const double higher[4][6] = {{0}, {0}, {-1, -2, -3, -4, -5, -6}, {0}};
    assert_true(marks_of(&two_columns, higher).marked == 1 << 0);
    const double alike[4][6] = {{0}};
    finding = marks_of(&two_columns, alike);
    assert_true(finding.marked == 0 && finding.n == 6 && !finding.significant);
    /* split ranks 1 and 6 against the rest, of 21: P(V <= 1) = 2 / 64, times two is 0.0625; with V = 3, 5 / 64 */
    const double nearly[4][6] = {{0}, {0}, {-1, 2, 3, 4, 5, 6}, {0}};
    assert_true(marks_of(&two_columns, nearly).marked == 1 << 2);
    const double not_quite[4][6] = {{0}, {0}, {1, 2, -3, 4, 5, 6}, {0}};
    finding = marks_of(&two_columns, not_quite);
    assert_true(finding.marked == 0 && finding.result.p_value == 10.0 / 64);
}

static void a_mark_between_pairs_compares_their_best_columns(void **state)
{
    (void)state;
    /* only column 3, which is the best of all and significantly ahead of 2 */
    const double alone[4][6] = {{0}, {1, 1, 1, 1, 1, 1}, {11, 12, 13, 14, 15, 16}, {21, 22.5, 23, 24, 25, 26}};
    struct test_finding finding = marks_of(&best_of_pairs, alone);
    assert_true(finding.columns[0] == 1 && finding.columns[1] == 3);
    assert_true(finding.marked == 1 << 3);
    /* both: the columns are equal, and both are ahead */
    const double both[4][6] = {{0}, {0}, {21, 22, 23, 24, 25, 26}, {21, 22, 23, 24, 25, 26}};
    assert_true(marks_of(&best_of_pairs, both).marked == (1 << 2 | 1 << 3));
    /* both, whatever the means round to: unequal, but not significantly different */
    const double close[4][6] = {{0}, {0}, {21, 22, 23, 24, 25, 26}, {23, 21, 26, 20, 25, 24}};
    assert_true(marks_of(&best_of_pairs, close).marked == (1 << 2 | 1 << 3));
    const double nothing[4][6] = {{0}, {1, -1, 1, -1, 1, -1}, {0}, {-1, 1, -1, 1, -1, 1}};
    finding = marks_of(&best_of_pairs, nothing);
    assert_true(finding.marked == 0 && finding.columns[0] == 0 &&
                finding.columns[1] == 2); /* equal means: the first */
}

static void a_partner_has_to_beat_the_other_side_by_itself(void **state)
{
    (void)state;
    /* 2 is ahead of 0 and 1; 3 differs significantly neither from 2 (V = 6 of 21) nor from 0 (V = 6): 14 of 64
     * patterns, two-sided */
    const double rows[4][6] = {{0}, {0}, {1, 2, 3, 4, 5, 6}, {-3.5, 2.5, -1.4, 4.6, 7.5, 0.5}};
    assert_true(marks_of(&best_of_pairs, rows).marked == 1 << 2);
    const double swapped[4][6] = {{-3.5, 2.5, -1.4, 4.6, 7.5, 0.5}, {0}, {1, 2, 3, 4, 5, 6}, {0}};
    struct test_finding finding = marks_of(&two_columns, swapped);
    assert_true(finding.result.p_value == 28.0 / 64);
}

/* Significantly different by ranks from the other side's best, but with a higher mean: nine gains, a large loss. */
static void a_partner_with_the_higher_mean_carries_no_mark(void **state)
{
    (void)state;
    struct made made[4];
    struct sample samples[4];
    struct test_finding finding;
    const double best[] = {-1.5, -0.5, -4.5, -2.5, -6.5, -4.25, -8.5, -6.25, -10.5, -0.25};
    const double partner[] = {-1, -2, -3, -4, -5, -6, -7, -8, -9, 60};
    for (int j = 0; j < 4; j++)
        samples[j] = make(&made[j], j == 2 ? best : j == 3 ? partner : (const double[10]){0}, NULL, 10);
    struct paper_test ahead = two_columns, among = two_columns;
    ahead.sides[1].columns[0] = 3;
    among.sides[0].columns[0] = 2;
    among.sides[1].columns[0] = 3;
    finding = marks_test(trial_pool(), &ahead, samples);
    assert_true(finding.significant && finding.marked == 1 << 0); /* V = 10 of 55: 86 of 1024 patterns, two-sided */
    finding = marks_test(trial_pool(), &among, samples);
    assert_false(finding.significant); /* so only its mean keeps the mark off it */
    finding = marks_test(trial_pool(), &best_of_pairs, samples);
    assert_true(finding.significant && finding.marked == 1 << 2);
}

/* Column 0 wins on each of the six splits that both have; four much higher splits that only it has raise its mean. */
static void a_mark_goes_by_the_means_of_the_splits_that_are_compared(void **state)
{
    (void)state;
    struct made made[4];
    struct sample samples[4] = {{0}};
    struct test_finding finding;
    const double more[] = {1, 2, 3, 4, 5, 6, 100, 100, 100, 100}, six[] = {2, 4, 6, 8, 10, 12};
    samples[0] = make(&made[0], more, NULL, 10);
    samples[2] = make(&made[2], six, NULL, 6);
    finding = marks_test(trial_pool(), &two_columns, samples);
    assert_true(finding.n == 6 && finding.marked == 1 << 0);
    /* a side's best is chosen on them too: column 1 is below 0 on all six, and high on two that only it has */
    const double eight[] = {0, 1, 2, 3, 4, 5, 300, 300};
    samples[1] = make(&made[1], eight, NULL, 8);
    samples[3] = make(&made[3], six, NULL, 6);
    finding = marks_test(trial_pool(), &best_of_pairs, samples);
    assert_true(finding.columns[0] == 1 && finding.n == 6 && finding.marked == 1 << 1);
}

static void equal_means_and_missing_columns_carry_no_mark(void **state)
{
    (void)state;
    struct made made[4];
    struct sample samples[4];
    struct test_finding finding;
    /* -1 ... -9 and +45: V = 10, 43 of 1024 patterns below it, p = 0.084; the means are equal */
    const double one[] = {-1, -2, -3, -4, -5, -6, -7, -8, -9, 45}, none[10] = {0};
    for (int j = 0; j < 4; j++)
        samples[j] = make(&made[j], j == 0 ? one : none, NULL, 10);
    finding = marks_test(trial_pool(), &two_columns, samples);
    assert_true(finding.significant && finding.result.p_value == 86.0 / 1024 && finding.marked == 0);
    samples[3].n = 0;
    finding = marks_test(trial_pool(), &best_of_pairs, samples);
    assert_true(finding.n == 0 && finding.marked == 0 && !finding.significant);
    finding = marks_test(trial_pool(), &two_columns, samples);
    assert_int_equal(finding.n, 10);
}

/* ---- through papers and run folders ---- */

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", scratch_folder, name);
    return path;
}

static void write_text(const char *name, const char *text)
{
    file_write(in_folder(name), text, strlen(text));
}

#define COLUMN(name, of)                                                                                               \
    "{\"key\":\"" name "\",\"title\":\"" name "\",\"solver\":\"" of "\",\"field\":\"iterations\","                     \
    "\"statistic\":\"mean_sd\"}"
#define CELL(name, mean, marks)                                                                                        \
    "\"" name "\":{\"mean\":" mean ",\"sd\":1,\"decimals\":1,\"marks\":[" marks "]}"
static const char toy_text[] =
    "{\"paper\":\"toy\",\"datasets\":[\"p\"],\"splits\":{\"default\":6},\"tables\":[{\"name\":\"toy.m\",\"caption\":"
    "\"c\","
    "\"source\":\"s\",\"columns\":[" COLUMN("a", "mdm") "," COLUMN("b", "gsk") ","
    COLUMN("c", "gilbert") "," COLUMN(
        "d", "1-smo") "],\"tests\":["
             "{\"key\":\"one\",\"kind\":\"signed-rank\",\"mark\":\"1\",\"level\":0.1,\"between\":[\"a\",\"b\"]},"
             "{\"key\":\"two\",\"kind\":\"signed-rank\",\"mark\":\"2\",\"level\":0.1,\"between\":[\"c\",\"d\"]},"
             "{\"key\":\"three\",\"kind\":\"signed-rank\",\"mark\":\"3\",\"level\":0.1,\"between\":[[\"a\",\"b\"],["
             "\"c\","
             "\"d\"]]}],\"rows\":{\"p\":{" CELL("a", "100", "") "," CELL("b", "101", "\"1\"") "," CELL(
                 "c", "51", "\"3\"") "," CELL("d", "51", "\"3\"") "}}}]}";

/* Adds splits from ... 6 of one solver with iterations centre + i (i + 1) / 2, so that all differences are distinct. */
static void add(FILE *stream, const char *solver, int from, int centre, int sign)
{
    for (int i = from; i <= 6; i++)
        fprintf(
            stream,
            "{\"schema\":1,\"config\":\"c\",\"dataset\":\"p\",\"split\":%d,\"split_source\":\"official\",\"solver\":"
            "\"%s\",\"params\":{},\"kernel\":{},\"stop\":{},\"outcome\":\"converged\",\"iterations\":%d}\n",
            i, solver, centre + sign * i * (i + 1) / 2);
}

static int make_folders(void **state)
{
    if (scratch_folder_make(state) != 0)
        return -1;
    const char *const made[] = {"papers", "one", "two", "tables"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        folder_make(in_folder(made[i]));
    write_text("papers/toy.json", toy_text);
    write_text("one/config.json", "{\"tables\":[\"toy.m\"]}");
    write_text("two/config.json", "{\"tables\":[\"toy.m\"]}");
    FILE *stream = fopen(in_folder("one/records.jsonl"), "w");
    assert_non_null(stream);
    add(stream, "mdm", 1, 100, 0);
    add(stream, "gsk", 1, 100, 1); /* higher than mdm on every split */
    assert_int_equal(fclose(stream), 0);
    stream = fopen(in_folder("two/records.jsonl"), "w");
    assert_non_null(stream);
    add(stream, "gilbert", 1, 50, 0);
    add(stream, "1-smo", 2, 50, 0); /* split 1 is missing */
    assert_int_equal(fclose(stream), 0);
    return setenv("HULLBENCH_SHARE", scratch_folder, 1);
}

static void compare(size_t count, struct conformance *conformance)
{
    struct error error = {0};
    char paths[2][256];
    const char *const list[] = {paths[0], paths[1]};
    snprintf(paths[0], sizeof paths[0], "%s/one", scratch_folder);
    snprintf(paths[1], sizeof paths[1], "%s/two", scratch_folder);
    const struct run_folders runs = run_folders_open(trial_pool(), list, count, FOLDER_CONFIG);
    if (try_conform(&runs, conformance, &error) != STATUS_OK)
        fail_msg("%s", error.message);
}

static void marks_pair_the_records_of_two_folders(void **state)
{
    (void)state;
    struct conformance conformance;
    compare(2, &conformance);
    const struct reproduction *comparison = conformance.tables[0];
    const struct reproduction_row *row = &comparison->rows[0];
    assert_int_equal(row->tests[0].n, 6);
    assert_int_equal(row->tests[1].n, 5); /* c has six splits, d five */
    assert_int_equal(row->tests[2].n, 5); /* and therefore all four together */
    assert_true(row->tests[0].marked == 1 << 0 && row->tests[1].marked == 0); /* the paper: on b, and none */
    assert_true(row->tests[2].marked == (1 << 2 | 1 << 3));
    const struct marks_count *marks = &comparison->counts.marks;
    assert_true(marks->agree == 2 && marks->compared == 3 && marks->untested == 0);
    assert_true(conformance.unexplained_marks == 1 && conformance.unexplained_reversed == 1);
    write_text("papers/toy.deviations.json",
               "{\"paper\":\"toy\",\"deviations\":[{\"id\":\"d\",\"kind\":\"unexplained\",\"section\":\"s\","
               "\"configurations\":[\"c\"],\"evidence\":\"e\",\"explains\":[\"toy.m/p/one\"]}]}");
    compare(2, &conformance);
    unlink(in_folder("papers/toy.deviations.json"));
    assert_true(conformance.unexplained_marks == 0 && conformance.unexplained_reversed == 0);
    compare(1, &conformance);
    assert_int_equal(conformance.counts.marks.compared, 1);
    assert_int_equal(conformance.counts.marks.untested, 2);
    assert_int_equal(conformance.counts.marks.agree, 0);
}

static void four_pairs_decide_no_mark_at_ten_per_cent(void **state)
{
    (void)state;
    struct conformance conformance;
    FILE *stream = fopen(in_folder("two/records.jsonl"), "w");
    assert_non_null(stream);
    add(stream, "gilbert", 1, 50, 0);
    add(stream, "1-smo", 3, 50, 0);
    assert_int_equal(fclose(stream), 0);
    compare(2, &conformance);
    assert_int_equal(conformance.tables[0]->rows[0].tests[1].n, 4);
    /* 2 / 2^4 is above 0.1, and all four columns share no more splits */
    assert_true(conformance.counts.marks.compared == 1 && conformance.counts.marks.untested == 2);
}

static void the_files_show_both_marks(void **state)
{
    (void)state;
    struct conformance conformance;
    char *text = NULL, tables[256];
    snprintf(tables, sizeof tables, "%s/tables", scratch_folder);
    compare(2, &conformance);
    reproduction_write(conformance.tables[0], tables);
    FILE *stream = fopen(in_folder("conform.json"), "w");
    assert_non_null(stream);
    conform_print_json(&conformance, stream);
    assert_int_equal(fclose(stream), 0);
    text = read_file(in_folder("tables/toy.m.md"), NULL);
    assert_non_null(strstr(text, "101.0 ± 1.0¹"));
    assert_non_null(strstr(text, "100.0 ± 0.0¹"));
    assert_non_null(strstr(text, "50.0 ± 0.0³"));
    assert_non_null(strstr(text, "marks: 2 of 3 agree."));
    free(text);
    text = read_file(in_folder("tables/toy.m.tex"), NULL);
    assert_non_null(strstr(text, "1.0$^1$"));
    free(text);
    text = read_file(in_folder("tables/toy.m.csv"), NULL);
    const char *field = strstr(text, "\r\ntoy.m,p,a,"); /* ours_marks is the 33rd field, paper_marks the last */
    for (int i = 0; i < 32 && field; i++)
        field = strchr(field + 1, ',');
    assert_non_null(field);
    assert_true(strncmp(field, ",1,\r", 4) == 0);
    free(text);
    text = read_file(in_folder("conform.json"), NULL);
    assert_non_null(strstr(text, "toy.m/p/three"));
    free(text);
}

static void bad_marks_are_refused_by_name(void **state)
{
    (void)state;
    static const char *const changes[][3] = {
        {CELL("a", "100", ""), CELL("a", "100", "\"2\""), "rows.p.a: \"2\""},
        {CELL("a", "100", ""), CELL("a", "100", "\"1\""), "mark 1 occurs on both sides"},
        {"\"mark\":\"1\"", "\"mark\":\"x\"", "a \"mark\" must be a digit"},
        {"{\"key\":\"one\",", "{", "needs a \"key\""},
        {"signed-rank", "sign", "tests[0].kind: unknown kind \"sign\""},
        {"[\"a\",\"b\"]}", "[\"a\",[]]}", "a side of a test has no column"},
        {"[\"a\",\"b\"]}", "[\"a\"]}", "two sides"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char text[sizeof toy_text + 64];
        const struct paper *paper = NULL;
        struct error error = {0};
        const char *found = strstr(toy_text, changes[i][0]);
        assert_non_null(found);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(found - toy_text), toy_text, changes[i][1],
                 found + strlen(changes[i][0]));
        write_text("damaged.json", text);
        assert_int_equal(try_paper(in_folder("damaged.json"), &paper, &error), STATUS_BAD_INPUT);
        if (!strstr(error.message, changes[i][2]) || !strstr(error.message, "damaged.json"))
            fail_msg("\"%s\" does not say %s", error.message, changes[i][2]);
    }
}

static double printed(const struct paper_table *table, size_t row, size_t column)
{
    return table->rows[row].cells[column].mean;
}

static int is_marked(const struct paper_table *table, size_t row, size_t test, size_t column)
{
    return (int)(table->rows[row].marked[test] >> column & 1);
}

/* Marks 1 and 2 are on the lower printed mean; 3 is never on a column that 1 or 2 ranks below its partner. */
static void check_row(const struct paper_table *table, size_t row)
{
    for (size_t k = 0; k < table->n_tests; k++) {
        const struct paper_test *test = &table->tests[k];
        for (size_t s = 0; s < 2; s++) {
            const struct test_side *here = &test->sides[s], *there = &test->sides[!s];
            for (size_t i = 0; i < here->n; i++)
                for (size_t j = 0; j < there->n && is_marked(table, row, k, here->columns[i]); j++)
                    assert_true(printed(table, row, here->columns[i]) < printed(table, row, there->columns[j]));
            if (test->mark == 3 &&
                marked_side(test, table->rows[row].marked[k]) == (s ? MARKED_SECOND : MARKED_FIRST) &&
                marked_side(&table->tests[s], table->rows[row].marked[s]) != MARKED_NOWHERE)
                for (size_t i = 0; i < 2; i++) /* test s is mark 1 or 2, between the two columns of this side */
                    assert_int_equal(is_marked(table, row, k, here->columns[i]),
                                     is_marked(table, row, s, here->columns[i]));
        }
    }
}

static void the_thesis_is_whole_and_keeps_the_rule(void **state)
{
    (void)state;
    const struct paper *paper = NULL;
    struct error error = {0};
    size_t cells = 0, marks = 0;
    assert_int_equal(unsetenv("HULLBENCH_SHARE"), 0);
    paper = paper_find_or_null(trial_pool(), "lopez2008.claims", &error);
    assert_int_equal(setenv("HULLBENCH_SHARE", scratch_folder, 1), 0);
    if (!paper)
        fail_msg("%s", error.message);
    assert_int_equal(paper->n_tables, 9);
    for (size_t t = 0; t < paper->n_tables; t++) {
        const struct paper_table *table = &paper->tables[t];
        assert_int_equal(table->n_rows, 10);
        marks += table->n_rows * table->n_tests;
        for (size_t i = 0; i < table->n_rows; i++) {
            for (size_t j = 0; j < table->n_columns; j++)
                cells += table->columns[j].statistic == STATISTIC_MEAN_SD && table->rows[i].cells[j].n > 0;
            check_row(table, i);
        }
    }
    assert_int_equal(cells, 360);
    assert_int_equal(marks, 240);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_splits_of_both_samples_are_paired),
        cmocka_unit_test(equal_differences_of_quotients_tie),
        cmocka_unit_test(a_mark_stands_on_the_lower_of_two_columns),
        cmocka_unit_test(a_mark_between_pairs_compares_their_best_columns),
        cmocka_unit_test(a_partner_has_to_beat_the_other_side_by_itself),
        cmocka_unit_test(a_partner_with_the_higher_mean_carries_no_mark),
        cmocka_unit_test(a_mark_goes_by_the_means_of_the_splits_that_are_compared),
        cmocka_unit_test(equal_means_and_missing_columns_carry_no_mark),
        cmocka_unit_test(marks_pair_the_records_of_two_folders),
        cmocka_unit_test(the_files_show_both_marks),
        cmocka_unit_test(four_pairs_decide_no_mark_at_ten_per_cent), /* changes a run of the previous two */
        cmocka_unit_test(bad_marks_are_refused_by_name),
        cmocka_unit_test(the_thesis_is_whole_and_keeps_the_rule),
    };
    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, make_folders, scratch_folder_remove);
}
