/* The agreement with each paper: counts of verdicts, a sign for every cell, the tables, the claims of the texts. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/format/result.h"
#include "harness/base/memory.h"
#include "harness/report/html.h"
#include "harness/report/sections.h"

/* ---- outcome ---- */

void score_add(const struct conformance *conformance, const struct conform_paper *paper, struct score *score)
{
    for (size_t k = 0; k < paper->paper->n_tables; k++) {
        const struct reproduction *table = conform_table_of(conformance, &paper->paper->tables[k]);
        if (!table)
            continue;
        verdict_counts_add(&table->counts, &score->counts);
        marks_add(&table->marks, &score->marks);
    }
    for (size_t c = 0; c < paper->claims.count; c++)
        if (paper->claims.items[c].fitted)
            score->fitted_claims++;
        else
            score->claims[paper->claims.items[c].measured.verdict]++;
}

double score_percent(const struct score *score)
{
    const size_t decided = verdict_counts_decided(&score->counts);
    return decided ? 100.0 * (double)score->counts.cells[VERDICT_AGREES] / (double)decided : (double)NAN;
}

static void put_score(FILE *text, const struct score *score)
{
    const struct verdict_counts *counts = &score->counts;
    const size_t *claims = score->claims, sds = counts->sds_agree + counts->sds_differ;
    const double percent = score_percent(score);
    if (isnan(percent))
        fputs(" | – |", text);
    else
        fprintf(text, " | %.1f %% |", percent);
    for (int v = 0; v < VERDICT_COUNT; v++)
        fprintf(text, " %zu |", counts->cells[v]);
    if (sds)
        fprintf(text, " %zu of %zu |", counts->sds_differ, sds);
    else
        fputs(" – |", text);
    if (score->marks.compared)
        fprintf(text, " %zu of %zu |", score->marks.agree, score->marks.compared);
    else
        fputs(" – |", text);
    for (int v = 0; v < CLAIM_VERDICT_COUNT; v++)
        fprintf(text, " %zu |", claims[v]);
    fprintf(text, " %zu |\n", score->fitted_claims);
}

static void put_scores(struct writer *writer)
{
    FILE *text = writer->text;
    const struct conformance *conformance = &writer->report->conformance;
    struct score total = {0};
    fputs("| paper | share that agrees |", text);
    for (int v = 0; v < VERDICT_COUNT; v++)
        fprintf(text, " %s %s |", verdict_texts[v].name, verdict_texts[v].sign);
    fputs(" standard deviations that differ | marks that agree | claims: hold ✓ | undecided ◐ | fail ✗ | "
          "no data – | not independent |\n"
          "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n",
          text);
    for (size_t p = 0; p < conformance->n_papers; p++) {
        struct score score = {0};
        score_add(conformance, &conformance->papers[p], &score);
        score_add(conformance, &conformance->papers[p], &total);
        put_markdown(text, "| [%s", conformance->papers[p].paper->name);
        html_id(text, "](#", conformance->papers[p].paper->name);
        fputs(")", text);
        put_score(text, &score);
    }
    fputs("| all", text);
    put_score(text, &total);
}

/* Writes every cell of a table as a sign, one group per row. */
static void put_map(FILE *text, const struct reproduction *comparison)
{
    fputs(": `", text);
    for (size_t i = 0; i < comparison->table->n_rows; i++) {
        fputs(i ? " " : "", text);
        for (size_t j = 0; j < comparison->table->n_columns; j++)
            if (comparison->rows[i].cells[j].compared)
                fputs(verdict_texts[comparison->rows[i].cells[j].agreement.verdict].sign, text);
    }
    fputs("`\n", text);
}

