/* The agreement with each paper: counts of verdicts, a sign for every cell, the tables, the claims of the texts. */
#include <math.h>
#include <string.h>

#include "harness/report/report.h"

/* ---- outcome ---- */

void score_add(const struct conformance *conformance, const struct conform_paper *paper, struct score *score)
{
    for (size_t k = 0; k < paper->paper->n_tables; k++) {
        const struct reproduction *table = conform_table_of(conformance, &paper->paper->tables[k]);
        if (!table)
            continue;
        verdict_counts_add(&table->counts, &score->counts);
    }
    for (size_t c = 0; c < paper->claims.count; c++)
        if (paper->claims.items[c].tuned_to_paper)
            score->claims_tuned_to_paper++;
        else
            score->claims[paper->claims.items[c].measured.verdict]++;
}

double score_percent(const struct score *score)
{
    const size_t tested = verdict_counts_tested(&score->counts);
    return tested ? 100.0 * (double)score->counts.cells[VERDICT_AGREES] / (double)tested : (double)NAN;
}

/* Puts "3 of 40", by which pages sort, or nothing if there are none. */
static struct result_value *put_part(struct result *table, size_t count, size_t all)
{
    return all ? result_shown(table, (double)count, "%zu of %zu", count, all) : result_none(table);
}

static void put_score(struct result *table, const struct score *score)
{
    const struct verdict_counts *counts = &score->counts;
    const double percent = score_percent(score);
    result_shown(table, percent, isnan(percent) ? "–" : "%.1f %%", percent);
    for (int v = 0; v < VERDICT_COUNT; v++)
        result_number(table, (double)counts->cells[v]);
    result_number(table, (double)counts->can_agree);
    result_shown(table, counts->expected, "%.0f", counts->expected);
    put_part(table, counts->sds_differ, counts->sds_agree + counts->sds_differ);
    put_part(table, counts->marks.agree, counts->marks.compared);
    for (int v = 0; v < CLAIM_VERDICT_COUNT; v++)
        result_number(table, (double)score->claims[v]);
    result_number(table, (double)score->claims_tuned_to_paper);
}

static void put_scores(struct writer *writer)
{
    const struct conformance *conformance = &writer->report->conformance;
    struct result table = {.pool = writer->pool, .name = "scores"};
    struct score total = {0};
    result_columns(&table, "paper\t#share that agrees");
    for (int v = 0; v < VERDICT_COUNT; v++)
        result_columns(&table, pool_printf(writer->pool, "#%s=%s %s", verdict_texts[v].name, verdict_texts[v].name,
                                           verdict_texts[v].sign));
    result_columns(&table, "#can_agree=can agree\t#expected=would agree\t#standard deviations that differ\t"
                           "#marks that agree\t#claims: hold ✓\t#undecided ◐\t#fail ✗\t#no data –\t#not independent");
    for (size_t p = 0; p < conformance->n_papers; p++) {
        const char *name = conformance->papers[p].paper->name;
        struct score score = {0};
        score_add(conformance, &conformance->papers[p], &score);
        score_add(conformance, &conformance->papers[p], &total);
        result_text(&table, "%s", name)->link = html_id(writer->pool, "#", name);
        put_score(&table, &score);
    }
    result_text(&table, "all");
    put_score(&table, &total);
    put_result(writer, &table);
}

/* Writes every cell of a table as a sign, one group per row; on a page with the colour of its verdict. */
static void put_map(struct writer *writer, const struct reproduction *comparison)
{
    writer_flush(writer);
    FILE *stream = writer->page ? writer->page : writer->text;
    fputs(writer->page ? "<p class=\"map\">" : ": `", stream);
    for (size_t i = 0; i < comparison->table->n_rows; i++) {
        fputs(i ? " " : "", stream);
        for (size_t j = 0; j < comparison->table->n_columns; j++) {
            const struct reproduction_cell *cell = &comparison->rows[i].cells[j];
            const enum verdict verdict = cell->agreement.verdict;
            if (cell->compared && writer->page)
                fprintf(stream, "<span class=\"%s\">", verdict_texts[verdict].name);
            if (cell->compared)
                fprintf(stream, writer->page ? "%s</span>" : "%s", verdict_texts[verdict].sign);
        }
    }
    fputs(writer->page ? "</p>\n" : "`\n", stream);
}

