/* The comparison told: to people on a stream, to machines as JSON, and the claims as a table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"
#include "harness/papers/conform.h"
#include "harness/format/text_table.h"
#include "harness/program/json_writer.h"

/* " (docs/deviations.md: not shown)"; "" where no deviation lists it. */
static const char *explanation_text(const struct explanation *explanation)
{
    static const char *const texts[] = {
        [EXPLANATION_NONE] = " (unexplained; listed in docs/deviations.md)",
        [EXPLANATION_UNCHECKED] = " (the experiment of docs/deviations.md is not among the folders)",
        [EXPLANATION_SHOWN] = " (explained in docs/deviations.md)",
        [EXPLANATION_NOT_SHOWN] = " (the experiment of docs/deviations.md does not explain it)",
    };
    return explanation ? texts[explanation->state] : "";
}

static void print_cell(const struct comparison_cell *cell, FILE *stream)
{
    const struct printed *printed = cell->printed;
    const struct summary *measured = &cell->measured;
    const enum verdict verdict = cell->agreement.verdict;
    if (!cell->compared || (verdict != VERDICT_DIFFERS && verdict != VERDICT_NEAR))
        return;
    fprintf(stream, "  %-7s %s: ours %.6g", verdict_names[verdict], cell->id, cell->ours);
    if (measured->n > 1 && !isnan(printed->sd))
        fprintf(stream, " ± %.3g", measured->sd);
    if (cell->column->statistic == STATISTIC_MINIMUM)
        fprintf(stream, ", least of %zu", measured->n < printed->n ? measured->n : printed->n);
    fprintf(stream, ", n %zu", measured->n);
    if (cell->one_draw.n)
        fprintf(stream, ", one draw: %.6g", comparison_one_draw(cell));
    fprintf(stream, "; paper %.*f", printed->decimals, printed->mean);
    if (!isnan(printed->sd))
        fprintf(stream, " ± %.*f", printed->sd_decimals, printed->sd);
    fprintf(stream, "%s\n",
            verdict == VERDICT_DIFFERS && cell->explanation ? explanation_text(cell->explanation)
            : cell->synthetic                               ? " (on a data set made here)"
                                                            : "");
}

/* "2-smo.error_percent", "a and b", or "none". */
static void print_marked(const struct paper_table *table, uint64_t marked, FILE *stream)
{
    int count = 0;
    for (size_t j = 0; j < table->n_columns; j++)
        if (marked >> j & 1)
            fprintf(stream, "%s%s", count++ ? " and " : "", table->columns[j].key);
    if (count == 0)
        fputs("none", stream);
}

static void print_marks(const struct paper_comparison *comparison, FILE *stream)
{
    const struct marks_count *marks = &comparison->marks;
    if (marks->compared + marks->untested == 0)
        return;
    fprintf(stream, "  marks: %zu of %zu agree, %zu not tested\n", marks->agree, marks->compared, marks->untested);
    for (size_t i = 0; i < comparison->n_tests; i++) {
        const struct test_finding *test = &comparison->tests[i];
        if (!test->compared || test->agrees)
            continue;
        fprintf(stream, "  mark    %s: ours on ", test->id);
        print_marked(comparison->table, test->marked, stream);
        fprintf(stream, " (p %.3g, n %zu); paper on ", test->result.p_value, test->n);
        print_marked(comparison->table, test->printed, stream);
        fprintf(stream, "%s\n", explanation_text(test->explanation));
    }
}

