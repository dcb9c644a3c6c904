/* SVGs made small show the same; which figures a report holds. */
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
#include "harness/report/figures.h"
#include "harness/report/svg.h"

static void assert_compact(const char *svg, const char *expected)
{
    char *small = svg_compact(svg);
    assert_non_null(small);
    assert_string_equal(small, expected);
    free(small);
}

static void what_draws_nothing_goes(void **state)
{
    (void)state;
    assert_compact("<?xml version=\"1.0\"?>\n<!-- c > d --><svg \n width=\"10\"  height='20' >\n<g a=\"b\">\n</g>\n"
                   "<g a=\"b\"><g c=\"d\"> </g></g><rect x=\"1\"/>\n</svg>\n",
                   "<svg width='10' height='20'><rect x='1'/></svg>");
    assert_compact(
        "<svg><defs><path id='a' d='M0,0'/><use xlink:href='#a' id='b'/><filter id='f'><x/></filter>"
        "<path id='c' d='z'/></defs><use xlink:href='#b'/></svg>",
        "<svg><defs><path id='a' d='M0,0'/><use xlink:href='#a' id='b'/></defs><use xlink:href='#b'/></svg>");
}

static void numbers_and_colours_are_short_and_names_are_left_alone(void **state)
{
    (void)state;
    assert_compact("<svg><path stroke = 'rgb( 64,  0, 255)' d='M80.00,412.46 L1316.99,4.1200  Z  '/><g id='x1.00' "
                   "class='a  b'><a/></g>"
                   "<use transform='translate(12.34,9.50) scale(4.540)' width='0.242' fill='#404040'/></svg>",
                   "<svg><path stroke='#4000ff' d='M80,412.5L1317,4.12Z'/><g id='x1.00' class='a  b'><a/></g>"
                   "<use transform='translate(12.3,9.5) scale(4.54)' width='0.242' fill='#404040'/></svg>");
}

static void neighbouring_groups_become_one_and_defaults_and_a_common_font_go(void **state)
{
    (void)state;
    assert_compact(
        "<svg><g s=\"1\" stroke-linecap=\"butt\"><a/></g>\n<g s=\"1\"><b font-family=\"F\"/></g><g s=\"2\"><c "
        "font-family=\"F\"/></g>"
        "<g id=\"i\"><d/></g><g id=\"i\"><e/></g></svg>",
        "<svg font-family='F'><g s='1'><a/><b/></g><g s='2'><c/></g><g id='i'><d/></g><g id='i'><e/></g></svg>");
    assert_compact("<svg><g stroke-linecap=\"butt\"><a font-family=\"F\"/></g><g stroke-linecap=\"round\"><b "
                   "font-family=\"G\"/></g></svg>",
                   "<svg><g stroke-linecap='butt'><a font-family='F'/></g><g stroke-linecap='round'><b "
                   "font-family='G'/></g></svg>");
}

static void texts_keep_their_spaces_and_the_first_title_stays(void **state)
{
    (void)state;
    assert_compact(
        "<svg><title>The  figure</title><g><title>name . \".dat\"</title><text>a  1.00 &lt; \"b\"<tspan x=\"1.00\" > "
        "c</tspan></text></g></svg>",
        "<svg><title>The  figure</title><g><text>a  1.00 &lt; \"b\"<tspan x='1.00'> c</tspan></text></g></svg>");
}

static void what_is_not_understood_stays_as_it_is(void **state)
{
    (void)state;
    static const char *const odd[] = {
        "<svg>stray text</svg>", "<svg a=b></svg>", "<svg a=\"b", "<svg><g a></g></svg>", "", "<"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        assert_compact(odd[i], odd[i]);
}

static void an_address_bears_every_byte(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    const char *svg = "<a b='#1' c=\"50%\">&lt;\n</a>";
    svg_write_uri(stream, svg);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(text, "\"data:image/svg+xml;charset=utf-8,%3Ca b='%231' c=%2250%25%22%3E&amp;lt;%20%3C/a%3E\"");
    assert_int_equal(svg_uri_bytes(svg), size);
    free(text);
    double width, height;
    svg_size("<?xml?><svg width='12.5' height=\"7\">", &width, &height);
    assert_true(width == 12.5 && height == 7);
    svg_size("<svg><rect width='3' height='4'/></svg>", &width, &height);
    assert_true(width == 0 && height == 0);
}

static void write_figure(const char *folder, const char *name, const char *program, const char *svg)
{
    char path[300];
    snprintf(path, sizeof path, "%s/plots/%s.gp", folder, name);
    assert_int_equal(file_write(path, program, strlen(program), NULL), STATUS_OK);
    snprintf(path, sizeof path, "%s/plots/%s.svg", folder, name);
    if (svg)
        assert_int_equal(file_write(path, svg, strlen(svg), NULL), STATUS_OK);
}

static void remove_figure(const char *folder, const char *name)
{
    static const char *const endings[] = {"gp", "svg"};
    char path[300];
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/plots/%s.%s", folder, name, endings[i]);
        unlink(path);
    }
}

