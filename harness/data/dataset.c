/*
 * Loads a data set by name. The manifest lists the files that hold it, in order of preference. Each file is looked for
 * along the search path, then in the cache, then where a system package installs it. A file that exists but is damaged
 * is an error and never skipped, so that a damaged download cannot silently turn into a synthetic set. Only an intact
 * file that does not hold the set is skipped.
 */
#include "harness/base/die.h"
#include "harness/data/dataset.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    const struct dataset_request *request;
    const struct manifest_set *set; /* NULL for a text file */
    const struct manifest_file *file; /* of the set, being tried */
    struct dataset *dataset;
    struct listed_splits listed;
    char *test_rows; /* path of the file with the test rows, if the set has one */
    struct error *error;
};

void dataset_free(struct dataset *dataset)
{
    if (!dataset)
        return;
    free(dataset->name);
    patterns_free(&dataset->patterns);
    free(dataset->y);
    free(dataset->multiplicity);
    free(dataset->splits);
    free(dataset->source);
    free(dataset->indices);
    free(dataset->altered);
    columns_free(&dataset->columns);
    string_list_free(&dataset->notes);
    free(dataset->class_names[0]);
    free(dataset->class_names[1]);
    free(dataset);
}

static enum status source_set(struct job *job, const char *source)
{
    free(job->dataset->source);
    job->dataset->source = strdup(source);
    if (job->dataset->source)
        return STATUS_OK;
    return error_set(job->error, STATUS_NO_MEMORY, "%s: out of memory", source);
}

static enum status read_matlab(struct job *job, const char *path)
{
    const struct matlab_file *file;
    enum status status = dataset_source_matlab(job->request->source, path, &file, job->error);
    if (status != STATUS_OK)
        return status;
    memcpy(job->dataset->sha256, file->sha256, sizeof job->dataset->sha256);
    memcpy(job->dataset->file_sha256[0], file->sha256, sizeof job->dataset->file_sha256[0]);
    return dataset_read_matlab(file, job->set->variable, job->dataset, &job->listed, job->error);
}

static enum status read_split_file(struct job *job, const char *path, const struct input_options *options)
{
    if (strcmp(path, "-") != 0) /* the set itself exists, so it must not be skipped */
        file_check_exists(path);
    struct input_stream *stream = input_open(path, options);
    enum status status = split_file_read(stream, job->dataset, job->error);
    input_close(stream);
    return status;
}

/* Reads the data and, if the request names one, the split file. The hash covers both, concatenated. */
static enum status read_uci(struct job *job, const char *path)
{
    const struct dataset_request *request = job->request;
    struct sha256 hash;
    const struct input_options options = {.hash = &hash};
    sha256_begin(&hash);
    struct input_stream *stream = input_open(path, &options);
    enum status status = dataset_read_uci(stream, job->set->format, job->dataset, job->error);
    input_close(stream);
    struct sha256 so_far = hash;
    sha256_end(&so_far, job->dataset->file_sha256[0]);
    if (status == STATUS_OK && request->split_file && !request->folds.folds)
        status = read_split_file(job, request->split_file, &options);
    if (status == STATUS_OK)
        sha256_end(&hash, job->dataset->sha256);
    return status;
}

/* A text file of the manifest. It defines its own splits if it has a file of test rows, or no test rows at all. */
static enum status read_text(struct job *job, const char *path)
{
    struct dataset_request text = *job->request;
    text.file = path;
    text.test_file = job->test_rows;
    text.whole = !job->set->n_test;
    text.format = job->set->format;
    text.label_column = job->set->label_column;
    text.hash_each = 1;
    text.header = job->set->header;
    return dataset_read_text_files(&text, job->dataset, job->error);
}

static enum status read_from(struct job *job, const char *path)
{
    enum status status = source_set(job, path);
    if (status != STATUS_OK)
        return status;
    if (manifest_set_is_text(job->set))
        return read_text(job, path);
    status = strcmp(job->set->format, "matlab") == 0 ? read_matlab(job, path) : read_uci(job, path);
    return status == STATUS_OK ? dataset_close(job->dataset, job->error) : status;
}

