/* SVGs in words and in fewer bytes, see svg.h. gnuplot's own form is looked at as text: it is regular enough. */
#include "harness/figure/svg_tidy.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"

/* The text after `lead` at `at`, NULL if it does not stand there. */
static const char *after(const char *at, const char *lead)
{
    size_t length = strlen(lead);
    return strncmp(at, lead, length) == 0 ? at + length : NULL;
}

/* The text after the next `end`, NULL if there is none. */
static const char *past(const char *at, const char *end)
{
    const char *found = strstr(at, end);
    return found ? found + strlen(end) : NULL;
}

static const char *past_blanks(const char *at)
{
    return at + strspn(at, " \t\n");
}

/* The end of a group that holds nothing, or a text of no letters; NULL if `at` is no such group. */
static const char *past_empty_group(const char *at)
{
    if (!after(at, "<g fill=") && !after(at, "<g transform="))
        return NULL;
    const char *inside = past(at, ">");
    const char *text = inside ? after(past_blanks(inside), "<text></text>") : NULL;
    const char *end = inside ? after(past_blanks(text ? text : inside), "</g>") : NULL;
    return end ? past_blanks(end) : NULL;
}

/* What of `at` is left out, as the place to go on from; NULL: nothing. in_tspan: "<tspan" stands
 * just before it, inside a group that names the same font. */
static const char *past_spare(const char *at, int in_tspan)
{
    const char *end = after(at, " stroke-linecap=\"butt\" stroke-linejoin=\"miter\"");
    if (!end && after(at, "<title>"))
        end = past(at, "</title>");
    const char *value = !end && in_tspan ? after(at, " font-family=\"") : NULL;
    if (value)
        end = past(value, "\"");
    return end ? end : past_empty_group(at);
}

static void print_lean(FILE *stream, const char *svg)
{
    static const char tspan[] = "<tspan";
    const char *tspan_end = NULL;
    for (const char *at = svg; *at;) {
        const char *next = past_spare(at, at == tspan_end);
        if (!next && after(at, tspan))
            tspan_end = at + strlen(tspan);
        if (!next)
            fputc(*at++, stream);
        else
            at = next;
    }
}

/* Prints the string that the program assigns to the variable, as XML text with its lines joined. */
static void print_assigned(FILE *stream, const char *program, const char *variable)
{
    char lead[40];
    snprintf(lead, sizeof lead, "\n%s = \"", variable);
    const char *at = past(program, lead);
    for (at = at ? at : ""; *at && *at != '"' && *at != '\n'; at++) {
        int escaped = *at == '\\' && at[1];
        at += escaped;
        if (escaped && *at == 'n')
            fputc(' ', stream);
        else if (*at == '&' || *at == '<' || *at == '>')
            fprintf(stream, "&#%d;", *at);
        else
            fputc(*at, stream);
    }
}

static enum status write_finished(const char *path, const char *svg, const char *program, struct error *error)
{
    struct outfile out;
    const char *title = past(svg, "<title>"), *rest = title ? strstr(title, "</desc>") : NULL;
    if (!rest) /* another gnuplot, whose files have no such words: as well */
        return STATUS_OK;
    enum status status = outfile_open(&out, path, error);
    if (status != STATUS_OK)
        return status;
    fwrite(svg, 1, (size_t)(title - svg), out.stream);
    print_assigned(out.stream, program, "heading");
    fputs("</title>\n<desc>", out.stream);
    print_assigned(out.stream, program, "caption");
    print_lean(out.stream, rest);
    return outfile_commit(&out, error);
}

enum status plot_svg_finish(const char *folder, const char *name, struct error *error)
{
    char path[PATH_MAX], *program = NULL, *svg = NULL;
    snprintf(path, sizeof path, "%s/%s.gp", folder, name);
    enum status status = file_read(path, &program, NULL, error);
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    if (status == STATUS_OK)
        status = file_read(path, &svg, NULL, error);
    if (status == STATUS_OK)
        status = write_finished(path, svg, program, error);
    free(program);
    free(svg);
    return status;
}
