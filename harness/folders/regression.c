/*
 * Compares a run with a baseline (regression.h): quantities and tolerances, the comparison, its summary. Both sides are
 * sorted, so one pass over both finds missing, new and changed records.
 */
#include "harness/folders/regression.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/base/terminal.h"
#include "harness/folders/history.h"
#include "harness/format/markup.h"

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
    const char *rule = cJSON_GetStringValue(json_member(record->stop, "rule"));
    return quantity != FIELD_KKT_VIOLATION || (rule && (strcmp(rule, "kkt") == 0 || strcmp(rule, "kkt-relaxed") == 0));
}

double quantity_of(const struct record *record, enum record_field quantity)
{
    return quantity_applies(record, quantity) ? record->field[quantity] : (double)NAN;
}

/* 1 if larger values are better, -1 if smaller ones are. 0 if unknown: only a registered solver has a formulation that
 * says whether the objective is maximised. */
static int quantity_direction(const struct record *record, enum record_field quantity)
{
    const struct solver *solver = solver_find(record->solver);
    if (quantity != FIELD_OBJECTIVE)
        return -1;
    return !solver ? 0 : formulation_is_norm(solver->formulation) ? -1 : 1;
}

/* Whether the record's schema is older than the quantity; elements of reference counts have no schema. */
static int may_lack(const struct record *record, enum record_field quantity)
{
    return measure_row(quantity)->since > record->schema;
}

