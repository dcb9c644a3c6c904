/* UTF-8 as LaTeX: characters with a command, letters that LaTeX accepts, and all others by their code point. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "harness/format/markup.h"

static void check_written(const char *text, size_t length, int breakable, const char *expected)
{
    char *written = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&written, &size);
    assert_non_null(stream);
    latex_text(stream, text, length, breakable);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(written, expected);
    free(written);
}

static void what_latex_cannot_print_is_named_by_its_code_point(void **state)
{
    (void)state;
    static const struct {
        const char *text, *written;
    } cases[] = {
        {"a±b", "a$\\pm$b"},
        {"50 %", "50 \\%"},
        {"1† ≟", "1$^\\dagger$ $\\stackrel{?}{=}$"},
        {"\n", " "},
        {"\x1f", "{[}U+001F]"},
        {" ", " "},
        {"}", "\\}"},
        {"[*]", "{[}{*}]"},
        {"---`", "-{}-{}-`"},
        {"βΩ", "$\\beta$$\\Omega$"},
        {"\x7f", "{[}U+007F]"},
        {"\xc2\xbf", "{[}U+00BF]"},
        {"\xc3\x80", "\xc3\x80"},
        {"\xc5\xbf", "\xc5\xbf"},
        {"\xc6\x80", "{[}U+0180]"}, /* Latin letters */
        {"\xe2\x82\xac", "{[}U+20AC]"},
        {"\xf0\x9f\x98\x80", "{[}U+1F600]"},
        {"\x80", "{[}U+FFFD]"},
        {"\xc0", "{[}U+FFFD]"},
        {"\xc1x", "{[}U+FFFD]x"}, /* invalid first byte */
        {"\xc3x", "{[}U+FFFD]x"},
        {"\xe2\x82x", "{[}U+FFFD]x"},
        {"\xf0\x9fx", "{[}U+FFFD]x"}, /* invalid continuation */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_written(cases[i].text, strlen(cases[i].text), 0, cases[i].written);
}

static void lines_break_behind_the_signs_of_names_where_they_may(void **state)
{
    (void)state;
    check_written("a/b.c", 5, 1, "a/\\allowbreak{}b.\\allowbreak{}c");
    check_written("a/b.c", 5, 0, "a/b.c");
    check_written("p = 0.05, n = 1,000", 19, 1, "p $=$ 0.05,\\allowbreak{} n $=$ 1,000"); /* no break inside a number */
    check_written("a_b", 2, 1, "a\\_\\allowbreak{}"); /* not beyond the length */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_latex_cannot_print_is_named_by_its_code_point),
        cmocka_unit_test(lines_break_behind_the_signs_of_names_where_they_may),
    };
    return cmocka_run_group_tests_name("latex text", tests, NULL, NULL);
}
