/* The manifest and the files with several data sets, each read once for any number of loads. */
#include <pthread.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/data/dataset_parts.h"

struct dataset_source {
    struct pool *pool;
    struct manifest *manifests; /* more than one only if search paths differ */
    struct matlab_file *files;
};

static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

static void unlock(void *mutex)
{
    pthread_mutex_unlock(mutex);
}

void matio_lock(struct cleanup *lock)
{
    pthread_mutex_lock(&reading);
    cleanup_note(lock, unlock, &reading);
}

void matio_unlock(struct cleanup *lock)
{
    cleanup_cancel(lock);
    unlock(&reading);
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
    matio_lock(&lock);
    struct manifest *manifest = source->manifests;
    while (manifest && strcmp(manifest->search_path, wanted) != 0)
        manifest = manifest->next;
    if (!manifest) {
        manifest = manifest_load(source->pool, wanted);
        manifest->next = source->manifests;
        source->manifests = manifest;
    }
    matio_unlock(&lock);
    return manifest;
}

const struct matlab_file *dataset_source_matlab(struct dataset_source *source, const char *path, const char *known)
{
    struct cleanup lock;
    matio_lock(&lock);
    struct matlab_file *file = source->files;
    while (file && strcmp(file->path, path) != 0)
        file = file->next;
    if (!file) {
        file = matlab_file_open(source->pool, path, known);
        file->next = source->files;
        source->files = file;
    }
    matio_unlock(&lock);
    return file;
}
