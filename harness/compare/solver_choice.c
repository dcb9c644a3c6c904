/* Commas separate choices and, inside brackets, settings. */
#include "harness/compare/solver_choice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

static char *copy_part(const char *text, size_t length)
{
    return xasprintf("%.*s", (int)length, text);
}

static enum status read_setting(const char *option, const char *text, size_t length, struct solver_choice *choice,
                                struct error *error)
{
    const char *equals = memchr(text, '=', length);
    if (!equals || equals == text || equals + 1 == text + length)
        return error_set(error, STATUS_BAD_INPUT, "%s: \"%.*s\" in \"%s\" is not SETTING=VALUE", option, (int)length,
                         text, choice->text);
    struct solver_setting *setting = &choice->settings[choice->n_settings++];
    setting->name = copy_part(text, (size_t)(equals - text));
    setting->value = copy_part(equals + 1, length - (size_t)(equals - text) - 1);
    for (size_t i = 0; i + 1 < choice->n_settings; i++)
        if (strcmp(choice->settings[i].name, setting->name) == 0)
            return error_set(error, STATUS_BAD_INPUT, "%s: \"%s\" has %s twice", option, choice->text, setting->name);
    return STATUS_OK;
}

static enum status read_choice(const char *option, struct solver_choice *choice, struct error *error)
{
    const char *text = choice->text, *open = strchr(text, '['), *close = strchr(text, ']');
    size_t name_length = strcspn(text, "[]");
    if (name_length == 0)
        return error_set(error, STATUS_BAD_INPUT, "%s: \"%s\" does not name a solver", option, text);
    choice->name = copy_part(text, name_length);
    if (!open && !close)
        return STATUS_OK;
    if (!open || !close || close < open || close[1] || strchr(open + 1, '['))
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: \"%s\" has unmatched brackets; expected NAME[SETTING=VALUE,...]", option,
                         text);
    choice->settings = xcalloc((size_t)(close - open), sizeof *choice->settings);
    for (const char *at = open + 1;; at++) {
        size_t length = strcspn(at, ",]");
        enum status status = read_setting(option, at, length, choice, error);
        at += length;
        if (status != STATUS_OK || at == close)
            return status;
    }
}

/* The length of the first choice: up to a comma outside brackets, or the end. */
static size_t choice_length(const char *list)
{
    int inside = 0;
    size_t length = 0;
    for (; list[length] && (inside || list[length] != ','); length++)
        inside = list[length] == '[' || (inside && list[length] != ']');
    return length;
}

enum status solver_choices_read(const char *option, const char *list, struct solver_choices *choices,
                                struct error *error)
{
    *choices = (struct solver_choices){.items = xcalloc(strlen(list) + 1, sizeof *choices->items)};
    for (const char *at = list;; at++) {
        struct solver_choice *choice = &choices->items[choices->count++];
        choice->text = copy_part(at, choice_length(at));
        enum status status = read_choice(option, choice, error);
        for (size_t i = 0; i + 1 < choices->count && status == STATUS_OK; i++)
            if (strcmp(choices->items[i].text, choice->text) == 0)
                status = error_set(error, STATUS_BAD_INPUT, "%s: \"%s\" occurs twice", option, choice->text);
        at += strlen(choice->text);
        if (status != STATUS_OK || !*at)
            return status;
    }
}

void solver_choices_free(struct solver_choices *choices)
{
    for (size_t i = 0; i < choices->count; i++) {
        struct solver_choice *choice = &choices->items[i];
        for (size_t k = 0; k < choice->n_settings; k++) {
            free(choice->settings[k].name);
            free(choice->settings[k].value);
        }
        free(choice->settings);
        free(choice->text);
        free(choice->name);
    }
    free(choices->items);
    *choices = (struct solver_choices){0};
}

static int has_value(const struct record *record, const struct solver_setting *wanted)
{
    const struct setting *setting = record_setting(record, wanted->name);
    char *end;
    double number = strtod(wanted->value, &end);
    if (!setting)
        return 0;
    if (*end == '\0' && !isnan(setting->number))
        return fabs(setting->number - number) <= 1e-12 * fabs(number);
    return strcmp(setting->text, wanted->value) == 0;
}

