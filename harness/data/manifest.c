/*
 * Manifests, the program's and the user's, are input: every key is checked while reading, and no later code sees JSON.
 * A user manifest gives files names that configurations and verbs can use:
 *     {"datasets": [{"name": "mine", "file": "mine.csv", "label_column": "class", "splits": 20}]}
 */
#include "harness/data/manifest.h"

#include <string.h>
#include <unistd.h>

#include "harness/data/dataset_text.h"
#include "harness/support/file.h"
#include "harness/support/resource.h"

enum { MAX_ROWS = 1000000000 };

static const char *const formats[] = {"matlab", "wisconsin", "sonar", "libsvm", "csv", NULL};
const char *const header_words[] = {"yes", "no", "auto", NULL};
const char *const text_formats[] = {"libsvm", "csv", NULL};

/* ---- the program's manifest ---- */

static const struct member file_members[] = {
    {"name", MEMBER_TEXT, FIELD(struct manifest_file, name), MEMBER_REQUIRED},
    {"sha256", MEMBER_TEXT, FIELD(struct manifest_file, sha256), MEMBER_REQUIRED},
    {"subfolder", MEMBER_TEXT, FIELD(struct manifest_file, subfolder), .doc = "Also searched in each folder."},
    {"installed", MEMBER_TEXT, FIELD(struct manifest_file, installed),
     .doc = "Where a system package installs the file."},
    {"url", MEMBER_TEXT, FIELD(struct manifest_file, url)},
    MEMBERS_END_OTHERS_IGNORED,
};

const struct member manifest_set_members[] = {
    {"name", MEMBER_TEXT, FIELD(struct manifest_set, spec.name), MEMBER_REQUIRED},
    {"title", MEMBER_TEXT, FIELD(struct manifest_set, title), MEMBER_REQUIRED},
    {"source", MEMBER_TEXT, FIELD(struct manifest_set, source), MEMBER_REQUIRED},
    {"licence", MEMBER_TEXT, FIELD(struct manifest_set, licence), MEMBER_REQUIRED},
    {"format", MEMBER_TEXT, FIELD(struct manifest_set, spec.format), MEMBER_REQUIRED, .names = formats},
    {"variable", MEMBER_TEXT, FIELD(struct manifest_set, variable), .doc = "Only with the format matlab."},
    {"label_column", MEMBER_TEXT, FIELD(struct manifest_set, spec.label_column), .doc = "Only with the format csv."},
    {"header", MEMBER_TEXT, FIELD(struct manifest_set, spec.header), .names = header_words,
     .doc = "Only with the format csv."},
    {"files", MEMBER_TEXTS, FIELD(struct manifest_set, file_names), MEMBER_REQUIRED | MEMBER_NOT_EMPTY,
     .doc = "Names of files, in order of preference."},
    {"test_file", MEMBER_TEXT, FIELD(struct manifest_set, test_rows_name),
     .doc = "The file with the test rows of the only split."},
    {"synthetic", MEMBER_FLAG, FIELD(struct manifest_set, spec.synthetic), .former = "made",
     .doc = "Whether the set is generated if the files are missing."},
    {"rows", MEMBER_COUNT, FIELD(struct manifest_set, rows), MEMBER_REQUIRED, .low = 1, .high = MAX_ROWS},
    {"dims", MEMBER_COUNT, FIELD(struct manifest_set, dims), MEMBER_REQUIRED, .low = 1, .high = MAX_ROWS},
    {"positives", MEMBER_COUNT, FIELD(struct manifest_set, positives), MEMBER_REQUIRED, .low = 1, .high = MAX_ROWS},
    {"n_train", MEMBER_COUNT, FIELD(struct manifest_set, spec.n_train), MEMBER_REQUIRED, .low = 1, .high = MAX_ROWS},
    {"n_test", MEMBER_COUNT, FIELD(struct manifest_set, spec.n_test), MEMBER_REQUIRED, .high = MAX_ROWS},
    {"splits", MEMBER_COUNT, FIELD(struct manifest_set, splits), MEMBER_REQUIRED, .low = 1, .high = MAX_ROWS},
    MEMBERS_END_OTHERS_IGNORED,
};

