/* The agreement with each paper: counts of verdicts, a sign for every cell, the tables, the claims of the texts. */
#include <math.h>
#include <string.h>

#include "harness/report/report.h"

/* ---- agreement ---- */

void score_add(const struct conformance *conformance, const struct conform_paper *paper, struct score *score)
{
    for (size_t k = 0; k < paper->paper->n_tables; k++) {
        const struct reproduction *table = conform_table_of(conformance, &paper->paper->tables[k]);
        if (table)
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

/* A row for each paper and one for all; `put` fills it behind the name. */
static void put_scores(struct writer *writer, struct result *table,
                       void (*put)(struct result *table, const struct score *score))
{
    const struct conformance *conformance = &writer->report->conformance;
    struct score total = {0};
    for (size_t p = 0; p < conformance->n_papers; p++) {
        const char *name = conformance->papers[p].paper->name;
        struct score score = {0};
        score_add(conformance, &conformance->papers[p], &score);
        score_add(conformance, &conformance->papers[p], &total);
        result_text(table, "%s", name)->link = html_id(writer->pool, writer->outer ? "README.md#" : "#", name);
        put(table, &score);
    }
    result_text(table, "all");
    put(table, &total);
    put_result(writer, table);
}

static void put_counts(struct result *table, const struct score *score)
{
    for (int v = 0; v < VERDICT_COUNT; v++)
        result_number(table, (double)score->counts.cells[v]);
    for (int v = 0; v < CLAIM_VERDICT_COUNT; v++)
        result_number(table, (double)score->claims[v]);
    result_number(table, (double)score->claims_tuned_to_paper);
}

static void put_reach(struct result *table, const struct score *score)
{
    const struct verdict_counts *counts = &score->counts;
    const double percent = score_percent(score);
    result_shown(table, percent, isnan(percent) ? "–" : "%.1f %%", percent);
    result_number(table, (double)counts->can_agree);
    result_shown(table, counts->expected, "%.0f", counts->expected);
    put_part(table, counts->sds_differ, counts->sds_agree + counts->sds_differ);
    put_part(table, counts->marks.agree, counts->marks.compared);
}

static const char *const claim_signs[] = {
    [CLAIM_HOLDS] = "✓", [CLAIM_NOT_DECIDED] = "◐", [CLAIM_FAILS] = "✗", [CLAIM_MISSING] = "–"};

/* A link to the entry of the page's table of deviations that lists the id; NULL if there is none. */
static const char *why_link(const struct writer *writer, const struct explanation *explanation)
{
    return writer->page && explanation ? html_id(writer->pool, "#why-", explanation->id) : NULL;
}

static const char *state_of(const struct explanation *explanation)
{
    return explanation ? explanation_state_names[explanation->state] : "not listed";
}

/* The column of reproduction_page with the printed values of column j; 0 if it has none of ours beside it. */
static size_t printed_column(const struct paper_table *table, size_t j)
{
    size_t column = 1 + j;
    for (size_t k = 0; k < j; k++)
        column += table->columns[k].statistic != STATISTIC_VALUE;
    return table->columns[j].statistic != STATISTIC_VALUE ? column : 0;
}

/* Writes each cell that is near or differs and each claim that fails. */
static void put_differences(struct writer *writer)
{
    const struct conformance *conformance = &writer->report->conformance;
    struct result table = {.pool = writer->pool, .name = "differences"};
    result_columns(&table, "cell or claim\tpaper\tours\tdeviation");
    for (size_t t = 0; t < conformance->n_tables; t++) {
        const struct reproduction *compared = conformance->tables[t];
        struct result page = {.pool = writer->pool};
        reproduction_page(compared, &page);
        for (size_t i = 0; i < compared->table->n_rows; i++)
            for (size_t j = 0; j < compared->table->n_columns; j++) {
                const struct reproduction_cell *cell = &compared->rows[i].cells[j];
                const size_t column = printed_column(compared->table, j);
                if (!cell->counted || !column || (cell->agreement.verdict != VERDICT_NEAR &&
                                                  cell->agreement.verdict != VERDICT_DIFFERS))
                    continue;
                result_text(&table, "%s", cell->id)->link = why_link(writer, cell->explanation);
                *pool_push(table.pool, &table.values) = *result_at(&page, i, column);
                *pool_push(table.pool, &table.values) = *result_at(&page, i, column + 1);
                result_text(&table, "%s", state_of(cell->explanation));
            }
    }
    for (size_t p = 0; p < conformance->n_papers; p++)
        for (size_t i = 0; i < conformance->papers[p].claims.count; i++) {
            const struct claim *claim = &conformance->papers[p].claims.items[i];
            if (claim->measured.verdict != CLAIM_FAILS)
                continue;
            result_text(&table, "%s", claim->id)->link = why_link(writer, claim->explanation);
            result_text(&table, "%s", claim->printed.verdict == CLAIM_MISSING
                                          ? "claimed" : claim_verdict_names[claim->printed.verdict]);
            result_text(&table, "✗ fails")->meaning = "fails";
            result_text(&table, "%s", state_of(claim->explanation));
        }
    if (result_rows(&table) == 0)
        return;
    put_heading(writer, 3, "What differs");
    put_result(writer, &table);
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

void section_agreement(struct writer *writer)
{
    struct result table = {.pool = writer->pool, .name = "scores"};
    result_columns(&table, "paper");
    for (int v = 0; v < VERDICT_COUNT; v++)
        result_columns(&table, pool_printf(writer->pool, "#%s=%s %s", verdict_texts[v].name, verdict_texts[v].name,
                                           verdict_texts[v].sign));
    result_columns(&table, "#claims: hold ✓\t#undecided ◐\t#fail ✗\t#no data –\t#not independent");
    put_scores(writer, &table, put_counts);
    fprintf(writer->text, "%s A claim is not independent if its numbers were used to choose a convention that the "
                          "paper leaves open.\n\n", verdict_explanation);
    put_differences(writer);
}

void section_verdicts(struct writer *writer)
{
    struct result table = {.pool = writer->pool, .name = "reach"};
    result_columns(&table, "paper\t#share that agrees\t#can_agree=can agree\t#expected=would agree\t"
                           "#standard deviations that differ\t#marks that agree");
    put_scores(writer, &table, put_reach);
    fputs("The share leaves out cells that are undecidable or missing. Cells that can agree would do so with "
          "unlimited splits and equal means; \"would agree\" is expected of a perfect reproduction with these "
          "splits.\n\n", writer->text);
    put_joint_tests(writer);
}

/* ---- tables ---- */

static void explain_signs(const struct writer *writer, const struct reproduction *comparison, struct result *page)
{
    const struct paper_table *table = comparison->table;
    for (size_t i = 0; i < table->n_rows; i++)
        for (size_t j = 0; j < table->n_columns; j++) {
            const size_t column = printed_column(table, j);
            struct result_value *ours = column ? result_at(page, i, column + 1) : NULL;
            if (ours && ours->sign)
                ours->link = why_link(writer, comparison->rows[i].cells[j].explanation);
        }
}

/* The marks that do not agree. */
static void put_marks(struct writer *writer, const struct reproduction *comparison)
{
    struct result table = {.pool = writer->pool, .name = "marks"};
    result_columns(&table, "mark\tours on\tthe paper's on\t#p\t#n");
    for (size_t i = 0; i < comparison->n_tests; i++) {
        const struct test_finding *test = &comparison->tests[i];
        if (!test->compared || test->agrees)
            continue;
        result_text(&table, "%s", test->id)->link = why_link(writer, test->explanation);
        result_text(&table, "%s", paper_column_names(table.pool, comparison->table, test->marked));
        result_text(&table, "%s", paper_column_names(table.pool, comparison->table, test->printed));
        result_p(&table, test->result.p_value);
        result_number(&table, (double)test->n);
    }
    if (result_rows(&table) == 0)
        return;
    fprintf(writer->text, "%zu of %zu marks do not agree:\n\n", result_rows(&table),
            comparison->counts.marks.compared);
    put_result(writer, &table);
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

/* "not so: german, image; not decided: 9 data sets", of those that do not support the claim, or that it excepts. */
static const char *cases_of(struct pool *pool, const struct claim_finding *finding)
{
    struct name_order notes = {.pool = pool};
    const char *text = "";
    for (size_t i = 0; i < finding->n_cases; i++)
        if (claim_case_is_told(&finding->cases[i]))
            name_order_add(&notes, claim_case_note(&finding->cases[i]));
    for (size_t n = 0; n < notes.count; n++) {
        struct name_order datasets = {.pool = pool};
        for (size_t i = 0; i < finding->n_cases; i++)
            if (claim_case_is_told(&finding->cases[i]) && claim_case_note(&finding->cases[i]) == notes.names[n])
                name_order_add(&datasets, finding->cases[i].dataset);
        text = pool_printf(pool, "%s%s%s: %s", text, n ? "; " : "", notes.names[n] + strlen(", "),
                           names_or_count(pool, &datasets, "data sets"));
    }
    return text;
}

static void put_claims(struct writer *writer, const struct conform_paper *paper)
{
    const char *name = pool_printf(writer->pool, "%s.claims", paper->paper->name);
    struct result table = {.pool = writer->pool, .name = name};
    result_columns(&table, "claim\tours\tpaper's tables\t~what it says\t~data sets");
    const char *held = "";
    for (size_t i = 0; i < paper->claims.count; i++) {
        const struct claim *claim = &paper->claims.items[i];
        const char *of_paper = claim->id + strlen(name) + 1;
        if (writer->page && claim->measured.verdict == CLAIM_HOLDS && !claim->tuned_to_paper) {
            held = pool_printf(table.pool, "%s%s%s", held, *held ? ", " : "", of_paper);
            continue;
        }
        const enum claim_verdict printed = claim->printed.verdict;
        result_text(&table, "%s", of_paper);
        struct result_value *ours = result_text(&table, "%s %s", claim_signs[claim->measured.verdict],
                                                claim_verdict_names[claim->measured.verdict]);
        ours->mark = claim->tuned_to_paper ? " (not independent)" : NULL;
        ours->meaning = claim_verdict_names[claim->measured.verdict];
        ours->link = why_link(writer, claim->explanation);
        result_text(&table, "%s", printed == CLAIM_MISSING ? "undecided" : claim_verdict_names[printed]);
        result_text(&table, "%s", claim->text);
        result_text(&table, "%s", cases_of(table.pool, &claim->measured));
    }
    begin_part(writer, &(struct part){NULL, name, "", "claims of the text", "",
                                      pool_printf(writer->pool, "%s: claims of the text", paper->paper->name)});
    if (result_rows(&table))
        put_result(writer, &table);
    if (*held)
        put_markdown(writer->text, "✓ These hold: %s.\n\n", held);
    put_markdown(writer->text, "Data sets: those that do not support the claim, or that it excepts. tables/%s.md has "
                               "the texts and the numbers of all claims.\n\n", name);
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
