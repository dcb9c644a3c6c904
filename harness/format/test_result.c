/* The forms of a result, byte for byte. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/die.h"
#include "harness/base/json_writer.h"
#include "harness/format/result.h"
#include "harness/support/file.h"
#include "tests/scratch_folder.h"

static struct pool *pool; /* of all tables */

static char *text_of(const struct result *table, enum result_form form)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    if (form == RESULT_TERMINAL)
        result_write_terminal(table, 30, stream);
    else
        result_write(table, form, stream);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void assert_written(const struct result *table, enum result_form form, const char *expected)
{
    char *text = text_of(table, form);
    assert_string_equal(text, expected);
    free(text);
}

/* A verdict with a mark and a link, a bold cell and a cell without a value. */
static struct result filled(void)
{
    struct result table = {.pool = pool, .name = "a.b"};
    result_title(&table, "μ & %d", 5);
    result_columns(&table, "name\t#6ours.mean=x\t>?ours.is_best\t<#text");
    result_text(&table, "a|b");
    struct result_value *value = result_shown(&table, 1234.5678912, "1230 ± 200");
    value->mark = "†";
    value->sign = "≠";
    value->meaning = "differs";
    value->link = "#d";
    result_number(&table, 1);
    result_text(&table, "7/9")->is_bold = 1;
    result_text(&table, "c_\"d\", e");
    result_none(&table);
    result_number(&table, (double)NAN);
    result_shown(&table, (double)INFINITY, "∞ (0/40)");
    result_note(&table, "100 %%");
    return table;
}

static void each_form_escapes_its_own(void **state)
{
    (void)state;
    struct result table = filled();
    json_put_number(result_facts(&table), "level", 0.05);
    assert_written(&table, RESULT_MARKDOWN,
                   "# μ & 5\n\n"
                   "| name     |                   x |     text |\n"
                   "| -------- | ------------------: | -------: |\n"
                   "| a\\|b     | 1230 ± 200† [≠](#d) |  **7/9** |\n"
                   "| c_\"d\", e |                   – | ∞ (0/40) |\n"
                   "\n100 %\n");
    assert_written(&table, RESULT_CSV,
                   "name,ours_mean,ours_is_best\r\na|b,1234.57,1\r\n\"c_\"\"d\"\", e\",,\r\n");
    assert_written(&table, RESULT_JSON,
                   "{\n\"schema\": 3,\n\"table\": \"a.b\",\n\"title\": \"μ & 5\",\n\"level\": 0.05,\n\"rows\": [\n"
                   "{\"name\": \"a|b\", \"ours\": {\"mean\": 1234.57, \"is_best\": true}},\n"
                   "{\"name\": \"c_\\\"d\\\", e\", \"ours\": null}],\n\"notes\": [\"100 %\"]\n}\n");
    assert_written(
        &table, RESULT_HTML,
        "<table>\n<caption>μ &amp; 5</caption>\n<thead><tr><th scope=\"col\" class=\"t\">name</th>"
        "<th scope=\"col\">x</th><th scope=\"col\">text</th></tr></thead>\n<tbody>\n"
        "<tr><th scope=\"row\" class=\"t\">a|b</th>"
        "<td class=\"differs\" title=\"differs\" data-sort=\"1234.567891\">1230 ± 200† <a href=\"#d\">≠</a></td>"
        "<td><strong>7/9</strong></td></tr>\n"
        "<tr><th scope=\"row\" class=\"t\">c_&quot;d&quot;, e</th><td>–</td>"
        "<td data-sort=\"Infinity\">∞ (0/40)</td></tr>\n</tbody>\n</table>\n<p class=\"note\">100 %</p>\n");
    assert_written(&table, RESULT_LATEX,
                   "% needs \\usepackage{booktabs,graphicx}\n% estimated width 149 pt of 345 pt in \\small\n"
                   "\\begin{table}\n\\centering\\small\\setlength{\\tabcolsep}{4pt}\n"
                   "\\caption{$\\mu$ \\& 5}\n\\label{tab:a.b}\n\\smallskip\n"
                   "\\begin{tabular}{@{}lrr@{}}\n\\toprule\nname & x & text \\tabularnewline\n\\midrule\n"
                   "a$|$b & 1230 $\\pm$ 200$^\\dagger$ $\\neq$ & \\textbf{7/9} \\tabularnewline\n"
                   "c\\_\\char34{}d\\char34{}, e & -- & $\\infty$ (0/40) \\tabularnewline\n"
                   "\\bottomrule\n\\end{tabular}\n\n\\smallskip\n{\\raggedright\\footnotesize 100 \\%\\par}\n"
                   "\\end{table}\n");
    assert_written(&table, RESULT_TERMINAL,
                   "μ & 5\n\n"
                   "name                  x\n"
                   "───────────────────────\n"
                   "a|b       1230 ± 200† ≠\n"
                   "c_\"d\", e              –\n"
                   "\n"
                   "name          text\n"
                   "──────────────────\n"
                   "a|b            7/9\n"
                   "c_\"d\", e  ∞ (0/40)\n"
                   "\n100 %\n");
}

