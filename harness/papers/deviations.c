/* Reads deviations strictly: a misspelt id would explain nothing, so it is an error. */
#include "harness/papers/claims.h"

#include <string.h>

#include "harness/support/file.h"
#include "harness/support/json_reader.h"
#include "harness/support/resource.h"

static const char *const kinds[] = {[DEVIATION_DRAWN_SPLITS] = "drawn-splits",
                                    [DEVIATION_UNSTATED] = "unstated",
                                    [DEVIATION_CONTRADICTION] = "contradiction",
                                    [DEVIATION_SLIGHT] = "slight",
                                    [DEVIATION_UNCONVERGED] = "unconverged",
                                    [DEVIATION_UNEXPLAINED] = "unexplained",
                                    NULL};

const struct member experiment_members[] = {
    {"replace", MEMBER_OBJECT, FIELD(struct experiment, replace), .inner = paper_filter_members,
     .inner_size = sizeof(struct record_filter)},
    {"found", MEMBER_JSON_OBJECT, FIELD(struct experiment, found)},
    {"shows", MEMBER_JSON_LIST, FIELD(struct experiment, shows)},
    MEMBERS_END,
};
const struct member deviation_members[] = {
    {"id", MEMBER_TEXT, FIELD(struct deviation, id), MEMBER_REQUIRED},
    {"section", MEMBER_TEXT, FIELD(struct deviation, section), MEMBER_REQUIRED,
     .doc = "A heading of docs/deviations.md."},
    {"evidence", MEMBER_TEXT, FIELD(struct deviation, evidence), MEMBER_REQUIRED},
    {"kind", MEMBER_CHOICE, FIELD(struct deviation, kind), MEMBER_REQUIRED, .names = kinds},
    {"configurations", MEMBER_TEXTS, FIELD(struct deviation, configurations), MEMBER_NOT_EMPTY},
    {"explains", MEMBER_TEXTS, FIELD(struct deviation, explains), MEMBER_REQUIRED | MEMBER_NOT_EMPTY,
     .doc = "Ids of cells, marks and claims, as conform prints them."},
    {"experiment", MEMBER_OBJECT, FIELD(struct deviation, experiment), .inner = experiment_members,
     .inner_size = sizeof(struct experiment), .doc = "How the records of the configurations are judged."},
    MEMBERS_END,
};
const struct member deviations_members[] = {
    {"schema", MEMBER_COUNT, FIELD(struct deviations, schema), .low = 1, .high = 1, .fallback = 1},
    {"paper", MEMBER_TEXT, FIELD(struct deviations, paper), MEMBER_REQUIRED},
    {"deviations", MEMBER_LIST, FIELD(struct deviations, list), MEMBER_REQUIRED, .inner = deviation_members,
     .inner_size = sizeof(struct deviation)},
    MEMBERS_END,
};

/* Whether the id is TABLE/DATA SET/KEY, followed by `end`. */
static int is_id(const char *id, const struct paper_table *table, size_t row, const char *key, const char *end)
{
    char text[512];
    snprintf(text, sizeof text, "%s/%s/%s%s", table->name, table->rows[row].dataset, key, end);
    return strcmp(text, id) == 0;
}

enum id_kind { ID_NONE, ID_CELL, ID_MARK, ID_CLAIM, ID_ONE_SPLIT }; /* ID_CELL: or its standard deviation */

static enum id_kind id_kind_of(const struct paper *paper, const char *id)
{
    for (size_t i = 0; i < paper->n_claims; i++)
        if (strcmp(paper->claims[i].id, id) == 0)
            return ID_CLAIM;
    for (const struct paper_table *table = paper->tables; table < paper->tables + paper->n_tables; table++) {
        const size_t length = strlen(table->name);
        if (strncmp(id, table->name, length) == 0 && strcmp(id + length, "/one-split") == 0)
            return ID_ONE_SPLIT;
        for (size_t i = 0; i < table->n_rows; i++) {
            for (size_t j = 0; j < table->n_columns; j++)
                if (is_id(id, table, i, table->columns[j].key, "") ||
                    (paper_column_has_sd(&table->columns[j]) && is_id(id, table, i, table->columns[j].key, "/sd")))
                    return ID_CELL;
            for (size_t k = 0; k < table->n_tests; k++)
                if (table->tests[k].mark && is_id(id, table, i, table->tests[k].key, ""))
                    return ID_MARK;
        }
    }
    return ID_NONE;
}

