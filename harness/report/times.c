/* A share is seconds of a stage / seconds of all stages; that of all folders is the share in their sums. */
#include "harness/report/times.h"

#include <cjson/cJSON.h>

#include "harness/run/run_info.h"

struct times {
    double seconds, available, peak;
    struct stage_times spent;
};

static double number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

/* Nonzero where run.json tells. A merge has threads of its own in each folder, so what was available follows from
 * `busy`. */
static int times_read(const cJSON *info, struct times *times)
{
    const cJSON *time = cJSON_GetObjectItemCaseSensitive(info, "time");
    const cJSON *machine = cJSON_GetObjectItemCaseSensitive(info, "machine");
    const double busy = number(time, RUN_INFO_BUSY);
    if (!(busy > 0))
        return 0;
    *times = (struct times){.seconds = number(info, "seconds"),
                            .available = number(time, RUN_INFO_PROCESSOR) / busy,
                            .peak = number(machine, RUN_INFO_PEAK),
                            .spent.processor = number(time, RUN_INFO_PROCESSOR)};
    for (unsigned s = 0; s < STAGES; s++)
        times->spent.seconds[s] = number(time, stage_name((enum stage)s));
    return 1;
}

static void times_add(struct times *sum, const struct times *times)
{
    sum->seconds += times->seconds;
    sum->available += times->available;
    sum->peak = times->peak > sum->peak ? times->peak : sum->peak;
    stage_times_add(&sum->spent, &times->spent);
}

static void put_row(struct text_table *grid, const char *name, const struct times *times)
{
    const double total = stage_times_total(&times->spent);
    text_table_cell(grid, "%s", name);
    text_table_cell(grid, "%.1f", times->seconds);
    text_table_cell(grid, "%.0f %%", 100 * times->spent.processor / times->available);
    for (unsigned s = 0; s < STAGES; s++)
        text_table_cell(grid, "%.0f %%", total > 0 ? 100 * times->spent.seconds[s] / total : 0);
    text_table_cell(grid, "%.0f", times->peak);
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
    struct times sum = {0}, times;
    size_t told = 0;
    for (size_t i = 0; i < report->count; i++) {
        if (!times_read(report->folders[i].run->info, &times))
            continue;
        if (told++ == 0)
            put_heads(grid);
        put_row(grid, report->folders[i].label, &times);
        times_add(&sum, &times);
    }
    if (told > 1)
        put_row(grid, "all", &sum);
    return told;
}
