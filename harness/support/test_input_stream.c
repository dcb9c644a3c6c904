/* Every form of a file yields the same text, whatever the chunk size; damaged and truncated files are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <archive.h>
#include <archive_entry.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "harness/support/file.h"
#include "harness/support/input_stream.h"
#include "tests/scratch_folder.h"

static char path[SCRATCH_PATH_SIZE];

static int make_path(void **state)
{
    (void)state;
    return scratch_file_new(path, "test-input-stream");
}

static int remove_path(void **state)
{
    (void)state;
    return remove(path);
}

/* ---- creating files ---- */

enum { FORMS = 5, ROOM = 1 << 16 };
static const char *const form_names[FORMS] = {"plain", "gzip", "bzip2", "xz", "zstd"};

/* Writes `text` in one of the forms and returns the number of bytes. */
static size_t compress_to(int form, const char *text, size_t size, char *out)
{
    if (form == 0) {
        memcpy(out, text, size);
        return size;
    }
    struct archive *archive = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    size_t used = 0;
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_pathname(entry, "text");
    assert_int_equal(archive_write_set_format_raw(archive), ARCHIVE_OK);
    assert_int_equal(archive_write_add_filter_by_name(archive, form_names[form]), ARCHIVE_OK);
    assert_int_equal(archive_write_set_bytes_per_block(archive, 0), ARCHIVE_OK);
    assert_int_equal(archive_write_open_memory(archive, out, ROOM, &used), ARCHIVE_OK);
    assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
    assert_int_equal(archive_write_data(archive, text, size), size);
    assert_int_equal(archive_write_close(archive), ARCHIVE_OK);
    archive_write_free(archive);
    archive_entry_free(entry);
    return used;
}

static size_t make_text(char *text, size_t lines)
{
    size_t size = 0;
    unsigned random = 1;
    for (size_t i = 0; i < lines; i++) {
        random = 1664525 * random + 1013904223;
        size += (size_t)sprintf(text + size, "%zu 1:%u 2:%u\n", i % 2, random >> 20, random % 10);
    }
    return size;
}

/* ---- reading files ---- */

/* Reads the whole file at `from` in reads of `room` bytes; *size gets the number of bytes. */
struct reading {
    const char *from;
    const struct input_options *options;
    size_t room, size;
    char *text; /* NULL: the bytes are only counted */
};

static void read_stream(void *data)
{
    struct reading *reading = data;
    struct input_stream *stream = input_open(reading->from, reading->options);
    struct pool *pool = pool_new();
    char *read = reading->text ? NULL : pool_alloc(pool, reading->room);
    for (size_t got = 1; got > 0; reading->size += got)
        got = input_read(stream, read ? read : reading->text + reading->size, reading->room);
    pool_free(pool);
    input_close(stream);
}

static enum status read_all(const char *from, const struct input_options *options, size_t room, char *text,
                            size_t *size, struct error *error)
{
    struct reading reading = {from, options, room, 0, text};
    enum status status = attempt(read_stream, &reading, error);
    *size = reading.size;
    return status;
}

static void zeros_behind_gzip_are_passed_over(void **state)
{
    (void)state;
    const size_t paddings[] = {1, 7, 8, 9, 63, 64, 65, 10240};
    char *text = malloc(ROOM), *packed = malloc(ROOM), *read = malloc(ROOM);
    const size_t size = make_text(text, 40), packed_size = compress_to(1, text, size, packed);
    for (size_t p = 0; p < sizeof paddings / sizeof *paddings; p++)
        for (size_t chunk = 0; chunk <= 120; chunk += 7) {
            const struct input_options options = {.chunk = chunk};
            struct error error = {STATUS_OK, ""};
            size_t got, end = packed_size + paddings[p];
            memset(packed + packed_size, 0, paddings[p]);
            file_write(path, packed, end);
            if (read_all(path, &options, 64, read, &got, &error) != STATUS_OK)
                fail_msg("%zu zeros, chunk %zu: %s", paddings[p], chunk, error.message);
            assert_int_equal(got, size);
            assert_memory_equal(read, text, size);
            packed[end] = 'x';
            file_write(path, packed, end + 1);
            assert_int_equal(read_all(path, &options, 64, read, &got, &error), STATUS_BAD_INPUT);
        }
    free(text);
    free(packed);
    free(read);
}

