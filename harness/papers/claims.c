/*
 * A claim is data: a kind, the solvers and field it concerns, and the data sets it covers. Each kind is one function
 * that decides one data set (harness/papers/claim_kinds.c); how many data sets must agree is common to all kinds
 * (docs/verdicts.md). The function is called twice: with the samples of the records, and with the means and signed-rank
 * marks of the paper's printed tables. Kinds that need more than the tables give stay undecided there.
 *
 * A claim about all of m data sets fails if one opposes it. If the claim is true, at least one of m opposes it at level
 * a with a chance of up to m a, so each is tested at a/m (Bonferroni). Finding all m in its favour at level a needs no
 * such correction (Berger 1982). For a claim about some data set the two roles are exchanged.
 */
#include "harness/papers/claims.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/papers/reproduction.h"

const char *const claim_verdict_names[] = {[CLAIM_HOLDS] = "holds",
                                           [CLAIM_NOT_DECIDED] = "not decided",
                                           [CLAIM_FAILS] = "fails",
                                           [CLAIM_MISSING] = "missing"};
enum { ALL, MAJORITY, SOME };
static const char *const quantifiers[] = {[ALL] = "all", [MAJORITY] = "majority", [SOME] = "some", NULL};
/* What the claim asserts for the data sets under "except". */
static const char *const exceptions[] = {"contrary", "nothing", NULL};

enum claim_verdict claim_verdict_of(const char *quantifier, const size_t counts[CLAIM_ANSWERS])
{
    const size_t yes = counts[CLAIM_FOR], no = counts[CLAIM_AGAINST];
    const size_t unknown = counts[CLAIM_OPEN] + counts[CLAIM_NO_FIGURES];
    int holds = yes > no + unknown, fails = no >= yes + unknown;
    if (yes + no + counts[CLAIM_OPEN] == 0)
        return CLAIM_MISSING;
    if (strcmp(quantifier, quantifiers[ALL]) == 0) {
        holds = no + unknown == 0;
        fails = no > 0;
    } else if (strcmp(quantifier, quantifiers[SOME]) == 0) {
        holds = yes > 0;
        fails = yes + unknown == 0;
    }
    return holds ? CLAIM_HOLDS : fails ? CLAIM_FAILS : CLAIM_NOT_DECIDED;
}

/* ---- reading ---- */

/* The kind of a claim adds rows to the table. */
const struct member claim_members[] = {
    {"id", MEMBER_TEXT, FIELD(struct paper_claim, id)},
    {"text", MEMBER_TEXT, FIELD(struct paper_claim, text), MEMBER_REQUIRED},
    {"where", MEMBER_TEXT, FIELD(struct paper_claim, where)},
    {"kind", MEMBER_JSON, FIELD(struct paper_claim, kind_given)},
    {"field", MEMBER_TEXT, FIELD(struct paper_claim, field)},
    {"quantifier", MEMBER_CHOICE, FIELD(struct paper_claim, quantifier), .names = quantifiers},
    {"test", MEMBER_CHOICE, FIELD(struct paper_claim, test), .names = test_kind_names},
    {"decimals", MEMBER_REAL, FIELD(struct paper_claim, decimals), .fallback = (double)NAN},
    {"except", MEMBER_TEXTS, FIELD(struct paper_claim, except)},
    {"datasets", MEMBER_TEXTS, FIELD(struct paper_claim, datasets)},
    {"reciprocal", MEMBER_FLAG, FIELD(struct paper_claim, reciprocal)},
    {"converged", MEMBER_FLAG, FIELD(struct paper_claim, converged)},
    {"excepted", MEMBER_CHOICE, FIELD(struct paper_claim, excepted), .names = exceptions, .fallback = -1},
    {"tuned_to_paper", MEMBER_TEXT, FIELD(struct paper_claim, tuned_to_paper), .former = "fitted",
     .doc = "The convention that its numbers were used to choose."},
    MEMBERS_END_OTHERS_IGNORED,
};
enum { COMMON = sizeof claim_members / sizeof *claim_members - 1 };

/* A claim that is being judged. */
struct reading {
    struct question question;
    const struct records *records;
    const struct run_folders *runs;
    size_t counted; /* data sets that are not left out */
};

static const struct claim_kind *find_kind(const cJSON *json, const struct json_path *place)
{
    const char *names[CLAIM_KINDS + 1] = {NULL}, *name = json_read_text(json, "kind", place);
    size_t found = 0;
    for (size_t i = 0; i < CLAIM_KINDS; i++)
        names[i] = claim_kinds[i].name;
    json_check_word(json_at(place, "kind"), "kind", name, names);
    while (strcmp(names[found], name) != 0)
        found++;
    return &claim_kinds[found];
}