static void print_table(const struct paper_comparison *comparison, FILE *stream)
{
    const size_t *counts = comparison->counts;
    const struct paper_table *paper = comparison->table;
    if (!comparison->is_measured) {
        fprintf(stream, "%s: set-up values, nothing to compare\n", paper->name);
        return;
    }
    fprintf(stream, "%s: %zu match, %zu near, %zu differ, %zu missing\n  %s\n", paper->name,
            counts[VERDICT_MATCH], counts[VERDICT_NEAR], counts[VERDICT_DIFFERS],
            counts[VERDICT_MISSING], comparison->splits);
    for (size_t i = 0; i < paper->n_rows; i++) {
        const struct comparison_row *row = &comparison->rows[i];
        size_t absent = 0, compared = 0;
        for (size_t j = 0; j < paper->n_columns; j++) {
            print_cell(&row->cells[j], stream);
            compared += row->cells[j].compared != 0;
            absent += row->cells[j].compared && row->cells[j].agreement.verdict == VERDICT_MISSING;
        }
        if (absent)
            fprintf(stream, "  missing %s/%s: %zu of %zu cells: %s%s%s\n", paper->name, row->dataset, absent,
                    compared, row->reason ? row->reason : "no records", row->command ? "; " : "",
                    row->command ? row->command : "");
    }
    print_marks(comparison, stream);
}

/* The data sets that speak against a claim, and those it leaves out, on lines of their own. */
static void print_cases(const struct claim_finding *finding, const char *whose, FILE *stream)
{
    for (size_t i = 0; i < finding->n_cases; i++) {
        const struct claim_case *one = &finding->cases[i];
        if (one->decided && (one->excepted || !one->holds))
            fprintf(stream, "             %s, %s%s: %s%s\n", whose, one->dataset,
                    one->excepted ? " (left out by the claim)" : "", one->detail, one->holds ? "" : ", not so");
    }
}

static void print_claim(const struct claim *claim, FILE *stream)
{
    const struct claim_finding *measured = &claim->measured, *printed = &claim->printed;
    fprintf(stream, "  %-7s %s: %s\n", claim_verdict_names[measured->verdict], claim->id, claim->text);
    fprintf(stream, "           ours: %zu data sets for, %zu against, %zu without figures%s\n", measured->yes,
            measured->no, measured->missing,
            measured->verdict == CLAIM_FAILS ? explanation_text(claim->explanation) : "");
    print_cases(measured, "ours", stream);
    if (printed->verdict == CLAIM_MISSING)
        fputs("           the paper's own tables do not decide it\n", stream);
    else
        fprintf(stream, "           by the paper's own tables: %s (%zu for, %zu against, %zu without figures)\n",
                claim_verdict_names[printed->verdict], printed->yes, printed->no, printed->missing);
    print_cases(printed, "printed", stream);
}

/* What each experiment gave; entries without one are counted. */
static void print_explanations(const struct conform_paper *paper, FILE *stream)
{
    const struct explanations *explanations = &paper->explanations;
    if (explanations->count == 0)
        return;
    fprintf(stream, "%s, deviations:", paper->paper->name);
    for (int s = 0; s < EXPLANATION_STATES; s++)
        fprintf(stream, "%s %zu %s", s ? "," : "", explanations->counts[s], explanation_state_names[s]);
    fputs("\n", stream);
    for (size_t i = 0; i < explanations->count; i++) {
        const struct explanation *one = &explanations->items[i];
        if (one->state != EXPLANATION_NONE)
            fprintf(stream, "  %-11s %s: %s%s%s\n", explanation_state_names[one->state], one->entry, one->id,
                    one->detail[0] ? ": " : "", one->detail);
    }
}

void conform_print(const struct conformance *conformance, FILE *stream)
{
    size_t totals[VERDICT_COUNT] = {0};
    if (conformance->n_tables == 0)
        fputs("no cell to compare: no configuration names a published table under \"tables\"\n", stream);
    for (size_t t = 0; t < conformance->n_tables; t++) {
        print_table(conformance->tables[t], stream);
        for (int v = 0; v < VERDICT_COUNT; v++)
            totals[v] += conformance->tables[t]->counts[v];
    }
    for (size_t p = 0; p < conformance->n_papers; p++) {
        const struct claims *claims = &conformance->papers[p].claims;
        if (claims->count)
            fprintf(stream, "%s, claims:\n", conformance->papers[p].paper->name);
        for (size_t i = 0; i < claims->count; i++)
            print_claim(&claims->items[i], stream);
        print_explanations(&conformance->papers[p], stream);
    }
    fprintf(stream, "all: %zu match, %zu near, %zu differ, %zu missing; not listed: %zu cells, %zu claims\n",
            totals[VERDICT_MATCH], totals[VERDICT_NEAR], totals[VERDICT_DIFFERS], totals[VERDICT_MISSING],
            conformance->unexplained_cells, conformance->unexplained_claims);
    const struct marks_count *marks = &conformance->marks;
    if (marks->compared + marks->untested > 0)
        fprintf(stream, "marks: %zu of %zu agree, %zu not tested; not listed: %zu, of them reversed: %zu\n",
                marks->agree, marks->compared, marks->untested, conformance->unexplained_marks,
                conformance->unexplained_reversed);
}

