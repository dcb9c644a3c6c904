/*
 * After a kill or disk damage the journal either resumes with the written records or names the damaged line. It never
 * returns a record that was not written for that job.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "harness/base/die.h"
#include "harness/run/journal.h"
#include "tests/scratch_folder.h"

enum { JOBS = 6, WRITTEN = 4 };
static const struct fingerprint usual = {77, 1, 2, 3, "ab"};
static const size_t order[WRITTEN] = {4, 0, 5, 2}; /* order in which jobs finish */

struct opening {
    struct journal *journal;
    const char *path;
    const struct fingerprint *fingerprint;
    size_t jobs;
    int fresh;
};

static void open_it(void *data)
{
    struct opening *opening = data;
    opening->journal = journal_open(opening->path, opening->fingerprint, NULL, opening->jobs, opening->fresh);
}

static enum status try_open(struct journal **journal, const char *path, const struct fingerprint *fingerprint,
                            size_t jobs, int fresh, struct error *error)
{
    struct opening opening = {NULL, path, fingerprint, jobs, fresh};
    const enum status status = attempt(open_it, &opening, error);
    *journal = opening.journal;
    return status;
}

struct fixture {
    char folder[64], path[96];
    char *text; /* of the undamaged journal */
    size_t size;
};

static const char *record_of(size_t job, char *text, size_t size)
{
    snprintf(text, size,
             "{\"schema\":2,\"dataset\":\"d\",\"split\":1,\"split_source\":\"fold\",\"solver\":\"s\","
             "\"params\":{\"job\":%zu},"
             "\"kernel\":{},\"stop\":{},\"outcome\":\"converged\",\"iterations\":%zu}",
             job, 100 + job);
    return text;
}

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct journal *journal;
    char text[256];
    assert_non_null(fixture);
    assert_non_null(scratch_folder_new(fixture->folder, "test-journal"));
    snprintf(fixture->path, sizeof fixture->path, "%s/journal.jsonl", fixture->folder);
    assert_int_equal(try_open(&journal, fixture->path, &usual, JOBS, 0, NULL), STATUS_OK);
    for (size_t i = 0; i < WRITTEN; i++) {
        const struct timing timing = {0.25 * (double)i,
                                      {i % 2 ? 5 : 0, 0.25, 0.125, 0.5, 0.0625},
                                      {.iterations = i},
                                      77};
        const struct journal_entry entry = {.record = record_of(order[i], text, sizeof text), .timing = timing};
        assert_int_equal(journal_append(journal, order[i], &entry, NULL), STATUS_OK);
    }
    journal_close(journal);
    fixture->text = read_file(fixture->path, &fixture->size);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    remove(fixture->path);
    rmdir(fixture->folder);
    free(fixture->text);
    free(fixture);
    return 0;
}