static void put_maps(struct writer *writer)
{
    FILE *text = writer->text;
    const struct conformance *conformance = &writer->report->conformance;
    fprintf(text,
            "\n### Every cell\n\nOne sign for each cell, one group of signs for each data set. %s "
            "[docs/verdicts.md](../verdicts.md) defines the verdicts.\n\n",
            verdict_explanation);
    for (size_t p = 0; p < conformance->n_papers; p++)
        for (size_t k = 0; k < conformance->papers[p].paper->n_tables; k++) {
            const struct reproduction *table =
                conform_table_of(conformance, &conformance->papers[p].paper->tables[k]);
            if (!table || !table->is_measured)
                continue;
            fputs("- ", text);
            put_link(writer, table->table->name, NULL, table->table->name);
            fputs(" (", text);
            verdict_counts_print(text, &table->counts);
            fputs(")", text);
            put_map(text, table);
        }
    fputs("\n", text);
}

/* Writes how many of the listed cells, marks and claims an experiment explains, and the experiments' results. */
static void put_explanations(const struct writer *writer)
{
    const struct conformance *conformance = &writer->report->conformance;
    size_t sums[EXPLANATION_STATES] = {0}, size = 0;
    char *list = NULL;
    FILE *stream = xopen_text(&list, &size);
    for (size_t p = 0; p < conformance->n_papers; p++) {
        const struct explanations *explanations = &conformance->papers[p].explanations;
        for (size_t i = 0; i < explanations->count; i++) {
            const struct explanation *one = &explanations->items[i];
            sums[one->state]++;
            if (one->state != EXPLANATION_NONE)
                put_markdown(stream, "- %s: %s%s%s\n", one->id, explanation_state_names[one->state],
                             one->detail[0] ? ": " : "", one->detail);
        }
    }
    xclose_text(stream);
    fputs("Explanations of the listed deviations:", writer->text);
    for (int s = 0; s < EXPLANATION_STATES; s++)
        fprintf(writer->text, "%s %zu %s", s ? "," : "", sums[s], explanation_state_names[s]);
    fputs(".\n\n", writer->text);
    if (*list)
        put_folded(writer->text, "Results of the experiments that test explanations", list);
    fputs("\n", writer->text);
    free(list);
}

static void put_joint_count(FILE *text, const struct joint_count *count)
{
    if (count->cells)
        fprintf(text, " %zu of %zu | %.1f | %.2g |", count->outside, count->cells, count->expected, count->p_value);
    else
        fputs(" – | – | – |", text);
}

static void put_joint(FILE *text, const char *name, const struct joint *joint)
{
    const struct joint_place *places = &joint->places;
    if (joint->means.cells + places->cells == 0)
        return;
    put_markdown(text, "| %s |", name);
    put_joint_count(text, &joint->means);
    put_joint_count(text, &joint->sds);
    if (places->cells)
        fprintf(text, " %zu values at %.2f, p = %.2g: %s |\n", places->cells, places->share, places->p_value,
                joint_places_differ(places) ? "differ" : "no significant difference");
    else
        fputs(" – |\n", text);
}

/* Writes whether there are more rejections than chance explains. */
static void put_joint_tests(struct writer *writer)
{
    FILE *text = writer->text;
    const struct conformance *conformance = &writer->report->conformance;
    fputs("### All cells together\n\nSome of many tests at 99 % reject by chance, and the cells of one data set tend "
          "to be rejected together. Resampling the measured splits, with one draw for all cells of a data set, gives "
          "the expected number of rejections between identical experiments, and p, the probability of at least as "
          "many. "
          "Values printed for a single split are tested by their mean rank among the measured ones (0: below all, 1: "
          "above all).\n\n"
          "| table | means rejected | expected | p | standard deviations rejected | expected | p | printed for one "
          "split |\n"
          "| --- | --: | --: | --: | --: | --: | --: | --- |\n",
          text);
    for (size_t p = 0; p < conformance->n_papers; p++) {
        const struct paper *paper = conformance->papers[p].paper;
        for (size_t t = 0; t < conformance->n_tables; t++)
            if (paper_table_named(paper, conformance->tables[t]->table->name))
                put_joint(text, conformance->tables[t]->table->name, &conformance->joints[t].joint);
        put_joint(text, pool_printf(writer->pool, "%s, all tables", paper->name), &conformance->papers[p].joint);
    }
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
    fputs("## Agreement with the papers\n\n", text);
    if (conformance->n_papers == 0) {
        fputs("No configuration names a published table under `tables`, so there is nothing to compare with.\n\n",
              text);
        return;
    }
    fprintf(text, "%zu printed numbers are compared with measured ones. %s\n\n", conformance->compared,
            verdict_explanation);
    put_scores(writer);
    fputs("\nThe share that agrees leaves out cells that are undecidable or missing. ", text);
    put_unlisted(writer);
    fputs("\n\n", text);
}

