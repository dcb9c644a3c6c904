/* Expands the values of a swept setting, see value_sweep.h. */
#include "harness/comparisons/value_sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

static int is_swept(const struct solver_setting *setting)
{
    return strcmp(setting->value, "*") == 0 || strchr(setting->value, '|') != NULL;
}

/* ---- the values ---- */

/* Collects the values in the solver's records with the other settings, in ascending order; returns their number. */
static size_t values_of_records(const struct solver_choice *choice, size_t swept, const struct records *records,
                                const struct setting **values)
{
    size_t n = 0;
    for (size_t r = 0; r < records->count; r++) {
        const struct record *record = records->items[r];
        const struct setting *found = record_setting(record, choice->settings[swept].name);
        size_t known = 0, at;
        if (!found || !solver_choice_matches(choice, record))
            continue;
        while (known < n && strcmp(values[known]->text, found->text) != 0)
            known++;
        if (known < n)
            continue;
        for (at = n++; at > 0 && values[at - 1]->number > found->number; at--)
            values[at] = values[at - 1];
        values[at] = found;
    }
    return n;
}

/* "2|4|8" from the records' values; NULL if there are none. */
static char *list_of_records(const struct solver_choice *choice, size_t swept, const struct records *records)
{
    const struct setting **values = xcalloc(records->count + 1, sizeof *values);
    char *list = NULL;
    size_t size, n = values_of_records(choice, swept, records, values);
    FILE *stream = xopen_text(&list, &size);
    for (size_t i = 0; i < n; i++)
        fprintf(stream, "%s%s", i ? "|" : "", values[i]->text);
    xclose_text(stream);
    free(values);
    if (n > 0)
        return list;
    free(list);
    return NULL;
}

/* ---- expanding a choice ---- */

static void add_choice(struct solver_choices *choices, const struct solver_choice *from, size_t swept,
                       const char *value, size_t length, size_t sweep)
{
    size_t size;
    choices->items = xreallocarray(choices->items, choices->count + 1, sizeof *choices->items);
    struct solver_choice *choice = &choices->items[choices->count++];
    *choice = (struct solver_choice){.name = xstrdup(from->name), .n_settings = from->n_settings, .sweep = sweep};
    choice->settings = xcalloc(from->n_settings, sizeof *choice->settings);
    FILE *text = xopen_text(&choice->text, &size);
    fprintf(text, "%s", from->name);
    for (size_t i = 0; i < from->n_settings; i++) {
        const struct solver_setting *setting = &from->settings[i];
        choice->settings[i].name = xstrdup(setting->name);
        choice->settings[i].value = i == swept ? xasprintf("%.*s", (int)length, value) : xstrdup(setting->value);
        fprintf(text, "%s%s=%s", i ? "," : "[", setting->name, choice->settings[i].value);
    }
    fputs(from->n_settings ? "]" : "", text);
    xclose_text(text);
    choice->swept = sweep ? choice->settings[swept].name : NULL;
}

static int has_text(const struct solver_choices *choices, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(choices->items[i].text, text) == 0)
            return 1;
    return 0;
}

static enum status add_values(const char *option, const struct solver_choice *from, size_t swept, const char *list,
                              size_t sweep, struct solver_choices *choices, struct error *error)
{
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, "|");
        if (length == 0)
            return error_set(error, STATUS_BAD_INPUT, "%s: \"%s\" has an empty value of %s", option, from->text,
                             from->settings[swept].name);
        add_choice(choices, from, swept, at, length, sweep);
        if (has_text(choices, choices->count - 1, choices->items[choices->count - 1].text))
            return error_set(error, STATUS_BAD_INPUT, "%s: \"%s\" occurs twice", option,
                             choices->items[choices->count - 1].text);
        at += length;
        if (!*at)
            return STATUS_OK;
    }
}

static enum status expand_one(const char *option, const struct solver_choice *from, const struct records *records,
                              size_t sweep, struct solver_choices *choices, struct error *error)
{
    size_t swept = from->n_settings;
    for (size_t i = 0; i < from->n_settings; i++) {
        if (is_swept(&from->settings[i]) && swept < from->n_settings)
            return error_set(error, STATUS_BAD_INPUT,
                             "%s: \"%s\" sweeps %s and %s; allowed: several values of one setting", option, from->text,
                             from->settings[swept].name, from->settings[i].name);
        swept = is_swept(&from->settings[i]) ? i : swept;
    }
    if (swept == from->n_settings) {
        add_choice(choices, from, swept, "", 0, 0);
        return STATUS_OK;
    }
    const int all = strcmp(from->settings[swept].value, "*") == 0;
    char *list = all && records ? list_of_records(from, swept, records) : xstrdup(from->settings[swept].value);
    if (!list)
        return error_set(error, STATUS_BAD_INPUT, "%s: no record of %s has a setting \"%s\"", option, from->text,
                         from->settings[swept].name);
    enum status status = add_values(option, from, swept, list, sweep, choices, error);
    free(list);
    return status;
}

enum status sweep_expand(const char *option, const struct records *records, struct solver_choices *choices,
                         struct error *error)
{
    struct solver_choices expanded = {0};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < choices->count && status == STATUS_OK; i++)
        status = expand_one(option, &choices->items[i], records, i + 1, &expanded, error);
    solver_choices_free(choices);
    *choices = expanded;
    return status;
}

/* ---- --sweep ---- */

char *sweep_add(const char *list, const char *sweep)
{
    const char *equals = strchr(sweep, '=');
    char *text = NULL;
    size_t size;
    int inside = 0;
    if (!equals || equals == sweep || !equals[1] || strpbrk(sweep, "[]|"))
        return NULL;
    char *values = xstrdup(equals + 1);
    for (char *at = values; (at = strchr(at, ',')) != NULL;)
        *at = '|';
    FILE *stream = xopen_text(&text, &size);
    for (const char *at = list;; at++) {
        int ends = !*at || (*at == ',' && !inside), closes = *at == ']';
        if (closes || (ends && (at == list || at[-1] != ']')))
            fprintf(stream, "%c%.*s=%s]", closes ? ',' : '[', (int)(equals - sweep), sweep, values);
        inside = *at == '[' || (inside && !closes);
        if (!*at)
            break;
        if (!closes)
            fputc(*at, stream);
    }
    xclose_text(stream);
    free(values);
    return text;
}