static void every_form_gives_the_same_text_at_chunks_of_every_size(void **state)
{
    (void)state;
    char *text = malloc(ROOM), *packed = malloc(ROOM), *read = malloc(ROOM);
    for (int form = 0; form < FORMS; form++)
        for (size_t lines = 0; lines <= 40; lines += 20) {
            size_t size = make_text(text, lines), packed_size = compress_to(form, text, size, packed);
            file_write(path, packed, packed_size);
            char expected[65], hex[65];
            sha256_hex(packed, packed_size, expected);
            for (size_t chunk = 0; chunk <= 120; chunk++) {
                struct sha256 hash;
                struct error error = {STATUS_OK, ""};
                const struct input_options options = {.hash = &hash, .chunk = chunk};
                size_t got;
                sha256_begin(&hash);
                if (read_all(path, &options, 1 + chunk % 7, read, &got, &error) != STATUS_OK)
                    fail_msg("%s, chunk %zu: %s", form_names[form], chunk, error.message);
                sha256_end(&hash, hex);
                assert_int_equal(got, size);
                assert_memory_equal(read, text, size);
                assert_string_equal(hex, expected); /* hash of the file, not of its text */
            }
        }
    free(text);
    free(packed);
    free(read);
}

static void parts_compressed_one_after_the_other_are_one_text(void **state)
{
    (void)state;
    char *text = malloc(ROOM), *packed = malloc(2 * ROOM), *read = malloc(2 * ROOM);
    size_t size = make_text(text, 30), got;
    for (int form = 1; form < FORMS; form++) {
        size_t first = compress_to(form, text, size / 2, packed);
        size_t second = compress_to(form, text + size / 2, size - size / 2, packed + first);
        file_write(path, packed, first + second);
        for (size_t chunk = 10; chunk < 100; chunk++) {
            const struct input_options options = {.chunk = chunk};
            struct error error;
            assert_int_equal(read_all(path, &options, 100, read, &got, &error), STATUS_OK);
            assert_int_equal(got, size);
            assert_memory_equal(read, text, size);
        }
    }
    free(text);
    free(packed);
    free(read);
}

/* Truncated at any point after the bytes that identify the compression. */
static void a_compressed_file_that_is_cut_off_is_refused(void **state)
{
    (void)state;
    const struct input_options options = {.chunk = 0};
    char *text = malloc(ROOM), *packed = malloc(ROOM), *read = malloc(ROOM);
    size_t size = make_text(text, 30), got;
    for (int form = 1; form < FORMS; form++) {
        size_t packed_size = compress_to(form, text, size, packed);
        for (size_t cut = 10; cut < packed_size; cut++) {
            struct error error = {STATUS_OK, ""};
            file_write(path, packed, cut);
            assert_int_equal(read_all(path, &options, ROOM, read, &got, &error), STATUS_BAD_INPUT);
            assert_memory_equal(error.message, path, strlen(path));
            assert_non_null(strstr(error.message, form_names[form]));
            assert_non_null(strstr(error.message, "cut off"));
        }
    }
    free(text);
    free(packed);
    free(read);
}

/* The checksums of all forms detect a changed byte in the middle; libarchive writes none for zstd. */
static void a_damaged_file_is_refused_and_named(void **state)
{
    (void)state;
    const struct input_options options = {.chunk = 0};
    char *text = malloc(ROOM), *packed = malloc(ROOM), *read = malloc(ROOM);
    size_t size = make_text(text, 30), got;
    for (int form = 1; form < FORMS; form++) {
        size_t packed_size = compress_to(form, text, size, packed);
        struct error error = {STATUS_OK, ""};
        packed[packed_size / 2] = (char)(packed[packed_size / 2] ^ 0x10);
        file_write(path, packed, packed_size);
        if (form < FORMS - 1) {
            assert_int_equal(read_all(path, &options, ROOM, read, &got, &error), STATUS_BAD_INPUT);
            assert_non_null(strstr(error.message, form_names[form]));
        }
        packed[packed_size / 2] = (char)(packed[packed_size / 2] ^ 0x10);
        memcpy(packed + packed_size, "garbage behind it", 17);
        file_write(path, packed, packed_size + 17);
        assert_int_equal(read_all(path, &options, ROOM, read, &got, &error), STATUS_BAD_INPUT);
    }
    free(text);
    free(packed);
    free(read);
}

