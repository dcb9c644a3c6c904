/* Writes the files of an atlas. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/atlas/atlas_output.h"
#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/support/file.h"
#include "harness/support/folder_lock.h"

static enum status write_json(const struct atlas *atlas, const struct atlas_results *results, const char *folder,
                              struct error *error)
{
    cJSON *json = atlas_json(atlas, results);
    char *line = json_line(json), *path = xasprintf("%s/atlas.json", folder),
         *text = xasprintf("%s\n", line);
    file_write(path, text, strlen(text));
    enum status status = atlas_page_write(line, folder, error);
    cJSON_Delete(json);
    cJSON_free(line);
    free(path);
    free(text);
    return status;
}

static void remove_earlier(const char *folder)
{
    char *plots = xasprintf("%s/plots", folder);
    file_remove_all(folder, "atlas", "");
    file_remove_all(plots, "atlas-", "");
    free(plots);
}

enum status atlas_write(const struct atlas *atlas, const struct atlas_results *results, const char *folder,
                        int no_render, struct error *error)
{
    struct folder_lock lock = {0};
    folder_make(folder);
    folder_lock_take(&lock, folder);
    remove_earlier(folder);
    enum status status = write_json(atlas, results, folder, error);
    if (status == STATUS_OK)
        status = atlas_tables_write(atlas, results, folder, error);
    if (status == STATUS_OK)
        status = atlas_figures_write(atlas, results, folder, no_render, error);
    folder_lock_release(&lock);
    return status;
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
                    family->omitted.line[i]);
        fputs(".\n", stream);
    }
    if (atlas->time_note)
        fprintf(stream, "Times are not compared: %s.\n", atlas->time_note);
    if (!atlas->sizes_known)
        fputs("Budgets are not divided by the sizes of the data sets, because some sizes are unknown.\n", stream);
}