int solver_choice_matches(const struct solver_choice *choice, const struct record *record)
{
    if (strcmp(record->solver, choice->name) != 0 ||
        (choice->half != SPLITS_ALL && (record->split % 2 == 1) != (choice->half == SPLITS_ODD)))
        return 0;
    for (size_t i = 0; i < choice->n_settings; i++)
        if (strcmp(choice->settings[i].value, "*") == 0 ? !record_setting(record, choice->settings[i].name)
                                                        : !has_value(record, &choice->settings[i]))
            return 0;
    return 1;
}

/* ---- reasons for no match ---- */

/* Adds a text to a comma-separated list unless it is already there. */
static void list_once(char **list, const char *text)
{
    char *longer, *padded = xasprintf(", %s, ", *list), *wanted = xasprintf(", %s, ", text);
    if (!strstr(padded, wanted)) {
        longer = xasprintf("%s%s%s", *list, **list ? ", " : "", text);
        free(*list);
        *list = longer;
    }
    free(padded);
    free(wanted);
}

/* The values of the setting in the solver's records or, if `name` is NULL, the names of all settings. */
static char *list_settings(const struct solver_choice *choice, const struct records *from, const char *name)
{
    char *list = xstrdup("");
    for (size_t r = 0; r < from->count; r++) {
        const struct record *record = from->items[r];
        if (strcmp(record->solver, choice->name) != 0)
            continue;
        for (size_t s = 0; s < record->n_settings; s++)
            if (!name || strcmp(record->settings[s].name, name) == 0)
                list_once(&list, name ? record->settings[s].text : record->settings[s].name);
    }
    return list;
}

char *solver_list(const struct records *from)
{
    char *list = xstrdup("");
    for (size_t r = 0; r < from->count; r++)
        if (r == 0 || strcmp(from->items[r]->solver, from->items[r - 1]->solver) != 0)
            list_once(&list, from->items[r]->solver);
    return list;
}

static enum status no_such_setting(const char *option, const char *folder, const struct solver_choice *choice,
                                   const struct records *from, struct error *error)
{
    char *names = list_settings(choice, from, NULL);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < choice->n_settings && status == STATUS_OK; i++) {
        const struct solver_setting *wanted = &choice->settings[i];
        const struct solver_choice alone = {
            .name = choice->name, .settings = &choice->settings[i], .n_settings = 1};
        char *values = list_settings(choice, from, wanted->name);
        int found = 0;
        for (size_t r = 0; r < from->count && !found; r++)
            found = solver_choice_matches(&alone, from->items[r]);
        if (!*values)
            status = error_set(error, STATUS_BAD_INPUT, "%s: the records of %s in %s have no setting \"%s\"; they "
                                                        "have: %s",
                               option, choice->name, folder, wanted->name, names);
        else if (!found)
            status = error_set(error, STATUS_BAD_INPUT, "%s: no record of %s in %s has %s %s; allowed: %s",
                               option, choice->name, folder, wanted->name, wanted->value, values);
        free(values);
    }
    free(names);
    if (status == STATUS_OK)
        status = error_set(error, STATUS_BAD_INPUT, "%s: %s has no record of %s with all these settings, only records "
                                                    "with each of them",
                           option, folder, choice->text);
    return status;
}

enum status solver_choice_select(const char *option, const char *folder, const struct solver_choice *choice,
                                 const struct records *from, struct records *chosen, struct error *error)
{
    int known = 0;
    for (size_t i = 0; i < from->count; i++) {
        known |= strcmp(from->items[i]->solver, choice->name) == 0;
        if (solver_choice_matches(choice, from->items[i]))
            records_add(chosen, from->items[i]);
    }
    if (chosen->count > 0)
        return STATUS_OK;
    if (choice->half != SPLITS_ALL)
        return error_set(error, STATUS_NOT_FOUND, "nothing to compare: %s has no record of %s on %s splits", folder,
                         choice->text, choice->half == SPLITS_ODD ? "odd" : "even");
    if (known)
        return no_such_setting(option, folder, choice, from, error);
    char *names = solver_list(from);
    enum status status = error_set(error, STATUS_BAD_INPUT, "%s: %s has no records of \"%.64s\"; it has records of: %s",
                                   option, folder, choice->name, names);
    free(names);
    return status;
}
