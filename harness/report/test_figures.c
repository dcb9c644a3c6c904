/* The figures that a report reads, and those that it embeds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/base/pool.h"
#include "harness/plot/kinds.h"
#include "harness/report/report.h"
#include "tests/scratch_folder.h"

static void write_figure(const char *folder, const char *name, const char *words, const char *svg)
{
    char path[300];
    snprintf(path, sizeof path, "%s/plots/%s.gp", folder, name);
    file_write(path, "", 0);
    snprintf(path, sizeof path, "%s/plots/%s.txt", folder, name);
    if (words)
        file_write(path, words, strlen(words));
    snprintf(path, sizeof path, "%s/plots/%s.svg", folder, name);
    if (svg)
        file_write(path, svg, strlen(svg));
}

static void remove_figure(const char *folder, const char *name)
{
    static const char *const endings[] = {"gp", "svg", "txt"};
    char path[300];
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/plots/%s.%s", folder, name, endings[i]);
        unlink(path);
    }
}

/* A report of one folder, "a b", without figures. */
static struct report report_of(struct pool *pool, const char *path, cJSON *config)
{
    struct report report = {.pool = pool, .folders = pool_alloc(pool, sizeof *report.folders), .count = 1};
    struct run_folder *run = pool_alloc(pool, sizeof *run);
    *run = (struct run_folder){.path = path, .config = config};
    report.folders[0] = (struct report_folder){.label = "a b", .run = run};
    return report;
}

static void figures_come_by_rank_with_their_texts_and_fill_the_room_there_is(void **state)
{
    (void)state;
    static const char *const names[] = {"heatmap-error-a", "error", "mine-b", "paper-ratio"};
    char folder[SCRATCH_PATH_SIZE], plots[300];
    assert_non_null(scratch_folder_new(folder, "hullbench-figures"));
    snprintf(plots, sizeof plots, "%s/plots", folder);
    assert_int_equal(mkdir(plots, 0700), 0);
    write_figure(folder, names[0], "A \"map\".\n\n", "<svg/>");
    write_figure(folder, names[1], "Error, U.S.\nOne. Two.\n", "<?xml?><svg><g/></svg>");
    write_figure(folder, names[2], NULL, "<svg/>");
    write_figure(folder, names[3], "S.\nT.\n", NULL);
    cJSON *config = cJSON_Parse(
        "{\"plots\":[{\"kind\":\"profile\",\"name\":\"mine\"},{\"kind\":\"error\"},{\"kind\":\"heatmap\"}]}");
    struct pool *pool = pool_new();
    struct report report = report_of(pool, folder, config);
    assert_false(report_figures_read(&report, 0)); /* one has no picture */
    report_figures_choose(&report, 0);
    assert_int_equal(report.figures.count, 4);
    assert_int_equal(report.n_main, 0);
    struct report_figure *figures = report.figures.item;
    assert_string_equal(figures[0].name, "mine-b"); /* a profile without a heading: the default is its name */
    assert_string_equal(figures[0].heading, "mine-b");
    assert_string_equal(figures[1].name, "paper-ratio");
    assert_null(figures[1].svg);
    assert_string_equal(figures[2].heading, "Error, U.S");
    assert_string_equal(figures[2].caption, "One. Two.");
    assert_string_equal(figures[3].heading, "A \"map\"");
    assert_string_equal(figures[2].file, "figures/a_20b.error.svg");
    for (size_t i = 0; i < 4; i++)
        figures[i].bytes = figures[i].svg ? (i == 2 ? 15 : 10) : 0;
    report_figures_choose(&report, 100);
    assert_true(figures[0].embedded && figures[3].embedded);
    assert_false(figures[1].embedded); /* no picture */
    assert_false(figures[2].embedded); /* more than a tenth */
    assert_int_equal(report.n_main, 1);
    assert_true(report.main[0] == figures && figures[0].is_main);
    for (size_t i = 0; i < 4; i++)
        figures[i].bytes = 10;
    report_figures_choose(&report, 100);
    assert_true(figures[2].embedded);
    report_figures_choose(&report, 9);
    assert_false(figures[0].embedded);
    pool_free(pool);
    cJSON_Delete(config);
    for (size_t i = 0; i < 4; i++)
        remove_figure(folder, names[i]);
    rmdir(plots);
    rmdir(folder);
}

