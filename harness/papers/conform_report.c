/* Reports the comparison: as text on a stream, as JSON, and the claims as a table. */
#include <math.h>

#include "harness/base/json_writer.h"
#include "harness/base/terminal.h"
#include "harness/format/result.h"
#include "harness/papers/conform.h"
#include "harness/support/decimal.h"

/* For example " (docs/deviations.md: not shown)"; "" if no deviation lists it. */
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

/* The word, padded to a column, in the colour of a difference if it is one. */
static void print_verdict(const char *word, int is_bad, FILE *stream)
{
    fprintf(stream, "  %s%-11s%s ", is_bad ? TERMINAL_BAD : "", word, is_bad ? TERMINAL_END : "");
}

static void print_cell(const struct reproduction_cell *cell, FILE *stream)
{
    const struct printed *printed = cell->printed;
    const struct summary *measured = &cell->measured;
    const enum verdict verdict = cell->agreement.verdict;
    if (!cell->counted || verdict_is_agreement(verdict) || verdict == VERDICT_MISSING)
        return;
    print_verdict(verdict_texts[verdict].name, verdict == VERDICT_DIFFERS, stream);
    fprintf(stream, "%s: ours %.6g", cell->id, cell->ours);
    if (measured->n > 1 && !isnan(printed->sd))
        fprintf(stream, " ± %.3g", measured->sd / printed_sd_scale(printed));
    if (cell->column->statistic == STATISTIC_MINIMUM)
        fprintf(stream, ", least of %zu", measured->n < printed->n ? measured->n : printed->n);
    fprintf(stream, ", n %zu", measured->n);
    if (cell->one_draw.n)
        fprintf(stream, ", one draw: %.6g",
                cell->column->statistic == STATISTIC_MINIMUM ? cell->one_draw.min : cell->one_draw.mean);
    fprintf(stream, "; paper %.*f", printed->decimals, printed->mean);
    if (!isnan(printed->sd))
        fprintf(stream, " ± %.*f%s", printed->sd_decimals, printed->sd / printed_sd_scale(printed),
                printed->is_error ? " (standard errors)" : "");
    fprintf(stream, "%s\n",
            cell->explanation ? explanation_text(cell->explanation)
            : cell->synthetic ? " (on a synthetic data set)"
                              : "");
}

/* "jointly: 3 of 52 means rejected at 99 %, 0.5 expected if the experiments are the same, p = 0.01". */
static void print_joint_count(const struct joint_count *count, const char *what, FILE *stream)
{
    if (count->cells)
        fprintf(stream, "  jointly: %zu of %zu %s rejected at 99 %%; identical experiments would give %.1f, p = %.2g\n",
                count->outside, count->cells, what, count->expected, count->p_value);
}

static void print_joint(const struct joint *joint, FILE *stream)
{
    const struct joint_place *places = &joint->places;
    print_joint_count(&joint->means, "means", stream);
    print_joint_count(&joint->sds, "standard deviations", stream);
    if (places->cells)
        fprintf(stream, "  jointly: %zu values printed for one split have a mean rank of %.2f among the measured ones "
                        "(0: below all, 1: above all), p = %.2g: they %s\n",
                places->cells, places->share, places->p_value,
                joint_places_differ(places) ? "differ" : "do not differ significantly");
}

static void print_marks(const struct reproduction *comparison, FILE *stream)
{
    struct pool *pool = pool_new();
    const struct marks_count *marks = &comparison->counts.marks;
    if (marks->compared + marks->untested > 0)
        fprintf(stream, "  marks: %zu of %zu agree, %zu not tested\n", marks->agree, marks->compared, marks->untested);
    for (size_t i = 0; i < comparison->n_tests; i++) {
        const struct test_finding *test = &comparison->tests[i];
        if (!test->compared || test->agrees)
            continue;
        fprintf(stream, "  mark    %s: ours on %s (p %.3g, n %zu); paper on %s%s\n", test->id,
                paper_column_names(pool, comparison->table, test->marked), test->result.p_value, test->n,
                paper_column_names(pool, comparison->table, test->printed), explanation_text(test->explanation));
    }
    pool_free(pool);
}