static enum status note_test_rows(struct job *job, const char *path)
{
    job->test_rows = strdup(path);
    return job->test_rows ? STATUS_OK : error_set(job->error, STATUS_NO_MEMORY, "%s: out of memory", path);
}

/* What to do with a file that exists. */
typedef enum status file_use(struct job *job, const char *path);

/* Uses FOLDER/[SUBFOLDER/]NAME if it exists; STATUS_NOT_FOUND otherwise. */
static enum status try_file(struct job *job, const char *folder, size_t length, const char *subfolder, const char *name,
                            file_use *use)
{
    char path[PATH_MAX];
    int size = snprintf(path, sizeof path, "%.*s/%s%s%s", (int)length, folder, subfolder, *subfolder ? "/" : "", name);
    return size < PATH_MAX && access(path, F_OK) == 0 ? use(job, path) : STATUS_NOT_FOUND;
}

static enum status try_folder(struct job *job, const char *folder, size_t length, const struct manifest_file *file,
                              file_use *use)
{
    enum status status = try_file(job, folder, length, "", file->name, use);
    if (status == STATUS_NOT_FOUND && file->subfolder)
        status = try_file(job, folder, length, file->subfolder, file->name, use);
    return status;
}

/* Looks for one file in each folder of the search path, then in the cache, then where a package installs it. */
static enum status try_everywhere(struct job *job, const struct manifest_file *file, file_use *use)
{
    const char *folder = job->request->search_path, *cache = job->request->cache;
    enum status status = STATUS_NOT_FOUND;
    for (size_t length = 0; status == STATUS_NOT_FOUND && search_path_next(&folder, &length);)
        status = try_folder(job, folder, length, file, use);
    if (status == STATUS_NOT_FOUND && cache)
        status = try_folder(job, cache, strlen(cache), file, use);
    return status == STATUS_NOT_FOUND && file->installed && access(file->installed, F_OK) == 0
               ? use(job, file->installed)
               : status;
}

static enum status not_found(const struct job *job)
{
    char files[256] = "";
    const struct dataset_request *request = job->request;
    for (size_t i = 0, used = 0; i < job->set->n_files && used < sizeof files; i++)
        used += (size_t)snprintf(files + used, sizeof files - used, "%s%s", i ? " or " : "", job->set->files[i]->name);
    if (job->set->test_rows && !job->test_rows)
        snprintf(files, sizeof files, "%s", job->set->test_rows->name);
    const char *installed = job->set->n_files ? job->set->files[0]->installed : NULL;
    return error_set(job->error, STATUS_NOT_FOUND,
                     "%s: no file %s contains this data set; datasets/fetch.sh downloads it; searched: %s%s%s%s%s",
                     request->name, files, request->search_path ? request->search_path : "",
                     request->search_path && *request->search_path && request->cache ? ":" : "",
                     request->cache ? request->cache : "", installed ? ", and " : "", installed ? installed : "");
}

static enum status sizes_check(const struct job *job, size_t n_train, size_t n_test)
{
    const struct dataset_request *request = job->request;
    if (request->n_train + request->n_test == 0 || (request->n_train == n_train && request->n_test == n_test))
        return STATUS_OK;
    return error_set(job->error, STATUS_BAD_INPUT,
                     "%s: splits of %zu training and %zu test rows are not available; this data set has %zu and %zu; "
                     "only splits of your own files can have other sizes",
                     request->name, request->n_train, request->n_test, n_train, n_test);
}

static size_t set_splits(const struct job *job)
{
    return job->set->splits * (job->request->draws ? job->request->draws : 1);
}