/* Zeros shrink by gzip about 1000 times: 64 MiB may be read, and no more. */
static void a_file_that_grows_without_measure_is_refused_early(void **state)
{
    (void)state;
    enum { MEBIBYTE = 1 << 20 };
    const struct input_options options = {.chunk = 0};
    char *read = calloc(1, MEBIBYTE);
    gzFile file = gzopen(path, "wb9");
    for (int i = 0; i < 100; i++)
        assert_int_equal(gzwrite(file, read, MEBIBYTE), MEBIBYTE);
    assert_int_equal(gzclose(file), Z_OK);
    struct error error = {STATUS_OK, ""};
    size_t size;
    free(read);
    assert_int_equal(read_all(path, &options, MEBIBYTE, NULL, &size, &error), STATUS_BAD_INPUT);
    assert_memory_equal(error.message, path, strlen(path));
    assert_true(size >= 60 * MEBIBYTE && size <= 64 * MEBIBYTE);
    assert_false(decompress_is_too_large(1e6, 2e8));
    assert_true(decompress_is_too_large(1e6, 2e8 + 1));
}

static void a_fifo_is_read_as_it_comes(void **state)
{
    (void)state;
    const struct input_options options = {.chunk = 0};
    char fifo[64], read[64];
    size_t got;
    struct error error;
    snprintf(fifo, sizeof fifo, "%s.fifo", path);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    pid_t id = fork();
    if (id == 0) {
        FILE *stream = fopen(fifo, "w");
        for (int i = 0; stream && i < 3; i++) {
            fputs("1 1:2\n", stream);
            fflush(stream);
            nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        }
        _exit(stream && fclose(stream) == 0 ? 0 : 1);
    }
    assert_int_equal(read_all(fifo, &options, sizeof read, read, &got, &error), STATUS_OK);
    assert_int_equal(got, 18);
    assert_memory_equal(read, "1 1:2\n1 1:2\n1 1:2\n", 18);
    int status = -1;
    assert_true(waitpid(id, &status, 0) == id && status == 0);
    remove(fifo);
}

struct seen {
    size_t calls, done;
    double bytes, size;
};

static void note(void *context, const struct input_progress *progress)
{
    struct seen *seen = context;
    assert_string_equal(progress->path, path);
    assert_true(progress->bytes >= seen->bytes && progress->seconds >= 0);
    seen->calls++;
    seen->done += (size_t)progress->is_done;
    seen->bytes = progress->bytes;
    seen->size = progress->size;
}

static void who_watches_is_told_of_each_part_and_of_the_end(void **state)
{
    (void)state;
    char text[1000], read[1000];
    struct seen seen = {0};
    const struct input_watch watch = {note, &seen};
    const struct input_options options = {.watch = &watch, .chunk = 100};
    size_t got;
    struct error error;
    memset(text, 'x', sizeof text);
    file_write(path, text, sizeof text);
    assert_int_equal(read_all(path, &options, sizeof read, read, &got, &error), STATUS_OK);
    assert_true(seen.calls >= 11 && seen.done == 1);
    assert_true(seen.bytes == 1000 && seen.size == 1000);
}

static void check(void *name)
{
    input_check(name);
}

static void what_cannot_be_read_is_an_error(void **state)
{
    (void)state;
    const struct input_options options = {.chunk = 0};
    char read[8];
    size_t got;
    struct error error;
    assert_int_equal(read_all("/nowhere/x", &options, 8, read, &got, &error), STATUS_NOT_FOUND);
    char nowhere[] = "/nowhere/x";
    assert_int_equal(attempt(check, nowhere, &error), STATUS_NOT_FOUND);
    assert_non_null(strstr(error.message, "/nowhere/x: cannot be read: No such file"));
    assert_int_equal(read_all("/", &options, 8, read, &got, &error), STATUS_BAD_INPUT);
    input_check(path);
    input_check("-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_gives_the_same_text_at_chunks_of_every_size),
        cmocka_unit_test(zeros_behind_gzip_are_passed_over),
        cmocka_unit_test(parts_compressed_one_after_the_other_are_one_text),
        cmocka_unit_test(a_compressed_file_that_is_cut_off_is_refused),
        cmocka_unit_test(a_damaged_file_is_refused_and_named),
        cmocka_unit_test(a_file_that_grows_without_measure_is_refused_early),
        cmocka_unit_test(a_fifo_is_read_as_it_comes),
        cmocka_unit_test(who_watches_is_told_of_each_part_and_of_the_end),
        cmocka_unit_test(what_cannot_be_read_is_an_error),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
