/* What a paper says in words, with our verdict, what its own tables say, and the data sets that speak against it. */
#include <string.h>

#include "harness/report/html.h"
#include "harness/report/page.h"

static const struct page_verdict *claim_verdict(enum claim_verdict verdict)
{
    static const struct page_verdict verdicts[] = {[CLAIM_HOLDS] = {"m", "✓", "holds"},
                                                   [CLAIM_IN_PART] = {"n", "◐", "in part"},
                                                   [CLAIM_FAILS] = {"d", "✗", "fails"},
                                                   [CLAIM_MISSING] = {"x", "–", "missing"}};
    return &verdicts[verdict];
}

static void put_cases(FILE *stream, const struct claim_finding *finding, const char *whose)
{
    for (size_t i = 0; i < finding->n_cases; i++) {
        const struct claim_case *one = &finding->cases[i];
        if (!one->decided || (one->holds && !one->excepted))
            continue;
        fputs("<li>", stream);
        html_format(stream, "%s, %s%s: %s%s", whose, one->dataset, one->excepted ? " (left out by the claim)" : "",
                    one->detail, one->holds ? "" : ", not so");
        fputs("</li>\n", stream);
    }
}

static size_t count_cases(const struct claim_finding *finding)
{
    size_t count = 0;
    for (size_t i = 0; i < finding->n_cases; i++)
        count += finding->cases[i].decided && (!finding->cases[i].holds || finding->cases[i].excepted);
    return count;
}

static void put_claim(struct page *page, const struct claim *claim)
{
    FILE *stream = page->stream;
    const struct page_verdict *verdict = claim_verdict(claim->measured.verdict);
    const char *slash = strchr(claim->id, '/');
    size_t cases = count_cases(&claim->measured) + count_cases(&claim->printed);
    fprintf(stream, "<tr><td class=\"t %s\">", verdict->class_name);
    page_sign(page, verdict, claim->id);
    fprintf(stream, " %s</td><th scope=\"row\">", verdict->word);
    html_text(stream, slash ? slash + 1 : claim->id);
    fputs("</th><td class=\"w\">", stream);
    html_format(stream, "%s (%s)", claim->text, claim->where);
    if (cases) {
        fprintf(stream, "<details><summary>data sets against it or left out: %zu</summary>\n<ul>\n", cases);
        put_cases(stream, &claim->measured, "ours");
        put_cases(stream, &claim->printed, "printed");
        fputs("</ul></details>", stream);
    }
    fprintf(stream, "</td><td>%zu</td><td>%zu</td><td>%zu</td><td class=\"t\">%s</td></tr>\n", claim->measured.yes,
            claim->measured.no, claim->measured.missing,
            claim->printed.verdict == CLAIM_MISSING ? "undecided" : claim_verdict_name(claim->printed.verdict));
}

void page_claims(struct page *page, const struct conform_paper *paper)
{
    static const char *const heads[] = {"<ours",   "<claim",     "<what it says",          "for",
                                        "against", "no figures", "<the paper's own tables"};
    FILE *stream = page->stream;
    fputs("<h4 id=\"", stream);
    html_id(stream, "claims-", paper->paper->name);
    fputs("\">", stream);
    html_format(stream, "%s: claims of the text", paper->paper->name);
    fputs("</h4>\n", stream);
    html_table_open(stream, "sort filter", page->tables++);
    html_format(stream, "Claims of %s: data sets for, against and without figures", paper->paper->name);
    fputs("</span></caption>\n", stream);
    html_heads(stream, heads, sizeof heads / sizeof *heads);
    fputs("<tbody>\n", stream);
    for (size_t i = 0; i < paper->claims.count; i++)
        put_claim(page, &paper->claims.items[i]);
    fputs("</tbody>\n", stream);
    html_table_close(stream);
}