static void put_maps(struct writer *writer)
{
    const struct conformance *conformance = &writer->report->conformance;
    put_heading(writer, 3, "Every cell");
    fputs("One sign for each cell, one group of signs for each data set. [docs/verdicts.md](../verdicts.md) defines "
          "the verdicts.\n\n",
          writer->text);
    for (size_t p = 0; p < conformance->n_papers; p++)
        for (size_t k = 0; k < conformance->papers[p].paper->n_tables; k++) {
            const struct reproduction *table =
                conform_table_of(conformance, &conformance->papers[p].paper->tables[k]);
            if (!table || !table->is_measured)
                continue;
            fputs("- ", writer->text);
            put_link(writer, table->table->name, NULL, table->table->name);
            fputs(" (", writer->text);
            verdict_counts_print(writer->text, &table->counts);
            fputs(")", writer->text);
            put_map(writer, table);
        }
    fputs("\n", writer->text);
}

/* Writes how many of the listed cells, marks and claims an experiment explains, and the experiments' results. */
static void put_explanations(struct writer *writer)
{
    const struct conformance *conformance = &writer->report->conformance;
    size_t sums[EXPLANATION_STATES] = {0};
    FILE *list = begin_list(writer);
    for (size_t p = 0; p < conformance->n_papers; p++) {
        const struct explanations *explanations = &conformance->papers[p].explanations;
        for (size_t i = 0; i < explanations->count; i++) {
            const struct explanation *one = &explanations->items[i];
            sums[one->state]++;
            if (one->state != EXPLANATION_NONE)
                put_markdown(list, "- %s: %s%s%s\n", one->id, explanation_state_names[one->state],
                             one->detail[0] ? ": " : "", one->detail);
        }
    }
    fputs("Explanations of the listed deviations:", writer->text);
    for (int s = 0; s < EXPLANATION_STATES; s++)
        fprintf(writer->text, "%s %zu %s", s ? "," : "", sums[s], explanation_state_names[s]);
    fputs(".\n\n", writer->text);
    end_list(writer, list, "Results of the experiments that test explanations");
}

static void put_joint_count(struct result *table, const struct joint_count *count)
{
    put_part(table, count->outside, count->cells);
    result_shown(table, count->cells ? count->expected : (double)NAN, count->cells ? "%.1f" : "–", count->expected);
    result_p(table, count->cells ? count->p_value : (double)NAN);
}

static void put_joint(struct result *table, const char *name, const struct joint *joint)
{
    const struct joint_place *places = &joint->places;
    if (joint->means.cells + places->cells == 0)
        return;
    result_text(table, "%s", name);
    put_joint_count(table, &joint->means);
    put_joint_count(table, &joint->sds);
    if (places->cells)
        result_text(table, "%zu values at %.2f, p = %.2g: %s", places->cells, places->share, places->p_value,
                    joint_places_differ(places) ? "differ" : "no significant difference");
    else
        result_none(table);
}

/* Writes whether there are more rejections than chance explains. */
static void put_joint_tests(struct writer *writer)
{
    const struct conformance *conformance = &writer->report->conformance;
    struct result table = {.pool = writer->pool, .name = "joint"};
    put_heading(writer, 3, "All cells together");
    fputs("Some of many tests at 99 % reject by chance, and the cells of one data set tend to be rejected together. "
          "Resampling the measured splits, with one draw for all cells of a data set, gives the expected number of "
          "rejections between identical experiments, and p, the probability of at least as many. Values printed for a "
          "single split are tested by their mean rank among the measured ones (0: below all, 1: above all).\n\n",
          writer->text);
    result_columns(&table, "table\t#means=means rejected\t#expected\t#p\t#sds=standard deviations rejected\t"
                           "#expected_sds=expected\t#p_sds=p\t~printed for one split");
    for (size_t p = 0; p < conformance->n_papers; p++) {
        const struct paper *paper = conformance->papers[p].paper;
        for (size_t t = 0; t < conformance->n_tables; t++)
            if (paper_table_named(paper, conformance->tables[t]->table->name))
                put_joint(&table, conformance->tables[t]->table->name, &conformance->tables[t]->joint);
        put_joint(&table, pool_printf(writer->pool, "%s, all tables", paper->name), &conformance->papers[p].joint);
    }
    if (result_rows(&table))
        put_result(writer, &table);
    else
        fputs("No table has splits enough for these tests.\n\n", writer->text);
}