static void read_members(struct pool *pool, const cJSON *json, const struct json_path *place,
                         struct paper_claim *claim)
{
    struct member rows[COMMON + CLAIM_SELECTIONS_MAX + CLAIM_NUMBERS_MAX + 1];
    const struct claim_kind *kind = claim->kind;
    size_t n = COMMON;
    memcpy(rows, claim_members, COMMON * sizeof *rows);
    for (size_t i = 0; i < CLAIM_NUMBERS_MAX && kind->numbers[i]; i++)
        rows[n++] = (struct member){.key = kind->numbers[i], .kind = MEMBER_REAL,
                                    FIELD(struct paper_claim, numbers[i]),
                                    .flags = kind->flags & CLAIM_OPTIONAL ? 0 : MEMBER_REQUIRED};
    for (size_t i = 0; i < CLAIM_SELECTIONS_MAX && kind->selections[i]; i++)
        rows[n++] = (struct member){.key = kind->selections[i], .kind = MEMBER_JSON,
                                    FIELD(struct paper_claim, selections[i]), .flags = MEMBER_REQUIRED};
    rows[n] = (struct member)MEMBERS_END;
    members_read(pool, rows, json, place, claim);
}

/* A selection is a solver's name, or an object with conditions as for a column. */
static struct record_filter read_selection(struct pool *pool, const cJSON *json, const char *key,
                                           const struct json_path *place)
{
    const cJSON *item = json_member(json, key);
    struct record_filter filter = {.solver = NULL};
    if (cJSON_IsObject(item))
        members_read(pool, paper_filter_members, item, json_at(place, key), &filter);
    else
        filter.solver = json_read_text(json, key, place);
    filter.clamp_max = (double)INFINITY;
    return filter;
}

static void read_claim(struct pool *pool, const cJSON *json, const struct json_path *top,
                       const struct member_texts *datasets, const char *id, struct paper_claim *claim)
{
    const struct json_path place = {.outer = top, .key = pool_printf(pool, "claim %.120s", id)};
    const struct claim_kind *kind = claim->kind = find_kind(json, &place);
    read_members(pool, json, &place, claim);
    claim->id = id;
    claim->where = claim->where ? claim->where : "";
    claim->half_unit = isnan(claim->decimals) ? 0 : 0.5 * pow(10, -claim->decimals);
    for (size_t i = 0; i < CLAIM_SELECTIONS_MAX && kind->selections[i]; i++) {
        claim->from[i] = read_selection(pool, json, kind->selections[i], &place);
        claim->from[i].field = kind->flags & CLAIM_ENDS ? "iterations" : json_read_text(json, "field", &place);
    }
    if (!cJSON_HasObjectItem(json, "except") != (claim->excepted < 0))
        json_die(&place, "\"except\" needs \"excepted\" (\"%s\" or \"%s\"), and the reverse", exceptions[0],
                 exceptions[1]);
    if (!cJSON_HasObjectItem(json, "datasets"))
        claim->datasets = *datasets;
}

struct paper_claim *claims_read(struct pool *pool, const cJSON *list, const char *path, const char *entry,
                                const struct member_texts *datasets, size_t *count)
{
    const struct json_path top = {.file = path};
    struct paper_claim *claims = pool_array(pool, (size_t)cJSON_GetArraySize(list), sizeof *claims);
    const cJSON *item = NULL;
    *count = 0;
    cJSON_ArrayForEach (item, list) {
        const char *id = entry ? pool_printf(pool, "%s[%zu]", entry, *count)
                               : json_read_text(item, "id", json_at_index(json_at(&top, "claims"), *count));
        read_claim(pool, item, &top, datasets, id, &claims[(*count)++]);
    }
    return claims;
}

/* ---- judging ---- */

/* The printed mean of the first column for these records that includes the data set; NaN if there is none. */
static double printed_mean(const struct paper *paper, const struct record_filter *wanted, const char *dataset)
{
    for (size_t t = 0; t < paper->n_tables; t++) {
        const struct paper_table *table = &paper->tables[t];
        const struct paper_row *row = paper_row_of(table, dataset);
        for (size_t j = 0; row && j < table->n_columns; j++)
            if (row->cells[j].n > 0 && claim_column_fits(&table->columns[j], wanted))
                return row->cells[j].mean * table->columns[j].unit;
    }
    return (double)NAN;
}

