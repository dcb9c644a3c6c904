/* Names as parts of file names: readable where they can be, never the same for two names, and of bounded length. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "harness/support/file.h"

static void check_joined(const char *one, const char *two, const char *expected)
{
    struct pool *pool = pool_new();
    assert_string_equal(file_name_join(pool, "f/", (const char *[]){one, two, NULL}, ".tsv"), expected);
    pool_free(pool);
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
    static const char *made[NAMES];
    static char names[NAMES][3];
    struct pool *pool = pool_new();
    for (size_t i = 0; i < NAMES; i++) {
        snprintf(names[i], 3, "%.1s%.1s", &bytes[i / BYTES], &bytes[i % BYTES]);
        made[i] = file_name_join(pool, "", (const char *[]){names[i], NULL}, "");
        for (size_t j = 0; j < i; j++)
            assert_int_equal(strcmp(made[i], made[j]) == 0, strcmp(names[i], names[j]) == 0);
    }
    pool_free(pool);
}

static void a_name_too_long_for_a_file_is_cut_and_gets_its_hash(void **state)
{
    (void)state;
    char text[232] = "";
    memset(text, 'x', 230);
    struct pool *pool = pool_new();
    assert_string_equal(file_name_join(pool, "", (const char *[]){text, NULL}, ""), text);
    text[230] = 'y';
    const char *longer = file_name_join(pool, "", (const char *[]){text, NULL}, "");
    text[230] = 'z';
    const char *other = file_name_join(pool, "", (const char *[]){text, NULL}, ".a");
    assert_int_equal(strlen(longer), 230);
    assert_int_equal(strncmp(longer + 212, "==", 2), 0);
    assert_int_equal(strncmp(longer, other, 214), 0);
    assert_int_not_equal(strncmp(longer, other, 230), 0);
    assert_string_equal(other + 230, ".a");
    pool_free(pool);
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
