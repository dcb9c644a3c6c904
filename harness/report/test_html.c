/* What comes out of html.h and markdown.h can be no markup but what they write themselves. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/html.h"
#include "harness/report/markdown.h"

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
    stream = begin();
    html_format(stream, "%s %d", "<", 3);
    end(stream, "&lt; 3");
}

/* A lone continuation byte, an overlong slash, a surrogate, a cut character, a control character. */
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
    html_text(stream, "\x01\x1b\x7f"
                      "e\xf4\x8f\xbf\xbf");
    end(stream, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                "e\xf4\x8f\xbf\xbf");
}

static void ids_of_different_texts_differ_and_need_no_escaping(void **state)
{
    (void)state;
    FILE *stream = begin();
    html_id(stream, "why-", "lopez2011.table3/a b_c");
    end(stream, "why-lopez2011.table3_2fa_20b_5fc");
    stream = begin();
    html_id(stream, "", "a_20b");
    end(stream, "a_5f20b");
}

static char *rendered(struct markdown *markdown, const char *text)
{
    FILE *stream = begin();
    assert_int_equal(markdown_write(markdown, "test", text, stream, NULL), STATUS_OK);
    assert_int_equal(fclose(stream), 0);
    return text_out;
}

static void markdown_becomes_html_with_scopes_captions_and_levels_without_gaps(void **state)
{
    (void)state;
    size_t tables = 7;
    struct markdown markdown = {.top_level = 3, .tables = &tables, .table_class = "c"};
    char *html = rendered(&markdown, "# One *x*\n\n### Deep\n\nA `b` **c** [d](https://e/?f&g) [h](i.md).\n\n"
                                     "| p | q |\n| --- | --: |\n| r | s\\|t |\n");
    assert_string_equal(html, "<h3>One x</h3>\n<h4>Deep</h4>\n<p>A <code>b</code> <strong>c</strong> "
                              "<a href=\"https://e/?f&amp;g\">d</a> h (i.md).</p>\n"
                              "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"caption-7\">\n"
                              "<table class=\"c\"><caption id=\"caption-7\"><span>Deep</span></caption>\n"
                              "<thead><tr><th scope=\"col\">p</th><th scope=\"col\">q</th></tr>\n</thead>\n"
                              "<tbody><tr><th scope=\"row\">r</th><td>s|t</td></tr>\n</tbody>\n</table></div>\n");
    assert_int_equal(tables, 8);
    free(html);
}

static void markup_inside_markdown_stays_text(void **state)
{
    (void)state;
    size_t tables = 0;
    struct markdown markdown = {.top_level = 2, .tables = &tables, .table_class = "c"};
    char *html = rendered(
        &markdown, "<script>alert(1)</script>\n\n# <b>\n\n[x](javascript:alert(2)) ![<i>](http://y) &lt; `<u>`\n\n"
                   "    <pre>\n");
    assert_null(strstr(html, "<script"));
    assert_null(strstr(html, "<b>"));
    assert_null(strstr(html, "<i"));
    assert_null(strstr(html, "<u>"));
    assert_null(strstr(html, "href"));
    assert_non_null(strstr(html, "&lt;script&gt;"));
    assert_non_null(strstr(html, "<code>&lt;u&gt;</code>"));
    assert_non_null(strstr(html, "<pre><code>&lt;pre&gt;\n"));
    free(html);
}

static void ids_in_backticks_become_places_once_each(void **state)
{
    (void)state;
    size_t tables = 0;
    struct markdown markdown = {.top_level = 2, .id_prefix = "why-", .tables = &tables, .table_class = "c"};
    char *html = rendered(&markdown, "`a/b` and `a/b`, `c`, not a/d\n\n- `e/f`: text\n");
    assert_non_null(strstr(html, "<code id=\"why-a_2fb\">a/b</code> and <code>a/b</code>, <code>c</code>"));
    assert_non_null(strstr(html, "<li><code id=\"why-e_2ff\">e/f</code>: text</li>"));
    assert_int_equal(markdown.n_anchors, 2);
    assert_true(markdown_has_anchor(&markdown, "a/b") && markdown_has_anchor(&markdown, "e/f"));
    assert_false(markdown_has_anchor(&markdown, "a/d") || markdown_has_anchor(&markdown, "c"));
    markdown_free(&markdown);
    free(html);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_lose_all_that_is_markup),
        cmocka_unit_test(bytes_that_are_no_utf8_are_replaced),
        cmocka_unit_test(ids_of_different_texts_differ_and_need_no_escaping),
        cmocka_unit_test(markdown_becomes_html_with_scopes_captions_and_levels_without_gaps),
        cmocka_unit_test(markup_inside_markdown_stays_text),
        cmocka_unit_test(ids_in_backticks_become_places_once_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
