/* The figures, folder by folder, and the names of those that the page has no room for. */
#include "harness/report/html.h"
#include "harness/report/page.h"
#include "harness/report/svg.h"

static void put_figure(FILE *stream, const struct report_folder *folder, const struct report_figure *figure)
{
    double width, height;
    svg_size(figure->svg, &width, &height);
    fputs("<figure id=\"", stream);
    html_id(stream, "figure-", folder->label);
    html_id(stream, "-", figure->name);
    fputs("\">\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"", stream);
    html_text(stream, figure->heading);
    fputs("\"><img", stream);
    if (width > 0 && height > 0)
        fprintf(stream, " width=\"%.0f\" height=\"%.0f\"", width, height);
    fputs(" alt=\"", stream);
    html_format(stream, "%s%s%s", figure->heading, *figure->caption ? ". " : "", figure->caption);
    fputs("\" src=", stream);
    svg_write_uri(stream, figure->svg);
    fputs("></div>\n<figcaption>", stream);
    html_text(stream, figure->heading);
    fputs(" <code>", stream);
    html_format(stream, "%s/plots/%s", folder->label, figure->name);
    fputs("</code></figcaption>\n</figure>\n", stream);
}

static void put_others(FILE *stream, const struct report_folder *folder)
{
    int any = 0;
    for (size_t i = 0; i < folder->figures.count; i++) {
        const struct report_figure *figure = &folder->figures.items[i];
        if (figure->embedded)
            continue;
        fputs(any++ ? "" : "<p>Not in this page:</p>\n<ul class=\"notes\">\n", stream);
        fputs("<li>", stream);
        html_format(stream, "%s: %s/plots/%s.%s", figure->heading, folder->label, figure->name,
                    figure->svg ? "svg" : "gp");
        fputs("</li>\n", stream);
    }
    fputs(any ? "</ul>\n" : "", stream);
}

void page_figures(struct page *page)
{
    FILE *stream = page->stream;
    fputs("<section aria-labelledby=\"figures\">\n<h2 id=\"figures\">Figures</h2>\n<p>The numbers of each are in its "
          "<code>.dat</code>, the program that draws it in its <code>.gp</code>.</p>\n",
          stream);
    for (size_t i = 0; i < page->report->count; i++) {
        const struct report_folder *folder = &page->report->folders[i];
        if (folder->figures.count == 0)
            continue;
        fputs("<h3>", stream);
        html_text(stream, folder->label);
        fputs("</h3>\n", stream);
        for (size_t k = 0; k < folder->figures.count; k++)
            if (folder->figures.items[k].embedded)
                put_figure(stream, folder, &folder->figures.items[k]);
        put_others(stream, folder);
    }
    fputs("</section>\n", stream);
}
