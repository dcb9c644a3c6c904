/* Commas separate choices and, inside brackets, settings. */
#include "harness/compare/solver_choice.h"

#include <string.h>

#include "harness/base/die.h"
#include "harness/base/json_writer.h"

/* Sets the selection of records from name and settings. */
static void make_selection(struct pool *pool, struct solver_choice *choice)
{
    cJSON *selection = json_keep(pool, json_new_object());
    json_put_text(selection, "solver", choice->name);
    cJSON *where = json_put_object(selection, "where");
    for (size_t i = 0; i < choice->n_settings; i++)
        json_set_word(where, choice->settings[i].name, choice->settings[i].value);
    choice->selection = selection;
}

static void read_setting(struct pool *pool, const char *option, const char *text, size_t length,
                         struct solver_choice *choice)
{
    const char *equals = memchr(text, '=', length);
    if (!equals || equals == text || equals + 1 == text + length)
        die(STATUS_BAD_INPUT, "%s: \"%.*s\" in \"%s\" is not SETTING=VALUE", option, (int)length, text, choice->text);
    struct solver_setting *setting = &choice->settings[choice->n_settings++];
    setting->name = pool_strndup(pool, text, (size_t)(equals - text));
    setting->value = pool_strndup(pool, equals + 1, length - (size_t)(equals - text) - 1);
    for (size_t i = 0; i + 1 < choice->n_settings; i++)
        if (strcmp(choice->settings[i].name, setting->name) == 0)
            die(STATUS_BAD_INPUT, "%s: \"%s\" has %s twice", option, choice->text, setting->name);
}

static void read_choice(struct pool *pool, const char *option, struct solver_choice *choice)
{
    const char *text = choice->text, *open = strchr(text, '['), *close = strchr(text, ']');
    size_t name_length = strcspn(text, "[]");
    if (name_length == 0)
        die(STATUS_BAD_INPUT, "%s: \"%s\" does not name a solver", option, text);
    choice->name = pool_strndup(pool, text, name_length);
    if (!open && !close)
        return;
    if (!open || !close || close < open || close[1] || strchr(open + 1, '['))
        die(STATUS_BAD_INPUT, "%s: \"%s\" has unmatched brackets; expected NAME[SETTING=VALUE,...]", option, text);
    choice->settings = pool_array(pool, (size_t)(close - open), sizeof *choice->settings);
    for (const char *at = open + 1;; at++) {
        size_t length = strcspn(at, ",]");
        read_setting(pool, option, at, length, choice);
        at += length;
        if (at == close)
            return;
    }
}

struct solver_choices solver_choices_read(struct pool *pool, const char *option, const char *list)
{
    struct solver_choices choices = {.items = pool_array(pool, strlen(list) + 1, sizeof *choices.items)};
    for (const char *at = list;; at++) {
        struct solver_choice *choice = &choices.items[choices.count++];
        size_t length = 0; /* up to a comma outside brackets, or the end */
        for (int inside = 0; at[length] && (inside || at[length] != ','); length++)
            inside = at[length] == '[' || (inside && at[length] != ']');
        choice->text = pool_strndup(pool, at, length);
        read_choice(pool, option, choice);
        for (size_t i = 0; i + 1 < choices.count; i++)
            if (strcmp(choices.items[i].text, choice->text) == 0)
                die(STATUS_BAD_INPUT, "%s: \"%s\" occurs twice", option, choice->text);
        make_selection(pool, choice);
        at += length;
        if (!*at)
            return choices;
    }
}

int solver_choice_matches(const struct solver_choice *choice, const struct record *record)
{
    return (!choice->datasets || name_order_find(choice->datasets, record->dataset) < choice->datasets->count) &&
           selection_matches(choice->selection, record);
}

struct records solver_choice_select(struct pool *pool, const char *option, const char *folder,
                                    const struct solver_choice *choice, const struct records *from)
{
    const struct json_path place = {.file = pool_printf(pool, "%s: %s", option, folder)};
    struct known_names known = {{.pool = pool}, {.pool = pool}, {.pool = pool}};
    struct records chosen = {.pool = pool};
    size_t n = 0;
    known_names_add(&known, from);
    selection_check(choice->selection, &place, &known);
    records_append(&chosen, from);
    selection_keep(choice->selection, &place, STATUS_BAD_INPUT, &chosen);
    for (size_t i = 0; i < chosen.count; i++)
        if (solver_choice_matches(choice, chosen.items[i]))
            chosen.items[n++] = chosen.items[i];
    chosen.count = n;
    return chosen;
}

/* ---- sweeps ---- */