void section_verdicts(struct writer *writer)
{
    fputs("## Verdicts in detail\n\n", writer->text);
    put_explanations(writer);
    put_joint_tests(writer);
    put_maps(writer);
}

/* ---- tables ---- */

/* A link to the deviation of a page that lists the id; NULL if there is none. */
static const char *why_link(struct pool *pool, const struct writer *writer, const char *id)
{
    char *place = NULL;
    size_t size = 0;
    if (!writer->page || !strstr(writer->report->deviations, pool_printf(pool, "`%s`", id)))
        return NULL;
    FILE *stream = xopen_text(&place, &size);
    html_id(stream, "#why-", id);
    xclose_text(stream);
    pool_keep(pool, free, place);
    return place;
}

static void explain_signs(const struct writer *writer, const struct reproduction *comparison, struct result *page)
{
    const struct paper_table *table = comparison->table;
    for (size_t i = 0; i < table->n_rows; i++)
        for (size_t j = 0, column = 1; j < table->n_columns; j++) {
            const int is_measured = table->columns[j].statistic != STATISTIC_VALUE;
            struct result_value *ours = is_measured ? result_at(page, i, column + 1) : NULL;
            if (ours && ours->sign)
                ours->link = why_link(page->pool, writer, comparison->rows[i].cells[j].id);
            column += is_measured ? 2 : 1;
        }
}

/* Writes the names of the columns that have a mark, or "none". */
static void put_marked(FILE *stream, const struct paper_table *table, uint64_t marked)
{
    int count = 0;
    for (size_t j = 0; j < table->n_columns; j++)
        if (marked >> j & 1)
            put_markdown(stream, "%s%s", count++ ? " and " : "", table->columns[j].key);
    fputs(count ? "" : "none", stream);
}

static void put_mark(const struct writer *writer, FILE *stream, const struct paper_table *table,
                     const struct test_finding *test)
{
    struct pool *pool = pool_new();
    const char *link = why_link(pool, writer, test->id);
    if (link)
        fprintf(stream, "- [%s](%s): ours on ", test->id, link);
    else
        fprintf(stream, "- %s: ours on ", test->id);
    put_marked(stream, table, test->marked);
    fprintf(stream, " (p %.3g, n %zu), the paper's on ", test->result.p_value, test->n);
    put_marked(stream, table, test->printed);
    fputs("\n", stream);
    pool_free(pool);
}

static void put_marks(const struct writer *writer, FILE *stream, const struct reproduction *comparison)
{
    const struct marks_count *marks = &comparison->marks;
    char *list = NULL;
    size_t size = 0;
    if (marks->agree == marks->compared)
        return;
    FILE *items = xopen_text(&list, &size);
    for (size_t i = 0; i < comparison->n_tests; i++)
        if (comparison->tests[i].compared && !comparison->tests[i].agrees)
            put_mark(writer, items, comparison->table, &comparison->tests[i]);
    xclose_text(items);
    fputs("\n", stream);
    put_folded(
        stream,
        pool_printf(writer->pool, "%zu of %zu marks do not agree", marks->compared - marks->agree, marks->compared),
        list);
    free(list);
}

