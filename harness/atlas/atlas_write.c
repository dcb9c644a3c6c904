/* Writes the files of an atlas. */
#include <cjson/cJSON.h>
#include <string.h>

#include "harness/atlas/atlas_output.h"
#include "harness/base/json_writer.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"

static void write_json(const struct atlas_output *out)
{
    struct pool *pool = out->atlas->scratch;
    cJSON *json = atlas_json(out->atlas, out->results);
    char *line = json_line(json), *text = pool_printf(pool, "%s\n", line);
    cJSON_Delete(json);
    file_write(pool_printf(pool, "%s/atlas.json", out->folder), text, strlen(text));
    atlas_page_write(pool, line, out->folder);
    cJSON_free(line);
    pool_reset(pool);
}

void atlas_write(const struct atlas *atlas, const struct atlas_results *results, const char *folder, int no_render)
{
    struct atlas_output out = {atlas, results, folder, {.no_render = no_render}};
    const char *plots = pool_printf(atlas->pool, "%s/plots", folder);
    struct folder_lock lock = {0};
    folder_make(folder);
    folder_lock_take(&lock, folder);
    file_remove_all(folder, "atlas", "");
    file_remove_all(plots, "atlas-", "");
    write_json(&out);
    atlas_tables_write(&out);
    atlas_findings_tables_write(&out);
    folder_make(plots);
    atlas_share_figures(&out);
    atlas_map_figures(&out);
    atlas_growth_figures(&out);
    folder_lock_release(&lock);
    figure_sink_end(&out.sink);
}

void atlas_print_notes(const struct atlas *atlas, FILE *stream)
{
    for (size_t f = 0; f < atlas->n_families; f++) {
        const struct atlas_family *family = &atlas->families[f];
        fprintf(stream, "%s: %zu solvers, %zu problems (data set, split, kernel, C), %zu targets of %s", family->title,
                family->n_series, family->n_problems, family->n_targets, atlas->rule);
        if (family->n_incomplete)
            fprintf(stream, "; %zu problems left out because a solver has no record of them", family->n_incomplete);
        for (size_t i = 0; i < family->omitted.count; i++)
            fprintf(stream, "%s%s", i ? ", " : "; left out, because they have records of fewer than half of the "
                                               "problems: ",
                    family->omitted.item[i]);
        fputs(".\n", stream);
    }
    if (atlas->time_note)
        fprintf(stream, "Times are not compared: %s.\n", atlas->time_note);
    if (!atlas->sizes_known)
        fputs("Budgets are not divided by the sizes of the data sets, because some sizes are unknown.\n", stream);
}
