/* Restricts a configuration to named solvers, data sets and splits, for the options of `hullbench run`. */
#include <stdio.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/config/config.h"

int config_names(const char *words, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = words; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return 1;
    }
    return 0;
}

/* Checks that every word of `words` is one of the names. */
static void check_words(const char *option, const char *words, const char *const *names)
{
    char word[64];
    const struct json_path place = {.file = option};
    for (const char *at = words;; at++) {
        const size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        const char *const *name = names;
        while (*name && strcmp(*name, word) != 0)
            name++;
        if (!*name)
            json_die_unknown(&place, "name", word, names);
        at += length;
        if (!*at)
            return;
    }
}

static void restrict_solvers(struct config *config, const char *words)
{
    const char **names = pool_array(config->pool, config->n_solvers + 1, sizeof *names);
    size_t kept = 0;
    for (size_t s = 0; s < config->n_solvers; s++)
        names[s] = config->solvers[s].solver->name;
    check_words("--solvers", words, names);
    for (size_t s = 0; s < config->n_solvers; s++)
        if (config_names(words, names[s]))
            config->solvers[kept++] = config->solvers[s];
    config->n_solvers = kept;
}

static void restrict_datasets(struct config *config, const char *words)
{
    const char **names = pool_array(config->pool, config->n_datasets + 1, sizeof *names);
    size_t kept = 0;
    for (size_t d = 0; d < config->n_datasets; d++)
        names[d] = config->datasets[d].name;
    check_words("--datasets", words, names);
    for (size_t d = 0; d < config->n_datasets; d++)
        if (config_names(words, names[d]))
            config->datasets[kept++] = config->datasets[d];
    config->n_datasets = kept;
}

static void restrict_splits(struct config *config, const char *text)
{
    const struct json_path place = {.file = "--splits"};
    size_t count, kept = 0;
    const size_t *wanted = split_list_read(config->pool, text, &place, &count);
    for (size_t i = 0, w = 0; i < config->n_splits; i++) {
        while (w < count && wanted[w] < config->splits[i])
            w++;
        if (w < count && wanted[w] == config->splits[i])
            config->splits[kept++] = config->splits[i];
    }
    if (kept == 0)
        json_die(&place, "\"%s\" names no split of the configuration", text);
    config->n_splits = kept;
}

void config_check_splits(const struct config *config, const char *text)
{
    const struct json_path place = {.file = "--splits"};
    size_t count;
    const size_t *wanted = split_list_read(config->pool, text, &place, &count);
    for (size_t i = 0, w = 0; w < count; w++) {
        while (i < config->n_splits && config->splits[i] < wanted[w])
            i++;
        if (i == config->n_splits || config->splits[i] != wanted[w])
            json_die(&place, "the configuration has no split %zu; its first is %zu, its last %zu", wanted[w],
                     config->splits[0], config->splits[config->n_splits - 1]);
    }
}

void config_select(struct config *config, const char *solvers, const char *datasets, const char *splits)
{
    if (solvers)
        restrict_solvers(config, solvers);
    if (datasets)
        restrict_datasets(config, datasets);
    if (splits)
        restrict_splits(config, splits);
}