/* Nonzero for a number or null: of the quantity, or of the object that contains it. */
static int is_sound(const struct record *record, enum record_field quantity)
{
    const double value = record->field[quantity];
    if (!isnan(value))
        return !quantity_is_count(quantity) || (value >= 0 && value == floor(value));
    if (!quantity_applies(record, quantity))
        return 1;
    const char *path = measure_path(quantity), *dot = strchr(path, '.');
    cJSON *json = record_json(record);
    const cJSON *operations = dot ? json_member(json, "kernel_operations") : NULL;
    const cJSON *item = json_member(dot ? operations : json, dot ? dot + 1 : path);
    const int is_sound = cJSON_IsNull(operations) || (item ? cJSON_IsNull(item) : may_lack(record, quantity));
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

struct tolerances tolerances_default(struct pool *pool)
{
    struct tolerances tolerances = {.pool = pool};
    for (enum record_field q = 0; q < RECORD_FIELDS; q++)
        if (quantity_is_compared(q, 1)) {
            struct tolerance_rule *rule = pool_push(pool, &tolerances);
            rule->key = measure_path(q);
            rule->covers[q] = 1;
            read_terms(measure_row(q)->tolerance, &rule->tolerance);
        }
    return tolerances;
}

void tolerance_set(struct tolerances *tolerances, const char *key, const char *value, const struct json_path *place)
{
    struct tolerance_rule rule = {.key = pool_strdup(tolerances->pool, key)};
    const char *colon = strrchr(key, ':'), *quantity = colon ? colon + 1 : key;
    int found = 0;
    if (colon) {
        char *whose = pool_strndup(tolerances->pool, key, (size_t)(colon - key)), *slash = strchr(whose, '/');
        if (slash)
            *slash++ = '\0';
        if (!*whose || (slash && !*slash))
            json_die(place, "\"%.60s\": expected SOLVER: or SOLVER/DATASET: before the quantity", key);
        rule.solver = whose;
        rule.dataset = slash;
    }
    if (!read_terms(value, &rule.tolerance))
        json_die(place, "\"%.60s\" is not a tolerance; allowed: a number from 0, a number followed by %% or "
                        "%%objective, or several of these joined by +",
                 value);
    for (enum record_field q = 0; q < RECORD_FIELDS; q++)
        found |= rule.covers[q] = (unsigned char)(quantity_is_compared(q, 1) && covers(quantity, q));
    if (!found)
        unknown_key(quantity, place);
    *pool_push(tolerances->pool, tolerances) = rule;
}

void tolerance_parse(struct tolerances *tolerances, const char *word, const struct json_path *place)
{
    const char *equals = strrchr(word, '=');
    if (!equals)
        json_die(place, "\"%.60s\" is not KEY=VALUE, such as iterations=2%%", word);
    tolerance_set(tolerances, pool_strndup(tolerances->pool, word, (size_t)(equals - word)), equals + 1, place);
}

static int is_of(const struct tolerance_rule *rule, const struct record *record)
{
    return (!rule->solver || fnmatch(rule->solver, record->solver, 0) == 0) &&
           (!rule->dataset || fnmatch(rule->dataset, record->dataset, 0) == 0);
}

void tolerances_check(const struct tolerances *tolerances, size_t from, const struct records *records,
                      const struct json_path *place)
{
    for (size_t t = from; t < tolerances->count; t++) {
        size_t i = 0;
        while (i < records->count && !is_of(&tolerances->item[t], records->items[i]))
            i++;
        if (i == records->count && tolerances->item[t].solver)
            json_die(place, "\"%.80s\": there is no record of this solver and data set; correct or remove it",
                     tolerances->item[t].key);
    }
}

struct tolerance tolerance_of(const struct tolerances *tolerances, const struct record *record,
                              enum record_field quantity)
{
    for (int restricted = 1; restricted >= 0; restricted--)
        for (size_t t = tolerances->count; t-- > 0;) {
            const struct tolerance_rule *rule = &tolerances->item[t];
            if ((rule->solver != NULL) == restricted && rule->covers[quantity] && is_of(rule, record))
                return rule->tolerance;
        }
    return (struct tolerance){0};
}

/* The largest allowed difference of the quantity from its old value. */
static double tolerance_allows(const struct tolerances *tolerances, const struct record *was,
                               enum record_field quantity)
{
    const struct tolerance tolerance = tolerance_of(tolerances, was, quantity);
    const double objective = quantity_of(was, FIELD_OBJECTIVE);
    return tolerance.relative * fabs(quantity_of(was, quantity)) +
           tolerance.of_objective * (isnan(objective) ? 0 : fabs(objective)) + tolerance.absolute;
}

int tolerance_holds(const struct tolerances *tolerances, const struct record *was, const struct record *is,
                    enum record_field quantity)
{
    double before = quantity_of(was, quantity), after = quantity_of(is, quantity);
    if (!quantity_is_count(quantity) && (was->failed || is->failed))
        return 1;
    if (isnan(before) || isnan(after))
        return isnan(before) && isnan(after);
    return fabs(after - before) <= tolerance_allows(tolerances, was, quantity);
}

/* ---- the comparison ---- */

/* Further changes of the same record are not the first. */
static void add_change(struct pool *pool, struct regression *regression, struct change *change)
{
    *pool_push(pool, &regression->changes) = *change;
    regression->kinds[change->kind]++;
    regression->moved += change->is_first != 0;
    change->is_first = 0;
}

static void compare_data(struct pool *pool, struct regression *regression, const cJSON *before,
                         const struct run_info *run)
{
    json_each (item, before) {
        const struct run_info_data *data = run_info_data(run, item->string);
        const char *was = cJSON_GetStringValue(item), *is = data && data->sha256 ? data->sha256 : "";
        struct change change = {
            .kind = CHANGE_DATA, .dataset = item->string, .was_hash = was ? was : "", .is_hash = is};
        if (data && strcmp(change.was_hash, is) != 0) /* a missing set is reported through its missing records */
            add_change(pool, regression, &change);
    }
}

static void compare_pair(struct pool *pool, struct regression *regression, const struct record *was,
                         const struct record *is, const struct tolerances *tolerances, int accuracy)
{
    struct change change = {.kind = CHANGE_OUTCOME, .was = was, .is = is, .is_first = 1};
    if (strcmp(was->outcome, is->outcome) != 0)
        add_change(pool, regression, &change);
    change.kind = CHANGE_VALUE;
    for (enum record_field q = 0; q < RECORD_FIELDS; q++) {
        if (!quantity_is_compared(q, accuracy))
            continue;
        struct quantity_total *total = &regression->totals[q];
        const double old = quantity_of(was, q), now = quantity_of(is, q);
        change.quantity = q;
        change.size = isnan(old) || isnan(now) || old == 0 ? HUGE_VAL : fabs((now - old) / old);
        change.allowed = tolerance_allows(tolerances, was, q);
        total->was += isnan(old) ? 0 : old;
        total->is += isnan(now) ? 0 : now;
        if ((isnan(old) && may_lack(was, q)) || (isnan(now) && may_lack(is, q)) ||
            tolerance_holds(tolerances, was, is, q))
            continue;
        total->moved++;
        add_change(pool, regression, &change);
    }
    regression->compared++;
}

static void compare_entries(struct pool *pool, struct regression *regression, const struct baseline *baseline,
                            const struct measured_run *measured, const struct tolerances *tolerances, int subset)
{
    const struct records *old = &baseline->entries, *now = &measured->entries;
    for (size_t o = 0, n = 0; o < old->count || n < now->count;) {
        int order = o == old->count ? 1 : n == now->count ? -1 : entries_compare(old->items[o], now->items[n]);
        struct change change = {.kind = order < 0 ? CHANGE_MISSING : CHANGE_NEW};
        if (order <= 0)
            change.was = old->items[o++];
        if (order >= 0)
            change.is = now->items[n++];
        if (order == 0)
            compare_pair(pool, regression, change.was, change.is, tolerances, baseline->has_accuracy);
        else if (order < 0 && subset && run_leaves_out(measured, change.was))
            regression->passed++;
        else
            add_change(pool, regression, &change);
    }
}

static int worse_first(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->kind == CHANGE_DATA)
        return strcmp(x->dataset, y->dataset);
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    int order = entries_compare(x->was ? x->was : x->is, y->was ? y->was : y->is);
    return order ? order : (x->quantity > y->quantity) - (x->quantity < y->quantity);
}