static void print_counts(const struct verdict_counts *counts, FILE *stream)
{
    const size_t sds = counts->sds_agree + counts->sds_differ;
    if (sds)
        fprintf(stream, "  standard deviations: %zu of %zu agree, %zu differ\n", counts->sds_agree, sds,
                counts->sds_differ);
    if (counts->can_agree)
        fprintf(stream,
                "  %zu cells can agree with unlimited splits; a perfect reproduction would show %.1f agreements, this "
                "one shows %zu\n",
                counts->can_agree, counts->expected, counts->cells[VERDICT_AGREES]);
    if (counts->tuned_to_paper)
        fprintf(stream,
                "  %zu cells that agree or are compatible are not independent: they were used to choose a convention\n",
                counts->tuned_to_paper);
    if (counts->repeated)
        fprintf(stream, "  %zu cells repeat a printed number and are not counted\n", counts->repeated);
}

static void print_table(const struct reproduction *comparison, FILE *stream)
{
    const struct paper_table *paper = comparison->table;
    if (!comparison->is_measured) {
        fprintf(stream, "%s: settings of the experiments, nothing to compare\n", paper->name);
        return;
    }
    fprintf(stream, "%s: ", paper->name);
    verdict_counts_print(stream, &comparison->counts);
    fprintf(stream, "\n  %s\n", comparison->splits);
    print_counts(&comparison->counts, stream);
    print_joint(&comparison->joint, stream);
    if (joint_places_differ(&comparison->joint.places)) {
        print_verdict(verdict_texts[VERDICT_DIFFERS].name, 1, stream);
        fprintf(stream, "%s%s\n", comparison->one_split, explanation_text(comparison->one_split_explanation));
    }
    for (size_t i = 0; i < paper->n_rows; i++) {
        const struct reproduction_row *row = &comparison->rows[i];
        size_t absent = 0, compared = 0;
        for (size_t j = 0; j < paper->n_columns; j++) {
            const struct reproduction_cell *cell = &row->cells[j];
            print_cell(cell, stream);
            if (cell->counted && cell->agreement.sds_agree == SD_DIFFERS)
                fprintf(stream, "  sd differs  %s/sd: ours %.3g, n %zu; paper %.*f%s\n", cell->id, cell->measured.sd,
                        cell->measured.n, cell->printed->sd_decimals, cell->printed->sd,
                        explanation_text(cell->sd_explanation));
            compared += cell->compared != 0;
            absent += cell->compared && cell->agreement.verdict == VERDICT_MISSING;
        }
        for (size_t j = 0; j < paper->n_columns; j++)
            if (row->cells[j].absent)
                fprintf(stream, "  no record   %s: the run for this table measured the data set, but no record has the "
                                "column's solver and settings\n",
                        row->cells[j].id);
        if (absent)
            fprintf(stream, "  missing %s/%s: %zu of %zu cells: %s%s%s\n", paper->name, row->dataset, absent,
                    compared, row->reason ? row->reason : "no records", row->command ? "; " : "",
                    row->command ? row->command : "");
    }
    print_marks(comparison, stream);
}

const char *claim_case_note(const struct claim_case *one)
{
    static const char *const notes[] = {
        [CLAIM_NO_FIGURES] = "", [CLAIM_FOR] = "", [CLAIM_AGAINST] = ", not so", [CLAIM_OPEN] = ", not decided"};
    static const char *const exceptions[] = {[CLAIM_NO_FIGURES] = "",
                                             [CLAIM_FOR] = ", an exception that the claim states",
                                             [CLAIM_AGAINST] = ", although the claim states an exception",
                                             [CLAIM_OPEN] = ", an exception that the claim states, undecided"};
    return one->left_out ? ", not covered by the claim" : one->contrary ? exceptions[one->answer] : notes[one->answer];
}

int claim_case_is_told(const struct claim_case *one)
{
    return one->answer != CLAIM_NO_FIGURES && (one->answer != CLAIM_FOR || one->left_out || one->contrary);
}

/* Prints the data sets that do not support a claim, and those that it excepts, one per line. */
static void print_cases(const struct claim_finding *finding, const char *whose, FILE *stream)
{
    for (size_t i = 0; i < finding->n_cases; i++) {
        const struct claim_case *one = &finding->cases[i];
        if (claim_case_is_told(one))
            fprintf(stream, "             %s, %s: %s%s\n", whose, one->dataset, one->detail, claim_case_note(one));
    }
}

static void print_answers(const struct claim_finding *finding, FILE *stream)
{
    const size_t *counts = finding->counts;
    fprintf(stream, "%zu data sets for, %zu against, %zu not decided, %zu without values", counts[CLAIM_FOR],
            counts[CLAIM_AGAINST], counts[CLAIM_OPEN], counts[CLAIM_NO_FIGURES]);
}

