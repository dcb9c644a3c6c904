/* What a filled table says to people, in texts that all its forms share: figures, signs of verdicts, notes. */
#include <math.h>
#include <stdio.h>

#include "harness/format/text_table.h"
#include "harness/papers/paper_comparison.h"

enum { MARKS_SIZE = 64 };

const char *verdict_sign(const struct comparison_cell *cell)
{
    static const char *const signs[] = {
        [VERDICT_MATCH] = "=", [VERDICT_NEAR] = "≈", [VERDICT_DIFFERS] = "≠", [VERDICT_MISSING] = ""};
    return cell->compared ? signs[cell->comparison.verdict] : "";
}

void comparison_printed_text(const struct paper_table *table, size_t i, size_t j, char text[COMPARISON_TEXT])
{
    char marks[MARKS_SIZE];
    const struct printed *printed = &table->rows[i].cells[j];
    marks_text(table, j, table->rows[i].marked, marks, sizeof marks);
    if (printed->n == 0)
        snprintf(text, COMPARISON_TEXT, "–");
    else if (table->columns[j].statistic == STATISTIC_MEAN_SD)
        snprintf(text, COMPARISON_TEXT, "%.*f ± %.*f%s", printed->decimals, printed->mean, printed->sd_decimals,
                 printed->sd, marks);
    else
        snprintf(text, COMPARISON_TEXT, "%.*f%s", printed->decimals, printed->mean, marks);
}

void comparison_measured_text(const struct paper_comparison *comparison, size_t i, size_t j, char figure[COMPARISON_TEXT],
                         char behind[COMPARISON_TEXT])
{
    char marks[MARKS_SIZE];
    const struct comparison_cell *cell = &comparison->rows[i].cells[j];
    const struct printed *printed = &comparison->table->rows[i].cells[j];
    int decimals = cell->compared ? printed->decimals : 3, sd_decimals = cell->compared ? printed->sd_decimals : 3;
    marks_text(comparison->table, j, comparison->rows[i].marked, marks, sizeof marks);
    behind[0] = '\0';
    if (cell->measured.n == 0)
        snprintf(figure, COMPARISON_TEXT, "data missing");
    else if (comparison->table->columns[j].statistic == STATISTIC_MINIMUM || cell->measured.n == 1)
        snprintf(figure, COMPARISON_TEXT, "%.*f%s", decimals, comparison_measured(comparison, i, j), marks);
    else {
        snprintf(figure, COMPARISON_TEXT, "%.*f ± %.*f%s", decimals, cell->measured.mean, sd_decimals, cell->measured.sd, marks);
        if (cell->compared && !isnan(cell->at_most))
            snprintf(behind, COMPARISON_TEXT, " (%.0f–%.0f)", 100 * (1 - cell->at_least), 100 * cell->at_most);
    }
}

void comparison_test_text(const struct test_finding *test, char text[COMPARISON_TEXT])
{
    if (test->n)
        snprintf(text, COMPARISON_TEXT, "%.3g%s", test->result.p_value, test->significant ? " *" : "");
    else
        snprintf(text, COMPARISON_TEXT, "–");
}

static void note_side(const struct paper_table *table, const struct test_side *side, char *text,
                      size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", side->n > 1 ? "the best of " : "");
    for (size_t i = 0; i < side->n && used < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", i ? " and " : "", table->columns[side->columns[i]].key);
}

static void test_notes(struct text_table *grid, const struct paper_comparison *comparison)
{
    const struct paper_table *table = comparison->table;
    const struct marks_count *marks = &comparison->marks;
    for (size_t k = 0; k < table->n_tests; k++) {
        char first[512], second[512];
        const struct paper_test *test = &table->tests[k];
        note_side(table, &test->sides[0], first, sizeof first);
        note_side(table, &test->sides[1], second, sizeof second);
        if (test->mark)
            text_table_footnote(grid, "Mark %d: two-sided %s test of %s against %s, p < %g.", test->mark,
                      test_kind_name(test->kind), first, second, test->level);
        else
            text_table_footnote(grid, "p: two-sided %s test of ours, %s against %s; * marks p < %g.", test_kind_name(test->kind),
                      first, second, test->level);
    }
    if (marks->compared + marks->untested > 0)
        text_table_footnote(grid, "marks: %zu of %zu agree%s", marks->agree, marks->compared,
                  marks->untested ? "; others could not be tested." : ".");
}

void comparison_notes(struct text_table *grid, const struct paper_comparison *comparison)
{
    const struct paper_table *table = comparison->table;
    text_table_footnote(grid, "%s", table->source);
    if (!comparison_is_measured(comparison))
        return;
    text_table_footnote(grid, "%s", comparison->splits);
    text_table_footnote(grid, "Beside the printed figure ours over the splits and the verdict: = match, ≈ near, ≠ differs.");
    test_notes(grid, comparison);
    for (size_t i = 0; i < table->n_rows; i++) {
        size_t without = 0;
        for (size_t j = 0; j < table->n_columns; j++)
            without += comparison->rows[i].cells[j].n_null;
        if (without)
            text_table_footnote(grid, "%s: %zu figures of records are null and left out.", table->rows[i].dataset, without);
        if (!comparison_row_has_records(comparison, i) && comparison->rows[i].reason)
            text_table_footnote(grid, "%s: %s%s%s", table->rows[i].dataset, comparison->rows[i].reason,
                      comparison->rows[i].command ? "; " : "",
                      comparison->rows[i].command ? comparison->rows[i].command : "");
    }
}
