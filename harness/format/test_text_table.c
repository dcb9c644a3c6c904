/* The three forms of a table, byte for byte. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/format/text_table.h"
#include "tests/scratch_folder.h"

static struct pool *pool; /* of all tables */

static void assert_written(const struct text_table *table, enum text_table_form form, const char *expected)
{
    char path[SCRATCH_PATH_SIZE], *text = NULL;
    assert_int_equal(scratch_file_new(path, "hullbench-table"), 0);
    text_table_write(table, form, path);
    text = read_file(path, NULL);
    assert_string_equal(text, expected);
    free(text);
    unlink(path);
}

static void fill(struct text_table *table)
{
    table->columns = 2;
    text_table_title(table, "μ & %d", 5);
    text_table_cell(table, "name");
    text_table_cell(table, "x");
    text_table_cell(table, "a|b");
    text_table_cell(table, "1 ± 2");
    text_table_cell(table, "c_\"d\", e");
    text_table_cell(table, "%s", "");
    text_table_footnote(table, "100 %%");
}

static void each_form_escapes_its_own(void **state)
{
    (void)state;
    struct text_table table = {.pool = pool};
    fill(&table);
    assert_written(&table, TEXT_TABLE_MARKDOWN,
                   "# μ & 5\n\n"
                   "| name     |     x |\n"
                   "| -------- | ----: |\n"
                   "| a\\|b     | 1 ± 2 |\n"
                   "| c_\"d\", e |       |\n"
                   "\n100 %\n");
    assert_written(
        &table, TEXT_TABLE_LATEX,
        "% needs \\usepackage{booktabs,graphicx}\n\\begin{table}\n\\centering\\small\\setlength{\\tabcolsep}{3pt}\n"
        "\\caption{$\\mu$ \\& 5}\n\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n"
        "\\begin{tabular}{lr}\n\\toprule\nname & x \\tabularnewline\n\\midrule\n"
        "a$|$b & 1 $\\pm$ 2 \\tabularnewline\nc\\_\\char34{}d\\char34{}, e &  \\tabularnewline\n\\bottomrule\n"
        "\\end{tabular}}\n\n{\\raggedright 100 \\%\\par}\n\\end{table}\n");
    assert_written(&table, TEXT_TABLE_CSV, "name,x\r\na|b,1 ± 2\r\n\"c_\"\"d\"\", e\",\r\n");
}

/* "<" and "](" begin nothing in a title or note, and stay where they begin nothing. */
static void markdown_has_neither_html_nor_links_of_names(void **state)
{
    (void)state;
    struct text_table table = {.pool = pool, .columns = 1};
    text_table_title(&table, "a<script>b</script>");
    text_table_footnote(&table, "p < 0.05, <!-- \\<b> [x](javascript:y) [x][y] [1] x<1");
    text_table_cell(&table, "<b>");
    assert_written(&table, TEXT_TABLE_MARKDOWN,
                   "# a\\<script>b\\</script>\n\n| \\<b\\> |\n| ----- |\n"
                   "\np < 0.05, \\<!-- \\<b> [x\\](javascript:y) [x\\][y] [1] x<1\n");
}

/* What a spreadsheet would compute gets an apostrophe; numbers do not. */
static void csv_guards_texts_that_a_spreadsheet_would_compute(void **state)
{
    (void)state;
    static const char *const cells[] = {"=1+1", "@SUM(A1)", "-2+3|cmd", "+x,y", "'=1", "''@b", "-1.5", "+2e-3",
                                        "-", "'a", "a=b", "-1 %"};
    struct text_table table = {.pool = pool, .columns = sizeof cells / sizeof *cells};
    text_table_cells(&table, cells, table.columns);
    assert_written(&table, TEXT_TABLE_CSV,
                   "'=1+1,'@SUM(A1),'-2+3|cmd,\"'+x,y\",''=1,'''@b,-1.5,+2e-3,-,'a,a=b,'-1 %\r\n");
}

static void rows_are_split_at_the_tabs_of_the_format(void **state)
{
    (void)state;
    struct text_table table = {.pool = pool};
    text_table_header(&table, 1, "a\t\tc");
    text_table_row(&table, "%s\t%d of %d\t", "x\ty", 1, 2);
    assert_int_equal(table.columns, 3);
    assert_written(&table, TEXT_TABLE_CSV, "a,,c\r\nx\ty,1 of 2,\r\n");
}