int shows_table(const struct report_figure *figure, const char *table)
{
    const size_t length = strlen(figure->name), end = strlen(table);
    return length > end && figure->name[length - end - 1] == '-' && strcmp(figure->name + length - end, table) == 0;
}

int stands_with_table(const struct report *report, const struct report_figure *figure)
{
    for (size_t t = 0; t < report->conformance.n_tables; t++)
        if (shows_table(figure, report->conformance.tables[t]->table->name))
            return 1;
    return 0;
}

/* The text, which is freed, with the figures of the table after its first line, a heading: one for each folder that has
 * one. A page shows the main figures once, in their section. */
static char *with_figures(const struct report *report, int on_page, const char *table, char *text)
{
    char *whole = NULL;
    size_t size = 0, heading = strcspn(text, "\n");
    FILE *stream = xopen_text(&whole, &size);
    fprintf(stream, "%.*s\n\n", (int)heading, text);
    for (size_t k = 0; k < report->figures.count; k++) {
        const struct report_figure *figure = &report->figures.items[k];
        if (figure->embedded && shows_table(figure, table) && !(on_page && is_main_figure(report, figure)))
            put_figure(stream, figure, report->folders[figure->folder].label);
    }
    fputs(text + heading + strspn(text + heading, "\n"), stream);
    xclose_text(stream);
    free(text);
    return whole;
}

static void put_table(struct writer *writer, const struct reproduction *table)
{
    const struct paper_table *printed = table->table;
    struct pool *pool = pool_new();
    struct result page = {.pool = pool};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = xopen_text(&text, &size);
    reproduction_page(table, &page);
    explain_signs(writer, table, &page);
    result_write(&page, RESULT_MARKDOWN, stream);
    put_marks(writer, stream, table);
    xclose_text(stream);
    text = with_figures(writer->report, writer->page != NULL, printed->name, text);
    const char *caption = pool_printf(pool, ": %s", printed->caption);
    put_part(writer, &(struct part){NULL, printed->name, "", printed->name, caption}, text);
    free(text);
    pool_free(pool);
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
    struct pool *pool = pool_new();
    struct result table = {.pool = pool};
    char *text = NULL, *cases = NULL;
    size_t size = 0, cases_size = 0;
    FILE *stream = xopen_text(&text, &size), *list = xopen_text(&cases, &cases_size);
    claims_table(paper, &table);
    for (size_t i = 0; i < paper->claims.count; i++) {
        const struct claim *claim = &paper->claims.items[i];
        struct result_value *ours = result_at(&table, i, 4);
        ours->text = pool_printf(pool, "%s %s", signs[claim->measured.verdict], ours->text);
        ours->link = why_link(pool, writer, claim->id);
        put_cases(list, claim->id, &claim->measured, "ours");
        put_cases(list, claim->id, &claim->printed, "printed");
    }
    xclose_text(list);
    result_write(&table, RESULT_MARKDOWN, stream);
    if (*cases) {
        fputs("\n", stream);
        put_folded(stream, "Data sets that do not support a claim or are excepted from it", cases);
    }
    xclose_text(stream);
    const char *name = pool_printf(pool, "%s.claims", paper->paper->name);
    put_part(writer, &(struct part){NULL, name, "", "claims of the text", ""}, text);
    free(text);
    free(cases);
    pool_free(pool);
}

void section_papers(struct writer *writer)
{
    const struct conformance *conformance = &writer->report->conformance;
    fprintf(writer->text,
            "## Papers\n\nEach table shows the printed values, the measured values and the verdict: %s. A sign that is "
            "a link leads to the entry of the deviation.\n\n",
            verdict_legend);
    for (size_t p = 0; p < conformance->n_papers; p++) {
        const struct conform_paper *paper = &conformance->papers[p];
        put_markdown(writer->text, "### %s\n\n%s\n\n", paper->paper->name,
                     text_member(paper->paper->json, "reference"));
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