static void put(const struct fixture *fixture, const char *text, size_t size)
{
    remove(fixture->path); /* file_write, or truncating the file, would wait for the disk thousands of times */
    FILE *file = fopen(fixture->path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* Checks that every record in the journal is the one written for its job; returns their number. */
static size_t check_records(struct journal *journal)
{
    const struct journal_entry *entries = journal_entries(journal);
    size_t held = 0;
    char text[256];
    for (size_t job = 0; job < JOBS; job++) {
        if (!entries[job].record)
            continue;
        assert_string_equal(entries[job].record, record_of(job, text, sizeof text));
        assert_true(job != 1 && job != 3); /* never written */
        held++;
    }
    assert_int_equal(journal_done(journal), held);
    return held;
}

static size_t lines_before(const char *text, size_t size)
{
    size_t lines = 0;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    return lines;
}

static void what_was_appended_is_there_after_opening_again(void **state)
{
    struct fixture *fixture = *state;
    struct journal *journal;
    assert_int_equal(try_open(&journal, fixture->path, &usual, JOBS, 0, NULL), STATUS_OK);
    assert_int_equal(check_records(journal), WRITTEN);
    assert_true(journal_entries(journal)[5].timing.seconds == 0.5);
    assert_int_equal(journal_entries(journal)[5].timing.cpu.repeats, 0);
    const struct timing *repeated = &journal_entries(journal)[2].timing;
    assert_true(repeated->seconds == 0.75);
    assert_int_equal(repeated->cpu.repeats, 5);
    assert_true(repeated->cpu.median == 0.25 && repeated->cpu.min == 0.125 && repeated->cpu.max == 0.5);
    assert_true(repeated->cpu.spread == 0.0625);
    journal_close(journal);
}

static void a_journal_cut_at_any_byte_keeps_the_whole_lines_and_goes_on(void **state)
{
    struct fixture *fixture = *state;
    for (size_t cut = 0; cut < fixture->size; cut++) {
        struct journal *journal;
        struct error error = {0};
        size_t whole = lines_before(fixture->text, cut);
        put(fixture, fixture->text, cut);
        assert_int_equal(try_open(&journal, fixture->path, &usual, JOBS, 0, &error), STATUS_OK);
        assert_int_equal(check_records(journal), whole ? whole - 1 : 0); /* the first line is the header */
        char text[256];
        const struct journal_entry entry = {.record = record_of(2, text, sizeof text), .timing = {.seconds = 1}};
        assert_int_equal(journal_append(journal, 2, &entry, NULL), STATUS_OK);
        journal_close(journal);
        assert_int_equal(try_open(&journal, fixture->path, &usual, JOBS, 0, &error), STATUS_OK);
        check_records(journal);
        assert_non_null(journal_entries(journal)[2].record);
        journal_close(journal);
    }
}

static void a_changed_byte_is_named_by_its_line_or_only_costs_the_last_line(void **state)
{
    struct fixture *fixture = *state;
    char *text = malloc(fixture->size);
    static const char others[] = {'\0', '\n', '1', '9', ' ', 'x', '}', '"'};
    assert_non_null(text);
    size_t refused = 0, first = strcspn(fixture->text, "\n") + 1;
    for (size_t at = 0; at < fixture->size; at++) {
        for (size_t o = 0; o < sizeof others; o++) {
            if (fixture->text[at] == others[o])
                continue;
            struct journal *journal = NULL;
            struct error error = {0};
            char line[32];
            memcpy(text, fixture->text, fixture->size);
            text[at] = others[o];
            put(fixture, text, fixture->size);
            enum status status = try_open(&journal, fixture->path, &usual, JOBS, 0, &error);
            if (status == STATUS_OK) {
                size_t held = check_records(journal);
                /* a removed newline also damages the next line */
                assert_true(held + 2 >= WRITTEN);
            } else {
                assert_int_equal(status, STATUS_BAD_INPUT);
                snprintf(line, sizeof line, ":%zu: ", lines_before(fixture->text, at) + 1);
                assert_true(at < first || strstr(error.message, line) != NULL);
                refused++;
            }
            if (journal)
                journal_close(journal);
        }
    }
    free(text);
    assert_true(refused > 100); /* damage is refused except in the last line */
}

static void lines_in_another_order_or_twice_give_the_same_records(void **state)
{
    struct fixture *fixture = *state;
    struct journal *journal;
    char *text = malloc(2 * fixture->size);
    assert_non_null(text);
    size_t header = strcspn(fixture->text, "\n") + 1;
    memcpy(text, fixture->text, fixture->size);
    memcpy(text + fixture->size, fixture->text + header, fixture->size - header);
    put(fixture, text, 2 * fixture->size - header);
    free(text);
    assert_int_equal(try_open(&journal, fixture->path, &usual, JOBS, 0, NULL), STATUS_OK);
    assert_int_equal(check_records(journal), WRITTEN);
    journal_close(journal);
}

static void check_refused(const struct fixture *fixture, const struct fingerprint *fingerprint, size_t jobs,
                          const char *says)
{
    struct journal *journal;
    struct error error = {0};
    assert_int_equal(try_open(&journal, fixture->path, fingerprint, jobs, 0, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, fixture->path));
    assert_non_null(strstr(error.message, says));
    assert_null(journal);
}

static void a_journal_of_another_run_is_refused_by_what_differs_and_left_alone(void **state)
{
    struct fixture *fixture = *state;
    char *text = NULL;
    check_refused(fixture, &(struct fingerprint){78, 9, 2, 3, "ab"}, JOBS, "another run (another configuration);");
    check_refused(fixture, &(struct fingerprint){78, 1, 9, 3, "ab"}, JOBS, "another run (other options);");
    check_refused(fixture, &(struct fingerprint){78, 1, 9, 9, "ab"}, JOBS,
                  "another run (other options, other data or plugins);");
    check_refused(fixture, &(struct fingerprint){78, 1, 2, 3, "ab"}, JOBS, "another run (another version);");
    check_refused(fixture, &(struct fingerprint){77, 1, 2, 3, "ac"}, JOBS,
                  "another run (another build of the program);");
    check_refused(fixture, &usual, JOBS + 1, "another run (another number of jobs);");
    text = read_file(fixture->path, NULL);
    assert_string_equal(text, fixture->text);
    free(text);
}

static void a_program_that_is_not_known_is_not_compared(void **state)
{
    struct fixture *fixture = *state;
    struct journal *journal;
    const struct fingerprint unknown = {77, 1, 2, 3, NULL};
    assert_int_equal(try_open(&journal, fixture->path, &unknown, JOBS, 0, NULL), STATUS_OK);
    assert_int_equal(check_records(journal), WRITTEN);
    journal_close(journal);
}

static void opened_afresh_it_holds_nothing(void **state)
{
    struct fixture *fixture = *state;
    struct journal *journal;
    assert_int_equal(try_open(&journal, fixture->path, &(struct fingerprint){78, 9, 9, 9, "x"}, 2, 1, NULL),
                     STATUS_OK);
    assert_int_equal(journal_done(journal), 0);
    journal_close(journal);
}

static void the_hash_is_that_of_fowler_noll_and_vo(void **state)
{
    (void)state;
    /* published values of the 64-bit FNV-1a of "" and "a" */
    assert_true(fnv(FNV_START, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(fnv(FNV_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
}

#define JOURNAL_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        JOURNAL_TEST(what_was_appended_is_there_after_opening_again),
        JOURNAL_TEST(a_journal_cut_at_any_byte_keeps_the_whole_lines_and_goes_on),
        JOURNAL_TEST(a_changed_byte_is_named_by_its_line_or_only_costs_the_last_line),
        JOURNAL_TEST(lines_in_another_order_or_twice_give_the_same_records),
        JOURNAL_TEST(a_journal_of_another_run_is_refused_by_what_differs_and_left_alone),
        JOURNAL_TEST(a_program_that_is_not_known_is_not_compared),
        JOURNAL_TEST(opened_afresh_it_holds_nothing),
        cmocka_unit_test(the_hash_is_that_of_fowler_noll_and_vo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