/* ---- JSON ---- */

static void finding_json(cJSON *json, const char *key, const struct claim_finding *finding)
{
    cJSON *item = json_put_object(json, key);
    json_put_text(item, "verdict", claim_verdict_names[finding->verdict]);
    json_put_number(item, "for", (double)finding->yes);
    json_put_number(item, "against", (double)finding->no);
    json_put_number(item, "missing", (double)finding->missing);
    cJSON *cases = json_put_object(item, "datasets");
    for (size_t i = 0; i < finding->n_cases; i++) {
        const struct claim_case *one = &finding->cases[i];
        cJSON *json_case = json_put_object(cases, one->dataset);
        if (one->decided)
            json_put_bool(json_case, "holds", one->holds);
        else
            json_put_null(json_case, "holds");
        json_put_bool(json_case, "excepted", one->excepted);
        json_put_text(json_case, "detail", one->detail);
    }
}

/* The state of what lists the id, or null. */
static void put_explanation(cJSON *json, const struct explanation *explanation)
{
    if (explanation)
        json_put_text(json, "explanation", explanation_state_names[explanation->state]);
    else
        json_put_null(json, "explanation");
}

/* "explanation" only where it is asked for. */
static void claims_json(cJSON *json, const struct conform_paper *paper, int explained)
{
    for (size_t i = 0; i < paper->claims.count; i++) {
        const struct claim *claim = &paper->claims.items[i];
        cJSON *item = json_add_object(json);
        json_put_text(item, "id", claim->id);
        json_put_text(item, "text", claim->text);
        json_put_text(item, "where", claim->where);
        json_put_text(item, "kind", claim->kind);
        json_put_text(item, "verdict", claim_verdict_names[claim->measured.verdict]);
        if (explained)
            put_explanation(item, claim->explanation);
        finding_json(item, "ours", &claim->measured);
        finding_json(item, "paper", &claim->printed);
    }
}

static void cell_json(cJSON *item, const struct comparison_cell *cell)
{
    json_put_text(item, "verdict", verdict_names[cell->agreement.verdict]);
    json_put_number(item, "ours", cell->ours);
    json_put_number(item, "sd", cell->measured.sd);
    json_put_number(item, "n", (double)cell->measured.n);
    if (cell->one_draw.n)
        json_put_number(item, "one_draw", comparison_one_draw(cell));
    json_put_number(item, "paper", cell->printed->mean);
    put_explanation(item, cell->explanation);
}

static void mark_json(cJSON *item, const struct paper_table *table, const struct test_finding *test)
{
    json_put_bool(item, "agrees", test->agrees);
    marks_json(item, "ours", table, test->marked);
    marks_json(item, "paper", table, test->printed);
    json_put_rounded(item, "p_value", test->result.p_value);
    json_put_number(item, "n", (double)test->n);
    put_explanation(item, test->explanation);
}

