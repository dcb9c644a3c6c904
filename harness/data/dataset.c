/*
 * Loads a data set by name. The manifest lists the files that hold it, in order of preference. Each file is looked for
 * along the search path, then in the cache, then where a system package installs it. A file that exists but is damaged
 * is an error and never skipped, so that a damaged download cannot silently turn into a synthetic set. Only an intact
 * file that does not hold the set is skipped.
 */
#include "harness/data/dataset.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/die.h"
#include "harness/data/dataset_family.h"
#include "harness/data/dataset_parts.h"
#include "harness/support/file.h"
#include "harness/data/folds.h"
#include "harness/data/manifest.h"
#include "harness/data/dataset_text.h"
#include "harness/support/sha256.h"
#include "solvers/kernel/kernel.h"

enum { DEFAULT_SPLITS = 100, MAX_SPLITS = 100000 };

/* The state of one load. */
struct job {
    struct pool *inner; /* for what only the load needs */
    const struct dataset_request *request;
    const struct manifest_set *set; /* NULL for a text file */
    const struct manifest_file *file; /* of the set, being tried */
    struct dataset *dataset;
    struct listed_splits listed;
    const char *test_rows; /* path of the file with the test rows, if the set has one */
};

static void set_source(const struct job *job, const char *source)
{
    job->dataset->source = pool_strdup(job->dataset->pool, source);
}

static int read_matlab(struct job *job, const char *path)
{
    struct dataset *dataset = job->dataset;
    const struct matlab_file *file = dataset_source_matlab(job->request->source, path, job->file->sha256);
    if (!dataset_read_matlab(job->inner, file, job->set->variable, dataset, &job->listed))
        return 0;
    memcpy(dataset->sha256, file->sha256, sizeof dataset->sha256);
    memcpy(dataset->file_sha256[0], file->sha256, sizeof dataset->file_sha256[0]);
    return 1;
}

/* Reads the data and, if the request names one, the split file. The hash covers both, concatenated. */
static void read_uci(const struct job *job, const char *path)
{
    const struct dataset_request *request = job->request;
    struct sha256 hash;
    const struct input_options options = {.hash = &hash};
    sha256_begin(&hash);
    struct input_stream *stream = input_open(path, &options);
    dataset_read_uci(stream, job->set->format, job->dataset);
    input_close(stream);
    struct sha256 so_far = hash;
    sha256_end(&so_far, job->dataset->file_sha256[0]);
    if (request->set.split_file && !request->folds.folds) {
        if (strcmp(request->set.split_file, "-") != 0) /* the set itself exists, so it must not be skipped */
            file_check_exists(request->set.split_file);
        stream = input_open(request->set.split_file, &options);
        split_file_read(stream, job->dataset);
        input_close(stream);
    }
    sha256_end(&hash, job->dataset->sha256);
}

/* A text file of the manifest. It defines its own splits if it has a file of test rows, or no test rows at all. */
static void read_text(const struct job *job, const char *path)
{
    struct dataset_request text = *job->request;
    text.set.file = path;
    text.set.test_file = job->test_rows;
    text.set.format = job->set->format;
    text.set.label_column = job->set->label_column;
    text.set.header = job->set->header;
    text.whole = !job->set->n_test;
    text.hash_each = 1;
    dataset_read_text_files(&text, job->dataset);
}

/* What to do with a file that exists; 0 if it does not have the set. */
typedef int file_use(struct job *job, const char *path);

static int read_from(struct job *job, const char *path)
{
    set_source(job, path);
    if (manifest_set_is_text(job->set)) {
        read_text(job, path);
        return 1;
    }
    if (strcmp(job->set->format, "matlab") != 0)
        read_uci(job, path);
    else if (!read_matlab(job, path))
        return 0;
    dataset_close(job->dataset);
    return 1;
}

static int note_test_rows(struct job *job, const char *path)
{
    job->test_rows = pool_strdup(job->inner, path);
    return 1;
}

/* Uses FOLDER/[SUBFOLDER/]NAME if it exists. */
static int try_file(struct job *job, const char *folder, size_t length, const char *subfolder, const char *name,
                    file_use *use)
{
    const char *path =
        pool_printf(job->inner, "%.*s/%s%s%s", (int)length, folder, subfolder, *subfolder ? "/" : "", name);
    return access(path, F_OK) == 0 && use(job, path);
}

static int try_folder(struct job *job, const char *folder, size_t length, const struct manifest_file *file,
                      file_use *use)
{
    return try_file(job, folder, length, "", file->name, use) ||
           (file->subfolder && try_file(job, folder, length, file->subfolder, file->name, use));
}

