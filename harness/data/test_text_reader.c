/* Lines with every chunk size, the limits on lines, and data sets that are the same for every chunk size and
 * compression. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/data/dataset_text.h"
#include "harness/support/file.h"
#include "tests/scratch_folder.h"

static char path[SCRATCH_PATH_SIZE];

static int make_path(void **state)
{
    (void)state;
    return scratch_file_new(path, "test-text-reader");
}

static int remove_path(void **state)
{
    (void)state;
    return remove(path);
}

static struct input_stream *open_bytes(const char *bytes, size_t size)
{
    file_write(path, bytes, size);
    return input_open(path, &(struct input_options){0});
}

struct lines {
    struct text_reader reader;
    const char *bytes;
    size_t size;
    char *text;
};

static void read_lines(void *data)
{
    struct lines *lines = data;
    size_t length, used = 0;
    struct pool *pool = pool_new();
    struct input_stream *stream = open_bytes(lines->bytes, lines->size);
    text_reader_open(&lines->reader, pool, stream);
    while (text_reader_whole_line(&lines->reader, &length)) {
        assert_int_equal(strlen(lines->reader.start), length);
        used += (size_t)sprintf(lines->text + used, "%zu[%s]", lines->reader.line, lines->reader.start);
    }
    input_close(stream);
    pool_free(pool);
}

/* The lines of the bytes, each in brackets, from a reader with these members set; *error if it fails. */
static enum status lines_of(struct text_reader reader, const char *bytes, size_t size, char *text, struct error *error)
{
    struct lines lines = {reader, bytes, size, text};
    text[0] = '\0';
    return attempt(read_lines, &lines, error);
}

static void lines_are_the_same_at_chunks_of_every_size(void **state)
{
    (void)state;
    static const char text[] = "first\n\nthird line\r\n\r\r a longer line with many words\rlast";
    for (size_t chunk = 1; chunk < 70; chunk++) {
        const struct text_reader reader = {.chunk = chunk};
        char lines[200];
        struct error error;
        assert_int_equal(lines_of(reader, text, strlen(text), lines, &error), STATUS_OK);
        assert_string_equal(lines, "1[first]2[]3[third line]4[]5[]6[ a longer line with many words]7[last]");
    }
}

static void a_carriage_return_ends_a_comment_and_the_last_line(void **state)
{
    (void)state;
    static const char text[] = "a # b\rc\r\n#\r\rd # e\r";
    for (size_t chunk = 1; chunk < 30; chunk++) {
        struct text_reader reader = {.blanks = " ", .has_comments = 1, .needs_newline = 1, .chunk = chunk};
        struct pool *pool = pool_new();
        char words[100] = "", *word;
        struct input_stream *stream = open_bytes(text, strlen(text));
        text_reader_open(&reader, pool, stream);
        while ((word = text_reader_line(&reader)))
            sprintf(words + strlen(words), "%zu:%s ", reader.line, word);
        assert_string_equal(words, "1:a 2:c 5:d ");
        input_close(stream);
        pool_free(pool);
    }
}

static void words_and_comments_are_the_same_at_chunks_of_every_size(void **state)
{
    (void)state;
    static const char text[] = "\xef\xbb\xbf" "a  bb # c\n#\n\t \n ccc\tdd";
    for (size_t chunk = 1; chunk < 40; chunk++) {
        struct text_reader reader = {.blanks = " \t", .has_comments = 1, .chunk = chunk};
        struct pool *pool = pool_new();
        char words[100] = "", *word;
        struct input_stream *stream = open_bytes(text, strlen(text));
        text_reader_open(&reader, pool, stream);
        while ((word = text_reader_line(&reader)))
            for (; word; word = text_reader_word(&reader))
                sprintf(words + strlen(words), "%zu:%zu:%s ", reader.line, text_reader_place(&reader, word).column,
                        word);
        assert_string_equal(words, "1:4:a 1:7:bb 4:2:ccc 4:6:dd ");
        input_close(stream);
        pool_free(pool);
    }
}

