#include "harness/atlas/atlas_forms.h"

#include <math.h>
#include <stdlib.h>

#include "harness/program/memory.h"

static enum status write_forms(struct text_table *table, const char *folder, const char *name,
                               const enum text_table_form *forms, size_t n, struct error *error)
{
    static const char *const endings[] = {
        [TEXT_TABLE_MARKDOWN] = "md", [TEXT_TABLE_LATEX] = "tex", [TEXT_TABLE_CSV] = "csv"};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < n && status == STATUS_OK; i++) {
        char *path = xasprintf("%s/%s.%s", folder, name, endings[forms[i]]);
        status = text_table_write(table, forms[i], path, error);
        free(path);
    }
    text_table_free(table);
    return status;
}

enum status atlas_write_page(struct text_table *table, const char *folder, const char *name, struct error *error)
{
    static const enum text_table_form forms[] = {TEXT_TABLE_MARKDOWN, TEXT_TABLE_LATEX};
    return write_forms(table, folder, name, forms, 2, error);
}

enum status atlas_write_csv(struct text_table *table, const char *folder, const char *name, struct error *error)
{
    static const enum text_table_form form = TEXT_TABLE_CSV;
    return write_forms(table, folder, name, &form, 1, error);
}

void atlas_put_head(struct text_table *table, const char *const *heads, size_t n)
{
    table->columns = n;
    text_table_cells(table, heads, n);
}

void atlas_put_interval(struct text_table *table, double scale, int decimals, const struct interval *interval)
{
    if (!isfinite(interval->estimate))
        text_table_cell(table, "-");
    else if (isfinite(interval->low) && isfinite(interval->high))
        text_table_cell(table, "%.*f [%.*f, %.*f]", decimals, scale * interval->estimate, decimals,
                        scale * interval->low, decimals, scale * interval->high);
    else
        text_table_cell(table, "%.*f", decimals, scale * interval->estimate);
}

void atlas_put_ends(struct text_table *table, const struct interval *interval)
{
    text_table_number(table, 6, interval->estimate);
    text_table_number(table, 6, interval->low);
    text_table_number(table, 6, interval->high);
}