static enum status splits_set(struct job *job, enum split_source drawn)
{
    const struct dataset_request *request = job->request;
    struct dataset *dataset = job->dataset;
    size_t n_train = request->n_train, n_test = request->n_test;
    uint64_t seed = request->seed ? request->seed : 1;
    if (request->folds.folds) {
        struct error said = {0};
        enum status status = folds_fill(dataset, &request->folds, seed, &said);
        const char *config = request->config ? request->config : "";
        return status == STATUS_OK ? status
                                   : error_set(job->error, status, "%s%s%s", config, *config ? ": " : "", said.message);
    }
    size_t want = request->want_splits ? request->want_splits : job->set ? set_splits(job) : DEFAULT_SPLITS;
    if (want > MAX_SPLITS)
        return error_set(job->error, STATUS_BAD_INPUT, "%s: %zu splits are too many; allowed: at most %d",
                         request->name, want, (int)MAX_SPLITS);
    if (job->set) {
        n_train = job->listed.count ? job->listed.n_train : job->set->n_train;
        n_test = job->listed.count ? job->listed.n_test : job->set->n_test;
        enum status status = sizes_check(job, n_train, n_test);
        if (status != STATUS_OK)
            return status;
    } else if (n_train == 0 && n_test == 0) {
        n_train = dataset->full_size - (dataset->full_size + 2) / 3; /* two thirds rounded down, without overflow */
        n_test = dataset->full_size - n_train;
    }
    return split_fill(dataset, &job->listed, want, n_train, n_test, seed, drawn, job->error);
}

/* Adds to dataset->altered that the file is not the one in the manifest. */
static enum status note_altered(struct job *job, const char *path, const char *sha256, const char *expected)
{
    enum { LONGEST = PATH_MAX + 300 };
    char *before = job->dataset->altered, *text;
    if (strcmp(sha256, expected) == 0)
        return STATUS_OK;
    text = malloc(2 * LONGEST);
    if (!text)
        return error_set(job->error, STATUS_NO_MEMORY, "%s: out of memory", path);
    snprintf(text, 2 * LONGEST, "%s%s%s is not the file of datasets/manifest.json: its SHA-256 is %s, and there %s",
             before ? before : "", before ? "; " : "", path, sha256, expected);
    free(before);
    job->dataset->altered = text;
    return STATUS_OK;
}

static enum status check_files(struct job *job)
{
    const struct dataset *dataset = job->dataset;
    enum status status = note_altered(job, dataset->source, dataset->file_sha256[0], job->file->sha256);
    return status == STATUS_OK && job->test_rows
               ? note_altered(job, job->test_rows, dataset->file_sha256[1], job->set->test_rows->sha256)
               : status;
}

static enum status load_named(struct job *job)
{
    enum split_source drawn = SPLIT_RESAMPLED;
    enum status status = STATUS_NOT_FOUND;
    if (job->request->split_file && (job->set->synthetic || strcmp(job->set->format, "matlab") == 0))
        return error_set(job->error, STATUS_BAD_INPUT,
                         "%s: a split file needs a data set in a text file, because rows of other data sets may repeat",
                         job->set->name);
    if (job->request->split_file && (job->set->test_rows || !job->set->n_test))
        return error_set(job->error, STATUS_BAD_INPUT, "%s: this data set has a fixed split; a split file cannot "
                                                       "replace it",
                         job->set->name);
    if (job->set->test_rows) {
        status = try_everywhere(job, job->set->test_rows, note_test_rows);
        if (status != STATUS_OK)
            return status == STATUS_NOT_FOUND ? not_found(job) : status;
        status = STATUS_NOT_FOUND;
    }
    for (size_t i = 0; !job->request->synthetic && i < job->set->n_files && status == STATUS_NOT_FOUND; i++) {
        job->file = job->set->files[i];
        status = try_everywhere(job, job->file, read_from);
    }
    if (status == STATUS_OK)
        status = check_files(job);
    if (status == STATUS_NOT_FOUND) {
        if (!job->request->synthetic && (!job->set->synthetic || !job->request->allow_generated))
            return not_found(job);
        drawn = SPLIT_GENERATED;
        status = source_set(job, DATASET_GENERATED);
        if (status == STATUS_OK)
            status = dataset_generate(job->request->seed ? job->request->seed : 1, job->dataset, job->error);
    }
    return status == STATUS_OK && !job->dataset->splits ? splits_set(job, drawn) : status;
}