static void a_line_may_have_as_many_bytes_as_the_limit_and_no_more(void **state)
{
    (void)state;
    enum { LIMIT = 20 };
    for (size_t chunk = 1; chunk < 50; chunk++)
        for (int newline = 0; newline < 2; newline++)
            for (size_t size = LIMIT - 1; size <= LIMIT + 1; size++) {
                const struct text_reader reader = {.chunk = chunk, .line_max = LIMIT};
                char text[64] = "ab\n", lines[200];
                struct error error = {STATUS_OK, ""};
                memset(text + 3, 'x', size);
                strcpy(text + 3 + size, newline ? "\nyz\n" : "");
                enum status status = lines_of(reader, text, strlen(text), lines, &error);
                assert_int_equal(status, size <= LIMIT ? STATUS_OK : STATUS_BAD_INPUT);
                if (size > LIMIT)
                    assert_string_equal(error.message + strlen(path),
                                        ":2:1: the line is too long; allowed: at most 20 bytes");
            }
}

static void a_last_line_that_needs_its_newline_is_refused_without(void **state)
{
    (void)state;
    const struct text_reader reader = {.needs_newline = 1, .chunk = 2};
    char lines[64];
    struct error error;
    assert_int_equal(lines_of(reader, "a\nb\n", 4, lines, &error), STATUS_OK);
    assert_int_equal(lines_of(reader, "", 0, lines, &error), STATUS_OK);
    assert_int_equal(lines_of(reader, "a\nb", 3, lines, &error), STATUS_BAD_INPUT);
    assert_string_equal(error.message + strlen(path), ":2:2: the file ends within this line, so it is cut off");
}

static void a_zero_byte_ends_reading_where_it_stands(void **state)
{
    (void)state;
    for (size_t chunk = 1; chunk < 20; chunk++) {
        const struct text_reader reader = {.chunk = chunk};
        char lines[64];
        struct error error;
        assert_int_equal(lines_of(reader, "a\nbc\0d\ne", 8, lines, &error), STATUS_BAD_INPUT);
        assert_string_equal(lines, "1[a]");
        assert_string_equal(error.message + strlen(path), ":2:3: zero byte: not a text file");
    }
}

struct loading {
    struct pool *pool;
    const char *format;
    struct labelled_table *table;
};

static void load_table(void *data)
{
    struct loading *loading = data;
    const struct input_options options = {.chunk = 0};
    struct label_set labels = {.pool = loading->pool};
    struct input_stream *stream = input_open(path, &options);
    const struct dataset_spec set = {.format = loading->format};
    const struct table_form form = {.set = &set};
    struct labelled_table *table = labelled_table_new(loading->pool);
    labelled_table_add(table, stream, &form, &labels);
    labelled_table_finish(table);
    loading->table = table;
    input_close(stream);
}

/* The table of the file, in a pool of its own; after an error NULL. */
static enum status load(const char *format, struct labelled_table **table, struct error *error)
{
    struct loading loading = {pool_new_owned(), format, NULL};
    const enum status status = attempt(load_table, &loading, error);
    if (status != STATUS_OK)
        pool_free(loading.pool);
    *table = loading.table;
    return status;
}

/* Such as 3 GB of zeros or of one letter, which take little or no disk space: reading stops at the limit. */
static void a_file_of_one_word_is_refused_after_its_first_mebibyte(void **state)
{
    (void)state;
    struct labelled_table *table;
    struct error error;
    file_write(path, "", 0);
    assert_int_equal(truncate(path, (off_t)3 << 30), 0);
    assert_int_equal(load("libsvm", &table, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, ":1:1: zero byte"));

    size_t size = FIRST_WORD_MAX_BYTES;
    char *text = malloc(size + 16);
    memset(text, '7', size + 16);
    file_write(path, text, size);
    assert_int_equal(load("libsvm", &table, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, ":1:1: no newline, blank or comma in the first 1048576 bytes"));
    text[size - 2] = ' '; /* with one blank it is an ordinary line, whose label of a million digits is invalid */
    file_write(path, text, size);
    assert_int_equal(load("libsvm", &table, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "is not a number"));
    free(text);
}

