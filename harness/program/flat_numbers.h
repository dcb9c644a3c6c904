/* Long arrays of numbers in JSON, printed at once: four digits, null where a number is not finite. */
#ifndef HULLBENCH_FLAT_NUMBERS_H
#define HULLBENCH_FLAT_NUMBERS_H

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/stats/interval.h"

/* An array being printed. */
struct flat_numbers {
    char *text;
    size_t size, n;
    FILE *stream;
};

void flat_numbers_open(struct flat_numbers *flat);
void flat_numbers_add(struct flat_numbers *flat, double number);
/* Estimate, low and high. */
void flat_numbers_add_interval(struct flat_numbers *flat, const struct interval *interval);
/* Ends the array and puts it into the object. */
void flat_numbers_close(struct flat_numbers *flat, cJSON *object, const char *key);

/* The array of n numbers. */
void flat_numbers_put(cJSON *object, const char *key, const double *numbers, size_t n);

#endif
