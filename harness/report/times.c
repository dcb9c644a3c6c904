/* A share is seconds of a stage / seconds of all stages; that of all folders is the share in their sums. */
#include "harness/report/times.h"

#include <cjson/cJSON.h>

#include "harness/run/run_info.h"

struct times {
    double seconds, available, peak;
    struct spent spent;
};

static double number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

/* Nonzero where run.json tells. A merge has threads of its own in each folder, so what was available follows from `busy`. */
static int times_read(const cJSON *info, struct times *times)
{
    const cJSON *time = cJSON_GetObjectItemCaseSensitive(info, "time");
    const cJSON *machine = cJSON_GetObjectItemCaseSensitive(info, "machine");
    const double busy = number(time, ABOUT_BUSY);
    if (!(busy > 0))
        return 0;
    *times = (struct times){.seconds = number(info, "seconds"),
                            .available = number(time, ABOUT_PROCESSOR) / busy,
                            .peak = number(machine, ABOUT_PEAK),
                            .spent.processor = number(time, ABOUT_PROCESSOR)};
    for (unsigned s = 0; s < STAGES; s++)
        times->spent.seconds[s] = number(time, stage_name((enum stage)s));
    return 1;
}

static void times_add(struct times *sum, const struct times *times)
{
    sum->seconds += times->seconds;
    sum->available += times->available;
    sum->peak = times->peak > sum->peak ? times->peak : sum->peak;
    spent_add(&sum->spent, &times->spent);
}

static void put_row(struct grid *grid, const char *name, const struct times *times)
{
    const double total = spent_total(&times->spent);
    grid_cell(grid, "%s", name);
    grid_cell(grid, "%.1f", times->seconds);
    grid_cell(grid, "%.0f %%", 100 * times->spent.processor / times->available);
    for (unsigned s = 0; s < STAGES; s++)
        grid_cell(grid, "%.0f %%", total > 0 ? 100 * times->spent.seconds[s] / total : 0);
    grid_cell(grid, "%.0f", times->peak);
}

static void put_heads(struct grid *grid)
{
    grid->columns = TIMES_COLUMNS;
    grid_cell(grid, "folder");
    grid_cell(grid, "seconds");
    grid_cell(grid, "busy");
    for (unsigned s = 0; s < STAGES; s++)
        grid_cell(grid, "%s", stage_name((enum stage)s));
    grid_cell(grid, "memory");
}

size_t times_grid(const struct report *report, struct grid *grid)
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