/* Writes whether docs/deviations.md lists everything that differs. */
static void put_unlisted(struct writer *writer)
{
    const struct conformance *conformance = &writer->report->conformance;
    const char *deviations = writer->page ? "#Deviations" : "../deviations.md";
    if (conformance->unexplained_cells + conformance->unexplained_sds + conformance->unexplained_claims +
            conformance->unexplained_reversed ==
        0)
        fprintf(writer->text, "Every difference is listed among the [deviations](%s).", deviations);
    else
        fprintf(writer->text,
                "**Differences that the [deviations](%s) do not list, or list with a refuted explanation:** %zu cells, "
                "%zu standard deviations, %zu claims that fail, %zu marks on the opposite side.",
                deviations, conformance->unexplained_cells, conformance->unexplained_sds,
                conformance->unexplained_claims, conformance->unexplained_reversed);
}

void section_agreement(struct writer *writer)
{
    FILE *text = writer->text;
    const struct conformance *conformance = &writer->report->conformance;
    if (conformance->n_papers == 0) {
        fputs("No configuration names a published table under `tables`, so there is nothing to compare with.\n\n",
              text);
        return;
    }
    fprintf(text, "%zu printed numbers, some %.0f independent facts, are compared with measured ones. %s\n\n",
            conformance->compared, conformance->facts.facts, verdict_explanation);
    put_scores(writer);
    fputs("The share that agrees leaves out cells that are undecidable or missing. Cells that can agree would do so "
          "with unlimited splits and equal means; \"would agree\" is expected of a perfect reproduction with these "
          "splits. Cells that move together over the splits are one fact. A claim is not independent if its "
          "numbers were used to choose a convention that the paper leaves open. ",
          writer->text);
    put_unlisted(writer);
    fputs("\n\n", writer->text);
}

void section_verdicts(struct writer *writer)
{
    put_explanations(writer);
    put_joint_tests(writer);
    put_maps(writer);
}

/* ---- tables ---- */

/* A link to the deviation of a page that lists the id; NULL if there is none. */
static const char *why_link(const struct writer *writer, const char *id)
{
    struct pool *pool = writer->pool;
    const char *code = pool_printf(pool, "`%s`", id);
    return writer->page && strstr(writer->report->deviations, code) ? html_id(pool, "#why-", id) : NULL;
}

static void explain_signs(const struct writer *writer, const struct reproduction *comparison, struct result *page)
{
    const struct paper_table *table = comparison->table;
    for (size_t i = 0; i < table->n_rows; i++)
        for (size_t j = 0, column = 1; j < table->n_columns; j++) {
            const int is_measured = table->columns[j].statistic != STATISTIC_VALUE;
            struct result_value *ours = is_measured ? result_at(page, i, column + 1) : NULL;
            if (ours && ours->sign)
                ours->link = why_link(writer, comparison->rows[i].cells[j].id);
            column += is_measured ? 2 : 1;
        }
}

/* The names of the columns that have a mark, or "none". */
static const char *marked_columns(struct pool *pool, const struct paper_table *table, uint64_t marked)
{
    return marked ? paper_column_keys(pool, table, marked, " and ") : "none";
}

