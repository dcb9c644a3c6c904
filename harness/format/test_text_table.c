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

/* Two groups of columns and two groups of rows. In cmr10 the columns are, in points, as wide as "set" (12.29), "mu"
 * (13.90), a bold 10 (1.15 times 10) and three times 10 (10 each): 67.69 in all. */
static void fill_groups(struct text_table *table, double points)
{
    static const char *const cells[] = {"set", "mu", "A\nx", "A\ny", "B\nx", "B\ny", "p", "1", "10", "11",
                                        "12",  "13", "p",    "2",    "14",   "15",   "16", "17", "q", "1",
                                        "18",  "19", "20",   "21"};
    *table = (struct text_table){
        .pool = pool, .columns = 6, .heads = 2, .page = {.label = "of-groups", .points = points}};
    text_table_title(table, "Groups");
    text_table_cells(table, cells, 9);
    text_table_bold(table);
    text_table_cells(table, cells + 9, sizeof cells / sizeof *cells - 9);
    text_table_footnote(table, "A note");
}

static void a_table_for_a_paper_groups_its_headings_and_rows(void **state)
{
    (void)state;
    struct text_table table;
    fill_groups(&table, 200);
    assert_written( /* 0.93 * 67.69 and five times 8 are 103 */
        &table, TEXT_TABLE_LATEX,
        "% needs \\usepackage{booktabs,graphicx}\n% estimated width 103 pt of 200 pt in \\small\n"
        "\\begin{table}\n\\centering\\small\\setlength{\\tabcolsep}{4pt}\n"
        "\\caption{Groups}\n\\label{tab:of-groups}\n\\smallskip\n"
        "\\begin{tabular}{@{}llrrrr@{}}\n\\toprule\n"
        "& & \\multicolumn{2}{c}{A} & \\multicolumn{2}{c}{B} \\tabularnewline\n"
        "\\cmidrule(lr){3-4}\\cmidrule(lr){5-6}\n"
        "set & mu & x & y & x & y \\tabularnewline\n\\midrule\n"
        "p & 1 & \\textbf{10} & 11 & 12 & 13 \\tabularnewline\n"
        " & 2 & 14 & 15 & 16 & 17 \\tabularnewline\n"
        "\\addlinespace\n"
        "q & 1 & 18 & 19 & 20 & 21 \\tabularnewline\n"
        "\\bottomrule\n\\end{tabular}\n\n\\smallskip\n"
        "{\\raggedright\\footnotesize A note\\par}\n\\end{table}\n");
}

static void a_table_for_a_paper_takes_the_largest_size_that_fits_or_is_cut(void **state)
{
    (void)state;
    static const struct {
        double points, scale, separator;
        size_t size, parts;
    } cases[] = {{104, 0.93, 8, 0, 1}, {102, 0.93, 5, 0, 1}, {87, 0.855, 5, 1, 1}, {82, 0.805, 5, 2, 1},
                 /* three of the four columns fit next to the heads: 0.855 * 57.69 and four times 5 are 69.3 */
                 {75, 0.805, 5, 2, 2}};
    struct text_table table;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fill_groups(&table, cases[i].points);
        const struct latex_setting setting = latex_table_choose(&table);
        assert_int_equal(setting.size, cases[i].size);
        assert_true(setting.separator == cases[i].separator);
        assert_true(fabs(setting.width - (cases[i].scale * 67.69 + 5 * cases[i].separator)) < 1e-9); /* rounding */
        assert_int_equal(setting.parts, cases[i].parts);
    }
    fill_groups(&table, 75);
    char *text = latex_of(&table);
    assert_int_equal(times(text, ": TOO WIDE, set as 2 tables\n"), 1);
    assert_int_equal(times(text, "\\begin{table}\n\\centering\\footnotesize"), 2);
    assert_int_equal(times(text, "\\caption{Groups (continued)}"), 1);
    assert_int_equal(times(text, "\\label{"), 1);
    assert_int_equal(times(text, "p & 1 & \\textbf{10} & 11 & 12 \\tabularnewline\n"), 1);
    assert_int_equal(times(text, "p & 1 & 13 \\tabularnewline\n & 2 & 17 \\tabularnewline\n"), 1);
    assert_int_equal(times(text, "A note"), 1);
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
        cmocka_unit_test(a_table_for_a_paper_groups_its_headings_and_rows),
        cmocka_unit_test(a_table_for_a_paper_takes_the_largest_size_that_fits_or_is_cut),
        cmocka_unit_test(markdown_has_neither_html_nor_links_of_names),
        cmocka_unit_test(csv_guards_texts_that_a_spreadsheet_would_compute),
        cmocka_unit_test(rows_are_split_at_the_tabs_of_the_format),
    };
    pool = pool_new();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pool_free(pool);
    return failed;
}
