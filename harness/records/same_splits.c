/*
 * Records of several folders are paired by data set, number and source of the split. Official splits are lists in the
 * data file and the same everywhere; those in a user's file are the same if the data are. All others depend on seed,
 * data and sizes (split.h) or number of folds (folds.h), and results on them depend on whether features were
 * standardised. So if two folders share such splits, these settings must agree. The number of repeats of a
 * cross-validation need not, because each repeat is shuffled independently.
 */
#include "harness/records/same_splits.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/support/json_field.h"
#include "harness/data/split.h"

enum { SHOWN = 72 };

static const cJSON *member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* The object in the list whose `key` is the name, or NULL. */
static const cJSON *named(const cJSON *list, const char *key, const char *name)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, list) {
        const char *word = cJSON_GetStringValue(member(item, key));
        if (word && name && strcmp(word, name) == 0)
            return item;
    }
    return NULL;
}

/* Where a folder stores the settings that the splits of a data set depend on. */
enum place { IN_RUN, IN_CONFIG, IN_SET, IN_SPLITS, PLACES };
struct side {
    const char *path;
    const cJSON *json[PLACES]; /* the data set in run.json, the configuration, its entry of the set and its "splits" */
};

/* Kinds of splits that two folders share. */
enum { DRAWN = 1, FOLDS = 2, OWN_FILE = 4, ANY = DRAWN | FOLDS | OWN_FILE };

static const struct {
    const char *what, *key;
    enum place place;
    int matters; /* the splits it affects */
    const char *fallback;
} conditions[] = {
    {"data with SHA-256", "sha256", IN_RUN, ANY, "not given"},
    {"seed", "seed", IN_CONFIG, DRAWN | FOLDS, "1"},
    {"standardise", "standardise", IN_CONFIG, ANY, "\"training\""}, /* the default of the user's files */
    {"n_train", "n_train", IN_SET, DRAWN, "not given"},
    {"n_test", "n_test", IN_SET, DRAWN, "not given"},
    {"splits.folds", "folds", IN_SPLITS, FOLDS, "10"},
    {"splits.stratified", "stratified", IN_SPLITS, FOLDS, "false"},
    {"splits.equal_sizes", "equal_sizes", IN_SPLITS, FOLDS, "false"},
};

static struct side side_of(const struct run_folder *folder, const cJSON *said)
{
    const char *dataset = cJSON_GetStringValue(member(said, "dataset"));
    return (struct side){.path = folder->path,
                         .json = {[IN_RUN] = said,
                                  [IN_CONFIG] = folder->config,
                                  [IN_SET] = named(member(folder->config, "datasets"), "name", dataset),
                                  [IN_SPLITS] = member(folder->config, "splits")}};
}

/* The splits of the data set that both have, except the official ones in the data file. */
static int shared_splits(const struct side *one, const struct side *other)
{
    int shared = 0;
    for (unsigned s = 0; s <= SPLIT_FOLD; s++) {
        const char *source = split_source_name((enum split_source)s);
        if (!member(one->json[IN_RUN], source) || !member(other->json[IN_RUN], source))
            continue;
        if (s == SPLIT_FOLD)
            shared |= FOLDS;
        else if (s != SPLIT_OFFICIAL)
            shared |= DRAWN;
        else if (member(one->json[IN_SET], "file") || member(other->json[IN_SET], "file"))
            shared |= OWN_FILE;
    }
    return shared;
}

/* An error if a setting that affects shared splits has two values. */
static enum status check_dataset(const struct side *one, const struct side *other, struct error *error)
{
    const int shared = shared_splits(one, other);
    for (size_t k = 0; k < sizeof conditions / sizeof *conditions; k++) {
        const cJSON *first = member(one->json[conditions[k].place], conditions[k].key);
        const cJSON *second = member(other->json[conditions[k].place], conditions[k].key);
        char text[2][SHOWN];
        const char *was = first ? json_to_text(first, text[0], SHOWN) : conditions[k].fallback;
        const char *is = second ? json_to_text(second, text[1], SHOWN) : conditions[k].fallback;
        if (!(shared & conditions[k].matters) ||
            (first && second ? cJSON_Compare(first, second, 1) : strcmp(was, is) == 0))
            continue;
        return error_set(error, STATUS_BAD_INPUT,
                         "%s has %s %s and %s has %s: their splits of %s have different patterns and cannot be paired",
                         one->path, conditions[k].what, was, other->path, is,
                         member(one->json[IN_RUN], "dataset")->valuestring);
    }
    return STATUS_OK;
}

static int share_a_paper(const struct run_folder *a, const struct run_folder *b)
{
    const cJSON *item = NULL;
    int shared = 0;
    cJSON_ArrayForEach (item, a->tables) {
        char *paper = xstrndup(item->valuestring, strcspn(item->valuestring, "."));
        shared = shared || run_folder_is_for(b, paper);
        free(paper);
    }
    return shared;
}

enum status run_folder_check_splits(const struct run_folder *one, const struct run_folder *other, struct error *error)
{
    const cJSON *item = NULL;
    enum status status = STATUS_OK;
    cJSON_ArrayForEach (item, member(one->info, "data")) {
        const char *dataset = cJSON_GetStringValue(member(item, "dataset"));
        const cJSON *theirs = dataset ? named(member(other->info, "data"), "dataset", dataset) : NULL;
        const struct side first = side_of(one, item), second = side_of(other, theirs);
        if (theirs && (status = check_dataset(&first, &second, error)) != STATUS_OK)
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