struct regression regression_compare(struct pool *pool, const struct baseline *baseline,
                                     const struct measured_run *measured, const struct tolerances *tolerances,
                                     int subset)
{
    const struct run_info *run = &measured->folder.run;
    struct regression regression = {0};
    if (strcmp(baseline->config, run->config) != 0)
        die(STATUS_BAD_INPUT, "%s: is a run of \"%s\", but the reference counts are of \"%s\"", measured->folder.path,
            run->config, baseline->config);
    compare_data(pool, &regression, baseline->data, run);
    compare_entries(pool, &regression, baseline, measured, tolerances, subset);
    if (regression.changes.count)
        qsort(regression.changes.item, regression.changes.count, sizeof *regression.changes.item, worse_first);
    return regression;
}

/* ---- a summary for people: changes, worst first, then sums over all records ---- */

/* "1.2e-07 worse", or "unknown" if one side lacks the value. */
static const char *accuracy_text(struct pool *pool, const struct change *change)
{
    static const char *const words[2][3] = {{"better", "larger", "worse"}, {"worse", "smaller", "better"}};
    double was = quantity_of(change->was, change->quantity), is = quantity_of(change->is, change->quantity);
    int direction = quantity_direction(change->was, change->quantity);
    if (isnan(was) || isnan(is))
        return "unknown";
    return pool_printf(pool, "%.2g %s", fabs(is - was), is > was ? words[0][1 - direction] : words[1][1 - direction]);
}

static const char *allowed_text(struct pool *pool, const struct change *change)
{
    return quantity_is_count(change->quantity) ? "" : pool_printf(pool, "allowed %.2g", change->allowed);
}

/* "1.2e-07 worse, allowed 1e-09" */
const char *change_text(struct pool *pool, const struct change *change)
{
    const double was = quantity_of(change->was, change->quantity), is = quantity_of(change->is, change->quantity);
    return isnan(was) || isnan(is)
               ? "known on one side only"
               : pool_printf(pool, "%s, %s", accuracy_text(pool, change), allowed_text(pool, change));
}