static void prose_is_broken_to_fit_a_terminal(void **state)
{
    (void)state;
    struct result table = {.pool = pool, .name = "a"};
    result_columns(&table, "id\t~what=what it says");
    result_row(&table, "c1\tone two three four five six seven");
    assert_written(&table, RESULT_TERMINAL,
                   "id  what it says\n"
                   "──────────────────────────────\n"
                   "c1  one two three four five\n"
                   "    six seven\n");
}

/* The columns take 8 + 5 + 1 + 5 + 5 and 4 gaps of 2, so 32 of 30; without the details 22. Those of the same heading as
 * another column, here p, are not named. */
static void details_are_left_out_and_named_unless_all_columns_fit(void **state)
{
    (void)state;
    struct result table = {.pool = pool, .name = "a"};
    result_columns(&table, "data-set\t-#pairs\t-#p\t#ratio\t#p");
    result_row(&table, "banana\t12\t1\t0.5\t0.25");
    result_row(&table, "a-set\t12\t1\t0.75\t0.125");
    assert_written(&table, RESULT_TERMINAL,
                   "data-set  ratio      p\n"
                   "──────────────────────\n"
                   "banana      0.5   0.25\n"
                   "a-set      0.75  0.125\n"
                   "\n"
                   "Columns for which this\n"
                   "terminal is too narrow: pairs.\n");
    assert_written(&table, RESULT_CSV,
                   "data-set,pairs,p,ratio,p\r\nbanana,12,1,0.5,0.25\r\na-set,12,1,0.75,0.125\r\n");
    table.columns.count = 0;
    table.values.count = 0;
    result_columns(&table, "data-set\t-#n\t#ratio");
    result_row(&table, "banana\t12\t0.5");
    assert_written(&table, RESULT_TERMINAL,
                   "data-set   n  ratio\n"
                   "───────────────────\n"
                   "banana    12    0.5\n");
}

/* "<" and "](" begin nothing in a title or note, and stay where they begin nothing. */
static void markdown_has_neither_html_nor_links_of_names(void **state)
{
    (void)state;
    struct result table = {.pool = pool, .name = "a"};
    result_title(&table, "a<script>b</script>");
    result_note(&table, "p < 0.05, <!-- \\<b> [x](javascript:y) [x][y] [1] x<1");
    result_column(&table, (struct result_column){.key = "<b>"});
    assert_written(&table, RESULT_MARKDOWN,
                   "# a\\<script>b\\</script>\n\n| \\<b\\> |\n| ----- |\n"
                   "\np < 0.05, \\<!-- \\<b> [x\\](javascript:y) [x\\][y] [1] x<1\n");
}