static void print_claim(const struct claim *claim, FILE *stream)
{
    const struct claim_finding *measured = &claim->measured, *printed = &claim->printed;
    print_verdict(claim_verdict_names[measured->verdict], measured->verdict == CLAIM_FAILS, stream);
    fprintf(stream, "%s%s: %s\n           ours: ", claim->id, claim->tuned_to_paper ? " (not independent)" : "",
            claim->text);
    print_answers(measured, stream);
    fprintf(stream, "%s\n", measured->verdict == CLAIM_FAILS ? explanation_text(claim->explanation) : "");
    if (claim->tuned_to_paper)
        fprintf(stream, "           not independent: %s\n", claim->tuned_to_paper);
    print_cases(measured, "ours", stream);
    if (printed->verdict == CLAIM_MISSING)
        fputs("           the paper's own tables do not decide it\n", stream);
    else {
        fprintf(stream, "           by the paper's own tables: %s (", claim_verdict_names[printed->verdict]);
        print_answers(printed, stream);
        fputs(")\n", stream);
    }
    print_cases(printed, "printed", stream);
}

/* "claims: 70 hold, 5 not decided, 3 fail, 0 missing; not independent: 4". The latter are not among the former. */
static void print_claim_totals(const struct conformance *conformance, FILE *stream)
{
    size_t totals[CLAIM_VERDICT_COUNT] = {0}, tuned_to_paper = 0;
    for (size_t p = 0; p < conformance->n_papers; p++)
        for (size_t i = 0; i < conformance->papers[p].claims.count; i++) {
            const struct claim *claim = &conformance->papers[p].claims.items[i];
            totals[claim->measured.verdict] += claim->tuned_to_paper == NULL;
            tuned_to_paper += claim->tuned_to_paper != NULL;
        }
    fprintf(stream, "claims: %zu hold, %zu not decided, %zu fail, %zu missing; not independent: %zu\n",
            totals[CLAIM_HOLDS], totals[CLAIM_NOT_DECIDED], totals[CLAIM_FAILS], totals[CLAIM_MISSING], tuned_to_paper);
}

/* Prints the result of each experiment and counts the entries without one. */
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

static void print_totals(const struct conformance *conformance, FILE *stream)
{
    const struct verdict_counts *counts = &conformance->counts;
    const struct joint_facts *facts = &conformance->facts;
    const size_t tested = verdict_counts_tested(counts), agree = counts->cells[VERDICT_AGREES];
    const int is_bad = conformance->unexplained_cells + conformance->unexplained_claims > 0;
    fprintf(stream, "%sall: ", is_bad ? TERMINAL_BAD : TERMINAL_GOOD);
    verdict_counts_print(stream, counts);
    fprintf(stream, "; not listed: %zu cells, %zu claims%s\n", conformance->unexplained_cells,
            conformance->unexplained_claims, TERMINAL_END);
    print_counts(counts, stream);
    if (tested)
        fprintf(stream,
                "  of %zu cells in which a difference of half the printed value would be noticed, %.1f %% agree and "
                "%.1f %% are not rejected\n",
                tested, 100 * (double)agree / (double)tested,
                100 * (double)(agree + counts->cells[VERDICT_COMPATIBLE]) / (double)tested);
    if (facts->cells)
        fprintf(stream, "  %zu cells are some %.0f independent facts: %zu correlate above %g with an earlier one\n",
                facts->cells, facts->facts, facts->correlated, joint_same);
    if (conformance->absent)
        fprintf(stream, "  %zu missing cells have no record although a run for their table is given\n",
                conformance->absent);
    if (conformance->unexplained_sds)
        fprintf(stream, "  not listed: %zu standard deviations that differ (they do not change the exit status)\n",
                conformance->unexplained_sds);
}

static void print_summary(const struct conformance *conformance, FILE *stream)
{
    const struct marks_count *marks = &conformance->counts.marks;
    print_totals(conformance, stream);
    print_claim_totals(conformance, stream);
    if (marks->compared + marks->untested > 0)
        fprintf(stream, "marks: %zu of %zu agree, %zu not tested; not listed: %zu, of them reversed: %zu\n",
                marks->agree, marks->compared, marks->untested, conformance->unexplained_marks,
                conformance->unexplained_reversed);
}

static void print_details(const struct conformance *conformance, FILE *stream)
{
    for (size_t t = 0; t < conformance->n_tables; t++)
        print_table(conformance->tables[t], stream);
    for (size_t p = 0; p < conformance->n_papers; p++) {
        const struct claims *claims = &conformance->papers[p].claims;
        const struct joint *joint = &conformance->papers[p].joint;
        if (joint->means.cells + joint->places.cells)
            fprintf(stream, "%s, all tables:\n", conformance->papers[p].paper->name);
        print_joint(joint, stream);
        if (claims->count)
            fprintf(stream, "%s, claims:\n", conformance->papers[p].paper->name);
        for (size_t i = 0; i < claims->count; i++)
            print_claim(&claims->items[i], stream);
        print_explanations(&conformance->papers[p], stream);
    }
    fprintf(stream, "verdicts: %s\n", verdict_explanation);
}