/* Looks for one file in each folder of the search path, then in the cache, then where a package installs it. */
static int try_everywhere(struct job *job, const struct manifest_file *file, file_use *use)
{
    const char *folder = job->request->search_path, *cache = job->request->cache;
    for (size_t length = 0; search_path_next(&folder, &length);)
        if (try_folder(job, folder, length, file, use))
            return 1;
    return (cache && try_folder(job, cache, strlen(cache), file, use)) ||
           (file->installed && access(file->installed, F_OK) == 0 && use(job, file->installed));
}

static _Noreturn void refuse_missing(const struct job *job)
{
    char files[256] = "";
    const struct dataset_request *request = job->request;
    for (size_t i = 0, used = 0; i < job->set->n_files && used < sizeof files; i++)
        used += (size_t)snprintf(files + used, sizeof files - used, "%s%s", i ? " or " : "", job->set->files[i]->name);
    if (job->set->test_rows && !job->test_rows)
        snprintf(files, sizeof files, "%s", job->set->test_rows->name);
    const char *installed = job->set->n_files ? job->set->files[0]->installed : NULL;
    die(STATUS_NOT_FOUND,
        "%s: no file %s contains this data set; datasets/fetch.sh downloads it; searched: %s%s%s%s%s",
        request->set.name, files, request->search_path ? request->search_path : "",
        request->search_path && *request->search_path && request->cache ? ":" : "",
        request->cache ? request->cache : "", installed ? ", and " : "", installed ? installed : "");
}

static void check_sizes(const struct dataset_spec *set, size_t n_train, size_t n_test)
{
    if (set->n_train + set->n_test > 0 && (set->n_train != n_train || set->n_test != n_test))
        die(STATUS_BAD_INPUT,
            "%s: splits of %zu training and %zu test rows are not available; this data set has %zu and %zu; only "
            "splits of your own files can have other sizes",
            set->name, set->n_train, set->n_test, n_train, n_test);
}

static size_t splits_of_set(const struct job *job)
{
    return job->set->splits * (job->request->draws ? job->request->draws : 1);
}

static void set_splits(const struct job *job, enum split_source drawn)
{
    const struct dataset_request *request = job->request;
    struct dataset *dataset = job->dataset;
    size_t n_train = request->set.n_train, n_test = request->set.n_test;
    uint64_t seed = request->seed ? request->seed : 1;
    if (dataset->splits)
        return;
    if (request->folds.folds) {
        const int is_named = request->config && *request->config;
        folds_fill(dataset, &request->folds, is_named ? pool_printf(job->inner, "%s: ", request->config) : "", seed);
        return;
    }
    size_t want = request->want_splits ? request->want_splits : job->set ? splits_of_set(job) : DEFAULT_SPLITS;
    if (want > MAX_SPLITS)
        die(STATUS_BAD_INPUT, "%s: %zu splits are too many; allowed: at most %d", request->set.name, want,
            (int)MAX_SPLITS);
    if (job->set) {
        n_train = job->listed.count ? job->listed.n_train : job->set->n_train;
        n_test = job->listed.count ? job->listed.n_test : job->set->n_test;
        check_sizes(&request->set, n_train, n_test);
    } else if (n_train == 0 && n_test == 0) {
        n_train = dataset->full_size - (dataset->full_size + 2) / 3; /* two thirds rounded down, without overflow */
        n_test = dataset->full_size - n_train;
    }
    split_fill(dataset, &job->listed, want, n_train, n_test, seed, drawn);
}

/* Adds to dataset->altered that the file is not the one in the manifest. */
static void note_altered(struct dataset *dataset, const char *path, const char *sha256, const char *expected)
{
    const char *before = dataset->altered;
    if (strcmp(sha256, expected) != 0)
        dataset->altered = pool_printf(
            dataset->pool, "%s%s%s is not the file of datasets/manifest.json: its SHA-256 is %s, and there %s",
            before ? before : "", before ? "; " : "", path, sha256, expected);
}

