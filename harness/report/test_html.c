/* The output of html.h and page_markdown.h contains only the markup that they write themselves. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/html.h"
#include "harness/base/pool.h"
#include "harness/report/page_markdown.h"

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

/* The page's HTML of one document. */
static char *rendered(struct page *page, const char *text, unsigned deeper, int places)
{
    page->stream = begin();
    page_markdown(page, "test", text, deeper, places);
    assert_int_equal(fclose(page->stream), 0);
    return text_out;
}

static void assert_rendered(const char *text, unsigned deeper, const char *expected)
{
    struct page page = {.pool = pool_new(), .n_tables = 6};
    char *html = rendered(&page, text, deeper, 0);
    assert_string_equal(html, expected);
    free(html);
    pool_free(page.pool);
}

static void markdown_becomes_html_with_ids_scopes_captions_and_deeper_headings(void **state)
{
    (void)state;
    assert_rendered("# One *x* & y: z\n\n## One x & y\n\nA `b` **c** [d](https://e/?f&g) [h](i.md) [j](#k).\n\n"
                    "| p | q |\n| --- | --: |\n| r | 1\\|2 |\n",
                    2,
                    "<h3 id=\"One_20x_20_26_20y\">One x &amp; y: z</h3>\n<h4>One x &amp; y</h4>\n"
                    "<p>A <code>b</code> <strong>c</strong> "
                    "<a href=\"https://e/?f&amp;g\">d</a> h <a href=\"#k\">j</a>.</p>\n"
                    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"caption-7\">\n"
                    "<table><caption id=\"caption-7\"><span>One x &amp; y</span></caption>\n"
                    "<thead>\n<tr>\n<th scope=\"col\">p</th>\n<th scope=\"col\" "
                    "align=\"right\">q</th>\n</tr>\n</thead>\n"
                    "<tbody>\n<tr>\n<th scope=\"row\">r</th>\n<td>1|2</td>\n</tr>\n</tbody>\n</table></div>\n");
    assert_rendered("##### a\n", 3, "<h6 id=\"a\">a</h6>\n");
}

static void markup_inside_markdown_stays_text(void **state)
{
    (void)state;
    struct page page = {.pool = pool_new()};
    char *html = rendered(&page,
                          "<script>alert(1)</script>\n\n# <b>\n\n[x](javascript:alert(2)) ![<i>](http://y) &lt; "
                          "`<u>`\n\n"
                          "    <pre>\n\n![a](data:b)\n\n| <s> |\n| --- |\n| <s> |\n",
                          0, 1);
    static const char *const markup[] = {"<script", "<b>", "<i", "<u>", "<s>", "href", "data:"};
    for (size_t i = 0; i < sizeof markup / sizeof *markup; i++)
        assert_null(strstr(html, markup[i]));
    assert_non_null(strstr(html, "&lt;script&gt;"));
    assert_non_null(strstr(html, "<code>&lt;u&gt;</code>"));
    assert_non_null(strstr(html, "<pre tabindex=\"0\"><code>&lt;pre&gt;\n"));
    assert_non_null(strstr(html, "<p>a</p>"));
    free(html);
    pool_free(page.pool);
}

static void ids_in_backticks_become_places_once_each(void **state)
{
    (void)state;
    struct page page = {.pool = pool_new()};
    char *html = rendered(&page, "`a/b` and `a/b`, `c`, not a/d\n\n- `e/f&`: text\n", 0, 1);
    assert_non_null(strstr(html, "<code id=\"why-a_2fb\">a/b</code> and <code>a/b</code>, <code>c</code>"));
    assert_non_null(strstr(html, "<li><code id=\"why-e_2ff_26\">e/f&amp;</code>: text</li>"));
    free(html);
    html = rendered(&page, "`g/h`", 0, 0);
    assert_string_equal(html, "<p><code>g/h</code></p>\n");
    free(html);
    pool_free(page.pool);
}

static void verdicts_get_their_colours_and_words(void **state)
{
    (void)state;
    struct page page = {.pool = pool_new()};
    char *html = rendered(&page,
                          "| a | b | c | d | e | f | g | h |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n"
                          "| 1 = | 1.5 ± 0.2† = | 2 [≠](#why-x) (3–50) | ✗ fails | – | a = b | 3 ≟ | 4 ? |\n",
                          0, 0);
    assert_non_null(strstr(html, "<th scope=\"row\">1 =</th>\n<td class=\"m\" title=\"agrees\">1.5 ± 0.2† =</td>\n"
                                 "<td class=\"d\" title=\"differs\">2 <a href=\"#why-x\">≠</a> (3–50)</td>\n"
                                 "<td class=\"d\" title=\"fails\">✗ fails</td>\n<td>–</td>\n<td class=\"t\">a = "
                                 "b</td>\n<td class=\"c\" title=\"compatible\">3 ≟</td>\n"
                                 "<td class=\"x\" title=\"undecidable\">4 ?</td>"));
    free(html);
    html = rendered(&page, "`==≈ –=?≟`, `=a`", 0, 0);
    assert_string_equal(html, "<p><code><span class=\"m\">==</span><span class=\"n\">≈</span><wbr>"
                              "<span class=\"x\">–</span><span class=\"m\">=</span><span class=\"x\">?</span>"
                              "<span class=\"c\">≟</span></code>, "
                              "<code>=a</code></p>\n");
    free(html);
    pool_free(page.pool);
}

static void a_quotation_with_a_bold_line_is_folded_and_no_other(void **state)
{
    (void)state;
    assert_rendered("> **2 of 3**\n>\n> - a\n", 0,
                    "<details><summary>2 of 3</summary>\n<ul>\n<li>a</li>\n</ul>\n</details>\n");
    assert_rendered("> **2** of\n", 0, "<blockquote>\n<p><strong>2</strong> of</p>\n</blockquote>\n");
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
        cmocka_unit_test(verdicts_get_their_colours_and_words),
        cmocka_unit_test(a_quotation_with_a_bold_line_is_folded_and_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