static void a_first_line_of_more_than_a_mebibyte_is_read(void **state)
{
    (void)state;
    enum { FEATURES = 200000 };
    char *text = malloc(2 * FEATURES * 20), *at = text;
    struct labelled_table *table;
    struct error error;
    for (int row = 0; row < 2; row++) {
        at += sprintf(at, "%d", row);
        for (int i = 1; i <= FEATURES; i++)
            at += sprintf(at, " %d:%d", i, 1 + (i + row) % 9);
        at += sprintf(at, "\n");
    }
    file_write(path, text, (size_t)(at - text));
    assert_int_equal(load("libsvm", &table, &error), STATUS_OK);
    assert_int_equal(table->rows, 2);
    assert_int_equal(table->patterns.dims, FEATURES);
    for (size_t d = 0; d < FEATURES; d++)
        for (size_t row = 0; row < 2; row++)
            assert_true(patterns_value(&table->patterns, row, d) == (double)(1 + (d + 1 + row) % 9));
    pool_free(table->pool);
    free(text);
}

/* Quoted fields over several lines, reported where they begin, and rows that a carriage return ends. */
static void csv_fields_run_over_lines(void **state)
{
    (void)state;
    struct labelled_table *table;
    struct error error;
    static const char good[] = "1,2,\"a\nb \"\"c\"\"\"\r3 , \"4\" ,d\n";
    file_write(path, good, strlen(good));
    assert_int_equal(load("csv", &table, &error), STATUS_OK);
    assert_int_equal(table->rows, 2);
    for (size_t i = 0; i < 4; i++)
        assert_true(patterns_value(&table->patterns, i / 2, i % 2) == (double)(i + 1));
    pool_free(table->pool);
    static const char bad[] = "1,2,\"a\nb\"\n3,\"4\n\n\",x\n";
    file_write(path, bad, strlen(bad));
    assert_int_equal(load("csv", &table, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, ":3:3: field 2: \"4\\x0A\\x0A\" is not a number"));
    static const char after[] = "1,2,a\n1,\"2\nx\" y,b\n";
    file_write(path, after, strlen(after));
    assert_int_equal(load("csv", &table, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, ":3:4: a quoted field is not followed by a comma"));
    static const char within[] = "1,2,a\n1,2\"3,b\n";
    file_write(path, within, strlen(within));
    assert_int_equal(load("csv", &table, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, ":2:4: a quote inside a field that does not start with a quote"));
}

static void the_ending_before_that_of_a_compressed_file_tells_the_format(void **state)
{
    (void)state;
    static const char *const csv[] = {"a.csv", "a.csv.gz", "/b/a.csv.bz2", "a.csv.xz", "a.csv.zst"};
    static const char *const other[] = {"a", "-", "a.gz", "acsv", "a.csv.zip", "a.txt.xz", ".gz", "csv.gz"};
    for (size_t i = 0; i < sizeof csv / sizeof *csv; i++)
        assert_true(dataset_text_is_csv(csv[i], NULL));
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        assert_false(dataset_text_is_csv(other[i], NULL));
    assert_true(dataset_text_is_csv("a", "csv"));
    assert_false(dataset_text_is_csv("a.csv", "libsvm"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_the_same_at_chunks_of_every_size),
        cmocka_unit_test(a_carriage_return_ends_a_comment_and_the_last_line),
        cmocka_unit_test(words_and_comments_are_the_same_at_chunks_of_every_size),
        cmocka_unit_test(a_line_may_have_as_many_bytes_as_the_limit_and_no_more),
        cmocka_unit_test(a_last_line_that_needs_its_newline_is_refused_without),
        cmocka_unit_test(a_zero_byte_ends_reading_where_it_stands),
        cmocka_unit_test(a_file_of_one_word_is_refused_after_its_first_mebibyte),
        cmocka_unit_test(a_first_line_of_more_than_a_mebibyte_is_read),
        cmocka_unit_test(csv_fields_run_over_lines),
        cmocka_unit_test(the_ending_before_that_of_a_compressed_file_tells_the_format),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
