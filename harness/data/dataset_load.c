/*
 * Loads a data set by name. The manifest lists the files that hold it, in order of preference. Each file is looked for
 * along the search path, then in the cache, then where a system package installs it. A file that exists but is damaged
 * is an error and never skipped, so that a damaged download cannot silently turn into a synthetic set. Only an intact
 * file that does not hold the set is skipped.
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "harness/data/dataset_parts.h"
#include "harness/data/dataset_text.h"
#include "harness/data/manifest.h"
#include "harness/support/file.h"

enum { MAX_SPLITS = 100000 };

/* ---- what several loads share ---- */

struct dataset_source {
    struct pool *pool;
    struct manifest *manifest; /* of the latest search path */
    struct matlab_file *files;
};

static pthread_mutex_t of_sources = PTHREAD_MUTEX_INITIALIZER;

static void unlock(void *mutex)
{
    pthread_mutex_unlock(mutex);
}

/* Locks the sources until source_unlock, or until an error ends the attempt. */
static void source_lock(struct cleanup *lock)
{
    pthread_mutex_lock(&of_sources);
    cleanup_note(lock, unlock, &of_sources);
}

static void source_unlock(struct cleanup *lock)
{
    cleanup_cancel(lock);
    unlock(&of_sources);
}

struct dataset_source *dataset_source_new(struct pool *pool)
{
    struct dataset_source *source = pool_alloc(pool, sizeof *source);
    source->pool = pool;
    return source;
}

const struct manifest *dataset_source_manifest(struct dataset_source *source, const char *search_path)
{
    const char *wanted = search_path ? search_path : "";
    struct cleanup lock;
    source_lock(&lock);
    if (!source->manifest || strcmp(source->manifest->search_path, wanted) != 0)
        source->manifest = manifest_load(source->pool, wanted);
    const struct manifest *manifest = source->manifest;
    source_unlock(&lock);
    return manifest;
}

/* The MATLAB file at `path`, read by the first thread that asks. */
static const struct matlab_file *matlab_file_of(struct dataset_source *source, const char *path, const char *known)
{
    struct cleanup lock;
    source_lock(&lock);
    struct matlab_file *file = source->files;
    while (file && strcmp(file->path, path) != 0)
        file = file->next;
    if (!file) {
        file = matlab_file_open(source->pool, path, known);
        file->next = source->files;
        source->files = file;
    }
    source_unlock(&lock);
    return file;
}

/* The state of one load. */
struct job {
    struct pool *inner; /* for what only the load needs */
    struct dataset_request request; /* of a set in the user's manifest: completed by it */
    const struct manifest_set *set; /* NULL for a text file */
    struct dataset *dataset;
    struct listed_splits listed;
    struct member_texts folders; /* those of the search path, then the cache */
    const char *test_rows;       /* path of the file with the test rows, if the set has one */
};

static void set_source(const struct job *job, const char *source)
{
    job->dataset->source = pool_strdup(job->dataset->pool, source);
}

static void set_splits(const struct job *job, size_t n_train, size_t n_test, enum split_source drawn)
{
    const struct dataset_request *request = &job->request;
    struct dataset *dataset = job->dataset;
    const size_t usual = job->set ? job->set->splits * (request->draws ? request->draws : 1) : DEFAULT_SPLITS,
                 want = request->want_splits ? request->want_splits : usual;
    if (dataset->splits)
        return;
    if (request->folds.folds) {
        const int is_named = request->config && *request->config;
        folds_fill(dataset, &request->folds, is_named ? pool_printf(job->inner, "%s: ", request->config) : "",
                   request->seed);
        return;
    }
    if (want > MAX_SPLITS)
        die(STATUS_BAD_INPUT, "%s: %zu splits are too many; allowed: at most %d", dataset->name, want,
            (int)MAX_SPLITS);
    if (n_train == 0 && n_test == 0) {
        n_train = dataset->full_size - (dataset->full_size + 2) / 3; /* two thirds rounded down, without overflow */
        n_test = dataset->full_size - n_train;
    }
    split_fill(dataset, &job->listed, want, n_train, n_test, request->seed, drawn);
}

/* ---- known sets ---- */