static void load_named(struct job *job)
{
    const struct dataset_request *request = job->request;
    const struct manifest_set *set = job->set;
    struct dataset *dataset = job->dataset;
    if (request->set.split_file && (set->synthetic || strcmp(set->format, "matlab") == 0))
        die(STATUS_BAD_INPUT,
            "%s: a split file needs a data set in a text file, because rows of other data sets may repeat", set->name);
    if (request->set.split_file && (set->test_rows || !set->n_test))
        die(STATUS_BAD_INPUT, "%s: this data set has a fixed split; a split file cannot replace it", set->name);
    if (set->test_rows && !try_everywhere(job, set->test_rows, note_test_rows))
        refuse_missing(job);
    int is_found = 0;
    for (size_t i = 0; !request->set.synthetic && i < set->n_files && !is_found; i++) {
        job->file = set->files[i];
        is_found = try_everywhere(job, job->file, read_from);
    }
    if (is_found) {
        note_altered(dataset, dataset->source, dataset->file_sha256[0], job->file->sha256);
        if (job->test_rows)
            note_altered(dataset, job->test_rows, dataset->file_sha256[1], set->test_rows->sha256);
    } else {
        if (!request->set.synthetic && (!set->synthetic || !request->allow_generated))
            refuse_missing(job);
        set_source(job, DATASET_GENERATED);
        dataset_generate(request->seed ? request->seed : 1, dataset);
    }
    set_splits(job, is_found ? SPLIT_RESAMPLED : SPLIT_GENERATED);
}

static void load_text(const struct job *job)
{
    const struct dataset_spec *set = &job->request->set;
    char shown[44];
    if (set->format && strcmp(set->format, "csv") != 0 && strcmp(set->format, "libsvm") != 0)
        die(STATUS_BAD_INPUT, "%s: unknown format \"%s\"; allowed: libsvm, csv", set->file,
            text_shown(set->format, shown));
    if (!header_word_is_known(set->header))
        die(STATUS_BAD_INPUT, "%s: header \"%s\" is unknown; allowed: yes, no, auto", set->file,
            text_shown(set->header, shown));
    if ((set->header || set->label_column) && !dataset_text_is_csv(set->file, set->format))
        die(STATUS_BAD_INPUT, "%s: a %s applies only to CSV files", set->file,
            set->header ? "header" : "label column");
    set_source(job, set->file);
    dataset_read_text_files(job->request, job->dataset);
    set_splits(job, SPLIT_RESAMPLED);
}

static void load_family(const struct job *job)
{
    const struct dataset_request *request = job->request;
    set_source(job, DATASET_GENERATED);
    dataset_draw_family(request->set.family, request->want_splits ? request->want_splits : DEFAULT_SPLITS,
                        request->set.n_train, request->set.n_test, request->seed ? request->seed : 1, job->dataset);
}

/* A set of a user manifest is the text file that it names, with the manifest's splits unless the request has others. */
static void load_own(const struct job *job)
{
    const struct manifest_set *set = job->set;
    struct dataset_request request = *job->request;
    struct dataset_spec *own = &request.set;
    const int has_sizes = own->n_train || own->n_test;
    if ((has_sizes || own->split_file) && (set->test_file || set->split_file))
        die(STATUS_BAD_INPUT, "%s: this data set has its own splits; it does not accept %s", set->name,
            has_sizes ? "sizes" : "another split file");
    file_check_exists(set->file); /* a user's file is never skipped */
    if (set->test_file)
        file_check_exists(set->test_file);
    *own = (struct dataset_spec){
        .name = own->name,
        .file = set->file,
        .test_file = set->test_file,
        .split_file = own->split_file ? own->split_file : set->split_file,
        .format = set->format,
        .label_column = set->label_column,
        .header = set->header,
        .n_train = has_sizes || own->split_file ? own->n_train : set->n_train,
        .n_test = has_sizes || own->split_file ? own->n_test : set->n_test,
    };
    request.want_splits = request.want_splits ? request.want_splits : splits_of_set(job);
    load_text(&(struct job){.inner = job->inner, .request = &request, .dataset = job->dataset});
}

struct dataset *dataset_load(struct pool *pool, const struct dataset_request *request)
{
    struct dataset_request own = *request;
    struct job job = {.inner = pool_new(), .request = &own};
    if (!request->set.name || !*request->set.name)
        die(STATUS_BAD_INPUT, "a data set has no name");
    job.dataset = dataset_new(pool, request->set.name);
    if (!own.source)
        own.source = dataset_source_new(job.inner);
    if (request->set.file || request->set.family) {
        if (request->set.file)
            load_text(&job);
        else
            load_family(&job);
    } else {
        job.set = manifest_find(dataset_source_manifest(own.source, request->search_path), request->set.name);
        if (job.set->file)
            load_own(&job);
        else
            load_named(&job);
    }
    pool_free(job.inner);
    return job.dataset;
}

