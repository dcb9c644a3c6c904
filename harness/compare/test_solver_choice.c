/* Names of solvers with settings: parsed as given, and matched with records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/base/die.h"
#include "harness/compare/solver_choice.h"
#include "tests/read_run.h"
#include "tests/scratch_folder.h"

static struct pool *pool; /* of all choices */

static void lists_are_split_outside_brackets(void **state)
{
    (void)state;
    const struct solver_choices choices =
        solver_choices_read(pool, "--solver", "away-fw[lazy=2,start=zero],clip-mdm,gsk[mu=0.1]");
    assert_int_equal(choices.count, 3);
    assert_string_equal(choices.items[0].text, "away-fw[lazy=2,start=zero]");
    assert_string_equal(choices.items[0].name, "away-fw");
    assert_int_equal(choices.items[0].n_settings, 2);
    assert_string_equal(choices.items[0].settings[0].name, "lazy");
    assert_string_equal(choices.items[0].settings[0].value, "2");
    assert_string_equal(choices.items[0].settings[1].name, "start");
    assert_string_equal(choices.items[0].settings[1].value, "zero");
    assert_string_equal(choices.items[1].text, "clip-mdm");
    assert_int_equal(choices.items[1].n_settings, 0);
    assert_string_equal(choices.items[2].name, "gsk");
}

static void read_list(void *list)
{
    solver_choices_read(pool, "--against", list);
}

static void what_is_no_choice_is_quoted(void **state)
{
    static const char *const bad[][2] = {{"", "\"\" does not name a solver"},
                                         {"a,,b", "\"\" does not name a solver"},
                                         {"a,[x=1]", "\"[x=1]\" does not name a solver"},
                                         {"a[x=1", "\"a[x=1\" has unmatched brackets"},
                                         {"a]x=1[", "\"a]x=1[\" has unmatched brackets"},
                                         {"a[x=1]b", "\"a[x=1]b\" has unmatched brackets"},
                                         {"a[[x=1]", "\"a[[x=1]\" has unmatched brackets"},
                                         {"a[x]", "\"x\" in \"a[x]\" is not SETTING=VALUE"},
                                         {"a[x=]", "\"x=\" in \"a[x=]\""},
                                         {"a[]", "\"\" in \"a[]\""},
                                         {"a[x=1,]", "\"\" in \"a[x=1,]\""},
                                         {"a[x=1,x=2]", "\"a[x=1,x=2]\" has x twice"},
                                         {"a,b,a", "\"a\" occurs twice"}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char list[40];
        struct error error = {0};
        snprintf(list, sizeof list, "%s", bad[i][0]);
        assert_int_equal(attempt(read_list, list, &error), STATUS_BAD_INPUT);
        assert_true(strncmp(error.message, "--against: ", strlen("--against: ")) == 0);
        assert_non_null(strstr(error.message, bad[i][1]));
    }
}

/* Reads a file with five records of two solvers. */
static void read_records(struct record_file *file)
{
    static const char *const solvers[] = {"a", "a", "a", "a", "b"};
    static const char *const params[] = {"{\"mu\":0.1,\"start\":\"zero\"}", "{\"mu\":0.5,\"start\":\"zero\"}",
                                         "{\"mu\":0.1,\"start\":\"first\"}", "{\"mu\":0.25,\"start\":\"first\"}",
                                         "{\"mu\":0.1}"};
    char path[SCRATCH_PATH_SIZE];
    struct error error = {0};
    assert_int_equal(scratch_file_new(path, "hullbench-choice"), 0);
    FILE *stream = fopen(path, "w");
    for (int i = 0; i < 5; i++)
        fprintf(stream,
                "{\"schema\":1,\"config\":\"made\",\"dataset\":\"heart\",\"split\":1,\"split_source\":\"official\","
                "\"solver\":\"%s\",\"params\":%s,\"kernel\":{\"type\":\"rbf\",\"width\":2},"
                "\"stop\":{\"rule\":\"kkt\",\"tolerance\":0.001},\"outcome\":\"converged\"}\n",
                solvers[i], params[i]);
    fclose(stream);
    assert_int_equal(try_records(path, file, &error), STATUS_OK);
    remove(path);
}

/* A choice of records of a file. */
struct choosing {
    const struct record_file *file;
    const char *text;
    struct records chosen;
};

static void choose(void *context)
{
    struct choosing *choosing = context;
    const struct solver_choices choices = solver_choices_read(pool, "--solver", choosing->text);
    choosing->chosen =
        solver_choice_select(pool, "--solver", "results/x", &choices.items[0], &choosing->file->records);
}

static void the_records_with_all_settings_are_chosen(void **state)
{
    static const struct {
        const char *text;
        const char *indices;
    } cases[] = {{"a", "0123"},          {"b", "4"},           {"a[mu=0.1]", "02"},
                 {"a[mu=1e-1]", "02"},   {"a[start=zero]", "01"}, {"a[start=first,mu=0.25]", "3"},
                 {"a[width=2,tolerance=0.001,mu=0.5]", "1"}};
    struct record_file file;
    (void)state;
    read_records(&file);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct choosing choosing = {&file, cases[c].text, {0}};
        choose(&choosing);
        assert_int_equal(choosing.chosen.count, strlen(cases[c].indices));
        for (size_t i = 0; i < choosing.chosen.count; i++)
            assert_ptr_equal(choosing.chosen.items[i], file.records.items[cases[c].indices[i] - '0']);
    }
    pool_free(file.pool);
}

static void what_the_folder_has_is_listed_where_nothing_is_chosen(void **state)
{
    static const char *const cases[][2] = {
        {"c", "--solver: results/x: solver: unknown solver \"c\"; did you mean"},
        {"a[C=3]", "--solver: results/x: where: unknown setting \"C\""},
        {"a[mu=0.3]", "where.mu: 0.3 matches none of the remaining 4 records of a; they have: 0.1, 0.5, 0.25"},
        {"a[start=last,mu=0.1]", "where.start: \"last\" matches none of the remaining 4 records of a; they have: "},
        {"a[start=first,mu=0.5]", "where.mu: 0.5 matches none of the remaining 2 records of a; they have: 0.1, 0.25"},
        {"b[start=zero]", "null in a list keeps the 1 records without it"}};
    struct record_file file;
    (void)state;
    read_records(&file);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct choosing choosing = {&file, cases[c][0], {0}};
        struct error error = {0};
        assert_int_equal(attempt(choose, &choosing, &error), STATUS_BAD_INPUT);
        if (!strstr(error.message, cases[c][1]))
            fail_msg("%s", error.message);
        assert_int_equal(choosing.chosen.count, 0);
    }
    pool_free(file.pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_split_outside_brackets),
        cmocka_unit_test(what_is_no_choice_is_quoted),
        cmocka_unit_test(the_records_with_all_settings_are_chosen),
        cmocka_unit_test(what_the_folder_has_is_listed_where_nothing_is_chosen),
    };
    pool = pool_new();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pool_free(pool);
    return failed;
}
