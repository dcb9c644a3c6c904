/* Prints long JSON arrays of numbers at once, with four digits; a number that is not finite becomes null. */
#ifndef HULLBENCH_FLAT_NUMBERS_H
#define HULLBENCH_FLAT_NUMBERS_H

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/stats/summary.h"

/* An array under construction. */
struct flat_numbers {
    char *text;
    size_t size, n;
    FILE *stream;
};

void flat_numbers_open(struct flat_numbers *flat);
void flat_numbers_add(struct flat_numbers *flat, double number);
/* Adds estimate, low and high. */
void flat_numbers_add_interval(struct flat_numbers *flat, const struct interval *interval);
/* Ends the array and adds it to the object. */
void flat_numbers_close(struct flat_numbers *flat, cJSON *object, const char *key);

/* Adds an array of n numbers to the object. */
void flat_numbers_put(cJSON *object, const char *key, const double *numbers, size_t n);

#endif