/* Corrects the mean by the mean of the centred values, which removes most of its rounding error. */
static void feature_standardise(struct dataset *dataset, size_t feature, double divisor)
{
    double full = (double)dataset->full_size, mean = 0, left = 0, squares = 0, first = 0;
    int constant = 1, started = 0;
    double *x = dataset->patterns.values + feature;
    const size_t dims = dataset->patterns.dims;
    for (size_t i = 0; i < dataset->patterns.rows; i++) {
        double value = x[i * dims];
        if (dataset->multiplicity[i] && !started) {
            first = value;
            started = 1;
        }
        constant = constant && (dataset->multiplicity[i] == 0 || value == first);
        mean += (double)dataset->multiplicity[i] * value;
    }
    mean /= full;
    for (size_t i = 0; i < dataset->patterns.rows; i++)
        left += (double)dataset->multiplicity[i] * (x[i * dims] - mean);
    mean += left / full;
    for (size_t i = 0; i < dataset->patterns.rows; i++) {
        double deviation = x[i * dims] - mean;
        squares += (double)dataset->multiplicity[i] * (deviation * deviation);
    }
    double deviation = sqrt(squares / divisor);
    for (size_t i = 0; i < dataset->patterns.rows; i++)
        x[i * dims] = constant || deviation == 0 ? 0 : (x[i * dims] - mean) / deviation;
}

/* Makes compressed patterns dense; `why` is for the message if they do not fit into memory. */
static void hold_dense(struct dataset *dataset, const char *why)
{
    struct patterns *patterns = &dataset->patterns;
    struct error error = {0};
    char where[512];
    if (!patterns_are_compressed(patterns))
        return;
    snprintf(where, sizeof where, "%.400s: %s", dataset->source, why);
    dataset_text_check_size(where, patterns->rows, patterns->dims);
    die_unless_ok(patterns_hold(patterns, PATTERNS_DENSE, &error), &error);
}

/* Makes compressed patterns dense, since only constant features stay 0. */
static void hold_standardised(struct dataset *dataset)
{
    hold_dense(dataset, "standardised features are not 0, and are held dense (--no-standardise keeps them compressed)");
}

static void standardise(struct dataset *dataset, double divisor)
{
    hold_standardised(dataset);
    for (size_t feature = 0; feature < dataset->patterns.dims; feature++)
        feature_standardise(dataset, feature, divisor);
}

void dataset_standardise(struct dataset *dataset)
{
    standardise(dataset, (double)dataset->full_size);
}

void dataset_standardise_sample(struct dataset *dataset)
{
    standardise(dataset, (double)dataset->full_size - 1);
}

void dataset_scale_by_training(struct dataset *dataset)
{
    dataset->scale_by_training = 1;
    hold_standardised(dataset);
}

/* The split's rows are a data set in which test rows do not occur. */
struct patterns dataset_standardise_split(const struct dataset *dataset, const struct split *split)
{
    const size_t n = split->n_train, rows = n + split->n_test;
    struct pool *inner = pool_new();
    struct dataset table = {.multiplicity = pool_array(inner, rows, sizeof(size_t)), .full_size = n};
    struct error error = {0};
    die_unless_ok(patterns_create(&table.patterns, rows, dataset->patterns.dims, 0, PATTERNS_DENSE, &error), &error);
    for (size_t i = 0; i < rows; i++) {
        patterns_copy_row(&table.patterns, i, &dataset->patterns, i < n ? split->train[i] : split->test[i - n], 0);
        table.multiplicity[i] = i < n;
    }
    dataset_standardise(&table);
    pool_free(inner);
    return table.patterns;
}

void dataset_make_symmetric(struct dataset *dataset)
{
    struct patterns *table = &dataset->patterns;
    struct error error = {0};
    int is_symmetric;
    die_unless_ok(kernel_table_check(table, dataset->source, &is_symmetric, &error), &error);
    if (is_symmetric)
        return;
    hold_dense(dataset, "rounded entries of a kernel table are made symmetric, and it is held dense");
    kernel_table_make_symmetric(table);
}

void dataset_reverse_training(struct dataset *dataset)
{
    for (size_t s = 0; s < dataset->n_splits; s++) {
        const struct split *split = &dataset->splits[s];
        size_t *train = dataset->indices + (split->train - dataset->indices);
        for (size_t i = 0, j = split->n_train; i + 1 < j; i++) {
            size_t row = train[i];
            train[i] = train[--j];
            train[j] = row;
        }
    }
}

void dataset_swap_labels(struct dataset *dataset)
{
    char *positive = dataset->class_names[0];
    for (size_t i = 0; i < dataset->patterns.rows; i++)
        dataset->y[i] = (signed char)-dataset->y[i];
    dataset->class_names[0] = dataset->class_names[1];
    dataset->class_names[1] = positive;
}