/* "2|4|8": the values in the solver's records with the other settings, in ascending order; NULL if there are none. */
static const char *list_of_records(struct pool *pool, const struct solver_choice *choice, size_t swept,
                                   const struct records *records)
{
    const struct setting **values = pool_array(pool, records->count, sizeof *values);
    const char *list = NULL;
    size_t n = 0;
    for (size_t r = 0; r < records->count; r++) {
        const struct setting *found = record_setting(records->items[r], choice->settings[swept].name);
        size_t known = 0, at;
        if (!found || !solver_choice_matches(choice, records->items[r]))
            continue;
        while (known < n && strcmp(values[known]->text, found->text) != 0)
            known++;
        if (known < n)
            continue;
        for (at = n++; at > 0 && values[at - 1]->number > found->number; at--)
            values[at] = values[at - 1];
        values[at] = found;
    }
    for (size_t i = 0; i < n; i++)
        list = pool_printf(pool, "%s%s%s", i ? list : "", i ? "|" : "", values[i]->text);
    return list;
}

/* Adds the choice with `length` bytes of the value in place of that of the swept setting, unless it has none. */
static void add_choice(struct pool *pool, const char *option, struct solver_choices *choices,
                       const struct solver_choice *from, size_t swept, const char *value, size_t length, size_t sweep)
{
    choices->items = pool_grow(pool, choices->items, choices->count, &choices->capacity, sizeof *choices->items);
    struct solver_choice *choice = &choices->items[choices->count++];
    *choice = *from;
    choice->text = from->name;
    choice->settings = pool_array(pool, from->n_settings, sizeof *choice->settings);
    for (size_t i = 0; i < from->n_settings; i++) {
        struct solver_setting *setting = &choice->settings[i];
        *setting = from->settings[i];
        if (i == swept)
            setting->value = pool_strndup(pool, value, length);
        choice->text = pool_printf(pool, "%s%s%s=%s%s", choice->text, i ? "," : "[", setting->name, setting->value,
                                   i + 1 == from->n_settings ? "]" : "");
    }
    make_selection(pool, choice);
    if (swept == from->n_settings)
        return;
    choice->sweep = sweep;
    choice->swept = choice->settings[swept].name;
    if (length == 0)
        die(STATUS_BAD_INPUT, "%s: \"%s\" has an empty value of %s", option, from->text, choice->swept);
    for (size_t i = 0; i + 1 < choices->count; i++)
        if (strcmp(choices->items[i].text, choice->text) == 0)
            die(STATUS_BAD_INPUT, "%s: \"%s\" occurs twice", option, choice->text);
}

static void expand_one(struct pool *pool, const char *option, const struct solver_choice *from,
                       const struct records *records, size_t sweep, struct solver_choices *choices)
{
    const size_t n = from->n_settings;
    size_t swept = n;
    for (size_t i = 0; i < n; i++) {
        const char *value = from->settings[i].value;
        if (strcmp(value, "*") != 0 && !strchr(value, '|'))
            continue;
        if (swept < n)
            die(STATUS_BAD_INPUT, "%s: \"%s\" sweeps %s and %s; allowed: several values of one setting", option,
                from->text, from->settings[swept].name, from->settings[i].name);
        swept = i;
    }
    const char *list = swept < n ? from->settings[swept].value : "";
    if (strcmp(list, "*") == 0 && records)
        list = list_of_records(pool, from, swept, records);
    if (!list)
        die(STATUS_BAD_INPUT, "%s: no record of %s has a setting \"%s\"", option, from->text,
            from->settings[swept].name);
    for (const char *at = list;; at++) {
        const size_t length = strcspn(at, "|");
        add_choice(pool, option, choices, from, swept, at, length, sweep);
        at += length;
        if (!*at)
            return;
    }
}

struct solver_choices sweep_expand(struct pool *pool, const char *option, const struct records *records,
                                   const struct solver_choices *choices)
{
    struct solver_choices expanded = {0};
    for (size_t i = 0; i < choices->count; i++)
        expand_one(pool, option, &choices->items[i], records, i + 1, &expanded);
    return expanded;
}

size_t sweep_end(const struct solver_choices *choices, size_t first)
{
    size_t end = first;
    while (end < choices->count && choices->items[end].sweep == choices->items[first].sweep)
        end++;
    return end;
}

const char *sweep_value(const struct solver_choice *choice)
{
    size_t i = 0;
    while (strcmp(choice->settings[i].name, choice->swept) != 0)
        i++;
    return choice->settings[i].value;
}

/* ---- --sweep ---- */

const char *sweep_add(struct pool *pool, const char *option, const char *list, const char *sweep)
{
    const char *equals = strchr(sweep, '='), *text = NULL;
    if (!equals || equals == sweep || !equals[1] || strpbrk(sweep, "[]|"))
        return NULL;
    const struct solver_choices choices = solver_choices_read(pool, option, list);
    char *values = pool_strdup(pool, equals + 1);
    for (char *at = values; (at = strchr(at, ',')) != NULL;)
        *at = '|';
    for (size_t i = 0; i < choices.count; i++) {
        const struct solver_choice *choice = &choices.items[i];
        text = pool_printf(pool, "%s%s%.*s%s%.*s=%s]", text ? text : "", text ? "," : "",
                           (int)strcspn(choice->text, "]"), choice->text, choice->n_settings ? "," : "[",
                           (int)(equals - sweep), sweep, values);
    }
    return text;
}
