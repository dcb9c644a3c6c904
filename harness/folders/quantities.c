/* Quantities and tolerances (quantities.h). */
#include "harness/folders/quantities.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "solvers/solver.h"

/* ---- quantities ---- */

/* docs/regression.md has the measured effect of rounding. */
static const struct {
    const char *name, *tolerance;
} quantities[QUANTITIES] = {
    [QUANTITY_ITERATIONS] = {"iterations", "0"},
    [QUANTITY_SETUP] = {"kernel_operations.setup", "0"},
    [QUANTITY_UPDATES] = {"kernel_operations.iterations", "0"},
    [QUANTITY_PREDICT] = {"kernel_operations.predict", "0"},
    [QUANTITY_EVALUATIONS] = {"kernel_evaluations", "0"},
    [QUANTITY_SUPPORT_VECTORS] = {"support_vectors", "0"},
    [QUANTITY_OBJECTIVE] = {"objective", "1e-7%+1e-14"},
    [QUANTITY_GAP] = {"duality_gap", "1e-7%+1e-10%objective+1e-14"},
    [QUANTITY_VIOLATION] = {"kkt_violation", "1e-7%+1e-10%objective+1e-14"},
    [QUANTITY_ERROR] = {"error_percent", "0"},
};

const char *quantity_name(enum quantity quantity)
{
    return quantities[quantity].name;
}

int quantity_applies(const struct record *record, enum quantity quantity)
{
    const char *rule = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(record->stop, "rule"));
    return quantity != QUANTITY_VIOLATION || (rule && (strcmp(rule, "kkt") == 0 || strcmp(rule, "kkt-relaxed") == 0));
}

double quantity_of(const struct record *record, enum quantity quantity)
{
    double value = (double)NAN;
    if (quantity_applies(record, quantity))
        record_number(record, quantity_name(quantity), &value);
    return value;
}

int quantity_direction(const struct record *record, enum quantity quantity)
{
    const struct solver *solver = solver_find(record->solver);
    if (quantity != QUANTITY_OBJECTIVE)
        return -1;
    return !solver ? 0 : formulation_is_norm(solver->formulation) ? -1 : 1;
}

/* Nonzero for a number or null: of the quantity, or of the object that contains it. */
static int is_sound(const struct record *record, enum quantity quantity)
{
    const char *name = quantity_name(quantity), *dot = strchr(name, '.');
    double value = quantity_of(record, quantity);
    if (!isnan(value))
        return quantity >= COUNTS || (value >= 0 && value == floor(value));
    cJSON *json = record_json(record);
    const cJSON *operations = cJSON_GetObjectItemCaseSensitive(json, "kernel_operations");
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(dot ? operations : json, dot ? dot + 1 : name);
    int has_null = !quantity_applies(record, quantity) || cJSON_IsNull(item) || (dot && cJSON_IsNull(operations));
    cJSON_Delete(json);
    return has_null;
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
    const unsigned end = accuracy ? QUANTITIES : COUNTS;
    for (size_t i = 0; i < records->count; i++)
        for (unsigned q = 0; q < end; q++)
            if (!is_sound(records->items[i], (enum quantity)q))
                die(STATUS_BAD_INPUT, "%s: %s: expected a %s or null", records->items[i]->where,
                    quantity_name((enum quantity)q), q < COUNTS ? "whole number from 0" : "number");
    if (records->count)
        qsort(records->items, records->count, sizeof *records->items, compare);
    for (size_t i = 1; i < records->count; i++)
        if (compare(&records->items[i - 1], &records->items[i]) == 0)
            die(STATUS_BAD_INPUT, "%s: same measurement as %s", records->items[i]->where, records->items[i - 1]->where);
}

/* Prints {"mu":0.03,"class":"low"} as mu=0.03 class=low; omits the first name in kernel and stop. */
static size_t append_plain(char *text, size_t size, size_t used, const char *object, int named)
{
    const char *at = named || !strchr(object, ':') ? object : strchr(object, ':') + 1;
    for (; *at && used + 1 < size; at++)
        if (!strchr("{}\"", *at))
            text[used++] = *at == ',' ? ' ' : *at == ':' ? '=' : *at;
    text[used] = '\0';
    return used;
}

const char *record_settings_text(const struct record *record, char *text, size_t size)
{
    const char *parts[] = {record->params_text, record->kernel_text, record->stop_text};
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (used && used + 3 < size)
            used += (size_t)snprintf(text + used, size - used, ", ");
        used = append_plain(text, size, used, parts[i], i == 0);
    }
    return text;
}

/* ---- tolerances ---- */

static _Noreturn void unknown_key(const char *key, const struct json_path *place)
{
    const char *allowed[QUANTITIES + 3] = {"all", "kernel_operations"};
    for (unsigned q = 0; q < QUANTITIES; q++)
        allowed[q + 2] = quantity_name((enum quantity)q);
    json_die_unknown(place, "quantity", key, allowed);
}

static int covers(const char *key, enum quantity quantity)
{
    const char *name = quantity_name(quantity);
    size_t length = strlen(key);
    return strcmp(key, name) == 0 || (strcmp(key, "all") == 0 && quantity < COUNTS) ||
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

const char *tolerance_default(enum quantity quantity)
{
    return quantities[quantity].tolerance;
}

void tolerances_set_default(struct tolerance *tolerances)
{
    for (unsigned q = 0; q < QUANTITIES; q++)
        read_terms(quantities[q].tolerance, &tolerances[q]);
}

void tolerance_set(struct tolerance *tolerances, const char *key, const char *value, const struct json_path *place)
{
    struct tolerance tolerance;
    int found = 0;
    if (!read_terms(value, &tolerance))
        json_die(place, "\"%.60s\" is not a tolerance; allowed: a number from 0, a number followed by %% or "
                        "%%objective, or several of these joined by +",
                 value);
    for (unsigned q = 0; q < QUANTITIES; q++)
        if (covers(key, (enum quantity)q)) {
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

double tolerance_allows(const struct tolerance *tolerance, const struct record *was, enum quantity quantity)
{
    double objective = quantity_of(was, QUANTITY_OBJECTIVE);
    return tolerance->relative * fabs(quantity_of(was, quantity)) +
           tolerance->of_objective * (isnan(objective) ? 0 : fabs(objective)) + tolerance->absolute;
}

int tolerance_holds(const struct tolerance *tolerance, const struct record *was, const struct record *is,
                    enum quantity quantity)
{
    double before = quantity_of(was, quantity), after = quantity_of(is, quantity);
    if (quantity >= COUNTS && (strcmp(was->outcome, "failed") == 0 || strcmp(is->outcome, "failed") == 0))
        return 1;
    if (isnan(before) || isnan(after))
        return isnan(before) && isnan(after);
    return fabs(after - before) <= tolerance_allows(tolerance, was, quantity);
}
