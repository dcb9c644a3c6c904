/* Names as parts of file names: readable where they can be, never the same for two names, and of bounded length. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/file_name.h"

static void check_joined(const char *one, const char *two, const char *expected)
{
    char *name = file_name_join("f/", (const char *[]){one, two, NULL}, ".tsv");
    assert_non_null(name);
    assert_string_equal(name, expected);
    free(name);
}

static void usual_names_stay_and_other_bytes_are_written_in_hexadecimal(void **state)
{
    (void)state;
    check_joined("breast-cancer_2.x+Y", "1-smo", "f/breast-cancer_2.x+Y-1-smo.tsv");
    check_joined("a b", NULL, "f/a=20b.tsv");
    check_joined("a/../b", "\"%\xce\xb2\"", "f/a=2F..=2Fb-=22=25=CE=B2=22.tsv");
    check_joined(".a", ".b", "f/=2Ea-.b.tsv");
    check_joined("-a", "=\n", "f/=2Da-=3D=0A.tsv");
    check_joined("", NULL, "f/.tsv");
}

/* Every pair of names of up to two of these bytes, among them those of the escapes themselves. */
static void different_names_never_become_the_same_file(void **state)
{
    (void)state;
    static const char bytes[] = "=2D3E.-_aA b\xce\xb2%\x01";
    enum { BYTES = sizeof bytes, NAMES = BYTES * BYTES };
    static char *made[NAMES], names[NAMES][3];
    for (size_t i = 0; i < NAMES; i++) {
        snprintf(names[i], 3, "%.1s%.1s", &bytes[i / BYTES], &bytes[i % BYTES]);
        made[i] = file_name_join("", (const char *[]){names[i], NULL}, "");
        for (size_t j = 0; j < i; j++)
            assert_int_equal(strcmp(made[i], made[j]) == 0, strcmp(names[i], names[j]) == 0);
    }
    for (size_t i = 0; i < NAMES; i++)
        free(made[i]);
}

static void a_name_too_long_for_a_file_is_cut_and_gets_its_hash(void **state)
{
    (void)state;
    char text[232] = "";
    memset(text, 'x', 230);
    char *name = file_name_join("", (const char *[]){text, NULL}, "");
    assert_string_equal(name, text);
    free(name);
    text[230] = 'y';
    char *longer = file_name_join("", (const char *[]){text, NULL}, "");
    text[230] = 'z';
    char *other = file_name_join("", (const char *[]){text, NULL}, ".a");
    assert_int_equal(strlen(longer), 230);
    assert_int_equal(strncmp(longer + 212, "==", 2), 0);
    assert_int_equal(strncmp(longer, other, 214), 0);
    assert_int_not_equal(strncmp(longer, other, 230), 0);
    assert_string_equal(other + 230, ".a");
    free(longer);
    free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_names_stay_and_other_bytes_are_written_in_hexadecimal),
        cmocka_unit_test(different_names_never_become_the_same_file),
        cmocka_unit_test(a_name_too_long_for_a_file_is_cut_and_gets_its_hash),
    };
    return cmocka_run_group_tests_name("file names", tests, NULL, NULL);
}