static void figures_come_by_rank_with_their_texts_and_fill_the_room_there_is(void **state)
{
    (void)state;
    static const char *const names[] = {"heatmap-error-a", "error", "mine-b", "paper-scatter"};
    char folder[] = "/tmp/hullbench-figures-XXXXXX", plots[300];
    assert_non_null(mkdtemp(folder));
    snprintf(plots, sizeof plots, "%s/plots", folder);
    assert_int_equal(mkdir(plots, 0700), 0);
    write_figure(folder, names[0], "heading = \"A \\\"map\\\"\"\n", "<svg/>");
    write_figure(folder, names[1], "x\nheading = \"Error\"\ncaption = \"One,\\ntwo. \"\n", "<svg><a/></svg>");
    write_figure(folder, names[2], "", "<svg/>");
    write_figure(folder, names[3], "heading = \"S\"\n", NULL);
    cJSON *config = cJSON_Parse(
        "{\"plots\":[{\"kind\":\"profile\",\"name\":\"mine\"},{\"kind\":\"error\"},{\"kind\":\"heatmap\"}]}");
    struct report_figures figures;
    assert_int_equal(report_figures_read(folder, config, &figures, NULL), STATUS_OK);
    assert_int_equal(figures.count, 4);
    assert_string_equal(figures.items[0].name, "mine-b"); /* a profile; its heading is its name */
    assert_string_equal(figures.items[0].heading, "mine-b");
    assert_string_equal(figures.items[1].name, "paper-scatter");
    assert_null(figures.items[1].svg);
    assert_string_equal(figures.items[2].heading, "Error");
    assert_string_equal(figures.items[2].caption, "One, two.");
    assert_string_equal(figures.items[3].heading, "A \"map\"");
    struct report_figures *all = &figures;
    for (size_t i = 0; i < 4; i++)
        figures.items[i].bytes = figures.items[i].svg ? (i == 2 ? 15 : 10) : 0;
    report_figures_choose(&all, 1, 100);
    assert_true(figures.items[0].embedded && figures.items[3].embedded);
    assert_false(figures.items[1].embedded); /* no picture */
    assert_false(figures.items[2].embedded); /* more than a tenth */
    for (size_t i = 0; i < 4; i++)
        figures.items[i].bytes = 10;
    report_figures_choose(&all, 1, 100);
    assert_true(figures.items[2].embedded);
    report_figures_choose(&all, 1, 9);
    assert_false(figures.items[0].embedded);
    report_figures_free(&figures);
    cJSON_Delete(config);
    for (size_t i = 0; i < 4; i++)
        remove_figure(folder, names[i]);
    rmdir(plots);
    rmdir(folder);
}

/* Two folders with two figures each and room for two: the first of both, not both of the first. */
static void every_folder_has_its_turn(void **state)
{
    (void)state;
    char svg[] = "<svg/>";
    struct report_figure first[2] = {{.svg = svg, .bytes = 10}, {.svg = svg, .bytes = 10}};
    struct report_figure second[2] = {{.svg = svg, .bytes = 10}, {.svg = svg, .bytes = 90}};
    struct report_figures folders[2] = {{.items = first, .count = 2}, {.items = second, .count = 2}};
    struct report_figures *const all[] = {&folders[0], &folders[1]};
    report_figures_choose(all, 2, 100);
    assert_true(first[0].embedded && second[0].embedded && first[1].embedded);
    assert_false(second[1].embedded); /* more than a tenth */
    for (size_t i = 0; i < 2; i++)
        first[i].bytes = second[i].bytes = 1;
    report_figures_choose(all, 2, 10);
    assert_true(first[1].embedded && second[1].embedded);
    struct report_figure many[12] = {{0}};
    for (size_t i = 0; i < 12; i++)
        many[i] = (struct report_figure){.svg = svg, .bytes = 1};
    folders[0] = (struct report_figures){.items = many, .count = 12};
    report_figures_choose(all, 2, 10);
    assert_true(second[1].embedded && many[7].embedded);
    assert_false(many[8].embedded || many[11].embedded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_draws_nothing_goes),
        cmocka_unit_test(numbers_and_colours_are_short_and_names_are_left_alone),
        cmocka_unit_test(neighbouring_groups_become_one_and_defaults_and_a_common_font_go),
        cmocka_unit_test(texts_keep_their_spaces_and_the_first_title_stays),
        cmocka_unit_test(what_is_not_understood_stays_as_it_is),
        cmocka_unit_test(an_address_bears_every_byte),
        cmocka_unit_test(every_folder_has_its_turn),
        cmocka_unit_test(figures_come_by_rank_with_their_texts_and_fill_the_room_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
