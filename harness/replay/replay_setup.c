/*
 * The set-up then and now: every member of run.json that says by what, where and on which data, in the order of the
 * earlier file. What a run gave (counts, times, peak memory) is not part of it.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/run_info.h"
#include "harness/replay/replaying.h"

/* Of results and times, or following from other members. */
static const char *const left_out[] = {"schema",        "config",        "plan",     "plan_of", "records", "units",
                                       "units_of_plan", "outcomes",      "finished", "seconds", "time",    "missing",
                                       "merged_from",   "restricted_to", NULL};

static int is_left_out(const char *name)
{
    const char *const *word = left_out;
    while (*word && strcmp(*word, name) != 0)
        word++;
    return *word != NULL;
}

/* The file's list of data sets as an object by their names, with what identifies them. */
static cJSON *data_by_name(const cJSON *list)
{
    cJSON *object = cJSON_CreateObject();
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, list) {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "dataset"));
        cJSON *copy = name ? cJSON_Duplicate(item, 1) : NULL;
        if (!copy || !cJSON_AddItemToObject(object, name, copy))
            cJSON_Delete(copy);
        else
            cJSON_DeleteItemFromObject(copy, "dataset");
    }
    return object;
}

/* A copy of run.json with the members that are compared. */
static cJSON *setup_of(const cJSON *about)
{
    cJSON *setup = cJSON_CreateObject();
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, about) {
        int data = strcmp(item->string, "data") == 0;
        if (is_left_out(item->string))
            continue;
        cJSON *copy = data ? data_by_name(item) : cJSON_Duplicate(item, 1);
        if (!copy || !cJSON_AddItemToObject(setup, item->string, copy))
            cJSON_Delete(copy);
    }
    cJSON_DeleteItemFromObject(cJSON_GetObjectItemCaseSensitive(setup, "machine"), "peak_megabytes");
    return setup;
}

/* Whether a member matters to the results as such: other data are not the run's. */
static int names_data(const char *path)
{
    const char *end = strrchr(path, '.');
    return strncmp(path, "data.", 5) == 0 && end && strcmp(end, ".sha256") == 0;
}

static int note(struct replaying *replaying, const char *path, const cJSON *was, const cJSON *is)
{
    char *before = was ? cJSON_PrintUnformatted(was) : NULL, *now = is ? cJSON_PrintUnformatted(is) : NULL;
    int good = string_list_add(&replaying->result->setup, "%s: was %.400s, is %.400s", path, before ? before : "not there",
                         now ? now : "not there");
    replaying->result->other_data |= names_data(path);
    cJSON_free(before);
    cJSON_free(now);
    return good;
}

static int compare(struct replaying *replaying, const char *outer, const cJSON *was, const cJSON *is)
{
    const cJSON *item = NULL;
    char path[256];
    int good = 1;
    cJSON_ArrayForEach (item, was) {
        const cJSON *now = cJSON_GetObjectItemCaseSensitive(is, item->string);
        snprintf(path, sizeof path, "%s%s%s", outer, *outer ? "." : "", item->string);
        if (cJSON_IsObject(item) && cJSON_IsObject(now))
            good = good && compare(replaying, path, item, now);
        else if (!cJSON_Compare(item, now, 1))
            good = good && note(replaying, path, item, now);
    }
    cJSON_ArrayForEach (item, is) {
        snprintf(path, sizeof path, "%s%s%s", outer, *outer ? "." : "", item->string);
        if (!cJSON_HasObjectItem(was, item->string))
            good = good && note(replaying, path, NULL, item);
    }
    return good;
}

enum status replay_compare_setup(struct replaying *replaying, struct error *error)
{
    struct run_info info;
    enum status status = run_info_of_run(&info, &replaying->run, &replaying->run.plan, error);
    if (status != STATUS_OK)
        return status;
    cJSON *about = run_info_json(&info);
    run_info_free(&info);
    cJSON *was = setup_of(replaying->before.info), *is = setup_of(about);
    int good = compare(replaying, "", was, is);
    if (good && !replaying->before.run.plan_agrees)
        good = string_list_add(&replaying->result->setup,
                         "config.json: was changed after the run: its plan is not that of run.json");
    cJSON_Delete(was);
    cJSON_Delete(is);
    cJSON_Delete(about);
    return good ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", replaying->request->folder);
}