/* All digits of a count; of another value seven, or with all_digits enough to read back the same number. */
static const char *value_text(struct pool *pool, double value, enum record_field quantity, int all_digits)
{
    if (isnan(value))
        return quantity_is_count(quantity) ? "not counted" : "not known";
    if (quantity_is_count(quantity))
        return pool_printf(pool, "%.0f", value);
    return all_digits ? pool_strdup(pool, json_number_to_text(value)) : pool_printf(pool, "%.7g", value);
}

/* "+2.00 %", "from 0" */
static const char *growth_of(struct pool *pool, double was, double is)
{
    return isnan(was) || isnan(is) ? "unknown"
           : was == 0                ? "from 0"
                                     : pool_printf(pool, "%+.2f %%", 100 * (is - was) / was);
}

/* A line for a change, in the order of importance, since a narrow terminal cuts it. */
enum { CELL_SOLVER, CELL_DATASET, CELL_SPLIT, CELL_CHANGE, CELL_VALUES, CELLS };
struct change_line {
    const char *kind, *colour, *cells[CELLS];
};

static struct change_line line_of_change(struct pool *pool, const struct change *change)
{
    static const char *const kinds[CHANGE_KINDS] = {"data", "missing", "outcome", "moved", "new"};
    static const char *const colours[CHANGE_KINDS] = {TERMINAL_BAD, TERMINAL_BAD, TERMINAL_BAD, TERMINAL_DOUBT, ""};
    const struct record *was = change->was, *is = change->is, *entry = was ? was : is;
    const enum record_field quantity = change->quantity;
    struct change_line line = {kinds[change->kind], colours[change->kind], {"", "", "", "", ""}};
    char settings[256];
    if (change->kind == CHANGE_DATA) {
        line.cells[CELL_SOLVER] = pool_printf(pool, "%s SHA-256 was %.16s..., is %.16s...", change->dataset,
                                              change->was_hash, change->is_hash);
        return line;
    }
    line.cells[CELL_SOLVER] = entry->solver;
    line.cells[CELL_DATASET] = entry->dataset;
    line.cells[CELL_SPLIT] = pool_printf(pool, "%zu", entry->split);
    line.cells[CELL_VALUES] = pool_strdup(pool, record_settings_text(entry, settings, sizeof settings));
    if (change->kind == CHANGE_OUTCOME)
        line.cells[CELL_VALUES] = pool_printf(pool, "outcome %s to %s, %s", was->outcome, is->outcome, settings);
    if (change->kind == CHANGE_VALUE) {
        const double before = quantity_of(was, quantity), now = quantity_of(is, quantity);
        const int is_count = quantity_is_count(quantity);
        line.cells[CELL_CHANGE] = is_count ? growth_of(pool, before, now) : accuracy_text(pool, change);
        line.cells[CELL_VALUES] = pool_printf(pool, "%s %s to %s, %s%s%s", measure_path(quantity),
                                              value_text(pool, before, quantity, 0),
                                              value_text(pool, now, quantity, 0), allowed_text(pool, change),
                                              is_count ? "" : ", ", settings);
    }
    return line;
}

/* A line without a split has only its first cell, a text of any length. */
static int is_of_record(const struct change_line *line)
{
    return line->cells[CELL_SPLIT][0] != '\0';
}

/* Columns of width 0 are left out. */
static void print_line(struct pool *pool, const struct change_line *line, const size_t *widths, FILE *stream)
{
    const char *text = pool_printf(pool, "%s%-8s%s", line->colour, line->kind, line->colour[0] ? TERMINAL_END : "");
    text = pool_printf(pool, "%s%s", text, line->cells[0]);
    for (int c = 0; c < CELLS && is_of_record(line); c++) {
        const char *cell = c ? line->cells[c] : "";
        const size_t used = terminal_columns(line->cells[c], strlen(line->cells[c]));
        const int is_right = c == CELL_SPLIT || c == CELL_CHANGE,
                  blanks = widths[c] > used ? (int)(widths[c] - used) : 0;
        if (widths[c])
            text = pool_printf(pool, "%s%s%*s%s%*s", text, c ? " " : "", is_right ? blanks : 0, "", cell,
                               is_right || c == CELL_VALUES ? 0 : blanks, "");
    }
    terminal_print_cut(stream, text);
}