/* Adds a path that exists. */
static void add_path(const struct job *job, struct member_texts *found, const char *path)
{
    if (access(path, F_OK) == 0)
        *pool_push(job->inner, found) = path;
}

/* Looks for a file in each folder, then where a package installs it. */
static struct member_texts find_file(const struct job *job, const struct manifest_file *file)
{
    struct member_texts found = {0};
    for (size_t i = 0; i < job->folders.count; i++) {
        const char *folder = job->folders.item[i];
        add_path(job, &found, pool_printf(job->inner, "%s/%s", folder, file->name));
        if (file->subfolder)
            add_path(job, &found, pool_printf(job->inner, "%s/%s/%s", folder, file->subfolder, file->name));
    }
    if (file->installed)
        add_path(job, &found, file->installed);
    return found;
}

static _Noreturn void refuse_missing(const struct job *job)
{
    const struct manifest_set *set = job->set;
    const char *files = "", *folders = "", *installed = set->file_names.count ? set->files[0]->installed : NULL;
    for (size_t i = 0; i < set->file_names.count; i++)
        files = pool_printf(job->inner, "%s%s%s", files, i ? " or " : "", set->files[i]->name);
    for (size_t i = 0; i < job->folders.count; i++)
        folders = pool_printf(job->inner, "%s%s%s", folders, i ? ":" : "", job->folders.item[i]);
    if (set->test_rows && !job->test_rows)
        files = set->test_rows->name;
    die(STATUS_NOT_FOUND, "%s: no file %s contains this data set; datasets/fetch.sh downloads it; searched: %s%s%s",
        set->spec.name, files, folders, installed ? ", and " : "", installed ? installed : "");
}

/* Reads a file of the set; 0 if it does not have the set. */
static int read_from(struct job *job, const struct manifest_file *file, const char *path)
{
    const struct manifest_set *set = job->set;
    struct dataset *dataset = job->dataset;
    set_source(job, path);
    if (set->variable) {
        const struct matlab_file *matlab = matlab_file_of(job->request.source, path, file->sha256);
        if (!dataset_read_matlab(job->inner, matlab, set->variable, dataset, &job->listed))
            return 0;
        memcpy(dataset->sha256, matlab->sha256, sizeof dataset->sha256);
        memcpy(dataset->file_sha256[0], matlab->sha256, sizeof dataset->file_sha256[0]);
        dataset_close(dataset);
        return 1;
    }
    /* The file defines its own splits if it has a file of test rows, or no test rows at all. */
    struct dataset_request text = job->request;
    text.set = set->spec;
    text.set.file = path;
    text.set.test_file = job->test_rows;
    text.set.split_file = job->request.set.split_file;
    text.whole = !set->spec.n_test;
    text.hash_each = 1;
    if (text.set.split_file && strcmp(text.set.split_file, "-") != 0)
        file_check_exists(text.set.split_file); /* the set itself exists, so it must not be skipped */
    dataset_read_text_files(&text, dataset);
    return 1;
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
    const struct dataset_spec *spec = &job->request.set;
    const struct manifest_set *set = job->set;
    struct dataset *dataset = job->dataset;
    if (spec->split_file && (set->spec.synthetic || set->variable))
        die(STATUS_BAD_INPUT,
            "%s: a split file needs a data set in a text file, because rows of other data sets may repeat",
            spec->name);
    if (spec->split_file && (set->test_rows || !set->spec.n_test))
        die(STATUS_BAD_INPUT, "%s: this data set has a fixed split; a split file cannot replace it", spec->name);
    if (set->test_rows) {
        const struct member_texts found = find_file(job, set->test_rows);
        if (found.count == 0)
            refuse_missing(job);
        job->test_rows = found.item[0];
    }
    const struct manifest_file *used = NULL;
    for (size_t i = 0; !spec->synthetic && i < set->file_names.count && !used; i++) {
        const struct member_texts found = find_file(job, set->files[i]);
        for (size_t k = 0; k < found.count && !used; k++)
            if (read_from(job, set->files[i], found.item[k]))
                used = set->files[i];
    }
    if (used) {
        note_altered(dataset, dataset->source, dataset->file_sha256[0], used->sha256);
        if (job->test_rows)
            note_altered(dataset, job->test_rows, dataset->file_sha256[1], set->test_rows->sha256);
    } else {
        if (!spec->synthetic && (!set->spec.synthetic || !job->request.allow_generated))
            refuse_missing(job);
        set_source(job, DATASET_GENERATED);
        dataset_generate(job->request.seed, dataset);
    }
    const size_t n_train = job->listed.count ? job->listed.n_train : set->spec.n_train,
                 n_test = job->listed.count ? job->listed.n_test : set->spec.n_test;
    if (!dataset->splits && !job->request.folds.folds && spec->n_train + spec->n_test > 0 &&
        (spec->n_train != n_train || spec->n_test != n_test))
        die(STATUS_BAD_INPUT,
            "%s: splits of %zu training and %zu test rows are not available; this data set has %zu and %zu; only "
            "splits of your own files can have other sizes",
            spec->name, spec->n_train, spec->n_test, n_train, n_test);
    set_splits(job, n_train, n_test, used ? SPLIT_RESAMPLED : SPLIT_GENERATED);
}

