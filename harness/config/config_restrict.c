/* Restricts a configuration to named solvers, data sets and splits, for the options of `hullbench run`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
static enum status check_words(const char *option, const char *words, const char *const *names, struct error *error)
{
    char word[64];
    struct json_path place = {.file = option};
    for (const char *at = words;; at++) {
        size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        const char *const *name = names;
        while (*name && strcmp(*name, word) != 0)
            name++;
        if (!*name)
            return json_unknown_name(&place, "name", word, names, error);
        at += length;
        if (!*at)
            return STATUS_OK;
    }
}

static enum status restrict_solvers(struct config *config, const char *words, const char **names, struct error *error)
{
    for (size_t s = 0; s < config->n_solvers; s++)
        names[s] = config->solvers[s].solver->name;
    enum status status = check_words("--solvers", words, names, error);
    size_t kept = 0;
    for (size_t s = 0; s < config->n_solvers && status == STATUS_OK; s++) {
        if (config_names(words, names[s]))
            config->solvers[kept++] = config->solvers[s];
        else
            config_solver_free(&config->solvers[s]);
    }
    if (status == STATUS_OK)
        config->n_solvers = kept;
    return status;
}

static enum status restrict_datasets(struct config *config, const char *words, const char **names, struct error *error)
{
    for (size_t d = 0; d < config->n_datasets; d++)
        names[d] = config->datasets[d].name;
    enum status status = check_words("--datasets", words, names, error);
    size_t kept = 0;
    for (size_t d = 0; d < config->n_datasets && status == STATUS_OK; d++)
        if (config_names(words, names[d]))
            config->datasets[kept++] = config->datasets[d];
    if (status == STATUS_OK)
        config->n_datasets = kept;
    return status;
}

static enum status restrict_splits(struct config *config, const char *text, struct error *error)
{
    struct json_path place = {.file = "--splits"};
    size_t *wanted, count, kept = 0;
    enum status status = split_list_parse(text, &place, &wanted, &count, error);
    for (size_t i = 0, w = 0; i < config->n_splits && status == STATUS_OK; i++) {
        while (w < count && wanted[w] < config->splits[i])
            w++;
        if (w < count && wanted[w] == config->splits[i])
            config->splits[kept++] = config->splits[i];
    }
    if (status == STATUS_OK) {
        free(wanted);
        if (kept == 0)
            return json_error(&place, error, "\"%s\" names no split of the configuration", text);
        config->n_splits = kept;
    }
    return status;
}

enum status config_check_splits(const struct config *config, const char *text, struct error *error)
{
    const struct json_path place = {.file = "--splits"};
    size_t *wanted, count;
    enum status status = split_list_parse(text, &place, &wanted, &count, error);
    for (size_t i = 0, w = 0; w < count && status == STATUS_OK; w++) {
        while (i < config->n_splits && config->splits[i] < wanted[w])
            i++;
        if (i == config->n_splits || config->splits[i] != wanted[w])
            status = json_error(&place, error, "the configuration has no split %zu; its first is %zu, its last %zu",
                                wanted[w], config->splits[0], config->splits[config->n_splits - 1]);
    }
    free(wanted);
    return status;
}

enum status config_restrict(struct config *config, const char *solvers, const char *datasets, const char *splits,
                            struct error *error)
{
    size_t max = config->n_solvers > config->n_datasets ? config->n_solvers : config->n_datasets;
    const char **names = calloc(max + 1, sizeof *names);
    if (!names)
        return error_set(error, STATUS_NO_MEMORY, "out of memory for %zu names", max);
    enum status status = solvers ? restrict_solvers(config, solvers, names, error) : STATUS_OK;
    memset(names, 0, (max + 1) * sizeof *names);
    if (status == STATUS_OK && datasets)
        status = restrict_datasets(config, datasets, names, error);
    if (status == STATUS_OK && splits)
        status = restrict_splits(config, splits, error);
    free(names);
    return status;
}
