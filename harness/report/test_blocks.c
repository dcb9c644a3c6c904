/* A page contains only the markup that its back end writes itself. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/report.h"
#include "harness/base/pool.h"

static char *text_out;
static size_t text_size;

static FILE *begin(void)
{
    FILE *stream = open_memstream(&text_out, &text_size);
    assert_non_null(stream);
    return stream;
}

static void end(FILE *stream, const char *expected)
{
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(text_out, expected);
    free(text_out);
}

static void texts_lose_all_that_is_markup(void **state)
{
    (void)state;
    FILE *stream = begin();
    html_text(stream, "<a href=\"x\" b='y'>&amp;</a>\n\tμ");
    end(stream, "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;\n\tμ");
}

/* A lone continuation byte, an overlong slash, a surrogate, a truncated character, a control character. */
static void bytes_that_are_no_utf8_are_replaced(void **state)
{
    (void)state;
    FILE *stream = begin();
    html_text(stream, "a\x80"
                      "b\xc0\xaf"
                      "c\xed\xa0\x80"
                      "d\xe2\x82");
    end(stream, "a\xef\xbf\xbd"
                "b\xef\xbf\xbd\xef\xbf\xbd"
                "c\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                "d\xef\xbf\xbd\xef\xbf\xbd");
    stream = begin();
    html_copy(stream, "<b>\x01", 4);
    end(stream, "<b>\xef\xbf\xbd");
    stream = begin();
    html_text(stream, "\x01\x1b\x7f"
                      "e\xf4\x8f\xbf\xbf");
    end(stream, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                "e\xf4\x8f\xbf\xbf");
}

static struct pool *pool;

static void ids_of_different_texts_differ_and_need_no_escaping(void **state)
{
    (void)state;
    assert_string_equal(html_id(pool, "why-", "lopez2011.table3/a b_c"), "why-lopez2011.table3_2fa_20b_5fc");
    assert_string_equal(html_id(pool, "", "a_20b\xc3"), "a_5f20b_c3");
    assert_string_equal(part_id(pool, "a b", "c"), "a_20b.c");
    assert_string_equal(part_id(pool, NULL, "c"), "c");
}

static void an_address_bears_every_byte(void **state)
{
    (void)state;
    const char *svg = "<a b='#1' c=\"50%\">&lt;\n</a>";
    const char *expected = "data:image/svg+xml;charset=utf-8,%3Ca b='%231' c=%2250%25%22%3E&amp;lt;%20%3C/a%3E";
    FILE *stream = begin();
    assert_int_equal(html_svg_uri(stream, svg), strlen(expected));
    assert_int_equal(html_svg_uri(NULL, svg), strlen(expected));
    end(stream, expected);
}

/* The page's HTML of one text, malloc'ed. */
static char *rendered(const char *text, enum source source)
{
    const struct report report = {.pool = pool};
    struct writer writer;
    FILE *stream = begin();
    writer_open(&writer, &report, stream, NULL, NULL);
    put_document(&writer, text, source);
    writer_flush(&writer);
    assert_int_equal(fclose(stream), 0);
    return text_out;
}

static void assert_rendered(const char *text, enum source source, const char *expected)
{
    char *html = rendered(text, source);
    assert_string_equal(html, expected);
    free(html);
}

static void markdown_becomes_html_with_ids_scopes_captions_and_deeper_headings(void **state)
{
    (void)state;
    assert_rendered("# One *x* & y: z\n\n## One x & y\n\nA `b` **c** [d](https://e/?f&g) [h](i.md) [j](#k).\n\n"
                    "| p | q |\n| --- | --: |\n| r | 1\\|2 |\n",
                    SOURCE_DEVIATIONS,
                    "<h3 id=\"One_20x_20_26_20y\">One x &amp; y: z</h3>\n<h4>One x &amp; y</h4>\n"
                    "<p>A <code>b</code> <strong>c</strong> "
                    "<a href=\"https://e/?f&amp;g\">d</a> h <a href=\"#k\">j</a>.</p>\n"
                    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"One x &amp; y\">\n"
                    "<table><caption>One x &amp; y</caption>\n"
                    "<thead>\n<tr><th scope=\"col\" class=\"t\">p</th><th scope=\"col\">q</th></tr>\n</thead>\n"
                    "<tbody>\n<tr><th scope=\"row\">r</th><td data-sort=\"1\">1|2</td></tr>\n</tbody>\n"
                    "</table></div>\n");
    assert_rendered("##### a\n", SOURCE_FOLDER, "<h6 id=\"a\">a</h6>\n");
}

static void markup_inside_markdown_stays_text(void **state)
{
    (void)state;
    char *html = rendered("<script>alert(1)</script>\n\n# <b>\n\n[x](javascript:alert(2)) ![<i>](http://y) &lt; "
                          "`<u>`\n\n"
                          "    <pre>\n\n![a](data:b)\n\n| <s> |\n| --- |\n| <s> |\n",
                          SOURCE_DEVIATIONS);
    static const char *const markup[] = {"<script", "<b>", "<i", "<u>", "<s>", "href", "data:"};
    for (size_t i = 0; i < sizeof markup / sizeof *markup; i++)
        assert_null(strstr(html, markup[i]));
    assert_non_null(strstr(html, "&lt;script&gt;"));
    assert_non_null(strstr(html, "<code>&lt;u&gt;</code>"));
    assert_non_null(strstr(html, "<pre tabindex=\"0\"><code>&lt;pre&gt;\n"));
    assert_non_null(strstr(html, "<p>a</p>"));
    free(html);
}

static void ids_in_backticks_become_places_once_each(void **state)
{
    (void)state;
    char *html = rendered("`a/b` and `a/b`, `c`, not a/d\n\n- `e/f&`: text\n", SOURCE_DEVIATIONS);
    assert_non_null(strstr(html, "<code id=\"why-a_2fb\">a/b</code> and <code>a/b</code>, <code>c</code>"));
    assert_non_null(strstr(html, "<li><code id=\"why-e_2ff_26\">e/f&amp;</code>: text</li>"));
    free(html);
    assert_rendered("`g/h`", SOURCE_TEXT, "<p><code>g/h</code></p>\n");
}

/* The number by which a cell of a document sorts. */
static void cells_sort_by_the_numbers_that_readers_see(void **state)
{
    (void)state;
    static const char *const cells[][2] = {{"−1.2·10⁵ ± 3", "-120000"}, {"3·10⁻² [1, 2]", "0.03"},
                                           {"∞ (0/40)", "Infinity"},      {"−∞", "-Infinity"},
                                           {"+5 %", "5"},                 {"-2e3", "-2000"},
                                           {"5580 ± 200", "5580"},        {"–", NULL},
                                           {"q = 2", NULL},               {"infinite", NULL},
                                           {"nan", NULL},                 {"", NULL}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        char text[100], expected[60];
        snprintf(text, sizeof text, "| a | b |\n| --- | --- |\n| c | %s |\n", cells[i][0]);
        snprintf(expected, sizeof expected, cells[i][1] ? "<td class=\"t\" data-sort=\"%s\">" : "<td class=\"t\">",
                 cells[i][1]);
        char *html = rendered(text, SOURCE_FOLDER);
        assert_non_null(strstr(html, expected));
        free(html);
    }
}

static struct result table_with_a_note(double number, const char *note)
{
    struct result table = {.pool = pool, .name = "t"};
    result_columns(&table, "a\t#b");
    result_text(&table, "x");
    result_number(&table, number);
    result_note(&table, "%s", note);
    return table;
}

static void a_page_has_each_note_and_a_folder_all(void **state)
{
    (void)state;
    for (int is_page = 0; is_page < 2; is_page++) {
        const struct report report = {.pool = pool};
        struct writer writer;
        FILE *stream = begin();
        writer_open(&writer, &report, is_page ? stream : NULL, NULL, is_page ? NULL : stream);
        put_heading(&writer, 3, "H");
        for (int i = 0; i < 2; i++)
            put_result(&writer, &(const struct result[]){table_with_a_note(i, "Said of both.")}[0]);
        writer_flush(&writer);
        assert_int_equal(fclose(stream), 0);
        const char *first = strstr(text_out, "Said of both.");
        assert_non_null(first);
        assert_int_equal(strstr(first + 1, "Said of both.") == NULL, is_page);
        assert_non_null(strstr(text_out, is_page ? "<h3 id=\"H\">H</h3>" : "### H\n\n"));
        free(text_out);
    }
}

/* The legend of two figures, and the link to the interactive page, which only that address gets. */
static void a_page_has_each_sentence_of_captions_once(void **state)
{
    (void)state;
    struct report_folder folder = {.label = "run"};
    const struct report report = {.pool = pool, .folders = &folder, .count = 1, .interactive = "r-interactive.html"};
    const struct report_figure figures[] = {
        {.heading = "A", .name = "a", .caption = "Bars: one deviation. Of 3 splits.", .svg = "<svg/>"},
        {.heading = "B", .name = "b", .caption = "Bars: one deviation. Of 4 splits.", .svg = "<svg/>"}};
    struct writer writer;
    FILE *stream = begin();
    writer_open(&writer, &report, stream, NULL, NULL);
    put_figure(&writer, &figures[0]);
    put_figure(&writer, &figures[1]);
    fputs("[i](r-interactive.html) [o](other.html)\n", writer.text);
    writer_flush(&writer);
    assert_int_equal(fclose(stream), 0);
    assert_non_null(strstr(text_out, "<strong>A.</strong> Bars: one deviation. Of 3 splits. <code>"));
    assert_non_null(strstr(text_out, "<strong>B.</strong> Of 4 splits. <code>"));
    assert_non_null(strstr(text_out, "<a href=\"r-interactive.html\">i</a> o</p>"));
    free(text_out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_lose_all_that_is_markup),
        cmocka_unit_test(bytes_that_are_no_utf8_are_replaced),
        cmocka_unit_test(ids_of_different_texts_differ_and_need_no_escaping),
        cmocka_unit_test(an_address_bears_every_byte),
        cmocka_unit_test(markdown_becomes_html_with_ids_scopes_captions_and_deeper_headings),
        cmocka_unit_test(markup_inside_markdown_stays_text),
        cmocka_unit_test(ids_in_backticks_become_places_once_each),
        cmocka_unit_test(cells_sort_by_the_numbers_that_readers_see),
        cmocka_unit_test(a_page_has_each_note_and_a_folder_all),
        cmocka_unit_test(a_page_has_each_sentence_of_captions_once),
    };
    pool = pool_new();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pool_free(pool);
    return failed;
}
