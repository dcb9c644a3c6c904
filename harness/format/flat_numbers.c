#include "harness/format/flat_numbers.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/json_writer.h"
#include "harness/base/memory.h"

static void print_number(FILE *stream, double number)
{
    if (isfinite(number))
        fprintf(stream, number == rint(number) && fabs(number) < 1e7 ? "%.0f" : "%.4g", number);
    else
        fputs("null", stream);
}

void flat_numbers_open(struct flat_numbers *flat)
{
    *flat = (struct flat_numbers){0};
    flat->stream = xopen_text(&flat->text, &flat->size);
    fputc('[', flat->stream);
}

void flat_numbers_add(struct flat_numbers *flat, double number)
{
    if (flat->n++)
        fputc(',', flat->stream);
    print_number(flat->stream, number);
}

void flat_numbers_add_interval(struct flat_numbers *flat, const struct interval *interval)
{
    flat_numbers_add(flat, interval->estimate);
    flat_numbers_add(flat, interval->low);
    flat_numbers_add(flat, interval->high);
}

void flat_numbers_close(struct flat_numbers *flat, cJSON *object, const char *key)
{
    fputc(']', flat->stream);
    xclose_text(flat->stream);
    json_put_raw(object, key, flat->text);
    free(flat->text);
}

void flat_numbers_put(cJSON *object, const char *key, const double *numbers, size_t n)
{
    struct flat_numbers flat;
    flat_numbers_open(&flat);
    for (size_t i = 0; i < n; i++)
        flat_numbers_add(&flat, numbers[i]);
    flat_numbers_close(&flat, object, key);
}