static void table_json(cJSON *json, const struct paper_comparison *comparison)
{
    json_put_text(json, "table", comparison->table->name);
    json_put_text(json, "splits", comparison->splits);
    for (int v = 0; v < VERDICT_COUNT; v++)
        json_put_number(json, verdict_names[v], (double)comparison->counts[v]);
    cJSON *cells = json_put_object(json, "cells");
    for (size_t i = 0; i < comparison->n_cells; i++)
        if (comparison->cells[i].compared)
            cell_json(json_put_object(cells, comparison->cells[i].id), &comparison->cells[i]);
    cJSON *marks = json_put_object(json, "marks");
    for (size_t i = 0; i < comparison->n_tests; i++)
        if (comparison->tests[i].compared)
            mark_json(json_put_object(marks, comparison->tests[i].id), comparison->table, &comparison->tests[i]);
}

static void explanations_json(cJSON *json, const struct explanations *explanations)
{
    for (size_t i = 0; i < explanations->count; i++) {
        const struct explanation *one = &explanations->items[i];
        cJSON *item = json_add_object(json);
        json_put_text(item, "id", one->id);
        json_put_text(item, "entry", one->entry);
        json_put_text(item, "state", explanation_state_names[one->state]);
        json_put_text(item, "detail", one->detail);
    }
}

enum status conform_write_json(const struct conformance *conformance, const char *path, struct error *error)
{
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 1);
    cJSON *tables = json_put_array(json, "tables");
    for (size_t t = 0; t < conformance->n_tables; t++)
        table_json(json_add_object(tables), conformance->tables[t]);
    cJSON *claims = json_put_array(json, "claims");
    for (size_t p = 0; p < conformance->n_papers; p++)
        claims_json(claims, &conformance->papers[p], 1);
    cJSON *explanations = json_put_array(json, "explanations");
    for (size_t p = 0; p < conformance->n_papers; p++)
        explanations_json(explanations, &conformance->papers[p].explanations);
    json_put_number(json, "compared_cells", (double)conformance->compared);
    json_put_number(json, "unexplained_cells", (double)conformance->unexplained_cells);
    json_put_number(json, "unexplained_claims", (double)conformance->unexplained_claims);
    json_put_number(json, "compared_marks", (double)conformance->marks.compared);
    json_put_number(json, "agreeing_marks", (double)conformance->marks.agree);
    json_put_number(json, "unexplained_marks", (double)conformance->unexplained_marks);
    json_put_number(json, "unexplained_reversed_marks", (double)conformance->unexplained_reversed);
    enum status status = json_write(path, json, error);
    cJSON_Delete(json);
    return status;
}

/* ---- the claims as a table ---- */

void claims_table(const struct conform_paper *paper, struct text_table *table)
{
    static const char *const header[] = {"claim",      "ours",           "for",         "against",
                                         "no figures", "paper's tables", "what it says"};
    table->columns = sizeof header / sizeof *header;
    text_table_title(table, "%s: claims of the text", paper->paper->name);
    text_table_cells(table, header, table->columns);
    for (size_t i = 0; i < paper->claims.count; i++) {
        const struct claim *claim = &paper->claims.items[i];
        text_table_cell(table, "%s", claim->id);
        text_table_cell(table, "%s", claim_verdict_names[claim->measured.verdict]);
        text_table_cell(table, "%zu", claim->measured.yes);
        text_table_cell(table, "%zu", claim->measured.no);
        text_table_cell(table, "%zu", claim->measured.missing);
        text_table_cell(table, "%s",
                  claim->printed.verdict == CLAIM_MISSING ? "undecided" : claim_verdict_names[claim->printed.verdict]);
        text_table_cell(table, "%s (%s)", claim->text, claim->where);
    }
    text_table_footnote(table,
                        "For, against, no figures: data sets. The detail for each data set is in the JSON file.");
}

enum status claims_write(const struct conform_paper *paper, const char *folder, struct error *error)
{
    char name[256];
    struct text_table table = {0};
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 1);
    claims_json(json_put_array(json, "claims"), paper, 0);
    claims_table(paper, &table);
    snprintf(name, sizeof name, "%s.claims", paper->paper->name);
    enum status status = text_table_write_files(folder, name, json, &table, &table, error);
    text_table_free(&table);
    cJSON_Delete(json);
    return status;
}
