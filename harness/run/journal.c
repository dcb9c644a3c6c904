/* The journal, see journal.h. Each line is written with a single write to a file opened for appending. */
#include "harness/run/journal.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"
#include "solvers/clock.h"

struct journal {
    int file;
    char *path;
    size_t n, done;
    double synced; /* time of the last sync, by clock_now */
    struct journal_entry *entries;
    struct pool *pool;
    struct pool *json; /* the tree of one line at a time */
};

uint64_t journal_hash(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

struct journal_entry journal_entry_of(const struct record *record, const char *line, const struct timing *timing)
{
    return (struct journal_entry){line, *timing, (unsigned)record->ending < OUTCOMES ? record->ending : (enum outcome)0,
                                  record->reason};
}

static void keep_entry(struct journal *journal, size_t index, struct journal_entry entry)
{
    entry.record = pool_strdup(journal->pool, entry.record);
    entry.reason = entry.reason ? pool_strdup(journal->pool, entry.reason) : NULL;
    journal->entries[index] = entry;
    journal->done++;
}

void journal_count_outcomes(const struct journal_entry *entries, size_t count, size_t outcomes[OUTCOMES])
{
    memset(outcomes, 0, OUTCOMES * sizeof *outcomes);
    for (size_t j = 0; j < count; j++)
        if (entries[j].record)
            outcomes[entries[j].outcome]++;
}

static enum status write_all(struct journal *journal, const char *text, size_t size, struct error *error)
{
    off_t before = lseek(journal->file, 0, SEEK_END);
    size_t written = 0;
    while (written < size) {
        ssize_t got = write(journal->file, text + written, size - written);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            int reason = errno;
            if (before < 0 || ftruncate(journal->file, before) != 0) {
                /* the next read of the journal drops the torn line */
            }
            return error_set(error, STATUS_IO, "%s: cannot be written: %s", journal->path, strerror(reason));
        }
        written += (size_t)got;
    }
    return STATUS_OK;
}

static enum status sync_file(struct journal *journal, struct error *error)
{
    journal->synced = clock_now();
    if (fdatasync(journal->file) != 0)
        return error_set(error, STATUS_IO, "%s: cannot be written: %s", journal->path, strerror(errno));
    file_sync_name(journal->path);
    return STATUS_OK;
}

/* The checksum covers the index as well, so that a record cannot be taken for that of another job. */
static uint64_t line_check(const char *line, size_t before, const char *record, size_t size)
{
    return journal_hash(journal_hash(JOURNAL_HASH_START, line, before), record, size);
}

/* Parses one line in place; returns 0 if it is damaged. */
static int read_line(struct journal *journal, char *line, size_t length)
{
    size_t index, before, used;
    struct timing timing = {0};
    uint64_t check;
    int at = 0;
    if (sscanf(line, "{\"index\":%zu,\"seconds\":%lf,%n", &index, &timing.seconds, &at) != 2 || at == 0)
        return 0;
    before = (size_t)at + cpu_seconds_scan(line + at, &timing.cpu);
    before += timing.cpu.repeats > 0 && line[before] == ',';
    at = 0;
    if (sscanf(line + before, "\"check\":\"%16" SCNx64 "\",\"record\":%n", &check, &at) != 1 || at == 0)
        return 0;
    used = before + (size_t)at;
    if (length < used + 2 || line[length - 1] != '}' || index >= journal->n)
        return 0;
    size_t size = length - used - 1;
    if (line_check(line, before, line + used, size) != check)
        return 0;
    if (journal->entries[index].record)
        return 1;
    struct record record;
    struct json_fault ignored;
    line[length - 1] = '\0';
    record_take_members(json_parse_line(journal->json, line + used, &ignored), &record);
    keep_entry(journal, index, journal_entry_of(&record, line + used, &timing));
    return 1;
}

enum { HEADER = 320 };

/* Prints the first line, without the newline; returns its length. */
static size_t print_header(const struct journal *journal, const struct fingerprint *fingerprint, char line[HEADER])
{
    size_t length = (size_t)snprintf(line, HEADER, "{\"journal\":2,");
    length += fingerprint_print(fingerprint, line + length, HEADER - length);
    return length + (size_t)snprintf(line + length, HEADER - length, ",\"jobs\":%zu}", journal->n);
}

static enum status damaged_header(const struct journal *journal, struct error *error)
{
    return error_set(error, STATUS_BAD_INPUT, "%s:1: damaged; give --force to restart the run, or remove the file",
                     journal->path);
}

/* The header must match the expected bytes exactly, so it needs no checksum. */
static enum status check_header(const struct journal *journal, const char *line, const struct fingerprint *fingerprint,
                                struct error *error)
{
    char words[FINGERPRINT_DIFF_SIZE] = "", expected[HEADER];
    cJSON *json = cJSON_Parse(line);
    const char *program = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "program"));
    const cJSON *jobs = cJSON_GetObjectItemCaseSensitive(json, "jobs");
    const cJSON *form = cJSON_GetObjectItemCaseSensitive(json, "journal");
    struct fingerprint then;
    int is_header = cJSON_IsNumber(jobs) && cJSON_IsNumber(form);
    is_header &= fingerprint_hash(json, "plan", &then.plan);
    is_header &= fingerprint_hash(json, "config", &then.config);
    is_header &= fingerprint_hash(json, "options", &then.options);
    is_header &= fingerprint_hash(json, "data", &then.data);
    enum status status = STATUS_OK;
    snprintf(then.program, sizeof then.program, "%s", program ? program : "");
    if (!is_header)
        status = damaged_header(journal, error);
    else if (form->valuedouble != 2)
        status = error_set(error, STATUS_BAD_INPUT,
                           "%s: was written by another version; choose another folder, or give --force to restart it",
                           journal->path);
    else if (fingerprint_differs(fingerprint, &then, words) || jobs->valuedouble != (double)journal->n)
        status = error_set(error, STATUS_BAD_INPUT,
                           "%s: belongs to another run (%s); choose another folder, or give --force to restart it",
                           journal->path, *words ? words : "another number of jobs");
    print_header(journal, &then, expected);
    if (status == STATUS_OK && strcmp(line, expected) != 0)
        status = damaged_header(journal, error);
    cJSON_Delete(json);
    return status;
}