void conform_print(const struct conformance *conformance, FILE *stream)
{
    struct pool *pool = pool_new();
    struct pool_text *text = pool_text_open(pool);
    FILE *whole = text->stream;
    if (conformance->n_tables == 0)
        fputs("no cell to compare: no configuration names a published table under \"tables\"\n", whole);
    print_summary(conformance, whole);
    fputc('\n', whole);
    print_details(conformance, whole);
    fputc('\n', whole);
    print_summary(conformance, whole);
    terminal_print(stream, pool_text_end(text));
    pool_free(pool);
}

/* ---- the claims as a table ---- */

static void put_counts(struct result *table, const struct claim_finding *finding)
{
    const size_t *counts = finding->counts;
    result_row(table, "%zu\t%zu\t%zu\t%zu", counts[CLAIM_FOR], counts[CLAIM_AGAINST], counts[CLAIM_OPEN],
               counts[CLAIM_NO_FIGURES]);
}

void claims_table(const struct conform_paper *paper, struct result *table)
{
    table->name = pool_printf(table->pool, "%s.claims", paper->paper->name);
    result_title(table, "%s: claims of the text", paper->paper->name);
    if (!table->columns.count)
        result_columns(table,
                       "id=claim\t>text\t>where\t>kind\tverdict=ours\t>tuned_to_paper\t#ours.for=for\t"
                       "#ours.against=against\t#ours.not_decided=not decided\t#ours.missing=no figures\t"
                       "<paper's tables\t>paper.verdict\t>#paper.for\t>#paper.against\t>#paper.not_decided\t"
                       ">#paper.missing\t<~what it says");
    for (size_t i = 0; i < paper->claims.count; i++) {
        const struct claim *claim = &paper->claims.items[i];
        const char *ours = claim_verdict_names[claim->measured.verdict],
                   *printed = claim_verdict_names[claim->printed.verdict];
        result_row(table, "%s\t%s\t%s\t%s", claim->id, claim->text, claim->where, claim->kind);
        struct result_value *verdict = result_text(table, "%s", ours);
        verdict->mark = claim->tuned_to_paper ? " (not independent)" : NULL;
        verdict->meaning = ours;
        result_name(table, claim->tuned_to_paper);
        put_counts(table, &claim->measured);
        result_row(table, "%s\t%s", claim->printed.verdict == CLAIM_MISSING ? "undecided" : printed, printed);
        put_counts(table, &claim->printed);
        result_text(table, "%s (%s)", claim->text, claim->where);
    }
    result_note(table, "For, against, not decided, no figures: numbers of data sets. The JSON file has the details of "
                       "each data set.");
    for (size_t i = 0; i < paper->claims.count; i++)
        if (paper->claims.items[i].tuned_to_paper)
            result_note(table, "%s is not independent: %s.", paper->claims.items[i].id,
                        paper->claims.items[i].tuned_to_paper);
}

/* Adds a row for the answer of each data set to each claim, by our records and by the paper's tables. */
static void put_cases(struct result *cases, const struct claims *claims)
{
    static const char *const answers[] = {
        [CLAIM_NO_FIGURES] = "missing", [CLAIM_FOR] = "for", [CLAIM_AGAINST] = "against", [CLAIM_OPEN] = "not_decided"};
    if (!cases->columns.count)
        result_columns(cases, "claim\tby\tdataset\tanswer\t?left_out\t?contrary\tdetail");
    for (size_t i = 0; i < 2 * claims->count; i++) {
        const struct claim *claim = &claims->items[i / 2];
        const struct claim_finding *finding = i % 2 ? &claim->printed : &claim->measured;
        for (size_t k = 0; k < finding->n_cases; k++) {
            const struct claim_case *one = &finding->cases[k];
            result_row(cases, "%s\t%s\t%s\t%s\t%d\t%d\t%s", claim->id, i % 2 ? "paper" : "ours", one->dataset,
                       answers[one->answer], one->left_out, one->contrary, one->detail);
        }
    }
}

