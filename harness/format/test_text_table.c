/* The three forms of a table, byte for byte. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/format/text_table.h"
#include "tests/scratch_folder.h"

static void assert_written(const struct text_table *table, enum text_table_form form, const char *expected)
{
    char path[SCRATCH_PATH_SIZE], *text = NULL;
    assert_int_equal(scratch_file_new(path, "hullbench-table"), 0);
    assert_int_equal(text_table_write(table, form, path, NULL), STATUS_OK);
    assert_int_equal(file_read(path, &text, NULL, NULL), STATUS_OK);
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
    struct text_table table = {0};
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
    text_table_free(&table);
}

static void an_incomplete_row_is_an_error(void **state)
{
    (void)state;
    struct text_table table = {.columns = 2};
    text_table_cell(&table, "alone");
    assert_int_equal(text_table_write(&table, TEXT_TABLE_CSV, "/tmp/hullbench-never-written", NULL), STATUS_BAD_INPUT);
    assert_int_not_equal(access("/tmp/hullbench-never-written", F_OK), 0);
    text_table_free(&table);
    text_table_free(NULL);
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
    assert_int_equal(text_table_write(table, TEXT_TABLE_LATEX, path, NULL), STATUS_OK);
    assert_int_equal(file_read(path, &text, NULL, NULL), STATUS_OK);
    unlink(path);
    return text;
}

static void a_long_table_goes_on_in_further_tables(void **state)
{
    (void)state;
    struct text_table table = {.columns = 2};
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
    text_table_free(&table);
}

/* 30 texts of 84 to 112 characters take four lines each: ten of them fill 40 lines. */
static void a_page_holds_fewer_rows_of_long_texts(void **state)
{
    (void)state;
    struct text_table table = {.columns = 1};
    text_table_cell(&table, "text");
    for (int i = 0; i < 30; i++)
        text_table_cell(&table, "%090d", i);
    char *text = latex_of(&table);
    assert_int_equal(times(text, "\\begin{table}"), 3);
    free(text);
    text_table_free(&table);
}

static void the_four_files_of_a_table_have_its_name(void **state)
{
    (void)state;
    char folder[SCRATCH_PATH_SIZE], path[64], *text = NULL;
    static const char *const endings[] = {"json", "md", "tex", "csv"}, *const beginnings[] = {"{", "# μ", "%", "other"};
    struct text_table table = {0}, csv = {.columns = 1};
    assert_non_null(scratch_folder_new(folder, "hullbench-table"));
    fill(&table);
    text_table_cell(&csv, "other");
    cJSON *json = cJSON_CreateObject();
    assert_int_equal(text_table_write_files(folder, "a.b", json, &table, &csv, NULL), STATUS_OK);
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/a.b.%s", folder, endings[i]);
        assert_int_equal(file_read(path, &text, NULL, NULL), STATUS_OK);
        assert_memory_equal(text, beginnings[i], strlen(beginnings[i]));
        free(text);
        unlink(path);
    }
    rmdir(folder);
    assert_int_equal(text_table_write_files(folder, "a.b", json, &table, &csv, NULL), STATUS_IO);
    cJSON_Delete(json);
    text_table_free(&table);
    text_table_free(&csv);
}

static void long_texts_become_paragraphs_and_every_sign_a_command(void **state)
{
    (void)state;
    struct text_table table = {.columns = 2};
    text_table_cell(&table, "id");
    text_table_cell(&table, "text");
    text_table_cell(&table, "a");
    text_table_cell(&table, "twenty words and a path/with.parts that do not fit a line, \\input{x} ☃ \xff é ν");
    char *text = latex_of(&table);
    assert_int_equal(times(text, "\\begin{tabular}{lp{0.4\\linewidth}}"), 1);
    assert_int_equal(times(text, "path/\\allowbreak{}with.\\allowbreak{}parts"), 1);
    assert_int_equal(times(text, "\\textbackslash{}input\\{x\\} [U+2603] [U+FFFD] é $\\nu$"), 1);
    free(text);
    text_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_form_escapes_its_own),
        cmocka_unit_test(a_long_table_goes_on_in_further_tables),
        cmocka_unit_test(a_page_holds_fewer_rows_of_long_texts),
        cmocka_unit_test(the_four_files_of_a_table_have_its_name),
        cmocka_unit_test(long_texts_become_paragraphs_and_every_sign_a_command),
        cmocka_unit_test(an_incomplete_row_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