const struct member manifest_members[] = {
    {"schema", MEMBER_COUNT, FIELD(struct manifest, schema), .low = 1, .high = 1, .fallback = 1},
    {"files", MEMBER_LIST, FIELD(struct manifest, files), MEMBER_REQUIRED | MEMBER_NOT_EMPTY,
     .inner = file_members, .inner_size = sizeof(struct manifest_file)},
    {"datasets", MEMBER_LIST, FIELD(struct manifest, sets), MEMBER_REQUIRED | MEMBER_NOT_EMPTY,
     .inner = manifest_set_members, .inner_size = sizeof(struct manifest_set)},
    MEMBERS_END_OTHERS_IGNORED,
};

/* Finds the entry of `files` with that name. */
static const struct manifest_file *file_named(const struct manifest *manifest, const char *name,
                                              const struct json_path *at)
{
    for (size_t i = 0; i < manifest->files.count; i++)
        if (strcmp(manifest->files.item[i].name, name) == 0)
            return &manifest->files.item[i];
    json_die(at, "\"%.40s\" is not the name of an entry of \"files\"", name);
}

/* Checks that the keys suit the format, and finds the files. */
static void check_set(const struct manifest *manifest, struct manifest_set *set, const struct json_path *at)
{
    const struct dataset_spec *spec = &set->spec;
    const struct json_path files = {.outer = at, .key = "files"};
    const int is_fixed = set->test_rows_name || !spec->n_test;
    const int is_text = strcmp(spec->format, "libsvm") == 0 || strcmp(spec->format, "csv") == 0;
    if ((strcmp(spec->format, "matlab") == 0) != (set->variable != NULL))
        json_die(at, "format \"matlab\" needs \"variable\", which no other format has");
    if ((spec->label_column || spec->header) && strcmp(spec->format, "csv") != 0)
        json_die(at, "\"%s\" applies only to format \"csv\"", spec->header ? "header" : "label_column");
    if (set->test_rows_name && !is_text)
        json_die(at, "\"test_file\" applies only to formats \"libsvm\" and \"csv\"");
    if (is_fixed && (set->splits != 1 || !is_text || spec->n_train + spec->n_test != set->rows))
        json_die(at, "a data set with a test file or without test rows must have one split, with all its rows");
    if (spec->n_train + spec->n_test > set->rows || set->positives >= set->rows)
        json_die(at, "rows: %zu is out of range; allowed: at least n_train + n_test, and at least positives + 1",
                 set->rows);
    if (set->test_rows_name)
        set->test_rows = file_named(manifest, set->test_rows_name, at);
    set->files = pool_array(manifest->pool, set->file_names.count, sizeof *set->files);
    for (size_t i = 0; i < set->file_names.count; i++)
        set->files[i] = file_named(manifest, set->file_names.item[i], &files);
}

struct manifest *manifest_read(struct pool *pool, const char *path)
{
    const struct json_path top = {.file = path}, in_files = {.outer = &top, .key = "files"},
                           in_sets = {.outer = &top, .key = "datasets"};
    struct manifest *manifest = pool_alloc(pool, sizeof *manifest);
    manifest->pool = pool;
    members_read(pool, manifest_members, json_read(pool, path), &top, manifest);
    for (size_t i = 0; i < manifest->files.count; i++) {
        const char *hash = manifest->files.item[i].sha256;
        if (strlen(hash) != 64 || strspn(hash, "0123456789abcdef") != 64)
            json_die(json_at_index(&in_files, i), "sha256: expected 64 lower-case hexadecimal digits");
    }
    for (size_t i = 0; i < manifest->sets.count; i++)
        check_set(manifest, &manifest->sets.item[i], &(struct json_path){.outer = &in_sets, .index = i});
    return manifest;
}

/* ---- the user's manifests ---- */

static const struct manifest_set *manifest_lookup(const struct manifest *manifest, const char *name)
{
    for (size_t i = 0; i < manifest->sets.count; i++)
        if (strcmp(manifest->sets.item[i].spec.name, name) == 0)
            return &manifest->sets.item[i];
    return NULL;
}