static void parts_of_a_figure_are_in_the_order_of_their_numbers(void **state)
{
    (void)state;
    static const char *const names[] = {"error", "error-2", "error-9", "error-10", "error-a", "error-b-2", "paths"};
    enum { COUNT = sizeof names / sizeof *names };
    char folder[SCRATCH_PATH_SIZE], plots[300];
    assert_non_null(scratch_folder_new(folder, "hullbench-figures"));
    snprintf(plots, sizeof plots, "%s/plots", folder);
    assert_int_equal(mkdir(plots, 0700), 0);
    for (size_t i = 0; i < COUNT; i++)
        write_figure(folder, names[i], "", "<svg/>");
    struct pool *pool = pool_new();
    struct report report = report_of(pool, folder, NULL);
    assert_true(report_figures_read(&report, 0));
    assert_int_equal(report.figures.count, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        assert_string_equal(report.figures.item[i].name, names[i]);
        remove_figure(folder, names[i]);
    }
    pool_free(pool);
    rmdir(plots);
    rmdir(folder);
}

/* Two folders with two figures each and space for two: the first of both, not both of the first. */
static void every_folder_has_its_turn(void **state)
{
    (void)state;
    char svg[] = "<svg/>";
    struct report_figure two[4] = {{.folder = 0, .turn = 0, .svg = svg, .bytes = 10},
                                   {.folder = 0, .turn = 1, .svg = svg, .bytes = 10},
                                   {.folder = 1, .turn = 0, .svg = svg, .bytes = 10},
                                   {.folder = 1, .turn = 1, .svg = svg, .bytes = 90}};
    struct report report = {.figures = {two, 4, 4}};
    report_figures_choose(&report, 100);
    assert_int_equal(two[1].folder, 1);
    assert_true(two[0].embedded && two[1].embedded && two[2].embedded);
    assert_false(two[3].embedded); /* more than a tenth */
    assert_true(two[0].is_main && two[1].is_main); /* one of each folder */
    assert_false(two[2].is_main);
    for (size_t i = 0; i < 4; i++)
        two[i].bytes = 1;
    report_figures_choose(&report, 10);
    assert_true(two[2].embedded && two[3].embedded);
    struct report_figure many[14] = {{0}};
    for (size_t i = 0; i < 14; i++)
        many[i] = (struct report_figure){.folder = i > 11, .turn = i > 11 ? i - 12 : i, .svg = svg, .bytes = 1};
    report = (struct report){.figures = {many, 14, 14}};
    report_figures_choose(&report, 10);
    assert_true(many[3].folder == 1 && many[3].embedded && many[9].turn == 7 && many[9].embedded);
    assert_false(many[10].embedded || many[13].embedded);
}