static void print_lines(struct pool *pool, const struct change_line *lines, size_t count, FILE *stream)
{
    static const struct change_line headings = {
        "", "", {"solver", "data set", "split", "change", "what, was and is, settings"}};
    size_t widths[CELLS] = {0}, of_records = 0;
    for (size_t i = 0; i < count; i++)
        of_records += is_of_record(&lines[i]) != 0;
    for (int c = 0; c < CELLS; c++) {
        for (size_t i = 0; i < count; i++) {
            const char *cell = lines[i].cells[c];
            const size_t width = is_of_record(&lines[i]) ? terminal_columns(cell, strlen(cell)) : 0;
            widths[c] = width > widths[c] ? width : widths[c];
        }
        const size_t least = strlen(headings.cells[c]);
        widths[c] = widths[c] && widths[c] < least ? least : widths[c];
    }
    if (of_records)
        print_line(pool, &headings, widths, stream);
    for (size_t i = 0; i < count; i++)
        print_line(pool, &lines[i], widths, stream);
}

/* "sum     iterations -0.00 %, 430119 to 430108, 2 of 976 records moved" */
static void print_total(struct pool *pool, const struct regression *regression, enum record_field quantity,
                        FILE *stream)
{
    const struct quantity_total *total = &regression->totals[quantity];
    const char *growth = "";
    if (quantity_is_count(quantity))
        growth = pool_printf(pool, " %s, %s to %s,", growth_of(pool, total->was, total->is),
                             value_text(pool, total->was, quantity, 0), value_text(pool, total->is, quantity, 0));
    if (total->moved)
        terminal_print_cut(stream, pool_printf(pool, "sum     %s%s %zu of %zu records moved", measure_path(quantity),
                                               growth, total->moved, regression->compared));
}

void regression_print(const struct regression *regression, size_t max, FILE *stream)
{
    const size_t shown = regression->changes.count < max ? regression->changes.count : max;
    struct pool *pool = pool_new();
    struct change_line *lines = pool_array(pool, shown + 1, sizeof *lines);
    for (size_t i = 0; i < shown; i++)
        lines[i] = line_of_change(pool, &regression->changes.item[i]);
    print_lines(pool, lines, shown, stream);
    if (shown < regression->changes.count)
        fprintf(stream, "... and %zu more lines (--all shows them)\n", regression->changes.count - shown);
    for (enum record_field q = 0; q < RECORD_FIELDS; q++)
        print_total(pool, regression, q, stream);
    pool_free(pool);
}

const char *quantity_words(struct pool *pool, enum record_field quantity)
{
    char *words = pool_strdup(pool, measure_path(quantity)), *dot = strchr(words, '.');
    for (char *c = words; (c = strchr(c, '_')) != NULL;)
        *c = ' ';
    if (!dot)
        return words;
    *dot = '\0';
    return pool_printf(pool, "%s (%s)", words, dot + 1);
}

const char *count_move_text(struct pool *pool, enum record_field count, double was, double is)
{
    const char *words = quantity_words(pool, count);
    const double percent = 100 * (is - was) / was;
    if (isnan(was) || isnan(is))
        return pool_printf(pool, "%s known on one side only", words);
    if (was == 0)
        return pool_printf(pool, "%s 0 to %.0f", words, is);
    return pool_printf(pool, "%s %.0f to %.0f (%+.*f %%)", words, was, is,
                       fabs(percent) < 0.1 ? 3 : fabs(percent) < 10 ? 1 : 0, percent);
}

/* The changes of one solver. */
struct solver_changes {
    const char *solver;
    size_t moved; /* records */
    size_t kinds[CHANGE_KINDS], changed[RECORD_FIELDS], failed; /* failed: that did not fail before */
    double was[RECORD_FIELDS], is[RECORD_FIELDS]; /* sums over the records that changed */
};
struct solvers_changes LIST_OF(struct solver_changes);

