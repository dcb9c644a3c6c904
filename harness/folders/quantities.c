/* Quantities and tolerances (regression.h). */
#include "harness/folders/regression.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "solvers/solver.h"

/* ---- quantities ---- */

int quantity_is_count(enum record_field quantity)
{
    return measure_row(quantity)->kind == MEMBER_WHOLE;
}

int quantity_is_compared(enum record_field quantity, int accuracy)
{
    return measure_row(quantity)->tolerance && (accuracy || quantity_is_count(quantity));
}

int quantity_applies(const struct record *record, enum record_field quantity)
{
    const char *rule = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(record->stop, "rule"));
    return quantity != FIELD_KKT_VIOLATION || (rule && (strcmp(rule, "kkt") == 0 || strcmp(rule, "kkt-relaxed") == 0));
}

double quantity_of(const struct record *record, enum record_field quantity)
{
    return quantity_applies(record, quantity) ? record->field[quantity] : (double)NAN;
}

int quantity_direction(const struct record *record, enum record_field quantity)
{
    const struct solver *solver = solver_find(record->solver);
    if (quantity != FIELD_OBJECTIVE)
        return -1;
    return !solver ? 0 : formulation_is_norm(solver->formulation) ? -1 : 1;
}

/* Nonzero for a number or null: of the quantity, or of the object that contains it. */
static int is_sound(const struct record *record, enum record_field quantity)
{
    const double value = quantity_of(record, quantity);
    if (!isnan(value))
        return !quantity_is_count(quantity) || (value >= 0 && value == floor(value));
    if (!quantity_applies(record, quantity))
        return 1;
    const char *path = measure_path(quantity), *dot = strchr(path, '.');
    cJSON *json = record_json(record);
    const cJSON *operations = dot ? cJSON_GetObjectItemCaseSensitive(json, "kernel_operations") : NULL;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(dot ? operations : json, dot ? dot + 1 : path);
    const int is_sound = cJSON_IsNull(operations) || (item ? cJSON_IsNull(item) : measure_row(quantity)->since > 0);
    cJSON_Delete(json);
    return is_sound;
}

int entries_compare(const struct record *a, const struct record *b)
{
    int order = strcmp(a->solver, b->solver);
    return order ? order : record_compare(a, b);
}

static int compare(const void *a, const void *b)
{
    return entries_compare(*(const struct record *const *)a, *(const struct record *const *)b);
}

void entries_sort(struct records *records, int accuracy)
{
    for (size_t i = 0; i < records->count; i++)
        for (enum record_field q = 0; q < RECORD_FIELDS; q++)
            if (quantity_is_compared(q, accuracy) && !is_sound(records->items[i], q))
                die(STATUS_BAD_INPUT, "%s: %s: expected a %s or null", records->items[i]->where, measure_path(q),
                    quantity_is_count(q) ? "whole number from 0" : "number");
    if (records->count)
        qsort(records->items, records->count, sizeof *records->items, compare);
    for (size_t i = 1; i < records->count; i++)
        if (compare(&records->items[i - 1], &records->items[i]) == 0)
            die(STATUS_BAD_INPUT, "%s: same measurement as %s", records->items[i]->where, records->items[i - 1]->where);
}

const char *record_settings_text(const struct record *record, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < record->n_settings && used < size; i++) {
        const struct setting *setting = &record->settings[i];
        const int is_kind = strcmp(setting->name, setting_groups[setting->group]) == 0; /* the kernel or the rule */
        const char *between = !used ? "" : i > 0 && setting->group != setting[-1].group ? ", " : " ";
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s", between, is_kind ? "" : setting->name,
                                 is_kind ? "" : "=", setting->text);
    }
    return text;
}

/* ---- tolerances ---- */

static _Noreturn void unknown_key(const char *key, const struct json_path *place)
{
    const char *allowed[RECORD_FIELDS + 3] = {"all", "kernel_operations"};
    for (size_t q = 0, n = 2; q < RECORD_FIELDS; q++)
        if (quantity_is_compared((enum record_field)q, 1))
            allowed[n++] = measure_path(q);
    json_die_unknown(place, "quantity", key, allowed);
}