static enum status load_text(struct job *job)
{
    const char *format = job->request->format;
    char shown[44];
    if (format && strcmp(format, "csv") != 0 && strcmp(format, "libsvm") != 0)
        return error_set(job->error, STATUS_BAD_INPUT, "%s: unknown format \"%s\"; allowed: libsvm, csv",
                         job->request->file, text_shown(format, shown));
    const char *header = job->request->header;
    if (header && !header_word_is_known(header))
        return error_set(job->error, STATUS_BAD_INPUT, "%s: header \"%s\" is unknown; allowed: yes, no, auto",
                         job->request->file, text_shown(header, shown));
    if ((header || job->request->label_column) && !dataset_text_is_csv(job->request->file, format))
        return error_set(job->error, STATUS_BAD_INPUT, "%s: a %s applies only to CSV files", job->request->file,
                         header ? "header" : "label column");
    enum status status = source_set(job, job->request->file);
    if (status == STATUS_OK)
        status = dataset_read_text_files(job->request, job->dataset, job->error);
    return status == STATUS_OK && !job->dataset->splits ? splits_set(job, SPLIT_RESAMPLED) : status;
}

static enum status load_family(struct job *job)
{
    const struct dataset_request *request = job->request;
    enum status status = source_set(job, DATASET_GENERATED);
    return status == STATUS_OK
               ? dataset_draw_family(request->family, request->want_splits ? request->want_splits : DEFAULT_SPLITS,
                                     request->n_train, request->n_test, request->seed ? request->seed : 1,
                                     job->dataset, job->error)
               : status;
}

/* A set of a user manifest is the text file that it names, with the manifest's splits unless the request has others. */
static enum status load_own(struct job *job)
{
    struct dataset_request own = *job->request;
    const struct manifest_set *set = job->set;
    int has_sizes = own.n_train || own.n_test;
    if ((has_sizes || own.split_file) && (set->test_file || set->split_file))
        return error_set(job->error, STATUS_BAD_INPUT, "%s: this data set has its own splits; it does not accept %s",
                         set->name, has_sizes ? "sizes" : "another split file");
    file_check_exists(set->file); /* a user's file is never skipped */
    if (set->test_file)
        file_check_exists(set->test_file);
    own.file = set->file;
    own.test_file = set->test_file;
    own.split_file = own.split_file ? own.split_file : set->split_file;
    own.format = set->format;
    own.label_column = set->label_column;
    own.header = set->header;
    own.n_train = has_sizes || own.split_file ? own.n_train : set->n_train;
    own.n_test = has_sizes || own.split_file ? own.n_test : set->n_test;
    own.want_splits = own.want_splits ? own.want_splits : set_splits(job);
    struct job text = {.request = &own, .dataset = job->dataset, .error = job->error};
    enum status status = load_text(&text);
    if (status == STATUS_NOT_FOUND && job->error) /* a user's file is never skipped */
        job->error->status = STATUS_BAD_INPUT;
    return status == STATUS_NOT_FOUND ? STATUS_BAD_INPUT : status;
}

static enum status load(const struct dataset_request *request, struct dataset **dataset, struct error *error)
{
    const struct manifest *manifest = NULL;
    struct job job = {.request = request, .error = error};
    enum status status = STATUS_OK;
    if (!request->name || !*request->name)
        return error_set(error, STATUS_BAD_INPUT, "a data set has no name");
    job.dataset = calloc(1, sizeof *job.dataset);
    if (job.dataset)
        job.dataset->name = strdup(request->name);
    if (!job.dataset || !job.dataset->name) {
        status = error_set(error, STATUS_NO_MEMORY, "%s: out of memory", request->name);
        goto done;
    }
    if (request->file || request->family) {
        status = request->file ? load_text(&job) : load_family(&job);
        goto done;
    }
    status = dataset_source_manifest(request->source, request->search_path, &manifest, error);
    if (status == STATUS_OK)
        status = manifest_find(manifest, request->name, &job.set, error);
    if (status == STATUS_OK)
        status = job.set->file ? load_own(&job) : load_named(&job);
done:
    if (status == STATUS_OK)
        *dataset = job.dataset;
    else
        dataset_free(job.dataset);
    listed_splits_free(&job.listed);
    free(job.test_rows);
    return status;
}