/* ---- others ---- */

static void load_text(const struct job *job)
{
    const struct dataset_spec *set = &job->request.set;
    if ((set->header || set->label_column) && !dataset_text_is_csv(set->file, set->format))
        die(STATUS_BAD_INPUT, "%s: a %s applies only to CSV files", set->file,
            set->header ? "header" : "label column");
    set_source(job, set->file);
    dataset_read_text_files(&job->request, job->dataset);
    set_splits(job, set->n_train, set->n_test, SPLIT_RESAMPLED);
}

/* A set of a user manifest is the text file that it names, with the manifest's splits unless the request has others. */
static void load_own(struct job *job)
{
    struct dataset_spec *set = &job->request.set;
    const struct dataset_spec asked = *set;
    const int has_sizes = asked.n_train || asked.n_test;
    *set = job->set->spec;
    if ((has_sizes || asked.split_file) && (set->test_file || set->split_file))
        die(STATUS_BAD_INPUT, "%s: this data set has its own splits; it does not accept %s", set->name,
            has_sizes ? "sizes" : "another split file");
    file_check_exists(set->file); /* a user's file is never skipped */
    if (set->test_file)
        file_check_exists(set->test_file);
    if (has_sizes || asked.split_file) {
        set->split_file = asked.split_file ? asked.split_file : set->split_file;
        set->n_train = asked.n_train;
        set->n_test = asked.n_test;
    }
    load_text(job);
}

struct dataset *dataset_load(struct pool *pool, const struct dataset_request *request)
{
    struct job job = {.inner = pool_new(), .request = *request};
    struct dataset_request *own = &job.request;
    const char *folder = own->search_path;
    own->seed = own->seed ? own->seed : 1;
    for (size_t length = 0; search_path_next(&folder, &length);)
        *pool_push(job.inner, &job.folders) = pool_strndup(job.inner, folder, length);
    if (own->cache)
        *pool_push(job.inner, &job.folders) = own->cache;
    if (!own->set.name || !*own->set.name)
        die(STATUS_BAD_INPUT, "a data set has no name");
    job.dataset = dataset_new(pool, own->set.name);
    if (!own->source)
        own->source = dataset_source_new(job.inner);
    if (own->set.file)
        load_text(&job);
    else if (own->set.family) {
        set_source(&job, DATASET_GENERATED);
        dataset_draw_family(own, job.dataset);
    } else {
        job.set = manifest_find(dataset_source_manifest(own->source, own->search_path), own->set.name,
                                &(struct json_path){.file = "--dataset"});
        if (job.set->spec.file)
            load_own(&job);
        else
            load_named(&job);
    }
    pool_free(job.inner);
    return job.dataset;
}

struct loading {
    struct pool *pool;
    const struct dataset_request *request;
    struct dataset *dataset;
};

static void load(void *data)
{
    struct loading *loading = data;
    loading->dataset = dataset_load(loading->pool, loading->request);
}

enum status dataset_try_load(struct pool *pool, const struct dataset_request *request, struct dataset **dataset,
                             struct error *error)
{
    struct loading loading = {pool, request, NULL};
    const enum status status = attempt(load, &loading, error);
    *dataset = loading.dataset;
    return status;
}
