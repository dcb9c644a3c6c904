/* What moved, as a table for people: worst first, then sums over all records. */
#include "harness/regression/regression.h"

#include <math.h>

static void print_count(FILE *stream, double count)
{
    if (isnan(count))
        fprintf(stream, " %13s", "not counted");
    else
        fprintf(stream, " %13.0f", count);
}

static void print_growth(FILE *stream, double was, double is)
{
    if (isnan(was) || isnan(is))
        fprintf(stream, " %22s", "");
    else if (was == 0)
        fprintf(stream, " %+12.0f %9s", is - was, "from 0");
    else
        fprintf(stream, " %+12.0f %+7.2f %%", is - was, 100 * (is - was) / was);
}

static void print_change(FILE *stream, const struct change *change)
{
    static const char *const kinds[CHANGE_KINDS] = {"data", "missing", "outcome", "moved", "new"};
    const struct count_record *entry = change->was ? change->was : change->is;
    char settings[256];
    if (change->kind == CHANGE_DATA) {
        fprintf(stream, "%-8s%-22s SHA-256 was %.16s..., is %.16s...\n", kinds[change->kind], change->dataset,
                change->was_hash, change->is_hash);
        return;
    }
    fprintf(stream, "%-8s%-22s %-14s %5zu ", kinds[change->kind], entry->solver, entry->dataset, entry->split);
    if (change->kind == CHANGE_OUTCOME)
        fprintf(stream, "%-28s %13s %13s %22s", "outcome", change->was->outcome, change->is->outcome, "");
    if (change->kind == CHANGE_COUNT) {
        double was = change->was->counts[change->count], is = change->is->counts[change->count];
        fprintf(stream, "%-28s", count_name(change->count));
        print_count(stream, was);
        print_count(stream, is);
        print_growth(stream, was, is);
    }
    fprintf(stream, "  %s\n", count_record_settings(entry, settings, sizeof settings));
}

void regression_print(const struct regression *gate, size_t most, FILE *stream)
{
    size_t shown = gate->n_changes < most ? gate->n_changes : most;
    if (shown)
        fprintf(stream, "%-8s%-22s %-14s %5s %-28s %13s %13s %12s %9s  %s\n", "", "solver", "data set", "split",
                "figure", "was", "is", "change", "", "settings");
    for (size_t i = 0; i < shown; i++)
        print_change(stream, &gate->changes[i]);
    if (shown < gate->n_changes)
        fprintf(stream, "... and %zu more lines (--all shows them)\n", gate->n_changes - shown);
    for (unsigned c = 0; c < COUNTS; c++) {
        const struct count_total *total = &gate->totals[c];
        if (!total->moved)
            continue;
        fprintf(stream, "sum     %-22s %zu of %zu records moved %-15s", "", total->moved, gate->compared, "");
        fprintf(stream, "%-28s", count_name((enum count)c));
        print_count(stream, total->was);
        print_count(stream, total->is);
        print_growth(stream, total->was, total->is);
        fputc('\n', stream);
    }
}
