/* Text of files in messages: what is shown as it is, what as bytes, and where it ends. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "solvers/error.h"
#include "solvers/visible_text.h"

static void characters_that_a_reader_cannot_see_are_shown_as_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"\xef\xbb\xbf+1", "\\xEF\\xBB\\xBF+1"},          /* byte order mark */
        {"a\xe2\x80\x8b" "b", "a\\xE2\\x80\\x8Bb"},       /* zero-width space */
        {"\xe2\x80\xae" "1\xe2\x81\xa9", "\\xE2\\x80\\xAE1\\xE2\\x81\\xA9"}, /* right-to-left override, isolate */
        {"1\xc2\xa0" "2", "1\\xC2\\xA02"},                /* no-break space */
        {"\xf3\xa0\x81\x81", "\\xF3\\xA0\\x81\\x81"},     /* a tag */
        {"a\x1b[31m\a\r\n\t\x7f", "a\\x1B[31m\\x07\\x0D\\x0A\\x09\\x7F"},
        {"\xc2\x9b" "x", "\\xC2\\x9Bx"},                  /* a C1 control */
        {"\xff\xfe\x80\xc3", "\\xFF\\xFE\\x80\\xC3"},     /* not UTF-8 */
        {"\xed\xa0\x80\xc0\x80", "\\xED\\xA0\\x80\\xC0\\x80"}, /* a surrogate, an overlong form */
        {"\xef\xbf\xbf", "\\xEF\\xBF\\xBF"},              /* a noncharacter */
        {"\xc3\xbc \xe2\x88\x9a \xf0\x9f\x99\x82 a\\b", "\xc3\xbc \xe2\x88\x9a \xf0\x9f\x99\x82 a\\b"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char shown[100], again[100];
        struct error error;
        assert_string_equal(visible_text(cases[i].text, shown, sizeof shown), cases[i].shown);
        assert_string_equal(visible_text(shown, again, sizeof again), shown);
        error_set(&error, STATUS_BAD_INPUT, "%s!", cases[i].text);
        assert_int_equal(strlen(error.message), strlen(shown) + 1);
        assert_memory_equal(error.message, shown, strlen(shown));
    }
}

static void a_text_that_does_not_fit_ends_after_a_whole_character(void **state)
{
    (void)state;
    static const char text[] = "a\xc3\xa9\x01" "b", *const shown[] = {"", "", "a", "a", "a\xc3\xa9", "a\xc3\xa9",
                                                                     "a\xc3\xa9", "a\xc3\xa9", "a\xc3\xa9\\x01",
                                                                     ("a\xc3\xa9\\x01" "b")};
    for (size_t size = 1; size < sizeof shown / sizeof *shown; size++) {
        char out[10];
        memset(out, 'x', sizeof out);
        assert_string_equal(visible_text(text, out, size), shown[size]);
        for (size_t i = size; i < sizeof out; i++)
            assert_int_equal(out[i], 'x');
    }
}

static void an_error_may_quote_its_own_message(void **state)
{
    (void)state;
    struct error error = {STATUS_OK, "inner\n"};
    assert_int_equal(error_set(&error, STATUS_IO, "outer: %s", error.message), STATUS_IO);
    assert_string_equal(error.message, "outer: inner\\x0A");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_that_a_reader_cannot_see_are_shown_as_bytes),
        cmocka_unit_test(a_text_that_does_not_fit_ends_after_a_whole_character),
        cmocka_unit_test(an_error_may_quote_its_own_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
