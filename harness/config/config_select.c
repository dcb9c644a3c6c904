/* Parts of a configuration: named solvers, data sets and splits, as for the options of `run`, and what plugins provide.
 * Lists of numbers, such as those of splits: "1-10,20". */
#include <stdlib.h>
#include <string.h>

#include "harness/config/config.h"
#include "harness/data/split.h"
#include "solvers/registry.h"

/* ---- lists of numbers ---- */

/* Reads "7" or "1-10" and moves to the comma after it, or to the end. */
static int read_range(const char **at, size_t max, size_t *first, size_t *last)
{
    return number_range_parse(at, first, last) && *first >= 1 && *last <= max && *last >= *first &&
           (**at == ',' || **at == '\0');
}

size_t *number_list_parse(struct pool *pool, const char *text, size_t max, size_t *count)
{
    unsigned char *wanted = xcalloc(max + 1, 1);
    const char *at = text;
    size_t first, last, *list = NULL;
    int is_list;
    *count = 0;
    do {
        is_list = read_range(&at, max, &first, &last);
        for (size_t s = first; is_list && s <= last; s++) {
            *count += !wanted[s];
            wanted[s] = 1;
        }
    } while (is_list && *at++ != '\0');
    if (is_list)
        list = pool_array(pool, *count, sizeof *list);
    for (size_t s = 1, n = 0; list && s <= max; s++)
        if (wanted[s])
            list[n++] = s;
    free(wanted);
    return list;
}

int config_has_split(const char *list, size_t split)
{
    size_t first, last;
    do {
        if (!read_range(&list, MAX_SPLIT, &first, &last))
            return 0;
        if (split >= first && split <= last)
            return 1;
    } while (*list++ != '\0');
    return 0;
}

size_t *split_list_read(struct pool *pool, const char *text, const struct json_path *place, size_t *count)
{
    size_t *list = number_list_parse(pool, text, MAX_SPLIT, count);
    if (!list)
        json_die(place, "\"%.40s\" is not a list of split numbers; allowed: numbers from 1 to %d, such as \"1-10,20\"",
                 text, MAX_SPLIT);
    return list;
}

/* ---- selections ---- */

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

/* Keeps the items, of `size` bytes each, whose names are among the words; returns their number. Each word has to be one
 * of the NULL-terminated names. */
static size_t keep_named(const char *option, const char *words, void *items, size_t size, const char **names)
{
    const struct json_path place = {.file = option};
    char word[64], *item = items;
    size_t kept = 0;
    for (const char *at = words; at; at = strchr(at, ',')) {
        at += *at == ',';
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ","), at);
        json_check_word(&place, "name", word, names);
    }
    for (size_t i = 0; names[i]; i++)
        if (config_names(words, names[i])) {
            memmove(item + kept * size, item + i * size, size);
            names[kept++] = names[i];
        }
    names[kept] = NULL;
    return kept;
}

/* Keeps the splits that are in the list. */
static void keep_splits(struct config *config, const char *text, int must_have_all)
{
    const struct json_path place = {.file = "--splits"};
    size_t count, kept = 0;
    const size_t *wanted = split_list_read(config->pool, text, &place, &count);
    const size_t last = config->splits[config->n_splits - 1];
    for (size_t i = 0, w = 0; w < count; w++) { /* both ascend */
        while (i < config->n_splits && config->splits[i] < wanted[w])
            i++;
        if (i < config->n_splits && config->splits[i] == wanted[w])
            config->splits[kept++] = wanted[w];
        else if (must_have_all)
            json_die(&place, "the configuration has no split %zu; its last is %zu", wanted[w], last);
    }
    if (kept == 0)
        json_die(&place, "\"%s\" names no split of the configuration", text);
    config->n_splits = kept;
}

void config_select(struct config *config, const char *solvers, const char *datasets, const char *splits,
                   int must_have_all)
{
    const char **names = pool_array(config->pool, config->n_solvers + 1, sizeof *names);
    for (size_t s = 0; s < config->n_solvers; s++)
        names[s] = config->solvers[s].solver->name;
    if (solvers)
        config->n_solvers = keep_named("--solvers", solvers, config->solvers, sizeof *config->solvers, names);
    if (datasets)
        config->n_datasets = keep_named("--datasets", datasets, config->datasets, sizeof *config->datasets,
                                        config->dataset_names);
    if (splits)
        keep_splits(config, splits, must_have_all);
}

/* ---- plugins ---- */

int config_plugin_item(const struct config *config, size_t i, struct config_plugin_item *item)
{
    const size_t n = config->n_solvers;
    *item = (struct config_plugin_item){.list = NULL};
    if (i < n) {
        const struct solver *solver = config->solvers[i].solver;
        *item = (struct config_plugin_item){"solvers", solver->name, solver_origin(solver)};
    } else if (i == n)
        *item = (struct config_plugin_item){"kernels", config->kernel->name, kernel_family_origin(config->kernel)};
    else if (i <= 2 * n) {
        const enum stop_rule rule = config->solvers[i - n - 1].stop_rule;
        const struct stopping_rule *own = stop_rule_own(rule);
        size_t before = 0; /* the first solver with this rule */
        while (config->solvers[before].stop_rule != rule)
            before++;
        *item = (struct config_plugin_item){"stops", stop_rule_name(rule),
                                            own && before == i - n - 1 ? stopping_rule_origin(own) : NULL};
    }
    return item->list != NULL;
}