void claims_write(const struct conform_paper *paper, const char *folder)
{
    struct pool *pool = pool_new();
    struct result table = {.pool = pool};
    claims_table(paper, &table);
    gaps_add(&paper->gaps, &table);
    put_cases(result_part(&table, "cases", NULL), &paper->claims);
    result_write_files(&table, &table, folder);
    pool_free(pool);
}

/* ---- all as JSON ---- */

/* Adds a row for a table, all tables of a paper, or all. */
static void put_joint(struct result *table, const char *name, const char *splits, const struct verdict_counts *counts,
                      const struct joint *joint)
{
    if (!table->columns.count)
        result_columns(table, "name\tsplits\t#agrees\t#compatible\t#near\t#differs\t#undecidable\t#missing\t"
                              "#tuned_to_paper\t#repeated\t#sds_agree\t#sds_differ\t"
                              "#can_agree\t#6expected_agreements\t"
                              "#means.rejected\t#means.cells\t#6means.expected\t#6means.p_value\t"
                              "#sds.rejected\t#sds.cells\t#6sds.expected\t#6sds.p_value\t"
                              "#one_split.cells\t#6one_split.share\t#6one_split.p_value\t?one_split.differ");
    result_text(table, "%s", name);
    result_name(table, splits);
    for (int v = 0; v < VERDICT_COUNT; v++)
        result_number(table, (double)counts->cells[v]);
    result_row(table, "%zu\t%zu\t%zu\t%zu", counts->tuned_to_paper, counts->repeated, counts->sds_agree,
               counts->sds_differ);
    result_numbers(table, 1, (double)counts->can_agree, round_to_12_digits(counts->expected));
    for (int k = 0; k < 2; k++) {
        const struct joint_count *count = k ? &joint->sds : &joint->means;
        result_numbers(table, 1, (double)count->outside, (double)count->cells, count->expected, count->p_value);
    }
    result_numbers(table, 1, (double)joint->places.cells, joint->places.share, joint->places.p_value,
                   joint_places_differ(&joint->places));
}

void conform_print_json(const struct conformance *conformance, FILE *stream)
{
    static const struct joint no_joint = {{0, 0, (double)NAN, (double)NAN}, {0, 0, (double)NAN, (double)NAN},
                                          {0, (double)NAN, (double)NAN}};
    struct pool *pool = pool_new();
    struct result json = {.pool = pool, .name = "conform"}, *tests = result_part(&json, "tests", NULL),
                  *tables = result_part(&json, "tables", NULL), *claims = result_part(&json, "claims", NULL),
                  *cases = result_part(&json, "cases", NULL),
                  *explanations = result_part(&json, "explanations", "id\tentry\tstate\tdetail");
    const struct json_number numbers[] = {
        {"compared_cells", (double)conformance->compared},
        {"independent_facts", round_to_12_digits(conformance->facts.facts)},
        {"correlated_cells", (double)conformance->facts.correlated},
        {"absent_cells", (double)conformance->absent},
        {"unexplained_cells", (double)conformance->unexplained_cells},
        {"unexplained_standard_deviations", (double)conformance->unexplained_sds},
        {"unexplained_claims", (double)conformance->unexplained_claims},
        {"compared_marks", (double)conformance->counts.marks.compared},
        {"agreeing_marks", (double)conformance->counts.marks.agree},
        {"unexplained_marks", (double)conformance->unexplained_marks},
        {"unexplained_reversed_marks", (double)conformance->unexplained_reversed},
    };
    json_put_numbers(result_facts(&json), numbers, sizeof numbers / sizeof *numbers);
    for (size_t p = 0; p < conformance->n_papers; p++) {
        const struct conform_paper *paper = &conformance->papers[p];
        struct verdict_counts counts = {.repeated = 0};
        for (size_t t = 0; t < conformance->n_tables; t++) {
            const struct reproduction *made = conformance->tables[t];
            if (!paper_table_named(paper->paper, made->table->name))
                continue;
            reproduction_data(made, 1, &json, tests);
            put_joint(tables, made->table->name, made->splits, &made->counts, &made->joint);
            verdict_counts_add(&made->counts, &counts);
        }
        put_joint(tables, paper->paper->name, NULL, &counts, &paper->joint);
        claims_table(paper, claims);
        put_cases(cases, &paper->claims);
        for (size_t i = 0; i < paper->explanations.count; i++) {
            const struct explanation *one = &paper->explanations.items[i];
            result_row(explanations, "%s\t%s\t%s\t%s", one->id, one->entry, explanation_state_names[one->state],
                       one->detail);
        }
    }
    put_joint(tables, "all", NULL, &conformance->counts, &no_joint);
    result_write(&json, RESULT_JSON, stream);
    pool_free(pool);
}
