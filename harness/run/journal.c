/* The journal, see journal.h. Each line is written with a single write to a file opened for appending. */
#include "harness/run/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "solvers/clock.h"

struct journal {
    int file;
    const char *path;
    const char *run; /* in the first line of a new journal; or NULL */
    size_t n, done;
    double synced; /* time of the last sync, by clock_now */
    struct journal_entry *entries;
    struct pool *pool;
    struct pool *json; /* the tree of one line at a time */
};

struct journal_entry journal_entry_of(const struct record *record, const char *line, const struct timing *timing)
{
    return (struct journal_entry){line, *timing, record->ending, record->reason};
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

/* The checksum covers the index as well, so that a record cannot be taken for that of another job. */
static uint64_t line_check(const char *line, size_t before, const char *record, size_t size)
{
    return fnv(fnv(FNV_START, line, before), record, size);
}

/* Parses one line; returns 0 if it is damaged. */
static int read_line(struct journal *journal, char *line)
{
    static const char key[] = "\"check\":";
    const struct json_path place = {.file = journal->path};
    const cJSON *json = json_parse_line(journal->json, line, NULL);
    const cJSON *record = json_member(json, "record");
    uint64_t check;
    if (!cJSON_IsObject(record) || !json_hash(json_member(json, "check"), &check))
        return 0;
    const struct json_span text = json_span_of(record);
    const char *before = json_span_of(json_member(json, "check")).text - strlen(key);
    if (before < line || strncmp(before, key, strlen(key)) != 0 ||
        line_check(line, (size_t)(before - line), text.text, text.length) != check)
        return 0;
    struct timing_line found;
    struct record taken;
    members_read(journal->pool, timing_members, json, &place, &found);
    if (found.index >= journal->n)
        return 0;
    if (journal->entries[found.index].record)
        return 1;
    members_read(journal->json, record_members, record, &place, &taken);
    line[(size_t)(text.text - line) + text.length] = '\0';
    keep_entry(journal, found.index, journal_entry_of(&taken, text.text, &found.timing));
    return 1;
}

/* The first line, up to what may follow it: "run" and the end. */
static char *header_of(struct pool *pool, size_t n, const struct fingerprint *fingerprint)
{
    return pool_printf(pool,
                       "{\"journal\":2,\"plan\":\"%016" PRIx64 "\",\"config\":\"%016" PRIx64
                       "\",\"options\":\"%016" PRIx64 "\",\"data\":\"%016" PRIx64
                       "\",\"program\":\"%s\",\"jobs\":%zu",
                       fingerprint->plan, fingerprint->config, fingerprint->options, fingerprint->data,
                       fingerprint->program ? fingerprint->program : "", n);
}

static char *whole_header_of(struct pool *pool, size_t n, const struct fingerprint *fingerprint, const char *run)
{
    return pool_printf(pool, "%s%s%s}\n", header_of(pool, n, fingerprint), run ? ",\"run\":" : "", run ? run : "");
}

static _Noreturn void damaged_line(const char *path, size_t number)
{
    die(STATUS_BAD_INPUT, "%s:%zu: damaged record; remove the line, and the record is computed again", path, number);
}

static _Noreturn void damaged_header(const struct journal *journal)
{
    die(STATUS_BAD_INPUT, "%s:1: damaged; give --force to restart the run, or remove the file", journal->path);
}

/* The header must match the expected bytes exactly, so it needs no checksum. */
static void check_header(struct journal *journal, const char *line, const struct fingerprint *fingerprint)
{
    char words[FINGERPRINT_DIFF_SIZE] = "";
    const cJSON *json = json_parse_line(journal->json, line, NULL);
    const char *program = cJSON_GetStringValue(json_member(json, "program"));
    const cJSON *jobs = json_member(json, "jobs");
    const cJSON *form = json_member(json, "journal");
    struct fingerprint then = {.program = program && *program ? program : NULL};
    if (!cJSON_IsNumber(jobs) || !cJSON_IsNumber(form) ||
        !json_hash(json_member(json, "plan"), &then.plan) ||
        !json_hash(json_member(json, "config"), &then.config) ||
        !json_hash(json_member(json, "options"), &then.options) ||
        !json_hash(json_member(json, "data"), &then.data))
        damaged_header(journal);
    if (form->valuedouble != 2)
        die(STATUS_BAD_INPUT,
            "%s: was written by another version; choose another folder, or give --force to restart it", journal->path);
    if (fingerprint_differs(fingerprint, &then, words) || jobs->valuedouble != (double)journal->n)
        die(STATUS_BAD_INPUT, "%s: belongs to another run (%s); choose another folder, or give --force to restart it",
            journal->path, *words ? words : "another number of jobs");
    const cJSON *run = json_member(json, "run");
    const struct json_span span = run ? json_span_of(run) : (struct json_span){"", 0};
    const char *expected = whole_header_of(journal->pool, journal->n, &then,
                                           run ? pool_strndup(journal->pool, span.text, span.length) : NULL);
    if (strlen(line) != strlen(expected) - 1 || strncmp(line, expected, strlen(line)) != 0)
        damaged_header(journal);
}

/* Reads the entries from the second line on, at `at`; returns the end of the last one that is valid. A last line that
 * is torn or damaged is none: its job is repeated. */
static const char *read_entries(struct journal *journal, char *at, const char *stop)
{
    size_t number = 2;
    for (char *end; (end = memchr(at, '\n', (size_t)(stop - at))); at = end + 1, number++) {
        *end = '\0';
        if (strlen(at) == (size_t)(end - at) && read_line(journal, at))
            continue;
        if (end + 1 < stop)
            damaged_line(journal->path, number);
        break;
    }
    return at;
}

static void read_journal(struct journal *journal, const struct fingerprint *fingerprint)
{
    struct pool *pool = pool_new();
    size_t size;
    char *text = file_read(pool, journal->path, &size), *end = memchr(text, '\n', size);
    const char *expected = header_of(pool, journal->n, fingerprint), *good = text;
    const size_t length = strlen(expected);
    if (!end && memcmp(text, expected, size < length ? size : length) != 0)
        damaged_header(journal); /* not a header of ours */
    if (end) {
        *end = '\0';
        check_header(journal, text, fingerprint);
        good = read_entries(journal, end + 1, text + size);
    }
    if (good < text + size && ftruncate(journal->file, good - text) != 0)
        die(STATUS_IO, "%s: cannot be truncated: %s", journal->path, strerror(errno));
    const char *header = whole_header_of(pool, journal->n, fingerprint, journal->run);
    if (!end)
        file_append(journal->file, journal->path, header, strlen(header));
    pool_free(pool);
}

static void release(void *data)
{
    struct journal *journal = data;
    if (journal->file >= 0)
        close(journal->file);
}

struct journal *journal_open(const char *path, const struct fingerprint *fingerprint, const char *run, size_t n,
                             int fresh)
{
    struct pool *pool = pool_new();
    struct journal *journal = pool_alloc(pool, sizeof *journal);
    struct stat about;
    *journal = (struct journal){.path = pool_strdup(pool, path), .run = run, .n = n, .synced = clock_now(),
                                .pool = pool,
                                .json = pool_new_inside(pool),
                                .entries = pool_array(pool, n, sizeof *journal->entries)};
    journal->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    const int reason = errno;
    pool_keep(pool, release, journal);
    if (journal->file < 0 ? reason == ELOOP : fstat(journal->file, &about) != 0 || !S_ISREG(about.st_mode))
        die(STATUS_BAD_INPUT, "%s: not a regular file; remove it, or choose another folder", path);
    if (journal->file < 0)
        die(STATUS_IO, "%s: cannot be opened: %s", path, strerror(reason));
    if (fresh && ftruncate(journal->file, 0) != 0)
        die(STATUS_IO, "%s: cannot be truncated: %s", path, strerror(errno));
    read_journal(journal, fingerprint);
    return journal;
}

const cJSON *journal_read_any(struct pool *pool, const char *path, struct journal_entry **entries, size_t *count)
{
    struct journal journal = {.path = path, .pool = pool, .json = pool_new_inside(pool)};
    size_t size = 0;
    char *line = file_read_or_null(pool, path, &size), *end = line ? memchr(line, '\n', size) : NULL;
    if (!end)
        return NULL;
    *end = '\0';
    const cJSON *header = json_parse_pooled(pool, line, NULL);
    const cJSON *jobs = json_member(header, "jobs");
    if (!cJSON_IsNumber(jobs) || !(jobs->valuedouble >= 1) || !(jobs->valuedouble < 1e7))
        return NULL;
    journal.n = *count = (size_t)jobs->valuedouble;
    journal.entries = *entries = pool_array(pool, journal.n, sizeof **entries);
    read_entries(&journal, end + 1, line + size);
    return header;
}

struct journal_entry *journal_entries(struct journal *journal)
{
    return journal->entries;
}

size_t journal_done(const struct journal *journal)
{
    return journal->done;
}

/* The line of an entry. */
static const struct pool_text *line_of(struct pool *pool, size_t index, const struct journal_entry *entry)
{
    struct pool_text *line = pool_text_open(pool);
    FILE *stream = line->stream;
    fprintf(stream, "{\"index\":%zu,\"seconds\":%.6f", index, entry->timing.seconds);
    timing_print(&entry->timing, stream);
    fputc(',', stream);
    xflush_text(stream);
    fprintf(stream, "\"check\":\"%016" PRIx64 "\",\"record\":%s}\n",
            line_check(line->text, line->size, entry->record, strlen(entry->record)), entry->record);
    pool_text_end(line);
    return line;
}

void journal_write(const char *path, const struct fingerprint *fingerprint, const char *run,
                   const struct journal_entry *entries, size_t n)
{
    struct pool *pool = pool_new();
    struct outfile out;
    outfile_open(&out, path);
    fputs(whole_header_of(pool, n, fingerprint, run), out.stream);
    for (size_t j = 0; j < n; j++) {
        struct pool *of_entry = pool_new();
        fputs(entries[j].record ? line_of(of_entry, j, &entries[j])->text : "", out.stream);
        pool_free(of_entry);
    }
    outfile_commit(&out);
    pool_free(pool);
}

struct appending {
    struct journal *journal;
    size_t index;
    const struct journal_entry *entry;
};

static void append(void *data)
{
    const struct appending *appending = data;
    struct journal *journal = appending->journal;
    const struct journal_entry *entry = appending->entry;
    struct pool *pool = pool_new();
    const struct pool_text *line = line_of(pool, appending->index, entry);
    file_append(journal->file, journal->path, line->text, line->size);
    pool_free(pool);
    keep_entry(journal, appending->index, *entry);
    if (clock_now() - journal->synced < 1)
        return;
    journal->synced = clock_now();
    if (fdatasync(journal->file) != 0)
        die(STATUS_IO, "%s: cannot be written: %s", journal->path, strerror(errno));
    file_sync_name(journal->path);
}

enum status journal_append(struct journal *journal, size_t index, const struct journal_entry *entry,
                           struct error *error)
{
    struct appending appending = {journal, index, entry};
    return attempt(append, &appending, error);
}

void journal_close(struct journal *journal)
{
    pool_free(journal->pool);
}
