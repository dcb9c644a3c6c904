#include "harness/plot/levels.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/figure/figure.h"
#include "harness/program/memory.h"

void plot_levels_take(const struct records *records, const char *setting, struct plot_levels *levels)
{
    levels->n = 0;
    for (size_t i = 0; i < records->count; i++) {
        const struct setting *found = record_setting(records->items[i], setting);
        size_t known = 0, at;
        while (found && known < levels->n && levels->items[known]->text != found->text)
            known++;
        if (!found || known < levels->n || levels->n == PLOT_MAX_LEVELS)
            continue;
        for (at = levels->n++; at > 0 && levels->items[at - 1]->number > found->number; at--)
            levels->items[at] = levels->items[at - 1];
        levels->items[at] = found;
    }
}

int plot_levels_are_numbers(const struct plot_levels *levels)
{
    for (size_t i = 0; i < levels->n; i++)
        if (!isfinite(levels->items[i]->number))
            return 0;
    return 1;
}

const char *plot_level_text(const struct setting *level, char *text, size_t size)
{
    char rounded[40];
    if (!isfinite(level->number)) {
        snprintf(text, size, "%s", level->text);
        return text;
    }
    snprintf(rounded, sizeof rounded, "%.2e", level->number);
    double number = strtod(rounded, NULL);
    snprintf(text, size, fabs(number) < 1e5 ? "%.5g" : "%.3g", number); /* 1200 rather than 1.2e+03 */
    char *exponent = strchr(text, 'e');
    if (exponent) {
        long power = strtol(exponent + 1, NULL, 10);
        snprintf(exponent + 1, size - (size_t)(exponent + 1 - text), "%ld", power);
    }
    return text;
}

char *plot_level_tics(const struct plot_levels *levels)
{
    char *list = NULL, text[40];
    size_t size = 0;
    FILE *stream = xopen_text(&list, &size);
    fputc('(', stream);
    for (size_t i = 0; i < levels->n; i++) {
        if (i)
            fputs(", ", stream);
        plot_quoted(stream, plot_level_text(levels->items[i], text, sizeof text));
        fprintf(stream, " %zu", i + 1);
    }
    fputc(')', stream);
    xclose_text(stream);
    return list;
}

int plot_at_level(const struct record *record, const struct setting *level)
{
    const struct setting *found = record_setting(record, level->name);
    return found && found->text == level->text;
}

struct plot_level_cell plot_level_cell(const struct records *records, const struct setting *x, const struct setting *y,
                                       enum record_field field, double *values)
{
    struct plot_level_cell cell = {0};
    for (size_t i = 0; i < records->count; i++) {
        if (!plot_at_level(records->items[i], x) || (y && !plot_at_level(records->items[i], y)))
            continue;
        cell.unfinished += (size_t)(records->items[i]->at_limit || records->items[i]->stalled);
        if (isfinite(records->items[i]->field[field]))
            values[cell.n++] = records->items[i]->field[field];
    }
    gsl_sort(values, 1, cell.n);
    cell.spread = plot_spread_of(values, cell.n);
    return cell;
}
