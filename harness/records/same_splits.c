/*
 * Records of several folders are paired by data set, number and source of the split. Official splits are lists in the
 * data file and the same everywhere, or the user's own and the same where the data are. All others depend on seed, data
 * and sizes (split.h) or number of folds (folds.h), and what is learnt from them on whether features were standardised;
 * so where two folders share such splits, these have to agree. The repeats of a cross-validation need not: each is
 * shuffled by itself.
 */
#include "harness/records/same_splits.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "harness/support/json_field.h"
#include "harness/data/split.h"

enum { SHOWN = 72 };

static const cJSON *member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* The object of the list whose `key` is the name, or NULL. */
static const cJSON *named(const cJSON *list, const char *key, const char *name)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, list) {
        const char *word = cJSON_GetStringValue(member(item, key));
        if (word && strcmp(word, name) == 0)
            return item;
    }
    return NULL;
}

/* Two folders and the data set they are compared on. */
struct meeting {
    const struct run_folder *folders[2];
    const char *dataset;
};

/* Error where the two values, or `fallback` for one that is not given, are not alike. */
static enum status check_alike(const struct meeting *meeting, const char *what, const cJSON *first, const cJSON *second,
                               const char *fallback, struct error *error)
{
    char text[2][SHOWN];
    const char *one = first ? json_to_text(first, text[0], SHOWN) : fallback;
    const char *two = second ? json_to_text(second, text[1], SHOWN) : fallback;
    if (first && second ? cJSON_Compare(first, second, 1) : strcmp(one, two) == 0)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "%s has %s %s and %s has %s: their splits of %s are not the same patterns and cannot be paired",
                     meeting->folders[0]->path, what, one, meeting->folders[1]->path, two, meeting->dataset);
}

static enum status check_folds(const struct meeting *meeting, struct error *error)
{
    const cJSON *splits[2];
    for (int i = 0; i < 2; i++)
        splits[i] = member(meeting->folders[i]->config, "splits");
    enum status status =
        check_alike(meeting, "splits.folds", member(splits[0], "folds"), member(splits[1], "folds"), "10", error);
    if (status == STATUS_OK)
        status = check_alike(meeting, "splits.stratified", member(splits[0], "stratified"),
                             member(splits[1], "stratified"), "false", error);
    return status;
}

static enum status check_sizes(const struct meeting *meeting, struct error *error)
{
    static const char *const sizes[] = {"n_train", "n_test"};
    const cJSON *sets[2];
    enum status status = STATUS_OK;
    for (int i = 0; i < 2; i++)
        sets[i] = named(member(meeting->folders[i]->config, "datasets"), "name", meeting->dataset);
    for (int k = 0; k < 2 && status == STATUS_OK; k++)
        status =
            check_alike(meeting, sizes[k], member(sets[0], sizes[k]), member(sets[1], sizes[k]), "not given", error);
    return status;
}

/* Nonzero where the configuration has the set from a file of the user's. */
static int own_file(const cJSON *config, const char *dataset)
{
    return member(named(member(config, "datasets"), "name", dataset), "file") != NULL;
}

/* `first` and `second` say in the folders' run.json how many splits of each source were used. */
static enum status check_dataset(const struct meeting *meeting, const cJSON *first, const cJSON *second,
                                 struct error *error)
{
    int shared[SPLIT_FOLD + 1];
    for (unsigned s = 0; s <= SPLIT_FOLD; s++) {
        const char *source = split_source_name((enum split_source)s);
        shared[s] = member(first, source) && member(second, source);
    }
    const struct cJSON *one = meeting->folders[0]->config, *two = meeting->folders[1]->config;
    int drawn = shared[SPLIT_RESAMPLED] || shared[SPLIT_GENERATED];
    int own = shared[SPLIT_OFFICIAL] && (own_file(one, meeting->dataset) || own_file(two, meeting->dataset));
    if (!drawn && !shared[SPLIT_FOLD] && !own)
        return STATUS_OK;
    enum status status = check_alike(meeting, "data with SHA-256", member(first, "sha256"), member(second, "sha256"),
                                     "not given", error);
    if (status == STATUS_OK && (drawn || shared[SPLIT_FOLD]))
        status = check_alike(meeting, "seed", member(one, "seed"), member(two, "seed"), "1", error);
    if (status == STATUS_OK)
        status = check_alike(meeting, "standardise", member(one, "standardise"), member(two, "standardise"),
                             "not given", error);
    if (status == STATUS_OK && drawn)
        status = check_sizes(meeting, error);
    if (status == STATUS_OK && shared[SPLIT_FOLD])
        status = check_folds(meeting, error);
    return status;
}

static int share_a_paper(const struct run_folder *a, const struct run_folder *b)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, a->tables) {
        char paper[256];
        size_t length = strcspn(item->valuestring, ".");
        if (length >= sizeof paper)
            continue;
        memcpy(paper, item->valuestring, length);
        paper[length] = '\0';
        if (run_folder_is_for(b, paper))
            return 1;
    }
    return 0;
}

enum status run_folder_check_splits(const struct run_folder *one, const struct run_folder *other, struct error *error)
{
    struct meeting meeting = {.folders = {one, other}};
    const cJSON *item = NULL;
    enum status status = STATUS_OK;
    cJSON_ArrayForEach (item, member(one->info, "data")) {
        meeting.dataset = cJSON_GetStringValue(member(item, "dataset"));
        const cJSON *theirs = meeting.dataset ? named(member(other->info, "data"), "dataset", meeting.dataset) : NULL;
        if (theirs && (status = check_dataset(&meeting, item, theirs, error)) != STATUS_OK)
            break;
    }
    return status;
}

enum status run_folders_check_splits(const struct run_folders *runs, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t j = 1; j < runs->count; j++)
        for (size_t i = 0; i < j && status == STATUS_OK; i++)
            if (share_a_paper(&runs->items[i], &runs->items[j]))
                status = run_folder_check_splits(&runs->items[i], &runs->items[j], error);
    return status;
}