static size_t times(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

static char *latex_of(const struct text_table *table)
{
    char path[SCRATCH_PATH_SIZE], *text = NULL;
    assert_int_equal(scratch_file_new(path, "hullbench-table"), 0);
    text_table_write(table, TEXT_TABLE_LATEX, path);
    text = read_file(path, NULL);
    unlink(path);
    return text;
}

static void a_long_table_goes_on_in_further_tables(void **state)
{
    (void)state;
    struct text_table table = {.pool = pool, .columns = 2};
    text_table_title(&table, "title");
    text_table_cell(&table, "name");
    text_table_cell(&table, "a heading of words");
    for (int i = 0; i < 100; i++) {
        text_table_cell(&table, "row-%d,", i);
        text_table_cell(&table, "%d", i);
    }
    char *text = latex_of(&table), name[20];
    size_t tables = times(text, "\\begin{table}");
    assert_int_equal(tables, 3); /* 40 rows per page */
    assert_int_equal(times(text, "\\end{table}"), tables);
    assert_int_equal(times(text, "\\caption{title}"), 1);
    assert_int_equal(times(text, "\\caption{title (continued)}"), tables - 1);
    assert_int_equal(times(text, "\\shortstack[r]{a\\\\heading\\\\of\\\\words}"), tables);
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "row-%d,", i);
        assert_int_equal(times(text, name), 1);
    }
    free(text);
}

/* 30 texts of 84 to 112 characters take four lines each: ten of them fill 40 lines. */
static void a_page_holds_fewer_rows_of_long_texts(void **state)
{
    (void)state;
    struct text_table table = {.pool = pool, .columns = 1};
    text_table_cell(&table, "text");
    for (int i = 0; i < 30; i++)
        text_table_cell(&table, "%090d", i);
    char *text = latex_of(&table);
    assert_int_equal(times(text, "\\begin{table}"), 3);
    free(text);
}

static void write_nowhere(void *json)
{
    struct text_table table = {.pool = pool};
    text_table_write_files("/nowhere/at/all", "a.b", json, &table, &table);
}

static void the_four_files_of_a_table_have_its_name(void **state)
{
    (void)state;
    char folder[SCRATCH_PATH_SIZE], path[64], *text = NULL;
    static const char *const endings[] = {"json", "md", "tex", "csv"}, *const beginnings[] = {"{", "# μ", "%", "other"};
    struct text_table table = {.pool = pool}, csv = {.pool = pool, .columns = 1};
    assert_non_null(scratch_folder_new(folder, "hullbench-table"));
    fill(&table);
    text_table_cell(&csv, "other");
    cJSON *json = cJSON_CreateObject();
    text_table_write_files(folder, "a.b", json, &table, &csv);
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/a.b.%s", folder, endings[i]);
        text = read_file(path, NULL);
        assert_memory_equal(text, beginnings[i], strlen(beginnings[i]));
        free(text);
        unlink(path);
    }
    rmdir(folder);
    assert_int_equal(attempt(write_nowhere, json, NULL), STATUS_IO);
    cJSON_Delete(json);
}

static void long_texts_become_paragraphs_and_every_sign_a_command(void **state)
{
    (void)state;
    struct text_table table = {.pool = pool, .columns = 2};
    text_table_cell(&table, "id");
    text_table_cell(&table, "text");
    text_table_cell(&table, "a");
    text_table_cell(&table, "twenty words and a path/with.parts that do not fit a line, \\input{x} ☃ \xff é ν");
    char *text = latex_of(&table);
    assert_int_equal(times(text, "\\begin{tabular}{lp{0.4\\linewidth}}"), 1);
    assert_int_equal(times(text, "path/\\allowbreak{}with.\\allowbreak{}parts"), 1);
    assert_int_equal(times(text, "\\textbackslash{}input\\{x\\} {[}U+2603] {[}U+FFFD] é $\\nu$"), 1);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_form_escapes_its_own),
        cmocka_unit_test(a_long_table_goes_on_in_further_tables),
        cmocka_unit_test(a_page_holds_fewer_rows_of_long_texts),
        cmocka_unit_test(the_four_files_of_a_table_have_its_name),
        cmocka_unit_test(long_texts_become_paragraphs_and_every_sign_a_command),
        cmocka_unit_test(markdown_has_neither_html_nor_links_of_names),
        cmocka_unit_test(csv_guards_texts_that_a_spreadsheet_would_compute),
        cmocka_unit_test(rows_are_split_at_the_tabs_of_the_format),
    };
    pool = pool_new();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pool_free(pool);
    return failed;
}