struct loading {
    const struct dataset_request *request;
    struct dataset *dataset;
};

static void try_load(void *data)
{
    struct loading *loading = data;
    struct error error = {0};
    if (load(loading->request, &loading->dataset, &error) != STATUS_OK)
        die_of(&error);
}

/* An attempt: runs and lists go on without a set that is missing. */
enum status dataset_load(const struct dataset_request *request, struct dataset **dataset, struct error *error)
{
    struct dataset_request own = *request;
    struct loading loading = {&own, NULL};
    struct pool *pool = own.source ? NULL : pool_new();
    if (pool)
        own.source = dataset_source_new(pool);
    const enum status status = attempt(try_load, &loading, error);
    *dataset = loading.dataset;
    pool_free(pool);
    return status;
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
static enum status hold_dense(struct dataset *dataset, const char *why, struct error *error)
{
    struct patterns *patterns = &dataset->patterns;
    char where[512];
    snprintf(where, sizeof where, "%.400s: %s", dataset->source, why);
    enum status status = dataset_text_check_size(where, patterns->rows, patterns->dims, error);
    return status == STATUS_OK ? patterns_hold(patterns, PATTERNS_DENSE, error) : status;
}

/* Makes compressed patterns dense, since only constant features stay 0. */
static enum status hold_standardised(struct dataset *dataset, struct error *error)
{
    if (!patterns_are_compressed(&dataset->patterns))
        return STATUS_OK;
    return hold_dense(dataset,
                      "standardised features are not 0, and are held dense (--no-standardise keeps them compressed)",
                      error);
}

static enum status standardise(struct dataset *dataset, double divisor, struct error *error)
{
    enum status status = hold_standardised(dataset, error);
    for (size_t feature = 0; status == STATUS_OK && feature < dataset->patterns.dims; feature++)
        feature_standardise(dataset, feature, divisor);
    return status;
}

enum status dataset_standardise(struct dataset *dataset, struct error *error)
{
    return standardise(dataset, (double)dataset->full_size, error);
}

enum status dataset_standardise_sample(struct dataset *dataset, struct error *error)
{
    return standardise(dataset, (double)dataset->full_size - 1, error);
}

enum status dataset_scale_by_training(struct dataset *dataset, struct error *error)
{
    dataset->scale_by_training = 1;
    return hold_standardised(dataset, error);
}

/* The split's rows are a data set in which test rows do not occur. */
enum status dataset_standardise_split(const struct dataset *dataset, const struct split *split,
                                      struct patterns *patterns, struct error *error)
{
    const size_t n = split->n_train, rows = n + split->n_test;
    struct dataset table = {.multiplicity = malloc(rows * sizeof(size_t)), .full_size = n};
    enum status status = table.multiplicity ? STATUS_OK
                                            : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", dataset->name);
    if (status == STATUS_OK)
        status = patterns_create(&table.patterns, rows, dataset->patterns.dims, 0, PATTERNS_DENSE, error);
    for (size_t i = 0; status == STATUS_OK && i < rows; i++) {
        patterns_copy_row(&table.patterns, i, &dataset->patterns, i < n ? split->train[i] : split->test[i - n], 0);
        table.multiplicity[i] = i < n;
    }
    if (status == STATUS_OK)
        status = dataset_standardise(&table, error);
    free(table.multiplicity);
    *patterns = table.patterns;
    return status;
}

enum status dataset_make_symmetric(struct dataset *dataset, struct error *error)
{
    struct patterns *table = &dataset->patterns;
    int is_symmetric;
    enum status status = kernel_table_check(table, dataset->source, &is_symmetric, error);
    if (status != STATUS_OK || is_symmetric)
        return status;
    if (patterns_are_compressed(table))
        status = hold_dense(dataset, "rounded entries of a kernel table are made symmetric, and it is held dense",
                            error);
    if (status == STATUS_OK)
        kernel_table_make_symmetric(table);
    return status;
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