static struct solver_changes *changes_of(struct pool *pool, struct solvers_changes *all, const char *solver)
{
    for (size_t k = 0; k < all->count; k++)
        if (strcmp(all->item[k].solver, solver) == 0)
            return &all->item[k];
    struct solver_changes *own = pool_push(pool, all);
    own->solver = solver;
    return own;
}

/* "iterations 120 to 132 (+10 %), objective" */
static const char *growth_text(struct pool *pool, const struct solver_changes *own)
{
    const char *text = "";
    for (enum record_field q = 0; q < RECORD_FIELDS; q++) {
        if (!own->changed[q])
            continue;
        text = pool_printf(pool, "%s%s%s", text, *text ? ", " : "",
                           quantity_is_count(q) ? count_move_text(pool, q, own->was[q], own->is[q])
                                                : quantity_words(pool, q));
    }
    return text;
}

struct result *regression_by_solver(struct pool *pool, const struct regression *regression)
{
    struct solvers_changes all = {0};
    struct result *table = pool_alloc(pool, sizeof *table);
    for (size_t i = 0; i < regression->changes.count; i++) {
        const struct change *change = &regression->changes.item[i];
        const enum record_field q = change->quantity;
        if (change->kind == CHANGE_DATA)
            continue;
        struct solver_changes *own = changes_of(pool, &all, (change->was ? change->was : change->is)->solver);
        own->kinds[change->kind]++;
        own->failed += change->kind == CHANGE_OUTCOME && change->is->failed && !change->was->failed;
        own->moved += change->is_first != 0;
        if (change->kind != CHANGE_VALUE)
            continue;
        own->changed[q]++;
        own->was[q] += quantity_of(change->was, q);
        own->is[q] += quantity_of(change->is, q);
    }
    *table = (struct result){.pool = pool, .name = "changes"};
    result_columns(table, "solver\t#moved\t#missing\t#new\t~change=what moved");
    for (size_t k = 0; k < all.count; k++) {
        struct solver_changes *own = &all.item[k];
        const char *growth = growth_text(pool, own);
        const char *outcomes = own->failed ? pool_printf(pool, "%zu now fail", own->failed)
                               : own->kinds[CHANGE_OUTCOME] ? "outcome" : "";
        result_row(table, "%s\t%zu\t%zu\t%zu\t%s%s%s", own->solver, own->moved, own->kinds[CHANGE_MISSING],
                   own->kinds[CHANGE_NEW], outcomes, *outcomes && *growth ? ", " : "", growth);
    }
    return table;
}

/*
 * ---- other tools' formats ----
 *
 * The JSON formats hold sums over the records of a solver on a data set, for services that plot them over time. In
 * JUnit XML a test case is one record; its class is solver and data set, its name split and settings, so that all are
 * distinct. The text of a failure is in its body, since some readers show nothing else.
 */

void ci_report_sums(FILE *stream, const struct measured_run *measured, enum ci_form form)
{
    struct pool *pool = pool_new();
    const struct sums_list all = sums_of(pool, measured);
    cJSON *json = form == CI_BENCHER ? json_new_object() : json_new_array();
    for (size_t i = 0; i < all.count; i++) {
        const struct count_sums *sums = &all.item[i];
        const char *name = pool_printf(pool, "%s/%s", sums->solver, sums->dataset);
        cJSON *benchmark = form == CI_BENCHER ? json_put_object(json, name) : NULL;
        for (enum record_field c = 0; c < RECORD_FIELDS; c++) {
            if (isnan(sums->sum[c]))
                continue;
            if (form == CI_BENCHER) {
                json_put_number(json_put_object(benchmark, measure_path(c)), "value", sums->sum[c]);
                continue;
            }
            cJSON *item = json_add_object(json);
            json_put_text(item, "name", pool_printf(pool, "%s %s", name, measure_path(c)));
            json_put_text(item, "unit", measure_row(c)->title);
            json_put_number(item, "value", sums->sum[c]);
            json_put_text(item, "extra", pool_printf(pool, "sum over %zu records", sums->records));
        }
    }
    json_print(json, stream);
    cJSON_Delete(json);
    pool_free(pool);
}

