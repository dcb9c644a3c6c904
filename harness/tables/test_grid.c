/* The three forms of a grid, byte for byte. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/file.h"
#include "harness/tables/grid.h"

static void assert_written(const struct grid *grid, enum grid_form form, const char *expected)
{
    char path[] = "/tmp/hullbench-grid-XXXXXX", *text = NULL;
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    assert_int_equal(grid_write(grid, form, path, NULL), STATUS_OK);
    assert_int_equal(file_read(path, &text, NULL, NULL), STATUS_OK);
    assert_string_equal(text, expected);
    free(text);
    unlink(path);
}

static void fill(struct grid *grid)
{
    grid->columns = 2;
    grid_title(grid, "μ & %d", 5);
    grid_cell(grid, "name");
    grid_cell(grid, "x");
    grid_cell(grid, "a|b");
    grid_cell(grid, "1 ± 2");
    grid_cell(grid, "c_\"d\", e");
    grid_cell(grid, "%s", "");
    grid_note(grid, "100 %%");
}

static void each_form_escapes_its_own(void **state)
{
    (void)state;
    struct grid grid = {0};
    fill(&grid);
    assert_written(&grid, GRID_MARKDOWN,
                   "# μ & 5\n\n"
                   "| name     |     x |\n"
                   "| -------- | ----: |\n"
                   "| a\\|b     | 1 ± 2 |\n"
                   "| c_\"d\", e |       |\n"
                   "\n100 %\n");
    assert_written(&grid, GRID_LATEX,
                   "% \\usepackage{booktabs}\n\\begin{table}\n\\centering\n\\caption{$\\mu$ \\& 5}\n"
                   "\\begin{tabular}{lr}\n\\toprule\nname & x \\\\\n\\midrule\na|b & 1 $\\pm$ 2 \\\\\n"
                   "c\\_\"d\", e &  \\\\\n\\bottomrule\n\\end{tabular}\n\n\\par\\footnotesize 100 \\%\n\\end{table}\n");
    assert_written(&grid, GRID_CSV, "name,x\r\na|b,1 ± 2\r\n\"c_\"\"d\"\", e\",\r\n");
    grid_free(&grid);
}

static void an_incomplete_row_and_lost_memory_are_errors(void **state)
{
    (void)state;
    struct grid grid = {.columns = 2};
    grid_cell(&grid, "alone");
    assert_int_equal(grid_write(&grid, GRID_CSV, "/tmp/hullbench-never-written", NULL), STATUS_BAD_INPUT);
    grid.failed = 1;
    assert_int_equal(grid_write(&grid, GRID_CSV, "/tmp/hullbench-never-written", NULL), STATUS_NO_MEMORY);
    assert_int_not_equal(access("/tmp/hullbench-never-written", F_OK), 0);
    grid_free(&grid);
    grid_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_form_escapes_its_own),
        cmocka_unit_test(an_incomplete_row_and_lost_memory_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