static int covers(const char *key, enum record_field quantity)
{
    const char *name = measure_path(quantity);
    size_t length = strlen(key);
    return strcmp(key, name) == 0 || (strcmp(key, "all") == 0 && quantity_is_count(quantity)) ||
           (strcmp(key, "kernel_operations") == 0 && strncmp(name, key, length) == 0 && name[length] == '.');
}

/* Reads one term and moves after it; 0: no term. */
static int read_term(const char **text, struct tolerance *tolerance)
{
    static const char of_objective[] = "%objective";
    char *end = NULL;
    if (!isdigit((unsigned char)**text) && **text != '.')
        return 0;
    double number = strtod(*text, &end);
    if (end == *text || !isfinite(number))
        return 0;
    if (strncmp(end, of_objective, sizeof of_objective - 1) == 0) {
        tolerance->of_objective += number / 100;
        end += sizeof of_objective - 1;
    } else if (*end == '%') {
        tolerance->relative += number / 100;
        end++;
    } else {
        tolerance->absolute += number;
    }
    *text = end;
    return 1;
}

static int read_terms(const char *text, struct tolerance *tolerance)
{
    *tolerance = (struct tolerance){0};
    while (read_term(&text, tolerance))
        if (*text == '\0')
            return 1;
        else if (*text++ != '+')
            return 0;
    return 0;
}

void tolerances_set_default(struct tolerance *tolerances)
{
    memset(tolerances, 0, RECORD_FIELDS * sizeof *tolerances);
    for (enum record_field q = 0; q < RECORD_FIELDS; q++)
        if (quantity_is_compared(q, 1))
            read_terms(measure_row(q)->tolerance, &tolerances[q]);
}

void tolerance_set(struct tolerance *tolerances, const char *key, const char *value, const struct json_path *place)
{
    struct tolerance tolerance;
    int found = 0;
    if (!read_terms(value, &tolerance))
        json_die(place, "\"%.60s\" is not a tolerance; allowed: a number from 0, a number followed by %% or "
                        "%%objective, or several of these joined by +",
                 value);
    for (enum record_field q = 0; q < RECORD_FIELDS; q++)
        if (quantity_is_compared(q, 1) && covers(key, q)) {
            tolerances[q] = tolerance;
            found = 1;
        }
    if (!found)
        unknown_key(key, place);
}

void tolerance_parse(struct tolerance *tolerances, const char *word, const struct json_path *place)
{
    char key[64];
    const char *equals = strchr(word, '=');
    if (!equals || (size_t)(equals - word) >= sizeof key)
        json_die(place, "\"%.60s\" is not KEY=VALUE, such as iterations=2%%", word);
    snprintf(key, sizeof key, "%.*s", (int)(equals - word), word);
    tolerance_set(tolerances, key, equals + 1, place);
}

double tolerance_allows(const struct tolerance *tolerance, const struct record *was, enum record_field quantity)
{
    double objective = quantity_of(was, FIELD_OBJECTIVE);
    return tolerance->relative * fabs(quantity_of(was, quantity)) +
           tolerance->of_objective * (isnan(objective) ? 0 : fabs(objective)) + tolerance->absolute;
}

int tolerance_holds(const struct tolerance *tolerance, const struct record *was, const struct record *is,
                    enum record_field quantity)
{
    double before = quantity_of(was, quantity), after = quantity_of(is, quantity);
    if (!quantity_is_count(quantity) && (was->failed || is->failed))
        return 1;
    if (measure_row(quantity)->since && (isnan(before) || isnan(after)))
        return 1; /* an older side lacks it */
    if (isnan(before) || isnan(after))
        return isnan(before) && isnan(after);
    return fabs(after - before) <= tolerance_allows(tolerance, was, quantity);
}