static void put_marks(struct writer *writer, const struct reproduction *comparison)
{
    const struct marks_count *marks = &comparison->counts.marks;
    FILE *list = begin_list(writer);
    for (size_t i = 0; i < comparison->n_tests; i++) {
        const struct test_finding *test = &comparison->tests[i];
        const char *link = why_link(writer, test->id);
        if (!test->compared || test->agrees)
            continue;
        fprintf(list, link ? "- [%s](%s): ours on " : "- %s: ours on ", test->id, link);
        put_markdown(list, "%s", marked_columns(writer->pool, comparison->table, test->marked));
        fprintf(list, " (p %.3g, n %zu), the paper's on ", test->result.p_value, test->n);
        put_markdown(list, "%s\n", marked_columns(writer->pool, comparison->table, test->printed));
    }
    end_list(writer, list, pool_printf(writer->pool, "%zu of %zu marks do not agree", marks->compared - marks->agree,
                                       marks->compared));
}

/* The printed and measured values, below the figures of the table. A page shows the main figures once, in their
 * section. */
static void put_table(struct writer *writer, const struct reproduction *table)
{
    const struct paper_table *printed = table->table;
    const struct report *report = writer->report;
    struct result page = {.pool = writer->pool};
    reproduction_page(table, &page);
    explain_signs(writer, table, &page);
    begin_part(writer, &(struct part){NULL, printed->name, "", printed->name,
                                      pool_printf(writer->pool, ": %s", printed->caption), page.title});
    for (size_t k = 0; k < report->figures.count; k++) {
        const struct report_figure *figure = &report->figures.item[k];
        if (figure->embedded && figure->table && strcmp(figure->table, printed->name) == 0 &&
            !(writer->page && figure->is_main))
            put_figure(writer, figure);
    }
    put_result(writer, &page);
    put_marks(writer, table);
    end_part(writer);
}

/* ---- claims ---- */

static void put_cases(FILE *stream, const char *id, const struct claim_finding *finding, const char *whose)
{
    for (size_t i = 0; i < finding->n_cases; i++) {
        const struct claim_case *one = &finding->cases[i];
        if (claim_case_is_told(one))
            put_markdown(stream, "- %s: %s, %s: %s%s\n", id, whose, one->dataset, one->detail, claim_case_note(one));
    }
}

static void put_claims(struct writer *writer, const struct conform_paper *paper)
{
    static const char *const signs[] = {
        [CLAIM_HOLDS] = "✓", [CLAIM_NOT_DECIDED] = "◐", [CLAIM_FAILS] = "✗", [CLAIM_MISSING] = "–"};
    struct result table = {.pool = writer->pool};
    FILE *cases = begin_list(writer);
    claims_table(paper, &table);
    for (size_t i = 0; i < paper->claims.count; i++) {
        const struct claim *claim = &paper->claims.items[i];
        struct result_value *ours = result_at(&table, i, 4);
        ours->text = pool_printf(writer->pool, "%s %s", signs[claim->measured.verdict], ours->text);
        ours->link = why_link(writer, claim->id);
        put_cases(cases, claim->id, &claim->measured, "ours");
        put_cases(cases, claim->id, &claim->printed, "printed");
    }
    begin_part(writer, &(struct part){NULL, table.name, "", "claims of the text", "", table.title});
    put_result(writer, &table);
    end_list(writer, cases, "Data sets that do not support a claim or are excepted from it");
    end_part(writer);
}

void section_papers(struct writer *writer)
{
    const struct conformance *conformance = &writer->report->conformance;
    fprintf(writer->text,
            "A column with the paper's name has the printed values, the column \"ours\" beside it the measured ones "
            "with the verdict: %s. A sign that is a link leads to the entry of the deviation.\n\n",
            verdict_legend);
    for (size_t p = 0; p < conformance->n_papers; p++) {
        const struct conform_paper *paper = &conformance->papers[p];
        put_heading(writer, 3, paper->paper->name);
        put_markdown(writer->text, "%s\n\n", paper->paper->reference ? paper->paper->reference : "");
        for (size_t k = 0; k < paper->paper->n_tables; k++) {
            const struct reproduction *table = conform_table_of(conformance, &paper->paper->tables[k]);
            if (table)
                put_table(writer, table);
        }
        if (paper->claims.count)
            put_claims(writer, paper);
        fputs("\n", writer->text);
    }
}