/* Collects the data set's figures; returns whether a kind that needs means can be decided. */
static int take_figures(struct pool *pool, struct reading *reading, const char *dataset)
{
    struct question *question = &reading->question;
    const struct sample *all[CLAIM_SELECTIONS_MAX];
    size_t n = 0;
    int known = 1;
    memset(question->samples, 0, sizeof question->samples);
    memset(question->shared, 0, sizeof question->shared);
    for (; n < CLAIM_SELECTIONS_MAX && question->claim->kind->selections[n]; n++) {
        all[n] = &question->samples[n];
        if (!question->printed)
            question->samples[n] = sample_take(pool, reading->records, &question->claim->from[n], dataset, 1, NULL);
    }
    if (!question->printed)
        samples_shared(pool, all, n, question->shared);
    /* the test of equal errors allows for shared patterns itself */
    const int is_inequality = (question->claim->kind->flags & (CLAIM_BY_MEANS | CLAIM_SAME)) == CLAIM_BY_MEANS;
    for (size_t i = 0; i < n && is_inequality; i++)
        question->shared[i] = sample_repetitions(pool, &question->shared[i], question->paper->folds);
    for (size_t i = 0; i < n; i++) {
        question->means[i] = question->printed ? printed_mean(question->paper, &question->claim->from[i], dataset)
                                               : summary_of(question->shared[i].values, question->shared[i].n).mean;
        known = known && !isnan(question->means[i]);
    }
    question->n_train = question->n_test = 0;
    if (reading->runs && question->shared[0].n > 0)
        run_folders_sizes(reading->runs, question->shared[0].records[0], &question->n_train, &question->n_test);
    return known;
}

/* Reports unconverged runs; a claim about converged runs is open if some did not converge. */
static void hold_open(const struct question *question, struct claim_case *one)
{
    const size_t used = strlen(one->detail);
    size_t unconverged = 0, total = 0;
    for (size_t i = 0; i < CLAIM_SELECTIONS_MAX; i++) {
        const struct sample *sample = &question->samples[i];
        total += sample->n + sample->n_null;
        unconverged += sample->n + sample->n_null - sample->converged;
    }
    if (unconverged == 0 || question->claim->kind->flags & CLAIM_ENDS || one->answer == CLAIM_NO_FIGURES)
        return;
    snprintf(one->detail + used, sizeof one->detail - used, "; %zu of %zu runs did not converge", unconverged, total);
    if (question->claim->converged)
        one->answer = CLAIM_OPEN;
}

/* Fills the answer and detail for data set one->dataset. */
static void decide(struct pool *pool, struct reading *reading, struct claim_case *one)
{
    struct question *question = &reading->question;
    const struct paper_claim *claim = question->claim;
    const struct claim_kind *kind = claim->kind;
    const double corrected = 1 / (double)(reading->counted ? reading->counted : 1);
    const double share_for = claim->quantifier == SOME ? corrected : 1;
    const double share_against = claim->quantifier == ALL ? corrected : 1;
    const int turn = one->contrary && !(kind->flags & CLAIM_NEGATES);
    const int known = take_figures(pool, reading, one->dataset);
    question->negated = one->contrary;
    question->share_for = turn ? share_against : share_for;
    question->share_against = turn ? share_for : share_against;
    if (known || !(kind->flags & CLAIM_BY_MEANS))
        kind->decide(question, one);
    if (turn && (one->answer == CLAIM_FOR || one->answer == CLAIM_AGAINST))
        one->answer = one->answer == CLAIM_FOR ? CLAIM_AGAINST : CLAIM_FOR;
    hold_open(question, one);
}

static struct claim_finding judge(struct pool *pool, struct reading *reading)
{
    const struct paper_claim *claim = reading->question.claim;
    const int is_left_out = claim->excepted > 0; /* of the data sets under "except" */
    const size_t left_out = is_left_out ? claim->except.count : 0;
    struct claim_finding finding = {.n_cases = claim->datasets.count};
    struct pool *figures = pool_new();
    finding.cases = pool_array(pool, finding.n_cases, sizeof *finding.cases);
    reading->counted = finding.n_cases > left_out ? finding.n_cases - left_out : 0;
    for (size_t i = 0; i < finding.n_cases; i++) {
        struct claim_case *one = &finding.cases[i];
        one->dataset = claim->datasets.item[i];
        const int excepted = texts_have(claim->except.item, one->dataset);
        one->left_out = excepted && is_left_out;
        one->contrary = excepted && !is_left_out;
        decide(figures, reading, one);
        pool_reset(figures);
        finding.counts[one->answer] += !one->left_out;
    }
    pool_free(figures);
    finding.verdict = claim_verdict_of(quantifiers[claim->quantifier], finding.counts);
    return finding;
}

struct claims claims_judge(struct pool *pool, const struct paper *paper, const struct records *records,
                           const struct run_folders *runs)
{
    struct claims claims = {.items = pool_array(pool, paper->n_claims, sizeof *claims.items)};
    for (; claims.count < paper->n_claims; claims.count++) {
        const struct paper_claim *given = &paper->claims[claims.count];
        struct reading reading = {.question = {.paper = paper, .claim = given}, .records = records, .runs = runs};
        struct claim *claim = &claims.items[claims.count];
        *claim = (struct claim){.id = given->id,
                                .text = given->text,
                                .where = given->where,
                                .kind = given->kind->name,
                                .tuned_to_paper = given->tuned_to_paper};
        claim->measured = judge(pool, &reading);
        reading.question.printed = 1;
        claim->printed = judge(pool, &reading);
    }
    return claims;
}