void dataset_spec_check(const struct dataset_spec *set, const struct json_path *place)
{
    const char *second = set->test_file ? "test_file" : "split_file";
    if (set->test_file && set->split_file)
        json_die(place, "\"test_file\" cannot be combined with \"split_file\"");
    if ((set->test_file || set->split_file) && (set->n_train || set->n_test))
        json_die(place, "split sizes cannot be combined with \"%s\"", second);
    if (strpbrk(set->name, "/\\\" ") || strlen(set->name) > FILE_NAME_PART_MAX)
        json_die(place, "data set name \"%.40s\" contains a slash, quote or space, or has more than %d bytes",
                 set->name, (int)FILE_NAME_PART_MAX);
}

const struct member manifest_own_set_members[] = {
    {"name", MEMBER_TEXT, FIELD(struct manifest_set, spec.name), MEMBER_REQUIRED},
    {"title", MEMBER_TEXT, FIELD(struct manifest_set, title)},
    {"file", MEMBER_TEXT, FIELD(struct manifest_set, spec.file), MEMBER_REQUIRED,
     .doc = "Relative to the folder of datasets.json."},
    DATASET_FILE_MEMBERS(struct manifest_set, spec.),
    {"splits", MEMBER_COUNT, FIELD(struct manifest_set, splits), .low = 1, .high = 100000, .fallback = 100},
    MEMBERS_END,
};

struct own_given {
    const cJSON *about;
    struct manifest_sets sets;
};
const struct member manifest_own_members[] = {
    {"about", MEMBER_JSON, FIELD(struct own_given, about), .doc = "Anything; hullbench does not read it."},
    {"datasets", MEMBER_LIST, FIELD(struct own_given, sets), MEMBER_REQUIRED, .inner = manifest_own_set_members,
     .inner_size = sizeof(struct manifest_set)},
    MEMBERS_END,
};

void manifest_add_own(struct manifest *manifest, const char *path)
{
    const struct json_path top = {.file = path}, place = {.outer = &top, .key = "datasets"};
    const cJSON *json = json_read(manifest->pool, path), *list = json_member(json, "datasets");
    const char *slash = strrchr(path, '/');
    const char *folder = slash ? pool_strndup(manifest->pool, path, (size_t)(slash - path)) : ".";
    struct own_given given;
    members_read(manifest->pool, manifest_own_members, json, &top, &given);
    for (size_t s = 0; s < given.sets.count; s++) {
        struct manifest_set *set = &given.sets.item[s];
        const struct json_path at = {.outer = &place, .index = s};
        const char **const files[] = {&set->spec.file, &set->spec.test_file, &set->spec.split_file};
        for (size_t f = 0; f < sizeof files / sizeof *files; f++)
            if (*files[f] && **files[f] != '/')
                *files[f] = pool_printf(manifest->pool, "%s/%s", folder, *files[f]);
        if (!set->spec.format)
            set->spec.format = dataset_text_is_csv(set->spec.file, NULL) ? "csv" : "libsvm";
        if (!set->title)
            set->title = "";
        dataset_spec_check(&set->spec, &at);
        if ((set->spec.test_file || set->spec.split_file) &&
            cJSON_HasObjectItem(cJSON_GetArrayItem(list, (int)s), "splits"))
            json_die(&at, "\"splits\" cannot be combined with a file of test rows or splits");
        if (manifest_lookup(manifest, set->spec.name))
            json_die(&at, "data set \"%s\" already exists", set->spec.name);
        *pool_push(manifest->pool, &manifest->sets) = *set;
    }
}

struct manifest *manifest_load(struct pool *pool, const char *search_path)
{
    struct manifest *manifest = manifest_read(pool, resource_find(pool, "datasets/manifest.json", STATUS_BAD_INPUT));
    manifest->search_path = pool_strdup(pool, search_path ? search_path : "");
    const char *folder = manifest->search_path;
    for (size_t length = 0; search_path_next(&folder, &length);) {
        const char *path = pool_printf(pool, "%.*s/datasets.json", (int)length, folder);
        if (access(path, F_OK) == 0)
            manifest_add_own(manifest, path);
    }
    return manifest;
}

const struct manifest_set *manifest_find(const struct manifest *manifest, const char *name,
                                         const struct json_path *place)
{
    const struct manifest_set *set = manifest_lookup(manifest, name);
    if (set)
        return set;
    const char **names = pool_array(manifest->pool, manifest->sets.count + 1, sizeof *names);
    for (size_t i = 0; i < manifest->sets.count; i++)
        names[i] = manifest->sets.item[i].spec.name;
    json_die_unknown(place, "data set", name, names);
}