/* What a spreadsheet would compute gets an apostrophe; numbers do not. */
static void csv_guards_texts_that_a_spreadsheet_would_compute(void **state)
{
    (void)state;
    static const char *const cells[] = {"=1+1", "@SUM(A1)", "-2+3|cmd", "+x,y", "'=1", "''@b", "-1.5", "+2e-3",
                                        "-", "'a", "a=b", "-1 %"};
    struct result table = {.pool = pool, .name = "a"};
    result_columns(&table, "x");
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        result_text(&table, "%s", cells[i]);
    assert_written(&table, RESULT_CSV,
                   "x\r\n'=1+1\r\n'@SUM(A1)\r\n'-2+3|cmd\r\n\"'+x,y\"\r\n''=1\r\n'''@b\r\n-1.5\r\n+2e-3\r\n-\r\n'a\r\n"
                   "a=b\r\n'-1 %\r\n");
}

static void rows_are_split_at_the_tabs_of_the_format(void **state)
{
    (void)state;
    struct result table = {.pool = pool, .name = "a"};
    result_columns(&table, "a\t#b\tc");
    result_row(&table, "%s\t%d\t", "x\ty", 12);
    assert_written(&table, RESULT_CSV, "a,b,c\r\nx\ty,12,\r\n");
}

static void numbers_have_one_notation(void **state)
{
    (void)state;
    struct result table = {.pool = pool, .name = "a"};
    const struct interval interval = {0.8871, 0.8702, 0.9051, 0.95}, wide = {0.8871, 0.8702, 0.9051, 0.969},
                          alone = {2, (double)NAN, (double)NAN, 0};
    result_columns(&table, "#x");
    result_interval(&table, 3, &interval);
    result_interval(&table, 3, &wide);
    result_interval(&table, 3, &alone);
    result_p(&table, 0.012345);
    result_number(&table, 12345678);
    result_number(&table, 0.5);
    assert_written(&table, RESULT_MARKDOWN,
                   "|                            x |\n| ---------------------------: |\n"
                   "|         0.887 [0.870, 0.905] |\n| 0.887 [0.870, 0.905; 96.9 %] |\n"
                   "|                            2 |\n|                        0.012 |\n"
                   "|                    1.235·10⁷ |\n|                       0.5000 |\n");
}