/* The text with entities, which are those of HTML. */
static const char *xml(struct pool *pool, const char *text)
{
    struct pool_text *escaped = pool_text_open(pool);
    html_text(escaped->stream, text);
    return pool_text_end(escaped);
}

static const char *line_of(struct pool *pool, const struct change *change)
{
    const enum record_field quantity = change->quantity;
    if (change->kind == CHANGE_OUTCOME)
        return pool_printf(pool, "outcome: was %s, is %s", xml(pool, change->was->outcome),
                           xml(pool, change->is->outcome));
    if (change->kind == CHANGE_VALUE)
        return pool_printf(pool, "%s: was %s, is %s%s%s", measure_path(quantity),
                           value_text(pool, quantity_of(change->was, quantity), quantity, 1),
                           value_text(pool, quantity_of(change->is, quantity), quantity, 1),
                           quantity_is_count(quantity) ? "" : ": ",
                           quantity_is_count(quantity) ? "" : change_text(pool, change));
    return change->kind == CHANGE_MISSING ? "the run lacks this record" : "the reference counts lack this record";
}

/* Prints the record and its changes. */
static void print_record(FILE *stream, const struct regression *regression, const struct record *entry)
{
    struct pool *pool = pool_new();
    char settings[256];
    size_t found = 0;
    fprintf(stream, "    <testcase classname=\"%s.%s\" name=\"split %zu, %s\" time=\"%.6f\"", xml(pool, entry->solver),
            xml(pool, entry->dataset), entry->split,
            xml(pool, record_settings_text(entry, settings, sizeof settings)),
            isnan(entry->seconds) ? 0 : entry->seconds);
    for (size_t i = 0; i < regression->changes.count; i++) {
        const struct change *change = &regression->changes.item[i];
        if (change->kind == CHANGE_DATA || (change->is ? change->is : change->was) != entry)
            continue;
        fprintf(stream, "%s%s\n", found++ ? "" : ">\n      <failure message=\"differs from the reference counts\">",
                line_of(pool, change));
    }
    fputs(found ? "</failure>\n    </testcase>\n" : "/>\n", stream);
    pool_free(pool);
}

static void print_data(FILE *stream, const struct change *change)
{
    struct pool *pool = pool_new();
    fprintf(stream,
            "    <testcase classname=\"data\" name=\"%s\" time=\"0\">\n"
            "      <failure message=\"differs from the data of the reference counts\">SHA-256: was %s, is %s\n"
            "</failure>\n    </testcase>\n",
            xml(pool, change->dataset), xml(pool, change->was_hash), xml(pool, change->is_hash));
    pool_free(pool);
}

void ci_report_junit(FILE *stream, const struct regression *regression, const struct measured_run *measured)
{
    const size_t *kinds = regression->kinds;
    const size_t tests = measured->entries.count + kinds[CHANGE_MISSING] + kinds[CHANGE_DATA];
    const size_t failures = kinds[CHANGE_MISSING] + kinds[CHANGE_DATA] + kinds[CHANGE_NEW] + regression->moved;
    struct pool *pool = pool_new();
    fprintf(stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"%zu\" failures=\"%zu\">\n"
            "  <testsuite name=\"hullbench check %s\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"0\">\n",
            tests, failures, xml(pool, measured->folder.run.config), tests, failures);
    for (size_t i = 0; i < regression->changes.count && regression->changes.item[i].kind <= CHANGE_MISSING; i++) {
        if (regression->changes.item[i].kind == CHANGE_DATA)
            print_data(stream, &regression->changes.item[i]);
        else
            print_record(stream, regression, regression->changes.item[i].was);
    }
    for (size_t i = 0; i < measured->entries.count; i++)
        print_record(stream, regression, measured->entries.items[i]);
    fputs("  </testsuite>\n</testsuites>\n", stream);
    pool_free(pool);
}
