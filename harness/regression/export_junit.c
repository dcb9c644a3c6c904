/*
 * JUnit XML. A test case is one record; its class is solver and data set, its name split and settings, so that no two
 * are alike. The text of a failure is in its body, since some readers show nothing else.
 */
#include <math.h>
#include <string.h>

#include "harness/regression/export.h"
#include "harness/support/file.h"

/* Characters that XML 1.0 cannot hold become '?'. */
static void print_escaped(FILE *stream, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", stream);
            break;
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        default:
            fputc((unsigned char)*text < ' ' ? '?' : *text, stream);
        }
    }
}

static void print_count(FILE *stream, double count)
{
    if (isnan(count))
        fputs("not counted", stream);
    else
        fprintf(stream, "%.0f", count);
}

static void print_case(FILE *stream, const struct count_record *entry)
{
    char settings[256];
    fputs("    <testcase classname=\"", stream);
    print_escaped(stream, entry->solver);
    fputc('.', stream);
    print_escaped(stream, entry->dataset);
    fprintf(stream, "\" name=\"split %zu, ", entry->split);
    print_escaped(stream, count_record_settings(entry, settings, sizeof settings));
    fprintf(stream, "\" time=\"%.6f\"", isnan(entry->seconds) ? 0 : entry->seconds);
}

static void print_line(FILE *stream, const struct change *change)
{
    switch (change->kind) {
    case CHANGE_OUTCOME:
        fputs("outcome: was ", stream);
        print_escaped(stream, change->was->outcome);
        fputs(", is ", stream);
        print_escaped(stream, change->is->outcome);
        break;
    case CHANGE_COUNT:
        fprintf(stream, "%s: was ", count_name(change->count));
        print_count(stream, change->was->counts[change->count]);
        fputs(", is ", stream);
        print_count(stream, change->is->counts[change->count]);
        break;
    case CHANGE_MISSING:
        fputs("the run lacks this record", stream);
        break;
    default:
        fputs("the baseline lacks this record", stream);
    }
    fputc('\n', stream);
}

static int is_about(const struct change *change, const struct count_record *entry)
{
    return change->kind != CHANGE_DATA && (change->is ? change->is == entry : change->was == entry);
}

/* The record and what the gate found of it. */
static void print_record(FILE *stream, const struct regression *gate, const struct count_record *entry)
{
    size_t found = 0;
    print_case(stream, entry);
    for (size_t i = 0; i < gate->n_changes; i++) {
        if (!is_about(&gate->changes[i], entry))
            continue;
        if (found++ == 0)
            fputs(">\n      <failure message=\"not as in the baseline\">", stream);
        print_line(stream, &gate->changes[i]);
    }
    fputs(found ? "</failure>\n    </testcase>\n" : "/>\n", stream);
}

static void print_data(FILE *stream, const struct change *change)
{
    fputs("    <testcase classname=\"data\" name=\"", stream);
    print_escaped(stream, change->dataset);
    fputs("\" time=\"0\">\n      <failure message=\"not the data of the baseline\">SHA-256: was ", stream);
    print_escaped(stream, change->was_hash);
    fputs(", is ", stream);
    print_escaped(stream, change->is_hash);
    fputs("\n</failure>\n    </testcase>\n", stream);
}

static void print_all(FILE *stream, const struct regression *gate, const struct run_counts *measured)
{
    const size_t *kinds = gate->kinds;
    size_t tests = measured->entries.count + kinds[CHANGE_MISSING] + kinds[CHANGE_DATA];
    size_t failures = kinds[CHANGE_MISSING] + kinds[CHANGE_DATA] + kinds[CHANGE_NEW] + gate->moved;
    fprintf(stream, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"%zu\" failures=\"%zu\">\n", tests,
            failures);
    fputs("  <testsuite name=\"hullbench check ", stream);
    print_escaped(stream, measured->config);
    fprintf(stream, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"0\">\n", tests, failures);
    for (size_t i = 0; i < gate->n_changes && gate->changes[i].kind <= CHANGE_MISSING; i++) {
        if (gate->changes[i].kind == CHANGE_DATA)
            print_data(stream, &gate->changes[i]);
        else
            print_record(stream, gate, gate->changes[i].was);
    }
    for (size_t i = 0; i < measured->entries.count; i++)
        print_record(stream, gate, &measured->entries.items[i]);
    fputs("  </testsuite>\n</testsuites>\n", stream);
}

enum status export_junit(const char *path, const struct regression *gate, const struct run_counts *measured,
                         struct error *error)
{
    struct outfile out;
    enum status status = outfile_open(&out, path, error);
    if (status != STATUS_OK)
        return status;
    print_all(out.stream, gate, measured);
    return outfile_commit(&out, error);
}