static size_t times(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

static void a_long_table_goes_on_in_further_tables(void **state)
{
    (void)state;
    struct result table = {.pool = pool, .name = "a"};
    result_title(&table, "title");
    result_columns(&table, "name\t#x=a heading of words");
    for (int i = 0; i < 100; i++)
        result_row(&table, "row-%d,\t%d", i, i);
    char *text = text_of(&table, RESULT_LATEX), name[20];
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

/* 0.4 of 345 points are 138, and 90 digits 450 points wide: four lines each, so ten rows fill 40 lines. */
static void a_page_holds_fewer_rows_of_prose(void **state)
{
    (void)state;
    struct result table = {.pool = pool, .name = "a"};
    result_columns(&table, "~text");
    for (int i = 0; i < 30; i++)
        result_text(&table, "%090d", i);
    char *text = text_of(&table, RESULT_LATEX);
    assert_int_equal(times(text, "\\begin{table}"), 3);
    free(text);
}

static void write_nowhere(void *data)
{
    const struct result *table = data;
    result_write_files(table, table, "/nowhere/at/all");
}

static void the_four_files_of_a_table_have_its_name(void **state)
{
    (void)state;
    char folder[SCRATCH_PATH_SIZE], path[64], *text = NULL;
    static const char *const endings[] = {"json", "md", "tex", "csv"}, *const beginnings[] = {"{", "# μ", "%", "other"};
    struct result table = filled(), data = {.pool = pool};
    assert_non_null(scratch_folder_new(folder, "hullbench-table"));
    result_columns(&data, "other");
    result_write_files(&table, &data, folder);
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/a.b.%s", folder, endings[i]);
        text = read_file(path, NULL);
        assert_memory_equal(text, beginnings[i], strlen(beginnings[i]));
        assert_int_equal(times(text, "100 %") + times(text, "100 \\%"), i < 3); /* notes are in all but CSV */
        free(text);
        unlink(path);
    }
    rmdir(folder);
    assert_int_equal(attempt(write_nowhere, &table, NULL), STATUS_IO);
}

static void prose_becomes_paragraphs_and_every_sign_a_command(void **state)
{
    (void)state;
    struct result table = {.pool = pool, .name = "a"};
    result_columns(&table, "id\t~text");
    result_row(&table, "a\ttwenty words and a path/with.parts that do not fit a line, \\input{x} ☃ \xff é ν");
    char *text = text_of(&table, RESULT_LATEX);
    assert_int_equal(times(text, "\\begin{tabular}{@{}lp{129pt}@{}}"), 1); /* 0.93 of 138, and 1 */
    assert_int_equal(times(text, "path/\\allowbreak{}with.\\allowbreak{}parts"), 1);
    assert_int_equal(times(text, "\\textbackslash{}input\\{x\\} {[}U+2603] {[}U+FFFD] é $\\nu$"), 1);
    free(text);
}

/* Two groups of columns and two groups of rows. In cmr10 the columns are, in points, as wide as "set" (12.29), "mu"
 * (13.90), a bold 10 (1.15 times 10) and three times 10 (10 each): 67.69 in all. */
static void fill_groups(struct result *table, double points)
{
    *table = (struct result){.pool = pool, .name = "of-groups", .heads = 2, .points = points};
    result_title(table, "Groups");
    result_columns(table, "set\tmu\t#A\nx\t#A\ny\t#B\nx\t#B\ny");
    result_row(table, "p\t1\t10\t11\t12\t13");
    result_at(table, 0, 2)->is_bold = 1;
    result_row(table, "p\t2\t14\t15\t16\t17");
    result_row(table, "q\t1\t18\t19\t20\t21");
    result_note(table, "A note");
}

static void a_table_for_a_paper_groups_its_headings_and_rows(void **state)
{
    (void)state;
    struct result table;
    fill_groups(&table, 200);
    assert_written( /* 0.93 * 67.69 and five times 8 are 103 */
        &table, RESULT_LATEX,
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
    struct result table;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fill_groups(&table, cases[i].points);
        const struct latex_setting setting = result_latex_setting(&table);
        assert_int_equal(setting.size, cases[i].size);
        assert_true(setting.separator == cases[i].separator);
        assert_true(fabs(setting.width - (cases[i].scale * 67.69 + 5 * cases[i].separator)) < 1e-9); /* rounding */
        assert_int_equal(setting.parts, cases[i].parts);
    }
    fill_groups(&table, 75);
    char *text = text_of(&table, RESULT_LATEX);
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
        cmocka_unit_test(prose_is_broken_to_fit_a_terminal),
        cmocka_unit_test(details_are_left_out_and_named_unless_all_columns_fit),
        cmocka_unit_test(a_long_table_goes_on_in_further_tables),
        cmocka_unit_test(a_page_holds_fewer_rows_of_prose),
        cmocka_unit_test(the_four_files_of_a_table_have_its_name),
        cmocka_unit_test(prose_becomes_paragraphs_and_every_sign_a_command),
        cmocka_unit_test(a_table_for_a_paper_groups_its_headings_and_rows),
        cmocka_unit_test(a_table_for_a_paper_takes_the_largest_size_that_fits_or_is_cut),
        cmocka_unit_test(markdown_has_neither_html_nor_links_of_names),
        cmocka_unit_test(csv_guards_texts_that_a_spreadsheet_would_compute),
        cmocka_unit_test(rows_are_split_at_the_tabs_of_the_format),
        cmocka_unit_test(numbers_have_one_notation),
    };
    pool = pool_new();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pool_free(pool);
    return failed;
}
