/* The three forms of a grid, byte for byte. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/format/text_table.h"

static void assert_written(const struct text_table *grid, enum text_table_form form, const char *expected)
{
    char path[] = "/tmp/hullbench-grid-XXXXXX", *text = NULL;
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    assert_int_equal(text_table_write(grid, form, path, NULL), STATUS_OK);
    assert_int_equal(file_read(path, &text, NULL, NULL), STATUS_OK);
    assert_string_equal(text, expected);
    free(text);
    unlink(path);
}

static void fill(struct text_table *grid)
{
    grid->columns = 2;
    text_table_title(grid, "μ & %d", 5);
    text_table_cell(grid, "name");
    text_table_cell(grid, "x");
    text_table_cell(grid, "a|b");
    text_table_cell(grid, "1 ± 2");
    text_table_cell(grid, "c_\"d\", e");
    text_table_cell(grid, "%s", "");
    text_table_footnote(grid, "100 %%");
}

static void each_form_escapes_its_own(void **state)
{
    (void)state;
    struct text_table grid = {0};
    fill(&grid);
    assert_written(&grid, TEXT_TABLE_MARKDOWN,
                   "# μ & 5\n\n"
                   "| name     |     x |\n"
                   "| -------- | ----: |\n"
                   "| a\\|b     | 1 ± 2 |\n"
                   "| c_\"d\", e |       |\n"
                   "\n100 %\n");
    assert_written(
        &grid, TEXT_TABLE_LATEX,
        "% needs \\usepackage{booktabs}\n\\begin{table}\n\\centering\\small\\setlength{\\tabcolsep}{3pt}\n"
        "\\caption{$\\mu$ \\& 5}\n\\begin{tabular}{lr}\n\\toprule\nname & x \\tabularnewline\n\\midrule\n"
        "a$|$b & 1 $\\pm$ 2 \\tabularnewline\nc\\_\\char34{}d\\char34{}, e &  \\tabularnewline\n\\bottomrule\n"
        "\\end{tabular}\n\n{\\raggedright 100 \\%\\par}\n\\end{table}\n");
    assert_written(&grid, TEXT_TABLE_CSV, "name,x\r\na|b,1 ± 2\r\n\"c_\"\"d\"\", e\",\r\n");
    text_table_free(&grid);
}

static void an_incomplete_row_and_lost_memory_are_errors(void **state)
{
    (void)state;
    struct text_table grid = {.columns = 2};
    text_table_cell(&grid, "alone");
    assert_int_equal(text_table_write(&grid, TEXT_TABLE_CSV, "/tmp/hullbench-never-written", NULL), STATUS_BAD_INPUT);
    grid.failed = 1;
    assert_int_equal(text_table_write(&grid, TEXT_TABLE_CSV, "/tmp/hullbench-never-written", NULL), STATUS_NO_MEMORY);
    assert_int_not_equal(access("/tmp/hullbench-never-written", F_OK), 0);
    text_table_free(&grid);
    text_table_free(NULL);
}

static size_t times(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

static char *latex_of(const struct text_table *grid)
{
    char path[] = "/tmp/hullbench-grid-XXXXXX", *text = NULL;
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    assert_int_equal(text_table_write(grid, TEXT_TABLE_LATEX, path, NULL), STATUS_OK);
    assert_int_equal(file_read(path, &text, NULL, NULL), STATUS_OK);
    unlink(path);
    return text;
}

/* 9 columns of 20 characters are 180 characters; a line of the smallest type holds 81. */
static void a_wide_table_goes_on_below_with_its_first_column_and_joined_columns_together(void **state)
{
    (void)state;
    struct text_table grid = {.columns = 9};
    for (int j = 0; j < 9; j++) {
        if (j > 0 && j % 2 == 0)
            text_table_keep_together(&grid, (size_t)j);
        text_table_cell(&grid, "h%d", j);
    }
    for (int j = 0; j < 9; j++)
        text_table_cell(&grid, "%d9012345678901234567", j);
    char *text = latex_of(&grid);
    assert_int_equal(times(text, "\\begin{tabular}{lrr}"), 4);
    assert_int_equal(times(text, "09012345678901234567 & "), 4);
    assert_int_equal(times(text, "h0 & h1 & h2 \\tabularnewline"), 1);
    assert_int_equal(times(text, "h0 & h7 & h8 \\tabularnewline"), 1);
    assert_int_equal(times(text, "\\begin{table}"), 1);
    free(text);
    text_table_free(&grid);
}

static void a_long_table_goes_on_in_further_tables(void **state)
{
    (void)state;
    struct text_table grid = {.columns = 2};
    text_table_title(&grid, "title");
    text_table_cell(&grid, "name");
    text_table_cell(&grid, "a heading of words");
    for (int i = 0; i < 100; i++) {
        text_table_cell(&grid, "row-%d,", i);
        text_table_cell(&grid, "%d", i);
    }
    char *text = latex_of(&grid), name[20];
    size_t tables = times(text, "\\begin{table}");
    assert_true(tables >= 3 && tables <= 5); /* some 40 rows of 11 points a page */
    assert_int_equal(times(text, "\\end{table}"), tables);
    assert_int_equal(times(text, "\\caption{title}"), 1);
    assert_int_equal(times(text, "\\caption{title (continued)}"), tables - 1);
    assert_int_equal(times(text, "\\shortstack[r]{a\\\\heading\\\\of\\\\words}"), tables);
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "row-%d,", i);
        assert_int_equal(times(text, name), 1);
    }
    free(text);
    text_table_free(&grid);
}

static void long_texts_become_paragraphs_and_every_sign_a_command(void **state)
{
    (void)state;
    struct text_table grid = {.columns = 2};
    text_table_cell(&grid, "id");
    text_table_cell(&grid, "text");
    text_table_cell(&grid, "a");
    text_table_cell(&grid, "twenty words and a path/with.parts that do not fit a line, \\input{x} ☃ \xff é ν");
    char *text = latex_of(&grid);
    assert_int_equal(times(text, "\\begin{tabular}{lp{"), 1);
    assert_int_equal(times(text, "path/\\allowbreak{}with.\\allowbreak{}parts"), 1);
    assert_int_equal(times(text, "\\textbackslash{}input\\{x\\} [U+2603] [U+FFFD] é $\\nu$"), 1);
    free(text);
    text_table_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_form_escapes_its_own),
        cmocka_unit_test(a_wide_table_goes_on_below_with_its_first_column_and_joined_columns_together),
        cmocka_unit_test(a_long_table_goes_on_in_further_tables),
        cmocka_unit_test(long_texts_become_paragraphs_and_every_sign_a_command),
        cmocka_unit_test(an_incomplete_row_and_lost_memory_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
