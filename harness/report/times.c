/* A share is seconds of a stage / seconds of all stages; that of all folders is the share in their sums. */
#include "harness/report/times.h"

#include "harness/run/run_info.h"

static void put_row(struct text_table *grid, const char *name, const struct run_times *times)
{
    const double total = stage_times_total(&times->spent);
    text_table_cell(grid, "%s", name);
    text_table_cell(grid, "%.1f", times->seconds);
    text_table_cell(grid, "%.0f %%", 100 * times->spent.processor / times->available);
    for (unsigned s = 0; s < STAGES; s++)
        text_table_cell(grid, "%.0f %%", total > 0 ? 100 * times->spent.seconds[s] / total : 0);
    text_table_cell(grid, "%.0f", times->peak_megabytes);
}

static void put_heads(struct text_table *grid)
{
    grid->columns = TIMES_COLUMNS;
    text_table_cell(grid, "folder");
    text_table_cell(grid, "seconds");
    text_table_cell(grid, "busy");
    for (unsigned s = 0; s < STAGES; s++)
        text_table_cell(grid, "%s", stage_name((enum stage)s));
    text_table_cell(grid, "memory");
}

size_t times_grid(const struct report *report, struct text_table *grid)
{
    struct run_times sum = {0}, times;
    size_t told = 0;
    for (size_t i = 0; i < report->count; i++) {
        if (!run_info_times(report->folders[i].run->info, &times))
            continue;
        if (told++ == 0)
            put_heads(grid);
        put_row(grid, report->folders[i].label, &times);
        run_times_add(&sum, &times);
    }
    if (told > 1)
        put_row(grid, "all", &sum);
    return told;
}
