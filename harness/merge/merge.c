/* A merge from folders to a folder, see merge.h. */
#include "harness/merge/merge.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/merge/merging.h"

enum status merge_lacks(struct merging *merging, struct error *error, const char *format, ...)
{
    char text[900];
    va_list words;
    va_start(words, format);
    vsnprintf(text, sizeof text, format, words);
    va_end(words);
    if (!merging->request->partial)
        return error_set(error, STATUS_BAD_INPUT, "%s; --partial goes on without", text);
    return string_list_add(&merging->result->lacks, "%s", text)
               ? STATUS_OK
               : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", merging->request->out);
}

static void release(struct merging *merging)
{
    for (size_t p = 0; merging->parts && p < merging->n_parts; p++) {
        struct part *part = &merging->parts[p];
        run_folder_free(&part->folder);
        config_free(part->config);
        free(part->config_path);
    }
    for (size_t g = 0; merging->groups && g < merging->n_groups; g++)
        free(merging->groups[g].present);
    run_close(&merging->run);
    free(merging->parts);
    free(merging->groups);
    free(merging->solvers);
    free(merging->datasets);
    free(merging->splits);
    free(merging->entries);
    free(merging->from);
}

enum status merge_folders(const struct merge_request *request, struct merge_result *result, struct error *error)
{
    struct merging merging = {.request = request, .result = result};
    *result = (struct merge_result){0};
    enum status status = merge_read(&merging, error);
    if (status == STATUS_OK)
        status = merge_cover(&merging, error);
    if (status == STATUS_OK)
        status = merge_join(&merging, error);
    if (status == STATUS_OK)
        status = merge_write(&merging, error);
    if (status == STATUS_OK)
        memcpy(result->outcomes, merging.run.outcomes, sizeof result->outcomes);
    release(&merging);
    if (status != STATUS_OK)
        merge_result_free(result);
    return status;
}

void merge_result_free(struct merge_result *result)
{
    if (!result)
        return;
    string_list_free(&result->lacks);
    *result = (struct merge_result){0};
}