static void check_ids(const struct member_texts *ids, const struct json_path *place, const struct paper *paper)
{
    for (size_t i = 0; i < ids->count; i++)
        if (id_kind_of(paper, ids->item[i]) == ID_NONE)
            json_die(json_at_index(place, i),
                     "\"%s\" is not a cell, mark or claim of %s; allowed: TABLE/DATA SET/COLUMN, the same with /sd "
                     "for its standard deviation, TABLE/DATA SET/TEST, TABLE/one-split or the id of a claim",
                     ids->item[i], paper->name);
}

/* "found" has a number for each cell and standard deviation that the entry lists, and no other members. */
static void check_found(const cJSON *found, const struct member_texts *explains, const struct paper *paper,
                        const struct json_path *place)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, found) {
        if (!texts_have(explains->item, item->string) || id_kind_of(paper, item->string) != ID_CELL)
            json_die(place, "\"%s\" is not a cell under \"explains\"", item->string);
        if (!cJSON_IsNumber(item))
            json_die(json_at(place, item->string), "%s is not a number", json_to_text(item));
    }
    for (size_t i = 0; i < explains->count; i++)
        if (id_kind_of(paper, explains->item[i]) == ID_CELL && !json_member(found, explains->item[i]))
            json_die(place, "key \"%s\" is missing", explains->item[i]);
}

/* A kind other than "unexplained" needs an experiment; a contradiction may rest on the paper's own tables. "shows" is
 * judged instead of the listed ids, so it excludes the other members of an experiment. */
static void check_deviation(struct pool *pool, const struct deviation *deviation, const struct paper *paper,
                            const struct json_path *place)
{
    const struct json_path *in_experiment = json_at(place, "experiment");
    const struct experiment *experiment = deviation->experiment;
    const enum deviation_kind kind = deviation->kind;
    check_ids(&deviation->explains, json_at(place, "explains"), paper);
    if (experiment && (kind == DEVIATION_UNEXPLAINED || !deviation->configurations.count))
        json_die(place, "\"experiment\" needs \"configurations\" and a kind other than \"%s\"",
                 kinds[DEVIATION_UNEXPLAINED]);
    if (!experiment && kind != DEVIATION_UNEXPLAINED && kind != DEVIATION_CONTRADICTION)
        json_die(place, "\"kind\" is \"%s\"; allowed without \"experiment\": \"%s\" or \"%s\"", kinds[kind],
                 kinds[DEVIATION_UNEXPLAINED], kinds[DEVIATION_CONTRADICTION]);
    if (experiment && experiment->shows && (experiment->replace || experiment->found || !experiment->shows->child))
        json_die(in_experiment, "\"shows\" must list a claim, and cannot be combined with other keys");
    if (experiment && experiment->replace)
        paper_check_filter(pool, experiment->replace, json_at(in_experiment, "replace"));
    if (experiment && !experiment->shows)
        check_found(experiment->found, &deviation->explains, paper, json_at(in_experiment, "found"));
}

/* A section is a heading of docs/deviations.md, unless the program is installed without its pages. */
static void check_sections(struct pool *pool, const struct deviations *deviations, const struct json_path *place)
{
    const char *path = resource_find_or_null(pool, "docs/deviations.md"),
               *page = path ? file_read(pool, path, NULL) : NULL;
    for (size_t i = 0; page && i < deviations->list.count; i++) {
        const char *section = deviations->list.item[i].section;
        if (!strstr(page, pool_printf(pool, "# %s\n", section)))
            json_die(json_at(json_at_index(place, i), "section"), "\"%s\" is no heading of %s", section, path);
    }
}

const struct deviations *deviations_read(struct pool *pool, const struct paper *paper)
{
    const size_t length = strlen(paper->path), ending = strlen(".json");
    const int is_named = length > ending && strcmp(paper->path + length - ending, ".json") == 0;
    const char *path =
        pool_printf(pool, "%.*s.deviations.json", (int)(is_named ? length - ending : length), paper->path);
    const struct json_path top = {.file = path}, *in_list = json_at(&top, "deviations");
    const cJSON *json = json_read_or_null(pool, path);
    struct deviations *deviations = pool_alloc(pool, sizeof *deviations);
    if (!json)
        return deviations;
    members_read(pool, deviations_members, json, &top, deviations);
    if (strcmp(deviations->paper, paper->name) != 0)
        json_die(&top, "\"paper\" is \"%s\"; allowed: \"%s\"", deviations->paper, paper->name);
    for (size_t i = 0; i < deviations->list.count; i++)
        check_deviation(pool, &deviations->list.item[i], paper, json_at_index(in_list, i));
    check_sections(pool, deviations, in_list);
    return deviations;
}