/* Reads all complete lines; *good gets the number of valid bytes. */
static enum status read_lines(struct journal *journal, char *text, size_t size, const struct fingerprint *fingerprint,
                              size_t *good, struct error *error)
{
    size_t number = 0;
    char expected[HEADER];
    *good = 0;
    for (char *line = text; line < text + size;) {
        char *end = memchr(line, '\n', (size_t)(text + size - line));
        if (!end && number == 0 &&
            (size > print_header(journal, fingerprint, expected) || memcmp(text, expected, size) != 0))
            return damaged_header(journal, error); /* not a header of ours */
        if (!end)
            return STATUS_OK; /* torn */
        *end = '\0';
        number++;
        if (number == 1 && check_header(journal, line, fingerprint, error) != STATUS_OK)
            return STATUS_BAD_INPUT;
        if (number > 1 && !read_line(journal, line, (size_t)(end - line))) {
            if (end + 1 == text + size)
                return STATUS_OK; /* damaged last line: the job is repeated */
            return error_set(error, STATUS_BAD_INPUT,
                             "%s:%zu: damaged record; remove the line, and the record is computed again", journal->path,
                             number);
        }
        line = end + 1;
        *good = (size_t)(line - text);
    }
    return STATUS_OK;
}

static enum status write_header(struct journal *journal, const struct fingerprint *fingerprint, struct error *error)
{
    char line[HEADER + 1];
    size_t length = print_header(journal, fingerprint, line);
    line[length++] = '\n';
    return write_all(journal, line, length, error);
}

static enum status read_journal(struct journal *journal, const struct fingerprint *fingerprint, struct error *error)
{
    struct pool *pool = pool_new();
    size_t size, good = 0;
    char *text = file_read(pool, journal->path, &size);
    enum status status = read_lines(journal, text, size, fingerprint, &good, error);
    pool_free(pool);
    if (status != STATUS_OK)
        return status;
    if (good < size && ftruncate(journal->file, (off_t)good) != 0)
        return error_set(error, STATUS_IO, "%s: cannot be truncated: %s", journal->path, strerror(errno));
    return good > 0 ? STATUS_OK : write_header(journal, fingerprint, error);
}

enum status journal_open(struct journal **out, const char *path, const struct fingerprint *fingerprint, size_t n,
                         int fresh, struct error *error)
{
    *out = NULL;
    struct pool *pool = pool_new();
    struct journal *journal = pool_alloc(pool, sizeof *journal);
    enum status status = STATUS_OK;
    journal->pool = pool;
    journal->json = pool_new_inside(pool);
    journal->n = n;
    journal->synced = clock_now();
    journal->path = pool_strdup(pool, path);
    journal->entries = pool_array(pool, n, sizeof *journal->entries);
    struct stat about;
    journal->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (journal->file < 0 ? errno == ELOOP : fstat(journal->file, &about) != 0 || !S_ISREG(about.st_mode))
        status =
            error_set(error, STATUS_BAD_INPUT, "%s: not a regular file; remove it, or choose another folder", path);
    else if (journal->file < 0)
        status = error_set(error, STATUS_IO, "%s: cannot be opened: %s", path, strerror(errno));
    else if (fresh && ftruncate(journal->file, 0) != 0)
        status = error_set(error, STATUS_IO, "%s: cannot be truncated: %s", path, strerror(errno));
    else
        status = read_journal(journal, fingerprint, error);
    if (status != STATUS_OK) {
        journal_close(journal);
        return status;
    }
    *out = journal;
    return STATUS_OK;
}

struct journal_entry *journal_entries(struct journal *journal)
{
    return journal->entries;
}

size_t journal_done(const struct journal *journal)
{
    return journal->done;
}

enum status journal_append(struct journal *journal, size_t index, const struct journal_entry *entry,
                           struct error *error)
{
    char cpu[CPU_SECONDS_SIZE];
    const struct timing *timing = &entry->timing;
    const size_t size = strlen(entry->record) + 160 + CPU_SECONDS_SIZE;
    char *line = xmalloc(size);
    cpu_seconds_print(&timing->cpu, cpu);
    size_t length = (size_t)snprintf(line, size, "{\"index\":%zu,\"seconds\":%.6f,%s%s", index, timing->seconds, cpu,
                                     *cpu ? "," : "");
    uint64_t check = line_check(line, length, entry->record, strlen(entry->record));
    length += (size_t)snprintf(line + length, size - length, "\"check\":\"%016" PRIx64 "\",\"record\":%s}\n", check,
                               entry->record);
    enum status status = write_all(journal, line, length, error);
    free(line);
    if (status != STATUS_OK)
        return status;
    keep_entry(journal, index, *entry);
    return clock_now() - journal->synced < 1 ? STATUS_OK : sync_file(journal, error);
}

void journal_close(struct journal *journal)
{
    if (!journal)
        return;
    if (journal->file >= 0)
        close(journal->file);
    pool_free(journal->pool);
}