static void a_picture_with_a_script_or_another_file_is_left_out(void **state)
{
    (void)state;
    static const char *const active[] = {
        "<svg><script>alert(1)</script></svg>", "<svg onload=\"alert(1)\"/>", "<svg><g ONCLICK = 'a'/></svg>",
        "<svg><a xlink:href='javascript:a'/></svg>", "<svg><use href='javascript:a'/></svg>",
        "<svg><use xlink:href='http://a/b.svg#c'/></svg>", "<svg><image xlink:href='http://a/b.png'/></svg>",
        "<svg><foreignObject/></svg>", "<svg><style>@import 'x'</style></svg>", "<svg><g fill='url(http://a)'/></svg>",
        "<svg><g style='fill: u\\72l(x)'/></svg>", "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg>&a;</svg>",
        "<?xml?><?xml-stylesheet href='a'?><svg/>", "<svg><x:script xmlns:x='http://www.w3.org/2000/svg'/></svg>",
        "<svg><animate attributeName='href' to='javascript:a'/></svg>", "<svg><![CDATA[<]]></svg>",
        "<svg><g a=b onload='c'/></svg>", "<svg><g a", "<svg/onload='c'>", "<html><svg/></html>"};
    static const char *const passive[] = {
        "<?xml version='1.0'?>\n<svg xmlns:xlink=\"http://www.w3.org/1999/xlink\"><use xlink:href='#a' id='b'/></svg>",
        "<svg><title>a &lt;script> onload=\"x\"</title><g fill='url(#a)'/></svg>",
        "<svg><image xlink:href='data:image/png;base64,AAAA'/></svg>"};
    enum { ACTIVE = sizeof active / sizeof *active, ALL = ACTIVE + sizeof passive / sizeof *passive };
    char folder[SCRATCH_PATH_SIZE], plots[300];
    assert_non_null(scratch_folder_new(folder, "hullbench-figures"));
    snprintf(plots, sizeof plots, "%s/plots", folder);
    assert_int_equal(mkdir(plots, 0700), 0);
    for (size_t i = 0; i < ALL; i++) {
        struct pool *pool = pool_new();
        struct report report = report_of(pool, folder, NULL);
        write_figure(folder, "a", "", i < ACTIVE ? active[i] : passive[i - ACTIVE]);
        report_figures_read(&report, 0);
        if ((report.figures.item[0].svg == NULL) != (i < ACTIVE) || report.notes.count != (i < ACTIVE))
            fail_msg("%s", i < ACTIVE ? active[i] : passive[i - ACTIVE]);
        pool_free(pool);
    }
    remove_figure(folder, "a");
    rmdir(plots);
    rmdir(folder);
}

/* harness/report/figures.c lists the kinds of figures by rank; a kind that is not listed comes last. */
static void only_the_kinds_of_sweeps_come_last(void **state)
{
    (void)state;
    char folder[SCRATCH_PATH_SIZE], plots[300];
    struct pool *pool = pool_new();
    assert_non_null(scratch_folder_new(folder, "hullbench-figures"));
    snprintf(plots, sizeof plots, "%s/plots", folder);
    assert_int_equal(mkdir(plots, 0700), 0);
    for (size_t k = 0; plot_kind_names[k]; k++)
        write_figure(folder, plot_kind_names[k], NULL, NULL);
    struct report report = report_of(pool, folder, NULL);
    report_figures_read(&report, 0);
    size_t last = 0;
    for (size_t i = 0; i < report.figures.count; i++)
        last = report.figures.item[i].rank > last ? report.figures.item[i].rank : last;
    for (size_t i = 0; i < report.figures.count; i++) {
        const struct report_figure *figure = &report.figures.item[i];
        const int is_of_sweeps = strcmp(figure->name, "heatmap") == 0 || strcmp(figure->name, "lines") == 0;
        if ((figure->rank == last) != is_of_sweeps)
            fail_msg("the rank of \"%s\" is %zu, the last is %zu", figure->name, figure->rank, last);
    }
    for (size_t k = 0; plot_kind_names[k]; k++)
        remove_figure(folder, plot_kind_names[k]);
    assert_int_equal(rmdir(plots), 0);
    assert_int_equal(rmdir(folder), 0);
    pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_with_a_script_or_another_file_is_left_out),
        cmocka_unit_test(every_folder_has_its_turn),
        cmocka_unit_test(parts_of_a_figure_are_in_the_order_of_their_numbers),
        cmocka_unit_test(figures_come_by_rank_with_their_texts_and_fill_the_room_there_is),
        cmocka_unit_test(only_the_kinds_of_sweeps_come_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
